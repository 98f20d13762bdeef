"""Proximal policy optimisation in one file, in the manner of CleanRL, on many environments at once. Needs `pip install torch`.

    python ppo.py
    python ppo.py --task TagHunt-v0 --difficulty easy
    python ppo.py --task coins.sexp --difficulty easy

After 204 800 steps, three quarters of a minute of one processor, the agent wins 22 or 23 of the 25 official evaluation episodes of
DynamicObstacles easy, and 457 to 464 of 500 others, with any of three seeds. A random agent wins one in nine.
"""
import time

import numpy as np
import torch
from torch import nn

import seedbed
import shared


class Inputs:
    """What the network is shown of a task, and which actions it has: in a world of your own those that may have an effect at the start, so that it
    need not learn that most clicks do nothing."""

    def __init__(self, args):
        self.is_world, self.reach = ".sexp" in args.task, args.reach
        self.options = {"difficulty": args.difficulty, "obs": "frame" if self.is_world else "arrays"}
        env = seedbed.make(args.task, **self.options)
        self.space = env.observation_space
        self.actions = np.arange(env.n_actions)
        if self.is_world:
            starts = [env.reset(seed=seed)[0] for seed in range(20)]
            self.colours, self.actions = np.unique(starts), np.flatnonzero(env.action_mask())

    def read(self, obs):
        seen = shared.colours_of(obs, self.colours) if self.is_world else shared.around_agent(obs, self.space, self.reach)
        return torch.from_numpy(seen).flatten(1)


class Agent(nn.Module):
    """A policy and a value function on one network."""

    def __init__(self, inputs, actions, hidden=128):
        super().__init__()
        self.body = nn.Sequential(self.layer(inputs, hidden), nn.ReLU(), self.layer(hidden, hidden), nn.ReLU())
        self.actor = self.layer(hidden, actions, 0.01)
        self.critic = self.layer(hidden, 1, 1.0)

    @staticmethod
    def layer(inputs, outputs, gain=2 ** 0.5):
        made = nn.Linear(inputs, outputs)
        nn.init.orthogonal_(made.weight, gain)
        nn.init.zeros_(made.bias)
        return made

    def forward(self, inputs):
        seen = self.body(inputs.float())
        return torch.distributions.Categorical(logits=self.actor(seen)), self.critic(seen).squeeze(-1)


def advantages_of(rewards, values, ends, last_value, discount, smoothing):
    """Generalised advantage estimates (steps, n). ends: 1 where that step ended the episode."""
    advantages, following = torch.zeros_like(rewards), torch.zeros_like(last_value)
    for t in reversed(range(len(rewards))):
        after = last_value if t == len(rewards) - 1 else values[t + 1]
        surprise = rewards[t] + discount * after * (1 - ends[t]) - values[t]
        following = advantages[t] = surprise + discount * smoothing * (1 - ends[t]) * following
    return advantages


class Rollouts:
    """The environments, and what the agent did in them since the last update."""

    def __init__(self, args):
        # "SameStep": an episode's last step already brings the next episode's first observation, so that every step counts.
        # The limit of steps is part of the tasks, so an episode that runs into it has ended like any other.
        self.shown = Inputs(args)
        self.vec = seedbed.make_vec(args.task, args.environments, reward=args.reward, autoreset="SameStep", threads=args.threads, **self.shown.options)
        self.inputs = self.shown.read(self.vec.reset(seed=args.seed)[0])
        shape = args.steps, args.environments
        self.seen = torch.zeros(*shape, self.inputs.shape[1], dtype=torch.uint8)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.logprobs, self.rewards, self.ends, self.values = torch.zeros(4, *shape)

    @torch.no_grad()
    def collect(self, agent):
        """Takes the steps of an update. Returns how many episodes ended, and how many of these were won."""
        ended = won = 0
        for t in range(len(self.seen)):
            policy, self.values[t] = agent(self.inputs)
            self.seen[t], self.actions[t] = self.inputs, policy.sample()
            self.logprobs[t] = policy.log_prob(self.actions[t])
            obs, rewards, terminations, truncations, infos = self.vec.step(self.shown.actions[self.actions[t].numpy()])
            over = terminations | truncations
            self.rewards[t], self.ends[t] = torch.from_numpy(rewards), torch.from_numpy(over)
            self.inputs = self.shown.read(obs)
            if over.any():
                ended, won = ended + over.sum(), won + infos["final_info"]["success"].sum()
        return ended, won


def update(agent, optimizer, rollouts, args):
    """Some epochs of minibatches of the clipped objective."""
    with torch.no_grad():
        last_value = agent(rollouts.inputs)[1]
    advantages = advantages_of(rollouts.rewards, rollouts.values, rollouts.ends, last_value, args.discount, args.smoothing)
    returns = (advantages + rollouts.values).flatten()
    advantages, seen = advantages.flatten(), rollouts.seen.flatten(0, 1)
    actions, logprobs = rollouts.actions.flatten(), rollouts.logprobs.flatten()
    for _ in range(args.epochs):
        for batch in torch.randperm(len(actions)).split(args.minibatch):
            policy, values = agent(seen[batch])
            ratio = (policy.log_prob(actions[batch]) - logprobs[batch]).exp()
            advantage = advantages[batch]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            gain = torch.min(ratio * advantage, ratio.clamp(1 - args.clip, 1 + args.clip) * advantage).mean()
            loss = -gain + 0.5 * (returns[batch] - values).square().mean() - args.entropy * policy.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(args):
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # more cost more than they give with a network this small
    rollouts = Rollouts(args)
    agent = Agent(rollouts.inputs.shape[1], len(rollouts.shown.actions))
    optimizer = torch.optim.Adam(agent.parameters(), args.rate, eps=1e-5)
    began = time.perf_counter()
    for k in range(1, args.updates + 1):
        optimizer.param_groups[0]["lr"] = args.rate * (1 - (k - 1) / args.updates)
        ended, won = rollouts.collect(agent)
        update(agent, optimizer, rollouts, args)
        if k % max(args.updates // 10, 1) == 0:
            steps = k * args.steps * args.environments
            print(f"{steps} steps, {steps / (time.perf_counter() - began):.0f} a second: {won} of {ended} episodes won", flush=True)
    return agent


def evaluate(agent, args):
    """Plays the evaluation episodes, with actions that are drawn."""
    shown = Inputs(args)

    @torch.no_grad()
    def policy(obs):
        return shown.actions[agent(shown.read(obs))[0].sample().numpy()]

    return shared.evaluate(policy, args, obs=shown.options["obs"])


def arguments():
    parser = shared.parser_of(__doc__, task="DynamicObstacles-v0")
    parser.add_argument("--reward", default="sparse", choices=("sparse", "dense"))
    parser.add_argument("--updates", type=int, default=50)
    parser.add_argument("--environments", type=int, default=128)
    parser.add_argument("--reach", type=int, default=4, help="how many cells to each side the agent sees")
    parser.add_argument("--steps", type=int, default=32, help="steps per environment and update")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--minibatch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--discount", type=float, default=0.99)
    parser.add_argument("--smoothing", type=float, default=0.95, help="lambda of the advantage estimates")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--threads", type=int, default=1, help="threads that step the environments")
    return parser


if __name__ == "__main__":
    args = arguments().parse_args()
    shared.report(evaluate(train(args), args), args)
