"""`state` and `language` against recordings of the published benchmark, in every task and difficulty.

A deep recording holds the layers, the agent and its items after every step. From these this test builds the published
document, by the rules that docs/compatibility.md sums up, and `state` has to equal it to the byte. Of `language` the facts
are compared: the test parses a paragraph to its last word, and it has to tell the facts that the rules demand, in their
order, and nothing else.

    python3 tests/published_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import collections
import glob
import gzip
import json
import os
import re
import subprocess
import sys
import unittest

from dataset_support import SEEDBED

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GOLDEN = os.path.join(ROOT, "tests/golden")
EVERY = 6 if os.environ.get("SEEDBED_NIGHTLY") else 18  # how many steps apart those are that are compared, besides the last one

EMPTY, WALL, HAZARD, WATER, ICE, HOLE = range(6)
NAMES = ["none", "goal", "key", "door", "switch", "box", "target", "tool", "resource", "breadcrumb", "npc", "enemy", "sheep",
         "blocker", "gem", "lever", "potion", "scroll", "coin", "orb"]
(NONE, GOAL, KEY, DOOR, SWITCH, BOX, TARGET, TOOL, RESOURCE, BREADCRUMB, NPC, ENEMY, SHEEP, BLOCKER, GEM, LEVER, POTION,
 SCROLL, COIN, ORB) = range(20)
FOG = -1
ACTIONS = ["noop", "move_up", "move_down", "move_left", "move_right", "interact"]
DIRECTIONS = ["north", "east", "south", "west"]
DELTAS = [(0, -1), (1, 0), (0, 1), (-1, 0)]
STEMS = {"key": "key", "ingredient": "ing", "item": "item", "orb": "orb"}  # of the ids of carried items
PHASES = {"goal_reach": "walk to the goal", "key_door": "fetch the key, unlock the door and walk to the goal",
          "lever_barrier": "pull the lever and walk to the goal", "collection": "collect all gems, then walk to the goal"}


def recordings(task):
    """Yields the deep recordings, which hold every changed cell."""
    with gzip.open(os.path.join(GOLDEN, task + ".jsonl.gz")) as file:
        return [row for row in map(json.loads, file) if "layers" in row["reset"]]


def all_tasks():
    return sorted(os.path.basename(path).split(".")[0] for path in glob.glob(GOLDEN + "/[A-Z]*.jsonl.gz"))


# ---- Reading a recording ----


class Moment:
    """The state of an episode after a step."""

    def __init__(self, recording):
        reset = recording["reset"]
        self.layers = {name[0]: [row[:] for row in rows] for name, rows in reset["layers"].items()}
        self.width, self.height = reset["size"]
        self.x, self.y, self.facing = reset["agent"]
        self.items = []  # (type, properties, cell where it was picked up)
        self.step, self.max_steps, self.total = 0, reset["max_steps"], 0.0

    def take(self, step, reward):
        (self.x, self.y, self.facing), changes, carried = step[:3]
        for layer, x, y, value in changes:
            self.layers[layer][y][x] = value
        self.items = self.carry(carried)
        self.step += 1
        self.total += reward

    def carry(self, carried):
        """Updates the items: a lost item was the first of its kind; a new item was picked up where the agent is now."""
        carried, items = [tuple(item) for item in carried], list(self.items)
        for item in self.items:
            same = [other for other in items if other[:2] == item[:2]]
            if len(same) > carried.count(item[:2]):
                items.remove(same[0])
        items += [(*item, (self.x, self.y)) for item in carried[len(items):]]
        assert [item[:2] for item in items] == carried
        return items

    def is_fog(self, x, y):
        return self.layers["m"][y][x] == FOG

    def cells(self):
        """Yields (x, y, terrain, object, metadata) of the cells without fog, row by row."""
        for y in range(self.height):
            for x in range(self.width):
                if not self.is_fog(x, y):
                    yield x, y, self.layers["t"][y][x], self.layers["o"][y][x], self.layers["m"][y][x]

    def valid_actions(self):
        def passable(x, y):
            if not (0 <= x < self.width and 0 <= y < self.height) or self.layers["t"][y][x] in (WALL, HOLE):
                return False
            thing = self.layers["o"][y][x]
            return thing not in (LEVER, SWITCH) and not (thing == DOOR and self.layers["m"][y][x] < 10)
        moves = {"move_up": 0, "move_right": 1, "move_down": 2, "move_left": 3}
        return [name for name in ACTIONS if name not in moves or
                passable(self.x + DELTAS[moves[name]][0], self.y + DELTAS[moves[name]][1])]


# ---- Traits of cells ----


def color(m):
    return {1: "red", 2: "blue", 3: "green"}.get(m, "gold")


def clue(m):
    d, distance = divmod(m, 10)
    return {"direction": DIRECTIONS[d] if d < 4 else "unknown", "direction_short": "NESW"[d] if d < 4 else "?",
            "distance": distance}


def traits(thing, m):
    """Yields (name of the group of annotations, value), in the published order of groups."""
    if thing == KEY:
        yield "key_colors", color(m)
    if thing == DOOR:
        yield "door_colors", color(m - 10 if m >= 10 else m)
        yield "door_states", "open" if m >= 10 else "closed"
    if thing == SWITCH:
        yield "switch_states", "on" if m >= 100 else "off"
        if 0 < m < 100:
            yield "switch_colors", color(m) if m <= 3 else str(m)
    if thing == LEVER:
        yield "lever_states", "on" if m > 0 else "off"
    if thing == NPC:
        yield "npc_types", {1: "follower", 3: "fearful", 4: "mirror", 5: "contrarian"}.get(m & 15, "npc")
    if thing == ENEMY:
        yield "enemy_types", {0: "chaser", 1: "ambusher", 2: "patrol", 3: "erratic"}.get(m & 15, "enemy")
    if thing == RESOURCE:
        yield "resource_energy", m
    if thing == BOX and m > 0:
        yield "tile_numbers", m - 100 if m >= 100 else m
    if thing == TARGET and m >= 200:
        yield "target_slots", m - 200
    if thing == TARGET and (m == BOX or GEM <= m <= ORB):
        yield "typed_target_objects", NAMES[m]
    if thing == SCROLL and m > 0:
        yield "scroll_directions", clue(m)


GROUPS = ["key_colors", "door_colors", "door_states", "switch_states", "switch_colors", "lever_states", "npc_types",
          "enemy_types", "resource_energy", "tile_numbers", "target_slots", "typed_target_objects", "scroll_directions"]


def task_annotations(task, config):
    if task == "InstructionFollowing":
        return {"target_object": NAMES[config["target_type"]]}
    if task == "TaskInterference":
        return {"gem_meter": config["_red_meter"], "orb_meter": config["_blue_meter"], "meter_threshold": config["threshold"]}
    if task == "RuleInduction":
        return {"trial_info": f"Trial {config['_current_trial'] + 1}/{config['_n_trials']}, "
                              f"target: {NAMES[config['_target_type']]}"}
    if task == "DistributionShift":
        remapped = " [remapped]" if config["action_remapped"] else ""
        return {"phase_info": f"Phase {config['_phases_completed'] + 1}/{config['_n_phases']}: "
                              f"{config['_current_phase_type']}{remapped}"}
    if task == "TreasureHunt" and config["read_clues"]:
        return {"clues": [{"position": read["position"], **clue(10 * read["direction"] + read["distance"])}
                          for read in config["read_clues"]]}
    return {"lights_out": True} if task == "LightsOut" else {}


def annotations(now, task, config):
    groups = {name: {} for name in GROUPS}
    for x, y, _, thing, m in now.cells():
        for group, value in traits(thing, m):
            groups[group][f"{x},{y}"] = value
    groups["fog_cells"] = [f"{x},{y}" for x in range(now.width) for y in range(now.height) if now.is_fog(x, y)]
    groups["task"] = task_annotations(task, config)
    return {name: group for name, group in groups.items() if group}


# ---- The published document ----


def state_of(now, task, config):
    def seen(layer):
        return [[0 if now.is_fog(x, y) else value for x, value in enumerate(row)]
                for y, row in enumerate(now.layers[layer])]
    return {
        "grid": {"height": now.height, "width": now.width, "terrain": seen("t"), "objects": seen("o"), "agents": seen("a"),
                 "metadata": now.layers["m"]},
        "agent": {"position": [now.x, now.y], "orientation": DIRECTIONS[now.facing],
                  "inventory": [{"id": f"{STEMS[kind]}_{x}_{y}", "entity_type": kind, "position": [x, y],
                                 "properties": properties} for kind, properties, (x, y) in now.items],
                  "energy": 1.0, "health": 1.0},
        "entities": [],
        "annotations": annotations(now, task, config),
        "info": {"step_count": now.step, "step": now.step, "max_steps": now.max_steps, "episode_reward": now.total,
                 "valid_actions": now.valid_actions(), "agent_position": [now.x, now.y], "task_name": task + "-v0",
                 "task_config": config},
    }


# ---- The published facts of the paragraph ----


def place(x, y, width, height):
    if (x, y) == (width // 2, height // 2):
        return "center"
    if x < width // 3:
        return "western"
    if x > 2 * width // 3:
        return "eastern"
    if y < height // 3:
        return "northern"
    if y > 2 * height // 3:
        return "southern"
    return ("top" if y < height // 2 else "bottom") + " " + ("left" if x < width // 2 else "right")


def where(now, x, y):
    """Returns (relative direction, steps): the longer axis decides; if both are equal, the direction is a diagonal."""
    dx, dy = x - now.x, y - now.y
    steps = abs(dx) + abs(dy)
    if abs(dx) != abs(dy):
        d = (1 if dx > 0 else 3) if abs(dx) > abs(dy) else (2 if dy > 0 else 0)
        return ["ahead", "right", "behind", "left"][(d - now.facing) % 4], steps
    corner = {(True, False): 0, (True, True): 1, (False, True): 2, (False, False): 3}[dx > 0, dy > 0]
    return ["ahead right", "behind right", "behind left", "ahead left"][(corner - now.facing) % 4], steps


def words_of(thing, m):
    """Returns the name of an object and everything that is told of it, as a set of words."""
    told = {NAMES[thing]}
    for _, value in traits(thing, m):
        told |= {value["direction"], str(value["distance"])} if isinstance(value, dict) else {str(value)}
    return sorted(told)


def seen_of(now):
    near = {(x, y): abs(x - now.x) + abs(y - now.y) for x, y, *_ in now.cells()}
    ahead = now.x + DELTAS[now.facing][0], now.y + DELTAS[now.facing][1]
    for x, y, terrain, thing, m in now.cells():
        if (x, y) == (now.x, now.y):
            continue
        if terrain == HAZARD and near[x, y] <= 2:
            yield (["hazard"], *where(now, x, y))
        if thing not in (NONE, TOOL, BREADCRUMB):
            yield (words_of(thing, m), *where(now, x, y))
    for x, y, terrain, _, _ in now.cells():
        if terrain == WALL and (x, y) == ahead:
            yield (["wall"], *where(now, x, y))
        if terrain == WATER and 0 < near[x, y] <= 2:
            yield (["water"], *where(now, x, y))


def task_facts(task, config):
    if task == "InstructionFollowing":
        return [NAMES[config["target_type"]]]
    if task == "TaskInterference":
        return [f"{number:.{digits}f}" for meter in ("_red_meter", "_blue_meter")
                for number, digits in ((config[meter], 2), (config["threshold"], 1))]
    if task == "TreasureHunt":
        return [(str(read["distance"]), DIRECTIONS[read["direction"]]) for read in config["read_clues"]]
    if task == "RuleInduction":
        return [str(config["_current_trial"] + 1), str(config["_n_trials"]), NAMES[config["_target_type"]]]
    if task == "DistributionShift":
        return [str(config["_phases_completed"] + 1), str(config["_n_phases"]), PHASES[config["_current_phase_type"]]]
    return []


def facts_of(now, task, config):
    goals = [(x, y) for x, y, _, thing, _ in now.cells() if thing == GOAL]
    hazards = [(x, y) for x, y, terrain, _, _ in now.cells()
               if terrain == HAZARD and abs(x - now.x) <= 2 and abs(y - now.y) <= 2]
    nearest = min(goals, key=lambda at: abs(at[0] - now.x) + abs(at[1] - now.y)) if goals else None
    valid = now.valid_actions()
    return {"place": place(now.x, now.y, now.width, now.height), "size": (now.width, now.height),
            "facing": DIRECTIONS[now.facing], "task": task_facts(task, config), "seen": list(seen_of(now)),
            "carried": [kind for kind, *_ in now.items], "goal": where(now, *nearest) if nearest else None,
            "danger": where(now, *hazards[0]) if hazards else None, "actions": valid[:5] + ["..."] * (len(valid) > 5)}


# ---- Parsing a paragraph ----

WHERE = r"(ahead|behind|to the right|to the left|(?:ahead|behind) and to the (?:right|left)) \((\d+) steps?\)"
SENTENCES = {  # of tasks, in their order
    "InstructionFollowing": r"Your target is the (\w+)\. ",
    "TaskInterference": r"Gem meter: (\S+)/(\S+)\. Orb meter: (\S+)/(\S+)\. ",
    "TreasureHunt": r"A scroll said: (\d+) steps? (\w+)\. ",
    "RuleInduction": r"This is trial (\d+) of (\d+)\. The target is the (\w+)\. ",
    "DistributionShift": r"Phase (\d+) of (\d+): ([^.]*)\. ",
}
GLUE = {"a", "an", "that", "is", "with", "number", "energy", "accepts", "reading", "step", "steps", "in", "direction"}


class Paragraph:
    """A text that is parsed from its beginning."""

    def __init__(self, text):
        self.rest = text + " "

    def take(self, pattern):
        """If the pattern comes next, skips it and returns its groups; otherwise returns None."""
        match = re.match(pattern, self.rest)
        if match:
            self.rest = self.rest[match.end():]
        return match and match.groups()

    def need(self, pattern):
        groups = self.take(pattern)
        if groups is None:
            raise AssertionError(f"{self.rest!r} is not what comes next in the published observation")
        return groups


def told_where(sides, steps):
    return " ".join(re.sub(r"\b(and|to|the)\b", "", sides).split()), int(steps)


def told_thing(item):
    phrase, *at = re.fullmatch(rf"(.*?) {WHERE}", item).groups()
    return sorted({word.lower() for word in re.findall(r"\w+", phrase)} - GLUE), *told_where(*at)


def told_seen(text):
    if text.take(r"You see nothing\. ") is not None:
        return []
    items, = text.need(r"You see: (.*?)\)\. ")
    return [told_thing(item + ")") for item in items.split("), ")]


def told_carried(text):
    if text.take(r"You carry nothing\. ") is not None:
        return []
    return [re.fullmatch(r"an? (\w+)", item).group(1) for item in text.need(r"You carry: (.*?)\. ")[0].split(", ")]


def told_task(text, task):
    told = iter(lambda: text.take(SENTENCES[task]) if task in SENTENCES else None, None)
    return list(told) if task == "TreasureHunt" else [fact for facts in told for fact in facts]


def told_by(paragraph, task):
    text = Paragraph(paragraph)
    at, width, height, facing = text.need(
        r"You are (?:near|in|at) the (western|eastern|northern|southern|center|(?:top|bottom) (?:left|right))"
        r"(?: edge| quarter|) of an? (\d+)x(\d+) room\. You are facing (\w+)\. ")
    told = {"place": at, "size": (int(width), int(height)), "facing": facing, "task": told_task(text, task),
            "seen": told_seen(text), "carried": told_carried(text)}
    for key, words in (("goal", "The nearest goal is"), ("danger", "Danger: a hazard")):
        at = text.take(rf"{words} {WHERE}\. ")
        told[key] = told_where(*at) if at else None
    actions, more = text.need(r"Valid actions: (\w+(?:, \w+)*)(, \.\.\.|\.) ")
    told["actions"] = actions.split(", ") + ["..."] * (more != ".")
    if text.rest:
        raise AssertionError(f"{text.rest!r} is no fact of the published observation")
    return told


# ---- The tests ----


def is_looked_at(step, rollout):
    return step % EVERY == 0 or step == len(rollout["actions"])


def requests(recording):
    for rollout in recording["rollouts"]:
        yield {"op": "reset", "name": f"{recording['task']}/{recording['difficulty']}#{recording['seed']}", "modes": []}
        yield {"op": "observe", "modes": ["state", "language"]}
        for step, action in enumerate(rollout["actions"], 1):
            yield {"op": "step", "action": int(action)}
            if is_looked_at(step, rollout):
                yield {"op": "observe", "modes": ["state", "language"]}


def moments(recording):
    for rollout in recording["rollouts"]:
        now, sparse = Moment(recording), dict(rollout["sparse"])
        yield now
        for step, change in enumerate(rollout["steps"], 1):
            now.take(change, sparse.get(step - 1, 0.0))
            if is_looked_at(step, rollout):
                yield now


def answers(lines):
    """Returns raw replies to `observe`."""
    done = subprocess.run([SEEDBED, "serve", "--stdio"], input="".join(json.dumps(line) + "\n" for line in lines),
                          capture_output=True, text=True, timeout=900, check=True)
    replies = done.stdout.splitlines()
    assert len(replies) == len(lines) and not any(reply.startswith('{"ok": false') for reply in replies), done.stdout[-300:]
    return [reply for line, reply in zip(lines, replies) if line["op"] == "observe"]


class Published(unittest.TestCase):
    maxDiff = None

    def compare_all(self, compare):
        """Compares every task up to the first difference, and counts what occurred, so that no case goes untested."""
        self.met = collections.Counter()
        for task in all_tasks():
            for recording in recordings(task):
                if not self.compare_one(task, recording, compare):
                    break

    def compare_one(self, task, recording, compare):
        for now, reply in zip(moments(recording), answers(list(requests(recording))), strict=True):
            with self.subTest(name=f"{task}/{recording['difficulty']}#{recording['seed']}", step=now.step):
                compare(now, task, reply)
                continue
            return False
        self.met[task] += 1
        return True

    def assert_met(self, *what):
        self.assertEqual({name for name in (*all_tasks(), *what) if not self.met[name]}, set())

    def test_state_is_the_published_document(self):
        self.compare_all(self.compare_state)
        self.assert_met("an end", "fog", *STEMS)

    def compare_state(self, now, task, reply):
        self.met.update([kind for kind, *_ in now.items] + ["an end"] * ('"done": true' in reply))
        self.met["fog"] += any(FOG in row for row in now.layers["m"])
        config = json.loads(reply)["observations"]["state"]["info"]["task_config"]
        expected = json.dumps(state_of(now, task, config))
        if f'"state": {expected}, "language"' not in reply:
            self.assertEqual(json.loads(reply)["observations"]["state"], json.loads(expected))
            self.fail("the same document, in other bytes")

    def test_language_tells_the_published_facts_and_no_others(self):
        self.compare_all(self.compare_language)
        self.assert_met("center", "a goal under the agent", "danger", "a clue that was read", "reversed controls", *STEMS)

    def compare_language(self, now, task, reply):
        shown = json.loads(reply)["observations"]
        config = shown["state"]["info"]["task_config"]
        expected = facts_of(now, task, config)
        self.assertEqual(told_by(shown["language"], task), expected, shown["language"])
        self.met.update([expected["place"], *expected["carried"]])
        self.met["a goal under the agent"] += expected["goal"] is not None and expected["goal"][1] == 0
        self.met["danger"] += expected["danger"] is not None
        self.met["a clue that was read"] += task == "TreasureHunt" and bool(expected["task"])
        self.met["reversed controls"] += config.get("action_remapped", False)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]] + sys.argv[3:])
