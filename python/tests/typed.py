"""A user's module for type checkers (scripts/check-wheel runs `mypy --strict` over it): which types the package says its values have."""
from typing import Any, assert_type

import numpy
from numpy.typing import NDArray

import seedbed


def play() -> float:
    env = seedbed.make("KeyDoorPuzzle-v0/medium#42", obs="language")
    observation, info = env.reset(seed=1)
    assert_type(info, dict[str, Any])
    total = 0.0
    while not env.done:
        observation, reward, terminated, truncated, info = env.step(env.expert_action())
        total += reward
        assert_type(terminated, bool)
    assert_type(env.name, str | None)
    assert_type(env.action_mask(), NDArray[numpy.bool_])
    return total


def look() -> NDArray[numpy.uint8]:
    env = seedbed.make("GoTo", obs="pixels", look="grid", tile=4, render_mode="rgb_array")
    observation, _ = env.reset(seed=1)
    assert_type(observation, NDArray[numpy.uint8])
    stacked, _ = seedbed.wrappers.PixelPreprocessing(env).reset()
    assert_type(stacked, NDArray[numpy.uint8])
    return observation


def label() -> NDArray[numpy.int64]:
    vec = seedbed.make_vec("KeyDoorPuzzle-v0/medium", 4)
    vec.reset(seed=0)
    return vec.expert_actions()


def measure() -> float | None:
    result = seedbed.evaluate("expert", seedbed.select(tasks="GoToGoal", difficulty="easy", seeds="0..3"))
    assert_type(result, seedbed.Result)
    return result.leaderboard.score


def read() -> list[dict[str, Any]]:
    return list(seedbed.rows(seedbed.select(tasks="GoToGoal", difficulty="easy", seeds="0..3"), "steps"))
