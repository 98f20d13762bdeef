"""The road from the published package: every call of its users, the way it goes here.

The classes are the tables of the migration; `not` in a name says that something is not offered, and the test shows the way round.
What the published tests say is in test_published.py, the recordings are in test_recordings.py.

Label: outside
"""
import enum
import inspect
import json
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import gymnasium
import numpy

import seedbed
from support import DIFFICULTIES

TASKS = seedbed.list_tasks()


def begun(name="KeyDoorPuzzle-v0/medium", seed=42, **options):
    env = seedbed.make(name, **options)
    env.reset(seed=seed)
    return env


class Registry(unittest.TestCase):
    def test_make(self):
        """make(task, difficulty, render_mode, reward_mode, seed, fast_mode)"""
        for task in TASKS:
            for difficulty in DIFFICULTIES:
                env = seedbed.make(f"{task}/{difficulty}", obs="ascii_color", reward="dense", seed=4)
                self.assertEqual((env.task, env.difficulty, env.np_random_seed), (task, difficulty, 4))
        self.assertEqual(seedbed.make("GoToGoal-v0").difficulty, "medium")
        self.assertEqual(seedbed.make("GoToGoal-v0", difficulty="hard").difficulty, "hard")
        first, again = begun(seed=7, obs="arrays"), begun(seed=7, obs="state")
        self.assertEqual(first.observe()["terrain"].tolist(), again.observe()["grid"]["terrain"])

    def test_make_suite_not(self):
        suite = [seedbed.make(f"{task}/easy") for task in seedbed.list_tasks(category="memory")]
        self.assertEqual({env.category for env in suite}, {"memory"})
        vec = seedbed.make_vec([f"{task}/easy" for task in seedbed.list_tasks(category="memory")], pad="family")
        self.assertIn(vec.reset(seed=0)[0], vec.observation_space)

    def test_list_tasks(self):
        self.assertEqual((len(TASKS), TASKS), (37, sorted(TASKS)))
        self.assertEqual(len(seedbed.list_tasks(capability="navigation")), 6)  # the published tag
        self.assertEqual(len(seedbed.list_tasks(category="navigation")), 8)  # the category of the scores
        self.assertEqual(seedbed.list_tasks(capability="memory", difficulty="easy"), seedbed.list_tasks("memory"))
        self.assertEqual(seedbed.list_tasks("memory"), ["BacktrackPuzzle-v0", "CuriosityMaze-v0", "FogOfWarExploration-v0", "KeyDoorPuzzle-v0",
                                                       "SequenceMemory-v0", "TreasureHunt-v0"])
        self.assertEqual((seedbed.list_tasks("nothing"), seedbed.list_tasks(difficulty="mild")), ([], []))
        sizes = {"navigation": 8, "planning": 9, "reasoning": 8, "memory": 4, "generalization": 3, "multi_agent": 5}
        self.assertEqual({category: len(seedbed.list_tasks(category=category)) for category in sizes}, sizes)
        self.assertEqual([parameter.name for parameter in inspect.signature(seedbed.list_tasks).parameters.values()][:2], ["capability", "difficulty"])

    def test_tags(self):
        tags = {task.name: task.skills for task in seedbed.tasks("agentick")}
        self.assertEqual(sorted(tags), TASKS)
        self.assertEqual((sum(map(len, tags.values())), len({tag for some in tags.values() for tag in some})), (82, 44))
        self.assertEqual(tags["MazeNavigation-v0"], ("planning", "spatial_reasoning", "navigation"))

    def test_action_types(self):
        for env in (seedbed.make("GoToGoal-v0"), seedbed.make("TagHunt-v0/expert")):
            self.assertTrue(issubclass(env.actions, enum.IntEnum))
            names = ("noop", "move_up", "move_down", "move_left", "move_right", "interact")
            self.assertEqual((env.action_names, [action.name for action in env.actions]), (names, [*names]))
            self.assertIs(env.actions.NOOP, env.actions.noop)
            self.assertEqual([env.parse_action(text) for text in ("Move Up", "INTERACT", " noop ")], [1, 5, 0])

    def test_version(self):
        self.assertRegex(seedbed.__version__, r"^\d+\.\d+")


