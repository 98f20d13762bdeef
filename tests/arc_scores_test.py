"""Scores of multi-level games: what results, tables, reports and scorecards say follows from tapes and baselines, and nothing else passes.

    python3 tests/arc_scores_test.py BUILD/seedbed BUILD/tests/seedbed-toy
"""
import json
import os
import sys
import unittest

from dataset_support import InFolder, read, run, write

SELECTION = ["--family", "arc", "--tasks", "Fold,Chimes,Echo", "-d", "intro", "--seeds", "0..3"]
STOPS = [0.5, 1, 2, 3, 5]


def level_score(baseline, actions):
    return min(115.0, (baseline / actions) ** 2 * 100)


def game_score(scores):
    weights = sum(range(1, len(scores) + 1))
    mean = sum(number * score for number, score in enumerate(scores, 1)) / weights
    return min(mean, sum(number for number, score in enumerate(scores, 1) if score > 0) / weights * 100)


def score_of(effort, completed=None):
    """By the published rule, from actions and baselines."""
    completed = effort["levels_completed"] if completed is None else completed
    pairs = zip(effort["level_baselines"], effort["level_actions"])
    return game_score([level_score(baseline, actions) if i < completed else 0 for i, (baseline, actions) in enumerate(pairs)])


def score_at(effort, actions):
    counts, done = effort["level_actions"], 0
    while done < effort["levels_completed"] and sum(counts[:done + 1]) <= actions:
        done += 1
    return score_of(effort, done)


def mean(values):
    values = list(values)
    return sum(values) / len(values)


