; Tug of Four
;
; Two teams pull at a flag. A click on a puller makes its team pull. If the team is at least as strong as the
; other one, the flag moves one cell to its side. In any case the team loses 2 of its strength and the other one
; gains 1. Both have 10 at first; strengths stay between 0 and 12.
;
; After 4 steps without a pull, both gain 1, and again after every 4 more. If the flag reaches a border, it goes
; back to the middle, and the team that lost gains 3. `up` exchanges the strengths.

(program
  (= GRID_SIZE 8)

  (object Puller (: colour String) (Cell 0 0 colour))

  (object Flag (Cell 0 0 "white"))

  (= reds (initnext
    (list (Puller "red" (Position 0 3)) (Puller "red" (Position 0 5)))
    (prev reds)))

  (= blues (initnext
    (list (Puller "blue" (Position 7 3)) (Puller "blue" (Position 7 5)))
    (prev blues)))

  (= flag (initnext (Flag (Position 4 4)) (prev flag)))

  (= strengthRed (initnext 10 (prev strengthRed)))

  (= strengthBlue (initnext 10 (prev strengthBlue)))

  (= idle (initnext 0 (+ (prev idle) 1)))

  (= strengthen (--> (strength change) (max 0 (min 12 (+ strength change)))))

  (= gain (--> (red blue)
    (let
      (= strengthRed (strengthen strengthRed red))
      (= strengthBlue (strengthen strengthBlue blue)))))

  ; A flag at a border goes back to the middle and the losers gain 3.

  (= settle (--> column
    (let
      (if (== column 0) then (gain 0 3) else (if (== column 7) then (gain 3 0) else column))
      (= flag (if (| (== column 0) (== column 7)) then (Flag (Position 4 4)) else flag)))))

  ; A click on a puller makes its team pull: the flag comes if the team is not the weaker one. The team tires by
  ; 2, the other one gains 1.

  (= pull (--> (lead step)
    (let
      (= flag (if (>= lead 0) then (move flag (Position step 0)) else flag))
      (if (< step 0) then (gain -2 1) else (gain 1 -2))
      (settle (.. (.. flag origin) x))
      (= idle 0))))

  (on (| (clicked reds) (clicked blues))
    (if (clicked reds)
      then (pull (- strengthRed strengthBlue) -1)
      else (pull (- strengthBlue strengthRed) 1)))

  ; After 4 steps without a pull both teams gain 1.

  (on (>= idle 3)
    (let
      (gain 1 1)
      (= idle 0)))

  ; `up` exchanges the strengths.

  (on up
    (let
      (= oldRed strengthRed)
      (= strengthRed strengthBlue)
      (= strengthBlue oldRed)))
)
