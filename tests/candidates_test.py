"""examples/models: the candidates, judged by `seedbed model check`; the sandbox; and the harness in which a language model writes one.

    python3 tests/candidates_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import shlex
import socket
import subprocess
import sys
import time
import unittest

from dataset_support import SEEDBED, InFolder, read, run, write
from sandbox_support import CLOSED, KEY, MODELS, SANDBOX, sandbox
from stub_endpoint import MODES, Bad, StubEndpoint

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

try:
    import numpy
except ImportError:
    numpy = None

GOOD = '''import json, sys
for line in sys.stdin:
    request = json.loads(line)
    answer = {}
    if request["op"] == "hello":
        answer = {"offers": ["predict"], "name": "stays"}
    if request["op"] == "predict":
        answer = {"z": request["z"], "done": False, "over": False}
    print(json.dumps(answer), flush=True)
'''


def fenced(program):
    return "Let me see.\n```python\n" + program + "```\n"


class Logs(InFolder):
    def log(self, name, *episodes, agent="random", most=40):
        """A log of the first actions of each episode."""
        text = b""
        for i, episode in enumerate(episodes):
            done = run("solve", episode, "--agent", agent, "--log", self.path(f"{name}.{i}"), "--quiet")
            self.assertIn(done.returncode, (0, 1), done.stderr)
            text += b"".join(read(self.path(f"{name}.{i}")).splitlines(True)[:1 + most])
        return write(self.path(name + ".jsonl"), text)

    def check(self, model, log, *flags, codes=(0, 1)):
        command = shlex.join([sys.executable, os.path.join(MODELS, model)])
        done = run("model", "check", log, "--model", command, "--timeout", "20", "--json", "--quiet", *flags)
        self.assertIn(done.returncode, codes, done.stderr[-2000:])
        return json.loads(done.stdout)


class Candidates(Logs):
    def test_the_copy_is_the_reference_row_of_that_name(self):
        report = self.check("copying.py", self.log("a", "arc:Echo/full#1", "autumn:Seesaw#2"))
        self.assertEqual(report["all"], {**report["copy"], "horizon": report["all"]["horizon"]})
        self.assertEqual((report["failures"], report["impure"]), ({}, {}))

    def test_the_table_is_the_reference_row_of_that_name(self):
        report = self.check("table.py", self.log("a", "autumn:Seesaw#2", "autumn:Seesaw#2"), "--learn")
        for key in ("retrodiction", "changes", "pixels"):
            self.assertEqual(report["all"][key], report["table"][key])
        self.assertGreater(report["table"]["retrodiction"], report["copy"]["retrodiction"])

    def test_the_table_knows_again_what_it_saved(self):
        log = self.log("a", "autumn:HeatBar#2")
        self.check("table.py", log, "--learn", "--save", self.path("known"))
        self.assertTrue(os.path.exists(self.path("known")))
        requests = [{"op": "hello", "width": 16, "height": 16}, {"op": "load", "path": self.path("known")}]
        done = subprocess.run([sys.executable, os.path.join(MODELS, "table.py")], input="".join(json.dumps(r) + "\n" for r in requests), capture_output=True, text=True)
        self.assertEqual([json.loads(line).get("error") for line in done.stdout.splitlines()], [None, None])

    @unittest.skipUnless(numpy, "needs NumPy")
    def test_the_objects_learner_predicts_episodes_that_it_has_not_seen(self):
        """Better than both reference rows on another seed, the same whenever it is asked, and without a failure."""
        train, test = self.log("train", "arc:Chimes/intro#1", "arc:Chimes/intro#2", agent="observer"), self.log("test", "arc:Chimes/intro#101", agent="observer")
        report = self.check("objects.py", train, "--split", "--test", test)["test"]
        for measure in ("retrodiction", "changes"):
            self.assertGreater(report["all"][measure], max(0.3, report["copy"][measure], report["table"][measure]))
        self.assertEqual((report["failures"], report["impure"]), ({}, {}))

    @unittest.skipUnless(numpy, "needs NumPy")
    def test_the_objects_learner_knows_again_what_it_saved(self):
        import cells
        import objects
        learner, other = objects.Program(), objects.Program()
        shape = {"width": 8, "height": 8}
        learner.hello(shape), other.hello(shape)
        frames = ["0" * x + "1" + "0" * (63 - x) for x in range(20, 26)]
        for before, after in zip(frames, frames[1:]):
            h = learner.history({"h": None, "z": {"frame": before}, "action": {"id": "right"}, "m": {"level": 1}})["h"]
            learner.learn({"z": {"frame": before}, "h": h, "action": {"id": "right"}, "z_next": {"frame": after}, "kind": "step"})
        question = {"z": {"frame": "0" * 34 + "1" + "0" * 29}, "action": {"id": "right"}, "m": {"level": 1}, "h": None}
        question["h"] = learner.history(question)["h"]
        learner.save({"path": self.path("known")}), other.load({"path": self.path("known")})
        self.assertEqual(learner.predict(question), other.predict(question))
        self.assertEqual(learner.predict(question)["z"]["frame"], "0" * 35 + "1" + "0" * 28)
        self.assertEqual(cells.write_frame(cells.read_frame(frames[0], 8, 8)), frames[0])


class Sandbox(InFolder):
    def sandboxed(self, program, *flags, text=None):
        command = [sys.executable, SANDBOX, "--folder", self.path("mine"), *flags, "--", sys.executable, "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, input=text, timeout=900)
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    def test_exits_are_told_apart(self):
        flags = () if CLOSED else ("--no-sandbox",)
        cases = (("raise SystemExit(7)", (), 7), ("while True: pass", ("--seconds", "1"), sandbox.OUT_OF_TIME), ("import time; time.sleep(30)", ("--seconds", "1"), sandbox.OUT_OF_TIME),
                 ("import os; os.kill(os.getpid(), 9)", (), sandbox.KILLED), ("x = bytearray(900 << 20)", ("--memory", "300"), 1))
        for program, more, code in cases:
            self.assertEqual(self.sandboxed(program, *flags, *more)[0], code, program)
        done = subprocess.run([sys.executable, SANDBOX, *flags, "--", "no-such-program"], capture_output=True, text=True)
        self.assertEqual(done.returncode, sandbox.NO_START)

    def test_a_folder_does_not_grow_without_end(self):
        program = "import time\nfor i in range(9): open(f'f{i}', 'wb').write(bytes(1 << 20))\ntime.sleep(20)"
        self.assertEqual(self.sandboxed(program, "--disk", "4", *(() if CLOSED else ("--no-sandbox",)))[0], sandbox.OUT_OF_DISK)

    def test_keys_in_the_environment_do_not_get_in(self):
        os.environ["OPENAI_API_KEY"] = KEY
        self.addCleanup(os.environ.pop, "OPENAI_API_KEY")
        code, out, _ = self.sandboxed("import os; print(dict(os.environ))", *(() if CLOSED else ("--no-sandbox",)))
        self.assertEqual(code, 0)
        self.assertNotIn(KEY, out)

    def test_without_namespaces_nothing_is_run(self):
        """A PATH without unshare stands for a machine without namespaces."""
        os.makedirs(self.path("bin"))
        environment = {**os.environ, "PATH": self.path("bin")}
        touch = f"open({self.path('touched')!r}, 'w')"
        done = subprocess.run([sys.executable, SANDBOX, "--", sys.executable, "-c", touch], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, sandbox.NO_SANDBOX)
        self.assertIn("--no-sandbox", done.stderr)
        self.assertFalse(os.path.exists(self.path("touched")))
        done = subprocess.run([sys.executable, SANDBOX, "--no-sandbox", "--", sys.executable, "-c", touch], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.exists(self.path("touched")))

    @unittest.skipUnless(CLOSED, "there are no namespaces here")
    def test_no_socket_reaches_a_listener(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            program = f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2)"
            self.assertEqual(self.sandboxed(program)[0], 1)
            with self.assertRaises(TimeoutError):
                server.accept()
            self.assertEqual(self.sandboxed(program, "--no-sandbox")[0], 0, "the listener listens")

    @unittest.skipUnless(CLOSED, "there are no namespaces here")
    def test_files_are_out_of_reach(self):
        """It writes into its folder only, and reads neither the answers nor who is who on this machine."""
        secret = write(self.path("answers.json"), "42")
        program = f"""import os
