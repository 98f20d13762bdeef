; Goose Girl
;
; The girl moves with the keys to free cells. Six geese move in turn, and enter no cell that is taken. A goose
; inside the pen, in the lower right corner behind the fence, stays.
;
; A goose within 3 steps of the girl, without diagonals, is afraid: for 3 steps it runs away from where she was,
; along the axis on which she is farther away, along x if both are equal. Other geese move to a drawn neighbour in
; every second step.
;
; A click scares nobody, but calls: of the geese outside, the one nearest to the click takes one step towards it,
; along x first.

(program
  (= GRID_SIZE 16)

  (object Girl (Cell 0 0 "blue"))

  ; A goose keeps its heading for as many steps as it is afraid.

  (object Goose (: fear Number) (: heading Position) (Cell 0 0 "white"))

  ; The pen fills the lower right corner; its fence is open on the left.

  (object Pen (Cell 0 0 "brown"))

  (= pen (initnext
    (map (--> place (Pen place))
      (concat (list
        (rect (Position 10 10) (Position 16 11))
        (rect (Position 10 11) (Position 11 12))
        (rect (Position 10 14) (Position 11 16)))))
    (prev pen)))

  (= girl (initnext (Girl (Position 3 12)) (prev girl)))

  (= geese (initnext
    (map (--> place (Goose 0 (Position 0 0) place))
      (list (Position 3 3) (Position 8 2) (Position 12 4) (Position 5 7) (Position 9 7) (Position 13 7)))
    (prev geese)))

  (= beat (initnext 0 (- 1 (prev beat))))

  ; The girl moves to free cells.

  (on left (= girl (moveLeftNoCollision girl)))

  (on right (= girl (moveRightNoCollision girl)))

  (on up (= girl (moveUpNoCollision girl)))

  (on down (= girl (moveDownNoCollision girl)))

  ; Geese go one after the other and do not enter taken cells. In the pen they stay.

  (= inside (--> goose (& (> (.. (.. goose origin) x) 10) (> (.. (.. goose origin) y) 10))))

  (= outside (--> goose (! (inside goose))))

  (= walk (--> (goose step)
    (let
      (= moved (move goose step))
      (= taken (| (intersects moved girl) (| (intersects moved pen) (intersects moved geese))))
      (if (| taken (! (isWithinBounds moved))) then goose else moved))))

  ; Within 3 of the girl a goose runs away from her for 3 steps, along the axis of the greater distance.

  (= away (--> gap
    (if (>= (abs (.. gap x)) (abs (.. gap y)))
      then (Position (sign (.. gap x)) 0)
      else (Position 0 (sign (.. gap y))))))

  (= frighten (--> goose (Goose 3 (away (deltaObj girl goose)) (.. goose origin))))

  (= flee (--> goose (walk (updateObj goose "fear" (- (.. goose fear) 1)) (.. goose heading))))

  ; Otherwise it goes to a drawn neighbour every second step.

  (= stroll (--> goose
    (walk goose (displacement (.. goose origin) (uniformChoice (adjPositions (.. goose origin)))))))

  (= act (--> goose
    (if (inside goose) then goose
    else (if (> (.. goose fear) 0) then (flee goose)
    else (if (adjacentTwoObjs girl goose 3) then (flee (frighten goose))
    else (if (== beat 1) then (stroll goose)
    else goose))))))

  (= replace (--> (k goose)
    (map (--> j (if (== j k) then goose else (at geese j))) (range 0 (length geese)))))

  (on true
    (map (--> k (= geese (replace k (act (at geese k))))) (range 0 (length geese))))

  ; A click calls the nearest goose outside the pen by one step.

  (= come (--> goose (walk goose (unitVectorObjPos goose click))))

  (on (& clicked (any outside geese))
    (let
      (= called (closest (Girl click) (filter outside geese)))
      (= geese (updateObj geese come (--> goose (== (.. goose origin) (.. called origin)))))))
)
