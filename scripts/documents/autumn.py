"""Writes docs/autumn/: the index of Autumn environments, and pictures. `tasks` writes the pages.

    ./scripts/docs autumn            write index and pictures
    ./scripts/docs autumn --check    fail if one of them is out of date (CI)

What the index says of a program is read from its text and its line in programs.def. The comment before its first expression is the title, in a line of its own, and the rules, in
paragraphs with an empty comment line between them. Pictures are drawn from what `seedbed autumn run` prints. --seedbed FILE names that program (build/release/seedbed).
"""
import argparse
import glob
import hashlib
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

from documents.pages import ROOT

PROGRAMS = os.path.join(ROOT, "generators", "autumn")
LESSON = os.path.join(ROOT, "docs", "autumn.md")
PAGES = os.path.join(ROOT, "docs", "autumn")
CATEGORIES = {"physical": "physical simulations", "emergent": "emergent systems", "agents": "multi-agent dynamics", "logic": "abstract logic",
              "games": "game-inspired", "tools": "tool use"}
EVENTS = {"left": {"left"}, "right": {"right"}, "up": {"up"}, "down": {"down"}, "clicks": {"clicked", "objClicked"}}
TRIED_STEPS = 500
CELL = 12    # pixels of a cell, the border of one pixel at its right and lower side included
BORDER = (64, 64, 64)
PAPER = (255, 255, 255)  # between frames that stand side by side


def colours():
    with open(os.path.join(PROGRAMS, "colours.def"), encoding="utf-8") as file:
        found = re.findall(r'^SB_COLOUR\(\d+, "(\w+)", 0x(\w{6})\)', file.read(), re.M)
    return {name: tuple(bytes.fromhex(rgb)) for name, rgb in found}


def listed_programs():
    """The programs in the order of the list: their names, files without `.sexp`, categories, and what to find out."""
    with open(os.path.join(PROGRAMS, "programs.def"), encoding="utf-8") as file:
        return re.findall(r'^SB_PROGRAM\((\w+), (\w+), "(\w+)", \d+, \w+,\s+"([^"]+)"\)', file.read(), re.M)


RGB = colours()


class Wrong(Exception):
    """A program or a page that nothing can be made of."""


# ---- Reading programs ------------------------------------------------------------------------------------------------

def expressions(text):
    """The expressions of a text, as lists of lists and of atoms; strings keep their quotes."""
    stack = [[]]
    for token in re.findall(r';[^\n]*|"[^"\n]*"|[()]|[^\s()";]+', text):
        if token == "(":
            stack.append([])
        elif token == ")":
            stack[-2].append(stack.pop())
        elif token[0] != ";":
            stack[-1].append(token)
    return stack[0]


def atoms(expression):
    if isinstance(expression, str):
        yield expression
    else:
        for part in expression:
            yield from atoms(part)


def head_is(expression, word):
    return isinstance(expression, list) and len(expression) > 0 and expression[0] == word


