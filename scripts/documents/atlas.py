"""Writes docs/measured/atlas.md: what the measures of the atlas are, as `seedbed atlas --measures` says.

    ./scripts/docs atlas              write the page
    ./scripts/docs atlas --check      fail if it is out of date (CI)
"""
import json
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


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    program = os.path.join(ROOT, "build", "release", "seedbed")
    lines = subprocess.run([program, "atlas", "--measures", "--json"], capture_output=True, text=True, check=True).stdout.splitlines()
    table = "".join("| `{name}` | {unit} | {summary} |\n".format(**json.loads(line)) for line in lines)
    wrong = pages.settle("atlas", {"docs/measured/atlas.md": HEAD + table}, sys.argv[1:] == ["--check"])
    if wrong:
        sys.exit("\n".join(wrong))
