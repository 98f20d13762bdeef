"""Asks a language model BabyBench's questions and writes its answers for `seedbed score`. docs/babyai.md explains it. It needs the
standard library only; the key comes from an environment variable.

    seedbed build examples/recipes/babybench-predict.json -o predict
    python3 examples/babybench/ask.py predict -o answers.jsonl --prompter tree-of-thoughts --url http://localhost:8000/v1 --model NAME
    seedbed score --protocol predict answers.jsonl

An interrupted run goes on with the same command: questions that have an answer are not asked again.
"""
import argparse
import concurrent.futures
import csv
import glob
import gzip
import hashlib
import json
import os
import re
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "agents"))
import endpoint  # noqa: E402

SIGNS = {"target_state": "predict", "target_subgoal": "plan", "help_count": "decompose"}  # a column that only this task has
FIELDS = {"description": "env_description", "initial_state": "initial_state", "target": "target_subgoal", "mission": "mission", "target_state": "target_state"}
EXAMPLES, IN_A_ROW = 3, 20
INTERRUPTED = 130  # exit code
STEPS = "Think step by step before you answer: write down what changes after each step, and end with the answer in the form that was asked for."
TREE = ("Imagine three experts who work on this question. In every round each of them writes down one step of thought and shows it to the "
        "others; whoever sees a mistake of their own goes back or leaves. When those who are left agree, write the answer in the form that was "
        "asked for, once, at the end.")
PROMPTERS = {"zero-shot": "", "few-shot": "", "chain-of-thought": STEPS, "tree-of-thoughts": TREE}


def read_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("rows", help="the folder of a dataset, or a file of its rows: JSON lines (.jsonl, .jsonl.gz) or .csv")
    add("-o", "--output", required=True, metavar="FILE", help="where the answers go, one per line")
    add("--prompter", choices=list(PROMPTERS), default="zero-shot")
    add("--examples", metavar="ROWS", help="few-shot: other rows to take the examples from (needed for decompose, with conversations)")
    add("--limit", type=endpoint.whole_number, help="ask only the first N questions")
    add("--jobs", type=endpoint.whole_number, default=8, help="questions at a time (default: 8)")
    endpoint.add_options(parser)
    options = endpoint.parse(parser, arguments)
    if options.jobs == 0:
        parser.error("--jobs should be 1 or more")
    return options


# ---- Rows ----

def opened(path):
    return gzip.open(path, "rt", encoding="utf-8", newline="") if path.endswith(".gz") else open(path, encoding="utf-8", newline="")


def rows_of(path):
    """Returns the task and its rows, from a file or from the files of a folder."""
    paths = [path]
    if os.path.isdir(path):
        paths = sorted(found for task in SIGNS.values() for found in glob.glob(os.path.join(glob.escape(path), task + "*-of-*")))
    try:
        rows = [row for one in paths for row in rows_in(one)]
        tasks = {task for row in rows for column, task in SIGNS.items() if column in row}
        if len(tasks) == 1:
            return tasks.pop(), [{**row, "seed": int(row["seed"])} for row in rows]
    except (ValueError, KeyError, TypeError, EOFError, zlib.error, csv.Error, gzip.BadGzipFile):
        pass  # something else than rows
    sys.exit(f"{path}: rows of one of the formats predict, plan and decompose are expected")


def rows_in(path):
    with opened(path) as file:
        return list(csv.DictReader(file)) if path.endswith(".csv") else [json.loads(line) for line in file if line.strip()]


def name_of(row):
    return row["env_name"], row["seed"]


# ---- Prompts ----

def fill(template, row):
    def value(found):
        if found.group(0) in ("{{", "}}"):
            return found.group(0)[0]
        if found.group(1) == "actions":
            return row["action_sequence"] if "action_sequence" in row else row["expert_action_sequence"]
        return row[FIELDS[found.group(1)]]
    return re.sub(r"\{\{|\}\}|\{(\w+)\}", value, template)


class Prompter:
    def __init__(self, task, kind, rows, examples):
        with open(os.path.join(HERE, "questions.json"), encoding="utf-8") as file:
            self.texts = json.load(file)[task]
        self.task, self.kind, self.examples = task, kind, examples or rows
        if kind == "few-shot":
            if task == "decompose" and not all("messages" in row for row in self.examples):
                sys.exit('decompose: rows do not hold the answer, so --examples should name a dataset with "conversation": true')
            self.by_level = {}
            for row in self.examples:
                self.by_level.setdefault(row["env_name"], []).append(row)

    def examples_for(self, row):
        """Three rows of the same level with other seeds: the next ones in the list, from its beginning again after its end."""
        level = self.by_level.get(row["env_name"], [])
        later = [other for other in level if other["seed"] > row["seed"]] + [other for other in level if other["seed"] < row["seed"]]
        if len(later) < EXAMPLES:
            sys.exit(f"{row['env_name']}: few-shot needs rows with {EXAMPLES} other seeds; --examples names a file with more")
        return later[:EXAMPLES]

    def answer_of(self, row):
        return row["messages"][-1]["content"] if "messages" in row else fill(self.texts["answer"], row)

    def examples_hash(self):
        """Of everything that may be shown as an example."""
        shown = [[*name_of(row), fill(self.texts["user"], row), self.answer_of(row)] for row in self.examples]
        return short_hash(shown)

    def messages(self, row):
        messages = [{"role": "system", "content": self.texts["system"]}]
        for example in self.examples_for(row) if self.kind == "few-shot" else []:
            messages += [{"role": "user", "content": fill(self.texts["user"], example)}, {"role": "assistant", "content": self.answer_of(example)}]
        more = PROMPTERS[self.kind]
        return [*messages, {"role": "user", "content": fill(self.texts["user"], row) + ("\n\n" + more if more else "")}]


