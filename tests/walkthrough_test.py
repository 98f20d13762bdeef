"""Runs what docs/datasets.md and docs/formats.md show: recipe, commands and snippets of Python, one after another, down to a batch, and a trained policy that
plays. A piece whose package is missing is left out, and the test then counts as skipped.

    $(scripts/test-python) tests/walkthrough_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import contextlib
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from dataset_support import SEEDBED, InFolder, read, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HAS_MINARI = "libhdf5" not in run("build", "PreciseNavigation/easy#1", "--dry-run", "-f", "minari").stderr
os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"


def section(title):
    """Returns the section with this title, which is on one of the two pages."""
    text = "".join(read(os.path.join(ROOT, "docs", page)).decode() for page in ("datasets.md", "formats.md"))
    return re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.S | re.M).group(1)


def pieces(title):
    """Returns pairs ("json" | "python" | "shell", text), in their order."""
    for fence, code, indented in re.findall(r"^```(\w+)\n(.*?)^```$|^((?:    [^\n]*\n)+)", section(title), re.S | re.M):
        yield (fence, code) if fence else ("shell", "".join(line[4:] + "\n" for line in indented.splitlines()))


def make_tokenizer():
    """Makes a tokenizer with one token per byte, so that nothing has to be trained or downloaded."""
    import tokenizers
    import transformers
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    template = "{% for message in messages %}{{ message.role + ': ' + message.content + '\n' }}{% endfor %}"
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, chat_template=template, pad_token="!")


class Walkthrough(InFolder):
    def setUp(self):
        super().setUp()
        self.missing = set()
        os.makedirs(self.path("examples/recipes"))
        shutil.copy(os.path.join(ROOT, "examples/train_bc.py"), self.path("examples"))
        recipe = json.loads(read(os.path.join(ROOT, "examples/recipes/walk.json")))
        write(self.path("examples/recipes/walk.json"), json.dumps({**recipe, "count": 300, "shard_episodes": 64}))
        os.mkdir(self.path("bin"))
        for name, program in (("seedbed", SEEDBED), ("python3", sys.executable)):
            os.chmod(write(self.path("bin/" + name), f'#!/bin/sh\nexec "{program}" "$@"\n'), 0o755)
        self.environment = {**os.environ, "HOME": self.folder, "PATH": self.path("bin") + os.pathsep + os.environ["PATH"],
                            "MINARI_DATASETS_PATH": self.path(".minari/datasets"), "OPENBLAS_NUM_THREADS": "1"}

    def need(self, *modules):
        """Returns whether the modules are installed."""
        missing = [module for module in modules if not importlib.util.find_spec(module)]
        self.missing.update(missing)
        return not missing

    def say_what_was_missing(self):
        if self.missing:
            self.skipTest(f"not installed: {', '.join(sorted(self.missing))}")

    def shell(self, command):
        done = subprocess.run(["sh", "-euc", command], cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 0, command + done.stdout + done.stderr)
        return done.stdout

    def python(self, code, names):
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(code, "a page", "exec"), names)
        finally:
            os.chdir(before)

    def walk(self, title, modules):
        """Runs what is shown under the title, and returns its Python names; `modules` maps a word in a piece to the package that it needs."""
        names = {"__name__": "walkthrough"}
        for kind, text in pieces(title):
            if not all(self.need(*needed) for word, needed in modules.items() if word in text) or "SFTTrainer" in text:
                continue
            if kind == "json":
                write(self.path("keys.json"), text)
            elif kind == "shell":
                self.shell(text)
            elif kind == "python":
                names.update({"tokenizer": make_tokenizer()} if "tokenizer(" in text else {})
                self.python(text, names)
        return names

    def test_the_way_from_a_recipe_to_a_first_batch_works(self):
        names = self.walk("From a recipe to a first batch", {
            "load_dataset": ["datasets"], "tokenizer(": ["datasets", "transformers", "jinja2"], "numpy": ["numpy"], "train_bc": ["numpy"]})
        self.assertEqual([message["role"] for message in names["prompts"][0]], ["system", "user"])
        self.assertEqual(len(names["prompts"]), 8)
        for completion in names["completions"]:
            self.assertRegex(completion, r"\AACTION: \d\Z")
        if "batch" in names:
            self.assertEqual(len(names["batch"]["input_ids"]), 8)
        if "actions" in names:
            self.assertEqual((names["actions"].shape, names["layers"].shape[0]), ((32,), 32))
        self.say_what_was_missing()

    def test_minari_finds_the_unpacked_dataset(self):
        if not HAS_MINARI:
            self.skipTest("built without libhdf5")
        self.need("minari", "PIL")
        self.say_what_was_missing()
        write(self.path("keys.json"), next(text for kind, text in pieces("From a recipe to a first batch") if kind == "json"))
        self.shell("seedbed build keys.json -o keys -q")
        self.walk("Format `minari`: datasets for Minari", {})

    def test_rows_become_parquet_in_both_ways(self):
        self.need("pyarrow", "duckdb")
        self.say_what_was_missing()
        write(self.path("keys.json"), next(text for kind, text in pieces("From a recipe to a first batch") if kind == "json"))
        self.shell("seedbed build keys.json -o keys -q")
        names = self.walk("Parquet", {})
        one = names["pyarrow"].parquet.read_table(self.path("steps-00000-of-00001.parquet"))
        (command,) = re.findall(r"`(duckdb\.sql\(.*?\))`", section("Parquet"), re.S)
        self.python("import duckdb\n" + command, names)
        self.assertEqual(names["pyarrow"].parquet.read_table(self.path("steps.parquet")).num_rows, one.num_rows)

    def test_the_code_on_a_card_loads_the_files_of_every_format(self):
        self.need("datasets", "numpy", "minari", "PIL")
        self.say_what_was_missing()
        formats = ["steps", "trajectories", "chat", "npz", *(["minari"] if HAS_MINARI else []), "predict", "plan",
                   {"format": "decompose", "csv": True}]
        folder = self.build("card", "--family", "babyai", "--tasks", "GoToRedBallNoDists", "--seeds", "1..20", "--agent", "omnibot",
                            "--evaluation", "keep", "--shard-episodes", "16", "--format", json.dumps(formats))
        card = read(os.path.join(folder, "README.md")).decode()
        manifest = json.loads(read(os.path.join(folder, "manifest.json")))
        for format in manifest["formats"]:
            about = re.search(rf"\n## Format `{format['name']}`\n(.*?)(?=\n## |\n`tapes-)", card, re.S).group(1)
            self.assertRegex(about, r"`, \d+ rows: \w.*\.\n", "it says what this is")
            names = {}
            self.python(re.search(r"```python\n(.*?)```", about, re.S).group(1).replace("FOLDER", folder), names)
            if "rows" in names:
                self.assertEqual(names["rows"].num_rows, format["rows"])
                self.assertEqual(names["rows"].column_names, re.findall(r"^\| `(\w+)` \|", about, re.M))
            elif "shards" in names:
                self.assertEqual(sum(len(shard["actions"]) for shard in names["shards"]), format["rows"])
                told = re.findall(r"^\| `(\w+)` \| (\w+) \| `\((.*?)\)` \|", about, re.M)
                self.assertEqual([name for name, _, _ in told] + ["offsets"], names["shards"][0].files)
                for name, type_, shape in told:
                    array = names["shards"][0][name]
                    self.assertEqual(str(array.shape[1:]), f"({shape})", name)
                    self.assertEqual(array.dtype.kind if type_ == "bytes" else str(array.dtype), "S" if type_ == "bytes" else type_)
            else:
                self.assertEqual(len(names["episodes"]), 16, "of the first shard")

    def test_a_trained_policy_solves_episodes_that_it_was_not_trained_on(self):
        self.need("numpy")
        self.say_what_was_missing()
        self.shell("seedbed build examples/recipes/walk.json -q -o walk && python3 examples/train_bc.py train walk policy.npz 20")
        self.shell("seedbed eval --tasks GoToGoal -d medium -j 1 --agent 'exec:python3 examples/train_bc.py play policy.npz' -o eval.json")
        episodes = json.loads(read(self.path("eval.json")))["episodes"]
        self.assertEqual(len(episodes), 25)
        self.assertGreaterEqual(sum(row["success"] for row in episodes), 15, "random actions solve none")

    def test_train_bc_says_what_it_needs(self):
        self.need("numpy")
        self.say_what_was_missing()
        done = subprocess.run([sys.executable, os.path.join(ROOT, "examples/train_bc.py"), "train", self.folder, "x"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1))
        self.assertIn("--format npz", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
