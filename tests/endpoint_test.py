"""examples/agents/endpoint.py and keys.py: a client under every misbehaviour of an endpoint, and keys that no text holds.

    python3 tests/endpoint_test.py
"""
import base64
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

from stub_endpoint import Bad, StubEndpoint, completion

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "examples", "agents"))
import endpoint  # noqa: E402
import keys  # noqa: E402

KEY = "sk-0123/456+789=abcdefSECRET"
NIGHTLY = bool(os.environ.get("SEEDBED_NIGHTLY"))
SPELLINGS = {"plain": str, "base64": lambda text: base64.b64encode(text.encode()).decode(), "base64 for URLs": lambda text: base64.urlsafe_b64encode(text.encode()).decode(),
             "URL": lambda text: urllib.parse.quote(text, safe=""), "URL in small letters": lambda text: urllib.parse.quote(text, safe="").replace("%2F", "%2f").replace("%2B", "%2b"),
             "URL twice": lambda text: urllib.parse.quote(urllib.parse.quote(text, safe=""), safe=""), "all in percents": lambda text: "".join(f"%{ord(c):02x}" for c in text),
             "JSON": lambda text: "".join(f"\\u{ord(c):04X}" for c in text), "PHP's JSON": lambda text: text.replace("/", "\\/"), "HTML": lambda text: "".join(f"&#{ord(c)};" for c in text),
             "Python": repr}


def ask(server, prompt="hm", **options):
    """Asks the stub once, quickly, and returns the answer."""
    with contextlib.redirect_stderr(io.StringIO()) as log:
        try:
            return endpoint.Endpoint(server.url, {"model": "m"}, **{"backoff": 0.001, "timeout": 0.4, **options}).ask(prompt)
        finally:
            ask.log = log.getvalue()


def plain_of(text):
    """A text with everything in it also read as base64, URL, JSON and HTML would write it."""
    return text + urllib.parse.unquote(urllib.parse.unquote(text)) + text.replace("\\/", "/")


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
                self.assertEqual(hide(f"a {KEY[begin:end]} b"), "a [key] b")

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

    def test_a_reply_that_ends_within_the_key_is_hidden(self):
        said = [None]
        with StubEndpoint(lambda body, _: said[0]) as server:
            for n in range(keys.PART, len(KEY)):
                said[0] = Bad.status(500, said=f"your header: Bearer {KEY[:n]}".encode())
                self.assertIn("Bearer [key]", self.whatever(server))


class Programs(unittest.TestCase):
    """All programs that ask an endpoint: whatever they say, it is without the key."""
    NEEDED = {"agents/chat_model.py": ["--preset", "markovian"], "babybench/ask.py": ["rows.jsonl", "-o", "answers.jsonl"],
              "models/write_model.py": ["--train", "a", "--test", "b", "-o", "out"], "agents/write_bot.py": ["--task", "GoToGoal", "-o", "out"]}
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
