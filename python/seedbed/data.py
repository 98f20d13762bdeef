"""Episodes and rows without files, and datasets as files."""
from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _seedbed
from ._errors import InvalidError
from .api import Hint, Reward
from ._seedbed import Pack, Selection
from .programs import Programs, load_programs, recipe_named
from .selection import Texts, check_either, choice, selected, whole

if TYPE_CHECKING:
    import datasets
    import numpy
    import numpy.typing

    from ._torch import TorchRows

Source = Selection | Pack | Mapping[str, Any] | str | os.PathLike[str]
Obs = str | Sequence[str] | None


@dataclass(frozen=True, eq=False)
class Episode:
    """An episode that was played.

    success: None in tasks that have none.
    observations: by mode: n + 1 texts or documents, the last one of the end; arrays are stacked, (n + 1, ...).
    labels: what should have been done in each step; None where nobody was asked.
    intents: what whoever says so was up to; None where nobody was asked.
    tape: the line that `replay` takes, and `seedbed replay` and `seedbed verify`.
    """

    name: str
    agent: str
    success: bool | None
    total: float
    dense_total: float
    terminated: bool
    truncated: bool
    steps: int
    actions: numpy.typing.NDArray[numpy.int32]
    rewards: numpy.typing.NDArray[numpy.float64]
    observations: dict[str, Any]
    labels: numpy.typing.NDArray[numpy.int32] | None
    intents: list[Hint] | None
    tape: str


def _episode(fields: tuple[Any, ...]) -> Episode:
    episode = Episode(*fields)
    if episode.intents is not None:
        episode.intents[:] = map(Hint._make, episode.intents)
    return episode


# ---- Episodes


def rollouts(selection: Selection | Pack | Texts, *, agent: str | Any = None, obs: Obs = None, reward: Reward = "sparse",
             gamma: float = 1.0, label: str | None = None, epsilon: float = 0.0, intents: bool = False, jobs: int = 1,
             keep: Literal["all", "success"] = "all", programs: Programs | None = None) -> Iterator[Episode]:
    """Plays episodes, in the order of the selection whatever `jobs` is.

    selection: a Selection, a Pack, or names of episodes.
    agent: an oracle, `random`, a mixture such as "expert:3,random:1"; or a policy: a callable (obs, info) -> action, or an object
        with `act(obs, info)` and perhaps `reset(obs, info)`. Default: the observer, which sees what agents are shown (in families
        without one, the oracle that they name).
    obs: what the episodes keep, and a policy is shown: modes, "arrays", names of arrays. Default: as rows of datasets have it; a
        policy is then shown what `make` shows.
    reward, gamma: "sparse", "dense" or "progress", as in `make`.
    label: an oracle that says for every state what should have been done, whoever acted.
    epsilon: with this probability a random action is taken; then the labels are what the agent wanted. Not for policies.
    intents: keep what the oracle (who labels, or else who acts) is up to.
    jobs: workers, which run ahead at most four episodes each; 0: one a processor. A policy plays in the calling thread.
    keep: "success": only episodes that succeed.
    programs: paths of programs whose tasks may be named, as for `load_program`.

    InvalidError, UnknownError; a policy's exceptions go through.
    """
    load_programs(programs)
    chosen = selected(selection)
    only = choice("keep", keep, "all", "success")
    made: Iterator[Episode]
    if agent is None or isinstance(agent, str):
        made = map(_episode, _seedbed.Rollouts(chosen, agent, obs, reward, gamma, label, epsilon, intents, jobs))
    elif epsilon:
        raise InvalidError("epsilon: a policy draws for itself")
    else:
        made = (replay(tape, obs, reward=reward, gamma=gamma, label=label, intents=intents) for tape in _play(chosen, agent, obs, reward, gamma))
    return filter(lambda episode: episode.success, made) if only else made


def _play(selection: Selection, policy: Any, obs: Obs, reward: Reward, gamma: float) -> Iterator[str]:
    """The tapes of what a policy does."""
    from .env import make

    act: Callable[[Any, Any], Any] = getattr(policy, "act", policy)
    env, pair = None, None
    for name in selection:
        if env is None or name.partition("#")[0] != pair:
            env, pair = make(name, obs=obs if obs is None or isinstance(obs, str) else list(obs), reward=reward, gamma=gamma), name.partition("#")[0]
        seen, info = env.reset(options={"name": name})
        if hasattr(policy, "reset"):
            policy.reset(seen, info)
        while not env.done:
            seen, _, _, _, info = env.step(act(seen, info))
        yield env.tape()


