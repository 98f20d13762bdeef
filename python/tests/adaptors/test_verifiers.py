"""The adaptor for verifiers: its own programs (vf-eval, vf-replay, vf-validate) drive episodes with a scripted model behind an endpoint, offline."""
import functools
import importlib.util
import json
import os
import re
import subprocess
import sys
import unittest
import urllib.request
from pathlib import Path

import seedbed
from seedbed import textplay

sys.path.append(str(Path(__file__).parent))
import scripted  # noqa: E402
from scripted import DIFFICULTY, ROOT, TASKS, answer, said_to  # noqa: E402
from stub_endpoint import Bad, StubEndpoint  # noqa: E402

LONGEST = 2048  # tokens of the tiny model
TORCH = os.environ.get("SEEDBED_TORCH")  # a Python that has PyTorch
MISSING = None if importlib.util.find_spec("verifiers") else "not installed: verifiers (scripts/test-python adaptors)"


@unittest.skipIf(MISSING, MISSING)
class Adaptor(scripted.Adaptor):
    def evaluate(self, answers, *words, tasks=TASKS, split="eval", n=25, client=(), run="run"):
        """Lets vf-eval play; returns its traces, and what the model was asked."""
        with StubEndpoint(answers) as server:
            self.said = self.program("vf-eval", "seedbed", "--env.taskset.tasks", tasks, "--env.taskset.difficulty", DIFFICULTY, "--env.taskset.split", split,
                                     "--env.taskset.n", n, "--model", "tiny", "--client.base-url", server.url, "--client.api-key-var", "MODEL_KEY",
                                     *client, "--no-push", "--no-rich", "-c", 16, "-o", "out", "--run.name", run, *words)
        self.episodes = self.lines(os.path.join("out", run))
        return [trace for episode in self.episodes for trace in episode["traces"]], [body for _, body, _ in server.heard]

    def lines(self, folder):
        with open(os.path.join(self.folder, folder, "traces.jsonl")) as file:
            return [json.loads(line) for line in file]


