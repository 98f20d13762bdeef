; Split Snake
;
; The snake moves one cell a step and comes back on the other side of the grid. The keys turn it, but not straight
; back. Berries come at twelve fixed places, one after the other. Each makes the snake two segments longer.
;
; A click on a segment cuts the snake behind it; what was cut off stays as a wall. When the head runs into a
; segment of itself or of the wall, only four segments of the snake are left.
;
; After every tenth berry the borders are closed, and a snake that would leave the grid waits. The next cut opens
; them.

(program
  (= GRID_SIZE 16)

  (object Segment (Cell 0 0 "green"))
  (object Berry (Cell 0 0 "red"))

  ; The first segment is the head.
  (= snake (initnext
    (map (--> part (Segment (Position (- 6 part) 8))) (range 0 4))
    (prev snake)))
  (= wall (initnext (list) (prev wall)))

  ; Berries come at twelve places, one after the other.
  (= berryPlaces (list
    (Position 11 8) (Position 11 3) (Position 4 3) (Position 4 12)
    (Position 13 12) (Position 8 5) (Position 1 7) (Position 14 1)
    (Position 6 14) (Position 9 10) (Position 2 1) (Position 12 6)))

  (= berry (initnext (Berry (Position 11 8)) (prev berry)))

  ; Hidden: the heading, how many segments are still to grow, the berries eaten, and
  ; whether the borders are closed.
  (= heading (initnext (Position 1 0) (prev heading)))
  (= grow (initnext 0 (prev grow)))
  (= berryNumber (initnext 0 (prev berryNumber)))
  (= closed (initnext false (prev closed)))

  (= wrap (--> place (Position (% (+ (.. place x) 16) 16) (% (+ (.. place y) 16) 16))))

  (= first (--> (count segments) (map (--> part (at segments part)) (range 0 (min count (length segments))))))

  (= rest (--> (count segments) (map (--> part (at segments part)) (range count (length segments)))))

  ; The head goes one cell on and the tail follows, unless the snake is growing.
  (= crawl (--> ahead (let
    (= kept (first (if (> grow 0) then (length snake) else (- (length snake) 1)) snake))
    (= grow (max 0 (- grow 1)))
    (= snake (concat (list (list (Segment (wrap (.. ahead origin)))) kept))))))

  ; Behind the head, or in the wall: the head has run into a segment.
  (= crashed (--> () (intersects (head snake) (concat (list wall (rest 1 snake))))))

  (= cutAt (--> ()
    (+ 1 (head (filter (--> part (clicked (at snake part))) (range 0 (length snake)))))))

  ; Keys turn the snake, but not straight back.
  (on (& left (!= (.. heading x) 1)) (= heading (Position -1 0)))

  (on (& right (!= (.. heading x) -1)) (= heading (Position 1 0)))

  (on (& up (!= (.. heading y) 1)) (= heading (Position 0 -1)))

  (on (& down (!= (.. heading y) -1)) (= heading (Position 0 1)))

  ; A click on a segment leaves all behind it as wall and opens the borders.
  (on (clicked snake) (let
    (= remaining ((cutAt)))
    (= wall (addObj wall (rest remaining snake)))
    (= snake (first remaining snake))
    (= closed false)))

  ; The snake crawls on; at a closed border it waits.
  (on true (let
    (= ahead (move (head snake) heading))
    (if (& closed (! (isWithinBounds ahead))) then snake else (crawl ahead))))

  ; Running into a segment leaves the snake with four.
  (on (crashed) (= snake (first 4 snake)))

  ; A berry makes the snake two segments longer; the next one appears.
  (on (intersects (head snake) berry) (let
    (= grow (+ grow 2))
    (= berryNumber (+ berryNumber 1))
    (= berry (Berry (at berryPlaces (% berryNumber 12))))))

  ; Every tenth berry closes the borders until the next cut.
  (on (& (!= berryNumber (prev berryNumber)) (== (% berryNumber 10) 0)) (= closed true))
)
