"""examples/babybench/ask.py: questions to an endpoint, and answers for `seedbed score`.

    python3 tests/ask_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import json
import os
import signal
import subprocess
import sys
import time
import unittest

from dataset_support import InFolder, read, run, unpacked, write
from stub_endpoint import MODES, Bad, StubEndpoint, completion

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ASK = os.path.join(ROOT, "examples", "babybench", "ask.py")
KEY = "sk-0123456789abcdefSECRET"
LEVELS = {"predict": ["--tasks", "GoToObj,Open"],
          "plan": ["--tasks", "GoToRedBall-Small-4Dists,GoToRedBall-Medium-20Dists"],
          "decompose": ["--tasks", "GoToSeq,PutNextLocal"]}
RIGHT = {"predict": ("accuracy_percent", 100), "plan": ("efficiency_ratio", 1), "decompose": ("PR", 1)}


class Case(InFolder):
    def dataset(self, task, seeds="1..5", name=None, **options):
        return self.build(name or task, "--family", "babyai", *LEVELS[task], "--agent", "omnibot", "--seeds", seeds, "--evaluation", "keep", "--format",
                          json.dumps([{"format": task, **options}]))

    def rows(self, folder, task):
        return [json.loads(line) for line in unpacked(folder, task).splitlines()]

    def command(self, rows, *flags):
        return [sys.executable, ASK, rows, "-o", self.path("answers.jsonl"), "--model", "tiny", "--backoff", "0.01", *flags]

    def environment(self, server, key=None):
        environment = {**os.environ, "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": key or ""}
        return environment

    def ask(self, server, rows, *flags, code=0, key=None):
        done = subprocess.run(self.command(rows, *flags), capture_output=True, text=True, timeout=900, env=self.environment(server, key))
        self.assertEqual(done.returncode, code, done.stderr)
        self.log = done.stderr
        return self.answers()

    def answers(self):
        return [json.loads(line) for line in read(self.path("answers.jsonl")).splitlines()]

    def n_answers(self):
        path = self.path("answers.jsonl")
        return len(read(path).splitlines()) if os.path.exists(path) else 0

    def wait_for(self, process, is_so):
        until = time.monotonic() + 300
        while not is_so():
            self.assertIsNone(process.poll(), "it ended before")
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)

    def knowing(self, rows):
        """A model that knows the right answers, and says them after some thought."""
        known = {row["messages"][1]["content"]: row["messages"][2]["content"] for row in rows}
        return lambda body, n: "Let me think.\n" + next(said for asked, said in known.items() if body["messages"][-1]["content"].startswith(asked))


class Asking(Case):
    def test_right_answers_get_full_marks_with_every_prompter(self):
        for task, (mark, full) in RIGHT.items():
            folder = self.dataset(task, conversation=True)
            for prompter in ("zero-shot", "few-shot", "chain-of-thought", "tree-of-thoughts"):
                with StubEndpoint(self.knowing(self.rows(folder, task))) as server:
                    self.ask(server, folder, "--prompter", prompter)
                scores = json.loads(run("score", "-p", task, self.path("answers.jsonl"), "--json").stdout)
                self.assertEqual((scores["all"]["answers"], scores["all"]["unreadable"], scores["all"][mark]), (10, 0, full), (task, prompter))
                os.remove(self.path("answers.jsonl"))

    def test_questions_are_those_of_conversations_to_the_letter(self):
        """From the benchmark's own columns, in lines and with commas, and from conversations."""
        for task in RIGHT:
            asked = self.rows(self.dataset(task, seeds="1..2", conversation=True), task)
            wanted = {json.dumps(row["messages"][:2]) for row in asked}
            plain, csv = self.dataset(task, "1..2", "plain " + task), self.dataset(task, "1..2", "csv " + task, csv=True)
            for rows in (plain, csv, os.path.join(csv, f"{task}-00000-of-00001.csv"), self.path(task)):
                with StubEndpoint(lambda body, n: "hm") as server:
                    self.ask(server, rows)
                self.assertEqual({json.dumps(body["messages"]) for _, body, _ in server.heard}, wanted)
                os.remove(self.path("answers.jsonl"))

    def test_examples_are_three_of_the_same_level_with_other_seeds(self):
        for task in RIGHT:
            folder = self.dataset(task, conversation=True)
            by_question = {row["messages"][1]["content"]: row for row in self.rows(folder, task)}
            with StubEndpoint(lambda body, n: "hm") as server:
                self.ask(server, folder, "--prompter", "few-shot")
            for _, body, _ in server.heard:
                *examples, question = body["messages"][1:]
                row = by_question[question["content"]]
                shown = [by_question[message["content"]] for message in examples[::2]]
                self.assertEqual(len(shown), 3)
                self.assertEqual([other["messages"][2]["content"] for other in shown], [message["content"] for message in examples[1::2]])
                self.assertEqual({other["env_name"] for other in shown}, {row["env_name"]})
                self.assertEqual(len({other["seed"] for other in shown} - {row["seed"]}), 3)
            os.remove(self.path("answers.jsonl"))

    def test_rows_without_answers_need_examples_that_have_them(self):
        plain = self.dataset("decompose", "1..2")
        with StubEndpoint(lambda body, n: "hm") as server:
            with self.assertRaises(FileNotFoundError):
                self.ask(server, plain, "--prompter", "few-shot", code=1)
            self.assertIn("--examples", self.log)
            answers = self.ask(server, plain, "--prompter", "few-shot", "--examples", self.dataset("decompose", "3..5", "more", conversation=True))
        self.assertEqual(len(answers), 4)

    def test_a_killed_run_goes_on_and_asks_nothing_twice(self):
        folder = self.dataset("predict", "1..20", conversation=True)
        model = self.knowing(self.rows(folder, "predict"))
        with StubEndpoint(lambda body, n: Bad.slow(0.05) if n else model(body, n)) as server:
            process = subprocess.Popen(self.command(folder, "--jobs", "2"), env=self.environment(server), stderr=subprocess.DEVNULL)
            self.wait_for(process, lambda: self.n_answers() >= 8)
            process.send_signal(signal.SIGKILL)
            process.wait()
        write(self.path("answers.jsonl"), read(self.path("answers.jsonl")) + b'{"env_name": "BabyAI-GoTo')
        before = len(read(self.path("answers.jsonl")).splitlines()) - 1
        with StubEndpoint(model) as server:
            answers = self.ask(server, folder)
            self.assertEqual(len(server.heard), 40 - before)
        self.assertEqual(len({(answer["env_name"], answer["seed"]) for answer in answers}), 40)
        self.assertEqual(len(answers), 40)

    def test_answers_of_other_settings_are_not_mixed(self):
        folder = self.dataset("predict", "1..2")
        with StubEndpoint(lambda body, n: "hm") as server:
            self.ask(server, folder)
            for flags in (["--prompter", "chain-of-thought"], ["--temperature", "0.5"]):
                self.ask(server, folder, *flags, code=1)
                self.assertIn("another model, prompter or sampling", self.log)

    def test_files_of_others_are_left_as_they_are(self):
        folder = self.dataset("predict", "1..2")
        for content in ("my notes", "my notes\nmore", '{"env_name": "BabyAI-GoToObj-v0", "seed": 1, "answer": "hm"}\n{"env', "[1]\n5", "\n"):
            write(self.path("answers.jsonl"), content)
            with StubEndpoint(lambda body, n: "hm") as server:
                done = subprocess.run(self.command(folder), capture_output=True, text=True, env=self.environment(server))
            self.assertEqual((done.returncode, server.heard, read(self.path("answers.jsonl")).decode()), (1, [], content))
            self.assertRegex(done.stderr, r"\A[^\n]*answers\.jsonl is no file of answers that this program wrote[^\n]*\n\Z")

    def test_answers_after_other_examples_are_not_mixed(self):
        folder, *others = (self.dataset("predict", seeds, f"d {seeds}", conversation=True) for seeds in ("1..4", "11..14", "21..24"))
        with StubEndpoint(lambda body, n: "hm") as server:
            self.ask(server, folder, "--prompter", "few-shot", "--examples", others[0])
            for flags in (["--examples", others[1]], []):
                self.ask(server, folder, "--prompter", "few-shot", *flags, code=1)
                self.assertIn("examples", self.log)
            self.ask(server, folder, "--prompter", "few-shot", "--examples", others[0])
        self.assertEqual(len(server.heard), 8)

    def test_what_cannot_be_read_or_written_is_said_in_a_line(self):
        folder = self.dataset("predict", "1..2")
        broken, packed, foreign = write(self.path("broken.jsonl"), "{"), write(self.path("broken.jsonl.gz"), "no gzip"), write(self.path("other.jsonl"), "5\n")
        for rows, output, words in ((self.path("missing"), "a", "missing: No such file"), (folder, "none/a", "none/a: No such file"), (folder, "", "Is a directory"),
                                    (broken, "a", "rows of one of the formats"), (packed, "a", "rows of one of the formats"), (foreign, "a", "rows of one of the formats")):
            with StubEndpoint(lambda body, n: "hm") as server:
                done = subprocess.run([*self.command(rows), "-o", self.path(output)], capture_output=True, text=True, env=self.environment(server))
            self.assertEqual((done.returncode, server.heard), (1, []))
            self.assertRegex(done.stderr, rf"\A[^\n]*{words}[^\n]*\n\Z")

    def test_an_interrupt_ends_the_run_at_once_and_keeps_what_was_answered(self):
        folder = self.dataset("predict", "1..4")
        with StubEndpoint(lambda body, n: Bad.hang if n > 3 else "hm") as server:
            process = subprocess.Popen(self.command(folder, "--jobs", "2"), env=self.environment(server), stderr=subprocess.PIPE, text=True)
            self.wait_for(process, lambda: len(server.heard) >= 5 and self.n_answers() >= 3)
            process.send_signal(signal.SIGINT)
            log = process.communicate(timeout=300)[1]
        self.assertEqual(process.returncode, 130)
        self.assertEqual(log.splitlines()[-1], "interrupted: the same command goes on")
        self.assertNotIn("Traceback", log)
        self.assertEqual(len(self.answers()), 3)

    def test_what_has_no_answer_is_left_for_the_next_run(self):
        folder = self.dataset("predict", "1..4")
        with StubEndpoint(lambda body, n: Bad.status(400) if n % 3 == 0 else "hm") as server:
            first = len(self.ask(server, folder, "--jobs", "1", code=1))
        self.assertIn("400", self.log)
        self.assertIn(f"{first} answers, {8 - first} questions without one: the same command asks them again\n", self.log)
        with StubEndpoint(lambda body, n: "hm") as server:
            self.assertEqual(len(self.ask(server, folder)), 8)
            self.assertRegex(self.log, r"(?m)^8 answers\n\Z")
            self.assertEqual(len(server.heard), 8 - first)

    def test_an_endpoint_that_is_not_there_ends_the_run_soon(self):
        folder = self.dataset("predict", "1..40")
        with StubEndpoint(lambda body, n: Bad.status(401)) as server:
            self.ask(server, folder, code=1)
            self.assertLess(len(server.heard), 60)

    def test_failures_of_a_provider_are_no_answers(self):
        folder = self.dataset("predict", "1..2")
        for name in ("finish reason error", "error in the choice", "error beside the choices", "stream that breaks off", "Retry After inf", "Retry After a day"):
            with StubEndpoint(lambda body, n, name=name: MODES[name].behave) as server:
                self.assertEqual(self.ask(server, folder, "--retries", "1", "--max-wait", "0.01", code=1), [], name)
                self.assertEqual(len(server.heard), 8, name)
            self.assertNotIn("Traceback", self.log)
        with StubEndpoint(lambda body, n: MODES["Retry After inf"].behave if n % 2 else "hm") as server:
            self.assertEqual([answer["answer"] for answer in self.ask(server, folder, "--max-wait", "0.01", "--jobs", "1")], ["hm"] * 4)

    def test_thoughts_are_no_part_of_answers_and_what_is_not_known_is_left_out(self):
        folder = self.dataset("predict", "1..2")
        said = [completion("<think>or ((1, 1), 1)</think>\nThe agent's final state is: ((3, 4), 1)"), completion("<think>The agent's final state is: ((3, 4), 1)", finish="length"),
                {"choices": [{"message": {"content": None, "refusal": "No."}}]}, {"choices": [{"message": {"content": "hm"}}], "usage": {"prompt_tokens": "7", "cost": True}}]
        with StubEndpoint(lambda body, n: said[n - 1]) as server:
            one, two, three, four = self.ask(server, folder, "--jobs", "1")
        self.assertEqual((one["answer"], one["thought"], one["tokens_in"]), ("The agent's final state is: ((3, 4), 1)", "or ((1, 1), 1)", 10))
        self.assertEqual((two["answer"], two["is_cut"], two["is_empty"]), ("", True, True))
        self.assertEqual((three["answer"], three["thought"], three["is_refused"]), ("", "No.", True))
        self.assertEqual((four["answer"], {"tokens_in", "tokens_out", "cost", "thought"} & set(four)), ("hm", set()))

    def test_keys_reach_no_file(self):
        folder = self.dataset("predict", "1..2")
        with StubEndpoint(lambda body, n: Bad.status(500, said=KEY.encode()) if n % 2 else f"my key is {KEY}") as server:
            self.ask(server, folder, "--retries", "30", key=KEY)
        self.assertEqual(server.heard[0][2]["Authorization"], "Bearer " + KEY)
        self.assertNotIn(KEY, self.log + read(self.path("answers.jsonl")).decode())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
