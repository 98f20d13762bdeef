"""Playing by hand and watching tapes, through pipes and on a terminal.

    python3 tests/play_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import base64
import codecs
import collections
import contextlib
import fcntl
import gzip
import hashlib
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
EPISODE = "GoToGoal-v0/easy#0"
ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"


def run(*arguments, keys="", program=SEEDBED):
    return subprocess.run([program, *arguments], input=keys, capture_output=True, text=True, timeout=900)


class Terminal:
    """Runs the program on its own terminal, as ssh and tmux do."""

    def __init__(self, *arguments, program=SEEDBED, rows=40, columns=80, typed_ahead="", **environment):
        self.ours, self.theirs = pty.openpty()
        os.write(self.ours, typed_ahead.encode())
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(self.theirs)
        environment = {"TERM": "xterm-256color", "NO_COLOR": "", "COLORTERM": "", "TERM_PROGRAM": "", "LC_ALL": "C.UTF-8", **environment}
        self.child = subprocess.Popen([program, *arguments], stdin=self.theirs, stdout=self.theirs, stderr=self.theirs,
                                      start_new_session=True, preexec_fn=self.take_control, env=dict(os.environ, **environment))
        self.said = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")  # a crash may cut a character

    def take_control(self):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def wait_for(self, words, seconds=30):
        until = time.monotonic() + seconds
        while words not in self.said:
            if time.monotonic() > until:
                raise AssertionError(f"{words!r} did not come: {self.said[-2000:]!r}")
            if select.select([self.ours], [], [], 0.1)[0]:
                with contextlib.suppress(OSError):
                    self.said += self.decoder.decode(os.read(self.ours, 1 << 16))
        at = self.said.index(words) + len(words)
        self.said, seen = self.said[at:], self.said[:at]
        return seen

    def rest(self):
        """Returns what is written until the program ends, which is to be well."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if select.select([self.ours], [], [], 0.01)[0]:
                self.said += self.decoder.decode(os.read(self.ours, 1 << 16))
            elif self.child.poll() is not None and not select.select([self.ours], [], [], 0)[0]:
                break
        assert self.child.wait(timeout=60) == 0, self.said
        return self.said

    def press(self, keys):
        os.write(self.ours, keys.encode())

    def is_as_before(self):
        return termios.tcgetattr(self.theirs)[:6] == self.before[:6]

    def close(self):
        if self.child.poll() is None:
            self.child.kill()
        self.child.wait()
        for end in (self.ours, self.theirs):
            with contextlib.suppress(OSError):
                os.close(end)


class Terminals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-play-")
        self.addCleanup(folder.cleanup)
        self.tape = os.path.join(folder.name, "mine.jsonl")

    def terminal(self, *arguments, **options):
        terminal = Terminal(*arguments, **options)
        self.addCleanup(terminal.close)
        return terminal


