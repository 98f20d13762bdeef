; Two Lichens
;
; Two kinds of lichen start as patches of 3 x 3 cells in opposite corners. In each step a drawn cell of the green
; kind tries to grow onto a drawn neighbour, and then one of the other kind does. A free cell is taken; a cell of
; the other kind is taken over only by the kind with more vigour. Both have a vigour of 5 at first. A kind that
; has died out stays so.
;
; A click on a patch gives its kind 1 of vigour and takes 1 from the other, between 0 and 9. `left` lets the green
; kind rest for 10 steps, `right` the other one.

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