def replay(tape: str, obs: Obs = None, *, reward: Reward = "sparse", gamma: float = 1.0, label: str | None = None,
           intents: bool = False) -> Episode:
    """Plays a tape again, and checks that it ends as it says.

    obs, reward, gamma, label, intents: as in `rollouts`. Without `label`, labels and intents are those that the tape holds.

    InvalidError if it is no tape; MismatchError, VersionError.
    """
    if not isinstance(tape, str):
        raise InvalidError("a tape is a str: a line of JSON")
    return _episode(next(_seedbed.Rollouts(tape.strip().encode(), None, obs, reward, gamma, label, 0.0, intents, 1)))


class Episodes(Sequence[Episode]):
    """A sequence of episodes that are played when they are asked for: a map-style data set for torch and Grain."""

    def __init__(self, selection: Selection | Pack | Texts, **options: Any) -> None:
        """selection, options: those of `rollouts`, but for `keep`."""
        if "keep" in options:
            raise TypeError("Episodes() takes no keep: an episode's index is its place in the selection")
        self.selection = selected(selection)
        self.options = options
        # Refuses options that are unknown, and `reward`, `gamma` and `jobs` that cannot be; the rest is refused with the first episode.
        rollouts(self.selection[:0], **options)

    def __len__(self) -> int:
        return len(self.selection)

    def __getitem__(self, index: Any) -> Any:
        """The episode at an index; of a slice, a sequence like this one."""
        if isinstance(index, slice):
            return Episodes(self.selection[index], **self.options)
        return self.__getitems__([index])[0]

    def __getitems__(self, indices: Sequence[int]) -> list[Episode]:
        """Several at once, by as many workers as the option `jobs` says."""
        return list(rollouts(self.selection.take(indices), **self.options))


# ---- Rows


class Column(NamedTuple):
    """A column of rows. `type`: string, int64, uint64, float64, bool, or message (a dict with `role` and `content`)."""

    name: str
    type: str
    is_list: bool
    what: str


