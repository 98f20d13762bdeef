"""Measures the package against the library in one run: `python speed.py BIN`, with the folder that seedbed and bench/seedbed-bench are in.

Each line of the table is a ratio: how fast something is through Python beside the same in C, or beside another way in Python. The
two take turns, and processor time is measured, so that what else the machine does meets both. The ratio is the median of the
rounds' ratios; in brackets is that of the two best rounds.

`--check` fails if a ratio of best rounds stays below its target, after it was measured again with more rounds. It is for a person
to run, not for CI.
"""
import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache, partial
from typing import Callable

import numpy

import seedbed

CROWD = 1024  # environments, as in seedbed-bench
AGENTICK = ("GoToGoal/easy", "GoToGoal/expert", "KeyDoorPuzzle/easy", "KeyDoorPuzzle/expert")
BABYAI = ("babyai:GoToLocal", "babyai:GoTo", "babyai:BossLevel")
AGAIN = 3  # how often --check measures again


@dataclass
class Line:
    """A ratio. Both functions take seconds and return a rate; `target` None: there is none."""

    what: str
    task: str
    ours: Callable[[float], float]
    theirs: Callable[[float], float]
    target: float | None


def rate(work, seconds):
    """How much of it is done a second; `work` returns how much it did."""
    done, began = 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        done += work()
    return done / spent


# ---- In Python ----


def steps(env):
    """A portion of random actions; an episode that ends is followed by the next."""
    actions = [int(action) for action in numpy.random.default_rng(0).integers(0, env.n_actions, 500)]
    env.reset(seed=0)

    def work():
        step = env.step
        for action in actions:
            ended = step(action)
            if ended[2] or ended[3]:
                env.reset()
        return len(actions)

    return work


def crowd(vec, n=16):
    """Rounds of random actions; steps are counted, and beginnings of episodes are none."""
    actions = numpy.random.default_rng(0).integers(0, vec.n_actions, (n, vec.num_envs))
    vec.reset(seed=0)

    def work():
        taken = 0
        for row in actions:
            _, _, terminations, truncations, _ = vec.step(row)
            taken += vec.num_envs - numpy.count_nonzero(terminations | truncations)
        return taken

    return work


def crowd_of_one(vec):
    """The same in one environment, with as little as possible around the steps."""
    actions = [*numpy.random.default_rng(0).integers(0, vec.n_actions, (500, 1))]
    vec.reset(seed=0)

    def work():
        step = vec.step
        for row in actions:
            ended = step(row)
            if ended[2] or ended[3]:
                pass
        return len(actions)

    return work


def of_env(task, **options):
    return partial(rate, steps(seedbed.make(task, info="lean", **options)))


def of_clock(work, seconds):
    """The same by the clock on the wall."""
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        done += work()
    return done / spent


def of_vec(task, n=CROWD, **options):
    return partial(rate, crowd(seedbed.make_vec(task, n, **options)))


def of_one(task, **options):
    return partial(rate, crowd_of_one(seedbed.make_vec(task, 1, **options)))


def resets(task):
    env, seed = seedbed.make(task, obs="none", info="lean"), iter(range(10**9))

    def work():
        for _ in range(100):
            env.reset(seed=next(seed))
        return 100

    return partial(rate, work)


def rows(task):
    """Rows of format `steps`, episodes solved and rendered: what a build does, without files."""
    name, _, difficulty = task.partition("/")
    source = seedbed.rows(seedbed.select(tasks=name, difficulty=difficulty, split="train", count=200), "steps", evaluation="keep")
    return partial(rate, lambda: sum(1 for _ in source))


def copies(task, how):
    env, scratch = seedbed.make(task, obs="none"), seedbed.make(task, obs="none")
    env.reset(seed=0)
    one = (lambda: scratch.copy_from(env)) if how == "copy_from" else env.clone
    return partial(rate, lambda: sum(1 for _ in range(100) if one() is None or True))


# ---- In C ----


@cache
def options_of(task):
    family, _, name = task.rpartition(":")
    name, _, difficulty = name.partition("/")
    return ["--family", family or "agentick", "--tasks", name, *(["--difficulty", difficulty] if difficulty else [])]


def spent_by_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def of_c(folder, task, what, seconds):
    """What seedbed-bench measures. It measures batches by the clock on the wall: they have one thread here, so the part of the
    time in which that had a processor makes processor time of it."""
    command = [os.path.join(folder, "bench", "seedbed-bench"), *options_of(task), "--what", what, "--seconds", str(seconds), "--rounds", "1", "--json"]
    began, before = time.perf_counter(), spent_by_children()
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["measurements"]
    share = (spent_by_children() - before) / (time.perf_counter() - began) if what.startswith("batch") else 1
    return next(m["per_second"] for m in found if m["what"] == what) / share


EPISODES = {"tasks": "KeyDoorPuzzle", "difficulty": "medium", "seeds": "0..999"}


def evaluate_here(seconds):
    began = time.process_time()
    seedbed.evaluate("expert", EPISODES).table()
    return 1 / (time.process_time() - began)


def evaluate_there(folder, seconds):
    began = spent_by_children()
    command = [os.path.join(folder, "seedbed"), "eval", "--agent", "expert", "--jobs", "1"]
    for key, value in EPISODES.items():
        command += [f"--{key}", value]
    subprocess.run(command, check=True, capture_output=True)
    return 1 / (spent_by_children() - began)


