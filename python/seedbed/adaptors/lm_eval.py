"""Questions with one answer as tasks of lm-eval: BabyBench's predict, plan and decompose, the next frame, Autumn's masked predictions, and the best action.

    python -m seedbed.adaptors.lm_eval tasks --forms predict,best_action -n 25
    lm-eval run --include_path tasks --tasks seedbed_predict,seedbed_best_action --model ...

The first command writes a folder for each form: the questions, and the task's document, which names the functions of this module that judge answers. The module
itself needs no framework.
"""
from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .. import data, textplay, thinking
from .._errors import ActionError, Error, InvalidError
from ..env import make
from ..prompts import PRESETS
from ..scoring import score_action
from ..selection import Texts, select, whole

__all__ = ["FORMS", "judge_best_action", "judge_decompose", "judge_masked", "judge_next_frame", "judge_plan", "judge_predict", "write"]

Row = dict[str, Any]
LARGE_ROOMS = "plan"  # the category of BabyBench's levels for `plan`; the others are those of the paper's difficulties
LEVELS = "easy,medium,hard,very_hard"


# ---- Judges: what `process_results` of a task is. Each gets a row and the model's answers, of which the first counts. ----------------------------------


def _command(*words: str) -> None:
    """Runs the command `seedbed`. InvalidError if it fails; it says why on standard error."""
    if data.main([*words, "-q"]) != 0:
        raise InvalidError(f"seedbed {words[0]} failed")


def _said(answers: Sequence[str | None]) -> str:
    """The answer that counts, without thoughts. Endpoints may give none."""
    return thinking.apart(answers[0] or "")[0]


def _babybench(protocol: str, row: Row, answers: Sequence[str], measures: Iterable[str]) -> dict[str, float]:
    """The measures of `seedbed score`."""
    with tempfile.TemporaryDirectory() as folder:
        asked, scored = os.path.join(folder, "answers.jsonl"), os.path.join(folder, "scores.json")
        line = {"name": row["name"], "answer": _said(answers)} | ({"action_sequence": row["actions"]} if protocol == "predict" else {})
        Path(asked).write_text(json.dumps(line) + "\n")
        _command("score", "--protocol", protocol, asked, "-o", scored)
        found: Row = json.loads(Path(scored).read_text())["rows"][0]
    return {measure: float(found.get(measure) or 0) for measure in measures}


def judge_predict(doc: Row, results: Sequence[str]) -> dict[str, float]:
    """Whether cell and direction are right, and whether the cell is."""
    return _babybench("predict", doc, results, FORMS["predict"].measures)


def judge_plan(doc: Row, results: Sequence[str]) -> dict[str, float]:
    """Whether the actions lead there, and how short they are."""
    return _babybench("plan", doc, results, FORMS["plan"].measures)


def judge_decompose(doc: Row, results: Sequence[str]) -> dict[str, float]:
    """Whether the bot solved it with the subgoals, without others, and how much help it needed."""
    return _babybench("decompose", doc, results, FORMS["decompose"].measures)


def judge_next_frame(doc: Row, results: Sequence[str]) -> dict[str, float]:
    """Whether the answer is right line by line, and whether its first line is: what kind of step it was."""
    said, right = ([line.strip() for line in text.strip().splitlines() if line.strip()] for text in (_said(results), doc["target"]))
    return {"exact": float(said == right), "kind": float(said[:1] == right[:1])}


def judge_masked(doc: Row, results: Sequence[str]) -> dict[str, float]:
    """Whether the option that the answer names last is right."""
    named = re.findall(r"choose_option_(\d+)", _said(results), re.IGNORECASE)
    return {"right": float(bool(named) and f"choose_option_{named[-1]}" == doc["target"]), "readable": float(bool(named))}


def judge_best_action(doc: Row, results: Sequence[str]) -> dict[str, float]:
    """Whether no action is better, and whether the answer, read as in episodes, holds one."""
    turn = _state(doc["name"], doc["taken"], doc["prompts"]).say(results[0])
    if turn.reading == "none" or turn.action is None:
        return {"right": 0.0, "readable": 0.0}
    return {"right": float(turn.action in doc["best"]), "readable": 1.0}


# ---- Questions -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Which:
    """What was asked for: n episodes of each task and difficulty, or n challenges."""

    n: int = 5
    family: str | None = None
    tasks: Texts = None
    difficulty: Texts = None
    prompts: str = "markovian"
    pack: str | None = None


