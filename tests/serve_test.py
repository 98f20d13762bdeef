"""Serving on a Unix socket, to clients that behave and clients that do not: serve_test.py path/to/seedbed"""
import contextlib
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples"))
sys.dont_write_bytecode = True
import client  # noqa: E402

BINARY = os.path.abspath(sys.argv[1])
EPISODE = "KeyDoorPuzzle-v0/medium#42"


def is_sanitized():
    """Address sanitizers take terabytes of address space: there, no limit on it."""
    with open(os.path.join(os.path.dirname(BINARY), "CMakeCache.txt"), encoding="utf-8") as file:
        return bool(re.search(r"^SEEDBED_SANITIZE:[A-Z]+=.*address", file.read(), re.M))


MEMORY = ["--memory", "0"] if is_sanitized() else []


class Served(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-serve-")
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "socket")
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            if server.poll() is None:
                server.kill()
            server.wait()
            server.stderr.close()

    def serve(self, *options):
        server = subprocess.Popen([BINARY, "serve", "--socket", self.path, *MEMORY, *options],
                                  stderr=subprocess.PIPE, text=True)
        self.servers.append(server)
        for _ in range(500):
            try:
                self.connect().close()
                return server
            except OSError:
                self.assertIsNone(server.poll(), "the server has ended")
                time.sleep(0.02)
        raise AssertionError("the server does not answer")

    def connect(self):
        raw = socket.socket(socket.AF_UNIX)
        try:
            raw.settimeout(60)
            raw.connect(self.path)
        except OSError:
            raw.close()
            raise
        self.addCleanup(raw.close)
        return raw

    def client(self):
        """One that gets a place: those of clients that have just left may be taken for a moment."""
        for _ in range(500):
            one = client.Seedbed(path=self.path)
            try:
                one.request("hello")
                self.addCleanup(self.leave, one)
                return one
            except (client.SeedbedError, OSError):
                time.sleep(0.02)
        raise AssertionError("no place")

    @staticmethod
    def leave(one):
        with contextlib.suppress(OSError):  # of a request that nobody read
            one.close()

    def end(self, server, number=signal.SIGTERM):
        server.send_signal(number)
        self.assertEqual(server.wait(timeout=60), 0)
        self.assertEqual(server.stderr.read(), "")
        self.assertFalse(os.path.lexists(self.path))

    def test_many_clients_play_at_once(self):
        server = self.serve()
        clients = [self.client() for _ in range(4)]
        states = [one.reset(EPISODE) for one in clients]
        while not states[0]["done"]:
            states = [one.step(one.request("hint")["action"]) for one in clients]
            self.assertTrue(all(state == states[0] for state in states))
        self.assertTrue(states[0]["success"])
        self.end(server)

    def test_limits_are_told_and_kept(self):
        server = self.serve("--clients", "2", "--envs", "3", "--timeout", "50")
        one = self.client()
        limits = one.request("hello")["limits"]
        self.assertEqual((limits["clients"], limits["envs"], limits["timeout_seconds"]), (2, 3, 50))
        with self.assertRaises(client.SeedbedError) as refused:
            one.reset(EPISODE, env=3)
        self.assertEqual(refused.exception.code, "invalid")
        two = self.client()
        with self.connect().makefile("rb") as third:
            self.assertEqual(json.loads(third.readline())["error"]["code"], "busy")
            self.assertEqual(third.read(), b"")
        two.close()
        self.client().reset(EPISODE)
        self.end(server)

    def test_clients_that_misbehave_harm_nobody(self):
        server = self.serve("--clients", "30")
        good = self.client()
        state = good.reset(EPISODE)
        for garbage in (b"\x00\xff{[", b"x" * 3000000, b'{"op": "reset", "na', b"[" * 100000 + b"\n", b"\n" * 1000):
            bad = self.connect()
            bad.setblocking(False)
            try:
                bad.send(garbage)  # as much as goes in; some stay open, some vanish
            except BlockingIOError:
                pass
            if len(garbage) % 2:
                bad.close()
            state = good.step("noop")
        deaf = self.connect()
        deaf.setblocking(False)
        request = b'{"op": "hello"}\n' * 100
        try:
            for _ in range(1000):
                deaf.send(request)  # and never reads a reply
        except BlockingIOError:
            pass
        for _ in range(5):
            state = good.step("noop")
        self.assertEqual(state["steps"], 10)
        self.assertTrue(self.client().reset(EPISODE)["ok"])
        self.end(server)

    def test_silent_and_deaf_clients_are_let_go(self):
        server = self.serve("--timeout", "1")
        silent, half, deaf = self.connect(), self.connect(), self.connect()
        half.sendall(b'{"op": "hel')
        deaf.setblocking(False)
        try:
            while True:
                deaf.send(b'{"op": "hello"}\n' * 100)
        except BlockingIOError:
            pass
        self.assertEqual(silent.recv(1), b"")
        self.assertEqual(half.recv(1), b"")
        deaf.settimeout(60)
        with self.assertRaises(OSError):
            while deaf.recv(1 << 16):  # what fitted into the socket, then the end
                pass
            raise ConnectionResetError
        self.end(server)

    @unittest.skipIf(is_sanitized(), "there is no limit on memory with sanitizers")
    def test_a_client_that_wants_too_much_memory_is_told_so(self):
        server = self.serve("--memory", "32", "--envs", "4096")
        greedy, modest = self.client(), self.client()
        names = [f"GoToGoal-v0/expert#{seed}" for seed in range(4096)]
        with self.assertRaises(client.SeedbedError) as refused:
            greedy.request("start", names=names, envs=4096, modes=["state"])
        self.assertEqual(refused.exception.code, "memory")
        self.assertTrue(greedy.reset(EPISODE)["ok"])
        self.assertTrue(modest.reset(EPISODE)["ok"])
        self.end(server)

    def test_the_socket_is_private_and_removed_by_every_signal_that_ends_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            server = self.serve()
            self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode), 0o600)
            busy = self.client()
            self.end(server, number)
            with self.assertRaises((client.SeedbedError, OSError)):
                busy.reset(EPISODE)

    def test_a_stale_socket_is_replaced_and_nothing_else_is(self):
        server = self.serve()
        server.kill()
        server.wait()
        self.assertTrue(os.path.exists(self.path))
        server = self.serve()
        second = subprocess.run([BINARY, "serve", "--socket", self.path], capture_output=True, text=True, timeout=60)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another server answers", second.stderr)
        self.assertTrue(self.client().reset(EPISODE)["ok"])
        self.end(server)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("precious")
        third = subprocess.run([BINARY, "serve", "--socket", self.path], capture_output=True, text=True, timeout=60)
        self.assertEqual(third.returncode, 2)
        self.assertIn("is no socket", third.stderr)
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_a_wrong_call_says_what_is_wrong(self):
        for options, words in (([], "--socket PATH"), (["--stdio", "--socket", "x"], "--socket PATH"),
                               (["--socket", "x" * 200], "choose a shorter one"),
                               (["--socket", "/no/such/folder/socket"], "cannot open the folder"),
                               (["--socket", "x", "--clients", "0"], "--clients is 1 to"),
                               (["--stdio", "--envs", "5000"], "--envs is 1 to 4096")):
            with self.subTest(options=options):
                done = subprocess.run([BINARY, "serve", *options], capture_output=True, text=True, timeout=60)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(words, done.stderr)

    def test_the_batch_of_the_example_plays_every_name(self):
        server = self.serve()
        names = [f"GoToGoal-v0/easy#{seed}" for seed in range(40)]
        self.assertEqual(sorted(client.play_many(self.client(), names)), sorted(names))
        self.end(server)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
