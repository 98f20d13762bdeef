"""Checks the documentation: every link has a target, named files and sections exist, the guide lists every page, and its commands work.

    python3 tests/docs_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import itertools
import json
import os
import re
import subprocess
import sys
import unittest

from dataset_support import SEEDBED, InFolder, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIPPED_FOLDERS = {"build", "out", "__pycache__"}
SOURCES = (".c", ".h", ".def", ".py", ".txt", ".cmake", ".in", ".json", ".md")
FOLDERS = [name for name in sorted(os.listdir(ROOT)) if os.path.isdir(os.path.join(ROOT, name)) and name not in SKIPPED_FOLDERS and name[0] != "."]


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def files(*endings):
    """Yields the paths of the repository's files, relative to its folder."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED_FOLDERS and name[0] != "."]
        yield from (os.path.relpath(os.path.join(folder, name), ROOT) for name in names if name.endswith(endings))


PAGES = sorted(page for page in files(".md") if not page.startswith("tests/golden/"))


# ---- Markdown ----

def without_code(text):
    """Returns the text without blocks of code, which may contain anything."""
    return re.sub(r"^```.*?^```$|(?<=\n)(?:\n(?:    [^\n]*)?)*\n    [^\n]*", "", text, flags=re.S | re.M)


def without_quotes(text):
    return re.sub(r"`[^`\n]*`", "", text)


def headings(text):
    """Returns the page's headings, without markup."""
    return [re.sub(r"`|\[([^]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ (.*)$", without_code(text), re.M)]


def anchors(text):
    """Yields anchors as hosting sites make them: lower case, no punctuation, hyphens for blanks, numbered if they repeat."""
    seen = {}
    for title in headings(text):
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        seen[anchor] = seen.get(anchor, -1) + 1
        yield f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor


def links(text):
    return re.findall(r"\[[^]]*\]\(([^)\s]+)\)", without_quotes(without_code(text)))


