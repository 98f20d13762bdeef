"""The atlas in Python: columns of measures, and episodes by demand."""
import json
import os
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

    def test_names_and_packs_are_taken(self):
        pack = seedbed.derive_pack("mine", tasks="GoToGoal", difficulty="easy", count=2)
        self.assertEqual(len(seedbed.atlas(pack)["steps"]), 2)
        self.assertEqual(seedbed.atlas("GoToGoal/easy#1")["episode"].tolist(), ["GoToGoal-v0/easy#1"])

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
