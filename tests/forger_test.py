"""A forger writes datasets, tapes and results that lie about one episode; everything else is right, and all hashes and counts
match the lie. `verify` refuses each, except a valid tape of another agent, which only `--again` can detect.

    python3 tests/forger_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: output
"""
import os
import sys
import unittest

from dataset_support import FOUND, TOY, InFolder, contents, run, tapes_of

FORGER = os.path.join(os.path.dirname(TOY), "seedbed-forger")

# Lies about an episode in any recipe, and a word of `verify`'s message.
TAPES = {
    "cut": "before its episode does", "nothing": "before its episode does", "cut and won": "terminated", "last action": "tapes-", "success": "success", "return": "return",
    "dense return": "dense_return", "end": "terminated", "digest": "digest", "agent": "the tape says that the agent was", "rules": "rules", "other seed": "another episode",
    "renamed": "tapes-", "repeated": "another episode", "repeated under its name": "tapes-", "labels": "label", "intents": "intent",
    "filter": "", "census": "", "counts": "", "reward": "steps-", "card": "README.md", "content hash": "content_sha256"}
# Recipes of short episodes, with the episode that is lied about, and formats besides `steps`.
AGENTICK = ["--tasks", "GoToGoal,KeyDoorPuzzle", "-d", "easy", "--seeds", "1..10", "--evaluation", "keep"]
BABYAI = ["--family", "babyai", "--tasks", "GoToRedBallNoDists", "--seeds", "1..10", "--evaluation", "keep"]
ARC = ["--family", "arc", "--tasks", "Fold", "-d", "intro", "--seeds", "1..10", "--evaluation", "keep"]
HEAP = ["--family", "toy", "--tasks", "Pile", "--seeds", "1..10", "--evaluation", "keep"]
RECIPES = {
    "plain": (AGENTICK, "KeyDoorPuzzle-v0/easy#4"),
    "filtered": ([*AGENTICK, "--success"], "GoToGoal-v0/easy#2"),
    "noise": ([*AGENTICK, "--epsilon", "0.3"], "KeyDoorPuzzle-v0/easy#4"),
    "labelled": ([*AGENTICK, "--agent", "random", "--labels", "expert", "--intents"], "GoToGoal-v0/easy#3"),
    "babyai": ([*BABYAI, "--agent", "omnibot"], "babyai:GoToRedBallNoDists#5"),
    "games": (ARC, "arc:Fold/intro#1"),  # in which no other action than the last one wins: elsewhere that lie is a valid tape
    "toy": (HEAP, "toy:Pile-v1#5"),
}
ASKED_AGAIN = {"noise", "labelled"}  # recipes for which verification asks the oracle
HAS_MINARI = "libhdf5" not in run("build", "PreciseNavigation/easy#1", "--dry-run", "-f", "minari").stderr
FORMATS = {"plain": ["steps", "trajectories", "chat", "npz", "values", "preference", "seedpack", *(["minari"] if HAS_MINARI else [])],
           "babyai": ["steps", "npz", "predict", "plan", "decompose"], "games": ["next_frame"], "toy": ["heap", "steps"]}


