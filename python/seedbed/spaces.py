"""Spaces: what observations of an environment may be."""
from __future__ import annotations

import json
from typing import Any, Iterable

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.error import CustomSpaceError
from gymnasium.vector.utils import create_shared_memory
from gymnasium.wrappers.utils import create_zero_array

from . import _seedbed
from ._errors import InvalidError
from .ids import name_of

_PRINTABLE = "\n" + "".join(map(chr, range(32, 127)))

# Keywords of JSON Schema that say nothing about the value.
_NOTES = {"$schema", "$id", "$defs", "title", "description"}
_TYPES: dict[str, tuple[type, ...]] = {"object": (dict,), "array": (list,), "string": (str,), "integer": (int,), "number": (int, float),
                                       "boolean": (bool,), "null": (type(None),)}
_SAMPLED = 4096  # characters that a text has at most that is drawn
_ZEROS: dict[str, Any] = {"string": "", "integer": 0, "number": 0, "boolean": False, "null": None}


class Document(spaces.Space[Any]):
    """The documents of an observation mode: dicts, lists, texts and numbers that fit the mode's JSON Schema."""

    def __init__(self, family: str, mode: str, seed: int | numpy.random.Generator | None = None) -> None:
        """`family` and `mode` as `seedbed.modes` lists them. InvalidError if the mode's text is no document."""
        found = [m for m in _seedbed._modes(family) if mode in (m[0], m[1])]
        if not found or not found[0][4]:
            raise InvalidError(f"{family} has no mode `{mode}` of documents")
        self.family, self.mode = family, found[0][0]
        self._schema: dict[str, Any] = json.loads(found[0][4])
        super().__init__(None, None, seed)

    @property
    def is_np_flattenable(self) -> bool:
        return False

    def contains(self, x: Any) -> bool:
        """Whether the value fits the schema."""
        return self._fits(x, self._schema)

    def _fits(self, x: Any, schema: dict[str, Any]) -> bool:
        return all(keyword in _NOTES or self._fits_keyword(x, keyword, schema) for keyword in schema)

    def _fits_keyword(self, x: Any, keyword: str, schema: dict[str, Any]) -> bool:
        says = schema[keyword]
        if keyword == "$ref":
            return self._fits(x, self._schema["$defs"][says.rpartition("/")[2]])
        if keyword == "type":
            kinds = [says] if isinstance(says, str) else says
            return any(isinstance(x, _TYPES[kind]) and (kind == "boolean" or not isinstance(x, bool)) for kind in kinds)
        if keyword == "enum":
            return any(x == word for word in says)
        if keyword == "oneOf":
            return sum(self._fits(x, option) for option in says) == 1
        if keyword in ("minimum", "maximum"):
            return not isinstance(x, (int, float)) or (x >= says if keyword == "minimum" else x <= says)
        if isinstance(x, dict):
            return self._fits_object(x, keyword, says, schema)
        return not isinstance(x, list) or self._fits_array(x, keyword, says, schema)

    def _fits_object(self, x: dict[str, Any], keyword: str, says: Any, schema: dict[str, Any]) -> bool:
        known = schema.get("properties", {})
        if keyword == "required":
            return all(key in x for key in says)
        if keyword == "properties":
            return all(self._fits(x[key], says[key]) for key in says if key in x)
        if keyword == "additionalProperties":
            others = [value for key, value in x.items() if key not in known]
            return not others if says is False else says is True or all(self._fits(value, says) for value in others)
        return True

    def _fits_array(self, x: list[Any], keyword: str, says: Any, schema: dict[str, Any]) -> bool:
        first = len(schema.get("prefixItems", ()))
        if keyword == "prefixItems":
            return all(self._fits(item, says[i]) for i, item in enumerate(x[:first]))
        if keyword == "items":
            return not x[first:] if says is False else all(self._fits(item, says) for item in x[first:])
        if keyword in ("minItems", "maxItems"):
            return bool(len(x) >= says if keyword == "minItems" else len(x) <= says)
        return True

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """An observation of an episode, drawn together with its task, its difficulty and the actions before it."""
        tasks = [task for task in _seedbed._tasks() if task[0] == self.family]
        task = tasks[int(self.np_random.integers(len(tasks)))]
        found = [difficulty for difficulty in task[5] if difficulty not in task[8]]  # others take long, or do not exist
        difficulty = found[int(self.np_random.integers(len(found)))] if found else None
        env = _seedbed.EnvCore(f"{task[0]}:{task[1]}", difficulty=difficulty, obs=self.mode, info="none")
        observation, _ = env.reset(seed=int(self.np_random.integers(2**31)))
        for _ in range(int(self.np_random.integers(20))):
            if env.done:
                break
            valid = env.valid_actions()
            observation = env.step(valid[int(self.np_random.integers(len(valid)))])[0]
        return observation

    def _zero(self, schema: dict[str, Any]) -> Any:
        """The least value that fits the schema: what is not required is left out, and of several options the first one counts."""
        if "$ref" in schema:
            return self._zero(self._schema["$defs"][schema["$ref"].rpartition("/")[2]])
        if "enum" in schema:
            return schema["enum"][0]
        if "oneOf" in schema:
            both = [{key: says for key, says in schema.items() if key != "oneOf"}, schema["oneOf"][0]]
            return self._zero({**both[0], **both[1], "properties": {key: says for one in both for key, says in one.get("properties", {}).items()},
                               "required": [key for one in both for key in one.get("required", ())]})
        kind = schema.get("type", "null")
        kind = kind if isinstance(kind, str) else kind[0]
        if kind == "object":
            return {key: self._zero(schema["properties"][key]) for key in schema.get("required", ())}
        if kind == "array":
            first = [self._zero(item) for item in schema.get("prefixItems", ())]
            return first + [self._zero(schema["items"]) for _ in range(schema.get("minItems", 0) - len(first))]
        if kind in ("integer", "number"):
            return max(0, schema.get("minimum", 0)) if schema.get("maximum", 0) >= 0 else schema["maximum"]
        return _ZEROS[kind]

    def to_jsonable(self, sample_n: Iterable[Any]) -> list[Any]:
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[Any]:
        return sample_n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and (self.family, self.mode) == (other.family, other.mode)

    def __repr__(self) -> str:
        return f"Document({self.family!r}, {self.mode!r})"


