"""Budgets in characters and tokens, which are counted here again, from the rows on disk.

    $(scripts/test-python) tests/texts_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import hashlib
import itertools
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import unittest

from dataset_support import FOUND, SEEDBED, TOY, TWO_TASKS, USAGE, InFolder, contents, read, run, unpacked, write

try:
    import tokenizers
except ImportError:
    tokenizers = None

EASIER = [*TWO_TASKS, "-d", "easy,medium"]
DRAWN = ["--split", "train", "--shard-episodes", "16", "--order", "drawn"]
TRAIN = [*EASIER, *DRAWN]
GAMES = ["--family", "arc", "--tasks", "Fold", "-d", "intro", "--agent", "curious"]

# A Python that has no library and counts words, or does what the word in STUB says.
STUB = """#!%s
import json, os, signal, sys
mode, answers = os.environ.get("STUB", ""), 0
content = json.loads(sys.stdin.readline())
with open(os.environ.get("STUB_LOG", os.devnull), "a") as log:
    log.write(content.strip() + "\\n")
if mode == "silent":
    sys.exit(0)
if mode == "missing":
    print(json.dumps({"missing": "no module"}), flush=True)
    sys.exit(0)
print({"odd": "[]", "torn": '{"library": '}.get(mode, json.dumps({"library": "tokenizers " + os.environ.get("STUB_VERSION", "0.0.0")})), flush=True)
for line in sys.stdin:
    texts, answers = json.loads(line), answers + 1
    if answers > 3:
        if mode == "exits":
            sys.exit(3)
        if mode == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if mode == "half":
            print("12", end="", flush=True)
            sys.exit(0)
        wrong = {"word": "many", "negative": "-5", "large": "9" * 30, "larger": str(1 << 49), "real": "1.5", "empty": "", "nul": "1\\0",
                 "two": "1\\n2", "list": "[1]", "spaces": " 7", "long": "1" * 100000}
        if mode in wrong:
            print(wrong[mode], flush=True)
            continue
    print(sum(len(text.split()) for text in texts), flush=True)
    if mode == "leaves" and answers == 3:
        sys.exit(0)
