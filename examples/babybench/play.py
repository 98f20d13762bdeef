"""Lets an agent play BabyBench's interactive protocol: every group of levels with both of its view sizes, on the benchmark's seeds, and the
expert beside it; then shows success and efficiency. docs/babyai.md explains it.

    python3 examples/babybench/play.py --agent 'exec:python3 examples/agents/in_words.py {mode}' -o played

`{mode}` stands for the observation of that group and size. The folder gets a result for each; an interrupted run goes on with the same
command. Options after `--` go to every `seedbed eval`.
"""
import argparse
import json
import os
import subprocess
import sys

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71)
SIZES = {"easy": (3, 5), "medium": (5, 7), "hard": (5, 7), "very_hard": (7, 9)}


def read_arguments(arguments):
    own, others = (arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]) if "--" in arguments else (arguments, [])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--agent", required=True, help="as `seedbed eval --agent` takes it; {mode} stands for the observation")
    add("-o", "--output", required=True, metavar="FOLDER")
    add("--view", choices=["language", "view"], default="language", help="observations in words, or as arrays (default: language)")
    add("--groups", default=",".join(SIZES), help="only these groups (default: all four)")
    add("--seeds", default=",".join(map(str, PRIMES)), help="default: the first twenty primes")
    add("--expert", default="omnibot")
    add("--seedbed", default=os.environ.get("SEEDBED", "seedbed"), help="the program (default: $SEEDBED, or seedbed)")
    options = parser.parse_args(own)
    unknown = set(options.groups.split(",")) - set(SIZES)
    if unknown:
        parser.error(f"unknown group {unknown.pop()}: {', '.join(SIZES)}")
    if "{mode}" not in options.agent:
        parser.error("--agent should hold {mode}, where the program is told what it sees")
    return options, others


def evaluate(options, group, agent, path, others):
    """Plays the episodes, or what is left of them. A result of theirs that is complete is kept."""
    if os.path.exists(path):
        return check_same(options, group, agent, path)
    resumed = ["--resume"] if os.path.exists(path + ".part") else []
    command = [options.seedbed, "eval", "--family", "babyai", "--category", group, "--seeds", options.seeds, "--agent", agent, "-q", "-o", path]
    code = subprocess.run([*command, *resumed, *others]).returncode
    if not os.path.exists(path):
        sys.exit(code or 1)


def check_same(options, group, agent, path):
    """A result of another agent or of other episodes must not be shown as that of this call."""
    with open(path, encoding="utf-8") as file:
        kept = json.load(file)
    if kept["agent"]["spec"] != agent:
        sys.exit(f"{path} is the result of another agent, {kept['agent']['spec']}: choose another folder, or remove it")
    asked = {"family": "babyai", "category": group, "seeds": options.seeds}
    if {key: kept["selection"].get(key) for key in asked} != asked:
        sys.exit(f"{path} is the result of other episodes: choose another folder, or remove it")


def report(options, group, paths, expert):
    print(f"== {group}", flush=True)
    done = subprocess.run([options.seedbed, "report", *paths, "--expert", expert, "--published", "none"])
    if done.returncode:
        sys.exit(done.returncode)


def main(arguments):
    options, others = read_arguments(arguments)
    os.makedirs(options.output, exist_ok=True)
    for group in options.groups.split(","):
        expert = os.path.join(options.output, f"{group}-{options.expert}.json")
        evaluate(options, group, options.expert, expert, [])
        paths = []
        for size in SIZES[group]:
            mode = f"{options.view}{size}"
            paths.append(os.path.join(options.output, f"{group}-{mode}.json"))
            evaluate(options, group, options.agent.replace("{mode}", mode), paths[-1], ["--name", mode, *others])
        report(options, group, paths, expert)


if __name__ == "__main__":
    main(sys.argv[1:])
