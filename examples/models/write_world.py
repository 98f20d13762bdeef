"""Lets a language model write a world, a task in Autumn, from a sentence. `seedbed autumn check` reviews what it writes and says what is wrong, the model
mends it, and what passes becomes a file. docs/worlds.md explains worlds. Any OpenAI-compatible endpoint will do; the key comes from an environment variable.

    python3 examples/models/write_world.py "Collect three coins, and keep off the ice that melts." -o coins.sexp --model NAME --url http://localhost:8000/v1
    seedbed play coins.sexp/easy#1

Prompts, answers and reports are kept in coins.rounds; the same command goes on with them. No file is overwritten.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

import written

DOCS = os.path.join(written.HERE, "..", "..", "docs")
SECTIONS = {"autumn.md": ("## Text and values", "## The library"), "worlds.md": ("## The statement",)}
FIRST = ("sokoban", "clicks", "hidden", "chance")  # what `seedbed new --like` knows
MOST = 100_000  # characters of a world
TOLD = 6000  # characters of a review

TASK = """Write a world: a small task on a grid, as a program in the language Autumn. This is what it is about:

{sentence}

A world in this language is shown first, then its manual. Mind these rules:
- `(= x e)` at the top is evaluated once, at the start; what it draws by chance makes the starts different. `(on condition body)` is looked at in every step, and its body may assign.
- An object is made by its type: `(Wall p)` at the position p. Its place is `(.. o origin)`; values are replaced, not changed.
- Operators have exactly two parts. Names are defined before they are used, and are none of the library's.
- `win` is what the player has to bring about. Every difficulty needs starts that can be won, whose shortest plays have as many steps as `solution` says; a search over all states has to find them, so keep grids small (4 to 8 cells a side) and states few.
- Everything that the task is about is shown by colours. `says` tells the player in a sentence what to do.
- Claims (`bound`, `unordered`) are tried: leave them out, unless you are sure.

`seedbed autumn check` will review it: whether the text is right, starts can be won, and random actions do not always win.

Answer with the whole program in one block of code between lines of three backquotes.

A first world:

```lisp
{first}```

From the manual:

{manual}"""


def read_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("sentence", metavar="SENTENCE", help="what the world is about")
    add("-o", "--output", dest="world", required=True, metavar="FILE", help="the world; of coins.sexp the folder coins.rounds keeps prompts and answers")
    add("--like", choices=FIRST, default=FIRST[0], help=f"the first world that the model is shown: {', '.join(FIRST)} (default: {FIRST[0]})")
    add("--seconds", type=int, default=120, help="for the review of a world (default: 120)")
    written.add_options(parser)
    return written.endpoint.parse(parser, arguments)


# ---- What the model is told ------------------------------------------------------------------------------------------

def manual():
    """The sections of the pages about Autumn and worlds that a writer of worlds needs."""
    return "".join(part for page, sections in SECTIONS.items() for part in parts_of(page) if part.startswith(sections))


def parts_of(page):
    try:
        with open(os.path.join(DOCS, page), encoding="utf-8") as file:
            return re.split(r"^(?=##)", file.read(), flags=re.M)
    except OSError as error:
        raise SystemExit(f"write_world: docs/{page}, which the model is taught from, should be two folders above this program: {error.strerror}") from None


def prompt_for(options):
    first = subprocess.run([options.seedbed, "new", "World", "--like", options.like, "-o", "-"], capture_output=True, text=True)
    if first.returncode:
        raise SystemExit(f"write_world: `{options.seedbed} new` said: {first.stderr.strip()}")
    return TASK.format(sentence=options.sentence, first=first.stdout, manual=manual())


# ---- The review ------------------------------------------------------------------------------------------------------

def refuse_what_nobody_can_read(text):
    """Worlds are short texts without characters that a terminal or an editor would obey or hide."""
    if len(text) > MOST:
        raise written.NotWritten(f"The program has {len(text)} characters. A world has at most {MOST}: write a shorter one.")
    for number, line in enumerate(text.split("\n"), 1):
        for column, sign in enumerate(line, 1):
            if not sign.isprintable() and sign != "\t":
                raise written.NotWritten(f"Line {number}, column {column} holds the character U+{ord(sign):04X}, which cannot be printed. Write plain text.")


def review(options, path):
    """Whether a world passes, and what is said of it. It has to be a right program, a world, and to have a name that is free."""
    folder, name = os.path.split(path)
    said = ""
    for arguments in (["autumn", "check", name], ["autumn", "plain", name], ["tasks", "--family", "autumn", "--program", name, "--quiet"]):
        try:
            done = subprocess.run([options.seedbed, *arguments], cwd=folder, capture_output=True, text=True, errors="replace", timeout=options.seconds)
        except subprocess.TimeoutExpired:
            raise written.NotWritten(f"The review took more than {options.seconds} seconds: make the world smaller.") from None
        said = said or done.stdout[:TOLD]
        if done.returncode:
            return False, (said if arguments[1] == "check" else "")[:TOLD] + done.stderr[:TOLD]
    return True, said


def judge(options, path):
    with open(path, encoding="utf-8", newline="") as file:
        refuse_what_nobody_can_read(file.read())
    is_right, said = review(options, path)
    return {"score": float(is_right), "is_right": is_right, "failures": said}


# ---- The file --------------------------------------------------------------------------------------------------------

def write_new(path, text):
    """Writes the file unless something of that name is there, even a link that leads nowhere."""
    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise SystemExit(f"write_world: {path} is there already, and nothing is overwritten") from None


def prepare(options):
    """Finds the command, whatever folder it will run in, and where rounds are kept."""
    command = shutil.which(options.seedbed)
    if not command:
        raise SystemExit(f"write_world: there is no command `{options.seedbed}`: say where it is with --seedbed")
    if os.path.lexists(options.world):
        raise SystemExit(f"write_world: {options.world} is there already, and nothing is overwritten")
    options.seedbed = os.path.abspath(command)
    options.output = os.path.splitext(options.world)[0] + ".rounds"


def finish(options, reports):
    last = reports[-1]
    print(last["failures"].strip(), file=sys.stdout if last["is_right"] else sys.stderr)
    if not last["is_right"]:
        print(f"write_world: none of {len(reports)} worlds passed; {options.output} holds them. More --revisions in another folder, or another sentence, may help", file=sys.stderr)
        return 1
    with open(os.path.join(options.output, f"round-{len(reports) - 1}", last["program"]), encoding="utf-8") as file:
        write_new(options.world, file.read())
    print(f"{options.world} is a world (round {len(reports) - 1})")
    return 0


def main(arguments):
    options = read_arguments(arguments)
    client = written.endpoint.from_options(options)
    prepare(options)
    prompt = prompt_for(options)
    written.settle(options.output, {"written_world": 1, "sentence": options.sentence, "like": options.like, "request": client.body, "revisions": options.revisions})
    try:
        reports = written.converse(options, client, [{"role": "user", "content": prompt}], lambda path, _: judge(options, path), "world.sexp")
    except written.endpoint.EndpointError as error:
        print(f"write_world: {error}; the same command goes on", file=sys.stderr)
        return 1
    return finish(options, reports)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
