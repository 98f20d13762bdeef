"""Helpers for tests of programs and processes."""
import os
import re
import socket
import time


def is_sanitized(program):
    """Returns whether the program has sanitizers, which take terabytes of address space, so that it cannot be limited."""
    with open(os.path.join(os.path.dirname(program), "CMakeCache.txt"), encoding="utf-8") as file:
        return bool(re.search(r"^SEEDBED_SANITIZE:[A-Z]+=.*(address|thread)", file.read(), re.M))


def wait_for_server(server, path, seconds=10):
    """Waits until a server listens on its socket, whose file is there a moment before."""
    end = time.monotonic() + seconds
    while True:
        with socket.socket(socket.AF_UNIX) as one:
            if one.connect_ex(path) == 0:
                return
        assert server.poll() is None, "the server has ended"
        assert time.monotonic() < end, "the server does not answer"
        time.sleep(0.02)


def state_of(stat):
    """The state of a process or thread, such as S: sleeping; None if it is gone."""
    try:
        with open(stat, encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def wait_until_idle(pid, seconds=60):
    """Waits until all threads of a process sleep, in several looks in a row. Who only waits for a processor does not."""
    end, looks = time.monotonic() + seconds, 0
    while looks < 5:
        assert time.monotonic() < end, "the process goes on working"
        states = {state_of(f"/proc/{pid}/task/{thread}/stat") for thread in os.listdir(f"/proc/{pid}/task")}
        looks = looks + 1 if states == {"S"} else 0
        time.sleep(0.02)


def is_alive(pid):
    """Returns whether the process runs; one that has ended but was not waited for does not."""
    return state_of(f"/proc/{pid}/stat") not in (None, "Z")
