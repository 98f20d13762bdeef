"""Tests every writer of the program when system calls fail, when it is killed, and when the power fails.

    python3 tests/writers_test.py BUILD/seedbed BUILD/tests/seedbed-toy

WRITERS lists everything that the program writes; a new writer gets a line here. For each writer the n-th open, write, fsync,
rename, unlink or close fails, or kills the process (tests/faults/calls.c). The files are then the old ones, or the new ones,
or they do not verify and the writer's own command for resuming finishes them. The same must hold for every state of the disk
that a power failure may leave: any part of the changes since the last flush may be lost. With SEEDBED_NIGHTLY set, every
call is tried, otherwise a sample, and under sanitizers a smaller one.
"""
import fcntl
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

from dataset_support import SEEDBED, InFolder, read, run, write

FAULTS = os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "seedbed-faults")
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
CALLS = ["open", "write", "fsync", "rename", "unlink", "close"]
SLOW = bool(os.environ.get("SEEDBED_SLOW"))  # under sanitizers
STATES = 2 if SLOW else 6  # states of the disk that are tried

RECIPE = ["--tasks", "PreciseNavigation,KeyDoorPuzzle", "-d", "easy", "--seeds", "0..19", "--shard-episodes", "16", "-j", "1", "-q"]
OTHER = ["--tasks", "PreciseNavigation", "-d", "easy", "--seeds", "0..9", "-j", "1", "-q"]
EPISODES = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..2", "-j", "1", "-q"]


class Writer:
    """A command that writes: `arguments` make `target`; `before` are the runs that prepare the folder; `resumes` are the
    commands by which a user may resume, tried in this order. `text` goes to standard input. A writer that `keeps` leaves what it
    has done for its own resumption if a call fails; one that `appends` to the files that are there renames none."""

    def __init__(self, name, arguments, before=(), resumes=(), target="out", text=None, keeps=False, appends=False):
        self.name, self.arguments, self.before, self.keeps, self.appends = name, arguments, before, keeps, appends
        self.resumes, self.target, self.text = resumes or (arguments,), target, text


BUILD = ["build", *RECIPE, "-f", "steps,npz", "-o", "out"]
EXTEND = ["build", "--extend", "--seeds", "20..39", "-j", "1", "-q", "-o", "out"]
PICTURES = ["build", *RECIPE, "--format", json.dumps([{"format": "chat", "pixels": {"look": "flat"}}]), "-o", "out"]
OLD = ["build", *OTHER, "-o", "out"]
PARTS = [["build", *RECIPE, "--shard", f"{i}/2", "-o", f"part{i}"] for i in (1, 2)]
MERGE = ["merge", "part1", "part2", "-o", "out", "-q"]
RENDER = ["render", "out", "-f", "npz,trajectories", "-j", "1", "-q"]
RESULT = ["eval", *EPISODES, "-o", "result.json"]
EVAL = ["eval", *EPISODES, "-o", "out"]
RESULTS = [["eval", *EPISODES, "--shard", f"{i}/2", "-o", f"part{i}.json"] for i in (1, 2)]
EXPERIMENT = ["eval", os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "experiment.json"), "-j", "1", "-q", "-o", "out"]
TAPES = ["solve", *EPISODES, "-o", "tapes.jsonl"]
GAME = ["solve", "arc:Fold/intro#3", "-q", "-o", "game.jsonl"]
GAME_RESULT = ["eval", "arc:Fold/intro#3", "-q", "-o", "game.json"]
TASK = ["--tasks", "PreciseNavigation", "-d", "easy", "-q"]
# A program that always walks up; the shell is the program, so it starts at once.
WALKER = ("""exec:while read -r line; do case $line in *'"op": "hello"'*) echo '{"protocol": 1, "name": "walker", "modes": []}';; """
          """*'"op": "close"'*) exit;; *) echo '{"action": 1}';; esac; done""")
# A model to which all frames are the same, and which cannot draw them.
STILL = ("""while read -r line; do case $line in *'"op":"hello"'*) echo '{"name": "still", "offers": ["predict", "encode", "render"]}';; """
         """*'"op":"predict"'*|*'"op":"encode"'*) echo '{"z": 0}';; *'"op":"close"'*) exit;; *) echo '{"error": "no"}';; esac; done""")
