"""Environments for Gymnasium."""
from __future__ import annotations

import copy
import copyreg
import enum
import functools
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Never, Self, TypedDict, Unpack, overload

import gymnasium
import numpy
from gymnasium import spaces
from numpy.typing import NDArray

from . import ids
from ._errors import InvalidError
from ._seedbed import EnvCore, _families, _looks, _modes
from .api import Reward
from .programs import Programs, load_programs, named
from .spaces import space_of

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    ObsT = TypeVar("ObsT", default=Any)
else:
    from typing import TypeVar

    ObsT = TypeVar("ObsT")


@functools.cache
def _render_modes(family: str) -> tuple[str, ...]:
    looks = [look[0] for look in _looks(family)]
    return ("ansi", "human", *(["rgb_array", *looks] if looks else []), *(mode[0] for mode in _modes(family)))


@functools.cache
def _actions(names: tuple[str, ...]) -> Any:
    """Actions as an IntEnum: `move_up`, and `MOVE_UP` for the same."""
    members = {name: i for i, name in enumerate(names)}
    return enum.IntEnum("Actions", members | {name.upper(): i for name, i in members.items()}, module=__name__)


def refuse_fixed(made: Any, name: str, options: Iterable[str]) -> None:
    """AttributeError for an attribute that would be taken and ignored: an option with which the object was made, or a method."""
    if name in options:
        raise AttributeError(f"`{name}` is fixed when the environments are made: make new ones with another `{name}`")
    if not name.startswith("_") and callable(getattr(type(made), name, None)):
        raise AttributeError(f"`{name}` is a method, and cannot be set")


class Env(EnvCore[ObsT], gymnasium.Env[ObsT, int]):  # pyright: ignore[reportIncompatibleMethodOverride]
    """One environment: an episode at a time of a task and difficulty. `seedbed.make` makes it.

    `step`, `reset`, `render` and `close` are C functions of EnvCore; Gymnasium's class comes second.
    """

    def __init__(self, name: str, **options: Any) -> None:
        """See `make`."""
        self._begin(name, {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()})

    def _begin(self, name: str, options: dict[str, Any]) -> None:
        EnvCore.__init__(self, name, **options)
        self._arguments = name, options
        self.render_mode = options.get("render_mode")
        self.metadata = {"render_modes": [*_render_modes(self.family)], "render_fps": 10}
        self.observation_space = space_of(self)
        self.action_space: Any = spaces.Discrete(self.n_actions)
        self._made = {key: self.__dict__[key] for key in ("metadata", "observation_space", "action_space")}

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuses what says how the environment was made, and methods. `spec` and attributes of the caller's own may be set."""
        if "_made" in self.__dict__:
            refuse_fixed(self, name, ("render_mode", *self._arguments[1]))
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<seedbed.Env {self.name or ids.name_of(self)}>"

    @property
    def actions(self) -> Any:
        """The actions as an IntEnum: `env.actions.move_up`, and `MOVE_UP` for the same."""
        return _actions(self.action_names)

    # Gymnasium's `np_random` asks for `_np_random`. The chain of episodes is drawn in C; NumPy's generator is made in the
    # state that the chain has when somebody looks at it, and draws from then on.
    @property
    def _np_random(self) -> numpy.random.Generator:  # pyright: ignore[reportIncompatibleVariableOverride]
        made = self._generator
        if made is None:
            _, state, increment, buffered, half = self._chain
            made = numpy.random.Generator(numpy.random.PCG64(0))
            made.bit_generator.state = {
                "bit_generator": "PCG64", "has_uint32": buffered, "uinteger": half,
                "state": {"state": int.from_bytes(state, sys.byteorder), "inc": int.from_bytes(increment, sys.byteorder)}}
            self._draw_from(made)
        return made

    @_np_random.setter
    def _np_random(self, generator: numpy.random.Generator | None) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._draw_from(generator, foreign=True)

    def clone(self) -> Self:
        """An exact copy of the episode, the options and the chain of episodes."""
        return copy.copy(self)

    def _copy(self, copied: Callable[[Any], Any], memo: dict[int, Any]) -> Self:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        EnvCore.__init__(other, self._arguments[0], **self._arguments[1])
        for key, value in self.__dict__.items():
            is_plain_space = isinstance(value, spaces.Space) and value._np_random is None
            other.__dict__[key] = value if key in ("_arguments", "_made") else copy.copy(value) if is_plain_space else copied(value)
        other._made = {key: other.__dict__.get(key) if self.__dict__.get(key) is value else value for key, value in self._made.items()}
        other.copy_from(self)
        return other

    def __copy__(self) -> Self:
        return self._copy(lambda value: copy.deepcopy(value) if isinstance(value, spaces.Space) else value, {})

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._copy(lambda value: copy.deepcopy(value, memo), memo)

    def __getstate__(self) -> tuple[Any, ...]:
        # What is as it was made is made again; a space that somebody has drawn from is not.
        kept = {key: value for key, value in self.__dict__.items() if key not in ("_arguments", "_made")
                and not (value is self._made.get(key) and getattr(value, "_np_random", None) is None)}
        return self._arguments, self._save(), kept

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self),), self.__getstate__()  # type: ignore[attr-defined]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Replays what was played. MismatchError if that comes out otherwise, VersionError under other rules."""
        arguments, saved, kept = state
        if not all(isinstance(key, str) for key in kept):
            raise InvalidError("names of attributes are texts")
        self._begin(*arguments)
        self.__dict__.update(kept)
        self._load(saved)


