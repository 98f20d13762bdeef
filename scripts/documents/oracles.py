"""Writes the pages oracles, tasks and unsolvable of docs/measured/, from results.json there and from the program's own lists.

    ./scripts/docs oracles              write the pages
    ./scripts/docs oracles --check      fail if a page is out of date, or if the official episodes now end differently (CI); with SEEDBED_NIGHTLY
                                  the clairvoyant plays the slow tasks, too
    ./scripts/docs oracles --measure [TASK...]
                                  play the official and 200 training seeds again, certify the unsolved episodes, and write
                                  docs/measured/results.json and the pages (hours for all tasks, so name the changed ones)

The program is build/release/seedbed; build/release/tests/claims_test lists how the claims of fewest steps are
tested, and ceilings_test what the best observer can do. futures_test compares experts with rollouts of themselves; it takes
hours, so `--list TASK` is run by hand, and its rows put into docs/measured/futures.json.
"""
import json
import os
import re
import subprocess
import sys

from documents import pages
from documents.pages import ROOT

SEEDBED = os.path.join(ROOT, "build", "release", "seedbed")
CLAIMS = os.path.join(ROOT, "build", "release", "tests", "claims_test")
CEILINGS_TEST = os.path.join(ROOT, "build", "release", "tests", "ceilings_test")
CEILINGS = os.path.join(ROOT, "docs", "measured", "ceilings.json")
FUTURES = os.path.join(ROOT, "docs", "measured", "futures.json")  # of build/release/tests/futures_test --list
LIMITED = ["FewShotAdaptation-v0", "RuleInduction-v0"]  # what the best observer can do is known
RESULTS = os.path.join(ROOT, "docs", "measured", "results.json")
PUBLISHED = os.path.join(ROOT, "tests", "golden", "measured-oracle.json")
TRAINING_SEEDS = 200
BUDGET = 1000000  # states that each search of certify may look at in an episode
DIFFICULTIES = ["easy", "medium", "hard", "expert"]
AGENTS = ["expert", "observer", "clairvoyant"]
SHOWN = AGENTS[:2]  # agents that the page on tasks shows
SLOW = ["SokobanPush-v0", "KeyDoorPuzzle-v0", "CooperativeTransport-v0", "Herding-v0"]  # half a minute or more for the clairvoyant
SPLITS = {"eval": ["--split", "eval"], "train": ["--split", "train", "--count", str(TRAINING_SEEDS)]}


def seedbed(*arguments):
    done = subprocess.run([SEEDBED, *arguments], capture_output=True, text=True)
    if done.returncode == 2 or (done.returncode and not done.stdout):
        sys.exit(f"seedbed {' '.join(arguments)}: {done.stderr}")
    return done.stdout


def tasks():
    families = json.loads(seedbed("tasks", "--json"))
    return next(family for family in families if family["family"] == "agentick")["tasks"]


# ---- Measuring ----

def scores(split, names, agents):
    """Plays with eval; returns (task, difficulty, agent) -> [solved, episodes, mean steps]."""
    found = {}
    for agent in agents:
        players = [info["name"] for info in tasks() if info["name"] in names and agent in info["oracles"]]
        if not players:
            continue
        text = seedbed("eval", "--json", "--quiet", "--agent", agent, "--tasks", ",".join(players), *SPLITS[split])
        for s in json.loads(text)["families"][0]["tasks"]:
            found[s["task"], s["difficulty"], agent] = [s["successes"], s["episodes"], round(s["mean_steps"], 2)]
    return found


def certificates(split, names):
    """Certifies; returns (task, difficulty) -> the episodes that the expert does not solve."""
    found = {}
    text = seedbed("certify", "--json", "--quiet", "--budget", str(BUDGET), "--tasks", ",".join(names), *SPLITS[split])
    for line in text.splitlines():
        row = json.loads(line)
        name, seed = row["episode"].split("#")
        task, difficulty = name.split("/")
        task += "" if "-v" in task else "-v0"
        if row["verdict"] == "solved" and row["method"] == "expert":
            continue
        proofs = [row[key] for key in ("method", "check") if key in row]
        entry = {"seed": int(seed), "verdict": row["verdict"], "method": ", ".join(proofs)}
        if row["verdict"] != "solved":
            entry["states"] = row["states"] + row.get("check_states", 0)
        found.setdefault((task, difficulty), []).append(entry)
    return found


