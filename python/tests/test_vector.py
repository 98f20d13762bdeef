"""Vectors: equal to Gymnasium's SyncVectorEnv over single environments, and what they have beside that."""
import ctypes
import gc
import os
import threading
import unittest
import warnings
from multiprocessing import shared_memory

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import seedbed
from seedbed.env import Env
from seedbed.vector import VecEnv, make_vec
from support import Same

N = 21  # no multiple of what a thread takes at a time
SHORT = "GoToGoal-v0/easy"  # episodes that random actions end soon
LEVEL = "BabyAI-GoToObj-v0"


class Case(Same):
    def follow(self, name, steps=150, n=N, autoreset="NextStep", threads=1, copy=True, seed=7, **options):
        """Ours and Gymnasium's do the same for the same actions. Returns how many episodes ended."""
        options.setdefault("obs", "arrays")
        ours = make_vec(name, n, autoreset=autoreset, threads=threads, copy=copy, **options)
        theirs = SyncVectorEnv([lambda: Env(name, **{"info": "lean", **options})] * n, autoreset_mode=autoreset)
        self.assertEqual(ours.observation_space, theirs.observation_space)
        self.assertEqual(ours.action_space, theirs.action_space)
        self.assertEqual(ours.metadata, theirs.metadata)
        rng, ended = numpy.random.default_rng(seed), 0
        self.same(ours.reset(seed=seed), theirs.reset(seed=seed))
        for _ in range(steps):
            actions = rng.integers(0, ours.n_actions, n)
            ours_now, theirs_now = ours.step(actions), theirs.step(actions)
            self.same(ours_now, theirs_now)
            over = theirs_now[2] | theirs_now[3]
            ended += int(over.sum())
            if autoreset == "Disabled" and over.any():
                self.same(ours.reset(options={"reset_mask": over}), theirs.reset(options={"reset_mask": over.copy()}))
            self.same(tuple(ours.names()), theirs.get_attr("name"))
        ours.close(), theirs.close()
        return ended


class Mixtures(Case):
    EASY, KEYS = {"tasks": "GoToGoal", "difficulty": "easy"}, {"tasks": ["GoToGoal"], "difficulty": "medium"}

    def played(self, mixture, steps=120, n=4, seed=3, progress=None, **options):
        """The names of the episodes that each environment plays."""
        vec = make_vec(mixture, n, pad="family", **options)
        if progress is not None:
            vec.progress = progress
        vec.reset(seed=seed)
        rng, names = numpy.random.default_rng(0), [[name] for name in vec.names()]
        for _ in range(steps):
            vec.step(rng.integers(0, vec.n_actions, n))
            for known, name in zip(names, vec.names()):
                if name != known[-1]:
                    known.append(name)
        vec.close()
        return names

    def test_draws_are_a_function_of_the_seed_and_not_of_threads(self):
        mixture = seedbed.Mixture([{**self.EASY, "weight": 2}, self.KEYS])
        names = self.played(mixture)
        self.assertEqual(names, self.played(mixture, threads=3))
        self.assertNotEqual(names, self.played(mixture, seed=4))
        for i, known in enumerate(names):
            self.assertEqual(known, mixture.draw(len(known), 3 + i))
        self.assertGreater(sum(map(len, names)), 8)

    def test_weights_are_shares(self):
        names = seedbed.Mixture([{**self.EASY, "weight": 3}, self.KEYS]).draw(4000, 1)
        self.assertAlmostEqual(sum("/easy#" in name for name in names) / 4000, 0.75, delta=0.03)
        self.assertGreater(len(set(names)), 3900)

    def test_a_schedule_follows_progress_that_is_set_or_counted(self):
        mixture = seedbed.Mixture([{**self.EASY, "weight": [[0, 1], [1, 0]]}, {**self.KEYS, "weight": [[0, 0], [1, 1]]}])
        for progress, share in ((0, 1), (0.25, 0.75), (1, 0)):
            names = mixture.draw(2000, 5, progress)
            self.assertAlmostEqual(sum("/easy#" in name for name in names) / 2000, share, delta=0.04)
        self.assertEqual({name.split("#")[0] for of in self.played(mixture, progress=1) for name in of}, {"GoToGoal-v0/medium"})
        counted = seedbed.Mixture([{**self.EASY, "weight": [[0.5, 1], [0.51, 0]]}, {**self.KEYS, "weight": [[0.5, 0], [0.51, 1]]}], episodes=8)
        vec = make_vec(counted, 4, pad="family")
        vec.reset(seed=1)
        self.assertEqual((vec.progress, {name.split("#")[0] for name in vec.names()}), (0.5, {"GoToGoal-v0/easy"}))
        vec.reset()
        vec.reset()
        self.assertEqual((vec.progress, {name.split("#")[0] for name in vec.names()}), (1, {"GoToGoal-v0/medium"}))
        vec.reset(seed=1)
        self.assertEqual(vec.progress, 0.5, "a reset with a seed begins again")

    def test_recipes_draw_from_the_same_mixtures(self):
        items = [{"tasks": "GoToGoal", "difficulty": "easy", "weight": [[0, 1], [1, 0]]}, {"tasks": "KeyDoorPuzzle", "difficulty": "easy"}]
        seedbed.Mixture(items)
        rows = seedbed.rows({"split": "train", "mixture": items, "episodes": 30, "evaluation": "keep"})
        self.assertEqual(len({row["name"] for row in rows}), 30)

    def test_mistakes_are_named(self):
        for items, word in (([], "empty"), ([{"tasks": "Nothing"}], "mixture"), ([{**self.EASY, "weight": -1}], "weight"),
                            ([{**self.EASY, "weight": [[0, 1], [1, 0]]}], "progress"), ([{"weights": 1}], "weights"), (7, "items"), ([7], "items"),
                            ([{"tasks": "GoToGaol"}], "did you mean GoToGoal"), ([{"wieght": 1}], "known keys: tasks, category, difficulty, weight"),
                            ([self.EASY, {**self.EASY, "weight": float("nan")}], "mixture[1]: key `weight` should be a number of 0 or more"),
                            ([{**self.EASY, "weight": numpy.float32(1)}], "[progress, weight], not np.float32(1.0)"), ([{"tasks": 5}], "mixture[0]: tasks: a str"),
                            ([{**self.EASY, "weight": 0}], "key `weight`: at progress 0 all items have 0; give at least one"),
                            ([self.EASY, {"tasks": "babyai:GoTo"}], "of one family, and before this item it is of agentick")):
            with self.assertRaises(seedbed.Error) as caught:
                seedbed.Mixture(items)
            self.assertIn(word, str(caught.exception))
        mixture = seedbed.Mixture([self.EASY, {"tasks": "KeyDoorPuzzle", "difficulty": "expert"}])
        for refused in (lambda: make_vec(mixture, 2), lambda: make_vec(SHORT, 2, then="draw"), lambda: make_vec(mixture, 2, pad="family", then="chain")):
            with self.assertRaises(seedbed.InvalidError):
                refused()
        vec = make_vec(mixture, 2, pad="family")
        self.assertIs(vec.mixture, mixture)
        self.assertIsNone(make_vec(SHORT, 2).mixture)
        for progress in (-1, 2, float("nan")):
            with self.assertRaises(seedbed.InvalidError):
                vec.progress = progress


