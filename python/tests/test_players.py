"""Oracles: hints, players, budgets."""
import json
import os
import subprocess
import threading
import time
import unittest

import seedbed

NAMES = ("KeyDoorPuzzle/easy", "SokobanPush/easy", "LightsOut/easy", "TimingChallenge/medium", "babyai:GoToLocal", "babyai:UnlockPickup")


def begun(name, seed=0):
    env = seedbed.make(name, obs="none", info="none")
    env.reset(seed=seed)
    return env


def follow(env, choose):
    while not env.done:
        env.step(choose(env))
    return env


class Following(unittest.TestCase):
    def test_expert_solves(self):
        for name in NAMES:
            for seed in range(5):
                self.assertTrue(follow(begun(name, seed), lambda env: env.expert_action()).success, f"{name}#{seed}")

    def test_players_and_hints_are_one(self):
        for name in NAMES:
            for agent in seedbed.oracles(name.partition("/")[0]):
                env, player = begun(name), seedbed.Player(agent)
                player.begin(env)
                asked = [begun(name) for _ in range(2)]
                remembers = agent in ("observer", "published", "omnibot")
                while not env.done:
                    hint = player.hint(env)
                    if not remembers:
                        self.assertEqual(hint.action, asked[0].expert_action(agent), (name, agent))
                        self.assertEqual(hint, asked[1].hint(agent))
                    for each in (env, *asked):
                        each.step(hint.action)

    @unittest.skipUnless(os.environ.get("SEEDBED"), "SEEDBED is not set")
    def test_as_the_command(self):
        for name in NAMES:
            for agent in (*seedbed.oracles(name.partition("/")[0]), "random"):
                env = begun(name, 3)
                player = seedbed.Player(agent)
                player.begin(env)
                follow(env, player.act)
                told = subprocess.run([os.environ["SEEDBED"], "solve", env.name, "--agent", agent, "-o", "-"], capture_output=True, text=True).stdout
                self.assertEqual(json.loads(env.tape(agent)), json.loads(told))

    def labels(self, name, *agent):
        vec = seedbed.make_vec(name, 2)
        vec.reset(seed=3)
        actions = vec.expert_actions(*agent).tolist()
        vec.close()
        return actions

    def test_without_a_name_the_expert_answers_or_the_teacher_of_a_family_without_one(self):
        for name, agent in (("KeyDoorPuzzle/medium", "expert"), ("autumn:Seesaw", "coverage")):
            self.assertEqual(begun(name, 3).hint(), begun(name, 3).hint(agent))
            self.assertEqual(begun(name, 3).hint(None).agent, agent)
            self.assertEqual(begun(name, 3).expert_action(), begun(name, 3).expert_action(agent))
            self.assertEqual(self.labels(name), self.labels(name, agent))

    def test_hints_change_nothing(self):
        for name in NAMES:
            for agent in (*seedbed.oracles(name.partition("/")[0]), "random"):
                env = begun(name, 1)
                env.step(0)
                before = env.key, env.tape(), env._chain
                hint = env.hint(agent)
                self.assertEqual(env.hint(agent).action, hint.action)
                self.assertEqual((env.key, env.tape(), env._chain), before)
                self.assertEqual((hint.agent, hint.action_name), (agent, env.action_name(hint.action)))

    def test_remembering_hints_depend_on_the_state_alone(self):
        for name in ("TimingChallenge/hard", "FogOfWarExploration/medium", "babyai:GoTo"):
            for agent in {"observer", "published", "omnibot"} & {*seedbed.oracles(name.partition("/")[0])}:
                env = begun(name, 2)
                while env.step_count < 6:
                    env.step(env.expert_action(agent))
                    if env.done:
                        break
                    self.assertEqual(env.expert_action(agent), env.clone().expert_action(agent))

    def test_random(self):
        env = begun("KeyDoorPuzzle/easy", 1)
        player = seedbed.Player("random")
        player.begin(env)
        for _ in range(20):
            action = player.act(env)
            self.assertEqual({env.expert_action("random") for _ in range(3)}, {action})
            env.step(action)


