; Reach the goal, and do not meet a ghost: ghosts go anywhere.

(program
  ; What the task is. Ghosts draw where they go in each step, so `solution` would hold for one future only.
  (task "World"
    (difficulty easy (= GRID_SIZE 6) (= GHOSTS 1) (steps 60))
    (difficulty hard (= GRID_SIZE 8) (= GHOSTS 3) (steps 80))
    (win (== (.. player origin) (.. goal origin)))
    (lose (any (--> ghost (== (.. ghost origin) (.. player origin))) ghosts)))

  ; What there is. What is defined later is drawn above what is defined before.
  (object Goal (Cell 0 0 "limegreen"))
  (object Player (Cell 0 0 "dodgerblue"))
  (object Ghost (Cell 0 0 "red"))

  ; Where it is at the start: the player on the left, the goal on the right, ghosts between them.
  (= LAST (- GRID_SIZE 1))
  (= between (filter (--> p (& (> (.. p x) 1) (< (.. p x) LAST))) (allPositions GRID_SIZE)))
  (= goal (Goal (Position LAST (uniformChoice (range 0 GRID_SIZE)))))
  (= player (Player (Position 0 (uniformChoice (range 0 GRID_SIZE)))))
  (= ghosts (map Ghost (sample between GHOSTS)))

  ; How it goes: first the player, then each ghost, which stays where it is instead of leaving the grid or reaching the goal.
  (= stay (--> (moved thing) (if (isWithinBounds moved) then moved else thing)))
  (= wander (--> ghost (let
    (= moved (stay (move ghost (uniformChoice (list (Position -1 0) (Position 1 0) (Position 0 -1) (Position 0 1)))) ghost))
    (if (== (.. moved origin) (.. goal origin)) then ghost else moved))))

  (on left  (= player (stay (moveLeft player) player)))
  (on right (= player (stay (moveRight player) player)))
  (on up    (= player (stay (moveUp player) player)))
  (on down  (= player (stay (moveDown player) player)))
  (on true  (= ghosts (map wander ghosts))))
