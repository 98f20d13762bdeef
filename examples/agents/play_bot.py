"""The part of write_bot.py that runs in the sandbox: lets bot.py play the episodes of names.json, and writes a row for each to rows.jsonl."""
import json
import os
import sys
import traceback

import seedbed

sys.path.insert(0, os.getcwd())


def play(act, name):
    env = seedbed.make(name, obs="ascii")
    env.reset()
    actions, memory = [], {}
    while True:
        action = act(env.api, memory)
        number = env.action_names.index(action) if isinstance(action, str) else int(action)
        _, _, terminated, truncated, _ = env.step(number)
        actions.append(number)
        if terminated or truncated:
            return actions


def row_of(name):
    actions = []
    try:
        import bot
        return {"actions": play(bot.act, name), "error": None}
    except BaseException:  # noqa: B036 whatever a bot raises, SystemExit too, loses one episode
        return {"actions": actions, "error": "".join(traceback.format_exc().splitlines(True)[-6:])}


if __name__ == "__main__":
    with open("names.json", encoding="utf-8") as names, open("rows.jsonl", "w", encoding="utf-8") as rows:
        for one in json.load(names):
            rows.write(json.dumps(row_of(one)) + "\n")
            rows.flush()
