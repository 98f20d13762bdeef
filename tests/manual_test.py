"""Manual pages, shell completion and the Debian package: what users have after an installation, besides the program.

    python3 tests/manual_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import fcntl
import gzip
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
BUILD = os.path.dirname(SEEDBED)
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MANUAL = os.path.join(BUILD, "manual")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=900, **options)


def said(*arguments):
    done = run(SEEDBED, *arguments)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


COMMANDS = said("help", "--commands").split()


def options_of(command):
    """All options, as far as --help-all shows them, and that itself."""
    shown = re.findall(r"^  (?:-\w,|   ) (--[a-z-]+)", said(command, "--help-all"), re.M)
    return shown + ["--help-all"] * ("--help-all" not in shown)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Help(unittest.TestCase):
    def test_help_of_a_command_is_its_own_help(self):
        for command in COMMANDS:
            self.assertEqual(said("help", command), said(command, "--help"))
        self.assertEqual(said("help"), said("--help"))

    def test_help_of_long_commands_fits_on_a_screen_and_all_of_it_is_one_option_away(self):
        for command in COMMANDS:
            short, whole = said(command, "--help"), said(command, "--help-all")
            with self.subTest(command=command):
                self.assertLessEqual(set(re.findall(r"--[a-z-]+", short)) - {"--help-all"}, set(re.findall(r"--[a-z-]+", whole)))
                hidden = len(re.findall(r"^  (?:-\w,|   ) --", whole, re.M)) + 1 - len(re.findall(r"^  (?:-\w,|   ) --", short, re.M))
                if short != whole:
                    self.assertIn(f"the same with {hidden} more options", short)
        for command in ("build", "eval"):
            self.assertLessEqual(len(said(command, "--help").splitlines()), 40)

    def test_what_options_are_for_stands_in_one_column(self):
        for command in COMMANDS:
            lines = said(command, "--help-all").splitlines() + said(command, "--help").splitlines()
            for line, below in zip(lines, lines[1:] + [""]):
                left = re.match(r"  (?:-\w,|   ) --[a-z-]+(?: \S+)?", line)
                if left and "options" not in left.group():
                    text = below if line == left.group() else line.replace(left.group(), " " * len(left.group()), 1)
                    with self.subTest(command=command, line=line):
                        self.assertRegex(text, r"^ {29}\S")
                        self.assertLessEqual(len(line), 120)

    def test_no_command_is_run_to_tell_of_itself(self):
        for command in COMMANDS:
            for argument in ("--help=man", "--help=complete"):
                with self.subTest(command=command, argument=argument):
                    done = run(SEEDBED, command, argument)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertIn(f"there is no option {argument}", done.stderr)

    def test_wrong_calls_are_refused(self):
        for arguments in (["nope"], ["--nope"], ["play", "solve"], ["--man", "nope"], ["--completion"], ["--completion", "fish"],
                          ["--commands", "x"], ["--man", "play", "x"]):
            with self.subTest(arguments=arguments):
                done = run(SEEDBED, "help", *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(done.stderr)


class Pages(unittest.TestCase):
    def test_every_command_has_a_page_and_each_is_what_the_program_tells(self):
        pages = sorted(os.listdir(os.path.join(MANUAL, "man1")))
        self.assertLessEqual({"seedbed.1", *(f"seedbed-{command}.1" for command in COMMANDS)}, set(pages))
        for command in COMMANDS:
            self.assertEqual(read(os.path.join(MANUAL, "man1", f"seedbed-{command}.1")), said("help", "--man", command))
        self.assertEqual(read(os.path.join(MANUAL, "man1", "seedbed.1")), said("help", "--man"))

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_pages_format_without_warnings_and_say_what_help_says(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                page = os.path.join(MANUAL, "man1", f"seedbed-{command}.1")
                done = run("groff", "-man", "-ww", "-Tascii", "-P-c", "-P-u", "-P-b", "-P-o", "-rLL=200n", page)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                for option in options_of(command):
                    if option not in ("--help", "--help-all"):
                        self.assertIn(option, done.stdout)
                for example in re.findall(r"^  (seedbed .*)$", said(command, "--help-all"), re.M):
                    self.assertIn(example.split("   ")[0].rstrip(), done.stdout)


def candidates(*words):
    """What the program offers for a line that ends with the last of these words, with what it means."""
    return [tuple(line.split("\t")) for line in said("help", "--complete", *words).splitlines()]


def offered(*words):
    return [word for word, _ in candidates(*words)]


FILES = [("", "files")]


class Candidates(unittest.TestCase):
    def test_commands_and_their_options(self):
        self.assertEqual(sorted(offered("")), sorted(["help", *COMMANDS]))
        self.assertEqual(sorted(offered("se")), ["seeds", "serve"])
        self.assertEqual(sorted(offered("help", "")), sorted(COMMANDS))
        for command in COMMANDS:
            self.assertEqual(offered(command, "--"), options_of(command))
        self.assertEqual(offered("nope", "--"), [])

    def test_values_are_those_that_the_program_knows(self):
        families = json.loads(said("tasks", "--json"))
        first, second = families[0], families[1]
        names = [task["name"] for task in first["tasks"]]
        self.assertEqual(offered("build", "--family", ""), [family["family"] for family in families])
        self.assertEqual(offered("build", "--tasks", ""), names)
        self.assertEqual(candidates("build", "-t", "keyd"), [(task["name"], task["summary"]) for task in first["tasks"]
                                                             if task["name"].startswith("KeyD")])
        self.assertEqual(offered("build", "--family", second["family"], "--tasks", ""), [task["name"] for task in second["tasks"]])
        self.assertEqual(offered("show", second["family"] + ":x#1", "--mode", ""), second["modes"])
        self.assertEqual(offered("build", "--difficulty", ""), first["variants"])
        self.assertEqual(sorted(offered("build", "--category", "")), sorted({task["category"] for task in first["tasks"]}))
        self.assertEqual(sorted(offered("solve", "--agent", "")),
                         sorted({"random", "plugin:"}.union(*(task["oracles"] for task in first["tasks"]))))
        self.assertEqual([*offered("solve", "--agent", ""), "tape:", "exec:"], offered("eval", "--agent", ""))
        self.assertEqual(offered("build", "--reward", "d"), ["dense"])
        formats = re.findall(r"^  (\w+) ", said("build", "--help-all").split("\nformats:\n")[1], re.M)
        self.assertEqual(offered("build", "--format", ""), formats)

    def test_lists_and_values_behind_an_equals_sign_are_gone_on_with(self):
        self.assertEqual(offered("build", "--format", "chat,st"), ["chat,steps"])
        self.assertEqual(offered("build", "--format=ch"), ["--format=chat"])
        self.assertEqual(offered("build", "--modes=ascii,langu"),
                         ["--modes=ascii," + mode for mode in offered("show", "--mode", "langu")])

    def test_names_of_episodes_come_a_part_at_a_time(self):
        self.assertEqual(offered("show", "KeyD"), ["KeyDoorPuzzle-v0/"])
        self.assertEqual(offered("show", "KeyDoorPuzzle-v0/m"), ["KeyDoorPuzzle-v0/medium#"])
        self.assertEqual(offered("show", "babya"), ["babyai:"])
        self.assertEqual(offered("show", "babyai:BossLevelN"), ["babyai:BossLevelNoUnlock#"])
        self.assertEqual(offered("show", "KeyDoorPuzzle-v0/medium#4"), [])

    def test_every_option_with_a_value_offers_something_or_wants_a_number_or_a_text(self):
        free = {"N", "G", "S", "P", "X", "MS", "MIB", "HEX", "TEXT", "COMMAND", "HOST:PORT", "URL", "STATES", "I/N", "1..9", "0..9,42"}
        for command in COMMANDS:
            for option, kind in re.findall(r"(--[a-z-]+) ([A-Z0-9]\S*)  ", said(command, "--help-all").split("\noptions", 1)[1]):
                with self.subTest(command=command, option=option):
                    self.assertEqual(bool(candidates(command, option, "")), kind not in free)
                    if kind.split(".")[0] in ("FILE", "DIR", "PATH"):
                        self.assertEqual(candidates(command, option, ""), FILES)

    def test_files_are_offered_where_commands_take_them(self):
        for command in ("verify", "replay", "report", "merge", "render", "conform", "score"):
            self.assertEqual(candidates(command, ""), FILES)
        self.assertEqual(candidates("eval", "--agent", "tape:"), FILES)
        for command in ("eval", "solve", "build"):
            self.assertEqual(candidates(command, "--agent", "plugin:"), FILES)
        self.assertEqual(candidates("gallery", ""), [])
        self.assertIn("KeyDoorPuzzle-v0", offered("tasks", "keyd"))


class Shell:
    """An interactive shell on a terminal, in a folder of its own."""

    PROMPT = "ready> "

    def __init__(self, command, folder, setup):
        environment = dict(os.environ, PS1="", TERM="vt100", LC_ALL="C", HOME=folder, ZDOTDIR=folder,
                           PATH=BUILD + os.pathsep + os.environ["PATH"])
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 200, 0, 0))
        for line in setup:
            self.type(line + "\n")
        self.type("PS1='%s'\n" % self.PROMPT.replace("y", "y''"))
        self.read_to(self.PROMPT)

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read_to(self, words, seconds=20):
        seen, until = "", time.monotonic() + seconds
        while words not in seen:
            if time.monotonic() > until or not select.select([self.terminal], [], [], seconds)[0]:
                raise AssertionError(f"{words!r} did not come: {seen!r}")
            seen += os.read(self.terminal, 1 << 16).decode().replace("\0", "")
        return seen

    def completes(self, line, expected):
        self.type(line + "\t")
        self.read_to(expected)
        self.type("\x15\n")  # takes the line back
        self.read_to(self.PROMPT)

    def close(self):
        os.close(self.terminal)
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)


class Completion(unittest.TestCase):
    TYPED = {"seedbed bu": "seedbed build",
             "seedbed build --fo": "seedbed build --for",
             "seedbed build --format ch": "seedbed build --format chat",
             "seedbed build --format chat,st": "seedbed build --format chat,steps",
             "seedbed build --format=ch": "seedbed build --format=chat",
             "seedbed build -d med": "seedbed build -d medium",
             "seedbed solve -a clair": "seedbed solve -a clairvoyant",
             "seedbed verify mine": "seedbed verify mine.jsonl",
             "seedbed build --recipe=mine": "seedbed build --recipe=mine.jsonl",
             "seedbed eval -a tape:mine": "seedbed eval -a tape:mine.jsonl",
             "seedbed solve -a plugin:mine": "seedbed solve -a plugin:mine.jsonl",
             "seedbed show KeyD": "seedbed show KeyDoorPuzzle-v0/",
             "seedbed show KeyDoorPuzzle-v0/m": "seedbed show KeyDoorPuzzle-v0/medium",
             "seedbed show babyai:BossLevelN": "seedbed show babyai:BossLevelNoUnlock"}

    def check(self, command, setup):
        with tempfile.TemporaryDirectory(prefix="seedbed-shell-") as folder:
            with open(os.path.join(folder, "mine.jsonl"), "w", encoding="utf-8"):
                pass
            shell = Shell(command, folder, setup)
            self.addCleanup(shell.close)
            for typed, expected in self.TYPED.items():
                shell.completes(typed, expected)

    def test_scripts_are_what_the_program_tells(self):
        self.assertEqual(read(os.path.join(MANUAL, "seedbed.bash")), said("help", "--completion", "bash"))
        self.assertEqual(read(os.path.join(MANUAL, "_seedbed")), said("help", "--completion", "zsh"))

    @unittest.skipUnless(shutil.which("bash"), "there is no bash")
    def test_bash(self):
        self.check(["bash", "--norc", "--noprofile", "-i"], ["bind 'set bell-style none'", "bind 'set enable-bracketed-paste off'",
                                                "source " + shlex.quote(os.path.join(MANUAL, "seedbed.bash"))])

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh(self):
        self.check(["zsh", "-f", "-i"], ["unsetopt beep zle_bracketed_paste", "bindkey -e", f"fpath=({shlex.quote(MANUAL)} $fpath)",
                                         "autoload -U compinit && compinit -u -D"])


class Versions(unittest.TestCase):
    """The table of CHANGELOG.md, and what stands in the code."""

    WHERE = {"tape": (r"SB_TAPE_FORMAT = (\d+)", "rollout/tape.h"),
             "dataset: manifest and rows": (r"SB_MANIFEST_VERSION (\d+)", "datasets/manifest.h"),
             "statistics of a dataset": (r"SB_STATS_VERSION (\d+)", "datasets/stats.h"),
             "journal of a build that is not finished": (r"SB_JOURNAL_VERSION (\d+)", "datasets/journal.h"),
             "challenges in Autumn": (r"SB_AUTUMN_CHALLENGE_VERSION = (\d+)", "generators/autumn/challenges/challenge.h"),
             "certificates": (r"SB_CERTIFICATES_FORMAT = (\d+)", "evaluation/certificates/certificate.h"),
             "atlas of difficulty": (r"SB_ATLAS_VERSION = (\d+)", "evaluation/atlas/measure.h"),
             "result of `eval`": (r"SB_RESULT_VERSION (\d+)", "evaluation/result.h"),
             "journal of an evaluation that is not finished": (r"SB_RUN_JOURNAL_VERSION = (\d+)", "evaluation/resume.h"),
             "baseline: document": (r"SB_BASELINE_VERSION (\d+)", "evaluation/baseline.h"),
             "baseline: the frozen one that scores are normalised with": (r"SB_BASELINE_CURRENT (\d+)", "evaluation/baseline.h"),
             "experiment": (r"SB_EXPERIMENT_FORMAT = (\d+)", "evaluation/experiment.h"),
             "study": (r"SB_STUDY_VERSION = (\d+)", "evaluation/study/study.h"),
             "people's plays, summed up": (r"SB_HUMANS_VERSION = (\d+)", "evaluation/humans.h"),
             "log of transitions": (r"SB_LOG_FORMAT = (\d+)", "rollout/transitions.h"),
             "report of a check of a model, and of a split": (r'"version", (\d+)\)', "evaluation/models/report_print.c"),
             "ledger of a model": (r'"seedbed_ledger", (\d+)', "evaluation/models/ledger.c"),
             "protocol of models": (r"SB_MODEL_PROTOCOL = (\d+)", "evaluation/models/conversation.h"),
             "run of an arena, its scores and answers": (r"SB_ARENA_VERSION = (\d+)", "evaluation/arena/arena.h"),
             "protocol of teams": (r"SB_ARENA_PROTOCOL = (\d+)", "evaluation/arena/arena.h"),
             "scores of answers": (r'"version", (\d+)\)', "evaluation/babybench/marks_print.c"),
             "line protocol": (r"SB_PROTOCOL = (\d+)", "agents/server/serve.h")}

    def test_table_is_complete_and_true(self):
        rows = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", read(os.path.join(ROOT, "CHANGELOG.md")), re.M))
        del rows["what"]
        found = {what: re.search(pattern, read(os.path.join(ROOT, file))).group(1) for what, (pattern, file) in self.WHERE.items()}
        pack = read(os.path.join(ROOT, "seeds", "pack.h"))
        found["seed pack"] = "{}; with digests {}; with a demand {}".format(*(re.search(rf"define {name} +(\d+)", pack).group(1)
                                                            for name in ("SB_PACK_VERSION", "SB_PACK_DIGESTS", "SB_PACK_DEMAND")))
        for family in json.loads(said("tasks", "--json")):
            found[f"rules of `{family['family']}`"] = family["rules"]
            for look in family["looks"]:
                found[f"look `{look['name']}` of `{family['family']}`"] = look["version"]
        found["library"] = "SONAME " + said("--version").split()[1].rsplit(".", 1)[0]
        self.assertEqual(rows, found)

    def test_one_version_everywhere(self):
        version = said("--version").split()[1]
        self.assertIn(f'#define SB_VERSION "{version}"', read(os.path.join(ROOT, "include", "seedbed.h")))
        self.assertIn(f"CMAKE_PROJECT_VERSION:STATIC={version}\n", read(os.path.join(BUILD, "CMakeCache.txt")))
        self.assertRegex(read(os.path.join(ROOT, "CHANGELOG.md")), rf"(?m)^## {re.escape(version)}, ")
        self.assertIn(f"\nversion: {version}\n", read(os.path.join(ROOT, "CITATION.cff")))
        self.assertRegex(version, re.search(r'regex = \'#define SB_VERSION "\(\?P<value>(.+)\)"\'', read(os.path.join(ROOT, "pyproject.toml"))).group(1))

    def test_pages_and_examples_name_this_version(self):
        version = said("--version").split()[1]
        minor = version.rsplit(".", 1)[0]
        named = {r'"seedbed": "([0-9.]+)"': version, r"libseedbed\.so\.([0-9.]*[0-9])": minor, r"\blibseedbed([0-9][0-9.]*[0-9])": minor,
                 r"find_package\(seedbed ([0-9.]+)": minor, r"[Tt]ag the commit `v([0-9.]+)`": version}
        pages = [os.path.join(ROOT, *parts) for parts in (("README.md",), ("include", "seedbed.h"), ("examples", "bots", "CMakeLists.txt"))]
        pages += [os.path.join(ROOT, "docs", name) for name in os.listdir(os.path.join(ROOT, "docs")) if name.endswith(".md") and name != "upgrading.md"]
        found = set()
        for page in pages:
            for pattern, expected in named.items():
                for shown in re.findall(pattern, read(page)):
                    found.add(pattern)
                    self.assertEqual(shown, expected, f"{page}: {pattern}")
        self.assertEqual(found, set(named), "a pattern that is found nowhere tests nothing")


@unittest.skipUnless(all(map(shutil.which, ("dpkg-deb", "dpkg-shlibdeps", "cpack"))), "a tool for packages is missing")
class Packages(unittest.TestCase):
    """The cheap part of scripts/check-package."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-deb-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = os.path.join(folder.name, "root")
        done = run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", folder.name, cwd=folder.name,
                   env=dict(os.environ, SOURCE_DATE_EPOCH="86400"))
        assert done.returncode == 0, done.stdout + done.stderr
        cls.version = said("--version").split()[1]
        cls.packages, cls.files = {}, {}
        for name in os.listdir(folder.name):
            if not name.endswith(".deb"):
                continue
            path = os.path.join(folder.name, name)
            fields = dict(re.findall(r"^([\w-]+): (.*(?:\n .*)*)", run("dpkg-deb", "-f", path).stdout, re.M))
            cls.packages[fields["Package"]] = fields
            run("dpkg-deb", "-x", path, cls.root)
            os.makedirs(control := os.path.join(folder.name, "control", fields["Package"]))
            run("dpkg-deb", "-e", path, control)
            listing = run("dpkg-deb", "-c", path)
            cls.files[fields["Package"]] = [line.split(" -> ")[0].split(" ./")[1] for line in listing.stdout.splitlines()]
        cls.control = os.path.join(folder.name, "control")
        cls.abi = cls.version.rsplit(".", 1)[0]
        cls.library = "libseedbed" + cls.abi

    def test_program_library_and_development_files_are_packages_of_their_own(self):
        self.assertEqual(set(self.packages), {"seedbed", self.library, "libseedbed-dev"})
        places = {"seedbed": ["usr/bin/seedbed", "usr/share/man/man1/seedbed-play.1.gz", "usr/share/bash-completion/completions/seedbed",
                              "usr/share/seedbed/official.json.gz", "usr/share/doc/seedbed/docs/datasets.md"],
                  self.library: ["libseedbed.so." + self.version],
                  "libseedbed-dev": ["usr/include/seedbed.h", "seedbed.pc", "seedbed-config.cmake", "libseedbed.so",
                                     "usr/share/doc/seedbed/examples/bots/key_door.c"]}
        for package, expected in places.items():
            for place in [*expected, *(f"usr/share/doc/{package}/{name}" for name in ("copyright", "changelog.gz", "changelog.Debian.gz"))]:
                with self.subTest(package=package, place=place):
                    self.assertTrue(any(file == place or file.endswith("/" + place) for file in self.files[package]))
        self.assertFalse([file for file in self.files["seedbed"] if "libseedbed.so" in file or file.endswith(".1")])

    def test_control_fields_say_what_each_is_and_needs(self):
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
            maintainer = re.search(r"^SEEDBED_MAINTAINER:STRING=(.*)$", file.read(), re.M).group(1)
        for package, fields in self.packages.items():
            with self.subTest(package=package):
                self.assertEqual(fields["Maintainer"], maintainer)
                self.assertEqual(fields["Version"], self.version + "-1")
                synopsis, *text = fields["Description"].split("\n")
                self.assertLess(len(synopsis), 80 - len(package))
                self.assertTrue(text and max(map(len, text)) <= 80)
        for package in ("seedbed", self.library):
            for library in ("libc6", "libsodium", "libcjson", "zlib1g"):
                self.assertIn(library, self.packages[package]["Depends"])
        self.assertEqual(self.packages["libseedbed-dev"]["Depends"], f"{self.library} (= {self.version}-1)")
        self.assertEqual(read(os.path.join(self.control, self.library, "shlibs")),
                         f"libseedbed {self.abi} {self.library} (>= {self.version})\n")
        self.assertEqual(read(os.path.join(self.control, self.library, "triggers")), "activate-noawait ldconfig\n")

    def test_changelog_of_debian_names_version_and_date(self):
        with gzip.open(os.path.join(self.root, "usr/share/doc/seedbed/changelog.Debian.gz"), "rt") as file:
            text = file.read()
        self.assertTrue(text.startswith(f"seedbed ({self.version}-1) "))
        self.assertTrue(text.endswith("  Fri, 02 Jan 1970 00:00:00 +0000\n"))

    def test_program_runs(self):
        done = run(os.path.join(self.root, "usr/bin/seedbed"), "verify", os.path.join(self.root, "usr/share/seedbed/official.json.gz"))
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
