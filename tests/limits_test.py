"""Small hostile files do not take much memory, whatever they unpack to. And whole numbers that a double cannot hold stay exact.

    python3 tests/limits_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import hashlib
import json
import os
import resource
import subprocess
import sys
import unittest

from dataset_support import FOUND, SEEDBED, USAGE, InFolder, read, run, write
from process_support import is_sanitized

GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
SEEDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "seeds")
MEGABYTE = 1 << 20


def limited(megabytes, *arguments, **options):
    """Runs the program with limited address space. Every thread takes some, used or not, so there is one worker."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * MEGABYTE, megabytes * MEGABYTE))
    return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=900, preexec_fn=None if is_sanitized(SEEDBED) else limit,
                          env={**os.environ, "MALLOC_ARENA_MAX": "1"}, **options)


def repeated(path, before, piece, megabytes, after=b""):
    """Writes a gzip file with a piece repeated over so many megabytes: one compressed member for each megabyte, all the same."""
    member = gzip.compress(piece * (MEGABYTE // len(piece)))
    return write(path, gzip.compress(before) + megabytes * member + gzip.compress(after))


class Limits(InFolder):
    def refuse(self, result, *words, code=FOUND):
        self.assertEqual(result.returncode, code, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertNotIn("out of memory", result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1)

    def dataset(self):
        self.assertEqual(run("build", "--tasks", "PreciseNavigation", "-d", "easy", "--seeds", "0..4", "-o", self.path("d")).returncode, 0)
        return self.path("d")


class Datasets(Limits):
    def test_documents_of_a_dataset_are_not_unpacked(self):
        folder = self.dataset()
        repeated(os.path.join(folder, "README.md"), b"", b"x", 1000)
        os.rename(os.path.join(folder, "manifest.json"), self.path("manifest.json"))
        self.refuse(limited(100, "build", "--tasks", "GoToGoal", "--seeds", "0", "-o", folder), "README.md was not made by seedbed", code=USAGE)
        os.rename(self.path("manifest.json"), os.path.join(folder, "manifest.json"))
        result = limited(200, "render", "-j", "1", folder, "--format", "trajectories")
        self.assertEqual(result.returncode, 0, result.stderr)
        repeated(os.path.join(folder, "manifest.json"), b"[", b"1,", 63, b"1]")
        self.refuse(limited(100, "verify", "-j", "1", folder), "manifest.json", "byte 1")

    def test_manifests_are_read_file_by_file(self):
        """A manifest of sixty megabytes is read to its end before it is refused."""
        folder = self.dataset()
        path = os.path.join(folder, "manifest.json")
        manifest = json.loads(read(path))
        files = b", ".join([json.dumps(manifest["files"][0]).encode()] * (60 * MEGABYTE // 280))
        manifest["files"] = "HERE"
        write(path, json.dumps(manifest).encode().replace(b'"HERE"', b"[" + files + b"]"))
        self.refuse(limited(300, "verify", "-j", "1", folder), "manifest.json", "contradict each other")
        write(path, b'{"format": "seedbed-dataset", "version": 3, "more": [' + b"1," * (30 * MEGABYTE) + b"1]}")
        self.refuse(limited(200, "verify", "-j", "1", folder), "manifest.json", "more than 262144 values")

    def test_lines_of_journals_have_a_limit(self):
        folder = self.dataset()
        os.remove(os.path.join(folder, "manifest.json"))
        repeated(os.path.join(folder, "journal.jsonl"), b"[", b"1,", 60, b"1]\n")
        self.refuse(limited(300, "merge", "-o", self.path("merged"), folder), "more than 262144 values", code=USAGE)


class Programs(Limits):
    """Frames repeat the names of colours in every cell, and rows repeat frames."""

    def program(self, side, colour):
        path = write(self.path("p.sexp"), f'(program (= GRID_SIZE {side}) (= background "{colour}") (= n (initnext 0 (+ 1 (prev n)))))'.encode())
        return path, "file-" + hashlib.sha256(read(path)).hexdigest()[:16]

    def test_a_long_name_of_a_colour_is_refused_with_its_place(self):
        path, task = self.program(256, "x" * 2**14)
        self.refuse(limited(200, "show", f"autumn:{task}#1", "--program", path), "program:1:42: limit: a text of more than 64 bytes in JSON",
                    code=USAGE)

    def test_a_long_colour_of_a_challenge_is_refused(self):
        for part in ("", ".answers"):
            with gzip.open(os.path.join(SEEDS, f"autumn-canonical{part}.jsonl.gz")) as file:
                write(self.path(f"pack{part}.jsonl"), file.read())
        head, first, rest = read(self.path("pack.jsonl")).split(b"\n", 2)
        first = json.loads(first)
        for n, words in ((64, "the task was altered"), (65, "a colour is longer than the texts of programs may be")):
            first["colours"][0] = "x" * n
            pack = write(self.path("pack.jsonl"), b"\n".join((head, json.dumps(first).encode(), rest)))
            self.refuse(limited(400, "show", first["challenge"], "--challenges", pack), words, code=USAGE if n > 64 else FOUND)

    def test_rows_of_large_grids_are_not_kept_in_memory(self):
        """Three episodes with forty megabytes of rows each. Nightly there are sixteen of 256 x 256 cells, seven gigabytes of rows."""
        nightly = "SEEDBED_NIGHTLY" in os.environ
        path, task = self.program(256 if nightly else 128, "lightgoldenrodyellow" if nightly else "red")
        megabytes = 1500 if nightly else 200
        built = limited(megabytes, "build", "--tasks", task, "--program", path, "--agent", "random", "--seeds", "1..16" if nightly else "1..3",
                        "-o", self.path("d"), "-j", "1")
        self.assertEqual(built.returncode, 0, built.stderr)
        self.assertEqual(limited(megabytes, "verify", self.path("d"), "-j", "1").returncode, 0)


class Documents(Limits):
    def verify(self, before, piece, megabytes, after, *words, memory):
        path = repeated(self.path("document.json.gz"), before, piece, megabytes, after)
        self.refuse(limited(memory, "verify", "-j", "1", path), "document.json.gz", *words)

    def test_packs_take_little_more_memory_than_their_text(self):
        head = b'{"format": "seedbed-pack", "version": 1, "family": "agentick", "base": "b", "hash": "' + b"0" * 64 + b'", "lists": '
        seeds = b'[{"task": "T", "variant": "", "count": 1, "left_out": 0, "hash": "' + b"0" * 64 + b'", "seeds": ['
        self.verify(head + seeds, b"1,", 40, b"1]}]}", "key `count` says 1, but there are 20971521 seeds", memory=130)
        self.verify(head + b"[", b"1,", 40, b"1]}", "20971521 lists", memory=130)
        self.verify(head + b"[1], \"more\": [", b"1,", 40, b"1]}", "more than 262144 values", memory=130)
        self.verify(b'{"GoToGoal-v0": {"easy": {"seeds": [', b"1,", 40, b"1]}}}", "GoToGoal-v0/easy: key `n_seeds`", memory=130)
        self.verify(b'{"GoToGoal-v0": {', b'"easy":{},', 40, b'"easy":{}}}', "4194281 lists", memory=130)

    def result(self):
        done = run("eval", "--agent", "expert", "--tasks", "GoToGoal", "-d", "easy", "--seeds", "0", "-o", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_results_take_little_more_memory_than_their_text(self):
        result = self.result()
        episode, result["episodes"] = json.dumps(result["episodes"][0]).encode(), "HERE"
        before, after = json.dumps(result).encode().split(b'"HERE"')
        self.verify(before + b"[\n" + episode + b",", b"1,", 100, b"1]" + after, "episode 2: should be an object", memory=300)
        self.verify(before + b'"HERE", "more": [\n', b"1,", 100, b"1]" + after, "more than 262144 values", memory=300)

    def test_a_pack_in_a_result_may_be_long(self):
        """Parsed as a whole, the pack would have more values than a document may have."""
        result = self.result()
        seeds = {"task": "GoToGoal-v0", "variant": "easy", "count": 300000, "left_out": 0, "hash": "0" * 64, "seeds": list(range(300000))}
        pack = {"format": "seedbed-pack", "version": 1, "family": "agentick", "base": "mine", "hash": "0" * 64, "lists": [seeds]}
        path = write(self.path("result.json"), json.dumps({**result, "selection": {"pack": pack}}))
        self.refuse(run("verify", path), "GoToGoal-v0/easy: the hash should be")

    def test_tapes_have_a_limit(self):
        self.verify(b'{"tape": 1, "actions": [', b"1,", 15, b"1]}\n", "more than 262144 values", memory=150)

    def test_recordings_have_a_limit(self):
        path = repeated(self.path("r.jsonl.gz"), b'{"id": [', b"1,", 60, b"1]}\n")
        self.refuse(limited(300, "conform", path), "more than 2097152 values")

    def test_recipes_and_sentences_have_a_limit(self):
        path = repeated(self.path("recipe.json"), b"[", b"1,", 60, b"1]")
        self.refuse(limited(100, "build", "--dry-run", path), "larger than", code=USAGE)
        options = json.dumps([{"format": "plan", "templates": repeated(self.path("t.json"), b"[", b"1,", 60, b"1]")}])
        self.refuse(limited(100, "build", "--dry-run", "--tasks", "GoToRedBallNoDists", "-f", options), "larger than", code=USAGE)

    def test_answers_have_a_limit(self):
        path = repeated(self.path("answers.jsonl"), b"", b"x\n", 10)
        self.refuse(limited(100, "score", "-p", "plan", path), "5242880 answers", code=USAGE)

    def test_a_file_cannot_have_more_certificates_than_episodes(self):
        head = b'{"certificates": 1, "rules": "agentick 1", "budget": 1, "episodes": 1, "selection": {"tasks": "GoToGoal", "seeds": "0"}}\n'
        self.verify(head, b"\n", 100, b"{}\n", "104857602 lines", memory=400)


class Selections(Limits):
    def test_ten_million_episodes_take_sixteen_bytes_each(self):
        """The buffer doubles, so it has room for sixteen million. The error about the agent's family comes after the selection."""
        result = limited(400, "build", "--dry-run", "-j", "1", "--tasks", "PreciseNavigation", "-d", "easy", "--seeds", "0..9999999", "--agent", "omnibot")
        self.refuse(result, "PreciseNavigation-v0 has no agent", code=USAGE)


class Seeds(Limits):
    """The seed is 2^53 + 1, which as a double is 2^53."""
    SEED = 2**53 + 1

    def recording(self, seed, drawn):
        with gzip.open(os.path.join(GOLDEN, "GoToGoal.jsonl.gz")) as file:
            recording = json.loads(file.readline())
        recording["seed"] = seed
        for draw in recording["draws"][:2]:
            draw[2] = [drawn]
        recording["draws"][2][2] = [self.SEED]
        return write(self.path("recording.jsonl"), json.dumps(recording))

    def test_recorded_draws_are_compared_exactly(self):
        for seed in (self.SEED, str(self.SEED)):
            said = json.loads(run("conform", "--json", self.recording(seed, self.SEED)).stdout)["tasks"][0]["first_difference"]
            self.assertIn("draw 3,", said)  # the recording's draws are of another seed
            said = json.loads(run("conform", "--json", self.recording(seed, 2**53)).stdout)["tasks"][0]["first_difference"]
            self.assertIn("draw 0,", said)
            self.assertIn("recorded ...[0,\"default_rng\",[9007199254740992],null]", said)
            self.assertIn("ours     ...[0,\"default_rng\",[9007199254740993],null]", said)

    def test_packs_are_read_exactly(self):
        path, numbers = self.path("pack.json"), self.path("numbers.json")
        seeds = [2**53 - 1, 2**53, self.SEED, 2**64 - 1]
        document = {"GoToGoal-v0": {"easy": {"hash": "0" * 64, "n_seeds": len(seeds), "seeds": seeds}}}
        write(numbers, json.dumps(document))
        document["GoToGoal-v0"]["easy"]["seeds"] = [str(seed) for seed in seeds]
        write(path, json.dumps(document))
        self.assertEqual(json.loads(run("seeds", "diff", "--json", path, numbers).stdout or "{}").get("differences", []), [])
        self.assertEqual(run("seeds", "diff", path, numbers).returncode, 0)
        document["GoToGoal-v0"]["easy"]["seeds"] = [float(seed) for seed in seeds]
        self.refuse(run("seeds", "diff", path, write(numbers, json.dumps(document))), "seed 2: not a whole number", code=USAGE)

    def test_requests_are_answered_exactly(self):
        line = json.dumps({"op": "reset", "name": f"GoToGoal-v0/easy#{self.SEED}", "id": self.SEED})
        reply = json.loads(run("serve", "--stdio", input=line + "\n").stdout.splitlines()[0])
        self.assertEqual(reply["id"], self.SEED)
        self.assertIn(str(self.SEED), json.dumps(reply))

    def test_answers_are_scored_exactly(self):
        lines = [{"env_name": "GoToRedBallNoDists", "seed": seed, "answer": ""} for seed in (self.SEED, str(self.SEED))]
        path = write(self.path("answers.jsonl"), "".join(json.dumps(line) + "\n" for line in lines))
        said = run("score", "--protocol", "plan", "-o", "-", path)
        self.assertEqual(said.stdout.count(f"#{self.SEED}"), 2, said.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
