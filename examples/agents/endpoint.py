"""A client for OpenAI-compatible endpoints: one question, one answer, with retries. It is used by chat_model.py and by
../babybench/ask.py, and needs the standard library only.

The key comes from an environment variable (keys.py). It is sent to the endpoint, never to another address (redirects are errors), and
what comes back is searched for it before anything else is done, so that no log and no file can hold it.
"""
import argparse
import email.utils
import http.client
import json
import os
import random
import socket
import ssl
import sys
import threading
import time
import urllib.parse
from dataclasses import dataclass

import keys  # from the same folder

ANSWER_BYTES = 8 << 20  # of a whole reply, by default
SHOWN = 200  # characters of a foreign text in a message
LATER = {408, 409, 425, 429}  # statuses that ask for another try, besides all from 500 on


class EndpointError(Exception):
    """There is no answer to this question, after all tries."""


class Trouble(Exception):
    """A try failed in a way that may pass. `wait` is how many seconds the server asked for."""

    def __init__(self, text, wait=0.0):
        super().__init__(text)
        self.wait = wait


@dataclass
class Answer:
    text: str
    reasoning: str = ""
    is_cut: bool = False  # it ended because it had too many tokens
    calls: int = 0  # tries, also those that failed
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0  # of all tries and pauses
    cost: float | None = None


def whole_number(text):
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number from 0 on is expected, not `{text}`")
    return int(text)


def json_object(text):
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"this is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("a JSON object is expected")
    return value


def add_options(parser):
    """Adds the options that say which endpoint is asked, and how."""
    add = parser.add_argument
    add("--url", default=os.environ.get("OPENAI_BASE_URL"), help="base of the endpoint, such as http://localhost:8000/v1 (default: $OPENAI_BASE_URL)")
    add("--model", required=True, help="name of the model, as the endpoint knows it")
    add("--key-env", default="OPENAI_API_KEY", metavar="NAME", help="the environment variable that holds the key, if one is needed (default: OPENAI_API_KEY)")
    add("--max-tokens", type=int, help="most tokens of an answer")
    add("--temperature", type=float)
    add("--top-p", type=float)
    add("--seed", type=int, help="sent with every request; servers that take it repeat their answers")
    add("--body", type=json_object, default={}, metavar="JSON", help="more members of the request; null takes one out")
    add("--retries", type=whole_number, default=5, help="further tries after a failure that may pass (default: 5)")
    add("--backoff", type=float, default=1.0, help="seconds before the first retry; doubled each time, at most a minute (default: 1)")
    add("--timeout", type=float, default=120.0, help="seconds for one try (default: 120)")
    add("--price-in", type=float, help="cost of a million tokens that are sent")
    add("--price-out", type=float, help="cost of a million tokens that come back")


def parse(parser, arguments):
    """Parses a command line with these options. Messages about mistakes in it never hold the key."""
    keys.ready(keys.named(arguments), arguments)
    options = parser.parse_args(arguments)
    options.key = keys.ready(options.key_env, arguments)  # the name may have been abbreviated
    return options


def from_options(options, api="chat"):
    if not options.url:
        raise SystemExit("--url is missing, and so is $OPENAI_BASE_URL: where is the endpoint?")
    body = {"model": options.model, "max_tokens": options.max_tokens, "temperature": options.temperature, "top_p": options.top_p, "seed": options.seed}
    body = {key: value for key, value in {**body, **options.body}.items() if value is not None}
    return Endpoint(options.url, body, key=options.key, api=api, retries=options.retries, backoff=options.backoff, timeout=options.timeout,
                    prices=(options.price_in, options.price_out))