def measure(names):
    results = pages.load(RESULTS, {})
    for split in SPLITS:
        played, unsolved = scores(split, names, AGENTS), certificates(split, names)
        for (task, difficulty, agent), score in played.items():
            entry = results.setdefault(task, {}).setdefault(difficulty, {}).setdefault(split, {})
            entry[agent] = score
            entry["unsolved"] = unsolved.get((task, difficulty), [])
    order = [task["name"] for task in tasks()]
    ordered = {name: results[name] for name in order if name in results}
    pages.save(RESULTS, ordered)
    if set(LIMITED) & set(names):
        pages.save(CEILINGS, json.loads(subprocess.run([CEILINGS_TEST, "--list", "1000"], capture_output=True, text=True, check=True).stdout))


# ---- Tables ----

def rate(solved, episodes):
    return f"{solved / episodes:.2f}" if solved != episodes else "1.00"


def impossible(entry):
    return [u for u in entry["unsolved"] if u["verdict"] == "impossible"]


def overview_table(infos, results, published):
    lines = ["| task | what to do | expert | observer | published |", "|---|---|---|---|---|"]
    for info in infos:
        levels = results[info["name"]]
        ours = [" ".join(rate(*levels[d]["eval"][agent][:2]) for d in DIFFICULTIES)
                if agent in levels["easy"]["eval"] else "" for agent in SHOWN]
        theirs = " ".join(f"{published[info['name']][d][0]:.2f}" for d in DIFFICULTIES)
        summary = info["summary"][0].lower() + info["summary"][1:].rstrip(".")
        lines.append(f"| {info['name']} | {summary} | {' | '.join(ours)} | {theirs} |")
    solved, theirs, episodes, lost = 0, 0.0, 0, 0
    for info in infos:
        for d in DIFFICULTIES:
            entry = results[info["name"]][d]["eval"]
            solved += entry["expert"][0]
            episodes += entry["expert"][1]
            theirs += published[info["name"]][d][0] * entry["expert"][1]
            lost += len(impossible(entry))
    lines += ["", f"Of these {episodes} official episodes the experts solve {solved} ({solved / episodes:.3f}), the "
                  f"published oracles {round(theirs)} ({theirs / episodes:.3f}); {lost} are proven impossible."]
    return lines


def levels_table(infos):
    lines = ["| task | category | " + " | ".join(DIFFICULTIES) + " |", "|---|---|" + "---|" * len(DIFFICULTIES)]
    for info in infos:
        levels = [f"{level['width']}x{level['height']}, {level['max_steps']}" for level in info["levels"]]
        lines.append(f"| {info['name']} | {info['category']} | " + " | ".join(levels) + " |")
    return lines


def oracles_table(infos, results, published, split):
    """For every task and difficulty, the success rate and mean steps of each agent, and the numbers of impossible and unknown episodes."""
    agents = (["published"] if split == "eval" else []) + AGENTS
    lines = ["| task | difficulty | " + " | ".join(f"{agent} | steps" for agent in agents) + " | impossible | unknown |",
             "|" + "---|" * (4 + 2 * len(agents))]
    for info in infos:
        for d in DIFFICULTIES:
            entry = results[info["name"]][d][split]
            row = [info["name"], d]
            for agent in agents:
                if agent == "published":
                    row += [f"{published[info['name']][d][0]:.2f}", f"{published[info['name']][d][1]:.2f}"]
                elif agent in entry:
                    row += [rate(*entry[agent][:2]), f"{entry[agent][2]:.2f}"]
                else:
                    row += ["", ""]
            verdicts = [u["verdict"] for u in entry["unsolved"]]
            row += [str(verdicts.count(verdict) or "") for verdict in ("impossible", "unknown")]
            lines.append("| " + " | ".join(row) + " |")
    return lines


