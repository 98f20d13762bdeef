#!/usr/bin/env python3
"""Counts the instructions of each operation (seedbed-count under callgrind, one on each processor) and compares them with the
committed ceilings.

usage: check_counts.py PROGRAM CEILINGS [--update]

Exit code 1 if a count is above its ceiling or has none, 2 if counting failed. Counts depend on the compiler: with
another one than the ceilings were made with, the same table is printed and what is above only warned about.
--update writes new ceilings: a tenth above the present counts."""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MARGIN = 1.10  # for libc, whose memcpy is chosen by the processor


def fail(text):
    print(f"check_counts: {text}", file=sys.stderr)
    sys.exit(2)


def run(program, folder, *share):
    """Returns the compiler and {count: units}, as the program prints them."""
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/dump", program, *map(str, share)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        fail(f"{program} failed:\n{done.stderr}")
    lines = dict(line.split("\t") for line in done.stdout.splitlines())
    return lines.pop("compiler"), {what: int(units) for what, units in lines.items()}


def read_dumps(folder):
    """Returns {count: instructions}; callgrind writes one numbered file for each."""
    totals = {}
    for path in pathlib.Path(folder).glob("dump.*"):
        text = path.read_text()
        name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
        if name:
            totals[name.group(1)] = int(re.search(r"^totals: (\d+)$", text, re.M).group(1))
    return totals


def measure_share(program, *share):
    with tempfile.TemporaryDirectory() as folder:
        compiler, units = run(program, folder, *share)
        totals = read_dumps(folder)
    return compiler, {what: totals[what] / n for what, n in units.items()}


def measure(program):
    of = os.cpu_count() or 1
    with concurrent.futures.ThreadPoolExecutor(of) as pool:
        shares = [*pool.map(lambda number: measure_share(program, number, of), range(of))]
    return shares[0][0], {what: count for _, counts in shares for what, count in counts.items()}


def compare(measured, ceilings):
    """Prints the table; returns the counts that are above their ceiling or have none."""
    width = max(map(len, measured))
    print(f"{'instructions':{width}} {'measured':>10} {'ceiling':>10}")
    above = []
    for what, count in measured.items():
        ceiling = ceilings.get(what)
        if ceiling is None or count > ceiling:
            above.append(what)
        mark = "  ABOVE" if what in above else ""
        print(f"{what:{width}} {count:10.1f} {'none' if ceiling is None else ceiling:>10}{mark}")
    return above


def update(path, compiler, measured):
    ceilings = {what: math.ceil(count * MARGIN) for what, count in measured.items()}
    path.write_text(json.dumps({"compiler": compiler, "instructions": ceilings}, indent=2) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("ceilings", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    try:
        compiler, measured = measure(options.program)
    except (OSError, KeyError, ValueError, AttributeError) as problem:
        fail(f"cannot count with valgrind: {problem!r}")
    if options.update:
        update(options.ceilings, compiler, measured)
    known = json.loads(options.ceilings.read_text())
    above = compare(measured, known["instructions"])
    gone = sorted(known["instructions"].keys() - measured.keys())
    if gone:
        print("no longer counted (run with --update):", ", ".join(gone))
    if known["compiler"] != compiler:
        print(f"warning: built with {compiler}, but the ceilings are for {known['compiler']}, so they are not enforced")
        return 0
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
