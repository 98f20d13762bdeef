"""A team that knows the rules but for blind spots, which it loses one by one: it tests the arena, not the game. What is predicted must become right, and
every mistake must come to the role that owns the blind spot.

    seedbed arena arc:Echo/intro#7 --team examples/arena/oracle.json -o run

`dynamics` lists actions of which the model thinks that they change nothing, `observable` colours that it does not see. The rules are those of
`seedbed model serve` (the program is named by SEEDBED in the environment, or is found as all programs are); a mistake shows an owner one more of its own
blind spots. The model carries the actions since the level began, so it can be asked anything after it was started again.
"""
import json
import os
import subprocess

from roles import candidate, main


# ---- The model -------------------------------------------------------------------------------------------------------

class Truth:
    """The true rules, asked about states that are told by the actions that lead there."""

    def __init__(self):
        self.process, self.states = None, {}

    def begin(self, request):
        if self.process:
            self.process.stdin.close()
        command = [os.environ.get("SEEDBED", "seedbed"), "model", "serve", request["name"]]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.states = {}
        return self.ask(request)

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def state_after(self, actions, m):
        """What the rules carry after these actions in a level."""
        key = json.dumps([m["level"], actions])
        if actions and key not in self.states:
            before = self.state_after(actions[:-1], m)
            self.states[key] = self.ask({"op": "history", "h": before, "z": None, "action": actions[-1], "c": None, "m": m})["h"]
        return self.states.get(key)

    def predict(self, actions, m):
        return self.ask({"op": "predict", "z": None, "h": self.state_after(actions, m), "action": actions[-1], "c": None, "m": m, "hypothesis": None})


def read_artifact(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.loads(file.read() or "[]")


def serve_model(folder):
    truth, blind_actions, blind_colours = Truth(), read_artifact(folder, "dynamics"), read_artifact(folder, "observable")

    def see(frame):
        return "".join("0" if colour in blind_colours else colour for colour in frame)

    def hello(request):
        truth.begin(request)
        return {"name": "oracle with blind spots", "version": "1"}

    def history(request):
        return {"h": (request["h"] or []) + [request["action"]]}

    def predict(request):
        if request["action"]["id"] in blind_actions:
            return {"z": request["z"]}
        said = truth.predict(request["h"], request["m"])
        return {"z": {"frame": see(said["z"]["frame"])}, "done": said["done"], "over": said["over"]}

    candidate.serve({"hello": hello, "history": history, "predict": predict, "encode": lambda request: {"z": {"frame": see(request["frame"])}},
                     "render": lambda request: {"frame": request["z"]["frame"]}})


# ---- The roles -------------------------------------------------------------------------------------------------------

class Team:
    def __init__(self, hello):
        self.texts = {name: artifact["text"] for name, artifact in hello["artifacts"].items()}
        self.available = [one for one in hello["available"] if one != 0]

    def turn(self, request):
        patches = []
        if request["owns"] == ["observable"]:
            patches = self.look(request)
        if request["owns"] == ["dynamics"]:
            patches = self.explain(request)
        for patch in patches:
            self.texts[patch["artifact"]] = patch["text"]
        return {"patches": patches}

    def look(self, request):
        """Begins with the two rarest colours of the first frame unseen."""
        if not self.texts["observable"]:
            colours = sorted(set(request["frame"]) - {"0"}, key=lambda colour: (request["frame"].count(colour), colour))
            return [{"artifact": "observable", "text": json.dumps(colours[:2]), "reason": "blind at first"}]
        blind = json.loads(self.texts["observable"])
        if not blind or not request["ledger"]:
            return []
        return [{"artifact": "observable", "text": json.dumps(blind[1:]), "reason": f"colour {blind[0]} is there"}]

    def explain(self, request):
        """Begins with no action known, and learns those of which it is told that they were predicted wrongly."""
        if not self.texts["dynamics"]:
            return [{"artifact": "dynamics", "text": json.dumps(self.available), "reason": "nothing is known"}]
        wrong = {entry["action"]["id"] for entry in request["ledger"]}
        known = [one for one in json.loads(self.texts["dynamics"]) if one not in wrong]
        if json.dumps(known) == self.texts["dynamics"]:
            return []
        return [{"artifact": "dynamics", "text": json.dumps(known), "reason": f"{sorted(wrong, key=str)} do something"}]

    def act(self, request):
        is_good = request["has_model"] and request["plan"] != "none" and request["retrodiction"] >= 0.5
        return {"choose": "plan" if is_good else "probe"}


if __name__ == "__main__":
    main("oracle", Team, serve_model)
