"""Hypotheses of goals. Nobody says what a game wants; a goal is a guess that a level ends when

    {"reach": 5}         a walker enters a thing of kind 5
    {"cover": [5, 7]}    nothing of kinds 5 and 7 is to be seen any more: it was collected, covered, or changed
    {"bring": [5], "by": [3]}    on all things of kind 5 something of kind 3 is, which is no walker

Guesses that came true when a level ended come first on the next one, by kind or by shape; those that held without an end are dropped, as long as nothing
else has changed.
"""
from collections import Counter

from .rules import cells_of


VERBS = ("reach", "cover", "bring")


def holds(goal, state, step):
    if "bring" in goal:
        return all(state[0][cell] in goal["by"] for cell in cells_of(state[1], goal["bring"]))
    if "reach" in goal:
        return any(kind == goal["reach"] and mover in step.rules.walkers for mover, kind in step.entered)
    return not any(kind in state[0] for kind in goal["cover"])


def comes_true(goal, before, after, step):
    """Whether a goal holds by a step, and did not before: where there is nothing to be brought or covered, it always holds."""
    return holds(goal, after, step) and ("reach" in goal or not holds(goal, before, step))


def is_seen(goal, board, base, rules):
    """Whether a board shows that a goal was reached; `base` is what lay there one step before."""
    if "reach" in goal:
        return any(base[cell] == goal["reach"] for cell in cells_of(board, rules.walkers))
    return holds(goal, (board, rules.under(base, board)), None)


def name_of(goal):
    verb = verb_of(goal)
    return f"{verb} {' '.join(map(str, things_of(goal)))}" + (f" by {goal['by']}" if verb == "bring" else "")


def verb_of(goal):
    return next(verb for verb in VERBS if verb in goal)


def things_of(goal):
    things = goal[verb_of(goal)]
    return [things] if isinstance(things, int) else things


class Goals:
    def __init__(self, kinds):
        self.kinds = kinds
        self.won, self.refuted = Counter(), set()

    def traits(self, goal):
        """What a goal has in common with the same one of another level."""
        verb, own = verb_of(goal), things_of(goal)
        shapes = sorted({self.kinds.shape(kind) for kind in own})
        return [f"{verb} {' '.join(sorted(self.kinds.patterns[kind] for kind in own))}", f"{verb} {' '.join(shapes)}"]

    def candidates(self, rules, board, ground, again=False):
        """All guesses for a level, likelier ones first; `again`: also those that were wrong when other things could be seen."""
        counts = Counter(ground)
        for kind in (rules.floor, *rules.movers, *rules.fog):
            counts.pop(kind, None)
        turned = {kind for kinds in rules.timers.values() for kind in kinds} | {kind for pairs in rules.switches.values() for pair in pairs for kind in pair}
        things = [kind for kind, n in counts.items() if n <= 12 and kind not in turned and kind in ground]
        found = []
        for kind in things:
            if rules.enters_any.get(str(kind)) is not False:
                found.append((counts[kind], {"reach": kind}))
            if counts[kind] > 1 or len(rules.walkers) > 1:
                found.append((counts[kind] + 0.5, {"cover": [kind]}))
            for other in rules.others:
                if other in board and board.count(other) >= counts[kind]:
                    found.append((counts[kind] + 0.1, {"bring": [kind], "by": [other]}))
        shapes = {}
        for kind in things:
            shapes.setdefault(self.kinds.shape(kind), []).append(kind)
        for group in shapes.values():
            if len(group) > 1:
                found.append((len(group) + 0.2, {"cover": sorted(group)}))
                found += [(len(group) + 0.3, {"bring": sorted(group), "by": rules.others})] if rules.others else []
        scored = [(-self.weight(goal), n, name_of(goal), goal) for n, goal in found]
        context = self.context(rules, board, ground)
        wrong = {name for name, other in self.refuted if other == context or not again}
        return [(-weight, goal) for weight, n, name, goal in sorted(scored, key=lambda one: one[:3]) if name not in wrong]

    def weight(self, goal):
        exact, shape = self.traits(goal)
        return 2 * self.won[exact] + self.won[shape]

    def context(self, rules, board, ground):
        """What a guess was refuted under: what can be seen, and as what walkers go."""
        walkers = frozenset(kind for kind in rules.walkers if kind in board)
        return walkers, frozenset(Counter(kind for kind in ground if kind not in rules.movers and kind not in rules.fog).items()) if not rules.fog else 0

    def note_win(self, rules, board, ground, state, step):
        """A level ended by a step: what came true by it?"""
        for _, goal in self.candidates(rules, board, ground, True):
            if holds(goal, state, step):
                self.won.update(set(self.traits(goal)))

    def note_step(self, rules, board, ground, state, step):
        """A step ended nothing: whatever came true is no goal."""
        context = self.context(rules, board, ground)
        for _, goal in self.candidates(rules, board, ground, True):
            if holds(goal, state, step):
                self.refuted.add((name_of(goal), context))

    def forget_refuted(self):
        self.refuted = set()
