"""scripts/accept-babyai: the observer may not fail where a bot does not, nor be slower on a level than chance allows.

    python3 tests/accept_babyai_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Plays two levels: every agent takes 20 steps, a little more or less, and what STEPS and LOST add to the observer's.
TOOL = """#!/usr/bin/env python3
import json, os, sys
agent, seeds, path = (sys.argv[sys.argv.index(option) + 1] for option in ("--agent", "--seeds", "-o"))
first, last = map(int, seeds.split(".."))
more, lost = os.environ.get("STEPS", "0"), os.environ.get("LOST", "")
episodes = [{"episode": f"babyai:{level}#{seed}", "steps": 20 + (seed * 7 + len(agent)) % 5 + (int(more) if agent == "observer" and level == "Far" else 0),
             "success": f"{level}#{seed}" != lost or agent != "observer"} for level in ("Far", "Near") for seed in range(first, last + 1)]
with open(path, "w") as file:
    json.dump({"episodes": episodes}, file)
with open(os.path.join(os.path.dirname(sys.argv[0]), "calls"), "a") as file:
    file.write(agent + "\\n")
"""


class Accepting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.tool = os.path.join(self.folder, "tool")
        with open(self.tool, "w", encoding="utf-8") as file:
            file.write(TOOL)
        os.chmod(self.tool, 0o755)

    def accept(self, **environment):
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "accept-babyai"), "--seeds", "50", "--tool", self.tool,
                               "--notes", os.path.join(self.folder, "notes")], env={**os.environ, **environment}, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done

    def test_an_observer_as_good_as_the_bots_passes_and_is_not_played_again(self):
        for _ in range(2):
            done = self.accept()
            self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (0, "100 passed, 0 failed, 0 skipped"))
        with open(os.path.join(self.folder, "calls"), encoding="utf-8") as file:
            self.assertEqual(file.read().split(), ["published", "omnibot", "observer"])

    def test_an_episode_that_only_the_observer_fails_in_is_named(self):
        done = self.accept(LOST="Near#7")
        self.assertEqual(done.returncode, 1)
        self.assertIn("babyai:Near#7: the observer fails, published and omnibot solves it", done.stdout)
        self.assertIn("99 passed, 1 failed", done.stdout)

    def test_a_level_on_which_the_observer_is_slower_is_named(self):
        done = self.accept(STEPS="2")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"babyai:Far: \d\.\d\d steps more than the published bot")
        self.assertIn("levels that are slower than chance allows: 1", done.stdout)
        self.assertNotIn("babyai:Near:", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
