"""What docs/results.json calls impossible: no recording solved it, and certify proves it again (a sample).

    python3 tests/unsolvable_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import json
import os
import subprocess
import sys
import unittest

SEEDBED = sys.argv[1]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SAMPLE = 3  # of each task and difficulty


def impossible():
    """Names of all episodes that are called so, by (task, difficulty)."""
    with open(os.path.join(ROOT, "docs", "results.json"), encoding="utf-8") as file:
        results = json.load(file)
    found = {}
    for task, levels in results.items():
        for difficulty, splits in levels.items():
            for split in splits.values():
                found.setdefault((task, difficulty), []).extend(
                    f"{task}/{difficulty}#{u['seed']}" for u in split["unsolved"] if u["verdict"] == "impossible")
    return found


def recorded_successes():
    folder = os.path.join(ROOT, "tests", "golden")
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".jsonl.gz"):
            continue
        with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                if any(rollout["success"] for rollout in row.get("rollouts", [])):
                    yield f"{row['task']}/{row['difficulty']}#{row['seed']}"


def certify(names):
    done = subprocess.run([SEEDBED, "certify", "--json", "--quiet", *names], capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Unsolvable(unittest.TestCase):
    def test_nothing_that_a_recording_solved_is_called_impossible(self):
        solved = set(recorded_successes())
        self.assertGreater(len(solved), 40)
        for names in impossible().values():
            self.assertFalse(solved.intersection(names))

    def test_a_sample_of_the_impossible_is_proven_again(self):
        sample = [name for names in impossible().values() for name in names[:SAMPLE]]
        if not sample:
            return
        for row in certify(sample):
            self.assertEqual(row["verdict"], "impossible", row)
            self.assertTrue(row["method"], row)

    def test_what_is_solvable_is_certified_as_solved(self):
        rows = certify(["GoToGoal-v0/easy#0", "KeyDoorPuzzle-v0/easy#42"])
        self.assertEqual([row["verdict"] for row in rows], ["solved", "solved"])
        self.assertGreater(min(row["steps"] for row in rows), 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