class Program:
    """What a program's text says about itself."""

    def __init__(self, path, category, purpose):
        self.path, self.category, self.purpose = path, category, purpose
        with open(path, "rb") as file:
            data = file.read()
        self.hash = hashlib.sha256(data).hexdigest()[:12]
        self.text = data.decode()
        self.name = "".join(word.capitalize() for word in os.path.basename(path).removesuffix(".sexp").split("_"))
        self.title, self.rules = self.read_comment()
        self.statements = expressions(self.text)[0][1:]
        self.objects = [statement for statement in self.statements if head_is(statement, "object")]
        self.definitions = {statement[1]: statement[2] for statement in self.statements if head_is(statement, "=")}
        self.types = [statement[1] for statement in self.objects]

    def read_comment(self):
        lines = []
        for line in self.text.splitlines():
            if not line.startswith(";"):
                if line.strip():
                    break
                line = ";"
            lines.append(line[1:].removeprefix(" ").rstrip())
        title, _, rules = "\n".join(lines).strip().partition("\n")
        title = re.sub(r"^[A-Z]{2}\d+ ", "", title)
        if title.title().replace(" ", "") != self.name:
            raise Wrong(f"{self.path}: the first line should be the title of {self.name}, and is `{title}`")
        if not rules.strip():
            raise Wrong(f"{self.path}: there are no rules below the title")
        return title, rules.strip("\n")

    @property
    def handlers(self):
        return [statement for statement in self.statements if head_is(statement, "on")]

    def reached(self, expression):
        """The names in an expression, and in the definitions of those names, and so on."""
        names, new = set(), set(atoms(expression))
        while new:
            names |= new
            new = {atom for name in new if name in self.definitions and not head_is(self.definitions[name], "initnext")
                   for atom in atoms(self.definitions[name])} - names
        return names

    @property
    def ruled(self):
        return [name for name, value in self.definitions.items() if head_is(value, "initnext")]

    @property
    def changed(self):
        """Variables without a rule that are assigned in the course of an episode."""
        targets = {part[1] for statement in self.statements for part in assignments(statement[1:])}
        return [name for name in self.definitions if name in targets and name not in self.ruled]

    def latent(self, drawn):
        """Variables that hold no objects, and fields that no shape shows. `drawn` are variables that were seen to hold objects."""
        first = {name: self.definitions[name][1] if name in self.ruled else self.definitions[name] for name in self.ruled + self.changed}
        found = [name for name in first if name not in drawn and not self.reached(first[name]) & set(self.types)]
        for statement in self.objects:
            shown = self.reached(without_comparisons([part for part in statement[2:] if not head_is(part, ":")]))
            found += [f"{part[1]} of {statement[1]}" for part in statement[2:] if head_is(part, ":") and part[1] not in shown]
        return found

    @property
    def empty_at_first(self):
        """Variables whose first value does not tell what they will hold."""
        return {name for name in self.ruled if self.definitions[name][1] == ["list"]}

    @property
    def colours(self):
        text = set(atoms(self.statements)) - {self.definitions.get("background")}
        return sorted(atom.strip('"') for atom in text if atom[0] == '"' and atom.strip('"') in RGB)

    @property
    def events(self):
        seen = set(atoms(self.statements))
        return [event for event, words in EVENTS.items() if words & seen]


def assignments(expression):
    if isinstance(expression, list):
        if head_is(expression, "=") and len(expression) == 3:
            yield expression
        for part in expression:
            yield from assignments(part)


def without_comparisons(expression):
    """What is only compared by size in a shape shows at times: whether a pot is empty, and not how full it is."""
    if isinstance(expression, str):
        return expression
    return [] if expression and expression[0] in ("<", "<=", ">", ">=") else [without_comparisons(part) for part in expression]


# ---- Running programs ------------------------------------------------------------------------------------------------

