; River Hop
;
; The frog hops two cells up or down, or one to the side, within the grid. Five lanes, on rows 3, 5, 7, 9 and 11,
; have logs that drift: tan ones to the right, brown ones to the left. The lane on row r moves once every (r
; modulo 3) + 1 steps, and goes round the border.
;
; On a log the frog rides along. On a lane without a log it goes back to the start. On row 1 it stays for 5 steps,
; whatever the keys do, and then goes back to the start.
;
; A click on a log turns the direction of its whole lane.

(program
  (= GRID_SIZE 16)

  ; A log is three pieces in a row: tan ones drift right, brown ones left.
  (object Log (: drift Number) (Cell 0 0 (if (> drift 0) then "tan" else "brown")))

  ; A frog on row 1 rests there, for as many steps as it has rest left.
  (object Frog (: restLeft Number) (Cell 0 0 "lime"))

  ; Four logs, one cell apart, in each of the lanes on rows 3, 5, 7, 9 and 11.
  (= firstLane (--> lane
    (map
      (--> column (Log (if (== (% lane 4) 3) then 1 else -1) (Position column lane)))
      (filter (--> column (!= (% (+ column lane) 4) 0)) (range 0 16)))))

  (= logs (initnext (concat (map firstLane (list 3 5 7 9 11))) (prev logs)))
  (= newFrog (--> () (Frog 5 (Position 8 13))))
  (= frog (initnext ((newFrog)) (prev frog)))
  (= clock (initnext 0 (% (+ (prev clock) 1) 6)))

  (= row (--> thing (.. (.. thing origin) y)))

  ; A lane moves every first, second or third step, depending on its row.
  (= moving (--> thing (== (% clock (+ (% (row thing) 3) 1)) 0)))

  (= along (--> (thing step)
    (updateObj thing "origin" (Position (% (+ (+ (.. (.. thing origin) x) step) 16) 16) (row thing)))))

  (= under (--> () (filter (--> log (intersects log frog)) logs)))

  ; A frog hops inside the grid, and not while it rests.
  (= hop (--> (dx dy) (let
    (= landing (move frog (Position dx dy)))
    (= frog (if (& (isWithinBounds landing) (> (row frog) 1)) then landing else frog)))))

  (on left (hop -1 0))

  (on right (hop 1 0))

  (on up (hop 0 -2))

  (on down (hop 0 2))

  ; A click on a log turns its whole lane.
  (on (clicked logs)
    (= logs (updateObj logs
      (--> log (updateObj log "drift" (- (.. log drift))))
      (--> log (== (row log) (.. click y))))))

  ; The logs drift, and the frog with the one it sits on.
  (on true (let
    (= carrier (filter moving ((under))))
    (= frog (if (> (length carrier) 0) then (along frog (.. (head carrier) drift)) else frog))
    (= logs (updateObj logs (--> log (along log (.. log drift))) moving))))

  ; In a lane without a log the frog starts again.
  (on (& (in (row frog) (list 3 5 7 9 11)) (! (intersects frog logs))) (= frog ((newFrog))))

  ; On row 1 it stays for five steps.
  (on (== (row frog) 1)
    (= frog (if (== (.. frog restLeft) 0)
      then ((newFrog))
      else (updateObj frog "restLeft" (- (.. frog restLeft) 1)))))
)
