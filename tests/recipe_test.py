"""Recipes: their keys, acting and labelling agents, what is left out, and estimates of their datasets.

    python3 tests/recipe_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import glob
import gzip
import hashlib
import json
import os
import re
import sys
import unittest

from dataset_support import (but_for_what_is_left, FOUND, TOY, TWO_TASKS, USAGE, InFolder, contents, read, rows_of, run, tapes_of, unpacked,
                             write)

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXAMPLES = sorted(glob.glob(os.path.join(ROOT, "examples/recipes/*.json")))
EASY = [*TWO_TASKS, "-d", "easy", "-n", "6"]


class Schema:
    """The part of JSON Schema that docs/recipe.schema.json uses."""

    KNOWN = {"$schema", "$id", "$defs", "$ref", "title", "description", "type", "properties", "additionalProperties", "required",
             "items", "minItems", "maxItems", "enum", "anyOf", "pattern", "minimum", "maximum", "exclusiveMinimum", "multipleOf"}
    TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}

    def __init__(self, path):
        self.root = json.loads(read(path))

    def is_type(self, name, value):
        return isinstance(value, self.TYPES[name]) and (name == "boolean" or not isinstance(value, bool))

    def fits_others(self, value, known, others):
        """Whether the members that the schema does not list may be there: all, none, or those that fit a schema."""
        unknown = [item for key, item in value.items() if key not in known]
        return all(self.fits(item, others) for item in unknown) if isinstance(others, dict) else others or not unknown

    def fits(self, value, schema=None):
        schema = self.root if schema is None else schema
        assert set(schema) <= self.KNOWN, set(schema) - self.KNOWN
        if "$ref" in schema and not self.fits(value, self.root["$defs"][schema["$ref"].split("/")[-1]]):
            return False
        if "type" in schema and not self.is_type(schema["type"], value):
            return False
        if "enum" in schema and value not in schema["enum"]:
            return False
        if "anyOf" in schema and not any(self.fits(value, option) for option in schema["anyOf"]):
            return False
        if isinstance(value, str):
            return "pattern" not in schema or re.search(schema["pattern"], value) is not None
        if isinstance(value, dict):
            known = schema.get("properties", {})
            return (all(self.fits(item, known[key]) for key, item in value.items() if key in known)
                    and self.fits_others(value, known, schema.get("additionalProperties", True))
                    and set(schema.get("required", [])) <= set(value))
        if isinstance(value, list):
            return (schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
                    and all(self.fits(item, schema.get("items", {})) for item in value))
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return True
        return (schema.get("minimum", value) <= value <= schema.get("maximum", value)
                and value > schema.get("exclusiveMinimum", value - 1) and value % schema.get("multipleOf", value or 1) == 0)


class TheSchema(InFolder):
    schema = Schema(os.path.join(ROOT, "docs/recipe.schema.json"))

    def test_examples_agree_with_the_schema_and_build(self):
        self.assertGreaterEqual(len(EXAMPLES), 3)
        for path in EXAMPLES:
            with self.subTest(recipe=os.path.basename(path)):
                recipe = json.loads(read(path))
                self.assertTrue(self.schema.fits(recipe))
                folder = self.path(os.path.basename(path))
                few = {"rows": 200} if "rows" in recipe else {"episodes": 20} if "episodes" in recipe else {"seeds": "1..2"} if "seeds" in recipe else {"count": 10} if "split" in recipe else {} if "splits" in recipe else self.rollouts_for(recipe)
                path = write(self.path("few.json"), json.dumps({**recipe, **few}))
                done = run("build", path, "-q", "-o", folder)
                self.assertEqual((done.returncode, but_for_what_is_left(done.stderr)), (0, ""))
                self.assert_verifies(folder)
                made = json.loads(read(folder + "/manifest.json"))["recipe"]
                self.assertTrue(self.schema.fits(made), "the recipe in the manifest must fit the schema")

    def test_lists_and_texts_with_commas_mean_the_same(self):
        lists = {"tasks": ["GoToGoal", "KeyDoorPuzzle"], "difficulty": ["easy", "hard"], "modes": ["ascii", "state"], "format": ["steps", "chat"]}
        texts = {key: ",".join(items) for key, items in lists.items()}
        made = []
        for recipe in (lists, texts):
            self.assertTrue(self.schema.fits(recipe))
            folder = self.path(f"d{len(made)}")
            self.assertEqual(run("build", write(self.path("r.json"), json.dumps({**recipe, "count": 2})), "-o", folder).returncode, 0)
            made.append(contents(folder))
        self.assertEqual(*made)

    def rollouts_for(self, recipe):
        """Records tapes for a recipe that takes some, and returns the recipe's agent with their path."""
        self.assertIn("tapes:rollouts.json", json.dumps(recipe["oracle"]))
        path = self.path("rollouts.json")
        if not os.path.exists(path):
            self.assertEqual(run("eval", "--tasks", "GoToGoal", "-d", "medium", "--split", "train", "-n", "10", "--agent", "observer", "-q", "-o", path).returncode, 0)
        return {"oracle": json.loads(json.dumps(recipe["oracle"]).replace("rollouts.json", path))}

    def test_program_knows_the_keys_of_the_schema_and_no_others(self):
        for key in self.schema.root["properties"]:
            done = run("build", write(self.path("r.json"), json.dumps({key: None})), "-o", self.path("d"))
            self.assertEqual(done.returncode, USAGE, key)  # no key may be null
            self.assertNotIn("unknown key", done.stderr)
        self.refuse(["build", write(self.path("r.json"), '{"seed": 1}'), "-o", self.path("d")], USAGE, "unknown key `seed`")

    def test_both_refuse_the_same_mistakes_and_the_program_names_the_place(self):
        chat = {"format": "chat"}
        drawn = {"split": "train", "episodes": 5}
        mistakes = [({"episodes": 0}, "episodes"), ({"rows": 1.5}, "rows"), ({"order": "random"}, "order"), ({"count": {"easy": -1}}, "count"),
                    ({**drawn, "mixture": {}}, "mixture"), ({**drawn, "mixture": []}, "mixture"), ({**drawn, "mixture": [{"weight": -1}]}, "mixture[0]"),
                    ({**drawn, "mixture": [{"share": 1}]}, "mixture[0]", "share"), ({"splits": []}, "splits"), ({"splits": {"train": {"filter": {}}}}, "splits.train", "filter"),
                    ({"extensions": []}, "extensions"), ({"extensions": [{"success": True}]}, "extensions[0]", "success"),
                    ({"level": 10}, "level"), ({"epsilon": 2}, "epsilon"), ({"filter": {"sucess": True}}, "filter", "sucess"),
                    ({"filter": {"min_steps": -1}}, "filter", "min_steps"), ({"formats": []}, "formats"),
                    ({"format": chat}, "`format`", '"formats": [{"format": "chat"'), ({"format": ["steps", chat]}, "`format`", '"formats": [{"format": "chat"'),
                    ({"formats": chat}, "`formats`", "a list", '"formats": [{"format": "chat"'), ({"formats": "chat"}, "`formats`", "a list"),
                    ({"unreadable": "lose"}, "`unreadable`", "keep or drop"),
                    ({"formats": ["step"]}, "formats[0]", "step"), ({"formats": ["steps", {**chat, "row": "step"}]}, "formats[1]", "row"),
                    ({"formats": [{**chat, "rows": "turn"}]}, "formats[0]", "rows"), ({"duplicates": "no"}, "duplicates"),
                    ({"rows": {"duplicates": "no"}}, "rows", "duplicates"), ({"rows": {"apart": "eval"}}, "rows", "apart"), ({"rows": {"apart_from": []}}, "rows", "apart_from"),
                    ({"formats": [{**chat, "history": {"n": 3}}]}, "formats[0]", "history", "`n`"),
                    ({"formats": [{"format": "steps", "name": "No"}]}, "formats[0]", "name"),
                    ({"formats": [{"format": "npz", "modes": "ascii"}]}, "formats[0]", "`modes`"),
                    ({"formats": [{"format": "minari", "id": "no spaces"}]}, "formats[0]"), ({"evaluation": True}, "evaluation"),
                    ({"oracle": []}, "agent"), ({"oracle": [{"agent": "expert", "weight": 0}]}, "agent[0]", "weight"),
                    ({"oracle": [{"weight": 1}]}, "agent[0]", "agent"), ({"shard_episodes": 17}, "shard_episodes"),
                    ({"formats": [{"format": "values", "teller": 3}]}, "formats[0]", "`teller`"),
                    ({"reward": "progres"}, "`reward`", "progress"), ({"reward": "progress", "gamma": 2}, "`gamma`", "0 to 1"),
                    ({"formats": [{"format": "steps", "taken": 1}]}, "formats[0]", "`taken`"),
                    ({"formats": [{**chat, "reasons": "deep"}]}, "formats[0]", "`reasons`", "search"),
                    ({"formats": [{"format": "preference", "rejected": "best"}]}, "formats[0]", "`rejected`", "closest"),
                    ({"formats": [{"format": "preference", "margin": {"step": 2}}]}, "formats[0]", "`margin`", "`step`"),
                    ({"formats": [{"format": "preference", "margin": {"probability": 2}}]}, "formats[0]", "`probability`", "at most 1"),
                    ({"formats": [{"format": "preference", "pixels": {"look": "flat"}}]}, "formats[0]", "`pixels`"),
                    ({"formats": [{"format": "next_frame", "context": 65}]}, "formats[0]", "`context`"),
                    ({"formats": [{"format": "next_frame", "form": "messages"}]}, "formats[0]", "`form`"), ({"formats": [{"format": "next_frame", "modes": "frame"}]}, "formats[0]", "`modes`"),
                    ({"formats": [{"format": "predict", "csv": 1}]}, "formats[0]", "predict"), ({"names": []}, "names"), ({"count": 1.5}, "count"), ({"count": 0}, "count"), ({"tasks": 5}, "tasks"),
                    ({"tasks": []}, "tasks"), ({"tasks": ["GoToGoal", 5]}, "tasks"), ({"difficulty": ["easy,hard"]}, "difficulty"),
                    ({"formats": [{"format": "steps", "style": "prompt"}]}, "formats[0]", "`style`", "format, name, modes, reward"), ({"reward": "some"}, "reward"),
                    ({"mask": "some"}, "`mask`", "sound or published"),
                    ({"budget": 5}, "budget"), ({"budget": {}}, "budget"), ({"budget": {"characters": 0}}, "budget", "`characters`"),
                    ({"budget": {"characters": 5, "tokens": 5, "tokenizer": "t.json"}}, "budget"), ({"budget": {"tokens": 5}}, "budget", "`tokenizer`"),
                    ({"budget": {"characters": 5, "tokenizer": "t.json"}}, "budget", "`tokenizer`"), ({"budget": {"words": 5}}, "budget", "words"),
                    ({"budget": {"tokens": 5, "tokenizer": {"sha256": "5"}}}, "budget", "sha256"), ({"budget": {"tokens": 5, "tokenizer": {"library": "a"}}}, "budget", "sha256")]
        for recipe, *words in mistakes:
            with self.subTest(recipe=recipe):
                self.assertFalse(self.schema.fits(recipe))
                self.refuse(["build", write(self.path("r.json"), json.dumps(recipe)), "-o", self.path("d")], USAGE, *words)
                self.assertFalse(os.path.exists(self.path("d")))

    def test_the_schema_takes_budgets_of_texts_as_users_and_datasets_say_them(self):
        digest = hashlib.sha256(b"").hexdigest()
        for budget in ({"characters": 5}, {"characters": "9007199254740993"}, {"tokens": 5, "tokenizer": "t.json"}, {"tokens": 5, "tokenizer": {"sha256": digest}},
                       {"tokens": 5, "tokenizer": {"sha256": digest, "library": "tokenizers 0.23.3"}}):
            self.assertTrue(self.schema.fits({"budget": budget}))
            self.assertTrue(self.schema.fits({"splits": {"train": {"budget": budget}}, "extensions": [{"budget": budget}]}))

    def test_mistakes_that_only_the_program_can_find_are_named_with_their_key(self):
        for recipe, *words in (({"mask": "published"}, "`mask`", "no format"), ({"oracle": "nobody"}, "agent: ", "expert"), ({"oracle": "expert:3,nobody:1"}, "agent: ", "`nobody`"),
                               ({"labels": "nobody"}, "labels", "expert"), ({"oracle": "tapes:no file"}, "agent: ", "no file"),
                               ({"names": ["GoToGoal"]}, "names", "task/difficulty#seed"), ({"modes": "smell"}, "`modes`", "ascii"),
                               ({"taskz": "GoToGoal"}, "`taskz`", "tasks"), ({"formats": ["predict"]}, "formats[0]", "agentick"), ({"formats": ["next_frame"]}, "formats[0]", "agentick"),
                               ({"gamma": 0.9}, "`gamma`", "progress"), ({"formats": [{"format": "steps", "gamma": 0.5}]}, "formats[0]", "`gamma`"),
                               ({"formats": [{"format": "chat", "rows": "episode", "taken": True}]}, "formats[0]", "`taken`"),
                               ({"formats": [{"format": "chat", "reasons": "plan"}]}, "formats[0]", "{rationale}"),
                               ({"formats": [{"format": "values", "teller": "nobody"}]}, "formats[0]", "`nobody`"),
                               ({"formats": [{"format": "preference", "teller": "random"}]}, "formats[0]", "`random`", "aim at success"),
                               ({"formats": [{"format": "preference", "user": "{image}"}]}, "formats[0]", "{image}", "no pictures"),
                               ({"formats": [{"format": "preference", "rows": "episode", "style": "prompt"}]}, "formats[0]", "`rows`", "style"),
                               ({"formats": [{"format": "preference", "rows": "episode", "rejected": "worst"}]}, "formats[0]", "`rejected`", "leave"),
                               ({"formats": [{"format": "preference", "rows": "episode", "turns": 1}]}, "formats[0]", "`turns`"),
                               ({"oracle": "expert", "formats": [{"format": "preference", "rows": "episode"}]}, "formats[0]", "`rows`", "noise"),
                               ({"split": "mine"}, "split", "count"), ({"seeds": "5..1"}, "seeds", "0..24"),
                               ({"oracle": [{"agent": "expert", "weight": 1e308}, {"agent": "random", "weight": 1e308}]}, "agent[1]", "weights")):
            with self.subTest(recipe=recipe):
                done = run("build", write(self.path("r.json"), json.dumps(recipe)), "-o", self.path("d"))
                self.assertNotEqual(done.returncode, 0)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertFalse(os.path.exists(self.path("d")))

    def test_template_mistakes_name_the_placeholder(self):
        for key, text, word in (("user", "see {obervation}", "{obervation}"), ("system", "{step", "`{`"), ("answer", "a } b", "`}`"),
                                ("answer", "{observation}", "{observation}"), ("rationale", "{why}", "{why}")):
            recipe = write(self.path("r.json"), json.dumps({"formats": [{"format": "chat", key: text}]}))
            with self.subTest(key=key):
                self.refuse(["build", recipe, "-o", self.path("d")], USAGE, "formats[0]", f"`{key}`", word)

    def test_what_a_format_would_not_use_is_refused(self):
        for more, words in (({"teller": "nobody"}, ("`teller`", "`reasons`")), ({"rationale": "{intent}"}, ("`rationale`", "`answer`")),
                            ({"reasoning": "{thought}"}, ("`reasoning`", "`answer`"))):
            recipe = write(self.path("r.json"), json.dumps({"formats": [{"format": "chat", **more}]}))
            with self.subTest(more=more):
                self.refuse(["build", recipe, "-o", self.path("d")], USAGE, "formats[0]", *words)

    def test_contradictions_are_refused(self):
        for recipe, word in (({"format": "steps", "formats": ["steps"]}, "format"), ({"oracle": "random", "agent": "random"}, "oracle"),
                             ({"filter": {"min_steps": 3, "max_steps": 2}}, "min_steps"), ({"formats": ["steps", "steps"]}, "name"),
                             ({"epsilon": 0.1, "formats": [{"format": "chat", "rows": "episode"}]}, "rows"),
                             ({"formats": [{"format": "chat", "style": "prompt", "turns": 2}]}, "turns"),
                             ({"oracle": "tapes:t", "epsilon": 0.5}, "epsilon"), ({"labels": "nobody"}, "labels")):
            with self.subTest(recipe=recipe):
                self.refuse(["build", write(self.path("r.json"), json.dumps(recipe)), "-o", self.path("d")], USAGE, word)


