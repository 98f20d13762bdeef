; Corner Pool
;
; A white and a yellow ball lie on a table with a pocket in each corner. While both rest, a click drives the white
; ball away from the clicked cell, in one of eight directions (the signs of the differences in both coordinates);
; the brown cue shows in the clicked cell for one step. A click on the white ball itself gives it no direction.
;
; The ball runs as many steps as the power says, one cell a step. The power is 4 at first and cannot be seen; `up`
; and `down` change it by 1, from 1 to 9. A wall turns the component of the direction that would lead through it.
; A ball that would enter the cell of the other one stops instead, and in that step hands its direction and what
; is left of its run over to it. A ball that is in a pocket goes back to where it started, and the pocket turns
; gray for good.
;
; While both rest, `left` and `right` exchange the places of the balls.

(program
  (= GRID_SIZE 12)

  ; A ball runs with its velocity as long as it has steps to run.

  (object Ball (: colour String) (: vx Number) (: vy Number) (: run Number) (Cell 0 0 colour))

  (object Cue (Cell 0 0 "brown"))

  (object Pocket (: used Bool) (Cell 0 0 (if used then "gray" else "darkgreen")))

  (= newWhite (--> () (Ball "white" 0 0 0 (Position 3 6))))

  (= newYellow (--> () (Ball "yellow" 0 0 0 (Position 8 6))))

  (= pockets (initnext
    (map (--> corner (Pocket false corner))
      (list (Position 0 0) (Position 11 0) (Position 0 11) (Position 11 11)))
    (prev pockets)))

  (= white (initnext ((newWhite)) (prev white)))

  (= yellow (initnext ((newYellow)) (prev yellow)))

  (= cue (initnext (list) (list)))

  (= power (initnext 4 (prev power)))

  (= resting (--> () (& (== (.. white run) 0) (== (.. yellow run) 0))))

  ; A click drives the white ball away from the clicked cell, where the cue shows for one step.

  (= drive (--> (ball vx vy run)
    (updateObj (updateObj (updateObj ball "vx" vx) "vy" vy) "run" run)))

  (on (& clicked resting)
    (let
      (= aim (unitVectorSinglePos (displacement click (.. white origin))))
      (= white (drive white (.. aim x) (.. aim y) power))
      (= cue (list (Cue click)))))

  (on up (= power (min 9 (+ power 1))))

  (on down (= power (max 1 (- power 1))))

  ; Running: walls turn the velocity round. A ball that would enter the cell of the other one stops and hands
  ; its velocity and the rest of its run over.

  (= bounced (--> (place speed)
    (if (& (<= 0 (+ place speed)) (< (+ place speed) GRID_SIZE)) then speed else (- speed))))

  (= turned (--> ball
    (drive ball
      (bounced (.. (.. ball origin) x) (.. ball vx))
      (bounced (.. (.. ball origin) y) (.. ball vy))
      (.. ball run))))

  (= ahead (--> ball (movePos (.. ball origin) (Position (.. ball vx) (.. ball vy)))))

  (= meets (--> (ball other) (== (ahead ball) (.. other origin))))

  (= advance (--> ball
    (updateObj (updateObj ball "origin" (ahead ball)) "run" (- (.. ball run) 1))))

  (= handOver (--> (ball other) (drive other (.. ball vx) (.. ball vy) (.. ball run))))

  (= stop (--> ball (drive ball 0 0 0)))

  ; A ball in a pocket goes back to its start.

  (= back (--> (ball fresh) (if (intersects ball pockets) then fresh else ball)))

  (= roll (--> ()
    (let
      (= whiteRuns (> (.. white run) 0))
      (= runner (turned (if whiteRuns then white else yellow)))
      (= other (if whiteRuns then yellow else white))
      (= hit (meets runner other))
      (= rolled (if hit then (stop runner) else (advance runner)))
      (= struck (if hit then (handOver runner other) else other))
      (= pockets (updateObj pockets
        (--> pocket (updateObj pocket "used" true))
        (--> pocket (intersects pocket rolled))))
      (= white (back (if whiteRuns then rolled else struck) ((newWhite))))
      (= yellow (back (if whiteRuns then struck else rolled) ((newYellow)))))))

  (on (! ((resting))) ((roll)))

  ; `left` and `right` exchange the places of resting balls.

  (= exchange (--> ()
    (let
      (= place (.. white origin))
      (= white (updateObj white "origin" (.. yellow origin)))
      (= yellow (updateObj yellow "origin" place)))))

  (on (& left resting) ((exchange)))

  (on (& right resting) ((exchange)))
)
