"""`seedbed arena` without a part of its loop: each switch takes away what it names, and nothing else; runs say so, go on and are replayed.

    python3 tests/arena_parts_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import sys
import unittest

from arena_test import COPYING, PROBES, ArenaCase, patch
from dataset_support import FOUND, read, run, write

# A team whose simulator writes a model that copies, and whose observer, critic and explorer have something to say.
MODEL = f"def answer(request):\n    if request['op'] != 'turn' or kept.setdefault('done', request['step']) < request['step'] or not request['owns']:\n        return {{}}\n    return {{'patches': [{patch('dynamics', COPYING)!r}]}}\n"
CRITIC = "def answer(request):\n    return {'owner': 'strategy'} if request['op'] == 'route' else {}\n"
EXPLORER = "def answer(request):\n    return {'actions': [{'id': 2}]} if request['op'] == 'probe' else {}\n"
SILENT = "def answer(request):\n    return {}\n"
TEAM = {"observer": SILENT, "simulator": MODEL, "inductive": SILENT, "critic": CRITIC, "transductive": EXPLORER, "leader": PROBES}


class PartsTest(ArenaCase):
    def without(self, part, roles=None, limits=None):
        scores = self.play(roles or TEAM, {"actions": 8, **(limits or {})}, options=[f"--no-{part}"] if part else [])
        self.assertEqual(json.loads(read(self.path("run/run.json")))["without"], [part] if part else [])
        return scores

    def told(self):
        return {step["told"] for step in self.lines("steps.jsonl") if "told" in step}

    def test_with_all_parts(self):
        scores = self.without(None)
        self.assertEqual((scores["predictions"]["said"], scores["roles"]["critic"]["asked"] > 1, self.told()), (8, True, {"inductive"}))
        self.assertEqual({step["action"]["id"] for step in self.lines("steps.jsonl")}, {2})

    def test_without_commitment_nothing_is_said_before(self):
        scores = self.without("commitment")
        self.assertEqual((scores["predictions"]["said"], scores["predictions"]["due"], sum(scores["surprises"].values())), (0, 8, 0))

    def test_without_ownership_one_role_is_told_of_everything(self):
        scores = self.without("ownership")
        self.assertEqual((self.told(), scores["roles"]["critic"]["asked"]), ({"simulator"}, 1), "the critic has only its first turn")
        owning = "def answer(request):\n    kept.setdefault('owns', []).append(request.get('owns'))\n    return {'feedback': [{'to': 'leader', 'text': json.dumps(request.get('owns'))}]}\n"
        self.without("ownership", {**TEAM, "simulator": owning})
        self.assertIn('["observable","dynamics","strategy"]'.replace('"', '\\"').replace(",", ", "), self.file("chat.jsonl"))

    def test_without_regressions_patches_are_checked_on_nothing(self):
        texts = "texts = [{0!r}, 'def predict(request):\\n    return {{\"z\": {{\"frame\": \"0\" * len(request[\"z\"][\"frame\"])}}}}\\n']\n".format(COPYING)
        again = texts + "def answer(request):\n    if request['op'] != 'turn' or request['step'] < 4 * (2 - len(texts)) or not texts:\n        return {'choose': 'probe', 'action': {'id': 1}, 'feedback': [{'to': 'leader', 'text': 'x'}] if request['op'] == 'act' else []}\n" \
                        "    return {'patches': [{'artifact': 'dynamics', 'text': texts.pop(0)}]}\n"
        self.without(None, {"leader": again})
        self.assertGreater(self.lines("revisions.jsonl")[1]["checked"], 0)
        self.without("regressions", {"leader": again})
        self.assertEqual([(line["checked"], line["revision"]) for line in self.lines("revisions.jsonl")], [(0, 1), (0, 2)])

    def test_without_probes_actions_are_drawn(self):
        scores = self.without("probes", limits={"actions": 40})
        self.assertEqual(scores["roles"]["transductive"]["asked"], 1)
        self.assertGreater(len({step["action"]["id"] for step in self.lines("steps.jsonl")}), 2)
        first = self.file("steps.jsonl")
        self.without("probes", limits={"actions": 40})
        self.assertEqual(self.file("steps.jsonl"), first)

    def test_without_a_planner_there_is_no_plan(self):
        dynamics = "def predict(request):\n    return {'z': request['z'], 'done': True}\n"
        team = {"leader": f"def answer(request):\n    return {{'patches': [{patch('dynamics', dynamics)!r}], 'choose': 'plan'}}\n"}
        self.assertGreater(self.without(None, team)["choices"]["plan"], 0)
        scores = self.without("planner", team)
        self.assertEqual((scores["choices"]["plan"], scores["choices"]["probe"]), (0, 8))
        self.assertNotIn('"who":"plan"', self.file("answers.jsonl"))

    def test_what_is_left_out_belongs_to_the_run(self):
        self.without("probes")
        team = self.path("team.json")
        self.assertIn("another team", self.arena(team, "--resume", codes=(FOUND, 2)).stderr)
        self.arena(team, "--resume", "--no-probes")
        path = self.path("run/run.json")
        whole = read(path)
        write(path, whole.replace(b'"probes"', b""))
        self.verify(codes=(FOUND,))
        write(path, whole.replace(b'"probes"', b'"luck"'))
        self.assertIn("parts of the loop", self.verify(codes=(FOUND,)))

    def test_reports_take_no_ablation_for_a_second_run(self):
        team = self.team(TEAM, {"actions": 3})
        for out, options in ("whole", []), ("less", ["--no-planner", "--no-probes"]), ("gate", ["--gate"]):
            self.arena(team, *options, out=out)
        tables = {table["title"]: table["rows"] for table in json.loads(run("report", *(f"{out}/results.json" for out in ("whole", "less", "gate")), "--json", cwd=self.folder).stdout)}
        self.assertEqual([row[0].partition(", ")[2] for row in tables["Scores"][1:]], ["", "no probes, no planner", "gate"])
        self.assertNotIn("Repeated runs", tables)

    def test_the_command_lists_the_switches(self):
        said = run("arena", "--help").stdout
        for part in ("commitment", "ownership", "regressions", "probes", "planner"):
            self.assertIn(f"--no-{part}", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
