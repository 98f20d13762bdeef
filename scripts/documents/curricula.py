"""Writes docs/measured/curricula.md from the results in docs/measured/curricula.json.

    ./scripts/docs curricula                  write the page
    ./scripts/docs curricula --check          fail if it is out of date (CI)
    ./scripts/docs curricula --run [JOBS]     train first, with examples/python/curriculum.py: the runs that the results lack. Some minutes
                                              of one core; needs the package seedbed
"""
import concurrent.futures
import os
import statistics
import sys

from documents import pages
from documents.pages import ROOT

RESULTS, PAGE = "docs/measured/curricula.json", "docs/measured/curricula.md"
TASKS = {"PreciseNavigation-v0": ["--difficulties", "easy,medium,hard,expert", "--size", "15"], "DynamicObstacles-v0": ["--difficulties", "easy,medium,hard"],
         "ChaseEvade-v0": ["--difficulties", "easy,medium,hard"]}
CURRICULA, SEEDS = ("uniform", "learnability", "replay", "regret"), range(5)
HEAD = """# Curricula

    ./scripts/docs curricula --run

makes this page: `examples/python/curriculum.py` trains an agent by PPO on {episodes} episodes of each difficulty, some of which nobody can win, and tests it
after each tenth of {steps} steps on {tests} others of each difficulty, without those that nobody can win, for {limit} steps. The names are drawn by the
curricula of `seedbed.curricula`; everything else is the same.

- **before**: the share of held-out episodes won before training.
- **won**: the same at the end, the mean of {seeds} seeds and its standard error.
- **mean**: the same over all tests, which tells how fast it was learned.
- **steps**: how many steps, as a share of those of uniform, the mean of the seeds needs to win as much as uniform's does at the end (straight lines
  between tests). A dash: not within the run, or uniform wins no more at the end than before.

Regret needs 0.83 to 0.85 of uniform's steps in all three tasks, which saves less than the 30 % that were hoped for, and curves are flat where they end,
so `steps` makes much of small differences of success. By the mean over all tests regret and learnability are better than uniform in ChaseEvade, where
untrained agents win nothing, and in no other task; replay of levels is never better.
"""


def path(name):
    return os.path.join(ROOT, name)


# ---- Running ----

def example():
    sys.path.insert(0, path("examples/python"))
    import curriculum
    return curriculum


def play(task, kind, seed):
    """The shares of held-out episodes that one run has won."""
    return example().main(example().arguments().parse_args(["--task", task, "--curriculum", kind, "--seed", str(seed), *TASKS[task]]))


def run(jobs):
    args = example().arguments().parse_args([])
    results = pages.load(path(RESULTS), {"runs": {}})
    results["setting"] = {"episodes": args.episodes, "tests": args.tests, "limit": args.limit, "steps": args.updates * args.steps * args.environments}
    runs = results["runs"]
    missing = [(task, kind, seed) for seed in SEEDS for task in TASKS for kind in CURRICULA if str(seed) not in runs.get(task, {}).get(kind, {})]
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(play, *one): one for one in missing}
        for done in concurrent.futures.as_completed(waiting):
            task, kind, seed = waiting[done]
            runs.setdefault(task, {}).setdefault(kind, {})[str(seed)] = [round(share, 4) for share in done.result()]
            pages.save(path(RESULTS), results)


# ---- The page ----

def reached(curve, target):
    """At which share of the run a curve first reaches the target; None: never."""
    for i, share in enumerate(curve):
        if share >= target:
            before = curve[i - 1] if i else share
            return (i - (share - target) / (share - before) if share > before else i) / (len(curve) - 1)
    return None


def row(kind, runs, uniform):
    curve, target = [statistics.mean(at) for at in zip(*runs)], uniform[-1]
    ends = [one[-1] for one in runs]
    here, there = reached(curve, target), reached(uniform, target)
    error = statistics.stdev(ends) / len(ends) ** 0.5
    steps = format(here / there, ".2f") if here is not None and there else "-"
    return f"| {kind} | {curve[0]:.2f} | {curve[-1]:.2f} ± {error:.2f} | {statistics.mean(curve[1:]):.2f} | {steps} |"


def page(results):
    lines = [HEAD.format(seeds=len(SEEDS), **results["setting"])]
    for task, options in TASKS.items():
        runs = {kind: [*results["runs"][task][kind].values()] for kind in CURRICULA}
        uniform = [statistics.mean(at) for at in zip(*runs["uniform"])]
        lines += [f"## {task}, {options[1].replace(',', ', ')}", "", "| curriculum | before | won | mean | steps |", "|---|---|---|---|---|"]
        lines += [*(row(kind, runs[kind], uniform) for kind in CURRICULA), ""]
    return "\n".join(lines)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--run"] and all(jobs.isdigit() for jobs in arguments[1:]):
        run(int(arguments[1]) if arguments[1:] else 1)
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong = pages.settle("curricula", {PAGE: page(pages.load(path(RESULTS)))}, arguments == ["--check"])
    if wrong:
        sys.exit("\n".join(wrong))
