"""Writes docs/measured/language.md: what a small language model learns from reasons, and from answers that are judged.

It is made of docs/measured/language.json.

    ./scripts/docs language              write the page
    ./scripts/docs language --measure    train and evaluate first what the file lacks: half an hour of one core; needs torch, TRL and the package
                                         seedbed (PYTHONPATH=build/release/python $(./scripts/test-python torch) ./scripts/docs language --measure)
    ./scripts/docs language --check      fail if the page is out of date (CI)

Datasets, tokenizers and models are kept in build/language/.
"""
import glob
import gzip
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import textwrap
import time

from documents import pages
from documents.pages import ROOT

PAGE = "docs/measured/language.md"
FIGURES = os.path.join(ROOT, "docs", "measured", "language.json")
FOLDER = os.path.join(ROOT, "build", "language")

TASKS = ("ToolUse", "PreciseNavigation", "RecipeAssembly")
KINDS = {"answers": {"answer": "{action_name}"},
         "intent": {"answer": "{rationale}{action_name}"},
         "plan": {"answer": "{rationale}{action_name}", "reasons": "plan"}}
SEEDS = (0, 1, 2)
SETTINGS = {"difficulty": "easy", "mode": "language", "tokens": 200_000, "passes": 2, "updates": 500, "rate": 3e-3, "width": 64, "layers": 2, "words": 512}
LONGEST = 400  # tokens of an answer
RECIPE, CLONED, REWARDED = "examples/recipes/single-steps.json", ["--steps", "500"], ["--steps", "150", "--group", "4"]


# ---- Data ------------------------------------------------------------------------------------------------------------

def recipe(task, kind, **others):
    chat = {"format": "chat", "style": "prompt_messages", "modes": SETTINGS["mode"], "system": "", "user": "{observation}", "taken": True, **KINDS[kind]}
    return {"tasks": task, "difficulty": SETTINGS["difficulty"], "formats": [chat], **others}


def built(name, wanted, **options):
    """The rows of this dataset, which is built if it is not there."""
    import seedbed

    folder = os.path.join(FOLDER, name)
    if not os.path.exists(os.path.join(folder, "manifest.json")):
        seedbed.build(wanted, folder, force=True, **options)
    return rows_in(folder, "chat-*.jsonl.gz")


def rows_in(folder, names):
    rows = []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), names))):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            rows += map(json.loads, file)
    return rows


def always(rows):
    """How often the action that is right most often is right: who learns no more than this has learnt nothing of what is shown."""
    import seedbed

    names = seedbed.make(rows[0]["name"]).action_names
    return max(sum(seedbed.score_row(row, action).right for row in rows) for action in names) / len(rows)


def tokenizer_of(task):
    """The tokenizer of all kinds, and its file, with which the builds count."""
    import tiny_model

    texts = [message["content"] for kind in KINDS for row in built(f"{task}-words-{kind}", recipe(task, kind, split="train", count=200))
             for message in row["prompt"] + row["completion"]]
    tokenizer = tiny_model.make_tokenizer(texts, SETTINGS["words"])
    path = os.path.join(FOLDER, f"{task}.json")
    tokenizer.backend_tokenizer.save(path)
    return tokenizer, path


def training_rows(task, kind, counts):
    budget = {"tokens": SETTINGS["tokens"], "tokenizer": counts}
    return built(f"{task}-{kind}", recipe(task, kind, split="reasons", count=20_000, budget=budget), tokenizer=counts)


# ---- A model ---------------------------------------------------------------------------------------------------------

def encoded(tokenizer, row):
    """The tokens of a row, and how many of them are the prompt's."""
    prompt, whole = (tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=begins)
                     for messages, begins in ((row["prompt"], True), (row["prompt"] + row["completion"], False)))
    asked = tokenizer(prompt)["input_ids"]
    return asked + tokenizer(whole[len(prompt):].rstrip("\n"))["input_ids"], len(asked)


def batch_of(rows, pad):
    """Tokens, and labels, which are those of the answers alone."""
    import torch

    longest = max(len(ids) for ids, _ in rows)
    ids = torch.tensor([ids + [pad] * (longest - len(ids)) for ids, _ in rows])
    places = torch.arange(longest)
    asked, ends = (torch.tensor([[number] for number in numbers]) for numbers in ([asked for _, asked in rows], [len(ids) for ids, _ in rows]))
    return ids, torch.where((places >= asked) & (places < ends), ids, -100)


