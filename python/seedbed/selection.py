"""Which episodes: selections, packs, lists of seeds."""
from __future__ import annotations

import dataclasses
import json
import math
import operator
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, SupportsIndex, overload

from . import _seedbed
from ._errors import InvalidError
from ._seedbed import Pack as Pack, Selection as Selection
from .programs import Programs, is_path, load_program as load_program, load_programs, named, task_named

Sequence.register(Selection)  # pyright: ignore[reportAttributeAccessIssue]

Texts = str | Iterable[str] | None


def items(what: str, texts: Texts) -> list[str] | None:
    """The texts of a list, which may be one text with commas. InvalidError if there is something else in it."""
    if texts is None:
        return None
    several: list[Any] = texts.split(",") if isinstance(texts, str) else list(texts) if isinstance(texts, Iterable) else [texts]
    if not all(isinstance(item, str) for item in several):
        raise InvalidError(f"{what}: a str, or a sequence of str")
    return several


def _listed(what: str, texts: Texts) -> str | None:
    """A list as the library takes it: separated by commas."""
    several = items(what, texts)
    return None if several is None else ",".join(map(task_named, several) if what == "tasks" else several)


def _family(family: str | None, tasks: Texts) -> str | None:
    """That of the first of the tasks, if it is given by a path; the library finds others by their names."""
    several = items("tasks", tasks)
    return str(named(several[0])).partition(":")[0] if family is None and several and is_path(several[0]) else family


def _seeds(seeds: str | int | Iterable[int] | None) -> str | None:
    if seeds is None or isinstance(seeds, str):
        return seeds
    given: Any = seeds
    try:
        several = iter(given)
    except TypeError:  # also for an array without dimensions
        several = iter([given])
    try:
        return ",".join(str(operator.index(seed)) for seed in several)
    except TypeError:
        raise InvalidError('seeds: whole numbers, or a str such as "0..24,42"') from None


def whole(what: str, value: Any, least: int = 0, most: int | None = None) -> int:
    """The value as an int. InvalidError if it is none, too small or too large; a flag is none."""
    try:
        number = least - 1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise InvalidError(f"{what}: a whole number, {least} or more")
    if most is not None and number > most:
        raise InvalidError(f"{what}: at most {most}")
    return number


def check_either(resume: bool, force: bool) -> None:
    if resume and force:
        raise InvalidError("either resume, which goes on, or force, which starts anew")


