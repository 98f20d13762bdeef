; Drive the red car out to the right: left and right choose a car, up and down drive it along its lane.

(program
  (task "Jam"
    (category "planning")
    (difficulty easy   (= GRID_SIZE 5) (= CARS 4) (steps 80)  (solution 5 9))
    (difficulty medium (= GRID_SIZE 5) (= CARS 6) (steps 120) (solution 10 16))
    (difficulty hard   (= GRID_SIZE 6) (= CARS 8) (steps 100) (solution 14 99) (search 20000))
    (win (== (.. (.. (head cars) origin) x) (- GRID_SIZE 2)))
    (start (== (length cars) CARS))
    (sprite Driver "........" "..####.." ".######." ".##++##." ".##++##." ".######." "..####.." "........"))

  (= background "gainsboro")
  (object Car (: dx Number) (: dy Number) (: size Number) (: hue String) (map (--> k (Cell (* k dx) (* k dy) hue)) (range 0 size)))
  (object Driver (Cell 0 0 "white"))

  (= isInside (--> (p) (& (& (>= (.. p x) 0) (< (.. p x) GRID_SIZE)) (& (>= (.. p y) 0) (< (.. p y) GRID_SIZE)))))

  (= cars (list (Car 1 0 2 "red" (Position (uniformChoice (range 0 2)) 2))))
  (= seat 0)
  (= driver (Driver (.. (head cars) origin)))

  (= choose (--> (k) (let
    (= seat (% (+ k (length cars)) (length cars)))
    (= driver (Driver (.. (at cars seat) origin))))))

  (= drive (--> (way) (let
    (= car (at cars seat))
    (= from (.. car origin))
    (= step (Position (* way (.. car dx)) (* way (.. car dy))))
    (= reach (if (== way 1) then (.. car size) else -1))
    (= front (Position (+ (.. from x) (* reach (.. car dx))) (+ (.. from y) (* reach (.. car dy)))))
    (if (& (isInside front) (isFreePos front)) then (let
      (= cars (updateObj cars (--> c (move c step)) (--> c (== (.. c origin) from))))
      (= driver (Driver (movePos from step)))) else driver))))

  (on left  (choose (- seat 1)))
  (on right (choose (+ seat 1)))
  (on up    (drive 1))
  (on down  (drive -1))

  ; Others are put where there is room; nobody else stands along the lane of the red car.
  (= HUES (list "steelblue" "seagreen" "orchid" "sandybrown" "slateblue" "olive" "teal" "hotpink" "tan" "navy" "coral" "gray"))
  (= tryCar (--> (n i) (let
    (= across (uniformChoice (list 0 1)))
    (= p (uniformChoice (allPositions GRID_SIZE)))
    (= car (Car across (- 1 across) (uniformChoice (list 2 2 3)) (at HUES (- (length cars) 1)) p))
    (if (& (< (length cars) CARS) (& (isWithinBounds car) (& (! (intersects car cars)) (! (& (== across 1) (== (.. p y) 2))))))
      then (= cars (addObj cars car)) else cars)
    n)))
  (= parked (foldl tryCar 0 (range 0 80))))