def trained(tokenizer, rows, seed):
    """A new model that has read the rows some times, in as many updates whatever the rows are."""
    import numpy
    import tiny_model
    import torch

    torch.manual_seed(seed)
    rng, updates = numpy.random.default_rng(seed), SETTINGS["updates"]
    model = tiny_model.make_model(tokenizer, SETTINGS["width"], SETTINGS["layers"])
    optimizer = torch.optim.AdamW(model.parameters(), SETTINGS["rate"], weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda n: min((n + 1) / 50, 1 - n / updates))
    order = numpy.concatenate([rng.permutation(len(rows)) for _ in range(SETTINGS["passes"])])
    for some in numpy.array_split(order, updates):
        ids, labels = batch_of([rows[i] for i in some], tokenizer.pad_token_id)
        loss = model(input_ids=ids, labels=labels).loss  # padding comes last, where nothing sees it
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
    return model.eval()


class Player:
    """Always takes the most probable answer; its last word is the action. To the same text it answers the same, so it is asked once."""

    def __init__(self, model, tokenizer):
        self.model, self.tokenizer, self.known = model, tokenizer, {}

    def answers(self, texts):
        new = sorted(set(texts) - set(self.known), key=len)
        for some in (new[i:i + 64] for i in range(0, len(new), 64)):
            self.known.update(zip(some, self.asked(some)))
        return [self.known[text] for text in texts]

    def asked(self, texts):
        import torch

        inputs = self.tokenizer.apply_chat_template([[{"role": "user", "content": text}] for text in texts], add_generation_prompt=True, padding=True,
                                                    return_tensors="pt", return_dict=True)
        inputs = {key: inputs[key] for key in ("input_ids", "attention_mask")}
        with torch.no_grad():
            made = self.model.generate(**inputs, max_new_tokens=LONGEST, do_sample=False, pad_token_id=self.tokenizer.pad_token_id)
        said = self.tokenizer.batch_decode(made[:, inputs["input_ids"].shape[1]:], skip_special_tokens=True)
        return [(text.split() or [""])[-1] for text in said]

    def act(self, observations, infos):
        return self.answers(observations)


def judged(player, task):
    """What it wins of the official episodes, and how often its answer to a row of them is a best one: in all rows, and in first ones."""
    import seedbed

    rows = built(f"{task}-asked", recipe(task, "answers"))
    answers = player.answers([row["prompt"][-1]["content"] for row in rows])
    right = [seedbed.score_row(row, answer).right for row, answer in zip(rows, answers)]
    first = [one for row, one in zip(rows, right) if row["step"] == 0]
    result = seedbed.evaluate(player, seedbed.select(tasks=task, difficulty=SETTINGS["difficulty"]), obs=SETTINGS["mode"], batch=32).all
    return {"won": result.successes, "episodes": result.episodes, "no_action": result.errors, "right": sum(right), "asked": len(rows),
            "first_right": sum(first), "first_asked": len(first)}


# ---- Reasons -------------------------------------------------------------------------------------------------------

def measure_reasons(figures):
    import torch

    torch.set_num_threads(1)
    if figures.get("reasons", {}).get("settings") != SETTINGS:
        figures["reasons"] = {"settings": SETTINGS, "always": {}, "cells": {}}
    figures["reasons"]["always"] = {task: always(built(f"{task}-asked", recipe(task, "answers"))) for task in TASKS}
    cells = figures["reasons"]["cells"]
    for task in TASKS:
        tokenizer, counts = tokenizer_of(task)
        for kind in KINDS:
            rows = [encoded(tokenizer, row) for row in training_rows(task, kind, counts)]
            for seed in SEEDS:
                if f"{task}/{kind}/{seed}" not in cells:
                    cells[f"{task}/{kind}/{seed}"] = cell(tokenizer, rows, task, seed)
                    print(task, kind, seed, cells[f"{task}/{kind}/{seed}"], file=sys.stderr, flush=True)
                    pages.save(FIGURES, figures)


