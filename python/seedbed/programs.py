"""Programs of users: tasks of this process, and their files in place of their names."""
from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any

from . import _seedbed, ids
from ._errors import InvalidError

Programs = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

_PATH = re.compile(r".*\.sexp(?=$|[/#])", re.S)
_loaded: dict[str, str] = {}  # names by the files they came from


def load_program(path: str | os.PathLike[str]) -> str:
    """Makes a task of a program in Autumn, and returns its name: "autumn:file-0123456789abcdef", or that of a world, "autumn:Crates".

    From then on, the name is known to everything in this process that is made later; a process that is started anew loads it itself.
    Loading a program again changes nothing. InvalidError says what is wrong with the program, and where; OSError.
    """
    if not _loaded:
        ids.add_tasks()  # before there are others: built-in tasks keep their ids
    try:
        name = _seedbed._load_program(path)
    except InvalidError as error:
        if "two programs are called" in str(error) and os.path.realpath(path) in _loaded:
            raise InvalidError(f"{error}; this process loaded the file before it was changed: start Python anew to play the changed one") from None
        raise
    if name not in _loaded.values():
        ids.add_tasks()
    _loaded[os.path.realpath(path)] = name
    return name


def load_programs(programs: Programs | None) -> None:
    """Loads what an argument `programs` names: a path, or several."""
    for path in () if programs is None else (programs,) if isinstance(programs, (str, os.PathLike)) else programs:
        load_program(path)


def is_path(name: Any) -> bool:
    """Whether a name begins with the path of a program: `.sexp`, and then its end, `/` or `#`."""
    return isinstance(name, str) and _PATH.match(name) is not None


def named(name: Any) -> Any:
    """The name, with a path at its beginning replaced by the task of that program: `./crates.sexp/easy#7` is `autumn:Crates/easy#7`."""
    found = _PATH.match(name) if isinstance(name, str) else None
    return load_program(found[0]) + name[found.end():] if found else name


def task_named(task: str) -> str:
    """The same in lists of tasks, which say no family."""
    return named(task).partition(":")[2] if is_path(task) else task


def recipe_named(part: Any) -> Any:
    """A recipe, or a part of one, with the tasks of programs in place of their paths."""
    if isinstance(part, list):
        return [recipe_named(item) for item in part]
    if not isinstance(part, dict):
        return part
    return {key: _tasks_named(value) if key == "tasks" else recipe_named(value) for key, value in part.items()}


def _tasks_named(tasks: Any) -> Any:
    if isinstance(tasks, str):
        return ",".join(map(task_named, tasks.split(",")))
    return [task_named(task) if isinstance(task, str) else task for task in tasks] if isinstance(tasks, list) else tasks
