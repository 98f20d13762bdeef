; Pairs
;
; Fourteen cards, seven colours twice, lie face down in a drawn order. A click turns a card, the next click
; another one. If both have the same colour, they stay. If not, they are turned back after 3 steps, and until then
; no other card can be turned.
;
; `up` shows the upper row for one step, but turns the lower row by one place to the left. `down` shows the lower
; row and turns the upper one.

(program
  (= GRID_SIZE 7)

  ; A card shows its colour when it is turned (face 1), found (face 2) or looked at (face 3).
  (= colours (list "red" "orange" "gold" "green" "cyan" "blue" "pink"))
  (object Card (: suit Number) (: face Number)
    (Cell 0 0 (if (== face 0) then "gray" else (at colours suit))))

  ; Hidden: the layout. The order of the numbers 0 to 13 is drawn; two numbers make a pair.
  (= order (foldl
    (--> (taken count) (addObj taken (uniformChoice (filter (--> number (! (in number taken))) (range 0 14)))))
    (list)
    (range 0 14)))

  (= cards (initnext
    (map
      (--> number (Card (/ (at order number) 2) 0 (Position (% number 7) (+ 2 (* 2 (/ number 7))))))
      (range 0 14))
    (prev cards)))

  ; Hidden: steps until two different cards are turned back.
  (= timer (initnext 0 (prev timer)))

  (= row (--> card (.. (.. card origin) y)))

  (= withFace (--> number (filter (--> card (== (.. card face) number)) cards)))

  (= turn (--> (from to)
    (= cards (updateObj cards
      (--> card (updateObj card "face" to))
      (--> card (== (.. card face) from))))))

  ; Look at a row for one step; meanwhile the other row moves by one to the left.
  (= look (--> line
    (= cards (map
      (--> card
        (if (!= (row card) line)
          then (updateObj card "origin" (Position (% (+ (.. (.. card origin) x) 6) 7) (row card)))
          else (if (== (.. card face) 0) then (updateObj card "face" 3) else card)))
      cards))))

  ; After one step the cards looked at lie face down again; after three, two that differ.
  (on true (let
    (turn 3 0)
    (= timer (max 0 (- timer 1)))
    (if (& (== timer 0) (== (length (withFace 1)) 2)) then (turn 1 0) else cards)))

  ; A click turns a card; with the second one it shows whether they are equal.
  (on (& (clicked (withFace 0)) (< (length (withFace 1)) 2)) (let
    (= cards (updateObj cards
      (--> card (updateObj card "face" 1))
      (--> card (== (.. card origin) click))))
    (= turned (withFace 1))
    (= timer (if (== (length turned) 2) then 3 else 0))
    (if (& (== timer 3) (== (.. (head turned) suit) (.. (tail turned) suit))) then (turn 1 2) else cards)))

  (on up (look 2))

  (on down (look 4))
)
