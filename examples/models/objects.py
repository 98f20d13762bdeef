"""A candidate that learns what becomes of things. It cuts frames into cells, and learns what an action makes of a cell from what lies around it: a thing
that moves is a pattern that leaves one cell for the next, and what stands in its way is a neighbour. A bar in the last row is counted down. Needs NumPy.

    seedbed model check LOG --model 'python3 examples/models/objects.py'

Each view of the surroundings (views_of, roles_of) counts which pattern followed on what it saw. Where views disagree, they vote, and a vote weighs what
such votes were worth so far. docs/world-models.md says how good that is.
"""
import gzip
import hashlib
import json

import numpy as np

import around
import candidate
import cells

np.seterr(over="ignore")  # sums of 64 bits are meant to wrap around
SMALL = 1024  # cells of a frame up to which places are learnt, too
ACTIONS = 6  # how many actions are carried along
WAYS_OF_ACTIONS = {"1": (-1, 0), "2": (1, 0), "3": (0, -1), "4": (0, 1), "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
OPPOSITE = {"1": "2", "2": "1", "3": "4", "4": "3", "up": "down", "down": "up", "left": "right", "right": "left"}
POWER = 3  # of how often a view was right: the best views count, not many
BACK = [0, 2, 1, 4, 3]  # the opposite of each way, from 1
MOST_CHANGED = 60  # cells, of an action after which is looked for what moved
BUDGETS = np.arange(4, 4000)
SURE = 8  # from so many cases on, a view is as sure as it gets


# ---- What is carried from frame to frame (h) -------------------------------------------------------------------------

def first_history(frame, text, level):
    start = hashlib.sha256(text.encode()).hexdigest()[:12]
    return {"level": level, "start": start, "grid": list(cells.grid_of(frame)), "frame": text, "before": text, "under": None, "actions": [], "moves": {}, "time": 0, "bar": []}


def history(h, text, action, shape, level):
    """Adds the frame and the action that is taken in it."""
    frame = cells.read_frame(text, *shape)
    if h is None:
        h = first_history(frame, text, level)
        under = np.full_like(frame, cells.NONE)
    else:
        last = cells.read_frame(h["frame"], *shape)
        under = cells.read_frame(h["under"], *shape) if h["under"] else np.full_like(frame, cells.NONE)
    grid = h["grid"]
    if h["frame"] != text:
        under = keep_covered(under, last, frame, grid)
    moves = h["moves"]
    if h["actions"]:
        moves = {**moves, h["actions"][-1]: ways_of_things(cells.read_frame(h["frame"], *shape), frame, grid, moves.get(h["actions"][-1], {}))}
    bar = cells.bar_of(frame)
    bars = h["bar"] + ([[h["time"], bar[0]]] if bar and (not h["bar"] or h["bar"][-1][1] != bar[0]) else [])
    return {**h, "frame": text, "before": h["frame"], "under": cells.write_frame(under) if (under != cells.NONE).any() else None,
            "actions": (h["actions"] + [candidate.action_name(action)])[-ACTIONS:], "moves": moves, "time": h["time"] + 1, "bar": bars[-40:]}


def keep_covered(under, last, frame, grid):
    """Where a cell changed, remembers what it showed before."""
    a, b = cells.tokens_of(last, grid), cells.tokens_of(frame, grid)
    under = under.copy()
    side, top, left = grid
    for y, x in zip(*np.nonzero(a != b)):
        place = np.s_[top + y * side:top + (y + 1) * side, left + x * side:left + (x + 1) * side]
        under[place] = last[place]
    return under


def ways_of_things(last, frame, grid, known):
    """Where the last action moved things: {pattern: 1 to 4}. What did not move keeps what was known of it."""
    a, b = cells.tokens_of(last, grid), cells.tokens_of(frame, grid)
    changed = np.argwhere(a != b)
    found = {}
    for y, x in changed[:MOST_CHANGED]:
        for way, (dy, dx) in enumerate(around.WAYS, 1):
            to = y + dy, x + dx
            if 0 <= to[0] < a.shape[0] and 0 <= to[1] < a.shape[1] and b[to] == a[y, x] != a[to]:
                found.setdefault(str(a[y, x]), set()).add(way)
    moved = {token: ways.pop() for token, ways in found.items() if len(ways) == 1 and (a == int(token)).sum() == 1}
    return {**known, **dict(sorted(moved.items())[:4])} if len(changed) <= MOST_CHANGED else known


# ---- Views -----------------------------------------------------------------------------------------------------------

class Scene:
    """A frame and what was carried to it, ready to be looked at in every way."""

    def __init__(self, text, h, action, shape):
        self.frame = cells.read_frame(text, *shape)
        self.grid = tuple(h["grid"])
        self.bar = cells.bar_of(self.frame) if self.grid[0] > 1 else None
        self.tokens = cells.tokens_of(self.frame, self.grid)
        self.before = cells.tokens_of(cells.read_frame(h["before"], *shape), self.grid)
        under = cells.tokens_of(cells.read_frame(h["under"], *shape), self.grid) if h["under"] else np.full_like(self.tokens, -1)
        self.under = np.where(under == cells.nothing(self.grid), -1, under)
        self.h, self.action, self.level = h, action, str(h["level"])
        values, counts = np.unique(self.tokens, return_counts=True)
        self.ground = values[np.argmax(counts)]
        self.place = self.clicked_cell()
        self.ways = ways_now(h, action)

    def clicked_cell(self):
        if "x" not in self.action:
            return None
        side, top, left = self.grid
        y, x = (self.action["y"] - top) // side, (self.action["x"] - left) // side
        return (y, x) if 0 <= y < self.tokens.shape[0] and 0 <= x < self.tokens.shape[1] else None


def way_of(scene):
    """Where an action leads: as it did last on this level, or as its name says. None: nowhere."""
    known = set(scene.ways.values())
    return around.WAYS[known.pop() - 1] if len(known) == 1 else WAYS_OF_ACTIONS.get(candidate.action_name(scene.action))


def ways_now(h, action):
    """Where the action leads each thing, as far as it was seen on this level: by the same action, or by the opposite one."""
    name = candidate.action_name(action)
    back = {int_of: BACK[way] for int_of, way in h["moves"].get(OPPOSITE.get(name), {}).items()}
    return {**back, **h["moves"].get(name, {})}


def intents(scene, now):
    """Of each thing that knows its way: what is ahead of it. Of each cell: what is about to come."""
    total = np.zeros(scene.tokens.shape, np.uint64)
    for token, way in sorted(scene.ways.items()):
        is_it = scene.tokens == int(token)
        dy, dx = around.WAYS[way - 1]
        total += np.where(is_it, around.shifted(now, dy, dx, 2), np.uint64(0)) * around.RANDOM[95]
        coming = np.pad(is_it, 2)
        total += around.shifted(coming, -dy, -dx, 2) * (around.mixed(int(token)) * around.RANDOM[96])
    return total


def views_of(scene):
    """The numbers that stand for the surroundings of every cell, by the name of the view."""
    now = around.mixed(around.padded(scene.tokens))
    then = around.mixed(around.padded(scene.before), 1)
    under = around.mixed(scene.under + 5, 2)
    square = [around.shifted(now, y, x, 2) * around.RANDOM[slot] for slot, (y, x) in enumerate(around.SQUARE, 1)]
    cross = sum(square[1:5], square[0])
    whole = sum(square[5:], cross)
    then_cross = around.summed(then, around.CROSS, 10)
    then_square = then_cross + around.summed(then, around.SQUARE[5:], 15)
    action = around.mixed_text(candidate.action_name(scene.action))
    act = np.full(scene.tokens.shape, action)
    if scene.place is not None:
        act = act + around.mixed(around.clicked(scene.tokens.shape, scene.place), 3) + around.mixed(scene.tokens[scene.place], 4)
    wide = whole + around.summed(now, around.RING, 30)
    views = {
        "cell": square[0] + act, "cross": cross + act, "square": whole + act, "wide": wide + act,
        "cross under": cross + under + act, "square under": whole + under + act, "square then": whole + then_square + act,
        "any action": whole, "then, any action": whole + then_square,
        "rays": square[0] + under + around.rays(scene.tokens, scene.ground) + act,
    }
    plain = [around.shifted(now, y, x, 2) for y, x in around.SQUARE]
    near, corners = sum(plain[1:5]) * around.RANDOM[70], sum(plain[5:]) * around.RANDOM[71]
    views |= {"near": square[0] + near + act, "near, corners": square[0] + near + corners + act, "near, any action": square[0] + near + corners}
    way = way_of(scene)
    if way:
        look = {name: sum(around.shifted(now, y, x, 2) for y, x in places) * around.RANDOM[80 + i] for i, (name, places) in enumerate(around.turned(way).items())}
        line = square[0] + look["ahead"] + look["behind"]
        across = line + look["sides"]
        corner = across + look["ahead, sides"] + look["behind, sides"]
        views |= {"line": line, "line under": line + under, "long line": line + look["far ahead"] + look["far behind"] + under, "turned": across + under,
                  "turned square": corner + under, "turned far": corner + look["far ahead"] + look["far behind"] + look["far sides"] + under}
    if scene.ways:
        views["own ways"] = square[0] + under + intents(scene, now) + np.uint64(7)
    past = scene.h["actions"]
    for back in range(2, ACTIONS + 1):
        if len(past) >= back:
            views[f"{back} ago"] = cross + under + around.mixed_text(f"{back} {past[-back]}")
    if is_small(scene):
        place = around.mixed(np.arange(scene.tokens.size).reshape(scene.tokens.shape), 5)
        weights = around.mixed(np.arange(scene.tokens.size).reshape(scene.tokens.shape), 6)
        frame = (now[2:-2, 2:-2] * weights).sum()
        views |= {"place": place + square[0] + act, "place square": place + whole + act, "place then": place + whole + then_cross + act, "place frame": place + frame + act,
                  "place frames": place + frame + (then[2:-2, 2:-2] * weights).sum() + act}
    return views


def is_small(scene):
    return scene.grid[0] == 1 and scene.tokens.size <= SMALL


def roles_of(scene):
    """Views that do not know patterns, only which ones are equal; and the patterns that what follows is named by."""
    tokens, pad = scene.tokens, around.padded(scene.tokens)
    way = way_of(scene)
    places = around.turned(way) if way else around.turned((-1, 0))
    around_it = [around.shifted(pad, *place, 2) for name in ("behind", "ahead", "sides") for place in places[name]]
    named = [tokens, scene.before, scene.under, *around_it, np.full_like(tokens, scene.ground)]
    code = np.zeros(tokens.shape, np.uint64)
    for i, one in enumerate(named):
        for j, other in enumerate(named[:i]):
            code += (one == other).astype(np.uint64) << np.uint64(i * (i - 1) // 2 + j)
    act = around.mixed_text("a way" if way else candidate.action_name(scene.action))
    if scene.place is not None:
        act = act + around.mixed(around.clicked(tokens.shape, scene.place), 3)
    seen = (scene.before == tokens).astype(np.uint64) + np.uint64(2) * (scene.under == -1).astype(np.uint64)
    return {"roles": around.mixed(code, 7) + act, "roles of before": around.mixed(seen, 8) + act}, np.stack([one.ravel() for one in named])


# ---- Learning --------------------------------------------------------------------------------------------------------

def role_of(named, outcome):
    """Which of the named patterns followed; their number if it was none of them."""
    found = np.flatnonzero(named == outcome)
    return int(found[0]) if len(found) else len(named)


class Model:
    def __init__(self):
        self.seen = {}  # view: {surroundings: [cases, what followed mostly, how often, {others}]}
        self.trust = {}  # (view, how sure): [right, cases], where views disagreed
        self.ends = {}  # what changed: [done, over, neither]
        self.bars = [0, 0]  # how often the last row was a bar after an action, and how often not
        self.budgets = {}  # how long bars lasted that were seen to the end
        self.empty_colour = 3  # of a bar: what is used up

    def votes(self, views):
        """What each view knows of each cell: entries as in `seen`, or None."""
        return {name: list(map(self.seen[name].get, numbers)) for name, numbers in views.items() if name in self.seen}

    def role_votes(self, views, named):
        """The same for views whose outcomes are rows of `named`."""
        votes = {}
        for name, entries in self.votes(views).items():
            meant = [int(named[entry[1], i]) if entry and entry[1] < len(named) else -1 for i, entry in enumerate(entries)]
            votes[name] = [[entry[0], token, entry[2]] if token >= 0 else None for entry, token in zip(entries, meant)]
        return votes

    def decide(self, votes, flat):
        """What follows in every cell, and the votes where views disagree."""
        contested, result, names = {}, [], list(votes)
        if not votes:
            return flat, contested
        trust = {}
        for i, entries in enumerate(zip(*votes.values())):
            outcomes = {entry[1] for entry in entries if entry}
            if len(outcomes) <= 1:
                result.append(outcomes.pop() if outcomes else flat[i])
                continue
            sums, keys = {}, []
            for name, entry in zip(names, entries):
                if entry:
                    key = (name, min(entry[0], SURE), 8 * entry[2] // entry[0])
                    score = trust.get(key)
                    if score is None:
                        right, cases = self.trust.get(key, (0, 0))
                        share = (right + 0.5) / (cases + 1.5)
                        score = trust[key] = (share / (1 - share)) ** POWER
                    keys.append((key, entry[1]))
                    sums[entry[1]] = sums.get(entry[1], 0) + score
            contested[i] = keys
            result.append(max(sums, key=sums.get))
        return result, contested

    def local(self, scene):
        """Two looks: the first at the surroundings, the second also at what changed elsewhere by the first. Cells that look alike in all views are
        decided once. Returns views, what follows in each such cell, contested ones, which cells they are, and patterns by their roles."""
        views, (roles, named) = views_of(scene), roles_of(scene)
        total = sum(numbers * around.RANDOM[100 + i % 24] for i, numbers in enumerate(views.values())) + sum(roles.values()) * around.RANDOM[125]
        _, first, which = np.unique(total.ravel(), return_index=True, return_inverse=True)
        pick = lambda group: {name: numbers.ravel()[first].tolist() for name, numbers in group.items()}  # noqa: E731
        views, roles, named = pick(views), pick(roles), named[:, first]
        flat = scene.tokens.ravel()[first].tolist()
        votes = {**self.votes(views), **self.role_votes(roles, named)}
        result, contested = self.decide(votes, flat)
        marks = sorted({(a, b) for a, b in zip(flat, result) if a != b})
        if marks:
            mark = int(around.mixed_text(str(marks[:12])))
            bases = ["cell", "square under"] + (["place"] if "place" in views else [])
            more = {name + ", elsewhere": [number ^ mark for number in views[name]] for name in bases}
            result, contested = self.decide({**votes, **self.votes(more)}, flat)
            views |= more
        return views, roles, result, contested, first, which.ravel(), named

    def signs(self, flat, views, result):
        """What may announce an end: changed cells with what lies around them."""
        crosses, under = views["cross"], views["cross under"]
        return {key for i, (a, b) in enumerate(zip(flat, result)) if a != b for key in (f"c{crosses[i]}", f"u{under[i]}", f"t{a} {b}")}

    def budgets_of(self, scene):
        """Which budgets agree with all lengths of the bar so far."""
        h, width = scene.h, scene.frame.shape[1]
        good = cells.lengths_of(width, BUDGETS, h["time"] - 1) == scene.bar[0]
        for (_, length), (later, _) in zip(h["bar"], h["bar"][1:]):  # each length is told with the time when it was first seen, and when it was last seen
            good &= cells.lengths_of(width, BUDGETS, later - 1) == length
        for time, length in h["bar"]:
            good &= cells.lengths_of(width, BUDGETS, time) == length
        return BUDGETS[good]

    def budget_after(self, scene):
        """How long the bar will be after the action, and whether it has run out then."""
        good = self.budgets_of(scene)
        if not len(good):
            return scene.bar[0], False
        after = cells.lengths_of(scene.frame.shape[1], good, scene.h["time"])
        known = [np.log(budget) for budget in self.budgets.get(scene.level, {}).values()]
        weights = 1 / good
        if known:
            spread = max(0.25, float(np.std(known)))
            weights = weights * (np.exp(-0.5 * ((np.log(good) - np.mean(known)) / spread) ** 2) + 1e-6)
        best = int(np.argmax(np.bincount(after, weights)))
        return best, best == 0

    def note_budget(self, scene):
        """Remembers about how long the bar of a level lasts."""
        good = self.budgets_of(scene)
        if len(good) and good[-1] < 1.3 * good[0]:
            self.budgets.setdefault(scene.level, {})[scene.h["start"]] = float(np.sqrt(good[0] * good[-1]))

    def predict(self, scene):
        """The next frame, done, and over."""
        views, _, result, _, first, which, _ = self.local(scene)
        frame = scene.frame.copy()
        flat = scene.tokens.ravel()
        after = np.array(result, np.int64)[which]
        for i in np.flatnonzero(flat != after):
            y, x = divmod(int(i), scene.tokens.shape[1])
            cells.put_token(frame, scene.grid, y, x, after[i])
        done = over = False
        for sign in self.signs(flat[first].tolist(), views, result):
            d, o, neither = self.ends.get(sign, (0, 0, 0))
            done |= d >= 2 and d > 4 * (o + neither)
            over |= o >= 2 and o > 4 * (d + neither)
        if scene.bar and self.bars[0] > 9 * self.bars[1]:
            length, ran_out = self.budget_after(scene)
            frame[-1, :length] = scene.bar[1]
            frame[-1, length:] = scene.bar[2] if scene.bar[2] >= 0 else self.empty_colour
            over |= ran_out
        return frame, bool(done), bool(over and not done)

    def learn(self, scene, after, kind):
        views, roles, result, contested, first, which, named = self.local(scene)
        signs = self.signs(scene.tokens.ravel()[first].tolist(), views, result)
        if scene.bar:
            self.note_budget(scene)
        if kind == "level":
            self.note_end(signs, 0)
            return
        bar = cells.bar_of(after) if scene.bar else None
        if scene.bar:
            self.bars[0 if bar and bar[0] <= scene.bar[0] else 1] += 1
            if bar and bar[2] >= 0:
                self.empty_colour = bar[2]
        ran_out = kind == "over" and scene.bar and self.budget_after(scene)[1]
        self.note_end(signs, 1 if kind == "over" and not ran_out else 2)
        real = cells.tokens_of(after, scene.grid).ravel()
        pairs = sorted(set(zip(which.tolist(), real.tolist())))  # cells that look alike may become different things
        for i, outcome in pairs:
            for key, vote in contested.get(i, ()):
                trust = self.trust.setdefault(key, [0, 0])
                trust[0] += vote == outcome
                trust[1] += 1
        for name, numbers in views.items():
            self.count(self.seen.setdefault(name, {}), {(numbers[i], outcome) for i, outcome in pairs})
        for name, numbers in roles.items():
            named_pairs = {(numbers[i], role_of(named[:, i], outcome)) for i, outcome in pairs}
            self.count(self.seen.setdefault(name, {}), named_pairs)

    def told(self):
        """All that was learnt, for a file. Numbers are keys of tables, which JSON has as texts."""
        return {"objects": 1, "bars": self.bars, "empty_colour": self.empty_colour, "budgets": self.budgets, "ends": self.ends,
                "trust": [[*key, *value] for key, value in self.trust.items()],
                "seen": {name: [[number, *entry[:3], list((entry[3] or {}).items())] for number, entry in known.items()] for name, known in self.seen.items()}}

    def take(self, told):
        if told.get("objects") != 1:
            raise ValueError("this is not what objects.py saved")
        self.bars, self.empty_colour, self.budgets, self.ends = told["bars"], told["empty_colour"], told["budgets"], told["ends"]
        self.trust = {tuple(row[:3]): row[3:] for row in told["trust"]}
        self.seen = {name: {row[0]: [*row[1:4], dict(map(tuple, row[4])) or None] for row in rows} for name, rows in told["seen"].items()}

    def note_end(self, signs, which):
        for sign in signs:
            self.ends.setdefault(sign, [0, 0, 0])[which] += 1

    def count(self, known, pairs):
        for number, outcome in pairs:
            entry = known.get(number)
            if entry is None:
                known[number] = [1, outcome, 1, None]
                continue
            entry[0] += 1
            if outcome == entry[1]:
                entry[2] += 1
                continue
            others = entry[3] = entry[3] or {}
            others[outcome] = others.get(outcome, 0) + 1
            if others[outcome] > entry[2]:
                others[entry[1]] = entry[2]
                entry[1], entry[2] = outcome, others.pop(outcome)


# ---- The program -----------------------------------------------------------------------------------------------------

class Program:
    """The operations of the protocol, for one game after another. What is learnt is kept from game to game."""

    def __init__(self):
        self.model, self.shape = Model(), (64, 64)

    def hello(self, request):
        self.shape = request.get("width", 64), request.get("height", 64)
        return {"name": "objects", "version": "1", "learns": True}

    def history(self, request):
        return {"h": history(request["h"], request["z"]["frame"], request["action"], self.shape, request["m"]["level"])}

    def scene(self, request):
        return Scene(request["z"]["frame"], request["h"], request["action"], self.shape)

    def predict(self, request):
        frame, done, over = self.model.predict(self.scene(request))
        return {"z": {"frame": cells.write_frame(frame)}, "done": done, "over": over}

    def learn(self, request):
        kind = request["kind"]
        if kind in ("step", "over"):
            self.model.learn(self.scene(request), cells.read_frame(request["z_next"]["frame"], *self.shape), kind)
        elif kind == "level":  # what is shown then is another level
            self.model.learn(self.scene(request), None, kind)
        return {}

    def save(self, request):
        with gzip.open(request["path"], "wb", 1) as file:
            file.write(json.dumps(self.model.told()).encode())
        return {}

    def load(self, request):
        with gzip.open(request["path"]) as file:
            self.model.take(json.loads(file.read()))
        return {}


if __name__ == "__main__":
    program = Program()
    candidate.serve({name: getattr(program, name) for name in ("hello", "history", "predict", "learn", "save", "load")})
