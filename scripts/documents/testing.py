"""Writes the tables of docs/testing.md: the ten longest tests, and the seconds of each stage of CI.

    ./scripts/docs testing              write the table of tests from tests/seconds.txt
    ./scripts/docs testing --check      fail if it is out of date
    ./scripts/docs testing --measure    first run every test of build/release, two at a time: half an hour of processor time. Each test's
                                        seconds go to tests/seconds.txt, from which CMake takes the label `long`
    ./scripts/docs testing --measure REGEX    the same for tests with such names
    ./scripts/docs testing --stages     also write the table of stages, from what the last .ci/run here left in build/stages.txt

Measure on a quiet machine: waiting counts, too.
"""
import argparse
import concurrent.futures
import json
import os
import re
import signal
import subprocess
import sys
import time

from documents.pages import ROOT, read, settle

BUILD = os.path.join(ROOT, "build", "release")
SECONDS, STAGES = os.path.join(ROOT, "tests", "seconds.txt"), os.path.join(ROOT, "build", "stages.txt")
PAGE = "docs/testing.md"
SHOWN = 10


# ---- Measuring ----

def tests():
    """Every test of the release as ctest would start it: name, command, folder, environment."""
    listed = json.loads(subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout)
    for test in listed["tests"]:
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        environment = dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
        yield test["name"], test["command"], properties["WORKING_DIRECTORY"], environment


def measure(test):
    """Returns the name, and the seconds that the test takes; None if it fails."""
    name, command, folder, environment = test
    began = time.monotonic()
    code = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    seconds = time.monotonic() - began if code in (0, 77) else None
    print(f"{name}: failed, so its time says nothing" if seconds is None else f"{name}: {seconds:.1f} s", flush=True)
    return name, seconds


def measure_all(pattern):
    """Whether all tests passed. Tests that are not measured now keep their seconds, as long as there are such tests."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what runs in the background ignore it, and tests would inherit that
    every = list(tests())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(pool.map(measure, [test for test in every if re.search(pattern, test[0])]))
    seconds = {**dict(measured()), **{name: value for name, value in found.items() if value is not None}}
    lines = [f"{name} {seconds[name]:.1f}" for name in sorted({test[0] for test in every} & set(seconds), key=lambda name: (-seconds[name], name))]
    settle("testing", {SECONDS: "\n".join(lines) + "\n"}, check=False)
    return None not in found.values()


# ---- The page ----

def measured():
    """(name, seconds) of each test, the longest first."""
    return [(name, float(seconds)) for name, seconds in (line.split() for line in read(SECONDS).splitlines())]


def table(heads, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---", *["--:"] * (len(heads) - 1)], *rows])


def longest():
    rows = measured()
    return table(["test", "seconds"], [[f"`{name}`", f"{seconds:.0f}"] for name, seconds in rows[:SHOWN]] + [[f"all {len(rows)}", f"{sum(row[1] for row in rows):.0f}"]])


def stages():
    lines = [line.split() for line in read(STAGES).splitlines()]
    return table(["stage", "seconds"], [[f"`{name}`", "skipped" if said == ["s", "skipped"] else seconds] for name, seconds, *said in lines])


def with_table(page, name, text):
    page, n = re.subn(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", lambda match: f"{match[1]}{text}\n{match[2]}", page, flags=re.S)
    if n != 1:
        sys.exit(f"docs testing: {PAGE} has no table `{name}`")
    return page


def main():
    arguments = argparse.ArgumentParser(prog="docs testing", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--check", "--stages"):
        arguments.add_argument(option, action="store_true")
    arguments.add_argument("--measure", nargs="?", const="", metavar="REGEX")
    options = arguments.parse_args()
    all_passed = options.measure is None or measure_all(options.measure)
    page = read(os.path.join(ROOT, PAGE))
    new = with_table(page, "longest", longest())
    if options.stages:
        new = with_table(new, "stages", stages())
    wrong = settle("testing", {PAGE: new}, options.check)
    if wrong:
        sys.exit("\n".join(wrong))
    return 0 if all_passed else 1


if __name__ == "__main__":
    sys.exit(main())
