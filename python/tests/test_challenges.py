"""Challenges in Autumn from Python: names, phases, scores, what results say of them, and notes.

    python -m unittest python/tests/test_challenges.py
"""
import json
import unittest

import seedbed

NAME = "autumn:Seesaw/mfp-1#1"


class Patient:
    """Watches everything and takes the option that it is made with."""

    def __init__(self, option):
        self.option = option

    def __call__(self, observation, _):
        seen = json.loads(observation) if isinstance(observation, str) else observation
        if seen["phase"] == "interaction":
            return "go-to-test" if seen["step"] > 3 else "click 5 5"
        return f"choose_option_{self.option}" if seen["is_finished"] else "step"


class Challenges(unittest.TestCase):
    def test_one_option_of_six_scores(self):
        results = [seedbed.evaluate(Patient(option), NAME, obs="challenge") for option in range(6)]
        self.assertEqual(sorted(result.episodes[0].score for result in results), [0, 0, 0, 0, 0, 1])
        for result in results:
            test, = [test for test in result.families["autumn"].tests if test.category is None]
            self.assertEqual((test.kind, test.tested, test.mean_interaction), ("mfp", 1, 5))
            self.assertAlmostEqual(test.corrected_score, (test.mean_score - 1 / 6) / (5 / 6))
            self.assertEqual(test.exploration["shares"], {"noop": 0, "key": 0, "click": 1, "reset": 0})
            self.assertEqual(result.episodes[0].test, seedbed.Tested(interaction=5, tested=True))

    def test_a_name_makes_an_environment(self):
        env = seedbed.make(NAME, obs="challenge")
        seen, _ = env.reset()
        seen = json.loads(seen) if isinstance(seen, str) else seen
        self.assertEqual((seen["kind"], seen["phase"]), ("mfp", "interaction"))
        with self.assertRaisesRegex(seedbed.Error, "cannot be derived.*try another seed or level"):
            seedbed.make("autumn:Basket/planning-2#1").reset()


class Notes(unittest.TestCase):
    def test_notes_are_added_and_deleted_and_the_action_is_read(self):
        pad = seedbed.Scratchpad()
        self.assertEqual(pad.read("<scratchpad_add>red moves</scratchpad_add><action> left \nbecause</action>"), "left")
        self.assertEqual(pad.read("Well.<scratchpad_add>\nblue stays\n</scratchpad_add><action>up</action><action>click 3 4</action>"), "click 3 4")
        self.assertEqual(pad.text, "red moves\nblue stays")
        self.assertIsNone(pad.read("<scratchpad_del>red moves</scratchpad_del>"))
        self.assertEqual(pad.text, "blue stays")
        self.assertIsNone(pad.read("<scratchpad_del></scratchpad_del><action></action>"))
        self.assertEqual(pad.text, "blue stays")


if __name__ == "__main__":
    unittest.main()
