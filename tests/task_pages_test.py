"""docs/tasks/ is what the program prints: every task has a text, and every episode on a page can be played again. At night the pictures are drawn again, too.

    python3 tests/task_pages_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from dataset_support import SEEDBED, TOY, USAGE, InFolder, read, run, write

MUTE = os.path.join(os.path.dirname(TOY), "seedbed-mute")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST_BYTES = 3_000_000  # of all pages and pictures
NIGHTLY = "SEEDBED_NIGHTLY" in os.environ


def load_writer(word):
    """Loads what `scripts/docs WORD` runs."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(ROOT, "scripts"))
    return importlib.import_module("documents." + word)


def section(page, title):
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## [A-Z][a-z ,]+$|\Z)", page, re.S | re.M)
    return found.group(1) if found else ""


def rows_of(text):
    """The lines of the last table in a text, without its two head lines."""
    table = re.findall(r"(?:^\|[^\n]*\n)+", text, re.M)
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[-1].splitlines()[2:]] if table else []


class Game:
    """Episodes in one `seedbed serve`."""

    def __init__(self):
        self.process = subprocess.Popen([SEEDBED, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        assert reply["ok"], reply
        return reply

    def close(self):
        self.process.communicate()


class Pages(InFolder):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.script = load_writer("tasks")
        made = list(cls.script.texts(cls.script.Seedbed(SEEDBED)))
        cls.wanted = {name: text.encode() for _, name, text in made}
        cls.tasks = [task for task, _, _ in made if task]

    def test_pages_are_up_to_date(self):
        """If not: ./scripts/docs tasks"""
        self.assertEqual(len(self.wanted), len(self.tasks) + 1)
        self.assertEqual(self.script.differing(self.wanted, ("*.md",)), ([], []))

    def test_a_page_that_differs_and_one_too_many_are_found(self):
        self.addCleanup(setattr, self.script, "PAGES", self.script.PAGES)
        self.script.PAGES = shutil.copytree(self.script.PAGES, self.path("pages"))
        write(self.path("pages/Synth.md"), read(self.path("pages/Synth.md")).replace(b"What is hard", b"What is easy"))
        os.remove(self.path("pages/Echo.md"))
        write(self.path("pages/Gone.md"), "")
        self.assertEqual(self.script.differing(self.wanted, ("*.md",)), (["Echo.md", "Synth.md"], ["Gone.md"]))

    def test_every_picture_is_there_and_all_are_small(self):
        folder, shown = os.path.join(ROOT, "docs", "tasks"), set()
        for task in self.tasks:
            path = os.path.join(folder, self.script.picture_of(task))
            self.assertEqual(read(path)[:8], b"\x89PNG\r\n\x1a\n", task["name"])
            self.assertIn(f"]({self.script.picture_of(task)})", self.wanted[self.script.file_of(task)].decode())
            shown.add(os.path.normpath(path))
        self.assertLessEqual({os.path.join(folder, "pictures", name) for name in os.listdir(os.path.join(folder, "pictures"))}, shown)
        sizes = [os.path.getsize(os.path.join(here, name)) for here, _, names in os.walk(folder) for name in names]
        self.assertLess(sum(sizes), MOST_BYTES)

    @unittest.skipUnless(NIGHTLY, "pictures are drawn again at night")
    def test_pictures_are_up_to_date(self):
        """If not: ./scripts/docs tasks"""
        drawn = dict(self.script.pictures(self.script.Seedbed(SEEDBED), self.tasks))
        self.assertEqual(self.script.differing(drawn, ("pictures/*.png",)), ([], []))

    def test_every_task_has_a_text(self):
        for task in self.tasks:
            wanted = ["Rewards and ends", "Sizes and limits", "Oracles", "An episode"]
            wanted += [self.script.RULES[3:-1]] if task["family"] == "autumn" else ["What to do", "What is hard"]
            for title in wanted:
                with self.subTest(task=task["name"], section=title):
                    self.assertGreater(len(section(task["page"], title).strip()), 12)
            self.assertNotRegex(task["page"], r"\{n\}|\(null\)|TODO")

    def test_metadata_is_explained_where_it_occurs(self):
        n = 0
        for task in self.tasks:
            occurs = [cells for cells in rows_of(section(task["page"], "Glyphs")) if cells[2] != "0"] if task["family"] == "agentick" else []
            n += len(occurs) > 0
            with self.subTest(task=task["name"]):
                self.assertEqual("\n## Metadata\n" in task["page"], len(occurs) > 0)
        self.assertGreater(n, 15)

    def test_every_task_with_a_configuration_shows_its_keys(self):
        for task in self.tasks:
            if task["family"] == "agentick":
                shown = {cells[0].strip("`") for cells in rows_of(section(task["page"], "Configuration keys"))}
                done = json.loads(run("show", self.script.example_of(task)[0], "--mode", "state").stdout)
                self.assertLessEqual(set(done["info"]["task_config"]), shown, task["name"])

    def test_every_tape_is_replayed(self):
        tapes = [re.search(r"```json\n(\{.*?\n)```", task["page"], re.S).group(1) for task in self.tasks]
        done = run("verify", write(self.path("tapes.jsonl"), "".join(tapes)))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        forged = write(self.path("forged.jsonl"), re.sub(r'"digest": "\w{4}', '"digest": "0000', tapes[0]))
        self.assertEqual(run("verify", forged).returncode, 1)
        self.assertTrue(all(json.loads(tape)["success"] for task, tape in zip(self.tasks, tapes) if task["judged_by"] == "success"))

    def test_every_table_of_steps_is_what_happens(self):
        game = Game()
        self.addCleanup(game.close)
        for task in self.tasks:
            with self.subTest(task=task["name"]):
                self.play(game, task)

    def play(self, game, task):
        reply = game.ask(op="reset", name=self.script.example_of(task)[0], actions="none")
        first = next(iter(reply["observations"].values()))
        episode = section(task["page"], "An episode")
        self.assertEqual(re.search(r"```\n(.*?)```", episode, re.S).group(1), first.rstrip("\n") + "\n")
        done = 0
        for steps, action, _, reward, dense in rows_of(episode):
            last = int(steps.split(" to ")[-1])
            self.assertEqual(int(steps.split(" to ")[0]), done + 1)
            total = dense_total = 0.0
            for _ in range(last - done):
                reply = game.ask(op="step", action=action.strip("`").replace(" ", "_").lower())
                total, dense_total = total + reply["reward"], dense_total + reply["dense_reward"]
            done = last
            self.assertAlmostEqual(total, float(reward), 5)
            self.assertAlmostEqual(dense_total, float(dense), 5)
        end, outcome = re.search(r"^It ends after (\d+) steps: ([^,]+),", episode, re.M).groups()
        self.assertEqual(reply["done"], done == int(end))
        self.assertEqual(outcome, "ended" if task["judged_by"] == "nothing" else "success")


class Command(unittest.TestCase):
    def test_it_prints_the_page(self):
        page = run("tasks", "KeyDoorPuzzle").stdout
        self.assertEqual(page, run("tasks", "keydoorpuzzle-v0").stdout)
        self.assertEqual(run("tasks", "KeyDoorPuzzle", "arc:Fold").stdout, page + "\n" + run("tasks", "Fold", "--family", "arc").stdout)
        told = json.loads(run("tasks", "KeyDoorPuzzle", "--json").stdout)
        self.assertEqual([told[0]["page"], told[0]["family"], told[0]["levels"][0]["max_steps"]], [page, "agentick", 100])

    def test_wrong_calls_are_refused(self):
        done = run("tasks", "KeyDoorPuzle")
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("KeyDoorPuzzle", done.stderr)
        self.assertEqual(run("tasks", "GoTo", "--family", "arc").returncode, USAGE)
        self.assertEqual(run("tasks", "GoToGoal", "--schema", "state").returncode, USAGE)

    def test_families_without_texts_or_figures_have_pages_too(self):
        for family in json.loads(run("tasks", "--json", program=TOY).stdout):
            if family["family"] in ("toy", "climb"):
                for task in family["tasks"]:
                    page = run("tasks", f"{family['family']}:{task['name']}", program=TOY)
                    self.assertEqual(page.returncode, 0, page.stderr)
                    self.assertIn("\n## An episode\n", page.stdout)
                    self.assertNotIn("## What to do", page.stdout)

    def test_tasks_that_no_expert_plays_have_pages_too_which_say_so(self):
        for name in ("KeyDoorPuzzle-v0/easy#0", "babyai:GoToObj#0", "autumn:Seesaw#0", "arc:Echo/intro#0"):
            task = re.split("[/#]", name)[0]
            with self.subTest(task):
                page = run("tasks", task, program=MUTE)
                self.assertEqual((page.returncode, page.stderr), (0, ""))
                self.assertEqual(section(page.stdout, "Oracles").split("\n\n")[0].strip(), "`clairvoyant`.")
                told = section(page.stdout, "An episode")
                self.assertRegex(told, r"^\nNo expert plays it, because the task has no oracle of its own")
                self.assertIn(f"`seedbed solve {name} --agent clairvoyant`", told)
                self.assertGreater(len(re.search(r"```\n(.*?)```", told, re.S).group(1)), 40)
                told = json.loads(run("tasks", task, "--json", program=MUTE).stdout)[0]
                self.assertEqual([told["page"], told["oracles"]], [page.stdout, ["clairvoyant"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
