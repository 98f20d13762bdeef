"""scripts/mutants: which mutants a line has, and that the list of those that nobody can notice is of the sources as they are.

    python3 tests/mutants_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import tempfile
import unittest
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def script():
    loader = importlib.machinery.SourceFileLoader("mutants", os.path.join(ROOT, "scripts", "mutants"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
    loader.exec_module(module)
    return module


MUTANTS = script()


class Lines(unittest.TestCase):
    def test_mutants_of_a_line(self):
        for line, wanted in {
            "    if (a < 3) return true;": ["if (a <= 3) return true;", "if (a < 4) return true;", "if (a < 3) return false;", "if (!(a < 3)) return true;"],
            "    n += x;": ["n -= x;", ";"],
            "    call(a && b);": ["call(a || b);", ";"],
            "    return a - 1;": ["return a + 1;", "return a - 2;"],
            "    x = -y;": ["x = +y;", ";"],
            "    p->n++;": ["p->n--;"],
            '    puts("a < b + 1");': [";"],
            "    } else if (is_there) {": ["} else if (!(is_there)) {"],
            "    int table[4] = {7};": ["int table[4] = {8};"],
        }.items():
            with self.subTest(line):
                self.assertEqual([mutant.strip() for mutant in MUTANTS.mutants_of_line(line)], wanted)

    def test_comments_and_directives_have_none(self):
        lines = ["    /* a < b", "     * n += 1; */", "    x = 1; /* y = 2; */", "    #define A 1", "    z = 1; // w = 2"]
        self.assertEqual([line.rstrip() for line in MUTANTS.without_comments(lines)], ["", "", "    x = 1;", "", "    z = 1; // w = 2"])
        self.assertEqual(MUTANTS.mutants_of_line(lines[4]), ["    z = 2; // w = 2"])

    def test_equivalent_mutants_are_of_lines_that_are_there(self):
        for path, old, new in MUTANTS.equivalents():
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                lines = [line for line in file.read().splitlines() if line.strip() == old]
            self.assertTrue(lines, f"{path}: {old}")
            self.assertIn(new, [mutant.strip() for mutant in MUTANTS.mutants_of_line(lines[0])])


@unittest.skipUnless(shutil.which("gcc"), "there is no gcc")
class Reach(unittest.TestCase):
    def test_only_files_of_which_something_ran_are_reached(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"main": "int used(int); int main(int n, char **v) { (void)v; return used(n) - 1; }", "used": "int used(int n) { return n; }",
                               "idle": "int idle(int n) { return n > 2 ? n : 1; }"}.items():
                with open(os.path.join(folder, name + ".c"), "w", encoding="utf-8") as file:
                    file.write(text)
            subprocess.run(["gcc", "--coverage", "main.c", "used.c", "idle.c", "-o", "program"], cwd=folder, check=True)
            subprocess.run(["./program"], cwd=folder, check=True)
            counts = {name.split("-")[-1].split(".")[0]: name for name in os.listdir(folder) if name.endswith(".gcda")}
            self.assertEqual({name: MUTANTS.was_run(os.path.join(folder, file)) for name, file in counts.items()}, {"main": True, "used": True, "idle": False})


    def test_programs_of_tests_that_are_not_built_yet_are_measured_and_other_forms_are_forgotten(self):
        one = {"name": "one", "properties": [{"name": "WORKING_DIRECTORY", "value": "."}]}
        built = []
        stubs = {"configure": lambda *words: None, "build": lambda name: built.append(name) or True, "listed": lambda name: [{**one, "command": ["one"]} if built else one],
                 "lines_run_by": lambda end, name, command, folder: {"a.c": ([[1, 1]], [[1, 1]])}}
        with tempfile.TemporaryDirectory() as folder, mock.patch.multiple(MUTANTS, HOME=folder, **stubs), contextlib.redirect_stdout(io.StringIO()):
            for known in ({}, {"code": {}, "ran": {"one": ["a.c"]}}, {"one": ["a.c"]}):
                built.clear()
                MUTANTS.write_json("reach.json", known)
                measured = MUTANTS.measure_reach("HEAD", 0)
                self.assertEqual(measured["ran"], {"one": {"commit": "HEAD", "lines": {"a.c": [[1, 1]]}}})
                self.assertEqual((MUTANTS.measure_reach("HEAD", 0), built), (measured, ["coverage"]), "it is kept")

    def test_tests_reach_the_lines_that_they_run(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
            with open(os.path.join(folder, "a.c"), "w", encoding="utf-8") as file:
                file.write("int main(int n, char **v) {\n    (void)v;\n    if (n > 1)\n        return 1;\n    return 0;\n}\n\nconst int table[] = {\n    1};\n")
            for command in (["git", "add", "a.c"], ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"], ["gcc", "--coverage", "a.c", "-o", "a"]):
                subprocess.run(command, cwd=folder, check=True)
            root, tree, MUTANTS.ROOT, MUTANTS.TREE = MUTANTS.ROOT, MUTANTS.TREE, folder, folder
            known = {"code": {"HEAD": {}, "older": {}}, "ran": {}}
            try:
                for name, words in {"none": [], "one": ["x"]}.items():
                    counts = os.path.join(folder, "counts", name)
                    subprocess.run(["./a", *words], cwd=folder, check=False, env={**os.environ, "GCOV_PREFIX": counts, "GCOV_PREFIX_STRIP": "0"})
                    paths = [os.path.join(here, file) for here, _, files in os.walk(counts) for file in files]
                    (source, (code, ran)), = MUTANTS.lines_of_counts(paths).items()
                    self.assertEqual(source, "a.c")
                    known["code"]["HEAD"][source], known["ran"][name] = code, {"commit": "HEAD", "lines": {source: ran}}
                reached = {number: MUTANTS.tests_that_reach(known, "a.c", number) for number in (3, 4, 5, 9)}
                self.assertEqual(reached, {3: ["none", "one"], 4: ["one"], 5: ["none"], 9: ["none", "one"]})
                known["ran"]["one"]["commit"] = "older"
                self.assertEqual(MUTANTS.tests_that_reach(known, "a.c", 5), ["none", "one"], "at an older commit the file was another")
                known["ran"]["one"]["commit"] = "HEAD"
                with open(os.path.join(folder, "a.c"), "a", encoding="utf-8") as file:
                    file.write("\n")
                self.assertEqual(MUTANTS.tests_that_reach(known, "a.c", 4), ["none", "one"], "the file was changed since")
            finally:
                MUTANTS.ROOT, MUTANTS.TREE = root, tree


class Trying(unittest.TestCase):
    def verdict(self, folder, tests):
        """Of a mutant of a file in the folder."""
        path, tree, build, at_once = os.path.join(folder, "a.c"), MUTANTS.TREE, MUTANTS.build, MUTANTS.TESTS_AT_ONCE
        with open(path, "w", encoding="utf-8") as file:
            file.write("int x = 1;\n")
        MUTANTS.TREE, MUTANTS.build, MUTANTS.TESTS_AT_ONCE = folder, lambda name: True, 1  # or the order is left to chance
        try:
            costs = {name: k for k, name in enumerate(tests)}
            with contextlib.redirect_stdout(io.StringIO()):
                return MUTANTS.try_mutant("a.c", 1, "int x = 2;", list(tests), tests, costs, set())
        finally:
            MUTANTS.TREE, MUTANTS.build, MUTANTS.TESTS_AT_ONCE = tree, build, at_once
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "int x = 1;\n")

    def test_what_fails_anyway_kills_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            blind, broken, sees = (["true"], folder), (["false"], folder), (["grep", "-q", "x = 1", "a.c"], folder)
            tests = {"blind": blind, "broken": broken, "sees": sees}
            self.assertEqual(self.verdict(folder, tests), "killed by sees")
            self.assertEqual(sorted(tests), ["blind", "sees"])
            self.assertEqual(self.verdict(folder, {"broken": broken, "blind": blind}), "survived")
            self.assertEqual(self.verdict(folder, {"sees": sees, "blind": blind}), "killed by sees")


if __name__ == "__main__":
    unittest.main(argv=["mutants_test"])
