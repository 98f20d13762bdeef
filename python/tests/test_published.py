"""What the published package's own tests say, in tests of our own over an imitation of its module (agentick_shim.py).

All difficulties of all tasks with SEEDBED_NIGHTLY.

Label: outside
"""
import functools
import json
import math
import operator
import pickle
import re
import tempfile
import unittest
import warnings
from pathlib import Path

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env

import agentick_shim as agentick
from support import DIFFICULTIES, NIGHTLY

TASKS = agentick.list_tasks()
SAMPLE = ("BacktrackPuzzle-v0", "FogOfWarExploration-v0", "GoToGoal-v0", "KeyDoorPuzzle-v0", "SwitchCircuit-v0")
COLORS = {0: "gold", 1: "red", 2: "blue", 3: "green"}
# An object's code, its word, and its letter in ASCII where nothing but the object decides it.
WORDS = "none goal key door switch box target tool resource breadcrumb npc enemy sheep blocker gem lever potion scroll coin orb".split()
LETTERS = {"goal": "G", "enemy": "E", "sheep": "o", "blocker": "X", "gem": "d", "coin": "c", "orb": "O", "potion": "P", "tool": "t", "breadcrumb": "*"}


def random_episode(env, seed, steps=30):
    """What a random agent is shown, from the seed on."""
    rng = numpy.random.default_rng(seed)
    shown = [env.reset(seed=seed)]
    while len(shown) <= steps and not env.unwrapped.done:
        shown.append(env.step(int(rng.integers(6))))
    return shown


def cells(text):
    """The grid of an ASCII observation, without colours and whatever stands above or below it."""
    rows = re.sub(r"\x1b\[\d+m", "", text).split("\n\n--- Legend ---")[0].split("\n")
    return rows


class Compliance(unittest.TestCase):
    def test_every_task(self):
        for task in TASKS:
            with self.subTest(task), warnings.catch_warnings():
                warnings.simplefilter("error")
                check_env(agentick.make(task, difficulty="easy", seed=42), skip_render_check=True)

    def test_every_render_mode(self):
        for mode in agentick.MODES:
            for task in SAMPLE:
                with self.subTest(task, mode=mode), warnings.catch_warnings():
                    warnings.simplefilter("error")
                    check_env(agentick.make(task, render_mode=mode), skip_render_check=True)

    def test_spaces_and_specs(self):
        for task in TASKS:
            env = agentick.make(task)
            self.assertEqual(env.action_space, gymnasium.spaces.Discrete(6))
            self.assertEqual(env.spec.id, f"seedbed/{task[:-3]}-medium-v0")
        self.assertEqual([(action.name.lower(), int(action)) for action in agentick.ActionType],
                         [("noop", 0), ("move_up", 1), ("move_down", 2), ("move_left", 3), ("move_right", 4), ("interact", 5)])


class Determinism(unittest.TestCase):
    def test_same_seed_same_episode(self):
        for task in TASKS:
            for difficulty in DIFFICULTIES if NIGHTLY or task in SAMPLE else ("medium",):
                one, other = (agentick.make(task, difficulty=difficulty) for _ in range(2))
                self.assertEqual(random_episode(one, 42), random_episode(other, 42), (task, difficulty))
                self.assertEqual(random_episode(one, 42), random_episode(other, 42), "a used environment is as a fresh one")

    def test_other_seed_other_episode(self):
        for task in TASKS:
            texts = {agentick.make(task).reset(seed=seed)[0] for seed in range(10)}
            self.assertGreater(len(texts), 1, task)

    def test_resets_without_a_seed_draw_them(self):
        env = agentick.make("MazeNavigation-v0")
        env.reset(seed=5)
        texts = [env.reset()[0] for _ in range(4)]
        seeds = numpy.random.default_rng(5).integers(0, 2**31, 4)
        self.assertEqual(texts, [agentick.make("MazeNavigation-v0").reset(seed=int(seed))[0] for seed in seeds])

    def test_pickles(self):
        for task in SAMPLE:
            env = agentick.make(task)
            random_episode(env, 3, 5)
            again = pickle.loads(pickle.dumps(env))
            self.assertIs(type(again), type(env))
            self.assertEqual((again.get_state_dict(), again.step(2)), (env.get_state_dict(), env.step(2)))


