"""examples/agents/endpoint.py and keys.py: a client under every misbehaviour of an endpoint, and keys that no text holds.

    python3 tests/endpoint_test.py

Label: outside
"""
import base64
import contextlib
import html
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

from stub_endpoint import MODES, Bad, StubEndpoint, completion

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples", "agents"))
import endpoint  # noqa: E402
import chat_model  # noqa: E402
import keys  # noqa: E402
from texts import thinking  # noqa: E402

KEY = "sk-0123/456+789=abcdefSECRET"
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
SPELLINGS = {"plain": str, "base64": lambda text: base64.b64encode(text.encode()).decode(), "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
             "URL": lambda text: urllib.parse.quote(text, safe=""), "URL in small letters": lambda text: urllib.parse.quote(text, safe="").replace("%2F", "%2f").replace("%2B", "%2b"),
             "URL twice": lambda text: urllib.parse.quote(urllib.parse.quote(text, safe=""), safe=""), "all in percents": lambda text: "".join(f"%{ord(c):02x}" for c in text),
             "JSON": lambda text: "".join(f"\\u{ord(c):04X}" for c in text), "PHP's JSON": lambda text: text.replace("/", "\\/"), "HTML": lambda text: "".join(f"&#{ord(c)};" for c in text),
             "Python": lambda text: "".join(f"\\x{ord(c):02x}" for c in text)}
SPELLINGS.update({f"{name} in JSON": lambda text, spell=SPELLINGS[name]: json.dumps(spell(text))[1:-1] for name in ("JSON", "PHP's JSON", "Python")})
SPELLINGS.update({"HTML twice": lambda text: SPELLINGS["HTML"](text).replace("&", "&amp;"), "base64 in JSON": lambda text: SPELLINGS["JSON"](SPELLINGS["base64"](text))})


def ask(server, prompt="hm", **options):
    """Asks the stub once, quickly, and returns the answer."""
    with contextlib.redirect_stderr(io.StringIO()) as log:
        try:
            return endpoint.Endpoint(server.url, {"model": "m"}, **{"backoff": 0.001, "timeout": 0.4, **options}).ask(prompt)
        finally:
            ask.log = log.getvalue()


HELLO = {"op": "hello", "families": [{"name": "agentick", "modes": ["ascii"]}], "limits": {"reply_seconds": 60}}
RESET = {"op": "reset", "family": "agentick", "task": "T", "summary": "S", "category": "c", "difficulty": "easy", "max_steps": 9, "n_actions": 6, "random_seed": 1,
         "observations": {"ascii": "#"}, "action_names": ["noop", "move_up", "move_down", "move_left", "move_right", "interact"], "valid_actions": [0, 1], "valid_names": ["noop", "move_up"]}
SILENT = ("hung", "drip", "drip of headers")  # modes that end by the client's clock only
LOSES = {"passing": "endpoint", "waiting": "endpoint", "final": "endpoint", "context": "context", "quota": "quota", "refused": "refused"}


class Player:
    """chat_model.py without a process, in one episode."""

    def __init__(self, server, *flags):
        arguments = ["--url", server.url, "--model", "m", "--preset", "markovian_reasoner", "--backoff", "0.001", "--max-wait", "0.01", "--timeout", "20", *flags]
        with contextlib.redirect_stderr(io.StringIO()):
            self.harness = chat_model.Harness(chat_model.read_arguments(arguments))
        self.harness.hello(HELLO)
        self.next = RESET

    def step(self):
        with contextlib.redirect_stderr(io.StringIO()) as log:
            reply = self.harness.answer_all([self.next])[0]
        self.log, self.next = log.getvalue(), {**RESET, "op": "step", "steps": self.next.get("steps", 0) + 1, "reward": 0.0}
        if "lost" in reply:
            self.next = RESET
        return reply


