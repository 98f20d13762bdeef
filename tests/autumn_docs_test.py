"""docs/autumn.md is true: its programs print what it shows, and its tables list the library, the kinds of errors and the limits. The index and the pictures
in docs/autumn/ are made of the programs.

    python3 tests/autumn_docs_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import hashlib
import importlib
import os
import re
import shutil
import subprocess
import sys
import unittest

from dataset_support import SEEDBED, InFolder, read, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def load_writer(word):
    """Loads what `scripts/docs WORD` runs."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.join(ROOT, "scripts"))
    return importlib.import_module("documents." + word)


PAGE = text_of("docs/autumn.md")
WORLDS = text_of("docs/worlds.md")


# ---- The lesson ----

def blocks(text):
    """Yields the fenced blocks of a page: their language and their text."""
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M)


def runs(block):
    """Yields the commands of a block, each with the output that is shown below it."""
    for command, output in re.findall(r"^\$ ([^\n]*)\n(.*?)(?=^\$ |\Z)", block, re.S | re.M):
        yield command, output


def first_difference(text, folder, seedbed):
    """Saves the programs of a page and runs its commands, in the order of the page. Returns what is printed otherwise than shown."""
    os.makedirs(os.path.join(folder, "bin"), exist_ok=True)
    os.chmod(write(os.path.join(folder, "bin", "seedbed"), f'#!/bin/sh\nexec "{seedbed}" "$@"\n'), 0o755)
    environment = {**os.environ, "PATH": os.path.join(folder, "bin") + os.pathsep + os.environ["PATH"]}
    for language, block in blocks(text):
        if language == "lisp":
            write(os.path.join(folder, re.match(r"; ([\w-]+\.sexp)\n", block).group(1)), block)
        if language == "console":
            for command, shown in runs(block):
                done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                      check=False, timeout=900)
                if done.stdout != shown:
                    return f"{command}\n{done.stdout}"
    return None


class Lesson(InFolder):
    maxDiff = None

    def test_programs_print_what_the_page_shows(self):
        languages = [language for language, _ in blocks(PAGE)]
        self.assertGreater(languages.count("lisp"), 8)
        self.assertGreater(sum(len(list(runs(block))) for language, block in blocks(PAGE) if language == "console"), 10)
        self.assertLessEqual(set(languages), {"lisp", "console", "sh"})
        self.assertIsNone(first_difference(PAGE, self.folder, SEEDBED))

    def test_another_output_is_found(self):
        self.assertIn("autumn check walker.sexp", first_difference(PAGE.replace("deterministic, 5 x 5", "deterministic, 5 x 6", 1), self.folder, SEEDBED))
        self.assertIn("autumn run walker.sexp", first_difference(PAGE.replace('"red"', '"blue"', 1), self.folder, SEEDBED))

    def test_the_program_becomes_a_task_by_the_name_that_is_shown(self):
        block = next(block for language, block in blocks(PAGE) if language == "lisp" and block.startswith("; well.sexp\n"))
        name = "file-" + hashlib.sha256(block.encode()).hexdigest()[:16]
        self.assertEqual(set(re.findall(r"\bfile-[0-9a-f]{16}\b", PAGE)), {name})

    def test_commands_for_a_program_of_ones_own_work(self):
        block = next(block for language, block in blocks(PAGE) if language == "lisp" and block.startswith("; well.sexp\n"))
        write(self.path("well.sexp"), block)
        commands = [line for language, block in blocks(PAGE) if language == "sh" for line in block.splitlines()]
        self.assertGreater(len(commands), 4)
        for command in commands:
            self.assertRegex(command, r"^seedbed ")
            done = subprocess.run(["sh", "-c", command.replace("seedbed", f'"{SEEDBED}"', 1)], cwd=self.folder, capture_output=True, text=True,
                                  check=False, timeout=900)
            self.assertEqual(done.returncode, 0, command + done.stdout + done.stderr)

    def test_modes_are_those_of_the_family(self):
        told = subprocess.run([SEEDBED, "tasks", "--family", "autumn"], capture_output=True, text=True, check=True).stdout
        modes = re.search(r"observation modes: (.*)", told).group(1).split()
        self.assertEqual([name for name in self.names_of_table("A program of your own as a task") if name in modes], modes)

    def test_every_program_is_run(self):
        for language, block in blocks(PAGE):
            if language == "lisp":
                name = re.match(r"; ([\w-]+\.sexp)\n", block).group(1)
                self.assertRegex(PAGE, rf"(?m)^\$ seedbed autumn \w+ {name}\b")

    def section(self, title):
        return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.S | re.M).group(1)

    def names_of_table(self, title):
        """The names in the first columns of the tables of a section; of a call the function's."""
        cells = re.findall(r"^\| (`.*?) \|", self.section(title), re.M)
        return [re.match(r"\(*([\w]+)", quoted).group(1) for cell in cells for quoted in re.findall(r"`([^`]+)`", cell)]

    def test_the_library_is_complete(self):
        wanted = set(re.findall(r"^(?:PRIMITIVE|FUNCTION)\((\w+)", text_of("engine/autumn/library.def"), re.M))
        self.assertGreater(len(wanted), 80)
        self.assertEqual(set(self.names_of_table("The library")), wanted)

    def test_functions_that_do_not_exist_are_not_there(self):
        missing = re.search(r"^There is no (.*?);", self.section("The library"), re.M).group(1)
        names = re.findall(r"`(\w+)`", missing)
        self.assertGreater(len(names), 5)
        for name in names:
            self.assertNotRegex(text_of("engine/autumn/library.def"), rf"\({name}[,)]")

    def test_kinds_of_errors_are_those_of_the_program(self):
        names = re.search(r"sb_autumn_kind_names\[SB_AUTUMN_N_KINDS\] = \{(.*?)\}", text_of("engine/autumn/load.c"), re.S).group(1)
        self.assertEqual(self.names_of_table("Errors"), re.findall(r'"(\w+)"', names))

    def test_limits_are_those_of_the_program(self):
        source = re.search(r"sb_autumn_default_limits = \{(.*?)\}", text_of("engine/autumn/load.c"), re.S).group(1)
        wanted = [eval(value, {}) for value in re.findall(r"= ([\d <]+)", source)]  # numbers and shifts of numbers
        header = text_of("engine/autumn/autumn.h")
        wanted += [int(re.search(rf"SB_AUTUMN_{name}_MAX = (\d+)", header).group(1)) for name in ("SIZE", "NAME")]
        self.assertIn("SB_AUTUMN_NAME_MAX = 64, SB_AUTUMN_STRING_MAX = 64", header)  # one row of the table has both
        shown = re.findall(r"^\| [^|]+ \| ([\d,]+)[^|]*\|$", self.section("Limits"), re.M)
        self.assertEqual([int(number.replace(",", "")) for number in shown], wanted)


