; Three Pendulums
;
; Three bobs hang from a frame. Each swings through eight places: 2 and 1 cells to the left, straight down, 1 and
; 2 to the right, and back; at both ends it hangs one row higher. At first all are at the left end. The red bob
; goes on by a place in every step, the gold one in every second, the lime one in every third.
;
; A click on a bob freezes it, another one frees it. `left` and `right` move all free bobs by one place back or
; forward. `up` puts all bobs, frozen ones too, into the place of the red one.
;
; `down` turns the frame white for 5 steps if all three bobs hang straight down in that step.

(program
  (= GRID_SIZE 17)

  ; A bob goes through eight places. It needs `pace` steps for each, so that its phase runs up to 8 * pace.

  (object Bob (: colour String) (: anchor Number) (: pace Number) (: phase Number) (: frozen Bool)
    (Cell 0 0 colour))

  (= offsets (list -2 -1 0 1 2 1 0 -1))

  (= offset (--> (phase pace) (at offsets (/ phase pace))))

  (= hang (--> (anchor swing) (Position (+ anchor swing) (if (== (abs swing) 2) then 7 else 8))))

  (= newBob (--> (colour anchor pace) (Bob colour anchor pace 0 false (hang anchor -2))))

  (= bobs (initnext
    (list (newBob "red" 3 1) (newBob "gold" 8 2) (newBob "lime" 13 3))
    (prev bobs)))

  (= setPhase (--> (bob phase)
    (let
      (= swing (offset phase (.. bob pace)))
      (updateObj (updateObj bob "phase" phase) "origin" (hang (.. bob anchor) swing)))))

  (= advance (--> (bob count)
    (let
      (= cycle (* 8 (.. bob pace)))
      (setPhase bob (% (+ (+ (.. bob phase) count) cycle) cycle)))))

  (= free (--> bob (! (.. bob frozen))))

  ; The frame is white for as long as it glows.

  (object Frame (: glow Number)
    (map (--> k (Cell k 0 (if (> glow 0) then "white" else "gray"))) (range 0 13)))

  (= frame (initnext
    (Frame 0 (Position 2 1))
    (updateObj (prev frame) "glow" (max 0 (- (.. (prev frame) glow) 1)))))

  ; Swinging: each free bob goes on by one step.

  (on true (= bobs (updateObj bobs (--> bob (advance bob 1)) free)))

  ; A click on a bob freezes or frees it.

  (on (clicked bobs)
    (= bobs (updateObj bobs
      (--> bob (updateObj bob "frozen" (free bob)))
      (--> bob (clicked bob)))))

  ; `left` and `right` move the free bobs by one place.

  (on left (= bobs (updateObj bobs (--> bob (advance bob (- (.. bob pace)))) free)))

  (on right (= bobs (updateObj bobs (--> bob (advance bob (.. bob pace))) free)))

  ; `up` puts all bobs into the place of bob 1.

  (on up
    (let
      (= first (.. (head bobs) phase))
      (= bobs (updateObj bobs (--> bob (setPhase bob (* first (.. bob pace))))))))

  ; `down` makes the frame glow for 5 steps if all bobs hang straight.

  (= tilted (--> bob (!= (offset (.. bob phase) (.. bob pace)) 0)))

  (on (& down (! (any tilted bobs))) (= frame (updateObj frame "glow" 5)))
)
