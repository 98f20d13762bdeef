"""People as agents: what `seedbed humans` makes of tapes, with numbers worked out by hand, and what `report` makes of that.

    $(scripts/test-python) tests/humans_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import sys
import unittest

from dataset_support import FOUND, USAGE, InFolder, read, run, tapes_of, write
from study_support import FACTS, NODE, ROOT, SERVES, TEXTS, Server, lead, lines_of, number, played

CANONICAL = os.path.join(ROOT, "seeds", "autumn-canonical.jsonl.gz")
GOAL, OTHER, GAME, TEST = "GoToGoal-v0/easy#0", "GoToGoal-v0/easy#1", "arc:Fold/intro#3", "autumn:Seesaw/mfp-2#1"
FOLD = ((2, 2, 1, 2, 4, 3, 3), (2, 1, 2, 3, 4), (2, 2, 4, 3, 3))  # ACTION2, ...: how the levels are won in 7, 5 and 5 actions


class People(InFolder):
    """Plays of known lengths."""

    def typed(self, name, actions, *options):
        """Plays as people do in a terminal: by typing actions."""
        path = self.path("typed.jsonl")
        done = run("play", name, "-q", "-o", path, *options, input="".join(f":{action}\n" for action in actions) + "q")
        self.assertEqual(done.returncode, 0, done.stderr)
        return lines_of(path)[0]

    def goal(self, waits, name=GOAL):
        """The goal is three steps away, after so many actions of waiting; with more than nine of them the person gives up."""
        return self.typed(name, [0] * waits + ([1, 1, 3] if waits < 10 else []))

    def game(self, *wasted):
        """Wastes so many actions at the beginning of each level; None: gives up there."""
        actions = []
        for level, waste in zip(FOLD, wasted):
            if waste is None:
                break
            actions += ["ACTION5"] * waste + [f"ACTION{action}" for action in level]
        return self.typed(GAME, actions)

    def challenge(self, right):
        """Gives the right answer, or the one beside it."""
        tape = json.loads(run("solve", TEST, "-q", "--agent", "planner", "--challenges", CANONICAL, "-o", "-").stdout)
        *before, last = tape["actions"]
        return self.typed(TEST, [*before, last if right else last + 1], "--challenges", CANONICAL)

    @staticmethod
    def of(tape, participant, ordinal=0, attempt=1, seconds=None, **more):
        """The tape of a participant, whose last action came after so many seconds."""
        tape = played(tape, participant, ordinal, attempt, **more)
        if seconds is not None and tape["actions"]:
            tape["person"]["milliseconds"][-1] = round(1000 * seconds)
            tape["person"]["milliseconds"][:-1] = [0] * (len(tape["actions"]) - 1)
        return tape

    def save(self, tapes, name="tapes.jsonl"):
        return write(self.path(name), "".join(json.dumps(tape) + "\n" for tape in tapes))

    def humans(self, *arguments):
        """Returns what `humans` writes: all, by episode, and by task."""
        done = run("humans", *arguments, "-q", "-o", self.path("humans.json"))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        all_of_it = json.loads(read(self.path("humans.json")))
        return all_of_it, {p["episode"]: p for p in all_of_it["episodes"]}, {p["task"]: p for p in all_of_it["tasks"]}

    def report(self, result, *arguments):
        done = run("report", result, "--humans", self.path("humans.json"), "--json", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return {table["title"]: table for table in json.loads(done.stdout)}


class Measures(People):
    WAITS, SECONDS = (0, 1, 2, 4, 9), (1, 2.5, 4, 8, 20)

    def five(self):
        return [self.of(self.goal(waits), i, seconds=seconds) for i, (waits, seconds) in enumerate(zip(self.WAITS, self.SECONDS))]

    def test_percentiles_are_those_of_a_calculation_by_hand(self):
        all_of_it, episodes, tasks = self.humans(self.save(self.five()))
        goal = episodes[GOAL]
        self.assertEqual((all_of_it["participants"], all_of_it["plays"], goal["first"], goal["counted"], goal["enough"]), (5, 5, 5, 5, True))
        self.assertEqual((goal["judged"], goal["successes"]), (5, 5))
        # 3 4 5 7 12 actions: places 2, 3, 4, and 4.2: 7 + 0.2 * 5
        self.assertEqual(goal["actions"], {"n": 5, "quartiles": [4, 5, 7], "percentile_80": 8})
        self.assertEqual(goal["seconds"]["quartiles"], [2.5, 4, 8])
        self.assertAlmostEqual(goal["seconds"]["percentile_80"], 10.4, 9)
        self.assertEqual(tasks["GoToGoal-v0"]["actions"], goal["actions"])

    def test_only_first_plays_without_help_count(self):
        tapes = [*self.five(), self.of(self.goal(8), 0, 1, attempt=2), self.of(self.goal(8), 5, hints=1), self.of(self.goal(8), 6, undos=1),
                 self.of(self.goal(8), 7, expert=[0]), self.of(self.goal(8), 1, 3),  # calls itself the first attempt, and is a later one
                 self.of(self.goal(10), 8), self.goal(8)]
        all_of_it, episodes, _ = self.humans(self.save(tapes))
        goal = episodes[GOAL]
        self.assertEqual((all_of_it["participants"], all_of_it["plays"], all_of_it["anonymous"]), (9, 12, 1))
        self.assertEqual((goal["participants"], goal["plays"], goal["first"], goal["counted"]), (9, 12, 9, 6))
        self.assertEqual((goal["judged"], goal["successes"]), (6, 5))
        self.assertEqual(goal["actions"], {"n": 5, "quartiles": [4, 5, 7], "percentile_80": 8}, "of those that succeeded")

    def test_the_same_tape_twice_is_one_and_another_in_its_place_is_an_error(self):
        tapes = self.five()
        files = [self.save(tapes), self.save(tapes[:3], "again.jsonl")]
        all_of_it, episodes, _ = self.humans(*files)
        self.assertEqual((all_of_it["plays"], all_of_it["again"], episodes[GOAL]["counted"]), (5, 3, 5))
        self.refuse(["humans", files[0], self.save([self.of(self.goal(3), 1)], "other.jsonl")], FOUND, "two different plays number 0")

    def test_too_few_are_said(self):
        _, episodes, _ = self.humans(self.save(self.five()[:4]))
        self.assertFalse(episodes[GOAL]["enough"])
        self.assertIn("4 (too few)", run("humans", self.path("tapes.jsonl")).stdout)
        _, episodes, _ = self.humans(self.path("tapes.jsonl"), "--least", "4")
        self.assertTrue(episodes[GOAL]["enough"])

    def test_a_task_pools_its_episodes(self):
        tapes = self.five() + [self.of(self.typed(OTHER, [0] * waits + [1, 3]), i, 1, seconds=1) for i, waits in enumerate((0, 4))]
        _, episodes, tasks = self.humans(self.save(tapes))
        task = tasks["GoToGoal-v0"]
        self.assertEqual((task["episodes"], task["participants"], task["counted"]), (2, 5, 7))
        self.assertEqual(task["actions"]["quartiles"], [3.5, 5, 6.5])  # 2 3 4 5 6 7 12: places 2.5, 4, 5.5
        self.assertEqual(sorted(episodes), [GOAL, OTHER])

    def test_tapes_are_replayed_and_errors_point_at_them(self):
        tapes = self.five()
        for change, words in (({"return": 0.5}, "line 2"), ({"agent": "expert"}, "key `person`"), ({"person": 7}, "key `person`"),
                              ({"person": {**tapes[1]["person"], "ordinal": -1}}, "key `person`: key `ordinal`"),
                              ({"person": {**tapes[1]["person"], "attempt": 0}}, "key `attempt`"), ({"person": {**tapes[1]["person"], "name": "Ann"}}, "`name`"),
                              ({"person": {**tapes[1]["person"], "study": "a b"}}, "key `study`"), ({"person": {**tapes[1]["person"], "milliseconds": [1]}}, "4 actions"),
                              ({"person": {**tapes[1]["person"], "milliseconds": [1, 2, 3, 2.5]}}, "item 3")):
            path = self.save([tapes[0], {**tapes[1], **change}])
            for command in (["humans", path], ["verify", path], ["replay", path, "-q", "-o", self.path("x")]):
                with self.subTest(change=change, command=command[0]):
                    done = run(*command)
                    self.assertIn(done.returncode, (FOUND, USAGE))
                    self.assertIn("line 2", done.stderr + done.stdout)
                    self.assertIn(words, done.stderr + done.stdout)
        expert = run("solve", GOAL, "-q", "-o", "-").stdout
        self.refuse(["humans", write(self.path("expert.jsonl"), expert)], USAGE, "expert played, and not a person")
        self.refuse(["humans", write(self.path("none.jsonl"), "")], USAGE, "no tape of a person")


class Tapes(People):
    """Every command that reads tapes takes those of people."""

    def test_they_are_kept_as_they_are(self):
        tape = self.of(self.goal(2), 3, 1, 2, hints=2, undos=1, expert=[0, 2])
        path = self.save([tape])
        self.assertEqual(run("replay", path, "-q", "-o", self.path("again.jsonl")).returncode, 0)
        self.assertEqual(lines_of(self.path("again.jsonl")), [tape])
        self.assertEqual(run("verify", path).returncode, 0)
        self.assertEqual(run("eval", GOAL, "--agent", f"tape:{path}", "-q", "-o", self.path("result.json")).returncode, 0)
        self.assertEqual(run("verify", self.path("result.json")).returncode, 0)
        without = {key: value for key, value in tape.items() if key != "person"}
        self.assertEqual(run("verify", self.save([without], "without.jsonl")).returncode, 0, "no digest covers who played")

    def test_logs_and_exploration_take_them(self):
        path = self.save([self.of(self.game(1, 0, None), 1)], "game.jsonl")
        self.assertEqual(run("log", path, "-q", "-o", self.path("log.jsonl")).returncode, 0)
        self.assertTrue(read(self.path("log.jsonl")))
        test = self.save([self.of(self.challenge(True), 1)], "test.jsonl")
        done = run("exploration", test, "--json", "--challenges", CANONICAL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(json.loads(done.stdout.splitlines()[0])["episode"], TEST)

    def test_a_dataset_keeps_them_and_its_card_says_what_people_agreed_to(self):
        tapes = [self.of(self.goal(waits), waits) for waits in range(3)]
        study = write(self.path("first.json"), json.dumps({**FACTS, "texts": {**TEXTS, "consent": "We keep\n\n## what you do."}}))
        self.assertEqual(run("study", "add", study, self.save(tapes), "-q", "-o", self.path("plays")).returncode, 0)
        self.build("data", "--agent", "tapes:" + self.path("plays/tapes.jsonl"), "--evaluation", "keep")
        card = read(self.path("data/README.md")).decode()
        self.assertIn("## People\n\nPeople played, and this is what they agreed to:\n\n> first: We keep\n> \n> ## what you do.\n", card)
        facts = json.loads(read(self.path("data/croissant.json")))
        self.assertIn("People played. ", facts["rai:personalSensitiveInformation"])
        self.assertIn("first: We keep\n\n## what you do.", facts["rai:personalSensitiveInformation"])
        self.assertIn("The recipe, the recorded tapes and seedbed", facts["rai:dataCollection"])
        self.assertEqual(run("verify", self.path("data")).returncode, 0)
        self.assertEqual([tape["person"]["participant"] for tape in tapes_of(self.path("data"))], [number(i) for i in range(3)])
        self.assertEqual(run("render", self.path("data"), "-f", "npz", "-q").returncode, 0)
        self.assertIn("## People", read(self.path("data/README.md")).decode(), "rendering keeps it")
        self.build("alone", "--agent", "tapes:" + self.path("tapes.jsonl"), "--evaluation", "keep")
        self.assertNotIn("## People", read(self.path("alone/README.md")).decode())
        kept = read(self.path("plays/study.json"))
        write(self.path("plays/study.json"), kept[:-3])
        done = run("build", GOAL, "--agent", "tapes:" + self.path("plays/tapes.jsonl"), "--evaluation", "keep", "-q", "-o", self.path("damaged"))
        self.assertEqual(done.returncode, USAGE, done.stderr)
        self.assertIn("study.json: not valid JSON", done.stderr)
        write(self.path("plays/study.json"), '{"of": "somebody else"')
        self.build("foreign", "--agent", "tapes:" + self.path("plays/tapes.jsonl"), "--evaluation", "keep")
        self.assertNotIn("## People", read(self.path("foreign/README.md")).decode())


class Baselines(People):
    # wasted on each level, so 7 9 8 14 10, 5 6 5 9 20 and 5 5 7 8 9 actions
    WASTED = ((0, 0, 0), (2, 1, 0), (1, 0, 2), (7, 4, 3), (3, 15, 4))

    def five(self):
        return [self.of(self.game(*wasted), i) for i, wasted in enumerate(self.WASTED)]

    def result(self, tape):
        path = self.save([tape], "agent.jsonl")
        result = self.path("result.json")
        self.assertEqual(run("eval", GAME, "--agent", f"tape:{path}", "-q", "-o", result).returncode, 0)
        return result

    def test_a_level_has_the_upper_median_of_those_who_completed_it(self):
        _, episodes, _ = self.humans(self.save(self.five()))
        self.assertEqual(episodes[GAME]["levels"], [{"completed": 5, "baseline": 9}, {"completed": 5, "baseline": 6}, {"completed": 5, "baseline": 7}])
        _, episodes, _ = self.humans(self.save(self.five()[:4]), "--least", "4")
        self.assertEqual([level["baseline"] for level in episodes[GAME]["levels"]], [9, 6, 7], "number 3 of 4: of 7 8 9 14, of 5 5 6 9, of 5 5 7 8")
        given_up = [*self.five()[:4], self.of(self.game(3, 15, None), 4)]
        _, episodes, _ = self.humans(self.save(given_up))
        self.assertEqual(episodes[GAME]["levels"][2], {"completed": 4})

    def test_games_are_scored_by_them(self):
        self.humans(self.save(self.five()))
        tables = self.report(self.result(self.game(7, 4, 4)))
        efficiency = tables["Efficiency"]
        self.assertEqual(efficiency["rows"][0][1], "rhae")
        by_hand = 100 * (1 * (9 / 14) ** 2 + 2 * (6 / 9) ** 2 + 3 * (7 / 9) ** 2) / 6
        self.assertTrue(efficiency["rows"][1][1].startswith(f"{by_hand:.2f} "), (efficiency["rows"], by_hand))
        self.assertIn("5 or more", efficiency["note"])
        with_proxy = json.loads(run("report", self.path("result.json"), "--json").stdout)
        self.assertEqual(next(table for table in with_proxy if table["title"] == "Efficiency")["rows"][0][1], "rhae-proxy")

    def test_games_that_too_few_played_have_no_score(self):
        self.humans(self.save(self.five()[:4]))
        efficiency = self.report(self.result(self.game(0, 0, 0)))["Efficiency"]
        self.assertEqual(efficiency["rows"][1][1], "-")
        self.assertIn("(1 of all results)", efficiency["note"])

    def test_the_page_shows_people(self):
        self.humans(self.save(self.five()))
        page = self.path("page.html")
        self.assertEqual(run("report", self.result(self.game(7, 4, 4)), "--humans", self.path("humans.json"), "--html", page, "-q").returncode, 0)
        self.assertIn(b"People and agents", read(page))

    def test_wrong_documents_are_refused(self):
        result = self.result(self.game(0, 0, 0))
        document, _, _ = self.humans(self.save(self.five()))
        for change, words in (({"format": "x"}, "its format is"), ({"version": 9}, "version 9"), ({"more": 1}, "`more`"),
                              ({"episodes": [{"episode": "nothing#1"}]}, "key `episodes`: item 0"), ({"episodes": document["episodes"] * 2}, f"item {len(document['episodes'])} should come after"),
                              ({"tasks": [{**document["tasks"][0], "actions": {"n": 1, "quartiles": [1], "percentile_80": 1}}]}, "three quartiles")):
            path = write(self.path("wrong.json"), json.dumps({**document, **change}))
            done = run("report", result, "--humans", path)
            with self.subTest(words=words):
                self.assertIn(done.returncode, (FOUND, USAGE))
                self.assertIn(words, done.stderr)


class Challenges(People):
    def test_the_80th_percentile_stands_for_people(self):
        tapes = [self.of(self.challenge(i == 0), i, pace=50 + i) for i in range(5)]
        self.assertEqual([tape["score"] for tape in tapes], [1, 0, 0, 0, 0])
        _, episodes, _ = self.humans(self.save(tapes), "--challenges", CANONICAL)
        # 0 0 0 0 1: place 4.2
        self.assertAlmostEqual(episodes[TEST]["scores"]["percentile_80"], 0.2, 9)
        self.assertEqual(run("eval", TEST, "--challenges", CANONICAL, "--agent", "planner", "-q", "-o", self.path("result.json")).returncode, 0)
        table = self.report(self.path("result.json"), "--challenges", CANONICAL)["People and agents in tests"]
        self.assertEqual(table["rows"][1:], [["mfp", "1", "0.2000", "1.0000"]])
        self.humans(self.save(tapes[:4]), "--challenges", CANONICAL)
        table = self.report(self.path("result.json"), "--challenges", CANONICAL)["People and agents in tests"]
        self.assertEqual(table["rows"][1:], [])
        self.assertIn("1 others", table["note"])


@unittest.skipUnless(NODE and SERVES, "node or libmicrohttpd is not installed")
class FromAStudyToATable(Baselines):
    """Five scripted participants play a study in study.js; a server keeps it; the table is that of a calculation by hand."""

    def test_five_people(self):
        questions = [{"name": "hard", "text": "How hard?", "kind": "choice", "choices": ["easy", "hard"], "after": "each"}]
        facts = {**FACTS, "packs": [[GOAL, GAME]], "order": "balanced", "questions": questions}
        study, page = write(self.path("study.json"), json.dumps(facts)), write(self.path("page.html"), "x")

        def timed(tape, seconds):
            times = [0] * (len(tape["actions"]) - 1) + [round(1000 * seconds)]
            return {**tape, "person": {"hints": 0, "undos": 0, "expert": [], "milliseconds": times}}

        def person(i):
            goal, game = self.goal(Measures.WAITS[i]), self.game(*self.WASTED[i])
            return {"plays": {GOAL: [timed(goal, Measures.SECONDS[i])], GAME: [timed(game, 60 + i)]}, "agrees": True, "fails": i, "answers": {"How hard?": "hard"}}
        with Server(study, self.path("plays"), page) as server:
            led = lead({"study": facts, "collect": f"http://127.0.0.1:{server.port}/collect", "people": [person(i) for i in range(5)]})["people"]
            self.assertEqual(server.end(), 0)
        self.assertEqual(len({one["participant"] for one in led}), 5)
        self.assertEqual(len(lines_of(self.path("plays/tapes.jsonl"))), 10)
        answers = [line for line in lines_of(self.path("plays/participants.jsonl")) if "answer" in line]
        self.assertEqual([answer["value"] for answer in answers], ["hard"] * 10)
        orders = [tuple(play["name"] for play in one["played"]) for one in led]
        self.assertEqual(len(set(orders)), 2, "both rows of the square")
        _, episodes, _ = self.humans(self.path("plays"))
        self.assertEqual(episodes[GOAL]["actions"], {"n": 5, "quartiles": [4, 5, 7], "percentile_80": 8})
        self.assertAlmostEqual(episodes[GOAL]["seconds"]["percentile_80"], 10.4, 9)
        # 17 20 20 31 39 actions in all, 60 to 64 seconds
        self.assertEqual(episodes[GAME]["actions"]["quartiles"], [20, 20, 31])
        self.assertAlmostEqual(episodes[GAME]["actions"]["percentile_80"], 31 + 0.2 * 8, 9)
        self.assertEqual([level["baseline"] for level in episodes[GAME]["levels"]], [9, 6, 7])
        table = run("humans", self.path("plays")).stdout
        self.assertRegex(table, r"GoToGoal-v0/easy#0 +5 +5 +5 +5 +1\.000 +- +5\.0 \(4\.0\.\.7\.0\), 8\.0 +4\.0 \(2\.5\.\.8\.0\), 10\.4")


for name in [name for name in dir(Baselines) if name.startswith("test_")]:
    setattr(FromAStudyToATable, name, None)

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
