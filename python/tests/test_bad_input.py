"""Random calls with random arguments: exceptions, never crashes; and nothing leaks."""
import inspect
import os
import pickle
import random
import resource
import signal
import tempfile
import threading
import time
import unittest

import numpy

import seedbed
from seedbed import _seedbed
from support import Leaks

CALLS = 10_000
EMULATED = "SEEDBED_EMULATED" in os.environ  # scripts/arm runs the program under an emulator
SPECIAL = ("__init__", "__new__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__", "__reduce__", "__reduce_ex__", "__repr__", "__eq__", "__hash__")


def _words():
    """Calls that CPython itself would refuse in words that name nothing: (call, what the error says)."""
    nul, half, large = "a text cannot hold a NUL", "half a surrogate pair is no character", "the number is too large, or too small"
    episodes = seedbed.select(tasks="GoToGoal", difficulty="easy", count=2)
    env, vec = seedbed.make("GoToGoal/easy#1"), seedbed.make_vec("GoToGoal/easy", 2)
    env.reset(), vec.reset(seed=1)

    def still(seen, info):
        return 0

    def evaluate(**options):
        return seedbed.evaluate(still, episodes, **options)

    return [
        (lambda: seedbed.make("GoToGoal\0/easy"), f"name: {nul}"), (lambda: seedbed.make("GoToGoal", difficulty="ea\0sy"), f"difficulty: {nul}"),
        (lambda: seedbed.make("GoToGoal/easy", look="fl\0at"), nul), (lambda: seedbed.parse_name("a\0"), nul), (lambda: env.observe("as\0cii"), nul),
        (lambda: env.step("noop\0"), nul), (lambda: env.parse_action("a\0"), nul), (lambda: evaluate(obs="a\0b"), nul), (lambda: evaluate(name="a\0b"), nul),
        (lambda: seedbed.load_result("a\0"), nul), (lambda: seedbed.load_program("a\0"), nul), (lambda: seedbed.verify("a\0"), nul),
        (lambda: evaluate(about={"a\0": 1}), nul), (lambda: evaluate(about={"a": float("nan")}), "about: "),
        (lambda: seedbed.make("\ud83d"), f"name: {half}"), (lambda: seedbed.make("GoToGoal", obs="\ud83d"), half),
        (lambda: seedbed.make("GoToGoal", difficulty="\ud83d"), f"difficulty: {half}"), (lambda: evaluate(name="\ud83d"), half),
        (lambda: seedbed.make_vec("GoToGoal", 10**9), "num_envs: at most"), (lambda: seedbed.make_vec("GoToGoal", 10**30), "num_envs: at most"),
        (lambda: seedbed.make_vec("GoToGoal", 2, threads=10**30), f"threads: {large}"), (lambda: evaluate(jobs=10**30), "jobs: at most"),
        (lambda: evaluate(batch=10**30), "batch: at most"), (lambda: evaluate(batch=True), "batch: a whole number"),
        (lambda: evaluate(max_steps=True), "max_steps: a whole number"), (lambda: evaluate(max_steps=float("nan")), "max_steps: a whole number"),
        (lambda: evaluate(hours=True), "hours and max_cost are numbers"), (lambda: evaluate(name=5), "name is a text"),
        (lambda: seedbed.evaluate("random", episodes, salt="00" * 16), "salt is for programs and functions"),
        (lambda: evaluate(shard="0/2", salt="00" * 16), "^shard wants a part"), (lambda: seedbed.rows({"tasks": ["KeyDoorPuzzle"]}, jobs=-1), "jobs: a whole number"),
        (lambda: vec.reset(seed=True), "seed is a whole number"), (lambda: env.reset(seed=True), "seed is a whole number"),
        (lambda: seedbed.select(family="arc", tasks="nope"), "`seedbed.tasks\\(\\)` lists them"), (lambda: env.step(10**30), "not beyond 64 bits"),
        (lambda: next(iter(seedbed.rows({"tasks": ["GoToGoal"], "difficulty": "easy", "split": "train", "count": 3}))), 'evaluation="keep"'),
        (lambda: seedbed.make_vec("GoToGoal/easy", 1, autoreset="later"), "autoreset='later': known are 'NextStep', 'SameStep', "),
    ]


