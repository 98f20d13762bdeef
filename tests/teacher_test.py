"""Data that can be imitated: who teaches by default, in how many steps another teacher does what the observer would not do, what rationales and
prompts tell, and that nothing that begins like an evaluation episode is left.

    python3 tests/teacher_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import re
import sys
import unittest

from dataset_support import TOY, USAGE, InFolder, contents, episodes_of, read, rows_of, run, tapes_of, unpacked, write

HIDDEN = ["--tasks", "FewShotAdaptation,TreasureHunt,GoToGoal,KeyDoorPuzzle", "-d", "easy", "--split", "train"]


def documents(folder):
    return json.loads(read(folder + "/stats.json")), read(folder + "/README.md").decode()


class Teachers(InFolder):
    def test_the_observer_acts_unless_another_agent_is_named(self):
        for flags, program, agent in ((["--tasks", "KeyDoorPuzzle", "--seeds", "0..3"], None, "observer"), (["--tasks", "GoToObj", "--seeds", "0..3"], None, "observer"),
                                      (["--tasks", "Pile,Hunt", "-n", "3"], TOY, "expert"), (["--tasks", "climb:Climb", "-n", "3"], TOY, "expert")):
            folder = self.build("d", *flags, "--force", **({"program": program} if program else {}))
            self.assertEqual({tape["agent"] for tape in tapes_of(folder)}, {agent}, flags)
            self.assertEqual(json.loads(read(folder + "/manifest.json"))["recipe"]["oracle"], agent)
        named = self.build("n", *HIDDEN, "-n", "2", "--agent", "observer")
        self.assertEqual(contents(named), contents(self.build("m", *HIDDEN, "-n", "2")))

    def test_other_commands_keep_the_expert(self):
        self.assertEqual(json.loads(run("solve", "FogOfWarExploration/easy#1", "--json").stdout)["agent"], "expert")
        self.assertEqual(json.loads(run("eval", "FogOfWarExploration/easy#1", "--json").stdout)["agent"]["spec"], "expert")

    def test_documents_say_in_how_many_steps_another_teacher_does_not_do_what_the_observer_does(self):
        folder = self.build("d", *HIDDEN, "-n", "10", "--agent", "expert")
        labelled = rows_of(self.build("l", *HIDDEN, "-n", "10", "--agent", "expert", "--labels", "observer"))
        unlike = sum(row["label_int"] != row["action_int"] for row in labelled)
        privileged = [row for row in labelled if row["task"] != "KeyDoorPuzzle-v0"]  # whose expert needs nothing that is hidden
        self.assertGreater(unlike, 0)
        stats, card = documents(folder)
        self.assertEqual((stats["total"]["compared_steps"], stats["total"]["unlike_observer"]), (len(privileged), unlike))
        for group in stats["groups"]:
            mine = [row for row in privileged if row["task"] == group["task"]]
            self.assertEqual(group.get("compared_steps", 0), len(mine))
            self.assertEqual(group.get("unlike_observer", 0), sum(row["label_int"] != row["action_int"] for row in mine))
        self.assertIn(f"In {unlike} of {len(privileged)} steps ", card)
        self.assert_verifies(folder)
        told = json.loads(run("build", *HIDDEN, "-n", "10", "--agent", "expert", "--dry-run", "--json").stdout)
        self.assertEqual((told["compared_steps"], told["unlike_observer"]), (len(privileged), unlike), "the sample is everything")
        self.assertRegex(run("build", *HIDDEN, "-n", "10", "--agent", "expert", "--dry-run").stdout, r"in \d+\.\d % of the sample's steps")
        self.assertRegex(run("build", *HIDDEN, "-n", "10", "--agent", "expert", "-o", self.path("s")).stdout, f"in {unlike} of {len(privileged)} compared steps")

    def test_labels_of_another_teacher_are_compared_and_nothing_is_said_of_the_observer(self):
        folder = self.build("d", *HIDDEN, "-n", "5", "--agent", "random", "--labels", "expert")
        self.assertGreater(documents(folder)[0]["total"]["unlike_observer"], 0)
        self.assert_verifies(folder)
        for flags in ([], ["--agent", "random"], ["--agent", "expert", "--labels", "observer"]):
            stats, card = documents(self.build("o", *HIDDEN, "-n", "5", "--force", *flags))
            self.assertNotIn("observer", json.dumps(stats), flags)
            self.assertNotIn("but guess", card)

    def test_in_large_datasets_a_sample_is_compared_and_parts_and_renderings_say_the_same(self):
        flags = ["--tasks", "TreasureHunt", "-d", "easy", "--seeds", "0..1499", "--agent", "expert", "--shard-episodes", "512"]
        whole = self.build("whole", *flags)
        steps = {row["episode_id"]: len(rows) for rows in episodes_of(rows_of(whole)) for row in rows[:1]}
        self.assertEqual(documents(whole)[0]["total"]["compared_steps"], sum(n for i, n in steps.items() if i % 2 == 0))
        parts = [self.build(f"part{i}", *flags, "--shard", f"{i}/2") for i in (1, 2)]
        self.assertEqual(run("merge", *parts, "-o", self.path("merged"), "-q").returncode, 0)
        self.assertEqual(contents(self.path("merged")), contents(whole))
        self.assertEqual(run("render", self.path("merged"), "-f", "seedpack", "-q").returncode, 0)
        self.assertEqual(documents(self.path("merged"))[0]["total"]["unlike_observer"], documents(whole)[0]["total"]["unlike_observer"])


class Guard(InFolder):
    def test_what_begins_like_an_evaluation_episode_is_left_out_and_counted(self):
        flags = ["--tasks", "MazeNavigation", "-d", "easy", "-m", "state"]
        done = run("build", *flags, "--split", "train", "-n", "100", "-o", self.path("d"))
        left_out = int(re.search(r"(\d+) are the same game as one to evaluate with: left out", done.stdout).group(1))
        self.assertGreater(left_out, 0)
        begins = {row["state_render"] for row in rows_of(self.path("d")) if row["step"] == 0}
        evaluation = {row["state_render"] for row in rows_of(self.build("e", *flags)) if row["step"] == 0}
        self.assertFalse(begins & evaluation)
        self.assertEqual(json.loads(read(self.path("d/manifest.json")))["across"], {"found": left_out, "left_out": True})
        kept = self.build("k", *flags, "--split", "train", "-n", "100", "--evaluation", "keep")
        self.assertEqual(len(tapes_of(kept)), len(tapes_of(self.path("d"))) + left_out)
        self.assertTrue({row["state_render"] for row in rows_of(kept) if row["step"] == 0} & evaluation)

    def test_keeping_duplicates_does_not_bring_them_back(self):
        flags = ["--tasks", "MazeNavigation", "-d", "easy", "--split", "train", "-n", "50"]
        self.assertEqual(contents(self.build("d", *flags)), contents(self.build("k", *flags, "--duplicates", "keep")))


class Conversations(InFolder):
    CHAT = {"format": "chat", "style": "prompt", "modes": "language", "answer": "{rationale}{action_name}"}

    def rows(self, *flags, name="d", **options):
        folder = self.build(name, *flags, "--format", json.dumps([{**self.CHAT, **options}]), "--force")
        self.assert_verifies(folder)
        return [json.loads(line) for line in unpacked(folder, "chat").splitlines()]

    def test_the_default_prompt_lists_all_actions_once(self):
        for row in self.rows("--tasks", "KeyDoorPuzzle,ToolUse,BacktrackPuzzle", "-d", "easy,medium", "--split", "train", "-n", "4"):
            self.assertEqual(row["prompt"].count("actions: "), 1)
            self.assertIn("Answer with one of these actions: noop, move_up, move_down, move_left, move_right, interact.\n", row["prompt"])

    def test_the_observation_itself_stays_as_published(self):
        for row in self.rows("--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "4", user="{observation}|{language}"):
            seen, _, again = row["prompt"].partition("\n\n")[2].partition("|")
            self.assertEqual(seen, again)
            self.assertRegex(seen, r"Valid actions: [a-z_, ]+(\.|, \.\.\.)$")

    def test_rationales_name_coordinates_only_where_an_observation_does(self):
        flags = ["--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "4"]
        place = re.compile(r"\(\d+,\d+\)")
        for options, has_places in (({}, False), ({"modes": "ascii"}, True), ({"user": "{scene} {state}"}, True), ({"modes": "ascii", "user": "{language}"}, False)):
            told = [row["completion"] for row in self.rows(*flags, **options)]
            self.assertTrue(any("the " in text for text in told), "there are rationales")
            self.assertEqual(any(place.search(text) for text in told), has_places, options)
        told = [row["completion"] for row in self.rows("--tasks", "GoToLocal", "--seeds", "0..5", modes="ascii")]
        self.assertTrue(any("the " in text for text in told))
        self.assertFalse(any(place.search(text) for text in told), "BabyAI's views tell no coordinates")

    def test_intents_of_oracles_that_know_more_are_refused_unless_asked_for(self):
        flags = ["build", "--tasks", "TreasureHunt,KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "4", "-o", self.path("d"), "-q"]
        chat = json.dumps([self.CHAT])
        for agent in (["--agent", "expert"], ["--agent", "observer", "--labels", "expert"], ["--agent", "expert:1,random:1"], ["--agent", "clairvoyant"]):
            self.refuse([*flags, *agent, "-f", chat], USAGE, "`rationale`", '"intents": "any"')
        for agent in ([], ["--agent", "expert", "--labels", "observer"], ["--agent", "random"]):
            self.assertEqual(run(*flags, *agent, "-f", chat, "--force").returncode, 0, agent)
        # An expert that needs nothing hidden may tell what it wants.
        self.assertEqual(run("build", "--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "4", "-o", self.path("k"), "-q", "--agent", "expert", "-f", chat).returncode, 0)
        told = self.rows("--tasks", "TreasureHunt", "-d", "easy", "--split", "train", "-n", "4", "--agent", "expert", intents="any")
        self.assertTrue(any("the " in row["completion"] for row in told))

    def test_intents_of_recorded_tapes_are_told_only_if_their_agent_saw_what_is_shown(self):
        flags = ["--tasks", "TreasureHunt", "-d", "easy", "--split", "train", "-n", "4", "--intents"]
        for agent, tells in (("expert", False), ("observer", True)):
            tapes = write(self.path("t.jsonl"), unpacked(self.build("t", *flags, "--agent", agent, "--force"), "tapes"))
            told = self.rows("--agent", "tapes:" + tapes)
            self.assertEqual(any("the " in row["completion"] for row in told), tells, agent)
            self.assertTrue(any("the " in row["completion"] for row in self.rows("--agent", "tapes:" + tapes, intents="any")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
