"""Plugins: which are refused, where their calls go, what they are shown, and what becomes of episodes when they misbehave.

    python3 tests/plugin_test.py BUILD/seedbed BUILD/tests/seedbed-toy

The plugins are those of tests/plugins, as the build made them.
"""
import collections
import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from process_support import is_sanitized

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLUGINS = os.path.join(os.path.dirname(TOY), "plugins")
FOUND, USAGE = 1, 2
EPISODES = ["--tasks", "GoToGoal,KeyDoorPuzzle", "-d", "easy", "--seeds", "0..3"]
SALT = ["--salt", "00112233445566778899aabbccddeeff"]
IN_STEP_3 = "`act`, step 3"


def spec(name):
    return "plugin:" + os.path.join(PLUGINS, name + ".so")


def run(*arguments, program=SEEDBED, puppet="", **options):
    environment = {**os.environ, "PUPPET": puppet, **options.pop("env", {})}
    if is_sanitized(SEEDBED):
        environment["ASAN_OPTIONS"] = "allocator_may_return_null=1"
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=900, env=environment, **options)


class WithPlugins(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-plugin-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def succeed(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refuse(self, arguments, *words, code=USAGE, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("seedbed: ")]
        self.assertEqual(len(lines), 1, done.stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def evaluate(self, puppet="", *arguments, plugin="puppet_observations", path=None, code=0, episodes=EPISODES, **options):
        """Returns the result, and its bytes."""
        agent = "plugin:" + path if path else spec(plugin)
        path = self.path("result.json")
        done = run("eval", *episodes, "--agent", agent, *SALT, *arguments, "-o", path, "-q", puppet=puppet, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.said = done.stderr
        with open(path, "rb") as file:
            text = file.read()
        os.unlink(path)
        return json.loads(text), text


class Refused(WithPlugins):
    def test_what_is_no_plugin_of_this_version_is_refused_with_the_reason(self):
        for name, words in (("nothing", ["no constant `seedbed_plugin`"]), ("head_old", ["version 0.1.0", "headers"]),
                            ("head_minor", ["it was made with version"]), ("head_no_version", ["SB_PLUGIN_HEAD"]),
                            ("head_empty", ["SB_PLUGIN_HEAD"]), ("head_large", ["bytes, and should have"]),
                            ("head_small", ["bytes, and should have"]), ("head_no_name", ["its name", "1 to 63 bytes"]),
                            ("head_long_name", ["its name"]), ("head_no_kind", ["its kind", "SB_PLUGIN_OBSERVATIONS"]),
                            ("head_no_act", ["no `act`"]), ("unbound", ["cannot be loaded", "sb_no_such_function"]),
                            ("head_memory", ["out of memory"]), ("not_there", ["cannot be loaded", "not_there.so"])):
            for command in (["eval"], ["solve"], ["build", "--split", "train", "-n", "1", "-o", self.path("d")]):
                with self.subTest(plugin=name, command=command[0]):
                    chosen = [] if command[0] == "build" else ["--seeds", "0"]
                    self.refuse([*command, "--tasks", "KeyDoorPuzzle", *chosen, "--agent", spec(name)], *words)
        self.assertEqual(os.listdir(self.folder), [])

    def test_another_patch_version_is_taken(self):
        for name in ("head", "head_patch"):
            result, _ = self.evaluate(plugin=name, episodes=["GoToGoal/easy#1"])
            self.assertEqual(result["agent"]["name"], "head")

    def test_a_file_is_wanted(self):
        for command in ("eval", "solve", "build"):
            self.refuse([command, "--agent", "plugin:", "--tasks", "GoToGoal", "-o", self.path("d")], "add the file after")

    def test_a_folder_and_a_text_are_no_plugins(self):
        with open(self.path("text.so"), "w", encoding="utf-8") as file:
            file.write("no plugin\n")
        for path in (self.folder, self.path("text.so")):
            self.refuse(["eval", "GoToGoal/easy#1", "--agent", "plugin:" + path], "cannot be loaded")

    def test_a_family_that_cannot_hide_is_for_plugins_that_see_everything(self):
        chosen = ["eval", "--family", "climb", "--split", "train", "-n", "2", "--max-steps", "5"]
        self.refuse([*chosen, "--agent", spec("puppet_observations")], "climb", "everything", program=TOY)
        done = run(*chosen, "--agent", spec("puppet_everything"), program=TOY)
        self.assertIn("sees  everything", done.stdout)

    def test_no_recipe_starts_a_plugin(self):
        for oracle in (spec("head"), [{"agent": spec("head")}, {"agent": "observer"}]):
            with open(self.path("r.json"), "w", encoding="utf-8") as file:
                json.dump({"tasks": "GoToGoal", "count": 2, "split": "train", "oracle": oracle}, file)
            self.refuse(["build", self.path("r.json"), "-o", self.path("d")], "`plugin:` stands in no recipe", "--agent")
            self.refuse(["build", self.path("r.json"), "--dry-run"], "recipes start no programs")

    def test_the_worker_is_not_for_people(self):
        for words in ([], ["x"], ["x", "9"], ["x", "y"], ["x", "1", "z"]):
            done = run("plugin-worker", *words, stdin=subprocess.DEVNULL)
            self.assertIn(done.returncode, (FOUND, USAGE))
            self.assertEqual(done.stdout, "")


class Binding(WithPlugins):
    def test_the_command_exports_what_the_library_exports(self):
        def exported(path):
            listing = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
            return {line.split()[-1].split("@")[0] for line in listing.splitlines()}
        library = {name for name in exported(os.path.join(os.path.dirname(SEEDBED), "libseedbed.so")) if name.startswith("sb_")}
        self.assertGreater(len(library), 100)
        for program in (SEEDBED, TOY):
            self.assertEqual({name for name in exported(program) if name.startswith("sb_")}, library)

    def test_calls_bind_to_the_command_linked_with_the_library_or_not(self):
        loaded = {name: subprocess.run(["readelf", "-d", os.path.join(PLUGINS, name + ".so")], capture_output=True, text=True,
                                       check=True).stdout for name in ("mybot", "mybot_linked", "mybot_decoyed")}
        self.assertNotIn("libseedbed", loaded["mybot"])
        self.assertIn("[libseedbed.so", loaded["mybot_linked"])
        self.assertIn("[libdecoy.so", loaded["mybot_decoyed"], "whose functions abort")
        episodes = ["--tasks", "GoToGoal", "--seeds", "0..9"]
        results = [self.evaluate(plugin=name, episodes=episodes)[0] for name in loaded]
        self.assertEqual(results[0]["episodes"], results[1]["episodes"])
        self.assertEqual(results[0]["episodes"], results[2]["episodes"])
        self.assertGreater(results[0]["families"][0]["all"]["successes"], 20)

    @unittest.skipUnless(shutil.which("c++"), "there is no c++")
    def test_a_plugin_may_be_written_in_cpp(self):
        with open(self.path("bot.cc"), "w", encoding="utf-8") as file:
            file.write("""#include <seedbed/gridworld.h>
                          #include <seedbed/plugin.h>
                          static sb_action act(void *, const sb_env *env) {
                              sb_action path[SB_CELLS_MAX];
                              return sb_go_to_nearest(env, SB_GOAL, path, SB_CELLS_MAX) > 0 ? path[0] : SB_NOOP;
                          }
                          const sb_plugin seedbed_plugin = {SB_PLUGIN_HEAD, "cpp", SB_PLUGIN_OBSERVATIONS, 0, nullptr, act, nullptr};
                       """)
        subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fvisibility=hidden", "-shared", "-fPIC",
                        "-I" + os.path.join(ROOT, "include"), self.path("bot.cc"), "-o", self.path("bot.so")], check=True)
        result, _ = self.evaluate(path=self.path("bot.so"), episodes=["--tasks", "GoToGoal", "-d", "easy"])
        self.assertEqual((result["agent"]["name"], result["families"][0]["all"]["successes"]), ("cpp", 25))

    @unittest.skipIf(is_sanitized(SEEDBED), "Python cannot load a library with sanitizers")
    def test_the_decoy_would_be_noticed(self):
        decoy = os.path.join(PLUGINS, "libdecoy.so")
        done = subprocess.run([sys.executable, "-c", f"import ctypes; ctypes.CDLL({decoy!r}).sb_nearest()"], capture_output=True)
        self.assertLess(done.returncode, 0)
        self.assertTrue(hasattr(ctypes.CDLL(decoy), "sb_bfs_path"))


class Shown(WithPlugins):
    """What a plugin can find out from what it is given."""

    TASKS = "SequenceMemory,TimingChallenge,ChaseEvade,GoToGoal,FogOfWarExploration,MazeNavigation,LightsOut"

    def spy(self, kind, *episodes):
        """Returns for each history of observations what the plugin found out there, over all episodes."""
        path = self.path("spy")
        run("eval", *episodes, "--agent", spec("spy_" + kind), "-j1", "--max-steps", "4", "-q", env={"SPY": path})
        found, history = collections.defaultdict(set), ()
        with open(path, encoding="utf-8") as file:
            for line in file:
                shown, more = line.rstrip("\n").split("\t")
                history = (*(() if shown.split()[1] == "0" else history), shown)
                found[history].add(more)
        os.unlink(path)
        return found

    def test_states_that_look_alike_are_alike_to_plugins_that_see_observations(self):
        for episodes in (["--tasks", self.TASKS, "-d", "easy", "--split", "train", "-n", "60"],
                         ["--family", "babyai", "--tasks", "GoToRedBall", "--split", "train", "-n", "100"]):
            everything, observations = self.spy("everything", *episodes), self.spy("observations", *episodes)
            self.assertEqual(set(everything), set(observations), "both are shown the same")
            told_apart = [history for history, found in everything.items() if len(found) > 1]
            self.assertGreater(len(told_apart), 0, "the test can fail")
            self.assertEqual([found for found in observations.values() if len(found) > 1], [])

    def test_plugins_that_see_observations_get_seed_0_and_no_dense_rewards(self):
        episodes = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "7..9"]
        for kind, seeds, dense in (("observations", {"0"}, {"0"}), ("everything", {"7", "8", "9"}, None)):
            found = [more.split() for found in self.spy(kind, *episodes).values() for more in found]
            self.assertEqual({seed for seed, *_ in found}, seeds)
            told = {value for _, value, *_ in found}
            self.assertTrue(told == dense if dense else len(told) > 2, told)


class Results(WithPlugins):
    def test_results_say_what_a_plugin_sees_and_that_nobody_enforces_it(self):
        for kind in ("observations", "everything"):
            result, text = self.evaluate(plugin="puppet_" + kind)
            agent = result["agent"]
            self.assertEqual((agent["name"], agent["kind"], agent["spec"]), ("puppet", "plugin", spec("puppet_" + kind)))
            self.assertEqual((agent["sees"], agent["privileged"], agent["assurance"]),
                             (kind, kind == "everything", "declared, not enforced"))
            path = self.path("r.json")
            with open(path, "wb") as file:
                file.write(text)
            mark = "privileged; " if kind == "everything" else ""
            self.assertIn(f"{kind} ({mark}declared, not enforced)", self.succeed("report", path))
            self.assertIn("every one replayed", self.succeed("verify", path))

    def test_a_result_with_an_unknown_sight_is_refused(self):
        _, text = self.evaluate()
        for what, words in ((b'"sees": "nothing"', "`sees` should be observations or everything, not `nothing`"), (b'"sees": ""', "should be observations or everything"), (b'"saw": 1', "sees")):
            with open(self.path("r.json"), "wb") as file:
                file.write(text.replace(b'"sees": "observations"', what))
            self.refuse(["report", self.path("r.json")], words)

    def test_results_are_the_same_bytes_for_any_number_of_workers_and_fresh_or_not(self):
        _, one = self.evaluate("", "-j1")
        self.assertEqual(self.evaluate("", "-j4")[1], one)
        _, fresh = self.evaluate("", "-j3", "--fresh")
        self.assertEqual(fresh.replace(b'"fresh": true', b'"fresh": false'), one)
        self.assertNotEqual(self.evaluate("", "--salt", "f" * 32)[1].replace(b"f" * 32, SALT[1].encode()), one)

    def test_lost_episodes_are_the_same_bytes_for_any_number_of_workers(self):
        for puppet in ("crash:3", "crash-begin", "illegal:3"):
            results = [self.evaluate(puppet, jobs, code=FOUND)[1] for jobs in ("-j1", "-j3")]
            self.assertEqual(*results)

    def test_attempts_get_other_random_numbers(self):
        result, _ = self.evaluate("", "--attempts", "3", episodes=["GoToGoal/hard#1"])
        self.assertEqual([episode["attempt"] for episode in result["episodes"]], [1, 2, 3])
        self.assertEqual(len({episode["actions"] for episode in result["episodes"]}), 3)

    def test_an_interrupted_run_goes_on_to_the_same_bytes(self):
        _, whole = self.evaluate("", "-j1")
        path = self.path("r.json")
        slow = subprocess.Popen([SEEDBED, "eval", *EPISODES, "--agent", spec("puppet_observations"), *SALT, "-o", path, "-q", "-j1"],
                                env={**os.environ, "PUPPET": "slow:1"}, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while time.monotonic() < until and not (os.path.exists(path + ".part") and os.path.getsize(path + ".part") > 1000):
            time.sleep(0.05)
        slow.kill()
        slow.wait()
        self.assertFalse(os.path.exists(path))
        self.refuse(["eval", *EPISODES, "--agent", spec("puppet_everything"), *SALT, "-o", path, "--resume"], "agent", code=FOUND)
        self.assertIn("were played before", run("eval", *EPISODES, "--agent", spec("puppet_observations"), *SALT, "-o", path,
                                                "--resume").stderr)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), whole)

    def test_parts_join_to_the_whole(self):
        _, whole = self.evaluate()
        parts = [self.path(f"{i}.json") for i in (1, 2)]
        for i, part in enumerate(parts):
            self.succeed("eval", *EPISODES, "--agent", spec("puppet_observations"), *SALT, "--shard", f"{i + 1}/2", "-o", part, "-q")
        self.succeed("merge", *parts, "-o", self.path("whole.json"))
        with open(self.path("whole.json"), "rb") as file:
            self.assertEqual(file.read(), whole)


