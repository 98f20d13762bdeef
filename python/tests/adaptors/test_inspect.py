"""The adaptor for Inspect: its own program (`inspect eval`) drives episodes with a scripted model behind an endpoint, offline."""
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

MISSING = None if importlib.util.find_spec("inspect_ai") else "not installed: inspect_ai (scripts/test-python inspect)"
MARKS = ("unreadable", "cut", "empty")
TOO_LONG = Bad.status(400, said=b'{"error": {"message": "maximum context length", "code": "context_length_exceeded"}}')


@unittest.skipIf(MISSING, MISSING)
class Adaptor(scripted.Adaptor):
    def evaluate(self, *words, answers=answer, **arguments):
        """Lets `inspect eval` play; returns its log, and what the model was asked."""
        from inspect_ai.log import list_eval_logs, read_eval_log
        given = [word for key, value in {"tasks": TASKS, "difficulty": DIFFICULTY, **arguments}.items() if value is not None
                 for word in ("-T", f"{key}={value if isinstance(value, str) else json.dumps(value)}")]
        with StubEndpoint(answers) as server:
            self.said = self.program("inspect", "eval", "seedbed/seedbed", "--model", "openai-api/stub/tiny", "--log-dir", "logs", "--display", "plain",
                                     "--max-connections", 16, *given, *words, STUB_API_KEY="none", STUB_BASE_URL=server.url)
        newest = max(list_eval_logs(os.path.join(self.folder, "logs")), key=lambda log: log.mtime)
        return read_eval_log(newest), [body for _, body, _ in server.heard]


def metrics(log):
    return {key: metric.value for score in log.results.scores for key, metric in score.metrics.items()}


