"""Agents that are programs: the messages that they get, how programs that misbehave are handled, and the results of eval.

    python3 tests/agents_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import base64
import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from process_support import is_alive

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GREEDY = f"{sys.executable} {ROOT}/examples/agents/greedy.py"
FOUND, USAGE = 1, 2
EPISODES = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..5"]
SALT = "00112233445566778899aabbccddeeff"  # for tests that need the same run each time

# Plays the action that HOW says, unless the code inserted before it does something else.
LOOP = """
import json, os, sys, time
heard = []
def say(reply):
    print(reply if isinstance(reply, str) else json.dumps(reply), flush=True)
{before}
for line in sys.stdin:
    message = json.loads(line)
    heard.append(message["op"])
    op = message["op"]
    if op == "close":
        break
{inside}
    if op == "hello":
        say({hello})
    elif op == "end":
        say({{}})
    else:
        say({{"action": {action}}})
{after}
"""


class WithAgents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-agents-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def agent(self, inside="", before="", after="", hello="{}", action="0", name="agent.py"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(LOOP.format(before=before, inside=textwrap.indent(textwrap.dedent(inside), "    "), after=after,
                                   hello=hello, action=action))
        return f"{sys.executable} -IS {self.path(name)}"

    def run_eval(self, command, *arguments, program=SEEDBED, episodes=EPISODES, salt=SALT, **options):
        self.result = self.path("result.json")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.result)
        salted = ["--salt", salt] if salt else []
        return subprocess.run([program, "eval", *episodes, "--agent", "exec:" + command, "-o", self.result, *salted,
                               *arguments], capture_output=True, text=True, timeout=900, cwd=self.folder, **options)

    def evaluate(self, command, *arguments, code=0, **options):
        done = self.run_eval(command, *arguments, **options)
        self.assertIn(done.returncode, (0, FOUND) if code is None else (code,), done.stderr + done.stdout)
        with open(self.result, encoding="utf-8") as file:
            return json.load(file)

    def refuse(self, command, *words, code=FOUND):
        done = self.run_eval(command)
        self.assertEqual(done.returncode, code, done.stderr)
        lines = done.stderr.splitlines()  # the shell may have printed something before
        self.assertTrue(lines[-1].startswith("seedbed: "), done.stderr)
        for word in words:
            self.assertIn(word, lines[-1])
        self.assertFalse(os.path.exists(self.result))

    def assert_lost(self, result, at, kind, *words):
        """Checks that only episode `at` was lost, for this reason, and all others were played."""
        kinds = [episode.get("error", {}).get("kind") for episode in result["episodes"]]
        self.assertEqual(kinds, [kind if i == at else None for i in range(len(kinds))])
        lost = result["episodes"][at]
        self.assertFalse(lost["success"])
        for word in words:
            self.assertIn(word, lost["error"]["text"])
        return lost


class Conversation(WithAgents):
    def messages(self, *arguments, hello="{}", **options):
        """Returns all messages that an agent got, in order."""
        log = self.path("heard.jsonl")
        command = self.agent(before=f"log = open({log!r}, 'w')", inside="log.write(line); log.flush()", hello=hello)
        self.evaluate(command, "-j1", *arguments, **options)
        with open(log, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_pictures_come_with_every_message_if_they_are_asked_for(self):
        told = self.messages(hello='{"pixels": {"look": "flat", "tile": 16}}')
        self.assertEqual([sorted(message["picture"]) for message in told[1:-1]], [["data", "type"]] * (len(told) - 2), "without hello and close")
        path = self.path("picture.png")
        subprocess.run([SEEDBED, "show", "GoToGoal/easy#0", "--look", "flat", "--tile", "16", "-o", path], check=True, capture_output=True)
        with open(path, "rb") as file:
            self.assertEqual(base64.b64decode(told[1]["picture"]["data"]), file.read())
        self.assertNotIn("picture", self.messages()[1])

    def test_pictures_that_cannot_be_drawn_are_refused(self):
        for pixels, word in (({"look": "blurred"}, "blurred"), ({"look": "flat", "tile": 5}, "tile"), (3, "pixels"), ({"look": "flat", "channels": 1}, "channels")):
            self.refuse(self.agent(hello=repr({"pixels": pixels})), word, code=USAGE)

    def test_messages_are_hello_then_episodes_of_reset_steps_and_end(self):
        told = self.messages()
        self.assertEqual(told[0]["op"], "hello")
        self.assertEqual(told[0]["protocol"], 1)
        self.assertEqual(told[0]["families"][0]["name"], "agentick")
        self.assertIn("ascii", told[0]["families"][0]["modes"])
        self.assertEqual(told[0]["limits"]["reply_seconds"], 60)
        steps = told[1]["max_steps"]
        one = ["reset"] + ["step"] * (steps - 1) + ["end"]
        self.assertEqual([message["op"] for message in told[1:-1]][:len(one)], one)
        reset, end = told[1], told[len(one)]
        self.assertEqual((reset["family"], reset["task"], reset["difficulty"], reset["category"], reset["n_actions"]),
                         ("agentick", "GoToGoal-v0", "easy", "navigation", 6))
        self.assertEqual(list(reset["observations"]), ["ascii"])
        self.assertIn("noop", reset["valid_names"])
        self.assertEqual((end["steps"], end["return"], end["truncated"], end["success"]), (steps, 0.0, True, False))

    def test_an_agent_is_not_told_which_episode_it_plays(self):
        told = self.messages()
        self.assertEqual(set(told[1]), {"op", "family", "task", "difficulty", "category", "summary", "max_steps",
                                        "n_actions", "action_names", "random_seed", "observations", "valid_actions", "valid_names"})
        seeds = [message["random_seed"] for message in told if message["op"] == "reset"]
        self.assertEqual(len(set(seeds)), 6)
        self.assertFalse(set(seeds) & set(range(6)))

    def test_no_message_of_any_task_in_any_mode_has_the_seed_in_it(self):
        seed = 1987654321
        for family, program, variants in (("agentick", SEEDBED, ["-d", "easy"]), ("babyai", SEEDBED, []), ("toy", TOY, [])):
            hello = repr({"modes": self.modes_of(family, program)})
            told = self.messages("--max-steps", "2", hello=hello, code=None, program=program,
                                 episodes=["--family", family, *variants, "--seeds", str(seed)])
            self.assertTrue(any(message["op"] == "step" for message in told))
            text = json.dumps(told)
            for spelling in (str(seed), hex(seed)[2:]):
                self.assertNotIn(spelling, text)

    @staticmethod
    def modes_of(family, program):
        done = subprocess.run([program, "serve", "--stdio"], input='{"op": "hello"}\n', capture_output=True, text=True, timeout=900)
        return next(one["modes"] for one in json.loads(done.stdout)["families"] if one["name"] == family)

    def test_an_agent_sees_the_modes_and_lists_that_it_asked_for(self):
        told = self.messages(hello="{'modes': ['language', 'state_dict'], 'actions': 'numbers'}")
        self.assertEqual(list(told[1]["observations"]), ["language", "state_dict"])
        self.assertIsInstance(told[2]["observations"]["state_dict"], dict)
        self.assertNotIn("valid_names", told[1])
        told = self.messages(hello="{'modes': [], 'actions': 'none'}")
        self.assertEqual((told[1]["observations"], "valid_actions" in told[1]), ({}, False))

    def test_close_is_the_last_message(self):
        log = self.path("closed")
        command = self.agent(after=f"open({log!r}, 'w').write(' '.join(heard[-2:]))")
        self.evaluate(command, "-j1")
        with open(log, encoding="utf-8") as file:
            self.assertEqual(file.read(), "end close")

    def test_other_families_are_played_too(self):
        result = self.evaluate(self.agent(hello="{'actions': 'none', 'modes': ['data']}", action="'add'"), program=TOY,
                               episodes=["--family", "toy", "--tasks", "Pile", "-n", "3"])
        self.assertEqual([episode["success"] for episode in result["episodes"]], [True] * 3)
        self.assertEqual(result["families"][0]["rules"], "toy 1")


class Results(WithAgents):
    def test_the_bot_of_the_examples_plays_well(self):
        result = self.evaluate(GREEDY, episodes=["--tasks", "GoToGoal", "-d", "easy,hard", "-n", "10"])
        self.assertEqual(result["agent"]["name"], "greedy")
        self.assertEqual(result["agent"]["kind"], "exec")
        self.assertGreater(result["families"][0]["all"]["success_rate"], 0.7)

    def test_results_do_not_depend_on_processes(self):
        texts = []
        for arguments in (["-j1"], ["-j3"], ["-j2", "--fresh"]):
            result = self.evaluate(GREEDY, *arguments, episodes=["--tasks", "GoToGoal,MazeNavigation", "-d", "easy", "-n", "3"])
            result["agent"].pop("fresh")
            texts.append(json.dumps(result))
        self.assertEqual(len(set(texts)), 1)

    def test_fresh_starts_a_process_for_every_episode(self):
        for arguments, expected in ((["-j1", "--fresh"], 6), (["-j1"], 1)):
            count = self.path("count")
            open(count, "w").close()
            self.evaluate(self.agent(before=f"open({count!r}, 'a').write('x')"), *arguments)
            self.assertEqual(os.path.getsize(count), expected)

    def test_standard_error_goes_to_ours_or_to_a_file(self):
        command = self.agent(before="print('hello from inside', file=sys.stderr)")
        self.assertIn("hello from inside", self.run_eval(command).stderr)
        done = self.run_eval(command, "--agent-log", self.path("log"))
        self.assertEqual(done.stderr, "")
        with open(self.path("log"), encoding="utf-8") as file:
            self.assertIn("hello from inside", file.read())

    def test_the_log_has_a_limit_and_says_so(self):
        size = 3 << 20
        command = self.agent(before=f"os.write(2, b'begin'); rest = {size} - 5\nwhile rest: rest -= os.write(2, b'x' * min(rest, 1 << 16))")
        for mib, kept in (("1", 1 << 20), ("0", size), ("64", size)):
            done = self.run_eval(command, "-j1", "--agent-log", self.path("log"), "--agent-log-mib", mib)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path("log"), "rb") as file:
                log = file.read()
            self.assertEqual(log[:kept], b"begin" + b"x" * (kept - 5))
            if kept == size:
                self.assertEqual((len(log), done.stderr), (size, ""))
            else:
                self.assertEqual(log[kept:], b"\nseedbed: this log is full (--agent-log-mib 1): the rest is left out\n")
                self.assertIn(f"log is full: {size - kept} bytes", done.stderr)

    def test_an_unwritable_log_is_reported_and_the_evaluation_goes_on(self):
        done = self.run_eval(self.agent(before="os.write(2, b'x')"), "--agent-log", "/dev/full")
        self.assertEqual(done.returncode, 0)
        self.assertIn("No space left", done.stderr)

    def test_only_regular_files_and_devices_are_logs(self):
        with open(self.path("precious"), "w", encoding="utf-8") as file:
            file.write("precious")
        os.symlink("precious", self.path("link"))
        os.mkfifo(self.path("fifo"))
        reader = os.open(self.path("fifo"), os.O_RDONLY | os.O_NONBLOCK)  # otherwise it could not be opened for writing
        self.addCleanup(os.close, reader)
        os.mkdir(self.path("folder"))
        for name, words in (("link", "is a link"), ("fifo", "is not a regular file"), ("folder", "Is a directory")):
            done = self.run_eval(self.agent(), "--agent-log", self.path(name))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)
        with open(self.path("precious"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_name_option_names_the_result(self):
        self.assertEqual(self.evaluate(self.agent(), "--name", "my <agent>")["agent"]["name"], "my <agent>")


LONG = 65536

    # What an agent does instead of, or besides, its first answer to `step`; the kind of error that the episode gets (None: it is
    # played to its end); and words of the error's text. (evaluate_test.c tests what replies may contain.)
WAYS = {
    "ends in the middle": ("sys.exit(7)", "crash", ["exit code 7", "`step`"]),
    "ends as if all were well": ("sys.exit(0)", "crash", ["exit code 0"]),
    "dies of a signal": ("os.kill(os.getpid(), 11)", "crash", ["signal 11"]),
    "ends, and a child keeps its output open": ("os.system('sleep 1000 &'); sys.exit(5)", "crash", ["exit code 5"]),
    "hangs": ("time.sleep(1000)", "timeout", ["`step` within 3 s"]),
    "hangs and cannot be asked to end": ("ignore_signals(); time.sleep(1000)", "timeout", ["within 3 s"]),
    "hangs within a line": ("raw(b'{\"action\": 1'); time.sleep(1000)", "timeout", ["within 3 s"]),
    "hangs and hears nothing": ("os.close(0); time.sleep(1000)", "timeout", ["within 3 s"]),
    "closes its output and goes on": ("os.close(1); time.sleep(1000)", "closed", ["kept running"]),
    "says a line that does not end": ("raw(b'x' * 1000000); time.sleep(1000)", "overlong", ["65536"]),
    "says one byte too many": ("raw(b'x' * (LONG + 1) + b'\\n')", "overlong", ["65536"]),
    "says as much as it may": ("raw(b'x' * LONG + b'\\n')", "nonsense", ["`xxx"]),
    "answers twice": ("raw(b'{\"action\": 1}\\n{\"action\": 1}\\n')", "nonsense", ["`{\"action\": 1}`", "more than one line"]),
    "says no JSON": ("raw(b'not json\\n')", "nonsense", ["`not json`"]),
    "says no text": ("raw(b'\\xff\\x00\\xfe\\n')", "nonsense", []),
    "says what terminals obey": ("raw(b'\\x1b[31m\\n')", "nonsense", ["\\x1b[31m"]),
    "names what terminals obey": ("say({'action': '\\x1b[31m\\nGr\\xfcn'})", "nonsense", ["`\\x1b[31m\\nGrün`"]),
    "takes an action that is out of range": ("say({'action': 6})", "nonsense", ["0..5"]),
    "takes an action that is not valid": ("say({'action': next(a for a in range(6) if a not in message['valid_actions'])})", None, []),
    "floods its standard error": ("for i in range(20): os.write(2, b'x' * 1000000)", None, []),
    "leaves children that have ended": ("for i in range(20): os.fork() or os._exit(0)", None, []),
    "ends after the end": ("sys.exit(3)", None, []),
    "answers the end twice": ("raw(b'{}\\n{}\\n')", None, []),
}

    # The agent misbehaves in every second episode; it tells episodes apart by the number for seeding its generator.
BADLY = """
import signal
said, way = 0, ""
ways = {ways!r}
LONG = {long}
def raw(data):
    global said
    said += 1
    os.write(1, data)
