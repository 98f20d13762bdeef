; Triad
;
; Nine tiles have numbers from 0 to 8, drawn at the start and shown as colours: red, orange, yellow, green, cyan,
; blue, purple, pink, white. A click combines the tile in the clicked place with the one in the place clicked
; before. The first click only sets that place.
;
; There are three operators. Plus and times put the sum or the product, modulo 9, into the place clicked now.
; Exchange swaps the two numbers. It is plus at first, and `up` goes on to times, to exchange, and to plus again.
;
; `left` and `right` turn the upper row by one place. `down` turns the middle column downwards by one.

(program
  (= GRID_SIZE 3)

  ; A tile shows its number, 0 to 8, as a colour.
  (= colours (list "red" "orange" "yellow" "green" "cyan" "blue" "purple" "pink" "white"))
  (object Tile (: number Number) (Cell 0 0 (at colours number)))

  (= tiles (initnext
    (map (--> place (Tile (uniformChoice (range 0 9)) place)) (allPositions 3))
    (prev tiles)))

  ; Hidden: the operator (0 plus, 1 times, 2 exchange) and the place clicked before (none at first).
  (= operator (initnext 0 (prev operator)))
  (= previous (initnext (Position -1 -1) (prev previous)))

  (= numberAt (--> place
    (.. (head (filter (--> tile (== (.. tile origin) place)) tiles)) number)))

  (= put (--> (place value)
    (= tiles (updateObj tiles
      (--> tile (updateObj tile "number" value))
      (--> tile (== (.. tile origin) place))))))

  ; The result goes to the tile clicked now; an exchange changes both.
  (= combine (--> (before now) (let
    (= first (numberAt before))
    (= second (numberAt now))
    (if (== operator 0) then (put now (% (+ first second) 9)) else
    (if (== operator 1) then (put now (% (* first second) 9)) else
      (let (put before second) (put now first)))))))

  ; The upper row turns sideways, the middle column turns downwards.
  (= turnRow (--> shift
    (= tiles (updateObj tiles
      (--> tile (updateObj tile "origin" (Position (% (+ (.. (.. tile origin) x) shift) 3) 0)))
      (--> tile (== (.. (.. tile origin) y) 0))))))

  (= turnColumn (--> ()
    (= tiles (updateObj tiles
      (--> tile (updateObj tile "origin" (Position 1 (% (+ (.. (.. tile origin) y) 1) 3))))
      (--> tile (== (.. (.. tile origin) x) 1))))))

  (on (clicked tiles) (let
    (if (isWithinBounds (Tile 0 previous)) then (combine previous click) else tiles)
    (= previous click)))

  (on up (= operator (% (+ operator 1) 3)))

  (on left (turnRow 2))

  (on right (turnRow 1))

  (on down ((turnColumn)))
)
