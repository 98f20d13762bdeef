; Plank Bridge
;
; A river flows between two banks of its own colour, on rows 6 to 13. In every eighth step a plank floats in at a
; drawn row of the left edge. Loose planks drift one cell to the right every 2 steps.
;
; The walker moves with the keys, to banks and planks only. A click on a plank within 2 steps of him, without
; diagonals, takes it into his stock, up to 5. A click on a river cell within 2 steps lays one down, which lies
; fixed for 25 steps and drifts afterwards.
;
; In the water, when a plank went away below him, he is carried to the right by one cell a step, and at the edge
; he is back at the start.

(program
  (= GRID_SIZE 20)

  (object Walker (Cell 0 0 "white"))

  ; A plank that lies fixed counts down the steps it still does.
  (object Plank (: fixedFor Number) (Cell 0 0 "tan"))

  (= planks (initnext (list) (prev planks)))
  (= newWalker (--> () (Walker (Position 10 16))))
  (= walker (initnext ((newWalker)) (prev walker)))

  ; Hidden: the planks in stock, and the clock of the river.
  (= stock (initnext 0 (prev stock)))
  (= clock (initnext 0 (% (+ (prev clock) 1) 8)))

  ; The river is rows 6 to 13; it looks like the banks.
  (= isRiver (--> place (in (.. place y) (range 6 14))))

  (= plankAt (--> place (any (--> plank (== (.. plank origin) place)) planks)))

  (= isWater (--> place (& (isRiver place) (! (plankAt place)))))

  (= isNear (--> place (adjacentPoss place (.. walker origin) 2)))

  ; The walker goes on banks and planks only.
  (= step (--> (dx dy) (let
    (= ahead (move walker (Position dx dy)))
    (= walker (if (& (isWithinBounds ahead) (! (isWater (.. ahead origin)))) then ahead else walker)))))

  (on left (step -1 0))

  (on right (step 1 0))

  (on up (step 0 -1))

  (on down (step 0 1))

  ; A click takes the plank there, or lays one down where there was none before this step.
  (on (& (clicked (prev planks)) (& (isNear click) (< stock 5))) (let
    (= planks (filter (--> plank (! (clicked plank))) planks))
    (= stock (+ stock 1))))

  (on (& (& clicked (! (clicked (prev planks)))) (& (isRiver click) (& (isNear click) (> stock 0)))) (let
    (= planks (addObj planks (Plank 25 click)))
    (= stock (- stock 1))))

  ; Loose planks drift every second step and are gone past the right edge.
  (on true (let
    (= rides (--> plank (& (== (.. plank fixedFor) 0) (== (% clock 2) 1))))
    (= drifted (updateObj planks moveRight rides))
    (= counted (map (--> plank (updateObj plank "fixedFor" (max 0 (- (.. plank fixedFor) 1)))) drifted))
    (= planks (filter isWithinBounds counted))))

  ; Every eighth step a plank floats in at a drawn row.
  (on (== clock 7) (= planks (addObj planks (Plank 0 (Position 0 (uniformChoice (range 6 14)))))))

  ; In the water the walker is carried to the right, and at the edge put back.
  (on (isWater (.. walker origin))
    (= walker (if (== (.. (.. walker origin) x) 19) then ((newWalker)) else (moveRight walker))))
)
