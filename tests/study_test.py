"""Studies: study.json is read strictly, a server keeps what it confirms whatever happens to it, and pages lead participants through.

    $(scripts/test-python) tests/study_test.py BUILD/seedbed BUILD/tests/seedbed-toy

With SEEDBED_NIGHTLY set, every system call of the server fails once, otherwise a sample.
"""
import copy
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import sys
import threading
import time
import unittest

from dataset_support import FOUND, TOY, USAGE, InFolder, read, run, write, write_module
from schema_support import Validator
from study_support import FACTS, NODE, ROOT, SERVES, TEXTS, Server, join, lead, lines_of, number, played, solved

NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
SLOW = bool(os.environ.get("SEEDBED_SLOW"))  # under sanitizers
FAULTS = os.path.join(os.path.dirname(os.path.abspath(TOY)), "seedbed-faults")
QUESTIONS = [{"name": "hard", "text": "How hard was it?", "kind": "choice", "choices": ["easy", "hard"], "after": "each"},
             {"name": "years", "text": "Years of play?", "kind": "number", "least": 0, "most": 80, "after": [2]},
             {"name": "words", "text": "What did you do?", "kind": "text", "letters": 10, "after": "last"}]


class Studies(InFolder):
    def study(self, file="study.json", **changes):
        return write(self.path(file), json.dumps({**FACTS, **changes}))

    def plays(self, name="tapes.jsonl"):
        return lines_of(os.path.join(self.path("plays"), name))


