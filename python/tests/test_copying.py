"""Copies: clone, copy, deepcopy, copy_from, pickle."""
import copy
import multiprocessing
import pickle
import unittest

import gymnasium
import numpy

import seedbed

NAMES = ("KeyDoorPuzzle/medium", "TagHunt/hard", "FogOfWarExploration/easy", "babyai:BossLevel", "babyai:PutNextS6N3Carrying")


class Special(seedbed.Env):
    """A class of a user's, with arguments and attributes of its own."""

    def __init__(self):
        super().__init__("GoToGoal/easy", obs=["ascii", "arrays"])
        self.notes = ["one"]
        self.itself = self


def played(name, steps=9, **options):
    env = seedbed.make(name, **options)
    env.reset(seed=3)
    env.reset()
    for i in range(steps):
        if not env.done:
            env.step(env.expert_action("random"))
    return env


def state(env):
    same = env.key, env.name, env.step_count, env.total, env.dense_total, env.last_dense, env.done, env.success, env.tape() if env.name else None
    return *same, env.np_random_seed, str(env.observe()) if env.name else None


def future(env, n=40):
    """What comes next, over several episodes."""
    seen = [state(env)]
    for i in range(n):
        if env.done:
            observation, info = env.reset()
            seen.append((str(observation), info, env.name))
        else:
            observation, *rest = env.step(i * 7 % env.n_actions)
            seen.append((str(observation), *rest))
    return seen, env.np_random.random()


WAYS = {"clone": lambda env: env.clone(), "copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda env: pickle.loads(pickle.dumps(env)),
        **{f"pickle {p}": lambda env, p=p: pickle.loads(pickle.dumps(env, p)) for p in range(pickle.HIGHEST_PROTOCOL + 1)}}


class Copies(unittest.TestCase):
    def each(self, make):
        to_come = future(make())
        for way, made in WAYS.items():
            with self.subTest(way=way):
                env = make()
                before = state(env)
                other = made(env)
                self.assertIs(type(other), type(env))
                self.assertEqual(state(other), before)
                self.assertEqual(state(env), before)
                self.assertEqual((other.observation_space, other.action_space), (env.observation_space, env.action_space))
                self.assertEqual((other.spec, other.metadata, other.render_mode), (env.spec, env.metadata, env.render_mode))
                self.assertEqual(future(other), to_come)  # and it does not touch the first one:
                self.assertEqual(state(env), before)
                self.assertEqual(future(env), to_come)

    def test_running_episodes(self):
        for name in NAMES:
            self.each(lambda: played(name))
            self.each(lambda: played(name, steps=0, reward="dense", info="full", obs=["arrays"]))

    def test_options(self):
        for options in ({"obs": "flat", "pad": "family"}, {"info": "lean", "render_mode": "ansi"}, {"copy": False, "obs": "arrays"}):
            self.each(lambda: played("KeyDoorPuzzle/easy", **options))

    def test_finished(self):
        self.each(lambda: played("GoToGoal/easy", steps=1000))

    def test_pinned(self):
        self.each(lambda: played("GoToGoal/easy#5"))
        other = pickle.loads(pickle.dumps(seedbed.make("GoToGoal/easy#5")))
        other.reset()
        self.assertEqual(other.name, "GoToGoal-v0/easy#5")

    def test_before_the_first_episode(self):
        for made in WAYS.values():
            other = made(seedbed.make("GoToGoal/easy", seed=11))
            self.assertIsNone(other.name)
            other.reset()
            self.assertEqual(other.seed, 11)
            other = made(seedbed.make("GoToGoal/easy"))
            self.assertRaises(seedbed.FinishedError, other.step, 0)
            other.reset()

    def test_generators(self):
        for foreign in (False, True):
            for made in WAYS.values():
                env = played("KeyDoorPuzzle/easy")
                if foreign:
                    env.np_random = numpy.random.Generator(numpy.random.MT19937(5))
                env.np_random.integers(0, 9)
                other = made(env)
                self.assertIsNot(other.np_random, env.np_random)
                self.assertEqual(other.np_random_seed, env.np_random_seed)
                self.assertEqual(other.np_random.random(), env.np_random.random())
                other.reset(), env.reset()
                self.assertEqual(other.name, env.name)

    def test_attributes_and_spaces(self):
        for way, made in WAYS.items():
            env = Special()
            env.reset(seed=1)
            env.action_space.seed(5)
            env.observation_space.seed(5)
            env.action_space.sample()
            other = made(env)
            self.assertIsInstance(other, Special)
            self.assertEqual(other.notes, ["one"])
            self.assertEqual(other.notes is env.notes, way in ("clone", "copy"))
            if way not in ("clone", "copy"):
                self.assertIs(other.itself, other)
            self.assertEqual([int(other.action_space.sample()) for _ in range(9)], [int(env.action_space.sample()) for _ in range(9)])
            self.assertEqual(str(other.observation_space.sample()), str(env.observation_space.sample()))
            other.action_space.seed(9)
            self.assertNotEqual(other.action_space.np_random.random(), env.action_space.np_random.random())

    def test_wrapped(self):
        env = gymnasium.make("seedbed/KeyDoorPuzzle-easy-v0")
        env.reset(seed=1)
        env.step(2)
        for made in (copy.deepcopy, WAYS["pickle"]):
            other = made(env)
            self.assertEqual(other.unwrapped.key, env.unwrapped.key)
            self.assertEqual(other.step(1)[:4], copy.deepcopy(env).step(1)[:4])

    def test_copies_of_copies(self):
        env = played("KeyDoorPuzzle/easy")
        sizes = []
        for _ in range(4):
            env = pickle.loads(pickle.dumps(env.clone()))
            sizes.append(len(pickle.dumps(env)))
        self.assertEqual(state(env), state(played("KeyDoorPuzzle/easy")))
        self.assertEqual(len(set(sizes)), 1)
        self.assertLess(sizes[0], 2000)

    def test_closed(self):
        env = played("GoToGoal/easy")
        env.close()
        for made in WAYS.values():
            self.assertRaises(seedbed.FinishedError, made, env)