class WhoActs(InFolder):
    def test_the_agent_of_a_mixture_is_drawn_from_the_name(self):
        mixture = ["--agent", "expert:3,random:1"]
        tapes = tapes_of(self.build("d", *TWO_TASKS, "-n", "12", *mixture))
        agents = {tape["name"]: tape["agent"] for tape in tapes}
        experts = sum(agent == "expert" for agent in agents.values())
        self.assertTrue(56 <= experts <= 88, f"{experts} of 96")
        for tape in tapes_of(self.build("one", *list(agents)[10:14], "--evaluation", "keep", *mixture)):
            self.assertEqual(tape["agent"], agents[tape["name"]])
        listed = write(self.path("r.json"), json.dumps({"tasks": "PreciseNavigation,KeyDoorPuzzle", "count": 12, "oracle": [
            {"agent": "expert", "weight": 3}, {"agent": "random", "weight": 1}]}))
        self.assertEqual(tapes, tapes_of(self.build("listed", "--recipe", listed)))

    def test_noise_labels_every_state_with_what_the_agent_wanted(self):
        folder = self.build("d", *EASY, "--epsilon", "0.3")
        rows = rows_of(folder)
        self.assertEqual(list(rows[0])[-4:], ["label_name", "label_int", "final_ascii_render", "final_language_render"])
        wrong = [row for row in rows if row["label_int"] != row["action_int"]]
        self.assertTrue(0.1 < len(wrong) / len(rows) < 0.4)
        for tape in tapes_of(folder):
            labels = dict(map(tuple, tape.get("labels", [])))
            for row in (row for row in rows if row["name"] == tape["name"]):
                self.assertEqual(row["label_int"], labels.get(row["step"], tape["actions"][row["step"]]))
        self.assert_verifies(folder)
        self.assertNotIn("label_int", rows_of(self.build("quiet", *EASY))[0])

    def test_labels_are_the_experts_actions_in_states_that_noise_led_to(self):
        """The test compares with its own breadth-first search, which is enough for a task that is only a walk."""
        rows = rows_of(self.build("d", "--tasks", "GoToGoal", "-d", "easy", "-n", "8", "--epsilon", "0.5"))
        moves = {"move_up": (0, -1), "move_down": (0, 1), "move_left": (-1, 0), "move_right": (1, 0)}
        checked = 0
        for row in rows:
            cells = {}
            for y, line in enumerate(row["ascii_render"].split("\n\n")[0].splitlines()):
                for x, cell in enumerate(line[::2]):
                    cells[x, y] = cell
            goals = [at for at, cell in cells.items() if cell == "G"]
            (agent,) = [at for at, cell in cells.items() if cell in "^v<>"]
            if len(goals) != 1 or set(cells.values()) - set("#.G^v<>"):
                continue
            distance, frontier = {goals[0]: 0}, goals
            for at in frontier:
                for dx, dy in moves.values():
                    to = at[0] + dx, at[1] + dy
                    if cells.get(to, "#") != "#" and to not in distance:
                        distance[to] = distance[at] + 1
                        frontier.append(to)
            dx, dy = moves[row["label_name"]]
            self.assertEqual(distance[agent[0] + dx, agent[1] + dy], distance[agent] - 1)
            checked += 1
        self.assertGreater(checked, 20)

    def test_another_oracle_may_label(self):
        folder = self.build("d", *EASY, "--agent", "random", "--labels", "expert", "--intents")
        self.assertEqual({tape["agent"] for tape in tapes_of(folder)}, {"random"})
        self.assertEqual([tape["actions"] for tape in tapes_of(folder)],
                         [tape["actions"] for tape in tapes_of(self.build("r", *EASY, "--agent", "random"))], "labels must not change the actions")
        first = {row["name"]: row["label_int"] for row in rows_of(folder) if row["step"] == 0}
        expert = {tape["name"]: tape["actions"][0] for tape in tapes_of(self.build("e", *EASY))}
        self.assertEqual(first, expert)
        self.assert_verifies(folder)

    def test_recorded_tapes_give_the_dataset_that_they_came_from(self):
        tapes = self.path("tapes.jsonl")
        solved = ["--tasks", "GoToGoal,KeyDoorPuzzle"]
        self.assertEqual(run("solve", *solved, "-n", "5", "-q", "-o", tapes).returncode, 0)
        folder = self.build("d", "--agent", "tapes:" + tapes, "--evaluation", "keep", "--shard-episodes", "16", "--jobs", "2")
        played = self.build("p", *solved, "-n", "5", "--agent", "expert", "--shard-episodes", "16")
        for kind in ("steps", "tapes"):
            self.assertEqual(unpacked(folder, kind), unpacked(played, kind))
        os.remove(tapes)
        self.assert_verifies(folder)
        self.assertEqual(run("render", folder, "--format", "trajectories", "-q").returncode, 0)
        self.assert_verifies(folder)

    def test_recorded_tapes_can_be_labelled_afterwards(self):
        tapes = self.path("tapes.jsonl")
        run("solve", *EASY, "--agent", "random", "-q", "-o", tapes)
        folder = self.build("d", "--agent", "tapes:" + tapes, "--labels", "expert", "--evaluation", "keep")
        live = self.build("live", *EASY, "--agent", "random", "--labels", "expert")
        self.assertEqual(unpacked(folder, "steps"), unpacked(live, "steps"))
        self.assert_verifies(folder)

    def test_recorded_tapes_that_do_not_match_are_refused(self):
        tapes = self.path("tapes.jsonl")
        run("solve", *EASY, "-q", "-o", tapes)
        lines = read(tapes).decode().splitlines()
        tape = json.loads(lines[3])
        write(tapes, "\n".join([*lines[:3], json.dumps({**tape, "return": 7.0}), *lines[4:]]) + "\n")
        self.refuse(["build", "--agent", "tapes:" + tapes, "--evaluation", "keep", "-o", self.path("d")], FOUND, tape["name"], "return")


    def test_recorded_tapes_of_people_may_stop_early_and_those_of_our_agents_may_not(self):
        tapes = self.path("tapes.jsonl")
        for keys in ("d", ""):
            run("play", "GoToGoal-v0/easy#0", "-o", tapes, input=keys)
            tape = json.loads(read(tapes))
            self.assertEqual((len(tape["actions"]), tape["terminated"], tape["truncated"]), (len(keys), False, False))
            alone = json.loads(run("verify", tapes, "--json").stdout)
            self.assertEqual((alone["ok"], alone["notes"]), (True, ["1 of them ends before the episode does: unfinished"]))
            folder = self.build("d", "--agent", "tapes:" + tapes, "--evaluation", "keep", "--force")
            said = json.loads(run("verify", folder, "--json").stdout)
            self.assertEqual((said["ok"], said["notes"]), (True, ["1 of the recorded tapes is unfinished: it ends before its episode does"]))
            for agent in ("expert", "observer", "clairvoyant", "random"):
                write(tapes, json.dumps({**tape, "agent": agent}) + "\n")
                self.refuse(["verify", tapes], FOUND, tapes, "line 1", tape["name"], "before its episode does", agent)
                self.refuse(["build", "--agent", "tapes:" + tapes, "--evaluation", "keep", "-o", self.path("e")], FOUND, "before its episode does")