class Costs(unittest.TestCase):
    EXACT = ("KeyDoorPuzzle/easy", "LightsOut/easy", "SwitchCircuit/medium", "PreciseNavigation/hard", "GraphColoring/easy")

    def test_what_the_expert_does_is_one_of_the_best_and_costs_one_step_less_each_time(self):
        for name in self.EXACT:
            env, player = begun(name, 1), seedbed.Player()
            told = player.costs(env)
            if all(cost.kind == "lost" for cost in told):
                self.assertTrue(all(cost.best for cost in told))
                continue
            left = min(cost.steps for cost in told if cost.kind == "exact")
            while not env.done:
                told = {cost.action: cost for cost in player.costs(env)}
                self.assertEqual(list(told), list(range(env.n_actions)))
                action = env.expert_action()
                self.assertEqual(told[action][1:6], (env.action_name(action), "exact", True, True, left), name)
                env.step(action)
                left -= 1
            self.assertEqual((left, env.success), (0, True))

    def test_what_is_not_known_is_none(self):
        seen = {}
        for name in (*self.EXACT, "TagHunt/easy", "babyai:GoToLocal", "ToolUse/easy"):
            for seed in range(8):
                for cost in seedbed.Player().costs(begun(name, seed)):
                    seen[cost.kind] = cost
                    self.assertEqual(cost.steps is None, cost.kind in ("lost", "estimate", "unknown"))
                    self.assertEqual(cost.success is None, cost.kind == "unknown")
                    self.assertEqual(cost.mean is None, not cost.success)
                    self.assertEqual(cost.proven, cost.kind in ("exact", "lost"))
        self.assertLessEqual({"exact", "bound", "estimate", "lost"}, {*seen})

    def test_asking_changes_nothing(self):
        env = begun("TagHunt/easy", 1)
        before = env.key, env.tape(), env._chain
        player = seedbed.Player()
        player.begin(env)
        action, costs = begun("TagHunt/easy", 1).expert_action(), player.costs(env)
        self.assertEqual(player.costs(env), costs)
        self.assertEqual((env.key, env.tape(), env._chain), before)
        self.assertEqual(player.act(env), action)

    def test_who_cannot_tell_says_so(self):
        for agent, name, words in (
            ("observer", "babyai:BossLevel", "not shown everything"),
            ("clairvoyant", "TagHunt/easy", "sees the future"),
            ("random", "TagHunt/easy", "does not aim at success"),
        ):
            with self.assertRaisesRegex(seedbed.InvalidError, words):
                seedbed.Player(agent).costs(begun(name))
        env = follow(begun("GoToGoal/easy"), lambda env: env.expert_action())
        self.assertRaises(seedbed.FinishedError, seedbed.Player().costs, env)


class Asking(unittest.TestCase):
    def test_budget(self):
        env = begun("SokobanPush/expert", 4)
        self.assertIn(env.expert_action(budget=1), range(env.n_actions))
        self.assertEqual(env.expert_action(), begun("SokobanPush/expert", 4).expert_action())
        player = seedbed.Player("expert", budget=1)
        player.begin(env)
        self.assertIn(player.act(env), range(env.n_actions))

    def test_unknown(self):
        for call in (lambda env: env.expert_action("nobody"), lambda env: seedbed.Player("nobody").begin(env)):
            with self.assertRaisesRegex(seedbed.UnknownError, "expert, .*random"):
                call(begun("KeyDoorPuzzle/easy"))
        self.assertRaises(seedbed.UnknownError, seedbed.Player, "x" * 30)
        self.assertRaises(seedbed.UnknownError, seedbed.oracles, "Nope")

    def test_whom_to_ask(self):
        env, player = begun("KeyDoorPuzzle/easy"), seedbed.Player()
        self.assertEqual(player.agent, "expert")
        self.assertRaises(seedbed.InvalidError, player.act, env)  # it has not begun
        player.begin(env)
        player.act(env)
        env.reset(seed=0)
        self.assertRaises(seedbed.InvalidError, player.act, env)  # the same name, begun again
        player.begin(env)
        self.assertRaises(seedbed.InvalidError, player.act, env.clone())
        env.close()
        self.assertRaises(seedbed.FinishedError, player.act, env)
        self.assertRaises(seedbed.FinishedError, player.begin, seedbed.make("GoTo"))
        self.assertRaises(seedbed.InvalidError, player.begin, 3)
        player.begin(begun("GoTo"))

    def test_wrapped(self):
        import gymnasium

        env = gymnasium.make("seedbed/GoToGoal-easy-v0")
        env.reset(seed=0)
        player = seedbed.Player()
        player.begin(env)
        self.assertEqual(player.act(env), env.unwrapped.expert_action())


class Threads(unittest.TestCase):
    def test_one_environment_belongs_to_one_thread(self):
        env = begun("SokobanPush/expert", 11)
        done, refused = [], 0
        thread = threading.Thread(target=lambda: done.append(env.expert_action("clairvoyant", budget=300_000)))
        thread.start()
        while thread.is_alive():
            try:
                env.step(0) if not refused else env.key
            except RuntimeError as error:
                self.assertEqual(str(error), "this environment is in use by another thread")
                refused += 1
            time.sleep(0.001)
        thread.join()
        self.assertEqual(len(done), 1)
        self.assertGreater(refused, 0)

    def test_many_environments_at_once(self):
        def run(seed, out):
            env = follow(begun("KeyDoorPuzzle/medium", seed), lambda env: env.expert_action())
            out[seed] = env.tape()

        alone, together = {}, {}
        for seed in range(8):
            run(seed, alone)
        threads = [threading.Thread(target=run, args=(seed, together)) for seed in range(8)]
        [thread.start() for thread in threads], [thread.join() for thread in threads]
        self.assertEqual(alone, together)


if __name__ == "__main__":
    unittest.main()
