"""Lets a language model write a bot for a gridworld task, in Python against `env.api` (docs/python.md). It is given the API and pictures of training
episodes, writes a function, is shown the episodes that it loses, and is scored on the official evaluation episodes. docs/world-models.md explains it. Any
OpenAI-compatible endpoint will do; the key comes from an environment variable. Needs the package `seedbed`.

    python3 examples/agents/write_bot.py --task KeyDoorPuzzle --difficulty easy -o keys --model NAME --url http://localhost:8000/v1

The result is keys/result.json, a result of `seedbed eval`; what led to it lies beside it. The bot runs in the sandbox of ../models/sandbox.py, and what
counts are its actions, played again outside of it.
"""
import argparse
import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "models"))
import written  # noqa: E402

import seedbed  # noqa: E402

PLAYER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "play_bot.py")
TASK = """Write a bot in Python for this task of a gridworld benchmark. The bot is a function that chooses the next action:

def act(api, memory):
    return "move_up"

It is called before every step. `memory` is a dict that is empty when an episode begins, and yours. It returns the name or the number of an action. It may import the standard library and NumPy. An episode has few steps, so go straight to what is wanted.

The task, {task}: {summary}

{api}

This is how training episodes begin. The evaluation has other ones.

{episodes}

Answer with the whole program in one block of code between lines of three backquotes."""


def read_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--task", required=True, help="such as KeyDoorPuzzle")
    add("--difficulty", default="easy", help="easy (default), medium, hard or expert")
    add("--count", type=int, default=20, help="training episodes (default: 20)")
    add("--eval-seeds", metavar="SEEDS", help="seeds to be scored on, such as 1000..1019 (default: the official evaluation)")
    written.add_program_options(parser)
    return written.endpoint.parse(parser, arguments)


# ---- What the model is told ------------------------------------------------------------------------------------------

def api_page(env):
    """The methods of `env.api`, each with the first lines of its own description."""
    lines = ["`api` answers questions about the present state. Positions are (x, y), x to the right and y down. It has:", ""]
    for name in sorted(name for name in dir(env.api) if not name.startswith("_")):
        what = getattr(type(env.api), name)
        text = " ".join((what.__doc__ or "").split())
        lines.append(f"- {name}{signature(what)}: {text}" if text else f"- {name}{signature(what)}")
    return "\n".join(lines)


def signature(what):
    return str(inspect.signature(what)).replace("(self, /)", "()").replace("(self, ", "(").replace(", /)", ")") if callable(what) else ""


def prompt_for(options, names):
    env = seedbed.make(names[0], obs="ascii")
    env.reset()
    episodes = []
    for name in names[:3]:
        one = seedbed.make(name, obs="ascii")
        seen, _ = one.reset()
        episodes.append(f"{seen}\nactions: {', '.join(one.action_names)}")
    return TASK.format(task=env.task, summary=env.summary, api=api_page(env), episodes="\n\n".join(episodes))


# ---- Playing ---------------------------------------------------------------------------------------------------------

def play(options, path, names):
    """Lets the bot play episodes in the sandbox. Returns a row for each: its actions, and what went wrong."""
    with tempfile.TemporaryDirectory(prefix="written-") as room:
        for file in (path, PLAYER):
            shutil.copy(file, room)
        os.rename(os.path.join(room, os.path.basename(path)), os.path.join(room, "bot.py"))
        written.write_json(os.path.join(room, "names.json"), names)
        package = os.path.dirname(os.path.abspath(seedbed.__file__))
        environment = {**os.environ, "PYTHONPATH": os.path.dirname(package)}
        line = written.sandboxed(options, [sys.executable, os.path.join(room, "play_bot.py")], room, show=[package])
        done = subprocess.run(line, capture_output=True, text=True, errors="replace", env=environment)
        rows = rows_of(os.path.join(room, "rows.jsonl"), names)
        if done.returncode or len(rows) < len(names):
            why = {written.sandbox.OUT_OF_TIME: "the program used up its time", written.sandbox.KILLED: "the program was killed",
                   written.sandbox.NO_SANDBOX: None}.get(done.returncode, f"the program ended with {done.returncode}")
            if why is None:
                raise SystemExit("write_bot: " + done.stderr.strip())
            said = done.stderr.strip()[-800:]
            rows += [{"name": name, "actions": [], "error": f"{why}. {said}".strip()} for name in names[len(rows):]]
        return rows


