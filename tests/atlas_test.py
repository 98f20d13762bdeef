"""The atlas: its measures are what they say, interruptions and parts do not change its bytes, and every alteration is found.

    python3 tests/atlas_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import hashlib
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
FOUND, USAGE = 1, 2
SMALL = ["--tasks", "GoToGoal,KeyDoorPuzzle,PreciseNavigation,TagHunt", "-d", "easy,hard", "--seeds", "0..11"]
SHARES = ("random", "random_low", "random_high", "choice", "traps", "backtrack")


def run(*arguments, **options):
    return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=600, check=False, **options)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def rows_of(path):
    return [json.loads(line) for line in gzip.decompress(read(path)).decode().splitlines()[1:-1]]


def wilson(share, n, z=1.959963984540054):
    middle, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


class Atlas(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-atlas-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.whole = cls.path("whole.jsonl.gz")
        cls.make("whole.jsonl.gz", *SMALL, "-j", "1")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def make(cls, name, *arguments):
        done = run("atlas", "-q", "-o", cls.path(name), *arguments)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done
        return read(cls.path(name))

    def assert_fails(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr + done.stdout)

    # ---- Measures ----

    def test_values_are_in_their_ranges_or_say_why_they_are_missing(self):
        for row in rows_of(self.whole):
            measures = set(row) - {"episode", "traps_proven", "missing"}
            self.assertEqual({name for name in measures if row[name] is None}, set(row["missing"]), row)
            for name in SHARES:
                self.assertTrue(row[name] is None or 0 <= row[name] <= 1, row)
            low, high = wilson(row["random"], 256)
            self.assertAlmostEqual(row["random_low"], low, delta=0.001)
            self.assertAlmostEqual(row["random_high"], high, delta=0.001)
            self.assertIn(row["greedy"], (None, 0, 1))
            if row["steps"] is not None and row["proven"] is not None:
                self.assertLessEqual(row["proven"], row["steps"])

    def test_steps_are_those_of_the_best_certified_play(self):
        done = run("certify", *SMALL, "--json")
        certified = {line["episode"]: line for line in map(json.loads, done.stdout.splitlines())}
        rows = rows_of(self.whole)
        self.assertEqual([row["episode"] for row in rows], list(certified))
        for row in rows:
            certificate = certified[row["episode"]]
            if certificate["verdict"] == "solved":
                self.assertLessEqual(row["steps"], len(certificate["tape"]["actions"]), row)
            else:
                self.assertEqual(row["missing"]["steps"], "no play wins: proven")

    def test_the_search_sees_what_a_search_of_this_file_sees(self):
        """On an empty grid all states within reach are cells; a goal at distance d is found behind those that are nearer."""
        row = json.loads(run("atlas", "GoToGoal-v0/easy#365147648", "--json").stdout)
        self.assertEqual((row["steps"], row["proven"], row["size"]), (4, 4, 25))
        self.assertGreater(row["search"], 4)
        self.assertLess(row["search"], 25 * 4)

    def test_what_only_draws_decide_has_luck_and_other_episodes_have_none(self):
        luck = {row["episode"].split("-v0")[0]: 0 for row in rows_of(self.whole)}
        for row in rows_of(self.whole):
            luck[row["episode"].split("-v0")[0]] += row["luck"] or 0
        self.assertGreater(luck["TagHunt"], 0)
        self.assertEqual((luck["KeyDoorPuzzle"], luck["PreciseNavigation"]), (0, 0))

    def test_other_families_are_measured(self):
        babyai, free, test, game = (json.loads(run("atlas", name, "--json").stdout) for name in (
            "babyai:GoToObj#3", "autumn:Seesaw#7", "autumn:Seesaw/planning-1#1", "arc:Fold/intro#1"))
        self.assertEqual((babyai["size"], babyai["kinds"], babyai["hidden"]), (64, 2, 1))
        self.assertEqual(free["missing"]["steps"], "nothing is won in this task")
        self.assertGreater(test["steps"], 0)
        self.assertEqual(game["size"], 4096)

    def test_worlds_of_users_are_measured(self):
        world = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "worlds", "crates.sexp")
        row = json.loads(run("atlas", world + "/easy#1", "--json").stdout)
        self.assertEqual((row["proven"], row["luck"], row["size"]), (row["steps"], 0, 36))

    # ---- Files ----

    def test_the_number_of_workers_changes_nothing(self):
        self.assertEqual(self.make("workers.jsonl.gz", *SMALL, "-j", "3"), read(self.whole))

    def test_an_interrupted_call_goes_on_to_the_same_bytes(self):
        chance = random.Random(1)
        for _ in range(3):
            with subprocess.Popen([SEEDBED, "atlas", "-q", "-o", self.path("killed.jsonl.gz"), *SMALL, "-j", "1"]) as process:
                time.sleep(chance.uniform(0.1, 2))
                process.kill()
        self.assertEqual(self.make("killed.jsonl.gz", *SMALL), read(self.whole))

    def test_an_interruption_says_what_is_kept(self):
        for things, *words in (("episodes", "atlas", "--tasks", "TagHunt", "-d", "hard", "--seeds", "0..999"),
                               ("episodes", "certify", "--tasks", "TagHunt", "-d", "hard", "--seeds", "0..9999"),
                               ("challenges", "challenges", "--kinds", "planning", "--count", "5")):
            path = self.path(f"interrupted-{words[0]}.jsonl.gz" if words[0] != "challenges" else "interrupted.jsonl")
            process = subprocess.Popen([SEEDBED, *words, "-j", "1", "-o", path], stderr=subprocess.PIPE, text=True)
            while not os.path.exists(path + ".part"):
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            said = process.communicate(timeout=300)[1]
            self.assertEqual(process.returncode, -signal.SIGINT)
            self.assertRegex(said, rf"seedbed: Interrupt after \d+ of \d+ {things}: what was written is kept, and the same command goes on\n\Z")

    def test_another_selection_does_not_overwrite_what_is_left(self):
        with gzip.open(self.path("other.jsonl.gz.part"), "wb") as file:
            file.write(b'{"atlas": 1}\n')
        self.assert_fails(run("atlas", "-o", self.path("other.jsonl.gz"), *SMALL), FOUND, "another selection or version", "remove it")

    def test_a_world_that_was_edited_is_measured_again(self):
        """Its atlas, and what an interrupted call left of it, tell of other episodes."""
        world, easy = self.path("crates.sexp"), ["--tasks", self.path("crates.sexp"), "-d", "easy", "--seeds", "0..9"]
        shutil.copy(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "worlds", "crates.sexp"), world)
        whole = self.make("crates.jsonl.gz", *easy)
        choice = ["atlas", *easy, "--where", "steps > 0", "--names", "--atlas", self.path("crates.jsonl.gz")]
        self.assertEqual(run(*choice).returncode, 0)
        self.assertEqual(run("verify", "--program", world, self.path("crates.jsonl.gz")).returncode, 0)
        with open(self.path("left.jsonl.gz.part"), "wb") as file:
            file.write(whole[:-20])
        with open(world, encoding="utf-8") as file:
            text = file.read()
        with open(world, "w", encoding="utf-8") as file:
            file.write(text.replace("(solution 4 20)", "(solution 12 30)"))
        self.assert_fails(run(*choice), FOUND, "crates.jsonl.gz: line 2: Crates: the atlas was made under the rules `autumn 1 ", "make it again")
        self.assert_fails(run("verify", "--program", world, self.path("crates.jsonl.gz")), FOUND, "Crates: the atlas was made under")
        self.assert_fails(run("atlas", "-o", self.path("left.jsonl.gz"), *easy), FOUND, "another selection or version", "remove it")

    def test_parts_are_joined_to_the_whole(self):
        for part in (1, 2, 3):
            self.make(f"part{part}.jsonl.gz", *SMALL, "--shard", f"{part}/3")
            self.assertEqual(run("verify", self.path(f"part{part}.jsonl.gz"), "--sample", "2").returncode, 0)
        parts = [self.path(f"part{part}.jsonl.gz") for part in (3, 1, 2)]
        done = run("merge", *parts, "-o", self.path("joined.jsonl.gz"), "--json")
        self.assertEqual(json.loads(done.stdout), {"atlas": self.path("joined.jsonl.gz"), "parts": 3, "episodes": 96})
        self.assertEqual(read(self.path("joined.jsonl.gz")), read(self.whole))
        self.assert_fails(run("merge", *parts[:2], "-o", self.path("x.jsonl.gz")), USAGE, "name all 3 parts")
        self.assert_fails(run("merge", parts[0], parts[0], parts[1], "-o", self.path("x.jsonl.gz")), USAGE, "is there twice")
        self.assert_fails(run("merge", self.whole, "-o", self.path("x.jsonl.gz")), USAGE, "not a part of one")

    def test_joining_results_to_standard_output_reads_no_standard_input(self):
        parts = [self.path(f"result{part}.json") for part in (1, 2)]
        for part, path in enumerate(parts, 1):
            self.assertEqual(run("eval", "--tasks", "GoToGoal", "-d", "easy", "--agent", "random", "--shard", f"{part}/2", "-q", "-o", path).returncode, 0)
        with subprocess.Popen([SEEDBED, "merge", *parts, "-o", "-", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            self.assertEqual(json.loads(process.stdout.read())["format"], "seedbed-result", "one document, and nothing behind it")

    def test_a_pack_is_measured_and_stands_in_the_atlas(self):
        pack = self.path("pack.json")
        self.assertEqual(run("seeds", "--tasks", "GoToGoal", "-d", "easy", "--split", "mine", "-n", "4", "-o", pack).returncode, 0)
        self.make("pack.jsonl.gz", "--pack", pack)
        os.unlink(pack)
        done = run("verify", self.path("pack.jsonl.gz"))
        self.assertIn("atlas of 4 episodes: 4 measured again, all as it says", done.stdout)

    # ---- Verifying ----

    def forged(self, change):
        lines = gzip.decompress(read(self.whole)).decode().splitlines()
        change(lines)
        body = "".join(line + "\n" for line in lines[:-1])
        tail = json.dumps({"rows": len(lines) - 2, "sha256": hashlib.sha256(body.encode()).hexdigest()})
        with gzip.open(self.path("forged.jsonl.gz"), "wb") as file:
            file.write((body + tail + "\n").encode())
        return run("verify", self.path("forged.jsonl.gz"))

    def test_alterations_are_found(self):
        def replace(line, old, new):
            def change(lines):
                assert old in lines[line], lines[line]
                lines[line] = lines[line].replace(old, new)
            return change

        def swap(lines):
            lines[1], lines[2] = lines[2], lines[1]

        first = rows_of(self.whole)[0]
        self.assertEqual(self.forged(lambda lines: None).returncode, 0)
        self.assert_fails(self.forged(replace(1, f'"steps": {first["steps"]}', f'"steps": {first["steps"] + 1}')), FOUND, "line 2", "`steps` is")
        self.assert_fails(self.forged(replace(1, '"luck": 0.0', '"luck": 0.5')), FOUND, "`luck` is 0, not 0.5")
        proven, other = ("true", "false") if first["traps_proven"] else ("false", "true")
        self.assert_fails(self.forged(replace(1, f'"traps_proven": {proven}', f'"traps_proven": {other}')), FOUND, f"`traps_proven` is {proven}, not {other}")
        self.assert_fails(self.forged(swap), FOUND, "line 2", "is where")
        self.assert_fails(self.forged(lambda lines: lines.pop(3)), FOUND, "rows are not those of the selection")
        self.assert_fails(self.forged(replace(0, '"atlas": 1', '"atlas": 2')), FOUND, "version 2")
        self.assert_fails(self.forged(replace(0, '"agentick 1"', '"agentick 9"')), FOUND, "line 2")
        self.assert_fails(self.forged(replace(0, '"agentick 1"', '"agentick 1", "arc 9"')), FOUND, "line 1, key `rules`")
        self.assert_fails(self.forged(replace(5, '"missing": {', '"missing": {"steps": "nobody knows", ')), FOUND, "line 6")
        whole = bytearray(gzip.decompress(read(self.whole)))
        whole[-20] ^= 1
        with gzip.open(self.path("bent.jsonl.gz"), "wb") as file:
            file.write(bytes(whole))
        self.assert_fails(run("verify", self.path("bent.jsonl.gz"), "--sample", "1"), FOUND)

    # ---- Demands ----

    def names(self, demand, *more):
        done = run("atlas", *SMALL, "--where", demand, "--names", "--atlas", self.whole, *more)
        self.assertIn(done.returncode, (0, FOUND), done.stderr)
        return done.stdout.split()

    def test_demands_choose_what_the_rows_say(self):
        rows = rows_of(self.whole)

        def is_more(row, name, than):
            return row[name] is not None and row[name] > than

        for demand, holds in {
            "steps > 10": lambda row: is_more(row, "steps", 10),
            "steps>=20 and luck==0": lambda row: row["steps"] is not None and row["steps"] >= 20 and row["luck"] == 0,
            "not (random < 0.05)": lambda row: row["random_low"] is not None and row["random_low"] >= 0.05,
            "not (random >= 0.05)": lambda row: row["random_high"] is not None and row["random_high"] < 0.05,
            "not (steps > 10)": lambda row: row["steps"] is not None and row["steps"] <= 10,
            "choice > 0.9 or greedy == 1": lambda row: is_more(row, "choice", 0.9) or row["greedy"] == 1,
            "random < 0.05": lambda row: row["random_high"] < 0.05,
            "0.05 > random": lambda row: row["random_high"] < 0.05,
            "random > 0.1": lambda row: row["random_low"] > 0.1,
            "random * 1 > 0.1": lambda row: row["random"] > 0.1,
            "2 * steps - proven / 2 + 1 > 20": lambda row: row["steps"] is not None and row["proven"] is not None and 2 * row["steps"] - row["proven"] / 2 + 1 > 20,
            "steps - -1 > 10": lambda row: row["steps"] is not None and row["steps"] + 1 > 10,
            "size / 0 > 1": lambda row: False,
            "not not (hidden != 1)": lambda row: row["hidden"] is not None and row["hidden"] != 1,
        }.items():
            with self.subTest(demand=demand):
                self.assertEqual(self.names(demand), [row["episode"] for row in rows if holds(row)])

    def test_what_is_measured_for_a_demand_is_what_the_atlas_says(self):
        demand = "steps >= 8 and random < 0.2 and traps < 0.5"
        self.assertEqual(run("atlas", *SMALL, "--where", demand, "--names").stdout.split(), self.names(demand))

    def test_the_last_line_says_that_only_the_first_were_asked_for(self):
        episodes = ["--tasks", "GoToGoal", "-d", "easy,medium", "--where", "steps >= 2", "--first"]
        said = run("atlas", *episodes, "3").stdout.splitlines()[-1]
        self.assertEqual(said, "the first 3 that are so, as asked (50 of 50 episodes measured): steps >= 2")
        said = run("atlas", *episodes, "300").stdout.splitlines()[-1]
        self.assertRegex(said, r"^\d\d of 50 episodes are so: steps >= 2$")

    def test_the_first_ones_are_the_first(self):
        demand = "steps > 6"
        self.assertEqual(self.names(demand, "--first", "5"), self.names(demand)[:5])

    def test_a_demand_that_nothing_fits_exits_with_1(self):
        self.assertEqual(run("atlas", *SMALL, "--where", "steps > 9999", "--atlas", self.whole).returncode, FOUND)

    def test_errors_in_demands_point(self):
        for demand, words in {"steps > foo": "column 9, at `foo`: `foo` is no measure; those are steps, proven,", "steps >": "at the end a number, a measure",
                              "(steps > 3": "at the end a bracket should close", "steps": "column 1", "steps > 3 and 5": "conditions should stand on both sides",
                              "steps > 3 5": "column 11, at `5`", "steps > 1e999": "this is no number", "(steps > 1) + 2 > 3": "numbers should stand on both sides",
                              "": "at the end a number", "steps > 1" + " and steps > 1" * 90: "at most 1000 bytes", "(" * 200 + "1": "too deeply",
                              "not " * 150 + "steps > 1": "`not` stands too often", "-" * 900 + "1 > 0": "column 1, at `-------",
                              "-steps > 3": "this is no number"}.items():
            with self.subTest(demand=demand):
                self.assert_fails(run("atlas", *SMALL, "--where", demand), USAGE, words)

    def test_options_that_do_not_go_together_are_refused(self):
        for options in (["-o", "-"], ["-o", "x.jsonl.gz", "--where", "steps > 1", "--first", "2"], ["--first", "3"], ["--names", "--json"],
                        ["--where", "steps > 1", "--first", "2", "--shard", "1/2"], ["--pack", "x.json"]):
            with self.subTest(options=options):
                self.assertEqual(run("atlas", *SMALL, *options, cwd=self.folder).returncode, USAGE)

    def test_measures_are_listed(self):
        listed = [json.loads(line)["name"] for line in run("atlas", "--measures", "--json").stdout.splitlines()]
        self.assertEqual(listed, [name for name in rows_of(self.whole)[0] if name not in ("episode", "traps_proven", "missing")])
        page = read(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "measured", "atlas.md")).decode()
        self.assertEqual([name for name in listed if f"`{name}`" not in page], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
