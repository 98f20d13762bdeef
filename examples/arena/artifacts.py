"""Runs artifacts that are Python: `observable`, `dynamics` and `strategy` each define functions, by the names of operations of models of worlds
(docs/world-models.md), each with one argument, the request, and one result, the answer. What is not defined is not offered.

    "model": {"program": ["python3", "{here}/../models/sandbox.py", "--show", "{artifacts}", "--show", "{here}/..", "--",
                          "python3", "{here}/artifacts.py", "{artifacts}"]}

The three share nothing: each has globals of its own. An artifact that is no Python, or fails when it is read, is a failure of the hello.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models"))
import candidate  # noqa: E402

NAMES = ("observable", "dynamics", "strategy")
OPERATIONS = ("level", "encode", "render", "history", "predict", "hypotheses", "clicks", "goal", "policy", "sub_goal", "learn")


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        spoken = {"__name__": name}
        exec(compile(file.read(), name, "exec"), spoken)
        return spoken


def main(folder):
    operations, facts = {}, {}
    for name in NAMES:
        artifact = read(folder, name)
        operations.update((op, artifact[op]) for op in OPERATIONS if callable(artifact.get(op)))
        facts.update((key, artifact[key]) for key in ("policies", "sub_goals", "learns") if key in artifact)
    candidate.serve({"hello": lambda request: {"name": "artifacts", "version": "1", **facts}, **operations})


if __name__ == "__main__":
    main(sys.argv[1])
