; Push every crate onto a mark.

(program
  (task "Crates"
    (category "planning")
    (difficulty easy   (= GRID_SIZE 6) (= CRATES 1) (= WALLS 2) (steps 60)  (solution 4 20))
    (difficulty medium (= GRID_SIZE 7) (= CRATES 2) (= WALLS 4) (steps 150) (solution 14 60))
    (difficulty hard   (= GRID_SIZE 7) (= CRATES 2) (= WALLS 5) (steps 250) (solution 26 120))
    (win (all (--> mark (isAt (.. mark origin) crates)) marks))
    (lose (any isStuck crates))
    (unordered crates)
    (sprite Crate
      "########" "#--++--#" "#-#++#-#" "#++++++#" "#++++++#" "#-#++#-#" "#--++--#" "########")
    (sprite Mark
      "........" "........" "..#..#.." "...##..." "...##..." "..#..#.." "........" "........")
    (sprite Player
      "..####.." ".##++##." ".#-++-#." ".######." "..####.." ".######." "..#..#.." ".##..##."))

  (object Wall (Cell 0 0 "dimgray"))
  (object Mark (Cell 0 0 "seagreen"))
  (object Crate (Cell 0 0 "peru"))
  (object Player (Cell 0 0 "dodgerblue"))

  (= LAST (- GRID_SIZE 1))
  (= isInside (--> p (& (& (> (.. p x) 0) (< (.. p x) LAST)) (& (> (.. p y) 0) (< (.. p y) LAST)))))
  (= isAt (--> (p things) (any (--> thing (== (.. thing origin) p)) things)))
  (= notAt (--> (things from) (filter (--> p (! (isAt p things))) from)))
  (= beside (--> (p dx dy) (Position (+ (.. p x) dx) (+ (.. p y) dy))))

  (= cells (allPositions GRID_SIZE))
  (= walls (map Wall (concat (list (filter (--> p (! (isInside p))) cells) (sample (filter isInside cells) WALLS)))))
  (= marks (map Mark (sample (notAt walls cells) CRATES)))

  ; A crate in a corner stays there.
  (= isWall (--> (p dx dy) (isAt (beside p dx dy) walls)))
  (= isStuck (--> crate (let
    (= p (.. crate origin))
    (& (! (isAt p marks)) (& (| (isWall p -1 0) (isWall p 1 0)) (| (isWall p 0 -1) (isWall p 0 1)))))))
  (= crates (map Crate (sample (filter (--> p (! (isStuck (Crate p)))) (notAt marks (notAt walls cells))) CRATES)))
  (= player (Player (uniformChoice (notAt crates (notAt walls cells)))))

  ; A crate is pushed if the place behind it is free.
  (= go (--> (dx dy) (let
    (= to (beside (.. player origin) dx dy))
    (= behind (beside to dx dy))
    (= pushes (isAt to crates))
    (= opens (! (if pushes then (| (isAt behind walls) (isAt behind crates)) else (isAt to walls))))
    (if (& opens pushes) then (= crates (updateObj crates (--> c (Crate behind)) (--> c (== (.. c origin) to)))) else 0)
    (if opens then (= player (Player to)) else player))))

  (on left  (go -1 0))
  (on right (go 1 0))
  (on up    (go 0 -1))
  (on down  (go 0 1)))
