"""Plays Seedbed episodes from Python with the standard library only; docs/agents.md describes every reply.

usage: client.py path/to/seedbed KeyDoorPuzzle-v0/medium#42 [agent]
       client.py path/to/seedbed --batch GoToGoal-v0/easy 100
The agent is an oracle (default: expert), or `mine`, which takes random valid actions from a fixed seed. With --batch,
`mine` plays that many seeds from 0 on, 16 at a time."""
import json
import random
import socket
import subprocess
import sys


class SeedbedError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code  # such as "finished": the episode is over


class Seedbed:
    """Starts a server of its own, or connects to the server at the socket `path`."""

    def __init__(self, binary="seedbed", path=None):
        self.server = None
        if path:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(path)
            self.requests, self.replies = connection.makefile("wb"), connection.makefile("rb")
            connection.close()
        else:
            self.server = subprocess.Popen([binary, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self.requests, self.replies = self.server.stdin, self.server.stdout

    def request(self, op, **keys):
        self.requests.write(json.dumps({"op": op, **keys}).encode() + b"\n")
        self.requests.flush()
        line = self.replies.readline()
        if not line:
            raise SeedbedError("io", "the server has ended")
        reply = json.loads(line)
        if not reply["ok"]:
            raise SeedbedError(**reply["error"])
        return reply

    def reset(self, name, **keys):
        return self.request("reset", name=name, **keys)

    def step(self, action):
        return self.request("step", action=action)

    def close(self):
        self.requests.close()
        self.replies.close()
        return self.server.wait() if self.server else 0


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


def play_many(seedbed, names, envs=16):
    """Plays all episodes with random valid actions, one request for each round of steps; returns name -> success."""
    chance, successes = random.Random(0), {}
    states = seedbed.request("start", names=names, envs=min(envs, len(names)), then="next", modes=[],
                             actions="numbers")["envs"]
    while any(states):
        actions = [state and chance.choice(state["valid_actions"]) for state in states]
        for i, after in enumerate(seedbed.request("steps", actions=actions)["envs"]):
            if after and after["done"]:
                successes[states[i]["name"]] = after["success"]
                states[i] = after["next"]  # the first state of the next episode, or None
            elif after:
                states[i] = {**states[i], **after}
    return successes


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4, 5):
        sys.exit(__doc__)
    server = Seedbed(sys.argv[1])
    if sys.argv[2] == "--batch":
        successes = play_many(server, [f"{sys.argv[3]}#{seed}" for seed in range(int(sys.argv[4]))])
        print(f"{sum(successes.values())} of {len(successes)} solved")
    else:
        play(server, *sys.argv[2:])
    sys.exit(server.close())
