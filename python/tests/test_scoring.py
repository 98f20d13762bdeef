"""Answers to single steps, judged by their costs."""
import concurrent.futures
import unittest

import seedbed


def played(name, n):
    """The first n actions of the expert, and what it does then."""
    env = seedbed.make(name, obs="none", info="none")
    env.reset()
    actions = []
    for _ in range(n):
        actions.append(env.expert_action())
        env.step(actions[-1])
    return actions, env.expert_action()


class Scores(unittest.TestCase):
    NAMES = ("KeyDoorPuzzle/easy#4", "LightsOut/easy#2", "SwitchCircuit/easy#3", "RecursiveRooms/medium#1")

    def test_the_experts_action_is_right_and_ties_are(self):
        ties = 0
        for name in self.NAMES:
            actions, action = played(name, 2)
            score = seedbed.score_action(name, actions, action)
            self.assertEqual((score.right, score.action, score.regret, score.unit, score.proven), (True, action, 0.0, "steps", True))
            for other in score.best:
                self.assertEqual(seedbed.score_action(name, actions, other).regret, 0.0)
            ties += len(score.best) > 1
        self.assertGreater(ties, 0)

    def test_regret_is_what_playing_on_takes_more(self):
        name = "KeyDoorPuzzle/easy#4"
        actions, best = played(name, 2)
        lengths = {}
        for action in range(6):
            env = seedbed.make(name, obs="none", info="none")
            env.reset()
            for each in (*actions, action):
                env.step(each)
            while not env.done:
                env.step(env.expert_action())
            lengths[action] = env.step_count
        for action, length in lengths.items():
            score = seedbed.score_action(name, actions, action)
            self.assertEqual(score.regret, length - lengths[best])
            self.assertEqual(score.right, length == lengths[best])

    def test_an_action_that_loses_costs_the_probability(self):
        for seed in range(40):
            costs = seedbed.score_action(f"PreciseNavigation/hard#{seed}", [], 0)
            for action in range(6):
                score = seedbed.score_action(f"PreciseNavigation/hard#{seed}", [], action)
                if score.unit == "probability":
                    self.assertEqual((score.right, score.regret), (False, 1.0))
                    return
            self.assertTrue(costs.proven)
        self.fail("no first action loses")

    def test_names_and_numbers_are_one(self):
        name = self.NAMES[0]
        for action, text in enumerate(seedbed.make(name).action_names):
            self.assertEqual(seedbed.score_action(name, [], action), seedbed.score_action(name, [], text))
            self.assertEqual(seedbed.score_action(name, ["noop"], action), seedbed.score_action(name, [0], f" {text.upper()} "))

    def test_what_is_no_action_is_not_right(self):
        for answer in ("fly", "", 6, -1, "\0", "move_up\0", "\ud800"):
            score = seedbed.score_action(self.NAMES[0], [], answer)
            self.assertEqual((score.right, score.action, score.regret), (False, None, None))
            self.assertTrue(score.best)

    def test_estimates_say_so(self):
        score = seedbed.score_action("TagHunt/easy#3", [], "move_left")
        self.assertFalse(score.right or score.proven)
        self.assertEqual(score.unit, "steps")
        self.assertGreater(score.regret, 0)

    def test_pairs_of_format_preference_hold(self):
        recipes = ({"tasks": "KeyDoorPuzzle,TagHunt", "difficulty": "easy", "split": "train", "count": 3, "epsilon": 0.2},
                   {"tasks": "PreciseNavigation", "difficulty": "hard", "split": "train", "count": 2, "epsilon": 0.2},
                   {"family": "babyai", "tasks": "GoToRedBall", "split": "mine", "count": 3, "epsilon": 0.2},
                   {"family": "arc", "tasks": "Fold", "difficulty": "intro", "split": "mine", "count": 1})
        units = set()
        for recipe in recipes:
            taken = {(row["name"], row["step"]): row["taken"] for row in seedbed.rows(recipe, "values")}
            for row in seedbed.rows(recipe, {"format": "preference", "rejected": "worst"}):
                actions = taken[row["name"], row["step"]]
                chosen, rejected = (seedbed.score_action(row["name"], actions, row[which]) for which in ("chosen_int", "rejected_int"))
                self.assertTrue(chosen.right)
                self.assertEqual((rejected.right, rejected.unit), (False, row["margin_unit"]))
                self.assertAlmostEqual(rejected.regret, row["margin"], 6)
                units.add(rejected.unit)
        self.assertEqual(units, {"steps", "probability"})

    def test_rows_tell_how_their_state_was_reached(self):
        recipe = {"tasks": "KeyDoorPuzzle", "difficulty": "easy", "split": "train", "count": 2, "oracle": "expert", "epsilon": 0.2}
        n = 0
        for format in ("values", {"format": "steps", "taken": True}, {"format": "chat", "taken": True}, {"format": "preference", "taken": True}):
            for row in seedbed.rows(recipe, format):
                self.assertEqual(len(row["taken"]), row["step"])
                best = seedbed.score_action(row["name"], row["taken"], 0).best
                for action in range(6):
                    score = seedbed.score_row(row, action)
                    self.assertEqual((score.right, score.action), (action in best, action))
                n += 1
        self.assertGreater(n, 60)
        row = next(iter(seedbed.rows(recipe, "chat")))
        with self.assertRaisesRegex(seedbed.InvalidError, '"taken": true'):
            seedbed.score_row(row, "noop")

    def test_threads_get_the_same(self):
        asked = [(name, [], action) for name in self.NAMES for action in range(6)] * 3
        alone = [seedbed.score_action(*each) for each in asked]
        seedbed.scoring._costs.cache_clear()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(lambda each: seedbed.score_action(*each), asked)), alone)

    def test_what_cannot_be_judged_is_refused(self):
        name = self.NAMES[0]
        self.assertRaises(seedbed.UnknownError, seedbed.score_action, "Nope/easy#1", [], 0)
        self.assertRaises(seedbed.UnknownError, seedbed.score_action, name, [], 0, agent="nobody")
        self.assertRaises(seedbed.ActionError, seedbed.score_action, name, ["fly"], 0)
        with self.assertRaisesRegex(seedbed.InvalidError, "seed"):
            seedbed.score_action("KeyDoorPuzzle/easy", [], 0)
        env = seedbed.make(name, obs="none")
        env.reset()
        with self.assertRaises(seedbed.FinishedError):
            seedbed.score_action(name, [0] * env.max_steps, 0)


if __name__ == "__main__":
    unittest.main()