class Playing(Terminals):
    def play(self, name, keys, program=SEEDBED):
        done = run("play", name, "-o", self.tape, keys=keys, program=program)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("\x1b", done.stdout)
        with open(self.tape, encoding="utf-8") as file:
            return done.stdout, json.load(file)

    def test_keys_and_arrows_are_actions_and_the_tape_replays(self):
        said, tape = self.play(EPISODE, "wasd.e\x1b[A\x1b[B\x1bOC\x1b[1;2D")
        self.assertEqual(tape["actions"], [1, 3, 2, 4, 0, 5, 1, 2, 4, 3])
        self.assertEqual(tape["agent"], "human")
        self.assertIn("not finished after 10 steps", said)
        done = run("verify", self.tape)
        self.assertEqual(done.returncode, 0, done.stderr)
        shown = run("replay", self.tape).stdout.splitlines()
        self.assertEqual(len(shown), 11)
        self.assertRegex(shown[1], r"^ +1  move_up")

    def test_undo_and_restart_take_steps_back_exactly(self):
        _, tape = self.play("KeyDoorPuzzle-v0/easy#1", "wsadu" + "u" * 10 + "wd")
        _, straight = self.play("KeyDoorPuzzle-v0/easy#1", "wd")
        self.assertEqual(tape, straight)
        _, again = self.play("KeyDoorPuzzle-v0/easy#1", "wsadrwd")
        self.assertEqual(again, straight)

    def test_following_hints_solves_the_episode(self):
        letters = {"move_up": "w", "move_down": "s", "move_left": "a", "move_right": "d", "interact": "e", "noop": "."}
        keys = ""
        for _ in range(40):
            said, tape = self.play("KeyDoorPuzzle-v0/easy#1", keys + "?")
            if tape["success"]:
                break
            keys += letters[re.findall(r"^Hint: (\w+), to \w+", said, re.M)[-1]]
        self.assertTrue(tape["success"])
        self.assertIn(f"Success after {len(keys)} steps.", said)
        solved = json.loads(run("solve", "KeyDoorPuzzle-v0/easy#1", "--json").stdout)
        self.assertEqual(solved["actions"], tape["actions"])
        _, after = self.play("KeyDoorPuzzle-v0/easy#1", keys + "wwww")
        self.assertEqual(after["actions"], tape["actions"])  # actions after the end are ignored
        _, back = self.play("KeyDoorPuzzle-v0/easy#1", keys + "u")
        self.assertEqual(back["actions"], tape["actions"][:-1])

    def test_actions_without_keys_are_typed(self):
        said, tape = self.play("toy:Hunt-v1#3", ":click_20_3\n:nonsense\n:1\n:xx\x7f\x7f2\n", program=TOY)
        self.assertEqual(tape["actions"], [3 + 3 * 40 + 20, 1, 2])
        self.assertIn("`nonsense` is not an action", said)
        self.assertIn("a add   d double   o drop", said)
        self.assertNotIn("click_0_0", said)

    def test_every_button_of_a_multi_level_game_has_a_key(self):
        _, tape = self.play("arc:Polarity/full#7", "Rwsad ez" + "1234 57" + "\x1b[A\x1b[B\x1bOC")
        self.assertEqual(tape["actions"], [0, 1, 2, 3, 4, 5, 5, 6, 1, 2, 3, 4, 5, 5, 6, 1, 2, 4])

    def test_frames_of_an_action_are_printed_and_those_of_a_restart(self):
        name = "arc:Chimes/intro#7"
        melody = [frame.strip() for frame in re.split(r"frame \d+ of \d+\n", run("show", name, "--mode", "frames").stdout.split("\nlevel")[0])[1:]]
        self.assertEqual(len(melody), 7)
        for keys, times in (("", 1), ("e", 2), ("er", 3)):
            said, _ = self.play(name, keys)
            frames = [screen.strip() for screen in re.findall(r"(?:[0-9a-f]{64}\n){64}", said)]
            # the budget in the last row changes with every action
            self.assertEqual([frame[:63 * 65] for frame in frames], [frame[:63 * 65] for frame in melody] * times)

    def test_wrong_calls_say_what_is_wrong(self):
        for arguments, words in ((["play"], "name one episode"), (["play", "GoToGaol/easy#1"], "did you mean"),
                                 (["play", EPISODE, "--agent", "sage"], "known agents: "), (["replay"], "file of tapes"),
                                 (["replay", "/no/such/file"], "cannot read"),
                                 (["play", EPISODE, "--json"], "programs play with `seedbed serve`"),
                                 (["replay", "x", "--json", "--watch"], "five ways"),
                                 (["replay", "x", "--modes", "ascii"], "--modes are the observations of --json")):
            done = run(*arguments)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(words, done.stderr)
        done = run("replay", "-", keys="")
        self.assertEqual((done.returncode, done.stderr), (1, "seedbed replay: there are no tapes\n"))

    def lines_of(self, *arguments, program=SEEDBED, keys=None):
        done = run("replay", "-", "--json", *arguments, program=program, keys=keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_replay_as_json_has_every_step(self):
        tapes = run("solve", EPISODE, "GoTo#3", "--json").stdout.splitlines()
        lines = self.lines_of("--modes", "language,state", keys=tapes[0]) + \
            self.lines_of("--modes", "language,full", keys=tapes[1])
        for tape, document in zip(map(json.loads, tapes), ("state", "full")):
            steps = [line for line in lines if line["name"] == tape["name"]]
            self.assertEqual([line["step"] for line in steps], list(range(len(tape["actions"]) + 1)))
            self.assertEqual([line["action"] for line in steps], [None] + tape["actions"])
            self.assertEqual({line["agent"] for line in steps}, {"expert"})
            self.assertEqual(sum(line["reward"] or 0 for line in steps), tape["return"])
            for key in ("return", "dense_return", "success", "terminated", "truncated"):
                self.assertEqual(steps[-1][key], tape[key])
            self.assertFalse(any(line["terminated"] or line["success"] for line in steps[:-1]))
            for mode in ("language", document):
                seen = json.loads(run("show", tape["name"], "--mode", mode, "--json").stdout)["observation"]
                self.assertEqual(steps[0]["observations"][mode], seen)
                self.assertNotEqual(steps[-1]["observations"][mode], seen)
        self.assertEqual(list(lines[0]), ["name", "agent", "step", "action", "action_name", "reward", "dense_reward",
                                          "return", "dense_return", "terminated", "truncated", "success",
                                          "observations"])
        self.assertEqual(lines[1]["action_name"], run("solve", EPISODE, "-e").stdout.split()[1])

    def test_replay_as_json_has_the_modes_of_datasets_by_default(self):
        tape = run("solve", "toy:Pile#1", "--json", program=TOY).stdout
        self.assertEqual(list(self.lines_of(program=TOY, keys=tape)[0]["observations"]), ["text"])
        for modes, words in (("sound", "--modes: unknown observation mode `sound`"), ("text,text", "twice")):
            done = run("replay", "-", "--json", "--modes", modes, program=TOY, keys=tape)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)

    def test_replay_names_a_tape_that_does_not_match(self):
        tapes = run("solve", EPISODE, "GoToGoal-v0/easy#1", "--json").stdout.splitlines()
        lie = json.loads(tapes[1])
        lie["return"] = 17.0
        done = run("replay", "-", keys=tapes[0] + "\n" + json.dumps(lie) + "\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("line 2", done.stderr)

    def test_the_terminal_shows_colours_and_is_restored(self):
        terminal = self.terminal("play", EPISODE, "-o", self.tape)
        seen = terminal.wait_for("quit") + terminal.wait_for("Legend")
        self.assertIn(ENTERED, seen)
        self.assertIn("\x1b[90m#", seen)
        self.assertFalse(terminal.is_as_before())
        terminal.press("\x1b[A")
        terminal.wait_for("step 1 of 20: move_up")
        terminal.press("?")
        terminal.wait_for("Hint: ")
        terminal.press("q")
        terminal.wait_for(LEFT)
        terminal.wait_for("not finished after 1 steps")
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertTrue(terminal.is_as_before())

    def test_however_a_game_ends_the_terminal_is_restored_and_the_tape_kept(self):
        for number, code in ((signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGHUP, -signal.SIGHUP)):
            with self.subTest(signal=number):
                terminal = self.terminal("play", EPISODE, "-o", self.tape)
                terminal.wait_for("Legend")
                terminal.press("w")
                terminal.wait_for("step 1 of")
                if number == signal.SIGINT:
                    terminal.press("\x03")  # Ctrl-C
                else:
                    terminal.child.send_signal(number)
                terminal.wait_for(LEFT)
                self.assertEqual(terminal.child.wait(timeout=300), code)
                self.assertTrue(terminal.is_as_before())
                with open(self.tape, encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["actions"], [1])
                os.remove(self.tape)

    def test_a_tape_that_cannot_be_kept_is_told_however_the_game_ends(self):
        tapes = self.tape + ".old"
        self.assertEqual(run("solve", EPISODE, "-q", "-o", tapes).returncode, 0)
        for call, shown in ((["play", EPISODE, "-o", self.tape], "Legend"), (["replay", tapes, "--step", "-o", self.tape], "any key: the next step")):
            with self.subTest(call=call[0]):
                terminal = self.terminal(*call)
                terminal.wait_for(shown)
                os.mkdir(self.tape)  # in its place
                terminal.child.send_signal(signal.SIGTERM)
                terminal.wait_for("cannot finish")
                self.assertEqual(terminal.child.wait(timeout=300), -signal.SIGTERM)
                os.rmdir(self.tape)

    def test_a_terminal_that_goes_away_ends_the_game_and_keeps_the_tape(self):
        terminal = self.terminal("play", EPISODE, "-o", self.tape)
        terminal.wait_for("Legend")
        terminal.press("w")
        terminal.wait_for("step 1 of")
        os.close(terminal.theirs)
        os.close(terminal.ours)  # as when a window is closed, or when ssh loses its connection
        self.assertIn(terminal.child.wait(timeout=300), (0, -signal.SIGHUP))
        with open(self.tape, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["actions"], [1])

    def test_control_d_ends_the_game(self):
        terminal = self.terminal("play", EPISODE)
        terminal.wait_for("Legend")
        terminal.press("\x04")
        terminal.wait_for(LEFT)
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertTrue(terminal.is_as_before())

    def test_colours_can_be_turned_off(self):
        for family in (EPISODE, "babyai:GoToLocal#0"):
            for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"LC_ALL": "C", "LANG": "C"}, True)):
                with self.subTest(family=family, environment=environment):
                    terminal = self.terminal("play", family, "--mode", "ascii", **environment)
                    seen = terminal.wait_for("#") + terminal.wait_for("egend" if family == EPISODE else "Ahead is up")
                    self.assertEqual(bool(re.search("\x1b\\[[0-9;]*m", seen)), coloured)
                    self.assertTrue(seen.isascii())
                    terminal.press("q")
                    terminal.wait_for(LEFT)
                    self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_a_dumb_terminal_gets_no_escape_sequences_but_keys_work(self):
        terminal = self.terminal("play", EPISODE, TERM="dumb")
        seen = terminal.wait_for("Legend")
        terminal.press("w")
        seen += terminal.wait_for("step 1 of 20: move_up")
        terminal.press("q")
        seen += terminal.wait_for("not finished after 1 steps")
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertNotIn("\x1b", seen)
        self.assertTrue(terminal.is_as_before())

    def test_on_small_screens_the_picture_comes_first(self):
        for rows, columns in ((24, 80), (12, 40), (5, 20), (1, 1)):
            with self.subTest(rows=rows, columns=columns):
                terminal = self.terminal("play", "KeyDoorPuzzle-v0/medium#42", rows=rows, columns=columns)
                seen = terminal.wait_for("\x1b[J")
                time.sleep(0.1)
                terminal.press("q")
                seen = terminal.wait_for(LEFT)
                self.assertEqual(terminal.child.wait(timeout=300), 0)
                lines = re.sub("\x1b\\[[?0-9;]*[a-zA-Z]", "", seen).replace("\r", "").split("\n")
                self.assertLessEqual(len(lines), rows)
                self.assertGreaterEqual(sum(line.startswith("#") for line in lines), min(11, rows - 3))

    def test_text_wraps_and_pictures_are_cut(self):
        terminal = self.terminal("play", "babyai:BossLevel#81", columns=30)
        seen = re.sub("\x1b\\[[?0-9;]*[a-zA-Z]", "", terminal.wait_for("a grey key")).replace("\r", "")
        self.assertIn("Mission: open a green door,\nthen put a yellow ball next to\nthe red box\n", seen)
        self.assertIn("\n## .. .. .. .. .. ..\n", seen)
        terminal.press("q")
        self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_animations_fit_on_the_screen_and_the_last_picture_stays(self):
        solved = run("solve", "KeyDoorPuzzle-v0/medium#42", "-o", self.tape)
        self.assertEqual(solved.returncode, 0, solved.stderr)
        for rows in (40, 16, 6):
            with self.subTest(rows=rows):
                terminal = self.terminal("replay", self.tape, "--watch", "--delay", "0", rows=rows)
                frames = [terminal.wait_for("\x1b[?7h") for _ in range(16)]
                self.assertEqual(terminal.child.wait(timeout=300), 0)
                self.assertTrue(all(frame.count("\n") < rows for frame in frames))
                self.assertNotIn(ENTERED, "".join(frames))
                self.assertTrue(terminal.is_as_before())

    def test_carried_items_are_shown(self):
        said, _ = self.play("KeyDoorPuzzle-v0/medium#42", "w")
        self.assertRegex(said, "step 0 of 200: start   return 0.0\n(.*\n)*step 1 of 200: move_up   return 0.0   carrying key\n")

    def test_a_crash_restores_the_terminal(self):
        terminal = self.terminal("play", EPISODE)
        terminal.wait_for("Legend")
        terminal.child.send_signal(signal.SIGABRT)
        terminal.wait_for(LEFT)
        self.assertEqual(terminal.child.wait(timeout=300), -signal.SIGABRT)
        flags = termios.tcgetattr(terminal.theirs)[3]
        self.assertEqual(flags & (termios.ICANON | termios.ECHO), termios.ICANON | termios.ECHO)

    def test_stopping_restores_the_terminal_and_continuing_takes_it_again(self):
        terminal = self.terminal("play", EPISODE)
        terminal.wait_for("Legend")
        terminal.press("\x1a")  # Ctrl-Z
        terminal.wait_for(LEFT)
        _, status = os.waitpid(terminal.child.pid, os.WUNTRACED)
        self.assertTrue(os.WIFSTOPPED(status))
        self.assertTrue(terminal.is_as_before())
        terminal.child.send_signal(signal.SIGCONT)
        terminal.wait_for(ENTERED)
        terminal.wait_for("Legend")
        terminal.press("w")
        terminal.wait_for("step 1 of")
        terminal.press("q")
        self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_after_a_change_of_size_the_screen_is_drawn_again(self):
        terminal = self.terminal("play", EPISODE, rows=12)
        seen = terminal.wait_for("quit")
        time.sleep(0.2)
        fcntl.ioctl(terminal.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 80, 0, 0))
        terminal.child.send_signal(signal.SIGWINCH)
        self.assertNotIn("Legend", seen + terminal.wait_for("\x1b[H"))
        terminal.wait_for("Legend")
        terminal.press("q")
        self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_replay_steps_by_keys_and_animates(self):
        with open(self.tape, "w", encoding="utf-8") as file:
            file.write(run("solve", EPISODE, "--json").stdout)
        terminal = self.terminal("replay", self.tape, "--step")
        terminal.wait_for("step 0 of 20: start")
        terminal.press(" ")
        terminal.wait_for("step 1 of 20")
        terminal.press("q")
        terminal.wait_for(LEFT)
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertTrue(terminal.is_as_before())
        watched = run("replay", self.tape, "--watch", "--delay", "0")
        self.assertEqual(watched.stdout.count("\x1b[H"), len(json.loads(run("solve", EPISODE, "--json").stdout)["actions"]) + 1)


