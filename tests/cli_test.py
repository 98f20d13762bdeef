"""The command line as its users meet it: help, exit codes, messages, and what each command prints.

    python3 tests/cli_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import contextlib
import glob
import gzip
import hashlib
import json
import os
import pty
import re
import resource
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GOLDEN = os.path.join(ROOT, "tests", "golden")
RECORDINGS = [os.path.join(GOLDEN, name) for name in ("GoToGoal.jsonl.gz", "KeyDoorPuzzle.jsonl.gz")]
PUBLISHED_SHA256 = "42be70e4b02e3b45510592081ab1bb533720c75a41d688a637d34b25b2cecb63"
FOUND, USAGE = 1, 2

TWO_TASKS = ["--tasks", "GoToGoal,KeyDoorPuzzle"]  # where all of them would take too long

PICTURE = """\
# # # # # # # # # # # 
# . . # # # # # # # # 
# . . # # # # # # # # 
# Kg. # . . . # . . # 
# ^ . # . . . # . . # 
# . . Dg. . . # . . # 
# . . # . Kr. # . . # 
# . . # . . . Dr. G # 
# # # # # . . # # # # 
# # # # # . . # # # # 
# # # # # # # # # # # 
"""


def run(*arguments, program=SEEDBED, **options):
    options.setdefault("capture_output", True)
    return subprocess.run([program, *arguments], text=True, timeout=900, **options)


def run_on_terminal(*arguments, program=SEEDBED, stdout_too=False):
    """Runs with a terminal as standard error (and output); returns exit code, what a pipe got, what the terminal got."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen([program, *arguments], stdin=subprocess.DEVNULL, stderr=theirs,
                             stdout=theirs if stdout_too else subprocess.PIPE,
                             env=dict(os.environ, TERM="xterm-256color", NO_COLOR=""))
    os.close(theirs)
    got = {ours: b""}
    if not stdout_too:
        got[child.stdout.fileno()] = b""
    open_ones, until = set(got), time.monotonic() + 60
    while open_ones and time.monotonic() < until:
        for descriptor in select.select(list(open_ones), [], [], 1)[0]:
            try:
                piece = os.read(descriptor, 65536)
            except OSError:  # the terminal's other end is closed
                piece = b""
            got[descriptor] += piece
            if not piece:
                open_ones.discard(descriptor)
    code = child.wait(timeout=300)
    piped = "" if stdout_too else got[child.stdout.fileno()].decode()
    if child.stdout:
        child.stdout.close()
    os.close(ours)
    return code, piped, got[ours].decode()


def limit_file_size(n_bytes):
    """For full disks: writing past n_bytes fails."""
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))}


def write(path, content):
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def read(path):
    with open(path, "rb") as file:
        return file.read()