class _Options(TypedDict, total=False):
    """The arguments of `make` but for `obs`."""

    difficulty: str | None
    reward: Reward
    gamma: float
    info: Literal["full", "lean", "none"] | None
    render_mode: str | None
    seed: int | None
    copy: bool
    pad: Literal["family"] | tuple[int, int] | None
    look: str | None
    tile: int | None
    size: int | None
    view: int | None
    panel: bool
    highlight: bool
    indexed: bool
    mask: Literal["sound", "published"]
    programs: Programs | None


# For type checkers: what observations are, where `obs` says it.
@overload
def make(name: str, *, obs: Literal["ascii", "ascii_color", "language", "structured.json", "state.json", "view7.json", "full.json"],
         **options: Unpack[_Options]) -> Env[str]: ...
@overload
def make(name: str, *, obs: Literal["structured", "state", "view7", "full", "minigrid", "values"],
         **options: Unpack[_Options]) -> Env[dict[str, Any]]: ...
@overload
def make(name: str, *, obs: Literal["arrays"], **options: Unpack[_Options]) -> Env[dict[str, NDArray[Any]]]: ...
@overload
def make(name: str, *, obs: Literal["flat"], **options: Unpack[_Options]) -> Env[NDArray[numpy.float32]]: ...
@overload
def make(name: str, *, obs: Literal["pixels"], **options: Unpack[_Options]) -> Env[NDArray[numpy.uint8]]: ...
@overload
def make(name: str, *, obs: Literal["image", "terrain", "objects", "metadata", "agent", "inventory"],
         **options: Unpack[_Options]) -> Env[NDArray[Any]]: ...