""" % sys.executable


def read_of(format, row):
    """The texts that a trainer reads in a row."""
    seen = [text for key, value in row.items() if key.endswith("_render") for text in (value if isinstance(value, list) else [value])]
    messages = [message["content"] for key in ("messages", "prompt", "completion") for message in row.get(key, []) if isinstance(message, dict)]
    plain = [row[key] for key in ("prompt", "completion") if isinstance(row.get(key), str)]
    if format == "steps":
        return [*seen, row.get("label_name", row["action_name"])]
    if format == "trajectories":
        return seen + row.get("label_names", row["action_names"])
    if format == "values":
        return seen + row["cost_actions"]
    if format == "next_frame":
        return messages or [text for text in [row["start"], *row["context_actions"], *row["context_frames"], row["frame"], row["action_name"], row["next_frame"]]
                            if text is not None]
    return messages + plain


def words(texts):
    return sum(len(text.split()) for text in texts)


def characters(texts):
    return sum(map(len, texts))


class Case(InFolder):
    def setUp(self):
        super().setUp()
        self.file = write(self.path("tokenizer.json"), "{}")
        self.stub = write(self.path("it's a python"), STUB)
        os.chmod(self.stub, stat.S_IRWXU)
        self.tokens = ["--tokenizer", self.file, "--python", self.stub]

    def rows(self, folder, format="steps"):
        return [json.loads(line) for line in unpacked(folder, format).splitlines()]

    def manifest(self, folder):
        return json.loads(read(os.path.join(folder, "manifest.json")))

    def amounts(self, folder, count, format="steps"):
        """How much each episode with rows has, in their order."""
        return [sum(count(read_of(format, row)) for row in rows)
                for _, rows in itertools.groupby(self.rows(folder, format), key=lambda row: row["episode_id"])]

    def check(self, folder, count, budget, format="steps", unit="characters"):
        amounts = self.amounts(folder, count, format)
        self.assertGreaterEqual(sum(amounts), budget, "the budget is reached")
        self.assertLess(sum(amounts[:-1]), budget, "and not before the last episode")
        told = self.manifest(folder)
        self.assertEqual(told["sections"][0][unit], sum(amounts))
        self.assertEqual(sum(group[unit] for group in told["texts"]), sum(amounts))
        card = read(folder + "/README.md").decode()
        for group in told["texts"]:
            mine = [row for row in self.rows(folder, format) if (row["task"], row["difficulty"]) == (group["task"], group.get("difficulty", ""))]
            self.assertEqual(group[unit], sum(count(read_of(format, row)) for row in mine))
            self.assertRegex(card, rf"\| {re.escape(group['task'])} \| {group.get('difficulty', '-')} \|[0-9 |]*\b{group[unit]} \|")


class Characters(Case):
    FORMATS = [("steps", []), ("steps", ["--modes", "state,ascii"]), ("steps", ["--epsilon", "0.2"]), ("trajectories", []), ("trajectories", ["--labels", "expert"]),
               ("values", ["--tasks", "PreciseNavigation", "-d", "easy"]), ("chat", []), ('{"format": "chat", "rows": "episode"}', []),
               ('{"format": "chat", "style": "prompt", "answer": "\\u0001{action}\\u00e9"}', []),
               ('{"format": "chat", "style": "prompt", "answer": "\\u00e9\\ud83d\\ude00\\t\\"{action}\\\\"}', []), ('{"format": "chat", "style": "prompt_messages"}', [])]

    def test_the_last_episode_reaches_the_budget_in_every_format_of_text(self):
        for i, (format, more) in enumerate(self.FORMATS):
            with self.subTest(format=format, more=more):
                folder = self.build(str(i), *([] if "--tasks" in more else EASIER), *DRAWN, "-f", format, *more, "--characters", "60000")
                self.check(folder, characters, 60000, format if format[0] != "{" else "chat")
                self.assert_verifies(folder)
        for i, format in enumerate(["next_frame", '{"format": "next_frame", "form": "chat"}']):
            with self.subTest(format=format):
                made = run("build", *GAMES, "--seeds", "0..9", "-f", format, "--characters", "50000", "-q", "-o", self.path(f"game{i}"))
                if made.returncode:
                    self.fail(made.stderr)
                self.check(self.path(f"game{i}"), characters, 50000, "next_frame")

    def test_any_budget_is_reached_by_its_last_episode_and_smaller_ones_take_the_first(self):
        amounts = self.amounts(self.build("all", *TRAIN, "--episodes", "20"), characters)
        sums = list(itertools.accumulate(amounts))
        for i, budget in enumerate([1, sums[0], sums[0] + 1, sums[6] - 1, sums[6], sums[6] + 1, sums[-1]]):
            folder = self.build(str(i), *TRAIN, "--characters", str(budget))
            n = next(n for n, found in enumerate(sums, 1) if found >= budget)
            self.assertEqual(self.amounts(folder, characters), amounts[:n])

    def test_bytes_depend_neither_on_workers_nor_on_parts(self):
        more = [*TRAIN, "--agent", "random", "--success", "-f", "chat,npz", "--characters", "300000"]
        wanted = contents(self.build("one", *more, "-j", "1"))
        self.assertEqual(contents(self.build("three", *more, "-j", "3")), wanted)
        parts = [self.build(f"part{i}", *more, "--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual(run("merge", *parts, "-o", self.path("merged"), "-q").returncode, 0)
        self.assertEqual(contents(self.path("merged")), wanted)

    def test_splits_extensions_and_more_formats_count_on(self):
        recipe = {"tasks": "PreciseNavigation", "difficulty": "easy", "shard_episodes": 16,
                  "splits": {"train": {"budget": {"characters": 30000}}, "validation": {"budget": {"characters": 9000}}, "test": {}}}
        folder = self.build("d", "--recipe", write(self.path("r.json"), json.dumps(recipe)))
        run("build", "--extend", "--characters", "5000", "--into", "validation", "-o", folder, "-q", check=True)
        run("render", folder, "--format", "trajectories", "-q", check=True)
        self.assert_verifies(folder)
        sections = self.manifest(folder)["sections"]
        self.assertEqual([("extension" in section, section["split"]) for section in sections], [(False, "train"), (False, "validation"), (False, "test"), (True, "validation")])
        for section, budget in zip(sections, (30000, 9000, 1, 5000)):
            self.assertGreaterEqual(section["characters"], budget)
        again = {**self.manifest(folder)["recipe"]}
        self.assertEqual(contents(self.build("again", "--recipe", write(self.path("again.json"), json.dumps(again)))), contents(folder))

    def test_what_cannot_be_counted_is_refused(self):
        for format in ("npz", '{"format": "chat", "pixels": {"look": "flat", "tile": 8}}', "seedpack", "npz,steps"):
            self.refuse(["build", *TRAIN, "-f", format, "--characters", "9", "-o", self.path("d")], USAGE, "budget", "steps or chat")
        self.refuse(["build", *TRAIN, "--characters", "9", "--rows", "9", "-o", self.path("d")], USAGE, "--rows", "--characters")
        self.refuse(["build", *TRAIN, "--characters", "99999999", "-n", "3", "-o", self.path("d")], USAGE, "characters", "count")
        self.refuse(["build", *TRAIN, "--characters", "9", "--row-duplicates", "drop", "-o", self.path("d")], USAGE, "rows", "episodes")
        for budget, *said in (({}, "characters"), (5, "object"), ({"characters": 0}, "1 or more"), ({"characters": 1, "tokens": 1}, "one of"), ({"letters": 5}, "letters"),
                              ({"tokens": 5}, "tokenizer"), ({"characters": 5, "tokenizer": "a"}, "tokenizer"), ({"tokens": 5, "tokenizer": {"sha256": "ab"}}, "sha256")):
            recipe = write(self.path("r.json"), json.dumps({"tasks": "GoToGoal", "split": "train", "budget": budget}))
            self.refuse(["build", recipe, "-o", self.path("d")], USAGE, "budget", *said)
        recipe = write(self.path("r.json"), json.dumps({"tasks": "GoToGoal", "split": "train", "episodes": 4, "budget": {"characters": 4}}))
        self.refuse(["build", recipe, "-o", self.path("d")], USAGE, "budget", "episodes", "rows")
        self.assertFalse(os.path.exists(self.path("d")))

    def test_verify_counts_again(self):
        folder = self.build("d", *TRAIN, "--characters", "30000")
        text = read(folder + "/manifest.json").decode()
        budget = r'("budget": \{"characters": )(\d+)'  # one that is not reached, and one that is reached before the last episode
        for pattern, more in ((r'("texts": \[\s*\{[^}]*"characters": )(\d+)', 1), (r'("sections": \[\s*\{[^}]*"characters": )(\d+)', 1), (budget, 40000), (budget, -29000)):
            body = re.sub(pattern, lambda found, more=more: found[1] + str(int(found[2]) + more), text[:text.rindex(',\n "sha256"')], count=1)
            self.assertNotEqual(body, text[:text.rindex(',\n "sha256"')])
            write(folder + "/manifest.json", body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n')
            self.refuse(["verify", folder], FOUND, "manifest.json", "does not end at the recipe's budget" if pattern is budget else "wrong")

    def test_dry_runs_tell_characters_by_task(self):
        said = json.loads(run("build", *TRAIN, "--characters", "60000", "--dry-run", "--json").stdout)
        folder = self.build("d", *TRAIN, "--characters", "60000")
        made = {}
        for group in self.manifest(folder)["texts"]:
            made[group["task"]] = made.get(group["task"], 0) + group["characters"]
        self.assertEqual({text["task"] for text in said["texts"]}, set(made))
        for text in said["texts"]:
            self.assertLess(abs(text["characters"] - made[text["task"]]), 0.4 * made[text["task"]])
            self.assertNotIn("tokens", text)
        people = run("build", *TRAIN, "-n", "20", "--dry-run").stdout
        self.assertRegex(people, r"KeyDoorPuzzle-v0 +about \d+ characters\n")
        self.assertNotIn("characters", run("build", *TRAIN, "-n", "20", "-f", "npz", "--dry-run").stdout)

    def test_families_without_difficulties(self):
        folder = self.build("toy", "--family", "toy", "--split", "train", "-n", "40", "--characters", "2000", program=TOY)
        self.assert_verifies(folder, program=TOY)
        self.check(folder, characters, 2000)


class Tokens(Case):
    """With a process that speaks the same lines and needs no library."""

    def test_the_last_episode_reaches_the_budget_and_the_manifest_names_the_tokenizer(self):
        folder = self.build("d", *TRAIN, "-f", "chat", "--tokens", "9000", *self.tokens)
        self.check(folder, words, 9000, "chat", "tokens")
        self.assertEqual(self.manifest(folder)["recipe"]["budget"],
                         {"tokens": 9000, "tokenizer": {"sha256": hashlib.sha256(read(self.file)).hexdigest(), "library": "tokenizers 0.0.0"}})

    def test_bytes_depend_neither_on_workers_nor_on_where_the_file_is_and_there_is_a_process_a_worker(self):
        log = self.path("log")
        wanted = contents(self.build("one", *TRAIN, "--tokens", "30000", *self.tokens, "-j", "1", env={**os.environ, "STUB_LOG": log}))
        self.assertEqual(read(log), b"{}\n", "the content of the file, and to one process")
        os.mkdir(self.path("elsewhere"))
        other = ["--tokenizer", shutil.copy(self.file, self.path("elsewhere")), "--python", self.stub]
        self.assertEqual(contents(self.build("three", *TRAIN, "--tokens", "30000", *other, "-j", "3", env={**os.environ, "STUB_LOG": log})), wanted)
        self.assertLessEqual(len(read(log).splitlines()), 1 + 3)
        recipe = {"tasks": "PreciseNavigation,KeyDoorPuzzle", "difficulty": "easy,medium", "split": "train", "shard_episodes": 16, "order": "drawn",
                  "budget": {"tokens": 30000, "tokenizer": self.file}}
        path = write(self.path("r.json"), json.dumps(recipe))
        self.assertEqual(contents(self.build("recipe", path, "--python", self.stub)), wanted)
        again = write(self.path("again.json"), json.dumps(json.loads(wanted["manifest.json"])["recipe"]))
        self.assertEqual(contents(self.build("again", again, *self.tokens)), wanted)
        self.refuse(["build", again, "--python", self.stub, "-o", self.path("d")], USAGE, "--tokenizer FILE")
        self.refuse(["build", again, *self.tokens, "-o", self.path("d")], FOUND, "tokenizers 0.0.0", "tokenizers 0.0.1", env={**os.environ, "STUB_VERSION": "0.0.1"})
        self.refuse(["build", again, "--python", self.stub, "--tokenizer", write(self.path("b.json"), "[]"), "-o", self.path("d")], USAGE, "SHA-256")
        self.assertFalse(os.path.exists(self.path("d")))

    def test_parts_need_no_tokenizer_to_be_merged(self):
        more = [*TRAIN, "--tokens", "30000", *self.tokens]
        wanted = contents(self.build("whole", *more))
        parts = [self.build(f"part{i}", *more, "--shard", f"{i}/2") for i in (1, 2)]
        self.assertEqual(run("merge", *parts, "-o", self.path("merged"), "-q").returncode, 0)
        self.assertEqual(contents(self.path("merged")), wanted)

    def test_an_interrupted_build_goes_on_to_the_same_bytes(self):
        more = [*TRAIN, "--tokens", "60000", *self.tokens, "-j", "2"]
        wanted, killed, patience = contents(self.build("wanted", *more)), 0, 0.05
        for _ in range(20):
            child = subprocess.Popen([SEEDBED, "build", "-o", self.path("d"), "-q", "--resume", *more])
            try:
                child.wait(timeout=patience)
                break
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                killed += 1
                patience *= 1.4
        self.build("d", *more, "--resume")
        self.assertGreater(killed, 0)
        self.assertEqual(contents(self.path("d")), wanted)

    def test_verify_says_what_it_did_not_count_and_counts_with_the_file(self):
        folder = self.build("d", *TRAIN, "--tokens", "20000", *self.tokens)
        done = run("verify", folder)
        self.assertEqual(done.returncode, 0)
        self.assertIn("note: its tokens were not counted again", done.stdout + done.stderr)
        done = run("verify", folder, *self.tokens)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("note", done.stdout)
        self.refuse(["verify", folder, "--tokenizer", write(self.path("b.json"), "[]"), "--python", self.stub], FOUND, "SHA-256")
        done = run("verify", folder, *self.tokens, env={**os.environ, "STUB_VERSION": "1"})
        self.assertEqual(done.returncode, 0)
        self.assertIn("tokenizers 1", done.stdout + done.stderr)
        for mode in ("leaves", "killed", "word"):
            self.refuse(["verify", folder, *self.tokens], FOUND, "tokenizer", env={**os.environ, "STUB": mode})
        text = read(folder + "/manifest.json").decode()
        body = text[:text.rindex(',\n "sha256"')].replace('"budget": {"tokens": 20000', '"budget": {"tokens": 90000')
        write(folder + "/manifest.json", body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n')
        self.refuse(["verify", folder], FOUND, "does not end at the recipe's budget")
        begin, end = text.index('"sections"'), text.rindex(',\n "sha256"')
        more = [re.sub(r'("tokens": )(\d+)', lambda found: found[1] + str(int(found[2]) + 1), text[:end][begin:], count=n) for n in (1, 2)]
        for said, arguments in ((more[0], []), (more[0], self.tokens), (more[1], self.tokens)):
            body = text[:begin] + said
            write(folder + "/manifest.json", body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n')
            self.refuse(["verify", folder, *arguments], FOUND, "manifest.json")

    def test_extensions_and_more_formats_keep_the_counts(self):
        folder = self.build("d", *TRAIN, "--tokens", "20000", *self.tokens)
        before = self.manifest(folder)["texts"]
        run("render", folder, "--format", "npz", "-q", check=True)
        self.assertEqual(self.manifest(folder)["texts"], before)
        self.refuse(["build", "--extend", "--episodes", "10", "-o", folder], USAGE, "--tokenizer FILE")
        run("build", "--extend", "--episodes", "10", *self.tokens, "-o", folder, "-q", check=True)
        run("build", "--extend", "--tokens", "500", *self.tokens, "-o", folder, "-q", check=True)
        done = run("verify", folder, *self.tokens)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        recipe = write(self.path("r.json"), json.dumps(self.manifest(folder)["recipe"]))
        self.assertEqual(contents(self.build("again", recipe, *self.tokens)), contents(folder))

    def test_dry_runs_tell_tokens_with_any_recipe(self):
        said = json.loads(run("build", *TRAIN, "-n", "9", "--dry-run", "--json", *self.tokens).stdout)
        folder = self.build("d", *TRAIN, "-n", "9")
        for text in said["texts"]:
            mine = sum(words(read_of("steps", row)) for row in self.rows(folder) if row["task"] == text["task"])
            self.assertEqual(text["tokens"], mine, "all 36 episodes were in the sample")

    def test_whatever_python_answers_is_an_error_that_leaves_nothing(self):
        for mode, *said in (("silent", "cannot be run", "pip install"), ("missing", "no library `tokenizers`", "pip install", "--python"), ("odd",), ("torn",),
                            ("leaves", "exit code 0"), ("exits", "exit code 3"), ("killed", "signal 9"), ("half", "ended by itself"), ("word", "`many`"), ("negative", "`-5`"),
                            ("large", "`999"), ("larger",), ("real", "`1.5`"), ("empty", "``"), ("nul",), ("two",), ("list", "`[1]`"), ("spaces",), ("long",)):
            with self.subTest(mode=mode):
                for jobs in ("1", "3"):
                    self.refuse(["build", *TRAIN, "--tokens", "90000", *self.tokens, "-j", jobs, "-o", self.path("d")], FOUND, "tokenizer", *said,
                                env={**os.environ, "STUB": mode})
                    self.assertFalse([name for name in os.listdir(self.path("d")) if name != ".seedbed.lock"] if os.path.isdir(self.path("d")) else [])

    def test_files_that_are_none_and_pythons_that_are_none_are_named(self):
        self.refuse(["build", *TRAIN, "--tokens", "9", "--tokenizer", self.path("none"), "--python", self.stub, "-o", self.path("d")], FOUND, "none")
        self.refuse(["build", *TRAIN, "--tokens", "9", "--tokenizer", write(self.path("b.json"), b"\xff"), "--python", self.stub, "-o", self.path("d")], USAGE, "UTF-8")
        self.refuse(["build", *TRAIN, "--tokens", "9", "-o", self.path("d")], USAGE, "--tokenizer FILE")
        self.refuse(["build", *TRAIN, "--tokens", "9", "--tokenizer", self.file, "--python", "false", "-o", self.path("d")], FOUND, "`false`", "--python")
        self.assertEqual(run("build", *TRAIN, "-n", "2", *self.tokens, "-o", self.path("d")).returncode, USAGE)
        splits = {name: {"budget": {"tokens": 99, "tokenizer": path}} for name, path in (("train", self.file), ("validation", self.path("b.json")))}
        recipe = write(self.path("r.json"), json.dumps({"tasks": "PreciseNavigation", "difficulty": "easy", "splits": splits}))
        self.refuse(["build", recipe, "--python", self.stub, "-o", self.path("d")], USAGE, "one tokenizer")
        self.assertFalse(os.path.exists(self.path("d")))


@unittest.skipUnless(tokenizers, "the Python package `tokenizers` is not installed")
class Library(Case):
    def setUp(self):
        super().setUp()
        letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
        merges = [("t", "h"), ("th", "e"), ("e", "r"), ("#", "#")]
        self.tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab={token: i for i, token in enumerate([*letters, *map("".join, merges)])}, merges=merges))
        self.tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
        self.tokenizer.add_special_tokens(["<s>"])
        self.tokenizer.post_processor = tokenizers.processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", self.tokenizer.token_to_id("<s>"))])
        self.tokenizer.save(self.file)
        self.tokens = ["--tokenizer", self.file, "--python", sys.executable]

    def count(self, texts):
        return sum(len(self.tokenizer.encode(text, add_special_tokens=False).ids) for text in texts)

    def test_the_library_counts_every_text_alone_without_special_tokens(self):
        for format in ("steps", "chat", "trajectories"):
            folder = self.build(format, *TRAIN, "-f", format, "--tokens", "40000", *self.tokens)
            self.check(folder, self.count, 40000, format, "tokens")
        self.assertEqual(self.manifest(folder)["recipe"]["budget"]["tokenizer"]["library"], "tokenizers " + tokenizers.__version__)
        done = run("verify", folder, *self.tokens)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_truncation_and_padding_of_the_file_do_not_count(self):
        wanted = self.amounts(self.build("a", *TRAIN, "--tokens", "9000", *self.tokens), self.count)
        self.tokenizer.enable_truncation(5)
        self.tokenizer.enable_padding(length=5000)
        self.tokenizer.save(self.file)
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        self.assertEqual(self.amounts(self.build("b", *TRAIN, "--tokens", "9000", *self.tokens), self.count), wanted)

    def test_a_broken_file_is_named(self):
        for content in ("{}", "[1", "", '"a"'):
            self.refuse(["build", *TRAIN, "--tokens", "9", "--tokenizer", write(self.path("broken.json"), content), *self.tokens[2:], "-o", self.path("d")],
                        USAGE, "broken.json", "no tokenizer.json")
        self.assertFalse(os.path.exists(self.path("d")))

    def test_what_is_in_the_working_directory_is_no_library(self):
        write(self.path("tokenizers.py"), "raise SystemExit('taken')")
        folder = self.build("d", *TRAIN, "--tokens", "9000", *self.tokens, cwd=self.folder)
        self.check(folder, self.count, 9000, unit="tokens")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
