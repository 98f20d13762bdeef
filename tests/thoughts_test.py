"""What agents say with their actions, thoughts and counters: kept step by step, added up, limited, checked, and made into data.

    python3 tests/thoughts_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import glob
import gzip
import json
import re
import subprocess
import sys
import unittest

from dataset_support import resealed
from rounds_test import FOUND, SEEDBED, Case, batch

# Says something else in every step, and nothing in some; counters are what a model might report.
SAYS = """if m["op"] == "end":
    answer = {"calls": 1}
elif state["n"] % 3:
    answer.update(thought="%d: <b>\\u00e9\\u0007 %d" % (state["n"], state["seed"] % 97), calls=state["n"], tokens_in=100 + state["n"],
                  tokens_out=7, seconds=0.1 * state["n"], cost=0.003)
"""
COUNTERS = ("calls", "tokens_in", "tokens_out", "seconds", "cost")
ONE = ["GoToGoal/easy#0"]


def run(*arguments):
    return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, timeout=900)


class Kept(Case):
    def test_every_reply_is_kept_with_its_step(self):
        for episode in self.evaluate("result", how={"each": SAYS})["episodes"]:
            said = {remark["step"]: remark for remark in episode["said"]}
            due = [step for step in range(episode["steps"]) if (step + 1) % 3] + [episode["steps"]]
            self.assertEqual(list(said), due)
            for step in due[:-1]:
                self.assertRegex(said[step]["thought"], rf"\A{step + 1}: <b>\u00e9\u0007 \d+\Z")
                self.assertEqual((said[step]["calls"], said[step]["tokens_in"], said[step]["cost"]), (step + 1, 101 + step, 0.003))
            self.assertEqual(said[episode["steps"]], {"step": episode["steps"], "calls": 1})

    def test_sums_are_those_of_the_steps(self):
        document = self.evaluate("result", how={"each": SAYS})
        for counter in COUNTERS:
            for episode in document["episodes"]:
                self.assertEqual(episode[counter], sum(remark.get(counter, 0) for remark in episode["said"]))
            total = document["families"][0]["all"][counter]
            self.assertEqual(total, sum(episode[counter] for episode in document["episodes"]))
        self.assertEqual(run("verify", self.path("result")).returncode, 0)

    def test_bytes_are_the_same_in_rounds_in_parts_and_after_a_limit(self):
        self.evaluate("whole", how={"each": SAYS})
        for name, more, how in (("jobs", ["-j3"], {}), ("rounds", ["-j2"], batch(4))):
            self.evaluate(name, *more, how={"each": SAYS, **how})
            self.assertEqual(self.read(name), self.read("whole"), name)
        cost = sum(episode["cost"] for episode in json.loads(self.read("whole"))["episodes"])
        self.assertEqual(self.run_eval("resumed", "--max-cost", str(cost / 2), "-j1", how={"each": SAYS}).returncode, FOUND)
        self.assertIn(b'"said"', self.read("resumed.part"))
        self.evaluate("resumed", "--resume", how={"each": SAYS})
        self.assertEqual(self.read("resumed"), self.read("whole"))
        for part in "123":
            self.evaluate(f"part{part}", "--shard", f"{part}/3", how={"each": SAYS})
        self.assertEqual(run("merge", *(self.path(f"part{part}") for part in "312"), "-o", self.path("merged")).returncode, 0)
        self.assertEqual(self.read("merged"), self.read("whole"))

    def test_what_a_failed_round_took_comes_first(self):
        mark = self.path("mark")
        line = f"count += 1\nif count == 5 and not os.path.exists({mark!r}):\n    open({mark!r}, 'w').close()\n    sys.exit(3)"
        result = self.evaluate("result", "-j1", how={"each": SAYS, **batch(4, line=line)})
        again = [episode["said"][0] for episode in result["episodes"] if episode["said"][0].get("again")]
        self.assertEqual(len(again), 4, "the episodes that were running")
        self.assertTrue(all(remark["step"] == 0 and "thought" not in remark and remark["calls"] for remark in again), again)
        self.assertEqual(run("verify", self.path("result")).returncode, 0)

    def test_a_result_with_thoughts_or_costs_is_replaced_only_when_told_to(self):
        def again(*more, how=None):
            done = subprocess.run(**self.command("result", *more, how=how), capture_output=True, text=True, timeout=900)
            return done.returncode, done.stderr
        self.evaluate("result", how={"each": SAYS})
        paid = self.read("result")
        code, error = again(how={"each": SAYS})
        self.assertEqual((code, self.read("result")), (2, paid), error)
        self.assertIn("result is a result that holds what its agent thought or spent: go on with it (--resume), replace it (--force)", error)
        self.assertEqual(again("--resume", how={"each": SAYS}), (0, ""))
        self.assertEqual(self.read("result"), paid)
        self.assertEqual(again("--force"), (0, ""))
        self.assertNotIn(b'"said"', self.read("result"))
        self.assertEqual(again(), (0, ""), "nothing was paid for this one")
        self.evaluate("result", how={"each": "answer['thought'] = 'Hm.'"})
        thought = self.read("result")
        for there in (thought, paid.replace(b"agentick 1", b"agentick 9"), paid[:-100], gzip.compress(paid), gzip.compress(paid)[:-9]):
            with open(self.path("result"), "wb") as file:
                file.write(there)
            code, error = again()
            self.assertEqual((code != 0, self.read("result")), (True, there), error)
            self.assertIn("--force", error)
            self.assertEqual(again("--force"), (0, ""))

    def test_who_says_nothing_has_none_of_it(self):
        self.evaluate("result")
        for word in (b'"said"', b'"calls"', b'"tokens_in"', b'"seconds"'):
            self.assertNotIn(word, self.read("result").split(b'"episodes": [')[1])

    def test_only_first_actions_of_a_list_have_a_thought(self):
        how = {"each": "if 'action' in answer: answer = {'actions': [answer['action'], 0, 0], 'thought': 'three'}"}
        (episode,) = self.evaluate("result", how=how, episodes=ONE)["episodes"]
        self.assertEqual([remark["step"] for remark in episode["said"]], list(range(0, episode["steps"], 3)))


# Of the episodes with an even random number one step, which differs, has no readable answer; others are asked again until there is one.
UNREADABLE = """if m["op"] != "end":
    n, seed = state["n"], state["seed"]
    again = seed // 7 % 3
    answer.update(calls=1 + again, marks={"answers": 1 + again, "unreadable": again + int(seed % 2 == 0 and n == 1 + seed // 2 % 3)})
"""


# A model of which two answers in three are odd, and which is asked again now and then.
MARKED = """if m["op"] != "end":
    n = state["n"]
    answer.update(calls=1 + n % 2, cost=0.5, marks={"answers": 1 + n % 2, "unreadable": int(n % 3 > 0), "cut": int(n % 3 == 2), "dropped": 2 * (n % 5 == 0)})
"""
MARKS = ("answers", "unreadable", "cut", "dropped")


class Marks(Case):
    """What is odd about the answers of a model."""

    def test_marks_are_kept_step_by_step_summed_and_rated(self):
        document = self.evaluate("result", how={"each": MARKED})
        family = document["families"][0]
        for mark in MARKS:
            for episode in document["episodes"]:
                self.assertEqual(episode["marks"].get(mark, 0), sum(remark["marks"].get(mark, 0) for remark in episode["said"]))
            tallies = {(tally["task"], tally["difficulty"]): tally for tally in family["tasks"]}
            self.assertEqual(family["all"]["marks"][mark], sum(episode["marks"].get(mark, 0) for episode in document["episodes"]))
            self.assertEqual(family["all"]["marks"][mark], sum(tally["marks"].get(mark, 0) for tally in tallies.values()))
        for tally in (family["all"], *family["tasks"], *family["categories"]):
            self.assertEqual(tally["mark_rates"], {mark: tally["marks"].get(mark, 0) / tally["marks"]["answers"] for mark in ("unreadable", "cut", "refused", "empty")})
        self.assertEqual(run("verify", self.path("result")).returncode, 0)

    def test_they_are_the_same_over_jobs_rounds_parts_and_resumes(self):
        self.evaluate("whole", how={"each": MARKED})
        for name, more, how in (("jobs", ["-j3"], {}), ("rounds", ["-j2"], batch(4))):
            self.evaluate(name, *more, how={"each": MARKED, **how})
            self.assertEqual(self.read(name), self.read("whole"), name)
        self.assertEqual(self.run_eval("resumed", "--max-cost", "30", "-j1", how={"each": MARKED}).returncode, FOUND)
        self.assertIn(b'"marks"', self.read("resumed.part"))
        self.evaluate("resumed", "--resume", how={"each": MARKED})
        self.assertEqual(self.read("resumed"), self.read("whole"))
        for part in "12":
            self.evaluate(f"part{part}", "--shard", f"{part}/2", how={"each": MARKED})
        self.assertEqual(run("merge", self.path("part2"), self.path("part1"), "-o", self.path("merged")).returncode, 0)
        self.assertEqual(self.read("merged"), self.read("whole"))

    def test_reports_show_them_by_task_and_step_by_step(self):
        self.evaluate("result", how={"each": MARKED})
        all_ = json.loads(self.read("result"))["families"][0]["all"]["marks"]
        share = f"{all_['unreadable']} ({100 * all_['unreadable'] / all_['answers']:.1f} %)"
        tables = {table["title"]: table["rows"] for table in json.loads(run("report", self.path("result"), "--json", "--published", "none").stdout)}
        head, *rows = tables["Answers of models by task"]
        first = dict(zip(head, rows[0]))
        self.assertEqual((first["task"], first["answers"], first["unreadable"]), ("all", str(all_["answers"]), share))
        self.assertEqual(len(rows), 1 + len(json.loads(self.read("result"))["families"][0]["tasks"]))
        self.assertEqual(run("report", self.path("result"), "--html", self.path("page.html"), "--published", "none").returncode, 0)
        page = self.read("page.html").decode()
        self.assertIn("Answers of models by task", page)
        self.assertIn("1 answer, 1 unreadable (100.0 %), 1 cut (100.0 %)", page)

    def test_a_setting_is_not_shown_like_a_measurement(self):
        """Agents of version 0.2 told their option `unreadable` under the name of what is measured."""
        with open(self.path("about"), "w", encoding="utf-8") as file:
            json.dump({"unreadable": "0", "harness": "mine"}, file)
        self.evaluate("result", "--about", self.path("about"))
        text = run("report", self.path("result"), "--published", "none").stdout
        self.assertRegex(text, r"unreadable \(a setting\) +0\n")
        self.assertRegex(text, r"harness +mine\n")
        self.assertNotIn("Answers of models", text)

    def test_what_is_no_mark_loses_the_episode(self):
        for marks, words in ((7, "key `marks` should be an object"), ({"odd": 1}, "unknown mark `odd`"), ({"answers": 1, "cut": 2}, "more answers that are `cut`"),
                             ({"answers": 0.5}, "`answers` should be a whole number"), ({"answers": -1}, "`answers` should be"), ({"answers": 2, "empty": "1"}, "`empty` should be"),
                             ({"empty": 1}, "more answers that are `empty`")):
            (episode,) = self.evaluate("result", how={"each": f"answer['marks'] = {marks!r}"}, episodes=ONE, code=FOUND)["episodes"]
            self.assertEqual((episode["error"]["kind"], "said" in episode), ("nonsense", False))
            self.assertIn(words, episode["error"]["text"])

    def test_forged_marks_are_found(self):
        self.evaluate("result", how={"each": MARKED})
        document = json.loads(self.read("result"))
        for forge in (lambda d: d["episodes"][0]["marks"].update(unreadable=0), lambda d: d["episodes"][0].pop("marks"), lambda d: d["families"][0]["all"]["marks"].update(unreadable=0),
                      lambda d: d["families"][0]["all"]["mark_rates"].update(cut=0), lambda d: d["episodes"][0]["said"][0]["marks"].update(answers=9)):
            forged = json.loads(json.dumps(document))
            forge(forged)
            with open(self.path("forged"), "w", encoding="utf-8") as file:
                json.dump(forged, file)
            self.assertEqual(run("verify", self.path("forged")).returncode, FOUND)


class Lost(Case):
    """Episodes that an agent gives up."""

    def lose(self, lost, more="{}", words=(), code=FOUND):
        how = {"each": f"if m['op'] == 'step' and m['steps'] == 3:\n    answer = {{'lost': {lost!r}, **{more}}}"}
        (episode,) = self.evaluate("result", *words, how=how, episodes=ONE, code=code)["episodes"]
        return episode

    def test_a_loss_has_its_kind_its_whole_reason_and_what_was_paid(self):
        text = "because " * 300
        for kind in ("endpoint", "context", "quota", "refused", "nonsense"):
            episode = self.lose({"kind": kind, "text": text}, "{'calls': 4, 'tokens_in': 10, 'thought': 'hm', 'marks': {'answers': 1}}")
            self.assertEqual((episode["error"], episode["steps"]), ({"kind": kind, "text": text}, 3))
            self.assertEqual(episode["said"], [{"step": 3, "thought": "hm", "calls": 4, "tokens_in": 10, "marks": {"answers": 1}}])
            self.assertEqual(run("verify", self.path("result")).returncode, 0)

    def test_a_reason_without_end_is_cut_after_a_whole_character_and_shown_safely(self):
        error = self.lose({"kind": "endpoint", "text": "\u20ac" * 5000})["error"]
        self.assertEqual(error["text"], "\u20ac" * 2730)
        self.assertEqual(self.lose({"kind": "endpoint", "text": "a\nb\u202ec"})["error"]["text"], "a\\nb\\u202ec")
        self.assertEqual(run("verify", self.path("result")).returncode, 0)

    def test_what_is_no_loss_is_nonsense(self):
        for lost, words in ((7, "key `lost`"), ({"kind": "crash", "text": ""}, "`kind` should be"), ({"kind": "quota"}, "key `lost`")):
            error = self.lose(lost)["error"]
            self.assertEqual(error["kind"], "nonsense")
            self.assertIn(words, error["text"])
        self.assertIn("either an action or `lost`", self.lose({"kind": "quota", "text": ""}, "{'action': 1}")["error"]["text"])

    def test_a_reply_without_an_action_keeps_what_it_took(self):
        (episode,) = self.evaluate("result", how={"each": "answer = {'calls': 3, 'cost': 2}"}, episodes=ONE, code=FOUND)["episodes"]
        self.assertEqual((episode["error"]["kind"], episode["calls"], episode["cost"]), ("nonsense", 3, 2))


class Costs(Case):
    """--max-cost, and costs that nobody knows."""

    def test_a_cost_that_is_not_known_stops_the_run(self):
        for each in ("answer['calls'] = 1", "answer.update(calls=1, **({'cost': 0.0} if state['n'] % 2 else {}))"):
            done = self.run_eval("result", "--max-cost", "5", "--force", "-j1", how={"each": f"if m['op'] != 'end':\n    {each}"})
            self.assertEqual(done.returncode, FOUND)
            self.assertIn("the agent asked a model and does not say what that cost, so the limit of 5 cannot be held", done.stderr)
            self.assertIn("seedbed: 1 episodes are kept", done.stderr)
            done = self.run_eval("result", "--max-cost", "5", "--resume", "-j1", how={"each": f"if m['op'] != 'end':\n    {each}"})
            self.assertIn("seedbed: 1 episodes are kept", done.stderr, "nor does it go on")

    def test_sums_are_lower_bounds_where_replies_leave_something_out(self):
        for each, shown in (("answer.update(calls=1, tokens_in=7)", "{}"), ("answer.update(calls=1, **({'tokens_in': 7} if state['n'] % 2 else {}))", "at least {}")):
            (episode,) = self.evaluate("result", how={"each": f"if m['op'] != 'end':\n    {each}"}, episodes=ONE)["episodes"]
            table = json.loads(run("report", self.path("result"), "--json", "--published", "none").stdout)[0]
            cells = dict(zip(*table["rows"]))
            self.assertEqual((cells["calls"], cells["tokens in"]), (str(episode["calls"]), shown.format(episode["tokens_in"])))
            self.assertEqual(episode["calls"] == episode["tokens_in"] / 7, shown == "{}")

    def test_who_asks_no_model_or_pays_nothing_is_not_stopped(self):
        for each in ("pass", "answer.update(calls=1, cost=0)", "if m['op'] == 'step' and m['steps'] == 3: answer = {'lost': {'kind': 'endpoint', 'text': 'hm'}, 'calls': 3}"):
            done = self.run_eval("result", "--max-cost", "5", "--force", how={"each": f"if m['op'] != 'end':\n    {each}"})
            self.assertNotIn("stopped", done.stderr)


class Limits(Case):
    def error_of(self, each):
        (episode,) = self.evaluate("result", how={"each": each}, episodes=ONE, code=FOUND)["episodes"]
        self.assertEqual((episode["steps"], "said" in episode), (0, False), "nothing of a refused reply counts")
        return episode["error"]

    def test_what_is_no_counter_loses_the_episode(self):
        for counter in COUNTERS:
            for value in (-1, -1e-9, "7", None, True, [1], {}, 1000000001, 1e300):
                error = self.error_of(f"answer[{counter!r}] = {value!r}")
                self.assertEqual(error["kind"], "nonsense")
                self.assertRegex(error["text"], f"key `{counter}` should be a (whole )?number from 0 to 1000000000")
        for counter in COUNTERS[:3]:
            self.assertIn("whole number", self.error_of(f"answer[{counter!r}] = 0.5")["text"])

    def test_what_is_no_json_loses_the_episode(self):
        for bad in ('{"action": 0, "cost": NaN}', '{"action": 0, "cost": Infinity}', '{"action": 0, "seconds": 1e999}', '{"action": 0, "thought": "\\u0000"}',
                    '{"action": 0, "thought": "\\ud800"}', '{"action": 0, "cost": 1, "cost": 1}', '{"action": 0, "thought": "a", "thought": "b"}'):
            line = f"if m['op'] == 'reset':\n    raw({bad!r}.encode() + b'\\n')\n    answer = None"
            how = {"each": line.replace("raw(", "os.write(1, ")}
            (episode,) = self.evaluate("result", how=how, episodes=ONE, code=FOUND)["episodes"]
            self.assertEqual((episode["error"]["kind"], episode["steps"]), ("nonsense", 0), bad)

    def test_what_is_no_thought_loses_the_episode(self):
        for value in (7, True, ["a"], {}, None):
            self.assertIn("key `thought` should be a text", self.error_of(f"answer['thought'] = {value!r}")["text"])

    def said(self, each, **options):
        (episode,) = self.evaluate("result", how={"each": each}, episodes=ONE, **options)["episodes"]
        self.assertEqual(run("verify", self.path("result")).returncode, 0)
        return episode["said"]

    def test_a_long_thought_is_cut_after_a_whole_character(self):
        for letter, n in (("x", 8192), ("\u00e9", 4096), ("\u20ac", 2730), ("\U0001f511", 2048)):
            said = self.said(f"if 'action' in answer: answer['thought'] = {letter!r} * 9000 if len({letter!r}.encode()) < 4 else {letter!r} * 5000")
            bytes_ = len(letter.encode()) * (9000 if len(letter.encode()) < 4 else 5000)
            self.assertEqual(said[0]["thought"], letter * n)
            self.assertEqual(said[0]["cut"], bytes_ - len(letter.encode()) * n)
        said = self.said("if 'action' in answer: answer['thought'] = 'x' * 8192")
        self.assertNotIn("cut", said[0])

    def test_all_thoughts_of_an_episode_have_a_limit_together(self):
        long = ["autumn:Seesaw#1"]  # 300 steps
        each = "if 'action' in answer: answer['thought'] = 'x' * 8192"
        (episode,) = self.evaluate("result", how={"each": each}, episodes=long)["episodes"]
        self.assertEqual(sum(len(remark.get("thought", "")) for remark in episode["said"]), 2 << 20)
        self.assertEqual([remark["cut"] for remark in episode["said"] if "thought" not in remark], [8192] * 44)

    def test_an_empty_thought_is_none(self):
        (episode,) = self.evaluate("result", how={"each": "answer['thought'] = ''"}, episodes=ONE)["episodes"]
        self.assertNotIn("said", episode)


class Checked(Case):
    def altered(self, change):
        document = self.evaluate("result", how={"each": SAYS})
        change(document)
        with open(self.path("altered"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return run("verify", self.path("altered"))

    def refuse(self, words, change):
        done = self.altered(change)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(words, done.stderr)

    def first(self, **members):
        return lambda document: document["episodes"][0]["said"][0].update(members)

    def test_an_unchanged_copy_is_right(self):
        self.assertEqual(self.altered(lambda document: None).returncode, 0)

    def test_what_was_edited_is_found(self):
        self.refuse("replay disagrees with the tape: digest", self.first(thought="something else"))
        self.refuse("key `calls` is not the sum", self.first(calls=0))
        self.refuse("key `cost` is not the sum", lambda document: document["episodes"][0].update(cost=0.0))
        self.refuse("key `tokens_out` is not the sum", lambda document: document["episodes"][0].pop("tokens_out"))
        self.refuse("families", lambda document: document["families"][0]["all"].update(tokens_in=1))

    def test_what_is_out_of_order_or_beyond_a_limit_is_refused(self):
        self.refuse("key `step` should ascend", lambda document: document["episodes"][0]["said"].reverse())
        self.refuse("key `step`", lambda document: document["episodes"][0]["said"][-1].update(step=10 ** 6))
        self.refuse("more than 8192 bytes", self.first(thought="x" * 8193))
        self.refuse("unknown key `mood`", self.first(mood="good"))
        self.refuse("with `again`", lambda document: document["episodes"][0]["said"][1].update(again=True))
        self.refuse("it says nothing", lambda document: document["episodes"][0]["said"].insert(0, {"step": 0}))
        for value in (-1, 0.5, "1"):
            self.refuse("key `calls` should be a whole number", self.first(calls=value))

    def test_agents_that_say_nothing_cannot_have_said_something(self):
        path = self.path("oracle")
        self.assertEqual(run("eval", *ONE, "--agent", "observer", "-q", "-o", path).returncode, 0)
        document = json.loads(self.read("oracle"))
        document["episodes"][0].update(calls=1, said=[{"step": 0, "calls": 1}])
        document["families"][0]["all"]["calls"] = 1
        with open(path, "w", encoding="utf-8") as file:
            json.dump(document, file)
        done = run("verify", path)
        self.assertIn("which agents of the kind `oracle` never tell", done.stderr)

    def test_results_that_have_only_a_cost_are_read(self):
        def forget(document):
            for group in [document["families"][0][key] for key in ("categories", "difficulties", "tasks")] + [[document["families"][0]["all"]]]:
                for tally in group:
                    tally.pop("calls")
            for episode in document["episodes"]:
                episode.pop("said"), episode.pop("calls")
        document = self.evaluate("result", how={"each": "answer['cost'] = 0.5\nanswer['calls'] = 1"})
        forget(document)
        with open(self.path("old"), "w", encoding="utf-8") as file:
            json.dump(document, file)
        self.assertEqual(run("verify", self.path("old")).returncode, 0)
        self.refuse("key `calls` is not the sum", lambda document: document["episodes"][0].pop("said"))


class Shown(Case):
    def test_a_report_has_columns_charts_and_thoughts(self):
        self.evaluate("result", how={"each": SAYS})
        table = run("report", self.path("result"), "--published", "none").stdout.splitlines()[1]
        for title in ("calls", "tokens in", "tokens out", "seconds", "cost"):
            self.assertIn(title, table)
        page = self.path("page.html")
        self.assertEqual(run("report", self.path("result"), "--published", "none", "--html", page, "-q").returncode, 0)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertIn('aria-label="Success against cost"', text)
        self.assertIn('aria-label="Success against seconds"', text)
        data = json.loads(text.split('type="application/json">')[1].split("</script>")[0])
        step, thought, spent = data["episodes"][0]["thoughts"][1]
        self.assertEqual(step, 1)
        self.assertRegex(thought, r"\A2: <b>\u00e9\\x07 \d+\Z")
        self.assertEqual(spent, "calls 2, tokens in 102, tokens out 7, seconds 0.2, cost 0.003")

    def test_charts_of_families_with_another_score_show_that(self):
        for episode, title in (("arc:Lantern/intro#0", "rhae-proxy against cost"), ("autumn:Seesaw/change-1#1", "Score against cost")):
            name = title.split()[0]
            self.evaluate(name, how={"each": SAYS}, episodes=[episode])
            page = run("report", self.path(name), "--published", "none", "--html", "-").stdout
            self.assertIn(f'aria-label="{title}"', page)
            self.assertNotIn("Success against", page)

    def test_a_report_of_silent_agents_has_none_of_it(self):
        self.evaluate("result")
        page = self.path("page.html")
        self.assertEqual(run("report", self.path("result"), "--published", "none", "--html", page, "-q").returncode, 0)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertFalse("Success against" in text)
        self.assertFalse('"thoughts": ' in text)


class Data(Case):
    OPTIONS = {"format": "chat", "answer": "{reasoning}{action_name}", "reasoning": "<think>{thought}</think>"}

    def build(self, out, tapes, code=0, **recipe):
        with open(self.path("recipe.json"), "w", encoding="utf-8") as file:
            json.dump({"name": "d", "oracle": f"tapes:{tapes}", "formats": [self.OPTIONS], "evaluation": "keep", **recipe}, file)
        done = run("build", self.path("recipe.json"), "-o", self.path(out), "-q")
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def lines(self, out, kind):
        return [json.loads(line) for path in sorted(glob.glob(f"{self.path(out)}/{kind}-*.gz")) for line in gzip.open(path)]

    def manifest(self, out):
        with open(self.path(out) + "/manifest.json", encoding="utf-8") as file:
            return json.load(file)

    def forget_unreadable(self, out):
        """A manifest whose recipe speaks of such answers has to count them; afterwards it is as it was."""
        path = self.path(out) + "/manifest.json"
        with open(path, encoding="utf-8") as file:
            text = file.read()
        forged = re.sub(r', *"unreadable": \{"found": \d+, "left_out": \w+\}', "", text)
        self.assertNotEqual(forged, text)
        for written, code in ((resealed(forged), 1), (text, 0)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(written)
            done = run("verify", self.path(out))
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual("unreadable" in done.stderr, code == 1, done.stderr)

    def test_what_stands_in_for_unreadable_answers_is_no_target(self):
        """Whichever episodes have such an answer, all others have rows, and only they; asking again until there is an answer loses none."""
        result = self.evaluate("result", how={"each": UNREADABLE})
        bad = {episode["episode"] for episode in result["episodes"]
               if any(remark["marks"].get("unreadable", 0) == remark["marks"]["answers"] for remark in episode["said"])}
        names = [episode["episode"] for episode in result["episodes"]]
        self.assertTrue(0 < len(bad) < len(names), bad)
        self.assertGreater(sum(episode["marks"].get("unreadable", 0) for episode in result["episodes"] if episode["episode"] not in bad), 0)
        for out, keys, dropped, key in (("dropped", {}, True, "drop"), ("said", {"unreadable": "drop"}, True, "drop"), ("kept", {"unreadable": "keep"}, False, "keep"),
                                        ("labels", {"labels": "observer"}, False, None), ("both", {"labels": "observer", "unreadable": "drop"}, True, "drop")):
            with self.subTest(out):
                self.build(out, self.path("result"), **keys)
                manifest = self.manifest(out)
                self.assertEqual(list(dict.fromkeys(row["name"] for row in self.lines(out, "chat"))), [name for name in names if not (dropped and name in bad)])
                self.assertEqual((manifest["unreadable"], manifest["filtered"]), ({"found": len(bad), "left_out": dropped}, len(bad) * dropped))
                self.assertEqual(manifest["recipe"].get("unreadable"), key)
                self.assertEqual([tape["name"] for tape in self.lines(out, "tapes")], names, "tapes stay")
                with open(self.path(out) + "/README.md", encoding="utf-8") as file:
                    self.assertIn(f"- {len(bad)} have answers of a model that could not be read: {'left out' if dropped else 'kept'}\n", file.read())
                self.assertEqual(run("verify", self.path(out)).returncode, 0)
                if key:
                    self.forget_unreadable(out)
        self.build("dropped", self.path("result"), code=2)
        done = run("build", self.path("recipe.json"), "-o", self.path("dropped"), "--force")
        self.assertIn(f"{len(bad)} have answers of a model that could not be read: left out (--unreadable keep keeps them)\n", done.stdout)
        self.assertNotIn("did not pass", done.stdout)
        self.assertEqual(run("build", self.path("recipe.json"), "-o", self.path("dropped"), "--resume", "-q").returncode, 0, "what is there is what the recipe makes")
        said = json.loads(run("build", self.path("recipe.json"), "--dry-run", "--json").stdout)
        self.assertEqual(said["unreadable"], {"episodes": len(bad), "left_out": True})
        self.assertIn("`unreadable` should be keep or drop", self.build("no", self.path("result"), code=2, unreadable="lose"))

    def test_a_recipe_of_answers_that_were_read_says_nothing_of_others(self):
        self.evaluate("result", how={"each": SAYS})
        self.build("data", self.path("result"))
        manifest = self.manifest("data")
        self.assertNotIn("unreadable", manifest)
        self.assertNotIn("unreadable", manifest["recipe"])

    def test_a_program_that_plays_for_a_dataset_is_treated_alike(self):
        plays = self.command("result", how={"each": UNREADABLE})
        result = self.evaluate("result", how={"each": UNREADABLE})
        names = [episode["episode"] for episode in result["episodes"]]
        done = subprocess.run([SEEDBED, "build", *names, "--agent", result["agent"]["spec"], "--evaluation", "keep", "-o", self.path("played")], env=plays["env"],
                              capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.manifest("played")["unreadable"]
        self.assertTrue(found["found"] and found["left_out"])
        self.assertIn(f"{found['found']} have answers of a model that could not be read: left out", done.stdout)
        self.assertEqual(run("verify", self.path("played")).returncode, 0)

    def test_thoughts_become_reasoning_where_the_recipe_asks(self):
        result = self.evaluate("result", how={"each": SAYS})
        self.build("data", self.path("result"))
        thoughts = {(episode["episode"], remark["step"]): remark["thought"] for episode in result["episodes"] for remark in episode["said"] if "thought" in remark}
        rows = self.lines("data", "chat")
        self.assertEqual(len(rows), sum(episode["steps"] for episode in result["episodes"]))
        for row in rows:
            thought = thoughts.get((row["name"], row["step"]))
            answer = row["messages"][-1]["content"]
            if thought is None:
                self.assertNotIn("<think>", answer)
            else:
                self.assertTrue(answer.startswith(f"<think>{thought}</think>"), answer)
        self.assertEqual(run("verify", self.path("data")).returncode, 0)

    def test_tapes_of_the_dataset_hold_what_was_said(self):
        result = self.evaluate("result", how={"each": SAYS})
        self.build("data", self.path("result"))
        tapes = self.lines("data", "tapes")
        self.assertEqual([tape["said"] for tape in tapes], [episode["said"] for episode in result["episodes"]])
        with gzip.open(self.path("again.jsonl.gz"), "wb") as file:
            for path in sorted(glob.glob(f"{self.path('data')}/tapes-*.gz")):
                file.write(gzip.open(path).read())
        self.build("again", self.path("again.jsonl.gz"))
        for kind in ("chat", "tapes"):
            self.assertEqual(self.lines("again", kind), self.lines("data", kind))

    def test_a_label_that_is_another_action_has_no_reasoning(self):
        self.evaluate("result", how={"each": SAYS})
        self.build("data", self.path("result"), labels="observer")
        taken = {tape["name"]: (tape["actions"], dict(tape.get("labels", []))) for tape in self.lines("data", "tapes")}
        kinds = set()
        for row in self.lines("data", "chat"):
            other = row["step"] in taken[row["name"]][1]
            thinks = "<think>" in row["messages"][-1]["content"]
            kinds.add((other, thinks))
            self.assertFalse(other and thinks)
        self.assertEqual(kinds, {(False, True), (False, False), (True, False)})

    def test_oracles_have_no_thoughts(self):
        with open(self.path("recipe.json"), "w", encoding="utf-8") as file:
            json.dump({"tasks": "GoToGoal", "count": 1, "formats": [self.OPTIONS]}, file)
        done = run("build", self.path("recipe.json"), "-o", self.path("data"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("{reasoning} tells the thoughts of a program", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
