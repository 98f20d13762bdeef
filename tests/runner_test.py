"""Tests that were not run are not shown as passed: checks what tests/runner.py tells ctest, and how scripts/test counts it.

    python3 tests/runner_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNNER = os.path.join(ROOT, "tests", "runner.py")
CLOSING = r"\d+ passed, \d+ failed, \d+ skipped"
SKIPPED = 77

PASSES = "def test_a(self): pass"
FAILS = "def test_b(self): self.fail('it fails')"
SKIPS = "def test_c(self): self.skipTest('nothing is here')"


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-runner-")
        self.addCleanup(folder.cleanup)
        self.script = os.path.join(folder.name, "some_test.py")

    def run_script(self, *tests, before="", decorator="", **environment):
        """Returns the exit code and the output lines of a script with these tests."""
        with open(self.script, "w", encoding="utf-8") as file:
            file.write(f"import sys, unittest\n{before}\n{decorator}\nclass Case(unittest.TestCase):\n    X = 1\n")
            file.write("".join(textwrap.indent(test, "    ") + "\n" for test in tests))
        done = subprocess.run([sys.executable, RUNNER, self.script, "seedbed", "toy"], capture_output=True, text=True,
                              env={**{k: v for k, v in os.environ.items() if k != "SEEDBED_REQUIRE"}, **environment})
        return done.returncode, done.stdout.splitlines()

    def test_the_exit_code_says_whether_anything_was_tested(self):
        for tests, options, code, closing in (
                ([PASSES], {}, 0, "1 passed, 0 failed, 0 skipped"),
                ([PASSES, SKIPS], {}, 0, "1 passed, 0 failed, 1 skipped"),
                ([PASSES, FAILS, SKIPS], {}, 1, "1 passed, 1 failed, 1 skipped"),
                ([FAILS], {}, 1, "0 passed, 1 failed, 0 skipped"),
                ([SKIPS], {}, SKIPPED, "0 passed, 0 failed, 1 skipped"),
                ([PASSES, FAILS], {"decorator": "@unittest.skip('nothing is here')"}, SKIPPED, "0 passed, 0 failed, 2 skipped"),
                ([], {}, 1, "0 passed, 0 failed, 0 skipped")):
            with self.subTest(tests=tests, **options):
                found, lines = self.run_script(*tests, **options)
                self.assertEqual((found, lines[-1]), (code, closing))

    def test_what_a_test_starts_heeds_signals_that_the_shell_ignores(self):
        ignored = textwrap.dedent("""
            def test_it(self):
                import subprocess
                status = subprocess.run(["cat", "/proc/self/status"], capture_output=True, text=True).stdout
                self.assertEqual(int(status.split("SigIgn:")[1].split()[0], 16) & 0b111, 0)""")
        words = f"trap '' HUP INT QUIT; exec {shlex.quote(sys.executable)} {shlex.quote(RUNNER)} {shlex.quote(self.script)} seedbed toy"
        self.run_script(ignored)
        done = subprocess.run(["sh", "-c", words], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_reason_for_skipping_is_printed(self):
        self.assertTrue(any(line.startswith("skipped: ") and "nothing is here" in line for line in self.run_script(PASSES, SKIPS)[1]))

    def test_a_partly_skipped_test_does_not_count_as_passed(self):
        half = "def test_d(self):\n    with self.subTest(1): self.skipTest('nothing is here')"
        self.assertEqual(self.run_script(half)[0], SKIPPED)

    def test_with_require_a_skipped_test_counts_as_failed(self):
        self.assertEqual(self.run_script(PASSES, SKIPS, SEEDBED_REQUIRE="1")[0], 1)
        self.assertEqual(self.run_script(SKIPS, SEEDBED_REQUIRE="1")[0], 1)
        self.assertEqual(self.run_script(PASSES, SEEDBED_REQUIRE="1")[0], 0)

    def test_a_script_gets_the_same_arguments_as_without_the_runner(self):
        said = "def test_a(self): self.assertEqual(sys.argv[1:], ['seedbed', 'toy'])"
        self.assertEqual(self.run_script(said)[0], 0)

    def test_a_script_that_does_not_load_counts_as_failed(self):
        self.assertEqual(self.run_script(PASSES, before="import no_such_module")[0], 1)


class Summary(unittest.TestCase):
    """Runs scripts/summary on results of ctest itself."""

    PROJECT = """
        cmake_minimum_required(VERSION 3.25)
        project(some LANGUAGES NONE)
        enable_testing()
        add_test(NAME fine COMMAND sh -c "exit 0")
        add_test(NAME broken COMMAND sh -c "echo it broke here; exit 1")
        add_test(NAME away COMMAND sh -c "echo 'skipped: it: nothing is here'; exit 77")
        add_test(NAME partly COMMAND sh -c "echo 'skipped: that (a.B.that): nothing is there'; echo 'skipped: this (a.B.this): no (such) thing'; echo 'skipped: here (a.B.here) [1] (x=2): no (such) thing'; echo '2 passed, 0 failed, 1 skipped'")
        add_test(NAME missing COMMAND no-such-program-anywhere)
        set_tests_properties(away PROPERTIES SKIP_RETURN_CODE 77)
        """

    def summary(self, only):
        """Returns the exit code and the output lines for these tests, run twice."""
        with tempfile.TemporaryDirectory(prefix="seedbed-runner-") as folder:
            with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(self.PROJECT))
            subprocess.run(["cmake", "-S", folder, "-B", folder + "/b"], check=True, capture_output=True)
            results = [os.path.join(folder, name) for name in ("one.xml", "two.xml")]
            for path in results:
                subprocess.run(["ctest", "--test-dir", folder + "/b", "-R", only, "--output-junit", path], capture_output=True)
            done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "summary"), *results], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()

    def test_all_runs_are_counted_together(self):
        self.assertEqual(self.summary("fine"), (0, ["2 passed, 0 failed, 0 skipped"]))
        code, lines = self.summary(".")
        self.assertEqual((code, lines[-1]), (1, "4 passed, 4 failed, 2 skipped"))

    def test_skipped_and_failed_tests_are_named(self):
        lines = "\n".join(self.summary(".")[1])
        for words in ("one: broken failed", "two: missing failed", "one: away skipped: it: nothing is here",
                      "one: partly skipped: that: nothing is there", "one: partly skipped: 2 tests: no (such) thing"):
            self.assertIn(words, lines)
        self.assertNotIn("fine", lines)

    def test_failed_tests_stand_last_with_the_end_of_their_output(self):
        lines = self.summary("broken|away")[1]
        self.assertEqual(lines[2:], ["one: broken failed", "    it broke here", "two: broken failed", "    it broke here",
                                     "0 passed, 2 failed, 2 skipped"])

    def test_no_tests_at_all_are_a_failure(self):
        self.assertEqual(self.summary("nothing-of-this-name")[0], 1)


class Copies(unittest.TestCase):
    """Runs copies of the scripts in a repository of their own, whose parts are not those of this one."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-runner-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ("scripts", "tests"):
            os.mkdir(self.path(name))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), 0o755)

    def copy(self, name):
        shutil.copy(os.path.join(ROOT, name), self.path(name))

    def call(self, *command):
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=900)


