"""What oracles and the coding API answer with, and the kinds of rewards."""
from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ._seedbed import API, Player

Reward = Literal["sparse", "dense", "progress"]


class Hint(NamedTuple):
    """What an oracle would do, and what it is up to: `verb` (`fetch`), `object` (`red key`), `at`; None: nothing it could name."""

    action: int
    action_name: str
    agent: str
    verb: str | None
    object: str | None
    at: tuple[int, int] | None


class Cost(NamedTuple):
    """What an action costs: steps to success, the action included.

    kind: `exact` (proven: no play takes fewer steps), `bound` (a play of so many steps is at hand), `estimate` (random draws decide: the oracle
    played 64 futures), `late` (the play at hand ends after the step limit), `lost` (proven: no play succeeds) or `unknown`. proven: whether it is a
    proof; of `late`: that no play succeeds in time. best: no other action is better; several may be. success: the probability within the steps left;
    mean: of the steps of plays that succeed; each with its standard error. None: not known.
    """

    action: int
    action_name: str
    kind: str
    proven: bool
    best: bool
    steps: int | None
    success: float | None
    success_error: float | None
    mean: float | None
    mean_error: float | None


class Entity(NamedTuple):
    """An object on the grid, or an item that is carried (then `distance` is 0 and `metadata` its value)."""

    entity_type: str
    position: tuple[int, int]
    distance: int
    properties: dict[str, Any]
    metadata: int


class Thing(NamedTuple):
    """A thing of a world of rooms. `position`: None if it is carried; `locked`: None if it has no lock."""

    type: str
    color: str
    position: tuple[int, int] | None
    locked: bool | None


__all__ = ["API", "Cost", "Entity", "Hint", "Player", "Thing"]
