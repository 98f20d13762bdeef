"""The library `mlcroissant` accepts croissant.json, and with it reads the rows that were written. Skipped if the library is
missing.

    $(scripts/test-python) tests/croissant_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import json
import logging
import os
import sys
import unittest

from dataset_support import SEEDBED, TOY, InFolder, unpacked, write

try:
    import mlcroissant
except ImportError:
    mlcroissant = None

RECIPE = {"name": "keys", "license": "MIT", "tasks": "KeyDoorPuzzle", "split": "train", "count": 5, "shard_episodes": 16,
          "formats": ["steps", "trajectories", {"format": "chat", "rows": "episode"}, {"format": "chat", "name": "prompts", "style": "prompt"},
                      {"format": "chat", "name": "pairs", "style": "prompt_messages", "turns": 2}]}
# Fields that a dataset without a publisher, a paper and a date cannot have.
UNSAID = ("citeAs", "datePublished", "version")


def plain(value):
    """Decodes texts, which come as bytes, and removes the record set's name from the names of fields."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return round(value, 9)  # the reader's own parser of numbers is off in the last digits
    return {key.rsplit("/")[-1]: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


@unittest.skipUnless(mlcroissant, "the Python package `mlcroissant` is not installed: pip install mlcroissant")
class Croissant(InFolder):
    def check(self, recipe, program=SEEDBED):
        logging.getLogger("absl").setLevel(logging.ERROR)
        folder = self.build("d", "--force", "--recipe", write(self.path("recipe.json"), json.dumps(recipe)), program=program)
        dataset = mlcroissant.Dataset(os.path.join(folder, "croissant.json"))
        issues = dataset.metadata.ctx.issues
        self.assertEqual(issues.errors, set())
        self.assertEqual([warning for warning in issues.warnings if not any(f"/{key}\"" in warning for key in UNSAID)], [])
        sets = [record_set.id for record_set in dataset.metadata.record_sets]
        for name in sets:
            written = [plain(json.loads(line)) for line in unpacked(folder, name).splitlines()]
            read = [plain(record) for record in dataset.records(name)]
            self.assertEqual(sorted(read, key=json.dumps), sorted(written, key=json.dumps), name)
        return dataset.metadata, sets

    def test_every_record_set_is_read_as_it_was_written(self):
        metadata, sets = self.check(RECIPE)
        self.assertEqual(sets, ["steps", "trajectories", "chat", "prompts", "pairs"])
        self.assertEqual((metadata.name, metadata.license), ("keys", ["MIT"]))
        for said in (metadata.data_collection, metadata.data_collection_missing_data, metadata.data_biases, metadata.data_limitations,
                     metadata.data_use_cases, metadata.personal_sensitive_information, metadata.machine_annotation_tools):
            self.assertTrue(said)

    def test_labels_and_the_test_family_are_read_as_written(self):
        self.check({"license": "MIT", "tasks": "GoToGoal", "difficulty": "easy", "count": 3, "epsilon": 0.2, "formats": ["steps", "trajectories"]})
        self.check({"license": "MIT", "family": "toy", "count": 4, "formats": ["steps"]}, TOY)

    def test_costs_of_actions_are_read_as_written(self):
        self.check({"license": "MIT", "tasks": "SwitchCircuit,TagHunt", "difficulty": "easy", "count": 2, "formats": ["values"]})

    def test_pairs_of_answers_are_read_as_written(self):
        self.check({"license": "MIT", "tasks": "SwitchCircuit,TagHunt", "difficulty": "easy", "count": 2, "epsilon": 0.1, "formats": [
            "preference", {"format": "preference", "name": "texts", "style": "prompt"}, {"format": "preference", "name": "plays", "rows": "episode"}]})

    def test_questions_about_frames_are_read_as_written(self):
        self.check({"license": "MIT", "family": "autumn", "tasks": "Seesaw", "seeds": "1..2", "oracle": "random",
                    "formats": ["next_frame", {"format": "next_frame", "name": "talk", "form": "chat"}]})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
