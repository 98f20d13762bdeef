"""Looks ahead in the rules, breadth-first: where goals come true, and where rules do not know what follows."""
from .goals import holds

NODES = 6000
VAIN = 3  # times that an action did nothing here, where not all can be seen


class Search:
    def __init__(self, rules, grid, buttons, graph, nodes=NODES):
        self.rules, self.grid, self.graph, self.nodes = rules, grid, graph, nodes
        self.hides = rules.delay or rules.period > 1 or rules.turners or rules.fog  # a board does not tell all of the state
        self.buttons = [button for button in buttons if button not in rules.undo]

    def run(self, state, goals, until=None):
        """Looks at states until all goals that can be reached are. `goals`: [(weight, goal)]; returns {goal's place: path}, doubts [(path, kinds)], states."""
        rules, grid = self.rules, self.grid
        seen = {rules.key(state): None}
        line, at = [(state, None, None)], 0
        reached, doubts, kinds_seen = {}, [], set()
        while at < len(line) and len(line) < self.nodes:
            here = line[at][0]
            for button in self.buttons:
                if self.is_vain(here[0], button, at):
                    continue
                after, step = rules.apply(here, button, grid)
                if step.dies:
                    continue
                if step.doubts:
                    kinds = tuple(sorted(step.doubts))
                    if kinds not in kinds_seen:
                        kinds_seen.add(kinds)
                        doubts.append((self.path(line, at) + [button], kinds))
                    continue
                key = rules.key(after)
                if key in seen:
                    continue
                seen[key] = None
                line.append((after, at, button))
                for i, (_, goal) in enumerate(goals):
                    if i not in reached and holds(goal, after, step):
                        reached[i] = self.path(line, len(line) - 1)
                        if until is not None and i in until:
                            return reached, doubts, line
            at += 1
        return reached, doubts, line

    def work(self, line, length):
        """How many predictions the arena's planner needs for a plan of so many steps: it tells a board that is reached later from the same one now."""
        depths, at_most = [0], [0] * (length + 1)
        for _, parent, _ in line[1:]:
            depths.append(depths[parent] + 1)
        for depth in depths:
            for later in range(depth, length):
                at_most[later] += 1
        return len(self.buttons) * sum(at_most)

    def is_vain(self, board, button, at):
        """Whether it was seen that nothing happens, whatever the rules say."""
        vain = self.graph.vain.get((board, button), 0)
        return vain >= (VAIN if self.hides else 1) and (not self.hides or not at)

    def path(self, line, at):
        steps = []
        while line[at][1] is not None:
            steps.append(line[at][2])
            at = line[at][1]
        return steps[::-1]
