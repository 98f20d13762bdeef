"""The coding API: rules of docs/bots.md, checked against answers that are worked out here."""
import ast
import inspect
import json
import os
import unittest
from collections import deque

import gymnasium
import numpy

import seedbed
from seedbed import _seedbed

TERRAIN = ("empty", "wall", "hazard", "water", "ice", "hole")
OBJECTS = ("none goal key door switch box target tool resource breadcrumb npc enemy sheep blocker gem lever potion scroll coin orb").split()
MOVES = {(0, -1): 1, (0, 1): 2, (-1, 0): 3, (1, 0): 4}
NESW = ((0, -1), (1, 0), (0, 1), (-1, 0))


class World:
    """What the API should say, in plain Python over its layers."""

    def __init__(self, env):
        layers = env.api.layers()
        self.terrain, self.objects, self.metadata = (layers[name] for name in ("terrain", "objects", "metadata"))
        self.height, self.width = self.terrain.shape
        self.agent = env.api.agent_position

    def inside(self, x, y):
        return 0 <= x < self.width and 0 <= y < self.height

    def blocks(self, x, y):
        name = OBJECTS[self.objects[y, x]]
        return name in ("lever", "switch") or name == "door" and self.metadata[y, x] < 10

    def passable(self, x, y):
        return self.inside(x, y) and TERRAIN[self.terrain[y, x]] not in ("wall", "hole") and not self.blocks(x, y)

    def path(self, start, goal, extra=(), avoid=(), terrain=None):
        def fine(x, y):
            if (x, y) in avoid or not self.inside(x, y):
                return False
            walkable = self.passable(x, y) if terrain is None else self.terrain[y, x] in terrain and not self.blocks(x, y)
            return (x, y) in extra or walkable

        if not fine(*start) or not self.inside(*goal):
            return None
        before, queue = {start: None}, deque([start])
        while queue and goal not in before:
            x, y = queue.popleft()
            for dx, dy in NESW:
                beside = x + dx, y + dy
                if goal not in before and beside not in before and (beside == goal or fine(*beside)):
                    before[beside] = x, y
                    queue.append(beside)
        path = [goal] if goal in before else []
        while path and before[path[-1]] is not None:
            path.append(before[path[-1]])
        return path[::-1] or None

    def moves(self, path):
        return [MOVES[b[0] - a[0], b[1] - a[1]] for a, b in zip(path or [], (path or [])[1:])]

    def entities(self):
        return [(OBJECTS[self.objects[y, x]], (x, y), abs(x - self.agent[0]) + abs(y - self.agent[1]), {}, int(self.metadata[y, x]))
                for y in range(self.height) for x in range(self.width) if self.objects[y, x]]


def states(n, seed=0):
    """Environments in states of random episodes of all tasks with a grid."""
    rng = numpy.random.default_rng(seed)
    tasks = seedbed.tasks("agentick")
    for i in range(n):
        task = tasks[i % len(tasks)]
        env = seedbed.make(task.name, difficulty=task.difficulties[int(rng.integers(4))], obs="none", info="none")
        env.reset(seed=int(rng.integers(2**31)))
        for _ in range(int(rng.integers(30))):
            if not env.done:
                env.step(env.expert_action("random") if rng.random() < 0.5 else env.expert_action(budget=1000))
        yield env, World(env), rng


