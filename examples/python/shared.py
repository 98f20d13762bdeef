"""What the examples in this folder share: options, the evaluation, and observations of grids as inputs of networks."""
import argparse

import numpy as np

import seedbed


def parser_of(text, task):
    """Returns a parser with the options that all of them have. text: the example's own; task: the one that it learns by default."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default=task)
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", help="a file for the result, which `seedbed report` and `seedbed verify` read")
    return parser


def space_of(args):
    """The observation space of one environment of the task."""
    return seedbed.make(args.task, difficulty=args.difficulty, obs="arrays").observation_space


def episodes_of(args):
    """The official evaluation episodes of the task."""
    return seedbed.select(tasks=args.task, difficulty=args.difficulty)


def evaluate(policy, args, obs="arrays"):
    """Lets a policy, a function from a batch of observations to actions, play them."""
    return seedbed.evaluate(lambda seen, infos: policy(seen), episodes_of(args), obs=obs, batch=32)


def report(result, args, more=""):
    print(f"evaluation: {result.all.successes} of {result.all.episodes} episodes won{more}")
    if args.output:
        result.save(args.output)


def colours_of(obs, colours):
    """Which colour each cell has, as uint8 (n, planes, height, width), with a plane for each of the colours. obs: a batch of obs="frame"."""
    return (np.array(obs)[:, None] == np.asarray(colours)[:, None, None]).view(np.uint8)


def around_agent(obs, space, reach=None, only=None):
    """What lies around each agent, as uint8 (n, planes, 2 * reach + 1, 2 * reach + 1).

    obs: a batch of obs="arrays". There is a plane for each value that `terrain` and `objects` can have, 1 where a cell has it, and a
        last plane that is 1 everywhere if the agent carries something. The agent is in the middle; outside of the grid all is 0.
    space: the observation space of one environment.
    reach: how many cells to each side are shown; by default all that are not walls at the far end.
    only: the indices of the planes to show; by default all.
    """
    reach = reach or max(obs["terrain"].shape[1:]) - 2
    values = [(name, value) for name in ("terrain", "objects") for value in range(space[name].high.max() + 1)] + [("inventory", None)]
    planes = [np.broadcast_to(obs[name][:, 0, :1, None] > 0, obs["terrain"].shape) if value is None else obs[name] == value
              for name, value in (values if only is None else [values[i] for i in only])]
    padded = np.pad(np.stack(planes, axis=1), [(0, 0), (0, 0), (reach, reach), (reach, reach)])
    windows = np.lib.stride_tricks.sliding_window_view(padded, (2 * reach + 1, 2 * reach + 1), axis=(2, 3))
    x, y = obs["agent"][:, 0], obs["agent"][:, 1]
    return windows[np.arange(len(x)), :, y, x].view(np.uint8)
