"""Which episodes an agent learns from next: curricula over one interface.

    names = seedbed.select(tasks="PreciseNavigation", split="train", count=100, evaluation="drop")
    curriculum = seedbed.curricula.Learnability(names)
    names = curriculum.draw(64)  # to play: vec.reset(options={"names": names})
    curriculum.update(names[0], Outcome(success=True, value=0.9, surprise=0.2))

A curriculum is a function from what came out of the episodes so far to scores: an episode is drawn as often as its score is high.
"""
from __future__ import annotations

import gzip
import json
import os
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

from ._errors import Error, InvalidError
from .api import Reward
from .data import replay
from .listing import parse_name
from .selection import finite, whole

Scores = NDArray[numpy.float64]


class Outcome(NamedTuple):
    """What a trainer knows of an episode that its agent has played.

    value: its return, discounted with the trainer's gamma. surprise: the mean of its absolute advantages, or of its errors of the
        value function: how much was to be learned from it. Only `Replay` reads it.
    """

    success: bool
    value: float
    surprise: float = 0.0


def _canonical(name: str) -> str:
    """An episode as environments name it; what names none, such as a pair of a Mixture, stays as it is."""
    try:
        return str(parse_name(name)) if "#" in name else name
    except Error:
        return name


class Curriculum(ABC):
    """Draws names of episodes by `scores`, and counts what came out of them. It can be pickled, and then goes on alike.

    names: the episodes to draw from, or pairs of a Mixture, which takes the scores: `mixture.weigh(dict(zip(names, scores())))`.
    seed: of the draws. memory: over about how many of the last outcomes means go.
    bins: gives a name that of its bin. Names of a bin share what came out of them; default: each name is a bin.

    Episodes and `last` are counted by bin; `success`, `value` and `surprise` are means, 0 where nothing was played yet. `bin` holds the
    bin of each name, so that `value[bin]` is by name.
    """

    def __init__(self, names: Iterable[str], *, seed: int = 0, memory: int = 10, bins: Callable[[str], str] = str) -> None:
        self.names = tuple(names)
        if not self.names:
            raise InvalidError("names: there are none to draw from")
        places: dict[str, int] = {}
        self.bin = numpy.array([places.setdefault(bins(name), len(places)) for name in self.names])
        self._place = {_canonical(name): i for i, name in enumerate(self.names)}
        self._memory, self._rng = whole("memory", memory, 1), numpy.random.default_rng(seed)
        self.episodes, self.last = numpy.zeros((2, len(places)), numpy.int64)
        self.success, self.value, self.surprise = numpy.zeros((3, len(places)))

    @abstractmethod
    def scores(self) -> Scores:
        """How much each name is worth now: 0 or more."""

    def chances(self) -> Scores:
        """How likely each name is drawn next. If none is worth anything, all are equally likely."""
        scores = self.scores()
        if not scores.any():
            scores = numpy.ones(len(scores))
        chances: Scores = scores / scores.sum()
        return chances

    def draw(self, n: int) -> list[str]:
        """The names of n episodes to play next."""
        return [self.names[i] for i in self._rng.choice(len(self.names), whole("n", n), p=self.chances())]

    def _place_of(self, name: str) -> int:
        place = self._place.get(_canonical(name))
        if place is None:
            raise InvalidError(f"{name} is not among the names of this curriculum")
        return place

    def update(self, name: str, outcome: Outcome) -> None:
        """Counts what came out of an episode. InvalidError if it is not among the names."""
        at = self.bin[self._place_of(name)]
        values = [finite(what, value) for what, value in zip(Outcome._fields, outcome)]
        self.episodes[at] += 1
        self.last[at] = self.episodes.sum()
        part = 1 / min(int(self.episodes[at]), self._memory)
        for mean, value in zip((self.success, self.value, self.surprise), values):
            mean[at] += part * (value - mean[at])


class Uniform(Curriculum):
    """All names are equally likely."""

    def scores(self) -> Scores:
        return numpy.ones(len(self.names))


class Learnability(Curriculum):
    """p(1 - p), where p is the share of successes: what the agent sometimes wins. It is estimated as if one of two more episodes was won, so
    what was never played is worth most."""

    def scores(self) -> Scores:
        n = numpy.minimum(self.episodes, self._memory)
        p = (self.success * n + 1) / (n + 2)
        scores: Scores = (p * (1 - p))[self.bin]
        return scores


