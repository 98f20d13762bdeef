"""The adaptor for lm-eval: its own program asks its dummy model and one that answers right, or half the time, offline."""
import glob
import importlib.util
import json
import os
import sys
import unittest
from pathlib import Path

import seedbed

sys.path.append(str(Path(__file__).parent))
import scripted  # noqa: E402
from seedbed.adaptors import lm_eval as adaptor  # noqa: E402
from stub_endpoint import StubEndpoint  # noqa: E402

MISSING = None if importlib.util.find_spec("lm_eval") else "not installed: lm_eval (scripts/test-python lm-eval)"
WHICH = (("predict", {"n": 1}), ("plan", {"n": 1}), ("decompose", {"n": 1}), ("next_frame", {"n": 1, "tasks": "Fold,Echo"}),
         ("masked", {"n": 2, "tasks": "Seesaw,HeatBar"}), ("best_action", {"n": 3, "tasks": "KeyDoorPuzzle,LightsOut", "difficulty": "easy,medium"}))


class Adaptor(scripted.Adaptor):
    def written(self):
        """The tasks; their questions by the name of the task."""
        count = {}
        for form, which in WHICH:
            count |= adaptor.write(os.path.join(self.folder, "tasks"), [form], **which)
        self.rows = {name: [json.loads(line) for line in Path(self.folder, "tasks", name, "questions.jsonl").read_text().splitlines()] for name in count}
        self.assertEqual(count, {name: len(rows) for name, rows in self.rows.items()})
        return list(count)


@unittest.skipIf(MISSING, MISSING)
class Framework(Adaptor):
    def run_on(self, *model):
        self.program("lm-eval", "run", "--include_path", "tasks", "--tasks", ",".join(self.rows), "--output_path", "out", "--log_samples", *model)
        newest = max(glob.glob(os.path.join(self.folder, "out", "**", "results_*.json"), recursive=True), key=os.path.getmtime)
        with open(newest) as file:
            results = json.load(file)["results"]
        return {task: {key.removesuffix(",none"): value for key, value in said.items() if key.endswith(",none") and "stderr" not in key}
                for task, said in results.items()}

    def test_the_dummy_model_knows_nothing(self):
        self.written()
        said = self.run_on("--model", "dummy")
        self.assertEqual({task: set(values.values()) for task, values in said.items()}, {task: {0} for task in self.rows})
        self.assertEqual({task: set(values) for task, values in said.items()}, {f"seedbed_{name}": set(form.measures) for name, form in adaptor.FORMS.items()})

    def ask(self, knows):
        """The framework's client asks an endpoint that knows the answers to some questions."""
        self.written()
        asked = {row["user"]: (task, row) for task, rows in self.rows.items() for row in rows}

        def answer(body, n):
            system, user = ([message["content"] for message in body["messages"] if message["role"] == role] for role in ("system", "user"))
            task, row = asked[user[0]]
            self.assertEqual("".join(system).strip(), row["system"])
            return scripted.document(body, n, f"<think>choose_option_9 ACTION: 0</think>\n{row['target']}" if knows(task, row) else "I do not know.")

        with StubEndpoint(answer) as server:
            return self.run_on("--model", "local-chat-completions", "--model_args", f"model=tiny,base_url={server.url}/chat/completions,num_concurrent=4",
                               "--apply_chat_template")

    def test_who_answers_right_has_all(self):
        said = self.ask(lambda task, row: True)
        self.assertEqual({task: {key: value for key, value in values.items() if key != "efficiency"} for task, values in said.items()},
                         {f"seedbed_{name}": {measure: 1 for measure in form.measures if measure != "efficiency"} for name, form in adaptor.FORMS.items()})
        self.assertGreaterEqual(said["seedbed_plan"]["efficiency"], 1)

    def test_shares_are_those_of_seedbed_score(self):
        knows = lambda task, row: sum(row["name"].encode()) % 2
        said = self.ask(knows)
        for protocol, names in (("predict", {"accuracy": "accuracy_percent", "position_accuracy": "position_accuracy_percent"}),
                                ("plan", {"success": "success_rate", "efficiency": "mean_efficiency"}), ("decompose", {"CR": "CR", "PR": "PR", "ACI": "ACI"})):
            task = f"seedbed_{protocol}"
            with open(os.path.join(self.folder, "answers.jsonl"), "w") as file:
                for row in self.rows[task]:
                    said_of = row["target"] if knows(task, row) else "I do not know."
                    print(json.dumps({"name": row["name"], "answer": said_of, "action_sequence": row["actions"]}), file=file)
            self.program(os.environ["SEEDBED"], "score", "-p", protocol, "answers.jsonl", "-o", "scores.json", "-q")
            with open(os.path.join(self.folder, "scores.json")) as file:
                scores = json.load(file)["all"]
            for here, there in names.items():
                self.assertAlmostEqual(said[task][here], scores[there] / (100 if there.endswith("percent") else 1), 9, (task, here))
        self.assertTrue(0 < said["seedbed_best_action"]["right"] < 1)


