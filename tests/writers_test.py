"""Every writer of the program, while system calls fail, while it is killed, and when the power fails.

    python3 tests/writers_test.py BUILD/seedbed BUILD/tests/seedbed-toy

WRITERS lists all that the program writes; whoever adds a writer adds a line. Of each, the n-th open, write, fsync,
rename, unlink or close fails, or kills the process (tests/faults/calls.c). What is then there must be what was there
before, or what was to be written, or something that does not verify and that the writer's own words for going on
finish. The same must hold for every state of the disk that a power failure may leave: of all changes since the last
flush any part may be lost. With SEEDBED_NIGHTLY set every call is tried, else a sample.
"""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import unittest

from dataset_support import InFolder, contents, read, run, write

FAULTS = os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "seedbed-faults")
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
CALLS = ["open", "write", "fsync", "rename", "unlink", "close"]
SAMPLE = 6  # calls of a kind that are tried, besides the first ones and the last ones
STATES = 40  # states of the disk that are tried

RECIPE = ["--tasks", "GoToGoal,KeyDoorPuzzle", "-d", "easy", "--seeds", "0..19", "--shard-episodes", "16", "-j", "1", "-q"]
OTHER = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..9", "-j", "1", "-q"]
EPISODES = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..2", "-j", "1", "-q"]


class Writer:
    """What is written: `arguments` make `target`; `before` are the runs that prepare the folder; `resumes` are what a
    user may say to go on, tried in this order. `text` goes to standard input."""

    def __init__(self, name, arguments, before=(), resumes=(), target="out", text=None):
        self.name, self.arguments, self.before = name, arguments, before
        self.resumes, self.target, self.text = resumes or (arguments,), target, text


BUILD = ["build", *RECIPE, "-f", "steps,npz", "-o", "out"]
OLD = ["build", *OTHER, "-o", "out"]
PARTS = [["build", *RECIPE, "--shard", f"{i}/2", "-o", f"part{i}"] for i in (1, 2)]
MERGE = ["merge", "part1", "part2", "-o", "out", "-q"]
RENDER = ["render", "out", "-f", "npz,trajectories", "-j", "1", "-q"]
RESULT = ["eval", *EPISODES, "-o", "result.json"]
TASK = ["--tasks", "GoToGoal", "-d", "easy", "-q"]
WRITERS = [
    Writer("build", BUILD, resumes=([*BUILD, "--resume"],)),
    Writer("build over another dataset", [*BUILD, "--force"], before=[OLD], resumes=([*BUILD, "--resume"], [*BUILD, "--force"])),
    Writer("build a part", PARTS[0], target="part1", resumes=([*PARTS[0], "--resume"],)),
    Writer("render", RENDER, before=[OLD], resumes=(["render", "out", "--resume", "-j", "1", "-q"], RENDER)),
    Writer("merge", MERGE, before=PARTS),
    Writer("merge over another dataset", [*MERGE, "--force"], before=[*PARTS, OLD]),
    Writer("certify", ["certify", *EPISODES, "-o", "out"]),
    Writer("solve", ["solve", *EPISODES, "-o", "out"]),
    Writer("solve over other tapes", ["solve", *EPISODES, "-o", "out"], before=[["solve", *EPISODES, "--agent", "random", "-o", "out"]]),
    Writer("seeds", ["seeds", *TASK, "-n", "3", "-o", "out"]),
    Writer("eval", ["eval", *EPISODES, "-o", "out"]),
    Writer("eval over another result", ["eval", *EPISODES, "-o", "out"], before=[["eval", *EPISODES, "--agent", "random", "-o", "out"]]),
    Writer("report", ["report", "result.json", "--html", "out", "-q"], before=[RESULT]),
    Writer("baseline", ["baseline", *TASK, "-j", "1", "-o", "out"]),
    Writer("play", ["play", "GoToGoal/easy#0", "-q", "-o", "out"], text="wwq"),
]


