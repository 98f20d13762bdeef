"""Helpers for tests of programs and processes."""
import os
import re


def is_sanitized(program):
    """Returns whether the program has sanitizers, which take terabytes of address space, so that it cannot be limited."""
    with open(os.path.join(os.path.dirname(program), "CMakeCache.txt"), encoding="utf-8") as file:
        return bool(re.search(r"^SEEDBED_SANITIZE:[A-Z]+=.*(address|thread)", file.read(), re.M))


def is_alive(pid):
    """Returns whether the process runs; one that has ended but was not waited for does not."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