def broken_links(path):
    """Yields the links of a page whose file or heading does not exist."""
    for link in links(text_of(path)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, anchor = link.partition("#")
        place = os.path.normpath(os.path.join(ROOT, os.path.dirname(path), target)) if target else os.path.join(ROOT, path)
        if not os.path.exists(place) or anchor and anchor not in anchors(text_of(place)):
            yield f"{path}: {link}"


def commands(text):
    """Returns the lines of indented blocks of code, without the comments after them."""
    return [re.sub(r"\s+# .*", "", line) for line in re.findall(r"^    (?:\$ )?(\S.*)$", text, re.M)]


class Links(InFolder):
    def test_every_link_has_a_target(self):
        self.assertGreater(sum(len(links(text_of(page))) for page in PAGES), 100)
        self.assertEqual([link for page in PAGES for link in broken_links(page)], [])

    def test_a_broken_link_is_found(self):
        write(self.path("there.md"), "# A `title`, twice\n\n# A title, twice\n\n```c\n# no title\n```\n")
        right = "[a](there.md) [b](there.md#a-title-twice) [c](there.md#a-title-twice-1) [d](#here) [e](https://example.org) `[f](gone.md)`"
        wrong = ["gone.md", "there.md#no-title", "#there", "there.md#a-title-twice-2", "../gone/there.md"]
        page = write(self.path("page.md"), f"# Here\n{right}\n\n    [g](gone.md)\n\n{' '.join(f'[x]({link})' for link in wrong)}\n")
        self.assertEqual([found.rpartition(": ")[2] for found in broken_links(page)], wrong)


class Names(unittest.TestCase):
    """Pages, comments and messages name only things that exist."""
    maxDiff = None

    def test_named_sections_exist(self):
        named = set()
        for path in files(*SOURCES):
            text = re.sub(r'"?\n[ */#]*"?', " ", text_of(path)).replace("\\", "")
            for page, title in re.findall(r'\bdocs/([\w-]+\.md)(?:, "([^"]+)")?', text):
                named.add((page, title))
                where = f"{path}: docs/{page} {title}"
                self.assertTrue(os.path.exists(os.path.join(ROOT, "docs", page)), where)
                self.assertTrue(any(heading.startswith(title) for heading in headings(text_of("docs/" + page))), where)
        self.assertGreater(sum(bool(title) for _, title in named), 5)

    def test_named_files_exist(self):
        pattern = re.compile(rf"(?<![\w/.$}}-])(?:{'|'.join(FOLDERS)})/[\w./-]+\.(?:c|h|py|md|def|json|cmake|schema|html|txt)(?:\.gz|\.in)?\b")
        missing = set()
        for path in files(*SOURCES):
            if not re.match(r"tests/(golden/|\w+\.py)", path):  # tests in Python invent file names
                found = pattern.findall(text_of(path))
                missing.update(f"{path}: {name}" for name in found if not os.path.exists(os.path.join(ROOT, name)))
        self.assertEqual(sorted(missing), [])

    def test_commands_and_options_exist(self):
        options = {}
        for path in PAGES:
            for command in commands(text_of(path)):
                words = re.match(r"seedbed ([a-z]+)\b(.*)", command)
                if not words:
                    continue
                name, rest = words.groups()
                if name not in options:
                    done = run(name, "--help-all")
                    self.assertEqual(done.returncode, 0, f"{path}: {command}")
                    options[name] = set(re.findall(r"--[a-z][a-z-]*", done.stdout))
                self.assertLessEqual(set(re.findall(r"(?<=\s)--[a-z][a-z-]*", rest)), options[name], f"{path}: {command}")
        self.assertGreater(len(options), 8)


class Guide(InFolder):
    """docs/README.md says where a reader begins."""

    def listed(self, page):
        return {os.path.normpath(os.path.join(os.path.dirname(page), link.partition("#")[0])) for link in links(text_of(page))}

    def test_it_lists_every_page(self):
        tasks = {page for page in PAGES if page.startswith("docs/tasks/")} - {"docs/tasks/README.md"}
        self.assertLessEqual(set(PAGES) - tasks - {"docs/README.md", "README.md"}, self.listed("docs/README.md"))
        self.assertIn("docs/README.md", links(text_of("README.md")))

    def test_its_index_of_tasks_lists_every_task(self):
        tasks = {page for page in PAGES if page.startswith("docs/tasks/")} - {"docs/tasks/README.md"}
        self.assertLessEqual(tasks, self.listed("docs/tasks/README.md"))
        self.assertEqual(len(tasks), sum(len(family["tasks"]) for family in json.loads(run("tasks", "--json").stdout)))

    def test_its_index_of_autumn_lists_every_environment(self):
        family = json.loads(run("tasks", "--json", "--family", "autumn").stdout)[0]
        self.assertLessEqual({f"docs/tasks/{task['name']}.md" for task in family["tasks"]}, self.listed("docs/autumn/README.md"))

    def test_its_commands_and_those_of_the_first_screen_work(self):
        os.mkdir(self.path("bin"))
        for name, program in (("seedbed", SEEDBED), ("python3", sys.executable)):
            os.chmod(write(self.path("bin/" + name), f'#!/bin/sh\nexec "{program}" "$@"\n'), 0o755)
        for name in ("examples", "seeds", "evaluation", "tests", "generators"):
            os.symlink(os.path.join(ROOT, name), self.path(name))
        environment = {**os.environ, "PATH": self.path("bin") + os.pathsep + os.environ["PATH"]}
        shown = [command for page in ("docs/README.md", "README.md") for command in commands(text_of(page)) if command.split()[0] in ("seedbed", "python3")]
        self.assertGreater(len(shown), 12)
        for command in shown:
            done = subprocess.run(["sh", "-euc", command], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=900)
            self.assertEqual(done.returncode, 0, command + done.stdout + done.stderr)


def triples(text):
    """Returns all three words that follow each other; numbers, and what Python puts into a text, are one word."""
    words = re.sub(r"\{[^{}]*\}|%d|\d[\d.]*", "N", text).split()
    return [tuple(words[i:i + 3]) for i in range(len(words) - 2)]


def strange_lines(page, source):
    """Yields the lines of prose whose words the source of a script mostly lacks."""
    known = set(triples(source))
    for line in re.findall(r"^[A-Za-z*].*$", page, re.M):
        found = [triple in known for triple in triples(line)]
        if 2 * sum(found) < len(found):
            yield line


class Lines(unittest.TestCase):
    def test_lines_of_prose_are_short(self):
        lines = [(page, line) for page in PAGES for line in without_code(text_of(page)).splitlines()]
        self.assertGreater(len(lines), 5000)
        self.assertEqual([(page, line) for page, line in lines if len(line) > 160 and not line.lstrip().startswith("|")], [])


class Measured(unittest.TestCase):
    """In docs/measured/ stands only what is written by the script whose call is on top of the page."""

    def test_scripts_write_the_pages(self):
        pages = [page for page in PAGES if page.startswith("docs/measured/")]
        self.assertGreater(len(pages), 9)
        for page in pages:
            text = text_of(page)
            head = re.match(r"# [^\n]+\n\n    \./scripts/(docs )?([\w-]+)[^\n]*\n\n[^\n]*(?:writes|makes) this page|", text)
            self.assertTrue(head[0], page)
            source = text_of(f"scripts/documents/{head[2].replace('-', '_')}.py" if head[1] else "scripts/" + head[2])
            self.assertIn(text.partition("\n")[0], source, page)
            self.assertEqual(list(strange_lines(text, source)), [], page)

    def test_a_line_by_hand_is_found(self):
        source = 'f"""The oracle wins {won:.2f} of all episodes, {page} of them at once.\n"""'
        by_hand = "In practice this is good enough for us."
        self.assertEqual(list(strange_lines(f"The oracle wins 0.25 of all episodes, 12 of them at once.\n\n{by_hand}\n", source)), [by_hand])


class Recipes(InFolder):
    def test_those_of_some_tasks_have_games_to_train_on(self):
        """None of the first hundred training episodes in twenty begins like one to evaluate with."""
        checked = 0
        folder = os.path.join(ROOT, "examples", "recipes")
        for path in sorted(os.path.join(folder, name) for name in os.listdir(folder)):
            recipe = json.loads(text_of(path))
            if "tasks" not in recipe or "seeds" in recipe:
                continue  # of all tasks, of tapes, or with seeds of its own
            for key in ("splits", "episodes", "mixture"):
                recipe.pop(key, None)
            recipe = write(self.path("recipe.json"), json.dumps({**recipe, "split": "train", "count": 100}))
            done = run("build", recipe, "--dry-run", "--json")
            self.assertEqual(done.returncode, 0, path + done.stderr)
            told = json.loads(done.stdout)
            self.assertLessEqual(20 * (told["evaluation"] + told["across"]), told["selected"], path)
            checked += 1
        self.assertGreater(checked, 4)


class FirstScreen(InFolder):
    def test_its_commands_print_what_it_shows(self):
        """The lines after a command are what it prints, but for those in the place of "..."; the size of compressed files depends on zlib."""
        (shown,) = re.findall(r"^## With the command\n\n.*?\n\n((?:    .*\n)+)", text_of("README.md"), re.M)
        pieces = re.findall(r"^\$ seedbed (.*)\n((?:(?!\$ ).*\n)*)", re.sub("^    ", "", shown, flags=re.M), re.M)
        self.assertEqual(len(pieces), shown.count("$"))
        for command, expected in pieces:
            done = subprocess.run([SEEDBED, *command.split()], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900)
            expected, found = (re.sub(r"[\d.]+ MB in", "MB in", text) for text in (expected, done.stdout))
            pattern = re.escape(expected).replace(re.escape("\n...\n"), r"\n(?:.*\n)*")
            self.assertRegex(found, rf"\A{pattern}\Z", command)


class Scores(InFolder):
    """docs/evaluation.md, "What may be compared", covers every family and every number."""

    def setUp(self):
        super().setUp()
        self.page = text_of("docs/evaluation.md").partition("\n## What may be compared\n")[2]

    def named(self, text):
        return set(re.findall(r"`(\w+)`", text))

    def test_every_family_has_a_section_that_names_its_scores(self):
        for family in json.loads(run("tasks", "--json").stdout):
            section = re.search(rf"^### [^\n]*`{family['family']}`\n(.*?)(?=^### |\Z)", self.page, re.S | re.M)
            self.assertTrue(section, family["family"])
            names = "tasks", "--family", family["family"]
            first = json.loads(run(*names, "--json").stdout)[0]["tasks"][0]["name"]
            done = run("eval", "--family", family["family"], "--tasks", first, "--agent", "random", "--count", "1", "--json", "-q")
            told = json.loads(done.stdout)["families"][0]
            self.assertLessEqual({*told["scores"], "success_rate", "mean_return"}, self.named(section.group(1)), family["family"])

    def test_every_measure_of_answers_is_named(self):
        answers = write(self.path("answers.jsonl"), '{"env_name": "BabyAI-GoToObj-v0", "seed": 5, "answer": ""}\n')
        for protocol in ("predict", "plan", "decompose"):
            told = json.loads(run("score", "--protocol", protocol, "--json", answers).stdout)["all"]
            self.assertLessEqual(set(told) - {"answers", "unreadable"}, self.named(self.page), protocol)

    def test_its_numbers_of_the_published_agents_are_right(self):
        agents = json.loads(text_of("evaluation/published.json"))["agents"]
        rates = {agent["name"]: [rate for task in agent["success"] for rate in task if rate is not None] for agent in agents}
        complete = [agent for agent in agents if sum(rate is not None for task in agent["success"] for rate in task) == 148]
        self.assertIn(f"{len(agents)} published agents, {len(complete)} of them with all 148 pairs", " ".join(self.page.split()))
        oracle = rates["Oracle Agent"]
        self.assertIn(f"{sum(oracle) / len(oracle):.3f}", self.page)
        totals = re.search(r"^\| evaluation \| 3700 \| \d+ \((0\.\d+)\)", text_of("docs/measured/oracles.md"), re.M)
        self.assertIn(totals.group(1), self.page)

    def test_its_statement_about_the_frozen_baseline_is_right(self):
        pairs = json.loads(text_of("evaluation/baseline.json"))["families"][0]["pairs"]
        same = [f"{pair['task']}, {pair['difficulty']}" for pair in pairs if pair["random"] == pair["optimal"]]
        self.assertEqual(same, ["ResourceManagement-v0, easy", "ResourceManagement-v0, medium"])
        self.assertIn("In two pairs (ResourceManagement-v0, easy and medium)", " ".join(self.page.split()))


class Citation(unittest.TestCase):
    def test_version_and_licence_are_right(self):
        said = dict(re.findall(r"^([\w-]+): (.+)$", text_of("CITATION.cff"), re.M))
        self.assertEqual(said["cff-version"], "1.2.0")
        self.assertEqual(said["version"], run("--version").stdout.split()[1])
        self.assertTrue(text_of("LICENSE").startswith(said["license"] + " License\n"))


class Security(InFolder):
    """SECURITY.md says that documents are data and start nothing."""

    def test_files_that_name_a_program_do_not_start_it(self):
        agent = write(self.path("agent.py"), f"open({self.path('started')!r}, 'a').write('x')\n" + text_of("examples/agents/greedy.py"))
        result, names = self.path("result.json"), ("--tasks", "GoToGoal", "-d", "easy", "--count", "2")
        done = run("eval", *names, "--agent", f"exec:{sys.executable} {agent}", "-j", "1", "-o", result)
        self.assertEqual((done.returncode, os.path.getsize(self.path("started"))), (0, 1), done.stderr)
        self.assertEqual(run("verify", result).returncode, 0)
        self.assertEqual(run("report", result, "--verify").returncode, 0)
        recipe = write(self.path("recipe.json"), json.dumps({"tasks": "GoToGoal", "oracle": f"exec:{sys.executable} {agent}"}))
        self.assertEqual(run("build", recipe, "-o", self.path("dataset")).returncode, 2)
        self.assertEqual(os.path.getsize(self.path("started")), 1)


class Scripts(InFolder):
    def test_each_says_what_it_does_and_does_nothing_else(self):
        """From whatever folder it is called; without packages that it needs for its work."""
        folder = os.path.join(ROOT, "scripts")
        scripts = [name for name in sorted(os.listdir(folder)) if os.path.isfile(os.path.join(folder, name))]
        self.assertIn("quickstart", scripts)
        for name, option in itertools.product(scripts, ("--help", "-h")):
            with self.subTest(script=name, option=option):
                done = subprocess.run([os.path.join(folder, name), option], cwd=self.folder, capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertRegex(done.stdout, r"^[A-Zu][a-z]+[ :]", "a sentence, or a line of usage")
                self.assertEqual(os.listdir(self.folder), [])


class Platforms(InFolder):
    def test_cmake_refuses_other_systems_with_a_message(self):
        first_screen = text_of("README.md").partition("\n## ")[0]
        self.assertIn("64-bit Linux", first_screen)
        done = subprocess.run(["cmake", "-DCMAKE_SYSTEM_NAME=FreeBSD", "-S", ROOT, "-B", self.path("build")], capture_output=True, text=True,
                              timeout=900, env={**os.environ, "CC": "cc"})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("64-bit Linux", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