class Environment(Copies):
    def test_without_packages_the_system_python_is_used_with_a_message(self):
        self.copy("scripts/test-python")
        self.write("tests/requirements.txt", "./no-such-folder\n")
        done = self.call("scripts/test-python")
        self.assertEqual((done.returncode, done.stdout.strip()), (0, shutil.which("python3")))
        self.assertIn("the tests that need it are skipped", done.stderr)

    def test_an_environment_is_made_once_for_a_list_of_packages(self):
        self.copy("scripts/test-python")
        for text, made in (("# nothing\n", True), ("# nothing\n", False), ("# nothing else\n", True)):
            self.write("tests/requirements.txt", text)
            self.assertEqual(self.call("scripts/test-python").stdout.strip(), self.path("build/venv/bin/python"))
            self.assertTrue(os.path.exists(self.path("build/venv/bin/python")))
            self.assertEqual(not os.path.exists(self.path("build/venv/mark")), made)
            self.write("build/venv/mark", "")


@unittest.skipUnless(shutil.which("git"), "there is no git")
class Nightly(Copies):
    """Makes two parts: `package`, which counts nothing, and `fuzz-1`, which counts. Each run adds a line to the file `ran`."""

    def setUp(self):
        super().setUp()
        self.copy("scripts/nightly")
        self.write(".gitignore", "/build/\n/ran\n/broken\n")
        self.write("scripts/install-dependencies", "#!/bin/sh\n")
        self.write("scripts/check-package", "#!/bin/sh\necho package >>ran\necho all fine\n! test -e broken\n")
        self.write("scripts/fuzz", "#!/bin/sh\ntest $1 = --list && { echo a_fuzz; exit; }\necho fuzz >>ran\necho '3 passed, 0 failed, 1 skipped'\n")
        self.commit()

    def commit(self):
        for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qm", "some"]):
            subprocess.run(["git", *command], cwd=self.folder, check=True)

    def night(self, *arguments):
        """Returns the exit code, the output lines, and which parts were run."""
        self.write("ran", "")
        done = self.call("scripts/nightly", *arguments)
        with open(self.path("ran"), encoding="utf-8") as file:
            return done.returncode, done.stdout.splitlines(), file.read().split()

    def test_a_part_that_has_passed_runs_again_only_with_again_or_after_a_change(self):
        code, lines, ran = self.night("fuzz-1")
        self.assertEqual((code, lines[-1], ran), (0, "3 passed, 0 failed, 1 skipped", ["fuzz"]))
        code, lines, ran = self.night("fuzz-1")
        self.assertEqual((code, lines[-1], ran), (0, "3 passed, 0 failed, 1 skipped", []))
        self.assertEqual(self.night("fuzz-1", "--again")[2], ["fuzz"])
        self.write("new", "")
        self.assertEqual(self.night("fuzz-1")[2], ["fuzz"])
        self.assertEqual(self.night("fuzz-1")[2], ["fuzz"], "a part that passed with local changes has not passed at the commit")
        self.commit()
        self.assertEqual(self.night("fuzz-1")[2], ["fuzz"])
        self.assertEqual(self.night("fuzz-1")[2], [])

    def test_a_part_that_failed_runs_again(self):
        self.write("broken", "")
        code, lines, ran = self.night("package", "fuzz-1")
        self.assertEqual((code, lines[-1], ran), (1, "3 passed, 1 failed, 1 skipped", ["package", "fuzz"]))
        os.unlink(self.path("broken"))
        code, lines, ran = self.night("package", "fuzz-1")
        self.assertEqual((code, lines[-1], ran), (0, "4 passed, 0 failed, 1 skipped", ["package"]))

    def test_the_parts_are_listed(self):
        done = self.call("scripts/nightly", "--list")
        self.assertLess({"conform", "loaders", "fuzz-1", "package", "claims-1", "faults", "slurm"},
                        {line.split()[0] for line in done.stdout.splitlines()} | {""})
        self.assertEqual(self.call("scripts/nightly", "nonsense").returncode, 2)


class Suite(unittest.TestCase):
    def test_ctest_runs_every_script_by_the_runner(self):
        with open(os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "CTestTestfile.cmake"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for name in sorted(os.listdir(os.path.join(ROOT, "tests"))):
            if not name.endswith("_test.py"):
                continue
            with self.subTest(name):
                words = name.removesuffix(".py")
                (command,) = (line for line in lines if re.match(rf"add_test\((\[=\[)?{words}(\]=\])? ", line))
                self.assertIn("/tests/runner.py", command)
                (properties,) = (line for line in lines if re.match(rf"set_tests_properties\((\[=\[)?{words}(\]=\])? ", line))
                self.assertIn(f'SKIP_RETURN_CODE "{SKIPPED}"', properties)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
