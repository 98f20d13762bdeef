"""Text play: episodes that take any text as an answer, and say of every turn what it was worth. All adaptors for other frameworks stand on it.

    from seedbed import textplay

    play = textplay.Session("KeyDoorPuzzle-v0/easy#42", prompts="markovian", reward="progress")
    while not play.done:
        turn = play.say(ask_the_model(play.messages()))
    print(play.success, play.efficiency, play.tape())

A model is asked the texts of the format `chat` (docs/formats.md) or of a preset, and its answers are read by the rules of docs/agents.md: what counts here
counts the same in `seedbed eval` with examples/agents/chat_model.py.
"""
from __future__ import annotations

import base64
import copy
import functools
import hashlib
import json
import os
import re
import struct
import threading
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, get_args

from . import _seedbed
from ._errors import Error, InvalidError
from ._seedbed import EnvCore, Selection
from .api import Reward
from .prompts import PRESETS, Episode, PromptError, Prompts, preset, read_recipe
from .selection import Texts, items, load_pack, select, whole

Reading = Literal["exact", "repaired", "none"]
Templates = str | os.PathLike[str] | Mapping[str, Any] | Prompts
Modes = str | Iterable[str] | None

__all__ = ["Session", "Trained", "Turn", "add_to_pack", "episodes", "evaluation_games", "save_pack", "templates"]


# ---- What a model is told of an episode ------------------------------------------------------------------------------


class _Actions(NamedTuple):
    """The actions of a task as agents are told them: buttons, and one entry for all clicks."""

    entries: tuple[str, ...]
    n_buttons: int
    area: tuple[int, int] | None  # width and height, in cells

    def valid(self, actions: list[int]) -> list[int]:
        """The entries of valid actions."""
        buttons = [action for action in actions if action < self.n_buttons]
        return [*buttons, self.n_buttons] if len(buttons) < len(actions) else buttons


@functools.lru_cache(1024)
def _actions_of(name: str) -> _Actions:
    """name: of a task and difficulty."""
    env = EnvCore(name, obs="none", info="none")
    last = re.fullmatch(r"(.+) (\d+) (\d+)", env.action_name(env.n_actions - 1))
    if last is None:
        return _Actions(env.action_names, env.n_actions, None)
    width, height = int(last[2]) + 1, int(last[3]) + 1
    n_buttons = env.n_actions - width * height
    return _Actions((*map(env.action_name, range(n_buttons)), "click"), n_buttons, (width, height))


@functools.cache
def _modes_of(family: str) -> tuple[str, ...]:
    return tuple(mode[0] for mode in _seedbed._modes(family))


@functools.lru_cache(1024)
def _instructions(name: str) -> str:
    """What agents are told before a test; "" if the episode is none. Only an evaluation tells it."""
    run = _seedbed.EvaluationCore(json.dumps({"names": [name]}), None, None, "textplay")
    run.test(0, 1, None)
    run.limit(None, None, 0)
    run.seat("python:seedbed.textplay", 1, 1, False, "none", None, None, 0)
    run.begin([0])
    return str(run.show(0)[1].get("instructions", ""))


def templates(prompts: Templates, family: str, obs: Modes = None, turns: int | None = None, pixels: Mapping[str, Any] | None = None) -> Prompts:
    """The templates for episodes of a family, read once for any number of sessions. The arguments are those of `Session`.

    InvalidError for what templates cannot say.
    """
    try:
        if isinstance(prompts, Prompts):
            made = copy.copy(prompts)
        else:
            recipe, options = _format(prompts, family, pixels, obs)
            made = Prompts(options, recipe, items("obs", obs), _modes_of(family))
    except PromptError as error:
        raise InvalidError(str(error)) from None
    if turns is not None:
        made.turns = whole("turns", turns, -1)
    return made


