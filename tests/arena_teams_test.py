"""Teams of examples/arena that need no language model: what they find out, and that they do the same again.

    python3 tests/arena_teams_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import importlib.util
import json
import os
import sys
import unittest

from dataset_support import InFolder, read, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = os.path.join(ROOT, "examples", "arena")
sys.path.insert(0, EXAMPLES)
from induction import boards  # noqa: E402
from induction.evidence import Evidence  # noqa: E402
from induction.fitting import fit  # noqa: E402
from induction.graph import Graph  # noqa: E402
from induction.mind import Mind  # noqa: E402
from induction.questions import entropy  # noqa: E402
from induction.rules import Rules, cells_of  # noqa: E402
from induction.searching import Search  # noqa: E402

WAYS = {"1": "up", "2": "down", "3": "left", "4": "right"}


class World:
    """A small world: # is a wall, @ the walker; the rest is told by `others`."""

    def __init__(self, picture, others=None):
        self.rows = picture.split()
        self.grid = boards.Grid(len(self.rows[0]), len(self.rows), 1, 0, 0)
        self.kinds = boards.Kinds(".#@")
        self.board = boards.read_board("".join(self.rows), self.grid, self.kinds)
        self.others, self.pressed = others or (lambda world, before, after: after), []

    def press(self, button):
        self.pressed.append(button)
        after, (at,) = bytearray(self.board), cells_of(self.board, [2])
        to = at + self.grid.steps.get(WAYS.get(button), 0)
        if after[to] == 0:
            after[at], after[to] = 0, 2
        return bytes(self.others(self, self.board, after))


def watch(world, buttons):
    """What is found out about a world by pressing buttons."""
    evidence = Evidence()
    evidence.begin(world.grid, 1, world.board)
    for button in buttons:
        after = world.press(button)
        evidence.add(1, button, None, world.board, after, "step")
        world.board = after
    return fit(evidence)


ROOM = "####### #.....# #..@..# #.....# #.....# #.....# #######"


class Laws(unittest.TestCase):
    def test_buttons_and_walls(self):
        rules = watch(World(ROOM), "113424")
        self.assertEqual((rules.walkers, rules.laws["2"]["map"]), ([2], WAYS))
        self.assertEqual((rules.can_enter(2, 0), rules.can_enter(2, 1)), (True, False))

    def test_an_echo_does_what_was_done_two_actions_ago(self):
        def echo(world, before, after):
            (at,) = cells_of(before, [3])
            past = world.pressed[-3] if len(world.pressed) > 2 else None
            to = at + world.grid.steps.get(WAYS.get(past), 0)
            if after[to] == 0:
                after[at], after[to] = 0, 3
            return after

        world = World(ROOM[:-14] + "#..e..#" + " #######", echo)
        self.assertEqual(world.kinds.patterns[3], "e")
        law = watch(world, "134213341243").laws["3"]
        self.assertEqual((law["law"], law["delay"]), ("buttons", 2))

    def test_a_walker_is_lost_at_the_edge(self):
        for picture, presses, out in (("..... ..... ....@", "343434121212", "2"), ("....@ ..... ....#", "343434212121", "1")):
            for kind, becomes in (("step", 0), ("over", 1)):
                world, evidence = World(picture), Evidence()
                evidence.begin(world.grid, 1, world.board)
                for button in presses:
                    after = world.press(button)
                    evidence.add(1, button, None, world.board, after, "step")
                    world.board = after
                lost = bytes(becomes if cell == 2 else cell for cell in world.board)
                evidence.add(1, out, None, world.board, lost, kind)
                rules = fit(evidence)
                self.assertEqual((rules.walkers, rules.deadly, rules.becomes), ([2], [], {}))

    def test_rules_are_told_and_read(self):
        rules = watch(World(ROOM), "113424")
        self.assertEqual(Rules(json.loads(json.dumps(rules.told()))).told(), rules.told())

    def test_a_search_finds_the_way(self):
        world = World("####### #..@..# #.###.# #.#x..# #######")
        rules = watch(world, "34442")
        rules.enters_any["3"] = True
        graph = Graph()
        graph.begin(1)
        base = rules.under(None, world.board)
        reached, _, _ = Search(rules, world.grid, "1234", graph).run(rules.state(world.board, base), [(0, {"reach": 3})])
        self.assertEqual(reached[0], ["2", "3", "3"])


