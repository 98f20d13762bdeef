; Reach the flag: doors open to who has the key of their colour, and keys lie covered in chests until you stand there.

(program
  (task "Keys"
    (category "memory")
    (difficulty easy   (= GRID_SIZE 5)  (= CHESTS 2) (= DOORS 1) (steps 60)  (solution 5 14))
    (difficulty medium (= GRID_SIZE 8)  (= CHESTS 4) (= DOORS 2) (steps 150) (solution 15 30))
    (difficulty hard   (= GRID_SIZE 11) (= CHESTS 5) (= DOORS 3) (steps 120) (solution 28 120))
    (win (== (.. player origin) (.. flag origin)))
    (start (all (--> door (any (--> chest (== (.. chest key) (.. door hue))) chests)) doors))
    (needs left)
    (hidden chests.key)
    (sprite Flag "..##...." "..####.." "..######" "..####.." "..##...." "..#....." "..#....." ".###....")
    (sprite Key "........" ".###...." "#...#..." "#...####" "#...#.#." ".###..#." "........" "........")
    (sprite Chest "........" ".######." "#++++++#" "########" "#--##--#" "#------#" "########" "........"))

  (= HUES (list "red" "gold" "deepskyblue"))
  (object Wall (Cell 0 0 "dimgray"))
  (object Door (: hue String) (Cell 0 0 hue))
  (object Key (: hue String) (Cell 0 0 hue))
  (object Chest (: key String) (: open Bool) (Cell 0 0 (if open then "peru" else "saddlebrown")))
  (object Flag (Cell 0 0 "lime"))
  (object Player (Cell 0 0 "white"))

  ; Walls between rooms of two columns have a door each; the upper row is for the keys you hold.
  (= rows (range 1 GRID_SIZE))
  (= columns (map (--> n (+ (* 3 n) 2)) (range 0 DOORS)))
  (= doors (map (--> x (Door (at HUES (/ x 3)) (Position x (uniformChoice rows)))) columns))
  (= isDoor (--> p (intersects (Flag p) doors)))
  (= cells (filter (--> p (> (.. p y) 0)) (allPositions GRID_SIZE)))
  (= walls (map Wall (filter (--> p (& (in (.. p x) columns) (! (isDoor p)))) cells)))
  (= floor (shuffle (filter (--> p (! (in (.. p x) columns))) cells)))
  (= chests (map (--> p (Chest (uniformChoice (take HUES DOORS)) false p)) (take floor CHESTS)))
  (= isChest (--> p (intersects (Flag p) chests)))
  (= keys (list))
  (= free (filter (--> p (! (isChest p))) floor))
  (= last_room (filter (--> p (> (.. p x) (* 3 DOORS))) free))
  (= flag (Flag (if (> (length last_room) 0) then (head last_room) else (Position (- GRID_SIZE 1) 1))))
  (= player (Player (head (filter (--> p (< (.. p x) 2)) free))))

  (= has (--> hue (any (--> key (== (.. key hue) hue)) keys)))
  (= isShut (--> p (any (--> door (& (== (.. door origin) p) (! (has (.. door hue))))) doors)))
  (= takeKey (--> chest (if (& (== (.. chest origin) (.. player origin)) (! (.. chest open)))
    then (let
      (= keys (if (has (.. chest key)) then keys else (addObj keys (Key (.. chest key) (Position (length keys) 0)))))
      (Chest (.. chest key) true (.. chest origin)))
    else chest)))
  (= go (--> (dx dy) (let
    (= to (movePos (.. player origin) (Position dx dy)))
    (if (& (& (in to cells) (! (intersects (Flag to) walls))) (! (isShut to))) then (let
      (= player (Player to))
      (= doors (filter (--> door (!= (.. door origin) to)) doors))
      (= chests (map takeKey chests))) else player))))

  (on left  (go -1 0))
  (on right (go 1 0))
  (on up    (go 0 -1))
  (on down  (go 0 1)))
