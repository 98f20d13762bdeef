"""Writes docs/measured/budget.md: how well scores are estimated under a budget, by a simulation over recorded agents.

    ./scripts/docs budget              simulate, and write the page (a minute)
    ./scripts/docs budget --check      fail if the page is out of date
    ./scripts/docs budget --measure    first let the players with noise play all official episodes (some twenty minutes), for
                                 tests/golden/budget-agents.jsonl

The program is build/release/tests/budget_test.
"""
import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys

from documents import pages
from documents.pages import ROOT

TEST = os.path.join(ROOT, "build", "release", "tests", "budget_test")
AGENTS = os.path.join(ROOT, "tests", "golden", "budget-agents.jsonl")
ORACLES = os.path.join(ROOT, "docs", "measured", "results.json")
POLICY = os.path.join(ROOT, "docs", "measured", "policies", "gpu-result.json.gz")
SCORES = ["success", "leaderboard", "navigation", "planning", "reasoning", "memory", "generalization", "multi_agent"]

PAGE = """# Scores under a budget

    ./scripts/docs budget

makes this page: {agents} agents play budgets drawn by 1,000 seeds each, from what they won of all 3,700 official episodes
(`tests/budget_test.c`). They are {recorded} whose episodes were recorded here (oracles, random actions, a trained policy),
and {published} that were published with the benchmark. *Bias* is the mean error of the estimates, in brackets in standard errors of that mean;
*coverage* is how often the interval of 95 % holds the true score.

## The method

Of each pair of task and difficulty, k of 25 episodes are drawn; W is the pair's share of the score. The estimate is the sum of W times the mean of the
pair; its variance is v = sum of W² (1 - k/25) s²/k, plus one more pair with a single differing value, W² (1 - k/25)/k². The half width is sqrt(v) times
the quantile of Student's t, with (sum of a)² / (sum of a²/(k - 1)) + 1 degrees of freedom, where a are the pairs' parts of the sum
(`evaluation/stratified.c`).
Without the two repairs, intervals near 0 and 1 would hold the score as rarely as 69 times of 100.
Results of other agents are not used as predictions: in the trial that this method was chosen by they made intervals 2 % narrower for agents between 0.1
and 0.9, and 30 % wider for agents unlike those that the predictor was made of.

## All agents together

The median of agents' mean half widths and the largest, the lowest coverage of any agent, and the mean coverage of agents with a success between 0.1
and 0.9. Under `--until` the bias is that of stopping.

{together}

## Categories and the leaderboard's score, from 296 episodes

{scores}

## Agents, from 296 episodes

{rows}
"""


def listed():
    return json.loads(subprocess.run([TEST, "--list"], capture_output=True, text=True, check=True).stdout)


def in_letters(counts):
    return "".join(chr(ord("A") + n) for n in counts)


def recorded():
    """The lines of agents whose episodes other pages were made of."""
    results = pages.load(ORACLES)
    with gzip.open(POLICY, "rt", encoding="utf-8") as file:
        policy = json.load(file)
    pairs = policy["families"][0]["tasks"]
    yield "trained policy", [pair["successes"] for pair in pairs]
    for oracle in ("observer", "expert", "clairvoyant"):
        counts = [results[pair["task"]][pair["difficulty"]]["eval"].get(oracle, [0])[0] for pair in pairs]
        yield oracle, counts


def measure(player_lines):
    with open(AGENTS, "w", encoding="utf-8") as file:
        for name, counts in recorded():
            file.write(json.dumps({"agent": name, "won": in_letters(counts)}) + "\n")
        file.write(player_lines)


def middle(rows):
    return [row for row in rows if 0.1 <= row["scores"][0][0] <= 0.9]


def together(found):
    lines = ["| budget | episodes (median, most) | half width (median, most) | lowest coverage | mean coverage | largest bias |", "|---|--:|--:|--:|--:|--:|"]
    for budget, rows in found.items():
        score = 1 if budget.endswith("leaderboard") else 0
        scores, episodes = [row["scores"][score] for row in rows], [row["episodes"] for row in rows]
        halves = [one[4] for one in (row["scores"][score] for row in middle(rows))]
        cover = statistics.mean(row["scores"][score][3] for row in middle(rows))
        worst = max(scores, key=lambda one: abs(one[1]))
        lines.append(f"| {budget} | {statistics.median(episodes):.0f}, {max(episodes):.0f} | {statistics.median(halves):.4f}, {max(halves):.4f} | "
                     f"{min(one[3] for one in scores):.3f} | {cover:.3f} | {worst[1]:+.5f} ({worst[2]:+.1f}) |")
    return "\n".join(lines)


def by_score(rows):
    lines = ["| score | half width (median, most) | lowest coverage | mean coverage | largest bias |", "|---|--:|--:|--:|--:|"]
    for index, name in enumerate(SCORES):
        scores = [row["scores"][index] for row in rows]
        halves, worst = [one[4] for one in scores], max(scores, key=lambda one: abs(one[2]))
        lines.append(f"| {name} | {statistics.median(halves):.4f}, {max(halves):.4f} | {min(one[3] for one in scores):.3f} | "
                     f"{statistics.mean(one[3] for one in scores):.3f} | {worst[1]:+.5f} ({worst[2]:+.1f}) |")
    return "\n".join(lines)


def by_agent(rows):
    lines = ["| agent | success | bias | coverage | half width | leaderboard | coverage | half width |", "|---|--:|--:|--:|--:|--:|--:|--:|"]
    for row in sorted(rows, key=lambda row: row["scores"][0][0]):
        success, leaderboard = row["scores"][:2]
        lines.append(f"| {row['agent']} | {success[0]:.4f} | {success[1]:+.5f} ({success[2]:+.1f}) | {success[3]:.3f} | {success[4]:.4f} | "
                     f"{leaderboard[0]:.4f} | {leaderboard[3]:.3f} | {leaderboard[4]:.4f} |")
    return "\n".join(lines)


def page(found):
    rows = found["296"]
    published = sum(row["agent"].endswith("published") for row in rows)
    return PAGE.format(agents=len(rows), published=published, recorded=len(rows) - published, together=together(found), scores=by_score(rows),
                       rows=by_agent(rows))


def main():
    options = argparse.ArgumentParser(prog="docs budget")
    options.add_argument("--check", action="store_true")
    options.add_argument("--measure", action="store_true")
    asked = options.parse_args()
    if asked.measure:
        measure(subprocess.run([TEST, "--measure"], stdout=subprocess.PIPE, text=True, check=True).stdout)
    wrong = pages.settle("budget", {"docs/measured/budget.md": page(listed())}, asked.check)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
