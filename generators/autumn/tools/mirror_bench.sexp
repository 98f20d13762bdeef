; Mirror Bench
;
; A laser (red) shoots along its row, to the right at first. Mirrors turn its orange beam: silver ones stand like
; /, white ones like \. The beam passes the crystal and is at most 40 cells long.
;
; A click on a free cell puts a silver mirror there, if there are fewer than four; beam cells are free. A click on
; a mirror changes its kind. `left` takes away the mirror that was put last. `up` and `down` move the laser along
; its edge.
;
; When the beam has hit the crystal for 3 steps in a row, the crystal goes out and comes at the next of six
; places. After the third crystal, the laser shoots from the right edge for good.

(program
  (= GRID_SIZE 10)

  ; The laser is red and its beam orange; mirrors are / (silver) or \ (white).
  (object Laser (: hue String) (Cell 0 0 hue))
  (object Mirror (: rising Bool) (Cell 0 0 (if rising then "silver" else "white")))
  (object Crystal (Cell 0 0 "purple"))

  ; Crystals appear at six places, one after the other.
  (= crystalPlaces (list
    (Position 6 2) (Position 3 7) (Position 8 8) (Position 2 3) (Position 5 5) (Position 7 1)))

  ; Hidden: the direction of the laser, the crystals lit so far, and the steps the crystal has been hit.
  (= direction (initnext 1 (prev direction)))
  (= litCrystals (initnext 0 (prev litCrystals)))
  (= cooldown (initnext 0 (prev cooldown)))

  ; The way of the beam from a place on: at most 40 cells, turned by mirrors.
  (= trace (--> (place dx dy count)
    (if (| (== count 0) (! (isWithinBounds (Crystal place))))
      then (list)
      else (concat (list (list place) (turn place dx dy count (mirrorAt place)))))))

  (= turn (--> (place dx dy count found)
    (if (== (length found) 0) then (onward place dx dy count) else
    (if (.. (head found) rising)
      then (onward place (- dy) (- dx) count)
      else (onward place dy dx count)))))

  (= onward (--> (place dx dy count)
    (trace (Position (+ (.. place x) dx) (+ (.. place y) dy)) dx dy (- count 1))))

  (= mirrorAt (--> place (filter (--> mirror (== (.. mirror origin) place)) mirrors)))

  (= shine (--> ()
    (map (--> spot (Laser "orange" spot))
      (trace (movePos (.. laser origin) (Position direction 0)) direction 0 40))))

  (= beam (initnext
    (map (--> spot (Laser "orange" spot)) (rect (Position 1 4) (Position 10 5)))
    ((shine))))
  (= laser (initnext (Laser "red" (Position 0 4)) (prev laser)))
  (= mirrors (initnext (list) (prev mirrors)))
  (= crystal (initnext (Crystal (head crystalPlaces)) (prev crystal)))

  ; A click turns a mirror to the other kind, or puts one on a free cell if there are fewer than four.
  (on (clicked mirrors)
    (= mirrors (updateObj mirrors
      (--> mirror (updateObj mirror "rising" (! (.. mirror rising))))
      (--> mirror (clicked mirror)))))

  (on (& (& clicked (< (length mirrors) 4)) (! (clicked (concat (list mirrors (list laser crystal))))))
    (= mirrors (addObj mirrors (Mirror true click))))

  ; Left takes away the mirror put there last.
  (on left
    (= mirrors (map (--> number (at mirrors number)) (range 0 (- (length mirrors) 1)))))

  ; The laser moves along its edge.
  (on up (= laser (if (> (.. (.. laser origin) y) 0) then (moveUp laser) else laser)))

  (on down (= laser (if (< (.. (.. laser origin) y) 9) then (moveDown laser) else laser)))

  ; A crystal hit for three steps is lit and the next one appears; after three crystals
  ; the laser shoots from the right edge.
  (on true (let
    (= cooldown (if (intersects crystal beam) then (+ cooldown 1) else 0))
    (if (< cooldown 3) then crystal else (let
      (= cooldown 0)
      (= litCrystals (+ litCrystals 1))
      (= crystal (Crystal (at crystalPlaces (% litCrystals 6))))
      (= direction (if (== litCrystals 3) then -1 else direction))
      (= laser (Laser "red" (Position (if (== direction 1) then 0 else 9) (.. (.. laser origin) y))))))))
)