class Generation(unittest.TestCase):
    def test_an_action_from_the_mask(self):
        for task in TASKS:
            env = agentick.make(task, difficulty="easy")
            _, info = env.reset(seed=1)
            mask = env.get_valid_actions()
            self.assertEqual((mask.dtype, mask.shape, bool(mask[0])), (numpy.dtype(bool), (6,), True))
            self.assertEqual([name for name, valid in zip(env.action_names, mask) if valid], info["valid_actions"])
            env.step(numpy.flatnonzero(mask)[0])
            env.step(mask[0])  # an entry of the mask for an action

    def test_difficulties_differ(self):
        for task in TASKS:
            limits = [agentick.make(task, difficulty=difficulty).reset(seed=0)[1]["max_steps"] for difficulty in DIFFICULTIES]
            self.assertEqual(limits, sorted(limits))
            self.assertLess(limits[0], limits[-1])

    def test_oracles_solve(self):
        for task in TASKS:
            for difficulty in DIFFICULTIES if NIGHTLY else ("easy", "medium"):
                env = agentick.make(task, difficulty=difficulty)
                oracle = agentick.get_oracle(task, env)
                solved = 0
                for seed in range(42, 45):
                    observation, info = env.reset(seed=seed)
                    oracle.reset(observation, info)
                    while not env.done:
                        observation, _, _, _, info = env.step(oracle.act(observation, info))
                        oracle.update(observation, info)
                    solved += info["success"]
                self.assertGreater(solved, 0, (task, difficulty))
        self.assertEqual(agentick.list_oracles(), TASKS)
        self.assertRaises(ValueError, agentick.get_oracle, "Nope-v0", None)


class Rewards(unittest.TestCase):
    def test_both_modes(self):
        for task in TASKS:
            for mode in ("sparse", "dense"):
                env = agentick.make(task, difficulty="easy", reward_mode=mode)
                steps = random_episode(env, 7, 40)[1:]
                rewards = [step[1] for step in steps]
                self.assertTrue(all(type(reward) is float and math.isfinite(reward) for reward in rewards), task)
                self.assertEqual(env.episode_reward, steps[-1][4]["episode_reward"])
                self.assertEqual(functools.reduce(operator.add, rewards, 0.0), env.episode_reward)
                self.assertLess(max(map(abs, rewards)), 20)
        self.assertRaises(ValueError, agentick.make, "GoToGoal-v0", reward_mode="rich")

    def test_success_pays(self):
        for task in TASKS:
            for mode in ("sparse", "dense"):
                env = agentick.make(task, difficulty="easy", reward_mode=mode)
                oracle = agentick.get_oracle(task, env)
                env.reset(seed=42), oracle.reset()
                while not env.done:
                    _, _, terminated, _, info = env.step(oracle.act())
                if info["success"] and terminated:
                    self.assertGreater(env.episode_reward, 0, (task, mode))