def _format(prompts: str | os.PathLike[str] | Mapping[str, Any], family: str, pixels: Mapping[str, Any] | None,
            obs: Modes) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The recipe and its format `chat`."""
    if pixels is not None and not isinstance(pixels, Mapping):
        raise InvalidError(f"pixels: an object is expected, such as {{\"look\": \"flat\"}}, not {pixels!r}")
    if isinstance(prompts, str) and prompts in PRESETS:
        return {}, preset(prompts, pixels, next(iter(items("obs", obs) or ()), None))
    if isinstance(prompts, str) and prompts.lstrip().startswith("{"):
        try:
            prompts = json.loads(prompts)
        except (ValueError, RecursionError) as error:
            raise InvalidError(f"prompts: this is no JSON: {error}") from None
    if isinstance(prompts, Mapping):
        recipe, options = {"family": family}, prompts
    elif not isinstance(prompts, str | os.PathLike):
        raise InvalidError(f"prompts: a preset, a path or options are expected, not {prompts!r}")
    elif isinstance(prompts, os.PathLike) or os.path.exists(prompts):
        recipe, options = read_recipe(prompts)
    else:
        raise InvalidError(f"prompts: there is no preset and no file `{prompts}`; presets are {', '.join(PRESETS)}")
    return recipe, {**options, "pixels": dict(pixels)} if pixels else options


# ---- Pictures --------------------------------------------------------------------------------------------------------


def _png(pixels: Any, palette: Any) -> bytes:
    """A PNG file of pixels: uint8 (height, width, 3), or (height, width) with a palette."""
    height, width = pixels.shape[:2]
    data = pixels.tobytes()
    row = len(data) // height

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    lines = b"".join(b"\0" + data[at:at + row] for at in range(0, len(data), row))
    colours = chunk(b"PLTE", palette.tobytes()) if pixels.ndim == 2 else b""
    head = struct.pack(">IIBBBBB", width, height, 8, 3 if pixels.ndim == 2 else 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + colours + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


class _Painter:
    """Draws the state of an episode, as the key `pixels` of a format says."""

    def __init__(self, name: str, options: Mapping[str, Any]) -> None:
        look = options.get("look")
        family = EnvCore(name, obs="none").family
        indexed = next((known[4] for known in _seedbed._looks(family) if look in (None, *known[:2])), False)
        try:
            self.env = EnvCore(name, obs="pixels", info="none", indexed=indexed, **options)
        except TypeError as error:
            raise InvalidError(f"pixels: {error}") from None

    def draw(self, env: EnvCore) -> dict[str, str]:
        self.env.copy_from(env)
        return {"type": "image/png", "data": base64.b64encode(_png(self.env.observe(), self.env.palette)).decode()}


# ---- A session -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """What came of an answer.

    reading: "exact", the answer is the template to the letter (but for thoughts, and space around it); "repaired", an action was found in it; "none".
    action, action_name: what was done, also in place of an unreadable answer; None: nothing, as the episode is lost or was over.
    said: what stands before the action, without thoughts.
    reward: of this turn, as the session's `reward` says. done: the episode is over. success: None until then, and in tasks that have none.
    marks: "unreadable", "cut", "empty" (as in docs/agents.md), "not_offered" (the action was not among the valid ones that are listed), "lost" (nothing stood
        in for the unreadable answer), "over" (the episode was over before).
    content: the user's next message, a text or a list of parts; None at the end.
    """

    reading: Reading
    action: int | None
    action_name: str | None
    said: str
    reward: float
    done: bool
    success: bool | None
    marks: tuple[str, ...]
    content: Any


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a session stood before a turn."""

    episode: Any
    lost: str | None
    dropped: int


def _name_of(env: EnvCore) -> str:
    if not isinstance(env, EnvCore):
        raise InvalidError(f"an episode is a name, or an environment, not {env!r}")
    if env.name is None:
        raise InvalidError("the environment is in no episode: call its reset first")
    return env.name


def _has_success(env: EnvCore) -> bool:
    """Whether the episode can be won or lost."""
    return json.loads(env.tape())["success"] is not None


def _steps_from(start: EnvCore) -> int | None:
    """How many steps the expert takes to succeed from here; None if it does not, or if there is none."""
    env = EnvCore(_name_of(start), obs="none", info="none")
    env.copy_from(start)
    try:
        player = _seedbed.Player("expert")
        player.begin(env)
    except Error:
        return None
    while not env.done:
        env.step(player.act(env))
    return env.step_count - start.step_count if env.success else None


@functools.lru_cache(1 << 16)
def _expert_steps(name: str) -> int | None:
    """The same from the episode's beginning: many sessions play the same one."""
    env = EnvCore(name, obs="none", info="none")
    env.reset()
    return _steps_from(env)


