; Dye Pots
;
; Three pots hold 6 portions of dye each: red, yellow and blue. A click on a pot puts a portion into the ladle,
; unless that dye is in it already. The ladle is orange while it holds a mixture, and gray if it is empty or holds
; one dye. Red and yellow give orange, red and blue purple, yellow and blue green, all three brown.
;
; A click on the cloth dyes the clicked cell with what is in the ladle, and mixes it with what is there. The ladle
; stays full. A click on the drain, a black cell in the lower right corner, empties it.
;
; A pot without portions cannot be seen. `up` fills the emptiest pot by 2 portions, up to 6, the first of several.
; `down` bleaches the lower row of the cloth.

(program
  (= GRID_SIZE 7)

  ; Dyes are numbers: red 1, yellow 2, blue 4, and mixtures their sums.
  (= colours (list "white" "red" "yellow" "orange" "blue" "purple" "green" "brown"))
  (= mixtures (list 3 5 6 7))

  ; A pot with nothing left is not drawn.
  (object Pot (: dye Number) (: amount Number)
    (if (> amount 0) then (list (Cell 0 0 (at colours dye))) else (list)))
  (object Ladle (: filling Number) (Cell 0 0 (if (in filling mixtures) then "orange" else "gray")))
  (object Cloth (: stain Number) (Cell 0 0 (at colours stain)))
  (object Drain (Cell 0 0 "black"))

  ; Hidden: the portions in the pots, and what is in the ladle.
  (= pots (initnext
    (list (Pot 1 6 (Position 1 1)) (Pot 2 6 (Position 3 1)) (Pot 4 6 (Position 5 1)))
    (prev pots)))
  (= ladle (initnext (Ladle 0 (Position 0 4)) (prev ladle)))
  (= cloth (initnext
    (map (--> place (Cloth 0 place)) (rect (Position 2 3) (Position 5 6)))
    (prev cloth)))
  (= drain (initnext (Drain (Position 6 6)) (prev drain)))

  (= contains (--> (mixture part) (== (% (/ mixture part) 2) 1)))

  ; Each of the three dyes is in a mixture if it is in one of its two halves.
  (= mix (--> (one other)
    (sum (filter (--> part (| (contains one part) (contains other part))) (list 1 2 4)))))

  (= pour (--> (pot portions) (Pot (.. pot dye) (+ (.. pot amount) portions) (.. pot origin))))

  (= change (--> (old new)
    (= pots (map (--> pot (if (== (.. pot origin) (.. old origin)) then new else pot)) pots))))

  ; A pot gives a portion into the ladle, unless its dye is in it already.
  (on (clicked pots) (let
    (= used (head (objClicked pots)))
    (if (contains (.. ladle filling) (.. used dye)) then ladle else (let
      (change used (pour used -1))
      (= ladle (updateObj ladle "filling" (+ (.. ladle filling) (.. used dye))))))))

  ; The clicked cell of the cloth mixes with what is in the ladle; the ladle stays full.
  (on (clicked cloth)
    (= cloth (updateObj cloth
      (--> patch (updateObj patch "stain" (mix (.. patch stain) (.. ladle filling))))
      (--> patch (clicked patch)))))

  (on (clicked drain) (= ladle (updateObj ladle "filling" 0)))

  ; Up gives two portions to the emptiest pot (the first of equals, at most 6 in all).
  (on up (let
    (= least (foldl (--> (low pot) (min low (.. pot amount))) 6 pots))
    (= emptiest (head (filter (--> pot (== (.. pot amount) least)) pots)))
    (change emptiest (pour emptiest (min 2 (- 6 least))))))

  ; Down bleaches the lower row of the cloth.
  (on down
    (= cloth (updateObj cloth
      (--> patch (updateObj patch "stain" 0))
      (--> patch (== (.. (.. patch origin) y) 5)))))
)
