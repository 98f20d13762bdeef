"""What a language model is told and how its answers are read: the templates of the format `chat` (docs/formats.md), from a recipe, from
the manifest of a dataset, or from the presets below. A prompt is the same text, to the letter, as in a row of the dataset.

This module needs nothing but the standard library and `thinking`, so that the agents in examples/agents use it without the package.
"""
from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Self

from . import thinking

Options = Mapping[str, Any]  # of a format `chat`
Pieces = list[tuple[bool, str]]  # of a template: (True, placeholder) or (False, text)

STANDARD = {"system": "You play {task}. {description}\nAnswer with one of these actions: {actions}.", "user": "{scene}", "answer": "{action_name}"}
# Datasets whose recipe has no key `defaults`: their prompts offered the published hint, which leaves out actions that win.
STANDARD_1 = {**STANDARD, "system": "You play {task}. {description}\nAnswer with one of the valid actions.", "user": "{scene}\n\nValid actions: {valid_actions}"}
HISTORY = {"steps": 5, "item": "{step}: {action_name}", "separator": "\n", "empty": "none"}
VALID = {"item": "{action_name}", "separator": ", ", "empty": "none"}
FIELDS = {"task", "description", "category", "difficulty", "step", "turn", "max_steps", "observation", "scene", "actions", "valid_actions", "history",
          "instructions", "image"}
SECRET = {"name", "seed"}  # of the episode: agents are not told
END = 2000  # how many characters an action is looked for in, from the end of an answer
FREE = ("rationale", "reasoning")  # in answers: any text
TEXTS = {"mission": "view7"}  # texts of a family, and a mode that holds them
SHOWN = {"agentick": "ascii", "babyai": "ascii", "autumn": "frame", "arc": "frame"}  # what datasets show unless their recipe says more

# The published harnesses: nothing but the present observation, and an answer that ends with a line `ACTION: n`, of at most 100 tokens.
# The sentences are ours. In tests, `tested` follows the system's text.
_LISTED = {"item": "{action}: {action_name}", "separator": "\n", "empty": "none"}
_TESTED = "\n\n{instructions}"
_SEEN = "{observation}\n\nActions:\n{actions}\n\n"
PRESETS: dict[str, dict[str, Any]] = {
    "markovian": {
        "system": "You control an agent in the task {task}. {description} Each message shows the present state; choose the next action from it alone.",
        "user": _SEEN + "Answer with a single line, `ACTION: n`, where n is the number of an action.",
        "answer": "ACTION: {action}", "valid": _LISTED, "tested": _TESTED, "max_tokens": 100},
    "markovian_reasoner": {
        "system": "You control an agent in the task {task}. {description} Each message shows the present state; choose the next action from it alone.",
        "user": _SEEN + "First think, in one or two sentences: what is there, what is still to be done, and which action brings you closer? "
                        "Then end with a line `ACTION: n`, where n is the number of an action.",
        "answer": "{rationale}\nACTION: {action}", "valid": _LISTED, "tested": _TESTED, "max_tokens": 100},
}
PRESETS["markovian_zero_shot"] = PRESETS["markovian"]  # the name in the published table


# Words by which servers say that messages are too long for the model.
TOO_LONG = ("context_length", "context length", "context window", "context size", "exceed_context", "maximum context", "prompt is too long", "input is too long",
            "too many input tokens", "reduce the length", "maximum number of tokens allowed", "max_new_tokens` must be")


LATER = {408, 409, 425, 429}  # statuses that ask for another try, besides all from 500 on


def may_pass(status: int) -> bool:
    """Whether an endpoint's reply asks for another try."""
    return status in LATER or status >= 500


def says_too_long(status: int, text: str) -> bool:
    """Whether an endpoint's reply says that messages are too long for the model."""
    return status == 413 or status >= 400 and any(words in text.lower() for words in TOO_LONG)


class PromptError(Exception):
    """A recipe or a template says something that prompts cannot follow."""


# What keys of the format hold; of `history` and `valid`, `steps` is a number, and others are texts.
KINDS: dict[str, type] = {"system": str, "user": str, "answer": str, "tested": str, "history": dict, "valid": dict, "pixels": dict, "turns": int, "max_tokens": int,
                          "steps": int}
