"""Packs of challenges: the same bytes for any number of workers and after interruptions, and what verify finds.

    python3 tests/challenges_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED = sys.argv[1]
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PROGRAMS = "EchoDancers,NightWatch"  # whose challenges are derived fastest
EACH = 1 if os.environ.get("SEEDBED_NIGHTLY") else 3  # one line in so many is altered


def run(*arguments, check=True):
    done = subprocess.run([SEEDBED, *arguments], capture_output=True, text=True, check=False)
    if check and done.returncode != 0:
        raise AssertionError(done.stderr)
    return done


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


class Packs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.pack = cls.path("pack.jsonl")
        cls.derive(cls.pack, "--jobs", "1")
        cls.task, cls.answer = read(cls.pack), read(cls.path("pack.answers.jsonl"))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def derive(cls, path, *options):
        return run("challenges", "-o", path, "--tasks", PROGRAMS, "--levels", "1..2", "--count", "2", *options)

    def item(self, kind):
        """The numbers of the lines of a challenge of this kind, in both files."""
        tasks, answers = self.task.splitlines(), self.answer.splitlines()
        i = next(i for i in range(1, len(tasks)) if json.loads(tasks[i])["kind"] == kind)
        return i, next(k for k in range(1, len(answers)) if json.loads(answers[k]).get("answer") == json.loads(tasks[i])["challenge"])

    def small(self, kind):
        """A pack of one challenge, which is verified quickly: the lines of its two files."""
        path = self.path(f"{kind}.jsonl")
        if not os.path.exists(path):
            run("challenges", "-q", "-o", path, "--tasks", "Triad", "--kinds", kind, "--levels", "1..1", "--count", "1")
        return read(path).splitlines(True), read(self.path(f"{kind}.answers.jsonl")).splitlines(True)

    def forged(self, kind, alter):
        """What verify says of a pack whose challenge `alter` changes, in both lines and with the right hash."""
        (head, task), (head_of_answers, answer) = self.small(kind)
        task, answer = json.loads(task), json.loads(answer)
        alter(task, answer)
        task = json.dumps(task, ensure_ascii=False).encode() + b"\n"
        answer["task_sha256"] = hashlib.sha256(task).hexdigest()
        return self.altered(head + task, head_of_answers + json.dumps(answer, ensure_ascii=False).encode() + b"\n")

    def altered(self, task, answer):
        """Writes an altered pack, and returns what verify says of it."""
        write(self.path("altered.jsonl"), task)
        write(self.path("altered.answers.jsonl"), answer)
        return run("verify", self.path("altered.jsonl"), check=False)

    def test_the_bytes_do_not_depend_on_the_number_of_workers(self):
        self.derive(self.path("three.jsonl"), "--jobs", "3")
        self.assertEqual(read(self.path("three.jsonl")), self.task)
        self.assertEqual(read(self.path("three.answers.jsonl")), self.answer)

    def test_an_interrupted_call_goes_on(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        for n_tasks, n_answers, rest in [(5, 5, b'{"answer": "autumn'), (6, 5, b""), (5, 6, b""), (len(tasks), len(answers), b"")]:
            path = self.path("half.jsonl")
            write(path + ".part", b"".join(tasks[:n_tasks]) + rest)
            write(self.path("half.answers.jsonl.part"), b"".join(answers[:n_answers]) + rest)
            self.derive(path)
            self.assertEqual(read(path), self.task)
            self.assertEqual(read(self.path("half.answers.jsonl")), self.answer)
            os.remove(path)
            os.remove(self.path("half.answers.jsonl"))

    def test_the_rest_of_another_pack_is_refused(self):
        path = self.path("other.jsonl")
        write(path + ".part", self.task)
        write(self.path("other.answers.jsonl.part"), self.answer)
        done = run("challenges", "-o", path, "--tasks", "Triad", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("is of another pack; remove it to begin anew", done.stderr)

    def test_a_pack_of_no_seeds_is_refused(self):
        head, *tasks = self.task.splitlines(True)
        wrong = re.sub(rb'"seeds": \d+', b'"seeds": 0', head)
        self.assertNotEqual(wrong, head)
        for lines in ([wrong, *tasks], [wrong, *tasks[1:]], [wrong]):
            done = self.altered(b"".join(lines), self.answer)
            self.assertIn("levels or seeds are out of range", done.stderr)

    def test_verify_accepts_what_was_derived(self):
        for again in [], ["--again"]:
            self.assertIn("every certificate replayed", run("verify", self.pack, *again).stdout)

    def test_every_line_says_what_it_is(self):
        tasks = [json.loads(line) for line in self.task.splitlines()][1:]
        answers = [json.loads(line) for line in self.answer.splitlines()][1:]
        self.assertEqual(len(answers), 2 * 3 * 2 * 2)
        answered = [line for line in answers if "answer" in line]
        self.assertEqual([line["challenge"] for line in tasks], [line["answer"] for line in answered])
        for line in tasks:
            hidden = {"correct", "plan", "mutation", "guard", "hidden", "certificate", "random"} & set(line)
            self.assertEqual(hidden, set())
            if line["kind"] == "mfp":
                self.assertEqual(len(set(line["options"])), 6)
                self.assertTrue(all("?" in frame for frame in line["frames"][-line["masked"]:]))
        for line in answers:
            self.assertTrue("answer" in line or "cannot be derived" in line["why"], line)

    def test_verify_finds_what_was_altered_and_names_it(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        for i in range(1, len(answers), EACH):
            entry = json.loads(answers[i])
            name = entry.get("answer") or entry["none"]
            changed = answers.copy()
            if "correct" in entry:
                changed[i] = answers[i].replace(b'"correct": %d' % entry["correct"], b'"correct": %d' % ((entry["correct"] + 1) % 6))
            elif "plan" in entry:
                changed[i] = answers[i].replace(b'"plan": [', b'"plan": ["noop", ')
            elif "guard" in entry:
                changed[i] = answers[i].replace(b'"times": ', b'"times": 9')
            else:
                changed[i] = answers[i].replace(b"attempt", b"attack")
            done = self.altered(self.task, b"".join(changed))
            self.assertEqual(done.returncode, 1, name)
            self.assertIn(name, done.stderr)
        for i in range(1, len(tasks), EACH):
            place = tasks[i].rindex(b'"', 0, -3) - 1
            changed = tasks[i][:place] + (b"0" if tasks[i][place:place + 1] != b"0" else b"1") + tasks[i][place + 1:]
            done = self.altered(b"".join([*tasks[:i], changed, *tasks[i + 1:]]), self.answer)
            self.assertEqual(done.returncode, 1)
            self.assertIn(json.loads(tasks[i])["challenge"], done.stderr)

    def test_an_altered_task_with_the_right_hash_is_found_too(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        entry = json.loads(tasks[1])
        sign = "1" if entry["frames"][0][0] == "0" else "0"
        frame = sign + entry["frames"][0][1:]
        changed = tasks[1].replace(entry["frames"][0].encode(), frame.encode(), 1)
        answer = answers[1].replace(hashlib.sha256(tasks[1]).hexdigest().encode(), hashlib.sha256(changed).hexdigest().encode())
        done = self.altered(b"".join([tasks[0], changed, *tasks[2:]]), b"".join([answers[0], answer, *answers[2:]]))
        self.assertEqual(done.returncode, 1)
        self.assertIn("is not what the actions lead to", done.stderr)

    def test_whatever_is_altered_in_a_challenge_is_found(self):
        """With the right hash of the task, so that only a replay can tell."""
        def first_distractor(task, answer):
            return next(k for k in range(6) if k != answer["correct"])

        def one_option(task, answer):
            k = first_distractor(task, answer)
            used = set(task["options"])
            new = next(text for at in range(len(task["options"][k])) for sign in "0123456789"[:len(task["colours"])]
                       for text in [task["options"][k][:at] + sign + task["options"][k][at + 1:]] if text not in used)
            task["options"][k] = new

        def all_options(task, answer):
            n = len(task["options"][0])
            texts = [text for number in range(8) for text in [f"{number:0{n}b}"] if text != task["options"][answer["correct"]]]
            for k in range(6):
                if k != answer["correct"]:
                    task["options"][k] = texts.pop()

        def all_stay(task, answer):
            answer["causes"] = ["answer" if k == answer["correct"] else "stay" for k in range(6)]

        def other_order(task, answer):
            a, b = [k for k in range(6) if k != answer["correct"]][:2]
            task["options"][a], task["options"][b] = task["options"][b], task["options"][a]

        def member(key, value):
            def alter(task, answer):
                answer[key] = value(answer[key])
            return alter

        def more_colours(task, answer):
            task["colours"].append("red" if "red" not in task["colours"] else "blue")

        def same_colour_twice(task, answer):
            task["colours"].append(task["colours"][0])
            at = task["goal"].rindex("0")
            task["goal"] = task["goal"][:at] + str(len(task["colours"]) - 1) + task["goal"][at + 1:]

        def plus_one(value):
            return value + 1

        alterations = {"mfp": [one_option, all_options, all_stay, other_order, more_colours,
                               *(member(key, plus_one) for key in ("states", "closest", "firings", "latents", "attempt"))],
                       "planning": [more_colours, same_colour_twice, member("states", lambda _: 77)],
                       "change": [more_colours, member("states", plus_one), member("cells", plus_one)]}
        for kind, all_of_it in alterations.items():
            self.assertEqual(self.forged(kind, lambda task, answer: None).returncode, 0)
            for number, alter in enumerate(all_of_it):
                with self.subTest(kind=kind, alteration=number):
                    done = self.forged(kind, alter)
                    self.assertEqual(done.returncode, 1, done.stdout)
                    self.assertIn("autumn:", done.stderr)

    def test_only_again_derives_what_could_not_be_derived(self):
        """A pack that says of a challenge that there is none is as it should be, until that is tried again."""
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        i, k = self.item("planning")
        name = json.loads(tasks[i])["challenge"]
        tried = sum(b'"none"' in line for line in answers[1:])

        def none(why, name=name):
            line = json.dumps({"none": name, "why": why}).encode() + b"\n"
            return b"".join(tasks[:i] + tasks[i + 1:]), b"".join([*answers[:k], line, *answers[k + 1:]])

        why = f"{name} cannot be derived: in the last attempt, the goal holds at the start"
        self.assertIn(f"{tried + 1} more could not be derived and were not tried again, which --again does", self.altered(*none(why)).stdout)
        again = run("verify", "--again", self.path("altered.jsonl"), check=False)
        self.assertEqual(again.returncode, 1)
        self.assertIn(f"{name}: deriving it again gives something else", again.stderr)
        self.assertIn(f"{tried} more could not be derived, and still cannot", run("verify", "--again", self.pack).stdout)
        for wrong in "no", why + ".", why.replace("#", "#1"), why.replace("holds", "held"), f"{name} is left out: the pack that is kept apart asks the same":
            done = self.altered(*none(wrong))
            self.assertEqual(done.returncode, 1, wrong)
            self.assertIn(f"{name}: it is missing for no known reason", done.stderr)
        self.assertIn("it is missing for no known reason", self.altered(*none(*(text.replace(*PROGRAMS.split(",")) for text in (why, name)))).stderr)

    def test_lines_that_are_missing_or_too_many_are_found(self):
        tasks, answers = self.task.splitlines(True), self.answer.splitlines(True)
        for task, answer in [(tasks[:-1], answers), (tasks, answers[:-1]), ([*tasks, tasks[-1]], answers), (tasks, [*answers, answers[-1]]),
                             (tasks[:1], answers[:1]), ([], []), ([tasks[0], *tasks[2:], tasks[1]], answers)]:
            self.assertEqual(self.altered(b"".join(task), b"".join(answer)).returncode, 1)

    def test_one_challenge_for_each_program_and_kind_is_the_first_of_the_larger_pack(self):
        run("challenges", "-o", self.path("one.jsonl"), "--one", "--tasks", PROGRAMS, "--levels", "1..2", "--count", "2")
        answers = {(entry.get("answer") or entry["none"]): line for line in self.answer.splitlines()[1:] for entry in [json.loads(line)]}
        wanted = []
        for program in PROGRAMS.split(","):
            for kind in "mfp", "planning", "change":
                names = [f"autumn:{program}/{kind}-{level}#{seed}" for level in (2, 1) for seed in (1, 2)]
                wanted.append(answers[next((name for name in names if b'"answer"' in answers[name]), names[-1])])
        self.assertEqual(read(self.path("one.answers.jsonl")).splitlines()[1:], wanted)
        for again in [], ["--again"]:
            self.assertIn("6 challenges: every certificate replayed", run("verify", self.path("one.jsonl"), *again).stdout)
        write(self.path("one.answers.jsonl"), read(self.path("one.answers.jsonl")).replace(b"-2#1", b"-3#1"))
        self.assertEqual(run("verify", self.path("one.jsonl"), check=False).returncode, 1)

    def test_packs_may_be_packed_by_gzip(self):
        for name, data in ("packed.jsonl.gz", self.task), ("packed.answers.jsonl.gz", self.answer):
            write(self.path(name), gzip.compress(data))
        self.assertIn("every certificate replayed", run("verify", self.path("packed.jsonl.gz")).stdout)
        os.remove(self.path("packed.answers.jsonl.gz"))
        self.assertIn("packed.answers.jsonl.gz", run("verify", self.path("packed.jsonl.gz"), check=False).stderr)

    def test_wrong_calls_say_what_is_wrong(self):
        for arguments, words in [([], "-o wants a file"), (["-o", "x", "--kinds", "maze"], "there is no kind `maze`"),
                                 (["-o", "x", "--levels", "0..3"], "levels are 1 to 4"), (["-o", "x", "--tasks", "Nothing"], "there is no program `Nothing`")]:
            done = run("challenges", *arguments, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


WELL = """(program
  (= GRID_SIZE 8)
  (object Ball (Cell 0 0 "red"))
  (= ball (initnext (Ball (Position 3 3)) (prev ball)))
  (on left (= ball (moveLeftNoCollision ball)))
  (on right (= ball (moveRightNoCollision ball)))
  (on up (= ball (moveUpNoCollision ball)))
  (on down (= ball (moveDownNoCollision ball)))
)
"""


class Brought(unittest.TestCase):
    """Packs of programs that users bring, beside those of the list."""

    def test_they_are_derived_verified_and_played(self):
        with tempfile.TemporaryDirectory() as folder:
            program, pack = os.path.join(folder, "well.sexp"), os.path.join(folder, "pack.jsonl")
            write(program, WELL.encode())
            task = "file-" + hashlib.sha256(WELL.encode()).hexdigest()[:16]
            plan = ("--kinds", "planning", "--levels", "1", "-q")
            refused = run("challenges", "--tasks", task, "-o", pack, *plan, check=False)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(f"the program of the task `{task}` is missing: name its file with --program", refused.stderr)
            run("challenges", "--program", program, "--tasks", f"{task},Seesaw", "-o", pack, *plan)
            head, *tasks = read(pack).decode().splitlines()
            self.assertEqual(json.loads(head)["programs"], ["Seesaw", task], "those of the list come first")
            self.assertEqual([json.loads(line)["env"] for line in tasks], ["Seesaw", task])
            run("verify", pack, "--program", program, "--again")
            self.assertIn("is missing: name its file", run("verify", pack, check=False).stderr)
            run("eval", "--pack", pack, "--program", program, "--agent", "planner", "-o", os.path.join(folder, "r.json"), "-q")
            apart = run("challenges", "--program", program, "--tasks", task, "--apart-from", pack, "-o", os.path.join(folder, "b.jsonl"),
                        "--kinds", "planning", "--levels", "1")
            self.assertIn("1 left out to keep the packs apart", apart.stdout)
            published = ("questions", pack, "--form", "published", "-o", os.path.join(folder, "published"))
            self.assertIn(f"the program of the task `{task}` is missing: name its file with --program", run(*published, check=False).stderr)
            run(*published, "--program", program)
            self.assertEqual(json.loads(read(os.path.join(folder, "published", f"{task}_planning_1_1.json")))["program"], task)


class Apart(unittest.TestCase):
    """In TugOfFour some goals come again under other seeds."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.other, cls.apart = cls.path("other.jsonl"), cls.path("apart.jsonl")
        cls.derive(cls.other, "1", "8")
        cls.said = cls.derive(cls.apart, "7", "8", "--apart-from", cls.other)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def derive(cls, path, seed, count, *options):
        return run("challenges", "-o", path, "--tasks", "TugOfFour", "--kinds", "planning", "--levels", "1", "--seed", seed, "--count", count, *options).stdout

    @staticmethod
    def lines(path):
        return [json.loads(line) for line in read(path).splitlines()][1:]

    def test_no_challenge_has_a_name_or_asks_what_the_other_pack_has(self):
        def goal(task):
            return task["mask"], task["goal"], tuple(task["colours"])

        names, goals = {task["challenge"] for task in self.lines(self.other)}, {goal(task) for task in self.lines(self.other)}
        self.derive(self.path("all.jsonl"), "7", "8")
        everything = self.lines(self.path("all.jsonl"))
        wanted = [task for task in everything if task["challenge"] not in names and goal(task) not in goals]
        self.assertEqual(self.lines(self.apart), wanted)
        left = [line["none"] for line in self.lines(self.path("apart.answers.jsonl")) if "is left out" in line.get("why", "")]
        self.assertEqual(left, [task["challenge"] for task in everything if task not in wanted])
        self.assertGreater(len(left), len(names & {task["challenge"] for task in everything}))
        self.assertEqual(self.said, f"planning-1: {len(wanted)} of 8 derived, {len(left)} left out to keep the packs apart\n")

    def test_verify_needs_the_other_pack_only_to_derive_again(self):
        self.assertIn("left out to keep the packs apart", run("verify", self.apart).stdout)
        self.assertIn("left out to keep the packs apart", run("verify", "--again", self.apart, "--apart-from", self.other).stdout)
        self.derive(self.path("third.jsonl"), "70", "1")
        for pack, options, code, words in [(self.apart, ["--again"], 1, "name this one with --apart-from"),
                                           (self.apart, ["--again", "--apart-from", self.path("third.jsonl")], 1, "it was another pack"),
                                           (self.other, ["--again", "--apart-from", self.apart], 1, "no other pack was kept apart from it"),
                                           (self.apart, ["--apart-from", self.other], 2, "--apart-from is for challenges, with --again")]:
            done = run("verify", pack, *options, check=False)
            self.assertEqual(done.returncode, code)
            self.assertIn(words, done.stderr)

    def test_an_interrupted_call_goes_on_only_with_the_same_pack(self):
        whole = {part: read(self.path("apart" + part)) for part in (".jsonl", ".answers.jsonl")}
        for part, data in whole.items():
            write(self.path("half" + part + ".part"), b"".join(data.splitlines(True)[:2]))
        done = run("challenges", "-o", self.path("half.jsonl"), "--tasks", "TugOfFour", "--kinds", "planning", "--levels", "1", "--seed", "7", "--count", "8", check=False)
        self.assertIn("is of another pack", done.stderr)
        self.derive(self.path("half.jsonl"), "7", "8", "--apart-from", self.other)
        for part, data in whole.items():
            self.assertEqual(read(self.path("half" + part)), data)