# A study, and what two people played in it, the second alone in a file of its own.
STUDY, PEOPLE, PERSON = (os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "study", name) for name in ("study.json", "people.jsonl", "person.jsonl"))
LOG = ["solve", "arc:Fold/intro#3", "-q", "--log", "log.jsonl"]
CHECK = ["model", "check", "log.jsonl", "--model", STILL, "--timeout", "60", "-q", "--ledger", "out"]
ARENA = ["arena", "arc:Fold/intro#3", "-q", "--team", os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "arena", "team.json"), "-o", "out"]
PLAYED = ["build", *TASK, "--split", "train", "-n", "3", "-j", "1", "--agent", WALKER, "-o", "out"]
WRITERS = [
    Writer("build", BUILD, resumes=([*BUILD, "--resume"],)),
    Writer("build with pictures", PICTURES, resumes=([*PICTURES, "--resume"],)),
    Writer("build over another dataset", [*BUILD, "--force"], before=[OLD], resumes=([*BUILD, "--resume"], [*BUILD, "--force"])),
    Writer("build from a program", PLAYED, resumes=([*PLAYED, "--resume"],)),
    Writer("build a part", PARTS[0], target="part1", resumes=([*PARTS[0], "--resume"],)),
    Writer("extend", EXTEND, before=[BUILD], resumes=([*EXTEND, "--resume"], EXTEND)),
    Writer("render", RENDER, before=[OLD], resumes=(["render", "out", "--resume", "-j", "1", "-q"], RENDER)),
    Writer("merge", MERGE, before=PARTS),
    Writer("merge over another dataset", [*MERGE, "--force"], before=[*PARTS, OLD]),
    Writer("certify", ["certify", *EPISODES, "-o", "out"], keeps=True),
    Writer("challenges", ["challenges", "--tasks", "Triad", "--kinds", "change", "--levels", "1", "-j", "1", "-q", "-o", "out"], keeps=True),
    Writer("solve", ["solve", *EPISODES, "-o", "out"]),
    Writer("solve over other tapes", ["solve", *EPISODES, "-o", "out"], before=[["solve", *EPISODES, "--agent", "random", "-o", "out"]]),
    Writer("show", ["show", "GoToGoal/easy#0", "-o", "out"]),
    Writer("film", ["solve", "GoToGoal/easy#0", "--film", "out.gif"], target="out.gif"),
    Writer("raw film", ["solve", "GoToGoal/easy#0", "--film", "out.rgb"], target="out.rgb"),
    Writer("seeds", ["seeds", *TASK, "-n", "3", "-o", "out"]),
    Writer("eval", EVAL, resumes=([*EVAL, "--resume"],), keeps=True),
    Writer("eval over another result", EVAL, before=[[*EVAL, "--agent", "random"]], resumes=([*EVAL, "--resume"], EVAL), keeps=True),
    Writer("experiment", EXPERIMENT, resumes=([*EXPERIMENT, "--resume"],), keeps=True),
    Writer("merge results", ["merge", "part1.json", "part2.json", "-o", "out", "-q"], before=RESULTS),
    Writer("report", ["report", "result.json", "--html", "out", "-q"], before=[RESULT]),
    Writer("scorecard", ["report", "game.json", "--scorecard", "out", "-q"], before=[GAME_RESULT]),
    Writer("replay", ["replay", "tapes.jsonl", "-q", "-o", "out"], before=[TAPES]),
    Writer("recording", ["replay", "game.jsonl", "-q", "--recording", "out"], before=[GAME]),
    Writer("log", ["log", "game.jsonl", "-q", "-o", "out"], before=[GAME]),
    Writer("log of solve", ["solve", "arc:Fold/intro#3", "-q", "--log", "out"]),
    Writer("baseline", ["baseline", *TASK, "-j", "1", "-o", "out"]),
    Writer("ledger", [*CHECK, "--revision", "1"], before=[LOG]),  # so that what is done is not done again
    Writer("ledger of a later revision", [*CHECK, "--revision", "7"], before=[LOG, CHECK]),
    Writer("page of a check", ["model", "check", "log.jsonl", "--model", STILL, "--timeout", "60", "-q", "--html", "out"], before=[LOG]),
    Writer("regressions", ["model", "regressions", "log.jsonl", "--model", STILL, "--timeout", "60", "-q", "-o", "out"], before=[LOG]),
    Writer("log of planning", ["model", "plan", "arc:Lantern/intro#3", "--model", STILL, "--timeout", "60", "-q", "--actions", "4", "--log", "out"]),
    Writer("arena", ARENA, resumes=([*ARENA, "--resume"],), keeps=True),
    Writer("play", ["play", "GoToGoal/easy#0", "-q", "-o", "out"], text="wwq"),
    Writer("study", ["study", "add", STUDY, PEOPLE, "-q", "-o", "out"]),
    Writer("study with more plays", ["study", "add", STUDY, PEOPLE, "-q", "-o", "out"], before=[["study", "add", STUDY, PERSON, "-q", "-o", "out"]],
           appends=True),
    Writer("study that forgets", ["study", "forget", "0000000000000001", "out"], before=[["study", "add", STUDY, PEOPLE, "-q", "-o", "out"]]),
    Writer("humans", ["humans", "plays", "-q", "-o", "out"], before=[["study", "add", STUDY, PEOPLE, "-q", "-o", "plays"]]),
]


