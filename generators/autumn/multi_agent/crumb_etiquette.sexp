; Crumb Etiquette
;
; A click on a free cell drops a crumb. Three birds have a nest each. In each step, every bird that neither
; carries a crumb nor has claimed one wishes for the nearest crumb that nobody has claimed; distances are without
; diagonals. If several wish for the same one, the nearest bird gets it; at a tie the one whose turn it is, or who
; comes next after it in the order red, blue, yellow. The turn goes round every 5 steps. Who does not get a crumb
; waits for the next step.
;
; A bird flies one cell a step towards its crumb, along x first, takes it, and flies on to its nest, where it is
; free again.
;
; `up` makes all birds forget their claims. `left` exchanges the nests of the red and the blue bird, `right` those
; of the blue and the yellow one. `down` removes the newest crumb.

(program
  (= GRID_SIZE 16)

  (object Nest (Cell 0 0 "brown"))

  (object Crumb (: number Number) (Cell 0 0 "tan"))

  ; A bird claims a crumb by its number, 0 is no claim.

  (object Bird (: colour String) (: rank Number) (: claim Number) (: carrying Bool) (Cell 0 0 colour))

  (= nests (initnext
    (list (Nest (Position 2 2)) (Nest (Position 13 2)) (Nest (Position 8 13)))
    (prev nests)))

  (= crumbs (initnext (list) (prev crumbs)))

  (= birds (initnext
    (list
      (Bird "red" 0 0 false (Position 2 2))
      (Bird "blue" 1 0 false (Position 13 2))
      (Bird "yellow" 2 0 false (Position 8 13)))
    (prev birds)))

  (= dropped (initnext 0 (prev dropped)))

  ; The turn goes round every 5 steps.

  (= clock (initnext 0 (% (+ (prev clock) 1) 15)))

  ; A click on a free cell drops a crumb.

  (on (& clicked (isFreePos click))
    (let
      (= dropped (+ dropped 1))
      (= crumbs (addObj crumbs (Crumb dropped click)))))

  ; Claiming: each free bird wishes for the nearest crumb nobody has claimed. Of the birds with the same wish the
  ; nearest gets it, at a tie the one whose turn it is or comes first.

  (= idle (--> bird (& (== (.. bird claim) 0) (! (.. bird carrying)))))

  (= claimed (--> crumb (any (--> bird (== (.. bird claim) (.. crumb number))) birds)))

  (= distance (--> (one other)
    (let
      (= gap (deltaObj one other))
      (+ (abs (.. gap x)) (abs (.. gap y))))))

  (= nearer (--> (bird best crumb)
    (if (< (distance bird crumb) (distance bird best)) then crumb else best)))

  (= wish (--> (bird offered)
    (foldl (--> (best crumb) (nearer bird best crumb)) (head offered) offered)))

  (= delay (--> (bird crumb)
    (+ (* 3 (distance bird crumb)) (% (+ (- (.. bird rank) (/ clock 5)) 3) 3))))

  (= wins (--> (bird crumb offered)
    (! (any
      (--> rival
        (& (== (.. (wish rival offered) number) (.. crumb number))
           (< (delay rival crumb) (delay bird crumb))))
      (filter idle birds)))))

  (= choose (--> (bird offered)
    (let
      (= wanted (wish bird offered))
      (if (wins bird wanted offered) then (updateObj bird "claim" (.. wanted number)) else bird))))

  ; Flying: a bird with a claim flies to its crumb and takes it, then straight to its nest.

  (= home (--> bird (at nests (.. bird rank))))

  (= bring (--> bird
    (let
      (= moved (move bird (unitVector bird (home bird))))
      (updateObj moved "carrying" (!= (.. moved origin) (.. (home bird) origin))))))

  (= fetch (--> (bird crumb)
    (let
      (= moved (move bird (unitVector bird crumb)))
      (if (== (.. moved origin) (.. crumb origin))
        then (let
          (= crumbs (removeObj crumbs (--> other (== (.. other number) (.. crumb number)))))
          (updateObj (updateObj moved "carrying" true) "claim" 0))
        else moved))))

  (= fly (--> bird
    (let
      (= mine (filter (--> crumb (== (.. crumb number) (.. bird claim))) crumbs))
      (if (.. bird carrying) then (bring bird)
      else (if (> (length mine) 0) then (fetch bird (head mine))
      else bird)))))

  (on true
    (let
      (= offered (filter (--> crumb (! (claimed crumb))) crumbs))
      (if (> (length offered) 0)
        then (= birds (updateObj birds (--> bird (choose bird offered)) idle))
        else birds)
      (= birds (map fly birds))))

  ; `up` wakes all birds: they forget their claims.

  (on up (= birds (map (--> bird (updateObj bird "claim" 0)) birds)))

  ; `left` exchanges the nests of red and blue, `right` those of blue and yellow.

  (on left (= nests (list (at nests 1) (at nests 0) (at nests 2))))

  (on right (= nests (list (at nests 0) (at nests 2) (at nests 1))))

  ; `down` removes the newest crumb and the claim to it.

  (on (& down (> (length crumbs) 0))
    (let
      (= newest (.. (tail crumbs) number))
      (= crumbs (removeObj crumbs (--> crumb (== (.. crumb number) newest))))
      (= birds (updateObj birds
        (--> bird (updateObj bird "claim" 0))
        (--> bird (== (.. bird claim) newest))))))
)
