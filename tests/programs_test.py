"""Programs of users (--program FILE) in the commands that take names: every command, clear errors, datasets that stand alone.

    python3 tests/programs_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
USAGE = 2
TEXT = """(program
  (= GRID_SIZE 4)
  (object Dot (Cell 0 0 "red"))
  (= dot (initnext (Dot (Position 1 1)) (prev dot)))
  (on left (= dot (moveLeft (prev dot)))))
"""


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-programs-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.file = self.write("mine.sexp", TEXT)
        self.sha256 = hashlib.sha256(TEXT.encode()).hexdigest()
        self.task = "autumn:file-" + self.sha256[:16]

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def run_in(self, *arguments, **how):
        return subprocess.run([SEEDBED, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=900, **how)

    def succeed(self, *arguments, **how):
        done = self.run_in(*arguments, **how)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stderr}")
        return done.stdout

    def refuse(self, *arguments):
        done = self.run_in(*arguments)
        self.assertNotEqual(done.returncode, 0, arguments)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr

    def test_program_is_listed_as_a_task(self):
        tasks = json.loads(self.succeed("tasks", "--family", "autumn", "--program", self.file, "--json"))[0]["tasks"]
        self.assertEqual("autumn:" + tasks[-1]["name"], self.task)
        self.assertEqual(len(tasks), 44)

    def test_every_command_that_takes_names_takes_it(self):
        name, given = self.task + "#7", ("--program", self.file)
        self.assertIn(". black, 1 red\n....\n.1..\n", self.succeed("show", name, *given))
        self.assertEqual(json.loads(self.succeed("solve", name, "--agent", "random", "--json", *given))["program"], self.sha256)
        self.succeed("solve", name, "--agent", "random", "-q", "-o", "tapes.jsonl", *given)
        self.assertIn("300 steps", self.succeed("replay", "tapes.jsonl", *given))
        self.succeed("verify", "tapes.jsonl", *given)
        self.succeed("eval", name, "--agent", "random", "-q", "-o", "result.json", *given)
        with open(os.path.join(self.folder, "result.json"), encoding="utf-8") as file:
            told = json.load(file)["families"][0]["tasks"][0]
        self.assertEqual((told["rules"], told["program"]), (f"autumn 1 {self.sha256[:12]}", self.sha256))
        self.succeed("verify", "result.json", *given)
        self.succeed("report", "result.json", *given)
        self.succeed("seeds", "--tasks", self.task, "-n", "3", "--digests", "-o", "pack.json", *given)
        self.succeed("verify", "pack.json", *given)
        self.succeed("play", name, *given, input="aq")
        reply = self.succeed("serve", "--stdio", *given, input=json.dumps({"op": "reset", "name": name}) + "\n")
        self.assertEqual(json.loads(reply)["n_actions"], 5 + 16)

    def test_datasets_need_no_file(self):
        made = ("build", "--tasks", self.task, "--seeds", "0..20", "--shard-episodes", "16", "--program", self.file, "-q")
        self.succeed(*made, "-o", "whole")
        for part in "12":
            self.succeed(*made, "--shard", part + "/2", "-o", "part" + part)
        os.remove(os.path.join(self.folder, self.file))
        self.succeed("merge", "part1", "part2", "-q", "-o", "joined")
        for name in ("whole", "joined"):
            self.succeed("verify", name, "--again")
            with open(os.path.join(self.folder, name, "manifest.json"), encoding="utf-8") as file:
                program, = json.load(file)["recipe"]["programs"]
            self.assertEqual(program, {"family": "autumn", "sha256": self.sha256, "text": TEXT})
        self.succeed("render", "whole", "--format", "trajectories", "-q")
        self.succeed("verify", "whole")

    def test_its_games_are_counted(self):
        self.assertRegex(self.succeed("tasks", self.task, "--program", self.file), r"\n\| published \| 1000 \| 1 \| ")
        rows = json.loads(self.succeed("seeds", "games", "--tasks", self.task, "--program", self.file, "-n", "50", "--json"))
        self.assertEqual([(row["task"], row["starts"], row["different"], row["evaluation"]) for row in rows], [(self.task.partition(":")[2], 50, 1, 0)])

    def test_missing_and_altered_programs(self):
        name = self.task + "#7"
        self.assertIn("name the file of this program with --program", self.refuse("show", name))
        self.assertIn("cannot read none.sexp", self.refuse("show", name, "--program", "none.sexp"))
        self.succeed("solve", name, "--agent", "random", "-q", "-o", "tapes.jsonl", "--program", self.file)
        self.assertIn("--program", self.refuse("verify", "tapes.jsonl"))
        self.write(self.file, TEXT.replace("red", "blue"))
        self.assertIn("was a file altered?", self.refuse("verify", "tapes.jsonl", "--program", self.file))

    def test_one_program_under_two_names(self):
        self.write("twin.sexp", TEXT)
        self.assertIn(f"mine.sexp and twin.sexp are the same program, {self.task}: give it once",
                      self.refuse("show", self.task + "#7", "--program", self.file, "--program", "twin.sexp"))

    def test_wrong_programs_are_told_with_their_place(self):
        self.write("wrong.sexp", "(program\n (= GRID_SIZE 3)\n (= a (")
        self.assertRegex(self.refuse("tasks", "--program", "wrong.sexp"), r"^seedbed: wrong.sexp: program:\d+:\d+: parse: ")

    def test_several_programs(self):
        self.write("other.sexp", TEXT.replace("red", "blue"))
        listed = self.succeed("tasks", "--family", "autumn", "--program", self.file, "--program", "other.sexp")
        self.assertEqual(listed.count("file-"), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
