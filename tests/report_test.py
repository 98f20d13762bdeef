"""Results and reports: documents that match what was played, tables, and a page that works in a browser.

    python3 tests/report_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import copy
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OFFICIAL = os.path.join(ROOT, "evaluation", "certificates", "official.jsonl.gz")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FOUND, USAGE = 1, 2
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
FEW = ["--tasks", "GoToGoal,TagHunt,SequenceMemory,SwitchCircuit", "-d", "easy,medium"]
EVIL = "<script>alert('x')</script> & \"q\" | `b` *s* \x1b[31m \u009b1m"


# Hashes of frozen baselines: scores may not change because an expert got better.
FROZEN = {"baseline.json": "9aa876999859208726c59487c2a8a4fb9a8e96056d6e458fb602f7a77c66022b"}
FROZEN_MESSAGE = """evaluation/baseline.json is baseline 1, and stays as it is: put the file back (git checkout).
If scores have to be normalised otherwise from now on (other rules, a new family), add a baseline beside it:
  1. seedbed baseline -o evaluation/baseline-2.json, with all of baseline 1 that still holds copied into it unchanged;
  2. embed it in CMakeLists.txt, declare it in evaluation/shipped.h, add it with its SHA-256 to the table in
     evaluation/baseline.c, and raise SB_BASELINE_CURRENT;
  3. add its SHA-256 here, and a line to CHANGELOG.md: normalised scores of before need `--baseline 1`."""


def run(*arguments, program=SEEDBED):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=900)


def pairwise_mean(values):
    """Returns the mean, adding up to 128 numbers in numpy's order."""
    values = list(values)
    n = len(values)
    if n < 8:
        return sum(values, 0.0) / n
    lanes = values[:8]
    for i in range(8, n - n % 8):
        lanes[i % 8] += values[i]
    total = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
    for value in values[n - n % 8:]:
        total += value
    return total / n


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-report-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def succeed(self, *arguments, program=SEEDBED):
        done = run(*arguments, program=program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuse(self, arguments, code, *words):
        before = sorted(os.listdir(self.folder))
        done = run(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertRegex(done.stderr, r"\Aseedbed[^\n]*: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def result(self, agent, *arguments, name=None, program=SEEDBED, what=FEW):
        path = self.path(f"{name or agent}.json")
        self.succeed("eval", *what, "--agent", agent, "-q", "-o", path, *arguments, program=program)
        return path

    def load(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def read(self, path):
        with open(path, "rb") as file:
            return file.read()

    def write(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return self.path(name)


class Results(Case):
    def test_episodes_of_a_result_match_the_tapes(self):
        document = self.load(self.result("random", "-n", "5"))
        self.assertEqual((document["format"], document["version"]), ("seedbed-result", 3))
        tapes = [json.loads(line) for line in run("solve", *FEW, "-n", "5", "--agent", "random", "--json").stdout.splitlines()]
        self.assertEqual(len(document["episodes"]), len(tapes))
        for episode, tape in zip(document["episodes"], tapes):
            self.assertEqual(episode["episode"], tape["name"])
            self.assertEqual(episode["steps"], len(tape["actions"]))
            for key in ("success", "return", "dense_return", "terminated", "truncated", "digest"):
                self.assertEqual(episode[key], tape[key])
            actions = []
            for word in episode["actions"].split():
                action, _, times = word.partition("*")
                actions += [int(action)] * int(times or 1)
            self.assertEqual(actions, tape["actions"])

    def test_means_follow_from_the_episodes(self):
        document = self.load(self.result("random"))
        family = document["families"][0]
        groups = {(row["task"], row["difficulty"]): row for row in family["tasks"]}
        self.assertEqual(len(groups), 8)
        for (task, difficulty), row in groups.items():
            mine = [e for e in document["episodes"] if e["episode"].startswith(f"{task}/{difficulty}#")]
            self.assertEqual((row["episodes"], row["successes"]), (25, sum(e["success"] for e in mine)))
            self.assertEqual(row["mean_return"], pairwise_mean(e["return"] for e in mine))
            self.assertEqual(row["mean_dense_return"], pairwise_mean(e["dense_return"] for e in mine))
            self.assertEqual(row["mean_steps"], pairwise_mean(e["steps"] for e in mine))
        self.assertEqual([row["name"] for row in family["categories"]],
                         ["navigation", "reasoning", "memory", "multi_agent"])
        self.assertEqual([(row["name"], row["episodes"]) for row in family["difficulties"]],
                         [("easy", 100), ("medium", 100)])
        self.assertEqual(family["all"]["episodes"], 200)

    def test_scores_that_need_all_pairs_name_the_missing_ones(self):
        scores = self.load(self.result("expert"))["families"][0]["scores"]
        self.assertEqual(list(scores), ["leaderboard", "ons_pairs", "capability"])
        self.assertIsNone(scores["leaderboard"]["score"])
        self.assertIn("140 of 148 pairs", scores["leaderboard"]["missing"])
        self.assertIn("GoToGoal-v0/hard", scores["leaderboard"]["missing"])
        self.assertIsNone(scores["ons_pairs"]["score"])
        self.assertEqual((scores["capability"]["tasks"], scores["capability"]["of"]), (4, 37))
        self.assertGreater(scores["capability"]["score"], 0.9)

    def test_a_baseline_file_normalises(self):
        baseline = self.path("baseline.json")
        self.succeed("baseline", "--tasks", "GoToGoal,TagHunt", "-d", "easy,medium", "-o", baseline)
        rows = {(row["task"], row["difficulty"]): row for row in self.load(baseline)["families"][0]["pairs"]}
        self.assertEqual(len(rows), 4)
        mine = run("solve", "--tasks", "TagHunt", "-d", "easy", "--seeds", "0..49", "--agent", "random", "--json").stdout
        self.assertEqual(rows["TagHunt-v0", "easy"]["random"],
                         pairwise_mean(json.loads(line)["return"] for line in mine.splitlines()))
        some = ["--tasks", "GoToGoal,TagHunt", "-d", "easy,medium"]
        own = self.load(self.result("random", "--baseline", baseline, what=some, name="own"))
        built_in = self.load(self.result("random", what=some))
        self.assertEqual(own["families"][0]["scores"], built_in["families"][0]["scores"])
        self.assertEqual(built_in["baseline"], {"version": 1, "sha256": FROZEN["baseline.json"]})
        with open(baseline, "rb") as file:
            self.assertEqual(own["baseline"], {"sha256": hashlib.sha256(file.read()).hexdigest()})
        other = self.load(self.result("random", "--baseline", baseline, name="other"))["families"][0]["scores"]
        self.assertIn("SwitchCircuit-v0/easy", other["capability"]["missing"])

    def test_baselines_are_frozen(self):
        folder = os.path.join(ROOT, "evaluation")
        found = {}
        for name in sorted(os.listdir(folder)):
            if re.fullmatch(r"baseline.*\.json", name):
                with open(os.path.join(folder, name), "rb") as file:
                    found[name] = hashlib.sha256(file.read()).hexdigest()
        self.assertEqual(found, FROZEN, FROZEN_MESSAGE)

    def test_random_actions_get_the_returns_in_the_frozen_baseline(self):
        """Compares all of BabyAI, and Agentick tasks of every category. The experts' returns are not compared, because they may have risen."""
        def rows_of(document):
            return {(f["name"], f["rules"], row["task"], row.get("difficulty")): row for f in document["families"] for row in f["pairs"]}
        with open(os.path.join(ROOT, "evaluation", "baseline.json"), encoding="utf-8") as file:
            frozen = rows_of(json.load(file))
        some = "GoToGoal,KeyDoorPuzzle,SwitchCircuit,SequenceMemory,NoisyObservation,EmergentStrategy"
        made = rows_of(json.loads(self.succeed("baseline", "--tasks", some)))
        self.assertEqual(len(made), 24)
        made.update(rows_of(json.loads(self.succeed("baseline", "--family", "babyai"))))
        for key, row in made.items():
            self.assertEqual(row["random"], frozen[key]["random"], key)
            self.assertGreaterEqual(row["optimal"], frozen[key]["optimal"], key)

    def test_a_frozen_baseline_is_not_overwritten(self):
        copied = shutil.copy(os.path.join(ROOT, "evaluation", "baseline.json"), self.path("baseline.json"))
        what = ["baseline", "--tasks", "GoToGoal", "-d", "easy", "-o"]
        self.refuse([*what, copied], FOUND, "is baseline 1, which is frozen", "write another file")
        self.assertEqual(self.read(copied), self.read(os.path.join(ROOT, "evaluation", "baseline.json")))
        self.succeed(*what, self.path("mine.json"))
        self.succeed(*what, self.path("mine.json"))

    def test_frozen_baselines_have_numbers(self):
        built_in, one = self.result("expert", "-n", "1"), self.result("expert", "-n", "1", "--baseline", "1", name="one")
        self.assertEqual(self.load(built_in), self.load(one))
        self.assertRegex(self.succeed("eval", *FEW, "-n", "1"), rf"\nbaseline +1 \({FROZEN['baseline.json'][:12]}\), by which returns are normalised\n")
        for number in ("0", "2", "18446744073709551615"):
            self.refuse(["eval", "GoToGoal/easy#0", "--baseline", number], USAGE, f"no baseline {number}", f"./{number}")

    def test_reports_name_results_with_another_baseline(self):
        baseline = self.path("baseline.json")
        self.succeed("baseline", *FEW, "-o", baseline)
        with open(baseline, "rb") as file:
            label = f"a file's ({hashlib.sha256(file.read()).hexdigest()[:12]})"
        own, built_in = self.result("expert", "-n", "1", "--baseline", baseline, name="own"), self.result("expert", "-n", "1")
        frozen = f"1 ({FROZEN['baseline.json'][:12]})"
        for form in ([], ["--markdown"], ["--json"], ["--html", "-"]):
            with self.subTest(form=form):
                said = self.succeed("report", built_in, *form).replace("\\", "").replace("&#39;", "'")
                self.assertIn(f"normalised with baseline {frozen}", said)
                self.assertNotIn("not all results were made with", said)
                said = self.succeed("report", built_in, own, *form).replace("\\", "").replace("&#39;", "'")
                self.assertIn(f"not all results were made with baseline {frozen}", said)
                self.assertIn(label, said)
                self.assertIn(f"unverified: normalised with {label}, which is not built in", said)
        said = self.succeed("report", own, "--baseline", baseline)
        self.assertIn(f"normalised with baseline {label}", said)
        self.assertNotIn("not all results were made with", said)
        self.assertIn("otherwise in order", said)
        self.refuse(["verify", own], FOUND, "unverified", "--baseline")
        self.assertIn(f"normalised with baseline {label}", self.succeed("verify", own, "--baseline", baseline))
        document = self.load(own)
        document["families"][0]["scores"]["capability"]["score"] = 0.5
        self.refuse(["verify", self.write("bad.json", document), "--baseline", baseline], FOUND, "wrong", "`capability`")

    def test_the_baseline_that_a_result_names_is_checked(self):
        document = self.load(self.result("expert", "-n", "1"))
        self.assertEqual(document["baseline"]["version"], 1)
        for baseline, words in (({"version": 2, "sha256": "0" * 64}, "unverified: baseline 2 is newer"),
                                ({"version": 1, "sha256": "0" * 64}, "wrong: the hash that the result states is not that of baseline 1"),
                                ({"sha256": "0" * 64}, "unverified: normalised with a file's (000000000000)"),
                                ({}, "wrong"), (7, "wrong")):
            with self.subTest(baseline=baseline):
                bad = self.write("bad.json", {**document, "baseline": baseline})
                self.refuse(["verify", bad], FOUND, words)
                self.assertIn(words, self.succeed("report", bad))

    def test_babyai_has_normalised_scores(self):
        def score_of(agent, kind):
            said = self.succeed("eval", "--family", "babyai", "--seeds", "0,1", "--agent", agent, "--json")
            return json.loads(said)["families"][0]["scores"][kind]["score"]
        for kind in ("capability", "ons_pairs"):
            self.assertGreater(score_of("expert", kind), 0.9)
            self.assertLess(score_of("random", kind), 0.2)

    def test_a_pack_is_played_and_a_false_one_refused(self):
        pack = self.path("pack.json")
        self.succeed("seeds", "--split", "mine", *FEW, "-n", "3", "-o", pack)
        document = self.load(self.result("expert", "--pack", pack, what=[]))
        self.assertEqual(document["selection"]["pack"], self.load(pack))
        self.assertEqual(len(document["episodes"]), 24)
        self.refuse(["eval", "--pack", pack, "--tasks", "GoToGoal"], USAGE, "either --pack")
        with open(pack, encoding="utf-8") as file:
            text = file.read()
        first = str(self.load(pack)["lists"][0]["seeds"][0])
        self.refuse(["eval", "--pack", self.write("bad.json", text.replace(first, "7", 1))], FOUND, "bad.json")

    def test_tapes_are_replayed_and_wrong_ones_lose_their_episodes(self):
        tapes = self.path("tapes.jsonl")
        self.succeed("solve", "--tasks", "GoToGoal", "-d", "easy", "-n", "3", "-q", "-o", tapes)
        what = ["--tasks", "GoToGoal", "-d", "easy"]
        document = self.load(self.result("tape:" + tapes, "-n", "3", what=what, name="tapes"))
        self.assertEqual([e["success"] for e in document["episodes"]], [True] * 3)
        self.assertEqual([e["digest"] for e in document["episodes"]],
                         [e["digest"] for e in self.load(self.result("expert", "-n", "3", what=what))["episodes"]])
        with open(tapes, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        lines[1]["return"] = 5.0
        liar = self.write("liar.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        done = run("eval", *what, "-n", "4", "--agent", "tape:" + liar, "-o", self.path("liar.json"))
        self.assertEqual(done.returncode, FOUND)
        errors = [e.get("error", {}) for e in self.load(self.path("liar.json"))["episodes"]]
        self.assertEqual([error.get("kind") for error in errors], [None, "tape", None, "tape"])
        self.assertIn("return", errors[1]["text"])
        self.assertIn("no tape", errors[3]["text"])
        self.refuse(["eval", *what, "--agent", "tape:" + self.write("twice", (json.dumps(lines[0]) + "\n") * 2)], USAGE,
                    "two tapes of GoToGoal-v0/easy#")
        self.refuse(["eval", *what, "--agent", "tape:" + self.path("none")], FOUND, "none")

    def test_tapes_with_labels_play_again(self):
        what, noisy = ["--tasks", "GoToGoal", "-d", "easy"], self.path("noisy")
        self.succeed("build", *what, "-n", "5", "--evaluation", "keep", "--epsilon", "0.5", "-q", "-o", noisy)
        with gzip.open(os.path.join(noisy, "tapes-00000-of-00001.jsonl.gz"), "rt", encoding="utf-8") as file:
            tapes = file.read()
        self.assertIn('"labels"', tapes)
        path = self.result("tape:" + self.write("labelled.jsonl", tapes), "-n", "5", what=what, name="labelled")
        self.assertEqual([e.get("error") for e in self.load(path)["episodes"]], [None] * 5)
        self.succeed("verify", path)

    def solvable_of(self, *arguments):
        return json.loads(self.succeed("eval", *arguments, "--json"))["families"][0]["all"].get("solvable")

    def test_official_episodes_are_known_to_be_solvable_or_not(self):
        what = ["--tasks", "SwitchCircuit", "-d", "easy,medium"]
        with gzip.open(OFFICIAL, "rt", encoding="utf-8") as file:
            said = [json.loads(line) for line in file]
        verdicts = {line["episode"]: line["verdict"] for line in said if "episode" in line}
        document = self.load(self.result("expert", what=what))
        for episode in document["episodes"]:
            self.assertEqual(episode["certificate"], verdicts[episode["episode"]])
        n_impossible = sum(episode["certificate"] == "impossible" for episode in document["episodes"])
        self.assertGreater(n_impossible, 0)
        self.assertEqual(document["families"][0]["all"]["solvable"],
                         {"episodes": 50 - n_impossible, "successes": 50 - n_impossible, "success_rate": 1.0,
                          "impossible": n_impossible, "uncertified": 0})
        table = self.succeed("eval", *what)
        self.assertRegex(table, rf"\nsolvable +1\.0000 +\({50 - n_impossible} of {50 - n_impossible} that can be won; "
                                rf"{n_impossible} cannot, 0 unknown\)\n")
        self.assertRegex(table, r"\nSwitchCircuit-v0 easy +25 +0\.\d+ +1\.000 ")
        self.assertRegex(self.succeed("report", self.path("expert.json"), "--published", "none"),
                         r"success of solvable\n  expert .* 1\.000\n")

    def test_a_file_of_certificates_covers_other_episodes(self):
        what = ["--tasks", "SwitchCircuit", "-d", "easy", "--split", "mine", "-n", "9"]
        self.assertIsNone(self.solvable_of(*what))
        certificates = self.path("c.jsonl.gz")
        run("certify", *what[:-1], "8", "--budget", "1000", "-o", certificates, "-q")
        with gzip.open(certificates, "rt", encoding="utf-8") as file:
            lines = file.read().splitlines()
        counts = json.loads(lines[-1])
        self.assertEqual(self.solvable_of(*what, "--certificates", certificates),
                         {"episodes": counts["solved"], "successes": counts["solved"], "success_rate": 1.0,
                          "impossible": counts["impossible"], "uncertified": counts["unknown"] + 1})
        impossible = "SwitchCircuit-v0/easy#1449570485"
        solved = run("certify", impossible.replace("1449570485", "1"), "--json").stdout.replace("easy#1\"", impossible[17:] + '"')
        for text, code, words in (
                ('{"episode": "x", "verdict": "solved"}', USAGE, "bad, line 1"),
                ('{"something": "else"}', USAGE, "holds no certificates"),
                ("\n".join(lines).replace("agentick 1", "agentick 9"), FOUND, "bad, line 2: SwitchCircuit-v0: the certificates were made under the rules `agentick 9`"),
                (solved, FOUND, f"bad, line 1: {impossible} is certified solved, but another")):
            with self.subTest(words):
                self.refuse(["eval", impossible, "--certificates", self.write("bad", text)], code, words)

    def test_a_dash_is_standard_output(self):
        path = self.result("expert", "-n", "1")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(self.succeed("eval", *FEW, "-n", "1", "-o", "-"), file.read())
        self.succeed("report", path, "--html", self.path("r.html"), "-q")
        with open(self.path("r.html"), encoding="utf-8") as file:
            self.assertEqual(self.succeed("report", path, "--html", "-"), file.read())

    def test_output_files_that_cannot_be_written_are_refused_at_once(self):
        long = ["eval", "--split", "train", "--count", "2000"]
        self.refuse([*long, "-o", self.path("none/result.json")], FOUND, "none/result.json")
        self.refuse([*long, "--baseline", self.path("none.json")], FOUND, "none.json")
        self.refuse([*long, "--certificates", self.path("none.json")], FOUND, "none.json")
        self.refuse([*long, "--baseline", self.write("bad.json", {"format": "seedbed-result"})], USAGE, "bad.json")

    def test_verify_replays_results(self):
        path = self.result("expert", "-n", "2")
        self.assertIn("result of 16 episodes played by expert", self.succeed("verify", path))
        good = self.load(path)
        for alter, words in ((lambda e: e.update({"return": 9.0}), ["return"]), (lambda e: e.update(success=False), ["success"]),
                             (lambda e: e.update(digest="0" * 16), ["digest"]), (lambda e: e.update(steps=1), ["steps"]),
                             (lambda e: e.update(actions="1 x"), ["actions", "character 3"]), (lambda e: e.pop("digest"), ["digest"]),
                             (lambda e: e.update(actions="1*99999999999"), ["actions"]), (lambda e: e.update(more=1), ["more"])):
            bad = json.loads(json.dumps(good))
            alter(bad["episodes"][1])
            with self.subTest(words=words):
                self.refuse(["verify", self.write("bad.json", bad)], FOUND, "bad.json", *words)
                os.unlink(self.path("bad.json"))
        bad = json.loads(json.dumps(good))
        bad["families"][0]["rules"] = "agentick 0"
        self.refuse(["verify", self.write("bad.json", bad)], FOUND, "agentick 0")
        bad["families"] = []
        self.refuse(["verify", self.write("bad.json", bad)], FOUND, "lacks the family agentick")

    def test_one_episode_is_not_one_episodes(self):
        self.assertIn("result of 1 episode played by expert: all that were selected (1 episode named one by one)",
                      self.succeed("verify", self.result("expert", what=["GoToGoal/easy#1"])))

    def test_a_result_in_another_layout_is_a_result(self):
        good = self.load(self.result("expert", "-n", "1"))
        for name, layout in (("indented", {"indent": 2}), ("tight", {"separators": (",", ":")})):
            with self.subTest(layout=name):
                path = self.write(f"{name}.json", json.dumps(good, **layout))
                self.assertIn("result of 8 episodes played by expert", self.succeed("verify", path))
                self.assertEqual(len(self.succeed("replay", path, "--json").splitlines()), sum(e["steps"] + 1 for e in good["episodes"]))
                self.refuse(["build", path, "--dry-run"], USAGE, "is no recipe", f"`tapes:{path}`")
        later = self.write("later.json", json.dumps(dict(reversed(good.items()))))
        self.refuse(["verify", later], FOUND, "`seedbed-result`", "begins like no other file of this program")


class Picked(Case):
    """Forged results, in which every episode replays. Their sums are right, because `eval` makes them from a selection that
    names just the episodes that the forger wants; then the honest selection replaces that one."""

    def setUp(self):
        super().setUp()
        self.what = ["--tasks", "TagHunt,SwitchCircuit", "-d", "easy", "--split", "mine", "-n", "12"]
        self.succeed("seeds", *self.what, "-o", self.path("pack.json"))
        self.tapes = self.path("tapes.jsonl")
        run("solve", *self.what, "--agent", "random", "-q", "-o", self.tapes)
        self.honest = [self.result("random", what=self.what), self.result("random", "--pack", self.path("pack.json"), what=[], name="packed")]

    def resummed(self, document, names):
        """Returns the document with these episodes and the sums over them, of which each counts once: `eval` plays none twice."""
        path, once = self.path("resummed.json"), list(dict.fromkeys(names))
        self.succeed("eval", *once, "--agent", "tape:" + self.tapes, "-q", "-o", path)
        made = self.load(path)
        os.unlink(path)
        played = dict(zip(once, made["episodes"], strict=True))
        return {**document, "families": made["families"], "episodes": [played[name] for name in names]}

    def assert_found(self, document, *words, forms=([],)):
        """Checks that `verify` finds the forgery, and so does a report, which replays only if it is asked to."""
        forged = self.write("forged.json", document)
        self.refuse(["verify", forged], FOUND, "forged.json", *words)
        for form in forms:
            said = self.succeed("report", forged, "--published", "none", *form).replace("\\", "").replace("&#39;", "'")
            for word in [*words, "not replayed"]:
                self.assertIn(word, said, form)
        replayed = run("report", forged, "--verify")
        self.assertEqual((replayed.returncode, replayed.stderr), (FOUND, ""))
        self.assertNotIn("not replayed", replayed.stdout)

    def forgeries(self, document):
        names = [episode["episode"] for episode in document["episodes"]]
        won = [episode["episode"] for episode in document["episodes"] if episode["success"]]
        lost = [name for name in names if name not in won]
        self.assertGreater(min(len(won), len(lost)), 1)
        first_lost, n = names.index(lost[0]), len(names)
        self.assertLess(first_lost, names.index(won[-1]))
        yield "a success repeated", names + won[:1], [f"wrong: {won[0]} was played more often than selected"]
        yield "a success beside itself", won[:1] + names, [f"wrong: {won[0]} was played more often than selected"]
        yield "a success for a loss", [won[0] if name == lost[0] else name for name in names], ["more often than selected"]
        yield "a loss dropped", names[:first_lost] + names[first_lost + 1:], [f"wrong: 1 of {n} selected", f"first is {lost[0]}"]
        yield "all losses dropped", won, [f"wrong: {len(lost)} of {n} selected episodes are missing"]
        yield "turned", names[::-1], ["wrong: the episodes are not in the order of the selection", f"{names[0]} is number 1"]
        yield "two exchanged", names[:-2] + [names[-1], names[-2]], [f"not in the order of the selection, where {names[-2]} is number {n - 1}"]
        yield "cut off", names[:-3], [f"incomplete: {n - 3} of {n} episodes; the first missing one is {names[-3]}"]

    def test_honest_results_are_verified(self):
        for path in self.honest:
            self.assertIn("all that were selected", self.succeed("verify", path))
            self.assertIn("not replayed, otherwise in order", self.succeed("report", path))
            self.assertRegex(self.succeed("report", path, "--verify"), r"  verified\n")
            document = self.load(path)
            names = [episode["episode"] for episode in document["episodes"]]
            self.assertEqual(self.resummed(document, names), document, "forging nothing gives the honest result")

    def test_episodes_have_to_be_those_selected_each_once_and_in_order(self):
        for path in self.honest:
            document = self.load(path)
            for what, names, words in self.forgeries(document):
                with self.subTest(what, path=os.path.basename(path)):
                    self.assert_found(self.resummed(document, names), *words, forms=([], ["--markdown"], ["--json"], ["--html", "-"]))

    def test_an_episode_of_another_selection_is_found(self):
        document = self.load(self.honest[0])
        other = "TagHunt-v0/easy#0"
        with open(self.tapes, "a", encoding="utf-8") as file:
            file.write(run("solve", other, "--agent", "random", "--json").stdout)
        names = [episode["episode"] for episode in document["episodes"]]
        self.assert_found(self.resummed(document, names[:-1] + [other]), f"wrong: {other} was not selected")

    def test_a_selection_names_an_episode_once(self):
        done = run("eval", "GoToGoal/easy#1", "GoToGoal/easy#2", "GoToGoal/easy#1", "--agent", "expert", "-q")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("GoToGoal-v0/easy#1 is selected twice", done.stderr)

    def test_episodes_named_one_by_one_are_in_their_order(self):
        path = self.result("expert", what=["GoToGoal/easy#1", "GoToGoal/easy#3", "GoToGoal/easy#2"])
        self.assertIn("(3 episodes named one by one)", self.succeed("verify", path))
        document = self.load(path)
        document["episodes"][1], document["episodes"][2] = document["episodes"][2], document["episodes"][1]
        self.assert_found(document, "not in the order of the selection")

    def test_a_changed_selection_is_refused_or_shown(self):
        document = self.load(self.honest[0])
        names = [episode["episode"] for episode in document["episodes"]]
        for selection, words in (({"count": 11}, "was not selected"), ({"count": 13}, "wrong: 2 of 26 selected episodes are missing"),
                                 ({"split": "other"}, "was not selected"), ({"tasks": "TagHunt"}, "was not selected"),
                                 ({"tasks": "TagHunt,SwitchCircuit,GoToGoal"}, "are missing"),
                                 ({"count": 4000000000}, "unverified: selection: split mine: more than"), ({"split": None}, "unverified: selection"),
                                 ({"seeds": "0..18446744073709551614"}, "unverified: selection"), ({"tsaks": "TagHunt"}, "unverified: selection")):
            with self.subTest(selection=selection):
                self.assert_found({**document, "selection": {**document["selection"], **selection}}, words)
        self.assert_found({**document, "selection": {}}, "unverified: selection: the selection is empty")
        self.assert_found({**document, "selection": 7}, "unverified")
        # A result of the first episodes only, whose selection says so, is an honest result, and shows which episodes it has.
        few = self.resummed(document, names[:3] + names[12:15])
        few["selection"]["count"] = 3
        path = self.write("few.json", few)
        self.assertIn("split mine, 3 of each", self.succeed("verify", path))
        self.assertIn("split mine, 3 of each", self.succeed("report", path))
        picked = self.resummed(document, names[:3])
        picked["selection"] = {"names": names[:3]}
        path = self.write("few.json", picked)
        self.assertIn("3 episodes named one by one", self.succeed("verify", path))
        self.assertIn("3 episodes named one by one", self.succeed("report", path))

    def test_a_changed_pack_is_refused_or_shown(self):
        document = self.load(self.honest[1])
        pack = self.path("pack.json")
        self.succeed("verify", self.honest[1], "--pack", pack)
        lost = next(i for i, episode in enumerate(document["episodes"][:12]) if not episode["success"])
        names = [episode["episode"] for episode in document["episodes"]]
        forged = self.resummed(document, names[:lost] + names[lost + 1:])
        one = forged["selection"]["pack"]["lists"][0]
        del one["seeds"][lost]
        one["count"] -= 1
        self.assert_found(forged, "wrong: selection: key `pack`", "the hash should be")
        one["hash"] = hashlib.sha256(json.dumps(one["seeds"]).encode()).hexdigest()
        whole = run("verify", self.write("forged.json", forged)).stderr
        forged["selection"]["pack"]["hash"] = re.search(r"the hash should be (\w{64})", whole).group(1)
        path = self.write("forged.json", forged)
        self.assertIn(f"pack mine ({forged['selection']['pack']['hash'][:12]})", self.succeed("verify", path))
        self.refuse(["verify", path, "--pack", pack], FOUND, "wrong: selection: key `pack`", "--pack names " + self.load(pack)["hash"][:12])
        self.refuse(["verify", self.honest[0], "--pack", pack], FOUND, "the selection is no pack")
        self.refuse(["verify", pack, "--pack", pack], USAGE, "are for results")

    def test_official_certificates_have_to_be_the_built_in_ones(self):
        honest = self.load(self.result("random", what=["--tasks", "SwitchCircuit", "-d", "easy", "-n", "12"], name="official"))
        index = {word: [i for i, e in enumerate(honest["episodes"]) if e["certificate"] == word] for word in ("solved", "impossible")}
        lost = next(i for i in index["solved"] if not honest["episodes"][i]["success"])

        def resum(document):
            """Recomputes, as a forger would, everything about solvable episodes, for the only task, category and difficulty."""
            words = [episode.get("certificate") for episode in document["episodes"]]
            won = sum(e["success"] and e.get("certificate") == "solved" for e in document["episodes"])
            family = document["families"][0]
            for tally in (family["all"], *family["categories"], *family["difficulties"], *family["tasks"]):
                tally["solvable"].update(episodes=words.count("solved"), successes=won, success_rate=won / words.count("solved"),
                                         impossible=words.count("impossible"), uncertified=words.count(None))
            return document
        self.assertEqual(resum(copy.deepcopy(honest)), honest)
        for at, certificate, said in ((lost, "impossible", "impossible"), (lost, None, "unknown"), (lost, "unknown", "unknown"),
                                      (index["impossible"][0], "solved", "solved"), (index["impossible"][0], None, "unknown")):
            forged = copy.deepcopy(honest)
            if certificate in (None, "unknown"):
                del forged["episodes"][at]["certificate"]
            else:
                forged["episodes"][at]["certificate"] = certificate
            resum(forged)
            if certificate == "unknown":
                forged["episodes"][at]["certificate"] = certificate
            with self.subTest(at=at, certificate=certificate):
                self.assert_found(forged, f"wrong: {honest['episodes'][at]['episode']}: its certificate says `{said}`, but should say")

    def test_certificates_of_other_episodes_need_their_file(self):
        what = ["--tasks", "SwitchCircuit", "-d", "easy", "--split", "mine", "-n", "9"]
        certificates = self.path("c.jsonl.gz")
        run("certify", *what[:-1], "8", "--budget", "1000", "-o", certificates, "-q")
        path = self.result("expert", "--certificates", certificates, what=what, name="certified")
        document = self.load(path)
        told = [episode for episode in document["episodes"] if "certificate" in episode]
        self.assert_found(document, f"unverified: certificates of {len(told)} episodes are not among the built-in ones")
        self.succeed("verify", path, "--certificates", certificates)
        self.refuse(["verify", path, "--certificates", self.path("none")], FOUND, "none")
        plain = self.result("expert", what=what, name="plain")
        self.succeed("verify", plain, "--certificates", certificates)
        told[0]["certificate"] = {"solved": "impossible", "impossible": "solved"}[told[0]["certificate"]]
        forged = self.write("forged.json", document)
        self.refuse(["verify", forged, "--certificates", certificates], FOUND, f"wrong: {told[0]['episode']}: its certificate says")
        won = next(episode for episode in document["episodes"] if episode["success"])
        won["certificate"] = "impossible"
        self.assert_found(document, f"wrong: {won['episode']}: its certificate says `impossible`, but should say `solved`")

    def test_a_replay_finds_a_changed_return_even_if_the_sums_fit(self):
        document = self.load(self.result("expert", what=["TagHunt/easy#0"], name="one"))
        family, (episode,) = document["families"][0], document["episodes"]
        self.assertGreater(episode["return"], 0)
        altered = episode["return"] = episode["return"] + 1
        forged = self.write("forged.json", document)
        self.assertIn("`mean_return`: ", self.succeed("report", forged))
        for tally in (family["all"], *family["categories"], *family["difficulties"], *family["tasks"]):
            tally["mean_return"] = altered
        forged = self.write("forged.json", document)
        self.assertIn("not replayed, otherwise in order", self.succeed("report", forged))
        self.refuse(["verify", forged], FOUND, "wrong: ", "return")
        replayed = run("report", forged, "--verify")
        self.assertEqual(replayed.returncode, FOUND)
        self.assertRegex(replayed.stdout, r"wrong: .*return")

    def test_only_agents_that_can_lose_an_episode_have_errors(self):
        path = self.path("errors.json")
        what = ["--tasks", "TagHunt", "-d", "easy", "-n", "1"]
        run("eval", *what, "--agent", "tape:" + self.tapes, "-q", "-o", path)
        document = self.load(path)
        self.assertEqual(document["episodes"][0]["error"]["kind"], "tape")
        self.succeed("verify", path)
        document["agent"] = {"name": "expert", "kind": "oracle", "spec": "expert"}
        self.assert_found(document, "which agents of the kind `oracle` never make")

    def test_results_of_python_functions_are_read_and_verified_as_those_of_programs(self):
        """The command makes no such results, so the test puts a function's name on results of programs and tapes."""
        what = ["--tasks", "GoToGoal", "-d", "easy", "-n", "4"]
        program = f"exec:{sys.executable} " + os.path.join(ROOT, "examples", "agents", "greedy.py")
        for kind, arguments in (("exec", ["--agent", program, "--max-steps", "2"]), ("tape", ["--agent", "tape:" + self.tapes])):
            path = self.path(kind + ".json")
            run("eval", *what, *arguments, "-q", "-o", path)
            document = self.load(path)
            self.assertEqual(document["agent"]["kind"], kind)
            self.assertIn("error", document["episodes"][-1])
            looks = (["verify", path], ["report", path, "--verify"], ["report", path, "--json", "--verify"], ["report", path, "--html", "-"])
            honest = [run(*look) for look in looks]
            document["agent"] = {"name": document["agent"]["name"], "kind": "python", "spec": "policy"}
            self.write(kind + ".json", document)
            for look, before in zip(looks, honest):
                after = run(*look)
                self.assertEqual((after.returncode, after.stdout, after.stderr), (0, before.stdout, before.stderr))
        episode = document["episodes"][0]
        episode["digest"] = "0" * len(episode["digest"])
        self.refuse(["verify", self.write("forged.json", document)], FOUND, "wrong: ")

    def test_nothing_starts_a_python_function(self):
        for agent in ("python", "python:policy", "python:"):
            with self.subTest(agent=agent):
                recipe = self.write("recipe.json", {"tasks": "GoToGoal", "seeds": "0", "agent": agent})
                self.refuse(["eval", "GoToGoal/easy#0", "--agent", agent], USAGE, f"`{agent}`")
                self.refuse(["solve", "GoToGoal/easy#0", "--agent", agent], USAGE, f"`{agent}`")
                self.refuse(["build", recipe, "-o", self.path("dataset")], USAGE, f"`{agent}`")

    def test_every_sum_is_compared(self):
        document = self.load(self.result("random", what=["--tasks", "SwitchCircuit", "-d", "easy", "-n", "4"], name="small"))
        paths = []

        def walk(item, path):
            inside = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
            for key, value in inside:
                walk(value, [*path, key])
                paths.append([*path, key])
        walk(document["families"], [])
        self.assertGreater(len(paths), 100)
        if not NIGHTLY:
            paths = random.Random(1).sample(paths, 12 if os.environ.get("SEEDBED_SLOW") else 20)
        other = {float: lambda v: v + 2.0 ** -40, int: lambda v: v + 1, str: lambda v: v + " ", type(None): lambda v: 1.0,
                 list: lambda v: v + [1.0], dict: lambda v: {**v, "more": 1}}
        for *path, key in paths:
            for remove in (False, True):
                forged = copy.deepcopy(document)
                place = forged["families"]
                for step in path:
                    place = place[step]
                if remove:
                    del place[key]
                else:
                    place[key] = other[type(place[key])](place[key])
                done = run("report", self.write("forged.json", forged), "--json")
                if done.returncode == 0:
                    self.assertIn("wrong: families", done.stdout, (path, key, remove))
                else:
                    self.assertIn(key, ("name", "rules", 0), "reading may fail only for these keys")

    def test_duplicate_keys_are_refused(self):
        with open(self.honest[0], encoding="utf-8") as file:
            text = file.read()
        for old, new in (('"families": [', '"families": [], "families": ['), ('"selection": {', '"selection": {}, "selection": {'),
                         ('"all": {', '"all": {"episodes": 1}, "all": {'), ('"mean_return": ', '"mean_return": 1.0, "mean_return": '),
                         ('"tasks": "', '"tasks": "GoToGoal", "tasks": "')):
            with self.subTest(new):
                self.assertIn(old, text)
                self.refuse(["verify", self.write("forged.json", text.replace(old, new, 1))], FOUND, "forged.json")

    def test_results_of_version_1_are_read_and_need_their_pack(self):
        old, of_pack = (os.path.join(ROOT, "tests", "golden", name) for name in ("result-1.json", "result-1-pack.json"))
        self.assertIn("result of 4 episodes", self.succeed("verify", old))
        words = "results of version 1 hold only a pack's hash"
        self.refuse(["verify", of_pack], FOUND, "unverified", words)
        self.assertIn(words, self.succeed("report", of_pack))
        pack = self.path("old.json")
        self.succeed("seeds", "--split", "mine", "--tasks", "GoToGoal", "-d", "easy", "-n", "3", "-o", pack)
        self.assertIn("result of 3 episodes", self.succeed("verify", of_pack, "--pack", pack))
        self.refuse(["verify", of_pack, "--pack", self.path("pack.json")], FOUND, "--pack names")
        document = self.load(of_pack)
        del document["episodes"][0]
        self.refuse(["verify", self.write("forged.json", document), "--pack", pack], FOUND, "wrong: 1 of 3")

    def test_results_of_version_2_keep_their_intervals_and_words(self):
        old = os.path.join(ROOT, "tests", "golden", "result-2.json.gz")
        self.assertIn("result of 107 episodes", self.succeed("verify", old))
        with gzip.open(old, "rt", encoding="utf-8") as file:
            document = json.load(file)
        never, often = (family["tasks"][0] for family in document["families"])
        self.assertEqual((never["successes"], never["mean_steps_of_successes"]), (0, 0), "not known, and said to be 0")
        self.assertRegex(self.succeed("report", old, "--family", "agentick"), r"leaderboard of random: 148 of 148 pairs of task and difficulty have not been played on")
        self.refuse(["verify", self.write("claimed.json", {**document, "version": 3})], FOUND, "wrong: families")
        fresh = self.load(self.result("random", what=[episode["episode"] for episode in document["episodes"]]))
        self.assertEqual(fresh["episodes"], document["episodes"])
        never_now, often_now = (family["tasks"][0] for family in fresh["families"])
        self.assertIsNone(never_now["mean_steps_of_successes"])
        self.assertEqual((often["episodes"], often["normalised"]), (105, often_now["normalised"]))
        self.assertNotEqual(often["normalised_interval"], often_now["normalised_interval"])
        for before, now in zip(often["normalised_interval"], often_now["normalised_interval"]):
            self.assertAlmostEqual(before, now, delta=0.02)
        self.refuse(["verify", self.write("claimed.json", {**fresh, "version": 2})], FOUND, "wrong: families")

    def test_texts_of_a_selection_are_escaped_in_pages(self):
        document = self.load(self.honest[0])
        document["selection"]["tasks"] = EVIL + "\u202e\u2028" + "x" * 500
        bad = self.write("evil.json", document)
        for form in ([], ["--markdown"], ["--html", "-"]):
            said = self.succeed("report", bad, *form)
            self.assertNotRegex(said, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
            if form:
                self.assertNotRegex(said, r"(?<!\\)<script>alert")
        json.loads(self.succeed("report", bad, "--json"))


class Unknown(Case):
    """What is not known is not shown as 0, and what was seen in few episodes not as certain."""

    NEVER = ["--tasks", "ChaseEvade", "-d", "easy"]

    def test_steps_to_a_success_that_never_came(self):
        path = self.result("random", what=self.NEVER)
        tally = self.load(path)["families"][0]["all"]
        self.assertEqual((tally["episodes"], tally["successes"], tally["mean_steps_of_successes"]), (25, 0, None))
        self.assertRegex(self.succeed("eval", *self.NEVER, "--agent", "random"), r"\nChaseEvade-v0 easy +25 .* -\n")
        self.assertNotRegex(self.succeed("eval", *self.NEVER), r"\nChaseEvade-v0 easy +25 .* -\n")

    def test_none_of_25_has_an_interval(self):
        path = self.result("random", what=self.NEVER)
        tally = self.load(path)["families"][0]["all"]
        self.assertEqual(tally["success_interval"], [0, 0])
        self.assertEqual([round(bound, 4) for bound in tally["success_wilson"]], [0, 0.1332])
        said = self.succeed("report", path)
        self.assertRegex(said, r"\n  random +25 +0 +0\.000 \(0\.000\.\.0\.133\) ")
        self.assertIn("of success Wilson's, all others by bootstrap", said)
        page = self.succeed("report", path, "--html", "-")
        self.assertIn("with Wilson&#39;s 95 % intervals".replace("&#39;", "'"), page)
        shown = self.succeed("eval", *self.NEVER, "--agent", "random")
        self.assertIn("success 0.000..0.133", shown)
        self.assertIn("\nintervals    a..b, 95 %; of success Wilson's, all others by bootstrap\n", shown)

    def test_every_column_of_an_evaluation_is_said_in_words(self):
        said = [self.succeed("eval", "--tasks", "GoToGoal", "-d", "easy", *more, "-n", "2", "-q") for more in ([], ["--split", "mine"])]
        for shown, solvable in zip(said, (" solvable: the same, of those that can be won;", "")):
            self.assertEqual(" solvable " in shown.splitlines()[1], bool(solvable), "episodes of other splits have no certificates")
            self.assertIn(f"\ncolumns      success: share of episodes won;{solvable} mean return: sum of sparse rewards\n", shown)

    def test_attempts_at_an_episode_are_one_trial(self):
        agent = f"exec:{sys.executable} {ROOT}/examples/agents/greedy.py"
        self.succeed("eval", "GoToGoal/easy#1", "GoToGoal/easy#2", "--agent", agent, "--attempts", "3", "-q", "-o", self.path("r.json"))
        tally = self.load(self.path("r.json"))["families"][0]["all"]
        self.assertEqual((tally["episodes"], tally["successes"]), (6, 6))
        self.assertEqual([round(bound, 4) for bound in tally["success_wilson"]], [0.3424, 1], "of two trials")

    def test_a_result_is_no_repetition_of_itself(self):
        path = self.result("random")
        os.symlink(path, self.path("link.json"))
        self.refuse(["report", path, path], USAGE, "named twice")
        self.refuse(["report", path, self.path("link.json")], USAGE, "link.json is named twice, and would count as two runs")

    def test_long_names_are_kept_whole_or_refused(self):
        """Two that are cut might be one."""
        names = [f"meta-llama/Llama-3.3-70B-Instruct-finetuned-on-seedbed-tasks-checkpoint-with-preset-markovian-{k}000" for k in (1, 2)]
        paths = [self.result("random", "--name", name, name=str(k)) for k, name in enumerate(names)]
        tables = {table["title"]: table["rows"] for table in json.loads(self.succeed("report", *paths, "--json"))}
        self.assertEqual([row[0] for row in tables["Scores"][1:]], names)
        self.assertNotIn("Repeated runs", tables)
        self.refuse(["eval", *FEW, "-a", "random", "--name", "n" * 200], USAGE, "--name is too long")

    def test_runs_that_are_all_alike_have_intervals(self):
        salts = [self.result(f"exec:{sys.executable} {ROOT}/examples/agents/greedy.py", "-n", "5", "--salt", digit * 32, what=["--tasks", "GoToGoal", "-d", "easy"], name=digit)
                 for digit in "12"]
        never = [self.result("random", "-n", "5", what=["--tasks", "GoToGoal", "-d", "easy"])]
        tables = {table["title"]: table["rows"] for table in json.loads(self.succeed("report", *salts, *never, "--json"))}
        self.assertEqual(tables["Repeated runs"][1][2:], ["all", "2", "5", "1.000", "1.000..1.000", "0.566..1.000"])
        self.assertEqual([row[-1] for row in tables["Differences by task"][1:] if row[1] == row[2]], [])

    def test_pairs_that_were_begun_are_told_from_those_that_were_not(self):
        missing = self.load(self.result("random", "-n", "5"))["families"][0]["scores"]["leaderboard"]["missing"]
        self.assertEqual(missing, "148 of 148 pairs of task and difficulty were not played on exactly their 25 official evaluation seeds: "
                                  "140 on none of them, 8 on some (at least 5 of 25), the first is GoToGoal-v0/easy")
        names = [e["episode"] for e in self.load(self.result("random", what=["--tasks", "GoToGoal", "-d", "easy"], name="whole"))["episodes"]]
        more = self.load(self.result("random", *names, "GoToGoal/easy#7", what=[], name="more"))
        self.assertIn("147 on none of them, 1 also on others, the first is GoToGoal-v0/easy", more["families"][0]["scores"]["leaderboard"]["missing"])


class Tables(Case):
    def test_published_tables_are_there_when_asked_for(self):
        path = self.result("random", "-n", "1")
        for form in ([], ["--markdown"], ["--json"]):
            said = self.succeed("report", path, *form)
            self.assertNotIn("Leaderboard", said)
            self.assertNotIn("Qwen", said)
            self.assertIn("Qwen", self.succeed("report", path, *form, "--published", "Qwen"))
            self.assertEqual("--published all" in said, form == [])
        self.assertNotIn("--published", self.succeed("report", path, "--published", "none"))
        self.assertIn("Qwen", self.succeed("report", path, "--html", "-"))

    def test_results_are_compared_with_published_agents(self):
        said = self.succeed("report", self.result("random"), self.result("expert"), "--published", "all")
        self.assertRegex(said, r"\n  random +200 +0 ")
        self.assertRegex(said, r"\n  GoToGoal-v0 +easy +\d\.\d{3} +\S+ +1\.000 +1\.000\n")
        self.assertIn("Qwen3.5-4B (SFT-250k)", said)
        self.assertIn("older release", said)
        self.assertIn("leaderboard of random, expert: 140 of 148 pairs", said)
        some = self.succeed("report", self.path("random.json"), "--published", "Oracle")
        self.assertIn("0.8957", some)
        self.assertNotIn("Qwen", some)
        self.assertNotIn("Oracle", self.succeed("report", self.path("random.json"), "--published", "none"))
        self.refuse(["report", self.path("random.json"), "--published", "Nobody"], USAGE, "Nobody")

    def test_markdown_and_json_hold_the_same(self):
        path = self.result("expert", "-n", "2")
        markdown = self.succeed("report", path, "--markdown", "--published", "none")
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in markdown.splitlines()
                if line.startswith("|") and "---" not in line]
        tables = json.loads(self.succeed("report", path, "--json", "--published", "none"))
        self.assertEqual([table["title"] for table in tables],
                         ["Scores", "Results", "Success by category and difficulty", "Success and mean return by task"])
        flat = [row for table in tables for row in table["rows"]]
        self.assertEqual([[cell.replace("\\", "") for cell in row] for row in rows], flat)

    COSTLY = '''import json, sys
for line in sys.stdin:
    op = json.loads(line)["op"]
    if op == "close":
        break
    answer = {"protocol": 1, "name": "costly", "modes": ["ascii"], "about": {"prompt": "Go to the goal. " * 12}} if op == "hello" else {}
    print(json.dumps({"action": 1, "cost": float(sys.argv[1])} if op in ("reset", "step") else answer), flush=True)
'''

    def test_charts_have_their_natural_size_and_round_ticks(self):
        script, what = self.write("costly.py", self.COSTLY), ["--tasks", "GoToGoal,TagHunt", "-d", "easy", "-n", "2"]
        for cost in ("0.000037", "0.0123", "4", "71000"):
            path = self.result(f"exec:{sys.executable} {script} {cost}", what=what, name=f"costly {cost}")
            page = self.succeed("report", path, "--html", "-", "--published", "none")
            for width, height, told in re.findall(r'<svg viewBox="0 0 (\d+) (\d+)" width="(\d+)"', page):
                self.assertEqual(width, told)
            self.assertEqual(page.count("<svg "), page.count(" width=\"420\" role") + page.count(" width=\"440\" role"))
            ticks = [float(text) for text in re.findall(r'class="soft tick"[^>]*>([^<]+)<', page)]
            self.assertEqual(ticks[0], 0)
            self.assertIn(len(ticks), range(3, 7))
            self.assertIn(f"{ticks[1]:e}"[0], "125", ticks)
            self.assertEqual(f"{ticks[1]:e}".split("e")[0].rstrip("0"), f"{ticks[1]:e}"[0] + ".", ticks)
            for i, tick in enumerate(ticks):
                self.assertAlmostEqual(tick / ticks[1], i, 4)
            spent = self.load(path)["families"][0]["all"]["cost"] / 4
            self.assertTrue(ticks[-2] < spent * 1.0001 and spent <= ticks[-1] * 1.0001, (ticks, spent))

    def test_agents_that_coincide_are_all_visible(self):
        script, what = self.write("costly.py", self.COSTLY), ["--tasks", "GoToGoal,TagHunt,SequenceMemory", "-d", "easy", "-n", "2"]
        paths = [self.result(f"exec:{sys.executable} {script} {cost}", what=what, name=str(i)) for i, cost in enumerate((1, 1, 1, 9))]
        page = self.succeed("report", *paths, "--html", "-", "--published", "none")
        radar, _, spent = re.findall(r"<svg .*?</svg>", page, re.S)
        self.assertEqual(re.findall(r'class="bar" stroke-width="(\d+)"', spent), ["12", "8", "4", "4"])
        self.assertEqual(re.findall(r'class="dot"[^>]* r="(\d+)"', spent), ["14", "10", "6", "6"])
        self.assertEqual(re.findall(r'class="edge" stroke-width="(\d+)"', radar), [str(width) for width in (14, 10, 6, 2) for _ in range(3)])

    def test_an_agent_has_no_point_in_a_category_that_it_did_not_play(self):
        paths = [self.result("expert", "-n", "1", what=["--tasks", tasks, "-d", "easy"], name=tasks) for tasks in ("GoToGoal,TagHunt,SequenceMemory", "GoToGoal")]
        radar = re.search(r"<svg .*?</svg>", self.succeed("report", *paths, "--html", "-", "--published", "none"), re.S).group()
        whole, part = re.findall(r'<g class="a\d">.*?</g>', radar, re.S)
        self.assertEqual([one.count('class="edge"') for one in (whole, part)], [3, 0])
        self.assertEqual([one.count('class="dot"') for one in (whole, part)], [3, 1])

    def test_names_are_escaped_in_pages(self):
        path = self.result("expert", "-n", "1", "--name", EVIL, name="evil")
        for form in ([], ["--markdown"]):
            said = self.succeed("report", path, *form)
            self.assertNotRegex(said, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        self.assertNotRegex(said, r"(?<!\\)<script>")
        self.assertIn(r"\<script\>", said)
        self.succeed("report", path, "--html", self.path("evil.html"), "-q")
        with open(self.path("evil.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("<script>alert", page)
        self.assertEqual(len(re.findall("<script", page)), 2)

    def test_results_of_one_name_are_told_apart_by_their_files(self):
        one, other = (self.result("expert", "-n", "1", name=name) for name in ("one", "other"))
        rows = json.loads(self.succeed("report", one, other, self.result("random", "-n", "1"), "--json"))[0]["rows"]
        self.assertEqual([row[0] for row in rows], ["agent", "expert (one.json)", "expert (other.json)", "random"])

    def test_long_names_and_files_of_one_name_are_told_apart(self):
        document = self.load(self.result("expert", "-n", "1"))
        document["agent"]["name"] = ", ".join(letter * 23 for letter in "apm")
        files = [self.write(f"{'+'.join(letter * 23 for letter in 'apms')}{more}.json", document) for more in ("+run1", "+run2")]
        os.mkdir(self.path("folder"))
        files.append(os.path.join(self.path("folder"), os.path.basename(files[0])))
        shutil.copy(files[0], files[2])
        for given in (files, files[:2]):
            names = [row[0] for row in json.loads(self.succeed("report", *given, "--json"))[0]["rows"][1:]]
            self.assertEqual(len(set(names)), len(given), names)
            for name in names:
                self.assertLess(len(name), 80)
                self.assertRegex(name, r"^a{23}, p+\.\.\..*m{23} \(")
        self.assertEqual([name.split("(")[1] for name in names], ["run1)", "run2)"])

    def test_results_of_different_episodes_are_compared_with_a_warning(self):
        some = self.result("expert", "-n", "2")
        document = self.load(some)
        document["episodes"].reverse()
        turned = self.write("turned.json", document)
        document["episodes"].pop()
        fewer = self.write("fewer.json", document)
        document["episodes"].append(document["episodes"][0])
        another = self.write("another.json", document)
        for other, differ in ((shutil.copy(some, self.path("copied.json")), False), (turned, False), (fewer, True), (another, True)):
            for form in ([], ["--markdown"], ["--json"], *([["--html", "-"]] if other in (turned, fewer) else [])):
                with self.subTest(other=other, form=form):
                    said = self.succeed("report", some, other, *form).replace("\\", "")
                    self.assertEqual("not all results are of the same episodes" in said, differ)

    def test_reports_say_what_they_leave_out(self):
        path = self.result("random", what=["GoToGoal/easy#0", "babyai:GoToObj#0"])
        for arguments, other in (([], "babyai"), (["--family", "babyai"], "agentick")):
            said = self.succeed("report", path, "--published", "none", *arguments)
            self.assertTrue(said.endswith(f"\nnot shown: episodes of {other} (--family {other})\n"), said)

    def test_many_results_fit_into_a_report(self):
        path = self.result("expert", "-n", "1")
        paths = [shutil.copy(path, self.path(f"copy{k}.json")) for k in range(30)]
        said = self.succeed("report", *paths, "--published", "none")
        self.assertRegex(said, r"\n  SwitchCircuit-v0 +medium( +\d\.\d{3}){60}\n")
        self.succeed("report", *paths[:8], "--html", self.path("many.html"))  # each result is played again

    def test_the_page_needs_no_network(self):
        path = self.result("expert", "-n", "1")
        self.assertEqual(self.succeed("report", path, "--html", self.path("r.html")), f"{self.path('r.html')}: 1 result\n")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertNotRegex(page, r"https?://|src=|@import|url\(|href=")
        self.assertIn("default-src 'none'", page)

    def page_data(self, *arguments, program=SEEDBED):
        page = self.succeed("report", *arguments, "--html", "-", program=program)
        return len(page), json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S).group(1))

    def test_pictures_make_the_page_little_larger(self):
        path = self.result("expert", "-n", "1")
        size, data = self.page_data(path)
        self.assertEqual(data["atlas"]["side"], 16)
        self.assertLess(len(json.dumps([e["pictures"] for e in data["episodes"]])) + len(data["atlas"]["png"]),
                        len(json.dumps([[e["texts"], e["lines"]] for e in data["episodes"]])))
        for episode in data["episodes"]:
            self.assertEqual(len({len(episode[key]) for key in ("pictures", "texts", "said")}), 1)

    def test_the_look_of_a_page_can_be_chosen(self):
        path = self.result("expert", "-n", "1", what=["--tasks", "GoToGoal", "-d", "easy"])
        data = self.page_data(path, "--look", "isometric", "--size", "96")[1]
        self.assertEqual({(e["width"], e["height"]) for e in data["episodes"]}, {(96, 96)})
        what = ["report", path, "--html", self.path("x.html"), "--look"]
        self.refuse([*what, "view"], USAGE, "looks of agentick: flat")
        self.refuse([*what, "flat", "--size", "96"], USAGE, "no option `size`")
        self.refuse(["report", path, "--look", "flat"], USAGE, "--html")
        climbed = self.result("expert", what=["--family", "climb", "-n", "1"], name="climb", program=TOY)
        data = self.page_data(climbed, program=TOY)[1]
        self.assertNotIn("atlas", data)
        self.assertNotIn("pictures", data["episodes"][0])

    def test_a_result_that_does_not_replay_makes_no_page(self):
        document = self.load(self.result("expert", "-n", "1"))
        document["episodes"][0]["return"] = 7.0
        self.refuse(["report", self.write("liar.json", document), "--html", self.path("r.html")], FOUND, "return")

    def test_other_families_have_reports_too(self):
        path = self.result("expert", what=["--family", "toy", "-n", "3"], name="toy", program=TOY)
        said = self.succeed("report", path, program=TOY)
        self.assertRegex(said, r"\n  sums +1\.000")
        self.assertNotIn("Qwen", said)
        self.succeed("report", path, "--html", self.path("toy.html"), program=TOY)
        self.refuse(["report", path], USAGE, "toy")

    def test_files_that_are_no_results_are_refused(self):
        self.refuse(["report"], USAGE, "name results")
        self.refuse(["report", self.path("none.json")], FOUND, "none.json")
        self.refuse(["report", self.folder], USAGE, "is a folder without an experiment")
        for text, words in (("{", "none.json"), ("[]", "none.json"), ('{"experiment": 1}', "an experiment, not a result"), ('{"format": "seedbed-pack"}', "seedbed-pack"),
                            ('{"format": "seedbed-result", "version": 4}', "version 4")):
            self.write("none.json", text)
            with self.subTest(text=text):
                done = run("report", self.path("none.json"))
                self.assertIn(done.returncode, (FOUND, USAGE))
                self.assertIn(words, done.stderr)


@unittest.skipUnless(CHROMIUM, "Chromium is not installed, so the page was not opened")
class Browser(Case):
    """Opens the page in headless Chromium: a script at its end inspects it and writes its findings into the document."""

    PROBE = """<script>
      const errors = [];
      addEventListener("error", event => errors.push(event.message));
      const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key}));
      const text = id => document.getElementById(id).textContent;
      const found = {first: text("frame"), start: text("said")};
      press("ArrowRight");
      found.second = text("said");
      document.getElementById("on").click();
      found.third = text("said");
      press("ArrowLeft");
      found.back = text("said");
      press("End");
      found.end = text("said");
      const picture = document.getElementById("picture"), hidden = id => document.getElementById(id).hidden;
      found.forms = [hidden("picture"), hidden("frame"), text("form")];
      document.getElementById("form").click();
      found.forms.push(hidden("picture"), hidden("frame"), text("form"));
      press("t");
      found.forms.push(hidden("picture"), hidden("frame"), text("form"));
      const agent = document.getElementById("agent");
      agent.value = agent.options[agent.options.length - 1].value;
      agent.dispatchEvent(new Event("change"));
      found.other = text("said");
      found.agents = [...agent.options].map(option => option.textContent);
      found.radar = document.querySelectorAll("svg polygon.area").length;
      found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      found.scripts = document.scripts.length;
      found.errors = errors;
      const finish = () => {
        if (!picture.getContext("2d").getImageData(3, 3, 1, 1).data[3]) return setTimeout(finish, 20); // the atlas is not ready
        press("End");
        found.pixels = [...picture.getContext("2d").getImageData(0, 0, picture.width, picture.height).data].filter((_, i) => i % 4 < 3);
        const probe = document.createElement("div");
        probe.id = "probe";
        probe.textContent = JSON.stringify(found);
        document.body.append(probe);
      };
      finish();
    </script>"""

    def film_of(self, episode, *options):
        """Returns the bytes of red, green and blue of a tape's frames, and how many frames there are."""
        tape = self.path("film.jsonl")
        self.succeed("solve", episode["episode"], "--agent", "expert", "-q", "-o", tape)
        done = subprocess.run([SEEDBED, "replay", tape, "--film", "-", *options], capture_output=True, timeout=900)
        return done.stdout, int(re.search(rb"film: (\d+) frames", done.stderr).group(1))

    def test_the_page_works(self):
        evil = self.result("expert", "-n", "2", "--name", EVIL, name="evil")
        self.succeed("report", self.result("random", "-n", "2"), evil, "--published", "PPO Dense (2M)", "--html",
                     self.path("r.html"), "-q")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.write("probed.html", page.replace("</body>", self.PROBE + "</body>"))
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=500,900",
                               "--virtual-time-budget=20000", f"--user-data-dir={self.path('profile')}", "--dump-dom",
                               "file://" + self.path("probed.html")],
                              capture_output=True, text=True, timeout=900)
        found = re.search(r'<div id="probe">(.*?)</div>', done.stdout)
        self.assertIsNotNone(found, done.stderr[-400:])
        found = json.loads(found.group(1).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">"))
        first = self.load(self.path("random.json"))["episodes"]
        shown = next(e for e in first if not e["success"])
        picture = run("show", shown["episode"]).stdout.split("\n", 1)[1]
        self.assertEqual(found["first"].strip(), picture.strip())
        self.assertEqual(found["start"], f"step 0 of {shown['steps']}: start")
        self.assertTrue(found["second"].startswith("step 1 "))
        self.assertTrue(found["third"].startswith("step 2 "))
        self.assertTrue(found["back"].startswith("step 1 "))
        self.assertTrue(found["end"].startswith(f"step {shown['steps']} "))
        self.assertTrue(found["other"].startswith("step 0 "))
        self.assertEqual(len(found["agents"]), 2)
        self.assertIn("<script>alert", found["agents"][1], "shown as text")
        self.assertEqual((found["radar"], found["errors"], found["scripts"]), (3, [], 3))
        self.assertEqual(found["forms"], [False, True, "text", True, False, "picture", False, True, "text"])
        solved = next(e for e in self.load(evil)["episodes"] if e["success"])
        frames, n = self.film_of(solved, "--tile", "16")
        self.assertEqual(found["pixels"], list(frames[-(len(frames) // n):]), "the last picture is that of the film")
        self.assertLessEqual(found["wide"], 0, "a narrow window needs no sideways scrolling of the page")

    SIZES = """<script>
      const sizes = {charts: [...document.querySelectorAll("svg")].map(svg => [svg.clientWidth, svg.viewBox.baseVal.width]),
                     cut: [...document.querySelectorAll(".wide")].map(table => table.scrollWidth - table.clientWidth)};
      document.body.insertAdjacentHTML("beforeend", `<div id="sizes">${JSON.stringify(sizes)}</div>`);
    </script>"""

    def test_at_1300_pixels_tables_are_whole_and_charts_are_not_blown_up(self):
        script, what = self.write("costly.py", Tables.COSTLY), ["--tasks", "GoToGoal,TagHunt,SequenceMemory", "-d", "easy", "-n", "2"]
        paths = [self.result(f"exec:{sys.executable} {script} {71 * i}", "--name", f"an-agent-of-a-long-name-for-its-harness-{i}", what=what, name=str(i))
                 for i in range(1, 4)]
        page = self.succeed("report", *paths, "--html", "-", "--published", "none")
        self.write("sized.html", page.replace("</body>", self.SIZES + "</body>"))
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1300,900", f"--user-data-dir={self.path('profile')}",
                               "--dump-dom", "file://" + self.path("sized.html")], capture_output=True, text=True, timeout=900)
        sizes = json.loads(re.findall(r'<div id="sizes">(.*?)</div>', done.stdout)[-1])
        self.assertEqual(len(sizes["charts"]), 3)
        for drawn, natural in sizes["charts"]:
            self.assertEqual(drawn, natural)
        self.assertEqual(set(sizes["cut"]), {0})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
