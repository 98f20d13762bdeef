"""What datasets are composed of: splits, budgets, mixtures, orders, counts of their own, and extensions.

    python3 tests/composition_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import collections
import glob
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

from dataset_support import FOUND, SEEDBED, TWO_TASKS, USAGE, InFolder, contents, read, rows_of, run, unpacked, write

SMALL = ["--shard-episodes", "16"]
TRAIN = [*TWO_TASKS, "-d", "easy,medium", "--split", "train", *SMALL]
# Random actions fail often, so a filter leaves many out.
FILTERED = [*TRAIN, "--agent", "random", "--success"]
SPLITS = {"tasks": "PreciseNavigation,KeyDoorPuzzle", "difficulty": "easy", "shard_episodes": 16, "formats": ["steps", "npz"],
          "splits": {"train": {"episodes": 40, "order": "shuffled"}, "validation": {"episodes": 10}, "test": {}}}


class Case(InFolder):
    def recipe(self, recipe, name="recipe.json"):
        return write(self.path(name), json.dumps(recipe))

    def manifest(self, folder):
        return json.loads(read(os.path.join(folder, "manifest.json")))

    def names(self, folder, kind="tapes"):
        return [json.loads(line)["name"] for line in unpacked(folder, kind).splitlines()]

    def pairs(self, folder):
        return collections.Counter(name.split("#")[0] for name in self.names(folder))


class Budgets(Case):
    def test_episodes_are_counted_after_all_that_is_left_out_or_filtered(self):
        folder = self.build("d", *FILTERED, "--episodes", "21")
        self.assert_verifies(folder)
        manifest = self.manifest(folder)
        self.assertEqual(manifest["episodes"], 21)
        self.assertGreater(manifest["filtered"], 0)
        self.assertEqual(len({row["name"] for row in rows_of(folder)}), 21)

    def test_the_last_candidate_reaches_the_budget_and_no_smaller_one_does(self):
        whole = self.build("whole", *FILTERED, "--episodes", "20", "--order", "drawn")
        less = self.build("less", *FILTERED, "--episodes", "19", "--order", "drawn")
        self.assertEqual(self.names(less), self.names(whole)[:len(self.names(less))], "a smaller budget takes the first of them")
        self.assertEqual(rows_of(whole)[-1]["name"], self.names(whole)[-1], "the last episode has rows")

    def test_rows_end_with_the_episode_that_reaches_the_budget(self):
        folder = self.build("d", *FILTERED, "--rows", "300", "--order", "drawn")
        self.assert_verifies(folder)
        rows = rows_of(folder)
        last = [row for row in rows if row["name"] == rows[-1]["name"]]
        self.assertGreaterEqual(len(rows), 300)
        self.assertLess(len(rows) - len(last), 300)

    def test_tasks_and_difficulties_come_in_turns(self):
        counts = self.pairs(self.build("d", *TRAIN, "--episodes", "42"))
        self.assertEqual(len(counts), 4)
        self.assertLessEqual(max(counts.values()) - min(counts.values()), 2)

    def test_bytes_depend_neither_on_workers_nor_on_parts(self):
        for name, more in (("filtered", [*FILTERED, "--rows", "400", "-f", "steps,npz"]), ("plain", [*TRAIN, "--episodes", "50", "--order", "shuffled"])):
            wanted = contents(self.build(name, *more, "-j", "1"))
            self.assertEqual(contents(self.build(name + "3", *more, "-j", "3")), wanted)
            parts = [self.build(f"{name}-part{i}", *more, "--shard", f"{i}/3") for i in (1, 2, 3)]
            done = run("merge", *reversed(parts), "-o", self.path(name + "-merged"), "-q")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(contents(self.path(name + "-merged")), wanted)

    def test_an_interrupted_build_goes_on_to_the_same_bytes(self):
        recipe = [*FILTERED, "--episodes", "64", "-j", "2"]
        wanted, killed, patience = contents(self.build("wanted", *recipe)), 0, 0.02  # seconds; the first is too short to finish in
        for _ in range(20):
            child = subprocess.Popen([SEEDBED, "build", "-o", self.path("d"), "-q", "--resume", *recipe])
            try:
                child.wait(timeout=patience)
                break
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                killed += 1
                patience *= 1.4
        self.build("d", *recipe, "--resume")
        self.assertGreater(killed, 0)
        self.assertEqual(contents(self.path("d")), wanted)

    def test_a_budget_that_cannot_be_reached_says_what_to_do(self):
        self.refuse(["build", *TRAIN, "-n", "3", "--episodes", "50", "-o", self.path("d")], USAGE, "episodes", "50", "count")
        self.assertFalse(os.path.exists(self.path("d")))

    def test_budgets_are_of_seeds_that_agents_of_ours_play(self):
        tapes = self.path("tapes.jsonl")
        self.assertEqual(run("solve", "GoToGoal/easy#1", "-o", tapes, "-q").returncode, 0)
        self.refuse(["build", "--agent", f"tapes:{tapes}", "--episodes", "1", "-o", self.path("d")], USAGE, "episodes")
        self.refuse(["build", "PreciseNavigation/easy#1", "--episodes", "1", "-o", self.path("d")], USAGE, "names")

    def test_verify_refuses_a_manifest_that_says_another_cut(self):
        folder = self.build("d", *TRAIN, "--episodes", "20", "--order", "drawn")
        text = read(folder + "/manifest.json").decode()
        body = text[:text.rindex(',\n "sha256"')].replace('"episodes": 20, "order"', '"episodes": 19, "order"')
        self.assertNotEqual(body, text[:text.rindex(',\n "sha256"')])
        write(folder + "/manifest.json", body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n')
        self.refuse(["verify", folder], FOUND, "sections", "budget")

    def test_an_estimate_says_how_large_the_dataset_becomes(self):
        said = json.loads(run("build", *TRAIN, "--episodes", "50", "--failures", "keep", "--dry-run", "--json").stdout)
        self.assertEqual((said["exact"], said["played"]), (True, 50))
        said = json.loads(run("build", *FILTERED, "--episodes", "40", "--dry-run", "--json").stdout)
        made = self.manifest(self.build("d", *FILTERED, "--episodes", "40"))
        self.assertFalse(said["exact"])
        self.assertAlmostEqual(said["episodes"], 40, delta=2)
        self.assertLess(abs(said["selected"] - made["selected"]), made["selected"] * 0.6)


class Orders(Case):
    def test_a_shuffled_dataset_has_the_same_episodes_in_another_order(self):
        plain, shuffled = self.build("a", *TRAIN, "-n", "20"), self.build("b", *TRAIN, "-n", "20", "--order", "shuffled")
        self.assert_verifies(shuffled)
        self.assertEqual(sorted(self.names(plain)), sorted(self.names(shuffled)))
        self.assertNotEqual(self.names(plain), self.names(shuffled))
        first = collections.Counter(name.split("#")[0] for name in self.names(shuffled)[:20])
        self.assertGreater(len(first), 2, "the first episodes are of several tasks and difficulties")
        groups = [json.loads(read(folder + "/stats.json"))["groups"] for folder in (plain, shuffled)]
        self.assertEqual(*[[(group["task"], group["difficulty"], group["episodes"]) for group in of] for of in groups])

    def test_duplicates_are_judged_in_the_order_of_the_seeds_however_they_are_written(self):
        tiny = ["--tasks", "TileSorting", "-d", "easy", "--seeds", "0..60", "--evaluation", "keep", "--duplicates", "drop"]
        plain, shuffled = self.build("a", *tiny), self.build("b", *tiny, "--order", "shuffled")
        self.assertGreater(self.manifest(plain)["duplicates"]["found"], 0)
        self.assertEqual(sorted(self.names(plain)), sorted(self.names(shuffled)))


class Counts(Case):
    def test_the_narrowest_count_is_taken(self):
        recipe = {"tasks": "GoToGoal,KeyDoorPuzzle", "split": "train", "evaluation": "keep",
                  "count": {"easy": 3, "medium": 2, "KeyDoorPuzzle": 4, "KeyDoorPuzzle/easy": 1}}
        folder = self.path("d")
        self.assertEqual(run("build", self.recipe(recipe), "-q", "-o", folder).returncode, 0)
        self.assert_verifies(folder)
        self.assertEqual(self.pairs(folder), {"GoToGoal-v0/easy": 3, "GoToGoal-v0/medium": 2, "KeyDoorPuzzle-v0/easy": 1, "KeyDoorPuzzle-v0/medium": 4,
                                              "KeyDoorPuzzle-v0/hard": 4, "KeyDoorPuzzle-v0/expert": 4})

    def test_what_a_count_does_not_name_is_not_selected_and_mistakes_are_named(self):
        for recipe, *words in (({"count": {"easiest": 3}}, "count", "easiest"), ({"count": {"easy": -1}}, "count", "easy"),
                               ({"count": {"easy": 0}}, "count"), ({"count": {}}, "count")):
            self.refuse(["build", self.recipe({"split": "train", **recipe}), "-o", self.path("d")], USAGE, *words)


class Mixtures(Case):
    def mixed(self, name, mixture, episodes=400, **more):
        folder = self.path(name)
        recipe = {"split": "train", "evaluation": "keep", "mixture": mixture, "episodes": episodes, "tasks": "GoToGoal,KeyDoorPuzzle", **more}
        done = run("build", self.recipe(recipe), "-q", "-o", folder)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return folder

    def test_weights_say_how_often_a_task_and_a_difficulty_are_drawn(self):
        folder = self.mixed("d", [{"tasks": "GoToGoal", "difficulty": "easy", "weight": 3}, {"tasks": "KeyDoorPuzzle", "difficulty": "easy,medium"}])
        self.assert_verifies(folder)
        counts = self.pairs(folder)
        self.assertEqual(sum(counts.values()), 400)
        for pair, share in (("GoToGoal-v0/easy", 0.75), ("KeyDoorPuzzle-v0/easy", 0.125), ("KeyDoorPuzzle-v0/medium", 0.125)):
            self.assertAlmostEqual(counts[pair] / 400, share, delta=0.08)

    def test_a_schedule_over_progress_leads_from_one_difficulty_to_another(self):
        folder = self.mixed("d", [{"difficulty": "easy", "weight": [[0, 1], [0.5, 0]]}, {"difficulty": "medium", "weight": [[0, 0], [0.5, 1]]}])
        self.assert_verifies(folder)
        levels = [name.split("/")[1].split("#")[0] for name in self.names(folder)]
        self.assertGreater(levels[:50].count("easy"), 40)
        self.assertEqual(set(levels[200:]), {"medium"})
        self.assertLess(abs(levels[:200].count("easy") - 100), 30)

    def test_the_recipe_in_the_manifest_builds_the_same_bytes(self):
        folder = self.mixed("d", [{"tasks": ["GoToGoal"], "weight": [[0.25, 2], [1, 0.5]]}, {"tasks": "KeyDoorPuzzle"}], episodes=30)
        again = self.path("again")
        self.assertEqual(run("build", self.recipe(self.manifest(folder)["recipe"]), "-q", "-o", again).returncode, 0)
        self.assertEqual(contents(again), contents(folder))

    def test_mistakes_name_the_item(self):
        one = {"difficulty": "easy"}
        for mixture, *words in (([], "mixture"), ([{**one, "weight": -1}], "mixture[0]", "weight"), ([one, {"tasks": "Nothing"}], "mixture[1]"),
                                ([{**one, "weight": [[0.5, 1], [0.5, 2]]}], "mixture[0]", "progress"), ([{**one, "weights": 1}], "mixture[0]", "weights"),
                                ([{**one, "weight": [[0, 1], [0.5, 0]]}], "mixture", "progress 0.5"), ([{**one, "weight": 0}], "mixture")):
            self.refuse(["build", self.recipe({"split": "train", "mixture": mixture, "episodes": 5}), "-o", self.path("d")], USAGE, *words)
        self.refuse(["build", self.recipe({"split": "train", "mixture": [one]}), "-o", self.path("d")], USAGE, "mixture", "episodes")


class Splits(Case):
    def test_splits_have_files_of_their_own_and_disjoint_episodes(self):
        folder = self.path("d")
        self.assertEqual(run("build", self.recipe(SPLITS), "-q", "-o", folder).returncode, 0)
        self.assert_verifies(folder)
        names = {split: set(self.names(folder, f"tapes-{split}")) for split in SPLITS["splits"]}
        self.assertEqual([len(names["train"]), len(names["validation"]), len(names["test"])], [40, 10, 50])
        self.assertEqual(len(set.union(*names.values())), 100)
        sections = self.manifest(folder)["sections"]
        self.assertEqual([(s["split"], s["episodes"]) for s in sections], [("train", 40), ("validation", 10), ("test", 50)])
        for split in names:
            said = {json.loads(line)["name"] for line in unpacked(folder, f"steps-{split}").splitlines()}
            self.assertEqual(said, names[split])
            packed = set()
            for path in glob.glob(f"{folder}/npz-{split}-*.npz"):
                with zipfile.ZipFile(io.BytesIO(read(path))) as archive:
                    array = archive.read("names.npy")
                    packed |= set(re.findall(rb"[A-Za-z]+-v0/easy#\d+", array))
            self.assertEqual({name.decode() for name in packed}, names[split])
        card = read(folder + "/README.md").decode()
        for split in names:
            self.assertIn(f'- split: {split}\n    path: "steps-{split}-*.jsonl.gz"', card)
        sets = {item["includes"] for item in json.loads(read(folder + "/croissant.json"))["distribution"] if item["@type"] == "cr:FileSet"}
        self.assertEqual(sets, {f"steps-{split}-*.jsonl.gz" for split in names})

    def test_what_two_splits_share_stays_with_the_later_one(self):
        recipe = {"tasks": "GoToGoal", "difficulty": "easy", "evaluation": "keep",
                  "splits": {"train": {"seeds": "0..29"}, "validation": {"seeds": "20..39"}, "test": {"seeds": "35..39"}}}
        folder = self.path("d")
        done = run("build", self.recipe(recipe), "-q", "--json", "-o", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_verifies(folder)
        said = json.loads(done.stdout)
        self.assertEqual(said["elsewhere"], self.manifest(folder)["elsewhere"]["found"])
        self.assertEqual(said["selected"] - said["episodes"], said["elsewhere"], "its numbers add up")
        seeds = {split: {int(name.split("#")[1]) for name in self.names(folder, f"tapes-{split}")} for split in recipe["splits"]}
        self.assertLessEqual(seeds["test"], set(range(35, 40)))
        self.assertFalse(seeds["train"] & seeds["validation"] or seeds["validation"] & seeds["test"])
        self.assertLessEqual(seeds["train"], set(range(20)))
        self.assertGreaterEqual(self.manifest(folder)["elsewhere"]["found"], 15)

    def test_parts_workers_and_more_formats_give_the_same_bytes(self):
        recipe = self.recipe(SPLITS)
        self.assertEqual(run("build", recipe, "-q", "-j", "1", "-o", self.path("d")).returncode, 0)
        wanted = contents(self.path("d"))
        for i in (1, 2):
            self.assertEqual(run("build", recipe, "-q", "-j", "2", "--shard", f"{i}/2", "-o", self.path(f"p{i}")).returncode, 0)
        self.assertEqual(run("merge", self.path("p2"), self.path("p1"), "-q", "-o", self.path("m")).returncode, 0)
        self.assertEqual(contents(self.path("m")), wanted)
        one = self.recipe({**SPLITS, "formats": ["steps"]}, "one.json")
        self.assertEqual(run("build", one, "-q", "-o", self.path("r")).returncode, 0)
        self.assertEqual(run("render", self.path("r"), "-f", "npz", "-q").returncode, 0)
        self.assertEqual(contents(self.path("r")), wanted)

    def test_mistakes_name_the_split(self):
        for splits, *words in (({"Train": {}}, "Train"), ({}, "splits"), ({"train": {"count": 3, "what": 1}}, "splits.train", "what"),
                               ({"mine": {}}, "splits.mine", "count"), ({"train": {"extends": "test"}}, "splits.train", "extends")):
            self.refuse(["build", self.recipe({"splits": splits}), "-o", self.path("d")], USAGE, *words)
        self.refuse(["build", self.recipe({"count": 3, "splits": {"train": {}}}), "-o", self.path("d")], USAGE, "`count`", "splits")


class Extensions(Case):
    def extend(self, folder, *arguments, code=0):
        done = run("build", "--extend", "-o", folder, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def assert_grew(self, folder, before):
        after = contents(folder)
        old = [name for name in before if "-of-" in name]
        self.assertTrue(old)
        self.assertEqual({name: after[name] for name in old}, {name: before[name] for name in old})
        self.assertGreater(len(after), len(before))
        self.assert_verifies(folder)

    def assert_is_a_build_of_its_recipe(self, folder):
        again = self.path("again")
        shutil.rmtree(again, ignore_errors=True)
        done = run("build", self.recipe(self.manifest(folder)["recipe"], "again.json"), "-q", "-o", again)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(contents(again), contents(folder))

    def test_an_extended_dataset_keeps_its_files_and_is_what_a_build_would_have_made(self):
        folder = self.build("d", *FILTERED, "--episodes", "20", "-f", "steps,npz")
        before = contents(folder)
        self.assertIn("unchanged", self.extend(folder, "--episodes", "15"))
        self.assert_grew(folder, before)
        self.assertEqual(self.manifest(folder)["episodes"], 35)
        self.assert_is_a_build_of_its_recipe(folder)
        before = contents(folder)
        self.extend(folder, "--episodes", "7", "--tasks", "PreciseNavigation", "-d", "easy")
        self.assert_grew(folder, before)
        self.assertEqual([s["episodes"] for s in self.manifest(folder)["sections"]], [20, 15, 7])
        self.assertEqual(len(set(self.names(folder))), len(self.names(folder)), "no episode is there twice")
        self.assert_is_a_build_of_its_recipe(folder)

    def test_a_larger_count_adds_what_is_not_there_yet(self):
        folder = self.build("d", *TRAIN, "-n", "10")
        before = contents(folder)
        self.extend(folder, "-n", "15")
        self.assert_grew(folder, before)
        self.assertEqual(set(self.names(folder)), set(self.names(self.build("whole", *TRAIN, "-n", "15"))))
        self.refuse(["build", "--extend", "-n", "15", "-o", folder], USAGE, "already")

    def test_a_split_is_extended_and_the_others_are_not_touched(self):
        folder = self.path("d")
        self.assertEqual(run("build", self.recipe(SPLITS), "-q", "-o", folder).returncode, 0)
        before = contents(folder)
        self.refuse(["build", "--extend", "--episodes", "9", "--into", "dev", "-o", folder], USAGE, "--into dev: ", "splits: " + ", ".join(SPLITS["splits"]))
        self.extend(folder, "--episodes", "9", "--into", "validation")
        self.assert_grew(folder, before)
        self.assertEqual([name for name in contents(folder) if "more1" in name and "steps" in name], ["steps-validation-more1-00000-of-00001.jsonl.gz"])
        self.assert_is_a_build_of_its_recipe(folder)

    def test_an_interrupted_extension_goes_on_or_begins_again(self):
        start = [*TRAIN, "--episodes", "20", "-f", "steps,npz"]
        def now():
            return {name: data for name, data in contents(folder).items() if not name.startswith(".")}

        folder = self.build("d", *start)
        self.extend(folder, "--episodes", "120")
        wanted = now()
        shutil.rmtree(folder)
        killed = refused = 0
        self.build("d", *start)
        for i in range(20):
            child = subprocess.Popen([SEEDBED, "build", "--extend", "--resume", "--episodes", "120", "-q", "-o", folder])
            try:
                child.wait(timeout=0.03 + 0.02 * i)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                killed += 1
            there = now()
            if "journal.jsonl" in there and there["manifest.json"] != wanted["manifest.json"]:
                for command in (["verify", folder], ["render", folder, "-f", "chat"], ["build", *start, "--resume", "-o", folder]):
                    self.refuse(command, FOUND, "extending", "was interrupted", "--resume", "--force")
                self.assertEqual(now(), there)
                refused += 1
            if now() == wanted:  # also when it was killed on its way out; once more would be the next extension
                break
        if now() != wanted:
            self.extend(folder, "--resume", "--episodes", "120")
        self.assertGreater(min(killed, refused), 0)
        self.assertEqual(now(), wanted)

    def test_an_unfinished_build_is_no_extension(self):
        folder = self.path("d")
        self.build("part", *TRAIN, "--episodes", "40", "--shard-episodes", "16", "--shard", "1/2")
        os.rename(self.path("part"), folder)
        for how in ([], ["--resume"], ["--force"]):
            self.refuse(["build", "--extend", "--episodes", "9", *how, "-o", folder], FOUND, "unfinished dataset", "`seedbed build --resume`")

    def test_what_would_change_the_dataset_is_refused_and_leaves_it_as_it_was(self):
        folder = self.build("d", *TRAIN, "-n", "4")
        before = contents(folder)
        for arguments, *words in ((["-d", "hard", "-n", "2"], "hard"), (["-n", "9", "-f", "npz"], "--extend"), (["-n", "9", "--epsilon", "0.5"], "--extend"),
                                  (["-n", "9", "--into", "train"], "--into train: the dataset has no splits"), (["GoToGoal/easy#3"], "names"), ([], "how much", "--episodes N"),
                                  (["-d", "easy"], "how much")):
            self.refuse(["build", "--extend", *arguments, "-o", folder], USAGE, *words)
            self.assertEqual(contents(folder), before)
        write(glob.glob(folder + "/steps-00000*")[0], b"other bytes")
        self.refuse(["build", "--extend", "-n", "9", "-o", folder], FOUND, "steps-00000")


class Published(Case):
    def test_recipes_of_the_published_sizes_name_the_teacher_and_select_all_tasks(self):
        for rows, name in ((120_000, "120k"), (250_000, "250k"), (500_000, "500k")):
            recipe = json.loads(read(os.path.join(os.path.dirname(__file__), f"../examples/recipes/published-{name}.json")))
            self.assertEqual((recipe["rows"], recipe["oracle"], recipe["split"]), (rows, "expert", "train"))
            self.assertFalse({"tasks", "difficulty", "category"} & set(recipe))
            folder = self.path(name)
            self.assertEqual(run("build", self.recipe({**recipe, "rows": 3000}), "-q", "-o", folder).returncode, 0)
            self.assertGreaterEqual(self.manifest(folder)["rows"], 3000)
            self.assertEqual(list(rows_of(folder)[0])[:10], ["task", "episode_id", "difficulty", "step", "ascii_render", "language_render",
                                                             "action_name", "action_int", "reward", "done"])
            self.assertGreater(len(self.pairs(folder)), 50)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
