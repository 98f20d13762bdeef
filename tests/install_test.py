"""Tests what `cmake --install` gives to authors of bots: headers, a library that exports only the API, and two ways to find
them. The example bots are built with the installed files, never from the source tree.

    python3 tests/install_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.dirname(SEEDBED)
SOURCE_ONLY = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CITATION.cff")
BOTS = os.path.join(ROOT, "examples", "bots")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=900, **options)


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def cache_value(name):
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
        found = re.search(rf"^{name}:[A-Z]+=(.*)$", file.read(), re.M)
    return found.group(1) if found else ""


def public_headers():
    """Returns the names by which programs include them: `seedbed.h`, `seedbed/gridworld.h`."""
    return ["seedbed.h", *(f"seedbed/{name}" for name in sorted(os.listdir(os.path.join(ROOT, "include", "seedbed"))))]


def api_functions():
    text = "".join(re.sub(r"/\*.*?\*/", "", read("include", name), flags=re.S) for name in public_headers())
    return sorted(re.findall(r"^SB_API[^;(]*?\b(sb_\w+)\(", text, re.M))


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-install-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.prefix = os.path.join(cls.folder, "prefix")
        done = run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        if done.returncode != 0:
            raise AssertionError("cmake --install failed:\n" + done.stdout + done.stderr)
        cls.libdir = os.path.join(cls.prefix, cache_value("CMAKE_INSTALL_LIBDIR"))
        # Flags for programs that use a library with sanitizers.
        sanitizers = cache_value("SEEDBED_SANITIZE")
        cls.flags = f"-fsanitize={sanitizers}" if sanitizers else ""
        cls.compiler = cache_value("CMAKE_C_COMPILER") or "cc"

    def succeed(self, *command, **options):
        done = run(*command, **options)
        self.assertEqual(done.returncode, 0, " ".join(command) + "\n" + done.stdout + done.stderr)
        return done.stdout

    def check_bots(self, folder):
        for bot, episodes in (("key_door", ["KeyDoorPuzzle-v0/medium#42", "KeyDoorPuzzle-v0/expert#7"]),
                              ("greedy", ["GoToGoal-v0/medium#0", "GoToGoal-v0/expert#2"])):
            for episode in episodes:
                with self.subTest(bot=bot, episode=episode):
                    self.assertRegex(self.succeed(os.path.join(folder, bot), episode), r"^solved after \d+ steps\n$")
            with self.subTest(bot=bot, episode="of an unknown task"):
                done = run(os.path.join(folder, bot), "NoSuchTask/easy#1")
                self.assertEqual(done.returncode, 1)
                self.assertIn("unknown task", done.stderr)
        reader = os.path.join(folder, "reader")
        self.assertEqual(self.succeed(reader, "GoToGoal-v0/easy", "40"), "40 of 40 solved\n")
        self.assertEqual(run(reader, "NoSuchTask/easy").returncode, 1)
        done = run(os.path.join(self.prefix, "bin", "seedbed"), "solve", "--tasks", "GoToGoal", "-d", "easy", "--agent",
                   "plugin:" + os.path.join(folder, "mybot.so"))
        self.assertEqual((done.stdout.count("success"), done.returncode), (25, 0), done.stderr)
        tapes = os.path.join(folder, "tapes.jsonl")
        self.assertEqual(self.succeed(os.path.join(folder, "imitate"), "DynamicObstacles-v0/easy", tapes), "86 of 100 solved\n")
        self.assertRegex(self.succeed(os.path.join(self.prefix, "bin", "seedbed"), "verify", tapes), "100 tapes .*every one replayed")

    def copy_of_bots(self, name):
        copy = os.path.join(self.folder, name)
        shutil.copytree(BOTS, copy)
        return copy

    def test_prefix_holds_program_header_library_and_package_files(self):
        for name in ("bin/seedbed", *(f"include/{name}" for name in public_headers())):
            self.assertTrue(os.path.isfile(os.path.join(self.prefix, name)), name)
        for name in ("libseedbed.so", "pkgconfig/seedbed.pc", "cmake/seedbed/seedbed-config.cmake",
                     "cmake/seedbed/seedbed-config-version.cmake"):
            self.assertTrue(os.path.isfile(os.path.join(self.libdir, name)), name)

    def test_installed_program_runs_and_tells_its_version(self):
        said = self.succeed(os.path.join(self.prefix, "bin", "seedbed"), "--version")
        self.assertEqual(said, "seedbed " + re.search(r'#define SB_VERSION "(.*)"', read("include", "seedbed.h")).group(1)
                         + "\n")

    def test_versions_of_header_and_package_files_agree(self):
        version = re.search(r'#define SB_VERSION "(.*)"', read("include", "seedbed.h")).group(1)
        with open(os.path.join(self.libdir, "pkgconfig", "seedbed.pc"), encoding="utf-8") as file:
            self.assertIn(f"\nVersion: {version}\n", file.read())

    def test_pkg_config_file_points_to_where_it_was_installed(self):
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(self.libdir, "pkgconfig"))
        for variable, wanted in (("includedir", os.path.join(self.prefix, "include")), ("libdir", self.libdir)):
            said = self.succeed("pkg-config", "--variable=" + variable, "seedbed", env=environment).strip()
            self.assertEqual(os.path.realpath(said), os.path.realpath(wanted), variable)

    def test_bots_build_with_pkg_config_and_make_and_solve(self):
        folder = self.copy_of_bots("made")
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(self.libdir, "pkgconfig"))
        self.succeed("make", "-C", folder, "CC=" + self.compiler,
                     "CFLAGS=-O2 -Wall -Wextra -Wpedantic -Werror " + self.flags, env=environment)
        self.check_bots(folder)

    def test_bots_build_with_find_package_and_solve(self):
        folder = self.copy_of_bots("found")
        build = os.path.join(folder, "build")
        self.succeed("cmake", "-S", folder, "-B", build, "-DCMAKE_PREFIX_PATH=" + self.prefix,
                     "-DCMAKE_C_COMPILER=" + self.compiler, "-DCMAKE_C_FLAGS=-Werror " + self.flags)
        self.succeed("cmake", "--build", build)
        self.check_bots(build)

    def test_every_step_of_the_documented_bot_prints_what_the_page_says(self):
        folder = os.path.join(self.folder, "documented")
        os.mkdir(folder)
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(self.libdir, "pkgconfig"),
                           PATH=os.path.join(self.prefix, "bin") + os.pathsep + os.environ["PATH"])
        said = None
        steps = read("docs", "bots.md").partition("\n## The coding API\n")[0]
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", steps, re.S | re.M)
        self.assertEqual([kind for kind, _ in blocks], ["c", "sh", "text"] * 2)
        for kind, text in blocks:
            if kind == "c":
                with open(os.path.join(folder, "bot.c"), "w", encoding="utf-8") as file:
                    file.write(text)
            elif kind == "sh":
                text = text.replace("cc -std=c11", f"{self.compiler} -std=c11 -Wall -Wextra -Wpedantic -Werror {self.flags}")
                said = self.succeed("sh", "-e", "-c", text, cwd=folder, env=environment)
            else:
                self.assertEqual([line.rstrip() for line in said.splitlines()], text.splitlines())

    def test_official_pack_is_installed_and_right(self):
        pack = os.path.join(self.prefix, cache_value("CMAKE_INSTALL_DATADIR") or "share", "seedbed", "official.json.gz")
        self.succeed(os.path.join(self.prefix, "bin", "seedbed"), "verify", pack)

    def test_an_installed_program_makes_a_playground_without_options(self):
        """The module is installed if it is built from the same sources (scripts/wasm)."""
        program = os.path.join(self.prefix, "bin", "seedbed")
        module = os.path.join(self.prefix, cache_value("CMAKE_INSTALL_DATADIR") or "share", "seedbed", "seedbed.wasm")
        page = os.path.join(self.folder, "play.html")
        done = run(program, "playground", "-o", page)
        if os.path.exists(module):
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertGreater(os.path.getsize(page), os.path.getsize(module) / 4)
        else:
            self.assertEqual(done.returncode, 1)
            self.assertIn("--module seedbed.wasm", done.stderr)
            self.assertFalse(os.path.exists(page))

    def test_a_module_is_installed_only_if_it_is_from_the_same_sources(self):
        """The script that installs it, with modules of a few bytes."""
        with open(os.path.join(BUILD, "install_module.cmake"), encoding="utf-8") as file:
            script = file.read()
        same = re.search(r'REGEX "(.*?)"', script).group(1)
        for words, wanted in ((same, True), (re.sub(r"\w+$", "0" * 12, same), False), (None, False)):
            folder = tempfile.mkdtemp(dir=self.folder)
            built = os.path.join(folder, "build", "wasm", "module")
            os.makedirs(built)
            for part in ("python", "web"):
                shutil.copytree(os.path.join(ROOT, part, "licenses"), os.path.join(folder, part, "licenses"))
            if words:
                with open(os.path.join(built, "seedbed.wasm"), "wb") as file:
                    file.write(b"\0asm" + bytes(20) + words.encode() + bytes(20))
            with open(os.path.join(folder, "script.cmake"), "w", encoding="utf-8") as file:
                file.write(f'set(CMAKE_INSTALL_PREFIX "{folder}/prefix")\n' + script.replace(ROOT, folder))
            self.succeed("cmake", "-P", os.path.join(folder, "script.cmake"))
            found = [name for _, _, names in os.walk(os.path.join(folder, "prefix")) for name in names]
            self.assertEqual(sorted(found), ["cJSON.txt", "emscripten.txt", "libsodium.txt", "musl.txt", "seedbed.wasm", "zlib.txt"]
                             if wanted else [])

    def test_links_of_installed_pages_have_targets(self):
        """All but those to the program's own sources, and to the pages about them at the top of the source tree."""
        place = os.path.join(self.prefix, cache_value("CMAKE_INSTALL_DOCDIR") or "share/doc/seedbed")
        pages = [os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names if name.endswith(".md")]
        self.assertIn(os.path.join(place, "docs", "tasks", "GoToGoal.md"), pages)
        dead, linked = [], 0
        for page in pages:
            with open(page, encoding="utf-8") as file:
                text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", file.read(), flags=re.S | re.M)
            for link in re.findall(r"\]\(([^)\s#]+)", text):
                target = os.path.relpath(os.path.join(os.path.dirname(page), link), place)
                if re.match(r"[a-z]+:", link) or target.endswith(".h") or target.startswith(("python/", "web/")) or target in SOURCE_ONLY:
                    continue
                linked += 1
                if not os.path.exists(os.path.join(place, target)):
                    dead.append(f"{os.path.relpath(page, place)}: {link}")
        self.assertGreater(linked, 800)
        self.assertEqual(dead, [])

    def test_installed_headers_are_those_of_the_source_tree(self):
        for name in public_headers():
            with open(os.path.join(self.prefix, "include", name), encoding="utf-8") as file:
                self.assertEqual(file.read(), read("include", name), name)

    def test_every_header_compiles_alone_as_c11_c17_and_cpp17(self):
        folder = os.path.join(self.prefix, "include")
        for language, standard in (("c", "c11"), ("c", "c17"), ("c++", "c++17")):
            compiler = "cc" if language == "c" else "c++"
            if not shutil.which(compiler):
                self.skipTest(f"there is no {compiler}")
            for name in public_headers():
                with self.subTest(standard=standard, header=name):
                    self.succeed(compiler, "-x", language, "-std=" + standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                                 "-I" + folder, "-fsyntax-only", os.path.join(folder, name))

    def test_soname_is_major_and_minor_version_until_1_0(self):
        version = re.search(r'#define SB_VERSION "(.*)"', read("include", "seedbed.h")).group(1)
        soname = "libseedbed.so." + version.rsplit(".", 1)[0]
        self.assertIn(f"[{soname}]", self.succeed("readelf", "-d", os.path.join(self.libdir, "libseedbed.so")))
        self.assertIn(soname, read("include", "seedbed.h"))

    def test_library_exports_every_api_function_and_nothing_else(self):
        listing = self.succeed("nm", "-D", "--defined-only", os.path.join(self.libdir, "libseedbed.so"))
        exported = sorted(line.split()[-1].split("@")[0] for line in listing.splitlines())
        if cache_value("SEEDBED_SANITIZE") or cache_value("SEEDBED_COVERAGE") in ("ON", "1", "TRUE"):
            exported = [name for name in exported if name.startswith("sb_")]
        self.assertGreater(len(exported), 40)
        self.assertEqual(exported, api_functions())


