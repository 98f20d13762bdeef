"""The adaptor for OpenEnv: its own clients play on its own server with a scripted model, offline; many at a time, and some that vanish."""
import asyncio
import contextlib
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.request
from pathlib import Path

import seedbed
from seedbed import textplay

sys.path.append(str(Path(__file__).parent))
import scripted  # noqa: E402
from scripted import DIFFICULTY, ROOT, TASKS, said_to  # noqa: E402

MISSING = None if importlib.util.find_spec("openenv") else "not installed: openenv (scripts/test-python openenv)"
SETTINGS = {"tasks": TASKS, "difficulty": DIFFICULTY}


def eventually(holds, seconds=60):
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not (result := holds()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds} seconds")
        time.sleep(0.05)
    return result


@unittest.skipIf(MISSING, MISSING)
class Adaptor(scripted.Adaptor):
    @contextlib.contextmanager
    def serving(self, *words, **settings):
        """The address of a server that the framework's own program would start, with these settings."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "uvicorn", "seedbed.adaptors.openenv:app", "--port", str(port), "--log-level", "warning", *words]
        server = subprocess.Popen(command, cwd=self.folder, env=self.environment(SEEDBED_OPENENV=json.dumps({**SETTINGS, **settings})))
        address = f"http://127.0.0.1:{port}"
        try:
            eventually(lambda: server.poll() is not None or self.answers(address))
            self.assertIsNone(server.poll(), "the server ended")
            yield address
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(60)

    @staticmethod
    def answers(address):
        with contextlib.suppress(OSError):
            return json.loads(urllib.request.urlopen(f"{address}/health").read())["status"] == "healthy"

    def post(self, address, **body):
        request = urllib.request.Request(address, json.dumps(body).encode(), {"Content-Type": "application/json"})
        return json.loads(urllib.request.urlopen(request).read())


async def played(address, **which):
    """Plays an episode; what came of it, and its state."""
    from seedbed.adaptors.openenv import SeedbedAction, SeedbedEnv

    async with SeedbedEnv(base_url=address) as env:
        seen = await env.reset(**which)
        results = [seen]
        while not seen.done:
            text, cut = said_to(seen.observation.messages[-1]["content"])
            seen = await env.step(SeedbedAction(text=text, cut=cut))
            results.append(seen)
        return results, await env.state()


class Plays(Adaptor):
    def test_a_hundred_episodes_are_those_of_seedbed_eval(self):
        _, result = self.evaluated()
        names = [one.name for one in result.episodes]

        async def several(address):  # by sixteen clients at a time
            seats = asyncio.Semaphore(16)

            async def one(name):
                async with seats:
                    return await played(address, name=name)

            return await asyncio.gather(*map(one, names))

        with self.serving(allow_evaluation=True) as address:
            plays = asyncio.run(several(address))
        self.assertEqual(len(plays), 100)
        for (results, state), other in zip(plays, result.episodes, strict=True):
            tape = seedbed.replay(state.tape, "none")
            self.assertEqual((tape.name, list(tape.actions), tape.success, tape.total), (other.name, list(other.actions), other.success, other.total))
            self.assertEqual((state.name, state.episode_id, state.step_count, state.success, state.total),
                             (other.name, other.name, tape.steps, tape.success, tape.total))
            self.assertEqual((results[-1].observation.success, results[-1].observation.messages), (tape.success, []))
            marks = [mark for seen in results for mark in seen.observation.marks]
            self.assertEqual({mark: marks.count(mark) for mark in ("unreadable", "cut", "empty") if mark in marks},
                             {mark: n for mark, n in (other.marks or {}).items() if mark in ("unreadable", "cut", "empty") and n})
        self.assertTrue(20 < result.all.successes < 100, result.all.successes)

    def test_sixty_four_clients_get_what_one_gets(self):
        async def all_at_once(address):
            return await asyncio.gather(*(played(address, seed=i % 8) for i in range(64)))

        with self.serving(gamma=0.9) as address:
            plays = asyncio.run(all_at_once(address))
        for i, (results, state) in enumerate(plays):
            self.assertEqual(state.tape, plays[i % 8][1].tape)
            play = textplay.Session(state.name, reward="progress", gamma=0.9)
            self.assertEqual(results[0].observation.messages, play.messages())
            for seen in results[1:]:
                turn = play.say(*said_to(play.messages()[-1]["content"]))
                got = seen.observation
                self.assertEqual((got.action, got.action_name, got.reading, got.marks, seen.reward, seen.done),
                                 (turn.action, turn.action_name, turn.reading, list(turn.marks), turn.reward, turn.done))
                self.assertEqual(seen.observation.messages, [] if turn.done else play.messages())
            self.assertTrue(play.done)
            self.assertEqual((state.success, state.efficiency), (play.success, play.efficiency))
        self.assertEqual(len({state.name for _, state in plays}), 8)

    def test_sessions_that_vanish_are_freed(self):
        from seedbed.adaptors.openenv import SeedbedEnv

        hold = ("import sys, time; from seedbed.adaptors.openenv import SeedbedEnv\nenv = SeedbedEnv(base_url=sys.argv[1]).sync(); env.connect(); env.reset()\n"
                "print('in', flush=True); time.sleep(600)")

        def can_play(address):
            with contextlib.suppress(Exception), SeedbedEnv(base_url=address).sync() as env:
                return env.reset().observation.messages

        for vanish in (signal.SIGKILL, signal.SIGSTOP):  # a process that is gone, and one that does not answer any more
            with self.serving("--ws-ping-interval", "0.5", "--ws-ping-timeout", "0.5", sessions=1) as address:
                client = subprocess.Popen([sys.executable, "-c", hold, address], env=self.environment(), stdout=subprocess.PIPE, text=True)
                try:
                    self.assertEqual(client.stdout.readline(), "in\n")
                    self.assertIsNone(can_play(address), "there was room for two")
                    client.send_signal(vanish)
                    eventually(lambda: can_play(address))
                finally:
                    client.kill()
                    client.wait()
                    client.stdout.close()

    def test_messages_that_are_too_long(self):
        from seedbed.adaptors.openenv import SeedbedAction, SeedbedEnv

        with self.serving(turns=-1) as address, SeedbedEnv(base_url=address).sync() as env:
            env.reset(name="KeyDoorPuzzle-v0/easy#42")
            play = textplay.Session("KeyDoorPuzzle-v0/easy#42", turns=-1)
            for _ in range(6):
                seen, turn = env.step(SeedbedAction(text="ACTION: 0")), play.say("ACTION: 0")
            seen, dropped = env.step(SeedbedAction(too_long=True)), play.drop_turns()
            self.assertEqual((seen.observation.messages, seen.done, env.state().dropped), (play.messages(), turn.done, dropped))
            while not seen.done:
                seen = env.step(SeedbedAction(too_long=True))
            state = env.state()
            self.assertEqual((seen.observation.marks, state.success, state.lost, state.step_count),
                             (["lost"], False, "the messages are too long for the model", 6))
            with self.assertRaisesRegex(RuntimeError, "no episode runs: call reset first"):
                env.step(SeedbedAction(text="ACTION: 0"))


class Episodes(Adaptor):
    def test_which_episode_begins(self):
        from seedbed.adaptors.openenv import SeedbedEnv

        chosen = [name for name in seedbed.select(tasks=TASKS, difficulty=DIFFICULTY, split="train", count=200)]
        games = set(textplay.evaluation_games(chosen))
        with self.serving(n=200) as address, SeedbedEnv(base_url=address).sync() as env:
            begun = lambda **which: (env.reset(**which), env.state().name)[1]
            self.assertEqual([begun() for _ in range(3)], [name for name in chosen if name not in games][:3])
            found = [begun(seed=i) for i in range(190, 310)]
            self.assertEqual([one for one, name in zip(found, chosen[190:]) if name not in games], [name for name in chosen[190:310] if name not in games])
            self.assertEqual(games & set(found), set())
            self.assertGreater(len(set(found)), 100)
            self.assertEqual((begun(index=7), begun(seed=807)), (begun(seed=7), begun(seed=7)))
            self.assertEqual(begun(task="babyai:GoToObj", seed=5), "babyai:GoToObj#5")
            self.assertEqual(begun(task="LightsOut", difficulty="easy", seed=5), "LightsOut-v0/easy#5")
            self.assertIn(begun(task="LightsOut", difficulty="easy"), list(seedbed.select(tasks="LightsOut", difficulty="easy", split="train", count=200)))
            env.reset(name="LightsOut-v0/easy#5", episode_id="mine")
            self.assertEqual(env.state().episode_id, "mine")
            for which, words in (({"nmae": "LightsOut-v0/easy#5"}, "there is no `nmae`"), ({"difficulty": "hard"}, "difficulty goes with a task"),
                                 ({"seed": "x"}, "seed: a whole number"), ({"index": -1}, "index: a whole number"),
                                 ({"split": "eval", "allow_evaluation": "false"}, "allow_evaluation: true or false, not 'false'")):
                with self.assertRaisesRegex(RuntimeError, words):
                    env.reset(**which)
            self.assertEqual(self.post(f"{address}/seedbed/num_tasks", split="train"), {"num_tasks": 800})
            self.assertEqual(self.post(f"{address}/seedbed/task", split="train", index=7)["task"]["id"], begun(split="train", index=7))

    def test_evaluation_games_are_refused_and_what_was_trained_on_is_written(self):
        from seedbed.adaptors.openenv import SeedbedEnv

        official = f"KeyDoorPuzzle-v0/easy#{seedbed.eval_seeds('KeyDoorPuzzle', 'easy')[0]}"
        path = os.path.join(self.folder, "trained.json")
        with self.serving(trained=path) as address:
            with SeedbedEnv(base_url=address).sync() as env:
                for which in ({"name": official}, {"name": "GoToGoal-v0/easy#0"}, {"task": "GoToGoal", "difficulty": "easy", "seed": 0},
                              {"split": "eval", "index": 3}):
                    with self.assertRaisesRegex(RuntimeError, "allow_evaluation=True"):
                        env.reset(**which)
                    env.reset(**which, allow_evaluation=True)
                env.reset(seed=0)
                first = env.state().name
                self.assertEqual(list(seedbed.load_pack(path)), [first])  # while it is played
            with SeedbedEnv(base_url=address).sync() as env:
                env.reset(seed=1)
                second = env.state().name
                with self.assertRaisesRegex(RuntimeError, "trained.json: a pack has episodes of one family"):
                    env.reset(name="babyai:GoToObj#5")
        self.assertEqual((sorted(seedbed.load_pack(path)), textplay.evaluation_games(seedbed.load_pack(path))), (sorted({first, second}), []))


class Conventions(Adaptor):
    def test_what_cannot_be_is_said_in_a_line(self):
        for words, said, settings in ((("--tasks", "Nope"), "unknown task `Nope`", "{}"), (("--names", "GoToGoal-v0/easy#1", "--tasks", "GoToGoal"), "give either names", "{}"),
                                      (("--trained", "none/t.json"), "none/t.json: there is no such folder", "{}"),
                                      (("--sessions", "0"), "sessions: a whole number", "{}"), ((), "SEEDBED_OPENENV: a JSON object", "{"),
                                      ((), "SEEDBED_OPENENV: a JSON object", '{"task": 5}'), ((), "SEEDBED_OPENENV: a JSON object", "5")):
            told = self.program("python", "-m", "seedbed.adaptors.openenv", *words, code=2, SEEDBED_OPENENV=settings)
            self.assertIn(f"error: {said}" if said.startswith("SEED") else said, told.splitlines()[-1])

    def test_the_frameworks_own_checks(self):
        report = self.program("openenv", "validate", ROOT / "examples" / "openenv", "--level", "static", "--skip-build")
        self.assertIn("PASS", report)
        with self.serving() as address:
            report = json.loads(self.program("openenv", "validate", "--url", address, "--json"))
        self.assertEqual([one["id"] for one in report["criteria"] if one.get("required", True) and not one["passed"]], [])

    def test_the_framework_finds_the_package_of_the_example(self):
        packages = Path(self.installed())
        (packages / "seedbed_env").symlink_to(ROOT / "examples" / "openenv")
        about = packages / "openenv_seedbed_env-0.3.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: openenv-seedbed-env\nVersion: 0.3.0\n")
        code = "from openenv import AutoEnv; print(AutoEnv.get_env_class('seedbed').__module__)\nimport seedbed_env.server.app as made; print(made.app.title)"
        said = subprocess.run([sys.executable, "-c", code], cwd=self.folder, capture_output=True, text=True,
                              env=self.environment(SEEDBED_OPENENV=json.dumps(SETTINGS)))
        self.assertEqual(said.stdout.splitlines()[:1], ["seedbed.adaptors.openenv"], said.stderr)


if __name__ == "__main__":
    unittest.main()
