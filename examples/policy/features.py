"""Arrays of Agentick's episodes as inputs of a network, and what a policy should remember of the steps before.

`History` keeps the past of many episodes on grids of one size, in NumPy. `see` turns their observations into rows:

    cells     uint8 (n, planes, height, width): one code a cell and plane, in the order of PLANES
    at        uint8 (n, 2): the agent's row and column
    facts     uint8 (n, columns): what belongs to no cell, in the order of FACTS

PLANES and FACTS say how many codes there are. Call `began` when an episode begins, `see` in every step, and `acted` with what was done.
"""
import numpy as np

import seedbed

TASKS = [task.name for task in seedbed.tasks("agentick")]
DIFFICULTIES = ["easy", "medium", "hard", "expert"]

AGES = 16  # codes of times that have passed: 0 never, then in steps of a logarithm
STEPS = 64  # codes of steps: exact as far as anything is shown one after the other, then in steps of a logarithm
PLANES = {"terrain": 6, "object": 20, "metadata": 256, "agent": 5,
          "target": 2, "lit": 3, "clue_y": 20, "clue_x": 20,
          "previous": 20, "visited": AGES, "changed": AGES, "vanished": 20, "appeared": STEPS}
TOLD_PLANES = ("target", "lit", "clue_y", "clue_x")
HISTORY_PLANES = ("previous", "visited", "changed", "vanished", "appeared")

ACTIONS, ITEMS, TOLD = 8, 12, 14  # columns of each: last actions, things carried, rows of `told` but for steps and limit
FACTS = {"task": (1, len(TASKS)), "difficulty": (1, len(DIFFICULTIES)), "step": (1, STEPS), "left": (1, AGES), "actions": (ACTIONS, 7),
         "kinds": (ITEMS, 5), "values": (ITEMS, 32), "what": (TOLD, 16), "which": (TOLD, 32), "value": (TOLD, 128)}
TOLD_FACTS = ("left", "what", "which", "value")

SWITCH, TARGET, CLUE_NORTH, CLUE_EAST, CLUE_SOUTH, CLUE_WEST, SWITCH_MEANS = 4, 3, 11, 12, 13, 14, 15  # docs/formats.md

NEVER = 255
_AGE = np.array([1 + int(1.8 * np.log2(1 + age)) for age in range(NEVER)] + [0], np.uint8)
EXACT, MOST_STEPS = 40, 1023
_STEP = np.array([step if step < EXACT else EXACT + int(4.5 * np.log2(step / EXACT)) for step in range(MOST_STEPS + 1)], np.uint8)


def columns(*names):
    """The columns of facts that have these names."""
    ends = np.cumsum([n for n, _ in FACTS.values()])
    return [i for name, end in zip(FACTS, ends) if name in names for i in range(end - FACTS[name][0], end)]


def codes(task, difficulty):
    """The first two facts of an episode."""
    return TASKS.index(task), DIFFICULTIES.index(difficulty)


