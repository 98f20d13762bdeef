"""The official pack of the multi-level games and its certificates: they are of the same episodes, each has a winning tape, and both are what is made now.

    python3 tests/arc_official_test.py BUILD/seedbed BUILD/tests/seedbed-toy

With SEEDBED_NIGHTLY set, everything is verified and made again, otherwise a sample.
"""
import gzip
import json
import os
import subprocess
import sys
import unittest

from dataset_support import SEEDBED, InFolder, read, run, write

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PACK = os.path.join(ROOT, "seeds", "arc.json.gz")
CERTIFICATES = os.path.join(ROOT, "evaluation", "certificates", "arc.jsonl.gz")
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
LEVELS = {"Lantern": 7, "Scales": 6, "TwinCompass": 7, "Echo": 7, "Shepherd": 7, "Moss": 7, "Stamp": 7, "Chimes": 8, "Fold": 7, "Polarity": 7,
          "Clockwork": 6, "DyeWorks": 8}

OLD_TAPE = ('{"tape": 1, "name": "arc:Fold/intro#1974170265", "rules": "arc 1", "agent": "expert", "success": true, "return": 1.0, "dense_return": 1.0, '
            '"terminated": true, "truncated": false, "level": 3, "n_levels": 3, "digest": "9044b7132c9b8986", "actions": [1, 1, 1, 3, 3, 1, 1, 1, 3, 3]}\n')
OLD_CERTIFICATES = ('{"certificates": 1, "rules": "arc 1", "budget": 1000000, "episodes": 600, "selection": {"family": "arc", "split": "eval"}}\n'
                    '{"episode": "arc:Fold/intro#1974170265", "verdict": "solved", "method": "expert", "tape": ' + OLD_TAPE.strip() + "}\n")


def pack():
    return json.loads(gzip.decompress(read(PACK)))


def certificates():
    return [json.loads(line) for line in gzip.decompress(read(CERTIFICATES)).decode().splitlines()[1:-1]]


class Official(InFolder):
    def test_every_game_has_its_seeds_in_both_difficulties(self):
        lists = pack()["lists"]
        self.assertEqual([(one["task"], one["variant"], len(one["seeds"])) for one in lists],
                         [(game, difficulty, 25) for game in sorted(LEVELS) for difficulty in ("full", "intro")])

    def test_certificates_are_of_the_packs_episodes(self):
        names = [f"arc:{one['task']}/{one['variant']}#{seed}" for one in pack()["lists"] for seed in one["seeds"]]
        self.assertEqual(sorted(one["episode"] for one in certificates()), sorted(names))

    def test_every_episode_has_a_tape_that_wins_all_levels(self):
        for one in certificates():
            game, difficulty = one["episode"].split("#")[0].removeprefix("arc:").split("/")
            levels = 3 if difficulty == "intro" else LEVELS[game]
            tape = one["tape"]
            self.assertEqual((one["verdict"], tape["success"], tape["level"], tape["n_levels"]), ("solved", True, levels, levels), one["episode"])

    def test_certificates_verify(self):
        done = run("verify", CERTIFICATES, *([] if NIGHTLY else ["--sample", "12"]))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(f"600 solved, 0 impossible, 0 unknown: {600 if NIGHTLY else 12} tapes replayed", done.stdout)

    def test_the_pack_is_what_is_derived(self):
        """Two games that are made quickly, with what their episodes show; of the others, the seeds."""
        for arguments, name in ((["--digests", "--tasks", "Fold,Chimes"], "some.json"), ([], "all.json")):
            self.assertEqual(run("seeds", "--family", "arc", "--split", "eval", *arguments, "-q", "-o", self.path(name)).returncode, 0)
        kept = {(one["task"], one["variant"]): one for one in pack()["lists"]}
        for one in json.loads(read(self.path("some.json")))["lists"]:
            self.assertEqual(one, kept[one["task"], one["variant"]])
        for one in json.loads(read(self.path("all.json")))["lists"]:
            self.assertEqual(one["seeds"], kept[one["task"], one["variant"]]["seeds"])

    def test_certified_tapes_have_the_best_score(self):
        """Of every game one episode, by its tape."""
        tapes = [one["tape"] for one in certificates()[::50]]
        write(self.path("tapes.jsonl"), "".join(json.dumps(tape) + "\n" for tape in tapes))
        done = run("eval", *(tape["name"] for tape in tapes), "--agent", f"tape:{self.path('tapes.jsonl')}", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        efficiency = json.loads(done.stdout)["families"][0]["all"]["efficiency"]
        self.assertEqual((efficiency["episodes"], efficiency["score"]), (12, 100))

    def test_what_was_made_under_the_first_rules_is_refused_with_words(self):
        """A tape that won under arc 1, as the official certificates of that time had it."""
        for name, text in (("tape.jsonl", OLD_TAPE), ("certificates.jsonl", OLD_CERTIFICATES)):
            write(self.path(name), text)
            done = run("verify", self.path(name))
            self.assertEqual(done.returncode, 1, name)
            self.assertIn("made under the rules `arc 1`; this program has the rules `arc 2`: make it again, or use the version of Seedbed that made it",
                          done.stderr)

    @unittest.skipUnless(NIGHTLY, "needs SEEDBED_NIGHTLY: a minute")
    def test_both_files_are_what_is_made_now(self):
        done = subprocess.run([os.path.join(ROOT, "scripts", "official-arc"), "--check", "--seedbed", SEEDBED], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(run("verify", PACK).returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
