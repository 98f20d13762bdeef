"""examples/arena/model.py: language models as a team, played by a scripted model behind the stub endpoint, which also misbehaves in every way that it can;
and attacks by artifacts, which run in the sandbox.

    python3 tests/arena_model_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import unittest

from arena_test import COPYING, EXAMPLES, ArenaCase
from dataset_support import SEEDBED, read, write
from sandbox_support import CLOSED, KEY, SANDBOX
from stub_endpoint import MODES, Bad, StubEndpoint, completion

ROLES = ("observer", "simulator", "inductive", "transductive", "critic", "leader")

LOOKING = '''def encode(request):
    return {"z": {"frame": request["frame"]}}
'''
WISHING = '''policies = ["on"]
def goal(request):
    return {"achieved": request["z"]["frame"].count("0") == 3, "progress": 0.5}
def policy(request):
    return {"action": {"id": 1 + request["m"]["step"] % 4}}
'''


def fenced(said, **artifacts):
    blocks = [f"```python {name}\n{text}```" for name, text in artifacts.items()]
    return "\n".join(["Let me see.", *blocks, f"```json\n{json.dumps(said)}\n```"])


def who(body):
    """The role that is asked, and what is asked of it."""
    role = re.search(r"You are the (\w+)", body["messages"][0]["content"])[1]
    asked = body["messages"][1]["content"]
    op = next(op for op, words in (("turn", "It is your turn"), ("probe", "Which actions would"), ("route", "Whose error is it"), ("act", "Decide.")) if words in asked)
    return role, op, asked


def scripted(body, n=0):
    """A model that plays all roles; the same question has the same answer."""
    role, op, asked = who(body)
    step = int(re.search(r"after (\d+) actions", asked)[1])
    if op == "turn":
        text = {"observer": {"observable": LOOKING}, "simulator": {"dynamics": f"# step {step}\n{COPYING}"}, "inductive": {"strategy": WISHING}}.get(role, {})
        return fenced({"reason": f"at step {step}", "notes": f"{role} was here"}, **text)
    if op == "probe":
        return fenced({"actions": [{"id": 1 + step % 4}]})
    if op == "route":
        owner = ("observation", "dynamics", "strategy")[step % 3]
        return fenced({"owner": owner, "feedback": [{"to": "leader", "text": f"an error at step {step}"}]})
    return fenced({"choose": ("probe", "plan", "policy", "reset")[step % 4], "policy": "on"})


class ModelCase(ArenaCase):
    def setUp(self):
        super().setUp()
        os.environ["OPENAI_API_KEY"] = KEY
        self.addCleanup(os.environ.pop, "OPENAI_API_KEY")

    def model_team(self, url, limits=None, options=(), name="team.json", model=None):
        program = [sys.executable, os.path.join(EXAMPLES, "model.py"), "--url", url, "--model", "tiny", "--backoff", "0.01", "--max-wait", "0.01", *options]
        runs = [sys.executable, os.path.join(EXAMPLES, "artifacts.py"), "{artifacts}"]
        document = {"name": "scripted", "model": {"program": model or runs, "seconds": 20}, "roles": {role: {"program": program} for role in ROLES},
                    "limits": {"actions": 24, "nodes": 60, **(limits or {})}}
        return write(self.path(name), json.dumps(document))

    def play_model(self, answer, limits=None, options=(), game="arc:Echo/intro#7", codes=(0,)):
        """Plays, verifies, and looks for the key. Returns the scores; the questions are in `heard`."""
        subprocess.run(["rm", "-rf", self.path("run")])
        with StubEndpoint(answer) as server:
            self.arena(self.model_team(server.url, limits, options), game=game, codes=codes)
            self.heard = [(body, headers) for _, body, headers in server.heard]
        self.verify()
        for name, text in self.tree("run").items():
            self.assertNotIn(KEY.encode(), text, name)
        return json.loads(self.file("scores.json"))


class PlayTest(ModelCase):
    def test_a_scripted_model_plays_all_six_roles(self):
        scores = self.play_model(scripted)
        self.assertEqual(scores["actions"], 24)
        asked = {who(body)[:2] for body, _ in self.heard}
        self.assertEqual({role for role, _ in asked}, set(ROLES))
        self.assertLessEqual({("simulator", "turn"), ("transductive", "probe"), ("critic", "route"), ("leader", "act")}, asked)
        changed = {one["artifact"] for line in self.lines("revisions.jsonl") if line["revision"] for one in line["patches"]}
        self.assertEqual(changed, {"observable", "dynamics", "strategy"})
        self.assertTrue(all(scores["choices"][choice] for choice in ("policy", "probe", "reset")), scores["choices"])
        self.assertIn("an error at step", self.file("chat.jsonl"))
        self.assertEqual({headers["Authorization"] for _, headers in self.heard}, {"Bearer " + KEY})

    def test_tokens_are_those_that_the_endpoint_reports(self):
        roles = self.play_model(scripted)["roles"]
        for role in ROLES:
            n = sum(who(body)[0] == role for body, _ in self.heard)
            self.assertEqual((roles[role]["tokens_in"], roles[role]["tokens_out"]), (10 * n, 3 * n), role)

    def test_what_was_said_before_is_told_again(self):
        self.play_model(scripted)
        later = [who(body)[2] for body, _ in self.heard if who(body)[:2] == ("simulator", "turn")][-1]
        self.assertIn("simulator was here", later)
        self.assertIn("# step", later)
        self.assertIn("What was wrong and is not mended", later)
        self.assertRegex(later, r"predicted wrongly\) \d")

    def test_a_refused_patch_is_told_and_taken_back(self):
        broken = "def predict(request):\n    return 1 / 0\n"
        self.play_model(lambda body, n: fenced({}, dynamics=broken) if who(body)[:2] == ("simulator", "turn") else scripted(body), {"actions": 6})
        turns = [who(body)[2] for body, _ in self.heard if who(body)[:2] == ("simulator", "turn")]
        self.assertIn("ZeroDivisionError", turns[-1])
        self.assertNotIn("1 / 0", turns[-1])

    def test_killed_at_any_moment_nothing_is_paid_twice(self):
        with StubEndpoint(scripted) as server:
            team = self.model_team(server.url)
            self.arena(team, game="arc:Echo/intro#7", out="whole")
            asked = len(server.heard)
            command = [SEEDBED, "arena", "arc:Echo/intro#7", "--team", team, "-o", "cut", "-q", "--resume"]
            kills = 0
            for share in (0.2, 0.5, 0.8):
                process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                while process.poll() is None and len(server.heard) - asked < share * asked:
                    pass
                kills += process.poll() is None
                process.send_signal(signal.SIGKILL)
                process.wait()
            self.arena(team, "--resume", game="arc:Echo/intro#7", out="cut")
            again = len(server.heard) - asked
        self.assertEqual(kills, 3)
        self.assertEqual(self.tree("cut"), self.tree("whole"))
        self.assertLessEqual(again, asked + kills, "an answer can be lost only on its way")

    def test_the_team_that_is_shipped_plays(self):
        document = json.loads(read(os.path.join(EXAMPLES, "model.json")))
        for one in [document["model"], *document["roles"].values()]:
            one["program"] = [word.replace("python3", sys.executable).replace("{here}", EXAMPLES) for word in one["program"]]
            if not CLOSED:
                one["program"] = [more for word in one["program"] for more in ((word, "--no-sandbox") if word.endswith("sandbox.py") else (word,))]
        document["limits"]["actions"] = 4
        with StubEndpoint(scripted) as server:
            os.environ.update(OPENAI_BASE_URL=server.url, OPENAI_MODEL="tiny")
            self.addCleanup(lambda: [os.environ.pop(name) for name in ("OPENAI_BASE_URL", "OPENAI_MODEL")])
            self.arena(write(self.path("shipped.json"), json.dumps(document)), game="arc:Echo/intro#7")
        self.verify()
        self.assertEqual(json.loads(self.file("scores.json"))["actions"], 4)


class BudgetTest(ModelCase):
    def test_nobody_is_asked_once_the_tokens_are_used_up(self):
        for limit in (13, 60, 130):
            scores = self.play_model(scripted, {"tokens": limit})
            due = -(-limit // 13)
            self.assertEqual((scores["end"], len(self.heard)), ("the limit of tokens", due), limit)
            self.assertEqual(sum(role["tokens_in"] + role["tokens_out"] for role in scores["roles"].values()), 13 * due)

    def test_costs_are_limited_where_they_are_known(self):
        scores = self.play_model(scripted, {"cost": 0.0001}, ["--price-in", "1", "--price-out", "2"])
        self.assertEqual((scores["end"], len(self.heard)), ("the limit of cost", 7), "an answer costs 16 millionths")
        scores = self.play_model(scripted, {"cost": 1})
        self.assertEqual((scores["end"], len(self.heard)), ("usage that is not known, under a limit", 1))
        self.assertTrue(any(role.get("cost_is_partly_unknown") for role in scores["roles"].values()))
        self.assertEqual(self.play_model(scripted, {"tokens": 10 ** 9})["end"], "the limit of actions", "costs are not known, and nobody limits them")

    def test_unknown_tokens_end_a_game_under_a_limit_only(self):
        def silent(body, n):
            return {**completion(scripted(body)), "usage": None}
        scores = self.play_model(silent, {"tokens": 10 ** 9})
        self.assertEqual((scores["end"], len(self.heard)), ("usage that is not known, under a limit", 1))
        self.assertEqual(self.play_model(silent)["end"], "the limit of actions")

    def test_too_long_questions_are_shortened(self):
        long = MODES["OpenAI says it"].behave
        scores = self.play_model(lambda body, n: long if len(body["messages"][1]["content"]) > 9000 else scripted(body), options=["--characters", "40000"])
        self.assertEqual(scores["actions"], 24)
        lengths = [len(body["messages"][1]["content"]) for body, _ in self.heard]
        self.assertTrue(min(lengths) <= 9000)


# Answers that are none, or hold what nobody asked for.
ODD = ["", "```json\n[1, 2]\n```", "```json\n{\"choose\": NaN}\n```", "{" * 3000, "[" * 100000, '{"a":' * 5000, '```json\n{"choose": "probe", "action": {"id": 1e999}}\n```',
       '{"choose": "policy", "policy": {"x": 1}}', '{"choose": "probe", "action": {"id": "\\ud800", "x": 99999999999999999999, "y": -1}}', '{"choose": ["plan"], "actions": 7, "owner": null}',
       '{"actions": [[], {}, {"id": null}, {"id": true}, "up", 3, {"id": 6, "x": 1.5, "y": 2}]}', '{"feedback": [{"to": "leader", "text": "a\\u0000b"}, {"to": 3}, 4], "notes": "\\ud800\\u0000"}',
       '{"feedback": {"to": "leader"}, "again": "yes", "notes": 5}', "```python dynamics\n" + "x = 1\n" * 50000 + "```", "```python dynamics\n\0\n```", "```python observable dynamics strategy\n```",
       "```dynamics\ndef predict(\n```\n```json\n{}\n```", "````\n```json\n{}", "```python dynamics\nprint('{}')\n" + COPYING + "```", '{"owner": "nobody"}', f'{{"notes": "my key is {KEY}", "choose": "probe"}}',
       "```python dynamics\nimport os\nos._exit(0)\n```", "```python dynamics\ndef predict(request):\n    return {'z': float('nan')}\n```", '{"choose": "reset"}' * 5000]


class MisbehavingTest(ModelCase):
    def no_program_failed(self, scores):
        """What failed is what the program said about its endpoint, and never the program itself."""
        told = [line["text"] for line in self.lines("chat.jsonl") if line["from"] == "arena"]
        said = [text for text in told if text.startswith("it has no answer: ")]
        self.assertEqual(len(said), sum(role["failures"] for role in scores["roles"].values()))

    def test_an_endpoint_that_misbehaves_in_every_way_does_not_break_a_run(self):
        ways = [mode.behave for mode in MODES.values()]
        used = []

        def answer(body, n):
            if n and n <= len(ways):
                used.append(n)
            return ways[n - 1] if 1 <= n <= len(ways) else scripted(body)
        scores = self.play_model(answer, {"actions": 160}, ["--retries", "0", "--timeout", "0.3"])
        self.assertEqual(used, list(range(1, len(ways) + 1)))
        self.assertEqual(scores["actions"], 160)
        self.no_program_failed(scores)

    def test_answers_of_any_form_do_not_break_a_run(self):
        for shift in (0, 1):  # who gets which answer
            scores = self.play_model(lambda body, n, shift=shift: ODD[(n + shift) % len(ODD)] if n % 4 else scripted(body), {"actions": 24})
            self.assertEqual(scores["actions"], 24)
            self.no_program_failed(scores)
            self.assertGreater(len(self.heard), len(ODD))

    def test_a_wrong_key_leaves_the_game_to_the_arena(self):
        scores = self.play_model(lambda body, n: Bad.status(401, said=f"no {KEY}".encode()), codes=(1,))
        self.assertEqual(scores["end"], "no usable answer of the leader")
        self.assertEqual((scores["actions"], scores["choices"]["probe"]), (24, 24))
        self.assertIn('"error":"401', self.file("answers.jsonl"))

    def test_wrong_options_are_an_error_before_the_game(self):
        self.assertIn("exit code", self.arena(self.model_team("nowhere"), codes=(1, 2)).stderr)


@unittest.skipUnless(CLOSED, "there are no namespaces here")
class AttackTest(ArenaCase):
    """Each artifact tries something, and says in its error what it reached. Its patch is refused, and the game goes on with the model of before."""

    GAME = "arc:Echo/intro#7"
    LATE = "no answer within"

    @classmethod
    def setUpClass(cls):
        """How long a program may take whose answer never comes: long enough for the others on this machine as it is now."""
        began = time.monotonic()
        subprocess.run([sys.executable, SANDBOX, "--", sys.executable, "-c", "import json, gzip, socket"], check=True)
        cls.late = max(3, round(10 * (time.monotonic() - began)))

    def attack(self, code, says=None, options=()):
        """Lets the second patch attack in predict(); `says`: what the reason of the refusal holds."""
        seconds = self.late if says == self.LATE else 60
        subprocess.run(["rm", "-rf", self.path("run")])
        attacking = "import os, socket, subprocess, sys, time\ndef predict(request):\n    reached = []\n" + "".join(f"    {line}\n" for line in code.splitlines()) \
            + "    raise RuntimeError(f'reached: {sorted(reached)}')\n"
        texts = [COPYING, attacking]
        leader = f"texts = {texts!r}\ndef answer(request):\n    if request['op'] != 'turn' or not texts:\n        return {{'choose': 'probe', 'feedback': [{{'to': 'leader', 'text': 'go on'}}] if request['op'] == 'act' else []}}\n" \
                 "    return {'patches': [{'artifact': 'dynamics', 'text': texts.pop(0)}]}\n"
        model = [sys.executable, SANDBOX, "--memory", "512", "--hide", "seedbed", "--hide", "secretgame", *options, "--show", "{artifacts}", "--show", EXAMPLES + "/..",
                 "--", sys.executable, os.path.join(EXAMPLES, "artifacts.py"), "{artifacts}"]
        document = {"name": "attacked", "model": {"program": model, "seconds": seconds}, "roles": {"leader": {"program": [sys.executable, self.path("roles.py"), leader]}}, "limits": {"actions": 5}}
        self.arena(write(self.path("team.json"), json.dumps(document)), game=self.GAME)
        self.verify()
        scores, told = json.loads(self.file("scores.json")), self.lines("revisions.jsonl")
        self.assertEqual((scores["actions"], scores["predictions"]["said"]), (5, 5), "the game goes on, with predictions")
        self.assertEqual((scores["patches"]["accepted"], scores["patches"]["malformed"]), (1, 1))
        self.assertIn(says or "reached: []", told[1]["refused"])
        return scores

    def reach(self, *paths):
        """Code that notes which of these can be read or written."""
        return (f"for path in {list(paths)!r}:\n    for how in ('rb', 'ab'):\n        try:\n            open(path, how).close()\n            reached.append(how + path)\n"
                "        except OSError:\n            pass")

    def test_a_bomb_of_processes(self):
        self.attack("while True:\n    try:\n        os.fork()\n    except OSError:\n        pass", self.LATE)
        self.attack("n = 0\ntry:\n    while True:\n        if os.fork() == 0:\n            time.sleep(60)\n        n += 1\nexcept OSError:\n    pass\nreached += [n] if n > 20 else []")

    def test_an_endless_loop(self):
        self.attack("while True:\n    pass", self.LATE)
        self.attack("time.sleep(1000)", self.LATE)

    def test_much_memory(self):
        self.attack("x = bytearray(2 << 30)", "MemoryError")

    def test_much_disk(self):
        self.attack("i = 0\nwhile True:\n    open(f'f{i}', 'wb').write(bytes(1 << 20))\n    i += 1", "exit code 124", options=("--disk", "8"))

    def test_signals_to_others(self):
        self.attack("for target in (-1, 1, os.getppid()):\n    try:\n        os.kill(target, 19)\n    except OSError:\n        pass\nos.kill(os.getpid(), 9)", "it ended")

    def test_writing_into_files_of_the_harness(self):
        run = self.path("run")
        game = os.path.join(run, "games", "001-arc_Echo_intro#7")
        paths = [os.path.join(game, name) for name in ("artifacts/dynamics", "artifacts/new", "answers.jsonl", "log.jsonl", "ledger.json", "scores.json")]
        code = self.reach(*paths[1:], run + "/run.json", run + "/team.json", self.path("roles.py"), os.path.join(EXAMPLES, "new"), "/tmp/x", "/usr/x")
        self.attack(code + f"\ntry:\n    open({paths[0]!r}, 'ab')\n    reached.append('its artifact')\nexcept OSError:\n    pass\n"
                    f"for name in os.listdir({os.path.dirname(paths[0])!r}):\n    try:\n        os.unlink(os.path.join({os.path.dirname(paths[0])!r}, name))\n        reached.append(name)\n    except OSError:\n        pass")

    def test_reading_the_game(self):
        """Neither its log and answers, nor the program that knows it, nor the memory of the process that plays it."""
        game = os.path.join(self.path("run"), "games", "001-arc_Echo_intro#7")
        os.makedirs(self.path("bin"))
        write(self.path("bin/secretgame"), "#!/bin/sh\necho rules\n")
        os.chmod(self.path("bin/secretgame"), 0o755)
        os.environ["PATH"] += ":" + self.path("bin")
        self.addCleanup(os.environ.update, PATH=os.environ["PATH"].rpartition(":")[0])
        program = f"try:\n    subprocess.run([{SEEDBED!r}, 'tasks'], check=True)\n    reached.append('ran')\nexcept OSError:\n    pass\n" \
                  f"text = b''\ntry:\n    text = open({self.path('bin/secretgame')!r}, 'rb').read()\nexcept OSError:\n    pass\nreached += [str(text)] if text else []\n" \
                  "try:\n    import seedbed\n    reached.append('imported')\nexcept ImportError:\n    pass\n"
        memory = "for pid in filter(str.isdigit, os.listdir('/proc')):\n    line = open(f'/proc/{pid}/cmdline', 'rb').read()\n    reached += [str(line)] if b'seedbed\\0arena' in line else []\n" \
                 "    try:\n        open(f'/proc/{pid}/mem', 'rb').close()\n        reached += [pid] if int(pid) != os.getpid() else []\n    except OSError:\n        pass\nreached += [n for n in os.environ if 'KEY' in n]"
        os.environ["OPENAI_API_KEY"] = KEY
        self.addCleanup(os.environ.pop, "OPENAI_API_KEY")
        self.attack(self.reach(game + "/log.jsonl", game + "/answers.jsonl", SEEDBED) + "\n" + program + memory, options=("--show", self.path("bin")))

    def test_the_network(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(0.1)
            port = server.getsockname()[1]
            self.attack(f"try:\n    socket.create_connection(('127.0.0.1', {port}), 1)\n    reached.append('the listener')\nexcept OSError:\n    pass")
            with self.assertRaises(TimeoutError):
                server.accept()

    def test_answers_that_are_not_its_own(self):
        self.attack("print('{\"z\": 1}\\n{\"z\": 2}', flush=True)", "more than one line")
        self.attack("os.close(1)\ntime.sleep(1000)", self.LATE)

    def test_attacks_while_it_is_read(self):
        for code, says in (("import os\nos.kill(os.getpid(), 9)\n", "exit code"), ("raise SystemExit(0)\n", "exit code 0")):
            leader = f"texts = {[COPYING, code]!r}\ndef answer(request):\n    return {{'patches': [{{'artifact': 'dynamics', 'text': texts.pop(0)}}] if request['op'] == 'turn' and texts else [], 'again': True}}\n"
            scores = self.play({"leader": leader}, {"actions": 3}, model=[sys.executable, SANDBOX, "--show", "{artifacts}", "--show", EXAMPLES + "/..", "--", sys.executable,
                                                                         os.path.join(EXAMPLES, "artifacts.py"), "{artifacts}"])
            self.assertEqual((scores["predictions"]["said"], scores["patches"]["malformed"]), (3, 1))
            self.assertIn(says, self.lines("revisions.jsonl")[1]["refused"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
