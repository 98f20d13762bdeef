"""Datasets: the same recipe gives the same bytes, rows match what was played, and every alteration is found.

    python3 tests/dataset_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import contextlib
import glob
import gzip
import hashlib
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

from dataset_support import (DOCUMENTS, SEEDBED, TOY, TWO_TASKS, FOUND, USAGE, InFolder, contents, episodes_of, read, rows_of, sealed,
                             run, tapes_of, unpacked, write)

PUBLISHED = ["task", "episode_id", "difficulty", "step", "ascii_render", "language_render", "action_name", "action_int",
             "reward", "done"]
OURS = ["seed", "name", "oracle", "success", "return", "terminated", "truncated"]
# Forty episodes of each family, in three files. (The toy's random agent tests more than its expert, which never errs, so
# that its sparse and dense rewards are equal.)
SMALL = {SEEDBED: [*TWO_TASKS, "-d", "easy,medium", "-n", "10", "--shard-episodes", "16"],
         TOY: ["--family", "toy", "-n", "20", "--shard-episodes", "16", "--agent", "random"]}


def gzip_members(packed):
    """Yields the unpacked content of each member of a gzip file."""
    while packed:
        member = zlib.decompressobj(wbits=31)
        yield member.decompress(packed)
        packed = member.unused_data


class SameBytes(InFolder):
    def check_jobs(self, n_shards, *arguments, program=SEEDBED):
        one = self.build("one", *arguments, "--jobs", "1", program=program)
        three = self.build("three", *arguments, "--jobs", "3", program=program)
        self.assertEqual(contents(one), contents(three))
        self.assertEqual(len(os.listdir(one)), 2 * n_shards + len(DOCUMENTS))
        self.assert_verifies(one, program)
        return one

    def test_all_tasks_and_difficulties_with_one_and_three_workers(self):
        folder = self.check_jobs(1, "-n", "1", "--level", "1")
        tasks = json.loads(run("tasks", "--json").stdout)[0]["tasks"]
        self.assertEqual(len(tapes_of(folder)), len(tasks) * 4)
        names = {(tape["name"].split("#")[0]) for tape in tapes_of(folder)}
        self.assertEqual(names, {f"{task['name']}/{level}" for task in tasks
                                 for level in ("easy", "medium", "hard", "expert")})

    def test_many_shards_with_one_and_three_workers(self):
        self.check_jobs(7, "--shard-episodes", "16", "--tasks", "GoToGoal")

    def test_test_family_in_many_shards_with_one_and_three_workers(self):
        self.check_jobs(4, "--family", "toy", "-n", "25", "--shard-episodes", "16", program=TOY)

    def test_shards_hold_the_rows_of_the_undivided_dataset(self):
        self.assertEqual(unpacked(self.build("whole", *TWO_TASKS, "-n", "6"), "steps"),
                         unpacked(self.build("parts", *TWO_TASKS, "-n", "6", "--shard-episodes", "16"), "steps"))

    def test_compression_changes_the_files_and_not_the_rows(self):
        fast, small = (self.build(name, *TWO_TASKS, "-n", "4", "--level", level)
                       for name, level in (("fast", "1"), ("small", "9")))
        self.assertEqual(unpacked(fast, "steps"), unpacked(small, "steps"))
        self.assertGreater(len(read(glob.glob(fast + "/steps*")[0])), len(read(glob.glob(small + "/steps*")[0])))
        contents_of = [json.loads(read(folder + "/manifest.json"))["content_sha256"] for folder in (fast, small)]
        self.assertEqual(contents_of[0], contents_of[1])

    def test_content_hashes_follow_the_manual(self):
        folder = self.build("hashed", *TWO_TASKS, "-n", "9", "--shard-episodes", "32")
        manifest = json.loads(read(folder + "/manifest.json"))
        for file in manifest["files"] + manifest["tapes"]:
            digests = [hashlib.blake2b(member, digest_size=32).digest()
                       for member in gzip_members(read(f"{folder}/{file['name']}"))]
            self.assertEqual(file["content_sha256"], hashlib.sha256(b"".join(digests)).hexdigest())
        whole = "".join(file["content_sha256"] for file in manifest["files"])
        self.assertEqual(manifest["content_sha256"], hashlib.sha256(whole.encode()).hexdigest())

    def test_recipe_file_equals_flags(self):
        for program, flags, recipe in (
                (SEEDBED, ["--tasks", "PreciseNavigation", "-d", "easy,hard", "--split", "train", "-n", "9", "--modes",
                           "state,ascii", "--reward", "dense", "--agent", "random", "--level", "3", "--shard-episodes",
                           "32"],
                 {"tasks": "PreciseNavigation", "difficulty": "easy,hard", "split": "train", "count": 9, "modes": "state,ascii",
                  "reward": "dense", "agent": "random", "level": 3, "shard_episodes": 32}),
                (SEEDBED, ["KeyDoorPuzzle-v0/easy#9223372036854775807", "KeyDoorPuzzle/hard#3"],
                 {"names": ["KeyDoorPuzzle-v0/easy#9223372036854775807", "KeyDoorPuzzle/hard#3"]}),
                (SEEDBED, ["--category", "planning", "--seeds", "0..1,99", "-d", "hard"],
                 {"category": "planning", "seeds": "0..1,99", "difficulty": "hard"}),
                (SEEDBED, ["-n", "1", "-d", "easy", "--level", "1"], {"count": "1", "difficulty": "easy", "level": 1}),
                (TOY, ["--family", "toy", "-n", "3", "--modes", "data"], {"family": "toy", "count": 3, "modes": "data"})):
            with self.subTest(recipe=recipe):
                for folder in ("by-flags", "by-file", "again"):
                    shutil.rmtree(self.path(folder), ignore_errors=True)
                by_flags = self.build("by-flags", *flags, program=program)
                file = write(self.path("recipe.json"), json.dumps(recipe))
                self.assertEqual(contents(by_flags), contents(self.build("by-file", "--recipe", file, program=program)))
                manifest = json.loads(read(by_flags + "/manifest.json"))
                write(file, json.dumps(manifest["recipe"]))
                self.assertEqual(contents(by_flags), contents(self.build("again", "--recipe", file, program=program)),
                                 "the manifest's own recipe rebuilds the dataset")


class Rows(InFolder):
    @classmethod
    def setUpClass(cls):
        """Builds a dataset with an episode of every task and difficulty."""
        maker = InFolder()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        cls.dataset = maker.build("d", "-n", "1", "--level", "1", "--failures", "keep")
        cls.rows = rows_of(cls.dataset)

    def check_rows(self, rows, tapes, final_columns):
        """Compares every episode's rows with its tape."""
        episodes = episodes_of(rows)
        self.assertEqual(len(episodes), len(tapes))
        for number, (episode, tape) in enumerate(zip(episodes, tapes)):
            self.assertEqual([row["step"] for row in episode], list(range(len(tape["actions"]))))
            self.assertEqual([row["action_int"] for row in episode], tape["actions"])
            self.assertEqual([row["done"] for row in episode], [False] * (len(episode) - 1) + [True])
            family, task, difficulty, seed = re.fullmatch(r"(?:(\w+):)?([\w-]+)(?:/(\w+))?#(\d+)", tape["name"]).groups()
            for row in episode:
                self.assertEqual((row["task"], row["difficulty"], row["seed"]), (task, difficulty or "", int(seed)))
                self.assertEqual((row["episode_id"], row["name"], row["oracle"], row["success"], row["return"]),
                                 (number, tape["name"], tape["agent"], tape["success"], tape["return"]))
                last = row is episode[-1]
                for column in final_columns:
                    self.assertEqual((type(row[column]), row[column] != ""), (str, last), column)
                self.assertEqual((row["terminated"], row["truncated"]),
                                 (tape["terminated"], tape["truncated"]) if last else (False, False))
            total = 0.0
            for row in episode:
                total += row["reward"]
            self.assertEqual(total, tape["return"])

    def test_columns_are_the_documented_ones_the_published_first(self):
        self.assertGreater(len(self.rows), 100)
        for row in self.rows:
            self.assertEqual(list(row), PUBLISHED + OURS + ["final_ascii_render", "final_language_render"])

    def test_types_of_the_columns(self):
        wanted = {"task": str, "episode_id": int, "difficulty": str, "step": int, "ascii_render": str,
                  "language_render": str, "action_name": str, "action_int": int, "reward": float, "done": bool,
                  "seed": int, "name": str, "oracle": str, "success": bool, "return": float, "terminated": bool,
                  "truncated": bool}
        for row in self.rows:
            self.assertEqual({column: type(row[column]) for column in wanted}, wanted)

    def test_datasets_of_version_2_of_the_defaults_stay_what_they_were(self):
        """Their rows have null for texts that do not apply, and seeds of any size; they are verified, resumed, extended and rendered so."""
        recipe = {"names": [f"babyai:GoToObj#{seed}" for seed in (1, 2, 2 ** 64 - 1)], "shard_episodes": 16}
        old = self.build("old", write(self.path("old.json"), json.dumps({**recipe, "defaults": 2})))
        rows = rows_of(old)
        self.assertEqual({row["difficulty"] for row in rows}, {None})
        final = list(rows[0])[-1]
        self.assertEqual([row[final] is not None for row in rows], [row["done"] for row in rows])
        self.assertIn(2 ** 64 - 1, {row["seed"] for row in rows})
        self.assertNotIn("dataset_info", read(old + "/README.md").decode())
        before = contents(old)
        self.build("old", write(self.path("plain.json"), json.dumps(recipe)), "--resume")
        self.assertEqual(contents(old), before)
        self.assert_verifies(old)
        self.assertEqual(run("render", old, "-f", "trajectories", "-q").returncode, 0)
        self.assert_verifies(old)
        self.refuse(["build", self.path("plain.json"), "-o", self.path("new")], USAGE, "the seed 18446744073709551615 does not fit")

    def test_nothing_is_said_of_the_steps_of_no_episode(self):
        done = run("build", "--tasks", "SwitchCircuit,GoToGoal", "-d", "easy", "-n", "4", "--agent", "random", "--success", "-o", self.path("d"))
        self.assertRegex(done.stdout, r"(?m)^SwitchCircuit-v0 +easy +0 +- +- +- +- +-$")
        self.assertRegex(done.stdout, r"(?m)^GoToGoal-v0 +easy +2 +1\.000 +17\.0 ")

    def test_the_card_tells_the_types_of_columns(self):
        head = read(self.dataset + "/README.md").decode().split("---")[1]
        told = re.findall(r"  - name: (\w+)\n    dtype: (\w+)\n", head)
        self.assertEqual([name for name, _ in told], list(self.rows[0]))
        kinds = {"string": str, "int64": int, "float64": float, "bool": bool}
        for row in self.rows:
            self.assertEqual([type(value) for value in row.values()], [kinds[kind] for _, kind in told])

    def test_rows_match_replayed_tapes(self):
        by_chance = self.build("random", "-n", "1", "-d", "easy,medium", "--level", "1", "--agent", "random")
        for folder, rows in ((self.dataset, self.rows), (by_chance, rows_of(by_chance))):
            with self.subTest(agent=rows[0]["oracle"]):
                self.check_rows(rows, tapes_of(folder), ["final_ascii_render", "final_language_render"])

    def test_rows_of_the_test_family_match_replayed_tapes(self):
        folder = self.build("d", "--family", "toy", "-n", "25", "--shard-episodes", "16", program=TOY)
        rows = rows_of(folder)
        self.assertEqual(list(rows[0]), ["task", "episode_id", "difficulty", "step", "text_render", "action_name",
                                         "action_int", "reward", "done", *OURS, "final_text_render"])
        self.check_rows(rows, tapes_of(folder), ["final_text_render"])
        self.assertIn("click_", {row["action_name"][:6] for row in rows})

    def test_the_first_observation_is_what_show_prints_and_the_last_shows_success(self):
        folder = self.build("d", "KeyDoorPuzzle-v0/medium#42")
        rows = rows_of(folder)
        self.assertEqual(len(rows), 15)
        for mode in ("ascii", "language"):
            shown = json.loads(run("show", "KeyDoorPuzzle-v0/medium#42", "--json", "--mode", mode).stdout)
            self.assertEqual(rows[0][mode + "_render"], shown["observation"])
        self.assertEqual(picture_position(rows[0]["ascii_render"]), (1, 4))
        self.assertEqual(picture_position(rows[-1]["final_ascii_render"]), (9, 7), "at the goal")

    def test_observations_follow_one_another(self):
        """The row after an action shows its effect: replaying a prefix gives the same picture."""
        rows = rows_of(self.build("d", "GoToGoal-v0/medium#3"))
        positions = [picture_position(row["ascii_render"]) for row in rows]
        moves = {"move_up": (0, -1), "move_down": (0, 1), "move_left": (-1, 0), "move_right": (1, 0)}
        for row, here, there in zip(rows, positions, positions[1:]):
            dx, dy = moves.get(row["action_name"], (0, 0))
            self.assertIn(there, [here, (here[0] + dx, here[1] + dy)])
            if row["action_name"] == "noop":
                self.assertEqual(here, there)

    def test_modes_decide_the_columns(self):
        rows = rows_of(self.build("d", "-n", "1", "-d", "easy", "--modes", "state,structured"))
        self.assertEqual(list(rows[0])[4:6], ["state_render", "structured_render"])
        self.assertEqual(list(rows[0])[-2:], ["final_state_render", "final_structured_render"])
        for row in rows[:50]:
            json.loads(row["structured_render"])
            json.loads(row["state_render"])
        toy = rows_of(self.build("toy", "--family", "toy", "-n", "1", "--modes", "data", program=TOY))
        self.assertEqual(json.loads(toy[0]["data_render"]), {"sum": 0, "said": 'a "quoted"\nline'})

    def test_published_mode_names_are_accepted(self):
        self.assertEqual(unpacked(self.build("a", *TWO_TASKS, "-n", "1", "--modes", "state"), "steps"),
                         unpacked(self.build("b", *TWO_TASKS, "-n", "1", "--modes", "state_dict"), "steps"))

    def test_dense_rewards_sum_up_to_dense_returns(self):
        folder = self.build("d", *TWO_TASKS, "-n", "3", "--reward", "dense")
        for episode, tape in zip(episodes_of(rows_of(folder)), tapes_of(folder)):
            total = 0.0
            for row in episode:
                total += row["reward"]
                self.assertEqual(row["return"], tape["dense_return"])
            self.assertEqual(total, tape["dense_return"])

    def test_tapes_equal_those_that_solve_writes(self):
        folder = self.build("d", *TWO_TASKS, "-n", "4")
        self.assertEqual(unpacked(folder, "tapes").decode(), run("solve", *TWO_TASKS, "-n", "4", "--agent", "observer", "--json").stdout)

    def test_the_manifest_counts_the_files_and_rows(self):
        for program in (SEEDBED, TOY):
            folder = self.build("d-" + os.path.basename(program), *SMALL[program], program=program)
            manifest = json.loads(read(folder + "/manifest.json"))
            rows, tapes = rows_of(folder), tapes_of(folder)
            self.assertEqual((manifest["format"], manifest["version"]), ("seedbed-dataset", 4))
            self.assertEqual((manifest["rows"], manifest["episodes"], manifest["successes"], manifest["content_bytes"]),
                             (len(rows), len(tapes), sum(tape["success"] for tape in tapes), len(unpacked(folder, "steps"))))
            files = manifest["files"] + manifest["tapes"]
            self.assertEqual(sorted(file["name"] for file in files) , sorted(set(os.listdir(folder)) - DOCUMENTS))
            for file in files:
                self.assertEqual(file["bytes"], len(read(os.path.join(folder, file["name"]))))


