; Ferry Queue
;
; With probability 1/6 in each step, a walker comes to a drawn side of the river. Walkers on the left are green,
; those on the right blue, and up to four of each queue can be seen. On the row of the queues, row 8, one walker
; goes aboard in each step, on the side where the ferry lies. With three aboard the ferry leaves. It needs two
; steps for each cell, and on the other side all go ashore.
;
; A click on the bell sends the ferry off. The bell is white while the ferry is on its way. `right` sends the
; empty ferry from the left to the right, `left` from the right to the left.
;
; `up` and `down` move a ferry that lies at a dock by one row, between rows 6 and 10. On other rows than the
; queue's nobody goes aboard.

(program
  (= GRID_SIZE 16)

  (object Dock (map (--> k (Cell 0 k "gray")) (range 0 5)))

  (object Walker (: colour String) (Cell 0 0 colour))

  (object Ferry (map (--> k (Cell k 0 "brown")) (range 0 3)))

  (object Bell (: ringing Bool) (Cell 0 0 (if ringing then "white" else "gold")))

  ; The ferry is 0 to 6 half cells from the left dock, on its row. Its destination is 1 for the right, -1 for the
  ; left; at a dock it is where the next crossing goes.

  (= way (initnext 0 (prev way)))

  (= ferryRow (initnext 8 (prev ferryRow)))

  (= destination (initnext 1 (prev destination)))

  (= load (initnext 0 (prev load)))

  (= atLeft (--> () (== way 0)))

  (= atRight (--> () (== way 6)))

  (= docked (--> () (| atLeft atRight)))

  (= waitingLeft (initnext 0 (prev waitingLeft)))

  (= waitingRight (initnext 0 (prev waitingRight)))

  ; What is drawn: the docks, the bell, the ferry, and of each queue on row 8 the first four.

  (= queue (--> (colour place step count)
    (map (--> k (Walker colour (Position (+ place (* k step)) 8))) (range 0 (min 4 count)))))

  (= docks (initnext (list (Dock (Position 4 6)) (Dock (Position 11 6))) (prev docks)))

  (= bell (initnext (Bell false (Position 2 2)) (Bell (! ((docked))) (Position 2 2))))

  (= ferry (initnext (Ferry (Position 5 8)) (Ferry (Position (+ 5 (/ way 2)) ferryRow))))

  (= walkers (initnext
    (list)
    (concat (list (queue "green" 3 -1 waitingLeft) (queue "blue" 12 1 waitingRight)))))

  ; Arriving: with probability 1/6 a walker comes to a drawn side.

  (= arrive (--> ()
    (if (== (uniformChoice (list "left" "right")) "left")
      then (= waitingLeft (+ waitingLeft 1))
      else (= waitingRight (+ waitingRight 1)))))

  ; Crossing: one cell every 2 steps. On the other side all go ashore.

  (= depart (--> () (= way (+ way destination))))

  (= cross (--> ()
    (let
      (= way (+ way destination))
      (= load (if ((docked)) then 0 else load))
      (= destination (if ((docked)) then (- destination) else destination)))))

  ; Boarding: one a step, on the row of the queue only. The full ferry leaves.

  (= board (--> ()
    (let
      (= fromLeft (if (& atLeft (> waitingLeft 0)) then 1 else 0))
      (= fromRight (if (& atRight (> waitingRight 0)) then 1 else 0))
      (= waitingLeft (- waitingLeft fromLeft))
      (= waitingRight (- waitingRight fromRight))
      (= load (+ load (+ fromLeft fromRight)))
      (if (== load 3) then ((depart)) else load))))

  (on true
    (let
      (if (== (uniformChoice (range 0 6)) 0) then ((arrive)) else false)
      (if (! ((docked))) then ((cross))
      else (if (== ferryRow 8) then ((board))
      else false))))

  ; A click on the bell sends the ferry off; `left` and `right` send it if it is empty.

  (on (& (clicked bell) docked) ((depart)))

  (on (& left (& atRight (== load 0))) ((depart)))

  (on (& right (& atLeft (== load 0))) ((depart)))

  ; `up` and `down` move the ferry along its dock.

  (on (& up docked) (= ferryRow (max 6 (- ferryRow 1))))

  (on (& down docked) (= ferryRow (min 10 (+ ferryRow 1))))
)
