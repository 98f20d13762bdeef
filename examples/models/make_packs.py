"""Writes logs to learn from and logs to be judged by: for each game a train log and a test log, from disjoint seeds. Needs the `seedbed` command.

    python3 examples/models/make_packs.py -o packs
    python3 examples/models/make_packs.py -o packs --games arc:Echo,autumn:Seesaw --train 1..3 --test 11,12

The same call writes the same bytes. packs/manifest.json has the hashes. Who plays alternates: somebody who knows the game (of Autumn's programs:
who looks for what is new), and somebody who draws all actions.
"""
import argparse
import hashlib
import itertools
import json
import os
import subprocess
import sys
import tempfile

ARC = "Chimes Clockwork DyeWorks Echo Fold Lantern Moss Polarity Scales Shepherd Stamp TwinCompass".split()
AUTUMN = "CrumbEtiquette CyclicCoral HeatBar HiddenWires HookCrane MajorityMoss RiverHop Seesaw SplitSnake TwoClocks".split()
GAMES = ["arc:" + name for name in ARC] + ["autumn:" + name for name in AUTUMN]
PLAYERS = {"arc": ("observer", "random"), "autumn": ("coverage", "random")}
STEPS = 60  # of an episode are kept


def read_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="FOLDER")
    add("--games", default=",".join(GAMES), help="such as arc:Echo,autumn:Seesaw (default: all twelve games and ten programs)")
    add("--difficulty", default="full", help="of multi-level games: intro or full (default)")
    add("--train", default="1..3", metavar="SEEDS", help="seeds of the logs to learn from (default: 1..3)")
    add("--test", default="101,102", metavar="SEEDS", help="seeds of the logs to be judged by (default: 101,102)")
    add("--steps", type=int, default=STEPS, help=f"actions of an episode that are kept (default: {STEPS})")
    add("--seedbed", default="seedbed", metavar="FILE", help="the command (default: seedbed)")
    return parser.parse_args(arguments)


def seeds_of(text):
    """Reads `1..3,7`."""
    seeds = []
    for part in text.split(","):
        first, _, last = part.partition("..")
        seeds += range(int(first), int(last or first) + 1)
    return seeds


def make_log(options, game, seeds, path):
    """Plays an episode for each seed, joins their logs, and returns how many actions there are."""
    family, _, task = game.partition(":")
    level = "/" + options.difficulty if family == "arc" else ""
    text = b""
    with tempfile.TemporaryDirectory() as room:
        for i, seed in enumerate(seeds):
            one = os.path.join(room, f"{seed}.jsonl")
            call = [options.seedbed, "solve", f"{family}:{task}{level}#{seed}", "--agent", PLAYERS[family][i % 2], "--log", one, "--quiet"]
            done = subprocess.run(call, capture_output=True, text=True)
            if done.returncode not in (0, 1):  # 1: the episode was not solved
                raise SystemExit(f"make_packs: {' '.join(call)}: {done.stderr.strip()}")
            with open(one, "rb") as file:
                text += b"".join(itertools.islice(file, 1 + options.steps))
    with open(path + ".part", "wb") as file:
        file.write(text)
    os.replace(path + ".part", path)
    return text.count(b"\n") - len(seeds), hashlib.sha256(text).hexdigest()


def main(arguments):
    options = read_arguments(arguments)
    splits = {"train": seeds_of(options.train), "test": seeds_of(options.test)}
    shared = set(splits["train"]) & set(splits["test"])
    if shared:
        print(f"make_packs: --train and --test share the seeds {sorted(shared)}", file=sys.stderr)
        return 2
    unknown = [game for game in options.games.split(",") if game.partition(":")[0] not in PLAYERS]
    if unknown:
        print(f"make_packs: {unknown[0]}: arc:NAME or autumn:NAME is expected", file=sys.stderr)
        return 2
    os.makedirs(options.output, exist_ok=True)
    files = {}
    for game in options.games.split(","):
        for split, seeds in splits.items():
            name = f"{game.replace(':', '-')}.{split}.jsonl"
            actions, digest = make_log(options, game, seeds, os.path.join(options.output, name))
            files[name] = {"game": game, "split": split, "seeds": seeds, "actions": actions, "sha256": digest}
        print(f"{game}: {files[name]['actions']} actions to be judged by", file=sys.stderr)
    version = subprocess.run([options.seedbed, "--version"], capture_output=True, text=True).stdout.strip()
    with open(os.path.join(options.output, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump({"packs_of_logs": 1, "seedbed": version, "difficulty": options.difficulty, "steps": options.steps, "files": files}, file, indent=1)
        file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
