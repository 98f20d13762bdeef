; Seesaw
;
; A plank of 11 cells lies on a pivot. A click on a free cell of the top row above the plank drops a weight. Light
; weights (blue, they count 1) and heavy ones (red, 2) come in turn, a light one first.
;
; A weight falls one cell a step and rests as soon as the cell below it is plank or a resting weight. The torque
; is the sum of count times distance from the pivot over all resting weights; distances to the left are negative.
; In each step the tilt goes one unit, between -2 and 2, to the side of the torque; with a torque of 0 it stays. A
; cell of the plank at distance d from the pivot is tilt * d / 5 rows lower than at tilt 0, rounded towards zero.
;
; Resting weights ride on the plank. At tilt 2 or -2 they also slide one cell away from the pivot in each step,
; and vanish when they leave the plank. A weight above the pivot does not slide.
;
; `up` takes away the weight that came last. `down` makes the next one heavy.

(program
  (= GRID_SIZE 16)

  ; The plank lies on the pivot. At tilt 0 it is level, at tilt 2 its right end is low.

  (= plankRow (--> (column slope) (+ 12 (/ (* slope (- column 8)) 5))))

  (object Plank (: slope Number)
    (map (--> column (Cell column (plankRow column slope) "brown")) (range 3 14)))

  (object Pivot (Cell 0 0 "gray"))

  ; A weight counts 1, a heavy one 2. It rests as soon as it stands on something.

  (object Weight (: heavy Bool) (: resting Bool)
    (Cell 0 0 (if heavy then "red" else "blue")))

  (= plank (initnext (Plank 0 (Position 0 0)) (Plank tilt (Position 0 0))))

  (= pivot (initnext (Pivot (Position 8 13)) (prev pivot)))

  (= weights (initnext (list) (prev weights)))

  (= tilt (initnext 0 (prev tilt)))

  (= nextHeavy (initnext false (prev nextHeavy)))

  ; Falling: a weight that does not rest falls by one cell, and rests if it then stands on the plank or on a
  ; weight that rests. The oldest weight comes first, so that a stack of falling weights lands in order.

  (= column (--> weight (.. (.. weight origin) x)))

  (= row (--> weight (.. (.. weight origin) y)))

  (= holds (--> (lower upper)
    (& (.. lower resting) (== (.. lower origin) (moveDownPos (.. upper origin))))))

  (= stands (--> (weight settled)
    (| (== (+ (row weight) 1) (plankRow (column weight) tilt))
       (any (--> lower (holds lower weight)) settled))))

  (= fall (--> (settled weight)
    (let
      (= supports (concat (list settled weights)))
      (= dropped (if (stands weight supports) then weight else (moveDown weight)))
      (addObj settled (updateObj dropped "resting" (stands dropped supports))))))

  ; Tipping: the torque of the resting weights turns the plank by one unit.

  (= pull (--> weight
    (if (.. weight resting)
      then (* (if (.. weight heavy) then 2 else 1) (- (column weight) 8))
      else 0)))

  (= tipped (--> () (max -2 (min 2 (+ tilt (sign (sum (map pull weights))))))))

  ; Riding: a resting weight follows the plank from the old tilt to the new one. At a full tilt it also goes one
  ; cell away from the pivot.

  (= ride (--> (weight slope)
    (let
      (= slide (if (== (abs slope) 2) then (sign (- (column weight) 8)) else 0))
      (= goal (+ (column weight) slide))
      (= lift (- (plankRow goal slope) (plankRow (column weight) tilt)))
      (if (.. weight resting) then (move weight (Position slide lift)) else weight))))

  (= onBoard (--> weight (& (< 2 (column weight)) (< (column weight) 14))))

  ; A click on a free cell of row 0 above the plank drops a weight; light and heavy ones alternate.

  (= dropPlace (--> place
    (& (& (== (.. place y) 0) (isFreePos place))
       (& (< 2 (.. place x)) (< (.. place x) 14)))))

  (on (& clicked (dropPlace click))
    (let
      (= weights (addObj weights (Weight nextHeavy false click)))
      (= nextHeavy (! nextHeavy))))

  (on true
    (let
      (= weights (foldl fall (list) weights))
      (= newTilt ((tipped)))
      (= weights (filter onBoard (map (--> weight (ride weight newTilt)) weights)))
      (= tilt newTilt)))

  ; `up` removes the weight that came last, `down` makes the next one heavy.

  (on (& up (> (length weights) 0))
    (= weights (map (--> k (at weights k)) (range 0 (- (length weights) 1)))))

  (on down (= nextHeavy true))
)
