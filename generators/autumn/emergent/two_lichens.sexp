; Two Lichens
;
; Two kinds of lichen grow from opposite corners and fight by their vigour where they meet.
;
; A kind that has died out does not come back.

(program
  (= GRID_SIZE 16)

  (object LichenA (Cell 0 0 "limegreen"))

  (object LichenB (Cell 0 0 "coral"))

  (= patchA (initnext
    (map (--> place (LichenA place)) (rect (Position 0 0) (Position 3 3)))
    (prev patchA)))

  (= patchB (initnext
    (map (--> place (LichenB place)) (rect (Position 13 13) (Position 16 16)))
    (prev patchB)))

  (= vigourA (initnext 5 (prev vigourA)))

  (= vigourB (initnext 5 (prev vigourB)))

  (= restA (initnext 0 (max 0 (- (prev restA) 1))))

  (= restB (initnext 0 (max 0 (- (prev restB) 1))))

  ; One drawn cell of each kind tries to grow onto a drawn neighbour: a free one it takes, one of the other kind
  ; only with the higher vigour.

  (= covers (--> (patch place) (any (--> lichen (== (.. lichen origin) place)) patch)))

  (= goalOf (--> patch (uniformChoice (adjPositions (.. (uniformChoice patch) origin)))))

  (= without (--> (patch place) (filter (--> lichen (!= (.. lichen origin) place)) patch)))

  (= growA (--> goal
    (if (| (covers patchA goal) (& (covers patchB goal) (<= vigourA vigourB))) then patchA
    else (let
      (= patchB (without patchB goal))
      (= patchA (addObj patchA (LichenA goal)))))))

  (= growB (--> goal
    (if (| (covers patchB goal) (& (covers patchA goal) (<= vigourB vigourA))) then patchB
    else (let
      (= patchA (without patchA goal))
      (= patchB (addObj patchB (LichenB goal)))))))

  (on true
    (let
      (if (& (== restA 0) (> (length patchA) 0)) then (growA (goalOf patchA)) else patchA)
      (if (& (== restB 0) (> (length patchB) 0)) then (growB (goalOf patchB)) else patchB)))

  ; A click on a patch feeds its kind and weakens the other.

  (= feed (--> (gainA gainB)
    (let
      (= vigourA (max 0 (min 9 (+ vigourA gainA))))
      (= vigourB (max 0 (min 9 (+ vigourB gainB)))))))

  (on (| (clicked patchA) (clicked patchB))
    (if (clicked patchA) then (feed 1 -1) else (feed -1 1)))

  ; `left` lets A rest for 10 steps, `right` lets B.

  (on left (= restA 10))

  (on right (= restB 10))
)
