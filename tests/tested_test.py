"""Tests of challenges as they are evaluated: by programs one at a time and in rounds, with limits and stacked frames, and what
results, reports and measures of exploration say of them.

    python3 tests/tested_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED = sys.argv[1]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLE = f"exec:{sys.executable} {ROOT}/examples/agents/tested.py"
SALT = "00112233445566778899aabbccddeeff"

# The same agent, told to keep what it gets; with a number as its last word it plays so many episodes at a time.
KEEPING = f"""
import importlib.util, json, sys
sys.stdin, stdin = open("/dev/null"), sys.stdin
spec = importlib.util.spec_from_file_location("tested", {ROOT + "/examples/agents/tested.py"!r})
tested = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tested)
log, batch = open(sys.argv[1], "a"), int(sys.argv[2]) if len(sys.argv) > 2 else 0
agents = {{}}

def answer(message):
    log.write(json.dumps(message) + "\\n")
    log.flush()
    slot = message.get("slot", 0)
    if message["op"] == "end":
        return {{}}
    if message["op"] == "reset":
        agents[slot] = tested.Tested()
        agents[slot].begin(message)
    return {{"action": agents[slot].act(message["observations"]["challenge"], message["valid_names"])}}

for line in stdin:
    message = json.loads(line)
    if message["op"] == "close":
        break
    if message["op"] == "hello":
        reply = {{**tested.Tested.hello, **({{"batch": batch}} if batch else {{}})}}
    elif message["op"] == "round":
        reply = {{"replies": [{{"slot": each["slot"], **answer(each)}} for each in message["messages"]]}}
    else:
        reply = answer(message)
    print(json.dumps(reply), flush=True)
