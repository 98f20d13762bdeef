; Chip Gatherers
;
; 12 walkers and 40 chips start at drawn places. In each step, every walker moves to a drawn neighbour. If it
; comes to a chip with empty hands, it takes it and is red while it carries it. If it comes to a chip while it
; carries one, it drops its own onto a drawn free neighbour of that place; without a free one it keeps it.
;
; A click scares: walkers within 5 steps of the click, without diagonals, drop what they carry where they are and
; stand still for 6 steps.

(program
  (= GRID_SIZE 20)

  (object Chip (Cell 0 0 "tan"))

  ; A walker is red while it carries a chip. It stands still as long as its patience lasts.

  (object Walker (: carrying Bool) (: patience Number) (Cell 0 0 (if carrying then "red" else "orange")))

  ; The first 12 drawn places are the walkers', the other 40 the chips'.

  (= places (randomPositions 20 52))

  (= chips (initnext
    (map (--> k (Chip (at places k))) (range 12 52))
    (prev chips)))

  (= walkers (initnext
    (map (--> k (Walker false 0 (at places k))) (range 0 12))
    (prev walkers)))

  (= chipsAt (--> place (filter (--> chip (== (.. chip origin) place)) chips)))

  (= bare (--> place (& (isFreePos place) (== (length (chipsAt place)) 0))))

  ; On a chip a walker takes it or, if it carries one already, drops its own on a drawn free neighbour.

  (= take (--> walker
    (let
      (= chips (removeObj chips (head (chipsAt (.. walker origin)))))
      (updateObj walker "carrying" true))))

  (= putBeside (--> walker
    (let
      (= room (filter bare (adjPositions (.. walker origin))))
      (if (== (length room) 0) then walker
      else (let
        (= chips (addObj chips (Chip (uniformChoice room))))
        (updateObj walker "carrying" false))))))

  (= arrive (--> walker
    (if (== (length (chipsAt (.. walker origin))) 0) then walker
    else (if (.. walker carrying) then (putBeside walker)
    else (take walker)))))

  (= step (--> walker
    (if (> (.. walker patience) 0)
      then (updateObj walker "patience" (- (.. walker patience) 1))
      else (arrive (updateObj walker "origin" (uniformChoice (adjPositions (.. walker origin))))))))

  (on true (= walkers (map step walkers)))

  ; A click scares the walkers within 5: they drop what they carry and stand still for 6 steps.

  (= near (--> walker (adjacentPoss (.. walker origin) click 5)))

  (= scare (--> walker (Walker false 6 (.. walker origin))))

  (on clicked
    (let
      (= scared (filter near walkers))
      (= loaded (filter (--> walker (.. walker carrying)) scared))
      (= chips (addObj chips (map (--> walker (Chip (.. walker origin))) loaded)))
      (= walkers (updateObj walkers scare near))))
)
