"""Stable-Baselines3 on `seedbed.make_vec`: the class below is the adaptor between the two. Needs `pip install stable-baselines3`.

    python sb3.py
    python sb3.py --task TagHunt-v0 --steps 200000

After 60 000 steps, 24 seconds of one processor, PPO wins 23 or 24 of the 25 official evaluation episodes of DynamicObstacles easy, and 427
to 451 of 500 others, with any of three seeds. A random agent wins one in nine.
"""
import gymnasium
import numpy as np
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.vec_env import VecEnv, VecMonitor

import seedbed
import shared


class SeedbedVecEnv(VecEnv):
    """Environments of `make_vec` with the interface of Stable-Baselines3, whose VecEnv is older than Gymnasium's.

    encode: makes what the agent sees, one array, from a batch of observations and the space of one.
    """

    def __init__(self, vec, encode):
        self.vec, self.encode = vec, lambda obs: encode(obs, vec.single_observation_space)
        shape = self.encode(vec.reset()[0]).shape[1:]
        super().__init__(vec.num_envs, gymnasium.spaces.Box(0, 1, shape, np.uint8), vec.single_action_space)

    def reset(self):
        # `seed()` of this interface says which seeds the next reset starts from.
        obs, _ = self.vec.reset(seed=self._seeds)
        self._reset_seeds()
        return self.encode(obs)

    def step_async(self, actions):
        self.vec.step_async(actions)

    def step_wait(self):
        obs, rewards, terminations, truncations, infos = self.vec.step_wait()
        over = terminations | truncations
        lists = [{} for _ in over]
        if over.any():
            ended = np.flatnonzero(over)
            last = {key: np.stack([infos["final_obs"][i][key] for i in ended]) for key in obs}
            for i, seen in zip(ended, self.encode(last)):
                lists[i] = {"terminal_observation": seen, "TimeLimit.truncated": bool(truncations[i] and not terminations[i]),
                            "is_success": bool(infos["final_info"]["success"][i])}
        return self.encode(obs), rewards.astype(np.float32), over, lists

    def close(self):
        self.vec.close()

    def env_method(self, method_name, *method_args, indices=None, **method_kwargs):
        values = self.vec.call(method_name, *method_args, **method_kwargs)
        return [values[i] for i in self._get_indices(indices)]

    def get_attr(self, attr_name, indices=None):
        return self.env_method(attr_name, indices=indices)

    def set_attr(self, attr_name, value, indices=None):
        self.vec.set_attr(attr_name, value)

    def env_is_wrapped(self, wrapper_class, indices=None):
        return [False for _ in self._get_indices(indices)]


def encode(obs, space):
    return shared.around_agent(obs, space, reach=4).reshape(len(obs["agent"]), -1)


def train(args):
    torch.set_num_threads(1)  # more cost more than they give with a network this small
    vec = seedbed.make_vec(args.task, args.environments, difficulty=args.difficulty, obs="arrays", autoreset="SameStep")
    env = VecMonitor(SeedbedVecEnv(vec, encode))
    model = PPO("MlpPolicy", env, n_steps=32, batch_size=1024, n_epochs=4, learning_rate=1e-3, ent_coef=0.01, seed=args.seed,
                device="cpu", verbose=args.verbose, policy_kwargs={"net_arch": [128, 128]})
    return model.learn(args.steps)


def evaluate(model, args):
    space = shared.space_of(args)
    return shared.evaluate(lambda obs: model.predict(encode(obs, space))[0], args)


def arguments():
    parser = shared.parser_of(__doc__, task="DynamicObstacles-v0")
    parser.add_argument("--environments", type=int, default=64)
    parser.add_argument("--steps", type=int, default=60000)
    parser.add_argument("--verbose", type=int, default=1)
    return parser


if __name__ == "__main__":
    args = arguments().parse_args()
    shared.report(evaluate(train(args), args), args)
