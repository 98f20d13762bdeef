"""Pixels: what recordings hold, in observations, by render and in vectors; and the pipeline of the published agents."""
import concurrent.futures
import contextlib
import copy
import gzip
import hashlib
import io
import json
import os
import pickle
import tempfile
import unittest
import warnings

import gymnasium
import numpy
from gymnasium import wrappers
from gymnasium.utils.env_checker import check_env

import seedbed
from seedbed.env import Env
from seedbed.wrappers import PixelPreprocessing
from support import DIFFICULTIES, GOLDEN, Same

try:
    from PIL import Image
except ImportError:
    Image = None

seedbed.register()
KEYS = "KeyDoorPuzzle/easy"  # 9 x 9 cells
FAMILIES = [family for family in seedbed.families() if seedbed.looks(family)]


def sha256(pixels):
    return hashlib.sha256(pixels.tobytes()).hexdigest()


def recorded_frames():
    """(state, frame) of every picture that was recorded of MiniGrid."""
    with gzip.open(GOLDEN / "pixels" / "frames.jsonl.gz", "rt") as lines:
        for line in lines:
            state = json.loads(line)
            for frame in state["frames"]:
                yield state, frame


def play(env, actions, seed=None):
    observation, _ = env.reset(seed=seed)
    for action in actions:
        observation = env.step(int(action))[0]
    return observation


class Recorded(unittest.TestCase):
    def test_minigrids_frames(self):
        """Those of RGBImgPartialObsWrapper, RGBImgObsWrapper and render, as observations."""
        seen = 0
        for state, frame in recorded_frames():
            options = {"look": "view" if frame["agent_pov"] else "grid", "tile": frame["tile_size"]}
            env = seedbed.make(f"{state['name']}#{state['seed']}", obs="pixels", highlight=frame["highlight"], **options)
            shown = play(env, state["actions"])
            with self.subTest(env.name, **frame):
                self.assertEqual((shown.shape, shown.dtype), ((frame["height"], frame["width"], 3), numpy.uint8))
                self.assertEqual(sha256(shown), frame["sha256"])
            seen += 1
        self.assertEqual(seen, 231)

    def test_minigrids_rendering(self):
        """render_mode="rgb_array" is MiniGrid's without another word; `rgb_partial` is what the agent sees, as large."""
        seen = {"rgb_array": 0, "rgb_partial": 0}
        for state, frame in recorded_frames():
            mode = "rgb_partial" if frame["agent_pov"] else "rgb_array"
            if frame["tile_size"] != 32 or not frame["highlight"]:
                continue
            env = seedbed.make(f"{state['name']}#{state['seed']}", render_mode=mode)
            play(env, state["actions"])
            self.assertEqual(sha256(env.render()), frame["sha256"], (env.name, mode))
            seen[mode] += 1
        self.assertEqual(seen, {"rgb_array": 15, "rgb_partial": 33})

    def test_flat_of_all_tasks(self):
        """The same bytes as in C: tests/pixels_test.c recorded them."""
        with open(GOLDEN / "pixels" / "flat.jsonl") as lines:
            recorded = [json.loads(line) for line in lines]
        self.assertEqual({line["task"] for line in recorded}, {task.name for task in seedbed.tasks("agentick")})
        for line in recorded:
            found = hashlib.sha256()
            for difficulty in DIFFICULTIES:
                env = seedbed.make(f"{line['task']}/{difficulty}#0", obs="pixels", tile=line["tile"], indexed=True, info="none")
                shown, _ = env.reset()
                for step in range(41):
                    if not env.done:
                        found.update(shown)
                        shown, *_ = env.step(step * 7 % 6)
            self.assertEqual(found.hexdigest(), line["sha256"], line)


    def test_isometric_of_all_tasks(self):
        """The same bytes as in C: tests/isometric_test.c recorded the start and the states after 20 and 40 steps."""
        with open(GOLDEN / "pixels" / "isometric.jsonl") as lines:
            recorded = [json.loads(line) for line in lines]
        self.assertEqual(len(recorded), 4 * len(seedbed.tasks("agentick")))
        for line in recorded:
            for size in ("512", "256", "128") if line["difficulty"] == "easy" else ("128",):
                found = hashlib.sha256()
                env = seedbed.make(f"{line['task']}/{line['difficulty']}#0", obs="pixels", look="isometric", size=int(size), indexed=True, info="none")
                shown, _ = env.reset()
                for step in range(41):
                    if step % 20 == 0:
                        found.update(shown)
                    if not env.done:
                        shown, *_ = env.step(step * 7 % 6)
                self.assertEqual(found.hexdigest()[:16], line[size], (env.name, size))


