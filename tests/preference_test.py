"""Format `preference`: pairs of answers by what actions cost, and pairs of whole plays.

    python3 tests/preference_test.py BUILD/seedbed BUILD/tests/seedbed-toy

What a pair should be is counted again here, from the rows of format `values`, by other code. python/tests/test_scoring.py judges pairs by
`score_action`.
"""
import collections
import json
import os
import shutil
import sys
import unittest

from dataset_support import TOY, USAGE, InFolder, contents, run, tapes_of, unpacked

NOISY = ["--tasks", "KeyDoorPuzzle,TagHunt,SwitchCircuit", "-d", "easy", "--split", "train", "-n", "6", "--epsilon", "0.2"]
FAMILIES = {"agentick": NOISY, "babyai": ["--family", "babyai", "--tasks", "GoToRedBall,UnlockPickup", "--seeds", "1..3", "--epsilon", "0.2"],
            "arc": ["--family", "arc", "--tasks", "Fold", "-d", "intro", "--seeds", "0..1", "--epsilon", "0.1"]}


def preference(name="preference", **options):
    return {"format": "preference", "name": name, **options}


def regret(costs, action):
    """(margin, unit) of an action beside the best one; None if it is not known, or if the action is none of those that cost something."""
    one, best = costs[action], max((cost for cost in costs.values() if cost["best"]), key=lambda cost: (cost["success"] or 0, -(cost["mean"] or 0)))
    if one["success"] is None or best["success"] is None or one["best"]:
        return None
    within = 2 * (one["success_error"] ** 2 + best["success_error"] ** 2) ** 0.5
    if best["success"] - one["success"] > within or one["mean"] is None:
        return best["success"] - one["success"], "probability"
    return one["mean"] - best["mean"], "steps"


def costs_of(row):
    keys = ("kinds", "proven", "best", "steps", "success", "success_error", "mean", "mean_error")
    return {action: {key.removesuffix("s") if key == "kinds" else key: row["cost_" + key][i] for key in keys} for i, action in enumerate(row["cost_action_ints"])}


class Preference(InFolder):
    def rows(self, kind, folder="d"):
        return [json.loads(line) for line in unpacked(self.path(folder), kind).splitlines()]

    def made(self, flags, *formats, folder="d", program=None):
        self.build(folder, *flags, "-f", json.dumps(formats), **({"program": program} if program else {}))
        return {format if isinstance(format, str) else format["name"]: self.rows(format if isinstance(format, str) else format["name"], folder) for format in formats}

    def states(self, rows):
        return {(row["name"], row["step"]): row for row in rows}