class Asking(unittest.TestCase):
    """Which question is asked: survivors of what was seen are told apart where they disagree most."""

    def mind_of(self, world, buttons, seen):
        mind = Mind(len(world.rows[0]), len(world.rows), buttons, None)
        mind.kinds = world.kinds
        show = lambda: "".join(world.kinds.patterns[kind] for kind in world.board)  # noqa: E731
        mind.begin(show(), 1)
        for button in seen:
            before, world.board = show(), world.press(button)
            mind.note({"action": {"id": button}, "kind": "step", "level": 1, "before": before, "after": show()})
            mind.refit()
        return mind

    def test_laws_that_agree_with_all_that_was_seen_survive(self):
        def echo(world, before, after):
            (at,), past = cells_of(before, [3]), world.pressed[-2] if len(world.pressed) > 1 else None
            to = at + world.grid.steps.get(WAYS.get(past), 0)
            if after[to] == 0:
                after[at], after[to] = 0, 3
            return after

        few, many = (watch(World(ROOM[:-14] + "#..e..#" + " #######", echo), buttons) for buttons in ("2111", "1311424134"))
        self.assertGreater(len(few.rivals["3"]), 1)
        self.assertIn(1, [law.get("delay") for law in few.rivals["3"]])
        self.assertEqual([law.get("delay") for law in many.rivals["3"]], [1])

    def test_an_unknown_button_is_pressed_where_its_ways_part(self):
        for seen, path in (("44", ["1"]), ("443", ["4", "1"])):
            mind = self.mind_of(World("######## #..@..## #####.## #......# ########"), ["3", "4"], seen)
            mind.buttons.append("1")
            choice = mind.choose(False)
            self.assertEqual(choice.path, path, "in the corner a way down is told apart, in the corridor it is not")
            self.assertIn("where does 1 lead", choice.why)

    def test_what_was_answered_is_not_asked_again(self):
        mind = self.mind_of(World(ROOM), "1234", "1234")
        self.assertNotIn("lead", mind.choose(False).why)

    def test_groups_of_equal_size_tell_most(self):
        self.assertEqual(entropy([1, 1]), 1)
        self.assertGreater(entropy([2, 2, 2]), entropy([4, 1, 1]))
        self.assertEqual(entropy([3]), 0)


