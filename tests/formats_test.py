"""Formats: the content of their rows, and that rendering later gives the same as building.

    python3 tests/formats_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import re
import struct
import sys
import unittest

from dataset_support import (FOUND, SEEDBED, TOY, TWO_TASKS, USAGE, InFolder, contents, episodes_of, read, rows_of, run, tapes_of,
                             unpacked, write)

EASY = [*TWO_TASKS, "-d", "easy,medium", "-n", "3"]
PROMPT = {"format": "chat", "modes": "ascii", "system": "{task}|{category}|{description}|{difficulty}|{name}|{seed}|{max_steps}",
          "user": "{step}/{turn} {actions}\n{observation}\n{{{language}}}\n[{history}]\n({valid_actions})", "answer": "ACTION: {action}",
          "history": {"steps": 2, "item": "{step}:{action_name}={action} {reward}", "separator": "; ", "empty": "-"},
          "valid": {"item": "{action}) {action_name}", "separator": " "}}


ACTIONS = "0) noop 1) move_up 2) move_down 3) move_left 4) move_right 5) interact"


class Formats(InFolder):
    def chat(self, name, *flags, program=SEEDBED, **options):
        folder = self.build(name, *flags, "--format", json.dumps({**PROMPT, **options}), program=program)
        self.assert_verifies(folder, program)
        return [json.loads(line) for line in unpacked(folder, "chat").splitlines()]

    def steps(self, *flags, program=SEEDBED):
        return rows_of(self.build("steps-for-comparison", *flags, program=program))


class Trajectories(Formats):
    def check(self, flags, mode, program=SEEDBED):
        folder = self.build("d", *flags, "-f", "trajectories,steps", program=program)
        rows = [json.loads(line) for line in unpacked(folder, "trajectories").splitlines()]
        for row, steps, tape in zip(rows, episodes_of(rows_of(folder)), tapes_of(folder), strict=True):
            self.assertEqual((row["actions"], row["steps"], row["oracle"]), (tape["actions"], len(steps), tape["agent"]))
            for column, of in (("action_names", "action_name"), ("rewards", "reward")):
                self.assertEqual(row[column], [step[of] for step in steps])
            self.assertEqual(row[mode + "_render"], [step[mode + "_render"] for step in steps] + [steps[-1][f"final_{mode}_render"]])
            for column in ("task", "episode_id", "difficulty", "seed", "name", "success", "return"):
                self.assertEqual(row[column], steps[0][column])
            self.assertEqual((row["terminated"], row["truncated"]), (steps[-1]["terminated"], steps[-1]["truncated"]))
        self.assert_verifies(folder, program)

    def test_trajectories_match_the_steps(self):
        self.check(EASY, "language")

    def test_trajectories_of_the_test_family_match_the_steps(self):
        self.check(["--family", "toy", "-n", "10", "--agent", "random"], "text", TOY)

    def test_trajectories_have_lists_of_labels(self):
        folder = self.build("d", *EASY, "--epsilon", "0.5", "-f", "trajectories,steps")
        rows = [json.loads(line) for line in unpacked(folder, "trajectories").splitlines()]
        for row, steps in zip(rows, episodes_of(rows_of(folder)), strict=True):
            self.assertEqual(row["labels"], [step["label_int"] for step in steps])
            self.assertEqual(row["label_names"], [step["label_name"] for step in steps])


class Chat(Formats):
    def expected(self, steps, at, valid):
        """Fills PROMPT for a step, written a second time in Python."""
        past = [f"{step['step']}:{step['action_name']}={step['action_int']} {step['reward']}" for step in steps[max(0, at - 2):at]]
        row = steps[at]
        return (f"{row['step']}/{row['step'] + 1} {ACTIONS}\n{row['ascii_render']}\n{{{row['language_render']}}}\n"
                f"[{'; '.join(past) or '-'}]\n({valid})")

    def test_prompts_are_filled_exactly(self):
        rows, steps = self.chat("d", *EASY), episodes_of(self.steps(*EASY))
        flat = [(episode, at) for episode in steps for at in range(len(episode))]
        for row, (episode, at) in zip(rows, flat, strict=True):
            system, user, assistant = row["messages"]
            task, category, description, difficulty, name, seed, max_steps = system["content"].split("|")
            step = episode[at]
            self.assertEqual((task, difficulty, name, int(seed)), (step["task"], step["difficulty"], step["name"], step["seed"]))
            self.assertTrue(category and description and int(max_steps) > 0)
            valid = re.search(r"\n\((.*)\)\Z", user["content"], re.S).group(1)
            self.assertRegex(valid, r"\A\d\) \w+( \d\) \w+)*\Z")
            self.assertEqual(user["content"], self.expected(episode, at, valid))
            self.assertEqual((system["role"], user["role"], assistant), ("system", "user", {
                "role": "assistant", "content": f"ACTION: {step['action_int']}"}))
            self.assertEqual([row[key] for key in ("task", "difficulty", "episode_id", "name", "step", "success", "return")],
                             [step[key] for key in ("task", "difficulty", "episode_id", "name", "step", "success", "return")])

    def test_valid_actions_are_those_that_the_family_lists(self):
        rows = self.chat("d", *EASY, valid={"item": "{action_name}", "separator": ", "}, user="{valid_actions}|{language}", system="{actions}")
        for row in rows:
            valid, words = row["messages"][1]["content"].split("|", 1)
            listed = re.search(r"Valid actions: (.*?)(, \.\.\.)?\.?\Z", words).group(1)
            self.assertTrue(valid.startswith(listed), (valid, words))

    def test_turns_repeat_earlier_exchanges(self):
        alone, together = self.chat("a", *EASY), self.chat("b", *EASY, turns=3)
        for at, row in enumerate(together):
            n = min(row["step"], 3)
            said = [message for before in alone[at - n:at] for message in before["messages"][1:]]
            self.assertEqual(row["messages"], [alone[at]["messages"][0], *said, *alone[at]["messages"][1:]])

    def test_with_rows_of_episodes_an_episode_is_one_conversation(self):
        alone, whole = episodes_of(self.chat("a", *EASY)), self.chat("b", *EASY, rows="episode")
        for row, steps in zip(whole, alone, strict=True):
            self.assertEqual(row["messages"], steps[0]["messages"][:1] + [message for step in steps for message in step["messages"][1:]])
            self.assertEqual((row["steps"], row["name"]), (len(steps), steps[0]["name"]))

    def test_prompt_and_completion_equal_the_messages(self):
        messages = self.chat("a", *EASY)
        for row, same in zip(self.chat("b", *EASY, style="prompt"), messages, strict=True):
            system, user, assistant = (message["content"] for message in same["messages"])
            self.assertEqual((row["prompt"], row["completion"]), (f"{system}\n\n{user}", assistant))
        for row, same in zip(self.chat("c", *EASY, style="prompt_messages"), messages, strict=True):
            self.assertEqual((row["prompt"], row["completion"]), (same["messages"][:2], same["messages"][2:]))

    def test_system_text_may_be_left_out(self):
        self.assertEqual([message["role"] for message in self.chat("d", *EASY, system="")[0]["messages"]], ["user", "assistant"])

    def test_rationales_are_the_oracles_intents(self):
        name = "KeyDoorPuzzle-v0/medium#42"
        rows = self.chat("d", name, answer="{rationale}{action_name}", rationale="<{verb}|{object}|{intent}>")
        said = [line.split(None, 2) for line in run("solve", name, "--explain").stdout.splitlines() if re.match(r" *\d+  ", line)]
        for row, (_, action, why) in zip(rows, said, strict=True):
            verb, thing, intent, answer = re.fullmatch(r"<(.*)\|(.*)\|(.*)>(\w+)", row["messages"][2]["content"]).groups()
            self.assertEqual((intent, answer), (why.split("  ->")[0], action))
            self.assertTrue(intent.startswith(f"{verb} the {thing}"))

    def test_an_agent_without_intents_gives_no_rationale(self):
        row = self.chat("d", *EASY, "--agent", "random", answer="{rationale}{action_name}")[0]
        self.assertRegex(row["messages"][2]["content"], r"\A\w+\Z")

    def test_after_noise_answers_are_labels_and_the_history_tells_what_was_done(self):
        flags = [*EASY, "--epsilon", "0.4"]
        rows, steps = self.chat("d", *flags, turns=1, answer="{action_name}"), self.steps(*flags)
        for row, step, before in zip(rows, steps, [None, *steps]):
            self.assertEqual(row["messages"][-1]["content"], step["label_name"])
            if step["step"]:
                self.assertEqual(row["messages"][2]["content"], before["action_name"])
                self.assertIn(f"{before['step']}:{before['action_name']}=", row["messages"][-2]["content"])

    def test_conversations_of_the_test_family_match_the_steps(self):
        options = {"modes": "text", "user": "{observation} {data}", "system": "{task}{difficulty}", "answer": "{action_name}"}
        rows = self.chat("d", "--family", "toy", "-n", "4", "--agent", "random", program=TOY, **options)
        steps = self.steps("--family", "toy", "-n", "4", "--agent", "random", program=TOY)
        for row, step in zip(rows, steps, strict=True):
            self.assertEqual([message["content"] for message in row["messages"]][::2], [step["task"], step["action_name"]])
            self.assertTrue(row["messages"][1]["content"].startswith(step["text_render"] + " {"))


class WholeFiles(Formats):
    """Formats with a writer: the test family's `heap` has the actions of a shard and then a table of where episodes begin."""

    FLAGS = ["--family", "toy", "-n", "20", "--shard-episodes", "16", "--agent", "random", "--min-steps", "40"]

    def test_a_file_is_the_same_for_any_number_of_workers_and_has_the_actions_played(self):
        one, three = (self.build(jobs, *self.FLAGS, "-f", "heap,steps", "--jobs", jobs, program=TOY) for jobs in "13")
        self.assertEqual(contents(one), contents(three))
        self.assert_verifies(one, TOY)
        kept = [tape["actions"] for tape in tapes_of(one) if len(tape["actions"]) >= 40]
        self.assertLess(len(kept), 40)
        found = []
        for shard in range(3):
            file = read(os.path.join(one, f"heap-{shard:05}-of-00003.heap"))
            (n,) = struct.unpack("<Q", file[-8:])
            begins = struct.unpack(f"<{n}Q", file[-8 - 8 * n:-8])
            ends = [*begins[1:], len(file) - 8 - 8 * n]
            found += [list(struct.unpack(f"<{(end - begin) // 4}i", file[begin:end])) for begin, end in zip(begins, ends)]
            self.assertEqual(file[:4], b"HEAP")
        self.assertEqual(found, kept)

    def test_rendering_later_gives_the_same_file(self):
        folder = self.build("d", *self.FLAGS, program=TOY)
        self.assertEqual(run("render", folder, "-f", "heap", "-q", program=TOY).returncode, 0)
        self.assertEqual(contents(folder), contents(self.build("at once", *self.FLAGS, "-f", "steps,heap", program=TOY)))

    def test_parts_with_such_files_can_be_merged(self):
        parts = [self.build(f"p{i}", *self.FLAGS, "-f", "heap", "--shard", f"{i}/2", program=TOY) for i in (1, 2)]
        self.assertEqual(run("merge", *parts, "-o", self.path("m"), "-q", program=TOY).returncode, 0)
        self.assertEqual(contents(self.path("m")), contents(self.build("whole", *self.FLAGS, "-f", "heap", program=TOY)))

    def test_any_altered_byte_is_found(self):
        folder = self.build("d", *self.FLAGS, "-f", "heap", program=TOY)
        path = os.path.join(folder, "heap-00001-of-00003.heap")
        good = read(path)
        for at in {0, 4, 5, len(good) // 2, len(good) - 20, len(good) - 1}:
            write(path, good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
            self.refuse(["verify", folder], FOUND, "heap-00001-of-00003.heap", program=TOY)
        for damaged in (good[:-1], good + b"x", good[:4], b""):
            write(path, damaged)
            self.refuse(["verify", folder], FOUND, "heap-00001-of-00003.heap", program=TOY)


class Rendering(Formats):
    BOTH = [{"format": "trajectories", "modes": "language"}, {"format": "chat", "name": "talk", "rows": "episode"}]

    def check(self, flags, program=SEEDBED):
        folder = self.build("d", *flags, program=program)
        done = run("render", folder, "-q", "--format", json.dumps(self.BOTH[0]), program=program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        done = run("render", folder, "-q", "--jobs", "3", "--format", json.dumps(self.BOTH[1:]), program=program)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        at_once = self.build("all", *flags, "--format", json.dumps(["steps", *self.BOTH]), program=program)
        self.assertEqual(contents(folder), contents(at_once))
        self.assert_verifies(folder, program)

    def test_rendering_later_gives_the_bytes_of_building_at_once(self):
        self.BOTH[0]["modes"] = "language"
        self.check([*TWO_TASKS, "-n", "5", "--shard-episodes", "16", "--max-steps", "60", "--agent", "random", "--jobs", "2"])

    def test_rendering_the_test_family_later_gives_the_bytes_of_building_at_once(self):
        self.BOTH[0]["modes"] = "text"
        self.check(["--family", "toy", "-n", "20", "--shard-episodes", "16"], TOY)

    def test_a_failed_rendering_changes_nothing(self):
        folder = self.build("d", *EASY)
        before = contents(folder)
        for formats, words in (("steps", ["formats[1]", "name"]), ("xml", ["formats[1]", "xml"]), ('{"format": "chat", "x": 1}', ["`x`"]),
                               ('{"format": "chat", "answer": "{rationale}"}', ["intents"]), ('{"format"', ["JSON"])):
            self.refuse(["render", folder, "--format", formats], USAGE, *words)
            self.assertEqual(contents(folder), before)

    def test_altered_tapes_are_not_rendered(self):
        folder = self.build("d", *EASY)
        tapes = os.path.join(folder, "tapes-00000-of-00001.jsonl.gz")
        write(tapes, read(tapes)[:-1] + b"x")
        self.refuse(["render", folder, "--format", "chat"], FOUND, "tapes-00000-of-00001.jsonl.gz")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
