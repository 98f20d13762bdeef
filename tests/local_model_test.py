"""A real language model behind a real server plays and answers: examples/agents/chat_model.py and examples/babybench/ask.py. Needs PyTorch;
skipped if it is missing.

    $(scripts/test-python torch) tests/local_model_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import importlib.util
import json
import os
import subprocess
import sys
import unittest

from dataset_support import InFolder, read, run

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CAN_SERVE = all(importlib.util.find_spec(name) for name in ("torch", "transformers", "tokenizers"))


@unittest.skipUnless(CAN_SERVE, "PyTorch is not installed; `scripts/nightly models` installs it")
class LocalModel(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen([sys.executable, os.path.join(ROOT, "tests", "model_server.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.server.wait)
        cls.addClassCleanup(cls.server.stdin.close)
        cls.addClassCleanup(cls.server.stdout.close)
        cls.url = cls.server.stdout.readline().strip()

    def play(self, *words, name="result.json", episodes=("--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..3")):
        command = " ".join([sys.executable, os.path.join(ROOT, "examples", "agents", "chat_model.py"), "--url", self.url, "--model", "tiny", *words])
        done = run("eval", *episodes, "-q", "-j1", "--agent", "exec:" + command, "-o", self.path(name), "--salt", "0" * 32)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(read(self.path(name)))

    def test_it_plays_with_the_presets(self):
        for preset in ("markovian", "markovian_reasoner"):
            result = self.play("--preset", preset, "--temperature", "1", "--max-tokens", "12", name=preset + ".json")
            for episode in result["episodes"]:
                self.assertNotIn("error", episode)
                self.assertEqual(episode["calls"], episode["steps"])
                self.assertGreater(episode["tokens_in"], 20 * episode["steps"])
                self.assertLessEqual(episode["tokens_out"], 12 * episode["steps"])

    def test_the_same_seeds_give_the_same_episodes(self):
        one, two, other = ([episode["actions"] for episode in self.play("--preset", "markovian", "--max-tokens", "12", "--unreadable", "random", "--batch", batch, *more,
                                                                         name=batch + "".join(more) + ".json")["episodes"]]
                           for batch, more in (("1", ["--seeded"]), ("4", ["--seeded"]), ("4", ["--seed", "5"])))
        self.assertEqual(one, two)
        self.assertEqual(len(other), 4)

    def test_it_plays_with_the_prompts_of_a_dataset_also_as_plain_text(self):
        for style in ("messages", "prompt"):
            folder = self.build(style, "PreciseNavigation/easy#9", "--evaluation", "keep", "--format", json.dumps([{"format": "chat", "style": style}]))
            result = self.play("--recipe", folder, "--max-tokens", "12", name=style + ".json")
            self.assertTrue(all(episode["tokens_out"] for episode in result["episodes"]))

    def test_it_is_asked_the_questions_of_babybench(self):
        folder = self.build("d", "--family", "babyai", "--tasks", "GoToObj", "--seeds", "1..4", "--agent", "omnibot", "--evaluation", "keep", "--format", '["predict"]')
        for prompter in ("zero-shot", "few-shot", "chain-of-thought", "tree-of-thoughts"):
            path = self.path(prompter + ".jsonl")
            done = subprocess.run([sys.executable, os.path.join(ROOT, "examples", "babybench", "ask.py"), folder, "-o", path, "--url", self.url,
                                   "--model", "tiny", "--max-tokens", "8", "--prompter", prompter], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            scores = json.loads(run("score", "-p", "predict", path, "--json").stdout)
            self.assertEqual(scores["all"]["answers"], 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