class Documented(unittest.TestCase):
    def test_the_code_of_the_documented_bot_is_that_of_the_example(self):
        pieces = re.findall(r"^```c\n(.*?)^```$", read("docs", "bots.md").partition("\n### A bot for KeyDoorPuzzle\n")[2], re.S | re.M)
        self.assertEqual(len(pieces), 1)
        self.assertIn(pieces[0], read("examples", "bots", "key_door.c"))


class Configured(unittest.TestCase):
    """Checks what is built by default, and with each option."""

    def configure(self, *options):
        """Returns the compiler's calls, by source, when pkg-config does not know the packages that only tests need."""
        folder = tempfile.TemporaryDirectory(prefix="seedbed-configure-")
        self.addCleanup(folder.cleanup)
        known = os.path.join(folder.name, "known")
        os.mkdir(known)
        for library in ("libsodium", "libcjson"):
            place = run("pkg-config", "--variable=pcfiledir", library).stdout.strip()
            shutil.copy(os.path.join(place, library + ".pc"), known)
        done = run("cmake", "-S", ROOT, "-B", folder.name, *options, env={**os.environ, "PKG_CONFIG_LIBDIR": known, "PKG_CONFIG_PATH": ""})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(os.path.join(folder.name, "compile_commands.json"), encoding="utf-8") as file:
            return {os.path.relpath(call["file"], ROOT): call["command"] for call in json.load(file)}

    def test_a_plain_build_needs_nothing_for_tests_and_survives_warnings(self):
        calls = self.configure()
        self.assertIn("cli/main.c", calls)
        self.assertIn("api/env.c", calls)
        self.assertEqual([source for source in calls if source.startswith("tests/")], [])
        self.assertEqual([source for source, call in calls.items() if "-Werror" in call], [])
        self.assertEqual([source for source, call in calls.items() if "-Wextra" not in call], [])

    def test_options_turn_on_tests_benchmarks_and_werror(self):
        calls = self.configure("-DSEEDBED_WERROR=ON", "-DSEEDBED_BENCH=ON")
        self.assertEqual([source for source, call in calls.items() if "-Werror" not in call], [])
        self.assertIn("tests/bench/bench.c", calls)

    def test_development_presets_have_tests_and_take_warnings_as_errors(self):
        presets = {preset["name"]: preset for preset in json.loads(read("CMakePresets.json"))["configurePresets"]}

        def value(name, key):
            preset = presets[name]
            own = preset.get("cacheVariables", {}).get(key)
            return own or (value(preset["inherits"], key) if "inherits" in preset else "OFF")
        for name in presets:
            with self.subTest(preset=name):
                works = "OFF" if name in ("base", "package") else "ON"
                self.assertEqual(value(name, "SEEDBED_WERROR"), works)
                self.assertEqual(value(name, "SEEDBED_TESTS"), "OFF" if name == "fuzz" else works)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
