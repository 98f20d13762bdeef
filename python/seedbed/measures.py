"""What episodes demand, in numbers: the atlas of difficulty (docs/atlas.md)."""
from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _seedbed
from .selection import Pack, Selection, Texts, selected


def atlas(episodes: Selection | Pack | Texts, *, where: str | None = None, jobs: int = 0) -> dict[str, npt.NDArray[Any]]:
    """Measures episodes. Returns a column for each measure, and the column `episode` with the names.

    episodes: as for `evaluate`: a Selection, a Pack, or names.
    where: only episodes that are so, such as "steps >= 20 and random < 0.05". Measures that it does not read may be left out.
    jobs: workers; 0: one a processor.

    Columns are float64, and NaN where there is no value. They are what NumPy, pandas, polars and pyarrow take:
    `pandas.DataFrame(seedbed.atlas(...))`. An interruption waits for the episodes that are being measured. InvalidError says which
    part is wrong; of a demand, in which column.
    """
    lines = [json.loads(line) for line in _seedbed._measure(selected(episodes), where, jobs).splitlines()]
    columns: dict[str, npt.NDArray[Any]] = {"episode": np.array([line["episode"] for line in lines], dtype=np.str_)}
    for name in _seedbed._measures():
        columns[name] = np.array([np.nan if line[name] is None else line[name] for line in lines], dtype=np.float64)
    return columns
