"""Packs of challenges: the same bytes for any number of workers and after interruptions, and what verify finds.

    python3 tests/challenges_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

SEEDBED = sys.argv[1]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = "Triad,DyePots"


def run(*arguments, check=True):
    done = subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        raise AssertionError(done.stderr)
    return done


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


class Packs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.pack = cls.path("pack.jsonl")
        cls.derive(cls.pack, "--jobs", "1")
        cls.task, cls.answer = read(cls.pack), read(cls.path("pack.answers.jsonl"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def derive(cls, path, *options):
        return run("challenges", "-o", path, "--tasks", PROGRAMS, "--levels", "1..2", "--count", "2", *options)

    def altered(self, task, answer):
        """Writes an altered pack, and returns what verify says of it."""
        write(self.path("altered.jsonl"), task)
        write(self.path("altered.answers.jsonl"), answer)
        return run("verify", self.path("altered.jsonl"), check=False)

    def test_the_bytes_do_not_depend_on_the_number_of_workers(self):
        self.derive(self.path("three.jsonl"), "--jobs", "3")
        self.assertEqual(read(self.path("three.jsonl")), self.task)
        self.assertEqual(read(self.path("three.answers.jsonl")), self.answer)

    def test_an_interrupted_call_goes_on(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        for n_tasks, n_answers, rest in [(0, 0, b""), (5, 5, b'{"answer": "autumn'), (6, 5, b""), (5, 6, b""), (len(tasks), len(answers), b"")]:
            path = self.path("half.jsonl")
            write(path + ".part", b"".join(tasks[:n_tasks]) + rest)
            write(self.path("half.answers.jsonl.part"), b"".join(answers[:n_answers]) + rest)
            self.derive(path)
            self.assertEqual(read(path), self.task)
            self.assertEqual(read(self.path("half.answers.jsonl")), self.answer)
            os.remove(path)
            os.remove(self.path("half.answers.jsonl"))

    def test_the_rest_of_another_pack_is_refused(self):
        path = self.path("other.jsonl")
        write(path + ".part", self.task)
        write(self.path("other.answers.jsonl.part"), self.answer)
        done = run("challenges", "-o", path, "--tasks", "Triad", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is of another pack; remove it to begin anew", done.stderr)

    def test_verify_accepts_what_was_derived(self):
        for again in [], ["--again"]:
            self.assertIn("every certificate replayed", run("verify", self.pack, *again).stdout)

    def test_every_line_says_what_it_is(self):
        tasks = [json.loads(line) for line in self.task.splitlines()][1:]
        answers = [json.loads(line) for line in self.answer.splitlines()][1:]
        self.assertEqual(len(answers), 2 * 3 * 2 * 2)
        answered = [line for line in answers if "answer" in line]
        self.assertEqual([line["challenge"] for line in tasks], [line["answer"] for line in answered])
        for line in tasks:
            hidden = {"correct", "plan", "mutation", "guard", "hidden", "certificate", "random"} & set(line)
            self.assertEqual(hidden, set())
            if line["kind"] == "mfp":
                self.assertEqual(len(set(line["options"])), 6)
                self.assertTrue(all("?" in frame for frame in line["frames"][-line["masked"]:]))
        for line in answers:
            self.assertTrue("answer" in line or "cannot be derived" in line["why"], line)

    def test_verify_finds_what_was_altered_and_names_it(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        for i in range(1, len(answers)):
            entry = json.loads(answers[i])
            name = entry.get("answer") or entry["none"]
            changed = answers.copy()
            if "correct" in entry:
                changed[i] = answers[i].replace(b'"correct": %d' % entry["correct"], b'"correct": %d' % ((entry["correct"] + 1) % 6))
            elif "plan" in entry:
                changed[i] = answers[i].replace(b'"plan": [', b'"plan": ["noop", ')
            elif "guard" in entry:
                changed[i] = answers[i].replace(b'"times": ', b'"times": 9')
            else:
                changed[i] = answers[i].replace(b"attempt", b"attack")
            done = self.altered(self.task, b"".join(changed))
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(name, done.stderr)
        for i in range(1, len(tasks)):
            place = tasks[i].rindex(b'"', 0, -3) - 1
            changed = tasks[i][:place] + (b"0" if tasks[i][place:place + 1] != b"0" else b"1") + tasks[i][place + 1:]
            done = self.altered(b"".join([*tasks[:i], changed, *tasks[i + 1:]]), self.answer)
            self.assertEqual(done.returncode, 1)
            self.assertIn(json.loads(tasks[i])["challenge"], done.stderr)

    def test_an_altered_task_with_the_right_hash_is_found_too(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        entry = json.loads(tasks[1])
        sign = "1" if entry["frames"][0][0] == "0" else "0"
        frame = sign + entry["frames"][0][1:]
        changed = tasks[1].replace(entry["frames"][0].encode(), frame.encode(), 1)
        answer = answers[1].replace(hashlib.sha256(tasks[1]).hexdigest().encode(), hashlib.sha256(changed).hexdigest().encode())
        done = self.altered(b"".join([tasks[0], changed, *tasks[2:]]), b"".join([answers[0], answer, *answers[2:]]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not what the actions lead to", done.stderr)

    def test_lines_that_are_missing_or_too_many_are_found(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        for task, answer in [(tasks[:-1], answers), (tasks, answers[:-1]), ([*tasks, tasks[-1]], answers), (tasks, [*answers, answers[-1]]),
                             (tasks[:1], answers[:1]), ([], []), ([tasks[0], *tasks[2:], tasks[1]], answers)]:
            self.assertEqual(self.altered(b"".join(task), b"".join(answer)).returncode, 1)

    def test_one_challenge_for_each_program_and_kind_is_the_first_of_the_larger_pack(self):
        run("challenges", "-o", self.path("one.jsonl"), "--one", "--tasks", PROGRAMS, "--levels", "1..2", "--count", "2")
        answers = {(entry.get("answer") or entry["none"]): line for line in self.answer.splitlines()[1:] for entry in [json.loads(line)]}
        wanted = []
        for program in PROGRAMS.split(","):
            for kind in "mfp", "planning", "change":
                names = [f"autumn:{program}/{kind}-{level}#{seed}" for level in (2, 1) for seed in (1, 2)]
                wanted.append(answers[next((name for name in names if b'"answer"' in answers[name]), names[-1])])
        self.assertEqual(read(self.path("one.answers.jsonl")).splitlines()[1:], wanted)
        for again in [], ["--again"]:
            self.assertIn("6 challenges: every certificate replayed", run("verify", self.path("one.jsonl"), *again).stdout)
        write(self.path("one.answers.jsonl"), read(self.path("one.answers.jsonl")).replace(b"-2#1", b"-3#1"))
        self.assertEqual(run("verify", self.path("one.jsonl"), check=False).returncode, 1)

    def test_packs_may_be_packed_by_gzip(self):
        for name, data in ("packed.jsonl.gz", self.task), ("packed.answers.jsonl.gz", self.answer):
            write(self.path(name), gzip.compress(data))
        self.assertIn("every certificate replayed", run("verify", self.path("packed.jsonl.gz")).stdout)
        os.remove(self.path("packed.answers.jsonl.gz"))
        self.assertIn("packed.answers.jsonl.gz", run("verify", self.path("packed.jsonl.gz"), check=False).stderr)

    def test_wrong_calls_say_what_is_wrong(self):
        for arguments, words in [([], "-o wants a file"), (["-o", "x", "--kinds", "maze"], "there is no kind `maze`"),
                                 (["-o", "x", "--levels", "0..3"], "levels are 1 to 4"), (["-o", "x", "--tasks", "Nothing"], "there is no program `Nothing`")]:
            done = run("challenges", *arguments, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


class Shipped(unittest.TestCase):
    """The packs that come with Seedbed."""

    def lines(self, name):
        return gzip.decompress(read(os.path.join(ROOT, "seeds", name))).splitlines(True)

    def test_they_hold_what_is_derived_now(self):
        for part in ".", ".answers.":
            shipped = self.lines(f"autumn{part}jsonl.gz")
            head = json.loads(shipped[0])
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "some.jsonl")
                run("challenges", "-q", "-o", path, "--tasks", "Seesaw,Triad", "--kinds", ",".join(head["kinds"]), "--levels", "1..2", "--seed", str(head["first_seed"]))
                derived = read(path.replace(".jsonl", part + "jsonl")).splitlines(True)[1:]
            self.assertGreater(len(derived), 4)
            self.assertLessEqual(set(derived), set(shipped))

    def test_the_canonical_pack_is_a_part_of_the_larger_one(self):
        for part in ".", ".answers.":
            whole, canonical = self.lines(f"autumn{part}jsonl.gz"), self.lines(f"autumn-canonical{part}jsonl.gz")
            self.assertEqual(json.loads(canonical[0]), json.loads(whole[0]) | {"one": True})
            self.assertLessEqual(set(canonical[1:]), set(whole))
        names = [name for line in self.lines("autumn-canonical.answers.jsonl.gz")[1:] for said in [json.loads(line)] for name in [said.get("answer") or said["none"]]]
        self.assertEqual(len({name.split("-")[0] for name in names}), len(names))
        self.assertEqual(len(names), 43 * len(json.loads(whole[0])["kinds"]))

    def test_they_are_small_and_the_page_is_of_them(self):
        names = [f"autumn{which}{part}jsonl.gz" for which in ("", "-canonical") for part in (".", ".answers.")]
        files = [read(os.path.join(ROOT, "seeds", name)) for name in names]
        self.assertLess(sum(map(len, files)), 5_000_000)
        for name, data in zip(names, files):
            self.assertIn(hashlib.sha256(data).hexdigest().encode(), read(os.path.join(ROOT, "docs", "autumn-pack.md")), name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