def _row(name: str, messages: Sequence[Mapping[str, Any]], **more: Any) -> Row:
    """A question. The last message is the right answer."""
    texts = {message["role"]: message["content"] for message in messages}
    return {"name": name, "system": texts.get("system", ""), "user": texts["user"], "target": texts["assistant"], **more}


def _questions_of_babybench(protocol: str, which: _Which) -> Iterator[Row]:
    """Those of the benchmark's data sets: seeds from 1 on."""
    chosen = select(family="babyai", tasks=which.tasks, category=None if which.tasks else LARGE_ROOMS if protocol == "plan" else LEVELS, seeds=f"1..{which.n}")
    for row in data.rows(chosen, {"format": protocol, "conversation": True}, oracle="omnibot", evaluation="keep", filter={"success": True}):
        level = str(row["env_name"]).removeprefix("BabyAI-").removesuffix("-v0")
        yield _row(f"babyai:{level}#{row['seed']}", row["messages"], actions=row.get("action_sequence", ""))


def _next_frames(which: _Which) -> Iterator[Row]:
    """One transition of each episode, as the format `next_frame` asks."""
    chosen = select(family=which.family or "arc", tasks=which.tasks, difficulty=which.difficulty, split="eval", count=which.n)
    seen = set()
    for row in data.rows(chosen, {"format": "next_frame", "form": "chat"}, evaluation="keep"):
        if row["name"] not in seen:
            seen.add(row["name"])
            yield _row(row["name"], row["messages"], step=row["step"])


def _masked(which: _Which) -> Iterator[Row]:
    """Masked predictions of a pack, or of the first seeds, which are derived."""
    with tempfile.TemporaryDirectory() as folder:
        pack, asked = which.pack or os.path.join(folder, "pack.jsonl"), os.path.join(folder, "asked")
        if which.pack is None:
            tasks = [] if which.tasks is None else ["--tasks", which.tasks if isinstance(which.tasks, str) else ",".join(which.tasks)]
            _command("challenges", "-o", pack, "--kinds", "mfp", "--count", str(which.n), *tasks)
        _command("questions", pack, "--form", "conversations", "-o", asked)
        with open(f"{asked}.jsonl") as questions, open(f"{asked}.answers.jsonl") as answers:
            for question, answer in zip(questions, answers, strict=True):
                read = json.loads(question)
                yield _row(read["question"], [*read["messages"], *json.loads(answer)["messages"]])


def _best_actions(which: _Which) -> Iterator[Row]:
    """A state on the observer's way through each official episode. What actions cost takes seconds in some tasks, so all processors work."""
    prompts = os.path.abspath(which.prompts) if which.prompts not in PRESETS and os.path.exists(which.prompts) else which.prompts  # judges may run elsewhere
    plays = data.rollouts(select(family=which.family, tasks=which.tasks, difficulty=which.difficulty, split="eval", count=which.n), obs="none", jobs=0)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        for name, taken, best in threads.map(_with_best, plays):
            if best:
                play = _state(name, taken, prompts)
                yield _row(name, [*play.messages(), {"role": "assistant", "content": play.answer(best[0])}], taken=taken, best=best, prompts=prompts)


def _with_best(played: data.Episode) -> tuple[str, list[int], list[int]]:
    """The episode's name, the actions that lead to a state, and those that none is better than there; none if nobody tells costs."""
    actions = [int(action) for action in played.actions]
    taken = actions[:int.from_bytes(hashlib.sha256(played.name.encode()).digest()[:4]) % max(1, len(actions))]
    try:
        return played.name, taken, list(score_action(played.name, taken, 0).best)
    except (ActionError, InvalidError):
        return played.name, taken, []


def _state(name: str, taken: Iterable[int], prompts: str) -> textplay.Session:
    env = make(name, obs="none", info="none")
    env.reset()
    for action in taken:
        env.step(action)
    return textplay.Session(env, prompts)


# ---- Tasks -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """A form of questions: what the task is about, how many tokens an answer needs, and what is measured."""

    about: str
    rows: Callable[[_Which], Iterator[Row]] = field(repr=False)
    judge: Callable[[Row, Sequence[str]], dict[str, float]] = field(repr=False)
    measures: tuple[str, ...]
    tokens: int = 1024