def finite(what: str, value: Any, least: float = -math.inf) -> float:
    """The value as a float. InvalidError if it is none, not finite, or too small."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number) or number < least:
        raise InvalidError(f"{what}: a number{'' if least == -math.inf else f' of {least:g} or more'}, not {value!r:.40}")
    return number


def choice(what: str, given: str, *known: str) -> int:
    """Which of these words it is. InvalidError if it is none of them."""
    if given not in known:
        raise InvalidError(f"{what}={given!r}: known are {', '.join(map(repr, known))}")
    return known.index(given)


def _request(**parts: Any) -> str:
    return json.dumps({key: value for key, value in parts.items() if value is not None})


def select(names: Texts = None, *, family: str | None = None, tasks: Texts = None, category: Texts = None, difficulty: Texts = None,
           split: str | None = None, seeds: str | int | Iterable[int] | None = None, count: int | None = None,
           where: str | None = None, spread: str | None = None, evaluation: Literal["keep", "drop"] = "keep",
           pack: Pack | str | os.PathLike[str] | None = None, programs: Programs | None = None) -> Selection:
    """Chooses episodes, as the command does: by task, then difficulty, then seed in the order of its list.

    names: episodes by name; nothing else may be given with them. Lists may be texts separated by commas. In names and tasks, the path of
        a program may stand in place of the program's name: "./crates.sexp/easy#7".
    family: default: the one that has the first of `tasks` or of `category`; else the first one.
    tasks, category, difficulty: only these.
    split: `eval` (default), `train`, or a base text of your own, which needs a count.
    seeds: explicit ones, as a text such as "0..24,42" or as integers; not together with split and count.
    count: seeds for each task and difficulty; default: all of the published list.
    where: only episodes that demand this, such as "steps >= 20 and random < 0.05" (docs/atlas.md); they are measured, which takes time,
        and there are too few if `count` cannot be reached.
    spread: as many of each range of a measure, such as "steps=10..60 in 5", over the difficulties of each task.
    evaluation: "drop" leaves out evaluation episodes and what is the same game as one, as `build` does, outside of split `eval`; so there
        may be fewer than `count`. Every episode is started once for it. InvalidError if nothing is left.
    pack: the episodes of a Pack, or of a file with one; nothing else but `evaluation` may be given with it.
    programs: paths of programs whose tasks may be named, as for `load_program`.

    InvalidError or UnknownError says which part is wrong.
    """
    choice("evaluation", evaluation, "drop", "keep")
    load_programs(programs)
    request = _request(names=None if names is None else [named(name) for name in items("names", names) or ()],
                       family=_family(family, tasks), tasks=_listed("tasks", tasks), category=_listed("category", category),
                       difficulty=_listed("difficulty", difficulty), split=split, seeds=_seeds(seeds), count=count if count is None else whole("count", count, 1),
                       where=where, spread=spread)
    if pack is None:
        chosen, evaluates = _seedbed._select(request), names is None and seeds is None and split in (None, "eval")
    elif request != "{}":
        raise InvalidError("pack: a pack says itself which episodes it has: give nothing else with it")
    else:
        chosen, evaluates = (pack if isinstance(pack, Pack) else load_pack(pack)).selection(), False
    return chosen if evaluates or evaluation == "keep" else chosen._without_evaluation()


@dataclasses.dataclass
class Outcomes:
    """What came out of episodes: how many there were, and the mean of about the last `memory` outcomes."""

    episodes: int = 0
    mean: float = 0.0

    def add(self, outcome: float, memory: int) -> None:
        self.episodes += 1
        self.mean += (outcome - self.mean) / min(self.episodes, memory)


def _task_of(pair: str) -> str:
    return pair.partition("/")[0]


def _difficulty_of(pair: str) -> str:
    return pair.partition("/")[2]


# From the name of a task and difficulty ("agentick:KeyDoorPuzzle-v0/easy") to that of its bin.
_BINS: dict[str, Callable[[str], str]] = {"pair": str, "task": _task_of, "difficulty": _difficulty_of}


class Mixture:
    """Tasks and difficulties by weight, from which `make_vec` draws episode after episode: a curriculum, if weights change.

    items: dicts with `tasks`, `category`, `difficulty` (texts or sequences of them) and `weight`, as in a recipe's `mixture`. A
        weight is a number, or a list of [progress, weight], between which it changes in straight lines; progress is 0 to 1.
    family: as in `select`. episodes: after how many drawn episodes progress is 1; default: it is set by `VecEnv.progress`.
    bins: what `update` counts and `weigh` weighs: each "pair" of task and difficulty, each "task" or each "difficulty"; or a function
        that gives the pair "agentick:KeyDoorPuzzle-v0/easy" the name of its bin.
    memory: over about how many of the last outcomes of a bin the mean in `outcomes` goes.

    InvalidError or UnknownError says which item is wrong.
    """

    def __init__(self, items: Iterable[Mapping[str, Any]], *, family: str | None = None, episodes: int = 0,
                 bins: Literal["pair", "task", "difficulty"] | Callable[[str], str] = "pair", memory: int = 20) -> None:
        if not callable(bins) and bins not in _BINS:
            raise InvalidError(f"bins: a function, or one of {', '.join(_BINS)}")
        self._bin_of: Callable[[str], str] = bins if callable(bins) else _BINS[bins]
        self._memory = whole("memory", memory, 1)
        try:
            asked = [dict(item) for item in items]
        except (TypeError, ValueError):
            raise InvalidError("items: a sequence of dicts with tasks, category, difficulty, weight") from None
        mixture = [_read_item(i, item) for i, item in enumerate(asked)]
        read = _request(family=_family(family, asked[0].get("tasks") if asked else None), mixture=mixture)
        self._become(read, whole("episodes", episodes), {})

    def _become(self, read: str, episodes: int, outcomes: Mapping[str, Outcomes]) -> None:
        """If this fails, nothing has changed."""
        pairs = tuple(_seedbed._mixture_pairs(read))
        bins: dict[str, list[str]] = {}
        for pair in pairs:
            bins.setdefault(self._bin_of(pair), []).append(pair)
        self._json, self.episodes, self.pairs = read, episodes, pairs
        self.bins: dict[str, tuple[str, ...]] = {bin: tuple(of) for bin, of in bins.items()}
        self.outcomes: dict[str, Outcomes] = {bin: outcomes.get(bin, Outcomes()) for bin in bins}
        self._found: dict[str, str] = {bin: bin for bin in bins}

    def bin(self, name: str) -> str:
        """The bin of an episode, of a task and difficulty, of a task, or of itself. InvalidError if it has none here, or several."""
        kind = name.partition("#")[0]
        if kind not in self._found:
            request = _request(family=json.loads(self._json).get("family"), mixture=[_item(named(kind))])
            found = {self._bin_of(pair) for pair in _seedbed._mixture_pairs(request) if pair in self.pairs}
            if len(found) != 1:
                raise InvalidError(f"{name} has {len(found) or 'no'} bins of this mixture: {', '.join(sorted(found or self.bins))}")
            self._found[kind] = found.pop()
        return self._found[kind]

    def update(self, name: str, outcome: float) -> None:
        """Counts what came out of an episode: success, 0 or 1, or whatever else `weigh` will go by. name: as in `bin`."""
        self.outcomes[self.bin(name)].add(finite("outcome", outcome), self._memory)

    def weigh(self, weights: Mapping[str, float]) -> None:
        """Gives bins new weights, which do not change with progress; other bins keep theirs. Names: as in `bin`.

        The tasks and difficulties of a bin are equally likely. A vector draws by the weights that the mixture had when it was given to it:
        `vec.mixture = mixture`. InvalidError for a weight that is none, or if none is left above 0; then nothing has changed.
        """
        chosen, request = {self.bin(name): finite(f"weight of {name}", weight, 0) for name, weight in weights.items()}, json.loads(self._json)
        items = [part for item in request["mixture"] for part in self._left_of(item, chosen, request.get("family"))]
        items += [_item(pair, weight / len(self.bins[bin])) for bin, weight in chosen.items() for pair in self.bins[bin]]
        self._become(_request(family=request.get("family"), mixture=items), self.episodes, self.outcomes)

    def _left_of(self, item: dict[str, Any], bins: Container[str], family: str | None) -> list[dict[str, Any]]:
        """An item without the pairs of these bins: the others are as likely as they were."""
        weight, pairs = item.get("weight", 1), _seedbed._mixture_pairs(_request(family=family, mixture=[{**item, "weight": 1}]))
        left = [pair for pair in pairs if self._bin_of(pair) not in bins]
        if len(left) == len(pairs):
            return [item]
        part = [[at, share / len(pairs)] for at, share in weight] if isinstance(weight, list) else weight / len(pairs)
        return [_item(pair, part) for pair in left]

    def state_dict(self) -> dict[str, Any]:
        """Weights and outcomes in the values that JSON has, for `load_state_dict`."""
        return {**json.loads(self._json), "episodes": self.episodes,
                "outcomes": {bin: [of.episodes, of.mean] for bin, of in self.outcomes.items()}}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Becomes what that mixture was, of which only `bins` and `memory` are not in its state. InvalidError if it is no state of one."""
        try:
            items = _request(family=state.get("family"), mixture=state["mixture"])
            outcomes = {bin: Outcomes(whole("outcomes", episodes), finite("mean", mean)) for bin, (episodes, mean) in state["outcomes"].items()}
            self._become(items, whole("episodes", state["episodes"]), outcomes)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise InvalidError("this is no state of a mixture") from None

    def draw(self, n: int, seed: int, progress: float = 0.0) -> list[str]:
        """Names of n episodes: those that an environment of `make_vec` plays after `reset(seed=seed)` while progress is this."""
        return _seedbed._mixture_draw(self._json, seed, whole("n", n), progress)

    def __repr__(self) -> str:
        return f"<seedbed.Mixture of {len(self.pairs)} tasks and difficulties>"


