"""Episodes and rows without files are those of the command's datasets; files are the same bytes.

Label: output
"""
import contextlib
import copy
import filecmp
import gzip
import importlib.util
import io
import json
import multiprocessing
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import unittest.mock
import warnings
from pathlib import Path

from seedbed._errors import Error, InvalidError, MismatchError, UnknownError
from seedbed.data import Episode, Episodes, build, main, replay, rollouts, rows, verify
from seedbed.selection import derive_pack, select

COMMAND = os.environ.get("SEEDBED")
TRAIN = {"tasks": "KeyDoorPuzzle,PreciseNavigation", "difficulty": "easy,hard", "split": "train", "count": 5}
FEW = {"tasks": "PreciseNavigation,KeyDoorPuzzle", "difficulty": "easy", "split": "train", "count": 2}  # for labels off the path, which take long
ROOMS = {"family": "babyai", "tasks": "GoTo,Open", "split": "mine", "count": 4}

# Recipes whose rows differ in kind: agents, noise, labels, filters, what is left out, options of formats, families.
RECIPES = [TRAIN, {**TRAIN, "format": "trajectories", "modes": "ascii,state"}, {**TRAIN, "reward": "dense", "epsilon": 0.3, "labels": "observer"},
           {**TRAIN, "oracle": "expert:2,random:1", "filter": {"success": True}, "formats": [{"format": "chat", "style": "prompt_messages"}]},
           {**ROOMS, "intents": True, "format": "plan"}, {**ROOMS, "format": "predict"}, {**ROOMS, "format": "decompose"},
           {"tasks": "DistributionShift", "difficulty": "easy", "split": "train", "duplicates": "drop", "filter": {"max_steps": 9}},
           {"tasks": "LightsOut", "seeds": "1998089763,1342347933,3,26", "difficulty": "easy", "duplicates": "drop"},
           {**ROOMS, "format": "chat"},
           {**TRAIN, "count": 30, "format": "chat", "rows": {"duplicates": "drop", "apart_from": "eval"}},
           {"names": ["GoTo#18446744073709551615", "GoTo#1"], "defaults": 2}]


def lines_of(folder, name):
    return [json.loads(line) for path in sorted(Path(folder).glob(f"{name}-*.jsonl.gz")) for line in gzip.open(path, "rt", encoding="utf-8")]


def name_of(recipe):
    item = recipe["formats"][0] if "formats" in recipe else recipe.get("format", "steps")
    return item if isinstance(item, str) else item["format"]


