"""Episodes as a taskset of Prime Intellect's verifiers (`verifiers.v1`): `vf-eval seedbed`, or `owner/seedbed` as an id of its hub.

The game plays the user: each of its messages shows the state, and the model's reply is a step, whatever it says (seedbed.textplay). The package `seedbed` has the
layout that `vf-init` makes: its `__all__` holds the taskset, the environment and the harness.
"""
# mypy: allow-subclassing-any, allow-untyped-decorators
# The framework has no annotations that checkers would read.
from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from . import _require

_require("verifiers", "verifiers")  # before its imports

import httpx
import verifiers.v1 as vf
from pydantic import Field

from .. import data as _data
from .. import listing, textplay
from .._errors import InvalidError
from ..prompts import may_pass, says_too_long

__all__ = ["SeedbedEnv", "SeedbedHarness", "SeedbedTaskset"]

INFO = "seedbed"  # the key of a trace's `info` that says what was played
TRIES, PAUSE = 5, 0.5  # of one question; seconds before the second one, doubled each time


# ---- Which episodes --------------------------------------------------------------------------------------------------


class SeedbedConfig(vf.TasksetConfig):
    """Which episodes there are, what is asked, and what is rewarded. All are options of `vf-eval`: `--env.taskset.tasks KeyDoorPuzzle`."""

    names: list[str] | None = None
    """Episodes by name, such as KeyDoorPuzzle-v0/easy#42; nothing else of which episodes may be given then."""
    family: str | None = None
    tasks: str | None = None
    """Tasks, separated by commas; so are `category` and `difficulty`. Default: all of the family."""
    category: str | None = None
    difficulty: str | None = None
    split: str = "train"
    """List of seeds: `train` or a base text of your own, without games of evaluation episodes; or `eval`, which is not trained on."""
    seeds: str | None = None
    """Explicit seeds in place of a split, such as 0..24,42."""
    n: int | None = Field(None, ge=1)
    """Seeds for each task and difficulty; default: the whole list."""
    where: dict[str, Any] = Field(default_factory=dict)
    """Only episodes in whose play by the observer this is so: `success`, `min_steps`, `max_steps`."""
    allow_evaluation: bool = False
    """Train on games of evaluation episodes, too. What was trained on them must not be evaluated with them."""
    prompts: str | dict[str, Any] = "markovian"
    """A preset, the path of a recipe or dataset with the format `chat`, or the options of one (JSON)."""
    obs: str | None = None
    """Modes to observe, separated by commas; default: as the prompts say, or the family's first."""
    turns: int | None = Field(None, ge=-1)
    """How many earlier exchanges are repeated; -1: all. Default: as the prompts say, or none."""
    pixels: dict[str, Any] | None = None
    """The picture for {image}, such as {"look": "flat", "tile": 16}."""
    reward: Literal["sparse", "dense", "progress"] = "progress"
    """Rewards of turns."""
    gamma: float = Field(1.0, ge=0, le=1)
    """The discount of `progress`."""
    unreadable_as: str = "0"
    """What an answer without an action counts as: an action by number or name, `random`, or `lose`."""
    trained: Path | None = None
    """A file for the seed pack of what was trained on; a file that is there is added to."""


class SeedbedData(vf.TaskData):
    """An episode, and how it is played."""

    episode: str
    play: dict[str, Any]
    """Arguments of `seedbed.textplay.Session`."""
    is_evaluation: bool = False
    """It is the game of an evaluation episode, and is not to be trained on."""
    trained: str | None = None


