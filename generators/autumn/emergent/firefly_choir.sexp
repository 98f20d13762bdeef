; Firefly Choir
;
; 20 flies each have a phase. A fly shines, and can be seen, in phase 0. At the start the phase of fly i is 7 * i
; modulo 12. In each step all phases grow by 1, and begin anew after the period, which is 12.
;
; Then each fly that has a shining fly within 4 steps of it, without diagonals, and is in the upper half of its
; phases, goes one further.
;
; A click sets the flies within 2 steps of it to phase 0, and for 10 steps no fly takes notice of another. `up`
; and `down` change the period by 1, from 8 to 16.

(program
  (= GRID_SIZE 17)

  ; A fly shines in phase 0 and is not drawn otherwise.

  (object Fly (: phase Number)
    (map (--> k (Cell 0 0 "yellow")) (range 0 (if (== phase 0) then 1 else 0))))

  (= staggered (--> k
    (Position (+ 2 (* 3 (% k 5))) (+ (+ 2 (* 4 (/ k 5))) (% k 2)))))

  (= flies (initnext
    (map (--> k (Fly (% (* 7 k) 12) (staggered k))) (range 0 20))
    (prev flies)))

  (= period (initnext 12 (prev period)))

  (= deaf (initnext 0 (max 0 (- (prev deaf) 1))))

  ; Each step all phases grow by one. Then every fly in the upper half of its phases that is within 4 of a
  ; shining one moves one further, unless the flies are deaf.

  (= grow (--> fly (Fly (% (+ (.. fly phase) 1) period) (.. fly origin))))

  (= shining (--> fly (== (.. fly phase) 0)))

  (= pulled (--> (fly lights)
    (& (>= (* 2 (.. fly phase)) period)
       (any (--> light (adjacentTwoObjs light fly 4)) lights))))

  (on true
    (let
      (= flies (map grow flies))
      (= lights (if (== deaf 0) then (filter shining flies) else (list)))
      (= flies (updateObj flies grow (--> fly (pulled fly lights))))))

  ; A click sets the phases of the flies within 2 to 0 and deafens all for 10 steps.

  (on clicked
    (let
      (= deaf 10)
      (= flies (updateObj flies
        (--> fly (Fly 0 (.. fly origin)))
        (--> fly (adjacentPoss (.. fly origin) click 2))))))

  ; `up` and `down` change the period, from 8 to 16.

  (on up (= period (min 16 (+ period 1))))

  (on down (= period (max 8 (- period 1))))
)
