"""Agents that are programs: what they are told, what becomes of those that misbehave, and what eval makes of it all.

    python3 tests/agents_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GREEDY = f"{sys.executable} {ROOT}/examples/agents/greedy.py"
FOUND, USAGE = 1, 2
EPISODES = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..5"]

# Plays the action HOW says, as far as the code that is put in front does not do otherwise.
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

    def run_eval(self, command, *arguments, program=SEEDBED, episodes=EPISODES, **options):
        self.result = self.path("result.json")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.result)
        return subprocess.run([program, "eval", *episodes, "--agent", "exec:" + command, "-o", self.result, *arguments],
                              capture_output=True, text=True, timeout=60, cwd=self.folder, **options)

    def evaluate(self, command, *arguments, code=0, **options):
        done = self.run_eval(command, *arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        with open(self.result, encoding="utf-8") as file:
            return json.load(file)

    def refuse(self, command, *words, code=FOUND):
        done = self.run_eval(command)
        self.assertEqual(done.returncode, code, done.stderr)
        lines = done.stderr.splitlines()  # the shell may have said something before
        self.assertTrue(lines[-1].startswith("seedbed: "), done.stderr)
        for word in words:
            self.assertIn(word, lines[-1])
        self.assertFalse(os.path.exists(self.result))

    def assert_lost(self, result, at, kind, *words):
        """Only episode `at` was lost, for this reason, and all others were played."""
        kinds = [episode.get("error", {}).get("kind") for episode in result["episodes"]]
        self.assertEqual(kinds, [kind if i == at else None for i in range(len(kinds))])
        lost = result["episodes"][at]
        self.assertFalse(lost["success"])
        for word in words:
            self.assertIn(word, lost["error"]["text"])
        return lost


class Conversation(WithAgents):
    def messages(self, *arguments, hello="{}", **options):
        """Everything that an agent was told, in order."""
        log = self.path("heard.jsonl")
        command = self.agent(before=f"log = open({log!r}, 'w')", inside="log.write(line); log.flush()", hello=hello)
        self.evaluate(command, "-j1", *arguments, **options)
        with open(log, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

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
                                        "n_actions", "random_seed", "observations", "valid_actions", "valid_names"})
        seeds = [message["random_seed"] for message in told if message["op"] == "reset"]
        self.assertEqual(len(set(seeds)), 6)
        self.assertFalse(set(seeds) & set(range(6)))

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

    def test_a_name_may_be_given(self):
        self.assertEqual(self.evaluate(self.agent(), "--name", "my <agent>")["agent"]["name"], "my <agent>")


class Misbehaviour(WithAgents):
    """The third of six episodes goes wrong: it is lost, for a clear reason, and the others are played."""

    THIRD = "third = heard.count('reset') == 3 and op == 'step'\n"

    def lose(self, inside, kind, *words, arguments=("-j1",), **agent):
        """An agent that misbehaves in the first process only, at the second action of the third episode."""
        mark = self.path("happened")
        with contextlib.suppress(FileNotFoundError):
            os.unlink(mark)
        code = (self.THIRD + f"if third and not os.path.exists({mark!r}):\n    open({mark!r}, 'w').close()\n" +
                textwrap.indent(textwrap.dedent(inside), "    "))
        result = self.evaluate(self.agent(code, **agent), *arguments, code=FOUND)
        return self.assert_lost(result, 2, kind, *words)

    def test_a_crash_tells_the_exit_code(self):
        lost = self.lose("sys.exit(7)", "crash", "exit code 7", "`step`")
        self.assertEqual((lost["steps"], lost["actions"]), (1, "0"), "what was played before is kept")

    def test_a_killed_program_tells_the_signal(self):
        self.lose("os.kill(os.getpid(), 11)", "crash", "signal 11")

    def test_a_hang_ends_with_the_limit(self):
        began = time.monotonic()
        self.lose("time.sleep(1000)", "timeout", "`step` within 1 s", arguments=("-j1", "--reply-seconds", "1"))
        self.assertLess(time.monotonic() - began, 20)

    def test_half_a_line_is_a_hang(self):
        self.lose("sys.stdout.write('{\"action\": 1'); sys.stdout.flush(); time.sleep(1000)", "timeout", "within 1 s",
                  arguments=("-j1", "--reply-seconds", "1"))

    def test_nonsense_is_quoted(self):
        for said, words in (("not json", ["`not json`"]), ('{"action": 6}', ["0..5"]), ('{"action": "fly"}', ["`fly`"]),
                            ('{"acton": 1}', ["`action` is missing"]), ("[1]", ["JSON object"]), ("", ["``"]),
                            ('{"action": 1.5}', ["number"]), ('{"action": -1}', ["-1"]), ("\\x1b[31m", ["?[31m"]),
                            ('{"action": null}', ["number"]),
                            ('{"action": "\\\\u001b[31m\\\\nGr\\\\u00fcn"}', ["`?[31m?Grün`"])):
            with self.subTest(said=said):
                self.lose(f"say('{said}'); continue", "nonsense", *words)

    def test_bytes_that_are_no_text_are_nonsense(self):
        self.lose(r"sys.stdout.buffer.write(b'\xff\x00\xfe\n'); sys.stdout.buffer.flush(); continue", "nonsense")

    def test_two_lines_for_one_request_are_nonsense(self):
        self.lose("sys.stdout.write('{\"action\": 1}\\n{\"action\": 1}\\n'); sys.stdout.flush(); continue", "nonsense",
                  "`{\"action\": 1}`", "more than one line")

    def test_a_line_without_end_is_overlong(self):
        self.lose("sys.stdout.write('x' * 200000); sys.stdout.flush(); time.sleep(1000)", "overlong", "65536")

    def test_a_flood_does_no_harm(self):
        self.lose("while True: sys.stdout.write('x' * 65536)", "overlong")

    def test_a_closed_output_is_told_from_a_crash(self):
        self.lose("os.close(1); time.sleep(1000)", "closed", "went on")

    def test_a_closed_input_ends_like_a_hang_or_a_crash(self):
        self.lose("os.close(0); time.sleep(1000)", "timeout", arguments=("-j1", "--reply-seconds", "1"))

    def test_too_many_steps_end_the_episode(self):
        result = self.evaluate(self.agent(), "--max-steps", "4", code=FOUND)
        self.assertEqual({episode["error"]["kind"] for episode in result["episodes"]}, {"steps"})
        self.assertEqual({episode["actions"] for episode in result["episodes"]}, {"0*4"})

    def test_a_crash_after_the_end_costs_nothing(self):
        result = self.evaluate(self.agent("if op == 'end': sys.exit(3)"))
        self.assertFalse(any("error" in episode for episode in result["episodes"]))

    def test_an_agent_that_always_crashes_loses_every_episode(self):
        result = self.evaluate(self.agent("if op == 'step': os.abort()"), "-j3", code=FOUND)
        self.assertEqual({episode["error"]["kind"] for episode in result["episodes"]}, {"crash"})
        self.assertEqual(result["families"][0]["all"]["errors"], 6)

    def test_long_requests_to_a_program_that_is_slow_to_read_arrive(self):
        slow = self.agent(hello="{'modes': ['state', 'structured', 'ascii', 'language']}", inside="time.sleep(0.002)")
        self.evaluate(slow, episodes=["--tasks", "ToolUse", "-d", "easy", "-n", "2"])

    def test_what_cannot_start_is_refused_at_once(self):
        self.refuse("nosuchprogram-at-all", "exit code 127", "`hello`")
        self.refuse("true", "exit code 0", "`hello`")
        self.refuse(self.agent(before="say('Loading the model...')"), "Loading the model...")
        self.refuse(self.agent(hello="{'protocol': 2}"), "version 1")
        self.refuse(self.agent(hello="{'mods': []}"), "mods")
        self.refuse(self.agent(hello="{'actions': 'all'}"), "names, numbers or none")
        self.refuse(self.agent(hello="{'modes': ['smell']}"), "smell", "ascii", code=USAGE)

    def test_a_hello_has_a_limit_of_its_own(self):
        done = self.run_eval(self.agent(before="time.sleep(1000)"), "--start-seconds", "1")
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("no answer to `hello` within 1 s", done.stderr)
        self.evaluate(self.agent(before="time.sleep(1.2)"), "--reply-seconds", "1", "-j1")

    def test_a_command_may_be_anything_that_a_shell_runs(self):
        command = self.agent()
        for spelling in (f"cd / && X=1 {command}", f"X=1 {command}", f"{command} 'a;b' | cat", f"exec {command}"):
            with self.subTest(command=spelling):
                self.evaluate(spelling, episodes=["GoToGoal/easy#0"])

    def test_who_cannot_start_again_loses_only_those_episodes(self):
        mark = self.path("started")
        before = f"ok = not os.path.exists({mark!r}); open({mark!r}, 'w').close()\nif not ok: sys.exit(9)"
        result = self.evaluate(self.agent("if op == 'step' and heard.count('reset') == 2: sys.exit(5)", before=before),
                               "-j1", code=FOUND)
        kinds = [episode.get("error", {}).get("kind") for episode in result["episodes"]]
        self.assertEqual(kinds, [None, "crash"] + ["start"] * 4)
        self.assertIn("exit code 9", result["episodes"][-1]["error"]["text"])


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


class Orphans(WithAgents):
    """No program outlives eval, and neither do the programs that it has started."""

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
        until = time.monotonic() + 20
        while time.monotonic() < until:
            names = [name for name in os.listdir(self.folder) if name.startswith("pid-")]
            texts = [self.read(name).split() for name in names]
            if len(texts) == n and all(len(text) == 2 for text in texts):
                return [int(pid) for text in texts for pid in text]
            time.sleep(0.02)
        self.fail("the agents did not begin")

    def assert_all_die(self, pids):
        until = time.monotonic() + 10
        while any(map(is_alive, pids)) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertEqual([pid for pid in pids if is_alive(pid)], [])

    def test_nobody_survives_the_end_of_eval(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for name in os.listdir(self.folder):
                os.unlink(self.path(name))
            with self.subTest(signal=number):
                child = subprocess.Popen([SEEDBED, "eval", *EPISODES, "-j2", "--agent", "exec:" + self.stubborn(),
                                          "-o", self.path("result.json")], stdout=subprocess.DEVNULL)
                pids = self.wait_for_pids(2)
                self.assertTrue(all(map(is_alive, pids)))
                child.send_signal(number)
                self.assertEqual(child.wait(timeout=20), -number)
                self.assert_all_die(pids)
                self.assertFalse(os.path.exists(self.path("result.json")))

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
