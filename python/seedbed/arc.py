"""Agents of the ARC-AGI-3 framework play multi-level games (family `arc`) unchanged.

    from seedbed import arc

    class Mine(arc.Agent):
        def is_done(self, frames, latest_frame): return latest_frame.state is arc.GameState.WIN
        def choose_action(self, frames, latest_frame): return arc.GameAction.RESET if latest_frame.state is arc.GameState.NOT_PLAYED else ...

    play = arc.play(Mine, "arc:Echo/full#7")
    result = seedbed.evaluate(arc.Policy(Mine), seedbed.select(family="arc", difficulty="intro"), obs="answer")

Agent, FrameData, GameAction and GameState are what such agents import from the framework, with the same names and values.
`load_agents` reads an agent's own file as it is. The format is compatible; Seedbed is not affiliated with ARC Prize.
"""
from __future__ import annotations

import dataclasses
import enum
import importlib.util
import json
import os
import sys
import threading
import time
import types
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Self, Union

from ._errors import Error, InvalidError
from .env import make
from .selection import choice

MAX_REASONING_BYTES = 16_384
_SIDE = 64


class GameState(str, enum.Enum):
    """How a game stands."""

    NOT_PLAYED = "NOT_PLAYED"
    NOT_FINISHED = "NOT_FINISHED"
    WIN = "WIN"
    GAME_OVER = "GAME_OVER"

    __str__ = enum.Enum.__str__


@dataclasses.dataclass
class SimpleAction:
    """What comes with an action without a place."""

    game_id: str = ""

    def model_dump(self) -> dict[str, Any]:
        """As a dict."""
        return dataclasses.asdict(self)


@dataclasses.dataclass
class ComplexAction(SimpleAction):
    """What comes with ACTION6: a pixel of the frame, 0 to 63."""

    x: int = 0
    y: int = 0


def _place(value: Any) -> int:
    """A whole number, or the text of one, within a frame."""
    if isinstance(value, bool) or int(value) != float(value) or not 0 <= int(value) < _SIDE:
        raise InvalidError(f"{value!r} is no place in a frame: x and y are 0 to 63")
    return int(value)


class _Set(threading.local):
    """What was set of actions, by number. Agents of several threads do not see each other's."""

    def __init__(self) -> None:
        self.data: dict[int, SimpleAction] = {}
        self.reasoning: dict[int, Any] = {}


_set = _Set()


class GameAction(enum.Enum):
    """The actions. As in the framework, an action carries the data that was set last, and a `reasoning` that frames echo. Both are
    forgotten when another agent begins to play."""

    RESET = 0
    ACTION1 = 1
    ACTION2 = 2
    ACTION3 = 3
    ACTION4 = 4
    ACTION5 = 5
    ACTION6 = 6
    ACTION7 = 7

    @property
    def action_type(self) -> type[SimpleAction]:
        """What comes with it."""
        return ComplexAction if self.value == 6 else SimpleAction

    @property
    def action_data(self) -> SimpleAction:
        """What was set last."""
        return _set.data.setdefault(self.value, self.action_type())

    @action_data.setter
    def action_data(self, data: SimpleAction) -> None:
        _set.data[self.value] = data

    @property
    def reasoning(self) -> Any:
        """Why it was taken: anything that JSON can hold."""
        return _set.reasoning.get(self.value)

    @reasoning.setter
    def reasoning(self, reasoning: Any) -> None:
        _set.reasoning[self.value] = reasoning

    def is_simple(self) -> bool:
        """Whether it has no place."""
        return self.action_type is SimpleAction

    def is_complex(self) -> bool:
        """Whether it has a place."""
        return self.action_type is ComplexAction

    def _read(self, data: Mapping[str, Any]) -> SimpleAction:
        if self.is_simple():
            return SimpleAction(str(data.get("game_id", "")))
        return ComplexAction(str(data.get("game_id", "")), _place(data.get("x", 0)), _place(data.get("y", 0)))

    def set_data(self, data: Mapping[str, Any]) -> SimpleAction:
        """Sets what comes with the action, {"x": 12, "y": 63} for ACTION6. InvalidError (a ValueError) for a place outside the frame."""
        self.action_data = self._read(data)
        return self.action_data

    def validate_data(self, data: Mapping[str, Any]) -> bool:
        """Whether `set_data` takes it; raises what that raises."""
        self._read(data)
        return True

    @classmethod
    def from_id(cls, action_id: int) -> GameAction:
        """The action of a number. ValueError if there is none."""
        return cls(action_id)

    @classmethod
    def from_name(cls, name: str) -> GameAction:
        """The action of a name, in any case of letters. ValueError if there is none."""
        if name.upper() not in cls.__members__:
            raise ValueError(f"no action is called {name!r}")
        return cls[name.upper()]

    @classmethod
    def all_simple(cls) -> list[GameAction]:
        """Those without a place."""
        return [action for action in cls if action.is_simple()]

    @classmethod
    def all_complex(cls) -> list[GameAction]:
        """Those with a place."""
        return [action for action in cls if action.is_complex()]