def plain_of(text):
    """A text, and what is left of it when escapes of URLs, HTML, JSON and Python are taken away, once to three times."""
    every = [text]
    for _ in range(3):
        text = html.unescape(urllib.parse.unquote(text))
        text = re.sub(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", lambda found: found[3] or chr(int(found[1] or found[2], 16)), text)
        every.append(text)
    return "\n".join(every)


class Modes(unittest.TestCase):
    """Every way to misbehave of the stub, and what must happen to who plays."""

    def setUp(self):
        self.said = "ACTION: 1"
        self.server = self.enterContext(StubEndpoint(lambda body, n: "ACTION: 1" if n == 0 else self.said(body, n) if getattr(self.said, "by_number", False) else self.said))

    def each(self, *kinds):
        for name, mode in MODES.items():
            if mode.kind in kinds:
                self.server.heard.clear()
                self.name, self.said = name, mode.behave
                yield mode

    def first(self, behave):
        """Misbehaves once, and then answers."""
        def said(body, n):
            return behave if n == 1 else "ACTION: 1"
        said.by_number = True
        return said

    def test_there_are_many(self):
        self.assertGreater(len(MODES), 140)

    def test_what_passes_is_tried_again(self):
        player, quick = Player(self.server), Player(self.server, "--timeout", "0.7")
        for mode in self.each("passing", "waiting"):
            self.said = self.first(mode.behave)
            reply = (quick if self.name in SILENT else player).step()
            self.assertEqual((reply.get("action"), reply["calls"], len(self.server.heard)), (1, 2, 2), (self.name, reply))
            self.assertEqual((reply["marks"], reply["tokens_in"], reply["tokens_out"]), ({"answers": 1}, 10 + 10 * ("ACTION: 2" in json_of(mode)), 3 + 3 * ("ACTION: 2" in json_of(mode))))
            self.assertEqual((quick if self.name in SILENT else player).log.count("\n"), 1, self.name)
            self.assertLess(reply["seconds"], 10)

    def test_what_stays_loses_the_episode_and_says_why(self):
        patient, quick = Player(self.server, "--retries", "1"), Player(self.server, "--retries", "1", "--timeout", "0.2")
        for mode in self.each(*LOSES):
            player = quick if self.name in SILENT else patient
            tries = 2 if mode.kind in ("passing", "waiting") else 1
            reply = player.step()
            self.assertEqual((reply["lost"]["kind"], len(self.server.heard), reply["calls"]), (LOSES[mode.kind], tries, tries), (self.name, reply))
            self.assertNotIn("action", reply)
            self.assertNotIn("marks", reply)
            self.assertTrue(reply["lost"]["text"].isprintable() and reply["lost"]["text"])
            self.assertIn("no answer: " + reply["lost"]["text"], player.log)

    def test_answers_without_an_action_count_as_declared_and_are_marked(self):
        player, loser = Player(self.server), Player(self.server, "--unreadable-as", "lose")
        for mode in self.each("silent"):
            reply = player.step()
            self.assertEqual((reply["action"], reply["calls"], sorted(reply["marks"])), (0, 1, sorted(["answers", "unreadable", *mode.marks])), (self.name, reply))
            self.assertEqual(loser.step()["lost"]["kind"], "refused" if "refused" in mode.marks else "nonsense")

    def test_odd_answers_are_read(self):
        player = Player(self.server)
        for mode in self.each("odd"):
            reply = player.step()
            self.assertEqual((reply["action"], reply["calls"], sorted(reply["marks"])), (mode.action, 1, sorted(["answers", *mode.marks])), (self.name, reply))

    def test_what_is_not_known_is_left_out(self):
        for prices in ((), ("--price-in", "2", "--price-out", "10")):
            for mode in self.each("usage"):
                player = Player(self.server, *prices)
                reply = player.step()
                knows_tokens = {"tokens_in", "tokens_out"} <= set(mode.known)
                known = set(mode.known) - {"cost"} | ({"cost"} if (knows_tokens if prices else "cost" in mode.known) else set())
                self.assertEqual((reply["action"], {key for key in ("tokens_in", "tokens_out", "cost") if key in reply}), (1, known), (self.name, reply))

    def test_what_is_not_known_is_said_once(self):
        self.said = {"choices": [{"message": {"content": "ACTION: 1"}}]}
        player = Player(self.server, "--price-in", "1", "--price-out", "1")
        logs = [(player.step(), player.log)[1] for _ in range(3)]
        self.assertEqual([log.count("the endpoint does not say") for log in logs], [1, 0, 0])
        self.assertIn("--max-cost will stop the run", logs[0])

    def test_a_refusal_is_kept_as_a_thought(self):
        self.said = MODES["a refusal"].behave
        self.assertEqual(Player(self.server).step()["thought"], "I will not say ACTION: 2")

    def test_the_whole_reason_is_kept(self):
        self.said = Bad.status(400, said=b"because " * 400)
        self.assertIn("because " * 399, Player(self.server).step()["lost"]["text"])

    def test_what_was_paid_is_kept_though_the_episode_is_lost(self):
        player = Player(self.server, "--ask-again", "1", "--retries", "0", "--price-in", "1000000", "--price-out", "0")
        def said(body, n):
            return "I do not know." if n == 1 else Bad.status(500)
        said.by_number = True
        self.said = said
        reply = player.step()
        self.assertEqual((reply["lost"]["kind"], reply["calls"], reply["tokens_in"], reply["cost"], reply["marks"]), ("endpoint", 2, 10, 10, {"answers": 1, "unreadable": 1}))


def json_of(mode):
    """What a mode sends as a document, which says what it took."""
    return json.dumps(mode.behave) if isinstance(mode.behave, dict) else ""


class Turns(unittest.TestCase):
    """What later turns repeat of earlier ones."""

    def play(self, answer, n, *flags):
        with StubEndpoint(answer) as server:
            player = Player(server, "--turns", "-1", *flags)
            replies = [player.step() for _ in range(n)]
            return replies, [[(message["role"], message["content"]) for message in body["messages"]] for _, body, _ in server.heard]

    def test_empty_answers_are_no_turns(self):
        for empty in ("", " \n", None, "<think>hm", "<think>hm</think>"):
            _, heard = self.play(lambda body, n, empty=empty: completion(empty) if n == 2 else f"{n}. ACTION: 1", 4)
            self.assertEqual([text for role, text in heard[-1] if role == "assistant"], ["1. ACTION: 1", "3. ACTION: 1"])
            self.assertEqual([role for role, _ in heard[-1]], ["system", "user", "assistant", "user", "assistant", "user"])

    def test_thoughts_are_not_sent_again(self):
        _, heard = self.play(lambda body, n: f"<think>secret {n}</think>\nACTION: {n}", 3)
        self.assertEqual([text for role, text in heard[-1] if role == "assistant"], ["ACTION: 1", "ACTION: 2"])
        self.assertNotIn("secret", json.dumps(heard))

    @staticmethod
    def small(most):
        """An endpoint whose model takes so many messages."""
        return lambda body, n: MODES["vLLM says it"].behave if len(body["messages"]) > most else f"ACTION: {n % 6}"

    def test_old_turns_are_left_out_when_the_context_overflows_and_counted(self):
        replies, heard = self.play(self.small(8), 8)
        self.assertEqual([reply.get("marks", {}).get("dropped", 0) for reply in replies], [0, 0, 0, 0, 2, 0, 2, 0])
        self.assertFalse(any("lost" in reply for reply in replies))
        self.assertEqual(replies[4]["calls"], 2)
        sent = [messages for messages in heard if len(messages) <= 8]
        self.assertEqual([len(messages) for messages in sent], [2, 4, 6, 8, 6, 8, 6, 8])
        self.assertEqual(sent[4][1:-1], [message for message in heard[4][5:-1]], "the older half is left out")

    def test_without_turns_or_by_choice_the_episode_is_lost(self):
        for most, flags in ((1, []), (4, ["--on-overflow", "lose"])):
            replies, heard = self.play(self.small(most), 3, *flags)
            self.assertEqual(replies[-1].get("lost", {}).get("kind") if most > 1 else replies[0]["lost"]["kind"], "context")


class Thinking(unittest.TestCase):
    def test_thoughts_and_what_is_said_are_told_apart(self):
        for text, said, thought in (("hm", "hm", ""), ("<think>a</think> b", "b", "a"), ("a</think>b", "b", "a"), ("<think>a", "", "a"), ("x <Think>a</THINK> y <reasoning>b", "x  y", "a\n\nb"),
                                    ("<think>a<think>b</think>c", "c", "ab"), ("a</think>b</think>c", "c", "ab"), ("\u25c1think\u25b7a\u25c1/think\u25b7b", "b", "a"),
                                    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "b", "a<|end|><|start|>assistant")):
            self.assertEqual(thinking.apart(text), (said, thought), text)

    def test_reading_takes_linear_time(self):
        for text in ("<think>" * 30000, "</think>" * 30000, "<think>a</think>" * 30000, "<" * 300000, "<|channel|>analysis" * 30000):
            began = time.monotonic()
            thinking.apart(text)
            self.assertLess(time.monotonic() - began, 30, text[:20])


class Addresses(unittest.TestCase):
    def test_queries_are_kept_and_whole_addresses_are_taken(self):
        for given, asked in (("/v1", "/v1/chat/completions"), ("/v1/?api-version=2024-06-01", "/v1/chat/completions?api-version=2024-06-01"), ("", "/chat/completions"),
                             ("/v1/chat/completions?a=b&c", "/v1/chat/completions?a=b&c")):
            with StubEndpoint(lambda body, n: "5") as server:
                endpoint.Endpoint(server.url.removesuffix("/v1") + given, {"model": "m"}).ask("hm")
                self.assertEqual(server.heard[0][0], asked)

    def test_what_is_no_address_or_holds_a_secret_is_refused(self):
        for url, words in (("ftp://h/v1", "http://"), ("h:8000/v1", "http://"), ("http://h:x/v1", "is no URL"), ("http://[::1/v1", "is no URL"), ("http://me:pass@h/v1", "no password"),
                           ("https://h/v1?api-key=pass", "no key"), ("https://h/v1?Token=pass", "no key"), ("http://h:0/v1", "http://")):
            with self.assertRaises(SystemExit) as caught:
                endpoint.Endpoint(url, {})
            self.assertIn(words, str(caught.exception))
            self.assertNotIn("pass@", str(caught.exception))

    def test_prices_belong_together_and_numbers_make_sense(self):
        with StubEndpoint(lambda body, n: "5") as server:
            for flags in (["--price-in", "1"], ["--price-out", "1"], ["--price-in", "nan", "--price-out", "1"], ["--backoff", "inf"], ["--timeout", "-1"], ["--max-wait", "soon"]):
                with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()):
                    Player(server, *flags)


class Client(unittest.TestCase):
    def test_a_try_ends_in_time_however_slowly_bytes_come(self):
        for bad in (Bad.hang, Bad.drip, Bad.drip_headers):
            with StubEndpoint(lambda body, n, bad=bad: bad) as server:
                began = time.monotonic()
                with self.assertRaises(endpoint.EndpointError):
                    ask(server, retries=0, timeout=0.3)
                self.assertLess(time.monotonic() - began, 20)

    def test_all_tries_end_by_the_time_they_are_given(self):
        with StubEndpoint(lambda body, n: Bad.hang) as server:
            began = time.monotonic()
            client = endpoint.Endpoint(server.url, {"model": "m"}, retries=50, backoff=0.01, timeout=0.2)
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaises(endpoint.EndpointError):
                client.ask("hm", began + 3)
            self.assertLess(time.monotonic() - began, 20)
            self.assertGreater(len(server.heard), 1)

    def test_the_server_says_how_long_to_wait(self):
        for header in ("0.3", time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 2))):
            with StubEndpoint(lambda body, n, header=header: Bad.status(429, [("Retry-After", header)]) if n == 1 else "5") as server:
                began = time.monotonic()
                ask(server)
                self.assertGreater(time.monotonic() - began, 0.29)
        with StubEndpoint(lambda body, n: Bad.status(429, [("Retry-After", "3600")])) as server:
            client = endpoint.Endpoint(server.url, {"model": "m"})
            with contextlib.redirect_stderr(io.StringIO()), self.assertRaisesRegex(endpoint.EndpointError, "no time for another"):
                client.ask("hm", time.monotonic() + 60)

    def test_tokens_and_costs_are_counted(self):
        with StubEndpoint(lambda body, n: completion("5", usage=(1000, 10))) as server:
            answer = ask(server, prices=(2.0, 5.0))
            self.assertEqual((answer.spent.tokens_in, answer.spent.tokens_out, answer.spent.cost), (1000, 10, 0.00205))
            self.assertIsNone(ask(server).spent.cost)
        with StubEndpoint(lambda body, n: {**completion("5"), "usage": {"cost": 0.25}}) as server:
            self.assertEqual(ask(server).spent.cost, 0.25)


class Keys(unittest.TestCase):
    def assertHidden(self, text, key=KEY):
        for part in (key[i:i + keys.PART] for i in range(len(key) - keys.PART + 1)):
            self.assertNotIn(part, plain_of(text))
            for before in range(3):
                self.assertNotIn(base64.b64encode(b"x" * before + part.encode()).decode()[2 + before:10], text)

    def test_every_spelling_at_every_place_is_hidden(self):
        hide = keys.Key(KEY).hide
        for name, spell in SPELLINGS.items():
            for before in range(12):
                for after in range(3):
                    with self.subTest(name, before=before, after=after):
                        text = hide(f"<{spell('x' * before + KEY + 'y' * after)}>")
                        self.assertHidden(text)
                        self.assertIn("[key]", text)

    def test_what_is_left_of_a_key_is_hidden_if_it_is_a_part_of_it(self):
        hide = keys.Key(KEY).hide
        for begin in range(len(KEY)):
            for end in range(begin + keys.PART, len(KEY) + 1):
                for name in ("plain", "JSON", "HTML twice", "Python in JSON"):
                    self.assertEqual(hide(f"a {SPELLINGS[name](KEY[begin:end])} b"), "a [key] b")

    def test_other_texts_stay_as_they_are(self):
        text = "ACTION: 1 %20 \\u0041 &#65; sk-012345 \\ " + base64.b64encode(b"something else altogether").decode()
        for key in (KEY, "EMPTY", ""):
            self.assertEqual(keys.Key(key).hide(text), text)

    def test_space_around_a_key_is_none_of_it_and_no_key_has_more(self):
        for text in (KEY + "\r", KEY + "\r\n", f" {KEY}\n", "\ufeff"[:0] + KEY):
            self.assertEqual(keys.Key(text).text, KEY)
        for text in (f"{KEY}\r{KEY}", f"{KEY} {KEY}", KEY + "\u00e9", "\ufeff" + KEY, KEY + "\udc80", "\0" + KEY):
            with self.assertRaises(SystemExit) as caught:
                keys.Key(text, "$NAME")
            self.assertRegex(str(caught.exception), r"\$NAME holds a character that no key has")
            self.assertHidden(str(caught.exception))

    def test_an_echo_of_the_header_is_hidden_wherever_texts_are_cut(self):
        """A server repeats the header at every place of its reply: as an error, as no JSON, and as an answer."""
        near = endpoint.SHOWN - 40
        places = [*range(0, near, 1 if NIGHTLY else 30), *range(near, endpoint.SHOWN + 5), 1990]
        shapes = (lambda said: Bad.status(401, said=said), Bad.raw, lambda said: completion(said.decode()), lambda said: {"choices": [], "error": {"message": said.decode()}})
        said = [None]
        with StubEndpoint(lambda body, n: said[0]) as server:
            for name in SPELLINGS if NIGHTLY else ("plain", "base64", "URL"):
                echo = SPELLINGS[name](KEY)
                for shape in shapes:
                    for place in places[::1 if shape is shapes[0] else 9]:
                        said[0] = shape(b"x" * place + echo.encode() + b"y" * 30)
                        shown = self.whatever(server)
                        self.assertHidden(shown + ask.log)
                        self.assertNotRegex(shown + ask.log, r"xx[^x\[ \n]", "what follows is the beginning of a key that was cut")

    @staticmethod
    def whatever(server):
        try:
            return ask(server, key=KEY, retries=0).text
        except endpoint.EndpointError as error:
            return str(error)

    def test_keys_come_back_hidden(self):
        for said in (Bad.status(401, said=f"Incorrect key {KEY}".encode()), Bad.status(500, said=KEY.encode()), Bad.raw(KEY.encode())):
            with StubEndpoint(lambda body, n, said=said: said) as server:
                with self.assertRaises(endpoint.EndpointError) as caught:
                    ask(server, key=KEY, retries=1)
                self.assertNotIn(KEY, str(caught.exception) + ask.log)
                self.assertIn("[key]", str(caught.exception))
        with StubEndpoint(lambda body, n: f"Your key is {KEY}") as server:
            self.assertEqual(ask(server, key=KEY).text, "Your key is [key]")
            self.assertEqual(server.heard[0][2]["Authorization"], "Bearer " + KEY)

    def test_a_reply_that_ends_within_the_key_is_hidden(self):
        said = [None]
        with StubEndpoint(lambda body, _: said[0]) as server:
            for n in range(keys.PART, len(KEY)):
                said[0] = Bad.status(500, said=f"your header: Bearer {KEY[:n]}".encode())
                self.assertIn("Bearer [key]", self.whatever(server))


class Programs(unittest.TestCase):
    """All programs that ask an endpoint: whatever they say, it is without the key."""
    NEEDED = {"agents/chat_model.py": ["--preset", "markovian"], "babybench/ask.py": ["rows.jsonl", "-o", "answers.jsonl"],
              "models/write_model.py": ["--train", "a", "--test", "b", "-o", "out"], "models/write_world.py": ["Push it.", "-o", "out"],
              "agents/write_bot.py": ["--task", "GoToGoal", "-o", "out"]}
    WITHOUT_PACKAGE = "import sys, types; sys.modules['seedbed'] = types.ModuleType('seedbed'); sys.argv = sys.argv[1:]; import runpy; sys.path.insert(0, {!r}); runpy.run_path({!r}, run_name='__main__')"

    def run_program(self, name, *flags, key=KEY, **environment):
        path = os.path.join(ROOT, "examples", name)
        code = self.WITHOUT_PACKAGE.format(os.path.dirname(path), path)
        with tempfile.TemporaryDirectory() as folder:
            return subprocess.run([sys.executable, "-c", code, path, "--model", "m", *self.NEEDED[name], *flags], cwd=folder, input="", capture_output=True, text=True, timeout=60,
                                  env={**os.environ, "OPENAI_API_KEY": key, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", **environment})

    def test_a_key_in_the_command_line_is_refused_before_anything_repeats_it(self):
        cases = (["--body", json.dumps({"key": KEY})], ["--key-env", KEY], [f"--no-such={KEY}"], ["--retries", KEY], ["--key-e", KEY],
                 ["--user", urllib.parse.quote(KEY, safe="")], ["--url", "http://h/" + base64.b64encode(KEY.encode()).decode()])
        for name in self.NEEDED:
            for flags in cases if NIGHTLY or name == "agents/chat_model.py" else cases[:1]:
                with self.subTest(name, flags=flags):
                    done = self.run_program(name, *flags)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertNotIn(KEY, done.stdout + done.stderr)
                    self.assertRegex(done.stderr, "the key is in the command line|takes the name of an environment variable")

    def test_a_key_of_another_variable_is_kept_out_too(self):
        for flag in ("--key-env", "--key-e"):
            done = self.run_program("agents/chat_model.py", flag, "OTHER", "--body", json.dumps({"key": KEY}), key="", OTHER=KEY)
            self.assertIn("leave it in $OTHER", done.stderr)

    def test_what_no_header_takes_is_said_at_the_start(self):
        for name in self.NEEDED:
            done = self.run_program(name, key=KEY + "\r\n" + KEY)
            self.assertIn("$OPENAI_API_KEY holds a character that no key has", done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_no_exception_shows_it(self):
        """Whatever is raised, with whatever text, its traceback is without the key."""
        code = f"import sys; sys.path.insert(0, {os.path.join(ROOT, 'examples', 'agents')!r}); import keys; keys.ready('K', []); import os; raise ValueError('x' * 7 + os.environ['K'])"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "K": KEY})
        self.assertIn("ValueError: xxxxxxx[key]", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(argument for argument in sys.argv[1:] if not os.path.exists(argument))])
