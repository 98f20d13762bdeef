"""An agent for `seedbed eval`, with the standard library only: walks towards the nearest goal that it sees, on a shortest
path over free cells, and otherwise picks a valid action by chance. docs/agents.md describes every message.

    seedbed eval --tasks GoToGoal,MazeNavigation --agent 'exec:python3 examples/agents/greedy.py'
"""
import json
import random
import sys

MOVES = {"move_up": (0, -1), "move_down": (0, 1), "move_left": (-1, 0), "move_right": (1, 0)}
FREE, GOAL, AGENT = ".", "G", "^v<>"


def cells(picture):
    """The grid as a dictionary from (x, y) to the first character of the cell: a picture has two to a cell."""
    rows = [line for line in picture.splitlines() if line.startswith("#")]
    return {(x // 2, y): row[x] for y, row in enumerate(rows) for x in range(0, len(row), 2)}


def step_towards_goal(grid):
    """The first move of a shortest path from the agent to a goal; None if there is none."""
    start = [at for at, cell in grid.items() if cell in AGENT]
    ways = [(at, None) for at in start]
    seen = set(start)
    for at, first in ways:  # grows while it is walked along: breadth first
        if grid[at] == GOAL:
            return first
        for move, (dx, dy) in MOVES.items():
            to = at[0] + dx, at[1] + dy
            if to not in seen and grid.get(to) in (FREE, GOAL):
                seen.add(to)
                ways.append((to, first or move))
    return None


class Greedy:
    hello = {"protocol": 1, "name": "greedy", "modes": ["ascii"]}

    def begin(self, message):
        self.chance = random.Random(message["random_seed"])  # so that an episode does not depend on those before it

    def act(self, message):
        move = step_towards_goal(cells(message["observations"]["ascii"]))
        return move or self.chance.choice(message["valid_names"])


def serve(agent):
    """One reply a line for every message; what is no reply belongs on standard error."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["op"] == "close":
            return
        reply = {}
        if message["op"] == "hello":
            reply = agent.hello
        if message["op"] == "reset":
            agent.begin(message)
        if message["op"] in ("reset", "step"):
            reply = {"action": agent.act(message)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    serve(Greedy())
