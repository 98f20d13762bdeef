"""A program that uses the package may set a locale with a comma in numbers: nothing that is read or written changes.

    SEEDBED=build/release/seedbed python -m unittest python/tests/test_locale.py

Label: output
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

# Prints, and writes into a folder, what has numbers in it; the locale is the first argument.
PROGRAM = """
import locale, sys
import seedbed
locale.setlocale(locale.LC_ALL, sys.argv[1])
print(locale.localeconv()["decimal_point"], file=sys.stderr)
some = {"tasks": "GoToGoal", "difficulty": "easy"}
print(list(seedbed.select(where="random < 0.95 and steps > 1e0", count=3, **some)))
print(list(seedbed.select(spread="random=0.1..0.5 in 2", count=2, **some)))
print({name: column.tolist() for name, column in seedbed.atlas(seedbed.select(count=2, **some)).items()})
result = seedbed.evaluate("random", dict(some, count=4))
print(result.table())
result.report(sys.argv[2] + "/page.html")
seedbed.build(dict(some, tasks="SokobanPush", split="train", count=2, filter={"min_return": 0.05}, failures="keep"), sys.argv[2] + "/data")
for name in ("page.html", "data/README.md", "data/manifest.json"):
    print(open(sys.argv[2] + "/" + name, encoding="utf-8").read())
try:
    seedbed.select(where="random < 0,5", **some)
except seedbed.InvalidError as error:
    print(error)
"""


@unittest.skipUnless(shutil.which("localedef") and os.path.exists("/usr/share/i18n/locales/de_DE"), "there is no localedef, or it has no sources")
class Locale(unittest.TestCase):
    def said(self, locale):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", os.path.join(folder, "de_DE.UTF-8")], check=True, capture_output=True)
            done = subprocess.run([sys.executable, "-c", PROGRAM, locale, folder], capture_output=True, text=True, env={**os.environ, "LOCPATH": folder}, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("," if locale != "C" else ".", done.stderr)
            return done.stdout

    def test_a_comma_in_numbers_changes_nothing(self):
        self.assertEqual(self.said("de_DE.UTF-8"), self.said("C"))


if __name__ == "__main__":
    unittest.main()
