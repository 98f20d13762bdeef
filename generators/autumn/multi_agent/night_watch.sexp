; Night Watch
;
; The keys move the thief. The guard walks his round, from corner to corner of a rectangle, one cell a step, along
; x first. He sees the thief in his row or column, up to 6 cells away, but not in the hideout in the upper left
; corner. Then he is alert (orange) for 8 steps from the last time that he saw him, and walks towards the thief;
; after that he goes to the nearest corner and on with his round.
;
; A click whistles: the guard, unless he is alert, goes to the clicked cell first.
;
; If guard and thief meet, the thief is back in the hideout, and the guard is no longer alert. On the jewel the
; thief steals it, and it turns gray. As soon as he is in the hideout with it, whether he walked there or was
; caught, it returns, and the guard's round goes the other way from then on.

(program
  (= GRID_SIZE 17)

  (object Guard (: alert Number) (Cell 0 0 (if (> alert 0) then "orange" else "red")))

  (object Thief (Cell 0 0 "white"))

  (object Jewel (: stolen Bool) (Cell 0 0 (if stolen then "gray" else "cyan")))

  (= corners (list (Position 3 3) (Position 13 3) (Position 13 13) (Position 3 13)))

  (= hideout (Position 0 0))

  (= jewel (initnext (Jewel false (Position 8 8)) (prev jewel)))

  (= thief (initnext (Thief hideout) (prev thief)))

  (= guard (initnext (Guard 0 (Position 3 3)) (prev guard)))

  ; The leg is the number of the corner the guard walks to, the turn is -1 on a round the other way.

  (= leg (initnext 1 (prev leg)))

  (= turn (initnext 1 (prev turn)))

  ; The place a whistle came from, as a list of none or one.

  (= whistles (initnext (list) (prev whistles)))

  ; A guard who sees the thief, in his row or column and at most 6 cells away, is alert for 8 steps. He does not
  ; see into the hideout.

  (= hidden (--> () (== (.. thief origin) hideout)))

  (= sees (--> ()
    (let
      (= gap (deltaObj guard thief))
      (= inLine (| (== (.. gap x) 0) (== (.. gap y) 0)))
      (& (! ((hidden))) (& inLine (adjacentTwoObjs guard thief 6))))))

  (= alertness (--> () (if ((sees)) then 8 else (max 0 (- (.. guard alert) 1)))))

  (= walkTo (--> place (= guard (move guard (unitVectorObjPos guard place)))))

  (= nearestLeg (--> ()
    (let
      (= nearest (closestPos guard corners))
      (head (filter (--> k (== (at corners k) nearest)) (range 0 4))))))

  ; An alert guard walks towards the thief, and after that to the nearest corner.

  (= watch (--> alert
    (let
      (= guard (updateObj guard "alert" alert))
      (= leg (if (== alert 0) then ((nearestLeg)) else leg)))))

  (= chase (--> ()
    (let
      (= next ((alertness)))
      (walkTo (.. thief origin))
      (watch next))))

  ; Otherwise he walks to where a whistle came from, and else on his round.

  (= follow (--> place
    (let
      (walkTo place)
      (= whistles (if (== (.. guard origin) place) then (list) else whistles)))))

  (= patrol (--> place
    (let
      (walkTo place)
      (= leg (if (== (.. guard origin) place) then (% (+ (+ leg turn) 4) 4) else leg)))))

  (on true
    (if (| (> (.. guard alert) 0) sees) then ((chase))
    else (if (> (length whistles) 0) then (follow (head whistles))
    else (patrol (at corners leg)))))

  ; The thief moves with the keys.

  (= sneak (--> step (if (isWithinBounds (move thief step)) then (move thief step) else thief)))

  (on left (= thief (sneak (Position -1 0))))

  (on right (= thief (sneak (Position 1 0))))

  (on up (= thief (sneak (Position 0 -1))))

  (on down (= thief (sneak (Position 0 1))))

  ; Caught, he starts anew and the guard calms down.

  (on (intersects guard thief)
    (let
      (= thief (Thief hideout))
      (watch 0)))

  ; On the jewel he steals it. When he brings it home, it returns and the guard turns round.

  (on (intersects thief jewel) (= jewel (updateObj jewel "stolen" true)))

  (on (& (.. jewel stolen) hidden)
    (let
      (= jewel (updateObj jewel "stolen" false))
      (= turn (- turn))
      (= leg (% (+ (+ leg turn) 4) 4))))

  ; A click whistles.

  (on clicked (= whistles (list click)))
)
