; Rumour Square
;
; Twelve people stand at drawn places, and one of them believes a rumour. In each step a drawn person talks to a
; drawn one of those within 2 steps of it, without diagonals. Who believes a rumour repeats it, and the listener
; has then heard it once more; up to 3 times are counted. A person believes what it heard more than 2 times.
;
; White people have heard nothing, pink ones have heard a rumour, gold ones believe one, and red ones have heard
; both. In every fourth step everybody moves to a drawn neighbour.
;
; A click on a person silences it (gray) or frees it; a silent person neither talks nor listens. `up` makes the
; person nearest to the middle believe a second rumour. `down` lowers the number that is needed to believe by 1,
; down to 0.

(program
  (= GRID_SIZE 10)

  ; Each person counts how often it has heard the first and the second rumour, and repeats a rumour heard more
  ; often than the belief needed.

  (= shade (--> (first second silent)
    (if silent then "gray"
    else (if (& (> first 0) (> second 0)) then "red"
    else (if (> (max first second) belief) then "gold"
    else (if (> (max first second) 0) then "pink"
    else "white"))))))

  (object Person (: first Number) (: second Number) (: silent Bool)
    (Cell 0 0 (shade first second silent)))

  ; The people stand at drawn places; one of them believes the first rumour.

  (= newcomers (--> places
    (map (--> k (Person (if (== k 0) then 3 else 0) 0 false (at places k))) (range 0 12))))

  (= people (initnext (newcomers (randomPositions 10 12)) (prev people)))

  (= belief (initnext 2 (prev belief)))

  (= beat (initnext 0 (% (+ (prev beat) 1) 4)))

  ; Talking: a drawn person and a drawn other one within 2 of it. Nobody listens to a silent person, and a
  ; silent person does not listen.

  (= audience (--> speaker
    (filter
      (--> k (& (!= k speaker) (adjacentTwoObjs (at people k) (at people speaker) 2)))
      (range 0 12))))

  (= hear (--> (count told) (if (> told belief) then (min 3 (+ count 1)) else count)))

  (= listen (--> (listener speaker)
    (if (| (.. listener silent) (.. speaker silent)) then listener
    else (Person
      (hear (.. listener first) (.. speaker first))
      (hear (.. listener second) (.. speaker second))
      false
      (.. listener origin)))))

  (= talk (--> (speaker listener)
    (= people (map
      (--> k (if (== k listener) then (listen (at people k) (at people speaker)) else (at people k)))
      (range 0 12)))))

  ; Every fourth step everyone moves to a drawn neighbour.

  (= stroll (--> person
    (updateObj person "origin" (uniformChoice (adjPositions (.. person origin))))))

  (on true
    (let
      (= speaker (uniformChoice (range 0 12)))
      (= near (audience speaker))
      (if (> (length near) 0) then (talk speaker (uniformChoice near)) else near)
      (if (== beat 3) then (= people (map stroll people)) else people)))

  ; A click silences a person or frees it.

  (on (clicked people)
    (= people (updateObj people
      (--> person (updateObj person "silent" (! (.. person silent))))
      (--> person (clicked person)))))

  ; `up` lets the person nearest to the centre believe a second rumour.

  (on up
    (let
      (= middle (closest (Person 0 0 false (Position 5 5)) people))
      (= people (updateObj people
        (--> person (updateObj person "second" 3))
        (--> person (== person middle))))))

  ; `down` lowers the belief needed.

  (on down (= belief (max 0 (- belief 1))))
)
