"""What episodes demand, in numbers: the atlas of difficulty (docs/atlas.md)."""
from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _seedbed
from ._errors import InvalidError
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


def bins(episodes: Selection | Pack | Texts, measure: str, edges: Sequence[float], *, jobs: int = 0) -> Callable[[str], str]:
    """Measures episodes, and returns a function from the name of one to that of its bin, as curricula take it: `curricula.Replay(names,
    bins=seedbed.bins(names, "steps", [10, 20, 40]))`. It is "steps < 10", "steps 10 to 20", ..., "steps >= 40", or "steps unknown".

    edges: rising; an episode on one is in the bin above it. InvalidError if they are not, or if there is no such measure.
    """
    known = _seedbed._measures()
    if measure not in known:
        raise InvalidError(f"measure: there is no `{measure}`; those are {', '.join(known)}")
    at = np.asarray(edges, dtype=np.float64)
    if at.ndim != 1 or not len(at) or not np.isfinite(at).all() or (np.diff(at) <= 0).any():
        raise InvalidError("edges: numbers that rise")
    words = [f"{measure} < {at[0]:g}", *(f"{measure} {low:g} to {high:g}" for low, high in zip(at, at[1:])), f"{measure} >= {at[-1]:g}"]
    columns = atlas(episodes, jobs=jobs)
    places = np.searchsorted(at, columns[measure], side="right")
    found = {str(name): f"{measure} unknown" if np.isnan(value) else words[place] for name, value, place in zip(columns["episode"], columns[measure], places)}

    def bin_of(name: str) -> str:
        if name not in found:
            raise InvalidError(f"{name} was not measured")
        return found[name]
    return bin_of
