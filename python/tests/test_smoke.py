"""What every part of the package does once, for a wheel in a new environment (scripts/check-wheel)."""
import ast
import importlib.metadata
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest

import seedbed

NAME = "KeyDoorPuzzle-v0/medium#42"


def played(env):
    env.reset()
    while not env.done:
        env.step(env.expert_action())
    return env


class Installed(unittest.TestCase):
    def test_oracle_solves_an_episode_of_every_family_that_can_be_solved(self):
        for family in seedbed.families():
            task = seedbed.tasks(family)[0]
            env = seedbed.make(f"{family}:{task.name}", seed=1)
            if "expert" in task.agents:
                self.assertTrue(played(env).success, env.name)
            else:
                env.reset()
                self.assertEqual(env.step(0)[1:4], (0.0, False, False), env.name)

    def test_pickled_environment_goes_on(self):
        env = seedbed.make(NAME)
        env.reset()
        env.step(env.expert_action())
        other = pickle.loads(pickle.dumps(env))
        self.assertEqual((other.name, other.key), (env.name, env.key))

    def test_vectors_step(self):
        vec = seedbed.make_vec("KeyDoorPuzzle-v0/medium", 20, threads=2)
        vec.reset(seed=0)
        _, rewards, *_ = vec.step(vec.expert_actions())
        self.assertEqual(rewards.shape, (20,))

    def test_pictures(self):
        """In memory, and written by the libraries that came along."""
        env = seedbed.make(NAME, obs="pixels", render_mode="rgb_array")
        self.assertEqual((env.reset()[0].shape, env.render().shape), ((104, 88, 3), (208, 176, 3)))
        with tempfile.TemporaryDirectory() as folder:
            for call, file, begins in (("show", "start.png", b"\x89PNG"), ("solve", "film.gif", b"GIF89a")):
                option = "-o" if call == "show" else "--film"
                path = os.path.join(folder, file)
                subprocess.run([sys.executable, "-m", "seedbed", call, NAME, "--look", "flat", option, path], check=True, capture_output=True)
                with open(path, "rb") as made:
                    self.assertEqual(made.read(len(begins)), begins)

    def test_official_pack_came_along(self):
        pack = seedbed.official_pack()
        self.assertEqual(len(pack.selection()), 3700)

    def test_rows_and_evaluation(self):
        selection = seedbed.select(tasks="KeyDoorPuzzle", difficulty="easy", seeds="0..3")
        self.assertEqual(len({row["seed"] for row in seedbed.rows(selection, "steps")}), 4)
        self.assertEqual(seedbed.evaluate("expert", selection).all.successes, 4)

    def test_every_way_to_the_command_is_the_command(self):
        answers = [subprocess.run([*command, "solve", NAME], capture_output=True, text=True)
                   for command in ([sys.executable, "-m", "seedbed"], [shutil.which("seedbed", path=os.path.dirname(sys.executable))])
                   if command[0]]
        self.assertEqual({answer.returncode for answer in answers}, {0})
        self.assertEqual(len({answer.stdout for answer in answers}), 1)

    @unittest.skipIf("PYTHONPATH" in os.environ, "imported from a build folder, not installed")
    def test_version_is_that_of_the_distribution(self):
        self.assertEqual(seedbed.__version__, importlib.metadata.version("seedbed"))

    def test_type_checkers_see_every_name(self):
        with open(seedbed.__file__, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
        seen = {alias.asname for block in blocks for node in block.body for alias in node.names}
        self.assertEqual(seen, set(seedbed._LAZY))
        for name in seen:
            self.assertIsNotNone(getattr(seedbed, name))


if __name__ == "__main__":
    unittest.main()
