; Stack Swing
;
; A block swings to and fro below a crane, one cell a step. A click lets it fall, one cell a step. The part that
; does not lie on the block below is lost, and the next block is as wide as what was left. A perfect fit makes the
; next block one cell wider, up to 8. The first block is 6 cells wide, the colours go round, and the crane swings
; on while a block falls.
;
; Every 10 steps the wind is drawn: left, none or right. It moves a falling block by one cell when it comes to row
; 10, unless it would leave the grid.
;
; After every fifth block the stack sinks by five rows. A block that misses the stack starts all anew.

(program
  (= GRID_SIZE 20)

  ; The block's number decides its colour; the colours go round.
  (= colours (list "red" "orange" "gold" "green" "cyan" "blue" "purple"))
  (object Block (: width Number) (: number Number)
    (map (--> part (Cell part 0 (at colours number))) (range 0 width)))
  (object Crane (Cell 0 0 "silver"))

  ; The block on row 1 hangs from the crane, below row 1 it falls.
  (= block (initnext (Block 6 1 (Position 0 1)) (prev block)))
  (= crane (initnext (Crane (Position 3 0)) (prev crane)))
  (= ground (--> () (list (Block 6 0 (Position 7 19)))))
  (= stack (initnext ((ground)) (prev stack)))

  ; Hidden: how fast the hanging place goes, where it is and in which direction it goes,
  ; the number of blocks dropped well, the wind, and a clock for the wind.
  (= speed 1)
  (= offset (initnext 0 (prev offset)))
  (= swing (initnext 1 (prev swing)))
  (= height (initnext 0 (prev height)))
  (= wind (initnext 0 (prev wind)))
  (= clock (initnext 0 (% (+ (prev clock) 1) 10)))

  (= column (--> thing (.. (.. thing origin) x)))
  (= row (--> thing (.. (.. thing origin) y)))

  (= hang (--> size (= block (Block size (% (+ height 1) 7) (Position (min offset (- 20 size)) 1)))))

  ; A good drop: the part that lies on the block below stays, a perfect fit makes the next block wider.
  (= settle (--> (from to) (let
    (= stack (addObj stack (Block (- to from) (.. block number) (Position from (row block)))))
    (= perfect (== (- to from) (.. block width)))
    (= height (+ height 1))
    (= stack (if (== (% height 5) 0) then ((sink)) else stack))
    (hang (if perfect then (min 8 (+ (.. block width) 1)) else (- to from))))))

  ; After five blocks the stack sinks by five rows; only the uppermost block is still seen.
  (= sink (--> ()
    (filter (--> laid (< (row laid) 20)) (map (--> laid (move laid (Position 0 5))) stack))))

  ; Missing the stack starts all anew.
  (= startAnew (--> () (let
    (= height 0)
    (= stack ((ground)))
    (hang 6))))

  (= land (--> () (let
    (= below (tail stack))
    (= leftEnd (max (column block) (column below)))
    (= rightEnd (min (+ (column block) (.. block width)) (+ (column below) (.. below width))))
    (if (< leftEnd rightEnd) then (settle leftEnd rightEnd) else ((startAnew))))))

  ; The wind moves a falling block when it comes to row 10, inside the grid.
  (= fall (--> () (let
    (= blown (move block (Position (if (== (row block) 9) then wind else 0) 1)))
    (= block (if (isWithinBounds blown) then blown else (moveDown block)))
    (if (== (row block) (- (row (tail stack)) 1)) then ((land)) else block))))

  ; The hanging place goes to and fro between the walls.
  (= goOn (--> () (let
    (= room (- 20 (.. block width)))
    (= swing (if (>= offset room) then -1 else (if (<= offset 0) then 1 else swing)))
    (= offset (max 0 (min room (+ offset (* swing speed)))))
    (= crane (Crane (Position (+ offset (/ (.. block width) 2)) 0))))))

  ; The crane swings, and what was let go falls; every tenth step the wind is drawn.
  (on true (let
    (= wind (if (== clock 9) then (uniformChoice (list -1 0 1)) else wind))
    ((goOn))
    (if (> (row block) 1)
      then ((fall))
      else (= block (updateObj block "origin" (Position offset 1))))))

  ; A click lets the block go.
  (on (& clicked (== (row block) 1)) (= block (moveDown block)))
)
