"""Lets a policy play every episode of a selection."""
from __future__ import annotations

import copy
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from . import _seedbed
from ._errors import Error, InvalidError
from .results import Path, Result, path_of_baseline
from .programs import Programs, load_programs, named, recipe_named
from .selection import Challenges, check_either, load_pack, select, whole

# ---- Which episodes ----


def _list(value: Any) -> Any:
    """As the command has lists: texts separated by commas."""
    return value if isinstance(value, (str, int)) or value is None else ",".join(map(str, value))


def _selection(episodes: Any) -> str:
    """The text of what was asked for, as results have it in `selection`.

    Whatever has `to_json()` (a Selection, a Pack, Challenges) says it itself: the members of the request, or a pack's document. A dict
    has the arguments of `select`; anything else is a name or a list of names.
    """
    if episodes is None:
        return "{}"
    if getattr(episodes, "pack", None) is not None:  # a Selection that is the whole of one
        episodes = episodes.pack
    if hasattr(episodes, "to_json"):
        return str(episodes.to_json())
    if isinstance(episodes, Mapping) and "evaluation" in episodes:
        return _selection(select(**episodes))
    if isinstance(episodes, Mapping):
        asked = {key: [*map(named, value)] if key == "names" else _list(value) for key, value in episodes.items() if value is not None}
        return json.dumps(recipe_named(asked))
    return json.dumps({"names": [named(name) for name in ([episodes] if isinstance(episodes, str) else episodes)]})


def _budgeted(selection: str, episodes: int | None, until: float | None, purpose: str, seed: int) -> str:
    """The same with a budget, if there is one."""
    if episodes is None and until is None:
        if seed or purpose != "success":
            raise InvalidError("budget_for and budget_seed are for a budget: give budget or until")
        return selection
    asked: dict[str, Any] = {"for": purpose, "seed": whole("budget_seed", seed)}
    if episodes is not None:
        asked["episodes"] = whole("budget", episodes, 1)
    if until is not None:
        asked["until"] = until
    request = json.loads(selection)
    if "pack" in request or "lists" in request:
        raise InvalidError("a budget draws from the official episodes of tasks, not from a pack")
    return json.dumps({**request, "budget": asked})


def _opened(episodes: Any) -> Any:
    """What is in a file: a pack of seeds or of challenges."""
    if not isinstance(episodes, os.PathLike):
        return episodes
    return Challenges(episodes) if _seedbed._is_challenges(episodes) else load_pack(episodes)


# ---- Playing ----


def _stacked(items: list[Any]) -> Any:
    """Observations in one: arrays are stacked, also those in dicts that hold nothing else; of all others there is a list."""
    first, numpy = items[0], sys.modules.get("numpy")
    if numpy is None:  # then nobody made an array
        return items
    if isinstance(first, numpy.ndarray):
        return numpy.stack(items)
    if isinstance(first, dict) and first and all(isinstance(value, numpy.ndarray) for value in first.values()):
        return {key: numpy.stack([item[key] for item in items]) for key in first}
    return items


def _batch(observations: list[Any], several: bool) -> Any:
    if several:
        return {mode: _stacked([observation[mode] for observation in observations]) for mode in observations[0]}
    return _stacked(observations)


_SAID = ("thought", "calls", "tokens_in", "tokens_out", "seconds", "cost", "marks")


def _plain(value: Any) -> Any:
    """A scalar of numpy as a number of Python."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} is neither a text nor a number")


def _said(answer: Mapping[str, Any]) -> bytes:
    """What an answer says besides its action, as a program's reply says it."""
    try:
        str(answer.get("thought", "")).encode()
    except UnicodeEncodeError as error:
        raise InvalidError(f"thought: half a surrogate pair is no character (at {error.start})") from None
    try:
        return json.dumps({key: answer[key] for key in _SAID if answer.get(key) is not None}, default=_plain, allow_nan=False).encode()
    except ValueError:
        raise InvalidError("an answer has the values of JSON, in which no number is infinite or none") from None


