"""Formats of arrays: `npz` and `minari` hold the same as the steps, and they are built, resumed, merged, rendered and verified
like rows. NumPy reads the archives if it is installed; tests/minari_test.py loads both formats with their own packages.

    python3 tests/arrays_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import ast
import hashlib
import io
import json
import math
import os
import re
import struct
import subprocess
import sys
import tarfile
import unittest
import zipfile

from dataset_support import FOUND, SEEDBED, TOY, USAGE, InFolder, contents, episodes_of, read, rows_of, run, write

FOGGY = ["--tasks", "KeyDoorPuzzle,FogOfWarExploration", "-d", "easy,medium", "-n", "2"]
BABYAI = ["--family", "babyai", "--tasks", "GoToLocal,SynthSeq", "-n", "3"]
SMALL = ["--family", "toy", "-n", "20", "--shard-episodes", "16", "--agent", "random", "--min-steps", "10"]
HAS_MINARI = "libhdf5" not in run("build", "PreciseNavigation/easy#1", "--dry-run", "-f", "minari").stderr
BOTH = "npz,minari" if HAS_MINARI else "npz"
LETTERS = {"|b1": "?", "|i1": "b", "|u1": "B", "<i2": "h", "<i4": "i", "<i8": "q", "<u8": "Q", "<f8": "d"}


def nested(flat, shape):
    for n in reversed(shape[1:]):
        flat = [flat[i:i + n] for i in range(0, len(flat), n)] if n else flat
    return flat


def numpy_array(data):
    """Reads a file of NumPy's format into lists."""
    (length,) = struct.unpack("<H", data[8:10])
    head, body = ast.literal_eval(data[10:10 + length].decode()), data[10 + length:]
    assert data[:8] == b"\x93NUMPY\x01\x00" and (10 + length) % 64 == 0 and head["fortran_order"] is False
    if head["descr"].startswith("|S"):
        n = int(head["descr"][2:])
        return [body[i:i + n].rstrip(b"\0").decode() for i in range(0, len(body), n)]
    return nested(struct.unpack(f"<{math.prod(head['shape'])}{LETTERS[head['descr']]}", body), head["shape"])


def load(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name.removesuffix(".npy"): numpy_array(archive.read(name)) for name in archive.namelist()}


def as_lists(value):
    return [as_lists(item) for item in value] if isinstance(value, (list, tuple)) else value


def corner(rows, mask):
    """Returns the part of an array that a mask selects."""
    if not isinstance(mask[0], (list, tuple)):
        return [value for value, there in zip(rows, mask) if there]
    return [line for line in (corner(row, part) for row, part in zip(rows, mask)) if line]


