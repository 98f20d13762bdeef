"""Mixtures that live: outcomes are counted, weights are set, and vectors go on with them."""
import copy
import json
import os
import pickle
import signal
import threading
import time
import unittest

import seedbed
from seedbed.vector import make_vec
from support import Same

GOAL, KEYS = "agentick:GoToGoal-v0", "agentick:KeyDoorPuzzle-v0"
ITEMS = [{"tasks": "GoToGoal,KeyDoorPuzzle", "difficulty": "easy,medium"}]


def shares(names, part=lambda name: name.partition("#")[0]):
    kinds = [part(name) for name in names]
    return {kind: round(kinds.count(kind) / len(kinds), 1) for kind in sorted(set(kinds))}


class Outcomes(unittest.TestCase):
    def test_names_tasks_and_pairs_have_bins(self):
        for bins, names in (("pair", {"GoToGoal/easy": f"{GOAL}/easy", "GoToGoal-v0/easy#7": f"{GOAL}/easy", f"{KEYS}/medium": f"{KEYS}/medium"}),
                            ("task", {"GoToGoal": GOAL, "GoToGoal/easy#1": GOAL, "agentick:GoToGoal-v0": GOAL}),
                            ("difficulty", {"easy": "easy", "KeyDoorPuzzle/medium": "medium"}),
                            (lambda pair: "keys" if "Key" in pair else "none", {"KeyDoorPuzzle": "keys", "GoToGoal/easy#3": "none", "keys": "keys"})):
            mixture = seedbed.Mixture(ITEMS, bins=bins)
            for name, bin in names.items():
                self.assertEqual(mixture.bin(name), bin)
                mixture.update(name, 1)
            self.assertEqual(sum(of.episodes for of in mixture.outcomes.values()), len(names))
            self.assertEqual(sorted(pair for of in mixture.bins.values() for pair in of), sorted(mixture.pairs))

    def test_a_name_without_one_bin_is_refused(self):
        mixture = seedbed.Mixture(ITEMS)
        for name in ("GoToGoal", "GoToGoal/hard#1", "Nothing", "TagHunt/easy", "babyai:GoToObj", ""):
            with self.assertRaises(seedbed.Error):
                mixture.update(name, 1)
        self.assertRaisesRegex(seedbed.InvalidError, "2 bins of this mixture: .*easy, .*medium", mixture.bin, "GoToGoal")
        self.assertRaisesRegex(seedbed.InvalidError, "no bins", mixture.bin, "TagHunt/easy")
        self.assertRaisesRegex(seedbed.InvalidError, "bins", seedbed.Mixture, ITEMS, bins="seed")
        self.assertEqual({of.episodes for of in mixture.outcomes.values()}, {0})

    def test_the_mean_forgets(self):
        mixture = seedbed.Mixture(ITEMS, bins="task", memory=4)
        for outcome in (0, 1, 0, 1):
            mixture.update("GoToGoal", outcome)
        self.assertEqual((mixture.outcomes[GOAL].episodes, mixture.outcomes[GOAL].mean, mixture.outcomes[KEYS].episodes), (4, 0.5, 0))
        for _ in range(20):
            mixture.update("GoToGoal", True)
        self.assertGreater(mixture.outcomes[GOAL].mean, 0.99)


