"""Environments: Gymnasium's rules, seeds, info, errors.

Label: output
"""
import contextlib
import inspect
import io
import json
import pickle
import re
import unittest
import warnings

import gymnasium
import numpy
from gymnasium.utils import seeding
from gymnasium.utils.env_checker import check_env

import seedbed
from seedbed._seedbed import EnvCore
from support import GOLDEN, ids_to_play, seed_of_run, some



def every_observation(family):
    modes = [mode.name for mode in seedbed.modes(family)]
    pixels = ["pixels"] if seedbed.looks(family) else []
    return [*pixels, *modes, *(f"{mode.name}.json" for mode in seedbed.modes(family) if mode.document), "arrays", "values", "flat", "none"]


def play(env, steps, choose=lambda env: env.valid_actions()[-1]):
    """Up to so many steps; yields what they return."""
    for _ in range(steps):
        if env.done:
            return
        yield env.step(choose(env))


class Rules(unittest.TestCase):
    def check(self, env):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(env, skip_render_check=True)

    def test_every_id_and_observation(self):
        seedbed.register()
        ids = ids_to_play()
        self.assertGreater(len(ids), 37 * 5)
        rng = numpy.random.default_rng(seed_of_run())
        for id in some(rng, ids, 60):
            family = gymnasium.make(id, disable_env_checker=True).unwrapped.family
            observations = every_observation(family)
            for obs in some(rng, observations, 2 if family == "arc" else len(observations)):  # whose levels take long to make
                with self.subTest(id=id, obs=obs):
                    self.check(gymnasium.make(id, obs=obs, disable_env_checker=True).unwrapped)

    def test_the_signature_that_is_shown_has_all_options(self):
        with self.assertRaises(TypeError):
            EnvCore("GoToGoal/easy", no_such_option=1)
        shown = inspect.signature(EnvCore).parameters
        missing = {name for name, parameter in inspect.signature(seedbed.make).parameters.items() if parameter.kind != parameter.VAR_KEYWORD} - {*shown}
        self.assertEqual(missing, {"programs"})

    def test_several_observations(self):
        for task in ("KeyDoorPuzzle-v0/easy", "TaskInterference-v0/hard", "GoTo", "PutNextS6N3Carrying"):
            modes = every_observation(seedbed.make(task).family)
            self.check(seedbed.make(task, obs=modes[:16]))

    def test_rendering(self):
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("error")
            check_env(seedbed.make("GoToGoal/easy", render_mode="ascii"))
        env = seedbed.make("GoToGoal/easy", render_mode="human")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            observation, _ = env.reset(seed=0)
            self.assertIsNone(env.render())
            env.step(0)
        self.assertNotIn("\x1b", observation)
        self.assertGreater(printed.getvalue().count("\n"), 10)
        self.assertIsNone(seedbed.make("GoToGoal/easy").render())

    def test_every_declared_mode_renders(self):
        for family in seedbed.rules():
            task = f"{family}:{seedbed.tasks(family)[0].name}"
            for mode in seedbed.make(task).metadata["render_modes"]:
                with self.subTest(family=family, mode=mode), contextlib.redirect_stdout(io.StringIO()) as printed:
                    env, vec = seedbed.make(task, render_mode=mode), seedbed.make_vec(task, 2, render_mode=mode)
                    env.reset(seed=1), env.step(1), vec.reset(seed=1)
                    shown = env.render()
                    self.assertTrue(shown is None and printed.getvalue() if mode == "human" else len(shown), (family, mode))
                    self.assertEqual([len(one) > 0 for one in vec.render()], [True] * 2)
                    if mode == "ansi":
                        self.assertIn("\x1b[", shown)
                    elif isinstance(shown, numpy.ndarray):
                        self.assertEqual((shown.dtype, shown.shape[2]), (numpy.uint8, 3))
            with self.assertRaisesRegex(seedbed.InvalidError, f'^render_mode="humn": {family} has ansi, human, ') as caught:
                seedbed.make(task, render_mode="humn")
            for mode in seedbed.make(task).metadata["render_modes"]:
                self.assertIn(mode, str(caught.exception))
            with self.assertRaisesRegex(seedbed.InvalidError, '^render_mode="rgb_array_list".*gymnasium.make'):
                seedbed.make_vec(task, 2, render_mode="rgb_array_list")

    def test_half_blocks_are_the_picture(self):
        """A family without coloured texts shows people its picture, of a pixel a cell or as was asked for."""
        for options, side in (({}, 64), ({"tile": 2}, 128)):
            env = seedbed.make("arc:Echo/intro#3", render_mode="ansi", obs="none", **options)
            env.reset()
            pixels, _ = seedbed.make("arc:Echo/intro#3", obs="pixels", **{"tile": 1, **options}).reset()
            self.assertEqual(pixels.shape, (side, side, 3))
            rows, colours = numpy.zeros_like(pixels), {}
            for y, line in enumerate(env.render().splitlines()):
                x = 0
                for codes, blocks in re.findall("((?:\x1b\\[[0-9;]*m)*)(\u2580*)", line):
                    for ground, *colour in re.findall(r"([34]8);2;(\d+);(\d+);(\d+)m", codes):
                        colours[ground] = colour
                    rows[2 * y, x:x + len(blocks)], rows[2 * y + 1, x:x + len(blocks)] = colours["38"], colours["48"]
                    x += len(blocks)
                self.assertEqual(x, side)
            numpy.testing.assert_array_equal(rows, pixels)

    def test_spec(self):
        self.assertEqual(gymnasium.make("seedbed/GoToGoal-easy-v0").spec.id, seedbed.make("GoToGoal/easy").spec.id)
        self.assertEqual(seedbed.make("GoTo").spec.id, "seedbed/BabyAI-GoTo-v0")
        self.assertIsNone(seedbed.make("GoTo").spec.max_episode_steps)