class Judges(Adaptor):
    def test_right_and_wrong_answers(self):
        self.written()
        for form in ("predict", "plan", "decompose"):
            self.assertEqual(set(adaptor.FORMS[form].judge(self.rows[f"seedbed_{form}"][0], [None]).values()), {0.0})
        for form, wrong in (("next_frame", "step\nnone"), ("masked", "choose_option_77"), ("best_action", "ACTION: 0")):
            judge, measures = adaptor.FORMS[form].judge, adaptor.FORMS[form].measures
            for row in self.rows[f"seedbed_{form}"]:
                self.assertEqual(judge(row, [row["target"]]), dict.fromkeys(measures, 1.0))
                if row["target"] != wrong:
                    self.assertEqual(judge(row, [wrong])[measures[0]], 0.0)
                self.assertEqual(judge(row, [f"<think>{row['target']}"])[measures[0]], 0.0)
                self.assertEqual((set(judge(row, [""]).values()), set(judge(row, [None]).values())), ({0.0}, {0.0}))

    def test_ties_are_right(self):
        costs = seedbed.score_action("GoToGoal-v0/easy#42", [], 0)
        row = {"name": "GoToGoal-v0/easy#42", "taken": [], "best": list(costs.best), "prompts": "markovian"}
        for action in range(6):
            self.assertEqual(adaptor.judge_best_action(row, [f"ACTION: {action}"]), {"right": float(action in costs.best), "readable": 1.0})

    def test_a_recipe_is_found_from_everywhere(self):
        recipe = Path(self.folder, "recipe.json")
        recipe.write_text('{"family": "agentick", "formats": [{"format": "chat", "answer": "I {action_name}"}]}')
        adaptor.write(self.folder, ["best_action"], tasks="GoToGoal", difficulty="easy", n=1, prompts=os.path.relpath(recipe))
        row = json.loads(Path(self.folder, "seedbed_best_action", "questions.jsonl").read_text())
        self.assertEqual((row["prompts"], adaptor.judge_best_action(row, [row["target"]])["right"]), (str(recipe.resolve()), 1.0))

    def test_what_cannot_be(self):
        with self.assertRaisesRegex(seedbed.InvalidError, "there is no form `dance`"):
            adaptor.write(self.folder, ["predict", "dance"])
        with self.assertRaisesRegex(seedbed.InvalidError, "n: a whole number"):
            adaptor.write(self.folder, ["predict"], n=0)
        self.assertEqual(os.listdir(self.folder), [])
        with self.assertRaisesRegex(seedbed.InvalidError, "no such questions"):
            adaptor.write(self.folder, ["best_action"], tasks="HeatBar", family="autumn", n=1)


if __name__ == "__main__":
    unittest.main()