FORMS = {
    "predict": Form("BabyBench: the state that actions lead to", lambda which: _questions_of_babybench("predict", which), judge_predict,
                    ("accuracy", "position_accuracy")),
    "plan": Form("BabyBench: actions that lead to a thing", lambda which: _questions_of_babybench("plan", which), judge_plan, ("success", "efficiency")),
    "decompose": Form("BabyBench: subgoals of a mission", lambda which: _questions_of_babybench("decompose", which), judge_decompose, ("CR", "PR", "ACI")),
    "next_frame": Form("what is shown after an action", _next_frames, judge_next_frame, ("exact", "kind"), 2048),
    "masked": Form("Autumn: what hidden cells hold", _masked, judge_masked, ("right", "readable")),
    "best_action": Form("an action that none is better than", _best_actions, judge_best_action, ("right", "readable")),
}


def _document(name: str, form: Form, rows: Path) -> str:
    """The task as the framework reads it."""
    measures = "".join(f"  - metric: {measure}\n    aggregation: mean\n    higher_is_better: true\n" for measure in form.measures)
    return (f"# {form.about}. Written by python -m seedbed.adaptors.lm_eval; the path below is absolute.\n"
            f"task: seedbed_{name}\ntag: seedbed\ndataset_path: json\ndataset_kwargs:\n  data_files:\n    test: {json.dumps(str(rows))}\n"
            "test_split: test\noutput_type: generate_until\n"
            'description: "{{system}}"\ndoc_to_text: "{{user}}"\ndoc_to_target: "{{target}}"\n'
            f"process_results: !function {__name__ if __name__ != '__main__' else 'seedbed.adaptors.lm_eval'}.{form.judge.__name__}\nnum_fewshot: 0\n"
            f"generation_kwargs:\n  until: []\n  do_sample: false\n  max_gen_toks: {form.tokens}\nmetric_list:\n{measures}metadata:\n  version: 1.0\n")


def write(folder: str | os.PathLike[str], forms: Iterable[str] = tuple(FORMS), *, n: int = 5, family: str | None = None, tasks: Texts = None,
          difficulty: Texts = None, prompts: str = "markovian", pack: str | None = None) -> dict[str, int]:
    """Writes tasks for `--include_path`, one folder each, and returns how many questions each has. All are of official episodes, or of the benchmark's seeds.

    forms: names of FORMS. n: episodes of each task and difficulty, or challenges of each program and level.
    family, tasks, difficulty: which, where a form has a choice. prompts: how `best_action` asks: a preset, or the path of a recipe. pack: a file of challenges.

    InvalidError for an unknown form, and if no question is left.
    """
    return dict(_written(folder, list(forms), _Which(n, family, tasks, difficulty, prompts, pack)))


def _written(folder: str | os.PathLike[str], forms: Sequence[str], which: _Which) -> Iterator[tuple[str, int]]:
    """The tasks as they are written, and how many questions each has."""
    whole("n", which.n, 1)
    for name in forms:
        if name not in FORMS:
            raise InvalidError(f"there is no form `{name}`; known are {', '.join(FORMS)}")
    for name in forms:
        rows = list(FORMS[name].rows(which))
        if not rows:
            raise InvalidError(f"{name}: these episodes have no such questions")
        place = Path(folder).resolve() / f"seedbed_{name}"
        place.mkdir(parents=True, exist_ok=True)
        _save(place / "questions.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        _save(place / f"seedbed_{name}.yaml", _document(name, FORMS[name], place / "questions.jsonl"))
        yield f"seedbed_{name}", len(rows)


def _save(path: Path, text: str) -> None:
    """Writes a whole file, or none."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(text)
    part.replace(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """The command that writes tasks."""
    parser = argparse.ArgumentParser(prog="python -m seedbed.adaptors.lm_eval", description="Writes tasks for lm-eval's --include_path.",
                                     epilog="forms: " + "; ".join(f"{name}: {form.about}" for name, form in FORMS.items()))
    parser.add_argument("folder")
    parser.add_argument("--forms", default=",".join(FORMS), help="default: all")
    parser.add_argument("-n", type=int, default=5, help="episodes of each task and difficulty, or challenges of each program and level (default: 5)")
    parser.add_argument("--prompts", default="markovian", help="how the best action is asked for: a preset, or a recipe (default: markovian)")
    for word in ("family", "tasks", "difficulty", "pack"):
        parser.add_argument(f"--{word}")
    options = vars(parser.parse_args(arguments))
    folder, forms = options.pop("folder"), options.pop("forms").split(",")
    try:
        for name, count in _written(folder, forms, _Which(**options)):
            print(f"{name}: {count} questions", flush=True)
    except (Error, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