def totals_table(infos, results, published):
    """The same over all tasks."""
    lines = ["| seeds | episodes | " + " | ".join(["published"] + AGENTS) + " | impossible | unknown |",
             "|" + "---|" * (5 + len(AGENTS))]
    for split, label in (("eval", "evaluation"), ("train", "training")):
        entries = [results[info["name"]][d][split] for info in infos for d in DIFFICULTIES]
        episodes = sum(entry["expert"][1] for entry in entries)
        theirs = sum(published[info["name"]][d][0] * 25 for info in infos for d in DIFFICULTIES)
        row = [label, str(episodes), f"{round(theirs)} ({theirs / episodes:.3f})" if split == "eval" else ""]
        for agent in AGENTS:
            solved = sum(entry.get(agent, [0])[0] for entry in entries)
            row.append(f"{solved} ({solved / episodes:.4f})")
        verdicts = [u["verdict"] for entry in entries for u in entry["unsolved"]]
        row += [str(verdicts.count(verdict)) for verdict in ("impossible", "unknown")]
        lines.append("| " + " | ".join(row) + " |")
    return lines


def claims_table():
    """How the claims of fewest steps are tested, as the test itself lists it; the test fails if any claim is not tested."""
    done = subprocess.run([CLAIMS, "--list"], capture_output=True, text=True, check=True)
    lines = ["| task | oracle | " + " | ".join(DIFFICULTIES) + " |", "|" + "---|" * (2 + len(DIFFICULTIES))]
    for claim in json.loads(done.stdout):
        lines.append("| " + " | ".join([claim["task"], claim["oracle"], *claim["held_by"]]) + " |")
    return lines


def ceilings_table():
    lines = ["| task | difficulty | episodes | the best observer | observer | off (95 %) |", "|---|---|--:|--:|--:|--:|"]
    for row in pages.load(CEILINGS):
        won = row["won"] / row["episodes"]
        lines.append(f"| {row['task']} | {DIFFICULTIES[row['difficulty']]} | {row['episodes']} | {row['ceiling']:.3f} | {won:.3f} | "
                     f"{won - row['ceiling']:+.3f} ± {row['half']:.3f} |")
    return lines


def futures_table():
    lines = ["| task | difficulty | episodes | expert | rollouts of it | expert longer by (95 %) |", "|---|---|--:|--:|--:|--:|"]
    for row in pages.load(FUTURES):
        ours, theirs = (f"{won} won, {steps:.1f} steps" for won, steps in zip(row["won"], row["steps"]))
        lines.append(f"| {row['task']} | {DIFFICULTIES[row['difficulty']]} | {row['episodes']} | {ours} | {theirs} | {row['longer']:+.1f} ± {row['half']:.1f} |")
    return lines


def unsolvable_table(infos, results):
    lines = ["| episode | seeds | proven by | states |", "|---|---|---|---|"]
    for info in infos:
        for d in DIFFICULTIES:
            for split, label in (("eval", "evaluation"), ("train", "training")):
                for u in impossible(results[info["name"]][d][split]):
                    lines.append(f"| {info['name']}/{d}#{u['seed']} | {label} | {u['method']} | {u['states']} |")
    return lines


def unknown_table(infos, results):
    lines = ["| task | difficulty | evaluation seeds | training seeds |", "|---|---|---|---|"]
    for info in infos:
        for d in DIFFICULTIES:
            row = [[f"{u['seed']} ({'can be won' if u['verdict'] == 'solved' else 'unknown'})"
                    for u in results[info["name"]][d][split]["unsolved"] if u["verdict"] != "impossible"]
                   for split in SPLITS]
            if any(row):
                lines.append(f"| {info['name']} | {d} | {', '.join(row[0])} | {', '.join(row[1])} |")
    return lines


def changed(infos, results):
    """Plays the official episodes again; returns a line for every score that differs."""
    names = [info["name"] for info in infos]
    quick = names if os.environ.get("SEEDBED_NIGHTLY") else [name for name in names if name not in SLOW]
    played = {**scores("eval", names, SHOWN), **scores("eval", quick, AGENTS[2:])}
    return [f"{task}/{d}, {agent}: docs/measured/results.json says {results[task][d]['eval'].get(agent)}, now {score}"
            for (task, d, agent), score in played.items() if results[task][d]["eval"].get(agent) != score]


# ---- The pages: each from its template, in which the name of a table in braces stands for that table ----