class Forging(InFolder):
    def forge(self, lie, victim, *arguments):
        done = run(lie, victim, *arguments, program=FORGER)
        self.assertEqual((done.returncode, done.stderr), (0, ""), f"the forger does not know this lie: {lie}")

    def dataset(self, lie, recipe, *more):
        folder = self.path(f"{lie} {recipe} {' '.join(more)}".replace(":", " "))
        flags, victim = RECIPES[recipe]
        self.forge(lie, victim, "build", *flags, *more, "-q", "-o", folder)
        return folder, victim

    def test_without_a_lie_the_forger_writes_correct_files(self):
        for recipe, (flags, _) in RECIPES.items():
            with self.subTest(recipe):
                folder, _ = self.dataset("no lie", recipe)
                self.assertEqual(contents(folder), contents(self.build(recipe, *flags, program=TOY)))
                self.assert_verifies(folder, TOY)

    def test_every_lie_about_an_episode_is_refused(self):
        for recipe in RECIPES:
            for lie, words in TAPES.items():
                with self.subTest(recipe=recipe, lie=lie):
                    folder, victim = self.dataset(lie, recipe)
                    about = [victim] if words and lie not in ("card", "content hash") else []
                    for again in ([], ["--again"]):
                        self.refuse(["verify", folder, *again], FOUND, folder, words, *about, program=TOY)

    def test_rows_of_another_episode_are_refused_in_every_format(self):
        listed = run("build", "--help-all", program=TOY).stdout.split("\nformats:\n")[1].split("\n")
        known = {line.split()[0] for line in listed if line.strip()} - ({"minari"} if not HAS_MINARI else set())
        self.assertEqual(known, set().union(*FORMATS.values()))
        for recipe, formats in FORMATS.items():
            for name in formats:
                with self.subTest(recipe=recipe, format=name):
                    folder, _ = self.dataset("rows:" + name, recipe, "-f", name)
                    self.refuse(["verify", folder], FOUND, name + "-00000-of-00001.", program=TOY)

    def test_rewards_are_refused_in_every_format_that_has_them(self):
        for name in ("steps", "trajectories", "npz", *(["minari"] if HAS_MINARI else [])):
            with self.subTest(name):
                folder, _ = self.dataset("reward", "plain", "-f", name)
                self.refuse(["verify", folder], FOUND, name + "-00000-of-00001.")

    def test_evaluation_episodes_are_refused(self):
        official = run("solve", "--tasks", "PreciseNavigation", "-d", "easy", "-n", "1", "-q", "-o", self.path("t"))
        self.assertEqual(official.returncode, 0)
        with open(self.path("t"), encoding="utf-8") as file:
            name = file.read().split('"name": "')[1].split('"')[0]
        names = [name, "PreciseNavigation-v0/easy#1", "PreciseNavigation-v0/easy#2"]
        folder = self.path("census")
        self.forge("census", name, "build", *names, "-q", "-o", folder)
        self.assertIn(name, [tape["name"] for tape in tapes_of(folder)])
        self.refuse(["verify", folder], FOUND, folder)

    def test_tapes_of_another_agent_are_found_only_if_agents_are_asked(self):
        """The exception is a valid tape, with rows made from it, under the name of an agent that plays differently."""
        for recipe in RECIPES:
            with self.subTest(recipe):
                folder, victim = self.dataset("other agent", recipe)
                if recipe in ASKED_AGAIN:
                    self.refuse(["verify", folder], FOUND, victim, "step ", program=TOY)
                else:
                    self.assert_verifies(folder, TOY)
                self.refuse(["verify", folder, "--again"], FOUND, victim, program=TOY)

    def test_lies_in_tapes_results_and_certificates_are_refused(self):
        won = ["cut and won", "last action", "return", "digest", "repeated under its name"]  # certify searches on if nobody won
        told, more = ["cut", "nothing", "success", *won], ["end", "dense return", "rules"]
        selection = ["--tasks", "GoToGoal,KeyDoorPuzzle", "-d", "easy", "--seeds", "1..10"]
        for command, lies in {"solve": [*told, *more], "eval": [*told, "repeated", "other seed"], "certify": [*won, *more]}.items():
            honest = self.path(command)
            self.forge("no lie", "KeyDoorPuzzle-v0/easy#4", command, *selection, "-q", "-o", honest)
            self.assertEqual(run("verify", honest).returncode, 0)
            for lie in lies:
                with self.subTest(command=command, lie=lie):
                    path = self.path(f"{command} {lie}")
                    run(lie, "KeyDoorPuzzle-v0/easy#4", command, *selection, "-q", "-o", path, program=FORGER)  # exits with 1, because not all episodes are solved
                    self.refuse(["verify", path], FOUND, path)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