class RenderModes(unittest.TestCase):
    STATE = {"grid": ["height", "width", "terrain", "objects", "agents", "metadata"],
             "agent": ["position", "orientation", "inventory", "energy", "health"], "entities": None, "annotations": None, "info": None}
    STRUCTURED = ["description", "position", "orientation", "visible_entities", "inventory", "energy", "health", "goals", "threats",
                  "task_annotations", "valid_actions", "step_count", "max_steps"]

    def test_every_mode_of_every_task(self):
        for task in TASKS:
            for mode in agentick.MODES:
                env = agentick.make(task, difficulty="easy", render_mode=mode)
                for begin in (True, False):
                    observation = (env.reset(seed=42) if begin else env.step(0))[0]
                    self.assertIn(observation, env.observation_space)
                    self.check(mode, observation)
                    self.assertEqual(env.render(), observation)
                    self.assertEqual(env.render_in_mode(mode), observation)
            self.assertEqual((env.get_text_observation(), env.get_state_dict()), (env.render_in_mode("language"), env.render_in_mode("state_dict")))

    def check(self, mode, observation):
        if mode in ("ascii", "language"):
            self.assertIs(type(observation), str)
            self.assertEqual("\x1b[" in observation, mode == "ascii")
        elif mode == "language_structured":
            self.assertEqual([*observation], self.STRUCTURED)
        else:
            self.assertEqual([*observation], [*self.STATE])
            for key, members in self.STATE.items():
                self.assertTrue(members is None or [*observation[key]] == members)
            self.assertNotIn("success", observation["info"])

    def test_fast_mode_is_arrays(self):
        env = agentick.make("KeyDoorPuzzle-v0", render_mode="state_dict", fast_mode=True)
        observation, _ = env.reset(seed=1)
        slow = env.get_state_dict()
        self.assertEqual({key: observation[key].tolist() for key in ("terrain", "objects", "metadata")},
                         {key: slow["grid"][key] for key in ("terrain", "objects", "metadata")})
        self.assertEqual(observation["agent"].tolist()[:2], slow["agent"]["position"])

    def test_what_is_not_there_is_a_value_error(self):
        for arguments in (("Nope-v0",), ("GoToGoal-v0", "mild"), ("GoToGoal-v0", "easy", "smell")):
            self.assertRaises(ValueError, agentick.make, *arguments)
        env = agentick.make("GoToGoal-v0")
        env.reset(seed=0)
        self.assertRaises(ValueError, env.render_in_mode, "smell")


