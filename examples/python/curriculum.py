"""Which episodes to learn from next? Proximal policy optimisation with NumPy alone, whose episodes a curriculum draws.

    python curriculum.py
    python curriculum.py --task SokobanPush-v0 --curriculum regret --seed 3

The agent trains on episodes of several difficulties, some of which nobody can win, and is tested on others that can be won. The loop is
`train`: it resets every environment to the name that the curriculum draws, and tells it what came out.
docs/measured/curricula.md compares the curricula.
"""
import argparse
import os
import tempfile

import needs


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="DynamicObstacles-v0")
    parser.add_argument("--difficulties", default="easy,medium,hard")
    parser.add_argument("--curriculum", choices=("uniform", "learnability", "replay", "regret"), default="regret")
    parser.add_argument("--episodes", type=int, default=100, help="of each difficulty to train on")
    parser.add_argument("--tests", type=int, default=20, help="of each difficulty, held out")
    parser.add_argument("--limit", type=int, default=50, help="steps of a test")
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--environments", type=int, default=32)
    parser.add_argument("--steps", type=int, default=32, help="steps per environment and update")
    parser.add_argument("--size", type=int, default=13, help="width and height of the largest grid")
    parser.add_argument("--reach", type=int, default=5, help="how many cells to each side the agent sees")
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minibatches", type=int, default=4)
    parser.add_argument("--discount", type=float, default=0.95)
    parser.add_argument("--smoothing", type=float, default=0.9)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01, help="weight of the policy's entropy")
    parser.add_argument("--seed", type=int, default=0)
    return parser


if __name__ == "__main__":  # before the imports, some of which may be missing
    needs.check(arguments(), "numpy", "seedbed")

import numpy as np

import seedbed
from dagger import Network
from shared import around_agent
from seedbed import curricula


class Agent:
    """A policy and a value function, the last output, on one hidden layer."""

    def __init__(self, inputs, actions, args, rng):
        self.network, self.args, self.rng = Network(inputs, actions + 1, args.hidden, args.rate, rng), args, rng
        self.network.weights[2] *= 0.1

    def judge(self, inputs):
        """Activations, probabilities of the actions, and values."""
        hidden, outputs = self.network.forward(inputs)
        odds = np.exp(outputs[:, :-1] - outputs[:, :-1].max(axis=1, keepdims=True))
        return hidden, odds / odds.sum(axis=1, keepdims=True), outputs[:, -1]

    def act(self, inputs):
        """Actions, drawn; their probabilities; values."""
        _, chances, values = self.judge(inputs)
        actions = (chances.cumsum(axis=1) > self.rng.random((len(inputs), 1))).argmax(axis=1)
        return actions, chances[np.arange(len(actions)), actions], values

    def learn(self, inputs, actions, before, advantages, returns):
        """One step on a minibatch of the clipped objective."""
        hidden, chances, values = self.judge(inputs)
        taken = np.eye(chances.shape[1], dtype=np.float32)[actions]
        ratio = (chances * taken).sum(axis=1) / before
        clipped = np.where(advantages > 0, ratio > 1 + self.args.clip, ratio < 1 - self.args.clip)
        surprise = -np.log(chances + 1e-8)
        towards = (taken - chances) * (advantages * ratio * ~clipped)[:, None]
        towards += self.args.entropy * chances * (surprise - (chances * surprise).sum(axis=1, keepdims=True))
        error = np.concatenate([-towards, (values - returns)[:, None]], axis=1)
        self.network.descend(inputs, hidden, error.astype(np.float32) / len(actions))


class World:
    """The environments, and how their observations are shown to the network: what lies around the agent."""

    def __init__(self, names, args, only=None, **options):
        self.vec, self.reach, self.only = seedbed.make_vec(names, obs="arrays", pad=(args.size, args.size), **options), args.reach, only

    def show(self, obs):
        return self.windows(obs).reshape(len(obs["agent"]), -1).astype(np.float32)

    def windows(self, obs):
        return around_agent(obs, self.vec.single_observation_space, self.reach, self.only)

    def step(self, actions):
        """What the network is shown, rewards, and which episodes have ended. Only success has a reward, of 1."""
        obs, rewards, terminations, truncations, _ = self.vec.step(actions)
        return self.show(obs), rewards, terminations | truncations


def planes_of(names, args):
    """Planes of `around_agent` in which anything stands at the start of these episodes."""
    world = World(names, args)
    return np.flatnonzero(world.windows(world.vec.reset()[0]).any(axis=(0, 2, 3)))


def advantages_of(rewards, values, ends, discount, smoothing):
    """Generalised advantage estimates (steps, n). values: one row more, of what follows."""
    advantages, following = np.zeros_like(rewards), np.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        surprise = rewards[t] + discount * values[t + 1] * ~ends[t] - values[t]
        following = advantages[t] = surprise + discount * smoothing * ~ends[t] * following
    return advantages


