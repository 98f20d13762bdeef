; Shadow Yard
;
; The sun wanders over a yard of posts, whose shadows grow with its distance and vanish where they cross.
;
; Distances are measured from the sun's left cell. The height is halved first, so posts of height 1 have no shadow.

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