class Weights(unittest.TestCase):
    def test_bins_have_the_weights_that_they_were_given(self):
        mixture = seedbed.Mixture(ITEMS, bins="task")
        mixture.weigh({"GoToGoal": 4, "KeyDoorPuzzle": 1})
        self.assertEqual(shares(mixture.draw(4000, 1)), {"GoToGoal-v0/easy": 0.4, "GoToGoal-v0/medium": 0.4, "KeyDoorPuzzle-v0/easy": 0.1, "KeyDoorPuzzle-v0/medium": 0.1})
        mixture.weigh({"GoToGoal": 0})
        self.assertEqual(shares(mixture.draw(500, 1)), {"KeyDoorPuzzle-v0/easy": 0.5, "KeyDoorPuzzle-v0/medium": 0.5})
        mixture = seedbed.Mixture(ITEMS, bins="difficulty")
        mixture.weigh({"easy": 9, "medium": 1})
        self.assertEqual(shares(mixture.draw(4000, 1), lambda name: name.partition("/")[2].partition("#")[0]), {"easy": 0.9, "medium": 0.1})

    def test_other_bins_keep_their_weights_and_schedules(self):
        mixture = seedbed.Mixture([{"tasks": "GoToGoal", "difficulty": "easy,medium", "weight": [[0, 2], [1, 0]]}, {"tasks": "KeyDoorPuzzle", "difficulty": "easy", "weight": 1}])
        mixture.weigh({"GoToGoal/easy": 2})
        self.assertEqual(shares(mixture.draw(4000, 1)), {"GoToGoal-v0/easy": 0.5, "GoToGoal-v0/medium": 0.2, "KeyDoorPuzzle-v0/easy": 0.2})
        self.assertEqual(shares(mixture.draw(4000, 1, 1.0)), {"GoToGoal-v0/easy": 0.7, "KeyDoorPuzzle-v0/easy": 0.3})

    def test_numbers_that_are_none_are_refused_with_words(self):
        mixture = seedbed.Mixture(ITEMS)
        before = mixture.state_dict()
        for weight in (float("nan"), float("inf"), -1, "a", None, 10**400):
            with self.assertRaisesRegex(seedbed.InvalidError, "weight of GoToGoal/easy: a number of 0 or more, not "):
                mixture.weigh({"GoToGoal/easy": weight})
        for outcome in (float("nan"), float("inf"), "a", None):
            with self.assertRaisesRegex(seedbed.InvalidError, "outcome: a number, not "):
                mixture.update("GoToGoal/easy", outcome)
        self.assertEqual(mixture.state_dict(), before)

    def test_long_draws_let_others_run_and_can_be_interrupted(self):
        began = time.monotonic()
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            seedbed.Mixture(ITEMS).draw(10**8, 1)
        self.assertLess(time.monotonic() - began, 30)

    def test_what_cannot_be_changes_nothing(self):
        mixture = seedbed.Mixture(ITEMS)
        before = mixture.state_dict()
        for weights in ({"GoToGoal/easy": -1}, {"GoToGoal/easy": float("nan")}, {"GoToGoal/easy": float("inf")}, {"TagHunt/easy": 1}, dict.fromkeys(mixture.bins, 0)):
            with self.assertRaises(seedbed.Error):
                mixture.weigh(weights)
        self.assertEqual(mixture.state_dict(), before)

    def test_as_many_bins_as_a_family_has(self):
        mixture = seedbed.Mixture([{}])
        self.assertGreater(len(mixture.bins), 100)
        mixture.weigh({bin: i for i, bin in enumerate(mixture.bins)})
        self.assertEqual(len(mixture.pairs), len(mixture.bins))
        self.assertRaisesRegex(seedbed.InvalidError, "more than 1024 items", seedbed.Mixture, [{"tasks": "GoToGoal"}] * 1025)

    def test_a_family_without_difficulties(self):
        mixture = seedbed.Mixture([{"tasks": "babyai:GoToObj,GoToLocal"}])
        mixture.weigh({"babyai:GoToObj": 0})
        mixture.update("babyai:GoToLocal#3", 1)
        self.assertEqual(shares(mixture.draw(50, 1)), {"babyai:GoToLocal": 1})


class States(Same):
    def test_a_state_is_weights_and_outcomes(self):
        mixture = seedbed.Mixture(ITEMS, bins="task", episodes=30)
        mixture.weigh({"GoToGoal": 3}), mixture.update("KeyDoorPuzzle", 0.5)
        other = seedbed.Mixture([{"tasks": "TagHunt"}], bins="task")
        other.load_state_dict(json.loads(json.dumps(mixture.state_dict())))
        for one in (other, copy.deepcopy(mixture), pickle.loads(pickle.dumps(mixture))):
            self.assertEqual((one.state_dict(), one.draw(30, 2), one.bins, one.episodes), (mixture.state_dict(), mixture.draw(30, 2), mixture.bins, 30))
            one.update("GoToGoal", 1)
        self.assertEqual(mixture.outcomes[GOAL].episodes, 0)

    def test_a_spoilt_state_changes_nothing(self):
        mixture = seedbed.Mixture(ITEMS)
        state = mixture.state_dict()
        spoilt = [{key: value for key, value in state.items() if key != left} for left in state if left != "family"]
        spoilt += [{**state, key: value} for key in state for value in (-1, "x", [1], 2.5, {"x": 1}) if key != "family" or value != "x"]
        for one in [*spoilt, {**state, "outcomes": {f"{GOAL}/easy": [1]}}, {**state, "family": "nothing"}, None, 7]:
            with self.subTest(str(one)), self.assertRaises(seedbed.Error):
                mixture.load_state_dict(one)
        self.assertEqual(mixture.state_dict(), state)


