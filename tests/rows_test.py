"""Rows as prompts with answers: the census that the card tells, and the rules of a recipe that leave rows out.

    python3 tests/rows_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Everything is counted again here, from the rows, by other code.

Label: output
"""
import hashlib
import json
import os
import re
import shutil
import sys
import unittest

from dataset_support import FOUND, USAGE, InFolder, contents, read, resealed, run, unpacked, write

# Small rooms, in which many episodes come to the same places; two shards of sixteen and more.
SMALL = ["--tasks", "KeyDoorPuzzle,LightsOut", "-d", "easy", "--split", "train", "-n", "40", "--shard-episodes", "16"]
N_LABELS = "400" if os.environ.get("SEEDBED_NIGHTLY") else "60"  # episodes
DROP = ["--row-duplicates", "drop"]
SPLITS = {"tasks": "KeyDoorPuzzle,LightsOut", "difficulty": "easy", "splits": {"train": {"count": 40}, "test": {"count": 25}}}


def question(row):
    """(prompt, last message of the user, answer) of a row of `chat` or `steps`."""
    if "messages" in row:
        return json.dumps(row["messages"][:-1]), json.dumps(row["messages"][-2]), row["messages"][-1]["content"]
    if "prompt" in row and isinstance(row["prompt"], str):
        return row["prompt"], row["prompt"], row["completion"]
    if "prompt" in row:
        return json.dumps(row["prompt"]), json.dumps(row["prompt"][-1]), json.dumps(row["completion"])
    shown = json.dumps([row["ascii_render"], row["language_render"]])
    return row["task"] + shown, shown, row.get("label_int", row["action_int"])


def rows_of(folder, kind):
    return [json.loads(line) for line in unpacked(folder, kind).splitlines()]


def without_repetition(rows, apart=()):
    """What "drop" leaves, by the definition."""
    seen, kept = set(), []
    for row in rows:
        prompt, shown, answer = question(row)
        if shown in apart or (prompt, answer) in seen:
            continue
        seen.add((prompt, answer))
        kept.append(row)
    return kept


class Rows(InFolder):
    def manifest(self, folder):
        return json.loads(read(os.path.join(folder, "manifest.json")))

    def recipe(self, name, **keys):
        return write(self.path(name + ".json"), json.dumps(keys))


