"""Selections and packs: sequences of names that are what the command selects."""
import json
import os
import pickle
import subprocess
import tempfile
import unittest
from collections.abc import Sequence
from pathlib import Path

import numpy

from seedbed._errors import InvalidError, MismatchError, UnknownError
from seedbed.data import rows
from seedbed.listing import tasks
from seedbed.selection import Pack, Selection, derive_pack, eval_seeds, load_pack, official_pack, seeds, select, train_seeds

COMMAND = os.environ.get("SEEDBED")

REQUESTS = [{}, {"tasks": "KeyDoorPuzzle", "difficulty": "easy", "split": "train", "count": 30},
            {"tasks": ["GoToGoal", "KeyDoorPuzzle"], "seeds": "3..9,42"}, {"category": "navigation", "split": "mine", "count": 3},
            {"family": "babyai", "tasks": "GoTo,Open", "split": "mine", "count": 4}, {"tasks": "BossLevel", "seeds": [2**64 - 1, 0]},
            {"names": ["GoToGoal/hard#5", "KeyDoorPuzzle-v0/easy#1"]}]


def flags(request):
    """The request as the command takes it."""
    given = []
    for key, value in request.items():
        if key != "names":
            given += [f"--{key}", value if isinstance(value, str) else ",".join(map(str, value)) if isinstance(value, list) else str(value)]
    return given + request.get("names", [])


