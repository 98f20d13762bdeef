"""Writes docs/measured/autumn-pack.md: statistics of the shipped packs of challenges.

    ./scripts/docs autumn-pack            write the page
    ./scripts/docs autumn-pack --check    fail if it is out of date
    ./scripts/docs autumn-pack --packs FOLDER --page FILE    the same of packs that are not shipped, into another file

It needs NumPy. It takes a minute, most of it for the classifier that looks for give-aways.
"""
import argparse
import collections
import gzip
import hashlib
import importlib.machinery
import importlib.util
import json
import os
import re
import sys

import numpy as np

from documents import pages
from documents.pages import ROOT

PAGE = "docs/measured/autumn-pack.md"
NAMES = ["autumn.jsonl.gz", "autumn.answers.jsonl.gz", "autumn-canonical.jsonl.gz", "autumn-canonical.answers.jsonl.gz"]
KINDS = ("mfp", "planning", "change")
CATEGORIES = {"physical": "physical simulations", "emergent": "emergent systems", "agents": "multi-agent dynamics", "logic": "abstract logic",
              "games": "game-inspired", "tools": "tool use"}
CHANCE = 1 / 6
# Figures of random agents in the published set of 43 environments: share and steps, and how many environments are always and never solved.
PUBLISHED = {"change": ("0.80", "295", "24", "2"), "planning": ("0.40", "679", "9", "13")}


# ---- Reading ---------------------------------------------------------------------------------------------------------

def lines_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Challenge:
    """A challenge that was asked for; `task` is None if it could not be derived."""

    def __init__(self, answer, tasks):
        self.name = answer.get("answer") or answer["none"]
        self.env, self.kind, level, seed = re.fullmatch(r"autumn:(\w+)/(\w+)-(\d)#(\d+)", self.name).groups()
        self.level, self.seed = int(level), int(seed)
        self.answer, self.task = answer, tasks.get(self.name)


def read_pack(tasks, answers):
    asked = {task["challenge"]: task for task in lines_of(tasks)[1:]}
    return [Challenge(answer, asked) for answer in lines_of(answers)[1:]]


def programs():
    """Name, category and whether steps may draw, in the order of the list."""
    with open(os.path.join(ROOT, "generators", "autumn", "programs.def"), encoding="utf-8") as file:
        listed = re.findall(r'^SB_PROGRAM\((\w+), (\w+), "(\w+)"', file.read(), re.M)
    with open(os.path.join(ROOT, "docs", "autumn", "README.md"), encoding="utf-8") as file:
        stochastic = set(re.findall(r"/(\w+)\.md\) \|.*\| stochastic \|", file.read()))
    if not stochastic:
        sys.exit("docs/autumn/README.md no longer says which programs are stochastic as this script reads it")
    return [(name, category, name in stochastic) for name, _, category in listed]


# ---- Writing ---------------------------------------------------------------------------------------------------------

def table(heads, rows, left=1):
    signs = ["---" if i < left else "--:" for i in range(len(heads))]
    return "\n".join("| " + " | ".join(str(cell) for cell in row) + " |" for row in [heads, signs, *rows]) + "\n"


def quantiles(values):
    return f"{np.median(values):.0f} ({np.quantile(values, .1):.0f} to {np.quantile(values, .9):.0f})" if len(values) else "-"


def share(part, whole):
    return f"{part / whole:.2f}" if whole else "-"


# ---- Give-aways ------------------------------------------------------------------------------------------------------

