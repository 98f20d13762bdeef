; Cyclic Coral
;
; Each cell holds one of three kinds of polyps, drawn at the start. In each step every polyp turns into the next
; kind (red, green, blue, and red again) if enough of its four neighbours are of that next kind. Enough is 2 at
; first.
;
; After that, a click turns the clicked polyp into its next kind, and changes what is enough from 2 to 1 or back.

(program
  (= GRID_SIZE 16)

  (= colours (list "red" "green" "blue"))

  (object Polyp (: kind Number) (Cell 0 0 (at colours kind)))

  (= next (--> kind (% (+ kind 1) 3)))

  ; All cells hold a polyp of a drawn kind; they stand column by column, as in `allPositions`.

  (= polyps (initnext
    (map (--> place (Polyp (uniformChoice (range 0 3)) place)) (allPositions 16))
    (prev polyps)))

  (= threshold (initnext 2 (prev threshold)))

  ; The numbers of each polyp's neighbours, in that order.

  (= numberOf (--> place (+ (* 16 (.. place x)) (.. place y))))

  (= neighbours (map (--> place (map numberOf (adjPositions place))) (allPositions 16)))

  ; A polyp turns into the next kind if enough of its neighbours are of that kind.

  (= turn (--> polyp (updateObj polyp "kind" (next (.. polyp kind)))))

  (= pressure (--> (number rival)
    (length (filter (--> other (== (.. (at polyps other) kind) rival)) (at neighbours number)))))

  (= grow (--> number
    (let
      (= polyp (at polyps number))
      (if (>= (pressure number (next (.. polyp kind))) threshold) then (turn polyp) else polyp))))

  (on true (= polyps (map grow (range 0 256))))

  ; A click turns the clicked polyp into the next kind and switches the threshold between 2 and 1.

  (on clicked
    (let
      (= polyps (updateObj polyps turn (--> polyp (clicked polyp))))
      (= threshold (- 3 threshold))))
)
