"""examples/agents/chat_model.py as an agent: prompts that are those of the training rows to the letter, answers that cannot be read, what results
keep, and keys that reach no file. tests/endpoint_test.py has what endpoints do.

    python3 tests/chat_model_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import base64
import collections
import hashlib
import json
import os
import random
import re
import subprocess
import sys
import time
import unittest
import zipfile

from dataset_support import FOUND, SEEDBED, InFolder, read, tapes_of, unpacked, write
from stub_endpoint import MODES, PASSING, Bad, StubEndpoint, completion

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples", "agents"))
from texts import prompts  # noqa: E402

HARNESS = os.path.join(ROOT, "examples", "agents", "chat_model.py")
KEY = "sk-0123456789abcdefSECRET"


def taken(episode):
    """The actions in an episode of a result, where repeated ones stand as `number*times`."""
    return [int(run.split("*")[0]) for run in episode["actions"].split() for _ in range(int((run + "*1").split("*")[1]))]


class Harness(InFolder):
    def run_eval(self, server, *flags, episodes=(), harness=(), key=None, code=0):
        environment = {**os.environ, "OPENAI_BASE_URL": server.url}
        environment.pop("OPENAI_API_KEY", None)
        if key:
            environment["OPENAI_API_KEY"] = key
        words = ["--model", "tiny", "--backoff", "0.01", *harness]
        command = " ".join([sys.executable, HARNESS, *(f"'{word}'" for word in words)])
        self.result = self.path("result.json")
        if os.path.exists(self.result):
            os.remove(self.result)
        done = subprocess.run([SEEDBED, "eval", *episodes, "-q", "-j1", "--agent", "exec:" + command, "-o", self.result, "--force",
                               "--salt", "00112233445566778899aabbccddeeff", *flags], capture_output=True, text=True, timeout=900, env=environment)
        self.assertEqual(done.returncode, code, done.stderr[-2000:])
        self.log = done.stderr
        return json.loads(read(self.result)) if os.path.exists(self.result) else None


class Prompts(Harness):
    def check(self, options, episodes, *flags, recipe=None, harness=()):
        """A model that knows the rows of a dataset by heart plays its episodes. It is asked what the rows ask, and nothing else. The templates come from
        the dataset, or from a recipe with the keys `recipe`."""
        folder = self.build("d", *episodes, *flags, "--force", "--evaluation", "keep", "--duplicates", "keep", "--format", json.dumps([{"format": "chat", **options}]))
        known = {}
        for row in map(json.loads, unpacked(folder, "chat").splitlines()):
            messages = row["messages"] if "messages" in row else None
            if messages is None:
                texts = [(row["prompt"], row["completion"][0]["content"] if isinstance(row["completion"], list) else row["completion"])]
            else:
                texts = [(messages[:i], messages[i]["content"]) for i in range(len(messages)) if messages[i]["role"] == "assistant"]
                texts = texts if "step" not in row else texts[-1:]
            for asked, said in texts:
                self.assertEqual(known.setdefault(json.dumps(asked), said), said, "the model would not know what to say")
        unknown = []

        def answer(body, n):
            asked = json.dumps(body["messages"] if "messages" in body else body["prompt"])
            if asked not in known:
                unknown.append(asked)
            return known.get(asked, "?")

        names = [tape["name"] for tape in tapes_of(folder)]
        path = folder if recipe is None else self.recipe(options, **recipe)
        with StubEndpoint(answer) as server:
            result = self.run_eval(server, episodes=names, harness=["--recipe", path, "--unreadable", "lose", *harness])
        self.assertEqual(unknown, [])
        self.assertGreaterEqual(len(server.heard), len(known))
        for episode, tape in zip(result["episodes"], tapes_of(folder), strict=True):
            self.assertEqual((episode["episode"], taken(episode)), (tape["name"], tape["actions"]))

    def recipe(self, options, **keys):
        return write(self.path("recipe.json"), json.dumps({**keys, "formats": [{"format": "chat", **options}]}))

    EASY = ["GoToGoal/easy#1", "GoToGoal/easy#2", "KeyDoorPuzzle/easy#3", "LightsOut/easy#1"]
    ALL = "|".join("{%s}" % field for field in ("task", "description", "category", "difficulty", "max_steps"))

    def test_the_standard_prompts(self):
        self.check({"user": "{turn}: {scene}"}, self.EASY)
        self.check({}, ["GoToGoal/easy#1", "GoToGoal/medium#2"], recipe={"family": "agentick", "tasks": "GoToGoal"})

    def test_every_placeholder(self):
        self.check({"system": self.ALL + " {{}} {structured} {actions}", "user": "{step} {turn} of {max_steps}\n{observation}\n{language}\n{state}\n{history}\n{valid_actions}",
                    "history": {"steps": 3, "item": "{step} {turn} {action} {action_name} {reward} {observation}", "separator": " / ", "empty": "-"},
                    "valid": {"item": "{action}={action_name}", "separator": "; ", "empty": "-"}, "answer": "At {step} ({turn}): ACTION: {action} ({action_name})."}, self.EASY)

    def test_modes_of_the_recipe_and_of_the_format(self):
        self.check({"user": "{history}\n{observation}\n{scene}"}, self.EASY, "--modes", "language")
        self.check({"user": "{history}\n{observation}", "modes": "structured"}, self.EASY, "--modes", "language")
        for mode in ("structured", "state"):
            self.check({"user": "{history}\n{scene}", "modes": mode}, self.EASY)

    def test_conversations_with_earlier_turns(self):
        self.check({"turns": 2, "user": "{turn} {scene}"}, self.EASY)
        self.check({"rows": "episode", "answer": "{rationale}{action_name}"}, self.EASY)
        self.check({"style": "prompt_messages", "system": "", "user": "{turn} {scene}"}, self.EASY)

    def test_plain_prompts_go_to_the_other_api(self):
        self.check({"style": "prompt", "user": "{turn} {scene}\n"}, self.EASY)

    def test_rationales_before_actions(self):
        self.check({"user": "{turn} {scene}", "rationale": "I {intent}. ", "answer": "{rationale}ACTION: {action}"}, self.EASY)
        self.check({"user": "{turn} {scene}", "answer": "{rationale}\n{action_name}"}, self.EASY)

    def test_other_families_and_clicks(self):
        self.check({"user": "{turn} {mission}\n{scene}\n{valid_actions}"}, ["babyai:GoToRedBall#1", "babyai:Open#2"])
        self.check({"user": "{history}\n{turn} {scene}"}, ["autumn:HeatBar#1"])
        self.check({"user": "{history}\n{turn}\n{valid_actions}", "valid": {"item": "{action} {action_name}"}, "answer": "{action}"}, ["arc:TwinCompass/full#1"])

    BY_FAMILY = {"agentick": ("GoToGoal", "GoToGoal/easy#1"), "babyai": ("GoToRedBall", "babyai:GoToRedBall#1"), "autumn": ("HeatBar", "autumn:HeatBar#1"),
                 "arc": ("TwinCompass", "arc:TwinCompass/full#1")}

    def test_a_recipe_file_asks_what_the_rows_of_its_family_show(self):
        for family, (task, episode) in self.BY_FAMILY.items():
            with self.subTest(family):
                self.check({"user": "{turn} {scene} {valid_actions}"}, [episode], recipe={"family": family, "tasks": task})
            for recipe in ({"tasks": f"{family}:{task}"}, {"names": [f"{family}:{task}#1"]}, {"splits": {"train": {"family": family}}}):
                self.assertEqual(prompts.family_of(recipe), family)

    def test_a_dataset_of_recorded_tapes_knows_its_family(self):
        with StubEndpoint(lambda body, n: "noop") as server:
            self.run_eval(server, "--max-steps", "3", episodes=["autumn:HeatBar#1"], harness=["--preset", "markovian"], code=FOUND)
        tapes = write(self.path("tapes.json"), json.dumps({"oracle": "tapes:" + self.result, "evaluation": "keep", "unreadable": "keep", "formats": ["chat"]}))
        done = subprocess.run([SEEDBED, "build", tapes, "-q", "-o", self.path("recorded")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        recipe, _ = prompts.read_recipe(self.path("recorded"))
        self.assertEqual(prompts.family_of(recipe), "autumn")

    def test_a_recipe_whose_family_only_the_program_knows_is_refused_where_rows_depend_on_it(self):
        for task, episode in self.BY_FAMILY.values():
            for keys, options in (({"tasks": task}, {}), ({"names": [episode.split(":")[-1]]}, {}), ({"tasks": task}, {"pixels": {"look": "flat"}}), ({"category": "hard"}, {})):
                with self.assertRaisesRegex(prompts.PromptError, "key `family`: "):
                    prompts.Prompts(options, keys)
        with StubEndpoint(lambda body, n: "hm") as server:
            self.assertIsNone(self.run_eval(server, episodes=["autumn:HeatBar#1"], harness=["--recipe", self.recipe({}, tasks="HeatBar")], code=FOUND))
        self.assertIn("chat_model: key `family`: ", self.log)
        self.assertEqual(server.heard, [])
        self.check({"user": "{turn} {ascii}"}, ["babyai:GoToObj#1"], recipe={"tasks": "GoToObj"})
        self.check({"user": "{turn} {scene}"}, ["arc:TwinCompass/full#1"], "--modes", "diff", recipe={"tasks": "TwinCompass", "modes": "diff"})
        self.assertEqual(prompts.family_of({"split": "train"}), "agentick")

    def test_what_is_told_before_a_test_is_in_the_prompt(self):
        options = {"system": "{instructions}", "user": "{turn} {scene} [{instructions}]", "answer": "{action}"}
        self.check(options, self.EASY[:1])
        for name, texts in (("ours", {}), ("own", {"instructions": {"planning": "Reach the goal."}})):
            recipe = self.recipe(options, names=["autumn:Seesaw/planning-3#1"], evaluation="keep", **texts)
            row = json.loads(unpacked(self.build(name, recipe), "chat").splitlines()[0])
            with StubEndpoint(lambda body, n: "0") as server:
                self.run_eval(server, "--max-steps", "1", episodes=["autumn:Seesaw/planning-3#1"], harness=["--recipe", self.path(name)], code=FOUND)
            self.assertEqual(server.heard[0][1]["messages"], row["messages"][:2])

    def test_presets_tell_what_is_told_before_a_test(self):
        systems = []
        for preset in ("markovian", "markovian_reasoner"):
            for episode in ("autumn:Seesaw/planning-3#1", "GoToGoal/easy#1"):
                with StubEndpoint(lambda body, n: "ACTION: 0") as server:
                    self.run_eval(server, "--max-steps", "1", episodes=[episode], harness=["--preset", preset], code=FOUND)
                systems.append(server.heard[0][1]["messages"][0]["content"])
        for tested, plain in (systems[:2], systems[2:]):
            self.assertIn("alone.\n\nYou are in front of a grid", tested)
            self.assertIn("Act until these cells have the colours of the goal.", tested)
            self.assertRegex(plain, r"alone\.\Z")

    def test_presets_show_a_picture_in_place_of_the_observation(self):
        for preset in prompts.PRESETS:
            for mode in ([], ["--mode", "language"]):
                with StubEndpoint(lambda body, n: "ACTION: 0") as server:
                    self.run_eval(server, "--max-steps", "1", episodes=["GoToGoal/easy#1"], code=FOUND,
                                  harness=["--preset", preset, "--pixels", '{"look": "flat", "tile": 8}', *mode])
                picture, text = server.heard[0][1]["messages"][1]["content"]
                self.assertTrue(picture["image_url"]["url"].startswith("data:image/png;base64,"))
                self.assertRegex(text["text"], r"\A\n\nYou are in .*\n\nActions:\n" if mode else r"\A\n\nActions:\n0: noop\n")

    def test_pixels_without_a_place_for_the_picture_are_refused(self):
        look = {"look": "flat"}
        for options, words in (({"user": "{scene}"}, "{image} should be there once"), ({"user": "{image}{image}"}, "{image} should be there once"),
                               ({"style": "prompt"}, "`prompt` is one text"), ({"system": "{image}"}, "belongs into `user`")):
            with self.assertRaises(prompts.PromptError) as caught:
                prompts.Prompts({"pixels": look, **options})
            self.assertIn(words, str(caught.exception))
        with self.assertRaisesRegex(prompts.PromptError, "needs the key `pixels`"):
            prompts.Prompts({"user": "{image}"})
        with StubEndpoint(lambda body, n: "hm") as server:
            self.run_eval(server, episodes=self.EASY, code=FOUND, harness=["--recipe", self.recipe({"user": "{scene}"}), "--pixels", json.dumps(look)])
        self.assertIn("chat_model: key `user`: with pixels, {image} should be there once", self.log)

    def test_recipes_that_say_no_prompts_are_refused_in_a_line(self):
        chats = [{"format": "chat", "name": "a"}, {"format": "chat", "name": "b"}]
        for content, flags, words in ((None, [], "No such file"), ("{", [], "no JSON"), (b"\xff\x00", [], "no JSON"), ("[1]", [], "a JSON object"),
                                      ('{"formats": ["steps"]}', [], "it has no format `chat`, which holds the prompts"), ("{}", [], "it has no format `chat`"),
                                      (json.dumps({"formats": chats}), [], "several formats `chat`: choose one with --format NAME: a, b"),
                                      (json.dumps({"formats": chats}), ["--format", "c"], "no format `chat` of the name `c`; known names: a, b"),
                                      (json.dumps({"family": "babyia", "format": "steps,chat"}), [], "the family `babyia`; known families: agentick, babyai")):
            path = self.path("broken.json")
            if content is not None:
                write(path, content)
            with StubEndpoint(lambda body, n: "hm") as server:
                self.assertIsNone(self.run_eval(server, episodes=self.EASY, harness=["--recipe", path, *flags], code=FOUND))
            self.assertIn(words, self.log)
            self.assertNotIn("Traceback", self.log)

    def test_pictures_are_those_of_the_dataset(self):
        self.check_pictures({"turns": 1, "user": "{turn} {image} {valid_actions}"}, self.EASY)

    def test_pictures_of_a_recipe_file_come_with_the_texts_of_its_family(self):
        self.check_pictures({}, ["babyai:GoToObj#1"], {"tasks": "babyai:GoToObj"}, look="view")

    def check_pictures(self, options, episodes, recipe=None, look="flat"):
        options = {"format": "chat", "pixels": {"look": look, "tile": 8}, **options}
        folder = self.build("d", *episodes, "--evaluation", "keep", "--format", json.dumps([options]))
        known = {}
        with zipfile.ZipFile(os.path.join(folder, "chat-00000-of-00001.zip")) as archive:
            for row in map(json.loads, archive.read("metadata.jsonl").splitlines()):
                pictures = [hashlib.sha256(archive.read(name)).hexdigest() for name in row["images_file_names"]]
                texts = [part["text"] for message in row["messages"][:-1] for part in message["content"]]
                known[json.dumps([texts, pictures])] = row["messages"][-1]["content"][0]["text"]
        unknown = []

        def answer(body, n):
            parts = [part for message in body["messages"]
                     for part in (message["content"] if isinstance(message["content"], list) else [{"type": "text", "text": message["content"]}])]
            urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
            pictures = [hashlib.sha256(base64.b64decode(url.removeprefix("data:image/png;base64,"))).hexdigest() for url in urls]
            asked = json.dumps([[part.get("text") for part in parts], pictures])
            unknown.extend([] if asked in known else [asked])
            return known.get(asked, "?")

        with StubEndpoint(answer) as server:
            result = self.run_eval(server, episodes=[tape["name"] for tape in tapes_of(folder)],
                                   harness=["--recipe", self.recipe(options, **recipe) if recipe else folder, "--unreadable", "lose"])
        self.assertEqual(unknown, [])
        self.assertEqual([taken(episode) for episode in result["episodes"]], [tape["actions"] for tape in tapes_of(folder)])

    def test_what_agents_are_not_told_is_refused(self):
        for options, word in (({"user": "{seed}"}, "seed"), ({"system": "{name}"}, "name"), ({"user": "{nothing}"}, "{nothing}"), ({"answer": "{rationale}"}, "{action}"),
                              ({"reward": "dense", "history": {"steps": 1, "item": "{reward}"}}, "reward")):
            with self.assertRaisesRegex(prompts.PromptError, word):
                prompts.Prompts(options)


class Reading(unittest.TestCase):
    MESSAGE = {"op": "reset", "family": "agentick", "task": "T", "summary": "S", "category": "c", "difficulty": "easy", "max_steps": 9, "n_actions": 6, "random_seed": 1,
               "observations": {"ascii": "#"}, "action_names": ["noop", "move_up", "move_down", "move_left", "move_right", "interact"], "valid_actions": [0, 1],
               "valid_names": ["noop", "move_up"]}

    def read(self, text, **options):
        return prompts.Episode(prompts.Prompts(options), self.MESSAGE).read(text)[0]

    def test_the_last_action_line_counts(self):
        for preset in prompts.PRESETS.values():
            for text, action in (("ACTION: 3", 3), ("I think ACTION: 1 is bad.\nSo\nACTION: 4", 4), ("action:2", 2), ("**ACTION: 5**", 5),
                                 ("ACTION: 6", None), ("ACTION: -1", None),
                                 ("3", None), ("", None), ("ACTION: up", None), ("ACTION: 12345678901234567890", None)):
                with self.subTest(text):
                    self.assertEqual(self.read(text, **preset), action)

    def test_an_answer_of_one_name_is_that_name(self):
        for text, action in (("move_up", 1), (" Move_Up.\n", 1), ("I go to the key. move_left", 3), ("move_up or noop?", 0),
                             ("jump", None), ("move_up because", None), ("", None), ("amove_up", None)):
            with self.subTest(text):
                self.assertEqual(self.read(text), action)

    def test_a_cut_answer_has_an_action_only_on_a_line_of_its_own(self):
        message = {**self.MESSAGE, "n_actions": 30, "n_buttons": 5, "click_width": 5, "click_height": 5, "action_names": ["noop", "up", "upper", "act", "react", "click"]}
        reasoner = prompts.PRESETS["markovian_reasoner"]
        for options, text, action in ((reasoner, "ACTION: 3", 3), (reasoner, "ACTION: 2", None), (reasoner, "ACTION: 2\n", 2), (reasoner, "ACTION: 0", 0), (reasoner, "So **ACTION: 3**", None),
                                      (reasoner, "So\n**ACTION: 3**", 3), (reasoner, "ACTION: 3 is what", None), (reasoner, "ACTION: 3\nNot ACTION: 4 but", None), (reasoner, "ACTION: up", None),
                                      (reasoner, "ACTION: upper", 2), ({}, "act", 3), ({}, "up", None), ({}, "I go up\nact", 3), ({}, "I act", None), ({}, "click 1 1", None), ({}, "click (1, 1)\n", 11)):
            with self.subTest(text):
                self.assertEqual(prompts.Episode(prompts.Prompts(options), message).read(text, True)[0], action)

    def test_marks_of_thinking_in_a_template_are_its_own(self):
        """The rows of such a recipe hold thoughts, in earlier turns, too."""
        made = prompts.Prompts({"answer": "<think>{rationale}</think>\nACTION: {action}", "turns": -1})
        episode = prompts.Episode(made, self.MESSAGE)
        said = "<think>ACTION: 2</think>\nACTION: 3"
        self.assertEqual(episode.read(said), (3, ""))
        self.assertIsNone(episode.read("<think>ACTION: 2</think>")[0])
        episode.note(3, said)
        self.assertEqual(episode.prompt()[-2]["content"], said)

    def test_actions_that_are_not_listed_may_be_taken(self):
        self.assertEqual(self.read("interact"), 5)

    def test_reading_takes_linear_time(self):
        for text in ("ACTION:" * 200000, "ACTION: " + " " * 300000, "a" * 300000, "a (" * 100000, "9" * 4000):
            began = time.monotonic()
            for preset in ({}, prompts.PRESETS["markovian_reasoner"]):
                self.read(text, **preset)
            self.assertLess(time.monotonic() - began, 30, text[:20])


class Playing(Harness):
    EPISODES = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..5"]

    @staticmethod
    def player(bad=None, every=3):
        """A model that draws its answers from the prompt; every third request goes wrong if `bad` is given."""
        def answer(body, n):
            if bad and n % every == 0:
                return bad[n // every % len(bad)]
            return f"I think.\nACTION: {random.Random(json.dumps(body['messages'])).randrange(6)}"
        return answer

    def actions(self, result):
        return [(episode["episode"], episode["actions"], episode.get("error")) for episode in result["episodes"]]

    def test_presets_play_and_record_everything_but_the_key(self):
        for preset in prompts.PRESETS:
            with StubEndpoint(self.player()) as server:
                result = self.run_eval(server, episodes=self.EPISODES, harness=["--preset", preset, "--temperature", "0.7"])
            about = result["agent"]["about"]
            self.assertEqual((about["model"], about["prompts_of"], about["request"]), ("tiny", preset, {"max_tokens": 100, "temperature": 0.7}))
            self.assertIn("ACTION: {action}", about["prompts"]["answer"])
            path, body, headers = server.heard[0]
            self.assertEqual((path, body["max_tokens"], body["temperature"], [m["role"] for m in body["messages"]]), ("/v1/chat/completions", 100, 0.7, ["system", "user"]))
            self.assertNotIn("Authorization", headers)
            self.assertIn("# # # # #", body["messages"][1]["content"])
            self.assertTrue(all(len(body["messages"]) == 2 for _, body, _ in server.heard), "nothing of the past is shown")

    def test_an_endpoint_that_misbehaves_changes_nothing(self):
        quick = {name: bad for name, bad in PASSING.items() if name not in ("hung", "drip", "drip of headers")}
        with StubEndpoint(self.player()) as server:
            whole = self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian"])
        with StubEndpoint(self.player([*quick.values(), Bad.slow(0.05)])) as server:
            result = self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--retries", "20"])
        self.assertEqual(self.actions(result), self.actions(whole))
        self.assertIn("failed: ", self.log)

    def test_results_keep_thoughts_and_counters_step_by_step(self):
        with StubEndpoint(lambda body, n: completion("I look.\nSo\nACTION: 1", usage=(30, 4))) as server:
            result = self.run_eval(server, episodes=["GoToGoal/easy#1"], harness=["--preset", "markovian_reasoner", "--price-in", "2", "--price-out", "10"])
        episode = result["episodes"][0]
        self.assertEqual((episode["calls"], episode["tokens_in"], episode["tokens_out"]), (20, 600, 80))
        self.assertAlmostEqual(episode["cost"], 20 * 100 / 1e6)
        self.assertEqual([said["thought"] for said in episode["said"]], ["I look.\nSo"] * 20)
        with StubEndpoint(lambda body, n: "\0 \x1b[0m \ud800 \u202e ACTION: 1") as server:
            result = self.run_eval(server, episodes=["GoToGoal/easy#1"], harness=["--preset", "markovian"])
        self.assertEqual({said["thought"] for said in result["episodes"][0]["said"]}, {"\ufffd \x1b[0m ? \u202e"})
        long = {"choices": [{"message": {"content": "x" * 9000 + " ACTION: 1", "reasoning_content": "\0\x1b" + "y" * 9000}}]}
        with StubEndpoint(lambda body, n: long) as server:
            result = self.run_eval(server, episodes=["GoToGoal/easy#1"], harness=["--preset", "markovian"])
        self.assertEqual({len(said["thought"]) for said in result["episodes"][0]["said"]}, {8192})

    def test_batches_change_nothing_and_are_asked_at_once(self):
        results, most = [], []
        for batch in ("1", "6"):
            running, peak = [0], [0]

            def answer(body, n, running=running, peak=peak):
                def wait(handler):
                    with handler.server.lock:
                        running[0] += 1
                        peak[0] = max(peak[0], running[0])
                    time.sleep(0.02)
                    with handler.server.lock:
                        running[0] -= 1
                    return False
                return wait if n else self.player()(body, 1)
            with StubEndpoint(answer) as server:
                results.append(self.actions(self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--batch", batch])))
            most.append(peak[0])
        self.assertEqual(results[0], results[1])
        self.assertEqual(most[0], 1)
        self.assertGreater(most[1], 3)
        with StubEndpoint(self.player()) as server:
            self.assertEqual(self.actions(self.run_eval(server, "--fresh", episodes=self.EPISODES, harness=["--preset", "markovian"])), results[0])

    def test_unreadable_answers_count_as_declared(self):
        taken = {}
        for what in ("0", "noop", "interact", "random"):
            with StubEndpoint(lambda body, n: "I do not know.") as server:
                result = self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--unreadable", what])
            self.assertEqual(result["agent"]["about"]["unreadable_as"], what)
            self.assertIn("without a readable action", self.log)
            taken[what] = [episode["actions"] for episode in result["episodes"]]
        self.assertEqual(taken["0"], taken["noop"])
        self.assertEqual(set(taken["noop"]), {"0*20"})
        self.assertEqual(set(taken["interact"]), {"5*20"})
        self.assertEqual(len(set(taken["random"])), 6)
        with StubEndpoint(lambda body, n: "I do not know.") as server:
            result = self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--unreadable", "lose"], code=FOUND)
        self.assertEqual({episode["error"]["kind"] for episode in result["episodes"]}, {"nonsense"})

    def test_a_run_without_any_readable_answer_is_warned_of_once(self):
        """And not if there was one, however late, among the first twenty; eval and build start the same program."""
        warning = (r"warning: none of the first 20 answers holds an action that can be read; expected is `ACTION: \{action\}`, such as `ACTION: 1`; "
                   r"the first answer was `(I know nothing\. )+I[ a-z]*`\.")
        for readable, warns in ((None, 1), (1, 0), (20, 0), (21, 1)):
            with StubEndpoint(lambda body, n: "ACTION: 1" if n == readable else "I know nothing. " * 50) as server:
                self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--batch", "1"])
            self.assertGreater(len(server.heard), 21)
            self.assertEqual((self.log.count("warning:"), len(re.findall(warning, self.log))), (warns, warns), (readable, self.log))

    def test_who_gives_a_number_for_a_name_is_told_what_is_read(self):
        path = write(self.path("recipe.json"), json.dumps({"family": "agentick", "formats": [{"format": "chat", "answer": "ACTION: {action_name}"}]}))
        with StubEndpoint(lambda body, n: "ACTION: 3") as server:
            result = self.run_eval(server, episodes=["GoToGoal/easy#1"], harness=["--recipe", path, "--unreadable", "lose"], code=FOUND)
        self.assertIn("the answer holds no action: `ACTION: 3`; expected is `ACTION: {action_name}`, such as `ACTION: move_up`, with the action's name: "
                      "numbers are read where `answer` has {action} in its place", result["episodes"][0]["error"]["text"])

    BEST = os.path.join(ROOT, "examples", "recipes", "best-answers.json")

    def test_rejection_sampling_asks_what_its_rows_ask(self):
        """Wherever the rows come from: attempts in a result, or a model that plays for the dataset. Other prompts are told of."""
        def behave(body, n):
            chance = random.Random(n)
            text = json.dumps(body["messages"])
            moves = [f"ACTION: {i}" for i in range(1, 5)] if "ACTION: n" in text else ["move_up", "move_down", "move_left", "move_right"]
            return "I wonder" if n % 97 == 0 else chance.choice(moves)
        tasks = ["--tasks", "PreciseNavigation", "-d", "easy", "--split", "train", "-n", "12", "--attempts", "6"]
        note = r"note: format chat: the rows do not ask what the model was asked when it played: `(\w+)` differs"
        recipe = {**json.loads(read(self.BEST)), "oracle": "tapes:" + self.path("result.json")}
        for harness, key in ((["--recipe", self.BEST], None), (["--preset", "markovian"], "system"), (["--recipe", self.BEST, "--turns", "2"], "turns"),
                             (["--recipe", self.BEST, "--mode", "language"], "modes")):
            with StubEndpoint(behave) as server, self.subTest(harness):
                self.run_eval(server, *tasks, harness=harness)
                done = subprocess.run([SEEDBED, "build", write(self.path("best.json"), json.dumps(recipe)), "-o", self.path("best"), "--force"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(re.findall(note, done.stderr), [key] if key else [])
                rows = [json.loads(line) for line in unpacked(self.path("best"), "chat").splitlines()]
                asked = {json.dumps(body["messages"]) for _, body, _ in server.heard}
                self.assertGreater(len(rows), 10)
                self.assertEqual(all(json.dumps(row["prompt"]) in asked for row in rows), key is None)
                self.assertNotIn("noop", {row["completion"][0]["content"] for row in rows})
                manifest = json.loads(read(self.path("best/manifest.json")))
                self.assertGreater(manifest["unreadable"]["found"], 0)

    def test_a_model_that_plays_for_a_dataset_is_asked_what_the_rows_ask(self):
        for form, key in ((["-f", '[{"format": "chat", "style": "prompt_messages"}]', "-m", "ascii"], None), (["-f", "chat", "-m", "language"], "modes"),
                          (["-f", '{"format": "chat", "user": "{turn}: {scene}"}'], "user"), (["-f", "steps"], None)):
            with StubEndpoint(lambda body, n: "move_right") as server, self.subTest(form):
                agent = f"exec:{sys.executable} {HARNESS} --model tiny --url {server.url} --recipe {self.BEST}"
                done = subprocess.run([SEEDBED, "build", "--tasks", "PreciseNavigation", "-d", "easy", "--split", "train", "-n", "2", "--agent", agent, *form,
                                       "-o", self.path("d"), "--force"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(re.findall(r"the model was asked when it played: `(\w+)` differs", done.stderr), [key] if key else [])

    def test_an_unreadable_answer_counts_as_nothing_that_is_no_action(self):
        for what, words in (("nop", "there is no such action; known actions: noop, move_up,"), ("6", "actions have the numbers 0 to 5"), ("99", "actions have the numbers 0 to 5")):
            with StubEndpoint(lambda body, n: "I do not know.") as server:
                result = self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--unreadable", what], code=FOUND)
            self.assertIn(f"--unreadable-as {what}: {words}", self.log)
            for episode in result["episodes"]:
                self.assertIn(f"--unreadable-as {what}", episode["error"]["text"])
            self.assertEqual(server.heard, [])
        for what in ("-1", "0.5", "", "no op"):
            with StubEndpoint(self.player()) as server:
                self.assertIsNone(self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", f"--unreadable={what}"], code=FOUND))
            self.assertIn("an action by number or name, `random`, or `lose` is expected", self.log)

    def test_numbers_and_objects_that_make_no_sense_are_refused_at_the_start(self):
        for flag, what, words in (("--retries", "-1", "a whole number from 0 on is expected, not `-1`"), ("--ask-again", "-1", "a whole number from 0 on"),
                                  ("--pixels", "5", "a JSON object is expected"), ("--body", "{", "this is no JSON"), ("--max-tokens", "-5", "a whole number"),
                                  ("--max-tokens", "0", "from 1 on"), ("--timeout", "0", "more than 0 seconds"), ("--batch", "0", "from 1 on"),
                                  ("--body", '{"model": "other"}', "the model is named by --model")):
            with StubEndpoint(self.player()) as server:
                self.assertIsNone(self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", flag, what], code=FOUND))
            self.assertIn(words, self.log)
            self.assertNotIn("Traceback", self.log)

    def test_an_unreadable_answer_may_be_asked_for_again(self):
        with StubEndpoint(lambda body, n: "ACTION: 1" if n % 3 == 0 else "hm") as server:
            result = self.run_eval(server, episodes=["GoToGoal/easy#1"], harness=["--preset", "markovian", "--ask-again", "2", "--seeded"])
        self.assertNotIn("0", result["episodes"][0]["actions"].split("*")[0])
        self.assertEqual(len({body["seed"] for _, body, _ in server.heard}), len(server.heard))

    ODD = ["ACTION: 1", "", "I do not know.", "thinking is cut", "a refusal"]  # texts and names of modes

    def test_results_count_odd_answers_over_jobs_resumes_and_merges(self):
        """Which answer is odd depends on the prompt alone."""
        def name_of(body):
            return self.ODD[random.Random(json.dumps(body["messages"])).randrange(5)]
        with StubEndpoint(lambda body, n: MODES[name_of(body)].behave if name_of(body) in MODES else name_of(body)) as server:
            harness = ["--preset", "markovian", "--unreadable-as", "random", "--price-in", "1", "--price-out", "1"]
            whole = self.run_eval(server, episodes=self.EPISODES, harness=harness)
            count = collections.Counter(name_of(body) for _, body, _ in server.heard)
            marks = whole["families"][0]["tasks"][0]["marks"]
            self.assertEqual(marks, {"answers": count.total(), "unreadable": count.total() - count["ACTION: 1"], "cut": count["thinking is cut"], "refused": count["a refusal"],
                                     "empty": count[""] + count["thinking is cut"] + count["a refusal"]})
            rates = whole["families"][0]["tasks"][0]["mark_rates"]
            self.assertEqual(rates["unreadable"], marks["unreadable"] / marks["answers"])
            shown = subprocess.run([SEEDBED, "report", self.result, "--published", "none"], capture_output=True, text=True).stdout
            self.assertIn(f"{marks['unreadable']} ({100 * rates['unreadable']:.1f} %)", shown)
            self.assertRegex(shown, r"unreadable_as +random\n")
            many = self.run_eval(server, "-j3", episodes=self.EPISODES, harness=[*harness, "--batch", "2"])
            self.assertEqual(many["families"][0]["all"]["marks"], marks)

    def test_a_limit_of_cost_without_prices_is_refused_before_anything_is_asked(self):
        document = {"choices": [{"message": {"content": "ACTION: 1"}}], "usage": {"prompt_tokens": 1000000, "completion_tokens": 0, "cost": 0.25}}
        for more, limit, asked in (([], ["--max-cost", "5.5"], 0), ([], [], 120), (["--server-costs"], ["--max-cost", "5.5"], 40),
                                   (["--price-in", "0.25", "--price-out", "1"], ["--max-cost", "5.5"], 40)):
            with StubEndpoint(lambda body, n: document) as server:
                self.run_eval(server, *limit, episodes=self.EPISODES, harness=["--preset", "markovian", "--batch", "1", *more], code=FOUND if limit else 0)
            self.assertEqual(len(server.heard), asked, (more, self.log))
            self.assertEqual("--max-cost needs to know what answers cost: give --price-in X --price-out Y" in self.log, not asked)

    def test_an_unknown_cost_ends_a_run_that_has_a_limit(self):
        for usage in (None, {"prompt_tokens": "10", "completion_tokens": "3"}, {"input_tokens": 10, "output_tokens": 3}, {"cost": True}):
            document = {"choices": [{"message": {"content": "ACTION: 1"}}], "usage": usage}
            with StubEndpoint(lambda body, n, document=document: document) as server:
                self.run_eval(server, "--max-cost", "1", episodes=self.EPISODES, harness=["--preset", "markovian", "--batch", "1", "--price-in", "1", "--price-out", "1"], code=FOUND)
            self.assertEqual(len(server.heard), 20, "one episode")
            self.assertEqual(self.log.count("the endpoint does not say"), 1)
            self.assertIn("the limit of 1 cannot be held", self.log)

    def test_losses_say_what_happened_and_keep_what_was_paid(self):
        """Twenty steps are played, and then the endpoint fails in its way."""
        for name, kind in (("finish reason error", "endpoint"), ("llama cpp says it", "context"), ("insufficient quota", "quota"), ("prompt is filtered", "refused")):
            with StubEndpoint(lambda body, n, name=name: MODES[name].behave if n > 5 else "ACTION: 0") as server:
                result = self.run_eval(server, episodes=["GoToGoal/easy#1"], harness=["--preset", "markovian", "--retries", "1"], code=FOUND)
            episode = result["episodes"][0]
            self.assertEqual((episode["error"]["kind"], episode["steps"], episode["calls"]), (kind, 5, len(server.heard)))
            self.assertEqual(episode["tokens_in"], 50 + 20 * (name == "finish reason error"), "failures that say what they took count")
            self.assertEqual(episode["marks"], {"answers": 5})

    def test_what_the_endpoint_does_not_answer_loses_its_episode_and_is_played_again(self):
        def answer(body, n):
            return Bad.status(400) if n == 3 else self.player()(body, 1)
        with StubEndpoint(answer) as server:
            result = self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--batch", "1"], code=FOUND)
        self.assertEqual([bool(episode.get("error")) for episode in result["episodes"]], [True] + [False] * 5)
        self.assertIn("400", result["episodes"][0]["error"]["text"])

    def test_an_endpoint_that_is_not_there_stops_the_run_with_its_reason(self):
        with StubEndpoint(self.player()) as server:
            pass
        self.run_eval(server, episodes=["--tasks", "GoToGoal", "--seeds", "0..40"], harness=["--preset", "markovian", "--retries", "1"], code=FOUND)
        self.assertIn("refused", self.log)

    def test_keys_reach_no_file_and_no_output(self):
        def answer(body, n):
            bad = [Bad.status(500, said=KEY.encode()), f"{KEY}\nACTION: 1", Bad.raw(f"<{KEY}>".encode()), Bad.status(400, said=KEY.encode())]
            return bad[n % 4] if n < 20 else f"{KEY} ACTION: 2"
        log = self.path("agent.log")
        with StubEndpoint(answer) as server:
            result = self.run_eval(server, "--agent-log", log, episodes=self.EPISODES, harness=["--preset", "markovian_reasoner"], key=KEY + "\r\n", code=FOUND)
        self.assertEqual(server.heard[0][2]["Authorization"], "Bearer " + KEY)
        self.assertTrue(result["episodes"])
        files = [os.path.join(folder, name) for folder, _, names in os.walk(self.folder) for name in names]
        self.assertIn(log, files)
        self.assertIn(b"[key]", read(log))
        for path in files:
            self.assertNotIn(KEY.encode(), read(path), path)
        self.assertNotIn(KEY, self.log)

    def test_a_key_on_the_command_line_is_refused(self):
        with StubEndpoint(self.player()) as server:
            self.run_eval(server, episodes=self.EPISODES, harness=["--preset", "markovian", "--body", json.dumps({"key": KEY})], key=KEY, code=FOUND)
        self.assertIn("the key is in the command line", self.log)
        self.assertEqual(server.heard, [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