def plain(value):
    """A value in which arrays are bytes, so that == compares it."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return (str(value.dtype), value.shape, value.tobytes()) if hasattr(value, "tobytes") else value


class Rows(unittest.TestCase):
    def test_are_those_of_a_build_in_its_order(self):
        for recipe in RECIPES:
            with self.subTest(recipe=recipe), tempfile.TemporaryDirectory() as folder:
                if COMMAND:
                    Path(folder, "recipe.json").write_text(json.dumps(recipe))
                    subprocess.run([COMMAND, "build", f"{folder}/recipe.json", "-o", f"{folder}/set", "--quiet"], check=True)
                else:
                    build(recipe, f"{folder}/set")
                manifest = json.loads(Path(folder, "set/manifest.json").read_text())
                for jobs in (1, 3):
                    made = rows(recipe, jobs=jobs)
                    got, wanted = list(made), lines_of(f"{folder}/set", name_of(recipe))
                    self.assertEqual(got, wanted)
                    self.assertEqual([list(row) for row in got], [list(row) for row in wanted])
                    self.assertEqual(manifest["selected"], made.episodes)
                    left_out = [manifest[why]["found"] for why in ("evaluation", "duplicates") if manifest[why]["left_out"]]
                    self.assertLessEqual(max(left_out, default=0), sum(made.left_out.values()))
                    self.assertLessEqual(sum(made.left_out.values()), sum(left_out) + manifest["across"]["found"])
                self.assertEqual([list(row) for row in got], [[column.name for column in made.columns]] * len(got))

    def test_something_is_left_out_where_a_build_leaves_it_out(self):
        self.assertEqual({"evaluation": 1, "duplicates": 0, "across": 0}, rows(select(tasks="DistributionShift", difficulty="easy", split="train")).left_out)
        twice = rows(select(tasks="LightsOut", difficulty="easy", seeds="1998089763,3,26"), duplicates="drop")
        self.assertEqual({"evaluation": 1, "duplicates": 1, "across": 0}, twice.left_out)
        self.assertEqual({1}, {row["episode_id"] for row in twice})

    def test_episodes_that_begin_like_one_to_evaluate_with_are_left_out_and_counted(self):
        maze = {"tasks": "MazeNavigation", "difficulty": "easy"}
        chosen = select(**maze, split="train", count=60)
        made = rows(chosen, "trajectories", modes="state")
        self.assertGreater(made.left_out["across"], 0)
        begins = {row["episode_id"]: row["state_render"][0] for row in rows(chosen, "trajectories", modes="state", evaluation="keep")}
        to_evaluate = {row["state_render"][0] for row in rows(select(**maze), "trajectories", modes="state")}
        missing = set(begins) - {row["episode_id"] for row in made}
        self.assertEqual({i for i in begins if begins[i] in to_evaluate}, missing)
        self.assertEqual(len(missing), sum(made.left_out.values()))
        self.assertEqual(60, len(begins))

    def test_the_observer_acts_unless_somebody_else_is_named(self):
        self.assertEqual({"observer"}, {row["oracle"] for row in rows(TRAIN)})
        self.assertEqual({"observer"}, {episode.agent for episode in rollouts(select(**TRAIN))})
        self.assertEqual("observer", json.loads(rows(TRAIN).recipe)["oracle"])

    def test_no_recipe_starts_a_program(self):
        with tempfile.TemporaryDirectory() as folder:
            for call in (lambda: rows({**TRAIN, "oracle": "exec:false"}), lambda: build({**TRAIN, "oracle": "exec:false"}, f"{folder}/x"),
                         lambda: next(rollouts(select(**TRAIN), agent="exec:false")), lambda: rows({**TRAIN, "oracle": "plugin:./bot.so"}),
                         lambda: next(rollouts(select(**TRAIN), agent="plugin:./bot.so"))):
                with self.assertRaisesRegex(InvalidError, "start no programs"):
                    call()
            self.assertEqual(os.listdir(folder), [])

    def test_what_a_policy_played_becomes_a_dataset(self):
        with tempfile.TemporaryDirectory() as folder:
            tapes = Path(folder, "tapes.jsonl")
            played = list(rollouts(select(**FEW), agent=lambda obs, info: info["valid_actions"][-1]))
            tapes.write_text("".join(episode.tape + "\n" for episode in played))
            recipe = {"oracle": f"tapes:{tapes}", "labels": "observer"}
            manifest = build(recipe, f"{folder}/set")
            verify(f"{folder}/set", again=True)
            self.assertEqual(len(played), manifest["recorded"]["tapes"])
            path = Path(folder, "recipe.json")
            path.write_text(json.dumps(recipe))
            self.assertEqual(list(rows(recipe)), list(rows(path)))
            self.assertEqual(list(rows(recipe)), list(rows(json.loads(rows(path).recipe))))
            self.assertEqual([episode.actions.tolist() for episode in played],
                             [row["actions"] for row in rows(recipe, "trajectories")])

    def test_a_result_becomes_a_dataset(self):
        from seedbed.evaluation import evaluate

        def policy(obs, info):
            return info["valid_actions"][-1]

        with tempfile.TemporaryDirectory() as folder:
            path, chosen = f"{folder}/result.json", select(tasks="PreciseNavigation", split="train", count=3)
            evaluate(policy, chosen, output=path)
            Path(folder, "tapes.jsonl").write_text("".join(episode.tape + "\n" for episode in rollouts(chosen, agent=policy)))
            manifest = build({"oracle": f"tapes:{path}", "labels": "observer"}, f"{folder}/set")
            self.assertEqual({"tapes": len(chosen)}, {"tapes": manifest["recorded"]["tapes"]})
            self.assertEqual(lines_of(f"{folder}/set", "steps"), list(rows({"oracle": f"tapes:{path}"}, labels="observer", jobs=2)))
            played = [[row[key] for key in ("name", "actions", "success", "return")] for row in rows({"oracle": f"tapes:{folder}/tapes.jsonl"}, "trajectories")]
            self.assertEqual(played, [[row[key] for key in ("name", "actions", "success", "return")] for row in rows({"oracle": f"tapes:{path}"}, "trajectories")])
            for call in (lambda: rows(path), lambda: build(path, f"{folder}/other")):
                with self.assertRaisesRegex(InvalidError, f"no recipe.*tapes:{path}"):
                    call()

    def test_columns_have_the_types_that_they_say(self):
        types_ = {"string": str, "int64": int, "uint64": int, "float64": float, "bool": bool, "message": dict}
        for recipe in RECIPES:
            made = rows(recipe)
            for row in made:
                for column in made.columns:
                    values = row[column.name] if column.is_list else [row[column.name]]
                    for value in values if values is not None else []:
                        self.assertTrue(value is None or type(value) is types_[column.type], (column, value))

    # What `torch.utils.data.default_collate` makes batches of: numbers, texts, and dicts and lists of the same make in all rows.
    def collate(self, values):
        self.assertEqual(len({type(value) for value in values}), 1, values[:3])
        if isinstance(values[0], dict):
            self.assertEqual(len({tuple(value) for value in values}), 1)
            return {key: self.collate([value[key] for value in values]) for key in values[0]}
        if isinstance(values[0], list):
            self.assertEqual(len({len(value) for value in values}), 1)
            return [self.collate(list(column)) for column in zip(*values)]
        self.assertIn(type(values[0]), (int, float, bool, str))
        if type(values[0]) is int:
            self.assertLess(max(values), 2**63, "a tensor holds it")
        return values

    def test_rows_of_steps_and_of_chat_can_be_collated(self):
        for recipe in ({**TRAIN, "failures": "keep"}, {**TRAIN, "epsilon": 0.3, "labels": "observer"}, ROOMS, {"family": "arc", "difficulty": "intro", "tasks": "Echo", "count": 2},
                       {"names": [f"GoTo#{2**63 - 1}", "GoTo#1"]}):
            for format_ in ("steps", {"format": "chat", "style": "prompt"}, {"format": "chat", "style": "prompt_messages"}):
                made = list(rows(recipe, format_))
                self.assertEqual(list(self.collate(made)), list(made[0]))
        last = [row["final_ascii_render"] for row in rows(TRAIN) if row["done"]]
        self.assertTrue(all(last))
        self.assertEqual({row["final_ascii_render"] for row in rows(TRAIN) if not row["done"]}, {""})

    def test_seeds_that_no_column_of_integers_holds_are_refused(self):
        large = {"names": [f"GoTo#{2**63}"]}
        for format_ in ("steps", "trajectories"):
            with self.assertRaisesRegex(InvalidError, "the seed 9223372036854775808 does not fit into a column of integers"):
                rows(large, format_)
        self.assertEqual(next(iter(rows(large, "chat")))["name"], f"babyai:GoTo#{2**63}")
        self.assertEqual(next(iter(rows({**large, "defaults": 2})))["seed"], 2**63)

    def test_a_selection_with_options_is_the_recipe(self):
        chosen = select(**TRAIN)
        self.assertEqual(list(rows({**TRAIN, "formats": [{"format": "chat", "style": "prompt_messages"}], "modes": "ascii,language", "epsilon": 0.2})),
                         list(rows(chosen, "chat", style="prompt_messages", modes=["ascii", "language"], epsilon=0.2)))
        self.assertEqual(list(rows(chosen)), list(rows(select(names=list(chosen)))))
        self.assertEqual(list(rows(TRAIN, "trajectories")), list(rows(chosen, {"format": "trajectories"})))
        pack = derive_pack("mine", tasks="PreciseNavigation", count=2)
        self.assertEqual(list(rows(pack)), list(rows(pack.selection())))

    def test_rows_of_a_format_and_of_a_recipe_are_told_apart(self):
        """Both have a key of this name: a text is the format's, a number the recipe's budget, an object the recipe's rules."""
        for value in ("episode", "step"):
            self.assertEqual(list(rows({**TRAIN, "formats": [{"format": "chat", "rows": value}]})), list(rows(select(**TRAIN), "chat", rows=value)))
        for value in (7, {"duplicates": "drop"}):
            self.assertEqual(list(rows({**TRAIN, "format": "chat", "rows": value})), list(rows(select(**TRAIN), "chat", rows=value)))

    def test_a_recipe_in_a_file_is_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "recipe.json")
            path.write_text(json.dumps(TRAIN))
            self.assertEqual(list(rows(TRAIN)), list(rows(path)))
            self.assertEqual(list(rows(TRAIN)), list(rows(json.loads(rows(path).recipe))))

    def test_recorded_tapes_have_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            build(TRAIN, f"{folder}/one")
            recipe = {"oracle": f"tapes:{next(Path(folder, 'one').glob('tapes-*'))}", "labels": "expert"}
            build(recipe, f"{folder}/two")
            whole = list(rows(recipe, jobs=2))
            self.assertEqual(lines_of(f"{folder}/two", "steps"), whole)
            self.assertEqual([row for row in whole if row["episode_id"] % 3 == 1], list(rows(recipe).shard(1, 3)))

    def test_arrays_are_those_of_the_archive(self):
        import numpy

        with tempfile.TemporaryDirectory() as folder:
            recipe = {**TRAIN, "format": "npz", "labels": "expert"}
            build(recipe, folder, jobs=1, force=True)
            archive = numpy.load(next(Path(folder).glob("*.npz")))
            episodes, ends = list(rows(recipe)), archive["offsets"]
            self.assertEqual(len(ends) - 1, len(episodes))
            self.assertIsNone(rows(recipe).columns)
            for key in set(archive.files) - {"offsets"}:
                for i, arrays in enumerate(episodes):
                    by_step = arrays[key].ndim == archive[key].ndim
                    wanted = archive[key][ends[i]:ends[i + 1]] if by_step else archive[key][i]
                    numpy.testing.assert_array_equal(arrays[key], wanted)
                    self.assertEqual(arrays[key].dtype, archive[key].dtype)
            self.assertRaises(InvalidError, rows(recipe).to_hf)
            self.assertEqual([len(a["actions"]) for a in episodes[1::2]], [len(a["actions"]) for a in rows(recipe).shard(1, 2)])

    def test_shards_and_ranges_partition(self):
        made = rows(TRAIN)
        whole = list(made)
        self.assertEqual(whole, list(made))
        for n in (1, 2, 5, 100):
            parts = [list(made.shard(i, n)) for i in range(n)]
            for i, part in enumerate(parts):
                self.assertEqual([row for row in whole if row["episode_id"] % n == i], part)
        self.assertEqual([row for row in whole if row["episode_id"] % 6 == 5], list(made.shard(1, 2).shard(2, 3)))
        self.assertEqual([row for row in whole if 3 <= row["episode_id"] < 8], list(rows(TRAIN, start=3, stop=8)))
        self.assertEqual([], list(rows(TRAIN, start=10**6)))
        for wrong in ((2, 2), (-1, 2), (0, 0), ("a", 2)):
            self.assertRaises(InvalidError, made.shard, *wrong)

    def test_an_iteration_goes_on_where_it_stood(self):
        for made in (rows(TRAIN, jobs=2), rows(TRAIN).shard(1, 3), rows(TRAIN, "trajectories"), rows(TRAIN, "npz")):
            whole = list(made)
            for stop in [0, 1, 2, *random.Random(1).sample(range(len(whole)), min(5, len(whole))), len(whole)]:
                iterator = iter(made)
                for _ in range(stop):
                    next(iterator)
                state = json.loads(json.dumps(made.state_dict()))
                again = pickle.loads(pickle.dumps(made))
                again.load_state_dict(state)
                self.assertEqual(state, again.state_dict())
                rest = list(again)
                self.assertEqual(len(whole) - stop, len(rest))
                if made.columns:
                    self.assertEqual(whole[stop:], rest)
                    self.assertEqual(whole, list(again))
        half = rows(TRAIN).shard(0, 2)
        for wrong in ({"episode": 1, "row": 0}, {"episode": -1, "row": 0}, {"episode": 10**30, "row": 0}, {"episode": 0}, {"episode": 0, "row": "a"}):
            here = {key: value for key, value in half.state_dict().items() if key not in ("episode", "row")}
            self.assertRaisesRegex(InvalidError, "episode|row", half.load_state_dict, {**here, **wrong})

    def test_a_position_is_refused_by_all_other_rows(self):
        """Rows of another recipe, format, range or share of the same episodes would be lost, or come twice."""
        made = {"whole": rows(TRAIN), "two": rows({**TRAIN, "difficulty": "medium"}), "chat": rows(TRAIN, "chat"), "styled": rows(TRAIN, "chat", style="prompt"),
                "half": rows(TRAIN).shard(0, 2), "other half": rows(TRAIN).shard(1, 2), "third": rows(TRAIN).shard(0, 3), "range": rows(TRAIN, start=1),
                "drawn": rows(TRAIN, epsilon=0.5)}
        for key, one in made.items():
            for other, another in made.items():
                if key == other:
                    another.load_state_dict(json.loads(json.dumps(one.state_dict())))
                else:
                    with self.assertRaisesRegex(InvalidError, "this position is of other rows", msg=f"{key}, {other}"):
                        another.load_state_dict(one.state_dict())
        with self.assertRaisesRegex(InvalidError, "other rows: its `recipe` is None"):
            made["whole"].load_state_dict({"episode": 0, "row": 0})

    def test_pickles_and_copies_are_the_recipe_and_the_range(self):
        made = rows(TRAIN, jobs=2).shard(1, 2)
        next(iter(made))
        for again in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
            self.assertEqual(list(made), list(again))
            self.assertEqual(made.episodes, again.episodes)

    def test_work_in_other_processes(self):
        for way in ("fork", "spawn"):
            context = multiprocessing.get_context(way)
            with context.Pool(2) as pool:
                self.assertEqual([list(rows(TRAIN).shard(i, 3)) for i in range(3)], pool.map(list, [rows(TRAIN).shard(i, 3) for i in range(3)]))

    def test_an_iterator_stays_in_its_process_and_thread(self):
        iterator = iter(rows(TRAIN, jobs=2))
        next(iterator)
        pid = os.fork()
        if pid == 0:
            code = 8
            try:
                for _ in range(10**6):  # its threads are not in the child, which must not wait for them
                    next(iterator)
            except Error:
                del iterator
                code = 7 if list(rows(TRAIN, jobs=2)) else 9
            finally:
                os._exit(code)
        self.assertEqual(7, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        self.assertGreater(len(list(iterator)), 10)

    def test_threads_have_iterators_of_their_own(self):
        wanted, got = list(rows(TRAIN)), {}
        threads = [threading.Thread(target=lambda i=i: got.setdefault(i, list(rows(TRAIN, jobs=2)))) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([wanted] * 4, [got[i] for i in range(4)])

    def test_wrong_recipes_are_errors(self):
        chosen = select(**TRAIN)
        for error, call in [(InvalidError, lambda: rows(5)), (InvalidError, lambda: rows({"nix": 1})), (UnknownError, lambda: rows(chosen, "nix")),
                            (InvalidError, lambda: rows(chosen, "steps", style="a")), (InvalidError, lambda: rows(chosen, epsilon=2)),
                            (InvalidError, lambda: rows(chosen, epsilon=float("nan"))), (InvalidError, lambda: rows(chosen, reward="x")),
                            (UnknownError, lambda: rows(chosen, modes="nix")), (InvalidError, lambda: rows(chosen, agent={1: 2})),
                            (InvalidError, lambda: rows({"formats": ["steps", "chat"]})), (InvalidError, lambda: rows(chosen, jobs=2, start=-1)),
                            (InvalidError, lambda: iter(rows(chosen, jobs=-1))), (InvalidError, lambda: iter(rows(chosen, jobs=10**9))),
                            (InvalidError, lambda: iter(rows(chosen, jobs="a"))), (OSError, lambda: rows("/nowhere/recipe.json")),
                            (InvalidError, lambda: rows(chosen, filter={"nix": 1})), (InvalidError, lambda: rows(chosen, x=object())),
                            (InvalidError, lambda: iter(rows(chosen, "seedpack"))), (InvalidError, lambda: rows(chosen[:0]))]:
            with self.assertRaises(error):
                call()
        self.assertRaisesRegex(InvalidError, "^jobs: a whole number", rows, chosen, jobs=-1)

    @unittest.skipUnless(importlib.util.find_spec("datasets"), "datasets is not installed")
    def test_hugging_face_streams_them(self):
        from datasets.distributed import split_dataset_by_node

        for recipe in RECIPES[:4]:
            made = rows(recipe)
            stream = made.to_hf(shards=5)
            self.assertEqual(list(made), list(stream))
            self.assertEqual(5, stream.num_shards)
            self.assertEqual([column.name for column in made.columns], list(stream.features))
        parts = [split_dataset_by_node(stream, rank=i, world_size=5) for i in range(5)]
        self.assertEqual(list(made), [row for part in parts for row in part])
        self.assertEqual(list(made)[7:], list(stream.skip(7)))
        self.assertEqual(sorted(map(json.dumps, made)), sorted(map(json.dumps, stream.shuffle(seed=1, buffer_size=10))))
        self.assertEqual("uint64", rows(RECIPES[-1]).features()["seed"].dtype)
        self.assertEqual(2**64 - 1, next(iter(rows(RECIPES[-1]).to_hf()))["seed"])

    def test_torch_shares_them_out_among_workers(self):
        data, info = types.ModuleType("torch.utils.data"), []
        data.IterableDataset, data.get_worker_info = object, lambda: info[-1] if info else None
        modules = {"torch": types.ModuleType("torch"), "torch.utils": types.ModuleType("torch.utils"), "torch.utils.data": data}
        with unittest.mock.patch.dict(sys.modules, modules):
            made = rows(TRAIN)
            self.assertEqual(list(made), list(made.to_torch()))
            got = []
            for i in range(3):
                info.append(types.SimpleNamespace(id=i, num_workers=3))
                mine = pickle.loads(pickle.dumps(made.to_torch()))
                iterator = iter(mine)
                first = next(iterator)
                again = pickle.loads(pickle.dumps(mine))
                again.load_state_dict(mine.state_dict())
                self.assertEqual(list(iterator), rest := list(again))
                got += [first, *rest]
            self.assertEqual(sorted(map(json.dumps, made)), sorted(map(json.dumps, got)))
            sys.modules.pop("seedbed._torch")


class Rollouts(unittest.TestCase):
    def same(self, a, b):
        for field in Episode.__dataclass_fields__:
            self.assertEqual(plain(getattr(a, field)), plain(getattr(b, field)), field)

    def test_come_in_order_and_do_not_depend_on_jobs(self):
        chosen = select(**TRAIN)
        one = list(rollouts(chosen, epsilon=0.2, label="expert", intents=True, obs=["ascii", "state", "arrays"]))
        self.assertEqual(list(chosen), [episode.name for episode in one])
        for jobs in (3, 0):
            for a, b in zip(one, rollouts(chosen, epsilon=0.2, label="expert", intents=True, obs=["ascii", "state", "arrays"], jobs=jobs), strict=True):
                self.same(a, b)
        self.assertEqual([episode.tape for episode in rollouts(chosen)], [episode.tape for episode in rollouts(list(chosen))])

    def test_are_the_rows_of_the_same_recipe(self):
        for options in ({}, {"reward": "dense"}, {"epsilon": 0.4}, {"label": "observer", "agent": "random"}):
            recipe = {"evaluation": "keep", "failures": "keep", **{{"label": "labels", "agent": "oracle"}.get(key, key): value for key, value in options.items()}}
            made = rows({**TRAIN, **recipe})
            by_episode = {}
            for row in made:
                by_episode.setdefault(row["name"], []).append(row)
            for episode in rollouts(select(**TRAIN), **options):
                mine = by_episode[episode.name]
                self.assertEqual((episode.steps, episode.agent, episode.success), (len(mine), mine[0]["oracle"], mine[0]["success"]))
                self.assertEqual(episode.actions.tolist(), [row["action_int"] for row in mine])
                self.assertEqual(episode.rewards.tolist(), [row["reward"] for row in mine])
                self.assertEqual((episode.terminated, episode.truncated), (mine[-1]["terminated"], mine[-1]["truncated"]))
                self.assertEqual(episode.dense_total if options.get("reward") else episode.total, mine[0]["return"])
                self.assertEqual(["ascii", "language"], list(episode.observations))
                for mode, seen in episode.observations.items():
                    self.assertEqual(seen, [row[f"{mode}_render"] for row in mine] + [mine[-1][f"final_{mode}_render"]])
                if "label" in options or "epsilon" in options:
                    key = "label_int"
                    self.assertEqual(episode.labels.tolist(), [row[key] for row in mine])
                else:
                    self.assertIsNone(episode.labels)

    def test_observations_are_those_of_an_environment(self):
        from seedbed.env import make

        for names, obs in ((["KeyDoorPuzzle/medium#3", "KeyDoorPuzzle/easy#3", "PreciseNavigation/hard#4"], ["ascii", "state", "arrays", "terrain"]),
                           (["GoTo#5"], ["view7", "arrays", "ascii"])):
            for episode in rollouts(select(names=names), agent="random", obs=obs):
                env = make(episode.name, obs=obs)
                seen, _ = env.reset()
                for i, action in enumerate([*episode.actions.tolist(), None]):
                    for mode in obs:
                        mine = episode.observations[mode]
                        mine = {key: value[i] for key, value in mine.items()} if mode == "arrays" else mine[i]
                        self.assertEqual(plain(mine), plain(seen[mode]))
                    if action is not None:
                        seen, reward, *_ = env.step(action)
                        self.assertEqual(reward, episode.rewards[i])

    def test_replays_are_the_same_episodes(self):
        for options in ({}, {"label": "expert"}, {"label": "expert", "intents": True}, {"agent": "random", "obs": "arrays"}):
            for episode in rollouts(select(**TRAIN)[::5], **options):
                said = {key: value for key, value in options.items() if key != "agent"}
                self.same(episode, replay(episode.tape, **said))
        noisy = next(iter(rollouts(select(**TRAIN), epsilon=0.5, intents=True)))
        self.same(noisy, replay(noisy.tape))
        self.assertRaises(MismatchError, replay, noisy.tape.replace(f'"actions": [{noisy.actions[0]}', f'"actions": [{(noisy.actions[0] + 1) % 6}'))
        for wrong in ("", "{}", "[1]", "\0", "{" * 100):
            self.assertRaises(InvalidError, replay, wrong)
        self.assertRaises(InvalidError, replay, None)

    def test_policies_play(self):
        class Policy:
            def __init__(self):
                self.begun = []

            def reset(self, obs, info):
                self.begun.append(obs)

            def act(self, obs, info):
                return 1

        chosen, policy = select(**FEW), Policy()
        played = list(rollouts(chosen, agent=policy, obs=["ascii"], label="expert"))
        self.assertEqual(list(chosen), [episode.name for episode in played])
        self.assertEqual([{"ascii": e.observations["ascii"][0]} for e in played], policy.begun)
        self.assertEqual({1}, {action for episode in played for action in episode.actions.tolist()})
        called = list(rollouts(chosen, agent=lambda obs, info: 1, obs=["ascii"], label="expert"))
        for a, b in zip(played, called, strict=True):
            self.same(a, b)
        self.assertRaises(InvalidError, rollouts, chosen, agent=policy, epsilon=0.5)
        self.assertRaises(ZeroDivisionError, next, rollouts(chosen, agent=lambda obs, info: 1 // 0))

    def test_only_successes_are_kept_where_that_is_asked_for(self):
        chosen = select(**TRAIN)
        everything = list(rollouts(chosen, agent="random"))
        kept = list(rollouts(chosen, agent="random", keep="success"))
        self.assertEqual([e.name for e in everything if e.success], [e.name for e in kept])
        self.assertLess(len(kept), len(everything))

    def test_wrong_arguments_are_errors(self):
        chosen = select(**TRAIN)
        for error, options in [(UnknownError, {"agent": "nix"}), (UnknownError, {"label": "nix"}), (InvalidError, {"reward": "x"}),
                               (InvalidError, {"keep": "x"}), (InvalidError, {"epsilon": 2}), (InvalidError, {"obs": "flat"}), (InvalidError, {"obs": "nix"}),
                               (InvalidError, {"jobs": -1}), (TypeError, {"nix": 1}), (InvalidError, {"agent": "tapes:x"}), (TypeError, {"obs": 5})]:
            with self.subTest(options=options), self.assertRaises(error):
                list(rollouts(chosen, **options))
        self.assertRaises(InvalidError, rollouts, ["PreciseNavigation/easy"])
        self.assertRaises(InvalidError, rollouts, 5)
        self.assertRaises(InvalidError, rollouts, select(names=["PreciseNavigation/easy#1", "GoTo#1"]))
        self.assertEqual([], list(rollouts(chosen[:0])))

    def test_episodes_is_a_sequence_that_plays_on_demand(self):
        chosen = select(**TRAIN)
        whole, wanted = Episodes(chosen, obs="ascii", jobs=2), list(rollouts(chosen, obs="ascii"))
        self.assertEqual(len(chosen), len(whole))
        for i in (0, 5, -1):
            self.same(wanted[i], whole[i])
        for a, b in zip([wanted[3], wanted[1], wanted[3]], whole.__getitems__([3, 1, 3]), strict=True):
            self.same(a, b)
        self.same(wanted[4], pickle.loads(pickle.dumps(whole))[2:][2])
        self.assertRaises(IndexError, lambda: whole[len(whole)])
        self.assertRaises(TypeError, Episodes, chosen, nix=1)
        self.assertRaises(UnknownError, Episodes(chosen, agent="nix").__getitem__, 0)

    def test_iterators_that_are_left_free_what_they_hold(self):
        chosen = select(tasks="KeyDoorPuzzle", split="train", count=200)

        def threads():
            return threading.active_count(), len(os.listdir("/proc/self/task"))

        before = threads()
        for _ in range(20):
            next(rollouts(chosen, jobs=3))
            next(iter(rows(chosen, jobs=3)))
        until = time.monotonic() + 10
        while threads() != before and time.monotonic() < until:  # a thread that has ended is listed for another moment
            time.sleep(0.01)
        self.assertEqual(before, threads())


class Files(unittest.TestCase):
    @unittest.skipUnless(COMMAND, "SEEDBED names no command")
    def test_builds_are_the_commands_bytes(self):
        for recipe in RECIPES[:6]:
            recipe = {**recipe, "shard_episodes": 16}
            with tempfile.TemporaryDirectory() as folder:
                Path(folder, "recipe.json").write_text(json.dumps(recipe))
                subprocess.run([COMMAND, "build", f"{folder}/recipe.json", "-o", f"{folder}/theirs", "--quiet"], check=True)
                manifest = build(recipe, f"{folder}/mine", jobs=3)
                names = sorted(os.listdir(f"{folder}/theirs"))
                self.assertEqual(names, sorted(os.listdir(f"{folder}/mine")))
                self.assertEqual((names, [], []), filecmp.cmpfiles(f"{folder}/theirs", f"{folder}/mine", names, shallow=False))
                self.assertEqual(manifest, json.loads(Path(folder, "theirs/manifest.json").read_text()))

    def test_tasks_with_nothing_left_are_warned_of(self):
        recipe = {"tasks": "GoToGoal,KeyDoorPuzzle", "difficulty": "easy", "split": "train", "count": 5, "format": "steps"}
        with tempfile.TemporaryDirectory() as folder, \
             self.assertWarnsRegex(UserWarning, r"5 of 10 episodes are left; .* nothing is left of GoToGoal-v0/easy$") as caught:
            manifest = build(recipe, f"{folder}/d")
        self.assertEqual((manifest["episodes"], os.path.basename(caught.filename)), (5, "test_data.py"))

    def test_a_dataset_without_rows_is_there_and_is_an_error(self):
        recipe = {"names": ["PreciseNavigation/easy#1"], "filter": {"min_steps": 999}}
        with tempfile.TemporaryDirectory() as folder:
            for resume in (False, True):
                self.assertRaisesRegex(MismatchError, "no episode of 1 has rows, .* nothing to learn from; 1 ", build, recipe, f"{folder}/d", resume=resume)
            self.assertTrue(Path(folder, "d/manifest.json").exists())
            verify(f"{folder}/d")
            lost = {"names": ["PreciseNavigation/easy#1"], "oracle": "random", "failures": "drop"}
            self.assertRaisesRegex(MismatchError, r'\("failures": "keep" keeps what failed\)$', build, lost, f"{folder}/lost")

    def test_what_is_worth_knowing_is_warned_of(self):
        recipe = {"names": ["KeyDoorPuzzle/easy#1"], "formats": [{"format": "chat", "user": "{image}", "pixels": {"look": "isometric", "size": 64}}]}
        with tempfile.TemporaryDirectory() as folder:
            with self.assertWarnsRegex(UserWarning, "format chat: in pictures of this size not every number and sign can be told") as caught:
                build(recipe, f"{folder}/d")
            self.assertEqual(os.path.basename(caught.filename), "test_data.py")
            Path(folder, "d/thesis.tex").write_text("")
            with self.assertWarnsRegex(UserWarning, "^`thesis.tex` is in the folder but not part of the dataset$") as caught:
                verify(f"{folder}/d")
            self.assertEqual(os.path.basename(caught.filename), "test_data.py")
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                self.assertRaisesRegex(UserWarning, "pictures of this size", build, recipe, f"{folder}/two")
                self.assertRaisesRegex(UserWarning, "thesis.tex", verify, f"{folder}/d")

    def test_messages_name_arguments_and_leave_commands_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            build(FEW, f"{folder}/d")
            self.assertRaisesRegex(InvalidError, "force=True", build, FEW, f"{folder}/d")
            Path(folder, "d/rendering.jsonl").write_text("")
            for call in (lambda: build(FEW, f"{folder}/d", resume=True), lambda: verify(f"{folder}/d")):
                self.assertRaisesRegex(MismatchError, "continue it with `seedbed render [^ `]*/d --resume`$", call)

    def test_folders_that_were_made_go_with_a_build_that_fails(self):
        nothing = {"tasks": "GoToGoal", "difficulty": "easy", "split": "train", "count": 5}
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "there").mkdir()
            for path in ("d", "a/b/d", "a//b/d/", "a/./b/../d", "there", "there/a/d", "there/" + 20 * "x" + "/" + 300 * "y"):
                self.assertRaises((InvalidError, OSError), build, nothing, f"{folder}/{path}")
                self.assertEqual(([name for name in os.listdir(folder)], os.listdir(f"{folder}/there")), (["there"], []), path)
            build(FEW, f"{folder}/a/b/d")
            self.assertTrue(Path(folder, "a/b/d/manifest.json").exists())

    def test_progress_is_told_and_may_stop_a_build_that_then_resumes(self):
        with tempfile.TemporaryDirectory() as folder:
            told, recipe = [], {**TRAIN, "count": 40, "shard_episodes": 16}
            whole = build(recipe, f"{folder}/whole", progress=lambda done, total: told.append((done, total)))
            self.assertEqual([(min(i, 160), 160) for i in range(16, 161, 16)], told)

            def stop(done, total):
                if done >= 100:
                    raise ZeroDivisionError

            self.assertRaises(ZeroDivisionError, build, recipe, f"{folder}/part", progress=stop)
            self.assertFalse(Path(folder, "part/manifest.json").exists())
            self.assertRaises((InvalidError, OSError), build, recipe, f"{folder}/part")
            self.assertEqual(whole, build(recipe, f"{folder}/part", resume=True))
            verify(f"{folder}/part")

    def test_a_build_can_be_interrupted(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(KeyboardInterrupt):
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            build({"tasks": "KeyDoorPuzzle", "split": "mine", "count": 200000}, folder, jobs=1, force=True)

    def test_a_budget_of_characters_is_the_commands(self):
        recipe = {**TRAIN, "count": 40, "order": "drawn", "budget": {"characters": 40_000}}
        with tempfile.TemporaryDirectory() as folder:
            build(recipe, f"{folder}/one")
            verify(f"{folder}/one")
            self.assertEqual(lines_of(f"{folder}/one", "steps"), list(rows(recipe)))

    @unittest.skipUnless(importlib.util.find_spec("tokenizers"), "not installed: tokenizers")
    def test_this_python_counts_a_budget_of_tokens(self):
        import tokenizers

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, {"PATH": ""}):
            model = tokenizers.Tokenizer(tokenizers.models.WordLevel({"?": 0}, unk_token="?"))
            model.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
            model.save(f"{folder}/tokenizer.json")
            recipe = {**TRAIN, "count": 40, "order": "drawn", "format": "chat", "budget": {"tokens": 2000, "tokenizer": f"{folder}/tokenizer.json"}}
            manifest = build(recipe, f"{folder}/one", jobs=2)
            found = lines_of(f"{folder}/one", "chat")
            amounts = {row["name"]: 0 for row in found}
            for row in found:
                amounts[row["name"]] += sum(len(message["content"].split()) for message in row["messages"])
            self.assertEqual(manifest["sections"][0]["tokens"], sum(amounts.values()))
            self.assertLess(sum(list(amounts.values())[:-1]), 2000)
            self.assertGreaterEqual(sum(amounts.values()), 2000)
            self.assertEqual(found, list(rows(recipe)))
            verify(f"{folder}/one", tokenizer=Path(folder, "tokenizer.json"))
            with self.assertWarnsRegex(UserWarning, "^its tokens were not counted again: name the tokenizer.json with tokenizer=$"):
                verify(f"{folder}/one")
            self.assertRaisesRegex(InvalidError, "tokenizer.json with tokenizer=$", build, manifest["recipe"], f"{folder}/two")
            build(manifest["recipe"], f"{folder}/two", tokenizer=Path(folder, "tokenizer.json"))
            self.assertTrue(filecmp.cmp(f"{folder}/one/manifest.json", f"{folder}/two/manifest.json", shallow=False))
            self.assertRaises(InvalidError, verify, f"{folder}/one", tokenizer=f"{folder}/one/manifest.json")
            if importlib.util.find_spec("pyarrow"):
                from seedbed.parquet import to_parquet

                self.assertTrue(list(to_parquet(f"{folder}/one").glob("chat-*.parquet")))

    def test_wrong_builds_are_errors_and_leave_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            for error, recipe, options in [(InvalidError, {"nix": 1}, {}), (UnknownError, {"tasks": "Nix"}, {}), (InvalidError, TRAIN, {"jobs": -1}),
                                           (TypeError, TRAIN, {"nix": 1}), (InvalidError, 5, {}), (OSError, f"{folder}/nope.json", {}),
                                           (InvalidError, {"names": [Path("x")]}, {})]:
                self.assertRaises(error, build, recipe, f"{folder}/set", **options)
                self.assertFalse(Path(folder, "set/manifest.json").exists())

    def test_anything_is_verified_and_faults_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            build(TRAIN, f"{folder}/set")
            derive_pack("mine", tasks="PreciseNavigation", count=3).save(f"{folder}/pack.json")
            Path(folder, "tapes.jsonl").write_text("".join(episode.tape + "\n" for episode in rollouts(select(**TRAIN))))
            for path in ("set", "pack.json", "tapes.jsonl"):
                verify(f"{folder}/{path}", jobs=2)
            verify(Path(folder, "set"), again=True)
            self.assertRaises(InvalidError, verify, f"{folder}/pack.json", again=True)
            self.assertRaises(OSError, verify, f"{folder}/nope")
            manifest = Path(folder, "set/manifest.json")
            manifest.write_text(re.sub(r'"successes": \d+', '"successes": 1', manifest.read_text(), count=1))
            self.assertRaises(Error, verify, f"{folder}/set")
            tapes = Path(folder, "tapes.jsonl")
            tapes.write_text(tapes.read_text().replace('"success": true', '"success": false', 1))
            self.assertRaises(Error, verify, tapes)

    def test_parquet_files_hold_the_rows(self):
        try:
            import pyarrow.parquet
        except ImportError:
            self.skipTest("no pyarrow that goes with this NumPy is installed")

        from seedbed.parquet import to_parquet

        with tempfile.TemporaryDirectory() as folder:
            for i, recipe in enumerate(RECIPES):
                source = Path(folder, str(i))
                build({"shard_episodes": 16, **recipe}, source)
                out = to_parquet(source)
                self.assertEqual(source.with_name(f"{i}-parquet"), out)
                tables = [pyarrow.parquet.read_table(path) for path in sorted(out.glob(f"{name_of(recipe)}-*.parquet"))]
                self.assertEqual(list(rows(recipe)), [row for table in tables for row in table.to_pylist()])
                self.assertEqual(len(list(source.glob(f"{name_of(recipe)}-*"))), len(tables))
                self.assertIn(f'path: "{name_of(recipe)}-*.parquet"', Path(out, "README.md").read_text())
                self.assertRaises(InvalidError, to_parquet, source)
            self.assertRaises(OSError, to_parquet, f"{folder}/nope")
            build({**TRAIN, "format": "npz"}, f"{folder}/arrays")
            self.assertRaises(InvalidError, to_parquet, f"{folder}/arrays")

    @unittest.skipUnless(importlib.util.find_spec("datasets") and importlib.util.find_spec("pyarrow"), "datasets is not installed")
    def test_the_hub_s_library_loads_parquet_with_the_same_features(self):
        import datasets

        from seedbed.parquet import to_parquet

        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            build({**TRAIN, "formats": ["steps", "chat", "npz", "trajectories"]}, f"{folder}/set")
            out = to_parquet(f"{folder}/set", f"{folder}/out")
            self.assertEqual(["steps", "chat", "trajectories"], datasets.get_dataset_config_names(str(out)))
            for name in ("steps", "chat", "trajectories"):
                loaded = datasets.load_dataset(str(out), name, split="train", cache_dir=f"{folder}/cache")
                self.assertEqual(rows(TRAIN, name).features(), loaded.features)
                self.assertEqual(list(rows(TRAIN, name)), list(loaded))


class Command(unittest.TestCase):
    def run_module(self, *arguments, **options):
        return subprocess.run([sys.executable, "-m", "seedbed", *arguments], capture_output=True, check=False, **options)

    @unittest.skipUnless(COMMAND, "SEEDBED names no command")
    def test_is_the_same_program(self):
        for arguments in (["solve", "KeyDoorPuzzle/medium#42"], ["tasks", "--json"], ["nope"], ["solve", "Nix#1"], [], ["--version"],
                          ["show", "PreciseNavigation/easy#1"], ["verify", "/nowhere"]):
            mine, theirs = self.run_module(*arguments), subprocess.run([COMMAND, *arguments], capture_output=True, check=False)
            self.assertEqual((theirs.returncode, theirs.stdout, theirs.stderr), (mine.returncode, mine.stdout, mine.stderr))

    def test_takes_no_plugin(self):
        """Their calls bind to the program that loads them, and Python is another one."""
        with tempfile.TemporaryDirectory() as folder:
            train = ["--tasks", "PreciseNavigation", "--split", "train", "-n", "1", "-o", f"{folder}/x"]
            for arguments in (["eval", "PreciseNavigation/easy#1"], ["solve", "PreciseNavigation/easy#1"], ["build", *train]):
                done = self.run_module(*arguments, "--agent", "plugin:./bot.so")
                self.assertEqual(2, done.returncode, done.stderr)
                self.assertRegex(done.stderr.decode(), r"^seedbed: plugin:./bot.so: only the command `seedbed` plays with plugins.*\n$")

    def test_runs_in_a_program_again_and_again(self):
        script = ("import seedbed.data as d\nprint('one')\na = d.main(['solve', 'PreciseNavigation/easy#1'])\nprint('two')\n"
                  "b = d.main(['nope'])\nc = d.main(['solve', 'PreciseNavigation/easy#1'])\nprint(a, b, c)\n")
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        lines = done.stdout.splitlines()
        self.assertEqual(("one", "two", "0 2 0"), (lines[0], lines[2], lines[4]))
        self.assertEqual(lines[1], lines[3])
        self.assertRaises(TypeError, main, 5)
        self.assertRaises(TypeError, main, [5])
        self.assertRaises(ValueError, main, ["a\0b"])

    def test_ends_by_an_interrupt_as_programs_do(self):
        child = subprocess.Popen([sys.executable, "-m", "seedbed", "solve", "--split", "mine", "--count", "2000000", "--tasks", "KeyDoorPuzzle"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        child.send_signal(signal.SIGINT)
        self.assertEqual(-signal.SIGINT, child.wait(timeout=30))

    def test_ends_quietly_when_nobody_reads(self):
        child = subprocess.Popen([sys.executable, "-m", "seedbed", "tasks", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child.stdout.close()
        self.assertEqual(b"", child.stderr.read())
        child.stderr.close()
        child.wait(timeout=30)


if __name__ == "__main__":
    unittest.main()
