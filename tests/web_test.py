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
CEILING = 256 * MEGABYTE  # with an expert that searches
# Episodes that are played by everybody, shown in every way, or timed.
PLAYED = ("KeyDoorPuzzle-v0/medium#1", "SokobanPush-v0/easy#1", "FogOfWarExploration-v0/easy#2", "babyai:GoToLocal#3", "babyai:UnlockPickup#4",
          "arc:Lantern/intro#5")
SHOWN = (*PLAYED, "babyai:BossLevel#1", "autumn:RiverHop/published#1", "autumn:CyclicCoral/published#2", "arc:Scales/full#1")
TIMED = ("KeyDoorPuzzle-v0/medium#1", "FogOfWarExploration-v0/hard#1", "ChaseEvade-v0/hard#1", "babyai:GoTo#1", "babyai:BossLevel#1", "babyai:PutNextLocal#1",
         "arc:Lantern/full#1", "arc:Scales/full#1", "autumn:RiverHop/published#1", "autumn:CyclicCoral/published#1", "autumn:GrainTower/published#1")
GAMES = ("Chimes", "Clockwork", "DyeWorks", "Echo", "Fold", "Lantern", "Moss", "Polarity", "Scales", "Shepherd", "Stamp", "TwinCompass")
HEAVY = "SokobanPush-v0/expert#1"  # whose expert takes the most memory at once


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


def text_modes(name):
    """Modes whose texts are no documents: these come as objects in Python."""
    return [mode.name for mode in seedbed.modes(seedbed.parse_name(name).family) if not mode.document]


def looks(name):
    return [look.name for look in seedbed.looks(seedbed.parse_name(name).family)]


def tasks(family):
    return [task.name for task in seedbed.tasks(family)]


