"""The page of a run of the arena (`seedbed arena --html`): what it says of each step is what the run's files say.

    python3 tests/arena_page_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import base64
import gzip
import json
import os
import re
import sys
import unittest

import browser
from arena_test import COPYING, ArenaCase, patch
from dataset_support import FOUND, USAGE, read, run, write

TEAM = {"leader": f"def answer(request):\n    if request['op'] == 'turn' and not kept:\n        kept['done'] = 1\n        return {{'patches': [{patch('dynamics', COPYING)!r}]}}\n"
                  "    return {'choose': 'probe', 'feedback': [{'to': 'leader', 'text': 'a </script> message'}] if request['op'] == 'act' else []}\n"}


class PageTest(ArenaCase):
    def page(self):
        self.play(TEAM, game="arc:Echo/intro#7")
        done = run("arena", "run", "--html", "page.html", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read(self.path("page.html")).decode()

    def test_it_holds_the_files_of_the_run_and_loads_nothing(self):
        page = self.page()
        self.assertIn("default-src 'none'", page)
        self.assertIsNone(re.search(r"(src|href)=", page))
        packed = re.search(r'<script id="data" type="application/gzip">([^<]*)</script>', page)[1]
        game = json.loads(gzip.decompress(base64.b64decode(packed)))["games"][0]
        for key, name in (("log", "log.jsonl"), ("steps", "steps.jsonl"), ("revisions", "revisions.jsonl"), ("chat", "chat.jsonl")):
            self.assertEqual(game[key], self.lines(name))
        self.assertEqual(game["texts"], {"revisions/0001-dynamics": COPYING})

    def test_a_run_writes_it_at_once_and_wrong_folders_are_told(self):
        self.page()
        self.arena(self.path("team.json"), "--resume", "--html", "again.html", game="arc:Echo/intro#7")
        self.assertEqual(read(self.path("again.html")), read(self.path("page.html")))
        self.assertIn("no run of the arena", run("arena", "nowhere", "--html", "page.html", cwd=self.folder).stderr)
        self.assertIn("--team is missing", run("arena", "arc:Echo/intro#7", "--html", "page.html", cwd=self.folder).stderr)
        write(self.path("run/games/001-arc_Echo_intro#7/steps.jsonl"), "{\n")
        self.assertIn("steps.jsonl, line 1", run("arena", "run", "--html", "page.html", cwd=self.folder).stderr)

    def test_a_dash_prints_the_page_of_an_earlier_run_alone(self):
        page = self.page()
        self.assertEqual(run("arena", "run", "--html", "-", cwd=self.folder).stdout, page)
        self.assertIn("--html - is for a run that is there", self.arena(self.path("team.json"), "--html", "-", out="other", codes=(USAGE,)).stderr)
        self.assertFalse(os.path.exists(self.path("-")))
        for more in (["--resume"], ["--gate"], ["--no-planner"], ["--json"], ["-o", "other"], ["--plays", "x"], ["--seeds", "1"]):
            done = run("arena", "run", "--html", "more.html", *more, cwd=self.folder)
            self.assertEqual(done.returncode, USAGE, more)
            self.assertIn("needs its folder and --html FILE, and nothing else", done.stderr)
        self.assertFalse(os.path.exists(self.path("more.html")) or os.path.exists(self.path("other")))

    def test_a_page_that_cannot_be_written_is_told_before_the_run(self):
        self.page()
        done = self.arena(self.path("team.json"), "--html", "none/page.html", out="other", game="arc:Echo/intro#7", codes=(FOUND,))
        self.assertIn("none/page.html: No such file", done.stderr)
        self.assertFalse(os.path.exists(self.path("other/run.json")), "nothing was played")
        self.arena(self.path("team.json"), "--html", "other/page.html", out="other", game="arc:Echo/intro#7")
        self.assertEqual(read(self.path("other/page.html")), read(self.path("page.html")), "a page in the run's folder")
        self.verify("other")

    @unittest.skipUnless(browser.CHROMIUM, "Chromium is not installed")
    def test_a_person_steps_through_it(self):
        self.page()
        steps = self.lines("steps.jsonl")
        with browser.Page() as page:
            page.open(self.path("page.html"))
            page.wait("window.errors.length || !document.getElementById('run').hidden")
            self.assertEqual(page.value("JSON.stringify(window.errors)"), "[]")
            text = lambda name: page.value(f"document.getElementById('{name}').textContent")  # noqa: E731
            for number, step in enumerate(steps, 1):
                self.assertIn(f"step {number} of {len(steps)}", text("said"))
                self.assertEqual("wrongly" in text("judged"), not step["right"])
                page.value("document.getElementById('on').click()")
            page.value("document.getElementById('back').click()")
            self.assertIn("a </script> message", text("told"))
            self.assertEqual(page.value("document.querySelectorAll('#curves polyline').length"), 4)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
