"""A team that needs no language model: it learns by heart what every frame and action led to, and goes where it has not been. One program plays all roles,
and the same file, as `table.py model FOLDER`, runs the artifacts that it writes (docs/arena.md).

    seedbed arena arc:Echo/intro#7 --team examples/arena/table.json -o run

`dynamics` has a line for each frame and action that was predicted wrongly: what they led to. `strategy` has a line for each frame in which everything was
tried. What is left to try in a frame is in the memory that the arena keeps for the program, so nothing is lost when it is started again.
"""
import hashlib
import json
import os

from roles import candidate, main

CLICKS = 8  # that are tried in a frame; every other action is tried once


def short_hash(*parts):
    return hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:16]


def key_of(frame, action):
    return short_hash(frame, action["id"], action.get("x"), action.get("y"))


# ---- The model: what the artifacts say -------------------------------------------------------------------------------

def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def read_artifact(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return lines_of(file.read())


def serve_model(folder):
    known = {line["key"]: line for line in read_artifact(folder, "dynamics")}
    closed = {line["frame"] for line in read_artifact(folder, "strategy")}
    met = {short_hash(line["frame"]) for line in known.values()}

    def predict(request):
        frame = request["z"]["frame"]
        line = known.get(key_of(frame, request["action"]), {"frame": frame})
        return {"z": {"frame": line["frame"]}, "done": line.get("done", False), "over": line.get("over", False)}

    def goal(request):
        name = short_hash(request["z"]["frame"])
        return {"achieved": name in met and name not in closed, "progress": 0, "reason": "something is left to try"}

    candidate.serve({"hello": lambda request: {"name": "table", "version": "1"}, "predict": predict, "goal": goal})


# ---- The roles -------------------------------------------------------------------------------------------------------

class Team:
    def __init__(self, hello):
        self.kinds = len(hello["available"])
        self.clicks = 6 in hello["available"] or "click" in hello["available"]
        self.closed = {line["frame"] for line in lines_of(hello["artifacts"]["strategy"]["text"])}
        self.tried = dict(hello["memory"] or {})  # of frames that are not closed: how many actions were tried in them

    def is_spent(self, frame):
        return self.tried.get(frame, 0) >= self.kinds + (CLICKS - 1 if self.clicks else 0)

    def turn(self, request):
        """The owner of a part of the model writes down what it got wrong, or which frames hold nothing new."""
        patches = []
        if "dynamics" in request["owns"]:
            lines = [line_of(step) for step in request["news"] if step["prediction"] != "right" and step["kind"] in ("step", "level", "over")]
            if lines:
                patches.append({"artifact": "dynamics", "append": "".join(lines), "reason": f"{len(lines)} predicted wrongly"})
        if "strategy" in request["owns"]:
            spent = sorted(frame for frame in self.tried if self.is_spent(frame))
            self.closed.update(spent)
            self.tried = {frame: n for frame, n in self.tried.items() if frame not in self.closed}
            if spent:
                lines = "".join(json.dumps({"frame": frame}) + "\n" for frame in spent)
                patches.append({"artifact": "strategy", "append": lines, "reason": f"everything was tried in {len(spent)} frames"})
        return {"patches": patches, "memory": self.tried}

    def act(self, request):
        """Tries something here, if something is left, and else goes to where something is left."""
        for step in request["news"]:
            frame = short_hash(step["before"])
            if frame not in self.closed:
                self.tried[frame] = self.tried.get(frame, 0) + 1
        here = short_hash(request["frame"])
        is_closed = here in self.closed or self.is_spent(here)
        answer = {"choose": "plan" if is_closed and request["plan"] != "none" else "probe", "memory": self.tried}
        if any(self.is_spent(frame) for frame in self.tried):
            answer["feedback"] = [{"to": "inductive", "text": "there are frames in which everything was tried"}]
        return answer


def line_of(step):
    """What a step led to; when a level is completed, another one is shown."""
    done = step["kind"] == "level"
    after = step["before"] if done else step["after"]
    return json.dumps({"key": key_of(step["before"], step["action"]), "frame": after, "done": done, "over": step["kind"] == "over"}) + "\n"


if __name__ == "__main__":
    main("table", Team, serve_model)
