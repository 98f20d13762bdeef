"""Writes docs/measured/babyai.md, the table of levels, from docs/measured/results-babyai.json and from the program's own lists.

    ./scripts/docs babyai            write the page
    ./scripts/docs babyai --check    fail if the page is out of date, or if the expert now plays differently (CI)
    ./scripts/docs babyai --measure [AGENT...]
                                       play seeds 0..99 of all levels again with these agents (default: all; the observer
                                       takes some minutes), and write docs/measured/results-babyai.json and the page

The program is build/release/seedbed.
"""
import json
import os
import re
import sys

from documents import oracles, pages
from documents.pages import ROOT

RESULTS = os.path.join(ROOT, "docs", "measured", "results-babyai.json")
LEVELS = os.path.join(ROOT, "generators", "babyai", "levels.def")
SHORTEST = os.path.join(ROOT, "docs", "measured", "shortest.json")
PAGE = "docs/measured/babyai.md"
HEAD = """# Levels of BabyAI

    ./scripts/docs babyai --measure

plays seeds 0 to 99 of every level and writes this page: how many each policy solves, and the mean steps of the solved ones. `limit` is the step limit; if
the mission decides it, that of seed 0. `impossible` counts the episodes that `seedbed certify` proves impossible. [babyai.md](../babyai.md) says who plays.

"""
FEWEST = """
## Fewest steps

    build/release/tests/shortest_test --list

searches copies of seeds 0 to 9 of every level for the fewest steps, by the rules alone. Where the search closes within 131,072 states, the expert's play is
compared with them; it takes the fewest steps in {shortest} of {closed} episodes.

| level | closed | fewest steps | expert | takes the fewest |
|---|--:|--:|--:|--:|
"""
AGENTS = ["expert", "observer", "published", "omnibot"]
SEEDS = "0..99"
PLAN_SIDES = {"Small": 8, "Medium": 16, "Large": 24, "Ultra": 32}


def levels():
    families = json.loads(oracles.seedbed("tasks", "--json"))
    return next(family for family in families if family["family"] == "babyai")["tasks"]


def scores(agent):
    """Plays with eval; returns level -> [solved, episodes, mean steps of the solved episodes]."""
    text = oracles.seedbed("eval", "--json", "--quiet", "--family", "babyai", "--agent", agent, "--seeds", SEEDS)
    return {s["task"]: [s["successes"], s["episodes"], s["successes"] and round(s["mean_steps_of_successes"], 2) or None]
            for s in json.loads(text)["families"][0]["tasks"]}


def unsolved():
    """Certifies; returns level -> {verdict: number} for the episodes that the expert does not solve."""
    text = oracles.seedbed("certify", "--json", "--quiet", "--family", "babyai", "--seeds", SEEDS)
    found = {}
    for row in map(json.loads, text.splitlines()):
        if row["verdict"] != "solved" or row["method"] != "expert":
            counts = found.setdefault(row["episode"].partition(":")[2].partition("#")[0], {})
            counts[row["verdict"]] = counts.get(row["verdict"], 0) + 1
    return found


def measure(agents):
    old, played, lost = pages.load(RESULTS, {}), {agent: scores(agent) for agent in agents}, unsolved()
    results = {}
    for level in (info["name"] for info in levels()):
        results[level] = {agent: played[agent][level] if agent in played else old[level][agent] for agent in AGENTS}
        results[level]["unsolved"] = lost.get(level, {})
    pages.save(RESULTS, results)


def rooms():
    """level -> (side, columns, rows)."""
    with open(LEVELS, encoding="utf-8") as file:
        found = re.findall(r'"(\w+)",[^"]*"\w+",[^"]*?ROOMS\((\d+), (\d+), (\d+)\)', file.read())
    return {name: (int(side), int(columns), int(rows)) for name, side, columns, rows in found}


def shape(level, known):
    side, columns, rows = known.get(level) or (PLAN_SIDES[level.split("-")[1]], 1, 1)
    return f"{(side - 1) * columns + 1}x{(side - 1) * rows + 1} | {columns}x{rows}"


def table(infos, results):
    lines = ["| level | grid | rooms | limit | " + " | ".join(f"{agent} | steps" for agent in AGENTS) + " | impossible |",
             "|" + "---|" * (5 + 2 * len(AGENTS))]
    known = rooms()
    for info in infos:
        level = info["name"]
        row = [f"{level} | {shape(level, known)} | {info['levels'][0]['max_steps']}"]
        for agent in AGENTS:
            solved, _, steps = results[level][agent]
            row += [str(solved), f"{steps:.2f}" if solved else ""]
        row.append(str(results[level]["unsolved"].get("impossible", "")))
        lines.append("| " + " | ".join(row) + " |")
    return lines


def fewest_table():
    rows = pages.load(SHORTEST)
    closed, shortest = (sum(row[key] for row in rows) for key in ("closed", "shortest"))
    lines = [f"| {row['level']} | {row['closed']} | {row['fewest'] / row['closed']:.2f} | {row['steps'] / row['closed']:.2f} | {row['shortest']} |"
             for row in rows if row["closed"]]
    return FEWEST.format(shortest=shortest, closed=closed) + "\n".join(lines) + "\n"


def main():
    arguments = sys.argv[1:]
    if arguments not in ([], ["--check"]) and (arguments[0] != "--measure" or set(arguments[1:]) - set(AGENTS)):
        sys.exit(__doc__)
    if arguments and arguments[0] == "--measure":
        measure(arguments[1:] or AGENTS)
    results = pages.load(RESULTS, {})
    wrong = pages.settle("babyai", {PAGE: HEAD + "\n".join(table(levels(), results)) + "\n" + fewest_table()}, arguments == ["--check"])
    if arguments == ["--check"]:
        wrong += [f"{level}: docs/measured/results-babyai.json says {results[level]['expert']}, now {score}"
                  for level, score in scores("expert").items() if results[level]["expert"] != score]
        if wrong:
            sys.exit("\n".join(wrong))
        print(f"{len(results)} levels: page and the expert's episodes as in docs/measured/results-babyai.json")
