"""Files that version 0.2.0 made: docs/upgrading.md says which are read, which are refused, and in which words.

    python3 tests/upgrade_test.py BUILD/seedbed BUILD/tests/seedbed-toy

tests/golden/v0.2 has what 0.2.0 wrote: `build`, `solve`, `log`, `certify`, `eval`, `seeds`, `challenges`, and an interrupted `build`.
"""
import json
import os
import re
import shutil
import sys
import unittest

from dataset_support import FOUND, USAGE, InFolder, contents, read, run, unpacked, write

OLD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "v0.2")


def old(name):
    return os.path.join(OLD, name)


class Files(unittest.TestCase):
    def test_what_is_read_holds(self):
        for name, said in (("maze", "dataset of 2 episodes"), ("tapes.jsonl", "3 tapes"), ("cert.jsonl.gz", "1 solved, 1 impossible"),
                           ("result.json", "result of 3 episodes"), ("pack.json", "pack of 5 seeds"), ("ch.jsonl", "2 challenges")):
            with self.subTest(name=name):
                done = run("verify", old(name))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn(said, done.stdout)

    def test_what_is_refused_is_refused_in_words_that_say_what_to_do(self):
        for name, words in (("arc.jsonl", "`arc 1`; this program has the rules `arc 2`: make it again"),
                            ("log.jsonl", "`arc 1`; this program has the rules `arc 2`: make it again"),
                            ("guarded", "version 0.2 took fewer episodes for the same game")):
            with self.subTest(name=name):
                done = run("verify", old(name))
                self.assertEqual(done.returncode, FOUND)
                self.assertIn(words, done.stderr)

    def test_results_are_reported_beside_new_ones(self):
        done = run("report", old("result.json"), "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("random", done.stdout)


class Results(InFolder):
    def test_measures_of_exploration_are_verified_but_for_their_last_bits(self):
        """These were the C library's; today's are the same everywhere."""
        text = read(old("explored.json")).decode()
        area = re.search(r'"area": ([0-9.]+)', text)[1]
        for said, code in ((area, 0), (f"{float(area) + 1e-9:.17g}", FOUND)):
            done = run("verify", write(self.path("result.json"), text.replace(area, said)), "--challenges", old("ch.jsonl"))
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)


class Datasets(InFolder):
    def test_an_interrupted_build_is_finished_by_the_version_that_began_it(self):
        folder = shutil.copytree(old("unfinished"), self.path("data"))
        selection = ["--tasks", "MazeNavigation", "-d", "hard", "-n", "400", "--split", "a", "-f", "steps", "--shard-episodes", "16"]
        before = contents(folder)
        done = run("build", *selection, "-o", folder, "--resume", "-q")
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("finish the build with the version of Seedbed that began it", done.stderr)
        self.assertEqual({name: data for name, data in contents(folder).items() if not name.endswith(".lock")}, before)

    def test_tapes_of_a_dataset_are_built_again(self):
        tapes = old("maze/tapes-00000-of-00001.jsonl.gz")
        done = run("build", "--agent", "tapes:" + tapes, "-f", "steps,chat,npz", "-o", self.path("new"), "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(unpacked(self.path("new"), "tapes"), unpacked(old("maze"), "tapes"))

    def test_rows_are_those_of_then_with_the_defaults_of_then(self):
        recipe = json.loads(read(old("maze/manifest.json")))["recipe"] | {"defaults": 1}
        with open(self.path("recipe.json"), "w", encoding="utf-8") as file:
            json.dump(recipe, file)
        done = run("build", self.path("recipe.json"), "-o", self.path("new"), "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        for kind in ("tapes", "steps", "chat"):
            self.assertEqual(unpacked(self.path("new"), kind), unpacked(old("maze"), kind), kind)

    def test_what_0_2_did_not_know_is_named(self):
        done = run("merge", old("maze"), old("guarded"), "-o", self.path("joined"))
        self.assertIn(done.returncode, (FOUND, USAGE))
        self.assertIn("journal.jsonl is not in it", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
