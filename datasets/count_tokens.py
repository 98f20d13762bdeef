"""Counts tokens for `seedbed build`, which puts this text into the program and runs it with `python3 -c`.

Reads lines of JSON. The first is the content of a tokenizer.json, as a text, and is answered by the version of the library; every
further one is a list of texts, and is answered by how many tokens they have, each alone, without special tokens.
"""
import sys

sys.path = [path for path in sys.path if path]  # what is in the working directory is no library

import collections
import json
import os
from typing import Any

os.environ["TOKENIZERS_PARALLELISM"] = "false"  # there is a process for each worker


def answer(value: object) -> None:
    print(json.dumps(value), flush=True)


def count(tokenizer: Any, texts: list[str]) -> int:
    times = collections.Counter(texts)
    encode = getattr(tokenizer, "encode_batch_fast", tokenizer.encode_batch)
    return sum(len(found.ids) * n for found, n in zip(encode(list(times), add_special_tokens=False), times.values()))


def main() -> None:
    begin = sys.stdin.buffer.readline()
    try:
        import tokenizers
    except ImportError as error:
        return answer({"missing": str(error)})
    try:
        tokenizer = tokenizers.Tokenizer.from_str(json.loads(begin))
    except BaseException as error:  # the library raises all kinds
        return answer({"error": str(error)})
    tokenizer.no_truncation()
    tokenizer.no_padding()
    answer({"library": "tokenizers " + tokenizers.__version__})
    for line in sys.stdin.buffer:
        answer(count(tokenizer, json.loads(line)))


main()
