; Dig where the treasure is: the colour of a hole tells how near it is.

(program
  ; What the task is. Whoever sees all needs one step, so no length is demanded of starts.
  (task "World"
    (difficulty easy (= GRID_SIZE 5) (= HOLES 6) (steps 30))
    (difficulty hard (= GRID_SIZE 8) (= HOLES 6) (steps 30))
    (win (any (--> hole (== (.. hole far) 0)) dug))
    (lose (>= (length dug) HOLES)))

  ; What there is. Red: the treasure; orange: at most two steps away; gold: at most four; blue: farther.
  (object Hole (: far Number)
    (Cell 0 0 (if (== far 0) then "red" else (if (< far 3) then "orange" else (if (< far 5) then "gold" else "steelblue")))))
  (= background "tan")

  ; The treasure draws nothing, so nobody sees it.
  (= treasure (uniformChoice (allPositions GRID_SIZE)))
  (= dug (list))

  ; How it goes: a click on a cell without a hole digs one.
  (= distance (--> (p q) (+ (abs (- (.. p x) (.. q x))) (abs (- (.. p y) (.. q y))))))
  (on (& clicked (isFreePos click))
    (= dug (addObj dug (Hole (distance click treasure) click)))))