@dataclasses.dataclass
class ActionInput:
    """The action that a frame answers."""

    id: GameAction = GameAction.RESET
    data: dict[str, Any] = dataclasses.field(default_factory=dict)
    reasoning: Any = None


@dataclasses.dataclass
class FrameData:
    """What an agent is shown: the frames of the last action (64 rows of 64 colours, 0 to 15), and how things stand."""

    game_id: str = ""
    frame: list[list[list[int]]] = dataclasses.field(default_factory=list)
    state: GameState = GameState.NOT_PLAYED
    levels_completed: int = 0
    win_levels: int = 0
    action_input: ActionInput = dataclasses.field(default_factory=ActionInput)
    guid: str | None = None
    full_reset: bool = False
    available_actions: list[int] = dataclasses.field(default_factory=list)

    def is_empty(self) -> bool:
        """Whether there are no frames."""
        return len(self.frame) == 0

    @classmethod
    def model_validate(cls, answer: Mapping[str, Any]) -> Self:
        """Of the document that the mode `answer` shows."""
        said = answer["action_input"]
        action = ActionInput(GameAction(said["id"]), dict(said["data"]), said.get("reasoning"))
        return cls(**{**answer, "state": GameState(answer["state"]), "action_input": action})

    def model_dump(self, mode: str = "python") -> dict[str, Any]:
        """As a dict; mode "json" has only what JSON has."""
        read = dataclasses.asdict(self)
        if mode == "json":
            read["state"], read["action_input"]["id"] = self.state.value, self.action_input.id.value
        return read

    def model_dump_json(self) -> str:
        """As JSON."""
        return json.dumps(self.model_dump("json"), separators=(",", ":"))


class Agent(ABC):
    """What agents of the framework derive from. They say when they are done, and choose actions; the rest is done here."""

    MAX_ACTIONS: int = 80

    def __init__(self, card_id: str = "", game_id: str = "", agent_name: str = "", ROOT_URL: str = "", record: bool = False,
                 arc_env: Any = None, tags: list[str] | None = None) -> None:
        """The framework's arguments. Nothing is recorded here: tapes are recordings."""
        self.card_id, self.game_id, self.agent_name, self.ROOT_URL = card_id, game_id, agent_name, ROOT_URL
        self.arc_env, self.tags = arc_env, tags or []
        self.guid = ""
        self.frames: list[FrameData] = [FrameData()]
        self.action_counter = 0
        self.timer = time.time()

    @abstractmethod
    def is_done(self, frames: list[FrameData], latest_frame: FrameData) -> bool:
        """Whether the agent stops here. It is asked before every action."""

    @abstractmethod
    def choose_action(self, frames: list[FrameData], latest_frame: FrameData) -> GameAction:
        """The next action; of ACTION6 with its place set."""

    def append_frame(self, frame: FrameData) -> None:
        """Keeps what an action led to."""
        self.frames.append(frame)
        if frame.guid:
            self.guid = frame.guid

    def cleanup(self, scorecard: Any = None) -> None:
        """Called when the game is over for the agent."""

    @property
    def state(self) -> GameState:
        """How the game stands."""
        return self.frames[-1].state

    @property
    def levels_completed(self) -> int:
        """How many levels are completed."""
        return self.frames[-1].levels_completed

    @property
    def seconds(self) -> float:
        """Since the agent was made, to hundredths."""
        return round(time.time() - self.timer, 2)

    @property
    def fps(self) -> float:
        """Actions a second."""
        return round(self.action_counter / self.seconds, 2) if self.seconds else 0.0

    @property
    def is_playback(self) -> bool:
        """Whether it plays a recording."""
        return False

    @property
    def name(self) -> str:
        """What it is called."""
        return f"{self.game_id}.{type(self).__name__.lower()}" if self.game_id else type(self).__name__.lower()