class Replay(Curriculum):
    """Prioritized level replay (Jiang et al. 2021): names by the rank of their last surprises, and some because they are stale.

    temperature: the smaller, the more the first ranks are preferred. staleness: the share of draws that go by how long ago it was.
    New names come in as often as there are of them.
    """

    def __init__(self, names: Iterable[str], *, temperature: float = 0.3, staleness: float = 0.1, seed: int = 0, memory: int = 10,
                 bins: Callable[[str], str] = str) -> None:
        super().__init__(names, seed=seed, memory=memory, bins=bins)
        if not 0 < temperature < numpy.inf:
            raise InvalidError(f"temperature is above 0, not {temperature}")
        if not 0 <= staleness <= 1:
            raise InvalidError(f"staleness is a share from 0 to 1, not {staleness}")
        self._temperature, self._staleness = temperature, staleness

    def scores(self) -> Scores:
        seen, old = self.episodes[self.bin] > 0, (self.episodes.sum() - self.last)[self.bin]
        if not seen.any():
            return numpy.ones(len(seen))
        ranked = numpy.zeros(len(seen))
        ranked[numpy.argsort(numpy.where(seen, -self.surprise[self.bin], numpy.inf), kind="stable")] = (1 + numpy.arange(len(seen))) ** (-1 / self._temperature)
        ranked, stale, new = ranked * seen, old * seen, (~seen).astype(float)
        replayed = (1 - self._staleness) * ranked / ranked.sum() + self._staleness * stale / max(stale.sum(), 1)
        scores: Scores = new / len(seen) + replayed * seen.mean()
        return scores


class Regret(Curriculum):
    """Exact regret: the best return that is certified, minus the agent's, both discounted with the trainer's gamma.

    certified: as `certified` reads it. Nothing is to be gained where nobody can win, so those episodes are never drawn while others
        are worth something. Where the agent plays better than the certificate, its return is the best one from then on.
    """

    def __init__(self, certified: Mapping[str, float], *, seed: int = 0, memory: int = 10, bins: Callable[[str], str] = str) -> None:
        if not isinstance(certified, Mapping):
            raise InvalidError("certified is no mapping from names to returns, as `curricula.certified` reads it")
        super().__init__(certified, seed=seed, memory=memory, bins=bins)
        self.best = numpy.array([*certified.values()], numpy.float64)

    def update(self, name: str, outcome: Outcome) -> None:
        super().update(name, outcome)
        place = self._place_of(name)
        self.best[place] = max(self.best[place], outcome.value)

    def scores(self) -> Scores:
        scores: Scores = numpy.maximum(self.best - self.value[self.bin], 0)
        return scores


def certified(path: str | os.PathLike[str], gamma: float, reward: Reward = "sparse") -> dict[str, float]:
    """The return of each solution in a file of `seedbed certify`, discounted; 0 where nobody can win. Unknown episodes are left out.

    Solutions are played again. gamma: the trainer's, as its return is `sum(gamma**t * rewards[t])`. reward: as in `make`.

    InvalidError if it is no such file; MismatchError, VersionError; OSError.
    """
    return {name: _return_of(tape, gamma, reward) for name, tape in _certificates(path)}


def _certificates(path: str | os.PathLike[str]) -> list[tuple[str, str | None]]:
    """(name, tape) of each episode that is solved or impossible; that has no tape."""
    data = Path(path).read_bytes()
    try:
        lines = [json.loads(line) for line in (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).splitlines()]
        if len(lines) < 2 or "certificates" not in lines[0] or "sha256" not in lines[-1]:
            raise ValueError("its first or its last line is missing")
        return [(line["episode"], json.dumps(line["tape"]) if line["verdict"] == "solved" else None) for line in lines[1:-1] if line["verdict"] != "unknown"]
    except (EOFError, KeyError, TypeError, ValueError, gzip.BadGzipFile, zlib.error) as error:
        raise InvalidError(f"{os.fspath(path)} is no file of certificates: {error}") from None


def _return_of(tape: str | None, gamma: float, reward: Reward) -> float:
    if tape is None:
        return 0.0
    rewards = replay(tape, "none", reward=reward, gamma=gamma if reward == "progress" else 1.0).rewards
    return float(rewards @ gamma ** numpy.arange(len(rewards)))