def _read_item(i: int, item: Mapping[str, Any]) -> dict[str, Any]:
    """An item of a caller, as the library takes it, which refuses unknown keys."""
    try:
        json.dumps(item.get("weight"), allow_nan=False)
        return {key: _listed(key, value) if key in ("tasks", "category", "difficulty") else value for key, value in item.items()}
    except InvalidError as error:
        raise InvalidError(f"mixture[{i}]: {error}") from None
    except (TypeError, ValueError):
        raise InvalidError(f"mixture[{i}]: key `weight` should be a number of 0 or more, or a list of [progress, weight], not {item['weight']!r}") from None


def _item(pair: str, weight: Any = 1) -> dict[str, Any]:
    """An item of a mixture: a task, and if it is said a difficulty."""
    task, _, difficulty = pair.partition("/")
    return {"tasks": task, **({"difficulty": difficulty} if difficulty else {}), "weight": weight}


def selected(episodes: Selection | Pack | Texts) -> Selection:
    """A Selection as it is; that of all episodes of a Pack; that of names."""
    if isinstance(episodes, Selection):
        return episodes
    return episodes.selection() if isinstance(episodes, Pack) else select(episodes)


def _again(request: str | None, pack: Pack | None) -> Selection:
    """What a pickled Selection is made from."""
    if pack is not None:
        return pack.selection()
    return _seedbed._select_nothing() if request is None else _seedbed._select(request)


