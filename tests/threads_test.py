"""Several workers give the same results as one, and several clients the same replies. Under ThreadSanitizer (the preset `tsan`), which ends a
program with a data race by a special exit code, these are the tests for races.

    python3 tests/threads_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import contextlib
import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from dataset_support import SEEDBED, InFolder, contents, read, run
from process_support import wait_for_server

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples"))
sys.dont_write_bytecode = True
import client  # noqa: E402

WORKERS = ("1", "4")
SMALL = ["--tasks", "PreciseNavigation,KeyDoorPuzzle,FogOfWarExploration", "-d", "easy,medium", "--split", "train", "-n", "6"]
HAS_MINARI = "libhdf5" not in run("build", "PreciseNavigation/easy#1", "--dry-run", "-f", "minari").stderr
FORMATS = ",".join(["steps", "trajectories", "chat", "npz", *(["minari"] if HAS_MINARI else [])])
EPISODE = "KeyDoorPuzzle-v0/medium#42"


class Workers(InFolder):
    def succeed(self, *arguments, codes=(0,)):
        done = run(*arguments)
        self.assertNotIn("ThreadSanitizer", done.stderr)
        self.assertIn(done.returncode, codes, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def same(self, command):
        """Calls command(workers, name of the output) with one worker and with several, and compares the files and the printed texts."""
        printed = [command(workers, self.path(workers)).replace(self.path(workers), "OUTPUT") for workers in WORKERS]
        self.assertEqual(*printed)
        one, several = (self.path(workers) for workers in WORKERS)
        if os.path.isdir(one):
            self.assertEqual(contents(one), contents(several))
        elif os.path.exists(one):
            self.assertEqual(read(one), read(several))
        return several

    def built(self, name="d", *arguments):
        self.succeed("build", *SMALL, "--shard-episodes", "16", *arguments, "-j", "4", "-q", "-o", self.path(name))
        return self.path(name)

    def test_build_with_several_workers(self):
        self.same(lambda workers, output: self.succeed("build", *SMALL, "--shard-episodes", "16", "-f", FORMATS, "--epsilon", "0.2", "--labels", "expert",
                                                       "-j", workers, "-q", "-o", output))

    def test_build_of_another_family_with_several_workers(self):
        self.same(lambda workers, output: self.succeed(
            "build", "--family", "babyai", "--tasks", "GoToRedBallNoDists,UnlockPickup", "--seeds", "1..20", "--agent", "omnibot", "--evaluation", "keep",
            "--shard-episodes", "16", "-f", "steps,predict,plan,decompose", "-j", workers, "-q", "-o", output))

    def test_resumed_build_with_several_workers(self):
        whole, interrupted = self.built("whole"), self.path("interrupted")
        command = [SEEDBED, "build", *SMALL, "--shard-episodes", "16", "-j", "4", "-q", "-o", interrupted]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertNotIn("ThreadSanitizer", process.communicate(timeout=900)[1])
        self.succeed(*command[1:], "--resume")
        self.assertEqual(contents(interrupted), contents(whole))

    def test_verify(self):
        folder = self.built("d", "-f", FORMATS)
        self.same(lambda workers, _: self.succeed("verify", folder, "--again", "-j", workers))
        tape = sorted(name for name in os.listdir(folder) if name.startswith("tapes"))[-1]
        with gzip.open(os.path.join(folder, tape), "ab") as file:
            file.write(b"\n")
        self.same(lambda workers, _: self.succeed("verify", folder, "-j", workers, codes=(1,)))

    def test_render_with_several_workers(self):
        def render(workers, output):
            self.succeed("build", *SMALL, "--shard-episodes", "16", "-q", "-o", output)
            return self.succeed("render", output, "-f", FORMATS.removeprefix("steps,"), "-j", workers, "-q")
        self.same(render)

    def test_merge_with_several_workers(self):
        parts = [self.built(f"part{i}", "--shard", f"{i}/2") for i in (1, 2)]
        self.same(lambda workers, output: self.succeed("merge", *parts, "-o", output, "-j", workers, "-q"))

    def test_eval_certify_seeds_and_solve_with_several_workers(self):
        for command in (["eval", "--agent", "expert"], ["certify", "--budget", "20000"], ["seeds", "--digests"], ["solve"]):
            with self.subTest(command[0]):
                printed = [self.succeed(*command, *SMALL, "-j", workers, "-q", "-o", self.path(command[0] + workers), codes=(0, 1)) for workers in WORKERS]
                self.assertEqual(*printed)
                self.assertEqual(*(read(self.path(command[0] + workers)) for workers in WORKERS))

    def test_results_and_certificates_are_verified_by_several_workers(self):
        result, certificates, pack = self.path("result.json"), self.path("c.jsonl.gz"), self.path("pack.json")
        self.succeed("eval", *SMALL, "-q", "-o", result, codes=(0, 1))
        self.succeed("certify", *SMALL, "--budget", "20000", "-q", "-o", certificates, codes=(0, 1))
        self.succeed("seeds", *SMALL, "--digests", "-q", "-o", pack)
        for thing in (result, certificates, pack):
            with self.subTest(thing):
                self.same(lambda workers, _: self.succeed("verify", thing, "-j", workers))

    def test_programs_play_side_by_side(self):
        agent = f"exec:{sys.executable} {ROOT}/examples/agents/greedy.py"
        episodes = []
        for workers in WORKERS:
            self.succeed("eval", "--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..7", "--agent", agent, "-j", workers, "-q", "-o", self.path(workers))
            episodes.append(json.loads(read(self.path(workers)))["episodes"])
        self.assertEqual(*episodes)

    def test_conform_with_several_workers(self):
        recordings = sorted(os.path.join(ROOT, "tests/golden", name) for name in ("GoToGoal.jsonl.gz", "KeyDoorPuzzle.jsonl.gz"))
        self.same(lambda workers, _: self.succeed("conform", *recordings, "-j", workers, "-q"))


class Clients(InFolder):
    def play(self, path, said):
        """Plays one client's session: an episode, and steps of several episodes at a time."""
        with contextlib.closing(client.Seedbed(path=path)) as one:
            state = one.reset(EPISODE)
            while not state["done"]:
                state = one.step(one.request("hint")["action"])
            said.append(state)

    def test_several_clients_of_one_server(self):
        path = self.path("socket")
        server = subprocess.Popen([SEEDBED, "serve", "--socket", path, "--memory", "0", "-j", "4"], stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        wait_for_server(server, path, seconds=60)
        said = []
        clients = [threading.Thread(target=self.play, args=(path, said)) for _ in range(4)]
        for one in clients:
            one.start()
        for one in clients:
            one.join()
        server.terminate()
        self.assertEqual((server.wait(timeout=900), server.stderr.read()), (0, ""))
        self.assertEqual(len(said), 4)
        self.assertTrue(all(state == said[0] and state["success"] for state in said))

    def test_several_episodes_in_one_request(self):
        """Tests the workers of one client."""
        steps = [json.dumps({"op": "start", "names": [f"GoToGoal-v0/easy#{i}" for i in range(64)], "envs": 32, "then": "same"})]
        steps += [json.dumps({"op": "steps", "actions": [(i + turn) % 5 for i in range(32)]}) for turn in range(8)]
        said = [run("serve", "--stdio", "-j", workers, input="\n".join(steps) + "\n") for workers in WORKERS]
        for done in said:
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(said[0].stdout, said[1].stdout)
        self.assertEqual([json.loads(line)["ok"] for line in said[0].stdout.splitlines()], [True] * len(steps))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
