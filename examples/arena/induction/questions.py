"""What is not known, as questions: which answers of the space of rules agree with all that was seen, how likely each of these survivors is, and which action in
reach they disagree on most. A probe is worth the bits that its outcome tells, the entropy of the groups of survivors that predict the same.

    a button            leads one of four ways, or moves nobody
    a button somewhere  does something where a walker stands on a kind, or nothing
    a kind              blocks a mover, is entered, changes who enters, or kills
    what moves          by which law: every law that explains as much as the best one, and is contradicted by nothing
"""
import math

from .choices import Choice
from .rules import cells_of

FEW = 6  # things of a kind; what there is more of is mostly walls
KIND = {"blocks": 0.4, "is entered": 0.3, "changes": 0.15, "kills": 0.15}
WALL = {"blocks": 0.9, "is entered": 0.08, "changes": 0.01, "kills": 0.01}
USE = {"nothing": 0.8, "something": 0.2}
TAKEN = 0.1  # how likely a way is that another button leads, beside one that none does
STATES = 80  # that are looked at for what tells laws apart
STILL = "nowhere"


def entropy(weights):
    """Bits, of weights with any sum."""
    total = sum(weights)
    return -sum(weight / total * math.log2(weight / total) for weight in weights if weight)


class Question:
    """`path`: the actions of which the last one is the probe."""

    def __init__(self, name, path, bits):
        self.name, self.path, self.bits = name, path, bits

    def cost(self):
        """What it costs in actions, less what it tells: to be compared with the length of a plan."""
        return len(self.path) + 3 - self.bits

    def rate(self):
        """Bits for each action: by this, one place to ask a question is better than another."""
        return self.bits / len(self.path)

    def choice(self):
        return Choice(self.path[0], None, None, self.path, f"{self.name}? {self.bits:.1f} bits")


class Questions:
    """All questions that can be asked from a state on. `asked` are probes that were taken already; they told what they could."""

    def __init__(self, mind, search, line, here):
        self.mind, self.search, self.line, self.here = mind, search, line, here
        self.rules, self.grid, self.board = mind.rules, mind.grid, mind.board
        self.moving = [step for step in mind.evidence.steps if step.cell is None and step.kind in ("step", "over") and len(step.before) == len(step.after)]

    def best(self, doubts):
        found = [*self.about_kinds(doubts), *self.about_buttons(), *self.about_uses(), *self.about_laws()]
        return min((one for one in found if self.mind.may(self.here, one.name)), key=lambda one: (one.cost(), one.name), default=None)

    def is_asked(self, at, button):
        return (self.rules.key(self.line[at][0]), button) in self.mind.asked

    def path(self, at, button):
        return [*self.search.path(self.line, at), button]

    # ---- Kinds -------------------------------------------------------------------------------------------------------

    def about_kinds(self, doubts):
        for path, kinds in doubts:
            bits = sum(entropy((KIND if self.board.count(kind) <= FEW else WALL).values()) for kind in kinds)
            yield Question(f"who enters {' '.join(map(str, kinds))}", path, bits)

    # ---- Buttons -----------------------------------------------------------------------------------------------------

    def survivors(self, button):
        """{way: weight}: where a button may lead, by what was seen on this level."""
        law = self.rules.law_of(self.rules.walkers[0], self.rules.walkers[0]) or {"map": {}}
        if button in law["map"] or any(key.endswith(f" {button}") for key in self.rules.flips):
            return {}
        taken = set(law["map"].values())
        left = {STILL: 1.0, **{way: TAKEN if way in taken else 1.0 for way in self.grid.steps}}
        for step in self.moving:
            if step.button != button or step.level != self.mind.level:
                continue
            for cell in cells_of(step.before, self.rules.walkers):
                left = {way: weight for way, weight in left.items() if self.target(step.before, cell, way) == cell or step.after[cell] != step.before[cell]}
        return left

    def target(self, board, cell, way):
        """Where a walker gets to that wants to go a way: it stays before what does not surely let it in."""
        to = cell + self.grid.steps.get(way, 0)
        is_near = 0 <= to < len(board) and (abs(to - cell) != 1 or to // self.grid.columns == cell // self.grid.columns)
        return to if to != cell and is_near and self.rules.can_enter(board[cell], board[to]) else cell

    def about_buttons(self):
        for button in self.search.buttons:
            left = self.survivors(button)
            if len(left) < 2:
                continue
            best = None
            for at in range(min(len(self.line), STATES)):
                board, groups = self.line[at][0][0], {}
                for way, weight in left.items():
                    where = tuple(self.target(board, cell, way) for cell in cells_of(board, self.rules.walkers))
                    groups[where] = groups.get(where, 0) + weight
                question = Question(f"where does {button} lead", self.path(at, button), entropy(groups.values()))
                if question.bits and not self.is_asked(at, button) and (best is None or question.rate() > best.rate()):
                    best = question
            if best:
                yield best

    def about_uses(self):
        """Buttons that move nobody may do something where a walker stands on things."""
        rules = self.rules
        changing = {kind for kinds in rules.timers.values() for kind in kinds}
        for button in rules.idle:
            if button not in self.search.buttons:
                continue
            done = {ground for one, ground in self.mind.uses if one == button}
            for at in range(min(len(self.line), STATES)):
                board, base = self.line[at][0][:2]
                grounds = {base[cell] for cell in cells_of(board, rules.walkers)} - done - changing - {rules.floor}
                if grounds and not self.is_asked(at, button):
                    done |= grounds
                    yield Question(f"what does {button} do on {min(grounds)}", self.path(at, button), entropy(USE.values()))

    # ---- Laws --------------------------------------------------------------------------------------------------------

    def about_laws(self):
        open_laws = {key: laws for key, laws in self.rules.rivals.items() if len(laws) > 1}
        best = {}
        for at in range(min(len(self.line), STATES) if open_laws else 0):
            for button in self.search.buttons:
                if self.is_asked(at, button):
                    continue
                _, step = self.rules.apply(self.line[at][0], button, self.grid)
                for key, laws in open_laws.items() if not step.dies and not step.doubts else ():
                    bits = self.bits_of(key, laws, self.line[at][0][0], step)
                    question = bits and Question(f"by which law does {key} move", self.path(at, button), bits)
                    if question and (key not in best or question.rate() > best[key].rate()):
                        best[key] = question
        yield from best.values()

    def bits_of(self, key, laws, board, step):
        """How much is told by where things of a kind go that obey one of these laws."""
        kind, _, walker = key.partition(" of ")
        if walker and not any(board[cell] == int(walker) for cell in cells_of(board, self.rules.walkers)):
            return 0
        cells, groups = cells_of(board, [int(kind)]), {}
        for law in laws:
            ways = (self.rules.way(law, cell, step.new, step.past, step.turn, step.walkers, self.grid, step.acted) for cell in cells)
            where = tuple(way and self.enters(int(kind), step.new, cell, way) for cell, way in zip(cells, ways))
            groups[where] = groups.get(where, 0) + 1
        return entropy(groups.values())

    def enters(self, kind, board, cell, way):
        to = cell + way
        return way if 0 <= to < len(board) and self.rules.can_enter(kind, board[to]) else 0
