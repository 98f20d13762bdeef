"""What several of the tests need: recordings, a seed of the run, how much is to be done, memory that is left behind."""
import gc
import gzip
import json
import os
import secrets
import sys
import unittest
from pathlib import Path

import gymnasium
import numpy

import seedbed

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
DIFFICULTIES = ("easy", "medium", "hard", "expert")


def seed_of_run():
    """A number that nobody knows beforehand, printed so that a failure can be repeated with SEEDBED_RUN_SEED."""
    seed = int(os.environ.get("SEEDBED_RUN_SEED") or secrets.randbelow(2**32))
    print(f"SEEDBED_RUN_SEED={seed}", file=sys.stderr, flush=True)
    return seed


def some(rng, items, n, nightly=None):
    """So many of them, other ones at each run; nightly all, or as many as that."""
    items, n = [*items], (nightly or sys.maxsize) if NIGHTLY else n
    return items if n >= len(items) else [items[i] for i in sorted(rng.choice(len(items), n, replace=False))]


def ids_to_play():
    """All ids at Gymnasium but those whose episodes take long to find, or do not exist for every seed."""
    derived = {seedbed.gym_id(f"{task.family}:{task.name}/{difficulty}") for task in seedbed.tasks() for difficulty in task.derived}
    return [id for id in gymnasium.registry if id.startswith("seedbed/") and id not in derived]


def recordings(folder, pattern="*.jsonl.gz"):
    """(file, recording) of all files of recorded episodes in the folder."""
    for path in sorted(Path(folder).glob(pattern)):
        with gzip.open(path, "rt") as lines:
            for line in lines:
                recording = json.loads(line)
                if "rollouts" in recording:
                    yield path.name, recording


def blocks_left(work, before, n):
    """Blocks of memory that n calls leave behind, after some calls before."""
    for _ in range(before):
        work()
    gc.collect()
    blocks = sys.getallocatedblocks()
    for _ in range(n):
        work()
    gc.collect()
    return sys.getallocatedblocks() - blocks


class Leaks(unittest.TestCase):
    def assert_keeps_nothing(self, work, before, n, allowed):
        """A cache or one of Python's free lists stops growing; a leak grows each time. So only what still grows after some rounds counts."""
        left = [blocks_left(work, before, n)]
        while left[-1] >= allowed and len(left) < 8:
            left.append(blocks_left(work, before, n))
        self.assertLess(left[-1], allowed, f"blocks left behind in turn: {left}")


class Same(unittest.TestCase):
    def same(self, ours, theirs, where=""):
        """Equal values of the same kinds."""
        if isinstance(theirs, dict):
            self.assertIsInstance(ours, dict, where)
            self.assertEqual(set(ours), set(theirs), where)
            for key in theirs:
                self.same(ours[key], theirs[key], f"{where}/{key}")
        elif isinstance(theirs, numpy.ndarray):
            self.assertIsInstance(ours, numpy.ndarray, where)
            self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, theirs.shape), where)
            if theirs.dtype == object:
                for i, (a, b) in enumerate(zip(ours, theirs)):
                    self.same(a, b, f"{where}[{i}]")
            else:
                numpy.testing.assert_array_equal(ours, theirs, where)
        elif isinstance(theirs, (tuple, list)):
            self.assertIs(type(ours), type(theirs), where)
            self.assertEqual(len(ours), len(theirs), where)
            for i, (a, b) in enumerate(zip(ours, theirs)):
                self.same(a, b, f"{where}[{i}]")
        else:
            self.assertEqual((type(ours), ours), (type(theirs), theirs), where)
