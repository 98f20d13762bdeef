; Make every statue show 0 and stand on the altar: a push turns a statue, and another one with it, always the same.

(program
  (task "Statues"
    (category "memory")
    (says "Push statues until all show 0, then stand on the altar. Which other one turns with each is to be found out.")
    (difficulty easy   (= GRID_SIZE 4) (= STATUES 2) (= TURNS 4)  (steps 80)  (solution 5 12))
    (difficulty medium (= GRID_SIZE 6) (= STATUES 3) (= TURNS 9)  (steps 120) (solution 13 24))
    (difficulty hard   (= GRID_SIZE 10) (= STATUES 4) (= TURNS 20) (steps 200) (solution 25 90))
    (win (& (all (--> statue (== (.. statue look) 0)) statues) (== (.. player origin) (.. altar origin))))
    (bound (+ (/ (+ (sum (map turnsLeft statues)) 1) 2) (way (.. player origin) (.. altar origin))))
    (reward (count (--> statue (== (.. statue look) 0)) statues))
    (hidden statues.other)
    (sprite Player "..####.." "..#++#.." "..####.." "...##..." ".######." "...##..." "..#..#.." ".##..##.")
    (sprite Altar "........" "........" "+++++++-" "+######-" ".#####-." ".#####-." "+######-" "--------"))

  (= SHADES (list "gold" "lightgray" "darkgray" "gray"))
  (object Altar (Cell 0 0 "purple"))
  (object Statue (: look Number) (: other Number) (Cell 0 0 (at SHADES look)))
  (object Player (Cell 0 0 "deepskyblue"))

  (= cells (shuffle (allPositions GRID_SIZE)))
  (= altar (Altar (at cells STATUES)))
  (= numbers (range 0 STATUES))
  (= statues (map (--> k (Statue 0 (uniformChoice (filter (--> n (!= n k)) numbers)) (at cells k))) numbers))
  (= player (Player (tail cells)))

  (= turned (--> statue (Statue (% (+ (.. statue look) 1) 4) (.. statue other) (.. statue origin))))
  (= turnBoth (--> pushed (let
    (= other (.. (at statues (.. pushed other)) origin))
    (= statues (updateObj statues turned (--> s (| (== (.. s origin) (.. pushed origin)) (== (.. s origin) other))))))))

  ; A push turns two, and pushes bring nobody closer to the altar.
  (= turnsLeft (--> statue (% (- 4 (.. statue look)) 4)))
  (= way (--> (p q) (+ (abs (- (.. p x) (.. q x))) (abs (- (.. p y) (.. q y))))))

  (= go (--> (dx dy) (let
    (= to (move player (Position dx dy)))
    (= pushed (filter (--> statue (intersects statue to)) statues))
    (if (> (length pushed) 0) then (turnBoth (head pushed)) else
    (if (isWithinBounds to) then (= player to) else player)))))

  (on left  (go -1 0))
  (on right (go 1 0))
  (on up    (go 0 -1))
  (on down  (go 0 1))

  ; At the start some were turned already.
  (= scrambled (map (--> i (turnBoth (uniformChoice statues))) (range 0 TURNS))))
