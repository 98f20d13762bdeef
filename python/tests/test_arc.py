"""Agents of the ARC-AGI-3 framework: they play multi-level games as they are, and what they are shown is what the games show."""
import enum
import importlib
import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

import seedbed
from seedbed import arc

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"

# As somebody would write it in the folder agents/templates of the framework.
AGENT_FILE = '''
    import random
    from typing import Any

    from arcengine import FrameData, GameAction, GameState

    from ..agent import Agent

    class Walker(Agent):
        """Draws among what is offered."""

        MAX_ACTIONS = 300

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.draw = random.Random(5)

        @property
        def name(self) -> str:
            return f"{super().name}.{self.MAX_ACTIONS}"

        def is_done(self, frames: list[FrameData], latest_frame: FrameData) -> bool:
            return any([latest_frame.state is GameState.WIN])

        def choose_action(self, frames: list[FrameData], latest_frame: FrameData) -> GameAction:
            if latest_frame.state in [GameState.NOT_PLAYED, GameState.GAME_OVER]:
                action = GameAction.RESET
            else:
                action = GameAction.from_id(self.draw.choice(latest_frame.available_actions))
            if action.is_simple():
                action.reasoning = f"drawn: {action.value}"
            elif action.is_complex():
                action.set_data({"x": self.draw.randint(0, 63), "y": self.draw.randint(0, 63)})
                action.reasoning = {"drawn": f"{action.value}"}
            return action
'''


class Teacher(arc.Agent):
    """Plays what it is told."""

    MAX_ACTIONS = 10_000
    actions = ()

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.left = list(type(self).actions)

    def is_done(self, frames, latest_frame):
        return latest_frame.state is arc.GameState.WIN or not self.left

    def choose_action(self, frames, latest_frame):
        if latest_frame.state is arc.GameState.NOT_PLAYED:
            return arc.GameAction.RESET
        name, *place = self.left.pop(0).split()
        action = arc.GameAction.from_name(name)
        if place:
            action.set_data({"x": int(place[0]), "y": int(place[1])})
        return action


def solution(episode):
    """The expert's actions by name."""
    env = seedbed.make(episode)
    env.reset()
    names = []
    while not env.done:
        action = env.expert_action()
        names.append(env.action_name(action))
        env.step(action)
    return names


def shown(episode, actions):
    """What the mode `answer` shows, from the start on."""
    env = seedbed.make(episode, obs="answer")
    answers = [env.reset()[0]]
    for action in actions:
        answers.append(env.step(action)[0])
    return answers


