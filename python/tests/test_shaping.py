"""Rewards that tell of every step whether it helped: reward="progress"."""
import copy
import glob
import gzip
import json
import os
import pickle
import tempfile
import unittest

import numpy

import seedbed

NAMES = ("KeyDoorPuzzle/easy#4", "LightsOut/easy#2", "PreciseNavigation/hard#1", "TagHunt/easy#3")
NO = {"obs": "none", "info": "none"}


def lines_of(folder, kind):
    return [line for path in sorted(glob.glob(os.path.join(folder, kind + "-*.gz"))) for line in gzip.open(path, "rt")]


class Drawn:
    """Random actions, the same in every play."""

    def __init__(self):
        self.rng = numpy.random.default_rng(5)

    def __call__(self, env):
        return int(self.rng.integers(env.action_space.n))


def played(name, choose, **options):
    """The rewards of an episode."""
    env = seedbed.make(name, **NO, **options)
    env.reset()
    choose, rewards = choose(), []
    while not env.done:
        rewards.append(env.step(choose(env))[1])
    return rewards


AGENTS = (lambda: lambda env: env.expert_action(), Drawn, lambda: lambda env: 0)


def discounted(rewards, gamma):
    return sum(reward * gamma ** step for step, reward in enumerate(rewards))


class Single(unittest.TestCase):
    def test_plays_differ_from_their_return_by_the_same(self):
        for name in NAMES:
            for gamma in (1, 0.99):
                more = [discounted(played(name, choose, reward="progress", gamma=gamma), gamma) - discounted(played(name, choose), gamma)
                        for choose in AGENTS]
                self.assertTrue(0 < more[0] <= 1, more)
                for other in more:
                    self.assertAlmostEqual(other, more[0], msg=name)

    def test_each_best_step_is_worth_the_same_and_others_nothing_or_less(self):
        name, limit = "KeyDoorPuzzle/easy#4", seedbed.make("KeyDoorPuzzle/easy").max_steps
        env, player = seedbed.make(name, **NO, reward="progress"), seedbed.Player("expert")
        env.reset()
        limit = env.max_steps
        while not env.done:
            for cost in player.costs(env):
                after = env.clone()
                _, reward, terminated, _, _ = after.step(cost.action)
                self.assertAlmostEqual(reward, 1 / limit + terminated if cost.best else reward)
                self.assertTrue(cost.best or reward < 1 / limit - 1e-9, cost)
            env.step(env.expert_action())

    def test_copies_pickles_and_resets_go_on_alike(self):
        env = seedbed.make(NAMES[0], **NO, reward="progress", gamma=0.9)
        env.reset()
        env.step(env.expert_action())
        others = [copy.copy(env), pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
        rewards = [each.step(1)[1] for each in (env, *others)]
        self.assertEqual(rewards, rewards[:1] * 4)
        env.reset()
        first = env.step(1)[1]
        env.step(2), env.reset()
        self.assertEqual(env.step(1)[1], first)

    def test_the_return_that_is_told_stays_sparse(self):
        env = seedbed.make(NAMES[0], obs="none", info="full", reward="progress")
        env.reset()
        while not env.done:
            _, _, _, _, info = env.step(env.expert_action())
        self.assertEqual((info["episode_reward"], env.episode_reward), (1.0, 1.0))

    def test_what_cannot_be_is_refused(self):
        for options, words in (({"reward": "progress", "gamma": 1.5}, "0 to 1"), ({"reward": "progress", "gamma": float("nan")}, "0 to 1"),
                               ({"gamma": 0.9}, "progress"), ({"reward": "steps"}, "known")):
            for make in (lambda **more: seedbed.make(NAMES[0], **more), lambda **more: seedbed.make_vec(NAMES[0], 2, **more),
                         lambda **more: seedbed.rollouts([NAMES[0]], **more)):
                with self.assertRaisesRegex(seedbed.InvalidError, words):
                    make(**options)
        for make in (seedbed.make, seedbed.make_vec, lambda name, **more: list(seedbed.rollouts([name], **more))):
            with self.assertRaisesRegex(seedbed.InvalidError, "nothing is won in Seesaw"):
                make("autumn:Seesaw#1", reward="progress")


class Many(unittest.TestCase):
    def steps(self, vector, n, seed=3):
        rng = numpy.random.default_rng(seed)
        vector.reset(seed=seed)
        return numpy.array([vector.step(rng.integers(0, 6, vector.num_envs))[1].copy() for _ in range(n)])

    def test_rewards_are_those_of_single_environments(self):
        for autoreset in ("NextStep", "SameStep"):
            vector = seedbed.make_vec("KeyDoorPuzzle/easy", 20, reward="progress", gamma=0.99, obs="none", autoreset=autoreset)
            rng = numpy.random.default_rng(1)
            vector.reset(seed=7)
            singles = [vector.env(i) for i in range(20)]
            ended, resets = [False] * 20, 0
            for _ in range(250):
                actions = rng.integers(0, 6, 20)
                rewards = vector.step(actions)[1]
                for i, env in enumerate(singles):
                    if ended[i] and autoreset == "NextStep":
                        env.reset()
                        self.assertEqual(rewards[i], 0)
                        ended[i], resets = False, resets + 1
                        continue
                    _, reward, terminated, truncated, _ = env.step(actions[i])
                    self.assertEqual(rewards[i], reward)
                    ended[i] = terminated or truncated
                    if ended[i] and autoreset == "SameStep":
                        env.reset()
                        resets += 1
            self.assertGreater(resets, 20)

    def test_a_copy_has_what_the_source_was_paid_and_is_paid_from_its_state_on(self):
        vector = seedbed.make_vec(["KeyDoorPuzzle/easy#4", "KeyDoorPuzzle/easy#11"], reward="progress", obs="none")
        single = seedbed.make("KeyDoorPuzzle/easy#11", reward="progress", obs="none")
        vector.reset(), single.reset()
        for action in (1, 3, 0, 2):
            vector.step([action, (action + 2) % 4]), single.step((action + 2) % 4)
        before = vector.state_dict()
        for source in (1, single):
            vector.load_state_dict(before)
            vector.step([1, 3])
            if source is single:
                single.step(3)
            vector.copy_env(0, source)
            self.assertEqual(vector.state_dict()["dense"], [single.last_dense if source is single else vector.env(1).last_dense] * 2)
            first, second = vector.step([1, 1])[1]
            self.assertEqual(first, second)

    def test_rewards_do_not_depend_on_threads_or_on_checkpoints(self):
        make = lambda threads: seedbed.make_vec("KeyDoorPuzzle/easy", 40, reward="progress", obs="none", threads=threads)
        one, many = make(1), make(3)
        numpy.testing.assert_array_equal(self.steps(one, 120), self.steps(many, 120))
        other = make(2)
        other.load_state_dict(json.loads(json.dumps(one.state_dict())))
        actions = numpy.ones(40, dtype=int)
        numpy.testing.assert_array_equal(one.step(actions)[1], other.step(actions)[1])

    def test_an_episode_that_nothing_follows_ends_at_a_potential_of_0(self):
        for autoreset in ("NextStep", "SameStep"):
            vector = seedbed.make_vec(["LightsOut/easy#2"], 1, reward="progress", then="stop", obs="none", autoreset=autoreset)
            vector.reset()
            total, idle = 0.0, False
            for _ in range(200):
                _, rewards, _, _, infos = vector.step(numpy.zeros(1, dtype=int))
                self.assertTrue(not idle or rewards[0] == 0)
                total, idle = total + rewards[0], bool(infos["idle"][0])
            self.assertTrue(idle)
            self.assertAlmostEqual(total, sum(played("LightsOut/easy#2", AGENTS[2], reward="progress")))

    def test_a_step_beside_the_caller_gets_the_same(self):
        vector = seedbed.make_vec("LightsOut/easy", 4, reward="progress", obs="none")
        first = self.steps(vector, 1)[0]
        vector.reset(seed=3)
        vector.step_async(numpy.random.default_rng(3).integers(0, 6, 4))
        numpy.testing.assert_array_equal(vector.step_wait()[1], first)


class Rollouts(unittest.TestCase):
    def test_episodes_have_the_rewards_of_the_environment(self):
        for name in NAMES:
            episode = next(seedbed.rollouts([name], agent="expert", reward="progress", gamma=0.9))
            self.assertEqual(episode.rewards.tolist(), played(name, AGENTS[0], reward="progress", gamma=0.9))
            again = seedbed.replay(episode.tape, reward="progress", gamma=0.9)
            self.assertEqual(again.rewards.tolist(), episode.rewards.tolist())

    def test_episodes_do_not_depend_on_workers(self):
        names = [f"KeyDoorPuzzle/easy#{seed}" for seed in range(12)]
        one, many = ([episode.rewards.tolist() for episode in seedbed.rollouts(names, agent="random", reward="progress", jobs=jobs)] for jobs in (1, 3))
        self.assertEqual(one, many)


class Datasets(unittest.TestCase):
    def test_rows_of_all_formats_have_the_rewards_of_rollouts(self):
        recipe = {"tasks": ["KeyDoorPuzzle", "TagHunt"], "difficulty": ["easy"], "split": "train", "count": 3, "oracle": "expert", "epsilon": 0.2,
                  "reward": "progress", "gamma": 0.9,
                  "formats": ["steps", "trajectories", "npz", {"format": "chat", "user": "{history}", "history": {"steps": 1, "item": "{reward}"}}]}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "d")
            seedbed.build(recipe, path)
            tapes = [json.loads(line) for line in lines_of(path, "tapes")]
            wanted = {tape["name"]: seedbed.replay(json.dumps(tape), reward="progress", gamma=0.9).rewards.tolist() for tape in tapes}
            found = {"steps": {}, "chat": {}, "trajectories": {row["name"]: row["rewards"] for row in map(json.loads, lines_of(path, "trajectories"))}}
            for row in map(json.loads, lines_of(path, "steps")):
                found["steps"].setdefault(row["name"], []).append(row["reward"])
            for row in map(json.loads, lines_of(path, "chat")):
                text = row["messages"][1]["content"]
                found["chat"].setdefault(row["name"], []).extend([] if text == "none" else [float(text)])
            with numpy.load(os.path.join(path, "npz-00000-of-00001.npz")) as arrays:
                rewards = arrays["rewards"].tolist()
        self.assertEqual(len(wanted), 6)
        self.assertEqual(found["steps"], wanted)
        self.assertEqual(found["trajectories"], wanted)
        self.assertEqual(found["chat"], {name: rewards[:-1] for name, rewards in wanted.items()})
        self.assertEqual(rewards, sum(wanted.values(), []))


if __name__ == "__main__":
    unittest.main()
