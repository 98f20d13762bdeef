; Decay Tray
;
; Nine atoms stand in a lattice. In each step a fresh atom (lime) decays with probability 1/16: it turns gray and
; sends a spark from the next cell on in a drawn direction.
;
; Sparks fly one cell a step and over atoms. A fresh atom with a spark on it decays in the next step, and then
; sends one spark to the left and one to the right. Sparks vanish at shields and off the grid.
;
; A click on a free cell places a shield there. There are at most four; with the fifth, the oldest goes. `up`
; makes all atoms fresh again, if none is.

(program
  (= GRID_SIZE 10)

  ; A fresh atom that was hit decays in the next step.

  (object Atom (: fresh Bool) (: hit Bool) (Cell 0 0 (if fresh then "lime" else "gray")))

  ; The charge of a spark says where it flies: 0 left, 1 right, 2 up, 3 down.

  (object Spark (: charge Number) (Cell 0 0 "white"))

  (object Shield (Cell 0 0 "blue"))

  (= atoms (initnext
    (map (--> spot (Atom true false (Position (+ 1 (* 3 (.. spot x))) (+ 1 (* 3 (.. spot y))))))
      (allPositions 3))
    (prev atoms)))

  (= shields (initnext (list) (prev shields)))

  (= sparks (initnext (list) (prev sparks)))

  ; Sparks fly one cell a step and vanish off the grid and at shields.

  (= directions (list (Position -1 0) (Position 1 0) (Position 0 -1) (Position 0 1)))

  (= fly (--> spark (move spark (at directions (.. spark charge)))))

  (= alive (--> spark (& (isWithinBounds spark) (! (intersects spark shields)))))

  ; A fresh atom decays with probability 1/16 and sends one spark in a drawn direction. An atom that was hit
  ; sends one to the left and one to the right.

  (= emit (--> (atom charge) (fly (Spark charge (.. atom origin)))))

  (= burst (--> atom
    (if (.. atom hit) then (list (emit atom 0) (emit atom 1))
    else (list (emit atom (uniformChoice (range 0 4)))))))

  (= decays (--> atom
    (& (.. atom fresh) (| (.. atom hit) (== (uniformChoice (range 0 16)) 0)))))

  (= decayed (--> (atom places)
    (if (any (--> place (== place (.. atom origin))) places)
      then (Atom false false (.. atom origin))
      else (updateObj atom "hit" (& (.. atom fresh) (intersects atom sparks))))))

  (on true
    (let
      (= decaying (filter decays atoms))
      (= sent (concat (map burst decaying)))
      (= sparks (filter alive (concat (list (map fly sparks) sent))))
      (= places (map (--> atom (.. atom origin)) decaying))
      (= atoms (map (--> atom (decayed atom places)) atoms))))

  ; A click on a free cell places a shield; the oldest of five goes.

  (on (& clicked (isFreePos click))
    (let
      (= shields (addObj shields (Shield click)))
      (= surplus (max 0 (- (length shields) 4)))
      (= shields (map (--> k (at shields k)) (range surplus (length shields))))))

  ; `up` makes all atoms fresh if none is.

  (on (& up (! (any (--> atom (.. atom fresh)) atoms)))
    (= atoms (map (--> atom (Atom true false (.. atom origin))) atoms)))
)
