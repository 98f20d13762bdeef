"""A study in Chromium, with the real page and the real server: a person is led through, reloads the page, and loses the network.

    $(scripts/test-python) tests/study_browser_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import json
import os
import signal
import sys
import unittest

from browser import CHROMIUM, Page
from dataset_support import InFolder, run, write
from study_support import FACTS, ROOT, SERVES, Server, lines_of

WASM = os.path.join(ROOT, "build", "wasm", "module", "seedbed.wasm")
QUESTIONS = [{"name": "hard", "text": "How hard was it?", "kind": "choice", "choices": ["easy", "hard"], "after": "each"}]
KEYS = ["", "ArrowUp", "s", "ArrowLeft", "d", " "]
TITLE = "document.querySelector('#root h2')?.textContent ?? ''"


def reason_to_skip():
    return None if CHROMIUM and os.path.exists(WASM) and SERVES else "needs Chromium, the module (./scripts/wasm) and libmicrohttpd"


@unittest.skipIf(reason_to_skip(), reason_to_skip())
class InChromium(InFolder):
    def setUp(self):
        super().setUp()
        self.names = [f"GoToGoal-v0/easy#{seed}" for seed in range(3)]
        self.study = write(self.path("study.json"), json.dumps({**FACTS, "packs": [self.names], "questions": QUESTIONS}))

    def page(self, *arguments):
        path = self.path("page.html")
        done = run("study", "page", self.study, "-o", path, "--module", WASM, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return path

    def press(self, browser, title, button):
        """Waits for what has this title, and presses a button of it."""
        browser.wait(f"({TITLE}) === {json.dumps(title)}")
        browser.value(f"[...document.querySelectorAll('#root button')].find(one => one.textContent === {json.dumps(button)}).click()")

    def agree(self, browser):
        self.press(browser, "Welcome", "Continue")
        self.press(browser, "Your consent", "I agree")
        self.press(browser, "Instructions", "Begin")

    def play(self, browser, name, steps=None):
        """Plays the episode, or its first steps."""
        browser.wait(f"typeof game === 'object' && game.about?.name === {json.dumps(name)} && game.rules.onend && game.shown && !game.shown.standing.done")
        solution = json.loads(run("solve", name, "-q", "-o", "-").stdout)["actions"]
        for i, action in enumerate(solution[:steps]):
            browser.press(KEYS[action])
            browser.wait(f"game.play.actions.length >= {i + 1}")

    def answer(self, browser):
        browser.wait(f"({TITLE}) === 'A question'")
        browser.value("document.querySelector('#root input[value=hard]').click()")
        self.press(browser, "A question", "Continue")

    def test_a_person_is_led_through_a_reload_and_a_lost_network(self):
        page, plays = self.page("--collect", "collect"), self.path("plays")
        with Page() as browser:
            server = Server(self.study, plays, page)
            address = f"http://127.0.0.1:{server.port}/"
            browser.open(address, 1000, 900, "light")
            self.agree(browser)
            self.play(browser, self.names[0])
            self.answer(browser)
            self.play(browser, self.names[1], 1)
            browser.open(address, 1000, 900, "light")  # in the middle of an episode
            self.play(browser, self.names[1])
            self.answer(browser)
            self.assertEqual(server.end(signal.SIGKILL), -signal.SIGKILL)  # and now nobody listens
            self.play(browser, self.names[2])
            self.answer(browser)
            browser.wait(f"({TITLE}) === 'The end'")
            browser.wait("document.getElementById('root').textContent.includes('on their way')")
            with Server(self.study, plays, page, port=server.port) as server:
                browser.value("dispatchEvent(new Event('online'))")
                browser.wait("document.getElementById('root').textContent.includes('Everything has arrived')")
                self.assertEqual(server.end(), 0)
            said = browser.value("document.getElementById('root').textContent")
            self.assertEqual(browser.value("errors"), [])
            self.assertLessEqual(browser.value("document.documentElement.scrollWidth - innerWidth"), 0)
        tapes, people = lines_of(os.path.join(plays, "tapes.jsonl")), lines_of(os.path.join(plays, "participants.jsonl"))
        self.assertEqual([(tape["name"], tape["person"]["ordinal"], tape["person"]["attempt"]) for tape in tapes],
                         [(self.names[0], 0, 1), (self.names[1], 1, 2), (self.names[2], 2, 1)])
        self.assertEqual(len({tape["person"]["participant"] for tape in tapes}), 1)
        self.assertIn(tapes[0]["person"]["participant"], said)
        self.assertTrue(all(tape["success"] and tape["person"]["milliseconds"][-1] > 0 for tape in tapes))
        self.assertEqual([next(iter(line)) for line in people], ["join", "answer", "answer", "answer"])
        self.assertEqual(run("verify", os.path.join(plays, "tapes.jsonl")).returncode, 0)

    def test_from_a_file_the_page_keeps_what_was_done_for_a_file(self):
        page = self.page()
        with Page() as browser:
            browser.open(page, 400, 800, "dark")
            self.agree(browser)
            for name in self.names:
                self.play(browser, name)
                self.answer(browser)
            browser.wait(f"({TITLE}) === 'The end'")
            browser.value("window.saved = []; URL.createObjectURL = blob => { saved.push(blob); return 'data:,'; }")
            browser.value("[...document.querySelectorAll('#root button')].find(one => one.textContent === 'Save what I did').click()")
            browser.wait("saved.length === 2")
            texts = browser.value("Promise.all(saved.map(blob => blob.text()))")
            self.assertEqual(browser.value("errors"), [])
            self.assertLessEqual(browser.value("document.documentElement.scrollWidth - innerWidth"), 0, "also on a phone")
        files = [write(self.path(f"{i}.jsonl"), text) for i, text in enumerate(texts)]
        self.assertEqual(run("study", "add", self.study, *files, "-q", "-o", self.path("plays")).returncode, 0)
        self.assertEqual(len(lines_of(self.path("plays/tapes.jsonl"))), 3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