class Parity(unittest.TestCase):
    """Every mode tells the same world: the cells of `state_dict` are what the others show."""

    def states(self, task, difficulties=("easy", "hard"), seeds=3, steps=12):
        for difficulty in difficulties:
            env = agentick.make(task, difficulty=difficulty)
            for seed in range(seeds):
                env.reset(seed=seed)
                for _ in range(steps):
                    yield env, env.get_state_dict(), env.render_in_mode("language_structured"), env.render_in_mode("ascii")
                    if env.done:
                        break
                    env.step(env.expert_action())

    @staticmethod
    def objects(state, word):
        """(x, y, metadata) of all cells that show such an object."""
        grid = state["grid"]
        return [(x, y, grid["metadata"][y][x]) for y, row in enumerate(grid["objects"]) for x, code in enumerate(row) if WORDS[code] == word]

    def test_colors_and_states_of_doors(self):
        seen = set()
        for task in ("KeyDoorPuzzle-v0", "BacktrackPuzzle-v0", "SwitchCircuit-v0"):
            for env, state, structured, _ in self.states(task, steps=40):
                told = {tuple(entity["position"]): entity for entity in structured["visible_entities"] if entity["type"] == "door"}
                for x, y, m in self.objects(state, "door"):
                    color, is_open = COLORS.get(m % 10 if m >= 10 else m, "gold"), m >= 10
                    self.assertEqual((told[x, y]["color"], told[x, y]["state"]), (color, "open" if is_open else "closed"))
                    self.assertEqual(state["annotations"]["door_colors"][f"{x},{y}"], color)
                    self.assertEqual(state["annotations"]["door_states"][f"{x},{y}"], "open" if is_open else "closed")
                    self.assertIs(env.api.is_walkable(x, y), is_open)
                    seen.add((color, is_open))
        self.assertGreater(len(seen), 2)

    def test_colors_of_keys(self):
        seen = set()
        for _, state, structured, text in self.states("KeyDoorPuzzle-v0", DIFFICULTIES):
            told = {tuple(entity["position"]): entity["color"] for entity in structured["visible_entities"] if entity["type"] == "key"}
            self.assertEqual(told, {(x, y): COLORS.get(m, "gold") for x, y, m in self.objects(state, "key")})
            seen |= {*told.values()}
        self.assertGreater(len(seen), 1)

    def test_states_of_switches_and_levers(self):
        seen = set()
        for task in ("SwitchCircuit-v0", "BacktrackPuzzle-v0", "LightsOut-v0", "EmergentStrategy-v0"):
            for _, state, structured, _ in self.states(task, steps=40):
                told = {tuple(entity["position"]): entity["state"] for entity in structured["visible_entities"] if entity["type"] in ("switch", "lever")}
                expected = {(x, y): "on" if m >= 100 else "off" for x, y, m in self.objects(state, "switch")}
                expected |= {(x, y): "on" if m > 0 else "off" for x, y, m in self.objects(state, "lever")}
                self.assertEqual(told, expected)
                seen |= {*told.values()}
        self.assertEqual(seen, {"on", "off"})

    def test_entities_are_everywhere_the_same(self):
        for task in TASKS:
            for env, state, structured, text in self.states(task, ("easy",), 2, 6):
                height, width = state["grid"]["height"], state["grid"]["width"]
                rows = cells(text)[-height:]
                shown = {(x, y, WORDS[code]) for y, row in enumerate(state["grid"]["objects"]) for x, code in enumerate(row) if code}
                self.assertEqual({(*entity["position"], entity["type"]) for entity in structured["visible_entities"]}, shown, task)
                agent = tuple(state["agent"]["position"])
                self.assertIn(rows[agent[1]][2 * agent[0]], "^v<>")
                for x, y, word in shown:
                    if word in LETTERS and (x, y) != agent:
                        self.assertEqual(rows[y][2 * x], LETTERS[word], (task, word))
                self.assertTrue(all(len(row) == 2 * width for row in rows))
                self.assertEqual(env.api.grid_size, (width, height))

    def test_fog(self):
        hidden = 0
        for env, state, structured, text in self.states("FogOfWarExploration-v0", DIFFICULTIES):
            rows, grid, layers = cells(text)[-state["grid"]["height"]:], state["grid"], env.api.layers()
            fog = {(x, y) for y, row in enumerate(grid["metadata"]) for x, m in enumerate(row) if m == -1}
            self.assertEqual({tuple(map(int, cell.split(","))) for cell in state["annotations"].get("fog_cells", [])}, fog)
            for x, y in fog:
                self.assertEqual((grid["terrain"][y][x], grid["objects"][y][x]), (0, 0))
                if (x, y) != tuple(state["agent"]["position"]):
                    self.assertEqual(rows[y][2 * x:2 * x + 2], "  ")
                hidden += bool(layers["terrain"][y, x] or layers["objects"][y, x])
            self.assertFalse(fog & {tuple(entity["position"]) for entity in structured["visible_entities"]})
        self.assertGreater(hidden, 100)

    def test_hidden_configuration_is_not_told(self):
        for task, keys in (("FogOfWarExploration-v0", {"goal_positions"}), ("TreasureHunt-v0", {"goal_positions"}),
                           ("SequenceMemory-v0", {"sequence", "goal_positions", "distractors"}),
                           ("FewShotAdaptation-v0", {"goal_positions", "rule_name", "true_goal", "trials", "target_type"})):
            env = agentick.make(task)
            _, info = env.reset(seed=3)
            self.assertFalse(keys & {*info["task_config"]}, task)
            self.assertFalse(keys & {*env.get_state_dict()["info"]["task_config"]}, task)
            self.assertTrue(keys & {*env.task_config}, f"{task}: the private one has it")
        for task in TASKS:
            public = agentick.make(task).reset(seed=0)[1]["task_config"]
            self.assertFalse([key for key in public if key.startswith("_rng")])

    def test_typed_targets(self):
        seen = set()
        for task in TASKS:
            for _, state, structured, text in self.states(task, ("easy",), 2, 2):
                typed = {(x, y): WORDS[m] for x, y, m in self.objects(state, "target") if m == 5 or 14 <= m <= 19}
                told = {tuple(entity["position"]): entity["accepts"] for entity in structured["visible_entities"] if "accepts" in entity}
                self.assertEqual(told, typed)
                self.assertEqual("Typed targets" in text, bool(typed))
                seen |= {*typed.values()}
        self.assertGreater(len(seen), 1)

    def test_the_world_after_the_step(self):
        for task in TASKS:
            for mode in agentick.MODES:
                env = agentick.make(task, difficulty="easy", render_mode=mode)
                env.reset(seed=5)
                for action in (1, 4, 2, 3, 5):
                    if not env.done:
                        observation, _, _, _, info = env.step(action)
                        self.assertEqual(observation, env.render_in_mode(mode))
                self.assertEqual(info["agent_position"], env.api.agent_position)

    def test_headers(self):
        for task, start in (("InstructionFollowing-v0", "Target: ["), ("TaskInterference-v0", "GEM:["), ("RuleInduction-v0", "Trial: "),
                            ("DistributionShift-v0", "Phase: "), ("LightsOut-v0", "LightsOut: ")):
            self.assertTrue(agentick.make(task).reset(seed=1)[0].startswith(start), task)


