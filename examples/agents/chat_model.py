"""A language model as an agent: asks any OpenAI-compatible endpoint for every action, for many episodes at a time. docs/language-models.md
explains it. It needs the standard library only; the key comes from an environment variable.

    seedbed eval --tasks GoToGoal -n 5 --agent 'exec:python3 examples/agents/chat_model.py --url http://localhost:8000/v1 --model NAME --preset markovian'
    seedbed eval --tasks GoToGoal -n 5 --agent 'exec:python3 examples/agents/chat_model.py --model NAME --recipe DATASET'
"""
import argparse
import concurrent.futures
import json
import re
import sys
import time

import endpoint
import prompts

MARGIN = 0.9  # of the time that a reply may take: the rest is for everything but asking
ABOUT_BYTES = 15000
MOST = 10 ** 9  # of a counter


def read_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    endpoint.add_options(parser)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--preset", choices=list(prompts.PRESETS), help="prompts of a published harness")
    which.add_argument("--recipe", metavar="PATH", help="a recipe, or a dataset: prompts are those of its format `chat`")
    add("--format", metavar="NAME", help="which format `chat` of the recipe, if it has several")
    add("--mode", help="what is observed, such as ascii or language (default: as the recipe says, or the family's first)")
    add("--turns", type=int, help="how many earlier exchanges the messages repeat; -1: all (default: as the recipe says, or none)")
    add("--pixels", type=endpoint.json_object, metavar="JSON", help='the picture for {image}, such as {"look": "flat"} (default: as the recipe says)')
    add("--unreadable", type=stand_in_name, default="0", metavar="WHAT",
        help="what an answer without an action counts as: an action by number or name, `random` (a valid one, drawn from the episode's random number), "
             "or `lose` (default: 0)")
    add("--ask-again", type=endpoint.whole_number, default=0, metavar="N", help="ask up to N times more if an answer holds no action")
    add("--seeded", action="store_true", help="send a seed with every request, made from the episode's random number and the step")
    add("--batch", type=int, default=16, help="episodes, and so requests, at a time (default: 16)")
    add("--name", help="name of the agent (default: the model's)")
    return endpoint.parse(parser, arguments)


def stand_in_name(text):
    """What --unreadable takes. Whether the episode has such an action is checked when it begins."""
    if not re.fullmatch(r"[0-9]+|[A-Za-z]\w*(?:[ ,(]+\d+[ ,]+\d+\)?)?", text):
        raise argparse.ArgumentTypeError(f"an action by number or name, `random`, or `lose` is expected, not `{text}`")
    return text


class StandInError(Exception):
    """The episode has no action that unreadable answers could count as."""


