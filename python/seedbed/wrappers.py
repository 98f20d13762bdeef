"""Wrappers for Gymnasium's environments: the pixel pipeline of the published agents."""
from __future__ import annotations

from typing import Any, SupportsFloat

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from ._errors import InvalidError

_BITS = 22  # weights are whole numbers of this many bits: then sums fit into int32, and are the same on every machine
_Pixels = NDArray[numpy.uint8]


def _taps(length: int, size: int) -> list[tuple[NDArray[numpy.intp], NDArray[numpy.int32]]]:
    """Which of `length` pixels each of `size` pixels is a weighted sum of: (indices, weights) of every pixel's first, second, ...

    A weight falls linearly with the distance of the two middles, to 0 where that is a new pixel, or an old one if these are larger.
    """
    scale = length / size
    reach = max(scale, 1.0)
    middles = (numpy.arange(size) + 0.5) * scale
    first = numpy.maximum((middles - reach + 0.5).astype(numpy.intp), 0)
    end = numpy.minimum((middles + reach + 0.5).astype(numpy.intp), length)
    at = first[:, None] + numpy.arange(int((end - first).max()))
    weights = numpy.where(at < end[:, None], numpy.maximum(1.0 - numpy.abs((at - middles[:, None] + 0.5) * (1.0 / reach)), 0.0), 0.0)
    sums = numpy.cumsum(weights, axis=1)[:, -1:]  # one after another: `sum` adds in an order of its own, and rounds otherwise
    whole = (weights / sums * (1 << _BITS) + 0.5).astype(numpy.int32)
    at = numpy.minimum(at, length - 1)
    return [(at[:, k].copy(), whole[:, k].copy()) for k in range(at.shape[1]) if whole[:, k].any()]


def _shrink(pixels: _Pixels, taps: list[tuple[NDArray[numpy.intp], NDArray[numpy.int32]]], axis: int) -> _Pixels:
    """The weighted sums along an axis, rounded."""
    shape = [1] * pixels.ndim
    shape[axis] = -1
    at, weights = taps[0]
    total = numpy.take(pixels, at, axis) * weights.reshape(shape)
    for at, weights in taps[1:]:
        total += numpy.take(pixels, at, axis) * weights.reshape(shape)
    total += 1 << (_BITS - 1)
    total >>= _BITS
    return numpy.clip(total, 0, 255, out=total).astype(numpy.uint8)


class PixelPreprocessing(gymnasium.Wrapper[_Pixels, Any, _Pixels, Any], RecordConstructorArgs):
    """Pixels as the published agents for Agentick see them: 84 x 84, grey, the last four pictures. They are made of 512 x 512 pixels
    there; here every picture will do. `look="isometric"` has that size and that angle, but drawings of its own.

    Red, green and blue are resized bilinearly, each for itself, first along rows, then along columns; square pictures as Pillow does
    it, to the byte. Grey is the mean of the three, without its fraction. At the beginning of an episode all pictures are the first.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], size: int = 84, grey: bool = True, stack: int = 4) -> None:
        """env: its observations are pictures in red, green and blue, as those of `obs="pixels"`.
        size: height and width of what comes out.
        grey: False keeps the three colours, as a last axis.
        stack: how many pictures there are in an observation, the last one last, as its first axis.

        InvalidError if observations are something else, or if size or stack is below 1.
        """
        RecordConstructorArgs.__init__(self, size=size, grey=grey, stack=stack)
        super().__init__(env)
        seen = env.observation_space
        if not isinstance(seen, spaces.Box) or seen.dtype != numpy.uint8 or len(seen.shape) != 3 or seen.shape[2] != 3:
            raise InvalidError(f"observations have to be pictures (obs=\"pixels\"), uint8 of the shape (height, width, 3), not {seen}")
        if size < 1 or stack < 1:
            raise InvalidError("size and stack are 1 or more")
        self._rows, self._columns = (_taps(length, size) for length in seen.shape[:2])
        self._grey = grey
        shape = (stack, size, size) if grey else (stack, size, size, 3)
        self.observation_space = spaces.Box(0, 255, shape, numpy.uint8)
        self._stack = numpy.zeros(shape, numpy.uint8)

    def _picture(self, pixels: _Pixels) -> _Pixels:
        small = _shrink(_shrink(pixels, self._columns, 1), self._rows, 0)
        return (small.sum(axis=2, dtype=numpy.uint16) // 3).astype(numpy.uint8) if self._grey else small

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[_Pixels, dict[str, Any]]:
        """Begins an episode: its first picture, as often as there are pictures in an observation."""
        pixels, info = self.env.reset(seed=seed, options=options)
        self._stack = numpy.repeat(self._picture(pixels)[None], len(self._stack), axis=0)
        return self._stack.copy(), info

    def step(self, action: Any) -> tuple[_Pixels, SupportsFloat, bool, bool, dict[str, Any]]:
        """Takes an action: the last pictures."""
        pixels, reward, terminated, truncated, info = self.env.step(action)
        self._stack[:-1] = self._stack[1:]
        self._stack[-1] = self._picture(pixels)
        return self._stack.copy(), reward, terminated, truncated, info


__all__ = ["PixelPreprocessing"]