class Equal(Case):
    def test_three_modes_with_one_and_three_threads(self):
        for autoreset in ("NextStep", "SameStep", "Disabled"):
            for threads in (1, 3):
                with self.subTest(autoreset, threads=threads):
                    self.assertGreater(self.follow(SHORT, 160, autoreset=autoreset, threads=threads, obs="arrays"), N)

    def test_levels_with_missions(self):
        for autoreset in ("NextStep", "SameStep", "Disabled"):
            with self.subTest(autoreset):
                self.assertGreater(self.follow(LEVEL, 140, autoreset=autoreset, threads=3, obs="minigrid"), N)

    def test_every_kind_of_observation(self):
        agentick = ["ascii", "ascii_color", "structured", "state.json", "arrays", "flat", "none", "agent", ["ascii", "arrays", "state"], "pixels",
                    ["pixels", "arrays", "language"]]
        babyai = ["language", "view7", "full.values", "minigrid3", "minigrid_full", "values", "image", "direction", "mission", "flat",
                  "none", ["minigrid", "ascii"], ["image"], "pixels", ["pixels", "values"]]
        for name, kinds in ((SHORT, agentick), (LEVEL, babyai)):
            for obs in kinds:
                with self.subTest(name, obs=obs):
                    self.follow(name, 70, n=5, autoreset="SameStep", threads=2, obs=obs)

    def test_pixels(self):
        for name, options in ((SHORT, {"tile": 16}), (SHORT, {"view": 5, "panel": False}), (SHORT, {"indexed": True}), (SHORT, {"pad": "family"}),
                              (SHORT, {"pad": (40, 33), "obs": ["terrain", "pixels"]}), (LEVEL, {"look": "grid", "tile": 3}), (LEVEL, {"highlight": False, "look": "grid"}),
                              (LEVEL, {"look": "grid", "pad": "family", "tile": 2})):
            for autoreset in ("NextStep", "SameStep", "Disabled"):
                with self.subTest(name, autoreset=autoreset, **options):
                    self.follow(name, 60, n=5, autoreset=autoreset, threads=3, **{"obs": "pixels", "render_mode": "rgb_array", **options})
        self.follow(SHORT, 60, obs="pixels", copy=False)

    def test_pixels_of_several_tasks(self):
        names = ["GoToGoal-v0/easy", "KeyDoorPuzzle-v0/hard#3", "GoToGoal/expert"]
        with self.assertRaisesRegex(seedbed.InvalidError, "pad"):
            make_vec(names, obs="pixels")
        for pad in ("family", (31, 40)):
            ours = make_vec(names, obs="pixels", pad=pad, threads=2, copy=False)
            theirs = SyncVectorEnv([lambda name=name: Env(name, obs="pixels", pad=pad, info="lean") for name in names])
            self.same(ours.reset(seed=[4, None, 9]), theirs.reset(seed=[4, None, 9]))
            for action in range(60):
                self.same(ours.step([action % 6] * 3), theirs.step([action % 6] * 3))

    def test_pixels_go_where_the_caller_wants_them(self):
        for obs, buffers in (("pixels", lambda memory: memory), (["pixels", "agent"], lambda memory: {"pixels": memory})):
            vec, twin = (make_vec(SHORT, 4, obs=obs) for _ in range(2))
            memory = numpy.zeros((4, *seedbed.make(SHORT, obs="pixels").observation_space.shape), numpy.uint8)
            vec.bind(obs=buffers(memory))
            self.same(vec.reset(seed=1), twin.reset(seed=1))
            for action in range(20):
                self.same(vec.step([action % 6] * 4), twin.step([action % 6] * 4))
                shown = twin.env(2).observe("pixels")
                numpy.testing.assert_array_equal(memory[2], shown)

    def test_infos(self):
        for info in ("full", "none"):
            for autoreset in ("NextStep", "SameStep", "Disabled"):
                for name in (SHORT, LEVEL):
                    with self.subTest(name, info=info, autoreset=autoreset):
                        self.assertGreater(self.follow(name, 130, n=3, autoreset=autoreset, obs="none", info=info), 2)

    def test_dense_rewards(self):
        self.follow("KeyDoorPuzzle-v0/easy", 60, n=4, reward="dense", obs="arrays")

    def test_padded(self):
        self.follow(SHORT, 60, n=4, pad="family", obs=["arrays", "flat"])
        self.follow(SHORT, 60, n=4, pad=(40, 33), obs="terrain", autoreset="SameStep")

    def test_arrays_that_somebody_has_are_left_alone(self):
        """Arrays are filled anew once nobody has them: never one that is held, seen through or changed."""
        vec, env = make_vec(SHORT, 4, obs=["arrays", "flat"]), Env(SHORT, obs=["arrays", "flat"])
        held, before = [], []

        def hold(value):
            if isinstance(value, dict):
                for item in value.values():
                    hold(item)
            elif isinstance(value, tuple):
                for item in value:
                    hold(item)
            elif isinstance(value, numpy.ndarray):
                kept = [value, value[:1], memoryview(value), value.T][len(held) % 4]
                held.append(kept), before.append(numpy.array(kept))

        hold(vec.reset(seed=0)), hold(env.reset(seed=0))
        for i in range(60):
            hold(vec.step([i % 6] * 4)), hold(env.reset() if env.done else env.step(i % 6))
        for kept, was in zip(held, before):
            numpy.testing.assert_array_equal(kept, was)

    def test_arrays_that_were_changed_do_not_come_back(self):
        vec = make_vec(SHORT, 4, obs="arrays")
        vec.reset(seed=0)
        for change in ("setflags", "shape", "dtype", "resize"):
            for _ in range(4):
                observation, rewards, *_ = vec.step([1] * 4)
                self.assertEqual((rewards.shape, rewards.dtype, rewards.flags.writeable), ((4,), numpy.float64, True))
                self.assertEqual(observation["terrain"].dtype, numpy.int8)
                self.assertEqual(observation["terrain"].shape[0], 4)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    for array in (rewards, observation["terrain"]):
                        if change == "setflags":
                            array.setflags(write=False)
                        elif change == "shape":
                            array.shape = (array.size, 1)
                        elif change == "dtype":
                            array.dtype = numpy.int64 if array is rewards else numpy.uint8
                        else:
                            array.resize((1,), refcheck=False)
                del array, observation, rewards

    def test_of_one(self):
        self.follow(SHORT, 60, n=1, autoreset="SameStep")

    def test_two_sets_in_turn(self):
        self.follow(SHORT, 60, copy=False)

    def test_pinned_and_lists(self):
        self.follow("GoToGoal-v0/easy#5", 90, n=3)
        names = ["GoToGoal-v0/easy", "KeyDoorPuzzle-v0/hard#3", "GoToGoal/expert"]
        ours = make_vec(names, obs="arrays", pad="family", threads=2)
        theirs = SyncVectorEnv([lambda name=name: Env(name, obs="arrays", pad="family", info="lean") for name in names])
        self.same(ours.reset(seed=[4, None, 9]), theirs.reset(seed=[4, None, 9]))
        rng = numpy.random.default_rng(0)
        for _ in range(200):
            actions = rng.integers(0, 6, 3)
            self.same(ours.step(actions), theirs.step(actions))
        self.assertIsNone(make_vec(names, pad="family").spec)

    def test_resets_go_on_with_the_chains(self):
        ours, theirs = make_vec(SHORT, 3), SyncVectorEnv([lambda: Env(SHORT, obs="arrays", info="lean")] * 3)
        mask = numpy.array([False, True, False])
        for arguments in ({"seed": 3}, {}, {"seed": numpy.arange(3)}, {}, {"seed": [1, None, 2**64 - 1]},
                          {"options": {"reset_mask": mask}}, {"options": {"seed": 77}}, {},
                          {"seed": 8, "options": {"seed": 4}}, {}, {"options": {"name": "GoToGoal/easy#12"}}, {},
                          {"seed": 5, "options": {"reset_mask": mask}}, {}):
            again = {key: dict(value) if isinstance(value, dict) else value for key, value in arguments.items()}
            self.same(ours.reset(**arguments), theirs.reset(**again))
            self.same(tuple(ours.names()), theirs.get_attr("name"))

    def test_without_a_seed_chains_differ(self):
        vec = make_vec(SHORT, 8)
        vec.reset()
        self.assertEqual(len(set(vec.names())), 8)
        again = [Env(SHORT) for _ in range(8)]
        for env, seed in zip(again, vec.np_random_seed):
            env.reset(seed=seed)
            env.reset()
        self.assertEqual([env.name for env in again], vec.names())

    def test_through_gymnasium(self):
        seedbed.register()
        vec = gymnasium.make_vec("seedbed/GoToGoal-easy-v0", num_envs=3, obs="arrays", threads=2)
        self.assertIsInstance(vec.unwrapped, VecEnv)
        self.assertEqual(vec.spec.id, "seedbed/GoToGoal-easy-v0")
        self.assertIs(vec.metadata["autoreset_mode"], AutoresetMode.NEXT_STEP)
        observation, _ = vec.reset(seed=1)
        self.assertIn(observation, vec.observation_space)
        self.assertEqual(make_vec(SHORT, 2).spec.id, "seedbed/GoToGoal-easy-v0")
        wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(make_vec(SHORT, 4))
        wrapped.reset(seed=0)
        ends = [wrapped.step(numpy.full(4, step % 6))[4].get("episode") for step in range(150)]
        self.assertTrue(any(ends))