class Observed(Same):
    def test_colour_numbers_stand_for_the_colours(self):
        numbers, colours = (seedbed.make(KEYS, obs="pixels", indexed=indexed) for indexed in (True, False))
        self.assertIsNone(colours.palette)
        self.assertEqual(numbers.palette.tolist()[0], [0, 0, 0])
        self.assertEqual(numbers.observation_space.high.max(), len(numbers.palette) - 1)
        for seed in range(20):
            shown = numbers.reset(seed=seed)[0]
            self.assertIn(shown, numbers.observation_space)
            numpy.testing.assert_array_equal(numbers.palette[shown], colours.reset(seed=seed)[0])

    def test_so_they_do_at_every_size_of_tiles(self):
        """A row of 24 bytes is one of 24 numbers, or of 8 colours."""
        for tile in (3, 8, 16, 24, 32):
            numbers, colours = (seedbed.make("autumn:Seesaw#1", obs="pixels", tile=tile, indexed=indexed) for indexed in (True, False))
            numpy.testing.assert_array_equal(numbers.palette[numbers.reset()[0]], colours.reset()[0], f"tile {tile}")

    def test_shapes(self):
        for options, shape in (({}, (88, 72, 3)), ({"tile": 16}, (176, 144, 3)), ({"view": 7}, (72, 56, 3)), ({"panel": False}, (72, 72, 3)),
                               ({"panel": False, "view": 61, "tile": 16, "indexed": True}, (976, 976)), ({"pad": "family"}, (264, 248, 3)),
                               ({"pad": (10, 12)}, (96, 96, 3)), ({"look": "isometric"}, (512, 512, 3)),
                               ({"look": "isometric", "size": 64, "pad": "family"}, (64, 64, 3)), ({"pad": (10, 12), "look": "isometric", "size": 70}, (70, 70, 3)),
                               ({"pad": (10, 12), "view": 7}, (72, 56, 3)), ({"pad": "family", "tile": 16}, (528, 496, 3))):
            env = seedbed.make(KEYS, obs=["pixels", "arrays"], **options)
            shown = env.reset(seed=1)[0]["pixels"]
            self.assertEqual(shown.shape, shape, options)
            self.assertIn(shown, env.observation_space["pixels"])
            self.assertEqual(env.observe("pixels").shape, seedbed.make(KEYS, obs="pixels", **{k: v for k, v in options.items() if k != "pad"}).observation_space.shape)
        for task, options, shape in (("GoTo", {}, (56, 56, 3)), ("GoTo", {"look": "grid", "tile": 3}, (66, 66, 3)), ("GoTo", {"pad": "family"}, (56, 56, 3)),
                                     ("GoToLocal", {"look": "grid", "tile": 1, "pad": "family"}, (32, 32, 3)), ("GoTo", {"look": "rgb_array"}, (176, 176, 3))):
            self.assertEqual(seedbed.make(task, obs="pixels", **options).observation_space.shape, shape, options)

    def test_programs(self):
        """The numbers of colours in pictures of a pixel a cell are those of the array, but for names with the same number."""
        env = seedbed.make("autumn:DyePots", obs=["pixels", "arrays"], tile=1, indexed=True)
        rendered = seedbed.make("autumn:DyePots", render_mode="rgb_array")
        shown, _ = env.reset(seed=3)
        rendered.reset(seed=3)
        for step in range(30):
            colours = {}
            for pixel, number in zip(shown["pixels"].flat, shown["arrays"]["colors"].flat, strict=True):
                self.assertEqual(colours.setdefault(pixel, number), number)
            squares = env.palette[shown["pixels"]].repeat(16, axis=0).repeat(16, axis=1)
            numpy.testing.assert_array_equal(rendered.render(), squares)
            action = step % env.action_space.n
            shown, *_ = env.step(action)
            rendered.step(action)
        self.assertGreater(len(colours), 2)

    def test_padded_pictures_stand_in_the_upper_left_corner(self):
        env = seedbed.make("GoToGoal/easy", obs=["pixels", "terrain"], pad="family")
        for name in ("GoToGoal/easy#1", "SokobanPush/hard#7", "RecursiveRooms/expert#2", "KeyDoorPuzzle/medium#3"):
            shown = env.reset(options={"name": name})[0]["pixels"]
            own = play(seedbed.make(name, obs="pixels"), [])
            whole = numpy.zeros_like(shown)
            whole[:own.shape[0], :own.shape[1]] = own
            numpy.testing.assert_array_equal(shown, whole, name)
            self.assertEqual(env.observe("pixels").shape, own.shape)

    def test_beside_other_observations(self):
        for task in (KEYS, "GoTo"):
            env, alone = seedbed.make(task, obs=["language", "pixels", "values"]), [seedbed.make(task, obs=obs) for obs in ("language", "pixels", "values")]
            for seed in range(3):
                self.same(env.reset(seed=seed)[0], dict(zip(("language", "pixels", "values"), (each.reset(seed=seed)[0] for each in alone))))

    def test_every_kind_of_picture_obeys_gymnasium(self):
        for family in FAMILIES:
            task = seedbed.tasks(family)[0]
            for look in seedbed.looks(family):
                for options in ({}, {"indexed": True}) if look.indexed else ({},):
                    env = seedbed.make(f"{family}:{task.name}", obs="pixels", look=look.name, **options)
                    with warnings.catch_warnings():
                        warnings.simplefilter("error")
                        check_env(env, skip_render_check=True)

    def test_every_task_and_difficulty(self):
        """The picture is in its space, and a step changes no other episode's picture."""
        for task in seedbed.tasks():
            if task.family not in FAMILIES:
                continue
            for difficulty in [each for each in task.difficulties if each not in task.derived] or ("",):
                env = seedbed.make(f"{task.family}:{task.name}" + (f"/{difficulty}" if difficulty else ""), obs="pixels")
                shown, _ = env.reset(seed=3)
                kept = shown.copy()
                self.assertIn(shown, env.observation_space)
                if task.family != "autumn":  # where a grid may be black at the start
                    self.assertTrue(shown.any())
                self.assertIn(env.step(0)[0], env.observation_space)
                numpy.testing.assert_array_equal(shown, kept)

    def test_what_cannot_be_drawn_is_refused(self):
        wrong = [{"look": "nope"}, {"look": 3}, {"look": "grid"}, {"tile": 9}, {"tile": -1}, {"tile": "8"}, {"tile": 2**40}, {"tile": 1.5}, {"view": 4},
                 {"view": 63}, {"view": -3}, {"highlight": False}, {"pad": (8, 9)}, {"pad": "all"}]
        for options in wrong:
            for make in (lambda **more: seedbed.make(KEYS, **more), lambda **more: seedbed.make_vec(KEYS, 2, **more)):
                for shown in ({"obs": "pixels"}, {"obs": "arrays"}, {"obs": ["arrays", "pixels"], "render_mode": "rgb_array"}):
                    with self.subTest(**options, **shown), self.assertRaises(seedbed.InvalidError):
                        make(**options, **shown)
        for options in ({"tile": 65}, {"view": 3}, {"panel": False}, {"indexed": True}, {"highlight": False}, {"look": "flat"}, {"look": "grid", "pad": (40, 40)}):
            with self.subTest(**options), self.assertRaises(seedbed.InvalidError):
                seedbed.make("GoTo", obs="pixels", **options)
        self.assertRaises(TypeError, seedbed.make, KEYS, obs="pixels", tile_size=8)
        with self.assertRaisesRegex(seedbed.InvalidError, "fit"):
            seedbed.make(KEYS, obs="pixels").reset(options={"name": "KeyDoorPuzzle/hard#1"})
        env = seedbed.make(KEYS, obs="pixels")
        env.reset(seed=1)
        self.assertRaises(seedbed.InvalidError, env.copy_from, seedbed.make("KeyDoorPuzzle/hard", obs="pixels"))

    def test_families_without_pictures(self):
        for family in set(seedbed.families()) - {*FAMILIES}:
            task = f"{family}:{seedbed.tasks(family)[0].name}"
            self.assertRaises(seedbed.InvalidError, seedbed.make, task, obs="pixels")
            self.assertRaises(seedbed.InvalidError, seedbed.make, task, render_mode="rgb_array")
            self.assertNotIn("rgb_array", seedbed.make(task).metadata["render_modes"])

    def test_copies_and_pickles_draw_alike(self):
        env = seedbed.make("GoTo", obs=["pixels", "mission"], look="grid", tile=5, highlight=False, render_mode="rgb_array")
        play(env, (2, 0, 2), seed=4)
        for other in (env.clone(), copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
            self.same(other.observe(), env.observe())
            self.same(other.render(), env.render())
            self.assertEqual(other.observation_space, env.observation_space)
            other.step(2)
        again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(
            gymnasium.make("seedbed/BabyAI-GoTo-v0", obs="pixels", tile=5).spec.to_json()))
        self.assertEqual(again.observation_space.shape, (35, 35, 3))

    def test_threads_draw_with_the_same_brush(self):
        def draw(tile):
            env = seedbed.make("BossLevel", obs="pixels", look="grid", tile=tile, render_mode="view")
            return [(play(env, (2, 1, 2), seed=seed), env.render()) for seed in range(5)]

        tiles = [3, 4, 5, 3, 4, 5] * 4
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for tile, drawn in zip(tiles, pool.map(draw, tiles)):
                self.same(drawn, draw(tile))

    def test_policies_are_shown_pixels(self):
        """One at a time, or stacked."""
        asked = {"tasks": "GoToGoal", "difficulty": "easy", "seeds": "0..2"}
        shapes = set()

        def one(seen, info):
            shapes.add(seen.shape)
            self.same(seen.dtype, numpy.dtype(numpy.uint8))
            return 1

        def several(seen, infos):
            shapes.add(seen.shape[1:])
            self.assertEqual(len(seen), len(infos))
            return [1] * len(infos)

        for policy, batch in ((one, 1), (several, 3)):
            seedbed.evaluate(policy, asked, obs="pixels", batch=batch, on_error="raise", max_steps=5)
        self.assertEqual(shapes, {seedbed.make("GoToGoal/easy", obs="pixels").observation_space.shape})

    def test_more_brushes_than_are_remembered(self):
        envs = [seedbed.make("GoTo", obs="pixels", tile=tile) for tile in range(1, 41)]
        for tile, env in enumerate(envs, 1):
            self.same(env.reset(seed=5)[0], seedbed.make("GoTo", obs="pixels", tile=tile).reset(seed=5)[0])


