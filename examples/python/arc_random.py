"""An agent written for the ARC-AGI-3 framework plays multi-level games: one that acts at random.

    python arc_random.py arc:Echo/intro#7                    # one game, and its tape
    python arc_random.py --evaluate -o random.json           # all games, some seeds each; then: seedbed report random.json

The class is as it would be in the framework, where Agent, GameAction and GameState are imported from `agents.agent` and
`arcengine`. `seedbed.arc.load_agents` reads files with those imports as they are.
"""
import argparse
import random

import needs


def parser() -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("episode", nargs="?", default="arc:Echo/intro#7")
    arguments.add_argument("--evaluate", action="store_true", help="play every game")
    arguments.add_argument("--seeds", default="0..1", help="of every game (default: 0..1)")
    arguments.add_argument("-o", "--output", help="a file for the tape or the result")
    return arguments


if __name__ == "__main__":  # before the imports, some of which may be missing
    needs.check(parser(), "numpy", "seedbed")

import seedbed
from seedbed.arc import Agent, FrameData, GameAction, GameState, Play, Policy, play


class Random(Agent):
    """Resets when it has to, and otherwise draws any action, and any place for a click."""

    MAX_ACTIONS = 80

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.draw = random.Random(f"random agent at {self.game_id}")

    def is_done(self, frames: list[FrameData], latest_frame: FrameData) -> bool:
        return latest_frame.state is GameState.WIN

    def choose_action(self, frames: list[FrameData], latest_frame: FrameData) -> GameAction:
        if latest_frame.state in (GameState.NOT_PLAYED, GameState.GAME_OVER):
            return GameAction.RESET
        action = self.draw.choice([action for action in GameAction if action is not GameAction.RESET])
        if action.is_complex():
            action.set_data({"x": self.draw.randint(0, 63), "y": self.draw.randint(0, 63)})
        action.reasoning = {"drawn": action.name}
        return action


class Patient(Random):
    """The same for as long as an episode lasts."""

    MAX_ACTIONS = 1_000_000


def show(played: Play) -> None:
    print(f"{played.state.value} after {played.actions} actions, {played.levels_completed} levels completed")


def main() -> None:
    options = parser().parse_args()
    if options.evaluate:
        episodes = seedbed.select(family="arc", difficulty="intro", seeds=options.seeds)
        result = seedbed.evaluate(Policy(Patient), episodes, obs="answer")
        if options.output:
            result.save(options.output)
        efficiency = result.all.efficiency
        assert efficiency is not None
        print(f"{efficiency.name} {efficiency.score:.2f}, {efficiency.levels_completed} of {efficiency.levels} levels, "
              f"{efficiency.actions} actions")
        return
    played = play(Random, options.episode)
    show(played)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(played.tape + "\n")


if __name__ == "__main__":
    main()
