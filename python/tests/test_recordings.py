"""Every recorded episode of the published benchmarks, stepped through environments of Python.

Texts, documents, rewards (as doubles), ends and infos are compared. Recordings of other
folders: SEEDBED_RECORDINGS=A:B. Every reward mode and document of every step: SEEDBED_NIGHTLY.

Label: outside
"""
import hashlib
import json
import os
import re
import unittest

import numpy

import seedbed
from support import DIFFICULTIES, GOLDEN, NIGHTLY, recordings

FOLDERS = os.environ.get("SEEDBED_RECORDINGS", "").split(":") if os.environ.get("SEEDBED_RECORDINGS") else [GOLDEN, GOLDEN / "babyai"]
DOCUMENTS = ("state", "structured")
DIRECTIONS = ("north", "east", "south", "west")

# Keys and types of an info of Agentick, in their order. `success` and `truncated_reason` come behind them.
INFO = {"step_count": int, "step": int, "max_steps": int, "episode_reward": float, "valid_actions": list, "agent_position": tuple,
        "task_name": str, "task_config": dict}
# Pairs of numbers that are lists in the published task_config; every other list of two whole numbers is a tuple there.
LISTS = {"CooperativeTransport-v0": ["box_positions[]", "hole_positions[]", "npc_start"],
         "EmergentStrategy-v0": ["barrier_rows", "npc_data[].pos", "plate_barrier_map"], "GraphColoring-v0": ["adjacency.*"],
         "PackingPuzzle-v0": ["piece_types"], "RecipeAssembly-v0": ["ingredient_positions.*[]", "recipe"],
         "ResourceManagement-v0": ["drain_amounts"], "SwitchCircuit-v0": ["barriers[].cells[]"],
         "SymbolMatching-v0": ["pair_info[].item_pos", "pair_info[].target_pos", "target_positions[]"], "TileSorting-v0": ["goal_map.*"],
         "TimingChallenge-v0": ["gap_cols"], "ToolUse-v0": ["decoy_positions[]", "orb_spawn_pos", "scroll_positions[]"]}


def agentick():
    for folder in FOLDERS:
        for file, recording in recordings(folder):
            if "task" in recording:
                yield file, recording


def babyai():
    for folder in FOLDERS:
        for file, recording in recordings(folder):
            if "id" in recording and "grid" in recording:
                yield file, recording


def digest(data):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()


def plain(value):
    return json.loads(json.dumps(value))


def tuples(value, path=""):
    """(path, value) of all pairs of whole numbers in a configuration."""
    if isinstance(value, dict):
        for key, item in value.items():
            key = "*" if re.fullmatch(r"[\d,]+", key) else key
            yield from tuples(item, f"{path}.{key}" if path else key)
    elif isinstance(value, (list, tuple)):
        if len(value) == 2 and all(type(number) is int for number in value):
            yield path, value
        for item in value:
            yield from tuples(item, path + "[]")


class Agentick(unittest.TestCase):
    def test_episodes(self):
        seen = set()
        for file, recording in agentick():
            name = f"{recording['task']}/{recording['difficulty']}#{recording['seed']}"
            seen.add((recording["task"], recording["difficulty"]))
            for rollout in recording["rollouts"]:
                for reward in ("sparse", "dense") if NIGHTLY or "steps" in rollout else ("sparse",):  # which compares the dense ones, too
                    with self.subTest(file=file, name=name, policy=rollout["policy"], reward=reward):
                        self.follow(name, recording, rollout, reward)
        self.assertEqual(len(seen), 37 * 4)

    def follow(self, name, recording, rollout, reward):
        shows = reward == "sparse"
        env = seedbed.make(name, reward=reward, obs="ascii" if shows else "none")
        shown, info = env.reset()
        if shows:
            self.begins(env, shown, info, recording)
        total, sparse, deep = 0.0, dict(rollout["sparse"]), rollout.get("steps")
        recorded, stepped = [], []
        for i, action in enumerate(rollout["actions"]):
            shown, gained, terminated, truncated, info = env.step(int(action))
            expected = sparse.get(i, 0.0) if reward == "sparse" else rollout["dense"][i]
            total += expected
            recorded.append((float, expected, rollout["dense"][i], [*INFO, "success", *["truncated_reason"] * truncated], [*INFO.values()], i + 1,
                             i + 1, total, rollout["ascii"][8 * i:8 * i + 8] if shows else None))
            stepped.append((type(gained), gained, env.last_dense, [*info], [type(info[key]) for key in INFO], info["step_count"],
                            info["step"], info["episode_reward"], digest(shown)[:8] if shows else None))
            if deep and shows:
                self.stands(env, info, deep[i])
            if i % 40 == 39 or NIGHTLY:
                self.documents(env, info)
        self.assertEqual(stepped, recorded)
        self.assertEqual(info.get("truncated_reason", "max_steps_reached"), "max_steps_reached")
        self.assertEqual((terminated, truncated, info["success"]), (rollout["terminated"], rollout["truncated"], rollout["success"]))
        self.assertEqual((type(terminated), type(truncated), type(info["success"])), (bool,) * 3)
        self.documents(env, info)

    def begins(self, env, text, info, recording):
        reset = recording["reset"]
        self.assertEqual(digest(text)[:8], reset["ascii"])
        colored = env.observe("ascii_color")
        self.assertEqual(digest(colored)[:8], reset["ascii_ansi"])
        self.assertEqual(re.sub(r"\x1b\[\d+m", "", colored), text)
        self.assertEqual([(key, type(value)) for key, value in info.items()], [*INFO.items()])
        self.assertEqual((info["max_steps"], env.max_steps, info["task_name"]), (reset["max_steps"],) * 2 + (recording["task"],))
        self.assertEqual((info["step_count"], info["step"], info["episode_reward"]), (0, 0, 0.0))
        self.assertEqual(info["agent_position"], tuple(reset["agent"][:2]))
        self.assertEqual((env.api.grid_size, env.api.agent_direction), (tuple(reset["size"]), DIRECTIONS[reset["agent"][2]]))
        if "ascii_text" in reset:
            self.assertEqual(text, reset["ascii_text"])
            self.assertEqual(env.observe("structured"), recording["structured"])
            self.assertEqual(json.dumps(env.observe("structured")), json.dumps(recording["structured"]))  # order and types, too
            layers = env.api.layers()
            self.assertEqual({name: layers[name].tolist() for name in layers}, {name: reset["layers"][name] for name in layers})
        self.documents(env, info)

    def stands(self, env, info, said):
        (x, y, facing), _, inventory, *_ = said
        self.assertEqual((info["agent_position"], env.api.agent_direction), ((x, y), DIRECTIONS[facing]))
        self.assertEqual([[item.entity_type, item.properties] for item in env.api.get_inventory()], inventory)

    def documents(self, env, info):
        """The published state has no `success`. Texts of documents are what json.dumps writes."""
        for mode in DOCUMENTS:
            self.assertEqual(json.dumps(env.observe(mode), ensure_ascii=False), env.observe(f"{mode}.json"))
        self.assertEqual(info["valid_actions"], env.valid_action_names())
        state = env.observe("state")
        told = {key: value for key, value in info.items() if key not in ("success", "truncated_reason")}
        self.assertEqual(json.dumps(state["info"]), json.dumps(told))

    def test_pairs_are_tuples_where_the_published_ones_are(self):
        found = 0
        for task in seedbed.tasks("agentick"):
            for difficulty in task.difficulties:
                for seed in range(20 if NIGHTLY else 3):
                    env = seedbed.make(f"{task.name}/{difficulty}#{seed}", obs="none")
                    config = env.reset()[1]["task_config"]
                    for path, pair in tuples(config):
                        kind = list if path in LISTS.get(task.name, ()) else tuple
                        self.assertIs(type(pair), kind, f"{env.name}: {path}")
                        found += 1
        self.assertGreater(found, 3000)