CLICKS, NO_CLICKS = "\x1b[?1000h\x1b[?1006h", "\x1b[?1006l\x1b[?1000l"
SEESAW = "autumn:Seesaw#7"
TEXT = ("--mode", "ascii_color")
MARK = """(program
  (= GRID_SIZE 6)
  (= FRAME_RATE 20)
  (object Dot (Cell 0 0 "red"))
  (= dot (initnext (Dot (Position 0 0)) (prev dot)))
  (= ticks (initnext 0 (+ (prev ticks) 1)))
  (on clicked (= dot (Dot click)))
  (on left (= dot (moveLeft dot))))
"""


class Screens(Terminals):
    """Games with a click area."""

    def press_button(self, terminal, row, column, button=0, end="M"):
        terminal.press(f"\x1b[<{button};{column + 1};{row + 1}{end}")

    def play_on(self, *arguments, name=SEESAW, **options):
        terminal = self.terminal("play", name, "-o", self.tape, *arguments, **options)
        terminal.wait_for("step 0 of ")
        terminal.wait_for("\x1b[?25h")
        return terminal

    def quit(self, terminal, code=0):
        terminal.press("q")
        terminal.wait_for(LEFT)
        self.assertEqual(terminal.child.wait(timeout=300), code)
        self.assertTrue(terminal.is_as_before())
        with open(self.tape, encoding="utf-8") as file:
            return json.load(file)