class Endpoint:
    """Any number of threads may ask it at a time."""

    def __init__(self, url, body, key="", api="chat", retries=5, backoff=1.0, timeout=120.0, prices=(None, None), most=ANSWER_BYTES):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise SystemExit(f"--url should be http://... or https://..., not `{url}`")
        if parts.username or parts.password:
            raise SystemExit("--url should hold no name and no password")
        self.parts, self.body, self.api = parts, body, api
        self.path = parts.path.rstrip("/") + ("/chat/completions" if api == "chat" else "/completions")
        self.retries, self.backoff, self.timeout, self.prices, self.most = retries, backoff, timeout, prices, most
        self._key = key if isinstance(key, keys.Key) else keys.Key(key)

    def ask(self, prompt, until=None, **more):
        """Returns the answer to a list of messages, or to a text where the API is `completions`. `until`: the time (time.monotonic) by
        which it has to be there; `more`: members of this request."""
        began = time.monotonic()
        body = json.dumps({**self.body, **more, ("messages" if self.api == "chat" else "prompt"): prompt}).encode()
        for calls in range(1, self.retries + 2):
            left = self.timeout if until is None else min(self.timeout, until - time.monotonic())
            if left <= 0:
                raise EndpointError("there is no time left")
            try:
                answer = self._read(self._exchange(body, left))
            except Trouble as trouble:
                self._pause(calls, trouble, until)
                continue
            answer.calls, answer.seconds = calls, time.monotonic() - began
            return answer
        raise AssertionError

    def _pause(self, calls, trouble, until):
        """Waits before the next try, if there is one."""
        if calls > self.retries:
            raise EndpointError(f"{trouble} ({calls} tries)")
        pause = max(trouble.wait, min(60.0, self.backoff * 2 ** (calls - 1)) * random.uniform(0.5, 1))
        if until is not None and time.monotonic() + pause >= until:
            raise EndpointError(f"{trouble} ({calls} tries, and no time for another)")
        print(f"try {calls} failed: {trouble}; the next one in {pause:.1f} s", file=sys.stderr, flush=True)
        time.sleep(pause)

    def _exchange(self, body, seconds):
        """Sends the request and returns the reply's bytes. Whatever the server does, it ends after about so many seconds."""
        ends = time.monotonic() + seconds
        kind = http.client.HTTPSConnection if self.parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(self.parts.hostname, self.parts.port, timeout=seconds)
        watchdog = None
        try:
            connection.connect()
            watchdog = threading.Timer(max(0.0, ends - time.monotonic()), cut, [connection.sock])
            watchdog.daemon = True
            watchdog.start()
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            if self._key:
                headers["Authorization"] = "Bearer " + self._key.text
            connection.request("POST", self.path, body, headers)
            response = connection.getresponse()
            data = response.read(self.most + 1)
            if time.monotonic() >= ends:
                raise Trouble(f"no whole answer within {seconds:.0f} s")
            self._check(response, data)
            return data
        except (OSError, http.client.HTTPException, ValueError) as error:
            if time.monotonic() >= ends:
                raise Trouble(f"no whole answer within {seconds:.0f} s") from None
            if isinstance(error, ssl.SSLCertVerificationError):
                raise EndpointError(f"the server's certificate is not trusted: {error.verify_message}") from None
            raise Trouble(self._plain(f"{type(error).__name__}: {error}")) from None
        finally:
            if watchdog:
                watchdog.cancel()
            connection.close()

    def _check(self, response, data):
        status, said = response.status, self._plain(data.decode("utf-8", "replace"))
        text = f"{status} {self._plain(response.reason or '')}: {said}" if said else f"{status} {self._plain(response.reason or '')}"
        if status in LATER or status >= 500:
            raise Trouble(text, seconds_to_wait(response.headers.get("Retry-After")))
        if 300 <= status < 400:
            raise EndpointError(f"{status}: the endpoint is elsewhere; is --url right?")
        if status != 200:
            raise EndpointError(text)
        if len(data) > self.most:
            raise EndpointError(f"the reply has more than {self.most} bytes")
        if response.length:
            raise Trouble(f"the reply was cut: {response.length} bytes are missing")

    def _read(self, data):
        try:
            document = json.loads(data)
        except (ValueError, RecursionError):
            raise Trouble("the reply is no JSON: " + self._plain(data.decode("utf-8", "replace"))) from None
        choices = document.get("choices") if isinstance(document, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if self.api == "chat" and isinstance(first, dict) else first
        if not isinstance(message, dict):
            raise Trouble("the reply holds no answer: " + self._plain(data.decode("utf-8", "replace")))
        text = self._clean(message.get("content" if self.api == "chat" else "text"))
        reasoning = self._clean(message.get("reasoning_content") or message.get("reasoning"))
        answer = Answer(text, reasoning, first.get("finish_reason") == "length")
        self._count(answer, document.get("usage"))
        return answer

    def _count(self, answer, usage):
        usage = usage if isinstance(usage, dict) else {}
        answer.tokens_in, answer.tokens_out = count_of(usage.get("prompt_tokens")), count_of(usage.get("completion_tokens"))
        if any(price is not None for price in self.prices):
            answer.cost = ((self.prices[0] or 0) * answer.tokens_in + (self.prices[1] or 0) * answer.tokens_out) / 1e6
        elif isinstance(usage.get("cost"), (int, float)) and 0 <= usage["cost"] < float("inf"):
            answer.cost = float(usage["cost"])  # some servers say it

    def _clean(self, content):
        """Returns the text of a message: text, a list of parts, or nothing. Halves of surrogate pairs cannot be
        written, and texts with NUL are refused by `seedbed eval`."""
        if isinstance(content, list):
            content = "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
        text = content if isinstance(content, str) else ""
        return self._key.hide(text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode())

    def _plain(self, text):
        """Returns the beginning of a foreign text on one line, for messages. What is hidden is hidden before anything is cut."""
        text = self._key.hide(text)[:20 * SHOWN]
        return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:SHOWN]


def cut(sock):
    """Ends a connection in whatever another thread does with it."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def count_of(value):
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else 0


def seconds_to_wait(text):
    """Reads the header Retry-After: seconds, or a date."""
    try:
        return max(0.0, float(text))
    except (TypeError, ValueError):
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0