class Rendered(Same):
    def test_gymnasiums_contract(self):
        """In every render mode, whatever is observed; new arrays each time."""
        for task in (KEYS, "BabyAI-GoToLocal-v0"):
            for obs in ("ascii", "values", "pixels"):
                with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
                    warnings.simplefilter("error")
                    check_env(seedbed.make(task, obs=obs, render_mode="rgb_array"))
            env = seedbed.make(task, render_mode="rgb_array")
            self.assertEqual(env.metadata["render_fps"], 10)
            self.assertIn("rgb_array", env.metadata["render_modes"])
            self.assertIsNone(env.render())
            env.reset(seed=1)
            first, second = env.render(), env.render()
            self.assertEqual((first.dtype, first.ndim, first.shape[2]), (numpy.uint8, 3, 3))
            self.assertFalse(numpy.shares_memory(first, second))
            self.same(first, second)

    def test_which_look_and_how_large(self):
        for task, mode, options, like in (
                (KEYS, "rgb_array", {}, {"tile": 16}), (KEYS, "flat", {"tile": 8, "panel": False}, {"tile": 8, "panel": False}),
                (KEYS, "isometric", {"size": 448}, {"look": "isometric", "size": 448}), (KEYS, "isometric", {}, {"look": "isometric", "size": 512}),
                (KEYS, "rgb_array", {"look": "isometric"}, {"look": "isometric"}), (KEYS, "rgb_array", {"indexed": True}, {"tile": 16}), ("GoTo", "rgb_array", {}, {"look": "grid", "tile": 32}),
                ("GoTo", "rgb_array", {"look": "view", "tile": 9}, {"look": "view", "tile": 9}),
                ("GoTo", "grid", {"look": "view", "tile": 9}, {"look": "grid", "tile": 9}),
                ("GoTo", "rgb_array", {"highlight": False}, {"look": "grid", "tile": 32, "highlight": False})):
            env, shown = seedbed.make(task, render_mode=mode, **options), seedbed.make(task, obs="pixels", **like)
            env.reset(seed=2)
            self.same(env.render(), shown.reset(seed=2)[0])

    def test_pictures_have_the_size_of_the_episode(self):
        """Where observations fit episodes of any size, or are padded."""
        for options in ({"obs": "ascii"}, {"obs": "pixels", "pad": "family"}):
            env = seedbed.make("GoToGoal/easy", render_mode="rgb_array", **options)
            for name in ("GoToGoal/easy#1", "RecursiveRooms/expert#1", "KeyDoorPuzzle/easy#1"):
                env.reset(options={"name": name})
                self.same(env.render(), play(seedbed.make(name, obs="pixels", tile=16), []))

    def test_films(self):
        env = wrappers.RenderCollection(seedbed.make(KEYS, render_mode="rgb_array"))
        env.reset(seed=1), env.step(1), env.step(2)
        frames = env.render()
        again = seedbed.make(KEYS, render_mode="rgb_array")
        self.same(frames, [play(again, actions, seed=1) is None or again.render() for actions in ((), (1,), (1, 2))])
        try:
            import moviepy  # noqa: F401
        except ImportError:
            return
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the folder is there already
            film = wrappers.RecordVideo(seedbed.make(KEYS, render_mode="rgb_array"), folder, lambda _: True)
            film.reset(seed=1), film.step(1), film.close()
            self.assertTrue([name for name in os.listdir(folder) if name.endswith(".mp4")])

    def test_vectors(self):
        names = ["GoToGoal/easy#1", "KeyDoorPuzzle/hard#2", "GoToGoal/expert#3"]
        vec = seedbed.make_vec(names, obs="ascii", render_mode="rgb_array")
        self.assertEqual(vec.render(), (None,) * 3)
        vec.reset()
        for _ in range(3):
            singles = [env.render() for env in (vec.env(i) for i in range(3))]
            self.same(vec.render(), tuple(singles))
            vec.step([1, 2, 3])
        self.assertEqual([frame.shape[:2] for frame in vec.render()], [seedbed.make(n, obs="pixels", tile=16).observation_space.shape[:2] for n in names])
        theirs = gymnasium.vector.SyncVectorEnv([lambda: Env(KEYS, render_mode="rgb_array")] * 2)
        ours = seedbed.make_vec(KEYS, 2, render_mode="rgb_array")
        ours.reset(seed=3), theirs.reset(seed=3)
        self.same(ours.render(), theirs.render())
        self.assertEqual((ours.render_mode, ours.metadata), (theirs.render_mode, theirs.metadata))


