"""What `seedbed autumn check` says of worlds: twenty small worlds, each with one mistake, and worlds without any.

    python3 tests/worlds_check_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import os
import re
import unittest

from dataset_support import FOUND, InFolder, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FINE = 0

GOOD = """(program
  (task "Coins"
    (says "Collect the coins.")
    (difficulty easy (= GRID_SIZE 5) (= COINS 2) (steps 40) (solution 4 12))
    (win (== (length coins) 0))
    (unordered coins))
  (object Coin (Cell 0 0 "gold"))
  (object Player (Cell 0 0 "blue"))
  (= coins (map Coin (sample (filter (--> p (> (+ (.. p x) (.. p y)) 0)) (allPositions GRID_SIZE)) COINS)))
  (= player (Player (Position 0 0)))
  (= moves 0)
  (= go (--> moved (if (isWithinBounds moved) then (let
    (= player moved)
    (= coins (filter (--> coin (! (== (.. coin origin) (.. moved origin)))) coins))) else coins)))
  (on left (go (moveLeft player)))
  (on right (go (moveRight player)))
  (on up (go (moveUp player)))
  (on down (go (moveDown player)))
)
"""

WIN = "(win (== (length coins) 0))"
END = "  (on down (go (moveDown player)))\n)"

# What is changed, the exit code, and what is said: the place, whether it is advice, and some of the words.
BROKEN = {
    "unwinnable": ([(WIN, "(win (> (length coins) 2))"), (" (solution 4 12)", "")], FOUND,
                   ":5:5: easy: no play can win, as `win` says it: from 100 starts every state"),
    "unwinnable, though a solution is demanded": ([(WIN, "(win (> (length coins) 2))")], FOUND,
                                                  ":5:5: easy: no play can win, as `win` says it: from 5 starts every state"),
    "always won, whatever is done": ([(WIN, "(win (> moves 2))"), (END, END[:-1] + "  (on true (= moves (+ moves 1)))\n)"),
                                        ("(solution 4 12)", "(solution 3 3)")], FOUND,
                                     
                                     ":4:17: easy: it is always won, also by `noop` alone"),
    "random actions always win": ([(WIN, "(win (< (length coins) COINS))"), ("(steps 40) (solution 4 12)", "(steps 9000) (solution 1 12)")], FOUND,
                                  ":4:17: easy: random actions always win"),
    "a name that is taken": ([('(task "Coins"', '(task "Seesaw"')], FOUND, ":2:9: `Seesaw` is the name of a program that comes with Seedbed"),
    "won at once": ([(WIN, "(win (== (.. (.. player origin) x) 0))")], FOUND,
                    ":5:5: easy: no start of 1000 is accepted: 1000 are won at once, because `win` holds"),
    "lost at once": ([(WIN, WIN + "\n    (lose (< moves 1))")], FOUND, ":6:5: easy: no start of 1000 is accepted: 1000 are lost at once, because `lose` holds"),
    "a bound that is too high": ([(WIN, WIN + "\n    (bound (* 4 (length coins)))")], FOUND, ":6:5: `bound` is refuted: it says that at least "),
    "a bound that refuses starts": ([(WIN, WIN + "\n    (bound (+ 50 (length coins)))")], FOUND, "which is refused"),
    "a bound that says nothing": ([(WIN, WIN + "\n    (bound (- 0 (length coins)))")], FINE, ":6:5: advice: `bound` was never above 0"),
    "a parameter that is there twice": ([("(= COINS 2)", "(= COINS 2) (= COINS 3)")], FOUND, ":4:53: parse: the parameter `COINS` is there twice"),
    "a name of the library as parameter": ([("(= COINS 2)", "(= COINS 2) (= range 3)")], FOUND, ":4:53: parse: `range` is a name of the library"),
    "an action that is not needed": ([(WIN, WIN + "\n    (needs left)")], FOUND, ":6:12: easy: `needs` is never so: "),
    "an action that does nothing": ([(END, END[:-1] + "  (on clicked (= player player))\n)")], FINE, ": advice: `click` is never needed: each of"),
    "an action that another one can do": ([("(on left (go (moveLeft player)))", "(on left (go (moveRight player)))")], FINE,
                                          ": advice: `left` is never needed: each of"),
    "unordered of what is no list": ([("(unordered coins)", "(unordered coins moves)")], FINE, ":6:22: advice: `unordered` names `moves`, which is no list"),
    "unordered of what is not there": ([("(unordered coins)", "(unordered coin)")], FINE, ":6:16: advice: `unordered` names `coin`, which is no variable"),
    "an order that means something": ([("(= coins (filter (--> coin (! (== (.. coin origin) (.. moved origin)))) coins))",
                                        "(= coins (if (== (.. (head coins) origin) (.. moved origin)) then "
                                        "(filter (--> coin (!= coin (head coins))) coins) else coins))"),
                                       ("COINS 2", "COINS 3"), ("(solution 4 12)", "(solution 2 20)")], FOUND, ":6:16: the order of `coins` means something"),
    "a handler that never fires": ([(END, END[:-1] + "  (on (> (length coins) 5) (= moves 1))\n)")], FINE, ":19:7: advice: this handler never fired, in "),
    "hidden, but drawn": ([("(unordered coins)", "(unordered coins)\n    (hidden coins)")], FINE, ":7:13: advice: `hidden` names `coins`, but it is drawn"),
    "chance in steps": ([(END, END[:-1] + "  (on true (= moves (uniformChoice (range 0 2))))\n)"),
                         ("(unordered coins)", "(unordered coins)\n    (lose (== moves 7))")], FINE,
                        
                        ":20:21: advice: steps draw random numbers here"),
    "a solution that is out of reach": ([("(solution 4 12)", "(solution 30 40)")], FOUND,
                                        ":4:17: easy: no start of 1000 is accepted: `solution` demands 30 to 40 steps, but shortest plays have "),
    "a solution that takes longer than an episode": ([("(steps 40)", "(steps 3)")], FOUND,
                                                     ":4:17: easy: no episode can be won: `solution` demands 4 steps at least, but"),
    "a score that falls": ([(WIN, "(score (- (abs (.. (.. player origin) x)) 0) 4)")], FOUND, ":5:12: limit: the score falls from "),
    "a score above its highest": ([(WIN, "(score (* 3 (- COINS (length coins))) 4)")], FOUND, ":5:12: limit: the score is 6, not 0 to 4 (Coins/easy#"),
    "start is never true": ([(WIN, WIN + "\n    (start (> (length coins) 7))")], FOUND, ":6:5: easy: no start of 1000 is accepted: `start` was false in 1000"),
    "an object that leaves the grid": ([("(if (isWithinBounds moved)", "(if true")], FINE,
                                       ":10:3: advice: `player` leaves the grid, where nobody sees it (Coins/easy#"),
    "bounds of a position": ([("(isWithinBounds moved)", "(& (isWithinBounds moved) (isWithinBounds (.. moved origin)))")], FINE,
                             ":12:50: advice: `isWithinBounds` of a position is always true"),
    "a start that fails": ([("COINS 2", "COINS 26")], FOUND,
                           ":9:22: easy: no start of 1000 is accepted: the program fails when it is drawn: random: 26 different items"),
    "a loss that cannot be": ([(WIN, WIN + "\n    (lose (> (length coins) 5))")], FINE, ":6:5: advice: `lose` never became true in "),
}

MIRROR = """(program
  (task "Mirror"
    (says "Reach the coin.")
    (difficulty easy (= GRID_SIZE 4) (steps 40) (solution 2 12))
    (win (== (.. player origin) (.. coin origin))))
  (object Coin (Cell 0 0 "gold"))
  (object Player (: turned Bool) (Cell 0 0 "blue"))
  (= coin (Coin (uniformChoice (list (Position 0 3) (Position 3 3)))))
  (= turned (uniformChoice (list true false)))
  (= player (Player turned (Position 1 0)))
  (= go (--> moved (if (isWithinBounds moved) then (= player moved) else player)))
  (on left  (go (if turned then (moveRight player) else (moveLeft player))))
  (on right (go (if turned then (moveLeft player) else (moveRight player))))
  (on down  (go (moveDown player)))
)
"""


def broken(changes):
    text = GOOD
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


class Worlds(InFolder):
    def check(self, text, *options):
        write(os.path.join(self.folder, "world.sexp"), text)
        return run("autumn", "check", "world.sexp", *options, cwd=self.folder)

    def test_crates_gets_no_advice(self):
        done = run("autumn", "check", os.path.join(ROOT, "examples", "worlds", "crates.sexp"))
        advice = [line for line in done.stdout.splitlines() if "advice" in line]
        self.assertEqual((done.returncode, advice), (FINE, []), done.stdout)

    def test_mistakes_are_told_with_their_places(self):
        for name, (changes, code, words) in BROKEN.items():
            with self.subTest(world=name):
                done = self.check(broken(changes))
                self.assertEqual(done.returncode, code, done.stdout + done.stderr)
                self.assertIn("world.sexp" + words if words.startswith(":") else words, done.stdout)

    def test_a_grid_without_a_cell_is_no_start(self):
        text = '(program (task "Small" (difficulty easy (= SIDE 0)) (win (& ((left)) (== (prev n) 5)))) (= GRID_SIZE SIDE) (= n (initnext 0 (+ (prev n) 1))))'
        for side, code in ("0", FOUND), ("-3", FOUND), ("1", FINE):
            path = write(self.path("small.sexp"), text.replace("SIDE 0", f"SIDE {side}"))
            done = run("autumn", "check", path)
            self.assertEqual(done.returncode, code, done.stdout)
            if code == FOUND:
                self.assertIn("no start of 1000 is accepted: the program fails when it is drawn: limit: GRID_SIZE must be at least 1", done.stdout)
        write(path, text.replace("(difficulty easy (= SIDE 0))", "").replace("GRID_SIZE SIDE", "GRID_SIZE (uniformChoice (list 0 3))"))
        done = run("solve", *(f"{path}#{seed}" for seed in range(8)))
        self.assertEqual((done.returncode, done.stdout.count("success")), (0, 8), "starts without a cell are drawn again")

    def test_lists_whose_order_means_nothing_are_told(self):
        with open(os.path.join(ROOT, "examples", "worlds", "crates.sexp"), encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"\n *\(difficulty (easy|hard) .*", "", text)
        self.assertNotIn("differ only", self.check(text).stdout)
        said = self.check(text.replace("\n    (unordered crates)", "")).stdout
        self.assertRegex(said, r":\d+:3: advice: states differ only in the order of `crates`: with `\(unordered crates\)` "
                               r"a search looked at \d+ states instead of \d+\n")

    def test_claims_that_are_right_get_no_advice(self):
        for change in ("(bound (length coins))", "(bound (foldl max 0 (map (--> coin (sqrt (sqdist (.. coin origin) (.. player origin)))) coins)))",
                       "(lose (any (--> coin (== (.. (.. coin origin) x) 4)) (if (== (.. (.. player origin) y) 4) then coins else (list))))"):
            with self.subTest(clause=change):
                done = self.check(broken([(WIN, WIN + "\n    " + change)]))
                self.assertEqual((done.returncode, "advice" in done.stdout), (FINE, False), done.stdout)
                self.assertEqual(bool(re.search(r"`bound` held in \d+ states", done.stdout)), "bound" in change)

    def test_what_differs_only_when_all_is_over_is_not_hidden(self):
        click = "  (on clicked (= moves (+ moves (+ (.. click x) 1))))\n)"
        self.assertIn("hidden: states that look the same differ in `moves`, but none of ", self.check(broken([(END, END[:-1] + click)])).stdout)
        self.assertIn("nothing hidden", self.check(broken([(END, END[:-1] + click), (WIN, WIN + "\n    (lose (> moves 0))")])).stdout)

    def test_modes_in_which_equal_observations_need_different_actions_are_named(self):
        told = self.check(MIRROR).stdout
        self.assertRegex(told, r"world.sexp: equal observations need different actions in `frame`: `frame` shows Mirror/easy#\d+ after .* and "
                               r"Mirror/easy#\d+ after .* alike, but shortest plays go on with `(left|right)` and `(left|right)`\n")
        untold = self.check(MIRROR.replace("(: turned Bool) ", "").replace("(Player turned", "(Player")).stdout
        self.assertIn("need different actions in `frame`, `ascii`, `language`: `frame` shows ", untold)
        seen = self.check(MIRROR.replace('"blue"', '(if turned then "blue" else "red")')).stdout
        self.assertIn("nothing hidden", seen)
        self.assertNotIn("equal observations", seen)
        idle = self.check(MIRROR.replace("(if turned then (moveRight player) else (moveLeft player))", "(moveLeft player)").replace(
            "(if turned then (moveLeft player) else (moveRight player))", "(moveRight player)")).stdout
        self.assertRegex(idle, r"hidden: states that look the same differ in `player`, but none of \d+ pairs needs different actions\n")

    def test_steps_that_take_long_are_tried_less_often(self):
        """One step takes a million evaluations, and there would be 250,000 states."""
        done = self.check(broken([(END, END[:-1] + "  (on true (= moves (length (filter (--> p true) (allPositions 500)))))\n)")]))
        self.assertEqual(done.returncode, FINE, done.stdout)
        self.assertRegex(done.stdout, r"easy: \d+ of \d+ starts accepted .*; more would take too long\n")

    def test_a_good_world_gets_no_advice(self):
        done = self.check(GOOD)
        self.assertEqual((done.returncode, done.stderr), (FINE, ""))
        self.assertNotIn("advice", done.stdout)
        self.assertRegex(done.stdout, r"easy: \d+ of 100 starts accepted \(.*\); shortest plays of 4 to \d+ steps, "
                                      r"median \d \(of \d+\); random actions win \d+ of \d+ plays")


if __name__ == "__main__":
    unittest.main(argv=["worlds_check_test"])