def everything(path):
    """Returns what is under a final name: the bytes of a file, the names and bytes of a folder, None if it does not exist."""
    if os.path.isdir(path):
        paths = [os.path.join(here, name) for here, _, names in os.walk(path) for name in names]
        files = {os.path.relpath(one, path): read(one) for one in paths if not one.endswith((".part", ".lock", "/times.jsonl"))}
        if "manifest.json" in files:
            for name in ("journal.jsonl", "playing.jsonl", "played.jsonl"):
                files.pop(name, None)  # the dataset was complete, and only this was not removed yet
        return files or None
    return read(path) if os.path.exists(path) else None


def leftovers(folder):
    return sorted(name for _, folders, files in os.walk(folder) for name in folders + files if name.endswith((".part", ".lock")))


class Scene(InFolder):
    """The folder of a writer: its content before, and after the writer has run."""

    def go(self, arguments, folder, writer, **environment):
        environment.setdefault("SEEDBED_FAULT_UNDER", folder)
        return subprocess.run([FAULTS, *arguments], cwd=folder, input=writer.text, capture_output=True, text=True, timeout=900,
                              env={**os.environ, **environment})

    def prepare(self, writer):
        before, after = self.path("before"), self.path("after")
        os.mkdir(before)
        for arguments in writer.before:
            self.assertIn(self.go(arguments, before, writer).returncode, (0, 1), arguments)
        shutil.copytree(before, after)
        done = self.go(writer.arguments, after, writer)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertEqual(leftovers(after), [], "a finished writer leaves no other files")
        self.old, self.new = everything(os.path.join(before, writer.target)), everything(os.path.join(after, writer.target))
        self.assertNotEqual(self.old, self.new)
        self.assertIsNotNone(self.new)

    def fresh(self, writer):
        shutil.rmtree(self.path("now"), ignore_errors=True)
        shutil.copytree(self.path("before"), self.path("now"))
        return self.path("now")

    @staticmethod
    def wait_for_children(folder):
        """Waits until nobody holds a lock: a process that the killed one had just forked does, until it has closed its descriptors."""
        for here, _, names in os.walk(folder):
            for name in (name for name in names if name.endswith(".lock")):
                with open(os.path.join(here, name), "a", encoding="utf-8") as lock:
                    until = time.monotonic() + 10
                    while time.monotonic() < until:
                        try:
                            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                            break
                        except BlockingIOError:
                            time.sleep(0.01)

    def assert_old_or_new_or_resumable(self, writer, folder):
        self.wait_for_children(folder)
        target = os.path.join(folder, writer.target)
        there = everything(target)
        if there not in (self.old, self.new):
            self.assertIsInstance(self.new, dict, "a file must be complete or absent")
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
        """Which of n calls are tried, and what they do."""
        if NIGHTLY:
            return [(at, action) for at in range(1, n + 1) for action in ("fail", "kill")]
        if not n:
            return []
        some = {(1, "fail"), (n, "kill")}
        return sorted(some if SLOW else some | {(random.Random(n).randint(1, n), "kill"), (max(n - 1, 1), "fail")})

    def strike(self, writer, call, at, action):
        folder = self.fresh(writer)
        done = self.go(writer.arguments, folder, writer, SEEDBED_FAULT=f"{call}:{at}:{action}")
        target = os.path.join(folder, writer.target)
        if action == "kill":
            self.assertEqual(done.returncode, -signal.SIGKILL, "the writer did not make that call")
        elif everything(target) != self.new:
            self.assertIn(done.returncode, (1, 2))
            self.assertRegex(done.stderr, r"seedbed: [^\n]+\n\Z")
        if action == "fail" and call != "unlink":
            kept = {name for name in leftovers(folder) if not name.endswith(".lock")}
            if isinstance(self.new, dict) and writer.keeps:  # the journal of the result that was being made
                self.assertLessEqual({name.removesuffix(".part") for name in kept}, set(self.new))
                self.assertLessEqual(len(kept), 1)
            else:
                self.assertLessEqual(kept, {"out.part", "out.answers.part"} if writer.keeps else set())
        self.assert_old_or_new_or_resumable(writer, folder)

    def strike_everywhere(self, writer):
        self.prepare(writer)
        counts = self.count(writer)
        for call in CALLS:
            self.assertTrue(counts[call] > 0 or call == "unlink" or (writer.appends and call == "rename"), f"{writer.name} calls no {call}")
            for at, action in self.sample(counts[call]):
                with self.subTest(writer=writer.name, call=call, at=at, action=action):
                    self.strike(writer, call, at, action)


