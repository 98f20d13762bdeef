"""Seed packs with digests: the one that ships, others, and what tells two packs apart.

    python3 tests/seeds_pack_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OFFICIAL = os.path.join(ROOT, "seeds", "official.json.gz")


def run(*arguments, program=SEEDBED):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=900)


class Packs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-packs-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name, *selection, program=SEEDBED):
        done = run("seeds", *selection, "-q", "-o", self.path(name), program=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.path(name)

    def write(self, name, document):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return self.path(name)

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def resealed(self, name, document):
        """Returns the pack with the correct hash, which the refusal names, so that only the rest is wrong."""
        said = run("verify", self.write(name, document)).stderr
        document["hash"] = re.search(r"the hash should be (\w{64})", said).group(1)
        return self.write(name, document)

    def test_the_shipped_pack_has_all_official_episodes_and_verifies(self):
        done = run("verify", OFFICIAL)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("pack of 3700 seeds in 148 lists, base eval: every hash right, every episode", done.stdout)

    def test_the_program_writes_the_shipped_pack_for_any_number_of_workers(self):
        with gzip.open(OFFICIAL, "rt", encoding="utf-8") as file:
            shipped = file.read()
        self.assertEqual(run("seeds", "--split", "eval", "--digests", "--jobs", "1").stdout, shipped)
        self.assertEqual(run("seeds", "--split", "eval", "--digests", "--jobs", "3").stdout, shipped)

    def test_every_family_has_digests_and_unknown_families_are_refused(self):
        pack = self.read(self.make("toy.json", "--family", "toy", "--split", "mine", "-n", "5", "--digests", program=TOY))
        self.assertEqual((pack["version"], pack["rules"]), (2, "toy 1"))
        for one in pack["lists"]:
            self.assertEqual(len(one["digests"]), 5)
            self.assertTrue(all(re.fullmatch("[0-9a-f]{16}", digest) for digest in one["digests"]))
        self.assertEqual(run("verify", self.path("toy.json"), program=TOY).returncode, 0)
        done = run("verify", self.path("toy.json"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("toy", done.stderr)

    def test_a_pack_without_digests_is_still_version_1(self):
        self.assertEqual(self.read(self.make("plain.json", "-t", "GoToGoal", "--split", "eval"))["version"], 1)

    def test_an_episode_that_differs_is_named(self):
        pack = self.read(self.make("a.json", "-t", "GoToGoal", "-d", "easy", "--split", "mine", "-n", "100", "--digests"))
        digest, seed = pack["lists"][0]["digests"][77], pack["lists"][0]["seeds"][77]
        pack["lists"][0]["digests"][77] = "0123456789abcdef"
        done = run("verify", self.resealed("b.json", pack))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"GoToGoal-v0/easy#{seed}: this installation generates another episode: its digest is {digest}", done.stderr)

    def test_digests_under_other_rules_are_refused_as_such(self):
        pack = self.read(self.make("a.json", "-t", "GoToGoal", "-d", "easy", "--split", "mine", "-n", "2", "--digests"))
        pack["rules"] = "agentick 99"
        done = run("verify", self.resealed("b.json", pack))
        self.assertEqual(done.returncode, 1)
        self.assertIn("made under the rules `agentick 99`; this program has the rules `agentick 1`", done.stderr)
        done = run("eval", "--pack", self.path("b.json"), "--agent", "random", "--json")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("made under the rules `agentick 99`; this program has the rules `agentick 1`", done.stderr)

    def test_altered_digests_break_the_hash_and_malformed_ones_are_refused(self):
        good = self.make("a.json", "-t", "GoToGoal", "-d", "easy", "--split", "mine", "-n", "2", "--digests")
        digest = self.read(good)["lists"][0]["digests"][0]
        with open(good, encoding="utf-8") as file:
            text = file.read()
        for old, new, words in ((digest, "0" * 16, "the hash should be"), (digest, digest.upper() + "0", "16 hexadecimal"),
                                (f'"{digest}", ', "", "1 digests for 2 seeds"), ('"rules": "agentick 1"', '"rules": ""', "rules"),
                                ('"version": 2', '"version": 1', "unknown key `rules`"),
                                ('"rules": "agentick 1",', "", "`rules` is missing"),
                                ('"rules": "agentick 1"', '"rules": "a\\nb c"', "rules")):
            with self.subTest(old=old):
                self.assertIn(old, text)
                with open(self.path("b.json"), "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new, 1))
                done = run("verify", self.path("b.json"))
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)

    def test_diff_says_where_packs_differ_and_exits_1(self):
        first = self.make("a.json", "-t", "GoToGoal,KeyDoorPuzzle", "-d", "easy,hard", "--split", "mine", "-n", "5", "--digests")
        same = self.make("a.json.gz", "-t", "GoToGoal,KeyDoorPuzzle", "-d", "easy,hard", "--split", "mine", "-n", "5", "--digests")
        done = run("seeds", "diff", first, same)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("hold the same pack", done.stdout)
        pack = self.read(first)
        pack["lists"][0]["digests"][3] = "0" * 16
        del pack["lists"][3]
        pack["lists"][1]["seeds"][2] += 1
        pack["lists"][2]["seeds"].pop(), pack["lists"][2]["digests"].pop()
        pack["lists"][2]["count"] = 4
        done = run("seeds", "diff", first, self.write("b.json", pack))
        self.assertEqual(done.returncode, 1)
        lines = done.stdout.splitlines()[1:]
        seeds = self.read(first)["lists"][0]["seeds"]
        self.assertRegex(lines[0], rf"^GoToGoal-v0/easy: 1 of 5 episodes differ, first seed {seeds[3]}: digest \w+ \| 0{{16}}$")
        self.assertRegex(lines[1], r"^GoToGoal-v0/hard: 1 of 5 seeds differ, first number 3: \d+ \| \d+$")
        self.assertEqual(lines[2:], ["KeyDoorPuzzle-v0/easy: 5 seeds | 4 seeds", "KeyDoorPuzzle-v0/hard: only in the first"])
        back = run("seeds", "diff", self.path("b.json"), first, "--json")
        self.assertEqual(back.returncode, 1)
        said = json.loads(back.stdout)
        self.assertFalse(said["equal"])
        self.assertEqual(said["differences"][-1], "KeyDoorPuzzle-v0/hard: only in the second")

    def test_diff_compares_the_published_export_with_a_pack(self):
        export = self.path("export.json")
        self.assertEqual(run("seeds", "--published", "-q", "-o", export).returncode, 0)
        self.assertEqual(run("seeds", "diff", export, self.make("eval.json", "--split", "eval")).returncode, 0)
        other = run("seeds", "diff", export, OFFICIAL)
        self.assertEqual((other.returncode, other.stdout.splitlines()[1:]),
                         (1, ["digests under rules: none | agentick 1"]))

    def packs_of(self, *selection, program=SEEDBED):
        """Returns the packs of a dataset, and its episodes."""
        folder = self.path("dataset")
        done = run("build", *selection, "-f", "seedpack", "-q", "--force", "-o", folder, program=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        tapes = [json.loads(line) for name in sorted(os.listdir(folder)) if name.startswith("tapes")
                 for line in gzip.open(os.path.join(folder, name), "rt")]
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.startswith("seedpack")], tapes

    def test_packs_of_a_dataset_have_each_episode_once(self):
        for program, selection in ((SEEDBED, ["--tasks", "PreciseNavigation,KeyDoorPuzzle", "--split", "train", "-n", "3"]),
                                   (SEEDBED, ["GoToGoal/easy#9", "GoToGoal/hard#1", "GoToGoal/easy#3", "GoToGoal/easy#2"]),
                                   (SEEDBED, ["--family", "babyai", "--tasks", "GoTo,Open", "--seeds", "1..4"]),
                                   (TOY, ["--family", "toy", "--seeds", "7..9"])):
            paths, tapes = self.packs_of(*selection, "--shard-episodes", "16", program=program)
            self.assertEqual(run("verify", *paths, program=program).returncode, 0)
            said = [f'{entry["task"]}{"/" * bool(entry["variant"])}{entry["variant"]}#{seed}' for path in paths
                    for entry in self.read(path)["lists"] for seed in entry["seeds"]]
            played = {tape["name"].split(":")[-1] for tape in tapes}
            self.assertEqual((set(said), len(said)), (played, len(played)))

    def test_packs_of_a_dataset_have_no_official_evaluation_seed(self):
        (path,), _ = self.packs_of("PreciseNavigation/easy#323538274", "PreciseNavigation/easy#1", "LightsOut/hard#323538274")
        self.assertEqual([(entry["task"], entry["seeds"]) for entry in self.read(path)["lists"]], [("PreciseNavigation-v0", [1])])
        self.assertEqual(run("verify", path, os.path.dirname(path)).returncode, 0)
        done = run("build", "--tasks", "GoToGoal", "--split", "eval", "-f", "seedpack", "-o", self.path("none"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("all seeds are official evaluation seeds", done.stderr)
        self.assertFalse(os.path.exists(self.path("none")))

    def test_chosen_packs_have_episodes_that_can_be_won_and_begin_unlike_all_others(self):
        path, plain = self.path("chosen.json"), self.path("plain.json")
        selection = ["--tasks", "PreciseNavigation", "-d", "hard,expert", "--split", "mine"]
        self.assertEqual(run("seeds", *selection, "-n", "8", "--solvable", "--unique", "-o", path).returncode, 0)
        self.assertEqual(run("verify", path).returncode, 0)
        self.assertEqual(run("seeds", *selection, "-n", "200", "-o", plain).returncode, 0)
        chosen, stream = self.read(path), self.read(plain)
        self.assertEqual(chosen["base"], "mine+solvable+unique")
        for ours, theirs in zip(chosen["lists"], stream["lists"], strict=True):
            passed = theirs["seeds"][:theirs["seeds"].index(ours["seeds"][-1]) + 1]
            self.assertEqual([seed for seed in passed if seed in ours["seeds"]], ours["seeds"], "in the order of the stream")
            self.assertEqual((len(ours["seeds"]), ours["left_out"]), (8, len(passed) - 8))
            names = {True: [], False: []}
            for seed in passed:
                names[seed in ours["seeds"]].append(f'{ours["task"]}/{ours["variant"]}#{seed}')
            said = [json.loads(line)["verdict"] for line in run("certify", *names[True], "--json").stdout.splitlines() if '"verdict"' in line]
            self.assertEqual(set(said), {"solved"})
            if names[False]:
                self.assertNotIn('"solved"', run("certify", *names[False], "--json").stdout)

    def test_a_split_does_not_say_that_its_seeds_were_chosen(self):
        done = run("seeds", "--tasks", "GoToGoal", "--split", "mine+solvable", "-n", "2")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("`+` stands before what seeds of a pack were chosen by", done.stderr)

    def test_unique_packs_leave_out_what_begins_like_an_official_episode(self):
        done = run("seeds", "--tasks", "TileSorting", "-d", "easy", "--split", "mine", "-n", "5", "--unique")
        self.assertEqual(done.returncode, 2)
        self.assertIn("TileSorting-v0/easy: only 0 of 5 seeds", done.stderr)
        for split in ([], ["--split", "train"]):
            self.assertIn("a split of your own", run("seeds", *split, "--unique").stderr)

    def test_lists_with_fewer_games_than_seeds_are_named(self):
        small, said = ["GoToGoal", "KeyDoorPuzzle"], {}
        for task in small:
            done = run("seeds", "--tasks", task, "-d", "easy", "-o", self.path("p.json"))
            said[task] = done.stderr
        self.assertRegex(said["GoToGoal"], "some of these episodes are the same game, because there are few: GoToGoal-v0/easy has 9\n")
        self.assertEqual(said["KeyDoorPuzzle"], "")
        told = json.loads(run("seeds", "--tasks", ",".join(small), "-d", "easy", "-o", self.path("p.json"), "--json").stdout)["few_games"]
        self.assertEqual([(row["task"], row["seeds"], row["different"], row["all"]) for row in told], [("GoToGoal-v0", 25, 9, True)])

    def test_games_are_counted_by_task_and_difficulty(self):
        done = run("seeds", "games", "--tasks", "GoToGoal,TileSorting", "-d", "easy,medium", "-n", "500", "--json")
        rows = {(row["task"], row["difficulty"]): row for row in json.loads(done.stdout)}
        self.assertEqual(list(rows), [("GoToGoal-v0", "easy"), ("GoToGoal-v0", "medium"), ("TileSorting-v0", "easy"), ("TileSorting-v0", "medium")])
        digests = json.loads(run("seeds", "--tasks", "TileSorting", "-d", "medium", "--split", "games", "-n", "500", "--digests").stdout)["lists"][0]["digests"]
        self.assertEqual(rows["TileSorting-v0", "medium"]["different"], len(set(digests)))
        self.assertEqual((rows["GoToGoal-v0", "easy"]["different"], rows["GoToGoal-v0", "easy"]["evaluation"]), (9, 500))
        far = rows["GoToGoal-v0", "medium"]
        self.assertEqual((far["pairs"], far["all"], far["effective"]), (0, False, {"least": 500 * 499 / 6}))

    def test_every_built_in_task_says_how_many_games_it_has(self):
        families = json.loads(run("tasks", "--json").stdout)
        levels = [(task["name"], level) for family in families for task in family["tasks"] for level in task["levels"]]
        self.assertEqual([name for name, level in levels if "games" not in level], [])
        self.assertGreater(len(levels), 300)
        for name, level in levels:
            games = level["games"]
            self.assertLessEqual(games["once"] + 2 * games["twice"], games["starts"], name)
            self.assertEqual(games["all"], games["once"] == 0 and games["pairs"] > 0, name)

    def test_wrong_calls_say_what_is_wrong(self):
        for arguments, code, words in ((["diff", OFFICIAL], 2, "two packs"), (["diff", OFFICIAL, OFFICIAL, "--digests"], 2, "two packs"),
                                       (["diff", OFFICIAL, self.path("none")], 1, "cannot read"),
                                       (["--published", "--digests"], 2, "no digests")):
            done = run("seeds", *arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
