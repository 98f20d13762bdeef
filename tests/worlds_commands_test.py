"""Every command takes a world: a table, command by command, of what goes in and what comes out.

    python3 tests/worlds_commands_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import subprocess
import unittest

from dataset_support import SEEDBED, InFolder, run, tapes_of

WORLD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "worlds", "crates.sexp")
GIVEN = ["--program", WORLD]
FEW = ["--tasks", WORLD, "-d", "easy", "-n", "3"]
FORMATS = ["steps", "trajectories", "chat", "npz", "next_frame", "values", "preference", "seedpack"]

# A line each: the command, with `{}` for the world's path, and what its output holds. Files are made by lines before.
TABLE = [
    ("tasks {}", "# Crates", "seedbed play autumn:Crates/easy#0 --program FILE", "a shortest play has 4 to 20 steps", "| hard | 7 x 7 | 250 |", "played by `expert`"),
    ("tasks --family autumn --json --program {}", '"name": "Crates"', '"category": "planning"'),
    ("show {}/easy#3", "Push every crate onto a mark.", "C Crate (peru)"),
    ("show {}/easy#3 --mode language", "Crate (peru): ("),
    ("show {}/easy#3 --mode structured", '{"type": "Crate", "told": {}, "cells": [['),
    ("show {}/easy#3 --look grid -o crates.png", ""),
    ("show {}/easy#3 --look grid --tile 24 -o larger.png", ""),
    ("solve {}/easy#3 --explain", "move the Crate from ", "  -> success"),
    ("solve --tasks {} -d easy,medium --seeds 1..3 --json", '"success": true'),
    ("seeds --tasks {} -d easy -n 3 --split mine --solvable --unique --digests -o pack.json", "pack.json: 3 seeds in 1 lists"),
    ("verify pack.json --program {}", "every hash right, every episode the one that it says"),
    ("certify {}/easy#1 {}/medium#2 -o certificates.jsonl", "2 solved, 0 impossible, 0 unknown"),
    ("verify certificates.jsonl --program {}", "2 tapes replayed"),
    ("eval --tasks {} -d easy,medium -n 2 -o result.json", "Crates   medium", "1.000"),
    ("eval --pack pack.json --program {} -a random", "Crates   easy"),
    ("verify result.json --program {}", "every one replayed as it says"),
    ("report result.json --program {} --html report.html", ""),
    ("report result.json --program {}", "medium       1.000", "Crates  easy         1.000"),
    ("log result.json --program {} -o transitions.jsonl", ""),
    ("replay result.json --program {} --json", '"success": true'),
    ("gallery --tasks {} -o gallery.html", ""),
    ("autumn check {} -q", ""),
    ("autumn run {} -d easy -x left", "step 1, left"),
    ("autumn plain {} -d easy", "(= GRID_SIZE 6)"),
]


class Commands(InFolder):
    def test_each_command_takes_a_world(self):
        for words, *expected in TABLE:
            with self.subTest(words):
                arguments = [word.replace("{}", WORLD) for word in words.split()]
                done = run(*arguments, cwd=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                for text in expected:
                    self.assertIn(text, done.stdout + done.stderr)

    def test_datasets_in_every_format_are_built_and_verified(self):
        for format in FORMATS:
            with self.subTest(format):
                folder = self.build(format, *FEW, "--split", "train", "-a", "expert", "-f", format)
                self.assertTrue(all(tape["success"] for tape in tapes_of(folder)))
                done = run("verify", folder, *GIVEN)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_recipe_that_holds_the_text_builds_the_same(self):
        first = self.build("first", *FEW, "--split", "train")
        with open(os.path.join(first, "manifest.json")) as file:
            manifest = json.load(file)
        self.assertEqual(manifest["recipe"]["oracle"], "observer", "who plays unless another is named")
        with open(self.path("recipe.json"), "w") as file:
            json.dump(manifest["recipe"], file)
        again = self.build("again", self.path("recipe.json"))
        with open(os.path.join(again, "manifest.json")) as file:
            self.assertEqual(json.load(file)["files"], manifest["files"])

    def test_a_world_that_is_only_given_leaves_no_trace_in_a_dataset(self):
        """Neither in one that is built, by hand or of tapes, nor in how one that is there is read."""
        few = ["--tasks", "KeyDoorPuzzle", "-d", "easy", "-n", "2", "--split", "train"]
        manifests = {}
        run("eval", *few, "-a", "random", "-o", "result.json", cwd=self.folder)
        for name, arguments in {"played": [*few, "-a", "expert"], "recorded": ["-a", "tape:result.json"]}.items():
            for given in ([], GIVEN):
                folder = self.build(f"{name}{len(given)}", *arguments, *given, cwd=self.folder)
                with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
                    manifests.setdefault(name, []).append(file.read())
                self.assertEqual(run("verify", folder, *GIVEN).returncode, 0)
        for without, given in manifests.values():
            self.assertNotIn('"programs"', without)
            self.assertEqual(without, given)

    def test_tapes_bring_the_worlds_that_they_are_of(self):
        run("eval", *FEW, "--split", "train", "-a", "expert", "-o", "result.json", cwd=self.folder)
        other = os.path.join(os.path.dirname(WORLD), "ice.sexp")
        folder = self.build("recorded", "-a", "tape:result.json", "--program", other, *GIVEN, cwd=self.folder)
        with open(os.path.join(folder, "manifest.json"), encoding="utf-8") as file:
            programs = json.load(file)["recipe"]["programs"]
        with open(WORLD, encoding="utf-8") as file:
            self.assertEqual([program["text"] for program in programs], [file.read()])
        self.assertEqual(run("verify", folder).returncode, 0)

    def test_reports_tell_nothing_of_tests_that_nobody_took(self):
        run("eval", *FEW, "-o", self.path("result.json"), "-q")
        self.assertNotIn("interaction steps", run("report", self.path("result.json"), *GIVEN).stdout)

    def test_a_program_plays_and_is_served(self):
        episodes = ["autumn:Crates/easy#1", "autumn:Crates/medium#1"]
        lines = [{"op": "reset", "name": name} for name in episodes] + [{"op": "step", "action": "left"}, {"op": "hint"}]
        done = subprocess.run([SEEDBED, "serve", "--stdio", *GIVEN], input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True,
                              text=True, timeout=60, check=True)
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([reply["ok"] for reply in replies], [True] * 4, replies)
        self.assertEqual(replies[3]["intent"]["verb"], "move")

    def test_what_is_made_of_another_text_is_refused(self):
        """Tapes, results and certificates hold the text's hash."""
        other, result = self.path("other.sexp"), self.path("result.json")
        with open(WORLD) as file, open(other, "w") as to:
            to.write(file.read() + "; another text\n")
        made = run("eval", *FEW, "-o", result, "-q")
        self.assertEqual(made.returncode, 0, made.stderr)
        for command in ("report", "verify", "log", "replay"):
            with self.subTest(command):
                self.refuse([command, result, "--program", other], 1, "Crates")

    def test_a_pack_with_digests_knows_its_world(self):
        """Where only a colour differs, the seeds are the same."""
        pack, other, result = self.path("pack.json"), self.path("other.sexp"), self.path("result.json")
        with open(WORLD, encoding="utf-8") as file, open(other, "w", encoding="utf-8") as to:
            to.write(file.read().replace("peru", "gold"))
        self.assertEqual(run("seeds", *FEW, "--split", "mine", "--digests", "-o", pack).returncode, 0)
        self.assertEqual(run("eval", "--pack", pack, *GIVEN, "-a", "random", "-q", "-o", self.path("right.json")).returncode, 0)
        self.assertEqual(run("verify", self.path("right.json"), "--pack", pack, *GIVEN).returncode, 0)
        for command in (["eval", "--pack", pack, "-a", "random", "-o", result], ["atlas", "--pack", pack, "-o", self.path("a.jsonl.gz")]):
            self.refuse([*command, "--program", other], 1, "Crates/easy#", "this installation generates another episode")
        self.assertEqual(run("eval", "--tasks", other, "-d", "easy", "-n", "3", "--split", "mine", "-a", "random", "-q", "-o", result).returncode, 0)
        self.refuse(["verify", result, "--program", other, "--pack", pack], 1, "pack.json", "another episode")

    def test_paths_that_name_nothing_are_refused(self):
        self.refuse(["show", self.path("none.sexp") + "/easy#1"], 1, "none.sexp")
        self.refuse(["show", WORLD + "/giant#1"], 2, "unknown difficulty", "easy, medium, hard")
        self.refuse(["solve", WORLD], 2, "#seed")
        twin = self.path("twin.sexp")
        with open(WORLD) as file, open(twin, "w") as to:
            to.write("; another text\n" + file.read())
        self.refuse(["show", WORLD + "/easy#1", twin + "/easy#1"], 2, "two programs are called `Crates`")


