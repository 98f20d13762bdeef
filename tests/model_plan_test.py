"""`seedbed model`: ledgers and the gate, the page of wrong frames, sets of regressions, and planning.

    python3 tests/model_plan_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import base64
import gzip
import json
import os
import re
import sys
import unittest

from browser import Page
from dataset_support import FOUND, SEEDBED, USAGE, InFolder, read, run, write
from schema_support import Validator

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GAME = "arc:Fold/intro#1"  # small enough to be searched as a whole
WALK = ["solve", GAME, "--agent", "random", "-q", "--log"]

# A model with h, which counts actions. What it gets wrong is said by its argument: `copy` predicts that nothing changes, `table` knows
# frames by heart from a file of (frame, action, h, next frame), `forget` does not answer there where the level is begun.
MODEL = r'''
import json, sys
kind, known = sys.argv[1], {}
if len(sys.argv) > 2:
    with open(sys.argv[2], encoding="utf-8") as file:
        known = dict(json.load(file))
for line in sys.stdin:
    request = json.loads(line)
    op, z, h, a = (request.get(key) for key in ("op", "z", "h", "action"))
    if op == "hello":
        answer = {"protocol": 1, "name": kind, "version": "1", "offers": ["predict", "history"], "learns": False}
    elif op == "history":
        answer = {"h": {"n": (h or {"n": 0})["n"] + 1}}
    elif op == "predict" and kind == "forget" and h["n"] == 1:
        answer = {"error": "I forgot"}
    elif op == "predict":
        key = json.dumps([h["n"], a["id"], a.get("x"), a.get("y"), z["frame"]])
        answer = {"z": {"frame": known.get(key, z["frame"])}, "done": False, "over": False}
    else:
        answer = {}
    print(json.dumps(answer), flush=True)
'''


def frames_of(log):
    """Yields, of every line of a log, the header, the line, and the frames before and after it."""
    with open(log, encoding="utf-8") as file:
        for line in map(json.loads, file):
            if "start" in line:
                header, now = line, line["start"]
                continue
            before = now
            for frame in line["frames"]:
                if isinstance(frame, str):
                    now = frame
                    continue
                for y, x, colours in frame["d"]:
                    at = 64 * y + x
                    now = now[:at] + colours + now[at + len(colours):]
            yield header, line, before, now


class ModelCase(InFolder):
    def setUp(self):
        super().setUp()
        write(self.path("model.py"), MODEL)
        self.succeed(*WALK, self.path("walk.jsonl"), codes=(0, 1))

    def succeed(self, *arguments, codes=(0,)):
        patient = ["--timeout", "60"] if "--model" in arguments and "--timeout" not in arguments else []
        done = run(*arguments, *patient, cwd=self.folder)
        self.assertIn(done.returncode, codes, f"{arguments}: {done.stderr}")
        return done.stdout

    def model(self, *words):
        return " ".join([sys.executable, "model.py", *words])

    def check(self, model, *options, log="walk.jsonl", codes=(0, 1)):
        report = json.loads(self.succeed("model", "check", log, "--model", model, "--json", "-q", *options, codes=codes))
        asked = report["all"]["asked"]
        return {**report, "asked": asked, "right": round(report["all"]["retrodiction"] * asked)}

    def learn(self, name, n):
        """Writes what the table model knows of the first n transitions of the walk."""
        known, count = [], 0
        for _, line, before, after in list(frames_of(self.path("walk.jsonl")))[:n]:
            count += 1
            number = {"RESET": 0}.get(line["action"], int(line["action"][-1]) if line["action"] != "RESET" else 0)
            known.append((json.dumps([count, number, line.get("x"), line.get("y"), before]), after))
            count *= line["kind"] not in ("level", "reset")
        write(self.path(name), json.dumps(known))
        return self.model("table", name)


class LedgerTest(ModelCase):
    def test_a_ledger_says_what_a_repair_fixed_and_broke(self):
        total = self.check(self.model("copy"), "--ledger", "ledger.json")
        first = total["ledger"]
        self.assertEqual((first["revision"], first["before"], first["broken"]), (1, None, 0))
        better = self.check(self.learn("better.json", 10 ** 6), "--ledger", "ledger.json", "--gate", codes=(0,))
        self.assertEqual((better["ledger"]["revision"], better["ledger"]["broken"], better["ledger"]["still_wrong"]), (2, 0, 0))
        self.assertEqual(better["ledger"]["fixed"], total["asked"] - total["right"])
        self.assertEqual(better["right"], better["asked"])
        worse = self.check(self.learn("worse.json", 20), "--ledger", "ledger.json", "--gate", codes=(FOUND,))["ledger"]
        self.assertGreater(worse["broken"], 0)
        self.assertEqual(worse["broken"] + worse["still_right"], better["asked"])
        self.assertEqual(len(worse["broken_transitions"]), worse["broken"])
        self.assertTrue(all(one["t"] > 20 and one["owner"] == "dynamics" and one["name"] == GAME for one in worse["broken_transitions"]))
        self.assertEqual(worse["reopened"], worse["broken"])
        again = self.check(self.learn("worse.json", 20), "--ledger", "ledger.json", "--gate", codes=(0,))["ledger"]
        self.assertEqual((again["broken"], again["fixed"], again["still_wrong"]), (0, 0, worse["broken"]), "what stays wrong breaks nothing")

    def test_text_names_what_was_broken(self):
        model = self.learn("all.json", 10 ** 6)
        self.check(model, "--ledger", "ledger.json")
        said = self.succeed("model", "check", "walk.jsonl", "--model", self.model("copy"), "--ledger", "ledger.json", "-q", codes=(FOUND,))
        self.assertRegex(said, r"ledger\.json: revision 2 after 1: 0 fixed, [1-9]\d* broken, \d+ still right, 0 still wrong")
        self.assertRegex(said, r"\n  broken: arc:Fold/intro#1 \(play 0\), t \d+, level 1, ACTION\d(?: \d+ \d+)?: predict of dynamics: /frame")

    def test_an_operation_without_an_answer_is_an_entry_of_its_own(self):
        self.check(self.model("forget"), "--ledger", "ledger.json")
        entries = json.loads(read(self.path("ledger.json")))["entries"]
        errors = [entry for entry in entries if entry["source"] == "error"]
        self.assertEqual([(entry["t"], entry["owner"], entry["fields"]) for entry in errors][:1], [(1, "dynamics", ["predict"])])

    def test_documents_fit_their_schema(self):
        with open(os.path.join(ROOT, "docs", "ledger.schema.json"), encoding="utf-8") as file:
            schema = Validator(json.load(file))
        for model in (self.model("forget"), self.learn("some.json", 9), self.model("copy")):
            self.check(model, "--ledger", "ledger.json", "--cap", "20")
            document = json.loads(read(self.path("ledger.json")))
            self.assertTrue(schema.fits(document))
        self.assertLessEqual(sum(entry["resolved"] is None for entry in document["entries"]), 3 * 20)
        for key in document:
            self.assertFalse(schema.fits({other: document[other] for other in document if other != key}), key)
        self.assertFalse(schema.fits({**document, "other": 1}))
        for key in document["entries"][0]:
            altered = json.loads(json.dumps(document))
            altered["entries"][0][key] = {}
            self.assertFalse(schema.fits(altered), key)

    def test_what_is_no_ledger_of_this_log_is_refused_and_left_alone(self):
        check = ["model", "check", "walk.jsonl", "-q", "--model", self.model("copy"), "--ledger"]
        self.check(self.model("copy"), "--ledger", "ledger.json")
        self.refuse(["model", "check", "walk.jsonl", "walk.jsonl", *check[3:], "ledger.json"], FOUND, "another log", cwd=self.folder)
        self.refuse([*check, "ledger.json", "--revision", "1"], USAGE, "has revision 1 already; the next one is 2", cwd=self.folder)
        write(self.path("damaged.json"), read(self.path("ledger.json")).replace(b'"opened": 1', b'"opened": 7', 1))
        for name, code in (("model.py", USAGE), ("walk.jsonl", USAGE), ("damaged.json", USAGE)):
            before = read(self.path(name))
            self.refuse([*check, name], code, name, cwd=self.folder)
            self.assertEqual(read(self.path(name)), before)
        self.refuse([*check, "-"], USAGE, "--ledger wants a file", cwd=self.folder)
        self.refuse(["model", "check", "walk.jsonl", "--model", "x", "--gate"], USAGE, "--ledger FILE", cwd=self.folder)

    def refuse(self, arguments, code, *words, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)


class RegressionsTest(ModelCase):
    def test_each_transition_is_a_play_that_is_judged_as_in_the_whole_log(self):
        model = self.learn("some.json", 30)
        self.succeed("model", "regressions", "walk.jsonl", "--model", model, "-o", "small.jsonl", "-q")
        whole = [(line, before, after) for _, line, before, after in frames_of(self.path("walk.jsonl"))]
        small = list(frames_of(self.path("small.jsonl")))
        self.assertTrue(5 < len(small) <= 20)
        self.assertEqual(sorted({line["t"] for _, line, _, _ in small}), [line["t"] for _, line, _, _ in small], "in order, and none twice")
        for header, line, before, after in small:
            self.assertIn(({**line, "frames": 0}, before, after), [({**other, "frames": 0}, b, a) for other, b, a in whole])
            self.assertEqual(header["start"], before)
        newest = [line["t"] for line, _, _ in whole if line["kind"] in ("step", "over")][-5:]
        self.assertTrue({*newest} <= {line["t"] for _, line, _, _ in small})
        # a ledger tells of single transitions: those that are wrong are the same
        self.check(model, "--ledger", "whole.json")
        self.check(model, "--ledger", "small.json", log="small.jsonl")
        wrong, again = ({entry["t"] for entry in json.loads(read(self.path(name)))["entries"]} for name in ("whole.json", "small.json"))
        self.assertEqual(again, wrong & {line["t"] for _, line, _, _ in small})
        self.assertTrue(any(t <= 30 for t in {line["t"] for _, line, _, _ in small} - wrong) or len(wrong) > 30)
        self.succeed("verify", "small.jsonl", "-q")


class PageTest(ModelCase):
    def data_of(self, page):
        packed = re.search(r'<script id="data" type="application/gzip">([^<]*)</script>', page).group(1)
        return json.loads(gzip.decompress(base64.b64decode(packed)))

    def page(self, model):
        self.report = self.check(model, "--html", "page.html")
        return read(self.path("page.html")).decode()

    def test_every_wrong_transition_is_on_the_page_with_its_frames(self):
        page = self.page(self.learn("some.json", 20))
        data, whole = self.data_of(page), {line["t"]: (before, after) for _, line, before, after in frames_of(self.path("walk.jsonl"))}
        self.assertEqual(len(data["wrong"]), self.report["asked"] - self.report["right"])
        self.assertEqual((len(data["colours"]), data["colours"][0]), (16, "#ffffff"))
        for one in data["wrong"]:
            self.assertEqual((one["before"], one["real"]), whole[one["t"]])
            self.assertNotEqual(one["predicted"], one["real"])
            self.assertEqual(one["cells"], sum(a != b for a, b in zip(one["predicted"], one["real"])))
        for title in ("Figures", "Levels", "Actions", "Ends", "Answers"):
            self.assertIn(f"<h2>{title}</h2>", page)
        for row in ("the model", "copy", "table"):
            self.assertRegex(page, f">{row}</t[hd]>")

    def test_the_page_has_the_tables_of_policies_and_ledger(self):
        self.assertNotIn("<h2>Ledger</h2>", self.page(self.model("copy")))
        self.check(self.learn("known.json", 10 ** 6), "--ledger", "ledger.json", "--html", "page.html")
        page = read(self.path("page.html")).decode()
        self.assertIn("<h2>Ledger</h2>", page)
        self.assertNotIn("<h2>Broken</h2>", page)
        report = self.check(self.model("copy"), "--ledger", "ledger.json", "--html", "page.html", "--policies")
        page = read(self.path("page.html")).decode()
        for title in ("Ledger", "Broken", "Policies and sub-goals"):
            self.assertIn(f"<h2>{title}</h2>", page)
        self.assertIn("offers no policies with sub-goals", page)
        broken = page.partition("<h2>Broken</h2>")[2].partition("</table>")[0]
        self.assertEqual(broken.count("<tr>") - 1, report["ledger"]["broken"])
        self.assertRegex(broken, r">ACTION\d")

    def test_a_page_that_is_printed_is_all_that_is_printed(self):
        page, call = self.page(self.model("copy")), ["model", "check", "walk.jsonl", "--model", self.model("copy"), "--html", "-", "-q"]
        self.assertEqual(self.succeed(*call, codes=(FOUND,)), page)
        truth = self.succeed("model", "check", "walk.jsonl", "--model", f"{SEEDBED} model serve {GAME}", "--html", "-", "-q")
        self.assertTrue(truth.startswith("<!DOCTYPE html>") and truth.endswith("</html>\n"), truth[-100:])

    def test_the_page_works_by_keys_in_light_and_dark(self):
        self.page(self.learn("some.json", 20))
        for scheme in ("light", "dark"):
            with Page() as browser:
                browser.open(self.path("page.html"), scheme=scheme)
                browser.wait("document.readyState === 'complete' && document.getElementById('said').textContent")
                said = "document.getElementById('said').textContent"
                self.assertTrue(browser.value(said).startswith("1 of "))
                browser.press("ArrowRight")
                self.assertTrue(browser.value(said).startswith("2 of "))
                browser.press("End", "ArrowRight")
                last = browser.value(said)
                self.assertEqual(*last.split(",")[0].split(" of "))
                browser.press("Home", "ArrowLeft")
                self.assertTrue(browser.value(said).startswith("1 of "))
                self.assertEqual(browser.value("document.getElementById('real').width"), 64)
                self.assertEqual(browser.value("errors"), [])


class PlanTest(ModelCase):
    def plan(self, model, *options, names=(GAME,)):
        return json.loads(self.succeed("model", "plan", *names, "--model", model, "--json", "-q", *options))

    def test_in_the_true_model_plans_come_true_and_there_is_no_regret(self):
        names = (GAME, "arc:Fold/intro#0")
        found = self.plan(f"{SEEDBED} model serve {GAME}", names=names)
        self.assertEqual((found["regret"], found["successes"], found["surprises"], found["retrodiction"]), (0, 2, 0, 1))
        for one in found["episodes"]:
            self.assertEqual((one["plans"], one["plans_came_true"]), (3, 3))
            self.assertEqual(one["choices"], {"plan": one["actions"], "progress": 0, "probe": 0, "reset": 0})
            self.assertEqual(one["efficiency"]["score"], 100)
            for key in set(one) - {"seconds", "name", "regret", "true_model"}:
                self.assertEqual(one[key], one["true_model"][key], key)

    def test_whoever_copies_only_probes_and_loses_everything(self):
        found = self.plan(self.model("copy"), "--actions", "40", "--depth", "7")
        one = found["episodes"][0]
        self.assertEqual(one["actions"], 40)
        self.assertEqual(one["choices"]["probe"] + one["choices"]["reset"], 40)
        self.assertEqual((one["plans"], one["ways_to_progress"]), (0, 0))
        self.assertEqual(one["regret"], 100 - one["score_percent"])

    def test_searches_that_were_cut_are_told_for_both(self):
        options = ("--actions", "5", "--nodes", "3")
        found = self.plan(self.model("copy"), *options)
        self.assertEqual(found["true_model"]["searches_cut"], found["episodes"][0]["true_model"]["searches_cut"])
        self.assertGreater(found["true_model"]["searches_cut"], 0)
        shown = self.succeed("model", "plan", GAME, "--model", self.model("copy"), "-q", *options)
        self.assertRegex(shown, r"cut %\s+true cut %")
        self.assertIn(f"{found['true_model']['searches_cut']} of {found['true_model']['searches']} searches in the true model were cut", shown)

    def test_the_true_rules_can_be_left_out(self):
        options = ("--actions", "5", "--nodes", "3", "--no-truth")
        found = self.plan(self.model("copy"), *options)
        one = found["episodes"][0]
        self.assertEqual((found["regret"], found["regret_interval"], found["true_model"], one["regret"], one["true_model"]), (None,) * 5)
        self.assertNotIn("regret 0", self.succeed("model", "plan", GAME, "--model", self.model("copy"), "-q", *options))

    def test_two_runs_are_equal_but_for_the_time(self):
        def without_seconds(value):
            if isinstance(value, dict):
                return {key: without_seconds(value[key]) for key in value if key != "seconds"}
            return [without_seconds(item) for item in value] if isinstance(value, list) else value
        runs = [without_seconds(self.plan(self.model("copy"), "--actions", "30", "--depth", "2", "--log", name)) for name in ("a.jsonl", "b.jsonl")]
        self.assertEqual(*runs)
        self.assertEqual(read(self.path("a.jsonl")), read(self.path("b.jsonl")))

    def test_the_log_of_a_play_is_a_log_on_which_a_check_finds_the_same(self):
        model = self.learn("some.json", 20)
        found = self.plan(model, "--actions", "40", "--depth", "2", "--log", "play.jsonl")
        self.succeed("verify", "play.jsonl", "-q")
        checked = self.check(model, log="play.jsonl")
        self.assertEqual((found["asked"], found["right"]), (checked["asked"], checked["right"]))
        self.assertGreater(found["asked"], 20)

    def test_a_log_is_compressed_if_its_name_says_so(self):
        self.plan(self.model("copy"), "--actions", "5", "--no-truth", "--nodes", "9", "--log", "play.jsonl")
        self.plan(self.model("copy"), "--actions", "5", "--no-truth", "--nodes", "9", "--log", "play.jsonl.gz")
        self.assertEqual(gzip.decompress(read(self.path("play.jsonl.gz"))), read(self.path("play.jsonl")))
        names = ["arc:Fold/intro#1", "arc:Fold/intro#2"]
        self.succeed("solve", *names, "-q", "-o", "tapes.jsonl", "--log", "two.jsonl.gz")
        self.succeed("log", "tapes.jsonl", "-o", "again.jsonl.gz")
        self.assertEqual(gzip.decompress(read(self.path("two.jsonl.gz"))), gzip.decompress(read(self.path("again.jsonl.gz"))))
        self.assertIn("2 plays: every hash right", self.succeed("verify", "two.jsonl.gz"))

    def test_probes_try_everything_before_they_try_anything_twice(self):
        self.plan(self.model("copy"), "--actions", "40", "--depth", "2", "--log", "play.jsonl")
        tried = {}
        for header, line, before, _ in frames_of(self.path("play.jsonl")):
            if line["action"] == "RESET":
                continue
            times = tried.setdefault(before, {f"ACTION{n}": 0 for n in header["available"] if 0 < n < 6 or n == 7})
            if line["action"] in times:
                self.assertEqual(times[line["action"]], min(times.values()), line)
                times[line["action"]] += 1
        self.assertTrue(tried)

    def test_planning_challenges_of_programs_are_planned_in(self):
        name = "autumn:Triad/planning-1#1"
        found = self.plan(f"{SEEDBED} model serve {name}", "--log", "play.jsonl", names=(name,))
        one = found["episodes"][0]
        self.assertEqual((found["successes"], found["regret"], found["surprises"], one["plans_came_true"]), (1, 0, 0, 1))
        self.assertEqual(one["choices"], {"plan": one["actions"] - 1, "progress": 0, "probe": 0, "reset": 1})
        self.succeed("verify", "play.jsonl", "-q")
        lines = list(map(json.loads, read(self.path("play.jsonl")).splitlines()))
        self.assertEqual(lines[1]["action"], "go-to-test")
        self.assertEqual((lines[-1]["kind"], lines[-1]["state"]), ("level", "WIN"))
        copies = self.plan(self.model("copy"), "--actions", "4", "--depth", "1", names=(name,))
        self.assertEqual((copies["successes"], copies["episodes"][0]["plans"]), (0, 0))

    def of_other_words(self):
        """Calls with an option of another word, and what says so."""
        common = {"--html": ["x"], "--policies": [], "--gate": [], "--ledger": ["x"]}
        others = {"plan": {**common, "-o": ["x"], "--learn": [], "--split": [], "--hypothesis": ["x"], "--save": ["x"]},
                  "regressions": {**common, "--json": [], "--nodes": ["3"]}, "serve": {**common, "--model": ["x"], "--json": []}}
        names = {"plan": GAME, "regressions": "walk.jsonl", "serve": GAME}
        for word, options in others.items():
            for option, value in options.items():
                call = [word, names[word], *([] if word == "serve" else ["--model", "x"]), option, *value]
                yield call, ("--output" if option == "-o" else option) + " is for "

    def test_wrong_calls_are_refused(self):
        for arguments, word in ((["plan", "autumn:Seesaw#1", "--model", "x"], "success"),
                                (["plan", "autumn:EchoDancers/change-1#1", "--model", "x"], "autumn:EchoDancers/change-1#1: the episode has no frames"),
                                (["plan", "GoToGoal/easy#1", "--model", "x"], "the family agentick has no frames"), (["plan", GAME], "--model"),
                                (["plan", "--model", "x"], "name the episodes"), (["regressions", "--model", "x"], "name at least one log"),
                                (["plan", GAME, "--model", "exit 3"], ""), (["plan", GAME, "--model", "x", "--log", "-"], "--log is for a file"),
                                (["check", "walk.jsonl", "--model", "x", "--html", "-", "--json"], "leave out --json"), *self.of_other_words()):
            done = run("model", *arguments, "-q")
            self.assertIn(done.returncode, (FOUND, USAGE), arguments)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
