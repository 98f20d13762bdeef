; Switch all lamps off: a click switches a lamp and those beside it.

(program
  ; What the task is. A start counts if its shortest play has as many steps as `solution` says.
  (task "World"
    (difficulty easy (= GRID_SIZE 3) (= CLICKS 2) (steps 20) (solution 2 2))
    (difficulty hard (= GRID_SIZE 4) (= CLICKS 4) (steps 40) (solution 3 4))
    (win (all (--> lamp (! (.. lamp lit))) lamps)))

  ; What there is: lamps, whose colour tells whether they are lit.
  (object Lamp (: lit Bool) (Cell 0 0 (if lit then "gold" else "dimgray")))

  ; The start is made backwards: of all lamps off, and clicks at CLICKS different places.
  (= cells (allPositions GRID_SIZE))
  (= clicks (sample cells CLICKS))
  (= isLit (--> p (== 1 (% (count (--> click_ (adjacentPoss p click_ 1)) clicks) 2))))
  (= lamps (map (--> p (Lamp (isLit p) p)) cells))

  ; How it goes.
  (= switch (--> lamp (Lamp (! (.. lamp lit)) (.. lamp origin))))
  (on clicked
    (= lamps (map (--> lamp (if (adjacentPoss (.. lamp origin) click 1) then (switch lamp) else lamp)) lamps))))
