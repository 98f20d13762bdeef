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
from induction.mind import RESET, Mind
from induction.rules import Rules
from roles import candidate, main


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
        h, text = request["h"], request["z"]["frame"]
        grid = boards.Grid(*h["grid"]) if h else boards.find_grid(text, *self.shape)
        memory = h and {**h, "base": bytes.fromhex(h["base"]), "past": tuple(h["past"])}
        memory = self.rules.carry(memory, self.read(text, grid), str(request["action"]["id"]))
        bar = boards.bar_of(text, self.shape[0])
        bars = [*(h["bars"] if h else []), bar[0] if bar else -1]
        return {"h": {**memory, "base": memory["base"].hex(), "grid": grid.told(), "bars": bars}}

    def predict(self, request):
        h, text, action = request["h"], request["z"]["frame"], request["action"]
        grid = boards.Grid(*h["grid"])
        board = self.read(text, grid)
        memory = {**h, "base": bytes.fromhex(h["base"]), "past": tuple(h["past"])}
        after = board
        if self.rules.walkers and "x" not in action:
            after = self.rules.apply(self.rules.state_in(memory, board), str(action["id"]), grid)[0][0]
        frame = boards.draw_cells(text, grid, self.kinds, board, after)
        return {"z": {"frame": self.shorten(frame, h)}}

    def shorten(self, frame, h):
        """Draws the bar as it will be."""
        width = self.shape[0]
        bar = boards.bar_of(frame, width)
        if not bar or -1 in h["bars"] or h["bars"][0] != width:
            return frame
        lengths = h["bars"]
        good = [n for n in range(2, 400) if all(boards.bar_length(width, n, time) == length for time, length in enumerate(lengths))]
        if not good:
            return frame
        n = boards.bar_length(width, good[len(good) // 2], len(lengths))
        return frame[:-width] + bar[1] * n + (bar[2] or "3") * (width - n)


def serve_model(folder):
    model = Model(folder)
    candidate.serve({name: getattr(model, name) for name in ("hello", "history", "predict")})


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
        self.remember(hello["memory"])

    def take(self, request):
        """Roles hear of the same steps, each in its own time."""
        for step in request["news"]:
            if step["t"] > self.told:
                self.told = step["t"]
                self.steps.append({key: step[key] for key in ("t", "level", "kind", "action", "before", "after")})
                self.mind.note(step)
        if self.mind.grid is None:
            self.mind.begin(request["frame"], request["level"])

    def remember(self, memory):
        """Lives through all steps again, after this program was started again."""
        last = None
        for step in json.loads(zlib.decompress(base64.b64decode(memory))) if memory else ():
            if last:
                self.mind.refit()
            if last and last["kind"] != "over":
                self.mind.look()
            self.take({"news": [step]})
            last = step
        if last:
            self.mind.refit()

    def memory(self):
        return base64.b64encode(zlib.compress(json.dumps(self.steps).encode(), 6)).decode()

    def turn(self, request):
        self.take(request)
        self.mind.refit()
        patches = []
        texts = {"observable": {"kinds": self.mind.kinds.patterns}, "dynamics": self.mind.rules.told()}
        for name in ("observable", "dynamics"):
            text = json.dumps(texts[name], sort_keys=True, indent=1)
            if name in request["owns"] and text != self.texts[name]:
                self.texts[name] = text
                patches.append({"artifact": name, "text": text, "reason": "what was seen is explained by it"})
        return {"patches": patches}

    def act(self, request):
        self.take(request)
        self.mind.refit()
        self.mind.look()
        choice = self.mind.choose(request["may_reset"])
        if choice.button == RESET:
            return {"choose": "reset", "memory": self.memory()}
        action = {"id": self.names[choice.button]}
        if choice.cell is not None:
            action["x"], action["y"] = self.mind.grid.centre(choice.cell)
        return {"choose": "probe", "action": action, "memory": self.memory()}


if __name__ == "__main__":
    main("induce", Team, serve_model)
