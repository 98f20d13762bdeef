"""The agent of greedy.py, for sixteen episodes at a time: where a language model would be asked for all of them at once.
docs/agents.md describes rounds.

    seedbed eval --tasks GoToGoal,MazeNavigation --agent 'exec:python3 examples/agents/batched.py'
"""
import json
import sys

from greedy import Greedy  # from the same folder


class Batched:
    hello = {**Greedy.hello, "name": "batched", "batch": 16, "about": {"harness": "examples/agents/batched.py"}}

    def __init__(self):
        self.episodes = {}  # by slot: one agent for each running episode, which knows nothing of the others

    def answer_all(self, messages):
        """Returns the replies to the messages of a round, each for another slot. A model would get one batch here."""
        return [{"slot": message["slot"], **self.answer(message)} for message in messages]

    def answer(self, message):
        if message["op"] == "reset":
            self.episodes[message["slot"]] = Greedy()
            self.episodes[message["slot"]].begin(message)
        return {} if message["op"] == "end" else {"action": self.episodes[message["slot"]].act(message)}


def serve(agent):
    for line in sys.stdin:
        message = json.loads(line)
        if message["op"] == "close":
            return
        reply = agent.hello if message["op"] == "hello" else {"replies": agent.answer_all(message["messages"])}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    serve(Batched())
