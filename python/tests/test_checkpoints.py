"""Vectors as values: pickles, copies, state_dict. What comes after is what comes after the original, step by step."""
import copy
import json
import pickle
import unittest

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode

import seedbed
from seedbed.vector import make_vec
from support import NIGHTLY, Same, seed_of_run, some

SHORT, KEYS = "GoToGoal-v0/easy", "KeyDoorPuzzle-v0/easy"
N = 5
AHEAD = 200


def setUpModule():
    global rng
    rng = numpy.random.default_rng(seed_of_run())


def mixture(episodes=0):
    items = [{"tasks": "GoToGoal", "difficulty": "easy", "weight": [[0, 1], [1, 0.2]]}, {"tasks": "KeyDoorPuzzle", "difficulty": "easy"}]
    return seedbed.Mixture(items, episodes=episodes)


def selection():
    return seedbed.select(tasks="GoToGoal", difficulty="easy", split="train", count=40)


# What is made: name, options.
MADE = {
    "chain": (SHORT, {}),
    "chain, texts": (KEYS, {"obs": ["ascii", "structured", "terrain"], "reward": "dense"}),
    "chain, infos": (SHORT, {"obs": "none", "info": "full"}),
    "chain, threads": (KEYS, {"threads": 3, "obs": "flat", "copy": False}),
    "pinned": (SHORT + "#7", {}),
    "several": ([SHORT, KEYS + "#4", SHORT + "#9", KEYS, SHORT], {"pad": "family"}),
    "same": (SHORT, {"then": "same"}),
    "stop": (SHORT, {"then": "stop"}),
    "next": (selection, {}),
    "repeat": (selection, {"then": "repeat"}),
    "draw": (mixture, {"pad": "family"}),
    "draw, counted": (lambda: mixture(60), {"pad": "family"}),
    "babyai": ("babyai:GoToObj", {"obs": ["values", "pixels"]}),
    "autumn": ("autumn:Seesaw", {"obs": ["ascii", "arrays"]}),
    "arc": ("arc:Echo/intro", {"obs": "frame"}),
}


def made(which, autoreset="NextStep", **others):
    name, options = MADE[which]
    return make_vec(name() if callable(name) else name, N, autoreset=autoreset, **{**options, **others})


def through_json(vec, into):
    into.load_state_dict(json.loads(json.dumps(vec.state_dict())))
    return into


def used(which, autoreset):
    """A vector that has played something else."""
    vec = made(which, autoreset, threads=2)
    vec.reset(**({} if vec._options["then"] in ("next", "repeat") else {"seed": 99}))
    vec.expert_actions("random")
    for action in (1, 0):
        vec.step([action] * N)
    return vec


WAYS = {
    "pickle": lambda vec, *_: pickle.loads(pickle.dumps(vec)),
    "deepcopy": lambda vec, *_: copy.deepcopy(vec),
    "copy": lambda vec, *_: copy.copy(vec),
    "state into a new one": lambda vec, which, autoreset: through_json(vec, made(which, autoreset)),
    "state into a used one": lambda vec, which, autoreset: through_json(vec, used(which, autoreset)),
}


def standing(vec):
    """What can be told of a vector without a step."""
    begun = vec.names() != [None] * N
    return (vec.names(), vec.np_random_seed, vec.progress, vec.running, [env.last_dense for env in map(vec.env, range(N))] if begun else None,
            copy.deepcopy(vec.observe()) if begun else None, vec.keys() if begun else None, vec.action_masks() if begun else None,
            [env.np_random.random() for env in map(vec.env, range(N))] if begun and None not in vec.np_random_seed else None)


def play(vec, steps, seed):
    """What steps return, with actions that are drawn; ended environments are reset where nobody else does that."""
    draw, seen = numpy.random.default_rng(seed), []
    kept = (lambda result: result) if vec._options.get("copy", True) else copy.deepcopy
    for _ in range(steps):
        result = kept(vec.step(draw.integers(0, vec.n_actions, N)))
        seen.append((result, vec.names()))
        over = result[2] | result[3]
        if vec.metadata["autoreset_mode"] is AutoresetMode.DISABLED and over.any():
            seen.append(kept(vec.reset(options={"reset_mask": over})))
    return seen


