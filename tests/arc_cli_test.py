"""Multi-level games through the commands: datasets in every format, also after a kill, recorded play, pictures.

    python3 tests/arc_cli_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import random
import re
import shutil
import subprocess
import time
import unittest

try:
    import numpy
except ImportError:
    numpy = None

from dataset_support import SEEDBED, USAGE, InFolder, contents, rows_of, run, tapes_of

GAMES = ["Lantern", "Scales", "TwinCompass", "Echo", "Shepherd", "Moss", "Stamp", "Chimes", "Fold", "Polarity", "Clockwork", "DyeWorks"]
COLOURS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs", "multi-level-games.md")  # the table of colours
FORMATS = ["steps", "trajectories", "chat", "npz", "minari", "seedpack", "next_frame", "values", "preference"]
SELECTION = ["--family", "arc", "--tasks", "Fold,Chimes,TwinCompass", "-d", "intro", "--seeds", "0..3"]


def said(*arguments):
    done = run(*arguments)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


class Lists(unittest.TestCase):
    def test_every_game_is_listed_with_its_variants_and_agents(self):
        family = json.loads(said("tasks", "--family", "arc", "--json"))[0]
        self.assertEqual([task["name"] for task in family["tasks"]], GAMES)
        self.assertEqual(family["variants"], ["intro", "full"])
        self.assertEqual(family["modes"], ["frame", "frames", "answer", "diff", "state"])
        for task in family["tasks"]:
            self.assertLessEqual({"observer", "expert", "clairvoyant", "curious"}, set(task["oracles"]))


class Modes(InFolder):
    def test_modes_tell_the_same_frame(self):
        shown = {mode: json.loads(said("show", "arc:Chimes/full#7", "--mode", mode, "--json"))["observation"]
                 for mode in ("frame", "frames", "answer")}
        rows = shown["frame"].splitlines()
        self.assertEqual((len(rows), rows[64]), (65, "level 1 of 8, state NOT_FINISHED, actions 5 6"))
        frames = shown["answer"]["frame"]
        self.assertEqual([[int(digit, 16) for digit in row] for row in rows[:64]], frames[-1])
        self.assertEqual(shown["frames"].splitlines()[0], f"frame 1 of {len(frames)}")
        self.assertGreater(len(frames), 1)
        self.assertEqual((shown["answer"]["available_actions"], shown["answer"]["win_levels"]), ([5, 6], 8))

    def test_states_tell_where_things_are_drawn(self):
        tape = self.path("tape.jsonl")
        for game, drawn in (("Echo", {"walker": "9", "exit": "e"}), ("Shepherd", {"walker": "9", "timid": "e", "curious": "c"}), ("Clockwork", {"walker": "9", "exit": "e"})):
            said("solve", f"arc:{game}/intro#4", "-o", tape, "-q")
            places = set()
            for line in said("replay", tape, "--json", "--modes", "frame,state").splitlines():
                shown = json.loads(line)["observations"]
                rows, state = shown["frame"].splitlines(), shown["state"]
                width, height = 3 * len(state["board"][0]), 3 * len(state["board"])
                scale = min(64 // width, 64 // height)
                for thing in state["things"]:
                    x, y = ((64 - scale * size) // 2 + scale * 3 * thing[axis] for size, axis in ((width, "x"), (height, "y")))
                    covered = any(other is not thing and (other["x"], other["y"]) == (thing["x"], thing["y"]) for other in state["things"])
                    if thing["name"] in drawn and not covered:
                        self.assertEqual(rows[y][x], drawn[thing["name"]], (game, thing))
                    if thing["name"] == "walker":
                        places.add((state["level"], thing["x"], thing["y"]))
            self.assertGreater(len(places), 8)

    def test_films_have_all_frames_of_every_action(self):
        tape, film = self.path("tape.jsonl"), self.path("film.rgb")
        said("solve", "arc:Chimes/intro#3", "-o", tape, "-q")
        steps = [json.loads(line) for line in said("replay", tape, "--json", "--modes", "answer").splitlines()]
        with open(COLOURS, encoding="utf-8") as file:
            colours = {int(digit, 16): bytes.fromhex(colour) for digit, colour in re.findall(r"\| ([0-9a-f]) [a-z -]+ `([0-9a-f]{6})`", file.read())}
        self.assertEqual(len(colours), 16)
        wanted = b"".join(colours[cell] for step in steps for frame in step["observations"]["answer"]["frame"] for row in frame for cell in row)
        self.assertEqual(run("replay", tape, "--film", film, "--look", "screen", "--tile", "1").returncode, 0)
        with open(film, "rb") as file:
            self.assertEqual(file.read(), wanted)
        self.assertGreater(len(wanted), (len(steps) + 20) * 3 * 64 * 64)

    def test_tapes_verify(self):
        tape = self.path("tape.jsonl")
        said("solve", "arc:Stamp/intro#3", "-o", tape, "-q")
        self.assertIn("1 successes", said("verify", tape))


def grown(moss, grows, dies):
    """One step of moss on a board without walls between its cells; a cell is (x, y)."""
    def neighbours(x, y):
        return sum(cell in moss for cell in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)))
    return {(x, y) for x in range(1, 9) for y in range(1, 9) if (neighbours(x, y) >= dies if (x, y) in moss else neighbours(x, y) in grows)}


class NewThings(InFolder):
    """What a level brings is needed in it, as the expert's solutions show."""

    def levels(self, name):
        """Yields for each level the variables at its start, its board, and the names of the expert's actions."""
        tape, level = self.path("tape.jsonl"), 0
        said("solve", name, "--agent", "expert", "-o", tape, "-q")
        lines = [json.loads(line) for line in said("replay", tape, "--json", "--modes", "state").splitlines()]
        found = []
        for before, after in zip(lines, lines[1:]):
            state = before["observations"]["state"]
            if state["level"] != level:
                level = state["level"]
                found.append((state["variables"], state["board"], []))
            found[-1][2].append(after["action_name"])
        return found

    def test_presses_overlap_and_the_third_colour_is_there(self):
        for seed in range(12):
            levels = self.levels(f"arc:Stamp/full#{seed}")
            self.assertLess("".join(levels[1][0]["wanted_canvas"]).count("1"), 15)
            self.assertIn("2", "".join(levels[4][0]["wanted_canvas"]))

    def test_moss_would_grow_otherwise_by_the_first_rule(self):
        for seed in range(6):
            for number, (variables, board, actions) in enumerate(self.levels(f"arc:Moss/full#{seed}"), 1):
                side, results = len(board), []
                scale = 64 // (3 * side)
                soil = {(x, y) for x in range(side) for y in range(side) if board[y][x] == "0"}
                target = {(x, y) for x in range(side) for y in range(side) if variables["target"][y][x] == "1"}
                for grows, dies in ((variables["grows"], variables["dies"]), ([1], 0)):
                    moss = set()
                    for action in actions:
                        if action.startswith("ACTION6"):
                            moss.add(tuple((int(pixel) - (64 - 3 * side * scale) // 2) // scale // 3 for pixel in action.split()[1:]))
                        moss = grown(moss, grows, dies) & soil
                    results.append(moss == target)
                self.assertEqual(results, [True, number in (1, 2, 4)], (seed, number))


class Datasets(InFolder):
    def test_bytes_do_not_depend_on_workers_and_verify(self):
        for some in (FORMATS[:-1], ["steps", FORMATS[-1]]):  # a dataset has eight formats at most
            formats = ["--format", ",".join(some), "--modes", "frame,frames,diff,answer", "--force"]
            one = self.build("one", *SELECTION, *formats, "--jobs", "1")
            many = self.build("many", *SELECTION, *formats, "--jobs", "3")
            self.assertEqual(contents(one), contents(many))
            self.assertIn("dataset of 12 episodes", self.assert_verifies(one))
        self.assertTrue(all(tape["success"] and tape["level"] == 3 for tape in tapes_of(one)))
        self.assertEqual(len(rows_of(one)[0]["frame_render"].splitlines()), 65)

    def test_formats_of_other_families_are_refused(self):
        everything = re.findall(r"(?m)^  (\w+)  ", run("build", "--help-all").stdout.split("\nformats:\n")[1])
        self.assertGreater(set(everything), set(FORMATS))
        for name in set(everything) - set(FORMATS):
            self.refuse(["build", "-o", self.path(name), *SELECTION, "--format", name], USAGE, name, "the family arc has no rooms")

    @unittest.skipUnless(numpy, "the Python package numpy is not installed")
    def test_arrays_are_what_answers_tell(self):
        selection = ["--family", "arc", "--tasks", "Fold,Chimes", "-d", "intro", "--seeds", "0", "--agent", "curious"]
        rows = rows_of(self.build("rows", *selection, "--modes", "answer"))
        with numpy.load(os.path.join(self.build("npz", *selection, "--format", "npz"), "npz-00000-of-00001.npz")) as arrays:
            self.assertEqual(len(rows), len(arrays["actions"]))
            self.assertGreater(len(rows), 200)
            for i, row in list(enumerate(rows))[::3]:
                answer = row["answer_render"]
                answer = json.loads(answer) if isinstance(answer, str) else answer
                self.assertEqual(arrays["frames_count"][i], len(answer["frame"]))
                self.assertEqual(["NOT_PLAYED", "NOT_FINISHED", "WIN", "GAME_OVER"][arrays["game_state"][i]], answer["state"])
                self.assertEqual(arrays["level"][i], answer["levels_completed"] + 1)
                if answer["frame"]:
                    numpy.testing.assert_array_equal(arrays["colors"][i], answer["frame"][-1])

    def test_arrays_and_pixels(self):
        folder = self.build("npz", *SELECTION, "--format", json.dumps({"format": "npz", "pixels": {"look": "screen", "tile": 1, "channels": 1}}))
        self.assert_verifies(folder)

    def test_a_build_that_was_killed_goes_on_to_the_same_bytes(self):
        several = [*SELECTION, "--format", "steps,npz,minari"]
        wanted, killed = contents(self.build("whole", *several)), 0
        began = time.monotonic()
        self.build("timed", *several)
        length, chance = time.monotonic() - began, random.Random(23)
        for attempt in range(12):
            folder = self.path("d")
            shutil.rmtree(folder, ignore_errors=True)
            child = subprocess.Popen([SEEDBED, "build", "-o", folder, "-q", "--jobs", "2", *several])
            time.sleep(chance.random() * length)
            child.kill()
            if child.wait():
                killed += 1
            else:
                length *= 0.8  # the machine may have been slower when the length was measured
            self.build("d", *several, "--resume" if attempt % 3 else "--force")
            self.assertEqual(contents(folder), wanted)
        self.assertGreater(killed, 2, "too few were killed while they worked")


class Agents(InFolder):
    def test_an_evaluation_tells_levels(self):
        result = self.path("result.json")
        said("eval", "--family", "arc", "--tasks", "Fold", "-d", "intro", "--seeds", "0..1", "--agent", "curious", "-q", "-o", result)
        with open(result, encoding="utf-8") as file:
            for episode in json.load(file)["episodes"]:
                self.assertEqual(episode["n_levels"], 3)
                self.assertAlmostEqual(episode["return"], episode["level"] / 3)
        self.assertEqual(run("verify", result).returncode, 0)

    def test_the_observer_wins_every_game(self):
        for game in GAMES:
            for seed in range(2):
                self.assertIn("success", said("solve", f"arc:{game}/intro#{seed}", "--agent", "observer"), game)


if __name__ == "__main__":
    unittest.main(argv=["arc_cli_test"])