class Steps(Preference):
    def assert_pairs(self, made, name="preference", least=lambda margin, unit: True):
        """Every state with a worse action has one row, and the row says what the costs say."""
        pairs, ties = self.states(made[name]), 0
        self.assertEqual(len(pairs), len(made[name]), "one row a state at most")
        for where, state in self.states(made["values"]).items():
            costs = costs_of(state)
            worse = {action: regret(costs, action) for action in costs}
            worse = {action: by for action, by in worse.items() if by and least(*by)}
            ties += not worse
            self.assertEqual(where in pairs, bool(worse), where)
            if worse:
                pair = pairs[where]
                self.assertTrue(costs[pair["chosen_int"]]["best"])
                self.assertAlmostEqual(pair["margin"], worse[pair["rejected_int"]][0], 5)
                self.assertEqual(pair["margin_unit"], worse[pair["rejected_int"]][1])
                self.assertEqual(pair["proven"], costs[pair["chosen_int"]]["proven"] and costs[pair["rejected_int"]]["proven"])
        return ties

    def test_pairs_are_what_values_say(self):
        for family, flags in FAMILIES.items():
            with self.subTest(family):
                made = self.made(flags, "values", preference(), folder=family)
                self.assert_pairs(made)
                self.assert_verifies(self.path(family))

    def test_states_in_which_all_is_equally_good_make_no_pair(self):
        flags = ["--tasks", "PreciseNavigation", "-d", "hard", "--split", "train", "-n", "4", "--agent", "random"]
        made = self.made(flags, "values", preference())
        self.assertGreater(self.assert_pairs(made), 10)
        self.assertGreater(len(made["preference"]), 0)

    def test_the_label_is_chosen_if_it_is_a_best_action(self):
        made = self.made(NOISY, "steps", "values", preference())
        labels, states = self.states(made["steps"]), self.states(made["values"])
        kept = 0
        for row in made["preference"]:
            where = row["name"], row["step"]
            label, best = labels[where]["label_int"], [action for action, cost in costs_of(states[where]).items() if cost["best"]]
            self.assertEqual(row["chosen_int"], label if label in best else best[0])
            kept += label in best and label != best[0]
        self.assertGreater(kept, 5)

    def test_the_rejected_action_is_drawn_or_the_worst_or_the_closest(self):
        made = self.made(NOISY, "values", *(preference(which, rejected=which) for which in ("drawn", "worst", "closest")))
        states, shares, drawn = self.states(made["values"]), collections.Counter(), collections.defaultdict(set)
        for which in ("drawn", "worst", "closest"):
            self.assert_pairs(made, which)
            for row in made[which]:
                costs = costs_of(states[row["name"], row["step"]])
                worse = {action: regret(costs, action)[::-1] for action in costs if regret(costs, action)}
                wanted = {"drawn": [*worse.values()], "worst": [max(worse.values(), key=lambda by: (by[0] == "probability", by[1]))],
                          "closest": [min(worse.values(), key=lambda by: (by[0] == "probability", by[1]))]}[which]
                self.assertIn(worse[row["rejected_int"]], wanted)
                options = sorted(action for action in worse if worse[action] in wanted)
                if len(options) > 1:
                    shares[which, options.index(row["rejected_int"]) == 0] += 1
                    if which == "drawn":
                        drawn[row["name"], len(options)].add(options.index(row["rejected_int"]))
        for which in ("drawn", "worst", "closest"):
            first, others = shares[which, True], shares[which, False]
            self.assertTrue(0.1 * others < first < 2 * others, f"{which}: the first of equals is not drawn more often: {first}, {others}")
        self.assertTrue(any(len(places) > 1 for places in drawn.values()), "each step has a draw of its own")

    def test_the_margin_is_the_least_difference_of_its_unit(self):
        loses = ["--tasks", "KeyDoorPuzzle,PreciseNavigation", "-d", "hard", "--split", "train", "-n", "3", "--epsilon", "0.2"]
        made = self.made(loses, "values", preference(), preference("two", margin={"steps": 2}), preference("sure", margin={"probability": 1, "steps": 1e6}))
        self.assert_pairs(made)
        self.assert_pairs(made, "two", lambda by, unit: unit == "probability" or by >= 2)
        self.assert_pairs(made, "sure", lambda by, unit: unit == "probability" and by >= 1)
        self.assertTrue(0 < len(made["sure"]) < len(made["two"]) < len(made["preference"]))

    def test_styles_say_the_same(self):
        made = self.made(NOISY, preference("lists"), preference("whole", style="messages"), preference("texts", style="prompt"))
        for lists, whole, texts in zip(made["lists"], made["whole"], made["texts"], strict=True):
            self.assertEqual([message["role"] for message in lists["prompt"]], ["system", "user"])
            for answer in ("chosen", "rejected"):
                self.assertEqual([message["role"] for message in lists[answer]], ["assistant"])
                self.assertEqual(whole[answer], lists["prompt"] + lists[answer])
                self.assertEqual(texts[answer], lists[answer][0]["content"])
            self.assertEqual(texts["prompt"], "\n\n".join(message["content"] for message in lists["prompt"]))
            self.assertNotIn("prompt", whole)
            self.assertNotEqual(lists["chosen"], lists["rejected"])

    def test_prompts_and_chosen_answers_are_those_of_chat(self):
        options = {"style": "prompt_messages", "turns": 2, "answer": "{rationale}ACTION: {action}", "user": "{history}\n{scene}"}
        made = self.made(["--tasks", "KeyDoorPuzzle", "-d", "easy", "--seeds", "1..6", "--agent", "expert"], {"format": "chat", "name": "chat", **options},
                         preference(**options))
        talks = self.states(made["chat"])
        self.assertEqual(len(talks), len(made["preference"]), "an expert of the shortest path has a best action everywhere")
        for row in made["preference"]:
            talk = talks[row["name"], row["step"]]
            self.assertEqual((row["prompt"], row["chosen"]), (talk["prompt"], talk["completion"]))
            self.assertRegex(row["chosen"][0]["content"], r"^\w.* at .*\. ACTION: \d$|^ACTION")
            self.assertRegex(row["rejected"][0]["content"], r"^ACTION: \d$", "no reasons for the answer that is rejected")

    def test_the_label_has_no_reasons_where_it_is_rejected(self):
        made = self.made(["--tasks", "TreasureHunt,FogOfWarExploration", "-d", "easy", "--seeds", "1..8", "--agent", "observer"],
                         "steps", preference(answer="{rationale}{action}", rejected="worst"))
        labels, rejected = self.states(made["steps"]), 0
        for row in made["preference"]:
            self.assertEqual(row["rejected"][0]["content"], str(row["rejected_int"]))
            rejected += row["rejected_int"] == labels[row["name"], row["step"]]["action_int"]
        self.assertGreater(rejected, 0)

    def test_only_actions_on_offer_stand_in_a_pair(self):
        made = self.made(["--tasks", "KeyDoorPuzzle", "-d", "easy", "--seeds", "1..6", "--agent", "expert"],
                         preference("all"), preference("some", system="Play {task}.", user="{scene}\nOne of: {valid_actions}"))
        for row in made["some"]:
            offered = row["prompt"][-1]["content"].split("One of: ")[1].split(", ")
            self.assertIn(row["chosen"][0]["content"], offered)
            self.assertIn(row["rejected"][0]["content"], offered)
        self.assertLess(len({row["rejected_int"] for row in made["some"]} - {row["rejected_int"] for row in made["all"]}), 1)
        self.assertTrue(any(row["rejected"] != other["rejected"] for row, other in zip(self.states(made["some"]).values(), self.states(made["all"]).values())))

    def test_reasons_are_the_costs_in_words(self):
        made = self.made(NOISY, "values", preference(rejected="worst"))
        states, kinds = self.states(made["values"]), set()
        for row in made["preference"]:
            state = states[row["name"], row["step"]]
            costs, name = costs_of(state), dict(zip(state["cost_action_ints"], state["cost_actions"]))
            chosen, rejected = costs[row["chosen_int"]], costs[row["rejected_int"]]
            kinds |= {chosen["kind"], rejected["kind"]}
            if chosen["kind"] == "exact":
                self.assertEqual(row["chosen_why"], f"{chosen['steps']} step{'s' * (chosen['steps'] != 1)} to success, proven shortest")
                if rejected["kind"] == "exact":
                    more = int(row["margin"])
                    self.assertIn(row["rejected_why"], [f"{more} step{'s' * (more != 1)} more than {name[action]}" for action in costs if costs[action]["best"]])
            if chosen["kind"] == "estimate":
                self.assertRegex(row["chosen_why"], rf"^success in {round(64 * chosen['success'])} of 64 futures, on average in \d+\.\d steps$")
        self.assertLessEqual({"exact", "estimate"}, kinds)

    def test_bytes_do_not_depend_on_workers(self):
        formats = json.dumps([preference(), preference("plays", rows="episode"), preference("worst", rejected="worst", style="messages", turns=1)])
        one, three = (self.build(str(jobs), *NOISY, "-f", formats, "--jobs", str(jobs)) for jobs in (1, 3))
        self.assertEqual(contents(one), contents(three))
        self.assert_verifies(one)

    def test_parts_interruptions_and_later_formats_agree(self):
        flags = ["--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "40", "--epsilon", "0.2", "--shard-episodes", "16"]
        formats = ["steps", preference(), preference("plays", rows="episode")]
        wanted = contents(self.build("whole", *flags, "-f", json.dumps(formats)))
        parts = [self.build(f"part{i}", *flags, "-f", json.dumps(formats), "--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual(run("merge", *parts, "-o", self.path("merged")).returncode, 0)
        self.assertEqual(wanted, contents(self.path("merged")))
        shutil.copytree(parts[1], self.path("torn"))
        os.remove(os.path.join(self.path("torn"), next(name for name in os.listdir(self.path("torn")) if name.startswith("preference-"))))
        self.build("torn", *flags, "-f", json.dumps(formats), "--shard", "2/3", "--resume")
        self.assertEqual(contents(parts[1]), contents(self.path("torn")))
        self.build("later", *flags, "-f", "steps")
        for format in formats[1:]:
            self.assertEqual(run("render", self.path("later"), "-f", json.dumps(format)).returncode, 0)
        self.assertEqual(wanted, contents(self.path("later")))

    def test_rows_that_ask_the_same_are_dropped(self):
        flags = ["--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "30", "--epsilon", "0.2"]
        formats = [preference(style, style=style) for style in ("prompt_messages", "messages", "prompt")]
        made, left = self.made(flags, *formats), self.made([*flags, "--row-duplicates", "drop"], *formats, folder="left")
        for style, rows in made.items():
            prompts = {json.dumps([row["prompt"] if "prompt" in row else row["chosen"][:-1], row["chosen"]]) for row in rows}
            self.assertLess(len(prompts), len(rows))
            self.assertEqual(len(left[style]), len(prompts))
        self.assert_verifies(self.path("left"))

    def test_the_test_family_has_pairs(self):
        made = self.made(["--family", "toy", "--tasks", "Pile", "--seeds", "1..4", "--agent", "random"], "values", preference(), program=TOY)
        self.assertGreater(len(made["preference"]), 0)
        self.assert_pairs(made)


class Episodes(Preference):
    FLAGS = ["--tasks", "KeyDoorPuzzle,SwitchCircuit", "-d", "easy", "--split", "train", "-n", "10", "--agent", "expert:3,random:1", "--epsilon", "0.1",
             "--failures", "keep"]

    def shortest(self, names):
        path = self.path("plays.jsonl")
        self.assertEqual(run("solve", *names, "--agent", "expert", "-o", path).returncode, 0)
        with open(path, encoding="utf-8") as file:
            return {tape["name"]: tape for tape in map(json.loads, file)}

    def test_an_episode_that_failed_or_took_longer_stands_beside_the_teachers_play(self):
        made = self.made(self.FLAGS, preference(rows="episode"))
        tapes, rows = {tape["name"]: tape for tape in tapes_of(self.path("d"))}, {row["name"]: row for row in made["preference"]}
        plays = self.shortest(tapes)
        for name, tape in tapes.items():
            n, best = len(tape["actions"]), len(plays[name]["actions"])
            self.assertEqual(name in rows, not tape["success"] or n > best, name)
            if name not in rows:
                continue
            row = rows[name]
            self.assertEqual((row["margin"], row["margin_unit"]), (n - best, "steps") if tape["success"] else (1, "probability"))
            self.assertEqual((row["chosen_steps"], row["steps"], row["success"]), (best, n, tape["success"]))
            self.assertEqual(row["chosen_why"], f"success in {best} steps")
            self.assertEqual(row["rejected_why"], f"{'success' if tape['success'] else 'no success'} in {n} steps")
        self.assertEqual({row["margin_unit"] for row in rows.values()}, {"steps", "probability"})
        self.assertLess(len(rows), len(tapes))
        self.assert_verifies(self.path("d"))

    def test_plays_are_the_conversations_of_chat(self):
        options = {"rows": "episode", "answer": "{action}"}
        flags = ["--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "10", "--failures", "keep"]
        chat = {"format": "chat", "name": "chat", **options}
        made = self.made([*flags, "--agent", "random"], chat, preference(**options), preference("whole", style="messages", **options))
        best = {row["name"]: row["messages"] for row in self.made([*flags, "--agent", "expert"], chat, folder="best")["chat"]}
        talks = {row["name"]: row["messages"] for row in made["chat"]}
        self.assertEqual(len(made["preference"]), 10)
        for lists, whole in zip(made["preference"], made["whole"], strict=True):
            name = lists["name"]
            self.assertEqual((whole["chosen"], whole["rejected"]), (best[name], talks[name]))
            self.assertEqual([lists["prompt"] + lists[which] for which in ("chosen", "rejected")], [whole[which] for which in ("chosen", "rejected")])
            self.assertEqual([message["role"] for message in lists["prompt"]], ["system", "user"])

    def test_reasons_stand_in_the_chosen_play_alone(self):
        made = self.made([*self.FLAGS, "--intents"], preference(rows="episode", answer="{rationale}{action}"))
        self.assertTrue(any(tape.get("intents") for tape in tapes_of(self.path("d"))))
        for row in made["preference"]:
            self.assertTrue(any(len(message["content"]) > 1 for message in row["chosen"] if message["role"] == "assistant"))
            self.assertTrue(all(len(message["content"]) == 1 for message in row["rejected"] if message["role"] == "assistant"))

    def test_the_margin_leaves_out_what_took_little_longer(self):
        made = self.made(self.FLAGS, preference(rows="episode"), preference("far", rows="episode", margin={"steps": 3}))
        self.assertEqual(made["far"], [row for row in made["preference"] if row["margin_unit"] == "probability" or row["margin"] >= 3])
        self.assertLess(len(made["far"]), len(made["preference"]))

    def test_plays_that_nobody_plays_better_are_refused_before_the_build(self):
        for agent in ("expert", "observer"):  # KeyDoorPuzzle hides nothing, so both are one
            done = run("build", "--tasks", "KeyDoorPuzzle", "-n", "2", "--split", "train", "--agent", agent, "-f", json.dumps([preference(rows="episode")]),
                       "-o", self.path("none"))
            self.assertEqual(done.returncode, USAGE)
            self.assertIn("noise", done.stderr)
            self.assertFalse(os.path.exists(self.path("none")))

    def test_build_and_dry_run_count_the_episodes_without_a_pair(self):
        flags = ["--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "10", "--epsilon", "0.05", "-f", json.dumps([preference(rows="episode")])]
        done = run("build", *flags, "-o", self.path("d"))
        self.assertEqual(done.returncode, 0)
        n = len(self.rows("preference"))
        self.assertTrue(0 < n < 10)
        self.assertIn(f"preference: {n} rows, so {10 - n} or more of 10 episodes have none", done.stdout + done.stderr)
        self.assertIn(f"so about {10 - n} episodes or more have none", run("build", *flags, "--dry-run").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