class Queries(unittest.TestCase):
    def test_state(self):
        for env, world, _ in states(74):
            api, document = env.api, env.observe("state")
            self.assertEqual(api.agent_position, tuple(document["agent"]["position"]))
            self.assertEqual(api.agent_direction, document["agent"]["orientation"])
            self.assertEqual(api.grid_size, (world.width, world.height))
            self.assertEqual((api.current_step, api.max_steps, api.total_reward, api.is_done), (env.step_count, env.max_steps, env.total, env.done))
            self.assertEqual(api.valid_actions, env.valid_actions())
            self.assertEqual(api.action_names, dict(enumerate(env.action_names)))
            self.assertEqual(api.action_name_to_int, {name: i for i, name in enumerate(env.action_names)})
            self.assertEqual([api.action_int(name) for name in env.action_names], [*range(env.n_actions)])
            inventory = [(item["entity_type"], tuple(item["position"]), 0, item["properties"]) for item in document["agent"]["inventory"]]
            self.assertEqual([tuple(item[:4]) for item in api.get_inventory()], inventory)
            for word in ("key", "orb", "item", "ingredient", "none", "Key", "x"):
                self.assertEqual(api.has_in_inventory(word), word in [item[0] for item in inventory])

    def test_private_configuration(self):
        for env, _, _ in states(37):
            private = env.api.task_config
            public = json.loads(json.dumps(env.observe("state")["info"]["task_config"]))
            self.assertEqual({key: value for key, value in json.loads(json.dumps(private)).items() if key in public}, public)

    def test_entities(self):
        for env, world, _ in states(74):
            expected = world.entities()
            self.assertEqual([tuple(entity) for entity in env.api.get_entities()], expected)
            for name in (*OBJECTS, "nothing"):
                those = [entity for entity in expected if entity[0] == name and name != "none"]
                self.assertEqual([tuple(entity) for entity in env.api.get_entities_of_type(name.upper())], those)
                self.assertEqual(env.api.get_all_positions(name), [entity[1] for entity in those])
                self.assertEqual(env.api.count(name), len(those))
                nearest = env.api.get_nearest(name)
                self.assertEqual(nearest and tuple(nearest), min(those, key=lambda entity: entity[2], default=None))
                self.assertEqual(env.api.go_to_nearest(name), env.api.path_to(*nearest.position) if nearest else [])
                self.assertEqual(env.api.pickup_nearest(name), env.api.go_to_nearest(name))

    def test_cells(self):
        for env, world, rng in states(74):
            api, (ax, ay) = env.api, world.agent
            there = {entity[1]: entity for entity in world.entities()}
            for _ in range(40):
                x, y = (int(n) for n in rng.integers(-2, world.width + 2, 2))
                inside = world.inside(x, y)
                self.assertEqual(api.get_cell(x, y), TERRAIN[world.terrain[y, x]] if inside else "out_of_bounds")
                self.assertEqual(api.get_terrain_type(x, y), api.get_cell(x, y))
                self.assertEqual(api.get_object(x, y), OBJECTS[world.objects[y, x]] if inside else "out_of_bounds")
                entity = api.get_entity_at(x, y)
                self.assertEqual(entity and tuple(entity), there.get((x, y)))
                self.assertIs(api.is_walkable(x, y), bool(world.passable(x, y)))
                self.assertEqual(api.neighbors(x, y), [(x + dx, y + dy) for dx, dy in NESW if world.passable(x + dx, y + dy)])
                dx, dy = x - ax, y - ay
                self.assertEqual(api.distance_to(x, y), abs(dx) + abs(dy))
                self.assertIs(api.is_adjacent(x, y), abs(dx) + abs(dy) == 1)
                lengthways = ("south" if dy > 0 else "north") if abs(dy) >= abs(dx) else ("east" if dx > 0 else "west")
                self.assertEqual(api.direction_to(x, y), lengthways if dx or dy else None)
            cells = [(x, y) for y in range(world.height) for x in range(world.width)]
            self.assertEqual(api.get_walkable_cells(), [cell for cell in cells if world.passable(*cell)])
            self.assertEqual(api.get_walls(), [(x, y) for x, y in cells if world.terrain[y, x] == 1])

    def test_layers_have_no_fog(self):
        env = seedbed.make("FogOfWarExploration/medium", obs="arrays")
        shown, _ = env.reset(seed=1)
        layers = env.api.layers()
        self.assertTrue((shown["metadata"] == -1).any())
        self.assertFalse(((layers["metadata"] == -1) & (shown["metadata"] != -1)).any())
        self.assertEqual([(name, layer.dtype.name) for name, layer in layers.items()], [(name, "int16") for name in ("terrain", "objects", "metadata")])
        layers["terrain"][:] = 1
        self.assertTrue((env.api.layers()["terrain"] != 1).any())


