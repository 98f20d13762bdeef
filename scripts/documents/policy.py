"""Writes docs/measured/policies.md, and its pictures, from the results in docs/measured/policies/.

    ./scripts/docs policy                       write the page and the pictures
    ./scripts/docs policy --check               fail if one is out of date (CI)
    ./scripts/docs policy --run cpu [RUN...]    train and evaluate first: the runs that docs/measured/policies/cpu.json lacks, or those
                                                  named. Some minutes of one core; needs torch and the package seedbed
    ./scripts/docs policy --run gpu [RUN...]    the same for all tasks, on a graphics card: some hours
    ./scripts/docs policy --list                lists the runs

Each run is kept in build/policy/ and goes on after an interruption.
"""
import gzip
import json
import os
import sys

from documents import pages
from documents.pages import ROOT

FOLDER = "docs/measured/policies"
PAGE = "docs/measured/policies.md"
NIGHTLY = FOLDER + "/cpu-result.json"  # of the CPU setting, with tapes
ALL_TASKS = FOLDER + "/gpu-result.json.gz"  # of the setting for a graphics card, with tapes
COMMON = {"cpu": ["--preset", "cpu", "--tasks", "InstructionFollowing,SequenceMemory,FogOfWarExploration", "--difficulties", "easy", "--updates", "240",
                  "--episodes", "50", "--round-episodes", "25"],
          "gpu": ["--preset", "gpu", "--updates", "6000", "--episodes", "50", "--round-episodes", "25", "--rounds", "2", "--threads", "16"]}
UPDATES = {"cpu": 240, "gpu": 6000}


