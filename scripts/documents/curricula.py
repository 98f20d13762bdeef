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

Regret needs {least:.2f} to {most:.2f} of uniform's steps in all three tasks, which saves less than the 30 % that were hoped for, and curves are flat where they end,
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


def mean_curve(results, task, kind):
    return [statistics.mean(at) for at in zip(*results["runs"][task][kind].values())]


def share_of_steps(curve, uniform):
    """The steps that a curve needs to uniform's end, as a share of uniform's; None: it does not get there, or there is no way."""
    here, there = reached(curve, uniform[-1]), reached(uniform, uniform[-1])
    return here / there if here is not None and there else None


def row(kind, runs, uniform):
    curve, ends = [statistics.mean(at) for at in zip(*runs)], [one[-1] for one in runs]
    error = statistics.stdev(ends) / len(ends) ** 0.5
    share = share_of_steps(curve, uniform)
    steps = "-" if share is None else format(share, ".2f")
    return f"| {kind} | {curve[0]:.2f} | {curve[-1]:.2f} ± {error:.2f} | {statistics.mean(curve[1:]):.2f} | {steps} |"


def regret(results):
    """The least and the most steps of regret, as shares of uniform's. The page's judgement has to be true of the results."""
    mean = {(task, kind): statistics.mean(mean_curve(results, task, kind)[1:]) for task in TASKS for kind in CURRICULA}
    better = {(task, kind) for task, kind in mean if round(mean[task, kind], 2) > round(mean[task, "uniform"], 2)}
    shares = [share_of_steps(mean_curve(results, task, "regret"), mean_curve(results, task, "uniform")) for task in TASKS]
    if None in shares or min(shares) <= 0.7 or better != {("ChaseEvade-v0", "regret"), ("ChaseEvade-v0", "learnability")}:
        sys.exit("docs curricula: what the page says of regret, learnability and replay is not true of these results")
    return {"least": min(shares), "most": max(shares)}


def page(results):
    lines = [HEAD.format(seeds=len(SEEDS), **results["setting"], **regret(results))]
    for task, options in TASKS.items():
        runs = {kind: [*results["runs"][task][kind].values()] for kind in CURRICULA}
        uniform = mean_curve(results, task, "uniform")
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
