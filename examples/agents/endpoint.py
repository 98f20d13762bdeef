"""A client for OpenAI-compatible endpoints: one question, one answer, with retries. It is used by chat_model.py and by
../babybench/ask.py, and needs the standard library only.

The key comes from an environment variable (keys.py). It is sent to the endpoint, never to another address (redirects are errors), and
what comes back is searched for it before anything else is done, so that no log and no file can hold it.
"""
import argparse
import email.utils
import http.client
import json
import math
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
from texts import prompts, thinking

ANSWER_BYTES = 8 << 20  # of a whole reply, by default
SHOWN, TOLD = 200, 4000  # characters of a foreign text in a line about a try, and in the reason of a loss
# What `finish_reason` says, by the names of various servers. Everything else is an answer that came to its end.
CUT = {"length", "max_tokens", "max_output_tokens", "model_length"}
REFUSED = {"content_filter", "content_filtered", "refusal", "safety", "prohibited_content", "blocklist", "recitation", "spii", "sensitive", "guardrail_intervened"}
FAILED = {"error", "abort", "aborted", "cancelled", "canceled", "failed", "timeout", "network_error", "insufficient_system_resource"}
# Words by which servers say why they do not answer. Whatever else they say is the endpoint's own affair.
REASONS = {
    "context": prompts.TOO_LONG,
    "quota": ("insufficient_quota", "insufficient credits", "insufficient balance", "insufficient_balance", "credit balance", "requires more credits", "payment required",
              "billing_hard_limit", "billing hard limit"),
    "refused": ("content_filter", "content management policy", "content_policy", "content policy", "flagged", "moderation", "safety system")}
BROKEN = "the stream of the answer broke off"
BY_STATUS = {402: "quota", 413: "context"}
KEYS_IN_URL = {"key", "api-key", "api_key", "apikey", "token", "access_token", "subscription-key", "sig", "secret"}


class EndpointError(Exception):
    """There is no answer to this question, after all tries. `kind`: `endpoint`, `context` (the messages are too long), `quota` (there is nothing left to pay
    with) or `refused`; `spent` is what the tries took."""

    def __init__(self, text, kind="endpoint"):
        super().__init__(text)
        self.kind, self.spent = kind, Spent()


class Trouble(Exception):
    """A try failed in a way that may pass. `wait` is how many seconds the server asked for."""

    def __init__(self, text, wait=0.0, kind="endpoint"):
        super().__init__(text)
        self.wait, self.kind = wait, kind


@dataclass
class Spent:
    """What tries took. None: that is not known, which is not 0. Tries that fail are free, unless their replies say more."""
    calls: int = 0  # tries, also those that failed
    tokens_in: int | None = None
    tokens_out: int | None = None
    seconds: float = 0.0  # of all tries and pauses
    cost: float | None = None

    def add(self, more):
        """Adds what another reply took; what only one of them tells is a part of the sum, so the sum is not known."""
        for name in ("tokens_in", "tokens_out", "cost"):
            values = getattr(self, name), getattr(more, name)
            setattr(self, name, None if None in values else sum(values))
        self.calls, self.seconds = self.calls + more.calls, self.seconds + more.seconds


@dataclass
class Answer:
    text: str
    reasoning: str = ""  # that the server tells apart from the text
    is_cut: bool = False  # it ended because it had too many tokens
    refusal: str = ""  # what the model or its provider said instead of an answer
    is_refused: bool = False
    spent: Spent | None = None

    @property
    def said(self):
        """The text without the thoughts in it."""
        return thinking.apart(self.text)[0]

    @property
    def thought(self):
        """All thoughts, and what a refusal says."""
        return "\n\n".join(filter(None, (self.reasoning.strip(), thinking.apart(self.text)[1], self.refusal.strip())))

    def marks(self):
        """What is odd about it: names of marks that results count (docs/agents.md)."""
        return [name for name, holds in (("cut", self.is_cut), ("refused", self.is_refused), ("empty", not self.said.strip())) if holds]


def whole_number(text):
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"a whole number from 0 on is expected, not `{text}`")
    return int(text)


def positive_number(text):
    value = whole_number(text)
    if not value:
        raise argparse.ArgumentTypeError("a whole number from 1 on is expected, not `0`")
    return value


def number(text):
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"a number from 0 on is expected, not `{text}`")
    return value


def seconds(text):
    value = number(text)
    if not value:
        raise argparse.ArgumentTypeError("more than 0 seconds are expected")
    return value


