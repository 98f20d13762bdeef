"""What there is: families, tasks, observation modes, names."""
from __future__ import annotations

from typing import NamedTuple

from . import _seedbed
from ._errors import UnknownError
from .programs import Programs, load_programs, named


class TaskInfo(NamedTuple):
    """A task. `difficulties` is empty in families without them; `alias` is the published id, where it is another one. Episodes of
    the difficulties in `derived` take long to find, or cannot be found. `skills` are what it takes, in families that say so (babyai)."""

    family: str
    name: str
    category: str
    summary: str
    alias: str | None
    difficulties: tuple[str, ...]
    rules: str
    agents: tuple[str, ...]
    derived: tuple[str, ...]
    skills: tuple[str, ...]


class ModeInfo(NamedTuple):
    """An observation mode. `document`: a JSON document, not prose. `privileged`: it shows more than an agent of the task is shown."""

    name: str
    alias: str | None
    document: bool
    privileged: bool
    schema: str | None


class LookInfo(NamedTuple):
    """A way to draw an episode. `privileged`: it shows more than an agent of the task is shown. `indexed`: pixels may be colour numbers."""

    name: str
    alias: str | None
    summary: str
    privileged: bool
    indexed: bool


class Name(NamedTuple):
    """An episode's name, taken apart. `difficulty` is "" in families without difficulties."""

    family: str
    task: str
    difficulty: str
    seed: int


def families() -> tuple[str, ...]:
    """The families there are. The first is the one that names leave out."""
    return tuple(name for name, _ in _seedbed._families())


def rules() -> dict[str, str]:
    """The version of each family's rules: other rules, other episodes."""
    return dict(_seedbed._families())


def tasks(family: str | None = None) -> tuple[TaskInfo, ...]:
    """All tasks, or those of a family, in the library's order. UnknownError if there is no such family."""
    if family is not None and family not in families():
        raise UnknownError(f"unknown family `{family}`; known families: {', '.join(families())}")
    return tuple(task for task in map(TaskInfo._make, _seedbed._tasks()) if family in (None, task.family))


def modes(family: str) -> tuple[ModeInfo, ...]:
    """The observation modes of a family, its default first. UnknownError if there is no such family."""
    return tuple(map(ModeInfo._make, _seedbed._modes(family)))


def looks(family: str) -> tuple[LookInfo, ...]:
    """The looks of a family, that of `obs="pixels"` first; empty if it has no pictures. UnknownError if there is no such family."""
    return tuple(map(LookInfo._make, _seedbed._looks(family)))


def parse_name(name: str) -> Name:
    """Takes an episode's name apart, in its canonical spelling. UnknownError if there is no such task or difficulty."""
    return Name._make(_seedbed._parse_name(named(name)))


def oracles(task: str, *, programs: Programs | None = None) -> tuple[str, ...]:
    """Who can play a task: `expert`, `observer`, ... UnknownError if there is no such task.

    programs: paths of programs whose tasks may be named, as for `load_program`.
    """
    load_programs(programs)
    env = _seedbed.EnvCore(named(task), obs="none")
    agents = next(found.agents for found in tasks(env.family) if found.name == env.task)
    return tuple(agent for agent in agents if agent != "random")


def list_tasks(capability: str | None = None, difficulty: str | None = None, *, category: str | None = None,
               family: str = "agentick") -> list[str]:
    """Names of tasks, sorted, as the published package lists them.

    capability: only tasks with this published tag, which is not the category that scores go by.
    difficulty: only tasks that have it.
    category: only tasks of this category.
    """
    return sorted(task.name for task in tasks(family)
                  if (capability is None or capability in task.skills) and (category is None or task.category == category)
                  and (difficulty is None or difficulty in task.difficulties))
