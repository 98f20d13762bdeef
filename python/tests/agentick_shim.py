"""An imitation of the published module `agentick` that calls nothing but the public API of seedbed.

It is here so that tests in the spirit of the published ones can run (test_published.py), and so that one sees that nothing of
what their users call is out of reach. Programs should call seedbed itself.
"""
import json

import gymnasium

import seedbed

__version__ = seedbed.__version__
MODES = {"ascii": "ascii_color", "language": "language", "language_structured": "language_structured", "state_dict": "state_dict"}
DIFFICULTIES = ("easy", "medium", "hard", "expert")
list_tasks = seedbed.list_tasks
AgentickAPI = seedbed.API
ActionType = seedbed.make("GoToGoal-v0").actions


class TaskEnv(seedbed.Env):
    """An environment with the methods of the published one."""

    def step(self, action):
        return super().step(action if isinstance(action, str) else int(action))  # an entry of a mask is a numpy.bool_

    def render_in_mode(self, mode):
        if mode not in MODES:
            raise ValueError(f"unknown render mode {mode!r}")
        return self.observe(MODES[mode])

    def get_text_observation(self):
        return self.observe("language")

    def get_state_dict(self):
        return self.observe("state")

    def get_valid_actions(self):
        return self.action_mask()  # of an environment with the published mask

    @property
    def task_config(self):
        return self.api.task_config


def make(task, difficulty="medium", render_mode="ascii", reward_mode="sparse", seed=None, fast_mode=False):
    if render_mode not in MODES:
        raise ValueError(f"unknown render mode {render_mode!r}")
    obs = "arrays" if fast_mode and render_mode == "state_dict" else MODES[render_mode]
    env = TaskEnv(f"{task}/{difficulty}", obs=obs, reward=reward_mode, render_mode=MODES[render_mode], seed=seed, mask="published")
    env.spec = gymnasium.spec(seedbed.gym_id(f"{task}/{difficulty}"))
    return env


def make_suite(name, difficulty="medium", **options):
    return [make(task, difficulty, **options) for task in get_suite(name).tasks]


# ---- agentick.oracles ----


class Oracle:
    def __init__(self, env):
        self.env, self.player = env, seedbed.Player("expert")

    def reset(self, observation=None, info=None):
        self.player.begin(self.env)

    def act(self, observation=None, info=None):
        return self.player.act(self.env)

    def update(self, observation=None, info=None):
        pass


def get_oracle(task, env):
    if task not in list_oracles():
        raise ValueError(f"no oracle for {task!r}")
    return Oracle(env)


def list_oracles():
    return [task for task in list_tasks() if "expert" in seedbed.oracles(task)]


# ---- agentick.wrappers ----


class _Observe(gymnasium.ObservationWrapper):
    mode = "none"

    def __init__(self, env):
        super().__init__(env)
        inner = env.unwrapped
        self.observation_space = seedbed.make(f"{inner.task}/{inner.difficulty}", obs=self.mode).observation_space

    def observation(self, observation):
        return self.unwrapped.observe(self.mode)


class TextObservationWrapper(_Observe):
    mode = "language"


class DictObservationWrapper(_Observe):
    mode = "state"


class FlattenObservationWrapper(_Observe):
    mode = "flat"


class LanguageActionWrapper(gymnasium.ActionWrapper):
    def action(self, action):
        return self.unwrapped.parse_action(action)


class DenseRewardWrapper(gymnasium.Wrapper):
    def step(self, action):
        observation, _, *rest = self.env.step(action)
        return observation, self.unwrapped.last_dense, *rest


class SparseRewardWrapper(gymnasium.Wrapper):
    def step(self, action):
        before = self.unwrapped.total
        observation, _, *rest = self.env.step(action)
        return observation, self.unwrapped.total - before, *rest


class RewardScaleWrapper(gymnasium.wrappers.TransformReward):
    def __init__(self, env, scale=1.0):
        super().__init__(env, lambda reward: scale * reward)


# ---- agentick.leaderboard ----


class BenchmarkSuite:
    def __init__(self, name, tasks):
        self.name, self.tasks, self.difficulties, self.n_seeds = name, tasks, list(DIFFICULTIES), 25

    def get_eval_seeds(self, task, difficulty):
        return get_eval_seeds(task, difficulty)


def list_suites():
    return ["full", *sorted({task.category for task in seedbed.tasks("agentick")})]


def get_suite(name):
    if name not in list_suites():
        raise ValueError(f"unknown suite {name!r}")
    return BenchmarkSuite(name, list_tasks(category=None if name == "full" else name))


def get_eval_seeds(task, difficulty):
    return list(seedbed.eval_seeds(task, difficulty))


def get_train_seeds(task, difficulty, n_seeds=2000):
    return list(seedbed.train_seeds(task, difficulty, n_seeds))


def generate_task_seeds(task, difficulty, split, n_seeds):
    return get_eval_seeds(task, difficulty)[:n_seeds] if split == "eval" else get_train_seeds(task, difficulty, n_seeds)


def export_seeds_to_json(path):
    seedbed.official_pack().save(path, published=True)


def verify_seeds(path):
    with open(path) as file:
        said = json.load(file)
    return all(list_["seeds"] == get_eval_seeds(task, difficulty)[:len(list_["seeds"])]
               for task, lists in said.items() for difficulty, list_ in lists.items())


def normalize_score(total, task, difficulty):
    return seedbed.normalise(total, task, difficulty)


def compute_aggregate_score(policy, **selection):
    return seedbed.evaluate(policy, seedbed.select(**selection)).capability