class Vectors(Same):
    def test_another_mixture_is_drawn_from_at_the_next_reset(self):
        mixture = seedbed.Mixture(ITEMS, bins="task")
        vec = make_vec(mixture, 16, pad="family", autoreset="SameStep")
        vec.reset(seed=0)
        mixture.weigh({"GoToGoal": 0})
        running = vec.names()
        vec.mixture = mixture
        self.assertEqual(vec.names(), running, "episodes go on")
        self.assertGreater(len(shares(running)), 2)
        vec.step([0] * 16)
        followed = set()
        for _ in range(200):
            vec.step(vec.expert_actions())
            followed |= {new for new, old in zip(vec.names(), running) if new != old}
        self.assertEqual(set(shares(followed)), {"KeyDoorPuzzle-v0/easy", "KeyDoorPuzzle-v0/medium"})
        other = seedbed.Mixture([{"tasks": "TagHunt"}])
        vec.mixture = other
        vec.reset(seed=3)
        self.assertIs(vec.mixture, other)
        self.assertEqual(vec.names()[1], other.draw(1, 4)[0])

    def test_what_does_not_fit_changes_nothing(self):
        vec = make_vec(seedbed.Mixture([{"tasks": "GoToGoal", "difficulty": "easy"}]), 2, reward="progress")
        before = vec.mixture, vec.state_dict()
        for mixture in (seedbed.Mixture([{"tasks": "KeyDoorPuzzle", "difficulty": "expert"}]), seedbed.Mixture([{"tasks": "babyai:GoToObj"}]),
                        seedbed.Mixture([{"tasks": "GoToGoal"}]), "GoToGoal/easy", None):
            with self.assertRaises(seedbed.InvalidError):
                vec.mixture = mixture
        self.same((vec.mixture, vec.state_dict()), before)
        with self.assertRaisesRegex(seedbed.InvalidError, "draw"):
            make_vec("GoToGoal/easy", 2).mixture = before[0]
        vec.reset(seed=0)
        vec.step_async([0, 0])
        with self.assertRaisesRegex(RuntimeError, "step_wait"):
            vec.mixture = before[0]
        vec.step_wait()

    def test_progress_goes_on_counting(self):
        vec = make_vec(seedbed.Mixture(ITEMS, episodes=8), 4, pad="family")
        vec.reset(seed=1)
        vec.mixture = seedbed.Mixture(ITEMS, episodes=16)
        self.assertEqual(vec.progress, 0.25)

    def ahead(self, vec):
        return [vec.step(vec.expert_actions())[1:4] for _ in range(60)], vec.names(), vec.state_dict()

    def test_checkpoints_keep_it(self):
        def made():
            return make_vec(seedbed.Mixture(ITEMS, bins="task"), 6, pad="family")

        vec = made()
        vec.reset(seed=5)
        vec.mixture = seedbed.Mixture([{"tasks": "GoToGoal,TagHunt"}], bins="task")
        vec.mixture.weigh({"TagHunt": 3}), vec.mixture.update("TagHunt", 1)
        vec.mixture = vec.mixture
        others = [pickle.loads(pickle.dumps(vec)), copy.deepcopy(vec), copy.copy(vec), made()]
        others[-1].load_state_dict(json.loads(json.dumps(vec.state_dict())))
        self.assertEqual(others[-1].mixture.outcomes, vec.mixture.outcomes)
        ahead = self.ahead(vec)
        for other in others:
            self.same(self.ahead(other), ahead)
        vec.mixture.weigh({"TagHunt": 0})
        self.same(self.ahead(pickle.loads(pickle.dumps(vec))), self.ahead(vec))
        with self.assertRaises(seedbed.InvalidError):
            made().load_state_dict({key: value for key, value in vec.state_dict().items() if key != "mixture"})
        before = vec.state_dict()
        with self.assertRaises(seedbed.Error):
            vec.load_state_dict({**made().state_dict(), "chains": [7] * 6})
        self.same(vec.state_dict(), before)


