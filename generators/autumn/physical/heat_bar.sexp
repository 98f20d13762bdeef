; Heat Bar
;
; A bar of 16 cells, each of which has a temperature from 0 to 40 and 20 at first. Colours are bands of 8 degrees:
; blue, cyan, green, orange, and red from 32 on. A click on a cell heats it by 15 degrees, to 40 at most.
;
; In each step, every cell becomes a quarter of the sum of its left neighbour, twice itself and its right
; neighbour, rounded down; the ends count themselves for the neighbour that they lack. In every third step, cells
; that are warmer than the air then lose a degree. The air has 4 degrees. Once the rightmost cell is red at the
; end of a step, the air has 28 for good.

(program
  (= GRID_SIZE 16)

  ; Each band of 8 degrees has its colour.

  (= glow (--> warmth (at (list "blue" "cyan" "green" "orange" "red") (min 4 (/ warmth 8)))))

  (object Rod (: warmth Number) (Cell 0 0 (glow warmth)))

  (= rods (initnext (map (--> k (Rod 20 (Position k 8))) (range 0 16)) (prev rods)))

  (= ambient (initnext 4 (prev ambient)))

  (= beat (initnext 0 (% (+ (prev beat) 1) 3)))

  ; A click heats a cell by 15 degrees, to 40 at most.

  (on (clicked rods)
    (= rods (updateObj rods
      (--> rod (updateObj rod "warmth" (min 40 (+ (.. rod warmth) 15))))
      (--> rod (clicked rod)))))

  ; Each step the heat spreads; every third step a cell warmer than the air loses a degree. The ends count
  ; themselves for the neighbour they lack.

  (= warmthAt (--> k (.. (at rods (max 0 (min 15 k))) warmth)))

  (= spread (--> k (/ (+ (+ (warmthAt (- k 1)) (* 2 (warmthAt k))) (warmthAt (+ k 1))) 4)))

  (= cool (--> warmth (if (& (== beat 2) (> warmth ambient)) then (- warmth 1) else warmth)))

  ; The air turns warm for good once the last cell has been red.

  (on true
    (let
      (= rods (map (--> k (Rod (cool (spread k)) (Position k 8))) (range 0 16)))
      (= ambient (if (>= (warmthAt 15) 32) then 28 else ambient))))
)