def json_object(text):
    try:
        value = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"this is no JSON: {error}") from None
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("a JSON object is expected")
    return value


def request_members(text):
    value = json_object(text)
    if "model" in value:
        raise argparse.ArgumentTypeError("the model is named by --model, and by that name results know it")
    return value


def add_options(parser):
    """Adds the options that say which endpoint is asked, and how."""
    add = parser.add_argument
    add("--url", default=os.environ.get("OPENAI_BASE_URL"), help="base of the endpoint, such as http://localhost:8000/v1 (default: $OPENAI_BASE_URL)")
    add("--model", required=True, help="name of the model, as the endpoint knows it")
    add("--key-env", default="OPENAI_API_KEY", metavar="NAME", help="the environment variable that holds the key, if one is needed (default: OPENAI_API_KEY)")
    add("--max-tokens", type=positive_number, help="most tokens of an answer")
    add("--temperature", type=number)
    add("--top-p", type=number)
    add("--seed", type=int, help="sent with every request; servers that take it repeat their answers")
    add("--body", type=request_members, default={}, metavar="JSON", help="more members of the request; null takes one out")
    add("--retries", type=whole_number, default=5, help="further tries after a failure that may pass (default: 5)")
    add("--backoff", type=number, default=1.0, help="seconds before the first retry; doubled each time, at most a minute (default: 1)")
    add("--max-wait", type=number, default=300.0, help="seconds that the server's Retry-After may ask for; a longer one counts as this (default: 300)")
    add("--timeout", type=seconds, default=120.0, help="seconds for one try (default: 120)")
    add("--price-in", type=number, help="cost of a million tokens that are sent; needs --price-out")
    add("--price-out", type=number, help="cost of a million tokens that come back")
    add("--server-costs", action="store_true", help="the server itself tells the `cost` in `usage`: with --max-cost of `seedbed eval`, in place of prices")


def parse(parser, arguments):
    """Parses a command line with these options. Messages about mistakes in it never hold the key."""
    keys.ready(keys.named(arguments), arguments)
    options = parser.parse_args(arguments)
    options.key = keys.ready(options.key_env, arguments)  # the name may have been abbreviated
    return options


def from_options(options, api="chat"):
    if not options.url:
        raise SystemExit("--url is missing, and so is $OPENAI_BASE_URL: where is the endpoint?")
    if (options.price_in is None) != (options.price_out is None):
        raise SystemExit("--price-in and --price-out belong together: a price that is not known is not 0")
    body = {"model": options.model, "max_tokens": options.max_tokens, "temperature": options.temperature, "top_p": options.top_p, "seed": options.seed}
    body = {key: value for key, value in {**body, **options.body}.items() if value is not None}
    return Endpoint(options.url, body, key=options.key, api=api, retries=options.retries, backoff=options.backoff, timeout=options.timeout,
                    longest=options.max_wait, prices=(options.price_in, options.price_out))


