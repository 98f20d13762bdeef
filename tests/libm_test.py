"""No number that is compared to the last bit comes from a function that other machines round otherwise.

    python3 tests/libm_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
# Of <math.h>, what is not rounded exactly: the last bits are the C library's business, and the processor's.
INEXACT = set("""acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 hypot j0 j1 jn lgamma log log10 log1p log2 pow
                 sin sinh sincos tan tanh tgamma y0 y1 yn""".split())
# Who may call them: what is told is rounded to a few digits, or is a picture. Everything else takes sb_exp and sb_ln (base/exp.h) and sqrt.
MAY = {"logistic.c": {"exp", "log", "log1p"}, "model.c": {"log1p"}, "threshold.c": {"erfc"},  # reports with an atlas, in three digits
       "report_print_page.c": {"acos", "cos", "sin", "sincos"},  # where corners of a chart are
       "games.c": {"exp", "lgamma", "log", "log10", "log1p", "pow"}}  # intervals of how many games there are, in three digits
CALLS = [["eval", "--tasks", "KeyDoorPuzzle,GraphColoring", "-n", "2", "--agent", "random", "-o", "FILE"],
         ["atlas", "--tasks", "KeyDoorPuzzle", "-d", "easy", "-n", "3", "-o", "FILE.gz"],
         ["seeds", "games", "--tasks", "GoToGoal", "-d", "easy", "-n", "50"],
         ["show", "autumn:Seesaw#3"], ["show", "arc:Clockwork/intro#3"], ["solve", "GoToGoal/easy#3"]]


def members():
    """The members of the program's libraries and what they leave undefined."""
    for archive in sorted(glob.glob(os.path.join(os.path.dirname(SEEDBED), "libsb_*.a"))):
        told = subprocess.run(["nm", "-A", "-u", archive], capture_output=True, text=True, check=True).stdout
        for line in told.splitlines():
            found = re.fullmatch(r".*:([^:]+)\.o: +U (\w+)", line)
            if found:
                yield found.groups()


class Libm(unittest.TestCase):
    def test_only_what_is_rounded_for_people_calls_inexact_functions(self):
        called, n = {}, 0
        for member, symbol in members():
            n += 1
            base = symbol.removesuffix("f").removesuffix("l") if symbol not in INEXACT else symbol
            if base in INEXACT:
                called.setdefault(member, set()).add(symbol)
        self.assertGreater(n, 1000)  # the libraries were read
        self.assertEqual(set(called), set(MAY))
        for member, symbols in called.items():
            self.assertLessEqual(symbols, MAY[member], member)

    @unittest.skipUnless(os.uname().machine == "x86_64", "GLIBC_TUNABLES name features of x86-64")
    def test_a_processor_without_fused_multiplication_gives_the_same_bytes(self):
        with tempfile.TemporaryDirectory(prefix="seedbed-libm-") as folder:
            for call in CALLS:
                with self.subTest(call=call):
                    results = []
                    for i, tunables in enumerate(("", "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA4")):
                        path = os.path.join(folder, f"{i}")
                        words = [word.replace("FILE", path) for word in call]
                        done = subprocess.run([SEEDBED, *words], capture_output=True, env={**os.environ, "GLIBC_TUNABLES": tunables}, timeout=300, check=False)
                        made = next((word for word in words if word.startswith(path)), None)
                        with open(made or os.devnull, "rb") as file:
                            results.append((done.returncode, done.stdout.replace(path.encode(), b""), file.read()))
                    self.assertTrue(results[0][1] or results[0][2])
                    self.assertEqual(*results)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