class Replicates(Case):
    def test_seeds_as_far_apart_as_a_vector_is_large_share_no_episode(self):
        def played(seed):
            vec = make_vec("GoToGoal/easy", 16)
            vec.reset(seed=seed)
            names = [set(map(str, vec.names()))]
            for _ in range(60):
                vec.step(vec.expert_actions())
                names.append(set(map(str, vec.names())))
            return names[0], set().union(*names)

        (first, all_), (next_first, next_all), (apart_first, apart_all) = played(0), played(1), played(16)
        self.assertEqual((len(first & next_first), first & apart_first), (15, set()))
        self.assertGreater(len(all_ & next_all), 0.8 * len(all_))
        self.assertEqual(all_ & apart_all, set())
        self.assertGreater(len(all_), 5 * 16)


class Then(Case):
    def test_next_plays_every_episode_once(self):
        names = [f"GoToGoal-v0/easy#{seed}" for seed in range(11)]
        for autoreset in ("NextStep", "SameStep"):
            vec = make_vec(names, 4, then="next", autoreset=autoreset, threads=2)
            for _ in range(2):  # a reset begins the list again
                seen, ended = set(), 0
                _, infos = vec.reset()
                self.assertEqual(vec.names(), names[:4])
                self.assertFalse(infos["idle"].any())
                while vec.running:
                    seen.update(vec.names())
                    idle = infos["idle"]
                    _, rewards, terminations, truncations, infos = vec.step(vec.expert_actions())
                    ended += int(((terminations | truncations) & ~infos["idle"]).sum()) if autoreset == "NextStep" else \
                        int(infos.get("_final_obs", numpy.zeros(4, bool)).sum())
                    self.assertFalse(rewards[idle].any())
                    self.assertTrue((terminations & truncations)[idle].all())
                self.assertEqual((sorted(seen), ended), (sorted(names), 11))
                self.assertTrue(infos["idle"].all())
        with self.assertRaises(seedbed.InvalidError):
            vec.reset(seed=1)

    def test_repeat_begins_the_list_again_when_it_has_run_out(self):
        names = [f"GoToGoal-v0/easy#{seed}" for seed in range(5)]
        for autoreset in ("NextStep", "SameStep"):
            vec = make_vec(names, 2, then="repeat", autoreset=autoreset)
            vec.reset()
            order, before = names[:2], vec.names()
            for _ in range(120):
                infos = vec.step(vec.expert_actions())[4]
                now = vec.names()
                order += [name for i, name in enumerate(now) if name != before[i]]
                before = now
                self.assertNotIn("idle", infos)
            self.assertGreater(len(order), 3 * len(names))
            self.assertEqual(order, (names * len(order))[:len(order)])
        one = make_vec(names[:1], then="repeat", autoreset="SameStep")
        one.reset()
        for _ in range(60):
            one.step(one.expert_actions())
        self.assertEqual((one.running, one.names()), (1, names[:1]))
        with self.assertRaisesRegex(seedbed.InvalidError, "the episodes are those of the selection"):
            one.reset(seed=1)
        with self.assertRaisesRegex(seedbed.InvalidError, 'then="repeat" takes names of episodes, with seeds'):
            make_vec([SHORT], then="repeat")
        self.assertEqual(make_vec([f"GoToGoal-v0/easy#{seed}" for seed in range(100)], then="repeat").num_envs, 64)

    def test_same_and_stop(self):
        same = make_vec(SHORT, 3, then="same")
        same.reset(seed=4)
        before = same.names()
        for _ in range(60):
            same.step(same.expert_actions())
        self.assertEqual(same.names(), before)
        stop = make_vec(SHORT, 3, then="stop")
        stop.reset(seed=4)
        for _ in range(60):
            infos = stop.step(stop.expert_actions())[4]
        self.assertEqual((stop.names(), stop.running, infos["idle"].tolist()), (before, 0, [True] * 3))
        stop.reset(options={"reset_mask": numpy.array([True, False, False])})
        self.assertEqual(stop.running, 1)

    def test_selections_are_sequences(self):
        names = [f"GoToGoal-v0/easy#{seed}" for seed in range(100)]
        self.assertEqual(make_vec(names, then="next").num_envs, 64)
        self.assertEqual(make_vec({name: None for name in names}.keys()).num_envs, 64)