class Search(unittest.TestCase):
    def test_copy_from(self):
        for name in NAMES:
            env, scratch = played(name), seedbed.make(name)
            before = state(env)
            for _ in range(3):
                scratch.copy_from(env)
                self.assertEqual(state(scratch), before)
                future(scratch)
            self.assertEqual(state(env), before)
            env.copy_from(env)
            self.assertEqual(state(env), before)

    def test_what_does_not_fit(self):
        env = played("KeyDoorPuzzle/easy", obs="arrays")
        before = state(env)
        for other in (played("KeyDoorPuzzle/expert", obs="arrays"), played("GoTo"), seedbed.make("GoTo"), seedbed.make("KeyDoorPuzzle/expert")):
            with self.assertRaisesRegex(seedbed.InvalidError, "fit"):
                env.copy_from(other)
            self.assertEqual(state(env), before)
        closed = played("KeyDoorPuzzle/easy")
        closed.close()
        self.assertRaises(seedbed.FinishedError, env.copy_from, closed)
        self.assertEqual(state(env), before)


class Pickles(unittest.TestCase):
    def test_what_was_changed_is_found(self):
        env = played("KeyDoorPuzzle/easy", steps=5)
        arguments, (line, key, *rest), kept = env.__getstate__()
        for wrong, error in (((line, key ^ 1, *rest), seedbed.MismatchError),
                             ((line.replace('"return": 0', '"return": 1'), key, *rest), seedbed.MismatchError),
                             ((line.replace('agentick 1', 'agentick 0'), key, *rest), seedbed.VersionError),
                             (("{", key, *rest), seedbed.Error), ((line, key, 0.0, (1, b"", b"", 0, 0), *rest[2:]), seedbed.Error)):
            self.assertNotEqual(wrong, (line, key, *rest))
            other = seedbed.make("KeyDoorPuzzle/easy")
            other.reset(seed=1)
            self.assertRaises(error, other._load, wrong)
            other.reset(seed=2)  # it is empty, and can be used

    def test_other_processes(self):
        env = played("KeyDoorPuzzle/easy")
        for method in ("spawn", "fork"):
            with multiprocessing.get_context(method).Pool(1) as pool:
                self.assertEqual(pool.map(state, [env]), [state(env)])

    def test_async_vector(self):
        made = [lambda: gymnasium.make("seedbed/GoToGoal-easy-v0", obs="arrays")] * 2
        vector, single = gymnasium.vector.AsyncVectorEnv(made), gymnasium.vector.SyncVectorEnv(made)
        try:
            for each in (vector, single):
                each.reset(seed=1)
            numpy.testing.assert_equal(vector.step([1, 2])[0], single.step([1, 2])[0])
        finally:
            vector.close()

    def test_texts_are_refused_in_shared_memory_and_pass_without_it_in_every_mode(self):
        """Gymnasium fills shared memory with texts that nobody can read, and reports no error."""
        for name in ("KeyDoorPuzzle/easy", "babyai:GoToRedBall", "autumn:Seesaw", "arc:Chimes/intro"):
            for mode in (each.name for each in seedbed.modes(name.partition(":")[0] if ":" in name else "agentick")):
                with self.subTest(name=name, mode=mode):
                    self.compare_async(name, mode)

    def compare_async(self, name, mode):
        made = [lambda: seedbed.make(name, obs=mode)] * 2
        space = made[0]().observation_space
        if isinstance(space, (gymnasium.spaces.Text, seedbed.spaces.Document)):
            with self.assertRaisesRegex(ValueError, "shared_memory=False"):
                gymnasium.vector.AsyncVectorEnv(made).close()
        vector = gymnasium.vector.AsyncVectorEnv(made, shared_memory=False)
        try:
            singles = [one() for one in made]
            seen = vector.reset(seed=[5, 6])[0]
            numpy.testing.assert_equal(list(seen), [env.reset(seed=5 + i)[0] for i, env in enumerate(singles)])
            seen = vector.step([1, 1])[0]
            numpy.testing.assert_equal(list(seen), [env.step(1)[0] for env in singles])
        finally:
            vector.close()

    def test_cloudpickle(self):
        try:
            import cloudpickle
        except ImportError:
            self.skipTest("no cloudpickle")
        env = played("GoTo")
        self.assertEqual(state(pickle.loads(cloudpickle.dumps(env))), state(env))


if __name__ == "__main__":
    unittest.main()
