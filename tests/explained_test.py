"""Reports that explain: what `report --atlas` prints is computed again here, from the result and the rows of the atlas. explain_test.c has agents of
which the truth is known.

    python3 tests/explained_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import hashlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser

SEEDBED = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TASKS = "GoToGoal,KeyDoorPuzzle,LightsOut,ToolUse"
SOME = ["--tasks", TASKS, "-d", "easy,medium,hard"]  # 300 episodes
IMPOSSIBLE = "SokobanPush-v0/medium#2003757894"
FOUND, USAGE = 1, 2
BOUNDS = ("proven", "random_low", "random_high")


def run(*arguments, **options):
    return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=600, check=False, **options)


def succeed(*arguments, **options):
    done = run(*arguments, **options)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


def numbers(cell):
    """Of `0.5 (0.25..0.75)`."""
    return [float(word) for word in re.findall(r"-?\d+\.\d+", cell)]


def wilson(won, n, z=1.959963984540054):
    share = won / n
    middle, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return share, max(0, (middle - half) / (1 + z * z / n)), min(1, (middle + half) / (1 + z * z / n))


def ranks(values):
    place = {}
    for i, value in enumerate(sorted(values)):
        place.setdefault(value, []).append(i)
    return [sum(place[value]) / len(place[value]) for value in values]


def spearman(x, y):
    x, y = ranks(x), ranks(y)
    middle = (len(x) - 1) / 2
    x, y = [a - middle for a in x], [b - middle for b in y]
    return sum(a * b for a, b in zip(x, y)) / math.sqrt(sum(a * a for a in x) * sum(b * b for b in y))


def is_held(name):
    return hashlib.sha256(name.encode()).digest()[2] & 1


class Explained(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-explain-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.atlas = cls.path("atlas.jsonl.gz")
        succeed("atlas", *SOME, "-q", "-o", cls.atlas)
        with gzip.open(cls.atlas, "rt") as file:
            cls.rows = {row["episode"]: row for row in map(json.loads, file) if "episode" in row}
        cls.evaluate("random", "random.json", *SOME)
        cls.evaluate(f"tape:{cls.trapped()}", "trapped.json", *SOME, "--name", "trapped", lost=True)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def evaluate(cls, agent, name, *arguments, lost=False):
        done = run("eval", "--agent", agent, "-q", "-o", cls.path(name), *arguments)
        assert done.returncode == int(lost), done
        return cls.path(name)

    @classmethod
    def trapped(cls):
        """Tapes that win exactly where traps <= 0.2: there are none for the other episodes, which count as lost."""
        lines = succeed("solve", *SOME, "--agent", "expert", "--json").splitlines()
        with open(cls.path("trapped.jsonl"), "w", encoding="utf-8") as file:
            for line in lines:
                tape = json.loads(line)
                assert tape["success"], tape
                if not (cls.rows[tape["name"]]["traps"] or 0) > 0.2:
                    file.write(line + "\n")
        return file.name

    def tables(self, *names, atlas=None):
        text = succeed("report", *(self.path(name) for name in names), "--atlas", atlas or self.atlas, "--json")
        return {table["title"]: table for table in json.loads(text)}

    def won(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return {episode["episode"]: episode["success"] and "error" not in episode for episode in json.load(file)["episodes"]}

    def named(self, measure, values, n):
        """The n episodes of a bin, whose bounds have as many digits as it takes."""
        low, _, high = values.partition(" to ")
        if low == "none":
            found = [name for name, row in self.rows.items() if row[measure] is None]
            self.assertEqual(len(found), n, measure)
            return found
        for digits in range(3, 10):
            short = {name: float(f"{row[measure]:.{digits}g}") for name, row in self.rows.items() if row[measure] is not None}
            found = [name for name, value in short.items() if float(low) <= value <= float(high or low)]
            if len(found) == n:
                return found
        return self.fail((measure, values, n))

    def test_bins_hold_what_was_won(self):
        rows = self.tables("random.json", "trapped.json")["Success by measure"]["rows"]
        self.assertEqual(rows[0], ["measure", "values", "episodes", "random", "trapped"])
        self.assertEqual({row[0] for row in rows[1:]}, {key for key in self.rows[next(iter(self.rows))]} - set(BOUNDS) -
                         {"episode", "missing", "traps_proven"})
        agents = [self.won("random.json"), self.won("trapped.json")]
        of_measure = {}
        for measure, values, episodes, *cells in rows[1:]:
            named = self.named(measure, values, int(episodes))
            of_measure[measure] = of_measure.get(measure, 0) + len(named)
            for agent, cell in zip(agents, cells):
                for found, expected in zip(numbers(cell), wilson(sum(agent[name] for name in named), len(named))):
                    self.assertAlmostEqual(found, expected, delta=0.00051)
        self.assertEqual(set(of_measure.values()), {300})

    def test_correlations_are_spearmans(self):
        tables = self.tables("random.json", "trapped.json")
        rows = tables["Which measures go with success"]["rows"]
        strongest = []
        for measure, episodes, *cells in rows[1:]:
            named = [name for name, row in self.rows.items() if row[measure] is not None]
            self.assertEqual(int(episodes), len(named))
            known = []
            for agent, cell in zip((self.won("random.json"), self.won("trapped.json")), cells):
                outcomes = [agent[name] for name in named]
                if cell == "-":
                    self.assertTrue(len(set(outcomes)) == 1 or len({self.rows[name][measure] for name in named}) == 1 or len(named) < 10)
                    continue
                value, low, high = numbers(cell)
                self.assertAlmostEqual(value, spearman([self.rows[name][measure] for name in named], outcomes), delta=0.00051)
                self.assertTrue(-1 <= low <= value <= high <= 1)
                known.append(abs(value))
            strongest.append(max(known, default=0))
        self.assertEqual(strongest, sorted(strongest, reverse=True))
        self.assertEqual(rows[1][0], "traps")

    def test_an_agent_that_fails_by_a_threshold_gets_the_sentence(self):
        rows = self.tables("random.json", "trapped.json")["Where agents fail"]["rows"]
        agent, sentence, there, elsewhere, difference, episodes, left_out = rows[2]
        self.assertEqual((agent, sentence, episodes, left_out), ("trapped", "fails where: traps > 0.2", "300", "0"))
        held = [row["traps"] for name, row in self.rows.items() if is_held(name) and row["traps"] is not None]
        beyond = sum(traps > 0.2 for traps in held)
        for cell, expected in ((there, wilson(0, beyond)), (elsewhere, wilson(len(held) - beyond, len(held) - beyond))):
            for number, due in zip(numbers(cell), expected):
                self.assertAlmostEqual(number, due, delta=0.00051)
        value, low, high = numbers(difference)
        self.assertTrue(value == -1 == low < high < 0)

    def test_an_agent_that_wins_half_does_not_fail(self):
        """It wins three of five episodes where traps > 0.2, and all others."""
        kept = self.path("half.jsonl")
        with open(kept, "w", encoding="utf-8") as file:
            for i, line in enumerate(succeed("solve", *SOME, "--agent", "expert", "--json").splitlines()):
                if i % 5 < 3 or not (self.rows[json.loads(line)["name"]]["traps"] or 0) > 0.2:
                    file.write(line + "\n")
        self.evaluate(f"tape:{kept}", "half.json", *SOME, lost=True)
        self.assertEqual(self.tables("half.json")["Where agents fail"]["rows"][1][1], "wins less where: traps > 0.2")

    def test_the_model_tells_lost_from_won(self):
        rows = dict((row[0], row[1:]) for row in self.tables("random.json", "trapped.json")["A model of success"]["rows"])
        self.assertLess(float(rows["traps"][1]), -1)
        self.assertGreater(float(rows["AUC, held out"][1]), 0.9)
        for agent in (0, 1):
            gain = numbers(rows["gain over that"][agent])
            self.assertAlmostEqual(float(rows["of the success rate alone"][agent]) - float(rows["log loss, held out"][agent]), gain[0], delta=0.0016)
            self.assertGreater(gain[1], 0)

    def test_surprises_are_episodes_that_were_lost_or_won(self):
        tables = self.tables("random.json", "trapped.json")
        rows = tables["Episodes that surprise"]["rows"][1:]
        self.assertGreater(len(rows), 10)
        for agent, name, what, chance in rows:
            won = self.won(f"{agent}.json")
            self.assertEqual(won[name], what == "hard and won")
            rate = sum(won.values()) / len(won)
            self.assertTrue(float(chance) < rate + 0.001 if won[name] else float(chance) > rate - 0.001)
        for agent in ("random", "trapped"):
            chances = [float(row[3]) for row in rows if row[:1] == [agent] and row[2] == "easy and lost"]
            self.assertEqual(chances, sorted(chances, reverse=True))

    def test_what_is_left_out_is_counted(self):
        few = self.path("few.jsonl.gz")
        names = [name for name in self.rows if name.startswith("GoToGoal")][:40]
        succeed("atlas", *names, IMPOSSIBLE, "-q", "-o", few)
        self.evaluate("random", "more.json", *names, IMPOSSIBLE, "KeyDoorPuzzle/easy#1", "KeyDoorPuzzle/easy#2")
        row = self.tables("more.json", atlas=few)["Where agents fail"]["rows"][1]
        self.assertEqual(row[-2:], ["40", "2 not in the atlas, 1 that nobody can win"])

    def test_attempts_at_an_episode_count_once(self):
        names = [name for name in self.rows if "/easy#" in name]
        self.evaluate(f"exec:{sys.executable} {ROOT}/examples/agents/greedy.py", "attempts.json", *names, "--attempts", "2")
        with open(self.path("attempts.json"), encoding="utf-8") as file:
            episodes = json.load(file)["episodes"]
        tables = self.tables("attempts.json")
        self.assertEqual(tables["Where agents fail"]["rows"][1][-2], "100")
        shares = {name: sum(episode["success"] for episode in episodes if episode["episode"] == name) / 2 for name in names}
        self.assertIn(0.5, shares.values())
        for measure, values, episodes, cell in tables["Success by measure"]["rows"][1:]:
            if measure == "kinds":  # few, and whole numbers
                named = [name for name in names if self.rows[name]["kinds"] == float(values)]
                self.assertEqual(int(episodes), len(named))
                for found, expected in zip(numbers(cell), wilson(sum(shares[name] for name in named), len(named))):
                    self.assertAlmostEqual(found, expected, delta=0.00051)
        for _, name, what, _ in tables["Episodes that surprise"]["rows"][1:]:
            self.assertEqual(shares[name] > 0, what == "hard and won")

    def test_results_of_different_episodes_count_their_own(self):
        names = [name for name in self.rows if name.startswith("GoToGoal")]
        self.evaluate("random", "part.json", *names)
        tables = self.tables("random.json", "part.json")
        rows = tables["Success by measure"]["rows"]
        self.assertEqual(rows[0][2::2], ["episodes", "episodes"])
        of_steps = [row for row in rows[1:] if row[0] == "steps"]
        self.assertEqual([sum(int(row[column]) for row in of_steps) for column in (2, 4)], [300, len(names)])
        self.assertEqual(len({row[1] for row in of_steps}), len(of_steps))

    def test_every_form_has_the_tables_and_the_same_call_the_same_bytes(self):
        titles = ("Where agents fail", "Which measures go with success", "Success by measure", "A model of success", "Episodes that surprise")
        files = [self.path("random.json"), self.path("trapped.json")]
        for form in ([], ["--markdown"], ["--html", "-"]):
            text = succeed("report", *files, "--atlas", self.atlas, *form)
            self.assertEqual(text, succeed("report", *files, "--atlas", self.atlas, *form))
            plain = succeed("report", *files, *form)
            for title in titles:
                self.assertEqual((text.count(title) > 0, title in plain), (True, False), title)
        for line in succeed("report", *files, "--atlas", self.atlas).splitlines():
            self.assertNotIn("nan", line.split())

    @unittest.skipUnless(os.uname().machine == "x86_64", "GLIBC_TUNABLES name features of x86-64")
    def test_a_processor_that_rounds_otherwise_gives_the_same_bytes(self):
        call = ["report", self.path("random.json"), self.path("trapped.json"), "--atlas", self.atlas, "--html", "-"]
        self.assertEqual(succeed(*call), succeed(*call, env={**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4"}))

    def page(self):
        page = self.path("page.html")
        succeed("report", self.path("random.json"), self.path("trapped.json"), "--atlas", self.atlas, "--html", page, "-q", "--published", "none")
        with open(page, encoding="utf-8") as file:
            return file.read()

    def test_the_page_plays_every_surprise(self):
        page = self.page()
        data = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.S).group(1))
        shown = {(data["agents"][episode["agent"]], episode["name"]) for episode in data["episodes"]}
        self.assertEqual(len(shown), len(data["episodes"]))
        rows = self.tables("random.json", "trapped.json")["Episodes that surprise"]["rows"][1:]
        self.assertLessEqual({(agent, name) for agent, name, _, _ in rows}, shown)
        self.assertEqual(page.count("<figure class=\"small\">"), 12)
        self.assertNotRegex(page, r"(?:src|href)=\"?http")

    @unittest.skipUnless(browser.CHROMIUM, "Chromium is not installed, so no link was followed")
    def test_surprises_are_links_to_the_player(self):
        self.page()
        rows = "[...document.querySelectorAll('#surprises tbody tr')]"
        with browser.Page() as page:
            page.open(self.path("page.html"))
            page.wait("!!document.querySelector('#surprises a')")
            said = page.value(rows + ".map(row => [row.cells[0].textContent, row.cells[1].textContent, !!row.querySelector('a')])")
            self.assertTrue(said and all(linked for _, _, linked in said))
            for i in (0, len(said) - 1):
                page.value(rows + f"[{i}].querySelector('a').click()")
                shown = page.value("['agent', 'episode'].map(id => document.getElementById(id).selectedOptions[0].textContent)")
                self.assertEqual((shown[0], shown[1].split()[0]), tuple(said[i][:2]))
            self.assertEqual(page.value("errors"), [])

    def test_a_wrong_atlas_is_refused(self):
        others = self.path("others.jsonl.gz")
        succeed("atlas", "TagHunt/easy#1", "-q", "-o", others)
        cut = self.path("cut.jsonl")
        with gzip.open(self.atlas, "rt") as file, open(cut, "w", encoding="utf-8") as copy:
            copy.writelines(file.readlines()[:-1])
        for atlas, code, words in ((others, USAGE, "it has none of the 300 episodes"), (cut, USAGE, "line 301"), (self.path("random.json"), USAGE, "random.json"),
                                   (self.path("none.jsonl.gz"), FOUND, "none.jsonl.gz")):
            done = run("report", self.path("random.json"), "--atlas", atlas)
            self.assertEqual((done.returncode, done.stdout), (code, ""), done)
            self.assertRegex(done.stderr, rf"\Aseedbed: [^\n]*{words}[^\n]*\n\Z")

    def test_what_nobody_wins_is_not_explained(self):
        succeed("atlas", "autumn:Seesaw#1", "-q", "-o", self.path("autumn.jsonl.gz"))
        self.evaluate("random", "autumn.json", "autumn:Seesaw#1")
        tables = self.tables("autumn.json", atlas=self.path("autumn.jsonl.gz"))
        self.assertEqual(tables["Where agents fail"]["rows"][1][-2:], ["0", "1 without success"])
        self.assertNotIn("Success by measure", tables)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
