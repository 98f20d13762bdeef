; Key Foundry
;
; The smith walks with the keys. A click, anywhere, makes him pick up what lies where he stands, and the next
; click lets go. What he carries goes along.
;
; Ore that has been on the hearth for 5 steps is hot (orange); away from it, it is cold again after 8 steps. The
; hearth cannot be seen; it is the cell at column 2, row 10. Hot ore that is put on a mould (brown) becomes a key.
; Each of the three moulds on the left makes keys for one of three doors in the red wall, which are on rows 2, 6
; and 10 in the order of the moulds from the top down. The fourth mould, behind the wall, makes keys for all
; doors.
;
; A key is tried by walking against one of these doors with it. If it fits, it opens the door, and both vanish. If
; not, it breaks into ore. The rest of the wall has no doors.

(program
  (= GRID_SIZE 13)

  ; Ore is gray, and orange while it is hot. What the smith carries is held.
  (object Ore (: heat Number) (: hot Bool) (: held Bool) (Cell 0 0 (if hot then "orange" else "gray")))
  (object Key (: shape Number) (: taken Bool) (Cell 0 0 "gold"))

  ; Moulds 1 to 3 make the keys of doors 1 to 3, mould 4 makes keys for all.
  (object Mould (: cast Number) (Cell 0 0 "brown"))

  ; The wall is made of doors too: those with number 0 have no key.
  (object Door (: lock Number) (Cell 0 0 "red"))
  (object Smith (Cell 0 0 "white"))

  (= moulds (initnext
    (list
      (Mould 1 (Position 2 9)) (Mould 2 (Position 3 10))
      (Mould 3 (Position 2 11)) (Mould 4 (Position 11 10)))
    (prev moulds)))
  (= locks (list 0 0 1 0 0 0 2 0 0 0 3 0 0))
  (= doors (initnext
    (map (--> line (Door (at locks line) (Position 8 line))) (range 0 13))
    (prev doors)))
  (= ores (initnext
    (map (--> line (Ore 0 false false (Position 1 line))) (range 9 13))
    (prev ores)))
  (= keys (initnext (list) (prev keys)))
  (= smith (initnext (Smith (Position 1 8)) (prev smith)))

  (= hearth (Position 2 10))

  (= carried (--> () (concat (list
    (filter (--> ore (.. ore held)) ores)
    (filter (--> key (.. key taken)) keys)))))

  ; Take or let go all at once: what lies where the smith stands, or nothing.
  (= carry (--> grasp (let
    (= ores (map (--> ore (updateObj ore "held" (& grasp (intersects ore smith)))) ores))
    (= keys (map (--> key (updateObj key "taken" (& grasp (intersects key smith)))) keys)))))

  ; The smith walks with what he carries; doors are in the way.
  (= walk (--> (dx dy) (let
    (= ahead (move smith (Position dx dy)))
    (= ahead (if (isWithinBounds ahead) then ahead else smith))
    (if (intersects ahead doors) then (tryKeys (filter (--> door (intersects door ahead)) doors)) else (let
      (= ores (updateObj ores (--> ore (updateObj ore "origin" (.. ahead origin))) (--> ore (.. ore held))))
      (= keys (updateObj keys (--> key (updateObj key "origin" (.. ahead origin))) (--> key (.. key taken))))
      (= smith ahead))))))

  ; A key that is carried to a door with a lock opens it or breaks into ore.
  (= tryKeys (--> met (let
    (= number (.. (head met) lock))
    (= tried (filter (--> key (& (> number 0) (.. key taken))) keys))
    (= fits (any (--> key (in (.. key shape) (list number 4))) tried))
    (if (== (length tried) 0) then smith else (let
      (= keys (filter (--> key (! (.. key taken))) keys))
      (if fits
        then (= doors (filter (--> door (! (intersects door met))) doors))
        else (= ores (addObj ores (Ore 0 false true (.. smith origin))))))))))

  ; On the hearth ore is hot after five steps; away from it, it is cold again after eight.
  (= warm (--> ore (if (== (.. ore origin) hearth)
    then (Ore (if (| (.. ore hot) (== (.. ore heat) 4)) then 8 else (+ (.. ore heat) 1))
      (| (.. ore hot) (== (.. ore heat) 4)) (.. ore held) (.. ore origin))
    else (Ore (if (.. ore hot) then (- (.. ore heat) 1) else 0)
      (& (.. ore hot) (> (.. ore heat) 1)) (.. ore held) (.. ore origin)))))

  ; Hot ore lying on a mould.
  (= castable (--> ore
    (& (.. ore hot) (& (! (.. ore held)) (intersects ore moulds)))))

  (on left (walk -1 0))

  (on right (walk 1 0))

  (on up (walk 0 -1))

  (on down (walk 0 1))

  (on clicked (carry (== (length ((carried))) 0)))

  (on true (= ores (map warm ores)))

  (on (any castable ores) (let
    (= castKey (--> ore
      (Key (.. (head (filter (--> mould (intersects mould ore)) moulds)) cast) false (.. ore origin))))
    (= keys (addObj keys (map castKey (filter castable ores))))
    (= ores (filter (--> ore (! (castable ore))) ores))))
)