class Environment(unittest.TestCase):
    def test_same_calls(self):
        env = seedbed.make("KeyDoorPuzzle-v0", render_mode="ansi")
        self.assertEqual(env.reset(seed=1, options={})[1]["step_count"], 0)
        self.assertEqual([type(value) for value in env.step(0)], [str, float, bool, bool, dict])
        self.assertIn("\x1b[", env.render())
        self.assertEqual((env.action_space, env.spec.id), (gymnasium.spaces.Discrete(6), "seedbed/KeyDoorPuzzle-medium-v0"))
        self.assertIsInstance(env.observation_space, gymnasium.spaces.Text)
        self.assertEqual((env.step_count, env.max_steps, env.episode_reward, env.done), (1, 200, 0.0, False))
        self.assertIsInstance(env.np_random, numpy.random.Generator)
        env.close()

    def test_always_fresh(self):
        """The published environment keeps orientation and inventory over resets."""
        env = begun(obs="state")
        first = env.reset(seed=42)[0]
        while not env.api.get_inventory() or env.api.agent_direction == "north":
            env.step(env.expert_action())
        self.assertEqual(env.reset(seed=42)[0], first)
        self.assertEqual((env.api.agent_direction, env.api.get_inventory()), ("north", []))

    def test_the_seed_of_make_is_that_of_the_first_reset(self):
        env = seedbed.make("GoToGoal-v0", seed=9)
        env.reset()
        self.assertEqual(env.seed, 9)
        env.reset(), env.reset()
        self.assertEqual(env.seed, numpy.random.default_rng(9).integers(0, 2**31, 2)[1])

    def test_modes_by_their_published_names(self):
        env = begun()
        for published, ours in (("language_structured", "structured"), ("state_dict", "state"), ("language", "language")):
            self.assertEqual(env.observe(published), env.observe(ours))
            self.assertEqual(seedbed.make("KeyDoorPuzzle-v0", obs=published).observation_space, seedbed.make("KeyDoorPuzzle-v0", obs=ours).observation_space)

    def test_texts_and_state(self):
        env = begun()
        self.assertIs(type(env.observe("language")), str)
        self.assertEqual([*env.observe("state")], ["grid", "agent", "entities", "annotations", "info"])

    def test_human_prints(self):
        self.assertIn("human", seedbed.make("GoToGoal-v0").metadata["render_modes"])
        for word in ("verbosity", "perspective", "fast_mode", "render_mode_"):
            self.assertRaises(TypeError, seedbed.make, "GoToGoal-v0", **{word: 1})

    def test_valid_actions(self):
        env = begun(mask="published")
        mask = env.action_mask()
        self.assertEqual((mask.dtype.name, mask.shape), ("bool", (6,)))
        self.assertEqual([i for i in range(6) if mask[i]], env.valid_actions())
        if not hasattr(mask[0], "__index__"):  # NumPy 1 has it, and warns
            self.assertRaises(seedbed.ActionError, env.step, mask[0])  # an entry of the mask is no action

    def test_configuration(self):
        env = begun()
        self.assertEqual([*env.api.task_config][:1], [*env.reset(seed=42)[1]["task_config"]][:1])
        self.assertGreater(len(env.api.task_config), 5)

    def test_the_world_is_asked_not_written_to(self):
        env = begun()
        self.assertEqual([*env.api.layers()], ["terrain", "objects", "metadata"])
        for name in ("grid", "agent", "entities", "renderer", "action_space_obj"):
            self.assertFalse(hasattr(env, name))
        for name in ("step_count", "max_steps", "episode_reward", "done"):
            self.assertRaises(AttributeError, setattr, env, name, 0)

    def test_rewards_of_ones_own(self):
        class Own(gymnasium.RewardWrapper):
            def reward(self, reward):
                return reward + self.unwrapped.last_dense

        env, twin = Own(seedbed.make("GoToGoal/easy#3")), seedbed.make("GoToGoal/easy#3", reward="dense")
        env.reset(), twin.reset()
        self.assertEqual(env.step(1)[1], twin.step(1)[1])
        self.assertRaises(ValueError, seedbed.make, "GoToGoal-v0", reward="custom")

    def test_errors_are_of_the_published_kinds(self):
        for arguments in ({"name": "Nope-v0"}, {"name": "GoToGoal-v0/mild"}, {"name": "GoToGoal-v0", "obs": "smell"}):
            self.assertRaises(ValueError, seedbed.make, **arguments)
        env = begun("GoToGoal/easy")
        self.assertRaises(KeyError, env.step, 6)
        self.assertEqual(env.step_count, 0)  # the published one has moved
        while not env.done:
            env.step(0)
        self.assertRaises(RuntimeError, env.step, 0)
        for action in (0, "noop", "fly"):
            self.assertRaises(RuntimeError, seedbed.make("GoToGoal-v0").step, action)

    def test_both_ends_can_be_true(self):
        env = begun("GoToGoal/easy", seed=0)
        while env.step_count < env.max_steps - len(env.api.go_to_nearest("goal")):
            env.step(0)
        for action in env.api.go_to_nearest("goal"):
            _, _, terminated, truncated, info = env.step(action)
        self.assertEqual((terminated, truncated, info["success"], info["truncated_reason"]), (True, True, True, "max_steps_reached"))

    def test_pickle(self):
        env = begun()
        env.step(2)
        self.assertEqual(pickle.loads(pickle.dumps(env)).observe("state"), env.observe("state"))


