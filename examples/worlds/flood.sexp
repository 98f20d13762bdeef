; Flood the board from its upper left corner: left and right choose a colour, up pours it, and it takes what it touches.

(program
  (task "Flood"
    (category "planning")
    (difficulty easy   (= GRID_SIZE 6) (= SIDE 4) (= CELLS 16) (= COLOURS 3) (steps 40) (solution 4 8))
    (difficulty medium (= GRID_SIZE 7) (= SIDE 5) (= CELLS 25) (= COLOURS 4) (steps 40) (solution 9 13))
    (difficulty hard   (= GRID_SIZE 8) (= SIDE 6) (= CELLS 36) (= COLOURS 5) (steps 30) (solution 15 30))
    (score (- CELLS (length dry)) CELLS)
    (bound (count (--> hue (any (--> tile (== (.. tile hue) hue)) dry)) (range 0 COLOURS))))

  (= HUES (list "crimson" "gold" "mediumseagreen" "royalblue" "mediumorchid"))
  (object Tile (: hue Number) (Cell 0 0 (at HUES hue)))
  (object Frame (Cell 0 0 "black"))
  (object Hand (: hue Number) (Cell 0 0 (at HUES hue)))

  ; The water is the background: what is not dry shows it.
  (= board (allPositions SIDE))
  (= frame (map Frame (filter (--> p (! (in p board))) (allPositions GRID_SIZE))))
  (= dry (map (--> p (Tile (uniformChoice (range 0 COLOURS)) p)) board))
  (= hand (Hand 0 (Position 0 (- GRID_SIZE 1))))
  (= background "white")

  ; Each wave takes the tiles of the colour beside the wave before.
  (= flow (--> (hue wave) (if (> (length wave) 0) then (let
    (= dry (filter (--> tile (! (intersects tile wave))) dry))
    (flow hue (filter (--> tile (& (== (.. tile hue) hue) (adj tile wave 1))) dry))) else hue)))
  (= isWet (--> p (& (in p board) (! (intersects (Frame p) dry)))))
  (= pour (--> (hue) (let
    (= background (at HUES hue))
    (flow hue (filter (--> tile (& (== (.. tile hue) hue) (any isWet (adjPositions (.. tile origin))))) dry)))))
  (= choose (--> (n) (let
    (= hue (% n COLOURS))
    (= hand (Hand hue (Position hue (- GRID_SIZE 1)))))))

  (on left  (choose (- (+ (.. hand hue) COLOURS) 1)))
  (on right (choose (+ (.. hand hue) 1)))
  (on up    (pour (.. hand hue)))

  ; At first the corner is wet, and what touches it in its colour.
  (= begin (--> (wave) (let
    (= background (at HUES (.. (head wave) hue)))
    (flow (.. (head wave) hue) wave))))
  (= first (begin (filter (--> tile (== (.. tile origin) (Position 0 0))) dry))))