class Seedbed:
    def __init__(self, path):
        self.path = path

    def call(self, *arguments, folder=ROOT):
        done = subprocess.run([self.path, "autumn", *arguments], capture_output=True, text=True, cwd=folder, check=False)
        if done.returncode:
            raise Wrong(f"seedbed autumn {' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done.stdout

    def frames(self, program, actions=None, seed=1, folder=ROOT):
        lines = self.call("run", program, "--json", "--seed", str(seed), *(["--actions", actions] if actions else []), folder=folder)
        return [json.loads(line)["frame"] for line in lines.splitlines()]

    def draws(self, program):
        return "stochastic" in self.call("check", program)

    def drawn(self, program, wanted, size):
        """Those of the wanted variables that have cells at some time in random play."""
        random, actions = 1, []
        for _ in range(TRIED_STEPS if wanted else 0):
            random = (random * 1664525 + 1013904223) % 2**32
            number = random >> 8
            actions.append(f"click {number // 2 % size} {number // 2 // size % size}" if number % 2 else ("noop", "left", "right", "up", "down")[number // 2 % 5])
        found = set()
        for line in self.call("run", program, "--json", "--actions", ",".join(actions)).splitlines() if wanted else []:
            found |= wanted & set(json.loads(line)["cells"])
        return found


# ---- Pictures --------------------------------------------------------------------------------------------------------

def pixels_of(frames):
    """Rows of (red, green, blue) of frames side by side."""
    rows = []
    for y in range(max(len(frame) for frame in frames) * CELL + 1):
        row = []
        for i, frame in enumerate(frames):
            side = len(frame) * CELL + 1
            row += [PAPER] * CELL if i else []
            row += [PAPER if y >= side else pixel_of(frame, x, y) for x in range(side)]
        rows.append(row)
    return rows


def pixel_of(frame, x, y):
    if x % CELL == 0 or y % CELL == 0:
        return BORDER
    colour = frame[y // CELL][x // CELL]
    if colour not in RGB:
        raise Wrong(f"generators/autumn/colours.def does not have the colour {colour}")
    return RGB[colour]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(rows):
    """A PNG file with a palette."""
    palette = sorted({pixel for row in rows for pixel in row})
    number = {colour: i for i, colour in enumerate(palette)}
    data = b"".join(b"\0" + bytes(number[pixel] for pixel in row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 3, 0, 0, 0))
            + chunk(b"PLTE", b"".join(map(bytes, palette))) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def contents_of(png):
    """The chunks of a file with their data unpacked: what is equal for all versions of zlib."""
    place, chunks = 8, []
    while place + 8 <= len(png):
        size, kind = struct.unpack(">I4s", png[place:place + 8])
        data = png[place + 8:place + 8 + size]
        chunks.append((kind, zlib.decompress(data) if kind == b"IDAT" else data))
        place += size + 12
    return chunks


# ---- Pages -----------------------------------------------------------------------------------------------------------

def put_table(rows):
    return "".join("| " + " | ".join(str(cell) for cell in row) + " |\n" for row in rows)


class Environment(Program):
    """A program, and what running it shows."""

    def __init__(self, path, seedbed, category, purpose):
        super().__init__(path, category, purpose)
        self.first, self.draws = seedbed.frames(path)[0], seedbed.draws(path)
        self.size = len(self.first)
        self.hidden = self.latent(seedbed.drawn(path, self.empty_at_first, self.size))


def markdown(text):
    return text.replace("\\", "\\\\").replace("<", "&lt;")


def facts_of(program):
    """For the program's page: a table, and what belongs behind the fold."""
    folder = "../../generators/autumn/" + os.path.basename(os.path.dirname(program.path))
    facts = [
        ["", ""], ["---", "---"],
        ["Kind", CATEGORIES[program.category]],
        ["Random numbers", "stochastic: another seed is another episode" if program.draws else "deterministic: all seeds are the same episode"],
        ["It reacts to", ", ".join(program.events)],
        ["Object types", len(program.types)],
        ["Latent variables", len(program.hidden)],
        ["Handlers", len(program.handlers)],
        ["Colours besides the background", len(program.colours)],
        ["Program", f"[{os.path.basename(program.path)}]({folder}/{os.path.basename(program.path)}), SHA-256 `{program.hash}`..."],
    ]
    return put_table(facts), f"Object types: {', '.join(program.types)}.\n\nLatent variables: {', '.join(program.hidden) or 'none'}.\n"


INDEX = """# Environments in Autumn

{n} programs in the language [Autumn](../autumn.md), {stochastic} of them stochastic. They are our own, and not those of AutumnBench, but as many, in the same six
categories. [A page of each](../tasks/README.md) shows its first frame and some figures, and hides the rules behind a fold, because finding out the rules by
acting is the point of an environment. The programs are read best with [the language](../autumn.md) at hand.

    seedbed play autumn:Seesaw#7
    seedbed autumn run generators/autumn/physical/seesaw.sexp --actions 'click 12 0,noop*14'

- **Object types** are the types that a program declares.
- **Latent variables** are what a program remembers and does not draw: variables that have a rule or change, and hold no objects; and fields that no shape
  uses, or only to compare their size. Their values can only be inferred from what happens.
- **Handlers** are what a program does on a condition.
- **Colours** are those besides the background.

{tables}
This page and the pictures are made of the programs by `scripts/docs autumn`.
"""


def index_of(rows):
    tables = ""
    for category, title in CATEGORIES.items():
        lines = [["environment", "", "grid", "random numbers", "object types", "latent variables", "handlers", "colours"], ["---", "---", "---", "---", "--:", "--:", "--:", "--:"]]
        for program in rows:
            if program.category == category:
                lines.append([f"[{program.title}](../tasks/{program.name}.md)", program.purpose, f"{program.size} x {program.size}", "stochastic" if program.draws else "deterministic",
                              len(program.types), len(program.hidden), len(program.handlers), len(program.colours)])
        tables += f"## {title.capitalize()}\n\n{put_table(lines)}\n"
    return INDEX.format(n=len(rows), stochastic=sum(program.draws for program in rows), tables=tables)


def programs(seedbed):
    """The programs in the order of the list, each with what running it shows."""
    paths = {os.path.basename(path).removesuffix(".sexp"): path for path in glob.glob(os.path.join(PROGRAMS, "*", "*.sexp"))}
    for name, file, category, purpose in listed_programs():
        path = paths.pop(file)
        program = Environment(path, seedbed, category, purpose)
        if program.name != name:
            raise Wrong(f"{path}: is listed as {name}")
        yield program
    if paths:
        raise Wrong(f"programs.def does not list {', '.join(paths)}")


def environments(seedbed):
    """Pairs of a path and what the file should hold."""
    rows = list(programs(seedbed))
    for program in rows:
        yield f"pictures/{program.name}.png", png_of(pixels_of([program.first]))
    yield "README.md", index_of(rows).encode()


# ---- The lesson ------------------------------------------------------------------------------------------------------

def programs_in(text):
    """The programs of docs/autumn.md: blocks whose first line is their file name in a comment."""
    return re.findall(r"^```lisp\n(; ([\w.-]+\.sexp)\n.*?)^```$", text, re.S | re.M)


def lesson(seedbed):
    """The pictures of docs/autumn.md. The comment before one says which frames it shows."""
    with open(LESSON, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as folder:
        for program, name in programs_in(text):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(program)
        pictures = re.findall(r"^<!-- ([\w.-]+\.sexp), seed (\d+), actions ([^:\n]*): frames ([\d ]+) -->\n!\[[^]]*\]\(autumn/(pictures/[\w-]+\.png)\)", text, re.M)
        if len(pictures) != text.count("](autumn/pictures/"):
            raise Wrong("docs/autumn.md: a picture does not say in a comment before it which frames it shows")
        for program, seed, actions, chosen, path in pictures:
            frames = seedbed.frames(program, actions, seed, folder)
            yield path, png_of(pixels_of([frames[int(step)] for step in chosen.split()]))


# ---- The files -------------------------------------------------------------------------------------------------------

def same(path, wanted):
    if not os.path.exists(path):
        return False
    with open(path, "rb") as file:
        found = file.read()
    return contents_of(found) == contents_of(wanted) if path.endswith(".png") else found == wanted


def differing(wanted):
    """Names of files that are not as wanted, and of files that nothing wants."""
    found = {os.path.relpath(path, PAGES) for ending in ("*.md", "pictures/*.png") for path in glob.glob(os.path.join(PAGES, ending))}
    return [name for name in sorted(wanted) if not same(os.path.join(PAGES, name), wanted[name])], sorted(found - set(wanted))


def write(wanted, stale, surplus, folder=None):
    folder = folder or PAGES
    os.makedirs(os.path.join(folder, "pictures"), exist_ok=True)
    for name in stale:
        with open(os.path.join(folder, name), "wb") as file:
            file.write(wanted[name])
    for name in surplus:
        os.remove(os.path.join(folder, name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--seedbed", default=os.path.join(ROOT, "build", "release", "seedbed"))
    given = parser.parse_args()
    seedbed = Seedbed(os.path.abspath(given.seedbed))
    try:
        wanted = dict([*environments(seedbed), *lesson(seedbed)])
    except Wrong as wrong:
        sys.exit(str(wrong))
    stale, surplus = differing(wanted)
    if not given.check:
        write(wanted, stale, surplus)
    elif stale or surplus:
        sys.exit(f"docs/autumn/ is out of date, run ./scripts/docs autumn: {', '.join(stale + surplus)}")
