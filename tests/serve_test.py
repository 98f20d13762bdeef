"""Tests serving on a Unix socket, to well-behaved and hostile clients: serve_test.py path/to/seedbed"""
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

from process_support import is_alive, is_sanitized, wait_for_server

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples"))
sys.dont_write_bytecode = True
import client  # noqa: E402

BINARY = os.path.abspath(sys.argv[1])
EPISODE = "KeyDoorPuzzle-v0/medium#42"
MEMORY = ["--memory", "0"] if is_sanitized(BINARY) else []


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

    def serve(self, *options, **how):
        server = subprocess.Popen([BINARY, "serve", "--socket", self.path, *MEMORY, *options],
                                  stderr=subprocess.PIPE, text=True, **how)
        self.servers.append(server)
        wait_for_server(server, self.path)
        return server

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
        """Connects a client, and tries again while the places of clients that have just left are still taken."""
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
        with contextlib.suppress(OSError):  # caused by a request that nobody read
            one.close()

    def end(self, server, number=signal.SIGTERM):
        server.send_signal(number)
        self.assertEqual(server.wait(timeout=900), 0)
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

    def test_limits_are_reported_and_kept(self):
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

    def test_clients_that_misbehave_harm_no_other_client(self):
        server = self.serve("--clients", "30")
        good = self.client()
        state = good.reset(EPISODE)
        for garbage in (b"\x00\xff{[", b"x" * 3000000, b'{"op": "reset", "na', b"[" * 100000 + b"\n", b"\n" * 1000):
            bad = self.connect()
            bad.setblocking(False)
            try:
                bad.send(garbage)  # as much as the socket takes; some clients stay connected, some vanish
            except BlockingIOError:
                pass
            if len(garbage) % 2:
                bad.close()
            state = good.step("noop")
        self.flood(self.connect(), b'{"op": "hello"}\n')
        for _ in range(5):
            state = good.step("noop")
        self.assertEqual(state["steps"], 10)
        self.assertTrue(self.client().reset(EPISODE)["ok"])
        self.end(server)

    def children(self, server):
        with open(f"/proc/{server.pid}/task/{server.pid}/children", encoding="utf-8") as file:
            return [int(pid) for pid in file.read().split()]

    def living_children(self, server):
        """Returns the server's children that have not ended; it may not have noticed yet that others have."""
        return [pid for pid in self.children(server) if is_alive(pid)]

    def wait_until_all_have_left(self, server):
        self.client().close()  # a reply shows that all earlier clients were accepted
        until = time.monotonic() + 60
        while self.children(server) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual(self.children(server), [])

    @staticmethod
    def flood(raw, request):
        """Sends until the socket takes no more, and never reads a reply."""
        raw.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                raw.send(request * 100)

    def test_clients_that_come_and_go_leave_nothing_behind(self):
        server = self.serve()
        self.wait_until_all_have_left(server)
        before = sorted(os.listdir(f"/proc/{server.pid}/fd"))
        for farewell in (b"", b'{"op": "hello"}\n', b'{"op": "reset", "name": "GoToGoal/easy#0"}\n{"op": "st'):
            for _ in range(100):
                with self.connect() as raw, contextlib.suppress(BrokenPipeError):
                    raw.sendall(farewell)
        self.wait_until_all_have_left(server)
        self.assertEqual(sorted(os.listdir(f"/proc/{server.pid}/fd")), before)
        self.end(server)

    def test_a_client_that_vanishes_within_a_batch_takes_its_environments_with_it(self):
        server = self.serve("--envs", "1000")
        raw = self.connect()
        names = [f"GoToGoal/easy#{seed}" for seed in range(1000)]
        raw.sendall(json.dumps({"op": "start", "names": names}).encode() + b"\n")
        raw.sendall((json.dumps({"op": "steps", "actions": [0] * 1000}) + "\n").encode() * 20)
        self.assertEqual(len(raw.recv(1000)), 1000)
        raw.close()
        self.wait_until_all_have_left(server)
        self.assertTrue(self.client().reset(EPISODE)["ok"])
        self.end(server)

    def test_every_client_above_the_limit_gets_an_answer(self):
        server = self.serve("--clients", "20")
        self.wait_until_all_have_left(server)
        answers = []
        for raw in [self.connect() for _ in range(60)]:
            with contextlib.suppress(BrokenPipeError):
                raw.sendall(b'{"op": "hello"}\n')
            with raw.makefile("rb") as replies:
                answers.append(json.loads(replies.readline()))
        self.assertEqual([answer["ok"] for answer in answers], [True] * 20 + [False] * 40)
        self.assertEqual({answer["error"]["code"] for answer in answers[20:]}, {"busy"})
        self.end(server)

    @unittest.skipIf(is_sanitized(BINARY), "sanitizers take memory of their own")
    def test_a_line_of_64_megabytes_takes_no_more_memory_than_the_longest_valid_one(self):
        server = self.serve()
        self.wait_until_all_have_left(server)
        raw = self.connect()
        with raw.makefile("rb") as replies:
            for _ in range(64):
                raw.sendall(b"x" * (1 << 20))
            raw.sendall(b'\n{"op": "hello"}\n')
            self.assertIn("longer than", json.loads(replies.readline())["error"]["message"])
            self.assertTrue(json.loads(replies.readline())["ok"])
        with open(f"/proc/{self.children(server)[0]}/status", encoding="utf-8") as file:
            most = int(re.search(r"VmHWM:\s+(\d+) kB", file.read()).group(1))
        self.assertLess(most, 16 << 10)
        self.end(server)

    def test_a_client_that_does_not_read_delays_no_other(self):
        server = self.serve()
        quick = self.client()
        quick.reset(EPISODE)
        for _ in range(5):
            self.flood(self.connect(), b'{"op": "hello"}\n')
        began = time.monotonic()
        for _ in range(300):
            quick.request("observe")
        self.assertLess(time.monotonic() - began, 10)
        self.end(server)

    def test_it_ends_at_once_while_clients_are_busy(self):
        server = self.serve()
        for _ in range(8):
            self.flood(self.connect(), b'{"op": "reset", "name": "KeyDoorPuzzle/hard#1"}\n')
        began = time.monotonic()
        self.end(server)
        self.assertLess(time.monotonic() - began, 10)

    def test_a_signal_that_was_ignored_stays_ignored(self):
        server = self.serve(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))  # as `nohup` does
        server.send_signal(signal.SIGHUP)
        self.assertTrue(self.client().reset(EPISODE)["ok"])
        self.end(server)

    def test_nonblocking_pipes_are_served(self):
        ends = os.pipe(), os.pipe()
        for end in sum(ends, ()):
            os.set_blocking(end, False)
        (requests, ask), (answer, replies) = ends
        child = subprocess.Popen([BINARY, "serve", "--stdio"], stdin=requests, stdout=replies)
        os.close(requests)
        os.close(replies)
        os.set_blocking(ask, True)
        os.set_blocking(answer, True)
        with open(ask, "wb", buffering=0) as to, open(answer, "rb") as come:
            for _ in range(3):
                time.sleep(0.05)
                to.write(b'{"op": "hello"}\n')
                self.assertTrue(json.loads(come.readline())["ok"])
            to.write(b'{"op": "hello"}\n' * 200)  # more replies than the pipe takes at once
            time.sleep(0.2)
            to.close()
            self.assertEqual(len(come.readlines()), 200)
        self.assertEqual(child.wait(timeout=900), 0)

    def test_clients_that_do_not_send_or_do_not_read_are_disconnected(self):
        server = self.serve("--timeout", "1")
        silent, half, deaf = self.connect(), self.connect(), self.connect()
        half.sendall(b'{"op": "hel')
        self.flood(deaf, b'{"op": "hello"}\n')
        self.assertEqual(silent.recv(1), b"")
        self.assertEqual(half.recv(1), b"")
        deaf.settimeout(60)
        with self.assertRaises(OSError):
            while deaf.recv(1 << 16):  # replies that fitted into the socket, then the end
                pass
            raise ConnectionResetError
        self.end(server)

    def wait_until_gone(self, pids):
        until = time.monotonic() + 20
        while any(map(is_alive, pids)) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual([pid for pid in pids if is_alive(pid)], [])

    def trickle(self, server, send):
        """Calls `send` ten times a second until the client's process has ended."""
        pids, until = self.living_children(server), time.monotonic() + 20
        self.assertEqual(len(pids), 1)
        while is_alive(pids[0]):
            self.assertLess(time.monotonic(), until, "the client is still connected")
            with contextlib.suppress(OSError):
                send()
            time.sleep(0.1)

    def test_a_client_that_sends_a_byte_now_and_then_is_disconnected(self):
        server = self.serve("--timeout", "1")
        self.wait_until_all_have_left(server)
        for ahead in (b"", b'{"op": "hello"}\n', b"x" * (2 << 20)):  # at the beginning, after a request, within a line that is too long
            with self.subTest(ahead=ahead[:20]):
                one = self.connect()
                one.sendall(ahead)
                self.wait_for_client(server)
                self.trickle(server, lambda: one.send(b"x"))
        one = self.connect()
        self.flood(one, b'{"op": "hello"}\n')
        one.settimeout(0.01)
        self.wait_for_client(server)
        self.trickle(server, lambda: one.recv(1))
        self.end(server)

    def wait_for_client(self, server):
        until = time.monotonic() + 20
        while not self.living_children(server) and time.monotonic() < until:
            time.sleep(0.01)

    def test_a_client_whose_line_never_ends_is_disconnected(self):
        server = self.serve("--timeout", "1")
        endless = self.connect()
        until = time.monotonic() + 20
        with self.assertRaises(OSError):
            while time.monotonic() < until:
                endless.sendall(b"x" * (1 << 16))
        self.end(server)

    def test_a_client_that_sends_requests_stays_connected(self):
        server = self.serve("--timeout", "3")
        slow = self.client()
        slow.reset(EPISODE)
        until = time.monotonic() + 5
        while time.monotonic() < until:
            self.assertTrue(slow.request("observe")["ok"])
            time.sleep(0.2)
        self.end(server)

    def test_clients_end_with_a_server_that_is_killed(self):
        server = self.serve()
        silent = [self.client() for _ in range(3)]
        self.flood(self.connect(), b'{"op": "reset", "name": "KeyDoorPuzzle/hard#1"}\n')
        self.client()  # a reply shows that all earlier clients were accepted
        pids = self.children(server)
        self.assertGreaterEqual(len(pids), 5)
        server.kill()
        server.wait()
        self.wait_until_gone(pids)
        for one in silent:
            with self.assertRaises((client.SeedbedError, OSError)):
                one.request("hello")

    @unittest.skipIf(is_sanitized(BINARY), "there is no limit on memory with sanitizers")
    def test_a_client_that_needs_too_much_memory_gets_an_error(self):
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

    def test_only_a_stale_socket_is_replaced(self):
        server = self.serve()
        server.kill()
        server.wait()
        self.assertTrue(os.path.exists(self.path))
        server = self.serve()
        second = subprocess.run([BINARY, "serve", "--socket", self.path], capture_output=True, text=True, timeout=900)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another server answers", second.stderr)
        self.assertTrue(self.client().reset(EPISODE)["ok"])
        self.end(server)
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("precious")
        third = subprocess.run([BINARY, "serve", "--socket", self.path], capture_output=True, text=True, timeout=900)
        self.assertEqual(third.returncode, 2)
        self.assertIn("is no socket", third.stderr)
        with open(self.path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_a_wrong_call_says_what_is_wrong(self):
        for options, words in (([], "--socket PATH"), (["--stdio", "--socket", "x"], "--socket PATH"),
                               (["--socket", "x" * 200], "choose a shorter one"),
                               (["--socket", "/no/such/folder/socket"], "cannot open the folder"),
                               (["--socket", "x", "--clients", "0"], "--clients wants a whole number from 1 to"),
                               (["--stdio", "--envs", "5000"], "--envs wants a whole number from 1 to 4096")):
            with self.subTest(options=options):
                done = subprocess.run([BINARY, "serve", *options], capture_output=True, text=True, timeout=900)
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(words, done.stderr)

    def test_the_batch_of_the_example_plays_every_name(self):
        server = self.serve()
        names = [f"GoToGoal-v0/easy#{seed}" for seed in range(40)]
        self.assertEqual(sorted(client.play_many(self.client(), names)), sorted(names))
        self.end(server)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