class History:
    """What was seen in n episodes on grids of one size."""

    def __init__(self, n, height, width):
        self.terrain, self.object, self.previous, self.vanished = np.zeros((4, n, height, width), np.int8)
        self.visited, self.changed = np.full((2, n, height, width), NEVER, np.uint8)  # ages in steps
        self.appeared = np.zeros((n, height, width), np.uint8)  # 0: never; 1 and the code of the step in which an object was first there
        self.steps = np.zeros(n, np.int16)  # taken
        self.actions = np.zeros((n, ACTIONS), np.uint8)
        self.which = np.zeros((n, 2), np.uint8)

    def began(self, rows, which):
        """Episodes begin. which: `codes` of each."""
        for grid in (self.terrain, self.object, self.previous, self.vanished, self.appeared, self.steps, self.actions):
            grid[rows] = 0
        for ages in (self.visited, self.changed):
            ages[rows] = NEVER
        self.which[rows] = which

    def acted(self, rows, actions):
        self.actions[rows, 1:] = self.actions[rows, :-1]
        self.actions[rows, 0] = np.asarray(actions) + 1
        self.steps[rows] += self.steps[rows] < MOST_STEPS

    def see(self, rows, obs):
        """The inputs of the episodes `rows`, whose observations these are."""
        n, height, width = obs["terrain"].shape
        cells = np.empty((n, len(PLANES), height, width), np.uint8)
        planes = dict(zip(PLANES, cells.swapaxes(0, 1)))
        planes["terrain"][:], planes["object"][:] = obs["terrain"], obs["objects"]
        planes["metadata"][:] = np.clip(obs["metadata"], -1, 254) + 1
        at = obs["agent"][:, 1::-1].astype(np.uint8)
        here = np.arange(n), at[:, 0], at[:, 1]
        planes["agent"][:] = 0
        planes["agent"][here] = obs["agent"][:, 2] + 1
        told = obs["told"][:, 2:]
        self._tell(planes, told)
        self._remember(rows, planes, here, obs)
        return {"cells": cells, "at": at, "facts": self._facts(rows, obs, told)}

    def _remember(self, rows, planes, here, obs):
        first = self.steps[rows] == 0
        objects, before = obs["objects"], self.object[rows]
        before = np.where(first[:, None, None], objects, before)
        other = (objects != before) | ((obs["terrain"] != self.terrain[rows]) & ~first[:, None, None])
        visited, changed, appeared = self.visited[rows], self.changed[rows], self.appeared[rows]
        visited += visited < NEVER - 1
        changed += changed < NEVER - 1
        visited[here] = 0
        changed[other] = 0
        appeared = np.where((objects != 0) & (appeared == 0), 1 + _STEP[self.steps[rows]][:, None, None], appeared)
        vanished = np.where(other & (before != 0), before, self.vanished[rows])
        self.terrain[rows], self.object[rows], self.previous[rows], self.vanished[rows] = obs["terrain"], objects, before, vanished
        self.visited[rows], self.changed[rows], self.appeared[rows] = visited, changed, appeared
        planes["previous"][:], planes["vanished"][:], planes["appeared"][:] = before, vanished, appeared
        planes["visited"][:], planes["changed"][:] = _AGE[visited], _AGE[changed]

    def _tell(self, planes, told):
        """Puts facts into the cells that they are about."""
        for name in TOLD_PLANES:
            planes[name][:] = 0
        if not told.any():
            return
        width = planes["terrain"].shape[2]
        for what, which, value in told.transpose(1, 2, 0):
            rows = np.flatnonzero(what == TARGET)
            if len(rows):
                planes["target"][rows] |= planes["object"][rows] == value[rows, None, None]
            rows = np.flatnonzero(what == SWITCH_MEANS)
            if len(rows):
                meant = (planes["object"][rows] == SWITCH) & (planes["metadata"][rows] == which[rows, None, None] + 1)
                planes["lit"][rows] = np.where(meant, value[rows, None, None] + 1, planes["lit"][rows])
            rows = np.flatnonzero((what >= CLUE_NORTH) & (what <= CLUE_WEST))
            if len(rows):
                sign = np.where((what[rows] == CLUE_NORTH) | (what[rows] == CLUE_WEST), -1, 1)
                for name, kinds in (("clue_y", (CLUE_NORTH, CLUE_SOUTH)), ("clue_x", (CLUE_EAST, CLUE_WEST))):
                    mine = np.isin(what[rows], kinds)
                    one = rows[mine]
                    planes[name][one, which[one] // width, which[one] % width] = np.clip(10 + sign[mine] * value[one], 1, 19)

    def _facts(self, rows, obs, told):
        steps, limit = self.steps[rows], obs["told"][:, 1, 2]
        left = _AGE[np.clip(limit - obs["told"][:, 0, 2], 0, NEVER - 1)]
        items = obs["inventory"]
        return np.concatenate([self.which[rows], _STEP[steps][:, None], left[:, None], self.actions[rows],
                               items[:, :, 0], np.clip(items[:, :, 1], 0, 31),
                               told[:, :, 0], np.clip(told[:, :, 1], 0, 31), np.clip(told[:, :, 2], 0, 127)], axis=1, dtype=np.uint8, casting="unsafe")
