"""Builds that are interrupted and resumed, and datasets built in parts, have the same bytes as one undisturbed build.

    python3 tests/parts_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import contextlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import time
import unittest

from dataset_support import FOUND, SEEDBED, TOY, TWO_TASKS, USAGE, InFolder, contents, read, run, write

# Sixty-four short episodes in four files.
RECIPE = [*TWO_TASKS, "-d", "easy,medium", "-n", "16", "--shard-episodes", "16", "--epsilon", "0.1", "-f", "steps,trajectories", "--duplicates", "drop"]


class Resumed(InFolder):
    def test_a_build_that_was_killed_often_has_the_bytes_of_an_undisturbed_one(self):
        began = time.monotonic()
        wanted = contents(self.build("reference", *RECIPE, "--jobs", "2"))
        length = time.monotonic() - began
        chance = random.Random(3)
        folder, kept, rounds = self.path("d"), 0, 0
        for trial in range(12):
            if trial >= 3 and rounds > 5 and kept:
                break
            shutil.rmtree(folder, ignore_errors=True)
            for _ in range(25):
                child = subprocess.Popen([SEEDBED, "build", "-o", folder, "-q", "--resume", "--jobs", "2", *RECIPE])
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(timeout=chance.random() * length * 0.8)
                child.kill()
                rounds += 1
                if child.wait() == 0:
                    length *= 0.7  # the machine may have been slower when the length was measured
                    break
                left = contents(folder) if os.path.isdir(folder) else {}
                kept += "journal.jsonl" in left
            else:
                self.build("d", *RECIPE, "--resume")
            self.assertEqual(contents(folder), wanted)
        self.assertGreater(rounds, 5, "too few were killed")
        self.assertGreater(kept, 0, "too few were killed between shards")

    def test_finished_shards_are_not_made_again(self):
        folder = self.build("d", *RECIPE)
        wanted = contents(folder)
        self.interrupt(folder)
        times = {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in os.listdir(folder) if "of-" in name}
        self.build("d", *RECIPE, "--resume")
        self.assertEqual(contents(folder), wanted)
        for name, changed in times.items():
            self.assertEqual(os.stat(os.path.join(folder, name)).st_mtime_ns, changed, name)

    def interrupt(self, folder):
        """Leaves a build as if it had been killed after two shards."""
        shutil.rmtree(folder)
        size = 0
        while not os.path.exists(folder + "/journal.jsonl") or len(read(folder + "/journal.jsonl").splitlines()) < 3:
            size += 1500
            shutil.rmtree(folder, ignore_errors=True)
            self.assertLess(size, 10**7)
            subprocess.run([SEEDBED, "build", "-o", folder, "-q", "--jobs", "1", *RECIPE], capture_output=True,
                           preexec_fn=lambda n=size: resource.setrlimit(resource.RLIMIT_FSIZE, (n, n)))
        self.assertNotIn("manifest.json", os.listdir(folder))

    def test_damaged_shards_and_a_torn_journal_are_made_again(self):
        wanted = contents(self.build("d", *RECIPE))
        folder = self.path("d")
        self.interrupt(folder)
        shard = os.path.join(folder, "steps-00000-of-00004.jsonl.gz")
        write(shard, read(shard)[:-3])
        journal = read(folder + "/journal.jsonl")
        write(folder + "/journal.jsonl", journal[:-40])
        self.build("d", *RECIPE, "--resume")
        self.assertEqual(contents(folder), wanted)

    def test_shards_under_other_names_are_made_again(self):
        wanted = contents(self.build("d", *RECIPE))
        folder = self.path("d")
        self.interrupt(folder)
        name = "steps-00000-of-00004.jsonl.gz"
        write(folder + "/journal.jsonl", read(folder + "/journal.jsonl").replace(name.encode(), b".bashrc"))
        os.rename(os.path.join(folder, name), os.path.join(folder, ".bashrc"))
        self.build("d", *RECIPE, "--resume")
        self.assertEqual({file: data for file, data in contents(folder).items() if file != ".bashrc"}, wanted)

    def test_builds_are_resumed_only_with_the_same_recipe(self):
        folder = self.build("d", *RECIPE)
        before = contents(folder)
        self.refuse(["build", "-o", folder, "--resume", *RECIPE, "--level", "1"], USAGE, "another recipe", "--force")
        self.assertEqual(contents(folder), before)
        self.build("d", *RECIPE, "--resume")
        self.assertEqual(contents(folder), before, "what is done is left alone")
        self.interrupt(folder)
        self.refuse(["build", "-o", folder, "--resume", *RECIPE, "--level", "1"], USAGE, "another recipe", "--force")
        self.refuse(["build", "-o", folder, *RECIPE], USAGE, "--resume", "--force")
        self.build("d", *RECIPE, "--force")
        self.assertEqual(contents(folder), before)


    def test_other_tapes_under_the_same_name_are_another_recipe(self):
        tapes = self.path("tapes.jsonl")
        recipe = ["--agent", "tapes:" + tapes, "--evaluation", "keep", "--shard-episodes", "16"]
        run("solve", *RECIPE[:6], "-q", "-o", tapes)
        folder = self.build("d", *recipe, "--shard", "1/2")
        run("solve", *RECIPE[:6], "-q", "--agent", "random", "-o", tapes)
        self.refuse(["build", *recipe, "--shard", "1/2", "--resume", "-o", folder], USAGE, "another recipe")
        other = self.build("o", *recipe, "--shard", "2/2")
        self.refuse(["merge", folder, other, "-o", self.path("m")], FOUND, "another")


class Rendered(InFolder):
    def test_killed_renderings_can_be_repeated(self):
        recipe = [*RECIPE[:-4], "--duplicates", "drop"]
        wanted = contents(self.build("reference", *recipe, "-f", "steps,trajectories,chat"))
        folder = self.build("d", *recipe)
        chance = random.Random(9)
        command = ["render", folder, "-q", "--format", "trajectories,chat"]

        def resumed():  # a rendering that was killed early leaves nothing to resume
            return [*command, *["--resume"] * os.path.exists(folder + "/rendering.jsonl")]
        for _ in range(10):
            child = subprocess.Popen([SEEDBED, *resumed()])
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=chance.random() * 0.1)
            child.kill()
            if child.wait() == 0:
                break
            self.assertEqual(json.loads(read(folder + "/manifest.json"))["formats"][0]["name"], "steps")
        if len(json.loads(read(folder + "/manifest.json"))["formats"]) == 1:
            self.assertEqual(run(*resumed()).returncode, 0)
        self.assertEqual(contents(folder), wanted)


def numbers_in(value, path=()):
    """Yields the places of numbers in a document, as lists of keys, except returns, which are not whole numbers, and counts of actions."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        if type(item) is int and key != 0 or type(item) is int and path[-1] in ("rows", "bytes"):
            yield [*path, key]
        yield from numbers_in(item, (*path, key))


