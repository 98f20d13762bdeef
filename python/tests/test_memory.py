"""When memory runs out: MemoryError, nothing half done, no crash; and nothing is left behind by any call.

More calls of long ones with SEEDBED_NIGHTLY.
"""
import contextlib
import functools
import itertools
import subprocess
import sys
import unittest

import numpy

import seedbed
from seedbed import _seedbed
from support import NIGHTLY, Leaks

try:
    from _testcapi import remove_mem_hooks, set_nomemory
except ImportError:
    set_nomemory = None

TASKS = ("KeyDoorPuzzle/easy", "babyai:GoToLocal")
RECIPE = '{"tasks": "PreciseNavigation", "difficulty": "easy", "seeds": "0..2", "formats": ["steps"]}'


def environments():
    """Calls on environments: name -> (how to get ready, the call)."""
    for task in TASKS:
        agentick = task == TASKS[0]
        observations = ["ascii", "arrays", "flat", "none", "pixels"] + (["state", ["ascii", "arrays", "state"]] if agentick else ["values", "view5.values"])
        for obs in observations:
            for copy in (True, False):
                env = seedbed.make(task, obs=obs, info="full", copy=copy, render_mode="ansi")

                def step(env=env):
                    if env.done:
                        env.reset()
                    env.step(1)

                env.reset(seed=0)
                yield f"{task} {obs} {copy} step", step
                yield f"{task} {obs} {copy} reset", lambda env=env: env.reset(seed=3)
        env, scratch = (seedbed.make(task, info="full", render_mode="ansi") for _ in range(2))
        env.reset(seed=0), scratch.reset(seed=1)
        for name in ("render", "action_mask", "valid_actions", "valid_action_names", "tape", "expert_action", "hint", "bound", "_save"):
            yield f"{task} {name}", getattr(env, name)
        for mode in ("ascii", "arrays", "flat", "pixels", ["ascii", "arrays", "pixels"]):
            yield f"{task} observe {mode}", lambda env=env, mode=mode: env.observe(mode)
        small = {"tile": 8} if agentick else {"tile": 3, "look": "grid"}
        film = seedbed.make(task, render_mode="rgb_array", obs="pixels", pad="family", **small)
        film.reset(seed=0)
        yield f"{task} picture", film.render
        yield f"{task} padded pixels", film.observe
        if agentick:  # pictures of two sizes in turn
            yield f"{task} pictures", lambda film=film: [(film.reset(options={"name": name}), film.render()) for name in ("GoToGoal/easy#1", "GoToGoal/expert#1")]
        kinds = [{"tile": tile, "view": view} for tile in (8, 16) for view in range(1, 25, 2)] if agentick else [{"tile": tile} for tile in range(1, 25)]
        each = itertools.cycle(kinds)  # more brushes than are remembered
        yield f"{task} brushes", lambda task=task, each=each: _seedbed.EnvCore(task, obs="pixels", **next(each))
        palette = seedbed.make(task, obs="pixels", indexed=agentick)
        yield f"{task} palette", lambda palette=palette: palette.palette
        for name in ("key", "name", "family", "action_names", "summary", "rules", "_chain", "_parts", "api", "last_dense", "n_actions", "_generator"):
            yield f"{task} {name}", lambda env=env, name=name: getattr(env, name)
        yield f"{task} copy_from", lambda env=env, scratch=scratch: scratch.copy_from(env)
        yield f"{task} load", lambda scratch=scratch, saved=env._save(): scratch._load(saved)
        yield f"{task} make", lambda task=task: _seedbed.EnvCore(task, obs=["ascii", "arrays"], pad="family", render_mode="ansi")
        yield f"{task} make with pixels", lambda task=task: _seedbed.EnvCore(task, obs=["pixels", "arrays"], pad="family", render_mode="rgb_array")
        yield f"{task} make with wrong pixels", functools.partial(refused, functools.partial(_seedbed.EnvCore, task, obs=["pixels", "arrays"], tile=99))
        player = seedbed.Player("observer")
        yield f"{task} player", lambda player=player, env=env: (player.begin(env), player.act(env), player.hint(env))
        yield f"{task} wrong", lambda env=env: refused(env.step, 99)
    world = seedbed.make("PutNextS6N3Carrying")
    world.reset(seed=0)
    for name in ("mission", "agent_pos", "agent_dir", "carrying"):
        yield name, lambda name=name: getattr(world, name)
    yield "facts", world.facts


