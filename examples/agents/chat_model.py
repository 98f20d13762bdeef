"""A language model as an agent: asks any OpenAI-compatible endpoint for every action, for many episodes at a time. docs/agents.md
explains it. It needs the standard library only; the key comes from an environment variable.

    seedbed eval --tasks GoToGoal -n 5 --agent 'exec:python3 examples/agents/chat_model.py --url http://localhost:8000/v1 --model NAME --preset markovian'
    seedbed eval --tasks KeyDoorPuzzle -n 5 --agent 'exec:python3 examples/agents/chat_model.py --model NAME --recipe DATASET'
"""
import argparse
import collections
import concurrent.futures
import json
import re
import sys
import threading
import time

import endpoint
from texts import prompts

MARGIN = 0.9  # of the time that a reply may take: the rest is for everything but asking
ABOUT_BYTES = 15000
MOST = 10 ** 9  # of a counter
WARNS_AFTER = 20  # unreadable answers from the beginning, if none could be read
WORDS = {"unreadable": "without a readable action", "cut": "cut", "refused": "refused", "empty": "empty", "dropped": "earlier exchanges left out"}


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
    add("--unreadable-as", type=stand_in_name, default="0", metavar="WHAT",
        help="what an answer without an action counts as: an action by number or name, `random` (a valid one, drawn from the episode's random number), "
             "or `lose` (default: 0)")
    add("--ask-again", type=endpoint.whole_number, default=0, metavar="N", help="ask up to N times more if an answer holds no action")
    add("--on-overflow", choices=["trim", "lose"], default="trim",
        help="if the messages are too long for the model: leave out the older half of the earlier exchanges, and again, or lose the episode (default: trim)")
    add("--seeded", action="store_true", help="send a seed with every request, made from the episode's random number and the step")
    add("--batch", type=endpoint.positive_number, default=16, help="episodes, and so requests, at a time (default: 16)")
    add("--name", help="name of the agent (default: the model's)")
    return endpoint.parse(parser, arguments)


def stand_in_name(text):
    """What --unreadable-as takes. Whether the episode has such an action is checked when it begins."""
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
        self.lock, self.marks, self.lost = threading.Lock(), collections.Counter(), 0
        self.has_read, self.unread = False, []  # whether any answer could be read, and before that what could not

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
        if "cost" in message["limits"] and self.options.price_in is None and not self.options.server_costs:
            raise prompts.PromptError("--max-cost needs to know what answers cost: give --price-in X --price-out Y, of a million tokens, or --server-costs if the "
                                      "server tells the `cost` in its `usage`; nothing was asked yet")
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
                 "seeded": options.seeded, "unreadable_as": options.unreadable_as, "ask_again": options.ask_again,
                 "on_overflow": options.on_overflow, "prompts": self.prompts.about()}
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
        except StandInError as error:
            print(error, file=sys.stderr, flush=True)
            return {**reply, **loss("nonsense", str(error))}  # the same for every episode: a mistake in the command
        return {**reply, **self.decide(self.episodes[slot], until)}

    def decide(self, episode, until):
        """Asks for an action and returns the members of the reply. Without an answer the episode is lost: --resume --retry-lost plays it again."""
        step = Step()
        try:
            reply = self.ask_for_action(episode, until, step)
        except endpoint.EndpointError as error:
            step.spent.append(error.spent)
            print(f"no answer: {error}", file=sys.stderr, flush=True)
            reply = loss(error.kind, str(error))
        with self.lock:
            self.marks.update(step.marks)
            self.lost += "lost" in reply
        return {**reply, **step.counters(), **({"marks": step.marks} if step.marks else {})}

    def ask_for_action(self, episode, until, step):
        for again in range(1 + self.options.ask_again):
            more = {"seed": (episode.told["random_seed"] + episode.step + 7919 * again) % 2 ** 31} if self.options.seeded else {}
            answer = self.ask(episode, until, step, more)
            action, said = episode.read(answer.text, answer.is_cut)
            step.take(answer, action)
            self.watch(episode, answer, action)
            if action is not None:
                break
        thoughts = thought_of(answer, said, self.thought_bytes)
        if action is None:
            action = episode.stand_in(self.options.unreadable_as)
        if action is None:
            return {**thoughts, **loss("refused" if answer.is_refused else "nonsense", no_action(answer, episode))}
        episode.note(action, answer.text)
        return {**thoughts, "action": action}

    def watch(self, episode, answer, action):
        """Warns once if no answer can be read from the beginning on: then the prompts, or the model, are not those that belong together."""
        with self.lock:
            self.has_read |= action is not None
            if self.has_read or len(self.unread) == WARNS_AFTER:
                return
            self.unread.append(answer)
            if len(self.unread) < WARNS_AFTER:
                return
        print(f"warning: none of the first {WARNS_AFTER} answers holds an action that can be read; expected is {episode.expected()}; the first answer was "
              f"`{cut(said_in(self.unread[0]), 200)}`. What stands in for them (--unreadable-as) is not what the model would do: look at prompts and "
              "`answer`, or let the model write more (--max-tokens)", file=sys.stderr, flush=True)

    def ask(self, episode, until, step, more):
        """Asks once. Where the messages are too long for the model, earlier exchanges are left out until they are not."""
        while True:
            try:
                return self.endpoint.ask(episode.prompt(), until, **more)
            except endpoint.EndpointError as error:
                dropped = episode.drop_turns() if error.kind == "context" and self.options.on_overflow == "trim" else 0
                if not dropped:
                    raise
                step.marks["dropped"] += dropped
                step.spent.append(error.spent)

    def check_stand_in(self, episode):
        """Refuses an episode without the action that --unreadable-as names, before anything is asked."""
        why = "" if episode.step > 0 else episode.lacks(self.options.unreadable_as)
        if why:
            raise StandInError(f"--unreadable-as {self.options.unreadable_as}: {why}")