def cell(tokenizer, rows, task, seed):
    began = time.process_time()
    model = trained(tokenizer, rows, seed)
    seconds = round(time.process_time() - began)
    return {"rows": len(rows), "tokens": sum(len(ids) for ids, _ in rows), "learnt": sum(len(ids) - asked for ids, asked in rows),
            **judged(Player(model, tokenizer), task), "seconds": seconds}


# ---- Single steps ----------------------------------------------------------------------------------------------------

def measure_steps(figures):
    """Lets sft.py clone and grpo.py go on, with every seed."""
    import seedbed

    folder, settings = os.path.join(FOLDER, "steps"), {"recipe": pages.load(os.path.join(ROOT, RECIPE)), "cloned": CLONED, "rewarded": REWARDED}
    if figures.get("steps", {}).get("settings") != settings:
        figures["steps"] = {"settings": settings, "seeds": {}}
        shutil.rmtree(folder, ignore_errors=True)
    if not os.path.exists(folder):
        seedbed.build(settings["recipe"], folder)
    figures["steps"]["always"] = always(rows_in(folder, "chat-test-*.jsonl.gz"))
    for seed in map(str, SEEDS):
        if seed not in figures["steps"]["seeds"]:
            cloned = told_by("sft.py", "--rows", folder, "--out", folder + "-cloned", "--seed", seed, *CLONED)
            better = told_by("grpo.py", "--rows", folder, "--model", folder + "-cloned", "--out", folder + "-better", "--seed", seed, *REWARDED)
            figures["steps"]["seeds"][seed] = {"cloned": cloned, "rewarded": better}
            print(seed, figures["steps"]["seeds"][seed], file=sys.stderr, flush=True)
            pages.save(FIGURES, figures)


def told_by(script, *arguments):
    """What an example prints at its end, and the rewards on the way."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false",
                   "HF_HOME": os.path.join(FOLDER, "huggingface")}
    done = subprocess.run([sys.executable, os.path.join(ROOT, "examples", "python", script), *arguments], env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"docs language: {script}: {done.stdout}{done.stderr}")
    right, asked = re.search(r"^steps: (\d+) of (\d+)", done.stdout, re.M).groups()
    won, episodes = re.search(r"^evaluation: (\d+) of (\d+)", done.stdout, re.M).groups()
    rewards = [float(reward) for reward in re.findall(r"'reward': '?([\d.]+)", done.stdout)]
    return {"right": int(right), "asked": int(asked), "won": int(won), "episodes": int(episodes), **({"rewards": rewards} if rewards else {})}


# ---- The page --------------------------------------------------------------------------------------------------------

HEAD = """# What a small language model learns

    ./scripts/docs language --measure

makes this page: means over seeds {seeds}, ± standard errors, of the model of `examples/python/tiny_model.py`. *Always the same* is what the action has
that is best most often. [language.json](language.json) has every run.

## Do reasons help?