class Behaviour(unittest.TestCase):
    KEYS = ["step_count", "step", "max_steps", "episode_reward", "valid_actions", "agent_position", "task_name", "task_config"]

    def test_runtime_contract(self):
        for task in TASKS:
            env = agentick.make(task, difficulty="easy")
            _, info = env.reset(seed=42)
            self.assertEqual([*info], self.KEYS)
            self.assertEqual((info["task_name"], info["step_count"], info["max_steps"], env.done), (task, 0, env.max_steps, False))
            _, _, _, _, info = env.step(0)
            self.assertEqual([*info], [*self.KEYS, "success"])
            self.assertEqual((info["step_count"], env.step_count, type(info["success"])), (1, 1, bool))
            json.dumps(info)

    def test_truncation_is_not_success(self):
        truncated = 0
        for task in TASKS:
            env = agentick.make(task, difficulty="easy")
            env.reset(seed=42)
            while not env.done:
                _, _, terminated, cut, info = env.step(0)
            if cut and not terminated:
                survived = task == "ResourceManagement-v0"  # whose aim is to last
                self.assertEqual((info["success"], info["truncated_reason"], info["step_count"]), (survived, "max_steps_reached", env.max_steps))
                truncated += 1
            self.assertRaises(RuntimeError, env.step, 0)
        self.assertGreater(truncated, 20)

    def test_lights_out_can_succeed(self):
        env = agentick.make("LightsOut-v0", difficulty="easy")
        env.reset(seed=0)
        while not env.done:
            _, reward, terminated, _, info = env.step(env.expert_action())
        self.assertTrue(terminated and info["success"] and reward > 0)

    def test_all_difficulties_begin(self):
        for task in TASKS:
            for difficulty in DIFFICULTIES:
                observation, info = agentick.make(task, difficulty=difficulty).reset(seed=123)
                self.assertTrue(observation and info["valid_actions"])

    def test_a_wrong_action_is_a_key_error(self):
        env = agentick.make("GoToGoal-v0")
        env.reset(seed=0)
        for action in (6, -1, 99):
            self.assertRaises(KeyError, env.step, action)