def _text_of(error: Exception) -> str:
    """What a policy's error says; what cannot even be asked for that, says nothing."""
    try:
        return str(error).replace("\0", "\N{REPLACEMENT CHARACTER}")
    except Exception:
        return ""


class _Playing:
    """A function's play: what it is asked, and what becomes of what it answers."""

    def __init__(self, run: Any, raises: bool, report: Callable[[], None]) -> None:
        self.run, self.raises, self.report = run, raises, report
        self.acted = False  # whether any answer was an action

    def lose(self, slots: list[int], kind: str, error: Exception) -> None:
        """Ends these episodes. Raises the error, if that is what was asked for."""
        if self.raises:
            error.add_note(self.run.place(slots[0]))
            raise error
        text = _text_of(error) if kind == "nonsense" else f"{type(error).__name__}: {_text_of(error)}".removesuffix(": ")
        for slot in slots:
            self.run.lose(slot, kind, text.encode("utf-8", "replace"))

    def read(self, slot: int, answer: Any) -> int | None:
        """The action; None: the episode was lost."""
        try:
            action = int(self.run.read(slot, answer.get("action") if isinstance(answer, Mapping) else answer))
            if isinstance(answer, Mapping):
                self.run.say(slot, _said(answer))
            self.acted = True
            return action
        except Exception as error:
            self.lose([slot], "nonsense", error)
            return None

    def each(self, policy: Any, slot: int) -> None:
        """Plays one episode after another."""
        act, reset = getattr(policy, "act", policy), getattr(policy, "reset", None)
        while self.run.begin([slot]):
            playing = True
            while playing:
                playing = self.once(act, reset, slot)
            self.report()

    def once(self, act: Callable[..., Any], reset: Callable[..., Any] | None, slot: int) -> bool:
        """Takes a step; whether the episode goes on."""
        observation, info = self.run.show(slot)
        try:
            if reset is not None and info["begins"]:
                reset(observation, info)
            answer = act(observation, info)
        except Exception as error:
            self.lose([slot], "crash", error)
            return False
        action = self.read(slot, answer)
        return action is not None and bool(self.run.step([slot], [action]))

    def together(self, policy: Any, slots: int, several: bool) -> None:
        """Plays up to so many episodes at once."""
        act = getattr(policy, "act", policy)
        running: list[int] = []
        while True:
            running = sorted(running + self.run.begin(sorted(set(range(slots)) - set(running))))
            if not running:
                return
            running = self.all_once(act, running, several)
            self.report()

    def all_once(self, act: Callable[..., Any], running: list[int], several: bool) -> list[int]:
        """Takes a step in each of the episodes; the slots of those that go on."""
        shown = [self.run.show(slot) for slot in running]
        try:
            answer = act(_batch([observation for observation, _ in shown], several), [info for _, info in shown])
        except Exception as error:
            self.lose(running, "crash", error)
            return []
        try:
            answers = list(answer)
            if len(answers) != len(running):
                raise InvalidError(f"{len(answers)} actions for {len(running)} observations")
        except Exception as error:
            self.lose(running, "nonsense", error)
            return []
        actions = {slot: self.read(slot, one) for slot, one in zip(running, answers)}
        playing = [slot for slot in running if actions[slot] is not None]
        return list(self.run.step(playing, [actions[slot] for slot in playing]))


def _in_threads(run: Any, jobs: Iterable[Callable[[], None]], report: Callable[[], None]) -> None:
    """Does the jobs, each in a thread. This one waits, so that an interruption stops them all, and reports."""
    failed: list[BaseException] = []
    ends: list[threading.Event] = []

    def work(job: Callable[[], None], end: threading.Event) -> None:
        try:
            job()
        except BaseException as error:
            failed.append(error)
            run.stop()
        finally:
            end.set()

    try:
        for job in jobs:
            end = threading.Event()
            threading.Thread(target=work, args=(job, end), daemon=True).start()
            ends.append(end)
        for end in ends:
            while not end.wait(0.05):  # an interrupted Thread.join() of Python 3.11 takes the thread for ended
                report()
    except BaseException:
        run.stop()
        for end in ends:
            end.wait()
        raise
    report()
    if failed:
        raise failed[0]