# ---- Answers ----

def short_hash(value):
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def settings(options, task, prompter, client):
    """What all answers of a file have in common; a file is not continued with others."""
    how = {"task": task, "prompter": options.prompter, "model": options.model, "request": client.body,
           "prompts": short_hash([prompter.texts, PROMPTERS[options.prompter]])}
    return {**how, "examples": prompter.examples_hash()} if options.prompter == "few-shot" else how


def known_answers(path, how):
    """Returns which questions have an answer. A line that an interruption cut short is taken out; files of others are left as they are."""
    if not os.path.exists(path):
        return set()
    with open(path, "rb") as file:
        data = file.read()
    whole = data.rfind(b"\n") + 1
    answers = [answer_in(line) for line in data[:whole].splitlines() if line.strip()]
    if None in answers or data and not answers:
        sys.exit(f"{path} is no file of answers that this program wrote: choose another file")
    if any(answer["how"] != how for answer in answers):
        sys.exit(f"{path} holds answers of another model, prompter or sampling, or with other examples: choose another file, or remove it")
    if whole < len(data):
        os.truncate(path, whole)
    return {name_of(answer) for answer in answers}


def answer_in(line):
    """Returns the answer in a line; None if this program did not write it."""
    try:
        answer = json.loads(line)
    except ValueError:
        return None
    return answer if isinstance(answer, dict) and {"env_name", "seed", "how"} <= set(answer) else None


def ask(client, prompter, row, how):
    """Returns the line of an answer. The model's thoughts are none of it, and what is not known is left out."""
    answer = client.ask(prompter.messages(row))
    spent = answer.spent
    line = {"env_name": row["env_name"], "seed": row["seed"], "answer": answer.said, "how": how, "calls": spent.calls, "tokens_in": spent.tokens_in,
            "tokens_out": spent.tokens_out, "seconds": round(spent.seconds, 3), "cost": spent.cost, "thought": answer.thought or None}
    if prompter.task == "predict":
        line["action_sequence"] = row["action_sequence"]
    line.update((f"is_{mark}", True) for mark in answer.marks())
    return {key: value for key, value in line.items() if value is not None}


def main(arguments):
    options = read_arguments(arguments)
    client = endpoint.from_options(options)
    task, rows = rows_of(options.rows)
    examples = None
    if options.examples:
        other, examples = rows_of(options.examples)
        if other != task:
            sys.exit(f"{options.examples}: examples of {task} are expected, not of {other}")
    prompter = Prompter(task, options.prompter, rows, examples)
    how = settings(options, task, prompter, client)
    known = known_answers(options.output, how)
    left = [row for row in rows[:options.limit] if name_of(row) not in known]
    for row in left:
        prompter.messages(row)  # what cannot be asked is said before anything is
    failed = ask_all(options, client, prompter, left, how)
    more = f", {failed} questions without one: the same command asks them again" if failed else ""
    print(f"{len(known) + len(left) - failed} answers{more}", file=sys.stderr)
    return 1 if failed else 0


def ask_all(options, client, prompter, left, how):
    """Appends the answers as they come. Returns how many questions have none; stops after twenty in a row without one."""
    answered = in_a_row = 0
    with open(options.output, "a", encoding="utf-8") as file, concurrent.futures.ThreadPoolExecutor(options.jobs) as threads:
        asked = {threads.submit(ask, client, prompter, row, how): row for row in left}
        try:
            for future in concurrent.futures.as_completed(asked):
                try:
                    file.write(json.dumps(future.result()) + "\n")
                    file.flush()
                    answered, in_a_row = answered + 1, 0
                except endpoint.EndpointError as error:
                    in_a_row += 1
                    print(f"{asked[future]['env_name']}#{asked[future]['seed']}: {error}", file=sys.stderr)
                if in_a_row == IN_A_ROW:
                    break
                if answered % 100 == 0 and not in_a_row:
                    print(f"{answered} of {len(left)}", file=sys.stderr)
        except KeyboardInterrupt:
            file.flush()
            print("interrupted: the same command goes on", file=sys.stderr, flush=True)
            os._exit(INTERRUPTED)  # without waiting for the questions that are being asked
        finally:
            threads.shutdown(wait=False, cancel_futures=True)
    return len(left) - answered


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt:
        print("interrupted: the same command goes on", file=sys.stderr)
        sys.exit(INTERRUPTED)
