"""Writes docs/measured/worlds.md, the example worlds with their pictures.

    ./scripts/docs worlds             write the page and the pictures
    ./scripts/docs worlds --check     fail if one of them is out of date

--seedbed FILE names the program (build/release/seedbed).
"""
import argparse
import glob
import json
import os
import re
import sys
import tempfile

from documents import autumn, tasks
from documents.pages import ROOT

EXAMPLES = os.path.join(ROOT, "examples", "worlds")
FOLDER = os.path.join(ROOT, "docs", "measured")
TILE = "24"
PAGE = """# Example worlds

    ./scripts/docs worlds

writes this page. The programs are in [examples/worlds](../../examples/worlds); [worlds.md](../worlds.md) says how to write one. Pictures show seed 1 of each
difficulty, from left to right.

{worlds}"""


def paths():
    return sorted(glob.glob(os.path.join(EXAMPLES, "*.sexp")))


def word_of(path):
    return os.path.basename(path).removesuffix(".sexp")


def told(seedbed, path):
    """What `seedbed tasks` says of a world."""
    return json.loads(seedbed.call("tasks", os.path.relpath(path, ROOT), "--json"))[0]


def section(path, task):
    """The sentence, the picture, and a row for each difficulty."""
    word = word_of(path)
    rows = [["difficulty", "grid", "step limit", "steps of a shortest play"], ["---", "---", "--:", "---"]]
    for level in task["levels"]:
        name = level["difficulty"]
        grid = re.search(rf"^\| {name} \| ([^|]+) \|", task["page"], re.M)[1]
        play = re.search(rf"^- `{name}`: a shortest play has (.*) steps$", task["page"], re.M)
        rows.append([name, grid, level["max_steps"], play[1] if play else "any"])
    return (f"## {task['name']}\n\n| {task['category']} | {task['summary']} |\n| --- | --- |\n\n![{task['name']}](worlds/{word}.png)\n\n{autumn.put_table(rows)}\n"
            f"    seedbed play examples/worlds/{word}.sexp/{task['levels'][0]['difficulty']}#1\n")


def picture(seedbed, path, task):
    with tempfile.TemporaryDirectory() as folder:
        shown = []
        for level in task["levels"]:
            file = os.path.join(folder, "start.png")
            seedbed.call("show", f"{os.path.relpath(path, ROOT)}/{level['difficulty']}#1", "--look", "grid", "--tile", TILE, "-o", file)
            shown.append(tasks.read_png(file))
    return tasks.png_of(tasks.side_by_side(shown))


def wanted(seedbed):
    """The files by their places in docs/measured."""
    all_ = [(path, told(seedbed, path)) for path in paths()]
    files = {f"worlds/{word_of(path)}.png": picture(seedbed, path, task) for path, task in all_}
    return {**files, "worlds.md": PAGE.format(worlds="\n".join(section(*one) for one in all_)).encode()}


def differing(files):
    """Names of files that are not as wanted, and of pictures that nothing wants."""
    found = {os.path.relpath(path, FOLDER) for path in glob.glob(os.path.join(FOLDER, "worlds", "*.png"))}
    return [name for name in sorted(files) if not autumn.same(os.path.join(FOLDER, name), files[name])], sorted(found - set(files))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--seedbed", default=os.path.join(ROOT, "build", "release", "seedbed"))
    given = parser.parse_args()
    files = wanted(tasks.Seedbed(os.path.abspath(given.seedbed)))
    stale, surplus = differing(files)
    if given.check and (stale or surplus):
        sys.exit(f"docs/measured/worlds.md or a picture is out of date, run ./scripts/docs worlds: {', '.join(stale + surplus)}")
    if not given.check:
        os.makedirs(os.path.join(FOLDER, "worlds"), exist_ok=True)
        autumn.write(files, stale, surplus, FOLDER)