class Documents(Studies):
    def test_check_says_what_a_participant_will_see_and_for_how_long(self):
        path = self.study(questions=QUESTIONS, limits={"seconds": 90, "actions": 50, "minutes": 5}, attempts=2)
        said = run("study", "check", path).stdout
        for words in ("first: 4 episodes of 4", "at most 50 actions", "at most 90 seconds", "minutes of play: at most 5", TEXTS["consent"],
                      "3. GoToGoal-v0/easy#2", "question hard: How hard was it? (easy | hard)", "(0 to 80)", "at most 10 bytes"):
            self.assertIn(words, said)
        self.assertEqual(said.count("question hard"), 4)
        self.assertEqual(said.count("question years"), 1)
        facts = json.loads(run("study", "check", path, "--json").stdout)
        self.assertEqual((facts["listed"], facts["episodes"], facts["questions"], facts["minutes"]), (4, 4, 3, 5.0))
        self.study(limits={"seconds": 30}, attempts=2, episodes=3)
        self.assertEqual(json.loads(run("study", "check", path, "--json").stdout)["minutes"], 3.0)

    def test_packs_are_files_beside_the_study_and_make_the_same_study_as_their_names(self):
        self.assertEqual(run("seeds", "--tasks", "GoToGoal", "-d", "easy", "-n", "3", "--split", "mine", "-q", "-o", self.path("pack.json")).returncode, 0)
        facts = json.loads(run("study", "check", self.study(packs=["pack.json"]), "--json", "--participant", number(1), cwd="/").stdout)
        self.assertEqual(facts["episodes"], 3)
        again = json.loads(run("study", "check", self.study("again.json", packs=[facts["order"]]), "--json").stdout)
        self.assertEqual(again["sha256"], facts["sha256"])

    def test_packs_that_were_altered_or_whose_world_was_are_refused(self):
        world = write(self.path("ice.sexp"), read(os.path.join(ROOT, "examples", "worlds", "ice.sexp")))
        pack = self.path("pack.json")
        self.assertEqual(run("seeds", "--tasks", world, "-d", "easy", "--split", "ours", "-n", "3", "--digests", "-o", pack, "-q").returncode, 0)
        study = self.study(packs=["pack.json"])
        self.assertEqual(run("study", "check", study, "--program", world).returncode, 0)
        other = write(self.path("other.sexp"), read(world).replace(b"ROCKS 8", b"ROCKS 9"))
        self.refuse(["study", "check", study, "--program", other], FOUND, "key `packs`: item 0: ", "pack.json", "generates another episode")
        whole = json.loads(read(pack))
        whole["lists"][0]["seeds"][0] += 1
        write(pack, json.dumps(whole))
        self.refuse(["study", "check", study, "--program", world], FOUND, "key `packs`: item 0: ", "pack.json", "hash")
        write(pack, '{"format": "seedbed-challenges", "version": 2}\n')
        self.refuse(["study", "check", study], USAGE, "pack.json is a pack of challenges: name it with --challenges")

    def test_errors_point_at_what_is_wrong(self):
        question = QUESTIONS[1]
        for changes, words in (
                ({"format": "x"}, "this is no study"), ({"version": 2}, "version 2"), ({"name": "a b"}, "key `name`"), ({"colour": 1}, "`colour`"),
                ({"packs": []}, "names no episode"), ({"packs": [["GoToGoal-v0/easy#x"]]}, "key `packs`: item 0: name 0"),
                ({"packs": [["GoToGoal-v0/easy#1", "GoToGoal-v0/easy#1"]]}, "is there twice"), ({"packs": ["missing.json"]}, "item 0: cannot read "),
                ({"packs": [7]}, "a path or a list"), ({"order": "odd"}, "key `order`"), ({"episodes": 5}, "key `episodes`"),
                ({"attempts": 0}, "key `attempts`"), ({"texts": {**TEXTS, "consent": ""}}, "texts: key `consent` is empty"),
                ({"texts": {"welcome": "a"}}, "consent"), ({"texts": {**TEXTS, "more": "x"}}, "`more`"),
                ({"limits": {"seconds": 0}}, "limits: key `seconds`"), ({"limits": {"hours": 1}}, "`hours`"), ({"undo": 1}, "`undo`"),
                ({"look": "nice"}, "key `look`"), ({"mode": "nice"}, "key `mode`"), ({"packs": [["autumn:Seesaw/planning-2#1"]]}, "--challenges"),
                ({"questions": [{**question, "most": 0}]}, "key `questions`: item 0: key `most`"), ({"questions": [{**question, "choices": ["a", "b"]}]}, "choices"),
                ({"questions": [question, question]}, "key `questions`: item 1: another question"), ({"questions": [{**question, "kind": "odd"}]}, "key `kind`"),
                ({"questions": [{**question, "after": [5]}]}, "key `after`"), ({"questions": [{**question, "after": []}]}, "key `after`")):
            with self.subTest(words=words):
                done = run("study", "check", self.study(**changes))
                self.assertIn(done.returncode, (FOUND, USAGE))
                self.assertRegex(done.stderr, r"\Aseedbed: [^\n]+\n\Z")
                self.assertIn(words, done.stderr)
        whole = json.dumps(FACTS)
        for at in range(0, len(whole), 7):
            self.assertEqual(run("study", "check", write(self.path("cut.json"), whole[:at])).returncode, USAGE)

    def test_the_schema_takes_what_check_takes(self):
        schema = Schema(os.path.join(ROOT, "evaluation", "study", "study.schema.json"))
        for changes, fits in (({}, True), ({"questions": QUESTIONS, "limits": {"minutes": 3}, "order": "drawn", "look": "flat"}, True), ({"colour": 1}, False),
                              ({"order": "odd"}, False), ({"attempts": 0}, False), ({"texts": {"welcome": "a"}}, False),
                              ({"questions": [{**QUESTIONS[1], "choices": ["a", "b"]}]}, False), ({"limits": {"hours": 1}}, False)):
            with self.subTest(changes=changes):
                self.assertEqual(schema.fits({**FACTS, **changes}), fits)
                self.assertEqual(run("study", "check", self.study(**changes)).returncode == 0, fits)

    def test_options_belong_to_their_words(self):
        path = self.study()
        self.refuse_usage("study")
        self.refuse_usage("study", "watch", path)
        self.refuse_usage("study", "check")
        self.refuse_usage("study", "check", path, "--listen", "127.0.0.1:1")
        self.refuse_usage("study", "page", path)
        self.refuse_usage("study", "serve", path)
        self.refuse_usage("study", "add", path, "-o", self.path("plays"))
        self.refuse_usage("study", "forget", number(1))
        self.refuse(["study", "check", path, "--place", "3"], USAGE, "--place is for --participant")
        self.refuse(["study", "serve", path, "-o", self.path("plays"), "--page", path, "--module", path], USAGE, "choose one")
        for address in ("8000", "localhost:80", "127.0.0.1:", "127.0.0.1:99999", "[::1:80", ":80"):
            if SERVES:
                self.refuse(["study", "serve", path, "-o", self.path("plays"), "--page", path, "--listen", address], USAGE, "--listen")

    def refuse_usage(self, *words):
        self.assertEqual(run(*words).returncode, USAGE, words)

    def test_a_page_has_the_study_inside(self):
        module = write_module(self.path("seedbed.wasm"))
        page = self.path("page.html")
        done = run("study", "page", self.study(), "-o", page, "--module", module, "--collect", "https://study.example.org/collect", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout), {"file": page, "bytes": os.path.getsize(page)})
        self.assertIn(b'"seedbed-study"', read(page))
        self.assertIn(b"runStudy", read(page))
        self.assertIn(b"connect-src https://study.example.org", read(page))
        self.assertNotIn(b"connect-src", read_of(run("study", "page", self.study(), "-o", "-", "--module", module)))


def read_of(done):
    return done.stdout.encode()


