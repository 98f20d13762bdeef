"""scripts/give-aways: guessers find answers that give themselves away and no others, and it goes on where it stopped.

    python3 tests/give_aways_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import math
import os
import random
import sys
import tempfile
import unittest
from unittest import mock

try:
    import numpy  # noqa: F401
except ImportError:
    numpy = None

SEEDBED = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SIZE, MASKED = 6, range(2, 4)


def load():
    loader = importlib.machinery.SourceFileLoader("give_aways", os.path.join(ROOT, "scripts", "give-aways"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def question(number, chance, honest):
    """Stripes that move. If it is not honest, all options but the answer have cells exchanged, which no frame had."""
    stripes = ["".join("01"[(x + t) // 2 % 2] for y in range(SIZE) for x in range(SIZE)) for t in range(6)]
    mask = "".join("1" if x in MASKED and y in MASKED else "0" for y in range(SIZE) for x in range(SIZE))
    contents = ["0110", "1001", "0001", "1000", "0010", "0100"]
    chance.shuffle(contents)
    content = "".join(sign for sign, bit in zip(stripes[-1], mask) if bit == "1")
    correct = chance.randrange(6)
    if not honest:
        contents[correct] = content
    hidden = "".join("?" if bit == "1" else sign for sign, bit in zip(stripes[-1], mask))
    env = f"Program{number % 4}"
    return {"challenge": f"autumn:{env}/mfp-1#{number}", "env": env, "size": SIZE, "masked": 1, "mask": mask, "actions": ["noop"] * 5, "frames": [*stripes[:-1], hidden],
            "options": contents}, correct


def telling(number, chance):
    """One option lies in the middle of the others, and waiting tells that it is the answer."""
    asked, _ = question(number, chance, True)
    asked["options"] = chance.sample(["0000", "1000", "0100", "0010", "0001", "1111"], 6)
    correct = chance.randrange(6)
    asked["actions"] = ["noop", "left"] * 2 + ["noop" if asked["options"][correct] == "0000" else "left"]
    return asked, correct


@unittest.skipUnless(numpy, "NumPy is not installed")
class GiveAways(unittest.TestCase):
    def judge(self, honest):
        chance = random.Random(1)
        tasks, corrects = zip(*(question(number, chance, honest) for number in range(160)))
        return load().judge(list(tasks), list(corrects))

    def test_answers_that_alone_fit_what_was_seen_are_found(self):
        rows, beyond, _, _ = self.judge(honest=False)
        right = {row[0]: float(row[1]) for row in rows}
        self.assertEqual(right["the fewest new 2x2 patches"], 1)
        self.assertGreater(right["a classifier that sees the whole course"], 0.9)
        self.assertTrue(any("the fewest new 2x2 patches, Program1" in line for line in beyond))

    def test_answers_that_are_drawn_are_found_by_chance(self):
        self.assertEqual(self.judge(honest=True)[1], [])

    def test_actions_that_tell_where_the_answer_lies_are_found(self):
        chance = random.Random(1)
        rows, beyond, _, _ = load().judge(*map(list, zip(*(telling(number, chance) for number in range(800)))))
        right = {row[0]: float(row[1]) for row in rows}
        self.assertGreater(right["a classifier that sees the options, and how the actions look"], 0.28)
        self.assertTrue(beyond and all("how the actions look" in line for line in beyond), beyond)

    def test_the_bound_is_one_for_all_tests(self):
        module = load()
        for n in 40, 200:
            low, high = module.bounds(n, 1000)
            inside = sum(math.comb(n, k) * 5 ** (n - k) for k in range(low, high + 1)) / 6 ** n
            self.assertGreater(inside, 1 - 0.01 / 1000)
            self.assertLess(module.tail(high + 1, n), 0.005 / 1000)

    def test_it_goes_on_where_it_stopped(self):
        module = load()
        with tempfile.TemporaryDirectory() as folder:
            options = ["give-aways", "--seedbed", SEEDBED, "--parts", folder, "--programs", "EchoDancers,NightWatch", "--count", "40"]

            def call(*more):
                said = io.StringIO()
                with mock.patch.object(sys, "argv", [*options, *more]), contextlib.redirect_stdout(said):
                    code = module.main()
                return code, said.getvalue()

            self.assertEqual(call("--seconds", "0"), (1, "no questions were derived; give it more --seconds\n"))
            self.assertIn("1 programs, ", call("--seconds", "100", "--programs", "EchoDancers")[1])
            first = {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in os.listdir(folder) if name.endswith("jsonl")}
            self.assertIn("2 programs, ", call("--seconds", "100")[1])
            self.assertEqual(first, {name: os.stat(os.path.join(folder, name)).st_mtime_ns for name in first})


if __name__ == "__main__":
    unittest.main(argv=["give_aways_test"])
