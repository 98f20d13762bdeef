"""Text play: what is asked and what comes of it are those of `seedbed eval` with examples/agents/chat_model.py, whatever the answers are; forks, going back,
and which episodes may be trained on."""
import base64
import io
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import seedbed
from seedbed import textplay

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "examples" / "agents" / "chat_model.py"
SALT = "00112233445566778899aabbccddeeff"

sys.path.append(str(ROOT / "tests"))
from stub_endpoint import StubEndpoint, completion  # noqa: E402


def text_of(messages):
    """Messages as a text that is the same for the same question; pictures by their pixels, since libraries pack them in other ways."""
    def plain(part):
        if part["type"] == "text":
            return part
        from PIL import Image
        picture = Image.open(io.BytesIO(base64.b64decode(part["image_url"]["url"].partition(",")[2]))).convert("RGB")
        return [picture.size, picture.tobytes().hex()]
    if isinstance(messages, str):
        return messages
    return json.dumps([[message["role"], message["content"] if isinstance(message["content"], str) else [plain(part) for part in message["content"]]]
                       for message in messages])


def answered(asked):
    """A model's answer to a question, and whether it was cut: good and bad ones, drawn from the question."""
    chance = random.Random(asked)
    n = chance.randrange(7)
    return chance.choice([(f"ACTION: {n}", False), (f"ACTION: {n}", True), (f"Well, **action**: {n}", False), (f"<think>ACTION: 1</think>\nACTION: {n}", False),
                          ("I do not know.", False), ("", False), (f"At last ACTION: {n}\n", True), ("ACTION: 1.5", False), ("<think>ACTION: 2", True),
                          (f"move_up\nACTION: {n}", False), ("noop", False), ("move_right", False), (f"{n}", False)])