# ---- Playing ----


class Stopped(Error):
    """The agent was done before its episode was."""


def _text_of(action: Any) -> str:
    """The action as episodes read it."""
    if action.value != 6:
        return str(action.name)
    return f"ACTION6 {_place(action.action_data.x)} {_place(action.action_data.y)}"


def _is_empty(begin: str) -> bool:
    """Whether agents begin with an empty frame."""
    return choice("begin", begin, "frame", "empty") == 1


class _Seat:
    """An agent at one episode, which is shown what its actions lead to. A type of frames other than ours may be the framework's own."""

    def __init__(self, agent: Any, frames: Any, game: str, begin: str) -> None:
        self.frames = frames
        self.opening: Any = None  # what the game shows before the first action
        self.empty = _is_empty(begin)
        named = {"game_id": game, "agent_name": getattr(agent, "__name__", "agent").lower()}
        self.agent = agent(card_id="", ROOT_URL="", record=False, arc_env=None, **named) if isinstance(agent, type) else agent
        if frames is not FrameData and any(isinstance(frame, FrameData) for frame in self.agent.frames):
            self.agent.frames = [frames()]  # an `Agent` begins with one of ours, whose states are not theirs
        self.reasoning: Any = None
        _set.data.clear()
        _set.reasoning.clear()

    def show(self, answer: Mapping[str, Any]) -> None:
        echoed = {**answer["action_input"], "reasoning": self.reasoning}
        self.agent.append_frame(self.frames.model_validate({**answer, "action_input": echoed}))

    def next(self) -> Any:
        """The agent's action; None: it is done."""
        agent = self.agent
        if agent.action_counter > agent.MAX_ACTIONS or agent.is_done(agent.frames, agent.frames[-1]):
            return None
        action = agent.choose_action(agent.frames, agent.frames[-1] if self.opening is None else self.opening)
        agent.action_counter += 1
        self.reasoning = getattr(action, "reasoning", None)
        if self.reasoning is not None and len(json.dumps(self.reasoning, separators=(",", ":")).encode()) > MAX_REASONING_BYTES:
            raise InvalidError(f"the reasoning of an action has at most {MAX_REASONING_BYTES} bytes as JSON")
        return action

    def ask(self, answer: Mapping[str, Any], begins: bool) -> str | None:
        """What to do next; None: the agent is done. Two kinds of actions are answered at once, for they are none of the episode: the
        reset with which an agent begins, which every episode begins with anyway; and clicks in a game that has none."""
        self.opening = self.frames.model_validate(answer) if begins and not self.empty else None
        if not begins:
            self.show(answer)
        action = self.next()
        self.opening = None
        if begins and action is not None and action.value == 0:
            self.show(answer)
            action = self.next()
        while action is not None and action.value == 6 and 6 not in answer["available_actions"]:
            place = {"x": action.action_data.x, "y": action.action_data.y}
            self.show({**answer, "frame": [], "full_reset": False, "action_input": {"id": 6, "data": place}})
            action = self.next()
        return None if action is None else _text_of(action)


class Play(NamedTuple):
    """What came of a game: the agent, the tape (which `seedbed replay --recording` turns into a recording), and how it ended."""

    agent: Any
    tape: str
    state: GameState
    levels_completed: int
    actions: int


