"""TRL takes rows of the format `chat` as they are. Needs TRL's data functions, but not PyTorch; skipped if they are missing.

    $(scripts/test-python nightly) tests/trl_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import json
import sys
import unittest

import chat_test
from dataset_support import InFolder

try:
    from trl import data_utils
except ImportError:
    data_utils = None


@unittest.skipUnless(data_utils, "the Python package `trl` is not installed; `scripts/nightly loaders` installs it")
class Trl(chat_test.Rows):
    def applied(self, name):
        return self.loaded[name].map(lambda row: data_utils.maybe_apply_chat_template(row, self.tokenizer))

    def test_messages_are_conversations_and_prompts_are_texts(self):
        for name, rows in self.loaded.items():
            for row in rows:
                self.assertEqual(data_utils.is_conversational(row), name != "plain", name)

    def test_a_chat_template_leaves_every_message_unchanged(self):
        for name in ("steps", "whole", "bare"):
            applied = self.applied(name)
            self.assertEqual(applied["text"][:], [chat_test.chat_ml(row["messages"]) for row in self.rows[name]])

    def test_prompt_and_completion_make_the_whole_conversation(self):
        applied = self.applied("pairs")
        for text, row in zip(applied, self.rows["pairs"], strict=True):
            self.assertEqual(text["prompt"] + text["completion"], chat_test.chat_ml(row["prompt"] + row["completion"]))
            self.assertEqual(text["completion"], row["completion"][0]["content"] + "<|im_end|>\n")

    def test_texts_are_left_unchanged(self):
        applied = self.applied("plain")
        for key in ("prompt", "completion"):
            self.assertEqual(applied[key][:], [row[key] for row in self.rows["plain"]])


@unittest.skipUnless(data_utils, "the Python package `trl` is not installed; `scripts/nightly loaders` installs it")
class Pictures(InFolder):
    def test_pictures_take_their_places_in_the_messages(self):
        formats = json.dumps([{"format": "chat", "turns": 2, "pixels": {"look": "flat"}}])
        folder = self.build("d", "KeyDoorPuzzle/easy#1", "PreciseNavigation/easy#2", "--evaluation", "keep", "--format", formats)
        rows = chat_test.datasets.load_dataset("imagefolder", data_files=folder + "/chat-*.zip", split="train", cache_dir=self.path("cache"))
        for row in rows:
            self.assertTrue(data_utils.is_conversational(row))
            ready = data_utils.prepare_multimodal_messages(row["messages"], images=row["images"])
            parts = [part for message in ready for part in message["content"]]
            self.assertEqual([part["image"] for part in parts if part["type"] == "image"], row["images"])
            self.assertEqual([message["role"] for message in ready], [message["role"] for message in row["messages"]])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
