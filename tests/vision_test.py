"""Datasets for models that see: rows of the format `chat` with pictures. The library `datasets` loads them; NumPy and Pillow compare the
pictures with the frames of films.

    $(scripts/test-python) tests/vision_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import glob
import io
import json
import os
import sys
import unittest
import zipfile

from dataset_support import FOUND, TOY, USAGE, InFolder, contents, run

os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"  # set before the import, so that nothing is downloaded
try:
    import numpy
    from PIL import Image

    from pictures_test import frames_of
except ImportError:
    numpy = None
try:
    import datasets
except ImportError:
    datasets = None

import tamper_test

NAMES = ["PreciseNavigation-v0/easy#1", "KeyDoorPuzzle-v0/easy#2", "KeyDoorPuzzle-v0/medium#3"]
LEVELS = ["babyai:GoToLocal#2", "babyai:GoToObj#5"]
# The episodes of a dataset, the options of its format, and what a film with the same pictures is asked for.
CASES = {
    "steps": (NAMES, {"turns": 2, "pixels": {"look": "flat"}}, []),
    "pairs": (NAMES[:2], {"style": "prompt_messages", "pixels": {"look": "flat", "tile": 16, "view": 5, "panel": False}},
              ["--tile", "16", "--view", "5", "--no-panel"]),
    "whole": (NAMES[:2], {"rows": "episode", "system": "", "user": "Step {step}\n{image}", "pixels": {"look": "flat"}}, []),
    "scenes": (NAMES[:2], {"rows": "episode", "system": "", "pixels": {"look": "isometric", "size": 448}}, ["--look", "isometric", "--size", "448"]),
    "seen": (LEVELS, {"pixels": {"look": "view"}}, ["--look", "view"]),
    "all": (LEVELS, {"pixels": {"look": "rgb_array", "tile": 4, "highlight": False}}, ["--look", "grid", "--tile", "4", "--no-highlight"]),
}


def options(**own):
    return json.dumps([{"format": "chat", **own}])


class Vision(InFolder):
    def make(self, name, program=None, jobs="2"):
        names, own, _ = CASES[name]
        return self.build(f"{name} {jobs}", *names, "--agent", "expert", "--format", options(**own), "--jobs", jobs)

    @staticmethod
    def rows(folder):
        """Returns the rows as they are in the archives, with the bytes of their pictures."""
        for path in sorted(glob.glob(folder + "/chat-*.zip")):
            with zipfile.ZipFile(path) as archive:
                for line in archive.read("metadata.jsonl").splitlines():
                    row = json.loads(line)
                    yield row, [archive.read(name) for name in row["images_file_names"]]

    @staticmethod
    def messages(row):
        return row["messages"] if "messages" in row else row["prompt"] + row["completion"]


@unittest.skipUnless(numpy, "the Python packages numpy and pillow are not installed")
class Rows(Vision):
    def test_pictures_are_those_that_the_agent_saw(self):
        for name, (names, own, film) in CASES.items():
            with self.subTest(name):
                folder, n = self.make(name), 0
                frames = {episode: frames_of(episode, *film) for episode in names}
                for row, pictures in self.rows(folder):
                    seen = frames[row["name"] if row["name"] in frames else f"babyai:{row['name']}"]
                    end = row["steps"] if own.get("rows") == "episode" else row["step"] + 1
                    first = 0 if own.get("rows") == "episode" else max(0, end - 1 - own.get("turns", 0))
                    self.assertEqual(len(pictures), end - first)
                    for picture, frame in zip(pictures, seen[first:end], strict=True):
                        with Image.open(io.BytesIO(picture)) as image:
                            self.assertEqual((image.format, image.mode), ("PNG", "P" if own["pixels"]["look"] in ("flat", "isometric") else "RGB"))
                            numpy.testing.assert_array_equal(numpy.asarray(image.convert("RGB")), frame)
                    n += 1
                self.assertEqual(n, len(names) if own.get("rows") == "episode" else sum(len(f) - 1 for f in frames.values()))

    def test_messages_are_lists_of_parts_with_a_part_for_each_picture(self):
        for name in CASES:
            for row, pictures in self.rows(self.make(name)):
                parts = [part for message in self.messages(row) for part in message["content"]]
                self.assertTrue(all(list(part) == ["type", "text"] for part in parts))
                self.assertEqual([part["text"] for part in parts if part["type"] == "image"], [None] * len(pictures))
                self.assertTrue(all(part["text"] for part in parts if part["type"] == "text"))
                for message in self.messages(row):
                    images = sum(part["type"] == "image" for part in message["content"])
                    self.assertEqual(images, message["role"] == "user")

    def test_texts_stand_around_the_picture_as_in_the_template(self):
        row = next(self.rows(self.make("whole")))[0]
        self.assertEqual(row["messages"][2]["content"], [{"type": "text", "text": "Step 1\n"}, {"type": "image", "text": None}])
        row = next(self.rows(self.make("steps")))[0]
        self.assertEqual(row["messages"][1]["content"][0], {"type": "image", "text": None})
        self.assertEqual(len(row["messages"][1]["content"]), 1, "the system's text has offered all actions")

    def test_what_a_picture_does_not_show_is_told_in_words(self):
        row = next(self.rows(self.make("seen")))[0]
        self.assertRegex(row["messages"][1]["content"][1]["text"], r"\A\nmission: go to .*\Z")

    def test_a_picture_is_in_the_archive_once(self):
        folder = self.make("steps")
        with zipfile.ZipFile(glob.glob(folder + "/chat-*.zip")[0]) as archive:
            names = archive.namelist()
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(set(names) - {"metadata.jsonl"}, {name for row, _ in self.rows(folder) for name in row["images_file_names"]})


@unittest.skipUnless(numpy and datasets, "the Python packages `datasets`, numpy and pillow are not all installed")
class Loading(Vision):
    def setUp(self):
        super().setUp()
        datasets.disable_progress_bars()

    def load(self, *arguments, **more):
        return datasets.load_dataset(*arguments, cache_dir=self.path("cache"), **more)

    def compare(self, loaded, folder):
        n = 0
        for got, (row, pictures) in zip(loaded, self.rows(folder), strict=True):
            self.assertEqual({key: value for key, value in got.items() if key != "images"},
                             {key: value for key, value in row.items() if key != "images_file_names"})
            for image, picture in zip(got["images"], pictures, strict=True):
                with Image.open(io.BytesIO(picture)) as written:
                    numpy.testing.assert_array_equal(numpy.asarray(image.convert("RGB")), numpy.asarray(written.convert("RGB")))
            n += 1
        self.assertGreater(n, 0)

    def test_archives_load_as_a_folder_of_images_streaming_or_not(self):
        for name in CASES:
            folder = self.make(name)
            for streaming in (False, True):
                with self.subTest(name=name, streaming=streaming):
                    self.compare(self.load("imagefolder", data_files=folder + "/chat-*.zip", split="train", streaming=streaming), folder)

    def test_the_card_says_how_to_load_the_folder(self):
        folder = self.make("steps")
        for streaming in (False, True):
            self.compare(self.load(folder, "chat", split="train", streaming=streaming), folder)
        with open(folder + "/README.md", encoding="utf-8") as file:
            self.assertIn(f'datasets.load_dataset("FOLDER", "chat", split="train")', file.read())

    def test_beside_rows_of_text_the_cards_lines_load_them_too(self):
        folder = self.build("d", *NAMES[:2], "--format", json.dumps(["steps", {"format": "chat", "pixels": {"look": "flat"}}]))
        with open(folder + "/README.md", encoding="utf-8") as file:
            self.assertIn('datasets.load_dataset("imagefolder", data_files="FOLDER/chat-*.zip", split="train")', file.read())

    def test_all_shards_are_loaded_each_in_its_order(self):
        """The loader keeps the shards of such datasets in a set, so their order varies from run to run."""
        folder = self.build("d", "--tasks", "GoToGoal", "-d", "easy", "-n", "40", "--split", "train", "--evaluation", "keep",
                            "--shard-episodes", "16", "--format", options(pixels={"look": "flat"}))
        self.assertEqual(len(glob.glob(folder + "/chat-*.zip")), 3)
        loaded = self.load("imagefolder", data_files=folder + "/chat-*.zip", split="train")
        self.compare(sorted(loaded, key=lambda row: row["episode_id"]), folder)

    def test_the_test_family_loads(self):
        for look, mode in (("board", "P"), ("answer", "RGB")):
            folder = self.build(look, "--family", "toy", "-n", "3", "--agent", "random", "--format",
                                options(pixels={"look": look, "tile": 1}), program=TOY)
            self.assert_verifies(folder, TOY)
            loaded = self.load("imagefolder", data_files=folder + "/chat-*.zip", split="train")
            self.compare(loaded, folder)
            self.assertEqual(loaded[0]["images"][0].mode, mode)


class Files(Vision):
    FLAGS = ["--tasks", "GoToGoal,KeyDoorPuzzle", "-d", "easy", "--seeds", "0..24", "--shard-episodes", "16", "--evaluation", "keep", "--format",
             options(turns=1, pixels={"look": "flat", "view": 5})]

    def test_files_do_not_depend_on_workers(self):
        one, three = (self.build(jobs, *self.FLAGS, "--jobs", jobs) for jobs in "13")
        self.assertEqual(contents(one), contents(three))
        self.assert_verifies(one)

    def test_rendering_later_and_merging_parts_give_the_same_files(self):
        whole = contents(self.build("whole", *self.FLAGS))
        later = self.build("later", *self.FLAGS[:-2], "-f", "steps")
        self.assertEqual(run("render", later, "--format", self.FLAGS[-1], "-q").returncode, 0)
        self.assertEqual(contents(later), contents(self.build("both", *self.FLAGS[:-1], json.dumps(["steps", *json.loads(self.FLAGS[-1])]))))
        parts = [self.build(f"p{i}", *self.FLAGS, "--shard", f"{i}/2") for i in (1, 2)]
        self.assertEqual(run("merge", *parts, "-o", self.path("m"), "-q").returncode, 0)
        self.assertEqual(contents(self.path("m")), whole)

    def test_a_dry_run_estimates_the_bytes(self):
        for pixels in ({"look": "flat"}, {"look": "flat", "tile": 16}):
            flags = ["--tasks", "KeyDoorPuzzle", "-d", "easy,medium", "-n", "60", "--split", "train", "--format", options(pixels=pixels)]
            said = json.loads(run("build", *flags, "--dry-run", "--json").stdout)
            folder = self.build(str(pixels), *flags)
            size = sum(os.path.getsize(path) for path in glob.glob(folder + "/chat-*.zip"))
            self.assertAlmostEqual(said["formats"]["chat"]["bytes"] / size, 1, delta=0.25)

    def test_wrong_options_are_refused(self):
        pixels = {"look": "flat"}
        for own, *words in (({"user": "{image}"}, "`user`", "`pixels`"), ({"pixels": pixels, "user": "{scene}"}, "`user`", "once"),
                            ({"pixels": pixels, "user": "{image}{image}"}, "`user`", "once"), ({"pixels": pixels, "system": "{image}"}, "`system`"),
                            ({"pixels": pixels, "style": "prompt"}, "`style`"), ({"pixels": {"look": "smell"}}, "`pixels`", "looks of agentick"),
                            ({"pixels": {"look": "flat", "channels": 1}}, "`channels`", "npz"), ({"pixels": 3}, "`pixels`")):
            self.refuse(["build", NAMES[0], "-o", self.path("x"), "--format", options(**own)], USAGE, "formats[0]", *words)


def rewritten(data, alter):
    """Returns an archive after `alter` has changed its members, in a dictionary by name."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    alter(members)
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def png(image):
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