class Misbehaving(WithPlugins):
    """Whatever a plugin does, it loses episodes and not the run."""

    def lose(self, puppet, kind, *words, steps=None, arguments=()):
        result, _ = self.evaluate(puppet, *arguments, code=FOUND)
        self.assertEqual(len(result["episodes"]), 8)
        lost = [episode for episode in result["episodes"] if "error" in episode]
        self.assertGreater(len(lost), 0)
        for episode in lost:
            self.assertEqual(episode["error"]["kind"], kind, episode["error"])
            for word in words:
                self.assertIn(word, episode["error"]["text"])
            if steps is not None:
                self.assertEqual((episode["steps"], episode["success"]), (steps, False))
        return result

    def test_a_crash_is_told_with_its_place_and_the_steps_before_are_kept(self):
        for puppet, where, steps in (("crash-begin", "`begin`", 0), ("crash:1", "`act`, step 1", 0), ("crash:3", IN_STEP_3, 2)):
            self.lose(puppet, "crash", where, *([] if is_sanitized(SEEDBED) else ["signal 11"]), steps=steps)
        self.lose("exit:3", "crash", "exit code 3", IN_STEP_3, steps=2)

    def test_a_crash_behind_the_end_loses_nothing(self):
        _, right = self.evaluate()
        self.assertEqual(self.evaluate("crash-end")[1], right)

    def test_an_endless_loop_is_ended(self):
        begun = time.monotonic()
        for puppet, where, steps in (("loop-begin", "`begin`", 0), ("loop:3", IN_STEP_3, 2)):
            result, _ = self.evaluate(puppet, "--reply-seconds", "1", "-j1", code=FOUND, episodes=["KeyDoorPuzzle/hard#1"])
            error = result["episodes"][0]["error"]
            self.assertEqual((error["kind"], result["episodes"][0]["steps"]), ("timeout", steps))
            self.assertIn("more than 1 s in " + where, error["text"])
        self.assertLess(time.monotonic() - begun, 30)

    def test_the_time_limit_is_for_a_call_and_not_for_the_episode(self):
        """Four calls of 0.4 s each, with a limit of one second."""
        result, _ = self.evaluate("slow", "--reply-seconds", "1", "--max-steps", "4", code=FOUND, episodes=["KeyDoorPuzzle/hard#1"])
        self.assertEqual(result["episodes"][0]["error"]["kind"], "steps")

    def test_what_is_no_action_is_told(self):
        self.lose("illegal:3", "nonsense", "step 3", "4711", steps=2)
        self.lose("negative:1", "nonsense", "step 1", "-1", steps=0)

    def test_a_begin_that_fails_gives_its_reason(self):
        self.lose("refuse", "nonsense", "its `begin` failed: no such luck", steps=0)
        self.lose("silent", "nonsense", "it gave no reason", steps=0)

    def test_steps_are_limited(self):
        self.lose("", "steps", "after the 2 steps allowed", steps=2, arguments=["--max-steps", "2"])

    def test_a_closed_pipe_is_told(self):
        result, _ = self.evaluate("close:2", code=FOUND, episodes=["KeyDoorPuzzle/easy#1"])
        self.assertEqual(result["episodes"][0]["error"]["kind"], "closed")

    def test_a_plugin_that_changes_its_episode_is_judged_by_the_replay(self):
        result, text = self.evaluate("cheat:1", "-j1", code=FOUND, plugin="puppet_everything", episodes=["--tasks", "GoToGoal", "--seeds", "0..9"])
        self.assertIn("did it change the environment?", " ".join(told["error"]["text"] for told in result["episodes"] if "error" in told))
        with open(self.path("r.json"), "wb") as file:
            file.write(text)
        self.assertIn("every one replayed", self.succeed("verify", self.path("r.json")))

    @unittest.skipIf(is_sanitized(SEEDBED), "its memory cannot be limited")
    def test_a_plugin_that_takes_all_memory_runs_out_of_it_alone(self):
        self.lose("grow:3", "crash", "signal 6", IN_STEP_3, steps=2)
        self.assertIn("no more memory", self.said)

    def test_what_it_prints_goes_to_standard_error_and_it_reads_nothing(self):
        _, right = self.evaluate()
        self.assertEqual(self.evaluate("print:1")[1], right)
        self.assertEqual(self.said.count("the puppet speaks"), 8)
        self.assertEqual(self.evaluate("read:1", input="words\n")[1], right)
        self.evaluate("print:1", "--agent-log", self.path("log"))
        self.assertEqual(self.said, "")
        with open(self.path("log"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "the puppet speaks\n" * 8)

    def test_no_process_stays_behind_when_the_command_is_killed(self):
        child = subprocess.Popen([SEEDBED, "eval", *EPISODES, "--agent", spec("puppet_observations"), "-q", "-j2"],
                                 env={**os.environ, "PUPPET": "loop:1"}, stderr=subprocess.DEVNULL)

        def workers():
            found = []
            for pid in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{pid}/cmdline", "rb") as file:
                        words = file.read().split(b"\0")
                    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                        state = file.read().rsplit(")", 1)[1].split()[0]
                except OSError:
                    continue
                if words[1:3] == [b"plugin-worker", os.fsencode(spec("puppet_observations")[7:])] and state != "Z":
                    found.append(pid)
            return found
        until = time.monotonic() + 30
        while len(workers()) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(len(workers()), 2)
        child.kill()
        child.wait()
        while workers() and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(workers(), [])

    def test_another_plugin_in_the_same_file_is_noticed(self):
        path = self.path("bot.so")
        shutil.copy(os.path.join(PLUGINS, "puppet_observations.so"), path)
        child = subprocess.Popen([SEEDBED, "eval", *EPISODES, "--agent", "plugin:" + path, "-j1", "--fresh", "-q", "-o", self.path("r.json")],
                                 env={**os.environ, "PUPPET": "slow:1"}, stderr=subprocess.DEVNULL)
        until = time.monotonic() + 30
        part = self.path("r.json.part")
        while not (os.path.exists(part) and os.path.getsize(part) > 1000) and time.monotonic() < until:
            time.sleep(0.02)
        shutil.copy(os.path.join(PLUGINS, "puppet_everything.so"), path + ".new")
        os.replace(path + ".new", path)
        self.assertEqual(child.wait(60), FOUND)
        with open(self.path("r.json"), encoding="utf-8") as file:
            errors = [episode["error"] for episode in json.load(file)["episodes"] if "error" in episode]
        self.assertEqual({(error["kind"], "another plugin" in error["text"]) for error in errors}, {("start", True)})


class Solving(WithPlugins):
    def test_solve_shows_what_a_plugin_does_and_keeps_tapes(self):
        tapes = self.path("t.jsonl")
        shown = self.succeed("solve", "--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..3", "--agent", spec("mybot"))
        self.assertEqual(shown.count("success"), 4)
        self.assertIn("move_", self.succeed("solve", "GoToGoal/easy#1", "--agent", spec("mybot"), "--explain"))
        self.succeed("solve", "--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..3", "--agent", spec("mybot"), "-o", tapes, "-q")
        self.assertIn("every one replayed", self.succeed("verify", tapes))
        with open(tapes, encoding="utf-8") as file:
            self.assertEqual({json.loads(line)["agent"] for line in file}, {"mybot"})
        self.succeed("solve", "GoToGoal/easy#1", "--agent", spec("mybot"), "--film", self.path("f.gif"))
        self.assertGreater(os.path.getsize(self.path("f.gif")), 100)

    def test_solve_gives_the_same_random_numbers_every_time(self):
        first, second = (run("solve", "GoToGoal/hard#2", "--agent", spec("puppet_observations"), "--json").stdout for _ in range(2))
        self.assertEqual(first, second)
        self.assertIn('"actions"', first)

    def test_solve_takes_the_limits_of_programs(self):
        agent = ["GoToGoal/easy#1", "--agent", spec("puppet_observations")]
        for puppet, limit, words in (("loop:1", ["--reply-seconds", "1"], "more than 1 s in"), ("", ["--max-steps", "1"], "1 steps allowed")):
            done = run("solve", *agent, *limit, puppet=puppet)
            self.assertEqual(done.returncode, FOUND)
            self.assertRegex(done.stderr, f"GoToGoal-v0/easy#1 was lost: .*{words}")
        done = run("solve", *agent, "--agent-log", self.path("log"), puppet="print:1")
        with open(self.path("log"), encoding="utf-8") as file:
            self.assertEqual((file.read(), done.stderr), ("the puppet speaks\n", ""))
        tapes = [run("solve", "GoToGoal/hard#2", *agent[1:], *salt, "--json").stdout for salt in ([], ["--salt", "0" * 32], ["--salt", "1" * 32])]
        self.assertEqual(tapes[0], tapes[1])
        self.assertNotEqual(tapes[0], tapes[2])
        for limit in (["--reply-seconds", "5"], ["--agent-log", self.path("l")], ["--fresh"], ["--agent-log-mib", "1"]):
            done = run("solve", "GoToGoal/easy#1", *limit)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, f"^seedbed solve: .*{limit[0]}.* plugin:FILE")

    def test_worlds_that_one_brings_are_refused_with_a_way_out(self):
        self.succeed("new", "Crates", "-o", self.path("crates.sexp"))
        for command in ("solve", "eval"):
            self.refuse([command, "Crates/easy#1", "--program", self.path("crates.sexp"), "--agent", spec("mybot")], "built-in", "--program", "exec:COMMAND")

    def test_what_was_played_of_a_lost_episode_is_shown(self):
        done = run("solve", "GoToGoal/easy#1", "--agent", spec("puppet_observations"), "--explain", "-o", self.path("t"), puppet="crash:3")
        self.assertEqual(done.returncode, FOUND)
        self.assertEqual(re.findall(r"^ +(\d+) ", done.stdout, re.M), ["1", "2"])
        self.assertIn("every one replayed", self.succeed("verify", self.path("t")))

    def test_a_lost_episode_is_told(self):
        done = run("solve", "GoToGoal/easy#1", "GoToGoal/easy#2", "--agent", spec("puppet_observations"), puppet="crash:1")
        self.assertEqual(done.returncode, FOUND)
        self.assertEqual(len(re.findall(r"^seedbed: GoToGoal-v0/easy#\d was lost: it ended .* in `act`, step 1$", done.stderr, re.M)), 2)