def coding():
    env = seedbed.make("KeyDoorPuzzle/easy")
    env.reset(seed=0)
    env.step(env.expert_action())
    api = env.api
    for name in dir(_seedbed.API):
        if name.startswith("_"):
            continue
        if not callable(getattr(_seedbed.API, name)):
            yield name, lambda name=name: getattr(api, name)
            continue
        for arguments in ((), (2, 3), ("key",), ((1, 1), (3, 3)), ([(1, 1), (1, 2)],)):
            with contextlib.suppress(TypeError, ValueError):
                getattr(api, name)(*arguments)
                yield f"{name}{arguments}", lambda name=name, arguments=arguments: getattr(api, name)(*arguments)
    player, over = seedbed.Player(), seedbed.make("KeyDoorPuzzle/easy")
    yield "costs", lambda: (player.costs(env), refused(player.costs, over))
    yield "path", lambda: api.bfs_path_positions((1, 1), (5, 5), {(1, 2)}, [(2, 2)], ["empty", 2])


def vectors():
    for task in TASKS:
        for obs in ("arrays", "ascii", "flat", "none", "pixels", ["ascii", "arrays", "pixels"]) + (("values", "view5.values") if task[0] == "b" else ("state",)):
            for info, autoreset, copy in (("lean", "NextStep", True), ("full", "SameStep", True), ("none", "SameStep", False)):
                vec = seedbed.make_vec(task, 3, obs=obs, info=info, autoreset=autoreset, copy=copy, threads=2, render_mode="ansi")
                vec.reset(seed=0)
                actions = numpy.array([1, 2, 0])
                yield f"vec {task} {obs} {info} step", lambda vec=vec, actions=actions: vec.step(actions)
                yield f"vec {task} {obs} {info} reset", lambda vec=vec: vec.reset(seed=1)
        vec = seedbed.make_vec(task, 3, threads=2, render_mode="ansi")
        vec.reset(seed=0)
        env = vec.env(1)
        for name in ("render", "names", "action_masks", "keys", "expert_actions", "observe", "_made_of", "_save"):
            yield f"vec {name}", getattr(vec, name)
        saved, other = vec._save(), seedbed.make_vec(task, 3, obs=["values", "ascii"])
        yield "vec load", lambda saved=saved, other=other: (other._load(saved), other.observe())
        yield "vec become", lambda vec=vec, other=other: other._become(vec)
        for key in saved:
            yield f"vec load, wrong {key}", lambda key=key, saved=saved, other=other: refused(other._load, {**saved, key: ["x"] * 3})
        for name in ("family", "n_actions", "running", "np_random_seed", "_parts", "_several", "_arrays"):
            yield f"vec {name}", lambda vec=vec, name=name: getattr(vec, name)
        yield "vec async", lambda vec=vec: (vec.step_async([0, 1, 2]), vec.step_wait())
        yield "vec copy_env", lambda vec=vec, env=env: (vec.copy_env(0, 1), vec.copy_env(2, env), vec._copy_to(1, env), vec._name_at(0))
        yield "vec bind", lambda vec=vec: (vec._set_array(0, numpy.zeros(3)), vec._set_array(0, None))
        yield "vec wrong", lambda vec=vec: refused(vec.step, [0, 1, 99])
        film = seedbed.make_vec(task, 3, obs="pixels", pad="family", render_mode="rgb_array", threads=2, tile=8)
        film.reset(seed=0)
        yield "vec pictures", film.render
        yield "vec padded pixels", lambda film=film: film.step([1, 2, 0])
        yield "vec make with pixels", lambda task=task: _seedbed.VecCore([task] * 3, 3, obs=["pixels", "arrays"], pad="family", render_mode="rgb_array", tile=8)
        yield "vec make", lambda task=task: _seedbed.VecCore([task] * 3, 3, obs=["ascii", "arrays"], pad="family", render_mode="ansi")