class Plays(Adaptor):
    def test_a_hundred_episodes_are_those_of_seedbed_eval(self):
        traces, _ = self.evaluate(answer)
        self.assertEqual(len(traces), 100)
        document, result = self.evaluated()
        played = {episode.name: episode for episode in result.episodes}
        documents = {episode["episode"]: episode for episode in document["episodes"]}
        won = 0
        for trace in traces:
            info = trace["info"]["seedbed"]
            tape = seedbed.replay(info["tape"], "none")
            other = played.pop(trace["task"]["data"]["name"])
            self.assertEqual((tape.name, list(tape.actions), tape.success, tape.total), (other.name, list(other.actions), other.success, other.total))
            marks = {mark: sum(mark in turn["marks"] for turn in info["turns"]) for mark in ("unreadable", "cut", "empty")}
            self.assertEqual(marks, {mark: documents[tape.name].get("marks", {}).get(mark, 0) for mark in marks})
            rewards, metrics = {name: reward["score"] for name, reward in trace["rewards"].items()}, trace["metrics"]
            self.assertEqual((rewards["success"], metrics["return"], metrics["turns"]), (float(tape.success), tape.total, tape.steps))
            self.assertEqual(rewards["efficiency"], info["efficiency"])
            self.assertEqual(rewards["format"], sum(turn["reading"] == "exact" for turn in info["turns"]) / tape.steps)
            self.assertAlmostEqual(rewards["progress"], sum(turn["reward"] for turn in info["turns"]))
            for turn in info["turns"]:
                self.assertEqual(trace["nodes"][turn["node"]]["message"]["role"], "assistant")
            self.assertEqual({name: reward["weight"] for name, reward in trace["rewards"].items()}, {"success": 1, "efficiency": 0, "format": 0, "progress": 0})
            won += tape.success
        self.assertEqual(played, {})
        self.assertTrue(20 < won < 100, won)
        self.program("vf-replay", "out/run", "--output-dir", "again", "--no-rich")
        again = {trace["id"]: trace for episode in self.lines("again") for trace in episode["traces"]}
        self.assertEqual([(trace["rewards"], trace["metrics"]) for trace in traces], [(again[trace["id"]]["rewards"], again[trace["id"]]["metrics"]) for trace in traces])

    def test_rewards_of_turns_are_those_of_environments(self):
        traces, _ = self.evaluate(answer, "--env.taskset.gamma", 0.9, tasks="KeyDoorPuzzle", n=3)
        for trace in traces:
            tape = json.loads(trace["info"]["seedbed"]["tape"])
            env = seedbed.make(tape["name"], reward="progress", gamma=0.9)
            env.reset()
            self.assertEqual([turn["reward"] for turn in trace["info"]["seedbed"]["turns"]], [env.step(action)[1] for action in tape["actions"]])

    def test_earlier_exchanges_are_those_of_a_session_also_if_they_are_too_many(self):
        def short(body, n):
            return Bad.status(400, said=b'{"error": {"message": "maximum context length"}}') if len(body["messages"]) > 12 else answer(body, n)

        traces, heard = self.evaluate(short, "--env.taskset.turns", -1, "--env.taskset.obs", "ascii", tasks="KeyDoorPuzzle", n=3)
        asked = {json.dumps(body["messages"]) for body in heard}
        dropped = 0
        for trace in traces:
            play = textplay.Session(trace["task"]["data"]["name"], "markovian", turns=-1, obs="ascii")
            while not play.done:
                while len(play.messages()) > 12:
                    play.drop_turns()
                self.assertIn(json.dumps(play.messages()), asked)
                play.say(*said_to(play.messages()[-1]["content"]))
            self.assertEqual(json.loads(play.tape()), json.loads(trace["info"]["seedbed"]["tape"]))
            self.assertEqual(trace["metrics"]["dropped"], play.marks["dropped"])
            dropped += play.marks["dropped"]
        self.assertGreater(dropped, 0)

    def test_answers_are_as_long_as_the_preset_allows_unless_the_run_says_otherwise(self):
        for words, most in (((), 100), (("--sampling.max-tokens", 7), 7), (("--env.taskset.prompts", "{}"), None)):
            traces, heard = self.evaluate(answer, "--env.agent.max-turns", 1, *words, tasks="GoToGoal", n=1, run=f"most-{most}")
            self.assertEqual([(trace["ok"], trace["calls"][0]["sampling"].get("max_tokens")) for trace in traces], [(True, most)])
            self.assertEqual({body.get("max_tokens") for body in heard}, {most})

    def test_pictures(self):
        def blind(body, n):
            parts = body["messages"][-1]["content"]
            self.assertEqual([part["type"] for part in parts], ["image_url", "text"])
            self.assertTrue(parts[0]["image_url"]["url"].startswith("data:image/png;base64,"))
            return answer({**body, "messages": [{"content": "#"}]}, n)

        traces, _ = self.evaluate(blind, "--env.taskset.pixels", '{"look": "flat", "tile": 8}', tasks="GoToGoal", n=1)
        self.assertTrue(all(trace["ok"] for trace in traces))

    def test_limits_and_failures(self):
        traces, _ = self.evaluate(answer, "--env.agent.max-turns", 3, tasks="KeyDoorPuzzle", n=2)
        for trace in traces:
            self.assertEqual((trace["ok"], trace["metrics"]["turns"], trace["rewards"]["success"]["score"]), (True, 3.0, 0.0))
        passing = [0]

        def shaky(body, n):
            passing[0] += 1
            return Bad.status(503) if passing[0] % 5 == 1 else answer(body, n)

        traces, _ = self.evaluate(shaky, tasks="GoToGoal", n=1, run="shaky")
        self.assertEqual([trace["ok"] for trace in traces], [True])
        traces, _ = self.evaluate(lambda body, n: Bad.status(401), tasks="GoToGoal", n=1, run="refused")
        self.assertEqual([(trace["ok"], trace["errors"][0]["status_code"]) for trace in traces], [(False, 401)])


class Tasks(Adaptor):
    def test_the_expert_wins_and_nobody_wins_untouched(self):
        said = self.program("vf-validate", "seedbed", "--taskset.tasks", TASKS, "--taskset.difficulty", "easy,hard", "--taskset.n", 3, "--runtime.type", "subprocess", "--no-rich")
        summary = json.loads(said[said.index("{"):said.rindex("}") + 1])
        self.assertEqual((summary["checks"]["gold"]["valid"], summary["checks"]["noop"]["valid"]), (summary["total"], summary["total"]))

    @functools.cached_property
    def taskset(self):
        import verifiers.v1 as vf
        return lambda **keys: vf.load_taskset(vf.taskset_config_type("seedbed")(id="seedbed", **keys))

    def test_evaluation_games_are_refused_by_game(self):
        official = f"KeyDoorPuzzle-v0/easy#{seedbed.eval_seeds('KeyDoorPuzzle', 'easy')[0]}"
        for keys in ({"names": [official]}, {"names": ["GoToGoal-v0/easy#0"]}, {"tasks": "GoToGoal", "seeds": "0..3"}):
            with self.assertRaisesRegex(seedbed.InvalidError, "allow_evaluation=True"):
                list(self.taskset(**keys))
        self.assertEqual([task.data.episode for task in self.taskset(names=[official], allow_evaluation=True)], [official])
        train = self.taskset(tasks="TileSorting", difficulty="medium", n=40)
        self.assertEqual(textplay.evaluation_games(task.data.episode for task in train), [])

    def test_tasks_say_what_is_asked_first_and_have_names_as_keys(self):
        task = next(iter(self.taskset(tasks="KeyDoorPuzzle", difficulty="easy", n=1, prompts={"user": "{scene}", "answer": "{action_name}"})))
        play = textplay.Session(task.data.episode, {"user": "{scene}", "answer": "{action_name}"})
        self.assertEqual([task.data.system_prompt, task.data.prompt], [message["content"] for message in play.messages()])
        self.assertEqual((task.key, task.data.name), (play.name, play.name))

    def test_importing_the_package_imports_no_framework(self):
        code = "import sys, seedbed, seedbed.textplay; print('SeedbedTaskset' in seedbed.__all__, 'verifiers' in sys.modules)"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, "False False\n")