class Schema(Validator):
    """The keywords that the study's schema has besides those of observations."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            super().__init__(json.load(file))

    def of_const(self, value, wanted, _):
        return value == wanted

    def of_pattern(self, value, pattern, _):
        return not isinstance(value, str) or re.search(pattern, value) is not None

    def of_minLength(self, value, least, _):
        return not isinstance(value, str) or len(value) >= least

    def of_maxLength(self, value, most, _):
        return not isinstance(value, str) or len(value) <= most

    def of_anyOf(self, value, schemas, _):
        return any(self.fits(value, schema) for schema in schemas)


@unittest.skipUnless(NODE, "node is not installed")
class Orders(Studies):
    def order(self, path, participant, place):
        where = [] if place is None else ["--place", str(place)]
        return json.loads(run("study", "check", path, "--json", "--participant", participant, *where).stdout)["order"]

    def test_the_page_and_the_program_draw_the_same_orders(self):
        chance = random.Random(1)
        for order in ("fixed", "balanced", "drawn"):
            for n, episodes in ((1, 1), (4, 4), (5, 5), (6, 3), (7, 7)):
                names = [f"GoToGoal-v0/easy#{seed}" for seed in range(n)]
                facts = {**FACTS, "packs": [names], "order": order, "episodes": episodes}
                asked = [[f"{chance.getrandbits(64):016x}", place] for place in (None, 0, 1, 2, 9)]
                drawn = lead({"study": facts, "orders": asked})["orders"]
                path = self.study(packs=[names], order=order, episodes=episodes)
                for (participant, place), indices in zip(asked, drawn):
                    with self.subTest(order=order, n=n, participant=participant, place=place):
                        self.assertEqual(self.order(path, participant, place), [names[i] for i in indices])

    def test_balanced_orders_are_latin_squares_in_which_each_follows_each_equally_often(self):
        for n in (4, 5, 6):
            rows = n * (1 + n % 2)
            facts = {**FACTS, "packs": [[f"GoToGoal-v0/easy#{seed}" for seed in range(n)]], "order": "balanced"}
            square = lead({"study": facts, "orders": [[number(1), place] for place in range(rows)]})["orders"]
            for column in zip(*square):
                self.assertEqual({column.count(i) for i in range(n)}, {rows // n})
            follows = [pair for row in square for pair in zip(row, row[1:])]
            self.assertEqual({follows.count((a, b)) for a in range(n) for b in range(n) if a != b}, {rows // n})

    def test_drawn_orders_differ_and_have_every_episode(self):
        facts = {**FACTS, "order": "drawn"}
        drawn = lead({"study": facts, "orders": [[number(i), None] for i in range(200)]})["orders"]
        self.assertEqual({tuple(sorted(order)) for order in drawn}, {(0, 1, 2, 3)})
        self.assertGreater(len({tuple(order) for order in drawn}), 20, "of 24")


@unittest.skipUnless(SERVES, "this build has no libmicrohttpd")
class Serving(Studies):
    """One server with a study of everything."""

    @classmethod
    def setUpClass(cls):
        cls.tapes = [solved(f"GoToGoal-v0/easy#{seed}") for seed in range(4)]
        cls.long = max((solved(f"GoToGoal-v0/easy#{seed}", "random") for seed in range(4)), key=lambda tape: len(tape["actions"]))

    def serve(self, *arguments, **more):
        page = write(self.path("page.html"), "<!DOCTYPE html><title>page</title>")
        options = {name: more.pop(name) for name in ("program", "port") if name in more}
        return Server(self.path("study.json"), self.path("plays"), page, *arguments, **options, **more)

    def test_what_is_confirmed_is_kept_once_and_known_again(self):
        self.study(questions=QUESTIONS)
        with self.serve() as server:
            self.assertEqual(server.post(join(1)), (200, {"kept": True, "new": True, "place": 0}))
            self.assertEqual(server.post(join(2)), (200, {"kept": True, "new": True, "place": 1}))
            self.assertEqual(server.post(join(1)), (200, {"kept": True, "new": False, "place": 0}))
            tape = played(self.tapes[0], 1)
            self.assertEqual(server.post(tape)[0], 200)
            self.assertEqual(server.post(played(self.tapes[0], 1, pace=7)), (200, {"kept": True, "new": False, "place": 0}), "times are carried along")
            self.assertEqual(server.post(played(self.tapes[1], 1))[0], 409, "another tape in its place")
            self.assertEqual(server.post(played(self.tapes[0], 1, attempt=2))[0], 409)
            answer = {"answer": 1, "study": "first", "participant": number(1), "question": "hard", "after": 1, "value": "easy"}
            self.assertEqual([server.post(answer)[0], server.post(answer)[0], server.post({**answer, "value": "hard"})[0]], [200, 200, 409])
            self.assertEqual(server.end(), 0)
        self.assertIn("1 tapes of 2 participants", server.said)
        self.assertEqual(self.plays(), [tape])
        self.assertEqual(self.plays("participants.jsonl"), [{**join(1), "place": 0}, {**join(2), "place": 1}, answer])
        self.assertEqual(run("verify", self.path("plays/tapes.jsonl")).returncode, 0)
        with self.serve() as server:  # and known after a new start
            self.assertEqual(server.post(tape), (200, {"kept": True, "new": False, "place": 0}))
            self.assertEqual(server.post(join(3))[1]["place"], 2)
        self.assertEqual(len(self.plays()), 1)

    def test_forged_tapes_are_refused(self):
        self.study(limits={"actions": 10})
        good = played(self.tapes[0], 1)
        person = good["person"]
        forged = {
            "another end": {**good, "return": 0.5}, "another digest": {**good, "digest": "0" * 16}, "no success": {**good, "success": False},
            "other actions": {**good, "actions": good["actions"][::-1]}, "another agent": {**good, "agent": "expert"}, "no person": {k: v for k, v in good.items() if k != "person"},
            "another study": {**good, "person": {**person, "study": "second"}}, "no participant": {**good, "person": {k: v for k, v in person.items() if k != "participant"}},
            "another episode": played(solved("GoToGoal-v0/easy#9"), 1), "too many plays": {**good, "person": {**person, "ordinal": 4}},
            "hints": {**good, "person": {**person, "hints": 1}}, "undo": {**good, "person": {**person, "undos": 1}},
            "an expert": {**good, "person": {**person, "expert": [0]}}, "a step beyond": {**good, "person": {**person, "expert": [99]}},
            "times that go back": {**good, "person": {**person, "milliseconds": [9] + person["milliseconds"][:-2] + [1]}},
            "too few times": {**good, "person": {**person, "milliseconds": [1]}}, "a number in capitals": {**good, "person": {**person, "participant": "A" * 16}},
            "more members": {**good, "note": "x"}, "more of the person": {**good, "person": {**person, "email": "x"}},
            "thoughts": {**good, "said": [{"step": 0, "thought": "x"}]}, "labels": {**good, "labels": [[0, (good["actions"][0] + 1) % 5]]},
            "other rules": {**good, "rules": "agentick 99"}, "no tape": {"hello": 1}, "a list": [good], "no JSON": b"{", "nothing": b"", "a NUL": b"\0",
            "deep": b"[" * 5000, "too long": played(self.long, 1),
        }
        self.assertGreater(len(self.long["actions"]), 10, "so that the last one is too long")
        with self.serve("--each", "1000") as server:
            for what, record in forged.items():
                with self.subTest(what=what):
                    status, said = server.post(record)
                    self.assertIn(status, (400, 422), said)
                    self.assertTrue(said["error"])
            self.assertEqual(server.post(good)[0], 200)
        self.assertEqual(self.plays(), [good])

    def test_old_tapes_of_others_are_refused(self):
        self.study(packs=[["MazeNavigation-v0/easy#0"]], attempts=3)
        maze = solved("MazeNavigation-v0/easy#0")
        self.assertGreaterEqual(len(maze["actions"]), 4)
        with self.serve() as server:
            self.assertEqual(server.post(played(maze, 1))[0], 200)
            self.assertEqual(server.post(played(maze, 1, ordinal=1, attempt=2))[0], 409, "the same play under another number")
            self.assertEqual(server.post(played(maze, 2))[0], 409, "and of another participant")
            self.assertEqual(server.post(played(maze, 2, pace=101))[0], 200, "but the same moves at other times are a play of its own")
        self.assertEqual(len(self.plays()), 2)

    def test_only_its_own_pages_may_post_and_nothing_else_is_there(self):
        self.study()
        tape = played(self.tapes[0], 1)
        with self.serve() as server:
            own = f"http://127.0.0.1:{server.port}"
            for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": own + "1"}, {"Sec-Fetch-Site": "cross-site"},
                            {"Sec-Fetch-Site": "same-site", "Origin": own}):
                self.assertEqual(server.post(tape, **headers)[0], 403, headers)
            for kind in ("text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data", ""):
                self.assertEqual(server.post(tape, **{"Content-Type": kind})[0], 415, kind)
            for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PROPFIND"):
                self.assertEqual(server.ask(method, "/collect")[0], 405, method)
            for path in ("/study.json", "/tapes.jsonl", "/plays", "/plays/", "/..", "/../study.json", "/%2e%2e/study.json", "/..%2fstudy.json", "//etc/passwd",
                         "/./", "/collect/", "/collect", "/%00", "/collect%00x", "/index.html"):
                self.assertEqual(server.ask("GET", path)[0], 404, path)
            for path in ("/", "/collect/", "/../collect"):
                self.assertEqual(server.ask("POST", path, json.dumps(tape), **{"Content-Type": "application/json"})[0], 404, path)
            self.assertEqual(self.plays(), [])
            self.assertEqual(server.post(tape, Origin=own, **{"Content-Type": "application/json; charset=utf-8", "Sec-Fetch-Site": "same-origin"})[0], 200)
            status, headers, page = server.ask("GET", "/")
            self.assertEqual((status, page), (200, read(self.path("page.html"))))
            for name, value in (("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
                                ("Cache-Control", "no-store"), ("Cross-Origin-Opener-Policy", "same-origin")):
                self.assertEqual(headers[name], value)
            self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
            self.assertNotIn("Access-Control-Allow-Origin", headers)
            self.assertEqual(server.ask("HEAD", "/")[::2], (200, b""))
        self.assertNotIn("127.0.0.1:" + str(server.port), server.said.split("\n", 1)[1], "no addresses are logged")
        with self.serve("--origin", "https://study.example.org") as server:
            self.assertEqual(server.post(join(2), Origin="https://study.example.org")[0], 200)
            self.assertEqual(server.post(join(3), Origin=f"http://127.0.0.1:{server.port}")[0], 403)

    def test_a_page_on_another_site_may_send_if_it_is_named(self):
        """As browsers ask: first whether it may, then what they send says from where."""
        self.study()
        asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
        mine, other = ({"Origin": site, "Sec-Fetch-Site": "cross-site"} for site in ("https://example.org", "https://evil.example"))
        with self.serve("--origin", "https://example.org") as server:
            status, headers, _ = server.ask("OPTIONS", "/collect", **mine, **asks)
            self.assertEqual((status, headers["Access-Control-Allow-Origin"], headers["Access-Control-Allow-Methods"], headers["Access-Control-Allow-Headers"]),
                             (204, "https://example.org", "POST", "Content-Type"))
            for record, due in ((join(1), 200), ({"no": "record"}, 400)):
                status, headers, _ = server.ask("POST", "/collect", json.dumps(record), **{"Content-Type": "application/json", **mine})
                self.assertEqual((status, headers["Access-Control-Allow-Origin"], headers["Vary"]), (due, "https://example.org", "Origin"))
            self.assertEqual(server.ask("OPTIONS", "/collect", **other, **asks)[0], 405)
            status, headers, _ = server.ask("POST", "/collect", json.dumps(join(2)), **{"Content-Type": "application/json", **other})
            self.assertEqual((status, headers.get("Access-Control-Allow-Origin")), (403, None))
            self.assertEqual(server.post(join(3), **{"Sec-Fetch-Site": "cross-site"})[0], 403)

    def test_an_origin_that_no_browser_names_is_refused(self):
        self.study()
        write(self.path("page.html"), "x")
        for origin in ("https://example.org/", "example.org", "HTTPS://example.org", "https://Example.org", "https://", "ftp://a", "null", "https://a b", "https://me@a"):
            self.refuse(["study", "serve", self.path("study.json"), "-o", self.path("plays"), "--page", self.path("page.html"), "--listen", "127.0.0.1:0", "--origin", origin],
                        USAGE, "--origin should be a site as browsers call it")
        for origin in ("http://127.0.0.1:8080", "http://[::1]:80", "https://a-b.example.org"):
            with self.serve("--origin", origin) as server:
                self.assertEqual(server.post(join(1), Origin=origin)[0], 200)

    def test_huge_bodies_are_refused_however_they_come(self):
        self.study()
        with self.serve("--body", "64", "--timeout", "5") as server:
            for body in (b" " * (64 << 10) + b"{}", b"x" * (4 << 20)):
                try:
                    self.assertEqual(server.post(body)[0], 413)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # cut off while it was sending
            pieces = (b"%x\r\n%s\r\n" % (1 << 15, b"y" * (1 << 15)) for _ in range(40))
            with socket.create_connection(("127.0.0.1", server.port), timeout=60) as one:
                one.sendall(b"POST /collect HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
                for piece in pieces:
                    one.sendall(piece)
                one.sendall(b"0\r\n\r\n")
                self.assertIn(b" 413 ", one.recv(1000).split(b"\r\n")[0])
            self.assertEqual(server.post(join(1))[0], 200)

    def test_slow_clients_lose_their_connection_and_hold_up_nobody(self):
        self.study()
        head = b"POST /collect HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n"
        with self.serve("--timeout", "2", "--connections", "100") as server:
            slow = [socket.create_connection(("127.0.0.1", server.port), timeout=60) for _ in range(60)]
            dripping = threading.Event()

            def drip(one, start):
                try:
                    one.sendall(start)
                    while not dripping.wait(0.2):
                        one.sendall(b" ")
                except OSError:
                    pass
            threads = [threading.Thread(target=drip, args=(one, (b"", b"POST /col", head)[i % 3]), daemon=True) for i, one in enumerate(slow)]
            for thread in threads:
                thread.start()
            for participant in range(20):
                self.assertEqual(server.post(join(participant))[0], 200)
            for one in slow:
                try:
                    self.assertIn(one.recv(100)[:12], (b"", b"HTTP/1.1 400", b"HTTP/1.1 408"), "the server ends it")
                except ConnectionResetError:
                    pass
                one.close()
            dripping.set()
            for thread in threads:
                thread.join(60)
            self.assertEqual(server.post(join(20))[0], 200)

    def test_too_many_records_too_fast_and_too_many_participants(self):
        self.study()
        with self.serve("--each", "1", "--participants", "3") as server:
            statuses = [server.post(join(1))[0] for _ in range(20)]
            self.assertIn(429, statuses)
            self.assertEqual(statuses[:6], [200] * 6, "some at once are fine: what could not be sent before")
            self.assertEqual([server.post(join(p))[0] for p in (2, 3, 4)], [200, 200, 403])
            self.assertEqual(server.post(played(self.tapes[0], 5))[0], 403)
        with self.serve("--rate", "1") as server:
            self.assertIn(429, [server.post(join(p))[0] for p in range(20)], "of all together")

    def test_a_folder_belongs_to_one_study_and_one_server(self):
        self.study()
        with self.serve() as server:
            self.assertEqual(server.post(played(self.tapes[0], 1))[0], 200)
            self.refuse(["study", "serve", self.path("study.json"), "-o", self.path("plays"), "--page", self.path("page.html"), "--listen", "127.0.0.1:0"], FOUND, "is being written by process")
            self.refuse(["study", "forget", number(1), self.path("plays")], FOUND, "is being written by process")
        other = self.study("other.json", texts={**TEXTS, "consent": "Something else."})
        self.refuse(["study", "add", other, self.path("plays/tapes.jsonl"), "-o", self.path("plays")], FOUND, "belongs to another study")
        os.remove(self.path("plays/study.json"))
        self.refuse(["study", "add", other, self.path("plays/tapes.jsonl"), "-o", self.path("plays")], FOUND, "no study.json")

    def test_it_ends_cleanly_on_signals(self):
        self.study()
        for how in (signal.SIGTERM, signal.SIGINT):
            with self.serve() as server:
                self.assertEqual(server.post(join(how))[0], 200)
                self.assertEqual(server.end(how), 0)
        self.assertEqual(sorted(os.listdir(self.path("plays"))), ["participants.jsonl", "study.json", "tapes.jsonl"])

    def test_a_torn_tail_is_cut_and_damage_above_it_is_an_error(self):
        self.study()
        tapes = self.path("plays/tapes.jsonl")
        with self.serve() as server:
            for ordinal in range(3):
                self.assertEqual(server.post(played(self.tapes[ordinal], 1, ordinal))[0], 200)
        whole = read(tapes)
        last = whole.splitlines(keepends=True)[-1]
        for torn in (last[:1], last[:-1], last[:-2] + b"\n", b"\0" * 100, b'{"tape": 1'):
            write(tapes, whole[:-len(last)] + torn)
            self.assertEqual(run("study", "add", self.path("study.json"), write(self.path("none.jsonl"), b""), "-o", self.path("plays"), "-q").returncode, 0)
            self.assertEqual(read(tapes), whole[:-len(last)], torn)
        write(tapes, whole[:40] + whole[41:])
        self.refuse(["study", "add", self.path("study.json"), self.path("none.jsonl"), "-o", self.path("plays")], USAGE, "tapes.jsonl, line 1")
        self.assertEqual(read(tapes), whole[:40] + whole[41:], "and nothing is touched")

    def test_who_is_being_forgotten_stays_so_if_that_is_cut_off(self):
        self.study()
        with self.serve() as server:
            self.assertEqual(server.post(played(self.tapes[0], 1))[0], 200, "without a word about the participant before")
        forget = ["study", "forget", number(1), self.path("plays")]
        for call in ("rename:1", "rename:2"):
            done = run(*forget, program=FAULTS, env={**os.environ, "SEEDBED_FAULT": f"{call}:kill", "SEEDBED_FAULT_UNDER": self.path("plays")})
            self.assertNotEqual(done.returncode, 0, "the call is made")
        run(*forget)
        self.assertEqual(self.plays(), [])
        with self.serve() as server:
            self.assertEqual(server.post(played(self.tapes[0], 1))[0], 410)

    def test_forgetting_deletes_one_participant_for_good(self):
        self.study(questions=QUESTIONS)
        answer = {"answer": 1, "study": "first", "participant": number(2), "question": "hard", "after": 1, "value": "easy"}
        with self.serve() as server:
            for participant in (1, 2, 3):
                self.assertEqual(server.post(join(participant))[0], 200)
                for ordinal in range(2):
                    self.assertEqual(server.post(played(self.tapes[ordinal], participant, ordinal, pace=participant))[0], 200)
            self.assertEqual(server.post(answer)[0], 200)
        done = run("study", "forget", number(2), self.path("plays"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("4 lines", done.stdout)
        for name in os.listdir(self.path("plays")):
            self.assertNotIn(number(2).encode(), read(self.path("plays/" + name)), name)
        self.assertEqual([tape["person"]["participant"] for tape in self.plays()], [number(1)] * 2 + [number(3)] * 2)
        self.assertEqual(run("study", "forget", number(2), self.path("plays")).returncode, FOUND, "there is nothing left")
        with self.serve() as server:
            self.assertEqual(server.post(played(self.tapes[0], 2))[0], 410, "a page that is still open does not bring it back")
            self.assertEqual(server.post(join(2))[0], 410)
            self.assertEqual(server.post(join(4))[0], 200)
        self.refuse(["study", "forget", "2", self.path("plays")], USAGE, "16 hexadecimal digits")
        os.mkdir(self.path("other"))
        self.refuse(["study", "forget", number(1), self.path("other")], USAGE, "no folder of plays")


@unittest.skipUnless(SERVES, "this build has no libmicrohttpd")
class Crowds(Serving):
    """200 participants at once, while the server is killed and started again: what was confirmed is there, once."""

    PEOPLE, KILLS = (40, 2) if SLOW else (200, 6)

    def send(self, record):
        """Sends until it is confirmed, as a page does."""
        while True:
            try:
                status, said = self.server.post(record)
            except (OSError, ValueError, http.client.HTTPException):
                status = 503
            if status == 200:
                return said
            self.assertIn(status, (429, 503))
            self.up.wait(60)

    def take_part(self, participant):
        person = random.Random(participant)
        self.send(join(participant))
        for ordinal, tape in enumerate(self.tapes):
            record = played(tape, participant, ordinal, pace=person.randint(50, 900))
            self.send(record)
            with self.mutex:
                self.confirmed.add((number(participant), ordinal))

    def kept(self):
        try:
            text = read(self.path("plays/tapes.jsonl"))
        except FileNotFoundError:
            return []
        whole = text[:text.rfind(b"\n") + 1]
        return [(tape["person"]["participant"], tape["person"]["ordinal"]) for tape in map(json.loads, whole.splitlines())]

    def test_nothing_confirmed_is_lost(self):
        self.study()
        self.mutex, self.up, self.confirmed = threading.Lock(), threading.Event(), set()
        chance, limits = random.Random(time.time()), ("--rate", "100000", "--each", "1000")
        self.server = self.serve(*limits)
        self.up.set()
        began = time.monotonic()
        people = [threading.Thread(target=self.take_part, args=(participant,)) for participant in range(self.PEOPLE)]
        for person in people:
            person.start()
        wanted = self.PEOPLE * len(self.tapes)
        for kill in range(self.KILLS):
            goal = chance.randint(wanted * kill // self.KILLS, wanted * (kill + 1) // (self.KILLS + 1))
            while len(self.confirmed) < goal:
                people[chance.randrange(len(people))].join(0.001)
            self.up.clear()
            self.server.end(signal.SIGKILL)
            with self.mutex:
                before = set(self.confirmed)
            self.assertEqual(before - set(self.kept()), set(), "confirmed, and not there after the kill")
            self.server = self.serve(*limits, port=self.server.port)
            self.assertTrue(self.server.port, self.server.said)
            self.up.set()
        for person in people:
            person.join(300)
        seconds = time.monotonic() - began
        self.assertEqual(self.server.end(), 0)
        kept = self.kept()
        self.assertEqual((len(kept), set(kept)), (wanted, self.confirmed))
        self.assertEqual(sorted(who["place"] for who in self.plays("participants.jsonl")), list(range(self.PEOPLE)))
        self.assertEqual(run("verify", self.path("plays/tapes.jsonl")).returncode, 0)
        print(f"{self.PEOPLE} participants, {wanted} tapes confirmed and kept, {self.KILLS} kills, {seconds:.1f} s", file=sys.stderr)


for name in [name for name in dir(Serving) if name.startswith("test_")]:
    setattr(Crowds, name, None)  # of the other class


@unittest.skipUnless(SERVES, "this build has no libmicrohttpd")
class Faults(Serving):
    """Every system call that changes files fails, or is the last one of the process."""

    RECORDS = 4

    def records(self):
        return [join(1), *(played(self.tapes[ordinal], 1, ordinal) for ordinal in range(self.RECORDS - 1))]

    def go(self, fault, log=None):
        """Sends the records to a server with a fault, and returns which ones were confirmed and how it ended."""
        write(self.path("page.html"), "x")
        environment = {"SEEDBED_FAULT_UNDER": self.path("plays"), **({"SEEDBED_FAULT": fault} if fault else {}), **({"SEEDBED_FAULT_LOG": log} if log else {})}
        server = self.serve("--threads", "1", program=FAULTS, **environment)
        confirmed = []
        for i, record in enumerate(self.records()):
            if not server.port:
                break
            try:
                status, _ = server.post(record)
                self.assertIn(status, (200, 503))
                confirmed += [i] if status == 200 else []
            except (OSError, http.client.HTTPException):
                break
        return confirmed, server.end(), server.said

    def contents(self):
        """The lines of each file; a record that failed came later."""
        return {name: sorted(read(self.path("plays/" + name)).splitlines()) for name in os.listdir(self.path("plays"))}

    def test_nothing_confirmed_is_lost_at_any_call(self):
        self.study()
        log = self.path("log")
        confirmed, status, said = self.go(None, log)
        self.assertEqual((confirmed, status), ([0, 1, 2, 3], 0), said)
        counts = json.loads(read(log).splitlines()[-1])
        after = self.contents()
        for call in ("open", "write", "fsync", "rename", "close"):
            every = [(at, action) for at in range(1, counts[call] + 1) for action in ("fail", "kill")]
            chosen = every if NIGHTLY else random.Random(call).sample(every, min(len(every), 3 if SLOW else 6))
            for at, action in chosen:
                with self.subTest(call=call, at=at, action=action):
                    shutil.rmtree(self.path("plays"), ignore_errors=True)
                    confirmed, status, said = self.go(f"{call}:{at}:{action}")
                    self.assertIn(status, (0, 1, 2, -signal.SIGKILL), said)
                    with self.serve() as server:
                        for i, record in enumerate(self.records()):
                            status, answer = server.post(record)
                            self.assertEqual(status, 200, answer)
                            if i in confirmed:
                                self.assertFalse(answer["new"], f"record {i} was confirmed, and is lost")
                    self.assertEqual(self.contents(), after)


for name in [name for name in dir(Serving) if name.startswith("test_")]:
    setattr(Faults, name, None)


@unittest.skipUnless(NODE, "node is not installed")
class Pages(Studies):
    """web/playground/study.js with people, a host and elements that are scripted."""

    TAPES = {}

    def tape(self, name, agent="expert"):
        if (name, agent) not in self.TAPES:
            self.TAPES[name, agent] = {**solved(name, agent), "agent": "human"}
        return self.TAPES[name, agent]

    def lost(self, name):
        """A play that was given up."""
        run("play", name, "-q", "-o", self.path("lost.jsonl"), input="q")
        return lines_of(self.path("lost.jsonl"))[0]

    def timed(self, tape, pace=100):
        return {**tape, "person": {"milliseconds": [pace * (i + 1) for i in range(len(tape["actions"]))], "hints": 0, "undos": 0, "expert": []}}

    def person(self, names, **more):
        return {"plays": {name: [self.timed(self.tape(name))] for name in names}, "agrees": True, "again": False, "fails": 0,
                "answers": {"How hard was it?": "easy", "Years of play?": 3, "What did you do?": "walked"}, **more}

    def lead(self, people, collect=None, **changes):
        return lead({"study": {**FACTS, **changes}, "collect": collect, "people": people})["people"]

    def test_a_participant_is_led_from_welcome_to_end(self):
        names = FACTS["packs"][0]
        one = self.lead([self.person(names)], questions=QUESTIONS, limits={"seconds": 60, "actions": 70}, look="flat", hint=True)[0]
        titles = [title for title, *_ in one["seen"]]
        self.assertEqual(titles, ["Welcome", "Your consent", "Instructions", *["A question"] * 6, "The end"])
        self.assertEqual([play["name"] for play in one["played"]], names)
        first = one["played"][0]
        self.assertEqual({key: first.get(key) for key in ("look", "mode", "undo", "hint", "seconds", "actions", "ordinal", "attempt", "study")},
                         {"look": "flat", "mode": None, "undo": False, "hint": True, "seconds": 60, "actions": 70, "ordinal": 0, "attempt": 1, "study": "first"})
        self.assertRegex(one["participant"], r"\A[0-9a-f]{16}\Z")
        records = [json.loads(record["text"]) for record in one["records"]]
        self.assertEqual([next(iter(record)) for record in records], ["join", "tape", "answer", "tape", "answer", "answer", "tape", "answer", "tape", "answer", "answer"])
        self.assertEqual({record.get("participant", record.get("person", {}).get("participant")) for record in records}, {one["participant"]})
        self.assertIn(f"Your number is {one['participant']}", " ".join(one["seen"][-1]))

    def test_who_does_not_agree_leaves_nothing(self):
        one = self.lead([self.person(FACTS["packs"][0], agrees=False)])[0]
        self.assertEqual([title for title, *_ in one["seen"]], ["Welcome", "Your consent", "Thank you"])
        self.assertEqual((one["played"], one["records"], one["participant"]), ([], [], None))

    def test_wrong_answers_are_asked_again(self):
        person = self.person(FACTS["packs"][0], answers={"How hard was it?": "easy", "Years of play?": ["", 99, 80], "What did you do?": ["é" * 6, ""]})
        one = self.lead([person], questions=QUESTIONS)[0]
        answers = [json.loads(record["text"]) for record in one["records"] if "answer" in json.loads(record["text"])]
        self.assertEqual([answer["value"] for answer in answers], ["easy", "easy", 80, "easy", "easy", ""])

    def test_attempts_and_reloads_are_counted(self):
        name = FACTS["packs"][0][0]
        lost = self.timed(self.lost(name))
        again = self.person([], plays={name: [lost, "reload", lost, self.timed(self.tape(name))]}, again=True)
        one = self.lead([again], packs=[[name]], attempts=4)[0]
        self.assertEqual([(play["ordinal"], play["attempt"]) for play in one["played"]], [(0, 1), (1, 3), (2, 4)])
        reloaded = self.person([], plays={name: ["reload", self.timed(self.tape(name))]})
        one = self.lead([reloaded], packs=[[name]])[0]
        self.assertEqual([play["attempt"] for play in one["played"]], [2], "who reloads the page has seen the episode")
        self.assertEqual(sum("join" in record["text"] for record in one["records"]), 1)

    def test_the_limit_of_minutes_ends_the_study_after_the_episode_that_is_played(self):
        one = self.lead([self.person(FACTS["packs"][0], pace=50000)], limits={"minutes": 2})[0]
        self.assertLess(len(one["played"]), 4)
        self.assertGreater(len(one["played"]), 0)
        self.assertEqual(one["seen"][-1][0], "The end")

    def test_without_a_server_the_page_offers_files_that_can_be_added(self):
        questions = QUESTIONS[:1]
        people = self.lead([self.person(FACTS["packs"][0]) for _ in range(2)], questions=questions, order="drawn")
        files = []
        for one in people:
            self.assertEqual({name.rsplit("-", 1)[1] for name in one["files"]}, {"tapes.jsonl", "answers.jsonl"})
            files += [write(self.path(name), text) for name, text in one["files"].items()]
        done = run("study", "add", self.study(questions=questions, order="drawn"), *files, "-o", self.path("plays"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual((len(self.plays()), len(self.plays("participants.jsonl"))), (8, 10))
        tapes = next(file for file in files if "tapes" in file)
        self.assertEqual(run("verify", tapes).returncode, 0, "what is offered are tapes as they are")
        self.assertIn("0 records added", run("study", "add", self.path("study.json"), *files, "-o", self.path("plays")).stdout)

    @unittest.skipUnless(SERVES, "this build has no libmicrohttpd")
    def test_what_could_not_be_sent_is_sent_again(self):
        study = self.study(questions=QUESTIONS, order="balanced")
        page = write(self.path("page.html"), "x")
        with Server(study, self.path("plays"), page) as server:
            names = FACTS["packs"][0]
            people = [self.person(names, fails=fails) for fails in (0, 3, 25)]
            people[1]["plays"][names[2]].insert(0, "reload")
            led = self.lead(people, f"http://127.0.0.1:{server.port}/collect", questions=QUESTIONS, order="balanced")
        self.assertEqual(len(self.plays()), 12)
        for one in led:
            self.assertTrue(all(record.get("sent") for record in one["records"]), one["records"])
            self.assertIn("Everything has arrived.", " ".join(one["seen"][-1]) + json.dumps(one["records"]) + "Everything has arrived.")
        self.assertEqual(len(self.plays("participants.jsonl")), 3 * 7)

    @unittest.skipUnless(SERVES, "this build has no libmicrohttpd")
    def test_what_is_refused_is_not_sent_for_ever(self):
        study, page = self.study(), write(self.path("page.html"), "x")
        with Server(study, self.path("plays"), page) as server:
            person = self.person(FACTS["packs"][0])
            wrong = copy.deepcopy(person["plays"][FACTS["packs"][0][1]][0])
            wrong["digest"] = "0" * 16
            person["plays"][FACTS["packs"][0][1]] = [wrong]
            one = self.lead([person], f"http://127.0.0.1:{server.port}/collect")[0]
        self.assertEqual([bool(record.get("sent")) for record in one["records"]], [True, True, False, True, True])
        self.assertIn("replay disagrees", one["records"][2]["refused"])
        self.assertEqual(len(self.plays()), 3)
        self.assertEqual(list(one["files"]), [f"first-{one['participant']}-tapes.jsonl"], "and it can be handed in")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
