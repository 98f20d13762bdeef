"""Tampering: `verify` finds every alteration in a dataset of any format and names its place, even if the forger has recomputed
every hash, of rows, files, cards and manifest.

    python3 tests/tamper_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import gzip
import hashlib
import io
import json
import os
import shutil
import random
import re
import struct
import sys
import tempfile
import unittest
import zipfile

from dataset_support import FOUND, SEEDBED, TOY, InFolder, contents, run, write

HAS_MINARI = "libhdf5" not in run("build", "PreciseNavigation/easy#1", "--dry-run", "-f", "minari").stderr
ARRAYS = ["npz", "minari"] if HAS_MINARI else ["npz"]


def table(format):
    return {"format": format, "name": format + "_csv", "csv": True}


# Twenty episodes of two tasks in two shards, in all formats of the family.
DATASETS = {
    "agentick": (SEEDBED, ["--tasks", "PreciseNavigation,KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "10"],
                 ["steps", "trajectories", "chat", "values", *ARRAYS, "seedpack", {"format": "chat", "name": "seen", "pixels": {"look": "flat"}}]),
    "babyai": (SEEDBED, ["--family", "babyai", "--tasks", "GoToRedBallNoDists,GoToRedBall-Small-4Dists", "--seeds", "1..10", "--agent",
                         "omnibot", "--evaluation", "keep"],
               ["steps", *ARRAYS, "predict", table("predict"), "plan", table("decompose")]),
    "babyai tables": (SEEDBED, ["--family", "babyai", "--tasks", "GoToRedBallNoDists,GoToRedBall-Small-4Dists", "--seeds", "1..10", "--agent",
                                "omnibot", "--evaluation", "keep"], [table("plan"), "decompose"]),
    "played": (SEEDBED, ["--tasks", "PreciseNavigation,KeyDoorPuzzle", "-d", "easy", "--split", "train", "-n", "10", "--labels", "observer", "--agent",
                         """exec:while read -r line; do case $line in *'"op": "hello"'*) echo '{"protocol": 1, "modes": []}';; """
                         """*'"op": "close"'*) exit;; *) i=$((i % 4 + 1)); echo "{\\"action\\": $i}";; esac; done"""], ["steps", *ARRAYS]),
    "games": (SEEDBED, ["--family", "arc", "--tasks", "Scales,Chimes", "-d", "intro", "--seeds", "1..10", "--evaluation", "keep"],
              ["steps", "next_frame", {"format": "next_frame", "name": "asked", "form": "chat"}, "preference"]),
    "toy": (TOY, ["--family", "toy", "-n", "10", "--agent", "random"], ["heap", "steps", *ARRAYS]),
}


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def name_of_kind(name):
    return name.split("-")[0]


class Forger:
    """Holds a dataset in memory, and recomputes everything that needs no replay of an episode."""

    def __init__(self, files):
        self.files = dict(files)

    def manifest(self):
        return json.loads(self.files["manifest.json"])

    def shards(self, kind):
        return sorted(name for name in self.files if name.startswith(kind + "-"))

    def replace(self, name, data, content=None):
        """Replaces a file, and corrects its size and hashes wherever they occur."""
        manifest = self.manifest()
        facts = next(file for file in manifest["files"] + manifest["tapes"] if file["name"] == name)
        old = dict(facts)
        self.files[name] = data
        facts.update(bytes=len(data), sha256=sha256(data), content_sha256=content or facts["content_sha256"])
        self.say_again(manifest, {old["sha256"]: facts["sha256"]}, {"contentSize": (name, old["bytes"], len(data))})

    def say_again(self, manifest, hashes, sizes):
        """Recomputes hashes over hashes, the documents that contain them, and the manifest's own hash."""
        for format in manifest["formats"]:
            files = [file for file in manifest["files"] if name_of_kind(file["name"]) == format["name"]]
            format["content_sha256"] = sha256("".join(file["content_sha256"] for file in files).encode())
        whole = sha256("".join(file["content_sha256"] for file in manifest["files"]).encode())
        hashes = {**hashes, manifest["content_sha256"]: whole}
        manifest["content_sha256"] = whole
        for key, name in (("stats", "stats.json"), ("card", "README.md"), ("croissant", "croissant.json")):
            text = self.files[name].decode()
            for before, after in hashes.items():
                text = text.replace(before, after)
            for file, before, after in sizes.values():
                text = re.sub(f'("contentUrl": "{re.escape(file)}".*?"contentSize": ")' + f'{before} B"', rf'\g<1>{after} B"', text)
            self.files[name] = text.encode()
            manifest[key].update(bytes=len(text.encode()), sha256=sha256(text.encode()))
        self.seal(manifest)

    def seal(self, manifest):
        body = json.dumps({key: value for key, value in manifest.items() if key != "sha256"}).removesuffix("}")
        self.files["manifest.json"] = (body + ',\n "sha256": "' + sha256(body.encode()) + '"}\n').encode()

    def members(self, name):
        """Returns the texts of a gzipped file's members: sixteen episodes of the selection each, here the whole file."""
        return gzip.decompress(self.files[name]).decode()

    def rewrite(self, name, alter):
        text = alter(self.members(name))
        self.replace(name, gzip.compress(text.encode(), mtime=0), sha256(hashlib.blake2b(text.encode(), digest_size=32).digest()))


