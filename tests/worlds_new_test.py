"""Worlds to begin with (`seedbed new`), and worlds in the published language (`seedbed autumn plain`).

    python3 tests/worlds_new_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import glob
import os
import random
import re
import unittest

from dataset_support import FOUND, USAGE, InFolder, read, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FINE = 0
LIKE = ("sokoban", "clicks", "hidden", "chance")

# Everything that only worlds have, also in steps, and names that a translation could be tempted to use.
FULL = r"""; A world with everything.
(program
  (task "Full"
    (difficulty one (= MAP "
#####
#p.g#   
#.g\"#
#####") (= K 2) (steps 9))
    (difficulty two (= MAP "p.g\ng..") (= K 1) (steps 9))
    (win (all (--> dot (== (count (--> other (== (.. other origin) (.. dot origin))) dots) 7)) dots))
    (says "A text that is longer than the sixty-four bytes that other programs may have, and is not needed."))
  (object Wall (Cell 0 0 "gray"))
  (object Dot (: n Number) (: walls (List Wall)) (Cell 0 0 (if (< n 4) then "red" else "blue")))
  (= GRID_SIZE 5)
  (= WHERE "g") ; (places
  (= sample_i 3) (= makeWall 4) (= all_item 1)
  (= walls (map Wall (places MAP "#")))
  (= goals (shuffle (places MAP WHERE)))
  (= drawn (uniformChoice (list "..\n.g" "g.g" "#")))
  (= others (map (--> p (Dot 9 (list) p)) (places drawn WHERE)))
  (= makers (list Wall))
  (= dots (map (--> p (Dot sample_i walls p)) (take goals K)))
  (on (all (--> dot (> (.. dot n) 2)) dots) (= dots (shuffle dots)))
  (on (& clicked (== (count (--> dot (== (.. dot origin) click)) dots) 0)) (= dots (addObj dots (Dot all_item (list) click))))
  (on left (= dots (map (--> dot (moveRight dot)) (sample dots 1))))
  (on right (= dots (take (concat (list dots others)) 2)))
  (on up (= walls (map (--> p (Wall p)) (map (--> wall (.. wall origin)) walls))))
)
"""


def difficulties(text):
    return re.findall(r"\(difficulty (\w+)", text)


def random_actions(seed, n=100):
    draw = random.Random(seed)
    actions = ["noop", "left", "right", "up", "down"]
    return ",".join(draw.choice([*actions, f"click {draw.randrange(5)} {draw.randrange(5)}"]) for _ in range(n))


class New(InFolder):
    def make(self, *arguments):
        return run("new", *arguments, cwd=self.folder)

    def test_first_worlds_are_right_and_are_solved_and_become_data(self):
        for like in LIKE:
            with self.subTest(like=like):
                name, path = "My_" + like, f"my_{like}.sexp"
                self.assertEqual(self.make(name, "--like", like).returncode, FINE)
                checked = run("autumn", "check", path, cwd=self.folder)
                self.assertEqual(checked.returncode, FINE, checked.stdout)
                self.assertNotRegex(checked.stdout, "advice|warning")
                self.assertEqual("hidden: states that look the same" in checked.stdout, like == "hidden")
                self.assertEqual("stochastic" in checked.stdout, like == "chance")
                for difficulty in ("easy", "hard"):
                    names = [f"autumn:{name}/{difficulty}#{seed}" for seed in range(6)]
                    solved = run("solve", *names, "--program", path, cwd=self.folder).stdout
                    self.assertGreaterEqual(solved.count(" success "), 3 if like == "chance" else 6, solved)
                built = run("build", "--tasks", name, "--program", path, "--split", "train", "-n", "3", "-o", like, cwd=self.folder)
                self.assertEqual(built.returncode, FINE, built.stderr)
                self.assertEqual(run("verify", like, cwd=self.folder).returncode, FINE)

    def test_first_worlds_are_played(self):
        for like in LIKE:
            self.make("W", "--like", like)
            played = run("play", "autumn:W/easy#1", "--program", "w.sexp", cwd=self.folder, input="w\n?\n")
            self.assertEqual(played.returncode, FINE, played.stderr)
            self.assertIn("Hint: ", played.stdout)
            os.remove(os.path.join(self.folder, "w.sexp"))

    def test_nothing_is_overwritten(self):
        path = write(os.path.join(self.folder, "crates.sexp"), "mine")
        os.symlink("nowhere", os.path.join(self.folder, "link"))
        for arguments in (["Crates"], ["Other", "-o", "crates.sexp"], ["Other", "-o", "link"]):
            done = self.make(*arguments)
            self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
            self.assertIn("is there already", done.stderr)
        self.assertEqual((read(path), sorted(os.listdir(self.folder))), (b"mine", ["crates.sexp", "link"]))

    def test_names_that_no_world_can_have_are_refused(self):
        for name in ("", "9a", "a b", 'a"', "a/b", "x" * 40, "Seesaw", "seesaw"):
            with self.subTest(name=name):
                self.assertEqual(self.make(name, "-o", "file").returncode, USAGE)
        self.assertEqual(self.make("A", "--like", "chess").returncode, USAGE)
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(self.make("x" * 39, "-o", "file").returncode, FINE)

    def test_it_is_printed_or_told_as_json(self):
        self.assertTrue(self.make("Abc", "-o", "-").stdout.startswith("; Push the crate into the hole.\n"))
        self.assertEqual(self.make("Abc", "--json").stdout, '{"name": "Abc", "file": "abc.sexp"}\n')


class Plain(InFolder):
    def each_world(self):
        for path in sorted(glob.glob(os.path.join(ROOT, "examples", "worlds", "*.sexp"))):
            yield os.path.basename(path), path
        for like in LIKE:
            run("new", "W", "--like", like, "-o", like + ".sexp", cwd=self.folder)
            yield like, os.path.join(self.folder, like + ".sexp")
        yield "full", write(os.path.join(self.folder, "full.sexp"), FULL)

    def plain(self, path, difficulty):
        done = run("autumn", "plain", path, "-d", difficulty)
        self.assertEqual(done.returncode, FINE, done.stderr)
        return write(os.path.join(self.folder, "plain.sexp"), done.stdout)

    def test_the_same_seed_gives_the_same_frames(self):
        """Both draw the same numbers in the same order, so starts are equal, and the plain one has no acceptance as `autumn run` has none."""
        for name, path in self.each_world():
            for difficulty in difficulties(read(path).decode()):
                plain = self.plain(path, difficulty)
                for seed in "123":
                    with self.subTest(world=name, difficulty=difficulty, seed=seed):
                        how = ["--seed", seed, "--actions", random_actions(seed)]
                        one, other = run("autumn", "run", path, "-d", difficulty, *how), run("autumn", "run", plain, *how)
                        self.assertEqual((one.returncode, one.stdout), (other.returncode, other.stdout))
                        self.assertEqual(one.returncode, FINE, one.stderr)

    def test_it_is_a_program_without_task_and_without_warnings(self):
        for name, path in self.each_world():
            for difficulty in difficulties(read(path).decode()):
                with self.subTest(world=name, difficulty=difficulty):
                    plain = self.plain(path, difficulty)
                    self.assertNotIn("(task ", read(plain).decode())
                    checked = run("autumn", "check", plain)
                    self.assertEqual(checked.returncode, FINE, checked.stdout)
                    self.assertNotRegex(checked.stdout, "undefined|warning: type")

    def test_wrong_calls_are_refused(self):
        path = write(os.path.join(self.folder, "full.sexp"), FULL)
        other = write(os.path.join(self.folder, "other.sexp"), "(program (= n 0))")
        for arguments, words in (([path, "-d", "three"], "unknown difficulty `three`; known difficulties: one, two"), ([other], "no statement `task`"),
                                 ([other, "-d", "one"], "other.sexp has no difficulties")):
            done = run("autumn", "plain", *arguments)
            self.assertNotEqual(done.returncode, FINE)
            self.assertIn(words, done.stderr)
        self.assertEqual(run("autumn", "plain", path, path).returncode, USAGE)
        self.assertEqual(run("autumn", "run", path, "-d", "three").returncode, FOUND)


if __name__ == "__main__":
    unittest.main(argv=["worlds_new_test"])
