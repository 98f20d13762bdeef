"""Supervised fine-tuning with TRL on conversations that are made while the trainer reads them. Needs trl and torch.

    python sft.py --out tuned
    python sft.py --model SOME/MODEL --out tuned --steps 1000

`seedbed.rows(...).to_hf()` is a streaming data set: nothing is written to disk or downloaded. Without --model the model is a tiny one that
knows nothing. What the model is asked in the end is what it was trained on: the text of the observation, and nothing else.
"""
import argparse

import transformers
import trl

import seedbed
import tiny_model


def conversations(args):
    """Rows of what the expert does: `prompt`, the observation, and `completion`, the action's name, as messages."""
    episodes = seedbed.select(tasks=args.task, difficulty=args.difficulty, split="train", count=args.episodes)
    return seedbed.rows(episodes, "chat", style="prompt_messages", modes=args.obs, system="", user="{observation}")


def train(args):
    transformers.set_seed(args.seed)
    rows = conversations(args)
    model, tokenizer = tiny_model.load(args.model, (message["content"] for row in rows for message in row["prompt"] + row["completion"]))
    config = trl.SFTConfig(output_dir=args.out, max_steps=args.steps, per_device_train_batch_size=args.batch, learning_rate=args.rate,
                           max_length=512, logging_steps=max(args.steps // 10, 1), seed=args.seed, **tiny_model.plain_training())
    columns = [column.name for column in rows.columns if column.name not in ("prompt", "completion")]
    trainer = trl.SFTTrainer(model, config, train_dataset=rows.to_hf().remove_columns(columns), processing_class=tokenizer)
    trainer.train()
    trainer.save_model(args.out)  # with the tokenizer
    return model, tokenizer


def answers(model, tokenizer, observations, longest=16):
    """What the model answers to each observation, the most probable word at a time."""
    asked = [[{"role": "user", "content": text}] for text in observations]
    inputs = tokenizer.apply_chat_template(asked, add_generation_prompt=True, padding=True, return_tensors="pt", return_dict=True)
    inputs = {key: inputs[key].to(model.device) for key in ("input_ids", "attention_mask")}
    made = model.generate(**inputs, max_new_tokens=longest, do_sample=False, pad_token_id=tokenizer.pad_token_id)
    return [text.strip() for text in tokenizer.batch_decode(made[:, inputs["input_ids"].shape[1]:], skip_special_tokens=True)]


def evaluate(model, tokenizer, args):
    """Plays the evaluation episodes, all at once. An answer that is no action loses its episode."""
    model.eval()
    return seedbed.evaluate(lambda observations, infos: answers(model, tokenizer, observations),
                            seedbed.select(tasks=args.task, difficulty=args.difficulty), obs=args.obs, batch=32)


def report(result):
    told = result.all
    print(f"evaluation: {told.successes} of {told.episodes} episodes won, {told.errors} lost by answers that are no actions")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a model's name or folder")
    parser.add_argument("--out", default="tuned", help="folder of the model that comes out")
    parser.add_argument("--task", default="GoToGoal-v0")
    parser.add_argument("--difficulty", default="easy")
    parser.add_argument("--obs", default="language")
    parser.add_argument("--episodes", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=400, help="steps of the optimizer")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    return parser


if __name__ == "__main__":
    args = arguments().parse_args()
    model, tokenizer = train(args)
    report(evaluate(model, tokenizer, args))
