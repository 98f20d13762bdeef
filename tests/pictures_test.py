"""Pictures as files: stills, films and raw frames show the same pixels, and so do the arrays of datasets. NumPy and Pillow read them.

    $(scripts/test-python) tests/pictures_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import io
import json
import os
import re
import subprocess
import sys
import unittest
import zipfile

from dataset_support import FOUND, SEEDBED, TOY, USAGE, InFolder, read, run, write

try:
    import numpy
    from PIL import Image
except ImportError:
    numpy = None

GRIDWORLD, BABYAI, PROGRAM = "KeyDoorPuzzle-v0/medium#42", "babyai:GoTo#5", "autumn:MoleDigger#7"
# An episode, and what a picture of it is asked for.
CASES = [(GRIDWORLD, []), (GRIDWORLD, ["--tile", "16"]), (GRIDWORLD, ["--view", "9", "--no-panel"]),
         ("TreasureHunt/easy#1", ["--look", "flat"]), (GRIDWORLD, ["--look", "isometric", "--size", "96"]), (BABYAI, []), (BABYAI, ["--look", "grid", "--tile", "12"]),
         (BABYAI, ["--look", "rgb_array", "--no-highlight"]), (PROGRAM, []), (PROGRAM, ["--look", "grid", "--tile", "3"])]


def teacher_of(name):
    return ["--agent", "coverage" if name.startswith("autumn:") else "expert"]


def frames_of(name, *options):
    """Returns all frames of the teacher's episode."""
    done = subprocess.run([SEEDBED, "solve", name, *teacher_of(name), "--film", "-", *options], capture_output=True, timeout=900)
    said = re.fullmatch(rb"film: (\d+) frames of (\d+) x (\d+) pixels, 3 bytes each\n", done.stderr)
    assert done.returncode == 0 and said, done.stderr
    n, width, height = map(int, said.groups())
    return numpy.frombuffer(done.stdout, numpy.uint8).reshape(n, height, width, 3)


