"""Tests the Python client with the program: client_test.py path/to/seedbed"""
import contextlib
import io
import json
import os
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples"))
sys.dont_write_bytecode = True
import client  # noqa: E402

BINARY = os.path.abspath(sys.argv[1])
EPISODE = "KeyDoorPuzzle-v0/medium#42"


def start(**pipes):
    return subprocess.Popen([BINARY, "serve", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **pipes)


def refused(code, call, *arguments, **keys):
    try:
        call(*arguments, **keys)
    except client.SeedbedError as error:
        assert error.code == code, error
        return str(error)
    raise AssertionError(f"{arguments} {keys} was not refused")


def test_an_episode_is_played_to_its_end():
    server = client.Seedbed(BINARY)
    for agent in ("expert", "mine", "random"):
        for name in (EPISODE, "GoToGoal-v0/easy#18446744073709551615"):
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                state = client.play(server, name, agent)
            lines = printed.getvalue().splitlines()
            assert state["done"] and (state["terminated"] or state["truncated"])
            assert lines[0] == name
            assert sum(line.startswith("step ") for line in lines) == state["steps"]
            assert agent != "expert" or lines[-1].startswith("success after")
            assert "over" in refused("finished", server.step, 0)
    assert server.close() == 0


def test_the_same_actions_give_the_same_replies():
    server = client.Seedbed(BINARY)
    def replies():
        first = server.reset(EPISODE, modes=["ascii", "state"])
        return [first] + [server.step(action) for action in ("move_up", 3, "NOOP", 5, 4)]
    once = replies()
    assert isinstance(once[0]["observations"]["state"], dict)
    assert once == replies()
    assert server.close() == 0


def test_errors_leave_the_session_alive():
    server = client.Seedbed(BINARY)
    assert "reset first" in refused("finished", server.step, 0)
    assert "did you mean" in refused("unknown", server.reset, "GoToGaol-v0/easy#1")
    assert "fly" in refused("unknown", server.request, "fly")
    assert "`speed`" in refused("invalid", server.reset, EPISODE, speed=2)
    assert "longer" in refused("invalid", server.reset, "x" * (1 << 20))
    assert server.reset(EPISODE, id={"a": 1})["id"] == {"a": 1}
    assert server.step("noop")["steps"] == 1
    assert server.close() == 0


def test_the_script_prints_what_happened():
    run = subprocess.run([sys.executable, os.path.join(ROOT, "examples", "client.py"), BINARY, EPISODE],
                         capture_output=True, text=True, timeout=900)
    assert run.returncode == 0, run.stderr
    assert not run.stderr
    assert run.stdout.splitlines()[-1].startswith("success after")


def test_requests_may_come_in_pieces_and_ahead_of_replies():
    server = start()
    for byte in b'{"op": "hello", "id": 1}\n{"op"':
        server.stdin.write(bytes([byte]))
        server.stdin.flush()
    assert json.loads(server.stdout.readline())["id"] == 1
    server.stdin.write(b': "hello", "id": 2}\r\n{"op": "hello", "id": 3}\n{"op": "close", "id": 4}')
    out, _ = server.communicate()
    assert [json.loads(line)["id"] for line in out.splitlines()] == [2, 3, 4]
    assert server.returncode == 0


def test_the_server_ends_without_an_error_when_the_client_leaves():
    server = start(stderr=subprocess.PIPE)
    server.stdout.close()
    with contextlib.suppress(BrokenPipeError):
        for _ in range(100):
            server.stdin.write(b'{"op": "hello"}\n')
            server.stdin.flush()
    with contextlib.suppress(BrokenPipeError):
        server.stdin.close()
    assert server.wait(timeout=900) in (0, 1)
    with server.stderr as said:
        assert said.read() == b""


def test_stdio_is_required():
    run = subprocess.run([BINARY, "serve"], capture_output=True, text=True)
    assert run.returncode == 2 and "--stdio" in run.stderr and "--socket" in run.stderr
    run = subprocess.run([BINARY, "serve", "--stdio", "GoToGoal-v0/easy#1"], capture_output=True, text=True)
    assert run.returncode == 2


def load_tests(*_):
    return unittest.TestSuite(unittest.FunctionTestCase(test) for name, test in list(globals().items()) if name.startswith("test_"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