class Words(unittest.TestCase):
    def test_what_cpython_refuses_without_a_name_is_refused_in_words(self):
        for i, (call, words) in enumerate(_words()):
            with self.subTest(i=i, words=words), self.assertRaisesRegex((seedbed.InvalidError, seedbed.UnknownError), words):
                call()

    def test_attributes_that_would_be_ignored_cannot_be_set(self):
        for made in (seedbed.make_vec("GoToGoal/easy", 2, then="chain"), seedbed.make("GoToGoal/easy", reward="dense")):
            for name in ("render_mode", "reward", "step", "reset", *(("num_envs", "then", "names") if hasattr(made, "num_envs") else ())):
                with self.subTest(type(made).__name__, name=name), self.assertRaisesRegex(AttributeError, f"`{name}`"):
                    setattr(made, name, 3)
            made.spec, made.mine = None, 3


class Odd:
    """An object that tries what it can while others look at it."""

    def __init__(self, env, rng):
        self.env, self.rng = env, rng

    def mischief(self):
        for method in ("close", "reset", "expert_action", "observe"):
            if self.rng.random() < 0.5:
                try:
                    getattr(self.env, method)()
                except Exception:
                    pass

    def __index__(self):
        self.mischief()
        return self.rng.choice([0, 1, -1, 2**70, 3])

    def __bool__(self):
        self.mischief()
        return self.rng.random() < 0.5

    def __iter__(self):
        self.mischief()
        yield from ("ascii", 3, self)[:self.rng.randrange(4)]

    def __len__(self):
        self.mischief()
        return 2

    def __getitem__(self, i):
        self.mischief()
        if i > 2:
            raise IndexError
        return ["arrays", 1, self][i]

    def integers(self, *_):
        self.mischief()
        return self.rng.choice([1, -1, "x", None])

    def __deepcopy__(self, memo):
        self.mischief()
        return self


class Broken:
    def __getattr__(self, name):
        raise ZeroDivisionError(name)

    def __index__(self):
        raise ZeroDivisionError

    def __iter__(self):
        raise ZeroDivisionError


def argument(rng, env, objects):
    kind = rng.randrange(12)
    if kind == 0:
        return rng.choice([0, 1, 2, 5, -1, 6, 2**31, 2**63, 2**64, -2**70, 10**30])
    if kind == 1:
        return rng.choice(["", "ascii", "arrays", "flat", "move_up", "left", "expert", "observer", "random", "\0", "\ud800", "é" * 300, "key", "GoTo#1",
                           "KeyDoorPuzzle/easy#3", "babyai:GoToLocal", "family", "dense", "full", "x" * 5000, "#", "/", "a/b#c"])
    if kind == 2:
        return rng.choice([None, True, False, 1.5, float("nan"), b"bytes", ..., int, object()])
    if kind == 3:
        return [argument(rng, env, objects) for _ in range(rng.randrange(4))]
    if kind == 4:
        return tuple(argument(rng, env, objects) for _ in range(rng.randrange(8)))
    if kind == 5:
        return {rng.choice(["seed", "name", "x", 1, None]): argument(rng, env, objects) for _ in range(rng.randrange(3))}
    if kind == 6:
        return rng.choice([numpy.int64(3), numpy.array(2), numpy.arange(4), numpy.float32(1), numpy.array("ascii")])
    if kind == 7:
        return Odd(env, rng)
    if kind == 8:
        return rng.choice([Broken(), lambda: None, {(1, 1), (2, 2)}, range(3)])
    if kind == 9:
        return (rng.randrange(-2, 20), rng.randrange(-2, 20))
    if kind == 10:
        return rng.randrange(8)
    return rng.choice(objects)


KEYWORDS = ("seed", "options", "mode", "agent", "budget", "x", "y", "start", "goal", "avoid", "extra_passable", "terrain_ok", "obs", "info", "reward",
            "pad", "copy", "difficulty", "render_mode", "name", "generator", "foreign", "env", "look", "tile", "view", "panel", "highlight", "indexed")


