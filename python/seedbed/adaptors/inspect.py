"""Episodes as a task of Inspect (`inspect_ai`): `inspect eval seedbed/seedbed -T tasks=KeyDoorPuzzle --model ...`.

The game plays the user: each of its messages shows the state, and the model's answer is a step, whatever it says (seedbed.textplay). Epochs are attempts. The
log has every message, with its picture, and an event for every turn; `result` makes of it what `seedbed report` and `seedbed verify` read.
"""
# mypy: allow-untyped-decorators
# The framework has no annotations that checkers would read.
from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from . import _require

_require("inspect_ai", "inspect")  # before its imports

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import EvalLog, read_eval_log, transcript
from inspect_ai.model import (ChatMessage, ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, Content, ContentImage, ContentText, GenerateConfig, Model,
                              ModelOutput, get_model)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, accuracy, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from .. import data, evaluation, results, textplay
from ..api import Reward
from ..listing import parse_name
from ..selection import select, whole

__all__ = ["benchmark", "play", "result", "seedbed", "success"]

PLAYED = "seedbed"  # the key, in a sample's store and in its score's metadata, of what was played
MARKS = ("unreadable", "cut", "empty")  # those that results count


# ---- The task --------------------------------------------------------------------------------------------------------


@task
def seedbed(names: str | list[str] | None = None, family: str | None = None, tasks: str | list[str] | None = None, category: str | list[str] | None = None,
            difficulty: str | list[str] | None = None, split: str = "eval", seeds: str | int | list[int] | None = None, n: int | None = None,
            pack: str | None = None, prompts: str | dict[str, Any] = "markovian", obs: str | list[str] | None = None, turns: int | None = None,
            pixels: dict[str, Any] | None = None, reward: Reward = "progress", gamma: float = 1.0, unreadable_as: str | int = "0",
            attempts: int = 1) -> Task:
    """Episodes, by default the official ones to evaluate with.

    names; family, tasks, category, difficulty, split, seeds, n: which, as in `seedbed.select`; n: its `count`. pack: the file of a seed pack in their place.
    prompts, obs, turns, pixels, reward, gamma, unreadable_as: as of `seedbed.textplay.Session`. A preset limits the tokens of answers unless options do.
    attempts: epochs.
    """
    lists = split if pack is None and names is None and seeds is None else None
    chosen = select(names, family=family, tasks=tasks, category=category, difficulty=difficulty, seeds=seeds, split=lists, count=n, pack=pack)
    options = {"obs": obs, "turns": turns, "pixels": pixels, "reward": reward, "gamma": gamma, "unreadable_as": str(unreadable_as)}
    sessions = _sessions(chosen, prompts, options)
    first = next(sessions)
    samples = [_sample(session) for session in (first, *sessions)]
    return Task(dataset=MemoryDataset(samples, name="seedbed"), solver=play(prompts, **options), scorer=success(), epochs=whole("attempts", attempts, 1),
                config=GenerateConfig(max_tokens=first.prompts.max_tokens))


def _sessions(names: Iterable[str], prompts: Any, options: Mapping[str, Any]) -> Iterator[textplay.Session]:
    """The episodes at their beginning. Templates are read once."""
    for name in names:
        session = textplay.Session(name, prompts, **options)
        prompts = session.prompts
        yield session


def _sample(session: textplay.Session) -> Sample:
    parts = parse_name(session.name)
    return Sample(input=_messages(session), id=session.name, description=session.summary,
                  metadata={"family": parts.family, "task": parts.task, "difficulty": parts.difficulty})


# ---- Playing ---------------------------------------------------------------------------------------------------------


@solver
def play(prompts: str | dict[str, Any] = "markovian", **options: Any) -> Solver:
    """Plays the episode that a sample is called by, turn by turn. The model is asked what the session asks, so `turns` says which earlier exchanges it
    sees; the sample's messages are all of them."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = await asyncio.to_thread(textplay.Session, str(state.sample_id), prompts, **options, random_seed=_seed(state))
        played = _Play(session)
        state.messages = _messages(session)
        try:
            while await played.turn(state):
                pass
        finally:  # also where a limit ends it
            state.store.set(PLAYED, played.told())
        return state

    return solve


def _seed(state: TaskState) -> int:
    """For `unreadable_as="random"`: another one for each attempt."""
    return int.from_bytes(hashlib.sha256(f"{state.sample_id} {state.epoch}".encode()).digest()[:4]) >> 1


class _Play:
    """A session, and what each of its turns took."""

    def __init__(self, session: textplay.Session) -> None:
        self.session = session
        self.spent: list[dict[str, Any]] = []  # of each turn
        self.lost: str | None = None

    async def turn(self, state: TaskState) -> bool:
        """Asks, and takes the step; whether the episode goes on."""
        session = self.session
        output = await _asked(session, get_model())
        if output is None:
            self.lost = "the messages are too long for the model"
            return False
        state.output = output
        state.messages.append(output.message)
        turn = session.say(output.completion, output.stop_reason == "max_tokens")
        self.spent.append(_spent(output))
        transcript().info({"action": turn.action_name, "reading": turn.reading, "reward": turn.reward, "marks": list(turn.marks), "done": turn.done},
                          source="seedbed")
        if turn.content is not None:
            state.messages.append(ChatMessageUser(content=_content(turn.content)))
        return not turn.done

    def told(self) -> dict[str, Any]:
        """What a log keeps; everything else follows from the tape."""
        session = self.session
        turns = [{"action": turn.action, "reading": turn.reading, "reward": turn.reward, "marks": list(turn.marks), **spent}
                 for turn, spent in zip(session.turns, self.spent, strict=False)]  # a limit may come in between
        return {"tape": session.tape("inspect"), "done": session.done, "efficiency": session.efficiency, "lost": self.lost or session.lost, "turns": turns,
                "dropped": session.marks["dropped"]}


async def _asked(session: textplay.Session, model: Model) -> ModelOutput | None:
    """The model's answer; None if the messages are too long for it, also without earlier exchanges."""
    while True:
        output = await model.generate(_messages(session))
        if output.stop_reason != "model_length":
            return output
        if not session.drop_turns():
            return None


