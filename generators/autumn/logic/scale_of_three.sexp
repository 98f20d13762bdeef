; Scale of Three
;
; A balance with its middle in column 3. A click on row 3 puts a stone on the place below it, on row 4, or takes
; the one there. One, two and three places from the middle a stone counts 1, 3 and 9, in the middle 0. A weight
; that cannot be seen lies on the left. The heavier half of the beam hangs lower.
;
; The weight is 7. When the beam has been level for 3 steps, it becomes 2, then 11, 4, 13, and 7 again.
;
; `left` and `right` move all stones by one place, unless one would fall off. `up` takes all stones. `down`
; mirrors them.

(program
  (= GRID_SIZE 7)

  ; Stones lie on row 4. Column 3 is the middle of the balance and counts nothing;
  ; one, two and three places away from it a stone weighs 1, 3 and 9.
  (object Stone (Cell 0 0 "gold"))
  (= worths (list 0 1 3 9))

  ; The beam has its middle on row 5; the heavier side hangs on row 6.
  (object Beam (: lean Number)
    (map (--> column (Cell column (if (> (* lean (- 3 column)) 0) then 1 else 0) "gray")) (range 0 7)))

  (= stones (initnext (list) (prev stones)))

  ; Hidden: which of the five weights helps the left side now, and for how long the beam was level.
  (= hiddenWeights (list 7 2 11 4 13))
  (= hiddenWeight (initnext 0 (prev hiddenWeight)))
  (= levelFor (initnext 0 (if (== ((balance)) 0) then (+ (prev levelFor) 1) else 0)))

  ; Left minus right plus the hidden weight, and its sign: 1 leans left, -1 leans right.
  (= pull (--> stone (let
    (= offset (- 3 (.. (.. stone origin) x)))
    (* (sign offset) (at worths (abs offset))))))

  (= balance (--> () (sign (+ (sum (map pull stones)) (at hiddenWeights hiddenWeight)))))

  (= beam (initnext (Beam 1 (Position 0 5)) (Beam ((balance)) (Position 0 5))))

  ; All stones move together, or none if one would fall off.
  (= shift (--> step (let
    (= shifted (map (--> stone (move stone (Position step 0))) stones))
    (= stones (if (isWithinBounds shifted) then shifted else stones)))))

  (= mirror (--> stone (updateObj stone "origin" (Position (- 6 (.. (.. stone origin) x)) 4))))

  ; A click on row 3 puts a stone on the place below it, or takes the one there.
  (on (& clicked (== (.. click y) 3)) (let
    (= place (Position (.. click x) 4))
    (= others (filter (--> stone (!= (.. stone origin) place)) stones))
    (= stones (if (== (length others) (length stones)) then (addObj stones (Stone place)) else others))))

  (on left (shift -1))

  (on right (shift 1))

  (on up (= stones (list)))

  (on down (= stones (map mirror stones)))

  ; When the beam has been level for three steps, the next hidden weight takes its place.
  (on (== levelFor 3) (let
    (= hiddenWeight (% (+ hiddenWeight 1) 5))
    (= levelFor 0)))
)
