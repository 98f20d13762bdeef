"""A team that needs no language model: the learner of examples/models/objects.py inside the loop. What was seen is the artifact `dynamics`, and the model
learns from it whenever it is started; `objects.py model FOLDER` is that model. Needs NumPy.

    seedbed arena arc:Echo/intro#7 --team examples/arena/objects.json -o run

It plans where the model is mostly right, and else tries what was tried least here.
"""
import base64
import importlib.util
import json
import os
import zlib

from roles import candidate, main

HERE = os.path.dirname(os.path.abspath(__file__))
LESSON = 8  # steps that are seen before the model is taught them: it is started again for that
REFUSED = "your patch was refused"  # so begins what the arena says of one
GOOD = 0.6  # retrodiction from which plans are made


# ---- The model -------------------------------------------------------------------------------------------------------

def learner():
    """The program of examples/models, whose file has the same name."""
    spec = importlib.util.spec_from_file_location("learner", os.path.join(HERE, "..", "models", "objects.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Program()


def teach(program, steps):
    """Lets the program learn steps, which are told one after another as they were seen."""
    h = None
    for step in steps:
        if step["kind"] == "reset":
            h = None
            continue
        request = {"h": h, "z": {"frame": step["before"]}, "action": step["action"], "m": {"level": step["level"]}}
        h = program.history(request)["h"]
        program.learn({**request, "h": h, "kind": step["kind"], "z_next": {"frame": step["after"]}})
        h = None if step["kind"] == "level" else h


def serve_model(folder):
    program = learner()

    def hello(request):
        answer = program.hello(request)
        with open(os.path.join(folder, "dynamics"), encoding="utf-8") as file:
            teach(program, map(json.loads, file))
        return {**answer, "learns": False}

    candidate.serve({"hello": hello, "history": program.history, "predict": program.predict})


# ---- The roles -------------------------------------------------------------------------------------------------------

class Team:
    def __init__(self, hello):
        self.waiting, self.given = read_memory(hello["memory"])
        self.is_vain = False  # to plan, with what is known
        self.refused = 0  # of those that wait: how many were in a patch that was refused
        if not hello["artifacts"]["dynamics"]["text"].endswith("".join(self.given)):
            self.take_back()

    def turn(self, request):
        """Adds what was seen since the last lesson, if it is enough or a level is over."""
        if "dynamics" not in request["owns"]:
            return {}
        if any(mail["from"] == "arena" and mail["text"].startswith(REFUSED) for mail in request["mail"]):
            self.take_back()
        self.waiting += [line_of(step) for step in request["news"] if step["kind"] != "none"]
        is_due = len(self.waiting) - self.refused >= LESSON or any(step["kind"] in ("level", "over") for step in request["news"])
        if not self.waiting or not is_due:
            return {"memory": memory_of(self.waiting, self.given)}
        self.given, self.waiting, self.refused, self.is_vain = self.waiting, [], 0, False
        reason = f"{len(self.given)} steps more were seen"
        return {"patches": [{"artifact": "dynamics", "append": "".join(self.given), "reason": reason}], "memory": memory_of([], self.given)}

    def take_back(self):
        """What was in a patch that was refused is given again, with the next lesson."""
        self.waiting, self.given = self.given + self.waiting, []
        self.refused = len(self.waiting)

    def act(self, request):
        """A search that found nothing finds no more until the model has learnt more."""
        if request["plan"] == "none":
            self.is_vain = True
        is_good = request["has_model"] and not self.is_vain and request["retrodiction"] >= GOOD
        return {"choose": "plan" if is_good else "probe"}


def memory_of(waiting, given):
    """Steps that are in no artifact yet, and those of the last patch, of which it is not known whether it was taken."""
    return base64.b64encode(zlib.compress(json.dumps([waiting, given]).encode(), 6)).decode()


def read_memory(memory):
    return json.loads(zlib.decompress(base64.b64decode(memory))) if memory else ([], [])


def line_of(step):
    return json.dumps({key: step[key] for key in ("level", "kind", "action", "before", "after")}) + "\n"


if __name__ == "__main__":
    main("objects", Team, serve_model)