class Census(Rows):
    def counted(self, rows):
        answers = {}
        for prompt, _, answer in map(question, rows):
            answers.setdefault(prompt, set()).add(answer)
        pairs = sum(map(len, answers.values()))
        return {"rows": len(rows), "prompts": len(answers), "repeated": len(rows) - pairs,
                "conflicts": sum(len(several) > 1 for several in answers.values()), "answers": len(set().union(*answers.values()))}

    def test_the_manifest_counts_what_the_rows_say(self):
        formats = [{"format": "chat", "name": style, "style": style, **more} for style, more in
                   (("messages", {}), ("prompt", {"user": "\\\"{scene}\\\\"}), ("prompt_messages", {"turns": 2}))]
        flags = [*SMALL, "--agent", "expert:1,random:2", "--epsilon", "0.2", "-f", json.dumps(["steps", *formats])]
        facts = self.manifest(self.build("d", *flags))["prompts"]
        self.assertEqual([item["format"] for item in facts], ["steps", "messages", "prompt", "prompt_messages"])
        for item in facts:
            rows = rows_of(self.path("d"), item["format"])
            with self.subTest(item["format"]):
                self.assertEqual(self.counted(rows), {key: item[key] for key in ("rows", "prompts", "repeated", "conflicts", "answers")})
                self.assertGreater(item["conflicts"], 0, "two agents do not act alike")
                self.assertEqual(sum(where["prompts"] for where in item["conflicts_in"]), item["conflicts"])
        self.assert_verifies(self.path("d"))

    def test_conflicts_are_named_by_task(self):
        folder = self.build("d", *SMALL, "--agent", "random", "-f", "chat")
        by_task = {}
        for row in rows_of(folder, "chat"):
            prompt, _, answer = question(row)
            by_task.setdefault(row["task"], {}).setdefault(prompt, set()).add(answer)
        item, = self.manifest(folder)["prompts"]
        wanted = {task: sum(len(several) > 1 for several in prompts.values()) for task, prompts in by_task.items()}
        self.assertEqual({where["task"]: where["prompts"] for where in item["conflicts_in"]}, wanted)
        card = read(os.path.join(folder, "README.md")).decode()
        for task, n in wanted.items():
            self.assertIn(f"{task}/easy {n}", card)

    def test_conflicts_are_named_where_tasks_have_no_difficulties(self):
        folder = self.build("d", "--family", "babyai", "--tasks", "GoToRedBall,GoToLocal", "--split", "train", "-n", "20", "--agent", "random", "-f", "chat")
        item, = self.manifest(folder)["prompts"]
        self.assertGreater(item["conflicts"], 0)
        self.assertEqual(sum(where["prompts"] for where in item["conflicts_in"]), item["conflicts"])
        self.assertIn(f'{item["conflicts_in"][0]["task"]} {item["conflicts_in"][0]["prompts"]}', read(os.path.join(folder, "README.md")).decode())

    def test_the_prompts_of_an_evaluation_are_looked_for(self):
        folder = self.build("d", *SMALL, "-f", "chat,steps")
        ours = self.build("e", "--tasks", "KeyDoorPuzzle,LightsOut", "-d", "easy", "--split", "eval", "-f", "chat,steps")
        said = run("build", *SMALL, "-f", "chat,steps", "--force", "-o", folder).stdout
        for item in self.manifest(folder)["prompts"]:
            evaluation, here = ({question(row)[1] for row in rows_of(where, item["format"])} for where in (ours, folder))
            self.assertEqual(item["evaluation"], {"listed": 50, "played": 50, "prompts": len(evaluation), "found": len(evaluation & here)})
            self.assertGreater(len(evaluation & here), 0)
            self.assertIn(f"  evaluation: 50 of 50 episodes were played, which show {len(evaluation)} different prompts; {len(evaluation & here)} of these stand in "
                          "the rows, too: states that training and evaluation share (--rows-apart-from eval leaves them out)\n", said)
            self.assertIn(f"{len(evaluation & here)} (", read(os.path.join(folder, "README.md")).decode())
        self.assertNotIn("evaluation", self.manifest(ours)["prompts"][0], "rows to evaluate with are not compared with themselves")

    def test_whole_episodes_are_no_prompts(self):
        chat = [{"format": "chat", "rows": "episode"}, {"format": "chat", "name": "seen", "pixels": {"look": "flat"}}]
        folder = self.build("d", *SMALL[:-4], "-n", "2", "-f", json.dumps(["trajectories", "npz", *chat]))
        self.assertEqual(self.manifest(folder)["prompts"], [])
        self.assertNotIn("## Prompts", read(os.path.join(folder, "README.md")).decode())

    def test_recorded_tapes_are_not_compared_with_an_evaluation(self):
        tapes = self.path("tapes.jsonl")
        self.assertEqual(run("solve", "--tasks", "LightsOut", "-d", "easy", "--split", "train", "-n", "4", "-o", tapes).returncode, 0)
        folder = self.build("d", "--agent", "tapes:" + tapes, "-f", "chat")
        item, = self.manifest(folder)["prompts"]
        self.assertNotIn("evaluation", item)
        self.assertIn("It is not known", read(os.path.join(folder, "README.md")).decode())

    def test_false_counts_are_found(self):
        folder = self.build("d", *SMALL, *DROP, "-f", "chat")
        path = os.path.join(folder, "manifest.json")
        text = read(path).decode()
        for key in ("prompts", "repeated", "conflicts", "duplicates_left_out", "apart_left_out", "found"):
            with self.subTest(key):
                at = text.index('"prompts": [')
                at += re.search(rf'"{key}": (?=\d)', text[at:]).end()
                write(path, resealed(text[:at] + "9" + text[at:]))
                self.refuse(["verify", folder], FOUND, "`prompts` is wrong")

    def test_datasets_of_other_versions_verify(self):
        folder = self.build("d", *SMALL, "-f", "chat")
        path = os.path.join(folder, "manifest.json")
        text = re.sub(r'"seedbed": "[^"]+"', '"seedbed": "0.0.1"', read(path).decode())
        others = re.sub(r'"evaluation": \{"listed": 50, "played": \d+', '"evaluation": {"listed": 50, "played": 1', text)
        self.assertNotEqual(text, others)
        write(path, resealed(others))
        self.assert_verifies(folder)  # agents of another version may play evaluation episodes otherwise
        write(path, resealed(text.replace('"repeated": ', '"repeated": 1')))
        self.refuse(["verify", folder], FOUND, "`prompts` is wrong")
        earlier = re.sub(r' "prompts": \[.*?\],\n(?= "files")', "", text, flags=re.S)
        self.assertNotEqual(text, earlier)
        write(path, resealed(earlier))
        self.assert_verifies(folder)  # versions without counts of prompts

    def test_a_dry_run_tells_of_its_sample(self):
        done = run("build", *SMALL, "-f", "chat,npz", "--dry-run", "--json")
        formats = json.loads(done.stdout)["formats"]
        self.assertNotIn("sample", formats["npz"])
        told = run("build", *SMALL, "-f", "chat", *DROP, "--dry-run").stdout
        sample = formats["chat"]["sample"]
        self.assertIn(f"{sample['prompts']} different prompts in {sample['rows']} rows", told)
        self.assertRegex(told, r"chat +up to \d+ rows")
        self.assertLess(sample["prompts"], sample["rows"])
        self.assertGreater(sample["evaluation_prompts"], 0)