class AsEvaluated(unittest.TestCase):
    """The same questions, to the letter, and the same tapes as when `seedbed eval` lets a model play by the same rules."""
    EPISODES = ("GoToGoal-v0/easy#1", "KeyDoorPuzzle-v0/easy#3", "LightsOut-v0/easy#1")

    STEPS = 40  # at most, of an episode

    def evaluated(self, names, harness):
        """Of each episode: the questions in their order, the answers' marks, and what the result says."""
        asked = []

        def answer(body, n):
            asked.append(body["messages"] if "messages" in body else body["prompt"])
            text, cut = answered(text_of(asked[-1]))
            return completion(text, "chat" if "messages" in body else "completions", finish="length" if cut else "stop", seed=body.get("seed"))

        with StubEndpoint(answer) as server, tempfile.TemporaryDirectory() as folder:
            result = os.path.join(folder, "result.json")
            for i, word in enumerate(harness):
                if isinstance(word, dict):
                    harness = [*harness[:i], self.recipe(folder, word), *harness[i + 1:]]
            words = [sys.executable, str(HARNESS), "--model", "tiny", "--url", server.url, "--batch", "1", "--seeded", *harness]
            done = subprocess.run([os.environ["SEEDBED"], "eval", *names, "-q", "-j1", "--max-steps", str(self.STEPS), "--salt", SALT, "-o", result, "--agent",
                                   "exec:" + " ".join(f"'{word}'" for word in words)], capture_output=True, text=True, timeout=300)
            self.assertTrue(os.path.exists(result), done.stderr[-2000:])
            with open(result) as file:
                episodes = json.load(file)["episodes"]
            seeds = [body["seed"] for _, body, _ in server.heard]
        return asked, seeds, episodes

    @staticmethod
    def recipe(folder, keys):
        path = os.path.join(folder, "recipe.json")
        with open(path, "w") as file:
            json.dump(keys, file)
        return path

    def check(self, names, harness, prompts, **options):
        asked, seeds, episodes = self.evaluated(names, harness)
        at = 0
        for name, said in zip(names, episodes, strict=True):
            play = textplay.Session(name, prompts, random_seed=seeds[at], **options)
            steps = []
            while not play.done and len(play.turns) < self.STEPS:
                self.assertEqual(text_of(play.prompt()), text_of(asked[at]), (name, len(steps)))
                self.assertEqual(seeds[at], seeds[at - len(play.turns)] + len(play.turns), "of another episode")
                turn = play.say(*answered(text_of(play.prompt())))
                steps += [] if turn.action is None else [turn.action]
                at += 1
            took = [int(run.split("*")[0]) for run in said["actions"].split() for _ in range(int((run + "*1").split("*")[1]))]
            self.assertEqual((said["episode"], took, said["success"], said["return"]), (play.name, steps, play.success if play.done or said["success"] is None else False, play.total))
            self.assertEqual({"answers": len(play.turns), **{mark: n for mark, n in said.get("marks", {}).items()}},
                             {mark: n for mark, n in play.marks.items() if mark not in ("not_offered", "lost")})
            self.assertEqual("error" in said, play.lost is not None or not play.done)
            tape = json.loads(play.tape())
            self.assertEqual((tape["actions"], tape["name"]), (took, said["episode"]))
            self.assertEqual(seedbed.replay(play.tape()).steps, len(took))
        self.assertEqual(at, len(asked))

    def test_presets(self):
        for preset in ("markovian", "markovian_reasoner"):
            self.check(self.EPISODES, ["--preset", preset], preset)

    def test_what_unreadable_answers_count_as(self):
        for what in ("random", "lose", "move_up", "3"):
            self.check(self.EPISODES, ["--preset", "markovian", "--unreadable-as", what], "markovian", unreadable_as=what)

    EVERYTHING = {"system": "{task} {description} {category} {difficulty} {max_steps} {structured} {actions}",
                  "user": "{step} {turn}\n{observation}\n{language}\n{state}\n{scene}\n{history}\n{valid_actions}", "answer": "ACTION: {action}",
                  "history": {"steps": 3, "item": "{step} {turn} {action} {action_name} {reward} {observation}", "separator": " / ", "empty": "-"},
                  "valid": {"item": "{action}={action_name}", "separator": "; ", "empty": "-"}}

    def of(self, family, options, names, **more):
        self.check(names, ["--recipe", {"family": family, "formats": [{"format": "chat", **options}]}], options, **more)

    def test_every_placeholder(self):
        self.of("agentick", self.EVERYTHING, self.EPISODES)

    def test_conversations(self):
        for turns in (2, -1):
            self.check(self.EPISODES, ["--preset", "markovian", "--turns", str(turns), "--mode", "language"], "markovian", turns=turns, obs="language")
        self.of("agentick", {"rows": "episode", "answer": "<think>{rationale}</think> ACTION: {action}"}, self.EPISODES)

    def test_other_families(self):
        self.of("babyai", {"user": "{turn} {mission}\n{scene}\n{valid_actions}"}, ("babyai:GoToRedBall#1", "babyai:Open#2"))
        self.of("autumn", {"user": "{history}\n{turn} {scene} {valid_actions}", "answer": "ACTION: {action}"}, ("autumn:HeatBar#1", "autumn:Seesaw/planning-3#1"))
        self.of("arc", {"user": "{history}\n{turn}\n{valid_actions}\n{diff}", "answer": "ACTION: {action}"}, ("arc:TwinCompass/intro#1", "arc:Moss/intro#1"))

    def test_before_a_test_the_task_is_told(self):
        self.check(("autumn:Seesaw/planning-3#1",), ["--preset", "markovian"], "markovian")
        own = {"family": "autumn", "instructions": {"planning": "Reach the goal."}, "formats": [{"format": "chat", "system": "{instructions}", "answer": "{action}"}]}
        with tempfile.TemporaryDirectory() as folder:
            self.check(("autumn:Seesaw/planning-3#1",), ["--recipe", own], self.recipe(folder, own))

    def test_one_text(self):
        self.of("agentick", {"style": "prompt", "user": "{turn} {scene}", "answer": "ACTION: {action}"}, self.EPISODES)

    def test_pictures(self):
        try:
            import PIL  # noqa: F401
        except ImportError:
            self.skipTest("not installed: Pillow")
        for look in ({"look": "flat", "tile": 8}, {"look": "isometric", "size": 128}):
            self.check(self.EPISODES[:1], ["--preset", "markovian", "--pixels", json.dumps(look)], "markovian", pixels=look)
        look = {"look": "view", "tile": 8}
        self.check(("babyai:GoToObj#1",), ["--preset", "markovian", "--mode", "language", "--pixels", json.dumps(look)], "markovian", obs="language", pixels=look)


