"""Results of evaluations: what was played, what it comes to, and the three scores."""
from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Union

from . import _seedbed
from ._errors import InvalidError

Path = Union[str, "os.PathLike[str]"]


def path_of_baseline(baseline: Path | int | None) -> Path | None:
    """The library takes the number of a frozen baseline as a text."""
    return str(baseline) if isinstance(baseline, int) else baseline


@dataclass(frozen=True)
class Score:
    """A score, or a category's part in one.

    score: None where something lacks; then `missing` says what.
    interval: lowest and highest value of the 95 % bootstrap interval.
    categories: the parts of the score, by category.
    tasks, of: over how many tasks it goes, and how many there are.
    """

    score: float | None
    interval: tuple[float, float] | None = None
    categories: Mapping[str, Score] = field(default_factory=dict)
    tasks: int | None = None
    of: int | None = None
    missing: str | None = None


@dataclass(frozen=True)
class Solvable:
    """What certificates say of some episodes: how many can be won, and how many of these were."""

    episodes: int
    successes: int
    impossible: int
    uncertified: int
    success_rate: float | None = None


@dataclass(frozen=True)
class Efficiency:
    """What episodes of games with levels come to by the actions that they took, against baselines.

    score: the mean, in percent; `name` says what it is called (`rhae-proxy`), `interval` is that of the 95 % bootstrap.
    actions, actions_on_completed_levels, resets, losses: sums; losses are tries that were lost.
    matched_budget: the score of who takes exactly the baseline on every level, with as many actions.
    score_after: the score, if every play had ended after so many times its baselines.
    """

    name: str
    episodes: int
    score: float
    interval: tuple[float, float]
    levels_completed: int
    levels: int
    actions: int
    actions_on_completed_levels: int
    resets: int
    losses: int
    matched_budget: float
    score_after: Mapping[float, float]


@dataclass(frozen=True)
class Effort:
    """What an episode took on each of its levels. `score` is in percent."""

    score: float
    levels_completed: int
    resets: int
    losses: int
    level_actions: tuple[int, ...]
    level_baselines: tuple[int, ...]


@dataclass(frozen=True)
class Tally:
    """What some episodes come to. What does not apply to them, or is not known, is None.

    success_interval, success_wilson: of the 95 % bootstrap, and Wilson's, which has a width where nobody or everybody won. Results of
    versions 1 and 2 lack the latter, and have 0 steps of successes where there were none.
    Where several attempts were made at each episode, `pass_at[k - 1]` estimates the chance that one of k attempts succeeds."""

    episodes: int
    successes: int
    errors: int
    success_rate: float | None
    success_interval: tuple[float, float] | None
    mean_return: float
    return_deviation: float
    mean_dense_return: float
    mean_steps: float
    mean_steps_of_successes: float | None
    faults: int = 0
    judged: int | None = None
    scored: int | None = None
    mean_score: float | None = None
    score_interval: tuple[float, float] | None = None
    solvable: Solvable | None = None
    category: str | None = None
    normalised: float | None = None
    normalised_interval: tuple[float, float] | None = None
    success_wilson: tuple[float, float] | None = None
    pass_at: tuple[float, ...] | None = None
    calls: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    cost: float | None = None
    marks: Mapping[str, int] | None = None
    mark_rates: Mapping[str, float] | None = None
    efficiency: Efficiency | None = None


@dataclass(frozen=True)
class Loss:
    """Why an episode was lost. `kind` is a word, `crash` for instance, and `text` a line."""

    kind: str
    text: str


@dataclass(frozen=True)
class Remark:
    """What one reply said. `step` is that of its first action, the number of steps after the last. What was not told is None; `cut` is
    how many bytes of the thought were cut off; `again`: these are the counters of a first try that was played again."""

    step: int
    thought: str | None = None
    cut: int = 0
    again: bool = False
    calls: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    cost: float | None = None
    marks: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Played:
    """An episode of a result. `success` is None where nobody can win; `certificate` says whether anybody can. `attempt` counts
    from 1 and is None where there was only one; `said` is what the agent said step by step, and the counters are the sums of what it
    reported, None if it did not."""

    name: str
    success: bool | None
    total: float
    dense_total: float
    steps: int
    terminated: bool
    truncated: bool
    digest: str
    certificate: str | None
    error: Loss | None
    score: float | None
    attempt: int | None
    cost: float | None
    efficiency: Effort | None
    actions_text: str = field(repr=False)
    calls: int | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float | None = None
    said: tuple[Remark, ...] = field(default=(), repr=False)
    test: Tested | None = None
    marks: Mapping[str, int] | None = None

    @cached_property
    def actions(self) -> list[int]:
        """The numbers of the actions."""
        return list(_seedbed._result_actions(self.actions_text))