class Playing(unittest.TestCase):
    def test_an_agent_is_shown_what_the_game_answers(self):
        for episode in ("arc:Echo/intro#7", "arc:Chimes/intro#2", "arc:Scales/intro#1"):
            Teacher.actions = solution(episode)
            for begin in ("frame", "empty"):  # the opening reset of those who begin with an empty frame is answered, too
                played = arc.play(Teacher, episode, begin=begin)
                with self.subTest(episode, begin=begin):
                    self.assertEqual((played.state, played.levels_completed, played.actions), (arc.GameState.WIN, 3, len(Teacher.actions)))
                    frames = played.agent.frames
                    self.assertEqual((frames[0].state, frames[0].frame), (arc.GameState.NOT_PLAYED, []))
                    answers = shown(episode, Teacher.actions)[begin == "frame":]
                    self.assertTrue([frame.model_dump("json") for frame in frames[1:]] == answers)
                    self.assertEqual(frames[1].full_reset, begin == "empty")
                    self.assertEqual(seedbed.replay(played.tape).success, True)

    def test_an_agent_of_todays_framework_is_first_asked_about_what_the_game_shows(self):
        """It draws from `available_actions` at once, and only `frames[-1]` is NOT_PLAYED before its first action."""
        asked = []

        class Today(arc.Agent):
            MAX_ACTIONS = 3

            def is_done(self, frames, latest_frame):
                asked.append((frames[-1].state, latest_frame.state))
                return False

            def choose_action(self, frames, latest_frame):
                asked.append((frames[-1].state, latest_frame.model_dump("json")))
                return arc.GameAction.from_id(min(latest_frame.available_actions))

        opening = shown("arc:Echo/intro#7", [])[0]
        played = arc.play(Today, "arc:Echo/intro#7")
        self.assertEqual(asked[0], (arc.GameState.NOT_PLAYED, arc.GameState.NOT_PLAYED))
        self.assertTrue(asked[1] == (arc.GameState.NOT_PLAYED, opening))
        self.assertEqual(asked[2], (arc.GameState.NOT_FINISHED, arc.GameState.NOT_FINISHED))
        self.assertEqual((played.actions, len(played.agent.frames)), (4, 5), "the empty frame, and one for each action")
        with self.assertRaisesRegex(ValueError, "min"):
            arc.play(Today, "arc:Echo/intro#7", begin="empty")
        for wrong in (lambda: arc.play(Today, "arc:Echo/intro#7", begin="none"), lambda: arc.Policy(Today, begin="none")):
            with self.assertRaisesRegex(seedbed.InvalidError, "begin='none': known are 'frame', 'empty'"):
                wrong()
        asked.clear()
        seedbed.evaluate(arc.Policy(Today), ["arc:Echo/intro#7"], obs="answer")
        self.assertTrue(asked[1] == (arc.GameState.NOT_PLAYED, opening))

    def test_frames_may_be_of_another_type(self):
        """As those of the framework itself, whose states are others than ours: also the first one, which nothing has answered."""
        class State(str, enum.Enum):
            NOT_PLAYED, NOT_FINISHED, WIN, GAME_OVER = "NOT_PLAYED", "NOT_FINISHED", "WIN", "GAME_OVER"

        class Frame:
            def __init__(self, **said):
                self.state, self.guid, self.said = State(said.get("state", "NOT_PLAYED")), said.get("guid"), said
                self.available_actions = said.get("available_actions", [])

            model_validate = classmethod(lambda cls, answer: cls(**answer))

        class Theirs(arc.Agent):
            MAX_ACTIONS = 2

            def __init__(self, card_id, game_id, agent_name, ROOT_URL, record, arc_env, tags=None):  # all needed there
                super().__init__(card_id, game_id, agent_name, ROOT_URL, record, arc_env, tags)

            def is_done(self, frames, latest_frame):
                return latest_frame.state is State.WIN

            def choose_action(self, frames, latest_frame):
                played.append((frames[-1].state is State.NOT_PLAYED, latest_frame.state is State.NOT_FINISHED, {type(frame) for frame in (latest_frame, *frames)}))
                return arc.GameAction.from_id(min(latest_frame.available_actions))

        for play in (lambda: arc.play(Theirs, "arc:Echo/intro#7", frames=Frame), lambda: arc.play(Theirs("", "", "", "", False, None), "arc:Echo/intro#7", frames=Frame),
                     lambda: seedbed.evaluate(arc.Policy(Theirs, frames=Frame), ["arc:Echo/intro#7"], obs="answer")):
            played = []
            play()
            self.assertEqual(played, [(i == 0, True, {Frame}) for i in range(3)])

    def test_the_opening_reset_is_no_action_of_the_episode(self):
        Teacher.actions = ["ACTION1", "RESET", "ACTION1"]
        played = arc.play(Teacher, "arc:Echo/intro#7", begin="empty")
        self.assertEqual(json.loads(played.tape)["actions"], [1, 0, 1])
        self.assertEqual(played.agent.action_counter, 4, "with the opening reset")
        Teacher.actions = ["RESET", "ACTION1", "RESET"]
        played = arc.play(Teacher, "arc:Echo/intro#7")
        self.assertEqual(json.loads(played.tape)["actions"], [1, 0])
        self.assertEqual(played.agent.action_counter, 3)

    def test_an_agent_stops_after_its_actions(self):
        class Short(Teacher):
            MAX_ACTIONS = 5

        Teacher.actions = ["ACTION1"] * 50
        played = arc.play(Short, "arc:Echo/intro#7")
        self.assertEqual(played.agent.action_counter, 6, "one more, as in the framework")
        self.assertEqual((played.actions, played.state), (6, arc.GameState.NOT_FINISHED))
        self.assertEqual(arc.play(Short, "arc:Echo/intro#7", begin="empty").actions, 5)

    def test_clicks_in_a_game_without_them_have_an_answer_without_frames(self):
        Teacher.actions = ["ACTION6 5 6", "ACTION1"]
        played = arc.play(Teacher, "arc:Echo/intro#7")
        frames = played.agent.frames
        self.assertEqual((len(frames[1].frame), frames[1].action_input.id, frames[1].action_input.data), (0, arc.GameAction.ACTION6, {"x": 5, "y": 6}))
        self.assertEqual(played.actions, 1)

    def test_reasoning_is_echoed(self):
        class Thinker(Teacher):
            def choose_action(self, frames, latest_frame):
                action = super().choose_action(frames, latest_frame)
                action.reasoning = {"at": len(frames)}
                return action

        Teacher.actions = ["ACTION1", "ACTION2"]
        frames = arc.play(Thinker, "arc:Echo/intro#7").agent.frames
        self.assertEqual([frame.action_input.reasoning for frame in frames], [None, {"at": 1}, {"at": 2}, {"at": 3}][:len(frames)])

        class Talker(Teacher):
            def choose_action(self, frames, latest_frame):
                action = super().choose_action(frames, latest_frame)
                action.reasoning = "x" * arc.MAX_REASONING_BYTES
                return action

        with self.assertRaisesRegex(seedbed.InvalidError, "16384 bytes"):
            arc.play(Talker, "arc:Echo/intro#7")


