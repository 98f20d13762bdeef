; Parity Loom
;
; All 25 threads are white at first. A click turns the clicked thread over, from white to red or back, and two of
; its neighbours: those above and below if the number of red threads in the row was odd before the click,
; otherwise those beside it. Nothing goes round a border.
;
; `left` and `right` turn one row by one place: the uppermost at first. `down` makes it the next row, and after
; the lowest the uppermost again.

(program
  (= GRID_SIZE 5)

  (object Thread (: red Bool) (Cell 0 0 (if red then "red" else "white")))

  (= threads (initnext
    (map (--> place (Thread false place)) (allPositions 5))
    (prev threads)))

  ; Hidden: the row that left and right move.
  (= rowLit (initnext 0 (prev rowLit)))

  (= column (--> thread (.. (.. thread origin) x)))
  (= row (--> thread (.. (.. thread origin) y)))

  (= redInRow (--> number
    (length (filter (--> thread (& (.. thread red) (== (row thread) number))) threads))))

  ; Whether a thread is the clicked one or its neighbour: above and below when the
  ; number of red threads in the row is odd, beside it otherwise.
  (= turnsOver (--> (thread place odd)
    (& (<= (sqdist (.. thread origin) place) 1)
       (if odd then (== (column thread) (.. place x)) else (== (row thread) (.. place y))))))

  (= moveRow (--> shift
    (= threads (updateObj threads
      (--> thread (updateObj thread "origin" (Position (% (+ (column thread) shift) 5) rowLit)))
      (--> thread (== (row thread) rowLit))))))

  (on (clicked threads) (let
    (= isOdd (== (% (redInRow (.. click y)) 2) 1))
    (= threads (updateObj threads
      (--> thread (updateObj thread "red" (! (.. thread red))))
      (--> thread (turnsOver thread click isOdd))))))

  (on left (moveRow 4))

  (on right (moveRow 1))

  (on down (= rowLit (% (+ rowLit 1) 5)))
)
