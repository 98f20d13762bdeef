"""The loop of a candidate: one JSON object a line comes in, and one goes out (docs/world-models.md).

    candidate.serve({"hello": ..., "predict": ...})

Each operation is a function of the request that returns the answer. `hello` gets `offers` by itself.
"""
import json
import os
import sys
import traceback


def answer_lines(answer):
    """Answers requests until the end, each by the function's result."""
    for line in sys.stdin:
        request = json.loads(line)
        if request["op"] == "close":
            break
        print(json.dumps(answer(request), separators=(",", ":")), flush=True)


def serve(operations):
    """Answers requests until the end. Whatever goes wrong in an operation is said in its answer, and the loop goes on."""
    answer_lines(lambda request: answer_to(request, operations))


def answer_to(request, operations):
    try:
        answer = operations[request["op"]](request) if request["op"] in operations else {}
    except Exception as error:  # noqa: BLE001 the caller counts failures; a candidate that ends would lose what it learnt
        place = traceback.extract_tb(error.__traceback__)[-1]
        return {"error": f"{type(error).__name__}: {error} ({os.path.basename(place.filename)}:{place.lineno})"}
    return {**answer, "offers": [name for name in operations if name != "hello"]} if request["op"] == "hello" else answer


def action_name(action):
    """An action without the place of its click: `6`, `left`, `click`."""
    return str(action["id"])