class LeftOut(Rows):
    def test_only_the_first_of_equal_rows_is_kept(self):
        for kind, more in (("chat", ["--epsilon", "0.3"]), ("steps", ["--agent", "observer:1,random:1"]), ("steps", ["--epsilon", "0.3"])):
            with self.subTest(kind, more=more):
                every = rows_of(self.build("all", *SMALL, *more, "-f", kind, "--force"), kind)
                kept = self.build("kept", *SMALL, *more, "-f", kind, *DROP, "--force", "--jobs", "3")
                wanted = without_repetition(every)
                self.assertLess(len(wanted), len(every))
                self.assertEqual(rows_of(kept, kind), wanted)
                item, = self.manifest(kept)["prompts"]
                self.assertEqual((item["rows"], item["repeated"], item["duplicates_left_out"]), (len(wanted), 0, len(every) - len(wanted)))
                self.assert_verifies(kept)

    def test_rows_of_frames_are_kept_once(self):
        games = ["--family", "arc", "--tasks", "Fold", "--seeds", "0..7", "--agent", "random", "--evaluation", "keep"]
        for form in ("rows", "chat"):
            flags = [*games, "-f", json.dumps({"format": "next_frame", "context": 0, "form": form})]
            every, kept = rows_of(self.build("a" + form, *flags), "next_frame"), rows_of(self.build("k" + form, *flags, *DROP), "next_frame")

            def asked(row):
                if form == "chat":
                    return json.dumps(row["messages"])
                return json.dumps([row[key] for key in ("task", "start", "frame", "action_int", "next_frame", "done", "over")])
            first = {}
            for row in every:
                first.setdefault(asked(row), row)
            self.assertLess(len(first), len(every))
            self.assertEqual(list(first.values()), kept)

    def test_parts_workers_interruptions_and_later_formats_agree(self):
        flags = [*SMALL, "--epsilon", "0.2", *DROP, "--rows-apart-from", "eval"]
        both = ["-f", "chat,steps"]
        wanted = contents(self.build("whole", *flags, *both, "--jobs", "1"))
        self.assertEqual(wanted, contents(self.build("many", *flags, *both, "--jobs", "3")))
        said = {"tasks": "KeyDoorPuzzle,LightsOut", "difficulty": "easy", "split": "train", "count": 40, "shard_episodes": 16, "epsilon": 0.2, "format": "chat,steps"}
        self.assertEqual(wanted, contents(self.build("said", self.recipe("said", **said, rows={"duplicates": "drop", "apart_from": "eval"}))))
        parts = [self.build(f"part{i}", *flags, *both, "--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual(run("merge", *parts, "-o", self.path("merged")).returncode, 0)
        self.assertEqual(wanted, contents(self.path("merged")))
        shutil.copytree(self.path("whole"), self.path("torn"))
        for name in [name for name in os.listdir(self.path("torn")) if "00001-of" in name or name in ("README.md", "stats.json", "croissant.json")]:
            os.remove(os.path.join(self.path("torn"), name))
        shutil.copy(os.path.join(parts[0], "journal.jsonl"), self.path("journal"))
        lines = [line for part in parts for line in read(os.path.join(part, "journal.jsonl")).splitlines(True)[1:] if b'"shard": 1,' not in line]
        head = read(os.path.join(parts[0], "journal.jsonl")).splitlines(True)[0].replace(b'"part": 1, "parts": 3', b'"part": 1, "parts": 1')
        write(os.path.join(self.path("torn"), "journal.jsonl"), head + b"".join(sorted(lines)))
        os.remove(os.path.join(self.path("torn"), "manifest.json"))
        self.build("torn", *flags, *both, "--resume")
        self.assertEqual(wanted, contents(self.path("torn")))
        self.build("later", *flags, "-f", "chat")
        self.assertEqual(run("render", self.path("later"), "-f", "steps").returncode, 0)
        self.assertEqual(wanted, contents(self.path("later")))

    def test_an_extension_leaves_out_what_is_there(self):
        folder = self.build("d", *SMALL, "-f", "chat", *DROP)
        before = {name: content for name, content in contents(folder).items() if "-of-" in name}
        done = run("build", "--extend", "-n", "80", "-o", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        after = contents(folder)
        self.assertEqual(before, {name: after[name] for name in before})
        rows = rows_of(folder, "chat")
        pairs = {(prompt, answer) for prompt, _, answer in map(question, rows)}
        self.assertEqual(len(pairs), len(rows))
        self.assert_verifies(folder)
        self.build("at_once", self.recipe("r", **self.manifest(folder)["recipe"]))
        self.assertEqual(after, contents(self.path("at_once")))

    def test_a_damaged_choice_is_found(self):
        kept, every = self.build("kept", *SMALL, *DROP, "-f", "chat"), self.build("all", *SMALL, "-f", "chat")
        one, other = contents(kept), contents(every)
        name = next(name for name in one if name.startswith("chat-") and one[name] != other[name])
        shutil.copy(os.path.join(every, name), os.path.join(kept, name))
        self.refuse(["verify", kept], FOUND, name)


class Apart(Rows):
    def shown(self, folder, kind="chat"):
        return {question(row)[1] for row in rows_of(folder, kind)}

    def test_no_row_shows_what_the_other_split_shows(self):
        every = self.build("all", self.recipe("all", **SPLITS, formats=["chat"]))
        apart = self.build("apart", self.recipe("apart", **SPLITS, formats=["chat"], rows={"apart_from": "test"}))
        test, train = ([row for row in rows_of(every, f"chat-{split}")] for split in ("test", "train"))
        shown = {question(row)[1] for row in test}
        wanted = [row for row in train if question(row)[1] not in shown]
        self.assertLess(len(wanted), len(train))
        self.assertEqual(rows_of(apart, "chat-train"), wanted)
        self.assertEqual(rows_of(apart, "chat-test"), test, "the split itself stays whole")
        facts = {item["split"]: item for item in self.manifest(apart)["prompts"]}
        self.assertEqual((facts["train"]["apart_left_out"], facts["test"]["apart_left_out"]), (len(train) - len(wanted), 0))
        self.assert_verifies(apart)

    def test_both_rules_together(self):
        every = self.build("all", self.recipe("all", **SPLITS, formats=["chat"]))
        both = self.build("both", self.recipe("both", **SPLITS, formats=["chat"], rows={"duplicates": "drop", "apart_from": "test"}))
        test, train = (rows_of(every, f"chat-{split}") for split in ("test", "train"))
        self.assertEqual(rows_of(both, "chat-train"), without_repetition(train, {question(row)[1] for row in test}))
        self.assertEqual(rows_of(both, "chat-test"), without_repetition(test))

    def test_evaluation_lists_and_packs(self):
        folder = self.build("d", *SMALL, "-f", "chat", "--rows-apart-from", "eval")
        item, = self.manifest(folder)["prompts"]
        self.assertEqual(item["evaluation"]["found"], 0)
        self.assertGreater(item["apart_left_out"], 0)
        pack = self.path("pack.json")
        self.assertEqual(run("seeds", "--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "ours", "-n", "30", "-o", pack).returncode, 0)
        flags = [*SMALL, "-f", "chat", "--rows-apart-from", pack]
        folder = self.build("p", *flags)
        ours = self.build("o", "--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "ours", "-n", "30", "--evaluation", "keep", "-f", "chat")
        self.assertFalse(self.shown(folder) & self.shown(ours))
        self.assertTrue(self.shown(self.build("all", *SMALL, "-f", "chat")) & self.shown(ours))
        names = self.manifest(folder)["recipe"]["rows"]["apart_from"]
        self.assertEqual((len(names), names[0].split("#")[0]), (30, "KeyDoorPuzzle-v0/easy"))
        os.remove(pack)
        self.assert_verifies(folder)

    def test_a_dataset_to_evaluate_with_stays_whole(self):
        flags = ["--tasks", "LightsOut", "-d", "easy", "--split", "eval", "-f", "chat"]
        plain, apart = self.build("plain", *flags), self.build("apart", *flags, "--rows-apart-from", "eval")
        self.assertEqual(rows_of(plain, "chat"), rows_of(apart, "chat"))


class Refused(Rows):
    def test_bad_rules_are_named(self):
        base = {"tasks": "LightsOut", "difficulty": "easy", "split": "train", "count": 4, "format": "chat"}
        for rules, *words in (({"duplicates": "no"}, "rows", "keep or drop"), ({"apart": "eval"}, "rows", "apart"),
                              ({"apart_from": []}, "empty list"),
                              ({"apart_from": [1]}, "names of episodes"), ({"apart_from": ["LightsOut"]}, "apart_from"),
                              ({"apart_from": ["babyai:GoToObj#1"]}, "babyai")):
            with self.subTest(rules):
                self.refuse(["build", self.recipe("r", **base, rows=rules), "-o", self.path("d")], USAGE, *words)

    def test_a_pack_that_is_not_there_is_named(self):
        recipe = self.recipe("r", tasks="LightsOut", split="train", count=4, format="chat", rows={"apart_from": "nowhere"})
        self.refuse(["build", recipe, "-o", self.path("d")], FOUND, "apart_from", "nowhere", "no split")
        self.refuse(["build", *SMALL, "-f", "chat", "--rows-apart-from", "nowhere", "-o", self.path("d")], FOUND, "--rows-apart-from", "nowhere")

    def test_formats_without_prompts_are_refused(self):
        for name in ("trajectories", "npz", "minari", "seedpack"):
            self.refuse(["build", *SMALL, "-f", "chat," + name, *DROP, "-o", self.path("d")], USAGE, f"`{name}`", "prompts")
        folder = self.build("d", *SMALL, "-f", "chat", *DROP)
        before = contents(folder)
        self.refuse(["render", folder, "-f", "npz"], USAGE, "`npz`")
        self.assertEqual(before, contents(folder))

    def test_budgets_of_rows_are_refused(self):
        self.refuse(["build", *SMALL[:-4], "--rows", "10", "-f", "chat", *DROP, "-o", self.path("d")], USAGE, "episodes")
        splits = {"train": {"rows": 10}, "test": {"count": 3}}
        self.refuse(["build", self.recipe("r", **{**SPLITS, "splits": splits}, format="chat", rows={"duplicates": "drop"}), "-o", self.path("d")],
                    USAGE, "budget of rows")
        inside = {"train": {"count": 4, "rows": {"duplicates": "drop"}}}
        self.refuse(["build", self.recipe("i", **{**SPLITS, "splits": inside}), "-o", self.path("d")], USAGE, "splits.train", "rows")

    def test_the_split_that_others_stay_apart_from_is_not_extended(self):
        folder = self.build("d", self.recipe("r", **SPLITS, format="chat", rows={"apart_from": "test"}))
        self.refuse(["build", "--extend", "--into", "test", "--seeds", "5..9", "-o", folder], USAGE, "apart", "test")
        self.assertEqual(run("build", "--extend", "-n", "60", "-o", folder).returncode, 0)
        self.assert_verifies(folder)

    def test_recorded_tapes_have_no_evaluation(self):
        tapes = self.path("tapes.jsonl")
        self.assertEqual(run("solve", "--tasks", "LightsOut", "-d", "easy", "--split", "train", "-n", "40", "-o", tapes).returncode, 0)
        flags = ["--agent", "tapes:" + tapes, "-f", "chat"]
        self.refuse(["build", *flags, "--rows-apart-from", "eval", "-o", self.path("d")], USAGE, "apart_from")
        kept = self.build("kept", *flags, *DROP)
        self.assertEqual(rows_of(kept, "chat"), without_repetition(rows_of(self.build("all", *flags), "chat")))
        self.assert_verifies(kept)


class Labels(Rows):
    """An observer's action follows from what was shown so far in all modes together. One mode alone may show too little."""

    MODES = ["ascii", "language", "structured", "state"]
    PAIRS = [("TimingChallenge", "medium", "ascii"), ("CuriosityMaze", "easy", "language"), ("PreciseNavigation", "easy", "structured"),
             ("RecursiveRooms", "medium", "language"), ("FogOfWarExploration", "easy", "structured"), ("MazeNavigation", "easy", "language")]

    def conflicts(self, folder):
        """How many histories have several answers: of each mode alone, and of all together."""
        answers = {mode: {} for mode in [*self.MODES, "all"]}
        for row in rows_of(folder, "trajectories"):
            past = {mode: hashlib.sha256() for mode in answers}
            for step, action in enumerate(row["action_names"]):
                for mode in self.MODES:
                    for name in (mode, "all"):
                        past[name].update(row[mode + "_render"][step].encode() + b"\0")
                for mode in answers:
                    answers[mode].setdefault(past[mode].digest(), set()).add(action)
                    past[mode].update(action.encode() + b"\0")
        return {mode: sum(len(several) > 1 for several in histories.values()) for mode, histories in answers.items()}

    def test_where_all_that_was_shown_is_equal_the_observer_acts_alike(self):
        for task, difficulty, poor in self.PAIRS:
            with self.subTest(task, difficulty=difficulty):
                folder = self.build("d", "--tasks", task, "-d", difficulty, "--split", "train", "-n", N_LABELS, "-f", "trajectories",
                                    "--modes", ",".join(self.MODES), "--level", "1", "--force")
                found = self.conflicts(folder)
                self.assertEqual(found["all"], 0)
                self.assertGreater(found[poor], 0, "this mode does not show enough")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
