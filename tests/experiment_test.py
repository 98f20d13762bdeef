"""Experiments: a grid of evaluations in one folder, resumable, the same for any number of processes; repeated runs in reports.

    python3 tests/experiment_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
FOUND, USAGE = 1, 2
SALT = "00112233445566778899aabbccddeeff"

# Draws its actions from the episode's number, and is slow if a file says so. It notes every episode that it begins.
AGENT = """
import json, os, random, sys, time
folder, preset, mode = sys.argv[1:4]
slow = os.path.exists(os.path.join(folder, "slow"))
for line in sys.stdin:
    m = json.loads(line)
    reply = {"modes": [mode]} if m["op"] == "hello" else {}
    if m["op"] == "reset":
        chance = random.Random(m["random_seed"])
        with open(os.path.join(folder, "log"), "a") as log:
            log.write(json.dumps([preset, mode, m["task"], m["random_seed"], sorted(m["observations"])]) + "\\n")
    if m["op"] in ("reset", "step"):
        time.sleep(0.02 if slow else 0)
        reply = {"action": chance.choice(m["valid_names"][:1] if preset == "idle" else m["valid_names"]), "thought": preset, "cost": 0.5}
    if m["op"] == "close":
        break
    print(json.dumps(reply), flush=True)
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-experiment-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        with open(self.path("agent.py"), "w", encoding="utf-8") as file:
            file.write(AGENT)
        self.command = f"exec:{sys.executable} -IS {self.path('agent.py')} {self.folder}"

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def document(self, **members):
        return {"experiment": 1, "salt": SALT, "agents": {"drawn": self.command + " {preset} {mode}", "observer": "observer"},
                "presets": ["eager", "idle"], "modes": ["ascii", "language"],
                "selections": {"easy": {"tasks": "GoToGoal,MazeNavigation", "difficulty": "easy", "count": 3}, "one": {"names": ["TagHunt/easy#5"]}},
                "runs": 2, **members}

    def write(self, document, name="experiment.json"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(document if isinstance(document, str) else json.dumps(document))
        return self.path(name)

    def run_seedbed(self, *arguments):
        return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=900, cwd=self.folder)

    def evaluate(self, out, *more, document=None, code=0):
        path = self.write(document if document is not None else self.document())
        done = self.run_seedbed("eval", path, "-o", self.path(out), "-q", *more)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def contents(self, out):
        return {name: self.read(out, name) for name in sorted(os.listdir(self.path(out))) if not name.endswith(".lock")}

    def read(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def load(self, *names):
        return json.loads(self.read(*names))


class Grid(Case):
    def test_every_combination_has_a_result(self):
        self.evaluate("out", "-j2")
        drawn = [f"drawn+{preset}+{mode}+{selection}+run{run}.json" for preset in ("eager", "idle") for mode in ("ascii", "language")
                 for selection in ("easy", "one") for run in (1, 2)]
        self.assertEqual(sorted(self.contents("out")), sorted([*drawn, "observer+easy.json", "observer+one.json", "experiment.json", "report.html"]))
        self.assertEqual([run["name"] + ".json" for run in self.load("out", "experiment.json")["runs"]], [*drawn, "observer+easy.json", "observer+one.json"])
        for name in drawn:
            agent = self.load("out", name)["agent"]
            self.assertEqual(agent["name"], ", ".join(name.split("+")[:3]))
            self.assertEqual(agent["spec"], self.command + " " + " ".join(name.split("+")[1:3]))
        self.assertEqual(self.run_seedbed("verify", *(self.path("out", name) for name in drawn)).returncode, 0)
        shown = [json.loads(line) for line in self.read("log").splitlines()]
        self.assertEqual({(mode, *modes) for _, mode, _, _, modes in shown}, {("ascii", "ascii"), ("language", "language")})

    def test_a_report_takes_the_folder(self):
        self.evaluate("out")
        names = [run["name"] + ".json" for run in self.load("out", "experiment.json")["runs"]]
        one_by_one = self.run_seedbed("report", "--json", *(self.path("out", name) for name in names))
        whole = self.run_seedbed("report", "--json", self.path("out"))
        self.assertEqual((whole.stdout, whole.stderr, whole.returncode), (one_by_one.stdout, "", 0))
        os.remove(self.path("out", names[1]))
        done = self.run_seedbed("report", "--json", self.path("out"))
        self.assertEqual(done.stderr, f"seedbed: {self.path('out')}: 1 of {len(names)} runs have no result yet\n")
        self.assertEqual(len(json.loads(done.stdout)[0]["rows"]), len(names))
        done = self.run_seedbed("report", *(self.path("out", name) for name in os.listdir(self.path("out")) if name.endswith(".json")))
        self.assertIn("experiment.json: this is an experiment, not a result", done.stderr)

    def test_runs_of_one_number_get_the_same_random_numbers_and_others_do_not(self):
        self.evaluate("out")
        salts = {name: self.load("out", name)["agent"].get("salt") for name in self.contents("out") if "+" in name}
        of_run = {number: {salt for name, salt in salts.items() if name.endswith(f"run{number}.json")} for number in (1, 2)}
        self.assertEqual([len(salts) for salts in of_run.values()], [1, 1])
        self.assertNotEqual(of_run[1], of_run[2])

    def test_what_an_agent_does_not_mention_does_not_multiply_it(self):
        self.evaluate("out", document=self.document(agents={"plain": self.command + " eager ascii", "moded": self.command + " eager {mode}"}, runs=1,
                                                    selections={"one": {"names": ["GoToGoal/easy#1"]}}))
        self.assertEqual([name for name in self.contents("out") if "+" in name], ["moded+ascii+one.json", "moded+language+one.json", "plain+one.json"])

    def test_a_pack_in_the_place_of_an_experiment_is_told_apart(self):
        self.run_seedbed("seeds", "--tasks", "GoToGoal", "-d", "easy", "-o", "ours.json")
        done = self.run_seedbed("eval", "ours.json")
        self.assertEqual((done.returncode, done.stderr), (2, "seedbed eval: ours.json is a pack: give it as --pack ours.json; see `seedbed eval --help`\n"))
        for command in ("solve", "show", "certify"):
            done = self.run_seedbed(command, "ours.json")
            self.assertEqual(done.returncode, 2)
            self.assertIn("ours.json is a pack, of which `seedbed eval --pack` plays all episodes", done.stderr)

    def test_a_selection_may_be_a_pack(self):
        pack = self.path("pack.json")
        self.assertEqual(self.run_seedbed("seeds", "--tasks", "GoToGoal", "--difficulty", "easy", "--count", "3", "--split", "mine", "-o", pack).returncode, 0)
        self.evaluate("out", document=self.document(agents={"observer": "observer"}, selections={"mine": {"pack": "pack.json"}, "one": {"names": ["TagHunt/easy#5"]}}))
        self.assertEqual([name for name in self.contents("out") if "+" in name], ["observer+mine.json", "observer+one.json"])
        self.assertEqual(self.run_seedbed("eval", "--pack", pack, "--agent", "observer", "-q", "-o", self.path("alone.json")).returncode, 0)
        self.assertEqual(self.load("out", "observer+mine.json")["episodes"], self.load("alone.json")["episodes"])
        self.assertEqual(self.load("out", "observer+mine.json")["selection"], self.load("alone.json")["selection"])

    def test_attempts_and_steps_are_the_experiments(self):
        self.evaluate("out", document=self.document(attempts=3, max_steps=4, selections={"one": {"names": ["GoToGoal/easy#1"]}}), code=FOUND)
        result = self.load("out", "drawn+idle+ascii+one+run1.json")
        self.assertEqual([(episode["attempt"], episode["steps"]) for episode in result["episodes"]], [(1, 4), (2, 4), (3, 4)])
        self.assertNotIn("attempts", self.load("out", "observer+one.json"))


class Again(Case):
    def test_bytes_are_the_same_for_any_number_of_processes(self):
        self.evaluate("one", "-j1")
        self.evaluate("three", "-j3")
        self.assertEqual(self.contents("three"), self.contents("one"))

    def test_a_killed_experiment_goes_on_to_the_same_bytes(self):
        self.evaluate("whole")
        path = self.write(self.document())
        open(self.path("slow"), "w").close()
        chance = random.Random(7)
        for seconds in (0.5, 1.5, 2.5):
            child = subprocess.Popen([SEEDBED, "eval", path, "-o", self.path("out"), "-q", "-j2", "--resume"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            time.sleep(seconds)
            child.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM]))
            child.wait(timeout=300)
        self.assertFalse(os.path.exists(self.path("out", "report.html")), "it was interrupted")
        os.remove(self.path("slow"))
        os.remove(self.path("log"))
        before = sum(len(self.load("out", name)["episodes"]) for name in os.listdir(self.path("out")) if "+run" in name and name.endswith(".json"))
        self.evaluate("out", "--resume")
        self.assertEqual(self.contents("out"), self.contents("whole"))
        self.assertLessEqual(len(self.read("log").splitlines()), 8 * 7 - before, "what was played is not played again")

    def test_a_folder_is_resumed_or_forced(self):
        document = self.document(agents={"observer": "observer"})
        self.evaluate("out", document=document)
        done = self.run_seedbed("eval", self.write(document), "-o", self.path("out"))
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("go on with it (--resume), or start anew (--force)", done.stderr)
        whole = self.contents("out")
        for how in ("--resume", "--force"):
            self.evaluate("out", how, document=document)
            self.assertEqual(self.contents("out"), whole)

    def test_a_drawn_salt_is_kept(self):
        document = self.document()
        del document["salt"]
        self.evaluate("out", document=document)
        whole = self.contents("out")
        os.remove(self.path("out", "drawn+eager+ascii+easy+run2.json"))
        self.evaluate("out", "--resume", document=document)
        self.assertEqual(self.contents("out"), whole)
        self.evaluate("other", document=document)
        self.assertNotEqual(self.load("other", "experiment.json")["salt"], self.load("out", "experiment.json")["salt"])

    def test_an_experiment_may_grow_but_not_change(self):
        small = self.document(runs=1, presets=["eager"], modes=["ascii"])
        self.evaluate("out", document=small)
        os.remove(self.path("log"))
        self.evaluate("out", "--resume", document=self.document(runs=1, presets=["eager", "idle"], modes=["ascii"]))
        self.assertEqual({json.loads(line)[0] for line in self.read("log").splitlines()}, {"idle"})
        other = self.document(runs=1, presets=["eager"], modes=["ascii"])
        other["selections"]["easy"]["count"] = 2
        done = self.run_seedbed("eval", self.write(other), "-o", self.path("out"), "--resume", "-q")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("that was another evaluation", done.stderr)