class WhatIsLeftOut(InFolder):
    def manifest(self, folder):
        return json.loads(read(folder + "/manifest.json"))

    def test_filters_remove_rows_and_keep_tapes(self):
        whole = self.build("whole", *TWO_TASKS, "-n", "5", "--agent", "random", "--reward", "dense")
        tapes = tapes_of(whole)
        for name, flags, passes in (
                ("success", ["--success"], lambda t: t["success"]),
                ("steps", ["--min-steps", "10", "--max-steps", "40"], lambda t: 10 <= len(t["actions"]) <= 40),
                ("return", ["--min-return", "-0.5", "--max-return", "1.5"], lambda t: -0.5 <= t["dense_return"] <= 1.5)):
            with self.subTest(filter=name):
                folder = self.build(name, *TWO_TASKS, "-n", "5", "--agent", "random", "--reward", "dense", *flags)
                wanted = [number for number, tape in enumerate(tapes) if passes(tape)]
                self.assertTrue(0 < len(wanted) < len(tapes), "no row was filtered, so the test shows nothing")
                self.assertEqual(sorted({row["episode_id"] for row in rows_of(folder)}), wanted)
                self.assertEqual(tapes_of(folder), tapes)
                manifest = self.manifest(folder)
                self.assertEqual((manifest["selected"], manifest["filtered"], manifest["episodes"]),
                                 (len(tapes), len(tapes) - len(wanted), len(wanted)))
                self.assert_verifies(folder)

    def test_filter_that_nothing_passes_gives_a_dataset_without_rows(self):
        folder = self.path("d")
        self.assertEqual(run("build", *EASY, "--min-steps", "1000", "-f", "steps,trajectories,chat", "-q", "-o", folder).returncode, FOUND)
        self.assertEqual((rows_of(folder), len(tapes_of(folder))), ([], 12))
        self.assert_verifies(folder)

    def test_published_training_lists_lose_their_one_evaluation_episode(self):
        flags = ["--tasks", "DistributionShift", "-d", "easy", "--split", "train", "--agent", "random", "--modes", "ascii"]
        seeds = json.loads(run("seeds", "--tasks", "DistributionShift", "-d", "easy", "--split", "train", "--json").stdout)
        listed = re.findall(r"\d+", json.dumps(seeds))
        self.assertIn("323538274", listed)
        flags[flags.index("train") - 1:flags.index("train") + 1] = ["--seeds", "1,323538274,2"]
        folder = self.build("d", *flags)
        self.assertEqual([tape["name"].split("#")[1] for tape in tapes_of(folder)], ["1", "2"])
        self.assertEqual({row["episode_id"] for row in rows_of(folder)}, {0, 2}, "ids count the selection")
        self.assertEqual(self.manifest(folder)["evaluation"], {"found": 1, "left_out": True})
        self.assert_verifies(folder)
        kept = self.build("kept", *flags, "--evaluation", "keep")
        self.assertEqual(len(tapes_of(kept)), 3)
        self.assertEqual(self.manifest(kept)["evaluation"], {"found": 1, "left_out": False})
        self.refuse(["build", *flags[:-6], "--seeds", "323538274", "-o", self.path("none")], USAGE, "--evaluation keep")

    def test_datasets_of_the_split_eval_keep_their_episodes(self):
        self.assertEqual(self.manifest(self.build("d", *EASY))["evaluation"], {"found": 0, "left_out": True})
        self.assertEqual(len(tapes_of(self.path("d"))), 12)

    def test_duplicates_are_counted_and_dropped_on_request(self):
        names = ["LightsOut/easy#3", "LightsOut/easy#4", "LightsOut/easy#26", "LightsOut/medium#3", "LightsOut/easy#29"]  # three are one game
        kept, dropped = (self.build(what, *names, "--duplicates", what) for what in ("keep", "drop"))
        self.assertEqual(self.manifest(kept)["duplicates"], {"found": 2, "left_out": False})
        self.assertEqual(self.manifest(dropped)["duplicates"], {"found": 2, "left_out": True})
        self.assertEqual([row["episode_id"] for row in rows_of(dropped) if row["step"] == 0], [0, 1, 3])
        self.assertEqual(len(tapes_of(kept)), 5)
        self.assert_verifies(kept), self.assert_verifies(dropped)

    def test_explicit_names_that_begin_alike_are_duplicates(self):
        folder = self.build("d", "--family", "toy", "--tasks", "Pile", "--split", "ours", "-n", "2000", "--duplicates", "drop", "--agent", "random",
                            program=TOY)
        manifest = self.manifest(folder)
        met, again = manifest["across"]["found"], manifest["duplicates"]["found"]
        self.assertEqual(manifest["evaluation"]["found"], 0)
        self.assertGreater(met, 0, "no episode begins like one of the evaluation list")
        self.assertGreater(again, 10)
        self.assertEqual(manifest["episodes"], 2000 - met - again)
        self.assert_verifies(folder, TOY)


