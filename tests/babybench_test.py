"""BabyBench: its three data sets against recorded rows, the three styles of description, and scores of answers.

    python3 tests/babybench_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import csv
import glob
import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import unittest

from dataset_support import FOUND, SEEDBED, TOY, USAGE, InFolder, contents, read, run, tapes_of, unpacked, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GOLDEN = os.path.join(ROOT, "tests/golden/babyai")
BENCHMARK = ["--family", "babyai", "--category", "easy,medium,hard,very_hard", "--agent", "omnibot"]
ROOMS = ["--family", "babyai", "--category", "plan", "--agent", "omnibot"]
COLUMNS = {"predict": "env_name,seed,env_description,initial_state,action_sequence,target_state",
           "plan": "env_name,seed,env_description,initial_state,target_subgoal,expert_action_sequence",
           "decompose": "env_name,seed,env_description,initial_state,mission,help_count"}


def recorded(name):
    with gzip.open(os.path.join(GOLDEN, name), "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]



class Benchmark(InFolder):
    def rows(self, name, selection, format="predict", **options):
        folder = self.build(name, *selection, "--format", json.dumps([{"format": format, **options}]))
        self.assert_verifies(folder)
        return [json.loads(line) for line in unpacked(folder, format).splitlines()]

    def text(self, name, episode, **options):
        return self.rows(name, [episode, "--agent", "omnibot"], **options)[0]["env_description"]

    def score(self, protocol, answers, *flags, program=None):
        lines = "".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in answers)
        path = write(self.path("answers.jsonl"), lines)
        done = run("score", "-p", protocol, path, "-o", "-", *flags, **({"program": program} if program else {}))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads(done.stdout)


class DataSets(Benchmark):
    def check(self, format, selection, seeds):
        """Compares every recorded value, in both forms of the file."""
        folder = self.build(format, *selection, "--seeds", f"1..{seeds}", "--format",
                            json.dumps([{"format": format, "csv": True}, {"format": format, "name": "lines"}]))
        content = read(os.path.join(folder, f"{format}-00000-of-00001.csv")).decode()
        table = list(csv.reader(io.StringIO(content, newline="")))
        self.assertEqual(",".join(table[0]), COLUMNS[format])
        again = io.StringIO(newline="")
        csv.writer(again, lineterminator="\n").writerows(table)
        self.assertEqual(again.getvalue(), content, "fields are quoted only if they have to be")
        rows = [json.loads(line) for line in unpacked(folder, "lines").splitlines()]
        known = {(row["id"], row["seed"]): row for row in recorded("datasets.jsonl.gz")}
        compared = 0
        for fields, row, tape in zip(table[1:], rows, tapes_of(folder), strict=True):
            self.assertEqual([str(row[column]) for column in table[0]], fields)
            expected = known[row["env_name"], row["seed"]]
            self.assertEqual(tape["success"], expected["success"])
            shared = set(row) & set(expected) - {"seed"}
            compared += len(shared)
            self.assertEqual({key: row[key] for key in shared}, {key: expected[key] for key in shared})
        self.assert_verifies(folder)
        return compared, rows

    def test_predict_rows_equal_recorded_ones(self):
        compared, rows = self.check("predict", BENCHMARK, 20)
        self.assertEqual((compared, len(rows)), (16 * 20 * 3, 16 * 20))

    def test_plan_rows_equal_recorded_ones(self):
        compared, rows = self.check("plan", ROOMS, 10)
        self.assertEqual((compared, len(rows)), (16 * 10 * 3, 16 * 10))

    def test_decompose_rows_equal_recorded_ones(self):
        compared, rows = self.check("decompose", BENCHMARK, 20)
        self.assertEqual((compared, len(rows)), (16 * 20 * 3, 16 * 20))

    def test_an_expert_that_never_ends_gives_rows_of_a_thousand_steps(self):
        row = self.rows("d", ["babyai:SynthSeq#79", "--agent", "omnibot"])[0]
        self.assertEqual(len(row["action_sequence"].split(", ")), 1000)

    def test_every_file_of_several_has_the_header_and_workers_change_nothing(self):
        flags = [*ROOMS, "--seeds", "1..2", "--shard-episodes", "16", "--format", '[{"format": "plan", "csv": true}]']
        one, two = (self.build(jobs, *flags, "--jobs", jobs) for jobs in "12")
        self.assertEqual(contents(one), contents(two))
        files = sorted(glob.glob(one + "/plan-*.csv"))
        self.assertEqual(len(files), 2)
        for path in files:
            self.assertEqual(len(list(csv.DictReader(io.StringIO(read(path).decode(), newline="")))), 16)
            self.assertTrue(read(path).startswith(COLUMNS["plan"].encode() + b"\n"))
        altered = read(files[1]).replace(b"forward", b"forwart", 1)
        write(files[1], altered)
        self.refuse(["verify", one], 1, os.path.basename(files[1]))

    def test_rendering_later_gives_the_bytes_of_building_at_once(self):
        flags, both = [*ROOMS, "--seeds", "1"], ["steps", {"format": "plan", "csv": True}]
        folder = self.build("later", *flags)
        done = run("render", folder, "-q", "--format", json.dumps(both[1:]))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(contents(folder), contents(self.build("at once", *flags, "--format", json.dumps(both))))

    def test_families_without_rooms_are_refused_by_name(self):
        for format in COLUMNS:
            self.refuse(["build", "--tasks", "GoToGoal", "-n", "1", "-f", format, "-o", self.path("d")], USAGE, format, "agentick")


class Conversations(Benchmark):
    MARKS = {"predict": "accuracy", "plan": "efficiency", "decompose": "PR"}

    def conversations(self, task):
        selection, seeds = (ROOMS, "1..2") if task == "plan" else (BENCHMARK, "1..6")
        return self.rows(task, [*selection, "--seeds", seeds, "--evaluation", "keep"], task, conversation=True)

    def test_the_answers_in_conversations_are_right(self):
        for task, mark in self.MARKS.items():
            rows = self.conversations(task)
            self.assertEqual({tuple(message["role"] for message in row["messages"]) for row in rows}, {("system", "user", "assistant")})
            answers = [{"env_name": row["env_name"], "seed": row["seed"], "answer": row["messages"][2]["content"]} for row in rows]
            scores = self.score(task, answers)
            self.assertEqual({row[mark] for row in scores["rows"]}, {1}, task)

    def test_the_actions_of_subgoals_are_those_of_the_episode(self):
        for task in self.MARKS:
            for row, tape in zip(self.conversations(task), tapes_of(self.path(task)), strict=True):
                parts = [part.split(", ") if part else [] for part in row["subgoal_actions"]]
                self.assertEqual(len(parts), len(row["subgoals"]))
                names = ["left", "right", "forward", "pickup", "drop", "toggle", "done"]
                self.assertEqual([name for part in parts for name in part], [names[action] for action in tape["actions"]])
                for subgoal, part in zip(row["subgoals"], parts):
                    handled = {"(OpenSubgoal)": ["toggle"], "(PickupSubgoal)": ["pickup"], "(DropSubgoal)": ["drop"]}
                    self.assertEqual(part if subgoal in handled else set(part) <= {"left", "right", "forward"}, handled.get(subgoal, True), subgoal)
                if task == "decompose":
                    self.assertEqual(row["messages"][2]["content"], "\n".join(["<START>", *row["subgoals"], "<END>"]))

    def test_the_columns_of_the_benchmark_stay_and_the_question_holds_them(self):
        for task, columns in COLUMNS.items():
            plain = self.rows("plain " + task, ["babyai:GoToRedBall#3", "--agent", "omnibot"], task)[0]
            row = self.rows("asked " + task, ["babyai:GoToRedBall#3", "--agent", "omnibot"], task, conversation=True)[0]
            self.assertEqual(list(row), [*columns.split(","), "messages", "subgoals", "subgoal_actions"])
            self.assertEqual({key: row[key] for key in plain}, plain)
            user = row["messages"][1]["content"]
            self.assertIn(plain["env_description"], user)
            self.assertIn(plain["initial_state"], user)
            for hidden in {"target_state", "expert_action_sequence"} & set(plain):
                self.assertNotIn(plain[hidden], user)

    def test_conversations_are_no_fields_with_commas(self):
        options = json.dumps([{"format": "plan", "csv": True, "conversation": True}])
        self.refuse(["build", *ROOMS, "--seeds", "1", "--format", options, "-o", self.path("d")], USAGE, "conversation", "csv")


class Descriptions(Benchmark):
    def test_the_json_style_is_indented_by_two_spaces_and_has_the_facts_of_structured(self):
        for episode in ("babyai:BossLevel#81", "babyai:GoToObj#1"):
            text = self.text(episode[-2:] + "j", episode, style="json")
            document = json.loads(text)
            self.assertEqual(json.dumps(document, indent=2), text)
            lines = self.text(episode[-2:] + "s", episode).split("\n")
            config = document["config"]
            self.assertEqual(lines[0], document["context"])
            self.assertEqual(list(config), ["num_rooms", "room_size_incl_walls", "room_size_excl_walls", "grid_size",
                                            "agent_initial_pos", "agent_front_pos", "agent_direction", "objects", "mission"])
            listed = [line for line in lines if line.startswith(" ")]
            self.assertEqual(len(listed), len(config["objects"]))
            for line, thing in zip(listed, config["objects"]):
                x, y = thing["position"]
                lock = f", locked={thing['locked']}" if thing["type"] == "door" else ""
                self.assertEqual(line, f"  {thing['type']}: color={thing['color']}, position=({x}, {y}){lock}")
            self.assertEqual([thing["position"][::-1] for thing in config["objects"]],
                             sorted(thing["position"][::-1] for thing in config["objects"]), "row by row")

    def test_descriptions_match_the_printed_episode(self):
        lines = self.text("d", "babyai:BossLevel#81").split("\n")
        self.assertEqual([line.rsplit(": ", 1)[-1] for line in lines[1:5]], ["3x3", "8x8", "6x6", "22x22"])
        self.assertIn("(19, 18)", lines[5])
        self.assertRegex(lines[6], r"west.*\(18, 18\)")
        self.assertTrue(lines[-1].endswith("open a green door, then put a yellow ball next to the red box"))

    def test_narrative_names_things_in_one_sentence(self):
        objects = [thing for thing in json.loads(self.text("j", "babyai:SynthLoc#3", style="json"))["config"]["objects"]]
        text = self.text("n", "babyai:SynthLoc#3", style="narrative")
        article = {None: "a", True: "a locked", False: "an unlocked"}
        said = [f"{article[thing.get('locked')]} {thing['color']} {thing['type']} at ({thing['position'][0]}, {thing['position'][1]})"
                for thing in objects]
        self.assertIn(f" There is {', '.join(said[:-1])}, and {said[-1]}. ", text)
        self.assertTrue(text.endswith(" "))
        self.assertIn(" There is a yellow key at (1, 6). ", self.text("one", "babyai:GoToObj#1", style="narrative"))

    def test_sentences_can_be_replaced_by_a_file_or_in_the_recipe(self):
        own = {"header": "Say \"{rows}\" {{}}", "mission_line": "Do: {mission}", "object_line": "- {article} {color} {type}{locked}"}
        path = write(self.path("own.json"), json.dumps(own))
        inline, filed = (self.text(name, "babyai:Open#1", templates=templates) for name, templates in (("i", own), ("f", path)))
        self.assertEqual(inline, filed)
        lines = inline.split("\n")
        self.assertEqual(lines[0], 'Say "3" {}')
        self.assertRegex("\n".join(lines), r"\n- an? (un)?locked \w+ door, locked=(True|False)\n")
        self.assertTrue(lines[-1].startswith("Do: open "))
        self.assertEqual(lines[1:8], self.text("o", "babyai:Open#1").split("\n")[1:8], "sentences that are not replaced stay ours")

    def test_sentences_from_a_file_become_part_of_the_dataset(self):
        own = {"header": "Say \"{rows}\" {{}}", "mission_line": "Do: {mission}"}
        path = write(self.path("own.json"), json.dumps(own, indent=3))
        flags = ["babyai:GoToObj#1", "--evaluation", "keep"]
        options = {templates: json.dumps({"format": "plan", "templates": value}) for templates, value in (("inline", own), ("file", path))}
        inline = self.build("inline", *flags, "-f", options["inline"])
        recipe = write(self.path("r.json"), json.dumps({"names": flags[:1], "evaluation": "keep", "formats": [json.loads(options["file"])]}))
        for folder in (self.build("flags", *flags, "-f", options["file"]), self.build("recipe", recipe)):
            self.assertEqual(contents(folder), contents(inline))
        rendered = self.build("rendered", *flags, "-f", "steps")
        self.assertEqual(run("render", rendered, "-q", "--format", options["file"]).returncode, 0)
        os.remove(path)
        for folder in (inline, rendered):
            self.assertEqual(json.loads(read(folder + "/manifest.json"))["recipe"]["formats"][-1]["templates"], own)
            self.assert_verifies(folder)

    def test_datasets_that_name_a_file_of_sentences_still_verify_if_it_exists(self):
        own = {"header": "Say {rows}"}
        path = write(self.path("own.json"), json.dumps(own))
        folder = self.build("d", "babyai:GoToObj#1", "--evaluation", "keep", "-f", json.dumps({"format": "plan", "templates": own}))
        card = read(folder + "/README.md").decode()
        self.assertIn(json.dumps(own), card)
        card = write(folder + "/README.md", card.replace(json.dumps(own), json.dumps(path)))
        manifest = json.loads(read(folder + "/manifest.json"))
        manifest["recipe"]["formats"][0]["templates"] = path
        manifest["card"].update(bytes=len(read(card)), sha256=hashlib.sha256(read(card)).hexdigest())
        del manifest["sha256"]
        body = json.dumps(manifest).removesuffix("}")
        write(folder + "/manifest.json", body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n')
        self.assert_verifies(folder)
        os.remove(path)
        self.refuse(["verify", folder], FOUND, "own.json")

    def test_mistakes_in_templates_are_named(self):
        for templates, words in (({"heder": ""}, ["heder"]), ({"header": "{color}"}, ["header", "{color}"]), (3, ["templates"]),
                                 (self.path("none.json"), ["none.json"]), (write(self.path("bad.json"), "{"), ["bad.json"])):
            options = json.dumps([{"format": "plan", "templates": templates}])
            code = FOUND if words == ["none.json"] else USAGE
            self.refuse(["build", "babyai:GoToObj#1", "--format", options, "-o", self.path("d")], code, "templates", *words)


class Scores(Benchmark):
    def test_recorded_plans_get_the_recorded_scores(self):
        plans = recorded("decompose.jsonl.gz")
        answers = [{"env_name": plan["id"], "seed": plan["seed"], "answer": f"Well.\n<Start>\n{plan['plan']}\n<END> done"} for plan in plans]
        scores = self.score("decompose", answers)
        for plan, row in zip(plans, scores["rows"], strict=True):
            self.assertEqual({key: row[key] for key in ("CR", "PR", "ACI", "added", "max_help")},
                             {key: plan[key] for key in ("CR", "PR", "ACI", "added", "max_help")})
        for key in ("CR", "PR", "ACI"):
            self.assertAlmostEqual(scores["all"][key], sum(plan[key] for plan in plans) / 288)
        self.assertEqual([(group["group"], group["answers"]) for group in scores["groups"]],
                         [("easy", 90), ("medium", 90), ("hard", 54), ("very_hard", 54)])
        self.assertEqual([level["answers"] for level in scores["levels"]], [18] * 16)

    def test_recorded_states_are_right_and_other_states_are_wrong(self):
        rows = [row for row in recorded("datasets.jsonl.gz") if "target_state" in row][::9]
        mark = "the agent's final state is: "
        for told in (True, False):
            given = [{"env_name": row["id"], "seed": row["seed"], **({"action_sequence": row["action_sequence"]} if told else {})}
                     for row in rows]
            right = [{**line, "answer": mark.upper() + row["target_state"]} for line, row in zip(given, rows)]
            scores = self.score("predict", right)
            self.assertEqual((scores["all"]["accuracy_percent"], scores["all"]["mean_distance"], scores["all"]["mean_distance_of_wrong"]),
                             (100, 0, None))
        states = [list(map(int, re.findall(r"\d+", row["target_state"]))) for row in rows]
        moved = [{**line, "answer": f"{mark}(({x - 2}, {y + 1}), {d})"} for line, (x, y, d) in zip(given, states)]
        turned = [{**line, "answer": f"{mark}{x} {y} facing {(d + 1) % 4}"} for line, (x, y, d) in zip(given, states)]
        scores = self.score("predict", moved + turned)["all"]
        self.assertEqual((scores["accuracy_percent"], scores["position_accuracy_percent"], scores["mean_distance"]), (0, 50, 1.5))

    def predict(self, answer):
        row = self.score("predict", [{"name": "babyai:GoToObj#1", "answer": answer}])["rows"][0]
        self.assertEqual(row["expected"], "((1, 5), 1)")
        self.assertEqual("reason" in row, "said" not in row)
        return row.get("said")

    def test_states_are_read_as_the_benchmark_reads_them(self):
        mark = "The agent's final state is: "
        for answer, said in ((mark + "((1,5),1)", "((1, 5), 1)"), (mark + "3 ( ( -1 ,\n5 ) , 1 )", "((-1, 5), 1)"),
                             (mark + "x=1, y=-5, d=1.", "((1, -5), 1)"), (mark + "((1, 5, 1))", "((1, 5), 1)"),
                             (mark + "((1, 2), 3) " + mark + "((4, 5), 1)", "((1, 2), 3)"), (mark + "1 2", None), (mark, None),
                             ("((1, 5), 1)", None), ("", None), (mark + "9" * 40 + " 1 1", "((1000000000, 1), 1)")):
            with self.subTest(answer=answer):
                self.assertEqual(self.predict(answer), said)

    def test_long_answers_are_read_in_time(self):
        mark = "The agent's final state is: "
        for filling in (" " * 2000000, "(" * 2000000, "( " * 1000000, "-" * 2000000, "((1" + "," * 2000000, mark * 60000):
            self.assertIsNone(self.predict(mark + "x" + filling + "x"))

    def plan(self, *lists, name="babyai:GoToRedBall-Small-4Dists#1"):
        answers = [{"name": name, "answer": "So. The llm's action SEQUENCE is: " + actions} for actions in lists]
        return self.score("plan", answers)

    def test_plans_are_played_and_compared_with_the_expert(self):
        best = "left, forward, forward, left, forward"
        scores = self.plan(best, " Left ,FORWARD,jump, forward, left, forward, done, done., ", "left, forward", "")
        good, long, short, none = scores["rows"]
        self.assertEqual((good["success"], good["efficiency"], good["distance"], good["expert_steps"]), (1, 1.0, 0, 5))
        self.assertEqual(good["reward"], good["expert_reward"])
        self.assertEqual((long["success"], long["steps"], long["efficiency"]), (1, 6, 5 / 6))
        self.assertEqual((short["success"], short["efficiency"], short["reward"], short["distance"]), (0, 0.0, 0.0, 2))
        self.assertEqual((none["success"], none["distance"]), (0, 3))
        self.assertIn("no action", none["reason"])
        everything = scores["all"]
        self.assertEqual((everything["success_rate"], everything["unreadable"]), (0.5, 1))
        self.assertAlmostEqual(everything["mean_efficiency"], (1 + 5 / 6) / 4)
        self.assertAlmostEqual(everything["efficiency_ratio"], (1 + 5 / 6) / 2)

    def test_fewer_steps_than_the_expert_are_more_than_one(self):
        row = self.score("plan", [{"name": "babyai:GoToRedBall-Small-4Dists#1", "answer":
                                   "The LLM's action sequence is: left, forward, forward, left, forward"}], "--expert", "random")["rows"][0]
        self.assertGreater(row["efficiency"], 1)

    def test_a_carried_target_has_no_distance(self):
        rows = self.rows("d", ["--family", "babyai", "--tasks", "PickupLoc", "--seeds", "1..10", "--agent", "omnibot"])
        marks = self.score("plan", [{"env_name": row["env_name"], "seed": row["seed"], "answer":
                                     "The LLM's action sequence is: " + row["action_sequence"]} for row in rows])["rows"]
        only = [": pick up the " in row["env_description"] for row in rows]
        self.assertIn(True, only)
        for mark, is_carried in zip(marks, only, strict=True):
            self.assertEqual((mark["success"], mark["efficiency"]), (1, 1.0))
            self.assertEqual("distance" not in mark, is_carried)

    def test_plans_without_an_end_lose_a_character_and_bad_ones_have_a_reason(self):
        name = "babyai:PutNextLocal#0"
        for answer, reason in (("<START>\n(OpenSubgoal)x", None), ("<START>\n(OpenSubgoal)", "`)` expected"), ("<START>\n\n<END>", "empty"),
                               ("<START>\n<END>", "empty"), ("<START>\n", "empty"), ("(OpenSubgoal)", "<START>"),
                               ("<START>\n(JumpSubgoal)\n<END>", "JumpSubgoal"), ("<START>\nGoNextToSubgoal, (9999,9999)\n<END>", None)):
            with self.subTest(answer=answer):
                row = self.score("decompose", [{"name": name, "answer": answer}])["rows"][0]
                self.assertEqual((row["CR"], row["max_help"]), (0, 4))
                self.assertEqual("reason" in row, reason is not None)
                self.assertIn(reason or "", row.get("reason", ""))

    def test_unreadable_answers_count_as_wrong_and_are_counted(self):
        nonsense = ["rubbish\n", "[1]\n", '{"name": "babyai:GoTo#1"}\n', "\n", '{"name": "babyai:Nope#1", "answer": ""}\n',
                    '{"name": "babyai:GoTo#1", "answer": 5}\n', '{"env_name": "GoTo", "seed": -1, "answer": ""}\n', '{"answer": ""}\n', "\0\n",
                    '{"name": "GoToGoal-v0/easy#1", "answer": "The agent\'s final state is: 1 1 1"}\n', '{"cut']
        for protocol, measure in (("predict", "accuracy"), ("plan", "success"), ("decompose", "CR")):
            scores = self.score(protocol, nonsense)
            self.assertEqual((scores["all"]["answers"], scores["all"]["unreadable"]), (10, 10))
            for row in scores["rows"]:
                self.assertEqual(row[measure], 0)
                self.assertTrue(row["reason"])
            self.assertEqual([row["line"] for row in scores["rows"]], [1, 2, 3, 5, 6, 7, 8, 9, 10, 11])

    def test_workers_change_nothing_and_a_file_holds_what_is_printed(self):
        plans = recorded("decompose.jsonl.gz")[:40]
        answers = [{"env_name": plan["id"], "seed": plan["seed"], "answer": f"<START>\n{plan['plan']}\n<END>"} for plan in plans]
        one, three = (self.score("decompose", answers, "--jobs", jobs) for jobs in "13")
        self.assertEqual(one, three)
        path = self.path("answers.jsonl")
        done = run("score", "-p", "decompose", path, "-o", self.path("s.json"))
        self.assertEqual(json.loads(read(self.path("s.json"))), one)
        self.assertIn("GoToObj ", done.stdout)
        short = json.loads(run("score", "-p", "decompose", path, "--json").stdout)
        self.assertEqual(short, {key: value for key, value in one.items() if key != "rows"})

    def grouped(self, protocol, answers, by):
        scores = self.score(protocol, answers, "--by", by)
        self.assertEqual(scores["by"]["what"], by)
        return scores, {group["name"]: group for group in scores["by"]["groups"]}

    def recorded_plans(self):
        return [{"env_name": plan["id"], "seed": plan["seed"], "answer": f"<START>\n{plan['plan']}\n<END>"} for plan in recorded("decompose.jsonl.gz")]

    def test_answers_are_grouped_by_the_help_that_missions_take(self):
        scores, groups = self.grouped("decompose", self.recorded_plans(), "added")
        self.assertEqual(list(groups), ["0-2", "3-6", "7-9", "10+"])
        bands = {"0-2": range(0, 3), "3-6": range(3, 7), "7-9": range(7, 10), "10+": range(10, 1000)}
        for name, group in groups.items():
            rows = [row for row in scores["rows"] if row["max_help"] in bands[name]]
            self.assertEqual(group["answers"], len(rows))
            self.assertAlmostEqual(group["CR"], sum(row["CR"] for row in rows) / len(rows))
        self.assertEqual(sum(group["answers"] for group in groups.values()), 288)
        path = write(self.path("p.jsonl"), '{"name": "babyai:GoTo#1", "answer": ""}\n')
        self.refuse(["score", "-p", "predict", path, "--by", "added"], USAGE, "decompose")

    def test_the_assistance_curve_says_how_many_are_solved_with_how_much_help(self):
        plans = self.recorded_plans()
        scores = self.score("decompose", plans)
        for part in (scores["all"], *scores["groups"], *scores["levels"]):
            self.assertEqual(part["curve"], sorted(part["curve"]))
            self.assertLessEqual(part["curve"][-1], part["CR"])
            self.assertEqual(part["curve"][0], part["PR"])
        rows = [(row, plan) for row, plan in zip(scores["rows"], plans) if row["max_help"] == 4]
        curve = [sum(row["CR"] == 1 and row["added"] <= k for row, _ in rows) / len(rows) for k in range(4)]
        alone = self.score("decompose", [plan for _, plan in rows])["all"]
        self.assertEqual(alone["curve"], curve)
        self.assertAlmostEqual(sum(curve) / 4, alone["ACI"], msg="where all missions take as much help, ACI is the area below the curve")

    def test_answers_are_grouped_by_skill_and_size(self):
        answers = [{"name": name, "answer": "The agent's final state is: ((1, 1), 1)"} for name in
                   ("babyai:GoToObj#1", "babyai:GoTo#1", "babyai:BossLevel#1", "babyai:GoToRedBall-Large-120Dists#1")]
        _, skills = self.grouped("predict", [*answers, {"name": "babyai:GoTo#2", "answer": "no idea"}], "skill")
        self.assertEqual({name: group["answers"] for name, group in skills.items()},
                         {"go to": 5, "distractors": 4, "rooms": 3,
                          "open": 1, "pick up": 1, "put next": 1, "unblock": 1, "unlock": 1, "implicit unlock": 1, "location": 1, "sequence": 1})
        self.assertEqual(skills["go to"]["unreadable"], 1)
        _, sizes = self.grouped("predict", answers, "size")
        self.assertEqual([(name, group["answers"]) for name, group in sizes.items()], [("8x8", 1), ("22x22", 2), ("24x24", 1)])
        done = run("score", "-p", "predict", self.path("answers.jsonl"), "--by", "size")
        self.assertRegex(done.stdout, r"by size\n8x8 +1 ")
        path = write(self.path("p.jsonl"), '{"name": "autumn:Seesaw#1", "answer": ""}\n')
        self.refuse(["score", "-p", "predict", path, "--by", "skill"], USAGE, "skill")
        self.refuse(["score", "-p", "predict", path, "--by", "colour"], USAGE, "colour")

    def test_skills_follow_from_what_levels_are(self):
        """Held against worlds and missions: what a mission says, and what stands in it, is among the skills of its level."""
        tasks = json.loads(run("tasks", "--family", "babyai", "--json").stdout)[0]["tasks"]
        self.assertTrue(all(task["skills"] for task in tasks))
        skills = {"babyai:" + task["name"]: set(task["skills"]) for task in tasks}
        verbs = {"go to": "go to", "open": "open", "pick up": "pick up", "put": "put next"}
        said = {name: set() for name in skills}
        for seed in range(40):
            texts = run("show", *(f"{name}#{seed}" for name in skills), "--mode", "view7", "--json").stdout
            for document in map(json.loads, texts.splitlines()):
                name, mission = document["name"].split("#")[0], document["observation"]["mission"]
                said[name] |= {skill for verb, skill in verbs.items() if re.search(rf"\b{verb}\b", mission)}
                said[name] |= {"sequence"} if re.search(r" and |, then | after you ", mission) else set()
                said[name] |= {"location"} if re.search(r"on your|in front of you|behind you", mission) else set()
        for name, found in said.items():
            self.assertLessEqual(found, skills[name], name)
            self.assertLessEqual(skills[name] & {*verbs.values()}, found, (name, "a skill that no mission asks for"))

    def test_score_works_in_the_program_of_the_test_families(self):
        scores = self.score("plan", [{"name": "nowhere#1", "answer": "The LLM's action sequence is: left"}], program=TOY)
        self.assertEqual(scores["all"]["unreadable"], 1)

    def test_wrong_calls_are_refused(self):
        path = write(self.path("a.jsonl"), '{"name": "babyai:GoTo#1", "answer": ""}\n')
        for arguments, words in ((["score", path], ["--protocol"]), (["score", "-p", "plan"], ["one file"]),
                                 (["score", "-p", "plans", path], ["plans", "predict"]), (["score", "-p", "plan", self.path("no")], ["cannot read"]),
                                 (["score", "-p", "plan", path, "--expert", "nobody"], ["nobody"]),
                                 (["score", "-p", "plan", write(self.path("e"), "\n\n")], ["no answers"])):
            done = run(*arguments)
            self.assertEqual(done.returncode, FOUND if words == ["cannot read"] else USAGE, done.stderr)
            for word in words:
                self.assertIn(word, done.stderr)


class Interactive(InFolder):
    def show(self, episode, mode):
        done = run("show", episode, "--mode", mode)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_language_names_as_many_things_as_the_view_of_the_same_size(self):
        for seed in range(4):
            for size in (3, 5, 7, 9):
                episode = f"babyai:GoToRedBall-Large-120Dists#{seed}"
                image = json.loads(self.show(episode, f"view{size}"))["image"]
                visible = sum(4 <= cell[0] <= 7 for i, column in enumerate(image) for j, cell in enumerate(column)
                              if (i, j) != (size // 2, size - 1))
                words = self.show(episode, f"language{size}").split(" You see ")[1]
                self.assertEqual(len(re.findall(r"\b(?:key|ball|box) ", words)), visible, (seed, size, words))

    def play(self, *flags, code=0, word=""):
        agent = "exec:" + sys.executable + " " + os.path.join(ROOT, "examples/agents/in_words.py") + " {mode}" + word
        done = subprocess.run([sys.executable, os.path.join(ROOT, "examples/babybench/play.py"), "--agent", agent, "-o", self.path("played"), "--seedbed", SEEDBED, *flags],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def results(self, name):
        return {row["episode"]: row for row in json.loads(read(self.path(f"played/{name}.json")))["episodes"]}

    def test_one_command_plays_all_groups_with_their_views(self):
        done = self.play("--seeds", "2", "--", "--max-steps", "40", "--max-lost", "0")
        sizes = {"easy": "35", "medium": "57", "hard": "57", "very_hard": "79"}
        wanted = {f"{group}-language{size}.json" for group, pair in sizes.items() for size in pair} | {f"{group}-omnibot.json" for group in sizes}
        self.assertEqual(set(os.listdir(self.path("played"))), wanted)
        self.assertEqual([line[3:] for line in done.stdout.splitlines() if line.startswith("== ")], list(sizes))
        self.assertEqual(done.stdout.count("Efficiency beside the expert"), 4)

    def test_efficiency_is_the_steps_of_the_expert_beside_those_of_the_agent(self):
        self.play("--groups", "easy", "--seeds", "2,3,5", "--", "--max-steps", "64", "--max-lost", "0")
        paths = [self.path(f"played/easy-language{size}.json") for size in (3, 5)]
        tables = json.loads(run("report", *paths, "--expert", self.path("played/easy-omnibot.json"), "--published", "none", "--json").stdout)
        table = next(table for table in tables if table["title"] == "Efficiency beside the expert")
        rows = {row[0]: row[1:] for row in table["rows"][1:]}
        self.assertEqual(list(rows), ["all", "easy", "GoToObj", "GoToRedBallGrey", "GoToRedBall", "GoToLocal", "PutNextLocal"])
        known = self.results("easy-omnibot")
        for column, size in enumerate((3, 5)):
            played = self.results(f"easy-language{size}")
            self.assertTrue(any(row["success"] for row in played.values()))
            values = {name: known[name]["steps"] / row["steps"] if row["success"] else 0 for name, row in played.items()}
            for task, row in rows.items():
                mine = [value for name, value in values.items() if task in ("all", "easy") or name.startswith(f"babyai:{task}#")]
                self.assertEqual(row[column], f"{sum(mine) / len(mine):.3f}", (size, task))

    def test_an_expert_that_played_other_episodes_is_refused(self):
        for seed in "12":
            run("eval", f"babyai:GoToObj#{seed}", "--agent", "omnibot", "-q", "-o", self.path(seed + ".json"))
        self.refuse(["report", self.path("1.json"), "--expert", self.path("2.json")], USAGE, "2.json", "babyai:GoToObj#1")

    def test_an_interrupted_command_goes_on(self):
        self.play("--groups", "easy", "--seeds", "2", "--", "--max-steps", "40", "--max-lost", "0")
        before = {name: read(self.path("played/" + name)) for name in os.listdir(self.path("played"))}
        os.remove(self.path("played/easy-language5.json"))
        self.play("--groups", "easy", "--seeds", "2", "--", "--max-steps", "40", "--max-lost", "0")
        after = {name: read(self.path("played/" + name)) for name in os.listdir(self.path("played"))}
        self.assertEqual(set(after), set(before))
        self.assertEqual(after["easy-language3.json"], before["easy-language3.json"])

    def test_results_of_another_agent_or_of_other_seeds_are_not_shown(self):
        few = ["--", "--max-steps", "4", "--max-lost", "0"]
        self.play("--groups", "easy", "--seeds", "2", *few)
        for flags, word, name, words in (([], " again", "easy-language3", "another agent"), (["--seeds", "3"], "", "easy-omnibot", "other episodes")):
            done = self.play("--groups", "easy", "--seeds", "2", *flags, *few, word=word, code=1)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, rf"\A[^\n]*{name}\.json is the result of {words}[^\n]*\n\Z")
        self.assertIn("== easy", self.play("--groups", "easy", "--seeds", "2", *few).stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