class Clicking(Screens):
    """Clicks of the mouse, and what stands for them."""

    def clicks_on(self, place_of, name=SEESAW, *arguments, cells=((0, 0), (3, 4), (15, 15), (9, 0)), width=16, buttons=5, **options):
        """Clicks on cells, where place_of(x, y) says that they are on the screen, and checks the actions."""
        terminal = self.play_on(*arguments, name=name, **options)
        for step, (x, y) in enumerate(cells):
            self.press_button(terminal, *place_of(x, y))
            terminal.wait_for(f"step {step + 1} of ")
        tape = self.quit(terminal)
        self.assertEqual(tape["actions"], [buttons + width * y + x for x, y in cells])
        return tape

    def first_row(self, name, *arguments, program=SEEDBED, mark, **options):
        """Returns the row of the screen where the mark is first."""
        terminal = Terminal("play", name, *arguments, program=program, **options)
        self.addCleanup(terminal.close)
        terminal.wait_for("\x1b[J")
        seen = terminal.wait_for("\x1b[?25h")
        return seen[:seen.index(mark)].count("\n")

    def test_a_click_on_a_cell_is_its_action(self):
        row = self.first_row(SEESAW, *TEXT, mark="\x1b[48;2")
        for half in (0, 1):  # a cell has two columns
            tape = self.clicks_on(lambda x, y: (row + y, 2 * x + half), SEESAW, *TEXT)
        done = run("verify", self.tape)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(run("replay", self.tape).stdout.splitlines()), 1 + len(tape["actions"]))

    def test_a_click_on_a_pixel_of_a_frame_is_its_action(self):
        row = self.first_row("arc:Moss/full#7", "--mode", "frame", mark="4" * 60, rows=80, columns=100)
        self.clicks_on(lambda x, y: (row + y, x), "arc:Moss/full#7", "--mode", "frame", cells=((0, 0), (20, 30), (63, 63)), width=64, buttons=7, rows=80, columns=100)

    def test_a_picture_of_a_frame_is_as_wide_as_the_terminal_allows_and_takes_clicks(self):
        options = ("--look", "screen", "--pictures", "blocks")
        for columns, tile in ((64, 1), (100, 1), (128, 2), (300, 4)):
            terminal = self.terminal("play", "arc:Moss/full#7", *options, rows=200, columns=columns)
            terminal.wait_for("quit")
            lines = [line for line in terminal.wait_for("\x1b[?25h").splitlines() if "\u2580" in line]
            self.assertEqual((len(lines), lines[0].count("\u2580")), (32 * tile, 64 * tile))
        row = self.first_row("arc:Moss/full#7", *options, mark="\u2580", rows=80, columns=100)
        self.clicks_on(lambda x, y: (row + y // 2, x), "arc:Moss/full#7", *options, cells=((0, 0), (20, 30), (63, 62)), width=64, buttons=7, rows=80, columns=100)

    def test_frames_of_an_action_are_shown_one_after_another(self):
        terminal = self.play_on(name="arc:Chimes/intro#7", rows=80, columns=100)
        began = time.monotonic()
        terminal.press("e")
        shown = terminal.wait_for("step 1 of")
        for _ in range(6):
            shown += terminal.wait_for("\x1b[H\x1b[J") + terminal.wait_for("level 1 of 3")
        self.assertGreater(time.monotonic() - began, 6 * 0.19)
        self.assertEqual(self.quit(terminal)["actions"], [5])

    def test_without_colours_a_cell_is_a_letter_below_the_palette(self):
        row = self.first_row(SEESAW, mark=". black, 1 brown", NO_COLOR="1") + 1
        self.clicks_on(lambda x, y: (row + y, x), NO_COLOR="1")

    def test_where_lines_are_wrapped_the_cells_are_further_down(self):
        terminal = self.terminal("play", SEESAW, "-o", self.tape, NO_COLOR="1", columns=17, rows=60)
        terminal.wait_for("\x1b[J")
        cells = ((0, 0), (3, 4), (15, 15), (11, 10))
        for x, y in cells:
            seen = terminal.wait_for("\x1b[?25h")
            row = seen[:seen.index("2 gray\r\n")].count("\n") + 1  # the palette has two lines
            self.press_button(terminal, row + y, x)
            terminal.wait_for("\x1b[J")
        terminal.wait_for("\x1b[?25h")
        self.assertEqual(self.quit(terminal)["actions"], [5 + 16 * y + x for x, y in cells])

    def test_pictures_of_the_click_area_take_clicks(self):
        for tile, options, place_of in (
                (2, ["--pictures", "blocks"], lambda x, y: (y, 2 * x)), (3, ["--pictures", "blocks"], lambda x, y: (3 * y // 2 + 1, 3 * x + 1)),
                (8, ["--pictures", "kitty"], lambda x, y: (y, 2 * x + 1))):
            with self.subTest(tile=tile):
                arguments = ["--look", "board", "--tile", str(tile), *options]
                screen = {"rows": 70, "columns": 130, "program": TOY}
                row = self.first_row("toy:Hunt#3", *arguments, mark="\x1b_G" if "kitty" in options else "\u2580", **screen)
                self.clicks_on(lambda x, y: (row + place_of(x, y)[0], place_of(x, y)[1]), "toy:Hunt#3", *arguments,
                               cells=((0, 0), (39, 28), (7, 12)), width=40, buttons=3, **screen)

    def test_other_reports_and_clicks_outside_do_nothing(self):
        row = self.first_row(SEESAW, *TEXT, mark="\x1b[48;2")
        terminal = self.play_on(*TEXT)
        for place in ((row - 1, 0), (0, 0), (row + 16, 0), (row + 3, 32), (row + 3, 79), (9000, 9000), (99999999999999, 1)):
            self.press_button(terminal, *place)
        for button in (1, 2, 3, 32, 35, 64, 65, 128):
            self.press_button(terminal, row, 0, button)
        self.press_button(terminal, row, 0, 0, "m")
        for garbage in ("\x1b[<M", "\x1b[<;;M", "\x1b[<0;1M", "\x1b[<0;1;2;3M", "\x1b[<0;0;0M", "\x1b[<-1;2;3M", "\x1b[<0;1;\x1b", "\x1b[<0;1;1" + "0" * 99 + "M",
                        "\x1b[0;1;1M", "\x1b[<0;1;1~", "\x1b[?1;2c"):
            terminal.press(garbage)
        self.press_button(terminal, row + 5, 2 * 4, 4)  # with Shift
        terminal.wait_for("step 1 of 300: click 4 5")
        self.assertEqual(self.quit(terminal)["actions"], [5 + 16 * 5 + 4])

    def test_a_report_may_come_in_pieces(self):
        row = self.first_row(SEESAW, *TEXT, mark="\x1b[48;2")
        report = f"\x1b[<0;7;{row + 3}M"
        terminal = self.play_on(*TEXT)
        for at in range(2, len(report)):  # behind the escape the rest may take its time
            terminal.press(report[:at])
            time.sleep(0.1)
            terminal.press(report[at:])
            terminal.wait_for(f"step {at - 1} of 300: click 3 2")
        self.assertEqual(len(self.quit(terminal)["actions"]), len(report) - 2)

    def test_after_a_change_of_size_clicks_are_where_the_cells_are(self):
        terminal = self.play_on(*TEXT, rows=60)
        fcntl.ioctl(terminal.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 20, 80, 0, 0))
        terminal.child.send_signal(signal.SIGWINCH)
        terminal.wait_for("\x1b[J")
        seen = terminal.wait_for("\x1b[?25h")
        row = seen[:seen.index("\x1b[48;2")].count("\n")
        self.assertLess(row, 5)
        self.press_button(terminal, row + 2, 0)
        terminal.wait_for("step 1 of 300: click 0 2")
        self.quit(terminal)

    def test_a_cursor_clicks_without_a_mouse(self):
        done = run("play", SEESAW, "-o", self.tape, keys="hhjjjlkc:click 3 4\n:click_15_15\n" + "h" * 40 + "k" * 40 + "c")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.tape, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["actions"], [5 + 16 * 10 + 7, 5 + 16 * 4 + 3, 5 + 16 * 15 + 15, 5])
        self.assertNotIn("\x1b", done.stdout)

    def test_the_cursor_of_the_terminal_is_on_the_cell(self):
        row = self.first_row(SEESAW, *TEXT, mark="\x1b[48;2")
        terminal = self.play_on(*TEXT)
        terminal.press("l")
        terminal.wait_for("cursor (9,8)")
        terminal.wait_for(f"\x1b[{row + 8 + 1};{2 * 9 + 1}H\x1b[?25h")
        self.press_button(terminal, row + 3, 2 * 5)  # the mouse takes it along
        terminal.wait_for("cursor (5,3)")
        terminal.wait_for(f"\x1b[{row + 3 + 1};{2 * 5 + 1}H\x1b[?25h")
        terminal.press("c")
        terminal.wait_for("step 2 of 300: click 5 3")
        self.quit(terminal)

    def test_arrows_are_keys_of_the_program(self):
        done = run("play", SEESAW, "-o", self.tape, keys="wasd.\x1b[A\x1b[B\x1b[C\x1b[D")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.tape, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["actions"], [3, 1, 4, 2, 0, 3, 4, 2, 1])

    def check_modes(self, seen):
        modes = {"25": "h", "7": "h"}
        for mode, what in re.findall("\x1b\\[\\?(\\d+)([hl])", seen):
            modes[mode] = what
        self.assertEqual(modes, {"25": "h", "7": "h", "1049": "l", "1000": "l", "1006": "l"})

    def test_however_a_game_ends_every_mode_is_switched_off(self):
        for end in ("q", "\x03", "\x04", signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGABRT):
            for real_time in (False, True):
                with self.subTest(end=end, real_time=real_time):
                    terminal = self.terminal("play", SEESAW, *["--fps", "30"] * real_time)
                    seen = terminal.wait_for(CLICKS) + terminal.wait_for("step 2" if real_time else "cursor")
                    if end != "q":
                        terminal.press("\x1b[<0;1")  # in the middle of a report
                    if isinstance(end, str):
                        terminal.press(end)
                    else:
                        terminal.child.send_signal(end)
                    seen += terminal.wait_for(LEFT)  # what nobody reads fills the terminal, and then the program waits
                    terminal.child.wait(timeout=300)
                    self.check_modes(seen)
                    flags = termios.tcgetattr(terminal.theirs)[3]
                    self.assertEqual(flags & (termios.ICANON | termios.ECHO), termios.ICANON | termios.ECHO)

    def test_stopped_the_terminal_reports_no_clicks(self):
        terminal = self.play_on()
        terminal.press("\x1a")  # Ctrl-Z
        self.assertIn(NO_CLICKS, terminal.wait_for(LEFT))
        os.waitpid(terminal.child.pid, os.WUNTRACED)
        self.assertTrue(terminal.is_as_before())
        terminal.child.send_signal(signal.SIGCONT)
        self.assertIn(ENTERED, terminal.wait_for(CLICKS))
        self.quit(terminal)

    def test_where_there_are_no_clicks_the_mouse_is_left_alone(self):
        for arguments, options in (((EPISODE,), {}), ((SEESAW,), {"TERM": "dumb"})):
            terminal = self.terminal("play", *arguments, **options)
            seen = terminal.wait_for("step 0")
            terminal.press("q")
            seen += terminal.wait_for("not finished")
            self.assertNotIn("\x1b[?100", seen)
            self.assertEqual(terminal.child.wait(timeout=300), 0)


PACK = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "seeds", "autumn.jsonl.gz")
LEFT_ARROW, RIGHT_ARROW = "\x1b[D", "\x1b[C"