class Diary:
    """What came out of each environment's episode so far: discounted return, sum of absolute advantages, steps."""

    def __init__(self, n):
        self.value, self.surprise, self.steps = np.zeros((3, n))

    def note(self, rewards, advantages, ends, endings, curriculum, discount):
        """Goes through a rollout, and tells the curriculum of each episode that ended in it. endings: its name by (step, environment)."""
        for t in range(len(rewards)):
            self.value += discount ** self.steps * rewards[t]
            self.surprise += np.abs(advantages[t])
            self.steps += 1
            for i in np.flatnonzero(ends[t]):
                curriculum.update(endings[t, i], curricula.Outcome(rewards[t, i] > 0, self.value[i], self.surprise[i] / self.steps[i]))
                self.value[i] = self.surprise[i] = self.steps[i] = 0


def train(args, curriculum, held_out):
    """Returns the shares of the held-out episodes that were won: before training, and after each tenth of it."""
    rng, n = np.random.default_rng(args.seed), args.environments
    world = World(curriculum.draw(n), args, planes_of(curriculum.names, args), autoreset="Disabled")
    inputs = world.show(world.vec.reset()[0])
    agent, diary = Agent(inputs.shape[1], world.vec.n_actions, args, rng), Diary(n)
    shares = [test(agent, held_out, world.only, args)]
    for update in range(1, args.updates + 1):
        rollout, endings = [], {}
        for t in range(args.steps):
            actions, chances, values = agent.act(inputs)
            following, rewards, ends = world.step(actions)
            rollout.append((inputs, actions, chances, values, rewards, ends))
            if ends.any():
                endings |= {(t, i): name for i, name in enumerate(world.vec.names()) if ends[i]}
                drawn = iter(curriculum.draw(int(ends.sum())))
                names = [next(drawn) if over else None for over in ends]
                following = world.show(world.vec.reset(options={"reset_mask": ends, "names": names})[0])
            inputs = following
        seen, actions, chances, values, rewards, ends = map(np.array, zip(*rollout))
        values = np.concatenate([values, agent.judge(inputs)[2][None]])
        advantages = advantages_of(rewards, values, ends, args.discount, args.smoothing)
        diary.note(rewards, advantages, ends, endings, curriculum, args.discount)
        returns = (advantages + values[:-1]).reshape(-1).astype(np.float32)
        scaled = ((advantages - advantages.mean()) / (advantages.std() + 1e-8)).reshape(-1).astype(np.float32)
        seen, actions, chances = seen.reshape(len(returns), -1), actions.reshape(-1), chances.reshape(-1)
        for batch in (batch for _ in range(args.epochs) for batch in np.array_split(rng.permutation(len(returns)), args.minibatches)):
            agent.learn(seen[batch], actions[batch], chances[batch], scaled[batch], returns[batch])
        if update % max(args.updates // 10, 1) == 0:
            shares.append(test(agent, held_out, world.only, args))
            print(f"{update * args.steps * n} steps: {shares[-1]:.2f} of the held-out episodes won", flush=True)
    return shares


def test(agent, names, planes, args):
    """The share of these episodes that the agent wins in so many steps, with the same draws at every test."""
    world, (rng, agent.rng), won = World(names, args, planes, then="stop"), (agent.rng, np.random.default_rng(0)), 0
    inputs = world.show(world.vec.reset()[0])
    for _ in range(args.limit):
        inputs, rewards, _ = world.step(agent.act(inputs)[0])
        won += int((rewards > 0).sum())
    agent.rng = rng
    return won / len(names)


def certificates(args):
    """The returns of certified solutions of the episodes to train on, and names of others, which can be won."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for base, count in (("curriculum", args.episodes), ("held-out", args.tests)):
            path = os.path.join(folder, f"{count}.jsonl.gz")
            which = ["--tasks", args.task, "--difficulty", args.difficulties, "--split", base, "--count", str(count)]
            if seedbed.main(["certify", *which, "--quiet", "-o", path]) > 1:
                raise SystemExit(2)  # the command has said why; 1: some episodes are unknown
            found.append(curricula.certified(path, args.discount))
    return found[0], [name for name, value in found[1].items() if value]


CURRICULA = {"uniform": curricula.Uniform, "learnability": curricula.Learnability, "replay": curricula.Replay, "regret": curricula.Regret}


def main(args):
    certified, held_out = certificates(args)
    return train(args, CURRICULA[args.curriculum](certified, seed=args.seed), held_out)


if __name__ == "__main__":
    main(arguments().parse_args())