class Answers(unittest.TestCase):
    def read(self, text, cut=False, **options):
        return textplay.Session("KeyDoorPuzzle-v0/easy#42", options).say(text, cut)

    def test_readings(self):
        for answer, cases in (
                ("ACTION: {action}", {"ACTION: 4": "exact", " ACTION: 4\n": "exact", "<think>It is 1.</think>\nACTION: 4": "exact", "Action: 4": "repaired", "ACTION: 04": "repaired",
                                      "ACTION: move_right": "repaired", "So: ACTION: 4": "repaired", "**ACTION: 4**": "repaired", "ACTION: 4.": "repaired",
                                      "ACTION:  4": "repaired", "4": "none", "ACTION: 6": "none", "": "none"}),
                ("{action_name}", {"move_right": "exact", "MOVE_RIGHT": "repaired", "I go move_right": "repaired", "move right": "none"}),
                ("{rationale}\nACTION: {action}", {"It is near.\nACTION: 4": "exact", "\nACTION: 4": "exact", "ACTION: 4": "exact", "It is near. ACTION: 4": "repaired",
                                                   "ACTION: 3\nno, ACTION: 4": "repaired", "ACTION: 3\nno\nACTION: 4": "exact"}),
                ("<think>{rationale}</think>ACTION: {action}", {"<think>So</think>ACTION: 4": "exact", "<think>So</think>action: 4": "repaired", "ACTION: 4": "none"}),
                ("Why: {rationale} Turn {turn}: {reasoning}. Now {action_name}!", {"Why: a Turn 1: b. Now move_right!": "exact", "Why: a Turn 2: b. Now move_right!": "repaired",
                                                                                          "Hm. Why: a Turn 1: b. Now move_right!": "repaired"})):
            for text, reading in cases.items():
                turn = self.read(text, answer=answer)
                self.assertEqual((turn.reading, turn.action), (reading, 0 if reading == "none" else 4), (answer, text))
                self.assertEqual("unreadable" in turn.marks, reading == "none")

    def test_marks(self):
        self.assertEqual(self.read("move_left").marks, ("not_offered",))
        self.assertEqual(self.read("move_right").marks, ())
        self.assertEqual(self.read("I go move_right", cut=True).marks, ("unreadable", "cut"))
        self.assertEqual(self.read("<think>move_right").marks, ("unreadable", "empty"))
        self.assertEqual(self.read("<think>" + "It is far. " * 400 + "move_right").marks, ("unreadable", "empty"))
        clicks = textplay.Session("autumn:HeatBar#1", {"answer": "{action_name}"})
        self.assertEqual([clicks.say(text).marks for text in ("click 3 4", "click 16 4")], [(), ("unreadable",)])

    def test_no_text_raises_or_takes_long(self):
        chance = random.Random(5)
        pieces = ["ACTION: ", "4", "<think>", "</think>", "\0", "\ud800", "\U0001f600", "{action}", "\n", "<|channel|>analysis", "<|message|>", "click 3 4", "move_up", "*_`[", "9" * 400]
        texts = ["".join(chance.choice(pieces) for _ in range(chance.randrange(40))) for _ in range(400)]
        for options in ({}, {"answer": "{rationale} x {reasoning} x ACTION: {action}"}, {"answer": "{rationale}\n**ACTION:** {action}"}, {"answer": "<think>{reasoning}</think>{action_name}", "turns": -1}):
            play = textplay.Session("KeyDoorPuzzle-v0/expert#1", options, unreadable_as="random")
            for text in [None, *texts, *(piece * (200_000 // len(piece)) for piece in (*pieces, " x ", "*", "\n \n", "<think></think>"))]:
                began = time.process_time()
                play.say(text, chance.random() < 0.5)
                self.assertLess(time.process_time() - began, 1, text and text[:40])
                if play.done:
                    self.assertEqual(play.say("move_up").marks, ("over",))
                    play.go_back(len(play.turns))
            json.dumps(play.messages()).encode()
            for turn in play.turns:
                turn.said.encode()

    def test_what_cannot_be_is_refused_when_a_session_is_made(self):
        for prompts, options, words in (("markowian", {}, "there is no preset and no file `markowian`; presets are markovian"), ({"user": "{seed}"}, {}, "the seed of an episode"),
                                        ({"user": "{image}"}, {}, "needs the key `pixels`"), ("markovian", {"unreadable_as": "9"}, "actions have the numbers 0 to 5"),
                                        ("markovian", {"unreadable_as": "jump"}, "there is no such action"), ("markovian", {"gamma": 0.5}, "gamma"),
                                        ("markovian", {"obs": "lenguage"}, "lenguage")):
            with self.assertRaisesRegex(seedbed.Error, words):
                textplay.Session("GoToGoal-v0/easy#1", prompts, **options)
        for prompts, options, words in ((5, {}, "prompts: a preset, a path or options are expected, not 5"), ("{", {}, "prompts: this is no JSON"),
                                        ({"user": 5}, {}, "key `user`: a text is expected, not 5"), ('{"turns": "all"}', {}, "key `turns`: a whole number"),
                                        ({"history": {"steps": "x"}}, {}, "key `history.steps`: a whole number"), ({"valid": []}, {}, "key `valid`: an object"),
                                        ("markovian", {"turns": "x"}, "turns: a whole number"), ("markovian", {"obs": 5}, "obs: a str"),
                                        ("markovian", {"reward": 5}, "reward=5"), ("markovian", {"reward": "progress", "gamma": "x"}, "gamma='x'"), ("markovian", {"pixels": "flat"}, "pixels: an object"),
                                        ("markovian", {"pixels": {"zzz": 1}}, "pixels: .*zzz"), ("markovian", {"unreadable_as": None}, "no such action")):
            with self.assertRaisesRegex(seedbed.InvalidError, words):
                textplay.Session("GoToGoal-v0/easy#1", prompts, **options)
        with self.assertRaises(seedbed.UnknownError):
            textplay.Session("GoToGaol/easy#1")
        with self.assertRaisesRegex(seedbed.InvalidError, "a name, or an environment, not 5"):
            textplay.Session(5)
        with self.assertRaisesRegex(seedbed.InvalidError, "no episode"):
            textplay.Session(seedbed.make("GoToGoal-v0/easy#1"))


class Ways(unittest.TestCase):
    """Forks and going back end where a session comes that never did so."""
    NAME = "KeyDoorPuzzle-v0/medium#42"
    OPTIONS = {"user": "{turn} {history} {scene}", "history": {"steps": 4, "item": "{step} {action_name} {reward}"}, "answer": "ACTION: {action}"}

    def session(self, **more):
        return textplay.Session(self.NAME, self.OPTIONS, unreadable_as="random", random_seed=3, **more)

    def state(self, play):
        """All that tells two sessions apart: what is asked, what was played and drawn, and what comes next."""
        return (play.messages(), play.tape(), [*map(repr, play.turns)], play.marks, play.done, play.total, play.efficiency, play._episode.chance.getstate())

    def answers(self, n, seed):
        chance = random.Random(seed)
        return [chance.choice([f"ACTION: {chance.randrange(6)}", "hm", "", f"I say ACTION: {chance.randrange(6)}"]) for _ in range(n)]

    def test_going_back_is_as_if_it_had_not_been(self):
        for turns, reward in itertools.product((0, 2, -1), ("sparse", "progress")):
            gamma = 0.9 if reward == "progress" else 1.0
            straight, other = self.session(turns=turns, reward=reward, gamma=gamma), self.session(turns=turns, reward=reward, gamma=gamma)
            for i, text in enumerate(self.answers(25, 1)):
                for wrong in self.answers(i % 4, i):
                    other.say(wrong)
                if i % 5 == 4:
                    other.drop_turns()
                other.go_back(i % 4)
                self.assertEqual(self.state(other) if i % 5 < 4 or i % 4 else None, self.state(straight) if i % 5 < 4 or i % 4 else None, (turns, i))
                if i % 5 == 4 and i % 4 == 0:
                    straight.drop_turns()
                straight.say(text), other.say(text)
            self.assertEqual(self.state(other), self.state(straight))

    def test_forks_know_nothing_of_each_other(self):
        straight, play = self.session(turns=-1, reward="dense"), self.session(turns=-1, reward="dense")
        forks = []
        for i, text in enumerate(self.answers(12, 2)):
            forks.append(play.fork())
            forks[-1].say("ACTION: 5"), forks[-1].say("hm")
            straight.say(text), play.say(text)
        self.assertEqual(self.state(play), self.state(straight))
        for i, fork in enumerate(forks):
            fork.go_back(2)
            for text in self.answers(12, 2)[i:]:
                fork.say(text)
            self.assertEqual(self.state(fork), self.state(straight), i)

    def test_a_lost_episode_can_be_gone_back_to(self):
        play = textplay.Session(self.NAME, "markovian", unreadable_as="lose")
        play.say("ACTION: 1")
        turn = play.say("hm")
        self.assertEqual((turn.action, turn.done, turn.success, turn.marks, play.lost), (None, True, False, ("unreadable", "lost"), "the answer holds no action: hm"))
        self.assertEqual(json.loads(play.tape())["actions"], [1])
        play.go_back()
        self.assertEqual((play.done, play.lost, len(play.turns)), (False, None, 1))
        with self.assertRaisesRegex(seedbed.InvalidError, "only 1 turns"):
            play.go_back(2)

    def test_an_environment_is_played_on_from_where_it_stands(self):
        env = seedbed.make(self.NAME, obs="none")
        env.reset()
        env.step("move_down"), env.step("move_up")
        play = textplay.Session(env, self.OPTIONS)
        self.assertEqual(json.loads(play.tape())["actions"], [2, 1])
        self.assertRegex(play.messages()[-1]["content"], r"\A3 none ")
        play.say("ACTION: 4")
        play.go_back()
        self.assertEqual((play._env.key, env.step_count), (env.key, 2))
        while not play.done:
            play.say(f"ACTION: {play._env.expert_action()}")
        self.assertEqual((play.success, play.efficiency), (True, 1.0))


class Worth(unittest.TestCase):
    def test_rewards_are_those_of_environments(self):
        for reward, gamma in (("sparse", 1.0), ("dense", 1.0), ("progress", 0.95)):
            env = seedbed.make("KeyDoorPuzzle-v0/easy#42", reward=reward, gamma=gamma)
            env.reset()
            play = textplay.Session("KeyDoorPuzzle-v0/easy#42", reward=reward, gamma=gamma)
            while not play.done:
                action = play._env.expert_action() if len(play.turns) % 3 else 3
                self.assertEqual(play.say(f"ACTION: {action}").reward, env.step(action)[1])
            self.assertEqual((play.total, play.success), (env.total, env.success))

    def test_rewards_that_are_shown_are_sparse(self):
        history = {"history": {"steps": 2, "item": "{action}: {reward}"}, "user": "{history}"}
        plays = [textplay.Session("KeyDoorPuzzle-v0/easy#42", history, reward=reward) for reward in ("sparse", "dense", "progress")]
        for _ in range(3):
            turns = [play.say("move_right") for play in plays]
        self.assertEqual([play.messages() for play in plays], [plays[0].messages()] * 3)
        self.assertNotEqual(turns[0].reward, turns[1].reward)

    def test_efficiency_is_beside_the_expert(self):
        def played(wasted):
            play = textplay.Session("KeyDoorPuzzle-v0/easy#42")
            for _ in range(wasted):
                play.say("ACTION: 0")
            self.assertIsNone(play.efficiency)
            while not play.done:
                play.say(f"ACTION: {play._env.expert_action()}")
            return play
        best = played(0)
        self.assertEqual((best.efficiency, best.success, best.turns[-1].content), (1.0, True, None))
        n = len(best.turns)
        self.assertEqual(played(5).efficiency, n / (n + 5))
        idle = textplay.Session("KeyDoorPuzzle-v0/easy#42")
        while not idle.done:
            idle.say("hm")
        self.assertEqual((idle.efficiency, idle.success), (0.0, False))
        explored = textplay.Session("autumn:HeatBar#1")
        while not explored.done:
            explored.say("ACTION: 0")
        self.assertEqual((explored.efficiency, explored.success), (None, None))

    def test_imports_are_few(self):
        code = ("import sys, seedbed\nassert 'seedbed.textplay' not in sys.modules\nfrom seedbed import textplay\n"
                "play = textplay.Session('GoToGoal-v0/easy#1', reward='progress')\nplay.say('ACTION: 1'), play.go_back(), play.fork()\n"
                "print([name for name in ('numpy', 'gymnasium', 'verifiers') if name in sys.modules])")
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, "[]\n")


class Guards(unittest.TestCase):
    def test_evaluation_games_are_refused_by_game_and_not_by_name(self):
        official = [f"KeyDoorPuzzle-v0/easy#{seed}" for seed in seedbed.eval_seeds("KeyDoorPuzzle", "easy")[:2]]
        twin = next(name for name in (f"GoToGoal-v0/easy#{seed}" for seed in range(100)) if int(name.partition("#")[2]) not in seedbed.eval_seeds("GoToGoal", "easy"))
        fine = ["KeyDoorPuzzle-v0/easy#42", "babyai:GoToObj#77"]
        self.assertEqual(textplay.evaluation_games([*fine, *official, twin], jobs=2), [*official, twin])
        for names in ([official[0]], [twin], ["KeyDoorPuzzle-v0/easy#42", twin]):
            with self.assertRaisesRegex(seedbed.InvalidError, "allow_evaluation=True"):
                textplay.episodes(names)
            self.assertEqual([*textplay.episodes(names, allow_evaluation=True)], names)
        with self.assertRaisesRegex(seedbed.InvalidError, "25 of 25"):
            textplay.episodes(tasks="KeyDoorPuzzle", difficulty="easy", split="eval")
        with self.assertRaisesRegex(seedbed.InvalidError, "4 of 4"):
            textplay.episodes(tasks="GoToGoal", difficulty="easy", seeds="0..3")

    def test_lists_leave_evaluation_games_out_as_builds_do(self):
        asked = {"tasks": "TileSorting,KeyDoorPuzzle", "difficulty": "easy,medium", "split": "train"}
        chosen = textplay.episodes(**asked, n=100)
        rows = seedbed.rows({**asked, "count": 100}, "steps")
        self.assertEqual(len(chosen), rows.episodes - rows.left_out["across"] - rows.left_out["evaluation"])
        self.assertLess(len(chosen), rows.episodes)
        self.assertEqual(textplay.evaluation_games(chosen), [])
        self.assertEqual(len(textplay.episodes(**asked, n=100, allow_evaluation=True)), rows.episodes)
        with self.assertRaisesRegex(seedbed.InvalidError, "no episode is left"):
            textplay.episodes(tasks="GoToGoal", difficulty="easy", n=20)

    def test_where(self):
        asked = {"tasks": "KeyDoorPuzzle", "difficulty": "easy", "n": 20}
        steps = {play.name: play.steps for play in seedbed.rollouts(textplay.episodes(**asked), obs="ascii")}
        self.assertEqual([*textplay.episodes(**asked, where={"success": True, "min_steps": 8, "max_steps": 12}, jobs=2)], [name for name, n in steps.items() if 8 <= n <= 12])
        with self.assertRaisesRegex(seedbed.InvalidError, "there is no `steps`"):
            textplay.episodes(**asked, where={"steps": 1})

    def test_packs_of_what_was_trained_on_are_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trained.json")
            for asked in ({"tasks": "KeyDoorPuzzle,LightsOut", "difficulty": "easy,hard"}, {"family": "babyai", "tasks": "GoToObj"}, {"family": "arc", "tasks": "Lantern"}):
                names = [*textplay.episodes(**asked, n=3)]
                pack = textplay.save_pack(names + names[:2], path)
                self.assertEqual(sorted(pack), sorted(names))
                seedbed.load_pack(path).verify()
                done = subprocess.run([os.environ["SEEDBED"], "verify", path], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
            official = f"KeyDoorPuzzle-v0/easy#{seedbed.eval_seeds('KeyDoorPuzzle', 'easy')[0]}"
            textplay.save_pack(["KeyDoorPuzzle-v0/easy#42", official], path)
            self.assertEqual(subprocess.run([os.environ["SEEDBED"], "verify", path], capture_output=True).returncode, 1)
            with self.assertRaisesRegex(seedbed.InvalidError, "of one family, not of 2"):
                textplay.save_pack(["KeyDoorPuzzle-v0/easy#42", "babyai:GoToObj#1"], path)

    def test_what_is_trained_on_is_in_the_file_at_once_whoever_adds(self):
        code = ("import sys, threading\nfrom seedbed import textplay\npath, first = sys.argv[1], int(sys.argv[2])\ntrained = textplay.Trained(path)\n"
                "def add(i):\n    trained.add(f'GoToGoal-v0/easy#{first + i}')\n    assert f'GoToGoal-v0/easy#{first + i}' in list(textplay.load_pack(path))\n"
                "several = [threading.Thread(target=add, args=(i,)) for i in range(20)]\n[one.start() for one in several]\n[one.join() for one in several]")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "trained.json")
            several = [subprocess.Popen([sys.executable, "-c", code, path, str(first)], stderr=subprocess.PIPE, text=True) for first in (0, 10, 1000)]
            self.assertEqual([one.communicate()[1] for one in several], ["", "", ""])
            self.assertEqual(len(seedbed.load_pack(path)), 50)
            trained = textplay.Trained(path)
            with self.assertRaisesRegex(seedbed.InvalidError, "of one family, not of 2"):
                trained.add("babyai:GoToObj#1")
            trained.add("GoToGoal-v0/easy#7777")
            self.assertEqual(len(seedbed.load_pack(path)), 51)

    def test_a_pack_keeps_what_it_calls_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            for base, begin in (("mine", lambda path: textplay.save_pack(["GoToGoal-v0/easy#7777"], path, base="mine")),
                                ("trained", lambda path: textplay.add_to_pack(["GoToGoal-v0/easy#7777"], path))):
                path = os.path.join(folder, base)
                begin(path)
                textplay.add_to_pack(["GoToGoal-v0/easy#8888"], path)
                pack = textplay.load_pack(path)
                self.assertEqual((pack.base, len(pack)), (base, 2))

    def test_what_cannot_be_written_down_is_an_error_every_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "there")
            os.mkdir(path)
            trained = textplay.Trained(os.path.join(path, "trained.json"))
            os.rmdir(path)
            for _ in range(2):
                with self.assertRaises(OSError):
                    trained.add("GoToGoal-v0/easy#7777")
            with self.assertRaisesRegex(seedbed.InvalidError, "there is no such folder"):
                textplay.Trained(os.path.join(path, "trained.json"))


if __name__ == "__main__":
    unittest.main()
