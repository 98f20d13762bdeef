"""From rollouts to data: programs that play for a dataset, tapes and results that become one, labels, filters, mixtures; and the page that
shows it, docs/data-that-teaches.md.

    python3 tests/loop_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import collections
import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import unittest

import tamper_test
from dataset_support import FOUND, SEEDBED, TOY, USAGE, InFolder, contents, read, rows_of, run, tapes_of, unpacked, write
from process_support import wait_until_idle

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SALT = ["--salt", "00112233445566778899aabbccddeeff"]
TRAIN = ["--tasks", "PreciseNavigation,KeyDoorPuzzle", "-d", "easy", "--split", "train"]

# A program that draws valid actions. What it does depends on `random_seed` alone. Arguments: its name, and then perhaps
# what goes wrong, by the number of episodes so far or by the episode's random_seed; the environment may say that, too.
PROGRAM = '''
import json, os, random, sys, time
name, faults, n = sys.argv[1], json.loads(os.environ.get("FAULTS") or "".join(sys.argv[2:]) or "{}"), 0
for line in sys.stdin:
    message = json.loads(line)
    reply = {"protocol": 1, "name": name, "modes": [], "actions": "numbers"} if message["op"] == "hello" else {}
    if message["op"] == "close":
        sys.exit()
    if message["op"] == "reset":
        n += 1
        seed = message["random_seed"]
        chance = random.Random(seed)
        if "marks" in faults:
            with open(faults["marks"], "a+") as marks:
                print(seed, file=marks, flush=True)
                marks.seek(0)
                n = len(marks.readlines())
        if "always" in faults or (seed % 3 == 0 and "thirds" in faults and not os.path.exists(faults["thirds"])):
            sys.exit(3)
        if n > faults.get("after", 1e9):
            time.sleep(100)
    if message["op"] in ("reset", "step"):
        reply = {"action": chance.choice(message["valid_actions"])}
    print(json.dumps(reply), flush=True)
'''

# The same, for four episodes at a time.
SEVERAL = '''
import json, random, sys
chances = {}
def answer(message):
    slot = message["slot"]
    if message["op"] == "reset":
        chances[slot] = random.Random(message["random_seed"])
    action = {"action": chances[slot].choice(message["valid_actions"])} if message["op"] in ("reset", "step") else {}
    return {"slot": slot, **action}
for line in sys.stdin:
    message = json.loads(line)
    if message["op"] == "close":
        sys.exit()
    if message["op"] == "hello":
        reply = {"protocol": message["protocol"], "name": sys.argv[1], "modes": [], "actions": "numbers", "batch": 4}
    else:
        reply = {"replies": [answer(one) for one in message["messages"]]}
    print(json.dumps(reply), flush=True)
'''


class Loop(InFolder):
    def setUp(self):
        super().setUp()
        self.script = write(self.path("program.py"), PROGRAM)

    def program(self, name="learner", **faults):
        arguments = [sys.executable, self.script, name, *([json.dumps(faults)] if faults else [])]
        return ["--agent", "exec:" + shlex.join(arguments)]

    def tapes_file(self, folder):
        """Writes the dataset's tapes as one file."""
        return write(self.path(os.path.basename(folder) + ".jsonl"), unpacked(folder, "tapes"))

    def manifest(self, folder):
        return json.loads(read(os.path.join(folder, "manifest.json")))

    def result(self, *arguments, code=0, name="result.json"):
        path = self.path(name)
        done = run("eval", *arguments, "-q", "-o", path)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return path