def play(agent: Any, episode: str, *, frames: Any = FrameData, begin: str = "frame") -> Play:
    """Lets an agent play an episode, until it is done, has used up its MAX_ACTIONS, or the episode is over.

    agent: a class below `Agent`, or an object with `is_done`, `choose_action`, `append_frame`, `frames`, `action_counter` and `MAX_ACTIONS`.
    episode: a name: "arc:Echo/full#7".
    frames: what frames are made of, for agents that were loaded with the framework's own classes: `arcengine.FrameData`.
    begin: what an agent is asked about first. "frame": what the game shows, as in the framework since `arc-agi` 0.9; only `frames[-1]` is
        NOT_PLAYED then. "empty": a frame NOT_PLAYED without a picture, as in earlier versions, whose agents had to reset first.

    Raises what the agent raises, InvalidError for an action that is none, UnknownError if there is no such episode.
    """
    env = make(episode, obs="answer")
    answer, _ = env.reset()
    seat, begins = _Seat(agent, frames, env.task, begin), True
    while not env.done:
        action = seat.ask(answer, begins)
        if action is None:
            break
        answer, _, _, _, _ = env.step(action)
        begins = False
    if env.done:
        seat.show(answer)
    if hasattr(seat.agent, "cleanup"):
        seat.agent.cleanup()
    return Play(seat.agent, env.tape("arc-agent"), GameState(answer["state"]), int(answer["levels_completed"]), env.step_count)


class Policy:
    """Agents as a policy for `seedbed.evaluate(..., obs="answer")`: every episode has an agent of its own.

    An agent that is done before its episode is, loses it; what it reached until then counts in scores by efficiency.
    """

    def __init__(self, agent: Callable[..., Any], *, frames: Any = FrameData, begin: str = "frame") -> None:
        """A class below `Agent`, or what makes such objects; `frames` and `begin` as in `play`."""
        _is_empty(begin)
        self.agent, self.frames, self.begin = agent, frames, begin
        self.__qualname__ = self.__name__ = getattr(agent, "__name__", type(agent).__name__)
        self._seat: _Seat | None = None

    def reset(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> None:
        """Makes the agent of an episode."""
        self._seat = _Seat(self.agent if isinstance(self.agent, type) else self.agent(), self.frames, info["task"], self.begin)

    def act(self, observation: Mapping[str, Any], info: Mapping[str, Any]) -> str:
        """The agent's action."""
        if self._seat is None:
            raise InvalidError("an agent plays from the beginning of an episode")
        action = self._seat.ask(observation, bool(info["begins"]))
        if action is None:
            raise Stopped(f"the agent was done after {self._seat.agent.action_counter} actions")
        return action


# ---- Files of agents ----


def _modules() -> dict[str, types.ModuleType]:
    """What agents of the framework import, made of this module."""
    engine, package, templates, agent = (types.ModuleType(name) for name in ("arcengine", "agents", "agents.templates", "agents.agent"))
    for one in (FrameData, GameAction, GameState, ActionInput, SimpleAction, ComplexAction):
        setattr(engine, one.__name__, one)
    engine.MAX_REASONING_BYTES = MAX_REASONING_BYTES  # type: ignore[attr-defined]
    agent.Agent = Agent  # type: ignore[attr-defined]
    package.__path__ = templates.__path__ = []
    return {module.__name__: module for module in (engine, package, templates, agent)}


def load_agents(path: Union[str, os.PathLike[str]]) -> dict[str, type[Agent]]:
    """Reads a file that was written for the framework, and returns its agents by name.

    While it is read, `arcengine` and the framework's package `agents` are this module, installed or not; `from ..agent import Agent`
    works as in the folder `agents/templates`.

    Raises what the file raises, InvalidError if it holds no agent.
    """
    stand_ins = _modules()
    name = f"agents.templates.{os.path.splitext(os.path.basename(os.fspath(path)))[0]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InvalidError(f"{os.fspath(path)} is no file of Python")
    module = importlib.util.module_from_spec(spec)
    kept = {key: sys.modules.get(key) for key in (*stand_ins, name)}
    sys.modules.update({**stand_ins, name: module})
    try:
        spec.loader.exec_module(module)
    finally:
        for key, before in kept.items():
            if before is None:
                del sys.modules[key]
            else:
                sys.modules[key] = before
    found = {key: value for key, value in vars(module).items()
             if isinstance(value, type) and issubclass(value, Agent) and value.__module__ == name}
    if not found:
        raise InvalidError(f"{os.fspath(path)} holds no agent: a class that derives from Agent")
    return found
