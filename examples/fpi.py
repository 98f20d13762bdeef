"""Computes success rate and efficiency of BabyBench's interactive protocol from two results of `seedbed eval`, the agent's
and the expert's, on the same episodes. Efficiency is the expert's steps divided by the agent's, and 0 where the agent failed.

    python3 examples/fpi.py agent.json expert.json
"""
import json
import sys


def episodes(path):
    with open(path, encoding="utf-8") as file:
        return {episode["episode"]: episode for episode in json.load(file)["episodes"]}


def main(agent, expert):
    played, known = episodes(agent), episodes(expert)
    levels = {}
    for name, episode in played.items():
        efficiency = known[name]["steps"] / episode["steps"] if episode["success"] else 0
        for level in (name.split("#")[0].removeprefix("babyai:"), "all"):
            levels.setdefault(level, []).append((episode["success"], efficiency))
    print(f"{'level':<20} {'episodes':>8} {'success':>8} {'efficiency':>10}")
    for level in [*(level for level in levels if level != "all"), "all"]:
        rows = levels[level]
        print(f"{level:<20} {len(rows):>8} {sum(row[0] for row in rows) / len(rows):>8.3f} {sum(row[1] for row in rows) / len(rows):>10.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