class Programs(Loop):
    def test_the_dataset_has_the_same_bytes_for_one_and_three_workers_and_built_again_from_its_tapes_or_a_result(self):
        options = ["--labels", "observer", "--format", "steps,npz", "--shard-episodes", "16"]
        one = self.build("one", *TRAIN, "-n", "20", *self.program(), *SALT, "-j", "1", *options)
        three = self.build("three", *TRAIN, "-n", "20", *self.program(), *SALT, "-j", "3", *options)
        again = self.build("again", "--agent", "tapes:" + self.tapes_file(one), *options)
        judged = self.build("judged", "--agent", "tapes:" + self.result(*TRAIN, "-n", "20", *self.program(), *SALT, "-j", "2"), *options)
        self.assertEqual(contents(one), contents(three))
        self.assertEqual(contents(one), contents(again))
        self.assertEqual(contents(one), contents(judged))
        self.assertEqual({tape["agent"] for tape in tapes_of(one)}, {"learner"})
        self.assertEqual(len(tapes_of(one)), 40)
        self.assert_verifies(one)

    def test_the_manifest_holds_the_hash_of_what_was_played(self):
        folder = self.build("d", *TRAIN, "-n", "3", *self.program(), *SALT)
        lines = "".join(f"{tape['name']} {tape['agent']} {' '.join(map(str, tape['actions']))}\n" for tape in tapes_of(folder))
        self.assertEqual(self.manifest(folder)["recorded"], {"tapes": 6, "sha256": hashlib.sha256(lines.encode()).hexdigest()})
        self.assertIn(self.manifest(folder)["recorded"]["sha256"], read(folder + "/README.md").decode())
        other = self.build("e", *TRAIN, "-n", "3", *self.program(), "--salt", "f" * 32)
        self.assertNotEqual(self.manifest(other)["recorded"], self.manifest(folder)["recorded"])
        self.assertNotIn("recorded", self.manifest(self.build("o", *TRAIN, "-n", "3")))

    def test_labels_are_the_oracles_in_the_states_that_the_program_came_into(self):
        folder = self.build("d", *TRAIN, "-n", "4", *self.program(), *SALT, "--labels", "observer")
        plain = self.build("p", *TRAIN, "-n", "4", *self.program(), *SALT)
        self.assertEqual([row["action_int"] for row in rows_of(folder)], [row["action_int"] for row in rows_of(plain)])
        first = {row["name"]: row["label_int"] for row in rows_of(folder) if row["step"] == 0}
        observer = {tape["name"]: tape["actions"][0] for tape in tapes_of(self.build("o", *TRAIN, "-n", "4"))}
        self.assertEqual(first, observer)
        self.assertTrue(any(row["label_int"] != row["action_int"] for row in rows_of(folder)))
        self.assert_verifies(folder)

    def test_attempts_differ_and_the_best_get_rows(self):
        folder = self.build("d", *TRAIN, "-n", "6", *self.program(), *SALT, "--attempts", "5", "--best", "2")
        tapes = tapes_of(folder)
        kept = {row["episode_id"] for row in rows_of(folder)}
        groups = collections.defaultdict(list)
        for place, tape in enumerate(tapes):
            groups[tape["name"]].append((not tape["success"], -tape["return"], len(tape["actions"]), place))
        self.assertEqual({len(group) for group in groups.values()}, {5})
        self.assertTrue(any(len({tuple(tapes[item[-1]]["actions"]) for item in group}) > 1 for group in groups.values()))
        self.assertEqual(kept, {item[-1] for group in groups.values() for item in sorted(group)[:2]})
        self.assertEqual(self.manifest(folder)["filtered"], 36)
        self.assert_verifies(folder)
        won = self.build("w", "--agent", "tapes:" + self.tapes_file(folder), "--success", "--best", "1")
        self.assertEqual({row["episode_id"] for row in rows_of(won)},
                         {min(group)[-1] for group in groups.values() if not min(group)[0]})
        self.assert_verifies(won)

    def test_attempts_at_an_episode_are_no_duplicates_of_each_other(self):
        folder = self.build("d", *TRAIN, "-n", "6", *self.program(), *SALT, "--attempts", "3", "--duplicates", "drop")
        self.assertEqual(len({row["episode_id"] for row in rows_of(folder)}), 36)

    def test_a_mixture_plays_each_episode_once_and_says_who_did(self):
        agents = [{"agent": self.program()[1], "weight": 2}, {"agent": "observer"}]
        folder = self.build("d", *TRAIN, "-n", "20", "--agent", json.dumps(agents), *SALT)
        played = {tape["name"]: tape for tape in tapes_of(folder)}
        self.assertEqual({tape["agent"] for tape in played.values()}, {"learner", "observer"})
        self.assertEqual(len(played), 40)
        alone = {tape["name"]: tape for tape in tapes_of(self.build("o", *TRAIN, "-n", "20"))}
        for name, tape in played.items():
            if tape["agent"] == "observer":
                self.assertEqual(tape, alone[name])
        done = run("verify", folder, "--again")
        learned = sum(tape["agent"] == "learner" for tape in played.values())
        self.assertIn(f"{learned} of the {learned} recorded tapes of `learner` cannot be played again", done.stdout)
        self.assertNotIn("`observer`", done.stdout)

    def test_steps_that_a_program_may_take_leave_unfinished_tapes(self):
        folder = self.build("d", *TRAIN, "-n", "4", *self.program(), *SALT, "--agent-steps", "2")
        self.assertEqual({len(tape["actions"]) for tape in tapes_of(folder)} - {1}, {2})
        self.assertIn("unfinished", self.assert_verifies(folder))

    def test_a_program_that_plays_several_at_a_time_gives_the_same_dataset(self):
        whole = self.build("one", *TRAIN, "-n", "10", *self.program(), *SALT, "--attempts", "2")
        judged = self.result(*TRAIN, "-n", "10", *self.program(), *SALT, "--attempts", "2")
        self.assertEqual(contents(self.build("judged", "--agent", "tapes:" + judged)), contents(whole), "attempts of eval are the same ones")
        several = write(self.path("several.py"), SEVERAL)
        flags = [*TRAIN, "-n", "10", *SALT, "--attempts", "2"]
        for jobs in ("1", "3"):
            folder = self.build("n" + jobs, *flags, "--agent", "exec:" + shlex.join([sys.executable, several, "learner"]), "-j", jobs)
            self.assertEqual(contents(folder), contents(whole))
        agents = [{"agent": self.program()[1]}, {"agent": "observer"}]
        mixed = self.build("m", *flags, "--agent", json.dumps(agents))
        agents[0]["agent"] = "exec:" + shlex.join([sys.executable, several, "learner"])
        self.assertEqual(contents(self.build("k", *flags, "--agent", json.dumps(agents))), contents(mixed))

    def test_episodes_to_evaluate_with_are_not_played(self):
        marks = self.path("marks")
        done = run("build", "--tasks", "GoToGoal", "-d", "easy", "--split", "eval", *self.program(marks=marks), "-o", self.path("d"))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("--evaluation keep", done.stderr)
        self.assertFalse(os.path.exists(marks), "nobody was asked to play")
        kept = self.build("k", "--tasks", "GoToGoal", "-d", "easy", "--split", "eval", "--evaluation", "keep", *self.program(marks=marks))
        self.assertEqual(len(tapes_of(kept)), 25)

    def test_names_of_our_agents_are_not_given_to_programs(self):
        for name in ("expert", "random", "", "né e/x"):
            folder = self.build("d", *TRAIN, "-n", "1", "--force", *self.program(name))
            self.assertEqual({tape["agent"] for tape in tapes_of(folder)}, {"n---e-x" if "/" in name else "program"}, name)
            self.assert_verifies(folder)


