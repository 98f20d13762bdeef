"""Writes docs/measured/arena.md, teams that need no language model in the arena, from the results in docs/measured/arena.json.

    ./scripts/docs arena                            write the page
    ./scripts/docs arena --check                    fail if it is out of date (CI)
    ./scripts/docs arena --run                      play first what the results lack: each team of examples/arena on three seeds of the twelve games, then on
                                                    worlds. The program is build/release/seedbed; about half an hour of one core, and it may be interrupted
"""
import glob
import hashlib
import itertools
import json
import os
import statistics
import subprocess
import sys

from documents import arena_ablations as loop
from documents import pages
from documents.pages import ROOT

RESULTS, PAGE = "docs/measured/arena.json", "docs/measured/arena.md"
ACTIONS, SEEDS = 80, (1, 2, 3)
GAMES = ("Lantern", "Scales", "TwinCompass", "Echo", "Shepherd", "Moss", "Stamp", "Chimes", "Fold", "Polarity", "Clockwork", "DyeWorks")
TEAMS, BASELINE = ("table", "objects", "induce", "oracle"), "curious"
WORLD_TEAMS, WORLD_BASELINE = ("table", "objects", "induce"), "random"
DRAWN = 20  # programs in Autumn, whose names have the least hashes
HEAD = """# Teams of the arena

    ./scripts/docs arena --run

makes this page: the teams of [examples/arena](../../examples/arena/README.md) that need no language model play [the arena](../arena.md), seeds {seeds} of the
twelve `intro` games, {actions} actions each (so that all of it takes about half an hour of a core). `curious` is an agent that builds no model: it takes what
was tried least in a frame. Its plays were cut at as many actions.

- **score**: RHAE against proxy baselines, 0 to 100. **levels**: completed, of the three of a game.
- **actions**: taken; fewer if all levels were completed, or lost.
- **retrodiction**: the share of all transitions of the game that the last model predicts, each with every cell.

All are means; the score of `all` has its standard error over the plays. A model that is nearly always right wins nothing by itself: `table` and `objects`
know what they saw, but not what the game wants, and `oracle`, which has the true rules but for blind spots, looks only a few steps ahead. `induce` is
wrong more often, since a frame counts only if every cell is right, and it forgets what changed by itself on levels that are over.
"""
WORLDS = """
## Worlds

`induce` was made with the twelve games in mind. Here are worlds that it was not made for: seed 1 of the first difficulty of each
[example world](worlds.md), and `planning-1` of {drawn} programs in Autumn, drawn by the hash of their names. `random` takes actions at random. The table
has how many were won, and the retrodiction.
"""


# ---- Running ----

def told(*words):
    done = subprocess.run([loop.SEEDBED, *words], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout)


def world_names():
    """{name: what it is called on the page}"""
    found = {}
    for path in sorted(glob.glob(os.path.join(ROOT, "examples", "worlds", "*.sexp"))):
        path = os.path.relpath(path, ROOT)
        found[f"{path}/{told('tasks', path, '--json')[0]['levels'][0]['difficulty']}#1"] = "worlds"
    programs = sorted(task["name"] for task in told("tasks", "--family", "autumn", "--json")[0]["tasks"])
    drawn = (f"autumn:{name}/planning-1#1" for name in sorted(programs, key=lambda name: hashlib.sha256(name.encode()).hexdigest()))
    return {**found, **{name: "drawn programs" for name in itertools.islice(filter(is_there, drawn), DRAWN)}}


def is_there(name):
    """Not every program has a goal for every seed."""
    return subprocess.run([loop.SEEDBED, "show", name], capture_output=True, cwd=ROOT).returncode == 0


def figures_of(scores):
    return {"score": round(scores.get("rhae-proxy") or 0, 4), "levels": scores.get("level") or 0, "actions": scores["actions"],
            "retrodiction": round(scores["retrodiction"] or 0, 4), "won": scores["success"]}


def play(team, name):
    (scores,) = loop.play(team, "", [name], ACTIONS).values()
    return figures_of(scores)


def play_baseline(name):
    """What a play is worth that is cut after so many actions: levels that were completed before. docs/multi-level-games.md says how games are scored."""
    (episode,) = told("eval", name, "--agent", BASELINE, "-q", "-o", "-")["episodes"]
    effort, used, scores = episode["efficiency"], 0, []
    for took, baseline in list(zip(effort["level_actions"], effort["level_baselines"]))[:effort["levels_completed"]]:
        used += took
        if used <= ACTIONS:
            scores.append(min((baseline / took) ** 2, 1.15))
    weights = range(1, episode["n_levels"] + 1)
    most = sum(weights[:len(scores)])
    score = min(sum(weight * one for weight, one in zip(weights, scores)), most) / sum(weights)
    return {"score": round(100 * score, 4), "levels": len(scores), "actions": min(episode["steps"], ACTIONS)}


