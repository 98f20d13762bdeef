"""Ids for Gymnasium: `seedbed/KeyDoorPuzzle-medium-v0`, `seedbed/BabyAI-GoTo-v0`."""
from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

from ._errors import UnknownError
from ._seedbed import EnvCore, _tasks

if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    from .programs import Programs

NAMESPACE = "seedbed"
_names: dict[str, str] = {}  # name of an environment by id, without namespace
_listed: set[tuple[str, str]] = set()  # families and tasks that have ids
_registered: set[str] = set()


def _id_of(task: str, alias: str | None, difficulty: str) -> str:
    """`KeyDoorPuzzle-v0` and `medium` give `KeyDoorPuzzle-medium-v0`; a name without a version gets `-v0`. Ids have no slash in names."""
    found = re.fullmatch(r"(.*?)(-v\d+)?", (alias or task).replace("/", "-"))
    assert found
    return f"{found[1]}{'-' + difficulty if difficulty else ''}{found[2] or '-v0'}"


def _known() -> dict[str, str]:
    """All ids, each with the name of its environment. A program of a user whose id another task has gets its family before it."""
    if not _names:
        add_tasks()
    return _names


def add_tasks() -> None:
    """Makes ids of all tasks that have none yet."""
    for family, task, _, _, alias, difficulties, *_ in _tasks():
        if (family, task) not in _listed:
            _listed.add((family, task))
            whole = f"{family}-{task}" if _names.get(_id_of(task, alias, ""), f"{family}:{task}") != f"{family}:{task}" else task
            _names[_id_of(whole, alias, "")] = f"{family}:{task}"
            _names.update({_id_of(whole, alias, difficulty): f"{family}:{task}/{difficulty}" for difficulty in difficulties})


def name_of(env: EnvCore) -> str:
    """The name of an environment's task and difficulty, whichever episode it is in."""
    return f"{env.family}:{env.task}" + (f"/{env.difficulty}" if env.difficulty else "")


def gym_id(name: str) -> str:
    """The id of a task, or of a task and difficulty: `seedbed/KeyDoorPuzzle-medium-v0` for `KeyDoorPuzzle/medium`.

    name: as `make` takes it; a seed is left out.

    UnknownError if there is no such task or difficulty.
    """
    from .programs import named

    name = named(name)
    env = EnvCore(name, obs="none")
    wanted = name_of(env) if "/" in name else f"{env.family}:{env.task}"
    return NAMESPACE + "/" + next(id for id, known in _known().items() if known == wanted)


def from_gym_id(id: str) -> str:
    """The name of a task (and difficulty) by its id, with or without namespace. UnknownError if there is no such id."""
    name = _known().get(id.removeprefix(NAMESPACE + "/"))
    if name is None:
        raise UnknownError(f"no id of seedbed is `{id}`")
    return name


def _register(id: str, name: str) -> None:
    """Puts an id into Gymnasium's registry. `gymnasium.register` looks through all ids for newer versions of each one: with over a thousand ids that
    takes a tenth of a second at every import."""
    from gymnasium.envs.registration import EnvSpec, registry

    registry[id] = EnvSpec(id, entry_point="seedbed.env:_from_id", vector_entry_point="seedbed.vector:_from_id", kwargs={"name": name})


def register(programs: Programs | None = None) -> None:
    """Registers all ids with Gymnasium. The imports of both modules do that, in any order; calling it again does nothing.

    programs: paths of programs whose tasks get ids, too, as for `load_program`: `seedbed/Crates-easy-v0`.
    """
    from .programs import load_programs

    load_programs(programs)
    for id, name in _known().items():
        if id not in _registered:
            _registered.add(id)
            _register(f"{NAMESPACE}/{id}", name)


def register_minigrid_ids(override: bool = False) -> None:
    """Registers BabyAI's levels under MiniGrid's own ids, too: `BabyAI-GoTo-v0`.

    override: also ids that somebody, such as MiniGrid, has registered before.
    """
    import gymnasium

    for _, task, _, _, alias, difficulties, *_ in _tasks():
        if alias and alias.startswith("BabyAI-") and (override or alias not in gymnasium.registry):
            gymnasium.registry.pop(alias, None)
            _register(alias, from_gym_id(alias))


class _AwaitGymnasium:
    """A finder of modules that waits for the import of Gymnasium, and registers all ids after it."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != "gymnasium":
            return None
        import importlib.util

        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec and spec.loader:
            execute = spec.loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                register()

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def _register_if_loaded() -> None:
    if "gymnasium" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _AwaitGymnasium())