@create_zero_array.register(Document)
def _zero_document(space: Document) -> Any:
    """What wrappers such as FrameStackObservation show before the first observation: a document of the space with zeros and nothing in lists."""
    return space._zero(space._schema)


class Text(spaces.Text):
    """Texts of observations. Gymnasium's shared memory between processes holds no texts, though it does not say so: there it is refused.

    Observations are never empty; the empty text is what wrappers such as FrameStackObservation show before the first one.
    """

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A text of the space. It is a short one unless its length is asked for: a family's longest texts take seconds to draw."""
        if mask is None and probability is None:
            mask = int(self.np_random.integers(self.min_length, min(self.max_length, _SAMPLED) + 1)), None
        return super().sample(mask, probability)


@create_shared_memory.register(Text)
def _refuse_shared_memory(space: Text, n: int = 1, ctx: Any = None) -> Any:
    raise CustomSpaceError("texts do not pass through gymnasium's shared memory: say `shared_memory=False`")


def _box(kind: str, shape: tuple[int, ...], values: int) -> spaces.Box:
    """An array of numbers 0..values-1, or (values = 0) of whatever the type holds."""
    dtype = numpy.dtype(kind)
    if numpy.issubdtype(dtype, numpy.floating):
        return spaces.Box(-numpy.inf, numpy.inf, shape, dtype.type)
    if values:
        return spaces.Box(0, values - 1, shape, dtype.type)
    limits = numpy.iinfo(dtype)
    return spaces.Box(limits.min, limits.max, shape, dtype.type)


_Array = tuple[str, str | None, tuple[int, ...], int]


def _array(array: _Array, values: bool) -> spaces.Space[Any]:
    """An array; or as a value: a single number as int, a text as str."""
    _, kind, shape, n = array
    if values and kind is None:
        return Text(shape[0] - 1, min_length=0, charset=_PRINTABLE)
    if values and not shape:
        return spaces.Discrete(n)
    return _box(kind or "uint8", shape, n)


def _flat(arrays: Iterable[_Array]) -> spaces.Box:
    boxes = [_box(kind, shape, n) for name, kind, shape, n in arrays if kind is not None and name != "size"]
    low, high = (numpy.concatenate([bound.ravel().astype(numpy.float32) for bound in bounds])
                 for bounds in ([box.low for box in boxes], [box.high for box in boxes]))
    return spaces.Box(low, high, dtype=numpy.float32)


def _values_of_document(env: _seedbed.EnvCore, mode: str, arrays: Iterable[_Array]) -> spaces.Dict:
    """Like the document, but with arrays in place of lists of numbers, as large as they are in the task."""
    example, _ = _seedbed.EnvCore(name_of(env), obs=f"{mode}.values", info="none").reset(seed=0)
    kinds = {array[0]: array for array in arrays}
    return spaces.Dict({key: _box("uint8", value.shape, 0) if isinstance(value, numpy.ndarray) else _array(kinds[key], True)
                        for key, value in example.items()})


def _part(env: _seedbed.EnvCore, part: tuple[str, str, str, tuple[_Array, ...]]) -> spaces.Space[Any]:
    _, kind, what, arrays = part
    family = env.family
    if kind == "text":
        return Text(_seedbed._text_max(family), min_length=0, charset=_PRINTABLE + ("\x1b" if what.endswith("_color") else ""))
    if kind == "document":
        return Document(family, what)
    if kind == "values_of_document":
        return _values_of_document(env, what, arrays)
    if kind in ("arrays", "values"):
        return spaces.Dict({array[0]: _array(array, kind == "values") for array in arrays})
    if kind == "pixels":
        return _array(arrays[0], False)
    if kind == "array":
        return _array(next(array for array in arrays if array[0] == what), False)
    return _flat(arrays) if kind == "flat" else spaces.Discrete(1)


def space_of(env: _seedbed.EnvCore) -> spaces.Space[Any]:
    """The space of an environment's observations."""
    if not env._several:
        return _part(env, env._parts[0])
    return spaces.Dict({part[0]: _part(env, part) for part in env._parts})


__all__ = ["Document", "space_of"]
