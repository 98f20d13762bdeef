"""The space of rules: what moves how, what blocks whom, what is collected, switched or turned into something else, what changes by itself, and what ends a
level. Rules are a table of plain values, so that they can be kept as an artifact, and a step of a game takes some microseconds.

A law says which way a thing wants to go:

    {"law": "buttons", "delay": 0, "map": {"1": "up"}}     as a button says that was pressed now or `delay` actions ago
    {"law": "chase", "way": 1, "reach": 3}                 towards (1) or away from (-1) the nearest walker, if it is that near
    {"law": "pull", "way": 1, "reach": 4}                  the same along a line that nothing blocks
"""
TURN = {"up": "right", "right": "down", "down": "left", "left": "up"}
PAST = 5  # actions that are carried


class Rules:
    def __init__(self, told=None):
        told = told or {}
        self.walkers = list(told.get("walkers", []))  # kinds that buttons move at once
        self.laws = dict(told.get("laws", {}))  # "kind" or "kind of walker kind": law
        self.turners = list(told.get("turners", []))  # kinds that turn the meaning of buttons when they are entered
        self.enters = dict(told.get("enters", {}))  # "mover kind": whether it enters
        self.enters_any = dict(told.get("enters_any", {}))  # "kind": whether walkers enter, or whatever moves
        self.becomes = dict(told.get("becomes", {}))  # "mover kind": what the mover becomes by entering
        self.flips = dict(told.get("flips", {}))  # "mover button": what the mover becomes where it is
        self.leaves = dict(told.get("leaves", {}))  # kind: what is found under a mover that entered it
        self.switches = dict(told.get("switches", {}))  # "enter kind" or "leave kind": [[kind, what it becomes]]
        self.timers = dict(told.get("timers", {}))  # cell: kinds by time, again and again
        self.fog = list(told.get("fog", []))
        self.floor = told.get("floor", 0)
        self.stops = list(told.get("stops", []))  # kinds on which movers stay for good
        self.deadly = list(told.get("deadly", []))  # "mover kind"
        self.undo = list(told.get("undo", []))  # buttons that take back
        self.idle = list(told.get("idle", []))  # buttons that move nobody
        self.rivals = {}  # as laws: all laws of which nothing that was seen tells which one it is; the first one is believed
        self.prepare()

    def told(self):
        names = ("walkers", "laws", "turners", "enters", "enters_any", "becomes", "flips", "leaves", "switches", "timers", "fog", "floor", "stops", "deadly",
                 "undo", "idle")
        return {name: getattr(self, name) for name in names}

    def prepare(self):
        self.movers = sorted({int(key.split()[0]) for key in self.laws} | set(self.walkers))
        self.others = [kind for kind in self.movers if kind not in self.walkers]
        self.is_mover = bytes(kind in self.movers for kind in range(256))
        self.is_fog = bytes(kind in self.fog for kind in range(256))
        self.delay = max([law.get("delay", 0) for law in self.laws.values()], default=0)
        self.cells = [(int(cell), kinds) for cell, kinds in self.timers.items()]
        self.period = 1
        for _, kinds in self.cells:
            self.period *= len(kinds) if self.period % len(kinds) else 1

    # ---- States ------------------------------------------------------------------------------------------------------

    def under(self, base, board):
        """What lies under movers and in fog: as it was last seen."""
        out = bytearray(board)
        for cell, kind in enumerate(board):
            if self.is_mover[kind]:
                out[cell] = base[cell] if base and not self.is_mover[base[cell]] else self.floor
            elif self.is_fog[kind] and base:
                out[cell] = base[cell]
        return bytes(out)

    def state(self, board, base, past=(), time=0, turn=0):
        """A state: (board, base, past actions, time, turns). What is in fog is taken from what was seen."""
        if self.fog and base:
            board = bytes(base[cell] if self.is_fog[kind] else kind for cell, kind in enumerate(board))
        return board, base, tuple(past), time, turn

    def carry(self, memory, board, button):
        """What is remembered of a try, before an action and with it: what lies under movers, the buttons, how often walkers turned."""
        base = self.under(memory and memory["base"], board)
        at = cells_of(board, self.walkers)
        turn = memory["turn"] if memory else 0
        if memory and at != memory["at"] and self.turners:
            turn = (turn + sum(base[cell] in self.turners for cell in at if cell not in memory["at"])) % 4
        time = memory["time"] + 1 if memory else 1
        return {"base": base, "at": at, "turn": turn, "time": time, "past": ((memory["past"] if memory else ()) + (button,))[-PAST:]}

    def state_in(self, memory, board):
        """The state in which the action was taken that `memory` has last."""
        return self.state(board, memory["base"], memory["past"][:-1], memory["time"] - 1, memory["turn"])

    def key(self, state):
        board, base, past, time, turn = state
        return board, past[-self.delay:] if self.delay else 0, time % self.period, turn

    # ---- A step ------------------------------------------------------------------------------------------------------

    def can_enter(self, mover, kind):
        """True, False, or None: nobody knows."""
        if self.is_fog[kind]:
            return None
        found = self.enters.get(f"{mover} {kind}")
        if found is None:
            found = self.enters_any.get(str(kind))
        if found is None and self.is_mover[kind]:
            return False
        return found

    def law_of(self, mover, walker_kind):
        return self.laws.get(f"{mover} of {walker_kind}") or self.laws.get(str(mover))

    def button_way(self, law, past, turn):
        delay = law.get("delay", 0)
        if len(past) <= delay:
            return None
        way = law["map"].get(past[-1 - delay])
        for _ in range(turn if way and not delay else 0):
            way = TURN[way]
        return way

    def way(self, law, cell, board, past, turn, walkers, grid, acted):
        """Which way a thing wants to go: a step to another cell; 0 for none."""
        if law["law"] == "buttons":
            return grid.steps.get(self.button_way(law, past, turn), 0)
        if not walkers or not acted:
            return 0
        return (chase if law["law"] == "chase" else pull)(law, cell, board, walkers, grid, self.floor)

    def apply(self, state, button, grid):
        """(the next state, how it came about). `doubts` of the latter are kinds of which nobody knows whether they let a mover in."""
        board, base, past, time, turn = state
        past = (*past, button)[-PAST:]
        new, ground = bytearray(board), bytearray(base)
        time += 1
        for cell, kinds in self.cells:
            kind = kinds[time % len(kinds)]
            ground[cell] = kind
            if not self.is_mover[new[cell]]:
                new[cell] = kind
        step = Stepping(self, new, ground, past, turn, grid, button)
        step.walk()
        step.others()
        step.switch()
        return (bytes(new), bytes(ground), past, time, step.turn), step