class Selections(unittest.TestCase):
    def test_is_a_sequence_that_behaves_as_a_tuple_of_its_names(self):
        for request in REQUESTS[1:]:
            chosen = select(**request)
            names = tuple(chosen)
            self.assertIsInstance(chosen, Sequence)
            self.assertEqual(len(names), len(chosen))
            for i in (0, len(names) - 1, -1, -len(names)):
                self.assertEqual(chosen[i], names[i])
            for part in (slice(None), slice(1, None, 3), slice(None, None, -1), slice(5, 2), slice(-3, None), slice(0, 10**9)):
                self.assertEqual(tuple(chosen[part]), names[part])
            self.assertEqual(tuple(chosen + chosen[:2]), names + names[:2])
            self.assertEqual(tuple(reversed(chosen)), names[::-1])
            self.assertEqual(chosen.index(names[-1]), names.index(names[-1]))
            self.assertEqual(chosen.count(names[0]), names.count(names[0]))
            self.assertIn(names[0], chosen)
            self.assertNotIn("GoToGoal-v0/easy#123456789012345", chosen)
            self.assertNotIn(5, chosen)

    def test_seeds_may_be_an_array(self):
        self.assertEqual(list(select(tasks="GoToGoal", seeds=numpy.arange(3))), list(select(tasks="GoToGoal", seeds="0..2")))
        self.assertEqual(list(select(tasks="GoToGoal", seeds=numpy.int64(3))), list(select(tasks="GoToGoal", seeds=3)))
        self.assertEqual(list(select(tasks="GoToGoal", seeds=numpy.array(3))), list(select(tasks="GoToGoal", seeds=3)))
        for seeds in (numpy.array([0.5]), [1.5], 1.5):
            self.assertRaisesRegex(InvalidError, "seeds: whole numbers", select, tasks="GoToGoal", seeds=seeds)
        self.assertRaisesRegex(InvalidError, "count: a whole number", select, tasks="GoToGoal", count=numpy.arange(3))

    def test_a_pack_goes_through_its_names(self):
        pack = derive_pack("ours", tasks="GoToGoal,TagHunt", difficulty="easy", count=3)
        self.assertEqual(list(pack), list(pack.selection()))
        self.assertEqual(len(pack), 6)

    def test_out_of_range_and_foreign_things_are_refused(self):
        chosen = select(tasks="GoToGoal", count=1)
        for index in (len(chosen), -len(chosen) - 1, 10**30):
            self.assertRaises(IndexError, lambda: chosen[index])
        self.assertRaises(TypeError, lambda: chosen["a"])
        self.assertRaises(ValueError, chosen.index, "GoToGoal-v0/easy#123456789012345")
        self.assertRaises(InvalidError, lambda: chosen + ["GoToGoal-v0/easy#1"])
        self.assertRaises(TypeError, Selection)
        self.assertRaises((TypeError, AttributeError), setattr, chosen, "pack", None)

    def test_shards_partition_and_shuffles_permute(self):
        chosen = select(tasks="KeyDoorPuzzle", split="train", count=25)
        for n in (1, 3, 7, len(chosen), len(chosen) + 5):
            parts = [chosen.shard(i, n) for i in range(n)]
            self.assertEqual([chosen[i::n] for i in range(n)], parts)
            self.assertEqual(sorted(chosen), sorted(name for part in parts for name in part))
        for wrong in ((-1, 2), (2, 2), (0, 0)):
            self.assertRaises(InvalidError, chosen.shard, *wrong)
        self.assertEqual(sorted(chosen), sorted(chosen.shuffle(1)))
        self.assertEqual(chosen.shuffle(1), chosen.shuffle(1))
        self.assertNotEqual(chosen.shuffle(1), chosen.shuffle(2))
        self.assertRaises(InvalidError, chosen.shuffle, -1)

    def test_a_shuffle_is_numpys_permutation(self):
        import numpy

        chosen = select(tasks="KeyDoorPuzzle", split="train", count=25)
        self.assertEqual(chosen.take(numpy.random.default_rng(7).permutation(len(chosen))), chosen.shuffle(7))

    def test_taking_is_by_index(self):
        chosen = select(tasks="KeyDoorPuzzle", count=5)
        self.assertEqual([chosen[3], chosen[-1], chosen[3]], list(chosen.take([3, -1, 3])))
        for wrong in ([99], ["a"], 5, [1.5]):
            self.assertRaises((IndexError, TypeError), chosen.take, wrong)

    def test_equal_episodes_are_equal_and_hash_alike_however_selected(self):
        chosen = select(tasks="KeyDoorPuzzle", count=5)
        again = select(names=list(chosen))
        self.assertEqual(chosen, again)
        self.assertEqual(hash(chosen), hash(again))
        self.assertNotEqual(chosen, chosen[1:])
        self.assertNotEqual(chosen, list(chosen))

    def test_json_and_pickles_select_the_same_again(self):
        import json

        for request in REQUESTS[1:]:
            for chosen in (select(**request), select(**request)[::2]):
                self.assertEqual(chosen, select(**json.loads(chosen.to_json())))
                again = pickle.loads(pickle.dumps(chosen))
                self.assertEqual(chosen, again)
                self.assertEqual(chosen.to_json(), again.to_json())
        nothing = select(tasks="GoToGoal", count=1)[:0]
        self.assertEqual(nothing, pickle.loads(pickle.dumps(nothing)))

    def test_evaluation_episodes_are_left_out_as_a_recipe_leaves_them_out(self):
        for wanted in ({"tasks": "MazeNavigation", "difficulty": "easy", "split": "train", "count": 60}, {"tasks": "PreciseNavigation", "difficulty": "easy", "seeds": "1238905072,7"},
                       {"tasks": "DistributionShift", "difficulty": "easy", "split": "train"}, {"names": list(select(tasks="GoToGoal", difficulty="medium")[:2]) + ["GoToGoal/medium#1"]}):
            chosen, left = select(**wanted), select(**wanted, evaluation="drop")
            self.assertEqual({row["name"] for row in rows(chosen, "trajectories", modes="ascii", oracle="random", failures="keep")}, set(left))
            self.assertEqual([name for name in chosen if name in left], list(left))
            self.assertLess(len(left), len(chosen))
            self.assertEqual(chosen, select(**wanted, evaluation="keep"))
            self.assertEqual(left, pickle.loads(pickle.dumps(left)))
        self.assertEqual(select(tasks="GoToGoal"), select(tasks="GoToGoal", evaluation="drop"), "the split is `eval`")

    def test_what_loses_no_episode_keeps_what_was_asked_for(self):
        wanted = {"tasks": "KeyDoorPuzzle", "difficulty": "hard", "split": "train", "count": 5}
        pack = derive_pack("mine", tasks="MazeNavigation", difficulty="easy", count=5, unique=True)
        self.assertEqual(select(**wanted).to_json(), select(**wanted, evaluation="drop").to_json())
        self.assertIs(pack, select(pack=pack, evaluation="drop").pack)

    def test_episodes_that_cannot_be_left_out_are_errors_that_say_what(self):
        for wrong, said in [({"tasks": "GoToGoal", "difficulty": "easy", "split": "train", "count": 9}, "nothing is left of GoToGoal-v0/easy"),
                            ({"names": ["GoToGoal/medium#1", "babyai:GoTo#1"]}, "of one family"), ({"pack": official_pack()}, "nothing is left")]:
            with self.assertRaisesRegex(InvalidError, said):
                select(**wrong, evaluation="drop")
        with self.assertRaisesRegex(InvalidError, "evaluation='no': known are 'drop', 'keep'"):
            select(tasks="GoToGoal", evaluation="no")

    def test_wrong_requests_are_errors_that_say_what(self):
        for error, request in [(UnknownError, {"tasks": "Nix"}), (UnknownError, {"difficulty": "mild"}), (InvalidError, {"seeds": -1}),
                               (InvalidError, {"seeds": "1..0"}), (InvalidError, {"seeds": ["a"]}), (InvalidError, {"seeds": 1.5}),
                               (InvalidError, {"count": 0}), (InvalidError, {"count": 1.5}), (InvalidError, {"split": "mine"}),
                               (InvalidError, {"tasks": [1]}), (InvalidError, {"names": []}), (InvalidError, {"names": ["GoToGoal/easy#1"], "count": 2}),
                               (InvalidError, {"split": 3}), (UnknownError, {"names": "x#1"}), (InvalidError, {"seeds": "0..99999999999"})]:
            with self.subTest(request=request), self.assertRaises(error):
                select(**request)

    def test_one_mistake_has_one_text(self):
        with self.assertRaises(UnknownError) as of_library:
            select(family="autm")
        with self.assertRaises(UnknownError) as of_package:
            tasks("autm")
        self.assertEqual(str(of_package.exception), str(of_library.exception))

    @unittest.skipUnless(COMMAND, "SEEDBED names no command")
    def test_is_what_the_command_selects(self):
        import json

        for request in REQUESTS[1:]:
            lines = subprocess.run([COMMAND, "solve", *flags(request), "--agent", "random", "--json"], capture_output=True, check=False)
            self.assertEqual([json.loads(line)["name"] for line in lines.stdout.splitlines()], list(select(**request)))


