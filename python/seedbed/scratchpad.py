"""Notes that a language model keeps while it explores, and the action in its reply."""
from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass
class Scratchpad:
    """The notes of an agent. In its replies, what stands between `<scratchpad_add>` tags is added as lines of its own, what stands
    between `<scratchpad_del>` tags is deleted where it first occurs, and what stands between `<action>` tags is done.

        pad = Scratchpad()
        action = pad.read(ask_the_model(prompt, notes=pad.text))
    """

    text: str = ""

    def read(self, reply: str) -> str | None:
        """Updates the notes, deletions first, and returns the action: the first line of the last one, without white space around it.
        None if the reply has no action."""
        for part in _between("scratchpad_del", reply):
            self.text = self.text.replace(part, "", 1) if part else self.text
        kept = [line for line in self.text.splitlines() if line.strip()]
        self.text = "\n".join([*kept, *(part for part in _between("scratchpad_add", reply) if part)])
        actions = [part for part in _between("action", reply) if part]
        return actions[-1].splitlines()[0].strip() if actions else None


def _between(tag: str, reply: str) -> list[str]:
    return [part.strip() for part in re.findall(f"<{tag}>(.*?)</{tag}>", reply, re.DOTALL)]