# The same for challenges that are derived from the world.
CHALLENGES = [
    ("challenges -o pack.jsonl --tasks {} --levels 1..2", "mfp-2: 3 of 3 derived"),
    ("verify pack.jsonl --program {}", "every certificate replayed"),
    ("challenges -o again.jsonl --tasks Crates/easy --program {} -k mfp --levels 2", "mfp-2: 1 of 1 derived"),
    ("tasks --program {} --family autumn", "Crates/easy ", "Crates/hard "),
    ("tasks Crates/easy --program {}", "# Crates/easy", "judged by a score", "`planning-1` to `planning-4`"),
    ("show {}/easy/mfp-2#1 --challenges pack.jsonl", "interaction: step 0 of 300"),
    ("solve {}/easy/planning-2#1 --challenges pack.jsonl --agent insider", "success"),
    ("certify {}/easy/planning-2#1 --challenges pack.jsonl", "solved in "),
    ("eval --pack pack.jsonl --program {} --agent insider -o tested.json", "Crates/hard   mfp-2", "1.0000"),
    ("verify tested.json --program {} --challenges pack.jsonl", "every one replayed as it says"),
    ("report tested.json --program {} --challenges pack.jsonl", "Crates/easy    planning-2    1.000"),
    ("questions pack.jsonl -o questions --program {}", "challenges written"),
    ("questions pack.jsonl -o published --form published --program {}", "challenges written"),
    ("build recipe.json --program {} --challenges pack.jsonl -o logs", "1 episode"),
    ("verify logs --challenges pack.jsonl --program {}", "every tape replayed"),
]