Cloned on answers alone, with `intent`, with `plan` as [reasons](../formats.md#reasons): of {tokens:,} tokens (without chat template), read {passes} times in
{updates} updates. Prompts show `{mode}`, `{difficulty}`; the tasks were chosen after trials. *Success* is of the {episodes} official episodes,
*best actions* are answers to the observer's steps in them that cost least (`seedbed.score_row`), *at first* those of first steps.

"""
STEPS = """## Rewards for single steps

`sft.py --rows` ({cloned}) clones [steps]({recipe}), `grpo.py --rows` ({rewarded}) goes on: the reward
is 1 for a best action, else 0. Judged are the most probable answers to {asked:,} steps of {episodes} other episodes, which are also played; the reward is that
of drawn answers, in the first and the last tenth of training. Always the same: {always:.2f}.

"""
COLUMNS = {"success": ("won", "episodes"), "best actions": ("right", "asked"), "at first": ("first_right", "first_asked")}


def error_of(shares):
    return statistics.stdev(shares) / len(shares) ** 0.5


def mean_of(shares):
    return f"{statistics.mean(shares):.2f} ± {error_of(shares):.2f}"


def shares_of(cells, task, kind, column):
    part, whole = COLUMNS[column]
    return [cells[f"{task}/{kind}/{seed}"][part] / cells[f"{task}/{kind}/{seed}"][whole] for seed in SEEDS]


def reasons_table(reasons):
    lines = ["| task | learnt from | rows | tokens | in answers | " + " | ".join(COLUMNS) + " |", "|" + "---|" * (5 + len(COLUMNS))]
    for task in TASKS:
        for kind in KINDS:
            one = reasons["cells"][f"{task}/{kind}/{SEEDS[0]}"]
            shares = [mean_of(shares_of(reasons["cells"], task, kind, column)) for column in COLUMNS]
            lines.append(f"| {task} | {kind} | {one['rows']} | {one['tokens']} | {one['learnt']} | " + " | ".join(shares) + " |")
        lines.append(f"| {task} | always the same | | | | | {reasons['always'][task]:.2f} | |")
    return "\n".join(lines)


def differences(cells):
    """What is more than two standard errors above or below cloning on answers alone."""
    found = {"More": [], "Less": []}
    for column in COLUMNS:
        for task in TASKS:
            base = shares_of(cells, task, "answers", column)
            for kind in list(KINDS)[1:]:
                shares = shares_of(cells, task, kind, column)
                far = statistics.mean(shares) - statistics.mean(base)
                if abs(far) > 2 * (error_of(base) ** 2 + error_of(shares) ** 2) ** 0.5:
                    found["More" if far > 0 else "Less"].append(f"{column} of {task} with `{kind}` ({far:+.2f})")
    return [f"{word} than with answers alone, by more than two standard errors: {', '.join(those)}." for word, those in found.items() if those]


def not_learnt(reasons):
    """Who answers no better than one that is shown nothing."""
    found = [f"{task} with `{kind}`" for task in TASKS for kind in KINDS
             if statistics.mean(shares_of(reasons["cells"], task, kind, "best actions")) <= reasons["always"][task]]
    return [f"No better than always the same: best actions of {', '.join(found)}."] if found else []


def items(texts):
    return "\n".join(textwrap.fill(text, 150, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False, break_long_words=False) for text in texts)


def steps_table(seeds):
    lines = ["| seed | best actions: cloned | after rewards | won: cloned | after rewards | reward: first | last |", "|---|---|---|---|---|---|---|"]
    rows = []
    for seed, found in seeds.items():
        runs = found["cloned"], found["rewarded"]
        rows.append([run[part] / run[whole] for part, whole in (("right", "asked"), ("won", "episodes")) for run in runs]
                    + [found["rewarded"]["rewards"][i] for i in (0, -1)])
        lines.append(f"| {seed} | " + " | ".join(f"{share:.2f}" for share in rows[-1]) + " |")
    lines.append("| mean | " + " | ".join(mean_of(shares) for shares in zip(*rows)) + " |")
    gains = [[row[i + 1] - row[i] for row in rows] for i in (0, 2, 4)]
    told = [f"{what} {statistics.mean(gain):+.3f} ± {error_of(gain):.3f}" for what, gain in zip(("best actions", "won", "reward"), gains)]
    return "\n".join([*lines, "", f"- Gains, seed by seed: {', '.join(told)}."])


def page():
    figures = pages.load(FIGURES)
    reasons, steps = figures["reasons"], figures["steps"]
    one, step = next(iter(reasons["cells"].values())), next(iter(steps["seeds"].values()))["cloned"]
    return (HEAD.format(seeds=", ".join(map(str, SEEDS)), **reasons["settings"], episodes=one["episodes"]) + reasons_table(reasons) + "\n\n"
            + items(differences(reasons["cells"]) + not_learnt(reasons) + ["All other differences are smaller; three seeds are few."]) + "\n\n"
            + STEPS.format(recipe="../../" + RECIPE, always=steps["always"], cloned=" ".join(CLONED), rewarded=" ".join(REWARDED), **step)
            + steps_table(steps["seeds"]) + "\n")


def main():
    if sys.argv[1:] not in ([], ["--check"], ["--measure"]):
        sys.exit(__doc__)
    if sys.argv[1:] == ["--measure"]:
        sys.path.insert(0, os.path.join(ROOT, "examples", "python"))
        figures = pages.load(FIGURES, {})
        measure_reasons(figures)
        measure_steps(figures)
    wrong = pages.settle("language", {PAGE: page()}, sys.argv[1:] == ["--check"])
    if wrong:
        sys.exit("\n".join(wrong))
