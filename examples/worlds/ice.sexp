; Catch every fish: on the ice you slide until a rock or the edge stops you, and catch only where you stop.

(program
  (task "Ice"
    (category "navigation")
    (difficulty easy   (= GRID_SIZE 7)  (= ROCKS 8)  (= FISH 1) (steps 60)  (solution 4 10))
    (difficulty medium (= GRID_SIZE 9)  (= ROCKS 14) (= FISH 2) (steps 120) (solution 12 24))
    (difficulty hard   (= GRID_SIZE 11) (= ROCKS 24) (= FISH 6) (steps 60)  (solution 17 50))
    (win (== (length fish) 0))
    (start (== (length fish) FISH))
    (reward (- 0 (length fish)))
    (unordered fish)
    (sprite Fish "........" "..###..#" ".#####.#" "##+#####" "########" ".#####.#" "..###..#" "........")
    (sprite Rock "..####.." ".#++###." "#++####-" "#+#####-" "######--" "#####---" ".###---." "..----.."))

  (= background "lightcyan")
  (object Rock (Cell 0 0 "slategray"))
  (object Fish (Cell 0 0 "orangered"))
  (object Player (Cell 0 0 "mediumblue"))

  (= cells (allPositions GRID_SIZE))
  (= stones (sample cells ROCKS))
  (= rocks (map Rock stones))
  (= isIce (--> (p) (let
    (= x (.. p x))
    (= y (.. p y))
    (& (& (& (>= x 0) (< x GRID_SIZE)) (& (>= y 0) (< y GRID_SIZE))) (! (in p stones))))))
  (= lastIce (--> (p step) (let
    (= ahead (movePos p step))
    (if (isIce ahead) then (lastIce ahead step) else p))))
  ; Fish lie where a slide at random has stopped, so that all can be caught.
  (= STEPS (list (Position -1 0) (Position 1 0) (Position 0 -1) (Position 0 1)))
  (= slideOn (--> (stops i) (addObj stops (lastIce (tail stops) (uniformChoice STEPS)))))
  (= stops (foldl slideOn (list (uniformChoice (filter isIce cells))) (range 0 200)))
  (= caught (filter (--> p (& (in p stops) (!= p (head stops)))) cells))
  (= fish (map Fish (sample caught (min FISH (length caught)))))
  (= player (Player (head stops)))

  (= slide (--> (dx dy) (let
    (= player (Player (lastIce (.. player origin) (Position dx dy))))
    (= fish (filter (--> catch (!= (.. catch origin) (.. player origin))) fish)))))

  (on left  (slide -1 0))
  (on right (slide 1 0))
  (on up    (slide 0 -1))
  (on down  (slide 0 1)))
