"""Helpers for tests of studies: a study, tapes as people's pages send them, and a server that is started and ended."""
import copy
import http.client
import json
import os
import re
import shutil
import signal
import subprocess

from dataset_support import SEEDBED, run

NODE = shutil.which("node")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TEXTS = {"welcome": "Hello.", "consent": "We keep what you do. Tell us your number to have it deleted.", "instructions": "Go to the goal.", "end": "Thank you."}
FACTS = {"format": "seedbed-study", "version": 1, "name": "first", "packs": [[f"GoToGoal-v0/easy#{seed}" for seed in range(4)]], "texts": TEXTS}
SERVES = "libmicrohttpd" not in run("study", "serve", os.devnull, "-o", os.devnull).stderr


def number(participant):
    return f"{participant:016x}"


def solved(name, agent="expert", **options):
    done = run("solve", name, "-q", "--agent", agent, "-o", "-", **options)
    return json.loads(done.stdout.splitlines()[0])


def played(tape, participant, ordinal=0, attempt=1, pace=100, study="first", **more):
    """The tape as a person's: an action every `pace` milliseconds."""
    tape = copy.deepcopy(tape)
    tape["agent"] = "human"
    tape["person"] = {"participant": number(participant), "study": study, "ordinal": ordinal, "attempt": attempt, "hints": 0, "undos": 0,
                      "expert": [], "milliseconds": [pace * (i + 1) for i in range(len(tape["actions"]))], **more}
    return tape


def join(participant, study="first"):
    return {"join": 1, "study": study, "participant": number(participant)}


def lines_of(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().splitlines()]


class Server:
    """`study serve`, as a context manager. `port` 0: one that is free."""

    def __init__(self, study, plays, page, *arguments, program=SEEDBED, port=0, **environment):
        words = [program, "study", "serve", study, "-o", plays, "--page", page, "--listen", f"127.0.0.1:{port}", *arguments]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})
        first = self.process.stderr.readline()
        found = re.match(r"serving on http://127\.0\.0\.1:(\d+)/", first)
        self.said, self.port = first, int(found.group(1)) if found else None

    def __enter__(self):
        assert self.port, self.said + self.process.stderr.read()
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, how=signal.SIGTERM):
        if self.process.stderr.closed:
            return self.process.returncode
        if self.port and self.process.poll() is None:
            self.process.send_signal(how)
        self.said += self.process.stderr.read()
        self.process.stderr.close()
        return self.process.wait(60)

    def ask(self, method, path, body=None, **headers):
        """Returns the status, the headers and the body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def post(self, record, **headers):
        """Returns the status and what the server says."""
        body = record if isinstance(record, (bytes, str)) else json.dumps(record)
        status, _, said = self.ask("POST", "/collect", body, **{"Content-Type": "application/json", **headers})
        return status, json.loads(said)


def lead(spec):
    """Leads scripted participants through a study in JavaScript (tests/web/study.js)."""
    done = subprocess.run([NODE, os.path.join(ROOT, "tests", "web", "study.js")], input=json.dumps(spec), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
