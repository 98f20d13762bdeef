"""The page of `seedbed playground` in Chromium, and its core path in Firefox: people play, and nothing is loaded.

    $(scripts/test-python) tests/playground_browser_test.py BUILD/seedbed BUILD/tests/seedbed-toy

SEEDBED_SPEED=1 also demands that the first picture takes at most a second, and a step with its picture a frame of the screen; both are printed.

Label: outside
"""
import base64
import functools
import http.server
import io
import json
import os
import statistics
import sys
import threading
import unittest

from browser import CHROMIUM, Page
from dataset_support import InFolder, read, run, write
from firefox import FIREFOX, Firefox

try:
    import numpy
    from PIL import Image
except ImportError:
    numpy = None

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WASM = os.path.join(ROOT, "build", "wasm", "module", "seedbed.wasm")
WORLD = os.path.join(ROOT, "examples", "worlds", "crates.sexp")
CANONICAL = os.path.join(ROOT, "seeds", "autumn-canonical.jsonl.gz")
DOOR = "KeyDoorPuzzle-v0/medium#42"
KEYS = {"move_up": "ArrowUp", "move_down": "s", "move_left": "ArrowLeft", "move_right": "d", "interact": " ", "noop": "."}
SPEED = bool(os.environ.get("SEEDBED_SPEED"))
FRAME, SECOND = 1000 / 60, 1000  # milliseconds
TEXT = "document.getElementById('{}').textContent"
# Takes an action, and returns the milliseconds until its picture is on the canvas.
TIMED = """(action => new Promise(resolve => {
  const began = performance.now();
  new PerformanceObserver((list, self) => { self.disconnect(); resolve(list.getEntries().at(-1).startTime - began); }).observe({entryTypes: ["mark"]});
  game.act(action);
}))"""


def reason_to_skip():
    return None if CHROMIUM and os.path.exists(WASM) else "needs Chromium (./scripts/install-dependencies browser) and the module (./scripts/wasm)"


class WithPage(InFolder):
    """A page that is made once for all tests."""

    @classmethod
    def setUpClass(cls):
        import tempfile
        cls.whole = tempfile.TemporaryDirectory()
        cls.page = os.path.join(cls.whole.name, "play.html")
        assert run("playground", "-o", cls.page, "--module", WASM).returncode == 0

    @classmethod
    def tearDownClass(cls):
        cls.whole.cleanup()

    def solved(self, name, *options):
        run("solve", name, "-q", "-o", self.path("solved.jsonl"), *options)
        return json.loads(read(self.path("solved.jsonl")))

    def same_play(self, tape, native):
        """The tape of a person is the same as the program's of the same actions, but for who played."""
        self.assertEqual({**native, "agent": "human"}, {key: value for key, value in tape.items() if key != "person"})
        write(self.path("tape.jsonl"), json.dumps({key: value for key, value in tape.items() if key != "person"}) + "\n")


