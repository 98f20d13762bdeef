"""The atlas in Python: columns of measures, and episodes by demand."""
import json
import os
import pickle
import subprocess
import unittest

import numpy as np

import seedbed

COMMAND = os.environ.get("SEEDBED")


class Atlas(unittest.TestCase):
    chosen = seedbed.select(tasks="GoToGoal,KeyDoorPuzzle,RuleInduction", difficulty="easy", count=4)

    @unittest.skipUnless(COMMAND, "SEEDBED is not set")
    def test_columns_are_what_the_command_says(self):
        columns = seedbed.atlas(self.chosen)
        rows = [json.loads(line) for line in subprocess.run([str(COMMAND), "atlas", *self.chosen, "--json"], capture_output=True, check=True).stdout.splitlines()]
        self.assertEqual(columns["episode"].tolist(), list(self.chosen))
        self.assertEqual(columns["episode"].tolist(), [row["episode"] for row in rows])
        for name in set(columns) - {"episode"}:
            with self.subTest(measure=name):
                self.assertEqual(columns[name].dtype, np.float64)
                np.testing.assert_array_equal(columns[name], [np.nan if row[name] is None else row[name] for row in rows])

    def test_a_demand_chooses(self):
        steps = seedbed.atlas(self.chosen)["steps"]
        found = seedbed.atlas(self.chosen, where="steps > 5")
        self.assertEqual(found["episode"].tolist(), [name for name, n in zip(self.chosen, steps) if n > 5])
        self.assertTrue(np.isnan(found["luck"]).all())  # nobody asked for it
        self.assertEqual(len(seedbed.atlas(self.chosen, where="steps > 5000")["episode"]), 0)

    def test_selections_are_chosen_by_a_demand(self):
        measured = seedbed.atlas(seedbed.select(tasks="KeyDoorPuzzle"), where="steps >= 0")
        due = [name for name, steps in zip(measured["episode"], measured["steps"]) if steps > 45]
        chosen = seedbed.select(tasks="KeyDoorPuzzle", where="steps > 45")
        self.assertEqual(list(chosen), due)
        self.assertEqual(list(pickle.loads(pickle.dumps(chosen))), due)
        self.assertEqual(len(seedbed.select(tasks="KeyDoorPuzzle", split="mine", count=2, spread="steps=10..50 in 4")), 8)
        for options, words in (({"where": "stepps > 1"}, "is no measure"), ({"spread": "steps"}, "a range"), ({"where": "steps > 5000"}, "none of the 100")):
            with self.subTest(options=options), self.assertRaisesRegex(seedbed.InvalidError, words):
                seedbed.select(tasks="KeyDoorPuzzle", **options)

    def test_packs_keep_a_demand(self):
        pack = seedbed.derive_pack("mine", tasks="KeyDoorPuzzle", difficulty="hard", count=3, where="steps > 30")
        pack.verify()
        document = json.loads(str(pack.to_json()))
        self.assertEqual(document["demand"]["where"], "steps > 30")
        self.assertGreater(min(row[0] for row in document["lists"][0]["measured"]), 30)
        with self.assertRaisesRegex(seedbed.InvalidError, "either where"):
            seedbed.derive_pack("mine", tasks="KeyDoorPuzzle", count=3, where="steps > 30", solvable=True)

    def test_names_and_packs_are_taken(self):
        pack = seedbed.derive_pack("mine", tasks="GoToGoal", difficulty="easy", count=2)
        self.assertEqual(len(seedbed.atlas(pack)["steps"]), 2)
        self.assertEqual(seedbed.atlas("GoToGoal/easy#1")["episode"].tolist(), ["GoToGoal-v0/easy#1"])

    def test_bins_of_a_measure_serve_curricula(self):
        columns = seedbed.atlas(self.chosen)
        bin_of = seedbed.bins(self.chosen, "steps", [5, 9])
        for name, steps in zip(columns["episode"], columns["steps"]):
            due = "steps unknown" if np.isnan(steps) else "steps < 5" if steps < 5 else "steps 5 to 9" if steps < 9 else "steps >= 9"
            self.assertEqual(bin_of(str(name)), due)
        curriculum = seedbed.curricula.Learnability(self.chosen, bins=bin_of)
        self.assertEqual(len(curriculum.episodes), len({bin_of(name) for name in self.chosen}))
        for arguments, words in ((("stepps", [1]), "there is no `stepps`"), (("steps", []), "rise"), (("steps", [3, 3]), "rise"), (("steps", [1, float("nan")]), "rise")):
            with self.subTest(arguments=arguments), self.assertRaisesRegex(seedbed.InvalidError, words):
                seedbed.bins(self.chosen, *arguments)
        with self.assertRaisesRegex(seedbed.InvalidError, "was not measured"):
            bin_of("GoToGoal-v0/easy#1")

    def test_the_number_of_workers_changes_nothing(self):
        one, two = (seedbed.atlas(self.chosen, jobs=jobs) for jobs in (1, 2))
        for name in one:
            np.testing.assert_array_equal(one[name], two[name])

    def test_errors_point(self):
        with self.assertRaisesRegex(seedbed.InvalidError, "column 9, at `foo`"):
            seedbed.atlas(self.chosen, where="steps > foo")
        with self.assertRaises(seedbed.InvalidError):
            seedbed.atlas(self.chosen, jobs=-1)
        with self.assertRaises(TypeError):
            seedbed.atlas(self.chosen, where=5)  # type: ignore[arg-type]


if __name__ == "__main__":
    unittest.main()