"""


def run(*arguments, status=0):
    done = subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, check=False)
    if status is not None and done.returncode != status:
        raise AssertionError(f"{arguments}: {done.returncode}\n{done.stderr}")
    return done


def mean(values):
    return sum(values) / len(values)


class Evaluations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.pack = cls.path("pack.jsonl")
        run("challenges", "-q", "-o", cls.pack, "--tasks", "Seesaw,Triad", "--levels", "1..2", "--count", "2")
        with open(cls.path("keeping.py"), "w", encoding="utf-8") as file:
            file.write(KEEPING)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def evaluated(self, agent, *options, name="result.json"):
        path, salt = self.path(name), ("--salt", SALT) if agent.startswith("exec:") else ()
        run("eval", "-q", "--pack", self.pack, "--agent", agent, *salt, "-o", path, "--force", *options)
        run("verify", path, "--challenges", self.pack)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def keeping(self, *options, batch=()):
        """Returns the result, and the messages that the program got."""
        log = self.path("messages.jsonl")
        if os.path.exists(log):
            os.remove(log)
        result = self.evaluated(f"exec:{sys.executable} {self.path('keeping.py')} {log} {' '.join(map(str, batch))}", "-j", "1", *options)
        with open(log, encoding="utf-8") as file:
            return result, [json.loads(line) for line in file]

    def test_a_pack_selects_what_could_be_derived(self):
        with open(self.pack, encoding="utf-8") as file:
            names = [json.loads(line)["challenge"] for line in list(file)[1:]]
        played = [episode["episode"] for episode in self.evaluated(EXAMPLE)["episodes"]]
        self.assertEqual(played, names)

    def test_results_depend_on_neither_workers_nor_rounds(self):
        one = self.evaluated(EXAMPLE, "-j", "1")["episodes"]
        self.assertEqual(one, self.evaluated(EXAMPLE, "-j", "3")["episodes"])
        self.assertEqual(one, self.keeping(batch=[4])[0]["episodes"])

    def test_scores_by_kind_and_category_follow_from_the_episodes(self):
        result = self.evaluated(EXAMPLE)
        tests = [test for test in result["families"][0]["tests"] if test["kind"] != "all"]
        for kind in ("mfp", "planning", "change"):
            self.assertEqual([(test.get("category"), test.get("dynamics")) for test in tests if test["kind"] == kind],
                             [(None, None), ("physical", None), ("logic", None), (None, "deterministic"), (None, "stochastic")])
        for test in tests:
            episodes = episodes_of(result, test)
            self.assertEqual(test["episodes"], len(episodes))
            scores = [each["score"] for each in episodes]
            self.assertAlmostEqual(test["mean_score"], mean(scores))
            self.assertTrue(test["score_interval"][0] <= test["mean_score"] <= test["score_interval"][1])
            self.assertEqual("corrected_score" in test, test["kind"] == "mfp")
            if test["kind"] == "mfp":
                self.assertAlmostEqual(test["corrected_score"], (mean(scores) - 1 / 6) / (5 / 6))
            if test["kind"] == "change":
                self.assertAlmostEqual(test["mean_score_zero"], mean([each["test"]["score_zero"] for each in episodes]))

    def test_the_score_over_all_kinds_is_the_mean_of_their_scores(self):
        result = self.evaluated(EXAMPLE)
        tests = result["families"][0]["tests"]
        for test in tests[-5:]:
            self.assertEqual(test["kind"], "all")
            same = [each for each in tests if each["kind"] != "all" and all(each.get(key) == test.get(key) for key in ("category", "dynamics"))]
            self.assertEqual(test["episodes"], sum(each["episodes"] for each in same))
            self.assertAlmostEqual(test["mean_score"], mean([each["mean_score"] for each in same]))
            self.assertTrue(test["score_interval"][0] <= test["mean_score"] <= test["score_interval"][1])
            self.assertNotIn("corrected_score", test)
        name = "autumn:Seesaw/mfp-1#1"
        said = json.loads(run("eval", "-q", name, "--challenges", self.pack, "--agent", "idle", "--json").stdout)
        self.assertEqual([test["kind"] for test in said["families"][0]["tests"]], ["mfp"] * 3)  # there is nothing to add up

    def test_what_only_whole_families_have_is_left_out(self):
        said = run("eval", "-q", "--pack", self.pack, "--agent", "idle").stdout
        self.evaluated("idle")
        for text in (said, run("report", self.path("result.json")).stdout):
            for word in ("leaderboard", "ons_pairs", "capability"):
                self.assertNotIn(word, text)
            self.assertTrue("deterministic" in text and "stochastic" in text)

    def test_results_with_sums_of_before_are_verified(self):
        result = self.evaluated(EXAMPLE, "--frames-per-action", "4")
        family = result["families"][0]
        family["tests"] = [test for test in family["tests"] if test["kind"] != "all" and "dynamics" not in test]
        measured = self.explored_on_tapes()
        for test in family["tests"]:  # waiting that was added counted as the agent's
            names = [each["episode"] for each in episodes_of(result, test)]
            for key in ("area", "final", "resets"):
                test["exploration"][key] = mean_in_order([measured[name][key] for name in names])
            for act in test["exploration"]["shares"]:
                test["exploration"]["shares"][act] = mean_in_order([measured[name]["shares"][act] for name in names])
        path = self.path("old.json")
        for wrong in (0, 1):
            family["tests"][0]["tested"] += wrong
            with open(path, "w", encoding="utf-8") as file:
                json.dump(result, file)
            done = run("verify", path, "--challenges", self.pack, status=None)
            self.assertEqual(done.returncode, wrong, done.stderr + done.stdout)

    def explored_on_tapes(self, *options):
        """The measures of every episode of the result, from its tapes alone, which do not say what was added."""
        tapes = self.path("stacked.jsonl")
        run("replay", "-q", self.path("result.json"), "-o", tapes, "--challenges", self.pack)
        lines = map(json.loads, run("exploration", tapes, "--json", *options).stdout.splitlines())
        return {line["episode"]: line for line in lines}

    def test_waiting_that_was_added_is_no_exploration(self):
        result, messages = self.keeping("--frames-per-action", "4")
        asked = sum(message["op"] != "end" and message["observations"]["challenge"]["phase"] == "interaction" for message in messages)
        lines = [json.loads(line) for line in run("exploration", self.path("result.json"), "--json").stdout.splitlines()]
        begun = sum(episode["test"]["tested"] for episode in result["episodes"])  # by `go-to-test`
        self.assertEqual(sum(line["actions"] for line in lines), asked - begun)
        for test in result["families"][0]["tests"]:
            some = [line for line in lines if line["episode"] in {each["episode"] for each in episodes_of(result, test)}]
            self.assertAlmostEqual(test["exploration"]["area"], mean([line["area"] for line in some]))
            self.assertAlmostEqual(test["exploration"]["shares"]["noop"], mean([line["shares"]["noop"] for line in some]))
        measured = {line["episode"]: line for line in lines}
        self.assertNotEqual(self.explored_on_tapes(), measured)
        self.assertEqual(self.explored_on_tapes("--frames-per-action", "4"), measured)

    def test_both_scores_of_a_detection_follow_from_its_frames(self):
        some = 0
        for name in ("one", "two", "three"):
            agent = f"{EXAMPLE} {name}"
            for each in run_episodes(self, agent):
                test = each["test"]
                changed, submitted = test.get("changed"), test.get("submitted")
                if changed is None or submitted is None or submitted < changed - 1:
                    expected = 0, 0
                elif submitted <= changed:
                    expected = 1, 1
                else:
                    r = submitted / changed
                    f = 1 / (1 - r * math.exp(-r))
                    expected = min(1, 1.377 * f - 1.178), (math.e - 1) * (f - 1)
                    some += 1
                self.assertAlmostEqual(each["score"], expected[0])
                self.assertAlmostEqual(test["score_zero"], expected[1])
            if some:
                return
        self.fail("no program was late, so nothing was tested")

    def test_the_interaction_can_be_shorter(self):
        for episode in self.evaluated(EXAMPLE, "--interaction", "7")["episodes"]:
            self.assertEqual(episode["test"], {**episode["test"], "interaction": 8, "tested": True})

    def test_an_action_shows_as_many_frames_as_asked_for(self):
        result, messages = self.keeping("--frames-per-action", "4")
        self.assertEqual(result["agent"]["frames_per_action"], 4)
        stacked = [message for message in messages if "frames" in message]
        self.assertGreater(len(stacked), 50)
        for message in stacked:
            frames = message["frames"]
            self.assertLessEqual(len(frames), 3)
            self.assertEqual([frame["action"] for frame in frames[1:]], ["noop"] * (len(frames) - 1))
            self.assertEqual([frame["steps"] for frame in frames], list(range(message["steps"] - len(frames), message["steps"])))
            self.assertTrue(all("render" in frame["observations"]["challenge"] for frame in frames))
        full = [message for message in stacked if len(message["frames"]) == 3]
        self.assertGreater(len(full), len(stacked) / 2)
        # Where the test is not acted in, an action shows one frame.
        self.assertTrue(all("frames" not in message for message in messages if message["op"] == "step"
                            and message["observations"]["challenge"].get("video_location", "0/").split("/")[0] not in ("0",)))

    def served(self, *requests):
        lines = "".join(json.dumps(request) + "\n" for request in requests)
        done = subprocess.run([SEEDBED, "serve", "--stdio", "--challenges", self.pack], input=lines, capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_a_client_gets_as_many_frames_as_it_asks_for(self):
        name, shown = "autumn:Seesaw/planning-1#1", {"modes": ["challenge"], "actions": "none"}
        asked = {"op": "reset", "name": name, "frames_per_action": 3, **shown}
        step = {"op": "step", "action": "up"}
        _, stacked, other, begun, tested = self.served(asked, step, {"op": "step", "action": "reset"}, {"op": "step", "action": "go-to-test"}, step)
        single = self.served({"op": "reset", "name": name, **shown}, step, *[{"op": "step", "action": "noop"}] * 2)[1:]
        self.assertEqual(stacked["frames"], [{"steps": i + 1, "action": action, "observations": reply["observations"]}
                                             for i, (action, reply) in enumerate(zip(("up", "noop"), single))])
        self.assertEqual((stacked["steps"], stacked["observations"]), (3, single[2]["observations"]))
        self.assertTrue("frames" not in other and "frames" not in begun and len(tested["frames"]) == 2)
        batch = self.served({"op": "start", "names": [name] * 2, "frames_per_action": 2, **shown}, {"op": "steps", "actions": ["up", None]})[1]
        self.assertEqual((len(batch["envs"][0]["frames"]), batch["envs"][1]), (1, None))
        wrong = self.served({**asked, "frames_per_action": 0})[0]
        self.assertIn("`frames_per_action` should be a whole number from 1 to 100", wrong["error"]["message"])
        # Elsewhere an action shows what it shows.
        plain = self.served({"op": "reset", "name": "GoToGoal-v0/easy#0", "frames_per_action": 3}, {"op": "step", "action": "noop"})[1]
        self.assertTrue(plain["ok"] and plain["steps"] == 1 and "frames" not in plain)

    def test_a_person_sees_as_many_frames_as_asked_for(self):
        tape = self.path("played.jsonl")
        for frames, steps in ((1, 2), (4, 8)):
            said = subprocess.run([SEEDBED, "play", "autumn:Seesaw/planning-1#1", "--challenges", self.pack, "--frames-per-action", str(frames), "-o", tape],
                                  input=":up\n:up\nq", capture_output=True, text=True, check=True)
            with open(tape, encoding="utf-8") as file:
                self.assertEqual(len(json.loads(file.read())["actions"]), steps)
            self.assertEqual(max(int(step) for step in re.findall(r"^step (\d+) of", said.stdout, re.M)), steps)
            self.assertTrue(all(f"step {step} of" in said.stdout for step in range(1, steps + 1)))
            run("verify", tape, "--challenges", self.pack)

    def test_show_says_what_kind_of_challenge_it_is_and_what_to_do(self):
        shown = run("show", "autumn:Seesaw/planning-1#1", "--challenges", self.pack).stdout
        self.assertRegex(shown, r"^autumn:Seesaw/planning-1#1: a challenge of the kind `planning` \(\d+ steps\)\nYou are in front of")
        self.assertIn("you are shown a goal", shown)
        self.assertNotIn("plank", shown)
        self.assertRegex(run("show", "autumn:Seesaw#1").stdout, r"^autumn:Seesaw#1: Find out how a plank .*\n\. black")

    def test_baselines_answer_without_a_clue(self):
        idle, uniform = (self.evaluated(agent)["episodes"] for agent in ("idle", "uniform"))
        for episode in idle + uniform:
            self.assertEqual(episode["test"]["interaction"], 1)
            self.assertNotIn("submitted", episode["test"])
        with open(self.path("pack.answers.jsonl"), encoding="utf-8") as file:
            answers = {said["answer"]: said for said in map(json.loads, list(file)[1:]) if "correct" in said}
        for episode in idle:
            expected = answers[episode["episode"]]["correct"] == 0 if episode["episode"] in answers else 0
            self.assertEqual(episode["score"], expected)
        self.assertTrue(any(episode["test"].get("changed") for episode in uniform))

    def test_instructions_are_ours_or_those_of_a_file(self):
        path = self.path("instructions.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"mfp": "Guess."}, file)
        ours = [message for message in self.keeping()[1] if message["op"] == "reset"]
        theirs = [message for message in self.keeping("--instructions", path)[1] if message["op"] == "reset"]
        self.assertEqual(len(ours), len(theirs))
        for mine, other in zip(ours, theirs):
            self.assertIn("go-to-test", mine["instructions"])
            predicts = mine["difficulty"].startswith("mfp")
            self.assertEqual(other["instructions"], "Guess." if predicts else mine["instructions"])
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"guessing": "Guess."}, file)
        done = run("eval", "--pack", self.pack, "--agent", EXAMPLE, "--instructions", path, status=None)
        self.assertIn("instructions.json: instructions: there is no kind of test `guessing`", done.stderr)

    def test_exploration_is_the_same_from_a_result_and_from_tapes(self):
        names = [episode["episode"] for episode in self.evaluated(EXAMPLE)["episodes"]]
        run("solve", "-q", *names, "--agent", "random", "-o", self.path("tapes.jsonl"), "--challenges", self.pack, status=None)
        run("eval", "-q", *names, "--agent", "random", "-o", self.path("random.json"), "--force", "--challenges", self.pack)
        said = [run("exploration", self.path(name), "--json").stdout for name in ("tapes.jsonl", "random.json")]
        self.assertEqual(said[0], said[1])
        self.assertEqual(len(said[0].splitlines()), len(names))

    def test_exploration_in_a_result_is_the_mean_of_its_episodes(self):
        result = self.evaluated(EXAMPLE)
        measured = [json.loads(line) for line in run("exploration", self.path("result.json"), "--json").stdout.splitlines()]
        for test in result["families"][0]["tests"]:
            lines = [line for line in measured if line["episode"] in {each["episode"] for each in episodes_of(result, test)}]
            self.assertAlmostEqual(test["exploration"]["area"], mean([line["area"] for line in lines]))
            self.assertAlmostEqual(test["exploration"]["shares"]["click"], mean([line["shares"]["click"] for line in lines]))
            self.assertAlmostEqual(test["exploration"]["resets"], 0)

    def test_a_selection_without_a_pack_says_where_packs_come_from(self):
        done = run("eval", "--tasks", "Seesaw", "-d", "planning-1", "--agent", "random", status=None)
        self.assertIn("`seedbed challenges -o PACK.jsonl` makes one", done.stderr)
        done = run("show", "autumn:Basket/planning-2#1", status=None)
        self.assertIn("autumn:Basket/planning-2#1 cannot be derived", done.stderr)
        self.assertIn("try another seed or level", done.stderr)

    def test_packs_that_disagree_are_refused(self):
        with open(self.pack, encoding="utf-8") as file:
            lines = file.readlines()
        with open(self.path("pack.answers.jsonl"), encoding="utf-8") as file:
            answers = file.read()
        with open(self.path("other.jsonl"), "w", encoding="utf-8") as file:
            file.writelines(lines)
        with open(self.path("other.answers.jsonl"), "w", encoding="utf-8") as file:
            file.write(answers.replace('"attempt": 0', '"attempt": 1'))
        done = run("show", "autumn:Seesaw/mfp-1#1", "--challenges", self.pack, "--challenges", self.path("other.jsonl"), status=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("another pack holds something else under this name", done.stderr)

    def test_reports_have_a_table_of_tests(self):
        self.evaluated(EXAMPLE)
        said = run("report", self.path("result.json")).stdout
        table = said[said.index("\nTests\n"):]
        for word in ("corrected", "ends at 0", "perplexity", "planning", "physical"):
            self.assertIn(word, table)
        self.assertIn("<h2>Tests</h2>", run("report", self.path("result.json"), "--html", "-").stdout)


def mean_in_order(values):
    """As the program adds: one after another."""
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def episodes_of(result, test):
    """The episodes that a row of `tests` is about."""
    groups = {"Seesaw": ("physical", "deterministic"), "Triad": ("logic", "stochastic")}
    return [each for each in result["episodes"] for category, dynamics in [groups[each["episode"].split(":")[1].split("/")[0]]]
            if (test["kind"] == "all" or f"/{test['kind']}-" in each["episode"])
            and test.get("category") in (None, category) and test.get("dynamics") in (None, dynamics)]


def run_episodes(case, agent):
    """Plays the detections only, so often that some answers are late."""
    return [each for each in case.evaluated(agent)["episodes"] if "/change-" in each["episode"]]


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
