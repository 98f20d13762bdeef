"""Scores as printed: the oracle-normalised score against an independent computation, and numbers of other benchmarks apart from results.

    python3 tests/reference_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(os.path.join(ROOT, "evaluation", "published.json"), encoding="utf-8") as file:
    PUBLISHED = json.load(file)


def returns_of(agent):
    """The mean return of each pair."""
    return {(task, difficulty): value for task, row in zip(PUBLISHED["tasks"], agent["return"], strict=True)
            for difficulty, value in zip(PUBLISHED["difficulties"], row, strict=True) if value is not None}


RANDOM, ORACLE = (returns_of(next(agent for agent in PUBLISHED["agents"] if agent["name"] == name)) for name in ("Random Agent", "Oracle Agent"))


def ons(value, pair):
    way = ORACLE[pair] - RANDOM[pair]
    return (1.0 if value >= ORACLE[pair] else 0.0) if abs(way) < 1e-9 else (value - RANDOM[pair]) / way


def mean(values):
    values = list(values)
    return sum(values) / len(values)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-reference-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_seedbed(self, *arguments):
        done = subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=900, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def result(self, agent, *selection):
        self.run_seedbed("eval", *selection, "--agent", agent, "-q", "-o", f"{agent}.json")
        with open(os.path.join(self.folder, f"{agent}.json"), encoding="utf-8") as file:
            return json.load(file)

    def table(self, title, *arguments):
        tables = [table for table in json.loads(self.run_seedbed("report", "--json", *arguments)) if table["title"] == title]
        return tables[0]["rows"] if tables else None


class Normalised(Case):
    TITLE, BY_TASK = "Oracle-normalised scores, as printed", "Oracle-normalised scores by task"

    def test_results_have_the_formula_of_their_mean_returns(self):
        result = self.result("random", "--tasks", "GoToGoal,SokobanPush,TagHunt,ResourceManagement", "-n", "6")
        pairs = {(row["task"], row["difficulty"]): row for row in result["families"][0]["tasks"]}
        values = {pair: ons(row["mean_return"], pair) for pair, row in pairs.items()}
        self.assertEqual(len(values), 16)
        self.assertLess(min(values.values()), 0, "not limited")
        head, mine = self.table(self.TITLE, "random.json", "--published", "Dense")
        shown = dict(zip(head, mine, strict=True))
        self.assertEqual(shown["pairs"], "16 of 148")
        self.assertTrue(shown["ons"].startswith(f"{mean(values.values()):.4f} ("), shown)
        for category in {row["category"] for row in pairs.values()}:
            self.assertEqual(shown[category], f"{mean(values[pair] for pair, row in pairs.items() if row['category'] == category):.3f}")
        self.assertEqual(shown["reasoning"], "-", "was not played")
        for task, value in self.table(self.BY_TASK, "random.json", "--published", "all")[1:]:
            self.assertEqual(value, f"{mean(values[pair] for pair in pairs if pair[0] == task):.3f}")

    def test_published_agents_have_it_too_but_for_dense_returns(self):
        self.result("random", "--tasks", "GoToGoal", "-d", "easy", "-n", "2")
        head, _, *rows = self.table(self.TITLE, "random.json", "--published", "all")
        shown = sorted((*row[:3], row[head.index("ons")].split()[0]) for row in rows)
        due = sorted((agent["name"], agent["harness"], agent["observation"], f"{mean(ons(value, pair) for pair, value in returns_of(agent).items()):.4f}")
                     for agent in PUBLISHED["agents"] if len(returns_of(agent)) == 148 and "Dense" not in agent["name"])
        self.assertEqual(shown, due)
        self.assertEqual(len({row[:3] for row in shown}), len(shown), "rows can be told apart")
        self.assertIn(("GPT-5 mini", "MarkovianReasoner", "ascii", "0.2556"), shown)
        self.assertIn("1.0000", [row[-1] for row in shown if row[0] == "Oracle Agent"])

    def test_published_agents_are_compared_on_the_pairs_that_were_played(self):
        self.result("random", "--tasks", "GoToGoal,TagHunt", "-d", "easy,hard", "-n", "2")
        self.result("expert", "--tasks", "GoToGoal", "-d", "easy", "-n", "2")
        head, *rows = self.table(self.TITLE, "random.json", "expert.json", "--published", "all")
        played = [(task, difficulty) for task in ("GoToGoal-v0", "TagHunt-v0") for difficulty in ("easy", "hard")]
        shown = {tuple(row[:3]): row for row in rows}
        mine = shown["random", "this report", ""]
        self.assertEqual(mine[head.index("same pairs")], mine[head.index("ons")].split()[0])
        self.assertEqual(shown["expert", "this report", ""][head.index("same pairs")], "-", "played fewer")
        for agent in PUBLISHED["agents"]:
            row = shown.get((agent["name"], agent["harness"], agent["observation"]))
            if row:
                self.assertEqual(row[head.index("same pairs")], f"{mean(ons(returns_of(agent)[pair], pair) for pair in played):.4f}")
        self.assertGreater(len(shown), 20)
        self.assertIn("played here: 4 of 148 pairs", self.run_seedbed("report", "random.json", "--published", "Oracle"))

    def test_the_headline_is_the_mean_of_success_rates_and_not_this(self):
        agent = next(agent for agent in PUBLISHED["agents"] if agent["name"] == "GPT-5 mini" and agent["harness"] == "MarkovianReasoner")
        rates = [rate for row in agent["success"] for rate in row]
        with open(os.path.join(ROOT, "docs", "evaluation.md"), encoding="utf-8") as file:
            page = file.read()
        for number in (agent["score"], mean(rates), mean(ons(value, pair) for pair, value in returns_of(agent).items()),
                       min(mean(ons(value, pair) for pair, value in returns_of(one).items()) for one in PUBLISHED["agents"]
                           if len(returns_of(one)) == 148 and "Dense" not in one["name"])):
            self.assertIn(f"{number:.4f}", page)

    def test_other_families_have_none(self):
        self.result("random", "--family", "babyai", "--tasks", "GoToObj", "-n", "2")
        for title in (self.TITLE, self.BY_TASK):
            self.assertIsNone(self.table(title, "random.json", "--published", "all"))


class Elsewhere(Case):
    TITLE = "Published elsewhere: other environments, other rules"

    def test_other_benchmarks_stand_in_a_table_of_their_own(self):
        with open(os.path.join(ROOT, "evaluation", "elsewhere.json"), encoding="utf-8") as file:
            tables = json.load(file)["tables"]
        for table in tables:
            self.assertEqual({len(row) for row in table["rows"]}, {len(table["columns"])})
            self.run_seedbed("eval", *self.first(table["family"]), "--agent", "random", "-q", "-o", "random.json")
            rows = self.table(self.TITLE, "random.json", "--published", "all")
            self.assertEqual(rows, [["benchmark", *table["columns"]], *([table["benchmark"], *row] for row in table["rows"])])
            for asked in ([], ["--published", "none"]):
                self.assertIsNone(self.table(self.TITLE, "random.json", *asked))

    def first(self, family):
        task = json.loads(self.run_seedbed("tasks", "--family", family, "--json"))[0]["tasks"][0]
        return ["--family", family, "--tasks", task["name"], "--seeds", "0"]

    def test_families_without_such_numbers_have_no_table(self):
        self.result("random", "--tasks", "GoToGoal", "-d", "easy", "-n", "1")
        self.assertIsNone(self.table(self.TITLE, "random.json"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
