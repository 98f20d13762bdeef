"""Evaluations that are interrupted, resumed, divided into parts, repeated or stopped: nothing that was played is lost, and the
result does not depend on what happened on the way.

    python3 tests/resume_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import json
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
FOUND, USAGE = 1, 2
SALT = "00112233445566778899aabbccddeeff"
EPISODES = ["--tasks", "GoToGoal,KeyDoorPuzzle", "-d", "easy", "--seeds", "0..5"]
PLACES = 12

# Plays actions drawn at random from the number of the episode, so that attempts differ and runs can be repeated. Every episode
# that begins leaves a line in the log; HURT says what happens in which episode of the process.
AGENT = """
import json, os, random, sys, time
log, pause, hurt = {log!r}, {pause!r}, {hurt!r}
for line in sys.stdin:
    message = json.loads(line)
    op = message["op"]
    if op == "close":
        break
    if op == "reset":
        chance = random.Random(message["random_seed"])
        with open(log, "a") as file:
            file.write("%d\\n" % message["random_seed"])
        if os.path.exists(hurt) and message["random_seed"] % 3 == 0:
            sys.exit(9)
    time.sleep(pause)
    reply = {{"name": "tester"}} if op == "hello" else {{}}
    if op in ("reset", "step"):
        reply = {{"action": chance.choice(message["valid_actions"])}}
    print(json.dumps(reply), flush=True)
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-resume-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.agent = self.make_agent("agent.py")

    def path(self, name):
        return os.path.join(self.folder, name)

    def make_agent(self, name, pause=0.0):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(AGENT.format(log=self.path("log"), pause=pause, hurt=self.path("hurt")))
        return f"exec:{sys.executable} -IS {self.path(name)}"

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def write(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def load(self, name):
        return json.loads(self.read(name))

    def begun(self):
        """Returns how many episodes have begun since the last call."""
        n = len(self.read("log").splitlines()) if os.path.exists(self.path("log")) else 0
        self.write("log", b"")
        return n

    def run_seedbed(self, *arguments):
        return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=900, cwd=self.folder)

    def arguments(self, out, *more, agent=None, salt=SALT, episodes=EPISODES):
        return ["eval", *episodes, "--agent", agent or self.agent, *(["--salt", salt] if salt else []), "-q", "-o", self.path(out), *more]

    def evaluate(self, out, *more, code=0, **options):
        done = self.run_seedbed(*self.arguments(out, *more, **options))
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done.stderr

    def refuse(self, words, *arguments, code=None):
        done = self.run_seedbed(*arguments)
        self.assertIn(done.returncode, (FOUND, USAGE) if code is None else (code,), done.stderr)
        self.assertRegex(done.stderr, r"\Aseedbed[^\n]*: [^\n]+\n(seedbed: [^\n]+\n)?\Z")
        self.assertIn(words, done.stderr)

    def verify(self, *names):
        done = self.run_seedbed("verify", *map(self.path, names))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def stop_after(self, seconds, number, *arguments):
        """Runs a command, and sends it a signal; returns its exit code and what it said."""
        child = subprocess.Popen([SEEDBED, *arguments], cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            _, said = child.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.send_signal(number)
            _, said = child.communicate(timeout=300)
        return child.returncode, said


class Interruptions(Case):
    def test_a_result_does_not_depend_on_interruptions(self):
        self.evaluate("whole", "-j1")
        slow = self.make_agent("agent.py", pause=0.004)
        for jobs, numbers in (("1", (signal.SIGINT, signal.SIGKILL)), ("3", (signal.SIGKILL, signal.SIGTERM))):
            for number in numbers:
                code, times = None, 0
                while code != 0 and times < 40:
                    code, said = self.stop_after(0.3 + 0.07 * times, number, *self.arguments("result", "--resume", "-j", jobs, agent=slow))
                    self.assertIn(code, (0, -number), said)
                    times += 1
                with self.subTest(jobs=jobs, signal=number):
                    self.assertGreater(times, 1, "it was never interrupted")
                    self.assertEqual(self.read("result"), self.read("whole"))
                    self.assertEqual(sorted(name for name in os.listdir(self.folder) if name.startswith("result")), ["result"])
                os.unlink(self.path("result"))

    def interrupt(self, out="result", *more):
        """Interrupts an evaluation in its middle; returns how many episodes were kept."""
        slow = self.make_agent("agent.py", pause=0.004)
        _, said = self.stop_after(0.9, signal.SIGINT, *self.arguments(out, "-j2", *more, agent=slow))
        kept = len(self.read(out + ".part").splitlines()) - 1
        told = re.fullmatch(f"seedbed: Interrupt after (\\d+) of {PLACES} episodes, which are kept in {re.escape(self.path(out))}\\.part: "
                            "the same command with --resume goes on\n", said.splitlines(True)[0])
        self.assertTrue(told, said)
        self.assertIn(kept - int(told[1]), (0, 1, 2), "an episode may end while it is said")
        self.assertTrue(0 < kept < PLACES)
        self.assertFalse(os.path.exists(self.path(out)))
        self.make_agent("agent.py")
        return kept

    def test_what_was_played_is_not_played_again(self):
        kept = self.interrupt()
        self.begun()
        self.evaluate("result", "--resume", salt=None)
        self.assertEqual(self.begun(), PLACES - kept)
        self.evaluate("whole")
        self.assertEqual(self.read("result"), self.read("whole"), "the salt is that of the interrupted run")

    def test_episodes_that_were_kept_are_dropped_only_when_told_to(self):
        kept = self.interrupt()
        before = self.read("result.part")
        self.refuse(f"holds {kept} episodes of an interrupted evaluation", *self.arguments("result"), code=USAGE)
        self.assertEqual(self.read("result.part"), before)
        self.begun()
        self.evaluate("result", "--force")
        self.assertEqual(self.begun(), PLACES)

    def test_resuming_what_is_complete_or_was_never_begun(self):
        self.evaluate("result", "--resume")
        whole = self.read("result")
        self.begun()
        self.evaluate("result", "--resume", salt=None)
        self.assertEqual((self.begun(), self.read("result")), (0, whole))

    def test_only_the_same_evaluation_goes_on(self):
        kept = self.interrupt()
        before = self.read("result.part")
        other = self.make_agent("other.py")
        for differs, arguments in (
                ("selection", self.arguments("result", "--resume", episodes=["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..5"])),
                ("agent.spec", self.arguments("result", "--resume", agent=other)),
                ("agent.name", self.arguments("result", "--resume", "--name", "me")),
                ("agent.reply_seconds", self.arguments("result", "--resume", "--reply-seconds", "7")),
                ("agent.steps", self.arguments("result", "--resume", "--max-steps", "7")),
                ("agent.fresh", self.arguments("result", "--resume", "--fresh")),
                ("agent.salt", self.arguments("result", "--resume", salt="f" * 32)),
                ("attempts", self.arguments("result", "--resume", "--attempts", "2")),
                ("part", self.arguments("result", "--resume", "--shard", "1/2"))):
            with self.subTest(differs):
                self.refuse(f"another evaluation: `{differs}` differs", *arguments, code=FOUND)
                self.assertEqual(self.read("result.part"), before)
        self.begun()
        self.evaluate("result", "--resume")
        self.assertEqual(self.begun(), PLACES - kept)
        self.refuse("another evaluation: `agent.spec` differs", *self.arguments("result", "--resume", agent=other), code=FOUND)

    def test_oracles_are_resumed_too(self):
        expert = ["eval", *EPISODES, "-q", "-j1", "-o"]
        self.assertEqual(self.run_seedbed(*expert, self.path("whole")).returncode, 0)
        journal = self.journal_of("whole", {"name": "expert", "kind": "oracle", "spec": "expert"})
        for lines in (1, 4, PLACES + 1):
            self.write("result.part", b"".join(journal.splitlines(True)[:lines]))
            self.assertEqual(self.run_seedbed(*expert, self.path("result"), "--resume").returncode, 0)
            self.assertEqual(self.read("result"), self.read("whole"))
            os.unlink(self.path("result"))

    def journal_of(self, name, agent=None):
        """Returns the journal that a finished evaluation had, from its result."""
        result = self.load(name)
        head = {"evaluation": 1, "seedbed": result["seedbed"], "agent": agent or result["agent"], "selection": result["selection"],
                **{key: result[key] for key in ("attempts", "part") if key in result}, "rules": ["agentick 1"],
                "episodes": len(result["episodes"])}
        lines = [head, *({"place": place, "played": {key: value for key, value in played.items() if key != "certificate"}}
                         for place, played in enumerate(result["episodes"]))]
        return b"".join(json.dumps(line, ensure_ascii=False).encode() + b"\n" for line in lines)

    def test_lines_that_a_power_failure_left_are_played_again(self):
        self.evaluate("whole")
        journal = self.journal_of("whole")
        lines = journal.splitlines(True)
        for left, kept in ((journal[:-30], PLACES - 1), (journal[:-30] + b"\0" * 30, PLACES - 1), (journal + b"\0" * 5000, PLACES),
                           (b"".join(lines[:4]) + b"\0" * 100 + b"\n" + lines[5], 3), (lines[0][:40], 0), (b"", 0), (b"not a journal", 0),
                           (lines[0] + lines[3] + lines[1], 2), (journal + lines[2], PLACES)):
            self.write("result.part", left)
            self.begun()
            self.evaluate("result", "--resume")
            self.assertEqual(self.begun(), PLACES - kept)
            self.assertEqual(self.read("result"), self.read("whole"))
            os.unlink(self.path("result"))

    def test_a_journal_that_was_altered_is_refused_and_left_alone(self):
        self.evaluate("whole")
        journal = self.journal_of("whole")
        lines = journal.splitlines(True)
        won = next(i for i, line in enumerate(lines) if b'"success": true' in line)
        for words, left in (
                ("return", journal.replace(b'"return": 0.0', b'"return": 1.0', 1)),
                ("line 3", journal.replace(lines[2], lines[2].replace(b'"place": 1', b'"place": 4'))),
                ("no place 99", journal.replace(lines[2], lines[2].replace(b'"place": 1', b'"place": 99'))),
                ("success", journal.replace(lines[won], lines[won].replace(b'"success": true', b'"success": false'))),
                ("digest", journal.replace(b'"digest": "', b'"digest": "f', 1)),
                ("actions", journal.replace(b'"actions": "', b'"actions": "0 ', 1)),
                ("attempt", journal.replace(b'"success"', b'"attempt": 101, "success"', 1)),
                ("another episode is due", journal.replace(b'"success"', b'"attempt": 2, "success"', 1)),
                ("cost", journal.replace(b'"digest"', b'"cost": -1, "digest"', 1)),
                ("surprise", journal.replace(b'{"place"', b'{"surprise": 1, "place"', 1)),
                ("`seedbed` differs", journal.replace(b'"seedbed": "', b'"seedbed": "9', 1)),
                ("`rules` differs", journal.replace(b'"agentick 1"]', b'"agentick 2"]', 1)),
                ("`episodes` differs", journal.replace(b'"episodes": 12}', b'"episodes": 13}', 1))):
            with self.subTest(words):
                self.assertNotEqual(left, journal)
                self.write("result.part", left)
                self.refuse(words, *self.arguments("result", "--resume"))
                self.assertEqual(self.read("result.part"), left)

    def test_a_link_in_the_journals_place_is_not_followed(self):
        self.write("precious", b"precious")
        os.symlink(self.path("precious"), self.path("result.part"))
        for more in ([], ["--resume"]):
            self.refuse("cannot resume", *self.arguments("result", *more))
            self.assertEqual(self.read("precious"), b"precious")

    def test_options_that_need_a_file(self):
        for more in (["--resume"], ["--retry-lost"], ["--force"]):
            self.refuse("need a result", "eval", *EPISODES, *more, code=USAGE)
            self.refuse("need a result", "eval", *EPISODES, *more, "-o", "-", code=USAGE)
        self.refuse("either --resume", *self.arguments("result", "--resume", "--force"), code=USAGE)


    def test_without_a_file_that_can_be_kept_nothing_is_said_to_be_kept(self):
        slow = self.make_agent("agent.py", pause=0.004)
        for output in ([], ["-o", "-"], ["-o", "/dev/stdout"]):
            with self.subTest(output=output):
                self.begun()
                call = [SEEDBED, "eval", *EPISODES, "--agent", slow, "--salt", SALT, "-q", "-j1", *output]
                child = subprocess.Popen(call, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                while child.poll() is None and self.read("log").count(b"\n") < 3:
                    time.sleep(0.001)
                child.send_signal(signal.SIGTERM)
                _, said = child.communicate(timeout=300)
                self.assertEqual(child.returncode, -signal.SIGTERM, said)
                self.assertRegex(said.splitlines(True)[0], rf"\Aseedbed: Terminated after [1-9]\d* of {PLACES} episodes: no result was written\n\Z")


class Losses(Case):
    def lose_some(self):
        self.write("hurt", b"")
        self.evaluate("result", code=FOUND)
        os.unlink(self.path("hurt"))
        lost = [i for i, played in enumerate(self.load("result")["episodes"]) if "error" in played]
        self.assertTrue(0 < len(lost) < PLACES)
        return lost

    def test_lost_episodes_are_played_again_and_no_others(self):
        lost = self.lose_some()
        self.begun()
        self.evaluate("result", "--resume", code=FOUND)
        self.assertEqual(self.begun(), 0, "they count as played")
        self.evaluate("result", "--retry-lost", salt=None)
        self.assertEqual(self.begun(), len(lost))
        self.evaluate("whole")
        self.assertEqual(self.read("result"), self.read("whole"))

    def test_retrying_can_be_interrupted(self):
        lost = self.lose_some()
        slow = self.make_agent("agent.py", pause=0.01)
        self.stop_after(0.8, signal.SIGKILL, *self.arguments("result", "--retry-lost", "-j1", agent=slow))
        self.make_agent("agent.py")
        before = self.load("result")
        self.assertEqual([i for i, played in enumerate(before["episodes"]) if "error" in played], lost, "the result is the old one")
        self.begun()
        self.evaluate("result", "--resume")
        self.assertLess(self.begun(), PLACES)
        self.evaluate("whole")
        self.assertEqual(self.read("result"), self.read("whole"))

    def test_a_run_stops_after_losses_in_a_row_and_says_why(self):
        dying = f"exec:{sys.executable} -c \"import json; input(); print('{{}}', flush=True); input(); raise SystemExit(3)\""
        done = self.run_seedbed(*self.arguments("result", "--max-lost", "4", "-j1", agent=dying))
        self.assertEqual(done.returncode, FOUND)
        self.assertRegex(done.stderr, r"seedbed: stopped: 4 episodes in a row were lost, the last one, GoToGoal-v0/easy#3, because [^\n]*exit code 3[^\n]*\n"
                                      r"seedbed: 4 episodes are kept in \S+/result\.part: the same command with --resume goes on\n\Z")
        self.assertFalse(os.path.exists(self.path("result")))
        self.refuse("4 episodes in a row", *self.arguments("result", "--max-lost", "4", "-j1", "--retry-lost", agent=dying))
        self.refuse("seedbed: 4 episodes are kept in", *self.arguments("result", "--max-lost", "4", "-j1", "--retry-lost", agent=dying))
        self.refuse("holds 4 episodes of an interrupted evaluation", *self.arguments("result", agent=dying))
        done = self.run_seedbed(*self.arguments("result", "--max-lost", "0", "-j1", "--resume", agent=dying))
        self.assertEqual(done.returncode, FOUND, done.stderr)
        self.assertEqual({played["error"]["kind"] for played in self.load("result")["episodes"]}, {"crash"})

    def test_losses_in_a_row_stop_a_run_by_default_but_steps_that_are_used_up_do_not(self):
        many = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..29"]
        noop = f"exec:{sys.executable} -IS {self.path('noop.py')}"
        with open(self.path("noop.py"), "w", encoding="utf-8") as file:
            file.write("import sys\nfor line in sys.stdin:\n    print('{\"action\": 9}' if len(sys.argv) > 1 and '\"hello\"' not in line else"
                       " '{}' if '\"op\": \"hello\"' in line else '{\"action\": 0}', flush=True)\n")
        self.refuse("20 episodes in a row", *self.arguments("result", agent=noop + " wrong", episodes=many))
        self.evaluate("steps", "--max-steps", "2", agent=noop, episodes=many, code=FOUND)
        self.assertEqual({played["error"]["kind"] for played in self.load("steps")["episodes"]}, {"steps"})


class Limits(Case):
    def test_a_run_ends_after_its_hours_and_goes_on(self):
        slow = self.make_agent("agent.py", pause=0.004)
        done = self.run_seedbed(*self.arguments("result", "--hours", "0.0001", "-j1", agent=slow))
        self.assertEqual(done.returncode, FOUND)
        self.assertRegex(done.stderr, r"\Aseedbed: stopped: the run's 0\.0001 hours are over\nseedbed: \d+ episodes are kept in [^\n]+\n\Z")
        self.make_agent("agent.py")
        self.evaluate("result", "--hours", "1", "--resume")
        self.evaluate("whole")
        self.assertEqual(self.read("result"), self.read("whole"))

    def test_impossible_limits_are_refused(self):
        for more in (["--hours", "-1"], ["--max-cost", "-1"], ["--attempts", "0"], ["--attempts", "101"], ["--shard", "3/2"], ["--shard", "0/2"]):
            self.assertEqual(self.run_seedbed(*self.arguments("result", *more)).returncode, USAGE)


class Parts(Case):
    def parts(self, of, *more, **options):
        for i in range(1, of + 1):
            self.evaluate(f"part{i}", "--shard", f"{i}/{of}", *more, **options)
        return [self.path(f"part{i}") for i in range(1, of + 1)]

    def test_parts_join_to_the_bytes_of_the_whole(self):
        for of, more in ((1, []), (3, []), (5, ["--attempts", "2"]), (PLACES, [])):
            with self.subTest(of=of, more=more):
                self.evaluate("whole", *more)
                parts = self.parts(of, *more)
                self.assertIn(f"part 1 of {of})", self.verify(*(f"part{i}" for i in range(1, of + 1))))
                done = self.run_seedbed("merge", *reversed(parts), "-o", self.path("joined"), "-q")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(self.read("joined"), self.read("whole"))
        done = self.run_seedbed("merge", *parts, "-o", "-", "--json")
        self.assertEqual((done.returncode, done.stdout.encode()), (0, self.read("whole")), "it is one document")
        self.assertIn("part 2 of 12", self.run_seedbed("report", self.path("part2"), "--published", "none").stdout)

    def test_parts_that_do_not_belong_together_are_refused(self):
        parts = self.parts(3)
        self.evaluate("whole")
        self.evaluate("salty", "--shard", "2/3", salt="f" * 32)
        self.evaluate("short", "--shard", "2/3", "--max-steps", "4", code=FOUND)
        self.evaluate("fewer", "--shard", "2/3", episodes=["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..9"])
        part = self.load("part2")
        cut = self.read("part2").replace(b",\n" + self.read("part2").split(b",\n")[-1], b"\n]}\n")
        self.write("cut", cut)
        other = {**part, "part": {"number": 2, "of": 4}}
        self.write("other", json.dumps(other).encode())
        for words, those in (
                ("there are 2 parts", parts[:2]), ("both part 1 of 3", [parts[0], parts[0], parts[2]]), ("is a whole result", [parts[0], self.path("whole"), parts[2]]),
                ("`agent.salt` differs", [parts[0], self.path("salty"), parts[2]]), ("`agent.steps` differs", [parts[0], self.path("short"), parts[2]]),
                ("`selection` differs", [parts[0], self.path("fewer"), parts[2]]), ("wrong", [parts[0], self.path("cut"), parts[2]]),
                ("`part` differs", [parts[0], self.path("other"), parts[2]])):
            with self.subTest(words):
                self.refuse(words, "merge", *those, "-o", self.path("joined"))
                self.assertFalse(os.path.exists(self.path("joined")))

    def test_a_part_of_other_episodes_than_it_says_is_wrong(self):
        self.parts(2)
        part = self.load("part1")
        for claim in ({"number": 2, "of": 2}, {"number": 1, "of": 3}, None):
            forged = {**part, "part": claim}
            if claim is None:
                del forged["part"]
            self.write("forged", json.dumps(forged).encode())
            self.refuse("", "verify", self.path("forged"), code=FOUND)
        for claim in ({"number": 0, "of": 2}, {"number": 3, "of": 2}, {"number": 1}, 7, {"number": 1, "of": 2, "x": 1}):
            self.write("forged", json.dumps({**part, "part": claim}).encode())
            self.refuse("part", "verify", self.path("forged"))

    def test_programs_share_one_salt(self):
        done = self.run_seedbed(*self.arguments("part1", "--shard", "1/2", salt=None))
        self.assertEqual(done.returncode, USAGE)
        self.assertRegex(done.stderr, r"share one salt: give the same to each, such as --salt [0-9a-f]{32}\n\Z")
        self.assertEqual(self.run_seedbed("eval", *EPISODES, "--shard", "1/2", "-q", "-o", self.path("oracle")).returncode, 0)

    def test_a_part_needs_an_episode(self):
        self.refuse("part 13 of 13 has no episodes", *self.arguments("part", "--shard", "13/13"), code=USAGE)


class Attempts(Case):
    N = 4

    def attempt(self, *more):
        self.evaluate("result", "--attempts", str(self.N), *more)
        return self.load("result")

    def test_attempts_stand_together_and_get_numbers_of_their_own(self):
        result = self.attempt()
        self.assertEqual(result["attempts"], self.N)
        self.assertEqual([played["attempt"] for played in result["episodes"]], list(range(1, self.N + 1)) * PLACES)
        self.assertEqual(len({played["episode"] for played in result["episodes"]}), PLACES)
        self.assertEqual(len(set(self.read("log").split())), PLACES * self.N)
        self.assertIn("4 attempts at each", self.verify("result"))
        self.evaluate("once")
        first = [{key: value for key, value in played.items() if key != "attempt"} for played in result["episodes"] if played["attempt"] == 1]
        self.assertEqual(first, self.load("once")["episodes"], "the first attempt is the run with one attempt")
        self.assertNotIn("attempts", self.load("once"))
        self.assertNotIn("pass_at", self.read("once").decode())

    def test_pass_at_k_is_the_unbiased_estimate(self):
        result = self.attempt()
        family = result["families"][0]
        for tally, task in [(family["all"], "")] + [(tally, tally["task"]) for tally in family["tasks"]]:
            mine = [played for played in result["episodes"] if played["episode"].startswith(task)]
            wins = [sum(played["success"] for played in mine[i:i + self.N]) for i in range(0, len(mine), self.N)]
            self.assertTrue(any(0 < won < self.N for won in wins) or task, "the agent is too good or too bad for this test")
            self.assertEqual(len(tally["pass_at"]), self.N)
            for k, said in enumerate(tally["pass_at"], 1):
                due = sum(1 - math.comb(self.N - won, k) / math.comb(self.N, k) for won in wins) / len(wins)
                self.assertAlmostEqual(said, due, places=12)
            self.assertEqual(tally["episodes"], len(mine))
            self.assertAlmostEqual(tally["success_rate"], tally["pass_at"][0], places=12)

    def test_results_are_the_same_for_any_number_of_workers_and_after_interruptions(self):
        self.attempt("-j1")
        whole = self.read("result")
        os.unlink(self.path("result"))
        self.attempt("-j3")
        self.assertEqual(self.read("result"), whole)
        os.unlink(self.path("result"))
        slow = self.make_agent("agent.py", pause=0.003)
        self.stop_after(1, signal.SIGKILL, *self.arguments("result", "--attempts", str(self.N), "-j2", agent=slow))
        self.make_agent("agent.py")
        self.attempt("--resume")
        self.assertEqual(self.read("result"), whole)

    def test_altered_attempts_are_refused(self):
        result = self.attempt()
        episodes = result["episodes"]
        best = [played for played in episodes if played["attempt"] == 1]
        for forged in ({**result, "attempts": 2}, {**result, "attempts": 101}, {**result, "attempts": 0}, {**result, "attempts": "four"},
                       {**result, "episodes": episodes[1:]}, {**result, "episodes": [episodes[1], episodes[0], *episodes[2:]]},
                       {**result, "episodes": [*episodes[:4], *episodes[:4], *episodes[8:]]}, {**result, "episodes": [episodes[0]] * 4 + episodes[4:]},
                       {**result, "episodes": best}, {key: value for key, value in result.items() if key != "attempts"},
                       {**result, "episodes": [{**episodes[0], "attempt": 1.5}, *episodes[1:]]}):
            self.write("forged", json.dumps(forged).encode())
            self.refuse("", "verify", self.path("forged"))
        self.write("forged", self.read("result").replace(b'"pass_at": [0.', b'"pass_at": [0.9', 1))
        self.refuse("pass_at", "verify", self.path("forged"), code=FOUND)

    def test_other_agents_play_in_one_way_only(self):
        self.refuse("--attempts is for programs", "eval", *EPISODES, "--attempts", "2", code=USAGE)


class Large(Case):
    """Results of long evaluations with thoughts are large. What is large on disk is read; a small file that unpacks to as much is not."""

    @unittest.skipUnless(os.environ.get("SEEDBED_NIGHTLY"), "writes a file of 600 MiB")
    def test_a_result_above_512_mib_is_read_back(self):
        small, large, packed = self.path("small.json"), self.path("large.json"), self.path("large.json.gz")
        subprocess.run([SEEDBED, "eval", "-q", "GoToGoal-v0/easy#0", "--agent", "random", "-o", small], check=True)
        with open(small, encoding="utf-8") as file:
            head, _, tail = file.read().rpartition("}")
        with open(large, "w", encoding="utf-8") as file, gzip.open(packed, "wt", 1, encoding="utf-8") as pack:
            for piece in (head, *[" " * (1 << 20)] * 600, "}" + tail):
                file.write(piece)
                pack.write(piece)
        self.assertEqual(subprocess.run([SEEDBED, "verify", "-q", large], check=False).returncode, 0)
        done = subprocess.run([SEEDBED, "verify", packed], capture_output=True, text=True, check=False)
        self.assertIn("is larger than", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
