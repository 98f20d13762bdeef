"""Lets a language model write a world model. It is given a log of a game as text, writes a program that predicts, is shown where it is wrong, and is
judged on logs of other seeds, without ever playing. docs/world-models.md explains it; make_packs.py writes logs. Any OpenAI-compatible endpoint will do;
the key comes from an environment variable.

    python3 examples/models/make_packs.py -o packs --games arc:Echo
    python3 examples/models/write_model.py --train packs/arc-Echo.train.jsonl --test packs/arc-Echo.test.jsonl -o echo --model NAME --url http://localhost:8000/v1

The result is echo/result.json. What the model writes runs in the sandbox of sandbox.py.
"""
import argparse
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import tempfile

import written

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
TASK = """You are given a log of a game that nobody explains: frames, actions, and what was shown afterwards. Find the rules, and write a Python program that predicts what an action leads to. It will be judged on logs of the same game from other seeds, in which things stand elsewhere.

The program reads one JSON object from each line of its standard input and writes one JSON object, on one line, for each (flush it):
- {{"op":"hello","name":...,"levels":...,"available":[...]}}: answer {{"offers":["predict","history"],"learns":false,"name":"mine","version":"1"}}
- {{"op":"level","level":n}}: a level begins; answer {{}}
- {{"op":"history","h":h,"z":{{"frame":F}},"action":a,"m":m}}: asked before each prediction; answer {{"h":...}}: whatever JSON you want to carry. It is null when a level begins. Leave `history` out of the offers if nothing has to be carried.
- {{"op":"predict","z":{{"frame":F}},"h":h,"action":a,"m":m}}: answer {{"z":{{"frame":F2}},"done":false,"over":false}}: F2 is the next frame, done whether the level is completed, over whether the game is lost.

F is a text of {cells} characters: {height} rows of {width} cells, row after row; a character is a colour. a is {{"id":...}}, of clicks {{"id":...,"x":column,"y":row}}. m has "step", "level", "available", "action_count". The program must not keep anything between requests but h: the same question has the same answer. It runs without a network, with the standard library{numpy}, and has one second for an answer. A prediction counts if all cells, done and over are right.

Answer with the whole program in one block of code between lines of three backquotes.

The log:

{log}"""


def read_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--train", required=True, metavar="LOG", help="the log that the model is shown, and that its revisions are judged by")
    add("--test", required=True, metavar="LOG", help="the log that the score is of: other seeds of the same game")
    add("--characters", type=int, default=60000, metavar="N", help="of the log that are shown (default: 60000)")
    written.add_program_options(parser)
    return written.endpoint.parse(parser, arguments)


# ---- Logs as text ----------------------------------------------------------------------------------------------------

def read_log(path):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    if not lines or lines[0].get("seedbed_transitions") != 1:
        raise SystemExit(f"{path}: a log of transitions is expected")
    return lines


def names_of(path):
    return {line["name"] for line in read_log(path) if "seedbed_transitions" in line}


def apply(frame, width, change):
    """A frame of a log line: whole, or a difference to the one before."""
    if isinstance(change, str):
        return change
    cells = list(frame)
    for y, x, colours in change["d"]:
        cells[y * width + x:y * width + x + len(colours)] = colours
    return "".join(cells)


def told(path, most):
    """The log as text, cut after a whole transition: first frames as pictures, then what changed."""
    parts, size, frame, width = [], 0, "", 64
    for line in read_log(path):
        if "seedbed_transitions" in line:
            width, frame = line.get("width", 64), line["start"]
            part = f"A play begins. Levels: {line['levels']}. Actions: {line['available']}.{palette(line)}\n{picture(frame, width)}"
        else:
            before = frame
            for change in line["frames"]:
                frame = apply(frame, width, change)
            click = f" at x={line['x']} y={line['y']}" if "x" in line else ""
            part = f"{line['t']}. {line['action']}{click} (level {line['level']}): "
            part += "all is new:\n" + picture(frame, width) if line["kind"] in ("level", "reset") else changes(before, frame, width)
            part += {"level": "\nThe level was completed.", "over": "\nThe game is lost: over."}.get(line["kind"], "")
        size += len(part) + 1
        if size > most:
            parts.append("(The log goes on.)")
            break
        parts.append(part)
    return "\n".join(parts)


def palette(header):
    return " Colours: " + ", ".join(f"{SIGNS[i]} {name}" for i, name in enumerate(header["palette"])) + "." if "palette" in header else ""


def picture(frame, width):
    return "\n".join(frame[at:at + width] for at in range(0, len(frame), width))


