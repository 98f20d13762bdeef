"""Results and reports: documents that hold what was played, tables, and a page that works in a browser.

    python3 tests/report_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import json
import os
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
FEW = ["--tasks", "GoToGoal,TagHunt,SequenceMemory,SwitchCircuit", "-d", "easy,medium"]
EVIL = "<script>alert('x')</script> & \"q\" | `b` *s* \x1b[31m \u009b1m"


def run(*arguments, program=SEEDBED):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)


def pairwise_mean(values):
    """As numpy adds up to 128 numbers."""
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

    def write(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return self.path(name)


class Results(Case):
    def test_episodes_are_the_tapes(self):
        document = self.load(self.result("random", "-n", "5"))
        self.assertEqual((document["format"], document["version"]), ("seedbed-result", 1))
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

    def test_means_are_those_of_the_episodes(self):
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

    def test_scores_that_need_all_pairs_say_what_is_missing(self):
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
        self.assertNotEqual(own["baseline"], built_in["baseline"])
        other = self.load(self.result("random", "--baseline", baseline, name="other"))["families"][0]["scores"]
        self.assertIn("SwitchCircuit-v0/easy", other["capability"]["missing"])

    def test_the_shipped_baseline_is_what_the_program_makes(self):
        """All of BabyAI, and of Agentick tasks of every category: the file's own lines."""
        def pairs(document):
            return {family["name"]: family for family in document["families"]}
        with open(os.path.join(ROOT, "evaluation", "baseline.json"), encoding="utf-8") as file:
            shipped = pairs(json.load(file))
        self.assertEqual(list(shipped), ["agentick", "babyai"])
        self.assertEqual(pairs(json.loads(self.succeed("baseline", "--family", "babyai")))["babyai"], shipped["babyai"])
        some = "GoToGoal,KeyDoorPuzzle,SwitchCircuit,SequenceMemory,NoisyObservation,EmergentStrategy"
        made = pairs(json.loads(self.succeed("baseline", "--tasks", some)))
        self.assertEqual(list(made), ["agentick"])
        rows = made["agentick"].pop("pairs")
        self.assertEqual(len(rows), 24)
        for row in rows:
            self.assertIn(row, shipped["agentick"]["pairs"])
        self.assertEqual(made["agentick"], {key: value for key, value in shipped["agentick"].items() if key != "pairs"})

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
        self.assertEqual(document["selection"]["pack"]["hash"], self.load(pack)["hash"])
        self.assertEqual(len(document["episodes"]), 24)
        self.refuse(["eval", "--pack", pack, "--tasks", "GoToGoal"], USAGE, "either --pack")
        with open(pack, encoding="utf-8") as file:
            text = file.read()
        first = str(self.load(pack)["lists"][0]["seeds"][0])
        self.refuse(["eval", "--pack", self.write("bad.json", text.replace(first, "7", 1))], FOUND, "bad.json")

    def test_tapes_play_again_and_those_that_lie_are_lost(self):
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

    def test_a_file_of_certificates_tells_of_other_episodes(self):
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
                ('{"something": "else"}', USAGE, "no certificates in it"),
                ("\n".join(lines).replace("agentick 1", "agentick 9"), FOUND, "bad, line 1: made under the rules"),
                (solved, FOUND, f"bad, line 1: {impossible} is called solved, and another")):
            with self.subTest(words):
                self.refuse(["eval", impossible, "--certificates", self.write("bad", text)], code, words)

    def test_a_dash_is_standard_output(self):
        path = self.result("expert", "-n", "1")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(self.succeed("eval", *FEW, "-n", "1", "-o", "-"), file.read())
        self.succeed("report", path, "--html", self.path("r.html"), "-q")
        with open(self.path("r.html"), encoding="utf-8") as file:
            self.assertEqual(self.succeed("report", path, "--html", "-"), file.read())

    def test_files_that_would_fail_in_the_end_fail_at_once(self):
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
        self.refuse(["verify", self.write("bad.json", bad)], FOUND, "episodes of agentick", "rules")


