"""A team that needs no language model: it looks for rules of a stated space that explain all that it saw, tries what would tell hypotheses apart, guesses what
the game wants, and plans for it. One program plays all roles; as `induce.py model FOLDER` the same file runs the artifacts (docs/arena.md).

    seedbed arena arc:DyeWorks/intro#7 --team examples/arena/induce.json -o run

`observable` lists the kinds of cells, `dynamics` the rules, `strategy` the goal that is pursued. induction/rules.py states the space of rules,
induction/goals.py that of goals. Nothing is known of any game: neither colours nor sizes nor what buttons do.
"""
import base64
import json
import os
import zlib

from induction import boards
from induction.goals import comes_true, is_seen, name_of
from induction.mind import RESET, Mind
from induction.rules import Rules
from roles import candidate, main

NODES = 2000  # predictions of a search of the arena, as in induce.json
KEPT = ("t", "level", "kind", "action", "before", "after", "prediction")  # of a step
REASONS = {"observable": "kinds that were seen", "dynamics": "what was seen is explained by it", "strategy": "the likeliest goal that is in reach"}

# ---- The model: what the artifacts say -------------------------------------------------------------------------------

def read_artifact(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        text = file.read()
    return json.loads(text) if text else {}


class Model:
    def __init__(self, folder):
        self.kinds = boards.Kinds(read_artifact(folder, "observable").get("kinds", ()))
        self.rules = Rules(read_artifact(folder, "dynamics"))
        self.strategy = read_artifact(folder, "strategy")
        self.shape, self.boards = (64, 64), {}

    def hello(self, request):
        self.shape = request.get("width", 64), request.get("height", 64)
        return {"name": "induce", "version": "1"}

    def read(self, text, grid):
        key = (text, grid.side, grid.top, grid.left)
        if key not in self.boards:
            if len(self.boards) > 20000:
                self.boards.clear()
            self.boards[key] = boards.read_board(text, grid, self.kinds)
        return self.boards[key]

    def history(self, request):
        """What is carried. Whatever cannot make a difference is left out, so that the planner meets the same state again."""
        h, text, rules = request["h"], request["z"]["frame"], self.rules
        grid = boards.Grid(*h["grid"]) if h else boards.find_grid(text, *self.shape)
        memory = rules.carry(h and memory_in(h), self.read(text, grid), str(request["action"]["id"]))
        budget = boards.narrowed(h["budget"] if h else boards.BUDGETS, text, self.shape[0], request["m"]["action_count"])
        return {"h": {"base": memory["base"].hex(), "past": memory["past"][-rules.delay - 1:], "time": memory["time"] % rules.period,
                      "turn": memory["turn"], "at": memory["at"] if rules.turners else [], "grid": grid.told(), "budget": budget}}

    def predict(self, request):
        h, text, action = request["h"], request["z"]["frame"], request["action"]
        grid = boards.Grid(*h["grid"])
        board = self.read(text, grid)
        after, done, over = board, False, False
        if self.rules.walkers and "x" not in action:
            before = self.rules.state_in(memory_in(h), board)
            state, step = self.rules.apply(before, str(action["id"]), grid)
            after, over = state[0], step.dies
            done = self.strategy.get("sure", False) and comes_true(self.strategy["goal"], before, state, step)
        frame = boards.draw_cells(text, grid, self.kinds, board, after)
        return {"z": {"frame": boards.draw_bar(frame, h["budget"], self.shape[0], request["m"]["action_count"] + 1)}, "done": done, "over": over}

    def goal(self, request):
        """Whether the goal that is pursued is reached, as far as a frame and what lay under it before show that."""
        h, goal = request["h"], self.strategy.get("goal")
        if not goal or not h:
            return {"achieved": False, "progress": 0, "reason": "no goal"}
        board = self.read(request["z"]["frame"], boards.Grid(*h["grid"]))
        return {"achieved": is_seen(goal, board, bytes.fromhex(h["base"]), self.rules), "progress": 0, "reason": name_of(goal)}


def memory_in(h):
    return {**h, "base": bytes.fromhex(h["base"]), "past": tuple(h["past"])}


def serve_model(folder):
    model = Model(folder)
    candidate.serve({name: getattr(model, name) for name in ("hello", "history", "predict", "goal")})


# ---- The roles -------------------------------------------------------------------------------------------------------

class Team:
    def __init__(self, hello):
        available = [one for one in hello["available"] if one != 0]
        click = next((one for one in available if one in (6, "click")), None)
        self.click = click
        self.names = {str(one): one for one in available}
        buttons = [str(one) for one in available if one != click]
        self.mind = Mind(hello.get("width", 64), hello.get("height", 64), buttons, None if click is None else str(click))
        self.texts = {name: artifact["text"] for name, artifact in hello["artifacts"].items()}
        self.told, self.steps = 0, []
        self.wanted, self.spoilt = self.texts["strategy"], set()  # the strategy as it should be; boards in which plans went wrong
        self.remember(hello["memory"])

    def take(self, request):
        """Roles hear of the same steps, each in its own time. After each of them the rules are found again, as if it had been the only one."""
        for step in request["news"]:
            if step["t"] > self.told:
                self.told = step["t"]
                self.steps.append({key: step[key] for key in KEPT})
                if step["prediction"] == "wrong":
                    self.spoilt.add(self.mind.board)
                self.mind.note(step)
                self.mind.refit()
                if step["kind"] != "over":
                    self.mind.look()
        if self.mind.grid is None:
            self.mind.begin(request["frame"], request["level"])

    def remember(self, memory):
        """Lives through all steps again, after this program was started again."""
        if memory:
            self.take({"news": json.loads(zlib.decompress(base64.b64decode(memory)))})

    def memory(self):
        return base64.b64encode(zlib.compress(json.dumps(self.steps).encode(), 6)).decode()

    def turn(self, request):
        self.take(request)
        patches = []
        texts = {"observable": artifact({"kinds": self.mind.kinds.patterns}), "dynamics": artifact(self.mind.rules.told()), "strategy": self.wanted}
        for name in request["owns"]:
            if texts[name] != self.texts[name]:
                self.texts[name] = texts[name]
                patches.append({"artifact": name, "text": texts[name], "reason": REASONS[name]})
        return {"patches": patches}

    def act(self, request):
        self.take(request)
        self.mind.refit()
        choice = self.mind.choose(request["may_reset"])
        if choice.button == RESET:
            return {"choose": "reset", "memory": self.memory()}
        if self.can_plan(choice, request):
            return {"choose": "plan", "memory": self.memory()}
        action = {"id": self.names[choice.button]}
        if choice.cell is not None:
            action["x"], action["y"] = self.mind.grid.centre(choice.cell)
        return {"choose": "probe", "action": action, "feedback": self.ask_for_goal(choice), "memory": self.memory()}

    # The arena's planner takes over where one goal is pursued. Which goal is the likeliest that is near, and which question is, has to be found out before: for
    # that there is a search of our own, which looks for all of them at once. Its path is also taken where the arena's would be cut (it tells a board that is
    # reached later from the same one now, since the bar is shorter then), and where the model was wrong: that something did nothing here is in no rule.

    def can_plan(self, choice, request):
        is_ready = choice.goal and request["plan"] != "none" and request["has_model"] and self.texts["strategy"] == strategy_of(choice)
        return is_ready and choice.work <= NODES and self.mind.board not in self.spoilt

    def ask_for_goal(self, choice):
        """Lets the strategy be changed before the next action, if there is a plan."""
        if choice.goal and choice.work <= NODES and len(choice.path) > 2 and self.texts["strategy"] != strategy_of(choice):
            self.wanted = strategy_of(choice)
            return [{"to": "inductive", "text": f"the goal is now to {name_of(choice.goal)}"}]
        return []


def artifact(content):
    return json.dumps(content, sort_keys=True, indent=1)


def strategy_of(choice):
    return artifact({"goal": choice.goal, "sure": choice.is_sure})


if __name__ == "__main__":
    main("induce", Team, serve_model)
