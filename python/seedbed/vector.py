"""Many environments at once, for Gymnasium."""
from __future__ import annotations

import copy as copies
import copyreg
import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from . import ids
from ._errors import InvalidError, VersionError
from ._seedbed import Pack, VecCore
from .api import Reward
from .env import Env, refuse_fixed
from .programs import Programs, load_programs, named
from .selection import Mixture, choice, whole

# What environments of a vector have in common.
_COMMON = ("reward", "gamma", "render_mode", "pad", "look", "tile", "size", "view", "panel", "highlight", "indexed", "mask")
# Attributes that are made anew in a copy.
_OWN = ("_options", "_made", "_made_with", "_identity")
_FORMAT = 1
_MOST = 1 << 20  # environments
# They would change a copy that nobody sees.
_CHANGES = ("reset", "step", "close", "copy_from")


class VecEnv(VecCore, VectorEnv[Any, Any, Any]):  # type: ignore[misc]  # np_random_seed: a tuple, as SyncVectorEnv has it
    """Many environments, stepped together in threads of their own. `seedbed.make_vec` makes it.

    `step`, `reset` and most others are C functions of VecCore; Gymnasium's class comes second.
    """

    _mixture: Mixture | None = None

    def __init__(self, names: list[str], num_envs: int, *, autoreset: AutoresetMode | str = AutoresetMode.NEXT_STEP,
                 obs: str | Sequence[str] | None = None, difficulty: str | None = None, **options: Any) -> None:
        """See `make_vec`. names: of all environments, or (then="next" and "repeat") of the episodes to play."""
        obs = tuple(obs) if isinstance(obs, list) else obs
        self._begin(names, num_envs, difficulty, {"obs": obs, "autoreset": _mode_of(autoreset).value, **options})

    def _begin(self, names: list[str], num_envs: int, difficulty: str | None, options: dict[str, Any]) -> None:
        VecCore.__init__(self, names, num_envs, difficulty=difficulty, **options)
        self._options = options
        parts = [part[0] for part in self._parts]
        self._made_with: dict[str, Any] = {key: options[key] for key in _COMMON if key in options}
        self._made_with |= {"obs": parts if self._several else parts[0], "info": options.get("info", "lean")}
        single: Env[Any] = Env(self._name_at(0), **self._made_with)
        self.num_envs = num_envs
        self.render_mode = options.get("render_mode")
        self.metadata = {**single.metadata, "autoreset_mode": AutoresetMode(options["autoreset"])}
        self.single_observation_space = single.observation_space
        self.single_action_space = single.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._made: dict[str, Any] = dict(self.__dict__)

    def __setattr__(self, name: str, value: Any) -> None:
        """Refuses what says how the vector was made, and methods. `progress`, `spec` and attributes of the caller's own may be set."""
        if "_made" in self.__dict__ and name != "mixture":
            refuse_fixed(self, name, ("num_envs", "render_mode", *self._options))
        super().__setattr__(name, value)

    @property
    def mixture(self) -> Mixture | None:
        """What the episodes are drawn from, if they are. Set to another mixture, or to the same with new weights, each environment's next episode
        is drawn from that; episodes go on to their ends. InvalidError if it does not fit the vector's spaces."""
        return self._mixture

    @mixture.setter
    def mixture(self, mixture: Mixture) -> None:
        if not isinstance(mixture, Mixture):
            raise InvalidError("mixture: a Mixture")
        self._use(mixture, mixture._json, mixture.episodes)

    def _use(self, mixture: Mixture | None, weights: str, total: int) -> None:
        self._draw_from(weights, total)
        self._options = {**self._options, "mixture": weights, "total": total}
        self._mixture = mixture

    def env(self, index: int) -> Env[Any]:
        """A copy of an environment as it is now, with what its resets will begin. IndexError if there is none of that index."""
        env: Env[Any] = Env(self._name_at(index), **self._made_with)
        self._copy_to(index, env)
        return env

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method of (a copy of) each environment, or reads an attribute. InvalidError for methods that change it."""
        if name in _CHANGES:
            raise InvalidError(f"call(\"{name}\") would change copies: use {name} of the vector, or copy_env")
        values = (getattr(self.env(i), name) for i in range(self.num_envs))
        return tuple(value(*args, **kwargs) if callable(value) else value for value in values)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of each environment."""
        return self.call(name)

    def set_attr(self, name: str, values: Any) -> None:
        """Always InvalidError: the attributes of environments say how their episodes stand."""
        raise InvalidError(f"`{name}` of the environments cannot be set")

    @property  # type: ignore[misc]
    def np_random(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The generators of the chains of episodes, as copies."""
        return self.call("np_random")

    def bind(self, **arrays: Any) -> None:
        """Has results written into memory of the caller's, from the next reset or step on.

        obs: a buffer, or a dict of buffers by name for observations that are dicts; None: no more.
        rewards, terminations, truncations: buffers, or None.

        Buffers are writable, C-contiguous, and have the type and the size of what is written; bytes of any type of numbers will
        do, such as those of shared memory. InvalidError if one does not fit; then nothing is bound.
        """
        chosen, ends, ways = [], set(), set()
        for at, (key, name, (shape, kind)) in enumerate(self._arrays):
            path = (key,) if at < 3 else ("obs", *((key,) if self._several else ()), *((name,) if name else ()))
            ends.add(path)
            ways |= {path[:n] for n in range(1, len(path))}
            found, value = _take(arrays, path)
            if found:
                chosen.append((at, None if value is None else _view(value, shape, numpy.dtype(kind), path[-1])))
        wrong = sorted(path for path in _paths(arrays) if path not in ends and not (path in ways and _take(arrays, path)[1] is None))
        if wrong:
            known = ", ".join("/".join(path) for path in sorted(ends))
            raise InvalidError(f"bind: there is no array `{'/'.join(wrong[0])}`; known are {known}")
        for at, array in chosen:
            self._set_array(at, array)

    @functools.cached_property
    def _identity(self) -> dict[str, Any]:
        """What a state belongs to: what decides which episodes are played, and when one follows."""
        of = json.dumps([self._made_of() if self._mixture is None else self.family])
        return {"num_envs": self.num_envs, "then": self._options.get("then", "chain"), "autoreset": self._options["autoreset"],
                "names": hashlib.sha256(of.encode()).hexdigest()[:16]}

    def state_dict(self) -> dict[str, Any]:
        """Where all environments stand, for `load_state_dict` and in the values that JSON has: episodes, chains of seeds, and what follows.

        InvalidError with record=False: an episode is its actions, which are then not known.
        """
        drawn: dict[str, Any] = {}
        if self._mixture is not None:  # with the weights by which this vector draws
            drawn["mixture"] = {**self._mixture.state_dict(), **json.loads(self._options["mixture"]), "episodes": self._options["total"]}
        return {"seedbed_vector": _FORMAT, **self._identity, **drawn, **self._save()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on where another vector stood: with the same actions, every step returns what it would have returned there.

        That vector had the same names, `num_envs`, `then` and `autoreset`; observations, rewards, infos and threads may be others. `mixture` becomes
        a new Mixture, which stands where that vector's stood.
        Episodes are played again, in the vector's threads; oracles of `expert_actions` begin anew, in the middle of episodes.

        InvalidError for the state of another vector, MismatchError if an episode comes out otherwise, VersionError under other rules. Then
        nothing has changed.
        """
        if state.get("seedbed_vector") != _FORMAT:
            raise VersionError(f"this is no state of a vector in format {_FORMAT}, but in {state.get('seedbed_vector')!r}")
        for key, mine in self._identity.items():
            if state.get(key) != mine:
                raise InvalidError(f"this state is of another vector: its `{key}` is {state.get(key)!r}, here it is {mine!r}; "
                                   "make one with the same names, num_envs, then and autoreset")
        if self._mixture is None:
            self._load(dict(state))
            return
        before = self._mixture, self._options["mixture"], self._options["total"]
        mixture = copies.copy(self._mixture)
        mixture.load_state_dict(state.get("mixture", {}))
        self.mixture = mixture
        try:
            self._load(dict(state))
        except BaseException:
            self._use(*before)
            raise

    def _kept(self) -> tuple[dict[str, Any], dict[str, list[Any]]]:
        """Attributes that are not as they were made; and of spaces that are, which may be large, only the generators."""
        return ({key: value for key, value in self.__dict__.items() if key not in _OWN and not (key in self._made and value is self._made[key])},
                {key: [space._np_random for space in _spaces_in(value)] for key, value in self._made.items()
                 if value is self.__dict__.get(key) and isinstance(value, gymnasium.Space)})

    def _keep(self, attributes: dict[str, Any], generators: dict[str, list[Any]]) -> None:
        if not all(isinstance(key, str) for key in attributes):
            raise InvalidError("names of attributes are texts")
        self.__dict__.update(attributes)
        for key, drawing in generators.items():
            for space, generator in zip(_spaces_in(self.__dict__[key]), drawing):
                space._np_random = generator

    def _copy(self, copied: Callable[[Any], Any], memo: dict[int, Any]) -> Self:
        other = type(self).__new__(type(self))
        memo[id(self)] = other
        other._begin(self._made_of(), self.num_envs, None, self._options)
        other._become(self)
        attributes, generators = self._kept()
        other._keep({key: copied(value) for key, value in attributes.items()}, copies.deepcopy(generators))
        return other

    def __copy__(self) -> Self:
        return self._copy(lambda value: copies.deepcopy(value) if isinstance(value, gymnasium.Space) else value, {})

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self._copy(lambda value: copies.deepcopy(value, memo), memo)

    def __getstate__(self) -> tuple[Any, ...]:
        return self._made_of(), self.num_envs, self._options, self._save(), *self._kept()

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self),), self.__getstate__()  # type: ignore[attr-defined]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Plays the episodes again. MismatchError if one comes out otherwise, VersionError under other rules."""
        names, num_envs, options, saved, attributes, generators = state
        self._begin(names, num_envs, None, options)
        self._load(saved)
        self._keep(attributes, generators)

    def _stack(self, key: str, items: tuple[Any, ...]) -> Any:
        """Observations of single environments as one of all."""
        space = self.single_observation_space
        if self._several:
            assert isinstance(space, gymnasium.spaces.Dict)
            space = space[key]
        out: Any = create_empty_array(space, self.num_envs)
        return concatenate(space, items, out)

    def _merge(self, infos: list[dict[str, Any] | None], finals: list[tuple[Any, dict[str, Any]] | None]) -> dict[str, Any]:
        """Infos of single environments as those of all; `finals`: last observations and infos of episodes that ended."""
        merged: dict[str, Any] = {}
        for i, (info, final) in enumerate(zip(infos, finals)):
            if final is not None:
                merged = self._add_info(merged, {"final_obs": final[0], "final_info": final[1]}, i)
            if info is not None:
                merged = self._add_info(merged, info, i)
        return merged


