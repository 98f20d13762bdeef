; Rank Swap
;
; Each row has four cards and a gap in a drawn order. A click on a card beside the gap of its row moves it there.
; A row with the order red, gold, green, blue from left to right, with the gap anywhere, is locked: clicks there
; do nothing.
;
; `up` and `down` move every card by one row, and round the border; locked rows stand, and cards skip them. `left`
; and `right` turn the row that was clicked last by one place, unless it is locked. Before any click that is the
; uppermost row.

(program
  (= GRID_SIZE 5)

  ; The rank of a card, 0 to 3, is its colour.
  (object Card (: rank Number) (Cell 0 0 (at (list "red" "gold" "green" "blue") rank)))

  ; At the start every row is drawn: each card goes to a column no card of the row has yet.
  (= shuffled (--> ()
    (foldl
      (--> (taken rank) (addObj taken (uniformChoice (filter (--> column (! (in column taken))) (range 0 5)))))
      (list)
      (range 0 4))))

  (= dealRow (--> line (let
    (= columns ((shuffled)))
    (map (--> value (Card value (Position (at columns value) line))) (range 0 4)))))

  (= cards (initnext (concat (map dealRow (range 0 5))) (prev cards)))

  ; The row clicked last is the one that left and right turn.
  (= lastRow (initnext 0 (prev lastRow)))

  (= column (--> card (.. (.. card origin) x)))
  (= row (--> card (.. (.. card origin) y)))

  (= columnOf (--> (value line)
    (column (head (filter (--> card (& (== (.. card rank) value) (== (row card) line))) cards)))))

  ; A row is locked when its cards are in the order red, gold, green, blue.
  (= locked (--> line
    (& (< (columnOf 0 line) (columnOf 1 line))
    (& (< (columnOf 1 line) (columnOf 2 line))
       (< (columnOf 2 line) (columnOf 3 line))))))

  (= gapOf (--> line
    (- 10 (sum (map column (filter (--> card (== (row card) line)) cards))))))

  ; Up and down: each card goes to the next row that is not locked.
  (= nextRow (--> (line step open)
    (if (in (% (+ line step) 5) open)
      then (% (+ line step) 5)
      else (nextRow (+ line step) step open))))

  (= turnColumns (--> step (let
    (= openRows (filter (--> line (! (locked line))) (range 0 5)))
    (= cards (updateObj cards
      (--> card (updateObj card "origin" (Position (column card) (nextRow (row card) step openRows))))
      (--> card (in (row card) openRows)))))))

  (= turnRow (--> step
    (= cards (updateObj cards
      (--> card (updateObj card "origin" (Position (% (+ (column card) step) 5) lastRow)))
      (--> card (== (row card) lastRow))))))

  ; A card beside the gap of its row changes places with it.
  (on (& (clicked cards) (! (locked (.. click y)))) (let
    (= gap (gapOf (.. click y)))
    (= cards (if (== (abs (- gap (.. click x))) 1)
      then (updateObj cards
        (--> card (updateObj card "origin" (Position gap (row card))))
        (--> card (== (.. card origin) click)))
      else cards))))

  (on clicked (= lastRow (.. click y)))

  (on up (turnColumns 4))

  (on down (turnColumns 1))

  (on (& left (! (locked lastRow))) (turnRow 4))

  (on (& right (! (locked lastRow))) (turnRow 1))
)
