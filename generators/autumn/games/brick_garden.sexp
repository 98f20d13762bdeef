; Brick Garden
;
; The keys `left` and `right` move the paddle. The ball moves diagonally by one cell a step. Walls turn it. A
; brick or the paddle turns it back upwards or downwards in the cell where it is. A brick that is hit becomes a
; seed, which falls one cell a step. A ball that falls below the grid comes back in the middle and keeps its
; direction.
;
; A seed caught by the paddle makes the paddle one cell longer, up to 6. A seed that reaches the ground grows into
; a brick in its column on row 2; if one is there already, the seed is lost.
;
; `up` makes the ball go two cells a step for 10 steps. `down` stops the ball until another key. A click on a
; brick removes it without a seed.

(program
  (= GRID_SIZE 16)

  (object Paddle (: width Number) (map (--> part (Cell part 0 "blue")) (range 0 width)))
  (object Ball (Cell 0 0 "white"))
  (object Brick (Cell 0 0 "brown"))
  (object Seed (Cell 0 0 "lime"))

  (= paddle (initnext (Paddle 3 (Position 12 15)) (prev paddle)))
  (= ball (initnext (Ball (Position 8 8)) (prev ball)))
  (= bricks (initnext (map (--> place (Brick place)) (rect (Position 0 0) (Position 16 2))) (prev bricks)))
  (= seeds (initnext (list) (prev seeds)))

  ; Hidden: the direction of the ball, whether it stands, and how long it still goes two cells a step.
  (= dx (initnext 1 (prev dx)))
  (= dy (initnext -1 (prev dy)))
  (= stopped (initnext false (prev stopped)))
  (= fastFor (initnext 0 (max 0 (- (prev fastFor) 1))))

  (= column (--> thing (.. (.. thing origin) x)))
  (= row (--> thing (.. (.. thing origin) y)))

  (= slide (--> step (let
    (= moved (move paddle (Position step 0)))
    (= paddle (if (isWithinBounds moved) then moved else paddle))
    (= stopped false))))

  (= longer (--> size
    (Paddle size (Position (min (column paddle) (- 16 size)) 15))))

  ; One cell of the ball's way: walls turn it; paddle and bricks turn it back where it is.
  (= fly (--> () (let
    (= dx (if (in (+ (column ball) dx) (range 0 16)) then dx else (- dx)))
    (= dy (if (< (+ (row ball) dy) 0) then 1 else dy))
    (= ahead (move ball (Position dx dy)))
    (= hit (filter (--> brick (intersects brick ahead)) bricks))
    (if (> (length hit) 0) then (breakBricks hit) else
    (if (intersects ahead paddle) then (= dy -1) else
    (= ball (if (> (row ahead) 15) then (Ball (Position 8 8)) else ahead)))))))

  (= breakBricks (--> struck (let
    (= seeds (addObj seeds (map (--> brick (Seed (.. brick origin))) struck)))
    (= bricks (filter (--> brick (! (intersects brick struck))) bricks))
    (= dy (- dy)))))

  ; Keys: the paddle moves, up makes the ball fast, down stops it until another key.
  (on left (slide -1))

  (on right (slide 1))

  (on up (let (= fastFor 10) (= stopped false)))

  (on down (= stopped true))

  ; A click takes a brick away, without a seed.
  (on (clicked bricks) (= bricks (filter (--> brick (! (clicked brick))) bricks)))

  ; Seeds fall; the paddle catches some, the others grow on row 2.
  (on true (= seeds (map moveDown seeds)))

  (on (intersects seeds paddle) (let
    (= paddle (longer (min 6 (+ (.. paddle width) 1))))
    (= seeds (filter (--> seed (! (intersects seed paddle))) seeds))))

  (on (any (--> seed (> (row seed) 14)) seeds) (let
    (= landed (filter (--> seed (> (row seed) 14)) seeds))
    (= grown (map (--> seed (Brick (Position (column seed) 2))) landed))
    (= bricks (addObj bricks (filter (--> brick (! (intersects brick bricks))) grown)))
    (= seeds (filter (--> seed (< (row seed) 15)) seeds))))

  (on (! stopped) (let
    ((fly))
    (if (> fastFor 0) then ((fly)) else ball)))
)
