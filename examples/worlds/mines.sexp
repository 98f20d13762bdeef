; Open every cell without a mine by clicks; a number tells how many of the eight cells around it hold one.

(program
  (task "Mines"
    (category "reasoning")
    (difficulty easy   (= GRID_SIZE 4) (= MINES 3) (steps 30) (solution 5 12))
    (difficulty medium (= GRID_SIZE 5) (= MINES 5) (steps 50) (solution 13 19))
    (difficulty hard   (= GRID_SIZE 6) (= MINES 8) (steps 80) (solution 26 27))
    (win (all (--> field (| (.. field mine) (>= (.. field shown) 0))) fields))
    (lose (any (--> field (== (.. field shown) 9)) fields))
    (bound (count (--> field (& (! (.. field mine)) (< (.. field shown) 0))) fields))
    (hidden fields.mine))

  (= SHADES (list "darkseagreen" "whitesmoke" "lightblue" "lightgreen" "khaki" "orange" "salmon" "orchid" "plum" "violet" "black"))
  (object Field (: mine Bool) (: shown Number) (Cell 0 0 (at SHADES (+ shown 1))))

  (= isNear (--> (p q) (& (< (abs (- (.. p x) (.. q x))) 2) (< (abs (- (.. p y) (.. q y))) 2))))

  ; The first cell is open already, and there is no mine beside it.
  (= cells (allPositions GRID_SIZE))
  (= first (uniformChoice cells))
  (= mined (sample (filter (--> p (! (isNear p first))) cells) MINES))
  (= around (--> p (count (--> q (isNear p q)) mined)))
  (= opened (--> field (let
    (= p (.. field origin))
    (Field (.. field mine) (if (.. field mine) then 9 else (around p)) p))))
  (= fields (map (--> p (Field (in p mined) (if (== p first) then 0 else -1) p)) cells))

  (on clicked (= fields (updateObj fields opened (--> field (== (.. field origin) click))))))