class Preprocessing(Same):
    """The pipeline of the published agents."""

    @staticmethod
    def noise(height, width):
        return numpy.random.default_rng(height * 1000 + width).integers(0, 256, (height, width, 3), numpy.uint8)

    class Shows(gymnasium.Env):
        """An environment that shows these pictures, one after another, twice as an episode."""

        def __init__(self, pictures):
            self.pictures, self.at = pictures, 0
            self.observation_space = gymnasium.spaces.Box(0, 255, pictures[0].shape, numpy.uint8)
            self.action_space = gymnasium.spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            super().reset(seed=seed)
            self.at = 0
            return self.pictures[0], {}

        def step(self, action):
            self.at += 1
            return self.pictures[self.at], 0.0, self.at == len(self.pictures) - 1, False, {}

    @unittest.skipUnless(Image, "Pillow is not installed")
    def test_resizes_square_pictures_as_pillow_does(self):
        for side, size in ((512, 84), (560, 84), (84, 84), (56, 84), (72, 84), (88, 84), (704, 84), (1, 84), (512, 1), (100, 37), (333, 100)):
            noise = self.noise(side, side)
            for picture in (noise, (noise > 127).astype(numpy.uint8) * 255, numpy.full_like(noise, 255)):
                shown = PixelPreprocessing(self.Shows([picture]), size, grey=False, stack=1).reset()[0][0]
                numpy.testing.assert_array_equal(shown, numpy.asarray(Image.fromarray(picture).resize((size, size), Image.Resampling.BILINEAR)))

    def test_resizes_as_recorded(self):
        """Hashes of what Pillow 13.0.0 makes of the same noise."""
        for side, size, recorded in RECORDED:
            shown = PixelPreprocessing(self.Shows([self.noise(side, side)]), size, grey=False, stack=1).reset()[0][0]
            self.assertEqual(sha256(shown), recorded, (side, size))

    def test_resizes_other_pictures(self):
        """Against the definition in whole fractions, pixel by pixel."""
        from fractions import Fraction

        def weights(length, size, at):
            scale = Fraction(length, size)
            reach, middle = max(scale, Fraction(1)), (at + Fraction(1, 2)) * scale
            raw = [max(Fraction(0), 1 - abs(i + Fraction(1, 2) - middle) / reach) for i in range(length)]
            return [weight / sum(raw) for weight in raw]

        for height, width, size in ((88, 72, 84), (13, 40, 9), (5, 3, 8), (1, 9, 4)):
            picture = self.noise(height, width)
            shown = PixelPreprocessing(self.Shows([picture]), size, grey=False, stack=1).reset()[0][0].astype(int)
            for y, x in numpy.random.default_rng(1).integers(0, size, (40, 2)).tolist():
                rows, columns = weights(height, size, y), weights(width, size, x)
                for c in range(3):
                    exact = sum(float(rows[i] * columns[k]) * int(picture[i, k, c]) for i in range(height) if rows[i] for k in range(width) if columns[k])
                    self.assertLess(abs(shown[y, x, c] - exact), 1.01, (height, width, y, x))  # half of it by either pass

    def test_grey_is_the_mean_and_four_are_stacked(self):
        pictures = [self.noise(84, 84) // 2 + 20 * i for i in range(6)]
        env = PixelPreprocessing(self.Shows([p.astype(numpy.uint8) for p in pictures]))
        greys = [(p.astype(int).sum(axis=2) // 3).astype(numpy.uint8) for p in pictures]
        for _ in range(2):  # a reset forgets the episode before
            shown, _ = env.reset()
            self.same(shown, numpy.stack([greys[0]] * 4))
            kept = [(shown, shown.copy())]
            for i in range(1, 6):
                shown, *_ = env.step(0)
                self.same(shown, numpy.stack([greys[max(k, 0)] for k in range(i - 3, i + 1)]))
                kept.append((shown, shown.copy()))
            for shown, was in kept:
                self.same(shown, was)

    def test_over_our_environments(self):
        for task in (KEYS, "GoTo"):
            for options, shape in (({}, (4, 84, 84)), ({"size": 40, "grey": False, "stack": 2}, (2, 40, 40, 3))):
                env = PixelPreprocessing(gymnasium.make(seedbed.gym_id(task), obs="pixels"), **options)
                self.assertEqual((env.observation_space.shape, env.observation_space.dtype), (shape, numpy.uint8))
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    for seed in range(3):
                        self.assertIn(env.reset(seed=seed)[0], env.observation_space)
                        self.assertIn(env.step(0)[0], env.observation_space)
                again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
                self.same(again.reset(seed=5)[0], env.reset(seed=5)[0])
        vec = gymnasium.make_vec(seedbed.gym_id(KEYS), 2, "sync", wrappers=[PixelPreprocessing], obs="pixels")
        self.assertEqual(vec.reset(seed=1)[0].shape, (2, 4, 84, 84))

    def test_refusals(self):
        for make in (lambda: seedbed.make(KEYS, obs="arrays"), lambda: seedbed.make(KEYS, obs=["pixels"]), lambda: seedbed.make(KEYS, obs="pixels", indexed=True)):
            self.assertRaises(seedbed.InvalidError, PixelPreprocessing, make())
        for options in ({"size": 0}, {"stack": 0}):
            self.assertRaises(seedbed.InvalidError, PixelPreprocessing, seedbed.make(KEYS, obs="pixels"), **options)


RECORDED = (
    (512, 84, "2c4da9f94459efc5ab7eab9f8e2849521689a564c1b9dda41a3876bb2dff4cb8"),
    (560, 84, "d3527f8cec5b4806f542f7811acb82214fe31dc0624165c955e84bf59d18de17"),
    (704, 84, "4de82f20f8758cc967ae6c932223c7d0c82fae6aac89ddf1046174668d7f1abc"),
    (88, 84, "806a5ccf4a5f2845c2e1f4e5258f9055bcd98eafc3c31a3d7aa258e2c8b809f2"),
    (56, 84, "12176051a6335f596aaa1869a896cb6d904c7108495ba3e350f046d0b422c989"),
    (100, 37, "4972ce7af5752c199ae3b61ea4249b3d8adf7f7abad79949fbd66a211cbc4027"),
)

if __name__ == "__main__":
    unittest.main()