class Endpoint:
    """Any number of threads may ask it at a time."""

    def __init__(self, url, body, key="", api="chat", retries=5, backoff=1.0, timeout=120.0, prices=(None, None), most=ANSWER_BYTES, longest=300.0):
        self.body, self.api = body, api
        self.parts, self.path = parts_of(url, "/chat/completions" if api == "chat" else "/completions")
        self.retries, self.backoff, self.timeout, self.prices, self.most, self.longest = retries, backoff, timeout, prices, most, longest
        self._key = key if isinstance(key, keys.Key) else keys.Key(key)
        self._warned, self._lock = False, threading.Lock()

    def ask(self, prompt, until=None, **more):
        """Returns the answer to a list of messages, or to a text where the API is `completions`. `until`: the time (time.monotonic) by
        which it has to be there; `more`: members of this request."""
        began, spent = time.monotonic(), Spent(tokens_in=0, tokens_out=0, cost=0)
        body = json.dumps({**self.body, **more, ("messages" if self.api == "chat" else "prompt"): prompt}).encode()
        try:
            answer = self._try(body, spent, until)
        except EndpointError as error:
            spent.seconds = time.monotonic() - began
            error.spent = spent
            raise
        spent.seconds = time.monotonic() - began
        answer.spent = spent
        return answer

    def _try(self, body, spent, until):
        """Asks until there is an answer, and adds up what all tries took."""
        for tries in range(1, self.retries + 2):
            left = self.timeout if until is None else min(self.timeout, until - time.monotonic())
            if left <= 0:
                raise EndpointError("there is no time left")
            spent.calls = tries
            try:
                return self._take(self._document(self._exchange(body, left)), spent)
            except Trouble as trouble:
                self._pause(tries, trouble, until)
        raise AssertionError

    def _take(self, document, spent):
        """Returns the answer in a reply, and adds what it took."""
        usage = self._usage(document)
        try:
            answer = self._answer(document)
        except (Trouble, EndpointError):
            spent.add(usage if usage != Spent() else Spent(tokens_in=0, tokens_out=0, cost=0))
            raise
        if usage.tokens_in is None or usage.tokens_out is None:
            self._warn()
        spent.add(usage)
        return answer

    def _pause(self, tries, trouble, until):
        """Waits before the next try, if there is one."""
        if tries > self.retries:
            raise EndpointError(f"{trouble} ({tries} tries)", trouble.kind)
        pause = max(min(trouble.wait, self.longest), min(60.0, self.backoff * 2 ** min(tries - 1, 30)) * random.uniform(0.5, 1))
        if until is not None and time.monotonic() + pause >= until:
            raise EndpointError(f"{trouble} ({tries} tries, and no time for another)", trouble.kind)
        print(f"try {tries} failed: {str(trouble)[:2 * SHOWN]}; the next one in {pause:.1f} s", file=sys.stderr, flush=True)
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
        status, said = response.status, self._plain(data.decode("utf-8", "replace"), TOLD)
        text = f"{status} {self._plain(response.reason or '')}: {said}" if said else f"{status} {self._plain(response.reason or '')}"
        kind = BY_STATUS.get(status) or (reason_of(said) if status >= 400 else "endpoint")
        is_final = "insufficient_quota" in said or (kind == "context" and status >= 500)
        if prompts.may_pass(status) and not is_final:
            raise Trouble(text, seconds_to_wait(response.headers.get("Retry-After")), kind)
        if 300 <= status < 400:
            raise EndpointError(f"{status}: the endpoint is elsewhere; is --url right?")
        if status != 200:
            raise EndpointError(text, kind)
        if len(data) > self.most:
            raise EndpointError(f"the reply has more than {self.most} bytes")
        if response.length:
            raise Trouble(f"the reply was cut: {response.length} bytes are missing")

    def _document(self, data):
        """Returns what a reply holds: a JSON object, or a stream of its pieces, which some servers send though nobody asked for it."""
        text = data.decode("utf-8-sig", "replace").strip()
        try:
            if text.startswith(("data:", "event:", "id:", "retry:", ":")):
                document = joined(events_of(text), "message" if self.api == "chat" else "text")
            else:
                document, end = json.JSONDecoder().raw_decode(text)
                if text[end:].strip() not in ("", "[DONE]", "data: [DONE]"):
                    raise ValueError
        except (ValueError, RecursionError) as error:
            raise Trouble("the reply is no JSON: " + self._plain(text) if str(error) != BROKEN else BROKEN) from None
        if not isinstance(document, dict):
            raise Trouble("the reply holds no answer: " + self._plain(text))
        return document

    def _answer(self, document):
        choices = document.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if self.api == "chat" and isinstance(first, dict) else first
        finish = first.get("finish_reason") if isinstance(first, dict) else None
        finish = finish.lower() if isinstance(finish, str) else ""
        failure = document.get("error") or (isinstance(first, dict) and (first.get("error") or (finish in FAILED and f"finish_reason `{finish}`")))
        if failure:
            self._fail(failure)
        if not isinstance(message, dict):
            raise Trouble("the reply holds no answer: " + self._plain(json.dumps(document), TOLD))
        text, refusal = self._clean(message.get("content" if self.api == "chat" else "text")), self._clean(message.get("refusal"))
        reasoning = self._clean(message.get("reasoning_content") or message.get("reasoning"))
        return Answer(text, reasoning, finish in CUT, refusal, finish in REFUSED or bool(refusal.strip()))

    def _fail(self, failure):
        """A provider failed, or refused, behind a status that says that all is well."""
        text = "the provider failed: " + self._plain(failure if isinstance(failure, str) else json.dumps(failure, ensure_ascii=False), TOLD)
        kind = reason_of(text)
        if kind in ("context", "quota"):
            raise EndpointError(text, kind)
        raise Trouble(text, kind=kind)

    def _usage(self, document):
        """What the server says that a reply took."""
        usage = document.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        spent = Spent(tokens_in=count_of(usage.get("prompt_tokens")), tokens_out=count_of(usage.get("completion_tokens")), cost=amount_of(usage.get("cost")))
        if None not in self.prices:
            is_known = None not in (spent.tokens_in, spent.tokens_out)
            spent.cost = (self.prices[0] * spent.tokens_in + self.prices[1] * spent.tokens_out) / 1e6 if is_known else None
        return spent

    def _warn(self):
        """Says once that something is not known."""
        with self._lock:
            if not self._warned:
                print("the endpoint does not say in `usage` how many `prompt_tokens` and `completion_tokens` there were: tokens are not known"
                      + (", nor are costs, so --max-cost will stop the run" if None not in self.prices else ""), file=sys.stderr, flush=True)
            self._warned = True

    def _clean(self, content):
        """Returns the text of a message: text, a list of parts, or nothing. Halves of surrogate pairs cannot be
        written, and texts with NUL are refused by `seedbed eval`."""
        if isinstance(content, list):
            content = "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
        text = content if isinstance(content, str) else ""
        return self._key.hide(text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace").decode())

    def _plain(self, text, most=SHOWN):
        """Returns the beginning of a foreign text on one line, for messages. What is hidden is hidden before anything is cut."""
        text = self._key.hide(text)[:20 * most]
        return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:most]


