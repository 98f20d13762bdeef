"""The WebAssembly module under Node (scripts/wasm): the same episodes as natively, bit for bit, in a bounded size, time and memory.

    $(scripts/test-python) tests/web_test.py BUILD/seedbed BUILD/tests/seedbed-toy

With SEEDBED_NIGHTLY=1 it plays all tapes of the official certificates and of the games', 500 episodes of BabyAI, and 200 steps of each task of
Autumn; otherwise some of each. SEEDBED_SPEED=1 also compares how fast it is.

Label: outside
"""
import collections
import gzip
import hashlib
import json
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
import unittest

BUILD = os.path.dirname(os.path.abspath(sys.argv[1]))
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
HERE = os.path.join(ROOT, "tests", "web")
MODULE = os.path.join(ROOT, "build", "wasm", "module")
PACKAGE = os.path.join(MODULE, "package")
WASM = os.path.join(PACKAGE, "seedbed.wasm")
LAYERS = ("include", "base", "seeds", "engine", "generators", "api", "oracles", "rollout", "web")
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
SPEED = bool(os.environ.get("SEEDBED_SPEED"))
NODE = shutil.which("node")
sys.path.insert(0, os.path.join(BUILD, "python"))
try:
    import numpy
    import seedbed
except ImportError:
    seedbed = None

MEGABYTE = 1 << 20
RAW, PACKED = 1_500_000, 600_000  # bytes of the module, and compressed by gzip
HEAP = 64 * MEGABYTE  # for playing
LEAST = 1 / 3  # of native speed
PLAYED = ("KeyDoorPuzzle-v0/expert#1", "FogOfWarExploration-v0/hard#2", "babyai:BossLevel#3", "babyai:GoTo#4", "arc:Lantern#5", "autumn:LightsOut#6")
TIMED = ("KeyDoorPuzzle-v0/medium#1", "SokobanPush-v0/hard#1", "FogOfWarExploration-v0/hard#1", "ChaseEvade-v0/hard#1", "babyai:GoTo#1",
         "babyai:BossLevel#1", "babyai:PutNextLocal#1", "arc:Lantern#1", "arc:Scales#1", "autumn:LightsOut#1", "autumn:RiverHop#1", "autumn:GrainTower#1")


def newest():
    return max(os.path.getmtime(os.path.join(folder, name)) for layer in LAYERS for folder, _, names in os.walk(os.path.join(ROOT, layer))
               for name in names if name.endswith((".c", ".h", ".def", ".js", ".ts", ".txt", ".json", ".sexp", ".in")))


def reason_to_skip():
    if not NODE:
        return "needs node: ./scripts/wasm installs it"
    if not os.path.exists(WASM):
        return "the module is not built: ./scripts/wasm builds it"
    if os.path.getmtime(WASM) < newest():
        return "the module is older than the sources: ./scripts/wasm builds it again"
    return None


def node(script, *arguments, text=None):
    done = subprocess.run([NODE, "--no-warnings", script, *arguments], input=text, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"{script}: {done.stderr}")
    return done.stdout


# ---- What is played natively ----

def certified(name, every=1):
    """The tapes of every so many certificates."""
    with gzip.open(os.path.join(ROOT, "evaluation", "certificates", name), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    tapes = [row["tape"] for row in rows if row.get("tape")]
    return [(tape["name"], tape["actions"], tape["digest"]) for tape in tapes[::every]]


def random_actions(env, n, seed):
    """Half of them clicks, where there are any."""
    draw = numpy.random.default_rng(seed)
    buttons = len(env.action_names) if env.n_actions > len(env.action_names) else env.n_actions
    return [int(draw.integers(env.n_actions if draw.random() < 0.5 else buttons)) for _ in range(n)]


def walk(name, actions, digest=None, texts=(), pictures=(), every=1, hints=()):
    """Plays natively and tells what compare.js reads. Without actions an expert plays; a number of actions is so many random ones."""
    env = seedbed.make(name, obs="none")
    env.reset()
    if isinstance(actions, int):
        actions = random_actions(env, actions, 1)
    shown = {look: seedbed.make(name, obs="pixels", look=look) for look in pictures}
    sums = {key: hashlib.sha256() for key in (None, *texts, *pictures)}
    told = {agent: [] for agent in hints}
    for other in shown.values():
        other.reset()

    def add(reward, dense, terminated, truncated):
        success = bool(env.success)
        sums[None].update(f"{env.key:032x}".encode() + struct.pack("<ddB", reward, dense, terminated | truncated << 1 | success << 2))

    def look():
        for mode in texts:
            sums[mode].update(text_of(env, mode))
        for key, other in shown.items():
            other.copy_from(env)
            pixels = other.observe()
            sums[key].update(f"{pixels.shape[1]} {pixels.shape[0]} ".encode() + pixels.tobytes())

    add(0.0, 0.0, False, False)
    look()
    taken = []
    while not env.done and (actions is None or len(taken) < len(actions)):
        action = env.expert_action() if actions is None else actions[len(taken)]
        taken.append(int(action))
        _, reward, terminated, truncated, _ = env.step(action)
        add(reward, env.last_dense, terminated, truncated)
        if len(taken) % every == 0:
            look()
    for agent in hints:
        told[agent] = played_by(name, agent)
    if actions is None:
        digest = json.loads(env.tape("expert"))["digest"]
    return {"name": name, "actions": taken, "sum": sums[None].hexdigest(), "digest": digest, "every": every, "hints": told,
            "texts": {mode: sums[mode].hexdigest() for mode in texts}, "pictures": {key: sums[key].hexdigest() for key in pictures}}


def text_of(env, mode):
    seen = env.observe(mode)
    return seen.encode() if isinstance(seen, str) else json.dumps(seen).encode()


def played_by(name, agent):
    env, player, actions = seedbed.make(name, obs="none"), seedbed.Player(agent), []
    env.reset()
    player.begin(env)
    while not env.done:
        actions.append(int(player.act(env)))
        env.step(actions[-1])
    return actions


def compare(walks):
    *differ, counts = node(os.path.join(HERE, "compare.js"), PACKAGE, text="\n".join(map(json.dumps, walks))).splitlines()
    counts = json.loads(counts)
    print(counts)
    return differ, counts
