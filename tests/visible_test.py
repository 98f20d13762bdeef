"""No hidden character from a file, a program or an argument reaches a terminal: even if any field of any document contains control
characters, marks of writing direction, line separators or characters without width, the output of commands contains none.

    python3 tests/visible_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import concurrent.futures
import gzip
import hashlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import time
import unicodedata
import unittest

from dataset_support import SEEDBED, InFolder, read, run, write

FORGED = "seedbed: all is well"
SHORT = "\n!\x1b[m\x7f\u202e\u2028\x85\u200b"  # fits into a name of 23 bytes
LONG = f"\n{FORGED}\n\x1b]0;title\x07\x1b[2J\r\x9b1m\x7f\u061c\u200e\u202e\u2066\u2028\u2029\u200b\ufeff\U000e0041"
VISIBLE_FORMATS = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")  # signs of numbers
WORKERS = 4
STRIDE = 5 if os.environ.get("SEEDBED_SLOW") else 1  # every fifth case is tried under sanitizers
TAKE_ANYTHING = {"--output", "--socket", "--html", "--agent-log", "--name", "--license", "--description"}  # these options take any text, and the command runs


def is_hidden(character):
    return character not in VISIBLE_FORMATS and unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Cs")


def escape(character):
    number = ord(character)
    if character in "\n\t":
        return {"\n": "\\n", "\t": "\\t"}[character]
    return f"\\x{number:02x}" if number < 0x80 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def strings_of(document, path=()):
    """Yields the places of texts in a document: the path to each text, and to each key."""
    if isinstance(document, str):
        yield path, False
    elif isinstance(document, list):
        for i, item in enumerate(document[:3]):
            yield from strings_of(item, path + (i,))
    elif isinstance(document, dict):
        for key, value in document.items():
            yield path + (key,), True
            yield from strings_of(value, path + (key,))


def with_text(document, path, is_key, change):
    """Returns a copy in which the text at this place is replaced."""
    if not path:
        return change(document)
    if isinstance(document, list):
        return [with_text(item, path[1:], is_key, change) if i == path[0] else item for i, item in enumerate(document)]
    if is_key and len(path) == 1:
        return {change(key) if key == path[0] else key: value for key, value in document.items()}
    return {key: with_text(value, path[1:], is_key, change) if key == path[0] else value for key, value in document.items()}


def hostile_versions(document, keys=True):
    """Yields copies of the document, each with one text altered."""
    for path, is_key in strings_of(document):
        if is_key and not keys:
            continue
        for change in (lambda text: SHORT, lambda text: text + LONG):
            yield path, with_text(document, path, is_key, change)


def dumped(document):
    return json.dumps(document, ensure_ascii=False)


def seal(manifest):
    body = dumped({key: value for key, value in manifest.items() if key != "sha256"}).removesuffix("}").encode()
    return body + b',\n "sha256": "' + hashlib.sha256(body).hexdigest().encode() + b'"}\n'


def said_on(terminal):
    """Returns everything that arrives before the other end is closed. It may arrive in pieces, however it was written."""
    said = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            return said
        if not piece:
            return said
        said += piece


class Visible(InFolder):
    def check_output(self, said, what):
        text = said.decode().replace("\x1b[H\x1b[J", "")  # fails if it is not UTF-8; frames of --watch begin with this sequence of our own
        hidden = [escape(c) for c in text if c not in "\n\t" and is_hidden(c)]
        self.assertEqual(hidden, [], (what, text))
        self.assertNotIn(FORGED, text.splitlines(), (what, text))

    def check(self, *arguments, **options):
        done = subprocess.run([options.pop("program", SEEDBED), *arguments], capture_output=True, timeout=900, **options)
        self.assertGreaterEqual(done.returncode, 0, arguments)
        self.check_output(done.stdout, arguments)
        self.check_output(done.stderr, arguments)
        return done.returncode, done.stdout, done.stderr

    def check_all(self, cases):
        """Runs pairs of (what is hostile, a function that checks it); under sanitizers only a sample of them."""
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            for case in [pool.submit(do, *arguments) for do, *arguments in cases[::STRIDE]]:
                case.result()

    def attempt(self, name, content, commands):
        """Runs the commands, in which FILE stands for a file with this content, and returns their exit codes."""
        path = write(self.path(name), content)
        return [self.check(*[path if word == "FILE" else word for word in command])[0] for command in commands]

    def attempt_versions(self, documents, to_file, commands, keys=True):
        codes, cases = [], []
        for n, document in enumerate(documents):
            for k, (place, version) in enumerate(hostile_versions(document, keys)):
                cases.append((lambda *a: codes.append(self.attempt(*a)), f"{n}-{k}", to_file(n, version), commands))
        self.assertGreater(len(cases), 5)
        self.check_all(cases)
        return codes

    def assert_some(self, wanted, codes):
        """Some of the cases end like this; a sample of them may not."""
        if STRIDE == 1:
            self.assertIn(wanted, codes)

    # ---- The rule itself ----

    def test_every_hidden_character_becomes_an_escape_and_no_other_changes(self):
        everything = [c for c in map(chr, range(1, sys.maxunicode + 1)) if unicodedata.category(c) not in ("Cs", "Cn", "Co")]
        unassigned = set(map(chr, [*range(0xe0000, 0xe1000), 0x2065, 0xfffe, 0xffff]))
        also = set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | unassigned  # these are invisible, too
        batch, expected = "", ""
        for character in everything:
            batch += character
            expected += escape(character) if is_hidden(character) or character in also else character
            if len(expected.encode()) > 3900 or character == everything[-1]:  # messages have at most 4,096 bytes
                said = subprocess.run([SEEDBED, "=" + batch], capture_output=True).stderr.decode()
                self.assertIn(f"there is no command `={expected}`", said)
                batch, expected = "", ""
        for character in sorted(unassigned):
            said = subprocess.run([SEEDBED, "=" + character], capture_output=True).stderr.decode() if ord(character) % 97 == 0 else ""
            self.assertNotIn(character, said)

    def test_bytes_that_are_not_utf8_become_escapes(self):
        for raw, shown in ((b"\xff\xfe", "\\xff\\xfe"), (b"\xc3", "\\xc3"), (b"\xed\xa0\x80", "\\xed\\xa0\\x80"), (b"\xc0\xaf", "\\xc0\\xaf")):
            self.assertIn(f"`={shown}`", self.check(b"=" + raw)[2].decode())
            self.assertIn(shown, self.check("verify", os.path.join(self.folder.encode(), raw))[2].decode())

    # ---- Arguments ----

    def test_arguments(self):
        commands = [line for line in run("help", "--commands").stdout.split() if line]
        self.assertIn("verify", commands)
        texts = [LONG, SHORT, "--" + LONG, "-" + SHORT, LONG.encode() + b"\xff"]
        cases = [(self.check, command, text) for command in commands for text in texts]
        cases += [(self.check, text) for text in texts] + [(self.check, "help", text) for text in texts]
        options = {command: set(re.findall(r"(--[a-z-]+) [A-Z0-9]", run(command, "--help-all").stdout)) for command in commands}
        self.assertIn("--agent", options["eval"])
        for command in commands:
            for option in options[command] - TAKE_ANYTHING:
                cases.append((lambda *a: self.check(*a, cwd=self.folder, stdin=subprocess.DEVNULL), command, option, LONG))
        self.assertGreater(len(cases), 200)
        self.check_all(cases)

    def test_names_of_output_files(self):
        path = os.path.join(self.folder, SHORT)
        for arguments in (["solve", "GoToGoal/easy#1", "-o", path], ["seeds", "--tasks", "GoToGoal", "-o", path + "2"],
                          ["eval", "PreciseNavigation/easy#1", "-o", path + "3"], ["build", "PreciseNavigation/easy#1", "-o", path + "4"],
                          ["build", "PreciseNavigation/easy#1", "--shard", "1/1", "-o", path + "5"],
                          ["play", "GoToGoal/easy#1", "-o", path + "6"], ["merge", path + "5", "-o", path + "7"],
                          ["render", path + "4", "-f", "chat"], ["report", path + "3", "--html", path + "8"],
                          ["verify", path, path + "2", path + "3", path + "4"], ["seeds", "diff", path + "2", path + "2"]):
            code, said, _ = self.check(*arguments, stdin=subprocess.DEVNULL)
            self.assertEqual(code, 0, arguments)

    # ---- Documents ----

    def test_tapes(self):
        tape = json.loads(run("solve", "GoToGoal/easy#1", "--json").stdout)
        other = json.loads(run("solve", "KeyDoorPuzzle/easy#1", "--json").stdout)
        commands = [["replay", "FILE"], ["replay", "FILE", "--watch", "--delay", "0", "--color", "never"], ["verify", "FILE"],
                    ["eval", "GoToGoal/easy#1", "--agent", "tape:FILE"], ["replay", "FILE", "--quiet"]]
        codes = self.attempt_versions([tape, other], lambda n, document: dumped(document) + "\n", commands)
        self.assert_some([0, 0, 0], [each[:3] for each in codes])  # the agent of a foreign tape may have any name
        path = write(self.path("hostile"), dumped({**tape, "agent": SHORT}) + "\n")
        self.assertIn("played by \\n!\\x1b[m\\x7f\\u202e\\u2028\\u0085\\u200b, success", self.check("replay", path)[1].decode())
        exact = json.loads(run("replay", path, "--json").stdout.split("\n")[0])
        self.assertEqual(exact["agent"], SHORT, "data stays as it is")
        self.check("build", "--agent", "tapes:" + path, "-o", self.path("built"))
        self.check("verify", self.path("built"))

    def test_results(self):
        script = write(self.path("agent.py"), "import sys\nfor i, line in enumerate(sys.stdin):\n    print('no' if i else '{}', flush=True)\n")
        program = f"exec:{sys.executable} {script}"
        for name, agent in (("won", "expert"), ("lost", program)):
            run("eval", "GoToGoal/easy#1", "--agent", agent, "-o", self.path(name))
        documents = [json.loads(read(self.path(name))) for name in ("won", "lost")]
        commands = [["verify", "FILE"], ["report", "FILE", "--published", "none"], ["report", "FILE", "--published", "none", "--markdown"]]
        codes = self.attempt_versions(documents, lambda n, document: dumped(document), commands, keys=False)
        self.assert_some([0, 0, 0], codes)
        for document in documents:
            both = [write(self.path(name), dumped({**document, "agent": {**document["agent"], "name": text}}))
                    for name, text in (("one", LONG), ("two", SHORT))]
            for form in ([], ["--markdown"], ["--html", "-"]):
                self.assertEqual(self.check("report", *both, write(self.path("again"), read(both[0])), *form)[0], 0)

    def test_packs(self):
        run("seeds", "--tasks", "GoToGoal", "-d", "easy", "--split", "mine", "-n", "2", "-o", self.path("pack.json"))
        document = json.loads(read(self.path("pack.json")))
        commands = [["verify", "FILE"], ["seeds", "diff", "FILE", self.path("pack.json")], ["eval", "--pack", "FILE"]]
        self.attempt_versions([document], lambda n, version: dumped(version), commands)

    def test_certificates(self):
        run("certify", "GoToGoal/easy#1", "PreciseNavigation/hard#42", "-o", self.path("certificates.jsonl.gz"))
        lines = [json.loads(line) for line in gzip.decompress(read(self.path("certificates.jsonl.gz"))).splitlines()]
        self.assertGreater(len(lines), 3)

        def whole(n, version):
            return "".join(dumped(version if i == n else line) + "\n" for i, line in enumerate(lines))
        self.attempt_versions(lines, whole, [["verify", "FILE"], ["eval", "GoToGoal/easy#1", "--certificates", "FILE"]])

    def test_recipes(self):
        recipe = {"name": "n", "description": "d", "license": "l", "tasks": "PreciseNavigation", "difficulty": "easy", "split": "train", "count": 1,
                  "oracle": [{"agent": "expert", "weight": 1}, {"agent": "random"}], "labels": "expert", "reward": "sparse",
                  "formats": ["steps", {"format": "chat", "name": "talk", "rows": "step", "modes": "ascii"}], "modes": "ascii"}
        listed = {"names": ["GoToGoal/easy#1"], "oracle": "expert"}
        self.attempt_versions([recipe, listed], lambda n, version: dumped(version), [["build", "--recipe", "FILE", "--dry-run"]])
        for n, (_, version) in enumerate(hostile_versions(recipe)):
            folder = self.path(f"b{n}")
            if self.check("build", "-r", write(self.path("recipe.json"), dumped(version)), "-o", folder)[0] == 0:
                self.assertEqual(self.check("verify", folder)[0], 0)

    def test_datasets(self):
        flags = ["--tasks", "PreciseNavigation", "-d", "easy", "--split", "train", "-n", "2", "--name", "n"]
        whole, part = self.build("whole", *flags), self.build("part", *flags, "--shard", "1/1")
        cases, copies = [], 0

        def alter(source, name, content, *commands):
            nonlocal copies
            copies += 1
            folder = self.path(f"copy{copies}")
            shutil.copytree(source, folder)
            write(os.path.join(folder, name), content)
            for command in commands:
                self.check(*[folder if word == "FILE" else word.replace("FILE", folder) for word in command])

        manifest = json.loads(read(os.path.join(whole, "manifest.json")))
        for _, version in hostile_versions(manifest):
            cases.append((alter, whole, "manifest.json", seal(version), ["verify", "FILE"], ["render", "FILE", "-f", "chat"]))
        for name in ("stats.json", "croissant.json"):
            for k, (_, version) in enumerate(hostile_versions(json.loads(read(os.path.join(whole, name))))):
                if k % 5 == 0:
                    cases.append((alter, whole, name, dumped(version), ["verify", "FILE"]))
        lines = [json.loads(line) for line in read(os.path.join(part, "journal.jsonl")).splitlines()]
        for n, line in enumerate(lines):
            for _, version in hostile_versions(line):
                journal = "".join(dumped(version if i == n else other) + "\n" for i, other in enumerate(lines))
                cases.append((alter, part, "journal.jsonl", journal, ["merge", "FILE", "-o", "FILE-whole"]))
        self.check_all(cases)

    def test_foreign_files_in_a_dataset(self):
        folder = self.build("d", "PreciseNavigation/easy#1")
        for name in ("steps-" + SHORT + ".jsonl.gz", SHORT, SHORT.encode() + b"\xff"):
            path = os.path.join(os.fsencode(folder), os.fsencode(name))
            write(path, "x")
            self.check("verify", folder)
            self.check("render", folder, "-f", "chat")
            os.unlink(path)

    def test_recordings(self):
        golden = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden")
        recording = json.loads(gzip.decompress(read(os.path.join(golden, "GoToGoal.jsonl.gz"))).splitlines()[0])
        recording["rollouts"] = [dict(rollout, **{key: value[:2] for key, value in rollout.items() if isinstance(value, list)})
                                 for rollout in recording.get("rollouts", [])[:1]]
        babyai = min(os.listdir(os.path.join(golden, "babyai")))
        documents = [recording, json.loads(gzip.decompress(read(os.path.join(golden, "babyai", babyai))).splitlines()[0])]
        codes = self.attempt_versions(documents, lambda n, version: dumped(version) + "\n", [["conform", "FILE"]])
        self.assert_some([1], codes)

    def test_answers_and_baselines(self):
        answers = [{"name": "babyai:GoToRedBall#1", "answer": "left, left"}, {"env_name": "BabyAI-GoToRedBall-v0", "seed": 1, "answer": "(1, 2)"}]
        commands = [["score", "--protocol", protocol, "FILE"] for protocol in ("predict", "plan", "decompose")]
        self.attempt_versions(answers, lambda n, version: dumped(version) + "\n", commands)
        baseline = json.loads(run("baseline", "--tasks", "GoToGoal", "-d", "easy").stdout)
        self.attempt_versions([baseline], lambda n, version: dumped(version), [["eval", "GoToGoal/easy#1", "--baseline", "FILE"]])

    # ---- Programs ----

    def test_programs_that_play(self):
        for first in (dumped({"name": LONG}), dumped({"name": SHORT}), LONG.replace("\n", ""), dumped({"modes": [LONG]})):
            for reply in (dumped({"action": LONG}), dumped({LONG: 1}), LONG.replace("\n", "")):
                script = write(self.path("agent.py"), "import sys\nfor i, line in enumerate(sys.stdin):\n"
                               f"    print({first!r} if i == 0 else {reply!r}, flush=True)\n")
                self.check("eval", "GoToGoal/easy#1", "--agent", f"exec:PYTHONUTF8=1 {sys.executable} {script}")
        self.check("eval", "GoToGoal/easy#1", "--name", LONG)
        self.check("eval", "GoToGoal/easy#1", "--agent", f"exec:exit 3 # {LONG}", stdin=subprocess.DEVNULL)

    def test_the_programs_own_escape_sequences_still_reach_the_terminal(self):
        script = write(self.path("agent.py"), "import signal, sys\nfor line in sys.stdin:\n    if 'hello' in line: print('{}', flush=True)\n"
                       f"    else:\n        open({self.path('asked')!r}, 'w').close()\n        signal.pause()\n")
        ours, theirs = pty.openpty()
        child = subprocess.Popen([SEEDBED, "eval", "GoToGoal/easy#1", "--agent", f"exec:{sys.executable} {script}"], stderr=theirs)
        os.close(theirs)
        until = time.monotonic() + 60
        while not os.path.exists(self.path("asked")) and time.monotonic() < until:
            time.sleep(0.01)
        child.terminate()
        child.wait(timeout=900)
        self.assertIn(b"\r\x1b[Kseedbed: Terminated after 0 of 1 episodes", said_on(ours))
        os.close(ours)

    def test_commands_print_only_by_the_functions_that_escape(self):
        """Only these commands print by themselves: lists of the program's own, and pictures."""
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        own = {"cli.c", "output.c", "manual.c", "complete.c", "terminal.c"}
        for name in sorted(os.listdir(os.path.join(root, "cli"))):
            text = read(os.path.join(root, "cli", name)).decode()
            found = re.findall(r"\b(?:v?f?printf|fputs|puts|putchar|putc|fputc|fwrite|write|dprintf|perror|psignal)\(", text)
            if name.endswith(".c") and name not in own:
                self.assertEqual(found, [], name)
        cmake = read(os.path.join(root, "CMakeLists.txt")).decode()
        for layer in re.search(r"^set\(layers (.*) cli\)$", cmake, re.M).group(1).split():
            for here, _, names in os.walk(os.path.join(root, layer)):
                for name in names:
                    text = read(os.path.join(here, name)).decode(errors="replace") if name.endswith(".c") else ""
                    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
                    self.assertEqual(re.findall(r"\b(?:printf|puts|putchar|perror|psignal)\(|\b(?:stdout|stderr)\b", text), [], name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
