"""Writes docs/measured/atlas.md: the measures of the atlas, as `seedbed atlas --measures` defines them, and pictures of what official episodes demand.

    ./scripts/docs atlas              write the page, a picture for each task, and the map of all episodes
    ./scripts/docs atlas --check      fail if one of them is out of date (CI)

Pictures are drawn from the atlases in evaluation/atlas/official/, which scripts/official-atlas makes.
"""
import glob
import gzip
import json
import math
import os
import subprocess
import sys

from documents import pages
from documents.pages import ROOT

HEAD = """# Measures of the atlas

    ./scripts/docs atlas

writes this page. [atlas.md](../atlas.md) says how to use them.

| name | unit or range | what it is |
|---|---|---|
"""
MAP_TEXT = """
## The official episodes of Agentick

![map of the official episodes](pictures/atlas/map.svg)

A dot an episode: to the right steps, upwards states that the plain search sees (at most 10,000), both on scales of equal ratios. [A page of each
task](../tasks/README.md) shows its measures by difficulty.
"""
FOLDER = "docs/measured/pictures/atlas"
SHOWN = ("steps", "random", "search", "branch", "choice", "traps", "hidden", "luck", "backtrack", "size", "kinds")
COLOURS = ("#4c9a5f", "#d9a441", "#cf6a3a", "#8a3b6b", "#4a6fa5", "#777777")
STYLE = "<style>text{font:11px sans-serif;fill:#333}.s{fill:#777}@media(prefers-color-scheme:dark){text{fill:#ddd}.s{fill:#aaa}}</style>"
LEFT, ROW, STRIP, RIGHT, TOP = 74, 17, 260, 110, 22  # of the picture of a task, in pixels


# ---- What the atlases hold -------------------------------------------------------------------------------------------

