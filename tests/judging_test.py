"""Tasks that are judged by a score, or by nothing, and worlds that end by a fault, through all layers: rows, results, reports, certificates,
programs, people. The family `climb` has them: Climb-v1 has a score and levels, and a cell that breaks the world; Roam-v1 has no success."""
import ast
import json
import os
import statistics
import struct
import sys
import unittest
import zipfile

from dataset_support import FOUND, SEEDBED, TOY, USAGE, InFolder, read, rows_of, run, tapes_of, unpacked, write

BOTH = ["--tasks", "climb:Climb,Roam", "--seeds", "0..19"]
KEPT = [*BOTH, "--evaluation", "keep"]  # all towers begin alike
BROKEN = "the cell at (3,2) is broken"
NO_SUCCESS = "Roam-v1 has no success"
STANDING = ["score", "level", "n_levels", "fault"]


def toy(*arguments, code=0, **options):
    done = run(*arguments, program=TOY, **options)
    assert done.returncode == code, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def is_roam(item):
    return "Roam" in (item.get("name") or item.get("episode"))


def arrays_of(path):
    """Reads the arrays of one dimension in a file of NumPy's, without NumPy."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            size, = struct.unpack("<H", content[8:10])
            head = ast.literal_eval(content[10:10 + size].decode())
            kind = head["descr"].replace("|S", "S").replace("<", "").replace("|", "")
            code = {"b1": "?", "i4": "i", "i8": "q", "u8": "Q", "f8": "d"}.get(kind, f"{kind[1:]}s")
            if len(head["shape"]) == 1:
                arrays[name.removesuffix(".npy")] = [value for value, in struct.iter_unpack("<" + code, content[10 + size:])]
    return arrays


class Tapes(InFolder):
    def setUp(self):
        super().setUp()
        self.tapes = lines_of(toy("solve", *BOTH, "--agent", "random", "--json", code=FOUND))

    def test_tapes_have_only_the_keys_that_apply_to_the_task(self):
        self.assertTrue(any(map(is_roam, self.tapes)))
        self.assertTrue(any("fault" in tape for tape in self.tapes))
        for tape in self.tapes:
            roams = is_roam(tape)
            self.assertEqual(tape["success"] is None, roams)
            self.assertEqual(["score" in tape, "level" in tape, "n_levels" in tape], 3 * [not roams])
            self.assertIn(tape.get("fault", True), [True])
            self.assertTrue(roams or 0 <= tape["level"] <= tape["n_levels"] == 3)
        self.assertTrue(any(0 < tape.get("level", 0) for tape in self.tapes))

    def test_every_key_of_a_tape_is_verified(self):
        good = next(tape for tape in self.tapes if "fault" in tape and tape["score"] > 0)
        path = write(self.path("tape"), json.dumps(good))
        self.assertIn("every one replayed", toy("verify", path))
        for change, word in [({"score": good["score"] + 1}, "score"), ({"level": good["level"] - 1}, "level"), ({"n_levels": 4}, "n_levels"),
                             ({"level": 4}, "n_levels"), ({"fault": False}, "fault"), ({"success": None}, "success"),
                             ({"terminated": False, "truncated": True}, "fault")]:
            write(path, json.dumps({**good, **change}))
            self.refuse(["verify", path], FOUND, word, program=TOY)
        for key in ["score", "level", "fault"]:
            write(path, json.dumps({name: value for name, value in good.items() if name != key}))
            self.refuse(["verify", path], FOUND, key, program=TOY)
        roams = next(filter(is_roam, self.tapes))
        for change in [{"success": False}, {"score": 0.0}]:
            write(path, json.dumps({**roams, **change}))
            self.refuse(["verify", path], FOUND, *change, program=TOY)


class Rows(InFolder):
    FORMATS = ["steps", "trajectories", "chat"]

    def setUp(self):
        super().setUp()
        self.data = self.build("data", *KEPT, "--agent", "random", "--format", ",".join(self.FORMATS), program=TOY)
        self.tapes = {tape["name"]: tape for tape in tapes_of(self.data)}

    def test_success_is_null_in_tasks_without_success(self):
        for kind in self.FORMATS:
            rows = lines_of(unpacked(self.data, kind).decode())
            self.assertEqual(len({tuple(row) for row in rows}), 1, "all rows of a format have the same columns")
            self.assertEqual({row["name"] for row in rows}, set(self.tapes))
            for row in rows:
                tape = self.tapes[row["name"]]
                wanted = [tape["success"], tape.get("score"), tape.get("level"), tape.get("n_levels"), tape.get("fault", False)]
                self.assertEqual([row[key] for key in ["success", *STANDING]], wanted, kind)

    def test_datasets_verify(self):
        self.assert_verifies(self.data, program=TOY)

    def test_success_rates_leave_out_tasks_without_success(self):
        stats = json.loads(read(os.path.join(self.data, "stats.json")))
        climb, roam = stats["groups"]
        successes = sum(bool(tape["success"]) for tape in self.tapes.values())
        self.assertEqual((climb["success_rate"], roam["success_rate"]), (successes / 20, None))
        card = read(os.path.join(self.data, "README.md")).decode()
        self.assertIn(f"| Climb-v1 | - | 20 | {5 * successes}.0 % |", card)
        self.assertRegex(card, r"\| Roam-v1 \| - \| 20 \| - \|")
        self.assertIn(f"; {successes} of the 20 whose task has success succeeded.", card)
        for column in STANDING:
            self.assertIn(f"| `{column}` |", card)

    def test_success_rates_count_the_tasks_that_have_success(self):
        data = self.build("expert", *KEPT, program=TOY)
        stats = json.loads(read(os.path.join(data, "stats.json")))
        self.assertEqual((stats["total"]["success_rate"], stats["total"]["episodes"], stats["total"]["successes"]), (1.0, 40, 20))

    def test_parts_and_resumed_builds_give_the_same_bytes(self):
        parts = [self.build(f"part{i}", *KEPT, "--agent", "random", "--format", ",".join(self.FORMATS), "--shard-episodes", "16", "--shard",
                            f"{i}/2", program=TOY) for i in (1, 2)]
        toy("merge", *parts, "-o", self.path("merged"), "--quiet")
        whole = self.build("whole", *KEPT, "--agent", "random", "--format", ",".join(self.FORMATS), "--shard-episodes", "16", program=TOY)
        for name in sorted(os.listdir(whole)):
            self.assertEqual(read(os.path.join(whole, name)), read(os.path.join(self.path("merged"), name)), name)

    def test_families_with_success_only_have_no_columns_for_scores(self):
        for program, task in [(SEEDBED, "PreciseNavigation-v0/easy#0"), (SEEDBED, "babyai:GoToRedBall#0"), (TOY, "toy:Pile-v1#0")]:
            data = self.build(task.split("#")[0].replace("/", "_").replace(":", "_"), task, program=program)
            for row in rows_of(data):
                self.assertIs(type(row["success"]), bool)
                self.assertFalse(set(row) & set(STANDING), task)

    def test_arrays_have_numbers_in_place_of_null(self):
        data = self.build("arrays", *KEPT, "--agent", "random", "--format", "npz", program=TOY)
        arrays = arrays_of(os.path.join(data, "npz-00000-of-00001.npz"))
        tapes = [self.tapes[name.rstrip(b"\0").decode()] for name in arrays["names"]]
        self.assertEqual(arrays["successes"], [tape["success"] or False for tape in tapes])
        self.assertEqual([None if score != score else score for score in arrays["scores"]], [tape.get("score") for tape in tapes])
        self.assertEqual(arrays["levels"], [tape.get("level", 0) for tape in tapes])
        self.assertEqual(arrays["n_levels"], [tape.get("n_levels", 0) for tape in tapes])
        self.assertEqual(arrays["faults"], ["fault" in tape for tape in tapes])
        card = read(os.path.join(data, "README.md")).decode()
        self.assertIn("false in tasks that have no success", card)
        self.assert_verifies(data, program=TOY)

    def test_episodes_in_minari_have_attributes_for_scores(self):
        data = self.build("minari", *KEPT, "--agent", "random", "--format", "minari", program=TOY)
        card = read(os.path.join(data, "README.md")).decode()
        self.assertIn("`score` (NaN in tasks that have none), `level` and `n_levels`", card)
        self.assert_verifies(data, program=TOY)

    def test_prompts_name_all_clicks_once(self):
        chat = {"format": "chat", "system": "", "user": "{valid_actions}", "style": "prompt", "valid": {"item": "{action}={action_name}"}}
        data = self.build("chat", "climb:Climb#1", "--evaluation", "keep", "--format", json.dumps(chat), program=TOY)
        rows = lines_of(unpacked(data, "chat").decode())
        self.assertEqual(rows[0]["prompt"], "0=up, 2=click")
        self.assertIn("0=up, 1=down, 2=click", {row["prompt"] for row in rows})


class Refusals(InFolder):
    def test_refused_success_filters_name_the_task(self):
        self.refuse(["build", *BOTH, "--success", "-o", self.path("a")], USAGE, "filter", NO_SUCCESS, "a task to explore", program=TOY)
        path = write(self.path("recipe.json"), json.dumps({"tasks": "climb:Roam", "seeds": "0..3", "filter": {"success": False}}))
        self.refuse(["build", path, "-o", self.path("b")], USAGE, "filter", NO_SUCCESS, program=TOY)
        self.refuse(["build", path, "--dry-run"], USAGE, "filter", NO_SUCCESS, program=TOY)
        self.assertEqual(os.listdir(self.folder), ["recipe.json"])

    def test_other_filters_are_accepted(self):
        self.build("steps", *KEPT, "--min-steps", "1", program=TOY)
        self.build("scored", "--tasks", "climb:Climb", "--seeds", "0..3", "--success", "--evaluation", "keep", program=TOY)

    def test_refused_certificates_name_the_task(self):
        self.refuse(["certify", "climb:Climb#1", "climb:Roam#1"], USAGE, NO_SUCCESS, program=TOY)
        self.refuse(["certify", "climb:Roam#1", "-o", self.path("c.jsonl.gz")], USAGE, NO_SUCCESS, program=TOY)
        self.assertEqual(os.listdir(self.folder), [])

    def test_refused_files_of_certificates_name_the_task(self):
        lines = toy("certify", "climb:Climb#1", "--json").splitlines()
        head = {"certificates": 1, "rules": "climb 1", "budget": 10, "episodes": 1, "selection": {"names": ["climb:Roam-v1#1"]}}
        path = write(self.path("c.jsonl"), "\n".join([json.dumps(head), *lines, json.dumps({"episode": "climb:Roam-v1#1", "verdict": "unknown",
                                                                                            "states": 1})]) + "\n")
        self.refuse(["eval", "climb:Roam#1", "--certificates", path], USAGE, NO_SUCCESS, program=TOY)

    def test_a_task_with_a_score_is_certified_by_its_success(self):
        path = self.path("climb.jsonl.gz")
        toy("certify", "--tasks", "climb:Climb", "--seeds", "0..9", "-o", path, "--quiet")
        self.assertIn("10 solved", toy("verify", path))


class Results(InFolder):
    def setUp(self):
        super().setUp()
        self.result = self.path("result.json")
        self.said = toy("eval", *BOTH, "--agent", "random", "-o", self.result)
        self.document = json.loads(read(self.result))
        self.tapes = {tape["name"]: tape for tape in lines_of(toy("solve", *BOTH, "--agent", "random", "--json", code=FOUND))}

    def test_results_of_episodes_have_the_keys_of_their_tapes(self):
        self.assertEqual(len(self.document["episodes"]), len(self.tapes))
        for episode in self.document["episodes"]:
            tape = self.tapes[episode["episode"]]
            for key in ["success", *STANDING]:
                self.assertEqual((key in episode, episode.get(key)), (key in tape, tape.get(key)))

    def test_tallies_have_success_rates_over_judged_episodes_and_mean_scores(self):
        family, = self.document["families"]
        climb, roam = family["tasks"]
        scores = [tape["score"] for tape in self.tapes.values() if "score" in tape]
        faults, successes = (sum(bool(tape.get(key)) for tape in self.tapes.values()) for key in ("fault", "success"))
        self.assertTrue(0 < successes < 20)
        for tally, episodes in [(climb, 20), (family["all"], 40)]:
            self.assertEqual((tally["episodes"], tally["scored"], tally["faults"], tally["success_rate"]),
                             (episodes, 20, faults, successes / 20))
            self.assertAlmostEqual(tally["mean_score"], statistics.mean(scores))
            low, high = tally["score_interval"]
            self.assertTrue(min(scores) <= low < tally["mean_score"] < high <= max(scores))
        self.assertEqual((roam["episodes"], roam["judged"], roam["successes"], roam["success_rate"], roam["success_interval"]),
                         (20, 0, 0, None, None))
        self.assertFalse({"mean_score", "scored", "faults"} & set(roam))
        self.assertEqual(family["all"]["judged"], 20)
        self.assertNotIn("judged", climb)

    def test_tasks_without_success_do_not_lower_success_rates(self):
        family, = json.loads(toy("eval", *BOTH, "--json"))["families"]
        self.assertEqual((family["all"]["success_rate"], family["all"]["successes"], family["all"]["episodes"]), (1.0, 20, 40))

    def test_tables_show_scores(self):
        faults = sum("fault" in tape for tape in self.tapes.values())
        self.assertRegex(self.said, rf"(?m)^Climb-v1 .* {faults} by a fault$")
        self.assertRegex(self.said, r"(?m)^Roam-v1 +20 +- +- +0\.0000")
        self.assertRegex(self.said, r"(?m)^all .*success 0\.\d+\.\.0\.\d+  score 0\.")
        self.assertIn(f"{faults} episodes ended by a fault of the world", self.said)
        report = toy("report", self.result)
        self.assertRegex(report, r"(?m)^  Roam-v1 +- +- +0\.000$")
        self.assertRegex(report, r"agent .* mean score +by a fault")
        page = toy("report", self.result, "--html", "-")
        for outcome in ["fault of the world", "out of steps"]:
            self.assertIn(f'"outcome": "{outcome}"', page)

    def test_results_verify_and_alterations_are_named(self):
        self.assertIn("every one replayed as it says, certificates and sums right", toy("verify", self.result))
        index = next(i for i, episode in enumerate(self.document["episodes"]) if episode.get("score", 0) > 0)
        for key, value in [("score", 9.0), ("level", 3), ("fault", None), ("success", None)]:
            altered = json.loads(read(self.result))
            if value is None and key == "fault":
                altered["episodes"][index].pop(key)
            else:
                altered["episodes"][index][key] = value
            path = write(self.path("altered.json"), json.dumps(altered))
            self.refuse(["verify", path], FOUND, program=TOY)

    def test_results_of_families_with_success_only_have_no_further_keys(self):
        said = run("eval", "GoToGoal-v0/easy#0", "--json").stdout
        for word in ["judged", "score_interval", "mean_score", "faults", "scored"]:
            self.assertNotIn(word, said)


class Screens(InFolder):
    def test_solve_counts_only_episodes_that_can_be_solved(self):
        said = toy("solve", *BOTH)
        self.assertIn("20 of 20 solved\n20 played and neither solved nor failed: Roam-v1 has no success\n", said)
        self.assertRegex(said, r"climb:Roam-v1#0 +ended +12 steps, return 0\.0\n")
        self.assertRegex(said, r"climb:Climb-v1#1 +success +4 steps, return 2\.5, score 2\.5, level 3 of 3\n")
        self.assertNotIn(" of ", toy("solve", "--tasks", "climb:Roam", "--seeds", "0..3"))

    def test_solve_shows_faults(self):
        said = toy("solve", "--tasks", "climb:Climb", "--seeds", "4..7", "--agent", "random", code=FOUND)
        self.assertIn("0 of 4 solved\n4 ended by a fault of the world\n", said)
        self.assertRegex(said, r"climb:Climb-v1#4 +fault +11 steps, return 0\.0, score 0\.0, level 0 of 3, fault: " + BROKEN.replace("(", r"\(").replace(")", r"\)"))

    def test_replay_shows_faults(self):
        path = self.path("tape")
        toy("solve", "climb:Climb#4", "--agent", "random", "-o", path, code=FOUND)
        said = toy("replay", path)
        self.assertIn("played by random, fault after 11 steps", said)
        self.assertIn(f"-> fault: {BROKEN}\n", said)
        last = lines_of(toy("replay", path, "--json"))[-1]
        self.assertEqual((last["fault"], last["fault_text"], last["score"], last["level"], last["n_levels"], last["success"]),
                         (True, BROKEN, 0.0, 0, 3, False))
        toy("solve", "climb:Roam#4", "-o", path)
        self.assertIn("ended after 12 steps", toy("replay", path))
        self.assertIs(lines_of(toy("replay", path, "--json"))[-1]["success"], None)

    def test_play_takes_clicks_by_name(self):
        path = self.path("tape")
        said = toy("play", "climb:Climb#1", "-o", path, input="w:click_1_2\n:click_3_2\nq")
        self.assertEqual(json.loads(read(path))["actions"], [0, 2 + 2 * 4 + 1, 2 + 2 * 4 + 3])
        self.assertIn(f"The end after 3 steps, fault: {BROKEN}.", said)
        self.assertIn("score 0.0, level 0 of 3", said)
        self.assertIn("climb:Climb-v1#1: fault after 3 steps", said)
        self.assertIn("every one replayed", toy("verify", path))
        toy("play", "climb:Climb#1", "-o", path, input="wu:3\n:click 0 0\nq")
        self.assertEqual(json.loads(read(path))["actions"], [3, 2])
        self.assertIn("Out of steps after 12 steps", toy("play", "climb:Roam#1", input=12 * "w"))


AGENT = """
import json, sys
log = open(sys.argv[1], "a")
for line in sys.stdin:
    message = json.loads(line)
    log.write(line), log.flush()
    if message["op"] == "close": break
    reply = {}
    if message["op"] == "reset": reply = {"action": sys.argv[2]}
    if message["op"] == "step": reply = {"action": sys.argv[3]}
    print(json.dumps(reply), flush=True)
