"""Writes docs/tasks/: a page for each task with pictures of its levels, and their index.

    ./scripts/docs tasks             write pages and pictures
    ./scripts/docs tasks --check     fail if one of them is out of date (scripts/nightly)
    ./scripts/docs tasks --measure   play the multi-level games again, and write docs/measured/results-arc.json; build and write pages afterwards

A page is what `seedbed tasks NAME` prints, with a picture, links, and for programs in Autumn what scripts/docs autumn finds out about them.
--seedbed FILE names the program (build/release/seedbed).
"""
import argparse
import glob
import itertools
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import textwrap
import zlib

from documents import atlas, autumn, pages
from documents.pages import ROOT

PAGES = os.path.join(ROOT, "docs", "tasks")
RESULTS = os.path.join(ROOT, "docs", "measured", "results-arc.json")
MEASURED = {"agents": ["expert", "observer", "curious", "random"], "seeds": "0..19"}
TILE = {"agentick": ["--look", "flat", "--tile", "16", "--no-panel"], "babyai": ["--look", "grid", "--tile", "12"]}
GAME_TILE, A_ROW = 3, 4  # pixels for each of the 64 x 64; pictures that stand side by side
PAPER, GAP = (255, 255, 255), 12  # between pictures that stand side by side
WIDTH = 160  # of lines of prose
RULES = "## Rules, which are what there is to find out\n"


class Seedbed:
    def __init__(self, path):
        self.path = path

    def call(self, *arguments, given=None, binary=False):
        done = subprocess.run([self.path, *arguments], input=given, capture_output=True, text=not binary, cwd=ROOT, check=False)
        if done.returncode:
            sys.exit(f"seedbed {' '.join(arguments)}: {done.stderr}")
        return done.stdout

    def families(self):
        return json.loads(self.call("tasks", "--json"))

    def pages(self, family):
        """The tasks of a family with their pages."""
        names = [task["name"] for task in family["tasks"]]
        return json.loads(self.call("tasks", "--json", "--family", family["family"], *names))


# ---- Texts -----------------------------------------------------------------------------------------------------------

def title_of(task):
    return task["name"].removesuffix("-v0")


def file_of(task):
    return title_of(task) + ".md"


def picture_of(task):
    folder = "../autumn/pictures" if task["family"] == "autumn" else "pictures"
    return f"{folder}/{title_of(task)}.png"


def example_of(task):
    """The name of the episode that the page plays, and its seed."""
    name = re.search(r"\n## An episode\n\n`([^`]+)`", task["page"]).group(1)
    return name, int(name.partition("#")[2])


def caption_of(task):
    seed = example_of(task)[1]
    difficulties = ", ".join(level.get("difficulty", "") for level in task["levels"])
    return {"agentick": f"From left to right: {difficulties}, each with seed {seed}.",
            "babyai": f"The whole grid at the start, which the agent does not see, with seed {seed}.",
            "autumn": "The first frame, with seed 1.",
            "arc": "The first frame of every level, with seed 0."}[task["family"]]


def linked(text):
    """Names of other pages become links."""
    return re.sub(r"\bdocs/((?:measured/)?([\w-]+\.md))", r"[\2](../\1)", text)


def narrow(text):
    """Breaks lines of prose that links made too long; tables, and what is shown as it is, stay."""
    parts = re.split(r"^(```.*?^```$)", text, flags=re.S | re.M)
    return "".join(part if part.startswith("```") else re.sub(rf"^[^|\s].{{{WIDTH},}}$", broken, part, flags=re.M) for part in parts)


def broken(line):
    return textwrap.fill(line[0], WIDTH, break_long_words=False, break_on_hyphens=False)


def folded(text, facts):
    """Hides the rules of a program behind a fold."""
    table, more = facts
    before, rules, after = text.partition(RULES)
    rules, heading, after = after.partition("\n## Rewards and ends\n")
    return (f"{before}{table}\n<details>\n<summary>The rules are what there is to discover. Open them afterwards.</summary>\n"
            f"{autumn.markdown(rules)}\n{more}\n</details>\n{heading}{after}")


def page_of(task, facts):
    head, play, rest = task["page"].partition("\n    seedbed play ")
    text = f"{head}\n![{title_of(task)}]({picture_of(task)})\n\n{caption_of(task)}\n{play}{rest}"
    if task["family"] == "autumn":
        text = folded(text, facts)
    return f"{narrow(linked(text))}{atlas.link_of(title_of(task))}\nAll tasks: [the table](README.md). This page in a terminal: `seedbed tasks {name_of(task)}`.\n"


