; Canal Lock
;
; Three chambers of water, of levels 7, 3 and 3 at first, are separated by two gates. A click on a gate opens it
; (orange) or closes it (brown). A gate in which the boat lies stays as it is.
;
; In each step, at an open gate with different levels on both sides, the higher water falls by 1 and the lower
; rises by 1; first the left gate, then the right one. If the levels differ by one, they change places in each
; step.
;
; The boat floats on the water of its chamber, in a gate on the higher of both sides. `left` and `right` move it
; by one cell; into a gate and out of it only while the gate is open and both levels are equal.
;
; `up` adds 1 to the left chamber, up to 9. `down` takes 1 from the right one, down to 1.

(program
  (= GRID_SIZE 11)

  (object Water (: level Number)
    (map (--> drop (Cell (.. drop x) (- (.. drop y)) "blue")) (rect (Position 0 0) (Position 3 level))))

  (object Gate (: open Bool)
    (map (--> k (Cell 0 k (if open then "orange" else "brown"))) (range 0 9)))

  (object Wall (Cell 0 0 "gray"))

  (object Boat (Cell 0 0 "white"))

  ; Levels are counted in rows from below.

  (= levelL (initnext 7 (prev levelL)))

  (= levelM (initnext 3 (prev levelM)))

  (= levelR (initnext 3 (prev levelR)))

  (= column (initnext 1 (prev column)))

  ; The canal: three chambers, a gate between each two, and a wall above and below each gate.

  (= chambers (--> (west middle east)
    (list (Water west (Position 0 10)) (Water middle (Position 4 10)) (Water east (Position 8 10)))))

  (= water (initnext (chambers 7 3 3) (chambers levelL levelM levelR)))

  (= walls (initnext
    (map (--> place (Wall place)) (list (Position 3 0) (Position 3 10) (Position 7 0) (Position 7 10)))
    (prev walls)))

  (= gateL (initnext (Gate false (Position 3 1)) (prev gateL)))

  (= gateR (initnext (Gate false (Position 7 1)) (prev gateR)))

  ; The boat floats on its chamber, in a gate on the higher of the two.

  (= levelAt (--> place
    (if (< place 3) then levelL
    else (if (== place 3) then (max levelL levelM)
    else (if (< place 7) then levelM
    else (if (== place 7) then (max levelM levelR)
    else levelR))))))

  (= boat (initnext (Boat (Position 1 3)) (Boat (Position column (- 10 (levelAt column))))))

  ; A click opens or closes a gate; with the boat in it, it stays open.

  (= turn (--> (gate place)
    (if (== column place) then gate else (updateObj gate "open" (! (.. gate open))))))

  (on (clicked gateL) (= gateL (turn gateL 3)))

  (on (clicked gateR) (= gateR (turn gateR 7)))

  ; Through an open gate the higher water falls and the lower one rises, first at the left gate.

  (on true
    (let
      (= flow (if (.. gateL open) then (sign (- levelL levelM)) else 0))
      (= levelL (- levelL flow))
      (= levelM (+ levelM flow))
      (= flow (if (.. gateR open) then (sign (- levelM levelR)) else 0))
      (= levelM (- levelM flow))
      (= levelR (+ levelR flow))))

  ; `left` and `right` move the boat; into and out of a gate only if it is open and the levels agree.

  (= passable (--> place
    (if (== place 3) then (& (.. gateL open) (== levelL levelM))
    else (if (== place 7) then (& (.. gateR open) (== levelM levelR))
    else true))))

  (= sail (--> step
    (let
      (= goal (+ column step))
      (= inside (& (<= 0 goal) (< goal GRID_SIZE)))
      (if (& inside (& (passable column) (passable goal))) then (= column goal) else column))))

  (on left (sail -1))

  (on right (sail 1))

  ; `up` fills the left chamber, `down` empties the right one.

  (on up (= levelL (min 9 (+ levelL 1))))

  (on down (= levelR (max 1 (- levelR 1))))
)