def imports():
    """Milliseconds of processor time that `import seedbed` takes, alone and after NumPy and Gymnasium (with all ids)."""
    def spent(before, code):
        program = f"import time\n{before}\nt = time.process_time()\n{code}\nprint(time.process_time() - t)"
        return min(float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout) for _ in range(7)) * 1e3

    return spent("", "import seedbed"), spent("import numpy, gymnasium", "import seedbed, seedbed.env, seedbed.vector; seedbed.register()")


# ---- The table ----


def lines(folder, tasks):
    c = partial(partial, of_c, folder)
    for task in tasks:
        agentick = ":" not in task
        easy = task.endswith("easy")
        yield Line("Env.step, no observation", task, of_env(task, obs="none"), c(task, "step"), 0.06)
        if agentick:
            yield Line("Env.step, ascii", task, of_env(task, obs="ascii"), c(task, "step + ascii"), 0.2 if easy else 0.4)
        batch = c(task, "batch in 1 thread + arrays")
        yield Line("Vec 1024, arrays", task, of_vec(task, obs="arrays"), batch, 0.8)
        yield Line("Vec 1024, arrays, copy=False", task, of_vec(task, obs="arrays", copy=False), batch, 0.8)
        yield Line("Vec 1024, no observation", task, of_vec(task, obs="none"), c(task, "batch in 1 thread"), None)
        if not agentick:
            yield Line("Vec 1024, minigrid beside arrays", task, of_vec(task, obs="minigrid"), of_vec(task, obs="arrays"), 0.8)
        painted = c(task, f"step + paint {'flat' if agentick else 'view'} 8")
        yield Line("Env.step, pixels", task, of_env(task, obs="pixels"), painted, 0.4)
        for n, target in ((64, 0.6), (CROWD, None)):  # a thousand pictures do not fit into the cache
            yield Line(f"Vec {n}, pixels", task, of_vec(task, n, obs="pixels"), painted, target)
        for obs in ("arrays", "ascii"):
            yield Line(f"Vec of 1 beside Env.step, {obs}", task, of_one(task, obs=obs), of_env(task, obs=obs), None)
        yield Line("Env.step, arrays beside none", task, of_env(task, obs="arrays"), of_env(task, obs="none"), None)
        yield Line("reset(seed=), no observation", task, resets(task), c(task, "reset"), 0.5 if task == "KeyDoorPuzzle/easy" else None)
        if agentick:
            yield Line("rows of `steps` beside a build", task, rows(task), c(task, "build + gzip 1"), None)
    yield Line("copy_from beside Env.step", "KeyDoorPuzzle/easy", copies("KeyDoorPuzzle/easy", "copy_from"), of_env("KeyDoorPuzzle/easy", obs="none"), None)
    yield Line("clone beside copy_from", "KeyDoorPuzzle/easy", copies("KeyDoorPuzzle/easy", "clone"), copies("KeyDoorPuzzle/easy", "copy_from"), None)
    yield Line("evaluate beside the command", "KeyDoorPuzzle/medium", evaluate_here, partial(evaluate_there, folder), 0.95)


def two_threads(tasks, seconds):
    """How much faster two threads are than one, by the clock: worth measuring when two processors are free."""
    for task in tasks:
        one, two = (crowd(seedbed.make_vec(task, CROWD, obs="arrays", threads=n)) for n in (1, 2))
        yield Line("Vec 1024, arrays, 2 threads", task, partial(of_clock, two), partial(of_clock, one), 1.7)


def measure(line, seconds, rounds):
    """The rates of both, round by round."""
    line.ours(seconds / 10)
    return [(line.ours(seconds), line.theirs(seconds)) for _ in range(rounds)]


def best_of(rates):
    return max(ours for ours, _ in rates) / max(theirs for _, theirs in rates)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="where seedbed and bench/seedbed-bench are")
    parser.add_argument("--tasks", default=",".join(AGENTICK + BABYAI))
    parser.add_argument("--only", default="", help="measure only lines whose names hold this text")
    parser.add_argument("--seconds", type=float, default=0.1, help="processor time of a measurement in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--two-threads", action="store_true", help="measure what a second thread brings, which needs two free processors")
    parser.add_argument("--check", action="store_true", help="fail if a target is missed")
    arguments = parser.parse_args()
    tasks, missed = arguments.tasks.split(","), 0
    print(f"{'':36}{'':22}{'a second':>12}{'ratio':>8}{'(best)':>9}{'target':>8}")
    for line in two_threads(tasks, arguments.seconds) if arguments.two_threads else lines(arguments.folder, tasks):
        if arguments.only not in line.what:
            continue
        rates = measure(line, arguments.seconds, arguments.rounds)
        for _ in range(AGAIN if arguments.check and line.target else 0):
            if best_of(rates) < line.target:
                rates += measure(line, arguments.seconds * 2, arguments.rounds)
        is_missed = line.target is not None and best_of(rates) < line.target
        missed += is_missed
        print(f"{line.what:36}{line.task:22}{statistics.median(ours for ours, _ in rates):12,.0f}{statistics.median(a / b for a, b in rates):8.3f}"
              f" ({best_of(rates):6.3f}){f'{line.target:8.2f}' if line.target else ' ' * 8}{'  missed' if is_missed else ''}", flush=True)
    if not arguments.two_threads and not arguments.only:
        alone, after = imports()
        print(f"import seedbed: {alone:.1f} ms alone (target 20), {after:.1f} ms after NumPy and Gymnasium, with all ids (target 30)")
    return 1 if arguments.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