def say(reply):
    raw(json.dumps(reply).encode() + b"\\n")
def ignore_signals():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
"""
BADLY_INSIDE = """
if op == "reset":
    way, when = ways.get(message["random_seed"], ("", ""))
if way and op == when:
    spoken, doing, way = said, way, ""
    exec(doing)
    if said > spoken:
        continue
"""


def random_seed(name, salt=SALT):
    digest = hashlib.blake2b(name.encode(), key=bytes.fromhex(salt), digest_size=32).digest()
    return int.from_bytes(digest[:4], "big") & 0x7fffffff


class Salts(WithAgents):
    """Each run has a random salt: numbers reveal nothing of the episode, and runs can be repeated."""
    OFFICIAL = ["--tasks", "GoToGoal", "-d", "easy", "-n", "20"]
    # Its actions are drawn at random.
    BY_CHANCE = {"before": "import random\n", "inside": "if op == 'reset': chance = random.Random(message['random_seed'])",
                 "action": "chance.randrange(message.get('n_actions', 6))"}

    def numbers(self, *arguments, **options):
        """Returns the random_seed of every episode, by its name, and the salt."""
        log = self.path("numbers")
        command = self.agent(before=f"log = open({log!r}, 'w')", inside="if op == 'reset': print(message['random_seed'], file=log, flush=True)")
        result = self.evaluate(command, "-j1", *arguments, **options)
        with open(log, encoding="utf-8") as file:
            numbers = [int(line) for line in file]
        return dict(zip((episode["episode"] for episode in result["episodes"]), numbers)), result["agent"]["salt"]

    def text(self, *arguments, **options):
        self.evaluate(self.agent(**self.BY_CHANCE), *arguments, **options)
        with open(self.result, encoding="utf-8") as file:
            return file.read()

    def test_random_seed_does_not_reveal_the_name_to_somebody_who_knows_all_names(self):
        numbers, salt = self.numbers(episodes=self.OFFICIAL, salt=None)
        others, other = self.numbers(episodes=self.OFFICIAL, salt=None)
        self.assertNotEqual(salt, other)
        self.assertEqual(len(numbers), 20)
        self.assertFalse(set(numbers.values()) & set(others.values()), "random_seed must not follow from the name alone")
        self.assertEqual(numbers, {name: random_seed(name, salt) for name in numbers})

    def test_a_salt_repeats_a_run_for_any_number_of_processes(self):
        text = self.text("-j1", salt=None)
        salt = json.loads(text)["agent"]["salt"]
        self.assertRegex(salt, r"\A[0-9a-f]{32}\Z")
        self.assertNotEqual(self.text("-j1", salt=None), text)
        for again in (["-j1"], ["-j3"]):
            self.assertEqual(self.text(*again, salt=salt), text)
        self.assertEqual(self.text(salt=salt.upper()), text)

    def test_parts_with_one_salt_are_the_parts_of_the_whole(self):
        whole = json.loads(self.text())["episodes"]
        parts = [json.loads(self.text(episodes=[*EPISODES[:-1], seeds]))["episodes"] for seeds in ("0..1", "2..5")]
        self.assertEqual(sum(parts, []), whole)

    def test_the_table_for_people_has_the_salt(self):
        done = self.run_eval(self.agent(), salt=SALT)
        self.assertIn(f"salt  {SALT}\n", done.stdout)

    def test_malformed_salts_are_refused(self):
        for salt in (SALT[:-1], SALT + "0", "g" * 32, ""):
            done = self.run_eval(self.agent(), "--salt", salt, salt=None)
            self.assertEqual(done.returncode, USAGE)
            self.assertIn("a salt should be 32 hex digits", done.stderr)
        done = subprocess.run([SEEDBED, "eval", *EPISODES, "--salt", SALT], capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--salt", done.stderr)

    def seedbed(self, *arguments):
        return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=900)

    def test_results_without_a_salt_are_read_and_malformed_salts_are_refused(self):
        result = json.loads(self.text())
        for salt, code in ((SALT, 0), (None, 0), ("no salt", USAGE), (7, USAGE)):
            result["agent"].pop("salt", None)
            if salt:
                result["agent"]["salt"] = salt
            with open(self.path("other.json"), "w", encoding="utf-8") as file:
                json.dump(result, file)
            for command in ("verify", "report"):
                done = self.seedbed(command, self.path("other.json"))
                self.assertEqual(done.returncode != 0, code != 0, done.stderr)
                if code:
                    self.assertIn("salt", done.stderr)

    def test_a_report_says_whether_results_are_parts_of_one_run(self):
        paths = []
        for i, salt in enumerate((SALT, SALT, None)):
            self.text(episodes=[*EPISODES[:-1], f"{2 * i}..{2 * i + 1}"], salt=salt)
            paths.append(self.path(f"part-{i}.json"))
            os.rename(self.result, paths[-1])
        self.assertNotIn("salts", self.seedbed("report", *paths[:2]).stdout)
        self.assertIn("different salts", self.seedbed("report", *paths).stdout)


class Misbehaviour(WithAgents):
    def play_badly(self, *arguments):
        """Makes a result in which every second episode is played in the way that the table says."""
        ways = {random_seed(f"GoToGoal-v0/easy#{2 * i + 1}"): (way, "end" if "the end" in name else "step")
                for i, (name, (way, _, _)) in enumerate(WAYS.items())}
        command = self.agent(BADLY_INSIDE, before=BADLY.format(ways=ways, long=LONG))
        return self.evaluate(command, "--reply-seconds", "3", "--agent-log", os.devnull, "--agent-log-mib", "10", *arguments, code=FOUND,
                             episodes=["--tasks", "GoToGoal", "-d", "easy", "--seeds", f"0..{2 * len(WAYS) - 1}"])

    def test_misbehaviour_costs_only_the_episode_for_any_number_of_processes(self):
        result = self.play_badly("-j1")
        for i, (name, (_, kind, words)) in enumerate(WAYS.items()):
            with self.subTest(an_agent_that=name):
                good, bad = result["episodes"][2 * i:2 * i + 2]
                self.assertNotIn("error", good)
                error = bad.get("error", {"kind": None, "text": ""})
                self.assertEqual(error["kind"], kind, error["text"])
                for word in words:
                    self.assertIn(word, error["text"])
                if kind:
                    self.assertEqual((bad["success"], bad["steps"], bad["actions"]), (False, 1, "0"), "the actions played before the error are kept")
        self.assertEqual(result, self.play_badly("-j4"))

    def test_exit_statuses_are_known_even_if_sigchld_was_ignored(self):
        result = self.evaluate(self.agent("if op == 'step': sys.exit(7)"), code=FOUND, episodes=["GoToGoal/easy#0"],
                               preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assert_lost(result, 0, "crash", "exit code 7")

    def test_an_agent_that_ends_after_an_episode_gets_advice_about_fresh(self):
        command = self.agent("if op == 'reset' and 'end' in heard: sys.exit(0)")
        self.assert_lost(self.evaluate(command, "-j1", code=FOUND, episodes=EPISODES[:4] + ["--seeds", "0..1"]), 1, "crash",
                         "--fresh")
        self.evaluate(command, "-j1", "--fresh")

    def test_too_many_steps_end_the_episode(self):
        result = self.evaluate(self.agent(), "--max-steps", "4", code=FOUND)
        self.assertEqual({episode["error"]["kind"] for episode in result["episodes"]}, {"steps"})
        self.assertEqual({episode["actions"] for episode in result["episodes"]}, {"0*4"})

    def test_an_agent_that_always_crashes_loses_every_episode(self):
        result = self.evaluate(self.agent("if op == 'step': os.abort()"), "-j3", code=FOUND)
        self.assertEqual({episode["error"]["kind"] for episode in result["episodes"]}, {"crash"})
        self.assertEqual(result["families"][0]["all"]["errors"], 6)

    def test_long_requests_to_a_program_that_is_slow_to_read_arrive(self):
        slow = self.agent(hello="{'modes': ['state', 'structured', 'ascii', 'language']}", inside="time.sleep(0.002)")
        self.evaluate(slow, episodes=["--tasks", "ToolUse", "-d", "easy", "-n", "2"])

    def test_a_program_that_cannot_start_is_refused_at_once(self):
        self.refuse("", "add the command", code=USAGE)
        self.refuse("nosuchprogram-at-all", "exit code 127", "`hello`")
        self.refuse("true", "exit code 0", "`hello`")
        self.refuse("true " + "x" * 99, "x...: it ended")
        self.refuse(self.agent(before="say('Loading the model...')"), "Loading the model...")
        self.refuse(self.agent(hello="{'protocol': 2}"), "key `protocol` should be 1")
        self.refuse(self.agent(hello="{'actions': 'all'}"), "names, numbers or none")
        self.refuse(self.agent(hello="{'modes': ['smell']}"), "smell", "ascii", code=USAGE)

    def test_hello_has_its_own_time_limit(self):
        done = self.run_eval(self.agent(before="time.sleep(1000)"), "--start-seconds", "1")
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("no answer to `hello` within 1 s", done.stderr)
        self.evaluate(self.agent(before="time.sleep(1.2)"), "--reply-seconds", "1", "-j1")

    def test_a_program_that_says_nothing_for_five_seconds_is_asked_about_its_output(self):
        hint = "seedbed: note: the program has not answered `hello` for 5 seconds; does it flush its output?"
        done = self.run_eval(self.agent(before="time.sleep(6.5)"))
        self.assertEqual((done.returncode, done.stderr.count(hint)), (0, 1), done.stderr)
        self.assertNotIn("flush", self.run_eval(self.agent(before="time.sleep(0.5)")).stderr)

    def test_a_command_may_be_anything_that_a_shell_runs(self):
        command = self.agent()
        for spelling in (f"cd / && X=1 {command}", f"X=1 {command}", f"{command} 'a;b' | cat", f"exec {command}"):
            with self.subTest(command=spelling):
                self.evaluate(spelling, episodes=["GoToGoal/easy#0"])

    def test_an_agent_that_cannot_start_again_loses_only_those_episodes(self):
        mark = self.path("started")
        before = f"ok = not os.path.exists({mark!r}); open({mark!r}, 'w').close()\nif not ok: sys.exit(9)"
        result = self.evaluate(self.agent("if op == 'step' and heard.count('reset') == 2: sys.exit(5)", before=before),
                               "-j1", code=FOUND)
        kinds = [episode.get("error", {}).get("kind") for episode in result["episodes"]]
        self.assertEqual(kinds, [None, "crash"] + ["start"] * 4)
        self.assertIn("exit code 9", result["episodes"][-1]["error"]["text"])


class Orphans(WithAgents):
    """No program outlives eval, nor do the children that the program has started."""

    def stubborn(self):
        """Ignores every signal that can be ignored, has a child of the same kind, and never answers."""
        return self.agent(
            before="import signal, subprocess\n"
                   "for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):\n"
                   "    signal.signal(number, signal.SIG_IGN)\n",
            inside=f"""
                if op == 'reset':
                    child = subprocess.Popen(['sleep', '1000'])
                    open({self.folder!r} + '/pid-%d' % os.getpid(), 'w').write('%d %d' % (os.getpid(), child.pid))
                    while True: time.sleep(1)
            """)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def wait_for_pids(self, n):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            names = [name for name in os.listdir(self.folder) if name.startswith("pid-")]
            texts = [self.read(name).split() for name in names]
            if len(texts) == n and all(len(text) == 2 for text in texts):
                return [int(pid) for text in texts for pid in text]
            time.sleep(0.02)
        self.fail("the agents did not begin")

    def assert_all_die(self, pids):
        until = time.monotonic() + 60
        while any(map(is_alive, pids)) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual([pid for pid in pids if is_alive(pid)], [])

    def test_no_program_survives_the_end_of_eval(self):
        for number, said in ((signal.SIGINT, "Interrupt"), (signal.SIGTERM, "Terminated"), (signal.SIGKILL, None)):
            for name in os.listdir(self.folder):
                os.unlink(self.path(name))
            with self.subTest(signal=number):
                child = subprocess.Popen([SEEDBED, "eval", *EPISODES, "-j2", "--agent", "exec:" + self.stubborn(),
                                          "-o", self.path("result.json")], stdout=subprocess.DEVNULL,
                                         stderr=subprocess.PIPE, text=True)
                pids = self.wait_for_pids(2)
                self.assertTrue(all(map(is_alive, pids)))
                child.send_signal(number)
                self.assertEqual(child.wait(timeout=300), -number)
                self.assert_all_die(pids)
                with child.stderr as errors:
                    self.assertEqual(errors.read(), f"seedbed: {said} after 0 of 6 episodes: no result was written\n" if said else "")
                left = {name for name in os.listdir(self.folder) if name.startswith("result.json")}
                self.assertEqual(left, set() if said else {"result.json.part", "result.json.seedbed.lock"})
                again = [SEEDBED, "eval", *EPISODES, "-q", "-o", self.path("result.json")]
                self.assertEqual(subprocess.run(again).returncode, 0, "the lock must be free")
                self.assertTrue(os.path.exists(self.path("result.json")))

    def guard_of(self, pid):
        """Returns the guard, which kills programs when eval is killed: a shell that has a name of its own."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as file:
                children = file.read().split()
            for child in children:
                with contextlib.suppress(FileNotFoundError), open(f"/proc/{child}/cmdline", encoding="utf-8") as file:
                    if file.read().startswith("seedbed-guard\0"):
                        return int(child)
            time.sleep(0.02)
        self.fail("the guard process was not found")

    def start(self, **options):
        child = subprocess.Popen([SEEDBED, "eval", *EPISODES, "-j2", "--agent", "exec:" + self.stubborn(), "-o",
                                  self.path("result.json")], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
        self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

    def test_a_killed_guard_ends_the_run_and_all_programs(self):
        child = self.start()
        pids = self.wait_for_pids(2)
        os.kill(self.guard_of(child.pid), signal.SIGKILL)
        _, said = child.communicate(timeout=50)  # long before the agents would be late
        self.assertEqual(child.returncode, FOUND)
        self.assertIn("guards the agent's programs was killed", said)
        self.assert_all_die(pids)
        self.assertFalse(os.path.exists(self.path("result.json")))

    def test_the_guard_keeps_none_of_our_files_open(self):
        ends = os.pipe()
        child = self.start(pass_fds=ends)
        pids = self.wait_for_pids(2)
        folder = f"/proc/{self.guard_of(child.pid)}/fd"
        held = [os.readlink(os.path.join(folder, name)).split(":")[0] for name in sorted(os.listdir(folder))]
        self.assertEqual(held, ["pipe", "pipe", "/dev/null"])
        child.kill()
        child.communicate(timeout=300)
        self.assert_all_die(pids)
        for end in ends:
            os.close(end)

    def test_a_hanging_program_is_killed_with_its_children(self):
        self.run_eval(self.stubborn(), "-j1", "--reply-seconds", "1", episodes=["GoToGoal/easy#0"])
        self.assert_all_die(self.wait_for_pids(1))

    def test_a_program_that_leaves_children_behind_is_cleaned_up(self):
        command = self.agent(before=f"import subprocess\nchild = subprocess.Popen(['sleep', '1000'], stdout=subprocess.DEVNULL)\n"
                                    f"open({self.folder!r} + '/pid-1', 'w').write('%d %d' % (child.pid, child.pid))")
        self.evaluate(command, "-j1")
        self.assert_all_die(self.wait_for_pids(1))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