class Plans(unittest.TestCase):
    def test_paths(self):
        for env, world, rng in states(111):
            def cell():
                return tuple(int(n) for n in rng.integers(-1, world.width + 1, 2))

            for _ in range(15):
                start, goal = cell(), cell()
                extra, avoid = [{cell() for _ in range(int(rng.integers(8)))} for _ in range(2)]
                terrain = {int(n) for n in rng.integers(0, 6, 4)}
                self.assertEqual(env.api.bfs_path_positions(start, goal), world.path(start, goal))
                self.assertEqual(env.api.bfs_path_positions(start, goal, extra_passable=extra, avoid=[*avoid]), world.path(start, goal, extra, avoid))
                expected = world.path(start, goal, extra, avoid, terrain)
                self.assertEqual(env.api.bfs_path_positions(start, goal, extra, avoid, terrain), expected)
                self.assertEqual(env.api.bfs_path_positions(start, goal, extra, avoid, {TERRAIN[code] for code in terrain}), expected)
                self.assertEqual(env.api.positions_to_actions(expected), world.moves(expected))

    def test_from_the_agent(self):
        for env, world, rng in states(111):
            for _ in range(15):
                x, y = (int(n) for n in rng.integers(-1, world.width + 1, 2))
                path = world.path(world.agent, (x, y)) if (x, y) != world.agent else None
                moves = world.moves(path)
                self.assertEqual(env.api.path_to(x, y), moves)
                self.assertEqual(env.api.move_to(x, y), moves)
                self.assertEqual(env.api.interact_with(x, y), [*moves, 5])
                self.assertIs(env.api.is_reachable(x, y), bool(path) or (x, y) == world.agent)
                toward = {"north": 1, "south": 2, "west": 3, "east": 4, None: None}[env.api.direction_to(x, y)]
                self.assertEqual(env.api.move_toward(x, y), moves[:1] or ([toward] if toward else []))
                flight = env.api.flee_from(x, y)
                for action in flight:
                    dx, dy = next(delta for delta, move in MOVES.items() if move == action)
                    self.assertTrue(world.passable(world.agent[0] + dx, world.agent[1] + dy))

    def test_single_moves(self):
        api = seedbed.make("GoToGoal/easy").api
        for dx in range(-2, 3):
            for dy in range(-2, 3):
                self.assertEqual(api.step_action(dx, dy), MOVES.get((dx, dy)))
        self.assertEqual(api.positions_to_actions([(0, 0), (0, 1), (3, 3), (2, 3)]), [2, 3])
        self.assertIsNone(api.update({}, info={}))