class Recipes(Loop):
    def test_no_recipe_and_no_manifest_starts_a_program(self):
        mark = self.path("mark")
        command = f"exec:touch {mark}"
        for oracle in (command, [{"agent": command}, {"agent": "observer"}]):
            recipe = write(self.path("r.json"), json.dumps({"tasks": "GoToGoal", "count": 2, "split": "train", "oracle": oracle}))
            self.refuse(["build", recipe, "-o", self.path("d")], USAGE, "recipes start no programs", "--agent")
            self.refuse(["build", recipe, "--dry-run"], USAGE, "recipes start no programs")
        folder = self.build("p", *TRAIN, "-n", "2")
        for file in ("manifest.json",):
            text = read(os.path.join(folder, file)).decode().replace('"oracle": "observer"', f'"oracle": "{command}"')
            write(os.path.join(folder, file), text)
        self.assertNotEqual(run("verify", folder).returncode, 0)
        self.assertNotEqual(run("render", folder, "--format", "npz").returncode, 0)
        self.assertFalse(os.path.exists(mark))
        folder = self.build("e", *TRAIN, "-n", "2", *self.program())
        self.assertNotIn("exec", read(folder + "/manifest.json").decode())
        self.assertNotIn(self.folder, read(folder + "/manifest.json").decode(), "nor a path of this machine")

    def test_an_estimate_starts_no_program(self):
        self.refuse(["build", *TRAIN, "-n", "2", *self.program(marks=self.path("marks")), "--dry-run"], USAGE, "starts no program", "tape:FILE")
        self.assertFalse(os.path.exists(self.path("marks")))

    def test_options_of_programs_need_a_program(self):
        for option in (["--attempts", "2"], ["--fresh"], SALT, ["--agent-steps", "3"], ["--agent-log", "x"]):
            done = run("build", *TRAIN, "-n", "2", *option, "-o", self.path("d"))
            self.assertEqual(done.returncode, USAGE, option)
            self.assertIn("exec:COMMAND", done.stderr)

    def test_tape_and_tapes_are_one(self):
        path = self.path("t.jsonl")
        run("solve", *TRAIN, "-n", "3", "--agent", "observer", "-q", "-o", path)
        self.assertEqual(contents(self.build("a", "--agent", "tape:" + path)), contents(self.build("b", "--agent", "tapes:" + path)))
        results = [json.loads(read(self.result(*TRAIN, "-n", "3", "--agent", spec + path)))["episodes"] for spec in ("tape:", "tapes:")]
        played = self.result(*TRAIN, "-n", "3", "--agent", "observer", name="played.json")
        again = json.loads(read(self.result(*TRAIN, "-n", "3", "--agent", "tapes:" + played)))["episodes"]
        self.assertEqual(results, [again, again])

    def test_tapes_and_results_in_place_of_a_recipe_are_refused_with_advice(self):
        tapes = self.path("t.jsonl")
        run("solve", *TRAIN, "-n", "1", "--agent", "observer", "-q", "-o", tapes)
        for path in (tapes, self.result(*TRAIN, "-n", "1", "--agent", "observer")):
            self.refuse(["build", path, "-o", self.path("d")], USAGE, "is no recipe", f"`tapes:{path}`")

    def test_lost_episodes_of_a_result_have_no_tape_and_a_note_says_so(self):
        path = self.result(*TRAIN, "-n", "10", *self.program(thirds=self.path("never")), *SALT, code=FOUND)
        lost = sum("error" in row for row in json.loads(read(path))["episodes"])
        self.assertGreater(lost, 0)
        done = run("build", "--agent", "tapes:" + path, "-o", self.path("d"), "-q")
        self.assertEqual(done.returncode, 0)
        self.assertIn(f"note: {lost} episodes of the result were lost", done.stderr)
        self.assertEqual(len(tapes_of(self.path("d"))), 20 - lost)

    def test_results_of_oracles_keep_their_names(self):
        path = self.result(*TRAIN, "-n", "3", "--agent", "expert", "--name", "my favourite")
        folder = self.build("d", "--agent", "tapes:" + path)
        self.assertEqual({tape["agent"] for tape in tapes_of(folder)}, {"expert"})
        self.assertNotIn("cannot be played again", run("verify", folder, "--again").stdout)

    def test_an_edited_result_is_found_when_it_is_replayed(self):
        path = self.result(*TRAIN, "-n", "3", *self.program(), *SALT)
        text = read(path).decode()
        for old, new in (('"return": 0.0', '"return": 1.0'), ('"actions": "', '"actions": "0 '), ('"rules": "agentick 1"', '"rules": "agentick 0"')):
            self.assertIn(old, text)
            done = run("build", "--agent", "tapes:" + write(self.path("forged.json"), text.replace(old, new)), "-o", self.path("d"))
            self.assertEqual(done.returncode, USAGE if "actions" in old else FOUND, (old, done.stderr))
            self.assertFalse(os.path.exists(self.path("d/manifest.json")))

    def test_a_mixture_with_tapes_takes_the_tape_or_lets_the_oracle_play(self):
        path = self.result(*TRAIN, "-n", "20", *self.program(), *SALT)
        recipe = write(self.path("r.json"), json.dumps({"oracle": [{"agent": "tapes:" + path}, {"agent": "observer"}], "labels": "observer"}))
        done = run("build", recipe, "-q", "-o", self.path("d"), "-j", "1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run("build", recipe, "-q", "-o", self.path("e"), "-j", "3").returncode, 0)
        self.assertEqual(contents(self.path("d")), contents(self.path("e")))
        tapes = tapes_of(self.path("d"))
        self.assertEqual({tape["agent"] for tape in tapes}, {"learner", "observer"})
        mine = {row["episode"]: row for row in json.loads(read(path))["episodes"]}
        self.assertEqual([tape["name"] for tape in tapes], list(mine), "the tapes name the episodes")
        taken = [tape for tape in tapes if tape["agent"] == "learner"]
        self.assertTrue(all(tape["return"] == mine[tape["name"]]["return"] for tape in taken))
        self.assertEqual(self.manifest(self.path("d"))["recorded"]["tapes"], len(taken))
        self.assert_verifies(self.path("d"))
        self.refuse(["build", write(self.path("b.json"), json.dumps({**json.loads(read(recipe)), "filter": {"best": 1}})), "-o", self.path("f")],
                    USAGE, "`best`")

    def test_best_needs_recorded_tapes(self):
        self.refuse(["build", *TRAIN, "-n", "2", "--best", "1", "-o", self.path("d")], USAGE, "`best`", "recorded tapes")

    def test_resume_takes_no_other_tapes_for_the_same_dataset(self):
        first, second = self.path("a.jsonl"), self.path("b.jsonl")
        run("solve", *TRAIN, "-n", "3", "--agent", "random", "-q", "-o", first)
        run("solve", *TRAIN, "-n", "3", "--agent", "observer", "-q", "-o", second)
        folder = self.build("d", "--agent", "tapes:" + first)
        self.assertEqual(run("build", "--agent", "tapes:" + first, "-o", folder, "--resume", "-q").returncode, 0)
        self.refuse(["build", "--agent", "tapes:" + second, "-o", folder, "--resume", "-q"], USAGE, "other tapes", "--force")

    def test_test_families_play_too(self):
        kept = ["--evaluation", "keep"]
        folder = self.build("d", "--tasks", "climb:Climb,Roam", "--seeds", "0..9", *self.program(), *SALT, "--attempts", "2", *kept, program=TOY)
        self.assert_verifies(folder, program=TOY)
        path = self.path("r.json")
        self.assertEqual(run("eval", "--tasks", "climb:Climb,Roam", "--seeds", "0..9", *self.program(), *SALT, "-q", "-o", path, program=TOY).returncode, 0)
        self.assert_verifies(self.build("e", "--agent", "tapes:" + path, *kept, "--labels", "expert", program=TOY), program=TOY)


def faulty(**faults):
    """An environment in which the same program goes wrong."""
    return {**os.environ, "FAULTS": json.dumps(faults)}


class Interrupted(Loop):
    flags = [*TRAIN, "-n", "10", *SALT, "--labels", "observer"]

    def wait_for_tapes(self, folder, n, child):
        while not os.path.exists(folder + "/playing.jsonl") or read(folder + "/playing.jsonl").count(b"\n") <= n:  # the first line is no tape
            self.assertIsNone(child.poll())
            time.sleep(0.02)
        wait_until_idle(child.pid)  # until it was counted, too

    def test_what_was_played_is_kept_and_the_rest_is_played_when_it_resumes(self):
        whole = self.build("whole", *self.flags, *self.program())
        for at, number in ((1, signal.SIGKILL), (7, signal.SIGINT), (12, signal.SIGTERM)):
            folder, marks = self.path(f"d{at}"), self.path(f"marks{at}")
            child = subprocess.Popen([SEEDBED, "build", *self.flags, *self.program(), "-j", "1", "-q", "-o", folder],
                                     stderr=subprocess.PIPE, text=True, env=faulty(after=at, marks=marks))
            self.wait_for_tapes(folder, at, child)
            child.send_signal(number)
            said = child.communicate(timeout=900)[1]
            self.assertEqual(child.returncode, -number)
            if number != signal.SIGKILL:
                self.assertIn(f"after {at} of 20 episodes: the tapes are kept, and the same command with --resume goes on", said)
            self.assertEqual(len(read(folder + "/playing.jsonl").splitlines()), 1 + at)
            self.refuse(["build", *self.flags, *self.program(), "-o", folder], USAGE, "--resume", "--force")
            with open(folder + "/playing.jsonl", "ab") as file:
                file.write(b'{"tape": 1, "na')  # a line that was cut off
            done = run("build", *self.flags, *self.program(), "-q", "-o", folder, "--resume", env=faulty(marks=marks))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(len(read(marks).splitlines()), 21, "nothing was played twice but the episode that was interrupted")
            self.assertEqual(contents(folder), contents(whole))

    def test_lost_episodes_are_played_again_when_it_resumes_and_then_stand_in_their_places(self):
        whole = self.build("whole", *self.flags, *self.program())
        mended = self.path("mended")
        done = run("build", *self.flags, *self.program(thirds=mended), "-j", "2", "-q", "-o", self.path("d"))
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"\Aseedbed: note: \d+ of 20 episodes were lost and have no tape; the last one by `crash`: [^\n]+\n\Z")
        self.assertLess(len(tapes_of(self.path("d"))), 20)
        self.assert_verifies(self.path("d"))
        # The same, but killed before the dataset was finished.
        child = subprocess.Popen([SEEDBED, "build", *self.flags, *self.program(), "-j", "1", "-q", "-o", self.path("e")],
                                 stderr=subprocess.DEVNULL, env=faulty(thirds=mended, after=12, marks=self.path("marks")))
        self.wait_for_tapes(self.path("e"), 6, child)
        child.kill()
        child.wait()
        write(mended, "")
        self.assertEqual(run("build", *self.flags, *self.program(), "-q", "-o", self.path("e"), "--resume").returncode, 0)
        self.assertEqual(contents(self.path("e")), contents(whole))

    def test_a_program_that_always_fails_ends_the_run_with_its_reason(self):
        done = run("build", *self.flags, *self.program(always=True), "-q", "-j", "1", "-o", self.path("d"))
        self.assertEqual(done.returncode, FOUND)
        self.assertRegex(done.stderr, r"\Aseedbed: 20 episodes in a row were lost, the last one by `crash`: [^\n]*--resume[^\n]*\n\Z")
        self.assertFalse(os.path.exists(self.path("d/manifest.json")))

    def test_nothing_is_built_if_all_episodes_are_lost(self):
        done = run("build", *TRAIN, "-n", "2", *self.program(always=True), "-q", "-o", self.path("d"))
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("seedbed: all episodes were lost, the last one by `crash`", done.stderr)
        self.assertFalse(os.path.exists(self.path("d")))

    def test_another_program_or_other_episodes_do_not_resume_it(self):
        folder = self.path("d")
        os.mkdir(folder)
        tapes = unpacked(self.build("w", *self.flags, *self.program()), "tapes").splitlines(keepends=True)
        plain = [{key: value for key, value in json.loads(line).items() if key != "labels"} for line in tapes[:5]]
        write(folder + "/playing.jsonl", "".join(json.dumps({"attempt": 0, "tape": tape}) + "\n" for tape in plain))
        self.refuse(["build", *self.flags, *self.program("other"), "-o", folder, "--resume", "-q"], USAGE, "`learner`", "`other`", "--force")
        self.refuse(["build", "--tasks", "MazeNavigation", "--split", "train", "-n", "2", *self.program(), "-o", folder, "--resume", "-q"], USAGE,
                    "KeyDoorPuzzle", "not asked for")
        self.assertEqual(run("build", *self.flags, *self.program("other"), "-o", folder, "--force", "-q").returncode, 0)
        self.assertEqual({tape["agent"] for tape in tapes_of(folder)}, {"other"})

    def test_without_a_salt_it_goes_on_with_that_of_the_interrupted_run(self):
        flags = [flag for flag in self.flags if flag not in SALT]
        child = subprocess.Popen([SEEDBED, "build", *flags, *self.program(), "-j", "1", "-q", "-o", self.path("d")],
                                 stderr=subprocess.DEVNULL, env=faulty(after=3, marks=self.path("marks")))
        self.wait_for_tapes(self.path("d"), 3, child)
        child.kill()
        child.wait()
        salt = json.loads(read(self.path("d/playing.jsonl")).splitlines()[0])["salt"]
        shutil.copytree(self.path("d"), self.path("upper"))
        self.assertEqual(run("build", *flags, *self.program(), "-q", "-o", self.path("d"), "--resume").returncode, 0)
        done = run("build", *flags, *self.program(), "--salt", salt.upper(), "-q", "-o", self.path("upper"), "--resume")
        self.assertEqual((done.returncode, done.stderr), (0, ""), "digits of either case are the same salt")
        whole = self.build("whole", *flags, *self.program(), "--salt", salt)
        self.assertEqual(contents(self.path("d")), contents(whole))
        self.assertEqual(contents(self.path("upper")), contents(whole))

    def test_kept_tapes_that_were_altered_are_refused(self):
        tapes = [{key: value for key, value in json.loads(line).items() if key != "labels"}
                 for line in unpacked(self.build("w", *self.flags, *self.program()), "tapes").splitlines()[:5]]
        lines = [json.dumps({"attempt": 0, "tape": tape}) for tape in tapes]
        first = next(i for i, tape in enumerate(tapes) if tape["actions"])

        def altered(**changes):
            return [*lines[:first], json.dumps({"attempt": 0, "tape": {**tapes[first], **changes}}), *lines[first + 1:]]

        actions = [(tapes[first]["actions"][0] + 1) % 6, *tapes[first]["actions"][1:]]
        folder = self.path("d")
        for words, left in (("return", altered(**{"return": tapes[first]["return"] + 1})), ("success", altered(success=not tapes[first]["success"])),
                            ("digest", altered(digest="0" * 16)), ("KeyDoorPuzzle", altered(actions=actions)), ("rules", altered(rules="agentick 2")),
                            ("surprise", altered(surprise=1)), ("line 2", [lines[0], lines[1][:40], *lines[2:]]),
                            ("not asked for", [*lines, lines[0]]), ("not asked for", [lines[0].replace('"attempt": 0', '"attempt": 1'), *lines[1:]]),
                            ("attempt", [lines[0].replace('"attempt": 0', '"attempt": -1'), *lines[1:]]),
                            ("more", [lines[0].replace('"attempt"', '"more": 1, "attempt"'), *lines[1:]])):
            with self.subTest(words):
                shutil.rmtree(folder, ignore_errors=True)
                os.mkdir(folder)
                write(folder + "/playing.jsonl", "".join(line + "\n" for line in left))
                done = run("build", *self.flags, *self.program(), "-o", folder, "--resume", "-q")
                self.assertIn(done.returncode, (FOUND, USAGE), done.stderr)
                self.assertIn(words, done.stderr)
                self.assertFalse(os.path.exists(folder + "/manifest.json"))
                self.assertEqual(read(folder + "/playing.jsonl").decode().splitlines()[:len(left)], left, "it is left as it was")


