"""The page of `seedbed gallery`: it has every task of every family, its pictures are those of films, and it works in a browser.

    $(scripts/test-python) tests/gallery_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import base64
import gzip
import io
import json
import os
import re
import subprocess
import sys
import unittest

from browser import CHROMIUM, Page
from dataset_support import FOUND, SEEDBED, TOY, USAGE, InFolder, read, run, write

try:
    import numpy
    from PIL import Image
except ImportError:
    numpy = None

NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
SOME = ["--tasks", "GoToGoal,SokobanPush"]
# Programs in which the teacher of Autumn takes more than a second; together half of the time of the whole page.
LONG = () if NIGHTLY else ("CyclicCoral", "LadderAndLamp", "EmberField", "MoleDigger", "RiverHop", "ShadowYard", "GrainTower")


def data_of(page):
    found = re.search(rb'<script id="data" type="application/gzip">([A-Za-z0-9+/=]*)</script>', page)
    return json.loads(gzip.decompress(base64.b64decode(found.group(1), validate=True)))


def episodes_of(family):
    return [episode for task in family["tasks"] for episode in task["episodes"]]


def pictures_of(family, episode):
    """Yields the pictures of an episode: draws its runs of tiles as page_player.js does."""
    atlas = family["atlas"]
    side, columns = atlas["side"], atlas["columns"]
    with Image.open(io.BytesIO(base64.b64decode(atlas["png"].removeprefix("data:image/png;base64,")))) as image:
        tiles = numpy.asarray(image.convert("RGB"))
    across, down = (-(-episode[key] // side) for key in ("width", "height"))
    canvas = numpy.zeros((down * side, across * side, 3), numpy.uint8)
    for runs in episode["pictures"]:
        i = at = 0
        while i < len(runs):
            skip, n = runs[i:i + 2]
            at += skip
            for tile in runs[i + 2:i + 2 + n]:
                (row, column), (y, x) = divmod(tile, columns), divmod(at, across)
                canvas[y * side:(y + 1) * side, x * side:(x + 1) * side] = tiles[row * side:(row + 1) * side, column * side:(column + 1) * side]
                at += 1
            i += 2 + n
        yield canvas[:episode["height"], :episode["width"]].copy()


def frames_of(name, agent, *options):
    done = subprocess.run([SEEDBED, "solve", name, "--agent", agent, "--film", "-", *options], capture_output=True, timeout=900)
    n, width, height = map(int, re.search(rb"film: (\d+) frames of (\d+) x (\d+) pixels", done.stderr).groups())
    return numpy.frombuffer(done.stdout, numpy.uint8).reshape(n, height, width, 3)


def make_page(*options, program=SEEDBED, timeout=800):
    return subprocess.run([program, "gallery", "-q", "-o", "-", *options], capture_output=True, timeout=timeout)


class Whole(unittest.TestCase):
    """Everything, made once: at night in one page, at daytime in a page for each family, without LONG."""

    @classmethod
    def setUpClass(cls):
        cls.families = json.loads(run("tasks", "--json").stdout)
        for family in cls.families:
            family["tasks"] = [task for task in family["tasks"] if task["name"] not in LONG]
        cls.made = [make_page()] if NIGHTLY else [make_page("--tasks", ",".join(task["name"] for task in family["tasks"])) for family in cls.families]
        cls.data = [family for done in cls.made for family in data_of(done.stdout)]

    def test_every_difficulty_of_every_task_of_every_family_is_there(self):
        wanted = [(f["family"], t["name"], level.get("difficulty", "")) for f in self.families for t in f["tasks"] for level in t["levels"]]
        shown = [(f["family"], t["task"], e["difficulty"]) for f in self.data for t in f["tasks"] for e in t["episodes"]]
        self.assertGreater(len(wanted), 300)
        self.assertEqual(shown, wanted)

    def test_it_is_one_small_file_without_network(self):
        self.assertLessEqual(sum(len(done.stdout) for done in self.made), 5_000_000)
        for done in self.made:
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            page = re.sub(rb'<script id="data".*?</script>', b"", done.stdout, flags=re.S)
            self.assertNotRegex(page, rb"https?://|src=|@import|url\(|href=|fetch\(|XMLHttp")
            self.assertIn(b"default-src 'none'", page)

    def test_experts_play_and_teachers_where_there_is_none(self):
        for family in self.data:
            agents = {episode["agent"] for episode in episodes_of(family)}
            self.assertEqual(agents, {"coverage"} if family["family"] == "autumn" else {"expert"}, family["family"])

    def test_what_can_be_solved_is_solved(self):
        judged = [e for family in self.data if family["family"] in ("agentick", "babyai") for e in episodes_of(family)]
        failed = [e["name"] for e in judged if e["outcome"] != "success"]
        self.assertLessEqual(len(failed), 2, failed)
        for name in failed:
            line = run("solve", *(re.sub(r"#\d+$", f"#{seed}", name) for seed in range(10)), "-q").stdout
            self.assertNotRegex(line, r"(?m)^\S+ +success ", name)

    @unittest.skipUnless(numpy, "the Python packages numpy and pillow are not installed")
    def test_pictures_are_those_of_films(self):
        options = {"agentick": ["--look", "isometric", "--size", "512"], "babyai": ["--look", "grid", "--tile", "32"],
                   "autumn": ["--look", "grid", "--tile", "16"]}
        for family in self.data:
            if family["family"] not in options:
                continue
            for episode in episodes_of(family)[5::61]:
                with self.subTest(name=episode["name"]):
                    frames = frames_of(episode["name"], episode["agent"], *options[family["family"]])
                    self.assertEqual(len(episode["said"]), len(frames))
                    for picture, frame in zip(pictures_of(family, episode), frames, strict=True):
                        self.assertTrue(numpy.array_equal(picture, frame))


class Parts(InFolder):
    def page(self, *arguments, program=SEEDBED):
        done = make_page(*arguments, program=program, timeout=900)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def test_the_page_does_not_depend_on_workers(self):
        pages = {self.page("--category", "memory", "--jobs", jobs) for jobs in ("1", "2", "7")}
        self.assertEqual(len(pages), 1)

    def test_it_says_what_it_wrote(self):
        page = self.path("g.html")
        for options in ([], ["-q"], ["--json"]):
            done = run("gallery", "-o", page, *SOME, *options)
            said = {"": f"{page}: a page of {os.path.getsize(page)} bytes\n", "-q": "", "--json": json.dumps({"file": page, "bytes": os.path.getsize(page)}) + "\n"}
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, said["".join(options)], ""))
            self.assertEqual(read(page), self.page(*SOME))

    def test_it_links_to_a_playground_beside_it(self):
        for there, linked in ((None, None), ("other.html", None), ("play.html", b"play.html"), ("playground.html", b"playground.html")):
            if there:
                write(self.path(there), "<!DOCTYPE html>")
            self.assertEqual(run("gallery", "-q", "-o", self.path("g.html"), "--tasks", "GoToGoal", "-d", "easy").returncode, 0)
            found = re.search(rb'<a id="own" href="([^"]*)">', read(self.path("g.html")))
            self.assertEqual(found and found.group(1), linked)

    def test_a_seed_that_cannot_be_solved_is_passed_over(self):
        names = [e["name"] for e in episodes_of(data_of(self.page("--tasks", "SokobanPush", "-d", "medium"))[0])]
        first = next(seed for seed in range(10) if "success" in run("solve", f"SokobanPush-v0/medium#{seed}", "-q").stdout)
        self.assertEqual(names, [f"SokobanPush-v0/medium#{first}"])
        self.assertGreater(first, 0, "the test needs a difficulty whose first seed fails")
        names = [e["name"] for e in episodes_of(data_of(self.page("--tasks", "GoToGoal", "-d", "easy", "--seed", "7"))[0])]
        self.assertEqual(names, ["GoToGoal-v0/easy#7"])

    def test_steps_say_what_they_are_for(self):
        episode = episodes_of(data_of(self.page("--tasks", "KeyDoorPuzzle", "-d", "easy"))[0])[0]
        said = [episode["lines"][i] for i in episode["said"]]
        self.assertEqual(said[0], "start")
        self.assertTrue(any(re.fullmatch(r"move_\w+: fetch the \w+ key at \(\d+,\d+\)", line) for line in said), said)
        self.assertRegex(said[-1], r", reward 1\.0$")

    def test_families_without_looks_have_texts(self):
        family = data_of(self.page("--family", "climb", program=TOY))[0]
        self.assertNotIn("atlas", family)
        for episode in episodes_of(family):
            self.assertNotIn("pictures", episode)
            self.assertEqual(len(episode["texts"]), len(episode["said"]))
            first = "\n".join(episode["lines"][i] for i in episode["texts"][0])
            self.assertEqual(run("show", episode["name"], program=TOY).stdout.split("\n", 1)[1].strip(), first.strip())

    def test_programs_of_users_are_shown(self):
        program = write(self.path("mine.sexp"), "(program (= GRID_SIZE 4) (object Dot (Cell 0 0 \"red\")) (: dot Dot) (= dot (initnext (Dot (Position 1 1)) (prev dot))))")
        name = json.loads(run("tasks", "--program", program, "--family", "autumn", "--json").stdout)[0]["tasks"][-1]["name"]
        shown = data_of(self.page("--family", "autumn", "--tasks", f"Triad,{name}", "--program", program))[0]
        self.assertEqual([task["task"] for task in shown["tasks"]], ["Triad", name])

    def test_wrong_calls_are_refused_and_leave_no_file(self):
        too_large = ["gallery", "-o", "x.html", "--family", "agentick", "--size", "1024"]  # takes ten seconds
        for arguments, code, words in ((["gallery"], USAGE, "-o PAGE.html"), (["gallery", "-o", "x.html", "--tasks", "Nope"], USAGE, "Nope"),
                                       (["gallery", "-o", "x.html", "--size", "3"], USAGE, "64"),
                                       (["gallery", "-o", "none/x.html", *SOME], FOUND, "none/x.html"),
                                       *([(too_large, USAGE, "and at most 5.0 are made: show fewer tasks")] if NIGHTLY else [])):
            with self.subTest(arguments=arguments):
                done = run(*arguments, cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(os.listdir(self.folder), [])


@unittest.skipUnless(CHROMIUM and numpy, "Chromium, numpy or pillow is not installed, so the page was not opened")
class Browser(InFolder):
    """Opens the page in Chromium and uses it by keyboard."""

    SHOWN = "[...document.querySelectorAll('article')].filter(one => !one.hidden).map(one => one.querySelector('h4').textContent)"
    FOCUSED = "(one => one.getAttribute('aria-label') || one.id || one.textContent)(document.activeElement)"

    def setUp(self):
        super().setUp()
        self.assertEqual(run("gallery", *SOME, "-d", "hard", "-o", self.path("g.html")).returncode, 0)
        self.family = data_of(read(self.path("g.html")))[0]

    def said(self, browser):
        return browser.value("document.getElementById('said').textContent")

    def reach(self, browser, wanted):
        """Presses Tab until an element has the focus, and returns what had it on the way."""
        seen = []
        while wanted not in seen:
            browser.press("Tab")
            seen.append(browser.value(self.FOCUSED))
            self.assertLess(len(seen), 20, seen)
        return seen

    def play_one(self, browser, episode):
        """Plays the episode that has the focus, with real keys, until the dialog is closed."""
        last = len(episode["said"]) - 1
        browser.press("Enter")
        self.assertEqual(browser.value(self.FOCUSED), "play")
        self.assertEqual(browser.value("document.getElementById('own')"), None, "there is no playground")
        browser.wait("!document.getElementById('said').textContent.startsWith('step 0 ')")
        browser.press(" ")
        self.assertEqual(browser.value("document.getElementById('play').textContent"), "play", "the space bar stops it")
        self.assertNotRegex(self.said(browser), "success", "before its end")
        browser.press("Home", "ArrowLeft")
        self.assertEqual(self.said(browser), f"step 0 of {last}: start")
        browser.press("ArrowRight")
        self.assertRegex(self.said(browser), f"^step 1 of {last}: move_")
        browser.press("End")
        self.assertRegex(self.said(browser), f"^step {last} of {last}: .* - success$")
        picture = browser.value("document.getElementById('picture').toDataURL()")
        with Image.open(io.BytesIO(base64.b64decode(picture.partition(",")[2]))) as image:
            shown = numpy.asarray(image.convert("RGB"))
        numpy.testing.assert_array_equal(shown, frames_of(episode["name"], "expert", "--look", "isometric")[-1])
        fits = browser.value("(box => box.left >= 0 && box.right <= innerWidth)(document.getElementById('player').getBoundingClientRect())")
        self.assertTrue(fits, "the dialog is inside of the window")
        self.assertEqual(set(self.reach(browser, "close")) & {"step back", "step on", "step"}, {"step on", "step"})
        browser.press("Escape")
        self.assertFalse(browser.value("document.getElementById('player').open"))
        self.assertEqual(browser.value(self.FOCUSED), f"play {episode['name']}", "the focus is back")
        browser.press("ArrowLeft")
        self.assertRegex(self.said(browser), f"^step {last} ", "keys do nothing")

    def test_it_works_by_keyboard_in_narrow_and_wide_windows_dark_and_light(self):
        episodes, backgrounds = episodes_of(self.family), set()
        for width, scheme, drawn in ((400, "dark", "auto"), (1200, "light", "pixelated")):
            with self.subTest(width=width, scheme=scheme), Page() as browser:
                browser.open(self.path("g.html"), width, 900, scheme)
                browser.wait("document.querySelectorAll('article canvas[width=\"192\"]').length === 2")
                seen = self.reach(browser, f"play {episodes[0]['name']}")
                self.assertEqual(seen, ["search", "agentick (2)", f"play {episodes[0]['name']}"])
                self.play_one(browser, episodes[0])
                self.assertEqual(browser.value("getComputedStyle(document.getElementById('picture')).imageRendering"), drawn)
                self.assertEqual(self.reach(browser, f"play {episodes[1]['name']}"), [f"play {episodes[1]['name']}"])
                browser.value("document.getElementById('search').focus()")
                browser.type("sokoban")
                self.assertEqual(browser.value(self.SHOWN), ["SokobanPush-v0"])
                self.assertLessEqual(browser.value("document.documentElement.scrollWidth - innerWidth"), 0, "the page needs no sideways scrolling")
                self.assertEqual(browser.value("errors"), [])
                backgrounds.add(browser.value("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(backgrounds), 2, "dark and light")

    def test_an_address_may_name_a_family(self):
        with Page() as browser:
            browser.open(self.path("g.html") + "#agentick", 400, 200)
            browser.wait("document.querySelectorAll('article canvas[width=\"192\"]').length > 0")
            self.assertLess(browser.value("Math.abs(document.getElementById('agentick').getBoundingClientRect().top)"), 40)

    def test_episodes_without_a_difficulty_are_named_where_others_have_one(self):
        self.assertEqual(run("gallery", "--family", "autumn", "--tasks", "Triad", "-o", self.path("a.html")).returncode, 0)
        with Page() as browser:
            browser.open(self.path("a.html"))
            browser.wait("document.querySelectorAll('article canvas[width=\"192\"]').length > 0")
            self.assertEqual(browser.value("[...document.querySelectorAll('article button')].map(one => one.textContent)"), ["default", "published"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