class Parts(InFolder):
    def parts(self, n, recipe=RECIPE, program=SEEDBED):
        return [self.build(f"part{i}", *recipe, "--shard", f"{i}/{n}", "--jobs", "2", program=program) for i in range(1, n + 1)]

    def merge(self, parts, program=SEEDBED):
        done = run("merge", *parts, "-o", self.path("merged"), "-q", program=program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        return self.path("merged")

    def test_merged_parts_equal_a_single_build_to_the_last_byte(self):
        whole = contents(self.build("whole", *RECIPE))
        for n in (1, 3, 6):
            with self.subTest(parts=n):
                shutil.rmtree(self.path("merged"), ignore_errors=True)
                parts = self.parts(n)
                random.Random(n).shuffle(parts)
                merged = self.merge(parts)
                self.assertEqual(contents(merged), whole)
                self.assert_verifies(merged)
                for part in parts:
                    shutil.rmtree(part)

    def test_merged_parts_of_the_test_family_equal_a_single_build(self):
        recipe = ["--family", "toy", "--split", "mine", "-n", "30", "--shard-episodes", "16", "--agent", "random"]
        whole = contents(self.build("whole", *recipe, program=TOY))
        self.assertEqual(contents(self.merge(self.parts(2, recipe, TOY), TOY)), whole)

    def test_merged_parts_of_recorded_tapes_equal_a_single_build(self):
        tapes = self.path("tapes.jsonl")
        run("solve", *RECIPE[:6], "-q", "-o", tapes)
        recipe = ["--agent", "tapes:" + tapes, "--evaluation", "keep", "--shard-episodes", "16", "--labels", "expert"]
        whole = contents(self.build("whole", *recipe))
        self.assertEqual(contents(self.merge(self.parts(3, recipe))), whole)

    def test_a_part_is_not_a_dataset_and_the_message_says_so(self):
        folder = self.parts(2)[0]
        self.assertNotIn("manifest.json", os.listdir(folder))
        self.refuse(["verify", folder], FOUND, "manifest.json")
        self.refuse(["build", *RECIPE, "--shard", "1/2", "-o", folder], USAGE, "--resume")
        self.build("part1", *RECIPE, "--shard", "1/2", "--resume")

    def test_parts_that_do_not_fit_are_named(self):
        first, second, third = self.parts(3)
        out = ["-o", self.path("merged")]
        self.refuse(["merge", first, third, *out], FOUND, "part 2 of 3")
        self.refuse(["merge", first, first, second, third, *out], FOUND, "part 1")
        other = self.build("other", *RECIPE, "--level", "1", "--shard", "2/3")
        self.refuse(["merge", first, other, third, *out], FOUND, "other", "another")
        self.refuse(["merge", first, second, self.path("nowhere"), *out], FOUND, "there is no", "nowhere", "--shard")
        os.mkdir(self.path("empty"))
        self.refuse(["merge", first, self.path("empty"), *out], FOUND, "holds no part of a dataset", "journal.jsonl")
        file = write(self.path("file.json"), "{}")
        self.refuse(["merge", first, file, *out], USAGE, "part1 is a folder", "file.json is a file")
        self.assertFalse(os.path.exists(self.path("merged")))
        name = next(name for name in os.listdir(second) if name.startswith("steps"))
        write(os.path.join(second, name), read(os.path.join(second, name))[:-1] + b"?")
        self.refuse(["merge", first, second, third, *out], FOUND, name)
        self.assertNotIn("manifest.json", os.listdir(self.path("merged")))

    def journal(self, part):
        return [json.loads(line) for line in read(part + "/journal.jsonl").splitlines()]

    def write_journal(self, part, lines):
        write(part + "/journal.jsonl", "".join(json.dumps(line) + "\n" for line in lines))

    def test_every_number_of_a_journal_is_checked(self):
        """The numbers of bytes and characters cannot be known without rendering; they are compared with the files, and `verify` finds the rest."""
        parts = self.parts(2)
        good = read(parts[0] + "/journal.jsonl")
        out = ["-o", self.path("merged"), "--force"]
        for path in numbers_in(json.loads(good.splitlines()[1])):
            for change in (lambda n: n + 1, lambda n: 2**53, lambda n: 2**64 - 1):
                lines = [json.loads(line) for line in good.splitlines()]
                at = lines[1]
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = change(at[path[-1]])
                if at[path[-1]] >= 2**53:
                    at[path[-1]] = str(at[path[-1]])
                self.write_journal(parts[0], lines)
                with self.subTest(path=path, said=at[path[-1]]):
                    if change(0) == 1 and path[0] == "stats" and (path[-1] == "characters" or (path[-2] == "bytes" and path[-1] < 2)):
                        self.assertEqual(run("merge", *parts, *out, "-q").returncode, 0)
                        self.refuse(["verify", self.path("merged")], FOUND, "manifest.json")
                    else:
                        self.refuse(["merge", *parts, *out], FOUND if path != ["shard"] else USAGE, "part1")
        write(parts[0] + "/journal.jsonl", good)
        self.assertEqual(run("merge", *parts, *out, "-q").returncode, 0)
        self.assert_verifies(self.path("merged"))

    def test_every_name_of_a_journal_is_checked(self):
        parts = self.parts(2)
        before = contents(parts[0])
        for at, kind in (("files", "steps"), ("files", "trajectories"), ("tapes", "tapes")):
            lines = self.journal(parts[0])
            facts = lines[1]["tapes"] if at == "tapes" else next(file for file in lines[1]["files"] if file["name"].startswith(kind))
            real = facts["name"]
            for name in (".bashrc", "..", "manifest.json", "x" + real, real + ".part", real.replace("00000-of", "00001-of"), "notes"):
                facts["name"] = name
                self.write_journal(parts[0], lines)
                if name not in ("..", *before):
                    os.rename(os.path.join(parts[0], real), os.path.join(parts[0], name))
                self.refuse(["merge", *parts, "-o", self.path("merged")], FOUND, "part1", name)
                self.assertFalse(os.path.exists(self.path("merged")))
                shutil.rmtree(parts[0])
                os.mkdir(parts[0])
                for file, data in before.items():
                    write(os.path.join(parts[0], file), data)

    def test_parts_are_not_overwritten_under_any_of_their_paths(self):
        parts = self.parts(2)
        before = [contents(part) for part in parts]
        os.symlink(parts[0], self.path("link"))
        os.symlink(self.folder, self.path("up"))
        spellings = [parts[0], parts[0] + "/", self.folder + "/./part1", self.folder + "//part1", self.path("link"), self.path("up/part2"),
                     self.path("nowhere/../part1"), self.path("part1/../part2"), "part1", "./part1/.", "../" + os.path.basename(self.folder) + "/part1",
                     self.path("part1/new"), self.path("link/new/deep"), self.path("up/up/part1/new"), self.folder, ".", self.path("up")]
        for force in ([], ["--force"]):
            for named in (parts, ["part1", "part2"], [self.path("link"), self.path("up/part2")]):
                for whole in spellings:
                    with self.subTest(parts=named, whole=whole, force=force):
                        said = self.refuse(["merge", *named, "-o", whole, *force], USAGE, cwd=self.folder)
                        self.assertRegex(said, "which is read: choose another path|needs its own folder")
                        self.assertEqual([contents(part) for part in parts], before)
        self.merge(parts)

    def test_a_small_journal_cannot_demand_memory_for_millions_of_shards(self):
        part = self.build("p", *TWO_TASKS, "-d", "easy", "-n", "2", "--shard", "1/1")
        journal = os.path.join(part, "journal.jsonl")
        write(journal, read(journal).replace(b'"shards": 1,', b'"shards": 10000000,'))
        self.refuse(["merge", part, "-o", self.path("whole")], USAGE, journal, "numbers of parts, shards or formats")

    def test_numbers_of_parts_are_checked(self):
        for part in ("0/2", "3/2", "1", "a/b", "1/0", "-1/2"):
            self.refuse(["build", *RECIPE, "--shard", part, "-o", self.path("d")], USAGE, "--shard", part)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
