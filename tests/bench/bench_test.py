"""seedbed-bench: tables of one build, and ratios between two.

    python3 tests/bench/bench_test.py BUILD/bench/seedbed-bench BUILD/bench/seedbed-bench-floor
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

BENCH, FLOOR = map(os.path.abspath, sys.argv[1:3])
# A build that measures nothing, and says always the same.
OLD = """#!/bin/sh
[ "$1 $2 $3" = "--json --rounds 1" ] || exit 9
echo '{"measurements": [{"task": "GoToGoal-v0", "variant": "easy", "what": "step", "per_second": 1000},
 {"task": "KeyDoorPuzzle-v0", "variant": "easy", "what": "step", "per_second": 3000},
 {"task": "median of all tasks", "variant": "easy", "what": "step", "per_second": 2000}]}'
"""


def bench(*arguments):
    return subprocess.run([BENCH, *arguments], capture_output=True, text=True)


def rows(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")]


class Tables(unittest.TestCase):
    def test_several_tasks_have_medians_with_a_spread_and_one_task_has_none(self):
        two = bench("--tasks", "GoToGoal,KeyDoorPuzzle", "--difficulty", "easy", "--what", "step", "--seconds", "0.001")
        one = bench("--tasks", "GoToGoal", "--difficulty", "easy", "--what", "step", "--seconds", "0.001")
        self.assertRegex(two.stdout, r"median of all tasks.*\n.*\n\| step: steps \| .*\((?!0 %).* %\)")
        self.assertNotIn("median", one.stdout)


class Floor(unittest.TestCase):
    def test_every_kind_of_work_has_a_floor_below_it(self):
        done = subprocess.run([FLOOR, "0.001", "GoToGoal"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        medians = rows(done.stdout)[1:6]
        self.assertEqual([row[0] for row in medians], ["step", "step + ascii", "reset", "relabel", "render + gzip 6"])
        for work, _, taken, floor, *_ in medians:
            self.assertLess(0, float(floor), work)
            if work != "render + gzip 6":  # two measurements of zlib, which differ by what the machine does beside
                self.assertLess(float(floor), float(taken), work)
        self.assertEqual(len([row for row in rows(done.stdout) if row[0].startswith("GoToGoal-v0/")]), 20)

    def test_bad_arguments_are_refused(self):
        for arguments in (["x"], ["-1"], ["0", "GoToGoal", "y"], ["0", "NoTask"]):
            with self.subTest(arguments=arguments):
                self.assertIn(subprocess.run([FLOOR, *arguments], capture_output=True).returncode, (1, 2))


class Compared(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.old = os.path.join(self.folder.name, "old")
        with open(self.old, "w", encoding="utf-8") as file:
            file.write(OLD)
        os.chmod(self.old, 0o755)

    def tearDown(self):
        self.folder.cleanup()

    def compare(self, old, new, rounds):
        """`new` measures in place of the real program: the comparison starts what it was started as."""
        return subprocess.run([new, "--compare", old, "--tasks", "GoToGoal,KeyDoorPuzzle", "--difficulty", "easy", "--what", "step", "--seconds", "0.001",
                               "--rounds", str(rounds)], executable=BENCH, capture_output=True, text=True)

    def test_ratios_are_of_what_both_measure_and_their_mean_is_geometric(self):
        new = os.path.join(self.folder.name, "new")
        with open(new, "w", encoding="utf-8") as file:
            file.write(OLD.replace("1000", "2000").replace("3000", "24000"))
        os.chmod(new, 0o755)
        done = self.compare(self.old, new, 3)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(rows(done.stdout)[1:], [["GoToGoal-v0/easy", "step", "1000", "2000", "2.000", "2.000 to 2.000", "faster"],
                                                 ["KeyDoorPuzzle-v0/easy", "step", "3000", "24000", "8.000", "8.000 to 8.000", "faster"],
                                                 ["all", "step", "2000", "13000", "4.000", "4.000 to 4.000", "faster"]])

    def test_the_interval_of_a_real_build_holds_its_ratio(self):
        done = self.compare(BENCH, BENCH, 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = rows(done.stdout)[1:]
        self.assertEqual([row[:2] for row in table], [["GoToGoal-v0/easy", "step"], ["KeyDoorPuzzle-v0/easy", "step"], ["all", "step"]])
        for row in table:
            low, high = map(float, re.fullmatch(r"([\d.]+) to ([\d.]+)", row[5]).groups())
            self.assertTrue(low <= float(row[4]) <= high, row)

    def test_what_is_no_benchmark_is_named(self):
        for old, words in ((os.path.join(self.folder.name, "nothing"), "cannot start .*nothing"), ("/bin/false", "/bin/false failed"), ("/bin/true", "JSON")):
            done = bench("--compare", old, "--tasks", "GoToGoal", "--difficulty", "easy", "--what", "step", "--seconds", "0.001", "--rounds", "2")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, words)

    def test_one_round_has_no_interval(self):
        done = bench("--compare", self.old, "--rounds", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("at least two rounds", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