WORDS = {"difficulty": [None, "easy"], "reward": ["sparse", "dense"], "info": [None, "full", "none"], "render_mode": [None, "ansi", "rgb_array", "grid", "flat"], "pad": [None, "family", (31, 31)],
         "copy": [True, False], "seed": [0, 5, None, 2**64 - 1], "options": [None, {}, {"seed": 3}, {"name": "KeyDoorPuzzle/hard#2"}], "action": [0, 1, 2, 3, "noop", "left"],
         "mode": [None, "ascii", "mission", ["state", "arrays"], "flat", "pixels"], "agent": ["expert", "observer", "random", "clairvoyant"], "budget": [None, 1, 2000],
         "name": ["key", "door", "goal", "move_up", "GoTo", "KeyDoorPuzzle/easy"], "text": ["move_up", "toggle"], "obs": [None, "arrays", ["values"], "pixels", ["pixels", "ascii"]], "look": [None, "flat", "view", "grid"], "tile": [None, 8, 3, 16], "view": [None, 5],
         "panel": [True, False], "highlight": [True, False], "indexed": [True, False],
         "avoid": [None, [(1, 1)]], "extra_passable": [None, {(2, 2)}], "terrain_ok": [None, {0, 1}, ["empty"]], "positions": [[(1, 1), (1, 2)], []],
         "actions": [[0, 1, 2], [1, 1], numpy.array([0, 1, 5]), [9, 9, 9]], "to": [0, 1, 2], "source": [0, 1], "i": [0, 1], "n": [1, 2], "indices": [[0, 1], [-1], [9]],
         "slots": [[0], [0, 1], [2], [1, 1]], "slot": [0, 1, 2], "kind": ["crash", "nonsense"], "out": [None, numpy.zeros(3, int)], "jobs": [1, 2],
         "start": [(1, 1), (3, 2)], "goal": [(4, 4), (0, 0)], "x": range(-1, 9), "y": range(-1, 9), "dx": range(-1, 2), "dy": range(-1, 2)}


def plausible(rng, function, env, objects):
    """Arguments as the function's signature wants them, but for one now and then."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        parameters = []
    values = []
    for parameter in parameters:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.KEYWORD_ONLY) or rng.random() < 0.2 and parameter.default is not parameter.empty:
            break
        good = WORDS.get(parameter.name, objects if parameter.name in ("env", "other") else None)
        values.append(rng.choice(good) if good and rng.random() < 0.85 else argument(rng, env, objects))
    keywords = {p.name: rng.choice(WORDS[p.name]) for p in parameters if p.kind is p.KEYWORD_ONLY and p.name in WORDS and rng.random() < 0.3}
    return values, keywords


def call(target, arguments, keywords):
    """What the call gives; False after an exception, which is never one of the interpreter's own."""
    try:
        result = target(*arguments, **keywords)
    except Exception as error:
        assert not isinstance(error, SystemError), error
        return False
    return result if target is getattr else True