class WhatToExpect(InFolder):
    def test_dry_run_of_few_episodes_is_exact_and_writes_nothing(self):
        flags = [*TWO_TASKS, "-n", "3", "--agent", "random", "--max-steps", "60", "-f", "steps,trajectories"]
        done = run("build", *flags, "--dry-run", "--json", cwd=self.folder)
        self.assertEqual((done.returncode, done.stderr, os.listdir(self.folder)), (0, "", []))
        told, made = json.loads(done.stdout), json.loads(run("build", *flags, "--json", "-o", self.path("d")).stdout)
        self.assertEqual((told["selected"], told["episodes"], told["successes"]),
                         (made["selected"], made["episodes"], made["successes"]))
        self.assertEqual(sum(format["rows"] for format in told["formats"].values()), made["rows"])
        self.assertEqual(sum(format["content_bytes"] for format in told["formats"].values()), made["content_bytes"])

    def test_dry_run_estimates_whole_files_of_formats_with_a_writer(self):
        flags = [*TWO_TASKS, "-d", "easy", "--split", "train", "-f", "npz"]
        told = json.loads(run("build", *flags, "-n", "10", "--dry-run", "--json").stdout)["formats"]["npz"]["bytes"]
        self.assertEqual(told, os.path.getsize(self.build("few", *flags, "-n", "10") + "/npz-00000-of-00001.npz"))
        told = json.loads(run("build", *flags, "-n", "200", "--dry-run", "--json").stdout)["formats"]["npz"]["bytes"]
        self.assertAlmostEqual(told / os.path.getsize(self.build("many", *flags, "-n", "200") + "/npz-00000-of-00001.npz"), 1, delta=0.5)

    def test_dry_run_of_many_episodes_is_nearly_right(self):
        flags = ["--tasks", "GoToGoal", "-d", "medium,hard", "--split", "train", "-n", "300"]
        told = json.loads(run("build", *flags, "--dry-run", "--json").stdout)
        made = json.loads(run("build", *flags, "--json", "-o", self.path("d")).stdout)
        self.assertEqual((told["sampled"], told["episodes"]), (64, 600))
        for key, is_ in (("rows", made["rows"]), ("content_bytes", made["content_bytes"]), ("bytes", made["bytes"])):
            self.assertAlmostEqual(told["formats"]["steps"][key] / is_, 1, delta=0.25, msg=key)
        again = json.loads(run("build", *flags, "--dry-run", "--json", "--jobs", "1").stdout)
        self.assertGreater(told["seconds"], 0)
        self.assertEqual({**told, "seconds": 0}, {**again, "seconds": 0})

    def test_recipe_and_flags_are_not_mixed(self):
        recipe = write(self.path("r.json"), "{}")
        for flags in (["--tasks", "GoToGoal"], ["--epsilon", "0.1"], ["--format", "chat"], ["--level", "3"], ["--success"]):
            self.refuse(["build", recipe, *flags, "-o", self.path("d")], USAGE, "recipe")

    def test_statistics_match_the_rows(self):
        folder = self.build("d", *TWO_TASKS, "-n", "4", "--agent", "random", "--max-steps", "80")
        stats, rows = json.loads(read(folder + "/stats.json")), rows_of(folder)
        for group in stats["groups"]:
            mine = [row for row in rows if (row["task"], row["difficulty"]) == (group["task"], group["difficulty"])]
            ends = [row for row in mine if row["done"]]
            self.assertEqual((group["total_steps"], group["episodes"], group["successes"]),
                             (len(mine), len(ends), sum(row["success"] for row in ends)))
            for name, n in group["actions"].items():
                self.assertEqual(n, sum(row["action_name"] == name for row in mine))
            if ends:
                self.assertEqual(group["steps"]["max"], max(row["step"] for row in ends) + 1)
        self.assertEqual(stats["total"]["formats"]["steps"], {"rows": len(rows), "bytes": len(unpacked(folder, "steps"))})


