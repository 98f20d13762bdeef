"""scripts/accept-games: it goes on where it was killed, and finds levels that are not what they must be.

    python3 tests/accept_games_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = str(pathlib.Path(sys.argv[2]).resolve().parent / "seedbed-accept-games")
SCRIPT = str(pathlib.Path(__file__).resolve().parent.parent / "scripts" / "accept-games")
GAMES = "Fold,Clockwork"
# Says that random play wins level 2 of seed 3 as often as not.
GAMBLER = r"""#!/bin/sh
exec TOOL "$@" | sed '/"seed": 3,/s/\(, [0-9]*\)\], \[\([^]]*\), [0-9]*\]/\1], [\2, 50]/'
"""
# Counts its calls, and says that level 2 of seed 3 is wrong.
LIAR = """#!/bin/sh
echo "$@" >> CALLS
exec TOOL "$@" | sed 's/"seed": 3, "problem": ""/"seed": 3, "problem": "level 2 is wrong"/'
"""


class AcceptGames(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-games-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def command(self, notes, *more, tool=TOOL):
        return [sys.executable, SCRIPT, "--games", GAMES, "--seeds", "25", "--notes", str(self.folder / notes), "--tool", str(tool), *more]

    def run_script(self, notes, *more, tool=TOOL):
        return subprocess.run(self.command(notes, *more, tool=tool), capture_output=True, text=True, timeout=900)

    def found(self, notes):
        """What was found, but for the times."""
        found = {}
        for path in sorted((self.folder / notes).iterdir()):
            for line in path.read_text().splitlines()[1:]:
                line = json.loads(line)
                found[path.stem, line["seed"]] = [level[1:] for level in line["levels"]]
        return found

    def noted(self, notes):
        """How many seeds are noted so far."""
        return sum(path.read_bytes().count(b"\n") - 1 for path in (self.folder / notes).glob("*"))

    def liar(self):
        tool, calls = self.folder / "liar", self.folder / "calls"
        tool.write_text(LIAR.replace("CALLS", str(calls)).replace("TOOL", TOOL))
        tool.chmod(0o755)
        return tool, calls

    def test_all_levels_are_accepted_and_counted(self):
        done = self.run_script("whole")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[-1], "50 passed, 0 failed, 0 skipped")
        self.assertEqual(len([line for line in lines if line.startswith("|")]), 2 + 7 + 6)
        self.assertIn("325 levels of 25 seeds a game", done.stdout)
        self.assertEqual(len(self.found("whole")), 50)

    def test_an_interrupted_run_goes_on(self):
        whole = self.run_script("whole", "--jobs", "1")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        for done in (7, 14, 20):
            child = subprocess.Popen(self.command("killed", "--jobs", "1"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            while child.poll() is None and self.noted("killed") < done:
                time.sleep(0.01)
            self.assertIsNone(child.poll(), "it ended before it could be killed")
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        for path in (self.folder / "killed").iterdir():
            with open(path, "a", encoding="utf-8") as file:
                file.write('{"seed": 99, "pro')  # a line that was cut
        done = self.run_script("killed")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.found("killed"), self.found("whole"))

    def test_no_seed_is_examined_twice_by_the_same_tool(self):
        tool, calls = self.liar()
        self.run_script("notes", "--seeds", "10", tool=tool)
        self.assertEqual(sorted(calls.read_text().splitlines()), ["Clockwork 0 9", "Fold 0 9"])
        self.run_script("notes", "--seeds", "12", tool=tool)
        self.assertEqual(sorted(calls.read_text().splitlines()[2:]), ["Clockwork 10 11", "Fold 10 11"])
        tool.write_text(tool.read_text() + "# another tool\n")
        self.run_script("notes", "--seeds", "10", tool=tool)
        self.assertEqual(sorted(calls.read_text().splitlines()[4:]), ["Clockwork 0 9", "Fold 0 9"])

    def test_a_level_that_is_not_accepted_is_named(self):
        done = self.run_script("notes", "--seeds", "5", tool=self.liar()[0])
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout.splitlines(), ["Fold, seed 3: level 2 is wrong", "Clockwork, seed 3: level 2 is wrong", "8 passed, 2 failed, 0 skipped"])

    def test_a_level_that_random_play_wins_is_named(self):
        tool = self.folder / "gambler"
        tool.write_text(GAMBLER.replace("TOOL", TOOL))
        tool.chmod(0o755)
        done = self.run_script("notes", "--seeds", "5", "--games", "Fold", tool=tool)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout.splitlines()[0], r"^Fold, level 2: of 100 random plays 1\d\.\d win it in the mean over seeds, 50 at most")
        self.assertEqual(done.stdout.splitlines()[1:], ["4 passed, 1 failed, 0 skipped"])

    def test_an_unknown_game_is_an_error(self):
        done = self.run_script("notes", "--games", "Chess")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("there is no game `Chess`", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["accept_games_test"])
