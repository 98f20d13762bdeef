"""Programs that play several episodes at a time, take several actions in one reply, report costs and tell about themselves.

    python3 tests/rounds_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
FOUND, USAGE = 1, 2
SALT = "00112233445566778899aabbccddeeff"
EPISODES = ["--tasks", "GoToGoal,MazeNavigation", "-d", "easy", "--seeds", "0..9"]
PLACES = 20

# Plays actions drawn from the number of the episode. HOW (JSON in the environment) has the hello's members and code: `each` runs
# before each message of an episode is answered (`m`, its slot's own `state`; it may set `answer`), `line` before a line.
AGENT = """
import json, os, random, sys, time
how = json.loads(os.environ.get("HOW", "{}"))
log = open(os.environ["LOG"], "a")
slots, count = {}, 0
def raw(data):
    os.write(1, data)
def play(m):
    slot = m.get("slot", 0)
    if m["op"] == "reset":
        slots[slot] = {"chance": random.Random(m["random_seed"]), "seed": m["random_seed"], "n": 0}
    state, answer = slots[slot], {}
    state["n"] += 1
    if m["op"] != "end":
        answer = {"action": state["chance"].choice(m["valid_actions"])}
    names = {"m": m, "state": state, "answer": answer, "sys": sys, "os": os, "time": time}
    exec(how.get("each", ""), names)
    answer = names["answer"]
    if "slot" in m and isinstance(answer, dict):
        answer.setdefault("slot", slot)
    return answer
for line in sys.stdin:
    log.write(line)
    log.flush()
    message = json.loads(line)
    if message["op"] == "close":
        break
    if message["op"] == "hello":
        reply = how.get("hello", {})
    elif message["op"] == "round":
        replies = [play(m) for m in message["messages"]]
        reply = {"replies": [answer for answer in reversed(replies) if answer is not None]}
        exec(how.get("line", ""))
    else:
        reply = play(message)
    if reply is not None:
        print(json.dumps(reply), flush=True)
