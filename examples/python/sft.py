"""Supervised fine-tuning with TRL on conversations that are made while the trainer reads them. Needs `pip install trl torch`.

    python sft.py --out tuned
    python sft.py --model SOME/MODEL --out tuned --steps 1000
    seedbed build examples/recipes/single-steps.json -o steps && python sft.py --rows steps --out tuned

`seedbed.rows(...).to_hf()` is a streaming data set: nothing is written to disk or downloaded. Without --model the model is a tiny one that
knows nothing. A conversation is an episode: the user says what is observed, the assistant which action it takes; the loss is that of the
assistant's words alone. In the evaluation the model has the same conversations.

After 200 steps, three minutes of one processor, the tiny model wins 12 of the 25 official evaluation episodes of DynamicObstacles easy; a
random agent wins one in nine.

With --rows the model learns from the single steps of a dataset's split `train`: what is observed, and the action. It is asked for those of `test`,
and `seedbed.score_row` says whether its answers are best actions; it also plays their episodes.
"""
import datasets
import transformers
import trl

import seedbed
import shared
import tiny_model


def conversations(args):
    """Rows of what the expert does, an episode in `messages` each: observations, and names of actions."""
    episodes = seedbed.select(tasks=args.task, difficulty=args.difficulty, split="train", count=args.episodes)
    return seedbed.rows(episodes, "chat", rows="episode", modes=args.obs, system="", user="{observation}")


def steps(args, split):
    """Single steps of a dataset: prompts and completions, and what is needed to judge other answers."""
    return datasets.load_dataset(args.rows, "chat", split=split).select_columns(["prompt", "completion", "name", "taken"])


def load(args):
    if args.rows:
        texts = (message["content"] for row in steps(args, "train") for message in row["prompt"] + row["completion"])
    else:
        texts = (message["content"] for row in conversations(args) for message in row["messages"])
    return tiny_model.load(args.model, texts)


def train(args):
    transformers.set_seed(args.seed)
    rows = steps(args, "train").select_columns(["prompt", "completion"]) if args.rows else conversations(args).to_hf().select_columns("messages")
    model, tokenizer = load(args)
    config = trl.SFTConfig(output_dir=args.out, max_steps=args.steps, per_device_train_batch_size=args.batch, learning_rate=args.rate,
                           max_length=2048, assistant_only_loss=not args.rows, logging_steps=max(args.steps // 10, 1), seed=args.seed,
                           **tiny_model.plain_training())
    trainer = trl.SFTTrainer(model, config, train_dataset=rows, processing_class=tokenizer)
    trainer.train()
    trainer.save_model(args.out)  # with the tokenizer
    return model, tokenizer


class Player:
    """A policy for batches: it keeps a conversation for each of the episodes that run. The model sees the last turns of it, since an
    episode in which it is lost goes on for longer than any that it was trained on.
    """

    def __init__(self, model, tokenizer, longest=16, turns=8):
        self.model, self.tokenizer, self.longest, self.turns, self.messages = model.eval(), tokenizer, longest, turns, {}

    def act(self, observations, infos):
        """What the model answers to each observation, always the most probable word."""
        for text, info in zip(observations, infos):
            if info["begins"]:
                self.messages[info["slot"]] = []
            self.messages[info["slot"]].append({"role": "user", "content": text})
        answers = self.answers([self.messages[info["slot"]][1 - 2 * self.turns:] for info in infos])
        for info, answer in zip(infos, answers):
            self.messages[info["slot"]].append({"role": "assistant", "content": answer})
        return answers

    def answers(self, asked):
        """What it answers to each of these conversations."""
        inputs = self.tokenizer.apply_chat_template(asked, add_generation_prompt=True, padding=True, return_tensors="pt", return_dict=True)
        inputs = {key: inputs[key].to(self.model.device) for key in ("input_ids", "attention_mask")}
        made = self.model.generate(**inputs, max_new_tokens=self.longest, do_sample=False, pad_token_id=self.tokenizer.pad_token_id)
        return [answer.strip() for answer in self.tokenizer.batch_decode(made[:, inputs["input_ids"].shape[1]:], skip_special_tokens=True)]


def evaluate(model, tokenizer, args):
    """Plays the evaluation episodes, all at once. An answer that is no action loses its episode."""
    if args.rows:
        return evaluate_steps(model, tokenizer, args)
    return seedbed.evaluate(Player(model, tokenizer), shared.episodes_of(args), obs=args.obs, batch=32, on_error="lost")


def evaluate_steps(model, tokenizer, args):
    """Judges answers to the steps of `test`, and plays the episodes that these are of, with prompts like theirs."""
    player, rows = Player(model, tokenizer, turns=1), list(steps(args, "test"))
    right = sum(seedbed.score_row(row, answer).right for row, answer in zip(rows, player.answers([row["prompt"] for row in rows])))
    print(f"steps: {right} of {len(rows)} answers are best actions")
    return seedbed.evaluate(player, sorted({row["name"] for row in rows}), obs=args.obs, batch=32, on_error="lost")


def report(result, args):
    shared.report(result, args, f", {result.all.errors} lost by answers that are no actions")


def arguments():
    parser = shared.parser_of(__doc__, task="DynamicObstacles-v0")
    parser.add_argument("--model", help="a model's name or folder")
    parser.add_argument("--out", default="tuned", help="folder of the model that comes out")
    parser.add_argument("--rows", help="folder of a dataset of single steps, as of examples/recipes/single-steps.json, in place of a task")
    parser.add_argument("--obs", default="language")
    parser.add_argument("--episodes", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=200, help="steps of the optimizer")
    parser.add_argument("--batch", type=int, default=8, help="episodes in each of these")
    parser.add_argument("--rate", type=float, default=2e-3)
    return parser


if __name__ == "__main__":
    args = arguments().parse_args()
    model, tokenizer = train(args)
    report(evaluate(model, tokenizer, args), args)
