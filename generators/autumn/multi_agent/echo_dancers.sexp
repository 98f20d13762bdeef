; Echo Dancers
;
; The keys move the gold leader. The cyan twin makes the same move, the magenta mirror the opposite one. The lime
; echo makes the leader's move of two key presses ago; a press counts even if nobody could move. Nobody leaves the
; grid or enters a cell that was taken in the last frame.
;
; When the four come to stand in one row or column, the echo's delay changes from two presses to three, and the
; next time back again.

(program
  (= GRID_SIZE 9)

  (object Leader (Cell 0 0 "gold"))

  (object Twin (Cell 0 0 "cyan"))

  (object Mirror (Cell 0 0 "magenta"))

  (object Echo (Cell 0 0 "lime"))

  (= leader (initnext (Leader (Position 4 4)) (prev leader)))

  (= twin (initnext (Twin (Position 2 1)) (prev twin)))

  (= mirror (initnext (Mirror (Position 6 7)) (prev mirror)))

  (= echo (initnext (Echo (Position 1 6)) (prev echo)))

  ; The last three moves, the newest first; the echo repeats the one of `wait` presses ago.

  (= still (Position 0 0))

  (= moves (initnext (list still still still) (prev moves)))

  (= wait (initnext 2 (prev wait)))

  ; No dancer enters a cell that was taken in the last frame, or leaves the grid.

  (= go (--> (dancer step)
    (let
      (= moved (move dancer step))
      (if (& (isWithinBounds moved) (isFree moved)) then moved else dancer))))

  ; Whenever the four come to stand in one row or column, the wait changes between 2 and 3.

  (= sameColumn (--> dancer (== (.. (.. dancer origin) x) (.. (.. leader origin) x))))

  (= sameRow (--> dancer (== (.. (.. dancer origin) y) (.. (.. leader origin) y))))

  (= aligned (--> ()
    (let
      (= others (list twin mirror echo))
      (| (== (length (filter sameColumn others)) 3) (== (length (filter sameRow others)) 3)))))

  (= dance (--> step
    (let
      (= wereAligned ((aligned)))
      (= leader (go leader step))
      (= twin (go twin step))
      (= mirror (go mirror (Position (- (.. step x)) (- (.. step y)))))
      (= echo (go echo (at moves (- wait 1))))
      (= moves (list step (at moves 0) (at moves 1)))
      (= wait (if (& aligned (! wereAligned)) then (- 5 wait) else wait)))))

  (on left (dance (Position -1 0)))

  (on right (dance (Position 1 0)))

  (on up (dance (Position 0 -1)))

  (on down (dance (Position 0 1)))
)