class Worlds(InFolder):
    """docs/worlds.md; its Python is run by python/tests/test_docs.py."""
    maxDiff = None

    def test_commands_print_what_the_page_shows(self):
        self.assertGreater(sum(len(list(runs(block))) for language, block in blocks(WORLDS) if language == "console"), 6)
        self.assertIsNone(first_difference(WORLDS, self.folder, SEEDBED))

    def test_clauses_are_those_of_the_statement(self):
        wanted = re.search(r"clauses\[N_CLAUSES\] = \{(.*?)\}", text_of("engine/autumn/task.c"), re.S).group(1)
        rows = re.findall(r"^\| ((?:`\(\w.*?`(?:, )?)+) \|", WORLDS.partition("## The statement")[2].partition("Expressions are")[0], re.M)
        self.assertEqual({name for row in rows for name in re.findall(r"`\((\w+)", row)}, set(re.findall(r'"(\w+)"', wanted)))

    def test_functions_are_those_of_worlds(self):
        wanted = set(re.findall(r"^WORLD_FUNCTION\(\w+, (\w+)", text_of("engine/autumn/worlds.def"), re.M))
        table = WORLDS.partition("Worlds have these functions")[2]
        self.assertEqual(set(re.findall(r"`\((\w+) ", table.partition("So a level")[0])), wanted)

    def test_limits_are_those_of_the_statement(self):
        limits = dict(re.findall(r"SB_AUTUMN_(\w+_MAX) = (\d+)", text_of("engine/autumn/world.h")))
        for words in (f"up to {int(limits['WORLD_NAME_MAX']) - 1} more letters", f"at most {limits['WORD_MAX']} letters", f"at most {limits['SENTENCE_MAX']} bytes",
                      f"at most {int(limits['STEPS_MAX']):,}"):
            self.assertIn(words, WORLDS)
        self.assertEqual(limits["DIFFICULTIES_MAX"], "8")
        self.assertIn("`difficulty` (at most eight)", WORLDS)

    def test_every_example_has_a_section_and_a_small_picture(self):
        """That they are up to date is tested at night: ./scripts/docs worlds --check"""
        page, names = text_of("docs/measured/worlds.md"), [name.removesuffix(".sexp") for name in sorted(os.listdir(os.path.join(ROOT, "examples", "worlds")))]
        self.assertEqual(re.findall(r"^!\[\w+\]\(worlds/(\w+)\.png\)$", page, re.M), names)
        for name in names:
            self.assertIn(f"seedbed play examples/worlds/{name}.sexp/", page)
            self.assertLess(os.path.getsize(os.path.join(ROOT, "docs", "measured", "worlds", name + ".png")), 3000)