class Challenges(Sequence[str]):
    """Names of the challenges in a pack of `seedbed challenges`, in its order: an immutable sequence of str.

    Their episodes are taken from the pack when they are played, which saves deriving them. A slice holds some of them, and
    `only(names)` those that are named. `path` is the pack's file.
    """

    def __init__(self, path: str | os.PathLike[str], names: Iterable[str] | None = None) -> None:
        self.path = os.fspath(path)
        self._names = tuple(_seedbed._challenge_names(path) if names is None else names)

    def only(self, names: Iterable[str]) -> Challenges:
        """Those with these names. InvalidError if one is not among them."""
        chosen, known = list(names), set(self._names)
        for name in chosen:
            if name not in known:
                raise InvalidError(f"{name} is not in {self.path}")
        return Challenges(self.path, chosen)

    def to_json(self) -> str:
        """The names, as keys of a request."""
        return json.dumps({"names": self._names})

    def __len__(self) -> int:
        return len(self._names)

    @overload
    def __getitem__(self, index: SupportsIndex) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Challenges: ...
    def __getitem__(self, index: Any) -> Any:
        return Challenges(self.path, self._names[index]) if isinstance(index, slice) else self._names[index]

    def __repr__(self) -> str:
        return f"<seedbed.Challenges: {len(self)} of {self.path}>"


def load_challenges(path: str | os.PathLike[str], *, programs: Programs | None = None) -> Challenges:
    """The challenges in a pack, a file that `seedbed challenges` made. They are not audited: `seedbed verify` does that.

    programs: those that the pack has challenges of, as for `load_program`. InvalidError names the place of what cannot be; OSError.
    """
    load_programs(programs)
    return Challenges(path)


def derive_pack(base: str, *, family: str | None = None, tasks: Texts = None, category: Texts = None, difficulty: Texts = None,
                count: int | None = None, where: str | None = None, spread: str | None = None, solvable: bool = False, unique: bool = False, budget: int = 1_000_000, digests: bool = False,
                jobs: int = 0, programs: Programs | None = None) -> Pack:
    """Derives lists of seeds from a base text.

    base: `eval` and `train` give the published lists; any other text lists of your own, without official evaluation seeds.
    family, tasks, category, difficulty: for which tasks, as in `select`.
    count: seeds in each list; needed for a base of your own.
    where, spread: what the episodes demand, as in `select`; the pack keeps it, with the measures, and `verify` measures again.
    solvable: only episodes that can be won, by a certificate; the search for one may look at `budget` states in an episode, and
        an interruption waits for the searches that run.
    unique: only episodes that begin neither alike nor like an official evaluation episode.
    digests: say what each episode is, so that others can check that theirs are the same.
    jobs: workers; 0: one a processor.
    programs: paths of programs whose tasks may be named, as for `load_program`.

    InvalidError or UnknownError says which part is wrong.
    """
    load_programs(programs)
    request = _request(family=_family(family, tasks), tasks=_listed("tasks", tasks), category=_listed("category", category),
                       difficulty=_listed("difficulty", difficulty), split=base, count=count if count is None else whole("count", count, 1), where=where, spread=spread)
    return _seedbed._derive_pack(request, digests, jobs, solvable, unique, whole("budget", budget, 1))


def load_pack(path: str | os.PathLike[str]) -> Pack:
    """Reads a pack, or the published export of seeds, from a file that may be compressed.

    Hashes are read and not checked: `Pack.verify` does that. InvalidError names the place of what cannot be; OSError.
    """
    return _seedbed._load_pack(path)


def official_pack(family: str = "agentick") -> Pack:
    """The official evaluation seeds of all tasks that have some, with the digests of their episodes.

    family: "agentick", whose seeds were published, or another, "arc" for instance, whose seeds are derived in the same way.

    It is a file beside the package. Where there is none, the same pack is derived, which starts every episode. UnknownError if there is
    no such family.
    """
    path = Path(__file__).parent / "share" / f"{'official' if family == 'agentick' else family}.json.gz"
    return load_pack(path) if path.exists() else derive_pack("eval", family=family, digests=True)


def seeds(task: str, difficulty: str | None = None, split: str = "eval", count: int | None = None) -> tuple[int, ...]:
    """The seeds of one task and difficulty.

    difficulty: needed in families that have difficulties.
    split, count: as in `select`. Seeds of a base of your own are never official evaluation seeds.

    InvalidError or UnknownError says which part is wrong.
    """
    lists = list(derive_pack(split, tasks=task, difficulty=difficulty, count=count).lists.values())
    if len(lists) != 1:
        raise InvalidError(f"{task} has {len(lists)} lists of seeds: say which task and difficulty")
    return lists[0]


def eval_seeds(task: str, difficulty: str | None = None) -> tuple[int, ...]:
    """The published evaluation seeds of a task and difficulty. InvalidError or UnknownError if there is no such list."""
    return seeds(task, difficulty, "eval")


def train_seeds(task: str, difficulty: str | None = None, count: int = 2000) -> tuple[int, ...]:
    """The first `count` published training seeds of a task and difficulty. InvalidError or UnknownError as in `seeds`."""
    return seeds(task, difficulty, "train", count)