class CodingApiAndOracles(unittest.TestCase):
    QUERIES = """agent_position agent_direction grid_size get_entities get_entities_of_type get_entity_at get_nearest get_all_positions count
        get_inventory has_in_inventory distance_to direction_to path_to is_reachable is_adjacent neighbors get_cell get_terrain_type get_object
        is_walkable get_walkable_cells get_walls current_step max_steps total_reward is_done valid_actions action_names action_name_to_int
        task_config move_to move_toward pickup_nearest go_to_nearest interact_with flee_from action_int step_action bfs_path_positions
        positions_to_actions update layers""".split()

    def test_queries(self):
        env = begun()
        self.assertEqual(sorted(name for name in dir(env.api) if not name.startswith("_")), sorted(self.QUERIES))
        self.assertEqual(seedbed.Entity._fields, ("entity_type", "position", "distance", "properties", "metadata"))
        self.assertIs(env.api.update({}, {}), None)
        self.assertIsInstance(seedbed.API(env), seedbed.API)

    def test_oracles(self):
        self.assertLessEqual({"expert", "observer", "clairvoyant"}, {*seedbed.oracles("KeyDoorPuzzle-v0")})
        env = begun()
        player = seedbed.Player("expert")
        player.begin(env)
        while not env.done:
            self.assertEqual(env.expert_action(), env.hint().action)
            env.step(player.act(env))
        self.assertTrue(env.success)

    def test_any_callable_is_a_policy(self):
        result = seedbed.evaluate(lambda observation, info: info["valid_actions"][0], seedbed.select(tasks="GoToGoal", difficulty="easy", count=2))
        self.assertEqual(len(result.episodes), 2)


