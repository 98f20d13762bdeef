"""Runs what the documentation shows in Python, section by section, and compares what it prints with what the page says.

Where a piece is followed by a block of text, that is its output. Otherwise each `print(...)  # text` prints that text. A piece whose
package is not installed is left out, and the test then counts as skipped.

Label: outside
"""
import contextlib
import doctest
import inspect
import io
import os
import pathlib
import pydoc
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

import numpy

import seedbed

ROOT = pathlib.Path(__file__).parents[2]
PAGES = ("README.md", "docs/README.md", "docs/python.md", "docs/compatibility.md", "docs/worlds.md")
OPTIONAL = {"datasets", "huggingface_hub", "pyarrow", "torch"}
os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"


def sections(page):
    """Yields (title, pieces) of the sections that show Python; a piece is its code and its output, or None."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for section in re.split(r"^(?=## )", text, flags=re.M):
        pieces = re.findall(r"^```python\n(.*?)^```\n(?:\n?```text\n(.*?)^```$)?", section, re.S | re.M)
        if pieces:
            yield section.partition("\n")[0].strip("# "), [(code, shown or said(code)) for code, shown in pieces]


def said(code):
    """What the comments after calls of print at the beginning of a line say; None if there are none."""
    comments = re.findall(r"^ *print\(.*\)  # (.*\n)", code, re.M)
    return "".join(comments) if comments else None


class Docs(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", module="datasets|multiprocess|torch")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.enterContext(contextlib.chdir(folder.name))

    def output_of(self, page, title, code, names):
        """Runs a piece; None if a package is missing."""
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            try:
                exec(compile(code, f"{page}, {title}", "exec"), names)
            except ModuleNotFoundError as error:
                if error.name not in OPTIONAL:
                    raise
                self.missing.add(error.name)
                return None
        return printed.getvalue()

    def check(self, page):
        """Programs in Autumn that the page shows lie in the folder under the name in their first line."""
        self.missing = set()
        for program, name in re.findall(r"^```lisp\n(; (\S+)\n.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.S | re.M):
            pathlib.Path(name).write_text(program, encoding="utf-8")
        for title, pieces in sections(page):
            names = {"__name__": "docs", "seedbed": seedbed, "numpy": numpy}
            for code, shown in pieces:
                with self.subTest(title):
                    found = self.output_of(page, title, code, names)
                    if found is not None and shown is not None:
                        fits = doctest.OutputChecker().check_output(shown, found, doctest.ELLIPSIS)
                        self.assertTrue(fits, f"the page shows\n{shown}\nand it is\n{found}")
        if self.missing:
            self.skipTest(f"not installed: {', '.join(sorted(self.missing))}")

    def test_the_first_screen(self):
        self.assertEqual(len([*sections("README.md")]), 1)
        self.check("README.md")

    def test_where_to_begin(self):
        self.assertEqual(len([*sections("docs/README.md")]), 1)
        self.check("docs/README.md")

    def test_the_page(self):
        self.assertGreater(len([*sections("docs/python.md")]), 12)
        with contextlib.ExitStack() as calls:
            try:
                uploads = [calls.enter_context(unittest.mock.patch(f"huggingface_hub.{name}", autospec=True))
                           for name in ("create_repo", "upload_folder")]
            except ModuleNotFoundError:
                uploads = []
            self.check("docs/python.md")
            for upload in uploads:
                upload.assert_called_once()

    def test_from_the_published_package(self):
        self.assertGreater(len([*sections("docs/compatibility.md")]), 0)
        self.check("docs/compatibility.md")

    def test_your_own_world(self):
        self.assertEqual(len([*sections("docs/worlds.md")]), 1)
        self.check("docs/worlds.md")

    def test_types(self):
        """mypy accepts what the pages show; its functions say no types, to be short."""
        relaxed = ["--allow-untyped-defs", "--allow-untyped-calls", "--disable-error-code=import-untyped", "--disable-error-code=import-not-found"]
        mypy = shutil.which("mypy")
        if mypy is None:
            self.skipTest("not installed: mypy")
        for page in PAGES:
            for i, (_, pieces) in enumerate(sections(page)):
                code = "".join(piece for piece, _ in pieces)
                pathlib.Path(re.sub(r"\W", "_", f"{page}_{i}") + ".py").write_text(f"import numpy\nimport seedbed\n{code}", encoding="utf-8")
        files = map(str, pathlib.Path().glob("*.py"))
        done = subprocess.run([mypy, "--strict", *relaxed, "--python-executable", sys.executable, *files], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Imports(unittest.TestCase):
    """docs/python.md, "Speed", and "Train with Gymnasium"."""

    def modules_after(self, code):
        shown = subprocess.run([sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"], capture_output=True, text=True, check=True)
        return set(shown.stdout.split())

    def test_the_package_alone_brings_neither_numpy_nor_gymnasium(self):
        for code in ("import seedbed", "import seedbed; seedbed.tasks(); seedbed.select(); seedbed.oracles('GoToGoal')"):
            self.assertFalse({"numpy", "gymnasium"} & self.modules_after(code), code)
        self.assertTrue({"numpy", "gymnasium"} <= self.modules_after("import seedbed; seedbed.make"))

    def test_ids_are_there_as_the_page_says(self):
        for code in ("import gymnasium, seedbed; gymnasium.make('seedbed/GoToGoal-v0')",
                     "import seedbed, gymnasium; seedbed.register(); gymnasium.make('seedbed/GoToGoal-v0')",
                     "import seedbed, gymnasium; seedbed.make('GoToGoal'); gymnasium.make('seedbed/GoToGoal-v0')",
                     "import gymnasium; gymnasium.make('seedbed:seedbed/GoToGoal-v0')"):
            self.assertIn("seedbed.env", self.modules_after(code), code)


class Help(unittest.TestCase):
    """help() is of use without the page."""

    def test_the_package_lists_and_explains_every_name(self):
        text = pydoc.plain(pydoc.render_doc(seedbed))
        for name in seedbed.__all__:
            self.assertIn(name, dir(seedbed))
            self.assertTrue(getattr(seedbed, name).__doc__, name)
            self.assertRegex(text, rf"\b{name}\b")
        with self.assertRaises(AttributeError):
            seedbed.mkae

    def test_parameters_are_explained(self):
        for name in ("make", "make_vec", "select", "derive_pack", "rollouts", "rows", "evaluate"):
            function = getattr(seedbed, name)
            for parameter in inspect.signature(function).parameters.values():
                if parameter.kind is not parameter.VAR_KEYWORD or name == "rows":
                    self.assertRegex(function.__doc__, rf"\b{parameter.name}\b", f"{name}: {parameter.name}")


if __name__ == "__main__":
    unittest.main()