class BabyAI(unittest.TestCase):
    MODES = {"3": "minigrid3", "5": "minigrid5", "7": "minigrid", "9": "minigrid9"}

    def test_episodes(self):
        levels = set()
        for file, recording in babyai():
            levels.add(recording["id"])
            with self.subTest(file=file, id=recording["id"], seed=recording["seed"]):
                name = f"{recording['id']}#{recording['seed']}"
                env = seedbed.make(name, obs=[*self.MODES.values(), "minigrid_full"])
                shown, info = env.reset()
                self.begins(env, shown, recording)
                self.assertEqual(info, {})
                for rollout in recording["rollouts"]:
                    self.follow(name, rollout)
        self.assertEqual(len(levels), 112)

    def begins(self, env, shown, recording):
        self.assertEqual((env.mission, env.max_steps), (recording["mission"], recording["max_steps"]))
        self.assertEqual((*env.agent_pos, env.agent_dir), tuple(recording["agent"]))
        self.assertEqual(shown["minigrid"]["direction"], recording["agent"][2])
        self.assertEqual(shown["minigrid"]["mission"], recording["mission"])
        self.views(shown, recording["views"])
        if recording["carrying"] is None:  # otherwise the published one shows it on the floor (test_minigrid.py)
            self.assertEqual(shown["minigrid"]["image"].tolist(), recording["image7"])
        self.assertEqual(env.carrying is None, recording["carrying"] is None)
        grid = shown["minigrid_full"]["image"].copy()
        x, y, direction = recording["agent"]
        self.assertEqual(grid[x, y].tolist(), [10, 0, direction])
        grid[x, y] = (1, 0, 0)  # nothing lies where the agent begins
        self.assertEqual(grid.transpose(1, 0, 2).tolist(), [[[*map(int, row[3 * i:3 * i + 3])] for i in range(len(row) // 3)] for row in recording["grid"]])

    def views(self, shown, views):
        for size, digits in views.items():
            image = shown[self.MODES[size]]["image"]
            self.assertEqual("".join(f"{number:x}" for number in image.transpose(1, 0, 2).ravel().tolist()), digits)

    def follow(self, name, rollout):
        env = seedbed.make(name, obs="image")
        env.reset()
        rewards, hashes, views = dict(rollout["reward"]), rollout.get("obs"), rollout.get("views", {})
        terminated = truncated = False
        for i, action in enumerate(rollout["actions"], 1):
            image, gained, terminated, truncated, info = env.step(int(action))
            self.assertEqual((type(gained), gained, env.last_dense), (float, rewards.get(i, 0.0), rewards.get(i, 0.0)))
            if hashes:
                self.assertEqual(digest(numpy.ascontiguousarray(image.transpose(1, 0, 2)).tobytes())[:8], hashes[i - 1])
            if str(i) in views:
                self.views(env.observe([*self.MODES.values()]), views[str(i)])
            self.assertEqual(info, {"success": rollout["success"] and i == len(rollout["actions"])})
        self.assertEqual((terminated, truncated, env.success), (rollout["terminated"], rollout["truncated"], rollout["success"]))


class Recorded(unittest.TestCase):
    def test_every_difficulty_has_some(self):
        counted = {(recording["task"], recording["difficulty"]) for _, recording in agentick()}
        self.assertEqual(counted, {(task.name, difficulty) for task in seedbed.tasks("agentick") for difficulty in DIFFICULTIES})


if __name__ == "__main__":
    unittest.main()