"""


def random_seed(name, salt=SALT):
    digest = hashlib.blake2b(name.encode(), key=bytes.fromhex(salt), digest_size=32).digest()
    return int.from_bytes(digest[:4], "big") & 0x7fffffff


def actions_of(episode):
    actions = []
    for word in episode["actions"].split():
        action, _, times = word.partition("*")
        actions += [int(action)] * int(times or 1)
    return actions


EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "agents")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-rounds-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(self.path("agent.py"), "w", encoding="utf-8") as file:
            file.write(AGENT)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, out, *more, how=None, episodes=EPISODES, program=SEEDBED):
        return dict(args=[program, "eval", *episodes, "--agent", f"exec:{sys.executable} -IS {self.path('agent.py')}", "--salt", SALT, "--name", "x",
                          "-q", "-o", self.path(out), *more],
                    env={**os.environ, "HOW": json.dumps(how or {}), "LOG": self.path("log")})

    def run_eval(self, out, *more, **options):
        """Evaluates anew, or goes on if `more` says so."""
        open(self.path("log"), "w").close()
        if not {"--resume", "--retry-lost"} & set(more) and os.path.exists(self.path(out)):
            os.remove(self.path(out))
        return subprocess.run(**self.command(out, *more, **options), capture_output=True, text=True, timeout=900)

    def evaluate(self, out, *more, code=0, **options):
        done = self.run_eval(out, *more, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        with open(self.path(out), encoding="utf-8") as file:
            return json.load(file)

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def heard(self):
        return [json.loads(line) for line in self.read("log").splitlines()]

    def messages(self):
        """Returns the messages of all rounds that were heard."""
        return [message for line in self.heard() if line["op"] == "round" for message in line["messages"]]

    def refuse(self, words, *more, code=FOUND, **options):
        done = self.run_eval("refused", *more, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr.splitlines()[-1])
        self.assertFalse(os.path.exists(self.path("refused")))


def batch(n, **more):
    return {"hello": {"batch": n}, **more}


class Conversation(Case):
    def test_hello_says_what_is_possible(self):
        self.evaluate("result")
        limits = self.heard()[0]["limits"]
        self.assertEqual((limits["batch"], limits["actions"]), (256, 20))
        self.evaluate("result", "--fresh")
        self.assertNotIn("batch", self.heard()[0]["limits"])

    def test_rounds_have_a_message_for_each_running_episode(self):
        self.evaluate("result", "-j1", how=batch(4))
        lines = self.heard()
        self.assertEqual({line["op"] for line in lines}, {"hello", "round", "close"})
        rounds = [line["messages"] for line in lines if line["op"] == "round"]
        last = max(i for i, messages in enumerate(rounds) if any(message["op"] == "reset" for message in messages))
        self.assertEqual({len(messages) for messages in rounds[:last]}, {4}, "a slot does not stay empty while there are episodes")
        for messages in rounds:
            self.assertEqual(len({message["slot"] for message in messages}), len(messages))
        for slot in range(4):
            ops = "".join(message["op"][0] for message in self.messages() if message["slot"] == slot)
            self.assertRegex(ops, r"\A(rs*e)+\Z", "reset, step, ..., end, and then the next episode")
        self.assertEqual(sum(message["op"] == "reset" for message in self.messages()), PLACES)

    def test_messages_are_those_of_a_program_that_plays_one_episode_at_a_time(self):
        self.evaluate("result", "-j1")
        def key(messages):
            episodes, now = {}, {}
            for message in messages:
                slot = message.pop("slot", 0)
                if message["op"] == "reset":
                    now[slot] = episodes.setdefault(message["random_seed"], [])
                now[slot].append(message)
            return episodes
        one = key([line for line in self.heard() if line["op"] not in ("hello", "close")])
        self.evaluate("result", "-j1", how=batch(5))
        self.assertEqual(key(self.messages()), one)

    def test_results_are_those_of_one_by_one_for_any_batch_and_number_of_processes(self):
        self.evaluate("one", "-j1")
        for n, jobs in ((1, 1), (3, 1), (4, 3), (100, 2), (256, 1)):
            self.evaluate("rounds", "-j", str(jobs), how=batch(n))
            with self.subTest(batch=n, jobs=jobs):
                self.assertEqual(self.read("rounds"), self.read("one"))
        self.evaluate("one", "-j1", "--max-steps", "3", "--attempts", "2", code=FOUND)
        self.evaluate("rounds", "-j2", "--max-steps", "3", "--attempts", "2", how=batch(7), code=FOUND)
        self.assertEqual(self.read("rounds"), self.read("one"))

    def test_a_run_in_rounds_is_resumed(self):
        self.evaluate("whole")
        slow, times, code = batch(3, line="time.sleep(0.003)"), 0, None
        while code != 0 and times < 20:
            child = subprocess.Popen(**self.command("result", "-j2", "--resume", how=slow), stderr=subprocess.PIPE)
            try:
                code = child.wait(timeout=0.5 + 0.1 * times)
            except subprocess.TimeoutExpired:
                child.send_signal((signal.SIGKILL, signal.SIGINT)[times % 2])
                code = child.wait(timeout=300)
            child.stderr.close()
            times += 1
        self.assertGreater(times, 1)
        self.assertEqual(self.read("result"), self.read("whole"))

    def test_impossible_batches_are_refused(self):
        for n in (0, 257, -1, 1.5, "4", None, [4]):
            self.refuse("key `batch` should be a number from 1 to 256", how={"hello": {"batch": n}})
        self.refuse("with --fresh", "--fresh", how=batch(4))

    def test_all_processes_say_the_same_batch(self):
        mark = self.path("mark")
        how = batch(4, line=f"if not os.path.exists({mark!r}): open({mark!r}, 'w').close(); sys.exit(7)")
        with open(self.path("agent.py"), "w", encoding="utf-8") as file:
            file.write(AGENT.replace('reply = how.get("hello", {})', f'reply = {{"batch": 2}} if os.path.exists({mark!r}) else {{"batch": 4}}'))
        result = self.evaluate("result", "-j1", "--max-lost", "0", how=how, code=FOUND)
        kinds = {episode["error"]["kind"] for episode in result["episodes"]}
        self.assertEqual(kinds, {"start"})
        self.assertIn("key `batch` is not what the first process said", result["episodes"][0]["error"]["text"])


class Page(Case):
    def test_the_program_of_the_page_plays(self):
        with open(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "agents.md"), encoding="utf-8") as file:
            (program,) = (text for text in re.findall(r"```python\n(.*?)```", file.read(), re.S) if "textplay" not in text)  # that one is no agent
        with open(self.path("agent.py"), "w", encoding="utf-8") as file:
            file.write(program)
        self.assertEqual(self.evaluate("result")["families"][0]["all"]["errors"], 0)

    def test_the_example_plays_sixteen_episodes_at_a_time_as_greedy_plays_each(self):
        results = {}
        for name in ("greedy", "batched"):
            words = [SEEDBED, "eval", *EPISODES, "--agent", f"exec:{sys.executable} {os.path.join(EXAMPLES, name + '.py')}", "--salt", SALT]
            subprocess.run([*words, "-q", "-o", self.path(name)], check=True, timeout=900, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
            results[name] = json.loads(self.read(name))
        self.assertEqual(results["batched"]["episodes"], results["greedy"]["episodes"])
        self.assertEqual(results["batched"]["agent"]["about"], {"harness": "examples/agents/batched.py"})


VICTIM = "GoToGoal-v0/easy#2"
OF_VICTIM = f"if state['seed'] == {random_seed(VICTIM)} and state['n'] == 2: "

# What a program answers for one slot in the second message of an episode; the words of the error.
BAD_ANSWERS = {
    "no action": ("answer = {}", "`action` is missing"),
    "no such action": ("answer = {'action': 6}", "0..5"),
    "an unknown name": ("answer = {'action': 'fly'}", "`fly`"),
    "no answer": ("answer = None", "there is no answer in its slot to `step`"),
    "an action and actions": ("answer = {'action': 1, 'actions': [1]}", "either `action` or `actions`"),
    "no actions": ("answer = {'actions': []}", "1 to 20 actions"),
    "too many actions": ("answer = {'actions': [0] * 21}", "1 to 20 actions"),
    "a bad one among actions": ("answer = {'actions': [0, 0, 6]}", "out of range"),
    "actions until never": ("answer = {'actions': [0], 'until': 'never'}", "`until`"),
    "a negative cost": ("answer = {'action': 0, 'cost': -1}", "`cost`"),
    "a cost that is no number": ("answer = {'action': 0, 'cost': 'a lot'}", "`cost`"),
}

# What goes wrong with a line that has a message of that episode; the kind of the error.
BAD_LINES = {
    "ends": ("sys.exit(5)", "crash"), "dies of a signal": ("os.kill(os.getpid(), 11)", "crash"), "hangs": ("time.sleep(1000)", "timeout"),
    "closes its output": ("os.close(1); time.sleep(1000)", "closed"), "says no JSON": ("raw(b'not json\\n'); reply = None", "nonsense"),
    "says no replies": ("reply = {}", "nonsense"), "replies are no list": ("reply = {'replies': {}}", "nonsense"),
    "a reply is no object": ("reply['replies'][0] = 7", "nonsense"), "a slot that has no message": ("reply['replies'][0]['slot'] = 99", "nonsense"),
    "a slot that is no number": ("reply['replies'][0]['slot'] = 'one'", "nonsense"), "two lines": ("raw(b'{}\\n{}\\n'); reply = None", "nonsense"),
    "far too long": ("raw(b'x' * 3000000); time.sleep(1000)", "overlong"),
}


class Misbehaviour(Case):
    def assert_only_victim_lost(self, result, whole, kind, words=""):
        for episode, due in zip(result["episodes"], whole["episodes"], strict=True):
            if episode["episode"] == VICTIM:
                self.assertEqual(episode.get("error", {}).get("kind"), kind, episode)
                self.assertIn(words, episode["error"]["text"])
                self.assertEqual((episode["steps"], episode["success"]), (1, False))
            else:
                self.assertEqual(episode, due)

    def test_a_bad_answer_loses_its_episode_only_and_the_process_goes_on(self):
        whole = self.evaluate("whole")
        for name, (code, words) in BAD_ANSWERS.items():
            with self.subTest(name):
                result = self.evaluate("result", "-j1", how=batch(4, each=OF_VICTIM + code), code=FOUND)
                self.assert_only_victim_lost(result, whole, "nonsense", words)
                self.assertEqual(sum(line["op"] == "hello" for line in self.heard()), 1)
                self.assertEqual(sum(message["op"] == "reset" for message in self.messages()), PLACES, "nothing was played again")
                self.assertEqual(subprocess.run([SEEDBED, "verify", self.path("result")], capture_output=True).returncode, 0)

    def test_two_answers_in_one_slot_lose_that_episode(self):
        whole = self.evaluate("whole")
        code = f"mine = [a for a in reply['replies'] if slots[a['slot']]['seed'] == {random_seed(VICTIM)} and slots[a['slot']]['n'] == 2]; reply['replies'] += mine"
        result = self.evaluate("result", "-j1", how=batch(4, line=code), code=FOUND)
        self.assert_only_victim_lost(result, whole, "nonsense", "two answers in its slot")

    def test_what_fails_with_neighbours_and_alone_is_lost_and_no_other(self):
        whole = self.evaluate("whole")
        for name, (code, kind) in BAD_LINES.items():
            with self.subTest(name):
                line = f"if any(slots[m['slot']]['seed'] == {random_seed(VICTIM)} and slots[m['slot']]['n'] == 2 for m in message['messages']):\n    {code}"
                result = self.evaluate("result", "-j1", "--reply-seconds", "1", how=batch(4, line=line), code=FOUND)
                self.assert_only_victim_lost(result, whole, kind)
                self.assertGreaterEqual(sum(line["op"] == "hello" for line in self.heard()), 3, "a new process after each failure")
        self.assertGreater(sum(message["op"] == "reset" for message in self.messages()), PLACES + 1)

    def test_a_failure_that_does_not_come_back_loses_nothing(self):
        self.evaluate("whole")
        mark = self.path("mark")
        for code, _ in (BAD_LINES["ends"], BAD_LINES["says no JSON"], BAD_LINES["two lines"]):
            line = f"count += 1\nif count == 5 and not os.path.exists({mark!r}):\n    open({mark!r}, 'w').close()\n    {code}"
            self.evaluate("result", "-j1", how=batch(4, line=line))
            self.assertTrue(os.path.exists(mark))
            os.unlink(mark)
            self.assertEqual(self.read("result"), self.read("whole"))

    def test_after_a_failure_every_episode_that_was_running_is_played_alone(self):
        mark = self.path("mark")
        line = f"if not os.path.exists({mark!r}):\n    open({mark!r}, 'w').close()\n    sys.exit(3)"
        self.evaluate("result", "-j1", how=batch(4, line=line))
        lines = [line for line in self.heard() if line["op"] == "round"]
        self.assertEqual([len(line["messages"]) for line in lines[:2]], [4, 1])
        again = [message["random_seed"] for message in lines[0]["messages"]]
        alone = [line["messages"][0]["random_seed"] for line in lines[1:] if line["messages"][0]["op"] == "reset" and len(line["messages"]) == 1]
        self.assertEqual(alone[:4], again)

    def test_a_bad_answer_to_the_end_costs_nothing(self):
        self.evaluate("whole")
        for code in ("answer = None", "answer = {'cost': -1}", "answer = {'action': 99}"):
            self.evaluate("result", "-j1", how=batch(4, each=f"if m['op'] == 'end': {code}"))
            self.assertEqual(self.read("result"), self.read("whole"))
        self.evaluate("result", "-j1", how=batch(4, each="if m['op'] == 'end': sys.exit(1)"))
        self.assertEqual(self.read("result"), self.read("whole"))

    def test_time_is_counted_for_each_message(self):
        pause = "if not count:\n    count = 1\n    time.sleep(1.7)"
        self.evaluate("result", "-j1", "--reply-seconds", "1", how=batch(4, line=pause))
        result = self.evaluate("result", "-j1", "--reply-seconds", "1", how=batch(1, line=pause), code=FOUND, episodes=["GoToGoal/easy#0"])
        self.assertIn("within 1 s", result["episodes"][0]["error"]["text"])

    def test_a_program_that_cannot_start_again_loses_the_rest(self):
        mark = self.path("mark")
        with open(self.path("agent.py"), "w", encoding="utf-8") as file:
            file.write(f"import os, sys\nif os.path.exists({mark!r}): sys.exit(9)\nopen({mark!r}, 'w').close()\n" + AGENT)
        result = self.evaluate("result", "-j1", "--max-lost", "0", how=batch(4, line="count += 1\nif count == 2: sys.exit(5)"), code=FOUND)
        self.assertEqual({episode["error"]["kind"] for episode in result["episodes"]}, {"start"})

    def test_losses_in_a_row_and_hours_stop_rounds_too(self):
        done = self.run_eval("result", "--max-lost", "6", "-j1", how=batch(3, each="answer = {}"))
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("6 episodes in a row were lost", done.stderr)
        self.assertRegex(done.stderr, r"seedbed: [67] episodes are kept in ")
        done = self.run_eval("result", "--hours", "0.00005", "-j1", "--force", how=batch(3, line="time.sleep(0.02)"))
        self.assertIn("stopped: the run's 5e-05 hours are over", done.stderr)
        self.evaluate("whole")
        self.evaluate("result", "--resume", how=batch(3))
        self.assertEqual(self.read("result"), self.read("whole"))


class SeveralActions(Case):
    def lists(self, n, until=None):
        """Code of a program that answers with lists: the same actions as its next n replies would have had, if all are valid."""
        more = f"answer['until'] = {until!r}" if until else "pass"
        return f"if m['op'] != 'end': answer = {{'actions': [state['own'].randrange(6) for i in range({n})]}}; {more}"

    def singles(self):
        return "if m['op'] != 'end': answer = {'action': state['own'].randrange(6)}"

    def agent(self, code, n=0):
        how = {"each": "state.setdefault('own', __import__('random').Random(state['seed']))\n" + code}
        return {**how, "hello": {"batch": n}} if n else how

    def test_several_actions_are_taken_one_after_another(self):
        self.evaluate("one", how=self.agent(self.singles()))
        for n in (1, 3, 20):
            for size in (0, 4):
                with self.subTest(actions=n, batch=size):
                    self.evaluate("several", how=self.agent(self.lists(n), size))
                    self.assertEqual(self.read("several"), self.read("one"), "an episode that ends in the middle of a list drops the rest")

    def test_messages_say_how_many_were_taken_and_what_they_gave(self):
        result = self.evaluate("result", "-j1", how=self.agent(self.lists(3)), episodes=["GoToGoal/easy#0"])
        told = [line for line in self.heard() if line["op"] in ("step", "end")]
        self.assertEqual([message["taken"] for message in told[:-1]], [3] * (len(told) - 1))
        self.assertEqual([message["steps"] for message in told[:-1]], [3 * i for i in range(1, len(told))])
        self.assertEqual(told[-1]["steps"], result["episodes"][0]["steps"])
        self.assertEqual(sum(message["taken"] for message in told), result["episodes"][0]["steps"])
        self.assertEqual(sum(message["reward"] for message in told), result["episodes"][0]["return"])
        self.evaluate("result", "-j1", how=self.agent(self.singles()), episodes=["GoToGoal/easy#0"])
        self.assertFalse(any("taken" in line for line in self.heard()), "for one action the messages are as before")

    def test_steps_are_counted_singly(self):
        self.evaluate("one", "--max-steps", "5", how=self.agent(self.singles()), code=FOUND)
        self.evaluate("several", "--max-steps", "5", how=self.agent(self.lists(3)), code=FOUND)
        self.assertEqual(self.read("several"), self.read("one"))

    def until(self, until, code, episodes, program=SEEDBED, modes=None):
        how = {"each": f"if m['op'] != 'end': answer = {{'actions': {code}, 'until': {until!r}}}"}
        self.evaluate("result", "-j1", how=how, episodes=episodes, program=program)
        return [line for line in self.heard() if line["op"] in ("reset", "step", "end")]

    def test_until_a_reward(self):
        expert = subprocess.run([SEEDBED, "solve", "KeyDoorPuzzle/easy#1", "--json"], capture_output=True, text=True, timeout=900)
        actions = json.loads(expert.stdout)["actions"]
        feed = f"{actions!r}[m.get('steps', 0):][:20]"
        told = self.until("reward", feed, ["KeyDoorPuzzle/easy#1"])
        for message in told[1:-1]:
            self.assertTrue(message["reward"] != 0 or message["taken"] == 20, message)
        rest = self.until(["end"], feed, ["KeyDoorPuzzle/easy#1"])
        self.assertEqual([message["taken"] for message in rest[1:]], [20] * (len(actions) // 20) + [len(actions) % 20] * (len(actions) % 20 > 0))

    def test_until_other_actions_are_valid(self):
        told = self.until("event", "[1] * 20", ["GoToGoal/easy#0"])
        self.assertLess(told[1]["taken"], 20)
        self.assertNotEqual(told[0]["valid_actions"], told[1]["valid_actions"])
        told = self.until(["event", "reward"], "[0] * 20", ["GoToGoal/easy#0"])
        self.assertEqual(told[1]["taken"], 20, "standing still changes nothing")

    def test_until_a_level_is_completed(self):
        solved = subprocess.run([TOY, "solve", "climb:Climb/steep#3", "--json"], capture_output=True, text=True, timeout=900)
        self.assertEqual(solved.returncode, 0, solved.stderr)
        actions = json.loads(solved.stdout)["actions"]
        told = self.until("level", f"{actions!r}[m.get('steps', 0):][:20]", ["climb:Climb/steep#3"], program=TOY)
        taken = [message["taken"] for message in told[1:]]
        self.assertEqual(sum(taken), len(actions))
        self.assertGreater(len(taken), 1, "it was asked after a level")
        rest = self.until("end", f"{actions!r}[m.get('steps', 0):][:20]", ["climb:Climb/steep#3"], program=TOY)
        self.assertLess(len(rest), len(told))


class Costs(Case):
    HOW = {"each": "answer['cost'] = 0.5 if m['op'] != 'end' else 2"}

    def test_costs_add_up(self):
        result = self.evaluate("result", how=self.HOW)
        for episode in result["episodes"]:
            self.assertEqual(episode["cost"], 0.5 * episode["steps"] + 2)
        self.assertEqual(result["families"][0]["all"]["cost"], sum(episode["cost"] for episode in result["episodes"]))
        self.evaluate("rounds", how={**self.HOW, "hello": {"batch": 6}})
        self.assertEqual(self.read("rounds"), self.read("result"))
        self.assertEqual(subprocess.run([SEEDBED, "verify", self.path("result")], capture_output=True).returncode, 0)
        self.assertIn("cost", subprocess.run([SEEDBED, "report", self.path("result"), "--published", "none"], capture_output=True, text=True).stdout.splitlines()[1])
        self.assertNotIn('"cost"', json.dumps(self.evaluate("free")))

    def test_what_was_spent_on_a_failed_round_counts(self):
        whole, mark = self.evaluate("whole", how=self.HOW), self.path("mark")
        line = f"count += 1\nif count == 5 and not os.path.exists({mark!r}):\n    open({mark!r}, 'w').close()\n    sys.exit(3)"
        result = self.evaluate("result", "-j1", how={**self.HOW, **batch(4, line=line)})
        spent = [episode["cost"] - due["cost"] for episode, due in zip(result["episodes"], whole["episodes"], strict=True)]
        self.assertEqual(len([cost for cost in spent if cost]), 4, "the episodes that were running")
        self.assertTrue(all(cost in (0, 0.5, 1, 1.5, 2) for cost in spent), spent)

    def test_a_run_ends_when_it_has_cost_enough_and_goes_on_with_more(self):
        whole = self.evaluate("whole", how=self.HOW)
        half = whole["families"][0]["all"]["cost"] / 2
        done = self.run_eval("result", "--max-cost", str(half), "-j1", how=self.HOW)
        self.assertEqual(done.returncode, FOUND)
        self.assertRegex(done.stderr, r"\Aseedbed: stopped: the episodes cost [0-9.]+, and the limit is [0-9.]+\nseedbed: \d+ episodes are kept")
        self.assertIn("stopped: the episodes cost", self.run_eval("result", "--max-cost", str(half), "--resume", how=self.HOW).stderr, "what was spent counts")
        self.evaluate("result", "--max-cost", str(4 * half), "--resume", how=self.HOW)
        self.assertEqual(self.read("result"), self.read("whole"))


class About(Case):
    def about(self, out="result", *more, **how):
        return self.evaluate(out, *more, how=how, episodes=["GoToGoal/easy#0"])["agent"].get("about")

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def test_the_result_keeps_what_a_program_says_of_itself(self):
        told = {"model": "m-7", "sampling": {"temperature": 0.7, "top_p": 1}, "parameters": 7000000000, "mode": "chat", "ünï": ["x", None, True]}
        self.assertEqual(self.about(hello={"about": told}), told)
        self.assertIsNone(self.about())
        self.assertNotIn("about", self.read("result").decode())

    def test_a_file_says_more_and_comes_first(self):
        path = self.write("about.json", '{\n  "harness": "mine",\n  "temperature": 0.70,\n  "model": "m-8"\n}\n')
        told = self.about("result", "--about", path, hello={"about": {"model": "m-7", "mode": "chat"}})
        self.assertEqual(told, {"mode": "chat", "harness": "mine", "temperature": 0.7, "model": "m-8"})
        self.assertEqual(list(told), ["mode", "harness", "temperature", "model"])
        self.assertIn('"temperature": 0.70', self.read("result").decode(), "as it was written")
        done = subprocess.run([SEEDBED, "eval", "GoToGoal/easy#0", "--agent", "observer", "--about", path, "-q", "-o", self.path("oracle")], capture_output=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn('"harness": "mine"', self.read("oracle").decode().splitlines()[0])

    def test_what_cannot_be_told_is_refused(self):
        for told in (7, "text", ["list"], None):
            self.refuse("key `about` should be an object", how={"hello": {"about": told}})
        self.refuse("more than 16384 bytes", how={"hello": {"about": {"x": "y" * 17000}}}, code=USAGE)
        for text in ("[]", "7", "{", "{'a': 1}", ""):
            self.refuse("about.json", "--about", self.write("about.json", text), code=USAGE)
        self.refuse("nosuchfile", "--about", self.path("nosuchfile"))

    def test_unknown_keys_of_a_hello_are_ignored(self):
        self.evaluate("plain", how={})
        self.evaluate("result", how={"hello": {"mods": [], "version": {"a": 1}, "Batch": 7}})
        self.assertEqual(self.read("result"), self.read("plain"))

    def test_reports_show_it_without_what_terminals_obey(self):
        self.about(hello={"about": {"model": "m\x1b[31m-7\n", "evil\u202e": "<script>", "sampling": {"n": 1}}})
        done = subprocess.run([SEEDBED, "report", self.path("result"), "--published", "none"], capture_output=True, text=True)
        self.assertIn("m\\x1b[31m-7\\n", done.stdout)
        self.assertIn('{"n":1}', done.stdout)
        for foul in ("\x1b", "\u202e"):
            self.assertNotIn(foul, done.stdout)
        page = subprocess.run([SEEDBED, "report", self.path("result"), "--published", "none", "--html", "-"], capture_output=True, text=True).stdout
        self.assertNotIn("<script>", page.split("</table>")[2] if page.count("</table>") > 2 else "")
        self.assertIn("&lt;script&gt;", page)
        self.assertEqual(subprocess.run([SEEDBED, "verify", self.path("result")], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
