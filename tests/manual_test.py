"""Manual pages, shell completion and the Debian package: what users have after an installation, besides the program.

    python3 tests/manual_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
BUILD = os.path.dirname(SEEDBED)
MANUAL = os.path.join(BUILD, "manual")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=100, **options)


def said(*arguments):
    done = run(SEEDBED, *arguments)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


COMMANDS = said("help", "--commands").split()


def options_of(command):
    return re.findall(r"^  (?:-\w,|   ) (--[a-z-]+)", said(command, "--help"), re.M)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Help(unittest.TestCase):
    def test_help_of_a_command_is_its_own_help(self):
        for command in COMMANDS:
            self.assertEqual(said("help", command), said(command, "--help"))
        self.assertEqual(said("help"), said("--help"))

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
                    if option != "--help":
                        self.assertIn(option, done.stdout)
                for example in re.findall(r"^  (seedbed .*)$", said(command, "--help"), re.M):
                    self.assertIn(example.split("   ")[0].rstrip(), done.stdout)


class Completion(unittest.TestCase):
    def complete(self, *words):
        script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _seedbed; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = run("bash", "-c", script, os.path.join(MANUAL, "seedbed.bash"), *words)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_completes_commands_and_their_options(self):
        self.assertEqual(sorted(self.complete("seedbed", "")), sorted(["help", *COMMANDS]))
        self.assertEqual(sorted(self.complete("seedbed", "se")), ["seeds", "serve"])
        for command in COMMANDS:
            self.assertEqual(self.complete("seedbed", command, "--"), options_of(command))
        self.assertEqual(self.complete("seedbed", "play", "--ag"), ["--agent"])

    def test_zsh_has_every_option_and_quotes_what_it_must(self):
        script = read(os.path.join(MANUAL, "_seedbed"))
        self.assertTrue(script.startswith("#compdef seedbed\n"))
        for command in COMMANDS:
            line = re.search(rf"^    {command}\) words_of=\((.*)\) ;;$", script, re.M).group(1)
            self.assertEqual(re.findall(r"'(--[a-z-]+):", line), options_of(command))
            self.assertEqual(len(line.replace("'\\''", "").split("'")) % 2, 1)

    @unittest.skipUnless(shutil.which("zsh"), "there is no zsh")
    def test_zsh_reads_it(self):
        done = run("zsh", "-n", os.path.join(MANUAL, "_seedbed"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))


@unittest.skipUnless(all(map(shutil.which, ("dpkg-deb", "dpkg-shlibdeps", "cpack"))), "a tool for packages is missing")
class Package(unittest.TestCase):
    def test_debian_package_holds_a_program_that_runs_and_says_what_it_needs(self):
        with tempfile.TemporaryDirectory(prefix="seedbed-deb-") as folder:
            done = run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-B", folder, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            package, = (name for name in os.listdir(folder) if name.endswith(".deb"))
            package, root = os.path.join(folder, package), os.path.join(folder, "root")
            self.assertEqual(run("dpkg-deb", "-x", package, root).returncode, 0)
            needs = run("dpkg-deb", "-f", package, "Depends").stdout
            for library in ("libc6", "libsodium", "libcjson", "zlib1g"):
                self.assertIn(library, needs)
            with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
                maintainer = re.search(r"^SEEDBED_MAINTAINER:STRING=(.*)$", file.read(), re.M).group(1)
            self.assertEqual(run("dpkg-deb", "-f", package, "Maintainer").stdout.strip(), maintainer)
            program = os.path.join(root, "usr", "bin", "seedbed")
            done = run(program, "verify", os.path.join(root, "usr", "share", "seedbed", "official.json.gz"))
            self.assertEqual(done.returncode, 0, done.stderr)
            for place in ("usr/include/seedbed.h", "usr/share/man/man1/seedbed-play.1", "usr/share/doc/seedbed/copyright",
                          "usr/share/bash-completion/completions/seedbed"):
                self.assertTrue(os.path.isfile(os.path.join(root, place)), place)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