class SeedbedTask(vf.Task[SeedbedData]):
    """What is right, and what a play was worth. Rewards but `success` have the weight 0: a configuration of `rewards` says others."""

    @property
    def key(self) -> str:
        """The episode's name."""
        return str(self.data.episode)

    def session(self, prompts: Any = None) -> textplay.Session:
        """The episode at its beginning."""
        options = {key: value for key, value in self.data.play.items() if key != "prompts"}
        return textplay.Session(self.data.episode, prompts or self.data.play["prompts"], **options)

    async def validate(self, runtime: vf.Runtime) -> bool | None:
        """Whether the expert wins, answering in words; None where there is no expert."""
        if "expert" not in listing.oracles(self.data.episode.partition("#")[0].partition("/")[0]):
            return None
        return await asyncio.to_thread(self._expert_wins)

    def _expert_wins(self) -> bool:
        play = self.session()
        while not play.done:
            play.say(play.expert_answer())
        return bool(play.success)

    @vf.reward(weight=1.0)
    async def success(self, trace: vf.Trace) -> float:
        """1 for an episode that was won. The tape is played again, so the reward is what the game says."""
        played = trace.info.get(INFO)
        if played is None or played["lost"] is not None:
            return 0.0
        return float(_data.replay(played["tape"], "none").success is True)

    @vf.reward(weight=0.0)
    async def efficiency(self, trace: vf.Trace) -> float:
        """The expert's steps divided by those taken; 0 for an episode that was not won."""
        return float(_played(trace).get("efficiency") or 0.0)

    @vf.reward(weight=0.0)
    async def format(self, trace: vf.Trace) -> float:
        """The share of answers that are the template to the letter."""
        turns = _played(trace).get("turns", [])
        return float(sum(turn["reading"] == "exact" for turn in turns) / max(1, len(turns)))

    @vf.reward(weight=0.0)
    async def progress(self, trace: vf.Trace) -> float:
        """The sum of the rewards of turns. With `progress` and gamma 1 it is the return and a constant of the start; what helps is the reward of each turn, which
        `info` has, with the node of its answer."""
        return float(sum(turn["reward"] for turn in _played(trace).get("turns", [])))

    @vf.metric
    async def played(self, trace: vf.Trace) -> Mapping[str, float]:
        """The return, how many turns there were, and the share of answers with each mark."""
        played = _played(trace)
        turns = played.get("turns", [])
        marks = {mark: sum(mark in turn["marks"] for turn in turns) / max(1, len(turns)) for mark in ("unreadable", "cut", "empty", "not_offered")}
        return {"return": float(played.get("return", 0.0)), "turns": float(len(turns)), "dropped": float(played.get("dropped", 0)), **marks}


def _played(trace: vf.Trace) -> Mapping[str, Any]:
    return trace.info.get(INFO) or {}


class SeedbedTaskset(vf.Taskset[SeedbedTask, SeedbedConfig]):
    """A task is an episode; its prompt is the first message."""

    def load(self) -> Iterator[SeedbedTask]:
        """The tasks, in the order of the selection. InvalidError if games of evaluation episodes are among those to train on."""
        config = self.config
        is_evaluation = config.split == "eval" and config.names is None and config.seeds is None
        chosen = textplay.episodes(config.names, family=config.family, tasks=config.tasks, category=config.category, difficulty=config.difficulty,
                                   split=config.split, seeds=config.seeds, n=config.n, where=config.where,
                                   allow_evaluation=config.allow_evaluation or is_evaluation)
        is_refused = is_evaluation and not config.allow_evaluation
        play = {"prompts": config.prompts, "obs": config.obs, "turns": config.turns, "pixels": config.pixels, "reward": config.reward, "gamma": config.gamma,
                "unreadable_as": config.unreadable_as}
        play = {key: value for key, value in play.items() if value is not None}
        trained = None if config.trained is None else str(config.trained)
        templates: Any = None
        for name in chosen:
            data = SeedbedData(name=name, episode=name, play=play, is_evaluation=is_refused, trained=trained)
            first = SeedbedTask(data, config.task).session(templates)
            templates = first.prompts
            yield SeedbedTask(data.model_copy(update=_opening(first)), config.task)


def _opening(play: textplay.Session) -> dict[str, Any]:
    """What the model is asked first."""
    *system, user = play.messages()
    content = user["content"]
    return {"system_prompt": system[0]["content"] if system else None, "description": play.summary,
            "prompt": content if isinstance(content, str) else [vf.UserMessage.model_validate(user)]}


# ---- Playing ---------------------------------------------------------------------------------------------------------

_plays: dict[str, textplay.Session] = {}  # those that run, by the id of their trace


class SeedbedEnvConfig(vf.SingleAgentEnvConfig):
    """The one seat; its program runs here, as nothing that a model says is executed."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class SeedbedEnv(vf.SingleAgentEnv, vf.Env[SeedbedEnvConfig]):
    """Lets an agent play an episode, turn by turn."""

    def __init__(self, config: SeedbedEnvConfig) -> None:
        super().__init__(config)
        self._trained: dict[str, textplay.Trained] = {}

    async def run(self, task: vf.Task[Any, Any, Any], agents: vf.Agents[Any]) -> None:
        """Plays the task's episode. Training (by the train client) refuses games of evaluation episodes."""
        assert isinstance(task, SeedbedTask)
        agent = agents.agent
        if agent.trainable and isinstance(agent.ctx.client, vf.TrainClientConfig):
            await self._note(task.data)
        play = await asyncio.to_thread(task.session)
        _limit(agent, play.prompts.max_tokens)
        async with agent.interaction(task) as interaction:
            async with _seated(interaction.trace, play):
                await _play(interaction, play)

    async def _note(self, data: SeedbedData) -> None:
        """Writes down what is trained on."""
        if data.is_evaluation:
            raise InvalidError(f"{data.episode} is evaluated with: train on another split; --env.taskset.allow-evaluation allows it")
        if data.trained is not None:
            await asyncio.to_thread(self._trained.setdefault(data.trained, textplay.Trained(data.trained)).add, data.episode)


