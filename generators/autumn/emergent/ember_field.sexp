; Ember Field
;
; Plants stand at 120 drawn places. A plant is young (dark green) for 10 steps, then grown (green). With more than
; 50 steps of drought, grown plants are dry (gold). Drought grows by 1 in each step, up to 99.
;
; A dry plant with a burning neighbour catches fire. A grown one does so with probability 1/4, in each step,
; however many neighbours burn. A plant burns (red) for 2, 3 or 4 steps, drawn when it catches fire. Then it is
; ash (gray) for 8 steps, and young again.
;
; A click on a plant sets it on fire, whatever it was. A click on a free cell plants a young one. `down` is rain:
; drought is 0, burning plants become ash, and dry ones grown.

(program
  (= GRID_SIZE 25)

  ; A plant is young, grown, dry, burning or ash. The timer counts the steps it stays young, burning or ash; the
  ; fuel is the number of steps it burns.

  (= shade (--> stage
    (if (== stage "young") then "darkgreen"
    else (if (== stage "grown") then "green"
    else (if (== stage "dry") then "gold"
    else (if (== stage "burning") then "red"
    else "gray"))))))

  (object Plant (: stage String) (: timer Number) (: fuel Number) (Cell 0 0 (shade stage)))

  (= seedling (--> place (Plant "young" 10 3 place)))

  (= plants (initnext (map seedling (randomPositions 25 120)) (prev plants)))

  (= drought (initnext 0 (min 99 (+ (prev drought) 1))))

  (= enter (--> (plant stage timer) (updateObj (updateObj plant "stage" stage) "timer" timer)))

  (= ignite (--> plant
    (let
      (= supply (uniformChoice (list 2 3 4)))
      (enter (updateObj plant "fuel" supply) "burning" supply))))

  ; Fire passes to a dry neighbour for certain and to a grown one with probability 1/4.

  (= burning (--> plant (== (.. plant stage) "burning")))

  (= catches (--> (plant fires)
    (if (any (--> fire (adjacentTwoObjs fire plant 1)) fires)
      then (| (== (.. plant stage) "dry") (== (uniformChoice (range 0 4)) 0))
      else false)))

  (= ripe (--> plant (enter plant (if (> drought 50) then "dry" else "grown") 0)))

  ; What comes when the timer has run out: young plants are grown, burning ones ash, ash is young again.

  (= follow (--> plant
    (if (== (.. plant stage) "young") then (ripe plant)
    else (if (burning plant) then (enter plant "ash" 8)
    else (enter plant "young" 10)))))

  (= age (--> (plant fires)
    (if (| (== (.. plant stage) "grown") (== (.. plant stage) "dry"))
      then (if (catches plant fires) then (ignite plant) else (ripe plant))
      else (if (> (.. plant timer) 1)
        then (enter plant (.. plant stage) (- (.. plant timer) 1))
        else (follow plant)))))

  (on true
    (let
      (= fires (filter burning plants))
      (= plants (map (--> plant (age plant fires)) plants))))

  ; A click lights a plant or plants a young one.

  (on clicked
    (= plants
      (if (clicked plants)
        then (updateObj plants ignite (--> plant (clicked plant)))
        else (addObj plants (seedling click)))))

  ; `down` is rain: it ends the drought and turns fires into ash.

  (on down
    (let
      (= drought 0)
      (= plants (updateObj plants (--> plant (enter plant "ash" 8)) burning))
      (= plants (updateObj plants ripe (--> plant (== (.. plant stage) "dry"))))))
)