def data():
    selection = seedbed.select(tasks="PreciseNavigation", difficulty="easy", split="train", count=6)
    pack = seedbed.derive_pack("mine", tasks="GoToGoal", difficulty="easy", count=3)
    plan = _seedbed.Plan(RECIPE, [])
    tape = next(iter(_seedbed.Rollouts(selection, "expert", None, "sparse", 1.0, None, 0.0, False, 1)))[-1].encode()
    yield "families", _seedbed._families
    yield "tasks", _seedbed._tasks
    yield "modes", lambda: (_seedbed._modes("agentick"), _seedbed._modes("babyai"))
    yield "looks", lambda: (_seedbed._looks("agentick"), _seedbed._looks("babyai"))
    yield "name", lambda: _seedbed._parse_name("GoTo#3")
    yield "select", lambda: _seedbed._select('{"tasks": "GoToGoal", "difficulty": "easy", "count": 3}')
    yield "slices", lambda: (selection[1:3], selection[0], selection + selection, selection.shard(0, 2), selection.shuffle(3), selection.take([1, 2]))
    yield "looks", lambda: (repr(selection), selection.to_json(), selection[::2].to_json(), selection.index(selection[2]), hash(selection), selection == selection[:])
    yield "reduce", lambda: (selection.__reduce__(), pack.__reduce__())
    yield "pack", lambda: (pack.lists, pack.to_json(), repr(pack), hash(pack), pack == pack, pack.diff(pack), pack.selection(), pack.verify(jobs=1))
    yield "parse pack", lambda text=pack.to_json(): _seedbed._parse_pack(text)
    yield "derive", lambda: _seedbed._derive_pack('{"tasks": "GoToGoal", "difficulty": "easy", "split": "mine", "count": 3}', True, 1)
    yield "choose", lambda: _seedbed._derive_pack('{"tasks": "GoToGoal", "difficulty": "medium", "split": "mine", "count": 1}', False, 1, False, True)
    yield "plan", lambda: (_seedbed.Plan(RECIPE, []), plan.formats, plan.recipe, plan.left_out(0, 3, 1, 1))
    yield "recipe keys", _seedbed._recipe_keys
    yield "rows", lambda: [*_seedbed.RowStream(plan, 0, 3, 1, 1, 1)]
    archive = _seedbed.Plan(RECIPE.replace('"steps"', '"npz"'), [])
    yield "archives", lambda: [*_seedbed.RowStream(archive, 0, 3, 1, 0, 1)]
    for obs in (None, ["ascii", "state", "arrays"], "terrain"):
        yield f"rollouts {obs}", lambda obs=obs: [*_seedbed.Rollouts(selection, "expert", obs, "dense", 1.0, "observer", 0.5, True, 1)]
    yield "replay", lambda: [*_seedbed.Rollouts(tape, "expert", ["ascii"], "progress", 0.9, None, 0.0, False, 1)]


def evaluations():
    asked = '{"tasks": "GoToGoal", "difficulty": "easy", "seeds": "0..2"}'
    document = seedbed.evaluate("random", {"tasks": "GoToGoal", "difficulty": "easy", "seeds": "0..2"})._document

    def play_agent():
        run = _seedbed.EvaluationCore(asked, None, None, None)
        run.play("random", 1, None, 0)
        run.document()

    def play_function():
        run = _seedbed.EvaluationCore(asked, None, None, "me")
        run.seat("python:me", 3, 2, True, "arrays", None, None, 0)
        running = run.begin([0, 1, 2])
        [run.show(slot) for slot in running]
        run.lose(running.pop(), "crash", b"why")
        while running:
            running = run.step(running, [run.read(slot, 1) for slot in running])
        run.document(), run.done, run.total

    yield "agent", play_agent
    yield "function", play_function
    yield "families of a result", lambda: _seedbed._result_families(document, None)
    yield "table", lambda: _seedbed._result_table(document, None)
    yield "page", lambda: _seedbed._result_page([("a", document)], None, "all", 1, None)
    part = seedbed.evaluate("random", {"tasks": "GoToGoal", "difficulty": "easy", "seeds": "0..2"}, shard="1/1")._document
    yield "merge", lambda: (_seedbed._result_merge([("a", part)], None), refused(_seedbed._result_merge, [("a", document)], None))
    yield "actions", lambda: _seedbed._result_actions("123")
    yield "normalise", lambda: _seedbed._normalise(0.5, "GoToGoal", "easy")


def refused(function, *arguments):
    with contextlib.suppress(seedbed.Error):
        function(*arguments)


KINDS = (environments, coding, vectors, data, evaluations)


