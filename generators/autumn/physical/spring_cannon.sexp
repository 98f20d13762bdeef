; Spring Cannon
;
; A ball lies on a spring. `down` charges the spring by 1, up to 6; it gets shorter by half its charge, and is
; gold at 6. `up` fires: the ball gets a velocity to the right and one upwards, both equal to the charge, which is
; 0 afterwards.
;
; In flight the ball goes half its velocity, rounded up, to the right in each step, cell by cell; a block in the
; way stops that for good. Then it goes up or down by its vertical velocity, within the grid. In every second step
; this velocity grows by 1 downwards. A ball that comes below row 22 has landed; three steps later it lies on the
; spring again. Without charge, `up` lets it fall.
;
; If the ball passes the target on its way to the right, or ends the step in it, the target turns white for good
; and goes up by 4 rows; from the top it comes back at the bottom.
;
; `left` and `right` move the block by one cell. A click on the block makes it one cell lower; where nothing would
; be left of it, it is 6 cells high again.

(program
  (= GRID_SIZE 24)

  ; The spring is shorter by half its charge.

  (= springLength (--> load (- 4 (/ load 2))))

  (object Spring (: load Number)
    (map (--> k (Cell 0 (- k) (if (== load 6) then "gold" else "silver"))) (range 0 (springLength load))))

  (object Ball (Cell 0 0 "red"))

  (object Target (: struck Bool)
    (map (--> k (Cell 0 k (if struck then "white" else "green"))) (range 0 3)))

  (object Block (: height Number) (map (--> k (Cell 0 (- k) "brown")) (range 0 height)))

  (= charge (initnext 0 (prev charge)))

  (= vx (initnext 0 (prev vx)))

  (= vy (initnext 0 (prev vy)))

  ; `flying` is 0 while the ball is loaded, counts up in flight, and from -3 to 0 after the landing.

  (= flying (initnext 0 (prev flying)))

  (= spring (initnext (Spring 0 (Position 1 22)) (Spring charge (Position 1 22))))

  (= target (initnext (Target false (Position 21 8)) (prev target)))

  (= block (initnext (Block 6 (Position 12 22)) (prev block)))

  (= loaded (--> load (Ball (Position 1 (- 22 (springLength load))))))

  (= ball (initnext (loaded 0) (prev ball)))

  ; `down` charges the spring, `up` fires.

  (on (& down (== flying 0))
    (let
      (= charge (min 6 (+ charge 1)))
      (= ball (loaded charge))))

  (on (& up (== flying 0))
    (let
      (= vx charge)
      (= vy (- charge))
      (= charge 0)
      (= flying 1)))

  ; The flight: the ball goes to the right cell by cell, up to the block, and then up or down. Every second
  ; step the fall gets faster.

  (= solid (--> place (intersects (Ball place) block)))

  (= clampToGrid (--> number (max 0 (min 23 number))))

  (= goRight (--> (place k)
    (let
      (= ahead (moveRightPos place))
      (if (solid ahead) then (= vx 0) else vx)
      (if (intersects (Ball ahead) target) then (= hit true) else hit)
      (if (| (== vx 0) (> (.. ahead x) 23)) then place else ahead))))

  (= strike (--> ()
    (Target true (Position 21 (% (+ (.. (.. target origin) y) 20) 24)))))

  (= fly (--> ()
    (let
      (= hit false)
      (= across (foldl goRight (.. ball origin) (range 0 (/ (+ vx 1) 2))))
      (= fallen (+ (.. across y) vy))
      (= vy (if (== (% flying 2) 0) then (+ vy 1) else vy))
      (= flying (if (> fallen 22) then -3 else (+ flying 1)))
      (= ball (Ball (Position (.. across x) (clampToGrid fallen))))
      (= target (if (| hit (intersects ball target)) then ((strike)) else target)))))

  ; Three steps after the landing the ball is back on the spring.

  (= reload (--> ()
    (let
      (= flying (+ flying 1))
      (= ball (if (== flying 0) then (loaded charge) else ball)))))

  (on (!= flying 0) (if (> flying 0) then ((fly)) else ((reload))))

  ; `left` and `right` move the block, a click lowers it; when nothing is left it grows back.

  (= push (--> step (if (isWithinBounds (move block step)) then (move block step) else block)))

  (on left (= block (push (Position -1 0))))

  (on right (= block (push (Position 1 0))))

  (on (clicked block)
    (= block (Block (if (== (.. block height) 1) then 6 else (- (.. block height) 1)) (.. block origin))))
)
