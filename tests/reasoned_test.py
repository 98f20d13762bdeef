"""Reasons in rows: the texts of conversations, and the claims beside them.

    python3 tests/reasoned_test.py BUILD/seedbed BUILD/tests/seedbed-toy

tests/reasons_test.c checks that claims are true; here they are those of the row.
"""
import json
import re
import sys
import unittest

from dataset_support import USAGE, InFolder, contents, unpacked

EASY = ["--tasks", "KeyDoorPuzzle,SokobanPush,LightsOut", "-d", "medium", "--split", "train", "-n", "4"]
ACTIONS = ["noop", "move_up", "move_down", "move_left", "move_right", "interact"]


def reasoned(depth, **options):
    return {"format": "chat", "style": "prompt_messages", "answer": "{rationale}{action_name}", "reasons": depth, **options}


class Reasons(InFolder):
    def rows(self, *formats, flags=EASY, folder="d", kind="chat"):
        self.build(folder, *flags, "-f", json.dumps(formats))
        return [json.loads(line) for line in unpacked(self.path(folder), kind).splitlines()]

    def answer(self, row):
        return row["completion"][0]["content"]

    def test_the_plan_that_is_claimed_is_what_follows(self):
        """An oracle that follows its plan takes the actions that the first row claims."""
        rows = self.rows(reasoned("plan"), {"format": "steps", "modes": "ascii"}, flags=["--oracle", "expert", *EASY])
        steps = [json.loads(line) for line in unpacked(self.path("d"), "steps").splitlines()]
        taken = {(row["name"], row["step"]): row["action_int"] for row in steps}
        for row in rows:
            claims = json.loads(row["claims"])
            plan = next(claim for claim in claims if claim["claim"] == "plan")
            self.assertEqual((plan["cost"], plan["steps"], plan["action"]), ("exact", len(plan["actions"]), taken[row["name"], row["step"]]))
            self.assertEqual(len(plan["actions"]), sum(name == row["name"] for name, step in taken if step >= row["step"]))
        self.assertEqual(len(rows), len(steps))

    def test_a_plan_names_its_stages_and_an_alternative(self):
        for row in self.rows(reasoned("plan")):
            claims, text = json.loads(row["claims"]), self.answer(row)
            stages = [claim for claim in claims if claim["claim"] == "stage"]
            self.assertTrue(stages and len(claims) >= 3)
            for stage in stages[:4]:
                self.assertIn(f"{stage['verb']} the {stage['object']}", text)
            others = [claim for claim in claims if claim["claim"] == "instead"]
            self.assertTrue(others)
            for other in others:
                self.assertRegex(text, rf"\b{ACTIONS[other['action']]}\b")

    def test_a_search_tells_what_every_move_costs_and_ends_with_the_move(self):
        for row in self.rows(reasoned("search")):
            text, action = self.answer(row).rsplit(" ", 1)
            costs = re.findall(r"(noop|move_\w+|interact) (\d+ steps?|lost|too late)[;.]", text)
            self.assertEqual([name for name, _ in costs], ACTIONS)
            self.assertTrue(text.endswith(f"{action}."), text)
            told = {claim["action"]: claim for claim in json.loads(row["claims"]) if claim["claim"] in ("plan", "instead")}
            for name, cost in costs:
                claim = told[ACTIONS.index(name)]
                self.assertEqual(cost.split()[0], str(claim["steps"]) if "steps" in claim else claim["cost"])

    def test_words_differ_from_step_to_step(self):
        texts = [re.sub(r"\d+", "", self.answer(row)) for row in self.rows(reasoned("plan"))]
        self.assertGreater(len(set(texts)), 0.9 * len(texts))

    def test_texts_without_coordinates_get_none(self):
        rows = self.rows(reasoned("plan", user="Step {step}"))
        self.assertTrue(rows and not any("(" in self.answer(row) for row in rows))

    def test_whole_conversations_have_the_claims_of_each_step(self):
        rows = self.rows(reasoned("plan", rows="episode", style="messages", name="whole"), reasoned("plan"), kind="whole")
        single = {(row["name"], row["step"]): row for row in (json.loads(line) for line in unpacked(self.path("d"), "chat").splitlines())}
        for row in rows:
            answers = [message["content"] for message in row["messages"] if message["role"] == "assistant"]
            self.assertEqual(len(answers), len(row["claims"]))
            for step, (answer, claims) in enumerate(zip(answers, row["claims"])):
                self.assertEqual((answer, claims), (self.answer(single[row["name"], step]), single[row["name"], step]["claims"]))

    def test_bytes_do_not_depend_on_workers_or_on_other_formats(self):
        formats = json.dumps([reasoned("search"), {"format": "preference", "answer": "{rationale}{action_name}", "reasons": "plan"}])
        one, many = (self.build(f"w{jobs}", *EASY, "-f", formats, "--jobs", str(jobs)) for jobs in (1, 3))
        self.assertEqual(contents(one), contents(many))
        self.assert_verifies(many)
        alone = self.rows(reasoned("search"), folder="alone")
        self.assertEqual(alone, [json.loads(line) for line in unpacked(one, "chat").splitlines()])

    def test_chosen_answers_have_reasons_and_rejected_ones_none(self):
        for row in self.rows({"format": "preference", "answer": "{rationale}{action_name}", "reasons": "plan"}, kind="preference"):
            chosen, rejected = row["chosen"][0]["content"], row["rejected"][0]["content"]
            self.assertEqual(rejected, ACTIONS[row["rejected_int"]])
            if len(json.loads(row["claims"])) and json.loads(row["claims"])[0]["claim"] == "stage" and chosen != ACTIONS[row["chosen_int"]]:
                self.assertTrue(chosen.endswith(f". {ACTIONS[row['chosen_int']]}"), chosen)

    def test_what_the_agent_is_not_shown_is_not_told(self):
        flags = ["--tasks", "TagHunt", "-d", "easy", "--split", "train", "-n", "1"]
        self.refuse(["build", *flags, "-o", self.path("no"), "-f", json.dumps(reasoned("plan"))], USAGE, "TagHunt-v0", "not shown", "any")
        rows = self.rows(reasoned("plan", intents="any"), flags=["--oracle", "expert", *flags], folder="any")
        plans = [next(claim for claim in json.loads(row["claims"]) if claim["claim"] == "plan") for row in rows]
        self.assertEqual({plan["cost"] for plan in plans}, {"estimate"})
        self.assertTrue(all(0 < plan["success"] <= 1 for plan in plans))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
