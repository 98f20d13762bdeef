"""The commands that take Autumn programs: `seedbed autumn check`, `seedbed autumn run`, and `seedbed conform` with recordings of them.

    python3 tests/autumn_cli_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv[1])
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "autumn")
FINE, FOUND, USAGE = 0, 1, 2

WALKER = """(program
  (= GRID_SIZE 3)
  (object A (Cell 0 0 "Red"))
  (= a (initnext (A (Position 1 1)) (prev a)))
  (on left (= a (moveLeft a)))
  (on clicked (= a (A click)))
)
"""


def run(*arguments, cwd=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, cwd=cwd, check=False)


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, text, name="p.sexp"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class Run(Scratch):
    def test_frames_are_printed_after_the_start_and_after_each_action(self):
        done = run("autumn", "run", self.write(WALKER), "--actions", "left,noop*2,click 2 0")
        self.assertEqual(done.returncode, FINE, done.stderr)
        steps = done.stdout.split("\n\n")
        self.assertEqual([step.split(":")[0] for step in steps],
                         ["step 0", "step 1, left", "step 2, noop", "step 3, noop", "step 4, click 2 0"])
        self.assertEqual(steps[0], "step 0: . black, 1 red\n...\n.1.\n...")
        self.assertEqual(steps[4].split("\n")[1:4], ["..1", "...", "..."])

    def test_json_is_a_line_a_frame(self):
        done = run("autumn", "run", self.write(WALKER), "-x", "left", "--json", "--trigger", "== (.. (.. a origin) x) 1")
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line["step"] for line in lines], [0, 1])
        self.assertEqual(lines[1]["frame"], [["black"] * 3, ["red", "black", "black"], ["black"] * 3])
        self.assertEqual(lines[1]["cells"], {"a": [{"position": {"x": 0, "y": 1}, "color": "Red"}], "GRID_SIZE": 3})
        self.assertEqual((lines[1]["fired"], lines[1]["triggered"]), ([0], True))

    def test_a_fault_is_told_with_its_place_behind_the_frames_before_it(self):
        path = self.write("(program (= GRID_SIZE 2)\n (on left (/ 1 0)))")
        done = run("autumn", "run", path, "--actions", "noop,left,noop")
        self.assertEqual(done.returncode, FOUND)
        self.assertEqual(done.stdout.count("step"), 2)
        self.assertIn(f"{path}:2:11: division: 1 is divided by zero", done.stderr)

    def test_unknown_actions_are_refused(self):
        path = self.write(WALKER)
        for actions in ("jump", "click", "click 1", "left*x", "left,,left", "click 1 2 3", "left*99999999999"):
            with self.subTest(actions=actions):
                done = run("autumn", "run", path, "--actions", actions)
                self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
                self.assertIn("action", done.stderr)

    def test_the_published_generator_is_another_one(self):
        path = os.path.join(GOLDEN, "a45_random_big_seed.sexp")
        frames = {run("autumn", "run", path, "--seed", seed, "--generator", generator).stdout
                  for seed in ("1", "2") for generator in ("published", "pcg64")}
        self.assertEqual(len(frames), 4)


class Check(Scratch):
    def test_a_program_that_is_fine_is_summed_up(self):
        done = run("autumn", "check", self.write(WALKER))
        self.assertEqual((done.returncode, done.stderr), (FINE, ""))
        self.assertTrue(done.stdout.endswith("p.sexp: 2 handlers, deterministic, 3 x 3\n"), done.stdout)

    def test_long_steps_are_tried_less_often(self):
        """One step takes a million evaluations, so all 900 in each of three orders would take a minute."""
        slow = "(program (= GRID_SIZE 3) (= n (initnext 0 (length (filter (--> p true) (allPositions 500))))))"
        done = run("autumn", "check", self.write(slow))
        self.assertEqual(done.returncode, FINE, done.stdout)
        tried = int(re.search(r"; its steps take long, so only (\d+) random actions were tried$", done.stdout.strip())[1])
        self.assertLess(10, tried)
        self.assertLess(tried, 100)
        self.assertNotIn("tried", run("autumn", "check", self.write(WALKER)).stdout)

    def test_what_is_wrong_is_told_with_its_place(self):
        for text, words in (("(program\n (= a (+ 1 2 3)))", ":2:7: parse: `+`"),
                            ("(program (= walker 1)\n (on left (= walker walkr)))", ":2:21: undefined: `walkr` is never defined; "
                             "the closest known name is `walker`"),
                            ("(program (on left (head (list))))", ":1:19: index: "), ("(program\n", ":1:1: parse: ")):
            with self.subTest(text=text):
                done = run("autumn", "check", self.write(text))
                self.assertEqual(done.returncode, FOUND)
                self.assertIn("p.sexp" + words, done.stdout)

    def test_programs_that_depend_on_the_order_of_rules_are_told(self):
        for name, told in (("a03_next_order", True), ("b03_crate_push", False)):
            done = run("autumn", "check", os.path.join(GOLDEN, name + ".sexp"))
            self.assertEqual((done.returncode, "order-sensitive" in done.stdout), (FINE, told))

    def test_wrong_calls_are_refused(self):
        path = self.write(WALKER)
        for arguments in ([], ["check"], ["run"], ["run", path, path], ["look", path], ["check", path, "--actions", "left"]):
            with self.subTest(arguments=arguments):
                self.assertEqual(run("autumn", *arguments).returncode, USAGE)

    def test_a_missing_file_is_named(self):
        done = run("autumn", "check", os.path.join(self.folder, "none.sexp"))
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("none.sexp", done.stderr)


class Conform(Scratch):
    def test_recordings_are_compared_with_the_programs_beside_them(self):
        recordings = sorted(glob.glob(os.path.join(GOLDEN, "*.json")))
        done = run("conform", "--json", *recordings)
        self.assertEqual(done.returncode, FINE, done.stderr)
        tasks = json.loads(done.stdout)["tasks"]
        self.assertEqual(len(tasks), 74)
        self.assertEqual(tasks[0]["task"], "autumn:a01_setup")
        self.assertEqual({(task["recordings"], task["differing"]) for task in tasks}, {(1, 0)})

    def test_a_program_that_is_another_one_differs(self):
        shutil.copy(os.path.join(GOLDEN, "a27_moves.json"), self.folder)
        with open(os.path.join(GOLDEN, "a27_moves.sexp"), encoding="utf-8") as file:
            self.write(file.read().replace("moveLeft", "moveRight"), "a27_moves.sexp")
        done = run("conform", "a27_moves.json", cwd=self.folder)
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("a27_moves, action", done.stdout)

    def test_a_recording_without_its_program_and_names_of_other_folders_are_refused(self):
        for program in ("nothing", "../nothing", "/etc/passwd"):
            path = self.write(json.dumps({"program": program, "seed": 1, "actions": [], "palette": [], "frames": [], "drawn": []}),
                              "r.json")
            done = run("conform", path)
            self.assertEqual(done.returncode, FOUND)
            self.assertIn("r.json, line 1", done.stderr)

    def test_malformed_recordings_are_refused_by_their_key(self):
        self.write(WALKER, "walker.sexp")
        good = {"program": "walker", "seed": 1, "actions": ["left"], "palette": [], "frames": [[], []], "drawn": [[], []]}
        for key, value in (("seed", -1), ("actions", "left"), ("actions", ["jump"]), ("palette", None), ("frames", [[]]),
                           ("drawn", 3), ("rng", [1]), ("stopped", {"at": 7}), ("stopped", {"at": "end"}), ("stopped", 5)):
            with self.subTest(key=key, value=value):
                done = run("conform", self.write(json.dumps({**good, key: value}), "r.json"))
                self.assertEqual(done.returncode, FOUND, done.stdout)
                # a frame that differs is found before a later action is read
                self.assertTrue(key in done.stderr or "recorded" in done.stdout, done.stderr + done.stdout)


class DefaultAgent(unittest.TestCase):
    """Where no agent is named, the expert plays, or the family's teacher if the task has no expert."""

    def test_it_plays_episodes(self):
        done = run("solve", "autumn:Seesaw#7", "GoToGoal-v0/easy#0", "--json")
        self.assertEqual(done.returncode, FINE, done.stderr)
        self.assertEqual([json.loads(line)["agent"] for line in done.stdout.splitlines()], ["coverage", "expert"])
        self.assertEqual(done.stdout.splitlines()[0], run("solve", "autumn:Seesaw#7", "--agent", "coverage", "--json").stdout.rstrip())

    def test_it_is_evaluated(self):
        for selection, agent in ((["--family", "autumn", "--tasks", "Seesaw", "--seeds", "0,1"], "coverage"),
                                 (["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0"], "expert")):
            done = run("eval", *selection, "-o", "-", "-q")
            self.assertEqual(done.returncode, FINE, done.stderr)
            self.assertEqual(json.loads(done.stdout)["agent"]["spec"], agent)
            self.assertEqual(done.stdout, run("eval", *selection, "-o", "-", "-q", "--agent", agent).stdout)

    def test_it_gives_hints(self):
        for name, agent in (("autumn:Seesaw#7", "coverage"), ("GoToGoal-v0/easy#0", "expert")):
            requests = [{"op": "reset", "name": name}, {"op": "hint"}, {"op": "hint", "agent": agent}]
            done = subprocess.run([PROGRAM, "serve", "--stdio"], input="".join(json.dumps(request) + "\n" for request in requests),
                                  capture_output=True, text=True, check=True)
            first, second = [json.loads(line) for line in done.stdout.splitlines()][1:]
            self.assertEqual((first, first["agent"]), (second, agent))
            played = subprocess.run([PROGRAM, "play", name], input="?", capture_output=True, text=True, check=True)
            self.assertIn(f"Hint: {first['action_name']}", played.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