def _reporter(run: Any, progress: Callable[[int, int], None] | None) -> Callable[[], None]:
    """Tells of every episode that was played since the last time."""
    told = 0

    def report() -> None:
        nonlocal told
        while progress is not None and told < run.done:
            told += 1
            progress(told, run.total)

    return report


def _policies(policy: Any, n: int) -> list[Any]:
    """One for each thread: who is told that an episode begins remembers it, so each gets a copy of its own."""
    if not hasattr(policy, "reset"):
        return [policy] * n
    try:
        return [policy, *(copy.deepcopy(policy) for _ in range(n - 1))]
    except Exception as error:
        raise InvalidError(f"the policy has reset(), so jobs={n} needs a copy for each thread, and none can be made: {error}") from error


def _check(policy: Any, batch: int, jobs: int, on_error: str | None) -> None:
    whole("batch", batch, 1, sys.maxsize), whole("jobs", jobs, 0, 1 << 20)
    if on_error not in ("lost", "raise", None):
        raise InvalidError(f'on_error is "lost" or "raise", not {on_error!r}')
    if isinstance(policy, type):
        raise InvalidError(f"the policy is the class {policy.__name__}: give an instance of it")
    if not isinstance(policy, str) and not callable(getattr(policy, "act", policy)):
        raise InvalidError("a policy is an agent's name, a function of (obs, info), or an object that has act(obs, info)")


def _how(output: Path | None, resume: bool, retry_lost: bool, force: bool) -> str:
    """What becomes of episodes that an interrupted evaluation kept."""
    if output is None and (resume or retry_lost or force):
        raise InvalidError("resume, retry_lost and force need an output")
    check_either(resume or retry_lost, force)
    return "retry" if retry_lost else "resume" if resume else "force" if force else "anew"


def _about(about: Mapping[str, Any]) -> str:
    """The text of what is told about an agent."""
    try:
        text = json.dumps(dict(about), allow_nan=False)
    except ValueError as error:
        raise InvalidError(f"about: {error}") from None
    if "\\u0000" in text:
        raise InvalidError("about: a text cannot hold a NUL")
    return text


def _name_of(policy: Any) -> tuple[str, str]:
    """What to call it, and where it is defined."""
    named = policy if hasattr(policy, "__qualname__") else type(policy)
    return named.__name__, f"python:{named.__module__}.{named.__qualname__}"


def _play_agent(run: Any, spec: str, jobs: int, salt: str | None, steps: int, report: Callable[[], None]) -> None:
    if steps and not spec.startswith("exec:"):
        raise InvalidError("max_steps is for programs and for functions of Python; oracles and tapes play to the end")
    _in_threads(run, [lambda: run.play(spec, jobs, salt, steps)], report)


def _raise_first_loss(result: Result) -> None:
    for played in result.episodes:
        if played.error is not None:
            raise Error(f"{played.name}, step {played.steps}: {played.error.text}")


def _raise_if_nothing_was_played(result: Result) -> None:
    """A table of zeros would tell nothing about a policy none of whose answers was an action."""
    first, n = result.episodes[0], len(result.episodes)
    if all(played.error is not None and played.steps == 0 for played in result.episodes):
        raise Error(f"no episode was played: each of {n} was lost at its first step, {first.name} by `{first.error.text if first.error else ''}`; "
                    'on_error="raise" shows where that comes from, on_error="lost" gives the result all the same')


def _play_policy(run: Any, policy: Any, batch: int, jobs: int, raises: bool, several: bool, report: Callable[[], None]) -> bool:
    """Whether any answer was an action."""
    playing = _Playing(run, raises, report)
    if batch > 1:
        playing.together(policy, batch, several)
    elif jobs > 1:
        playing.report = lambda: None
        each: Iterator[tuple[int, Any]] = enumerate(_policies(policy, jobs))
        _in_threads(run, [lambda slot=slot, one=one: playing.each(one, slot) for slot, one in each], report)  # type: ignore[misc]
    else:
        playing.each(policy, 0)
    return playing.acted


