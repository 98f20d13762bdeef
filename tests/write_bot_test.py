"""examples/agents/write_bot.py: bots that a stub of an endpoint writes, played in the sandbox and scored.

    python3 tests/write_bot_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import json
import os
import subprocess
import sys
import unittest

from dataset_support import SEEDBED, InFolder, read, run
from sandbox_support import CLOSED, KEY
from stub_endpoint import MODES, StubEndpoint

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WRITE_BOT = os.path.join(ROOT, "examples", "agents", "write_bot.py")
PACKAGE = os.path.join(os.path.dirname(SEEDBED), "python")

CAN_IMPORT = subprocess.run([sys.executable, "-c", "import seedbed; seedbed.make"], env={**os.environ, "PYTHONPATH": PACKAGE}, capture_output=True).returncode == 0
WALKS = """```python
def act(api, memory):
    goal = api.get_nearest("goal")
    path = api.path_to(*goal.position)
    return path[0]
```"""


@unittest.skipUnless(CAN_IMPORT, "the package cannot be imported here (NumPy and Gymnasium, or a build with sanitizers)")
class Bots(InFolder):
    def write_bot(self, answer, *flags, code=0):
        with StubEndpoint(answer) as server:
            command = [sys.executable, WRITE_BOT, "--task", "GoToGoal", "--count", "3", "--eval-seeds", "1..4", "-o", self.path("out"), "--model", "tiny", "--url", server.url,
                       "--retries", "0", "--seconds", "60", "--memory", "4096", *(() if CLOSED else ("--no-sandbox",)), *flags]
            done = subprocess.run(command, capture_output=True, text=True, timeout=900, env={**os.environ, "PYTHONPATH": PACKAGE, "OPENAI_API_KEY": KEY})
            self.heard = [body["messages"] for _, body, _ in server.heard]
        self.assertEqual(done.returncode, code, done.stderr[-3000:])
        self.said = done.stdout + done.stderr

    def test_a_bot_that_walks_to_the_goal_is_scored(self):
        self.write_bot(lambda body, n: WALKS)
        result = json.loads(read(self.path("out/result.json")))
        self.assertEqual([episode["success"] for episode in result["episodes"]], [True] * 4)
        self.assertEqual(run("verify", self.path("out/result.json")).returncode, 0)
        self.assertEqual(len(self.heard), 1, "what is right is not revised")
        prompt = self.heard[0][0]["content"]
        for word in ("get_nearest(name)", "path_to", "GoToGoal", "actions: "):
            self.assertIn(word, prompt)
        for where, _, names in os.walk(self.path("out")):
            for name in names:
                self.assertNotIn(KEY.encode(), read(os.path.join(where, name)))

    def test_failures_are_shown_and_repaired(self):
        answers = {1: "```python\ndef act(api, memory):\n    return 1 // 0\n```", 2: WALKS}
        self.write_bot(lambda body, n: answers[n], "--revisions", "1")
        self.assertIn("ZeroDivisionError", self.heard[1][2]["content"])
        self.assertIn("4 of 4", self.said)

    def test_failures_of_a_provider_are_no_answers_and_thoughts_no_programs(self):
        self.write_bot(lambda body, n: MODES["finish reason error"].behave, "--revisions", "0", code=1)
        self.assertIn("the provider failed", self.said)
        self.assertIn("the same command goes on", self.said)
        self.write_bot(lambda body, n: f"<think>{WALKS}</think>", "--revisions", "0")
        self.assertIn("0 of 4", self.said)

    def test_garbage_and_bots_that_hang_lose_and_do_not_harm(self):
        hang = "```python\ndef act(api, memory):\n    while True: pass\n```"
        self.write_bot(lambda body, n: hang, "--revisions", "0", "--seconds", "3")
        self.assertIn("0 of 4", self.said)

    @unittest.skipUnless(CLOSED, "there are no namespaces here")
    def test_the_sandbox_holds_bots(self):
        """A bot that looks for this repository finds nothing, and says so by walking."""
        spy = WALKS.replace("    goal =", f"    import os\n    assert not os.path.exists({ROOT + '/tests'!r})\n    goal =")
        self.write_bot(lambda body, n: spy, "--revisions", "0")
        self.assertIn("4 of 4", self.said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