class InChallenges(Terminals):
    """The keys of a challenge are those of the actions that its phase offers."""

    def play(self, difficulty, keys):
        """Returns the lines about keys of every screen, and the names of the actions that were taken."""
        done = run("play", f"autumn:Seesaw/{difficulty}#1", "--challenges", PACK, "-o", self.tape, keys=keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.tape, encoding="utf-8") as file:
            tape = file.read()
        replayed = run("replay", "-", "--json", "--modes", "ascii", "--challenges", PACK, keys=tape)
        self.assertEqual(replayed.returncode, 0, replayed.stderr)
        names = [json.loads(line)["action_name"] for line in replayed.stdout.splitlines()]
        return re.findall(r"^step \d+ of.*\n\n((?:.*\n)*?)(?=\? hint)", done.stdout, re.M), names[1:]

    def test_actions_of_other_phases_have_no_keys(self):
        (first, begun, _, _, acted, chooses, *_), names = self.play("change-1", "g" + "ge" + ".I" + "c" + "S")
        self.assertEqual(names, ["go-to-test", "noop", "I found the change!", "Submit choice"])
        self.assertIn("e reset   g go-to-test", first)
        self.assertNotRegex(first, "choose|Submit|found")
        self.assertNotRegex(begun, "reset|go-to-test|choose|Submit|found")
        self.assertIn("I I found the change!", acted)
        self.assertEqual(chooses, "i quit   S Submit choice   \n0 to 1 choose_frame_0 to choose_frame_1   Left/Right the one before/after\n")

    def test_left_and_right_go_through_the_frames(self):
        keys = LEFT_ARROW + RIGHT_ARROW * 2 + LEFT_ARROW + ":choose_frame_12\n" + RIGHT_ARROW + LEFT_ARROW + "3" + RIGHT_ARROW + "S"
        screens, names = self.play("change-1", "g" + "." * 12 + "I" + keys)
        self.assertEqual(names[14:], [f"choose_frame_{frame}" for frame in (1, 2, 1, 12, 11, 3, 4)] + ["Submit choice"])
        self.assertIn("0 to 9 choose_frame_0 to choose_frame_9   Left/Right the one before/after\n"
                      "type :choose_frame_10 to :choose_frame_12 for the others\n", screens[-2])

    def test_in_predictions_arrows_go_through_the_frames_and_digits_answer(self):
        with gzip.open(PACK, "rt", encoding="utf-8") as file:
            n, = [len(line["actions"]) for line in map(json.loads, file) if line.get("challenge") == "autumn:Seesaw/mfp-1#1"]
        screens, names = self.play("mfp-1", "g" + LEFT_ARROW + "04t.c" + RIGHT_ARROW * n + LEFT_ARROW + RIGHT_ARROW + "4")
        self.assertEqual(names, ["go-to-test"] + ["step"] * n + ["rewind", "step", "choose_option_4"])
        self.assertEqual(screens[1], "i quit   Right/d step   \n")
        self.assertIn("Right/d step   Left/a rewind   \n0 to 5 choose_option_0 to choose_option_5   \n", screens[-2])

    def test_real_time_stands_still_where_a_test_offers_no_waiting(self):
        terminal = self.terminal("play", "autumn:Seesaw/mfp-1#1", "--challenges", PACK, "--fps", "30")
        terminal.wait_for("step 3 of")
        terminal.press("g")
        terminal.wait_for(": go-to-test")
        time.sleep(0.3)
        terminal.press("q")
        self.assertNotIn(": noop", terminal.wait_for(LEFT))


