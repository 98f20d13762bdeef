"""Rows worth imitating: no answer is outside what its own prompt offers, and failed episodes of oracles get no rows.

    python3 tests/worth_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import unittest
import zipfile

from dataset_support import FOUND, TOY, USAGE, InFolder, contents, read, rows_of, run, tapes_of, unpacked, write

# Tasks whose experts take actions that the published hint leaves out.
MASKED = ["--tasks", "LightsOut,GraphColoring,KeyDoorPuzzle,BacktrackPuzzle", "-d", "easy", "--split", "train", "-n", "4", "--evaluation", "keep"]
ACTIONS = "noop, move_up, move_down, move_left, move_right, interact"
# Tasks in which the observer loses episodes, in three ways.
HARD = ["--tasks", "PreciseNavigation,FewShotAdaptation,FogOfWarExploration", "-d", "hard,expert", "--split", "train", "-n", "10"]


def text_of(content):
    return content if isinstance(content, str) else "".join(part["text"] or "" for part in content)


def chat_rows(folder):
    if any(name.endswith(".zip") for name in os.listdir(folder)):
        with zipfile.ZipFile(os.path.join(folder, "chat-00000-of-00001.zip")) as archive:
            return [json.loads(line) for line in archive.read("metadata.jsonl").splitlines()]
    return [json.loads(line) for line in unpacked(folder, "chat").splitlines()]


def prompts_and_answers(row):
    """The system's text, the user's, and the answer: one triple for each answer."""
    if isinstance(row.get("prompt"), str):
        return [(row["prompt"], "", row["completion"])]
    messages = row.get("messages") or row["prompt"] + row["completion"]
    texts = [(message["role"], text_of(message["content"])) for message in messages]
    system = "".join(text for role, text in texts if role == "system")
    return [(system, texts[i - 1][1], text) for i, (role, text) in enumerate(texts) if role == "assistant"]


def resealed(manifest):
    text = json.dumps(manifest)[:-1].encode()
    return text + b',\n "sha256": "' + hashlib.sha256(text).hexdigest().encode() + b'"}\n'


class Offers(InFolder):
    def chat(self, name, *flags, **options):
        folder = self.build(name, *flags, "--force", "--format", json.dumps([{"format": "chat", **options}]))
        self.assert_verifies(folder)
        return folder

    def test_no_answer_is_outside_what_its_prompt_offers(self):
        for options in ({}, {"style": "prompt"}, {"style": "prompt_messages"}, {"turns": 2}, {"rows": "episode"}, {"pixels": {"look": "flat"}},
                        {"modes": "language"}, {"modes": "structured"}, {"modes": "state"}):
            with self.subTest(options):
                for row in chat_rows(self.chat("d", *MASKED, **options)):
                    for system, user, answer in prompts_and_answers(row):
                        self.assertIn(f"Answer with one of these actions: {ACTIONS}.", system)
                        self.assertIn(answer, ACTIONS.split(", "))
                        self.assertNotRegex(user, "(?i)valid.actions")
        rows = [prompts_and_answers(row)[0] for row in chat_rows(self.chat("d", *MASKED, user="{valid_actions}"))]
        self.assertGreater(sum(answer not in user.split(", ") for _, user, answer in rows), 10, "the hint leaves many out")

    def test_clicks_and_other_families_are_on_offer(self):
        for episode in ("babyai:GoToRedBall#1", "autumn:HeatBar#1", "arc:TwinCompass/full#1", "autumn:Seesaw/planning-3#1"):
            for system, _, answer in prompts_and_answers(chat_rows(self.chat("d", episode, "--evaluation", "keep", "--failures", "keep",
                                                                             rows="episode"))[0]):
                offer = re.search(r"Answer with one of these actions: (.*)\.\Z", system).group(1).split(", ")
                self.assertIn("click" if answer.startswith("click") else answer, offer)

    def test_a_prompt_that_offers_only_the_hint_is_refused_at_the_first_answer_outside(self):
        for options in ({"user": "{valid_actions}", "system": "Play."}, {"user": "{observation}", "modes": "language", "system": ""},
                        {"user": "{state}", "system": ""},
                        {"user": "{scene} {structured}", "modes": "ascii", "system": ""},
                        {"user": "{observation}", "modes": "structured", "system": "", "style": "prompt"},
                        {"user": "{valid_actions}", "system": "", "rows": "episode"},
                        {"user": "{image}{valid_actions}", "system": "", "pixels": {"look": "flat"}}):
            form = json.dumps({"format": "chat", **options})
            self.refuse(["build", "LightsOut/easy#1", "-o", self.path("no"), "--format", form], USAGE, "LightsOut-v0/easy#1", "step ",
                        "published hint", "{actions}",
                        " is none of the actions that its prompt offers")
            self.assertFalse(os.path.exists(self.path("no/manifest.json")))
            self.chat("d", "GoToGoal/easy#1", "--evaluation", "keep", **options)  # its hint has all that the expert does
            for key in ("system", "user"):
                self.chat("d", "LightsOut/easy#1", **{**options, key: options[key] + " {actions}"})
        self.chat("d", "LightsOut/easy#1", user="{scene}", modes="structured", system="No list at all.")

    def test_what_was_done_in_repeated_turns_is_on_offer_too(self):
        flags = ["--tasks", "MazeNavigation", "-d", "easy", "--seeds", "0..3", "--epsilon", "0.5", "--evaluation", "keep"]
        alone = {"format": "chat", "user": "{valid_actions}", "system": ""}
        self.build("d", *flags, "--format", json.dumps([alone]))
        self.refuse(["build", *flags, "-o", self.path("no"), "--format", json.dumps([{**alone, "turns": 3}])], USAGE,
                    "none of the actions that its prompt offers")

    def test_a_row_whose_offer_lacks_its_answer_is_found_in_words(self):
        for options in ({}, {"style": "prompt"}, {"style": "prompt_messages", "valid": {"item": "[{action}={action_name}]"}}):
            folder = self.chat("d", "LightsOut/easy#1", **options)
            lines = unpacked(folder, "chat").splitlines(keepends=True)
            at = next(i for i, line in enumerate(lines) if prompts_and_answers(json.loads(line))[0][2] == "interact" or i == len(lines) - 1)
            answer = prompts_and_answers(json.loads(lines[at]))[0][2]
            listed = re.search(rb"(\[\d=" + answer.encode() + rb"\]|(?<=: |, )" + answer.encode() + rb"(, |\.))", lines[at])
            lines[at] = lines[at].replace(listed.group(0), b"", 1)
            file = next(name for name in os.listdir(folder) if name.startswith("chat-"))
            write(os.path.join(folder, file), gzip.compress(b"".join(lines)))
            self.refuse(["verify", folder], FOUND, file, f"row {at} of the episode", "its answer is none of the actions that its prompt offers")

    def test_a_dataset_that_says_its_hint_is_all_on_offer_is_found_in_words(self):
        recipe = {"names": ["LightsOut/easy#1"], "defaults": 1,
                  "formats": [{"format": "chat", "system": "Only these: {valid_actions}", "user": "{scene}"}]}
        folder = self.build("d", write(self.path("recipe.json"), json.dumps(recipe)))
        self.assert_verifies(folder)
        manifest = json.loads(read(self.path("d/manifest.json")))
        del manifest["sha256"]
        manifest["recipe"]["defaults"] = 2
        write(self.path("d/manifest.json"), resealed(manifest))
        self.refuse(["verify", folder], FOUND, "LightsOut-v0/easy#1", "none of the actions that its prompt offers")


class Failures(InFolder):
    def recipe(self, **keys):
        return write(self.path("recipe.json"), json.dumps({"tasks": HARD[1], "difficulty": HARD[3], "split": "train", "count": 10, **keys}))

    def manifest(self, folder):
        return json.loads(read(folder + "/manifest.json"))

    def test_failed_episodes_of_oracles_have_tapes_and_no_rows(self):
        folder, kept = self.build("d", *HARD), self.build("k", *HARD, "--failures", "keep")
        self.assert_verifies(folder), self.assert_verifies(kept)
        tapes, rows, all_rows = tapes_of(folder), rows_of(folder), rows_of(kept)
        lost = sum(not tape["success"] for tape in tapes)
        self.assertGreater(lost, 5)
        self.assertEqual(tapes, tapes_of(kept))
        self.assertEqual(rows, [row for row in all_rows if row["success"]], "rows, columns and episode_id are the same")
        self.assertEqual((self.manifest(folder)["filtered"], self.manifest(kept)["filtered"]), (lost, 0))
        self.assertEqual([self.manifest(f)["recipe"]["failures"] for f in (folder, kept)], ["drop", "keep"])
        self.assertIn("lucky futures", read(folder + "/README.md").decode())
        self.assertIn(f"{lost} were played and were not solved: left out", read(folder + "/README.md").decode())
        self.assertNotIn("lucky futures", read(kept + "/README.md").decode())

    def test_who_plays_and_for_whom_decides_what_is_dropped(self):
        small = ["--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..2", "--evaluation", "keep"]
        for flags, said in (([], "drop"), (["--agent", "expert:1,observer:1"], "drop"), (["--epsilon", "0.3"], "drop"),
                            (["--agent", "random"], "keep"), (["--agent", "expert:1,random:1"], "keep"),
                            (["--agent", "random", "--labels", "observer"], "keep"), (["-f", "npz"], "keep"),
                            (["-f", "npz,seedpack"], "keep"), (["-f", "npz,steps"], "drop"),
                            (["-f", "npz", "--failures", "drop"], "drop"), (["--success"], "keep"),
                            (["--agent", "random", "--failures", "drop"], "drop")):
            with self.subTest(flags):
                folder = self.build("d", *small, *flags, "--force")
                self.assertEqual(self.manifest(folder)["recipe"]["failures"], said)
                self.assert_verifies(folder)
        for flags in (["--family", "arc", "--tasks", "Fold", "-d", "intro", "--seeds", "0..1", "--agent", "curious"], ["autumn:HeatBar#1"]):
            self.assertEqual(self.manifest(self.build("d", *flags, "--force"))["recipe"]["failures"], "keep")
        tapes = write(self.path("tapes.jsonl"), unpacked(self.build("t", *small, "--agent", "random"), "tapes"))
        self.assertEqual(self.manifest(self.build("d", "--agent", "tapes:" + tapes, "--evaluation", "keep", "--force"))["recipe"]["failures"], "keep")

    def test_tasks_without_success_lose_nothing(self):
        folder = self.build("d", "autumn:HeatBar#1", "--failures", "drop")
        self.assertGreater(len(rows_of(folder)), 0)

    def test_what_leaves_nothing_is_refused(self):
        self.refuse(["build", self.recipe(failures="drop", filter={"success": False}), "-o", self.path("no")], USAGE, "failures", "leave nothing")
        self.refuse(["build", self.recipe(failures="lose"), "-o", self.path("no")], USAGE, "`failures`", "keep or drop")
        self.refuse(["build", self.recipe(defaults=4), "-o", self.path("no")], FOUND, "`defaults`", "1 to 3")
        folder = self.build("d", self.recipe(filter={"success": False}))
        self.assertEqual({row["success"] for row in rows_of(folder)}, {False})

    def test_a_recipe_without_the_key_builds_what_its_version_built(self):
        """Datasets of before the key are resumed, rendered, extended and verified as they were begun."""
        old = self.build("old", self.recipe(defaults=1, formats=["chat"]))
        self.assertNotIn("failures", self.manifest(old)["recipe"])
        self.assertNotIn("defaults", self.manifest(old)["recipe"])
        self.assertEqual(self.manifest(old)["filtered"], 0)
        system, user, _ = prompts_and_answers(chat_rows(old)[0])[0]
        self.assertTrue(system.endswith("\nAnswer with one of the valid actions."))
        self.assertRegex(user, r"\n\nValid actions: [a-z_]+(, [a-z_]+)*\Z")
        before = contents(old)
        self.build("old", self.recipe(formats=["chat"]), "--resume")
        self.assertEqual(contents(old), before)
        self.assert_verifies(old)
        self.refuse(["build", self.recipe(formats=["chat"], failures="drop"), "--resume", "-o", old], USAGE, "another recipe")
        self.assertEqual(run("render", old, "-f", "steps", "-q").returncode, 0)
        self.assertEqual({row["success"] for row in rows_of(old)}, {True, False})
        self.assertEqual(run("build", "--extend", "--seeds", "5..9", "-d", "hard", "-o", old, "-q").returncode, 0)
        self.assert_verifies(old)
        self.assertNotIn("failures", self.manifest(old)["recipe"])

    def test_an_interrupted_build_of_before_goes_on_as_it_was_begun(self):
        flags = ["--shard-episodes", "16"]
        keys = {"formats": ["chat"], "shard_episodes": 16}
        whole = self.build("whole", self.recipe(defaults=1, **keys))
        parts = [self.build(f"part{i}", self.recipe(defaults=1, **keys), "--shard", f"{i}/2") for i in (1, 2)]
        half = self.path("half")  # what an interruption leaves: the shards that were finished, and their journal
        shutil.copytree(parts[0], half)
        journal = read(half + "/journal.jsonl").replace(b'"part": 1, "parts": 2', b'"part": 1, "parts": 1')
        write(half + "/journal.jsonl", journal)
        self.build("half", self.recipe(**keys), "--resume")
        self.assertEqual(contents(half), contents(whole), flags)

    def test_renderings_and_parts_keep_what_the_build_decided(self):
        folder = self.build("d", *HARD, "-f", "npz")
        self.assertEqual(run("render", folder, "-f", "steps", "-q").returncode, 0)
        self.assert_verifies(folder)
        self.assertEqual({row["success"] for row in rows_of(folder)}, {True, False})
        self.assertEqual(contents(folder), contents(self.build("e", *HARD, "-f", "npz,steps", "--failures", "keep")))
        parts = [self.build(f"part{i}", *HARD, "--shard-episodes", "16", "--shard", f"{i}/2") for i in (1, 2)]
        self.assertEqual(run("merge", *parts, "-o", self.path("merged"), "-q").returncode, 0)
        self.assertEqual(contents(self.path("merged")), contents(self.build("whole", *HARD, "--shard-episodes", "16")))
        self.assertEqual(run("build", "--extend", "--agent", "observer", "-n", "12", *HARD[:6], "-o", self.path("whole"), "--shard-episodes", "16",
                             "-q").returncode, 0)
        self.assert_verifies(self.path("whole"))
        self.assertEqual({row["success"] for row in rows_of(self.path("whole"))}, {True})

    def test_a_budget_counts_solved_episodes(self):
        folder = self.build("d", *HARD[:6], "--episodes", "40")
        self.assert_verifies(folder)
        manifest = self.manifest(folder)
        self.assertEqual((manifest["episodes"], manifest["successes"]), (40, 40))
        self.assertEqual(manifest["filtered"], sum(not tape["success"] for tape in tapes_of(folder)))

    def test_a_dry_run_says_how_many_fall_away_and_why(self):
        said = json.loads(run("build", *HARD, "--dry-run", "--json").stdout)
        tapes = [tape for tape in tapes_of(self.build("d", *HARD)) if not tape["success"]]
        why = said["failures"]
        self.assertEqual((said["sampled"], why["sampled"], why["left_out"]), (60, len(tapes), True), "the sample is everything")
        self.assertEqual(why["episodes"], len(tapes))
        self.assertEqual(sum(why[key] for key in ("impossible", "ended", "gave_up", "ran_out")), len(tapes))
        verdicts = [json.loads(line) for line in run("certify", *(tape["name"] for tape in tapes), "--json", "--budget", "20000").stdout.splitlines()]
        self.assertEqual(why["impossible"], sum(verdict["verdict"] == "impossible" for verdict in verdicts))
        self.assertGreater(why["impossible"], 0)
        text = run("build", *HARD, "--dry-run").stdout
        self.assertRegex(text, rf"about {len(tapes)} of the episodes played are not solved and left out \(--failures keep keeps them\); "
                               rf"of {len(tapes)} in the sample: .*impossible")
        self.assertRegex(run("build", *HARD, "--dry-run", "--failures", "keep").stdout, r"not solved and kept \(--failures drop")
        self.assertNotIn("not solved", run("build", "GoToGoal/easy#1", "--dry-run").stdout)

    def test_how_random_play_loses_is_told_apart(self):
        said = json.loads(run("build", "--tasks", "GoToGoal,InstructionFollowing", "-d", "hard", "--seeds", "0..29", "--evaluation", "keep",
                              "--agent", "random", "--dry-run", "--json").stdout)["failures"]
        tapes = [tape for tape in tapes_of(self.build("d", "--tasks", "GoToGoal,InstructionFollowing", "-d", "hard", "--seeds", "0..29",
                                                      "--evaluation", "keep", "--agent", "random"))
                 if not tape["success"]]
        self.assertEqual((said["sampled"], said["left_out"], said["impossible"], said["gave_up"]), (len(tapes), False, 0, 0))
        self.assertEqual(said["ended"], sum(tape["terminated"] for tape in tapes))
        self.assertEqual(said["ran_out"], sum(not tape["terminated"] for tape in tapes))
        self.assertGreater(said["ended"] * said["ran_out"], 0)

    def test_the_test_family_too(self):
        for flags, said in (([], "drop"), (["--agent", "random"], "keep")):
            folder = self.build("d", "--family", "toy", "-n", "10", *flags, "--force", program=TOY)
            self.assertEqual(self.manifest(folder)["recipe"]["failures"], said)
            self.assert_verifies(folder, program=TOY)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