@unittest.skipUnless(COMMAND, "SEEDBED names no command")
class Listing(unittest.TestCase):
    def test_tasks_are_those_of_the_command_with_their_skills(self):
        listed = [(family["family"], task["name"], task["category"], task["summary"], tuple(task.get("skills", ())))
                  for family in json.loads(subprocess.run([COMMAND, "tasks", "--json"], check=True, capture_output=True, text=True).stdout)
                  for task in family["tasks"]]
        self.assertEqual([(task.family, task.name, task.category, task.summary, task.skills) for task in tasks()], listed)
        skills = {task.name: task.skills for task in tasks("babyai")}
        self.assertTrue(all(skills.values()), "every level of BabyAI takes something")
        self.assertEqual(skills["PickupLoc"], ("pick up", "distractors", "location"))


class Packs(unittest.TestCase):
    def test_official_pack_is_that_of_the_repository_and_verifies(self):
        pack = official_pack()
        self.assertEqual((pack.family, pack.base, len(pack), len(pack.lists)), ("agentick", "eval", 3700, 148))
        pack.verify()
        self.assertEqual(sorted(select(pack=pack)), sorted(select()))
        shipped = Path(__file__).parents[2] / "seeds" / "official.json.gz"
        if shipped.exists():
            self.assertEqual(pack, load_pack(shipped))
            self.assertEqual(pack.to_json(), load_pack(shipped).to_json())
            self.assertEqual(pack.to_json(), derive_pack("eval", digests=True, jobs=2).to_json())

    def test_other_families_have_packs_too(self):
        pack = official_pack("arc")
        self.assertEqual((pack.family, pack.base, len(pack), len(pack.lists)), ("arc", "eval", 600, 24))
        self.assertEqual(pack.lists, derive_pack("eval", family="arc").lists)
        self.assertRaises(UnknownError, official_pack, "chess")

    def test_survives_files_documents_and_pickles(self):
        with tempfile.TemporaryDirectory() as folder:
            for pack in (derive_pack("mine", tasks="KeyDoorPuzzle,GoToGoal", count=7), derive_pack("x", family="babyai", tasks="GoTo", count=3, digests=True)):
                for name in ("pack.json", "pack.json.gz"):
                    pack.save(Path(folder) / name)
                    again = load_pack(Path(folder) / name)
                    self.assertEqual((pack, hash(pack), pack.to_json()), (again, hash(again), again.to_json()))
                self.assertEqual(pack, pickle.loads(pickle.dumps(pack)))
                self.assertEqual([], pack.diff(pack))
                pack.verify(jobs=2)
                chosen = pack.selection()
                self.assertIs(chosen.pack, pack)
                self.assertEqual(chosen, select(pack=Path(folder) / "pack.json"))
                self.assertEqual(pickle.loads(pickle.dumps(chosen)).pack, pack)

    def test_lists_are_the_seeds_of_the_selection(self):
        pack = derive_pack("mine", tasks="KeyDoorPuzzle", count=7)
        names = [f"{task}/{difficulty}#{seed}" for (task, difficulty), list_ in pack.lists.items() for seed in list_]
        self.assertEqual(names, list(pack.selection()))
        pack.lists.clear()
        self.assertEqual(4, len(pack.lists))

    def test_seeds_are_chosen_by_what_their_episodes_are_like(self):
        from seedbed.env import make

        def starts(pack):
            env = make("MazeNavigation/easy", obs="none", info="none")
            return [(env.reset(options={"name": name}), env.key)[1] for name in pack.selection()]

        wanted = {"tasks": "MazeNavigation", "difficulty": "easy"}
        official, plain = starts(derive_pack("eval", **wanted)), starts(derive_pack("mine", **wanted, count=60))
        self.assertTrue(set(plain) & set(official) or len(set(plain)) < 60, "there is something to leave out")
        unique = derive_pack("mine", **wanted, count=60, unique=True)
        self.assertEqual((60, set()), (len(set(starts(unique))), set(starts(unique)) & set(official)))
        both = derive_pack("mine", tasks="TileSorting", difficulty="hard", count=4, solvable=True, unique=True, budget=20000)
        self.assertEqual(("mine+unique", "mine+solvable+unique", 4), (unique.base, both.base, len(both)))
        if COMMAND:
            made = subprocess.run([COMMAND, "seeds", "--tasks", "TileSorting", "-d", "hard", "--split", "mine", "-n", "4", "--solvable", "--unique", "--budget", "20000"],
                                  capture_output=True, check=True)
            self.assertEqual(made.stdout.decode(), both.to_json())
        for wrong in ({"split": "eval"}, {"budget": 0}, {"budget": 2**63}, {"budget": "a"}):
            with self.assertRaises(InvalidError):
                derive_pack(wrong.pop("split", "mine"), **wanted, count=3, solvable=True, **wrong)

    def test_differences_are_told_and_found(self):
        pack, other = derive_pack("mine", tasks="KeyDoorPuzzle", count=7), derive_pack("mine", tasks="KeyDoorPuzzle", count=8)
        self.assertNotEqual(pack, other)
        self.assertTrue(pack.diff(other))
        seed = pack.lists["KeyDoorPuzzle-v0", "easy"][0]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "pack.json"
            path.write_text(pack.to_json().replace(str(seed), str(seed - 1)))
            self.assertRaises(MismatchError, load_pack(path).verify)
            path.write_text("{")
            self.assertRaises(InvalidError, load_pack, path)
            self.assertRaises(OSError, load_pack, Path(folder) / "nope")
            self.assertRaises(InvalidError, pack.save, path, published=True)
        for wrong in (-1, "a", 10**9, None):
            self.assertRaises(InvalidError, pack.verify, jobs=wrong)
        self.assertRaises(InvalidError, pack.diff, "a")
        self.assertRaises(InvalidError, select, pack=pack, tasks="GoToGoal")
        self.assertRaises(InvalidError, derive_pack, "no spaces", tasks="GoToGoal", count=1)

    def test_seeds_are_those_of_the_lists(self):
        self.assertEqual((25, 2000, 10), (len(eval_seeds("GoToGoal", "easy")), len(train_seeds("GoToGoal", "easy")), len(train_seeds("GoToGoal", "easy", 10))))
        self.assertEqual(train_seeds("GoToGoal", "easy", 10), train_seeds("GoToGoal", "easy")[:10])
        self.assertEqual(eval_seeds("GoToGoal-v0", "hard"), official_pack().lists["GoToGoal-v0", "hard"])
        official = {seed for list_ in official_pack().lists.values() for seed in list_}
        own = seeds("GoToGoal", "easy", "mine", 5000)
        self.assertEqual((5000, set()), (len(set(own)), official & set(own)))
        self.assertEqual(3, len(seeds("babyai:GoTo", split="mine", count=3)))
        self.assertRaises(InvalidError, seeds, "GoToGoal")
        self.assertRaises(UnknownError, eval_seeds, "Nix", "easy")

    @unittest.skipUnless(COMMAND, "SEEDBED names no command")
    def test_documents_are_the_commands(self):
        for arguments, pack in [(["--split", "eval", "--digests"], official_pack()),
                                (["--split", "mine", "--count", "9", "--tasks", "GoToGoal"], derive_pack("mine", tasks="GoToGoal", count=9))]:
            made = subprocess.run([COMMAND, "seeds", *arguments], capture_output=True, check=True)
            self.assertEqual(made.stdout.decode(), pack.to_json())
        with tempfile.TemporaryDirectory() as folder:
            official_pack().save(f"{folder}/p.json", published=True)
            published = subprocess.run([COMMAND, "seeds", "--published"], capture_output=True, check=True).stdout
            self.assertEqual(published, Path(f"{folder}/p.json").read_bytes())

    def test_packs_are_made_by_functions_only(self):
        self.assertRaises(TypeError, Pack)


if __name__ == "__main__":
    unittest.main()
