; Push the crate into the hole.

(program
  ; What the task is. A start counts if its shortest play has as many steps as `solution` says.
  (task "World"
    (difficulty easy (= GRID_SIZE 6) (= WALLS 1) (steps 40) (solution 4 20))
    (difficulty hard (= GRID_SIZE 8) (= WALLS 9) (steps 100) (solution 14 60))
    (win (== (.. crate origin) (.. hole origin))))

  ; What there is: cells of a colour.
  (object Wall (Cell 0 0 "dimgray"))
  (object Hole (Cell 0 0 "black"))
  (object Crate (Cell 0 0 "peru"))
  (object Player (Cell 0 0 "dodgerblue"))
  (= background "white")

  ; Where it is at the start. `sample` draws different places; of these the first three are for what there is once.
  (= LAST (- GRID_SIZE 1))
  (= isInner (--> p (& (& (> (.. p x) 0) (< (.. p x) LAST)) (& (> (.. p y) 0) (< (.. p y) LAST)))))
  (= cells (allPositions GRID_SIZE))
  (= drawn (sample (filter isInner cells) (+ WALLS 3)))
  (= hole (Hole (at drawn 0)))
  (= crate (Crate (at drawn 1)))
  (= player (Player (at drawn 2)))
  (= border (filter (--> p (! (isInner p))) cells))
  (= walls (map Wall (concat (list border (map (--> i (at drawn (+ i 3))) (range 0 WALLS))))))

  ; How it goes. The player pushes the crate if no wall is behind it, and does not walk into the hole.
  (= isWall (--> p (any (--> wall (== (.. wall origin) p)) walls)))
  (= beside (--> (p dx dy) (Position (+ (.. p x) dx) (+ (.. p y) dy))))
  (= go (--> (dx dy) (let
    (= to (beside (.. player origin) dx dy))
    (= behind (beside to dx dy))
    (= pushes (== to (.. crate origin)))
    (= opens (if pushes then (! (isWall behind)) else (! (| (isWall to) (== to (.. hole origin))))))
    (if (& opens pushes) then (= crate (Crate behind)) else crate)
    (if opens then (= player (Player to)) else player))))

  (on left  (go -1 0))
  (on right (go 1 0))
  (on up    (go 0 -1))
  (on down  (go 0 1)))