def everything(path):
    """What is under a final name: bytes of a file, names and bytes of a folder, None if nothing is there."""
    if os.path.isdir(path):
        files = {name: content for name, content in contents(path).items() if not name.endswith((".part", ".lock"))}
        if "manifest.json" in files:
            files.pop("journal.jsonl", None)  # the dataset was done, but for removing this
        return files or None
    return read(path) if os.path.exists(path) else None


def leftovers(folder):
    return sorted(name for _, folders, files in os.walk(folder) for name in folders + files if name.endswith((".part", ".lock")))


class Scene(InFolder):
    """A folder for a writer, as it was before, and what the writer makes of it."""

    def go(self, arguments, folder, writer, **environment):
        environment.setdefault("SEEDBED_FAULT_UNDER", folder)
        return subprocess.run([FAULTS, *arguments], cwd=folder, input=writer.text, capture_output=True, text=True, timeout=100,
                              env={**os.environ, **environment})

    def prepare(self, writer):
        before, after = self.path("before"), self.path("after")
        os.mkdir(before)
        for arguments in writer.before:
            self.assertIn(self.go(arguments, before, writer).returncode, (0, 1), arguments)
        shutil.copytree(before, after)
        done = self.go(writer.arguments, after, writer)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(leftovers(after), [], "a writer that is through leaves nothing else")
        self.old, self.new = everything(os.path.join(before, writer.target)), everything(os.path.join(after, writer.target))
        self.assertNotEqual(self.old, self.new)
        self.assertIsNotNone(self.new)

    def fresh(self, writer):
        shutil.rmtree(self.path("now"), ignore_errors=True)
        shutil.copytree(self.path("before"), self.path("now"))
        return self.path("now")

    def assert_old_or_new_or_resumable(self, writer, folder):
        target = os.path.join(folder, writer.target)
        there = everything(target)
        if there not in (self.old, self.new):
            self.assertIsInstance(self.new, dict, "a file is there whole or not at all")
            self.assertNotEqual(run("verify", target).returncode, 0, f"half of it verifies: {sorted(there or [])}")
        said = []
        for arguments in writer.resumes:
            if everything(target) != self.new or leftovers(folder):
                said.append(self.go(arguments, folder, writer).stderr)
        self.assertEqual(everything(target), self.new, f"going on does not finish it: {said}")


class Faults(Scene):
    def count(self, writer):
        log = self.path("log")
        done = self.go(writer.arguments, self.fresh(writer), writer, SEEDBED_FAULT_LOG=log)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(read(log).splitlines()[-1])

    @staticmethod
    def sample(n):
        if NIGHTLY or n <= SAMPLE + 4:
            return range(1, n + 1)
        return sorted({1, 2, n - 2, n - 1, n, *random.Random(n).sample(range(1, n + 1), SAMPLE)})

    def strike(self, writer, call, at, action):
        folder = self.fresh(writer)
        done = self.go(writer.arguments, folder, writer, SEEDBED_FAULT=f"{call}:{at}:{action}")
        target = os.path.join(folder, writer.target)
        if action == "kill":
            self.assertEqual(done.returncode, -signal.SIGKILL, "it did not come to that call")
        elif everything(target) != self.new:
            self.assertIn(done.returncode, (1, 2))
            self.assertRegex(done.stderr, r"seedbed: [^\n]+\n\Z")
        if action == "fail" and call != "unlink":
            self.assertEqual([name for name in leftovers(folder) if not name.endswith(".lock")],
                             ["out.part"] if writer.name == "certify" and everything(target) is None and leftovers(folder) else [])
        self.assert_old_or_new_or_resumable(writer, folder)

    def strike_everywhere(self, writer):
        self.prepare(writer)
        counts = self.count(writer)
        for call in CALLS:
            self.assertTrue(counts[call] > 0 or call == "unlink", f"{writer.name} calls no {call}")
            for at in self.sample(counts[call]):
                for action in ("fail", "kill"):
                    with self.subTest(writer=writer.name, call=call, at=at, action=action):
                        self.strike(writer, call, at, action)