class Plays(Adaptor):
    def test_a_hundred_episodes_are_those_of_seedbed_eval(self):
        from seedbed.adaptors import inspect as adaptor

        log, asked = self.evaluate()
        self.assertEqual((log.status, len(log.samples)), ("success", 100))
        self.assertEqual({body["max_tokens"] for body in asked}, {100})
        document, result = self.evaluated()
        documents = {episode["episode"]: episode for episode in document["episodes"]}
        played = {episode.name: episode for episode in result.episodes}
        for sample in log.samples:
            told = sample.store["seedbed"]
            tape, other = seedbed.replay(told["tape"], "none"), played.pop(sample.id)
            self.assertEqual((tape.name, list(tape.actions), tape.success, tape.total), (other.name, list(other.actions), other.success, other.total))
            self.assertEqual((sample.scores["success"].value, told["done"], len(told["turns"])), (float(tape.success), True, tape.steps))
            marks = {mark: sum(mark in turn["marks"] for turn in told["turns"]) for mark in MARKS}
            self.assertEqual(marks, {mark: documents[tape.name].get("marks", {}).get(mark, 0) for mark in marks})
        self.assertEqual(played, {})
        self.assertTrue(20 < result.all.successes < 100, result.all.successes)
        said = metrics(log)
        keys = ("accuracy", "success", "success_low", "success_high", "capability", "capability_low", "capability_high", "return", "steps")
        self.assertEqual([said[key] for key in keys],
                         [result.all.success_rate, result.all.success_rate, *result.all.success_wilson, result.capability.score, *result.capability.interval,
                          result.all.mean_return, result.all.mean_steps])
        self.assertEqual({mark: said[mark] for mark in MARKS}, {mark: result.all.mark_rates[mark] for mark in MARKS})
        self.assertNotIn("leaderboard", said)
        adaptor.result(log).save(os.path.join(self.folder, "again.json"))
        self.program(os.environ["SEEDBED"], "verify", "again.json", "-q")
        again = seedbed.load_result(os.path.join(self.folder, "again.json"))
        plays = [{(one.name, one.success, tuple(one.actions)) for one in either.episodes} for either in (again, result)]
        self.assertEqual(*plays)

    def test_logs_show_every_turn(self):
        log, asked = self.evaluate(tasks="KeyDoorPuzzle", n=2, reward="progress", gamma=0.9)
        for sample in log.samples:
            play = textplay.Session(sample.id, reward="progress", gamma=0.9)
            told = [event.data for event in sample.events if event.event == "info" and event.source == "seedbed"]
            shown = play.messages()
            for data in told:
                text, cut = said_to(play.messages()[-1]["content"])
                turn = play.say(text, cut)
                shown += [{"role": "assistant", "content": text}] + ([] if turn.content is None else [{"role": "user", "content": turn.content}])
                self.assertEqual(data, {"action": turn.action_name, "reading": turn.reading, "reward": turn.reward, "marks": list(turn.marks),
                                        "done": turn.done})
            self.assertTrue(play.done)
            self.assertEqual([{"role": message.role, "content": message.text} for message in sample.messages], shown)
        self.assertEqual({len(body["messages"]) for body in asked}, {2})

    def test_pictures_are_in_the_log(self):
        def blind(body, n):
            parts = body["messages"][-1]["content"]
            self.assertEqual([part["type"] for part in parts], ["image_url", "text"])
            return answer({**body, "messages": [{"content": "#"}]}, n)

        log, _ = self.evaluate(answers=blind, tasks="GoToGoal", n=1, pixels={"look": "flat", "tile": 8})
        for sample in log.samples:
            play = textplay.Session(sample.id, pixels={"look": "flat", "tile": 8})
            self.assertEqual(sample.messages[1].content[0].type, "image")
            kept = sample.messages[1].content[0].image
            kept = sample.attachments[kept.removeprefix("attachment://")] if kept.startswith("attachment://") else kept
            self.assertEqual(kept, play.messages()[-1]["content"][0]["image_url"]["url"])

    def test_earlier_exchanges_are_left_out_if_they_are_too_many(self):
        def short(body, n):
            return TOO_LONG if len(body["messages"]) > 12 else answer(body, n)

        log, _ = self.evaluate(answers=short, tasks="KeyDoorPuzzle", n=3, turns=-1, obs="ascii")
        dropped = 0
        for sample in log.samples:
            play = textplay.Session(sample.id, turns=-1, obs="ascii")
            while not play.done:
                while len(play.messages()) > 12:
                    play.drop_turns()
                play.say(*said_to(play.messages()[-1]["content"]))
            told = sample.store["seedbed"]
            self.assertEqual((json.loads(told["tape"])["actions"], told["dropped"], told["lost"]),
                             (json.loads(play.tape())["actions"], play.marks["dropped"], None))
            dropped += told["dropped"]
        self.assertGreater(dropped, 0)

    def test_messages_that_never_fit_lose_the_episode(self):
        log, _ = self.evaluate(answers=lambda body, n: TOO_LONG, tasks="GoToGoal", n=1)
        self.assertEqual([(log.status, sample.scores["success"].value, sample.store["seedbed"]["lost"]) for sample in log.samples],
                         [("success", 0.0, "the messages are too long for the model")])

    def test_attempts_are_epochs(self):
        def lucky(body, n):  # it wins every other time
            return answer({**body, "messages": [{"content": body["messages"][-1]["content"] + "." * (n % 3)}]}, n)

        log, _ = self.evaluate(answers=lucky, n=4, attempts=3)
        self.assertEqual((len(log.samples), {sample.epoch for sample in log.samples}), (48, {1, 2, 3}))
        won = {}
        for sample in log.samples:
            won.setdefault(sample.id, []).append(sample.scores["success"].value)
        said = metrics(log)
        self.assertAlmostEqual(said["success"], sum(map(sum, won.values())) / 48)
        self.assertAlmostEqual(said["pass_at_1"], said["success"])
        self.assertAlmostEqual(said["pass_at_3"], sum(map(max, won.values())) / 16)

    def test_limits_end_an_episode_that_is_scored(self):
        for words in (("--message-limit", 8), ("--turn-limit", 3), ("--token-limit", 39)):
            log, _ = self.evaluate(*words, tasks="KeyDoorPuzzle", n=2)
            self.assertEqual((log.status, len(log.samples)), ("success", 2))
            for sample in log.samples:
                told = sample.store["seedbed"]
                self.assertEqual((told["done"], sample.scores["success"].value, sample.limit is not None), (False, 0.0, True), words)
                self.assertEqual(len(json.loads(told["tape"])["actions"]), 3, words)
            self.assertEqual(metrics(log)["steps"], 3.0)

    def test_which_episodes(self):
        from seedbed.adaptors import inspect as adaptor

        ids = lambda **keys: [sample.id for sample in adaptor.seedbed(**keys).dataset]
        self.assertEqual(ids(tasks=["GoToGoal"], difficulty="easy"), list(seedbed.select(tasks="GoToGoal", difficulty="easy")))
        self.assertEqual(ids(names="babyai:GoToObj#1"), ["babyai:GoToObj#1"])
        path = os.path.join(self.folder, "pack.json")
        textplay.save_pack(["GoToGoal-v0/easy#3", "GoToGoal-v0/easy#5"], path)
        self.assertEqual(ids(pack=path), ["GoToGoal-v0/easy#3", "GoToGoal-v0/easy#5"])
        with self.assertRaises(seedbed.UnknownError):
            adaptor.seedbed(tasks="NoSuchTask")
        with self.assertRaisesRegex(seedbed.InvalidError, "attempts: a whole number, 1 or more"):
            adaptor.seedbed(tasks="GoToGoal", n=1, attempts="x")

    def test_scores_of_nothing_are_none(self):
        from seedbed.adaptors import inspect as adaptor

        self.assertEqual(adaptor.benchmark()([]), {})


class Costs(unittest.TestCase):
    def test_importing_the_package_imports_no_framework(self):
        code = "import sys, seedbed, seedbed.textplay, seedbed.adaptors; print([name for name in ('inspect_ai', 'openenv', 'lm_eval') if name in sys.modules])"
        self.assertEqual(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout, "[]\n")


if __name__ == "__main__":
    unittest.main()