# ---- Alterations, by kind of file; each returns what the message has to name ----


def edit_line(of):
    """Edits the first line of a file of JSON lines as an object."""
    def alter(text):
        first, rest = text.split("\n", 1)
        return json.dumps(of(json.loads(first)), ensure_ascii=False) + "\n" + rest
    return alter


def with_other(key, change):
    return edit_line(lambda row: {**row, key: change(row[key])})


def swap_actions(actions):
    """Swaps two neighbouring actions that differ."""
    at = next(i for i in range(len(actions) - 1) if actions[i] != actions[i + 1])
    return [*actions[:at], actions[at + 1], actions[at], *actions[at + 2:]]


ROWS = {  # format: (column, function that changes its value in the first row)
    "steps": [("reward", lambda v: v + 1), ("action_int", lambda v: v ^ 1), ("success", lambda v: not v), ("return", lambda v: v + 0.5)],
    "trajectories": [("rewards", lambda v: [*v[:-1], v[-1] + 1]), ("actions", swap_actions), ("success", lambda v: not v)],
    "chat": [("return", lambda v: v + 1), ("messages", lambda v: [*v[:-1], {**v[-1], "content": "noop?"}])],
    "predict": [("action_sequence", lambda v: "left, " + v), ("target_state", lambda v: v[:-1] + " )"), ("seed", lambda v: v + 1)],
    "plan": [("expert_action_sequence", lambda v: "left, " + v), ("target_subgoal", lambda v: "(0, 0)")],
    "values": [("cost_steps", lambda v: [v[0] + 1, *v[1:]]), ("cost_best", lambda v: [not each for each in v]), ("taken", lambda v: [*v, 1])],
    "preference": [("margin", lambda v: v + 1), ("chosen_int", lambda v: v + 1), ("rejected_int", lambda v: v + 1),
                   ("chosen_why", lambda v: v + "!")],
    "next_frame": [("next_frame", lambda v: v + " "), ("done", lambda v: not v), ("frame", lambda v: v[1:]), ("context_actions", swap_actions)],
    "decompose": [("help_count", lambda v: v + 1), ("mission", lambda v: v + "!")],
}


