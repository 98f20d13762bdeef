"""Certificates: interruptions do not change their bytes, every alteration is found, and the shipped ones are right.

    python3 tests/certificates_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import contextlib
import gzip
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OFFICIAL = os.path.join(ROOT, "evaluation", "certificates", "official.jsonl.gz")
FOUND, USAGE = 1, 2
IMPOSSIBLE = {"SwitchCircuit-v0": 16, "PreciseNavigation-v0": 14, "DistributionShift-v0": 13,
              "FogOfWarExploration-v0": 4, "SokobanPush-v0": 4, "InstructionFollowing-v0": 2}
# Solved and impossible episodes, in four members.
SMALL = ["--tasks", "GoToGoal,PreciseNavigation", "-d", "easy,expert", "-n", "25"]


def run(*arguments, program=SEEDBED, **options):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=900, **options)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
    return path


def lines_of(path):
    return gzip.decompress(read(path)).decode().splitlines()


def certificates_in(path):
    return [json.loads(line) for line in lines_of(path)[1:-1]]


def sealed(lines, **counts):
    """Returns the lines with a last line that fits them, as a forger would write it."""
    body = "".join(line + "\n" for line in lines)
    verdicts = [json.loads(line)["verdict"] for line in lines[1:]]
    tail = {verdict: verdicts.count(verdict) for verdict in ("solved", "impossible", "unknown")}
    tail.update(counts, sha256=hashlib.sha256(body.encode()).hexdigest())
    return (body + json.dumps(tail) + "\n").encode()


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-certificates-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def certify(self, name, *arguments, program=SEEDBED):
        done = run("certify", "--quiet", "-o", self.path(name), *arguments, program=program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return self.path(name)

    def refuse(self, arguments, *words, program=SEEDBED):
        done = run(*arguments, program=program)
        self.assertEqual(done.returncode, FOUND, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"\Aseedbed: [^\n]+\n\Z", "one line on standard error, and only one")
        for word in words:
            self.assertIn(word, done.stderr)


class SameBytes(InFolder):
    def test_one_and_three_workers_write_the_same_file(self):
        for program, arguments in ((SEEDBED, SMALL), (TOY, ["--family", "toy", "-n", "40"])):
            one, three = (self.certify("jobs" + n, *arguments, "--jobs", n, program=program) for n in "13")
            self.assertEqual(read(one), read(three))

    def test_lines_of_the_file_equal_the_printed_ones(self):
        printed = run("certify", "--quiet", "--json", *SMALL).stdout.splitlines()
        self.assertEqual(lines_of(self.certify("file", *SMALL))[1:-1], printed)

    def test_a_file_that_was_cut_anywhere_is_continued(self):
        """A power failure may leave any part of the file, and bytes that were never written."""
        whole, chance = read(self.certify("whole", *SMALL)), random.Random(5)
        tail = len(whole) - 1
        for cut in [0, 1, tail, *(chance.randrange(len(whole)) for _ in range(4))]:
            for rest in (b"", bytes(100) if cut < 2 else chance.choice([bytes(100), whole[:50]])):  # the first two bytes say what it is
                with self.subTest(cut=cut, rest=rest[:1]):
                    write(self.path("file.part"), whole[:cut] + rest)
                    self.assertEqual(read(self.certify("file", *SMALL)), whole)
                    self.assertFalse(os.path.exists(self.path("file.part")))
                    os.remove(self.path("file"))

    def test_damaged_members_are_made_again(self):
        whole, chance = read(self.certify("whole", *SMALL)), random.Random(6)
        for _ in range(4):
            at = chance.randrange(200, len(whole))
            write(self.path("file.part"), whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:])
            self.assertEqual(read(self.certify("file", *SMALL)), whole)

    def test_after_a_kill_at_any_moment_the_same_command_completes_the_file(self):
        arguments = ["--tasks", "GoToGoal,SwitchCircuit,KeyDoorPuzzle", "--split", "train", "-n", "20", "--jobs", "2"]
        began = time.monotonic()
        wanted = read(self.certify("reference", *arguments))
        length, chance, killed, grown = time.monotonic() - began, random.Random(7), 0, 0
        for attempt in range(2):
            for _ in range(5):
                child = subprocess.Popen([SEEDBED, "certify", "-q", "-o", self.path("file"), *arguments])
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(timeout=chance.random() * length * 0.6)
                child.kill()
                killed += child.wait() != 0
                if os.path.exists(self.path("file")):
                    break
                part = self.path("file.part")
                grown += os.path.exists(part) and os.path.getsize(part) > 1000
            self.certify("file", *arguments)
            self.assertEqual(read(self.path("file")), wanted, attempt)
            os.remove(self.path("file"))
        self.assertGreater(killed, 0, "too few were killed while they worked")
        self.assertGreater(grown, 0, "no run was killed after its first member")

    def test_the_unfinished_file_of_another_selection_is_not_overwritten(self):
        whole = read(self.certify("whole", *SMALL))
        left = write(self.path("file.part"), whole[:-200])
        for arguments in ([*SMALL[:-1], "24"], [*SMALL, "--budget", "999"]):
            self.refuse(["certify", "-o", self.path("file"), *arguments], "file.part", "remove it to start again")
            self.assertEqual(read(left), whole[:-200])


class Edited(InFolder):
    def test_a_world_that_was_edited_is_certified_again(self):
        world, examples = self.path("crates.sexp"), os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "worlds")
        text = read(os.path.join(examples, "crates.sexp"))
        write(world, text)
        easy = ["--tasks", world, "-d", "easy", "--seeds", "0..3"]
        whole = read(self.certify("file", *easy))
        self.assertEqual(run("verify", "--program", world, self.path("file")).returncode, 0)
        left = write(self.path("other.part"), whole[:-20])
        write(world, text.replace(b"(solution 4 20)", b"(solution 12 30)"))
        self.refuse(["verify", "--program", world, self.path("file")], "Crates: the file of certificates was made under the rules `autumn 1 ", "make it again")
        self.refuse(["certify", "-o", self.path("other"), *easy], "other.part", "remove it to start again")
        self.assertEqual(read(left), whole[:-20])

    def test_a_verdict_under_other_rules_does_not_count(self):
        """An episode that is said to be impossible has no tape that would show it."""
        easy = ["--tasks", "KeyDoorPuzzle", "-d", "easy", "--seeds", "0..1"]
        lines = [json.dumps(line).encode() + b"\n" for line in (
            {"certificates": 1, "rules": "agentick 0", "budget": 1000, "episodes": 1, "selection": {"names": ["KeyDoorPuzzle-v0/easy#0"]}},
            {"episode": "KeyDoorPuzzle-v0/easy#0", "verdict": "impossible", "method": "exhausted", "states": 9})]
        write(self.path("file"), gzip.compress(b"".join(lines)))
        self.refuse(["eval", *easy, "--agent", "random", "--certificates", self.path("file")], "KeyDoorPuzzle-v0: the certificates were made under the rules `agentick 0`")
        write(self.path("file"), gzip.compress(b"".join(lines).replace(b"agentick 0", b"agentick 1")))
        self.assertEqual(run("eval", *easy, "--agent", "random", "--certificates", self.path("file"), "-o", self.path("r.json")).returncode, 0)


class Altered(InFolder):
    def setUp(self):
        super().setUp()
        self.lines = lines_of(self.certify("good", *SMALL))[:-1]
        self.solved = next(i for i, line in enumerate(self.lines) if '"solved"' in line)
        self.impossible = next(i for i, line in enumerate(self.lines) if '"impossible"' in line)

    def check(self, lines, *words, **counts):
        self.refuse(["verify", write(self.path("bad"), sealed(lines, **counts))], "bad", *words)

    def with_line(self, i, line):
        return self.lines[:i] + [line if isinstance(line, str) else json.dumps(line)] + self.lines[i + 1:]

    def test_written_files_verify(self):
        done = run("verify", self.path("good"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("90 solved, 10 impossible, 0 unknown: 90 tapes replayed, 10 proofs repeated", done.stdout)
        self.assertEqual(run("verify", write(self.path("plain"), sealed(self.lines))).returncode, 0)

    def test_unknown_episodes_and_single_proofs_are_counted(self):
        unknown = {"episode": json.loads(self.lines[self.solved])["episode"], "verdict": "unknown", "states": 7}
        once = json.loads(self.lines[self.impossible])
        del once["check"], once["check_states"]
        lines = self.with_line(self.solved, unknown)
        lines[self.impossible] = json.dumps(once)
        said = run("verify", write(self.path("file"), sealed(lines))).stdout
        self.assertIn("89 solved, 10 impossible, 1 unknown: 89 tapes replayed, 10 proofs repeated; 1 impossible by one "
                      "proof only", said)

    def test_a_sample_is_evenly_spread_and_reported(self):
        said = run("verify", "--sample", "3", self.path("good")).stdout
        self.assertIn("90 solved, 10 impossible, 0 unknown: 3 tapes replayed, 3 proofs repeated", said)

    def test_a_flipped_byte_anywhere_is_found(self):
        whole, chance = read(self.path("good")), random.Random(8)
        for at in [3, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(8))]:
            with self.subTest(at=at):
                bad = write(self.path("bad"), whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1:])
                self.assertEqual(run("verify", bad).returncode, FOUND)

    def test_text_altered_without_its_hash_is_found(self):
        body = sealed(self.lines).replace(b'"states": ', b'"states":  ', 1)
        self.refuse(["verify", write(self.path("bad"), body)], "line 102", "altered", "sha256")

    def test_a_swapped_action_is_found(self):
        c = json.loads(self.lines[self.solved])
        actions = c["tape"]["actions"]
        at = next(i for i in range(len(actions) - 1) if actions[i] != actions[i + 1])
        actions[at], actions[at + 1] = actions[at + 1], actions[at]
        self.check(self.with_line(self.solved, c), f"line {self.solved + 1}", c["episode"])

    def test_solved_turned_into_impossible_is_found(self):
        name = json.loads(self.lines[self.solved])["episode"]
        for check, words in (("exhausted", "finds a way"), ("bound", "does not prove it"), ("magic", "unknown proof")):
            c = {"episode": name, "verdict": "impossible", "method": "expert", "states": 1, "check": check,
                 "check_states": 1}
            self.check(self.with_line(self.solved, c), f"line {self.solved + 1}", name, words)

    def test_impossible_turned_into_solved_is_found(self):
        c, other = json.loads(self.lines[self.impossible]), json.loads(self.lines[self.solved])
        stolen = {**other, "episode": c["episode"]}
        self.check(self.with_line(self.impossible, stolen), c["episode"], "another episode")
        stolen["tape"] = {**other["tape"], "name": c["episode"]}
        self.check(self.with_line(self.impossible, stolen), c["episode"])
        lost = {**stolen["tape"], "success": False}
        self.check(self.with_line(self.impossible, {**stolen, "tape": lost}), c["episode"], "does not succeed")

    def test_another_number_of_states_is_found(self):
        c = json.loads(self.lines[self.impossible])
        c["check_states"] += 1
        self.check(self.with_line(self.impossible, c), c["episode"], "looks at")

    def test_the_same_proof_twice_does_not_count_as_two(self):
        c = json.loads(self.lines[self.impossible])
        c["method"] = c["check"]
        self.check(self.with_line(self.impossible, c), c["episode"], "cannot be the second proof")

    def test_a_missing_a_repeated_and_a_misplaced_line_are_found(self):
        names = [json.loads(line).get("episode") for line in self.lines]
        self.check(self.lines[:50] + self.lines[51:], "line 51", f"{names[51]} is where {names[50]} should be")
        self.check(self.lines[:-1], f"{names[-1]} is missing")
        self.check([*self.lines, self.lines[-1]], f"{names[-1]} is not in the selection")
        self.check(self.lines[:50] + [self.lines[49]] + self.lines[51:], "line 51", f"{names[49]} is where")

    def test_wrong_counts_are_found(self):
        self.check(self.lines, "line 102", "it counts 11 impossible, but there are 10", impossible=11)

    def test_a_wrong_head_is_found(self):
        head = json.loads(self.lines[0])
        for change, words in (({"certificates": 2}, "reads format 1"), ({"rules": "agentick 0"}, "agentick 0"),
                              ({"episodes": 99}, "should be 100"), ({"budget": 0}, "budget"), ({"extra": 1}, "extra"),
                              ({"selection": {"tasks": "None"}}, "selection")):
            with self.subTest(change=change):
                self.check(self.with_line(0, {**head, **change}), words)

    def test_truncated_files_are_found(self):
        text = sealed(self.lines)
        for cut in (len(text) - 1, text.rindex(b"\n", 0, -1) + 1, text.index(b"\n") + 1):
            self.assertEqual(run("verify", write(self.path("bad"), text[:cut])).returncode, FOUND)

    def test_the_option_sample_is_for_certificates_only(self):
        done = run("verify", "--sample", "1", "-q", self.folder)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--sample is for certificates", done.stderr)


def recorded_successes():
    folder = os.path.join(ROOT, "tests", "golden")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl.gz"):
            with gzip.open(os.path.join(folder, name), "rt", encoding="utf-8") as lines:
                for row in map(json.loads, lines):
                    if any(rollout["success"] for rollout in row.get("rollouts", [])):
                        yield f"{row['task']}/{row['difficulty']}#{row['seed']}"


class Official(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.certificates = certificates_in(OFFICIAL)

    def of(self, verdict):
        return [c for c in self.certificates if c["verdict"] == verdict]

    def test_every_official_episode_is_solved_or_impossible_by_two_proofs(self):
        self.assertEqual((len(self.certificates), self.of("unknown")), (3700, []))
        self.assertEqual([c["episode"] for c in self.of("impossible") if "check" not in c], [])

    def test_the_number_of_impossible_episodes_is_the_known_one(self):
        found = {}
        for c in self.of("impossible"):
            task = c["episode"].split("/")[0]
            found[task] = found.get(task, 0) + 1
        self.assertEqual(found, IMPOSSIBLE)

    def test_a_sample_verifies(self):
        done = run("verify", "--sample", "9", OFFICIAL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("3647 solved, 53 impossible, 0 unknown: 9 tapes replayed, 9 proofs repeated", done.stdout)

    def test_every_twentieth_tape_replays(self):
        tapes = "".join(json.dumps(c["tape"]) + "\n" for c in self.of("solved")[::20])
        done = run("verify", write(self.path("tapes.jsonl"), tapes.encode()))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_no_episode_that_a_recording_solved_is_called_impossible(self):
        solved = set(recorded_successes())
        self.assertGreater(len(solved), 40)
        self.assertEqual(solved.intersection(c["episode"] for c in self.of("impossible")), set())
        self.assertEqual(solved.intersection(name for name in self.measured()), set())

    def measured(self):
        """Returns the names of all episodes that docs/measured/results.json calls impossible, official and training ones."""
        with open(os.path.join(ROOT, "docs", "measured", "results.json"), encoding="utf-8") as file:
            results = json.load(file)
        return [f"{task}/{difficulty}#{u['seed']}" for task, levels in results.items()
                for difficulty, splits in levels.items() for split in splits.values()
                for u in split["unsolved"] if u["verdict"] == "impossible"]

    def test_the_documentation_names_the_same_impossible_episodes(self):
        names = {c["episode"] for c in self.certificates}
        self.assertEqual({c["episode"] for c in self.of("impossible")}, names.intersection(self.measured()))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
