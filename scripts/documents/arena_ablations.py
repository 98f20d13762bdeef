"""Writes docs/measured/arena-ablations.md from the results in docs/measured/arena-ablations.json.

    ./scripts/docs arena-ablations                  write the page
    ./scripts/docs arena-ablations --check          fail if it is out of date (CI)
    ./scripts/docs arena-ablations --run [TEAM]     play first what the results lack of a team of examples/arena (table): ten seeds of each game, with all
                                                    parts of the loop and without each. The program is build/release/seedbed; some minutes
"""
import json
import os
import statistics
import subprocess
import sys
import tempfile

from documents import pages
from documents.pages import ROOT

RESULTS, PAGE = "docs/measured/arena-ablations.json", "docs/measured/arena-ablations.md"
SEEDBED = os.path.join(ROOT, "build", "release", "seedbed")
PARTS = ("", "commitment", "ownership", "regressions", "probes", "planner")
SEEDS = range(1, 11)
SETTINGS = {  # of each team: games in which it does something, and actions
    "table": (("arc:Fold/intro",), 30),
    "objects": (("arc:Shepherd/intro",), 24),
    "induce": (("arc:Shepherd/intro",), 40)}
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}  # of 95 %, by seeds
MEASURES = {"score": "rhae-proxy", "levels": "level", "right": "right", "retrodiction": "retrodiction", "patches": "patches"}
HEAD = """# The arena without its parts

    ./scripts/docs arena-ablations --run table

makes this page: a team plays up to {seeds} seeds of a game, with all parts of the loop and without each of them (`seedbed arena --no-commitment`, `--no-ownership`,
`--no-regressions`, `--no-probes`, `--no-planner`).

- **score**: RHAE against proxy baselines, 0 to 100. **levels**: completed, of a game.
- **right**: the share of predictions before the action that were right; those that nobody made count as wrong.
- **retrodiction**: the share of all transitions of the game that the last model predicts.
- **patches**: that were taken.

The first row of a table has means over seeds, each the mean of its games. The others have the mean difference to it over the same seeds, with its
interval of 95 % (Student's); bold: the interval leaves out 0.

`induce` takes the same path by itself where the arena does not plan, so it loses nothing without the planner; such steps count as probes, so without probes
it loses its own plans, too.
"""
GAMES = "It has {actions} actions in each run of the game in which it was to do something: {games}, {seeds} seeds."


def path(name):
    return os.path.join(ROOT, name)


# ---- Running ----

def team_file(team, room, actions):
    """The team's file with the limit of actions that all runs have."""
    document = pages.load(path(f"examples/arena/{team}.json"))
    for one in [document["model"], *document["roles"].values()]:
        one["program"] = [sys.executable if word == "python3" else word.replace("{here}", path("examples/arena")) for word in one["program"]]
    document["limits"] = {**document.get("limits", {}), "actions": actions}
    pages.save(os.path.join(room, "team.json"), document)
    return os.path.join(room, "team.json")


def play(team, part, games, actions):
    """What came of each game, by its name."""
    with tempfile.TemporaryDirectory() as room:
        line = [SEEDBED, "arena", *games, "--team", team_file(team, room, actions), "-o", os.path.join(room, "run"), "--json", "--quiet", *([f"--no-{part}"] if part else [])]
        done = subprocess.run(line, capture_output=True, text=True, env={**os.environ, "SEEDBED": SEEDBED})
        if done.returncode:
            raise SystemExit(done.stderr)
    return {game["game"]: game for game in json.loads(done.stdout)["games"]}


def figures(scores):
    values = {**scores, "right": scores["predictions"]["accuracy_with_missing"], "patches": scores["patches"]["accepted"]}
    return {name: round(values[key] or 0, 4) for name, key in MEASURES.items()}


def run(team):
    results = pages.load(path(RESULTS), {"teams": {}, "settings": {}})
    runs = results["teams"].setdefault(team, {})
    names, actions = SETTINGS[team]
    setting = {"games": list(names), "seeds": len(SEEDS), "actions": actions}
    if results["settings"].setdefault(team, setting) != setting:
        raise SystemExit(f"{RESULTS} has plays of {team} with {results['settings'][team]}: take them out of it first")
    for seed in SEEDS:
        for part in PARTS:
            games = [f"{game}#{seed}" for game in names]
            if set(games) <= set(runs.get(part or "all", {})):
                continue
            runs.setdefault(part or "all", {}).update({name: figures(scores) for name, scores in play(team, part, games, actions).items()})
            pages.save(path(RESULTS), results)


# ---- The page ----

def whole_seeds(runs):
    """The seeds that were played with all parts and without each."""
    by_part = [{int(name.split("#")[1]) for name in runs.get(part or "all", {})} for part in PARTS]
    return sorted(set.intersection(*by_part))


def of_seeds(runs, measure, seeds):
    """The mean over the games, for each seed."""
    return [statistics.mean(play[measure] for name, play in runs.items() if name.endswith(f"#{seed}")) for seed in seeds]


def difference(runs, all_, measure, seeds):
    each = [a - b for a, b in zip(of_seeds(runs, measure, seeds), of_seeds(all_, measure, seeds))]
    mean, half = statistics.mean(each), STUDENT[len(each)] * statistics.stdev(each) / len(each) ** 0.5
    text = f"{mean:+.3f} ± {half:.3f}"
    return f"**{text}**" if abs(mean) > half else text


def row(part, runs, all_, seeds):
    cells = [difference(runs, all_, measure, seeds) if part else f"{statistics.mean(of_seeds(runs, measure, seeds)):.3f}" for measure in MEASURES]
    return f"| {'without ' + part if part else 'all parts'} | {' | '.join(cells)} |"


def section(team, runs, setting):
    seeds = whole_seeds(runs)
    if len(seeds) < min(STUDENT):
        return []
    games = GAMES.format(games=" and ".join(setting["games"]), actions=setting["actions"], seeds=len(seeds))
    head = [f"## {team}", "", games, "", f"| | {' | '.join(MEASURES)} |", "|---|" + "--:|" * len(MEASURES)]
    return [*head, *(row(part, runs[part or "all"], runs["all"], seeds) for part in PARTS), ""]


def page(results):
    lines = [HEAD.format(seeds=len(SEEDS))]
    for team, runs in results["teams"].items():
        lines += section(team, runs, results["settings"][team])
    return "\n".join(lines)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--run"] and len(arguments) <= 2:
        run(arguments[1] if arguments[1:] else "table")
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong = pages.settle("arena-ablations", {PAGE: page(pages.load(path(RESULTS)))}, arguments == ["--check"])
    if wrong:
        sys.exit("\n".join(wrong))