class Actions(unittest.TestCase):
    def test_numbers_names_and_kinds(self):
        names = ["RESET", *(f"ACTION{i}" for i in range(1, 8))]
        self.assertEqual([(action.name, action.value) for action in arc.GameAction], [(name, i) for i, name in enumerate(names)])
        self.assertEqual(arc.GameAction.all_complex(), [arc.GameAction.ACTION6])
        self.assertEqual(len(arc.GameAction.all_simple()), 7)
        self.assertIs(arc.GameAction.from_name("action3"), arc.GameAction.ACTION3)
        for wrong in (lambda: arc.GameAction.from_id(8), lambda: arc.GameAction.from_name("jump")):
            self.assertRaises(ValueError, wrong)

    def test_places_are_within_the_frame(self):
        action = arc.GameAction.ACTION6
        self.assertEqual(action.set_data({"x": 63, "y": "0"}).model_dump(), {"game_id": "", "x": 63, "y": 0})
        for wrong in ({"x": 64, "y": 0}, {"x": 0, "y": -1}, {"x": 1.5, "y": 0}, {"x": "a", "y": 0}):
            self.assertRaises(ValueError, action.set_data, wrong)
        self.assertEqual(action.action_data.model_dump()["x"], 63, "what was set before stays")
        self.assertTrue(action.validate_data({"x": 1, "y": 1}))

    def test_frames_are_documents(self):
        empty = arc.FrameData()
        self.assertTrue(empty.is_empty())
        self.assertEqual(empty.model_dump_json(), '{"game_id":"","frame":[],"state":"NOT_PLAYED","levels_completed":0,"win_levels":0,'
                         '"action_input":{"id":0,"data":{},"reasoning":null},"guid":null,"full_reset":false,"available_actions":[]}')
        (answer,) = shown("arc:Fold/intro#0", [])
        frame = arc.FrameData.model_validate(answer)
        self.assertEqual((frame.model_dump("json"), frame.is_empty()), (answer, False))
        self.assertEqual(arc.GameState.WIN, "WIN")


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, text):
        path = self.folder / "walker.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def test_a_file_of_the_framework_plays_as_it_is(self):
        before = {name for name in sys.modules if name.split(".")[0] in ("agents", "arcengine")}
        agents = arc.load_agents(self.write(AGENT_FILE))
        self.assertEqual({name for name in sys.modules if name.split(".")[0] in ("agents", "arcengine")}, before)
        self.assertEqual(list(agents), ["Walker"])
        for episode in ("arc:Fold/intro#0", "arc:Scales/intro#0"):
            played = arc.play(agents["Walker"], episode)
            self.assertGreater(played.actions, 0)
            self.assertTrue(played.agent.name.endswith(".walker.300"))
            self.assertIsNotNone(played.agent.frames[-1].action_input.reasoning)
            seedbed.replay(played.tape)

    def test_a_file_without_agents_is_refused(self):
        with self.assertRaisesRegex(seedbed.InvalidError, "holds no agent"):
            arc.load_agents(self.write("from ..agent import Agent\n"))