open("mine", "w").write("x")
for path in ({self.path("outside")!r}, "/usr/x", "/x", "/tmp/x", "/dev/x", {os.path.join(MODELS, "x")!r}):
    try:
        open(path, "w")
        print("wrote", path)
    except OSError:
        pass
print([path for path in ({secret!r}, "/etc/passwd", {ROOT + "/CMakeLists.txt"!r}, "/root/.bashrc", "/proc/1/environ") if os.access(path, os.R_OK)])
"""
        self.assertEqual(self.sandboxed(program), (0, "[]", ""))
        self.assertEqual(os.listdir(self.path("mine")), ["mine"])
        self.assertEqual(self.sandboxed(f"print(open({secret!r}).read())", "--show", secret), (0, "42", ""))
        self.assertEqual(self.sandboxed(f"open({secret!r}, 'w')", "--show", secret)[0], 1)

    @unittest.skipUnless(CLOSED, "there are no namespaces here")
    def test_processes_are_few_and_end_with_it(self):
        program = """import os, time
n = 0
try:
    while n < 60:
        if os.fork() == 0:
            time.sleep(60)
        n += 1
except OSError:
    pass
print(n)
"""
        began = time.monotonic()
        code, out, _ = self.sandboxed(program, "--processes", "10")
        self.assertEqual(code, 0)
        self.assertLess(int(out), 12)
        self.assertLess(time.monotonic() - began, 30, "it did not wait for them")

    @unittest.skipUnless(CLOSED, "there are no namespaces here")
    def test_it_has_no_rights_to_undo_the_view(self):
        program = """import ctypes