class Page(InFolder):
    def test_everything_that_the_page_shows_works(self):
        """Runs its commands and its Python, one after another, with shorter training."""
        if not importlib.util.find_spec("numpy"):
            self.skipTest("not installed: numpy")
        shutil.copytree(os.path.join(ROOT, "examples"), self.path("examples"), symlinks=True)
        os.mkdir(self.path("bin"))
        for name, program in (("seedbed", SEEDBED), ("python3", sys.executable)):
            os.chmod(write(self.path("bin/" + name), f'#!/bin/sh\nexec "{program}" "$@"\n'), 0o755)
        environment = {**os.environ, "PATH": self.path("bin") + os.pathsep + os.environ["PATH"], "OPENBLAS_NUM_THREADS": "1",
                       "PYTHONPATH": os.path.join(os.path.dirname(SEEDBED), "python")}
        page = read(os.path.join(ROOT, "docs/data-that-teaches.md")).decode()
        (text,) = re.findall(r"^## From rollouts to data\n(.*?)^## ", page, re.S | re.M)
        commands = [line[4:] for line in text.replace(" \\\n       ", "").splitlines() if line.startswith("    ") and line[4:].startswith(("seedbed ", "python3 "))]
        self.assertGreater(len(commands), 12)
        for command in commands:
            command = re.sub(r"(policy\d\.npz) 60", r"\1 5", re.sub(r"-n (100|40)\b", "-n 10", command))
            done = subprocess.run(["sh", "-euc", command], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=900)
            self.assertEqual(done.returncode, 0, command + done.stdout + done.stderr)
        (code,) = re.findall(r"^```python\n(.*?)^```$", text, re.S | re.M)
        if subprocess.run([sys.executable, "-c", "import seedbed"], env=environment, capture_output=True).returncode == 0:  # not with sanitizers
            done = subprocess.run([sys.executable, "-c", code + "print(len(labels))"], cwd=self.folder, env=environment, capture_output=True, text=True)
            self.assertEqual(done.stderr, "")
            self.assertGreater(int(done.stdout), 20)
        for folder in ("round1", "round2", "best", "kept", "round3"):
            self.assertEqual(run("verify", self.path(folder), "--again").returncode, 0, folder)


class Tampered(Loop):
    """Beyond what tests/tamper_test.py tries: tapes under another name, where no row says who played."""

    def test_another_name_is_found_by_the_hash_of_what_was_played_after_all_other_hashes_were_recomputed(self):
        folder = self.build("d", *TRAIN, "-n", "4", *self.program(), *SALT, "--attempts", "2", "--format", "chat")
        forger = tamper_test.Forger(contents(folder))
        forger.rewrite("tapes-00000-of-00001.jsonl.gz", lambda text: text)
        self.lay_out(folder, forger)
        self.assert_verifies(folder)
        forger.rewrite("tapes-00000-of-00001.jsonl.gz", lambda text: text.replace('"agent": "learner"', '"agent": "student"', 1))
        self.lay_out(folder, forger)
        self.refuse(["verify", folder], FOUND, "`recorded` is wrong")

    def lay_out(self, folder, forger):
        for name, data in forger.files.items():
            write(os.path.join(folder, name), data)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