class Building(WithPlugins):
    TRAIN = ["--tasks", "PreciseNavigation", "-d", "easy", "--split", "train", "-n", "6"]

    def build(self, name, *arguments, puppet="", code=0):
        folder = self.path(name)
        done = run("build", *self.TRAIN, *SALT, *arguments, "-o", folder, "-q", puppet=puppet)
        self.assertEqual(done.returncode, code, done.stderr)
        self.said = done.stderr
        return folder

    def contents(self, folder):
        found = {}
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                found[name] = file.read()
        return found

    def test_a_plugin_plays_first_and_the_dataset_is_that_of_its_tapes(self):
        agent = ["--agent", spec("mybot"), "--labels", "observer"]
        one, two = self.build("one", *agent, "-j1"), self.build("two", *agent, "-j3")
        self.assertEqual(self.contents(one), self.contents(two))
        self.succeed("verify", one)
        text = self.contents(one)["manifest.json"].decode()
        self.assertNotIn("plugin", text)
        self.assertNotIn(PLUGINS, text)

    def test_a_plugin_may_be_part_of_a_mixture(self):
        agents = json.dumps([{"agent": spec("mybot"), "weight": 1}, {"agent": "observer"}])
        self.succeed("verify", self.build("mixed", "--agent", agents))

    def test_a_note_says_that_a_plugin_knows_more_than_who_learns_from_it(self):
        for kind in ("observations", "everything"):
            self.build(kind, "--agent", spec("puppet_" + kind))
            self.assertEqual("sees everything" in self.said, kind == "everything")

    def test_lost_episodes_have_no_tape_and_resume_plays_them(self):
        folder = self.build("lost", "--agent", spec("puppet_observations"), "--attempts", "2", puppet="crash:1", code=FOUND)
        self.assertIn("all episodes were lost, the last one by `crash`", self.said)
        self.assertEqual(os.path.basename(folder), "lost")
        again = self.build("lost", "--agent", spec("puppet_observations"), "--attempts", "2", "--resume")
        right = self.build("right", "--agent", spec("puppet_observations"), "--attempts", "2")
        self.assertEqual(self.contents(again), self.contents(right))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