class Refused(Case):
    def refuse(self, words, document, *more, code=USAGE):
        done = self.run_seedbed("eval", self.write(document), "-o", self.path("refused"), *more)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertFalse(os.path.exists(self.path("refused")))

    def test_wrong_documents(self):
        self.refuse("unknown key `agent`", self.document(agent="x"))
        self.refuse("format 2", self.document(experiment=2), code=FOUND)
        self.refuse("key `agents` names none", self.document(agents={}))
        self.refuse("key `selections` names none", self.document(selections={}))
        self.refuse("key `presets` is missing", {key: value for key, value in self.document().items() if key != "presets"})
        self.refuse("`eager` is there twice", self.document(presets=["eager", "eager"]))
        self.refuse("key `runs` should be", self.document(runs=0))
        self.refuse("key `attempts`", self.document(attempts=10 ** 6))
        self.refuse("key `salt`", self.document(salt="12"))
        self.refuse("unknown key `taks`", self.document(selections={"x": {"taks": "GoToGoal"}}))
        self.refuse("unknown key `count`", self.document(selections={"x": {"pack": "pack.json", "count": 3}}))
        self.refuse("key `pack`", self.document(selections={"x": {"pack": ""}}))
        self.refuse("key `pack`", self.document(selections={"x": {"pack": ["pack.json"]}}))
        self.refuse("no-such-pack.json", self.document(selections={"x": {"pack": "no-such-pack.json"}}), code=FOUND)
        self.refuse("NoSuchTask", self.document(selections={"x": {"tasks": "NoSuchTask"}}))
        self.refuse("about one family", self.document(selections={"x": {"tasks": "GoToGoal"}, "y": {"family": "babyai", "tasks": "GoToObj"}}))
        self.refuse("repeated", json.dumps(self.document())[:-1] + ', "runs": 3}')

    def test_names_that_would_be_paths_or_commands(self):
        for name in ("../x", "a/b", "", "a b", "$(touch pwned)", "a;b", "..", ".x", "-x", "x" * 24, "\u00e9", "a+b", "a'b"):
            self.refuse("the name", self.document(presets=[name]))
            self.refuse("the name", self.document(selections={name: {"tasks": "GoToGoal"}}))
            self.refuse("the name", self.document(agents={name: "observer"}))

    def test_options_that_are_the_experiments(self):
        for more in (["--agent", "random"], ["--tasks", "GoToGoal"], ["--salt", SALT], ["--attempts", "2"], ["--shard", "1/2"], ["--name", "x"], ["--max-steps", "9"],
                     ["--log", "x.jsonl"], ["--log", "-"]):
            self.refuse("an experiment says itself", self.document(), *more)
        done = self.run_seedbed("eval", self.write(self.document()))
        self.assertIn("-o FOLDER", done.stderr)

    def test_a_program_that_does_not_start_is_named_with_its_run(self):
        done = self.run_seedbed("eval", self.write(self.document(agents={"gone": "exec:/no/such/program"})), "-o", self.path("out"), "-q")
        self.assertEqual(done.returncode, FOUND)
        self.assertIn("gone+easy+run1: exec:/no/such/program", done.stderr)


