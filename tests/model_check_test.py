"""Checks of world models as users run them: what a candidate is told, what defaults do, and candidates that misbehave.

    python3 tests/model_check_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import concurrent.futures
import json
import sys
import textwrap
import unittest

from dataset_support import SEEDBED, InFolder, read, run, write

# Ten lines make a candidate; HOSTILE goes before its answer.
CANDIDATE = """
import json, os, sys, time
def say(reply):
    print(reply if isinstance(reply, str) else json.dumps(reply), flush=True)
n = 0
for line in sys.stdin:
    m = json.loads(line)
    op = m["op"]
    n += op == "predict"
{inside}
    if op == "hello":
        say({{"name": "test", "offers": {offers}}})
    elif op == "close":
        break
    elif op == "predict":
        say({{"z": m["z"]}})
    else:
        say({{}})
"""


class WithLog(InFolder):
    def setUp(self):
        super().setUp()
        run("solve", "arc:Echo/intro#7", "--log", self.path("log.jsonl"), "-q")

    def candidate(self, inside="", offers=("predict",), name="model.py"):
        write(self.path(name), CANDIDATE.format(inside=textwrap.indent(textwrap.dedent(inside), "    "), offers=json.dumps(list(offers))))
        return f"{sys.executable} {self.path(name)}"

    def model(self, *arguments, code):
        done = run("model", "check", "--timeout", "60", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def check(self, model, *more, code=1):
        done = self.model(self.path("log.jsonl"), "--model", model, "--json", "-q", *more, code=code)
        return json.loads(done.stdout) if code < 2 else done.stderr


class Reports(WithLog):
    def test_a_copy_is_the_reference_row_copy(self):
        report = self.check(self.candidate())
        for key in ("asked", "retrodiction", "pixels", "changes", "objects", "histogram", "fields", "horizon", "surprise"):
            self.assertEqual(report["all"][key], report["copy"][key], key)
        self.assertEqual(report["all"]["observed"], 1)
        self.assertEqual(report["failures"], {})

    def test_the_first_mismatch_names_line_owner_and_cells(self):
        first = self.check(self.candidate())["first_mismatch"]
        lines = [json.loads(line) for line in read(self.path("log.jsonl")).splitlines()]
        line = lines[first["line"] - 1]
        self.assertEqual((first["t"], first["owner"], first["source"]), (line["t"], "dynamics", "predict"))
        runs = line["frames"][-1]["d"]
        self.assertEqual([cell[:2] for cell in first["cells"]], [[y, x + i] for y, x, colours in runs for i in range(len(colours))][:32])
        self.assertEqual([cell[4] for cell in first["cells"]], [int(c, 16) for _, _, colours in runs for c in colours][:32])
        self.assertEqual(first["fields"], ["/frame"])

    def test_the_true_rules_pass_with_code_0_and_come_through_every_level(self):
        report = self.check(f"{SEEDBED} model serve arc:Echo/intro#7", code=0)
        self.assertEqual((report["all"]["retrodiction"], report["all"]["horizon"]["full"], report["first_mismatch"]), (1, 1, None))
        self.assertEqual(report["impure"], {})
        self.assertGreater(report["asked_twice"]["predict"], 0)

    def test_the_table_for_people_has_the_references(self):
        done = self.model(self.path("log.jsonl"), "--model", self.candidate(), code=1)
        for word in ("the model", "copy", "table", "retrod: retrodiction", "surpris: surprise in bits", "arc:Echo/intro level 3", "First mismatch"):
            self.assertIn(word, done.stdout)

    def test_parts_add_up(self):
        report = self.check(self.candidate())
        for key in ("levels", "actions", "games"):
            self.assertEqual(sum(part["asked"] for part in report[key]), report["all"]["asked"], key)
        self.assertEqual(sum(part["horizon"]["plays"] for part in report["levels"]), report["all"]["horizon"]["plays"])

    def test_a_blind_encoder_is_to_blame_for_what_it_does_not_see(self):
        report = self.check(self.candidate("""
            if op == "encode":
                say({"z": {"frame": "0" * 4096}})
                continue
        """, offers=["predict", "encode"]))
        self.assertEqual((report["all"]["observed"], report["first_mismatch"]["owner"]), (0, "observation"))
        self.assertEqual(report["faults"]["observation"], report["all"]["asked"])

    def test_tables_in_the_log_take_the_place_of_encode(self):
        lines = [json.loads(line) for line in read(self.path("log.jsonl")).splitlines()]
        for line in lines:
            line["z"] = {"frame": "0" * 4096, "here": 1}
        write(self.path("log.jsonl"), "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
        report = self.check(self.candidate(offers=["predict", "encode"]))
        self.assertNotIn("encode", report["asked"])
        self.assertEqual(report["all"]["fields"], 1)

    def test_hypotheses_are_weighed(self):
        served = self.check(self.candidate("""
            if op == "hypotheses":
                say({"hypotheses": {"stay": 0.25, "blank": 0.75}})
                continue
            if op == "predict" and m["hypothesis"] == "blank":
                say({"z": {"frame": "0" * 4096}})
                continue
        """, offers=["predict", "hypotheses"]))
        copy = served["copy"]
        right = copy["retrodiction"]
        self.assertAlmostEqual(served["all"]["surprise"], 2 * right + 20 * (1 - right))
        blank = self.check(self.candidate("""
            if op == "hypotheses":
                say({"hypotheses": {"stay": 0.25, "blank": 0.75}})
                continue
            if op == "predict" and m["hypothesis"] == "blank":
                say({"z": {"frame": "0" * 4096}})
                continue
        """, offers=["predict", "hypotheses"]), "--hypothesis", "blank")
        self.assertEqual(blank["all"]["retrodiction"], 0)

    def test_a_hypothesis_that_nobody_offers_is_refused(self):
        self.assertIn("offers no hypothesis `zz`; it offers: main", self.check(self.candidate(), "--hypothesis", "zz", code=2))
        offering = self.candidate("""
            if op == "hypotheses":
                say({"hypotheses": {"stay": 0.25, "blank": 0.75}})
                continue
        """, offers=["predict", "hypotheses"])
        self.assertIn("it offers: stay, blank", self.check(offering, "--hypothesis", "main", code=2))
        self.check(self.candidate(), "--hypothesis", "main")

    def test_learning_and_testing_are_told_apart(self):
        run("solve", "arc:Echo/intro#8", "--log", self.path("test.jsonl"), "-q")
        report = self.check(f"{SEEDBED} model serve arc:Echo/intro#7", "--split", "--test", self.path("test.jsonl"),
                            "--test", self.path("log.jsonl"), code=0)
        self.assertEqual(report["episodes_seen"]["asked"], report["train"]["all"]["asked"])
        self.assertGreater(report["episodes_unseen"]["asked"], 0)
        self.assertEqual(report["levels_unseen"]["asked"], 0)

    def test_policies_reach_their_sub_goals_in_the_model_and_for_real(self):
        report = self.check(self.candidate("""
            if op == "hello":
                say({"offers": ["predict"], "policies": ["use", "wrong"], "sub_goals": ["later", "ever", "never"]})
                continue
            if op == "policy":
                say({"action": {"id": 5 if m["name"] == "use" else 9}})
                continue
            if op == "sub_goal":
                say({"achieved": {"later": m["m"]["step"] > 2, "ever": True, "never": False}[m["name"]]})
                continue
        """), "--policies", "--steps", "5")
        matrix = report["policies"]
        self.assertEqual(matrix["starts"], 1)
        self.assertEqual([row["policy"] for row in matrix["policies"]], ["use", "wrong"])
        self.assertEqual([(goal["model"], goal["real"], goal["both"]) for goal in matrix["policies"][0]["sub_goals"]], [(1, 1, 1), (1, 1, 1), (0, 0, 0)])
        self.assertEqual([goal["both"] for goal in matrix["policies"][1]["sub_goals"]], [0, 1, 0])
        self.assertEqual(matrix["failures"], 2)  # an action that does not exist, in both

    def test_options_of_other_words_are_refused_and_named(self):
        cases = [("-o", "x", "--output", "regressions"), ("--names-from", self.path("log.jsonl"), "--names-from", "plan"), ("--seeds", "1", "--seeds", "plan"),
                 ("-t", "Fold", "--tasks", "plan"), ("--nodes", "9", "--nodes", "plan"), ("--depth", "9", "--depth", "plan"), ("--actions", "9", "--actions", "plan"),
                 ("--log", "x", "--log", "plan"), ("--no-truth", None, "--no-truth", "plan")]
        for option, value, name, word in cases:
            said = self.check("true", *[one for one in (option, value) if one], code=2)
            self.assertIn(f"{name} is for {word}, not for check", said)
        self.assertIn("--steps is for --policies", self.check("true", "--steps", "5", code=2))
        self.assertIn("--save is for --learn", self.check("true", "--save", self.path("x"), code=2))
        self.assertIn("--policies is for a check without --split", self.check("true", "--split", "--test", self.path("log.jsonl"), "--policies", code=2))

    def test_a_note_says_that_a_model_does_not_learn(self):
        log = self.path("log.jsonl")
        done = self.model(log, "--model", self.candidate(), "-q", "--learn", "--save", self.path("known"), code=1)
        self.assertIn("note: the model does not learn: --learn had no effect, --save wrote nothing", done.stderr)
        self.assertEqual(self.model(log, "--model", self.candidate(), "-q", code=1).stderr, "")

    def test_nothing_asked_is_no_success(self):
        write(self.path("head.jsonl"), read(self.path("log.jsonl")).splitlines(True)[0])
        done = self.model(self.path("head.jsonl"), "--model", self.candidate(), "-q", code=1)
        self.assertIn("nothing was asked", done.stderr)

    def test_wrong_calls_have_code_2(self):
        self.assertIn("--model is missing", self.model(self.path("log.jsonl"), code=2).stderr)
        write(self.path("bad.jsonl"), '{"seedbed_transitions":1,"name":7}\n')
        self.assertIn("bad.jsonl, line 1: key `name`", self.model(self.path("bad.jsonl"), "--model", "true", code=2).stderr)
        self.assertIn("no such command?", self.check("/no/such/program", code=2))
        self.assertIn("`offers` lack predict", self.check(self.candidate(offers=["encode"]), code=2))


# What a candidate does when it is asked to predict: the kind of failure that is told, how often it is started again, and whether others are asked on.
MISBEHAVIOUR = {
    "garbage": ('say("what?")', "what?", 0),
    "no object": ('say("[1]")', "should be a JSON object", 0),
    "an error": ('say({"error": "no idea"})', "it says that it failed", 0),
    "no z": ("say({})", "key `z` is missing", 0),
    "broken inside": ('say(\'{"z": {"a" 1}}\')', "line", 0),
    "wrong done": ('say({"z": 1, "done": 3})', "should be true or false", 0),
    "no frame": ('say({"z": {"frame": "12"}})', "is no frame", 0),
    "signs above the palette": ('say({"z": {"frame": "z" * 4096}})', "is no frame", 0),
    "a large state": ('say({"z": {"frame": "0" * 300000}})', "more than 256 KiB", 0),
    "two lines": ('say("{}\\n{}")', "more than one line", 3),
    "a flood": ('sys.stdout.write("x" * (1 << 21)); sys.stdout.flush(); time.sleep(30)', "more than 1048576 bytes", 3),
    "hanging": ("time.sleep(30)", "no answer to `predict` within 1 s", 3),
    "dying": ("os._exit(5)", "exit code 5", 3),
    "killed": ("os.kill(os.getpid(), 9)", "signal 9", 3),
    "closed output": ("os.close(1); time.sleep(30)", "closed its output", 3),
}


class Recordings(InFolder):
    """Recordings of the toolkit become logs: of games that are played here, and of others."""

    def setUp(self):
        super().setUp()
        run("solve", "arc:Fold/intro#3", "-q", "-o", self.path("tape.jsonl"), "--log", self.path("log.jsonl"))
        run("replay", self.path("tape.jsonl"), "-q", "--recording", self.path("ours.jsonl"))
        write(self.path("theirs.jsonl"), read(self.path("ours.jsonl")).replace(b"arc:Fold/intro#3", b"ls20-0123"))

    def test_of_our_games_they_give_the_same_log(self):
        self.assertEqual(run("log", "--from", self.path("ours.jsonl"), "-q").stdout.encode(), read(self.path("log.jsonl")))

    def test_of_other_games_hashes_are_verified_and_models_are_checked(self):
        path = self.path("theirs.log.jsonl")
        self.assertEqual(run("log", "--from", self.path("theirs.jsonl"), "-q", "-o", path).returncode, 0)
        lines = read(path).splitlines(True)
        head, ours = json.loads(lines[0]), json.loads(read(self.path("log.jsonl")).splitlines()[0])
        self.assertEqual(head, {**ours, "name": "ls20-0123", "version": "recording", "recording": True})
        done = run("verify", path)
        self.assertEqual(done.returncode, 0)
        self.assertIn("every hash right\n", done.stdout)
        self.assertIn("cannot be replayed here", done.stdout + done.stderr)
        at = next(i for i, line in enumerate(lines[1:], 1) if json.loads(line)["kind"] == "step")
        frame = json.loads(lines[at])["frames"][-1]
        y, x, colours = frame["d"][0]
        write(path, b"".join([*lines[:at], lines[at].replace(json.dumps([y, x, colours]).replace(" ", "").encode(), json.dumps([y, x, "e" * len(colours)]).encode()), *lines[at + 1:]]))
        done = run("verify", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"theirs.log.jsonl, line {at + 1}: key `sha256`", done.stderr)


class Misbehaviour(WithLog):
    def test_misbehaviour_is_counted_and_the_check_goes_on(self):
        def check(case):
            name, (code, _, _) = case
            return self.check(self.candidate(f"if op == 'predict':\n    {code}\n    continue", name=name.replace(" ", "_")),
                              *(["--timeout", "1"] if name == "hanging" else []))

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            reports = list(pool.map(check, MISBEHAVIOUR.items()))
        for (name, (_, words, restarts)), report in zip(MISBEHAVIOUR.items(), reports):
            with self.subTest(name):
                self.assertIn(words, report["first_failure"])
                self.assertEqual(report["restarts"], restarts)
                self.assertEqual(report["all"]["retrodiction"], 0)
                self.assertEqual(report["first_mismatch"]["source"], "error")
                self.assertGreater(sum(report["failures"].values()), 3)

    def test_a_mismatch_is_explained_by_its_own_failure(self):
        report = self.check(self.candidate("""
            if op == "level":
                say([1])
                continue
            if op == "predict":
                say({})
                continue
        """, offers=["level", "predict"]))
        self.assertIn("`level`", report["first_failure"])
        self.assertRegex(report["first_mismatch"]["why"], r"^`predict`: ")

    def test_a_state_that_grows_fails_when_it_is_too_large_and_not_before(self):
        """h doubles with every action; the level after starts with none."""
        report = self.check(self.candidate("""
            if op == "history":
                say({"h": (m["h"] or "x" * 2000) * 2})
                continue
        """, offers=["predict", "history"]))
        self.assertIn("more than 256 KiB", report["first_failure"])
        self.assertEqual(set(report["failures"]), {"history"})
        self.assertGreater(report["asked"]["history"], report["failures"]["history"] + 7)
        self.assertEqual(report["restarts"], 0)

    def test_plans_regressions_and_policies_go_on_with_a_candidate_that_misbehaves(self):
        """What it does when it is asked to predict, and how often it is started again."""
        kinds = {"garbage": ('say("what?")', 0), "hanging": ("time.sleep(30)", 3), "dying": ("os._exit(5)", 3)}
        inside = """
            if op == "hello":
                say({{"offers": ["predict"], "policies": ["use"], "sub_goals": ["ever"]}})
                continue
            if op == "policy":
                say({{"action": {{"id": 5}}}})
                continue
            if op == "predict":
                {}
                continue
        """

        def run_all(kind):
            model = ("--model", self.candidate(inside.format(kinds[kind][0]), name=kind), "-q", "--timeout", "1" if kind == "hanging" else "60")
            return (run("model", "plan", "arc:Fold/intro#1", "--actions", "8", "--nodes", "20", "--no-truth", *model),
                    run("model", "plan", "arc:Fold/intro#1", "--actions", "8", "--nodes", "20", "--no-truth", "--json", *model),
                    run("model", "regressions", self.path("log.jsonl"), "-o", self.path(kind + ".jsonl"), *model),
                    run("model", "check", self.path("log.jsonl"), "--policies", "--json", *model))

        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            found = dict(zip(kinds, pool.map(run_all, kinds)))
        for kind, (shown, planned, small, checked) in found.items():
            with self.subTest(kind):
                self.assertEqual([done.returncode for done in (shown, planned, small, checked)], [0, 0, 0, 1], shown.stderr + planned.stderr + small.stderr + checked.stderr)
                self.assertRegex(shown.stdout, "questions had no good answer; the first: .*predict")
                plan = json.loads(planned.stdout)
                self.assertEqual((plan["actions"], plan["plans"], plan["right"], plan["regret"]), (8, 0, 0, None))
                self.assertEqual(plan["surprises"], 8)
                self.assertEqual(run("verify", self.path(kind + ".jsonl")).returncode, 0)
                report = json.loads(checked.stdout)
                self.assertEqual((report["restarts"], report["all"]["retrodiction"]), (kinds[kind][1], 0))
                self.assertGreater(report["policies"]["failures"], 0)

    def test_one_failure_costs_one_transition(self):
        report = self.check(self.candidate("if op == 'predict' and n == 5:\n    say('oops')\n    continue"))
        self.assertEqual(report["failures"], {"predict": 1})

    def test_a_program_that_dies_once_goes_on_and_is_told_the_game_and_the_level(self):
        marker = self.path("died")
        report = self.check(self.candidate(f"""
            heard = open({self.path('heard')!r}, "a").write(op + " ")
            if op == "predict" and n == 5 and not os.path.exists({marker!r}):
                open({marker!r}, "w").close()
                os._exit(1)
        """, offers=["predict", "level"]))
        self.assertEqual((report["restarts"], report["failures"]), (1, {"predict": 1}))
        self.assertIn(b"predict hello level predict", read(self.path("heard")))

    def test_impure_answers_are_counted(self):
        report = self.check(self.candidate("""
            if op == "predict":
                say({"z": {**m["z"], "n": n}})
                continue
        """))
        self.assertEqual(report["impure"]["predict"], report["asked_twice"]["predict"])

    def test_an_endless_hello_is_refused(self):
        self.assertIn("no answer to `hello`", self.check("sleep 30", "--start-seconds", "1", code=2))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
