"""Who plays: keeps what was seen, finds rules and goals, and chooses what to do. The same evidence always leads to the same choice."""
from collections import Counter

from . import boards
from .choices import Choice
from .evidence import Evidence
from .fitting import fit
from .goals import Goals, name_of
from .graph import Graph
from .questions import Questions
from .rules import Rules, cells_of
from .searching import Search

RESET = "0"
WANDERING = "somewhere new"
OFTEN = 3  # times that the same may be begun in a state
BAR_END = 2  # pixels of the bar with which a loss is put down to it


class Mind:
    def __init__(self, width, height, buttons, click):
        self.width, self.height, self.buttons, self.click = width, height, buttons, click
        self.kinds, self.evidence, self.rules = boards.Kinds(), Evidence(), Rules()
        self.goals, self.graph = Goals(self.kinds), Graph()
        self.grid = self.board = self.level = None
        self.memory = None
        self.past_boards = []  # of this try: (board, button)
        self.begun = Counter()  # (state, goal or question): how often it was begun
        self.visited, self.asked = set(), set()  # asked: (state, button) of what was tried on this level
        self.uses = set()  # (button, kind): where buttons were pressed that may move nobody
        self.is_stale = True

    # ---- What was seen -----------------------------------------------------------------------------------------------

    def see(self, text):
        return boards.read_board(text, self.grid, self.kinds)

    def begin(self, text, level):
        if level != self.level:
            self.goals.forget_refuted()
            self.visited, self.asked = set(), set()
        self.level = level
        self.grid = boards.find_grid(text, self.width, self.height)
        self.board = self.see(text)
        self.memory, self.past_boards = None, []
        self.evidence.begin(self.grid, level, self.board)
        self.graph.begin(level)

    def note(self, news):
        """Takes a step that was taken."""
        action, kind = news["action"], news["kind"]
        if self.grid is None:
            self.begin(news["before"], news["level"])
        if kind == "reset":
            self.graph.note_reset(self.board)
            return self.begin(news["after"], news["level"])
        if kind == "none":
            return None
        button, cell = str(action["id"]), self.grid.cell_at(action["x"], action["y"]) if "x" in action else None
        before, after = self.board, self.see(news["after"]) if kind != "level" else self.board
        bar = boards.bar_of(news["before"], self.width)
        is_late = kind == "over" and bool(bar) and bar[0] <= BAR_END
        step = self.evidence.add(self.level, button, cell, before, after, kind, is_late)
        self.graph.note(before, button, cell, after, kind, self.grid)
        self.note_goals(step, after)
        self.past_boards.append((before, button))
        self.memory = self.rules.carry(self.memory, before, button)
        self.is_stale = True
        self.board = after
        if kind == "level":
            self.begin(news["after"], news["level"] + 1)
        return None

    def note_goals(self, step, after):
        rules = self.rules
        if not rules.walkers or step.cell is not None or step.kind == "over":
            return
        state = self.state_now(step.before)
        self.asked.add((rules.key(state), step.button))
        self.uses |= {(step.button, state[1][cell]) for cell in cells_of(step.before, rules.walkers)}
        predicted, how = rules.apply(state, step.button, self.grid)
        if step.kind == "level":
            rules.enters_any.update({str(kind): True for kind in how.doubts if kind not in rules.fog})  # nobody stays to end a level
            predicted, how = rules.apply(state, step.button, self.grid)
            self.goals.note_win(rules, step.before, state[1], predicted, how)
        elif predicted[0] == after or after != step.before:
            self.goals.note_step(rules, step.before, state[1], (after, *predicted[1:]), how)

    def state_now(self, board):
        memory = self.rules.carry(self.memory, board, "")
        return self.rules.state_in(memory, board)

    def refit(self):
        """Finds the rules again, and goes through this try with them."""
        if not self.is_stale:
            return
        self.is_stale = False
        self.rules = fit(self.evidence)
        self.memory = None
        for board, button in self.past_boards:
            self.memory = self.rules.carry(self.memory, board, button)

    # ---- What to do --------------------------------------------------------------------------------------------------

    def choose(self, may_reset):
        return self.walk(may_reset) or self.graph.choose(self.board, self.buttons, self.click, self.grid) or Choice(RESET, why="nothing is left")

    def look(self):
        """The state of now, which counts as visited from now on."""
        state = self.state_now(self.board)
        self.visited.add(self.rules.key(state))
        return state

    def walk(self, may_reset):
        rules = self.rules
        if not rules.walkers or not any(kind in self.board for kind in rules.walkers):
            return None
        state = self.look()
        search = Search(rules, self.grid, self.buttons, self.graph)
        here = rules.key(state)
        for again in (False, True):
            goals = [(weight, goal) for weight, goal in self.goals.candidates(rules, self.board, state[1], again) if self.may(here, name_of(goal))]
            sure = {i for i, (weight, _) in enumerate(goals) if weight > 0}
            reached, doubts, line = search.run(state, goals, sure)
            cost, plan = self.best_plan(goals, reached, search, line)
            question = Questions(self, search, line, here).best(doubts) if cost >= 0 else None
            if plan or question:
                break
        if question and question.cost() < cost:
            self.begun[here, question.name] += 1
            return question.choice()
        if plan:
            self.begun[here, name_of(plan.goal)] += 1
        return plan or (may_reset and self.go_back(search)) or self.wander(search, line, here)

    def may(self, here, name):
        """Whether something may be begun here: what came back to the same state again and again leads nowhere, whatever the rules say."""
        return self.begun[here, name] < OFTEN

    def go_back(self, search):
        """Begins again if a guess could come true from the beginning, and nothing can from here."""
        if not self.past_boards:
            return None
        board = self.past_boards[0][0]
        state = self.rules.state_in(self.rules.carry(None, board, ""), board)
        goals = self.goals.candidates(self.rules, board, state[1], True)
        reached, _, _ = search.run(state, goals)
        return Choice(RESET, why="it is too late for all guesses") if reached else None

    def best_plan(self, goals, reached, search, line):
        """(cost, choice): the plan for the likeliest goal that is near. Below 0: for one that ended a level, and nothing is to be asked before it."""
        options = []
        for i, path in reached.items():
            weight, goal = goals[i]
            choice = Choice(path[0], None, goal, path, f"for {name_of(goal)}")
            choice.is_sure, choice.work = weight > 0, search.work(line, len(path))
            options.append((len(path) + 2 * min(i, 6) - 1000 * weight, len(options), choice))
        cost, _, choice = min(options, key=lambda one: one[:2], default=(float("inf"), 0, None))
        return cost, choice

    def wander(self, search, line, here):
        """Goes to the nearest state where it has not been."""
        self.begun[here, WANDERING] += 1
        for at in range(1, len(line) if self.begun[here, WANDERING] <= OFTEN else 0):
            if self.rules.key(line[at][0]) not in self.visited:
                path = search.path(line, at)
                return Choice(path[0], None, None, path, WANDERING)
        return None