class WhatVerifyFinds(InFolder):
    """Damages what only datasets with noise and several formats have; tests/dataset_test.py damages everything else."""

    def setUp(self):
        super().setUp()
        self.dataset = self.build("d", *EASY, "--epsilon", "0.3", "--intents", "-f", "steps,trajectories,chat", "--shard-episodes", "16")

    def repack(self, name, lines):
        write(os.path.join(self.dataset, name), gzip.compress("".join(line + "\n" for line in lines).encode(), mtime=0))

    def lines(self, name):
        return gzip.decompress(read(os.path.join(self.dataset, name))).decode().splitlines()

    def find(self, *words):
        self.refuse(["verify", self.dataset], FOUND, *words)

    def test_wrong_label_in_a_tape_is_found(self):
        name = "tapes-00000-of-00001.jsonl.gz"
        lines = self.lines(name)
        at = next(i for i, line in enumerate(lines) if "labels" in line)
        tape = json.loads(lines[at])
        step, label = tape["labels"][0]
        other = next(a for a in range(6) if a not in (label, tape["actions"][step]))
        self.repack(name, [*lines[:at], json.dumps({**tape, "labels": [[step, other], *tape["labels"][1:]]}), *lines[at + 1:]])
        self.find(f"episode {at}, {tape['name']}", name)

    def test_wrong_label_with_its_digest_is_found_by_asking_the_oracle_again(self):
        """The dataset of another labelling oracle, with digests, rows and hashes that fit; only the recipe does not."""
        other = self.build("other", *EASY, "--agent", "random", "--epsilon", "0.3", "-f", "steps,trajectories,chat",
                           "--shard-episodes", "16")
        manifest = json.loads(read(other + "/manifest.json"))
        manifest["recipe"]["labels"] = "expert"
        body = json.dumps({key: value for key, value in manifest.items() if key != "sha256"}).removesuffix("}")
        write(other + "/manifest.json", body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n')
        self.refuse(["verify", other], FOUND, "episode 0", "tapes-00000", "the label is not what the oracle gives")

    def test_wrong_intent_is_found(self):
        name = "tapes-00000-of-00001.jsonl.gz"
        lines = self.lines(name)
        self.repack(name, [lines[0].replace('"goal"', '"gaol"'), *lines[1:]])
        self.find("episode 0", "digest")

    def test_altered_rows_of_every_format_name_the_column(self):
        for kind, column, alter in (("steps", "label_int", lambda v: v + 1), ("trajectories", "rewards", lambda v: [v[0] + 1, *v[1:]]),
                                    ("trajectories", "labels", lambda v: [v[0] + 1, *v[1:]]), ("chat", "content", None)):
            name = kind + "-00000-of-00001.jsonl.gz"
            good = read(os.path.join(self.dataset, name))
            lines = self.lines(name)
            row = json.loads(lines[0])
            if alter:
                row[column] = alter(row[column])
            else:
                row["messages"][-1]["content"] = "dance"
            self.repack(name, [json.dumps(row, ensure_ascii=False), *lines[1:]])
            with self.subTest(kind=kind, column=column):
                self.find("episode 0", name, f"`{column}`")
            write(os.path.join(self.dataset, name), good)

    def test_missing_shard_and_edited_statistics_are_named(self):
        for name in ("chat-00000-of-00001.jsonl.gz", "trajectories-00000-of-00001.jsonl.gz", "stats.json"):
            good = read(os.path.join(self.dataset, name))
            os.remove(os.path.join(self.dataset, name))
            self.find(name)
            write(os.path.join(self.dataset, name), good)
        write(self.dataset + "/stats.json", read(self.dataset + "/stats.json").replace(b'"episodes": 6', b'"episodes": 7'))
        self.find("stats.json")


class Sources(InFolder):
    def test_a_build_from_tapes_does_not_remove_these_tapes(self):
        folder = self.build("d", "PreciseNavigation-v0/easy#1", "PreciseNavigation-v0/easy#2")
        before = contents(folder)
        tapes = os.path.join(folder, next(name for name in before if name.startswith("tapes")))
        os.symlink(tapes, self.path("link"))
        for source in (tapes, self.path("link"), os.path.join(folder, ".", os.path.basename(tapes))):
            for flags in ([], ["--force"]):
                self.refuse(["build", "--agent", "tapes:" + source, "--evaluation", "keep", "-o", folder, *flags], USAGE, "choose another")
                self.assertEqual(contents(folder), before)
        self.build("e", "--agent", "tapes:" + self.path("link"), "--evaluation", "keep")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