def edited_array(data, array):
    """Returns an archive of arrays in which the seventh byte from the end of one array is changed (in a double, this changes the number)."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as altered:
        for member in archive.infolist():
            content = bytearray(archive.read(member))
            if member.filename == array + ".npy":
                content[-7] ^= 16
            altered.writestr(member, bytes(content))
    return out.getvalue()


def edited_number(data, old, new):
    """Returns a file in which a number, stored as in memory, is replaced by another."""
    old, new = struct.pack("<d", old), struct.pack("<d", new)
    at = data.rindex(old, 0, data.index(b"metadata.json"))
    return data[:at] + new + data[at + 8:]


class Tampering(InFolder):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        maker = InFolder()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        cls.good, cls.built = {}, {}
        for name, (program, flags, formats) in DATASETS.items():
            folder = maker.build(name, *flags, "--shard-episodes", "16", "--level", "1", "--format", json.dumps(formats), program=program)
            maker.assert_verifies(folder, program)
            cls.good[name], cls.built[name] = contents(folder), folder

    def each(self):
        for name, (program, _, _) in DATASETS.items():
            yield name, program, Forger(self.good[name])

    def setUp(self):
        super().setUp()
        self.expected = {TOY: [], SEEDBED: []}

    def lay_out(self, files):
        """Makes a folder; unchanged files are links to the built ones."""
        folder = tempfile.mkdtemp(dir=self.folder)
        for name, data in files.items():
            for whole, built in self.built.items():
                if self.good[whole].get(name) is data:
                    os.link(os.path.join(built, name), os.path.join(folder, name))
                    break
            else:
                write(os.path.join(folder, name), data)
        return folder

    def find(self, files, program, about, *words):
        """Registers a folder, which `check` has to find wrong with these words in the message."""
        self.expected[program].append((self.lay_out(files), about, words))

    def check(self):
        """Verifies all altered datasets, in one run of each program."""
        for program, expected in self.expected.items():
            if not expected:
                continue
            done = run("verify", *(folder for folder, _, _ in expected), "--jobs", "1", "--json", program=program)
            for (folder, about, words), line in zip(expected, done.stdout.splitlines(), strict=True):
                said = json.loads(line)
                with self.subTest(about):
                    self.assertEqual((said["path"], said["ok"]), (folder, False))
                    for word in words:
                        self.assertIn(word, said["message"])
            self.assertEqual((done.returncode, done.stderr), (FOUND, ""))

    def test_the_datasets_have_all_formats(self):
        listed = run("build", "--help-all").stdout.split("\nformats:\n")[1].split("\n")
        known = {line.split()[0] for line in listed if line.strip()} - ({"minari"} - set(ARRAYS))
        kinds = {item["format"] if isinstance(item, dict) else item for _, _, formats in DATASETS.values() for item in formats}
        self.assertEqual(known, kinds - {"heap"})

    def test_the_forgers_own_hashes_are_right(self):
        """Guards the other tests: a dataset whose hashes were all recomputed over the same content verifies."""
        for name, program, forger in self.each():
            for file in sorted(forger.files):
                if file.endswith(".gz"):
                    forger.rewrite(file, lambda text: text)
            with self.subTest(name):
                self.assert_verifies(self.lay_out(forger.files), program)

    def test_a_flipped_bit_in_any_file_is_found_and_the_file_named(self):
        chance = random.Random(6)
        for name, program, forger in self.each():
            for file, good in forger.files.items():
                at, damaged = chance.randrange(len(good)), bytearray(good)
                damaged[at] ^= 1 << chance.randrange(8)
                self.find({**forger.files, file: bytes(damaged)}, program, (name, file, at), file)
        self.check()

    def test_a_missing_file_is_named(self):
        for name, program, forger in self.each():
            for file in forger.files:
                self.find({key: data for key, data in forger.files.items() if key != file}, program, (name, file), file)
        self.check()

    def test_swapped_shards_are_found_whether_or_not_the_manifest_is_swapped_too(self):
        for name, program, forger in self.each():
            for kind in sorted({name_of_kind(file) for file in forger.files if "-of-" in file}):
                first, second = forger.shards(kind)
                named = [] if name == "played" and kind == "tapes" else [first]  # recorded tapes say which episodes there are
                files = {**forger.files, first: forger.files[second], second: forger.files[first]}
                self.find(files, program, (name, kind), *named)
                forged = Forger(forger.files)
                facts = {file["name"]: file for file in [*forged.manifest()["files"], *forged.manifest()["tapes"]]}
                forged.replace(first, forger.files[second], facts[second]["content_sha256"])
                forged.replace(second, forger.files[first], facts[first]["content_sha256"])
                self.find(forged.files, program, (name, kind, "forged"), *named)
        self.check()

    def test_an_edited_row_is_found_by_its_column_after_all_hashes_were_recomputed(self):
        tried = set()
        for name, program, forger in self.each():
            for format, edits in ROWS.items():
                if program == TOY or not forger.shards(format):
                    continue
                for column, change in edits:
                    forged, file = Forger(forger.files), forger.shards(format)[0]
                    forged.rewrite(file, with_other(column, change))
                    named = "content" if column == "messages" else column  # the innermost key
                    self.find(forged.files, program, (name, file, column), file, f"`{named}`", "episode 0", "row 0")
                    tried.add(format)
        self.assertEqual(tried, set(ROWS))
        self.check()

    def test_an_edited_table_is_found_by_its_line_after_all_hashes_were_recomputed(self):
        edits = {"predict": (b"forward", b"left"), "plan": (b"forward", b"right"), "decompose": (b"\n", b"7\n")}
        tried = set()
        for name, program, forger in self.each():
            for format, (old, new) in edits.items():
                for file in forger.shards(format + "_csv"):
                    forged = Forger(forger.files)
                    header, rows = forged.files[file].split(b"\n", 1)
                    forged.replace(file, header + b"\n" + rows.replace(old, new, 1))
                    self.find(forged.files, program, (name, file), file, "episode ")
                    tried.add(format)
        self.assertEqual(tried, set(edits))
        self.check()

    def test_an_edited_array_is_found_and_named_after_all_hashes_were_recomputed(self):
        for name, program, forger in self.each():
            for array in ("rewards", "actions", "offsets"):
                for file in forger.shards("npz"):
                    forged = Forger(forger.files)
                    forged.replace(file, edited_array(forger.files[file], array))
                    self.find(forged.files, program, (name, file, array), file, "`")
        self.check()

    @unittest.skipUnless(HAS_MINARI, "built without libhdf5")
    def test_an_edited_reward_in_hdf5_is_found_and_the_file_in_it_named(self):
        for name, program, forger in self.each():
            for file in forger.shards("minari"):
                forged = Forger(forger.files)
                if program == TOY:
                    continue
                data = forger.files[file]
                number = 1.0 if struct.pack("<d", 1.0) in data else struct.unpack("<d", re.search(rb"[^\0]{6,7}.\x3f", data).group()[-8:])[0]
                forged.replace(file, edited_number(data, number, 5.0))
                self.find(forged.files, program, (name, file), file, "main_data.hdf5")
        self.check()

    def test_a_swapped_action_or_another_outcome_in_a_tape_is_found_after_all_hashes_were_recomputed(self):
        for name, program, forger in self.each():
            file = forger.shards("tapes")[0]
            for key, change in (("actions", swap_actions), ("success", lambda v: not v), ("return", lambda v: v + 1),
                                ("agent", lambda v: "nobody")):
                forged = Forger(forger.files)
                forged.rewrite(file, with_other(key, change))
                renamed = name == "played" and key == "agent"  # anybody may record tapes, but rows say who did
                self.find(forged.files, program, (name, key), *(["`oracle`"] if renamed else [file]), *(["episode 0, "] if name != "played" else []))
        self.check()

    def test_files_that_are_not_packed_as_they_should_be_are_found_after_all_hashes_were_recomputed(self):
        """Readers that use zlib would not notice; other readers stop, or read on."""
        for name, program, forger in self.each():
            for file in (file for file in forger.files if "00000-of-" in file):
                data = forger.files[file]
                for what, altered in (("packed", gzip.compress(data, mtime=0)) if not file.endswith(".gz") else
                                      ("unpacked", gzip.decompress(data)), ("more", data + b"behind"), ("less", data[:-9])):
                    forged = Forger(forger.files)
                    forged.replace(file, altered)
                    self.find(forged.files, program, (name, file, what), file)
        self.check()

    def test_edited_documents_are_found_after_all_hashes_were_recomputed(self):
        edits = {"stats.json": ("stats", '"successes": ', '"successes": 1'), "README.md": ("card", "of them succeeded", "of them won"),
                 "croissant.json": ("croissant", '"isLiveDataset": false', '"isLiveDataset": true')}
        for name, program, forger in self.each():
            for file, (key, old, new) in edits.items():
                forged = Forger(forger.files)
                text = forged.files[file].decode()
                self.assertIn(old, text)
                forged.files[file] = text.replace(old, new, 1).encode()
                manifest = forged.manifest()
                manifest[key].update(bytes=len(forged.files[file]), sha256=sha256(forged.files[file]))
                forged.seal(manifest)
                self.find(forged.files, program, (name, file), file)
        self.check()

    def test_files_that_would_be_loaded_with_the_datasets_are_found(self):
        """Files that match the globs in cards and documentation, for the dataset's own formats or others; found before anything is read."""
        suffixes = {"npz": "npz", "minari": "tar", "heap": "heap", "seedpack": "json", "seen": "zip"}
        for name, program, forger in self.each():
            names = {name_of_kind(file) for file in forger.files if "-of-" in file} | {"trajectories", "chat"}
            loaded = [f"{kind}-{rest}.{suffixes.get(kind, 'csv' if kind.endswith('_csv') else 'jsonl.gz')}"
                      for kind in sorted(names) for rest in ("extra", "00002-of-00002", "00000-of-00001", "000000-of-100000", "")]
            for file in [*loaded, "mine-00000-of-00001.jsonl.gz", "mine-000000-of-100000.csv", "mine-123456-of-1000000.npz"]:
                self.find({**forger.files, file: b""}, program, (name, file), file, "not in the manifest")
        self.check()

    def test_other_foreign_files_are_named_in_the_verdict(self):
        files = ["notes.txt", "steps-00000-of-00002.jsonl.gz.part", "extra-steps.jsonl.gz", "steps.jsonl.gz", "steps-1.json", "chat", ".hidden",
                 "model-00001-of-00002.safetensors", "line\nbreak", 'say "hi"', "zz1", "zz2"]
        known = [".seedbed.lock", "journal.jsonl"]
        for name, program, forger in self.each():
            folder = self.lay_out({**forger.files, **{file: b"" for file in [*files, *known]}})
            os.mkdir(os.path.join(folder, "more"))
            said = json.loads(run("verify", folder, "--json", program=program).stdout)
            self.assertTrue(said["ok"], said)
            named = sorted([*files, "more"])
            wanted = [f"`{file}` is in the folder but not part of the dataset".replace("\n", "\\n") for file in named[:8]]
            self.assertEqual(said["notes"], [*wanted, "so are 5 others"], name)
            plain = run("verify", folder, program=program)
            self.assertEqual((plain.returncode, plain.stderr), (0, ""))
            self.assertEqual(plain.stdout.splitlines()[1:], [f"{folder}: note: {note}" for note in said["notes"]])
            self.assertEqual(run("verify", folder, "-q", program=program).stdout, "")

    def test_renamed_files_are_found_and_not_rendered_from(self):
        forger = Forger(self.good["agentick"])
        for kind in ("steps", "tapes"):
            forged = Forger(forger.files)
            manifest, file = forged.manifest(), forged.shards(kind)[0]
            next(facts for facts in manifest["files"] + manifest["tapes"] if facts["name"] == file)["name"] = ".bashrc"
            forged.files[".bashrc"] = forged.files.pop(file)
            forged.seal(manifest)
            folder = self.lay_out(forged.files)
            for command in (["verify", folder], ["render", folder, "--format", '{"format": "chat", "name": "talk"}']):
                self.refuse(command, FOUND, ".bashrc" if kind == "steps" or command[0] == "render" else file)
            self.assertEqual(contents(folder), forged.files)

    def test_a_dataset_alone_has_no_notes(self):
        for name, program, forger in self.each():
            self.assertEqual(json.loads(run("verify", self.lay_out(forger.files), "--json", program=program).stdout)["notes"], [], name)

    def test_tapes_of_another_agent_are_found_with_again(self):
        """Valid tapes and rows under the name of another agent: only asking that agent shows it."""
        flags = ["--tasks", "GoToGoal", "-d", "easy", "-n", "3"]
        forger = Forger(contents(self.build("by chance", *flags, "--agent", "random")))
        for kind in ("steps", "tapes"):
            forger.rewrite(forger.shards(kind)[0], lambda text: text.replace('"random"', '"expert"'))
        manifest = forger.manifest()
        manifest["recipe"]["oracle"] = "expert"
        manifest["content_bytes"] = manifest["formats"][0]["content_bytes"] = len(forger.members(forger.shards("steps")[0]))
        forger.seal(manifest)
        folder = self.lay_out(forger.files)
        self.refuse(["verify", folder, "--again"], FOUND, "episode 0", "tapes-00000-of-00001.jsonl.gz", "step ")
        honest = self.build("honest", *flags)
        done = run("verify", honest, "--again")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("every agent's actions", done.stdout)


