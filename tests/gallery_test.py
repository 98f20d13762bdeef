"""The page of `seedbed gallery`: it has every task of every family, its pictures are those of films, and it works in a browser.

    $(scripts/test-python) tests/gallery_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import base64
import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

from dataset_support import FOUND, SEEDBED, TOY, USAGE, InFolder, read, run, write

try:
    import numpy
    from PIL import Image
except ImportError:
    numpy = None

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SOME = ["--tasks", "GoToGoal,SokobanPush"]


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
    done = subprocess.run([SEEDBED, "solve", name, "--agent", agent, "--film", "-", *options], capture_output=True, timeout=100)
    n, width, height = map(int, re.search(rb"film: (\d+) frames of (\d+) x (\d+) pixels", done.stderr).groups())
    return numpy.frombuffer(done.stdout, numpy.uint8).reshape(n, height, width, 3)


class Whole(unittest.TestCase):
    """The page of everything, made once."""

    @classmethod
    def setUpClass(cls):
        cls.done = subprocess.run([SEEDBED, "gallery", "-q", "-o", "-"], capture_output=True, timeout=500)
        cls.data = data_of(cls.done.stdout)

    def test_every_difficulty_of_every_task_of_every_family_is_there(self):
        families = json.loads(run("tasks", "--json").stdout)
        wanted = [(f["family"], t["name"], level.get("difficulty", "")) for f in families for t in f["tasks"] for level in t["levels"]]
        shown = [(f["family"], t["task"], e["difficulty"]) for f in self.data for t in f["tasks"] for e in t["episodes"]]
        self.assertGreater(len(wanted), 300)
        self.assertEqual(shown, wanted)

    def test_it_is_one_small_file_without_network(self):
        self.assertEqual((self.done.returncode, self.done.stderr), (0, b""))
        self.assertLessEqual(len(self.done.stdout), 5_000_000)
        page = re.sub(rb'<script id="data".*?</script>', b"", self.done.stdout, flags=re.S)
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
        done = subprocess.run([program, "gallery", "-q", "-o", "-", *arguments], capture_output=True, timeout=100)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def test_the_page_does_not_depend_on_workers(self):
        pages = {self.page("--category", "memory,reasoning", "--jobs", jobs) for jobs in ("1", "2", "7")}
        self.assertEqual(len(pages), 1)
        done = run("gallery", "-o", self.path("g.html"), *SOME)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        self.assertEqual(read(self.path("g.html")), self.page(*SOME))

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
        tasks = [task["task"] for task in data_of(self.page("--family", "autumn", "--program", program))[0]["tasks"]]
        self.assertEqual((len(tasks), tasks[-1][:5]), (44, "file-"))

    def test_wrong_calls_are_refused_and_leave_no_file(self):
        for arguments, code, words in ((["gallery"], USAGE, "-o PAGE.html"), (["gallery", "-o", "x.html", "--tasks", "Nope"], USAGE, "Nope"),
                                       (["gallery", "-o", "x.html", "--size", "3"], USAGE, "64"),
                                       (["gallery", "-o", "none/x.html", *SOME], FOUND, "none/x.html"),
                                       (["gallery", "-o", "x.html", "--family", "agentick", "--size", "1024"], USAGE, "and at most 5.0 are made: show fewer tasks")):
            with self.subTest(arguments=arguments):
                done = run(*arguments, cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertEqual(os.listdir(self.folder), [])


@unittest.skipUnless(CHROMIUM and numpy, "Chromium, numpy or pillow is not installed, so the page was not opened")
class Browser(InFolder):
    """Opens the page in headless Chromium; a script at its end uses it and writes its findings into the document."""

    PROBE = """<script>
      const found = {errors: []}, wait = async test => { while (!test()) await new Promise(resolve => setTimeout(resolve, 20)); };
      addEventListener("error", event => found.errors.push(event.message));
      addEventListener("unhandledrejection", event => found.errors.push(String(event.reason)));
      const byId = id => document.getElementById(id), text = id => byId(id).textContent;
      const press = key => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
      (async () => {
        await wait(() => document.querySelector("article button canvas[width='192']"));
        const buttons = document.querySelectorAll("article button");
        found.labels = [...buttons].map(one => one.getAttribute("aria-label"));
        found.reached = [...buttons].every(one => one.tabIndex === 0);
        buttons[0].focus();
        buttons[0].click();
        found.open = byId("player").open;
        press("ArrowLeft");
        found.start = text("said");
        press("ArrowRight");
        found.second = text("said");
        press("End");
        found.end = text("said");
        const picture = byId("picture"), pixels = picture.getContext("2d").getImageData(0, 0, picture.width, picture.height).data;
        found.size = [picture.width, picture.height];
        found.pixels = [...pixels].filter((_, i) => i % 4 < 3);
        byId("close").click();
        await new Promise(resolve => setTimeout(resolve, 50));
        press("ArrowLeft");
        found.closed = [byId("player").open, document.activeElement === buttons[0], text("said") === found.end];
        byId("search").value = "sokoban";
        byId("search").dispatchEvent(new Event("input"));
        found.left = [...document.querySelectorAll("article")].filter(one => !one.hidden).map(one => one.querySelector("h4").textContent);
        found.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        found.background = getComputedStyle(document.body).backgroundColor;
        const probe = document.createElement("div");
        probe.id = "probe";
        probe.textContent = JSON.stringify(found);
        document.body.append(probe);
      })();
    </script>"""

    def look(self, width, scheme):
        run("gallery", *SOME, "-d", "easy", "--size", "64", "-o", self.path("g.html"))
        page = read(self.path("g.html"))
        write(self.path("probed.html"), page.replace(b"</body>", self.PROBE.encode() + b"</body>"))
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900", "--virtual-time-budget=20000",
                               f"--blink-settings=preferredColorScheme={scheme}", f"--user-data-dir={self.path('profile')}", "--dump-dom",
                               "file://" + self.path("probed.html")], capture_output=True, text=True, timeout=120)
        found = re.search(r'<div id="probe">(.*?)</div>', done.stdout)
        self.assertIsNotNone(found, done.stderr[-400:])
        return json.loads(found.group(1).replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")), data_of(page)[0]

    def test_the_page_works(self):
        backgrounds = set()
        for width, scheme in ((500, 0), (1200, 1)):
            found, family = self.look(width, scheme)
            episodes = episodes_of(family)
            last = len(episodes[0]["said"]) - 1
            self.assertEqual(found["errors"], [])
            self.assertEqual(found["labels"], [f"play {episode['name']}" for episode in episodes])
            self.assertTrue(found["reached"] and found["open"])
            self.assertEqual(found["start"], f"step 0 of {last}: start")
            self.assertTrue(found["second"].startswith(f"step 1 of {last}: move_"))
            self.assertTrue(found["end"].startswith(f"step {last} of {last}: ") and found["end"].endswith(" - success"))
            frames = frames_of(episodes[0]["name"], "expert", "--look", "isometric", "--size", "64")
            self.assertEqual(found["size"], [64, 64])
            self.assertEqual(found["pixels"], frames[-1].ravel().tolist())
            self.assertEqual(found["closed"], [False, True, True], "closed, focus is back, and keys do nothing")
            self.assertEqual(found["left"], ["SokobanPush-v0"])
            self.assertLessEqual(found["wide"], 0, "the page needs no sideways scrolling")
            backgrounds.add(found["background"])
        self.assertEqual(len(backgrounds), 2, "dark and light")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
