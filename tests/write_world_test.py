"""examples/models/write_world.py: a language model writes a world; the stub answers canned ones.

    python3 tests/write_world_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import re
import subprocess
import sys
import unittest

from dataset_support import FOUND, SEEDBED, InFolder, read, run, write
from stub_endpoint import Bad, StubEndpoint

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FINE = 0
KEY = "sk-0123456789abcdefSECRET"
WON = "(win (all (--> lamp (! (.. lamp lit))) lamps))"


def fenced(program):
    return f"Let me see.\n```lisp\n{program}```\nThat is it."


class Written(InFolder):
    def setUp(self):
        super().setUp()
        self.world = re.sub(r"\n *\(difficulty hard .*", "", run("new", "Lamps", "--like", "clicks", "-o", "-").stdout)
        self.assertIn(WON, self.world)
        self.refuted = self.world.replace(WON, WON + "\n    (bound 1)")

    def author(self, answers, *flags, code=FINE, output="lamps.sexp"):
        """answers: a list, from the first round on; or a function of body and number."""
        with StubEndpoint(answers if callable(answers) else lambda body, n: answers[n - 1]) as server:
            command = [sys.executable, os.path.join(ROOT, "examples", "models", "write_world.py"), "Switch all lamps off.", "-o", output, "--model", "tiny",
                       "--url", server.url, "--retries", "0", "--seedbed", SEEDBED, *flags]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=self.folder, env={**os.environ, "OPENAI_API_KEY": KEY})
            self.heard = [body["messages"] for _, body, _ in server.heard]
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.said, self.err = done.stdout, done.stderr
        return read(self.path("lamps.sexp")).decode() if os.path.exists(self.path("lamps.sexp")) else None

    def told(self, round_):
        """What the model was told of the world before this round."""
        return self.heard[round_][-1]["content"]

    def test_it_is_repaired_until_it_passes(self):
        answers = [fenced(self.world.rstrip()[:-1] + "\n"), fenced(self.refuted), fenced(self.world), "never asked"]
        self.assertEqual(self.author(answers, "--revisions", "3"), self.world)
        self.assertRegex(self.told(1), r"\bworld.sexp:\d+:\d+: parse: ")
        self.assertRegex(self.told(2), r"\bworld.sexp:\d+:\d+: `bound` is refuted")
        self.assertEqual(self.heard[2][1]["content"], fenced(self.refuted), "the model is shown its last answer, and no earlier one")
        self.assertNotIn(self.folder, json.dumps(self.heard))
        self.assertEqual(len(self.heard), 3)
        self.assertIn("starts accepted", self.said)
        self.assertEqual(run("autumn", "check", self.path("lamps.sexp")).returncode, FINE)
        for where, _, names in os.walk(self.folder):
            for name in names:
                self.assertNotIn(KEY.encode(), read(os.path.join(where, name)))

    def test_the_prompt_teaches_the_language(self):
        self.author([fenced(self.world)], "--like", "chance")
        prompt = self.heard[0][0]["content"]
        for words in ("Switch all lamps off.", "(updateObj o f)", "(sample xs k)", "(solution LEAST MOST)", '(task "World"', run("new", "World", "--like", "chance", "-o", "-").stdout):
            self.assertIn(words, prompt)
        self.assertNotIn("The published interpreter", prompt)
        self.assertLess(len(prompt), 16000)

    def test_rounds_over_leave_no_file(self):
        self.assertIsNone(self.author([fenced(self.refuted)] * 2, "--revisions", "1", code=FOUND))
        self.assertEqual(len(self.heard), 2)
        self.assertIn("is refuted", self.err)
        self.assertIn("none of 2 worlds passed", self.err)
        self.assertEqual(read(self.path("lamps.rounds/round-1/world.sexp")).decode(), self.refuted)

    def test_what_is_no_world_is_told(self):
        answers = ["I would rather not.", fenced("Once upon a time.\n"), fenced("(program (= n 0))\n"), fenced(self.world.replace('"Lamps"', '"Seesaw"')), fenced(self.world)]
        self.assertEqual(self.author(answers, "--revisions", "4"), self.world)
        for number, words in enumerate(("no block of code", "parse: ", "no statement `task`", "`Seesaw` is the name of a program that comes with Seedbed"), 1):
            self.assertIn(words, self.told(number))

    def test_hostile_texts_are_refused(self):
        answers = [fenced(self.world.replace("lamps off", "lamps \x1b[2Joff")), fenced(self.world + "; \u202e\n"), fenced(self.world + ";" + "x" * 5_000_000 + "\n"), fenced(self.world)]
        self.assertEqual(self.author(answers, "--revisions", "3"), self.world)
        self.assertIn("Line 1, column 20 holds the character U+001B", self.told(1))
        self.assertIn("holds the character U+202E", self.told(2))
        self.assertIn("A world has at most 100000", self.told(3))
        self.assertLess(len(json.dumps(self.heard[3])), 300_000, "five megabytes are not sent back")
        self.assertNotIn("\x1b", self.said + self.err)

    def test_a_review_that_takes_long_ends(self):
        self.assertIsNone(self.author([fenced(self.world)], "--revisions", "0", "--seconds", "0", code=FOUND))
        self.assertIn("more than 0 seconds", self.err)

    def test_nothing_is_overwritten(self):
        write(self.path("lamps.sexp"), "mine")
        os.symlink("nowhere", self.path("link.sexp"))
        for name in ("lamps.sexp", "link.sexp"):
            self.assertEqual(self.author([], code=FOUND, output=name), "mine")
            self.assertIn("is there already", self.err)
        self.assertEqual((self.heard, sorted(os.listdir(self.folder))), ([], ["lamps.sexp", "link.sexp"]))

        def meanwhile(body, n):
            write(self.path("other.sexp"), "mine, too")
            return fenced(self.world)

        self.author(meanwhile, code=FOUND, output="other.sexp")
        self.assertIn("is there already", self.err)
        self.assertEqual(read(self.path("other.sexp")), b"mine, too")

    def test_an_interrupted_run_goes_on(self):
        self.assertIsNone(self.author(lambda body, n: fenced(self.refuted) if n == 1 else Bad.status(401), code=FOUND))
        self.assertIn("the same command goes on", self.err)
        self.assertEqual(self.author([fenced(self.world.replace("\n", "\r\n"))]), self.world)
        self.assertEqual(len(self.heard), 1, "the first world was not asked for again")

    def test_a_command_that_is_not_there_is_told(self):
        self.author([], "--seedbed", "./none", code=FOUND)
        self.assertIn("there is no command `./none`", self.err)


if __name__ == "__main__":
    unittest.main(argv=["write_world_test"])
