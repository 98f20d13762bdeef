"""Seedbed: hashed seeds become episodes of small worlds, which oracles solve.

    import seedbed

    env = seedbed.make("KeyDoorPuzzle-v0/medium#42", obs="language")
    observation, info = env.reset()
    while not env.done:
        observation, reward, terminated, truncated, info = env.step(env.expert_action())

make, make_vec: environments for Gymnasium, one or many. wrappers: pixels as the published agents see them.
families, tasks, list_tasks, modes, looks, oracles: what there is. gym_id, from_gym_id, register, register_minigrid_ids: ids for Gymnasium.
select, seeds, official_pack, derive_pack, load_pack, load_challenges, Mixture: which episodes. load_program: tasks of your own.
curricula: which episodes an agent learns from next.
rollouts, Episodes, rows, build, to_parquet, replay, verify: episodes that were played, and datasets of them.
arc: agents of the ARC-AGI-3 framework play multi-level games. textplay: language models play, in other frameworks, too.
evaluate, load_result, merge_results, normalise: how well a policy does.

The page docs/python.md of the repository explains them. Errors are exceptions below `seedbed.Error`.
"""
from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from . import ids as _ids
from ._seedbed import __version__ as __version__

if TYPE_CHECKING:  # the same names as in _HOMES, for type checkers and editors
    from . import arc as arc, curricula as curricula, spaces as spaces, textplay as textplay, wrappers as wrappers
    from ._errors import (ActionError as ActionError, Error as Error, FinishedError as FinishedError, InvalidError as InvalidError,
                          MismatchError as MismatchError, UnknownError as UnknownError, VersionError as VersionError)
    from .api import API as API, Cost as Cost, Entity as Entity, Hint as Hint, Player as Player, Thing as Thing
    from .data import (Column as Column, Episode as Episode, Episodes as Episodes, Rows as Rows, build as build, main as main,
                       replay as replay, rollouts as rollouts, rows as rows, verify as verify)
    from .env import Env as Env, make as make
    from .evaluation import evaluate as evaluate
    from .ids import (from_gym_id as from_gym_id, gym_id as gym_id, register as register,
                      register_minigrid_ids as register_minigrid_ids)
    from .listing import (LookInfo as LookInfo, ModeInfo as ModeInfo, Name as Name, TaskInfo as TaskInfo, families as families,
                          list_tasks as list_tasks, looks as looks, modes as modes, oracles as oracles, parse_name as parse_name, rules as rules, tasks as tasks)
    from .measures import atlas as atlas, bins as bins
    from .parquet import to_parquet as to_parquet
    from .results import (Efficiency as Efficiency, Effort as Effort, Estimates as Estimates, FamilyResult as FamilyResult, Loss as Loss, Played as Played, Remark as Remark, Result as Result, Score as Score,
                          Solvable as Solvable, Tally as Tally, TestScores as TestScores, Tested as Tested, load_result as load_result, merge_results as merge_results,
                          normalise as normalise)
    from ._seedbed import Pack as Pack, Selection as Selection
    from .scoring import ActionScore as ActionScore, score_action as score_action, score_row as score_row
    from .scratchpad import Scratchpad as Scratchpad
    from .selection import (Challenges as Challenges, Mixture as Mixture, derive_pack as derive_pack, eval_seeds as eval_seeds,
                            load_challenges as load_challenges, load_pack as load_pack, load_program as load_program,
                            official_pack as official_pack, seeds as seeds, select as select, train_seeds as train_seeds)
    from .vector import VecEnv as VecEnv, make_vec as make_vec

# Where everything is. A module is imported when one of its names is first touched, so that `import seedbed` needs no NumPy and
# no Gymnasium.
_HOMES = {
    "env": "Env make",
    "vector": "VecEnv make_vec",
    "listing": "LookInfo ModeInfo Name TaskInfo families list_tasks looks modes oracles parse_name rules tasks",
    "ids": "from_gym_id gym_id register register_minigrid_ids",
    "api": "API Cost Entity Hint Player Thing",
    "selection": "Challenges Mixture Pack Selection derive_pack eval_seeds load_challenges load_pack load_program official_pack seeds select train_seeds",
    "data": "Column Episode Episodes Rows build main replay rollouts rows verify",
    "measures": "atlas bins",
    "parquet": "to_parquet",
    "evaluation": "evaluate",
    "results": "Efficiency Effort Estimates FamilyResult Loss Played Remark Result Score Solvable Tally TestScores Tested load_result merge_results normalise",
    "scoring": "ActionScore score_action score_row",
    "scratchpad": "Scratchpad",
    "_errors": "ActionError Error FinishedError InvalidError MismatchError UnknownError VersionError",
}
_LAZY = {name: home for home, names in _HOMES.items() for name in names.split()} | {"arc": "", "curricula": "", "spaces": "", "textplay": "", "wrappers": ""}
# The adaptors' classes. They are listed once their framework is imported, and never import it by themselves.
_ADAPTORS = {name: "adaptors.verifiers" for name in ("SeedbedEnv", "SeedbedHarness", "SeedbedTaskset")}

if not TYPE_CHECKING:  # a type checker would take every name for one of the package's

    def __getattr__(name: str) -> Any:
        if name == "__all__":  # what help() explains, and frameworks that take a package for a plugin look into
            return [*_LAZY, *(name for name, home in _ADAPTORS.items() if home.rpartition(".")[2] in sys.modules)]
        home = _LAZY.get(name, _ADAPTORS.get(name))
        if home is None:
            raise AttributeError(f"module 'seedbed' has no attribute {name!r}")
        module = importlib.import_module(f".{home or name}", __name__)
        value = globals()[name] = getattr(module, name) if home else module
        return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("_")), *_LAZY})


_ids._register_if_loaded()