CALLED = {str: "a text", dict: "an object", int: "a whole number"}


def check_kinds(options: Options) -> None:
    """PromptError where a key that prompts read holds something else than it should."""
    for where, part in (("", options), ("history.", options.get("history", {})), ("valid.", options.get("valid", {}))):
        for key, value in part.items():
            kind = KINDS.get(key, str if where else object)
            if not isinstance(value, kind) or kind is int and isinstance(value, bool):
                if key != "pixels" or value is not None:
                    raise PromptError(f"key `{where}{key}`: {CALLED[kind]} is expected, not {value!r}")


def parse(text: str, known: Iterable[str], key: str) -> Pieces:
    """Returns the pieces of a template: (True, placeholder) or (False, text)."""
    pieces: Pieces = []
    at = 0

    def add(words: str) -> None:
        if pieces and not pieces[-1][0]:
            words = pieces.pop()[1] + words
        pieces.append((False, words))

    for found in re.finditer(r"\{\{|\}\}|\{([^{}]*)\}|[{}]", text):
        add(text[at:found.start()])
        at = found.end()
        if found.group(0) in ("{{", "}}"):
            add(found.group(0)[0])
        elif found.group(1) in known:
            pieces.append((True, found.group(1)))
        elif found.group(1) in SECRET:
            raise PromptError(f"key `{key}`: agents are not told the {found.group(1)} of an episode, so {found.group(0)} cannot be filled in")
        else:
            raise PromptError(f"key `{key}`: unknown placeholder {found.group(0)}")
    add(text[at:])
    return pieces


def fill(pieces: Pieces, values: Callable[[str], str]) -> str:
    return "".join(values(text) if is_field else text for is_field, text in pieces)


def preset(name: str, pixels: Options | None = None, mode: str | None = None) -> dict[str, Any]:
    """The templates of a preset. A picture comes in place of the observation, or before it if a mode is asked for."""
    chosen = PRESETS[name]
    if not pixels:
        return chosen
    return {**chosen, "pixels": pixels, "user": chosen["user"].replace("{observation}", "{image}\n\n{observation}" if mode else "{image}")}