class Futures(Same):
    def each(self, which, autoreset, before, steps=AHEAD):
        """`before` brings a vector of this kind somewhere; all that is made from it goes on alike."""
        vec = made(which, autoreset)
        before(vec)
        here, others = standing(vec), {}
        for way, make in WAYS.items():
            others[way] = make(vec, which, autoreset)
            self.assertIs(type(others[way]), type(vec))
            self.same(standing(others[way]), here, f"{which}, {autoreset}, {way}")
        self.same(standing(vec), here, "nothing has changed what was saved")
        ahead = play(vec, steps, 11)
        for way, other in others.items():
            self.same(play(other, steps, 11), ahead, f"{which}, {autoreset}, {way}")
            self.same(standing(other), standing(vec), f"{which}, {autoreset}, {way}")
            self.same(other.reset(), copy.deepcopy(vec).reset(), f"{which}, {autoreset}, {way}: a reset")
            other.close()
        vec.close()
        return ahead

    def test_what_follows_is_the_same(self):
        all_ = [(which, mode.value) for which in MADE for mode in AutoresetMode if not (mode is AutoresetMode.DISABLED and which in ("stop", "next"))]
        for which, autoreset in some(rng, all_, 5):
            def before(vec, autoreset=autoreset):
                vec.reset(**({} if vec._options["then"] in ("next", "repeat") else {"seed": 3}))
                play(vec, int(rng.integers(60)), 5)

            with self.subTest(which=which, autoreset=autoreset):
                self.each(which, autoreset, before, AHEAD if NIGHTLY or "arc" not in which else 40)

    def test_resets_that_are_due(self):
        """Also where an episode has just ended, and the next step begins another one."""
        def before(vec):
            vec.reset(seed=1)
            draw = numpy.random.default_rng(2)
            for _ in range(500):
                _, _, terminations, truncations, _ = vec.step(draw.integers(0, vec.n_actions, N))
                if (terminations | truncations).any():
                    return
            self.fail("no episode has ended")

        for which in ("chain", "draw, counted"):
            self.each(which, "NextStep", before)
            with self.assertRaises(seedbed.FinishedError):
                vec = made(which, "Disabled")
                before(vec)
                pickle.loads(pickle.dumps(vec)).step([0] * N)

    def test_before_and_at_the_first_reset(self):
        for which in ("chain", "next", "draw"):
            self.each(which, "NextStep", lambda vec: vec.reset(), 20)
            vec = made(which)
            for way, make in WAYS.items():
                other = make(vec, which, "NextStep")
                self.assertEqual(other.names(), [None] * N, way)
                with self.assertRaises(seedbed.FinishedError):
                    other.step([0] * N)
                seed = {} if which in ("next", "repeat") else {"seed": 8}
                self.same(other.reset(**seed), made(which).reset(**seed), way)

    def test_where_nothing_is_left(self):
        """Idle environments stay idle, and those of a list go on where it was."""
        for which in ("stop", "next"):
            def before(vec, which=which):
                vec.reset()
                for _ in range(2000):
                    if vec.running < (N if which == "stop" else 3):
                        return
                    vec.step(vec.expert_actions())
                self.fail("no environment is idle")

            ahead = self.each(which, "NextStep", before, 60)
            self.assertTrue(ahead[-1][0][4]["idle"].any())

    def test_progress_that_was_set(self):
        def before(vec):
            vec.progress = 0.75
            vec.reset(seed=4)

        self.each("draw", "SameStep", before, 40)

    def test_copies_of_other_episodes(self):
        def before(vec):
            vec.reset(seed=4)
            play(vec, 7, 1)
            vec.copy_env(2, 0)
            env = seedbed.make(KEYS, obs="none")
            env.reset(seed=77), env.step(1)
            vec.copy_env(3, env)

        self.each("chain, texts", "NextStep", before, 30)
        self.each("chain, threads", "SameStep", before, 60)