class Training(Adaptor):
    """Data of the train client: a tiny model behind the endpoint that trainers have, and a tokenizer made on the spot."""

    def tokenizer(self):
        from tokenizers import Tokenizer, decoders, models, pre_tokenizers
        from transformers import PreTrainedTokenizerFast

        letters = sorted(pre_tokenizers.ByteLevel.alphabet())
        inner = Tokenizer(models.BPE({letter: i for i, letter in enumerate(["<end>", "<user>", *letters])}, []))
        inner.pre_tokenizer, inner.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
        made = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="<end>", additional_special_tokens=["<user>"])
        made.chat_template = ("{% for message in messages %}<user>{{ message.role }}: {{ message.content }}<end>{% endfor %}"
                              "{% if add_generation_prompt %}<user>assistant: {% endif %}")
        path = os.path.join(self.folder, "tokenizer")
        made.save_pretrained(path)
        return made, path

    def run_training(self, *words, **options):
        tokenizer, path = self.tokenizer()

        def sample(body, n):
            text, cut = said_to(tokenizer.decode(body["token_ids"]))
            ids = [*tokenizer.encode(text, add_special_tokens=False), *([] if cut else [tokenizer.eos_token_id])]
            return {"request_id": str(n), "choices": [{"token_ids": ids, "finish_reason": "length" if cut else "stop",
                                                       "logprobs": {"content": [{"token": f"token_id:{i}", "logprob": -0.5} for i in ids]}}]}

        client = ("--client.type", "train", "--client.renderer.name", "default", "--client.renderer-model-name", path)
        return tokenizer, self.evaluate(sample, *words, client=client, **options)[0]

    def test_tokens_of_answers_are_those_that_were_read(self):
        tokenizer, traces = self.run_training("--env.taskset.trained", os.path.join(self.folder, "trained.json"), tasks="KeyDoorPuzzle", split="train", n=3)
        self.assertEqual(len(traces), 3)
        for trace in traces:
            self.assertTrue(trace["ok"], trace["errors"])
            for turn in trace["info"]["seedbed"]["turns"]:
                node = trace["nodes"][turn["node"]]
                ids = [i for i, sampled in zip(node["token_ids"], node["mask"]) if sampled]
                self.assertEqual(tokenizer.decode(ids).removesuffix("<end>").strip(), (node["message"].get("content") or "").strip())
        pack = seedbed.load_pack(os.path.join(self.folder, "trained.json"))
        pack.verify()
        self.assertEqual((sorted(pack), textplay.evaluation_games(pack)), (sorted(trace["task"]["data"]["name"] for trace in traces), []))
        self.run_training("--env.taskset.trained", os.path.join(self.folder, "trained.json"), tasks="MazeNavigation", split="train", n=2, run="more")
        self.assertEqual(len(seedbed.load_pack(os.path.join(self.folder, "trained.json"))), 5)

    def test_evaluation_is_not_trained_on(self):
        _, traces = self.run_training(tasks="KeyDoorPuzzle", n=1)
        self.assertEqual(traces, [])
        self.assertIn("is evaluated with: train on another split", self.episodes[0]["errors"][0]["message"])
        _, traces = self.run_training("--env.taskset.allow-evaluation", tasks="KeyDoorPuzzle", n=1, run="allowed")
        self.assertEqual([trace["ok"] for trace in traces], [True])


