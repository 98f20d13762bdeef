"""Curricula: what they draw next, from what came out before."""
import os
import pickle
import subprocess
import tempfile
import unittest

import numpy

import seedbed
from seedbed.curricula import Learnability, Outcome, Regret, Replay, Uniform, certified

NAMES = [f"GoToGoal-v0/easy#{seed}" for seed in range(6)]
CERTIFIED = dict(zip(NAMES, (0.9, 0.5, 0.0, 0.2, 0.9, 0.1)))
ALL = {"uniform": lambda **options: Uniform(NAMES, **options), "learnability": lambda **options: Learnability(NAMES, **options),
       "replay": lambda **options: Replay(NAMES, **options), "regret": lambda **options: Regret(CERTIFIED, **options)}


def chances(curriculum):
    return dict(zip(curriculum.names, curriculum.chances().round(6).tolist()))


def seed_of(name):
    return int(name.partition("#")[2])


class Interface(unittest.TestCase):
    def test_draws_follow_chances_and_the_seed(self):
        for kind, make in ALL.items():
            with self.subTest(kind):
                curriculum, other = make(seed=3), make(seed=3)
                for i, name in enumerate(NAMES):
                    for one in (curriculum, other):
                        one.update(name, Outcome(bool(i % 2), i / 10, i))
                expected, names = chances(curriculum), curriculum.draw(20000)
                self.assertEqual(names, other.draw(20000))
                self.assertNotEqual(names, make(seed=4).draw(20000))
                self.assertAlmostEqual(sum(expected.values()), 1, places=4)
                for name, chance in expected.items():
                    self.assertAlmostEqual(names.count(name) / 20000, chance, delta=0.02)
                self.assertEqual(pickle.loads(pickle.dumps(curriculum)).draw(30), curriculum.draw(30), "a checkpoint goes on alike")

    def test_outcomes_that_are_no_numbers_change_nothing(self):
        for kind, make in ALL.items():
            curriculum = make()
            for outcome in (Outcome(True, float("nan"), 0), Outcome(True, 0, float("inf")), Outcome(True, "a", 0)):
                with self.assertRaisesRegex(seedbed.InvalidError, "(value|surprise): a number, not "):
                    curriculum.update(NAMES[0], outcome)
            self.assertEqual(curriculum.episodes.sum(), 0, kind)
            curriculum.draw(3)

    def test_names_of_a_bin_share_what_came_out(self):
        for kind, make in ALL.items():
            curriculum = make(bins=lambda name: "even" if seed_of(name) % 2 == 0 else "odd")
            curriculum.update(NAMES[0], Outcome(True, 0.5, 1))
            curriculum.update(NAMES[4], Outcome(False, 0.1, 3))
            self.assertEqual((curriculum.episodes.tolist(), curriculum.success[0], curriculum.surprise[0]), ([2, 0], 0.5, 2), kind)
            self.assertAlmostEqual(curriculum.value[curriculum.bin][2], 0.3)

    def test_names_may_be_written_in_any_form(self):
        """What vec.names() says has the version, what people write need not."""
        for kind, make in {"uniform": Uniform, "learnability": Learnability, "replay": Replay, "regret": lambda names: Regret(dict.fromkeys(names, 1.0))}.items():
            curriculum = make(["GoToGoal/easy#1", "GoToGoal-v0/easy#2"])
            for name in ("GoToGoal-v0/easy#1", "GoToGoal/easy#1", "gotogoal/easy#2"):
                curriculum.update(name, Outcome(True, 0.5))
            self.assertEqual(curriculum.episodes.tolist(), [2, 1], kind)
            self.assertLessEqual(set(curriculum.draw(9)), {"GoToGoal/easy#1", "GoToGoal-v0/easy#2"})

    def test_a_mixture_takes_scores(self):
        mixture = seedbed.Mixture([{"tasks": "GoToGoal", "difficulty": "easy,medium"}])
        curriculum = Learnability(mixture.pairs)
        for success in [True] * 10:
            curriculum.update(mixture.bin("GoToGoal/easy#5"), Outcome(success, 1))
        mixture.weigh(dict(zip(curriculum.names, curriculum.scores())))
        self.assertGreater(sum("/medium#" in name for name in mixture.draw(200, 0)), 130)

    def test_mistakes_are_named(self):
        self.assertRaisesRegex(seedbed.InvalidError, "names", Uniform, [])
        for options, words in (({"temperature": 0}, "temperature"), ({"temperature": -1}, "temperature"), ({"staleness": 1.5}, "staleness"),
                               ({"staleness": -0.1}, "staleness")):
            self.assertRaisesRegex(seedbed.InvalidError, words, Replay, NAMES, **options)
        self.assertRaisesRegex(seedbed.InvalidError, "certified is no mapping", Regret, NAMES)
        self.assertRaisesRegex(seedbed.InvalidError, "x is not among", Uniform(NAMES).update, "x", Outcome(True, 1))
        self.assertRaisesRegex(seedbed.InvalidError, "memory", Uniform, NAMES, memory=0)