def cloning(setting, *episodes):
    """Runs that learn from so many episodes, each at least as often as those of 100: more rows get more updates."""
    return {f"cloning-{n}": ["--rounds", "0", "--episodes", str(n), "--updates", str(UPDATES[setting] * max(n, 100) // 100)] for n in episodes}


# What differs from the first. All but the clonings and the mixtures see 100 episodes of each task and difficulty.
RUNS = {"dagger": [], "no-told": ["--no-told"], "expert": ["--teacher", "expert"], "nothing": ["--remember", "nothing"], "core": ["--remember", "core"]}
ONLY = {"cpu": {"longer": ["--updates", "1200"], "core-longer": ["--remember", "core", "--updates", "1200"], **cloning("cpu", 10, 30, 100, 300),
                "even": ["--difficulties", "easy,medium"],
                "harder": ["--difficulties", "easy,medium", "--episodes", "easy:20,medium:80", "--round-episodes", "easy:10,medium:40"]},
        "gpu": {**cloning("gpu", 10, 30, 100, 300, 1000),
                "harder": ["--episodes", "easy:20,medium:40,hard:60,expert:80", "--round-episodes", "easy:10,medium:20,hard:30,expert:40"]}}
TITLES = {"dagger": "DAgger, observer", "no-told": "without `told`", "expert": "expert teaches", "nothing": "no memory", "core": "core over steps",
          "cloning-100": "cloning", "longer": "longer: observer", "core-longer": "longer: core"}
MIXTURES = {"cpu": {"even": "as many of each difficulty", "harder": "more of the harder"},
            "gpu": {"dagger": "as many of each difficulty", "harder": "more of the harder"}}

# The page: its head, and its sections by what they show of which setting. A section that has no results is left out.
HEAD = """# What policies learn

    ./scripts/docs policy --run cpu

makes this page from the results in `docs/measured/policies/`, after training the policies that are missing there. It shows what they won of the
official episodes; [data-that-teaches.md](../data-that-teaches.md) says how they learn.
"""
SECTIONS = {"cpu setting": "Three tasks, two minutes", "gpu setting": "All tasks, on a graphics card",
            **{f"{setting} {kind}": f"{title}, {where}" for setting, where in (("cpu", "three tasks"), ("gpu", "all tasks"))
               for kind, title in (("ways", "Ways to learn"), ("mixtures", "Mixtures of difficulties"), ("episodes", "Numbers of episodes"))}}


def path(name):
    return os.path.join(ROOT, name)


def read(name):
    """A document of the repository; empty if there is none."""
    if not os.path.exists(path(name)):
        return {}
    with (gzip.open if name.endswith(".gz") else open)(path(name), "rt", encoding="utf-8") as file:
        return json.load(file)


# ---- Running ----

def run(setting, wanted):
    sys.path.insert(0, path("examples/policy"))
    import evaluate
    import seedbed
    import train

    runs, name = {**RUNS, **ONLY[setting]}, f"{FOLDER}/{setting}.json"
    unknown = set(wanted) - set(runs)
    if unknown:
        sys.exit(f"docs policy: unknown run `{min(unknown)}`; known are {', '.join(runs)}")
    results = read(name) or {"runs": {}}
    for arm in wanted or [arm for arm in runs if arm not in results["runs"]]:
        folder = path(f"build/policy/{setting}/{arm}")
        args = train.arguments().parse_args([folder, *COMMON[setting], *runs[arm]])
        try:
            device = train.device_of(args)
        except ValueError as error:
            sys.exit(f"docs policy: {error}")
        print(f"== {setting}: {arm}", flush=True)
        trained = train.train(folder, train.settings_of(args), device, args.threads, resume=True)
        selection = seedbed.select(tasks=args.tasks, difficulty=args.difficulties)
        result = evaluate.evaluate(f"{folder}/checkpoint.pt", selection, f"{folder}/result.json", 256 if device.type == "cuda" else 64, device, arm, force=True)
        won = {f"{task}/{difficulty}": [tally.successes, tally.episodes] for (task, difficulty), tally in result.by_task.items()}
        results["runs"][arm] = {"options": COMMON[setting][2:] + runs[arm], "rows": sum(trained.rows), "updates": trained.done,
                                "seconds": round(trained.seconds), "processor_seconds": round(trained.processor_seconds), "won": won}
        pages.save(path(name), results)


# ---- Tables ----

def by_task(won, key_of=lambda pair: pair.partition("/")[0]):
    """Task, or what else is the key of a pair -> share of its episodes that were won; "all" last."""
    sums = {}
    for pair, (successes, episodes) in won.items():
        for key in (key_of(pair), "all"):
            before = sums.get(key, (0, 0))
            sums[key] = before[0] + successes, before[1] + episodes
    every = sums.pop("all")
    return {key: successes / episodes for key, (successes, episodes) in {**sums, "all": every}.items()}


def difficulty_of(pair):
    return pair.partition("/")[2]


def table(runs, arms, titles, head="task", **key):
    if not arms:
        return []
    shares = {arm: by_task(runs[arm]["won"], **key) for arm in arms}
    lines = [f"| {head} | " + " | ".join(titles.get(arm, arm) for arm in arms) + " |", "|---|" + "---|" * len(arms)]
    lines += [f"| {task} | " + " | ".join(f"{shares[arm][task]:.2f}" for arm in arms) + " |" for task in shares[arms[0]]]
    return lines + ["| rows | " + " | ".join(str(runs[arm]["rows"]) for arm in arms) + " |"]


def nightly_table(result):
    lines = ["| task | difficulty | won |", "|---|---|---|"]
    for one in result["families"][0]["tasks"]:
        lines.append(f"| {one['task']} | {one['difficulty']} | {one['successes']} of {one['episodes']} |")
    every, about = result["families"][0]["all"], result["agent"]["about"]
    return lines + ["", f"Together {every['successes']} of {every['episodes']}, after {about['updates']} updates on {about['rows']} rows: "
                        f"{about['processor_seconds']} s of one core for the updates."]


def all_tasks_table(result):
    family, about = result["families"][0], result["agent"]["about"]
    difficulties = list(dict.fromkeys(one["difficulty"] for one in family["tasks"]))
    lines = ["| task | " + " | ".join(difficulties) + " |", "|---|" + "---|" * len(difficulties)]
    won = {(one["task"], one["difficulty"]): one["successes"] for one in family["tasks"]}
    for task in dict.fromkeys(one["task"] for one in family["tasks"]):
        lines.append(f"| {task} | " + " | ".join(str(won[task, difficulty]) for difficulty in difficulties) + " |")
    every = family["all"]
    return lines + ["", f"Episodes won, of 25 each; together {every['successes']} of {every['episodes']}, after {about['updates']} updates on {about['rows']} rows "
                        f"({about['rounds']} rounds of the policy's play): {about['seconds']} s for the updates."]


# ---- Pictures ----

COLOURS = "#0072b2", "#d55e00", "#009e73", "#000000"


def text(x, y, words, anchor="middle"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" font-family="sans-serif" font-size="12">{words}</text>'


def svg(width, height, parts):
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">',
                      f'<rect width="{width}" height="{height}" fill="white"/>', *parts, "</svg>"]) + "\n"


def grid_lines(left, right, y_of):
    for share in (0, 0.25, 0.5, 0.75, 1):
        yield f'<line x1="{left}" y1="{y_of(share):.0f}" x2="{right}" y2="{y_of(share):.0f}" stroke="#ddd"/>'
        yield text(left - 6, y_of(share) + 4, f"{share:.2f}", "end")


def curves(runs, arms):
    """Success after cloning, by the number of episodes."""
    shares = [by_task(runs[arm]["won"]) for arm in arms]

    def x_of(i):
        return 50 + 330 * i / max(len(arms) - 1, 1)

    def y_of(share):
        return 220 - 190 * share

    parts = [*grid_lines(50, 380, y_of), text(215, 262, "training episodes of each task and difficulty")]
    parts += [text(x_of(i), 240, arm[8:]) for i, arm in enumerate(arms)]
    shown = list(shares[0]) if len(shares[0]) <= 4 else ["all"]
    for colour, task in zip(COLOURS[-len(shown):], shown):
        points = " ".join(f"{x_of(i):.0f},{y_of(one[task]):.0f}" for i, one in enumerate(shares))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for i, (colour, task) in enumerate(zip(COLOURS[-len(shown):], shown)):
        parts += [f'<rect x="400" y="{40 + 20 * i}" width="14" height="4" fill="{colour}"/>', text(420, 46 + 20 * i, task, "start")]
    return svg(600, 275, parts)


def bars(runs, arms):
    """Success over all episodes, for each way to train."""

    def y_of(share):
        return 220 - 190 * share

    width = 80 + 88 * len(arms)
    parts = list(grid_lines(50, width - 10, y_of))
    for i, arm in enumerate(arms):
        share, x = by_task(runs[arm]["won"])["all"], 60 + 88 * i
        parts.append(f'<rect x="{x}" y="{y_of(share):.0f}" width="60" height="{220 - y_of(share):.0f}" fill="{COLOURS[0]}"/>')
        parts.append(text(x + 30, y_of(share) - 4, f"{share:.2f}"))
        parts += [text(x + 30, 236 + 14 * row, word) for row, word in enumerate(TITLES[arm].replace("`", "").rsplit(" ", 1))]
    return svg(width, 260, parts)


def made():
    """Path -> text of all that is generated."""
    found, tabled = {}, {}
    for setting in COMMON:
        runs = read(f"{FOLDER}/{setting}.json").get("runs", {})
        clonings = sorted((arm for arm in runs if arm.startswith("cloning-")), key=lambda arm: int(arm[8:]))
        for name, arms, titles, draw in (("ways", [arm for arm in TITLES if arm in runs], TITLES, bars),
                                         ("episodes", clonings, {arm: f"{arm[8:]} episodes" for arm in clonings}, curves)):
            lines = table(runs, arms, titles)
            if len(arms) > 1:
                picture = f"{FOLDER}/{setting}-{name}.svg"
                found[picture] = draw(runs, arms)
                lines += ["", f"![Success, as in the table]({os.path.relpath(picture, os.path.dirname(PAGE))})"]
            tabled[f"{setting} {name}"] = lines
        mixtures = [arm for arm in MIXTURES[setting] if arm in runs]
        tabled[f"{setting} mixtures"] = table(runs, mixtures if len(mixtures) > 1 else [], MIXTURES[setting], "difficulty", key_of=difficulty_of)
    tabled["cpu setting"] = nightly_table(read(NIGHTLY))
    tabled["gpu setting"] = all_tasks_table(read(ALL_TASKS))
    found[PAGE] = "\n".join([HEAD] + ["\n".join([f"## {title}", "", *tabled[name], ""]) for name, title in SECTIONS.items() if tabled[name]])
    return found


def main():
    arguments = sys.argv[1:]
    if arguments == ["--list"]:
        for setting in COMMON:
            for arm, options in {**RUNS, **ONLY[setting]}.items():
                print(setting, f"{arm:14}", *options)
        return
    if arguments[:1] == ["--run"] and arguments[1:2] and arguments[1] in COMMON:
        run(arguments[1], arguments[2:])
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    wrong = pages.settle("policy", made(), arguments == ["--check"])
    if arguments == ["--check"]:
        if wrong:
            sys.exit("\n".join(wrong))
        print("tables and pictures of examples/policy as in the results")
