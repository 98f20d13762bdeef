"""Finds the rules that agree with all that was seen. For each kind that ever moved every law of the space is tried, and the one that explains most is kept,
the simpler one of equals; what the laws do not say is counted: who entered what, and what changed then."""
from collections import Counter

from . import evidence as seen
from .rules import TURN, Rules, cells_of, chase, pull

MOVING = 0.35  # of all changes of the board, that a walker takes part in
REACHES = (1, 2, 3, 4, 5, 6, 7, 9, 99)


class Fit:
    def __init__(self, evidence):
        self.evidence = evidence
        self.steps = [step for step in evidence.steps if step.kind in ("step", "over") and len(step.before) == len(step.after)]
        self.grid = evidence.grid
        self.rules = Rules()
        self.scores = {}

    # ---- Who moves ---------------------------------------------------------------------------------------------------

    def tracks(self):
        """{kind: [(step, from, to)]}, also of those that stayed."""
        moved = Counter(kind for step in self.steps for kind, _, _ in seen.moves_of(step, self.grid(step)))
        moved.update(self.rules.walkers)
        found = {kind: [] for kind in moved}
        for step in self.steps:
            moves = {(kind, cell): to for kind, cell, to in seen.moves_of(step, self.grid(step))}
            for kind in moved:
                if step.before.count(kind) <= seen.RARE:
                    for cell in cells_of(step.before, [kind]):
                        to = moves.get((kind, cell))
                        if to is not None or step.after[cell] == kind:
                            found[kind].append((step, cell, cell if to is None else to))
        return found

    def floor_of(self, tracks):
        """What is mostly found where something moved away, or else the commonest kind."""
        left = Counter(step.after[cell] for track in tracks.values() for step, cell, to in track if cell != to)
        boards = Counter()
        for step in self.steps[-1:]:
            boards.update(step.before)
        best = left.most_common(1) or boards.most_common(1)
        return best[0][0] if best else 0

    # ---- Laws --------------------------------------------------------------------------------------------------------

    def buttons_law(self, track, delay, turners=()):
        """The law by buttons that fits best: (law, what it explains, what contradicts it)."""
        votes, right, wrong = {}, 0, 0
        for step, cell, to in track:
            if cell != to and len(step.past) > delay:
                name = seen.way_name(self.grid(step), cell, to)
                for _ in range(-self.turns(step, turners) % 4):
                    name = TURN[name]
                votes.setdefault(step.past[-1 - delay], Counter())[name] += 1
            elif cell != to:
                wrong += 1
        ways = {button: names.most_common(1)[0][0] for button, names in votes.items() if 4 * max(names.values()) >= 3 * sum(names.values())}
        for names in votes.values():
            best = names.most_common(1)[0][1]
            right, wrong = right + best, wrong + sum(names.values()) - best
        return {"law": "buttons", "delay": delay, "map": dict(sorted(ways.items()))}, right, wrong

    def turns(self, step, turners):
        """How often a walker has turned in this try before this step."""
        return sum(1 for number in self.entries.get(step.attempt, ()) if turners and number[0] < step.number and number[1] in turners)

    def stays(self, law, track, kind):
        """How often a thing stayed although its law wanted it to go where it was seen to enter."""
        wrong = right = 0
        for step, cell, to in track:
            if cell != to:
                continue
            way = self.wanted(law, step, cell)
            target = cell + way if way else None
            if target is None:
                right += 1
            elif 0 <= target < len(step.before):
                wrong += step.before[target] == self.rules.floor and step.after[target] in (self.rules.floor, kind)
        return right, wrong

    def wanted(self, law, step, cell):
        grid, rules = self.grid(step), self.rules
        if law["law"] == "buttons":
            return grid.steps.get(rules.button_way(law, step.past, self.turns(step, rules.turners)), 0)
        walkers = cells_of(step.after, rules.walkers)
        if not walkers or not self.acted(step):
            return 0
        board = bytearray(step.before)
        return (chase if law["law"] == "chase" else pull)(law, cell, board, walkers, grid, rules.floor)

    def acted(self, step):
        """Whether the walker did something, or the button is one that moves nobody."""
        if step.button in self.rules.idle:
            return True
        return cells_of(step.before, self.rules.walkers) != cells_of(step.after, self.rules.walkers) or any(
            step.before[cell] in self.rules.walkers and step.after[cell] in self.rules.walkers for cell in seen.changed(step))

    def explains(self, law, track, kind):
        right = wrong = 0
        for step, cell, to in track:
            if cell != to:
                agrees = self.wanted(law, step, cell) == to - cell
                right, wrong = right + agrees, wrong + (not agrees)
        _, contradictions = self.stays(law, track, kind)
        return right, wrong + contradictions

    def best_law(self, kind, track):
        """(right, wrong, law, rivals): the law that explains most and is contradicted least; all that explain as much, if nothing contradicts them."""
        found = []
        for delay in range(5):
            law, right, wrong = self.buttons_law(track, delay)
            wrong += self.stays(law, track, kind)[1]
            found.append((right - 2 * wrong - 0.1 * len(law["map"]) - 0.1 * delay, -len(found), right, wrong, law))
        if kind not in self.rules.walkers and self.rules.walkers:
            for way in (1, -1):
                for reach in REACHES:
                    for name in ("chase", "pull"):
                        law = {"law": name, "way": way, "reach": reach, "walls": self.walls}
                        right, wrong = self.explains(law, track, kind)
                        found.append((right - 2 * wrong - 0.05 - 0.001 * len(found), -len(found), right, wrong, law))
        _, _, right, wrong, law = max(found, key=lambda one: one[:2])
        return right, wrong, law, [one[4] for one in found if one[2:4] == (right, 0)]

    def find_walkers(self, tracks):
        """Walkers are what buttons move at once, and nearly always: the best of all kinds, and others that are nearly as good."""
        rated = []
        for kind, track in sorted(tracks.items()):
            law, right, wrong = self.buttons_law(self.newest(track), 0)
            wrong += self.stays(law, self.newest(track), kind)[1]
            rated.append((right - 2 * wrong, right, wrong, kind))
        if not rated:
            return
        most, right, wrong, best = max(rated, key=lambda one: (one[0], -one[3]))
        newest = max(step.level for step in self.steps)
        changes = sum(step.level == newest and bool(seen.changed(step)) for step in self.steps)
        moved = [entry for entry in self.newest(tracks[best]) if entry[1] != entry[2]]
        if right > wrong and (changes < 4 or len(moved) >= MOVING * changes or moved[0][0].level < newest):
            self.rules.walkers = [kind for score, right, wrong, kind in rated if kind == best or (6 * wrong <= right and 2 * score >= most)]

    def newest(self, track):
        """What was seen of the newest level in which something moved: what buttons mean may change from level to level."""
        level = max((step.level for step, cell, to in track if cell != to), default=0)
        return [entry for entry in track if entry[0].level == level]

    def lasting(self, track):
        """The same, and what was seen of the levels before for as long as buttons meant the same there."""
        maps = {}
        for level in {step.level for step, cell, to in track if cell != to}:
            maps[level] = self.buttons_law([entry for entry in track if entry[0].level == level], 0, self.rules.turners)[0]["map"]
        levels = sorted(maps, reverse=True)
        kept, known = set(levels[:1]), dict(maps[levels[0]]) if levels else {}
        for level in levels[1:]:
            if any(known.get(button, way) != way for button, way in maps[level].items()) or not set(known) & set(maps[level]):
                break
            kept.add(level)
            known.update(maps[level])
        return [entry for entry in track if entry[0].level in kept] or self.newest(track)

    # ---- Turning -----------------------------------------------------------------------------------------------------

    def find_entries(self, tracks):
        """{try: [(step, kind that a walker entered)]}"""
        self.entries = {}
        for kind in self.rules.walkers:
            for step, cell, to in tracks.get(kind, ()):
                if cell != to:
                    self.entries.setdefault(step.attempt, []).append((step.number, step.before[to]))

    def find_turners(self, tracks):
        """Kinds that explain why buttons mean something else after they were entered."""
        kinds = sorted({kind for entries in self.entries.values() for _, kind in entries} - {self.rules.floor})
        track = [entry for kind in self.rules.walkers for entry in self.newest(tracks[kind])]
        best, least = [], self.buttons_law(track, 0)[2]
        for kind in kinds if least else ():
            wrong = self.buttons_law(track, 0, [kind])[2]
            if wrong < least:
                best, least = [kind], wrong
        self.rules.turners = best

    # ---- Entering and changing ---------------------------------------------------------------------------------------

    def targets(self, kind, track):
        """[(step, cell, to, where it wanted to go)] of a mover."""
        for step, cell, to in track:
            law = self.rules.law_of(kind, self.walker_kind(step))
            way = self.wanted(law, step, cell) if law else 0
            yield step, cell, to, cell + way if way else None

    def walker_kind(self, step):
        cells = cells_of(step.before, self.rules.walkers)
        return step.before[cells[0]] if cells else -1

    def count_entries(self, tracks):
        """Who was seen to enter what, and who stayed before what."""
        went, stayed = Counter(), Counter()
        for kind in self.rules.movers:
            for step, cell, to, target in self.targets(kind, tracks.get(kind, ())):
                if cell != to:
                    went[kind, self.content(step, to)] += 1
                elif target is not None and 0 <= target < len(step.before) and step.kind == "step":
                    stayed[kind, self.met(step, target)] += 1
        went.update(self.won_entries())
        rules = self.rules
        for pair in sorted(went | stayed):
            rules.enters["%d %d" % pair] = 2 * went[pair] >= stayed[pair] and went[pair] > 0
        for kind in sorted({kind for _, kind in went | stayed}):
            pairs = [pair for pair in went | stayed if pair[1] == kind]
            walking = [pair for pair in pairs if pair[0] in rules.walkers] or pairs
            answers = {rules.enters["%d %d" % pair] for pair in walking}
            if len(answers) == 1 or all(pair[0] not in rules.walkers for pair in pairs):
                rules.enters_any[str(kind)] = True in answers

    def won_entries(self):
        """What a walker entered by the step that ended a level: what it went to was not seen any more."""
        for step in self.evidence.steps:
            for cell in cells_of(step.before, self.rules.walkers) if step.kind == "level" and step.cell is None else ():
                law = self.rules.law_of(step.before[cell], step.before[cell])
                way = self.wanted(law, step, cell) if law else 0
                if way and 0 <= cell + way < len(step.before):
                    yield step.before[cell], step.before[cell + way]

    def met(self, step, cell):
        """What a mover stayed before: things change by themselves before anybody moves."""
        kinds = step.before[cell], step.after[cell]
        return self.content(step, cell) if set(kinds) & set(self.rules.movers) else kinds[1]

    def content(self, step, cell):
        """What was met in a cell: what it was, or became by itself before anybody moved."""
        if str(cell) in self.rules.timers:
            kinds = self.rules.timers[str(cell)]
            return kinds[step.time % len(kinds)]
        return step.before[cell]

    def find_changes(self, tracks):
        """What a walker becomes, what it dies of, what is under it, and what changes elsewhere."""
        rules, switches = self.rules, {}
        for step in self.steps:
            moves = seen.moves_of(step, self.grid(step))
            mine = {cell for kind, cell, to in moves if kind in rules.movers for cell in (cell, to)}
            events = []
            for kind, cell, to in moves:
                if kind in rules.movers:
                    events += [f"enter {step.before[to]}"] if step.before[to] != rules.floor else []
                    events += [f"leave {step.after[cell]}"] if step.after[cell] != rules.floor else []
            self.find_becoming(step, mine, events)
            self.find_death(step)
            rest = {(step.before[cell], step.after[cell]) for cell in seen.changed(step)
                    if cell not in mine and str(cell) not in rules.timers} if step.kind == "step" else set()
            rest = {pair for pair in rest if not set(pair) & set(rules.movers) and not set(pair) & set(rules.fog)}
            for event in events:
                switches.setdefault(event, []).append(rest)
        for event, all_rests in sorted(switches.items()):
            common = Counter(pair for rest in all_rests for pair in rest)
            some = [list(pair) for pair, n in sorted(common.items()) if 2 * n >= len(all_rests)]
            if some:
                rules.switches[event] = some

    def find_becoming(self, step, mine, events):
        rules, grid = self.rules, self.grid(step)
        for cell in seen.changed(step):
            kind, now = step.before[cell], step.after[cell]
            if kind not in rules.walkers or cell in mine or step.kind != "step":
                continue
            law = rules.law_of(kind, kind)
            way = grid.steps.get(rules.button_way(law, step.past, self.turns(step, rules.turners)), 0) if law else 0
            to = cell + way
            if not way and now not in (rules.floor,):
                rules.flips[f"{kind} {step.button}"] = now
            elif way and 0 <= to < len(step.before) and step.before[to] != step.after[to]:
                rules.becomes[f"{kind} {step.before[to]}"] = step.after[to]
                rules.enters[f"{kind} {step.before[to]}"] = True
                events.append(f"enter {step.before[to]}")
                mine |= {cell, to}
            else:
                continue
            if step.after[to] not in rules.walkers and step.after[to] != rules.floor:
                rules.walkers = sorted({*rules.walkers, step.after[to]})
                rules.laws.setdefault(str(step.after[to]), law or {"law": "buttons", "delay": 0, "map": {}})

    def find_death(self, step):
        if step.kind != "over" or step.is_late:
            return
        rules, grid = self.rules, self.grid(step)
        for cell in cells_of(step.before, rules.walkers):
            law = rules.law_of(step.before[cell], step.before[cell])
            way = grid.steps.get(rules.button_way(law, step.past, self.turns(step, rules.turners)), 0) if law else 0
            if way and 0 <= cell + way < len(step.before) and step.before[cell + way] != rules.floor:
                rules.deadly.append(f"{step.before[cell]} {step.before[cell + way]}")

    def find_leaves(self):
        """What is found where a mover was that had entered something."""
        under, rules = {}, self.rules
        votes = {}
        for step in self.steps:
            for kind, cell, to in seen.moves_of(step, self.grid(step)):
                if kind not in rules.movers:
                    continue
                was = under.pop((step.attempt, cell), None)
                if was is not None and step.kind == "step":
                    votes.setdefault(was, Counter())[step.after[cell]] += 1
                if step.before[to] not in (rules.floor, *rules.movers):
                    under[step.attempt, to] = step.before[to]
        for kind, after in sorted(votes.items()):
            best = after.most_common(1)[0][0]
            if best != kind and best not in rules.movers:
                rules.leaves[str(kind)] = best

    # ---- Timers and fog ----------------------------------------------------------------------------------------------

    def find_fog(self, tracks):
        """A kind that becomes many other kinds, and again, while the walker goes about."""
        gone, come = {}, {}
        for step in self.steps:
            if step.kind != "step":
                continue
            for cell in seen.changed(step):
                a, b = step.before[cell], step.after[cell]
                gone.setdefault(a, Counter())[b] += 1
                come.setdefault(b, Counter())[a] += 1
        for kind, others in sorted(gone.items()):
            others = Counter({other: n for other, n in others.items() if other not in tracks})
            if kind not in {*tracks, *self.rules.walkers, self.rules.floor} and self.was_common(kind) and len(others) >= 2 and sum(others.values()) >= 4:
                self.rules.fog.append(kind)
        if len(self.rules.fog) > 1:
            self.rules.fog = self.rules.fog[:1]

    def was_common(self, kind):
        return any(board.count(kind) > seen.RARE for _, board in self.evidence.starts.values())

    def find_timers(self, attempt):
        """Cells that go through the same kinds again and again, by the time since the try began."""
        rules = self.rules
        newest = self.evidence.starts[attempt][0]
        seen_at, known = {}, {}
        for step in self.steps:
            if step.level != newest:
                continue
            for cell in seen.changed(step):
                if not {step.before[cell], step.after[cell]} & set(rules.movers) and not {step.before[cell], step.after[cell]} & set(rules.fog):
                    known[cell] = known.get(cell, 0) + 1
        for step in self.steps:
            if step.level == newest:
                for cell in known:
                    for time, board in ((step.time - 1, step.before), (step.time, step.after)):
                        if board[cell] not in rules.movers:
                            seen_at.setdefault(cell, {})[time] = board[cell]
        for cell, kinds in sorted(seen_at.items()):
            if known[cell] >= 3:
                self.find_timer(cell, kinds)

    def find_timer(self, cell, kinds):
        for period in range(2, 9):
            phases = {}
            if all(phases.setdefault(time % period, kind) == kind for time, kind in kinds.items()) and len(phases) == period:
                self.rules.timers[str(cell)] = [phases[i] for i in range(period)]
                return

    # ---- All of it ---------------------------------------------------------------------------------------------------

    def buttons_that_idle(self, tracks):
        moving = set()
        for kind in self.rules.walkers:
            for step, cell, to in tracks.get(kind, ()):
                if cell != to:
                    moving.add(step.button)
        tried = Counter(step.button for step in self.steps if step.cell is None)
        self.rules.idle = sorted(button for button, n in tried.items() if button not in moving and n >= 3)

    def undone_by(self, button):
        """The buttons whose changes were always taken back by this button, each time; None: not always."""
        pasts, undone = {}, []
        for step in self.steps:
            past = pasts.setdefault(step.attempt, [])
            if step.button == button and past:
                before, other = past.pop()
                undone.append(other)
                if step.after != before:
                    return None
            elif step.before != step.after:
                past.append((step.before, step.button))
        return undone

    def find_undo(self):
        """Buttons that take back what others did. One that did so for one of them may just lead the other way."""
        for button in sorted({step.button for step in self.steps if step.cell is None}):
            undone = self.undone_by(button)
            if undone and len(set(undone)) > 1 and len(undone) > 2:
                self.rules.undo.append(button)
        self.steps = [step for step in self.steps if step.button not in self.rules.undo]

    def fit(self):
        rules = self.rules
        self.find_undo()
        tracks = self.tracks()
        self.entries = {}
        rules.floor = self.floor_of(tracks)
        self.walls = []
        self.find_walkers(tracks)
        if rules.walkers:
            self.buttons_that_idle(tracks)
            self.find_entries(tracks)
            self.find_turners(tracks)
            self.walker_laws(tracks)
            self.adopt()
            tracks = self.tracks()
            self.walker_laws(tracks)
            self.find_fog(tracks)
            self.fit_others(tracks)
            rules.prepare()
            self.find_timers(max(self.evidence.starts))
            self.count_entries(tracks)
            self.find_changes(tracks)
            self.find_leaves()
        rules.prepare()
        return rules

    def fit_others(self, tracks):
        rules = self.rules
        stayed = Counter()
        for kind in rules.walkers:
            for step, cell, to in tracks.get(kind, ()):
                way = self.wanted(rules.laws[str(kind)], step, cell)
                if cell == to and way and 0 <= cell + way < len(step.before):
                    stayed[step.before[cell + way]] += 1
        self.walls = sorted(kind for kind in stayed if kind != rules.floor)
        for kind, track in sorted(tracks.items()):
            if kind in rules.walkers or kind == rules.floor or kind in rules.fog:
                continue
            for walker in rules.walkers:
                part = [entry for entry in track if self.walker_kind(entry[0]) == walker]
                if any(cell != to for _, cell, to in part):
                    right, wrong, law, rivals = self.best_law(kind, part)
                    if right > wrong:
                        key = f"{kind} of {walker}" if len(rules.walkers) > 1 else str(kind)
                        rules.laws[key], rules.rivals[key] = law, rivals

    def adopt(self):
        """What a walker becomes walks, too."""
        for step in self.steps:
            mine = {cell for kind, cell, to in seen.moves_of(step, self.grid(step)) if kind in self.rules.walkers for cell in (cell, to)}
            self.find_becoming(step, mine, [])

    def walker_laws(self, tracks):
        """Walkers that are never seen together are one that changes, and obey the same law."""
        rules = self.rules
        together = any(sum(kind in step.before for kind in rules.walkers) > 1 for step in self.steps)
        pooled = sorted((entry for kind in rules.walkers for entry in tracks.get(kind, ())), key=lambda entry: entry[0].number)
        for kind in rules.walkers:
            track = tracks.get(kind, []) if together else pooled
            rules.laws[str(kind)] = self.buttons_law(self.lasting(track), 0, rules.turners)[0]


def fit(evidence):
    return Fit(evidence).fit()