@overload
def make(name: str, *, obs: Literal["none"], **options: Unpack[_Options]) -> Env[int]: ...
@overload
def make(name: str, *, obs: list[str] | tuple[str, ...], **options: Unpack[_Options]) -> Env[dict[str, Any]]: ...
@overload
def make(name: str, *, obs: str | Sequence[str] | None = None, **options: Unpack[_Options]) -> Env[Any]: ...
def make(name: str, *, difficulty: str | None = None, obs: str | Sequence[str] | None = None,
         reward: Reward = "sparse", gamma: float = 1.0, info: Literal["full", "lean", "none"] | None = None,
         render_mode: str | None = None, seed: int | None = None, copy: bool = True,
         pad: Literal["family"] | tuple[int, int] | None = None, look: str | None = None, tile: int | None = None,
         size: int | None = None, view: int | None = None, panel: bool = True, highlight: bool = True, indexed: bool = False,
         mask: Literal["sound", "published"] = "sound", programs: Programs | None = None, **others: Never) -> Env[Any]:
    """Makes an environment for Gymnasium.

    name: a task with or without difficulty and seed: "KeyDoorPuzzle-v0", "KeyDoorPuzzle/medium", "GoTo#5". With a seed the
        environment is pinned: `reset()` begins that episode again and again. The path of a program may stand in place of the
        program's name: "./crates.sexp/easy#7".
    difficulty: the difficulty, if the name says none; default: "medium", in families that have difficulties.
    obs: what is observed. A mode of text or a document ("ascii", "language", "structured", ...: `seedbed.modes` lists them);
        "MODE.json", a document as its text; "arrays", a dict of arrays; the name of one array; "flat", all numbers as one float32
        array; "values", as "arrays" but single values as int and str; "pixels", a picture; "none". A list gives a dict by mode.
        Default: the family's.
    reward: "sparse" (mostly 1 at success); "dense", what the published environments give on the way; or "progress", the sparse reward + gamma *
        potential after the step - potential before it, where the potential tells how far the expert is from success: -1, out of reach, to 0, also at
        every end. It leaves the best policies the best, and takes a play of the expert for each step; where draws decide, 64 of them.
    gamma: the discount of "progress"; 0 to 1.
    info: "full" (step_count, valid_actions, agent_position, ..., as the published environments tell it), "lean" (`success`
        after a step) or "none". Default: what the published environments of the family tell.
    render_mode: what `render()` returns: "rgb_array" or the name of a look, a picture; "ansi", a coloured text; or a mode of text
        or a document. "human" prints what "ansi" is after every reset and step.
    seed: the first `reset()` is as `reset(seed=seed)`; 0 to 2**64 - 1.
    copy: False lets every observation reuse the same arrays.
    pad: (height, width), or "family" for the largest of all tasks: grids in arrays have this size, so that tasks share a space.
    look, tile, size, view, panel, highlight, indexed: how pictures are drawn, in observations and by `render()`. look: `seedbed.looks`
        lists them; default: the first, and in "rgb_array" the one that is so called. tile: the side of a cell in pixels; default:
        8, and in `render()` as large as suits people. size: in the look "isometric", which has no tile, the side of the picture;
        default: 512. view: a square of so many cells around the agent. panel, highlight: False leaves
        them out. indexed: one byte a pixel, in observations. Each look takes some of them; docs/pictures.md lists which.
    mask: "sound": `action_mask()` masks an action only if that is proven to do no more than a noop; "published": what the
        published environments do not list as valid, although it may win.
    programs: paths of programs whose tasks may be named, as for `load_program`.

    UnknownError for a task or difficulty that is not there, InvalidError for anything else that cannot be.
    """
    if "max_steps" in others:
        raise TypeError("make() takes no max_steps: the limit is part of the episode; gymnasium.wrappers.TimeLimit makes it shorter")
    for unknown in others:
        raise TypeError(f"make() got an unexpected keyword argument {unknown!r}")
    load_programs(programs)
    name = named(name)
    ids.register()
    env: Env[Any] = Env(name, difficulty=difficulty, obs=obs, reward=reward, gamma=gamma, info=info, render_mode=render_mode, seed=seed, copy=copy,
                        pad=pad, look=look, tile=tile, size=size, view=view, panel=panel, highlight=highlight, indexed=indexed, mask=mask)
    env.spec = gymnasium.spec(ids.gym_id(ids.name_of(env)))
    return env


def _from_id(**options: Any) -> Env[Any]:
    """What Gymnasium calls for a registered id, whose options hold the name."""
    return Env(**options)


# Gymnasium reads here which modes there are, before it knows the family: it collects frames for others that end with `_list`.
_from_id.metadata = {"render_modes": sorted({mode for family, _ in _families() for mode in _render_modes(family)}),  # type: ignore[attr-defined]
                     "render_fps": 10}
