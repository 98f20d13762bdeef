"""Measures the package against the library in one run: `python speed.py SEEDBED-BENCH` with that program's path.

The two take turns, so that what else the machine does meets both; a share is the median of the rounds' shares.
"""
import argparse
import json
import statistics
import subprocess
import time

import numpy

from seedbed.vector import make_vec

CROWD = 1024  # as in seedbed-bench
TASKS = ("GoToGoal/easy", "KeyDoorPuzzle/easy", "KeyDoorPuzzle/expert", "babyai:GoToLocal", "babyai:GoTo", "babyai:BossLevel")


def steps_per_second(vec, actions, seconds):
    """Steps that environments took; the beginnings of episodes are none."""
    steps, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < seconds:
        for row in actions:
            _, _, terminations, truncations, _ = vec.step(row)
            steps += vec.num_envs - numpy.count_nonzero(terminations | truncations)
    return steps / spent


class Vector:
    """Steps of a vector a second."""

    def __init__(self, task, threads=1, **options):
        self.vec = make_vec(task, CROWD, threads=threads, **options)
        self.vec.reset(seed=0)
        self.actions = numpy.random.default_rng(0).integers(0, self.vec.n_actions, (16, CROWD))

    def rate(self, seconds):
        return steps_per_second(self.vec, self.actions, seconds)


def batch_rate(bench, task, what, seconds):
    """What seedbed-bench measures."""
    family, _, name = task.rpartition(":")
    name, _, difficulty = name.partition("/")
    command = [bench, "--family", family or "agentick", "--tasks", name, "--what", what, "--seconds", str(seconds), "--rounds", "1", "--json"]
    found = subprocess.run(command + (["--difficulty", difficulty] if difficulty else []), check=True, capture_output=True).stdout
    return json.loads(found)["measurements"][0]["per_second"]


def measure_vectors(bench, tasks, seconds, rounds):
    """Vectors beside the C batch, both with all arrays and without, in one thread."""
    kinds = {"arrays": ("batch in 1 thread + arrays", {"obs": "arrays"}),
             "arrays, copy=False": ("batch in 1 thread + arrays", {"obs": "arrays", "copy": False}),
             "default": ("batch in 1 thread + arrays", {}),
             "none": ("batch in 1 thread", {"obs": "none"})}
    for task in tasks:
        vectors = {kind: Vector(task, **options) for kind, (_, options) in kinds.items()}
        shares, rates = {kind: [] for kind in kinds}, {kind: [] for kind in kinds}
        for _ in range(rounds):
            batch = {what: batch_rate(bench, task, what, seconds) for what in {what for what, _ in kinds.values()}}
            for kind, (what, _) in kinds.items():
                rates[kind].append(vectors[kind].rate(seconds))
                shares[kind].append(rates[kind][-1] / batch[what])
        for kind in kinds:
            print(f"{task:22} {kind:20} {statistics.median(rates[kind]) / 1e3:8.0f} k/s {statistics.median(shares[kind]):6.2f} of the batch")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bench", help="the program seedbed-bench")
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    measure_vectors(arguments.bench, arguments.tasks.split(","), arguments.seconds, arguments.rounds)


if __name__ == "__main__":
    main()