def cells_of(board, kinds):
    found = []
    for kind in kinds:
        at = board.find(kind)
        while at >= 0:
            found.append(at)
            at = board.find(kind, at + 1)
    return sorted(found)


def apart(one, other, columns):
    """(rows, columns) from one cell to another."""
    (row, column), (row_2, column_2) = divmod(one, columns), divmod(other, columns)
    return row_2 - row, column_2 - column


def nearest(cell, walkers, columns):
    return min((abs(dy) + abs(dx), dy, dx) for dy, dx in (apart(cell, other, columns) for other in walkers))


def chase(law, cell, board, walkers, grid, floor):
    distance, dy, dx = nearest(cell, walkers, grid.columns)
    if distance > law["reach"] or not distance:
        return 0
    if abs(dx) >= abs(dy):
        return law["way"] * (1 if dx > 0 else -1)
    return law["way"] * grid.columns * (1 if dy > 0 else -1)


def pull(law, cell, board, walkers, grid, floor):
    for walker in walkers:
        dy, dx = apart(cell, walker, grid.columns)
        if (dy and dx) or not 0 < abs(dy) + abs(dx) <= law["reach"]:
            continue
        step = grid.columns * ((dy > 0) - (dy < 0)) + (dx > 0) - (dx < 0)
        if all(board[i] not in law["walls"] for i in range(cell + step, walker, step)):
            return law["way"] * step
    return 0


class Stepping:
    """A step while it is taken."""

    def __init__(self, rules, new, ground, past, turn, grid, button):
        self.rules, self.new, self.ground, self.past, self.turn, self.grid, self.button = rules, new, ground, past, turn, grid, button
        self.doubts, self.dies, self.events, self.entered = [], False, [], []

    def walk(self):
        rules, self.acted = self.rules, False
        for cell in cells_of(self.new, rules.walkers):
            kind = self.new[cell]
            flip = rules.flips.get(f"{kind} {self.button}")
            if flip is not None:
                self.new[cell] = flip
                self.acted = True
                continue
            law = rules.law_of(kind, kind)
            way = self.rules.way(law, cell, self.new, self.past, self.turn, (), self.grid, True) if law else 0
            self.acted |= self.move(kind, cell, way) if way else self.button in rules.idle
        self.walkers = cells_of(self.new, rules.walkers)

    def others(self):
        rules = self.rules
        if not rules.others:
            return
        walker_kind = self.new[self.walkers[0]] if self.walkers else -1
        for cell in cells_of(self.new, rules.others):
            kind = self.new[cell]
            law = rules.law_of(kind, walker_kind)
            if not law or self.ground[cell] in rules.stops:
                continue
            way = rules.way(law, cell, self.new, self.past, self.turn, self.walkers, self.grid, self.acted)
            if way:
                self.move(kind, cell, way)

    def move(self, mover, cell, way):
        """Moves, if it is let in; whether it moved."""
        rules, new, ground = self.rules, self.new, self.ground
        to = cell + way
        if not 0 <= to < len(new) or (abs(way) == 1 and to // self.grid.columns != cell // self.grid.columns):
            return False
        kind = new[to]
        can = rules.can_enter(mover, kind)
        if can is None:
            self.doubts.append(kind)
            return False
        if not can:
            return False
        key = f"{mover} {kind}"
        if ground[cell] != rules.floor:
            self.events.append(f"leave {ground[cell]}")
        if kind != rules.floor:
            self.events.append(f"enter {kind}")
            self.entered.append((mover, kind))
        new[cell] = ground[cell]
        ground[to] = rules.leaves.get(str(kind), kind)
        new[to] = rules.becomes.get(key, mover)
        self.dies |= key in rules.deadly
        self.turn = (self.turn + (kind in rules.turners)) % 4
        return True

    def switch(self):
        for event in self.events:
            for before, after in self.rules.switches.get(event, ()):
                for board in (self.new, self.ground):
                    board[:] = board.replace(bytes([before]), bytes([after]))