@unittest.skipIf(reason_to_skip(), reason_to_skip())
class InChromium(WithPage):
    def begin(self, browser, name, width=1000, height=900, scheme="light"):
        browser.open(f"{self.page}#{name}", width, height, scheme)
        browser.wait(f"performance.getEntriesByName('shown').length > 0 && game.about?.name === {json.dumps(name)}")

    def text(self, browser, name):
        return browser.value(TEXT.format(name))

    def step(self, browser, key, steps):
        browser.press(key)
        browser.wait(f"game.play.actions.length === {steps}")

    def tape(self, browser):
        return json.loads(browser.value("game.tape().then(tape => tape.line)"))

    def test_a_person_wins_with_keys_at_three_widths_dark_and_light(self):
        native = self.solved(DOOR)
        native.pop("intents", None)
        names = ["noop", "move_up", "move_down", "move_left", "move_right", "interact"]
        for width, scheme in ((400, "dark"), (1000, "light"), (1600, "dark")):
            with self.subTest(width=width), Page() as browser:
                self.begin(browser, DOOR, width, 900, scheme)
                self.check_picture(browser, "show", DOOR, "--look", "isometric")
                said = self.text(browser, "said")
                for i, action in enumerate(native["actions"]):
                    self.step(browser, KEYS[names[action]], i + 1)
                browser.wait("game.shown.standing.done")
                self.assertEqual(self.text(browser, "message"), f"✓ Success after {len(native['actions'])} steps.")
                self.assertNotEqual(self.text(browser, "said"), said, "screen readers are told of the state")
                tape = self.tape(browser)
                self.same_play(tape, native)
                self.assertEqual((tape["person"]["attempt"], tape["person"]["undos"], tape["person"]["expert"]), (1, 0, []))
                self.assertLessEqual(browser.value("document.documentElement.scrollWidth - innerWidth"), 0, "the page needs no sideways scrolling")
                self.assertEqual(browser.value("errors"), [])
                background = browser.value("getComputedStyle(document.body).backgroundColor")
                self.assertEqual(sum(map(int, background[4:-1].split(","))) < 380, scheme == "dark")

    def check_picture(self, browser, *command):
        self.assertEqual(run(*command, "-o", self.path("picture.png")).returncode, 0)
        shown = browser.value("document.getElementById('picture').toDataURL()")
        if numpy is None:
            return
        with Image.open(io.BytesIO(base64.b64decode(shown.partition(",")[2]))) as one, Image.open(self.path("picture.png")) as other:
            numpy.testing.assert_array_equal(numpy.asarray(one.convert("RGB")), numpy.asarray(other.convert("RGB")))

    def test_an_address_that_names_nothing_shows_the_tasks(self):
        for name in ("50%", "nothing%20here"):
            with self.subTest(name), Page() as browser:
                browser.open(f"{self.page}#{name}")
                browser.wait("document.querySelectorAll('canvas.drawn').length > 3")

    def test_nothing_is_requested(self):
        with Page() as browser:
            browser.call("Network.enable")
            self.begin(browser, DOOR)
            browser.value("game.hint()")
            browser.value("location.hash = ''")
            browser.wait("document.querySelectorAll('canvas.drawn').length > 5")
            asked = [event["params"]["request"]["url"] for event in browser.events if event.get("method") == "Network.requestWillBeSent"]
            self.assertEqual([url for url in asked if not url.startswith(("file://" + self.page, "blob:"))], [])
            self.assertGreater(len(asked), 0)
            browser.value("fetch('https://example.invalid/').catch(() => {})")
            browser.value("new Promise(resolve => { const image = new Image(); image.onerror = resolve; image.src = 'https://example.invalid/x.png'; })")
            self.assertEqual(browser.value("errors"), [])

    def test_undo_restart_hints_and_the_expert_are_on_the_tape(self):
        with Page() as browser:
            self.begin(browser, DOOR)
            self.step(browser, "ArrowUp", 1)
            key = browser.value("game.tape().then(tape => tape.digest)")
            self.step(browser, "d", 2)
            self.step(browser, "u", 1)
            self.assertEqual(browser.value("game.tape().then(tape => tape.digest)"), key)
            browser.press("?")
            browser.wait("game.play.hints === 1")
            self.assertRegex(self.text(browser, "message"), "^Hint: move_down, to unlock the gold door")
            self.assertRegex(self.text(browser, "why"), "All of it takes 14 steps")
            browser.value("document.getElementById('expert').focus()")
            browser.press("Enter")
            browser.wait("game.shown.standing.done")
            tape = self.tape(browser)
            self.assertTrue(tape["success"])
            person = tape["person"]
            self.assertEqual(person["expert"], list(range(1, len(tape["actions"]))))
            self.assertEqual((person["hints"], person["undos"], person["attempt"]), (1, 1, 1))
            log = browser.value("[...document.querySelectorAll('#log li')].map(one => one.textContent)")
            self.assertGreater(sum("expert: move_" in line for line in log), 10, "every step of the expert is explained")
            browser.press("r")
            browser.wait("game.play.actions.length === 0 && game.shown.standing.steps === 0")
            self.step(browser, "ArrowUp", 1)
            self.assertEqual(self.tape(browser)["person"]["attempt"], 2)

    def test_searching_and_filtering_by_keyboard(self):
        with Page() as browser:
            browser.open(self.page, 1000, 900)
            browser.wait("document.querySelectorAll('.card').length > 200")
            browser.value("document.getElementById('search').focus()")
            browser.type("locked doors maze")
            shown = "[...document.querySelectorAll('#cards li:not([hidden]) strong')].map(one => one.textContent)"
            self.assertEqual(browser.value(shown), ["MazeNavigation-v0"])
            for _ in range(5):
                browser.press("Tab")
            self.assertEqual(browser.value("document.activeElement.querySelector('strong').textContent"), "MazeNavigation-v0")
            browser.press("Enter")
            browser.wait("game.about?.task === 'MazeNavigation-v0' && !document.getElementById('game').hidden")
            self.assertRegex(browser.value("location.hash"), r"^#MazeNavigation-v0/easy#\d+$")
            browser.value("history.back()")
            browser.wait("!document.getElementById('browse').hidden")

    def choose(self, browser, name, value):
        browser.value(f"(one => {{ one.value = {json.dumps(value)}; one.dispatchEvent(new Event('change')); }})(document.getElementById('{name}'))")

    def test_looks_and_texts_change_while_playing(self):
        with Page() as browser:
            self.begin(browser, DOOR)
            self.step(browser, "ArrowUp", 1)
            self.choose(browser, "look", "flat")
            browser.wait("document.getElementById('picture').width === 176")
            self.choose(browser, "mode", "ascii")
            browser.wait("document.getElementById('text').textContent.includes('Legend')")
            self.step(browser, "d", 2)
            self.assertEqual(browser.value("game.play.actions"), [1, 4])
            self.choose(browser, "difficulty", "hard")
            browser.wait("game.about.difficulty === 'hard'")
            self.assertEqual(browser.value("document.getElementById('look').value"), "flat", "what was chosen stays")

    def test_clicks_and_real_time(self):
        with Page() as browser:
            self.begin(browser, "autumn:Seesaw#1")
            box = browser.value("(box => [box.left, box.top, box.width])(document.getElementById('picture').getBoundingClientRect())")
            browser.click(box[0] + box[2] * 4.5 / 16, box[1] + box[2] * 2.5 / 16)
            browser.wait("game.play.actions.length === 1")
            self.assertEqual(browser.value("game.play.actions"), [5 + 2 * 16 + 4])
            for key in ("k", "h", "c"):
                browser.press(key)
            browser.wait("game.play.actions.length === 2")
            self.assertEqual(browser.value("game.play.actions[1]"), 5 + 7 * 16 + 7)
            browser.press("v")
            browser.wait("game.play.actions.length > 6")
            browser.press("v")
            self.assertEqual(browser.value("[...new Set(game.play.actions.slice(2))]"), [0])

    def test_a_challenge_has_both_phases(self):
        with Page() as browser:
            self.begin(browser, "autumn:Seesaw/mfp-1#1")
            self.assertIn("go-to-test", self.text(browser, "actions"))
            self.assertIn("the test begins by itself", self.text(browser, "task"))
            browser.value("game.act(game.about.buttons.indexOf('go-to-test'))")
            browser.wait("game.play.actions.length === 1")
            self.assertNotIn("go-to-test", self.text(browser, "actions"))
            browser.press("u")
            self.choose(browser, "agent", "planner")
            browser.value("game.toggleExpert()")
            browser.wait("game.shown.standing.done")
            self.assertEqual(browser.value("game.shown.standing.score"), 1)
            write(self.path("tape.jsonl"), json.dumps({key: value for key, value in self.tape(browser).items() if key != "person"}) + "\n")
            done = run("verify", self.path("tape.jsonl"), "--challenges", CANONICAL)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_pictures_of_all_families_are_drawn_and_follow_the_difficulty(self):
        with Page() as browser:
            browser.open(self.page)
            browser.wait("document.querySelectorAll('.card').length > 200")
            shown = "document.querySelector('#cards li:not([hidden]) canvas')"
            for words in ("GoToGoal", "BossLevel", "Seesaw", "Lantern"):
                self.search(browser, words)
                browser.wait(f"{shown}.classList.contains('drawn')")
            self.search(browser, "KeyDoorPuzzle")
            browser.wait(f"{shown}.classList.contains('drawn')")
            browser.value(f"window.easy = {shown}.toDataURL(); 0")
            browser.value("(one => { one.value = 'expert'; one.dispatchEvent(new Event('input')); })(document.getElementById('level'))")
            browser.wait(f"{shown}.toDataURL() !== easy")
            narrow = browser.value(f"{shown}.getBoundingClientRect().width")
            browser.value("document.getElementById('large').click()")
            self.assertGreater(browser.value(f"{shown}.getBoundingClientRect().width"), 2 * narrow)
            self.assertEqual(browser.value("errors"), [])

    def search(self, browser, words):
        browser.value(f"(one => {{ one.value = {json.dumps(words)}; one.dispatchEvent(new Event('input')); }})(document.getElementById('search'))")

    def test_a_game_is_told_in_words_after_each_action(self):
        with Page() as browser:
            self.begin(browser, "arc:Lantern/intro#2")
            self.assertRegex(self.text(browser, "said"), "^3 things; off-black 12 by 24 at row 17 column 17;.* Level 1 of 3. 100 percent of the budget")
            browser.value("game.act(game.about.buttons.indexOf('ACTION4'))")
            browser.wait("game.play.actions.length === 1")
            self.assertRegex(self.text(browser, "said"), "^Blue 6 by 6 moved 6 right to row 17 column 17;")
            self.assertEqual(self.text(browser, "text"), self.text(browser, "said"), "who sees may read it, too")
            self.choose(browser, "mode", "diff")
            browser.wait("document.getElementById('text').textContent.includes('state NOT_FINISHED')")
            self.assertRegex(self.text(browser, "said"), "^Blue 6 by 6 moved 6 right", "another look at the same state says the same")

    def test_progress_of_a_derivation_is_shown_and_told(self):
        with Page() as browser:
            self.begin(browser, DOOR)
            browser.value("location.hash = '#autumn:Seesaw/planning-4#77'")
            browser.wait("/^attempts made: [1-9]\\d* of at most 200$/.test(document.querySelector('#busy small').textContent)")
            shown = browser.value("(bar => [bar.hidden, bar.max, bar.value > 0, bar.getAttribute('aria-label')])(document.querySelector('#busy progress'))")
            self.assertEqual(shown, [False, 200, True, "how far it has come"])
            self.assertRegex(self.text(browser, "waiting"), r"^making the episode, attempts made: \d+ of at most 200$")
            browser.value("document.getElementById('cancel').click()")
            browser.wait("document.getElementById('busy').hidden")
            self.assertEqual(self.text(browser, "waiting"), "")

    def test_what_takes_long_can_be_cancelled(self):
        with Page() as browser:
            self.begin(browser, DOOR)
            self.step(browser, "ArrowUp", 1)
            browser.value("location.hash = '#autumn:GrainTower/planning-4#77'")
            browser.wait("!document.getElementById('busy').hidden")
            browser.value("document.getElementById('cancel').click()")
            browser.wait("document.getElementById('message').textContent === 'Cancelled.'")
            browser.wait("game.shown.name === game.about.name && location.hash.endsWith('#42')")
            self.step(browser, "d", 2)
            self.assertEqual(self.tape(browser)["actions"], [1, 4])

    def test_a_tape_is_replayed_and_a_world_is_opened_from_files(self):
        self.solved(DOOR)
        with Page() as browser:
            browser.open(self.page)
            browser.wait("document.querySelectorAll('.card').length > 200")
            browser.value("document.getElementById('open-tape').click()")
            browser.give("#file", self.path("solved.jsonl"))
            browser.wait("document.getElementById('message').textContent.includes('ends as it says')")
            browser.value("document.getElementById('play').click()")
            browser.wait("document.getElementById('message').textContent.includes('Success')")
            broken = json.loads(read(self.path("solved.jsonl")))
            broken["digest"] = broken["digest"][::-1]
            write(self.path("broken.jsonl"), json.dumps(broken))
            browser.value("document.getElementById('open-tape').click()")
            browser.give("#file", self.path("broken.jsonl"))
            browser.wait("document.getElementById('message').textContent.includes('digest')")
            browser.value("document.getElementById('open-world').click()")
            browser.give("#file", WORLD)
            browser.wait("game.about?.name.startsWith('autumn:Crates')")
            self.assertEqual(browser.value("errors"), [])

    def test_frames_of_an_action_are_shown_one_after_another(self):
        with Page() as browser:
            self.begin(browser, "arc:Fold/intro#1")
            browser.value("""window.drawn = 0;
                (kind => { const put = kind.putImageData; kind.putImageData = function (...all) { drawn++; return put.apply(this, all); }; })
                (CanvasRenderingContext2D.prototype)""")
            browser.value("game.act(game.about.buttons.indexOf('ACTION1'))")
            browser.wait("drawn >= 3")
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
            browser.value("drawn = 0")
            browser.value("game.act(game.about.buttons.indexOf('ACTION7'))")
            browser.wait("game.play.actions.length === 2")
            self.assertEqual(browser.value("drawn"), 1)

    def test_a_study_is_given_one_episode_at_a_time(self):
        with Page() as browser:
            browser.open(self.page)
            browser.wait("document.querySelectorAll('.card').length > 200")
            asked = {"name": DOOR, "actions": 2, "participant": "0123456789abcdef", "study": "s", "ordinal": 4}
            browser.value(f"window.got = null; new Host(game, null).play({json.dumps(asked)}).then(tape => {{ got = tape; }}); 0")
            browser.wait("game.play?.name === " + json.dumps(DOOR))
            self.assertTrue(browser.value("document.getElementById('hint').hidden && document.getElementById('undo').hidden"))
            self.step(browser, "ArrowUp", 1)
            browser.press("u")
            self.step(browser, "d", 2)
            browser.wait("got")
            tape = browser.value("got")
            self.assertEqual((tape["agent"], tape["actions"], tape["person"]["undos"]), ("human", [1, 4], 0))
            self.assertEqual([tape["person"][key] for key in ("participant", "study", "ordinal")], ["0123456789abcdef", "s", 4])
            browser.value("got = null; new Host(game, null).play({name: 'autumn:Seesaw#1', seconds: 1}).then(tape => { got = tape; }); 0")
            browser.wait("got")
            self.assertEqual(browser.value("got.actions"), [])

    def first(self, name):
        """Milliseconds from the opening of the page to the picture of the episode that the address names."""
        with Page() as browser:
            self.begin(browser, name)
            return browser.value("performance.getEntriesByName('shown')[0].startTime")

    def test_it_is_quick(self):
        firsts, steps = [], {}
        for name in (DOOR, "babyai:BossLevel#3", "autumn:CyclicCoral#1", "arc:Fold/full#1"):
            firsts.append(min(self.first(name) for _ in range(3 if SPEED else 1)))
            with Page() as browser:
                self.begin(browser, name)
                times = [browser.value(f"{TIMED}({1 + i % 4})") for i in range(30) if not browser.value("game.shown.standing.done")]
                steps[name] = statistics.median(times)
        print("milliseconds to the first picture:", [round(first) for first in firsts], "of a step:", {name: round(time, 1) for name, time in steps.items()})
        if SPEED:
            self.assertLess(max(firsts), SECOND)
            self.assertLess(max(steps.values()), FRAME)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@unittest.skipUnless(FIREFOX and os.path.exists(WASM), "needs Firefox and the module (./scripts/wasm)")
class InFirefox(WithPage):
    def play(self, address):
        native = self.solved(DOOR)
        native.pop("intents", None)
        with Firefox() as browser:
            browser.open(f"{address}#{DOOR}")
            browser.wait("performance.getEntriesByName('shown').length > 0")
            for i, action in enumerate(native["actions"]):
                browser.value(f"page.playground.game.act({action})")
                browser.wait(f"page.playground.game.play.actions.length === {i + 1}")
            browser.wait("page.playground.game.shown.standing.done")
            self.same_play(json.loads(browser.value("return page.playground.game.tape().then(tape => tape.line)")), native)
            browser.value("location.hash = ''")
            browser.wait("document.querySelectorAll('canvas.drawn').length > 3")
            return browser.value("return [localStorage.length, document.getElementById('news').textContent]")

    def test_from_a_file(self):
        self.assertEqual(self.play(f"file://{self.page}")[1], "")

    def test_from_a_server(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.whole.name))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            self.assertEqual(self.play(f"http://127.0.0.1:{server.server_port}/play.html"), [1, ""])
        finally:
            server.shutdown()
            server.server_close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