def parts_of(url, path):
    """Returns the parts of an URL, and what is asked there: `path` below it, with its query, such as Azure's `?api-version=...`."""
    try:
        parts = urllib.parse.urlsplit(url)
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        raise SystemExit("--url is no URL: is its host or port right?") from None
    if parts.username or parts.password:
        raise SystemExit("--url should hold no name and no password")
    if any(name.lower() in KEYS_IN_URL for name, _ in urllib.parse.parse_qsl(parts.query, keep_blank_values=True)):
        raise SystemExit("--url should hold no key: results keep it")
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_right:
        raise SystemExit(f"--url should be http://... or https://..., not `{url}`")
    base = parts.path.rstrip("/").removesuffix(path)
    return parts, base + path + (f"?{parts.query}" if parts.query else "")


def reason_of(text):
    """Returns why there is no answer, from what the server says."""
    text = text.lower()
    return next((kind for kind, words in REASONS.items() if any(word in text for word in words)), "endpoint")


# ---- Streams ----

def events_of(text):
    """The values of an event stream. The one that ends it is None."""
    for event in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        data = "\n".join(line[5:].removeprefix(" ") for line in event.split("\n") if line.startswith("data:"))
        if data.strip():
            yield None if data.strip() == "[DONE]" else json.loads(data)


def joined(events, member):
    """Puts the pieces of a streamed answer together. A stream that breaks off is no answer."""
    texts, document, finish = {}, {}, None
    some = is_whole = False
    for event in events:
        is_whole |= event is None
        if not isinstance(event, dict):
            continue
        document.update({key: event[key] for key in ("usage", "error") if event.get(key)})
        for choice in event["choices"] if isinstance(event.get("choices"), list) else []:
            if not isinstance(choice, dict) or choice.get("index") not in (None, 0):
                continue
            some = True
            finish = choice.get("finish_reason") or finish
            document.update({"error": choice["error"]} if choice.get("error") else {})
            piece = next((choice[key] for key in ("delta", "message") if isinstance(choice.get(key), dict)), choice)
            for key in ("content", "text", "reasoning_content", "reasoning", "refusal"):
                if isinstance(piece.get(key), str):
                    texts[key] = texts.get(key, "") + piece[key]
    if not document.get("error") and not (some and (is_whole or finish)):
        raise ValueError(BROKEN)
    return {**document, "choices": [{"finish_reason": finish, **({"message": texts} if member == "message" else texts)}]}


def cut(sock):
    """Ends a connection in whatever another thread does with it."""
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


def count_of(value):
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53 else None


def amount_of(value):
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e300 else None


def seconds_to_wait(text):
    """Reads the header Retry-After: seconds, or a date."""
    try:
        seconds = float(text)
    except (TypeError, ValueError):
        try:
            seconds = email.utils.parsedate_to_datetime(text).timestamp() - time.time()
        except (TypeError, ValueError, OverflowError, OSError):
            return 0.0
    return seconds if seconds > 0 else 0.0  # NaN is no time, either
