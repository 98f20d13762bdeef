; Tape Reader
;
; A tape of 24 symbols: 0 is gray, 1 white, 2 red. The gold head stands below the symbol that it reads. The
; machine is in state 0 or 1, and a green light is on in state 1.
;
; There are six rules, from left to right: state 0 with symbols 0, 1 and 2, and state 1 with 0, 1 and 2. Each has
; three columns, which are one cell higher than their numbers: the symbol to write (0 to 2), where to go (0 left,
; 1 stay, 2 right), and the next state (0 or 1). A click on the lowest cell of a column adds one to its number;
; after the greatest comes 0.
;
; `up` applies the rule for the state and the symbol under the head. `down` lets the machine do that by itself for
; eight steps, beginning with the next. A rule that would lead off the tape is not applied. `left` and `right`
; move the head by hand.
;
; The rules at the start carry ones to the right past zeros, with 2 as a mark.

(program
  (= GRID_SIZE 24)

  ; The tape has 24 symbols: 0 gray, 1 white, 2 red. The head is below the one it reads.
  (object Symbol (: mark Number) (Cell 0 0 (at (list "gray" "white" "red") mark)))
  (object Head (Cell 0 0 "gold"))

  ; The light is there when the machine is in state 1.
  (object Light (Cell 0 0 "green"))

  ; A rule is for one state and one symbol. Its columns show what to write (0..2), where
  ; to go (0 left, 1 stay, 2 right) and the next state (0..1), each one cell higher than its number.
  (object Rule (: write Number) (: way Number) (: next Number)
    (concat (list (bar 0 write) (bar 1 way) (bar 2 next))))
  (= bar (--> (column height) (map (--> level (Cell column (- level) "blue")) (range 0 (+ height 1)))))

  (= firstTape (list 1 0 1 1 0 0 1 0 1 0 0 1 1 1 0 1 0 0 0 1 1 0 1 0))
  (= tape (initnext
    (map (--> column (Symbol (at firstTape column) (Position column 12))) (range 0 24))
    (prev tape)))
  (= reader (initnext (Head (Position 0 13)) (prev reader)))

  ; Hidden: the state and how many steps the machine still runs by itself.
  (= state (initnext 0 (prev state)))
  (= stepsLeft (initnext 0 (prev stepsLeft)))
  (= lights (initnext (list) (prev lights)))

  ; Rules 0 to 2 are for state 0 and symbols 0 to 2, rules 3 to 5 for state 1. These
  ; six carry ones to the right past zeros, with 2 as a mark: a tape gets sorted run by run.
  (= rules (initnext
    (list
      (Rule 0 2 0 (Position 0 3))
      (Rule 2 2 1 (Position 4 3))
      (Rule 1 2 0 (Position 8 3))
      (Rule 1 0 1 (Position 12 3))
      (Rule 1 0 0 (Position 16 3))
      (Rule 0 2 0 (Position 20 3)))
    (prev rules)))

  ; The lowest cell of a column adds one to its number; after the last number comes 0.
  (= pressed (--> (number part) (& clicked (== click (Position (+ (* 4 number) part) 3)))))

  (= change (--> (number addWrite addWay addNext) (let
    (= old (at rules number))
    (= new (Rule
      (% (+ (.. old write) addWrite) 3)
      (% (+ (.. old way) addWay) 3)
      (% (+ (.. old next) addNext) 2)
      (.. old origin)))
    (= rules (map (--> rule (if (== (.. rule origin) (.. old origin)) then new else rule)) rules)))))

  ; Which rule the machine is at, by the state before this step.
  (= column (--> () (.. (.. (prev reader) origin) x)))
  (= ruleNow (--> () (+ (* 3 (prev state)) (.. (at (prev tape) ((column))) mark))))

  ; A rule is applied on up and while steps are left, unless it leads off the tape.
  (= applies (--> number
    (& (| up (> (prev stepsLeft) 0))
    (& (== ((ruleNow)) number)
       (staysOn (- (.. (at rules number) way) 1))))))
  (= staysOn (--> step (isWithinBounds (move (prev reader) (Position step 0)))))

  (= writeBy (--> number
    (= tape (updateObj tape
      (--> symbol (updateObj symbol "mark" (.. (at rules number) write)))
      (--> symbol (== (.. (.. symbol origin) x) ((column))))))))

  (= walkBy (--> number (let
    (= reader (move (prev reader) (Position (- (.. (at rules number) way) 1) 0)))
    (= state (.. (at rules number) next)))))

  ; Left and right move the head by hand; down makes the machine run for eight steps.
  (on left (= reader (moveLeftNoCollision reader)))

  (on right (= reader (moveRightNoCollision reader)))

  (on down (= stepsLeft 8))

  ; Rule 0: state 0, symbol 0.
  (on (pressed 0 0) (change 0 1 0 0))

  (on (pressed 0 1) (change 0 0 1 0))

  (on (pressed 0 2) (change 0 0 0 1))

  (on (applies 0) (writeBy 0))

  (on (applies 0) (walkBy 0))

  ; Rule 1: state 0, symbol 1.
  (on (pressed 1 0) (change 1 1 0 0))

  (on (pressed 1 1) (change 1 0 1 0))

  (on (pressed 1 2) (change 1 0 0 1))

  (on (applies 1) (writeBy 1))

  (on (applies 1) (walkBy 1))

  ; Rule 2: state 0, symbol 2.
  (on (pressed 2 0) (change 2 1 0 0))

  (on (pressed 2 1) (change 2 0 1 0))

  (on (pressed 2 2) (change 2 0 0 1))

  (on (applies 2) (writeBy 2))

  (on (applies 2) (walkBy 2))

  ; Rule 3: state 1, symbol 0.
  (on (pressed 3 0) (change 3 1 0 0))

  (on (pressed 3 1) (change 3 0 1 0))

  (on (pressed 3 2) (change 3 0 0 1))

  (on (applies 3) (writeBy 3))

  (on (applies 3) (walkBy 3))

  ; Rule 4: state 1, symbol 1.
  (on (pressed 4 0) (change 4 1 0 0))

  (on (pressed 4 1) (change 4 0 1 0))

  (on (pressed 4 2) (change 4 0 0 1))

  (on (applies 4) (writeBy 4))

  (on (applies 4) (walkBy 4))

  ; Rule 5: state 1, symbol 2.
  (on (pressed 5 0) (change 5 1 0 0))

  (on (pressed 5 1) (change 5 0 1 0))

  (on (pressed 5 2) (change 5 0 0 1))

  (on (applies 5) (writeBy 5))

  (on (applies 5) (walkBy 5))

  ; One step less is left, and the light follows the state.
  (on (> (prev stepsLeft) 0) (= stepsLeft (if (down) then stepsLeft else (- stepsLeft 1))))

  (on (!= state (prev state)) (= lights (if (== state 1) then (list (Light (Position 12 15))) else (list))))
)