class Rows:
    """The rows of a recipe, as `seedbed build` would write them. Made by `rows`.

    Iterating begins anew each time. What is pickled is the recipe and the range of episodes.
    """

    def __init__(self, recipe: str, jobs: int, episodes: range | None = None) -> None:
        self._recipe, self.jobs, self._range = recipe, jobs, episodes
        self._plan: _seedbed.Plan | None = None
        self._stream: _seedbed.RowStream | None = None
        self._begin: tuple[int, int] | None = None

    def __getstate__(self) -> tuple[Any, ...]:
        return self._recipe, self.jobs, self._range

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.__init__(*state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"<seedbed.Rows of {self.episodes} episodes: {self.recipe}>"

    def _planned(self) -> _seedbed.Plan:
        if self._plan is None:
            self._plan = _seedbed.Plan(self._recipe, [], sys.executable or None)
        return self._plan

    def _episodes(self) -> range:
        if self._range is None:
            self._range = range(self._planned().episodes)
        return self._range

    def _part(self, episodes: range) -> Rows:
        part = Rows(self._recipe, self.jobs, episodes)
        part._plan = self._plan
        return part

    @property
    def recipe(self) -> str:
        """The recipe as the library prints it, a JSON object: `build` makes the same rows of it."""
        return self._planned().recipe

    @property
    def columns(self) -> tuple[Column, ...] | None:
        """The keys of a row, in their order; None for arrays."""
        columns = self._planned().formats[0][3]
        return None if columns is None else tuple(map(Column._make, columns))

    @property
    def episodes(self) -> int:
        """How many episodes were selected, those that are left out included."""
        return len(self._episodes())

    @property
    def left_out(self) -> dict[str, int]:
        """How many of these have no rows, for one of: `evaluation`, `duplicates`, `across` (begins like one to evaluate with,
        or like one of another split)."""
        all_ = self._episodes()
        return dict(zip(("evaluation", "duplicates", "across"), self._planned().left_out(all_.start, all_.stop, all_.step, self.jobs)))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        all_ = self._episodes()
        (first, skip), self._begin = self._begin or (all_.start, 0), None
        self._stream = _seedbed.RowStream(self._planned(), first, all_.stop, all_.step, skip, self.jobs)
        return self._stream

    def shard(self, i: int, n: int) -> Rows:
        """The rows of every n-th episode, from the i-th; i counts from 0. InvalidError if it is not one of n."""
        if not 0 <= whole("shard", i) < whole("shard", n, 1):
            raise InvalidError("shard(i, n): i is one of 0..n-1")
        return self._part(self._episodes()[i::n])

    def _identity(self) -> dict[str, Any]:
        """What a position belongs to: the recipe, by the start of its SHA-256, and the episodes."""
        all_ = self._episodes()
        return {"recipe": hashlib.sha256(self.recipe.encode()).hexdigest()[:16], "start": all_.start, "stop": all_.stop, "step": all_.step}

    def state_dict(self) -> dict[str, Any]:
        """Where the last iteration that was begun stands: the episode, and the row within it that comes next; and of which rows."""
        episode, row = self._stream.place if self._stream else self._begin or (self._episodes().start, 0)
        return {**self._identity(), "episode": episode, "row": row}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Lets the next iteration go on where another one stood. InvalidError if that was of another recipe, format or share."""
        for key, mine in self._identity().items():
            if state.get(key) != mine:
                raise InvalidError(f"this position is of other rows: its `{key}` is {state.get(key)!r}, here it is {mine!r}; "
                                   "take the same recipe and format, and the same share of as many")
        episode, row, all_ = whole("episode", state.get("episode")), whole("row", state.get("row")), self._episodes()
        if episode not in all_ and episode != all_.stop:
            raise InvalidError(f"episode {episode} is not one of these rows' episodes")
        self._stream, self._begin = None, (episode, row)

    def to_hf(self, shards: int = 64) -> datasets.IterableDataset:
        """A streaming data set for Hugging Face's libraries, in the same order, with the columns' types as features.

        shards: into how many parts of consecutive episodes it may be divided among loaders and nodes.
        """
        self._texts()  # arrays are refused also where the library is not installed
        import datasets

        of = min(whole("shards", shards, 1), max(self.episodes, 1))
        all_ = self._episodes()
        where = {"recipe": self._recipe, "jobs": self.jobs, "episodes": (all_.start, all_.stop, all_.step)}
        return datasets.IterableDataset.from_generator(_generate, gen_kwargs={**where, "shards": list(range(of)), "of": of},
                                                       features=self.features())

    def features(self) -> datasets.Features:
        """The columns as Hugging Face's features. InvalidError for arrays, which have none."""
        import datasets

        value = datasets.Value
        kinds = {"message": {"role": value("string"), "content": value("string")}}
        return datasets.Features({column.name: [kind] if column.is_list else kind for column in self._texts()
                                  for kind in [kinds.get(column.type) or value(column.type)]})

    def _texts(self) -> tuple[Column, ...]:
        if self.columns is None:
            raise InvalidError("rows of this format are arrays, without columns: iterate, or choose a format of text")
        return self.columns

    def to_torch(self) -> TorchRows:
        """A torch.utils.data.IterableDataset, whose workers share the episodes out; it has `state_dict`."""
        from ._torch import TorchRows

        return TorchRows(self)


def _generate(recipe: str, jobs: int, episodes: tuple[int, int, int], shards: list[int], of: int) -> Iterator[dict[str, Any]]:
    """The rows of some of the parts; Hugging Face deals `shards` out."""
    rows_, all_ = Rows(recipe, jobs), range(*episodes)
    rows_._planned()
    for k in shards:
        yield from rows_._part(all_[len(all_) * k // of:len(all_) * (k + 1) // of])


def _recipe_of(source: Source) -> dict[str, Any]:
    if isinstance(source, (Selection, Pack)):
        return dict(json.loads(selected(source).to_json()))
    if isinstance(source, Mapping):
        return dict(recipe_named(dict(source)))
    if isinstance(source, (str, os.PathLike)):
        return dict(recipe_named(json.loads(_seedbed._load_recipe(source))))
    raise InvalidError("a Selection, a Pack, a recipe as a dict, or the path of one")


def _json(recipe: Mapping[str, Any]) -> str:
    try:
        return json.dumps(recipe, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidError(f"a recipe is JSON: {error}") from None


def _with_format(recipe: dict[str, Any], format: str | Mapping[str, Any] | None, own: dict[str, Any]) -> None:
    """Makes the recipe's format this one, with options of its own."""
    said = recipe.get("formats") or [recipe.get("format") or "steps"]
    if format is None and not own:
        return
    if format is None and len(said) != 1:
        raise InvalidError(f"{', '.join(own)}: the recipe has several formats: say format= as well")
    item = said[0] if format is None else format
    recipe.pop("format", None)
    recipe["formats"] = [{**({"format": item} if isinstance(item, str) else item), **own}]


def rows(source: Source, format: str | Mapping[str, Any] | None = None, *, jobs: int = 1, start: int = 0, stop: int | None = None,
         programs: Programs | None = None, **options: Any) -> Rows:
    """The rows that `seedbed build` writes for the same recipe, in the same order, without files.

    source: a Selection or Pack, or a whole recipe: a dict or the path of a file.
    format: `steps` (default), `trajectories`, `chat`, ...; `npz` gives a dict of arrays for each episode. Of a recipe: its own.
    jobs: workers, which run ahead at most four episodes each; 0: one a processor.
    start, stop: only these of the selected episodes.
    programs: paths of programs whose tasks may be named, as for `load_program`.
    options: other keys of a recipe (modes, reward, oracle, epsilon, labels, filter, ...), or of the format (style, ...). Both have a
        key `rows`: the text "step" or "episode" is the format's.

    The observer plays unless the recipe names somebody else; `tapes:FILE` takes recorded tapes, or a result. Episodes to evaluate
    with, those that begin like one and, if the recipe says so, duplicates are left out as in a build. InvalidError, UnknownError.
    """
    load_programs(programs)
    recipe, known = _recipe_of(source), set(_seedbed._recipe_keys())
    if not isinstance(options.get("modes", ""), str):
        options["modes"] = ",".join(options["modes"])
    of_format = {key: value for key, value in options.items() if key not in known or (key == "rows" and isinstance(value, str))}
    recipe.update({key: value for key, value in options.items() if key not in of_format and value is not None})
    _with_format(recipe, format, of_format)
    made = Rows(_json(recipe), whole("jobs", jobs, 0, 1 << 20))
    if len(made._planned().formats) != 1:
        raise InvalidError("the recipe has several formats: say format=")
    made._range = range(made._planned().episodes)[whole("start", start):None if stop is None else whole("stop", stop)]
    return made


# ---- Files


def _path_of(path: str | os.PathLike[str] | None) -> str | None:
    return None if path is None else os.fsdecode(path)


def build(recipe: Source, out: str | os.PathLike[str], *, jobs: int = 0, resume: bool = False, force: bool = False,
          progress: Callable[[int, int], object] | None = None, programs: Programs | None = None,
          tokenizer: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Builds a dataset, the same bytes as `seedbed build`, and returns its manifest.

    recipe: a dict or the path of a file; or a Selection or Pack, for rows of `steps`.
    A recipe starts no program. What a policy played becomes a dataset by its tapes: write `Episode.tape` line by line to a file,
    and say `{"oracle": "tapes:FILE"}`.

    out: the folder, made if it does not exist, with those above it. resume: go on with an interrupted build of the same recipe. force: replace the dataset that is there.
    progress: called with the episodes done and all; its exceptions stop the build.
    programs: paths of programs whose tasks may be named, as for `load_program`; the dataset carries their texts.
    tokenizer: the tokenizer.json of a budget of tokens, if the recipe does not say where it is. This Python counts with it.

    Warns of tasks of which nothing is left because all their games are evaluation episodes (`seedbed seeds games`), and of whatever else
    is no error but worth knowing.

    InvalidError, UnknownError, OSError; MismatchError if no episode has rows: the dataset, with its tapes, is there all the same.
    """
    check_either(resume, force)
    load_programs(programs)
    _seedbed._build(_json(_recipe_of(recipe)), out, jobs, resume, force, progress, _path_of(tokenizer), sys.executable or None)
    return dict(json.loads((Path(out) / "manifest.json").read_text(encoding="utf-8")))


def verify(path: str | os.PathLike[str], *, again: bool = False, jobs: int = 0, tokenizer: str | os.PathLike[str] | None = None) -> None:
    """Checks anything that this library writes: a dataset's folder, a pack, tapes, a result, certificates.

    again: of a dataset: every agent plays every episode again.
    tokenizer: of a dataset with a budget of tokens: its tokenizer.json, with which this Python counts them again.

    Warns of what is no fault but worth knowing: what was not checked, and what else lies in the folder.

    MismatchError names the first fault; InvalidError, VersionError, OSError.
    """
    _seedbed._verify(path, again, jobs, _path_of(tokenizer), None if tokenizer is None else sys.executable or None)


def main(argv: Sequence[str]) -> int:
    """Runs the command `seedbed` with these arguments, in this process, and returns its exit code.

    An interrupt waits until the command is done. What takes long is better done by `build` or `evaluate`, which end at once, or in a process
    of its own: `[sys.executable, "-m", "seedbed", ...]`.
    """
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    return _seedbed._command(list(argv))