@unittest.skipUnless(TORCH, "needs PyTorch: SEEDBED_TORCH names a Python that has it (scripts/test-python torch)")
class RealModel(Adaptor):
    """What a trainer gets of the train client, whose model, a tiny one, draws every token."""

    def setUp(self):
        super().setUp()
        self.tokens = os.path.join(self.folder, "tokens")
        server = subprocess.Popen([TORCH, ROOT / "tests" / "model_server.py", self.tokens], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.url = server.stdout.readline().strip()

    def collect(self, *words, split="train", run="run"):
        """Lets vf-eval collect plays; the framework reads what it kept."""
        import verifiers.v1 as vf

        self.said = self.program("vf-eval", "seedbed", "--env.taskset.tasks", "MazeNavigation", "--env.taskset.difficulty", DIFFICULTY,
                                 "--env.taskset.split", split, "--env.taskset.n", 3, "--env.taskset.unreadable-as", "random", "--model", "tiny",
                                 "--client.base-url", self.url, "--client.api-key-var", "MODEL_KEY", "--client.type", "train", "--client.renderer.name", "default",
                                 "--client.renderer-model-name", self.tokens, "--no-push", "--no-rich", "-o", "out", "--run.name", run, *words)
        self.episodes = self.lines(os.path.join("out", run))
        return [vf.WireTrace.model_validate(trace) for episode in self.episodes for trace in episode["traces"]]

    def logprobs(self, ids):
        """What the model says of each token after the first."""
        request = urllib.request.Request(self.url.removesuffix("/v1") + "/logprobs", json.dumps({"token_ids": ids}).encode())
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)["logprobs"]

    def play_again(self, trace, **options):
        """Says to a session what the model said: tokens, their probabilities and rewards are those of what was asked and answered."""
        from transformers import AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self.tokens)
        play = textplay.Session(trace.task.data.name, reward="progress", unreadable_as="random", **options)
        for told in trace.info["seedbed"]["turns"]:
            nodes = self.path(trace, told["node"])
            while len(asked := tokenizer.apply_chat_template(play.messages(), add_generation_prompt=True, return_dict=False)) > LONGEST:
                play.drop_turns()
            ids, node = [i for one in nodes for i in one.token_ids], nodes[-1]
            answer = ids[len(asked):]
            self.assertEqual((ids[:len(asked)], [i for i, sampled in zip(node.token_ids, node.mask) if sampled]), (asked, answer))
            for said, known in zip(node.logprobs, self.logprobs(ids)[-len(answer):], strict=True):
                self.assertAlmostEqual(said, known, 3)
            text = re.sub("|".join(map(re.escape, tokenizer.all_special_tokens)), "", tokenizer.decode(answer))
            self.assertEqual(node.message.content or "", text)
            turn = play.say(text, answer[-1] != tokenizer.eos_token_id)
            self.assertEqual((told["action"], told["reading"], told["reward"], told["marks"]), (turn.action, turn.reading, turn.reward, list(turn.marks)))
        self.assertEqual(json.loads(play.tape()), json.loads(trace.info["seedbed"]["tape"]))
        self.assertEqual(trace.rewards["success"].score, float(play.success or 0))
        return play

    @staticmethod
    def path(trace, at):
        nodes = []
        while at is not None:
            nodes.insert(0, trace.nodes[at])
            at = nodes[0].parent
        return nodes

    def test_samples_are_what_was_said(self):
        traces = self.collect("--sampling.max-tokens", 12)
        self.assertGreater(len(traces), 0)
        for trace in traces:
            self.assertTrue(trace.ok, trace.errors)
            self.assertTrue(self.play_again(trace).done)
            self.assertEqual(len(trace.branches), len(trace.info["seedbed"]["turns"]))  # a sample for each question
            for branch in trace.branches:
                n = sum(branch.sampled_mask)
                self.assertTrue(branch.trainable and 0 < n <= 12)
                self.assertEqual(branch.sampled_mask, [False] * (len(branch.token_ids) - n) + [True] * n)
                self.assertEqual([bool(chance) for chance in branch.logprobs], branch.sampled_mask)

    def test_samples_of_conversations_are_what_was_said(self):
        dropped = 0
        for trace in self.collect("--sampling.max-tokens", 12, "--env.taskset.turns", -1, "--env.agent.max-turns", 12):
            self.assertTrue(trace.ok, trace.errors)
            dropped += self.play_again(trace, turns=-1).marks["dropped"]  # the messages are too long for the model
            self.assertEqual(sum(sum(node.mask) for node in trace.nodes), trace.usage.completion_tokens)
        self.assertGreater(dropped, 0)

    def test_answers_are_as_long_as_the_preset_allows(self):
        for trace in self.collect("--env.agent.max-turns", 2):  # the server asks for a limit
            self.assertTrue(trace.ok, trace.errors)
            self.assertEqual(trace.agent.config.sampling.max_tokens, 100)
            self.assertTrue(all(sum(node.mask) <= 100 for node in trace.nodes))

    def test_evaluation_games_are_refused(self):
        self.assertEqual(self.collect(split="eval"), [])
        self.assertEqual({episode["errors"][0]["message"].partition(" is ")[2][:14] for episode in self.episodes}, {"evaluated with"})


if __name__ == "__main__":
    unittest.main()