_SURROGATES = re.compile("[\ud800-\udfff]")


def _clean(text: str | None) -> str:
    """The text as it may be kept and sent again: without NUL, and without halves of surrogate pairs."""
    return "" if text is None else _SURROGATES.sub("?", text.replace("\0", "\N{REPLACEMENT CHARACTER}"))


class Session:
    """One episode that is played in texts.

    `say` never raises, whatever the text is. Each session belongs to one thread at a time; any number may run at once.
    """

    def __init__(self, episode: str | EnvCore, prompts: Templates = "markovian", *, obs: Modes = None, turns: int | None = None,
                 pixels: Mapping[str, Any] | None = None, reward: Reward = "sparse", gamma: float = 1.0, unreadable_as: str = "0",
                 random_seed: int = 0) -> None:
        """episode: its name; or an environment, of whose episode a copy is played on from where it stands.
        prompts: the name of a preset ("markovian", "markovian_reasoner"); the options of a format `chat` as a dict or JSON; the path of a recipe or dataset with one;
            or what `templates` made of these, which saves time if there are many sessions; then it has `obs` and `pixels` already.
        obs: modes to observe, the first one as {observation}. Default: as the recipe says, or the family's first.
        turns: how many earlier exchanges `messages` repeats; -1: all. Default: as the recipe says, or none.
        pixels: the picture for {image}, such as {"look": "flat", "tile": 16}. Default: as the recipe says.
        reward, gamma: rewards of turns: "sparse", "dense" or "progress", as in `seedbed.make`.
        unreadable_as: what an answer without an action counts as: an action by number or name, "random" (a valid one), or "lose", which ends the episode.
        random_seed: for "random", as in messages to agents.

        InvalidError or UnknownError for what cannot be.
        """
        self._env = EnvCore(episode if isinstance(episode, str) else _name_of(episode), obs="none", info="none")
        if isinstance(episode, str):
            self._env.reset()
        else:
            self._env.copy_from(episode)
        self.name = _name_of(self._env)
        self._start = self._copy(self._env)
        if not isinstance(reward, str) or not isinstance(gamma, int | float):
            raise InvalidError(f"reward={reward!r}, gamma={gamma!r}: one of {', '.join(get_args(Reward))}, and a number")
        self._reward, self._gamma = reward, gamma
        self._judge = self._judged()
        self.prompts = templates(prompts, self._env.family, obs, turns, pixels)
        self._painter = _Painter(self.name, self.prompts.pixels) if self.prompts.pixels else None
        self._shown = tuple(self.prompts.modes(_modes_of(self._env.family)[0]))
        self._actions = _actions_of(self.name.partition("#")[0])
        self.unreadable_as = str(unreadable_as)
        self.turns: list[Turn] = []  # those that were taken, and not taken back
        self._marks: list[_Mark] = []
        self._taken: list[int] = []
        self._lost: str | None = None
        self._dropped = 0
        self._episode = Episode(self.prompts, {**self._told(random_seed), **self._seen()})
        why = self._episode.lacks(self.unreadable_as)
        if why:
            raise InvalidError(f"unreadable_as={unreadable_as!r}: {why}")

    # ---- What is asked

    def _told(self, random_seed: int) -> dict[str, Any]:
        """What the first message says of the task."""
        env, actions = self._env, self._actions
        told = {"op": "reset", "family": env.family, "task": env.task, "category": env.category, "summary": env.summary, "max_steps": env.max_steps,
                "n_actions": env.n_actions, "action_names": list(actions.entries), "random_seed": random_seed}
        if env.difficulty:
            told["difficulty"] = env.difficulty
            if "challenge" in _modes_of(env.family):
                told["instructions"] = _instructions(self.name)
        if actions.area:
            told.update(n_buttons=actions.n_buttons, click_width=actions.area[0], click_height=actions.area[1])
        return told

    def _seen(self) -> dict[str, Any]:
        """What every message says of the state."""
        env = self._env
        valid = self._actions.valid(env.valid_actions())
        seen = {"steps": env.step_count, "observations": {mode: env.observe(mode) for mode in self._shown}, "valid_actions": valid,
                "valid_names": [self._actions.entries[entry] for entry in valid]}
        if self._painter is not None:
            seen["picture"] = self._painter.draw(env)
        return seen

    def messages(self) -> list[dict[str, Any]]:
        """What the model is asked now: `role` and `content`, which is a text, or parts as endpoints take them if there is a picture."""
        asked = self.prompt()
        return [{"role": "user", "content": asked}] if isinstance(asked, str) else asked

    def prompt(self) -> Any:
        """The same, but one text if the templates have the style `prompt`."""
        return self._episode.prompt()

    def drop_turns(self) -> int:
        """Leaves out the older half of the earlier exchanges, from now on, since messages are too long. Returns how many; 0: there are none."""
        dropped = self._episode.drop_turns()
        self._dropped += dropped
        return dropped

    # ---- What is answered

    def say(self, text: str | None, cut: bool = False) -> Turn:
        """Takes an answer, whatever it is, and the step that it names.

        cut: the answer ended because it had too many tokens.
        """
        if self.done:
            return Turn("none", None, None, "", 0.0, True, self.success, ("over",), None)
        text = _clean(text)
        self._marks.append(_Mark(self._episode.mark(), self._lost, self._dropped))
        turn = self._take(text, *self._episode.read(text, cut), cut)
        self.turns.append(turn)
        return turn

    def _take(self, text: str, action: int | None, said: str, cut: bool) -> Turn:
        reading: Reading = "none" if action is None else "exact" if self._episode.reads_exactly(text, action) else "repaired"
        marks = [mark for mark, holds in (("unreadable", action is None), ("cut", cut), ("empty", self._episode.is_empty(text)),
                                          ("not_offered", action is not None and not self._offers(action))) if holds]
        if action is None:
            action = self._episode.stand_in(self.unreadable_as)
        if action is None:
            self._lost = " ".join(f"the answer holds no action: {text}".split())[:200]
            return Turn(reading, None, None, said, 0.0, True, self.success, (*marks, "lost"), None)
        name = self._episode.name_of(action)
        reward = self._step(action, text)
        return Turn(reading, action, name, said, reward, self.done, self.success, tuple(marks), None if self.done else self._episode.content())

    def _offers(self, action: int) -> bool:
        return min(action, self._actions.n_buttons) in self._episode.message["valid_actions"]

    def _step(self, action: int, text: str) -> float:
        self._episode.note(action, text)
        sparse = reward = self._env.step(action)[1]
        if self._judge is not None:
            reward = self._judge.step(action)[1]
        self._taken.append(action)
        if not self._env.done:
            self._episode.see({"op": "step", "reward": sparse, **self._seen()})
        return reward

    # ---- How it stands

    @property
    def done(self) -> bool:
        """The episode is over, or lost."""
        return self._env.done or self._lost is not None

    @property
    def lost(self) -> str | None:
        """Why the episode was lost, for an answer without an action; None: it was not."""
        return self._lost

    @property
    def success(self) -> bool | None:
        """Whether the episode was won; None while it runs, and in tasks that cannot be won."""
        if self._lost is not None:
            return False
        return self._env.success if self._env.done and _has_success(self._start) else None

    @property
    def summary(self) -> str:
        """What the task asks for, in a sentence or two."""
        return self._env.summary

    def answer(self, action: int) -> str:
        """The answer that names an action, in the words of the templates."""
        return self._episode.answer(action)

    def expert_answer(self) -> str:
        """The answer that does what the expert would do now. UnknownError where there is no expert."""
        return self.answer(self._env.expert_action("expert"))

    @property
    def total(self) -> float:
        """The return: the sum of sparse rewards."""
        return self._env.total

    @property
    def efficiency(self) -> float | None:
        """The expert's steps, from where the session began, divided by those that were taken; 0 if the episode was not won. None while it runs, and where there
        is no expert, or where it fails."""
        if not self.done:
            return None
        if not self.success:
            return None if self.success is None else 0.0
        steps = _expert_steps(self.name) if not self._start.step_count else _steps_from(self._start)
        return None if steps is None else steps / max(1, len(self._taken))

    @property
    def marks(self) -> Counter[str]:
        """How often each mark was given in the turns; `answers`: how many turns there are; `dropped`: exchanges that were left out."""
        marks = Counter(mark for turn in self.turns for mark in turn.marks)
        marks.update({name: n for name, n in (("answers", len(self.turns)), ("dropped", self._dropped)) if n})
        return marks

    def tape(self, agent: str = "python") -> str:
        """What was played, also before its end, as a line of JSON for `seedbed.replay` and `seedbed verify`."""
        return self._env.tape(agent)

    # ---- Other ways

    def _copy(self, env: EnvCore) -> EnvCore:
        made = EnvCore(self.name, obs="none", info="none")
        made.copy_from(env)
        return made

    def _judged(self) -> EnvCore | None:
        """A copy of the episode that tells the rewards of turns, unless they are those of the episode itself."""
        if self._reward == "sparse" and self._gamma == 1.0:
            return None
        made = EnvCore(self.name, obs="none", info="none", reward=self._reward, gamma=self._gamma)
        made.copy_from(self._env)
        return made

    def fork(self) -> Self:
        """Another session that goes on from here, by itself."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._env, other._episode = self._copy(self._env), self._episode.copy()
        other._painter = None if self._painter is None else _Painter(self.name, self.prompts.pixels or {})
        other._judge = other._judged()
        other.turns, other._marks, other._taken = self.turns[:], self._marks[:], self._taken[:]
        return other

    def go_back(self, k: int = 1) -> None:
        """Takes the last k turns back. What was dropped since then is there again. InvalidError if there were fewer."""
        if whole("go_back", k) > len(self.turns):
            raise InvalidError(f"go_back({k}): only {len(self.turns)} turns were taken")
        if k == 0:
            return
        n = len(self.turns) - k
        mark = self._marks[n]
        del self.turns[n:], self._marks[n:], self._taken[n:]
        self._env.copy_from(self._start)
        for action in self._taken:
            self._env.step(action)
        if self._judge is not None:
            self._judge.copy_from(self._env)
        self._lost, self._dropped = mark.lost, mark.dropped
        self._episode.go_back(mark.episode, self._seen())


# ---- Which episodes are trained on -----------------------------------------------------------------------------------


def evaluation_games(names: Iterable[str], *, jobs: int = 1) -> list[str]:
    """Those of the episodes that are evaluated with (the `eval` list of their task and difficulty), or are the same game as one that is, under another
    seed. All are started once. docs/datasets.md says which they are.

    jobs: workers; 0: one a processor.
    """
    by_family: dict[str, list[str]] = {}
    for name in names:
        by_family.setdefault(_seedbed._parse_name(name)[0], []).append(name)
    found = []
    for several in by_family.values():
        found += [several[i] for i in select(several)._evaluation(whole("jobs", jobs))]
    return found


def episodes(names: Texts = None, *, family: str | None = None, tasks: Texts = None, category: Texts = None, difficulty: Texts = None, split: str = "train",
             seeds: str | int | Iterable[int] | None = None, n: int | None = None, where: Mapping[str, Any] | None = None, allow_evaluation: bool = False,
             jobs: int = 1) -> Selection:
    """Episodes to train on: none of them is the game of an evaluation episode, whatever its name.

    names; family, tasks, category, difficulty, seeds: as in `seedbed.select`.
    split: a list of seeds, such as "train" or a base text of your own. Evaluation games are left out of it. In names, seeds and the split "eval" they are
        an error.
    n: seeds for each task and difficulty, before any is left out; default: the whole list.
    where: only episodes in whose play by the observer (or who plays in `seedbed.rollouts`) this is so: `success`, `min_steps`, `max_steps`.
    allow_evaluation: take evaluation games, too. What was trained on them must not be evaluated with them.
    jobs: workers; 0: one a processor.

    InvalidError if there are evaluation games that are not left out, or if nothing is left.
    """
    is_listed = names is None and seeds is None and split != "eval"
    chosen = select(names, family=family, tasks=tasks, category=category, difficulty=difficulty, seeds=seeds,
                    split=split if names is None and seeds is None else None, count=n)
    games = [] if allow_evaluation else evaluation_games(chosen, jobs=jobs)
    if games and not is_listed:
        raise InvalidError(f"{games[0]} is evaluated with, or is the same game as an episode that is ({len(games)} of {len(chosen)} episodes): "
                           "train on others; allow_evaluation=True allows it")
    chosen = _kept(chosen, set(games), dict(where or {}), jobs)
    if not len(chosen):
        raise InvalidError("no episode is left to train on: all are games of evaluation episodes, or not as `where` says")
    return chosen


def _kept(chosen: Selection, left_out: set[str], where: dict[str, Any], jobs: int) -> Selection:
    """Those that are not left out, and are as `where` says."""
    unknown = set(where) - {"success", "min_steps", "max_steps"}
    if unknown:
        raise InvalidError(f"where: there is no `{min(unknown)}`; known are success, min_steps, max_steps")
    kept = [i for i, name in enumerate(chosen) if name not in left_out]
    if not where:
        return chosen.take(kept) if left_out else chosen
    from .data import rollouts

    most = where.get("max_steps")
    plays = rollouts(chosen.take(kept), obs="none", jobs=jobs)
    return chosen.take([i for i, play in zip(kept, plays) if where.get("success") in (None, play.success) and play.steps >= where.get("min_steps", 0)
                        and (most is None or play.steps <= most)])


def save_pack(names: Iterable[str], path: str | os.PathLike[str], base: str = "trained") -> _seedbed.Pack:
    """Writes a seed pack of episodes, such as those that were trained on; repeated ones count once. `seedbed verify` checks it, and finds official evaluation
    seeds in it; `evaluation_games(pack)` finds all games of evaluation episodes.

    base: what the pack calls itself. InvalidError if the episodes are of several families, which need several packs; OSError.
    """
    lists: dict[tuple[str, str], list[int]] = {}
    families = set()
    for name in dict.fromkeys(names):
        family, task, difficulty, seed = _seedbed._parse_name(name)
        families.add(family)
        lists.setdefault((task, difficulty), []).append(seed)
    if len(families) != 1:
        raise InvalidError(f"a pack has episodes of one family, not of {len(families)}")
    pack = _seedbed._parse_pack(_pack_text(families.pop(), base, lists))
    pack.save(path)
    return pack


def add_to_pack(names: Iterable[str], path: str | os.PathLike[str]) -> None:
    """Adds episodes to the seed pack in a file, or begins one. Other processes may do so at the same time. Errors as of `save_pack`."""
    import fcntl

    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        before = load_pack(path) if os.path.exists(path) else None
        try:
            save_pack(sorted({*(before or ()), *names}), path, before.base if before else "trained")
        except InvalidError as error:
            raise InvalidError(f"{os.fspath(path)}: {error}") from None
    finally:
        os.close(folder)  # with the lock


class Trained:
    """The seed pack, in a file, of the episodes that are trained on. Threads may share it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """InvalidError if the file's folder is not there."""
        if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise InvalidError(f"{os.fspath(path)}: there is no such folder")
        self.path = path
        self._lock = threading.Lock()
        self._waiting: set[str] = set()
        self._written: set[str] = set()

    def add(self, name: str) -> None:
        """Returns when the file has the episode: call it before playing, so that nothing is lost where a process is killed. Errors as of `save_pack`."""
        if name in self._written:
            return
        self._waiting.add(name)
        with self._lock:
            if name not in self._written:
                names = set(self._waiting)  # also those of threads that wait for the lock
                try:
                    add_to_pack(names, self.path)
                except BaseException:
                    self._waiting.discard(name)
                    raise
                self._written |= names
                self._waiting -= names


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _pack_text(family: str, base: str, lists: Mapping[tuple[str, str], list[int]]) -> str:
    """The document of a pack, as seeds/pack.h describes it."""
    lines, items = [], []
    for (task, difficulty), seeds in sorted(lists.items()):
        hashed = _sha256(json.dumps(seeds))
        lines.append(f"{task}/{difficulty} {len(seeds)} {hashed}" if difficulty else f"{task} {len(seeds)} {hashed}")
        items.append({"task": task, "variant": difficulty, "count": len(seeds), "left_out": 0, "hash": hashed, "seeds": seeds})
    text = "\n".join(["seedbed-pack 1", f"{family} {base}", *lines, ""])
    return json.dumps({"format": "seedbed-pack", "version": 1, "family": family, "base": base, "hash": _sha256(text), "lists": items})