@dataclass(frozen=True)
class TestScores:
    """What the tests of a kind come to: those of a `category`, those whose programs are `deterministic` or `stochastic` (`dynamics`), or
    all (both are None). The kind `all`, which is there if several kinds were played, is all of them together: its `mean_score` is the
    mean of the kinds' mean scores.

    tested: in how many episodes the test began; mean_interaction: steps before it, on average, with the one that began it.
    mean_score, corrected_score, mean_score_zero: of all episodes; corrected for chance where the answer can be guessed; and, where
    a change is to be detected, by the formula that ends at 0. Otherwise None. Each has the interval of the 95 % bootstrap.
    changed, submitted: in how many episodes the change acted, and in how many of these the agent submitted a frame.
    exploration: means of `area`, `final`, `resets` and `shares` of the agent's own actions before the test, in windows of `window`.
    """

    kind: str
    episodes: int
    tested: int
    mean_interaction: float
    mean_score: float
    score_interval: tuple[float, float]
    exploration: Mapping[str, Any]
    category: str | None = None
    dynamics: str | None = None
    corrected_score: float | None = None
    corrected_interval: tuple[float, float] | None = None
    mean_score_zero: float | None = None
    score_zero_interval: tuple[float, float] | None = None
    changed: int | None = None
    submitted: int | None = None


@dataclass(frozen=True)
class Tested:
    """What became of a test: whether it began, and after how many steps (the one that began it counts); in change detection also the frame that showed the
    change first (None: none did), the one that was submitted, and the score by the formula that ends at 0."""

    interaction: int
    tested: bool
    changed: int | None = None
    submitted: int | None = None
    score_zero: float | None = None


@dataclass(frozen=True)
class Estimates:
    """What episodes that were drawn under a budget tell of all official ones.

    success: the estimated success rate, with its interval; `categories` has it by category.
    leaderboard: the same of the leaderboard's score, if all tasks and difficulties were selected.
    drawn, of: how many episodes were played, and how many there are.
    probabilities: by task and difficulty (several in one text, if the budget was too small for each) the probability that one of its
        episodes is drawn.
    """

    success: Score
    leaderboard: Score | None
    drawn: int
    of: int
    probabilities: Mapping[tuple[str, str], float]


@dataclass(frozen=True)
class FamilyResult:
    """What the episodes of one family come to. `by_task` goes by task and difficulty ("" where there are none)."""

    name: str
    rules: str
    leaderboard: Score
    ons_pairs: Score
    capability: Score
    all: Tally
    by_category: Mapping[str, Tally]
    by_difficulty: Mapping[str, Tally]
    by_task: Mapping[tuple[str, str], Tally]
    tests: tuple[TestScores, ...] = ()
    budget: Estimates | None = None


