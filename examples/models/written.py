"""What write_model.py, write_world.py and ../agents/write_bot.py share: a conversation with an endpoint that ends in a program, and a folder that keeps all
of it.

The folder holds, for each round (0: the first program, then revisions): prompt.json, answer.json, the program, and report.json. A round that has a
report is not asked again, so an interrupted run goes on with the same command.
"""
import hashlib
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "agents"))
import endpoint  # noqa: E402
import sandbox  # noqa: E402


NOTHING = "(nothing was said)"  # endpoints take no empty message
REPEATED = 200_000  # characters of an answer that the model is shown again


class NotWritten(Exception):
    """There is no program, and the text says why."""


def add_options(parser):
    endpoint.add_options(parser)
    parser.add_argument("--revisions", type=int, default=2, metavar="N", help="how often the model may repair its program (default: 2)")
    parser.add_argument("--seedbed", default="seedbed", metavar="FILE", help="the command (default: seedbed)")


def add_program_options(parser):
    """Those of programs that run in the sandbox, too."""
    add_options(parser)
    add = parser.add_argument
    add("-o", "--output", required=True, metavar="FOLDER", help="where prompts, programs and reports go; the same command goes on with it")
    add("--memory", type=int, default=1024, metavar="MIB", help="for the program (default: 1024)")
    add("--seconds", type=int, default=300, help="for a run of the program (default: 300)")
    add("--no-sandbox", action="store_true", help="run programs with all your rights; only where you would run them by hand")


def write_json(path, document):
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def settle(folder, settings):
    """Begins the folder, or makes sure that it was begun with the same settings."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "settings.json")
    if os.path.exists(path) and read_json(path) != json.loads(json.dumps(settings)):
        raise SystemExit(f"{folder} holds a run with other settings: choose another folder, or remove it")
    write_json(path, settings)


def require_sandbox(options):
    if not options.no_sandbox:
        try:
            sandbox.check_here()
        except sandbox.NoSandbox as why:
            raise SystemExit(f"there are no namespaces here ({why}), so programs that nobody has read cannot be held; --no-sandbox runs them all the same")


def sandboxed(options, command, folder, show=()):
    return sandbox.wrapped(command, folder, show=show, memory=options.memory, seconds=options.seconds, sandbox=not options.no_sandbox)


def program_in(text):
    """The last block of code in an answer. What has none is no program."""
    blocks = re.findall(r"^```[^\n`]*\n(.*?)^```", text.replace("\r\n", "\n"), re.S | re.M)
    if not blocks:
        raise NotWritten("The answer holds no block of code between lines of three backquotes.")
    return blocks[-1]


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def converse(options, client, first, judge, name="program.py"):
    """Asks for a program and shows it its failures, round by round. `judge` gets a program's path and its round's folder, and returns a report: a dict
    with `score` (a number), `is_right`, and `failures` (the text that the model is shown). name: of the program's file. Returns all reports."""
    messages, reports = [*first], []
    for number in range(options.revisions + 1):
        folder = os.path.join(options.output, f"round-{number}")
        os.makedirs(folder, exist_ok=True)
        report, said = one_round(client, messages, folder, judge, name)
        reports.append(report)
        print(f"round {number}: {report['score']:.4f}{', no program' if not report['program'] else ''}", file=sys.stderr)
        if report["is_right"]:
            break
        messages = [*first, {"role": "assistant", "content": said[:REPEATED] if said.strip() else NOTHING}, {"role": "user", "content": revise(report)}]
    return reports


def one_round(client, messages, folder, judge, name):
    answer_path, report_path = os.path.join(folder, "answer.json"), os.path.join(folder, "report.json")
    if not os.path.exists(answer_path):
        write_json(os.path.join(folder, "prompt.json"), messages)
        answer = client.ask(messages)
        write_json(answer_path, {"text": answer.said, "reasoning": answer.thought, **{f"is_{mark}": True for mark in answer.marks()}, **vars(answer.spent)})
    said = read_json(answer_path)["text"]
    if not os.path.exists(report_path):
        try:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(program_in(said))
            report = {"program": name, "sha256": sha256(path), **judge(path, folder)}
        except NotWritten as why:
            report = {"program": None, "score": 0.0, "is_right": False, "failures": str(why)}
        write_json(report_path, report)
    return read_json(report_path), said


def revise(report):
    return ("I ran your program. This is what went wrong:\n\n" + report["failures"] + "\n\nFind out why, and write the whole program again, in one block of code.")


def best_of(reports):
    """The round that counts: the best on what the model was shown; of equals the first."""
    return max(range(len(reports)), key=lambda i: (bool(reports[i]["program"]), reports[i]["score"], -i))
