"""Writes docs/measured/autumn-oracles.md: how oracles do in the shipped pack of challenges.

    ./scripts/docs autumn-oracles            play the pack, and write the page
    ./scripts/docs autumn-oracles --every 5  play every fifth challenge only
    ./scripts/docs autumn-oracles --check    fail if the page is of another pack

Results are kept in build/autumn-pack (--results), and an interrupted call goes on where it stopped. The whole takes several hours of
processor time, most of it for plans in programs that are slow and stochastic.
"""
import argparse
import collections
import gzip
import hashlib
import json
import math
import os
import re
import subprocess
import sys

from documents import pages
from documents.pages import ROOT

PACK, PAGE = os.path.join(ROOT, "seeds", "autumn.jsonl.gz"), "docs/measured/autumn-oracles.md"
KINDS, LEVELS = ("mfp", "planning", "change"), (1, 2, 3, 4)
AGENTS = ("planner", "insider", "uniform", "idle", "random")


def pack_hash():
    with open(PACK, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def names_of(every):
    with gzip.open(PACK, "rt", encoding="utf-8") as file:
        return [json.loads(line)["challenge"] for line in list(file)[1:]][::every]


def play(options, agent):
    """The episodes of an agent in the pack, by (environment, kind, level)."""
    part = "" if options.every == 1 else f"-{options.every}"
    path = os.path.join(options.results, f"{agent}-{pack_hash()[:12]}{part}.json")
    if not os.path.exists(path):
        names = os.path.join(options.results, f"names{part}.txt")
        with open(names, "w", encoding="utf-8") as file:
            file.write("\n".join(names_of(options.every)) + "\n")
        subprocess.run([options.seedbed, "eval", "-q", "--names-from", names, "--challenges", PACK, "--agent", agent, "--jobs", str(options.jobs), "-o", path, "--resume"],
                       check=True)
    found = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        for episode in json.load(file)["episodes"]:
            env, kind, level = re.match(r"autumn:(\w+)/(\w+)-(\d)#", episode["episode"]).groups()
            found[env, kind, int(level)].append(episode)
    return found


def table(heads, rows):
    signs = ["---"] + ["--:"] * (len(heads) - 1)
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in [heads, signs, *rows]) + "\n"


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else None


def show(value):
    return "" if value is None else f"{value:.2f}"


def scores(found, kind, level=None, env=None):
    return [episode.get("score", 0) for (e, k, l), episodes in found.items() for episode in episodes
            if k == kind and level in (None, l) and env in (None, e)]


def by_level(results):
    rows = []
    for kind in KINDS:
        for level in LEVELS:
            episodes = [episode for (_, k, l), some in results["planner"].items() for episode in some if (k, l) == (kind, level)]
            if not episodes:
                continue
            rows.append((f"{kind}-{level}", len(episodes), *(show(mean(scores(results[agent], kind, level))) for agent in AGENTS),
                         *(f"{mean(episode['steps'] for (_, k, l), some in results[agent].items() for episode in some if (k, l) == (kind, level)) or 0:.0f}" for agent in AGENTS[:2])))
    return rows


def by_environment(results):
    envs = list(dict.fromkeys(env for env, _, _ in results["planner"]))
    return [(f"[{env}](../tasks/{env}.md)", *(show(mean(scores(results["insider"], kind, level, env))) for kind in KINDS for level in LEVELS)) for env in envs]


def printed_score(submitted, changed):
    """The printed formula of change detection, clamped."""
    if not changed or submitted + 1 < changed:
        return 0.0
    if submitted <= changed:
        return 1.0
    r = submitted / changed
    return min(1.0, max(0.0, 1.377 / (1 - r * math.exp(-r)) - 1.178))


def watched(found):
    """What became of an agent's tests of changes, and what the best constant frame would have scored in them."""
    tests = [episode["test"] for (_, kind, _), some in found.items() for episode in some if kind == "change"]
    times = [test.get("changed", 0) for test in tests]
    acted = [test for test in tests if test.get("changed")]
    best = max(range(1, 501), key=lambda k: sum(printed_score(k, t) for t in times)) if times else 0
    return {"tests": len(tests), "acted": len(acted), "at once": sum(test.get("submitted") == test["changed"] for test in acted),
            "frame": best, "score": mean(printed_score(best, t) for t in times) or 0}


def first_option():
    with gzip.open(PACK.replace(".jsonl", ".answers.jsonl"), "rt", encoding="utf-8") as file:
        answers = [json.loads(line) for line in file]
    correct = [answer["correct"] for answer in answers if "correct" in answer]
    return sum(answer == 0 for answer in correct) / len(correct)


def beside_scores(results):
    """What the scores do not tell, and two constants to compare them with."""
    seen, idle = watched(results["insider"]), watched(results["uniform"])
    plans = scores(results["insider"], "planning")
    return [*([("goals that the insider reaches", show(mean(plans)))] if plans else []),
            ("tests of changes in which the insider's walk makes the change act", f"{seen['acted']} of {seen['tests']}"),
            ("in how many of these it submits just the frame that shows the change first", seen["at once"]),
            ("tests in which the change acts under `uniform`, within 500 steps", f"{idle['acted']} of {idle['tests']}"),
            ("[published](autumn-pack.md#random-agents) share of episodes in which it acts, within 1000 steps", "0.80"),
            ("predictions in which the first option is right", show(first_option())),
            (f"score in the insider's tests of whoever always submits frame {seen['frame']}, the best constant", show(seen["score"]))]


def page(options, results):
    every, played = options.every, sum(len(some) for some in results["planner"].values())
    which, sampled = ("all challenges", "") if every == 1 else (f"every {every}th challenge", f" --every {every}")
    return f"""# Oracles of challenges

    ./scripts/docs autumn-oracles{sampled}

writes this page: how oracles and baselines do in {which} of the [first pack](autumn-pack.md) that comes with Seedbed, {played} in all.
[autumn-challenges.md](../autumn-challenges.md#who-plays) says who they are; scores and numbers of steps are means. The pack's SHA-256 is
`{pack_hash()}`.

## By kind and level

{table(["kind and level", "challenges", *AGENTS, "steps of the planner", "of the insider"], by_level(results))}
## Beside the scores

{table(["what", "value"], beside_scores(results))}
## The insider by environment

{table(["environment", *(f"{kind}-{level}" for kind in KINDS for level in LEVELS)], by_environment(results))}"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--every", type=int, default=1)
    arguments.add_argument("--jobs", type=int, default=1)
    arguments.add_argument("--results", default=os.path.join(ROOT, "build", "autumn-pack"))
    arguments.add_argument("--seedbed", default=os.path.join(ROOT, "build", "release", "seedbed"))
    options = arguments.parse_args()
    options.seedbed = os.path.abspath(options.seedbed)
    if options.check:
        if pack_hash() in pages.read(os.path.join(ROOT, PAGE)):
            return 0
        print("docs/measured/autumn-oracles.md is of another pack: ./scripts/docs autumn-oracles writes it", file=sys.stderr)
        return 1
    os.makedirs(options.results, exist_ok=True)
    pages.settle("autumn-oracles", {PAGE: page(options, {agent: play(options, agent) for agent in AGENTS})}, check=False)
    return 0
