"""Observations are in their spaces, and Gymnasium's own wrappers, makers and checkers work over our environments.

A part of all tasks, difficulties and modes is played at each run, other ones each time; all of them with SEEDBED_NIGHTLY.

Label: output
"""
import copy
import json
import os
import pickle
import string
import subprocess
import sys
import unittest
import warnings

import gymnasium
import numpy
from gymnasium import wrappers
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.utils import create_zero_array

import seedbed
from support import NIGHTLY, Same, ids_to_play, seed_of_run, some

seedbed.register()
PRINTABLE = {*string.printable[:95], "\n"}
# Names of observation modes that are taken beside the modes themselves.
ALIASES = {"agentick": ("language_structured", "state_dict"), "babyai": ("minigrid", "minigrid3", "minigrid5", "minigrid9", "minigrid_full", "partial", "language7")}
PLAYS = (("random", 40), ("expert", 80))


def setUpModule():
    global rng
    rng = numpy.random.default_rng(seed_of_run())


def observations(family):
    modes = seedbed.modes(family)
    texts = [f"{mode.name}.json" for mode in modes if mode.document]
    pixels = ["pixels"] if seedbed.looks(family) else []
    return [*pixels, *(mode.name for mode in modes), *texts, *ALIASES.get(family, ()), "arrays", "values", "flat", "none"]


def worlds():
    """(name, family) of every task and difficulty whose episodes are quickly found."""
    return [(f"{task.family}:{task.name}" + (f"/{difficulty}" if difficulty else ""), task.family)
            for task in seedbed.tasks() for difficulty in (*unnamed(task), *task.difficulties) if difficulty not in task.derived]


def unnamed(task):
    """The difficulty that names leave out, if there is one."""
    try:
        seedbed.parse_name(f"{task.family}:{task.name}#0")
    except seedbed.InvalidError:
        return ()
    return ("",)


def tasks_of_families():
    """The first task of every family."""
    return [next(f"{family}:{task.name}" for task in seedbed.tasks(family)) for family in seedbed.rules()]


def may_be_missing(family, obs):
    """Whether the observation is a document whose members have names that its schema does not list."""
    mode = next((mode for mode in seedbed.modes(family) if mode.name == obs.removesuffix(".json")), None)
    return mode is not None and mode.document and isinstance(json.loads(mode.schema).get("additionalProperties"), dict)