def load_script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), os.path.join(ROOT, "scripts", name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def give_aways(predictions):
    """The standard error, a row for each guesser, and a sentence on which of them are too good."""
    right = load_script("give-aways").guess([c.task for c in predictions], [c.answer["correct"] for c in predictions], [c.env for c in predictions])
    error = (CHANCE * (1 - CHANCE) / len(predictions)) ** 0.5
    found = {name: hits.mean() for name, hits in right.items()}
    better = [name for name, value in found.items() if value > CHANCE + 3 * error]
    verdict = f"More than three standard errors above chance: {'; '.join(better)}." if better else "None is more than three standard errors above chance."
    return error, [(name, f"{value:.3f}", f"{(value - CHANCE) / error:+.1f}") for name, value in found.items()], verdict


# ---- The page --------------------------------------------------------------------------------------------------------

def by_level(pack):
    rows = []
    for kind in KINDS:
        for level in (1, 2, 3, 4):
            asked = [c for c in pack if (c.kind, c.level) == (kind, level)]
            if not asked:
                continue
            there = [c for c in asked if c.task]
            proofs = collections.Counter(c.answer["certificate"] for c in there)
            rows.append((f"{kind}-{level}", len(asked), len(there), share(len(there), len(asked)), quantiles([c.answer["attempt"] + 1 for c in there]),
                         ", ".join(f"{proofs[proof]} `{proof}`" for proof in ("D", "E", "T", "plan") if proofs[proof])))
    return rows


def difficulty(pack):
    rows = []
    for level in (1, 2, 3, 4):
        mfp, planning, change = ([c for c in pack if c.task and (c.kind, c.level) == (kind, level)] for kind in KINDS)
        rows.append((level, quantiles([c.task["masked"] for c in mfp]), quantiles([c.answer["firings"] for c in mfp]), quantiles([c.answer["closest"] for c in mfp]),
                     quantiles([len(c.answer["plan"]) for c in planning]), quantiles([len(c.answer["example"]) for c in change]), quantiles([c.answer["cells"] for c in change])))
    return rows


def limit_of(c):
    return 1000 if c.answer["random"]["episodes"] == 50 else 300


def spread(pack, kind):
    """Of each environment, the mean share of episodes in which random agents succeed, and the mean steps; an episode without success counts as the limit."""
    shares, steps = collections.defaultdict(list), []
    for c in pack:
        if c.kind == kind and c.task:
            odds = c.answer["random"]
            p = odds["successes"] / odds["episodes"]
            shares[c.env].append(p)
            steps.append(p * odds["steps"] + (1 - p) * limit_of(c))
    means = {env: np.mean(values) for env, values in shares.items()}
    return means, float(np.mean(steps))


def random_rows(pack):
    rows = []
    for kind in ("change", "planning"):
        if not any(c.kind == kind and c.task for c in pack):
            continue
        means, steps = spread(pack, kind)
        values = list(means.values())
        rows.append((kind, f"{np.mean(values):.2f}", f"{steps:.0f}", sum(v > 0.995 for v in values), sum(v < 0.005 for v in values), len(values), *PUBLISHED[kind]))
    return rows


def within(c):
    odds = c.answer["random"]
    return odds["within"] / odds.get("tried", odds["episodes"])


def bands(pack):
    rows = []
    for level in (1, 2, 3, 4):
        shares = [within(c) for c in pack if (c.kind, c.level) == ("planning", level) and c.task]
        if shares:
            rows.append((level, len(shares), f"{np.mean(shares):.2f}", f"{np.median(shares):.2f}", f"{max(shares):.2f}", sum(share > 0.25 for share in shares)))
    return rows


def meeting_goals(pack):
    if not any(c.kind == "planning" for c in pack):
        return ""
    return f"""Which share of random agents meets the goal within the horizon of its challenge:

{table(["level", "planning challenges", "mean share", "median", "highest", "above 0.25"], bands(pack))}
"""


def by_environment(pack, listed):
    rows = []
    for name, category, stochastic in listed:
        mine = [c for c in pack if c.env == name]
        cells = [f"{sum(c.task is not None for c in mine if c.kind == kind)}/{sum(c.kind == kind for c in mine)}" for kind in KINDS]
        odds = [spread(mine, kind)[0].get(name) if any(c.task for c in mine if c.kind == kind) else None for kind in ("planning", "change")]
        rows.append((name, category, "stochastic" if stochastic else "deterministic", *cells, *("-" if p is None else f"{p:.2f}" for p in odds)))
    return rows


def canonical_rows(pack, listed):
    groups = [(title, [name for name, category, _ in listed if category == key]) for key, title in CATEGORIES.items()]
    groups += [(word, [name for name, _, drawn in listed if drawn == wanted]) for word, wanted in (("deterministic", False), ("stochastic", True))]
    groups.append(("all", [name for name, _, _ in listed]))
    rows = []
    for title, names in groups:
        mine = [c for c in pack if c.env in names]
        there = {kind: [c for c in mine if c.kind == kind and c.task] for kind in KINDS}
        odds = {kind: [c.answer["random"]["successes"] / c.answer["random"]["episodes"] for c in there[kind]] for kind in ("planning", "change")}
        rows.append((title, len(names), *(len(there[kind]) for kind in KINDS), "0.17" if there["mfp"] else "-",
                     *(f"{np.mean(odds[kind]):.2f}" if odds[kind] else "-" for kind in ("planning", "change"))))
    return rows


def reason_of(c):
    return c.answer["why"].split("attempt, ")[-1].split(": ")[-1]


def missing(pack):
    reasons = collections.Counter((c.kind, reason_of(c)) for c in pack if not c.task)
    return [(kind, reason, n) for (kind, reason), n in sorted(reasons.items(), key=lambda item: (KINDS.index(item[0][0]), -item[1]))]


def lacking(pack, canonical):
    """Which environments and kinds the canonical pack lacks, with the reasons by level."""
    rows = []
    for c in canonical:
        if c.task:
            continue
        reasons = collections.defaultdict(set)
        for other in pack:
            if (other.env, other.kind) == (c.env, c.kind):
                reasons[reason_of(other)].add(other.level)
        rows.append((c.env, c.kind, "; ".join(f"{reason} (level {', '.join(map(str, sorted(levels)))})" for reason, levels in reasons.items())))
    return rows


def page(folder):
    paths = [os.path.join(folder, name) for name in NAMES]
    pack, canonical, listed = read_pack(*paths[:2]), read_pack(*paths[2:]), programs()
    counted = [c for c in pack if c.level <= 3]
    combinations = collections.defaultdict(list)
    for c in counted:
        combinations[(c.env, c.kind, c.level)].append(c.task is not None)
    predictions = [c for c in pack if c.kind == "mfp" and c.task]
    error, guesses, verdict = give_aways(predictions)
    sizes = [os.path.getsize(path) for path in paths]
    hashes = [hashlib.sha256(open(path, "rb").read()).hexdigest() for path in paths]
    kinds = [f"`{kind}`" for kind in KINDS if any(c.kind == kind for c in pack)]
    derived = [sum(c.task is not None for c in each) for each in (pack, canonical)]
    numbers = [derived[0], len(pack), derived[1], len(canonical)]
    seeds = len({c.seed for c in pack})
    return f"""# The packs of challenges

    ./scripts/docs autumn-pack

writes this page from the packs of challenges in Autumn that come with Seedbed. [autumn-challenges.md](../autumn-challenges.md) says what challenges are and
how they are derived. `a (b to c)` is a median, and the range in which eight of ten lie.

{table(["file", "entries", "bytes", "SHA-256"], [(f"`seeds/{name}`", n, size, f"`{digest}`") for name, n, size, digest in zip(NAMES, numbers, sizes, hashes)])}
## What can be derived

The first pack was asked for {seeds} seed{"s" if seeds > 1 else ""} of {len(listed)} environments, of the kinds {", ".join(kinds)} and four levels. Of environments,
kinds and levels 1 to 3, {share(sum(any(v) for v in combinations.values()), len(combinations))} have at least one challenge, and {share(sum(c.task is not None for c in counted), len(counted))} of the challenges that were asked for are there.

{table(["kind and level", "asked", "derived", "share", "attempts", "certificates"], by_level(pack))}
Why the rest could not be derived:

{table(["kind", "reason of the last attempt", "challenges"], missing(pack), left=2)}
## Difficulty

{table(["level", "masked frames", "handlers fired in them", "cells of the closest option", "steps of the plan", "steps of the example until the change acts", "cells that differ then"], difficulty(pack))}
## Random agents

Random agents are as [`uniform`](../autumn-challenges.md#who-plays); they succeed when the goal is met, or when the change acts. An episode without success
counts as the limit, 1000 steps (300 for changes where steps draw). Published figures are of as many other environments.

{table(["kind", "share", "steps", "always", "never", "environments", "published share", "steps", "always", "never"], random_rows(pack))}
{meeting_goals(pack)}## Give-aways

How often guessers who do not know what actions do are right on the {len(predictions)} predictions. Chance is {CHANCE:.3f}, with a standard error of {error:.4f}.
A classifier is a conditional logit on ranks of the other guessers' measures, tried on each environment after it was fitted to all others.

{table(["guesser", "right", "standard errors from chance"], guesses)}
{verdict} Of {len(guesses)} guessers, one beyond two of them is no surprise.

## The canonical pack

One challenge for each environment and kind, as `--one` gives it out of the first pack. Of random agents the share of episodes that succeed is given.

{table(["environments", "number", "mfp", "planning", "change", "random: mfp", "random: planning", "random: change"], canonical_rows(canonical, listed))}
It lacks {sum(c.task is None for c in canonical)} of {len(canonical)}. What ended the last attempt, by level:

{table(["environment", "kind", "reason"], lacking(pack, canonical), left=3)}
## By environment

Challenges that were derived of those that were asked for, and how often random agents succeed.

{table(["environment", "category", "steps", *KINDS, "random: planning", "random: change"], by_environment(pack, listed), left=3)}"""


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--packs", default=os.path.join(ROOT, "seeds"))
    arguments.add_argument("--page", default=PAGE)
    options = arguments.parse_args()
    wrong = pages.settle("autumn-pack", {options.page: page(options.packs)}, options.check)
    if wrong:
        sys.exit("\n".join(wrong))
