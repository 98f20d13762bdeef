"""The adaptor for verifiers: its own programs (vf-eval, vf-replay, vf-validate) drive episodes with a scripted model behind an endpoint, offline."""
import functools
import importlib.util
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import seedbed
from seedbed import textplay

sys.path.append(str(Path(__file__).parent))
import scripted  # noqa: E402
from scripted import DIFFICULTY, TASKS, answer, said_to  # noqa: E402
from stub_endpoint import Bad, StubEndpoint  # noqa: E402

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


if __name__ == "__main__":
    unittest.main()
