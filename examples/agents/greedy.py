"""An agent for `seedbed eval` that needs the standard library only. It walks on a shortest path over free cells to the
nearest visible goal, and otherwise picks a random valid action. docs/agents.md describes every message.

    seedbed eval --tasks GoToGoal,MazeNavigation --agent 'exec:python3 examples/agents/greedy.py'
"""
import json
import random
import sys

MOVES = {"move_up": (0, -1), "move_down": (0, 1), "move_left": (-1, 0), "move_right": (1, 0)}
FREE, GOAL, AGENT = ".", "G", "^v<>"


def cells(picture):
    """Returns a dictionary from (x, y) to the first character of the cell; cells have two characters in the picture."""
    rows = [line for line in picture.splitlines() if line.startswith("#")]
    return {(x // 2, y): row[x] for y, row in enumerate(rows) for x in range(0, len(row), 2)}


def step_towards_goal(grid):
    """Returns the first move of a shortest path from the agent to a goal; None if there is no path."""
    start = [at for at, cell in grid.items() if cell in AGENT]
    ways = [(at, None) for at in start]
    seen = set(start)
    for at, first in ways:  # the list grows during the loop, so this is breadth-first search
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
        self.chance = random.Random(message["random_seed"])  # so that an episode does not depend on earlier ones

    def act(self, message):
        move = step_towards_goal(cells(message["observations"]["ascii"]))
        return move or self.chance.choice(message["valid_names"])


def serve(agent):
    """Answers every message with one line. Anything that is not a reply has to go to standard error."""
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
