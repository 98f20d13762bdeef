"""Clones the observer with NumPy alone, on one task: the shortest way from rows to a policy that is evaluated.

    python clone.py
    python clone.py --task NoisyObservation --difficulty easy --episodes 400

From 1,000 episodes of MazeNavigation easy, of which none is like one to evaluate with, the policy learns in a quarter of a minute to win 23 or 24
of the 25 official evaluation episodes.
"""
import argparse
import os
import sys

for library in ("OMP", "OPENBLAS"):  # more threads cost more than they give with a network this small
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import numpy as np

import data
import seedbed
from features import PLANES
from player import Player

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from dagger import Network  # noqa: E402: the network of the example beside this folder

SHOWN = "terrain", "object", "agent"


def encode(rows):
    """Each cell's codes as ones among zeros, float32 (n, inputs)."""
    kinds = [np.eye(PLANES[name], dtype=np.float32)[rows["cells"][:, list(PLANES).index(name)]] for name in SHOWN]
    return np.concatenate(kinds, axis=-1).reshape(len(rows["at"]), -1)


class Actor:
    """For Player: the network has no memory, so nothing begins."""

    def __init__(self, network):
        self.network = network

    def begin(self, which):
        pass

    def __call__(self, which, rows):
        return self.network.act(encode(rows))


def train(args):
    names = data.train_names([(args.task, args.difficulty)], {args.difficulty: args.episodes})
    (rows,) = data.play(names, "observer", noise=args.noise, seed=args.seed)[0].values()
    inputs, labels, rng = encode(rows), rows["label"].astype(int), np.random.default_rng(args.seed)
    network = Network(inputs.shape[1], 6, args.hidden, args.rate, rng)
    for _ in range(args.epochs):
        for chosen in np.array_split(rng.permutation(len(labels)), -(-len(labels) // args.batch)):
            network.learn(inputs[chosen], labels[chosen])
    print(f"{len(labels)} rows, of which the policy agrees with the teacher on {np.mean(network.act(inputs) == labels):.1%}", flush=True)
    return network


def evaluate(network, args):
    return seedbed.evaluate(Player(lambda n: Actor(network), 32), seedbed.select(tasks=args.task, difficulty=args.difficulty), obs="arrays",
                            pad="family", batch=32, name="clone", on_error="raise")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="MazeNavigation-v0")
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--episodes", type=data.positive, default=1000, help="of training")
    parser.add_argument("--noise", type=data.share, default=0.12, help="how often a random action is taken")
    parser.add_argument("--epochs", type=data.positive, default=20)
    parser.add_argument("--batch", type=data.positive, default=64)
    parser.add_argument("--hidden", type=data.positive, default=256)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    return parser


def main():
    args = arguments().parse_args()
    try:
        pairs = data.chosen_pairs(args.task, args.difficulty)
        if len(pairs) > 1:
            raise ValueError(f"it learns one task at one difficulty, not {len(pairs)} of them: train.py does")
        [(args.task, args.difficulty)] = pairs
        result = evaluate(train(args), args)
    except ValueError as error:
        print(f"clone.py: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"evaluation: {result.all.successes} of {result.all.episodes} episodes won")


if __name__ == "__main__":
    main()
