"""Format `next_frame`: every question and every answer is what the log of the same tape says.

    python3 tests/next_frame_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import functools
import json
import sys
import unittest

from dataset_support import USAGE, InFolder, contents, rows_of, run, unpacked, write

GAMES = ["--family", "arc", "--tasks", "Fold,Chimes", "-d", "intro", "--seeds", "0..1", "--agent", "curious"]
PROGRAMS = ["--family", "autumn", "--tasks", "Seesaw,Triad", "--seeds", "1..2", "--agent", "random"]
ASKED = ("step", "level", "over")
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def altered(frame, change, width):
    """The frame after a difference of a log."""
    cells = list(frame)
    for y, x, colours in change["d"]:
        cells[y * width + x:y * width + x + len(colours)] = colours
    return "".join(cells)


class Play:
    """An episode of a log, with all frames whole."""

    def __init__(self, header):
        self.header, self.lines, self.frames = header, [], [header["start"]]  # frames[t] is shown after action t
        self.width, self.height = header.get("width", 64), header.get("height", 64)

    def add(self, line):
        frame = self.frames[-1]
        for shown in line["frames"]:
            frame = altered(frame, shown, self.width) if isinstance(shown, dict) else shown
        self.lines.append(line)
        self.frames.append(frame)

    def action(self, t):
        line = self.lines[t - 1]
        return " ".join(str(line[key]) for key in ("action", "x", "y") if key in line)

    @functools.cache
    def difference(self, t):
        """That between the frames before and after action t, in the form of logs."""
        runs = []
        for y in range(self.height):
            before, now = (self.frames[at][y * self.width:(y + 1) * self.width] for at in (t - 1, t))
            changed = [x for x in range(self.width) if before[x] != now[x]]
            for x in changed:
                if runs and runs[-1][0] == y and runs[-1][1] + len(runs[-1][2]) == x:
                    runs[-1][2] += now[x]
                else:
                    runs.append([y, x, now[x]])
        return {"d": runs}

    @functools.cache
    def rows(self, t):
        frame = self.frames[t]
        return "\n".join(frame[y * self.width:(y + 1) * self.width] for y in range(self.height))

    def said(self, t, changes):
        """What conversations say of the frame after action t."""
        if not changes:
            return self.rows(t)
        return "\n".join(f"{y} {x} {colours}" for y, x, colours in self.difference(t)["d"]) or "none"


class NextFrame(InFolder):
    def plays(self, folder):
        """The log of a dataset's tapes, by the names of the episodes."""
        tapes, log = write(self.path("tapes.jsonl"), unpacked(folder, "tapes")), self.path("log.jsonl")
        done = run("log", tapes, "-o", log, "-q")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        plays = {}
        with open(log, encoding="utf-8") as file:
            for line in map(json.loads, file):
                if "start" in line:
                    play = plays[line["name"]] = Play(line)
                else:
                    play.add(line)
        return plays

    def asked(self, flags, **options):
        """Yields the questions of a dataset, each with its play and the number of its action, and compares what all forms have."""
        folder = self.build("d", *flags, "--format", json.dumps(["steps", {"format": "next_frame", **options}]), "--force")
        self.assert_verifies(folder)
        plays, steps = self.plays(folder), {(row["name"], row["step"]): row for row in rows_of(folder)}
        rows = [json.loads(line) for line in unpacked(folder, "next_frame").splitlines()]
        context = options.get("context", 8)
        wanted = [(name, line["t"]) for name, play in plays.items() for line in play.lines[context:] if line["kind"] in ASKED]
        self.assertEqual([(row["name"], row["step"] + 1) for row in rows], wanted)
        self.assertGreater(len(wanted), 50)
        for row in rows:
            play, t = plays[row["name"]], row["step"] + 1
            line, step = play.lines[t - 1], steps[row["name"], row["step"]]
            self.assertEqual((row["current_level"], row["done"], row["over"]), (line["level"], line["kind"] == "level", line["kind"] == "over"))
            for key in ("task", "difficulty", "episode_id", "success", "return", *(key for key in ("score", "level", "n_levels", "fault") if key in step)):
                self.assertEqual(row[key], step[key], key)
            yield row, play, t, step

    def check_columns(self, flags, **options):
        kinds = set()
        changes = options.get("frames", "changes") == "changes"
        for row, play, t, step in self.asked(flags, **options):
            n, seen = options.get("context", 8), row["start"].replace("\n", "")
            self.assertEqual([row[key] for key in ("start", "frame", "width", "height")], [play.rows(0), play.rows(t - 1), play.width, play.height])
            self.assertEqual(row.get("palette"), play.header.get("palette"))
            self.assertEqual(row["context_actions"], [play.action(at) for at in range(1, n + 1)])
            self.assertEqual(row["context_kinds"], [line["kind"] for line in play.lines[:n]])
            self.assertEqual(len(row["context_frames"]), n)
            for at, text in enumerate(row["context_frames"], 1):
                whole = not changes or play.lines[at - 1]["kind"] in ("reset", "level")
                self.assertEqual(text if whole else json.loads(text), play.rows(at) if whole else play.difference(at))
                seen = text.replace("\n", "") if whole else altered(seen, json.loads(text), play.width)
                self.assertEqual(seen, play.frames[at])
            self.assertEqual((row["action_name"], row["action_int"]), (step["action_name"], step["action_int"]))
            self.assertEqual(row["action_name"], play.action(t))
            kind = play.lines[t - 1]["kind"]
            kinds.add(kind)
            if kind == "level":
                self.assertIsNone(row["next_frame"])
                continue
            self.assertEqual(json.loads(row["next_frame"]) if changes else row["next_frame"], play.difference(t) if changes else play.rows(t))
            if changes and len(play.lines[t - 1]["frames"]) == 1:
                self.assertEqual(row["next_frame"], json.dumps(play.lines[t - 1]["frames"][0], separators=(",", ":")), "the bytes of the log")
        return kinds

    def test_answers_are_those_of_the_log_of_games(self):
        self.assertEqual(self.check_columns(GAMES), set(ASKED))

    def test_answers_are_those_of_the_log_of_programs(self):
        self.assertEqual(self.check_columns(PROGRAMS), {"step"})

    def test_whole_frames(self):
        self.check_columns(GAMES, frames="whole", context=3)
        self.check_columns(PROGRAMS, frames="whole", context=3)

    def test_a_context_may_be_empty_and_go_over_resets_and_levels(self):
        self.check_columns(PROGRAMS, context=0)
        self.check_columns(GAMES, context=64)
        lines = [line for play in self.plays(self.path("d")).values() for line in play.lines[:64]]
        self.assertLessEqual({"step", "reset", "over", "level"}, {line["kind"] for line in lines})

    def test_contexts_out_of_bounds_are_refused(self):
        for context in (65, -1, 1.5, "many", None):
            self.refuse(["build", *PROGRAMS, "--format", json.dumps({"format": "next_frame", "context": context}), "-o", self.path("d")], USAGE, "`context`")

    def test_an_episode_that_is_shorter_than_the_context_has_no_rows(self):
        folder = self.build("d", "arc:Fold/intro#0", "--agent", "expert", "--format", '{"format": "next_frame", "context": 64}')
        self.assert_verifies(folder)
        self.assertEqual(unpacked(folder, "next_frame"), b"")

    def test_conversations(self):
        for flags, frames in ((GAMES, "changes"), (GAMES, "whole"), (PROGRAMS, "changes"), (PROGRAMS, "whole")):
            changes = frames == "changes"
            for row, play, t, _ in self.asked(flags, form="chat", frames=frames, context=20):
                system, user, answer = row["messages"]
                self.assertEqual([message["role"] for message in row["messages"]], ["system", "user", "assistant"])
                kind = play.lines[t - 1]["kind"]
                self.assertEqual(answer["content"], kind if kind == "level" else kind + "\n" + play.said(t, changes))
                told = f"At the start:\n{play.rows(0)}\n\n"
                for at in range(1, 21):
                    what = play.lines[at - 1]["kind"]
                    did = {"step": "", "level": ", which completed the level", "over": ", which lost the game", "reset": ", which began anew"}[what]
                    by_changes = changes and what in ("step", "over")
                    told += f"After action {at}, {play.action(at)}{did}{', changes' * by_changes}:\n{play.said(at, by_changes)}\n\n"
                self.assertEqual(user["content"], f"{told}Now:\n{play.rows(t - 1)}\n\nAction: {play.action(t)}")
                self.assertIn(f"{play.height} lines of {play.width} signs", system["content"])
                colours = play.header.get("palette")
                self.assertIn(", ".join(f"{SIGNS[i]} {colour}" for i, colour in enumerate(colours)) if colours else "0, 1, 2", system["content"])
                self.assertEqual("`none`" in system["content"], changes)

    def test_texts_of_conversations_are_templates(self):
        options = {"form": "chat", "context": 1, "system": "", "user": "{task}|{difficulty}|{name}|{step}|{width}|{height}|{action}|{frame}|{{"}
        for row, play, t, _ in self.asked(GAMES, **options):
            self.assertEqual([message["role"] for message in row["messages"]], ["user", "assistant"])
            self.assertEqual(row["messages"][0]["content"],
                             f"{row['task']}|intro|{row['name']}|{row['step']}|64|64|{play.action(t)}|{play.rows(t - 1)}|{{")
        for options, words in (({"form": "chat", "user": "{scene}"}, ["`user`", "{scene}"]), ({"user": "{frame}"}, ["`user`", "`form`"]),
                               ({"form": "chat", "system": 5}, ["`system`"]), ({"frames": "few"}, ["`frames`", "changes"]), ({"form": "text"}, ["`form`", "chat"])):
            self.refuse(["build", *GAMES, "--format", json.dumps({"format": "next_frame", **options}), "-o", self.path("e")], USAGE, *words)

    def test_bytes_do_not_depend_on_workers(self):
        for flags in (GAMES, PROGRAMS):
            formats = ["--format", '["next_frame", {"format": "next_frame", "name": "talk", "form": "chat"}]', "--shard-episodes", "16", "--force"]
            self.assertEqual(*(contents(self.build(f"jobs{jobs}", *flags, *formats, "--jobs", jobs)) for jobs in ("1", "4")))

    def test_what_has_no_frames_is_refused_by_name_before_anybody_plays(self):
        for flags, words in ((["--tasks", "GoToGoal", "-n", "2"], ["the family agentick has no frames"]),
                             (["--family", "babyai", "--tasks", "GoToObj", "--seeds", "1"], ["the family babyai has no frames"]),
                             (["autumn:Seesaw#1", "autumn:Seesaw/planning-1#1"], ["Seesaw/planning-1 of the family autumn shows more than frames"])):
            self.refuse(["build", *flags, "-f", "next_frame", "-o", self.path("d")], USAGE, "next_frame", *words)

    def test_a_log_of_them_is_refused_before_anybody_plays_too(self):
        for command in ("solve", "eval"):  # without names: all official episodes of the first family, which take longer than this test
            self.refuse([command, "--log", self.path("log.jsonl")], USAGE, "the family agentick has no frames")

    def test_a_program_of_a_user_is_asked_about(self):
        program = write(self.path("mine.sexp"), "(program (= GRID_SIZE 4) (object Dot (Cell 0 0 \"red\")) (: dot Dot) "
                                                "(= dot (initnext (Dot (Position 0 0)) (moveRight (prev dot)))))")
        tasks = json.loads(run("tasks", "--program", program, "--family", "autumn", "--json").stdout)
        name = tasks[0]["tasks"][-1]["name"]
        folder = self.build("d", f"autumn:{name}#1", "--program", program, "--agent", "random", "--format", '{"format": "next_frame", "context": 1}')
        self.assert_verifies(folder)
        row = json.loads(unpacked(folder, "next_frame").splitlines()[0])
        top = row["frame"].split("\n")[0]
        place = top.index(SIGNS[row["palette"].index("red")])
        self.assertEqual(json.loads(row["next_frame"]), {"d": [[0, place, top[place + 1] + top[place]]]})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