def read_document(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Returns the object in a recipe, or in a manifest, which may be given as the folder of its dataset."""
    if os.path.isdir(path):
        path = os.path.join(path, "manifest.json")
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise PromptError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise PromptError(f"{path}: this is no JSON: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("recipe", {}), dict):
        raise PromptError(f"{path}: a recipe is a JSON object")
    return document


def read_recipe(path: str | os.PathLike[str], name: str | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the recipe and its format `chat` from a recipe, a manifest, or the folder of a dataset. `name` is the format's, if there are several."""
    document = read_document(path)
    recipe = document.get("recipe", document)
    if isinstance(document.get("rules"), str):  # a manifest always knows the family: `babyai 1`
        recipe = {"defaults": 1, **recipe, "family": document["rules"].split(" ")[0]}  # those of before the key
    formats = [{"format": item} if isinstance(item, str) else item for item in listed(recipe.get("formats") or recipe.get("format"))]
    chats = [item for item in formats if isinstance(item, dict) and item.get("format") == "chat"]
    names = ", ".join(item.get("name", "chat") for item in chats)
    chosen = [item for item in chats if name in (None, item.get("name", "chat"))]
    if not chats:
        raise PromptError(f"{path}: it has no format `chat`, which holds the prompts")
    if not chosen:
        raise PromptError(f"{path}: it has no format `chat` of the name `{name}`; known names: {names}")
    if len(chosen) > 1:
        raise PromptError(f"{path}: it has several formats `chat`: choose one with --format NAME: {names}")
    return recipe, chosen[0]


def listed(value: Any) -> list[Any]:
    """The items of a key that takes a list, or a text with commas."""
    return value if isinstance(value, list) else value.split(",") if isinstance(value, str) else []


def family_of(recipe: Options) -> str | None:
    """The family of a recipe's episodes; None if it follows from names that only Seedbed knows."""
    if recipe.get("family"):
        return str(recipe["family"])
    for part in (recipe, *(recipe.get("splits") or {}).values()):
        if part.get("family"):
            return str(part["family"])
        first = str((listed(part.get("names")) or listed(part.get("tasks")) or [""])[0])
        if ":" in first:
            return first.split(":")[0]
        if first or part.get("category"):
            return None
    acts = recipe.get("oracle") or recipe.get("agent") or ""
    return None if "tapes" in json.dumps(acts) else "agentick"  # tapes name their episodes themselves


class Prompts:
    """The templates of a format `chat`, read for one family."""

    def __init__(self, options: Options, recipe: Options | None = None, modes: str | Sequence[str] | None = None, family_modes: Iterable[str] = ()) -> None:
        recipe = recipe or {}
        check_kinds(options)
        family = family_of(recipe)
        asked = listed(modes or options.get("modes") or recipe.get("modes") or (SHOWN.get(family or "", []) if recipe else []))
        self.mode: str | None = asked[0] if asked else None  # None: the family's first
        self.pixels = options.get("pixels")
        fields = FIELDS | set(family_modes) | set(TEXTS)
        self.is_old = recipe.get("defaults") == 1
        standard = STANDARD_1 if self.is_old else STANDARD
        self.texts: dict[str, str] = {key: options.get(key, standard[key]) for key in standard}
        if self.pixels and "user" not in options:
            self.texts["user"] = "{image}" + ("\nmission: {mission}" if family == "babyai" else "") + ("\nValid actions: {valid_actions}" if self.is_old else "")
        self.system, self.user = (parse(self.texts[key], fields, key) for key in ("system", "user"))
        self.system_is_shown = self.texts["system"] != ""  # in rows, a text that comes out empty is a message, too
        if "tested" in options:
            self.texts["tested"] = options["tested"]
        self.tested = parse(options.get("tested", ""), fields, "tested")
        self.instructions: Options = recipe.get("instructions") or {}  # texts by kind of test, in place of those that agents are told
        self.answer = parse(self.texts["answer"], {"action", "action_name", "step", "turn", *FREE}, "answer")
        self.history: dict[str, Any] = {**HISTORY, "steps": 0 if "history" in options else HISTORY["steps"], **options.get("history", {})}
        self.item = parse(self.history["item"], {"step", "turn", "action", "action_name", "reward", "observation"}, "history")
        self.valid: dict[str, Any] = {**VALID, **options.get("valid", {})}
        self.valid_item = parse(self.valid["item"], {"action", "action_name"}, "valid")
        self.is_text = options.get("style") == "prompt"
        self.turns: int = -1 if options.get("rows") == "episode" else options.get("turns", 0)  # earlier exchanges that are repeated; -1: all
        self.max_tokens: int | None = options.get("max_tokens")  # of an answer, unless who asks says otherwise
        if (True, "reward") in self.item and (options.get("reward") or recipe.get("reward")) == "dense":
            raise PromptError("key `history`: agents are told sparse rewards, so {reward} cannot be the dense one")
        self._check_pictures()
        if family is None and (self.mode is None and self._shows_observation() or self.pixels and "user" not in options):
            raise PromptError("key `family`: what the rows of this recipe show depends on its family, which only Seedbed can tell from its tasks: add "
                              "the key to the recipe, or give the dataset that was built from it")
        self.repeats_thoughts = any(thinking.MARK.search(str(options.get(key, ""))) for key in ("answer", "rationale", "reasoning"))
        self.pattern = pattern_of(self.answer)

    def _check_pictures(self) -> None:
        """The rules of the format `chat` for {image}."""
        if (True, "image") in self.system:
            raise PromptError("key `system`: {image} changes with every step, so it belongs into `user`")
        n = self.user.count((True, "image"))
        if not self.pixels and n:
            raise PromptError("key `user`: {image} needs the key `pixels`, or --pixels, which says the look")
        if self.pixels and n != 1:
            raise PromptError("key `user`: with pixels, {image} should be there once")
        if self.pixels and self.is_text:
            raise PromptError("key `style`: `prompt` is one text, so there is no place for pixels")

    def _shows_observation(self) -> bool:
        return any((True, field) in self.system + self.user for field in ("observation", "scene")) or (True, "observation") in self.item

    def modes(self, first: str | None) -> list[str]:
        """The modes to ask for; `first` is the family's first mode."""
        used = {text for is_field, text in self.system + self.user if is_field}
        shown = {self.mode or first} if self._shows_observation() else set()
        return sorted(mode for mode in shown | {TEXTS.get(name, name) for name in used if name not in FIELDS} if mode is not None)

    def about(self) -> dict[str, Any]:
        """What results keep of the templates."""
        shown = {"mode": self.mode} if self.mode else {}
        return {**self.texts, **shown, "history": self.history, "valid": self.valid, "turns": "all" if self.turns < 0 else self.turns}


# A number, and what makes it another thing: `1.5`, `3rd`, `1/2`. Only the first kind is an action.
NUMBER = r"-?\d\w*(?:[.,:/-]\d[\w.]*)?"
NAME = r"[A-Za-z]\w*(?:[ ,(]+\d+[ ,]+\d+\)?)?"
AROUND = r"*_`"  # marks of emphasis, which may stand between the words of an answer
BEFORE = AROUND + "\"'[(<$"  # and before an action


def after_free(answer: Pieces) -> Pieces:
    """What follows {rationale} and {reasoning} in the template of an answer."""
    places = [i for i, (is_field, text) in enumerate(answer) if is_field and text in FREE]
    return answer[places[-1] + 1:] if places else answer


def pattern_of(answer: Pieces) -> re.Pattern[str]:
    """Returns the pattern of what an answer has to hold: what follows {rationale} and {reasoning}."""
    rest = after_free(answer)
    words = "".join(text for is_field, text in rest if not is_field).strip()
    called = rf"|(?P<called>{NAME})" if re.search(r"\w", words) and (True, "action_name") not in rest else ""
    kinds = {"action": rf"(?:(?P<action>{NUMBER}){called})", "action_name": rf"(?P<name>{NAME})", "step": r"\d+", "turn": r"\d+"}
    pattern = ""
    for is_field, text in rest:
        if is_field and "(?P<" in kinds[text] and kinds[text] in pattern:
            raise PromptError(f"key `answer`: {{{text}}} should be there once")
        pattern += kinds[text] if is_field else words_pattern(text)
    if "(?P<" not in pattern:
        raise PromptError("key `answer`: it should hold {action} or {action_name}, so that an action can be read from it")
    # Without words of its own, an answer is an action at the end of the text; with them, the last place where they stand.
    return re.compile(pattern if words else rf"(?<!\w)(?<!\d[.,:/-])(?:{pattern})\W*\Z", re.IGNORECASE)


def words_pattern(text: str) -> str:
    """A pattern of words, with any space and any emphasis between them. A run of these is tried once, from its beginning, and gives nothing back: else
    thousands of stars would take minutes."""
    pattern, run = "", ""
    for word in re.findall(r"\w+|\s+|[^\w\s]", text):
        if word.isspace():
            run = r"\s" + BEFORE
        else:
            given = run.replace(word[0], "") if word[0] in BEFORE else run
            between = f"[{given}]*+" if given else ""
            pattern += (between if pattern or not run else f"(?:(?<![{run}]){between}|)") + re.escape(word)
            run = AROUND
    return pattern + (f"[{run if text[-1].isspace() else BEFORE}]*+" if text else "")


class Episode:
    """One running episode: what was seen and done so far."""

    def __init__(self, prompts: Prompts, message: Options) -> None:
        """message: that of op `reset` in docs/agents.md, also for an episode that goes on (`steps`)."""
        self.prompts, self.told = prompts, message
        self.past: list[str] = []  # what {history} says of each step
        self.exchanges: list[tuple[Any, str]] = []  # what was asked and answered, as far as it is repeated
        self.chance, self._has_drawn = random.Random(message["random_seed"]), False
        self.names: dict[int, str] = dict(enumerate(message["action_names"]))
        self._done: tuple[int, int, str] | None = None  # the step, the action and what was seen, until the next message
        self._show(message)
        self.system = fill(prompts.system, self._value) + (fill(prompts.tested, self._value) if self._instructions() else "")

    def see(self, message: Options) -> None:
        """Takes the next message, of op `step`."""
        assert self._done is not None
        self.past.append(self._past_item(*self._done, message))
        self._done = None
        self._show(message)

    def _show(self, message: Options) -> None:
        """Makes the user's text of a message."""
        self.message, self.step = message, message.get("steps", 0)
        listed = dict(zip(message["valid_actions"], message["valid_names"]))
        if not listed.items() <= self.names.items():
            self.names = {**self.names, **listed}
        self.user = fill(self.prompts.user, self._value)

    def mark(self) -> Any:
        """What `go_back` needs in order to come back to where the episode stands."""
        return self.names, len(self.past), self.exchanges, len(self.exchanges), self.chance.getstate() if self._has_drawn else None

    def go_back(self, mark: Any, message: Options) -> None:
        """Goes back to a mark; message: what is seen there."""
        self.names, n_past, exchanges, n_exchanges, drawn = mark
        self.past, self.exchanges, self._done = self.past[:n_past], exchanges[:n_exchanges], None
        if drawn is None:
            self.chance.seed(self.told["random_seed"])
        else:
            self.chance.setstate(drawn)
        self._has_drawn = drawn is not None
        self._show(message)

    def copy(self) -> Self:
        """An episode that goes on from here, by itself."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other.past, other.exchanges = self.past[:], self.exchanges[:]
        other.chance = random.Random()
        other.chance.setstate(self.chance.getstate())
        return other

    def _past_item(self, step: int, action: int, seen: str, message: Options) -> str:
        values = {"step": step, "turn": step + 1, "action": action, "action_name": self.name_of(action), "reward": number_text(message["reward"]), "observation": seen}
        return fill(self.prompts.item, lambda field: str(values[field]))

    def _observation(self, name: str | None = None) -> str:
        seen = self.message["observations"]
        name = name or self.prompts.mode or next(iter(seen), None)
        return text_of(seen[name]) if name else ""

    def _value(self, field: str) -> str:
        plain = {"task": "task", "description": "summary", "category": "category", "max_steps": "max_steps"}
        if field in plain:
            return str(self.told[plain[field]])
        made: dict[str, Callable[[], str]] = {
            "difficulty": lambda: str(self.told.get("difficulty", "")), "step": lambda: str(self.step), "turn": lambda: str(self.step + 1),
            "observation": self._observation, "scene": self._scene, "history": self._history, "instructions": self._instructions, "image": lambda: "\0",
            "actions": lambda: self._listed(enumerate(self.told["action_names"])),
            "valid_actions": lambda: self._listed(zip(self.message["valid_actions"], self.message["valid_names"]))}
        if field in made:
            return made[field]()
        if field in TEXTS:
            return str(self.message["observations"][TEXTS[field]][field])
        return self._observation(field)

    def _scene(self) -> str:
        """The observation without its list of valid actions."""
        seen = self.message["observations"].get(self.prompts.mode or next(iter(self.message["observations"]), None), "")
        if isinstance(seen, str):
            return seen.split(" Valid actions: ")[0]
        if self.prompts.is_old or not isinstance(seen, dict):
            return text_of(seen)
        info = {"info": {key: value for key, value in seen["info"].items() if key != "valid_actions"}} if isinstance(seen.get("info"), dict) else {}
        return text_of({key: info.get(key, value) for key, value in seen.items() if key != "valid_actions"})

    def _listed(self, entries: Iterable[tuple[int, str]]) -> str:
        pairs = list(entries)
        if not pairs:
            return str(self.prompts.valid["empty"])
        return str(self.prompts.valid["separator"]).join(
            fill(self.prompts.valid_item, lambda field: str(action) if field == "action" else name) for action, name in pairs)

    def _instructions(self) -> str:
        """What is told before a test: the recipe's text, if it has one for this kind (`planning` of `planning-3`)."""
        told = str(self.told.get("instructions", ""))
        return told and str(self.prompts.instructions.get(self.told.get("difficulty", "").split("-")[0], told))

    def _history(self) -> str:
        past = self.past[-self.prompts.history["steps"]:] if self.prompts.history["steps"] else []
        return str(self.prompts.history["separator"]).join(past) if past else str(self.prompts.history["empty"])

    def content(self) -> Any:
        """The user's message: a text, or parts where there is a picture."""
        if not self.prompts.pixels:
            return self.user
        before, after = self.user.split("\0", 1)
        picture = self.message["picture"]
        parts: list[dict[str, Any]] = [{"type": "text", "text": before}, {"type": "image_url", "image_url": {"url": f"data:{picture['type']};base64,{picture['data']}"}},
                 {"type": "text", "text": after}]
        return [part for part in parts if part.get("text") != ""]

    def prompt(self) -> Any:
        """The messages for the next answer, or one text."""
        if self.prompts.is_text:
            return (self.system + "\n\n" if self.system else "") + self.user
        turns = self._turns()
        messages: list[dict[str, Any]] = [{"role": "system", "content": self.system}] if self.prompts.system_is_shown else []
        for asked, said in turns:
            messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": said}]
        return [*messages, {"role": "user", "content": self.content()}]

    def _turns(self) -> list[tuple[Any, str]]:
        """The earlier exchanges that the messages repeat."""
        n = len(self.exchanges) if self.prompts.turns < 0 else min(self.prompts.turns, len(self.exchanges))
        return self.exchanges[len(self.exchanges) - n:]

    def drop_turns(self) -> int:
        """Leaves out the older half of the exchanges that are repeated, from now on. Returns how many."""
        turns = self._turns()
        dropped = (len(turns) + 1) // 2
        self.exchanges = turns[dropped:]
        return dropped

    def read(self, text: str, is_cut: bool = False) -> tuple[int | None, str]:
        """Returns the action in an answer, None if there is none, and what the model said before it. Nothing that stands in thoughts is an action."""
        action: int | None = None
        last: re.Match[str] | None = None
        thoughts = [span for span in thinking.spans(text) if span[1] > len(text) - END]  # no others reach where actions are looked for
        for found in self.prompts.pattern.finditer(text, max(0, len(text) - END)):
            is_thought = any(begin < found.end() <= end for begin, end in thoughts)
            if not is_thought and (found.groupdict().get("called") is None or self._action(found) is not None):
                action, last = self._action(found), found
        if action is None or last is None or is_cut and not self._is_whole(last, text):
            return None, thinking.apart(text)[0].strip()
        return action, thinking.apart(text[:last.start()])[0].strip()

    def expected(self) -> str:
        """What an answer has to hold for an action to be read in it, with an example; for people."""
        rest, values = after_free(self.prompts.answer), self._values(min(1, self.told["n_actions"] - 1))
        form = "".join(f"{{{text}}}" if is_field else text for is_field, text in rest).strip()
        example = fill(rest, lambda field: values[field]).strip()
        named = (True, "action_name") in rest
        return f"`{form}`, such as `{example}`" + (", with the action's name: numbers are read where `answer` has {action} in its place" if named else "")

    def is_empty(self, text: str) -> bool:
        """Whether an answer says nothing but thoughts."""
        return not thinking.apart(text)[0].strip()

    def lacks(self, what: str) -> str:
        """Why nothing can stand in for an unreadable answer as `what` says (`stand_in`); "" if something can."""
        if what in ("lose", "random"):
            return ""
        if what.isdecimal():
            return "" if int(what) < self.told["n_actions"] else f"actions have the numbers 0 to {self.told['n_actions'] - 1}"
        return f"there is no such action; known actions: {', '.join(self.names.values())}" if self.number_of(what) is None else ""

    def stand_in(self, what: str) -> int | None:
        """The action that an unreadable answer counts as: one by number or name, or with `random` a valid one; None for `lose`."""
        if what == "lose":
            return None
        if what == "random":
            self._has_drawn = True
            return int(self.chance.choice(self.message["valid_actions"] or [0]))
        return int(what) if what.isdecimal() else self.number_of(what)

    def _values(self, action: int) -> dict[str, str]:
        """What fills the template of an answer with this action, but for what is free."""
        return {"action": str(action), "action_name": self.name_of(action), "step": str(self.step), "turn": str(self.step + 1)}

    def answer(self, action: int) -> str:
        """The answer that names this action, with nothing in place of what is free."""
        values = self._values(action)
        return fill(self.prompts.answer, lambda field: values.get(field, "")).strip()

    def reads_exactly(self, text: str, action: int) -> bool:
        """Whether an answer is the template to the letter, filled with this action, but for space around it and for thoughts that the template lacks."""
        said = (text if self.prompts.repeats_thoughts else thinking.apart(text)[0]).strip()
        values = self._values(action)
        fixed = [""]  # the texts between those that are free
        for is_field, piece in self.prompts.answer:
            if is_field and piece in FREE:
                fixed.append("")
            else:
                fixed[-1] += values[piece] if is_field else piece
        if said == "".join(fixed).strip():  # nothing stands in place of what is free
            return True
        fixed[0], fixed[-1] = fixed[0].lstrip(), fixed[-1].rstrip()
        begin, end = len(fixed[0]), len(said) - len(fixed[-1])
        if len(fixed) == 1 or not said.startswith(fixed[0]) or not said.endswith(fixed[-1]) or begin > end:
            return False
        for piece in fixed[1:-1]:
            at = said.find(piece, begin, end)
            if at < 0:
                return False
            begin = at + len(piece)
        return True

    def _is_whole(self, found: re.Match[str], text: str) -> bool:
        """Whether a cut answer was cut behind its action: that has a line of its own, and no other action goes on like it if nothing follows."""
        begin = found.end() - len(found.group().lstrip())
        after, newline, _ = text[found.end():].partition("\n")
        if re.search(r"\w", text[text.rfind("\n", 0, begin) + 1:begin] + after):
            return False
        groups = found.groupdict()
        said = str(next(groups[key] for key in ("action", "called", "name") if groups.get(key))).lower()
        if newline:
            return True
        if said[0].isdigit():
            return bool(10 * int(said) >= self.told["n_actions"] or int(said) == 0)
        is_click = said[-1].isdigit() and self.number_of(said) is not None and said not in map(str.lower, self.names.values())
        return not is_click and not any(name.lower().startswith(said) and name.lower() != said for name in self.names.values())

    def _action(self, found: re.Match[str]) -> int | None:
        groups = found.groupdict()
        if groups.get("action") is None:
            name = groups.get("name") or groups["called"]
            number = self.number_of(name)
            return self.number_of(name.rstrip("_")) if number is None else number  # _emphasis_
        if not re.fullmatch(r"\d+", groups["action"]):
            return None
        action = int(groups["action"])
        return action if action < self.told["n_actions"] else None

    def number_of(self, name: str) -> int | None:
        """Returns the number of an action, given by name; None if nothing is called that. Clicks name their cell: `click 3 4`."""
        click = re.fullmatch(r"\w+[ ,(]+(\d+)[ ,]+(\d+)\)?", name)
        if click and "click_width" in self.told:
            x, y = map(int, click.groups())
            is_inside = x < self.told["click_width"] and y < self.told["click_height"]
            return int(self.told["n_buttons"] + y * self.told["click_width"] + x) if is_inside else None
        same = [number for number, known in self.names.items() if known.lower() == name.lower()]
        return same[0] if same else None

    def name_of(self, action: int) -> str:
        buttons = self.told.get("n_buttons", self.told["n_actions"])
        if action >= buttons:
            y, x = divmod(action - buttons, self.told["click_width"])
            return f"click {x} {y}"
        return self.names.get(action, str(action))

    def note(self, action: int, answer: str) -> None:
        """Keeps what was answered and done. Thoughts are not repeated in later turns, unless the rows of the recipe do; an empty answer is no turn, because
        endpoints take no empty message."""
        said = answer if self.prompts.repeats_thoughts else thinking.apart(answer)[0]
        if said.strip():
            self.exchanges.append((self.content(), said))
        if self.prompts.turns >= 0:
            self.exchanges = self.exchanges[-self.prompts.turns:] if self.prompts.turns else []
        self._done = self.step, action, self._observation() if (True, "observation") in self.prompts.item else ""


class Number(float):
    """A number of a message, which keeps its digits."""

    text: str

    def __new__(cls, text: str) -> Self:
        made = super().__new__(cls, text)
        made.text = text
        return made


def number_text(number: float) -> str:
    return number.text if isinstance(number, Number) else str(number)


def text_of(observation: Any) -> str:
    """Documents come as JSON; the text is that of the mode."""
    return observation if isinstance(observation, str) else json.dumps(observation, ensure_ascii=False)