class Anything(unittest.TestCase):
    def objects(self):
        env, world = seedbed.make("KeyDoorPuzzle/easy"), seedbed.make("babyai:GoToLocal", obs=["values", "arrays"])
        env.reset(seed=1), world.reset(seed=1)
        player = seedbed.Player("observer")
        player.begin(env)
        return [env, world, env.api, world.api, player, seedbed.make("GoToGoal/easy"), _seedbed.EnvCore.__new__(_seedbed.EnvCore),
                seedbed.Env.__new__(seedbed.Env), seedbed.make("GoTo", obs=["pixels", "values"], render_mode="rgb_array"), _seedbed.EnvCore("GoToGoal/hard", obs="flat", pad="family"), seedbed.Player("random")]

    def test_random_calls(self):
        rng, began = random.Random(7), time.perf_counter()
        objects, names = self.objects(), {}
        done = good = 0
        while done < CALLS:
            if done % 100 == 0:
                objects = self.objects()
            target = rng.choice([*objects, _seedbed])
            kind = type(target)
            if kind not in names:
                own = [name for name in dir(target) if not name.startswith("__") or name in SPECIAL]
                names[kind] = own + 3 * [name for name in own if not name.startswith("_") and hasattr(_seedbed.EnvCore, name)]
                if target is _seedbed:
                    names[kind] = ["_families", "_tasks", "_modes", "_looks", "_parse_name", "EnvCore", "Player", "API"]
            name = rng.choice(names[kind])
            if rng.random() < 0.05 and not callable(getattr(kind, name, None)) and hasattr(kind, name):
                call(setattr, (target, name, argument(rng, objects[0], objects)), {})
            found = call(getattr, (target, name), {})
            if callable(found) and rng.random() < 0.7:
                good += call(found, *plausible(rng, found, objects[0], objects))
            elif callable(found):
                arguments = [argument(rng, objects[0], objects) for _ in range(rng.choice([0, 1, 1, 2, 3, 5]))]
                good += call(found, arguments, {rng.choice(KEYWORDS): argument(rng, objects[0], objects) for _ in range(rng.choice([0, 0, 1, 2]))})
            done += 1
        self.assertGreater(good, CALLS / 10)
        self.assertLess(time.perf_counter() - began, 60)

    def others(self):
        """Everything but single environments."""
        selection = seedbed.select(tasks="PreciseNavigation,KeyDoorPuzzle", difficulty="easy", split="train", count=5)
        vec = seedbed.make_vec("KeyDoorPuzzle/easy", 3, threads=2, obs=["arrays", "ascii"], render_mode="ansi")
        worlds = seedbed.make_vec("babyai:GoToLocal", 2, autoreset="SameStep", info="full", obs=["values", "pixels"], render_mode="rgb_array")
        vec.reset(seed=1), worlds.reset(seed=1)
        plan = _seedbed.Plan('{"tasks": "PreciseNavigation", "difficulty": "easy", "seeds": "0..3", "formats": ["steps"]}', [])
        run = _seedbed.EvaluationCore('{"tasks": "GoToGoal", "difficulty": "easy", "seeds": "0..3"}', None, None, None)
        run.seat("python:me", 3, 2, False, "ascii", None, None, 0)
        run.begin([0, 1])
        half = _seedbed.VecCore.__new__(_seedbed.VecCore)
        call(half.__init__, [["GoToGoal/easy", "KeyDoorPuzzle/hard"], 2], {"obs": "arrays"})
        return [vec, worlds, half, _seedbed.VecCore.__new__(_seedbed.VecCore), seedbed.make_vec("GoToGoal/easy", 2), selection, selection[:0], selection.take([0]),
                seedbed.derive_pack("mine", tasks="GoToGoal", difficulty="easy", count=2), plan, _seedbed.RowStream(plan, 0, 4, 1, 0, 1),
                _seedbed.Rollouts(selection, "expert", None, "sparse", 1.0, None, 0.0, False, 1), run, _seedbed.EvaluationCore.__new__(_seedbed.EvaluationCore)]

    def test_random_calls_of_the_rest(self):
        rng, began = random.Random(11), time.perf_counter()
        functions = ["_families", "_tasks", "_modes", "_looks", "_parse_name", "_select", "_select_nothing", "_parse_pack", "_load_pack", "_derive_pack", "_load_recipe",
                     "_recipe_keys", "_result_families", "_result_table", "_result_scorecard", "_result_load", "_result_page", "_result_merge", "_result_actions", "_normalise", "_verify", "Plan",
                     "RowStream", "Rollouts", "EvaluationCore", "VecCore"]
        done = good = 0
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)  # `save` may be called with any name
            try:
                while done < CALLS:
                    if done % 100 == 0:
                        env, objects = self.objects()[0], self.others()
                    target = rng.choice([*objects, _seedbed])
                    names = functions if target is _seedbed else [name for name in dir(target) if (not name.startswith("__") or name in SPECIAL or name == "__next__")
                                                                  and name != "play"]
                    name = rng.choice(names)
                    found = call(getattr, (target, name), {})
                    if callable(found) and rng.random() < 0.7:
                        good += call(found, *plausible(rng, found, env, objects))
                    elif callable(found):
                        arguments = [argument(rng, rng.choice([env, objects[0], objects[1]]), objects) for _ in range(rng.choice([0, 1, 1, 2, 3, 5, 6, 8]))]
                        good += call(found, arguments, {rng.choice(KEYWORDS): argument(rng, env, objects) for _ in range(rng.choice([0, 0, 1, 2]))})
                    done += 1
            finally:
                os.chdir(before)
        self.assertGreater(good, CALLS / 10)
        self.assertLess(time.perf_counter() - began, 120)

    def test_liars(self):
        """Objects that say they are of a class they are not of, and wrappers whose environment nobody holds."""
        class Liar:
            __class__ = _seedbed.EnvCore

        class Wrapper:
            @property
            def unwrapped(self):
                env = seedbed.make("KeyDoorPuzzle/easy")
                env.reset(seed=5)
                return env

        vec = seedbed.make_vec("KeyDoorPuzzle/easy", 2)
        vec.reset(seed=0)
        for function in (seedbed.make("GoToGoal/easy").copy_from, seedbed.Player().begin, _seedbed.API, lambda liar: vec.copy_env(0, liar)):
            self.assertRaises(seedbed.InvalidError, function, Liar())
        vec.copy_env(1, Wrapper())
        self.assertEqual(vec.names()[1], "KeyDoorPuzzle-v0/easy#5")

    def test_what_an_index_may_do(self):
        """The arguments of a call change, and its objects are closed, while it reads them."""
        env, vec = seedbed.make("KeyDoorPuzzle/easy"), seedbed.make_vec("KeyDoorPuzzle/easy", 2)
        options = {}

        class Index:
            def __index__(self):
                options.clear()
                for method in (vec.close, vec.reset, lambda: vec.step([0, 0]), lambda: vec.names(), lambda: vec.running):
                    refused.append(call(method, (), {}))
                return 1

        refused = []
        options.update({"seed": Index(), "name": "KeyDoorPuzzle/easy#7"})
        env.reset(options=options)
        self.assertEqual(env.name, "KeyDoorPuzzle-v0/easy#1")
        vec = seedbed.make_vec("KeyDoorPuzzle/easy", 2)
        options.update({"seed": Index()})
        refused.clear()
        vec.reset(options=options)
        vec.copy_env(Index(), 0)
        vec.copy_env(0, Index())
        self.assertEqual((len(refused), any(refused)), (15, False))
        self.assertEqual(vec.names(), ["KeyDoorPuzzle-v0/easy#1"] * 2)

    def test_arrays_that_shrink(self):
        """Memory is checked before it is written, however it came to be what it is."""
        vec = seedbed.make_vec("KeyDoorPuzzle/easy", 4, obs="arrays")
        vec.reset(seed=0)
        for at in range(len(vec._arrays)):
            vec._set_array(at, bytearray(3))
            self.assertRaises(seedbed.InvalidError, vec.step, [0] * 4)
            vec._set_array(at, None)
        vec.step([0] * 4)

    def test_slots_are_used_by_one_call(self):
        run = _seedbed.EvaluationCore('{"tasks": "GoToGoal", "difficulty": "easy", "seeds": "0..3"}', None, None, None)
        run.seat("python:me", 3, 2, False, "ascii", None, None, 0)
        self.assertRaises(RuntimeError, run.begin, [0, 0])
        self.assertEqual(run.begin([0, 1]), [0, 1])
        self.assertRaises(RuntimeError, run.step, [0, 0], [1, 1])

        class Index:
            def __index__(self):
                self.refused = call(run.step, ([0], [1]), {})
                return 1

        index = Index()
        self.assertEqual(run.read(0, index), 1)
        self.assertFalse(index.refused)
        self.assertEqual(run.step([0, 1], [1, 1]), [0, 1])

    def test_broken_pickles(self):
        rng = random.Random(3)
        env, decoy = self.objects()[0], self.objects()[0]
        env.step(1)
        env.np_random
        for _ in range(2000):
            state = [list(part) if isinstance(part, tuple) else part for part in env._save()]
            where = rng.choice([state, state[3]])
            at = rng.randrange(len(where))
            text = where[at]
            if isinstance(text, (str, bytes)) and rng.random() < 0.8:
                i = rng.randrange(len(text))
                where[at] = text[:i] + rng.choice([text[:0], text[i:i + 1] * 2, text[:1], text[-1:]]) + text[i + rng.randrange(2):]
            else:
                where[at] = argument(rng, decoy, [decoy])
            other = seedbed.make("KeyDoorPuzzle/easy")
            try:
                other._load(tuple(tuple(part) if isinstance(part, list) else part for part in state))
            except Exception as error:
                self.assertNotIsInstance(error, SystemError)
                other.reset()

    def test_while_something_is_done(self):
        """What Python code does in the middle of a call finds the environment in use."""
        env = seedbed.make("KeyDoorPuzzle/easy", obs="arrays")
        env.reset(seed=1)
        found = []

        class Spoiler:
            def __index__(self):
                for method in (env.close, env.reset, lambda: env.step(0), env.clone, env.expert_action, lambda: env.key, lambda: env.copy_from(env)):
                    try:
                        method()
                    except RuntimeError as error:
                        found.append(str(error))
                return 2

        before = env.step_count
        env.step(Spoiler())
        self.assertEqual(env.step_count, before + 1)
        env.reset(seed=Spoiler())
        self.assertEqual((env.seed, len(found), set(found)), (2, 14, {"this environment is in use by another thread"}))

    def test_made_once(self):
        env = seedbed.make("GoToGoal/easy")
        for _ in range(2):
            self.assertRaises(seedbed.Error, _seedbed.EnvCore.__init__, env, "GoTo")
            env.close()
        empty = _seedbed.EnvCore.__new__(_seedbed.EnvCore)
        self.assertRaises(seedbed.UnknownError, empty.__init__, "Nope")
        self.assertRaises(seedbed.Error, empty.__init__, "GoTo")

    def test_after_close(self):
        for env in (seedbed.make("KeyDoorPuzzle/easy", render_mode="ansi"), seedbed.make("GoTo")):
            env.reset(seed=0)
            api = env.api
            env.close()
            for name in ("render", "action_mask", "valid_actions", "valid_action_names", "tape", "expert_action", "hint", "bound", "clone", "observe", "reset"):
                self.assertRaises(seedbed.FinishedError, getattr(env, name))
            for name in ("step", "parse_action", "action_name"):
                self.assertRaises(seedbed.FinishedError, getattr(env, name), 0)
            self.assertRaises(seedbed.FinishedError, api.get_entities)
            self.assertTrue(env.done)
            self.assertIsNone(env.name)
            self.assertEqual(len(env.action_names), env.n_actions)
            repr(env), env.summary, env.task, env.np_random, env.np_random_seed

    def test_two_threads_in_one_environment(self):
        env = seedbed.make("KeyDoorPuzzle/expert", obs=["ascii", "arrays"])
        env.reset(seed=0)
        refused, until = [0], time.perf_counter() + 1

        def run(seed):
            rng = random.Random(seed)
            while time.perf_counter() < until:
                try:
                    rng.choice([lambda: env.step(rng.randrange(6)), lambda: env.reset(seed=rng.randrange(99)), env.expert_action, env.hint, env.clone, env.tape,
                                lambda: env.expert_action("clairvoyant", budget=20_000), lambda: env.api.get_entities(), env.observe, env.action_mask])()
                except seedbed.FinishedError:
                    pass
                except RuntimeError:
                    refused[0] += 1

        threads = [threading.Thread(target=run, args=(seed,)) for seed in range(2)]
        [thread.start() for thread in threads], [thread.join() for thread in threads]
        self.assertGreater(refused[0], 0)
        env.reset(seed=3)
        other = seedbed.make("KeyDoorPuzzle/expert", obs=["ascii", "arrays"])
        other.reset(seed=3)
        self.assertEqual(env.key, other.key)