class Runs(Case):
    """Tables of repeated runs, against an independent computation. All tests are about the same results."""
    made = {}  # files by name

    def setUp(self):
        super().setUp()
        if not self.made:
            self.evaluate("out", document=self.document(agents={"drawn": self.command + " {preset} ascii"}, runs=4,
                                                        selections={"some": {"tasks": "GoToGoal,MazeNavigation", "difficulty": "easy,medium", "count": 5}}))
            self.made.update(self.contents("out"))

    def results(self):
        """Returns the paths of results by preset, and for each of them what was won: (episode, success)."""
        paths = {preset: [self.path(f"drawn+{preset}+some+run{run}.json") for run in (1, 2, 3, 4)] for preset in ("eager", "idle")}
        for path in (path for some in paths.values() for path in some):
            with open(path, "wb") as file:
                file.write(self.made[os.path.basename(path)])
        return paths, {preset: [[(e["episode"], e["success"]) for e in self.load(path)["episodes"]] for path in some] for preset, some in paths.items()}

    def tables(self, *paths):
        done = self.run_seedbed("report", "--json", "--published", "none", *paths)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {table["title"]: table["rows"] for table in json.loads(done.stdout)}

    def test_means_and_ranges_are_those_of_the_runs(self):
        paths, wins = self.results()
        head, *rows = self.tables(*paths["eager"], *paths["idle"])["Repeated runs"]
        shown = {(row[0], row[2]): dict(zip(head, row, strict=True)) for row in rows}
        self.assertEqual(len(shown), 2 * 4)
        for preset in ("eager", "idle"):
            for subset, belongs in (("all", lambda name: True), ("navigation", lambda name: True), ("easy", lambda name: "/easy#" in name),
                                    ("medium", lambda name: "/medium#" in name)):
                means = [sum(won for name, won in run if belongs(name)) / sum(belongs(name) for name, _ in run) for run in wins[preset]]
                row = shown[f"drawn, {preset}", subset]
                self.assertEqual(row["success"], f"{sum(means) / 4:.3f}")
                self.assertEqual(row["range"], f"{min(means):.3f}..{max(means):.3f}")
                low, high = map(float, row["interval"].split(".."))
                self.assertLessEqual(low, sum(means) / 4 + 1e-3)
                self.assertGreaterEqual(high, sum(means) / 4 - 1e-3)

    def test_intervals_sample_runs_and_episodes(self):
        """Against a bootstrap of its own, with other random numbers: bounds agree up to the chance of a thousand samples."""
        paths, wins = self.results()
        values = [[float(won) for _, won in run] for run in wins["eager"]]
        chance = random.Random(1)
        n, samples = len(values[0]), []
        for _ in range(4000):
            runs = [chance.choice(values) for _ in values]
            episodes = [chance.randrange(n) for _ in range(n)]
            samples.append(sum(run[i] for run in runs for i in episodes) / (len(runs) * n))
        samples.sort()
        head, *rows = self.tables(*paths["eager"])["Repeated runs"]
        low, high = map(float, rows[0][head.index("interval")].split(".."))
        self.assertLess(low, high)
        self.assertAlmostEqual(low, samples[100], delta=0.05)
        self.assertAlmostEqual(high, samples[3900], delta=0.05)

    def test_differences_are_those_by_task(self):
        paths, wins = self.results()
        head, *rows = self.tables(*paths["eager"], *paths["idle"])["Differences by task"]
        self.assertEqual([row[:3] for row in rows], [[task, "drawn, idle", "drawn, eager"] for task in ("GoToGoal-v0", "MazeNavigation-v0")])
        for row in rows:
            def rate(preset):
                return sum(won for run in wins[preset] for name, won in run if name.startswith(row[0])) / 40
            self.assertEqual(row[head.index("difference")], f"{rate('idle') - rate('eager'):+.3f}")
            low, high = map(float, row[head.index("interval")].split(".."))
            self.assertTrue(low <= rate("idle") - rate("eager") <= high)

    def test_an_agent_differs_from_its_copy_by_nothing(self):
        paths, _ = self.results()
        copies = []
        for path in paths["eager"]:
            document = self.load(path)
            document["agent"]["name"] = "copy"
            copies.append(self.write(document, os.path.basename(path) + ".copy"))
        head, *rows = self.tables(*paths["eager"], *copies)["Differences by task"]
        for row in rows:
            self.assertEqual(row[head.index("difference")], "+0.000")
            low, high = map(float, row[head.index("interval")].split(".."))
            self.assertTrue(low <= 0 <= high)

    def test_results_without_repetition_have_no_such_tables(self):
        paths, _ = self.results()
        tables = self.tables(paths["eager"][0], paths["idle"][0])
        self.assertFalse({"Repeated runs", "Differences by task"} & set(tables))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
