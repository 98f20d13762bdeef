"""What oracles and the coding API answer with."""
from __future__ import annotations

from typing import Any, NamedTuple

from ._seedbed import API, Player


class Hint(NamedTuple):
    """What an oracle would do, and what it is up to: `verb` (`fetch`), `object` (`red key`), `at`; None: nothing it could name."""

    action: int
    action_name: str
    agent: str
    verb: str | None
    object: str | None
    at: tuple[int, int] | None


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


__all__ = ["API", "Entity", "Hint", "Player", "Thing"]