def changes(before, after, width):
    """Runs of cells that changed: row, column, what stood there, and what stands there now."""
    runs, at = [], 0
    while at < len(after):
        end = at
        while end < len(after) and after[end] != before[end] and end // width == at // width:
            end += 1
        if end > at:
            runs.append(f"y={at // width} x={at % width} {before[at:end]}->{after[at:end]}")
        at = max(end, at + 1)
    return "; ".join(runs) or "nothing changes"


# ---- Judging ---------------------------------------------------------------------------------------------------------

def check(options, path, log):
    """Lets `seedbed model check` ask the program about a log. Returns its report."""
    with tempfile.TemporaryDirectory(prefix="written-") as room:
        copy = os.path.join(room, "program.py")
        with open(path, encoding="utf-8") as file, open(copy, "w", encoding="utf-8") as to:
            to.write(file.read())
        command = shlex.join(written.sandboxed(options, [sys.executable, copy], room))
        done = subprocess.run([options.seedbed, "model", "check", log, "--model", command, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode == 2:
        raise written.NotWritten("The program could not be asked: " + last_lines(done.stderr))
    try:
        return json.loads(done.stdout), last_lines(done.stderr)
    except ValueError:
        raise SystemExit(f"write_model: `{options.seedbed} model check` said: {last_lines(done.stderr)}") from None


def last_lines(text):
    return "\n".join(text.strip().splitlines()[-12:])[-2000:]


def score_of(report):
    return report["all"]["retrodiction"] or 0.0


def failures_of(report, log):
    """What the model is told of a report: how often it is right, and what is wrong first."""
    parts = [f"{100 * score_of(report):.1f} % of {report['all']['asked']} predictions were right; of the cells that changed or should have, {100 * (report['all']['changes'] or 0):.1f} % "
             "(F1).", "Wrong answers by operation: " + json.dumps(report["failures"])]
    if report["first_failure"]:
        parts.append("The first of them: " + report["first_failure"])
    if report["impure"]:
        parts.append("Asked twice, it answered differently: " + json.dumps(report["impure"]))
    parts += [f"{key}: {json.dumps(report['all'][key])}" for key in ("done", "over")]
    first = report["first_mismatch"]
    if first:
        parts.append("The first wrong prediction, with cells as [y, x, was, predicted, real] by numbers of colours: "
                     + json.dumps({key: value for key, value in first.items() if key not in ("path", "fields", "n_fields")}))
    parts += [f"level {part['name']}: {100 * (part['retrodiction'] or 0):.1f} % right" for part in report["levels"]]
    return "\n".join([*parts, log])[:6000]


def main(arguments):
    options = read_arguments(arguments)
    client = written.endpoint.from_options(options)
    shared = names_of(options.train) & names_of(options.test)
    if shared:
        print(f"write_model: {sorted(shared)[0]} is in both logs", file=sys.stderr)
        return 2
    written.require_sandbox(options)
    settings = {"written_model": 1, "train": written.sha256(options.train), "test": written.sha256(options.test), "request": client.body, "characters": options.characters,
                "revisions": options.revisions, "sandbox": not options.no_sandbox}
    written.settle(options.output, settings)
    header = read_log(options.train)[0]
    width, height = header.get("width", 64), header.get("height", 64)
    prompt = TASK.format(cells=width * height, width=width, height=height, log=told(options.train, options.characters), numpy=" and NumPy" if importlib.util.find_spec("numpy") else "")

    def judge(path, _):
        report, log = check(options, path, options.train)
        return {"score": score_of(report), "is_right": score_of(report) == 1, "failures": failures_of(report, log), "train": report}

    try:
        reports = written.converse(options, client, [{"role": "user", "content": prompt}], judge)
    except written.endpoint.EndpointError as error:
        print(f"write_model: {error}; the same command goes on", file=sys.stderr)
        return 1
    return finish(options, settings, reports)


def finish(options, settings, reports):
    """Scores the best program on the test log and writes the result."""
    best = written.best_of(reports)
    result = {**settings, "rounds": [{"program": report.get("sha256"), "train": report["score"]} for report in reports], "best": best, "test": None}
    if reports[best]["program"]:
        try:
            result["test"], _ = check(options, os.path.join(options.output, f"round-{best}", "program.py"), options.test)
        except written.NotWritten as why:
            result["failure"] = str(why)
    written.write_json(os.path.join(options.output, "result.json"), result)
    score = score_of(result["test"]) if result["test"] else 0.0
    print(f"retrodiction on the train log {reports[best]['score']:.4f}, on the test log {score:.4f} (round {best})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
