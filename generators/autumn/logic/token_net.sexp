; Token Net
;
; Six places hold up to 5 tokens each; up to three of them show, as white cells. Four gates take tokens from
; places and give tokens to others. Gate 1 takes from place 1 and gives to 2 and 4. Gate 2 takes from 2 and gives
; to 3. Gate 3 takes from 4 and 6 and gives to 5. Gate 4 takes from 3 and 5 and gives to 6. Place 1 is on the
; left, 2 and 3 are above, 4 and 5 below, 6 is on the right.
;
; A gate is green if all places that it takes from have a token. A click on a green gate fires it: a token from
; each of these, and a token to each of the others. What would be more than 5 is lost. The gold column counts
; firings, modulo 10.
;
; In every ninth step place 1 gets a token if it has fewer than 5. After `left`, gate 1 needs and takes two
; tokens, for good. At first place 1 has two tokens and place 6 has one.

(program
  (= GRID_SIZE 13)

  ; The net itself: places and gates by number, the arcs between them as lines of cells.
  (object Place (: tokens Number) (: side Number) (Cell 0 0 "gray"))
  (object Token (Cell 0 0 "white"))
  (object Gate (: ready Bool) (Cell 0 0 (if ready then "green" else "blue")))
  (object Arc (: width Number) (: depth Number)
    (map (--> place (Cell (.. place x) (.. place y) "tan")) (allPositions width depth)))
  (object Counter (: height Number)
    (map (--> level (Cell 0 (- level) "gold")) (range 0 height)))

  ; From left to right: place 1, gate 1, then places 2 and 3 above with gate 2 between them,
  ; places 4 and 5 below with gate 3 between them, then gate 4 and place 6, which leads back to gate 3.
  (= arcs (initnext
    (list
      (Arc 1 1 (Position 2 6))
      (Arc 1 3 (Position 3 3)) (Arc 1 3 (Position 3 7))
      (Arc 1 1 (Position 5 3)) (Arc 1 1 (Position 7 3))
      (Arc 1 1 (Position 5 9)) (Arc 1 1 (Position 7 9))
      (Arc 1 2 (Position 8 4)) (Arc 1 2 (Position 8 7))
      (Arc 1 1 (Position 9 6))
      (Arc 1 5 (Position 10 7)) (Arc 4 1 (Position 6 11)) (Arc 1 1 (Position 6 10)))
    (prev arcs)))

  ; Hidden: the numbers of tokens in the places; above three they do not show.
  (= firstPlaces (--> ()
    (list
      (Place 2 -1 (Position 1 6))
      (Place 0 -1 (Position 4 3))
      (Place 0 -1 (Position 8 3))
      (Place 0 1 (Position 4 9))
      (Place 0 1 (Position 8 9))
      (Place 1 -1 (Position 10 6)))))

  (= places (initnext ((firstPlaces)) (prev places)))

  ; Tokens stand in a row above or below their place.
  (= show (--> place
    (map
      (--> count (Token (movePos (.. place origin) (Position (- count 1) (.. place side)))))
      (range 0 (min 3 (.. place tokens))))))

  (= tokensShown (initnext (concat (map show ((firstPlaces)))) (concat (map show places))))

  ; Hidden: how often gates have fired, the clock, and what gate 1 takes from place 1.
  (= fired (initnext 0 (prev fired)))
  (= clock (initnext 0 (% (+ (prev clock) 1) 9)))
  (= weight (initnext 1 (prev weight)))

  (= counter (initnext (Counter 0 (Position 12 12)) (Counter (% fired 10) (Position 12 12))))

  ; Places before and behind the gates, as numbers from 0.
  (= inputs (list (list 0) (list 1) (list 3 5) (list 2 4)))
  (= outputs (list (list 1 3) (list 2) (list 4) (list 5)))
  (= need (--> gate (if (== gate 0) then weight else 1)))

  (= enabled (--> gate
    (! (any (--> number (< (.. (at places number) tokens) (need gate))) (at inputs gate)))))

  (= gateAt (list (Position 3 6) (Position 6 3) (Position 6 9) (Position 8 6)))

  (= gates (initnext
    (map (--> gate (Gate (== gate 0) (at gateAt gate))) (range 0 4))
    (map (--> gate (Gate (enabled gate) (at gateAt gate))) (range 0 4))))

  ; A place holds at most 5; what is more is lost.
  (= add (--> (number amount)
    (= places (updateObj places
      (--> place (updateObj place "tokens" (min 5 (+ (.. place tokens) amount))))
      (--> place (== (.. place origin) (.. (at places number) origin)))))))

  (= fire (--> gate (let
    (= takes (need gate))
    (map (--> number (add number (- takes))) (at inputs gate))
    (map (--> number (add number 1)) (at outputs gate))
    (= fired (+ fired 1)))))

  ; Every ninth step the clock puts a token into place 1.
  (on (& (== clock 8) (< (.. (head places) tokens) 5)) (add 0 1))

  (on (& (clicked (at gates 0)) (enabled 0)) (fire 0))

  (on (& (clicked (at gates 1)) (enabled 1)) (fire 1))

  (on (& (clicked (at gates 2)) (enabled 2)) (fire 2))

  (on (& (clicked (at gates 3)) (enabled 3)) (fire 3))

  ; From now on gate 1 takes two tokens.
  (on left (= weight 2))
)
