; Majority Moss
;
; At the start 90 draws of a place grow moss; a place may be drawn twice. Between clicks nothing happens.
;
; A click is one tick. A cell is mossy after it if at least 5 of the 9 cells of the block around it, itself
; included, were mossy before; cells off the grid are bare. Afterwards the clicked cell is turned over: moss
; becomes bare, bare becomes moss.

(program
  (= GRID_SIZE 16)

  (object Moss (Cell 0 0 "green"))

  ; At the start 90 places are drawn, some of them perhaps twice.

  (= moss (initnext
    (map (--> place (Moss place)) (randomPositions 16 90))
    (prev moss)))

  ; Only moss is drawn, so a cell is mossy if it is not free. Cells off the grid are bare.

  (= mossy (--> place (! (isFreePos place))))

  (= blockOf (--> place
    (rect (movePos place (Position -1 -1)) (movePos place (Position 2 2)))))

  (= thrives (--> place (>= (length (filter mossy (blockOf place))) 5)))

  (= turnOver (--> (patch place)
    (if (any (--> tuft (== (.. tuft origin) place)) patch)
      then (removeObj patch (--> tuft (== (.. tuft origin) place)))
      else (addObj patch (Moss place)))))

  ; A click is one tick; afterwards the clicked cell is turned over.

  (on clicked
    (let
      (= grown (map (--> place (Moss place)) (filter thrives (allPositions 16))))
      (= moss (turnOver grown click))))
)
