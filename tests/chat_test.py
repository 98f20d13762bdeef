"""A tokenizer's chat template takes rows of the format `chat` as they are. Needs transformers, but not PyTorch; skipped if it is missing.

    $(scripts/test-python) tests/chat_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import glob
import json
import os
import sys
import unittest

from dataset_support import InFolder, unpacked, write

os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"  # set before the import, so that nothing is downloaded
try:
    import datasets
    import tokenizers
    import transformers
except ImportError:
    transformers = None

# The most common template, with the marks that let trainers learn from answers only.
CHAT_ML = (
    "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' }}"
    "{% if message.role == 'assistant' %}{% generation %}{{ message.content + '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ message.content + '<|im_end|>' }}{% endif %}{{ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")


def chat_ml(messages):
    return "".join(f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in messages)


def make_tokenizer():
    """Makes a tokenizer with one token per byte, so that nothing has to be trained or downloaded."""
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, chat_template=CHAT_ML, clean_up_tokenization_spaces=False,
                                                additional_special_tokens=["<|im_start|>", "<|im_end|>"])


@unittest.skipUnless(transformers, "the Python packages `datasets`, `tokenizers` and `transformers` are not all installed")
class Rows(InFolder):
    """Has rows in every style of the format, as they were written and as `datasets` loads them."""

    STYLES = {"steps": {"style": "messages", "turns": 2}, "whole": {"rows": "episode"}, "plain": {"style": "prompt"},
              "pairs": {"style": "prompt_messages", "turns": 1}, "bare": {"system": ""}}

    @classmethod
    def setUpClass(cls):
        datasets.disable_progress_bars()
        maker = InFolder()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        recipe = {"tasks": "KeyDoorPuzzle,PreciseNavigation", "difficulty": "easy", "split": "train", "count": 3,
                  "formats": [{"format": "chat", "name": name, "answer": "ACTION: {action}", **options} for name, options in cls.STYLES.items()]}
        folder = maker.build("d", "--recipe", write(maker.path("recipe.json"), json.dumps(recipe)))
        cls.tokenizer = make_tokenizer()
        cls.rows = {name: [json.loads(line) for line in unpacked(folder, name).splitlines()] for name in cls.STYLES}
        cls.loaded = {name: datasets.load_dataset("json", data_files=glob.glob(f"{folder}/{name}-*"), split="train",
                                                  cache_dir=maker.path("cache")) for name in cls.STYLES}


class Chat(Rows):
    def applied(self, messages, **options):
        return self.tokenizer.apply_chat_template(messages, tokenize=False, **options)

    def test_a_chat_template_leaves_every_message_unchanged(self):
        for name in ("steps", "whole", "bare"):
            for loaded, row in zip(self.loaded[name], self.rows[name], strict=True):
                self.assertEqual(self.applied(loaded["messages"]), chat_ml(row["messages"]))

    def test_prompt_and_completion_make_the_whole_conversation(self):
        for loaded, row in zip(self.loaded["pairs"], self.rows["pairs"], strict=True):
            prompt = self.applied(loaded["prompt"], add_generation_prompt=True)
            self.assertEqual(prompt + row["completion"][0]["content"] + "<|im_end|>\n", chat_ml(row["prompt"] + row["completion"]))
            self.assertEqual(self.applied(loaded["prompt"] + loaded["completion"]), chat_ml(row["prompt"] + row["completion"]))

    def test_only_answers_are_marked_for_learning(self):
        for name in ("steps", "whole"):
            for row in self.rows[name][:20]:
                tokens = self.tokenizer.apply_chat_template(row["messages"], tokenize=True, return_dict=True, return_assistant_tokens_mask=True)
                learnt = [token for token, mask in zip(tokens["input_ids"], tokens["assistant_masks"]) if mask]
                answers = [message["content"] + "<|im_end|>" for message in row["messages"] if message["role"] == "assistant"]
                self.assertEqual(self.tokenizer.decode(learnt), "".join(answers))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