def picture_position(picture):
    for y, line in enumerate(picture.splitlines()):
        for x, cell in enumerate(line[i:i + 2] for i in range(0, len(line), 2)):
            if cell[0] in "^v<>":
                return x, y
    raise AssertionError("no agent in\n" + picture)


class Damage:
    """Changes a dataset and checks that `verify` finds it. There is a subclass for each family."""

    program, flags = None, None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-damage-")
        cls.addClassCleanup(folder.cleanup)
        cls.good = os.path.join(folder.name, "good")
        done = run("build", "-o", cls.good, "--quiet", *SMALL[cls.program], program=cls.program)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.files = sorted(set(os.listdir(cls.good)) - DOCUMENTS)
        cls.manifest = read(os.path.join(cls.good, "manifest.json")).decode()
        cls.lines = {name: gzip.decompress(read(os.path.join(cls.good, name))).decode().splitlines() for name in cls.files}

    def setUp(self):
        super().setUp()
        self.dataset = self.path("dataset")
        shutil.copytree(self.good, self.dataset)

    def restore(self, name):
        shutil.copy(os.path.join(self.good, name), os.path.join(self.dataset, name))

    def write_manifest(self, manifest):
        write(os.path.join(self.dataset, "manifest.json"), sealed(manifest))

    def assert_found(self, *words):
        return self.refuse(["verify", self.dataset, "--jobs", "2"], FOUND, *words, program=self.program)

    def repack(self, name, lines):
        write(os.path.join(self.dataset, name), gzip.compress("".join(line + "\n" for line in lines).encode(), mtime=0))

    def steps_files(self):
        return [name for name in self.files if name.startswith("steps")]

    def tapes_files(self):
        return [name for name in self.files if name.startswith("tapes")]

    def test_undamaged_copy_verifies(self):
        self.assertIn("every hash right", self.assert_verifies(self.dataset, self.program))

    def test_any_flipped_byte_of_a_compressed_file_is_found(self):
        chance = random.Random(20240917)
        for name in self.files:
            good = read(os.path.join(self.good, name))
            positions = {0, 4, 8, 9, 10, len(good) - 1, len(good) - 5, *(chance.randrange(len(good)) for _ in range(25))}
            for at in sorted(positions):
                damaged = bytearray(good)
                damaged[at] ^= 1 << chance.randrange(8)
                write(os.path.join(self.dataset, name), bytes(damaged))
                with self.subTest(file=name, at=at):
                    self.assert_found()
            self.restore(name)

    def test_any_flipped_byte_of_the_manifest_is_found(self):
        chance = random.Random(7)
        spaces = {match.start() for match in re.finditer(r"\n", self.manifest)}
        first_line = set(range(self.manifest.index("\n")))
        missed = []
        for at in sorted({*chance.sample(range(len(self.manifest)), 60)} | spaces | first_line):
            damaged = bytearray(self.manifest.encode())
            damaged[at] ^= 1
            write(os.path.join(self.dataset, "manifest.json"), bytes(damaged))
            if run("verify", self.dataset, program=self.program).returncode != FOUND:
                missed.append(f"{self.manifest[max(0, at - 12):at]!r} >{chr(damaged[at])!r}<")
        self.assertEqual(missed, [])

    def test_unknown_key_in_the_manifest_is_found(self):
        manifest = json.loads(self.manifest)
        for place in (manifest, manifest["files"][0], manifest["tapes"][0], manifest["recipe"]):
            place["extra"] = 1
            self.write_manifest(manifest)
            with self.subTest(place=list(place)[0]):
                self.assert_found("extra")
            del place["extra"]

    def test_truncated_files_are_found(self):
        for name in [*self.files, "manifest.json"]:
            good = read(os.path.join(self.good, name))
            for size in (0, 1, len(good) // 3, len(good) // 2, len(good) - 1, len(good) - 8):
                write(os.path.join(self.dataset, name), good[:size])
                with self.subTest(file=name, size=size):
                    self.assert_found()
            self.restore(name)

    def test_anything_appended_is_found(self):
        for name in self.files:
            good = read(os.path.join(self.good, name))
            for more in (b"\0", b"x", gzip.compress(b"", mtime=0), gzip.compress(b"{}\n", mtime=0)):
                write(os.path.join(self.dataset, name), good + more)
                with self.subTest(file=name, more=more):
                    self.assert_found(name)
            self.restore(name)

    def test_compressing_a_file_again_is_found(self):
        name = self.steps_files()[0]
        self.repack(name, self.lines[name])
        self.assert_found(name)

    def test_altered_rows_name_episode_and_column(self):
        def other_text(text):
            at = len(text) // 2
            return text[:at] + ("#" if text[at] != "#" else ".") + text[at + 1:]

        name = self.steps_files()[1]
        view = next(column for column in json.loads(self.lines[name][0]) if column.endswith("_render"))
        alterations = {"action_int": lambda v: (v + 1) % 3, "action_name": other_text, "reward": lambda v: v + 0.25,
                       "done": lambda v: not v, view: other_text, "episode_id": lambda v: v + 1,
                       "success": lambda v: not v, "return": lambda v: v + 1e-9, "seed": lambda v: v + 1,
                       "task": other_text, "oracle": lambda v: "Expert", "step": lambda v: v + 1,
                       "terminated": lambda v: not v, "truncated": lambda v: not v, "final_" + view: lambda v: "x"}
        for column, alter in alterations.items():
            for at in (0, len(self.lines[name]) // 2, len(self.lines[name]) - 1):
                row = json.loads(self.lines[name][at])
                episode, played = row["episode_id"], row["name"]
                row[column] = alter(row[column])
                lines = self.lines[name].copy()
                lines[at] = json.dumps(row, ensure_ascii=False)
                self.repack(name, lines)
                with self.subTest(column=column, row=at):
                    self.assert_found(f"episode {episode}, {played}", name, f"`{column}`")

    def test_alteration_keeps_everything_else(self):
        """Guards the test above: if Python writes rows back unaltered, the bytes are the same."""
        for name in self.files:
            for line in self.lines[name][:20]:
                self.assertEqual(json.dumps(json.loads(line), ensure_ascii=False), line)

    def test_deleted_and_repeated_rows_name_the_episode(self):
        name = self.steps_files()[0]
        episodes = episodes_of([json.loads(line) for line in self.lines[name]])
        for number in (0, len(episodes) // 2, len(episodes) - 1):
            first = sum(len(episode) for episode in episodes[:number])
            for at in (first, first + len(episodes[number]) - 1):
                with self.subTest(episode=number, deleted=at):
                    self.repack(name, self.lines[name][:at] + self.lines[name][at + 1:])
                    self.assert_found(f"episode {episodes[number][0]['episode_id']}, {episodes[number][0]['name']}")
                with self.subTest(episode=number, repeated=at):
                    self.repack(name, self.lines[name][:at + 1] + self.lines[name][at:])
                    self.assert_found(name)

    def test_swapped_rows_are_found(self):
        name = self.steps_files()[0]
        lines = self.lines[name]
        self.repack(name, [lines[1], lines[0], *lines[2:]])
        self.assert_found(f"episode 0, {json.loads(lines[0])['name']}")

    def test_altered_tapes_name_the_episode(self):
        name = self.tapes_files()[0]
        for at in (0, len(self.lines[name]) - 1):
            tape = json.loads(self.lines[name][at])
            actions = tape["actions"]
            for key, value in (("actions", actions[:-1] + [(actions[-1] + 1) % 3]), ("actions", actions + [0]),
                               ("actions", actions[:-1]), ("success", not tape["success"]),
                               ("return", tape["return"] + 0.5), ("digest", "0" * 16), ("agent", "nobody"),
                               ("rules", "other 1"), ("tape", 2), ("truncated", not tape["truncated"]),
                               ("dense_return", tape["dense_return"] + 1e-9)):
                lines = self.lines[name].copy()
                lines[at] = json.dumps(dict(tape, **{key: value}))
                self.repack(name, lines)
                with self.subTest(key=key, tape=at):
                    self.assert_found(f"episode {at}, {tape['name']}")

    def test_deleted_repeated_and_swapped_tapes_name_the_episode(self):
        name = self.tapes_files()[0]
        lines = self.lines[name]
        for at, altered in ((0, lines[1:]), (3, lines[:3] + lines[4:]), (len(lines) - 1, lines[:-1]),
                            (4, lines[:4] + lines[3:]), (0, [lines[1], lines[0], *lines[2:]])):
            self.repack(name, altered)
            with self.subTest(at=at, n=len(altered)):
                self.assert_found(name, f"episode {at}, {json.loads(lines[at])['name']}")
        self.repack(name, [*lines, lines[-1]])
        self.assert_found(name)

    def test_row_and_tape_altered_together_are_found(self):
        """An action is replaced in both, so the replay differs from rows and tape."""
        rows_name, tapes_name = self.steps_files()[0], self.tapes_files()[0]
        tape, row = json.loads(self.lines[tapes_name][0]), json.loads(self.lines[rows_name][0])
        other = (row["action_int"] + 1) % 3
        tape["actions"][0] = row["action_int"] = other
        self.repack(tapes_name, [json.dumps(tape), *self.lines[tapes_name][1:]])
        self.repack(rows_name, [json.dumps(row, ensure_ascii=False), *self.lines[rows_name][1:]])
        self.assert_found(f"episode 0, {tape['name']}")

    def test_missing_files_are_named(self):
        for name in [*self.files, "manifest.json"]:
            os.remove(os.path.join(self.dataset, name))
            with self.subTest(file=name):
                self.assert_found(name)
            self.restore(name)

    def test_swapped_files_are_found(self):
        for kind in (self.steps_files(), self.tapes_files()):
            first, second = (os.path.join(self.dataset, name) for name in kind[:2])
            os.rename(first, first + ".away"), os.rename(second, first), os.rename(first + ".away", second)
            self.assert_found("episode ")
            self.restore(kind[0]), self.restore(kind[1])

    def test_a_shard_that_the_manifest_does_not_list_is_found(self):
        """Loaders take `steps-*.jsonl.gz`, so every file that matches would be trained on."""
        stray = os.path.join(self.dataset, "steps-00000-of-00009.jsonl.gz")
        shutil.copy(os.path.join(self.dataset, self.steps_files()[0]), stray)
        self.assert_found("steps-00000-of-00009.jsonl.gz")

    def test_every_edited_count_hash_and_name_of_the_manifest_is_found(self):
        manifest = json.loads(self.manifest)

        def places():
            for key in ("selected", "filtered", "episodes", "successes", "rows", "content_bytes", "content_sha256", "rules", "version",
                        "format"):
                yield (key,)
            yield from ((key, "found") for key in ("evaluation", "duplicates", "across"))
            yield from ((document, key) for document in ("stats", "card", "croissant") for key in manifest[document])
            yield from (("formats", 0, key) for key in manifest["formats"][0])
            for kind in ("files", "tapes"):
                for i, file in enumerate(manifest[kind]):
                    for key in file:
                        yield kind, i, key
            for key in manifest["recipe"]:
                if key != "level":  # another version of zlib may compress differently
                    yield "recipe", key

        for place in places():
            edited = json.loads(self.manifest)
            holder = edited
            for key in place[:-1]:
                holder = holder[key]
            value = holder[place[-1]]
            others = {"expert": "random", "random": "expert", "sparse": "dense"}
            holder[place[-1]] = value + 1 if isinstance(value, int) else others.get(
                value, value[:-1] + ("0" if value[-1] != "0" else "1"))
            self.write_manifest(edited)
            with self.subTest(place=place):
                self.assert_found()

    def test_missing_manifest_keys_are_found(self):
        for key in json.loads(self.manifest):
            if key == "zlib":
                continue
            manifest = json.loads(self.manifest)
            del manifest[key]
            write(os.path.join(self.dataset, "manifest.json"),
                  json.dumps(manifest) if key == "sha256" else sealed(manifest))
            with self.subTest(key=key):
                self.assert_found("manifest.json", f"`{key}`")

    def test_a_copy_with_recomputed_hashes_verifies(self):
        """Guards the tests that edit the manifest: `verify` finds the edit, not a wrong hash."""
        self.write_manifest(json.loads(self.manifest))
        self.assert_verifies(self.dataset, self.program)

    def test_an_edited_manifest_with_its_old_hash_is_found(self):
        write(os.path.join(self.dataset, "manifest.json"), self.manifest.replace('"level": 6', '"level": 7'))
        self.assert_found("manifest.json", "`sha256`")

    def test_listed_files_stay_within_the_folder(self):
        manifest = json.loads(self.manifest)
        manifest["files"][0]["name"] = "../dataset/" + manifest["files"][0]["name"]
        self.write_manifest(manifest)
        self.assert_found("should be in the dataset's folder")

    def test_fewer_shards_than_the_recipe_gives_are_found(self):
        manifest = json.loads(self.manifest)
        manifest["files"].pop(), manifest["tapes"].pop()
        self.write_manifest(manifest)
        self.assert_found("manifest.json")

    def test_messages_name_the_dataset(self):
        """Several things may be verified at once, so the message says which one is wrong."""
        manifest = json.loads(self.manifest)
        manifest["rows"] += 1
        self.write_manifest(manifest)
        self.assert_found(self.dataset, "`rows`")
        self.restore("manifest.json")
        name = self.steps_files()[0]
        self.repack(name, self.lines[name])
        self.assert_found(self.dataset, name)


class DamageToAgentick(Damage, InFolder):
    program = SEEDBED


class DamageToTestFamily(Damage, InFolder):
    program = TOY


class Refused(InFolder):
    def test_existing_dataset_is_kept_unless_forced(self):
        folder = self.build("d", *TWO_TASKS, "-n", "1")
        before = contents(folder)
        self.refuse(["build", *TWO_TASKS, "-n", "2", "-o", folder], USAGE, folder, "--force")
        self.assertEqual(contents(folder), before)
        self.build("d", *TWO_TASKS, "-n", "2", "--force")
        self.assertNotEqual(contents(folder), before)
        self.assertEqual(contents(folder), contents(self.build("fresh", *TWO_TASKS, "-n", "2")))

    def test_force_removes_the_files_of_the_old_dataset(self):
        self.build("d", *TWO_TASKS, "-n", "5", "--shard-episodes", "16")
        self.build("d", *TWO_TASKS, "-n", "1", "--force")
        self.assertEqual(contents(self.path("d")), contents(self.build("fresh", *TWO_TASKS, "-n", "1")))

    def test_force_over_a_damaged_manifest_leaves_no_old_shards(self):
        folder = self.build("d", *TWO_TASKS, "-n", "5", "--shard-episodes", "16")
        write(folder + "/manifest.json", "{")
        self.build("d", *TWO_TASKS, "-n", "1", "--force")
        self.assertEqual(sorted(os.listdir(folder)), sorted(os.listdir(self.build("fresh", *TWO_TASKS, "-n", "1"))))

    def test_foreign_files_are_not_touched(self):
        os.mkdir(self.path("d"))
        write(self.path("d/.gitattributes"), "mine")
        self.build("d", "PreciseNavigation-v0/easy#1")
        write(self.path("d/notes.md"), "mine")
        self.build("d", "PreciseNavigation-v0/easy#1", "--force")
        self.assertEqual((read(self.path("d/notes.md")), read(self.path("d/.gitattributes"))), (b"mine", b"mine"))

    def test_a_folder_with_other_files_is_only_written_into_by_force(self):
        os.mkdir(self.path("home"))
        write(self.path("home/thesis.tex"), "mine")
        self.refuse(["build", "PreciseNavigation-v0/easy#1", "-o", self.path("home")], USAGE, "thesis.tex", "--force")
        self.assertEqual(os.listdir(self.path("home")), ["thesis.tex"])
        self.build("home", "PreciseNavigation-v0/easy#1", "--force")
        self.assert_verifies(self.path("home"))

    def test_foreign_files_are_never_taken_for_shards_or_replaced_without_force(self):
        """HuggingFace numbers weights and Parquet files like our shards."""
        folder = self.path("d")
        os.mkdir(folder)
        for name in ("stats.json", "croissant.json", "train-00000-of-00001.jsonl.gz"):
            for flags in ([], ["--resume"] if name.endswith(".json") else []):
                write(os.path.join(folder, name), "mine")
                self.refuse(["build", "-o", folder, "PreciseNavigation-v0/easy#1", *flags], USAGE, name, "--force")
            os.unlink(os.path.join(folder, name))
        others = {"model-00001-of-00002.safetensors", "train-00000-of-00001.parquet", "a-00000-of-00001.jsonl.gz.txt"}
        for name in others:
            write(os.path.join(folder, name), "mine")
        self.build("d", "PreciseNavigation-v0/easy#1", "--force")
        self.assert_verifies(folder)
        self.assertEqual({name: read(os.path.join(folder, name)) for name in others}, dict.fromkeys(others, b"mine"))

    def test_tapes_that_are_cut_short_are_called_so(self):
        folder = self.build("d", *TWO_TASKS, "-n", "4")
        for name in os.listdir(folder):
            if not name.endswith(".gz"):
                continue
            whole = read(os.path.join(folder, name))
            for cut in (1, 5, 9, 40, len(whole) // 2):
                write(os.path.join(folder, name), whole[:-cut])
                error = self.refuse(["verify", folder], FOUND, name)
                self.assertRegex(error, "damaged or cut short|bytes, the manifest says")
            write(os.path.join(folder, name), whole)

    def test_files_that_would_be_loaded_are_not_taken_along_even_by_force(self):
        for name, flags in (("steps-foo.jsonl.gz", ["--force"]), ("tapes-mine.jsonl.gz", ["--force"]), ("chat-mine.jsonl.gz", ["--force"]),
                            ("steps-foo.jsonl.gz", ["--resume"])):
            folder = self.build("d", "PreciseNavigation-v0/easy#1", "--force")
            if "--resume" in flags:
                os.unlink(os.path.join(folder, "manifest.json"))
            write(os.path.join(folder, name), "mine")
            before = contents(folder)
            self.refuse(["build", "PreciseNavigation-v0/easy#1", *flags, "-o", folder], USAGE, name, "would be loaded", "move it")
            self.assertEqual(contents(folder), before)
            os.unlink(os.path.join(folder, name))

    def test_force_and_resume_exclude_each_other(self):
        self.refuse(["build", "-o", self.path("d"), "PreciseNavigation-v0/easy#1", "--force", "--resume"], USAGE, "--resume", "--force")

    def test_wrong_recipe_touches_nothing(self):
        folder = self.build("d", "PreciseNavigation-v0/easy#1")
        before = contents(folder)
        for wrong in (["--tasks", "Nope"], ["--agent", "nobody"], ["--modes", "smell"], ["--format", "xml"],
                      ["--level", "0"], ["--shard-episodes", "17"], ["--reward", "none"], ["--split", "mine"]):
            with self.subTest(wrong=wrong):
                self.refuse(["build", *wrong, "--force", "-o", folder], USAGE)
                self.refuse(["build", *wrong, "-o", self.path("new")], USAGE)
                self.assertEqual(contents(folder), before)
                self.assertFalse(os.path.exists(self.path("new")))

    def test_episode_that_cannot_be_made_leaves_no_dataset(self):
        self.refuse(["build", "toy:Pile-v1#1", "toy:Pile-v1#666", "-o", self.path("d")], USAGE, "seed 666", program=TOY)
        self.assertFalse(os.path.exists(self.path("d")))

    def test_tasks_with_nothing_left_are_named_and_stay_empty(self):
        """All games of these two tasks are evaluation episodes at easy."""
        selection = ["--tasks", "GoToGoal,TileSorting,KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "10"]
        estimate = json.loads(run("build", *selection, "--dry-run", "--json").stdout)
        self.assertEqual((estimate["played"], estimate["exhausted"], estimate["nothing_left_of"]),
                         (10, 2, [{"task": "GoToGoal-v0", "difficulty": "easy"}, {"task": "TileSorting-v0", "difficulty": "easy"}]))
        self.assertRegex(run("build", *selection, "--dry-run").stdout, r"30 episodes selected; \d+ to evaluate with, \d+ the same game as one of those, ")
        done = run("build", *selection, "-q", "-o", self.path("d"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("10 of 30 episodes are left; 20 are to evaluate with, or are the same game as one of those; "
                      "nothing is left of GoToGoal-v0/easy, TileSorting-v0/easy", done.stderr)
        self.assertEqual({row["task"] for row in rows_of(self.path("d"))}, {"KeyDoorPuzzle-v0"})
        self.assert_verifies(self.path("d"))
        more = run("build", "--extend", "--tasks", "TileSorting", "-d", "easy", "-n", "15", "-o", self.path("d"))
        self.assertEqual(more.returncode, USAGE)
        self.assertIn("nothing is left of TileSorting-v0/easy", more.stderr)

    def test_a_build_of_which_nothing_is_left_is_refused_with_the_ways_out(self):
        done = run("build", "--tasks", "GoToGoal,TileSorting", "-d", "easy", "--split", "train", "-n", "10", "-o", self.path("d"))
        self.assertEqual(done.returncode, USAGE)
        for words in ("nothing is left of GoToGoal-v0/easy, TileSorting-v0/easy: ", "`seedbed seeds games`", "--evaluation keep"):
            self.assertIn(words, done.stderr)
        self.assertEqual(os.listdir(self.folder), [])
        self.assertEqual(run("build", "--tasks", "GoToGoal", "-d", "easy", "--split", "train", "-n", "5", "-o", self.path("mised/spelt/d")).returncode, USAGE)
        self.assertEqual(os.listdir(self.folder), [])

    def test_games_to_evaluate_with_are_told_of_wherever_they_are_played_or_kept(self):
        """GoToGoal/easy has only games that are evaluated with; PreciseNavigation/easy has others."""
        told = r"note: (\d+) of (\d+) episodes are to evaluate with, or are the same game as one of those under another name"
        def count(*words):
            found = re.findall(told, run(*words).stderr)
            self.assertLessEqual(len(found), 1, words)
            return tuple(map(int, found[0])) if found else None
        evaluate = ["eval", "--agent", "random", "-d", "easy", "-n", "5"]
        self.assertEqual(count(*evaluate, "--tasks", "GoToGoal", "--split", "train"), (5, 5))
        few = count(*evaluate[:-1], "40", "--tasks", "GoToGoal,KeyDoorPuzzle", "--split", "train")
        left = json.loads(run("build", "--tasks", "GoToGoal,KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "40", "--dry-run", "--json").stdout)
        self.assertEqual(few, (left["evaluation"] + left["across"], 80))
        self.assertIsNone(count(*evaluate, "--tasks", "GoToGoal"), "the split `eval` is what it is")
        self.assertIsNone(count(*evaluate, "--tasks", "GoToGoal", "--split", "train", "-q"))
        make = ["build", "--tasks", "GoToGoal", "-d", "easy", "--force", "-o", self.path("d")]
        self.assertIn("all episodes are of the split eval: scores of them say nothing of who trains on these rows", run(*make, "-n", "5").stdout)
        self.assertNotIn("of the split eval", run(*make, "--seeds", "0..4").stdout)
        self.assertIn("5 are the same game as one to evaluate with: kept, as asked for",
                      run(*make, "--split", "train", "-n", "5", "--evaluation", "keep").stdout)
        self.assertIsNone(count("build", "--tasks", "KeyDoorPuzzle", "-d", "hard", "--split", "train", "-n", "5", "--force", "-o", self.path("d")))

    def test_a_dataset_in_which_nobody_finds_a_row_is_no_success(self):
        for flags, words in ((["--min-steps", "10000"], "2 were not solved or did not pass the filter"), (["--agent", "random", "--max-steps", "1"], "2 did not pass the filter")):
            done = run("build", "--tasks", "KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "2", *flags, "--force", "-q", "-o", self.path("d"))
            self.assertEqual(done.returncode, FOUND, done.stderr)
            self.assertRegex(done.stderr, r"^seedbed: no episode of 2 has rows, so .* holds tapes and nothing to learn from; " + re.escape(words))
            self.assertEqual(len(tapes_of(self.path("d"))), 2, "what was played is not lost")
            self.assert_verifies(self.path("d"))

    def test_families_are_not_mixed(self):
        self.refuse(["build", "toy:Pile-v1#1", "PreciseNavigation/easy#1", "-o", self.path("d")], USAGE, "one family", program=TOY)


class Interrupted(InFolder):
    RECIPE = [*TWO_TASKS, "-d", "easy,medium", "-n", "12", "--shard-episodes", "16"]

    def test_killed_builds_leave_no_manifest_or_a_whole_dataset_and_can_be_repeated(self):
        began = time.monotonic()
        wanted = contents(self.build("reference", *self.RECIPE, "--jobs", "2"))
        length = time.monotonic() - began
        chance = random.Random(30)
        folder, killed = self.path("d"), 0
        for attempt in range(30):
            shutil.rmtree(folder, ignore_errors=True)
            child = subprocess.Popen([SEEDBED, "build", "-o", folder, "-q", "--jobs", "2", *self.RECIPE])
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=chance.random() * length * 1.1)
            child.kill()
            if child.wait() == 0:
                length *= 0.8  # the machine may have been slower when the length was measured
            else:
                killed += 1
            there = contents(folder) if os.path.isdir(folder) else {}
            whole = {name: content for name, content in there.items() if not name.endswith((".part", ".lock"))}
            with self.subTest(attempt=attempt, left=sorted(there)):
                for name in set(whole) - {"journal.jsonl"}:
                    self.assertEqual(whole[name], wanted[name], f"{name} is under its final name and not whole")
                if "manifest.json" in whole:
                    self.assertEqual({**whole, "journal.jsonl": None}, {**wanted, "journal.jsonl": None})
                else:
                    self.refuse(["verify", folder], FOUND)
                if "manifest.json" not in whole and "journal.jsonl" in whole:
                    self.refuse(["build", "-o", folder, *self.RECIPE], USAGE, "--resume", "--force")
                self.build("d", *self.RECIPE, "--resume" if attempt % 3 else "--force")
                self.assertEqual(contents(folder), wanted)
        self.assertGreater(killed, 5, "too few were killed while they worked")

    def test_a_new_build_removes_the_files_of_an_interrupted_one(self):
        """Loaders take `steps-*.jsonl.gz`, so no shards of the interrupted build may remain."""
        folder = self.build("d", *self.RECIPE)
        os.remove(folder + "/manifest.json")  # like a build that was killed just before its end
        write(folder + "/steps-00002-of-00003.jsonl.gz.part", "half")
        self.refuse(["build", "-o", folder, "PreciseNavigation-v0/easy#1"], USAGE, folder, "would be removed", "--force")
        self.build("d", "PreciseNavigation-v0/easy#1", "--force")
        self.assertEqual(sorted(os.listdir(folder)), sorted(os.listdir(self.build("fresh", "PreciseNavigation-v0/easy#1"))))

    def check_full(self, folder, **options):
        self.refuse(["build", "-o", folder, "--force", *self.RECIPE], FOUND, "cannot ", folder, **options)
        left = os.listdir(folder) if os.path.isdir(folder) else []
        self.assertNotIn("manifest.json", left)
        self.assertEqual([name for name in left if name.endswith(".part")], [])

    def test_a_full_disk_gives_one_line_of_error_and_no_manifest(self):
        def limit(n_bytes):
            return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))
        whole = self.build("whole", *self.RECIPE)
        largest = max(len(content) for content in contents(whole).values())
        for n_bytes in (0, 100, 2000, largest - 1):
            with self.subTest(bytes=n_bytes):
                os.makedirs(self.path("d"), exist_ok=True)
                self.check_full(self.path("d"), preexec_fn=limit(n_bytes))
                shutil.rmtree(self.path("again"), ignore_errors=True)
                shutil.copytree(self.path("d"), self.path("again"))
                self.build("again", *self.RECIPE, "--resume")
                self.assertEqual(contents(self.path("again")), contents(whole))

    def test_a_real_full_disk_gives_one_line_of_error_and_no_manifest(self):
        os.mkdir(self.path("disk"))
        if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", self.path("disk")],
                                               capture_output=True).returncode != 0:
            self.skipTest("only root can mount a small disk")
        try:
            self.check_full(self.path("disk/d"))
        finally:
            subprocess.run(["umount", self.path("disk")], check=True)

    def test_full_disk_while_replacing_leaves_no_manifest(self):
        folder = self.build("d", "PreciseNavigation-v0/easy#1")
        self.refuse(["build", "--force", "-o", folder, *self.RECIPE], FOUND, folder,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)))
        self.assertNotIn("manifest.json", os.listdir(folder))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
