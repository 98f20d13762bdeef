"""Rows to learn from: played live and labelled (`play`), or read from datasets that `seedbed build --format npz` wrote (`from_dataset`).

Rows are kept by the size of their grid, (height, width): a dict of `cells`, `at` and `facts` (features.py), `label` (the teacher's action)
and `step`. Rows of an episode follow one another.
"""
import glob

import numpy as np

import seedbed
from features import DIFFICULTIES, TASKS, History, codes

BLOCK = 256  # episodes that are read or played at once
AREA = 121  # cells of the largest grid of which a batch is full; of larger ones it has fewer rows, so that all batches need the same memory


def chosen_pairs(tasks=None, difficulties=None):
    """(task, difficulty) of tasks like "A,B" and difficulties like "easy,medium"; None: all."""
    found = []
    for name in seedbed.select(tasks=tasks, difficulty=difficulties, split="train", count=1):
        found.append(tuple(name.partition("#")[0].split("/")))
    return found


def train_names(pairs, counts, begin=None, evaluation="drop"):
    """Names of training episodes, counts[difficulty] of each pair, from seed number begin[difficulty] on. Never one to evaluate with.

    evaluation: "drop" leaves out those that are the same game as one of these, as `seedbed build` does; "keep" keeps them.
    """
    names = []
    for task, difficulty in pairs:
        first = begin[difficulty] if begin else 0
        seeds = seedbed.train_seeds(task, difficulty, first + counts[difficulty])[first:]
        chosen = [f"{task}/{difficulty}#{seed}" for seed in seeds]
        names += unlike_official(task, difficulty, chosen) if evaluation == "drop" else chosen
    refuse_official(names)
    return names


def unlike_official(task, difficulty, names):
    """Those names whose episodes are not the same game as an official evaluation episode: the key is of everything that decides the future."""
    if not names:
        return []
    env = seedbed.make(names[0])

    def key(name):
        env.reset(seed=int(name.partition("#")[2]))
        return env.key

    official = set(map(key, seedbed.select(tasks=task, difficulty=difficulty)))
    return [name for name in names if key(name) not in official]


def refuse_official(names):
    """ValueError if one of these is an official evaluation episode."""
    wrong = set(seedbed.select()) & set(names)
    if wrong:
        raise ValueError(f"{min(wrong)} is an evaluation episode: it must not be trained on")


def episode_counts(text):
    """Episodes of each pair by difficulty, of "100" or "easy:50,hard:200" (others none)."""
    try:
        if text.isdecimal():
            return dict.fromkeys(DIFFICULTIES, int(text))
        given = {difficulty: int(n) for difficulty, _, n in (part.partition(":") for part in text.split(","))}
        if set(given) - set(DIFFICULTIES) or min(given.values()) < 0:
            raise KeyError
        return {**dict.fromkeys(DIFFICULTIES, 0), **given}
    except (KeyError, ValueError):
        raise ValueError(f"episodes are a number, or numbers by difficulty such as easy:50,hard:200, not `{text}`") from None


# ---- Numbers of the command line, for argparse ----


def whole(text, least=0):
    number = int(text)
    if number < least:
        raise ValueError
    return number


def positive(text):
    return whole(text, 1)


def share(text):
    number = float(text)
    if not 0 <= number <= 1:
        raise ValueError
    return number


positive.__name__, share.__name__ = "positive number", "share from 0 to 1"  # as argparse's errors call them

# ---- Playing ----


def size_of(pair):
    return seedbed.make(pair[0], difficulty=pair[1], obs="terrain").observation_space.shape


def by_size(names, block):
    """Blocks of names whose grids have one size."""
    groups, sizes = {}, {}
    for name in names:
        pair = tuple(name.partition("#")[0].split("/"))
        sizes[pair] = sizes.get(pair) or size_of(pair)
        groups.setdefault(sizes[pair], []).append(name)
    for size, group in sorted(groups.items()):
        for first in range(0, len(group), block):
            yield size, group[first:first + block]


def play(names, teacher, actor=None, noise=0.0, seed=0, threads=1, block=BLOCK, progress=None):
    """Plays every episode once and labels every state; returns rows and how many episodes were won.

    teacher: the oracle that labels, and acts if there is no actor.
    actor: who acts, as player.py takes it.
    noise: how often a random action is taken instead.
    block: how many are played at once, if their grids have one size.
    progress: is called with the number of episodes played after each block.
    """
    rng, parts, won, first = np.random.default_rng(seed), [], 0, 0
    for size, some in by_size(names, block):
        rows, successes = _play_block(size, some, teacher, actor, noise, rng, threads)
        parts.append({size: rows})
        won, first = won + successes, first + len(some)
        if progress:
            progress(first)
    return join(parts), won