def _spent(output: ModelOutput) -> dict[str, Any]:
    """What an answer took, as results count it."""
    usage = output.usage
    tokens = {} if usage is None else {"tokens_in": usage.input_tokens, "tokens_out": usage.output_tokens}
    return {"calls": 1, **tokens, **({} if output.time is None else {"seconds": output.time})}


def _messages(session: textplay.Session) -> list[ChatMessage]:
    """What the session asks now."""
    kinds: dict[str, type[ChatMessageSystem] | type[ChatMessageUser] | type[ChatMessageAssistant]]
    kinds = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
    return [kinds[message["role"]](content=_content(message["content"])) for message in session.messages()]


def _content(content: Any) -> str | list[Content]:
    if isinstance(content, str):
        return content
    return [ContentText(text=part["text"]) if part["type"] == "text" else ContentImage(image=part["image_url"]["url"]) for part in content]


# ---- Scoring ---------------------------------------------------------------------------------------------------------


def _as_one(tapes: list[Mapping[str, Any]], name: str | None = None) -> results.Result:
    """The result of plays in any order, each the metadata of its score. The tapes are played again. Where an episode has fewer attempts than others, those that
    lack count as lost."""
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for one in tapes:
        by_name.setdefault(json.loads(one["tape"])["name"], []).append(one)
    attempts = max(map(len, by_name.values()))
    order = [several[i] if i < len(several) else None for several in by_name.values() for i in range(attempts)]
    return evaluation.evaluate(_Again(order), list(by_name), obs="none", attempts=attempts, name=name or "inspect", on_error="lost")


class _Again:
    """Plays what was played, in the order of an evaluation."""

    def __init__(self, order: Iterable[Mapping[str, Any] | None]) -> None:
        self.order = iter(order)

    def reset(self, _: Any, __: Any) -> None:
        one = next(self.order)
        if one is None:
            raise RuntimeError("this attempt was not played to its end")
        self.lost: str | None = one["lost"]
        self.turns: Iterator[Mapping[str, Any]] = iter(one["turns"])
        self.actions = iter(json.loads(one["tape"])["actions"])

    def act(self, _: Any, __: Any) -> dict[str, Any]:
        action, turn = next(self.actions, None), next(self.turns, {})
        if action is None:
            raise RuntimeError(self.lost or "a limit ended the play")
        marks = {"answers": 1, **{mark: 1 for mark in turn["marks"] if mark in MARKS}}
        return {"action": action, "marks": marks, **{key: turn[key] for key in ("calls", "tokens_in", "tokens_out", "seconds") if key in turn}}


@metric(scores="unreduced")
def benchmark() -> Metric:
    """The scores of `seedbed eval` over all plays, with intervals of 95 % (`_low`, `_high`): success (Wilson's), those of the benchmark as far as the episodes
    have them, and the means of returns, steps and marks."""

    def scored(scores: list[SampleScore]) -> Value:
        plays = [score.score.metadata[PLAYED] for score in scores if score.score.metadata]
        if not plays:
            return {}
        made = _as_one(plays)
        tally = made.all
        told: dict[str, float | None] = {"success": tally.success_rate, **_ends("success", tally.success_wilson)}
        for name in ("leaderboard", "ons_pairs", "capability"):
            score: results.Score = getattr(made, name)
            if score.score is not None:
                told |= {name: score.score, **_ends(name, score.interval)}
        told |= {"return": tally.mean_return, "steps": tally.mean_steps, **{f"pass_at_{k}": at for k, at in enumerate(tally.pass_at or (), 1)}}
        return {**told, **(tally.mark_rates or {})}

    return scored


def _ends(name: str, interval: tuple[float, float] | None) -> dict[str, float]:
    return {} if interval is None else {f"{name}_low": interval[0], f"{name}_high": interval[1]}


@scorer(metrics=[accuracy(), stderr(), benchmark()])
def success() -> Scorer:
    """1 for an episode that was won. The tape is played again, so the score is what the game says. Tasks that cannot be won have none."""

    async def score(state: TaskState, target: Target) -> Score:
        played = state.store.get(PLAYED)
        if played is None:
            return Score.unscored(explanation="nothing was played: the task `seedbed` needs its own solver")
        tape = data.replay(played["tape"], "none")
        end = f"; {played['lost']}" if played["lost"] else "" if played["done"] else "; a limit ended it"
        told = {"answer": state.output.completion, "metadata": {PLAYED: played}, "explanation": f"{tape.steps} steps, return {tape.total}{end}"}
        if tape.success is None:
            return Score.unscored(**told)
        return Score(value=float(tape.success and played["lost"] is None), **told)

    return score


def result(log: EvalLog | str | os.PathLike[str]) -> results.Result:
    """The log's plays as a result of `seedbed eval`, with samples that failed left out: for `save`, and so for `seedbed report` and `seedbed verify`."""
    log = log if isinstance(log, EvalLog) else read_eval_log(os.fspath(log))
    return _as_one([sample.store[PLAYED] for sample in log.samples or [] if PLAYED in sample.store], log.eval.model)