class Contained(unittest.TestCase):
    def test_whole_episodes(self):
        for name, family in some(rng, worlds(), 14):
            env = seedbed.make(name, obs=some(rng, observations(family), 7)[:16] if not NIGHTLY else observations(family)[:16])
            rest = [seedbed.make(name, obs=observations(family)[16:])] if NIGHTLY and len(observations(family)) > 16 else []
            for each in (env, *rest):
                for agent, steps in self.agents(name):
                    self.play(each, agent, steps if NIGHTLY else steps // 4)

    def play(self, env, agent, steps):
        spaces, seed = env.observation_space.spaces, int(rng.integers(2**63))
        observation, _ = env.reset(seed=seed)
        for _ in range(steps):
            for key, part in observation.items():
                if (env.step_count % 3 == 0 or not isinstance(part, dict)) and part not in spaces[key]:  # documents take long
                    self.fail(f"{env.name}, {agent}, step {env.step_count}: {key} is not in its space: {part!r:.300}")
            if env.done:
                break
            observation, *_ = env.step(env.expert_action(agent, budget=2000) if agent == "expert" else int(rng.integers(env.n_actions)))

    def agents(self, name):
        """Experts only where there are some."""
        known = next(task.agents for task in seedbed.tasks() if f"{task.family}:{task.name}" == name.partition("/")[0])
        return [(agent, steps) for agent, steps in PLAYS if agent == "random" or agent in known]

    def test_spaces_refuse_what_is_none_of_theirs(self):
        for name, family in some(rng, worlds(), 5):
            for obs in observations(family):
                env = seedbed.make(name, obs=obs)
                observation, _ = env.reset(seed=1)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # Gymnasium tells of what it tries to read as an array
                    for spoilt in self.spoilt(observation, may_be_missing(family, obs)):
                        self.assertNotIn(spoilt, env.observation_space, (name, obs))

    def spoilt(self, observation, may_be_missing):
        yield None
        if isinstance(observation, str):
            yield from (observation + "é", observation.encode())
        elif isinstance(observation, numpy.ndarray):
            yield observation.astype("complex64")
            yield observation[1:]
        elif isinstance(observation, dict):
            yield {**observation, "more": 1}
            for key, value in observation.items():
                if not may_be_missing:
                    yield {k: v for k, v in observation.items() if k != key}
                yield {**observation, key: object()}
        else:
            yield 1

    def test_samples(self):
        """What a space draws is in it, and is drawn again by the same seed."""
        for name, family in some(rng, worlds(), 2, nightly=20):
            for obs in observations(family):
                space = seedbed.make(name, obs=obs).observation_space
                drawn = []
                for _ in range(2):
                    space.seed(5)
                    drawn.append([space.sample() for _ in range(2)])
                numpy.testing.assert_equal(*drawn)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # Gymnasium draws numbers where it wants arrays of no dimension
                    self.assertTrue(all(sample in space for sample in drawn[0]), (name, obs))

    def test_texts_are_printable(self):
        for name, family in some(rng, worlds(), 24):
            texts = [mode.name for mode in seedbed.modes(family) if not mode.document]
            env = seedbed.make(name, obs=texts)
            observation, _ = env.reset(seed=int(rng.integers(2**63)))
            for _ in range(10):
                for mode, text in observation.items():
                    self.assertLessEqual({*text}, PRINTABLE | ({"\x1b"} if mode.endswith("_color") else set()), (env.name, mode))
                if not env.done:
                    observation, *_ = env.step(int(rng.integers(env.n_actions)))

    def test_texts_are_as_long_as_the_family_says(self):
        for task in tasks_of_families():
            family = seedbed.make(task).family
            for mode in seedbed.modes(family):
                if not mode.document:
                    space = seedbed.make(task, obs=mode.name).observation_space
                    self.assertEqual(space.max_length, seedbed._seedbed._text_max(family))

    def test_masks_names_and_types(self):
        for name, _ in some(rng, worlds(), 24):
            env = seedbed.make(name, obs="none", mask="published")
            env.reset(seed=int(rng.integers(2**63)))
            for _ in range(8):
                mask = env.action_mask()
                self.assertEqual((mask.dtype.name, mask.shape), ("bool", (env.n_actions,)))
                self.assertEqual(env.valid_actions(), numpy.flatnonzero(mask).tolist())
                self.assertEqual(env.valid_action_names(), [env.action_names[action] for action in env.valid_actions()])
                if env.done:
                    break
                _, reward, terminated, truncated, info = env.step(int(rng.choice(env.valid_actions())))
                self.assertEqual([type(value) for value in (reward, terminated, truncated, info)], [float, bool, bool, dict])

    def test_spaces_are_equal_where_they_should_be(self):
        for name, family in some(rng, worlds(), 5):
            for obs in observations(family):
                one, other = (seedbed.make(name, obs=obs).observation_space for _ in range(2))
                self.assertEqual(one, other)
                self.assertEqual(pickle.loads(pickle.dumps(one)), one)
                self.assertEqual(copy.deepcopy(one), one)
        document = seedbed.spaces.Document("agentick", "state")
        self.assertNotEqual(document, seedbed.spaces.Document("agentick", "structured"))
        sample = [document.sample()]
        self.assertEqual(document.from_jsonable(json.loads(json.dumps(document.to_jsonable(sample)))), sample)


class Registered(unittest.TestCase):
    def test_every_id(self):
        ids = {id: spec for id, spec in gymnasium.registry.items() if id.startswith("seedbed/")}
        self.assertEqual(len(ids), sum(len(task.difficulties) + 1 for task in seedbed.tasks()))
        for id, spec in ids.items():
            self.assertEqual((spec.nondeterministic, spec.order_enforce, spec.max_episode_steps, spec.additional_wrappers), (False, True, None, ()))
            self.assertEqual(gymnasium.envs.registration.EnvSpec.from_json(spec.to_json()), spec)
            self.assertEqual(seedbed.gym_id(seedbed.from_gym_id(id)), id)

    def test_making_by_every_id_whose_episodes_are_quickly_found(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for id in some(rng, ids_to_play(), 16):
                env = gymnasium.make(id)  # with Gymnasium's checks
                observation, _ = env.reset(seed=3)
                for _ in range(3):
                    self.assertIn(observation, env.observation_space)
                    if not env.unwrapped.done:
                        observation, *_ = env.step(env.action_space.sample())
                self.assertEqual(env.spec.id, id)
                again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
                self.assertEqual(again.unwrapped.task, env.unwrapped.task)

    def test_options_go_through(self):
        env = gymnasium.make("seedbed/KeyDoorPuzzle-v0", difficulty="hard", obs=["ascii", "arrays"], reward="dense", info="lean")
        self.assertEqual(env.unwrapped.difficulty, "hard")
        self.assertEqual([*env.reset(seed=0)[0]], ["ascii", "arrays"])
        self.assertRaises(ValueError, gymnasium.make, "seedbed/KeyDoorPuzzle-easy-v0", difficulty="hard")
        self.assertRaises(TypeError, gymnasium.make, "seedbed/KeyDoorPuzzle-easy-v0", max_steps=3)

    def test_what_an_import_brings(self):
        """Neither NumPy nor Gymnasium, until something needs them; ids as soon as both modules are there, in any order."""
        def said(script):
            return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=dict(os.environ)).stdout.strip()

        heavy = "{'numpy', 'gymnasium', 'datasets', 'torch', 'pyarrow'} & {*sys.modules}"
        self.assertEqual(said(f"import sys, seedbed; seedbed.tasks(); seedbed.parse_name('GoTo#1'); print({heavy})"), "set()")
        count = "len([id for id in gymnasium.registry if id.startswith('seedbed/')])"
        n = str(sum(id.startswith("seedbed/") for id in gymnasium.registry))
        self.assertEqual(said(f"import gymnasium, seedbed; print({count})"), n)
        self.assertEqual(said(f"import seedbed, gymnasium; print({count})"), n)
        self.assertEqual(said(f"import seedbed, gymnasium; seedbed.make('GoTo'); seedbed.register(); print({count})"), n)
        self.assertEqual(said(f"import seedbed; seedbed.make('GoTo'); import gymnasium; print({count})"), n)
        self.assertEqual(said("import seedbed, sys; sys.modules['gymnasium'] = None\ntry: seedbed.make('GoTo')\nexcept ImportError: print('refused')"), "refused")
        self.assertEqual(said("import gymnasium; print(gymnasium.make('seedbed:seedbed/KeyDoorPuzzle-medium-v0').unwrapped.task)"), "KeyDoorPuzzle-v0")
        self.assertEqual(said("import seedbed, gymnasium; print(gymnasium.make('seedbed:seedbed/BabyAI-GoTo-v0').unwrapped.task)"), "GoTo")
        self.assertEqual(said("import gymnasium, seedbed; print('BabyAI-GoTo-v0' in gymnasium.registry); seedbed.register_minigrid_ids(); "
                              "print(gymnasium.make('BabyAI-GoTo-v0').unwrapped.task)"), "False\nGoTo")


class Wrapped(unittest.TestCase):
    """Gymnasium's wrappers over our environments, for as long as an episode or two."""

    def play(self, env, steps=40):
        observation, _ = env.reset(seed=1)
        self.assertIn(observation, env.observation_space)
        last = []
        for _ in range(steps):
            action = env.action_space.sample()
            last = env.step(action)
            self.assertIn(last[0], env.observation_space)
            if last[2] or last[3]:
                observation, _ = env.reset()
                self.assertIn(observation, env.observation_space)
        return last

    def test_of_observations(self):
        for make in (lambda obs: seedbed.make("GoToGoal/easy", obs=obs), lambda obs: seedbed.make("BabyAI-GoToObj-v0", obs=obs)):
            self.play(wrappers.FrameStackObservation(make("flat"), 4))
            self.play(wrappers.FrameStackObservation(make("arrays"), 2))
            self.play(wrappers.FlattenObservation(make("arrays")))
            self.play(wrappers.NormalizeObservation(make("flat")))
            self.play(wrappers.DtypeObservation(make("image" if make("none").family == "babyai" else "terrain"), numpy.int64))
            self.play(wrappers.DelayObservation(make("flat"), 2))
            self.play(wrappers.FrameStackObservation(wrappers.DelayObservation(make("pixels"), 1), 4))
            self.play(wrappers.RescaleObservation(wrappers.DtypeObservation(make("pixels"), numpy.float32), numpy.float32(0), numpy.float32(1)))
            self.play(wrappers.FlattenObservation(make(["pixels", "arrays"])))
            self.play(wrappers.TimeAwareObservation(wrappers.TimeLimit(make("flat"), 500)))
        self.play(wrappers.FilterObservation(seedbed.make("GoToGoal/easy", obs="arrays"), ["terrain", "agent"]))
        self.play(wrappers.FlattenObservation(seedbed.make("BabyAI-GoToObj-v0", obs="image")))
        self.play(wrappers.TransformObservation(seedbed.make("GoToGoal/easy", obs="flat"), lambda flat: flat, None))

    def test_of_rewards_and_actions(self):
        for wrap in (wrappers.NormalizeReward, lambda env: wrappers.ClipReward(env, -1, 1), lambda env: wrappers.TransformReward(env, abs),
                     lambda env: wrappers.StickyAction(env, 0.3), wrappers.OrderEnforcing, wrappers.PassiveEnvChecker, wrappers.Autoreset):
            self.play(wrap(seedbed.make("GoToGoal/easy", obs="flat", reward="dense")))

    def test_statistics(self):
        env = wrappers.RecordEpisodeStatistics(seedbed.make("GoToGoal/easy", reward="dense"))
        env.reset(seed=1)
        total, steps, over = 0.0, 0, False
        while not over:
            _, reward, terminated, truncated, info = env.step(env.unwrapped.expert_action())
            total, steps, over = total + reward, steps + 1, terminated or truncated
        self.assertAlmostEqual(info["episode"]["r"], total)
        self.assertEqual(info["episode"]["l"], steps)

    def test_time_limit(self):
        env = wrappers.TimeLimit(seedbed.make("KeyDoorPuzzle/easy"), 5)
        env.reset(seed=1)
        ends = [env.step(0)[2:4] for _ in range(5)]
        self.assertEqual(ends, [(False, False)] * 4 + [(False, True)])
        env.reset(seed=2)

    def test_recorded_frames(self):
        for task in tasks_of_families():
            for mode, kind in (("ansi_list", str), ("rgb_array_list", numpy.ndarray)):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    env = gymnasium.make(seedbed.gym_id(task), render_mode=mode)
                env.reset(seed=1), env.step(1), env.step(2)
                self.assertEqual([type(frame) for frame in env.render()], [kind] * 3, (task, mode))

    def test_before_the_first_observation(self):
        """Wrappers show what a space has as zero, which is in it."""
        for task in tasks_of_families():
            family = seedbed.make(task).family
            for obs in observations(family):
                env = wrappers.FrameStackObservation(seedbed.make(task, obs=obs), 3, padding_type="zero")
                first, _ = env.reset(seed=1)
                self.assertIn(first, env.observation_space, (task, obs))
                if isinstance(first, tuple):  # of texts and documents
                    self.assertEqual(first[0], first[1], (task, obs))
                    self.assertNotEqual(first[1], first[2], (task, obs))
                self.assertIn(env.step(0)[0], env.observation_space, (task, obs))
        env = wrappers.DelayObservation(seedbed.make("GoToGoal/easy", obs=["ascii", "structured"]), 1)
        (nothing, _), first = env.reset(seed=1), env.step(0)[0]
        self.assertEqual(nothing["ascii"], "")
        self.assertEqual((nothing["structured"]["position"], nothing["structured"]["visible_entities"]), ({"x": 0, "y": 0}, []))
        self.assertIn(first["structured"]["description"], "A 5x5 gridworld environment")

    def test_zeros_of_all_documents(self):
        for family in seedbed.rules():
            for mode in seedbed.modes(family):
                if mode.document:
                    space = seedbed.spaces.Document(family, mode.name)
                    self.assertIn(create_zero_array(space), space, (family, mode.name))

    def test_of_vectors(self):
        from gymnasium.wrappers import vector

        def made(**options):
            return seedbed.make_vec("GoToGoal/easy", 4, obs="flat", **options)

        for env in (vector.NormalizeObservation(made()), vector.NormalizeReward(made()), vector.FlattenObservation(seedbed.make_vec("GoToGoal/easy", 4)),
                    vector.RecordEpisodeStatistics(made()), vector.ClipReward(made(), -1, 1), vector.DtypeObservation(seedbed.make_vec("GoToGoal/easy", 4, obs="terrain"), numpy.int64),
                    vector.RecordEpisodeStatistics(made(autoreset="SameStep")), vector.DictInfoToList(made())):
            has_space = not isinstance(env, vector.NormalizeObservation)  # before Gymnasium 1.2 it left the space as it was
            observation, _ = env.reset(seed=1)
            for _ in range(60):
                self.assertTrue(not has_space or observation in env.observation_space)
                observation, rewards, *_ = env.step(env.action_space.sample())
            self.assertEqual(rewards.shape, (4,))


class Vectors(Same):
    """Against Gymnasium's own vector, for tasks drawn anew (the fixed ones are in test_vector.py)."""

    def test_any_task_is_as_in_gymnasiums_vector(self):
        for name, family in some(rng, worlds(), 6):
            obs = some(rng, observations(family), 1)[0]
            for autoreset in AutoresetMode:
                for threads in (1, 3):
                    reward, info = ("sparse", "dense")[int(rng.integers(2))], ("lean", "full")[int(rng.integers(2))]
                    options = {"obs": obs, "reward": reward, "info": info}
                    self.follow(name, autoreset, threads, options, 60 if NIGHTLY else 30)

    def follow(self, name, autoreset, threads, options, steps):
        what = f"{name}, {autoreset.value}, {threads} threads, {options}"
        ours = seedbed.make_vec(name, 3, autoreset=autoreset, threads=threads, **options)
        theirs = SyncVectorEnv([lambda: seedbed.make(name, **options)] * 3, autoreset_mode=autoreset)
        seed = int(rng.integers(2**31))
        self.same(ours.reset(seed=seed), theirs.reset(seed=seed), what)
        for _ in range(steps):
            actions = rng.integers(0, ours.n_actions, 3)
            now, expected = ours.step(actions), theirs.step(actions)
            self.same(now, expected, what)
            self.assertIn(now[0], ours.observation_space)
            over = now[2] | now[3]
            if autoreset is AutoresetMode.DISABLED and over.any():
                self.same(ours.reset(options={"reset_mask": over}), theirs.reset(options={"reset_mask": over.copy()}), what)
        ours.close(), theirs.close()

    def test_made_by_gymnasium(self):
        for id in some(rng, ids_to_play(), 12):
            kinds = {mode: gymnasium.make_vec(id, num_envs=2, vectorization_mode=mode, **({"obs": "arrays", "info": "lean"}))
                     for mode in ("vector_entry_point", "sync")}
            ours, theirs = kinds["vector_entry_point"], kinds["sync"]
            self.assertIsInstance(ours.unwrapped, seedbed.VecEnv)
            self.assertEqual((ours.spec.id, ours.num_envs), (id, 2))
            self.assertEqual((ours.observation_space, ours.action_space), (theirs.observation_space, theirs.action_space))
            self.same(ours.reset(seed=4), theirs.reset(seed=4), id)
            for _ in range(5):
                actions = ours.action_space.sample()
                self.same(ours.step(actions), theirs.step(actions), id)


if __name__ == "__main__":
    unittest.main()
