"""Writes docs/measured/models.md: how well the candidates of examples/models predict.

It is made of docs/measured/models.json.

    ./scripts/docs models              write the page
    ./scripts/docs models --measure    measure first: makes the logs (examples/models/make_packs.py), checks every candidate, writes that file
    ./scripts/docs models --check      fail if the page is out of date (CI)

--seedbed FILE names the program (build/release/seedbed), --games A,B measures only these anew, --packs FOLDER keeps the logs or takes those that lie there.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

from documents import pages
from documents.pages import ROOT

MODELS = os.path.join(ROOT, "examples", "models")
PAGE = "docs/measured/models.md"
FIGURES = os.path.join(ROOT, "docs", "measured", "models.json")
HEAD = """# Candidates of models

    ./scripts/docs models --measure

makes this page. It makes logs (of each game train seeds 1 to 3 and test seeds 101 and 102, at most 60 actions an episode, by who knows the game and at
random in turn), lets the candidates *table* and *objects* of `examples/models` learn from the train log, and judges all on the test log. *true* is
`seedbed model serve`, *copy* says that nothing changes. Means are over games; [models.json](models.json) also has the train logs.
[world-models.md](../world-models.md) explains the measures.

"""
sys.path.insert(0, MODELS)
import make_packs  # noqa: E402

MEASURES = ("retrodiction", "changes", "horizon")
CANDIDATES = ("copy", "table", "objects", "true")
TIMEOUT = 60  # seconds for an answer, so that figures do not depend on the machine


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--games", default=",".join(make_packs.GAMES))
    parser.add_argument("--packs", metavar="FOLDER")
    parser.add_argument("--seedbed", default=os.path.join(ROOT, "build", "release", "seedbed"))
    return parser.parse_args()


# ---- Measuring -------------------------------------------------------------------------------------------------------

def check(options, model, *flags):
    done = subprocess.run([options.seedbed, "model", "check", *flags, "--model", model, "--timeout", str(TIMEOUT), "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"docs models: {shlex.join(done.args)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def figures_of(sums):
    horizon = sums["horizon"]["mean"]
    return {"asked": sums["asked"], "retrodiction": rounded(sums["retrodiction"]), "changes": rounded(sums["changes"]), "horizon": rounded(horizon),
            "full": rounded(sums["horizon"]["full"])}


def rounded(number):
    return None if number is None else round(number, 4)


def measure(options, folder, game):
    """The figures of all candidates on a game's test log, and what they had when they learnt: each transition judged before it was shown."""
    train, test = (os.path.join(folder, f"{game.replace(':', '-')}.{split}.jsonl") for split in ("train", "test"))
    found = {"train": {}, "test": {}}
    for name in ("table", "objects"):
        report = check(options, shlex.join([sys.executable, os.path.join(MODELS, name + ".py")]), train, "--split", "--test", test)
        found["train"][name], found["test"][name] = figures_of(report["train"]["all"]), figures_of(report["test"]["all"])
        if report["test"]["failures"] or report["train"]["failures"] or report["test"]["impure"]:
            sys.exit(f"docs models: {game}: {name}.py failed: {report['train']['first_failure'] or report['test']['first_failure']}")
    copying = shlex.join([sys.executable, os.path.join(MODELS, "copying.py")])
    first = episode_of(test)
    true = shlex.join([options.seedbed, "model", "serve", first])
    for name, model in (("copy", copying), ("true", true)):
        for split, log in (("train", train), ("test", test)):
            found[split][name] = figures_of(check(options, model, log)["all"])
    print(f"{game}: objects {found['test']['objects']['retrodiction']}, table {found['test']['table']['retrodiction']}, copy {found['test']['copy']['retrodiction']}", file=sys.stderr, flush=True)
    return found


def episode_of(path):
    with open(path, encoding="utf-8") as file:
        return json.loads(file.readline())["name"]


def measure_all(options):
    games = options.games.split(",")
    with tempfile.TemporaryDirectory(prefix="models-") as room:
        folder = options.packs or room
        if not os.path.exists(os.path.join(folder, "manifest.json")) and make_packs.main(["-o", folder, "--games", options.games, "--seedbed", options.seedbed]):
            sys.exit("docs models: no logs")
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            found = dict(zip(games, threads.map(lambda game: measure(options, folder, game), games)))
        files = pages.load(os.path.join(folder, "manifest.json"))["files"]
    logs = {name: {key: one[key] for key in ("seeds", "actions", "sha256")} for name, one in files.items()}
    known = pages.load(FIGURES, {"games": {}, "logs": {}})
    order = [game for game in make_packs.GAMES if game in {**known["games"], **found}]
    pages.save(FIGURES, {"figures_of_models": 1, "games": {game: {**known["games"], **found}[game] for game in order}, "logs": dict(sorted({**known["logs"], **logs}.items()))})


# ---- The table -------------------------------------------------------------------------------------------------------

def shown(value, digits=3):
    return "-" if value is None else f"{value:.{digits}f}"


def row(name, figures):
    cells = [shown(figures[candidate][measure], 1 if measure == "horizon" else 3) for measure in MEASURES for candidate in CANDIDATES if candidate in figures]
    return f"| {name} | {figures['copy']['asked']} | " + " | ".join(cells) + " |"


def mean_of(all_figures):
    return {candidate: {"asked": sum(figures[candidate]["asked"] for figures in all_figures),
                        **{measure: statistics.mean(figures[candidate][measure] or 0.0 for figures in all_figures) for measure in MEASURES}} for candidate in CANDIDATES}


def table():
    games = pages.load(FIGURES)["games"]
    words = {"retrodiction": "retrodiction", "changes": "changes, F1", "horizon": "horizon"}
    lines = ["| test log | transitions | " + " | ".join(f"{words[measure]}: {candidate}" for measure in MEASURES for candidate in CANDIDATES) + " |",
             "|" + "---|" * (2 + len(MEASURES) * len(CANDIDATES))]
    for family in ("arc", "autumn"):
        names = [game for game in games if game.startswith(family + ":")]
        lines += [row(game, games[game]["test"]) for game in names]
        if names:
            lines.append(row(f"**mean of {family}**", mean_of([games[game]["test"] for game in names])))
    return "\n".join(lines)


def main():
    options = read_arguments()
    if options.measure:
        measure_all(options)
    wrong = pages.settle("models", {PAGE: f"{HEAD}{table()}\n"}, options.check)
    if wrong:
        sys.exit("\n".join(wrong))