class Seeds(unittest.TestCase):
    def names(self, env, n):
        for _ in range(n):
            env.reset()
            yield env.seed

    def test_chain_is_numpys(self):
        for task in ("GoToGoal/easy", "babyai:GoToLocal"):
            for seed in (0, 1, 42, 2**31, 2**63 + 5, 2**64 - 1):
                env = seedbed.make(task, obs="none")
                env.reset(seed=seed)
                self.assertEqual(env.seed, seed)
                expected = numpy.random.default_rng(seed).integers(0, 2**31, 7)
                self.assertEqual([*self.names(env, 7)], expected.tolist())

    def test_looking_at_the_generator_moves_nothing(self):
        for looks in range(4):
            env = seedbed.make("GoToGoal/easy", obs="none")
            env.reset(seed=5)
            seeds = [*self.names(env, looks)]
            states = [generator.bit_generator.state for generator in (env.np_random, self.moved(5, looks))]
            self.assertEqual(*[(state["state"], state["has_uint32"], state["has_uint32"] and state["uinteger"]) for state in states])
            seeds += self.names(env, 3)
            self.assertEqual(seeds, numpy.random.default_rng(5).integers(0, 2**31, looks + 3).tolist())

    @staticmethod
    def moved(seed, draws):
        generator = numpy.random.default_rng(seed)
        for _ in range(draws):
            generator.integers(0, 2**31)
        return generator

    def test_whoever_draws_moves_the_chain(self):
        env, generator = seedbed.make("GoToGoal/easy"), numpy.random.default_rng(9)
        env.reset(seed=9)
        self.assertEqual(env.np_random.random(), generator.random())
        env.reset()
        self.assertEqual(env.seed, generator.integers(0, 2**31))

    def test_first_episode_of_make(self):
        env = seedbed.make("GoToGoal/easy", seed=7)
        self.assertEqual(env.np_random_seed, 7)
        env.np_random  # to look is not to begin
        self.assertEqual([*self.names(env, 3)], [7, *numpy.random.default_rng(7).integers(0, 2**31, 2)])

    def test_without_a_seed(self):
        env = seedbed.make("GoToGoal/easy")
        start = env.np_random_seed
        self.assertEqual([*self.names(env, 2)], numpy.random.default_rng(start).integers(0, 2**31, 2).tolist())
        other = seedbed.make("GoToGoal/easy")
        self.assertNotEqual(other.np_random_seed, start)

    def test_a_generator_that_is_set_is_the_chain(self):
        for begun in (False, True):
            env = seedbed.make("GoToGoal/easy")
            if begun:
                env.reset(seed=1)
            env.np_random = numpy.random.default_rng(3)
            self.assertEqual(env.np_random_seed, -1)
            self.assertEqual([*self.names(env, 2)], numpy.random.default_rng(3).integers(0, 2**31, 2).tolist())
            env.reset(seed=4)
            self.assertEqual(env.np_random_seed, 4)
            self.assertEqual([*self.names(env, 1)], numpy.random.default_rng(4).integers(0, 2**31, 1).tolist())
        env.np_random, env._np_random_seed = seeding.np_random(6)
        self.assertEqual([*self.names(env, 1)], numpy.random.default_rng(6).integers(0, 2**31, 1).tolist())

    def test_pinned_and_said_episodes_do_not_draw(self):
        env = seedbed.make("GoToGoal/easy#8", seed=2)
        self.assertEqual([*self.names(env, 3)], [8, 8, 8])
        env = seedbed.make("GoToGoal/easy", seed=2)
        env.reset(options={"seed": 99})
        self.assertEqual(env.seed, 99)
        env.reset(options={"name": "KeyDoorPuzzle/easy#4"})
        self.assertEqual(env.name, "KeyDoorPuzzle-v0/easy#4")
        self.assertEqual([*self.names(env, 2)], [2, *numpy.random.default_rng(2).integers(0, 2**31, 1)])
        self.assertEqual(env.task, "GoToGoal-v0")

    def test_another_episode_has_to_fit(self):
        env = seedbed.make("GoToGoal/easy", obs="arrays")
        env.reset(seed=1)
        for name in ("KeyDoorPuzzle/expert#4", "GoTo#1"):
            with self.assertRaisesRegex(seedbed.InvalidError, "fit"):
                env.reset(options={"name": name})
        padded = seedbed.make("GoToGoal/easy", obs="arrays", pad="family")
        self.assertIn(padded.reset(options={"name": "KeyDoorPuzzle/expert#4"})[0], padded.observation_space)