@unittest.skipIf(reason_to_skip(), reason_to_skip())
class Package(unittest.TestCase):
    def test_its_size_is_bounded(self):
        with open(WASM, "rb") as file:
            module = file.read()
        packed = len(gzip.compress(module, 9))
        print(f"{len(module)} bytes, {packed} compressed")
        self.assertLessEqual(len(module), RAW)
        self.assertLessEqual(packed, PACKED)

    def test_the_example_plays_to_its_end(self):
        tape = json.loads(node(os.path.join(PACKAGE, "example.js")).splitlines()[-1])
        self.assertTrue(tape["success"])
        with open(os.path.join(PACKAGE, "example.js"), encoding="utf-8") as example, open(os.path.join(PACKAGE, "README.md"), encoding="utf-8") as readme:
            shown = "".join(line[4:] if line.strip() else line for line in re.findall(r"^(?:    .*|)\n", readme.read(), re.M))
            self.assertIn(example.read().strip(), shown.strip(), "README.md shows another example")

    def test_types_name_what_there_is(self):
        """Every member that seedbed.d.ts declares of a class is there, and the other way round."""
        script = """
            import { load } from "seedbed";
            const seedbed = await load(), env = seedbed.make("GoToGoal-v0/easy#1");
            const members = (object) => Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor").sort();
            console.log(JSON.stringify({ Seedbed: members(seedbed), Environment: members(env), Standing: Object.keys(env.standing).sort(),
              Picture: Object.keys(env.picture()).sort(), About: Object.keys(env.about).sort(), Tape: Object.keys(seedbed.readTape(env.tape())).sort() }));
        """
        there = json.loads(self.run_script(script))
        with open(os.path.join(PACKAGE, "seedbed.d.ts"), encoding="utf-8") as file:
            types = file.read()
        declared = {name: (base, re.findall(r"^  (?:readonly )?(\w+)[?(:]", body, re.M))
                    for name, base, body in re.findall(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", types, re.M | re.S)}
        for name, members in there.items():
            base, own = declared[name]
            inherited = declared[base][1] if base else []
            left = {"Environment": {"readTape", "families"}}.get(name, set())  # what Seedbed calls
            self.assertEqual(sorted({*own, *inherited} | left), members, name)

    def test_errors_say_what_is_wrong(self):
        script = """
            import { load } from "seedbed";
            const seedbed = await load(), env = seedbed.make("GoToGoal-v0/easy#1");
            for (const wrong of [() => seedbed.make("Goto"), () => env.step(99), () => env.step("jump"), () => env.observe("nothing"),
              () => env.picture({ look: "x" }), () => env.hint("nobody"), () => env.reason(), () => env.click(0, 0),
              () => seedbed.replay("{}"), () => seedbed.readTape("[")])
              try { wrong(); console.log("no error"); } catch (error) { console.log(`${error.name} ${error.code}: ${error.message}`); }
            env.close();
            for (const late of [() => env.step(0), () => env.key, () => env.mask(), () => env.valid(), () => env.frames, () => env.standing])
              try { late(); console.log("no error"); } catch (error) { console.log(error.code); }
        """
        lines = self.run_script(script).splitlines()
        self.assertEqual(len(lines), 16)
        for line in lines[:10]:
            self.assertRegex(line, r"^SeedbedError (unknown|invalid): .{10,}")
        self.assertEqual(lines[10:], ["finished"] * 6)

    def test_what_is_no_action_takes_no_step(self):
        """JavaScript would cut a number off for the module, and another action would be taken."""
        script = """
            import { load } from "seedbed";
            const seedbed = await load(), env = seedbed.make("autumn:RiverHop/published#1"), { key } = env, { click } = env.about;
            const numbers = [1.5, 2 ** 32 + 1, NaN, undefined, null, {}, 1e300, -1, 99999];
            const cells = [["1", "2"], [1.5, 1], [NaN, NaN], [-1, 0], click, []];
            for (const wrong of [...numbers.map((number) => () => env.step(number)), ...numbers.map((number) => () => env.actionName(number)),
              ...cells.map((cell) => () => env.click(...cell)), () => env.step("jump"), () => env.step("noop\\0"), () => env.picture({ tile: 1.5 }),
              () => env.showFrame(0.5), () => seedbed.make("GoToGoal-v0/easy#1\\0x"), () => seedbed.make()])
              try { wrong(); console.log("no error"); } catch (error) { console.log(`${error.name} ${error.code}: ${error.message}`); }
            console.log(env.key === key && env.standing.steps === 0);
        """
        *lines, same = self.run_script(script).splitlines()
        self.assertEqual(same, "true")
        self.assertEqual(len(lines), 9 + 9 + 6 + 6)
        for line in lines:
            self.assertRegex(line, r"^SeedbedError (unknown|invalid): .{10,}")

    def test_a_library_lives_as_long_as_its_environments(self):
        script = f"""
            import {{ load }} from "seedbed";
            import {{ readFileSync }} from "node:fs";
            const text = (name) => readFileSync({json.dumps(os.path.join(ROOT, "examples", "worlds"))} + `/${{name}}.sexp`, "utf8");
            const seedbed = await load(), said = [];
            const outer = seedbed.library({{ programs: [text("crates")] }}), inner = outer.library({{ programs: [text("ice")] }});
            said.push(inner.programs.includes("autumn:Crates") && inner.programs.includes("autumn:Ice"), outer.programs.includes("autumn:Ice"));
            const env = outer.make("autumn:Crates/easy#7"), copy = env.clone(), {{ key }} = env;
            try {{ env.restore(inner.make("autumn:Crates/easy#7")); }} catch (error) {{ said.push(error.code); }}
            outer.close();
            try {{ outer.make("GoToGoal-v0/easy#1"); }} catch (error) {{ said.push(error.code); }}
            for (let i = 0; i < 200; i++) seedbed.library({{ programs: [text("ice")] }}).close();
            while (!env.done) env.step(env.hint("expert").action);
            said.push(env.standing.success, env.reset().key === key, copy.key === key);
            env.close(), copy.close();
            const before = seedbed.memory;
            for (let i = 0; i < 200; i++) {{
              const library = seedbed.library({{ programs: [text("crates")] }}), held = library.make("autumn:Crates/easy#7");
              library.close(), held.close();
            }}
            said.push(seedbed.memory - before);
            console.log(JSON.stringify(said));
        """
        self.assertEqual(json.loads(self.run_script(script)), [True, False, "invalid", "finished", True, True, True, 0])

    def test_tasks_say_what_the_program_says_of_them(self):
        script = """
            import { load } from "seedbed";
            console.log(JSON.stringify((await load()).families().map(({ family, tasks }) =>
              [family, tasks.map(({ task, category, summary, judged_by, skills }) => [task, category, summary, judged_by, skills])])));
        """
        native = subprocess.run([sys.argv[1], "tasks", "--json"], capture_output=True, check=True, text=True).stdout
        self.assertEqual(dict(json.loads(self.run_script(script))), {family["family"]: [
            [*(task[key] for key in ("name", "category", "summary", "judged_by")), task.get("skills", [])] for task in family["tasks"]]
            for family in json.loads(native)})

    def test_copies_undo_steps_and_tapes_replay(self):
        script = """
            import { load } from "seedbed";
            const seedbed = await load(), env = seedbed.make("KeyDoorPuzzle-v0/easy#42");
            const said = [];
            for (let i = 0; i < 3; i++) env.step(env.hint("expert").action);
            const before = env.clone(), key = env.key, steps = env.standing.steps;
            env.step(0), env.step(1);
            said.push(env.restore(before).key === key, env.standing.steps === steps, before.key === key);
            while (!env.done) env.step(env.hint("observer").action);
            said.push(env.standing.success, seedbed.replay(env.tape("me")).key === env.key,
              seedbed.readTape(env.tape("me")).actions.length === env.standing.steps);
            const lie = env.tape("me").replace(/"digest": "."/, (text) => text); // a digest that is another
            const [, digest] = /"digest": "(\\w+)"/.exec(lie);
            try { seedbed.replay(lie.replace(digest, digest.split("").reverse().join(""))); } catch (error) { said.push(error.code); }
            env.reset("KeyDoorPuzzle-v0/easy#42");
            env.hint();
            said.push(env.reason("search").length > 20, env.mask().buttons.length === env.about.buttons.length);
            console.log(JSON.stringify(said));
        """
        self.assertEqual(json.loads(self.run_script(script)), [True] * 6 + ["mismatch", True, True])

    def test_a_copy_that_fails_leaves_no_episode(self):
        script = """
            import { load } from "seedbed";
            const instantiate = WebAssembly.instantiate;
            let calls;
            WebAssembly.instantiate = async (...given) => {
              const made = await instantiate(...given);
              calls = made.instance.exports;
              return made;
            };
            const seedbed = await load(), env = seedbed.make("GoToGoal-v0/easy#1"), other = seedbed.make("arc:Scales/full#1"), said = [];
            env.step(1);
            for (let size = 1 << 28; size >= 16; size >>= 1) while (calls.malloc(size)); // takes all memory
            try { env.restore(other); } catch (error) { said.push(error.code, env.standing.steps, env.done); }
            console.log(JSON.stringify(said));
        """
        self.assertEqual(json.loads(self.run_script(script)), ["memory", 0, True])

    def test_a_library_has_programs_and_starts_of_episodes(self):
        with gzip.open(os.path.join(ROOT, "seeds", "autumn-canonical.jsonl.gz"), "rt") as asked, \
                gzip.open(os.path.join(ROOT, "seeds", "autumn-canonical.answers.jsonl.gz"), "rt") as answered:
            start = list(asked)[1] + list(answered)[1]
        script = f"""
            import {{ load }} from "seedbed";
            import {{ readFileSync }} from "node:fs";
            const world = readFileSync({json.dumps(os.path.join(ROOT, "examples", "worlds", "crates.sexp"))}, "utf8");
            const start = {json.dumps(start)};
            const seedbed = await load(), name = JSON.parse(start.split("\\n")[0]).challenge, said = [];
            const own = seedbed.library({{ programs: [world], starts: [{{ name, document: start }}] }});
            said.push(own.programs, seedbed.programs);
            const env = own.make("autumn:Crates/easy#7");
            said.push(env.name, own.families().flatMap((family) => family.tasks).some(({{ task }}) => task === "Crates"));
            while (!env.done) env.step(env.hint("expert").action);
            const again = own.replay(env.tape("me"));
            said.push(again.key === env.key, env.standing.success);
            env.close(), again.close();
            const test = own.make(name);
            said.push(test.about.test, test.page.includes("go-to-test"));
            test.close();
            for (const wrong of [() => seedbed.make("autumn:Crates/easy#7"), () => own.library({{ programs: ["(program"] }}),
              () => own.library({{ starts: [{{ name: "GoToGoal-v0/easy#1", document: "" }}] }})])
              try {{ wrong(); said.push("no error"); }} catch (error) {{ said.push(error.message); }}
            own.close();
            console.log(JSON.stringify(said));
        """
        *said, unknown, unreadable, plain = json.loads(self.run_script(script))
        worlds = [f"autumn:Crates{level}" for level in ("", "/easy", "/medium", "/hard")]
        self.assertEqual(said, [worlds, [], "autumn:Crates/easy#7", True, True, True,
                                json.loads(start.split("\n", 1)[0])["challenge"].split("/")[1].split("-")[0], True])
        self.assertIn("unknown task", unknown)
        self.assertRegex(unreadable, r"^program:1:1: ")
        self.assertIn("cannot be stored", plain)

    def test_a_start_that_takes_long_tells_how_far_it_has_come(self):
        script = """
            import { load } from "seedbed";
            const heard = [], seedbed = await load(undefined, { onProgress: (progress) => heard.push(progress) });
            const silent = await load();
            seedbed.make("GoToGoal-v0/easy#1");
            const n = heard.length, env = seedbed.make("autumn:Seesaw/mfp-1#77");
            console.log(JSON.stringify([n, [...new Set(heard.map(({ what, of }) => `${what} ${of}`))],
              heard.every(({ done, of }) => done >= 0 && done <= of), env.key === silent.make("autumn:Seesaw/mfp-1#77").key]));
        """
        self.assertEqual(json.loads(self.run_script(script)), [0, ["states met 3000", "attempts made 200"], True, True])

    def test_frames_of_an_action_are_shown_in_a_copy(self):
        script = """
            import { load } from "seedbed";
            const seedbed = await load(), env = seedbed.make("arc:Fold/intro#1"), said = [env.frames];
            env.step("ACTION1");
            const last = env.picture().data, copy = env.clone(), n = env.frames;
            const differs = Array.from({ length: n }, (_, i) => copy.showFrame(i).picture().data.some((byte, at) => byte !== last[at]));
            said.push(n > 2, differs[0], differs[n - 1], env.key === seedbed.replay(env.tape("me")).key);
            try { copy.showFrame(n); } catch (error) { said.push(error.message); }
            console.log(JSON.stringify(said));
        """
        self.assertEqual(json.loads(self.run_script(script)), [1, True, True, False, True, "there is no such frame"])

    def test_playing_takes_no_more_memory_as_it_goes_on(self):
        games = tuple(f"arc:{game}/full#1" for game in GAMES)
        taken = json.loads(node(os.path.join(HERE, "heap.js"), PACKAGE, *SHOWN, *(games if NIGHTLY else ())))
        print(taken)
        self.assertEqual(taken["first"], taken["last"])
        self.assertLessEqual(taken["last"], HEAP)

    def run_script(self, script):
        path = os.path.join(PACKAGE, f"test-{os.getpid()}.js")
        with open(path, "w", encoding="utf-8") as file:
            file.write(script.replace("\\\\", "\\"))
        try:
            return node(path)
        finally:
            os.unlink(path)


@unittest.skipIf(reason_to_skip() or not seedbed, reason_to_skip() or "needs the Python package in the build folder: SEEDBED_PYTHON=ON")
class SameAsNative(unittest.TestCase):
    def check(self, walks, **least):
        differ, counts = compare(walks)
        self.assertEqual(differ, [])
        self.assertEqual(counts["differ"], 0)
        for what, n in least.items():
            self.assertGreaterEqual(counts[what], n, what)

    def test_certificates(self):
        tapes = certified("official.jsonl.gz", 1 if NIGHTLY else 20)
        self.check([walk(*tape) for tape in tapes], tapes=2500 if NIGHTLY else 150)

    def test_certificates_of_games(self):
        tapes = certified("arc.jsonl.gz", 1 if NIGHTLY else 20)
        self.check([walk(*tape) for tape in tapes], tapes=600 if NIGHTLY else 30)

    def test_levels_of_babyai(self):
        levels = tasks("babyai")
        names = [f"babyai:{levels[i % len(levels)]}#{i}" for i in range(500 if NIGHTLY else 40)]
        self.check([walk(name, None) for name in names], tapes=len(names))

    def test_random_actions(self):
        seeds = range(3 if NIGHTLY else 1)
        some = 1 if NIGHTLY else 6
        names = [f"{task}/{level}#{seed}" for task in tasks("agentick")[::some] for level in ("easy", "expert") for seed in seeds]
        names += [f"babyai:{task}#{seed}" for task in tasks("babyai")[::some] for seed in seeds]
        names += [f"autumn:{task}/published#{seed}" for task in tasks("autumn")[::some] for seed in seeds]
        names += [f"arc:{task}/{level}#{seed}" for task in tasks("arc")[::some] for level in ("intro", "full") for seed in seeds]
        self.check([walk(name, 200) for name in names], steps=20000 if NIGHTLY else 3000)

    def test_texts_and_pictures(self):
        walks = [walk(name, 60 if NIGHTLY else 5, texts=text_modes(name), pictures=looks(name)) for name in SHOWN]
        self.check(walks, pictures=500 if NIGHTLY else 70, texts=250)

    def test_documents(self):
        script = os.path.join(HERE, "documents.js")
        for line in node(script, PACKAGE, *SHOWN).splitlines():
            shown = json.loads(line)
            env = seedbed.make(shown["name"], obs="none")
            env.reset()
            self.assertEqual(json.loads(json.dumps(env.observe(shown["mode"]))), json.loads(shown["text"]), line[:80])

    def test_oracles(self):
        walks = []
        for name in PLAYED:
            agents = [agent for agent in seedbed.oracles(name) if agent != "clairvoyant" or name == PLAYED[0]]
            walks.append(walk(name, 5, hints=(*agents, "random")))
        self.check(walks, hints=300)


@unittest.skipUnless(NIGHTLY or SPEED, "SEEDBED_SPEED=1 measures")
@unittest.skipIf(reason_to_skip(), reason_to_skip())
class Speed(unittest.TestCase):
    def test_a_third_of_native_speed(self):
        """Of each family the median over episodes, for steps, every mode and every look; natively and in the module by turns."""
        ratios = collections.defaultdict(list)
        for name in TIMED:
            native = subprocess.run([os.path.join(BUILD, "tests", "seedbed-web-speed"), name], check=True, capture_output=True, text=True).stdout
            module = node(os.path.join(HERE, "speed.js"), os.path.join(MODULE, "seedbed-web-speed.wasm"), name)
            for ours, theirs in zip(native.splitlines(), module.splitlines(), strict=True):
                (*what, fast), (*same, slow) = ours.split("\t"), theirs.split("\t")
                self.assertEqual(what, same)
                ratios[tuple(what)].append(float(slow) / float(fast))
        table = {key: statistics.median(of) for key, of in ratios.items()}
        for (family, what), ratio in table.items():
            print(f"{family:10} {what:20} {ratio:.2f}")
        self.assertEqual([key for key, ratio in table.items() if ratio < LEAST], [])

    def test_the_memory_of_the_heaviest_expert(self):
        script = os.path.join(HERE, "expert.js")
        taken = json.loads(node(script, PACKAGE, HEAVY))
        print(taken)
        self.assertLessEqual(taken["memory"], CEILING)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
