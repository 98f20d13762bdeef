; Mole Digger
;
; The mole digs with the keys, one cell a step. Hard earth (tan), at 20 drawn places, becomes soft the first time
; and is dug the second time. Above ground the mole gets its full breath, 20. Below it loses 1 every 2 steps, and
; at 0 it is put back on top with its full breath.
;
; Six worms are at drawn places in the earth. In each step a worm moves to a drawn dug neighbour, if there is one.
; A worm in a cell that is filled with earth turns white and stays there. A worm that meets the mole is eaten and
; gives 10 of breath, which may then be more than 20.
;
; A dug cell, other than the mole's, with three dug cells straight above it falls in with probability 1/8 in each
; step: it is earth again. A click on such a cell fills it, too, and a click on hard earth makes it soft.

(program
  (= GRID_SIZE 16)

  ; Hard earth is tan and becomes soft, brown earth when it is dug the first time.
  (object Earth (: hard Bool) (Cell 0 0 (if hard then "tan" else "brown")))

  ; A worm in a cell that was filled with earth is white and waits.
  (object Worm (: shut Bool) (Cell 0 0 (if shut then "white" else "pink")))
  (object Mole (Cell 0 0 "gray"))

  ; Drawn at the start: where the earth is hard and where the worms are (places may repeat).
  (= ground (rect (Position 0 4) (Position 16 16)))
  (= hardPlaces (uniformChoice ground 20))
  (= wormPlaces (uniformChoice ground 6))

  (= earth (initnext (map (--> place (Earth (in place hardPlaces) place)) ground) (prev earth)))
  (= tunnels (initnext (list) (prev tunnels)))
  (= worms (initnext (map (--> place (Worm false place)) wormPlaces) (prev worms)))
  (= newMole (--> () (Mole (Position 8 3))))
  (= mole (initnext ((newMole)) (prev mole)))

  ; Hidden: the places dug so far; the breath in half units, since it goes down by 1 every two steps, and
  ; the places of tunnels that may fall in.
  (= breath (initnext 40 (prev breath)))
  (= stonesLoose (initnext (list) (prev stonesLoose)))

  (= row (--> thing (.. (.. thing origin) y)))

  (= earthAt (--> place (filter (--> clod (== (.. clod origin) place)) earth)))

  (= dug (--> place (in place tunnels)))

  (= clear (--> place (let
    (= earth (filter (--> clod (!= (.. clod origin) place)) earth))
    (= tunnels (if (| (< (.. place y) 4) (dug place)) then tunnels else (addObj tunnels place))))))

  (= fill (--> places (let
    (= earth (addObj earth (map (--> place (Earth false place)) places)))
    (= worms (updateObj worms
      (--> worm (updateObj worm "shut" true))
      (--> worm (in (.. worm origin) places))))
    (= tunnels (filter (--> place (! (in place places))) tunnels)))))

  (= soften (--> place
    (= earth (updateObj earth
      (--> clod (updateObj clod "hard" false))
      (--> clod (== (.. clod origin) place))))))

  ; Hard earth only gets softer; otherwise the mole goes on and takes the earth away.
  (= dig (--> (dx dy) (let
    (= ahead (move mole (Position dx dy)))
    (= inTheWay (earthAt (.. ahead origin)))
    (if (any (--> clod (.. clod hard)) inTheWay) then (soften (.. ahead origin)) else
    (if (isWithinBounds ahead) then (let
      (clear (.. ahead origin))
      (= mole ahead))
    else mole)))))

  (on left (dig -1 0))

  (on right (dig 1 0))

  (on up (dig 0 -1))

  (on down (dig 0 1))

  ; A click fills a dug cell, but not the mole's.
  (on (& clicked (& (dug click) (!= click (.. mole origin)))) (fill (list click)))

  ; A click on hard earth softens it.
  (on (clicked earth) (soften click))

  ; A worm eaten gives ten units of breath.
  (on (intersects mole worms) (let
    (= worms (filter (--> worm (! (intersects worm mole))) worms))
    (= breath (+ breath 20))))

  ; Above ground the mole has all its breath, below it loses some; without any it is put back on top.
  (on (< (row mole) 4) (= breath 40))

  (on (> (row mole) 3) (= breath (- breath 1)))

  (on (< breath 1) (let
    (= mole ((newMole)))
    (= breath 40)))

  ; A tunnel cell with three dug cells above it is loose, and falls in once in eight steps.
  (on true (let
    (= threeAbove (--> place
      (& (dug (Position (.. place x) (- (.. place y) 1)))
      (& (dug (Position (.. place x) (- (.. place y) 2)))
         (dug (Position (.. place x) (- (.. place y) 3)))))))
    (= stonesLoose (filter (--> place (& (!= place (.. mole origin)) (threeAbove place))) tunnels))))

  (on (> (length stonesLoose) 0)
    (fill (filter (--> place (== (uniformChoice (range 0 8)) 0)) stonesLoose)))

  ; Worms that are not shut in go to a drawn dug neighbour.
  (= crawl (--> worm (let
    (= ways (filter dug (adjPositions (.. worm origin))))
    (if (== (length ways) 0) then worm else (updateObj worm "origin" (uniformChoice ways))))))

  (on (any (--> worm (! (.. worm shut))) worms)
    (= worms (updateObj worms crawl (--> worm (! (.. worm shut))))))
)
