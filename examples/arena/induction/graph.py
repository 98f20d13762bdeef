"""Where no walker is: boards as they were seen, and which action led from which to which. It goes to the nearest board in which something that may do
something is left to try."""
from collections import Counter, deque

from . import boards
from .choices import Choice


STEP = 0.04  # what a step to a board costs


class Graph:
    def __init__(self):
        self.next, self.level = {}, None  # {board: {(button, cell): board or None}}
        self.tries, self.changes, self.vain = Counter(), Counter(), Counter()

    def begin(self, level):
        if level != self.level:
            self.next, self.vain = {}, Counter()
        self.level = level

    def note_reset(self, board):
        self.next.setdefault(board, {})

    def sort_of(self, board, button, cell):
        """What an action is one of: a button, or a click on a kind."""
        return (button, board[cell]) if cell is not None else (button, None)

    def note(self, before, button, cell, after, kind, grid):
        self.next.setdefault(before, {})[button, cell] = after if kind == "step" else None
        self.vain[before, button] += kind == "step" and before == after
        sort = self.sort_of(before, button, cell)
        self.tries[sort] += 1
        self.changes[sort] += kind == "level" or before != after

    def actions(self, board, buttons, click, grid):
        found = [(button, None) for button in buttons]
        if click is not None:
            common = Counter(board).most_common(1)[0][0]
            areas = sorted(boards.areas(board, grid), key=lambda area: (board[area[0]] == common, len(area), area[0]))
            found += [(click, area[len(area) // 2]) for area in areas[:60]]
        return found

    def value(self, board, action):
        sort = self.sort_of(board, *action)
        return (self.changes[sort] + 1) / (self.tries[sort] + 1)

    def untried(self, board, buttons, click, grid):
        done = self.next.get(board, {})
        left = [(self.value(board, action), -i, action) for i, action in enumerate(self.actions(board, buttons, click, grid)) if action not in done]
        return max(left, default=(0, 0, None))

    def choose(self, board, buttons, click, grid):
        best, line, came = None, deque([(board, 0)]), {board: None}
        while line and len(came) < 3000:
            here, depth = line.popleft()
            value, _, action = self.untried(here, buttons, click, grid)
            if action is not None:
                score = value - STEP * depth
                if best is None or score > best[0]:
                    best = (score, here, action)
            if depth > 25:
                continue
            for action, after in self.next.get(here, {}).items():
                if after is not None and after not in came:
                    came[after] = (here, action)
                    line.append((after, depth + 1))
        if best is None:
            return None
        _, here, action = best
        why = "not tried here"
        while here != board:
            here, action = came[here]
            why = "to a board where something is left"
        return Choice(action[0], action[1], why=why)