class Boards(unittest.TestCase):
    def test_cells_are_found_whatever_their_size_and_place(self):
        for dot in (1, 2):
            side, patterns = 3 * dot, ["444444444", "222222222", "9.9999.9.".replace(".", "4")]
            lines = [["4"] * 64 for _ in range(64)]
            for cell in range(100):
                row, column = divmod(cell, 10)
                kind = 1 if row in (0, 9) or column in (0, 9) else 2 if cell in (33, 45, 62) else 0
                for i in range(side * side):
                    y, x = divmod(i, side)
                    lines[2 + row * side + y][4 + column * side + x] = patterns[kind][y // dot * 3 + x // dot]
            grid = boards.find_grid("".join(map("".join, lines)), 64, 64)
            self.assertEqual((grid.side, (grid.top - 2) % side, (grid.left - 4) % side), (side, 0, 0))


    def test_more_kinds_than_a_byte_holds_are_one(self):
        patterns = [chr(1000 + i) for i in range(300)]
        first = boards.Kinds()
        numbers = [first.number(pattern) for pattern in patterns]
        self.assertEqual(max(numbers), 255)
        again = boards.Kinds(first.patterns)
        self.assertEqual([again.number(pattern) for pattern in patterns], numbers)


class Playing(InFolder):
    def play(self, team, game, actions, out):
        document = json.loads(read(os.path.join(EXAMPLES, f"{team}.json")))
        document["limits"]["actions"] = actions
        programs = [document["model"], *document["roles"].values()]
        for program in programs:
            program["program"] = [sys.executable if word == "python3" else word.replace("{here}", EXAMPLES) for word in program["program"]]
        path = write(self.path(f"{team}.json"), json.dumps(document))
        done = run("arena", game, "--team", path, "-o", out, "-q", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        folder = os.path.join(self.folder, out, "games")
        (name,) = os.listdir(folder)
        return read(os.path.join(folder, name, "log.jsonl")).decode(), json.loads(read(os.path.join(folder, name, "scores.json")))

    def test_induce_wins_a_level_and_does_so_again(self):
        log, scores = self.play("induce", "arc:Shepherd/intro#1", 60, "one")
        self.assertEqual(self.play("induce", "arc:Shepherd/intro#1", 60, "two")[0], log)
        self.assertIn('"level":2', log)
        self.assertGreater(scores["choices"]["plan"], 0, "the arena plans, once the goal is known")
        self.assertEqual(run("verify", "one", cwd=self.folder).returncode, 0)

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "needs NumPy")
    def test_objects_learns_while_it_plays(self):
        log, scores = self.play("objects", "arc:Shepherd/intro#1", 24, "one")
        self.assertEqual(log.count('"t":'), 24)
        games = os.path.join(self.folder, "one", "games")
        self.assertNotEqual(read(os.path.join(games, os.listdir(games)[0], "artifacts", "dynamics")), b"")


class Refused(unittest.TestCase):
    """The team `objects`, when a patch of it is refused: what the patch had comes again, once, with what was seen since."""

    def setUp(self):
        spec = importlib.util.spec_from_file_location("team_of_objects", os.path.join(EXAMPLES, "objects.py"))
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.seen = 0
        self.team = self.begin(None)

    def begin(self, memory, text=""):
        return self.module.Team({"memory": memory, "artifacts": {"dynamics": {"text": text}}})

    def turn(self, n, *mail):
        """Tells the team of so many steps more; returns its answer."""
        news = [{"t": t, "level": 1, "kind": "step", "action": {"id": 1}, "before": str(t), "after": "x"} for t in range(self.seen + 1, self.seen + n + 1)]
        self.seen += n
        return self.team.turn({"owns": ["dynamics"], "news": news, "mail": [{"from": "arena", "to": "simulator", "text": text} for text in mail]})

    def given(self, answer):
        return [int(json.loads(line)["before"]) for patch in answer.get("patches", ()) for line in patch["append"].splitlines()]

    def test_its_steps_are_given_again_when_there_is_more(self):
        self.assertEqual(self.given(self.turn(8)), list(range(1, 9)))
        self.assertEqual(self.given(self.turn(1, "your patch was refused: the gate: it fixes 1 and breaks 2")), [])
        self.assertEqual(self.given(self.turn(7)), list(range(1, 17)))
        self.assertEqual(self.given(self.turn(8)), list(range(17, 25)), "the second patch was taken")

    def test_other_mail_says_nothing_of_a_patch(self):
        self.turn(8)
        self.assertEqual(self.given(self.turn(8, "no answer in time")), list(range(9, 17)))

    def test_a_program_that_is_started_again_sees_by_the_artifact_what_was_taken(self):
        first = self.turn(8)
        text, memory = first["patches"][0]["append"], self.turn(3)["memory"]
        for artifact, first in ((text, 9), ("", 1)):
            self.team, self.seen = self.begin(memory, artifact), 11
            self.assertEqual(self.given(self.turn(8)), list(range(first, 20)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