def standard(*numbers):
    """Numbers whose buffer says `<l`: four bytes each, though an `l` of this machine may have eight."""
    return (ctypes.c_int32.__ctype_le__ * len(numbers))(*numbers)


class Steps(Case):
    def setUp(self):
        self.vec = make_vec(SHORT, 4)
        self.vec.reset(seed=0)

    def test_actions(self):
        keys = self.vec.keys()
        for wrong in ([0, 1, 6, 0], [-1, 0, 0, 0], [0, 0, 0, 2**40], [0.0] * 4, [0] * 3, [[0]] * 4, [True] * 4, "abcd", None, 3,
                      numpy.array([0, 0, 0, 9], "int32")):
            with self.subTest(wrong), self.assertRaises(seedbed.ActionError):
                self.vec.step(wrong)
        with self.assertRaisesRegex(seedbed.ActionError, "environment 2: action 6 "):
            self.vec.step([0, 1, 6, 7])
        numpy.testing.assert_array_equal(self.vec.keys(), keys)
        twins = []
        for kind in ("int64", "int32", "int8", "uint64", ">i8"):
            vec = make_vec(SHORT, 4)
            vec.reset(seed=0)
            vec.step(numpy.array([1, 2, 3, 4], kind))
            twins.append(vec.keys())
        for same in ((1, 2, 3, 4), ["move_up", "move_down", 3, "move_right"], ("move_up", numpy.int8(2), "move_left", "move_right"),
                     standard(1, 2, 3, 4)):
            vec = make_vec(SHORT, 4)
            vec.reset(seed=0)
            vec.step(same)
            twins.append(vec.keys())
        with self.assertRaisesRegex(seedbed.ActionError, "`fly` is not an action"):
            self.vec.step(["noop", "fly", "noop", "noop"])
        strided = make_vec(SHORT, 4)
        strided.reset(seed=0)
        strided.step(numpy.array([1, 9, 2, 9, 3, 9, 4, 9])[::2])
        for twin in [*twins, strided.keys()]:
            numpy.testing.assert_array_equal(twin, twins[0])

    def test_refusals(self):
        fresh = make_vec(SHORT, 2)
        for call in (lambda: fresh.step([0, 0]), fresh.keys, fresh.action_masks, fresh.expert_actions, lambda: fresh.copy_env(0, 1)):
            with self.assertRaises(seedbed.FinishedError):
                call()
        self.assertEqual(fresh.names(), [None, None])
        for seed in (-1, 2**64, 2**64 - 1, [0], "x", 1.5, [0, -1]):
            with self.subTest(seed), self.assertRaises(seedbed.InvalidError):
                fresh.reset(seed=seed)
        mask = numpy.array([True, False])
        for error, given in ((TypeError, [True, False]), (TypeError, numpy.array([1, 0])), (ValueError, numpy.array([True])),
                             (ValueError, ~mask & mask), (ValueError, mask)):
            with self.subTest(given), self.assertRaises(error):
                fresh.reset(options={"reset_mask": given})
        for options in ({"mask": 1}, 5, {"name": "KeyDoorPuzzle-v0/hard#1"}, {"name": "GoTo#1"}):
            with self.subTest(options), self.assertRaises(seedbed.InvalidError):
                fresh.reset(options=options)
        for arguments in ((SHORT, 0), ([SHORT, "KeyDoorPuzzle-v0/hard"],), ([SHORT, "GoTo"],), ([], ), ([SHORT], 2), ([SHORT, 5],)):
            with self.subTest(arguments), self.assertRaises(seedbed.InvalidError):
                make_vec(*arguments)
        for options in ({"autoreset": "Never"}, {"then": "once"}, {"info": "all"}, {"reward": "rich"}, {"obs": "pix"}, {"threads": -1},
                        {"then": "next"}, {"pad": (3, 3)}, {"render_mode": "human!"}):
            with self.subTest(options), self.assertRaises(seedbed.InvalidError):
                make_vec(SHORT, 2, **options)
        with self.assertRaises(seedbed.UnknownError):
            make_vec("NoSuchTask", 2)
        with self.assertRaises(TypeError):
            make_vec(SHORT, 2, max_steps=4)

    def test_disabled_waits(self):
        vec = make_vec(SHORT, 2, autoreset=AutoresetMode.DISABLED)
        vec.reset(seed=1)
        while not (over := vec.step(numpy.where(numpy.arange(2) == 1, vec.expert_actions(), 0)))[2].any():
            pass
        self.assertEqual(over[2].tolist(), [False, True])
        keys = vec.keys()
        with self.assertRaisesRegex(seedbed.FinishedError, "environment 1"):
            vec.step([0, 0])
        numpy.testing.assert_array_equal(vec.keys(), keys)

    def test_arrays_are_new_or_two_in_turn(self):
        zeros = numpy.zeros(4, int)
        first, second = self.vec.step(zeros), self.vec.step(zeros)
        self.assertFalse(any(numpy.shares_memory(first[0][key], second[0][key]) for key in first[0]))
        vec = make_vec(SHORT, 4, copy=False)
        shown = [vec.reset(seed=0)[0]] + [vec.step(zeros)[0] for _ in range(3)]
        for i in range(3):
            self.assertFalse(numpy.shares_memory(shown[i]["terrain"], shown[i + 1]["terrain"]))
        self.assertIs(shown[0]["terrain"], shown[2]["terrain"])
        vec = make_vec(SHORT, 4, obs="pixels", copy=False)
        shown = [vec.reset(seed=0)[0]] + [vec.step(zeros)[0] for _ in range(3)]
        self.assertIs(shown[0], shown[2])
        self.assertIs(shown[1], shown[3])

    def test_missions_are_the_same_objects_while_an_episode_lasts(self):
        vec = make_vec(LEVEL, 3)
        before = vec.reset(seed=0)[0]["mission"]
        after = vec.step([0, 0, 0])[0]["mission"]
        self.assertTrue(all(a is b for a, b in zip(before, after)))

    def test_async(self):
        twin = make_vec(SHORT, 4)
        twin.reset(seed=0)
        for threads in (1, 3):
            vec = make_vec(SHORT, 4, threads=threads)
            self.same(vec.reset(seed=0), twin.reset(seed=0))
            for action in range(60):
                vec.step_async([action % 6] * 4)
                with self.assertRaises(RuntimeError):
                    vec.step([0] * 4)
                with self.assertRaises(RuntimeError):
                    vec.names()
                self.same(vec.step_wait(), twin.step([action % 6] * 4))
            with self.assertRaises(RuntimeError):
                vec.step_wait()
            vec.step_async([0] * 4)
            vec.close()
        vec = make_vec(SHORT, 4)
        vec.reset()
        vec.step_async([0] * 4)
        del vec
        gc.collect()

    def test_arguments_that_call_back(self):
        vec = self.vec

        class Actions:
            def __init__(self, call):
                self.call = call

            def __array__(self, dtype=None, copy=None):
                self.call()
                return numpy.array([0, 0, 0, 99])

            def __index__(self):
                self.call()
                return 1

        for call in (vec.close, vec.reset, lambda: vec.step([0] * 4), lambda: vec.step_async([0] * 4), vec.expert_actions):
            with self.assertRaises(RuntimeError):
                vec.step(Actions(call))
            with self.assertRaises(RuntimeError):
                vec.reset(seed=[0, 1, 2, Actions(call)])
        vec.step([0] * 4)
        with self.assertRaises((seedbed.FinishedError, RuntimeError)):
            vec.copy_env(0, Actions(vec.close))

    def test_closed(self):
        self.vec.close()
        self.vec.close()
        self.assertTrue(self.vec.closed)
        for call in (lambda: self.vec.step([0] * 4), self.vec.reset, self.vec.names, self.vec.render):
            with self.assertRaises(seedbed.FinishedError):
                call()

    def test_threads_of_python_do_not_meet(self):
        vec = make_vec("KeyDoorPuzzle-v0/expert", 256)
        vec.reset(seed=0)
        answers = []

        def work():
            for _ in range(50):
                try:
                    vec.step(numpy.zeros(256, int))
                    answers.append(True)
                except RuntimeError:
                    answers.append(False)

        workers = [threading.Thread(target=work) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self.assertEqual(len(answers), 150)
        self.assertEqual(set(vec.call("step_count")), {sum(answers)})

    def test_after_a_fork(self):
        vec = make_vec(SHORT, 64, threads=3)
        vec.reset(seed=0)
        vec.step(numpy.ones(64, int))
        child = os.fork()
        if child == 0:
            try:
                vec.step(numpy.ones(64, int))
                os._exit(17 if vec.env(5).step_count == 2 else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 17)
        self.assertEqual(vec.env(5).step_count, 1)


class More(Case):
    def setUp(self):
        self.vec = make_vec("KeyDoorPuzzle-v0/easy", 3, threads=2, obs="arrays")
        self.vec.reset(seed=10)

    def test_single_environments(self):
        self.vec.step([1, 2, 3])
        env = self.vec.env(1)
        self.assertIsInstance(env, Env)
        self.assertEqual((env.name, env.step_count), ("KeyDoorPuzzle-v0/easy#11", 1))
        self.assertEqual(env.key, int(self.vec.keys()[1][0]) + (int(self.vec.keys()[1][1]) << 64))
        env.step(0)
        self.assertEqual(self.vec.env(1).step_count, 1)
        env.reset()
        self.vec.reset()
        self.assertEqual(env.name, self.vec.names()[1])
        for index in (3, -1, 10**30):
            with self.assertRaises(IndexError):
                self.vec.env(index)

    def test_tape_of_a_copy(self):
        vec = make_vec("KeyDoorPuzzle-v0/easy", 2)
        vec.reset(seed=10)
        vec.step([1, 2])
        twin = Env("KeyDoorPuzzle-v0/easy#11")
        twin.reset()
        twin.step(2)
        self.assertEqual(vec.env(1).tape(), twin.tape())
        unknown = make_vec("KeyDoorPuzzle-v0/easy", 2, record=False)
        unknown.reset(seed=10)
        unknown.step([1, 2])
        env = unknown.env(1)
        with self.assertRaises(seedbed.Error):
            env.tape()  # it was not recorded
        env.reset(seed=11)
        env.step(2)
        self.assertEqual(env.tape(), twin.tape())

    def test_masks_and_calls(self):
        masks = self.vec.action_masks()
        for i in range(3):
            numpy.testing.assert_array_equal(masks[i], self.vec.env(i).action_mask())
        published = seedbed.make_vec("KeyDoorPuzzle/easy", 3, mask="published")
        published.reset(seed=1)
        for i in range(3):
            self.assertEqual(numpy.flatnonzero(published.action_masks()[i]).tolist(), published.env(i).valid_actions())
            numpy.testing.assert_array_equal(published.action_masks()[i], published.env(i).action_mask())
        self.assertEqual(self.vec.call("parse_action", "move_up"), (self.vec.env(0).parse_action("move_up"),) * 3)
        self.assertEqual(self.vec.get_attr("name"), tuple(self.vec.names()))
        for change in (lambda: self.vec.set_attr("name", "x"), lambda: self.vec.call("step", 0)):
            with self.assertRaises(seedbed.InvalidError):
                change()
        with self.assertRaises(AttributeError):
            self.vec.call("no_such_thing")

    def test_copies(self):
        other = Env("KeyDoorPuzzle-v0/easy", obs="none")
        with self.assertRaises(seedbed.FinishedError):
            self.vec.copy_env(0, other)
        other.reset(seed=99)
        other.step(1)
        self.vec.copy_env(0, other)
        self.vec.copy_env(2, 1)
        self.assertEqual(self.vec.names(), [f"KeyDoorPuzzle-v0/easy#{seed}" for seed in (99, 11, 11)])
        self.assertEqual(self.vec.env(0).step_count, 1)
        self.vec.step([0, 0, 0])
        self.assertEqual(self.vec.keys()[1].tolist(), self.vec.keys()[2].tolist())
        hard, level = Env("KeyDoorPuzzle-v0/hard"), Env("GoTo")
        for wrong in (hard, level):
            wrong.reset(seed=0)
            with self.assertRaises(seedbed.InvalidError):
                self.vec.copy_env(0, wrong)
        with self.assertRaisesRegex(seedbed.InvalidError, "of another shape: give `pad`"):
            make_vec(["KeyDoorPuzzle/easy", "KeyDoorPuzzle/hard"], obs="arrays")
        with self.assertRaisesRegex(seedbed.InvalidError, "has other actions$"):
            make_vec(["arc:Lantern/intro", "arc:Scales/intro"], obs="none")
        with self.assertRaises(IndexError):
            self.vec.copy_env(0, 7)
        with self.assertRaises(seedbed.InvalidError):
            self.vec.copy_env(0, "x")

    def test_experts(self):
        for autoreset in ("NextStep", "SameStep"):
            vec = make_vec("KeyDoorPuzzle-v0/easy", 5, threads=2, autoreset=autoreset, obs="none")
            vec.reset(seed=3)
            twins = [Env("KeyDoorPuzzle-v0/easy", obs="none") for _ in range(5)]
            over, solved = numpy.zeros(5, bool), 0
            for i, twin in enumerate(twins):
                twin.reset(seed=3 + i)
            for _ in range(80):
                labels = vec.expert_actions()
                self.assertEqual(labels.dtype, numpy.int64)
                self.assertEqual(labels.tolist(), [-1 if twin.done else twin.expert_action() for twin in twins])
                _, _, terminations, truncations, infos = vec.step(labels)
                for twin, label in zip(twins, labels):
                    if label < 0:
                        twin.reset()
                    else:
                        twin.step(label)
                        if twin.done and autoreset == "SameStep":
                            twin.reset()
                ended = terminations | truncations
                solved += int(ended.sum())
                if ended.any():
                    told = infos["final_info"] if autoreset == "SameStep" else infos
                    self.assertTrue(told["success"][ended].all())
            self.assertGreater(solved, 5)
        out = numpy.full(5, 9)
        self.assertIs(vec.expert_actions("observer", out=out), out)
        self.assertTrue((out < 6).all())
        for wrong in (numpy.zeros(5, "int32"), numpy.zeros(4, int), numpy.zeros(5)):
            with self.assertRaises(seedbed.InvalidError):
                vec.expert_actions(out=wrong)
        with self.assertRaisesRegex(seedbed.UnknownError, "clairvoyant"):
            vec.expert_actions("nobody")
        for agent in ("expert", "observer", "clairvoyant", "random") * 2:
            vec.expert_actions(agent)

    def test_render(self):
        vec = make_vec(SHORT, 2, render_mode="ansi", obs="arrays")
        self.assertEqual(vec.render(), (None, None))
        vec.reset(seed=5)
        self.assertEqual(vec.render()[1], vec.env(1).observe("ascii_color"))
        self.assertEqual(self.vec.render(), (None,) * 3)


class Binding(Case):
    def test_writes_there(self):
        n = 3
        vec, twin = make_vec(SHORT, n, obs="arrays"), make_vec(SHORT, n, obs="arrays")
        shape = vec.observation_space["terrain"].shape
        terrain, rewards = numpy.zeros(shape, "int8"), numpy.zeros(n)
        memory = shared_memory.SharedMemory(create=True, size=vec.observation_space["agent"].shape[1] * n * 2)
        try:
            vec.bind(obs={"terrain": terrain, "agent": memory.buf[:n * 6]}, rewards=rewards, terminations=bytearray(n))
            self.same(vec.reset(seed=2), twin.reset(seed=2))
            for _ in range(30):
                ours = vec.step([1, 1, 1])
                self.same(ours, twin.step([1, 1, 1]))
                self.assertTrue(numpy.shares_memory(ours[0]["terrain"], terrain) and numpy.shares_memory(ours[1], rewards))
                numpy.testing.assert_array_equal(terrain, ours[0]["terrain"])
                self.assertEqual(bytes(memory.buf[:n * 6]), ours[0]["agent"].tobytes())
            vec.bind(obs=None, rewards=None)
            del ours
            ours = vec.step([1, 1, 1])
            self.assertFalse(numpy.shares_memory(ours[0]["terrain"], terrain))
            vec.close()
            del vec, ours
            gc.collect()
        finally:
            memory.close()
            memory.unlink()

    def test_refuses_what_does_not_fit(self):
        vec = make_vec(SHORT, 2, obs="arrays")
        shape = vec.observation_space["terrain"].shape
        good, frozen = numpy.zeros(shape, "int8"), numpy.zeros(shape, "int8")
        frozen.flags.writeable = False
        for wrong in ({"terrain": numpy.zeros(shape, "int16")}, {"terrain": numpy.zeros(shape[:-1], "int8")}, {"terrain": frozen},
                      {"terrain": numpy.zeros(shape, "int8", "F")}, {"terrain": 5}, {"sky": good}, {"terrain": {"x": good}}, good):
            with self.subTest(str(wrong)[:30]), self.assertRaises(seedbed.InvalidError):
                vec.bind(rewards=numpy.zeros(2), obs=wrong)
        with self.assertRaises(seedbed.InvalidError):
            vec.bind(rewrads=numpy.zeros(2))
        vec.reset()
        self.assertIsNot(vec.step([0, 0])[1], good)

    def test_single_arrays_and_lists(self):
        vec = make_vec(LEVEL, 2, obs="image")
        image = numpy.zeros(vec.observation_space.shape, "uint8")
        vec.bind(obs=image)
        observation, _ = vec.reset(seed=1)
        self.assertTrue(numpy.shares_memory(observation, image) and image.any())
        vec = make_vec(LEVEL, 2, obs=["image", "minigrid"])
        vec.bind(obs={"image": image, "minigrid": {"direction": numpy.zeros(2, int)}})
        observation, _ = vec.reset(seed=1)
        numpy.testing.assert_array_equal(observation["minigrid"]["image"], image)


if __name__ == "__main__":
    unittest.main()