def name_of(task):
    return title_of(task) if task["family"] == "agentick" else f"{task['family']}:{task['name']}"


INDEX = """# Tasks

A page for each of the {n} tasks: what to do, rewards and ends, what is hard, sizes and limits, glyphs and metadata, how well oracles play, and an episode step
by step. `seedbed tasks NAME` prints the same page, without pictures.

    seedbed tasks KeyDoorPuzzle

## What episodes demand

[A map of the official episodes](../measured/atlas.md#the-official-episodes-of-agentick) shows a dot an episode; [atlas.md](../atlas.md) chooses by it.

{tables}`scripts/docs tasks` writes these pages and their pictures.
"""


def index_of(tasks):
    tables = ""
    for family, members in itertools.groupby(tasks, key=lambda task: task["family"]):
        members = list(members)
        rows = [["task", "category", "what to do"], ["---", "---", "---"]]
        rows += [[f"[{title_of(task)}]({file_of(task)})", task["category"], task["summary"]] for task in members]
        tables += f"## {family}: {len(members)} tasks\n\n{autumn.put_table(rows)}\n"
    return INDEX.format(n=len(tasks), tables=tables)


def texts(seedbed):
    """Yields the tasks, each with its file's name and text, and then the index without a task."""
    facts = {program.name: autumn.facts_of(program) for program in autumn.programs(autumn.Seedbed(seedbed.path))}
    tasks = [task for family in seedbed.families() for task in seedbed.pages(family)]
    if len({file_of(task) for task in tasks}) < len(tasks):
        sys.exit("two tasks have the same name: their pages need folders")
    for task in tasks:
        yield task, file_of(task), page_of(task, facts.get(task["name"]))
    yield None, "README.md", index_of(tasks)


# ---- Pictures: lists of rows, each the bytes of its pixels -------------------------------------------------------------