def _play_block(size, names, teacher, actor, noise, rng, threads):
    vec = seedbed.make_vec(names, obs="arrays", then="stop", info="lean", threads=threads)
    obs, _ = vec.reset()
    history, running = History(len(names), *size), np.arange(len(names))
    history.began(running, [codes(*name.partition("#")[0].split("/")) for name in names])
    act = actor(len(names)) if actor else None
    kept, won, step = [], 0, 0
    while len(running):
        rows = history.see(running, {name: values[running] for name, values in obs.items()})
        labels = vec.expert_actions(teacher)[running]
        actions = act(running, rows) if act else labels
        if noise:
            actions = np.where(rng.random(len(running)) < noise, rng.integers(0, vec.n_actions, len(running)), actions)
        kept.append({**rows, "label": labels.astype(np.uint8), "episode": running, "step": np.full(len(running), step, np.int32)})
        history.acted(running, actions)
        everywhere = np.zeros(len(names), np.int64)
        everywhere[running] = actions
        obs, _, terminations, truncations, infos = vec.step(everywhere)
        over = (terminations | truncations)[running]
        if over.any():
            won += int(infos["success"][running][over].sum())
        running, step = running[~over], step + 1
    return _in_order(kept), won


def _in_order(kept):
    rows = {key: np.concatenate([part[key] for part in kept]) for key in kept[0]}
    order = np.lexsort((rows["step"], rows.pop("episode")))
    return {key: values[order] for key, values in rows.items()}


# ---- Exported datasets ----


def from_dataset(folder):
    """Rows of a dataset's npz files: the labels, or, where there are none, the actions of episodes that succeeded."""
    paths = sorted(glob.glob(f"{folder}/npz-*.npz"))
    if not paths:
        raise ValueError(f"{folder} has no npz-*.npz files: build the dataset with --format npz")
    parts = []
    for path in paths:
        with np.load(path, allow_pickle=False) as data:
            shard = {key: data[key] for key in data.files}
        labelled = "labels" in shard
        names = shard["names"].astype(str)
        refuse_official(names.tolist())
        pairs = {}
        for e in np.flatnonzero(shard["successes"] | labelled):
            pairs.setdefault(tuple(names[e].partition("#")[0].split("/")), []).append(e)
        for pair, episodes in sorted(pairs.items()):
            if pair[0] not in TASKS:
                raise ValueError(f"{path}: {pair[0]} is no task of Agentick")
            size = size_of(pair)
            for begin in range(0, len(episodes), BLOCK):
                parts.append({size: _read_block(shard, size, codes(*pair), np.array(episodes[begin:begin + BLOCK]))})
    return join(parts)


def _read_block(shard, size, which, episodes):
    """All episodes of the block are read at once, step by step."""
    labels = shard["labels" if "labels" in shard else "actions"]
    begins, lengths = shard["offsets"][episodes], np.diff(shard["offsets"])[episodes]
    history, kept = History(len(episodes), *size), []
    history.began(np.arange(len(episodes)), which)
    for step in range(lengths.max()):
        running = np.flatnonzero(lengths > step)
        now = begins[running] + step
        obs = {name: shard[name][now] for name in ("terrain", "objects", "metadata", "agent", "inventory", "told")}
        for name in ("terrain", "objects", "metadata"):
            obs[name] = obs[name][:, :size[0], :size[1]]
        rows = history.see(running, obs)
        kept.append({**rows, "label": labels[now].astype(np.uint8), "episode": running,
                     "step": np.full(len(running), step, np.int32)})
        history.acted(running, shard["actions"][now])
    return _in_order(kept)


# ---- Rows ----


def join(parts):
    """Rows of several parts as one. The parts are emptied on the way, so that only rows of one size are in memory twice."""
    joined = {}
    for size in sorted({size for part in parts for size in part}):
        several = [part.pop(size) for part in parts if size in part]
        joined[size] = {key: np.concatenate([rows.pop(key) for rows in several]) for key in list(several[0])}
    return joined


def count(rows):
    return sum(len(one["label"]) for one in rows.values())


def save(path, rows):
    np.savez(path, **{f"{h}x{w}/{key}": values for (h, w), one in rows.items() for key, values in one.items()})


def load(path):
    rows = {}
    with np.load(path, allow_pickle=False) as data:
        for name in data.files:
            size, key = name.split("/")
            rows.setdefault(tuple(map(int, size.split("x"))), {})[key] = data[name]
    return rows


def batches(rows, batch, updates, seed):
    """Yields (size, indices) of so many batches: epochs of all rows in random order, each batch from grids of one size."""
    rng, done = np.random.default_rng(seed), 0
    while done < updates:
        epoch = []
        for size, one in rows.items():
            order, n = rng.permutation(len(one["label"])), max(1, min(batch, batch * AREA // (size[0] * size[1])))
            epoch += [(size, order[begin:begin + n]) for begin in range(0, len(order), n)]
        for i in rng.permutation(len(epoch))[:updates - done]:
            yield epoch[i]
            done += 1


def sequences(rows, n, length, updates, seed):
    """Yields (size, indices (n or fewer, steps)) for a policy that remembers: episodes, -1 after their end. Those of more than `length` steps come in pieces."""
    pieces = {size: _pieces(one, length) for size, one in rows.items()}
    for size, chosen in batches({size: {"label": found} for size, found in pieces.items()}, n, updates, seed):
        found = pieces[size][chosen]
        yield size, found[:, :(found >= 0).sum(1).max()]


def _pieces(rows, length):
    starts = np.flatnonzero(rows["step"] % length == 0)
    ends = np.append(starts[1:], len(rows["step"]))
    at = starts[:, None] + np.arange(length)
    return np.where(at < ends[:, None], at, -1)
