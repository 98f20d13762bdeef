"""The page of `seedbed playground`: it is one small file that loads nothing, and its player makes the tapes that the program makes.

    $(scripts/test-python) tests/playground_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Without a built module (./scripts/wasm) or node, what needs them is skipped.

Label: output
"""
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from dataset_support import FOUND, SEEDBED, USAGE, InFolder, read, run, write, write_module

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(ROOT, "web", "playground")
PACKAGE = os.path.join(ROOT, "build", "wasm", "module", "package")
WASM = os.path.join(PACKAGE, "seedbed.wasm")
NODE = shutil.which("node")
MOST, SOURCES_MOST = 3_000_000, 40_000  # bytes of the page, and of its sources, compressed
PACKS = ("autumn", "autumn-canonical")
CANONICAL = os.path.join(ROOT, "seeds", "autumn-canonical.jsonl.gz")
WORLD = os.path.join(ROOT, "examples", "worlds", "crates.sexp")


def packed(page, name):
    found = re.search(rb'<script id="%s" type="application/gzip">([A-Za-z0-9+/=]*)</script>' % name.encode(), page)
    return gzip.decompress(base64.b64decode(found.group(1), validate=True)) if found else None


def document(page, name):
    return json.loads(re.search(rb'<script id="%s" type="application/json">(.*?)</script>' % name.encode(), page, re.S).group(1))


def hash_of(content):
    return b"'sha256-" + base64.b64encode(hashlib.sha256(content).digest()) + b"'"


