"""Challenges as data and as episodes: questions and answers stand apart, what is kept apart is left out, and the oracles of tests win.

    python3 tests/questions_test.py BUILD/seedbed

Label: output
"""
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED = sys.argv[1]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = "Triad,DyePots,Basket"


def run(*arguments):
    return subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, check=True).stdout


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def document(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Questions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.pack = cls.path("pack.jsonl")
        run("challenges", "-q", "-o", cls.pack, "--tasks", PROGRAMS, "--levels", "2")
        cls.tasks = {task["challenge"]: task for task in lines(cls.pack)[1:]}
        cls.answers = {line["answer"]: line for line in lines(cls.path("pack.answers.jsonl"))[1:] if "answer" in line}
        cls.predictions = [name for name, task in cls.tasks.items() if task["kind"] == "mfp"]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, *names):
        return os.path.join(cls.folder.name, *names)

    def write(self, form, *options):
        said = run("questions", self.pack, "-o", self.path(form), "--form", form, *options)
        if form == "published":
            return said
        return lines(self.path(form + ".jsonl")), lines(self.path(form + ".answers.jsonl"))

    def test_questions_show_what_the_pack_shows(self):
        questions, answers = self.write("questions")
        self.assertEqual([question["question"] for question in questions], self.predictions)
        for question, answer in zip(questions, answers):
            task = self.tasks[question["question"]]
            self.assertEqual(answer, {"question": question["question"], "answer": self.answers[question["question"]]["correct"]})
            self.assertNotIn("answer", question)
            self.assertEqual([frame["frame"].replace("\n", "") for frame in question["frames"]], task["frames"])
            self.assertEqual([frame.get("action") for frame in question["frames"]], [None, *task["actions"]])
            self.assertEqual([option.replace("\n", "").replace(" ", "") for option in question["options"]], task["options"])

    def test_conversations_have_the_reply_in_another_file(self):
        questions, answers = self.write("conversations")
        for question, answer in zip(questions, answers):
            task = self.tasks[question["question"]]
            [asked], [reply] = question["messages"], answer["messages"]
            self.assertEqual([asked["role"], reply["role"]], ["user", "assistant"])
            self.assertEqual(reply["content"], f"choose_option_{self.answers[question['question']]['correct']}")
            frames = asked["content"].split("\nFrame ")[1:]
            self.assertEqual(len(frames), len(task["frames"]))
            size = task["size"]
            rows = [task["frames"][0][at:at + size] for at in range(0, size * size, size)]
            self.assertIn("0:\n" + "\n".join(rows) + "\n", frames[0])

    def test_the_name_of_the_files_may_have_their_ending(self):
        plain = self.write("questions")
        run("questions", self.pack, "-o", self.path("ended.jsonl"))
        self.assertEqual((lines(self.path("ended.jsonl")), lines(self.path("ended.answers.jsonl"))), plain)
        self.assertFalse(os.path.exists(self.path("ended.jsonl.jsonl")))
        for name, words in (self.pack, "which is read: choose another path"), (self.path("pack"), "another name than that of the pack"):
            done = subprocess.run([SEEDBED, "questions", self.pack, "-o", name], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_json_counts_what_was_written(self):
        said = json.loads(run("questions", self.pack, "-o", self.path("counted"), "--json"))
        self.assertEqual(said, {"written": len(lines(self.path("counted.jsonl"))), "left_out": 0})
        said = json.loads(run("questions", self.pack, "-o", self.path("counted"), "--json", "--apart-from", self.pack))
        self.assertEqual(said, {"written": 0, "left_out": len(self.predictions)})

    def test_the_published_form_is_the_same_challenge(self):
        self.write("published")
        self.assertEqual(len(os.listdir(self.path("published"))), 2 * len(self.tasks))
        for name, task in self.tasks.items():
            kind = {"change": "cd"}.get(task["kind"], task["kind"])
            form = document(self.path("published", f"{task['env']}_{kind}_2_1.json"))
            answer = document(self.path("published", f"{task['env']}_{kind}_2_1_answer.json"))
            self.assertEqual(form["program"], task["env"])
            if kind == "mfp":
                grids = ["".join("?" if not cell else form["colours"][cell - 1] + " " for row in frame["masked_grid"] for cell in row) for frame in form["observations"]]
                wanted = ["".join("?" if sign == "?" else task["colours"][int(sign, 36)] + " " for sign in frame) for frame in task["frames"]]
                self.assertEqual(grids, wanted)
                self.assertEqual(answer, {"correct_idx": self.answers[name]["correct"]})
                self.assertEqual([len([cell for row in choice for cell in row if cell]) for choice in form["choices"]], [task["mask"].count("1")] * 6)
            elif kind == "planning":
                self.assertEqual("".join(str(cell) for row in form["mask"] for cell in row), task["mask"])
                self.assertEqual([cell != 0 for row in form["goal"] for cell in row], [bit == "1" for bit in task["mask"]])
                self.assertEqual(answer, {"plan_length": len(self.answers[name]["plan"])})
            else:
                self.assertEqual(set(form), {"type", "program", "seed"})
                self.assertIn("SpecialConditionTriggered", answer["program"])

    def test_one_challenge_for_each_program_has_the_published_names(self):
        run("challenges", "-q", "-o", self.path("one.jsonl"), "--tasks", "Triad", "--one")
        run("questions", self.path("one.jsonl"), "-o", self.path("one"), "--form", "published")
        self.assertEqual(set(os.listdir(self.path("one"))), {f"Triad_{kind}{what}.json" for kind in ("mfp", "planning", "cd") for what in ("", "_answer")})

    def test_training_challenges_share_nothing_with_the_shipped_pack(self):
        """Levels whose goals come again: what is written has other names and asks something else."""
        train, shipped = self.path("train.jsonl"), os.path.join(ROOT, "seeds", "autumn.jsonl.gz")
        run("challenges", "-q", "-o", train, "--tasks", "ParityLoom", "--kinds", "planning", "--levels", "1", "--count", "8")
        said = run("questions", train, "-o", self.path("train"), "--form", "published", "--apart-from", shipped)
        with gzip.open(shipped, "rt", encoding="utf-8") as file:
            kept = [json.loads(line) for line in file][1:]
        names = {task["challenge"] for task in kept}

        def goal(task):
            return task["env"], task["mask"], tuple(task["colours"][int(sign, 36)] for sign in task["goal"] if sign != "?")

        goals = {goal(task) for task in kept if task["kind"] == "planning"}
        ours = {name: goal(task) for task in lines(train)[1:] for name in [task["challenge"]]}
        fine = {name for name in ours if name not in names and ours[name] not in goals}
        self.assertLess(len(fine), len(ours))  # seeds 1 to 5 are in the shipped pack
        self.assertEqual(said, f"{len(fine)} challenges written, {len(ours) - len(fine)} left out to keep the packs apart\n")
        written = {name for name in os.listdir(self.path("train")) if "_answer" not in name}
        self.assertEqual(written, {"{}_planning_1_{}.json".format(*re.match(r"autumn:(\w+)/planning-1#(\d+)", name).groups()) for name in fine})

    def build(self, name, recipe):
        with open(self.path(name + ".json"), "w", encoding="utf-8") as file:
            json.dump({"shard_episodes": 16, "evaluation": "keep", **recipe}, file)
        run("build", "-q", self.path(name + ".json"), "--challenges", self.pack, "-o", self.path(name))
        run("verify", self.path(name), "--challenges", self.pack)
        rows = []
        for file in sorted(os.listdir(self.path(name))):
            if file.endswith(".jsonl.gz") and not file.startswith("tapes"):
                with gzip.open(self.path(name, file), "rt", encoding="utf-8") as packed:
                    rows += map(json.loads, packed)
        return rows, document(self.path(name, "manifest.json"))

    def test_logs_of_interaction_are_data(self):
        run("eval", "-q", "--pack", self.pack, "--agent", "uniform", "-o", self.path("played.json"))
        rows, _ = self.build("logs", {"oracle": f"tapes:{self.path('played.json')}", "modes": "challenge", "format": "steps"})
        documents = [json.loads(row["challenge_render"]) for row in rows]
        self.assertEqual({each["phase"] for each in documents}, {"interaction", "test"})
        for each in documents:
            self.assertFalse({"correct", "plan", "mutation", "answer"} & set(each))

    def test_datasets_leave_out_the_seeds_of_the_shipped_pack(self):
        path = self.path("seeds.jsonl")
        run("challenges", "-q", "-o", path, "--tasks", "Triad", "--kinds", "mfp", "--levels", "1", "--seed", "4", "--count", "4")
        names = [task["challenge"] for task in lines(path)[1:]]
        ours = [name for name in names if int(name.split("#")[1]) <= 5]
        self.assertTrue(ours and len(ours) < len(names))
        for options, kept in ([], len(names) - len(ours)), (["--evaluation", "keep"], len(names)):
            run("build", "-q", *names, "--challenges", path, "--agent", "planner", "--modes", "ascii", *options, "--force", "-o", self.path("apart"))
            self.assertEqual(document(self.path("apart", "manifest.json"))["episodes"], kept)
        stats = document(self.path("apart", "stats.json"))
        self.assertEqual(stats["total"]["evaluation"], len(ours))
        refused = subprocess.run([SEEDBED, "build", *ours, "--challenges", path, "--agent", "planner", "-o", self.path("none")], capture_output=True, text=True, check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("nothing is left of Triad/mfp-1: all are games of evaluation episodes", refused.stderr)

    def test_a_recipe_replaces_what_agents_are_told(self):
        names = [name for name in self.tasks if "Triad" in name]
        formats = [{"format": "chat", "system": "{instructions}", "user": "{observation}"}]
        chat = {"names": names, "oracle": "planner", "modes": "ascii", "formats": formats}
        ours, _ = self.build("ours", chat)
        theirs, manifest = self.build("theirs", {**chat, "instructions": {"planning": "Reach \u201cthe goal\u201d.\n"}})
        self.assertEqual(manifest["recipe"]["instructions"], {"planning": "Reach \u201cthe goal\u201d.\n"})
        self.assertEqual(len(ours), len(theirs))
        for mine, other in zip(ours, theirs):
            told = mine["messages"][0]["content"]
            self.assertIn("go-to-test", told)
            self.assertEqual(other["messages"][0]["content"], "Reach \u201cthe goal\u201d.\n" if "/planning-" in mine["name"] else told)
        with open(self.path("wrong.json"), "w", encoding="utf-8") as file:
            json.dump({**chat, "instructions": {"guessing": "Guess."}}, file)
        wrong = subprocess.run([SEEDBED, "build", self.path("wrong.json"), "-o", self.path("wrong")], capture_output=True, text=True, check=False)
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("instructions: there is no kind of test `guessing`", wrong.stderr)

    def test_programs_that_play_for_a_dataset_are_told_the_texts_of_the_recipe(self):
        program = self.path("told.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write("import json, sys\n"
                       "for line in sys.stdin:\n"
                       "    message = json.loads(line)\n"
                       "    if message['op'] == 'hello': reply = {'protocol': 1, 'name': 'told', 'modes': ['ascii']}\n"
                       "    elif message['op'] == 'reset': reply = {'action': 'quit', 'thought': message['instructions']}\n"
                       "    else: reply = {}\n"
                       "    print(json.dumps(reply), flush=True)\n")
        with open(self.path("texts.json"), "w", encoding="utf-8") as file:
            json.dump({"planning": "Reach it."}, file)
        run("build", "-q", *[name for name in self.tasks if "Triad/planning" in name], "--challenges", self.pack, "--agent", f"exec:{sys.executable} {program}",
            "--instructions", self.path("texts.json"), "--evaluation", "keep", "--modes", "ascii", "-o", self.path("told"))
        self.assertEqual(document(self.path("told", "manifest.json"))["recipe"]["instructions"], {"planning": "Reach it."})
        tapes, = [name for name in os.listdir(self.path("told")) if name.startswith("tapes")]
        with gzip.open(self.path("told", tapes), "rt", encoding="utf-8") as file:
            self.assertIn("Reach it.", file.read())

    def test_what_is_kept_apart_is_left_out(self):
        self.assertIn(f"0 challenges written, {len(self.tasks)} left out", self.write("published", "--apart-from", self.pack))
        run("challenges", "-q", "-o", self.path("other.jsonl"), "--tasks", "Triad", "--kinds", "mfp", "--levels", "2", "--seed", "77")
        self.assertEqual(len(self.write("questions", "--apart-from", self.path("other.jsonl"))[0]), len(self.predictions))

    def test_a_goal_that_is_kept_apart_is_left_out_under_another_name(self):
        """In TugOfFour some goals come again under other seeds."""
        written = [self.path("first.jsonl"), self.path("second.jsonl")]
        for path, seed in zip(written, ("1", "9")):
            run("challenges", "-q", "-o", path, "--tasks", "TugOfFour", "--kinds", "planning", "--levels", "1", "--seed", seed, "--count", "8")
        goals = [[(task["colours"], task["mask"], task["goal"]) for task in lines(path)[1:]] for path in written]
        again = sum(goal in goals[0] for goal in goals[1])
        self.assertGreater(again, 0)
        said = run("questions", written[1], "-o", self.path("apart"), "--form", "published", "--apart-from", written[0])
        left = len(goals[1]) - again
        self.assertEqual(said, f"{left} challenge{'s' * (left != 1)} written, {again} left out to keep the packs apart\n")

    def test_oracles_win_what_can_be_won(self):
        for agent, kinds in ("planner", {"mfp", "planning", "change"}), ("insider", {"mfp", "planning", "change"}):
            result = self.path(agent + ".json")
            run("eval", "-q", "--pack", self.pack, "--agent", agent, "-o", result)
            played = 0
            for line in document(result)["episodes"]:
                if not kinds & set(re.findall(r"/(\w+)-", line["episode"])):
                    continue
                played += 1
                if agent == "planner" or "/change-" not in line["episode"] or line["test"].get("changed"):
                    self.assertEqual(line["score"], 1, line)
            self.assertGreaterEqual(played, 6)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