class Arrays(InFolder):
    def episodes(self, folder):
        """Yields the episodes of all shards, each with its part of the columns."""
        for name in sorted(os.listdir(folder)):
            if name.endswith(".npz"):
                data = load(os.path.join(folder, name))
                offsets = data["offsets"]
                self.assertEqual((offsets[0], len(offsets)), (0, len(data["names"]) + 1))
                for i, (begin, end) in enumerate(zip(offsets, offsets[1:])):
                    yield {key: column[begin:end] if len(column) == offsets[-1] and key in self.BY_STEP else column[i]
                           for key, column in data.items() if key != "offsets"}

    BY_STEP = {"terrain", "objects", "metadata", "agent", "inventory", "told", "image", "direction", "numbers", "size", "action_mask",
               "valid_actions", "actions", "labels", "rewards", "terminations", "truncations"}

    def check(self, flags, modes, check_seen, program=SEEDBED):
        formats = json.dumps(["npz", {"format": "steps", "modes": modes}])
        folder = self.build("d", *flags, "--format", formats, program=program)
        self.assert_verifies(folder, program)
        for episode, steps in zip(self.episodes(folder), episodes_of(rows_of(folder)), strict=True):
            for column, of in (("actions", "action_int"), ("rewards", "reward"), ("terminations", "terminated"),
                               ("truncations", "truncated"), ("labels", "label_int")):
                if column in episode:
                    self.assertEqual(list(episode[column]), [step[of] for step in steps])
            self.assertEqual((episode["names"], episode["seeds"], episode["episode_ids"], episode["successes"]),
                             tuple(steps[0][key] for key in ("name", "seed", "episode_id", "success")))
            for at, step in enumerate(steps):
                check_seen(episode, lambda name: episode[name][at], step, "")
                self.assertTrue(any(episode["action_mask"][at]))
            check_seen(episode, lambda name: episode["final_" + name], steps[-1], "final_")
        return folder

    def check_gridworld(self, episode, seen, step, prefix):
        state = json.loads(step[prefix + "state_render"])
        for layer in ("terrain", "objects", "metadata"):
            self.assertEqual(as_lists(corner(seen(layer), episode[layer + "_mask"])), state["grid"][layer], step["name"])
            self.assertEqual(sum(map(sum, episode[layer + "_mask"])), state["grid"]["width"] * state["grid"]["height"])
        x, y, facing = seen("agent")
        self.assertEqual(([x, y], ["north", "east", "south", "west"][facing]),
                         (state["agent"]["position"], state["agent"]["orientation"]))
        self.assertEqual([value for kind, value in seen("inventory") if kind],
                         [next(iter(item["properties"].values()), 0) for item in state["agent"]["inventory"]])
        self.check_told(as_lists(seen("told")), state)

    TARGET, OBJECTS = 3, {14: "gem", 17: "scroll", 18: "coin", 19: "orb"}  # sb_told_what, sb_object

    def check_told(self, told, state):
        self.assertEqual((len(told), told[:2]), (16, [[1, 0, state["info"]["step_count"]], [2, 0, state["info"]["max_steps"]]]))
        target = state["annotations"].get("task", {}).get("target_object")
        self.assertEqual([(which, self.OBJECTS[value]) for what, which, value in told if what == self.TARGET], [(0, target)] if target else [])
        self.assertEqual([row for row in told[2:] if row[0] != self.TARGET], (13 if target else 14) * [[0, 0, 0]])

    def check_babyai(self, episode, seen, step, prefix):
        view = json.loads(step[prefix + "view7_render"])
        self.assertEqual((as_lists(seen("image")), seen("direction"), episode["mission"]),
                         (view["image"], view["direction"], view["mission"]))

    def check_toy(self, episode, seen, step, prefix):
        numbers = [int(text) for text in re.findall(r"\d+", step[prefix + "text_render"])]
        there = corner(seen("numbers"), episode["numbers_mask"])
        self.assertEqual(there[:len(numbers)], numbers)
        self.assertEqual(any(there[len(numbers):]), False)
        self.assertEqual(seen("size"), len(numbers) - 1 if step["task"] == "Pile-v1" else 0)

    def test_layers_equal_those_of_state_including_fog(self):
        folder = self.check(FOGGY, "state", self.check_gridworld)
        self.assertTrue(any(-1 in row for episode in self.episodes(folder) for row in episode["final_metadata"]), "no state had fog, so the test shows nothing")

    def test_arrays_have_labels_and_carried_items(self):
        folder = self.check(["KeyDoorPuzzle/medium#42", "KeyDoorPuzzle/easy#1", "--epsilon", "0.3"], "state", self.check_gridworld)
        self.assertTrue(any(line[0][0] for episode in self.episodes(folder) for line in episode["inventory"]), "nothing was carried, so the test shows nothing")

    def test_told_has_the_facts_beside_the_grid(self):
        folder = self.check(["--tasks", "InstructionFollowing", "-d", "easy,medium", "-n", "3"], "state", self.check_gridworld)
        self.assertEqual({tuple(episode["told"][0][2][:2]) for episode in self.episodes(folder)}, {(self.TARGET, 0)})

    def test_codes_of_told_are_documented(self):
        root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
        header, page = (read(os.path.join(root, path)).decode() for path in ("include/seedbed/gridworld.h", "docs/formats.md"))
        codes = re.findall(r"^    SB_TOLD_([A-Z_]+)\b", header.split("typedef enum sb_told_what {")[1].split("} sb_told_what")[0], re.M)
        rows = re.findall(r"^\| (\d+) \| ([a-z ]+) \|", page, re.M)
        self.assertEqual([(str(number), code.lower().replace("_", " ")) for number, code in enumerate(codes)], rows)

    def test_image_direction_and_mission_are_the_published_observation(self):
        self.check(BABYAI, "view7", self.check_babyai)

    def test_the_test_family_has_arrays_of_another_kind(self):
        self.check(SMALL, "text", self.check_toy, TOY)

    def test_tasks_of_one_size_need_no_masks(self):
        folder = self.build("d", "KeyDoorPuzzle/easy#1", "KeyDoorPuzzle/easy#2", "-f", "npz")
        self.assertEqual([key for key in next(self.episodes(folder)) if key.endswith("_mask")], ["action_mask"])

    LIGHTS = ["--tasks", "LightsOut", "-d", "easy", "-n", "4", "--agent", "expert"]

    def masked_moves(self, folder, mask):
        return sum(not episode[mask][at][action] for episode in self.episodes(folder) for at, action in enumerate(episode["actions"]))

    def test_the_sound_mask_leaves_the_moves_that_win_and_the_published_one_is_there_on_demand(self):
        folder = self.build("sound", *self.LIGHTS, "-f", "npz")
        self.assertNotIn("valid_actions", next(self.episodes(folder)))
        self.assertEqual(self.masked_moves(folder, "action_mask"), 0)
        published = self.build("published", *self.LIGHTS, "-f", "npz", "--mask", "published")
        self.assertNotIn("action_mask", next(self.episodes(published)))
        self.assertGreater(self.masked_moves(published, "valid_actions"), 0)
        self.assert_verifies(published)
        for mask, path in (("sound", folder), ("published", published)):
            self.assertEqual(json.loads(read(os.path.join(path, "manifest.json")))["recipe"]["mask"], mask)
        self.refuse(["build", *self.LIGHTS, "-o", self.path("x"), "--mask", "published"], USAGE, "`mask`")

    def as_of_before(self, folder):
        """Makes of a dataset with the published mask what was built when there was no other: its recipe says nothing of masks."""
        manifest = json.loads(read(os.path.join(folder, "manifest.json")))
        self.assertEqual(manifest["recipe"].pop("mask"), "published")
        card = os.path.join(folder, "README.md")
        text = read(card).decode().replace(', "mask": "published"', "")
        self.assertNotIn("published", text.split("```json")[1])
        write(card, text.encode())
        manifest["card"].update(bytes=len(text.encode()), sha256=hashlib.sha256(text.encode()).hexdigest())
        body = json.dumps({key: value for key, value in manifest.items() if key != "sha256"}).removesuffix("}")
        write(os.path.join(folder, "manifest.json"), (body + ',\n "sha256": "' + hashlib.sha256(body.encode()).hexdigest() + '"}\n').encode())

    def test_a_dataset_from_before_there_were_two_masks_verifies_and_goes_on_with_its_own(self):
        flags = [*self.LIGHTS, "-f", BOTH]
        folder, rendered, extended = (self.build(name, *flags, "--mask", "published") for name in ("old", "rendered", "extended"))
        before = contents(folder)
        for old in (folder, rendered, extended):
            self.as_of_before(old)
            self.assert_verifies(old)
        self.assertEqual(run("render", rendered, "-f", "steps", "-q").returncode, 0)
        self.assertEqual(run("build", "--extend", "-o", extended, "-n", "6", "-q").returncode, 0)
        for old in (rendered, extended):
            self.assert_verifies(old)
            self.assertEqual(json.loads(read(os.path.join(old, "manifest.json")))["recipe"]["mask"], "published")
        name = "npz-00000-of-00001.npz"
        self.assertEqual(contents(rendered)[name], before[name])

    def test_numpy_loads_the_same_arrays(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("NumPy is not installed")
        folder = self.build("d", *FOGGY, "-f", "npz")
        path = os.path.join(folder, "npz-00000-of-00001.npz")
        with numpy.load(path, allow_pickle=False) as loaded:
            for name, column in load(path).items():
                same = loaded[name].astype(str) if loaded[name].dtype.kind == "S" else loaded[name]
                self.assertEqual(same.tolist(), as_lists(column), name)

    def test_arrays_have_the_same_shape_in_every_shard(self):
        folder = self.build("d", *SMALL, "-f", "npz", program=TOY)
        sizes = {len(episode["final_numbers"]) for episode in self.episodes(folder)}
        self.assertEqual(sizes, {41})


class Making(InFolder):
    def test_files_are_the_same_for_any_number_of_workers(self):
        one, three = (self.build(jobs, *SMALL, "-f", BOTH, "--jobs", jobs, program=TOY) for jobs in "13")
        self.assertEqual(contents(one), contents(three))
        self.assert_verifies(one, TOY)

    def test_files_are_the_same_whatever_memory_held_before(self):
        flags = [*BABYAI, "-f", BOTH]
        clean, dirty = self.build("clean", *flags), self.build("dirty", *flags, env={**os.environ, "MALLOC_PERTURB_": "85"})
        self.assertEqual(contents(clean), contents(dirty))

    def test_parts_can_be_merged_and_rendering_later_gives_the_same_files(self):
        whole = self.build("whole", *SMALL, "-f", "steps," + BOTH, program=TOY)
        parts = [self.build(f"p{i}", *SMALL, "-f", "steps," + BOTH, "--shard", f"{i}/2", program=TOY) for i in (1, 2)]
        self.assertEqual(run("merge", *parts, "-o", self.path("m"), "-q", program=TOY).returncode, 0)
        self.assertEqual(contents(self.path("m")), contents(whole))
        later = self.build("later", *SMALL, program=TOY)
        self.assertEqual(run("render", later, "-f", BOTH, "-q", program=TOY).returncode, 0)
        self.assertEqual(contents(later), contents(self.build("at once", *SMALL, "--format", "steps," + BOTH, program=TOY)))

    def test_resuming_makes_what_is_missing(self):
        flags = [*SMALL, "-f", BOTH]
        whole = contents(self.build("whole", *flags, program=TOY))
        part = self.build("part", *flags, "--shard", "1/1", program=TOY)
        for name in os.listdir(part):
            if "-00001-of-" in name:
                os.unlink(os.path.join(part, name))
        self.build("part", *flags, "--shard", "1/1", "--resume", program=TOY)
        self.assertEqual({name: data for name, data in contents(part).items() if "-of-" in name},
                         {name: data for name, data in whole.items() if "-of-" in name})

    def test_any_altered_byte_is_found(self):
        folder = self.build("d", *SMALL, "-f", BOTH, program=TOY)
        for name in os.listdir(folder):
            if not name.endswith((".npz", ".tar")) or "-00001-" not in name:
                continue
            path = os.path.join(folder, name)
            good = read(path)
            for damaged in [good[:at] + bytes([good[at] ^ 1]) + good[at + 1:] for at in (0, 20, len(good) // 2, len(good) - 1)] + [
                    good[:-1], good + b"x", b""]:
                write(path, damaged)
                self.refuse(["verify", folder], FOUND, name, program=TOY)
            write(path, good)
        self.assert_verifies(folder, TOY)

    def test_an_altered_array_is_named(self):
        folder = self.build("d", *FOGGY, "-f", "npz")
        path = os.path.join(folder, "npz-00000-of-00001.npz")
        good = read(path)
        for name in ("terrain", "final_metadata", "actions", "rewards", "offsets"):
            with zipfile.ZipFile(io.BytesIO(good)) as archive, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as altered:
                for member in archive.infolist():
                    data = bytearray(archive.read(member))
                    data[-8] ^= member.filename == name + ".npy"
                    altered.writestr(member, bytes(data))
            self.assertNotEqual(load(path)[name], numpy_array(zipfile.ZipFile(io.BytesIO(good)).read(name + ".npy")))
            self.refuse(["verify", folder], FOUND, "npz-00000-of-00001.npz")
            begin, data = zipfile.ZipFile(io.BytesIO(good)).getinfo(name + ".npy").header_offset, bytearray(good)
            data[begin + 14] ^= 1  # the array's check sum
            write(path, bytes(data))
            self.refuse(["verify", folder], FOUND, "npz-00000-of-00001.npz", f"`{name}`")

    def test_a_dataset_without_any_episode_left_has_empty_arrays(self):
        folder = self.path("d")
        self.refuse(["build", "PreciseNavigation/easy#1", "--min-steps", "999", "-f", BOTH, "-o", folder], FOUND, "nothing to learn from")
        self.assert_verifies(folder)
        data = load(os.path.join(folder, "npz-00000-of-00001.npz"))
        self.assertEqual((list(data["offsets"]), list(data["actions"]), data["names"]), ([0], [], []))

    def test_options_without_effect_are_refused(self):
        for options, words in (('{"format": "npz", "modes": "ascii"}', ["`modes`", "arrays"]), ('{"format": "npz", "x": 1}', ["`x`"])):
            self.refuse(["build", "PreciseNavigation/easy#1", "-o", self.path("x"), "--format", options], USAGE, "formats[0]", *words)


@unittest.skipUnless(HAS_MINARI, "built without libhdf5")
class Minari(InFolder):
    def unpack(self, folder):
        for name in sorted(os.listdir(folder)):
            if name.endswith(".tar"):
                with tarfile.open(os.path.join(folder, name)) as archive:
                    for member in archive:
                        self.assertEqual((member.mtime, member.uid, member.gid, member.mode), (0, 0, 0, 0o644))
                    yield {member.name: archive.extractfile(member).read() for member in archive}

    def test_every_shard_is_a_dataset_of_its_own(self):
        folder = self.build("d", *SMALL, "--format", '["steps", {"format": "minari", "id": "some/toys"}]', program=TOY)
        steps = 0
        for shard, files in enumerate(self.unpack(folder)):
            (data, metadata) = files
            identity = f"some/toys-{shard:05}-of-00003-v0"
            self.assertEqual((data, metadata), (f"{identity}/data/main_data.hdf5", f"{identity}/data/metadata.json"))
            document = json.loads(files[metadata])
            self.assertEqual((document["dataset_id"], document["data_format"]), (identity, "hdf5"))
            space = json.loads(document["observation_space"])
            self.assertEqual(space["subspaces"]["numbers"]["shape"], [41])
            self.assertEqual(json.loads(document["action_space"])["n"], 1203)
            self.assertEqual(files[data][:8], b"\x89HDF\r\n\x1a\n")
            steps += document["total_steps"]
        self.assertEqual(steps, len(rows_of(folder)))

    def test_hdf5_tools_read_the_actions(self):
        folder = self.build("d", *BABYAI, "-f", "steps,minari")
        ((path, data), *_) = next(self.unpack(folder)).items()
        self.assertEqual(path, "seedbed/minari-v0/data/main_data.hdf5")
        file = write(self.path("main.hdf5"), data)
        try:
            for i, steps in enumerate(episodes_of(rows_of(folder))):
                dump = subprocess.run(["h5dump", "-y", "-w", "0", "-d", f"/episode_{i}/actions", file], capture_output=True, text=True)
                self.assertEqual(dump.returncode, 0, dump.stderr)
                found = re.search(r"DATA \{(.*?)\}", dump.stdout, re.S).group(1)
                self.assertEqual([int(text) for text in re.findall(r"\d+", found)], [step["action_int"] for step in steps])
        except FileNotFoundError:
            self.skipTest("h5dump is not installed (Debian: hdf5-tools)")

    def test_ids_that_minari_refuses_are_refused(self):
        for identity in ("", "/a", "a/", "a/b", "a//b", "a b", "x" * 64, "a.b"):
            self.refuse(["build", "PreciseNavigation/easy#1", "-o", self.path("x"), "--format", json.dumps({"format": "minari", "id": identity})],
                        USAGE, "formats[0]", "`id`")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
