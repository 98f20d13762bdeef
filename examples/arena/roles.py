"""What the programs of teams have in common: a file that plays all roles, and as `FILE model FOLDER` runs the artifacts that it writes (docs/arena.md)."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models"))
import candidate  # noqa: E402


def play(name, team):
    """Plays all roles. `team` is made from the hello, and its `turn` and `act` take a request and return an answer; other questions get none."""
    members = None

    def answer(request):
        nonlocal members
        if request["op"] == "hello":
            members = team(request)
            return {"name": name, "version": "1"}
        return getattr(members, request["op"])(request) if request["op"] in ("turn", "act") else {}
    candidate.answer_lines(answer)


def main(name, team, serve_model):
    if sys.argv[1:2] == ["model"]:
        serve_model(sys.argv[2])
    else:
        play(name, team)
