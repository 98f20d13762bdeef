"""Evaluation: the same results as the command's, whoever plays and however many play at once.

    SEEDBED=build/release/seedbed python -m unittest python/tests/test_evaluation.py

Label: output
"""
import contextlib
import gzip
import importlib.util
import itertools
import json
import math
import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import numpy
except ImportError:
    numpy = None

from seedbed._errors import ActionError, Error, FinishedError, InvalidError, MismatchError, UnknownError
from seedbed.evaluation import evaluate
from seedbed.results import load_result, merge_results, normalise
from seedbed.selection import select

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.environ.get("SEEDBED")
SALT = "00112233445566778899aabbccddeeff"

# What is asked for, and how the command is asked for the same.
REQUESTS = [
    ({"tasks": "GoToGoal", "count": 3}, ["--tasks", "GoToGoal", "--count", "3"]),
    ({"tasks": ["GoToGoal", "KeyDoorPuzzle"], "difficulty": ["easy", "hard"], "seeds": [7, 3]},
     ["--tasks", "GoToGoal,KeyDoorPuzzle", "--difficulty", "easy,hard", "--seeds", "7,3"]),
    ({"family": "babyai", "tasks": "GoToObj,PickupLoc", "seeds": "0..4"}, ["--family", "babyai", "--tasks", "GoToObj,PickupLoc", "--seeds", "0..4"]),
    ({"category": "navigation", "difficulty": "easy", "split": "train", "count": 2},
     ["--category", "navigation", "--difficulty", "easy", "--split", "train", "--count", "2"]),
    (["TagHunt/easy#5", "babyai:GoTo#3", "GoToGoal-v0/hard#1"], ["TagHunt/easy#5", "babyai:GoTo#3", "GoToGoal-v0/hard#1"]),
]
SOME = {"tasks": "GoToGoal,KeyDoorPuzzle,TagHunt", "difficulty": "easy,medium", "count": 4}


def command(*arguments, codes=(0,)):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode in codes, (arguments, done.returncode, done.stderr)
    return done.stdout


needs_command = unittest.skipUnless(COMMAND, "SEEDBED does not name the command")
needs_numpy = unittest.skipUnless(numpy, "NumPy is not there")


def wander(observation, info):
    """Remembers nothing: what it does follows from what it is told of the step."""
    return random.Random(f"{info['random_seed']} {info['step']} {observation}").choice(info["valid_actions"])


def wander_all(observations, infos):
    return [wander(observation, info) for observation, info in zip(observations, infos)]


class Wanderer:
    """Remembers its episode, in a list of its own."""

    def __init__(self):
        self.rewards = []

    def reset(self, observation, info):
        self.rewards.clear()
        self.chance = random.Random(info["random_seed"])

    def act(self, observation, info):
        self.rewards.append(info["reward"])
        assert len(self.rewards) == info["step"] + 1
        return self.chance.choice(info["valid_names"])


class Slotted:
    """Remembers every running episode, by its slot."""

    def __init__(self):
        self.chances = {}

    def act(self, observations, infos):
        for info in infos:
            if info["begins"]:
                self.chances[info["slot"]] = random.Random(info["random_seed"])
        return [self.chances[info["slot"]].choice(info["valid_names"]) for info in infos]