class Harness:
    def __init__(self, options):
        self.options = options
        if options.preset:
            self.recipe, self.format = {}, prompts.preset(options.preset, options.pixels, options.mode)
        else:
            self.recipe, self.format = prompts.read_recipe(options.recipe, options.format)
            if options.pixels:
                self.format = {**self.format, "pixels": options.pixels}
        if options.max_tokens is None:
            options.max_tokens = self.format.get("max_tokens")
        self.endpoint = endpoint.from_options(options, "completions" if self.format.get("style") == "prompt" else "chat")
        self.episodes, self.batch = {}, options.batch
        self.unreadable = self.failed = self.asked = 0

    def hello(self, message):
        """Says what the harness wants to see, and everything that should be known of it."""
        families = {family["name"]: family["modes"] for family in message["families"]}
        family = prompts.family_of(self.recipe)
        modes = families.get(family, [])
        if self.recipe and family and family not in families:
            raise prompts.PromptError(f"the recipe is of the family `{family}`; known families: {', '.join(families)}")
        known = modes if family else [mode for others in families.values() for mode in others]
        self.prompts = prompts.Prompts(self.format, self.recipe, self.options.mode, known)
        if self.options.turns is not None:
            self.prompts.turns = self.options.turns
        self.seconds = message["limits"]["reply_seconds"] * MARGIN
        self.thought_bytes = message["limits"].get("thought_bytes", 8192)
        reply = {"protocol": 1, "name": self.options.name or self.options.model, "about": self.about()}
        wanted = self.prompts.modes(modes[0] if modes else None)
        if wanted != modes[:1]:
            reply["modes"] = wanted
        if self.prompts.pixels:
            reply["pixels"] = self.prompts.pixels
        if "batch" in message["limits"]:
            reply["batch"] = min(self.batch, message["limits"]["batch"])
        return reply

    def about(self):
        options = self.options
        about = {"harness": "examples/agents/chat_model.py", "prompts_of": options.preset or "recipe", "model": options.model,
                 "api": self.endpoint.api, "request": {key: value for key, value in self.endpoint.body.items() if key != "model"},
                 "seeded": options.seeded, "unreadable": options.unreadable, "ask_again": options.ask_again, "prompts": self.prompts.about()}
        if len(json.dumps(about)) > ABOUT_BYTES:
            about["prompts"] = "too long to be kept here"
        return about

    def answer_all(self, messages):
        """Returns the replies to the messages of a round; all questions are asked at once."""
        until = time.monotonic() + self.seconds
        with concurrent.futures.ThreadPoolExecutor(max_workers=max(1, len(messages))) as threads:
            return list(threads.map(lambda message: self.answer(message, until), messages))

    def answer(self, message, until):
        slot = message.get("slot")
        reply = {} if slot is None else {"slot": slot}
        if message["op"] == "end":
            self.episodes.pop(slot, None)
            return reply
        if message["op"] == "reset":
            self.episodes[slot] = prompts.Episode(self.prompts, message)
        else:
            self.episodes[slot].see(message)
        try:
            self.check_stand_in(self.episodes[slot])
            return {**reply, **self.decide(self.episodes[slot], until)}
        except StandInError as error:
            print(error, file=sys.stderr, flush=True)
            return {**reply, "error": str(error)}  # the same for every episode: a mistake in the command
        except endpoint.EndpointError as error:
            self.failed += 1
            print(f"no answer: {error}", file=sys.stderr, flush=True)
            return {**reply, "error": str(error)}  # without an action, which loses the episode: --resume --retry-lost plays it again

    def decide(self, episode, until):
        """Asks for an action and returns the members of the reply."""
        answers = []
        for _ in range(1 + self.options.ask_again):
            more = {"seed": (episode.told["random_seed"] + episode.step + 7919 * len(answers)) % 2 ** 31} if self.options.seeded else {}
            answers.append(self.endpoint.ask(episode.prompt(), until, **more))
            action, thought = episode.read(answers[-1].text)
            if action is not None:
                break
        self.asked += 1
        self.unreadable += action is None
        reply = told(answers, thought, self.thought_bytes)
        if action is None:
            action = self.stand_in(episode)
        if action is not None:
            episode.note(action, answers[-1].text)
            reply["action"] = action
        return reply

    def check_stand_in(self, episode):
        """Refuses an episode without the action that --unreadable names, before anything is asked."""
        what = self.options.unreadable
        if episode.step > 0 or what in ("lose", "random"):
            return
        if what.isdecimal() and int(what) >= episode.told["n_actions"]:
            raise StandInError(f"--unreadable {what}: actions have the numbers 0 to {episode.told['n_actions'] - 1}")
        if not what.isdecimal() and episode.number_of(what) is None:
            raise StandInError(f"--unreadable {what}: there is no such action; known actions: {', '.join(episode.names.values())}")

    def stand_in(self, episode):
        """The action that an unreadable answer counts as; None loses the episode."""
        what = self.options.unreadable
        if what == "lose":
            return None
        if what == "random":
            return episode.chance.choice(episode.message["valid_actions"] or [0])
        return int(what) if what.isdecimal() else episode.number_of(what)


def told(answers, thought, thought_bytes):
    """What a step took, over all answers to it, and what the model thought last: its reasoning, and what it wrote before the action."""
    said = cut(thought, thought_bytes)
    reasoning = cut(answers[-1].reasoning.strip(), max(0, thought_bytes - len(said.encode()) - 2))
    thoughts = "\n\n".join(text for text in (reasoning, said) if text)
    reply = {"thought": thoughts} if thoughts else {}
    for key in ("calls", "tokens_in", "tokens_out", "seconds"):
        reply[key] = min(MOST, sum(getattr(answer, key) for answer in answers))
    costs = [answer.cost for answer in answers if answer.cost is not None]
    return {**reply, "cost": min(MOST, sum(costs))} if costs else reply


def cut(text, most):
    """The beginning of a text, of so many bytes."""
    return text.encode()[:most].decode("utf-8", "ignore")


def serve(harness):
    """Answers every line. Everything else goes to standard error."""
    for line in sys.stdin:
        message = json.loads(line, parse_float=prompts.Number)
        if message["op"] == "close":
            break
        if message["op"] == "hello":
            reply = harness.hello(message)
        elif message["op"] == "round":
            reply = {"replies": harness.answer_all(message["messages"])}
        else:
            reply = harness.answer_all([message])[0]
        print(json.dumps(reply), flush=True)
    print(f"{harness.asked} steps, {harness.unreadable} without a readable answer, {harness.failed} without any", file=sys.stderr)


if __name__ == "__main__":
    try:
        serve(Harness(read_arguments(sys.argv[1:])))
    except prompts.PromptError as mistake:
        sys.exit(f"chat_model: {mistake}")
