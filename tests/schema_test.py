"""Schemas of observations that are JSON documents: every observation fits its schema, and altered documents do not.

    python3 tests/schema_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import copy
import gzip
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from schema_support import Validator, schemas_in

SEEDBED, TOY = (os.path.abspath(path) for path in sys.argv[1:3])
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GOLDEN = os.path.join(ROOT, "tests", "golden")
USAGE = 2
SAMPLES = 5 if os.environ.get("SEEDBED_NIGHTLY") else 2  # states of an episode, besides the first ones and the last


def run(*arguments):
    return subprocess.run([TOY, *arguments], capture_output=True, text=True, timeout=900)


def said(*arguments):
    done = run(*arguments)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


FAMILIES = {family["family"]: family for family in json.loads(said("tasks", "--json"))}


def schema_of(family, mode):
    """Returns the schema of a mode; None if the mode is prose."""
    done = run("tasks", "--family", family, "--schema", mode)
    return json.loads(done.stdout) if done.returncode == 0 else None


SCHEMAS = {(family, mode): schema for family in FAMILIES for mode in FAMILIES[family]["modes"]
           for schema in [schema_of(family, mode)] if schema}

# ---- Observations ----

def observed(family):
    """Returns documents by mode, of some states of episodes of every task and difficulty, played at random and by an expert."""
    modes = [mode for name, mode in SCHEMAS if name == family]
    with tempfile.TemporaryDirectory(prefix="seedbed-schema-") as folder:
        for agent in ("random", "expert"):
            tapes = os.path.join(folder, agent + ".jsonl")
            done = run("solve", "--family", family, "--seeds", "0", "--agent", agent, "-q", "-o", tapes)
            assert done.returncode in (0, 1), done.stderr  # 1 means that some were not solved
            with open(tapes, encoding="utf-8") as file:
                lines = [line for line in file if line.strip()]
            with subprocess.Popen([TOY, "replay", tapes, "--json", "--modes", ",".join(modes)], stdout=subprocess.PIPE, text=True) as replay:
                for line in lines:
                    yield from sampled(replay.stdout, modes, len(json.loads(line)["actions"]))


def of_challenges():
    """Returns documents of free exploration, and of all phases of tests."""
    agent = f"exec:{sys.executable} {ROOT}/examples/agents/tested.py"
    names = [f"autumn:{name}#1" for name in ("Seesaw", "Seesaw/mfp-1", "Seesaw/planning-1", "Basket/change-1")]
    with tempfile.TemporaryDirectory(prefix="seedbed-schema-") as folder:
        result = os.path.join(folder, "result.json")
        done = run("eval", "-q", *names[1:], "--agent", agent, "--salt", "00" * 16, "-o", result)
        assert done.returncode == 0, done.stderr
        yield "challenge", json.loads(said("show", names[0], "--mode", "challenge", "--json"))["observation"]
        for line in said("replay", result, "--json", "--modes", "challenge").splitlines():
            if "observations" in json.loads(line):
                yield "challenge", json.loads(line)["observations"]["challenge"]


def sampled(rows, modes, n):
    """Returns the first states, the last, and some between."""
    wanted = {0, 1, n, *range(0, n, max(1, n // SAMPLES))}
    for step in range(n + 1):
        row = rows.readline()
        if step in wanted:
            observations = json.loads(row)["observations"]
            yield from ((mode, observations[mode]) for mode in modes)


# ---- Documents that are wrong in one place ----

ANOTHER_TYPE = (None, True, 7.5, "?", [], {})
FAR = (10 ** 6, -10 ** 6)
COORDINATES = re.compile(r"-?\d+(,\d+)?")

# Members that a document may lack: traits that only some cells have, and facts that tasks tell beside the grid.
OPTIONAL = re.compile(r"/annotations/\w+|/task_annotations/(?!\w+_meter|meter_)\w+|/visible_entities/\[\]/(tile_number|slot_number|accepts)"
                      r"|.*/\*"
                      r"|/(kind|phase|step|limit|goal|highlight_mask|video_location|action_took|is_finished|choices|frames?)")
# A switch loses its colour when it is turned on, so one that is off may have none.
COLOUR_OF_SWITCH = "/visible_entities/[]/color"
# The last colour may be null; the digits of a switch's colour are a text.
EITHER = {"/info/task_config/_last_collected_color": (str, type(None))}


def kind_of(value):
    return "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__


def places(value, path="", holder=None, key=None):
    """Yields every value of a document with its path, which leaves out indices of lists and keys of maps."""
    yield path, value, holder, key
    if isinstance(value, dict):
        for name in value:
            yield from places(value[name], f"{path}/{'*' if COORDINATES.fullmatch(name) else name}", value, name)
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from places(item, path + "/[]", value, i)


def replacements(path, value):
    for other in ANOTHER_TYPE:
        same = kind_of(other) == kind_of(value) and not (isinstance(value, int) and other == 7.5)
        if not same and not isinstance(other, EITHER.get(path, ())):
            yield "another type", other
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (("far away", far) for far in FAR)
    elif isinstance(value, dict):
        yield "an unknown member", {**value, "unknown": None}
    elif isinstance(value, list):
        yield "another item", [*value, None]


def may_lack(path, holder):
    return bool(OPTIONAL.fullmatch(path)) or (path == COLOUR_OF_SWITCH and holder["type"] == "switch")


class Schemas(unittest.TestCase):
    def test_every_document_has_a_schema_and_no_text_has_one(self):
        for name, family in FAMILIES.items():
            for mode in family["modes"]:
                with self.subTest(family=name, mode=mode):
                    task, level = family["tasks"][0]["name"], family["tasks"][0]["levels"][0].get("difficulty", "")
                    shown = json.loads(said("show", f"{name}:{task}{'/' + level if level else ''}#0", "--mode", mode, "--json"))
                    self.assertEqual(isinstance(shown["observation"], (dict, list)), (name, mode) in SCHEMAS)
                    if (name, mode) not in SCHEMAS:
                        done = run("tasks", "--family", name, "--schema", mode)
                        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
                        self.assertIn(f"observations in mode `{mode}` of {name} are plain text, not JSON", done.stderr)

    def test_published_names_and_the_first_family_are_understood(self):
        self.assertEqual(said("tasks", "--schema", "state_dict"), said("tasks", "--family", "agentick", "--schema", "state"))
        done = run("tasks", "--schema", "smell")
        self.assertEqual((done.returncode, done.stdout), (USAGE, ""))
        self.assertIn("unknown observation mode `smell`", done.stderr)

    def test_schemas_close_every_object_and_bound_every_integer(self):
        for (family, mode), whole in SCHEMAS.items():
            for schema in schemas_in(whole):
                with self.subTest(family=family, mode=mode, schema=json.dumps(schema)[:200]):
                    alternatives = schema.get("oneOf", [])
                    if "properties" in schema and "type" in schema:
                        self.assertIn("additionalProperties", schema)
                    if schema.get("type") == "object" and "additionalProperties" not in schema and not alternatives:
                        self.assertEqual(schema, {"type": "object"}, "an open object must leave everything to alternatives")
                    if schema.get("type") == "integer":
                        self.assertLessEqual(schema["minimum"], schema["maximum"])
                    if schema.get("type") == "array":
                        self.assertTrue(schema.get("maxItems") == 0 or {"items", "prefixItems"} & set(schema))


class Observed(unittest.TestCase):
    """Observations fit, and documents that are altered in one place do not."""

    @classmethod
    def setUpClass(cls):
        cls.validators = {key: Validator(schema) for key, schema in SCHEMAS.items()}

    def assert_tight(self, validator, document, tried):
        """Alters every place of a kind that was not tried before."""
        task = document.get("info", {}).get("task_name", "")
        for path, value, holder, key in list(places(document)):
            of_task = path + " of " + task if path.startswith("/info/task_config") else path
            kind = holder.get("type", "") if isinstance(holder, dict) and path.startswith("/visible") else ""
            if (of_task, kind, kind_of(value)) in tried:
                continue
            tried.add((of_task, kind, kind_of(value)))
            for what, other in replacements(path, value):
                self.assert_refused(validator, document, holder, key, other, f"{of_task}: {what}: {other!r:.60}")
            if isinstance(holder, dict) and not may_lack(path, holder):
                kept = holder.pop(key)
                self.assertFalse(validator.fits(document), f"{of_task} is missing")
                holder[key] = kept

    def assert_refused(self, validator, document, holder, key, other, what):
        if holder is None:
            self.assertFalse(validator.fits(other), what)
            return
        kept, holder[key] = holder[key], other
        self.assertFalse(validator.fits(document), what)
        holder[key] = kept

    def check(self, family, documents):
        tried, n = {mode: set() for _, mode in SCHEMAS}, 0
        for mode, document in documents:
            validator = self.validators[family, mode]
            if not validator.fits(document):
                self.fail(f"{family}:{mode}: {json.dumps(document)[:3000]}")
            self.assert_tight(validator, copy.deepcopy(document), tried[mode])
            n += 1
        return n

    def check_family(self, family, least):
        self.assertGreater(self.check(family, observed(family)), least)

    def test_observations_of_agentick_fit_and_altered_ones_do_not(self):
        self.check_family("agentick", 148 * 2 * 6)
        for mode in ("structured", "state"):
            self.assert_all_used(mode)

    def assert_all_used(self, mode, family="agentick"):
        """A property that no document has was never compared, so it may be wrong."""
        validator = self.validators[family, mode]
        unused = [key for schema in schemas_in(validator.schema) for key in schema.get("properties", {}) if (id(schema), key) not in validator.used]
        self.assertEqual(unused, [], mode)

    def test_observations_of_babyai_fit_and_altered_ones_do_not(self):
        self.check_family("babyai", 112 * 2 * 5 * 4)

    def test_observations_of_toy_fit_and_altered_ones_do_not(self):
        self.check_family("toy", 8)

    def test_observations_of_climb_fit_and_altered_ones_do_not(self):
        self.check_family("climb", 8)

    def test_observations_of_challenges_fit_and_altered_ones_do_not(self):
        self.assertGreater(self.check("autumn", of_challenges()), 200)
        self.assert_all_used("challenge", "autumn")

    def test_published_documents_fit(self):
        with gzip.open(os.path.join(GOLDEN, "observations.jsonl.gz"), "rt", encoding="utf-8") as file:
            recorded = [json.loads(line) for line in file]
        # The other documents have cells that occur in no episode.
        documents = [("structured", each["structured"]) for each in recorded if not each["note"].startswith("synthetic")]
        self.assertGreaterEqual(self.check("agentick", documents), 37)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