def _spaces_in(space: gymnasium.Space[Any]) -> list[gymnasium.Space[Any]]:
    """The space and all that it is made of."""
    parts = getattr(space, "spaces", ())
    return [space, *(inner for part in (parts.values() if isinstance(parts, Mapping) else parts) for inner in _spaces_in(part))]


def _mode_of(autoreset: AutoresetMode | str) -> AutoresetMode:
    modes = list(AutoresetMode)
    given = autoreset.value if isinstance(autoreset, AutoresetMode) else autoreset
    return modes[choice("autoreset", given, *(mode.value for mode in modes))]


def _take(arrays: Any, path: tuple[str, ...]) -> tuple[bool, Any]:
    """Whether the path leads anywhere, and what is there. None at its beginning means None everywhere below."""
    for key in path:
        if arrays is None:
            return True, None
        if not isinstance(arrays, dict) or key not in arrays:
            return False, None
        arrays = arrays[key]
    return True, arrays


def _paths(arrays: dict[str, Any], above: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    paths: list[tuple[str, ...]] = []
    for key, value in arrays.items():
        paths += _paths(value, (*above, key)) if isinstance(value, dict) else [(*above, key)]
    return paths


def _view(value: Any, shape: tuple[int, ...], kind: numpy.dtype[Any], what: str) -> numpy.ndarray[Any, Any]:
    """The buffer as an array of that shape and type."""
    try:
        memory = memoryview(value)
        fits = not memory.readonly and memory.c_contiguous and memory.nbytes == int(numpy.prod(shape, dtype=int)) * kind.itemsize
        if fits and (memory.format == "B" or numpy.dtype(memory.format) == kind):
            return numpy.frombuffer(memory.cast("B"), kind).reshape(shape)
    except TypeError:
        pass
    raise InvalidError(f"{what} takes a writable, C-contiguous buffer of {kind.name} with the shape {shape}")


def make_vec(name: str | Iterable[str] | Pack | Mixture, num_envs: int | None = None, *, difficulty: str | None = None,
             obs: str | Sequence[str] | None = None, reward: Reward = "sparse", gamma: float = 1.0,
             info: Literal["full", "lean", "none"] = "lean", autoreset: AutoresetMode | str = AutoresetMode.NEXT_STEP,
             then: Literal["chain", "same", "next", "repeat", "stop", "draw"] | None = None, threads: int = 1, copy: bool = True,
             pad: Literal["family"] | tuple[int, int] | None = None, look: str | None = None, tile: int | None = None, size: int | None = None,
             view: int | None = None, panel: bool = True, highlight: bool = True, indexed: bool = False, render_mode: str | None = None,
             record: bool = True, mask: Literal["sound", "published"] = "sound", programs: Programs | None = None) -> VecEnv:
    """Makes many environments that are stepped together, as a VectorEnv of Gymnasium.

    name: a task for all, as in `make`; a list or tuple with one for each environment, of one family; or a Selection or Pack,
        whose episodes are played one after the other; or a Mixture, from which each episode is drawn.
    num_envs: how many; default: 1, or as many as the list has, or for a selection as many as it has and at most 64.
    difficulty, reward, gamma, render_mode, pad, look, tile, size, view, panel, highlight, indexed, mask, programs: as in `make`.
    obs: as in `make`; default: "values".
    info: as in `make`, but "lean" by default; "full" is slow.
    autoreset: when an environment goes on after an episode: "NextStep", "SameStep" or "Disabled", as Gymnasium defines them.
    then: which episode follows: "chain", that of the next seed; "same", the same one; "next", the next of the list, and after
        the last none; "repeat", the next of the list, and after the last the first again; "stop", none; "draw", one that the Mixture
        draws. Default: "next" for a Selection or Pack, "draw" for a Mixture, otherwise "chain". An environment without an episode is
        idle (`infos["idle"]`; `vec.running` counts the others): every step returns a reward of 0 and both flags, so that its steps can be
        told from those of episodes. Gymnasium knows no such state: its wrappers would count an empty episode in each of these steps.
    threads: how many work, the caller's included; 0: one for each processor. Results do not depend on it.
    copy: False lets two sets of arrays be used in turn, so that an observation is valid until the step after the next.
    record: False does not keep the actions (4 bytes for each step that an episode may have), so that there are no checkpoints
        of the vector, and no tapes of copies that `VecEnv.env` makes.

    UnknownError for a task or difficulty that is not there, InvalidError for anything else that cannot be.
    """
    load_programs(programs)
    episodes = name.selection() if isinstance(name, Pack) else name
    if num_envs is not None:
        num_envs = whole("num_envs", num_envs, 1, _MOST)
    if isinstance(episodes, Mixture):
        names, drawn = list(episodes.pairs[:1]) * (num_envs or 1), {"mixture": episodes._json, "total": episodes.episodes}
    else:
        names, drawn = [episodes] * (num_envs or 1) if isinstance(episodes, str) else list(episodes), {}
    names = [named(one) for one in names]
    if then is None:
        then = "draw" if drawn else "chain" if isinstance(episodes, (str, list, tuple)) else "next"
    if num_envs is None:
        num_envs = min(len(names), 64) if then in ("next", "repeat") else len(names)
    env = VecEnv(names, num_envs, difficulty=difficulty, obs=obs, reward=reward, gamma=gamma, info=info, autoreset=autoreset, then=then,
                 threads=threads, copy=copy, pad=pad, look=look, tile=tile, size=size, view=view, panel=panel, highlight=highlight, indexed=indexed,
                 render_mode=render_mode, record=record, mask=mask, **drawn)
    env._mixture = episodes if isinstance(episodes, Mixture) else None
    if isinstance(name, str):
        ids.register()
        env.spec = gymnasium.spec(ids.gym_id(ids.name_of(env.env(0))))
    return env


def _from_id(name: str, num_envs: int, **options: Any) -> VecEnv:
    """What `gymnasium.make_vec` calls for a registered id."""
    return VecEnv([name] * num_envs, num_envs, **options)