def rows_of(path, names):
    """What the bot's process wrote, as far as it makes sense: its program might have written there, too."""
    rows = []
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for line, name in zip(file, names):
                row = json.loads(line)
                rows.append({"name": name, "actions": [int(action) for action in row["actions"]], "error": str(row["error"])[:800] if row.get("error") else None})
    except (OSError, ValueError, KeyError, TypeError):
        pass
    return rows


class Recorded:
    """Plays the recorded actions of each episode, in the order of the selection; then nothing counts that the bot's process could have done to its own."""

    def __init__(self, rows):
        self.rows, self.episode = rows, -1

    def reset(self, observation, info):
        self.episode += 1

    def act(self, observation, info):
        actions = self.rows[self.episode]["actions"]
        if info["step"] >= len(actions):
            raise ValueError(self.rows[self.episode]["error"] or "the bot chose no action")
        return actions[info["step"]]


def judged(rows, names, options, output=None):
    about = {"harness": "examples/agents/write_bot.py", "model": options.model}
    salt = "0123456789abcdef0123456789abcdef"
    return seedbed.evaluate(Recorded(rows), names, obs="ascii", name=f"written by {options.model}", about=about, salt=salt, on_error="lost", **({"output": output} if output else {}))


def failures_of(rows, result):
    parts = [f"Your bot succeeded in {result.all.successes} of {result.all.episodes} training episodes."]
    lost = [(row, episode) for row, episode in zip(rows, result.episodes) if not episode.success]
    for row, _ in lost[:3]:
        env = seedbed.make(row["name"], obs="ascii")
        seen, _ = env.reset()
        what = row["error"] or f"it took {len(row['actions'])} actions without success: {[env.action_names[a] for a in row['actions'][:30]]}"
        parts.append(f"An episode that it lost began like this:\n{seen}\n{what}")
    return "\n\n".join(parts)


def main(arguments):
    options = read_arguments(arguments)
    client = written.endpoint.from_options(options)
    written.require_sandbox(options)
    train = list(seedbed.select(tasks=options.task, difficulty=options.difficulty, split="train", count=options.count))
    final = list(seedbed.select(tasks=options.task, difficulty=options.difficulty, **({"seeds": options.eval_seeds} if options.eval_seeds else {})))
    shared = set(train) & set(final)
    if shared:
        print(f"write_bot: {sorted(shared)[0]} is in training and in evaluation", file=sys.stderr)
        return 2
    settings = {"written_bot": 1, "train": train, "evaluation": len(final), "eval_seeds": options.eval_seeds, "request": client.body, "revisions": options.revisions,
                "sandbox": not options.no_sandbox}
    written.settle(options.output, settings)

    def judge(path, _):
        rows = play(options, path, train)
        result = judged(rows, train, options)
        return {"score": result.all.successes / result.all.episodes, "is_right": result.all.successes == result.all.episodes, "failures": failures_of(rows, result)}

    try:
        reports = written.converse(options, client, [{"role": "user", "content": prompt_for(options, train)}], judge)
    except written.endpoint.EndpointError as error:
        print(f"write_bot: {error}; the same command goes on", file=sys.stderr)
        return 1
    return finish(options, reports, final)


def finish(options, reports, final):
    best = written.best_of(reports)
    rows = [{"name": name, "actions": [], "error": "no program was written"} for name in final]
    if reports[best]["program"]:
        rows = play(options, os.path.join(options.output, f"round-{best}", "program.py"), final)
    path = os.path.join(options.output, "result.json")
    if os.path.exists(path):
        os.remove(path)
    result = judged(rows, final, options, path)
    print(f"success in {100 * reports[best]['score']:.0f} % of training episodes, in {result.all.successes} of {result.all.episodes} evaluation episodes (round {best})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