class Interrupts(unittest.TestCase):
    """Ctrl-C stops long work, and what was begun can be begun again."""

    def interrupted(self, work):
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        began = time.perf_counter()
        try:
            self.assertRaises(KeyboardInterrupt, work)
        finally:
            timer.cancel(), timer.join()
        self.assertLess(time.perf_counter() - began, 5)

    def test_long_work(self):
        everything = seedbed.select(split="train", count=2000)
        rows = seedbed.rows(everything, "steps")
        self.interrupted(lambda: rows.left_out)
        self.interrupted(lambda: rows.left_out)
        self.interrupted(lambda: sum(1 for _ in seedbed.rows(everything[:40_000], "steps")))
        self.interrupted(lambda: sum(1 for _ in seedbed.rollouts(everything)))
        self.interrupted(lambda: seedbed.derive_pack("mine", count=2000, digests=True))
        self.interrupted(lambda: seedbed.derive_pack("mine", tasks="KeyDoorPuzzle", count=20_000, solvable=True))
        self.interrupted(lambda: seedbed.evaluate("clairvoyant", everything))
        with tempfile.TemporaryDirectory() as folder:
            self.interrupted(lambda: seedbed.build({"split": "train", "count": 2000, "formats": ["steps"]}, os.path.join(folder, "all")))
            few = os.path.join(folder, "few")
            seedbed.build({"tasks": "KeyDoorPuzzle,GoToGoal", "split": "train", "count": 200, "formats": ["steps"]}, few)
            self.interrupted(lambda: seedbed.verify(few, again=True))