PAGES = {"tasks": """# Tasks

    ./scripts/docs oracles

writes this page. The 37 tasks of the Agentick benchmark have four difficulties each; [a page of each](../tasks/README.md) says what the agent has to
do, and [oracles.md](oracles.md) has mean steps, training seeds and the clairvoyant.

## How often oracles succeed

Success rates on the 25 official evaluation seeds at easy, medium, hard and expert. *Published* is the oracle of the benchmark's authors.

{tasks}

## Sizes

Grid (width x height) and step limit.

{levels}
""", "oracles": """# Oracles

    ./scripts/docs oracles --measure

plays all episodes and writes this page; CI plays the evaluation episodes again. [certificates.md](../certificates.md#oracles) says who the oracles
are; *published* are those of the benchmark, played on these episodes by its authors' code. *Impossible* episodes are proven to have no solution,
*unknown* ones are neither won nor proven impossible ([unsolvable.md](unsolvable.md)). Steps are means over all episodes, including lost ones;
in ResourceManagement and ChaseEvade an episode lasts a fixed number of steps unless it is lost.

## All tasks together

{totals}

## Evaluation: the 25 official seeds of each task and difficulty

{evaluation}

## Training: the first 200 seeds of each list

{training}

## Observers where the expert knows what is hidden

In these two tasks the expert wins episodes that no observer can be sure to win. *The best observer* is the mean over the same training episodes of the
chance that the likeliest candidate is right (FewShotAdaptation), and the value of the game without a room, solved over all beliefs, which is an upper
bound (RuleInduction): `tests/ceilings_test.c`.

{ceilings}

## Experts where chance decides

Nobody who does not know the future can be sure of the fewest steps here. *Rollouts of it* try each action in each state with 64 futures of their own
drawing, let the expert play them to the end, and take what wins most often and soonest (`tests/futures_test.c`). Steps are means over the
training episodes that both win. Rows are those that have been played so far: an episode of rollouts takes up to half an hour.

{futures}

## Claims of fewest steps

With which search each claim is compared ([certificates.md](../certificates.md#claims-of-fewest-steps) says what the words mean).

{claims}
""", "unsolvable": """# Episodes that cannot be won

    ./scripts/docs oracles

writes this page: the episodes of the 25 official evaluation seeds of each task and difficulty, and of the first 200 of each training list, that are proven
to have no solution. [certificates.md](../certificates.md#proofs) explains the proofs; `states` is how many they looked at.

{unsolvable}

## Lost

The expert does not solve these, but they are not proven impossible. *Can be won* means that another oracle wins them, or the generic search, which sees
future draws. *Unknown* means that a search of a million states found no answer.

{unknown}
"""}


def page(name, tables):
    return re.sub(r"^\{(\w+)\}$", lambda match: "\n".join(tables[match[1]]), PAGES[name], flags=re.M)


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0] not in ("--check", "--measure"):
        sys.exit(__doc__)
    infos = tasks()
    if arguments and arguments[0] == "--measure":
        measure(arguments[1:] or [info["name"] for info in infos])
    published = pages.load(PUBLISHED)["per_task"]
    results = pages.load(RESULTS, {})
    missing = [info["name"] for info in infos if info["name"] not in results]
    if missing:
        sys.exit(f"docs/measured/results.json lacks {', '.join(missing)}: ./scripts/docs oracles --measure {' '.join(missing)}")
    made = {"tasks": overview_table(infos, results, published), "levels": levels_table(infos),
            "evaluation": oracles_table(infos, results, published, "eval"),
            "training": oracles_table(infos, results, published, "train"),
            "totals": totals_table(infos, results, published), "claims": claims_table(), "ceilings": ceilings_table(),
            "futures": futures_table(),
            "unsolvable": unsolvable_table(infos, results), "unknown": unknown_table(infos, results)}
    wrong = pages.settle("oracles", {f"docs/measured/{name}.md": page(name, made) for name in PAGES}, "--check" in arguments)
    if "--check" in arguments:
        wrong += changed(infos, results)
        if wrong:
            sys.exit("\n".join(wrong))
        print(f"{len(infos)} tasks: pages and official episodes as in docs/measured/results.json")