class Disk:
    """What a file system may have of a folder's changes: what was flushed, and any part of what was not.

    Names are flushed with their folder, bytes with their file (fsync(2) promises no more)."""

    def __init__(self, folder):
        self.files, self.names, self.pending, self.folders = {}, {}, [], {folder}
        for here, folders, files in os.walk(folder):
            self.folders.update(os.path.join(here, name) for name in folders)
            for name in files:
                path = os.path.join(here, name)
                self.files[path] = {"now": read(path), "flushed": read(path)}
                self.names[path] = path
        self.now = dict(self.names)  # path -> file, as programs see it

    def apply(self, names, change):
        kind, path, other = change
        if kind == "link":
            names[path] = other
        elif kind == "rename" and path in names:
            names[other] = names.pop(path)
        elif kind == "unlink":
            names.pop(path, None)

    def change(self, event):
        path = event["path"].rstrip("/")
        kind = event["do"]
        if kind in ("create", "rename", "unlink"):
            if kind == "create":
                key = f"{path}:{len(self.files)}"
                self.files[key] = {"now": b"", "flushed": b""}
                change = ("link", path, key)
            else:
                change = (kind, path, event.get("to"))
            self.apply(self.now, change)
            self.pending.append(change)
        elif kind == "mkdir":
            self.folders.add(path)
        elif kind == "rmdir":
            self.folders.discard(path)
        elif kind == "sync" and path in self.folders:
            for change in [change for change in self.pending if os.path.dirname(change[1]) == path]:
                self.apply(self.names, change)
                self.pending.remove(change)
        elif path in self.now:
            file = self.files[self.now[path]]
            if kind == "sync":
                file["flushed"] = file["now"]
            elif kind == "truncate":
                file["now"] = file["now"][:event["at"]]
            elif kind == "write":
                data = bytes.fromhex(event["hex"])
                file["now"] = file["now"][:event["at"]].ljust(event["at"], b"\0") + data + file["now"][event["at"] + len(data):]

    def states(self, chance):
        """After a power failure: nothing of what was not flushed, all names without their bytes, and any part of both."""
        for share in (0, 1, 0.5):
            names = dict(self.names)
            for change in self.pending:
                if chance.random() < share:
                    self.apply(names, change)
            for keeps in ("flushed", "half") if share else ("flushed",):
                state = {}
                for path, key in names.items():
                    now, flushed = self.files[key]["now"], self.files[key]["flushed"]
                    state[path] = flushed if keeps == "flushed" or now == flushed else now[:len(now) // 2]
                yield state


class PowerFailures(Scene):
    def states_of(self, writer):
        log = self.path("log")
        folder = self.fresh(writer)
        disk = Disk(folder)
        self.go(writer.arguments, folder, writer, SEEDBED_FAULT_LOG=log)
        chance, seen = random.Random(writer.name), {}
        for line in read(log).splitlines()[:-1]:
            disk.change(json.loads(line))
            for state in disk.states(chance):
                seen.setdefault(json.dumps(sorted((path, content.hex()) for path, content in state.items())), (state, set(disk.folders)))
        last = everything(os.path.join(folder, writer.target))
        self.assertEqual(last, self.new)
        return list(seen.values())

    def lose_power_everywhere(self, writer):
        self.prepare(writer)
        states = self.states_of(writer)
        self.assertGreater(len(states), 3)
        chosen = states if NIGHTLY or len(states) <= STATES else random.Random(1).sample(states, STATES)
        for state, folders in chosen:
            folder = self.path("now")
            shutil.rmtree(folder)
            for path in sorted(folders):
                os.makedirs(path, exist_ok=True)
            for path, content in state.items():
                if os.path.isdir(os.path.dirname(path)):
                    write(path, content)
            with self.subTest(writer=writer.name, left={os.path.basename(path): len(content) for path, content in state.items()}):
                self.assert_old_or_new_or_resumable(writer, folder)


def add_tests():
    for writer in WRITERS:
        name = "test_" + writer.name.replace(" ", "_")
        setattr(Faults, name, lambda self, writer=writer: self.strike_everywhere(writer))
        setattr(PowerFailures, name, lambda self, writer=writer: self.lose_power_everywhere(writer))


add_tests()

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
