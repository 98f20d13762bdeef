"""Helpers for tests of datasets. The paths of the two programs come from the command line."""
import glob
import gzip
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
FOUND, USAGE = 1, 2
DOCUMENTS = {"manifest.json", "stats.json", "README.md", "croissant.json"}
TWO_TASKS = ["--tasks", "PreciseNavigation,KeyDoorPuzzle"]


def resealed(text):
    """Returns the text of a manifest that was altered, with the correct hash of itself, as a forger would write it."""
    body = text[:text.rindex(',\n "sha256"')]
    return body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n'


def sealed(manifest):
    """The same of a manifest as an object."""
    return resealed(json.dumps({key: value for key, value in manifest.items() if key != "sha256"}).removesuffix("}") + ',\n "sha256"')


def run(*arguments, program=SEEDBED, **options):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=900, **options)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, content):
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path


def write_module(path, rest=bytes(200)):
    """Writes a file that stands for the library as a WebAssembly module: the program looks for the sources that it is from."""
    return write(path, b"\0asm" + rest + re.search(rb"seedbed [0-9.]+, web [0-9a-f]{12}", read(SEEDBED)).group(0))


def contents(folder):
    return {name: read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))}


def unpacked(folder, kind):
    return b"".join(gzip.decompress(read(path)) for path in sorted(glob.glob(os.path.join(folder, kind + "-*.gz"))))


def rows_of(folder):
    return [json.loads(line) for line in unpacked(folder, "steps").splitlines()]


def tapes_of(folder):
    return [json.loads(line) for line in unpacked(folder, "tapes").splitlines()]


def episodes_of(rows):
    return [list(group) for _, group in itertools.groupby(rows, key=lambda row: row["episode_id"])]


def but_for_what_is_left(said):
    """What a build said, without the note that nothing is left of a task with few games."""
    return re.sub(r"seedbed: note: \d+ of \d+ episodes are left; [^\n]*; nothing is left of [^\n]*\n", "", said)


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-dataset-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def build(self, name, *arguments, program=SEEDBED, **options):
        done = run("build", "-o", self.path(name), "--quiet", *arguments, program=program, **options)
        self.assertEqual((done.returncode, done.stdout, but_for_what_is_left(done.stderr)), (0, "", ""), arguments)
        return self.path(name)

    def refuse(self, arguments, code, *words, program=SEEDBED, **options):
        done = run(*arguments, program=program, **options)
        self.assertEqual(done.returncode, code, f"exit code of {arguments}: {done.stdout}{done.stderr}")
        self.assertRegex(done.stderr, r"\Aseedbed[^\n]*: [^\n]+\n\Z", "one line on standard error, and only one")
        for word in words:
            self.assertIn(word, done.stderr)
        return done.stderr

    def assert_verifies(self, folder, program=SEEDBED):
        done = run("verify", folder, program=program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout
