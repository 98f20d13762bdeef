"""Language models as a team of the arena: this program plays the roles that it is given by asking any OpenAI-compatible endpoint (docs/arena.md). What
roles are told stands in prompts/, a file for each role and each kind of question. The key comes from an environment variable.

    export OPENAI_BASE_URL=http://localhost:8000/v1 OPENAI_MODEL=NAME
    seedbed arena arc:Echo/intro#7 --team examples/arena/model.json -o run

Options of the endpoint (--url, --model, --max-tokens ...) can stand behind model.py in the team's file; roles with other options get a process of their
own. Artifacts are Python, and run in the sandbox of ../models/sandbox.py. A question that the endpoint does not answer is left out, and the game goes on.
"""
import argparse
import json
import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "models"))
import candidate  # noqa: E402
import write_model  # noqa: E402
import written  # noqa: E402

endpoint = written.endpoint
ARTIFACTS = ("observable", "dynamics", "strategy")
COPYING = 'def predict(request):\n    return {"z": request["z"], "done": False, "over": False}\n'
ENDS = {"level": "The level was completed.", "over": "The game is lost.", "reset": "The level began again."}
BLOCK = re.compile(r"^[ \t]*```([^\n`]*)\n(.*?)^[ \t]*```", re.S | re.M)
PROGRAM, MESSAGE, SECTION, SMALLEST = 200_000, 4000, 1500, 2000  # characters
REMARK = "Your answer could not be read: {why} Answer again, in the form that is described above."


