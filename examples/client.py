"""Plays Seedbed episodes from Python with the standard library only; docs/protocol.md describes every reply.

usage: client.py path/to/seedbed KeyDoorPuzzle-v0/medium#42 [agent]
The agent is an oracle (default: expert), or `mine`: valid actions at random from a fixed seed."""
import json
import random
import subprocess
import sys


class SeedbedError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code  # such as "finished": the episode is over, reset first


class Seedbed:
    def __init__(self, binary="seedbed"):
        self.server = subprocess.Popen([binary, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def request(self, op, **keys):
        self.server.stdin.write(json.dumps({"op": op, **keys}).encode() + b"\n")
        self.server.stdin.flush()
        line = self.server.stdout.readline()
        if not line:
            raise SeedbedError("io", f"the server has ended with exit code {self.server.wait()}")
        reply = json.loads(line)
        if not reply["ok"]:
            raise SeedbedError(**reply["error"])
        return reply

    def reset(self, name, **keys):
        return self.request("reset", name=name, **keys)

    def step(self, action):
        return self.request("step", action=action)

    def close(self):
        self.server.communicate()
        return self.server.returncode


def play(seedbed, name, agent="expert"):
    state, chance = seedbed.reset(name), random.Random(0)
    print(state["name"], state["summary"], *state["observations"].values(), sep="\n")
    while not state["done"]:
        hint = {} if agent == "mine" else seedbed.request("hint", agent=agent)
        action = hint["action_name"] if hint else chance.choice(state["valid_names"])
        state = seedbed.step(action)
        print(f"step {state['steps']}: {action}, reward {state['reward']}", hint.get("intent") or "")
    print(f"{'success' if state['success'] else 'failure'} after {state['steps']} steps, return {state['return']}")
    return state


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    server = Seedbed(sys.argv[1])
    play(server, *sys.argv[2:])
    sys.exit(server.close())