def evaluate(policy: Any, episodes: Any = None, *, obs: str | Iterable[str] | None = None, batch: int = 1, jobs: int = 1,
             name: str | None = None, baseline: Path | int | None = None, certificates: Path | None = None, max_steps: int | None = None,
             on_error: Literal["lost", "raise"] | None = None, progress: Callable[[int, int], None] | None = None,
             pad: Any = None, salt: str | None = None, attempts: int = 1, output: Path | None = None, resume: bool = False,
             retry_lost: bool = False, force: bool = False, shard: str | None = None,
             about: Mapping[str, Any] | None = None, hours: float | None = None, max_cost: float | None = None,
             max_lost: int | None = None, interaction: int | None = None, frames_per_action: int = 1,
             instructions: Mapping[str, str] | None = None, programs: Programs | None = None, budget: int | None = None,
             until: float | None = None, budget_for: Literal["success", "leaderboard"] = "success", budget_seed: int = 0) -> Result:
    """Lets a policy play every episode of a selection.

    policy: what `seedbed eval --agent` takes ("expert", "random", "tape:FILE", "exec:COMMAND"); or a function of an observation
        and an info that returns an action, or a dict of `action` and what the result should keep with it: `thought`, `calls`,
        `tokens_in`, `tokens_out`, `seconds`, `cost`, `marks`; or an object with `act(obs, info)` and, if it likes, `reset(obs, info)`, which is called
        when an episode begins. With `batch`, the function gets several observations and infos, and returns as many actions; `reset`
        is not called then.
    episodes: a Selection, a Pack, Challenges, a pathlib.Path of a pack of seeds or challenges, names, or a dict of the arguments of
        `select`; None: the official evaluation episodes.
    obs: what is observed, as in `make`.
    batch: how many episodes run at once. Arrays are stacked; of all other observations there is a list. info["slot"] says which
        conversation it is, and info["begins"] that a new episode begins there.
    jobs: threads; 0: one a processor. An object with `reset` is copied for each.
    name: what reports call the agent.
    baseline: a file, or the number of a frozen one, for the normalised scores.
    certificates: a file of `seedbed certify`, for episodes that are not official.
    max_steps: the most steps of an episode, for programs and functions; who needs more loses it.
    on_error: "lost": a wrong action or an exception loses the episode; "raise": it is raised. Default: as "lost", but an Error if a function
        loses every episode at its first step.
    progress: called with the number of episodes that were played, and of all.
    pad: as in `make`, for batches of arrays from several tasks.
    salt: of another result: the numbers `random_seed` of that one.
    attempts: how often each episode is played, for pass@k; for programs and functions, each attempt with its own `random_seed`.
    output: a file for the result. Every episode is kept beside it as soon as it was played, so that nothing is lost by an
        interruption.
    resume: go on with the episodes that an interrupted evaluation kept for this output.
    retry_lost: the same, and play those again that were lost.
    force: drop them, or replace the finished result, which is refused else if it holds what its agent thought or spent.
    about: what the result says about the agent (model, parameters, harness, ...), some KB of what JSON can hold; it comes in place of what
        a program says of itself.
    hours: no episode begins after so many hours. None: no limit.
    max_cost: no episode begins once all together have cost so much, as the policy reports it. None: no limit.
    max_lost: the run stops after so many lost episodes in a row; 0: never; None: 20 for programs, never for functions.
    interaction: challenges: the test begins after so many steps of interaction; default: as the task says. This and the next two are for
        programs and functions. In challenges, info["instructions"] is what the agent is told of its task.
    frames_per_action: challenges: after each action the program goes on by waiting, until so many frames were shown. Those before the
        last are in info["frames"], a list of dicts of `steps`, `action` and `observation`.
    instructions: challenges: other texts by kind (`mfp`, `planning`, `change`).
    programs: paths of programs whose tasks may be named, as for `load_program`.
    budget: play only so many of the official episodes, drawn so that `Result.budget` can estimate the scores of all of them.
    until: under a budget (default: two of each pair of task and difficulty), play more until the interval of the score is at most +-this.
    budget_for: which score that is.
    budget_seed: draws other episodes; reports show it.
    shard: "I/N": play only the I-th part of N. `merge_results` joins the results; the parts share one salt.

    Raises InvalidError or UnknownError for what cannot be, Error if a function played nothing (see on_error), OSError for files; FinishedError if a limit ended the run, and KeyboardInterrupt.
    What was played until then is kept if there is an output.
    """
    load_programs(programs)
    _check(policy, batch, jobs, on_error)
    attempts = min(whole("attempts", attempts, 1), sys.maxsize)  # the core says how many there may be
    how = _how(output, resume, retry_lost, force)
    if attempts > 1 and isinstance(policy, str) and not policy.startswith("exec:"):
        raise InvalidError("attempts are for programs and functions: other agents play an episode in one way only")
    if shard is not None and salt is None and not (isinstance(policy, str) and not policy.startswith("exec:")):
        raise InvalidError("the parts of a run share one salt: give the same 32 hex digits to each as salt=")
    if isinstance(policy, str) and not policy.startswith("exec:") and (interaction is not None or frames_per_action != 1 or instructions is not None):
        raise InvalidError("interaction, frames_per_action and instructions are for programs and functions: other agents play as the tasks say")
    frames_per_action = whole("frames_per_action", frames_per_action, 1)
    interaction = None if interaction is None else whole("interaction", interaction, 1)
    max_steps = None if max_steps is None else whole("max_steps", max_steps, 1)
    if isinstance(hours, bool) or isinstance(max_cost, bool):
        raise InvalidError("hours and max_cost are numbers, not flags")
    if not isinstance(name, str | None):
        raise InvalidError("name is a text")
    if salt is not None and isinstance(policy, str) and not policy.startswith("exec:"):
        raise InvalidError("salt is for programs and functions: other agents get no random numbers")
    steps, raises = max_steps or 0, on_error == "raise"
    label, spec = (None, policy) if isinstance(policy, str) else _name_of(policy)
    episodes = _opened(episodes)
    selection = _budgeted(_selection(episodes), budget, until, budget_for, budget_seed)
    run = _seedbed.EvaluationCore(selection, path_of_baseline(baseline), certificates, label if name is None else name, output=output,
                                  how=how, attempts=attempts, shard=shard, about=None if about is None else _about(about),
                                  challenges=episodes.path if isinstance(episodes, Challenges) else None)
    run.test(interaction or 0, frames_per_action, None if instructions is None else json.dumps(dict(instructions)))
    is_program = isinstance(policy, str) and policy.startswith("exec:")
    run.limit(hours, max_cost, (20 if is_program else 0) if max_lost is None else whole("max_lost", max_lost))
    report, acted = _reporter(run, progress), True
    try:
        if isinstance(policy, str):
            _play_agent(run, policy, jobs, salt, steps, report)
        else:
            jobs = max(1, min(jobs or os.cpu_count() or 1, run.total))
            batch = max(2, min(batch, run.total)) if batch > 1 else 1  # more would wait for ever
            wanted = obs if obs is None or isinstance(obs, str) else list(obs)
            run.seat(spec, batch if batch > 1 else jobs, jobs, batch > 1, wanted, pad, salt, steps)
            acted = _play_policy(run, policy, batch, jobs, raises, isinstance(wanted, list), report)
            while run.more():
                acted |= _play_policy(run, policy, batch, jobs, raises, isinstance(wanted, list), report)
        result = Result(run.document(), baseline)
    finally:
        run.leave()
    if raises and isinstance(policy, str):
        _raise_first_loss(result)
    if not acted and on_error is None:
        _raise_if_nothing_was_played(result)
    return result
