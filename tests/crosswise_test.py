"""What an interrupted command left is continued only by the same command.

    python3 tests/crosswise_test.py BUILD/seedbed BUILD/tests/seedbed-toy

A command is killed half way (tests/faults/calls.c), and another one resumes there, which differs in a single option or is of another kind. Either it is refused and
what was kept stays as it is, or it makes the bytes that it makes alone: nothing of the first command gets into the second one's files, and nothing is lost. The states
of the Python package are tested in python/tests (test_data.py, test_checkpoints.py, test_evaluation.py).
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import unittest

from dataset_support import InFolder, read
from writers_test import FAULTS, WALKER

SEEDS = ["-d", "easy", "--seeds", "0..29"]
EPISODES = ["--tasks", "PreciseNavigation,KeyDoorPuzzle", *SEEDS]
ALWAYS = ["-j", "1", "-q", "-o", "out"]


class Command:
    """A command with its options, which `others` replace one at a time (an option of which the second is None is left out), and the way to go on with it. `before` are the
    runs that prepare the folder, `fault` is where it is killed (default: after two thirds of its writes)."""

    def __init__(self, words, options, others, resume=(), before=(), always=tuple(ALWAYS), fault=""):
        self.words, self.options, self.others, self.resume, self.before, self.always, self.fault = words, options, others, list(resume), before, list(always), fault

    def arguments(self, other=()):
        options = dict(self.options)
        for option, value in other:
            options[option] = value
        given = [word for option, value in options.items() if value is not None for word in ((option, value) if value else (option,))]
        return [*self.words, *given, *self.always]


def each(options):
    """One change for each value of each option."""
    return [[(option, value)] for option, values in options.items() for value in values]


BUILD_OPTIONS = {"--tasks": "PreciseNavigation,KeyDoorPuzzle", "-d": "easy", "--seeds": "0..29", "--shard-episodes": "16", "-f": "steps"}
BUILT = ["build", *EPISODES, "-f", "steps", "-j", "1", "-q", "-o", "out"]
COMMANDS = {
    "build": Command(["build"], BUILD_OPTIONS, each({
        "--tasks": ["KeyDoorPuzzle,PreciseNavigation", "PreciseNavigation"], "-d": ["medium", "easy,medium"], "--seeds": ["0..30", "1..30", "29,0..28"],
        "--shard-episodes": ["32"], "-f": ["trajectories", "steps,npz", '{"format": "steps", "modes": "ascii"}', "chat"], "-m": ["ascii", "language,ascii"],
        "--reward": ["dense"], "--agent": ["expert", "random", "expert:1,random:1"], "--epsilon": ["0.2"], "--labels": ["expert"], "--intents": [""], "--success": [""],
        "--min-return": ["0.5"], "--max-steps": ["20"], "--failures": ["keep"], "--unreadable": ["keep", "drop"], "--evaluation": ["keep"], "--duplicates": ["drop"],
        "--row-duplicates": ["drop"],
        "--rows-apart-from": ["eval"], "--episodes": ["5"], "--rows": ["50"], "--order": ["shuffled", "drawn"], "--level": ["9"], "--name": ["other"], "--license": ["mit"],
        "--description": ["of other rows"], "--shard": ["1/2", "2/2", "1/3"]}), ["--resume"]),
    "build a part": Command(["build"], {**BUILD_OPTIONS, "--seeds": "0..59", "--shard": "1/2", "--shard-episodes": "16"}, each({"--shard": ["2/2", "1/3", "1/4", None], "--seeds": ["0..60"]}),
                            ["--resume"]),
    "build from a program": Command(["build"], {"--tasks": "PreciseNavigation", "-d": "easy", "--seeds": "0..5", "--agent": WALKER, "--salt": "0" * 32, "-f": "steps"},
                                    each({"--seeds": ["0..6", "1..5"], "--agent": [WALKER.replace("1}", "2}"), "random"], "--attempts": ["2"], "--agent-steps": ["3"],
                                          "--salt": ["1" * 32], "-f": ["npz"], "--evaluation": ["keep"]}), ["--resume"]),
    "extend": Command(["build", "--extend"], {"--seeds": "30..59"}, each({"--seeds": ["30..60", "60..89"], "--count": ["3"]}), ["--resume"], before=[BUILT]),
    "render": Command(["render", "out"], {"-f": "npz,trajectories"}, each({"-f": ["npz", "trajectories,npz", "chat", '{"format": "npz", "channels": 1}']}), ["--resume"],
                      before=[BUILT], always=["-j", "1", "-q"]),
    "eval": Command(["eval"], {"--tasks": "PreciseNavigation,KeyDoorPuzzle", "-d": "easy", "--seeds": "0..29", "--agent": "random"}, each({
        "--tasks": ["KeyDoorPuzzle,PreciseNavigation", "PreciseNavigation"], "-d": ["medium"], "--seeds": ["0..30", "1..30", "29,0..28"],
        "--agent": ["expert", "observer", "expert:1,random:1"], "--shard": ["1/2", "2/2"], "--name": ["other"]}), ["--resume"]),
    "eval of a program": Command(["eval"], {"--tasks": "PreciseNavigation", "-d": "easy", "--seeds": "0..5", "--agent": WALKER, "--salt": "0" * 32}, each({
        "--agent": [WALKER.replace("1}", "2}")], "--salt": ["1" * 32], "--attempts": ["2"], "--max-steps": ["3"], "--reply-seconds": ["9"], "--fresh": [""],
        "--shard": ["1/2"]}), ["--resume"]),
    "certify": Command(["certify"], {"--tasks": "PreciseNavigation,KeyDoorPuzzle", "-d": "easy", "--seeds": "0..29"}, each({
        "--tasks": ["PreciseNavigation", "KeyDoorPuzzle,PreciseNavigation"], "-d": ["medium"], "--seeds": ["0..30", "1..30"], "--budget": ["10"]}), fault="rename:1:kill"),
    "challenges": Command(["challenges"], {"--tasks": "Triad", "--kinds": "change", "--levels": "1..2", "--count": "2", "--seed": "1"}, each({
        "--tasks": ["TugOfFour", "Triad,TugOfFour"], "--kinds": ["planning", "planning,change"], "--levels": ["1..1", "2..3"], "--count": ["3"], "--seed": ["2"], "--one": [""]})),
}


def state_of(folder):
    """Every file but the locks, whose holders write their names into them."""
    return {os.path.relpath(os.path.join(here, name), folder): read(os.path.join(here, name))
            for here, _, names in os.walk(folder) for name in names if not name.endswith(".lock")}


class Crosswise(InFolder):
    def go(self, folder, arguments, **environment):
        return subprocess.run([FAULTS, *arguments], cwd=folder, capture_output=True, text=True, timeout=900, env={**os.environ, "SEEDBED_FAULT_UNDER": folder, **environment})

    def new_folder(self, name, command):
        folder = self.path(name)
        shutil.rmtree(folder, ignore_errors=True)
        os.mkdir(folder)
        for arguments in command.before:
            done = self.go(folder, arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
        return folder

    def interrupted(self, name, command):
        """The folder of a command that was killed half way."""
        arguments, log = command.arguments(), self.path("log")
        done = self.go(self.new_folder("count", command), arguments, SEEDBED_FAULT_LOG=log)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        n = json.loads(read(log).splitlines()[-1])["write"]
        folder = self.new_folder(name, command)
        before = state_of(folder)
        done = self.go(folder, arguments, SEEDBED_FAULT=command.fault or f"write:{max(n * 2 // 3, 2)}:kill")
        self.assertEqual(done.returncode, -signal.SIGKILL, done.stderr)
        self.assertNotEqual(state_of(folder), before)
        return folder

    def alone(self, command, other=()):
        folder = self.new_folder("alone", command)
        done = self.go(folder, command.arguments(other))
        return done, state_of(folder)

    def assert_refused_or_its_own(self, kept, command, other=(), keeps=False):
        """Goes on where something else was interrupted, and `keeps` its files. Returns whether that was refused."""
        before, folder = state_of(kept), self.path("now")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(kept, folder)
        done = self.go(folder, command.arguments(other) + command.resume)
        if done.returncode in (0, 1) and not re.search(r"^seedbed( build)?: (?!note: )", done.stderr, re.M):
            alone, state = self.alone(command, other)
            now = state_of(folder)
            self.assertEqual(done.returncode, alone.returncode)
            self.assertEqual({name: now.get(name) for name in state}, state)
            left = {name: data for name, data in now.items() if name not in state}
            self.assertEqual(left, {name: data for name, data in before.items() if name not in state} if keeps else {}, "nothing is lost, and nothing is left")
            return False
        self.assertRegex(done.stderr, r"(?m)^seedbed( build)?: [^\n]{20,}$")
        self.assertEqual(state_of(folder), before, done.stderr)
        return True

    def check(self, name):
        command = COMMANDS[name]
        kept = self.interrupted("kept", command)
        with self.subTest("the same command goes on"):
            self.assertFalse(self.assert_refused_or_its_own(kept, command))
        refused = []
        for other in command.others:
            with self.subTest(other=other):
                refused.append(self.assert_refused_or_its_own(kept, command, other))
        self.assertGreater(sum(refused), len(refused) // 2)

    def test_what_another_kind_of_command_left(self):
        for name in COMMANDS:
            kept = self.interrupted("kept", COMMANDS[name])
            for other, command in COMMANDS.items():
                if other != name and not command.before and command.words != COMMANDS[name].words:
                    with self.subTest(left=name, goes_on=other):
                        self.assert_refused_or_its_own(kept, command, keeps=True)


def add_tests():
    for name in COMMANDS:
        setattr(Crosswise, "test_" + name.replace(" ", "_"), lambda self, name=name: self.check(name))


add_tests()

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
