"""Answers to single steps, judged by what they cost."""
from __future__ import annotations

import functools
import threading
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ._errors import ActionError, InvalidError
from .api import Cost, Player
from .env import Env, make
from .listing import parse_name

REMEMBERED = 4096  # states whose costs are kept: an answer is often one of several to the same prompt


class ActionScore(NamedTuple):
    """How good an action is beside the best ones.

    right: no other action is better. action: None if the answer names none of the task. best: all that are right. regret: how much worse the action
    is than they are, in the unit: `probability` of success if that differs, otherwise `steps`; None: not known, or no action. proven: whether the
    costs of all actions are proofs.
    """

    right: bool
    action: int | None
    best: tuple[int, ...]
    regret: float | None
    unit: str | None
    proven: bool


class _Seat(threading.local):
    """The environment and the oracles of a thread."""

    def __init__(self) -> None:
        self.text = ""
        self.env: Env | None = None
        self.players: dict[tuple[str, int | None], Player] = {}

    def arrive(self, name: str) -> Env:
        """The environment at the start of the episode."""
        if self.env is None or self.text != name:
            self.env, self.text = make(name, obs="none", info="none"), name
        self.env.reset()
        return self.env

    def player(self, agent: str, budget: int | None) -> Player:
        if (agent, budget) not in self.players:
            self.players[agent, budget] = Player(agent, budget)
        return self.players[agent, budget]


_seat = _Seat()


@functools.lru_cache(REMEMBERED)
def _costs(name: str, actions: tuple[int | str, ...], agent: str, budget: int | None) -> tuple[tuple[Cost, float | None, str | None], ...]:
    env = _seat.arrive(name)
    for action in actions:
        env.step(action)
    return tuple(_seat.player(agent, budget)._judged(env))


def _named(name: str, answer: int | str) -> int | None:
    env = _seat.arrive(name)
    try:
        return env.parse_action(answer)
    except (ActionError, InvalidError):  # models also write what no text can hold, such as a NUL
        return None


def score_action(name: str, actions: Sequence[int | str], answer: int | str, *, agent: str = "expert", budget: int | None = None) -> ActionScore:
    """Judges one answer: is it a best action in the state of the episode after these actions, and if not, how much worse?

    name: of the episode, with its seed. actions, answer: numbers or names. agent, budget: who tells the costs (Player.costs), in how many states. Ties
    are right. An answer that is no action, or no click worth trying, is not right. Costs of the last 4,096 states are kept.
    """
    parse_name(name)  # refuses a name without a seed, whose episodes would be others each time
    costs = {cost.action: (cost, regret, unit) for cost, regret, unit in _costs(name, tuple(actions), agent, budget)}
    action = _named(name, answer)
    best = tuple(number for number, (cost, _, _) in costs.items() if cost.best)
    proven = all(cost.proven for cost, _, _ in costs.values())
    if action is None or action not in costs:
        return ActionScore(False, action, best, None, None, proven)
    _, regret, unit = costs[action]
    return ActionScore(action in best, action, best, regret, unit, proven)


def score_row(row: Mapping[str, Any], answer: int | str, *, agent: str = "expert", budget: int | None = None) -> ActionScore:
    """Judges an answer to a row of a dataset that has the columns `name` and `taken`: a row of format `values`, or one built with the option `taken`.

    row: as it is read from the files. answer, agent, budget, and what comes back: as of `score_action`.
    """
    if "name" not in row or "taken" not in row:
        raise InvalidError('this row does not tell how its state was reached: build it with the option "taken", {"format": "chat", "taken": true}')
    return score_action(str(row["name"]), [int(action) for action in row["taken"]], answer, agent=agent, budget=budget)