class Step:
    """What happened in one step: what its questions took, and what was odd about the answers."""

    def __init__(self):
        self.spent, self.marks = [], collections.Counter()

    def take(self, answer, action):
        self.spent.append(answer.spent)
        self.marks.update(["answers", *answer.marks(), *(["unreadable"] if action is None else [])])

    def counters(self):
        """Sums over all questions. What is not known of one of them is not known of all, and is left out."""
        total = endpoint.Spent(tokens_in=0, tokens_out=0, cost=0)
        for one in self.spent:
            total.add(one)
        told = {key: getattr(total, key) for key in ("calls", "seconds", "tokens_in", "tokens_out", "cost")}
        return {key: min(MOST, value) for key, value in told.items() if value or value == 0 and self.marks["answers"]}


def loss(kind, text):
    """A reply that loses the episode, and says why."""
    return {"lost": {"kind": kind, "text": text}}


def said_in(answer):
    """What the model said, on one line; without anything else, what it thought."""
    said = " ".join((answer.refusal or answer.said or answer.text or answer.thought or "").split())
    return "".join(letter if letter.isprintable() else "?" for letter in said)


def no_action(answer, episode):
    said = " ".join((answer.refusal or answer.said).split())
    if answer.is_refused:
        return "the model refused to answer" + (f": {said}" if said else "")
    return f"the answer holds no action: `{said}`; expected is {episode.expected()}"


def thought_of(answer, said, most):
    """What the model thought, and what it said before its action, in at most so many bytes."""
    said = cut(said, most)
    thought = cut(answer.thought, max(0, most - len(said.encode()) - 2))
    both = "\n\n".join(text for text in (thought, said) if text)
    return {"thought": both} if both else {}


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
    odd = ", ".join(f"{harness.marks[mark]} {words}" for mark, words in WORDS.items() if harness.marks[mark] or mark == "unreadable")
    print(f"{harness.marks['answers']} answers, {odd}; {harness.lost} episodes lost", file=sys.stderr)


if __name__ == "__main__":
    try:
        serve(Harness(read_arguments(sys.argv[1:])))
    except prompts.PromptError as mistake:
        sys.exit(f"chat_model: {mistake}")