class Calls(Leaks):
    def check(self, name, work, n=600):
        with self.subTest(name):
            self.assert_keeps_nothing(work, 200, n, 60)

    def failing(self, function, *arguments, **keywords):
        def work():
            try:
                function(*arguments, **keywords)
            except Exception:
                pass
        return work

    def test_calls(self):
        for task, more in (("KeyDoorPuzzle/easy", ["ascii", "state", "arrays", "flat"]), ("babyai:GoToLocal", ["values", "arrays", "view5.values"])):
            for obs in (*more, more):
                env = seedbed.make(task, obs=obs, info="full")
                env.reset(seed=0)

                def step():
                    if env.done:
                        env.reset()
                    env.step(1)

                self.check(f"{obs} step", step)
            env = seedbed.make(task, info="full", render_mode="ansi")
            env.reset(seed=0)
            env.step(0)
            scratch = env.clone()
            for name in ("observe", "render", "action_mask", "valid_actions", "valid_action_names", "tape", "expert_action", "hint", "bound", "_save", "reset"):
                self.check(name, getattr(env, name))
            env.reset(seed=0)
            for name in ("key", "name", "action_names", "summary", "rules", "_chain", "_parts", "np_random_seed", "api", "done", "last_dense", "n_actions"):
                self.check(name, lambda: getattr(env, name))
            self.check("copy_from", lambda: scratch.copy_from(env))
            self.check("load", lambda: scratch._load(env._save()))
            self.check("clone", env.clone)
            self.check("new generator", lambda: (env.reset(seed=1), env.np_random), 500)
            self.check("step wrong", self.failing(env.step, 99))
            self.check("reset wrong", self.failing(env.reset, seed=-1))
            self.check("observe wrong", self.failing(env.observe, ["ascii", "x"]))
            self.check("hint wrong", self.failing(env.hint, "nobody"))
            self.check("load wrong", self.failing(scratch._load, (env._save()[0], 3, *env._save()[2:])))
            self.check("make", lambda: _seedbed.EnvCore(task, obs="arrays"))
            self.check("make wrong", self.failing(_seedbed.EnvCore, task, obs=["arrays", "x"]))
            self.check("make wrong", self.failing(_seedbed.EnvCore, task, obs="arrays", pad=(1, 1)))

    @unittest.skipIf(EMULATED, "an emulator keeps what it translates in the same memory")
    def test_memory_of_c(self):
        """What Python's own allocator does not count."""
        def work():
            env = seedbed.make("KeyDoorPuzzle/easy", obs="arrays")
            env.reset(seed=1)
            env.hint("observer")
            env.clone().copy_from(env)
            pickle.loads(pickle.dumps(env))
            seedbed.Player("clairvoyant").begin(env)
            self.failing(env._load, ("{", 1, 0.0, None, 0, 0, None))()

        for _ in range(200):
            work()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(700):
            work()
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, 3000)

    def test_facts(self):
        env = seedbed.make("PutNextS6N3Carrying")
        env.reset(seed=0)
        for name in ("mission", "agent_pos", "agent_dir", "carrying"):
            self.check(name, lambda: getattr(env, name))
        self.check("facts", env.facts)

    def test_players(self):
        env, player = seedbed.make("KeyDoorPuzzle/easy"), seedbed.Player("observer")
        env.reset(seed=0)
        self.check("player", lambda: (player.begin(env), player.act(env), player.hint(env)))
        self.check("new player", lambda: seedbed.Player("expert").begin(env))
        self.check("wrong", self.failing(player.begin, 3))

    def test_coding(self):
        env = seedbed.make("KeyDoorPuzzle/easy")
        env.reset(seed=0)
        env.step(env.expert_action())
        api = env.api
        for name in dir(api):
            if not name.startswith("_"):
                found = getattr(type(api), name)
                work = (lambda: getattr(api, name)) if not callable(found) else lambda: [self.failing(getattr(api, name), *a)() for a in ((), (2, 3), ("key",), ((1, 1), (3, 3)), ([(1, 1), (1, 2)],))]
                self.check(name, work, 500)
        self.check("path", lambda: api.bfs_path_positions((1, 1), (5, 5), {(1, 2)}, [(2, 2)], ["empty", 2]))
        self.check("wrong path", self.failing(api.bfs_path_positions, (1, 1), (5, 5), {(1, 2)}, [(2, 2)], ["mud"]))


if __name__ == "__main__":
    unittest.main()
