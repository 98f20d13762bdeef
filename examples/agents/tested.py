"""An agent for the challenges in Autumn that needs the standard library only. It explores at random and answers at random,
but it goes through all phases of a test: it shows what a program has to do. docs/autumn-challenges.md describes the protocol.

    seedbed challenges -o pack.jsonl --tasks Seesaw,Basket
    seedbed eval --pack pack.jsonl --agent 'exec:python3 examples/agents/tested.py' -o result.json
"""
import json
import random
import sys

EXPLORE = 40  # steps before the test
KEYS = ["noop", "left", "right", "up", "down"]


class Tested:
    hello = {"protocol": 1, "name": "tested", "modes": ["challenge"]}

    def begin(self, message):
        self.chance = random.Random(message["random_seed"])
        self.side = message["click_width"]
        self.instructions = message["instructions"]

    def event(self):
        """Returns a key, or a click anywhere."""
        action = self.chance.choice([*KEYS, "click"])
        return action if action != "click" else f"click {self.chance.randrange(self.side)} {self.chance.randrange(self.side)}"

    def act(self, seen, offered):
        if seen["phase"] == "interaction":
            return self.event() if seen["step"] < EXPLORE else "go-to-test"
        if seen["kind"] == "mfp":
            return f"choose_option_{self.chance.randrange(6)}" if seen["is_finished"] else "step"
        if seen["phase"] == "choice":
            return "Submit choice" if self.chance.random() < 0.1 else self.chance.choice([name for name in offered if "choose" in name])
        if "I found the change!" in offered and seen["step"] >= EXPLORE:
            return "I found the change!"
        return self.event()


def main():
    agent = Tested()
    for line in sys.stdin:
        message = json.loads(line)
        if message["op"] == "close":
            return
        reply = {}
        if message["op"] == "hello":
            reply = agent.hello
        elif message["op"] != "end":
            if message["op"] == "reset":
                agent.begin(message)
            reply = {"action": agent.act(message["observations"]["challenge"], message["valid_names"])}
        print(json.dumps(reply), flush=True)


main()
