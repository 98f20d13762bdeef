"""Worlds of users in Python: every function that takes names takes their names and their paths, with `programs=` or without."""
import itertools
import json
import os
import pathlib
import re
import tempfile
import unittest

import gymnasium
import numpy

import seedbed

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "worlds"
# Push the crate along a corridor of six cells: the shortest play is known.
CORRIDOR = """(program
  (task "{name}"
    (category "planning")
    (says "Push the crate to the end.")
    (difficulty short (= GRID_SIZE 6) (= CRATE 2) (steps 20) (solution 2 6))
    (difficulty long (= GRID_SIZE 9) (= CRATE 4) (steps 20) (solution 5 9))
    (win (== (.. (.. crate origin) x) LAST)))
  (= LAST (- GRID_SIZE 1))
  (object Crate (Cell 0 0 "peru"))
  (object Player (Cell 0 0 "dodgerblue"))
  (= crate (Crate (Position CRATE 0)))
  (= player (Player (Position (uniformChoice (range 0 CRATE)) 0)))
  (= pushed (--> () (if (== (.. player origin) (.. crate origin)) then (= crate (move crate (Position 1 0))) else crate)))
  (on right (let (= player (move player (Position 1 0))) ((pushed)))))
"""


class Worlds(unittest.TestCase):
    """Every test has a world of its own, since a process keeps what it has loaded."""

    numbers = itertools.count(1)

    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path, self.name = self.world()

    def world(self, name=None, text=CORRIDOR):
        """The path and the name of a new world."""
        name = name or f"Corridor{next(self.numbers)}"
        path = os.path.join(self.folder, f"w{next(self.numbers)}.sexp")
        pathlib.Path(path).write_text(text.format(name=name), encoding="utf-8")
        return path, name


class Names(Worlds):
    def test_a_path_is_a_name(self):
        env = seedbed.make(f"{self.path}/long#7")
        observation, _ = env.reset()
        self.assertEqual((env.name, env.max_steps), (f"autumn:{self.name}/long#7", 20))
        self.assertTrue(observation.startswith("Push the crate to the end.\n"))
        self.assertEqual(seedbed.make(f"autumn:{self.name}/long#7").reset()[0], observation)

    def test_where_a_path_ends(self):
        folder = os.path.join(self.folder, "of.sexp", "deeper")
        os.makedirs(folder)
        path = pathlib.Path(folder, "a.sexp")
        path.write_text(CORRIDOR.format(name=f"{self.name}Deep"), encoding="utf-8")
        for text in (f"{path}", f"{path}/short", f"{path}/short#3", f"{path}#3"):
            self.assertEqual(seedbed.make(text, difficulty="short").task, self.name + "Deep", text)
        with self.assertRaisesRegex(FileNotFoundError, "none.sexp"):
            seedbed.make("none.sexp/easy#1")
        with self.assertRaises(seedbed.UnknownError):
            seedbed.make("a.sexpx/easy#1")

    def test_its_difficulties_are_listed(self):
        seedbed.load_program(self.path)
        task = next(task for task in seedbed.tasks("autumn") if task.name == self.name)
        self.assertEqual((task.difficulties, task.category, task.summary), (("short", "long"), "planning", "Push the crate to the end."))
        with self.assertRaisesRegex(seedbed.UnknownError, "known difficulties: short, long"):
            seedbed.make(f"{self.path}/easy")

    def test_oracles_and_names(self):
        self.assertIn("expert", seedbed.oracles(self.path))
        self.assertEqual(seedbed.oracles(self.name), seedbed.oracles(self.name, programs=self.path))
        self.assertEqual(seedbed.parse_name(f"{self.path}/short#3"), ("autumn", self.name, "short", 3))
        self.assertEqual(len(seedbed.eval_seeds(self.path, "short")), 25)


class Errors(Worlds):
    def test_two_worlds_of_one_name_are_refused(self):
        other, _ = self.world(self.name, CORRIDOR + "; another\n")
        with self.assertRaisesRegex(seedbed.InvalidError, rf"w\d+\.sexp: two programs are called `{self.name}`: give one of them another name$"):
            seedbed.make(f"{self.path}/short", programs=[self.path, other])

    def test_a_file_that_was_changed_is_told(self):
        seedbed.load_program(self.path)
        with open(self.path, "a", encoding="utf-8") as file:
            file.write("; changed\n")
        with self.assertRaisesRegex(seedbed.InvalidError, "loaded the file before it was changed: start Python anew"):
            seedbed.make(f"{self.path}/short")

    def test_errors_name_line_and_column(self):
        for wrong, place, kind in (("(steps 20) (solution 5 9)", "6:50", "parse"), ("crate origin) x) LAST", "7:", "undefined")):
            path, _ = self.world(text=CORRIDOR.replace(wrong, wrong.replace("steps", "stepz").replace("LAST", "LOST")))
            for call in (seedbed.load_program, seedbed.make, lambda path: seedbed.select(tasks=path), lambda path: seedbed.rows({"tasks": path})):
                with self.assertRaisesRegex(seedbed.InvalidError, rf"w\d+\.sexp: program:{place}.*: {kind}: "):
                    call(path)


