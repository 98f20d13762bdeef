"""The loop of a candidate: one JSON object a line comes in, and one goes out (docs/world-models.md, "Write a candidate").

    candidate.serve({"hello": ..., "predict": ...})

Each operation is a function of the request that returns the answer. `hello` gets `offers` by itself.
"""
import json
import os
import sys
import traceback


def serve(operations):
    """Answers requests until the input ends. Whatever goes wrong in an operation is said in its answer, and the loop goes on."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = operations[request["op"]](request)
            if request["op"] == "hello":
                answer = {**answer, "offers": [name for name in operations if name != "hello"]}
        except Exception as error:  # noqa: BLE001 the caller counts failures; a candidate that ends would lose what it learnt
            place = traceback.extract_tb(error.__traceback__)[-1]
            answer = {"error": f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})"}
        print(json.dumps(answer, separators=(",", ":")), flush=True)


def action_name(action):
    """An action without the place of its click: `6`, `left`, `click`."""
    return str(action["id"])
