"""The smallest candidate: nothing ever changes. docs/world-models.md explains what a candidate is.

    seedbed model check LOG --model 'python3 examples/models/copying.py'
"""
import json
import sys

for line in sys.stdin:
    request = json.loads(line)
    answer = {}
    if request["op"] == "close":
        break
    if request["op"] == "hello":
        answer = {"name": "copy", "version": "1", "offers": ["predict"], "learns": False}
    if request["op"] == "predict":
        answer = {"z": request["z"], "done": False, "over": False}
    print(json.dumps(answer), flush=True)
