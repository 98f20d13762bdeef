"""Episodes as an environment of OpenEnv: a server, its client, and their typed messages.

    python -m seedbed.adaptors.openenv --tasks KeyDoorPuzzle --difficulty easy --trained trained.json

    with SeedbedEnv("http://localhost:8000").sync() as env:
        seen = env.reset(seed=7)
        while not seen.done:
            seen = env.step(SeedbedAction(text=ask_the_model(seen.observation.messages)))

The game plays the user: an observation has the messages that the model is asked next, and the model's answer is a step, whatever it says (seedbed.textplay).
examples/openenv has the manifest and the container file.
"""
# mypy: allow-subclassing-any
# The framework has no annotations that checkers would read.
from __future__ import annotations

import argparse
import functools
import hashlib
import inspect
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _require


def _parser() -> argparse.ArgumentParser:
    """Its options have the names of arguments of `create`, `host` and `port`."""
    parser = argparse.ArgumentParser(prog="python -m seedbed.adaptors.openenv", description="Serves episodes to clients of OpenEnv.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    for word in ("names", "family", "tasks", "category", "difficulty", "split", "seeds", "prompts", "obs", "reward", "unreadable-as", "trained"):
        parser.add_argument(f"--{word}", default=argparse.SUPPRESS)
    for word, kind in (("n", int), ("turns", int), ("sessions", int), ("gamma", float), ("pixels", json.loads)):
        parser.add_argument(f"--{word}", type=kind, default=argparse.SUPPRESS)
    parser.add_argument("--allow-evaluation", action="store_true", default=argparse.SUPPRESS)
    return parser


_require("openenv", "openenv", _parser() if __name__ == "__main__" else None)  # before its imports

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, ConcurrencyConfig, EnvironmentMetadata, Observation, State
from pydantic import Field

from .. import textplay
from .._errors import Error, FinishedError, InvalidError
from .._seedbed import Selection
from .._seedbed import __version__ as version
from ..api import Reward
from ..selection import select, whole

__all__ = ["SeedbedAction", "SeedbedEnv", "SeedbedEnvironment", "SeedbedObservation", "SeedbedState", "create"]

SESSIONS = 64  # at once
TRIES = 1000  # to find an episode that is not evaluated with
IDLE = 3600.0  # seconds after which the framework frees sessions that nobody uses; those whose connection breaks are freed at once
ALLOWED = "train on others; allow_evaluation=True, in `reset` or for the whole server, allows it"
SETTINGS = "SEEDBED_OPENENV"  # of the environment: a JSON object of the arguments of `create`


# ---- Messages --------------------------------------------------------------------------------------------------------


class SeedbedAction(Action):
    """An answer of the model."""

    text: str = Field("", description="What the model said")
    cut: bool = Field(False, description="The answer ended because it had too many tokens")
    too_long: bool = Field(False, description="There is no answer, as the messages are too long for the model: show fewer earlier exchanges")


class SeedbedObservation(Observation):
    """What came of an answer, and what the model is asked next."""

    messages: list[dict[str, Any]] = Field(default_factory=list, description="`role` and `content`, as endpoints take them; empty at the end")
    action: int | None = Field(None, description="What was done, also in place of an unreadable answer")
    action_name: str | None = None
    reading: str | None = Field(None, description="How the action was read: `exact`, `repaired`, or `none`")
    marks: list[str] = Field(default_factory=list, description="What was odd about the answer, such as `unreadable`")
    success: bool | None = Field(None, description="Whether the episode was won; null while it runs, and in tasks that cannot be won")


class SeedbedState(State):
    """How the episode stands. The model should not see it."""

    name: str | None = None
    total: float = Field(0.0, description="The return, without shaping")
    success: bool | None = None
    efficiency: float | None = Field(None, description="The expert's steps divided by those taken; 0 if the episode was not won")
    lost: str | None = Field(None, description="Why the episode was lost, if it was")
    dropped: int = Field(0, description="Earlier exchanges that were left out")
    tape: str | None = Field(None, description="What was played, for `seedbed verify`")


class SeedbedEnv(EnvClient[SeedbedAction, SeedbedObservation, SeedbedState]):
    """The client: each has an episode of its own on the server. `reset` takes the arguments of `SeedbedEnvironment.reset`."""

    def _step_payload(self, action: SeedbedAction) -> dict[str, Any]:
        payload: dict[str, Any] = action.model_dump(exclude_defaults=True)
        return payload

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[SeedbedObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done"))
        return StepResult(observation=SeedbedObservation(**payload["observation"], reward=reward, done=done), reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> SeedbedState:
        return SeedbedState(**payload)


# ---- Which episodes --------------------------------------------------------------------------------------------------


@functools.lru_cache(1 << 16)
def _is_evaluation(name: str) -> bool:
    return bool(textplay.evaluation_games([name]))


@dataclass
class _Offer:
    """Which episodes a server has, and how they are played."""

    which: dict[str, Any]  # arguments of `select`, but for `split`
    split: str
    play: dict[str, Any]  # arguments of textplay.Session
    allow_evaluation: bool
    trained: textplay.Trained | None
    templates: dict[str, Any] = field(default_factory=dict)  # by family

    def named(self, name: str, allow: bool) -> str:
        """An episode that was asked for by name. InvalidError if it is evaluated with."""
        if not allow and _is_evaluation(name):
            raise InvalidError(f"{name} is evaluated with, or is the same game as an episode that is: {ALLOWED}")
        return name

    def listed(self, chosen: Selection, at: int, allow: bool) -> str:
        """An episode of a list, round and round; where it is evaluated with, another one, always the same. InvalidError if there is none."""
        at %= len(chosen)
        for i in range(TRIES):
            place = int.from_bytes(hashlib.sha256(f"{at} {i}".encode()).digest()[:8]) if i else at
            name: str = chosen[place % len(chosen)]
            if allow or not _is_evaluation(name):
                return name
        raise self._none_left()

    def following(self, chosen: Selection, at: int, allow: bool) -> tuple[str, int]:
        """The next episode of a list that is not evaluated with, round and round, and the place after it. InvalidError if there is none."""
        for place in range(at, at + len(chosen)):
            name: str = chosen[place % len(chosen)]
            if allow or not _is_evaluation(name):
                return name, place + 1
        raise self._none_left()

    @staticmethod
    def _none_left() -> InvalidError:
        return InvalidError(f"all of these episodes are evaluated with, or are the same game as one that is: {ALLOWED}")

    @functools.lru_cache(64)
    def list(self, split: str, task: str | None = None, difficulty: str | None = None) -> Selection:
        """The episodes of a split; of all that the server has, or of a task."""
        which = self.which
        if task is not None:
            which = {key: value for key, value in which.items() if key in ("seeds", "count")} | {"tasks": task, "difficulty": difficulty}
        return select(**which, split=None if "seeds" in which or "names" in which else split)

    def session(self, name: str) -> textplay.Session:
        """The episode at its beginning. Templates are read once."""
        family = name.partition(":")[0] if ":" in name else ""
        session = textplay.Session(name, self.templates.get(family) or self.play["prompts"],
                                   **{key: value for key, value in self.play.items() if key != "prompts"})
        self.templates[family] = session.prompts
        return session

    __hash__ = object.__hash__


# ---- The server ------------------------------------------------------------------------------------------------------


class SeedbedEnvironment(Environment[SeedbedAction, SeedbedObservation, SeedbedState]):
    """One session: an episode after another. It has the framework's task API, whose splits are lists of seeds."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, offer: _Offer) -> None:
        super().__init__()
        self._offer = offer
        self._play: textplay.Session | None = None
        self._lost: str | None = None
        self._id: str | None = None
        self._next = 0  # in the list

    def reset(self, seed: int | None = None, episode_id: str | None = None, *, name: str | None = None, task: str | None = None, difficulty: str | None = None,
              split: str | None = None, index: int | None = None, allow_evaluation: bool = False, **unknown: Any) -> SeedbedObservation:
        """Begins an episode. Evaluation games are refused where they are asked for, and left out of lists; all of the split `eval` are.

        name: the episode, such as KeyDoorPuzzle-v0/easy#42.
        task, difficulty: of the episode, in place of those that the server has. With `seed`, it is that of the name.
        seed, without a task; or index: which episode of the split's list, round and round. Neither: the session's next one, from the first on. In place of an
            evaluation game comes another episode.
        split: a list of seeds; default: the server's.
        episode_id: what the state calls the episode; default: its name.
        allow_evaluation: take evaluation games, too. What was trained on them must not be evaluated with them.
        """
        if unknown:
            raise InvalidError(f"reset: there is no `{min(unknown)}`; known are seed, episode_id, name, task, difficulty, split, index, allow_evaluation")
        if not isinstance(allow_evaluation, bool):
            raise InvalidError(f"allow_evaluation: true or false, not {allow_evaluation!r}")
        if difficulty is not None and task is None:
            raise InvalidError("difficulty goes with a task")
        allow = allow_evaluation or self._offer.allow_evaluation
        episode = self._chosen(seed, name, task, difficulty, split, index, allow)
        play = self._offer.session(episode)
        if self._offer.trained is not None and not allow:
            self._offer.trained.add(episode)
        self._play, self._lost, self._id = play, None, episode_id or episode
        return SeedbedObservation(messages=play.messages(), done=play.done)

    def _chosen(self, seed: int | None, name: str | None, task: str | None, difficulty: str | None, split: str | None, index: int | None, allow: bool) -> str:
        offer = self._offer
        if name is not None:
            return offer.named(name, allow)
        if task is not None and seed is not None:
            return offer.named(f"{task}/{difficulty}#{seed}" if difficulty else f"{task}#{seed}", allow)
        chosen = offer.list(split or offer.split, task, difficulty)
        at = seed if index is None else index
        if at is not None:
            return offer.listed(chosen, whole("seed" if index is None else "index", at), allow)
        episode, self._next = offer.following(chosen, self._next, allow)
        return episode

    def step(self, action: SeedbedAction, timeout_s: float | None = None, **_: Any) -> SeedbedObservation:
        """Takes an answer. FinishedError if no episode runs."""
        play = self._running()
        if action.too_long:
            return self._shorten(play)
        turn = play.say(action.text, action.cut)
        return SeedbedObservation(messages=[] if turn.done else play.messages(), action=turn.action, action_name=turn.action_name, reading=turn.reading,
                                  marks=list(turn.marks), success=turn.success, reward=turn.reward, done=turn.done)

    def _running(self) -> textplay.Session:
        if self._play is None or self._play.done or self._lost is not None:
            raise FinishedError("no episode runs: call reset first")
        return self._play

    def _shorten(self, play: textplay.Session) -> SeedbedObservation:
        """The same question with fewer earlier exchanges; the episode is lost if there are none."""
        if play.drop_turns():
            return SeedbedObservation(messages=play.messages(), reward=0.0)
        self._lost = "the messages are too long for the model"
        return SeedbedObservation(marks=["lost"], success=False, reward=0.0, done=True)

    @property
    def state(self) -> SeedbedState:
        """How the episode stands."""
        play = self._play
        if play is None:
            return SeedbedState()
        lost = self._lost or play.lost
        return SeedbedState(episode_id=self._id, step_count=len(json.loads(play.tape())["actions"]), name=play.name, total=play.total, lost=lost,
                            tape=play.tape("openenv"), success=False if lost else play.success, efficiency=0.0 if lost else play.efficiency,
                            dropped=play.marks["dropped"])

    def close(self) -> None:
        """Ends the session."""
        self._play = None

    def get_metadata(self) -> EnvironmentMetadata:
        """What the server is."""
        return EnvironmentMetadata(name="seedbed", description="Hashed seeds become episodes of small worlds, played in texts", version=version)

    # ---- The framework's task API

    def list_splits(self) -> Sequence[Any]:
        """The lists of seeds that every task has."""
        return ["train", {"name": "eval", "type": "test"}]

    def num_tasks(self, split: str) -> int:
        """How many episodes a list has, with those that are not trained on."""
        return len(self._offer.list(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """The episode that `reset(split=, index=)` begins. IndexError if there is none."""
        chosen = self._offer.list(split)
        if not 0 <= index < len(chosen):
            raise IndexError(index)
        return {"id": self._offer.listed(chosen, index, self._offer.allow_evaluation or split == "eval"), "split": split, "index": index}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """Several."""
        return [self.get_task(split, i) for i in range(self.num_tasks(split))[start:stop]]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The first thousand."""
        return self.get_task_range(split, 0, 1000)


def create(*, names: Any = None, family: str | None = None, tasks: Any = None, category: Any = None, difficulty: Any = None, split: str = "train",
           seeds: Any = None, n: int | None = None, prompts: Any = "markovian", obs: Any = None, turns: int | None = None, pixels: dict[str, Any] | None = None,
           reward: Reward = "progress", gamma: float = 1.0, unreadable_as: str = "0", allow_evaluation: bool = False, trained: str | None = None,
           sessions: int = SESSIONS) -> Any:
    """The application (FastAPI) that serves episodes.

    names; family, tasks, category, difficulty, split, seeds: the episodes that `reset` chooses from, as in `seedbed.select`. n: for each task and difficulty.
    prompts, obs, turns, pixels, reward, gamma, unreadable_as: as of `seedbed.textplay.Session`.
    allow_evaluation: take evaluation games, too.
    trained: a file for the seed pack of what was trained on; a file that is there is added to.
    sessions: how many there may be at once.
    """
    at_once = whole("sessions", sessions, 1)
    given = {"names": names, "family": family, "tasks": tasks, "category": category, "difficulty": difficulty, "seeds": seeds, "count": n}
    which = {key: value for key, value in given.items() if value is not None}
    play = {"prompts": prompts, "obs": obs, "turns": turns, "pixels": pixels, "reward": reward, "gamma": gamma, "unreadable_as": unreadable_as}
    offer = _Offer(which, split, play, allow_evaluation, None if trained is None else textplay.Trained(trained))
    offer.session(offer.list(split)[0])  # says at the start what cannot be
    return create_app(functools.partial(SeedbedEnvironment, offer), SeedbedAction, SeedbedObservation, env_name="seedbed", state_cls=SeedbedState,
                      concurrency_config=ConcurrencyConfig(max_concurrent_envs=at_once, session_timeout=IDLE))


def __getattr__(name: str) -> Any:
    if name == "app":  # for `uvicorn seedbed.adaptors.openenv:app`
        return create(**_settings())
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _settings() -> dict[str, Any]:
    """The arguments of `create` in the environment."""
    try:
        settings = json.loads(os.environ.get(SETTINGS, "{}"))
        inspect.signature(create).bind(**settings)
    except (ValueError, TypeError) as error:
        raise InvalidError(f"{SETTINGS}: a JSON object of the arguments of `create` is expected: {error}") from None
    return dict(settings)


# ---- The command -----------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Serves until it is interrupted."""
    import uvicorn

    parser = _parser()
    options = vars(parser.parse_args(arguments))
    host, port = options.pop("host"), options.pop("port")
    try:
        app = create(**{**_settings(), **options})
    except (Error, OSError) as error:
        parser.error(str(error))
    uvicorn.run(app, host=host, port=port, log_level="warning", ws_per_message_deflate=False)  # packing costs more than it saves


if __name__ == "__main__":
    main()