class Disk:
    """Simulates what a file system may keep of a folder's changes: everything that was flushed, and any part of the rest.

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
        """Yields states after a power failure: nothing that was not flushed; all names without their bytes; any part of both."""
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


class Locks(Scene):
    def hold(self, path):
        """Starts another process that holds the lock, and returns its id."""
        code = ("import fcntl, os, sys\nlock = open(sys.argv[1], 'a')\nfcntl.flock(lock, fcntl.LOCK_EX)\n"
                "lock.write('process 12 on elsewhere: somebody')\nlock.flush()\nprint(flush=True)\nsys.stdin.read()")
        holder = subprocess.Popen([sys.executable, "-c", code, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(holder.communicate)
        holder.stdout.readline()
        return holder

    def lock_of(self, writer, folder):
        target = os.path.join(folder, writer.target)
        if not isinstance(self.new, dict):
            return target + ".seedbed.lock"
        os.makedirs(target, exist_ok=True)
        return os.path.join(target, ".seedbed.lock")

    def check_lock(self, writer):
        self.prepare(writer)
        folder = self.fresh(writer)
        lock = self.lock_of(writer, folder)
        holder = self.hold(lock)
        done = self.go(writer.arguments, folder, writer)
        self.assertEqual(done.returncode, 1, "nobody waits")
        self.assertRegex(done.stderr, r"\Aseedbed: \S+ is being written by process 12 on elsewhere: somebody; [^\n]+\n\Z")
        self.assertEqual(everything(os.path.join(folder, writer.target)), self.old)
        holder.kill()
        holder.wait()
        self.assertTrue(os.path.exists(lock), "a killed writer leaves the file, and the kernel frees the lock")
        self.assertIn(self.go(writer.arguments, folder, writer).returncode, (0, 1))
        self.assertEqual(everything(os.path.join(folder, writer.target)), self.new)
        self.assertEqual(leftovers(folder), [])

    def check_no_lock(self, writer):
        self.prepare(writer)
        folder = self.fresh(writer)
        done = self.go(writer.arguments, folder, writer, SEEDBED_FAULT_NO_LOCKS="1")
        self.assertIn(done.returncode, (0, 1))
        self.assertIn("this file system cannot lock files", done.stderr)
        self.assertEqual(everything(os.path.join(folder, writer.target)), self.new)
        self.assertEqual(leftovers(folder), [])

    def test_two_writers_at_once(self):
        for writer in (WRITERS[0], next(writer for writer in WRITERS if writer.name == "solve")):
            for attempt in range(10):
                folder = os.path.join(self.folder, f"{writer.name}{attempt}")
                os.mkdir(folder)
                children = [subprocess.Popen([SEEDBED, *writer.resumes[0]], cwd=folder, stderr=subprocess.PIPE, text=True) for _ in range(2)]
                said = [child.communicate(timeout=900)[1] for child in children]
                codes = sorted(child.returncode for child in children)
                with self.subTest(writer=writer.name, attempt=attempt, said=said):
                    self.assertIn(codes, ([0, 0], [0, 1]), "one writes; the other writes after it, or is refused")
                    self.assertEqual(run("verify", os.path.join(folder, "out")).returncode, 0)
                    self.assertEqual(leftovers(folder), [])

    def test_a_foreign_file_in_place_of_the_lock_is_not_touched(self):
        secret = write(self.path("secret"), "mine")
        for make in (lambda path: os.symlink(secret, path), lambda path: os.link(secret, path), os.mkfifo, os.mkdir):
            make(self.path("out.seedbed.lock"))
            self.refuse(["solve", "GoToGoal/easy#0", "-o", self.path("out")], 1, "out.seedbed.lock" if make is not os.mkdir else "out")
            self.assertEqual(read(secret), b"mine")
            (os.rmdir if os.path.isdir(self.path("out.seedbed.lock")) else os.unlink)(self.path("out.seedbed.lock"))


def add_tests():
    for writer in WRITERS:
        name = "test_" + writer.name.replace(" ", "_")
        setattr(Faults, name, lambda self, writer=writer: self.strike_everywhere(writer))
        setattr(Locks, name + "_is_told_who_writes", lambda self, writer=writer: self.check_lock(writer))
        setattr(Locks, name + "_without_locks", lambda self, writer=writer: self.check_no_lock(writer))
        setattr(PowerFailures, name, lambda self, writer=writer: self.lose_power_everywhere(writer))


add_tests()

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