def unfiltered(data, stride, depth):
    """Undoes the five filters of PNG."""
    rows, before = [], bytes(stride)
    for place in range(0, len(data), stride + 1):
        kind, row = data[place], bytearray(data[place + 1:place + 1 + stride])
        for i in range(stride if kind else 0):
            left, up, corner = row[i - depth] if i >= depth else 0, before[i], before[i - depth] if i >= depth else 0
            guess = left + up - corner
            nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            row[i] = (row[i] + [0, left, up, (left + up) // 2, nearest][kind]) & 255
        before = bytes(row)
        rows.append(before)
    return rows


def read_png(path):
    """The pixels of a PNG of eight bits a channel, with a palette or in red, green and blue."""
    with open(path, "rb") as file:
        chunks = autumn.contents_of(file.read())
    head, data = dict(chunks)[b"IHDR"], b"".join(part for kind, part in chunks if kind == b"IDAT")
    width, _, bits, kind = struct.unpack(">IIBB", head[:10])
    assert bits == 8 and kind in (2, 3), path
    depth = 3 if kind == 2 else 1
    rows = unfiltered(data, width * depth, depth)
    if kind == 2:
        return rows
    palette = dict(chunks)[b"PLTE"]
    colours = [palette[i:i + 3] for i in range(0, len(palette), 3)]
    return [b"".join(map(colours.__getitem__, row)) for row in rows]


def stacked(pictures):
    width = max(len(picture[0]) for picture in pictures)
    paper = bytes(PAPER) * (width // 3)
    rows = []
    for picture in pictures:
        rows += [paper] * (GAP if rows else 0) + [row + paper[len(row):] for row in picture]
    return rows


def side_by_side(pictures):
    rows = []
    for y in range(max(map(len, pictures))):
        parts = [picture[y] if y < len(picture) else bytes(PAPER) * (len(picture[0]) // 3) for picture in pictures]
        rows.append((bytes(PAPER) * GAP).join(parts))
    return rows


def png_of(rows):
    """With a palette if there are at most 256 colours."""
    pixels = [[row[i:i + 3] for i in range(0, len(row), 3)] for row in rows]
    palette = sorted(set(itertools.chain.from_iterable(pixels)))
    number = {colour: bytes([i]) for i, colour in enumerate(palette[:256])}
    indexed = len(palette) <= 256
    data = b"".join(b"\0" + (b"".join(map(number.__getitem__, line)) if indexed else row) for line, row in zip(pixels, rows))
    head = struct.pack(">IIBBBBB", len(pixels[0]), len(rows), 8, 3 if indexed else 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + autumn.chunk(b"IHDR", head) + (autumn.chunk(b"PLTE", b"".join(palette)) if indexed else b"")
            + autumn.chunk(b"IDAT", zlib.compress(data, 9)) + autumn.chunk(b"IEND", b""))


def starts(seedbed, task, folder):
    """The first state of every difficulty, as the page's look draws it."""
    name, path = example_of(task)[0], os.path.join(folder, "start.png")
    for level in task["levels"]:
        episode = re.sub(r"/\w+#", f"/{level.get('difficulty')}#", name)
        seedbed.call("show", episode, *TILE[task["family"]], "-o", path)
        yield read_png(path)


def levels(seedbed, task):
    """The first frame of every level of a game, as the expert plays it: in the film, the last frame of the action that led there."""
    name = f"arc:{task['name']}/full#0"
    tape = json.loads(seedbed.call("solve", name, "--json", "--quiet"))
    requests = [{"op": "reset", "name": name, "modes": ["answer"], "actions": "none"}, *({"op": "step", "action": action} for action in tape["actions"])]
    replies = [json.loads(line) for line in seedbed.call("serve", "--stdio", given="".join(json.dumps(request) + "\n" for request in requests)).splitlines()]
    film = seedbed.call("solve", name, "--quiet", "--look", "screen", "--tile", str(GAME_TILE), "--film", "-", binary=True)
    side, shown, last = 64 * GAME_TILE, -1, -1
    for reply in replies:
        last += len(reply["observations"]["answer"]["frame"])
        if reply["level"] > shown and not reply["done"]:
            shown = reply["level"]
            frame = film[last * side * side * 3:(last + 1) * side * side * 3]
            yield [frame[y * side * 3:(y + 1) * side * 3] for y in range(side)]


def pictures(seedbed, tasks):
    """Yields names of files and what they hold. Those of Autumn are made by scripts/docs autumn."""
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks:
            if task["family"] != "autumn":
                shown = list(levels(seedbed, task) if task["family"] == "arc" else starts(seedbed, task, folder))
                yield picture_of(task), png_of(stacked([side_by_side(shown[i:i + A_ROW]) for i in range(0, len(shown), A_ROW)]))


# ---- Measuring -------------------------------------------------------------------------------------------------------

def measure(seedbed):
    """By game, difficulty and agent: episodes solved, episodes, and mean steps of the solved ones."""
    results = {}
    for agent in MEASURED["agents"]:
        text = seedbed.call("eval", "--json", "--quiet", "--family", "arc", "--agent", agent, "--seeds", MEASURED["seeds"])
        for row in json.loads(text)["families"][0]["tasks"]:
            steps = round(row["mean_steps_of_successes"], 2) if row["successes"] else None
            results.setdefault(row["task"], {}).setdefault(row["difficulty"], {})[agent] = [row["successes"], row["episodes"], steps]
    pages.save(RESULTS, results)


# ---- The files -------------------------------------------------------------------------------------------------------

def differing(wanted, endings=("*.md", "pictures/*.png")):
    """Names of files that are not as wanted, and of files that nothing wants."""
    found = {os.path.relpath(path, PAGES) for ending in endings for path in glob.glob(os.path.join(PAGES, ending))}
    return [name for name in sorted(wanted) if not autumn.same(os.path.join(PAGES, name), wanted[name])], sorted(found - set(wanted))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--seedbed", default=os.path.join(ROOT, "build", "release", "seedbed"))
    given = parser.parse_args()
    seedbed = Seedbed(os.path.abspath(given.seedbed))
    if given.measure:
        return measure(seedbed)
    made = list(texts(seedbed))
    wanted = {name: text.encode() for _, name, text in made}
    wanted.update(pictures(seedbed, [task for task, _, _ in made if task]))
    stale, surplus = differing(wanted)
    if given.check and (stale or surplus):
        sys.exit(f"docs/tasks/ is out of date, run ./scripts/docs tasks: {', '.join(stale + surplus)}")
    if not given.check:
        autumn.write(wanted, stale, surplus, PAGES)
    return None
