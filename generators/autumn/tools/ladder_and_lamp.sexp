; Ladder and Lamp
;
; The house has five floors, each with a bright colour where it is lit and a dark one elsewhere. The climber walks
; on the floors with `left` and `right`. With `up` and `down` he climbs between a floor and the one above where
; the ladder stands; from above, he must be right over it.
;
; A click on the ladder or the lamp picks it up if he has empty hands, and if the clicked cell is his own or
; beside him. A click on a floor cell there puts it down. He holds one thing at a time.
;
; The lamp lights what is within 3 steps, without diagonals, for 40 steps. On the ground floor it is filled up.
; The climber goes no farther than 2 steps from a lit cell of his floor, and where nothing is lit he does not walk
; at all.

(program
  (= GRID_SIZE 16)

  ; Each floor is three rows high and has a bright colour where it is lit and a dark one elsewhere.
  (= brightColours (list "red" "orange" "gold" "green" "blue"))
  (= darkColours (list "darkred" "tan" "khaki" "darkgreen" "purple"))
  (object Room (: level Number) (: lit Bool)
    (Cell 0 0 (at (if lit then brightColours else darkColours) level)))
  (object Ladder (map (--> rung (Cell 0 (- rung) "brown")) (range 0 3)))
  (object Lamp (Cell 0 0 "brown"))
  (object Climber (Cell 0 0 "white"))

  ; Rows 1 to 15 are the house; one walks on the lowest row of a floor, rows 3, 6, 9, 12 and 15.
  (= house (rect (Position 0 1) (Position 16 16)))
  (= isFloor (--> place (in (.. place y) (list 3 6 9 12 15))))

  ; The lamp lights all within three cells, as long as there is oil.
  (= furnish (--> (source flame)
    (map
      (--> place (Room (/ (- (.. place y) 1) 3) (& (> flame 0) (adjacentPoss place source 3)) place))
      house)))

  (= rooms (initnext (furnish (Position 5 15) 40) (furnish (.. lamp origin) oil)))
  (= ladder (initnext (Ladder (Position 9 15)) (prev ladder)))
  (= lamp (initnext (Lamp (Position 5 15)) (prev lamp)))
  (= climber (initnext (Climber (Position 7 15)) (prev climber)))

  ; Hidden: the oil, and what is held: 0 nothing, 1 the ladder, 2 the lamp.
  (= oil (initnext 40 (prev oil)))
  (= held (initnext 0 (prev held)))

  ; What is held goes where the climber goes.
  (= goTo (--> place (let
    (= climber (Climber place))
    (= ladder (if (== held 1) then (Ladder place) else ladder))
    (= lamp (if (== held 2) then (Lamp place) else lamp)))))

  ; Not more than two steps from a lit cell of the floor.
  (= dares (--> place
    (any
      (--> room
        (& (.. room lit)
        (& (== (.. (.. room origin) y) (.. place y))
           (adjacentPoss (.. room origin) place 2))))
      rooms)))

  (= walk (--> step (let
    (= ahead (move climber (Position step 0)))
    (if (& (isWithinBounds ahead) (dares (.. ahead origin))) then (goTo (.. ahead origin)) else climber))))

  (= isNear (--> place (adjacentPoss place (.. climber origin) 1)))

  (on left (walk -1))

  (on right (walk 1))

  ; A ladder that stands on a floor leads to the floor above.
  (on (& up (& (!= held 1) (& (== (.. ladder origin) (.. climber origin)) (> (.. (.. climber origin) y) 3))))
    (goTo (movePos (.. climber origin) (Position 0 -3))))

  (on (& down (& (!= held 1) (== (.. ladder origin) (movePos (.. climber origin) (Position 0 3)))))
    (goTo (.. ladder origin)))

  ; A click on a floor cell beside the climber or under him puts down what he held before this step.
  (on (& (!= (prev held) 0) (& clicked (& (isFloor click) (isNear click)))) (let
    (= ladder (if (== held 1) then (Ladder click) else ladder))
    (= lamp (if (== held 2) then (Lamp click) else lamp))
    (= held 0)))

  ; With empty hands a click on the ladder or the lamp beside him picks it up.
  (on (& (== (prev held) 0) (& (clicked ladder) (isNear click))) (let
    (= held 1)
    (goTo (.. climber origin))))

  (on (& (& (== (prev held) 0) (== held 0)) (& (clicked lamp) (isNear click))) (let
    (= held 2)
    (goTo (.. climber origin))))

  ; The oil burns down, and is filled up on the ground floor.
  (on true (= oil (if (== (.. (.. lamp origin) y) 15) then 40 else (max 0 (- oil 1)))))
)
