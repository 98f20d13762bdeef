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

  ; A polyp turns into the next kind if enough of its neighbours are of that kind.

  (= kindAt (--> place (.. (at polyps (+ (* 16 (.. place x)) (.. place y))) kind)))

  (= pressure (--> polyp
    (let
      (= rival (next (.. polyp kind)))
      (length (filter (--> place (== (kindAt place) rival)) (adjPositions (.. polyp origin)))))))

  (= turn (--> polyp (updateObj polyp "kind" (next (.. polyp kind)))))

  (on true (= polyps (updateObj polyps turn (--> polyp (>= (pressure polyp) threshold)))))

  ; A click turns the clicked polyp into the next kind and switches the threshold between 2 and 1.

  (on clicked
    (let
      (= polyps (updateObj polyps turn (--> polyp (clicked polyp))))
      (= threshold (- 3 threshold))))
)
