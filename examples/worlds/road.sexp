; Cross the road again and again, to the other side and back, and let no car hit you.

(program
  (task "Road"
    (category "navigation")
    (difficulty easy   (= GRID_SIZE 6)  (= TRIPS 1) (= TRAFFIC 8) (steps 60)  (solution 5 10))
    (difficulty medium (= GRID_SIZE 8)  (= TRIPS 2) (= TRAFFIC 7) (steps 120) (solution 14 25))
    (difficulty hard   (= GRID_SIZE 10) (= TRIPS 3) (= TRAFFIC 6) (steps 200) (solution 27 60))
    (score (min trips TRIPS) TRIPS)
    (lose (intersects player cars))
    (unordered cars)
    (sprite Player "..####.." "..#++#.." "..####.." "...##..." ".######." "...##..." "..#..#.." ".##..##.")
    (sprite Car "........" ".######." "##++++##" "########" "########" ".-#..#-." "........" "........"))

  (= background "gray")
  (object Kerb (map (--> x (Cell x 0 "yellowgreen")) (range 0 GRID_SIZE)))
  (object Car (: way Number) (Cell 0 0 (if (== way 1) then "crimson" else "navy")))
  (object Player (Cell 0 0 "gold"))

  (= LAST (- GRID_SIZE 1))
  (= kerbs (list (Kerb (Position 0 0)) (Kerb (Position 0 LAST))))
  (= lanes (range 1 LAST))
  (= trips 0)

  ; On every lane cars drive one way; a new one comes at random.
  (= wayOf (--> y (if (== (% y 2) 0) then 1 else -1)))
  (= comes (--> y (== (uniformChoice (range 0 TRAFFIC)) 0)))
  (= newCars (--> () (map (--> y (Car (wayOf y) (Position (if (== (% y 2) 0) then 0 else LAST) y))) (filter comes lanes))))
  (= driven (--> car (move car (Position (.. car way) 0))))
  (= isOnRoad (--> car (in (.. (.. car origin) x) (range 0 GRID_SIZE))))
  (= drive (--> () (= cars (addObj (filter isOnRoad (map driven cars)) ((newCars))))))

  (= cars (list))
  (= before (map (--> i (let ((drive)) i)) (range 0 GRID_SIZE)))
  (= player (Player (Position (/ GRID_SIZE 2) LAST)))

  (= go (--> (dx dy) (let
    (= to (move player (Position dx dy)))
    (= player (if (isWithinBounds to) then to else player))
    (= aim (if (== (% trips 2) 0) then 0 else LAST))
    (if (== (.. (.. player origin) y) aim) then (= trips (+ trips 1)) else trips))))

  (on left  (go -1 0))
  (on right (go 1 0))
  (on up    (go 0 -1))
  (on down  (go 0 1))
  (on true ((drive))))