class States(Same):
    def setUp(self):
        self.vec = made("chain")
        self.vec.reset(seed=0)
        play(self.vec, 30, 3)
        self.state = json.loads(json.dumps(self.vec.state_dict()))

    def test_a_state_belongs_to_names_and_rules_of_what_follows(self):
        made_otherwise = {
            "num_envs": lambda: make_vec(SHORT, N + 1), "names": lambda: make_vec(KEYS, N), "then": lambda: make_vec(SHORT, N, then="same"),
            "autoreset": lambda: make_vec(SHORT, N, autoreset="SameStep")}
        for key, make in made_otherwise.items():
            vec = make()
            vec.reset(seed=5)
            before = vec.keys()
            with self.assertRaisesRegex(seedbed.InvalidError, f"of another vector: its `{key}` is"):
                vec.load_state_dict(self.state)
            self.same(vec.keys(), before)
        for one, other in ((mixture(), SHORT), (mixture(), seedbed.Mixture([{"tasks": "babyai:GoToObj"}])),
                           (selection(), selection()[1:]), (SHORT + "#1", SHORT), ([SHORT] * 5, [SHORT, SHORT, SHORT, SHORT, SHORT + "#0"])):
            with self.assertRaisesRegex(seedbed.InvalidError, "its `(names|then)` is"):
                make_vec(other, N, pad="family").load_state_dict(make_vec(one, N, pad="family").state_dict())

    def test_what_is_shown_may_be_another_thing(self):
        other = make_vec("GoToGoal/easy", N, obs="ascii", reward="dense", info="none", threads=2, render_mode="ansi", mask="published")
        other.load_state_dict(self.state)
        for (theirs, names), (ours, ours_names) in zip(play(other, 60, 9), play(self.vec, 60, 9)):
            self.assertEqual(names, ours_names)
            self.same(theirs[2:4], ours[2:4])
        self.same(other.keys(), self.vec.keys())
        self.assertEqual(other.observe()[0], self.vec.env(0).observe("ascii"))

    def test_a_spoilt_state_changes_nothing(self):
        def with_item(key, i, value):
            return {**self.state, key: [value if k == i else item for k, item in enumerate(self.state[key])]}

        tape = json.loads(self.state["episodes"][0])
        chain = self.state["chains"][0]
        spoilt = [{key: value for key, value in self.state.items() if key != left} for left in self.state]
        spoilt += [{**self.state, key: value} for key in self.state for value in (None, -1, "x", [], [None], 2.5, {}, 2**70, True)
                   if not (key == "progress" and value in (None, True)) and not (key == "episodes" and value is None)
                   and not (key in ("next", "drawn") and value is True) and not (key == "seedbed_vector" and value is True)]
        spoilt += [with_item("episodes", 0, line) for line in ("", "{}", 5, "\0", "é", "\ud800", json.dumps({**tape, "digest": "0" * 16}), self.state["episodes"][0] + "x",
                                                               json.dumps({**tape, "name": "KeyDoorPuzzle-v0/hard#1"}), json.dumps({**tape, "actions": [99]}))]
        spoilt += [with_item("idle", 1, value) for value in (None, 0, "")] + [with_item("dense", 1, value) for value in (None, "", [], float("nan"), float("inf"))]
        spoilt += [with_item("chains", 1, [*chain[:k], value, *chain[k + 1:]]) for k in range(5) for value in (-1, 2**64, None, "1", 1.5)]
        spoilt += [with_item("chains", 1, value) for value in (chain[:5], [*chain[:4], 2, None], [*chain[:5], 2**32], 7, "abcdef")]
        spoilt += [{**self.state, "next": N + 1}, {**self.state, "progress": 1.5}, {**self.state, "progress": float("nan")}]
        before = standing(self.vec)
        for state in spoilt:
            with self.subTest(state=str({key: value for key, value in state.items() if value != self.state[key]})[:200]), self.assertRaises(seedbed.Error):
                self.vec.load_state_dict(state)
        self.same(standing(self.vec), before)
        self.vec.load_state_dict(self.state)
        self.same(standing(self.vec), before)

    def test_errors_say_which_environment_and_why(self):
        tape = json.loads(self.state["episodes"][3])
        for changed, error, word in (({"digest": "0" * 16}, seedbed.MismatchError, "digest"), ({"rules": "agentick 0"}, seedbed.VersionError, "agentick 0")):
            self.state["episodes"][3] = json.dumps({**tape, **changed})
            with self.assertRaisesRegex(error, f"^environment 3: .*{word}"):
                self.vec.load_state_dict(self.state)
        self.state["episodes"][3] = tape_of("KeyDoorPuzzle/hard#1")
        with self.assertRaisesRegex(seedbed.InvalidError, "pad"):
            self.vec.load_state_dict(self.state)
        with self.assertRaisesRegex(seedbed.VersionError, "format 1"):
            self.vec.load_state_dict({**self.state, "seedbed_vector": 2})

    def test_without_actions(self):
        vec = make_vec(SHORT, N, record=False)
        vec.reset(seed=0)
        for save in (vec.state_dict, lambda: pickle.dumps(vec)):
            with self.assertRaisesRegex(seedbed.InvalidError, "record=False"):
                save()
        self.same(play(copy.deepcopy(vec), 40, 1), play(vec, 40, 1))
        with self.assertRaisesRegex(seedbed.Error, "recorded"):
            vec.env(0).tape()
        self.vec.copy_env(1, vec.env(0))
        with self.assertRaisesRegex(seedbed.InvalidError, "^environment 1: .*record=False"):
            self.vec.state_dict()
        self.vec.reset(options={"reset_mask": numpy.arange(N) == 1})
        self.vec.step([1] * N)
        self.same(play(pickle.loads(pickle.dumps(self.vec)), 40, 1), play(self.vec, 40, 1))

    def test_a_step_under_way_and_a_closed_vector(self):
        self.vec.step_async([0] * N)
        for use in (self.vec.state_dict, self.vec.observe, lambda: copy.deepcopy(self.vec), lambda: self.vec.load_state_dict(self.state)):
            self.assertRaisesRegex(RuntimeError, "step_wait", use)
        self.vec.step_wait()
        self.vec.load_state_dict(self.state)
        self.vec.close()
        for use in (self.vec.state_dict, self.vec.observe, lambda: copy.deepcopy(self.vec), lambda: pickle.dumps(self.vec)):
            self.assertRaises(seedbed.FinishedError, use)