class Suites(unittest.TestCase):
    def test_names(self):
        names = agentick.list_suites()
        self.assertEqual(len(names), 7)
        self.assertEqual(agentick.get_suite("full").tasks, TASKS)
        self.assertRaises(ValueError, agentick.get_suite, "nope")

    def test_categories_partition_the_tasks(self):
        parts = [agentick.get_suite(name).tasks for name in agentick.list_suites() if name != "full"]
        self.assertEqual(sorted(task for part in parts for task in part), TASKS)
        self.assertEqual(sorted(map(len, parts)), [3, 4, 5, 8, 8, 9])

    def test_environments_of_a_suite(self):
        envs = agentick.make_suite("memory", difficulty="easy")
        self.assertEqual([env.task for env in envs], agentick.get_suite("memory").tasks)

    def test_seeds(self):
        for task in TASKS:
            for difficulty in DIFFICULTIES:
                official, training = agentick.get_eval_seeds(task, difficulty), agentick.get_train_seeds(task, difficulty)
                self.assertEqual((len(official), len(set(official)), len(training)), (25, 25, 2000))
                self.assertEqual(agentick.generate_task_seeds(task, difficulty, "train", 5), training[:5])
                self.assertTrue(all(type(seed) is int and 0 <= seed < 2**31 for seed in official))
        self.assertEqual(agentick.get_eval_seeds("GoToGoal-v0", "easy")[:5], [365147648, 1049392999, 820004029, 653920445, 1014405345])

    def test_exported_seeds_verify(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "seeds.json"
            agentick.export_seeds_to_json(path)
            self.assertEqual(path.stat().st_size, 95239)  # the published file
            self.assertTrue(agentick.verify_seeds(path))
            path.write_text(path.read_text().replace("365147648", "365147649"))
            self.assertFalse(agentick.verify_seeds(path))

    def test_scores(self):
        self.assertEqual(agentick.normalize_score(1e9, "GoToGoal-v0", "easy"), 1.0)
        self.assertEqual(agentick.normalize_score(-1e9, "GoToGoal-v0", "easy"), 0.0)
        score = agentick.compute_aggregate_score("random", tasks="GoToGoal", difficulty="easy", split="eval")
        self.assertIn("navigation", score.categories or {"navigation": 0})


class Wrappers(unittest.TestCase):
    def follow(self, wrapper, kind, **options):
        for task in SAMPLE:
            env = wrapper(agentick.make(task, difficulty="easy", **options))
            observation, info = env.reset(seed=42)
            self.assertIsInstance(observation, kind)
            self.assertIn(observation, env.observation_space)
            for action in (0, 1, 4):
                observation, reward, terminated, truncated, info = env.step(action)
                self.assertIn(observation, env.observation_space)
                self.assertEqual((type(reward), type(terminated), type(truncated), type(info)), (float, bool, bool, dict))
            yield env

    def test_texts(self):
        self.assertEqual(len([*self.follow(agentick.TextObservationWrapper, str)]), len(SAMPLE))

    def test_dicts(self):
        self.assertEqual(len([*self.follow(agentick.DictObservationWrapper, dict)]), len(SAMPLE))

    def test_flat(self):
        for env in self.follow(agentick.FlattenObservationWrapper, numpy.ndarray):
            self.assertEqual((env.observation_space.dtype, len(env.observation_space.shape)), (numpy.float32, 1))

    def test_actions_in_words(self):
        for task in SAMPLE:
            env, twin = agentick.LanguageActionWrapper(agentick.make(task)), agentick.make(task)
            env.reset(seed=1), twin.reset(seed=1)
            for action, words in enumerate(("noop", "move up", "Move Down", "MOVE_LEFT", " move right ", "interact")):
                self.assertEqual(env.step(words), twin.step(action))
            self.assertRaises(ValueError, env.step, "fly")

    def test_rewards(self):
        for task in TASKS:
            for mode, wrapper in (("sparse", agentick.DenseRewardWrapper), ("dense", agentick.SparseRewardWrapper)):
                wrapped = wrapper(agentick.make(task, difficulty="easy", reward_mode=mode))
                twin = agentick.make(task, difficulty="easy", reward_mode="dense" if mode == "sparse" else "sparse")
                wrapped.reset(seed=2), twin.reset(seed=2)
                while not twin.done:
                    action = twin.expert_action()
                    self.assertAlmostEqual(wrapped.step(action)[1], twin.step(action)[1], 12)

    def test_scale(self):
        scaled, plain = agentick.RewardScaleWrapper(agentick.make("GoToGoal-v0", reward_mode="dense"), 10.0), agentick.make("GoToGoal-v0", reward_mode="dense")
        scaled.reset(seed=1), plain.reset(seed=1)
        self.assertEqual(scaled.step(1)[1], 10 * plain.step(1)[1])


class CodingApi(unittest.TestCase):
    def test_it_reads_the_environment(self):
        for task in SAMPLE:
            env = agentick.make(task)
            observation, info = env.reset(seed=1)
            api = agentick.AgentickAPI(env)
            api.update(observation, info)
            self.assertEqual((api.agent_position, api.max_steps, api.current_step), (info["agent_position"], info["max_steps"], 0))
            self.assertEqual([env.action_names[action] for action in api.valid_actions], info["valid_actions"])
            self.assertEqual(api.task_config, env.task_config)


if __name__ == "__main__":
    unittest.main()
