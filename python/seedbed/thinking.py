"""Where a model thinks in its answer: between marks that are its own, not the user's. What stands there is neither an action nor an answer."""
from __future__ import annotations

import re

# Qwen, DeepSeek and most others; Kimi; Mistral; Seed; the channels of gpt-oss, of which only `final` is the answer.
MARK = re.compile(r"(?P<opens><(?:seed:)?(?:think|thinking|thought|reasoning)>|\u25c1think\u25b7|\[THINK\]|<\|channel\|>(?:analysis|commentary)[^<]*<\|message\|>)"
                  r"|(?P<closes></(?:seed:)?(?:think|thinking|thought|reasoning)>|\u25c1/think\u25b7|\[/THINK\]|<\|channel\|>final[^<]*<\|message\|>)", re.IGNORECASE)


def spans(text: str) -> list[tuple[int, int]]:
    """Returns the pieces of a text that are thoughts, with their marks, as (begin, end). The last one may have no end mark: it reaches to the end of the text.
    A mark that ends what nothing began ends everything before it, since some servers write the first mark themselves and leave it out."""
    found: list[tuple[int, int]] = []
    begin: int | None = None
    for mark in MARK.finditer(text):
        if mark.group("opens"):
            begin = mark.start() if begin is None else begin
        else:
            if begin is None:
                found.clear()
            found.append((begin or 0, mark.end()))
            begin = None
    return found if begin is None else [*found, (begin, len(text))]


def apart(text: str) -> tuple[str, str]:
    """Returns what the model said and what it thought."""
    said: list[str] = []
    thought: list[str] = []
    at = 0
    for begin, end in spans(text):
        said.append(text[at:begin])
        thought.append(MARK.sub("", text[begin:end]).strip())
        at = end
    return "".join([*said, text[at:]]).strip() if at else text, "\n\n".join(filter(None, thought))
