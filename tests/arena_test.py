"""`seedbed arena`: the loop, its files, what it does with programs that misbehave, interruptions, and replays.

    python3 tests/arena_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import unittest

from dataset_support import FOUND, SEEDBED, USAGE, InFolder, read, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = os.path.join(ROOT, "examples", "arena")
GAME = "arc:Fold/intro#1"
LOOSE = {"times.jsonl", ".seedbed.lock"}  # files that are not the same from run to run

# A program that plays roles: its argument is Python that defines answer(request). `kept` lives as long as the program.
ROLES = r'''
import json, os, sys, time
kept = {}
space = {"kept": kept, "os": os, "sys": sys, "time": time, "json": json}
exec(sys.argv[1], space)
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "close":
        break
    print(json.dumps(space["answer"](request)), flush=True)
'''
COPYING = "def predict(request):\n    return {'z': request['z']}\n"


def patch(artifact, text, reason="because"):
    return {"artifact": artifact, "text": text, "reason": reason}


def answers(act="{'choose': 'probe'}", turn="{}", other="{}", patches=()):
    """Code of a program that plays roles: its answers are expressions, and in its first turn it gives the patches."""
    return (f"patches = {list(patches)!r}\ndef answer(request):\n    op = request['op']\n"
            "    if op == 'turn' and patches and not kept.get('began'):\n        kept['began'] = True\n        return {'patches': patches}\n"
            f"    return {act} if op == 'act' else {turn} if op == 'turn' else {other}\n")


PROBES = answers()


class ArenaCase(InFolder):
    def setUp(self):
        super().setUp()
        self.folder = self.path("the team's")  # shells have to be told names with such a character
        os.mkdir(self.folder)
        write(self.path("roles.py"), ROLES)

    def team(self, roles, limits=None, name="team.json", model=None):
        """Writes a team of which each role has a program in Python."""
        model = model or [sys.executable, os.path.join(EXAMPLES, "artifacts.py"), "{artifacts}"]
        document = {"name": "tested", "model": {"program": model, "seconds": 60},
                    "roles": {role: {"program": [sys.executable, "{here}/roles.py", code]} for role, code in roles.items()},
                    "limits": {"actions": 6, **(limits or {})}}
        return write(self.path(name), json.dumps(document))

    def table(self, actions):
        """The example of a team that learns by heart."""
        document = json.loads(read(os.path.join(EXAMPLES, "table.json")))
        for one in [document["model"], *document["roles"].values()]:
            one["program"] = [word.replace("python3", sys.executable).replace("{here}", EXAMPLES) for word in one["program"]]
        document["limits"]["actions"] = actions
        return write(self.path("table.json"), json.dumps(document))

    def arena(self, team, *options, game=GAME, out="run", codes=(0,), quiet=True):
        done = run("arena", game, "--team", team, "-o", out, *(["-q"] if quiet else []), *options, cwd=self.folder)
        self.assertIn(done.returncode, codes, done.stderr)
        return done

    def play(self, roles, limits=None, game=GAME, options=(), model=None):
        """Plays and verifies; returns the scores."""
        shutil.rmtree(self.path("run"), ignore_errors=True)
        self.arena(self.team(roles, limits, model=model), *options, game=game)
        self.verify()
        return json.loads(self.file("scores.json"))

    def verify(self, out="run", codes=(0,)):
        done = run("verify", out, cwd=self.folder)
        self.assertIn(done.returncode, codes, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def game(self, out="run"):
        games = os.path.join(self.path(out), "games")
        return os.path.join(games, sorted(os.listdir(games))[0])

    def file(self, name, out="run"):
        return read(os.path.join(self.game(out), name)).decode()

    def lines(self, name):
        return [json.loads(line) for line in self.file(name).splitlines()]

    def tree(self, out):
        found = {}
        for folder, _, names in os.walk(self.path(out)):
            for name in set(names) - LOOSE:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.path(out))] = read(path)
        return found


class RecordingTest(ArenaCase):
    def setUp(self):
        super().setUp()
        # The log of a play by chance, and a recording of it as of a game that is not played here.
        run("solve", GAME, "--agent", "random", "--log", self.path("fold.jsonl"), "-o", self.path("fold.tape"), "-q")
        lines = read(self.path("fold.jsonl")).decode().splitlines()
        head = {**json.loads(lines[0]), "name": "ls20-1234", "version": "recording", "recording": True}
        self.recorded = [json.loads(line) for line in lines[1:31]]
        write(self.path("ls20.jsonl"), "".join(line + "\n" for line in [json.dumps(head, separators=(",", ":")), *lines[1:31]]))

    def go_through(self, team, *options, log="ls20.jsonl", out="run", codes=(0,)):
        done = run("arena", "--plays", log, "--team", team, "-o", out, "-q", *options, cwd=self.folder)
        self.assertIn(done.returncode, codes, done.stderr)
        return done

    def test_predictions_are_made_of_the_actions_that_were_taken(self):
        self.go_through(self.table(1000))
        steps, scores = self.lines("steps.jsonl"), json.loads(self.file("scores.json"))
        self.assertEqual([f"ACTION{step['action']['id']}".replace("ACTION0", "RESET") for step in steps], [line["action"] for line in self.recorded])
        self.assertEqual([step["kind"] for step in steps], [line["kind"] for line in self.recorded])
        self.assertEqual((scores["end"], scores["choices"]["recorded"]), ("the end of the recording", 30))
        self.assertEqual(scores["retrodiction"], 1, "the table knows all that it saw")
        self.assertGreater(scores["predictions"]["due"], scores["predictions"]["right"])
        self.assertNotIn("success", scores)
        self.assertEqual(self.lines("log.jsonl"), [json.loads(line) for line in read(self.path("ls20.jsonl")).splitlines()])
        self.assertFalse(os.path.exists(self.path("run/results.json")))
        self.assertIn("30 actions", self.verify())

    def test_a_play_does_not_depend_on_those_before_it_in_the_log(self):
        text = read(self.path("ls20.jsonl"))
        write(self.path("two.jsonl"), text.replace(b"ls20-1234", b"ls20-0000") + text)
        self.go_through(self.table(1000), out="one")
        self.go_through(self.table(1000), log="two.jsonl")
        games = sorted(os.listdir(self.path("run/games")))
        self.assertEqual(len(games), 2)
        for name in ("log.jsonl", "regressions.jsonl", "ledger.json"):
            last = [game for game in games if b"ls20-1234" in read(self.path(f"run/games/{game}/log.jsonl"))][0]
            self.assertEqual(read(self.path(f"run/games/{last}/{name}")), self.file(name, "one").encode(), name)

    def test_nobody_is_asked_for_an_action_but_everybody_has_turns(self):
        self.go_through(self.team({"leader": answers(turn="{'feedback': [{'to': 'leader', 'text': op}]}"), "transductive": PROBES}, {"actions": 9}))
        asked = {json.loads(line).get("who") for line in self.file("answers.jsonl").splitlines()}
        self.assertIn("leader turn", asked)
        self.assertFalse(asked & {"leader act", "transductive probe"})
        self.assertEqual(json.loads(self.file("scores.json"))["end"], "the limit of actions")

    def test_an_interrupted_run_goes_on_to_the_same_bytes(self):
        team = self.table(1000)
        self.go_through(team, out="whole")
        shutil.copytree(self.path("whole"), self.path("run"))
        journal = self.file("answers.jsonl", "whole")
        write(os.path.join(self.game(), "answers.jsonl"), journal[:len(journal) // 2])
        self.go_through(team, "--resume")
        self.assertEqual(self.tree("run"), self.tree("whole"))

    def test_the_run_belongs_to_its_recording(self):
        team = self.table(1000)
        self.go_through(team)
        copy = read(self.path("run/recordings.jsonl"))
        write(self.path("run/recordings.jsonl"), copy.splitlines(True)[0] + b"".join(copy.splitlines(True)[1:-1]))
        self.assertIn("run.json differs", self.verify(codes=(FOUND,)))
        write(self.path("run/recordings.jsonl"), copy)
        self.verify()
        self.assertIn("run of other games", self.go_through(team, "--resume", log="fold.jsonl", codes=(FOUND, USAGE)).stderr)

    def test_what_is_no_whole_recording_is_refused(self):
        team = self.team({"leader": PROBES})
        model = f"{sys.executable} {os.path.join(ROOT, 'examples', 'models', 'copying.py')}"
        run("model", "regressions", "ls20.jsonl", "--model", model, "-o", "some.jsonl", "-q", "--timeout", "60", cwd=self.folder)
        self.assertIn("begins in the middle", self.go_through(team, log="some.jsonl", codes=(USAGE,)).stderr)
        head, first = read(self.path("ls20.jsonl")).splitlines(True)[:2]
        write(self.path("late.jsonl"), head + first.replace(b'"t":1,', b'"t":900,'))
        self.assertIn("begins in the middle", self.go_through(team, log="late.jsonl", codes=(USAGE,)).stderr)
        self.assertIn("takes the place of games", self.go_through(team, GAME, codes=(USAGE,)).stderr)
        self.assertIn("seedbed log", self.go_through(team, log="fold.tape", codes=(USAGE,)).stderr)


class TableTest(ArenaCase):
    def test_a_team_that_learns_by_heart_plays_a_game(self):
        said = self.arena(self.table(30), game="arc:Echo/intro#7", quiet=False).stdout
        self.assertIn("retrodiction", said)
        scores, steps = json.loads(self.file("scores.json")), self.lines("steps.jsonl")
        self.assertEqual(len(steps), 30)
        due = [step for step in steps if "right" in step]
        right = sum(step["right"] for step in due)
        self.assertEqual((scores["predictions"]["due"], scores["predictions"]["right"]), (len(due), right))
        self.assertEqual(sum(scores["surprises"].values()), len(due) - right)
        self.assertEqual(sum(scores["choices"].values()), 30)
        self.assertGreater(scores["retrodiction"], 0.8, "what was seen is known by heart, but for what the last step showed")
        log = os.path.join(self.game(), "log.jsonl")
        self.assertIn("30 transitions", self.verify(log))
        checked = run("model", "check", log, "--json", "-q", "--model",
                      shlex.join([sys.executable, f"{EXAMPLES}/table.py", "model", f"{self.game()}/artifacts"]), "--timeout", "60")
        self.assertAlmostEqual(json.loads(checked.stdout)["all"]["retrodiction"], scores["retrodiction"])
        self.assertIn("30 actions", self.verify())
        self.assertIn("result of 1 episode played", self.verify(self.path("run/results.json")))
        report = run("report", self.path("run/results.json"))
        self.assertEqual(report.returncode, 0, report.stderr)
        self.assertRegex(report.stdout, r"table +predictions before actions +right [0-9.]+ % of those said")
        self.assertRegex(report.stdout, r"table +repairs that held +\d+ of \d+")

    def test_revisions_make_the_artifacts(self):
        self.arena(self.table(12), game="arc:Echo/intro#7")
        texts = {name: "" for name in ("observable", "dynamics", "strategy")}
        for revision in self.lines("revisions.jsonl"):
            for one in revision["patches"]:
                texts[one["artifact"]] += self.file(one["append"])
        for name, text in texts.items():
            self.assertEqual(self.file(f"artifacts/{name}"), text)
        self.assertTrue(texts["dynamics"])

    def test_killed_at_any_moment_a_run_goes_on_to_the_same_bytes(self):
        team, draw = self.table(12), random.Random(44)
        self.arena(team, game="arc:Echo/intro#7", out="whole")
        size, kills = len(self.file("answers.jsonl", "whole")), 0
        command = [SEEDBED, "arena", "arc:Echo/intro#7", "--team", team, "-o", "cut", "-q", "--resume"]
        for share in sorted(draw.random() for _ in range(6)):
            process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            while process.poll() is None and self.answered("cut") < share * size:
                pass
            kills += process.poll() is None
            process.send_signal(signal.SIGKILL)
            process.communicate()
        self.assertGreater(kills, 3)
        self.arena(team, "--resume", game="arc:Echo/intro#7", out="cut")
        self.assertEqual(self.tree("cut"), self.tree("whole"))
        self.verify("cut")
        self.arena(team, "--resume", game="arc:Echo/intro#7", out="cut")
        self.assertEqual(self.tree("cut"), self.tree("whole"), "a run that is over is only read again")

    def answered(self, out):
        try:
            return os.path.getsize(os.path.join(self.game(out), "answers.jsonl"))
        except (FileNotFoundError, IndexError):
            return 0

    def test_a_journal_that_was_cut_anywhere_is_gone_on_with(self):
        team = self.table(4)
        self.arena(team, game="arc:Echo/intro#7", out="whole")
        whole, draw = self.tree("whole"), random.Random(5)
        answers = self.file("answers.jsonl", "whole")
        at, cuts = 0, {}  # one in and one behind a line of each kind: the head, texts and answers
        for line in answers.splitlines(keepends=True):
            cuts[line[:6], "in"], cuts[line[:6], "behind"] = at + len(line) // 2, at + len(line)
            at += len(line)
        self.assertGreater(len(cuts), 5)
        for cut in [0, 1, *sorted(set(cuts.values()) - {len(answers)}), *(draw.randrange(len(answers)) for _ in range(4)), len(answers) - 1]:
            shutil.rmtree(self.path("run"), ignore_errors=True)
            shutil.copytree(self.path("whole"), self.path("run"))
            write(os.path.join(self.game(), "answers.jsonl"), answers[:cut])
            self.arena(team, "--resume", game="arc:Echo/intro#7")
            self.assertEqual(self.tree("run"), whole, f"cut after {cut} bytes")

    def test_a_model_that_learns_is_told_again_what_it_learnt(self):
        model = [sys.executable, os.path.join(ROOT, "examples", "models", "table.py")]
        patches = answers(turn="{'patches': [{'artifact': 'strategy', 'append': 'x'}] if request['step'] == 5 else []}")
        scores = self.play({"leader": patches}, {"actions": 12}, game="arc:Echo/intro#7", model=model)
        self.assertEqual((scores["patches"]["accepted"], scores["retrodiction"]), (scores["patches"]["given"], 1))
        self.assertGreater(scores["patches"]["given"], 0)

    def test_artifacts_run_in_the_sandbox(self):
        sandbox = os.path.join(ROOT, "examples", "models", "sandbox.py")
        if subprocess.run([sys.executable, sandbox, "true"], capture_output=True).returncode:
            self.skipTest("there are no namespaces here")
        model = [sys.executable, sandbox, "--show", "{artifacts}", "--show", os.path.join(ROOT, "examples"), "--", sys.executable,
                 os.path.join(EXAMPLES, "artifacts.py"), "{artifacts}"]
        spying = f"import os\ndef predict(request):\n    return {{'z': request['z'], 'over': os.path.exists({self.folder!r} + '/team.json')}}\n"
        scores = self.play({"leader": answers(patches=[patch("dynamics", spying)])}, model=model)
        self.assertEqual(scores["patches"]["accepted"], 1)
        self.assertFalse(any(step["prediction"]["over"] for step in self.lines("steps.jsonl")), "the run's folder is not there")

    def test_programs_and_tests_are_played_too(self):
        for game in ("autumn:HookCrane#1", "autumn:HookCrane/planning-1#1"):
            shutil.rmtree(self.path("run"), ignore_errors=True)
            self.arena(self.table(8), game=game)
            self.assertIn("8 actions", self.verify())


class OracleTest(ArenaCase):
    def test_blind_spots_come_back_and_owners_are_right(self):
        document = json.loads(read(os.path.join(EXAMPLES, "oracle.json")))
        for one in [document["model"], *document["roles"].values()]:
            one["program"] = [word.replace("python3", sys.executable).replace("{here}", EXAMPLES) for word in one["program"]]
        document["limits"]["actions"] = 25
        os.environ["SEEDBED"] = SEEDBED
        self.arena(write(self.path("oracle.json"), json.dumps(document)))
        self.verify()
        steps, scores = self.lines("steps.jsonl"), json.loads(self.file("scores.json"))
        self.assertEqual(scores["retrodiction"], 1, "the last model has no blind spot that matters")
        blind, frame = {"observable": [], "dynamics": []}, None
        texts = {revision["revision"]: revision["patches"][0] for revision in self.lines("revisions.jsonl")}
        log = self.lines("log.jsonl")
        frame, known = log[0]["start"], 0
        for step, line in zip(steps, log[1:]):
            while known < step["revision"]:
                known += 1
                blind[texts[known]["artifact"]] = json.loads(self.file(texts[known]["text"]))
            for one in line["frames"]:
                frame = after(frame, one)
            unseen = any(colour in frame for colour in blind["observable"])
            if unseen:
                self.assertEqual((step["owner"], step["part"], step["told"]), ("observation", "render", "observer"), step)
            elif not step["right"]:
                self.assertEqual((step["owner"], step["told"]), ("dynamics", "simulator"), step)
                self.assertIn(step["action"]["id"], blind["dynamics"])
        self.assertGreater(scores["surprises"]["observation"], 0)
        self.assertGreater(scores["surprises"]["dynamics"], 0)


def after(frame, difference):
    if isinstance(difference, str):
        return difference
    for y, x, colours in difference["d"]:
        at = 64 * y + x
        frame = frame[:at] + colours + frame[at + len(colours):]
    return frame


class RolesTest(ArenaCase):
    TELLS_ROLES = answers(turn="{'feedback': [{'to': 'leader', 'text': ' '.join([op, request['role'], *request['owns']])}]}")

    def told(self, *roles):
        self.play({role: self.TELLS_ROLES for role in roles}, {"actions": 1, "rounds": 1})
        return {line["text"] for line in self.lines("chat.jsonl")}

    def test_the_part_of_an_absent_role_falls_to_the_next(self):
        self.assertEqual(self.told("leader"), {"turn leader observable dynamics strategy"})
        self.assertEqual(self.told("observer", "leader"), {"turn observer observable", "turn leader dynamics strategy"})
        self.assertEqual(self.told("simulator"), {"turn simulator observable dynamics strategy"})
        self.assertEqual(self.told("inductive", "simulator"), {"turn simulator observable dynamics", "turn inductive strategy"})

    def test_a_program_is_told_what_it_had_when_it_is_started_again(self):
        # It ends after its first act, and says in its second one what it was told when it began again.
        code = ("def answer(request):\n"
                "    if request['op'] == 'hello':\n        kept.update(request)\n        return {}\n"
                "    if request['op'] == 'turn' and not kept['again'] and not kept.get('wrote'):\n        kept['wrote'] = True\n"
                f"        return {{'patches': [{patch('dynamics', COPYING)!r}], 'memory': {{'n': [1, 2]}}}}\n"
                "    if request['op'] == 'act' and request['step'] == 2 and not kept['again']:\n        os._exit(3)\n"
                "    if request['op'] == 'act' and kept['again']:\n"
                "        return {'choose': 'probe', 'feedback': [{'to': 'leader', 'text': json.dumps([kept['memory'], kept['artifacts']['dynamics']])}]}\n"
                "    return {'choose': 'probe'}\n")
        scores = self.play({"leader": code}, {"actions": 4})
        self.assertEqual(scores["roles"]["leader"]["failures"], 1)
        told = [json.loads(line["text"]) for line in self.lines("chat.jsonl") if line["from"] == "leader"]
        self.assertEqual(told[0], [{"n": [1, 2]}, {"revision": 1, "text": COPYING}])

    def test_a_leader_that_never_answers_is_no_score(self):
        refusing = answers(act="{'error': 'HTTP 401: no such key'}")
        done = self.arena(self.team({"leader": refusing}), codes=(FOUND,), quiet=False)
        self.assertIn("no choice of the leader could be used", done.stderr)
        self.assertIn("no usable answer of the leader", done.stdout)
        self.verify()
        results = json.loads(read(self.path("run/results.json")))
        self.assertIn("HTTP 401: no such key", json.dumps(results["episodes"][0]))
        self.play({"leader": "def answer(request):\n    n = kept['n'] = kept.get('n', 0) + 1\n    return {'error': 'busy'} if n < 4 else {'choose': 'probe'}\n"})
        self.assertEqual(json.loads(self.file("scores.json"))["end"], "the limit of actions")

    def test_misbehaviour_costs_answers_and_not_the_run(self):
        ways = {"os._exit(1)": "exit code 1", "time.sleep(1000)": "within 5 s", "os.write(1, b'{}\\n{}\\n')": "more than one line",
                "os.write(1, b'nonsense\\n') and sys.stdin.readline()": "no JSON object", "print('[1, 2', flush=True) or os._exit(0)": "no JSON object",
                "os.kill(os.getpid(), 9)": "exit code 137"}
        for way, words in ways.items():
            code = (f"def answer(request):\n    if request['op'] != 'hello' and request['step'] in (1, 2):\n        {way}\n"
                    "    return {'choose': 'probe'}\n")
            scores = self.play({"leader": code}, {"actions": 4, "answer_seconds": 5 if "sleep" in way else 60})
            self.assertEqual(scores["actions"], 4, way)
            self.assertGreater(scores["roles"]["leader"]["failures"], 0, way)
            self.assertIn(words, self.file("chat.jsonl"), way)

    def test_answers_of_any_form_are_taken_or_left(self):
        for answer in ("{'choose': 7}", "{'choose': 'policy', 'policy': 'none'}", "{'choose': 'probe', 'action': {'id': 99}}", "{}",
                       "{'patches': 3, 'feedback': 'x'}", "{'usage': [1], 'memory': None}",
                       "{'patches': [1, {'artifact': 'x'}], 'feedback': [{'to': 'nobody', 'text': 'x'}, 4]}"):
            self.assertEqual(self.play({"leader": f"def answer(request):\n    return {answer}\n"}, {"actions": 2})["actions"], 2, answer)

    def test_a_critic_says_whose_it_is(self):
        roles = {"critic": answers(other="{'owner': 'observation'}"), "observer": answers(), "leader": answers(),
                 "simulator": answers(patches=[patch("dynamics", COPYING)])}
        scores = self.play(roles, {"actions": 5})
        self.assertGreater(scores["surprises"]["observation"], 0)
        self.assertEqual(scores["surprises"]["dynamics"], 0)
        self.assertEqual({step["told"] for step in self.lines("steps.jsonl") if "told" in step}, {"observer"})


class DecisionTest(ArenaCase):
    def leader(self, artifacts, choice):
        """A team of one, which writes these artifacts at the beginning and then always answers with the choice, a Python expression."""
        return {"leader": answers(act=choice, patches=[patch(name, text) for name, text in artifacts.items()])}

    def test_a_probe_takes_the_action_that_is_named(self):
        self.play(self.leader({"dynamics": COPYING}, "{'choose': 'probe', 'action': {'id': 2}}"))
        self.assertEqual({step["action"]["id"] for step in self.lines("steps.jsonl")}, {2})
        explorer = answers(other="{'actions': [{'id': 3}, {'id': 1}]}")
        self.play({**self.leader({"dynamics": COPYING}, "{'choose': 'probe'}"), "transductive": explorer})
        self.assertEqual({step["action"]["id"] for step in self.lines("steps.jsonl")}, {3})

    def test_a_policy_is_asked_for_every_action(self):
        policy = "policies = ['back and forth']\ndef policy(request):\n    return {'action': {'id': 1 + request['m']['step'] % 2}}\n"
        choice = "{'choose': 'policy', 'policy': 'back and forth', 'predict': False}"
        scores = self.play(self.leader({"dynamics": COPYING, "strategy": policy}, choice), {"batch": 3})
        self.assertEqual([step["action"]["id"] for step in self.lines("steps.jsonl")], [1, 2, 1, 2, 1, 2])
        self.assertEqual(scores["choices"]["policy"], 6)
        self.assertEqual(scores["roles"]["leader"]["asked"], 3, "two decisions of three actions, and the turn at the beginning")

    def test_without_a_prediction_there_is_none_to_be_wrong(self):
        scores = self.play(self.leader({"dynamics": COPYING}, "{'choose': 'probe', 'predict': False}"))
        self.assertEqual((scores["predictions"]["said"], scores["predictions"]["due"]), (0, 6))
        self.assertEqual((scores["predictions"]["accuracy"], scores["predictions"]["accuracy_with_missing"]), (None, 0))
        self.assertEqual(sum(scores["surprises"].values()), 0)

    def test_a_plan_is_carried_out_until_a_surprise(self):
        # In this model the first action brings a counter on, and three of them reach the goal; really nothing of that is shown.
        model = "def encode(request):\n    return {'z': {'frame': request['frame'], 'n': 0}}\ndef render(request):\n    return request['z']\n"
        dynamics = ("def predict(request):\n    z = dict(request['z'])\n    z['n'] += request['action']['id'] == 1\n"
                    "    return {'z': z, 'done': z['n'] == 3}\n")
        scores = self.play(self.leader({"observable": model, "dynamics": dynamics}, "{'choose': 'plan'}"), {"actions": 4})
        self.assertEqual(scores["choices"]["plan"], 4)
        answers = self.lines("answers.jsonl")
        self.assertTrue(any(line.get("who") == "plan" and line["answer"]["steps"] == [{"id": 1}] * 3 for line in answers))

    def test_resets_are_barred_for_a_while(self):
        self.play(self.leader({"dynamics": COPYING}, "{'choose': 'reset'}"), {"actions": 9, "reset_gap": 4})
        choices = [step["choice"] for step in self.lines("steps.jsonl")]
        resets = [i for i, choice in enumerate(choices) if choice == "reset"]
        self.assertGreaterEqual(len(resets), 2)
        self.assertTrue(all(b - a > 4 for a, b in zip(resets, resets[1:])), choices)


class PatchTest(ArenaCase):
    ECHO = "arc:Echo/intro#7"  # where the first step goes against a wall

    def versions(self, texts):
        """A team of one, whose `dynamics` has the next of these texts at every turn."""
        act = "{'choose': 'probe', 'action': {'id': 1}, 'feedback': [{'to': 'leader', 'text': 'go on'}]}"
        turn = "{'patches': [{'artifact': 'dynamics', 'text': texts.pop(0), 'reason': 'next'}] if texts else []}"
        return {"leader": f"texts = {texts!r}\n" + answers(act=act, turn=turn)}

    WRONG = "def predict(request):\n    return {'z': {'frame': '0' * len(request['z']['frame'])}}\n"

    def test_a_patch_of_the_wrong_form_is_refused_with_words(self):
        for text, words in (("def predict(", "exit code 1"), ("x = 1\n", "lack predict"), ("def predict(request):\n    return {}\n", "key `z` is missing"),
                            ("def predict(request):\n    return {'z': {'frame': 'short'}}\n", "is no frame")):
            scores = self.play(self.versions([COPYING, text]), {"actions": 3})
            self.assertEqual((scores["patches"]["accepted"], scores["patches"]["malformed"]), (1, 1), text)
            refused = [line for line in self.lines("revisions.jsonl") if line["revision"] is None]
            self.assertIn(words, refused[0]["refused"])
            self.assertIn("your patch was refused", self.file("chat.jsonl"))
            self.assertEqual(self.file("artifacts/dynamics"), COPYING)

    def test_a_patch_that_breaks_something_is_marked_or_refused(self):
        texts = [COPYING, "# the same\n" + COPYING, self.WRONG, COPYING]
        scores = self.play(self.versions(texts), {"actions": 8}, game=self.ECHO)
        told = self.lines("revisions.jsonl")
        self.assertEqual(scores["patches"]["accepted_and_broke"], 1)
        self.assertEqual([line["broken"] > 0 for line in told], [False, False, True, False])
        self.assertEqual(told[3]["fixed"], told[2]["broken"])
        gated = self.play(self.versions(texts), {"actions": 8}, game=self.ECHO, options=["--gate"])
        self.assertEqual((gated["patches"]["refused_by_gate"], gated["patches"]["accepted_and_broke"]), (1, 0))
        self.assertIn("the gate: it fixes 0 and breaks", self.file("revisions.jsonl"))

    def test_only_owners_patch(self):
        other = answers(turn="{'patches': [{'artifact': 'dynamics', 'text': 'x'}]}")
        scores = self.play({"observer": other, "simulator": answers()}, {"actions": 1, "rounds": 1})
        self.assertEqual(scores["patches"]["accepted"], 0)
        self.assertIn("that another role owns", self.file("revisions.jsonl"))

    def test_the_ledger_resolves_and_opens_again(self):
        scores = self.play(self.versions([self.WRONG, COPYING, self.WRONG, COPYING]), {"actions": 8}, game=self.ECHO)
        ledger = json.loads(self.file("ledger.json"))
        again = [entry for entry in ledger["entries"] if entry["reopened"]]
        self.assertTrue(again)
        self.assertTrue(all(entry["resolved"] and entry["opened"] < entry["reopened"][0] < entry["resolved"] for entry in again), again)
        self.assertEqual(scores["repairs"]["entries"], len(ledger["entries"]))
        self.assertEqual(scores["repairs"]["held"], sum(bool(entry["resolved"]) and not entry["reopened"] for entry in ledger["entries"]))

    def test_the_ledger_keeps_the_newest_open_entries(self):
        self.play(self.versions([self.WRONG]), {"actions": 8, "ledger": 3})
        self.assertEqual([entry["t"] for entry in json.loads(self.file("ledger.json"))["entries"] if entry["source"] == "predict"], [6, 7, 8])

    def test_what_the_frame_does_not_tell_is_called_history(self):
        steps = self.play(self.versions([COPYING]), {"actions": 60}, game="autumn:HookCrane#1") and self.lines("steps.jsonl")
        seen, log = {}, self.lines("log.jsonl")
        frame = log[0]["start"]
        width = log[0].get("width", 64)
        for step, line in zip(steps, log[1:]):
            before = frame
            for one in line["frames"]:
                for y, x, colours in ([] if isinstance(one, str) else one["d"]):
                    at = width * y + x
                    frame = frame[:at] + colours + frame[at + len(colours):]
            key = (before, json.dumps(step["action"]))
            if "part" in step:
                self.assertEqual(step["part"], "history" if seen.get(key, frame) != frame else "dynamics")
            seen[key] = frame


class LimitsTest(ArenaCase):
    def test_a_game_ends_at_its_limits(self):
        spends = "def answer(request):\n    return {'choose': 'probe', 'usage': {'tokens_in': 10, 'tokens_out': 5, 'cost': 0.5}}\n"
        for limits, end, actions in (({"tokens": 60}, "the limit of tokens", 2), ({"cost": 2}, "the limit of cost", 2),
                                     ({"actions": 2}, "the limit of actions", 2)):
            scores = self.play({"leader": spends}, {"actions": 20, **limits})
            self.assertEqual((scores["end"], scores["actions"]), (end, actions))
            result = json.loads(read(self.path("run/results.json")))
            self.assertIn(end, json.dumps(result["episodes"][0]))

    def test_unknown_usage_ends_a_game_where_a_limit_needs_it(self):
        hides = "def answer(request):\n    return {'choose': 'probe', 'usage': None}\n"
        self.assertEqual(self.play({"leader": hides})["actions"], 6)
        scores = self.play({"leader": hides}, {"tokens": 1000000})
        self.assertEqual((scores["actions"], scores["end"]), (0, "usage that is not known, under a limit"))

    def test_no_turn_begins_when_the_tokens_of_a_step_are_used_up(self):
        code = "def answer(request):\n    return {'choose': 'probe', 'again': True, 'usage': {'tokens_in': 40, 'tokens_out': 0}}\n"
        scores = self.play({"leader": code}, {"actions": 1, "step_tokens": 100, "rounds": 9})
        self.assertEqual(scores["roles"]["leader"]["asked"], 4, "three turns, and the decision")

    def test_the_clock_ends_a_game_and_that_is_replayed(self):
        scores = self.play({"leader": "def answer(request):\n    return {'choose': 'probe'}\n"}, {"actions": 100000, "seconds": 1}, game="arc:Echo/intro#7")
        self.assertIn(scores["end"], ("the limit of seconds", "the end of the episode"))
        whole = self.tree("run")
        self.arena(self.path("team.json"), "--resume", game="arc:Echo/intro#7")
        self.assertEqual(self.tree("run"), whole)


class VerifyTest(ArenaCase):
    def test_whatever_was_altered_is_found(self):
        act = "{'choose': 'probe', 'feedback': [{'to': 'leader', 'text': 'x'}]}"
        self.play({"leader": answers(act=act, patches=[patch("dynamics", COPYING)])})
        names = sorted(self.tree("run"))
        self.assertGreater(len(names), 10)
        for name in names:
            path = os.path.join(self.path("run"), name)
            before = read(path)
            if not before:
                write(path, b"x")
            else:
                at = max(before.rfind(b"0"), before.rfind(b"1"), before.rfind(b"e"))
                write(path, before[:at] + (b"2" if before[at:at + 1] != b"e" else b"f") + before[at + 1:])
            self.verify(codes=(FOUND,))
            write(path, before)
        self.verify()

    def test_an_interrupted_run_says_so(self):
        self.play({"leader": PROBES})
        path = os.path.join(self.game(), "answers.jsonl")
        lines = read(path).splitlines(keepends=True)
        write(path, b"".join(lines[:-3]))
        self.assertIn("--resume", self.verify(codes=(FOUND,)))


class CallTest(ArenaCase):
    def test_a_folder_whose_files_would_have_cut_names_is_refused(self):
        deep = "/".join(["d" * 200] * 4)
        done = run("arena", GAME, "--team", self.team({"leader": answers()}), "-o", deep, "-q", cwd=self.folder)
        self.assertEqual((done.returncode, "too long" in done.stderr), (USAGE, True), done.stderr)
        self.assertFalse(os.path.exists(self.path("d" * 200)))

    def test_wrong_calls_say_what_to_do(self):
        team = self.team({"leader": PROBES})
        for arguments, words in (((GAME, "-o", "x"), "--team"), ((GAME, "--team", team), "-o"), (("--team", team, "-o", "x"), "name the games")):
            done = run("arena", *arguments, cwd=self.folder)
            self.assertEqual(done.returncode, USAGE)
            self.assertIn(words, done.stderr)
        self.assertIn("no frames", self.arena(team, game="GoToGoal-v0/easy#1", codes=(USAGE,)).stderr)

    def test_wrong_teams_say_what_is_wrong(self):
        good = json.loads(read(self.team({"leader": PROBES})))
        for change, words in (({"roles": {}}, "at least one of"), ({"roles": {"boss": {}}}, "boss"), ({"roles": {"leader": {"program": "x"}}}, "list of words"),
                              ({"roles": {"leader": {"endpoint": "http://x", "model": "y"}}}, "endpoint"), ({"limits": {"rounds": 0}}, "1 or more"),
                              ({"limits": {"speed": 1}}, "speed"), ({"model": {}}, "program"), ({"name": 3}, "name"),
                              ({"roles": {"critic": good["roles"]["leader"]}}, "at least one of")):
            team = write(self.path("bad.json"), json.dumps({**good, **change}))
            self.assertIn(words, self.arena(team, codes=(FOUND, USAGE)).stderr, change)

    def test_a_folder_holds_one_run(self):
        team = self.team({"leader": PROBES})
        self.arena(team)
        self.assertIn("--resume", self.arena(team, codes=(FOUND, USAGE)).stderr)
        self.assertIn("another team", self.arena(self.team({"leader": PROBES}, {"actions": 7}), "--resume", codes=(FOUND, USAGE)).stderr)

    def test_a_program_that_cannot_start_is_an_error_and_can_be_mended(self):
        broken = self.team({"leader": "raise SystemExit(5)\n"})
        self.assertIn("exit code 5", self.arena(broken, codes=(FOUND, USAGE)).stderr)

    def test_json_has_the_scores(self):
        done = self.arena(self.team({"leader": PROBES}), "--json")
        self.assertEqual(json.loads(done.stdout)["games"], [json.loads(self.file("scores.json"))])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
