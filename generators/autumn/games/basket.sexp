; Basket
;
; Every 6 steps a fruit falls from a drawn column; every third one is green. A click names a column, and the
; basket goes there, one cell a step. A fruit that reaches the lowest row is caught if the basket is there, and
; missed otherwise.
;
; A red one caught adds one to the streak. Anything else ends the streak. After four red ones in a row, fruits
; fall two cells a step, and the next one caught is rotten: it counts as green, whatever it looked. Then all is as
; at first.
;
; `up` throws the fruits in the column of the basket's middle up by 3 cells.

(program
  (= GRID_SIZE 10)

  (object Fruit (: ripe Bool) (Cell 0 0 (if ripe then "red" else "green")))
  (object Basket (map (--> part (Cell part 0 "gold")) (range -1 2)))

  (= fruits (initnext (list) (prev fruits)))
  (= basket (initnext (Basket (Position 4 9)) (prev basket)))

  ; Hidden: cells a fruit falls in a step, red fruits caught in a row, and whether
  ; the next catch will turn out green.
  (= speed (initnext 1 (prev speed)))
  (= streak (initnext 0 (prev streak)))
  (= rotten (initnext false (prev rotten)))

  ; A fruit every six steps, every third one green; and the column the basket goes to.
  (= clock (initnext 0 (% (+ (prev clock) 1) 18)))
  (= goal (initnext 4 (prev goal)))

  (= column (--> thing (.. (.. thing origin) x)))
  (= row (--> thing (.. (.. thing origin) y)))

  ; A good catch lengthens the streak; anything else ends it.
  (= land (--> fruit (let
    (= good (& (.. fruit ripe) (& (! rotten) (intersects fruit basket))))
    (= streak (if good then (+ streak 1) else 0))
    (= speed (if (< streak 4) then 1 else 2))
    (= rotten (== streak 4)))))

  (= fall (--> fruit
    (updateObj fruit "origin" (Position (column fruit) (min 9 (+ (row fruit) speed))))))

  (= newFruit (--> () (Fruit (!= clock 17) (Position (uniformChoice (range 0 10)) 0))))

  ; A click drags the basket; it stays inside the grid.
  (on clicked (= goal (max 1 (min 8 (.. click x)))))

  ; Up throws the fruit above the middle of the basket three cells higher.
  (on up
    (= fruits (updateObj fruits
      (--> fruit (updateObj fruit "origin" (Position (column fruit) (max 0 (- (row fruit) 3)))))
      (--> fruit (== (column fruit) (column basket))))))

  ; The basket goes on, fruits fall, those on the ground land, and a new one may come.
  (on true (let
    (= basket (move basket (Position (sign (- goal (column basket))) 0)))
    (= fallen (map fall fruits))
    (map land (filter (--> fruit (== (row fruit) 9)) fallen))
    (= fruits (filter (--> fruit (< (row fruit) 9)) fallen))
    (= fruits (if (== (% clock 6) 5) then (addObj fruits ((newFruit))) else fruits))))
)