def read_arguments(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    endpoint.add_options(parser)
    add("--characters", type=endpoint.whole_number, default=60000, metavar="N", help="of a question, besides the prompt and the frame (default: 60000)")
    add("--sections", type=endpoint.whole_number, default=24, metavar="N", help="actions of which the model is told what they led to (default: 24)")
    add("--ask-again", type=endpoint.whole_number, default=1, metavar="N", help="ask up to N times more if an answer cannot be read (default: 1)")
    add("--seconds", type=endpoint.number, default=330, help="for an answer with all tries: less than the arena waits (default: 330)")
    name = os.environ.get("OPENAI_MODEL")
    return endpoint.parse(parser, ["--model", name, *arguments] if name else arguments)


def prompt(name, **values):
    with open(os.path.join(HERE, "prompts", name + ".txt"), encoding="utf-8") as file:
        text = file.read()
    for key, value in values.items():
        text = text.replace("{" + key + "}", str(value))
    return text


# ---- What happened, as text ------------------------------------------------------------------------------------------

def place_of(action):
    return f"{action['id']}" + (f" at x={action['x']} y={action['y']}" if "x" in action else "")


def section_of(step, width):
    """What an action led to."""
    is_new = step["kind"] in ("level", "reset")
    changes = "a new frame is shown" if is_new else write_model.changes(step["before"], step["after"], width)
    if len(changes) > SECTION:
        changes = changes[:SECTION] + " ... and more"
    told = {"none": "nothing was predicted", "right": "predicted rightly", "wrong": "predicted wrongly"}[step["prediction"]]
    return " ".join(filter(None, (f"{step['t']}. (level {step['level']}, {told}) {place_of(step['action'])}: {changes}.", ENDS.get(step["kind"]))))


def entry_of(entry):
    fields = ", ".join(entry["fields"]) or "none told"
    return f"- action {entry['t']}, level {entry['level']}, {place_of(entry['action'])}: {entry['source']} was wrong (fields: {fields})"


# ---- Answers ---------------------------------------------------------------------------------------------------------

class UnreadableError(Exception):
    """An answer is of no use, and the text says why."""


def no_number(text):
    raise ValueError(text)


def objects_in(text):
    """JSON objects in a text that is not fenced as it should be; the last ones."""
    decoder, found, at = json.JSONDecoder(parse_constant=no_number), [], -1
    for start in [match.start() for match in re.finditer(r"\{", text)][-200:]:
        if start < at:
            continue
        try:
            value, at = decoder.raw_decode(text, start)
            found.append(value)
        except (ValueError, RecursionError):
            pass
    return found


def parts_of(text):
    """What an answer holds: artifacts by name, and the members of its blocks of JSON."""
    artifacts, said, rest = {}, {}, BLOCK.sub("\n", text)
    for label, body in BLOCK.findall(text):
        named = [name for name in ARTIFACTS if name in re.findall(r"\w+", label.lower())]
        if named:
            artifacts[named[0]] = body
        else:
            rest += "\n" + body
    for value in objects_in(rest):
        said.update(value)
    return artifacts, said


class Cleaner:
    """Lets through what the arena takes, whatever a model says."""

    def __init__(self, hide):
        self.hide = hide

    def text(self, value, most=MESSAGE):
        return self.hide(value.replace("\0", "").encode("utf-8", "replace").decode())[:most] if isinstance(value, str) else ""

    def action(self, value):
        """An action as the arena spells it; None: it is none."""
        value = value if isinstance(value, dict) else {"id": value}
        is_number = isinstance(value.get("id"), int) and not isinstance(value["id"], bool) and abs(value["id"]) < 1 << 31
        if not is_number and not self.text(value.get("id")):
            return None
        action = {"id": value["id"] if is_number else self.text(value["id"], 64)}
        if all(isinstance(value.get(key), int) and 0 <= value[key] < 1 << 15 for key in "xy"):
            action.update(x=int(value["x"]), y=int(value["y"]))
        return action

    def actions(self, value):
        return [action for action in map(self.action, value[:5] if isinstance(value, list) else []) if action]

    def feedback(self, value):
        """Messages; those to nobody in particular are left out."""
        items = [one for one in value if isinstance(one, dict)][:8] if isinstance(value, list) else []
        return [{"to": self.text(one["to"], 40), "text": self.text(one["text"])} for one in items if self.text(one.get("to")) and self.text(one.get("text"))]


# ---- The roles -------------------------------------------------------------------------------------------------------

class Team:
    def __init__(self, options):
        self.options, self.client, self.clean = options, endpoint.from_options(options), Cleaner(options.key.hide)
        self.settings = {"model": options.model, "request": {key: value for key, value in self.client.body.items() if key != "model"},
                         "characters": options.characters, "sections": options.sections, "ask_again": options.ask_again}

    def hello(self, request):
        """A game begins, or goes on: then the memory says what was noted."""
        memory = request["memory"] if isinstance(request["memory"], dict) else {}
        self.game, self.width, self.roles, self.owns = request, request.get("width", 64), request["roles"], request["owns"]
        self.texts = {name: artifact["text"] for name, artifact in request["artifacts"].items()}
        self.notes, self.log, self.mail = memory.get("notes", {}), memory.get("log", {}), memory.get("mail", {})
        self.settings_before = [one for one in memory.get("settings", []) if one != self.settings]
        self.before = {}
        return {"name": self.options.model, "version": "1", "about": self.settings}

    def memory(self):
        """Everything that a process which is started again needs, and who answered up to now."""
        return {"notes": self.notes, "log": self.log, "mail": self.mail, "settings": [*self.settings_before, self.settings]}

    def hear(self, request):
        """Takes note of news and of messages, which may say that a patch was refused."""
        role = request["role"]
        for step in request["news"]:
            self.log[str(step["t"])] = section_of(step, self.width)
        for old in sorted(self.log, key=int)[:-self.options.sections or None]:
            del self.log[old]
        for message in request["mail"]:
            if message["from"] == "arena" and message["text"].startswith("your patch was refused"):
                self.texts.update(self.before.pop(role, {}))
            self.mail.setdefault(role, []).append(f"- {message['from']}: {message['text']}")

    def answer(self, request):
        self.hear(request)
        answer = self.first(request) or ({} if self.can_wait(request) else self.ask(request))
        return {**answer, "memory": self.memory()}

    def first(self, request):
        """The first model says that nothing changes, for which nobody need be asked."""
        if request["op"] != "turn" or "dynamics" not in request["owns"] or self.texts["dynamics"]:
            return None
        return self.patched(request["role"], {"dynamics": COPYING}, "nothing is known yet")

    def can_wait(self, request):
        """Whether a turn can be left out: there is nothing to mend, or nothing to mend it with. Messages are kept."""
        if request["op"] != "turn":
            return False
        owns = request["owns"]
        if not owns or ("dynamics" in self.owns and "dynamics" not in owns and not self.texts["dynamics"]):
            return True
        is_first = "strategy" in owns and not self.texts["strategy"] and self.log
        return not is_first and not request["ledger"] and not self.mail.get(request["role"])

    def patched(self, role, artifacts, reason):
        self.before[role] = {name: self.texts[name] for name in artifacts}
        self.texts.update(artifacts)
        return {"patches": [{"artifact": name, "text": text, "reason": reason} for name, text in artifacts.items()]}

    # ---- Questions ----

    def system(self, request):
        game = self.game
        cells = self.width * game.get("height", 64)
        facts = prompt("game", width=self.width, height=game.get("height", 64), cells=cells, levels=game["levels"], actions=json.dumps(game["available"]),
                       palette=write_model.palette(game))
        return "\n".join((facts, prompt(request["role"])))

    def question(self, request, most):
        """What is known now, of at most about so many characters besides the frame, and what is asked."""
        role, parts = request["role"], []
        if request["op"] in ("turn", "probe"):
            parts += [f"The artifact `{name}`:\n```python {name}\n{text}```" for name, text in self.texts.items() if text]
        parts += [f"What happened, the last {len(self.log)} actions:\n" + "\n".join(self.log[t] for t in sorted(self.log, key=int))] if self.log else []
        parts += ["What was wrong and is not mended:\n" + "\n".join(map(entry_of, request["ledger"]))] if request.get("ledger") else []
        parts += [f"Your notes:\n{self.notes[role]}"] if self.notes.get(role) else []
        parts += ["Messages to you:\n" + "\n".join(self.mail[role])] if self.mail.get(role) else []
        known = "\n\n".join(parts)
        known = "(The beginning is left out.)\n" + known[-most:] if len(known) > most else known
        frame = f"Level {request['level']}, after {request['step']} actions. The frame is:\n{write_model.picture(request['frame'], self.width)}"
        facts = {key: request[key] for key in ("mismatch", "probes", "policies", "plan", "may_reset", "has_model", "retrodiction") if key in request}
        asked = prompt(request["op"], owns=", ".join(request["owns"]))
        return "\n\n".join(filter(None, (known, frame, json.dumps(facts) if facts else "", asked)))

    def ask(self, request):
        """Asks the endpoint. What it took is told also where there is no answer."""
        spent, role = endpoint.Spent(tokens_in=0, tokens_out=0, cost=0), request["role"]
        try:
            answer = self.conversation(request, spent)
        except (endpoint.EndpointError, UnreadableError) as error:
            print(f"{role}: {error}", file=sys.stderr, flush=True)
            answer = {"error": self.clean.text(str(error))}
        return {**answer, "usage": {"tokens_in": spent.tokens_in, "tokens_out": spent.tokens_out, "cost": spent.cost}}

    def conversation(self, request, spent):
        until, most = time.monotonic() + self.options.seconds, self.options.characters
        first = [{"role": "system", "content": self.system(request)}, {"role": "user", "content": self.question(request, most)}]
        messages, left = first, self.options.ask_again
        while True:
            try:
                reply = self.client.ask(messages, until, **self.at_most(request, spent))
                spent.add(reply.spent)
            except endpoint.EndpointError as error:
                spent.add(error.spent)
                if error.kind != "context" or most <= SMALLEST:
                    raise
                most //= 2
                messages = [first[0], {"role": "user", "content": self.question(request, most)}]
                continue
            try:
                return self.read(request, reply)
            except UnreadableError as why:
                if not left or not self.is_affordable(request, spent):
                    raise
                left -= 1
                messages = [*messages[:2], {"role": "assistant", "content": reply.said[:MESSAGE] if reply.said.strip() else written.NOTHING},
                            {"role": "user", "content": REMARK.format(why=why)}]

    def left(self, request, spent):
        """The tokens of this step that are left; None: they are not counted."""
        return None if request.get("tokens_left") is None or spent.tokens_out is None else max(0, request["tokens_left"] - (spent.tokens_in or 0) - spent.tokens_out)

    def is_affordable(self, request, spent):
        return self.left(request, spent) != 0

    def at_most(self, request, spent):
        """Where the tokens of an answer are limited, they are also by what is left of the step."""
        most, left = self.client.body.get("max_tokens"), self.left(request, spent)
        return {} if most is None or left is None else {"max_tokens": max(1, min(most, left))}

    # ---- Answers ----

    def read(self, request, reply):
        artifacts, said = parts_of(reply.said)
        op, role = request["op"], request["role"]
        artifacts = {name: self.clean.text(text, PROGRAM + 1) for name, text in artifacts.items() if name in request["owns"]} if op == "turn" else {}
        answer = {"feedback": self.clean.feedback(said.get("feedback"))}
        if op == "turn":
            answer.update(self.read_turn(role, artifacts, said))
        elif op == "probe":
            answer["actions"] = self.clean.actions(said.get("actions"))
        elif op == "route":
            answer["owner"] = self.clean.text(said.get("owner"), 40)
        else:
            answer.update(self.read_choice(said))
        if not said and not artifacts:
            raise UnreadableError("the model refused to answer." if reply.is_refused else "it holds no block of JSON, and no artifact.")
        self.mail.pop(role, None)
        if isinstance(said.get("notes"), str):
            self.notes[role] = self.clean.text(said["notes"])
        return answer

    def read_turn(self, role, artifacts, said):
        if any(len(text) > PROGRAM for text in artifacts.values()):
            raise UnreadableError(f"an artifact has more than {PROGRAM} characters.")
        changed = {name: text for name, text in artifacts.items() if text != self.texts[name]}
        again = {"again": True} if said.get("again") is True else {}
        return {**(self.patched(role, changed, self.clean.text(said.get("reason"))) if changed else {}), **again}

    def read_choice(self, said):
        choice = self.clean.text(said.get("choose"), 40)
        if said and choice not in ("plan", "policy", "probe", "reset"):
            raise UnreadableError('"choose" should be one of plan, policy, probe and reset.')
        action = self.clean.action(said["action"]) if "action" in said else None
        return {"choose": choice, "policy": self.clean.text(said.get("policy"), 64), **({"action": action} if action else {})}


if __name__ == "__main__":
    team = Team(read_arguments(sys.argv[1:]))
    candidate.answer_lines(lambda request: team.hello(request) if request["op"] == "hello" else team.answer(request))