def played(result):
    """All of it but who played and with which numbers."""
    document = result.to_dict()
    return document["selection"], document["families"], document["episodes"]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def bytes_of(self, result):
        result.save(self.path("saved.json"))
        with open(self.path("saved.json"), "rb") as file:
            return file.read()

    def bytes_at(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()


@needs_command
class SameAsTheCommand(Case):
    def compare(self, agent, episodes, flags, here=(), there=(), codes=(0,)):
        """Bytes of the document and text of the table."""
        table = command("eval", "--agent", agent, *flags, *there, "-o", self.path("theirs.json"), codes=codes)
        result = evaluate(agent, episodes, **dict(here))
        self.assertEqual(self.bytes_of(result), self.bytes_at("theirs.json"))
        self.assertEqual(result.table(), table)
        return result

    def test_oracles_and_random_give_the_same_bytes(self):
        for agent, (episodes, flags) in itertools.product(["expert", "random"], REQUESTS):
            with self.subTest(agent=agent, flags=flags):
                result = self.compare(agent, episodes, flags, here={"jobs": 2})
                self.assertEqual(result.kind, "random" if agent == "random" else "oracle")

    def test_the_default_is_all_official_episodes(self):
        result = self.compare("random", None, [])
        self.assertEqual(len(result.episodes), 3700)
        self.assertIsNotNone(result.leaderboard.score)

    def test_budgets(self):
        tasks = "GoToGoal,KeyDoorPuzzle"
        for here, there in (({"budget": 20}, ["--budget", "20"]), ({"until": 0.25, "budget_seed": 3}, ["--until", "0.25", "--budget-seed", "3"])):
            with self.subTest(here=here):
                told = self.compare("random", {"tasks": tasks}, ["--tasks", tasks], here=here, there=there).budget
                self.assertEqual(told.of, 200)
                self.assertLess(told.drawn, 200)
                self.assertLessEqual(told.success.interval[0], told.success.score)
                self.assertGreaterEqual(min(told.probabilities.values()), 2 / 25)

    def test_a_budget_for_the_leaderboard(self):
        told = self.compare("random", None, ["--budget", "296", "--budget-for", "leaderboard"], here={"budget": 296, "budget_for": "leaderboard"},
                            there=[]).budget
        self.assertEqual((told.drawn, told.of, told.leaderboard is None), (296, 3700, False))

    def test_tapes(self):
        command("solve", "--tasks", "GoToGoal", "--count", "2", "-o", self.path("tapes.jsonl"))
        result = self.compare("tape:" + self.path("tapes.jsonl"), {"tasks": "GoToGoal", "count": 3},
                              ["--tasks", "GoToGoal", "--count", "3"], codes=(1,))
        self.assertEqual({episode.error.kind for episode in result.episodes if episode.error}, {"tape"})

    def test_programs(self):
        agent = f"exec:{shlex.quote(sys.executable)} {shlex.quote(os.path.join(ROOT, 'examples/agents/greedy.py'))}"
        flags = ["--tasks", "GoToGoal", "--count", "2"]
        self.compare(agent, {"tasks": "GoToGoal", "count": 2}, flags, {"salt": SALT}, ["--salt", SALT])
        lossy = self.compare(agent, {"tasks": "GoToGoal", "count": 2}, flags, {"salt": SALT, "max_steps": 3, "name": "short"},
                             ["--salt", SALT, "--max-steps", "3", "--name", "short"], codes=(1,))
        self.assertEqual(lossy.agent, "short")
        self.assertIn("steps", {episode.error.kind for episode in lossy.episodes if episode.error})

    def test_packs(self):
        command("seeds", "--split", "mine", "--count", "2", "--tasks", "GoToGoal", "-o", self.path("pack.json"))

        class Pack:
            def to_json(pack):
                return self.bytes_at("pack.json").decode()

        class Whole:
            pack = Pack()

        for episodes in (Pack(), Whole()):
            result = self.compare("random", episodes, ["--pack", self.path("pack.json")])
            self.assertEqual(len(result.episodes), 8)

    def test_what_to_json_says_is_asked_for(self):
        class Selection:
            def to_json(self):
                return json.dumps({"tasks": "GoToGoal", "count": 3})

        self.compare("random", Selection(), REQUESTS[0][1])

    def test_baselines_and_certificates(self):
        with open(os.path.join(ROOT, "evaluation/baseline.json"), encoding="utf-8") as file:
            text = file.read()
        with open(self.path("base.json"), "w", encoding="utf-8") as file:
            file.write(text.replace('"optimal": 1', '"optimal": 2'))
        episodes, flags = {"tasks": "KeyDoorPuzzle", "split": "other", "count": 3}, ["--tasks", "KeyDoorPuzzle", "--split", "other", "--count", "3"]
        command("certify", *flags, "-o", self.path("certificates.jsonl"))
        self.compare("expert", episodes, flags, {"baseline": self.path("base.json")}, ["--baseline", self.path("base.json")])
        result = self.compare("expert", episodes, flags, {"certificates": self.path("certificates.jsonl")},
                              ["--certificates", self.path("certificates.jsonl")])
        self.assertIsNotNone(result.solvable)
        normal = evaluate("expert", episodes)
        self.assertNotEqual(evaluate("expert", episodes, baseline=self.path("base.json")).capability, normal.capability)
        result.save(self.path("again.json"))
        self.assertNotEqual(load_result(self.path("again.json"), baseline=self.path("base.json")).capability, normal.capability)

    def test_functions_are_reported_and_verified(self):
        result = evaluate(wander, SOME, salt=SALT)
        result.save(self.path("mine.json"))
        self.assertIn("every one replayed", command("verify", self.path("mine.json")))
        tables = json.loads(command("report", "--json", "--verify", self.path("mine.json")))
        scores = dict(zip(tables[0]["rows"][0], tables[0]["rows"][1]))
        capability, rate = result.capability, result.all
        self.assertEqual(scores["agent"], "wander")
        self.assertEqual(scores["capability"], "%.4f (%.3f..%.3f)" % (capability.score, *capability.interval))
        self.assertEqual(scores["success"], "%.3f (%.3f..%.3f)" % (rate.success_rate, *rate.success_wilson))
        self.assertEqual(scores["success of solvable"], "%.3f" % result.solvable.success_rate)

    def test_a_dict_may_leave_out_evaluation_episodes(self):
        wanted = {"tasks": "MazeNavigation", "difficulty": "easy", "split": "train", "count": 20, "evaluation": "drop"}
        self.assertEqual([episode.name for episode in evaluate("random", wanted).episodes], list(select(**wanted)))

    def test_a_page_has_a_name(self):
        with self.assertRaisesRegex(InvalidError, r'path: name the file .* report\("mine.html"\)'):
            evaluate("random", "GoToGoal/easy#1").report()

    def test_what_is_all_alike_has_no_interval(self):
        one = evaluate("random", ["GoToGoal/easy#1", "GoToGoal/easy#2"])
        self.assertEqual(one.capability.interval, (one.capability.score,) * 2)
        self.assertRegex(one.table(), r"\ncapability   [01]\.\d{4}  \(no interval: one category\) over 1 of 37 tasks\n")
        one.save(self.path("one.json"))
        head, row = json.loads(command("report", "--json", self.path("one.json")))[0]["rows"]
        self.assertEqual(row[head.index("capability")], "%.4f" % one.capability.score)
        alike = evaluate("expert", ["GoToGoal/easy#1", "KeyDoorPuzzle/easy#1"])
        self.assertRegex(alike.table(), r"\ncapability   1\.0000  \(no interval\) over 2 of 37 tasks\n")

    def test_the_page_is_the_commands(self):
        one, other = evaluate("random", SOME, name="one"), evaluate("expert", SOME)
        one.save(self.path("one.json")), other.save(self.path("other.json"))
        command("report", self.path("one.json"), self.path("other.json"), "--published", "none", "--html", self.path("theirs.html"))
        one.report(self.path("ours.html"), other, published="none")
        self.assertEqual(self.bytes_at("ours.html"), self.bytes_at("theirs.html"))
        load_result(self.path("one.json")).report(self.path("again.html"), self.path("other.json"), published=["none"])
        self.assertEqual(self.bytes_at("again.html"), self.bytes_at("theirs.html"))
        command("atlas", *(episode.name for episode in one.episodes), "-q", "-o", self.path("atlas.jsonl.gz"))
        command("report", self.path("one.json"), self.path("other.json"), "--atlas", self.path("atlas.jsonl.gz"), "--published", "none", "--html",
                self.path("theirs.html"))
        one.report(self.path("ours.html"), other, published="none", atlas=self.path("atlas.jsonl.gz"))
        self.assertEqual(self.bytes_at("ours.html"), self.bytes_at("theirs.html"))
        self.assertNotEqual(self.bytes_at("ours.html"), self.bytes_at("again.html"))

    def test_a_program_and_an_object_that_do_the_same_play_the_same(self):
        greedy = importlib.util.spec_from_file_location("greedy", os.path.join(ROOT, "examples/agents/greedy.py"))
        module = importlib.util.module_from_spec(greedy)
        greedy.loader.exec_module(module)

        class Greedy(module.Greedy):
            def reset(self, observation, info):
                self.begin(info)

            def act(self, observation, info):
                return super().act({"observations": {"ascii": observation}, **info})

        agent = f"exec:{shlex.quote(sys.executable)} {shlex.quote(os.path.join(ROOT, 'examples/agents/greedy.py'))}"
        self.assertEqual(played(evaluate(Greedy(), SOME, obs="ascii", salt=SALT)), played(evaluate(agent, SOME, salt=SALT)))


class Printed(Case):
    def test_the_score_as_printed_is_the_reports(self):
        result = evaluate("random", SOME, name="random")
        result.save(self.path("mine.json"))
        tables = {table["title"]: table["rows"] for table in json.loads(command("report", "--json", "--published", "Dense", self.path("mine.json")))}
        head, row = tables["Oracle-normalised scores, as printed"]
        shown = dict(zip(head, row))
        self.assertEqual(shown["ons"], "%.4f (%.3f..%.3f)" % (result.ons.score, *result.ons.interval))
        self.assertEqual({name: "%.3f" % part.score for name, part in result.ons.categories.items()},
                         {name: value for name, value in list(shown.items())[head.index("same pairs") + 1:] if value != "-"})
        self.assertIsNone(evaluate("random", ["babyai:GoToObj#1"]).ons.score)


def think(observation, info):
    """Wanders, and says why in every other step."""
    step = info["step"]
    said = {"thought": f"step {step}: \u00e9\x07", "calls": 1, "tokens_in": 100 + step, "tokens_out": None, "seconds": 0.25, "cost": 0.1}
    return {"action": wander(observation, info), **(said if step % 2 == 0 else {}), "mood": object()}


class Saying(Case):
    def test_what_a_function_says_is_kept_step_by_step(self):
        result = evaluate(think, SOME, salt=SALT)
        self.assertEqual([episode.actions for episode in result.episodes], [episode.actions for episode in evaluate(wander, SOME, salt=SALT).episodes])
        for episode in result.episodes:
            self.assertEqual([remark.step for remark in episode.said], list(range(0, episode.steps, 2)))
            self.assertEqual([remark.thought for remark in episode.said], [f"step {remark.step}: \u00e9\x07" for remark in episode.said])
            self.assertEqual((episode.calls, episode.tokens_out), (len(episode.said), None))
            self.assertEqual(episode.tokens_in, sum(remark.tokens_in for remark in episode.said))
        self.assertEqual(result.all.seconds, sum(episode.seconds for episode in result.episodes))
        result.save(self.path("mine.json"))
        self.assertIn("every one replayed", command("verify", self.path("mine.json")))

    def test_marks_of_a_models_answers_are_kept_summed_and_loaded(self):
        def says(observation, info):
            return {"action": wander(observation, info), "calls": 1, "marks": {"answers": 1, "unreadable": 1}}

        result = evaluate(says, {"tasks": "GoToGoal", "difficulty": "easy", "count": 4}, output=self.path("marked.json"))
        for read in (result, load_result(self.path("marked.json"))):
            self.assertEqual([dict(one.marks) for one in read.episodes], [{"answers": one.steps, "unreadable": one.steps} for one in read.episodes])
            self.assertEqual(read.all.mark_rates["unreadable"], 1)
            self.assertEqual({dict(remark.marks)["answers"] for one in read.episodes for remark in one.said}, {1})

    def test_it_does_not_depend_on_batches_jobs_and_interruptions(self):
        alone = evaluate(think, SOME, salt=SALT)
        self.assertEqual(self.bytes_of(evaluate(think, SOME, salt=SALT, jobs=3)), self.bytes_of(alone))
        together = evaluate(lambda observations, infos: list(map(think, observations, infos)), SOME, salt=SALT, batch=5)
        self.assertEqual([episode.said for episode in together.episodes], [episode.said for episode in alone.episodes])
        with self.assertRaises(FinishedError):
            evaluate(think, SOME, salt=SALT, output=self.path("out.json"), max_cost=alone.all.cost / 2)
        resumed = evaluate(think, SOME, salt=SALT, output=self.path("out.json"), resume=True)
        self.assertEqual(self.bytes_of(resumed), self.bytes_of(alone))

    def test_a_function_is_held_to_the_rules_of_programs(self):
        for key, value in (("thought", 7), ("thought", "\0"), ("thought", "\ud800"), ("calls", 0.5), ("cost", -1), ("cost", float("nan")),
                           ("seconds", float("inf")), ("tokens_in", "7"), ("tokens_out", object()), ("action", None)):
            (episode,) = evaluate(lambda observation, info: {"action": 0, key: value}, ["GoToGoal/easy#1"], on_error="lost").episodes
            self.assertEqual((episode.error.kind, episode.steps, episode.said), ("nonsense", 0, ()), key)

    @needs_numpy
    def test_numbers_of_numpy_are_numbers(self):
        (episode,) = evaluate(lambda observation, info: {"action": 0, "calls": numpy.int64(2), "cost": numpy.float32(0.5)}, ["GoToGoal/easy#1"]).episodes
        self.assertEqual((episode.calls, episode.cost), (2 * episode.steps, 0.5 * episode.steps))


class HowManyPlay(Case):
    def test_batches_and_jobs_change_nothing(self):
        chance = random.Random(1)
        tasks = ["GoToGoal", "KeyDoorPuzzle", "TagHunt", "MazeNavigation", "LightsOut"]
        for _ in range(6):
            episodes = {"tasks": chance.sample(tasks, 2), "difficulty": "easy,hard", "count": chance.randint(1, 6)}
            alone = evaluate(wander, episodes, salt=SALT)
            batch, jobs = chance.randint(2, 70), chance.randint(0, 4)
            with self.subTest(episodes=episodes, batch=batch, jobs=jobs):
                self.assertEqual(self.bytes_of(evaluate(wander, episodes, salt=SALT, jobs=jobs)), self.bytes_of(alone))
                self.assertEqual(played(evaluate(wander_all, episodes, salt=SALT, batch=batch, jobs=jobs)), played(alone))

    def test_who_remembers_the_episode_gets_one_of_its_own(self):
        alone = evaluate(Wanderer(), SOME, salt=SALT)
        self.assertEqual([episode.error for episode in alone.episodes if episode.error], [])
        self.assertEqual(played(evaluate(Wanderer(), SOME, salt=SALT, jobs=3)), played(alone))
        for batch in (2, 5, 50):
            self.assertEqual(played(evaluate(Slotted(), SOME, salt=SALT, batch=batch)), played(alone))

    def test_an_episode_that_is_asked_for_twice_is_refused(self):
        """It would count twice, and intervals would be too narrow."""
        easy = select(tasks="GoToGoal", difficulty="easy")
        for names in (["GoToGoal/easy#1", "GoToGoal-v0/easy#1"], easy + easy):
            with self.assertRaisesRegex(InvalidError, "GoToGoal-v0/easy#[0-9]+ is selected twice"):
                evaluate("random", names)

    def test_what_cannot_be_copied_cannot_play_twice_at_once(self):
        policy = Wanderer()
        policy.lock = threading.Lock()
        with self.assertRaisesRegex(InvalidError, "copy"):
            evaluate(policy, SOME, jobs=2)
        self.assertEqual(len(evaluate(policy, SOME).episodes), 24)

    def test_the_salt_alone_decides_the_numbers(self):
        def numbers(**options):
            seen = {}

            def note(observation, info):
                seen.setdefault(info["random_seed"], 0)
                return 0

            return list(seen), evaluate(note, SOME, **options).salt, list(seen)

        self.assertEqual(numbers(salt=SALT)[1:], numbers(salt=SALT)[1:])
        _, salt, told = numbers()
        self.assertEqual((numbers(salt=salt)[2]), told)
        self.assertNotEqual(numbers()[2], told)
        self.assertEqual(len(set(told)), 24)

    def test_progress_tells_of_every_episode(self):
        for policy, options in (("random", {}), ("random", {"jobs": 2}), (wander, {}), (wander, {"jobs": 2}), (wander_all, {"batch": 5})):
            calls = []
            evaluate(policy, SOME, progress=lambda done, total: calls.append((done, total)), **options)
            self.assertEqual(calls, [(done, 24) for done in range(1, 25)])


class WhatIsTold(Case):
    def test_neither_name_nor_seed(self):
        names = ["GoToGoal-v0/easy#918273645", "babyai:GoToObj#918273645"]
        keys = set()

        def look(observation, info):
            self.assertNotIn("918273645", repr((observation, info)))
            self.assertEqual(info["valid_names"] == [], info["valid_actions"] == [])
            self.assertEqual(info["begins"], info["step"] == 0)
            self.assertEqual("success" in info, not info["begins"])
            keys.update(info)
            return info["valid_actions"][0]

        result = evaluate(look, names, obs=["none"], on_error="raise")
        self.assertEqual(keys, {"step", "max_steps", "task", "difficulty", "category", "summary", "valid_actions", "valid_names",
                                "random_seed", "reward", "success", "slot", "begins"})
        self.assertEqual([episode.name for episode in result.episodes], names)

    def test_rewards_add_up_and_infos_share_nothing(self):
        totals, infos = [], []

        def add(observation, info):
            if info["begins"]:
                totals.append(0)
            totals[-1] += info["reward"]
            infos.append(info)
            return wander(observation, info)

        result = evaluate(add, SOME)
        for total, episode in zip(totals, result.episodes):
            self.assertTrue(total == episode.total or episode.terminated)  # the last reward comes with the end
        lists = [id(value) for info in infos for value in info.values() if isinstance(value, list)]
        self.assertEqual(len(lists), len(set(lists)))

    @needs_numpy
    def test_arrays_are_stacked(self):
        episodes = {"tasks": "GoToGoal", "difficulty": "easy", "count": 5}

        def look(observations, infos):
            self.assertEqual({array.shape[0] for array in observations.values()}, {len(infos)})
            sizes.add(len(infos))
            return numpy.zeros(len(infos), dtype=numpy.int64)

        def alone(observation, info):
            return numpy.int8(0)

        sizes = set()
        together = evaluate(look, episodes, obs="arrays", batch=3, on_error="raise", salt=SALT)
        self.assertEqual(played(together), played(evaluate(alone, episodes, obs="arrays", on_error="raise", salt=SALT)))
        self.assertIn(3, sizes)

        def flat(observations, infos):
            self.assertEqual(observations["flat"].shape[0], len(observations["language"]))
            return [0] * len(infos)

        self.assertEqual(played(evaluate(flat, episodes, obs=("flat", "language"), batch=4, on_error="raise")), played(together))

    @needs_numpy
    def test_what_is_in_one_batch_equals_what_is_seen_alone(self):
        one, other = {}, {}

        def alone(observation, info):
            one.setdefault((info["random_seed"], info["step"]), {key: array.tolist() for key, array in observation.items()})
            return 1

        def together(observations, infos):
            for i, info in enumerate(infos):
                other[info["random_seed"], info["step"]] = {key: array[i].tolist() for key, array in observations.items()}
            return [1] * len(infos)

        for pad in (None, "family"):
            episodes = {"tasks": "GoToGoal", "difficulty": "easy,hard" if pad else "easy", "count": 3}
            one.clear(), other.clear()
            evaluate(alone, episodes, obs="arrays", pad=pad, salt=SALT)
            evaluate(together, episodes, obs="arrays", pad=pad, salt=SALT, batch=4)
            self.assertTrue(one)
            self.assertEqual(one, other)

    @needs_numpy
    def test_different_shapes_are_refused_before_play(self):
        def never(observations, infos):
            raise AssertionError("it was asked")

        with self.assertRaisesRegex(InvalidError, 'GoToGoal-v0/easy and GoToGoal-v0/medium .* pad="family"'):
            evaluate(never, {"tasks": "GoToGoal", "count": 1}, obs="arrays", batch=2)
        with self.assertRaisesRegex(InvalidError, "GoToGoal-v0/easy and GoToObj"):
            evaluate(never, ["GoToGoal/easy#1", "babyai:GoToObj#1"], obs="arrays", batch=2)


class WhatGoesWrong(Case):
    def test_budgets(self):
        for options, words in (({"budget": 0}, "budget: a whole number, 1 or more"), ({"budget_seed": 4}, "give budget or until"), ({"until": -1.0}, "`until`"),
                               ({"until": 0.7}, ": until= is half the width"),
                               ({"budget": 3, "episodes": "GoToGoal/easy#1"}, "official episodes")):
            episodes = options.pop("episodes", {"tasks": "GoToGoal"})
            with self.subTest(options=options), self.assertRaisesRegex(InvalidError, words):
                evaluate("random", episodes, **options)

    episodes = {"tasks": "GoToGoal", "difficulty": "easy", "count": 4}

    def lost(self, policy, **options):
        return [episode.error for episode in evaluate(policy, self.episodes, **{"on_error": "lost", **options}).episodes]

    def test_where_nothing_was_played_there_is_no_table_of_zeros(self):
        for policy, why in ((lambda observation, info: 99, "action 99 is not in 0..5"), (lambda observation, info: [1, 2], "a whole number or a name"),
                            (lambda observation, info: observation[10**9], "IndexError")):
            for options in ({}, {"jobs": 2}):
                with self.assertRaisesRegex(Error, f"each of 4 was lost at its first step, GoToGoal-v0/easy#.* by `.*{why}.*on_error"):
                    evaluate(policy, self.episodes, **options)
        with self.assertRaisesRegex(Error, "3 actions for 2 observations"):
            evaluate(lambda observations, infos: [0, 0, 0], self.episodes, batch=2, output=self.path("kept.json"))
        self.assertEqual(load_result(self.path("kept.json")).all.errors, 4, "the result was kept")
        late = iter([0])
        self.assertEqual(evaluate(lambda observation, info: next(late), self.episodes).all.errors, 4, "one step was taken")

    def test_an_error_whose_words_cannot_be_had_loses_the_episode_too(self):
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError("no words")

        def raising(error):
            def policy(observation, info):
                raise error
            return policy
        for options in ({}, {"jobs": 2}):
            self.assertEqual({(error.kind, error.text) for error in self.lost(raising(Mute()), **options)}, {("crash", "Mute")})
            self.assertEqual({error.text for error in self.lost(raising(ValueError("a\0b")), **options)}, {"ValueError: a\N{REPLACEMENT CHARACTER}b"})
        self.assertEqual({error.kind for error in self.lost(lambda observation, info: {"action": 0, "cost": float("nan")})}, {"nonsense"})

    def test_a_baseline_is_named_by_its_number(self):
        result = evaluate("random", self.episodes, baseline=1)
        self.assertEqual(result.to_dict(), evaluate("random", self.episodes, baseline="1").to_dict())

    def test_an_answer_that_is_no_action_loses_the_episode(self):
        for answer in (99, -1, "up and away", None, 1.5, 2**70, b"noop", [], object(), "\ud800", {"act": 1}, {"action": 99}, float("nan")):
            with self.subTest(answer=answer):
                errors = self.lost(lambda observation, info: answer)
                self.assertEqual([error.kind for error in errors], ["nonsense"] * 4)
                self.assertTrue(all(error.text for error in errors))
                together = self.lost(lambda observations, infos: [answer] * len(infos), batch=3)
                self.assertEqual(together, errors)
        self.assertEqual({error.text for error in self.lost(lambda observation, info: 99)}, {"action 99 is not in 0..5"})

    def test_only_the_wrong_one_of_a_batch_is_lost(self):
        def third(observations, infos):
            return ["nothing" if info["random_seed"] == bad else 0 for info in infos]

        seeds = []
        evaluate(lambda observation, info: seeds.append(info["random_seed"]) or 99, self.episodes, salt=SALT, on_error="lost")
        bad = seeds[2]
        self.assertEqual([bool(error) for error in self.lost(third, batch=4, salt=SALT)], [False, False, True, False])

    def test_half_a_surrogate_pair_in_a_thought_is_named(self):
        errors = self.lost(lambda observation, info: {"action": 0, "thought": "half \ud83d"})
        self.assertEqual({error.text for error in errors}, {"thought: half a surrogate pair is no character (at 5)"})

    def test_a_batch_of_any_size_is_that_of_all_episodes(self):
        many, two = (evaluate(wander_all, self.episodes, batch=batch, salt="0" * 32).to_dict() for batch in (10**9, 2))
        self.assertEqual(many["episodes"], two["episodes"])

    def test_a_batch_without_an_action_for_each_is_lost(self):
        for answer in ([], [0], [0] * 9, 5, None, "abcd e"):
            errors = self.lost(lambda observations, infos: answer, batch=4)
            self.assertEqual([error.kind for error in errors], ["nonsense"] * 4, answer)
        self.assertIn("1 actions for 4 observations", self.lost(lambda observations, infos: [0], batch=4)[0].text)

    def test_an_exception_loses_the_episode(self):
        def fail(observation, info):
            if info["step"] == 2:
                raise ValueError("no\nidea \x1b[31m")
            return 0

        for options in ({}, {"jobs": 3}):
            errors = self.lost(fail, **options)
            self.assertEqual({error.kind for error in errors}, {"crash"})
            self.assertEqual({error.text for error in errors}, {"ValueError: no\\nidea \\x1b[31m"})
        result = evaluate(fail, self.episodes)
        self.assertEqual((result.all.errors, result.all.successes), (4, 0))
        self.assertEqual({episode.steps for episode in result.episodes}, {2})
        self.assertEqual(result.episodes[0].actions, [0, 0])

    def test_a_reset_that_fails_loses_the_episode(self):
        class Policy:
            def reset(self, observation, info):
                raise KeyError("x")

            def act(self, observation, info):
                raise AssertionError("it was asked")

        self.assertEqual({(error.kind, error.text) for error in self.lost(Policy())}, {("crash", "KeyError: 'x'")})

    def test_raising_is_for_those_who_ask(self):
        def fail(observation, info):
            if info["step"] == 1:
                raise ZeroDivisionError("never")
            return 0

        for options in ({}, {"jobs": 2}):
            with self.assertRaises(ZeroDivisionError) as caught:
                evaluate(fail, ["GoToGoal/easy#77"], on_error="raise", **options)
            self.assertIn("in GoToGoal-v0/easy#77, step 1", caught.exception.__notes__)
        for options in ({}, {"jobs": 2}):
            with self.assertRaises(ActionError):
                evaluate(lambda observation, info: 99, self.episodes, on_error="raise", **options)
        with self.assertRaises(InvalidError):
            evaluate(lambda observations, infos: [], self.episodes, batch=2, on_error="raise")
        with self.assertRaisesRegex(Error, "GoToGoal-v0/easy#"):
            with open(self.path("tapes"), "w", encoding="utf-8") as file:
                file.write(self.tape_of("KeyDoorPuzzle/easy#1"))
            evaluate("tape:" + self.path("tapes"), self.episodes, on_error="raise")

    def tape_of(self, name):
        from seedbed._seedbed import EnvCore

        env = EnvCore(name)
        env.reset()
        while not env.done:
            env.step(env.expert_action())
        return env.tape("expert")

    def test_too_many_steps_lose_the_episode(self):
        for options in ({}, {"jobs": 2}):
            errors = self.lost(lambda observation, info: 0, max_steps=3, on_error="raise", **options)
            self.assertEqual({(error.kind, error.text) for error in errors},
                             {("steps", "the episode was not over after the 3 steps allowed")})
        result = evaluate(wander, self.episodes, max_steps=5)
        self.assertEqual(result.to_dict()["agent"]["steps"], 5)
        self.assertLessEqual(max(episode.steps for episode in result.episodes), 5)

    def test_what_cannot_be_is_refused(self):
        refused = [
            (dict(policy=3), InvalidError, "a policy is"), (dict(policy=Wanderer), InvalidError, "give an instance"),
            (dict(policy=None), InvalidError, "a policy is"), (dict(policy="nobody"), UnknownError, "nobody"),
            (dict(policy="tape:"), InvalidError, "add the file"), (dict(policy="tape:/nowhere"), OSError, "nowhere"),
            (dict(policy="plugin:./bot.so"), InvalidError, "only the command `seedbed` plays with plugins"),
            (dict(policy="exec:false"), OSError, "exit code 1"), (dict(policy="expert", max_steps=3), InvalidError, "max_steps"),
            *((dict([limit]), InvalidError, "is a number above 0") for name in ("hours", "max_cost") for limit in ((name, 0), (name, -1.0), (name, math.nan))),
            (dict(max_lost=-1), InvalidError, "max_lost"), (dict(attempts=10**30), InvalidError, "attempts is from 1 to"), (dict(attempts=0), InvalidError, "attempts"),
            (dict(batch=0), InvalidError, "batch"), (dict(batch=2.5), InvalidError, "batch"), (dict(jobs=-1), InvalidError, "jobs"), (dict(max_steps=0), InvalidError, "max_steps"),
            (dict(on_error="ignore"), InvalidError, "on_error"), (dict(name=""), InvalidError, "name"), (dict(salt="12"), InvalidError, "salt"),
            (dict(obs="smell"), InvalidError, "smell"), (dict(obs=[]), InvalidError, "empty"), (dict(pad="wide"), InvalidError, "pad"),
            (dict(baseline="/nowhere"), OSError, "nowhere"), (dict(certificates="/nowhere"), OSError, "nowhere"),
            (dict(episodes={"task": "GoToGoal"}), InvalidError, "task"), (dict(episodes={"tasks": "Nothing"}), UnknownError, "Nothing"),
            (dict(episodes=["GoToGoal"]), InvalidError, "seed"), (dict(episodes=[]), InvalidError, "names"), (dict(episodes=[3]), InvalidError, "names"),
        ]
        for arguments, kind, said in refused:
            with self.subTest(arguments=arguments), self.assertRaisesRegex(kind, said):
                evaluate(**{"policy": wander, "episodes": self.episodes, **arguments})

    def test_nothing_is_left_open_after_a_failure(self):
        before = len(os.listdir("/proc/self/fd")), threading.active_count()
        for _ in range(20):
            with contextlib.suppress(ZeroDivisionError):
                evaluate(lambda observation, info: 1 // 0, self.episodes, on_error="raise", jobs=2)
            with contextlib.suppress(OSError):
                evaluate("exec:false", self.episodes)
        until = time.monotonic() + 30
        while (left := (len(os.listdir("/proc/self/fd")), threading.active_count())) != before and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual(left, before)


class Interrupted(Case):
    episodes = {"tasks": "GoToGoal", "difficulty": "easy"}

    def interrupt(self, policy, within=5, **options):
        """A while after it began."""
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            evaluate(policy, self.episodes, **options)
        self.assertLess(time.monotonic() - began, within)
        timer.join()
        self.no_thread_is_left()

    def no_thread_is_left(self):
        """Whoever was stopped has ended; its thread may need a moment more."""
        until = time.monotonic() + 30
        while threading.active_count() > 1 and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual(threading.enumerate(), [threading.main_thread()])

    def slow(self, observation, info):
        time.sleep(0.1)
        return 0

    def test_functions(self):
        self.interrupt(self.slow)
        self.interrupt(self.slow, jobs=3)
        self.interrupt(lambda observations, infos: [self.slow(None, info) for info in infos], batch=3)

    def test_a_program_that_thinks_for_a_minute(self):
        script = ("import json, sys, time\n"
                  "for line in sys.stdin:\n"
                  "    op = json.loads(line)['op']\n"
                  "    if op == 'reset': time.sleep(60)\n"
                  "    print('{}', flush=True)\n")
        with open(self.path("slow.py"), "w", encoding="utf-8") as file:
            file.write(script)
        self.interrupt(f"exec:{shlex.quote(sys.executable)} {shlex.quote(self.path('slow.py'))}", within=20)

    def test_a_program_that_never_says_hello(self):
        self.interrupt("exec:sleep 60", within=20)

    def test_it_is_no_loss(self):
        def stop(observation, info):
            raise KeyboardInterrupt

        for options in ({}, {"jobs": 2}, {"batch": 2}):
            with self.assertRaises(KeyboardInterrupt):
                evaluate(stop, self.episodes, **options)

    def test_a_progress_that_fails_stops_everything(self):
        def fail(done, total):
            raise ZeroDivisionError

        for policy, options in (("random", {}), (wander, {}), (wander, {"jobs": 2}), (wander_all, {"batch": 2})):
            with self.assertRaises(ZeroDivisionError):
                evaluate(policy, self.episodes, progress=fail, **options)
        self.no_thread_is_left()


class Survival(Case):
    """Evaluations that are interrupted, divided and repeated, with what the command makes of them."""

    def interrupted(self, policy, after):
        """A policy that is interrupted once when so many steps were taken."""
        steps = itertools.count()

        def act(observation, info):
            if next(steps) == after:
                raise KeyboardInterrupt
            return policy(observation, info)

        act.__module__, act.__qualname__, act.__name__ = policy.__module__, policy.__qualname__, policy.__name__
        return act

    def test_what_was_played_is_kept_and_the_result_does_not_depend_on_interruptions(self):
        whole = evaluate(wander, SOME, salt=SALT, output=self.path("whole"))
        self.assertEqual(self.bytes_at("whole"), whole._document)
        with self.assertRaises(KeyboardInterrupt):
            evaluate(self.interrupted(wander, 120), SOME, salt=SALT, output=self.path("result"))
        kept = len(self.bytes_at("result.part").splitlines()) - 1
        self.assertGreater(kept, 0)
        begun = []

        def counting(observation, info):
            begun.extend([info["random_seed"]] * info["begins"])
            return wander(observation, info)

        counting.__module__, counting.__qualname__, counting.__name__ = wander.__module__, wander.__qualname__, wander.__name__
        with self.assertRaisesRegex(InvalidError, "of an interrupted evaluation"):
            evaluate(counting, SOME, salt=SALT, output=self.path("result"))
        told = []
        result = evaluate(counting, SOME, output=self.path("result"), resume=True, progress=lambda done, total: told.append((done, total)))
        self.assertEqual(len(begun), len(result.episodes) - kept, "the salt is that of the interrupted run")
        self.assertEqual((self.bytes_at("result"), result.salt), (whole._document, SALT))
        self.assertEqual(told[-1], (len(result.episodes),) * 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["result", "whole"])

    def test_another_policy_does_not_go_on(self):
        evaluate(wander, SOME, salt=SALT, output=self.path("result"))
        with self.assertRaisesRegex(MismatchError, "another evaluation: `agent.name` differs"):
            evaluate(Wanderer(), SOME, salt=SALT, output=self.path("result"), resume=True)
        evaluate(Wanderer(), SOME, salt=SALT, output=self.path("result"))

    def test_lost_episodes_are_played_again(self):
        fails = True

        def sometimes(observation, info):
            if fails and info["random_seed"] % 3 == 0:
                raise RuntimeError("not today")
            return wander(observation, info)

        def play(**more):
            return evaluate(sometimes, SOME, salt=SALT, **more)

        lost = play(output=self.path("result"))
        self.assertGreater(lost.all.errors, 0)
        fails = False
        again = play(output=self.path("result"), retry_lost=True, batch=1, jobs=2)
        self.assertEqual(again._document, play()._document)

    @needs_command
    def test_agents_of_the_library_resume_what_the_command_left(self):
        asked = ["--tasks", "GoToGoal,KeyDoorPuzzle,TagHunt", "--difficulty", "easy,medium", "--count", "4"]
        command("eval", *asked, "--agent", "random", "-q", "-o", self.path("result"))
        whole = evaluate("random", SOME, output=self.path("result"), resume=True)
        self.assertEqual(self.bytes_at("result"), whole._document)
        self.assertEqual(evaluate("random", SOME)._document, whole._document)

    @needs_command
    def test_parts_join_and_verify(self):
        whole = evaluate(wander, SOME, salt=SALT, attempts=2)
        for i in (1, 2, 3):
            evaluate(wander, SOME, salt=SALT, attempts=2, shard=f"{i}/3", output=self.path(f"part{i}"), batch=1, jobs=i)
        command("merge", *(self.path(f"part{i}") for i in (1, 2, 3)), "-q", "-o", self.path("joined"))
        self.assertEqual(self.bytes_at("joined"), whole._document)
        command("verify", self.path("joined"), self.path("part2"))
        with self.assertRaisesRegex(InvalidError, "share one salt"):
            evaluate(wander, SOME, shard="1/3")

    def test_merged_parts_are_the_whole(self):
        """Results and files, in any order; by name of the baseline that they were normalised with."""
        whole = evaluate(wander, SOME, salt=SALT, baseline="1")
        parts = [evaluate(wander, SOME, salt=SALT, shard=f"{i}/3", baseline="1") for i in (3, 1, 2)]
        merged = merge_results(parts)
        self.assertEqual(merged._document, whole._document)
        self.assertEqual((merged.all, merged.table()), (whole.all, whole.table()))
        parts[1].save(self.path("one.json"))
        parts[2].save(self.path("two.json.gz"))
        self.assertEqual(merge_results([parts[0], self.path("two.json.gz"), self.path("one.json")], baseline="1")._document, whole._document)
        own = evaluate(wander, SOME, salt=SALT, shard="1/1", baseline="1")
        self.assertEqual(merge_results([own])._document, whole._document)

    def test_parts_that_make_no_whole_are_refused(self):
        parts = [evaluate(wander, SOME, salt=SALT, shard=f"{i}/2") for i in (1, 2)]
        other = evaluate(wander, SOME, salt=SALT[::-1], shard="2/2")
        parts[1].save(self.path("two.json"))
        text = self.bytes_at("two.json").replace(b'"success": false', b'"success": true', 1)
        with open(self.path("forged.json"), "wb") as file:
            file.write(text)
        for error, line, given in [(InvalidError, "no result to merge", []), (InvalidError, "there are 1 parts|part 1 of 2", parts[:1]),
                                   (InvalidError, "both part 1 of 2", [parts[0], parts[0]]), (InvalidError, "not a part", [evaluate(wander, SOME)]),
                                   (MismatchError, "salt", [parts[0], other]),
                                   ((MismatchError, InvalidError), "forged.json", [parts[0], self.path("forged.json")]),
                                   (OSError, "nowhere", [parts[0], self.path("nowhere")]), (TypeError, "", [parts[0], None]), (TypeError, "", 5)]:
            with self.subTest(line=line), self.assertRaisesRegex(error, line):
                merge_results(given)

    def test_attempts_and_pass_at_k(self):
        result = evaluate(wander, SOME, salt=SALT, attempts=3)
        self.assertEqual(evaluate(wander_all, SOME, salt=SALT, attempts=3, batch=5, name="wander").episodes, result.episodes)
        self.assertEqual([played.attempt for played in result.episodes[:4]], [1, 2, 3, 1])
        self.assertEqual([played.name for played in result.episodes[::3]], [played.name for played in evaluate("random", SOME).episodes])
        passes = result.all.pass_at
        self.assertEqual(len(passes), 3)
        self.assertLessEqual(passes[0], passes[2])
        self.assertAlmostEqual(passes[0], result.all.success_rate)
        self.assertIsNone(evaluate(wander, SOME, salt=SALT).all.pass_at)
        for attempts in (0, 101):
            with self.assertRaises(InvalidError):
                evaluate(wander, SOME, attempts=attempts)
        with self.assertRaisesRegex(InvalidError, "in one way only"):
            evaluate("expert", SOME, attempts=2)

    def test_what_is_told_about_a_policy(self):
        about = {"model": "m-7", "sampling": {"temperature": 0.7}, "seeds": [1, 2]}
        self.assertEqual(evaluate(wander, SOME, about=about).about, about)
        self.assertEqual(evaluate("expert", {"tasks": "GoToGoal", "count": 1}, about=about).about, about)
        self.assertIsNone(evaluate(wander, SOME).about)
        with self.assertRaises(InvalidError):
            evaluate(wander, SOME, about={"x": float("nan")})
        with self.assertRaisesRegex(InvalidError, "more than 16384 bytes"):
            evaluate(wander, SOME, about={"x": "y" * 20000})

    def test_a_program_that_says_nothing_for_five_seconds_is_asked_about_its_output(self):
        late = ("import json, sys, time\ntime.sleep(6.5)\nfor line in sys.stdin:\n"
                "    if 'close' not in line: print('{\"action\": 0}', flush=True)")
        with self.assertWarnsRegex(RuntimeWarning, "has not answered `hello` for 5 seconds; does it flush its output"):
            result = evaluate("exec:" + shlex.join([sys.executable, "-c", late]), ["GoToGoal/easy#1"])
        self.assertEqual(result.all.errors, 0)

    def test_limits_end_a_run_and_what_was_played_is_kept(self):
        def fails(observation, info):
            raise RuntimeError("no")

        def slow(observation, info):
            time.sleep(0.01)
            return wander(observation, info)

        with self.assertRaisesRegex(FinishedError, "5 episodes in a row were lost, the last one, .* because RuntimeError: no"):
            evaluate(fails, SOME, max_lost=5, output=self.path("lost"))
        self.assertEqual(len(self.bytes_at("lost.part").splitlines()), 6)
        all_lost = evaluate(fails, SOME, on_error="lost").all
        self.assertEqual(all_lost.errors, all_lost.episodes, "functions may lose all")
        with self.assertRaisesRegex(FinishedError, "hours are over"):
            evaluate(slow, SOME, hours=0.0001, output=self.path("slow"), jobs=2)
        self.assertGreater(len(self.bytes_at("slow.part").splitlines()), 1)
        dying = "exec:" + shlex.join([sys.executable, "-c", "input(); print('{}', flush=True); input()"])
        with self.assertRaisesRegex(FinishedError, "20 episodes in a row were lost"):
            evaluate(dying, SOME)

    def test_outputs_are_needed_and_named(self):
        for more in ({"resume": True}, {"retry_lost": True}, {"force": True}):
            with self.assertRaisesRegex(InvalidError, "need an output"):
                evaluate(wander, SOME, **more)
        with self.assertRaises(InvalidError):
            evaluate(wander, SOME, output=self.path("x"), resume=True, force=True)
        with self.assertRaises(OSError):
            evaluate(wander, SOME, output=self.path("no/such/folder"))


class Documents(Case):
    def test_what_is_loaded_is_what_was_saved(self):
        for policy in ("expert", wander):
            result = evaluate(policy, SOME, name="some \x1b one")
            result.save(self.path("result.json"))
            with gzip.open(self.path("result.json.gz"), "wb") as file:
                file.write(self.bytes_at("result.json"))
            for name in ("result.json", "result.json.gz"):
                again = load_result(self.path(name))
                for what in ("agent", "kind", "salt", "leaderboard", "ons_pairs", "capability", "solvable", "all", "by_category",
                             "by_difficulty", "by_task", "episodes", "families"):
                    self.assertEqual(getattr(again, what), getattr(result, what), what)
                self.assertEqual((again.to_dict(), again.table()), (result.to_dict(), result.table()))
                self.assertEqual(self.bytes_of(again), self.bytes_at("result.json"))

    def test_attributes_are_the_documents_members(self):
        result = evaluate("observer", {**SOME, "tasks": "KeyDoorPuzzle,TagHunt"})
        family = result.to_dict()["families"][0]
        for name, score in family["scores"].items():
            self.assertEqual(getattr(result, name).score, score["score"])
            self.assertEqual(getattr(result, name).missing, score.get("missing"))
        for key in family["all"].keys() - {"solvable"}:
            value = getattr(result.all, key)
            self.assertEqual(list(value) if isinstance(value, tuple) else value, family["all"][key], key)
        self.assertEqual(result.solvable.episodes, family["all"]["solvable"]["episodes"])
        self.assertEqual(list(result.by_task), [(pair["task"], pair["difficulty"]) for pair in family["tasks"]])
        for pair in family["tasks"]:
            self.assertEqual(result.by_task[pair["task"], pair["difficulty"]].normalised, pair["normalised"])

    def test_several_families(self):
        result = evaluate("expert", ["babyai:GoTo#3", "GoToGoal-v0/hard#1"])
        self.assertEqual(set(result.families), {"agentick", "babyai"})
        self.assertEqual(list(result.by_task), [("GoTo", "")])
        self.assertIs(result.all, result.families["babyai"].all)

    def test_normalised_returns(self):
        result = evaluate("random", {"tasks": "KeyDoorPuzzle", "split": "train", "count": 1})
        for episode in result.episodes:
            task, difficulty = episode.name.split("#")[0].split("/")
            self.assertEqual(normalise(episode.total, task, difficulty), result.by_task[task, difficulty].normalised)
        self.assertEqual(normalise(0.5, "babyai:GoTo"), normalise(0.5, "GoTo", ""))
        for arguments in ((1, "Nothing", "easy"), (1, "GoToGoal", "simple")):
            with self.assertRaises(UnknownError):
                normalise(*arguments)

    def test_what_is_no_result_is_refused(self):
        evaluate("random", ["GoToGoal/easy#1"]).save(self.path("good.json"))
        good = self.bytes_at("good.json")
        chance = random.Random(2)
        for i in range(200):
            bad = bytearray(good)
            for _ in range(chance.randint(1, 3)):
                at = chance.randrange(len(bad))
                bad[at:at + chance.randint(0, 4)] = bytes(chance.randrange(256) for _ in range(chance.randint(0, 3)))
            with open(self.path("bad.json"), "wb") as file:
                file.write(bad)
            with contextlib.suppress(Error):
                result = load_result(self.path("bad.json"))
                result.table(), result.episodes, result.leaderboard, [episode.actions for episode in result.episodes]
        with self.assertRaises(OSError):
            load_result(self.path("missing.json"))
        with self.assertRaises(OSError):
            load_result(self.folder)
        with self.assertRaises(OSError):
            evaluate("random", ["GoToGoal/easy#1"]).save(os.path.join(self.folder, "no", "such", "folder"))

    def test_a_page_of_what_did_not_happen_is_refused(self):
        evaluate("expert", ["GoToGoal/easy#1"]).save(self.path("good.json"))
        forged = self.bytes_at("good.json").replace(b'"actions": "', b'"actions": "0 ', 1).replace(b'"steps": ', b'"steps": 1', 1)
        with open(self.path("forged.json"), "wb") as file:
            file.write(forged)
        with self.assertRaises((MismatchError, InvalidError)):
            load_result(self.path("forged.json")).report(self.path("page.html"))
        self.assertFalse(os.path.exists(self.path("page.html")))

    def test_what_is_called_how(self):
        self.assertEqual(evaluate(wander, ["GoToGoal/easy#1"]).agent, "wander")
        self.assertEqual(evaluate(Wanderer(), ["GoToGoal/easy#1"]).to_dict()["agent"]["spec"], f"python:{__name__}.Wanderer")
        self.assertEqual(evaluate(wander, ["GoToGoal/easy#1"], name="x" * 199).agent, "x" * 199)
        with self.assertRaisesRegex(InvalidError, "has 200 bytes: at most 199"):
            evaluate(wander, ["GoToGoal/easy#1"], name="x" * 200)
        self.assertIn("1 episodes won" if evaluate("expert", ["GoToGoal/easy#1"]).all.successes else "0 of 1", repr(evaluate("expert", ["GoToGoal/easy#1"])))


if __name__ == "__main__":
    unittest.main()
