"""What was seen, as steps between boards, and what the steps say by themselves: who moved where, and what else changed."""
RARE = 6  # things of a kind that may be movers


class Step:
    """One action and what it led to. `past` are the buttons of this try with this one, `base` is what lay under movers before."""

    def __init__(self, number, level, attempt, past, cell, before, after, kind, is_late=False):
        self.number, self.level, self.attempt, self.past, self.cell = number, level, attempt, past, cell
        self.before, self.after, self.kind = before, after, kind
        self.moves, self.changes, self.is_late = None, None, is_late  # late: the bar that counts had run out

    @property
    def button(self):
        return self.past[-1]

    @property
    def time(self):
        return len(self.past)


def way_name(grid, one, other):
    """The name of the step from a cell to a neighbour, or None."""
    if abs(one - other) == 1 and one // grid.columns != other // grid.columns:
        return None
    for name, step in grid.steps.items():
        if other - one == step:
            return name
    return None


def changed(step):
    if step.changes is None:
        step.changes = [cell for cell, (a, b) in enumerate(zip(step.before, step.after)) if a != b]
    return step.changes


def moves_of(step, grid):
    """[(kind, from, to)]: rare kinds first, since what moves over a floor is rarer than the floor."""
    if step.moves is not None:
        return step.moves
    step.moves = []
    if step.kind not in ("step", "over") or len(step.before) != len(step.after):
        return step.moves
    lost, gained, taken, found = {}, {}, set(), step.moves
    for cell in changed(step):
        lost.setdefault(step.before[cell], []).append(cell)
        gained.setdefault(step.after[cell], []).append(cell)
    for kind in sorted(lost, key=lambda one: (step.before.count(one), one)):
        if step.before.count(kind) > RARE:
            continue
        for cell in lost[kind]:
            for to in gained.get(kind, ()):
                if to not in taken and way_name(grid, cell, to) and not any(move[1:] == (to, cell) for move in found):
                    found.append((kind, cell, to))
                    taken.add(to)
                    break
    return found


class Evidence:
    """All steps of a game."""

    def __init__(self):
        self.steps, self.attempt, self.past, self.grids, self.starts = [], 0, (), {}, {}

    def begin(self, grid, level, board):
        """A level begins, or begins again."""
        self.attempt += 1
        self.past = ()
        self.grids[self.attempt] = grid
        self.starts[self.attempt] = (level, board)

    def add(self, level, button, cell, before, after, kind, is_late=False):
        self.past = (*self.past, button)
        self.steps.append(Step(len(self.steps), level, self.attempt, self.past, cell, before, after, kind, is_late))
        return self.steps[-1]

    def grid(self, step):
        return self.grids[step.attempt]