"""


class Programs(InFolder):
    def told(self, episode, first, then, program=TOY):
        agent = write(self.path("agent.py"), AGENT)
        done = run("eval", episode, "--agent", f"exec:{sys.executable} {agent} {self.path('log')} {first} {then}", program=program)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        told = {}
        for message in lines_of(read(self.path("log")).decode()):
            told.setdefault(message["op"], message)
        return told

    def test_programs_get_the_click_area_and_the_outcome(self):
        told = self.told("climb:Climb#1", "click_1_1", "click_3_2")
        reset, end = told["reset"], told["end"]
        self.assertEqual([reset[key] for key in ["n_actions", "n_buttons", "click_width", "click_height"]], [14, 2, 4, 3])
        self.assertEqual((reset["valid_actions"], reset["valid_names"]), ([0, 2], ["up", "click"]))
        self.assertEqual([end[key] for key in ["success", "score", "level", "n_levels", "fault", "fault_text"]],
                         [False, 0.0, 0, 3, True, BROKEN])

    def test_programs_get_null_in_tasks_without_success(self):
        end = self.told("climb:Roam#1", "up", "up")["end"]
        self.assertEqual((end["success"], "score" in end, "fault" in end), (None, False, False))

    def test_messages_of_other_worlds_have_no_further_keys(self):
        told = self.told("GoToGoal-v0/easy#0", "noop", "noop", program=SEEDBED)
        self.assertFalse({"n_buttons", "click_width", "click_height"} & set(told["reset"]))
        self.assertFalse({*STANDING, "fault_text"} & set(told["end"]))

    def ask(self, *requests, program=TOY):
        return lines_of(run("serve", "--stdio", input="".join(json.dumps(request) + "\n" for request in requests), program=program).stdout)

    def test_the_line_protocol_has_the_same_keys(self):
        reset, click, fault = self.ask({"op": "reset", "name": "climb:Climb#1"}, {"op": "step", "action": "click_2_0"},
                                       {"op": "step", "action": 13})
        self.assertEqual([reset[key] for key in ["n_actions", "n_buttons", "click_width", "click_height"]], [14, 2, 4, 3])
        self.assertEqual((reset["valid_actions"], reset["valid_names"]), ([0, 2], ["up", "click"]))
        self.assertEqual([(state["score"], state["level"], state["n_levels"]) for state in (reset, click)], [(0.0, 0, 3), (1.0, 1, 3)])
        self.assertEqual((fault["fault"], fault["fault_text"], fault["done"], fault["success"]), (True, BROKEN, True, False))
        self.assertNotIn("fault", click)
        roam, = self.ask({"op": "reset", "name": "climb:Roam#1"})
        self.assertEqual((roam["success"], set(roam) & set(STANDING)), (None, set()))
        plain, = self.ask({"op": "reset", "name": "GoToGoal-v0/easy#0"}, program=SEEDBED)
        self.assertFalse({*STANDING, "n_buttons", "click_width", "click_height"} & set(plain))


class Clairvoyant(unittest.TestCase):
    SEEDS = ["--tasks", "climb:Climb", "--difficulty", "steep", "--seeds", "0..29", "--json"]

    def test_the_clairvoyant_scores_no_less_than_the_expert(self):
        expert, clairvoyant = (lines_of(run("solve", *self.SEEDS, "--agent", agent, program=TOY).stdout) for agent in ("expert", "clairvoyant"))
        pairs = list(zip(expert, clairvoyant, strict=True))
        self.assertEqual(len(pairs), 30)
        for one, other in pairs:
            self.assertGreaterEqual(other["score"], one["score"], one["name"])
        self.assertTrue(any(other["score"] > one["score"] for one, other in pairs), "it never scores more")

    def test_the_clairvoyant_follows_the_expert_in_tasks_without_success(self):
        expert, clairvoyant = (json.loads(toy("solve", "climb:Roam#3", "--json", "--agent", agent)) for agent in ("expert", "clairvoyant"))
        self.assertEqual(expert["actions"], clairvoyant["actions"])


if __name__ == "__main__":
    unittest.main()