def rows():
    """The rows of the shipped atlases of episodes with a page."""
    for name in ("agentick", "arc"):
        for path in glob.glob(os.path.join(ROOT, "evaluation", "atlas", "official", f"{name}.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as file:
                yield from (row for row in map(json.loads, file) if "episode" in row)


def by_task():
    """{task: {difficulty: rows}}, in the order of the files; tasks are named as their pages."""
    found = {}
    for row in rows():
        task, _, difficulty = row["episode"].partition("#")[0].partition("/")
        found.setdefault(task.partition(":")[2] or task, {}).setdefault(difficulty, []).append(row)
    return {task.removesuffix("-v0"): levels for task, levels in found.items()}


# ---- A picture for each task -----------------------------------------------------------------------------------------

def quantile(values, share):
    place = share * (len(values) - 1)
    low = int(place)
    return values[low] + (place - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def short(value):
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def strip(values, low, high, x, y, height, colour):
    """The range of the values as a line, their middle half as a box, the median as a mark."""
    def at(value):
        return round(x + STRIP * (value - low) / (high - low), 1)
    first, third = at(quantile(values, 0.25)), at(quantile(values, 0.75))
    middle = y + height / 2
    return (f'<path d="M{at(values[0])} {middle:g}H{at(values[-1])}" stroke="{colour}" stroke-width="1"/>'
            f'<rect x="{first}" y="{y:g}" width="{max(1, round(third - first, 1))}" height="{height:g}" fill="{colour}" fill-opacity=".45"/>'
            f'<path d="M{at(quantile(values, 0.5))} {y:g}v{height:g}" stroke="{colour}" stroke-width="2"/>')


def picture_of(levels):
    """The measures of a task, a strip for each difficulty; those that have one value alone, or none, are left out."""
    parts, y, names = [], TOP, list(levels)
    for measure in SHOWN:
        values = {name: sorted(row[measure] for row in levels[name] if row[measure] is not None) for name in names}
        known = [value for several in values.values() for value in several]
        if not known or min(known) == max(known):
            continue
        low, high, height = min(known), max(known), ROW * len(names) / 2
        parts.append(f'<text x="{LEFT - 8}" y="{y + height / 2 + 4:g}" text-anchor="end">{measure}</text>')
        for i, name in enumerate(names):
            if values[name]:
                parts.append(strip(values[name], low, high, LEFT, y + i * ROW / 2, ROW / 2 - 2, COLOURS[i % len(COLOURS)]))
        parts.append(f'<text class="s" x="{LEFT + STRIP + 6}" y="{y + height / 2 + 4:g}">{short(low)} to {short(high)}</text>')
        y += height + 6
    legend = "".join(f'<text x="{LEFT + i * 74}" y="13" style="fill:{COLOURS[i % len(COLOURS)]}">{name or "all"}</text>' for i, name in enumerate(names))
    return svg(LEFT + STRIP + RIGHT, math.ceil(y), legend + "".join(parts))


def svg(width, height, content):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{STYLE}{content}</svg>\n'


# ---- The map ---------------------------------------------------------------------------------------------------------

WIDTH, HEIGHT, EDGE = 720, 420, 46


def scale(value, most, length):
    return length * math.log(value) / math.log(most)


def ticks(most):
    return [n for n in (1, 10, 100, 1000, 10000) if n <= most]


def map_of(tasks):
    dots = {}
    for levels in tasks.values():
        for name, several in levels.items():
            dots.setdefault(name, []).extend((row["steps"], row["search"]) for row in several if row["steps"] and row["search"])
    most_x, most_y = (max(dot[k] for several in dots.values() for dot in several) for k in (0, 1))
    width, height = WIDTH - 2 * EDGE, HEIGHT - 2 * EDGE
    parts = []
    for n in ticks(most_x):
        x = EDGE + scale(n, most_x, width)
        parts.append(f'<path d="M{x:.0f} {EDGE}V{HEIGHT - EDGE}" stroke="#8884"/><text class="s" x="{x:.0f}" y="{HEIGHT - EDGE + 14}" text-anchor="middle">{n:,}</text>')
    for n in ticks(most_y):
        y = HEIGHT - EDGE - scale(n, most_y, height)
        parts.append(f'<path d="M{EDGE} {y:.0f}H{WIDTH - EDGE}" stroke="#8884"/><text class="s" x="{EDGE - 5}" y="{y + 4:.0f}" text-anchor="end">{n:,}</text>')
    for i, (name, several) in enumerate(dots.items()):
        path = "".join(f"M{EDGE + scale(x, most_x, width):.0f} {HEIGHT - EDGE - scale(y, most_y, height):.0f}h0" for x, y in several)
        parts.append(f'<path d="{path}" stroke="{COLOURS[i % len(COLOURS)]}" stroke-width="4" stroke-linecap="round" stroke-opacity=".5"/>')
        parts.append(f'<text x="{EDGE + i * 74}" y="20" style="fill:{COLOURS[i % len(COLOURS)]}">{name}</text>')
    parts.append(f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 8}" text-anchor="end">steps</text><text x="{EDGE}" y="{EDGE - 8}">search</text>')
    return svg(WIDTH, HEIGHT, "".join(parts))


# ---- Both ------------------------------------------------------------------------------------------------------------

def link_of(task):
    """What the page of a task says of it; nothing if no atlas has it."""
    if not os.path.exists(os.path.join(ROOT, FOLDER, f"{task}.svg")):
        return ""
    return (f"\n## What episodes demand\n\n![measures of the official episodes](../measured/pictures/atlas/{task}.svg)\n\n"
            "Of the official episodes: the range, the middle half and the median of each [measure](../atlas.md). Measures that are equal in all are left out.\n")


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    program = os.path.join(ROOT, "build", "release", "seedbed")
    lines = subprocess.run([program, "atlas", "--measures", "--json"], capture_output=True, text=True, check=True).stdout.splitlines()
    table = "".join("| `{name}` | {unit} | {summary} |\n".format(**json.loads(line)) for line in lines)
    tasks = by_task()
    agentick = {task: levels for task, levels in tasks.items() if ":" not in next(iter(levels.values()))[0]["episode"]}
    wanted = {"docs/measured/atlas.md": HEAD + table + MAP_TEXT, f"{FOLDER}/map.svg": map_of(agentick)}
    wanted.update({f"{FOLDER}/{task}.svg": picture_of(levels) for task, levels in tasks.items()})
    surplus = sorted({os.path.basename(path) for path in glob.glob(os.path.join(ROOT, FOLDER, "*"))} - {os.path.basename(name) for name in wanted})
    wrong = pages.settle("atlas", wanted, sys.argv[1:] == ["--check"])
    wrong += [f"{FOLDER}/{name} is of no task: remove it" for name in surplus]
    if wrong:
        sys.exit("\n".join(wrong))