class Wrappers(unittest.TestCase):
    def test_texts_states_and_flat(self):
        for obs, kind in (("language", str), ("state", dict), ("flat", numpy.ndarray)):
            env = seedbed.make("KeyDoorPuzzle-v0", obs=obs)
            observation, _ = env.reset(seed=1)
            self.assertIsInstance(observation, kind)
            self.assertIn(observation, env.observation_space)

    def test_flattened(self):
        env = gymnasium.wrappers.FlattenObservation(seedbed.make("KeyDoorPuzzle-v0", obs="arrays"))
        observation, _ = env.reset(seed=1)
        self.assertIn(observation, env.observation_space)
        flat = seedbed.make("KeyDoorPuzzle-v0", obs="flat")
        self.assertEqual(sorted(flat.reset(seed=1)[0].tolist()), sorted(observation.tolist()))  # the same numbers in another order

    def test_words(self):
        one, other = begun(), begun()
        self.assertEqual(one.step("move up"), other.step(1))

    def test_frame_stack_not(self):
        env = gymnasium.wrappers.FrameStackObservation(seedbed.make("GoToGoal-v0", obs="flat"), 3)
        observation, _ = env.reset(seed=1)
        self.assertIn(observation, env.observation_space)
        self.assertIn(env.step(1)[0], env.observation_space)

    def test_reward_scale_not(self):
        env = gymnasium.wrappers.TransformReward(seedbed.make("GoToGoal/easy#1", reward="dense"), lambda reward: 10 * reward)
        env.reset()
        self.assertEqual(env.step(1)[1], 10 * env.unwrapped.last_dense)

    def test_curriculum_not(self):
        env = seedbed.make("GoToGoal/easy", obs="flat", pad="family")
        for name in ("GoToGoal-v0/easy#1", "GoToGoal-v0/expert#1", "KeyDoorPuzzle-v0/hard#2"):
            observation, _ = env.reset(options={"name": name})
            self.assertEqual(env.name, name)
            self.assertIn(observation, env.observation_space)

    def test_recording(self):
        env = begun()
        while not env.done:
            env.step(env.expert_action())
        episode = seedbed.replay(env.tape())
        self.assertEqual((episode.name, episode.success, episode.steps), (env.name, True, env.step_count))


class Data(unittest.TestCase):
    CHOSEN = {"tasks": "GoToGoal,KeyDoorPuzzle", "difficulty": "easy", "split": "train", "count": 3}

    def test_collecting(self):
        for agent in ("expert", "random"):
            episodes = [*seedbed.rollouts(seedbed.select(**self.CHOSEN), agent=agent, obs=("ascii", "language"))]
            self.assertEqual(len(episodes), 6)
            for episode in episodes:
                self.assertEqual([len(episode.observations[mode]) for mode in ("ascii", "language")], [episode.steps + 1] * 2)

    def test_exporting(self):
        for format in ("chat", "steps", "trajectories"):
            rows = seedbed.rows(seedbed.select(**self.CHOSEN), format)
            self.assertTrue(callable(rows.to_hf))
            self.assertTrue(all(isinstance(row, dict) for row in rows))

    def test_preference_pairs_not(self):
        chosen = seedbed.select(**self.CHOSEN)
        for better, worse in zip(seedbed.rollouts(chosen, agent="expert"), seedbed.rollouts(chosen, agent="random")):
            self.assertEqual(better.name, worse.name)
            self.assertEqual(better.observations["ascii"][0], worse.observations["ascii"][0])
            self.assertTrue(better.success)


class Leaderboard(unittest.TestCase):
    def test_seeds(self):
        self.assertEqual((len(seedbed.eval_seeds("GoToGoal-v0", "easy")), len(seedbed.train_seeds("GoToGoal-v0", "easy"))), (25, 2000))
        self.assertEqual(seedbed.seeds("GoToGoal-v0", "easy", "eval", 5), seedbed.eval_seeds("GoToGoal-v0", "easy")[:5])
        with tempfile.TemporaryDirectory() as folder:
            seedbed.official_pack().save(Path(folder) / "seeds.json", published=True)
            said = json.loads((Path(folder) / "seeds.json").read_text())
        self.assertEqual(said["GoToGoal-v0"]["easy"]["seeds"], [*seedbed.eval_seeds("GoToGoal-v0", "easy")])
        seedbed.official_pack().verify()

    def test_suites_not(self):
        suite = seedbed.select(category="memory", difficulty="medium")
        self.assertEqual({seedbed.parse_name(name).task for name in suite}, {*seedbed.list_tasks(category="memory")})
        self.assertEqual(len(suite), 4 * 25)

    def test_scores(self):
        result = seedbed.evaluate("expert", seedbed.select(tasks="GoToGoal", difficulty="easy"))
        for score in (result.leaderboard, result.ons_pairs, result.capability):
            self.assertIsInstance(score, seedbed.Score)
        self.assertEqual(seedbed.normalise(100.0, "GoToGoal", "easy"), 1.0)
        with tempfile.TemporaryDirectory() as folder:
            result.save(Path(folder) / "result.json")
            result.report(Path(folder) / "page.html")
            self.assertEqual(seedbed.load_result(Path(folder) / "result.json").agent, "expert")
            self.assertIn("<html", (Path(folder) / "page.html").read_text().lower())

    def test_batches_for_model_servers(self):
        result = seedbed.evaluate(lambda observations, infos: [0] * len(observations), seedbed.select(tasks="GoToGoal", difficulty="easy", count=5), batch=3)
        self.assertEqual([episode.success for episode in result.episodes], [False] * 5)

    def test_command(self):
        told = subprocess.run([sys.executable, "-m", "seedbed", "tasks", "--json"], capture_output=True, text=True, check=True).stdout
        self.assertIn("KeyDoorPuzzle-v0", told)
        self.assertTrue(callable(seedbed.main))