class Links(InFolder):
    def test_links_to_regular_files_are_followed_and_counted(self):
        folder = self.build("d", "PreciseNavigation-v0/easy#1")
        os.rename(folder, self.path("cache"))
        os.mkdir(folder)
        for name in os.listdir(self.path("cache")):
            os.symlink(os.path.join(self.path("cache"), name), os.path.join(folder, name))
        self.assertIn(f"{len(os.listdir(folder))} of its files are symbolic links", self.assert_verifies(folder))

    def test_a_file_named_by_a_link_is_read_and_reported_as_a_link(self):
        run("solve", "GoToGoal/easy#0", "-q", "-o", self.path("t.jsonl"))
        os.symlink("t.jsonl", self.path("link"))
        done = run("verify", self.path("link"))
        self.assertEqual(done.returncode, 0)
        self.assertIn("it is a symbolic link, which was followed", done.stdout)
        self.assertNotIn("link,", run("verify", self.path("t.jsonl")).stdout)

    def test_only_regular_files_are_read(self):
        whole = self.build("whole", "PreciseNavigation-v0/easy#1")
        for name in sorted(os.listdir(whole)):
            for make in (os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)):
                folder = self.path("d")
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(whole, folder)
                os.unlink(os.path.join(folder, name))
                make(os.path.join(folder, name))
                with self.subTest(name=name):
                    self.refuse(["verify", folder], FOUND, name)
                    run("render", folder, "--format", "npz")  # ends, and does not wait
                    run("merge", folder, "-o", self.path("m"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