@unittest.skipUnless(numpy, "the Python packages numpy and pillow are not installed")
class Verifying(Vision):
    """Alters a dataset; the forger has recomputed every hash."""

    @classmethod
    def setUpClass(cls):
        maker = Vision()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        cls.good = {name: contents(maker.make(name)) for name in ("steps", "seen")}

    def altered(self, name, alter):
        forger = tamper_test.Forger(self.good[name])
        file = "chat-00000-of-00001.zip"
        forger.replace(file, rewritten(forger.files[file], alter))
        folder = self.path(str(len(os.listdir(self.folder))))
        os.mkdir(folder)
        for file, data in forger.files.items():
            with open(os.path.join(folder, file), "wb") as out:
                out.write(data)
        return folder

    def test_one_altered_pixel_in_a_valid_picture_is_found_and_the_picture_named(self):
        for name, picture in (("steps", "images/00000001-00003.png"), ("seen", "images/00000001-00001.png")):
            def alter(members):
                with Image.open(io.BytesIO(members[picture])) as image:
                    colour = image.getpixel((5, 7))
                    image.putpixel((5, 7), colour ^ 1 if image.mode == "P" else (colour[0] ^ 1, *colour[1:]))
                    members[picture] = png(image)
            self.refuse(["verify", self.altered(name, alter)], FOUND, "chat-00000-of-00001.zip", f"picture {picture}", "pixel (5,7)")

    def test_a_picture_that_was_only_packed_otherwise_passes(self):
        """The bytes of PNG files depend on the library that wrote them."""
        def repack(members):
            for name in members:
                if name.endswith(".png"):
                    with Image.open(io.BytesIO(members[name])) as image:
                        members[name] = png(image.convert("RGB"))
        self.assert_verifies(self.altered("steps", repack))

    def test_swapped_missing_and_additional_pictures_are_found_and_named(self):
        first, second = "images/00000000-00000.png", "images/00000002-00001.png"
        small = "images/00000001-00000.png"  # of a smaller grid

        def swap(members):
            members[first], members[second] = members[second], members[first]

        def shift(members):
            names = [name for name in members if name.startswith("images/00000002-")]
            members.update(zip(names, [members[name] for name in names[1:] + names[:1]]))

        for alter, *words in ((swap, f"picture {first}"), (shift, "picture images/00000002-0000", "pixel ("),
                              (lambda members: members.pop(second), f"picture {second}", "missing"),
                              (lambda members: members.update({second: members[small]}), f"picture {second}", "pixels"),
                              (lambda members: members.update({second: b"no picture"}), f"picture {second}"),
                              (lambda members: members.update({"images/more.png": members[first]}), "holds more"),
                              (lambda members: members.pop("metadata.jsonl"), "metadata.jsonl", "missing")):
            self.refuse(["verify", self.altered("steps", alter)], FOUND, "chat-00000-of-00001.zip", *words)

    def test_another_text_is_found_by_its_column(self):
        for old, new, *words in ((b"these actions", b"those actions", "`text`"), (b'"success": true', b'"success": null', "`success`"),
                                 (b"-00001.png", b"-00000.png", "`images_file_names`")):
            def alter(members):
                members["metadata.jsonl"] = members["metadata.jsonl"].replace(old, new, 1)
            self.refuse(["verify", self.altered("steps", alter)], FOUND, "chat-00000-of-00001.zip", "episode", "row ", *words)

    def test_rows_at_the_end_are_found(self):
        def more(members):
            members["metadata.jsonl"] += members["metadata.jsonl"].splitlines(True)[-1]

        def fewer(members):
            members["metadata.jsonl"] = b"".join(members["metadata.jsonl"].splitlines(True)[:-1])
        self.refuse(["verify", self.altered("steps", more)], FOUND, "metadata.jsonl holds more")
        self.refuse(["verify", self.altered("steps", fewer)], FOUND, "metadata.jsonl is damaged or cut short")

    def test_any_damage_of_an_archive_is_an_error_that_names_it(self):
        file = "chat-00000-of-00001.zip"
        data = self.good["steps"][file]
        for damaged in (b"", b"PK", data[:-1], data[:len(data) // 2], data + b"x", data[:100] + b"\xff" * 50 + data[150:],
                        data[:-120] + bytes(len(data) - (len(data) - 120)), data.replace(b"PK\1\2", b"PK\1\3", 1)):
            folder = self.path(str(len(os.listdir(self.folder))))
            os.mkdir(folder)
            for name, content in {**self.good["steps"], file: damaged}.items():
                with open(os.path.join(folder, name), "wb") as out:
                    out.write(content)
            self.refuse(["verify", folder], FOUND, file)

    def test_pictures_of_another_version_are_refused_as_such(self):
        manifest = json.loads(self.good["steps"]["manifest.json"])
        self.assertEqual(manifest["formats"][0]["picture"], "flat 1")
        for said, *words in (("flat 0", "version `flat 0`", "version `flat 1`"), (None, "`picture`")):
            forger = tamper_test.Forger(self.good["steps"])
            changed = forger.manifest()
            changed["formats"][0].pop("picture")
            if said:
                changed["formats"][0]["picture"] = said
            forger.seal(changed)
            folder = self.path(str(said))
            os.mkdir(folder)
            for name, content in forger.files.items():
                with open(os.path.join(folder, name), "wb") as out:
                    out.write(content)
            self.refuse(["verify", folder], FOUND, *words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
