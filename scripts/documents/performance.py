"""Writes docs/measured/performance.md: how fast it is on this machine.

    ./scripts/docs performance            measure (five minutes; let nothing else run), and write the page
    ./scripts/docs performance --quick    measure for a moment only, to see that everything works, and print the page

The programs are those of build/release.
"""
import os
import platform
import shlex
import subprocess
import sys

from documents import pages
from documents.pages import ROOT

PAGE = "docs/measured/performance.md"
BENCH = "build/release/bench/seedbed-bench"
FLOOR = "build/release/bench/seedbed-bench-floor"
SIXTEEN = "easy,medium,hard,very_hard"  # categories of BabyBench's levels
# Title, command, and whether it takes --seconds and --rounds.
PARTS = [
    ("A gridworld, at every difficulty", [BENCH, "--tasks", "GoToGoal,KeyDoorPuzzle"], True),
    ("All gridworlds at medium", [BENCH, "--difficulty", "medium", "--what", "reset,step,step + ascii,step + structured,step + mask,fill,decide,relabel"], True),
    ("Levels of BabyBench", [BENCH, "--family", "babyai", "--category", SIXTEEN, "--what", "reset,step,step + ascii,step + view7,step + full"], True),
    ("Multi-level games", [BENCH, "--family", "arc", "--difficulty", "full", "--what", "step,step + frame"], True),
    ("Batches", [BENCH, "--tasks", "KeyDoorPuzzle", "--difficulty", "medium", "--what", "one by one,batch in 1 thread,batch in 2 threads,one by one + arrays,"
                 "batch in 1 thread + arrays,batch in 2 threads + arrays"], True),
    ("Pictures", [BENCH, "--tasks", "KeyDoorPuzzle", "--difficulty", "medium", "--what", "step + paint flat 8,step + paint flat 16,step + paint isometric 128,"
                  "paint isometric 128 anew"], True),
    ("How near to the floor", [FLOOR], False),
]


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), platform.machine())


def compiler():
    return subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout.splitlines()[0]


def tables(text):
    """The tables of an output; if it has one for each of many tasks, only that of their medians."""
    all_ = [table for table in text.strip().split("\n\n") if table.startswith("| ")]
    medians = [table for table in all_ if table.startswith("| median")]
    return medians[:1] if medians and len(all_) > 4 else all_


def part(title, command, is_timed, quick):
    if is_timed:
        timed = ["--seconds", "0.01", "--rounds", "1"] if quick else ["--seconds", "0.05", "--rounds", "3"]
    else:
        timed = ["0", "GoToGoal"] if quick else []
    done = subprocess.run([*command, *timed], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"docs performance: {shlex.join(command)}: {done.stderr.strip()}")
    return "\n\n".join([f"## {title}", f"    {shlex.join([*command, *timed])}", *tables(done.stdout)])


def page(quick):
    head = f"""# Performance, measured

    ./scripts/docs performance

writes this page. [performance.md](../performance.md) says what each line means. Measured on {os.cpu_count()} processors ({processor()}), with
{compiler()}, preset `release`, under a load of {os.getloadavg()[0]:.1f} at the start."""
    return "\n\n".join([head, *(part(*each, quick) for each in PARTS)]) + "\n"


def main():
    quick = sys.argv[1:] == ["--quick"]
    if sys.argv[1:] and not quick:
        sys.exit(__doc__)
    text = page(quick)
    if quick:
        print(text, end="")
        return 0
    pages.settle("performance", {PAGE: text}, check=False)
    return 0