class Rules(unittest.TestCase):
    def test_uniform(self):
        self.assertEqual(set(chances(Uniform(NAMES)).values()), {round(1 / 6, 6)})

    def test_learnability_prefers_what_is_sometimes_won(self):
        curriculum = Learnability(NAMES)
        for name, won in zip(NAMES, (0, 5, 10, 9)):
            for i in range(10):
                curriculum.update(name, Outcome(i < won, 0))
        never, half, always, often, unseen, _ = chances(curriculum).values()
        self.assertEqual(never, always)
        self.assertEqual(half, unseen)
        self.assertLess(never, often)
        self.assertLess(often, half)

    def test_replay_prefers_surprises_then_what_is_stale(self):
        curriculum = Replay(NAMES, temperature=1, staleness=0)
        self.assertEqual(set(chances(curriculum).values()), {round(1 / 6, 6)})
        for name, surprise in zip(NAMES, (1, 3, 2)):
            curriculum.update(name, Outcome(True, 0, surprise))
        first, second, third = (0.5 / (1 + 1 / 2 + 1 / 3) / rank for rank in (1, 2, 3))
        numpy.testing.assert_allclose(curriculum.chances(), [third, first, second, *[1 / 6] * 3])
        stale = Replay(NAMES, staleness=1)
        for name in NAMES:
            stale.update(name, Outcome(True, 0, 1))
        numpy.testing.assert_allclose(stale.chances(), numpy.arange(5, -1, -1) / 15)

    def test_regret_is_what_is_left_to_gain(self):
        curriculum = Regret(CERTIFIED)
        numpy.testing.assert_allclose(curriculum.scores(), [*CERTIFIED.values()])
        curriculum.update(NAMES[0], Outcome(True, 0.9))
        curriculum.update(NAMES[1], Outcome(True, 0.4))
        curriculum.update(NAMES[3], Outcome(True, 0.6))  # better than its certificate
        curriculum.update(NAMES[3], Outcome(False, 0.0))
        numpy.testing.assert_allclose(curriculum.scores(), [0, 0.1, 0, 0.3, 0.9, 0.1], atol=1e-12)
        self.assertNotIn(NAMES[2], curriculum.draw(1000))
        self.assertEqual(set(chances(Regret(dict.fromkeys(NAMES, 0.0))).values()), {round(1 / 6, 6)})


class Certified(unittest.TestCase):
    def file(self, *names, end=".jsonl.gz"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "all" + end)
        subprocess.run([os.environ.get("SEEDBED", "seedbed"), "certify", *names, "-q", "-o", path], check=True, capture_output=True)
        return path

    def test_solutions_are_discounted_and_the_impossible_is_worth_nothing(self):
        solved, impossible = "PreciseNavigation-v0/hard#1044166917", "PreciseNavigation-v0/hard#1013128221"
        path = self.file(solved, impossible)
        env = seedbed.make(solved)
        env.reset()
        while not env.done:
            env.step(env.expert_action())
        self.assertEqual(certified(path, 0.9), {solved: 0.9 ** (env.step_count - 1), impossible: 0.0})
        self.assertEqual(certified(path, 1), {solved: env.total, impossible: 0.0})
        self.assertAlmostEqual(certified(path, 1, "dense")[solved], env.dense_total)

    def test_what_is_no_file_of_certificates(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x")
            for data in (b"1\n2\n3\n", b"{}\n{}\n{}\n", b"\x1f\x8bx", b"a\nb\nc\n"):
                with open(path, "wb") as file:
                    file.write(data)
                self.assertRaisesRegex(seedbed.InvalidError, "no file of certificates", certified, path, 1)
            self.assertRaises(OSError, certified, folder, 1)

    def test_what_is_not_whole(self):
        import gzip
        path = self.file(NAMES[0])
        with gzip.open(path) as file:
            lines = file.read().splitlines(keepends=True)
        damaged = bytearray(gzip.compress(b"".join(lines)))
        damaged[20:30] = b"\xff" * 10
        for data in (b"", b"".join(lines[:-1]), b"".join(lines[1:]), lines[0], gzip.compress(b"".join(lines))[:-20], bytes(damaged)):
            with open(path, "wb") as file:
                file.write(data)
            self.assertRaisesRegex(seedbed.InvalidError, "no file of certificates", certified, path, 1)

    def test_a_solution_that_is_none_is_refused(self):
        import gzip
        path = self.file(NAMES[0])
        with gzip.open(path) as file:
            text = file.read().replace(b'"return": 1.0', b'"return": 2.0')
        with open(path, "wb") as file:
            file.write(text)
        self.assertRaises(seedbed.MismatchError, certified, path, 1)


if __name__ == "__main__":
    unittest.main()
