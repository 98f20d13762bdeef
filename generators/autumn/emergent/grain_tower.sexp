; Grain Tower
;
; A cell carries up to 8 grains: tan is 1, orange 2, red 3, white 4 or more. A click drops one grain onto the
; clicked cell, which is purple in that step.
;
; In each step all cells that carry 4 or more topple at the same time: each gives a grain to each of its four
; neighbours. Once 30 grains were dropped, the grains for neighbours off the grid are lost. Before that, a cell at
; the rim keeps them.

(program
  (= GRID_SIZE 9)

  (object Grain (: colour String) (Cell 0 0 colour))

  ; Each cell carries a number of grains; the cells stand column by column, as in `allPositions`.

  (= heights (initnext (map (--> place 0) (allPositions 9)) (prev heights)))

  (= heightAt (--> place (at heights (+ (* 9 (.. place x)) (.. place y)))))

  (= dropped (initnext 0 (prev dropped)))

  ; The colour shows 1, 2, 3, 4 or more grains.

  (= shade (--> count (at (list "tan" "orange" "red" "white") (- (min count 4) 1))))

  (= pile (--> place (Grain (shade (heightAt place)) place)))

  (= bare (--> place (== (heightAt place) 0)))

  (= grains (initnext
    (list)
    (map pile (filter (--> place (! (bare place))) (allPositions 9)))))

  ; The clicked cell is purple for one step.

  (= splash (initnext (list) (list)))

  ; A click drops a grain.

  (on clicked
    (let
      (= dropped (+ dropped 1))
      (= splash (list (Grain "purple" click)))
      (= heights (map
        (--> place (if (== place click) then (min 8 (+ (heightAt place) 1)) else (heightAt place)))
        (allPositions 9)))))

  ; All cells with 4 grains or more give one to each neighbour at the same time. Grains fall off the rim once 30
  ; were dropped; before, a cell keeps one for each neighbour it lacks.

  (= topples (--> place (>= (heightAt place) 4)))

  (= given (--> place
    (if (topples place) then (if (< dropped 30) then (length (adjPositions place)) else 4) else 0)))

  (= received (--> place (length (filter topples (adjPositions place)))))

  (on (any (--> height (>= height 4)) heights)
    (= heights (map
      (--> place (+ (- (heightAt place) (given place)) (received place)))
      (allPositions 9))))
)