def recordings(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def succeed(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def derive(self, *arguments):
        """A pack's document, or what is said of its file; notes on tasks with few games are left out."""
        done = run("seeds", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\A(seedbed: note: some of these episodes are the same game.*\n)?\Z")
        return done.stdout

    def refuse(self, arguments, code, *words, **options):
        """Fails with this code and one line that holds the words; nothing appears in the folder."""
        before = sorted(os.listdir(self.folder))
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, code, f"exit code of {arguments}: {done.stderr}")
        self.assertRegex(done.stderr, r"\Aseedbed[^\n]*: [^\n]+\n\Z", "one line on standard error, and only one")
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before, "a refused call leaves no file")
        return done


def commands():
    return run("help", "--commands").stdout.split()


class Help(InFolder):
    def test_version_is_an_option_and_a_word(self):
        self.assertRegex(self.succeed("version"), r"^seedbed \d+\.\d+\.\d+\n$")
        self.assertEqual(self.succeed("version"), self.succeed("--version"))

    def test_overview_lists_the_commands_and_teaches_exit_codes(self):
        for spelling in (["--help"], ["-h"], ["help"], ["help", "help"]):
            said = self.succeed(*spelling)
            self.assertIn("usage: seedbed COMMAND", said)
            self.assertIn("exit codes: 0 fine, 1 a failure was found, 2 the call was wrong", said)
        groups = re.findall(r"^(\w+):\n((?:  .*\n)+)", said, re.M)
        self.assertEqual([name for name, _ in groups], ["look", "make", "prove", "measure", "connect"])
        self.assertEqual(sorted(line.split()[0] for _, lines in groups for line in lines.splitlines()), sorted(commands()))

    def test_every_command_has_usage_and_example_and_options(self):
        for command in commands():
            with self.subTest(command=command):
                said = self.succeed(command, "--help")
                self.assertEqual(said, self.succeed(command, "-h"))
                self.assertEqual(said, self.succeed("help", command))
                self.assertTrue(said.startswith(f"usage: seedbed {command} "), said[:60])
                self.assertRegex(said, rf"\n  .*\bseedbed {command}\b", "an example, indented")
                self.assertRegex(said, r"\noptions( of every command.*)?:\n")
                self.assertRegex(said, r"-h, --help")
                self.assertLessEqual(max(map(len, said.splitlines())), 120)

    def test_examples_of_the_overview_work(self):
        examples = re.findall(r"^  seedbed (\S+ .*)$", run("--help").stdout, re.M)
        self.assertEqual(len(examples), 3)
        for example in examples:
            words = example.replace("-o dataset", "-o " + self.path("dataset")).split()
            if "--watch" in words:
                words += ["--delay", "0"]
            if words[0] == "build":
                words += ["--tasks", "PreciseNavigation", "-d", "easy"]  # the full one takes a while
            with self.subTest(example=example):
                self.succeed(*words)

    def test_version_is_one_line(self):
        self.assertRegex(self.succeed("--version"), r"\Aseedbed \d+\.\d+\.\d+\n\Z")

    def test_without_a_command_the_overview_goes_to_standard_error(self):
        done = run()
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("usage: seedbed COMMAND", done.stderr)


class WrongCalls(InFolder):
    def test_a_count_of_nothing_is_refused(self):
        for command in ("eval", "seeds", "certify", "solve"):
            self.refuse([command, "--count", "0"], USAGE, "--count", "at least 1")

    def test_what_looks_like_a_program_is_pointed_to_exec(self):
        for agent in ("./bot", "bot.py", "python3 bot"):
            self.refuse(["eval", *TWO_TASKS, "--agent", agent], USAGE, "exec:COMMAND")

    def test_wrong_usage_is_exit_code_2_and_points_at_help(self):
        for arguments in (["nope"], ["gallery", "extra"], ["tasks", "--nope"], ["show"], ["solve", "--nope"],
                          ["build"], ["verify"], ["conform"], ["serve"], ["seeds", "extra"],
                          ["seeds", "--published", "--tasks", "GoToGoal"]):
            with self.subTest(arguments=arguments):
                self.refuse(arguments, USAGE, "--help`")

    def test_published_export_takes_no_selection_of_any_kind(self):
        for flag in (["--split", "eval"], ["--count", "3"], ["--category", "navigation"], ["--difficulty", "easy"],
                     ["--seeds", "1"], ["--family", "agentick"]):
            with self.subTest(flag=flag):
                self.refuse(["seeds", "--published", *flag], USAGE, "--published")

    def test_options_say_what_they_want(self):
        for arguments, words in ((["solve", "--jobs"], ["--jobs wants N"]),
                                 (["solve", "--jobs", "x"], ["--jobs", "whole number", "`x`"]),
                                 (["solve", "--jobs=-1"], ["--jobs", "whole number", "`-1`"]),
                                 (["solve", "-jx"], ["--jobs", "`x`"]),
                                 (["eval", "--count", "1.5"], ["--count", "`1.5`"]),
                                 (["eval", "--count", "18446744073709551616"], ["--count", "18446744073709551616"]),
                                 (["show", "GoToGoal/easy#1", "--color", "pink"], ["--color", "auto", "`pink`"]),
                                 (["show", "GoToGoal/easy#1", "--mode", "smell"], ["`smell`", "ascii", "language"])):
            with self.subTest(arguments=arguments):
                self.refuse(arguments, USAGE, *words)

    def test_every_option_with_a_number_refuses_what_is_none(self):
        whole, real = {"N", "S", "MS", "MIB", "STATES", "1..9"}, {"P", "X"}
        found = set()
        for command in commands():
            for option, argument in re.findall(r"(--[a-z-]+) (\S+)  ", run(command, "--help-all").stdout.split("\noptions", 1)[1]):
                wrong = ["x", "", "1x"] + ["-1", "1.5", " 1"] * (argument in whole) + ["nan", "inf"] * (argument in real)
                for value in wrong if argument in whole | real else []:
                    found.add(option)
                    with self.subTest(command=command, option=option, value=value):
                        self.refuse([command, option, value], USAGE, f"{option} wants a {'whole ' * (argument in whole)}number",
                                    f"not `{value}`")
        self.assertLessEqual({"--jobs", "--count", "--epsilon", "--min-return", "--min-steps", "--budget", "--timeout"}, found)

    def test_numbers_out_of_range_are_refused_with_the_range(self):
        for arguments, words in ((["certify", "--budget", "0"], "--budget wants a whole number from 1 to 67108864, not `0`"),
                                 (["serve", "--envs", "4097"], "--envs wants a whole number from 1 to 4096, not `4097`"),
                                 (["eval", "--agent-log-mib", "1048577"], "from 0 to 1048576"),
                                 (["eval", "--start-seconds", "0"], "--start-seconds wants a whole number of at least 1, not `0`"),
                                 (["build", "--count", "9" * 20], "--count wants a whole number from 1 to 18446744073709551615"),
                                 (["build", "--level", "10"], "--level wants a whole number from 1 to 9, not `10`")):
            with self.subTest(arguments=arguments):
                self.refuse(arguments, USAGE, words)

    def test_what_was_meant_is_suggested(self):
        for arguments, words in ((["shwo", "x"], "no command `shwo`: did you mean `show`? `seedbed --help` lists"),
                                 (["help", "slove"], "did you mean `solve`?"), (["--hlp"], "`seedbed --help` lists them"),
                                 (["hlep"], "did you mean `help`?"), (["solve", "--taks", "x"], "did you mean --tasks?"),
                                 (["solve", "--task=x"], "no option --task=x: did you mean --tasks? `seedbed solve --help` lists"),
                                 (["show", "--hepl"], "did you mean --help?")):
            with self.subTest(arguments=arguments):
                self.refuse(arguments, USAGE, words)
        for arguments in (["frobnicate"], ["x"], ["show", "--frobnicate"], ["show", "-x"], ["show", "--" + "x" * 300]):
            with self.subTest(arguments=arguments):
                self.assertNotIn("did you mean", self.refuse(arguments, USAGE, "--help`").stderr)

    def test_behind_two_dashes_there_are_no_options(self):
        self.assertEqual(self.succeed("show", "--", "GoToGoal/easy#1"), self.succeed("show", "GoToGoal/easy#1"))
        self.refuse(["show", "--", "--json"], USAGE, "`--json` is not an episode name")

    def test_words_that_an_option_does_not_know_are_refused_by_every_command(self):
        for command in commands():
            self.refuse([command, "--color", "pink"], USAGE, "--color is auto, always or never, not `pink`")
        for option, words in (("evaluation", "drop or keep"), ("duplicates", "keep or drop"), ("mask", "sound or published")):
            self.refuse(["build", "-o", self.path("d"), f"--{option}=x"], USAGE, f"--{option} is {words}, not `x`")
        self.refuse(["build", "-o", self.path("d"), "--reward=x"], USAGE, "`reward` should be sparse, dense or progress, not `x`")

    def test_options_that_do_not_go_together_are_refused(self):
        episode = "GoToGoal/easy#1"
        for arguments, words in ((["solve", episode, "--json", "--watch"], "choose one"),
                                 (["solve", episode, "-o", "-", "--explain"], "choose one"),
                                 (["certify", episode, "-o", "-"], "-o wants a file"),
                                 (["play", episode, "-o", "-"], "keep the tape in a file"),
                                 (["eval", episode, "--max-steps", "3"], "are for programs"),
                                 (["eval", episode, "--agent", "random", "--fresh"], "are for programs"),
                                 (["eval", episode, "--reply-seconds", "0"], "--reply-seconds wants a whole number of at least 1, not `0`"),
                                 (["eval", episode, "--name", ""], "--name is empty"),
                                 (["report", "x", "--json", "--markdown"], "four things to print"),
                                 (["report", "x", "--json", "--html", "-"], "four things to print"),
                                 (["build", "--dry-run", "--shard", "1/2"], "leave out --shard"),
                                 (["solve", episode, "--tile", "4"], "--no-highlight are for --watch and --film"),
                                 (["solve", episode, "--no-panel"], "--no-highlight are for --watch and --film"),
                                 (["solve", episode, "--pictures", "blocks", "--film", self.path("f.gif")], "--mode and --pictures are for --watch"),
                                 (["solve", episode, "--delay", "150"], "--delay is for --watch and --film"),
                                 (["replay", "x", "--size", "99"], "--no-highlight are for --watch, --step and --film"),
                                 (["replay", "x", "--step", "--delay", "0"], "--delay is for --watch and --film"),
                                 (["replay", "x", "--pictures", "blocks", "--json"], "--mode and --pictures are for --watch and --step"),
                                 (["report", "x", "--size", "99"], "--look and --size are for --html"),
                                 (["seeds", "--budget", "9"], "--budget is for --solvable"),
                                 (["seeds", "games", "--budget", "9"], "games wants a selection and nothing else"),
                                 (["seeds", "diff", "a", "b", "--budget", "9"], "diff wants two packs and nothing else"),
                                 (["seeds", "game"], "say nothing, games, or diff A B"),
                                 (["autumn", "plain", "x", "--seed", "2"], "--seed is for check, run, not for plain"),
                                 (["autumn", "plain", "x", "--generator", "published"], "--generator is for check, run, not for plain")):
            with self.subTest(arguments=arguments):
                self.refuse(arguments, USAGE, words)

    def test_what_0_workers_are_is_said_alike_by_help_and_error(self):
        zero = "workers (default, or 0: one per processor)"
        for command in commands():
            self.assertIn(zero, self.succeed(command, "--help-all"))
            self.refuse([command, "-j", "two"], USAGE, "--jobs wants a whole number, not `two`: " + zero)
        self.assertEqual(*(self.succeed("eval", "GoToGoal/easy#1", "-j", jobs) for jobs in ("0", "2")))
        self.refuse(["eval", "--max-lost", "x"], USAGE, "0: never")

    def test_lists_and_outputs_with_two_values_are_refused(self):
        self.refuse(["eval", "--tasks", "GoToGoal", "--tasks", "TagHunt"], USAGE, "--tasks is given twice, with GoToGoal and with TagHunt",
                    "commas between the items")
        self.refuse(["build", "-f", "npz", "--format=values"], USAGE, "--format is given twice, with npz and with values")
        self.refuse(["report", "r.json", "--html", "a", "--html", "b"], USAGE, "--html is given twice, with a and with b: say it once\n")
        self.assertEqual(run("tasks", "--family", "arc", "--family", "agentick").returncode, 0, "of others the last one counts")
        self.assertEqual(run("tasks", "--family", "agentick", "--family", "agentick").returncode, 0)

    def test_what_is_read_is_not_written_over(self):
        """In whatever way it is named."""
        few = ["--tasks", "GoToGoal", "-d", "easy", "-n", "2"]
        for world in ("crates.sexp", "a,b.sexp"):
            shutil.copy(os.path.join(ROOT, "examples", "worlds", "crates.sexp"), self.path(world))
        for arguments in (["eval", *few, "-a", "random", "-o", "result.json"], ["solve", "-a", "random", "GoToGoal/easy#1", "-o", "tapes.jsonl"],
                          ["seeds", *few, "--split", "mine", "-o", "pack.json"], ["merge", "result.json", "-o", "other.json"]):
            run(*arguments, "-q", cwd=self.folder)
        os.symlink("result.json", self.path("link.json"))
        with open(self.path("names.txt"), "w", encoding="utf-8") as file:
            file.write("GoToGoal/easy#1\n")
        kept = {name: read(self.path(name)) for name in os.listdir(self.folder)}
        for name, arguments in (("result.json", ["report", "result.json", "--html"]), ("link.json", ["report", "result.json", "--html"]),
                                ("./result.json", ["report", "result.json", "--scorecard"]), ("pack.json", ["eval", "--pack", "pack.json", "-o"]),
                                ("tapes.jsonl", ["eval", "-a", "tape:tapes.jsonl", "-o"]), ("tapes.jsonl", ["log", "tapes.jsonl", "-o"]),
                                ("names.txt", ["solve", "--names-from", "names.txt", "-o"]), ("result.json", ["merge", "result.json", "other.json", "-o"]),
                                ("crates.sexp", ["eval", "--tasks", "GoToGoal,crates.sexp", "-o"]), ("crates.sexp", ["solve", "crates.sexp/easy#1", "-o"]),
                                ("a,b.sexp", ["solve", "a,b.sexp/easy#1", "-o"]),
                                ("crates.sexp", ["solve", "GoToGoal/easy#1", "--program", "crates.sexp", "-o"])):
            with self.subTest(arguments):
                self.refuse([*arguments, name], USAGE, f"names {name}, which is read: choose another path", cwd=self.folder)
        self.assertEqual({name: read(self.path(name)) for name in os.listdir(self.folder)}, kept)

    def test_outputs_have_paths_of_their_own(self):
        self.refuse(["solve", "GoToGoal/easy#1", "-o", "x", "--log", "x"], USAGE, "--output and --log both name x", cwd=self.folder)
        for command in (["solve", "GoToGoal/easy#1", "-o", ""], ["eval", "--tasks", "GoToGoal", "-o", ""], ["report", "r.json", "--html", ""]):
            self.refuse(command, USAGE, "wants a path, not an empty text", cwd=self.folder)
        self.assertEqual(os.listdir(self.folder), [])

    def test_a_flag_takes_no_value(self):
        self.refuse(["tasks", "--json=false"], USAGE, "--json")

    def test_unknown_task_is_named_and_help_is_offered(self):
        self.refuse(["show", "NoSuchTask-v0/easy#1"], USAGE, "unknown task `NoSuchTask-v0`", "`seedbed tasks` lists them")
        self.refuse(["show", "KeyDorPuzzle/easy#1"], USAGE, "did you mean KeyDoorPuzzle-v0?")
        self.refuse(["solve", "--tasks", "GoToGoal,Nope"], USAGE, "tasks: unknown task `Nope`")
        self.refuse(["eval", "--category", "cooking"], USAGE, "category `cooking`", "`seedbed tasks`")
        self.refuse(["build", "--tasks", "Nope", "-o", self.path("d")], USAGE, "unknown task `Nope`")
        self.refuse(["show", "nofamily:Thing#1"], USAGE, "unknown family `nofamily`", "agentick")

    def test_unknown_difficulty_is_named_and_the_others_are_listed(self):
        listed = "easy, medium, hard, expert"
        self.refuse(["show", "GoToGoal-v0/hardest#1"], USAGE, "unknown difficulty `hardest`", listed)
        self.refuse(["show", "GoToGoal-v0#1"], USAGE, "difficulty is missing", listed)
        self.refuse(["solve", "-d", "easy,hardest"], USAGE, "difficulty: unknown difficulty `hardest`", listed)
        self.refuse(["build", "-d", "hardest", "-o", self.path("d")], USAGE, "unknown difficulty `hardest`")

    def test_seed_out_of_range_is_refused(self):
        for seed in ("18446744073709551616", "-1", "forty-two", "", "1e3", " 1", "0x10", "99999999999999999999999"):
            with self.subTest(seed=seed):
                self.refuse(["show", "GoToGoal-v0/easy#" + seed], USAGE, f"#{seed}`", "0 to 2^64-1")
                self.refuse(["solve", "--seeds", "0,1," + seed], USAGE, f"`{seed}`", "0 to 2^64-1")
        self.refuse(["solve", "--seeds", "9..3"], USAGE, "`9..3`", "range")
        self.assertIn("#18446744073709551615", self.succeed("show", "GoToGoal-v0/easy#18446744073709551615"))

    def test_selection_that_is_far_too_large_is_refused_by_its_limit(self):
        self.refuse(["solve", "--seeds", "0..18446744073709551615"], USAGE, "10000000")
        self.refuse(["eval", "--count", "26"], USAGE, "25")
        self.refuse(["eval", "--split", "mine"], USAGE, "count")

    def test_contradicting_selections_are_refused(self):
        self.refuse(["solve", "GoToGoal/easy#1", "--tasks", "GoToGoal"], USAGE, "either")
        self.refuse(["solve", "--seeds", "1", "--count", "3"], USAGE, "either")
        recipe = write(self.path("r.json"), '{"tasks": "PreciseNavigation", "difficulty": "easy", "count": 1}')
        self.refuse(["build", "--recipe", recipe, "--tasks", "KeyDoorPuzzle", "-o", self.path("d")], USAGE, "recipe")

    def test_unknown_agent_is_named_and_the_others_are_listed(self):
        for arguments in (["eval", *TWO_TASKS, "-n", "1"], ["solve", *TWO_TASKS, "-n", "1", "-o", self.path("t")],
                          ["build", *TWO_TASKS, "-n", "1", "-o", self.path("d")]):
            with self.subTest(arguments=arguments):
                self.refuse([*arguments, "--agent", "nobody"], USAGE, "`nobody`", "expert, clairvoyant, random")

    def test_message_is_one_line_whatever_the_input_holds(self):
        for text in ("No\nSuch/easy#1", "\x1b[31mRed/easy#1", "A" * 5000, "No\rSuch/easy#1"):
            with self.subTest(text=text[:20]):
                done = self.refuse(["show", text], USAGE)
                self.assertNotRegex(done.stderr[:-1], r"[\x00-\x1f\x7f]")
        tapes = write(self.path("t.jsonl"), '{"tape": 1, "name": "x\\ny"}\n')
        self.refuse(["verify", tapes], FOUND, "t.jsonl", "line 1")


class CutShort(InFolder):
    def test_files_that_are_cut_short_are_named_once(self):
        easy = ["--tasks", "GoToGoal", "-d", "easy"]
        for name, arguments in (("pack.json", ["seeds", *easy, "-n", "2", "--split", "mine"]), ("result.json", ["eval", *easy]), ("tapes.jsonl", ["solve", *easy, "--seeds", "0..2"]),
                                ("atlas.jsonl", ["atlas", *easy, "-n", "2"]), ("certificates.jsonl", ["certify", *easy, "-n", "2"])):
            self.succeed(*arguments, "-q", "-o", self.path(name + ".gz"))
            whole = read(self.path(name + ".gz"))
            write(self.path(name + ".gz"), (whole if whole[:2] == b"\x1f\x8b" else gzip.compress(whole))[:-6])
        for arguments in (["verify", "pack.json.gz"], ["eval", "--pack", "pack.json.gz", "-o", "-"], ["verify", "result.json.gz"], ["report", "result.json.gz"],
                          ["merge", "result.json.gz", "-o", "whole.json"], ["verify", "tapes.jsonl.gz"], ["eval", *easy, "--agent", "tape:tapes.jsonl.gz", "-o", "-"],
                          ["log", "tapes.jsonl.gz", "-o", "log"], ["exploration", "tapes.jsonl.gz"], ["verify", "atlas.jsonl.gz"],
                          ["atlas", *easy, "--atlas", "atlas.jsonl.gz", "--where", "steps > 1"], ["verify", "certificates.jsonl.gz"]):
            with self.subTest(arguments):
                done = run(*arguments, cwd=self.folder)
                (name,) = (word for word in " ".join(arguments).replace("tape:", "").split() if word.endswith(".gz"))
                self.assertNotEqual(done.returncode, 0)
                self.assertEqual(done.stderr.count(name), 1, done.stderr)
                self.assertNotIn("<fd", done.stderr)


class BadPlaces(InFolder):
    def places(self):
        """Paths that nothing can be written to, whoever we are."""
        yield self.path("missing/output"), "missing/output"
        yield os.path.join(write(self.path("file"), "x"), "output"), "file/output"
        if os.geteuid() != 0:
            os.mkdir(self.path("locked"), 0o555)
            yield self.path("locked/output"), "locked/output"

    def test_unwritable_folder_is_named(self):
        for place, name in self.places():
            with self.subTest(place=name):
                self.refuse(["seeds", "-n", "1", "-o", place], FOUND, "cannot write", name)
                self.refuse(["solve", *TWO_TASKS, "-n", "1", "-o", place], FOUND, "cannot write", name)
        self.refuse(["build", *TWO_TASKS, "-n", "1", "-o", self.path("file/dataset")], FOUND, "cannot make folder", "file/dataset")
        self.refuse(["build", *TWO_TASKS, "-n", "1", "-o", self.path("file")], FOUND, "cannot make folder", "in the way")

    def test_what_cannot_be_kept_is_not_begun(self):
        for place, name in self.places():
            with self.subTest(place=name):
                done = self.refuse(["play", "GoToGoal/easy#1", "-o", place], FOUND, "cannot write", name, input="q")
                self.assertEqual(done.stdout, "", "no picture")
                self.refuse(["baseline", "-o", place], FOUND, "cannot write", name)

    def test_an_output_that_is_a_folder_is_refused(self):
        os.mkdir(self.path("folder"))
        self.refuse(["seeds", "-n", "1", "-o", self.path("folder")], FOUND, "folder", "directory")
        self.refuse(["solve", *TWO_TASKS, "-n", "1", "-o", self.path("folder")], FOUND, "folder", "directory")

    def test_a_device_or_pipe_is_never_replaced_by_a_file(self):
        # As root, `-o /dev/null` would otherwise take /dev/null away from everybody.
        fifo = self.path("fifo")
        os.mkfifo(fifo)
        reader = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        for command in (["seeds", "-n", "1"], ["solve", *TWO_TASKS, "-n", "1"]):
            with self.subTest(command=command):
                run(*command, "-o", fifo)
                self.assertTrue(stat.S_ISFIFO(os.stat(fifo).st_mode), "the pipe has become a file")
                self.assertEqual(os.listdir(self.folder), ["fifo"])

    def test_full_disk_leaves_nothing_and_is_named(self):
        for arguments in (["seeds", "--published"], ["seeds"], ["solve", *TWO_TASKS]):
            with self.subTest(arguments=arguments):
                self.refuse([*arguments, "-o", self.path("output")], FOUND, "cannot write", "output", "too large",
                            **limit_file_size(2000))

    def test_full_disk_keeps_what_was_there_before(self):
        there = write(self.path("pack.json"), "precious")
        self.refuse(["seeds", "-o", there], FOUND, "cannot write", **limit_file_size(2000))
        self.assertEqual(read(there), b"precious")

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no /dev/full")
    def test_standard_output_that_cannot_be_written_is_exit_code_1_and_a_message(self):
        pack, tapes = self.path("pack.json"), self.path("tapes.jsonl")
        self.succeed("seeds", "-n", "1", "-q", "-o", pack)
        self.succeed("solve", "--tasks", "GoToGoal", "-n", "1", "-q", "-o", tapes)
        self.succeed("build", *TWO_TASKS, "-n", "1", "-q", "-o", self.path("dataset"))
        for arguments in (["tasks"], ["tasks", "--json"], ["show", "GoToGoal/easy#1"], ["solve", "GoToGoal/easy#1"],
                          ["solve", "GoToGoal/easy#1", "--json"], ["solve", "GoToGoal/easy#1", "--watch", "--delay", "0"],
                          ["solve", *TWO_TASKS, "-n", "4"], ["solve", *TWO_TASKS, "-n", "4", "--json"], ["solve", *TWO_TASKS, "-n", "1", "-o", tapes], ["eval", *TWO_TASKS, "-n", "1"],
                          ["eval", *TWO_TASKS, "-n", "1", "--json"], ["seeds"], ["seeds", "--published"],
                          ["seeds", "-n", "1", "-o", pack], ["conform", RECORDINGS[0]],
                          ["conform", "--json", RECORDINGS[0]], ["verify", pack], ["verify", "--json", pack],
                          ["verify", tapes], ["verify", self.path("dataset")],
                          ["build", *TWO_TASKS, "-n", "1", "--force", "-o", self.path("dataset")],
                          ["build", *TWO_TASKS, "-n", "1", "--force", "--json", "-o", self.path("dataset")],
                          ["--help"], ["--version"], ["tasks", "--help"]):
            with self.subTest(arguments=arguments), open("/dev/full", "w") as full:
                self.refuse(arguments, FOUND, "cannot write", "No space left", capture_output=False, stdout=full,
                            stderr=subprocess.PIPE)


class BadFiles(InFolder):
    def tapes(self):
        return self.succeed("solve", "--tasks", "KeyDoorPuzzle", "-d", "easy", "-n", "3", "--json").encode()

    def pack(self):
        return self.derive("--tasks", "PreciseNavigation", "-n", "5").encode()

    def test_missing_file_is_named(self):
        for command in ("verify", "conform"):
            self.refuse([command, self.path("nowhere")], FOUND, "cannot read", "nowhere", "No such file")
        for option in (["--sample", "100"], ["--again"], ["--pack", "x"], ["--baseline", "x"], ["--certificates", "x"]):
            self.refuse(["verify", self.path("nowhere"), *option], FOUND, "cannot read", "nowhere", "No such file")

    def test_folder_without_manifest_is_no_dataset(self):
        os.mkdir(self.path("empty"))
        self.refuse(["verify", self.path("empty")], FOUND, "empty is no dataset: there is no manifest.json")

    def test_truncated_files_are_named(self):
        for name, content in (("tapes.jsonl", self.tapes()), ("pack.json", self.pack())):
            packed = gzip.compress(content, mtime=0)
            for kind, damaged in (("text", content[: len(content) * 2 // 3]), ("gzip", packed[: len(packed) * 2 // 3]),
                                  ("trailer of gzip", packed[:-4]), ("everything", b"")):
                with self.subTest(file=name, truncated=kind):
                    self.refuse(["verify", write(self.path("damaged-" + name), damaged)], FOUND, "damaged-" + name)
        content = read(RECORDINGS[0])
        for size in (len(content) - 4, len(content) // 2, 30):
            with self.subTest(file="recording", size=size):
                self.refuse(["conform", write(self.path("cut.jsonl.gz"), content[:size])], FOUND, "cut.jsonl.gz")

    def test_altered_gzip_streams_are_named(self):
        for name, content, command in (("t.gz", self.tapes(), "verify"), ("p.gz", self.pack(), "verify"),
                                       ("r.gz", gzip.decompress(read(RECORDINGS[0]))[:200000], "conform")):
            packed = bytearray(gzip.compress(content, mtime=0))
            for at in (0, len(packed) // 3, len(packed) // 2, len(packed) - 6):
                damaged = packed.copy()
                damaged[at] ^= 0x10
                with self.subTest(file=name, at=at):
                    self.refuse([command, write(self.path(name), bytes(damaged))], FOUND, name)

    def test_a_broken_file_is_named_however_long_its_path_is(self):
        deep = self.path("/".join([40 * "d"] * 5))
        os.makedirs(deep)
        broken, folder = write(os.path.join(deep, "broken.json"), "{"), os.path.join(deep, "folder")
        os.mkdir(folder)
        write(os.path.join(folder, "manifest.json"), "{")
        program = write(os.path.join(deep, "broken.sexp"), "(")
        agent = ["eval", "GoToGoal/easy#1"]
        for word, calls in (
                ("broken.json", (["verify", broken], ["conform", broken], ["replay", broken], ["log", broken], ["report", broken], ["merge", broken, broken, "-o", self.path("m")],
                                 [*agent, "--baseline", broken], ["eval", "--pack", broken], ["build", "--recipe", broken, "-o", self.path("d")],
                                 ["build", "--agent", "tapes:" + broken, "-o", self.path("d")], [*agent, "--certificates", broken])),
                ("folder", (["verify", folder], ["report", folder], ["merge", folder, folder, "-o", self.path("m")])),
                ("broken.sexp", (["show", "autumn:broken/planning#1", "--program", program], ["tasks", "--program", program]))):
            for call in calls:
                with self.subTest(call[:2]):
                    done = run(*call)
                    self.assertIn(done.returncode, (FOUND, USAGE))
                    self.assertIn(word, done.stderr)

    def test_wrong_json_is_named_with_its_place(self):
        for content in (b"hello\n", b"[1, 2", b"{} {}", b"\x00\x01\x02", b"\xff\xfe{}", b'{"tape": 1,}\n', b"[" * 5000,
                        b"null", b"12", b'"text"', b"[]", b"{}"):
            with self.subTest(content=content[:20]):
                self.refuse(["verify", write(self.path("wrong.json"), content)], FOUND, "wrong.json")
                self.refuse(["conform", write(self.path("wrong.jsonl"), content)], FOUND, "wrong.jsonl", "line 1")
        self.refuse(["verify", write(self.path("w"), b'{"a": 1,\n "b": ]}')], FOUND, "line 2, column 7")

    def test_wrong_recipes_are_named_with_their_key(self):
        for content, word in (('{"tasks": 3}', "`tasks`"), ('{"task": "GoToGoal"}', "`task`"), ("[]", "object"),
                              ('{"count": -1}', "`count`"), ('{"reward": "none"}', "`reward`"), ("{", "JSON"),
                              ('{"names": []}', "`names`"), ('{"level": 10}', "level"),
                              ('{"shard_episodes": 5}', "shard_episodes"), ('{"agent": "nobody"}', "nobody"),
                              ('{"tasks": "A", "tasks": "B"}', "`tasks` is repeated")):
            with self.subTest(recipe=content):
                recipe = write(self.path("recipe.json"), content)
                self.refuse(["build", "--recipe", recipe, "-o", self.path("dataset")], USAGE, word)

    def test_tapes_of_another_version_are_refused(self):
        good = self.tapes()
        for old, new, words in ((b'"tape": 1', b'"tape": 2', ["format 2", "reads format 1"]),
                                (b'"agentick 1"', b'"agentick 99"', ["agentick 99", "this program has the rules `agentick 1`", "easy#"])):
            with self.subTest(altered=new):
                self.refuse(["verify", write(self.path("t.jsonl"), good.replace(old, new))], FOUND, "t.jsonl", "line 1",
                            *words)

    def test_packs_of_another_version_are_refused(self):
        for old, new, words in ((b'"version": 1', b'"version": 4', ["version 4", "reads versions 1 to 3"]),
                                (b'"seedbed-pack"', b'"other-pack"', ["other-pack", "seedbed-pack"])):
            with self.subTest(altered=new):
                self.refuse(["verify", write(self.path("p.json"), self.pack().replace(old, new))], FOUND, "p.json", *words)

    def test_manifests_of_another_version_are_refused(self):
        self.succeed("build", *TWO_TASKS, "-n", "1", "-q", "-o", self.path("dataset"))
        manifest = self.path("dataset/manifest.json")
        good = read(manifest)
        for old, new, words in ((b'"version": 4', b'"version": 3', ["version 3", "reads version 4"]),
                                (b'"agentick 1"', b'"agentick 99"', ["agentick 99", "this program has the rules `agentick 1`"]),
                                (b'"seedbed-dataset"', b'"other-dataset"', ["other-dataset"])):
            with self.subTest(altered=new):
                self.assertIn(old, good)
                body = good.replace(old, new)[:good.replace(old, new).rindex(b',\n "sha256"')]
                write(manifest, body + b',\n "sha256": "%s"}\n' % hashlib.sha256(body).hexdigest().encode())
                self.refuse(["verify", self.path("dataset")], FOUND, "dataset", *words)

    def test_every_thing_is_verified_even_after_a_bad_one(self):
        bad, good = write(self.path("bad"), "x"), write(self.path("good"), self.pack())
        done = run("verify", bad, good)
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("good: pack of 20 seeds", done.stdout)


class Tasks(InFolder):
    def test_table_names_tasks_difficulties_and_oracles(self):
        said = self.succeed("tasks")
        self.assertIn("difficulties: easy medium hard expert\n", said)
        self.assertRegex(said, r"\nKeyDoorPuzzle-v0 +planning +observer expert clairvoyant +\S")

    def test_json_has_families_with_tasks(self):
        families = json.loads(self.succeed("tasks", "--json"))
        self.assertEqual([family["family"] for family in families], ["agentick", "babyai", "autumn", "arc"])
        self.assertEqual(list(families[0]), ["family", "rules", "variants", "modes", "looks", "tasks"])
        self.assertEqual(families[0]["variants"], ["easy", "medium", "hard", "expert"])
        self.assertEqual([list(look) for look in families[0]["looks"]], [["name", "version", "summary", "privileged"]] * 2)
        for task in families[0]["tasks"]:
            self.assertEqual(list(task), ["name", "category", "summary", "judged_by", "skills", "oracles", "levels"])
            self.assertIn("expert", task["oracles"])
            self.assertEqual([level["difficulty"] for level in task["levels"]], families[0]["variants"])
            self.assertTrue(all(min(level["max_steps"], level["width"], level["height"]) > 0 for level in task["levels"]))


    def test_one_family_alone(self):
        for family in ("agentick", "babyai"):
            listed = json.loads(self.succeed("tasks", "--family", family, "--json"))
            self.assertEqual([item["family"] for item in listed], [family])
            self.assertEqual(len(re.findall(r"^family ", self.succeed("tasks", "--family", family), re.M)), 1)
        self.refuse(["tasks", "--family", "maze"], USAGE, "known families: agentick, babyai")


class Certify(InFolder):
    def test_solved_episodes_come_with_their_steps(self):
        said = self.succeed("certify", "KeyDoorPuzzle/easy#42", "GoToGoal/easy#1")
        self.assertRegex(said, r"KeyDoorPuzzle-v0/easy#42 +solved in [0-9]+ steps \(expert\)\n")
        self.assertIn("2 solved, 0 impossible, 0 unknown\n", said)

    def test_json_is_a_line_an_episode(self):
        rows = [json.loads(line) for line in self.succeed("certify", "--json", "-t", "GoToGoal", "--seeds", "0..2").splitlines()]
        self.assertEqual(len(rows), 12)
        for row in rows:
            self.assertEqual(list(row), ["episode", "verdict", "method", "tape"])
            self.assertEqual((row["verdict"], row["tape"]["name"]), ("solved", row["episode"]))

    def test_impossible_episodes_come_with_two_proofs(self):
        said = self.succeed("certify", "PreciseNavigation/expert#31490929", "SokobanPush/hard#630501482")
        self.assertRegex(said, r"#31490929 +impossible \(expert, [0-9]+ states; exhausted, [0-9]+ states\)\n")
        self.assertRegex(said, r"#630501482 +impossible \(bound, 0 states; relaxed, [0-9]+ states\)\n")
        self.assertIn("0 solved, 2 impossible, 0 unknown\n", said)

    def test_a_budget_that_does_not_suffice_for_a_second_proof_leaves_the_first(self):
        row = json.loads(self.succeed("certify", "--json", "--budget", "10", "SwitchCircuit/easy#791442774"))
        self.assertEqual(list(row), ["episode", "verdict", "method", "states"])
        self.assertEqual((row["verdict"], row["method"]), ("impossible", "expert"))

    def test_json_counts_where_a_file_holds_the_rest(self):
        said = self.succeed("certify", "--json", "-t", "GoToGoal", "--seeds", "0..2", "-o", self.path("c.jsonl.gz"))
        self.assertEqual(json.loads(said), {"solved": 12, "impossible": 0, "unknown": 0})

    def test_an_absurd_budget_is_a_usage_error(self):
        for budget in ("0", "99999999999"):
            done = run("certify", "--budget", budget, "GoToGoal/easy#1")
            self.assertEqual(done.returncode, USAGE)
            self.assertIn("--budget", done.stderr)


class Show(InFolder):
    def test_picture_of_the_paper(self):
        said = self.succeed("show", "KeyDoorPuzzle-v0/medium#42")
        first, picture = said.split("\n", 1)
        self.assertTrue(first.startswith("KeyDoorPuzzle-v0/medium#42: "))
        self.assertTrue(picture.startswith(PICTURE))

    def test_picture_of_the_paper_as_data(self):
        said = json.loads(self.succeed("show", "KeyDoorPuzzle-v0/medium#42", "--json", "--mode", "structured"))
        seen = said["observation"]
        things = {(thing["type"], *thing["position"]) for thing in seen["visible_entities"]}
        self.assertEqual((seen["position"], seen["orientation"]), ({"x": 1, "y": 4}, "north"))
        self.assertEqual(things, {("key", 1, 3), ("key", 5, 6), ("door", 3, 5), ("door", 7, 7), ("goal", 9, 7)})

    def test_json_of_every_mode_parses(self):
        modes = json.loads(self.succeed("tasks", "--json"))[0]["modes"]
        for mode in [*modes, "state_dict", "language_structured"]:
            with self.subTest(mode=mode):
                said = json.loads(self.succeed("show", "GoToGoal-v0/hard#3", "--json", "--mode", mode))
                self.assertEqual(list(said), ["name", "max_steps", "mode", "observation"])
                self.assertEqual((said["name"], said["max_steps"]), ("GoToGoal-v0/hard#3", 100))

    def test_names_may_leave_out_the_version_and_print_canonically(self):
        self.assertEqual(self.succeed("show", "GoToGoal/easy#7"), self.succeed("show", "agentick:GoToGoal-v0/easy#7"))

    def test_tasks_and_difficulties_may_be_in_any_case_and_print_canonically(self):
        for name in ("GoToGoal/EASY#7", "GoToGoal/Easy#7", "gotogoal/easy#7", "gotogoal-V0/easy#7"):
            self.assertEqual(self.succeed("show", name), self.succeed("show", "GoToGoal/easy#7"))
        self.assertIn('"name": "GoToGoal-v0/easy#7"', self.succeed("solve", "GoToGoal/eAsY#7", "--json"))
        self.assertEqual(self.derive(*TWO_TASKS, "-d", "Easy,HARD"), self.derive(*TWO_TASKS, "-d", "easy,hard"))

    def test_a_document_goes_into_a_pipe_alone_and_onto_a_terminal_with_its_name(self):
        name = "KeyDoorPuzzle-v0/medium#42"
        for mode in ("state", "structured"):
            json.loads(self.succeed("show", name, "--mode", mode))
        code, _, said = run_on_terminal("show", name, "--mode", "state", stdout_too=True)
        self.assertEqual((code, said.startswith(name)), (0, True))

    def test_several_episodes_are_shown_one_after_another(self):
        one, other = "GoToGoal-v0/easy#1", "KeyDoorPuzzle-v0/easy#2"
        self.assertEqual(self.succeed("show", one, other), self.succeed("show", one) + self.succeed("show", other))

    def test_color_is_for_terminals_unless_asked_for(self):
        self.assertNotIn("\x1b", self.succeed("show", "KeyDoorPuzzle-v0/medium#42"))
        self.assertIn("\x1b[", self.succeed("show", "KeyDoorPuzzle-v0/medium#42", "--color", "always"))
        for color, colored in (("auto", True), ("never", False)):
            code, _, said = run_on_terminal("show", "KeyDoorPuzzle-v0/medium#42", "--color", color, stdout_too=True)
            self.assertEqual((code, "\x1b[" in said), (0, colored))

    def test_families_are_shown_in_colours_on_terminals_alike_but_for_these(self):
        plain = self.succeed("show", "GoTo#1")
        code, _, said = run_on_terminal("show", "GoTo#1", stdout_too=True)
        self.assertEqual(code, 0)
        for colored in (self.succeed("show", "GoTo#1", "--color", "always"), said.replace("\r\n", "\n")):
            self.assertIn("\x1b[", colored)
            self.assertEqual(re.sub(r"\x1b\[[0-9;]*m", "", colored), plain)


class Solve(InFolder):
    def test_explains_every_step(self):
        said = self.succeed("solve", "KeyDoorPuzzle-v0/medium#42", "--explain").splitlines()
        self.assertEqual(len(said), 16)
        self.assertRegex(said[14], r"^ +15  move_right +go to the goal at \(9,7\)  -> success$")
        self.assertRegex(said[15], r"^KeyDoorPuzzle-v0/medium#42 +success +15 steps, return 1\.0$")

    def test_json_is_a_tape_a_line(self):
        for line in self.succeed("solve", "-t", "GoToGoal,KeyDoorPuzzle", "-n", "3", "--json").splitlines():
            tape = json.loads(line)
            self.assertEqual(list(tape), ["tape", "name", "rules", "agent", "success", "return", "dense_return",
                                          "terminated", "truncated", "digest", "actions"])
            self.assertEqual((tape["tape"], tape["agent"], tape["success"]), (1, "expert", True))

    def test_kept_tapes_are_those_of_json_and_verify(self):
        tapes = self.path("tapes.jsonl")
        said = self.succeed("solve", *TWO_TASKS, "-o", tapes)
        episodes = len(read(tapes).splitlines())
        self.assertEqual(said, f"{episodes} of {episodes} solved\n")
        self.assertEqual(read(tapes).decode(), self.succeed("solve", *TWO_TASKS, "--json"))
        self.assertRegex(self.succeed("verify", tapes), rf"{episodes} tapes \({episodes} successes\)")
        self.assertEqual(os.listdir(self.folder), ["tapes.jsonl"])

    def test_a_dash_prints_the_tapes(self):
        self.assertEqual(self.succeed("solve", *TWO_TASKS, "-n", "1", "-o", "-"),
                         self.succeed("solve", *TWO_TASKS, "-n", "1", "--json"))
        self.assertEqual(os.listdir(self.folder), [])

    def test_output_does_not_depend_on_workers(self):
        for flag in ("--json", "--explain"):
            self.assertEqual(self.succeed("solve", "-t", "GoToGoal,KeyDoorPuzzle", "-n", "4", flag, "--jobs", "1"),
                             self.succeed("solve", "-t", "GoToGoal,KeyDoorPuzzle", "-n", "4", flag, "--jobs", "7"))

    def test_random_agent_repeats_itself_and_exit_code_tells_of_failures(self):
        one = run("solve", "--agent", "random", "--tasks", "KeyDoorPuzzle", "-d", "expert", "-n", "2", "--json")
        other = run("solve", "--agent", "random", "--tasks", "KeyDoorPuzzle", "-d", "expert", "-n", "2", "--json", "-j", "1")
        self.assertEqual((one.returncode, one.stderr), (FOUND, ""))
        self.assertEqual(one.stdout, other.stdout)

    def test_altered_action_is_found_and_names_the_episode(self):
        lines = self.succeed("solve", "--tasks", "KeyDoorPuzzle", "-n", "2", "--json").splitlines()
        for at in (0, len(lines) // 2, len(lines) - 1):
            tape = json.loads(lines[at])
            for step in (0, len(tape["actions"]) // 2, len(tape["actions"]) - 1):
                for action in (0, (tape["actions"][step] + 1) % 6, 6, -1, 2 ** 40, 1.5, "1"):
                    if action == tape["actions"][step]:
                        continue
                    actions = tape["actions"][:step] + [action] + tape["actions"][step + 1:]
                    altered = lines[:at] + [json.dumps(dict(tape, actions=actions))] + lines[at + 1:]
                    with self.subTest(line=at + 1, step=step, action=action):
                        tapes = write(self.path("tapes.jsonl"), "\n".join(altered) + "\n")
                        words = [f"line {at + 1}"] + ([tape["name"]] if action in range(6) else [])
                        self.refuse(["verify", tapes], FOUND, "tapes.jsonl", *words)

    def test_shortened_and_lengthened_tapes_are_found(self):
        tape = json.loads(self.succeed("solve", "GoToGoal/medium#1", "--json"))
        for actions in (tape["actions"][:-1], tape["actions"] + [0], []):
            tapes = write(self.path("t.jsonl"), json.dumps(dict(tape, actions=actions)) + "\n")
            self.refuse(["verify", tapes], FOUND, tape["name"])

    def test_every_altered_outcome_of_a_tape_is_found(self):
        tape = json.loads(self.succeed("solve", "GoToGoal/medium#1", "--json"))
        for key, value in (("success", False), ("return", 0.5), ("dense_return", tape["dense_return"] + 1e-12),
                           ("terminated", False), ("truncated", True), ("digest", "0" * 16),
                           ("name", "GoToGoal-v0/medium#2"), ("rules", "agentick 2"), ("tape", 0)):
            with self.subTest(key=key):
                tapes = write(self.path("t.jsonl"), json.dumps(dict(tape, **{key: value})) + "\n")
                self.refuse(["verify", tapes], FOUND, "line 1")
        for key in tape:
            with self.subTest(missing=key):
                without = {name: value for name, value in tape.items() if name != key}
                self.refuse(["verify", write(self.path("t.jsonl"), json.dumps(without) + "\n")], FOUND, "t.jsonl")


class Eval(InFolder):
    def test_some_of_the_official_seeds_give_no_leaderboard_score_but_say_how_many(self):
        self.assertRegex(self.succeed("eval", *TWO_TASKS, "-n", "5"), r"148 of 148 pairs .* exactly their 25 official .*: \d+ on none of them, \d+ on some \(at least 5 of 25\), the first")
        for other in (["--split", "mine", "-n", "5", "-q"], ["-n", "25"]):
            self.assertNotIn("of 25)", self.succeed("eval", *TWO_TASKS, *other))

    KEYS = {"family": str, "task": str, "difficulty": str, "category": str, "episodes": int, "successes": int,
            "errors": int, "success_rate": float, "success_interval": list, "success_wilson": list, "mean_return": float,
            "return_deviation": float, "mean_dense_return": float, "mean_steps": float,
            "mean_steps_of_successes": float, "solvable": dict, "normalised": float,
            "normalised_interval": list}

    def test_json_has_a_score_per_task_and_difficulty(self):
        said = json.loads(self.succeed("eval", "-n", "3", "--json"))
        self.assertEqual(list(said), ["format", "version", "seedbed", "agent", "selection", "baseline", "families"])
        self.assertEqual(said["agent"], {"name": "expert", "kind": "oracle", "spec": "expert"})
        tasks = [task["name"] for task in json.loads(self.succeed("tasks", "--json"))[0]["tasks"]]
        self.assertEqual([(score["task"], score["difficulty"]) for score in said["families"][0]["tasks"]],
                         [(task, level) for task in tasks for level in ("easy", "medium", "hard", "expert")])
        for score in said["families"][0]["tasks"]:
            self.assertEqual({key: type(value) for key, value in score.items()}, self.KEYS)
            self.assertEqual(list(score), list(self.KEYS))
            self.assertEqual(score["episodes"], 3)

    def test_observer_plays_by_either_name_of_the_option(self):
        what = ["--tasks", "FogOfWarExploration,GoToGoal", "-d", "hard", "-n", "5", "--json"]
        said = self.succeed("eval", *what, "--oracle", "observer")
        self.assertEqual(json.loads(said)["agent"]["name"], "observer")
        self.assertEqual(said, self.succeed("eval", *what, "--agent", "observer"))
        self.assertNotEqual(json.loads(said)["families"], json.loads(self.succeed("eval", *what))["families"])
        dataset = self.path("dataset")
        self.succeed("build", *what, "--oracle", "observer", "-o", dataset)
        rows = gzip.decompress(read(glob.glob(dataset + "/steps*")[0])).splitlines()
        self.assertEqual({json.loads(row)["oracle"] for row in rows}, {"observer"})
        self.succeed("verify", dataset)

    def test_scores_are_those_of_the_tapes(self):
        scores = json.loads(self.succeed("eval", "--tasks", "GoToGoal", "-d", "medium", "--agent", "random", "--json"))
        tapes = [json.loads(line) for line in run("solve", "--tasks", "GoToGoal", "-d", "medium", "--agent", "random",
                                                  "--json").stdout.splitlines()]
        score = scores["families"][0]["tasks"][0]
        solved = [tape for tape in tapes if tape["success"]]
        self.assertEqual((score["episodes"], score["successes"]), (25, len(solved)))
        self.assertAlmostEqual(score["mean_dense_return"], sum(tape["dense_return"] for tape in tapes) / 25, 12)
        self.assertEqual(score["mean_steps"], sum(len(tape["actions"]) for tape in tapes) / 25)
        if solved:
            self.assertEqual(score["mean_steps_of_successes"],
                             sum(len(tape["actions"]) for tape in solved) / len(solved))

    def test_result_does_not_depend_on_workers(self):
        self.assertEqual(self.succeed("eval", *TWO_TASKS, "-n", "5", "--json", "--jobs", "1"),
                         self.succeed("eval", *TWO_TASKS, "-n", "5", "--json", "--jobs", "6"))


class Names(InFolder):
    """Episodes that a file names."""

    names = ["GoToGoal-v0/easy#1", "babyai:GoTo#4", "KeyDoorPuzzle-v0/hard#2"]

    def test_a_files_names_are_those_of_the_command_line(self):
        file = write(self.path("names.txt"), "\n" + "  \r\n".join(self.names[1:]) + "\n\n")
        for command in (["solve", "--json"], ["eval", "-o", "-"]):
            listed = self.succeed(*command, self.names[0], "--names-from", file)
            self.assertEqual(listed, self.succeed(*command, *self.names))
            self.assertEqual(listed, self.succeed(*command, self.names[0], "--names-from", "-", input="\n".join(self.names[1:])))

    def test_a_dataset_of_them_needs_no_file_later(self):
        file = write(self.path("names.txt"), "GoToGoal/medium#1\nKeyDoorPuzzle/hard#2\n")
        self.succeed("build", "--names-from", file, "-o", self.path("d"))
        os.unlink(file)
        self.succeed("verify", self.path("d"))

    def test_a_path_of_a_world_stands_in_no_file(self):
        self.refuse(["eval", "--names-from", write(self.path("names"), "worlds/crates.sexp/easy#3\n"), "-o", "-"], USAGE, "only the command line takes paths", "--program")
        recipe = write(self.path("recipe.json"), '{"tasks": "worlds/crates.sexp"}')
        self.refuse(["build", recipe, "-o", self.path("d")], USAGE, "only the command line takes paths", "--program")

    def test_files_without_names_and_with_wrong_ones_are_refused(self):
        self.refuse(["solve", "--names-from", write(self.path("empty"), "\n \n")], USAGE, "no name in", "empty")
        self.refuse(["solve", "--names-from", self.path("none")], FOUND, "cannot read", "none")
        self.refuse(["solve", "--names-from", write(self.path("bad"), "GoToGoal/easy#x\n")], USAGE, "GoToGoal/easy#x")
        self.refuse(["solve", "--names-from", write(self.path("good"), self.names[0]), "--tasks", "GoTo"], USAGE, "either names")


class Seeds(InFolder):
    def test_published_export_is_byte_for_byte(self):
        self.assertEqual(hashlib.sha256(self.succeed("seeds", "--published").encode()).hexdigest(), PUBLISHED_SHA256)
        self.succeed("seeds", "--published", "-q", "-o", self.path("seeds.json"))
        self.assertEqual(hashlib.sha256(read(self.path("seeds.json"))).hexdigest(), PUBLISHED_SHA256)
        self.assertIn("3700 seeds in 148 lists", self.succeed("verify", self.path("seeds.json")))

    def test_packs_verify(self):
        for arguments in (["--split", "eval"], ["--split", "train", "--tasks", "GoToGoal"],
                          ["--split", "my-study", "--count", "500"], ["--count", "3", "-d", "easy,hard"]):
            with self.subTest(arguments=arguments):
                pack = self.path("pack.json")
                said = self.derive(*arguments, "-o", pack)
                n = sum(row["count"] for row in json.loads(read(pack))["lists"])
                self.assertIn(f"{n} seeds", said)
                self.assertIn(f"pack of {n} seeds", self.succeed("verify", pack))
                self.assertEqual(read(pack).decode(), self.derive(*arguments))

    def test_altered_seed_is_named(self):
        for arguments in ([], ["--split", "train", "-n", "40"], ["--split", "mine", "-n", "40"]):
            pack = json.loads(self.derive("--tasks", "KeyDoorPuzzle", *arguments))
            for row, column in ((0, 0), (2, 7), (3, 24)):
                altered = json.loads(json.dumps(pack))
                changed = altered["lists"][row]
                changed["seeds"][column] += 1
                with self.subTest(arguments=arguments, row=row, column=column):
                    words = [f"{changed['task']}/{changed['variant']}"]
                    if "mine" not in arguments:  # nothing but its hash guards a list of one's own
                        words += [f"seed {column + 1}", str(changed["seeds"][column])]
                    self.refuse(["verify", write(self.path("p.json"), json.dumps(altered))], FOUND, "p.json", *words)

    def test_every_altered_field_is_found(self):
        pack = json.loads(self.derive("--split", "mine", "-n", "5", "-d", "easy"))
        alterations = [("base", "other"), ("family", "other"), ("hash", "0" * 64), ("version", 3), ("format", "x")]
        for key, value in alterations:
            with self.subTest(key=key):
                self.refuse(["verify", write(self.path("p.json"), json.dumps(dict(pack, **{key: value})))], FOUND, "p.json")
        for key, value in (("task", "Other-v0"), ("variant", "hard"), ("count", 6), ("hash", "0" * 64),
                           ("seeds", pack["lists"][0]["seeds"][::-1])):
            altered = json.loads(json.dumps(pack))
            altered["lists"][0][key] = value
            with self.subTest(key=key):
                self.refuse(["verify", write(self.path("p.json"), json.dumps(altered))], FOUND, "p.json")

    def test_json_tells_what_was_written(self):
        pack = self.path("pack.json")
        said = json.loads(self.derive("--json", "--split", "mine", "-n", "5", *TWO_TASKS, "-o", pack))
        self.assertEqual(list(said), ["file", "family", "base", "seeds", "lists", "left_out", "hash", "few_games"])
        self.assertEqual((said["file"], said["family"], said["base"], said["seeds"], said["lists"]),
                         (pack, "agentick", "mine", 40, 8))
        self.assertEqual(said["hash"], json.loads(read(pack))["hash"])

    def test_explicit_seeds_make_no_pack(self):
        self.refuse(["seeds", "--seeds", "1,2"], USAGE, "split")


class Verify(InFolder):
    def test_one_file_of_a_dataset_is_refused_with_the_folder_to_verify(self):
        self.succeed("build", "PreciseNavigation/easy#1", "-f", "steps,npz", "-o", self.path("d"))
        for name in os.listdir(self.path("d")):
            if name.startswith("tapes"):
                self.succeed("verify", self.path("d/" + name))
            elif not name.startswith("."):
                self.refuse(["verify", self.path("d/" + name)], FOUND, f"seedbed verify {self.path('d')}\n")
        done = run("verify", "stats.json", cwd=self.path("d"))
        self.assertEqual((done.returncode, done.stderr.split(": ")[-1]), (FOUND, "seedbed verify .\n"))

    def test_json_tells_path_and_outcome_of_each_thing(self):
        pack = self.path("pack.json")
        self.succeed("seeds", "-n", "1", "-q", "-o", pack)
        bad = write(self.path('b"ad'), "x")
        done = run("verify", "--json", pack, bad)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((done.returncode, done.stderr), (FOUND, ""))
        self.assertEqual([list(line) for line in lines], [["path", "ok", "message", "notes"]] * 2)
        self.assertEqual([(line["path"], line["ok"]) for line in lines], [(pack, True), (bad, False)])

    def test_what_it_does_not_know_it_says_so(self):
        baseline = self.path("baseline.json")
        self.succeed("baseline", "--tasks", "GoToGoal", "-d", "easy", "-o", baseline)
        self.refuse(["verify", baseline], FOUND, "(taken for a seed pack, since it begins like no other file of this program)", "`seedbed-baseline`")
        answers = write(self.path("answers.jsonl"), '{"name": "GoTo#1", "answer": "x"}\n')
        self.refuse(["verify", answers], FOUND, "(taken for a seed pack, since it begins like no other file of this program)")

    def test_standard_input_is_refused_because_nothing_of_it_would_be_checked(self):
        tape = self.succeed("solve", "GoToGoal/easy#1", "--json")
        for text in (tape, tape.replace('"success": true', '"success": false'), ""):
            self.refuse(["verify", "-"], USAGE, "name a file, not standard input", input=text)

    def test_options_for_things_of_other_kinds_are_wrong_calls(self):
        tapes, certificates, pack = self.path("tapes.jsonl"), self.path("c.jsonl.gz"), self.path("pack.json")
        self.succeed("solve", "GoToGoal/easy#1", "-q", "-o", tapes)
        self.succeed("certify", "GoToGoal/easy#1", "-q", "-o", certificates)
        self.succeed("seeds", *TWO_TASKS, "-n", "1", "-q", "-o", pack)
        for path, options, words in (
                (certificates, ["--pack", "none"], "are for results"), (certificates, ["--baseline", "none"], "are for results"),
                (certificates, ["--certificates", "none"], "are for results"), (certificates, ["--tokenizer", "none"], "are for datasets"),
                (tapes, ["--tokenizer", "none"], "are for datasets"), (tapes, ["--python", "none"], "are for datasets"),
                (tapes, ["--again"], "--again is for"), (tapes, ["--sample", "2"], "--sample is for"), (pack, ["--apart-from", "none"], "--apart-from is for")):
            with self.subTest(path=path, options=options):
                self.refuse(["verify", path, *options], USAGE, f"{path}: ", words)
        self.assertEqual(run("verify", tapes, self.path("none"), "--sample", "2").returncode, USAGE, "a wrong call says more than a fault")

    def test_quiet_says_nothing(self):
        pack = self.path("pack.json")
        self.succeed("seeds", "-n", "1", "-q", "-o", pack)
        self.assertEqual(self.succeed("verify", "--quiet", pack), "")


class Conform(InFolder):
    COMPARED = ["reset", "layers", "draws", "views", "states", "rewards", "ends", "pictures"]
    KEYS = {"task": str, "recordings": int, "skipped": int, "differing": int, "steps": int, "compared": dict,
            "first_difference": type(None)}

    def report(self, *paths, code=0):
        done = run("conform", "--json", *paths)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return json.loads(done.stdout)

    def conform_altered(self, alter, word, accept=lambda recording: True):
        """Alters the first recording for which that is possible; the difference names the episode and `word`."""
        altered = None
        for path in RECORDINGS:
            for recording in recordings(path):
                if altered is None and accept(recording):
                    where = alter(recording)
                    altered = recording
        self.assertIsNotNone(altered, "no recording has what is to be altered")
        path = write(self.path("altered.jsonl"), json.dumps(altered) + "\n")
        report = self.report(path, code=FOUND)
        name = f"{altered['task']}/{altered['difficulty']}#{altered['seed']}"
        difference = report["tasks"][0]["first_difference"]
        self.assertEqual(report["tasks"][0]["differing"], 1)
        self.assertTrue(difference.startswith(name + ", " + where + ": "), f"{difference!r} is not in {name}, {where}")
        self.assertIn(word, difference)
        done = run("conform", path)
        self.assertEqual((done.returncode, done.stderr), (FOUND, ""))
        self.assertIn("first difference: " + difference, done.stdout)

    def test_recordings_show_no_difference(self):
        said = self.succeed("conform", *RECORDINGS)
        self.assertNotIn("difference", said)
        for row in self.report(*RECORDINGS)["tasks"]:
            self.assertEqual((row["differing"], row["skipped"]), (0, 0))
            self.assertGreater(row["recordings"], 30)
            self.assertGreater(row["steps"], 1000)
            for aspect, compared in row["compared"].items():
                self.assertEqual(compared > 0, aspect != "pictures", aspect)

    def test_recorded_pictures_show_no_difference(self):
        rows = self.report(*(os.path.join(GOLDEN, "pixels", name) for name in ("frames.jsonl.gz", "tiles.jsonl.gz")))["tasks"]
        self.assertEqual({row["differing"] for row in rows}, {0})
        self.assertEqual((rows[-1]["task"], rows[-1]["compared"]["pictures"]), ("MiniGrid tiles", 2272))
        self.assertEqual(sum(row["compared"]["pictures"] for row in rows[:-1]), 231)

    def test_everything_recorded_is_counted(self):
        for row, path in zip(self.report(*RECORDINGS)["tasks"], RECORDINGS):
            whole = recordings(path)
            steps = sum(len(rollout["actions"]) for recording in whole for rollout in recording["rollouts"])
            rollouts = sum(len(recording["rollouts"]) for recording in whole)
            self.assertEqual((row["recordings"], row["steps"]), (len(whole), steps))
            self.assertEqual(row["compared"]["rewards"], 2 * steps)
            self.assertEqual(row["compared"]["ends"], 3 * rollouts)

    def test_json_schema(self):
        report = self.report(*RECORDINGS)
        self.assertEqual(list(report), ["version", "tasks"])
        self.assertEqual(report["version"], 1)
        for row in report["tasks"]:
            self.assertEqual({key: type(value) for key, value in row.items()}, self.KEYS)
            self.assertEqual(list(row), list(self.KEYS))
            self.assertEqual(list(row["compared"]), self.COMPARED)
            self.assertEqual({type(value) for value in row["compared"].values()}, {int})

    def test_altered_dense_reward_names_episode_and_step(self):
        def alter(recording):
            recording["rollouts"][0]["dense"][1] += 1e-9
            return f"rollout of {recording['rollouts'][0]['policy']}, step 1"
        self.conform_altered(alter, "dense reward", lambda r: len(r["rollouts"][0]["dense"]) > 1)

    def test_altered_sparse_reward_names_episode_and_step(self):
        def alter(recording):
            entry = recording["rollouts"][0]["sparse"][0]
            entry[1] += 0.5
            return f"rollout of {recording['rollouts'][0]['policy']}, step {entry[0]}"
        self.conform_altered(alter, "sparse reward", lambda r: r["rollouts"][0]["sparse"])

    def test_missing_sparse_reward_is_found(self):
        def alter(recording):
            rollout = recording["rollouts"][0]
            return f"rollout of {rollout['policy']}, step {rollout['sparse'].pop(0)[0]}"
        self.conform_altered(alter, "sparse reward", lambda r: r["rollouts"][0]["sparse"])

    def test_sparse_reward_of_a_step_that_never_comes_is_found(self):
        def alter(recording):
            rollout = recording["rollouts"][0]
            rollout["sparse"].append([len(rollout["actions"]) + 5, 1.0])
        recording = recordings(RECORDINGS[0])[0]
        alter(recording)
        path = write(self.path("altered.jsonl"), json.dumps(recording) + "\n")
        self.assertEqual(run("conform", path).returncode, FOUND)

    def test_altered_action_names_episode_and_step(self):
        def alter(recording):
            rollout = recording["rollouts"][0]
            other = "0" if rollout["actions"][0] != "0" else "1"
            rollout["actions"] = other + rollout["actions"][1:]
            return f"rollout of {rollout['policy']}, step 0"
        self.conform_altered(alter, "recorded")

    def test_altered_hash_names_episode_and_step(self):
        def alter(recording):
            rollout = recording["rollouts"][0]
            digit = "0" if rollout["hashes"][17] != "0" else "1"
            rollout["hashes"] = rollout["hashes"][:17] + digit + rollout["hashes"][18:]
            return f"rollout of {rollout['policy']}, step 2"
        self.conform_altered(alter, "state hash", lambda r: len(r["rollouts"][0]["actions"]) > 2)

    def test_altered_view_names_episode_and_step(self):
        def alter(recording):
            rollout = recording["rollouts"][0]
            rollout["ascii"] = ("0" if rollout["ascii"][0] != "0" else "1") + rollout["ascii"][1:]
            return f"rollout of {rollout['policy']}, step 0"
        self.conform_altered(alter, "ASCII observation")

    def test_altered_draw_of_the_reset_names_episode_and_draw(self):
        def alter(recording):
            number, draw = next((i, d) for i, d in enumerate(recording["draws"]) if d[1] == "integers")
            draw[3] += 1
            self.draw = f"draw {number}"
            return "reset"
        self.conform_altered(alter, "draw ", lambda r: any(d[1] == "integers" for d in r.get("draws", [])))

    def test_missing_and_added_draws_are_found(self):
        self.conform_altered(lambda r: r["draws"].pop() and "reset", "not recorded", lambda r: r.get("draws"))
        self.conform_altered(lambda r: r["draws"].append([9, "random", [], 0.5]) or "reset", "(no draw)",
                             lambda r: r.get("draws"))

    def test_altered_draw_of_a_step_names_episode_and_step(self):
        def steps_with_draws(recording):
            return [(rollout, i) for rollout in recording["rollouts"] for i, step in enumerate(rollout.get("steps") or [])
                    if len(step) > 3 and step[3] and isinstance(step[3][0][3], int)]

        def alter(recording):
            rollout, at = steps_with_draws(recording)[0]
            rollout["steps"][at][3][0][3] += 1
            return f"rollout of {rollout['policy']}, step {at}"
        self.conform_altered(alter, "draw 0", steps_with_draws)

    def test_altered_state_of_a_step_names_episode_and_step(self):
        def change_agent(step):
            step[0][1] += 1

        def change_cell(step):
            step[1][0][3] += 1

        def drop_change(step):
            step[1].pop()

        def add_change(step):
            step[1].append(step[1][0])

        def take_item(step):
            step[2].append(["key", {}])

        for change, word in ((change_agent, "agent y"), (change_cell, "changed cell"), (drop_change, "changed values"),
                             (add_change, "changed values"), (take_item, "items carried")):
            def deep_steps(recording):
                return [(rollout, i) for rollout in recording["rollouts"]
                        for i, step in enumerate(rollout.get("steps") or []) if step[1]]

            def alter(recording):
                rollout, at = deep_steps(recording)[-1]
                change(rollout["steps"][at])
                return f"rollout of {rollout['policy']}, step {at}"
            with self.subTest(change=change.__name__):
                self.conform_altered(alter, word, deep_steps)

    def test_altered_layer_is_found(self):
        def alter(recording):
            recording["reset"]["layers"]["metadata"][1][2] += 1
            return "reset"
        self.conform_altered(alter, "layer metadata at (2,1)", lambda r: "layers" in r["reset"])

    def test_altered_reset_is_found(self):
        for key, word in (("max_steps", "step limit"), ("hash", "state hash"), ("ascii_ansi", "coloured"),
                          ("agent", "agent x"), ("size", "grid width"), ("ascii_text", "ASCII observation")):
            def alter(recording):
                value = recording["reset"][key]
                recording["reset"][key] = (value + 1 if isinstance(value, int) else
                                           [value[0] + 1, *value[1:]] if isinstance(value, list) else
                                           value[:-1] + ("0" if value[-1] != "0" else "1"))
                return "reset"
            with self.subTest(key=key):
                self.conform_altered(alter, word, lambda r: key in r["reset"])

    def test_altered_structured_observation_is_found(self):
        def alter(recording):
            recording["structured"]["position"]["x"] += 1
            return "reset"
        self.conform_altered(alter, "structured", lambda r: "structured" in r)

    def test_altered_end_is_found(self):
        for key in ("terminated", "truncated", "success"):
            def alter(recording):
                rollout = recording["rollouts"][0]
                rollout[key] = not rollout[key]
                return f"rollout of {rollout['policy']}, step {len(rollout['actions']) - 1}"
            with self.subTest(key=key):
                self.conform_altered(alter, key + " at the end")

    def test_unknown_task_counts_as_skipped_and_not_as_passed(self):
        lines = [dict(recordings(RECORDINGS[0])[0], task=task) for task in ("NoSuchTask-v0", "GoToGoal-v9")]
        path = write(self.path("unknown.jsonl"), "".join(json.dumps(line) + "\n" for line in lines))
        done = run("conform", "--json", path)
        self.assertEqual(done.returncode, FOUND, "nothing was compared")
        rows = json.loads(done.stdout)["tasks"]
        self.assertEqual([row["task"] for row in rows], ["NoSuchTask-v0", "GoToGoal-v9"])
        for row in rows:
            self.assertEqual((row["recordings"], row["skipped"], row["steps"]), (0, 1, 0))
            self.assertEqual(set(row["compared"].values()), {0})
        self.assertRegex(run("conform", path).stdout, r"NoSuchTask-v0 +0 +1 ")

    def test_malformed_recordings_are_named_with_file_line_and_key(self):
        good = recordings(RECORDINGS[0])[0]
        for alter, word in ((lambda r: r.pop("rollouts"), "rollouts"), (lambda r: r.pop("reset"), "reset"),
                            (lambda r: r.pop("task"), "task"), (lambda r: r.update(seed=-1), "seed"),
                            (lambda r: r.update(difficulty="harder"), "harder"),
                            (lambda r: r["rollouts"][0].update(hashes="xyz"), "hashes"),
                            (lambda r: r["rollouts"][0].update(actions="9"), "actions"),
                            (lambda r: r["rollouts"][0]["dense"].append(1.0), "dense"),
                            (lambda r: r["reset"].update(agent=[1]), "agent")):
            bad = json.loads(json.dumps(good))
            alter(bad)
            path = write(self.path("r.jsonl"), json.dumps(good) + "\n" + json.dumps(bad) + "\n")
            with self.subTest(word=word):
                self.refuse(["conform", path], FOUND, "r.jsonl, line 2", word)


class Progress(InFolder):
    LONG = (["solve", *TWO_TASKS, "-o", "{}"], ["eval", *TWO_TASKS],
            ["build", *TWO_TASKS, "--force", "-o", "{}-folder"])

    def test_nothing_of_it_in_a_pipe(self):
        for arguments in self.LONG:
            done = run(*[argument.format(self.path("output")) for argument in arguments])
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertNotIn("\x1b", done.stdout)

    def test_there_is_some_on_a_terminal_and_it_is_wiped_in_the_end(self):
        for arguments, word in zip(self.LONG, ("played", "played", "built")):
            code, piped, shown = run_on_terminal(*[argument.format(self.path("output")) for argument in arguments])
            self.assertEqual(code, 0, shown)
            self.assertRegex(shown, rf"{word} \d+ of \d+ episodes, \d+ a second, \d+ s left")
            self.assertTrue(shown.endswith("\r\x1b[K"), repr(shown[-40:]))
            self.assertNotIn("\x1b", piped)

    def test_it_says_what_is_counted_and_of_which_play(self):
        names, model = ["arc:Fold/intro#1", "arc:Fold/intro#2"], f"{SEEDBED} model serve arc:Fold/intro#1"
        _, _, shown = run_on_terminal("model", "plan", *names, "--model", model, "--actions", "3")
        for words in ("#1 (1 of 2):", "#1 (1 of 2), true rules:", "#2 (2 of 2):", "#2 (2 of 2), true rules:"):
            self.assertRegex(shown, rf"arc:Fold/intro{re.escape(words)} 3 of 3 actions, [\d.]+ a second(?!, \d+ s left)")
        self.succeed("solve", names[0], "-q", "-o", self.path("tape"), "--log", self.path("log"))
        _, _, shown = run_on_terminal("model", "check", self.path("log"), "--model", model)
        self.assertRegex(shown, r"checked (\d+) of \1 transitions, \d+ a second, 0 s left")
        _, _, shown = run_on_terminal("verify", self.path("log"))
        self.assertRegex(shown, r"verified 1 of 1 plays")

    def test_verifying_a_dataset_shows_it_too(self):
        self.succeed("build", *TWO_TASKS, "-q", "-n", "2", "-o", self.path("dataset"))
        code, piped, shown = run_on_terminal("verify", self.path("dataset"))
        self.assertEqual(code, 0)
        self.assertRegex(shown, r"verified \d+ of \d+ episodes")
        self.assertIn("every hash right", piped)

    def test_quiet_shows_none_on_a_terminal(self):
        for arguments in self.LONG:
            code, _, shown = run_on_terminal(*[argument.format(self.path("output")) for argument in arguments], "--quiet")
            self.assertEqual((code, shown), (0, ""))

    def test_errors_stay_readable_on_a_terminal(self):
        code, _, shown = run_on_terminal("solve", "--tasks", "Nope")
        self.assertEqual(code, USAGE)
        self.assertRegex(shown, r"(\A|\x1b\[K)seedbed: tasks: unknown task `Nope`[^\r\n]*\r\n\Z")


class Watch(InFolder):
    def test_animates_a_frame_a_step_and_ends_well(self):
        code, _, shown = run_on_terminal("solve", "KeyDoorPuzzle-v0/medium#42", "--watch", "--delay", "1", stdout_too=True)
        self.assertEqual(code, 0)
        frames = shown.split("\x1b[H")[1:]
        self.assertEqual(len(frames), 16)
        for step, frame in enumerate(frames):
            self.assertIn(f"KeyDoorPuzzle-v0/medium#42\r\nstep {step} of 200: ", frame)
            self.assertRegex(frame, "\x1b\\[[0-9;]+m", "colours on a terminal")
        self.assertRegex(frames[-1], r"KeyDoorPuzzle-v0/medium#42 +success +15 steps, return 1\.0\r\n\Z")

    def test_without_color_the_frames_are_plain(self):
        code, _, shown = run_on_terminal("solve", "GoToGoal-v0/easy#1", "--watch", "--delay", "0", "--color", "never",
                                         stdout_too=True)
        self.assertEqual(code, 0)
        self.assertNotRegex(shown, "\x1b\\[[0-9;]*m")

    def test_family_without_colors_can_be_watched(self):
        code, _, shown = run_on_terminal("solve", "toy:Pile-v1#5", "--watch", "--mode", "text", "--delay", "0", program=TOY, stdout_too=True)
        self.assertEqual(code, 0)
        self.assertIn("target 41", shown)


class Serve(InFolder):
    def test_answers_a_line_with_a_line_and_ends_with_its_input(self):
        done = run("serve", "--stdio", input='{"op": "reset", "name": "GoToGoal-v0/easy#0"}\nnonsense\n')
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([type(json.loads(line)) for line in done.stdout.splitlines()], [dict, dict])

    def test_a_client_that_leaves_is_no_accident(self):
        with contextlib.closing(os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")) as nothing:
            child = subprocess.Popen([SEEDBED, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                     stderr=nothing)
            child.stdout.close()
            with contextlib.suppress(BrokenPipeError):
                child.stdin.write(b'{"op": "hello"}\n' * 5)
                child.stdin.close()
            self.assertEqual(child.wait(timeout=300), 0)


class TestFamily(InFolder):
    """A family without grid, difficulties or six actions goes through every command."""

    def toy(self, *arguments):
        return self.succeed(*arguments, program=TOY)

    def test_tasks(self):
        families = json.loads(self.toy("tasks", "--json"))
        self.assertEqual([family["family"] for family in families], ["agentick", "babyai", "autumn", "arc", "toy", "climb"])
        self.assertEqual((families[4]["variants"], families[4]["modes"]), ([], ["text", "data"]))
        self.assertEqual([task["judged_by"] for task in families[5]["tasks"]], ["score", "nothing"])
        self.assertRegex(self.toy("tasks"), r"\nPile-v1 +sums +expert ")

    def test_show(self):
        self.assertEqual(self.toy("show", "toy:Pile-v1#5"),
                         "toy:Pile-v1#5: Make the pile sum up to the target. (40 steps)\ntarget 41\npile\n")
        said = json.loads(self.toy("show", "toy:Pile#5", "--json", "--mode", "data"))
        self.assertEqual(said["observation"], {"sum": 0, "said": 'a "quoted"\nline'})

    def test_names_carry_no_difficulty(self):
        self.refuse(["show", "toy:Pile-v1/easy#5"], USAGE, "no difficulties", program=TOY)
        self.refuse(["show", "toy:Pile-v1#666"], USAGE, "seed 666", program=TOY)
        self.refuse(["show", "toy:Pile-v1#5"], USAGE, "unknown family `toy`")

    def test_solve_and_verify(self):
        said = self.toy("solve", "toy:Pile-v1#5", "--explain").splitlines()
        self.assertRegex(said[-2], r"^ +11  add +reach the target  -> success$")
        tapes = self.path("tapes.jsonl")
        self.toy("solve", "--family", "toy", "--tasks", "Pile", "-o", tapes)
        self.assertIn("25 tapes (25 successes)", self.toy("verify", tapes))
        self.refuse(["verify", tapes], FOUND, "unknown family `toy`", "line 1")  # who does not know the family says so
        lines = read(tapes).decode().splitlines()
        tape = json.loads(lines[7])
        lines[7] = json.dumps(dict(tape, actions=tape["actions"][:-1] + [2]))
        self.refuse(["verify", write(tapes, "\n".join(lines) + "\n")], FOUND, "line 8", tape["name"], program=TOY)

    def test_eval(self):
        scores = json.loads(self.toy("eval", "--family", "toy", "--json"))["families"][0]["tasks"]
        self.assertEqual([(score["family"], score["task"], score["difficulty"]) for score in scores],
                         [("toy", "Pile-v1", ""), ("toy", "Hunt-v1", "")])

    def test_seeds(self):
        pack = self.path("pack.json")
        self.toy("seeds", "--family", "toy", "--split", "mine", "-n", "30", "-o", pack)
        self.assertIn("pack of 60 seeds in 2 lists, base mine", self.toy("verify", pack))
        altered = json.loads(read(pack))
        altered["lists"][1]["seeds"][3] += 1
        self.refuse(["verify", write(pack, json.dumps(altered))], FOUND, altered["lists"][1]["task"], program=TOY)

    def test_build_and_verify(self):
        dataset = self.path('data "set"')
        made = json.loads(self.toy("build", "--family", "toy", "-n", "3", "--json", "-o", dataset))
        self.assertEqual((made["folder"], made["episodes"]), (dataset, 6))
        self.assertIn("dataset of 6 episodes", self.toy("verify", dataset))
        self.refuse(["verify", dataset], FOUND, "unknown family `toy`")

    def test_variants_that_are_dear_to_find_come_from_packs(self):
        wanted = ["--tasks", "climb:Climb", "--difficulty", "steep,kept"]
        for command in (["solve"], ["eval"], ["certify"], ["seeds", "-o", self.path("pack")], ["build", "--dry-run"],
                        ["build", "-o", self.path("data")], ["baseline"]):
            self.refuse(command + wanted, USAGE, "Climb-v1/kept", "take long to find", "selected from a pack: the tests make one",
                        program=TOY)

    def test_a_name_of_such_an_episode_is_enough(self):
        name = "climb:Climb/kept#5"
        self.assertIn("climb:Climb-v1/kept#5 ", self.toy("solve", name))
        self.assertEqual(json.loads(self.toy("eval", name, "--json"))["families"][0]["tasks"][0]["difficulty"], "kept")
        self.assertIn("1 solved", self.toy("certify", name, "-o", self.path("c.jsonl.gz")))
        estimate = json.loads(self.toy("build", name, "--dry-run", "--json"))
        self.assertEqual((estimate["played"], estimate["evaluation"]), (1, 0))
        self.toy("build", name, "-o", self.path("data"))
        self.assertIn("dataset of 1 episodes", self.toy("verify", self.path("data")))

    def test_a_pack_of_such_episodes_is_evaluated(self):
        pack, result = self.path("pack.json"), self.path("result.json")
        self.toy("build", "climb:Climb/kept#5", "climb:Climb/kept#6", "--format", "seedpack", "-o", self.path("data"))
        write(pack, read(self.path("data/seedpack-00000-of-00001.json")).decode())
        self.toy("eval", "--pack", pack, "-o", result)
        self.assertEqual([played["episode"] for played in json.loads(read(result))["episodes"]],
                         ["climb:Climb-v1/kept#5", "climb:Climb-v1/kept#6"])
        self.assertIn("result of 2 episodes", self.toy("verify", result))

    def test_a_selection_without_difficulties_takes_the_usual_ones(self):
        tapes = self.toy("solve", "--tasks", "climb:Climb", "--seeds", "0..2", "--json").splitlines()
        self.assertEqual([json.loads(tape)["name"] for tape in tapes], [f"climb:Climb-v1#{seed}" for seed in range(3)])
        pack = json.loads(self.toy("seeds", "--family", "climb", "--split", "mine", "-n", "2"))
        self.assertEqual([(seeds["task"], seeds["variant"]) for seeds in pack["lists"]], [("Climb-v1", ""), ("Roam-v1", "")])

    def test_programs_that_nobody_brought_are_unknown(self):
        for command in ("show", "solve", "eval", "certify"):
            self.refuse([command, "climb:file-0123456789abcdef#1"], USAGE, "unknown task `file-0123456789abcdef`", program=TOY)

    def test_conform_skips_a_family_without_recordings(self):
        path = write(self.path("r.jsonl"), '{"task": "Pile-v1"}\n')
        self.assertEqual(json.loads(run("conform", "--json", path, program=TOY).stdout)["tasks"][0]["skipped"], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
