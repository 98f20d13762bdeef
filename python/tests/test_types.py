"""What annotations promise is so when the program runs."""
import ast
import errno
import inspect
import typing
import unittest

import gymnasium
import numpy

import seedbed
from seedbed.env import make

TASKS = ("KeyDoorPuzzle/easy", "babyai:GoToLocal")


class Overloads(unittest.TestCase):
    def fits(self, value, kind):
        if kind is typing.Any:
            return True
        origin, arguments = typing.get_origin(kind) or kind, typing.get_args(kind)
        if origin is dict:
            return isinstance(value, dict) and all(self.fits(key, arguments[0]) and self.fits(item, arguments[1]) for key, item in value.items())
        if origin is numpy.ndarray or hasattr(origin, "__value__"):  # NDArray[X] is an alias, or ndarray[..., dtype[X]]
            found = typing.get_args(arguments[1])[0] if origin is numpy.ndarray else arguments[0]
            return isinstance(value, numpy.ndarray) and (found is typing.Any or value.dtype.type is found)
        return isinstance(value, origin) and not isinstance(value, bool)

    def test_make_says_what_observations_are(self):
        seen = set()
        for overload in typing.get_overloads(make):
            hints = typing.get_type_hints(overload)
            if typing.get_origin(hints["obs"]) is not typing.Literal:
                continue
            kind = typing.get_args(hints["return"])[0]
            for obs in typing.get_args(hints["obs"]):
                found = 0
                for task in TASKS:
                    try:
                        env = make(task, obs=obs)
                    except seedbed.InvalidError:
                        continue
                    found += 1
                    for value in (env.reset(seed=0)[0], env.step(0)[0], env.observe()):
                        self.assertTrue(self.fits(value, kind), (task, obs, kind, type(value)))
                self.assertTrue(found, obs)
                seen.add(obs)
        self.assertTrue({"ascii", "arrays", "state", "flat", "none", "minigrid"} <= seen)

    def test_environments_are_generic(self):
        self.assertIs(typing.get_origin(seedbed.Env[str]), seedbed.Env)
        self.assertTrue(issubclass(seedbed.Env, gymnasium.Env))


class Errors(unittest.TestCase):
    def test_codes_are_those_of_the_header(self):
        """As many codes as kinds of errors; an error of a kind has the kind's code."""
        kinds = (seedbed.InvalidError, seedbed.UnknownError, seedbed.MismatchError, seedbed.FinishedError, seedbed.VersionError)
        self.assertEqual(len({kind.code for kind in kinds} - {0}), 5)
        self.assertEqual((seedbed.ActionError.code, seedbed.Error.code), (seedbed.InvalidError.code, 0))
        with self.assertRaises(seedbed.UnknownError) as caught:
            make("Nope")
        self.assertEqual(caught.exception.code, seedbed.UnknownError.code)

    def test_errors_of_the_system_have_its_number(self):
        with self.assertRaises(FileNotFoundError) as caught:
            seedbed.load_pack("/there is no/such file")
        self.assertEqual(caught.exception.errno, errno.ENOENT)


class Names(unittest.TestCase):
    def test_names_that_come_late_are_known_to_type_checkers(self):
        with open(inspect.getfile(seedbed)) as file:
            tree = ast.parse(file.read())
        block = next(node for node in tree.body if isinstance(node, ast.If))
        known = {alias.name for node in block.body for alias in node.names}
        self.assertEqual(known, set(seedbed._LAZY))


if __name__ == "__main__":
    unittest.main()