def _limit(agent: Any, tokens: int | None) -> None:
    """Limits the tokens of answers, unless the run does."""
    sampling = agent.ctx.sampling
    if tokens is not None and sampling.max_tokens is None:
        sampling = sampling.model_copy(update={"max_tokens": tokens})
        agent.ctx, agent.config = replace(agent.ctx, sampling=sampling), agent.config.model_copy(update={"sampling": sampling})


@asynccontextmanager
async def _seated(trace: vf.Trace, play: textplay.Session) -> AsyncIterator[None]:
    """Lets the harness find the session of its trace, and the scoring what was played."""
    _plays[trace.id] = play
    try:
        yield
    finally:
        del _plays[trace.id]


async def _play(interaction: vf.Interaction, play: textplay.Session) -> None:
    """Plays until the episode or the exchange is over."""
    nodes: list[int | None] = []
    segment = await interaction.turn()
    while not segment.terminated:
        call = interaction.trace.calls[-1]
        replies = [message.content or "" for message in segment.messages if isinstance(message, vf.AssistantMessage)]
        turn = play.say(replies[-1] if replies else "", call.finish_reason == "length")
        nodes.append(call.node)
        interaction.trace.info[INFO] = _told(play, nodes)
        if turn.done:
            return
        segment = await interaction.turn([vf.UserMessage(content=turn.content)])


def _told(play: textplay.Session, nodes: list[int | None]) -> dict[str, Any]:
    """What a trace keeps of a play; everything else follows from the tape."""
    turns = [{"action": turn.action, "reading": turn.reading, "reward": turn.reward, "marks": list(turn.marks), "node": node}
             for turn, node in zip(play.turns, nodes, strict=True)]
    return {"tape": play.tape(), "success": play.success, "return": play.total, "efficiency": play.efficiency, "lost": play.lost, "turns": turns,
            "dropped": play.marks["dropped"]}


# ---- The harness -----------------------------------------------------------------------------------------------------


class SeedbedHarness(vf.Harness[vf.HarnessConfig]):
    """Asks the model what the session asks, in this process: the earlier exchanges that `turns` says, without thoughts; fewer of them if messages are too
    long. Other harnesses that continue a conversation will do as well (`--env.agent.harness.id null`); they repeat all turns.
    """

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def session(self, *arguments: Any, **options: Any) -> vf.HarnessSession:
        return _Asking(self, *arguments, **options)

    async def launch(self, *_: Any, **__: Any) -> vf.ProgramResult:
        """Never called: its sessions ask by themselves."""
        raise NotImplementedError


class _Asking(vf.HarnessSession):
    """One rollout's questions."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.client = httpx.AsyncClient(timeout=None, trust_env=False)

    async def close(self) -> None:
        await super().close()
        await self.client.aclose()

    async def _run(self, messages: vf.Messages | None) -> vf.ProgramResult:
        """Asks once; the reply is in the trace. What the exchange shows is what the session asks."""
        play = _plays.get(self.trace.id)
        if play is None:
            raise InvalidError("this harness plays episodes of the taskset `seedbed` only")
        while True:
            response = await self._ask(play.messages())
            if response.is_success or self.trace.stop_condition is not None:  # a limit ends the exchange
                return vf.ProgramResult(0, "", "")
            if not says_too_long(response.status_code, response.text) or not play.drop_turns():
                return vf.ProgramResult(1, "", f"{response.status_code}: {response.text[:2000]}")

    async def _ask(self, messages: list[dict[str, Any]]) -> httpx.Response:
        """The response, after several tries where one may pass."""
        tries = 1
        while True:
            response = await self.client.post(f"{self.endpoint}/chat/completions", json={"model": self.ctx.model, "messages": messages},
                                              headers={"Authorization": f"Bearer {self.secret}", "X-Stainless-Retry-Count": str(tries - 1)})
            passes = may_pass(response.status_code) and not says_too_long(response.status_code, response.text)
            if not passes or tries == TRIES or self.trace.stop_condition is not None:
                return response
            await asyncio.sleep(PAUSE * 2 ** (tries - 1))
            tries += 1
