"""REINFORCE with NumPy alone: a linear policy learns to walk to the goal.

    python policy_gradient.py
    python policy_gradient.py --difficulty medium --updates 300

The policy sees the walls, the hazards and the goals around it, and has one weight for each of these cells and each action. Episodes of
training come from the chains of seeds of `make_vec`; at the end the policy plays the official evaluation episodes.
"""
import argparse

import numpy as np

import seedbed

WALL, HAZARD, GOAL = 1, 2, 1  # values of `terrain`, `terrain`, `objects`


def look_around(obs, reach=8):
    """Booleans (n, 3 * (2 * reach + 1) ** 2): for each cell around the agent, whether it has a wall, a hazard, a goal."""
    planes = np.stack([obs["terrain"] == WALL, obs["terrain"] == HAZARD, obs["objects"] == GOAL], axis=1)
    planes = np.pad(planes, [(0, 0), (0, 0), (reach, reach), (reach, reach)])
    windows = np.lib.stride_tricks.sliding_window_view(planes, (2 * reach + 1, 2 * reach + 1), axis=(2, 3))
    x, y = obs["agent"][:, 0], obs["agent"][:, 1]
    return windows[np.arange(len(x)), :, y, x].reshape(len(x), -1)


def probabilities(weights, inputs):
    logits = inputs @ weights
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def train(task, difficulty, updates, environments, steps, rate, discount, seed):
    rng = np.random.default_rng(seed)
    # "SameStep": the observation after the end of an episode is the first of the next one, so every step counts.
    vec = seedbed.make_vec(task, environments, difficulty=difficulty, obs="arrays", autoreset="SameStep")
    inputs = look_around(vec.reset(seed=seed)[0]).astype(np.float32)
    weights = np.zeros((inputs.shape[1], vec.n_actions), np.float32)
    for update in range(1, updates + 1):
        rollout, won, ended = [], 0, 0
        for _ in range(steps):
            chances = probabilities(weights, inputs)
            actions = (chances.cumsum(axis=1) > rng.random((environments, 1))).argmax(axis=1)
            obs, rewards, terminations, truncations, infos = vec.step(actions)
            over = terminations | truncations
            rollout.append((inputs, chances, actions, rewards, over))
            if over.any():
                won, ended = won + infos["final_info"]["success"].sum(), ended + over.sum()
            inputs = look_around(obs).astype(np.float32)
        returns, following = [], np.zeros(environments)
        for *_, rewards, over in reversed(rollout):
            following = rewards + discount * np.where(over, 0, following)
            returns.append(following)
        advantages = np.array(returns[::-1])
        advantages -= advantages.mean()
        for (seen, chances, actions, *_), advantage in zip(rollout, advantages):
            # The gradient of log p(action) by the logits is (1 for the action, else 0) - p.
            towards = (np.eye(vec.n_actions)[actions] - chances) * advantage[:, None]
            weights += rate * seen.T @ towards.astype(np.float32) / environments
        if update % 20 == 0 or update == 1:
            print(f"update {update}: {won / max(ended, 1):.0%} of {ended} episodes won", flush=True)
    return weights


def evaluate(weights, task, difficulty):
    def policy(obs, infos):
        return probabilities(weights, look_around(obs)).argmax(axis=1)

    return seedbed.evaluate(policy, seedbed.select(tasks=task, difficulty=difficulty), obs="arrays", batch=32)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="GoToGoal-v0")
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--updates", type=int, default=100)
    parser.add_argument("--environments", type=int, default=256)
    parser.add_argument("--steps", type=int, default=32, help="steps per environment and update")
    parser.add_argument("--rate", type=float, default=1.0)
    parser.add_argument("--discount", type=float, default=0.9)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print(evaluate(train(**vars(options)), options.task, options.difficulty).table())