class Names(unittest.TestCase):
    """Every public name of the package, and the parameters of its functions."""

    NAMES = {"make", "make_vec", "register", "register_minigrid_ids", "Env", "VecEnv", "Player", "Hint", "API", "Entity", "select", "Selection", "Pack",
             "derive_pack", "load_pack", "official_pack", "eval_seeds", "train_seeds", "seeds", "rollouts", "Episode", "rows", "Rows", "Episodes", "build",
             "verify", "replay", "evaluate", "Result", "Score", "load_result", "merge_results", "normalise", "Error", "InvalidError", "ActionError", "UnknownError",
             "FinishedError", "MismatchError", "VersionError", "spaces", "rules", "families", "tasks", "list_tasks", "modes", "parse_name", "gym_id",
             "from_gym_id", "oracles", "main", "to_parquet"}

    def test_all_are_there(self):
        self.assertLessEqual(self.NAMES, {*dir(seedbed)})
        for name in self.NAMES:
            self.assertIsNotNone(getattr(seedbed, name))
            self.assertTrue(inspect.getdoc(getattr(seedbed, name)), name)
        self.assertRaises(AttributeError, getattr, seedbed, "nothing")

    def test_errors(self):
        bases = {"InvalidError": ValueError, "ActionError": KeyError, "UnknownError": LookupError, "FinishedError": RuntimeError,
                 "MismatchError": ValueError, "VersionError": ValueError}
        for name, base in bases.items():
            self.assertTrue(issubclass(getattr(seedbed, name), base) and issubclass(getattr(seedbed, name), seedbed.Error))
        for name in ("ActionError", "UnknownError"):
            self.assertTrue(issubclass(getattr(seedbed, name), ValueError))
        with self.assertRaises(seedbed.Error) as caught:
            begun().step(77)
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual(caught.exception.code, seedbed.InvalidError.code)

    def test_codes_of_errors_are_the_librarys(self):
        header = Path(__file__).parents[2] / "include" / "seedbed.h"
        if not header.exists():
            self.skipTest("include/seedbed.h is not beside the tests")
        codes = re.findall(r"^ +(SB_[A-Z_]+)\b", header.read_text().partition("typedef enum sb_code {")[2].partition("}")[0], re.M)
        for name in ("Invalid", "Unknown", "Finished", "Mismatch"):
            self.assertEqual(codes[getattr(seedbed, f"{name}Error").code], f"SB_{name.upper()}")
        self.assertEqual(codes[seedbed.VersionError.code], "SB_VERSION_OTHER")

    def test_listing(self):
        self.assertEqual([*seedbed.families()][:2], ["agentick", "babyai"])
        self.assertEqual(seedbed.parse_name("GoTo#5"), ("babyai", "GoTo", "", 5))
        self.assertEqual(seedbed.parse_name("KeyDoorPuzzle/medium#42"), ("agentick", "KeyDoorPuzzle-v0", "medium", 42))
        self.assertEqual((seedbed.gym_id("KeyDoorPuzzle/medium"), seedbed.from_gym_id("seedbed/BabyAI-GoTo-v0")),
                         ("seedbed/KeyDoorPuzzle-medium-v0", "babyai:GoTo"))
        self.assertEqual([mode.alias for mode in seedbed.modes("agentick") if mode.alias], ["language_structured", "state_dict"])


if __name__ == "__main__":
    unittest.main()
