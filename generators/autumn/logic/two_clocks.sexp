; Two Clocks
;
; Two dials have eight colours and a hand each. In every fourth step both hands advance, each by its own number of
; places. These numbers are drawn from 1 to 3 at the start. A click on a clock stops it or starts it again. `up`
; exchanges the two numbers.
;
; If both hands then show the same colour, the bell strikes: it is pink until the hands move again, and the right
; hand goes on by an offset that is drawn from 0 to 7 at the start. At every third strike the bell is brown
; instead, and both numbers are drawn anew. While both clocks are stopped, nothing is compared.

(program
  (= GRID_SIZE 12)

  ; Eight colours round each dial, beginning at the top, clockwise.
  (= colours (list "red" "orange" "gold" "green" "cyan" "blue" "purple" "magenta"))
  (= around (list
    (Position 0 -1) (Position 1 -1) (Position 1 0) (Position 1 1)
    (Position 0 1) (Position -1 1) (Position -1 0) (Position -1 -1)))

  (object Dial (: turning Bool)
    (map
      (--> hour (Cell (* 2 (.. (at around hour) x)) (* 2 (.. (at around hour) y)) (at colours hour)))
      (range 0 8)))
  (object Hand (: hourNow Number)
    (Cell (.. (at around hourNow) x) (.. (at around hourNow) y) "white"))
  (object Bell (: look String) (Cell 0 0 look))

  (= dialA (initnext (Dial true (Position 2 4)) (prev dialA)))
  (= dialB (initnext (Dial true (Position 9 4)) (prev dialB)))
  (= handA (initnext (Hand 0 (Position 2 4)) (prev handA)))
  (= handB (initnext (Hand 4 (Position 9 4)) (prev handB)))
  (= bell (initnext (Bell "silver" (Position 5 9)) (prev bell)))

  ; Hidden: the steps of the hands and the offset, drawn at the start, and the strikes so far.
  (= stepA (uniformChoice (range 1 4)))
  (= stepB (uniformChoice (range 1 4)))
  (= offset (uniformChoice (range 0 8)))
  (= struck (initnext 0 (prev struck)))
  (= clock (initnext 0 (% (+ (prev clock) 1) 4)))

  (= advance (--> (hand step)
    (updateObj hand "hourNow" (% (+ (.. hand hourNow) step) 8))))

  (= switch (--> dial (updateObj dial "turning" (! (.. dial turning)))))

  ; At the third strike the bell is brown and both steps are drawn anew.
  (= strike (--> () (let
    (= handB (advance handB offset))
    (= struck (% (+ struck 1) 3))
    (= bell (Bell (if (== struck 0) then "brown" else "pink") (.. bell origin)))
    (= stepA (if (== struck 0) then (uniformChoice (range 1 4)) else stepA))
    (= stepB (if (== struck 0) then (uniformChoice (range 1 4)) else stepB)))))

  ; A click stops or starts the clock that was clicked.
  (on (clicked (list dialA dialB handA handB)) (if (< (.. click x) 6)
    then (= dialA (switch dialA))
    else (= dialB (switch dialB))))

  (on up (let
    (= oldA stepA)
    (= stepA stepB)
    (= stepB oldA)))

  ; Every fourth step the hands of running clocks advance; on the same colour the bell strikes.
  (on (& (== clock 3) (| (.. dialA turning) (.. dialB turning))) (let
    (= handA (if (.. dialA turning) then (advance handA stepA) else handA))
    (= handB (if (.. dialB turning) then (advance handB stepB) else handB))
    (if (== (.. handA hourNow) (.. handB hourNow))
      then ((strike))
      else (= bell (Bell "silver" (.. bell origin))))))
)
