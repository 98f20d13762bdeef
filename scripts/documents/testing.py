"""Writes the tables of docs/testing.md: the ten longest tests, and the seconds of each stage of CI.

    ./scripts/docs testing              write the table of tests from tests/seconds.txt
    ./scripts/docs testing --check      fail if it is out of date
    ./scripts/docs testing --measure    first run every test of build/release, two at a time: half an hour of processor time. Each test's
                                        seconds go to tests/seconds.txt, from which CMake takes the label `long`
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

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build", "release")
SECONDS, STAGES = os.path.join(ROOT, "tests", "seconds.txt"), os.path.join(ROOT, "build", "stages.txt")
PAGE = os.path.join(ROOT, "docs", "testing.md")
SHOWN = 10


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# ---- Measuring ----

def tests():
    """Every test of the release as ctest would start it: name, command, folder, environment."""
    listed = json.loads(subprocess.run(["ctest", "--test-dir", BUILD, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout)
    for test in listed["tests"]:
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        environment = dict(item.split("=", 1) for item in properties.get("ENVIRONMENT", []))
        yield test["name"], test["command"], properties["WORKING_DIRECTORY"], environment


def measure(test):
    """Returns the name, and the seconds that the test takes, and those of a processor."""
    name, command, folder, environment = test
    began = time.monotonic()
    with subprocess.Popen(command, cwd=folder, env={**os.environ, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
    if process.returncode not in (0, 77):
        sys.exit(f"docs testing: {name} failed: its time says nothing")
    return name, time.monotonic() - began, usage.ru_utime + usage.ru_stime


def measure_all():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what runs in the background ignore it, and tests would inherit that
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = list(pool.map(measure, tests()))
    lines = [f"{name} {wall:.1f} {processor:.1f}" for name, wall, processor in sorted(found, key=lambda item: (-item[1], item[0]))]
    write(SECONDS, "\n".join(lines) + "\n")


# ---- The page ----

def measured():
    """(name, seconds, seconds of a processor) of each test, the longest first."""
    return [(name, float(wall), float(processor)) for name, wall, processor in (line.split() for line in read(SECONDS).splitlines())]


def table(heads, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [heads, ["---", *["--:"] * (len(heads) - 1)], *rows])


def longest():
    rows = measured()
    return table(["test", "seconds", "of a processor"],
                 [[f"`{name}`", f"{wall:.0f}", f"{processor:.0f}"] for name, wall, processor in rows[:SHOWN]] +
                 [[f"all {len(rows)}", f"{sum(row[1] for row in rows):.0f}", f"{sum(row[2] for row in rows):.0f}"]])


def stages():
    return table(["stage", "seconds"], [[f"`{line[0]}`", line[1]] for line in map(str.split, read(STAGES).splitlines())])


def with_table(page, name, text):
    page, n = re.subn(rf"(<!-- table: {name} -->\n).*?(<!-- end -->)", lambda match: f"{match[1]}{text}\n{match[2]}", page, flags=re.S)
    if n != 1:
        sys.exit(f"docs testing: {PAGE} has no table `{name}`")
    return page


def main():
    arguments = argparse.ArgumentParser(prog="docs testing", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--check", "--measure", "--stages"):
        arguments.add_argument(option, action="store_true")
    options = arguments.parse_args()
    if options.measure:
        measure_all()
    page = read(PAGE)
    new = with_table(page, "longest", longest())
    if options.stages:
        new = with_table(new, "stages", stages())
    if not options.check:
        write(PAGE, new)
    elif new != page:
        sys.exit("docs testing: docs/testing.md is out of date: ./scripts/docs testing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