class Names(Same):
    def test_a_reset_takes_a_name_for_each_place(self):
        for options in ({}, {"autoreset": "Disabled"}, {"then": "same"}, {"threads": 3}):
            vec = make_vec("GoToGoal/easy", 4, pad="family", **options)
            names = ["KeyDoorPuzzle-v0/easy#7", "GoToGoal-v0/medium#1", "GoToGoal-v0/easy#0", "TagHunt-v0/easy#2"]
            observation, _ = vec.reset(seed=9, options={"names": names})
            self.assertEqual(vec.names(), names)
            for i, name in enumerate(names):
                env = seedbed.make(name, pad="family", obs="values")
                self.same({key: value[i] for key, value in observation.items() if getattr(value, "ndim", 0) > 1},
                          {key: value for key, value in env.reset()[0].items() if getattr(value, "ndim", 0) > 0})
            self.assertEqual(vec.np_random_seed, (9, 10, 11, 12))

    def test_none_and_masked_places_go_on_with_their_chains(self):
        import numpy
        vec, other = make_vec("GoToGoal/easy", 3, autoreset="Disabled"), make_vec("GoToGoal/easy", 3, autoreset="Disabled")
        vec.reset(seed=1, options={"names": [None, "GoToGoal/easy#77", None]}), other.reset(seed=1)
        self.assertEqual(vec.names(), ["GoToGoal-v0/easy#1", "GoToGoal-v0/easy#77", "GoToGoal-v0/easy#3"])
        mask = numpy.array([True, False, True])
        vec.reset(options={"names": (None, 5, "GoToGoal/easy#8"), "reset_mask": mask}), other.reset(options={"reset_mask": mask})
        self.assertEqual(vec.names(), [other.names()[0], "GoToGoal-v0/easy#77", "GoToGoal-v0/easy#8"])
        vec.reset(options={"reset_mask": ~mask}), other.reset(options={"reset_mask": ~mask})
        self.assertEqual(vec.names()[1], other.names()[1])

    def test_mixtures_draw_again_afterwards(self):
        mixture = seedbed.Mixture([{"tasks": "GoToGoal", "difficulty": "easy"}])
        vec = make_vec(mixture, 2)
        vec.reset(seed=3, options={"names": ["GoToGoal/easy#1", "GoToGoal/easy#1"]})
        vec.reset()
        self.assertEqual(vec.names(), [mixture.draw(1, 3)[0], mixture.draw(1, 4)[0]])

    def test_what_cannot_be_is_refused(self):
        vec = make_vec("GoToGoal/easy", 2)
        vec.reset(seed=0)
        before = vec.names()
        for names, word in ((["GoToGoal/easy#1"], "2 environments"), ("ab", "2 environments"), (7, "2 environments"), ([1, 2], "str"), (["GoToGoal/easy#1", "x"], "x"),
                            (["GoToGoal/easy"] * 2, "name"), (["GoToGoal/easy#1", "babyai:GoToObj#1"], "family"), (["GoToGoal/easy#1", "GoToGoal/expert#1"], "pad"),
                            (["\ud800", None], "")):
            with self.subTest(names=names), self.assertRaisesRegex((seedbed.Error, UnicodeError), word):
                vec.reset(options={"names": names})
        self.assertEqual(vec.names(), before)
        with self.assertRaisesRegex(seedbed.InvalidError, "reset_mask"):
            make_vec(seedbed.select(["GoToGoal/easy#1"])).reset(options={"names": ["GoToGoal/easy#1"]})


if __name__ == "__main__":
    unittest.main()
