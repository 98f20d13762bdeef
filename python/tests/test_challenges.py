"""Challenges in Autumn from Python: names, phases, scores, what results say of them, and notes.

    python -m unittest python/tests/test_challenges.py
"""
import contextlib
import io
import json
import pathlib
import sys
import tempfile
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
            test, same = [test for test in result.families["autumn"].tests if test.category is None]
            self.assertEqual((test.dynamics, same.dynamics, same.mean_score), (None, "deterministic", test.mean_score))
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


class Packs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name) / "pack.jsonl"
        with contextlib.redirect_stdout(io.StringIO()):
            status = seedbed.main(["challenges", "-q", "-o", str(cls.path), "--tasks", "Seesaw", "--levels", "1..1"])
        assert status == 0, status

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_a_pack_of_challenges_is_a_sequence_of_names(self):
        pack = seedbed.load_challenges(self.path)
        self.assertEqual(list(pack), [f"autumn:Seesaw/{kind}-1#1" for kind in ("mfp", "planning", "change")])
        self.assertEqual(list(pack[1:].only([pack[2]])), [pack[2]])
        with self.assertRaisesRegex(seedbed.InvalidError, "mfp-2#1 is not in"):
            pack.only(["autumn:Seesaw/mfp-2#1"])
        with self.assertRaisesRegex(seedbed.InvalidError, "no pack of challenges"):
            seedbed.load_challenges(__file__)
        with self.assertRaises(OSError):
            seedbed.load_challenges(self.path.with_name("none.jsonl"))
        later = self.path.with_name("later.jsonl")
        for path in (later, later.with_name("later.answers.jsonl")):
            path.write_text(self.path.with_name(path.name.replace("later", "pack")).read_text().replace('"version": 2', '"version": 3', 1))
        with self.assertRaisesRegex(seedbed.VersionError, "version 3, but this program reads versions 1 to 2"):
            seedbed.load_challenges(later)

    def test_challenges_are_taken_from_the_pack(self):
        for episodes in (self.path, seedbed.load_challenges(self.path)):
            result = seedbed.evaluate("planner", episodes)
            self.assertEqual([played.score for played in result.episodes], [1, 1, 1])
        # What the file holds is what is played: with another answer the same play scores nothing.
        changed = self.path.with_name("changed.jsonl")
        answers = self.path.with_name("pack.answers.jsonl").read_text()
        said = json.loads(answers.splitlines()[1])
        changed.write_bytes(self.path.read_bytes())
        changed.with_name("changed.answers.jsonl").write_text(answers.replace(f'"correct": {said["correct"]}', f'"correct": {(said["correct"] + 1) % 6}'))
        scores = [seedbed.evaluate(Patient(said["correct"]), seedbed.load_challenges(path)[:1], obs="challenge").episodes[0].score for path in (self.path, changed)]
        self.assertEqual(scores, [1, 0])

    def seen(self, kind, actions, **options):
        """What a function is shown until it has no more actions."""
        shown, actions = [], iter(actions)

        def play(observation, info):
            shown.append((observation, info))
            return next(actions, "quit")

        pack = seedbed.load_challenges(self.path)
        result = seedbed.evaluate(play, pack.only([name for name in pack if f"/{kind}-" in name]), obs="challenge", **options)
        return shown, result

    def test_the_interaction_can_be_shorter(self):
        shown, result = self.seen("planning", ["noop"] * 3, interaction=3)
        self.assertEqual([observation["phase"] for observation, _ in shown], ["interaction"] * 3 + ["test"])
        self.assertEqual(result.episodes[0].test.interaction, 4)  # with the action that begins the test
        self.assertEqual(result.to_dict()["agent"]["interaction"], 3)

    def test_an_action_shows_as_many_frames_as_asked_for(self):
        shown, result = self.seen("planning", ["left", "reset", "go-to-test", "right"], frames_per_action=4)
        frames = [info.get("frames", []) for _, info in shown]
        self.assertEqual([len(each) for each in frames], [0, 3, 0, 0, 3])
        self.assertEqual([(frame["steps"], frame["action"]) for frame in frames[1]], [(1, "left"), (2, "noop"), (3, "noop")])
        self.assertTrue(all("render" in frame["observation"] for frame in frames[1]))
        one, _ = self.seen("planning", ["left", "noop", "noop", "noop"])
        self.assertEqual([frame["observation"] for frame in frames[1]], [observation for observation, _ in one[1:4]])
        self.assertEqual(shown[1][0], one[4][0])
        self.assertEqual(result.to_dict()["agent"]["frames_per_action"], 4)

    def test_instructions_are_ours_or_others(self):
        ours, theirs = (self.seen("mfp", [], **options)[0][0][1]["instructions"] for options in ({}, {"instructions": {"mfp": "Guess."}}))
        self.assertIn("go-to-test", ours)
        self.assertEqual(theirs, "Guess.")
        self.assertEqual(self.seen("planning", [], instructions={"mfp": "Guess."})[0][0][1]["instructions"][:4], ours[:4])
        with self.assertRaisesRegex(seedbed.InvalidError, "there is no kind of test `guessing`"):
            self.seen("mfp", [], instructions={"guessing": "Guess."})

    def test_programs_get_the_same_options_and_others_none(self):
        agent = pathlib.Path(__file__).parents[2] / "examples" / "agents" / "tested.py"
        result = seedbed.evaluate(f"exec:{sys.executable} {agent}", self.path, interaction=5, frames_per_action=2, instructions={"mfp": "Guess."})
        self.assertEqual({played.test.interaction for played in result.episodes}, {6})
        about = result.to_dict()["agent"]
        self.assertEqual((about["interaction"], about["frames_per_action"], len(about["instructions_sha256"])), (5, 2, 64))
        for options in ({"interaction": 5}, {"frames_per_action": 2}, {"instructions": {}}):
            with self.assertRaisesRegex(seedbed.InvalidError, "for programs and functions"):
                seedbed.evaluate("random", self.path, **options)
        with self.assertRaisesRegex(seedbed.InvalidError, "from 1 to 100"):
            self.seen("mfp", [], frames_per_action=101)

    def test_batches_show_frames_too(self):
        counts = []

        def play(observations, infos):
            counts.extend(len(info.get("frames", [])) for info in infos)
            return ["quit" if info["step"] > 3 else "noop" for info in infos]

        seedbed.evaluate(play, self.path, obs="challenge.json", batch=3, frames_per_action=3)
        self.assertEqual(counts, [0] * 3 + [2] * 6)


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
