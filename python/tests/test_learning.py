"""A policy gradient in NumPy over a vector of environments learns a task: what the vector gives can be learnt from.

Label: outside
"""
import unittest

import numpy

import seedbed

TASK = "GoToGoal-v0/easy"


class PolicyGradient:
    """REINFORCE with a table: logits for each difference between the goal's cell and the agent's."""

    def __init__(self, n_envs, seed):
        self.vec = seedbed.make_vec(TASK, n_envs, obs="arrays", autoreset="SameStep", threads=2, copy=False)
        self.rng, self.n = numpy.random.default_rng(seed), n_envs
        side = self.vec.single_observation_space["terrain"].shape[0]
        self.logits = numpy.zeros(((2 * side - 1) ** 2, self.vec.n_actions))
        self.side = side
        self.seen, _ = self.vec.reset(seed=seed)

    def situations(self):
        """The number of each environment's situation: where the goal is, as the agent sees it."""
        which, y, x = numpy.nonzero(self.seen["objects"] == 1)
        first = numpy.unique(which, return_index=True)[1]
        agent = self.seen["agent"].astype(int)
        return (y[first] - agent[:, 1] + self.side - 1) * (2 * self.side - 1) + x[first] - agent[:, 0] + self.side - 1

    def act(self, situations):
        weights = numpy.exp(self.logits[situations] - self.logits[situations].max(axis=1, keepdims=True))
        chances = weights / weights.sum(axis=1, keepdims=True)
        return (chances.cumsum(axis=1) > self.rng.random((self.n, 1))).argmax(axis=1), chances

    def play(self, steps):
        """Plays, learns from it, and returns the rate of success of the episodes that ended."""
        played, ended, won = [], 0, 0
        for _ in range(steps):
            situations = self.situations()
            actions, chances = self.act(situations)
            self.seen, rewards, terminations, truncations, _ = self.vec.step(actions)
            over = terminations | truncations
            ended, won = ended + over.sum(), won + rewards.sum()  # an episode that is won pays 1 in all
            played.append((situations, actions, chances, rewards.copy(), over))
        self.learn(played)
        return won / ended

    def learn(self, played, discount=0.9, rate=0.5):
        returns, baseline = numpy.zeros(self.n), numpy.mean([step[3] for step in played]) * 3
        for situations, actions, chances, rewards, over in reversed(played):
            returns = rewards + discount * numpy.where(over, 0, returns)
            change = -chances * (returns - baseline)[:, None]
            change[numpy.arange(self.n), actions] += returns - baseline
            numpy.add.at(self.logits, situations, rate * change / 8)


class Learning(unittest.TestCase):
    def test_a_policy_gradient_learns(self):
        learner = PolicyGradient(64, seed=1)
        rates = [learner.play(40) for _ in range(14)]
        self.assertLess(rates[0], 0.8)
        self.assertGreater(numpy.mean(rates[-3:]), 0.97)


if __name__ == "__main__":
    unittest.main()
