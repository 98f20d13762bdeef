"""What several of the tests need: recordings, a seed of the run, how much is to be done."""
import gzip
import json
import os
import secrets
import sys
from pathlib import Path

GOLDEN = Path(__file__).resolve().parents[2] / "tests" / "golden"
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
DIFFICULTIES = ("easy", "medium", "hard", "expert")


def seed_of_run():
    """A number that nobody knows beforehand, printed so that a failure can be repeated with SEEDBED_RUN_SEED."""
    seed = int(os.environ.get("SEEDBED_RUN_SEED") or secrets.randbelow(2**32))
    print(f"SEEDBED_RUN_SEED={seed}", file=sys.stderr, flush=True)
    return seed


def recordings(folder, pattern="*.jsonl.gz"):
    """(file, recording) of all files of recorded episodes in the folder."""
    for path in sorted(Path(folder).glob(pattern)):
        with gzip.open(path, "rt") as lines:
            for line in lines:
                recording = json.loads(line)
                if "rollouts" in recording:
                    yield path.name, recording
