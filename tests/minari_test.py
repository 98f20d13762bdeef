"""The package `minari` loads the format `minari`, and NumPy loads `npz`. Skipped if `minari` is missing.

    $(scripts/test-python) tests/minari_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import glob
import json
import os
import resource
import shutil
import sys
import tarfile
import unittest

from dataset_support import SEEDBED, TOY, InFolder, run
from process_support import is_sanitized

try:
    import minari
    import numpy
    import PIL  # noqa: F401: minari needs it to read HDF5, but does not depend on it
except ImportError:
    minari = None

HAS_FORMAT = "libhdf5" not in run("build", "PreciseNavigation/easy#1", "--dry-run", "-f", "minari").stderr


@unittest.skipUnless(minari, "the Python package `minari` is not installed: pip install 'minari[hdf5]' pillow")
@unittest.skipUnless(HAS_FORMAT, "built without libhdf5")
class Minari(InFolder):
    def setUp(self):
        super().setUp()
        os.environ["MINARI_DATASETS_PATH"] = self.path("unpacked")

    def load(self, *flags, program=SEEDBED, pixels=None):
        """Returns pairs of a dataset and the arrays of the same shard, and the ids of the datasets."""
        formats = [{"format": name, **({"pixels": pixels} if pixels else {})} for name in ("npz", "minari")]
        folder = self.build("d", *flags, "--format", json.dumps(formats), program=program)
        for path in sorted(glob.glob(os.path.join(folder, "*.tar"))):
            with tarfile.open(path) as archive:
                archive.extractall(self.path("unpacked"))
        ids = sorted(minari.list_local_datasets())
        arrays = [numpy.load(path, allow_pickle=False) for path in sorted(glob.glob(os.path.join(folder, "*.npz")))]
        return list(zip([minari.load_dataset(id) for id in ids], arrays, strict=True)), ids

    def check_episode(self, dataset, episode, data, i):
        begin, end = data["offsets"][i:i + 2]
        self.assertEqual(len(episode), end - begin)
        for column in ("actions", "rewards", "terminations", "truncations"):
            numpy.testing.assert_array_equal(getattr(episode, column), data[column][begin:end])
        self.assertEqual(episode.terminations.dtype, bool)
        for name, seen in episode.observations.items():
            if isinstance(seen, list):
                self.assertEqual(set(seen), {data[name][i].decode()})
                self.assertEqual(len(seen), end - begin + 1)
                continue
            numpy.testing.assert_array_equal(seen[:-1], data[name][begin:end])
            numpy.testing.assert_array_equal(seen[-1], data["final_" + name][i])
        for step in range(len(episode) + 1):
            self.assertTrue(dataset.observation_space.contains({key: seen[step] for key, seen in episode.observations.items()}))
        for action in episode.actions:
            self.assertTrue(dataset.action_space.contains(action))
        numpy.testing.assert_array_equal(episode.infos["action_mask"], data["action_mask"][begin:end])

    def check(self, *flags, program=SEEDBED, pixels=None):
        pairs, ids = self.load(*flags, program=program, pixels=pixels)
        for dataset, data in pairs:
            self.assertEqual("pixels" in dataset.observation_space.spaces, pixels is not None)
            self.assertEqual((dataset.total_episodes, dataset.total_steps), (len(data["names"]), len(data["actions"])))
            for i, episode in enumerate(dataset.iterate_episodes()):
                self.check_episode(dataset, episode, data, i)
            for i, metadata in enumerate(dataset.storage.get_episode_metadata(range(dataset.total_episodes))):
                self.assertEqual((metadata["seed"], metadata["name"]), (data["seeds"][i], data["names"][i]))
        return ids

    def test_gridworlds_load(self):
        self.assertEqual(self.check("--tasks", "KeyDoorPuzzle,FogOfWarExploration", "-n", "2"), ["seedbed/minari-v0"])

    def test_pictures_load(self):
        """npz has the frames of films: tests/pictures_test.py."""
        for pixels in ({"look": "isometric", "size": 448}, {"look": "flat", "view": 5}):
            self.check("--tasks", "KeyDoorPuzzle", "-d", "easy", "-n", "2", "--name", pixels["look"], pixels=pixels)
            for path in (*glob.glob(self.path("unpacked") + "/*"), self.path("d")):
                shutil.rmtree(path)

    def test_ids_are_those_of_the_recipes_name(self):
        self.assertEqual(self.check("--tasks", "GoToGoal", "-n", "1", "--name", "My walks, 2nd"), ["seedbed/My-walks--2nd-v0"])

    def test_babyai_loads(self):
        self.check("--family", "babyai", "--tasks", "GoToLocal,SynthSeq", "-n", "4", "--epsilon", "0.2")

    def test_every_shard_loads_and_they_can_be_combined(self):
        ids = self.check("--family", "toy", "-n", "20", "--shard-episodes", "16", "--agent", "random", program=TOY)
        self.assertEqual(ids, [f"seedbed/minari-{i:05}-of-00003-v0" for i in range(3)])
        combined = minari.combine_datasets([minari.load_dataset(id) for id in ids], "toys-v0")
        self.assertEqual(combined.total_episodes, 40)


@unittest.skipUnless(HAS_FORMAT, "built without libhdf5")
@unittest.skipIf(is_sanitized(SEEDBED), "sanitizers take memory of their own")
class ShortOfMemory(InFolder):
    def test_the_program_does_not_crash_after_an_error_message(self):
        """libhdf5 itself may crash when it gets no memory, perhaps with a word of the C library; the old files are then still
            there. But once the program has printed an error it ends without a crash, so it does not call libhdf5's handler at exit."""
        failed = enough = 0
        for kibibytes in range(8000, 200000, 100):  # from hardly enough to start the program to more than it needs
            done = run("build", "--tasks", "GoToGoal", "-d", "easy", "--seeds", "0..30", "-f", "minari", "-j", "1", "-q", "--force",
                       "-o", self.path("d"), preexec_fn=lambda n=kibibytes: resource.setrlimit(resource.RLIMIT_AS, (n << 10, n << 10)))
            with self.subTest(kibibytes=kibibytes):
                self.assertTrue(done.returncode >= 0 or "seedbed: " not in done.stderr, f"{done.returncode} after: {done.stderr}")
            failed += done.returncode == 1
            enough = enough + 1 if done.returncode == 0 else 0
            if enough == 10:
                break
        self.assertGreater(failed, 0, "memory was never short")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