class Info(unittest.TestCase):
    KEYS = ["step_count", "step", "max_steps", "episode_reward", "valid_actions", "agent_position", "task_name"]

    def test_public_configuration(self):
        with open(GOLDEN / "public-config.json") as file:
            recorded = json.load(file)
        self.assertEqual(len(recorded), 37)
        for task, difficulties in recorded.items():
            for difficulty, said in difficulties.items():
                _, info = seedbed.make(f"{task}/{difficulty}#{said['seed']}", obs="none").reset()
                self.assertEqual(json.loads(json.dumps(info["task_config"])), said["config"], task)

    def test_kinds(self):
        for task in ("KeyDoorPuzzle/easy", "GoTo"):
            for kind, keys in (("none", []), ("lean", ["success"])):
                env = seedbed.make(task, info=kind, obs="none")
                self.assertEqual(env.reset(seed=0)[1], {})
                self.assertEqual([*env.step(0)[4]], keys)
        env = seedbed.make("GoTo", info="full")
        self.assertEqual([*env.reset(seed=0)[1]], [*self.KEYS, "mission"])
        self.assertEqual(seedbed.make("GoTo").reset(seed=0)[1], {})

    def test_nothing_is_shared(self):
        env = seedbed.make("KeyDoorPuzzle/easy")
        one, other = env.reset(seed=0)[1], env.reset(seed=0)[1]
        self.assertEqual(one, other)
        one["valid_actions"].clear(), one["task_config"].clear()
        self.assertTrue(other["valid_actions"] and other["task_config"])