class Playing(Worlds):
    def test_the_expert_plays_the_shortest(self):
        env = seedbed.make(f"{self.path}/short#7", programs=self.path)
        env.reset()
        at = json.loads(env.observe("structured.json"))["objects"]
        (x,) = [cell[0] for thing in at if thing["type"] == "Player" for cell in thing["cells"]]
        while not env.done:
            env.step(env.expert_action())
        self.assertEqual((env.success, env.step_count), (True, 4 - x))

    def test_observations_are_in_their_spaces(self):
        for obs in ("ascii", "language", "structured", "structured.json", "frame", "arrays", "values", "flat", "pixels", ["language", "colors"]):
            env = seedbed.make(f"{self.path}/short", obs=obs)
            self.assertIn(env.reset(seed=1)[0], env.observation_space, obs)

    def test_every_colour_has_a_number_of_its_own_in_pictures_and_arrays(self):
        for options in ({"obs": "pixels", "tile": 1, "indexed": True}, {"obs": "colors"}):
            env = seedbed.make(f"{EXAMPLES / 'crates.sexp'}/easy#7", **options)
            shown, _ = env.reset()
            self.assertEqual((shown.shape, len(set(shown.flat))), ((6, 6), 5), options)
            self.assertNotIn(255, shown)

    def test_only_keys_that_the_world_asks_for_are_open(self):
        env = seedbed.make(f"{self.path}/short#7")
        env.reset()
        self.assertEqual([env.action_names[i] for i in numpy.flatnonzero(env.action_mask())], ["noop", "right"])

    def test_a_vector_equals_its_environments(self):
        for name in (f"{self.path}/long", [f"{self.path}/long"] * 3, f"autumn:{self.name}/long"):
            vec = seedbed.make_vec(name, 3, obs="colors", programs=self.path, autoreset="SameStep")
            one = seedbed.make(f"autumn:{self.name}/long", obs="colors")
            observations, _ = vec.reset(seed=4)
            numpy.testing.assert_array_equal(observations[1], one.reset(seed=5)[0])
            won = 0
            for _ in range(20):
                _, rewards, *_ = vec.step(vec.expert_actions())
                won += rewards.sum()
            self.assertGreaterEqual(won, 6, "every nine steps an episode at the latest")

    def test_mixtures(self):
        mixture = seedbed.Mixture([{"tasks": self.path, "difficulty": "short", "weight": 1}, {"tasks": [self.path], "difficulty": "long", "weight": 1}])
        self.assertEqual({name.partition("#")[0] for name in mixture.draw(20, 1)}, {f"autumn:{self.name}/short", f"autumn:{self.name}/long"})
        vec = seedbed.make_vec(seedbed.Mixture([{"tasks": self.path, "difficulty": "short", "weight": 1}]), 2)
        vec.reset(seed=1)
        self.assertTrue(all(name.startswith(f"autumn:{self.name}/short#") for name in vec.names()))


class Gymnasium(Worlds):
    def test_register_makes_ids(self):
        id = f"seedbed/{self.name}-short-v0"
        self.assertNotIn(id, gymnasium.registry)
        seedbed.register(programs=[self.path])
        env = gymnasium.make(id, obs="colors")
        self.assertEqual(env.reset(seed=1)[0].shape, (6, 6))
        self.assertEqual(gymnasium.make_vec(id, 3, obs="colors").reset(seed=1)[0].shape, (3, 6, 6))
        self.assertEqual((seedbed.gym_id(f"{self.path}/short"), seedbed.from_gym_id(id)), (id, f"autumn:{self.name}/short"))
        self.assertEqual(seedbed.make(f"{self.path}/short").spec.id, id)

    def test_an_id_that_another_task_has_gets_the_family(self):
        path, _ = self.world("TagHunt")
        self.assertEqual(seedbed.make(f"{path}/short").spec.id, "seedbed/autumn-TagHunt-short-v0")
        self.assertEqual(seedbed.gym_id("agentick:TagHunt/easy"), "seedbed/TagHunt-easy-v0")
        self.assertEqual({seedbed.parse_name(name).family for name in seedbed.select(tasks=path, seeds="1")}, {"autumn"})


