; Put out all lights: a step turns over the light in the cell that you enter and those beside it. You shine on a lit one.

(program
  (task "Lights"
    (category "reasoning")
    (difficulty easy   (= GRID_SIZE 4) (= LIGHTS 5) (= WALLS 2) (= SCRAMBLE 20) (steps 60)  (solution 4 9))
    (difficulty medium (= GRID_SIZE 5) (= LIGHTS 7) (= WALLS 4) (= SCRAMBLE 60) (steps 120) (solution 10 18))
    (difficulty hard   (= GRID_SIZE 6) (= LIGHTS 9) (= WALLS 10) (= SCRAMBLE 200) (steps 150) (solution 17 80))
    (win (! (any isLit lights)))
    (reward (- 0 (count isLit lights)))
    (bound (/ (+ (count isLit lights) 4) 5))
    (sprite Player "..####.." "..#++#.." "..####.." "...##..." ".######." "...##..." "..#..#.." ".##..##.")
    (sprite Light "...##..." "..#++#.." ".#++++#." ".#++++#." "..#++#.." "..-##-.." "..-##-.." "...--..."))

  (object Wall (Cell 0 0 "dimgray"))
  (object Light (: lit Bool) (Cell 0 0 (if lit then "gold" else "darkslateblue")))
  (object Player (: lit Bool) (Cell 0 0 (if lit then "tomato" else "brown")))

  (= cells (shuffle (allPositions GRID_SIZE)))
  (= lights (map (--> p (Light false p)) (take cells LIGHTS)))
  (= walls (map Wall (filter (--> p (! (in p (take cells (- (* GRID_SIZE GRID_SIZE) WALLS))))) cells)))
  (= player (Player false (at cells LIGHTS)))

  (= isLit (--> light (.. light lit)))
  (= stand (--> p (= player (Player (any (--> light (& (.. light lit) (== (.. light origin) p))) lights) p))))
  (= isOpen (--> p (& (isWithinBounds (Player false p)) (! (intersects (Player false p) walls)))))
  (= turn (--> p (= lights (updateObj lights
    (--> light (Light (! (.. light lit)) (.. light origin)))
    (--> light (adjacentPoss (.. light origin) p 1))))))

  (= go (--> (dx dy) (let
    (= to (movePos (.. player origin) (Position dx dy)))
    (if (isOpen to) then (let (turn to) (stand to)) else player))))

  (on left  (go -1 0))
  (on right (go 1 0))
  (on up    (go 0 -1))
  (on down  (go 0 1))

  ; The start is a walk back from the end, when all lights are off.
  (= goBack (--> (n i) (let
    (= ways (filter isOpen (adjPositions (.. player origin))))
    (if (> (length ways) 0) then (let (turn (.. player origin)) (stand (uniformChoice ways))) else player)
    n)))
  (= scrambled (foldl goBack 0 (range 0 SCRAMBLE))))
