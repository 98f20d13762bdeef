"""Plays evaluation episodes with a policy of train.py, and writes a result with tapes. Needs torch.

    python evaluate.py run/checkpoint.pt -o result.json --tasks InstructionFollowing,KeyDoorPuzzle --difficulties easy,medium
    python evaluate.py run/checkpoint.pt -o result.json
    seedbed verify result.json && seedbed report result.json

Without --tasks these are all 3,700 official episodes, and the last line has the score of the published leaderboard. An interrupted
evaluation goes on with --resume.
"""
import argparse
import json
import sys

import torch

import seedbed
from data import positive
from model import Actor, device_named, restore
from player import Player


def about(saved):
    """What the result says of the policy."""
    run = json.loads(saved["run"])
    parameters = sum(values.numel() for values in saved["policy"].values())
    settings = {key: value for key, value in run.items() if value is not None}
    return {"model": f"residual network, {parameters} parameters", "rows": sum(saved["rows"]), "updates": saved["done"],
            "seconds": round(saved["seconds"]), "processor_seconds": round(saved["processor_seconds"]), **settings}


def evaluate(checkpoint, selection, output=None, batch=64, device=torch.device("cpu"), name=None, resume=False, force=False):
    policy, saved = restore(checkpoint, device)
    return seedbed.evaluate(Player(lambda n: Actor(policy, n, device), batch), selection, obs="arrays", pad="family", batch=batch, name=name or "policy",
                            output=output, resume=resume, force=force, about=about(saved), on_error="raise")


def table(result):
    """Lines of text: episodes won of each task by difficulty."""
    difficulties = list(result.by_difficulty)
    lines = [f"{'task':24}" + "".join(f"{difficulty:>9}" for difficulty in difficulties)]
    rows = {}
    for (task, difficulty), tally in result.by_task.items():
        rows.setdefault(task, {})[difficulty] = tally
    for task, tallies in rows.items():
        lines.append(f"{task:24}" + "".join(f"{tallies[d].successes:>5}/{tallies[d].episodes:<3}" if d in tallies else " " * 9 for d in difficulties))
    return lines


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("checkpoint")
    add("-o", "--output", help="file for the result")
    add("--tasks", help="A,B; default: all")
    add("--difficulties", help="easy,medium; default: all")
    add("--name", help="what reports call the policy")
    add("--batch", type=positive, default=64, help="episodes at once")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="cpu, cuda, cuda:1, ...; default: a card where there is one")
    add("--threads", type=positive, default=1, help="of torch on a processor")
    add("--resume", action="store_true")
    add("--force", action="store_true", help="replace the output")
    return parser


def main():
    args = arguments().parse_args()
    torch.set_num_threads(args.threads)
    try:
        result = evaluate(args.checkpoint, seedbed.select(tasks=args.tasks, difficulty=args.difficulties), args.output, args.batch,
                          device_named(args.device), args.name, args.resume, args.force)
    except (ValueError, OSError) as error:
        print(f"evaluate.py: {error}", file=sys.stderr)
        sys.exit(2)
    print("\n".join(table(result)))
    print(f"{result.all.successes} of {result.all.episodes} episodes won")
    if result.leaderboard.score is not None:
        print(f"leaderboard {result.leaderboard.score:.4f}")


if __name__ == "__main__":
    main()
