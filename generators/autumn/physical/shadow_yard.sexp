; Shadow Yard
;
; The sun, two cells wide, moves along the top row to the right by one cell every two steps, from column 0 to 19,
; and starts again on the left. `up` stops it and starts it again.
;
; Posts throw shadows on the row below their feet, to the side away from the sun. A shadow is (distance / 3) *
; (height / 2) cells long, both rounded down; distances are measured from the left cell of the sun. So a post of
; height 1 has no shadow. Cells that are in two shadows, or off the grid, are not drawn.
;
; A click on a post makes it one cell higher, up to 5. A click elsewhere on the row of their feet puts a post of
; height 1 there.

(program
  (= GRID_SIZE 21)

  (object Post (: height Number) (map (--> k (Cell 0 (- k) "tan")) (range 0 height)))

  ; Sunlight is gold where the sun stands and dark blue where it is missing.

  (object Sun (: width Number) (: colour String) (map (--> k (Cell k 0 colour)) (range 0 width)))

  ; The sun moves one cell every two hours and starts again on the left.

  (= sunColumn (--> time (/ time 2)))

  (= newSun (--> time (Sun 2 "gold" (Position (sunColumn time) 0))))

  (= hour (initnext 0 (prev hour)))

  (= stopped (initnext false (prev stopped)))

  (= sun (initnext (newSun 0) (newSun hour)))

  (= firstPosts (--> () (list (Post 3 (Position 5 18)) (Post 3 (Position 14 18)))))

  (= posts (initnext ((firstPosts)) (prev posts)))

  ; The shadow of a post is as long as a third of its distance from the sun times half its height.

  (= shadowOf (--> (post time)
    (let
      (= foot (.. (.. post origin) x))
      (= distance (- foot (sunColumn time)))
      (= reach (* (/ (abs distance) 3) (/ (.. post height) 2)))
      (map (--> k (+ foot (* (sign distance) k))) (range 1 (+ reach 1))))))

  ; Cells off the grid and cells in two shadows are left out.

  (= shadowsOf (--> (yard time)
    (let
      (= columns (concat (map (--> post (shadowOf post time)) yard)))
      (= count (--> column (length (filter (--> other (== other column)) columns))))
      (= lone (--> column (& (== (count column) 1) (& (<= 0 column) (< column GRID_SIZE)))))
      (map (--> column (Sun 1 "darkblue" (Position column 19))) (filter lone columns)))))

  (= shadows (initnext (shadowsOf ((firstPosts)) 0) (shadowsOf posts hour)))

  (on (! stopped) (= hour (% (+ hour 1) 40)))

  ; A click on a post makes it one cell higher, a click elsewhere on row 18 sets up a new one.

  (on (clicked posts)
    (= posts (updateObj posts
      (--> post (Post (min 5 (+ (.. post height) 1)) (.. post origin)))
      (--> post (clicked post)))))

  (on (& (& clicked (! (clicked posts))) (== (.. click y) 18))
    (= posts (addObj posts (Post 1 click))))

  ; `up` stops or starts the sun.

  (on up (= stopped (! stopped)))
)
