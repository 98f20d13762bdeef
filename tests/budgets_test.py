"""Evaluation under a budget, from the command: what is played, resumed, merged, verified and told. budget_test.c has the draws.

    python3 tests/budgets_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
FOUND, USAGE = 1, 2
TASKS = ["--tasks", "GoToGoal,TagHunt,KeyDoorPuzzle"]  # twelve pairs


def seedbed(*arguments):
    done = subprocess.run([SEEDBED, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class Budget(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def path(self, name):
        return os.path.join(self.folder, name)

    def play(self, name, *arguments):
        code, out, err = seedbed("eval", "--agent", "random", *TASKS, *arguments, "-o", self.path(name))
        self.assertEqual(code, 0, err)
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file), out

    def change(self, name, to, change):
        """Writes a changed copy of a result."""
        with open(self.path(name), encoding="utf-8") as file:
            document = json.load(file)
        change(document)
        with open(self.path(to), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return seedbed("verify", self.path(to))

    def test_a_result_tells_estimates_and_probabilities(self):
        document, out = self.play("r.json", "--budget", "30")
        self.assertEqual(document["selection"]["budget"], {"episodes": 30, "for": "success", "seed": 0})
        self.assertEqual(len(document["episodes"]), 30)
        budget = document["families"][0]["budget"]
        self.assertEqual((budget["drawn"], budget["of"], len(budget["strata"])), (30, 300, 12))
        self.assertEqual(sum(stratum["drawn"] for stratum in budget["strata"]), 30)
        for stratum in budget["strata"]:
            self.assertEqual(stratum["probability"], stratum["drawn"] / 25)
        self.assertNotIn("leaderboard", budget)
        self.assertIn("estimated from 30 of 300", out)
        code, out, err = seedbed("verify", self.path("r.json"))
        self.assertEqual(code, 0, out + err)
        self.assertIn("a budget of 30", out)

    def test_the_page_has_every_table_of_the_report(self):
        self.play("r.json", "--budget", "30")
        code, markdown, err = seedbed("report", self.path("r.json"), "--markdown")
        self.assertEqual(code, 0, err)
        titles = re.findall("(?m)^## (.*)$", markdown)
        self.assertTrue(any("udget" in title for title in titles), titles)
        page = seedbed("report", self.path("r.json"), "--html", "-")[1]
        self.assertEqual([title for title in titles if f"<h2>{html.escape(title, quote=False)}</h2>" not in page], [])

    def test_verify_draws_again(self):
        document, _ = self.play("r.json", "--budget", "30")
        other, _ = self.play("other.json", "--budget", "30", "--budget-seed", "1")
        self.assertNotEqual([one["episode"] for one in document["episodes"]], [one["episode"] for one in other["episodes"]])

        def say_otherwise(document):
            document["selection"]["budget"]["seed"] = 2

        def forget_the_seed(document):
            document["selection"]["budget"]["seed"] = 0

        def widen(document):
            document["families"][0]["budget"]["strata"][0]["probability"] = 0.5

        for name, change in (("r.json", say_otherwise), ("other.json", forget_the_seed), ("r.json", widen)):
            self.assertEqual(self.change(name, "changed.json", change)[0], FOUND, change)

    def test_until_stops_with_the_first_batch_that_is_enough(self):
        document, _ = self.play("r.json", "--until", "0.06")
        budget = document["families"][0]["budget"]
        self.assertLessEqual(budget["success"]["half_width"], 0.06)
        self.assertEqual(len(document["episodes"]) % 12, 0)
        self.assertGreater(len(document["episodes"]), 24)
        self.assertEqual(seedbed("verify", self.path("r.json"))[0], 0)

        def play_no_more(document):
            del document["episodes"][24:]

        def want_less(document):
            document["selection"]["budget"]["until"] = 0.4

        self.assertEqual(self.change("r.json", "short.json", play_no_more)[0], FOUND)
        self.assertEqual(self.change("r.json", "long.json", want_less)[0], FOUND)

    def test_an_interrupted_run_goes_on_to_the_same_bytes(self):
        self.play("whole.json", "--until", "0.06")
        with open(self.path("whole.json"), "rb") as file:
            whole = file.read()
        self.play("again.json", "--until", "0.06", "-j", "1")
        self.play("again.json", "--until", "0.06", "--resume")
        with open(self.path("again.json"), "rb") as file:
            self.assertEqual(file.read(), whole)
        code, _, err = seedbed("eval", "--agent", "random", *TASKS, "--until", "0.05", "-o", self.path("again.json"), "--resume")
        self.assertEqual(code, FOUND)
        self.assertIn("that was another evaluation", err)

    def test_parts_of_a_budget_are_merged(self):
        self.play("whole.json", "--budget", "30")
        for part in "12":
            document, _ = self.play(f"{part}.json", "--budget", "30", "--shard", f"{part}/2")
            self.assertNotIn("budget", document["families"][0])
        code, _, err = seedbed("merge", self.path("1.json"), self.path("2.json"), "-o", self.path("merged.json"))
        self.assertEqual(code, 0, err)
        with open(self.path("merged.json"), "rb") as merged, open(self.path("whole.json"), "rb") as whole:
            self.assertEqual(merged.read(), whole.read())

    def test_reports_show_another_draw(self):
        self.play("r.json", "--budget", "30", "--budget-seed", "7")
        code, out, err = seedbed("report", self.path("r.json"))
        self.assertEqual(code, 0, err)
        self.assertIn("Under a budget", out)
        self.assertIn("drawn by seed 7 instead of 0", out)
        self.assertIn("somebody asked for other episodes", out)

    def test_errors_say_what_to_do(self):
        for arguments, words in (
                (["--budget", "5"], "it should be at least 6"),
                (["--budget", "301"], "there are 300 official episodes"),
                (["--until", "0"], "above 0 and below 0.5"),
                (["--until", "0.5"], "above 0 and below 0.5"),
                (["--budget-seed", "3"], "give --budget or --until"),
                (["--until", "0.03", "--shard", "1/2"], "one run"),
                (["--budget", "30", "--seeds", "0..3"], "official episodes"),
                (["--budget", "30", "--budget-for", "leaderboard"], "select them all")):
            code, _, err = seedbed("eval", "--agent", "random", *TASKS, *arguments)
            self.assertNotEqual(code, 0)
            self.assertIn(words, err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
