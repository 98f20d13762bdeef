"""What the tests of adaptors share: a scripted model behind an endpoint, what `seedbed eval` says of its play, and programs that run offline."""
import json
import os
import random
import subprocess
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

import seedbed

ROOT = Path(__file__).resolve().parents[3]
for folder in (ROOT / "tests", ROOT / "examples" / "agents"):
    sys.path.append(str(folder))
from greedy import cells, step_towards_goal  # noqa: E402
from stub_endpoint import StubEndpoint, completion  # noqa: E402

TASKS, DIFFICULTY = "GoToGoal,MazeNavigation,KeyDoorPuzzle,DynamicObstacles", "easy"
# No hub can be reached: whoever tries goes to a closed port.
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1", "WANDB_MODE": "offline",
           "MODEL_KEY": "none", "HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1,localhost"}
NUMBERS = {"move_up": 1, "move_down": 2, "move_left": 3, "move_right": 4}


def said_to(text):
    """The model: it walks to the goal that it sees, in several ways of saying so, and says other things now and then. All is drawn from what it is asked."""
    chance = random.Random(text)
    move = NUMBERS.get(step_towards_goal(cells(text)), chance.randrange(6))
    return chance.choice([(f"ACTION: {move}", False)] * 6 + [(f"So **action**: {move}", False), (f"ACTION: {move}", True), ("I wonder.", False), ("", False),
                                                              (f"ACTION: {chance.randrange(8)}", False)])


def document(body, n, text, cut=False):
    """The whole reply, as strict clients want it."""
    made = completion(text, finish="length" if cut else "stop", id=f"answer-{n}", object="chat.completion", created=1, model=body["model"])
    made["choices"][0]["index"], made["usage"]["total_tokens"] = 0, 13
    return made


def answer(body, n):
    return document(body, n, *said_to(body["messages"][-1]["content"]))


class Adaptor(unittest.TestCase):
    """Runs the programs of a framework in a folder that goes away, beside the package as it would be installed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-adaptor-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def installed(self):
        """A folder of packages in which Seedbed is, with its entry points."""
        packages = Path(self.folder, "site-packages")
        about = packages / "seedbed-0.dist-info"
        if not about.exists():
            about.mkdir(parents=True)
            (about / "METADATA").write_text("Metadata-Version: 2.1\nName: seedbed\nVersion: 0\n")
            groups = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"].get("entry-points", {})
            (about / "entry_points.txt").write_text("".join(f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in entries.items())
                                                            for group, entries in groups.items()))
            (packages / "seedbed").symlink_to(Path(seedbed.__file__).parent)
        return str(packages)

    def environment(self, **more):
        return {**os.environ, **OFFLINE, "HOME": self.folder, "PYTHONPATH": self.installed(), **more}

    def program(self, name, *words, code=0, **environment):
        path = os.path.join(os.path.dirname(sys.executable), name)
        done = subprocess.run([path, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=900, env=self.environment(**environment))
        self.assertEqual(done.returncode, code, (done.stdout + done.stderr)[-4000:])
        return done.stdout + done.stderr

    def evaluated(self, *words, answers=answer):
        """The result of `seedbed eval`, as a document and as a Result, for the same model and the standard episodes."""
        with StubEndpoint(answers) as server:
            agent = f"exec:{sys.executable} {ROOT}/examples/agents/chat_model.py --preset markovian --model tiny --url {server.url}"
            self.program(os.environ["SEEDBED"], "eval", "--tasks", TASKS, "-d", DIFFICULTY, "-q", "-j1", "-o", "result.json", *words, "--agent", agent)
        path = os.path.join(self.folder, "result.json")
        with open(path) as file:
            return json.load(file), seedbed.load_result(path)
