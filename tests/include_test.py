"""The shape of the source tree: who includes whom, include guards, the one compiler extension, no mutable globals.

    python3 tests/include_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import collections
import os
import re
import subprocess
import sys
import sysconfig
import unittest

BUILD = os.path.dirname(os.path.abspath(sys.argv[1]))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Data walks through the layers once: each may include those before it in the list of CMakeLists.txt.
with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as cmake:
    LAYERS = re.search(r"^set\(layers (.*)\)$", cmake.read(), re.M).group(1).split()

# The ground floor: public headers, spelled as users spell them.
PUBLIC = "include"

# Above the family line nobody knows of grids: of the lower layers only these, besides base/ and seeds/.
ABOVE_THE_LINE = LAYERS[LAYERS.index("rollout"):]
CONTRACTS = {"engine/contract.h", "engine/environment.h", "engine/efficiency.h", "engine/facts.h", "engine/frames.h", "engine/lookup.h", "engine/recording.h", "engine/testing.h", "oracles/costs.h", "oracles/oracle.h", "oracles/player.h",
             "oracles/claims.h", "oracles/copies.h", "oracles/reasons.h", "engine/brush.h", "exporters/exporter.h"}

# Commands that are about a family's own documents, not about episodes.
COMMANDS_OF_FAMILIES = {("cli/conform.c", "generators/conformance/conformance.h"),
                        ("cli/autumn.c", "engine/autumn/world.h"), ("cli/autumn_worlds.c", "generators/autumn/worlds/plain.h"),
                        ("cli/autumn_worlds.c", "generators/autumn/worlds/review.h"), ("cli/new.c", "generators/autumn/worlds/first.h"),
                        ("cli/challenges.c", "generators/autumn/challenges/pack.h"),
                        ("cli/cli.c", "generators/autumn/challenges/pack.h"), ("cli/programs.c", "generators/autumn/challenges/pack.h"),
                        ("cli/questions.c", "generators/autumn/challenges/question_files.h"), ("cli/verify.c", "generators/autumn/challenges/pack.h"),
                        ("cli/kinds.c", "generators/autumn/challenges/pack.h")}

# They sit on top of everything, and nothing includes them.
OTHERS = ["tests", "examples", "python", "web"]


def source_files(*folders, suffixes=(".c", ".h", ".def")):
    for folder in folders:
        for here, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith(suffixes):
                    yield os.path.relpath(os.path.join(here, name), ROOT)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def without_comments(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\\n])*")', lambda found: found.group(1) or " ", text, flags=re.S)


def includes(path):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', read(path), re.M)


def is_public(path):
    """A public header, spelled as it is included: `seedbed.h`, `seedbed/gridworld.h`."""
    return os.path.isfile(os.path.join(ROOT, PUBLIC, path))


def layer_of(path):
    return PUBLIC if is_public(path) else path.split("/")[0]


def is_private_to_a_task(path):
    """generators/FAMILY/CATEGORY/TASK.h, and the null task, which is in no category."""
    return bool(re.fullmatch(r"generators/(?!autumn/)\w+/\w+/\w+\.h", path)) or path == "generators/agentick/null_task.h"


def may_include(includer, included):
    """None if so, else the rule that forbids it."""
    own, other = layer_of(includer), layer_of(included)
    if other == PUBLIC:
        return None
    if own == "python" and other != own and included not in CONTRACTS and other not in ["base", "seeds", "api", *ABOVE_THE_LINE]:
        return "the Python package knows families by their contract only"
    if own in OTHERS:
        return None if other in LAYERS or other == own or own == "tests" else "nothing includes tests and examples"
    if is_private_to_a_task(included):
        task = included.removesuffix(".h").removeprefix("generators/")
        own_file = re.fullmatch(rf"(generators|oracles)/{task}(_\w+)?\.c", includer)  # TASK_part.c, where one gets long
        return None if own_file else "a task's private header is for its generator, its oracle and tests"
    if own == other:
        return None
    below = LAYERS[:LAYERS.index(own)] if own in LAYERS else []
    if other not in below:
        return f"{own} may include {', '.join(below) or 'nothing'}"
    if (includer, included) in COMMANDS_OF_FAMILIES:
        return None
    if own in ABOVE_THE_LINE and included not in CONTRACTS and other not in ["base", "seeds", *ABOVE_THE_LINE]:
        return "above the family line only " + ", ".join(sorted(CONTRACTS))
    return None


def module_of(path):
    """What a file belongs to: its path without the suffix, and without `_part` where that has no header."""
    stem = re.sub(r"\.(c|h|def)$", "", path)
    while not os.path.isfile(os.path.join(ROOT, stem + ".h")) and "_" in os.path.basename(stem):
        stem = stem[:stem.rindex("_")]
    return stem if os.path.isfile(os.path.join(ROOT, stem + ".h")) else re.sub(r"\.(c|h|def)$", "", path)


def circle_in(needs):
    """A list of modules of which each needs the next and the last is the first; None if there is none."""
    done, way = set(), []

    def walk(module):
        if module in way:
            return way[way.index(module):] + [module]
        if module in done:
            return None
        way.append(module)
        for other in sorted(needs.get(module, ())):
            found = walk(other)
            if found:
                return found
        done.add(way.pop())
        return None

    return next((found for module in sorted(needs) if (found := walk(module))), None)


class Includes(unittest.TestCase):
    def test_every_layer_includes_only_what_is_below_it(self):
        for path in source_files(PUBLIC, *LAYERS, *OTHERS):
            for included in includes(path):
                with self.subTest(file=path, includes=included):
                    self.assertIsNone(may_include(path, included))

    def test_rules_refuse_what_they_are_there_for(self):
        """The rules themselves, tried on what must never be."""
        for includer, included in (("base/out.c", "seeds/rng.h"), ("seeds/rng.c", "engine/contract.h"),
                                   ("rollout/tape.c", "engine/gridworld/episode.h"), ("cli/show.c", "engine/gridworld/gridworld.h"),
                                   ("datasets/build.c", "generators/agentick/family.h"), ("datasets/build.c", "cli/cli.h"),
                                   ("datasets/build.c", "evaluation/evaluate.h"), ("base/search/search.c", "oracles/oracle.h"),
                                   ("datasets/build.c", "evaluation/certificates/certify.h"), ("agents/agent.c", "datasets/build.h"),
                                   ("api/env.c", "oracles/oracle.h"), ("generators/agentick/navigation/a.c", "generators/agentick/navigation/b.h"),
                                   ("oracles/agentick/navigation/a.c", "generators/agentick/navigation/b.h"),
                                   ("api/coding.c", "generators/agentick/navigation/b.h"), ("cli/cli.c", "tests/support.h"),
                                   ("engine/lookup.c", "generators/agentick/family.h"), ("rollout/tape.c", "generators/conformance/conformance.h"),
                                   ("evaluation/evaluate.c", "generators/conformance/conformance.h"),
                                   ("cli/conform.c", "generators/conformance/comparison.h"), ("generators/conformance/table.c", "api/coding.h"),
                                   ("generators/conformance/agentick.c", "oracles/oracle.h"),
                                   ("generators/conformance/agentick.c", "generators/agentick/navigation/b.h"),
                                   ("include/seedbed.h", "base/error.h")):
            with self.subTest(includer=includer, included=included):
                self.assertIsNotNone(may_include(includer, included))

    def test_included_files_exist_and_are_spelled_from_the_root(self):
        for path in source_files(*LAYERS, *OTHERS):
            for included in includes(path):
                with self.subTest(file=path, includes=included):
                    self.assertTrue(is_public(included) or os.path.isfile(os.path.join(ROOT, included)), "no such file")
                    self.assertNotIn("..", included)

    def test_no_two_files_need_each_other(self):
        """Neither directly nor by way of others. A source file and its header are one; so is TASK_part.c with TASK, whose header it
        implements."""
        needs = {}
        for path in source_files(*LAYERS):
            own = module_of(path)
            needs.setdefault(own, set()).update({module_of(included) for included in includes(path)} - {own})
        self.assertIsNone(circle_in(needs))

    def test_code_below_the_families_names_none_of_them(self):
        """What such code needs to know of a family is passed to it, or is in a file of data."""
        families = [name for name in os.listdir(os.path.join(ROOT, "generators"))
                    if os.path.isfile(os.path.join(ROOT, "generators", name, "family.h"))]
        self.assertIn("agentick", families)
        for path in source_files(*LAYERS[:LAYERS.index("generators")], suffixes=(".c", ".h")):
            for family in families:
                if path.startswith(f"engine/{family}/"):
                    continue  # an engine may have the name of its family
                with self.subTest(file=path):
                    # as a word or between underscores; `search` and `archive` do not name the family `arc`
                    self.assertIsNone(re.search(rf"(?<![a-z]){family}(?![a-z])", without_comments(read(path))), f"names {family}")

    def test_circles_are_found(self):
        self.assertIsNone(circle_in({"a": {"b", "c"}, "b": {"c"}, "c": set()}))
        self.assertEqual(circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])

    def test_every_source_file_includes_its_own_header_first(self):
        for path in source_files(*LAYERS, suffixes=(".c",)):
            header = path.removesuffix(".c") + ".h"
            if os.path.isfile(os.path.join(ROOT, header)):
                first = re.search(r'^\s*#\s*include\s+(\S+)', read(path), re.M).group(1)
                with self.subTest(file=path):
                    self.assertEqual(first, f'"{header}"', "so that the header is known to stand alone")

    def test_public_headers_include_only_the_first_of_them_and_the_standard_library(self):
        for path in source_files(PUBLIC, suffixes=(".h",)):
            with self.subTest(header=path):
                first = path == "include/seedbed.h"
                self.assertEqual(includes(path), [] if first else ["seedbed.h"])
                self.assertEqual(re.findall(r"#include <(.*)>", read(path)),
                                 ["stdbool.h", "stddef.h", "stdint.h"] if first else [])

    def test_only_bots_include_installed_headers(self):
        for path in source_files(*LAYERS, *OTHERS):
            if re.search(r"#include <seedbed[./]", read(path)):
                self.assertTrue(path.startswith("examples/"), path)

    def test_third_party_headers_stay_where_they_are_wrapped(self):
        homes = {"sodium.h": {"base", "seeds"}, "zlib.h": {"base", "datasets"}, "igraph.h": set(),
                 "cmocka.h": set(), "hdf5.h": {"exporters"}, "microhttpd.h": {"evaluation"}}
        for path in source_files(*LAYERS):
            for header in re.findall(r"#\s*include\s+<([^>]+)>", read(path)):
                name = header.split("/")[-1]
                if name in homes:
                    self.assertIn(layer_of(path), homes[name], f"{path} includes <{header}>")


class PrivateFunctions(unittest.TestCase):
    # Nothing in the program calls these yet: they are for challenges in Autumn, and for exporters and reports of multi-level games.
    CALLED_BY_TESTS_ONLY = {"sb_autumn_tape_free", "sb_autumn_tape_next", "sb_autumn_walk_changed",
                            "sb_autumn_walk_fired", "sb_autumn_walk_run", "sb_arc_put_recorded", "sb_arc_read_recorded", "sb_arc_stage_copy",
                            "sb_card_count", "sb_put_card", "sb_put_scorecard"}

    def test_a_public_name_of_a_type_stands_for_one_type(self):
        """Also where no file includes both headers: a reader who looks for the name finds one meaning."""
        defined = collections.defaultdict(set)
        for path in source_files(PUBLIC, *LAYERS, "python", "web", suffixes=(".c", ".h")):
            for name in re.findall(r"^typedef (?:struct|enum|union) ((?:sb|cli|core)_\w+) ?\{", read(path), re.M):
                defined[name].add(path)
        self.assertGreater(len(defined), 400)
        for name, paths in sorted(defined.items()):
            with self.subTest(type=name):
                self.assertEqual(len(paths), 1, sorted(paths))

    def test_every_function_in_a_header_of_a_layer_is_called_in_the_program(self):
        """What nothing but tests and fuzz targets call is not needed."""
        texts = {path: without_comments(read(path)) for path in source_files(*LAYERS, "python")}
        everything = "\n".join(texts.values())
        pasted = tuple(re.findall(r"\b(sb_\w+)\s*##", everything))
        function = r"^[a-z][\w *]*?\b((?:sb|cli)_\w+)\([^;{]*\)\s*[;{]"
        declared = {name for path, text in texts.items() if path.endswith(".h") for name in re.findall(function, text, re.M)}
        self.assertGreater(len(declared), 500)
        uses = collections.Counter(re.findall(r"\b(?:sb|cli)_\w+", everything))
        uses.subtract(re.findall(function, everything, re.M))  # declarations and definitions
        for name in sorted(declared - self.CALLED_BY_TESTS_ONLY):
            with self.subTest(function=name):
                self.assertTrue(uses[name] > 0 or name.startswith(pasted), "is called by nothing but tests")


class PublicFunctions(unittest.TestCase):
    """What a header says of its functions, and where a reader finds them used."""

    # Headers in which the comment above a function says what a call costs.
    COSTS_ARE_TOLD = ["include/seedbed/gridworld.h"]

    def declarations(self, path):
        """Pairs of a function and the comment above it; functions that follow one another share a comment."""
        comment = ""
        for part in re.finditer(r"/\*.*?\*/|^SB_API\b[^;]*;|\n\n", read(path), re.S | re.M):
            if part.group().startswith("SB_API"):
                yield re.search(r"\b(sb_\w+)\(", part.group()).group(1), comment
            else:
                comment = part.group()

    def test_cost_of_every_function_is_told(self):
        for path in self.COSTS_ARE_TOLD:
            found = list(self.declarations(path))
            self.assertGreater(len(found), 20, path)
            for name, comment in found:
                with self.subTest(function=name):
                    self.assertRegex(comment, r"\bO\(")

    def test_every_function_is_called_in_an_example_or_a_test(self):
        called = set()
        for path in source_files("tests", "examples", suffixes=(".c",)):
            called.update(re.findall(r"\b(sb_\w+)\(", without_comments(read(path))))
        for path in source_files(PUBLIC, suffixes=(".h",)):
            for name, _ in self.declarations(path):
                with self.subTest(function=name):
                    self.assertTrue(name in called)


class Tree(unittest.TestCase):
    def test_every_folder_with_c_files_is_a_layer_or_known(self):
        known = {PUBLIC, *LAYERS, *OTHERS}
        for name in sorted(os.listdir(ROOT)):
            if name.startswith(".") or name in known or name in ("build", "out") or not os.path.isdir(os.path.join(ROOT, name)):
                continue
            self.assertEqual(list(source_files(name, suffixes=(".c", ".h"))), [], f"{name}/ is no layer")

    def test_every_folder_of_a_layer_is_there(self):
        for layer in LAYERS:
            self.assertTrue(any(source_files(layer, suffixes=(".c",))), layer)

    def test_task_tables_name_every_task_file(self):
        for folder, table in (("generators/agentick", "tasks.def"), ("oracles/agentick", "oracles.def")):
            entries = re.findall(r"^\w+\((sb_\w+)\)", without_comments(read(f"{folder}/{table}")), re.M)
            defined = []
            for path in source_files(folder, suffixes=(".c",)):
                defined += re.findall(r"^const sb_(?:task|oracle) (sb_\w+) = ", read(path), re.M)
            self.assertEqual(sorted(entries), sorted(set(defined) - {"sb_null_task"}), table)


class Headers(unittest.TestCase):
    def headers(self):
        return [path for path in source_files(PUBLIC, *LAYERS, *OTHERS, suffixes=(".h",))]

    def test_every_include_guard_matches_and_is_the_only_one_of_its_name(self):
        seen = {}
        for path in self.headers():
            with self.subTest(header=path):
                lines = [line for line in without_comments(read(path)).splitlines() if line.strip()]
                guard = re.fullmatch(r"#ifndef (\w+_H)", lines[0])
                self.assertIsNotNone(guard, "does not begin with a guard: " + lines[0])
                name = guard.group(1)
                self.assertEqual(lines[1], "#define " + name)
                self.assertEqual(lines[-1].split()[0], "#endif")
                self.assertTrue(name.startswith("SEEDBED_" if path.startswith(PUBLIC) else "SB_"), name)
                self.assertTrue(name.endswith(os.path.basename(path)[:-2].upper() + "_H"), f"{name} in {path}")
                self.assertNotIn(name, seen, f"the guard of {seen.get(name)}")
                seen[name] = path

    def test_every_header_compiles_alone(self):
        for path in self.headers():
            if path.startswith("examples/"):
                continue
            python = ["-I" + sysconfig.get_path("include"), "-DPy_LIMITED_API=0x030b0000", "-Wno-pedantic"] if path.startswith("python/") else []
            before = "#include <setjmp.h>\n#include <stdarg.h>\n" if path.startswith("tests/") else ""
            with self.subTest(header=path):
                done = subprocess.run(["cc", "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wpedantic",
                                       "-Werror", "-Wno-unused-function", "-I.", "-Iinclude", *python, "-fsyntax-only", "-x", "c", "-"],
                                      input=f'{before}#include "{path}"\n', capture_output=True, text=True, cwd=ROOT)
                self.assertEqual(done.returncode, 0, done.stderr)


class Files(unittest.TestCase):
    def test_one_place_opens_makes_renames_and_removes_files(self):
        """Its rules are in base/file.h; the socket of `serve` is no file."""
        calls = r"\b(?:open|openat|creat|fopen|freopen|gzopen|rename|unlink|remove|mkdir|mkstemp|tmpfile|truncate)\s*\("
        self.calls_are_in({"base/file.c", "base/file_write.c", "base/lock.c", "base/system.c", "agents/server/serve_socket.c"}, calls)

    def test_one_place_writes_bytes(self):
        """Beside it stand some that write into pipes and sockets and do not wait for who reads there."""
        self.calls_are_in({"base/file_write.c", "agents/server/serve.c", "agents/process.c", "agents/guard.c",
                            "agents/plugin_worker.c", "base/signals.c"}, r"(?<!->)\bwrite\s*\(")

    def test_one_place_opens_streams_of_zlib(self):
        self.calls_are_in({"base/file_read.c"}, r"\bgzd?open\s*\(")

    def calls_are_in(self, places, calls):
        for path in source_files(*LAYERS, suffixes=(".c",)):
            found = re.findall(calls, re.sub(r'"(?:\\.|[^"\\\n])*"', '""', without_comments(read(path))))
            if path not in places:
                self.assertEqual(found, [], f"{path} goes around base/file.h")


class Language(unittest.TestCase):
    def test_128_bit_integers_are_in_one_file(self):
        for path in source_files(*LAYERS, *OTHERS):
            if path != "seeds/rng.h":
                self.assertNotRegex(without_comments(read(path)), r"__int128|__uint128_t|_BitInt|__extension__", path)

    def test_numbers_have_points_in_any_locale(self):
        """Or their code knows that: it leaves the point out, or reads only what it has written."""
        for path in source_files(*LAYERS, *OTHERS):
            if not path.startswith("tests/") and path not in ("base/numerals.c", "base/out.c", "base/json_visit.c", "evaluation/score.c"):
                self.assertNotRegex(without_comments(read(path)), r"\b(strto[df]|strtold|atof|v[sn]*printf)\s*\(", path)

    def test_nothing_depends_on_clock_locale_or_environment(self):
        """What ends up in files must not; the command line alone shows the time that is left."""
        for path in source_files(*(layer for layer in LAYERS if layer != "cli")):
            self.assertNotRegex(without_comments(read(path)),
                                r"\b(getenv|setlocale|time|clock|clock_gettime|gettimeofday|s?rand|localtime|gmtime)\s*\(", path)


class Globals(unittest.TestCase):
    """Two environments may be used in two threads because nothing is shared: no object file has writable data."""

    # Pointers in constants are written once, by the dynamic linker, and are then read-only.
    CONSTANT = re.compile(r"\.data\.rel\.ro(\..*)?$")

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as file:
            cache = file.read()
        for option in ("SEEDBED_SANITIZE", "SEEDBED_COVERAGE", "SEEDBED_FUZZ"):
            found = re.search(rf"^{option}:\w+=(.*)$", cache, re.M)
            if found and found.group(1) not in ("", "OFF", "0", "FALSE"):
                raise unittest.SkipTest(f"{option} puts counters of its own into the object files")

    def archive(self, layer):
        path = os.path.join(BUILD, f"libsb_{layer}.a")
        self.assertTrue(os.path.isfile(path), f"{path} is not built")
        return path

    def run_tool(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def sources_of(self, archive):
        """How many. cli/main.c is in the programs, and what compares recordings is an archive of its own."""
        of = {layer: set(source_files(layer, suffixes=(".c",))) - {"cli/main.c"} for layer in LAYERS}
        of["conformance"] = set(source_files("generators/conformance", suffixes=(".c",)))
        of["generators"] -= of["conformance"]
        return len(of[archive])

    def test_no_object_file_of_a_layer_has_writable_data(self):
        for layer in [*LAYERS, "conformance"]:
            member, members = None, 0
            for line in self.run_tool("readelf", "-SW", self.archive(layer)).splitlines():
                if line.startswith("File: "):
                    member, members = line[6:].split("(")[-1].rstrip(")"), members + 1
                # [Nr] Name Type Address Off Size ES Flg ...
                row = re.match(r"\s*\[\s*\d+\]\s+(\S+)\s+(\w+)\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+\S+\s+([A-Za-z]+)\s", line)
                if row and "W" in row.group(4) and "A" in row.group(4) and not self.CONSTANT.match(row.group(1)):
                    with self.subTest(layer=layer, file=member, section=row.group(1)):
                        self.assertEqual(int(row.group(3), 16), 0, "bytes of writable data")
            self.assertEqual(members, self.sources_of(layer), f"{layer}: not every source file is in the archive that is looked at")

    def test_no_object_file_has_common_or_writable_symbols(self):
        for layer in [*LAYERS, "conformance"]:
            for line in self.run_tool("nm", "-A", "--format=posix", self.archive(layer)).splitlines():
                fields = line.split(": ", 1)[-1].split()
                # nm says d for .data.rel.ro as well: sections are looked at above.
                if len(fields) > 1 and fields[1] in "CBbSs":
                    self.fail(f"{line}: a variable that is not constant")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