class Policies(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, str(EXAMPLES))
        self.addCleanup(sys.path.remove, str(EXAMPLES))

    def test_an_evaluation_plays_what_play_plays(self):
        """The same agent, asked by `evaluate` and by `play`; also the scores say so."""
        Teacher.actions = solution("arc:Echo/intro#7")
        result = seedbed.evaluate(arc.Policy(Teacher), "arc:Echo/intro#7", obs="answer")
        self.assertEqual(result.agent, "Teacher")
        self.assertEqual(result.episodes[0].actions, json.loads(arc.play(Teacher, "arc:Echo/intro#7").tape)["actions"])
        efficiency = result.all.efficiency
        self.assertEqual((efficiency.name, efficiency.score, efficiency.levels_completed, efficiency.levels), ("rhae-proxy", 100, 3, 3))
        self.assertEqual((efficiency.interval, list(efficiency.score_after)), ((100, 100), [0.5, 1, 2, 3, 5]))
        effort = result.episodes[0].efficiency
        self.assertEqual((sum(effort.level_actions), effort.score, len(effort.level_baselines)), (len(Teacher.actions), 100, 3))
        card = result.scorecard()
        self.assertEqual((card["score"], card["environments"][0]["runs"][0]["level_actions"]), (100, list(effort.level_actions)))

    def test_an_agent_that_is_done_early_keeps_the_score_of_its_levels(self):
        actions = solution("arc:Echo/intro#7")
        whole = seedbed.evaluate("expert", "arc:Echo/intro#7").episodes[0].efficiency
        Teacher.actions = actions[:whole.level_actions[0]]
        result = seedbed.evaluate(arc.Policy(Teacher), "arc:Echo/intro#7", obs="answer")
        played = result.episodes[0]
        self.assertIn("the agent was done after", played.error.text)
        self.assertEqual((played.efficiency.levels_completed, played.efficiency.level_actions), (1, (whole.level_actions[0], 0, 0)))
        self.assertAlmostEqual(played.efficiency.score, 100 / 6)

    def test_the_random_agent_of_the_example_plays_all_games(self):
        patient = importlib.import_module("arc_random").Patient
        episodes = seedbed.select(family="arc", difficulty="intro", seeds="3")
        one, several = (seedbed.evaluate(arc.Policy(patient), episodes, obs="answer", jobs=jobs, salt="5" * 32) for jobs in (1, 3))
        self.assertEqual(one.to_dict(), several.to_dict())
        self.assertEqual((len(one.episodes), {played.error for played in one.episodes}), (12, {None}))

    def test_the_example_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            tape = os.path.join(folder, "tape.jsonl")
            done = subprocess.run([sys.executable, EXAMPLES / "arc_random.py", "arc:Fold/intro#0", "-o", tape], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"\A(WIN|NOT_FINISHED|GAME_OVER) after \d+ actions, \d levels completed\n\Z")
            with open(tape, encoding="utf-8") as file:
                seedbed.replay(file.read())

    def test_other_families_have_no_scorecard(self):
        result = seedbed.evaluate("expert", "GoToGoal/easy#0")
        self.assertEqual((result.all.efficiency, result.episodes[0].efficiency), (None, None))
        self.assertRaises(seedbed.InvalidError, result.scorecard)


if __name__ == "__main__":
    unittest.main()
