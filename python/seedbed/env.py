"""Environments for Gymnasium."""
from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium import spaces

from . import ids
from ._seedbed import EnvCore, _modes
from .spaces import space_of


class Env(EnvCore, gymnasium.Env[Any, int]):
    """One environment: an episode at a time of a task and difficulty. `seedbed.make` makes it.

    `step`, `reset`, `render` and `close` are C functions of EnvCore; Gymnasium's class comes second.
    """

    def __init__(self, name: str, **options: Any) -> None:
        """See `make`."""
        super().__init__(name, **options)
        self.render_mode = options.get("render_mode")
        self.metadata = {"render_modes": ["ansi", "human", *(mode[0] for mode in _modes(self.family))], "render_fps": 10}
        self.observation_space = space_of(self)
        self.action_space = spaces.Discrete(self.n_actions)


def make(name: str, **options: Any) -> Env:
    """Makes an environment.

    name: a task with or without difficulty and seed: "KeyDoorPuzzle-v0", "KeyDoorPuzzle/medium", "GoTo#5". With a seed the
        environment is pinned: `reset()` begins that episode again and again.
    difficulty: the difficulty, if the name says none (default "medium").
    obs: an observation mode, or a list of modes; see the page on Python.
    reward: "sparse" or "dense".
    info: "full" (as the published environments tell it), "lean" (`success` alone) or "none".
    render_mode: what `render()` returns: "ansi", a text or document mode, or "human", which prints.
    seed: the first `reset()` is as `reset(seed=seed)`.
    copy: False lets every observation reuse the same arrays.
    pad: "family" or (height, width): arrays of one shape for several tasks.

    Raises UnknownError for a task that is not there, InvalidError for anything else that cannot be.
    """
    if "max_steps" in options:
        raise TypeError("make() takes no max_steps: the limit is part of the episode; gymnasium.wrappers.TimeLimit makes it shorter")
    ids.register()
    env = Env(name, **options)
    env.spec = gymnasium.spec(ids.gym_id(f"{env.family}:{env.task}" + (f"/{env.difficulty}" if env.difficulty else "")))
    return env


def _from_id(**options: Any) -> Env:
    """What Gymnasium calls for a registered id, whose options hold the name."""
    return Env(**options)
