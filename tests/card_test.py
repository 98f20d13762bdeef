"""A dataset's card and croissant.json describe the folder, in the vocabularies of their readers.

    python3 tests/card_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import hashlib
import json
import os
import re
import sys
import unittest

from dataset_support import FOUND, SEEDBED, TOY, TWO_TASKS, USAGE, InFolder, contents, read, run, unpacked, write

FORMATS = ["steps", "trajectories", {"format": "chat", "modes": "ascii"}, {"format": "chat", "name": "talk", "rows": "episode"},
           {"format": "chat", "name": "prompts", "style": "prompt"}, {"format": "chat", "name": "pairs", "style": "prompt_messages"}]
NAMES = ["steps", "trajectories", "chat", "talk", "prompts", "pairs"]
TYPES = {"text": str, "integer": int, "number": float, "boolean": bool, "`{role, content}`": dict}


def croissant_of(folder):
    return json.loads(read(os.path.join(folder, "croissant.json")))


def card_of(folder):
    return read(os.path.join(folder, "README.md")).decode()


def rows_of(folder, name):
    return [json.loads(line) for line in unpacked(folder, name).splitlines()]


class Described(InFolder):
    @classmethod
    def setUpClass(cls):
        maker = InFolder()
        maker.setUp()
        cls.addClassCleanup(maker.doCleanups)
        recipe = {"name": "Keys: \"and\" doors\nof <mine> é", "license": "CC-BY-4.0", "description": "Two\nlines.", "split": "train",
                  "count": 4, "tasks": "PreciseNavigation,KeyDoorPuzzle", "difficulty": "easy,hard", "shard_episodes": 16, "labels": "expert",
                  "formats": [*FORMATS[:3], *FORMATS[4:]]}
        cls.recipe, cls.names = recipe, [name for name in NAMES if name != "talk"]  # conversations of whole episodes cannot have labels
        cls.dataset = maker.build("d", "--recipe", write(maker.path("recipe.json"), json.dumps(recipe)))

    def test_columns_of_the_card_are_those_of_the_rows(self):
        card = card_of(self.dataset)
        for name in self.names:
            section = re.search(rf"\n## Format `{name}`\n(.*?)(?=\n## |\n`tapes-)", card, re.S).group(1)
            columns = re.findall(r"^\| `(\w+)` \| (list of )?(\S.*?) \| \S", section, re.M)
            rows = rows_of(self.dataset, name)
            for row in rows:
                self.assertEqual([column for column, _, _ in columns], list(row), name)
                for column, is_list, type_ in columns:
                    for value in row[column] if is_list else [row[column]]:
                        self.assertIn(type(value), (TYPES[type_], type(None)), column)
            self.assertIn(f", {len(rows)} rows: ", section)

    def test_fields_of_croissant_are_the_columns_of_the_rows(self):
        types = {str: "sc:Text", int: "sc:Integer", float: "sc:Float", bool: "sc:Boolean"}
        sets = {record_set["@id"]: record_set for record_set in croissant_of(self.dataset)["recordSet"]}
        self.assertEqual(list(sets), self.names)
        for name, record_set in sets.items():
            row = rows_of(self.dataset, name)[-1]
            self.assertEqual([field["@id"] for field in record_set["field"]], [f"{name}/{column}" for column in row])
            for field, value in zip(record_set["field"], row.values()):
                self.assertEqual(field.get("repeated", False), isinstance(value, list))
                value = value[0] if isinstance(value, list) else value
                if isinstance(value, dict):
                    self.assertEqual([part["@id"].rsplit("/")[-1] for part in field["subField"]], list(value))
                else:
                    self.assertEqual(field["dataType"], types[type(value)])

    def test_files_of_croissant_are_those_of_the_folder(self):
        files = {file["contentUrl"]: file for file in croissant_of(self.dataset)["distribution"] if file["@type"] == "cr:FileObject"}
        there = contents(self.dataset)
        self.assertEqual(set(files), set(there) - {"README.md", "croissant.json", "manifest.json"})
        for name, file in files.items():
            self.assertEqual((file["contentSize"], file["sha256"]),
                             (f"{len(there[name])} B", hashlib.sha256(there[name]).hexdigest()))

    def test_texts_come_from_the_recipe(self):
        croissant, card = croissant_of(self.dataset), card_of(self.dataset)
        self.assertEqual([croissant[key] for key in ("name", "license", "description")],
                         [self.recipe["name"].replace("\n", " "), "CC-BY-4.0", "Two\nlines."])
        self.assertIn('\nlicense: cc-by-4.0\npretty_name: "Keys: \\"and\\" doors of <mine> é"\n', card)
        self.assertIn('\n# Keys: "and" doors of <mine> é\n\nTwo\nlines.\n', card)
        self.assertEqual(croissant["conformsTo"], ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"])
        self.assertIn("expert", croissant["rai:dataAnnotationProtocol"])

    def test_recipe_of_the_card_makes_the_same_rows(self):
        recipe = re.search(r"```json\n(.*?)\n```", card_of(self.dataset), re.S).group(1)
        again = self.build("again", "--recipe", write(self.path("again.json"), recipe))
        self.assertEqual(contents(again), contents(self.dataset))

    def test_counts_of_the_card_are_those_of_the_statistics(self):
        lines = re.findall(r"^\| (\S+) \| (\w+) \| (\d+) \| ([\d.]+) % \| ([\d.]+) \((\d+) to (\d+)\) \| ([-\d.]+) \| (\d+) \| (.*) \|$",
                           card_of(self.dataset), re.M)
        groups = json.loads(read(self.dataset + "/stats.json"))["groups"]
        for line, group in zip(lines, groups, strict=True):
            self.assertEqual((line[0], line[1], int(line[2]), int(line[5]), int(line[6]), int(line[8])),
                             (group["task"], group["difficulty"], group["episodes"], group["steps"]["min"], group["steps"]["max"],
                              sum(format["bytes"] for format in group["formats"].values())))
            for text, value in ((line[3], 100 * group["success_rate"]), (line[4], group["steps"]["mean"]), (line[7], group["return"]["mean"])):
                self.assertAlmostEqual(float(text), value, delta=0.0501)
            named = re.findall(r"`(\w+)` ([\d.]+) %", line[9])
            frequent = sorted(group["actions"].values(), reverse=True)[:3]
            self.assertEqual([group["actions"][action] for action, _ in named], frequent)
            self.assertEqual(len(set(action for action, _ in named)), len(frequent))


class Card(InFolder):
    def header(self, *arguments, program=SEEDBED):
        folder = self.build("d", "--force", *arguments, program=program)
        return re.match(r"---\n(.*?)---\n", card_of(folder), re.S).group(1)

    def test_evaluation_episodes_are_a_test_split_and_others_train(self):
        self.assertIn("- split: test\n    path: \"steps-*.jsonl.gz\"\n", self.header("--tasks", "GoToGoal", "-n", "1"))
        for flags in (["--tasks", "GoToGoal", "--split", "train", "-n", "1"], ["PreciseNavigation-v0/easy#1"]):
            self.assertIn("- split: train\n", self.header(*flags))

    def test_unknown_licences_are_called_other(self):
        flags = ["PreciseNavigation-v0/easy#1"]
        self.assertNotIn("license", self.header(*flags))
        for said, wanted in (("Apache-2.0", "license: apache-2.0\n"), ("mit", "license: mit\n"),
                             ("My own: 2", 'license: other\nlicense_name: "My own: 2"\n'), ("mitt", "license: other\n"), ("mi", "license: other\n")):
            recipe = write(self.path("r.json"), json.dumps({"names": flags, "license": said}))
            self.assertTrue(self.header("--recipe", recipe).startswith(wanted), said)

    def test_the_header_is_valid_yaml_for_any_texts(self):
        """YAML refuses DEL and all of C1 except NEL. NEL, U+2028 and U+2029 end a line, and null is not a text."""
        texts = ["".join(map(chr, range(0x20, 0xa0))), "\x7f", "a\x85b\u2028c\u2029d\ufeff\ufffe\uffff", "é😀\U000e0001 \\ \\x7f \" '"]
        for text in texts:
            recipe = {"names": ["PreciseNavigation-v0/easy#1"], "name": text, "license": text, "formats": [{"format": "steps", "name": "null"}]}
            header = self.header("--recipe", write(self.path("r.json"), json.dumps(recipe)))
            self.assertNotRegex(header, "[^\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
            for key in ("pretty_name", "license_name"):
                said = re.search(f'^{key}: "(.*)"$', header, re.M).group(1)
                as_json = re.sub(r"\\(\\|x(..)|U(.{8}))", lambda e: json.dumps(chr(int(e[2] or e[3], 16)))[1:-1] if e[2] or e[3] else e[0], said)
                self.assertEqual(json.loads(f'"{as_json}"'), text)
            self.assertIn('- config_name: "null"\n', header)

    def test_formats_without_columns_get_files_and_no_configurations(self):
        flags = ["--family", "toy", "-n", "2", "-f", "heap,steps"]
        self.assertIn('configs:\n- config_name: "steps"\n  default: true\n', self.header(*flags, program=TOY))
        croissant = croissant_of(self.path("d"))
        self.assertEqual([record_set["@id"] for record_set in croissant["recordSet"]], ["steps"])
        self.assertIn("heap-00000-of-00001.heap", [file["@id"] for file in croissant["distribution"]])
        self.assert_verifies(self.path("d"), TOY)

    def test_an_altered_document_is_found_and_named(self):
        folder = self.build("d", *TWO_TASKS, "-d", "easy", "-n", "2")
        for name in ("README.md", "croissant.json"):
            good = read(os.path.join(folder, name))
            for bad in (good + b"\n", good[:-1], good.replace(b"2", b"3", 1), b""):
                write(os.path.join(folder, name), bad)
                self.refuse(["verify", folder], FOUND, name)
            write(os.path.join(folder, name), good)
            manifest = read(folder + "/manifest.json")
            bad, body = good + b"\n", json.loads(manifest)
            key = {"README.md": "card", "croissant.json": "croissant"}[name]
            body[key] = {"name": name, "bytes": len(bad), "sha256": hashlib.sha256(bad).hexdigest()}
            del body["sha256"]
            text = json.dumps(body).removesuffix("}")
            write(folder + "/manifest.json", text + ',\n "sha256": "' + hashlib.sha256(text.encode()).hexdigest() + '"}\n')
            write(os.path.join(folder, name), bad)
            self.refuse(["verify", folder], FOUND, name)
            write(os.path.join(folder, name), good), write(folder + "/manifest.json", manifest)
        self.assert_verifies(folder)

    def test_documents_of_another_version_get_a_note_that_they_were_not_compared(self):
        folder = self.build("d", "PreciseNavigation-v0/easy#1")
        manifest, own = json.loads(read(folder + "/manifest.json")), json.loads(read(folder + "/manifest.json"))["seedbed"]
        self.assertEqual(json.loads(run("verify", folder, "--json").stdout)["notes"], [])
        for edit, noted in ((lambda text: text + "\n", True), (lambda text: text.replace(f"version {own}", "version 0.0.9").replace(f"seedbed {own}", "seedbed 0.0.9"), False)):
            body = {**manifest, "seedbed": "0.0.9"}
            del body["sha256"]
            for key, name in (("card", "README.md"), ("croissant", "croissant.json")):
                text = edit(read(os.path.join(folder, name)).decode())
                write(os.path.join(folder, name), text)
                body[key] = {"name": name, "bytes": len(text.encode()), "sha256": hashlib.sha256(text.encode()).hexdigest()}
            text = json.dumps(body).removesuffix("}")
            write(folder + "/manifest.json", text + ',\n "sha256": "' + hashlib.sha256(text.encode()).hexdigest() + '"}\n')
            said = json.loads(run("verify", folder, "--json").stdout)
            self.assertTrue(said["ok"], said)
            self.assertEqual([note.split()[0] for note in said["notes"]], ["README.md", "croissant.json"] if noted else [])
            for note in said["notes"]:
                self.assertIn("0.0.9", note)
            self.build("d", "PreciseNavigation-v0/easy#1", "--force")

    def test_a_foreign_readme_is_replaced_only_with_force(self):
        folder, flags = self.path("d"), ["PreciseNavigation-v0/easy#1"]
        os.mkdir(folder)
        write(folder + "/README.md", "# Mine\n")
        for resume in ([], ["--resume"]):
            self.refuse(["build", *flags, *resume, "-o", folder], USAGE, "README.md", "--force")
            self.assertEqual(contents(folder), {"README.md": b"# Mine\n"})
        part = self.build("part", *flags, "--shard", "1/1")
        self.refuse(["merge", part, "-o", folder], USAGE, "README.md", "--force")
        self.assertEqual(contents(folder), {"README.md": b"# Mine\n"})
        self.build("d", *flags, "--force")
        self.assertEqual(contents(folder), contents(self.build("fresh", *flags)))

    def test_a_card_left_by_an_interrupted_merge_does_not_block_a_build(self):
        folder = self.build("d", "PreciseNavigation-v0/easy#1")
        for name in os.listdir(folder):
            if name != "README.md":
                os.remove(os.path.join(folder, name))
        self.build("d", "PreciseNavigation-v0/easy#1")

    def test_a_part_has_no_documents(self):
        self.assertEqual({name for name in os.listdir(self.build("part", "PreciseNavigation-v0/easy#1", "--shard", "1/1")) if "of-" not in name},
                         {"journal.jsonl"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
