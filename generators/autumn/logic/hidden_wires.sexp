; Hidden Wires
;
; Twelve lamps are off at first. At the start four wires are drawn, each from one lamp to another. A click on a
; lamp turns it over, and the lamps at the other ends of the wires that start there; no further. A lamp that
; several wires lead to is turned over several times.
;
; When all lamps are on, all go off in the next step. A click in that step acts on the lamps that are already off.

(program
  (= GRID_SIZE 10)

  (object Lamp (: lit Bool) (Cell 0 0 (if lit then "yellow" else "gray")))

  ; The lamps are numbered row by row, four in a row.
  (= placeOf (--> number (Position (+ 2 (* 2 (% number 4))) (+ 2 (* 2 (/ number 4))))))

  (= lamps (initnext
    (map (--> number (Lamp false (placeOf number))) (range 0 12))
    (settled (prev lamps))))

  ; Hidden: four wires, each the number of a lamp and of another one it leads to.
  (= drawWire (--> number (let
    (= from (uniformChoice (range 0 12)))
    (= further (uniformChoice (range 1 12)))
    (list from (% (+ from further) 12)))))

  (= wires (initnext (map drawWire (range 0 4)) (prev wires)))

  ; All lamps lit: in the next step all go out.
  (= settled (--> before
    (if (any (--> lamp (! (.. lamp lit))) before)
      then before
      else (map (--> lamp (updateObj lamp "lit" false)) before))))

  (= turn (--> (before place)
    (updateObj before
      (--> lamp (updateObj lamp "lit" (! (.. lamp lit))))
      (--> lamp (== (.. lamp origin) place)))))

  ; A click turns over the lamp and the lamps at the other ends of the wires that start there.
  (on (clicked lamps) (let
    (= starting (filter (--> wire (== (placeOf (head wire)) click)) wires))
    (= ends (map (--> wire (placeOf (tail wire))) starting))
    (= lamps (foldl turn (turn (settled lamps) click) ends))))
)