class Nothing(unittest.TestCase):
    def test_worlds_without_a_grid(self):
        babyai = seedbed.make("GoTo")
        babyai.reset(seed=0)
        for env in (seedbed.make("GoToGoal/easy"), babyai):
            api = env.api
            self.assertEqual((api.agent_position, api.agent_direction, api.grid_size, api.task_config), ((-1, -1), "nowhere", (0, 0), {}))
            for answer in (api.get_entities(), api.get_inventory(), api.get_walls(), api.get_walkable_cells(), api.path_to(1, 1), api.move_toward(1, 1),
                           api.interact_with(0, 0), api.flee_from(0, 0), api.get_entities_of_type("key"), api.go_to_nearest("key"), api.neighbors(0, 0)):
                self.assertEqual(answer, [])
            for answer in (api.get_entity_at(0, 0), api.get_nearest("goal"), api.direction_to(1, 0), api.bfs_path_positions((0, 0), (1, 1))):
                self.assertIsNone(answer)
            self.assertEqual((api.distance_to(3, 3), api.count("key"), api.get_cell(0, 0), api.get_object(0, 0)), (-1, 0, "out_of_bounds", "out_of_bounds"))
            self.assertEqual({layer.shape for layer in api.layers().values()}, {(0, 0)})
            self.assertFalse(api.is_walkable(0, 0) or api.is_reachable(0, 0) or api.has_in_inventory("key"))

    def test_an_answer_is_about_now(self):
        env = seedbed.make("GoToGoal/easy#3")
        api = env.api
        self.assertEqual(api.grid_size, (0, 0))
        env.reset()
        before = api.agent_position
        env.step(api.go_to_nearest("goal")[0])
        self.assertNotEqual(api.agent_position, before)
        env.close()
        self.assertRaises(seedbed.FinishedError, api.get_entities)
        self.assertRaises(seedbed.FinishedError, lambda: api.agent_position)

    def test_of_whom(self):
        wrapped = gymnasium.make("seedbed/GoToGoal-easy-v0")
        wrapped.reset(seed=0)
        self.assertEqual(seedbed.API(wrapped).get_entities(), wrapped.unwrapped.api.get_entities())
        self.assertRaises(seedbed.InvalidError, seedbed.API, 3)

    def test_wrong_arguments(self):
        env = seedbed.make("GoToGoal/easy#3")
        env.reset()
        api = env.api
        for call in (lambda: api.path_to(1.5, 2), lambda: api.path_to(2**15, 0), lambda: api.path_to(2**80, 0), lambda: api.path_to("a", "b"),
                     lambda: api.get_nearest(3), lambda: api.bfs_path_positions((1,), (2, 2)), lambda: api.bfs_path_positions("ab", (2, 2)),
                     lambda: api.bfs_path_positions((1, 1), (2, 2), avoid=[3]), lambda: api.bfs_path_positions((1, 1), (2, 2), terrain_ok=["mud"]),
                     lambda: api.positions_to_actions([(1, 1), None]), lambda: api.action_int("fly"), lambda: api.get_nearest(b"key")):
            self.assertRaises(seedbed.InvalidError, call)
        self.assertRaises(KeyError, api.action_int, "fly")
        self.assertRaises(TypeError, api.path_to, 1)


class Stubs(unittest.TestCase):
    def test_stubs_say_what_there_is(self):
        """Classes of _seedbed.pyi: the same members, and of methods the same parameters."""
        stub = os.path.join(os.path.dirname(_seedbed.__file__), "_seedbed.pyi")
        with open(stub) as file:
            classes = [node for node in ast.parse(file.read()).body if isinstance(node, ast.ClassDef) and node.name in ("EnvCore", "Player", "API")]
        self.assertEqual(len(classes), 3)
        for node in classes:
            kind = getattr(_seedbed, node.name)
            functions = {each.name: each for each in node.body if isinstance(each, ast.FunctionDef) and each.name != "__init__"}
            self.assertEqual({*functions}, {name for name in vars(kind) if not name.startswith("__")} - {"_np_random_seed"})
            for name, function in functions.items():
                member = getattr(kind, name)
                self.assertEqual(callable(member), not function.decorator_list, name)
                if callable(member) and not name.startswith("_"):
                    said = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
                    self.assertEqual([*inspect.signature(member).parameters], said, name)


class Bots(unittest.TestCase):
    def test_the_bot_of_the_documentation(self):
        """The bot of docs/bots.md, in Python."""
        for seed in range(20):
            env = seedbed.make(f"KeyDoorPuzzle/medium#{seed}")
            env.reset()
            while not env.done:
                for action in plan(env.api) or [0]:
                    if not env.done:
                        env.step(action)
            self.assertTrue(env.success, env.name)


def plan(api):
    to_goal = api.go_to_nearest("goal")
    if to_goal:
        return to_goal
    reachable = [entity for entity in api.get_entities() if api.is_reachable(*entity.position)]
    door = min((entity for entity in reachable if entity.entity_type == "door" and entity.metadata < 10), key=lambda entity: entity.metadata)
    if [item.properties["color"] for item in api.get_inventory()] == [door.metadata]:
        return api.interact_with(*door.position)
    key = next(entity for entity in reachable if entity.entity_type == "key" and entity.metadata == door.metadata)
    return api.path_to(*key.position) or api.path_to(*api.neighbors(*key.position)[0])


if __name__ == "__main__":
    unittest.main()