def _pair(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _score(read: Mapping[str, Any]) -> Score:
    parts = {part["name"]: Score(part["score"], _pair(part.get("interval"))) for part in read.get("categories", ())}
    return Score(read["score"], _pair(read.get("interval")), parts, read.get("tasks"), read.get("of"), read.get("missing"))


def _estimates(read: Mapping[str, Any]) -> Estimates:
    def score(of: Mapping[str, Any], parts: Iterable[Mapping[str, Any]] = ()) -> Score:
        return Score(of["estimate"], _pair(of["interval"]), {part["name"]: score(part) for part in parts})

    return Estimates(score(read["success"], read["categories"]), score(read["leaderboard"]) if "leaderboard" in read else None,
                     read["drawn"], read["of"],
                     {(stratum["task"], stratum.get("difficulty", "")): stratum["probability"] for stratum in read["strata"]})


def _tally(read: Mapping[str, Any]) -> Tally:
    known = {key: _pair(value) for key, value in read.items() if key in Tally.__dataclass_fields__}
    if "solvable" in known:
        known["solvable"] = Solvable(**known["solvable"])
    if "efficiency" in known:
        members = {key: _pair(value) for key, value in known["efficiency"].items()}
        known["efficiency"] = Efficiency(**{**members, "score_after": {stop: score for stop, score in members["score_after"]}})
    return Tally(**known)


def _family(read: Mapping[str, Any]) -> FamilyResult:
    return FamilyResult(
        read["name"], read["rules"], **{name: _score(score) for name, score in read["scores"].items()}, all=_tally(read["all"]),
        by_category={group["name"]: _tally(group) for group in read["categories"]},
        by_difficulty={group["name"]: _tally(group) for group in read["difficulties"]},
        by_task={(pair["task"], pair["difficulty"]): _tally(pair) for pair in read["tasks"]},
        tests=tuple(TestScores(**{key: _pair(value) for key, value in test.items()}) for test in read.get("tests", ())),
        budget=_estimates(read["budget"]) if "budget" in read else None)


def _effort(read: Mapping[str, Any] | None) -> Effort | None:
    return None if read is None else Effort(**{key: _pair(value) for key, value in read.items()})


def _played(read: Mapping[str, Any]) -> Played:
    return Played(read["episode"], read["success"], read["return"], read["dense_return"], read["steps"], read["terminated"],
                  read["truncated"], read["digest"], read.get("certificate"), Loss(**read["error"]) if "error" in read else None,
                  read.get("score"), read.get("attempt"), read.get("cost"), _effort(read.get("efficiency")), read["actions"],
                  read.get("calls"), read.get("tokens_in"), read.get("tokens_out"), read.get("seconds"),
                  tuple(Remark(**remark) for remark in read.get("said", ())),
                  Tested(**read["test"]) if "test" in read else None, read.get("marks"))


class Result:
    """What `evaluate`, `load_result` and `merge_results` return: the document of `seedbed eval -o`, and what it comes to.

    Scores and tallies are those of the family of the first episode; `families` has them for every family.
    """

    def __init__(self, document: bytes, baseline: Path | int | None = None, title: str | None = None) -> None:
        """For those who return it. The title is the name of the file that it was read from: then nothing in it is believed."""
        self._document, self._baseline, self._title = document, path_of_baseline(baseline), title

    @cached_property
    def _read(self) -> dict[str, Any]:
        return self.to_dict()

    @cached_property
    def families(self) -> dict[str, FamilyResult]:
        """What the episodes come to, family by family. Of a result that was loaded it is computed anew."""
        read = self._read if self._title is None else json.loads(_seedbed._result_families(self._document, self._baseline))
        return {family["name"]: _family(family) for family in read["families"]}

    @cached_property
    def _first(self) -> FamilyResult:
        return self.families[_seedbed._parse_name(self._read["episodes"][0]["episode"])[0]]

    @property
    def agent(self) -> str:
        """What the agent is called."""
        return str(self._read["agent"]["name"])

    @property
    def kind(self) -> str:
        """`oracle`, `random`, `tape`, `exec` or `python`."""
        return str(self._read["agent"]["kind"])

    @property
    def salt(self) -> str | None:
        """What the numbers `random_seed` were made from; `evaluate(..., salt=...)` tells the same ones again."""
        salt: str | None = self._read["agent"].get("salt")
        return salt

    @property
    def about(self) -> dict[str, Any] | None:
        """What is told about the agent: model, parameters, harness; None: nothing."""
        about: dict[str, Any] | None = self._read["agent"].get("about")
        return about

    @property
    def leaderboard(self) -> Score:
        """The score of the published table."""
        return self._first.leaderboard

    @property
    def ons_pairs(self) -> Score:
        """Normalised returns, averaged over the pairs of task and difficulty."""
        return self._first.ons_pairs

    @property
    def capability(self) -> Score:
        """Normalised returns, averaged over tasks and then over categories."""
        return self._first.capability

    @cached_property
    def ons(self) -> Score:
        """The oracle-normalised score as printed: mean returns between those of the published random agent (0) and oracle (1), not limited,
        over the pairs that were played. The score is None in families without published agents."""
        return _score(json.loads(_seedbed._result_ons(self._document, self._baseline)))

    @property
    def budget(self) -> Estimates | None:
        """What is estimated under a budget; None: there is none."""
        return self._first.budget

    @property
    def solvable(self) -> Solvable | None:
        """Success among the episodes that can be won by certificate; None if none is certified."""
        return self._first.all.solvable

    @property
    def all(self) -> Tally:
        """All episodes."""
        return self._first.all

    @property
    def by_category(self) -> Mapping[str, Tally]:
        """Tallies by category."""
        return self._first.by_category

    @property
    def by_difficulty(self) -> Mapping[str, Tally]:
        """Tallies by difficulty."""
        return self._first.by_difficulty

    @property
    def by_task(self) -> Mapping[tuple[str, str], Tally]:
        """Tallies by task and difficulty ("" where there are none)."""
        return self._first.by_task

    @cached_property
    def episodes(self) -> list[Played]:
        """The episodes, in the order of the selection."""
        return [_played(episode) for episode in self._read["episodes"]]

    def to_dict(self) -> dict[str, Any]:
        """The document (docs/evaluation.md), as a new dict."""
        document: dict[str, Any] = json.loads(self._document)
        return document

    def save(self, path: Path) -> None:
        """Writes the document, which `seedbed report` and `seedbed verify` read. OSError if it cannot be written."""
        _seedbed._result_save(path, self._document)

    def scorecard(self) -> dict[str, Any]:
        """The scorecard of games with levels, as the published toolkit writes it (docs/multi-level-games.md), of the family of the
        first episode. InvalidError for other families."""
        card: dict[str, Any] = json.loads(_seedbed._result_scorecard(self._document, self._baseline))
        return card

    def table(self) -> str:
        """What `seedbed eval` prints."""
        return str(_seedbed._result_table(self._document, self._baseline))

    def report(self, path: Path | None = None, *others: Result | Path, published: str | Iterable[str] = "all", replays: int = 1,
               atlas: Path | None = None) -> None:
        """Writes a page of HTML that compares this result with others and with the agents that were published.

        path: the page's file; it has to be named, because a file that is there is replaced.
        others: results, or their files.
        published: "all", "none", or parts of names.
        replays: how many episodes the page shows for each task and result.
        atlas: a file of `seedbed atlas -o` with the episodes: the page then explains success by its measures.

        Raises MismatchError if an episode that is shown does not come out as its result says, OSError if the page cannot be written.
        """
        if path is None:
            raise InvalidError('path: name the file of the page, as in report("mine.html"); table() is the text')
        wanted = published if isinstance(published, str) else ",".join(published)
        _seedbed._result_save(path, _seedbed._result_page(_texts([self, *others]), self._baseline, wanted, replays, atlas))

    def __repr__(self) -> str:
        return f"<seedbed.Result: {self.agent}, {self.all.successes} of {self.all.episodes} episodes won>"


def _texts(results: Iterable[Result | Path]) -> list[tuple[str, bytes]]:
    """The documents, and what errors call them."""
    all_ = [result if isinstance(result, Result) else load_result(result) for result in results]
    return [(result._title or f"result {i}", result._document) for i, result in enumerate(all_, 1)]


def load_result(path: Path, *, baseline: Path | int | None = None) -> Result:
    """Reads a result, packed by gzip or not.

    path: what `Result.save` or `seedbed eval -o` wrote.
    baseline: a file, or the number of a frozen baseline, for the normalised scores, which are computed anew.

    Raises InvalidError if it is none, VersionError if it was played under other rules, OSError if it cannot be read.
    """
    result = Result(_seedbed._result_load(path), baseline, os.path.basename(os.fspath(path)))
    result.families
    return result


def merge_results(parts: Iterable[Result | Path], *, baseline: Path | int | None = None) -> Result:
    """Joins the results of the parts of an evaluation (`evaluate(..., shard="I/N")`, `seedbed eval --shard I/N`) into that of the whole,
    with the bytes that one run would have had.

    parts: results or their files, in any order, each part once.
    baseline: a file, or the number of a frozen one; None: the frozen one that the parts name.

    Raises InvalidError if parts lack or are there twice, MismatchError if they are not of one evaluation or were changed, VersionError, OSError.
    """
    return Result(_seedbed._result_merge(_texts(parts), path_of_baseline(baseline)), baseline)


def normalise(total: float, task: str, difficulty: str = "") -> float:
    """A return as a share, 0 to 1, of the way from what random actions get to what the best known policy gets.

    total: the return (sparse rewards).
    task, difficulty: of the episode; there is no difficulty in families without them.

    Raises UnknownError if there is no such task or difficulty, or if the baseline lacks it.
    """
    return float(_seedbed._normalise(total, task, difficulty))
