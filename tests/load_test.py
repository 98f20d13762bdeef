"""The library `datasets` loads what `seedbed build` writes, as the help of `build` says. Skipped if the library is missing.

    $(scripts/test-python) tests/load_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import glob
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])

os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"  # set before the import, so that nothing is downloaded
try:
    import datasets
except ImportError:
    datasets = None


@unittest.skipUnless(datasets, "the Python package `datasets` is not installed: pip install datasets")
class Load(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-load-")
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "dataset")
        self.cache = os.path.join(folder.name, "cache")
        datasets.disable_progress_bars()

    def build(self, *arguments, program=SEEDBED):
        subprocess.run([program, "build", "-o", self.folder, "--quiet", *arguments], check=True, timeout=900)
        rows = []
        for path in sorted(glob.glob(os.path.join(self.folder, "steps-*.jsonl.gz"))):
            with gzip.open(path, "rt", encoding="utf-8") as file:
                rows += [json.loads(line) for line in file]
        return rows

    def load(self, **options):
        return datasets.load_dataset("json", data_files=os.path.join(self.folder, "steps-*.jsonl.gz"), split="train",
                                     cache_dir=self.cache, **options)

    def test_rows_and_columns_are_loaded_as_written(self):
        rows = self.build("--tasks", "PreciseNavigation,KeyDoorPuzzle", "-n", "3")
        loaded = self.load()
        self.assertEqual(loaded.column_names, list(rows[0]))
        self.assertEqual(loaded.num_rows, len(rows))
        self.assertEqual(loaded.to_list(), rows)

    def test_shards_come_in_order(self):
        rows = self.build("--tasks", "GoToGoal", "-n", "10", "--shard-episodes", "16")
        self.assertEqual(len(glob.glob(os.path.join(self.folder, "steps-*"))), 3)
        loaded = self.load()
        self.assertEqual(loaded["episode_id"][:], [row["episode_id"] for row in rows])
        self.assertEqual(loaded["action_int"][:], [row["action_int"] for row in rows])

    def test_columns_have_the_types_that_a_trainer_expects(self):
        self.build("--tasks", "KeyDoorPuzzle", "-d", "easy", "-n", "2")
        types = {name: feature.dtype for name, feature in self.load().features.items()}
        for name, wanted in {"task": "string", "episode_id": "int64", "difficulty": "string", "step": "int64",
                             "ascii_render": "string", "language_render": "string", "action_name": "string",
                             "action_int": "int64", "reward": "float64", "done": "bool", "seed": "int64",
                             "success": "bool", "return": "float64", "final_ascii_render": "string"}.items():
            self.assertEqual(types[name], wanted, name)

    def test_streaming_gives_the_same_rows(self):
        rows = self.build("--tasks", "PreciseNavigation", "-d", "easy", "-n", "4")
        self.assertEqual(list(self.load(streaming=True)), rows)

    def test_seeds_that_fit_a_signed_64_bit_column_keep_their_value(self):
        seeds = [2 ** 53 + 1, 2 ** 63 - 1]
        self.build(*(f"PreciseNavigation-v0/easy#{seed}" for seed in seeds))
        self.assertEqual(sorted(set(self.load()["seed"][:])), seeds)

    def test_larger_seeds_of_older_recipes_are_exact_in_the_column_name(self):
        """Arrow's integers here end at 2^63, so the column `seed` becomes doubles; today's recipes refuse such seeds."""
        names = ["PreciseNavigation-v0/easy#5", f"PreciseNavigation-v0/easy#{2 ** 64 - 1}"]
        with open(self.folder + ".json", "w", encoding="utf-8") as file:
            json.dump({"names": names, "defaults": 2}, file)
        self.build(file.name)
        self.assertEqual(list(dict.fromkeys(self.load()["name"][:])), names)

    def test_the_card_tells_the_loader_which_files_belong_to_which_format(self):
        self.build("PreciseNavigation-v0/easy#1", "KeyDoorPuzzle-v0/easy#2", "-f", "steps,trajectories,chat")
        self.assertEqual(datasets.get_dataset_config_names(self.folder), ["steps", "trajectories", "chat"])
        for name, columns in ((None, {"action_int"}), ("trajectories", {"actions"}), ("chat", {"messages"})):
            loaded = datasets.load_dataset(self.folder, name, cache_dir=self.cache)
            self.assertEqual(list(loaded), ["train"])
            self.assertLessEqual(columns, set(loaded["train"].column_names))

    def test_the_card_types_columns_that_hold_nothing(self):
        """No task of this family has success, and none a difficulty."""
        self.build("autumn:Seesaw#1", "--agent", "random", "-f", "steps")
        features = datasets.load_dataset(self.folder, cache_dir=self.cache)["train"].features
        self.assertEqual((features["success"].dtype, features["difficulty"].dtype, features["seed"].dtype), ("bool", "string", "int64"))

    def test_costs_of_actions_load(self):
        self.build("--tasks", "KeyDoorPuzzle,TagHunt", "-d", "easy", "--seeds", "1..2", "-f", "values")
        loaded = datasets.load_dataset(self.folder, cache_dir=self.cache)["train"]
        self.assertLessEqual({"taken", "cost_kinds", "cost_steps", "cost_best"}, set(loaded.column_names))

    def test_pairs_of_answers_load_as_trainers_read_them(self):
        styles = {"prompt_messages": {"prompt", "chosen", "rejected"}, "messages": {"chosen", "rejected"}, "prompt": {"prompt", "chosen", "rejected"}}
        formats = [{"format": "preference", "name": style, "style": style} for style in styles]
        self.build("--tasks", "KeyDoorPuzzle", "-d", "easy", "--seeds", "1..2", "-f", json.dumps(formats))
        for style, columns in styles.items():
            loaded = datasets.load_dataset(self.folder, style, cache_dir=self.cache)["train"]
            self.assertLessEqual({*columns, "margin", "chosen_why"}, set(loaded.column_names))
            self.assertEqual("prompt" in loaded.column_names, "prompt" in columns)
            self.assertEqual({type(loaded[0][column]) for column in columns}, {str if style == "prompt" else list})

    def test_questions_about_frames_load(self):
        self.build("autumn:Seesaw#1", "--agent", "random", "--format", '["next_frame", {"format": "next_frame", "name": "talk", "form": "chat"}]')
        for name, columns in (("next_frame", {"context_frames", "frame", "next_frame"}), ("talk", {"messages"})):
            loaded = datasets.load_dataset(self.folder, name, cache_dir=self.cache)["train"]
            self.assertEqual(len(loaded), 292)
            self.assertLessEqual(columns, set(loaded.column_names))

    def test_the_test_family_loads(self):
        rows = self.build("--family", "toy", "-n", "5", program=TOY)
        self.assertEqual(self.load().to_list(), rows)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
