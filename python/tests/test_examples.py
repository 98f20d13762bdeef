"""The examples of examples/python: they run, they learn what they say, and the parts that a reader would copy do what they should.

Those that need torch, Stable-Baselines3 or TRL are skipped where these are not installed: `scripts/nightly python` installs them.

Label: outside
"""
import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy

import seedbed

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "python"
# One thread each: they are small, and other tests run beside them. Nothing is downloaded.
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1",
               "CUDA_VISIBLE_DEVICES": ""}


def needs(*packages):
    """Skips where one is missing, unless SEEDBED_REQUIRE says that none may be."""
    missing = [package for package in packages if importlib.util.find_spec(package) is None]
    return unittest.skipIf(missing and not os.environ.get("SEEDBED_REQUIRE"), f"not installed: {', '.join(missing)}")


def example(name):
    """The example as a module."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    return importlib.import_module(name)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def run_example(self, script, *arguments):
        """What it prints."""
        environment = {**ENVIRONMENT, "HF_DATASETS_CACHE": os.path.join(self.folder, "cache")}
        done = subprocess.run([sys.executable, FOLDER / script, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def won(self, output):
        """How many of the evaluation episodes were won."""
        found = re.search(r"^evaluation: (\d+) of 25 episodes won", output, re.M)
        self.assertTrue(found, output)
        return int(found[1])


class Missing(Case):
    """What somebody sees who has not installed everything yet."""
    SCRIPTS = sorted(path for path in FOLDER.glob("*.py") if "__main__" in path.read_text(encoding="utf-8"))

    def code_of(self, name):
        return (FOLDER / name).read_text(encoding="utf-8").split('"""', 2)[2]

    def run_bare(self, script, *arguments):
        """In an interpreter without packages (-S leaves out those that are installed)."""
        environment = {key: value for key, value in ENVIRONMENT.items() if key != "PYTHONPATH"}
        return subprocess.run([sys.executable, "-S", script, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True)

    def test_help_needs_no_package_and_a_run_says_which_are_missing(self):
        self.assertGreater(len(self.SCRIPTS), 6)
        for script in self.SCRIPTS:
            with self.subTest(script=script.name):
                done = self.run_bare(script, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("options:", done.stdout)
                imported = {module for name in ("shared.py", script.name) for module in re.findall(r"^(?:import|from) (\w+)", self.code_of(name), re.M)}
                done = self.run_bare(script)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertRegex(done.stderr, rf"\A{script.name}: [^\n]* not installed: [^\n]*pip install [^\n]*\n\Z")
                said = done.stderr.split(": ")[1]
                for module in imported - set(sys.stdlib_module_names) - {path.stem for path in FOLDER.glob("*.py")}:
                    self.assertRegex(said, rf"\b{module}\b")
                self.assertEqual(self.run_bare(script, "--no-such-option").returncode, 2)


class Numpy(Case):
    def test_policy_gradient_learns_to_avoid_obstacles(self):
        self.assertLess(self.won(self.run_example("policy_gradient.py", "--updates", "0")), 5)
        self.assertGreaterEqual(self.won(self.run_example("policy_gradient.py", "--updates", "40")), 19)

    def test_dagger_learns_from_labels(self):
        small = ("--environments", "64", "--hidden", "32")
        self.assertLess(self.won(self.run_example("dagger.py", *small, "--steps", "1")), 10)
        self.assertGreaterEqual(self.won(self.run_example("dagger.py", *small, "--steps", "150")), 22)

    def test_curricula_choose_what_is_learned(self):
        small = ("--task", "DynamicObstacles-v0", "--difficulties", "easy", "--size", "7", "--episodes", "30", "--tests", "30")
        for curriculum in ("uniform", "learnability", "replay", "regret"):
            self.assertEqual(len(self.shares(*small, "--curriculum", curriculum, "--updates", "10", "--environments", "8")), 10)
        self.assertEqual(len(self.shares(*small, "--updates", "3", "--environments", "8")), 3)
        shares = self.shares(*small)
        self.assertLess(shares[0], 0.7)
        self.assertGreater(shares[-1], 0.75)

    def test_a_wrong_task_is_an_error_of_the_command(self):
        done = subprocess.run([sys.executable, FOLDER / "curriculum.py", "--task", "Nothing"], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("unknown task `Nothing`", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def shares(self, *options):
        """Of the held-out episodes that curriculum.py wins, in turn."""
        return [float(share) for share in re.findall(r"([\d.]+) of the held-out", self.run_example("curriculum.py", *options))]

    def test_advantages_follow_rewards_until_an_episode_ends(self):
        curriculum = example("curriculum")
        rewards, ends = numpy.array([[0.0], [1.0], [0.0]]), numpy.array([[False], [True], [False]])
        numpy.testing.assert_allclose(curriculum.advantages_of(rewards, numpy.zeros((4, 1)), ends, 0.5, 1), [[0.5], [1], [0]])
        numpy.testing.assert_allclose(curriculum.advantages_of(rewards, numpy.full((4, 1), 0.5), ends, 0.5, 0), [[-0.25], [0.5], [-0.25]])

    def test_cloning_runs(self):
        self.won(self.run_example("dagger.py", "--environments", "16", "--steps", "50", "--cloning"))

    def test_results_are_kept(self):
        for script, *less in (("dagger.py", "--environments", "16", "--steps", "1"), ("policy_gradient.py", "--updates", "0")):
            path = os.path.join(self.folder, "result.json")
            won = self.won(self.run_example(script, *less, "--output", path))
            self.assertEqual(seedbed.load_result(path).all.successes, won)
            os.remove(path)


class Inputs(Case):
    def test_windows_show_what_lies_around(self):
        around_agent = example("shared").around_agent
        for task in ("KeyDoorPuzzle-v0/easy", "SokobanPush-v0/medium"):
            vec = seedbed.make_vec(task, 3, obs="arrays")
            space, obs = vec.single_observation_space, vec.reset(seed=1)[0]
            for _ in range(30):
                obs, *_ = vec.step(vec.expert_actions())
            for reach in (None, 2):
                seen = around_agent(obs, space, reach)
                terrains = space["terrain"].high.max() + 1
                size, half = obs["terrain"].shape[1], seen.shape[2] // 2
                for i, (x, y, _) in enumerate(obs["agent"]):
                    for row in range(size):
                        for column in range(size):
                            at = row - y + half, column - x + half
                            if all(0 <= place <= 2 * half for place in at):
                                found = numpy.flatnonzero(seen[(i, slice(-1), *at)])
                                self.assertEqual(list(found), [obs["terrain"][i, row, column], terrains + obs["objects"][i, row, column]])
                    self.assertEqual(seen[i, -1, half, half], obs["inventory"][i, 0, 0] > 0)

    def test_cells_outside_of_the_grid_are_empty(self):
        vec = seedbed.make_vec("GoToGoal-v0/easy", 4, obs="arrays")
        seen = example("shared").around_agent(vec.reset(seed=0)[0], vec.single_observation_space, 9)
        self.assertEqual(seen.shape[2:], (19, 19))
        self.assertTrue((seen[:, :6].sum(axis=(1, 2, 3)) == 25).all())


@needs("torch")
class Torch(Case):
    def test_ppo_learns_to_avoid_obstacles(self):
        self.assertGreaterEqual(self.won(self.run_example("ppo.py", "--updates", "25")), 18)

    def test_ppo_learns_a_world_of_ones_own(self):
        """That of docs/worlds.md. Who draws actions at random wins one in ten."""
        page = (FOLDER.parents[1] / "docs" / "worlds.md").read_text(encoding="utf-8")
        (program,) = re.findall(r"^```lisp\n(; coins\.sexp\n.*?)^```$", page, re.S | re.M)
        Path(self.folder, "coins.sexp").write_text(program, encoding="utf-8")
        self.assertGreaterEqual(self.won(self.run_example("ppo.py", "--task", "coins.sexp", "--environments", "256", "--minibatch", "2048", "--updates", "80")), 13)

    def test_advantages_are_sums_of_surprises(self):
        import torch

        ppo, (rewards, values, ends) = example("ppo"), torch.rand(3, 6, 2).unbind()
        ends, last = (ends < 0.3).float(), torch.rand(2)
        found = ppo.advantages_of(rewards, values, ends, last, 0.9, 0.8)
        after = torch.cat([values[1:], last[None]])
        for t in range(6):
            expected, weight = torch.zeros(2), torch.ones(2)
            for k in range(t, 6):
                expected += weight * (rewards[k] + 0.9 * after[k] * (1 - ends[k]) - values[k])
                weight = weight * 0.9 * 0.8 * (1 - ends[k])
            torch.testing.assert_close(found[t], expected)


@needs("stable_baselines3")
class StableBaselines(Case):
    def test_it_learns_to_avoid_obstacles(self):
        self.assertGreaterEqual(self.won(self.run_example("sb3.py", "--verbose", "0")), 20)

    def test_the_adaptor_changes_nothing(self):
        sb3, n = example("sb3"), 5
        options = {"obs": "arrays", "autoreset": "SameStep"}
        env, vec = sb3.SeedbedVecEnv(seedbed.make_vec("GoToGoal-v0/easy", n, **options), sb3.encode), seedbed.make_vec("GoToGoal-v0/easy", n, **options)
        space = vec.single_observation_space
        env.seed(7)
        numpy.testing.assert_array_equal(env.reset(), sb3.encode(vec.reset(seed=7)[0], space))
        rng, ended = numpy.random.default_rng(0), 0
        for _ in range(60):
            actions = rng.integers(0, 6, n)
            seen, rewards, over, lists = env.step(actions)
            obs, true_rewards, terminations, truncations, infos = vec.step(actions)
            numpy.testing.assert_array_equal(seen, sb3.encode(obs, space))
            numpy.testing.assert_array_equal(rewards, true_rewards)
            numpy.testing.assert_array_equal(over, terminations | truncations)
            for i in numpy.flatnonzero(over):
                ended += 1
                last = {key: value[None] for key, value in infos["final_obs"][i].items()}
                numpy.testing.assert_array_equal(lists[i]["terminal_observation"], sb3.encode(last, space)[0])
                self.assertEqual(lists[i]["TimeLimit.truncated"], truncations[i])
                self.assertEqual(lists[i]["is_success"], infos["final_info"]["success"][i])
        self.assertGreater(ended, 10)
        self.assertEqual(env.get_attr("task", [1, 2]), ["GoToGoal-v0"] * 2)


def arguments_of(name, *said):
    return example(name).arguments().parse_args(said)


@needs("torch", "trl")
class Language(Case):
    def test_a_model_learns_to_answer_with_actions_and_then_by_itself(self):
        """sft.py makes a model, and grpo.py goes on with it."""
        output = self.run_example("sft.py", "--out", "tuned", "--steps", "60", "--batch", "4", "--episodes", "400")
        self.won(output)
        self.assertIn(" 0 lost by answers that are no actions", output)
        self.assertTrue((Path(self.folder) / "tuned" / "model.safetensors").exists())
        output = self.run_example("grpo.py", "--model", "tuned", "--out", "better", "--steps", "2", "--batch", "8", "--group", "4", "--turns", "4")
        self.won(output)
        self.assertIn("rewards/success/mean", output)
        self.assertTrue((Path(self.folder) / "better" / "model.safetensors").exists())

    def steps(self, **others):
        """The folder of a dataset of single steps."""
        recipe = json.loads((FOLDER.parent / "recipes" / "single-steps.json").read_text(encoding="utf-8"))
        seedbed.build({**recipe, **others}, Path(self.folder) / "steps")
        return str(Path(self.folder) / "steps")

    def right(self, output):
        """The share of answers to single steps that are best actions."""
        right, asked = re.search(r"^steps: (\d+) of (\d+) answers are best actions", output, re.M).groups()
        return int(right) / int(asked)

    def test_a_model_learns_from_answers_to_single_steps(self):
        """As docs/measured/language.md tells: it has more rewards, and is better than who always answers the same (0.68)."""
        folder = self.steps()
        self.assertGreater(self.right(self.run_example("sft.py", "--rows", folder, "--out", "tuned", "--steps", "500")), 0.72)
        output = self.run_example("grpo.py", "--rows", folder, "--model", "tuned", "--out", "better", "--steps", "150", "--group", "4")
        self.assertGreater(self.right(output), 0.72)
        rewards = [float(reward) for reward in re.findall(r"'reward': '?([\d.]+)", output)]
        self.assertEqual(len(rewards), 10)
        self.assertGreater(sum(rewards[-3:]) / 3, rewards[0] + 0.02)

    def test_best_actions_have_the_reward(self):
        folder = self.steps(splits={"train": {"count": 3}})
        rows = list(example("sft").steps(arguments_of("grpo", "--rows", folder), "train"))
        self.assertGreater(len(rows), 10)
        columns, reward = {key: [row[key] for row in rows] for key in ("name", "taken")}, example("grpo").best_action
        self.assertEqual(reward([[{"role": "assistant", "content": "what?"}]] * len(rows), **columns, prompts=None), [0.0] * len(rows))
        for action in seedbed.make(rows[0]["name"]).action_names:
            given = reward([[{"role": "assistant", "content": action}]] * len(rows), **columns, prompts=None)
            self.assertEqual(given, [float(seedbed.score_row(row, action).right) for row in rows])

    def test_conversations_of_training_are_episodes_of_the_expert(self):
        args = arguments_of("sft", "--episodes", "5")
        rows = list(example("sft").conversations(args))
        self.assertEqual(len(rows), 5)

        for row in rows:
            env = seedbed.make(row["name"], obs=args.obs)
            text, _ = env.reset()
            for user, assistant in zip(row["messages"][::2], row["messages"][1::2], strict=True):
                self.assertEqual(user, {"role": "user", "content": text})
                self.assertEqual(assistant["role"], "assistant")
                text, *_ = env.step(assistant["content"])
            self.assertTrue(env.success)

    def test_the_tokenizer_loses_nothing(self):
        texts = [row["messages"][0]["content"] for row in example("sft").conversations(arguments_of("sft", "--episodes", "20"))]
        tokenizer = example("tiny_model").make_tokenizer(texts)
        for text in [*texts[:5], "# G ^\nnever seen: Ω"]:
            self.assertEqual(tokenizer.decode(tokenizer(text)["input_ids"]), text)


@needs("torch", "trl")
class Conversations(Case):
    """What grpo.py hands to the trainer, with a model that answers by chance."""

    def setUp(self):
        super().setUp()
        import torch

        self.args = arguments_of("grpo", "--turns", "5", "--reward", "dense")
        texts = [row["messages"][0]["content"] for row in example("sft").conversations(arguments_of("sft", "--episodes", "20"))]
        torch.manual_seed(0)
        self.tokenizer = example("tiny_model").make_tokenizer([*texts, "move_up move_down move_left move_right"] * 3)
        self.episodes = example("grpo").Episodes(self.args, self.tokenizer)
        rng = numpy.random.default_rng(0)

        def generate(trainer, conversations):
            """An action, or no action, and the end of a message; probabilities that tell which word it was."""
            words = [self.tokenizer(str(rng.choice([*self.episodes.actions, "what?"])))["input_ids"] for _ in conversations]
            return [(ids + [self.tokenizer.eos_token_id], [-0.5] * len(ids) + [-0.25]) for ids in words]

        self.episodes.generate = generate
        self.names = [name for name in seedbed.select(tasks=self.args.task, difficulty=self.args.difficulty, split="train", count=6) for _ in range(3)]
        self.played = self.episodes.play(self.names, None)

    def test_masks_and_probabilities_tell_words_of_the_model(self):
        for ids, mask, chances in zip(self.played["completion_ids"], self.played["env_mask"], self.played["logprobs"], strict=True):
            self.assertEqual((len(ids), len(ids)), (len(mask), len(chances)))
            self.assertEqual([chance != 0 for chance in chances], [bool(one) for one in mask])
            self.assertEqual((ids[-1], mask[-1]), (self.tokenizer.eos_token_id, 1))

    def test_conversations_are_episodes(self):
        """Each, read again, is the chat of the episode that its answers play, and its reward is that episode's."""
        ended = 0
        for name, prompt, ids, mask, total in zip(self.names, *(self.played[key] for key in ("prompt_ids", "completion_ids", "env_mask", "returns"))):
            env = seedbed.make(name, obs=self.args.obs, reward=self.args.reward)
            text, _ = env.reset()
            messages, answer = [{"role": "user", "content": text}], []
            for token, own in zip(ids, mask):
                if not own:
                    continue
                answer.append(token)
                if token == self.tokenizer.eos_token_id:
                    said = self.tokenizer.decode(answer, skip_special_tokens=True)
                    text, *_ = env.step(said if said in env.action_names else "noop")
                    messages += [{"role": "assistant", "content": said}, {"role": "user", "content": text}]
                    answer = []
            ended += env.done
            self.assertEqual(self.tokenizer.apply_chat_template(messages[:-1], tokenize=False), self.tokenizer.decode(prompt + ids) + "\n")
            self.assertAlmostEqual(env.episode_reward, total, 5)
            self.assertTrue(env.done or len(messages) == 1 + 2 * self.args.turns)
        self.assertGreater(ended, 0)


class Training(unittest.TestCase):
    def test_examples_train_on_tasks_with_games_to_spare(self):
        """An environment's seeds are drawn from all, so hardly any may start an evaluation episode's game, or one another's."""
        pairs = set()
        for path in sorted(FOLDER.glob("*.py")):
            text = path.read_text(encoding="utf-8")
            tasks = re.findall(r'(?:parser_of\(__doc__, task=|"--task", default=)"(.*?)"', text)
            difficulties = re.findall(r'"--difficulties", default="(.*?)"', text) or [example("needs").parser_of("", "").get_default("difficulty")]
            pairs |= {(task, difficulty) for task in tasks for difficulty in difficulties[0].split(",")}
        self.assertGreater(len(pairs), 3)
        for task, difficulty in pairs:
            env, rng, n = seedbed.make(task, difficulty=difficulty, obs="none"), numpy.random.default_rng(0), 1000

            def key(seed):
                env.reset(seed=int(seed))
                return env.key

            official, keys = {key(seed) for seed in seedbed.eval_seeds(task, difficulty)}, [key(seed) for seed in rng.integers(0, 2 ** 31, n)]
            self.assertLess(sum(one in official for one in keys), 0.01 * n, task)
            self.assertGreater(len(set(keys)), 0.9 * n, task)


class Pages(Case):
    def test_every_example_explains_itself(self):
        for path in sorted(FOLDER.glob("*.py")):
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                self.assertTrue(text.startswith('"""'))
                if "__main__" in text and not ({"torch", "stable_baselines3", "trl"} & set(re.findall(r"^(?:import|from) (\w+)", text, re.M))):
                    self.assertIn("usage:", self.run_example(path.name, "--help"))


if __name__ == "__main__":
    unittest.main()
