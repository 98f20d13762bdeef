"""Trains a policy on what a teacher does: from live environments (DAgger), or from datasets. Needs torch.

    python train.py run --preset cpu --tasks InstructionFollowing,SequenceMemory,FogOfWarExploration --difficulties easy,medium
    python train.py run --preset gpu --threads 16
    python train.py run --preset gpu --threads 16 --resume
    seedbed build --split train -n 100 --epsilon 0.12 --format npz -o played && python train.py run --data played

First the teacher plays training episodes, with some random actions; then, round after round, the policy plays others, and the teacher labels
every state that it came into. The policy learns from all rounds. The folder `run` gets round-K.npz, the rows of each round, and
checkpoint.pt, from which --resume goes on, and which evaluate.py plays.

On a processor, a run is the same bit for bit, with interruptions or without, as long as --threads and the version of torch are. On a graphics
card it is not: its sums have no fixed order.
"""
import argparse
import json
import math
import os
import sys
import time

import numpy as np
import torch
from torch.nn import functional

import data
import features
from data import positive, share, whole
from model import PRESETS, REMEMBER, Actor, Policy, device_named, halved, tensors

DEFAULTS = {"cpu": {"episodes": "100", "rounds": 2, "round_episodes": "25", "updates": 700, "batch": 128, "rate": 2e-3},
            "gpu": {"episodes": "120", "rounds": 3, "round_episodes": "25", "updates": 24000, "batch": 1024, "rate": 1e-3}}
AT_ONCE = {"cpu": 256, "gpu": 1024}  # episodes that are played together
LENGTH = 64  # steps that a policy with a core learns from at once: whole episodes, or pieces of longer ones, which begin without a memory
MEAN_LENGTH = 16  # of these pieces, about: an update has so many times fewer of them than rows
SAVE_EVERY = 300  # updates


def settings_of(args):
    """All that decides what a run learns; with --resume it must be what it was."""
    preset = DEFAULTS[args.preset]
    found = {key: getattr(args, key) if getattr(args, key) is not None else value for key, value in preset.items()}
    return {**found, **{key: getattr(args, key) for key in ("preset", "tasks", "difficulties", "data", "evaluation", "teacher", "noise", "told", "remember",
                                                           "seed")}}


def phases(settings):
    """Updates after each round: two fifths after the first, the same share of the rest after each of the others."""
    rounds = 0 if settings["data"] else settings["rounds"]
    if not rounds:
        return [settings["updates"]]
    later = settings["updates"] * 3 // 5 // rounds
    return [settings["updates"] - later * rounds] + [later] * rounds


