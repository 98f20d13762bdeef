"""GRPO with TRL: a language model plays whole episodes, turn by turn, and learns from their returns; or it answers to single steps, and learns
from what the actions cost. Needs `pip install trl torch`.

    python sft.py --out tuned --steps 200
    python grpo.py --model tuned --out better

    seedbed build examples/recipes/single-steps.json -o steps
    python sft.py --rows steps --out tuned --steps 500
    python grpo.py --rows steps --model tuned --out better --steps 150 --group 4

In the first, a prompt of the trainer is the name of an episode. `Episodes.play` plays all episodes of a batch at once, each in a conversation: the
observations are texts of one `seedbed.make_vec`, and every answer is the action that its text names. Words of the environment are
masked, so that the model learns from its own words alone. The reward is the return of the episode.

With --rows, prompts are the rows of a dataset that tell how their states were reached. So an answer is judged at once, without playing on: the reward
is 1 for a best action (`seedbed.score_row`; all that are equally good count), 0 for another or none. docs/measured/language.md tells what a tiny
model gains by it. The model should answer by what it is shown: one that was cloned for 120 steps, and said the same to all, learnt to say something
else to all.

TRL can also give the model an environment's methods as tools (`environment_factory`); that takes a model that has learnt to call tools.
"""
import datasets
import torch
import transformers
import trl

import seedbed
import sft
import shared
import tiny_model


class Episodes:
    """Plays the episodes that are named, one for each conversation."""

    def __init__(self, args, tokenizer):
        self.args, self.tokenizer = args, tokenizer
        self.actions = seedbed.make(args.task, difficulty=args.difficulty).action_names

    def tokens(self, observation, first):
        """The tokens of a turn of the environment, up to where the model's answer begins."""
        text = self.tokenizer.apply_chat_template([{"role": "user", "content": observation}], add_generation_prompt=True, tokenize=False)
        return self.tokenizer(text if first else "\n" + text, add_special_tokens=False)["input_ids"]

    def action(self, answer):
        """The number of the action that the answer names; an answer that is none does nothing."""
        text = self.tokenizer.decode(answer, skip_special_tokens=True).strip()
        return self.actions.index(text) if text in self.actions else 0

    def play(self, names, trainer):
        """What GRPOTrainer calls to have completions of prompts: several of these are the same, those of a group."""
        vec = seedbed.make_vec(list(names), obs=self.args.obs, then="stop", reward=self.args.reward)
        observations, _ = vec.reset()
        prompts = [self.tokens(text, first=True) for text in observations]
        completions, masks, logprobs = ([[] for _ in names] for _ in range(3))
        returns, running = torch.zeros(len(names)), list(range(len(names)))
        won = [0.0] * len(names)
        for turn in range(self.args.turns):
            answers = self.generate(trainer, [prompts[i] + completions[i] for i in running])
            actions = [0] * len(names)
            for i, (answer, chances) in zip(running, answers):
                completions[i] += answer
                logprobs[i] += chances
                masks[i] += [1] * len(answer)
                actions[i] = self.action(answer)
            observations, rewards, terminations, truncations, infos = vec.step(actions)
            for i in running:
                returns[i] += rewards[i]
                won[i] = float(infos["success"][i])
            running = [i for i in running if not (terminations[i] or truncations[i])]
            if not running or turn == self.args.turns - 1:
                break
            for i in running:
                words = self.tokens(observations[i], first=False)
                completions[i] += words
                logprobs[i] += [0.0] * len(words)
                masks[i] += [0] * len(words)
        return {"prompt_ids": prompts, "completion_ids": completions, "logprobs": logprobs, "env_mask": masks,
                "returns": returns.tolist(), "won": won}

    @torch.no_grad()
    def generate(self, trainer, conversations):
        """Draws an answer to each conversation: its tokens, and their log probabilities."""
        pad, end = self.tokenizer.pad_token_id, self.tokenizer.eos_token_id
        longest = max(map(len, conversations))
        ids = torch.tensor([[pad] * (longest - len(tokens)) + tokens for tokens in conversations], device=trainer.accelerator.device)
        made = trainer.accelerator.unwrap_model(trainer.model).generate(
            input_ids=ids, attention_mask=(ids != pad).long(), max_new_tokens=self.args.longest, do_sample=True, top_k=0,
            pad_token_id=pad, eos_token_id=end, output_logits=True, return_dict_in_generate=True)
        chances = torch.stack(made.logits, dim=1).log_softmax(-1)
        answers = []
        for tokens, chance in zip(made.sequences[:, longest:], chances):
            tokens = tokens.tolist()
            length = tokens.index(end) + 1 if end in tokens else len(tokens)
            answers.append((tokens[:length], [chance[t, tokens[t]].item() for t in range(length)]))
        return answers


def episode_return(returns, **others):
    """The reward of a completion is what `Episodes.play` says of it."""
    return returns


def success(won, **others):
    """No reward, but in the log."""
    return won


def best_action(completions, name, taken, **others):
    """The reward of an answer to a single step; the columns `name` and `taken` say in which state it was asked for."""
    return [float(seedbed.score_row({"name": episode, "taken": before}, completion[0]["content"]).right)
            for completion, episode, before in zip(completions, name, taken)]


def trainer_of(args, model, tokenizer):
    config = trl.GRPOConfig(output_dir=args.out, max_steps=args.steps, per_device_train_batch_size=args.batch, num_generations=args.group,
                            learning_rate=args.rate, max_completion_length=args.longest if args.rows else 4096, temperature=1.0, beta=0.0,
                            logging_steps=max(args.steps // 10, 1), seed=args.seed, **tiny_model.plain_training())
    if args.rows:
        return trl.GRPOTrainer(model, best_action, config, sft.steps(args, "train").remove_columns("completion"), processing_class=tokenizer)
    config.reward_weights = [1.0, 0.0]
    episodes = seedbed.select(tasks=args.task, difficulty=args.difficulty, split="train", count=args.episodes)
    return trl.GRPOTrainer(model, [episode_return, success], config, datasets.Dataset.from_dict({"prompt": list(episodes)}),
                           processing_class=tokenizer, rollout_func=Episodes(args, tokenizer).play)


def train(args):
    transformers.set_seed(args.seed)
    model, tokenizer = sft.load(args)
    trainer = trainer_of(args, model, tokenizer)
    trainer.train()
    trainer.save_model(args.out)
    return model, tokenizer


def arguments():
    parser = shared.parser_of(__doc__, task="DynamicObstacles-v0")
    parser.add_argument("--model", help="a model's name or folder")
    parser.add_argument("--out", default="better", help="folder of the model that comes out")
    parser.add_argument("--rows", help="folder of a dataset of single steps, in place of a task")
    parser.add_argument("--obs", default="language")
    parser.add_argument("--reward", default="sparse", choices=("sparse", "dense"))
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--turns", type=int, default=10, help="turns of an episode; who needs more has lost it")
    parser.add_argument("--longest", type=int, default=8, help="tokens of an answer")
    parser.add_argument("--steps", type=int, default=60, help="steps of the optimizer")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--group", type=int, default=8, help="conversations for each episode, compared with each other")
    parser.add_argument("--rate", type=float, default=7e-4)
    return parser


if __name__ == "__main__":
    args = arguments().parse_args()
    model, tokenizer = train(args)
    sft.report(sft.evaluate(model, tokenizer, args), args)
