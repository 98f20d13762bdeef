"""TRL and a tokenizer's chat template take rows of the format `chat` as they are. Needs TRL's data functions, which do
without PyTorch; skipped where they are missing:

    python3 -m venv VENV && VENV/bin/pip install datasets transformers jinja2 && VENV/bin/pip install --no-deps trl
    SEEDBED_REQUIRE_TRL=1 VENV/bin/python tests/chat_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import glob
import json
import os
import sys
import unittest

from dataset_support import InFolder, unpacked, write

os.environ["HF_DATASETS_OFFLINE"] = os.environ["HF_HUB_OFFLINE"] = "1"  # before the import: nothing is fetched
try:
    import datasets
    import tokenizers
    import transformers
    from trl import data_utils
except ImportError:
    if os.environ.get("SEEDBED_REQUIRE_TRL"):  # where a test that is skipped would be no test
        raise
    data_utils = None

# The most common template, with the marks by which trainers learn from answers alone.
CHAT_ML = (
    "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' }}"
    "{% if message.role == 'assistant' %}{% generation %}{{ message.content + '<|im_end|>' }}{% endgeneration %}"
    "{% else %}{{ message.content + '<|im_end|>' }}{% endif %}{{ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")


def chat_ml(messages):
    return "".join(f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in messages)


def make_tokenizer():
    """A token a byte: nothing has to be trained or fetched."""
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, chat_template=CHAT_ML, clean_up_tokenization_spaces=False,
                                                additional_special_tokens=["<|im_start|>", "<|im_end|>"])


@unittest.skipUnless(data_utils, "the Python packages `trl`, `transformers` and `datasets` are not installed")
class Chat(InFolder):
    STYLES = {"steps": {"style": "messages", "turns": 2}, "whole": {"rows": "episode"}, "plain": {"style": "prompt"},
              "pairs": {"style": "prompt_messages", "turns": 1}, "bare": {"system": ""}}

    @classmethod
    def setUpClass(cls):
        datasets.disable_progress_bars()
        maker = InFolder()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        recipe = {"tasks": "KeyDoorPuzzle,GoToGoal", "difficulty": "easy", "split": "train", "count": 3,
                  "formats": [{"format": "chat", "name": name, "answer": "ACTION: {action}", **options} for name, options in cls.STYLES.items()]}
        folder = maker.build("d", "--recipe", write(maker.path("recipe.json"), json.dumps(recipe)))
        cls.tokenizer = make_tokenizer()
        cls.rows = {name: [json.loads(line) for line in unpacked(folder, name).splitlines()] for name in cls.STYLES}
        cls.loaded = {name: datasets.load_dataset("json", data_files=glob.glob(f"{folder}/{name}-*"), split="train",
                                                  cache_dir=maker.path("cache")) for name in cls.STYLES}

    def applied(self, name):
        return self.loaded[name].map(lambda row: data_utils.maybe_apply_chat_template(row, self.tokenizer))

    def test_messages_are_conversations_and_prompts_are_texts(self):
        for name, rows in self.loaded.items():
            for row in rows:
                self.assertEqual(data_utils.is_conversational(row), name != "plain", name)

    def test_a_chat_template_gives_every_message_to_the_letter(self):
        for name in ("steps", "whole", "bare"):
            applied = self.applied(name)
            self.assertEqual(applied["text"][:], [chat_ml(row["messages"]) for row in self.rows[name]])

    def test_prompt_and_completion_make_the_whole_conversation(self):
        applied = self.applied("pairs")
        for text, row in zip(applied, self.rows["pairs"], strict=True):
            self.assertEqual(text["prompt"] + text["completion"], chat_ml(row["prompt"] + row["completion"]))
            self.assertEqual(text["completion"], row["completion"][0]["content"] + "<|im_end|>\n")

    def test_texts_are_left_as_they_are(self):
        applied = self.applied("plain")
        for key in ("prompt", "completion"):
            self.assertEqual(applied[key][:], [row[key] for row in self.rows["plain"]])

    def test_what_is_learnt_from_are_the_answers(self):
        for name in ("steps", "whole"):
            for row in self.rows[name][:20]:
                tokens = self.tokenizer.apply_chat_template(row["messages"], tokenize=True, return_dict=True, return_assistant_tokens_mask=True)
                learnt = [token for token, mask in zip(tokens["input_ids"], tokens["assistant_masks"]) if mask]
                answers = [message["content"] + "<|im_end|>" for message in row["messages"] if message["role"] == "assistant"]
                self.assertEqual(self.tokenizer.decode(learnt), "".join(answers))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