class RealTime(Screens):
    """The world goes on by itself."""

    def setUp(self):
        super().setUp()
        self.program = self.tape + ".sexp"
        with open(self.program, "w", encoding="utf-8") as file:
            file.write(MARK)

    def test_without_a_key_it_waits_and_the_tape_replays(self):
        terminal = self.play_on("--fps", "30")
        terminal.wait_for("step 3 of 300: noop")
        terminal.press("w")
        terminal.wait_for(": up ")
        terminal.wait_for(": noop ")
        tape = self.quit(terminal)
        self.assertEqual(sorted(tape["actions"])[-1], 3)
        self.assertEqual(tape["actions"].count(3), 1)
        self.assertEqual(run("verify", self.tape).returncode, 0)

    def test_steps_come_at_the_rate(self):
        for rate in (5, 25):
            began = time.monotonic()  # before the program: whoever waits for its first step may come late
            terminal = self.terminal("play", SEESAW, "--fps", str(rate))
            seen = terminal.wait_for("step 12 of")
            self.assertGreater(time.monotonic() - began, 11 / rate)
            self.assertIn(f"real time, {rate} a second", seen)
            terminal.press("q")
            terminal.wait_for(LEFT)
            self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_the_last_key_of_a_step_counts_and_keys_do_not_hasten_the_world(self):
        terminal = self.play_on("--fps", "1")
        began = time.monotonic()
        terminal.press("aaaawwwwdddd")
        terminal.wait_for("step 1 of 300: right")
        terminal.wait_for("step 2 of 300: noop")
        self.assertGreater(time.monotonic() - began, 1)
        self.assertEqual(self.quit(terminal)["actions"], [2, 0])

    def test_t_switches_it_and_undo_and_restart_pause(self):
        terminal = self.play_on()
        terminal.press("t")
        terminal.wait_for("real time, 8 a second")
        terminal.wait_for("step 4 of")
        for key in "tur":
            terminal.press(key)
            terminal.wait_for("t real time")  # the key list offers it again
            time.sleep(0.3)
            terminal.press("l")
            seen = terminal.wait_for("t real time")
            step = re.search("step (\\d+) of", seen)[1]
            terminal.press("l")
            self.assertIn(f"step {step} of", terminal.wait_for("t real time"))
            terminal.press("t")
            terminal.wait_for(f"step {int(step) + 2} of")
        terminal.press("t")
        tape = self.quit(terminal)
        self.assertEqual(set(tape["actions"]), {0})
        self.assertEqual(run("verify", self.tape).returncode, 0)

    def test_a_program_says_its_rate(self):
        name = "autumn:file-" + hashlib.sha256(MARK.encode()).hexdigest()[:16]
        terminal = self.play_on("--program", self.program, name=name + "#1")
        terminal.press("t")
        terminal.wait_for("real time, 20 a second")
        terminal.press("t")
        self.quit(terminal)

    def test_the_world_stands_still_while_one_types(self):
        terminal = self.play_on("--fps", "20")
        terminal.wait_for("step 2 of")
        terminal.press(":click 3 4")
        terminal.wait_for(":click 3 4_")
        time.sleep(0.3)
        terminal.press("\n")
        terminal.wait_for(": click 3 4 ")
        terminal.wait_for(": noop ")
        actions = self.quit(terminal)["actions"]
        self.assertEqual([action for action in actions if action], [5 + 16 * 4 + 3])

    def test_it_ends_with_the_episode(self):
        terminal = self.play_on("--fps", "60")
        terminal.wait_for("step 300 of 300", 60)
        terminal.wait_for("u takes the last step back")
        terminal.press("u")
        terminal.wait_for("step 299 of 300")
        self.assertEqual(len(self.quit(terminal)["actions"]), 299)

    def test_wrong_calls_are_refused(self):
        for arguments, words in (([SEESAW, "--fps", "4"], "--fps needs a terminal"), (["babyai:GoTo#1", "--fps", "4"], "has no action `noop`"),
                                 ([SEESAW, "--fps", "0"], "--fps"), ([SEESAW, "--fps", "61"], "--fps")):
            done = run("play", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
        self.assertIn("Real time needs a terminal", run("play", SEESAW, keys="t").stdout)


class Pictures(Terminals):
    """Pictures on terminals: half blocks, or kitty's graphics where the terminal says that it has them."""

    ASKED, KITTY, ATTRIBUTES = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c", "\x1b_Gi=31;OK\x1b\\", "\x1b[?62;c"

    def frames(self, *options):
        """Returns the frames of the expert's episode as lists of rows of pixels."""
        done = subprocess.run([SEEDBED, "solve", EPISODE, "--film", "-", *options], capture_output=True, timeout=900)
        n, width, height = map(int, re.fullmatch(rb"film: (\d+) frames of (\d+) x (\d+) .*\n", done.stderr).groups())
        pixels = [tuple(done.stdout[i:i + 3]) for i in range(0, len(done.stdout), 3)]
        rows = [pixels[i:i + width] for i in range(0, len(pixels), width)]
        return [rows[i:i + height] for i in range(0, n * height, height)]

    def pixels_of(self, lines):
        """Reads half blocks back into rows of pixels."""
        rows = []
        for line in lines:
            colours, above, below = {}, [], []
            for ground, red, green, blue, block in re.findall("\x1b\\[(38|48);2;(\\d+);(\\d+);(\\d+)m|(\u2580)", line):
                if block:
                    above.append(colours["38"]), below.append(colours["48"])
                else:
                    colours[ground] = (int(red), int(green), int(blue))
            rows += [above, below]
        return rows

    def test_half_blocks_are_the_pixels(self):
        for options in ([], ["--tile", "16", "--no-panel"], ["--view", "5"]):
            shown = run("show", EPISODE, "--look", "flat", "--color", "always", *options)
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertEqual(self.pixels_of(shown.stdout.splitlines()[1:]), self.frames(*options)[0])

    def test_an_odd_row_at_the_end_is_black_below(self):
        shown = run("show", "babyai:GoTo#5", "--look", "view", "--tile", "1", "--color", "always").stdout
        rows = self.pixels_of(shown.splitlines()[1:])
        self.assertEqual((len(rows), len(rows[0]), set(rows[-1])), (8, 7, {(0, 0, 0)}))

    def test_a_terminal_without_pictures_gets_half_blocks(self):
        terminal = self.terminal("show", EPISODE, "--look", "flat")
        terminal.wait_for(self.ASKED)
        terminal.press(self.ATTRIBUTES)
        terminal.wait_for("\u2580")
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertTrue(terminal.is_as_before())

    def test_a_terminal_that_says_nothing_gets_half_blocks(self):
        terminal = self.terminal("show", EPISODE, "--look", "flat")
        terminal.wait_for(self.ASKED)
        terminal.wait_for("\u2580")
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertTrue(terminal.is_as_before())

    def test_a_terminal_that_has_pictures_gets_a_png_file(self):
        terminal = self.terminal("show", EPISODE, "--look", "flat", "--tile", "16")
        terminal.wait_for(self.ASKED)
        terminal.press(self.KITTY + self.ATTRIBUTES)
        head = terminal.wait_for("f=100")
        self.assertIn("\x1b_Ga=T,", head)
        seen = terminal.wait_for("\x1b\\")
        self.assertIn(",c=10,r=7,m=0;", seen)
        picture = base64.b64decode(seen.split(";")[1].removesuffix("\x1b\\"))
        self.assertTrue(picture.startswith(b"\x89PNG\r\n") and picture.endswith(b"IEND\xaeB`\x82"))
        self.assertEqual(struct.unpack(">II", picture[16:24]), (80, 112))
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertTrue(terminal.is_as_before())

    def test_large_pictures_come_in_pieces(self):
        shown = run("show", "RecursiveRooms/expert#1", "--look", "flat", "--tile", "16", "--pictures", "kitty").stdout
        pieces = re.findall("\x1b_G([^;]*);([^\x1b]*)\x1b\\\\", shown)
        self.assertGreater(len(pieces), 1)
        self.assertEqual([head.split("m=")[-1] for head, _ in pieces], ["1"] * (len(pieces) - 1) + ["0"])
        self.assertTrue(all(len(data) == 4096 for _, data in pieces[:-1]))
        self.assertTrue(base64.b64decode("".join(data for _, data in pieces)).endswith(b"IEND\xaeB`\x82"))

    def test_one_plays_with_pictures(self):
        terminal = self.terminal("play", EPISODE, "--look", "flat", "--pictures", "blocks", rows=60, columns=100)
        self.assertIn("? hint", terminal.wait_for("\u2580"))
        terminal.press("s")
        terminal.wait_for("step 1 of 20: move_down")
        terminal.wait_for("\u2580")
        terminal.press("q")
        terminal.wait_for(LEFT)
        self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_wide_pictures_are_cut_not_wrapped(self):
        terminal = self.terminal("solve", EPISODE, "--watch", "--delay", "0", "--look", "flat", "--tile", "16", "--pictures", "kitty", columns=20)
        seen = terminal.wait_for("success")
        self.assertEqual(seen.count("\x1b_Ga=T,"), len(self.frames()))
        wide = self.terminal("solve", EPISODE, "--watch", "--delay", "0", "--look", "flat", "--pictures", "blocks", rows=60, columns=20)
        frame = wide.wait_for("success").split("\x1b[H")[1]
        self.assertEqual(sum("\u2580" in line for line in frame.splitlines()), 28)

    def test_wrong_calls_are_refused(self):
        for arguments, words in ((["show", EPISODE, "--look", "flat"], "is none"), (["play", EPISODE, "--look", "flat"], "is none"),
                                 (["show", EPISODE, "--look", "flat", "--json"], "choose one"), (["solve", EPISODE, "--look", "flat"], "--watch and --film"),
                                 (["replay", "x", "--look", "flat"], "--watch, --step and --film"), (["show", EPISODE, "--look", "smell", "--color", "always"], "looks of"),
                                 (["show", EPISODE, "--look", "flat", "--tile", "12", "--color", "always"], "8 or 16"),
                                 (["show", EPISODE, "--look", "flat", "--pictures", "paper"], "paper")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(words, done.stderr)


GROWS = """(program
  (= GRID_SIZE 6)
  (object Dot (Cell 0 0 "red"))
  (= dot (initnext (Dot (Position 0 0)) (prev dot)))
  (on left (= GRID_SIZE 9)))
"""
FIRST = {"arc": "arc:Echo/intro#7", "autumn": SEESAW, "babyai": "babyai:GoToLocal#3", "agentick": EPISODE}
ESCAPES = re.compile("\x1b(?:\\[[?0-9;]*[a-zA-Z]|_[^\x1b]*\x1b\\\\)")
BLOCK = "\u2580"


def lines_of(seen):
    return ESCAPES.sub("", seen).replace("\r", "").split("\n")


def reduced(rows, by):
    """Of each square of pixels one whose colour is the rarest of the picture."""
    often = collections.Counter(pixel for row in rows for pixel in row)
    return [[min((rows[j][i] for j in range(y, min(y + by, len(rows))) for i in range(x, min(x + by, len(rows[0])))), key=often.get)
             for x in range(0, len(rows[0]), by)] for y in range(0, len(rows), by)]


def of_256(red, green, blue):
    """The nearest of the colours that xterm has from 16 on."""
    levels = (0, 95, 135, 175, 215, 255)
    colours = [(r, g, b) for r in levels for g in levels for b in levels] + [(8 + 10 * k,) * 3 for k in range(24)]
    return 16 + min(range(240), key=lambda k: sum((a - b) ** 2 for a, b in zip(colours[k], (red, green, blue))))


class UsualLooks(Terminals):
    """What is shown where nobody asks for pictures."""

    def first_screen(self, name, *options, **how):
        terminal = self.terminal("play", name, *options, **how)
        terminal.wait_for("\x1b[J")
        terminal.press("q")
        seen = terminal.wait_for(LEFT)
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        return seen

    def shown(self, *arguments, answer="", **how):
        """Returns all that a command writes, which ends by itself."""
        terminal = self.terminal(*arguments, **how)
        if answer:
            terminal.wait_for(Pictures.ASKED)
            terminal.press(answer)
        return terminal.rest()

    def pixels_of(self, seen):
        return Pictures.pixels_of(self, [line for line in seen.splitlines() if BLOCK in line])

    def test_half_blocks_show_what_they_can_show_whole(self):
        for family, name in FIRST.items():
            tape = run("solve", name, "--json", "--agent", "coverage" if family == "autumn" else "expert").stdout
            with open(self.tape, "w", encoding="utf-8") as file:
                file.write(tape)
            size = {"rows": 45, "columns": 120}
            for seen in (self.first_screen(name, **size), self.shown("show", name, **size), self.shown("replay", self.tape, "--watch", "--delay", "0", **size)):
                with self.subTest(family=family):
                    self.assertEqual(BLOCK in seen, family != "agentick", "isometric needs more pixels than a terminal has halves of characters")
                    self.assertEqual("Legend" in seen, family == "agentick")
                    self.assertEqual("Mission: go to the red key" in seen, family == "babyai")
                    self.assertNotIn("Reduced", seen)
                    if family == "babyai":
                        self.assertEqual({line.count(BLOCK) % 7 for line in lines_of(seen)}, {0}, "of the looks, `grid` shows more than the agent sees")

    def test_texts_are_for_pipes_and_for_who_names_a_mode(self):
        for name in FIRST.values():
            text = run("show", name).stdout
            self.assertNotIn("\x1b", text)
            mode = json.loads(run("show", name, "--json").stdout)["mode"]
            size = {"rows": 80, "columns": 200}
            for seen in (self.first_screen(name, "--mode", mode, **size), self.shown("show", name, "-m", mode, **size),
                         self.shown("solve", name, "--watch", "--delay", "0", "--mode", mode, **size) if name == EPISODE else ""):
                self.assertNotIn(BLOCK, seen)
            self.assertEqual(ESCAPES.sub("", self.shown("show", name, "--mode", mode, NO_COLOR="1", **size)).replace("\r", ""), text)

    def test_every_screen_is_filled_and_none_overflows(self):
        for name in (*FIRST.values(), "arc:Moss/full#7", "RecursiveRooms/expert#1"):
            for rows, columns in ((24, 80), (45, 120), (10, 40), (100, 300), (33, 64), (2, 9)):
                for locale in ("C.UTF-8", "C"):
                    with self.subTest(name=name, rows=rows, columns=columns, locale=locale):
                        seen = self.first_screen(name, rows=rows, columns=columns, LC_ALL=locale)
                        lines = lines_of(seen)
                        self.assertLessEqual(len(lines), rows)
                        self.assertTrue(rows == 2 or any(line.startswith("step 0 of") for line in lines))
                        self.assertLessEqual(max(line.count(BLOCK) for line in lines), columns)
                        if name.startswith("arc"):
                            self.assertTrue(rows not in (24, 45) or "? hint" in seen, "the keys stay")
                            whole = sum(line.count(BLOCK) for line in lines) >= 64 * 32 or seen.count("  ") >= 64 * 64
                            self.assertEqual("Reduced 1:" in seen, not whole and rows > 2)

    def test_what_is_shown_once_fits_above_the_next_line_of_the_shell(self):
        for rows in range(8, 42, 3):
            for name in ("arc:Echo/intro#7", SEESAW):
                lines = lines_of(self.shown("show", name, rows=rows, columns=120))
                self.assertLessEqual(len(lines), rows)
                self.assertEqual(lines[-1], "")

    def test_a_text_that_is_higher_than_the_window_says_so(self):
        for rows, said in ((24, True), (60, False)):
            seen = self.shown("show", "KeyDoorPuzzle/expert#3", rows=rows)
            self.assertEqual(bool(re.search(rf"\(\d+ lines, and the window has {rows}: ", seen)), said)

    def test_a_reduced_picture_keeps_what_is_rare(self):
        for name in ("arc:Chimes/intro#7", "arc:Moss/full#7"):
            whole = Pictures.pixels_of(self, run("show", name, "--look", "screen", "--tile", "1", "--color", "always").stdout.splitlines()[1:])
            for rows, by in ((24, 2), (18, 3)):
                seen = self.shown("show", name, rows=rows, COLORTERM="truecolor")
                self.assertIn(f"Reduced 1:{by} to fit the window.", seen)
                small = self.pixels_of(seen)[:-(-64 // by)]
                often = collections.Counter(pixel for row in whole for pixel in row)
                self.assertEqual([[often[pixel] for pixel in row] for row in small], [[often[pixel] for pixel in row] for row in reduced(whole, by)])

    def test_colours_are_those_that_the_terminal_has(self):
        pairs = set()
        for name in ("arc:Echo/intro#7", "arc:Chimes/intro#7", "arc:Moss/full#7", "arc:DyeWorks/full#3", "arc:Polarity/full#7"):
            full, few = (self.shown("show", name, rows=45, **{"COLORTERM": word}) for word in ("truecolor", ""))
            self.assertNotRegex(few, "[34]8;2;")
            pairs |= set(zip(re.findall("[34]8;2;(\\d+);(\\d+);(\\d+)m", full), re.findall("[34]8;5;(\\d+)m", few)))
        self.assertGreater(len(pairs), 7)
        for rgb, number in pairs:
            self.assertEqual(int(number), of_256(*map(int, rgb)))
        self.assertEqual(len({number for _, number in pairs}), len(pairs), "colours that differ stay different")

    def test_where_colours_are_few_or_unwanted_there_are_letters(self):
        for environment in ({"TERM": "xterm"}, {"TERM": "linux"}, {"TERM": "dumb"}, {"NO_COLOR": "1"}):
            seen = self.shown("show", FIRST["arc"], **environment)
            self.assertNotIn(BLOCK, seen)
            self.assertIn("4" * 64, seen)
        self.assertIn("-- 43 lines do not fit --", self.first_screen(FIRST["arc"], rows=24, NO_COLOR="1"))
        self.assertIn("-- 43 lines and 14 columns do not fit --", self.first_screen(FIRST["arc"], rows=24, columns=50, NO_COLOR="1"))

    def test_another_code_than_utf_8_gets_blanks(self):
        seen = self.shown("show", SEESAW, rows=20, LC_ALL="en_US.ISO-8859-1")
        self.assertTrue(seen.isascii())
        self.assertIn("\x1b[48;5;16m" + " " * 32, seen)

    def test_terminals_of_kitty_s_kind_are_asked_and_draw_every_family(self):
        for environment in ({"TERM": "xterm-kitty"}, {"TERM": "xterm-ghostty"}, {"TERM_PROGRAM": "WezTerm"}):
            for name in FIRST.values() if "TERM" in environment else (EPISODE,):
                seen = self.shown("show", name, rows=24, answer=Pictures.KITTY + Pictures.ATTRIBUTES, **environment)
                columns, lines = map(int, re.search("\x1b_Ga=T,f=100,q=2,C=1,c=(\\d+),r=(\\d+),", seen).groups())
                self.assertLessEqual(columns, 80)
                self.assertLess(lines, 24)
                self.assertLessEqual(len(lines_of(seen)), 24)
        self.assertNotIn(Pictures.ASKED, self.shown("show", EPISODE))

    def test_what_was_typed_ahead_is_left_to_the_shell(self):
        terminal = self.terminal("show", SEESAW, typed_ahead="date\n", TERM="xterm-kitty")
        seen = terminal.wait_for(BLOCK)
        self.assertEqual(terminal.child.wait(timeout=300), 0)
        self.assertNotIn(Pictures.ASKED, seen)
        self.assertEqual(os.read(terminal.theirs, 100), b"date\n")

    def test_a_window_that_grows_gets_a_larger_picture(self):
        tape = run("solve", FIRST["arc"], "--json").stdout
        with open(self.tape, "w", encoding="utf-8") as file:
            file.write(tape)
        for arguments in (("play", FIRST["arc"]), ("replay", self.tape, "--step")):
            terminal = self.terminal(*arguments, rows=24)
            terminal.wait_for("Reduced 1:2")
            terminal.wait_for("\x1b[0m\r\nlevel 1 of 3")
            fcntl.ioctl(terminal.ours, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 80, 0, 0))
            terminal.child.send_signal(signal.SIGWINCH)
            terminal.wait_for("\x1b[J")
            seen = terminal.wait_for("level 1 of 3")
            self.assertNotIn("Reduced", seen)
            self.assertEqual(seen.count(BLOCK), 64 * 32)
            terminal.press("q")
            terminal.wait_for(LEFT)
            self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_a_grid_that_outgrows_its_picture_is_a_text(self):
        program = self.tape + ".sexp"
        with open(program, "w", encoding="utf-8") as file:
            file.write(GROWS)
        name = "autumn:file-" + hashlib.sha256(GROWS.encode()).hexdigest()[:16]
        terminal = self.terminal("play", name + "#1", "--program", program, rows=24)
        self.assertIn(BLOCK, terminal.wait_for("\x1b[?25h"))
        terminal.press("a")
        terminal.wait_for("step 1 of 300: left")
        seen = terminal.wait_for("\x1b[?25h")
        self.assertNotIn(BLOCK, seen)
        self.assertEqual(sum(line.endswith(" " * 16) for line in lines_of(seen)), 9)
        terminal.press("u")
        terminal.wait_for("step 0 of 300")
        terminal.wait_for(BLOCK)
        terminal.press("q")
        self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_a_test_is_a_text_with_what_it_asks_for(self):
        terminal = self.terminal("play", "autumn:Seesaw/planning-1#1", "--challenges", PACK, rows=60)
        terminal.wait_for("\x1b[?25h")
        terminal.press("g")
        terminal.wait_for("step 1 of ")
        seen = terminal.wait_for("goal (? does not count):")
        self.assertEqual(seen.count("\x1b[0m\r\n"), 16, "the frame is coloured")
        self.assertNotIn(BLOCK, seen)
        terminal.press("q")
        self.assertEqual(terminal.child.wait(timeout=300), 0)

    def test_wrong_calls_are_refused(self):
        for arguments, words in ((["play", EPISODE, "--look", "flat", "--mode", "ascii"], "choose one"), (["play", EPISODE, "--mode", "smell"], "modes of agentick"),
                                 (["replay", "x", "--mode", "ascii"], "--watch and --step"), (["solve", EPISODE, "--mode", "ascii"], "--watch")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn(words, done.stderr)
        self.assertIn("are switched off", self.refusal("show", EPISODE, "--look", "flat", NO_COLOR="1"))

    def refusal(self, *arguments, **environment):
        terminal = self.terminal(*arguments, **environment)
        seen = terminal.wait_for("--color always").replace("\r\n", "")
        self.assertEqual(terminal.child.wait(timeout=300), 2)
        return seen


class ClicksOnUsualLooks(Screens):
    """A click on a point of a picture, whole, enlarged or reduced, means the cell in the upper left of what it shows."""

    def test_a_click_on_a_point_is_its_first_cell_and_the_cursor_is_there(self):
        for name, width, buttons in ((SEESAW, 16, 5), ("arc:Moss/full#7", 64, 7)):
            for rows, columns in ((60, 150), (24, 80), (16, 30)):
                for locale in ("C.UTF-8", "C"):
                    with self.subTest(name=name, rows=rows, columns=columns, locale=locale):
                        self.click_corners(name, width, buttons, rows=rows, columns=columns, LC_ALL=locale)

    def test_a_click_on_a_picture_of_real_pixels_is_the_cell_below_it(self):
        for name, width, buttons in ((SEESAW, 16, 5), ("arc:Moss/full#7", 64, 7)):
            for rows in (24, 50):
                terminal = self.terminal("play", name, "-o", self.tape, "--pictures", "kitty", rows=rows, columns=140)
                terminal.wait_for("\x1b[J")
                screen = terminal.wait_for("\x1b[?25h")
                across, down = map(int, re.search("c=(\\d+),r=(\\d+),", screen).groups())
                top = screen[:screen.index("\x1b_G")].count("\n")
                self.assertLessEqual(top + down, rows)
                places = [(0, 0), (0, across - 1), (down - 1, 0), (down // 2, across // 2)]
                for step, (y, x) in enumerate(places):
                    self.press_button(terminal, top + y, x)
                    terminal.wait_for(f"step {step + 1} of ")
                cells = [divmod(action - buttons, width) for action in self.quit(terminal)["actions"]]
                self.assertEqual(cells, [(y * width // down, x * width // across) for y, x in places])

    def click_corners(self, name, width, buttons, **how):
        terminal = self.terminal("play", name, "-o", self.tape, **how)
        terminal.wait_for("\x1b[J")
        screen = terminal.wait_for("\x1b[?25h").split("\r\n")
        drawn = [number for number, line in enumerate(screen) if re.match("\x1b\\[[34]8;", line)]
        across, down = len(ESCAPES.sub("", screen[drawn[0]])), len(drawn)
        places = [(drawn[0], 0), (drawn[0], across - 1), (drawn[-1], 0)]
        for step, place in enumerate(places):
            self.press_button(terminal, *place)
            terminal.wait_for(f"step {step + 1} of ")
            row, column = map(int, re.search("\x1b\\[(\\d+);(\\d+)H$", terminal.wait_for("H\x1b[?25h").removesuffix("\x1b[?25h"))[0][2:-1].split(";"))
            for at, cursor, size in zip(place, (row - 1, column - 1), (down, across)):
                self.assertIn(at - cursor, range(max(1 + (how["LC_ALL"] == "C"), -(-size // width))), "in the cell that was clicked")
        cells = [divmod(action - buttons, width) for action in self.quit(terminal)["actions"]]
        self.assertEqual(cells[0], (0, 0))
        self.assertEqual((cells[1][0], cells[2][1]), (0, 0))
        self.assertAlmostEqual(cells[1][1], width, delta=2 * width / across + 1)
        self.assertAlmostEqual(cells[2][0], width, delta=2 * width / down + 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
