"""Episodes by what they demand: the first of each list that are so, equal numbers in ranges; packs, results, datasets and certificates keep it.

    python3 tests/choosing_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SEEDBED = os.path.abspath(sys.argv[1])
KEYS = ["--tasks", "KeyDoorPuzzle"]
WHERE = "steps >= 15 and random < 0.05"
SPREAD = "steps=10..50 in 4"


def run(*arguments):
    return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=600, check=False)


def names(*arguments):
    done = run("atlas", "-q", "--names", *arguments)
    assert done.returncode == 0, done
    return done.stdout.split()


def rows(*arguments):
    """The measures that these tests read, of all episodes that can be won."""
    done = run("atlas", "-q", "--json", *arguments, "--where", "steps >= 0 and random_high <= 1")
    assert done.returncode == 0, done
    return {row["episode"]: row for row in map(json.loads, done.stdout.splitlines())}


def is_so(row):
    return row["steps"] >= 15 and row["random_high"] < 0.05


def pair(name):
    return name.partition("#")[0]


def seal(pack):
    """Makes the hashes of a pack with a demand right, as seeds/pack.h describes them."""
    demand = ", ".join([*(f'"{key}": {json.dumps(pack["demand"][key])}' for key in ("where", "spread") if key in pack["demand"]),
                        f'"version": {pack["demand"]["version"]}', f'"measures": {json.dumps(pack["demand"]["measures"])}'])
    lines = ["seedbed-pack 3", f"{pack['family']} {pack['base']}", pack.get("rules", ""), "{" + demand + "}"]
    for seeds in pack["lists"]:
        seeds["count"] = len(seeds["seeds"])
        seeds["hash"] = hashlib.sha256(json.dumps(seeds["seeds"]).encode()).hexdigest()
        measured = "".join("[" + ", ".join(map(json.dumps, row)) + "]\n" for row in seeds["measured"])
        lines.append(f"{seeds['task']}/{seeds['variant']} {seeds['count']} {seeds['hash']} {hashlib.sha256(measured.encode()).hexdigest()}")
    pack["hash"] = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
    return pack


class Choosing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-choosing-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def made(self, name, *arguments):
        done = run(*arguments, "-q", "-o", self.path(name))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return self.path(name)

    def load(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def forged(self, name, document):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return self.path(name)

    def assert_verifies(self, path, *words):
        done = run("verify", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in words:
            self.assertIn(word, done.stdout)

    def assert_fails(self, done, *words):
        self.assertNotEqual(done.returncode, 0, done)
        for word in words:
            self.assertIn(word, done.stderr)

    # ---- Which episodes ----

    def test_without_a_count_all_that_are_so_are_taken(self):
        measured = rows(*KEYS)
        self.assertEqual(names(*KEYS, "--spread", "steps=0..1000 in 1", "--where", WHERE), [name for name, row in measured.items() if is_so(row)])

    def test_a_count_takes_the_first_of_a_list_that_goes_on(self):
        measured = rows(*KEYS, "-d", "medium,hard", "--split", "mine", "-n", "40")
        due = [[name for name, row in measured.items() if difficulty in name and is_so(row)][:6] for difficulty in ("/medium", "/hard")]
        self.assertEqual(names(*KEYS, "-d", "medium,hard", "--split", "mine", "-n", "6", "--where", WHERE), sum(due, []))

    def test_a_count_in_a_published_list_looks_at_all_of_it(self):
        all_of_it = [name for name, row in rows(*KEYS, "-d", "medium").items() if is_so(row)]
        n = len(all_of_it)
        self.assertGreater(n, 3)
        self.assertEqual(names(*KEYS, "-d", "medium", "-n", str(n), "--where", WHERE), all_of_it)
        self.assert_fails(run("atlas", *KEYS, "-d", "medium", "-n", str(n + 1), "--where", WHERE, "-q"),
                          f"KeyDoorPuzzle-v0/medium: only {n} of {n + 1} episodes were found among the 25")

    def test_a_spread_fills_every_range_alike(self):
        chosen = names(*KEYS, "--split", "mine", "-n", "7", "--spread", SPREAD)
        measured = rows(*chosen)
        found = [0] * 4
        for row in measured.values():
            found[min(int((row["steps"] - 10) // 10), 3)] += 1
        self.assertEqual(found, [7, 7, 7, 7])  # 28 episodes of four difficulties
        self.assertEqual(chosen, names(*KEYS, "--split", "mine", "-n", "7", "--spread", SPREAD, "-j", "1"))

    def test_a_spread_without_a_count_takes_as_many_as_the_poorest_range_has(self):
        everything = rows(*KEYS)
        there = [sum(low <= row["steps"] < low + 15 or row["steps"] == 55 == low + 15 for row in everything.values()) for low in (10, 25, 40)]
        chosen = [everything[name]["steps"] for name in names(*KEYS, "--spread", "steps=10..55 in 3")]
        self.assertEqual(len(chosen), 3 * min(there))

    def test_names_keep_their_order(self):
        some = [name for name in rows(*KEYS, "-d", "easy,hard", "-n", "4")][::-1]
        self.assertEqual(names(*some, "--spread", "steps=20..1000 in 1"), [name for name in some if "/hard" in name])

    def test_a_long_demand_may_have_a_spread_beside_it(self):
        demand = "steps > 1" + " and steps > 1" * 70
        self.assertEqual(names(*KEYS, "--where", demand, "--spread", "steps=0..1000 in 1"), names(*KEYS, "--where", "steps > 1"))

    def test_an_atlas_and_workers_change_nothing(self):
        atlas = self.made("known.jsonl.gz", "atlas", *KEYS, "-d", "hard", "--split", "mine", "-n", "9")
        call = ("seeds", *KEYS, "-d", "hard", "--split", "mine", "-n", "5", "--where", WHERE)
        packs = [self.made(f"pack{i}.json", *call, *more) for i, more in enumerate((["-j", "1"], ["-j", "3"], ["--atlas", atlas]))]
        self.assertEqual(len({open(pack, "rb").read() for pack in packs}), 1)

    # ---- What cannot be ----

    def test_errors_say_what_is_wrong(self):
        for words, options in ((("column 1", "`stepps`", "is no measure"), ["--where", "stepps > 3"]),
                               (("none of the 25 episodes is as demanded",), ["--where", "steps > 5000"]),
                               (("no measure",), ["--spread", "long=1..3 in 2"]),
                               (("from a number to a larger one",), ["--spread", "steps=30..3 in 2"]),
                               (("whole one from 1 to 100",), ["--spread", "steps=1..3 in 0"]),
                               (("KeyDoorPuzzle", "steps from 100 to 200"), ["--spread", "steps=0..1000 in 10"])):
            with self.subTest(options=options):
                self.assert_fails(run("certify", *KEYS, "-d", "easy", *options, "-q"), *words)

    def test_a_budget_and_other_choices_do_not_go_with_it(self):
        self.assert_fails(run("eval", *KEYS, "--where", "steps > 3", "--budget", "4"), "a budget draws from the official episodes")
        self.assert_fails(run("seeds", *KEYS, "--split", "mine", "-n", "3", "--where", "steps > 3", "--unique"), "either demands")
        self.assert_fails(run("seeds", *KEYS, "--seeds", "0..9", "--where", "steps > 3"), "come from a split")

    # ---- What is made of them ----

    def test_a_pack_keeps_the_demand_and_the_measures(self):
        path = self.made("kept.json", "seeds", *KEYS, "-d", "medium,hard", "--split", "mine", "-n", "4", "--where", WHERE, "--digests")
        pack = self.load(path)
        self.assertEqual((pack["version"], pack["demand"]["where"]), (3, WHERE))
        self.assert_verifies(path, "every episode as demanded")
        measured = rows(*(f"{seeds['task']}/{seeds['variant']}#{seed}" for seeds in pack["lists"] for seed in seeds["seeds"]))
        kept = [row for seeds in pack["lists"] for row in seeds["measured"]]
        self.assertEqual(sorted(map(str, kept)), sorted(str([row[name] for name in pack["demand"]["measures"]]) for row in measured.values()))

    def test_a_pack_of_official_episodes_is_a_part_of_their_list(self):
        path = self.made("official.json", "seeds", *KEYS, "-d", "medium", "--where", WHERE)
        self.assertEqual(self.load(path)["base"], "eval")
        self.assert_verifies(path)

    def test_a_forged_pack_is_found(self):
        path = self.made("true.json", "seeds", *KEYS, "-d", "medium,hard", "--split", "mine", "-n", "4", "--where", WHERE)
        self.assertEqual(seal(self.load(path)), self.load(path))

        def measure(pack):
            pack["lists"][0]["measured"][1][0] += 1

        def order(pack):
            for key in ("seeds", "measured"):
                pack["lists"][0][key].reverse()

        def left_out(pack):
            pack["lists"][0]["left_out"] += 1

        def other_demand(pack):
            pack["demand"]["where"] = "steps >= 48 and random < 0.05"

        def other_measures(pack):
            pack["demand"]["measures"][0] = "search"

        for forge, word in ((measure, "`steps` is"), (order, "is not where `mine` gives it"), (left_out, "left out"),
                            (other_demand, "not as demanded"), (other_measures, "not those that the demand reads")):
            with self.subTest(forge=forge.__name__):
                pack = self.load(path)
                forge(pack)
                self.assert_fails(run("verify", self.forged("forged.json", seal(pack))), word)
        for forge in (measure, other_demand):
            with self.subTest(unsealed=forge.__name__):
                pack = self.load(path)
                forge(pack)
                self.assert_fails(run("verify", self.forged("forged.json", pack)), "hash should be")

    def test_packs_are_compared_by_their_demands(self):
        call = ("seeds", *KEYS, "-d", "hard", "--split", "mine", "-n", "2")
        paths = self.made("one.json", *call, "--where", "steps > 30"), self.made("two.json", *call, "--where", "steps > 31")
        self.assertIn("where: steps > 30 | steps > 31", run("seeds", "diff", *paths).stdout)

    def test_a_result_lists_what_was_chosen_and_is_verified_by_measuring(self):
        path = self.made("result.json", "eval", *KEYS, "--agent", "random", "--where", "steps >= 45")
        result = self.load(path)
        self.assertEqual(result["selection"]["chosen"], [episode["episode"] for episode in result["episodes"]])
        self.assert_verifies(path, "where steps >= 45")
        self.assertIn("where steps >= 45", run("report", path).stdout)
        result["selection"]["where"] = "steps >= 44"
        self.assert_fails(run("verify", self.forged("forged-result.json", result)), "not those that are as demanded")

    def test_atlases_and_certificates_of_a_demand_verify(self):
        for command, name in (("atlas", "some.jsonl.gz"), ("certify", "certificates.jsonl.gz")):
            with self.subTest(command=command):
                self.assert_verifies(self.made(name, command, *KEYS, "-d", "hard", "--where", "steps >= 53"))

    def test_datasets_and_their_splits_take_demands(self):
        recipe = {"tasks": "KeyDoorPuzzle", "difficulty": "hard", "format": "chat", "where": "steps >= 30",
                  "splits": {"train": {"episodes": 3}, "test": {"where": "steps >= 50"}}}
        folder = self.made("data", "build", self.forged("recipe.json", recipe))
        self.assert_verifies(folder)
        measured = {}
        for split in ("train", "test"):
            with gzip.open(os.path.join(folder, f"tapes-{split}-00000-of-00001.jsonl.gz"), "rt", encoding="utf-8") as file:
                measured[split] = [row["steps"] for row in rows(*{json.loads(line)["name"] for line in file}).values()]
        self.assertEqual(len(measured["train"]), 3)
        self.assertGreaterEqual(min(measured["train"]), 30)
        self.assertGreaterEqual(min(measured["test"]), 50)

    def test_datasets_of_worlds_take_demands_in_everything_that_is_done_with_them(self):
        world = ["--tasks", os.path.join(ROOT, "examples", "worlds", "crates.sexp"), "-d", "easy", "--split", "train"]
        for k, demand in enumerate(("--where=steps >= 5", "--spread=steps=3..14 in 2")):
            with self.subTest(demand=demand):
                built = ["build", *world, demand, "-n", "20", "--shard-episodes", "16"]
                folder = self.made(f"folder{k}", *built, "-f", "steps")
                self.assert_verifies(folder)
                self.assertEqual(run("render", folder, "--format", "chat", "-q").returncode, 0)
                self.assert_verifies(folder)
                manifest = self.load(os.path.join(self.made(f"both{k}", *built, "-f", "steps,chat"), "manifest.json"))
                self.assertEqual(self.load(os.path.join(folder, "manifest.json")), manifest)
                merged = self.made(f"merged{k}", "merge", *(self.made(f"part{k}{n}", *built, "-f", "steps,chat", "--shard", f"{n}/2") for n in (1, 2)))
                self.assertEqual(self.load(os.path.join(merged, "manifest.json")), manifest)
        folder = self.path("folder0")
        self.assertEqual(run("build", "--extend", "-n", "24", "-q", "-o", folder).returncode, 0)
        self.assert_verifies(folder)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
