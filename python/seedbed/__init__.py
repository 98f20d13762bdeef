"""Seedbed: hashed seeds become episodes of small worlds.

    import seedbed
    env = seedbed.make("KeyDoorPuzzle-v0/medium#42")
    observation, info = env.reset()

NumPy and Gymnasium are imported when something that needs them is first touched, not before.
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from . import ids as _ids
from ._errors import ActionError, Error, FinishedError, InvalidError, MismatchError, UnknownError, VersionError
from ._seedbed import __version__
from .ids import from_gym_id, gym_id, register, register_minigrid_ids
from .listing import ModeInfo, Name, TaskInfo, families, list_tasks, modes, oracles, parse_name, rules, tasks

# For type checkers: the same names as in _HOMES.
if TYPE_CHECKING:
    from . import spaces as spaces
    from .env import Env as Env, make as make
    from .vector import VecEnv as VecEnv, make_vec as make_vec
    from .api import API as API, Entity as Entity, Hint as Hint, Player as Player, Thing as Thing
    from .selection import (
        Pack as Pack, Selection as Selection, derive_pack as derive_pack, eval_seeds as eval_seeds, load_pack as load_pack,
        official_pack as official_pack, seeds as seeds, select as select, train_seeds as train_seeds)
    from .data import (
        Column as Column, Episode as Episode, Episodes as Episodes, Rows as Rows, build as build, main as main, replay as replay,
        rollouts as rollouts, rows as rows, verify as verify)
    from .parquet import to_parquet as to_parquet
    from .evaluation import (
        FamilyResult as FamilyResult, Loss as Loss, Played as Played, Result as Result, Score as Score, Solvable as Solvable,
        Tally as Tally, evaluate as evaluate, load_result as load_result, normalise as normalise)

# Where the rest is: imported when it is first touched.
_HOMES = {
    "env": "Env make",
    "vector": "VecEnv make_vec",
    "api": "API Entity Hint Player Thing",
    "selection": "Pack Selection derive_pack eval_seeds load_pack official_pack seeds select train_seeds",
    "data": "Column Episode Episodes Rows build main replay rollouts rows verify",
    "parquet": "to_parquet",
    "evaluation": "FamilyResult Loss Played Result Score Solvable Tally evaluate load_result normalise",
}
_LAZY = {name: home for home, names in _HOMES.items() for name in names.split()} | {"spaces": ""}


def __getattr__(name: str) -> Any:
    home = _LAZY.get(name)
    if home is None:
        raise AttributeError(f"module 'seedbed' has no attribute {name!r}")
    module = importlib.import_module(f".{home or name}", __name__)
    value = getattr(module, name) if home else module
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY} - {"Any", "TYPE_CHECKING", "annotations", "importlib"})


_ids._register_if_loaded()
