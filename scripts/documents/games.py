"""Counts the games of every task and difficulty, and writes docs/measured/games.json.

From it the pages of tasks and `seedbed seeds` say how many there are. It takes ten minutes of one processor.

    ./scripts/docs games             count all families again
    ./scripts/docs games FAMILY...   count only these

The program is build/release/seedbed.
"""
import json
import os
import subprocess
import sys

from documents import pages
from documents.pages import ROOT

SEEDBED = os.path.join(ROOT, "build", "release", "seedbed")
TABLE = os.path.join(ROOT, "docs", "measured", "games.json")
# How many starts are counted, by family and difficulties: games of several levels take long to begin.
STARTS = {"agentick": {"easy": 100000, "medium": 100000, "hard": 100000, "expert": 100000}, "babyai": {None: 80000}, "autumn": {None: 10000, "published": 10000}, "arc": {"intro": 400, "full": 40}}
COUNTS = ("starts", "different", "once", "twice", "pairs", "triples", "evaluation")


def counted(family, difficulties, starts):
    chosen = ["-d", difficulties] if difficulties else []
    done = subprocess.run([SEEDBED, "seeds", "games", "--family", family, *chosen, "-n", str(starts), "--json"], check=True, capture_output=True, text=True)
    return [{key: row[key] for key in ("family", "task", "difficulty", *COUNTS) if key in row} for row in json.loads(done.stdout)]


def main():
    wanted = sys.argv[1:] or list(STARTS)
    if set(wanted) - set(STARTS):
        sys.exit(__doc__)
    rows = pages.load(TABLE, [])
    for family in wanted:
        rows = [row for row in rows if row["family"] != family]
        for difficulties, starts in STARTS[family].items():
            rows += counted(family, difficulties, starts)
        rows.sort(key=lambda row: (row["family"], row["task"]))
        with open(TABLE, "w", encoding="utf-8") as file:
            file.write("[\n " + ",\n ".join(map(json.dumps, rows)) + "\n]\n")