class Scores(InFolder):
    def evaluate(self, name, *arguments, code=(0, 1)):
        done = run("eval", *SELECTION, *arguments, "-o", self.path(name))
        self.assertIn(done.returncode, code, done.stderr)
        return done.stdout

    def load(self, name):
        return json.loads(read(self.path(name)))

    def efforts(self, result):
        return [episode["efficiency"] for episode in result["episodes"]]

    def test_an_episode_has_what_its_levels_took(self):
        """Tapes of random actions: what counts is what a replay of the tape shows."""
        self.evaluate("random.json", "--agent", "random")
        for episode in self.load("random.json")["episodes"]:
            effort = episode["efficiency"]
            with self.subTest(episode["episode"]):
                self.assertEqual(effort["levels_completed"], episode["level"])
                self.assertEqual(effort["score"], score_of(effort))
                self.assertEqual(len(effort["level_actions"]), episode["n_levels"])
                self.assertEqual(self.recount(episode), {key: effort[key] for key in ("level_actions", "resets", "losses")})

    def recount(self, episode):
        """From a recording: every answer with a frame counts, but not the opening reset."""
        name = self.path("one.json")
        done = run("solve", episode["episode"], "--agent", "random", "-o", name)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        done = run("replay", name, "--recording", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [json.loads(line)["data"] for line in done.stdout.splitlines()]
        counted, completed, resets, losses = [0] * answers[0]["win_levels"], 0, 0, 0
        for answer in answers[1:]:
            if answer["frame"]:
                counted[completed] += 1
                completed = answer["levels_completed"]
                resets += answer["action_input"]["id"] == "RESET"
                losses += answer["state"] == "GAME_OVER"
        return {"level_actions": counted, "resets": resets, "losses": losses}

    def test_tallies_are_the_means_and_sums_of_their_episodes(self):
        self.evaluate("random.json", "--agent", "random")
        result = self.load("random.json")
        said, efforts = result["families"][0]["all"]["efficiency"], self.efforts(result)
        self.assertEqual((said["name"], said["episodes"]), ("rhae-proxy", 12))
        self.assertAlmostEqual(said["score"], mean(effort["score"] for effort in efforts), 9)
        self.assertTrue(said["interval"][0] <= said["score"] <= said["interval"][1])
        self.assertEqual(said["actions"], sum(sum(effort["level_actions"]) for effort in efforts))
        self.assertEqual(said["levels"], sum(len(effort["level_actions"]) for effort in efforts))
        for key in ("levels_completed", "resets", "losses"):
            self.assertEqual(said[key], sum(effort[key] for effort in efforts), key)
        for (stop, score), wanted in zip(said["score_after"], STOPS):
            self.assertEqual(stop, wanted)
            self.assertAlmostEqual(score, mean(score_at(effort, stop * sum(effort["level_baselines"])) for effort in efforts), 9)

    def test_the_expert_has_all_that_can_be_had(self):
        said = self.evaluate("expert.json", code=(0,))
        efficiency = self.load("expert.json")["families"][0]["all"]["efficiency"]
        self.assertEqual((efficiency["score"], efficiency["interval"]), (100, [100, 100]))
        self.assertEqual(efficiency["levels_completed"], efficiency["levels"])
        for effort in self.efforts(self.load("expert.json")):
            for baseline, actions in zip(effort["level_baselines"], effort["level_actions"]):
                self.assertEqual(level_score(baseline, actions), 115, "baselines leave room for who knows the game")
        self.assertRegex(said, r"task +difficulty +episodes +success +rhae-proxy +levels +actions")
        self.assertRegex(said, r"(?m)^rhae-proxy +100\.00  \(100\.00\.\.100\.00\) percent; 36 of 36 levels")

    def test_results_hold_when_they_are_merged_or_resumed(self):
        self.evaluate("whole.json", "--agent", "random")
        for part in (1, 2):
            self.evaluate(f"part{part}.json", "--agent", "random", "--shard", f"{part}/2")
        self.assertEqual(run("merge", self.path("part1.json"), self.path("part2.json"), "-o", self.path("merged.json")).returncode, 0)
        self.assertEqual(read(self.path("merged.json")), read(self.path("whole.json")))
        self.interrupt("whole.json", "resumed.json")
        self.evaluate("resumed.json", "--agent", "random", "--resume")
        self.assertEqual(read(self.path("resumed.json")), read(self.path("whole.json")))
        self.assertEqual(run("verify", self.path("whole.json"), self.path("part1.json")).returncode, 0)

    def interrupt(self, whole, name):
        """Leaves what an interrupted evaluation would have left: its first line, and some episodes."""
        document = self.load(whole)
        head = {"evaluation": 1, "seedbed": document["seedbed"], "agent": document["agent"], "selection": document["selection"],
                "rules": ["arc 2"], "episodes": len(document["episodes"])}
        lines = [head, *({"place": i, "played": episode} for i, episode in enumerate(document["episodes"][:5]))]
        write(self.path(name + ".part"), "".join(json.dumps(line) + "\n" for line in lines))

    def altered(self, change):
        document = self.load("random.json")
        change(document)
        first, episodes = dict(document), document["episodes"]
        del first["episodes"]
        text = json.dumps(first)[:-1] + ', "episodes": [\n' + ",\n".join(map(json.dumps, episodes)) + "\n]}\n"
        return write(self.path("altered.json"), text)

    def test_forged_numbers_do_not_verify(self):
        self.evaluate("random.json", "--agent", "random")
        self.assertEqual(run("verify", self.altered(lambda document: None)).returncode, 0)

        def fewer_actions(document):
            effort = document["episodes"][0]["efficiency"]
            effort["level_actions"][0] -= 1
            effort["score"] = score_of(effort)

        def higher_baseline(document):
            effort = document["episodes"][0]["efficiency"]
            effort["level_baselines"][-1] += 1
            effort["score"] = score_of(effort)

        def better_score(document):
            document["episodes"][0]["efficiency"]["score"] += 1

        def better_mean(document):
            document["families"][0]["all"]["efficiency"]["score"] += 1

        def nothing_measured(document):
            del document["episodes"][0]["efficiency"]

        for change, words in ((fewer_actions, "efficiency"), (higher_baseline, "efficiency"), (better_score, "`score`"),
                              (better_mean, "`efficiency`"), (nothing_measured, "`efficiency`")):
            with self.subTest(change.__name__):
                done = run("verify", self.altered(change))
                self.assertEqual(done.returncode, 1)
                self.assertIn(words, done.stderr)

    def test_families_that_measure_nothing_have_nothing(self):
        done = run("eval", "GoToGoal/easy#0", "-o", self.path("other.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        document = self.load("other.json")
        self.assertNotIn("efficiency", document["episodes"][0])
        self.assertNotIn("efficiency", document["families"][0]["all"])
        document["episodes"][0]["efficiency"] = {}
        done = run("verify", write(self.path("wrong.json"), json.dumps(document)))
        self.assertIn("it is not measured in the family agentick", done.stderr)
        self.assertEqual(run("report", self.path("other.json"), "--scorecard", "-").returncode, 2)


class Reports(InFolder):
    def setUp(self):
        super().setUp()
        for agent in ("random", "expert"):
            done = run("eval", *SELECTION, "--agent", agent, "-o", self.path(f"{agent}.json"))
            self.assertIn(done.returncode, (0, 1), done.stderr)
        self.results = [self.path("random.json"), self.path("expert.json")]

    def table(self):
        tables = json.loads(run("report", *self.results, "--json").stdout)
        return next(table for table in tables if table["title"] == "Efficiency")

    def test_every_form_of_a_report_has_the_scores(self):
        text = run("report", *self.results).stdout
        self.assertRegex(text, r"(?m)^Efficiency$")
        self.assertRegex(text, r"expert +100\.00 \(100\.00\.\.100\.00\) +36 of 36")
        self.assertIn("not comparable with published scores", text)
        self.assertIn("rhae-proxy", json.dumps(self.table()))
        page = self.path("page.html")
        self.assertEqual(run("report", *self.results, "--html", page).returncode, 0)
        self.assertIn("rhae-proxy", read(page).decode())
        self.assertIn("## Efficiency", run("report", *self.results, "--markdown").stdout.replace("### ", "## "))

    def test_a_scorecard_has_the_toolkits_form_and_the_results_numbers(self):
        done = run("report", self.results[0], "--scorecard", self.path("card.json"))
        self.assertEqual(done.returncode, 0, done.stderr)
        card, result = json.loads(read(self.path("card.json"))), json.loads(read(self.results[0]))
        said = result["families"][0]["all"]["efficiency"]
        self.assertAlmostEqual(card["score"], said["score"], 9)
        self.assertEqual((card["total_actions"], card["total_levels"], card["total_levels_completed"]),
                         (said["actions"], said["levels"], said["levels_completed"]))
        self.assertEqual(card["total_environments"], 12)
        for game, episode in zip(card["environments"], result["episodes"]):
            effort, only = episode["efficiency"], game["runs"][0]
            self.assertEqual(game["id"], episode["episode"])
            self.assertEqual(only["level_baseline_actions"], effort["level_baselines"])
            self.assertEqual(only["level_actions"], effort["level_actions"])
            self.assertEqual(only["score"], effort["score"])
            self.assertEqual((only["resets"], only["state"] == "WIN"), (effort["resets"], episode["success"]))
        tags = {tag["id"] for tag in card["tags_scores"]}
        self.assertEqual(tags, {"Fold", "Chimes", "Echo", "goals", "modelling", "intro"})

    def test_a_scorecard_names_its_plays_as_their_recordings_do(self):
        card = json.loads(run("report", self.results[1], "--scorecard", "-").stdout)
        done = run("replay", self.results[1], "--recording", "-")
        guids = list(dict.fromkeys(json.loads(line)["data"]["guid"] for line in done.stdout.splitlines()))
        self.assertEqual([only["guid"] for game in card["environments"] for only in game["runs"]], guids)

    def test_a_card_that_is_printed_leaves_the_page_to_its_file(self):
        page = self.path("page.html")
        done = run("report", self.results[1], "--html", page, "--scorecard", "-", "--published", "none")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, run("report", self.results[1], "--scorecard", "-").stdout)
        self.assertIn(b"<!DOCTYPE html>", read(page))

    def test_a_scorecard_is_of_one_result(self):
        self.assertEqual(run("report", *self.results, "--scorecard", "-").returncode, 2)


class Attempts(InFolder):
    def test_attempts_are_plays_of_one_game(self):
        agent = os.path.join(self.folder, "agent.py")
        write(agent, "import json, random, sys\n"
                     "for line in sys.stdin:\n"
                     "    asked = json.loads(line)\n"
                     "    if asked['op'] == 'hello':\n"
                     "        print(json.dumps({'protocol': 1, 'name': 'drawing', 'modes': []}), flush=True)\n"
                     "    elif asked['op'] != 'close':\n"
                     "        draw = random.Random(f\"{asked.get('random_seed')} {asked.get('step')}\")\n"
                     "        print(json.dumps({'action': draw.choice([1, 2, 3, 4])}), flush=True)\n")
        done = run("eval", "arc:Fold/intro#0", "--agent", f"exec:{sys.executable} {agent}", "--attempts", "3", "-o", self.path("r.json"))
        self.assertIn(done.returncode, (0, 1), done.stderr)
        card = json.loads(run("report", self.path("r.json"), "--scorecard", "-").stdout)
        (game,) = card["environments"]
        self.assertEqual(len(game["runs"]), 3)
        self.assertEqual(game["score"], max(only["score"] for only in game["runs"]))
        self.assertEqual(game["actions"], sum(only["actions"] for only in game["runs"]))
        said = json.loads(read(self.path("r.json")))["families"][0]["all"]["efficiency"]
        self.assertEqual(said["episodes"], 3)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