class Steps(unittest.TestCase):
    def test_types_and_actions(self):
        env = seedbed.make("GoToGoal/easy")
        env.reset(seed=0)
        for action in (0, numpy.int64(1), numpy.array(2), "noop", "Move Up", " move_down ", True, env.actions.move_up):
            _, reward, terminated, truncated, _ = env.step(action)
            self.assertEqual([type(value) for value in (reward, terminated, truncated)], [float, bool, bool])
        self.assertEqual(env.step_count, 8)

    def test_errors_change_nothing(self):
        for task in ("KeyDoorPuzzle/easy", "GoTo"):
            env = seedbed.make(task)
            for call in (lambda: env.step(0), lambda: env.observe("ascii" if env.family == "agentick" else "mission"),
                         env.expert_action, env.hint, env.tape, env.bound):
                self.assertRaises(seedbed.FinishedError, call)
            env.reset(seed=3)
            env.step(1)
            before = env.key, env.name, env.step_count, env.episode_reward, env.tape(), env._chain
            wrong = [lambda a=a: env.step(a) for a in (-1, env.n_actions, 2**70, -2**70, 1.0, None, "fly", "", [], numpy.array([1, 2]))]
            wrong += [lambda s=s: env.reset(seed=s) for s in (-1, 2**64, "1", 1.5, [])]
            wrong += [lambda o=o: env.reset(options=o) for o in ({"x": 1}, {"seed": -1}, {"name": "Nope#1"}, {"name": 3}, [], {1: 2})]
            wrong += [lambda m=m: env.observe(m) for m in ("x", 3, [], ["ascii", 3])]
            wrong += [lambda: env.expert_action("nobody"), lambda: env.hint("x" * 99), lambda: env.expert_action(budget=-1),
                      lambda: env.expert_action(budget=0), lambda: env.copy_from(3), lambda: env.tape("not a name")]
            for call in wrong:
                self.assertRaises((ValueError, TypeError), call)
                self.assertEqual(before, (env.key, env.name, env.step_count, env.episode_reward, env.tape(), env._chain))
            self.assertRaises(seedbed.ActionError, env.step, 99)
            self.assertRaises(KeyError, env.step, 99)

    def test_the_end(self):
        env = seedbed.make("GoToGoal/easy#0")
        env.reset()
        *_, (_, _, terminated, _, info) = play(env, 1000, lambda env: env.expert_action())
        self.assertTrue(terminated and info["success"] and env.success and env.done)
        before = env.key, env.step_count
        self.assertRaises(seedbed.FinishedError, env.step, 0)
        self.assertRaises(RuntimeError, env.step, 99)
        self.assertEqual(before, (env.key, env.step_count))
        env.close(), env.close()
        self.assertRaises(seedbed.FinishedError, env.step, 0)
        self.assertRaises(seedbed.FinishedError, env.reset)

    def test_the_example(self):
        env = seedbed.make("KeyDoorPuzzle-v0/medium", obs="language")
        _, info = env.reset(seed=42)
        while not env.done:
            _, _, _, _, info = env.step(env.expert_action())
        self.assertEqual((env.name, info["success"], env.episode_reward), ("KeyDoorPuzzle-v0/medium#42", True, 1.0))

    def test_both_rewards_are_kept(self):
        for reward in ("sparse", "dense"):
            env = seedbed.make("KeyDoorPuzzle/easy#1", reward=reward)
            env.reset()
            sums, dense = 0.0, 0.0
            for _, gained, *_ in play(env, 500, lambda env: env.expert_action()):
                sums += gained
                dense += env.last_dense
            self.assertEqual((env.episode_reward, env.dense_total), (sums, dense))
            self.assertEqual(env.episode_reward, env.total if reward == "sparse" else env.dense_total)

    def test_attributes(self):
        for task in seedbed.tasks():
            env = seedbed.make(f"{task.family}:{task.name}", obs="none", mask="published")
            self.assertEqual((env.summary, env.category, env.rules, env.family, env.task),
                             (task.summary, task.category, task.rules, task.family, task.name))
            before = env.action_names
            self.assertEqual([action.name for action in env.actions], [*before])
            self.assertEqual(len(before), env.n_actions)
            env.reset(seed=0)
            self.assertEqual(before, env.action_names)
            self.assertEqual([env.action_name(i) for i in range(env.n_actions)], [*before])
            self.assertEqual([env.parse_action(name) for name in before], [*range(env.n_actions)])
            self.assertEqual([i for i, valid in enumerate(env.action_mask()) if valid], env.valid_actions())
            self.assertEqual([before[i] for i in env.valid_actions()], env.valid_action_names())
        self.assertEqual([*seedbed.make("GoTo").actions.__members__][:7], "left right forward pickup drop toggle done".split())

    def test_a_masked_action_does_what_a_noop_does(self):
        for name in ("LightsOut/easy#1", "KeyDoorPuzzle/easy#5", "DistributionShift/hard#2"):
            env, masked = seedbed.make(name, obs="state.json", mask="sound"), 0
            env.reset()
            for step in range(40):
                mask = env.action_mask()
                numpy.testing.assert_array_equal(env.action_masks(), mask)  # the name that maskable trainers look for
                self.assertTrue(mask[env.actions.noop])
                courses = {}
                for action in [env.actions.noop, *numpy.flatnonzero(~mask)]:
                    copy = env.clone()
                    courses[int(action)] = [copy.step(action) for action in (int(action), step % env.n_actions)]
                self.assertEqual([*courses.values()], [courses[env.actions.noop]] * len(courses))
                masked += len(courses) - 1
                if env.step((7 * step + step // 3) % env.n_actions)[2]:
                    break
            self.assertGreater(masked, 0)

    def test_the_published_mask_is_kept_under_its_name(self):
        env, published = (seedbed.make("LightsOut/easy#1", obs="none", mask=mask) for mask in ("sound", "published"))
        env.reset(), published.reset()
        self.assertEqual(numpy.flatnonzero(published.action_mask()).tolist(), env.valid_actions())
        differs = False
        for action in (2, 4, 2, 4):
            env.step(action), published.step(action)
            differs |= (env.action_mask() != published.action_masks()).any()
            self.assertEqual(published.valid_actions(), env.valid_actions())
        self.assertTrue(differs)
        copy = pickle.loads(pickle.dumps(published))
        numpy.testing.assert_array_equal(copy.action_mask(), published.action_mask())
        with self.assertRaisesRegex(seedbed.InvalidError, "mask"):
            seedbed.make("LightsOut", mask="own")

    def test_bounds_hold(self):
        for name in ("GoToGoal/easy#1", "MazeNavigation/medium#2", "babyai:GoToLocal#3"):
            env = seedbed.make(name, obs="none")
            env.reset()
            bounds = []
            while not env.done:
                bounds.append(env.bound())
                env.step(env.expert_action())
            for taken, bound in enumerate(bounds):
                self.assertTrue(bound is None or 0 <= bound <= len(bounds) - taken)


class Facts(unittest.TestCase):
    def test_as_shown(self):
        env = seedbed.make("PutNextS5N2Carrying", obs="values")
        self.assertIsNone(env.mission)
        shown, _ = env.reset(seed=1)
        self.assertEqual(env.mission, shown["mission"])
        self.assertEqual(env.agent_dir, shown["direction"])
        self.assertEqual((env.carrying.position, env.carrying.locked), (None, None))
        self.assertIn(f"{env.carrying.color} {env.carrying.type}", env.mission)
        things = env.facts()["things"]
        env.step("drop")
        if env.carrying is None:
            self.assertEqual(len(env.facts()["things"]), len(things) + 1)
        self.assertEqual(env.agent_pos, env.facts()["agent"])

    def test_not_everywhere(self):
        env = seedbed.make("GoToGoal/easy")
        env.reset(seed=0)
        for name in ("mission", "agent_pos", "agent_dir", "carrying"):
            self.assertFalse(hasattr(env, name))
        self.assertRaises(AttributeError, env.facts)


if __name__ == "__main__":
    unittest.main()
