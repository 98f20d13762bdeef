"""An agent for BabyBench's interactive protocol: it reads what it sees in words and answers with one action. To let a
language model play, replace `answer`. docs/babyai.md says how to run the protocol.

    seedbed eval babyai:GoToRedBall#2 --agent 'exec:python3 examples/agents/in_words.py language5'
"""
import json
import random
import re
import sys


def answer(text, actions, chance):
    """Returns an action, as a model would. This one walks to the thing that the mission names if it sees it, and wanders otherwise."""
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