def play_world_baseline(name):
    (episode,) = told("eval", name, "--agent", WORLD_BASELINE, "-q", "-o", "-")["episodes"]
    return {"won": bool(episode["success"]) and episode["steps"] <= ACTIONS}


def run():
    results = pages.load(os.path.join(ROOT, RESULTS), {"games": {}, "worlds": {}})
    results["setting"] = {"actions": ACTIONS, "seeds": list(SEEDS)}
    for seed in SEEDS:
        for team in (BASELINE, *TEAMS):
            play_missing(results, "games", team, [f"arc:{game}/intro#{seed}" for game in GAMES])
    worlds = results["kinds"] = world_names()
    for team in (WORLD_BASELINE, *WORLD_TEAMS):
        play_missing(results, "worlds", team, worlds)


def play_missing(results, part, team, names):
    baselines, found = {BASELINE: play_baseline, WORLD_BASELINE: play_world_baseline}, results[part].setdefault(team, {})
    for name in names:
        if name not in found:
            found[name] = baselines[team](name) if team in baselines else play(team, name)
            pages.save(os.path.join(ROOT, RESULTS), results)


# ---- The page ----

def cells_of(plays):
    """score, levels, actions and retrodiction of a list of plays."""
    def mean(key, form):
        values = [play[key] for play in plays if key in play]
        return format(statistics.mean(values), form) if values else "-"
    return [mean("score", ".1f"), mean("levels", ".2f"), mean("actions", ".0f"), mean("retrodiction", ".2f")]


def error_of(plays):
    return statistics.stdev(play["score"] for play in plays) / len(plays) ** 0.5


def table_of(head, rows):
    return "\n".join([f"| {' | '.join(head)} |", "|---|" + "--:|" * (len(head) - 1), *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def summary(games):
    rows = []
    for team, plays in games.items():
        plays = list(plays.values())
        score, *rest = cells_of(plays)
        won = {name for name, play in games[team].items() if play["levels"]}
        rows.append([team, f"{score} ± {error_of(plays):.1f}", *rest, str(len({name.split("#")[0] for name in won})), f"{len(won)} of {len(plays)}"])
    return table_of(["all", "score", "levels", "actions", "retrodiction", "games with a level", "plays with a level"], rows)


def missing(games, seeds):
    """A sentence about plays that are not there yet."""
    fewer = [f"`{team}` {len(plays)}" for team, plays in games.items() if len(plays) < len(seeds) * len(GAMES)]
    return f"\nNot all plays are there yet (the run goes on where it was interrupted): of {len(seeds) * len(GAMES)}, {', '.join(fewer)}.\n" if fewer else ""


def by_game(games):
    """A row for each game: score and levels, and retrodiction of those that have a model."""
    rows = []
    for game in GAMES:
        row = [game]
        for team, plays in games.items():
            score, levels, actions, right = cells_of([play for name, play in plays.items() if name.startswith(f"arc:{game}/")])
            row.append(f"{score} ({levels}; {actions}; {right})")
        rows.append(row)
    return table_of(["score (levels; actions; retrodiction)", *games], rows)


def by_world(results):
    rows = []
    for kind in dict.fromkeys(results["kinds"].values()):
        names = [name for name, one in results["kinds"].items() if one == kind]
        row = [f"{len(names)} {kind}"]
        for plays in results["worlds"].values():
            plays = {name: plays.get(name, {"won": False}) for name in names}
            right = [plays[name]["retrodiction"] for name in names if "retrodiction" in plays[name]]
            row.append(f"{sum(plays[name]['won'] for name in names)}" + (f" ({statistics.mean(right):.2f})" if right else ""))
        rows.append(row)
    return table_of(["", *results["worlds"]], rows)


def page(results):
    setting = results["setting"]
    seeds = f"{setting['seeds'][0]} to {setting['seeds'][-1]}"
    text = HEAD.format(seeds=seeds, actions=setting["actions"])
    text += missing(results["games"], setting["seeds"]) + "\n" + summary(results["games"]) + "\n" + by_game(results["games"])
    return text + (WORLDS.format(drawn=DRAWN) + "\n" + by_world(results) if "kinds" in results else "")


def main():
    arguments = sys.argv[1:]
    if arguments == ["--run"]:
        run()
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong = pages.settle("arena", {PAGE: page(pages.load(os.path.join(ROOT, RESULTS)))}, arguments == ["--check"])
    if wrong:
        sys.exit("\n".join(wrong))