class Data(Worlds):
    def test_selections(self):
        expected = [f"autumn:{self.name}/short#{seed}" for seed in (1, 2)]
        for chosen in (seedbed.select(tasks=self.path, difficulty="short", seeds="1..2"), seedbed.select([f"{self.path}/short#1", f"{self.path}/short#2"]),
                       seedbed.select(tasks=self.name, difficulty="short", seeds="1..2", programs=self.path)):
            self.assertEqual([*chosen], expected)

    def test_a_world_takes_no_category_from_the_built_in_tasks(self):
        seedbed.load_program(self.path)
        families = {seedbed.parse_name(name).family for name in seedbed.select(category="planning")}
        self.assertEqual(families, {"agentick"})

    def test_packs(self):
        pack = seedbed.derive_pack("ours", tasks=self.path, difficulty="long", count=3, digests=True, solvable=True, programs=self.path)
        pack.verify()
        pack.save(os.path.join(self.folder, "pack.json"))
        seedbed.verify(os.path.join(self.folder, "pack.json"))
        self.assertEqual(len(seedbed.load_pack(os.path.join(self.folder, "pack.json")).selection()), 3)

    def test_rollouts_rows_and_datasets(self):
        episode, = seedbed.rollouts(f"{self.path}/short#7", agent="expert", obs="language", programs=self.path)
        self.assertTrue(episode.success and seedbed.replay(episode.tape).success)
        recipe = {"tasks": self.path, "seeds": "1..4", "oracle": "expert", "evaluation": "keep"}
        rows = [*seedbed.rows(recipe, "steps", modes="language")]
        self.assertEqual({row["task"] for row in rows}, {self.name})
        file = os.path.join(self.folder, "recipe.json")
        pathlib.Path(file).write_text(json.dumps(recipe), encoding="utf-8")
        for number, source in enumerate((recipe, file, {**recipe, "tasks": self.name})):
            out = os.path.join(self.folder, f"d{number}")
            manifest = seedbed.build(source, out, programs=[self.path])
            self.assertEqual((manifest["episodes"], manifest["rows"]), (8, len(rows)))
            self.assertIn(pathlib.Path(self.path).read_text(encoding="utf-8"), [program["text"] for program in manifest["recipe"]["programs"]])
            seedbed.verify(out)

    def test_evaluations(self):
        file = os.path.join(self.folder, "result.json")
        results = []
        for episodes in (seedbed.select(tasks=self.path, difficulty="short", seeds="1..3"), [f"{self.path}/short#{seed}" for seed in (1, 2, 3)],
                         {"tasks": self.path, "difficulty": "short", "seeds": "1..3"}):
            results.append(seedbed.evaluate("expert", episodes, programs=self.path))
            self.assertEqual((results[-1].all.successes, results[-1].all.episodes), (3, 3))
        lost = seedbed.evaluate(lambda seen, info: "noop", f"{self.path}/short#1", obs="language")
        self.assertEqual((lost.all.successes, lost.episodes[0].steps), (0, 20))
        results[0].save(file)
        seedbed.verify(file)
        self.assertEqual(seedbed.load_result(file).by_difficulty["short"].successes, 3)
        results[0].report(os.path.join(self.folder, "page.html"), lost)
        page = pathlib.Path(self.folder, "page.html").read_text(encoding="utf-8")
        self.assertIn(self.name, page)
        salt = "0123456789abcdef0123456789abcdef"
        parts = [seedbed.evaluate(lambda seen, info: "right", {"tasks": self.name, "seeds": "1..2"}, salt=salt, shard=f"{i}/2") for i in (1, 2)]
        self.assertEqual(seedbed.merge_results(parts).all.successes, 4)


class Challenges(Worlds):
    def test_a_world_poses_them_at_each_difficulty(self):
        path = str(EXAMPLES / "crates.sexp")
        env = seedbed.make(f"{path}/easy/mfp-1#1")
        env.reset()
        self.assertEqual((env.task, env.difficulty, env.name), ("Crates/easy", "mfp-1", "autumn:Crates/easy/mfp-1#1"))
        self.assertEqual(seedbed.gym_id(f"{path}/easy/mfp-1"), "seedbed/Crates-easy-mfp-1-v0")
        self.assertEqual(seedbed.gym_id(f"{path}/easy"), "seedbed/Crates-easy-v0")
        self.assertEqual(seedbed.evaluate("insider", [f"{path}/easy/mfp-1#1"]).all.successes, 1)


class Examples(Worlds):
    def test_each_is_made_and_shown(self):
        paths = sorted(EXAMPLES.glob("*.sexp"))
        self.assertGreater(len(paths), 9)
        for path in paths:
            name = re.search(r'\(task "(\w+)"', path.read_text(encoding="utf-8"))[1]
            env = seedbed.make(f"{path}/easy#1", obs="structured")
            seen, _ = env.reset()
            self.assertEqual((env.task, seen["world"]), (name, name))
            self.assertGreater(env.action_mask().sum(), 1, name)


if __name__ == "__main__":
    unittest.main()