class Challenges(InFolder):
    def test_each_command_takes_them(self):
        with open(self.path("recipe.json"), "w") as file:
            json.dump({"names": ["autumn:Crates/easy/planning-2#1"], "oracle": "insider", "modes": "ascii", "evaluation": "keep"}, file)
        for words, *expected in CHALLENGES:
            with self.subTest(words):
                done = run(*[word.replace("{}", WORLD) for word in words.split()], cwd=self.folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                for text in expected:
                    self.assertIn(text, done.stdout + done.stderr)
        self.assertIn("Crates-hard_mfp_2_1.json", os.listdir(self.path("published")))

    def test_the_word_plain_stands_for_a_difficulty_without_a_name(self):
        with open(self.path("lonely.sexp"), "w") as file:
            file.write('(program (task "Lonely" (win (== (.. (.. dot origin) x) 3))) (= GRID_SIZE 4) (object Dot (Cell 0 0 "red"))'
                       ' (= dot (Dot (Position 0 0))) (on right (= dot (move dot (Position 1 0)))) (on left (= dot (move dot (Position -1 0)))))')
        done = run("tasks", "Lonely/plain", "--program", self.path("lonely.sexp"))
        self.assertIn("seedbed play autumn:Lonely/plain/mfp-1#0", done.stdout)

    def test_without_the_world_they_are_unknown(self):
        self.refuse(["show", "autumn:Crates/easy/mfp-2#1"], 2, "a world needs its file: name it with --program")


if __name__ == "__main__":
    unittest.main()
