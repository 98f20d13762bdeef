; Hook Crane
;
; `left` and `right` move the trolley on its rail. `down` lets the rope out by up to six cells, `up` takes as much
; in, as far as there is room: neither the hook nor what hangs on it passes through crates.
;
; A click on the hook or its rope takes the crate below it, together with the one directly below that; another
; click lets go. A crate that is let go falls until it rests. With one crate on the hook the trolley moves every
; second step, with two every third.
;
; An orange crate that falls more than 3 cells breaks, and 10 steps later a new orange one comes at the left edge.
; When a crate stands on each of the three green pads, the pads move one cell to the right.

(program
  (= GRID_SIZE 24)

  (object Rail (map (--> part (Cell part 0 "gray")) (range 0 24)))
  (object Trolley (Cell 0 0 "blue"))

  ; Rope and hook, from row 3 down.
  (object Hook (: rope Number) (map (--> part (Cell 0 part "silver")) (range 0 rope)))

  ; Orange crates are fragile. A crate counts the cells it falls.
  (object Crate (: fragile Bool) (: hung Bool) (: fallen Number)
    (Cell 0 0 (if fragile then "orange" else "brown")))
  (object Pad (Cell 0 0 "green"))

  (= rail (initnext (Rail (Position 0 1)) (prev rail)))
  (= trolley (initnext (Trolley (Position 17 2)) (prev trolley)))
  (= hook (initnext (Hook 2 (Position 17 3)) (prev hook)))
  (= crates (initnext
    (list
      (Crate false false 0 (Position 6 22)) (Crate false false 0 (Position 6 21))
      (Crate false false 0 (Position 10 22)) (Crate false false 0 (Position 14 22))
      (Crate true false 0 (Position 17 22)))
    (prev crates)))
  (= pads (initnext
    (list (Pad (Position 10 23)) (Pad (Position 14 23)) (Pad (Position 18 23)))
    (prev pads)))

  ; Hidden: how many crates hang on the hook, the steps until the trolley can move
  ; again, and the steps until new crates come for broken ones.
  (= holding (initnext 0 (prev holding)))
  (= wait (initnext 0 (max 0 (- (prev wait) 1))))
  (= deliveries (initnext (list) (prev deliveries)))

  (= crateAt (--> place (any (--> crate (== (.. crate origin) place)) crates)))

  (= below (--> (thing cells) (movePos (.. thing origin) (Position 0 cells))))

  (= rests (--> crate
    (| (.. crate hung)
    (| (== (.. (.. crate origin) y) 22) (crateAt (below crate 1))))))

  (= breaks (--> crate (& (rests crate) (& (.. crate fragile) (> (.. crate fallen) 3)))))

  ; Hook and hanging crates move together; they stay above row 23 and out of other crates.
  (= canMove (--> load
    (& (isWithinBounds load)
    (& (! (any (--> part (== (.. (.. part position) y) 23)) (renderValue load)))
       (! (intersects load (filter (--> crate (! (.. crate hung))) crates)))))))

  (= operate (--> (dx longer) (let
    (= moved (Hook (max 1 (+ (.. hook rope) longer)) (movePos (.. hook origin) (Position dx 0))))
    (= deeper (- (.. moved rope) (.. hook rope)))
    (= lift (--> crate (move crate (Position dx deeper))))
    (= hanging (map lift (filter (--> crate (.. crate hung)) crates)))
    (if (canMove (concat (list (list moved) hanging))) then (let
      (= crates (updateObj crates lift (--> crate (.. crate hung))))
      (= trolley (move trolley (Position dx 0)))
      (= hook moved)
      (= wait (if (== dx 0) then wait else holding)))
    else hook))))

  ; With crates on the hook the trolley moves every second or third step only.
  (on (& left (== wait 0)) (operate -1 0))

  (on (& right (== wait 0)) (operate 1 0))

  ; The rope gets six cells shorter or longer, as far as there is room.
  (on up (map (--> cell (operate 0 -1)) (range 0 6)))

  (on down (map (--> cell (operate 0 1)) (range 0 6)))

  ; A click on the hook takes the crate under it, with one more if that stands on another,
  ; or lets go.
  (on (clicked hook) (let
    (= reached (list (below hook (.. hook rope)) (below hook (+ (.. hook rope) 1))))
    (= grasp (& (== holding 0) (crateAt (head reached))))
    (= crates (map
      (--> crate (updateObj (updateObj crate "hung" (& grasp (in (.. crate origin) reached))) "fallen" 0))
      crates))
    (= holding (length (filter (--> crate (.. crate hung)) crates)))))

  ; Crates fall until they rest on the ground or on a crate.
  (on true
    (= crates (updateObj crates
      (--> crate (moveDown (updateObj crate "fallen" (+ (.. crate fallen) 1))))
      (--> crate (! (rests crate))))))

  ; At rest, a fragile crate that fell more than three cells breaks; ten steps later comes a new one.
  (on true (let
    (= broken (filter breaks crates))
    (= deliveries (addObj
      (map (--> steps (- steps 1)) deliveries)
      (map (--> crate 10) broken)))
    (= whole (filter (--> crate (! (breaks crate))) crates))
    (= crates (updateObj whole (--> crate (updateObj crate "fallen" 0)) rests))))

  ; A new crate stands at the left edge, on those that stand there.
  (on (in 0 deliveries) (let
    (= room (filter (--> line (! (crateAt (Position 0 line)))) (range 3 23)))
    (= crates (addObj crates (Crate true false 0 (Position 0 (tail room)))))
    (= deliveries (filter (--> steps (> steps 0)) deliveries))))

  ; Crates on all three pads: the pads move by one to the right.
  (on (! (any (--> pad (! (crateAt (below pad -1)))) pads))
    (= pads (map
      (--> pad (updateObj pad "origin" (Position (% (+ (.. (.. pad origin) x) 1) 24) 23)))
      pads)))
)
