"""scripts/accept-environments: the shipped programs in Autumn are what was planned, and a program that is not is told from them.

    python3 tests/accept_test.py BUILD/seedbed BUILD/tests/seedbed-toy

With SEEDBED_NIGHTLY, the shipped programs play as long as the script says, and every handler must fire.

Label: output
"""
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCRIPT = os.path.join(ROOT, "scripts", "accept-environments")
TOOL = os.path.join(os.path.dirname(os.path.abspath(sys.argv[2])), "seedbed-accept")
NIGHTLY = os.environ.get("SEEDBED_NIGHTLY")


def accept(*arguments):
    return subprocess.run([sys.executable, SCRIPT, "--tool", TOOL, *arguments], capture_output=True, text=True, check=False)


class Shipped(unittest.TestCase):
    def test_every_shipped_program_is_accepted(self):
        done = accept(*[] if NIGHTLY else ["--quick"])
        self.assertEqual(done.stderr, "")
        self.assertEqual(done.stdout.splitlines()[-1], "43 passed, 0 failed, 0 skipped", done.stdout)
        self.assertEqual(done.returncode, 0)


class Refused(unittest.TestCase):
    def refuse(self, text, why, name="own.sexp", quick=True):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"(program (= GRID_SIZE 4) (object A (Cell 0 0 \"red\")) {text})")
            done = accept(*["--quick"] if quick else [], path)
        self.assertIn(why, done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "0 passed, 1 failed, 0 skipped")
        self.assertEqual(done.returncode, 1)

    def test_a_text_that_is_no_program(self):
        self.refuse("(= a", "load: ")

    def test_a_fault_in_a_step(self):
        self.refuse("(= a (initnext (A (Position 0 0)) (prev a))) (on left (= a (/ 1 0)))", "division")

    def test_frames_that_depend_on_the_order_of_rules(self):
        self.refuse("(= a (initnext (A (Position 0 0)) (if left then (A (Position 1 1)) else (prev a))))"
                    "(= b (initnext (A (Position 3 0)) (A (Position 3 (.. (.. a origin) y)))))", "depend on the order of rules")

    def test_a_handler_that_never_fires(self):
        self.refuse("(= a (initnext (A (Position 0 0)) (prev a))) (on left (= a (A (Position 1 1)))) (on (& left right) (= a (prev a)))",
                    "never fired: handler 2", quick=False)

    def test_a_program_that_is_not_as_planned(self):
        self.refuse("(= a (initnext (A (Position 0 0)) (prev a)))", "grid: 4, planned 16", name="seesaw.sexp")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
