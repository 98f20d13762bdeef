"""Recordings of multi-level games in the toolkit's form: written from tapes, read as tapes, and refused with the line that is wrong.

    python3 tests/arc_recordings_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import gzip
import json
import os
import subprocess
import sys
import unittest

from dataset_support import InFolder, read, run, write

GAMES = ["Lantern", "Scales", "TwinCompass", "Echo", "Shepherd", "Moss", "Stamp", "Chimes", "Fold", "Polarity", "Clockwork", "DyeWorks"]
PUBLISHED = ["game_id", "state", "levels_completed", "win_levels", "action_input", "guid", "full_reset", "available_actions", "frame"]
GOLDEN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden", "arc", "recording.jsonl.gz")


class Recordings(InFolder):
    def go(self, *arguments, code=0):
        done = run(*arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def tapes(self, name, *arguments):
        self.assertIn(run("solve", *arguments, "-q", "-o", self.path(name)).returncode, (0, 1))
        return self.path(name)

    def recorded(self, tapes, name):
        self.go("replay", tapes, "-q", "--recording", self.path(name))
        return self.path(name)

    def lines(self, path):
        return [json.loads(line) for line in read(path).decode().splitlines()]

    def plays(self, path):
        """Of a file of tapes, what a recording keeps: everything but who played, and what oracles noted."""
        lines = self.lines(path)
        for tape in lines:
            for key in ("agent", "digest", "labels", "intents"):
                tape.pop(key, None)
        return lines

    def test_a_tape_comes_back_from_its_recording(self):
        for agent in ("expert", "random"):
            with self.subTest(agent):
                tapes = self.tapes("tapes.jsonl", "--family", "arc", "-d", "intro", "--seeds", "5", "--agent", agent)
                recording = self.recorded(tapes, "recording.jsonl")
                self.go("replay", recording, "-q", "-o", self.path("back.jsonl"))
                self.assertEqual(self.plays(self.path("back.jsonl")), self.plays(tapes))
                self.assertEqual([tape["name"] for tape in self.plays(tapes)], [f"arc:{game}/intro#5" for game in GAMES])
                self.assertEqual(read(self.recorded(self.path("back.jsonl"), "again.jsonl")).count(b"\n"), read(recording).count(b"\n"))
                said = self.go("verify", recording, self.path("back.jsonl")).stdout
                self.assertIn("recording of the ARC-AGI-3 toolkit, 12 plays", said)

    def test_a_recording_comes_back_from_its_tape(self):
        """All but the names of plays, which follow from tapes that say who played."""
        recording = self.recorded(self.tapes("t.jsonl", "arc:Echo/full#1", "arc:Chimes/intro#2"), "one.jsonl")
        self.go("replay", recording, "-q", "-o", self.path("back.jsonl"))
        first, second = self.lines(recording), self.lines(self.recorded(self.path("back.jsonl"), "two.jsonl"))
        for line in (*first, *second):
            line["data"].pop("guid")
        self.assertEqual(first, second)

    def test_lines_have_the_published_form(self):
        with gzip.open(GOLDEN, "rt", encoding="utf-8") as file:
            published = json.loads(file.readline())
        self.assertEqual([*published["data"], "frame"], PUBLISHED)
        for number, line in enumerate(self.lines(self.recorded(self.tapes("t.jsonl", "arc:Scales/intro#3"), "r.jsonl"))):
            data = line["data"]
            self.assertEqual((list(line), list(data)), (["timestamp", "data"], PUBLISHED))
            self.assertEqual(line["timestamp"][:19], f"1970-01-01T00:00:{number:02}")
            self.assertEqual(data["full_reset"], number == 0)
            self.assertEqual(list(data["action_input"]), ["id", "data", "reasoning"])
            self.assertEqual(data["action_input"]["id"], "ACTION6" if number else "RESET")
            self.assertEqual(set(data["action_input"]["data"]), {"x", "y"} if number else set())
            self.assertEqual({(len(frame), len(row)) for frame in data["frame"] for row in frame}, {(64, 64)})
        self.assertEqual((data["state"], data["levels_completed"], data["win_levels"]), ("WIN", 3, 3))

    def test_the_same_tape_gives_the_same_bytes(self):
        tapes = self.tapes("t.jsonl", "arc:Moss/intro#0")
        self.assertEqual(read(self.recorded(tapes, "a.jsonl")), read(self.recorded(tapes, "b.jsonl")))

    def test_recordings_are_taken_wherever_tapes_are(self):
        recording = self.recorded(self.tapes("t.jsonl", "--family", "arc", "--tasks", "Fold", "-d", "intro", "--seeds", "0..2"), "r.jsonl")
        selection = ["--family", "arc", "--tasks", "Fold", "-d", "intro", "--seeds", "0..2"]
        self.go("eval", *selection, "--agent", f"tape:{recording}", "-o", self.path("result.json"))
        self.assertEqual(json.loads(read(self.path("result.json")))["families"][0]["all"]["efficiency"]["score"], 100)
        self.go("replay", self.path("result.json"), "-q", "-o", self.path("back.jsonl"))
        self.assertEqual(len(self.lines(self.path("back.jsonl"))), 3)
        piped = subprocess.run([sys.argv[1], "replay", "-", "--json", "--modes", "frame"], input=read(recording), capture_output=True)
        self.assertEqual(piped.returncode, 0, piped.stderr)

    def test_what_the_toolkit_leaves_out_or_adds_is_read(self):
        """Lines without frames, without a guid, packed, with other timestamps and reasoning, and with answers after the end."""
        lines = self.lines(self.recorded(self.tapes("t.jsonl", "arc:Chimes/intro#1"), "r.jsonl"))
        after = json.loads(json.dumps(lines[-1]))
        after["data"].update(frame=[], levels_completed=0, win_levels=0, action_input={"id": "ACTION1", "data": {}, "reasoning": None})
        for line in lines[1:]:
            line["timestamp"] = "2026-04-14T12:00:00.123456+00:00"
            line["data"]["action_input"]["reasoning"] = {"why": ["test", 1]}
            del line["data"]["frame"]
        text = "".join(json.dumps(line) + "\n" for line in [*lines, after])
        write(self.path("published.jsonl.gz"), gzip.compress(text.encode()))
        self.go("replay", self.path("published.jsonl.gz"), "-q", "-o", self.path("back.jsonl"))
        self.assertEqual(self.plays(self.path("back.jsonl")), self.plays(self.path("t.jsonl")))

    def broken(self, number, change):
        lines = self.lines(self.path("r.jsonl"))
        change(lines[number - 1]["data"])
        return write(self.path("broken.jsonl"), "".join(json.dumps(line) + "\n" for line in lines))

    def test_what_is_wrong_is_told_with_its_line(self):
        self.recorded(self.tapes("t.jsonl", "arc:Fold/intro#3"), "r.jsonl")

        def set_(key, value):
            return lambda data: data.__setitem__(key, value)

        def pixel(data):
            data["frame"][-1][10][10] ^= 1

        cases = [(3, set_("state", "GAME_OVER"), "`state` disagrees"), (3, set_("levels_completed", 2), "`levels_completed` disagrees"),
                 (4, set_("win_levels", 7), "`win_levels` disagrees"), (4, set_("available_actions", [1]), "`available_actions` disagrees"),
                 (5, pixel, "differs from the replay's"), (5, set_("frame", []), "the line has 0 frames"), (2, set_("state", "LOST"), "no state `LOST`"),
                 (2, lambda data: data["action_input"].update(id="ACTION9"), "ACTION7"), (2, lambda data: data.pop("state"), "`state`"),
                 (1, set_("game_id", "ls20-016295f7601e"), "does not name an episode"), (1, set_("game_id", "GoToGoal/easy#1"), "no episode of which"),
                 (3, set_("game_id", "arc:Fold/intro#4"), "another episode"),
                 (1, lambda data: data["action_input"].update(id="ACTION1"), "should begin with"),
                 (2, lambda data: data["action_input"].update(id="ACTION6", data={"x": 1, "y": 2}), "action")]
        for number, change, words in cases:
            with self.subTest(words):
                done = run("replay", self.broken(number, change), "-q", "-o", self.path("out.jsonl"))
                self.assertIn(done.returncode, (1, 2))
                self.assertIn(f"broken.jsonl, line {number}: ", done.stderr)
                self.assertIn(words, done.stderr)
                self.assertFalse(os.path.exists(self.path("out.jsonl")), "nothing is written of what is wrong")
                self.assertEqual(run("verify", self.path("broken.jsonl")).returncode, 1)

    def test_a_line_that_is_no_json_is_told(self):
        self.recorded(self.tapes("t.jsonl", "arc:Fold/intro#3"), "r.jsonl")
        write(self.path("torn.jsonl"), read(self.path("r.jsonl"))[:-300] + b"\n")
        done = run("verify", self.path("torn.jsonl"))
        self.assertIn(f"line {len(self.lines(self.path('r.jsonl')))}: ", done.stderr)

    def test_a_part_of_a_last_line_is_left_out_and_named(self):
        """A recorder that was killed: all that was written as a whole is read, wherever the last line was cut."""
        text = read(self.recorded(self.tapes("t.jsonl", "arc:Fold/intro#3"), "r.jsonl"))
        last = text[:-1].rindex(b"\n") + 1
        whole = len(self.plays(self.path("t.jsonl"))[0]["actions"])
        for at in (last + 1, last + 20, len(text) - 300, len(text) - 2):
            with self.subTest(at=at):
                write(self.path("cut.jsonl"), text[:at])
                done = self.go("replay", self.path("cut.jsonl"), "-q", "-o", self.path("back.jsonl"))
                self.assertEqual(done.stderr.strip(), f"seedbed: note: {self.path('cut.jsonl')}: left out: line {whole + 1}, of which only a part was written")
                self.assertEqual(len(self.plays(self.path("back.jsonl"))[0]["actions"]), whole - 1)
        write(self.path("whole.jsonl"), text[:-1])
        self.assertEqual(self.go("replay", self.path("whole.jsonl"), "-q", "-o", self.path("back.jsonl")).stderr, "")
        self.assertEqual(self.plays(self.path("back.jsonl")), self.plays(self.path("t.jsonl")))

    def test_what_playback_passes_over_is_passed_over_and_named(self):
        """Blank lines, scorecards, null, a mark at the beginning; and ids as numbers and as texts of them."""
        lines = self.lines(self.recorded(self.tapes("t.jsonl", "arc:Chimes/intro#1"), "r.jsonl"))
        for number, line in enumerate(lines):
            given = line["data"]["action_input"]
            given["id"] = [given["id"], int(given["id"].replace("RESET", "0").replace("ACTION", "")),
                           given["id"].replace("RESET", "0").replace("ACTION", "")][number % 3]
            if not given["data"]:
                given["data"] = None
        rows = [json.dumps(line) for line in lines]
        scorecard = json.dumps({"timestamp": "x", "data": {"card_id": "c", "score": 1}})
        text = "\n".join(["\ufeff" + rows[0], "", "  \r", json.dumps({"timestamp": "x", "data": None}), *rows[1:], scorecard, ""])
        path = write(self.path("odd.jsonl"), text.encode())
        said = "left out: 2 blank lines, 2 lines without an action, such as a scorecard (the first is line 4)"
        self.assertIn(said, self.go("replay", path, "-q", "-o", self.path("back.jsonl")).stderr)
        self.assertEqual(self.plays(self.path("back.jsonl")), self.plays(self.path("t.jsonl")))
        verified = self.go("verify", path)
        self.assertIn(said, verified.stdout + verified.stderr)
        names = ("arc:Chimes/intro#1", "-q", "--agent", f"tape:{path}", "-o", self.path("result.json"))
        build = ("build", "-q", "--agent", f"tape:{path}", "--evaluation", "keep", "--duplicates", "keep")
        for reader in (("eval", *names), (*build, "-o", self.path("data")), (*build, "--dry-run"), ("log", path, "-q", "-o", self.path("log.jsonl"))):
            with self.subTest(reader=reader[0]):
                self.assertEqual(self.go(*reader).stderr.count(f"seedbed: note: {path}: {said}\n"), 1)
        self.assertIn(said, self.go("log", "--from", path, "-q", "-o", self.path("log.jsonl")).stderr)
        self.go("log", "--from", self.path("r.jsonl"), "-q", "-o", self.path("plain.jsonl"))
        self.assertEqual(read(self.path("log.jsonl")), read(self.path("plain.jsonl")))
        write(path, b"\n\n" + read(self.path("r.jsonl")))
        self.assertIn("left out: 2 blank lines", self.go("replay", path, "-q", "-o", self.path("back.jsonl")).stderr)

    def lose(self, path, frames):
        """As the agents' framework writes it: every action is a RESET, and none but the first is full."""
        lines = self.lines(path)
        for number, line in enumerate(lines):
            line["data"].update(action_input={"id": 0, "data": {}, "reasoning": None}, full_reset=number == 0)
            if not frames:
                del line["data"]["frame"]
        return write(self.path("lost.jsonl"), "".join(json.dumps(line) + "\n" for line in lines))

    def test_recordings_that_lost_their_actions_are_refused(self):
        path = self.recorded(self.tapes("t.jsonl", "arc:Echo/intro#7"), "r.jsonl")
        for frames in (True, False):
            lost = self.lose(path, frames)
            for command in (("replay", lost, "-q"), ("verify", lost), ("log", "--from", lost, "-q"))[:3 if frames else 2]:
                with self.subTest(command=command[0], frames=frames):
                    done = run(*command)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(f"lost.jsonl, line {3 if frames else 2}: the actions were lost", done.stderr)  # the first one moves nothing
                    self.assertIn("ARC-AGI-3-Agents", done.stderr)
                    self.assertIn("save_recording=True)\n", done.stderr)
                    self.assertNotIn("logged", done.stdout)

    def test_lines_without_any_action_are_no_play(self):
        path, lost = self.recorded(self.tapes("t.jsonl", "arc:Echo/intro#7"), "r.jsonl"), self.path("none.jsonl")
        lines = self.lines(path)
        for line in lines:
            del line["data"]["action_input"]
        write(lost, "".join(json.dumps(line) + "\n" for line in lines))
        for command in (("replay", lost, "-q"), ("verify", lost), ("log", "--from", lost, "-q")):
            with self.subTest(command=command[0]):
                done = run(*command)
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"none of {len(lines)} lines says which action was taken", done.stderr)

    def test_json_tells_which_log_was_written(self):
        path, log = self.recorded(self.tapes("t.jsonl", "arc:Echo/intro#7"), "r.jsonl"), self.path("log.jsonl")
        done = self.go("log", self.path("t.jsonl"), "--from", path, "-o", log, "--json")
        self.assertEqual(json.loads(done.stdout), {"log": log, "plays": 2})
        self.assertEqual(self.go("log", self.path("t.jsonl"), "--from", path, "--json").stdout.encode(), read(log), "printed, it is all")

    def test_two_resets_on_a_server_are_no_loss(self):
        """Servers never say that a reset was a full one."""
        lines = self.lines(self.recorded(self.tapes("t.jsonl", "arc:Echo/intro#7"), "r.jsonl"))
        lines[0]["data"]["full_reset"] = False
        twice = [lines[0], lines[0], *lines[1:]]
        path = write(self.path("twice.jsonl"), "".join(json.dumps(line) + "\n" for line in twice))
        self.go("log", "--from", path, "-q", "-o", self.path("log.jsonl"))
        self.assertEqual(len(self.lines(self.path("log.jsonl"))), len(twice))

    def test_a_log_may_begin_at_the_first_recorded_frame(self):
        """A recording that began later: what was shown first is where its log begins, and it is no play from the start."""
        lines = self.lines(self.recorded(self.tapes("t.jsonl", "arc:Echo/intro#7"), "r.jsonl"))
        empty = json.loads(json.dumps(lines[2]))
        empty["data"]["frame"] = []
        path = write(self.path("late.jsonl"), "".join(json.dumps(line) + "\n" for line in [empty, *lines[3:]]))
        self.assertIn("left out: 1 line before the first frame", self.go("log", "--from", path, "-q", "-o", self.path("log.jsonl")).stderr)
        self.go("log", "--from", self.path("r.jsonl"), "-q", "-o", self.path("whole.jsonl"))
        late, whole = self.lines(self.path("log.jsonl")), self.lines(self.path("whole.jsonl"))
        self.assertTrue(late[0]["recording"])
        self.assertNotIn("recording", whole[0])
        self.assertEqual([line["action"] for line in late[1:]], [line["action"] for line in whole[4:]])
        self.assertEqual([line["sha256"] for line in late[1:]], [line["sha256"] for line in whole[4:]])
        self.go("verify", self.path("log.jsonl"))
        self.assertIn("should begin with", run("replay", path, "-q").stderr)

    def test_families_without_such_recordings_are_refused(self):
        tapes = self.tapes("t.jsonl", "GoToGoal/easy#0")
        self.assertIn("no published form of recordings for the family agentick", self.go("replay", tapes, "--recording", "-", code=2).stderr)

    def test_ways_to_show_tapes_exclude_each_other(self):
        self.go("replay", "t.jsonl", "--recording", "-", "--json", code=2)
        self.go("replay", "t.jsonl", "--recording", "-", "-o", "-", code=2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