class FirstVersion(unittest.TestCase):
    """A pack of the first version of the rules, whose challenges are no longer derived."""

    PATH = os.path.join(ROOT, "tests", "golden", "autumn-version-1.jsonl.gz")

    def test_its_certificates_are_replayed_and_its_attempts_are_not(self):
        said = run("verify", self.PATH).stdout
        self.assertIn("6 challenges: every certificate replayed", said)
        self.assertIn("the pack is of version 1, and attempts by its rules cannot be made again", said)
        done = run("verify", "--again", self.PATH, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the pack is of version 1, whose rules this program no longer has", done.stderr)

    def test_its_challenges_are_played(self):
        for kind in "mfp", "planning", "change":
            name = f"autumn:EchoDancers/{kind}-1#1"
            said = run("show", name, "--challenges", self.PATH).stdout
            self.assertIn(f"a challenge of the kind `{kind}`", said)
            self.assertNotEqual(said, run("show", name).stdout if kind == "planning" else "")

    def test_what_was_played_from_it_asks_for_it(self):
        with tempfile.TemporaryDirectory() as folder:
            result, tapes = os.path.join(folder, "result.json"), os.path.join(folder, "tapes.jsonl")
            run("eval", "-q", "--pack", self.PATH, "--agent", "insider", "-o", result)
            run("replay", "-q", result, "-o", tapes, "--challenges", self.PATH)
            for path in result, tapes:
                run("verify", path, "--challenges", self.PATH)
                done = run("verify", path, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn("if it was played from a pack, name that with --challenges", done.stderr)

    def test_datasets_with_a_world_beside_take_its_challenges_too(self):
        with tempfile.TemporaryDirectory() as folder:
            dataset, names = os.path.join(folder, "d"), os.path.join(folder, "names")
            world = os.path.join(ROOT, "examples", "worlds", "ice.sexp")
            write(names, b"autumn:Ice/easy#5\nautumn:EchoDancers/planning-1#1\n")
            given = ("--challenges", self.PATH, "--program", world)
            run("build", "-q", "--names-from", names, "--agent", "random", "--evaluation", "keep", "-m", "ascii,challenge", "-f", "steps", "-o", dataset, *given)
            run("verify", dataset, *given)
            run("render", "-q", dataset, "-f", "chat", *given)
            run("verify", dataset, *given)
            other = os.path.join(folder, "other.sexp")
            write(other, read(world).replace(b"ROCKS 8", b"ROCKS 9"))
            done = run("verify", dataset, *given[:2], "--program", other, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("`Ice` is another program than the one of this name that was given", done.stderr)

    def test_what_is_altered_in_it_is_found(self):
        task, answer = (gzip.decompress(read(path)) for path in (self.PATH, self.PATH.replace(".jsonl", ".answers.jsonl")))
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pack.jsonl")
            for old, new in (b'"plan": [', b'"plan": ["noop", '), (b'"times": ', b'"times": 9'), (b'"certificate": "D"', b'"certificate": "E"'):
                self.assertIn(old, answer)
                write(path, task)
                write(path.replace(".jsonl", ".answers.jsonl"), answer.replace(old, new, 1))
                self.assertEqual(run("verify", path, check=False).returncode, 1, old)
            for change, words in ((lambda line: line["causes"].pop(), "key `causes` should hold six words"),
                                  (lambda line: line["hidden"].append(""), "key `hidden` should hold "),
                                  (lambda line: line.update(firings=1 << 32), "key `firings` should be from 0 to 4294967295")):
                lines = [json.loads(line) for line in answer.splitlines()]
                change(next(line for line in lines if "causes" in line))
                write(path.replace(".jsonl", ".answers.jsonl"), "".join(json.dumps(line) + "\n" for line in lines).encode())
                self.assertIn(words, run("verify", path, check=False).stderr)

    def test_a_later_version_is_unknown(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pack.jsonl")
            for part in "", ".answers":
                data = gzip.decompress(read(self.PATH.replace(".jsonl", part + ".jsonl")))
                write(path.replace(".jsonl", part + ".jsonl"), data.replace(b'"version": 1', b'"version": 3', 1))
            self.assertIn("the challenges have version 3, but this program reads versions 1 to 2", run("verify", path, check=False).stderr)


class Shipped(unittest.TestCase):
    """The packs that come with Seedbed."""

    def lines(self, name):
        return gzip.decompress(read(os.path.join(ROOT, "seeds", name))).splitlines(True)

    def test_they_hold_what_is_derived_now(self):
        for part in ".", ".answers.":
            shipped = self.lines(f"autumn{part}jsonl.gz")
            head = json.loads(shipped[0])
            self.assertLessEqual(head["first_seed"] + head["seeds"] - 1, 5)  # that datasets leave out
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "some.jsonl")
                run("challenges", "-q", "-o", path, "--tasks", "Seesaw,Triad", "--kinds", ",".join(head["kinds"]), "--levels", "1..2", "--seed", str(head["first_seed"]))
                new_head, *derived = read(path.replace(".jsonl", part + "jsonl")).splitlines(True)
            self.assertGreater(len(derived), 4)
            self.assertEqual(head["version"], json.loads(new_head)["version"])
            self.assertLessEqual(set(derived), set(shipped))

    @unittest.skipUnless(os.environ.get("SEEDBED_NIGHTLY"), "needs SEEDBED_NIGHTLY: two minutes")
    def test_every_challenge_is_what_its_attempt_gives(self):
        said = run("verify", os.path.join(ROOT, "seeds", "autumn.jsonl.gz")).stdout
        self.assertRegex(said, r"2077 challenges: every certificate replayed")

    def test_none_needs_to_be_proved_by_what_chance_cannot_touch(self):
        """As docs/autumn-challenges.md says."""
        letters = {json.loads(line).get("certificate") for line in self.lines("autumn.answers.jsonl.gz")}
        self.assertEqual(letters - {None}, {"D", "E", "plan"})

    def test_the_canonical_pack_is_a_part_of_the_larger_one(self):
        for part in ".", ".answers.":
            whole, canonical = self.lines(f"autumn{part}jsonl.gz"), self.lines(f"autumn-canonical{part}jsonl.gz")
            self.assertEqual(json.loads(canonical[0]), json.loads(whole[0]) | {"one": True})
            self.assertLessEqual(set(canonical[1:]), set(whole))
        names = [name for line in self.lines("autumn-canonical.answers.jsonl.gz")[1:] for said in [json.loads(line)] for name in [said.get("answer") or said["none"]]]
        self.assertEqual(len({name.split("-")[0] for name in names}), len(names))
        self.assertEqual(len(names), 43 * len(json.loads(whole[0])["kinds"]))

    def test_they_are_small_and_the_page_is_of_them(self):
        names = [f"autumn{which}{part}jsonl.gz" for which in ("", "-canonical") for part in (".", ".answers.")]
        files = [read(os.path.join(ROOT, "seeds", name)) for name in names]
        self.assertLess(sum(map(len, files)), 5_000_000)
        for name, data in zip(names, files):
            self.assertIn(hashlib.sha256(data).hexdigest().encode(), read(os.path.join(ROOT, "docs", "measured", "autumn-pack.md")), name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