# ---- The pages ----

PROGRAM = """; EM9 Three Lamps
;
; Lamps that
; remember.
;
; A key turns them on.

(program
  (= GRID_SIZE 4)
  (= background "white")
  (= shade (--> n (if (== n 1) then "red" else "gray")))
  (object Lamp (: lit Number) (: hidden Number) (: size Number) (if (> size 2) then (Cell 0 0 (shade lit)) else (list)))
  (= lamp (initnext (Lamp 0 0 3 (Position 0 0)) (prev lamp)))
  (= sparks (initnext (list) (prev sparks)))
  (= marks (initnext (list) (prev marks)))
  (= count (initnext 0 (prev count)))
  (= memory 3)
  (= constant 4)
  (on left (let (= count (+ count 1)) (= memory constant) (= marks (addObj marks 3)) (= sparks (addObj sparks (Lamp 1 1 3 (Position 1 1)))))))
"""


class Pages(InFolder):
    @classmethod
    def setUpClass(cls):
        cls.script = load_writer("autumn")
        seedbed = cls.script.Seedbed(SEEDBED)
        cls.wanted = dict([*cls.script.environments(seedbed), *cls.script.lesson(seedbed)])

    def program(self, text=PROGRAM):
        os.makedirs(self.path("logic"), exist_ok=True)
        return self.script.Environment(write(self.path("logic/three_lamps.sexp"), text), self.script.Seedbed(SEEDBED), "logic", "Look.")

    def test_index_and_pictures_are_up_to_date(self):
        """If not: ./scripts/docs autumn"""
        self.assertEqual(self.script.differing(self.wanted), ([], []))

    def test_an_index_a_picture_and_a_file_too_many_are_found_and_made_again(self):
        self.addCleanup(setattr, self.script, "PAGES", self.script.PAGES)
        self.script.PAGES = shutil.copytree(self.script.PAGES, self.path("pages"))
        page, picture = self.path("pages/README.md"), self.path("pages/pictures/HeatBar.png")
        write(page, read(page).replace(b"stochastic", b"random"))
        shutil.copy(self.path("pages/pictures/Seesaw.png"), picture)
        os.remove(self.path("pages/pictures/lesson-snow.png"))
        write(self.path("pages/Gone.md"), "")
        stale, surplus = self.script.differing(self.wanted)
        self.assertEqual((stale, surplus), (["README.md", "pictures/HeatBar.png", "pictures/lesson-snow.png"], ["Gone.md"]))
        self.script.write(self.wanted, stale, surplus)
        self.assertEqual(self.script.differing(self.wanted), ([], []))

    def test_what_is_drawn_decides_what_is_latent(self):
        """`sparks` and `marks` begin as empty lists; only one of them gets objects."""
        program = self.program()
        self.assertEqual(program.hidden, ["marks", "count", "memory", "hidden of Lamp", "size of Lamp"])
        self.assertEqual((program.types, program.colours, program.events, len(program.handlers)), (["Lamp"], ["gray", "red"], ["left"], 1))

    def test_rules_are_the_comment_below_the_title(self):
        program = self.program()
        self.assertEqual((program.title, program.rules), ("Three Lamps", "Lamps that\nremember.\n\nA key turns them on."))
        table, more = self.script.facts_of(program)
        self.assertNotIn("hidden", table)
        self.assertIn("hidden of Lamp", more)
        self.assertIn(r"C:\\x &lt; y", self.script.markdown(r"C:\x < y"))
        for text in (PROGRAM.replace("Three Lamps", "Four Lamps"), "; Three Lamps\n\n(program)"):
            with self.assertRaises(self.script.Wrong):
                self.program(text)

    def test_pictures_show_the_frames_cell_by_cell(self):
        cell = self.script.CELL
        rows = self.script.pixels_of([[["red", "black"], ["black", "blue"]], [["gold"]]])
        self.assertEqual((len(rows), len(rows[0])), (2 * cell + 1, 2 * cell + 1 + cell + cell + 1))
        middle = cell // 2
        self.assertEqual([rows[middle][middle], rows[cell + middle][cell + middle], rows[middle][3 * cell + 1 + middle]],
                         [self.script.RGB[name] for name in ("red", "blue", "gold")])
        chunks = dict(self.script.contents_of(self.script.png_of(rows)))
        self.assertEqual(len(chunks[b"IDAT"]), len(rows) * (1 + len(rows[0])))

    def test_an_unknown_colour_is_told(self):
        with self.assertRaises(self.script.Wrong):
            self.script.pixels_of([[["unheard"]]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
