"""A build that leaves out plugins, the format minari and `study serve`, as the static programs do, refuses each with words.

    python3 tests/lean_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import sys
import unittest

from dataset_support import TOY, USAGE, InFolder, run, write
from study_support import FACTS

LEAN = os.path.join(os.path.dirname(os.path.abspath(TOY)), "seedbed-lean")
EPISODE = "KeyDoorPuzzle/easy#1"


class Lean(InFolder):
    def refuse(self, why, *words):
        done = run(*words, program=LEAN)
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn(why, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_plugins_are_refused_wherever_they_could_play(self):
        for words in (["solve", EPISODE], ["eval", "--tasks", "KeyDoorPuzzle", "-o", self.path("r")], ["build", EPISODE, "-o", self.path("d")]):
            self.refuse("plugin:./bot.so: this build of Seedbed cannot load plugins", *words, "--agent", "plugin:./bot.so")

    def test_their_worker_does_not_start(self):
        done = run("plugin-worker", "./bot.so", "3", program=LEAN)
        self.assertNotEqual(done.returncode, 0)

    def test_the_format_minari_is_refused_and_listed_as_missing(self):
        self.refuse("format minari needs libhdf5, but this program was built without it", "build", EPISODE, "-o", self.path("d"), "-f", "minari")
        self.assertIn("not in this build, which has no libhdf5", run("build", "--help-all", program=LEAN).stdout)

    def test_serving_a_study_is_refused_and_all_else_of_it_works(self):
        study = write(self.path("study.json"), json.dumps(FACTS))
        self.refuse("`study serve` needs libmicrohttpd, but this program was built without it", "study", "serve", study, "-o", self.path("p"), "--page", study)
        self.assertEqual(run("study", "check", study, program=LEAN).returncode, 0)

    def test_it_does_what_is_left(self):
        self.assertEqual(run("build", "-q", EPISODE, "-o", self.path("d"), "-f", "steps,npz", program=LEAN).returncode, 0)
        self.assertEqual(run("verify", self.path("d"), program=LEAN).returncode, 0)
        self.assertEqual(run("verify", self.path("d")).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
