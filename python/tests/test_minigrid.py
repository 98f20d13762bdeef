"""MiniGrid 3.1.0 itself beside our ids: equal episodes, its wrappers, its bot, its own tests.

Skipped where it is not installed; more episodes, longer ones, with SEEDBED_NIGHTLY.

Label: outside
"""
import contextlib
import copy
import io
import json
import pickle
import signal
import unittest
import warnings

import gymnasium
import numpy

import seedbed
from support import NIGHTLY, seed_of_run

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from minigrid import wrappers
        from minigrid.utils.baby_ai_bot import BabyAIBot
except ImportError:
    wrappers = None

seedbed.register()
LEVELS = [task.alias for task in seedbed.tasks("babyai") if task.alias and task.alias.startswith("BabyAI-")]
CARRYING = {level for level in LEVELS if "Carrying" in level}
EPISODES = 20 if NIGHTLY else 3
STEPS = 600 if NIGHTLY else 60


def setUpModule():
    global seeds
    if wrappers is None:
        raise unittest.SkipTest("minigrid is not installed")
    seeds = numpy.random.default_rng(seed_of_run())
    unittest.enterModuleContext(contextlib.redirect_stdout(io.StringIO()))  # where MiniGrid tells of worlds that it rejects


@contextlib.contextmanager
def at_most(seconds):
    """TimeoutError if it takes longer: for some seeds the planning of the published bot never ends."""
    def ring(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def pair(level, **options):
    """MiniGrid's environment of a level, and ours."""
    return gymnasium.make(level, disable_env_checker=True), gymnasium.make(f"seedbed/{level}", disable_env_checker=True, **options)


class Case(unittest.TestCase):
    def same(self, ours, theirs):
        self.assertEqual([*ours], [*theirs])
        self.assertEqual((ours["image"].dtype, ours["image"].shape), (theirs["image"].dtype, theirs["image"].shape))
        numpy.testing.assert_array_equal(ours["image"], theirs["image"])
        self.assertEqual((ours["direction"], ours["mission"]), (theirs["direction"], theirs["mission"]))
        self.assertEqual((type(ours["direction"]), type(ours["mission"])), (int, str))


class Equality(Case):
    def test_every_level(self):
        """Image, direction, mission, reward and ends of whole episodes or their beginnings, on seeds drawn anew."""
        self.assertEqual(len(LEVELS), 96)
        for level in LEVELS:
            theirs, ours = pair(level)
            for seed in seeds.integers(0, 2**31, EPISODES).tolist():
                theirs = gymnasium.make(level, disable_env_checker=True)  # its second episode may be another than a first one
                with self.subTest(level=level, seed=seed):
                    self.follow(theirs, ours, seed)

    def follow(self, theirs, ours, seed):
        shown, info = ours.reset(seed=seed)
        expected, their_info = theirs.reset(seed=seed)
        if theirs.spec.id not in CARRYING:
            self.same(shown, expected)
        self.assertEqual((info, their_info), ({}, {}))
        self.assertEqual(ours.unwrapped.max_steps, theirs.unwrapped.max_steps)
        # Many of the random actions go straight on, so that agents come about.
        for action in seeds.choice(7, STEPS, p=[.15, .15, .4, .1, .05, .1, .05]).tolist():
            shown, reward, terminated, truncated, info = ours.step(action)
            expected, their_reward, their_terminated, their_truncated, their_info = theirs.step(action)
            self.same(shown, expected)
            self.assertEqual((reward, terminated, truncated), (their_reward, their_terminated, their_truncated))
            self.assertEqual(info, {**their_info, "success": bool(terminated and reward > 0)})
            here = ours.unwrapped
            self.assertEqual((here.agent_pos, here.agent_dir), (tuple(theirs.unwrapped.agent_pos), theirs.unwrapped.agent_dir))
            if terminated or truncated:
                break

    def test_success_and_its_reward(self):
        """What our expert does leads to success in both, with the same reward. A few missions cannot be fulfilled."""
        solved = 0
        for level in LEVELS:
            theirs, ours = pair(level)
            seed = int(seeds.integers(2**31))
            with self.subTest(level=level, seed=seed):
                ours.reset(seed=seed), theirs.reset(seed=seed)
                over = False
                while not over:
                    action = ours.unwrapped.expert_action()
                    shown, *ours_now, _ = ours.step(action)
                    expected, *theirs_now, _ = theirs.step(action)
                    self.same(shown, expected)
                    self.assertEqual(ours_now, theirs_now)
                    over = ours_now[1] or ours_now[2]
                solved += ours.unwrapped.success
        self.assertGreater(solved, len(LEVELS) - 8)

    def test_spaces(self):
        for level in LEVELS:
            theirs, ours = pair(level)
            for key in ("image", "direction"):
                self.assertEqual(ours.observation_space[key], theirs.observation_space[key], level)
            self.assertEqual([*ours.observation_space], [*theirs.observation_space])
            self.assertEqual(ours.action_space, theirs.action_space)
            shown, _ = theirs.reset(seed=0)
            self.assertIn({**shown, "direction": int(shown["direction"])}, ours.observation_space)
            actions = ours.unwrapped.actions
            self.assertEqual([(action.name, int(action)) for action in theirs.unwrapped.actions], [(action.name, int(action)) for action in actions])

    def test_ids_are_those_of_minigrid(self):
        self.assertEqual({*LEVELS}, {id for id in gymnasium.registry if id.startswith("BabyAI-")})


class Exceptions(Case):
    """What differs, one by one (docs/compatibility.md)."""

    def test_reset_of_levels_that_begin_with_something_in_hand(self):
        """MiniGrid shows it on the floor; ours shows the state, which MiniGrid shows from the first step on."""
        self.assertEqual(len(CARRYING), 3)
        for level in CARRYING:
            theirs, ours = pair(level)
            seed = int(seeds.integers(2**31))
            shown, expected = ours.reset(seed=seed)[0], theirs.reset(seed=seed)[0]
            self.assertTrue((shown["image"] != expected["image"]).any(), (level, seed))
            self.same(shown, theirs.unwrapped.gen_obs())
            carried = theirs.unwrapped.carrying
            self.assertEqual((ours.unwrapped.carrying.type, ours.unwrapped.carrying.color), (carried.type, carried.color))

    def test_a_second_reset_is_a_fresh_environments(self):
        for level in LEVELS[::6]:
            ours = gymnasium.make(f"seedbed/{level}", disable_env_checker=True)
            first, _ = ours.reset(seed=5)
            for action in (2, 0, 2, 3):
                if not ours.unwrapped.done:
                    ours.step(action)
            self.same(ours.reset(seed=5)[0], first)

    def test_a_reset_without_a_seed_follows_the_chain(self):
        _, ours = pair("BabyAI-GoToLocal-v0")
        ours.reset(seed=3), ours.reset()
        self.assertEqual(ours.unwrapped.seed, numpy.random.default_rng(3).integers(0, 2**31))

    def test_rewards_are_floats(self):
        theirs, ours = pair("BabyAI-GoToLocal-v0")
        self.assertEqual((type(ours.reset(seed=1) and ours.step(0)[1]), type(theirs.reset(seed=1) and theirs.step(0)[1])), (float, int))

    def test_arguments_of_minigrid_are_refused(self):
        for argument in ("max_steps", "agent_view_size", "tile_size", "see_through_walls", "agent_pov"):  # `highlight` is ours, too
            self.assertRaises(TypeError, gymnasium.make, "seedbed/BabyAI-GoTo-v0", **{argument: 5})

    def test_a_wrong_action_is_a_value_error_too(self):
        theirs, ours = pair("BabyAI-GoToLocal-v0")
        for env in (theirs, ours):
            env.reset(seed=1)
            self.assertRaises(ValueError, env.step, 7)


class Ids(unittest.TestCase):
    def test_registering_them_leaves_those_of_minigrid_alone_unless_told(self):
        kept = dict(gymnasium.registry)
        try:
            seedbed.register_minigrid_ids()
            self.assertEqual(gymnasium.registry["BabyAI-GoTo-v0"], kept["BabyAI-GoTo-v0"])
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                seedbed.register_minigrid_ids(override=True)
            for level in LEVELS:
                self.assertEqual(gymnasium.make(level).unwrapped.family, "babyai")
        finally:
            gymnasium.registry.clear(), gymnasium.registry.update(kept)


class Wrappers(Case):
    """MiniGrid's test_wrappers.py, for wrappers that read observations."""

    def follow(self, level, wrap, seed=7, steps=30):
        """Both with the wrapper; yields (ours, theirs) for the reset and every step."""
        theirs, ours = (wrap(env) for env in pair(level))
        self.assertEqual(ours.observation_space, theirs.observation_space) if isinstance(ours.observation_space, gymnasium.spaces.Box) else None
        yield ours.reset(seed=seed), theirs.reset(seed=seed)
        rng = numpy.random.default_rng(seed)
        for action in rng.integers(0, 3, steps).tolist():
            ours_now, theirs_now = ours.step(action), theirs.step(action)
            self.assertEqual(ours_now[1:4], theirs_now[1:4])
            yield ours_now, theirs_now
            if ours_now[2] or ours_now[3]:
                return

    def test_images_alone(self):
        for level in LEVELS[::16]:
            for ours, theirs in self.follow(level, wrappers.ImgObsWrapper):
                numpy.testing.assert_array_equal(ours[0], theirs[0])
            alone = gymnasium.make(f"seedbed/{level}", obs="image")
            self.assertEqual(alone.observation_space, wrappers.ImgObsWrapper(gymnasium.make(level)).observation_space)
            numpy.testing.assert_array_equal(alone.reset(seed=1)[0], gymnasium.make(f"seedbed/{level}").reset(seed=1)[0]["image"])

    def test_flat(self):
        for level in ("BabyAI-GoToLocal-v0", "BabyAI-Pickup-v0", "BabyAI-OpenDoor-v0"):
            for ours, theirs in self.follow(level, wrappers.FlatObsWrapper):
                numpy.testing.assert_array_equal(ours[0], theirs[0])

    def test_one_hot(self):
        for level in LEVELS[::16]:
            for ours, theirs in self.follow(level, wrappers.OneHotPartialObsWrapper):
                numpy.testing.assert_array_equal(ours[0]["image"], theirs[0]["image"])
                self.assertEqual((ours[0]["mission"], ours[0]["direction"]), (theirs[0]["mission"], theirs[0]["direction"]))

    def test_words_as_numbers(self):
        words = wrappers.DictObservationSpaceWrapper.get_minigrid_words()
        for level in ("BabyAI-GoToLocal-v0", "BabyAI-PickupLoc-v0", "BabyAI-PutNextLocal-v0", "BabyAI-BossLevel-v0"):
            for seed in range(3):
                vocabulary = dict(words)
                for word in gymnasium.make(level).reset(seed=seed)[0]["mission"].replace(",", " , ").split():
                    vocabulary.setdefault(word, len(vocabulary))

                def wrap(env):
                    return wrappers.DictObservationSpaceWrapper(env, max_words_in_mission=99, word_dict=vocabulary)

                for ours, theirs in self.follow(level, wrap, seed):
                    self.assertEqual((ours[0]["mission"], ours[0]["direction"]), (theirs[0]["mission"], theirs[0]["direction"]))

    def test_bonuses(self):
        for wrap in (wrappers.ActionBonus, wrappers.PositionBonus):
            for level in LEVELS[::16]:
                seen = [ours[1] for ours, theirs in self.follow(level, wrap)][1:]
                self.assertGreater(sum(seen), 0)

    def test_reseeding(self):
        level = "BabyAI-GoToLocal-v0"
        ours = wrappers.ReseedWrapper(gymnasium.make(f"seedbed/{level}"), seeds=[3, 9])
        shown = [ours.reset()[0] for _ in range(3)]
        self.same(shown[0], shown[2])
        for seed, observation in zip((3, 9), shown):
            self.same(observation, gymnasium.make(level).reset(seed=seed)[0])

    def test_stochastic_actions(self):
        env = wrappers.StochasticActionWrapper(gymnasium.make("seedbed/BabyAI-GoToLocal-v0"), prob=0.5)
        env.reset(seed=1)
        for _ in range(10):
            if not env.unwrapped.done:
                self.assertIn(env.step(0)[0], env.observation_space)

    def test_views_of_other_sizes_are_modes(self):
        for size in (3, 5, 7, 9):
            for level in LEVELS[::12]:
                seed = int(seeds.integers(2**31))
                theirs = wrappers.ViewSizeWrapper(gymnasium.make(level), agent_view_size=size)
                ours = gymnasium.make(f"seedbed/{level}", obs="minigrid" if size == 7 else f"minigrid{size}")
                self.both(ours, theirs, level, seed)

    def test_the_whole_grid_is_a_mode(self):
        for level in LEVELS[::4]:
            seed = int(seeds.integers(2**31))
            theirs = wrappers.FullyObsWrapper(gymnasium.make(level))
            self.both(gymnasium.make(f"seedbed/{level}", obs="minigrid_full"), theirs, level, seed)

    def both(self, ours, theirs, level, seed):
        with self.subTest(level=level, seed=seed):
            self.assertEqual(ours.observation_space["image"].shape, theirs.observation_space["image"].shape)
            shown, expected = ours.reset(seed=seed)[0], theirs.reset(seed=seed)[0]
            # MiniGrid's wrappers look at the state after the reset, also in levels that begin with something in hand.
            self.same(shown, {**expected, "direction": int(expected["direction"])})
            for action in (2, 1, 2, 3, 0, 2, 5, 4):
                shown, _, terminated, truncated, _ = ours.step(action)
                self.same(shown, theirs.step(action)[0])
                if terminated or truncated:
                    break


class Pictures(Case):
    """MiniGrid's renderer itself, on seeds drawn anew (recorded frames: test_pixels.py)."""

    def both(self, ours, theirs, compare):
        """Begins an episode of both and takes random actions in both; compares what they return after each."""
        seed = int(seeds.integers(2**31))
        with self.subTest(theirs.spec.id, seed=seed):
            compare(ours.reset(seed=seed)[0], theirs.reset(seed=seed)[0])
            for action in seeds.choice(7, 60 if NIGHTLY else 12, p=[.15, .15, .4, .1, .05, .1, .05]).tolist():
                (shown, _, *ends, _), (expected, _, *their_ends, _) = ours.step(action), theirs.step(action)
                self.assertEqual(ends, their_ends)
                compare(shown, expected)
                if any(ends):
                    break

    def test_rendering(self):
        for level in LEVELS[::1 if NIGHTLY else 5]:
            for options in ({}, {"highlight": False}, {"agent_pov": True}, {"tile_size": 9}):
                theirs = gymnasium.make(level, render_mode="rgb_array", disable_env_checker=True, **options)
                ours = seedbed.make(level, render_mode="view" if "agent_pov" in options else "rgb_array", tile=options.get("tile_size"),
                                    **{key: options[key] for key in options if key == "highlight"})
                self.both(ours, theirs, lambda *_: numpy.testing.assert_array_equal(ours.render(), theirs.render()))

    def test_wrappers_that_draw(self):
        """`obs=["values", "pixels"]` has what RGBImgPartialObsWrapper and RGBImgObsWrapper put in the place of `image`."""
        def compare(shown, expected):
            numpy.testing.assert_array_equal(shown["pixels"], expected["image"])
            self.assertEqual(shown["values"]["mission"], expected["mission"])

        for level in LEVELS[::1 if NIGHTLY else 6]:
            for wrap, look in ((wrappers.RGBImgPartialObsWrapper, "view"), (wrappers.RGBImgObsWrapper, "grid")):
                for tile in (8, 5):
                    ours = seedbed.make(level, obs=["values", "pixels"], look=look, tile=tile)
                    theirs = wrap(gymnasium.make(level, disable_env_checker=True), tile_size=tile)
                    self.assertEqual(ours.observation_space["pixels"], theirs.observation_space["image"])
                    self.both(ours, theirs, compare)

    def test_wrappers_that_draw_refuse_ours(self):
        """They ask MiniGrid's own object to draw."""
        for wrap in (wrappers.RGBImgPartialObsWrapper, wrappers.RGBImgObsWrapper):
            with self.assertRaises(AttributeError):
                wrap(gymnasium.make("seedbed/BabyAI-GoTo-v0")).reset()

    def test_wrappers_that_read_pictures(self):
        """ImgObsWrapper over a dict that calls its pixels `image`, as after RGBImgPartialObsWrapper (docs/python.md has this line)."""
        ours = seedbed.make("BabyAI-GoTo-v0", obs=["values", "pixels"])
        space = gymnasium.spaces.Dict({**ours.observation_space["values"], "image": ours.observation_space["pixels"]})
        ours = wrappers.ImgObsWrapper(gymnasium.wrappers.TransformObservation(ours, lambda o: {**o["values"], "image": o["pixels"]}, space))
        theirs = wrappers.ImgObsWrapper(wrappers.RGBImgPartialObsWrapper(gymnasium.make("BabyAI-GoTo-v0")))
        self.assertEqual(ours.observation_space, theirs.observation_space)
        self.both(ours, theirs, lambda shown, expected: numpy.testing.assert_array_equal(shown, expected))


class Published(Case):
    """What MiniGrid's test_envs.py and test_baby_ai_bot.py say, over our ids. check_env: test_env.py; missions, vectors: test_vector.py."""

    def test_determinism_rollout(self):
        for level in LEVELS:
            one, other = (gymnasium.make(f"seedbed/{level}", disable_env_checker=True) for _ in range(2))
            one.action_space.seed(123)
            self.same(one.reset(seed=123)[0], other.reset(seed=123)[0])
            for _ in range(20):
                action = one.action_space.sample()
                first, second = one.step(action), other.step(action)
                self.same(first[0], second[0])
                self.assertEqual(first[1:], second[1:])
                if first[2] or first[3]:
                    one.reset(seed=123), other.reset(seed=123)

    def test_specs_survive_json(self):
        for level in LEVELS:
            spec = gymnasium.spec(f"seedbed/{level}")
            again = gymnasium.envs.registration.EnvSpec.from_json(spec.to_json())
            self.assertEqual(again, spec)
            self.assertEqual(json.loads(spec.to_json())["kwargs"], {"name": seedbed.from_gym_id(level)})

    def test_pickles(self):
        for level in LEVELS[::5]:
            env = gymnasium.make(f"seedbed/{level}")
            env.reset(seed=8)
            env.step(1)
            for other in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
                twin = copy.deepcopy(env)
                for action in (2, 1, 2, 5):
                    one, two = twin.step(action), other.step(action)
                    self.same(one[0], two[0])
                    self.assertEqual(one[1:], two[1:])
                    if one[2] or one[3]:
                        break

    def test_sync_vectors(self):
        for level in LEVELS[::8]:
            theirs, ours = (gymnasium.make_vec(id, num_envs=2, vectorization_mode=mode)
                            for id, mode in ((level, "sync"), (f"seedbed/{level}", "vector_entry_point")))
            shown, expected = ours.reset(seed=1)[0], theirs.reset(seed=1)[0]
            for action in range(3):
                for key in ("image", "direction"):
                    if level not in CARRYING or action:
                        numpy.testing.assert_array_equal(shown[key], expected[key], f"{level} {key}")
                self.assertEqual(shown["mission"], expected["mission"])
                shown, expected = ours.step([action] * 2)[0], theirs.step([action] * 2)[0]

    def test_the_published_bot_is_an_oracle(self):
        """`published` answers as MiniGrid's own bot, told what was done, on seeds drawn anew."""
        for level in LEVELS:
            theirs, ours = pair(level)
            seed = int(seeds.integers(2**31))
            with self.subTest(level=level, seed=seed):
                ours.reset(seed=seed), theirs.reset(seed=seed)
                bot, player, taken = BabyAIBot(theirs), seedbed.Player("published"), None
                player.begin(ours)
                for _ in range(240):
                    try:
                        with at_most(5):
                            taken = int(bot.replan(taken))
                    except Exception:  # it gives up by assertions, and by errors of many kinds
                        break
                    self.assertEqual(player.act(ours), taken)
                    theirs.step(taken)
                    _, _, terminated, truncated, _ = ours.step(taken)
                    if terminated or truncated:
                        break


if __name__ == "__main__":
    unittest.main()