class Counts(Leaks):
    """Hardly more blocks of memory after three times as many calls."""

    def test_calls(self):
        for kind in KINDS:
            few, many = (100, 300) if kind in (environments, coding, vectors) else (20, 60) if NIGHTLY else (10, 30)
            for name, work in kind():
                with self.subTest(name):
                    self.assert_keeps_nothing(work, few, many, many // 5)


@unittest.skipUnless(set_nomemory, "this Python has no _testcapi")
class Failures(unittest.TestCase):
    """Python's allocator fails at every place in turn; then the call does what it did before."""

    def fails_at(self, work, at, more):
        """What comes of the call if its at-th allocation fails, with so many after it; 0: with all after it."""
        set_nomemory(at, at + more if more else 0)
        try:
            work()
        except BaseException as error:
            return type(error)
        finally:
            remove_mem_hooks()
        return None

    def ways_of_failing(self):
        """How many allocations fail in a row: those in which Python itself, on its own, forgets no exception. Which do depends on the processor."""
        def own():
            with contextlib.suppress(ValueError):
                [].index(9)
        own()
        sound = [more for more in (0, 1, 2, 3, 4) if all(self.fails_at(own, at, more) is not SystemError for at in range(1, 40))]
        self.assertGreaterEqual(len(sound), 3)
        return sound

    def test_calls(self):
        failures, ways = 0, self.ways_of_failing()
        for kind in KINDS:
            for name, work in kind():
                work()
                places = [*range(1, 40), *range(40, 400, 17)]
                for more in ways:
                    for at in places:
                        error = self.fails_at(work, at, more)
                        if error is None and not more:
                            places = places[:places.index(at)]  # the call allocates no more
                            break
                        failures += error is not None
                        if error is not None:
                            with self.subTest(name, at=at, more=more):
                                self.assertTrue(issubclass(error, MemoryError), error)
                with self.subTest(name):
                    work()
        self.assertGreater(failures, 3000)


class Interpreters(unittest.TestCase):
    def run_alone(self, code):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)

    def test_subinterpreters_that_share_the_gil(self):
        """Each has a module of its own."""
        inner = ("import sys; sys.path[:] = %r; from seedbed import _seedbed; env = _seedbed.EnvCore('GoToGoal/easy', obs='ascii', info='none'); "
                 "env.reset(seed=1); env.step(1); _seedbed._tasks(); print(env.name)") % (sys.path,)
        done = self.run_alone(f"import _testcapi, seedbed._seedbed\nfor _ in range(3): assert _testcapi.run_in_subinterp({inner!r}) == 0\n"
                              "print(seedbed._seedbed.EnvCore('GoToGoal/easy', obs='ascii').n_actions)")
        self.assertEqual((done.stdout.split(), done.returncode), (["GoToGoal-v0/easy#1"] * 3 + ["6"], 0), done.stderr)

    @unittest.skipUnless(sys.version_info >= (3, 12), "subinterpreters with a GIL of their own came with Python 3.12")
    def test_subinterpreters_with_their_own_gil_refuse(self):
        module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
        inner = "import sys; sys.path[:] = %r\ntry:\n    import seedbed._seedbed\nexcept ImportError as error: print('refused', flush=True)" % (sys.path,)
        done = self.run_alone(f"import {module} as m\nfound = m.run_string(m.create(), {inner!r})\nprint(found)")
        self.assertIn("refused", done.stdout, done.stderr)

    def test_ends_with_objects_in_globals(self):
        """The interpreter ends while environments, vectors, iterators and steps under way are there."""
        code = ("import seedbed, numpy\nenv = seedbed.make('KeyDoorPuzzle/easy'); env.reset(seed=0); env.it = env.api; p = seedbed.Player(); p.begin(env)\n"
                "vec = seedbed.make_vec('GoToGoal/easy', 64, threads=2); vec.reset(seed=0); vec.step_async(numpy.zeros(64, int)); vec.me = vec\n"
                "rows = iter(seedbed.rows(seedbed.select(tasks='PreciseNavigation', difficulty='easy', split='train', count=50), 'steps')); next(rows)\n"
                "import sys; sys.modules['keep'] = env")
        done = self.run_alone(code)
        self.assertEqual((done.stderr, done.returncode), ("", 0))


if __name__ == "__main__":
    unittest.main()