@unittest.skipUnless(numpy, "the Python packages numpy and pillow are not installed")
class Files(InFolder):
    def succeed(self, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def test_a_still_is_the_first_frame(self):
        for name, options in CASES:
            with self.subTest(name=name, options=options):
                self.succeed("show", name, *options, "-o", self.path("x.png"))
                with Image.open(self.path("x.png")) as image:
                    self.assertEqual(image.mode, "RGB" if name == BABYAI else "P")
                    pixels = numpy.asarray(image.convert("RGB"))
                numpy.testing.assert_array_equal(pixels, frames_of(name, *options)[0])

    def test_a_still_goes_to_standard_output_too(self):
        self.succeed("show", BABYAI, "-o", self.path("x.png"))
        done = subprocess.run([SEEDBED, "show", BABYAI, "-o", "-"], capture_output=True, timeout=900)
        self.assertEqual((done.stdout, done.stderr), (read(self.path("x.png")), b""))

    def test_a_film_has_the_frames_and_its_time(self):
        for name, options in CASES:
            with self.subTest(name=name, options=options):
                self.succeed("solve", name, *teacher_of(name), *options, "--film", self.path("x.gif"), "--delay", "70")
                frames = frames_of(name, *options)
                with Image.open(self.path("x.gif")) as film:
                    self.assertEqual((film.n_frames, film.info["loop"]), (len(frames), 0))
                    for i, frame in enumerate(frames):
                        film.seek(i)
                        self.assertEqual(film.info["duration"], 70)
                        numpy.testing.assert_array_equal(numpy.asarray(film.convert("RGB")), frame)

    def test_frames_of_a_film_hold_what_has_changed(self):
        self.succeed("solve", GRIDWORLD, "--film", self.path("x.gif"))
        size = os.path.getsize(self.path("x.gif"))
        self.succeed("show", GRIDWORLD, "-o", self.path("x.png"))
        self.assertLess(size, len(frames_of(GRIDWORLD)) * os.path.getsize(self.path("x.png")))

    def test_raw_frames_go_to_a_file_too(self):
        done = run("solve", BABYAI, "--film", self.path("x.rgb"))
        self.assertIn("success", done.stdout)
        self.assertEqual(read(self.path("x.rgb")), frames_of(BABYAI).tobytes())

    def test_a_tape_is_filmed_like_its_episode(self):
        self.succeed("solve", BABYAI, "-o", self.path("tape.jsonl"), "--film", self.path("x.gif"))
        self.succeed("replay", self.path("tape.jsonl"), "--film", self.path("y.gif"))
        self.assertEqual(read(self.path("x.gif")), read(self.path("y.gif")))
        tapes = write(self.path("tapes.jsonl"), 2 * read(self.path("tape.jsonl")))
        self.refuse(["replay", tapes, "--film", self.path("z.gif")], USAGE, "several tapes")
        self.refuse(["replay", write(self.path("none.jsonl"), ""), "--film", self.path("z.gif")], FOUND, "no tapes")
        self.assertFalse(os.path.exists(self.path("z.gif")))

    def test_a_tape_is_filmed_in_any_look(self):
        for name, options in CASES:
            with self.subTest(name=name, options=options):
                self.succeed("solve", name, *teacher_of(name), "-o", self.path("tape.jsonl"))
                self.succeed("replay", self.path("tape.jsonl"), *options, "--film", self.path("x.gif"))
                done = run("replay", self.path("tape.jsonl"), *options, "--film", self.path("x.rgb"))
                frames = frames_of(name, *options)
                self.assertEqual(read(self.path("x.rgb")), frames.tobytes())
                self.assertEqual(done.stderr, "film: {} frames of {} x {} pixels, 3 bytes each\n".format(len(frames), *frames.shape[2:0:-1]))
                with Image.open(self.path("x.gif")) as film:
                    film.seek(len(frames) - 1)
                    numpy.testing.assert_array_equal(numpy.asarray(film.convert("RGB")), frames[-1])

    def test_wrong_calls_are_refused_and_leave_no_file(self):
        for arguments, code, *words in (
                (["show", GRIDWORLD, "--look", "smell", "-o", "x.png"], USAGE, "looks of agentick: flat"),
                (["show", GRIDWORLD, BABYAI, "-o", "x.png"], USAGE, "one episode"),
                (["show", GRIDWORLD, "--tile", "9", "-o", "x.png"], USAGE, "8 or 16"),
                (["show", GRIDWORLD, "--look", "isometric", "--tile", "8", "-o", "x.png"], USAGE, "`size`"),
                (["show", BABYAI, "--no-panel", "-o", "x.png"], USAGE, "no option `panel`"),
                (["solve", GRIDWORLD, "--film", "x.mp4"], USAGE, "NAME.gif"),
                (["solve", GRIDWORLD, "--film", "x.gif", "--look", "isometric", "--tile", "8"], USAGE, "`size`"),
                (["solve", GRIDWORLD, "--film", "x.gif", "--look", "isometric", "--size", "2000"], USAGE, "1024"),
                (["solve", GRIDWORLD, "--film", "x.gif", "--size", "256"], USAGE, "no option `size`"),
                (["solve", "GoToGoal/easy#1", "GoToGoal/easy#2", "--film", "x.gif"], USAGE, "one episode", "2 are selected"),
                (["solve", GRIDWORLD, "--film", "-", "--json"], USAGE, "standard output")):
            with self.subTest(arguments=arguments):
                done = run(*arguments, cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                for word in words:
                    self.assertIn(word, done.stderr)
                self.assertEqual(os.listdir(self.folder), [])
        self.refuse(["show", "climb:Climb/steep#1", "-o", self.path("x.png")], USAGE, "no pictures", program=TOY)


@unittest.skipUnless(numpy, "the Python packages numpy and pillow are not installed")
class Datasets(InFolder):
    NAMES = ["PreciseNavigation/easy#1", "KeyDoorPuzzle/easy#2", "KeyDoorPuzzle/medium#3"]

    def arrays(self, names, pixels, options=()):
        folder = self.build("d" + str(len(os.listdir(self.folder))), *names, *teacher_of(names[0]), "--format", json.dumps([{"format": "npz", "pixels": pixels}]))
        self.assert_verifies(folder)
        with numpy.load(os.path.join(folder, "npz-00000-of-00001.npz"), allow_pickle=False) as data:
            self.assertNotIn("pixels_mask", data)
            for i, name in enumerate(names):
                frames, begin, end = frames_of(name, *options), data["offsets"][i], data["offsets"][i + 1]
                shown = numpy.concatenate([data["pixels"][begin:end], data["final_pixels"][i:i + 1]])
                self.assertEqual(len(shown), len(frames))
                height, width = frames.shape[1:3]
                numpy.testing.assert_array_equal(shown[:, :height, :width], frames)
                self.assertFalse(shown[:, height:].any() or shown[:, :, width:].any())
        return folder

    def test_pixels_are_the_frames_in_the_upper_left_corner(self):
        self.arrays(self.NAMES, {"look": "flat"})
        self.arrays(self.NAMES, {"look": "flat", "tile": 16, "view": 7, "panel": False}, ["--tile", "16", "--view", "7", "--no-panel"])
        self.arrays(self.NAMES, {"look": "isometric", "size": 270}, ["--look", "isometric", "--size", "270"])
        self.arrays([BABYAI, "babyai:GoToLocal#2"], {"look": "grid", "highlight": False}, ["--look", "grid", "--no-highlight"])
        self.arrays([PROGRAM, "autumn:Triad#2"], {"look": "grid", "tile": 4}, ["--tile", "4"])

    def test_every_format_with_pictures_takes_the_sizes_that_processors_like(self):
        for name, size in (("npz", 448), ("minari", 512), ("chat", 560), ("chat", 672)):
            with self.subTest(format=name, size=size):
                frames = frames_of(self.NAMES[0], "--look", "isometric", "--size", str(size))
                folder = self.path(f"{name}{size}")
                done = run("build", self.NAMES[0], "-o", folder, "-q", "--format", json.dumps({"format": name, "pixels": {"look": "isometric", "size": size}}))
                if name == "minari" and "unknown format" in done.stderr:
                    continue  # built without libhdf5
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assert_verifies(folder)
                if name == "npz":
                    with numpy.load(folder + "/npz-00000-of-00001.npz") as data:
                        numpy.testing.assert_array_equal(data["pixels"], frames[:-1])
                if name == "chat":
                    with zipfile.ZipFile(folder + "/chat-00000-of-00001.zip") as archive:
                        pictures = [Image.open(io.BytesIO(archive.read(f"images/00000000-{step:05}.png"))).convert("RGB") for step in range(len(frames) - 1)]
                    numpy.testing.assert_array_equal(numpy.stack(pictures), frames[:-1])

    def test_pictures_that_are_too_small_are_noted(self):
        def notes(*what, **pixels):
            said = []
            for extra in (["--dry-run"], ["-o", self.path("d"), "--force"]):
                done = run("build", *what, "--format", json.dumps({"format": "npz", "pixels": pixels}), *extra)
                self.assertEqual(done.returncode, 0, done.stderr)
                said.append([line for line in done.stderr.splitlines() if "note" in line])
            self.assertEqual(*said)
            return said[0]
        what = ["--tasks", "KeyDoorPuzzle", "-d", "easy,expert", "-n", "1", "--split", "train"]
        small = notes(*what, look="isometric", size=256)
        self.assertEqual(len(small), 1)
        self.assertIn("format npz", small[0])
        self.assertIn("in 1 of 2 tasks and difficulties, such as KeyDoorPuzzle-v0/expert", small[0])
        self.assertIn("in 2 of 2 ", notes(*what, look="isometric", size=128)[0])
        for pixels in ({"look": "isometric"}, {"look": "flat"}, {"look": "flat", "view": 5}):
            self.assertEqual(notes(*what, **pixels), [], pixels)
        self.assertEqual(notes("babyai:GoTo#5", look="view"), [])

    def test_one_channel_has_numbers_of_colours_in_a_palette(self):
        names = self.NAMES[:2]
        options = [{"format": "npz", "name": name, "pixels": {"look": "flat", "channels": n}} for name, n in (("rgb", 3), ("numbers", 1))]
        folder = self.build("d", *names, "--format", json.dumps(options))
        self.assert_verifies(folder)
        with numpy.load(folder + "/rgb-00000-of-00001.npz") as rgb, numpy.load(folder + "/numbers-00000-of-00001.npz") as numbers:
            self.assertNotIn("palette", rgb)
            palette = numbers["palette"]
            self.assertEqual((palette.shape, palette.dtype, numbers["pixels"].ndim), ((256, 3), numpy.uint8, 3))
            self.assertFalse(palette[0].any())
            for name in ("pixels", "final_pixels"):
                numpy.testing.assert_array_equal(palette[numbers[name]], rgb[name])
        for pixels, *words in (({"look": "flat", "channels": 2}, "3 or 1"), ({"look": "flat", "channels": "one"}, "`channels`")):
            self.refuse(["build", names[0], "-o", self.path("x"), "--format", json.dumps([{"format": "npz", "pixels": pixels}])], USAGE, *words)
        view = json.dumps([{"format": "npz", "pixels": {"look": "view", "channels": 1}}])
        self.refuse(["build", BABYAI, "-o", self.path("x"), "--format", view], USAGE, "more colours than a palette holds")

    def test_files_do_not_depend_on_workers_and_can_be_rendered_later(self):
        formats = json.dumps([{"format": "npz", "pixels": {"look": "flat"}}])
        folders = [self.build(str(jobs), *self.NAMES, "--format", formats, "--jobs", str(jobs)) for jobs in (1, 3)]
        folders.append(self.build("later", *self.NAMES))
        self.assertEqual(run("render", folders[2], "--format", formats).returncode, 0)
        files = {read(os.path.join(folder, "npz-00000-of-00001.npz")) for folder in folders}
        self.assertEqual(len(files), 1)

    def test_one_altered_pixel_is_found(self):
        folder = self.arrays(self.NAMES[:1], {"look": "flat"})
        path = os.path.join(folder, "npz-00000-of-00001.npz")
        with numpy.load(path) as data:
            arrays = dict(data)
        arrays["pixels"][0, 3, 4, 1] ^= 1
        numpy.savez_compressed(path, **arrays)
        self.refuse(["verify", folder], FOUND, "npz-00000-of-00001.npz")

    def test_wrong_options_are_refused(self):
        for pixels, *words in (({"tile": 8}, "`pixels`", "`look`"), ({"look": "view"}, "looks of agentick: flat"), ({"look": "flat", "size": 3}, "`size`"),
                               ({"look": "flat", "tile": 9}, "8 or 16"), ({"look": "flat", "view": 4}, "odd number"), ("flat", "`pixels`")):
            formats = json.dumps([{"format": "npz", "pixels": pixels}])
            self.refuse(["build", "PreciseNavigation/easy#1", "-o", self.path("x"), "--format", formats], USAGE, "formats[0]", *words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