class Tables(Case):
    def test_results_are_compared_with_published_agents(self):
        said = self.succeed("report", self.result("random"), self.result("expert"))
        self.assertRegex(said, r"\n  random +200 +0 ")
        self.assertRegex(said, r"\n  GoToGoal-v0 +easy +\d\.\d{3} +\S+ +1\.000 +1\.000\n")
        self.assertIn("Qwen3.5-4B (SFT-250k)", said)
        self.assertIn("older release", said)
        self.assertIn("leaderboard of random: 140 of 148 pairs", said)
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
                         ["Scores", "Success by category and difficulty", "Success and mean return by task"])
        flat = [row for table in tables for row in table["rows"]]
        self.assertEqual([[cell.replace("\\", "") for cell in row] for row in rows], flat)

    def test_names_cannot_break_out(self):
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

    def test_results_of_different_episodes_are_compared_with_a_warning(self):
        some = self.result("expert", "-n", "2")
        document = self.load(some)
        document["episodes"].reverse()
        turned = self.write("turned.json", document)
        document["episodes"].pop()
        fewer = self.write("fewer.json", document)
        document["episodes"].append(document["episodes"][0])
        another = self.write("another.json", document)
        for other, differ in ((some, False), (turned, False), (fewer, True), (another, True)):
            for form in ([], ["--markdown"], ["--json"], ["--html", "-"]):
                with self.subTest(other=other, form=form):
                    said = self.succeed("report", some, other, *form).replace("\\", "")
                    self.assertEqual("not all results are of the same episodes" in said, differ)

    def test_what_is_not_shown_is_told(self):
        path = self.result("random", what=["GoToGoal/easy#0", "babyai:GoToObj#0"])
        for arguments, other in (([], "babyai"), (["--family", "babyai"], "agentick")):
            said = self.succeed("report", path, "--published", "none", *arguments)
            self.assertTrue(said.endswith(f"\nnot shown: episodes of {other} (--family {other})\n"), said)

    def test_many_results_stand_side_by_side(self):
        path = self.result("expert", "-n", "1")
        said = self.succeed("report", *[path] * 30, "--published", "none")
        self.assertRegex(said, r"\n  SwitchCircuit-v0 +medium( +\d\.\d{3}){60}\n")
        self.succeed("report", *[path] * 30, "--html", self.path("many.html"))

    def test_the_page_needs_no_network(self):
        path = self.result("expert", "-n", "1")
        self.assertEqual(self.succeed("report", path, "--html", self.path("r.html")), f"{self.path('r.html')}: 1 result\n")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertNotRegex(page, r"https?://|src=|@import|url\(|href=")
        self.assertIn("default-src 'none'", page)

    def test_a_result_that_lies_makes_no_page(self):
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

    def test_what_is_no_result_is_refused(self):
        self.refuse(["report"], USAGE, "name results")
        self.refuse(["report", self.path("none.json")], FOUND, "none.json")
        for text, words in (("{", "none.json"), ("[]", "none.json"), ('{"format": "seedbed-pack"}', "seedbed-pack"),
                            ('{"format": "seedbed-result", "version": 2}', "version 2")):
            self.write("none.json", text)
            with self.subTest(text=text):
                done = run("report", self.path("none.json"))
                self.assertIn(done.returncode, (FOUND, USAGE))
                self.assertIn(words, done.stderr)


@unittest.skipUnless(CHROMIUM, "no Chromium here: the page was not looked at by a browser")
class Browser(Case):
    """The page in headless Chromium: a script at its end looks at it and leaves what it found in the document."""

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
      const agent = document.getElementById("agent");
      agent.value = agent.options[agent.options.length - 1].value;
      agent.dispatchEvent(new Event("change"));
      found.other = text("said");
      found.agents = [...agent.options].map(option => option.textContent);
      found.radar = document.querySelectorAll("svg polygon.area").length;
      found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
      found.scripts = document.scripts.length;
      found.errors = errors;
      const probe = document.createElement("div");
      probe.id = "probe";
      probe.textContent = JSON.stringify(found);
      document.body.append(probe);
    </script>"""

    def test_the_page_works(self):
        evil = self.result("expert", "-n", "2", "--name", EVIL, name="evil")
        self.succeed("report", self.result("random", "-n", "2"), evil, "--published", "PPO Dense (2M)", "--html",
                     self.path("r.html"), "-q")
        with open(self.path("r.html"), encoding="utf-8") as file:
            page = file.read()
        self.write("probed.html", page.replace("</body>", self.PROBE + "</body>"))
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=500,900",
                               f"--user-data-dir={self.path('profile')}", "--dump-dom", "file://" + self.path("probed.html")],
                              capture_output=True, text=True, timeout=120)
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
        self.assertLessEqual(found["wide"], 0, "a narrow window needs no sideways scrolling of the page")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
