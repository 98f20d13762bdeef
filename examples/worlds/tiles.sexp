; Slide the tiles until they are in order, row by row, with the gap last.

(program
  (task "Tiles"
    (category "planning")
    (difficulty easy   (= SCRAMBLE 12)  (steps 60)  (solution 4 10))
    (difficulty medium (= SCRAMBLE 40)  (steps 150) (solution 14 20))
    (difficulty hard   (= SCRAMBLE 200) (steps 300) (solution 25 31))
    (win (all (--> tile (== (away tile) 0)) tiles))
    (reward (- 0 (sum (map away tiles))))
    (bound (sum (map away tiles)))
    (unordered tiles)
    (sprite Tile "+++++++-" "+######-" "+######-" "+######-" "+######-" "+######-" "+######-" "--------"))

  (= GRID_SIZE 3)
  (= background "darkslategray")
  (= SHADES (list "khaki" "gold" "orange" "coral" "tomato" "orchid" "mediumpurple" "slateblue"))

  (object Tile (: number Number) (Cell 0 0 (at SHADES (- number 1))))

  ; How many steps a tile is away from its place.
  (= away (--> tile (let
    (= n (- (.. tile number) 1))
    (+ (abs (- (.. (.. tile origin) x) (% n 3))) (abs (- (.. (.. tile origin) y) (/ n 3)))))))

  (= tiles (map (--> n (Tile n (Position (% (- n 1) 3) (/ (- n 1) 3)))) (range 1 9)))
  (= gap (Position 2 2))

  ; The tile behind the gap slides into it.
  (= slide (--> (dx dy) (let
    (= from (Position (- (.. gap x) dx) (- (.. gap y) dy)))
    (= sliding (filter (--> tile (== (.. tile origin) from)) tiles))
    (if (== (length sliding) 1) then (let
      (= tiles (updateObj tiles (--> tile (Tile (.. tile number) gap)) (--> tile (== (.. tile origin) from))))
      (= gap from)) else gap))))

  (on left  (slide -1 0))
  (on right (slide 1 0))
  (on up    (slide 0 -1))
  (on down  (slide 0 1))

  ; The start is made by sliding at random.
  (= slideAnywhere (--> (n i) (let
    (= to (uniformChoice (adjPositions gap)))
    (slide (- (.. gap x) (.. to x)) (- (.. gap y) (.. to y)))
    n)))
  (= scrambled (foldl slideAnywhere 0 (range 0 SCRAMBLE))))
