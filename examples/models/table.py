"""A candidate that learns by heart: what a frame and an action led to the last time, they lead to again. What it has not seen changes nothing.

    seedbed model check LOG --model 'python3 examples/models/table.py'
"""
import hashlib
import json

import candidate

KNOWN = {}  # of a frame and an action, as a hash: the next frame, done, over


def key_of(request):
    action = request["action"]
    text = f"{request['z']['frame']} {action['id']} {action.get('x')} {action.get('y')}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def hello(request):
    return {"name": "table", "version": "1", "learns": True}


def predict(request):
    frame, done, over = KNOWN.get(key_of(request), (request["z"]["frame"], False, False))
    return {"z": {"frame": frame}, "done": done, "over": over}


def learn(request):
    if request["kind"] in ("step", "level", "over"):
        after = request["z_next"] or request["z"]  # when a level is completed, another one is shown
        KNOWN[key_of(request)] = (after["frame"], request["kind"] == "level", request["kind"] == "over")
    return {}


def save(request):
    with open(request["path"], "w", encoding="utf-8") as file:
        json.dump(KNOWN, file)
    return {}


def load(request):
    with open(request["path"], encoding="utf-8") as file:
        KNOWN.update(json.load(file))
    return {}


if __name__ == "__main__":
    candidate.serve({"hello": hello, "predict": predict, "learn": learn, "save": save, "load": load})