def tape_of(name):
    env = seedbed.make(name)
    env.reset()
    return env.tape()


class Around(Same):
    def test_observe_gives_what_was_shown_last(self):
        for which, autoreset in some(rng, [(which, mode) for which in MADE for mode in ("NextStep", "SameStep")], 8):
            vec = made(which, autoreset)
            observation, _ = vec.reset()
            self.same(vec.observe(), observation, which)
            shown = play(vec, 12, 4)[-1][0][0]
            self.same(vec.observe(), shown, which)
        vec = make_vec(SHORT, 2, obs="terrain")
        self.assertRaises(seedbed.FinishedError, vec.observe)
        buffer = numpy.zeros(vec.observation_space.shape, numpy.int8)
        vec.bind(obs=buffer)
        first, _ = vec.reset(seed=1)
        kept = first.copy()
        vec.copy_env(0, 1)
        self.assertIs(vec.observe(), first)
        self.same(buffer[0], kept[1])

    def test_copies_of_environments_leave_chains_alone(self):
        one, other = made("chain"), made("chain")
        one.reset(seed=0), other.reset(seed=0)
        one.copy_env(1, 0)
        env = seedbed.make(SHORT)
        env.reset(seed=50)
        one.copy_env(2, env)
        self.assertEqual([name.split("#")[1] for name in one.names()], ["0", "0", "50", "3", "4"])
        self.assertEqual(one.np_random_seed, other.np_random_seed)
        one.reset(), other.reset()
        self.assertEqual(one.names(), other.names())

    def test_attributes_spaces_and_wrappers(self):
        vec = gymnasium.make_vec("seedbed/GoToGoal-easy-v0", num_envs=4, obs="arrays")
        vec.reset(seed=1)
        vec.unwrapped.notes = ["one"]
        vec.action_space.seed(5), vec.unwrapped.observation_space.seed(6)
        vec.action_space.sample(), vec.unwrapped.observation_space.sample()
        wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(vec)
        wrapped.reset(seed=2)
        for make in (lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy):
            other = make(wrapped)
            inner = other.unwrapped
            self.assertIsNot(inner, vec.unwrapped)
            self.assertEqual((inner.notes, inner.spec.id, inner.metadata), (["one"], vec.spec.id, vec.metadata))
            self.assertEqual((inner.observation_space, inner.single_action_space), (vec.observation_space, vec.single_action_space))
            for space in ("action_space", "observation_space", "single_observation_space"):
                self.same(getattr(inner, space).sample(), copy.deepcopy(getattr(vec.unwrapped, space)).sample(), space)
            self.assertIsNot(inner.observation_space.np_random, vec.unwrapped.observation_space.np_random)
            self.same(other.step([1] * 4)[:4], make(wrapped).step([1] * 4)[:4])
        drawn = make_vec(mixture(), 2, pad="family")
        self.assertEqual(pickle.loads(pickle.dumps(drawn)).mixture.pairs, drawn.mixture.pairs)
        self.assertIs(copy.copy(drawn).mixture, drawn.mixture)

    def test_a_pickle_does_not_hold_bounds_of_observations(self):
        vec = make_vec(SHORT, 64, obs="pixels")
        vec.reset(seed=0)
        self.assertLess(len(pickle.dumps(vec)), 60_000)
        vec.observation_space = gymnasium.spaces.Discrete(3)
        self.assertEqual(pickle.loads(pickle.dumps(vec)).observation_space, gymnasium.spaces.Discrete(3))

    def test_bound_memory_stays_with_the_original(self):
        vec = bound()
        before = vec.buffer.copy()
        for other in (copy.copy(vec), pickle.loads(pickle.dumps(vec))):
            self.assertIsNot(other.step([1, 1])[1], vec.buffer)
            self.same(vec.buffer, before)

    def test_oracles_begin_anew(self):
        """They answer for the new states, and do not go on with what they planned in the old ones."""
        vec, other = made("chain"), made("chain")
        vec.reset(seed=0), other.reset(seed=50)
        for agent in ("expert", "observer"):
            other.expert_actions(agent)
        other.load_state_dict(vec.state_dict())
        for agent in ("expert", "observer"):
            self.same(other.expert_actions(agent), vec.expert_actions(agent))
        self.assertEqual(sum(other.step(other.expert_actions())[1].sum() for _ in range(40)), sum(vec.step(vec.expert_actions())[1].sum() for _ in range(40)))


def bound():
    vec = make_vec(SHORT, 2)
    vec.buffer = numpy.zeros(2)
    vec.bind(rewards=vec.buffer)
    vec.reset(seed=0)
    vec.step([0, 0])
    return vec


if __name__ == "__main__":
    unittest.main()
