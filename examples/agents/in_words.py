"""An agent for BabyBench's interactive protocol: it is told in words what it sees, and answers with one action. Put a
language model in the place of `answer`. docs/babybench.md tells how the protocol is run.

    seedbed eval babyai:GoToRedBall#2 --agent 'exec:python3 examples/agents/in_words.py language5'
"""
import json
import random
import re
import sys


def answer(text, actions, chance):
    """What a model would say. This one walks up to what its mission names, if it sees it, and else wanders."""
    wanted = re.search(r"(?:the|a) ((?:\w+ )?(?:ball|box|key|door|object))", text).group(1)
    seen = re.search(rf"{wanted}( \d+ steps? forward)?(?: and)?( \d+ steps? (?:left|right))?", text.split(" You see ")[1])
    is_blocked = re.search(r" 1 step forward(?! and)", text)
    if seen and seen.group(1) and not is_blocked:
        return "forward"
    if seen and seen.group(2):
        return seen.group(2).split()[-1]
    return chance.choice([action for action in actions if action in ("left", "right", "toggle") or action == "forward" and not is_blocked])


def main(mode):
    chance = random.Random()
    for line in sys.stdin:
        message = json.loads(line)
        reply = {}
        if message["op"] == "hello":
            reply = {"protocol": 1, "name": "in words, " + mode, "modes": [mode]}
        if message["op"] == "reset":
            chance.seed(message["random_seed"])
        if message["op"] in ("reset", "step"):
            reply = {"action": answer(message["observations"][mode], message["valid_names"], chance)}
        if message["op"] != "close":
            print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
