"""Programs of users as tasks: everything that takes names takes theirs, with `programs=` or after `load_program`."""
import hashlib
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

import seedbed

WELL = """(program
  (= GRID_SIZE {size})
  (object Ball (Cell 0 0 "red"))
  (= ball (initnext (Ball (Position 3 3)) (prev ball)))
  (on left (= ball (moveLeftNoCollision ball)))
  (on right (= ball (moveRightNoCollision ball)))
  (on up (= ball (moveUpNoCollision ball)))
  (on down (= ball (moveDownNoCollision ball))))
"""


class Programs(unittest.TestCase):
    """Every test has programs of its own, since a process keeps what it has loaded."""

    number = 7

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.path, self.name = self.program()

    def program(self, size=None):
        Programs.number += 1
        text = WELL.format(size=size or Programs.number)
        path = os.path.join(self.folder, f"p{Programs.number}.sexp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path, "file-" + hashlib.sha256(text.encode()).hexdigest()[:16]

    def test_observations_may_be_long(self):
        env = seedbed.make("autumn:" + self.program(size=256)[1], obs=["ascii", "ascii_color"], programs=os.path.join(self.folder, f"p{self.number}.sexp"))
        observation, _ = env.reset(seed=0)
        self.assertGreater(min(map(len, observation.values())), 65536)
        self.assertIn(observation, env.observation_space)

    def test_loading_gives_the_name_once_and_again(self):
        with self.assertRaisesRegex(seedbed.UnknownError, "with programs=$|it is none of the "):
            seedbed.make(f"autumn:{self.name}")
        alone = subprocess.run([sys.executable, "-c", f"import seedbed; seedbed.make('autumn:{self.name}')"], capture_output=True, text=True)
        self.assertIn("name the file of this program with programs=\n", alone.stderr)
        self.assertNotIn("--program", alone.stderr)
        self.assertEqual(seedbed.load_program(self.path), f"autumn:{self.name}")
        self.assertEqual(seedbed.load_program(self.path), f"autumn:{self.name}")
        self.assertIn(self.name, [task.name for task in seedbed.tasks()])
        other, name = self.program()
        env = seedbed.make(f"autumn:{self.name}#1")
        first = env.reset()[0]
        seedbed.load_program(other)
        self.assertEqual(env.reset()[0], first, "what was made before goes on")
        self.assertEqual(seedbed.make(f"autumn:{name}#1").reset()[0].count("\n"), Programs.number)

    def test_what_is_wrong_with_a_program_is_told_with_its_place(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write("(program\n (= a (/ 1 0)))")
        with self.assertRaisesRegex(seedbed.InvalidError, r"p\d+.sexp: program:2:7: division"):
            seedbed.load_program(self.path)
        with self.assertRaises(FileNotFoundError):
            seedbed.load_program(self.path + ".none")

    def test_environments_and_vectors(self):
        env = seedbed.make(f"autumn:{self.name}#1", obs="colors", programs=[self.path])
        observation, _ = env.reset()
        self.assertEqual(observation.shape, (Programs.number, Programs.number))
        self.assertIn(observation, env.observation_space)
        self.assertEqual(env.action_names[1], "left")
        env.step(1)
        self.assertTrue(seedbed.replay(env.tape("someone")).steps == 1)
        path, name = self.program(size=9)
        vec = seedbed.make_vec(f"autumn:{name}", 3, obs="colors", programs=path)
        first, _ = vec.reset(seed=4)
        self.assertEqual(first.shape, (3, 9, 9))
        vec.step(numpy.array([1, 2, 3]))
        vec.close()

    def test_selections_rows_datasets_and_results(self):
        chosen = seedbed.select(family="autumn", tasks=self.name, seeds="0..1", programs=self.path)
        self.assertEqual([str(name) for name in chosen], [f"autumn:{self.name}#0", f"autumn:{self.name}#1"])
        path, name = self.program()
        recipe = {"family": "autumn", "tasks": name, "seeds": "1..2", "oracle": "random"}
        rows = list(seedbed.rows(recipe, programs=path))
        path, name = self.program()
        recipe["tasks"] = name
        out = os.path.join(self.folder, "d")
        manifest = seedbed.build(recipe, out, programs=[path])
        self.assertEqual(len(rows), 600, "two episodes of 300 steps")
        self.assertEqual(manifest["episodes"], 2)
        seedbed.verify(out)
        path, name = self.program()
        result = seedbed.evaluate("random", [f"autumn:{name}#1"], programs=path)
        self.assertEqual([episode.name for episode in result.episodes], [f"autumn:{name}#1"])
        function = seedbed.evaluate(lambda observation, info: 0, [f"autumn:{name}#1"])
        self.assertEqual(len(function.episodes), 1)

    def test_challenges_of_a_program(self):
        pack = os.path.join(self.folder, "pack.jsonl")
        subprocess.run([sys.executable, "-m", "seedbed", "challenges", "--program", self.path, "--tasks", self.name, "--kinds", "planning", "--levels", "1",
                        "-o", pack, "-q"], check=True)
        challenges = seedbed.load_challenges(pack, programs=self.path)
        self.assertEqual(list(challenges), [f"autumn:{self.name}/planning-1#1"])
        result = seedbed.evaluate("planner", challenges)
        self.assertTrue(result.episodes[0].success)


if __name__ == "__main__":
    unittest.main()
