"""The worlds of examples/worlds are short, load without warnings, and are won by the expert, with certificates that hold.

    python3 tests/worlds_examples_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Any

SEEDBED = os.path.abspath(sys.argv[1])
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "worlds")
CLAUSES = {"category", "says", "difficulty", "win", "lose", "score", "reward", "start", "needs", "bound", "hidden", "sprite", "unordered",
           "steps", "solution", "search"}
LINES, SEEDS = 60, "0..4"
# Reviews of these take a minute of processor time, and more than this test waits under sanitizers.
SLOW = ("mines.sexp", "pegs.sexp") if os.environ.get("SEEDBED_SLOW") else ()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=300, check=False)


def read(path: str) -> str:
    """Returns a program without comments and empty lines."""
    with open(path, encoding="utf-8") as file:
        lines = (line.split(";")[0].rstrip() for line in file)
        return "\n".join(line for line in lines if line)


class Worlds(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.paths = sorted(glob.glob(os.path.join(FOLDER, "*.sexp")))
        self.assertEqual(len(self.paths), 11)

    def fine(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = run(*arguments)
        self.assertEqual(done.returncode, 0, (arguments, done.stdout, done.stderr))
        return done

    def test_worlds_are_short_and_load_without_warnings(self) -> None:
        used: set[str] = set()
        for path in self.paths:
            text = read(path)
            self.assertLessEqual(text.count("\n") + 1, LINES, path)
            self.assertEqual(text.count("(difficulty "), 3, path)
            if os.path.basename(path) not in SLOW:
                self.assertEqual(self.fine("autumn", "check", path).stderr, "", path)
            used |= set(re.findall(r"\(([a-z]+)\b", text))
        self.assertEqual(CLAUSES - used, set(), "clauses that no world has")

    def test_the_expert_wins_and_certificates_hold(self) -> None:
        for path in self.paths:
            found = re.search(r'\(task "(\w+)"', read(path))
            assert found
            episodes = ["--program", path, "--tasks", found[1], "--difficulty", "easy", "--seeds", SEEDS]
            certificates = os.path.join(self.folder, found[1] + ".jsonl.gz")
            self.assertIn("5 of 5 solved", self.fine("solve", *episodes).stdout)
            self.assertIn('"solved": 5', self.fine("certify", *episodes, "--json", "-o", certificates).stdout)
            self.assertIn("5 tapes replayed", self.fine("verify", "--program", path, certificates).stdout)

    def test_water_takes_what_it_touches(self) -> None:
        """Flood: each pour is what a flood of this file's own gives; the frame around the board is no water."""
        done = self.fine("solve", os.path.join(FOLDER, "flood.sexp") + "/medium#3", "--watch", "--mode", "structured")
        seen = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        self.assertGreater(len(seen), 9)
        dry, hand = tiles_of(seen[0])
        self.assertNotIn((0, 0), dry)
        for observation in seen[1:]:
            before, was = dry, hand
            dry, hand = tiles_of(observation)
            self.assertEqual(dry, before if hand != was else poured(before, hand))
        self.assertEqual(dry, {})


def tiles_of(observation: dict[str, Any]) -> tuple[dict[tuple[int, int], int], int]:
    """Returns the hues of the dry tiles by place, and that of the hand."""
    dry, hand = {}, -1
    for thing in observation["objects"]:
        x, y, _ = thing["cells"][0]
        if thing["type"] == "Tile":
            dry[x, y] = thing["told"]["hue"]
        elif thing["type"] == "Hand":
            hand = thing["told"]["hue"]
    return dry, hand


def poured(dry: dict[tuple[int, int], int], hue: int) -> dict[tuple[int, int], int]:
    side, left = 5, dict(dry)
    wet = [(x, y) for x in range(side) for y in range(side) if (x, y) not in dry]
    while wet:
        x, y = wet.pop()
        for place in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if left.get(place) == hue:
                del left[place]
                wet.append(place)
    return left


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