class Run:
    """What a checkpoint holds: the policy, its optimizer, and how far it came."""

    def __init__(self, folder, settings, device):
        self.folder, self.settings, self.device = folder, settings, device
        torch.manual_seed(settings["seed"])
        self.policy = Policy(**PRESETS[settings["preset"]], told=settings["told"], remember=settings["remember"]).to(device)
        self.optimizer = torch.optim.AdamW(self.policy.parameters(), settings["rate"], weight_decay=0.01)
        self.done, self.seconds, self.processor_seconds, self.rows = 0, 0.0, 0.0, []

    def path(self, name):
        return os.path.join(self.folder, name)

    def save(self):
        torch.save({"tasks": features.TASKS, "settings": self.policy.settings, "run": json.dumps(self.settings), "policy": self.policy.state_dict(),
                    "optimizer": self.optimizer.state_dict(), "done": self.done, "seconds": self.seconds,
                    "processor_seconds": self.processor_seconds, "rows": self.rows}, self.path("checkpoint.tmp"))
        os.replace(self.path("checkpoint.tmp"), self.path("checkpoint.pt"))

    def load(self):
        # Not onto the card: load_state_dict puts there what belongs there, and AdamW reads its counts of steps on the processor.
        saved = torch.load(self.path("checkpoint.pt"), map_location="cpu", weights_only=True)
        before = json.loads(saved["run"])
        other = [key for key in self.settings if before.get(key) != self.settings[key]]
        if other:
            raise ValueError(f"{self.folder} was begun with {other[0]}={before.get(other[0])!r}, not {self.settings[other[0]]!r}")
        self.policy.load_state_dict(saved["policy"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.done, self.seconds, self.processor_seconds, self.rows = (saved[key] for key in ("done", "seconds", "processor_seconds", "rows"))


# ---- Rounds ----


def collect(run, number, threads):
    """The rows of a round: of the datasets, of the teacher's play (round 0), or of the policy's."""
    settings, began = run.settings, time.perf_counter()
    if settings["data"]:
        rows = data.join([data.from_dataset(folder) for folder in settings["data"].split(",")])
        print(f"datasets: {data.count(rows)} rows", flush=True)
        return rows
    pairs = data.chosen_pairs(settings["tasks"], settings["difficulties"])
    first, later = (data.episode_counts(settings[key]) for key in ("episodes", "round_episodes"))
    counts, actor = first, None
    begin = {difficulty: 0 for difficulty in first}
    if number:
        counts, actor = later, lambda n: Actor(run.policy.eval(), n, run.device)
        begin = {difficulty: first[difficulty] + (number - 1) * later[difficulty] for difficulty in first}
    names = data.train_names(pairs, counts, begin, settings["evaluation"])
    asked = sum(counts[difficulty] for _, difficulty in pairs)
    if len(names) < asked:
        print(f"round {number}: {asked - len(names)} of {asked} episodes are the same game as one to evaluate with: left out (--evaluation keep keeps them)",
              flush=True)
    rows, won = data.play(names, settings["teacher"], actor, 0 if number else settings["noise"], (settings["seed"], number), threads,
                          AT_ONCE[settings["preset"]], lambda n: progress(f"round {number}: {n} of {len(names)} episodes"))
    seconds = time.perf_counter() - began
    print(f"round {number}: {'policy' if number else 'teacher'} won {won} of {len(names)} episodes; {data.count(rows)} rows in {seconds:.0f} s", flush=True)
    return rows


def progress(text):
    """A line that the next one replaces, for whoever watches."""
    if sys.stderr.isatty():
        print(f"\r{text}\x1b[K", end="\r", file=sys.stderr, flush=True)


def rows_of(run, number, threads):
    """The rows of a round, kept in a file."""
    path = run.path(f"round-{number}.npz")
    if len(run.rows) > number:
        return data.load(path)
    rows = collect(run, number, threads)
    data.save(path, rows)
    run.rows.append(data.count(rows))
    run.save()
    return rows


# ---- Learning ----


def rate_at(step, settings):
    """A short rise, then a cosine to zero."""
    total, rise = settings["updates"], min(100, settings["updates"] // 10 + 1)
    return settings["rate"] * min(1, (step + 1) / rise) * 0.5 * (1 + math.cos(math.pi * step / total))


def update(run, rows, chosen):
    """One update; returns loss and the number of rows on which policy and teacher agree, and of all."""
    inside = torch.as_tensor(chosen.reshape(-1) >= 0).to(run.device)
    flat = np.maximum(chosen.reshape(-1), 0)
    labels = torch.as_tensor(rows["label"][flat]).to(run.device).long()
    for group in run.optimizer.param_groups:
        group["lr"] = rate_at(run.done, run.settings)
    with halved(run.device):
        logits = run.policy.unrolled(tensors(rows, run.device, flat), len(chosen))
    loss = functional.cross_entropy(logits.float()[inside], labels[inside])
    run.optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(run.policy.parameters(), 1.0)
    run.optimizer.step()
    return loss.detach(), (logits.argmax(1) == labels)[inside].sum(), int((chosen >= 0).sum())


def chosen_batches(run, rows, updates, number):
    seed = run.settings["seed"], number, 1
    if run.settings["remember"] == "core":
        return data.sequences(rows, max(1, run.settings["batch"] // MEAN_LENGTH), LENGTH, updates, seed)
    return data.batches(rows, run.settings["batch"], updates, seed)


def learn(run, rows, number, first, updates, until):
    """The updates first to first + updates, but for those that were done."""
    run.policy.train()
    losses, agreed, seen, began = [], 0, 0, time.perf_counter()
    clocks = began - run.seconds, time.process_time() - run.processor_seconds
    for step, (size, chosen) in enumerate(chosen_batches(run, rows, updates, number), first):
        if step < run.done:
            continue
        loss, agreeing, n = update(run, rows[size], chosen)
        losses, agreed, seen, run.done = [*losses, loss], agreed + agreeing, seen + n, step + 1
        if run.done % 20 == 0:
            progress(f"update {run.done} of {run.settings['updates']}")
        if run.done % max(run.settings["updates"] // 12, 1) == 0:
            now = time.perf_counter()
            print(f"update {run.done} of {run.settings['updates']}: loss {torch.stack(losses).mean():.3f}, teacher and policy agree on "
                  f"{agreed / seen:.1%}, {seen / (now - began):.0f} rows/s", flush=True)
            losses, agreed, seen, began = [], 0, 0, now
        run.seconds, run.processor_seconds = time.perf_counter() - clocks[0], time.process_time() - clocks[1]
        if run.done % SAVE_EVERY == 0:
            run.save()
        if run.done == until:
            break


def train(folder, settings, device=torch.device("cpu"), threads=1, resume=False, until=None):
    """Returns the run when all updates are done, or `until` so many are."""
    torch.set_num_threads(threads)
    os.makedirs(folder, exist_ok=True)
    run = Run(folder, settings, device)
    begun = os.path.exists(run.path("checkpoint.pt"))
    if begun and not resume:
        raise ValueError(f"{folder} has a checkpoint: --resume goes on with it; else name another folder")
    if begun:
        run.load()
    rows, first = {}, 0
    for number, updates in enumerate(phases(settings)):
        if until is not None and run.done >= until:
            break
        rows = data.join([rows, rows_of(run, number, threads)])
        if not data.count(rows):
            raise ValueError("there is nothing to learn from: no episodes were asked for, or none of the datasets' succeeded")
        learn(run, rows, number, first, updates, until)
        first += updates
    run.save()
    print(f"{run.done} updates on {sum(run.rows)} rows in {run.seconds:.0f} s of learning ({run.processor_seconds:.0f} s of processor)", flush=True)
    return run


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("folder", help="where the run is kept")
    add("--preset", default="cpu", choices=PRESETS, help="sizes of the network and of the run")
    add("--tasks", help="A,B; default: all")
    add("--difficulties", help="easy,medium; default: all")
    add("--data", help="folders of datasets, A,B, to learn from instead of playing")
    add("--evaluation", default="drop", choices=("drop", "keep"), help="what becomes of training episodes that are the same game as one to evaluate with")
    add("--teacher", default="observer", help="who labels: observer or expert")
    add("--episodes", help="of the first round, for each task and difficulty: 100, or by difficulty easy:50,hard:200")
    add("--rounds", type=whole, help="in which the policy plays; 0: cloning")
    add("--round-episodes", help="of each of them, likewise")
    add("--updates", type=positive, help="in all")
    add("--batch", type=positive, help="rows of an update, less on large grids")
    add("--rate", type=float, help="highest rate of learning")
    add("--noise", type=share, default=0.12, help="how often a random action is taken in the first round")
    add("--no-told", dest="told", action="store_false", help="do not show the facts of the array `told`")
    add("--remember", default="history", choices=REMEMBER, help="what the policy knows of earlier steps: model.py")
    add("--seed", type=int, default=0)
    add("--threads", type=positive, default=1, help="of torch on a processor, and of the environments")
    add("--device", help="cpu, cuda, cuda:1, ...; default: that of the preset")
    add("--resume", action="store_true")
    return parser


def device_of(args):
    if not args.device and args.preset == "gpu" and not torch.cuda.is_available():
        raise ValueError("there is no graphics card for the preset gpu: --preset cpu, or, for days of training, --device cpu")
    return device_named(args.device or ("cuda" if args.preset == "gpu" else "cpu"))


if __name__ == "__main__":
    args = arguments().parse_args()
    try:
        train(args.folder, settings_of(args), device_of(args), args.threads, args.resume)
    except (ValueError, OSError) as error:
        print(f"train.py: {error}", file=sys.stderr)
        sys.exit(2)
