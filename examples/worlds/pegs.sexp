; Leave one peg: click a peg and press a key, and it jumps over the next peg into a free hole; that peg is gone.

(program
  (task "Pegs"
    (category "planning")
    (difficulty easy   (= PEGS 4)  (= GONE 3)  (steps 40) (solution 4 6))
    (difficulty medium (= PEGS 7)  (= GONE 6)  (steps 60) (solution 8 12))
    (difficulty hard   (= PEGS 10) (= GONE 9) (steps 80) (solution 13 30))
    (score (- PEGS (length pegs)) GONE)
    (lose (! (any canJump pegs)))
    (needs click)
    (bound (- (length pegs) 1))
    (unordered pegs)
    (sprite Hole "........" "........" "..----.." ".------." ".------." "..----.." "........" "........")
    (sprite Peg "........" "..####.." ".#++###." ".#+####." ".######-" ".#####--" "..####-." "....--.."))

  (= GRID_SIZE 5)
  (= background "burlywood")
  (object Hole (Cell 0 0 "saddlebrown"))
  (object Peg (Cell 0 0 "royalblue"))
  (object Mark (Cell 0 0 "gold"))

  (= cells (allPositions GRID_SIZE))
  (= board (map Hole cells))
  (= pegs (list (Peg (uniformChoice cells))))
  (= marks (list))

  (= beside (--> (p dx dy) (movePos p (Position dx dy))))
  (= isPeg (--> (p) (any (--> peg (== (.. peg origin) p)) pegs)))
  (= isFreeHole (--> (p) (& (in p cells) (! (isPeg p)))))
  (= jumps (--> (p dx dy) (& (isPeg (beside p dx dy)) (isFreeHole (beside p (* 2 dx) (* 2 dy))))))
  (= canJump (--> peg (let
    (= p (.. peg origin))
    (| (| (jumps p -1 0) (jumps p 1 0)) (| (jumps p 0 -1) (jumps p 0 1))))))

  (on (& (clicked pegs) (canJump (Peg click))) (= marks (list (Mark click))))

  (= jump (--> (dx dy) (let
    (= p (if (== (length marks) 1) then (.. (head marks) origin) else (Position -9 -9)))
    (if (jumps p dx dy) then (let
      (= gone (list p (beside p dx dy)))
      (= pegs (addObj (filter (--> peg (! (in (.. peg origin) gone))) pegs) (Peg (beside p (* 2 dx) (* 2 dy)))))
      (= marks (list (Mark (beside p (* 2 dx) (* 2 dy)))))) else marks))))

  (on left  (jump -1 0))
  (on right (jump 1 0))
  (on up    (jump 0 -1))
  (on down  (jump 0 1))

  ; The start is made by jumping back from one peg.
  (= backJumps (--> (p) (filter (--> (step) (& (isFreeHole (movePos p step))
      (isFreeHole (beside p (* 2 (.. step x)) (* 2 (.. step y)))))) (list (Position -1 0) (Position 1 0) (Position 0 -1) (Position 0 1)))))
  (= jumpBack (--> (n i) (let
    (= able (filter (--> peg (> (length (backJumps (.. peg origin))) 0)) pegs))
    (if (> (length able) 0) then (let
      (= p (.. (uniformChoice able) origin))
      (= step (uniformChoice (backJumps p)))
      (= others (filter (--> peg (!= (.. peg origin) p)) pegs))
      (= pegs (addObj others (map Peg (list (movePos p step) (beside p (* 2 (.. step x)) (* 2 (.. step y)))))))) else pegs)
    n)))
  (= scrambled (foldl jumpBack 0 (range 0 GONE))))