class Page(InFolder):
    """The page is put together; a few bytes stand for the module."""

    def setUp(self):
        super().setUp()
        self.module = write_module(self.path("seedbed.wasm"), bytes(range(256)) * 4)

    def make(self, *arguments):
        path = self.path("play.html")
        done = run("playground", "-o", path, "--module", self.module, *arguments)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, f"{path}: a page of {os.path.getsize(path)} bytes\n", ""), arguments)
        return read(path)

    def test_nothing_is_loaded_and_the_policy_names_its_own_script_and_style(self):
        page = self.make()
        own = re.sub(rb'<script id="(seeds|starts|module)".*?</script>', b"", page, flags=re.S)
        self.assertNotRegex(own, rb"\bsrc=|@import|\burl\(|<link|<iframe|<object|<embed|XMLHttp|WebSocket|EventSource|sendBeacon|srcset")
        self.assertEqual(re.findall(rb"https?://[^\s\"'<)]*", own), [])
        policy = re.search(rb'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page).group(1)
        style, script = (re.search(rb"<%s>(.*?)</%s>" % (kind, kind), page, re.S).group(1) for kind in (b"style", b"script"))
        self.assertEqual(policy, b"default-src 'none'; base-uri 'none'; form-action 'none'; worker-src blob:; style-src " + hash_of(style)
                         + b"; script-src 'wasm-unsafe-eval' " + hash_of(script))
        self.assertLess(page.index(b"Content-Security-Policy"), page.index(b"<style"))

    def test_it_has_the_module_the_official_seeds_and_both_packs(self):
        page = self.make()
        self.assertEqual(packed(page, "module"), read(self.module))
        seeds = json.loads(packed(page, "seeds"))
        for family in ("agentick", "babyai", "autumn", "arc"):
            for entry in json.loads(run("seeds", "--family", family).stdout)["lists"]:
                name = ("" if family == "agentick" else f"{family}:") + entry["task"] + (f"/{entry['variant']}" if entry["variant"] else "")
                self.assertEqual(seeds[name], [str(seed) for seed in entry["seeds"]], name)
        starts = dict(line.split("\t") for line in packed(page, "starts").decode().splitlines())
        for pack in PACKS:
            with gzip.open(os.path.join(ROOT, "seeds", f"{pack}.jsonl.gz"), "rt") as file:
                next(file)
                challenges = {json.loads(line)["challenge"]: line for line in file}
            self.assertGreater(len(challenges), 100)
            for name, line in challenges.items():
                self.assertTrue(json.loads(starts[name]).startswith(line), name)
        self.assertEqual((document(page, "page"), document(page, "programs")), ({"isRestricted": False}, []))

    def test_a_selection_a_pack_or_names_restrict_what_is_listed(self):
        write(self.path("pack.json"), run("seeds", "--tasks", "GoToGoal", "-d", "easy", "-n", "2").stdout)
        first = json.loads(read(self.path("pack.json")))["lists"][0]["seeds"]
        for arguments, listed in ((["--tasks", "GoToGoal", "-d", "easy", "--seeds", "3..4"], {"GoToGoal-v0/easy": ["3", "4"]}),
                                  (["--pack", self.path("pack.json")], {"GoToGoal-v0/easy": [str(seed) for seed in first]}),
                                  (["babyai:GoTo#7", "arc:Lantern/intro#1"], {"babyai:GoTo": ["7"], "arc:Lantern/intro": ["1"]})):
            page = self.make(*arguments)
            self.assertEqual(json.loads(packed(page, "seeds")), listed)
            self.assertEqual((document(page, "page"), packed(page, "starts")), ({"isRestricted": True}, None))
        page = self.make("--pack", CANONICAL)
        names = [line.split("\t")[0] for line in packed(page, "starts").decode().splitlines()]
        listed = [f"{place}#{seed}" for place, seeds in json.loads(packed(page, "seeds")).items() for seed in seeds]
        self.assertEqual(sorted(listed), sorted(names))

    def test_programs_are_inside(self):
        page = self.make("--program", WORLD, "--challenges", CANONICAL)
        self.assertEqual(document(page, "programs"), [read(WORLD).decode()])
        self.assertEqual(len(packed(page, "starts").decode().splitlines()), 119)

    def test_errors_say_what_to_do(self):
        page, other = self.path("x.html"), write(self.path("other"), "not a module")
        foreign = write(self.path("foreign.wasm"), b"\0asm" + bytes(200) + b"seedbed 0.1.0, web 0123456789ab")
        for arguments, code, words in (([], USAGE, "-o PAGE.html"), (["-o", page, "--module", other], USAGE, "other is no WebAssembly module"),
                                       (["-o", page, "--module", self.path("none.wasm")], FOUND, "none.wasm"),
                                       (["-o", page, "--module", foreign], FOUND, "foreign.wasm does not go with this program"),
                                       (["-o", page, "--tasks", "Nope", "--module", self.module], USAGE, "Nope"),
                                       (["-o", page, "GoToGoal-v0/easy#1", "--pack", CANONICAL], USAGE, "either --pack or a selection")):
            with self.subTest(arguments=arguments):
                done = run("playground", *arguments)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(words, done.stderr)
                self.assertFalse(os.path.exists(page))
        alone = shutil.copy(SEEDBED, self.path("seedbed"))
        done = run("playground", "-o", page, program=alone)
        self.assertEqual(done.returncode, FOUND)
        self.assertRegex(done.stderr, "--module seedbed.wasm.*scripts/wasm")

    def test_a_page_that_is_too_large_is_refused(self):
        large = write_module(self.path("large.wasm"), os.urandom(2_400_000))
        done = run("playground", "-o", self.path("x.html"), "--module", large)
        self.assertEqual(done.returncode, USAGE)
        self.assertRegex(done.stderr, r"would have \d\.\d MB, and at most 3\.0")

    def test_the_sources_are_small(self):
        files = [read(os.path.join(SOURCES, name)) for name in sorted(os.listdir(SOURCES)) if name.endswith((".js", ".css", ".html"))]
        self.assertGreater(len(files), 10)
        self.assertLess(len(gzip.compress(b"".join(files), 9)), SOURCES_MOST)


@unittest.skipUnless(NODE, "needs node: ./scripts/wasm installs it")
class Keys(unittest.TestCase):
    def bound(self, *names, offered=None, clicks=False):
        script = f"""
            import {{ actionOfKey, bindKeys }} from {json.dumps("file://" + os.path.join(SOURCES, "keys.js"))};
            const keys = bindKeys({json.dumps(names)}, {json.dumps(offered or [True] * len(names))}, {json.dumps(clicks)});
            const found = (at) => Object.fromEntries(["ArrowLeft", "ArrowRight", "ArrowUp", " ", ..."abcdefghijklmnopqrstuvwxyz0123456789."]
              .map((key) => [key, actionOfKey(keys, key, at)]).filter(([, action]) => action !== undefined));
            console.log(JSON.stringify({{ series: keys.series, keys: found(), later: found({len(names) - 2}) }}));
        """
        done = subprocess.run([NODE, "--no-warnings", "--input-type=module", "-e", script], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def test_actions_have_the_keys_that_people_expect(self):
        self.assertEqual(self.bound("left", "right", "forward", "pickup", "drop", "toggle", "done")["keys"],
                         {"ArrowLeft": 0, "a": 0, "ArrowRight": 1, "d": 1, "ArrowUp": 2, "w": 2, "p": 3, "o": 4, " ": 5, "t": 5, "x": 6})
        self.assertEqual(self.bound("hail", "noop", "up", clicks=True)["keys"], {"a": 0, ".": 1, "ArrowUp": 2, "w": 2})

    def test_a_series_has_digits_and_arrows_where_these_are_free(self):
        bound = self.bound("quit", *(f"choose_frame_{i}" for i in range(12)), "Submit choice")
        self.assertEqual((bound["series"]["first"], bound["series"]["last"], bound["series"]["isLong"]), (1, 12, True))
        self.assertEqual(bound["keys"], {**{str(i): 1 + i for i in range(10)}, "ArrowRight": 2, "q": 0, "s": 13})
        self.assertEqual((bound["later"]["ArrowLeft"], "ArrowRight" in bound["later"]), (11, False))
        options = self.bound("left", "right", *(f"choose_option_{i}" for i in range(6)))
        self.assertEqual((options["keys"]["3"], options["keys"]["ArrowLeft"], options["series"]["isLong"]), (5, 0, False))

    def test_what_is_not_offered_has_no_key(self):
        self.assertEqual(self.bound("x1", "up", "y1", "y2", offered=[True, False, True, True])["series"]["stem"], "y")
        self.assertEqual(self.bound("up", "down", offered=[True, False])["keys"], {"ArrowUp": 0, "w": 0})


def drawn(*things, standing="level 1 of 3, state NOT_FINISHED", lit=64):
    """A frame of 64 x 64 cells with rectangles (colour, row, column, height, width) on white, as the mode `frame` writes it."""
    rows = [["0"] * 64 for _ in range(63)]
    for colour, row, column, height, width in things:
        for y in range(row, row + height):
            rows[y][column:column + width] = colour * width
    return "\n".join(["".join(row) for row in rows] + ["b" * lit + "5" * (64 - lit), f"{standing}, actions 1 2 3 4"])


@unittest.skipUnless(NODE, "needs node: ./scripts/wasm installs it")
class Spoken(unittest.TestCase):
    """What a frame of a game shows, for people who cannot see it."""

    def said(self, *pairs, left=90):
        lines = "\n".join(json.dumps({"before": before, "now": now, "left": left}) for before, now in pairs)
        done = subprocess.run([NODE, "--no-warnings", os.path.join(ROOT, "tests", "web", "spoken.js"), SOURCES], input=lines, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def change(self, before, now):
        """What is said of a change, without how things stand."""
        said, = self.said((drawn(*before), drawn(*now)))
        self.assertTrue(said.endswith(" Level 1 of 3. 100 percent of the budget and 90 steps left."), said)
        return said.removesuffix(" Level 1 of 3. 100 percent of the budget and 90 steps left.")

    def test_a_first_frame_tells_what_is_there_what_is_single_first(self):
        said, = self.said((None, drawn(("8", 3, 4, 2, 2), ("9", 10, 4, 3, 5), ("9", 20, 4, 3, 5), ("e", 0, 0, 1, 1), lit=32)))
        self.assertEqual(said, "4 things; red 2 by 2 at row 3 column 4; green 1 by 1 at row 0 column 0; 2 blue 5 by 3 at row 10 column 4, row 20 column 4. "
                         "Level 1 of 3. 50 percent of the budget and 90 steps left.")

    def test_what_moved_turned_appeared_vanished_or_grew(self):
        red, door = ("8", 3, 4, 2, 2), ("b", 30, 30, 4, 4)
        self.assertEqual(self.change((red, door), (("8", 3, 7, 2, 2), door)), "Red 2 by 2 moved 3 right to row 3 column 7.")
        self.assertEqual(self.change((red, door), (("8", 5, 1, 2, 2), door)), "Red 2 by 2 moved 3 left, 2 down to row 5 column 1.")
        self.assertEqual(self.change((red, door), (red, ("e", 30, 30, 4, 4))), "Yellow 4 by 4 turned green at row 30 column 30.")
        self.assertEqual(self.change((red,), (red, door)), "Yellow 4 by 4 appeared at row 30 column 30.")
        self.assertEqual(self.change((red, door), (red,)), "Yellow 4 by 4 vanished at row 30 column 30.")
        self.assertEqual(self.change((door,), (("b", 30, 30, 4, 5),)), "Yellow 4 by 4 grew from 16 to 20 cells at row 30 column 30.")
        self.assertEqual(self.change((red,), (red,)), "Nothing changed.")

    def test_what_changes_alike_is_told_together_and_motion_first(self):
        before = [("8", 2 + 6 * i, 10, 2, 2) for i in range(4)] + [("9", 40, 40, 2, 2)]
        now = [("8", 2 + 6 * i, 13, 2, 2) for i in range(4)] + [("c", 40, 50, 2, 2)]
        self.assertEqual(self.change(before, now), "Red 2 by 2 and 3 more moved 3 right to row 2 column 13; orange 2 by 2 appeared at row 40 column 50; "
                         "blue 2 by 2 vanished at row 40 column 40.")

    def test_the_end_and_the_next_level_come_first(self):
        red = ("8", 3, 4, 2, 2)
        over, won, after = self.said((drawn(red), drawn(red, standing="level 1 of 3, state GAME_OVER", lit=1)),
                                     (drawn(red), drawn(red, standing="level 3 of 3, state WIN")),
                                     (drawn(red), drawn(("9", 5, 5, 1, 1), standing="level 2 of 3, state NOT_FINISHED")))
        self.assertTrue(over.startswith("Game over, only a reset goes on."), over)
        self.assertTrue(won.startswith("The game is won."), won)
        self.assertTrue(after.startswith("Level 2 of 3 begins. 1 thing; blue 1 by 1 at row 5 column 5."), after)

    def test_no_state_of_a_game_takes_more_than_sixty_words(self):
        games = ("Clockwork", "Lantern", "Moss", "Stamp")
        with tempfile.TemporaryDirectory() as folder:
            tapes = os.path.join(folder, "tapes.jsonl")
            run("solve", *(f"arc:{game}/intro#2" for game in games), "--agent", "random", "-q", "-o", tapes)
            steps = [json.loads(line) for line in run("replay", tapes, "--json", "--modes", "frame").stdout.splitlines()]
        frames = [(step["step"], step["observations"]["frame"]) for step in steps]
        pairs = [(frames[i - 1][1] if step else None, frame) for i, (step, frame) in enumerate(frames)]
        said = self.said(*pairs)
        self.assertGreater(len(set(said)), 100)
        self.assertLessEqual(max(len(text.split()) for text in said), 60)
        self.assertEqual([text for text in said if "undefined" in text or "NaN" in text], [])


@unittest.skipUnless(NODE, "needs node: ./scripts/wasm installs it")
class Workers(unittest.TestCase):
    """The page's side of its workers, with workers that answer nothing by themselves."""

    def test_what_is_asked_while_the_module_compiles_can_be_cancelled(self):
        script = f"""
            import {{ Core }} from {json.dumps("file://" + os.path.join(SOURCES, "core.js"))};
            const made = [];
            globalThis.Worker = class {{
              constructor() {{ made.push(this), this.said = []; }}
              addEventListener(kind, heard) {{ this.heard = heard; }}
              postMessage(message) {{ this.said.push(message), this.heard?.({{ data: {{ id: message.id, answer: message.ask }} }}); }}
              terminate() {{ this.heard = null; }}
            }};
            let compiled;
            const compile = WebAssembly.compile; // Node has modules of its own
            WebAssembly.compile = (bytes) => bytes.byteLength ? compile(bytes) : new Promise((resolve) => compiled = resolve);
            const core = new Core({{ module: "H4sIAAAAAAAAAwMAAAAAAAAAAAA=", source: "" }}), said = [];
            const asked = core.thinker.ask("hint").then((answer) => said.push(answer), (error) => said.push(error.message));
            await Promise.resolve();
            core.thinker.cancel();
            while (!compiled) await new Promise((resolve) => setImmediate(resolve));
            compiled({{}});
            for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
            said.push(made[0].said.length, await core.thinker.ask("again"));
            console.log(JSON.stringify(said));
        """
        done = subprocess.run([NODE, "--no-warnings", "--input-type=module", "-e", script], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        self.assertEqual(json.loads(done.stdout), ["cancelled", 0, "again"])


def reason_to_skip():
    return None if NODE and os.path.exists(WASM) else "needs node and the module: ./scripts/wasm makes both"


@unittest.skipIf(reason_to_skip(), reason_to_skip())
class Player(InFolder):
    def test_a_whole_page_has_at_most_three_megabytes(self):
        self.assertEqual(run("playground", "-o", self.path("play.html"), "--module", WASM).returncode, 0)
        size = os.path.getsize(self.path("play.html"))
        print(f"{size} bytes")
        self.assertLessEqual(size, MOST)

    def native(self):
        """Tapes that the program makes: of experts, of random actions where these take long, and of challenges."""
        tasks = {family["family"]: [task["name"] for task in family["tasks"]] for family in json.loads(run("tasks", "--json").stdout)}
        names = [f"{task}/{level}#{seed}" for task in tasks["agentick"] for level, seed in (("easy", 5), ("medium", 8))]
        names += [f"babyai:{task}#{seed}" for seed, task in enumerate(tasks["babyai"][::2])]
        drawn = [f"autumn:{task}#3" for task in tasks["autumn"]] + [f"arc:{task}/intro#2" for task in tasks["arc"]]
        with gzip.open(CANONICAL, "rt") as file:
            challenges = [json.loads(line)["challenge"] for line in list(file)[1::6]]
        tapes = []
        for chosen, agent, more in ((names, "expert", ()), (drawn, "random", ()), (challenges, "planner", ("--challenges", CANONICAL))):
            done = run("solve", *chosen, "--agent", agent, *more, "-q", "-o", self.path("tapes.jsonl"))
            self.assertIn(done.returncode, (0, FOUND), done.stderr)
            tapes += [json.loads(line) for line in read(self.path("tapes.jsonl")).splitlines()]
        return tapes

    def test_tapes_of_a_scripted_person_are_those_of_the_program(self):
        tapes = self.native()
        self.assertGreaterEqual(len(tapes), 200)
        self.assertEqual({tape["name"].partition(":")[0] for tape in tapes if ":" in tape["name"]}, {"babyai", "autumn", "arc"})
        run("playground", "GoToGoal-v0/easy#1", "--challenges", CANONICAL, "--module", WASM, "-o", self.path("play.html"))
        starts = dict(line.split("\t") for line in packed(read(self.path("play.html")), "starts").decode().splitlines())
        lines = []
        for i, tape in enumerate(tapes):
            start = starts.get(tape["name"]) if "/" in tape["name"] else None
            lines.append(json.dumps({"name": tape["name"], "actions": tape["actions"], "wrong": 10**9 if start else 3 + i % 40,
                                     **({"start": json.loads(start)} if start else {})}))
        player = [NODE, os.path.join(ROOT, "tests", "web", "player.js"), PACKAGE, SOURCES]
        done = subprocess.run(player, input="\n".join(lines), capture_output=True, text=True, timeout=600)
        self.assertEqual(done.stderr, "")
        made = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(made), len(tapes))
        for tape, one in zip(tapes, made):
            for key in ("intents", "labels", "said"):
                tape.pop(key, None)
            self.assertEqual(json.loads(one["own"]), {**tape, "agent": "human"}, tape["name"])
            self.check_person(json.loads(one["tape"]), tape)
        write(self.path("human.jsonl"), "".join(f"{one['tape']}\n" for one in made))
        done = run("verify", self.path("human.jsonl"), "--challenges", CANONICAL)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_hints_go_on_after_a_tape_was_read(self):
        run("playground", "GoToGoal-v0/easy#1", "--challenges", CANONICAL, "--module", WASM, "-o", self.path("play.html"))
        name, start = next(line for line in packed(read(self.path("play.html")), "starts").decode().splitlines()).split("\t", 1)
        run("solve", "GoToGoal-v0/easy#1", "-q", "-o", self.path("tape.jsonl"))
        asked = {"name": name, "start": json.loads(start), "programs": [read(WORLD).decode()], "actions": [], "agent": "planner", "depth": ""}
        line = read(self.path("tape.jsonl")).decode()
        script = f"""
            import {{ readFileSync }} from "node:fs";
            let hear;
            const answers = [];
            globalThis.addEventListener = (kind, heard) => hear = heard;
            globalThis.postMessage = ({{ answer, error, progress }}) => progress || answers.push(error ?? answer?.action ?? answer?.name ?? "begun");
            await import({json.dumps("file://" + os.path.join(SOURCES, "worker.js"))});
            const asked = {json.dumps(asked)}, module = await WebAssembly.compile(readFileSync({json.dumps(WASM)}));
            const tape = {{ line: {json.dumps(line)}, programs: asked.programs }};
            for (const [ask, given] of [["begin", {{ module }}], ["hint", asked], ["readTape", tape], ["hint", asked]])
              await hear({{ data: {{ id: 0, ask, given }} }});
            console.log(JSON.stringify(answers));
        """
        done = subprocess.run([NODE, "--no-warnings", "--input-type=module", "-e", script], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        begun, first, tape, second = json.loads(done.stdout)
        self.assertEqual((begun, tape, second), ("begun", "GoToGoal-v0/easy#1", first))
        self.assertIsInstance(first, int)

    def check_person(self, whole, tape):
        person = whole.pop("person")
        self.assertEqual(whole, {**tape, "agent": "human"})
        self.assertEqual({key: person[key] for key in ("ordinal", "attempt", "hints")}, {"ordinal": 3, "attempt": 1, "hints": 0})
        self.assertEqual(person["expert"], list(range(4, len(tape["actions"]), 5)))
        self.assertEqual(len(person["milliseconds"]), len(tape["actions"]))
        self.assertEqual(sorted(person["milliseconds"]), person["milliseconds"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