libc = ctypes.CDLL(None)
print([libc.mount(b"none", b"/usr", None, 32 | 4096, None), libc.umount2(b"/usr", 2), libc.unshare(0x00020000), libc.chroot(b".")])
"""
        self.assertEqual(self.sandboxed(program), (0, "[-1, -1, -1, -1]", ""))

    @unittest.skipUnless(CLOSED, "there are no namespaces here")
    def test_who_kills_the_sandbox_kills_the_program(self):
        command = [sys.executable, SANDBOX, "--folder", self.path("mine"), "--", sys.executable, "-c", "import time\nwhile True: open('alive', 'w').write(str(time.time())); time.sleep(0.05)"]
        with subprocess.Popen(command) as process:
            for _ in range(400):
                if os.path.exists(self.path("mine/alive")):
                    break
                time.sleep(0.05)
            process.kill()
        written, end = None, time.monotonic() + 60
        while written != (written := os.stat(self.path("mine/alive")).st_mtime_ns):  # a program that is alive writes twenty times a second
            self.assertLess(time.monotonic(), end, "the program is still alive")
            time.sleep(1)


class Written(Logs):
    """A language model writes a world model; the stub answers canned programs."""

    def write_model(self, answer, *flags, code=0, key=None):
        train, test = self.path("train.jsonl"), self.path("test.jsonl")
        if not os.path.exists(train):
            train, test = self.log("train", "autumn:Seesaw#1", most=12), self.log("test", "autumn:Seesaw#101", most=12)
        with StubEndpoint(answer) as server:
            command = [sys.executable, os.path.join(MODELS, "write_model.py"), "--train", train, "--test", test, "-o", self.path("out"), "--model", "tiny", "--url", server.url,
                       "--retries", "0", "--seedbed", SEEDBED, "--seconds", "20", *(() if CLOSED else ("--no-sandbox",)), *flags]
            environment = {**os.environ, "OPENAI_API_KEY": key or ""}
            done = subprocess.run(command, capture_output=True, text=True, timeout=900, env=environment)
            self.heard = [body["messages"] for _, body, _ in server.heard]
        self.assertEqual(done.returncode, code, done.stderr[-3000:])
        self.log_of_run = done.stderr
        path = self.path("out/result.json")
        return json.loads(read(path)) if os.path.exists(path) else None

    def test_a_good_program_is_scored_on_the_other_log(self):
        result = self.write_model(lambda body, n: fenced(GOOD), "--revisions", "0", key=KEY)
        self.assertEqual(result["test"]["all"]["retrodiction"], result["test"]["copy"]["retrodiction"])
        self.assertIn("autumn:Seesaw", json.dumps(result["test"]["games"]))
        prompt = self.heard[0][0]["content"]
        self.assertIn("A play begins", prompt)
        self.assertNotIn("#101", prompt)
        for where, _, names in os.walk(self.path("out")):
            for name in names:
                self.assertNotIn(KEY.encode(), read(os.path.join(where, name)))

    def test_numpy_is_promised_only_where_it_is(self):
        os.makedirs(self.path("hidden"))
        write(self.path("hidden/sitecustomize.py"), "import sys\nsys.modules['numpy'] = None\n")
        self.write_model(lambda body, n: fenced(GOOD), "--revisions", "0")
        self.assertEqual("NumPy" in self.heard[0][0]["content"], bool(numpy))
        os.environ["PYTHONPATH"] = self.path("hidden")
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        self.write_model(lambda body, n: fenced(GOOD), "--revisions", "0", "-o", self.path("other"))
        self.assertNotIn("NumPy", self.heard[0][0]["content"])

    def test_failures_are_shown_and_repaired(self):
        answers = {1: "I do not know.", 2: fenced("print('hm')\n"), 3: fenced(GOOD)}
        result = self.write_model(lambda body, n: answers[n], "--revisions", "2")
        self.assertIn("no block of code", self.heard[1][2]["content"])
        self.assertGreater(len(self.heard[2][2]["content"]), 60)
        self.assertEqual(result["best"], 2)
        self.assertEqual([bool(one["program"]) for one in result["rounds"]], [False, False, True])

    def test_programs_in_thoughts_are_none_and_no_empty_message_is_sent(self):
        answers = {1: "<think>" + fenced("print('hm')\n") + "</think>", 2: "<think>so</think>" + fenced(GOOD)}
        result = self.write_model(lambda body, n: answers[n], "--revisions", "1")
        self.assertEqual([bool(one["program"]) for one in result["rounds"]], [False, True])
        self.assertTrue(all(message["content"].strip() for message in self.heard[1]))
        self.assertNotIn("think>", json.dumps(self.heard[1]))

    def test_failures_of_a_provider_are_no_answers(self):
        for name in ("finish reason error", "Retry After inf"):
            self.write_model(lambda body, n, name=name: MODES[name].behave, "--retries", "1", "--max-wait", "0.01", "--backoff", "0.01", code=1)
            self.assertEqual(len(self.heard), 2)
            self.assertIn("the same command goes on", self.log_of_run)
            self.assertNotIn("Traceback", self.log_of_run)
        self.assertIsNotNone(self.write_model(lambda body, n: fenced(GOOD)))

    def test_first_mismatches_are_told(self):
        wrong = GOOD.replace('"z": request["z"]', '"z": {"frame": "1" * len(request["z"]["frame"])}')
        self.write_model(lambda body, n: fenced(wrong), "--revisions", "1")
        self.assertIn("first wrong prediction", self.heard[1][2]["content"])

    def test_a_program_that_hangs_is_ended(self):
        result = self.write_model(lambda body, n: fenced("import time\ntime.sleep(1000)\n"), "--revisions", "0", "--seconds", "3")
        self.assertIsNone(result["test"])

    @unittest.skipUnless(CLOSED, "there are no namespaces here")
    def test_a_program_that_wants_the_network_does_not_get_it(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            calling = f"import socket\ntry:\n    socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 2)\nexcept OSError:\n    pass\n"
            result = self.write_model(lambda body, n: fenced(calling + GOOD), "--revisions", "0")
            with self.assertRaises(TimeoutError):
                server.accept()
        self.assertEqual(result["test"]["failures"], {})

    def test_an_interrupted_run_goes_on(self):
        self.write_model(lambda body, n: fenced("garbage(\n") if n == 1 else Bad.status(401), "--revisions", "1", code=1)
        result = self.write_model(lambda body, n: fenced(GOOD), "--revisions", "1")
        self.assertEqual(len(self.heard), 1, "the first program was not asked for again")
        self.assertEqual(result["best"], 1)
        self.write_model(lambda body, n: "", "--revisions", "3", code=1)
        self.assertIn("other settings", self.log_of_run)

    def test_logs_that_share_an_episode_are_refused(self):
        log = self.log("train", "autumn:Seesaw#1", most=5)
        write(self.path("test.jsonl"), read(log))
        self.write_model(lambda body, n: "", code=2)
        self.assertIn("both logs", self.log_of_run)


class Packs(InFolder):
    def packs(self, name, *flags, code=0):
        done = subprocess.run([sys.executable, os.path.join(MODELS, "make_packs.py"), "-o", self.path(name), "--seedbed", SEEDBED, "--games", "arc:Moss,autumn:Seesaw", "--steps", "10",
                               "--train", "1..2", "--test", "5", *flags], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_packs_are_the_same_whenever_they_are_made_and_verify(self):
        self.packs("a"), self.packs("b")
        self.assertEqual({name: read(self.path("a/" + name)) for name in os.listdir(self.path("a"))}, {name: read(self.path("b/" + name)) for name in os.listdir(self.path("b"))})
        manifest = json.loads(read(self.path("a/manifest.json")))
        self.assertEqual(len(manifest["files"]), 4)
        for name in manifest["files"]:
            self.assertEqual(run("verify", self.path("a/" + name)).returncode, 0)

    def test_shared_seeds_are_refused(self):
        self.assertIn("share", self.packs("a", "--test", "2,9", code=2))


class Page(InFolder):
    """The commands of docs/world-models.md that are about these programs."""

    WALKS = fenced("def act(api, memory):\n    return api.path_to(*api.get_nearest('goal').position)[0]\n")
    PACKAGE = os.path.join(os.path.dirname(SEEDBED), "python")

    def commands(self):
        text = read(os.path.join(ROOT, "docs", "world-models.md")).decode().partition("\n## Write a candidate\n")[2]
        return [line.strip() for line in text.splitlines() if line.startswith(("    python3 ", "    seedbed "))]

    def can_run(self, command, environment):
        if any(name in command for name in ("write_bot", "walks", "keys/")):
            return subprocess.run([sys.executable, "-c", "import seedbed; seedbed.make"], env=environment, capture_output=True).returncode == 0
        return numpy or "objects.py" not in command

    def test_they_work(self):
        commands = self.commands()
        self.assertGreater(len(commands), 8)
        os.makedirs(self.path("bin"))
        os.symlink(os.path.join(ROOT, "examples"), self.path("examples"))
        os.symlink(SEEDBED, self.path("bin/seedbed"))
        write(self.path("bin/python3"), f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        os.chmod(self.path("bin/python3"), 0o755)
        with StubEndpoint(lambda body, n: self.WALKS if "def act(" in json.dumps(body["messages"][0]) else fenced(GOOD)) as server:
            environment = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"], "PYTHONPATH": self.PACKAGE}
            for command in commands:
                line = command.replace("http://localhost:8000/v1", server.url)
                if not CLOSED:
                    line = line.replace("sandbox.py ", "sandbox.py --no-sandbox ").replace("--model NAME", "--model NAME --no-sandbox")
                if self.can_run(command, environment):
                    done = subprocess.run(line, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=900)
                    self.assertIn(done.returncode, (0, 1) if "check" in command or "solve" in command else (0,), command + done.stderr[-2000:])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
