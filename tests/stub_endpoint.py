"""An OpenAI-compatible endpoint for tests. It answers as a function of the request says, or misbehaves as it says.

MODES lists how endpoints misbehave, by kind, and what must happen then to who asks for an action with `ACTION: n`:

    kind      the endpoint                                                     what must happen
    passing   fails in a way that another try may mend: statuses, broken       another try, and its answer counts; after all tries the episode is
              bytes, silence, and failures behind a status 200                 lost, of the kind `endpoint`, with the whole reason
    waiting   says how long to wait, sensibly or not                           as above, and never longer than is allowed
    final     refuses in a way that no other try mends                         one try; lost, of the kind `endpoint`
    context   says that the messages are too long                              one try for each length; earlier turns are left out, or lost: `context`
    quota     says that there is nothing left to pay with                      one try; lost, of the kind `quota`
    refused   does not answer such a request                                   one try; lost, of the kind `refused`
    silent    answers without an action: nothing, thoughts, refusals, cut      no action is read; the step is marked, and counts as declared
              texts, other numbers
    odd       answers in an unusual form                                       the action is read
    usage     does not say, or not sensibly, what an answer took               the action is read; what is not known is left out

tests/endpoint_test.py runs all of them.
"""
import collections
import gzip
import http.server
import json
import threading
import time

HUGE = 9 << 20  # more than a client takes


def completion(text, api="chat", usage=(10, 3), finish="stop", **more):
    choice = {"message": {"role": "assistant", "content": text}} if api == "chat" else {"text": text}
    return {"choices": [{**choice, "finish_reason": finish}], "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}, **more}


class Bad:
    """Ways to misbehave, each a function of the handler."""

    @staticmethod
    def status(code, headers=(), said=b'{"error": {"message": "not now"}}'):
        def behave(handler):
            handler.reply(said, code, headers)
        return behave

    @staticmethod
    def raw(data, content_type="application/json", length=None):
        def behave(handler):
            handler.reply(data, content_type=content_type, length=length)
        return behave

    @staticmethod
    def hang(handler):
        handler.server.released.wait(30)

    @staticmethod
    def drip(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while not handler.server.released.wait(0.02):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    @staticmethod
    def drip_headers(handler):
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for n in range(10000):
            handler.wfile.write(f"X-{n}: slow\r\n".encode())
            handler.wfile.flush()
            if handler.server.released.wait(0.02):
                return

    @staticmethod
    def reset(handler):
        handler.connection.close()

    @staticmethod
    def plain(data):
        """Bytes that need not be HTTP."""
        def behave(handler):
            handler.wfile.write(data)
        return behave

    @staticmethod
    def huge(handler):
        handler.reply(b'{"choices": [{"message": {"content": "' + b"x" * HUGE + b'"}}]}')

    @staticmethod
    def slow(seconds):
        def behave(handler):
            time.sleep(seconds)
            return False
        return behave


def failing(message, status=200, code=None, kind=None):
    return Bad.status(status, said=json.dumps({"error": {"message": message, "code": code, "type": kind}}).encode())


def stream(*pieces, done="data: [DONE]\n\n", end="\n\n", before=""):
    """Pieces of an event stream: texts, or whole chunks."""
    chunks = [piece if isinstance(piece, dict) else {"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]} for piece in pieces]
    return Bad.raw((before + "".join(f"data: {json.dumps(chunk)}{end}" for chunk in chunks) + done).encode(), "text/event-stream")


def ended(reason="stop", **more):
    return {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}], **more}


def document(message, finish="stop", **more):
    return {"choices": [{"message": message, "finish_reason": finish, **more}], "usage": {"prompt_tokens": 10, "completion_tokens": 3}}


def used(usage):
    return {"choices": [{"message": {"content": "ACTION: 1"}, "finish_reason": "stop"}], **({} if usage is None else {"usage": usage})}


def later(value):
    return Bad.status(429, [("Retry-After", value)])


whole = json.dumps(completion("ACTION: 1")).encode()
Mode = collections.namedtuple("Mode", "kind behave action marks known", defaults=(None, (), ()))


def modes(kind, **table):
    return {name.replace("_", " "): Mode(kind, *(how if isinstance(how, tuple) else (how,))) for name, how in table.items()}


MODES = {
    **{name: Mode("passing", behave) for name, behave in {
        "429": Bad.status(429), "500": Bad.status(500), "502 in HTML": Bad.status(502, said=b"<html>Bad Gateway</html>"), "503 empty": Bad.status(503, said=b""),
        "529": Bad.status(529), "408": Bad.status(408), "409": Bad.status(409), "425": Bad.status(425), "garbage": Bad.raw(b"\x00\xff{garbage"), "empty": Bad.raw(b""),
        "HTML": Bad.raw(b"<html>log in</html>", "text/html"), "no choices": Bad.raw(b'{"choices": []}'), "a list": Bad.raw(b"[1]"), "null": Bad.raw(b"null"),
        "an error with 200": Bad.raw(b'{"error": {"message": "busy"}}'), "choice is a number": Bad.raw(b'{"choices": [3]}'),
        "message is a text": Bad.raw(b'{"choices": [{"message": "hm"}]}'), "choices are an object": Bad.raw(b'{"choices": {"0": 1}}'), "cut": Bad.raw(b'{"choices": [{"mess', length=500),
        "cut at its end": Bad.raw(whole, length=5000), "deep": Bad.raw(b"[" * 100000), "two documents": Bad.raw(whole + whole), "compressed": Bad.raw(gzip.compress(whole)),
        "hung": Bad.hang, "drip": Bad.drip, "drip of headers": Bad.drip_headers, "reset": Bad.reset, "no HTTP": Bad.plain(b"hello\r\n\r\n"),
        "status is no number": Bad.plain(b"HTTP/1.0 OK 200\r\n\r\n"), "a header without end": Bad.plain(b"HTTP/1.0 200 OK\r\nX: " + b"x" * 100000),
        "broken chunks": Bad.plain(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhm\r\n")}.items()},
    **modes("passing", finish_reason_error=document({"content": "ACTION: 2"}, "error"), finish_reason_abort=document({"content": "ACTION: 2"}, "abort"),
            finish_reason_ERROR=document({"content": "ACTION: 2"}, "ERROR"), error_in_the_choice=document({"content": "ACTION: 2"}, error={"code": 502, "message": "provider"}),
            error_beside_the_choices={**completion("ACTION: 2"), "error": {"message": "upstream"}}, error_is_a_text={**completion("ACTION: 2"), "error": "upstream"},
            stream_that_breaks_off=stream("ACTION: 2", done=""), stream_with_an_error=stream("ACTION: 2", {"error": {"message": "overloaded"}}, done=""),
            stream_of_nothing=stream(), stream_of_garbage=Bad.raw(b"data: {hm\n\ndata: [DONE]\n\n"), stream_that_fails_at_its_end=stream("ACTION: 2", ended("error"))),
    **modes("waiting", Retry_After_inf=later("inf"), Retry_After_a_day=later("86400"), Retry_After_1e999=later("1e999"), Retry_After_NaN=later("nan"), Retry_After_negative=later("-5"),
            Retry_After_nonsense=later("soon"), Retry_After_in_2999=later("Fri, 01 Nov 2999 10:00:00 GMT"), Retry_After_no_date=later("Fri, 99 Foo 99999 10:00:00 GMT"),
            Retry_After_past=later("Fri, 01 Nov 1999 10:00:00 GMT")),
    **{str(code): Mode("final", Bad.status(code)) for code in (400, 401, 403, 404, 405, 410, 422)},
    **modes("final", a_redirect=Bad.status(307, [("Location", "http://127.0.0.1:9/v1")]), huge=Bad.huge),
    **modes("context", OpenAI_says_it=failing("This model's maximum context length is 4096 tokens.", 400, "context_length_exceeded"),
            vLLM_says_it=failing("This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.", 400, 400, "BadRequestError"),
            llama_cpp_says_it=failing("the request exceeds the available context size", 400, 400, "exceed_context_size_error"),
            Anthropic_says_it=failing("prompt is too long: 210000 tokens > 200000 maximum", 400, None, "invalid_request_error"),
            Gemini_says_it=failing("The input token count (5) exceeds the maximum number of tokens allowed (4).", 400), status_413=Bad.status(413),
            context_with_500=failing("Context size has been exceeded.", 500), context_with_200=failing("maximum context length exceeded")),
    **modes("quota", status_402=Bad.status(402), insufficient_quota=failing("You exceeded your current quota", 429, "insufficient_quota"),
            credit_balance=failing("Your credit balance is too low to access the API.", 400), credits_with_200=failing("Insufficient credits", code=402)),
    **modes("refused", prompt_is_filtered=failing("The response was filtered due to the prompt triggering our content management policy.", 400, "content_filter"),
            prompt_is_flagged=failing("Your input was flagged", 403)),
    **modes("silent", empty_text=("", None, ["empty"]), no_text=(document({"content": None}), None, ["empty"]), only_space=(" \n\t", None, ["empty"]),
            a_number=(document({"content": 5}), None, ["empty"]), empty_parts=(document({"content": []}), None, ["empty"]), no_content=(document({}), None, ["empty"]),
            calls_of_tools=(document({"content": None, "tool_calls": [{"function": {"name": "ACTION: 2"}}]}, "tool_calls"), None, ["empty"]),
            a_refusal=(document({"content": None, "refusal": "I will not say ACTION: 2"}), None, ["refused", "empty"]),
            content_filter=(document({"content": ""}, "content_filter"), None, ["refused", "empty"]), safety=(document({"content": "I can"}, "SAFETY"), None, ["refused"]),
            thinking_is_cut=(completion("<think>If I went down I would say ACTION: 2 but first", finish="length"), None, ["cut", "empty"]),
            thinking_has_no_end=("<think>If I went down I would say ACTION: 2", None, ["empty"]), nothing_but_thinking=("<think>ACTION: 2</think>", None, ["empty"]),
            cut_after_the_thinking=(completion("<think>hm</think>", finish="length"), None, ["cut", "empty"]), second_thinking_has_no_end=("<think>a</think> so <think>ACTION: 2", None, []),
            other_marks_of_thinking=("[THINK]ACTION: 2", None, ["empty"]), a_channel_of_thoughts=("<|channel|>analysis<|message|>ACTION: 2", None, ["empty"]),
            thinking_told_apart_is_cut=(document({"content": "", "reasoning_content": "ACTION: 2"}, "length"), None, ["cut", "empty"]),
            cut_within_a_sentence=(completion("I think ACTION: 2 would be", finish="length"), None, ["cut"]), cut_by_another_word=(completion("Not ACTION: 2 but", finish="MAX_TOKENS"), None, ["cut"]),
            stream_of_thoughts=(stream({"choices": [{"delta": {"reasoning_content": "ACTION: 2"}}]}, ended("length")), None, ["cut", "empty"]),
            a_fraction=("ACTION: 1.5", None, []), an_ordinal=("ACTION: 3rd", None, []), a_date=("ACTION: 1/2", None, []), a_range=("ACTION: 1-2", None, []),
            too_large=("ACTION: 6", None, []), negative=("ACTION: -1", None, []), unknown_name=("ACTION: fly", None, []), prose=("I do not know.", None, [])),
    **modes("odd", stream_unasked=(stream("ACT", "ION: 1", ended()), 1), stream_with_usage=(stream("ACTION: 1", ended(), {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}), 1),
            stream_with_comments=(stream("ACTION: 1", ended(), before=": PROCESSING\n\n"), 1), stream_with_CRLF=(stream("ACTION: 1", ended(), end="\r\n\r\n"), 1),
            stream_without_DONE=(stream("ACTION: 1", ended(), done=""), 1), stream_of_one_message=(stream(completion("ACTION: 1")), 1),
            trailing_DONE=(Bad.raw(whole + b"\n[DONE]"), 1), trailing_data_DONE=(Bad.raw(whole + b"\n\ndata: [DONE]\n\n"), 1), byte_order_mark=(Bad.raw(b"\xef\xbb\xbf" + whole), 1),
            blank_lines_first=(Bad.raw(b"\n\n\n" + whole), 1), emphasis=("**ACTION:** 1", 1), more_emphasis=("**Action**: **1**", 1), backquotes=("`ACTION: 1`", 1),
            a_name=("ACTION: move_up", 1), a_name_in_bold=("ACTION: **Move_Up**.", 1), a_name_in_italics=("ACTION: _move_up_", 1), parts=(document({"content": [{"type": "text", "text": "ACT"}, {"type": "x"}, 3, {"text": "ION: 1"}]}), 1),
            thinking_with_an_end=("<think>ACTION: 2</think>\nACTION: 1", 1), thinking_without_a_beginning=("ACTION: 2</think>\nACTION: 1", 1),
            channels=("<|channel|>analysis<|message|>ACTION: 2<|end|><|start|>assistant<|channel|>final<|message|>ACTION: 1", 1),
            thinking_told_apart=(document({"content": "ACTION: 1", "reasoning": "ACTION: 2"}), 1), lone_surrogate=("\ud800 ACTION: 1", 1), NUL=("\0 ACTION: 1", 1),
            a_million_letters=("x" * 1000000 + " ACTION: 1", 1), no_finish_reason=({"choices": [{"message": {"content": "ACTION: 1"}}], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}, 1),
            unknown_finish_reason=(completion("ACTION: 1", finish="eos"), 1), errors_that_are_null=({**completion("ACTION: 1"), "error": None}, 1),
            cut_behind_the_action=(completion("ACTION: 1\nNow the next", finish="length"), 1, ["cut"]), two_choices=({"choices": [*completion("ACTION: 1")["choices"], *completion("ACTION: 2")["choices"]]}, 1),
            slow=(Bad.slow(0.05), 1)),
    **{f"usage is {usage!r}": Mode("usage", used(usage), 1, (), known) for usage, known in (
        (None, ()), ([], ()), ("10", ()), ({}, ()), ({"prompt_tokens": "10", "completion_tokens": "3"}, ()), ({"input_tokens": 10, "output_tokens": 3}, ()),
        ({"prompt_tokens": None, "completion_tokens": None}, ()), ({"prompt_tokens": True, "completion_tokens": False}, ()), ({"prompt_tokens": -1, "completion_tokens": 1 << 60}, ()),
        ({"prompt_tokens": 10.5, "completion_tokens": 3}, ("tokens_out",)), ({"prompt_tokens": 10}, ("tokens_in",)), ({"cost": True}, ()), ({"cost": "1"}, ()), ({"cost": -1}, ()),
        ({"cost": float("nan")}, ()), ({"cost": float("inf")}, ()), ({"cost": 0.5}, ("cost",)), ({"prompt_tokens": 0, "completion_tokens": 0, "cost": 0}, ("tokens_in", "tokens_out", "cost")))},
}
PASSING = {name: mode.behave for name, mode in MODES.items() if mode.kind == "passing"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def reply(self, data, code=200, headers=(), content_type="application/json", length=None):
        self.send_response(code)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        for header, value in headers:
            self.send_header(header, value)
        self.end_headers()
        self.wfile.write(data)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.server.heard.append((self.path, body, dict(self.headers)))
            n = len(self.server.heard)
        said = self.server.answer(body, n)
        try:
            if callable(said):
                if said(self) is not False:
                    return
                said = self.server.answer(body, 0)
            self.reply(json.dumps(said if isinstance(said, dict) else completion(said, "chat" if "messages" in body else "text")).encode())
        except OSError:
            pass  # the client has gone

    def log_message(self, *_):
        pass


class StubEndpoint(http.server.ThreadingHTTPServer):
    """`answer` gets the request and its number, from 1, and returns a text, a whole document, or a way to misbehave. What was asked is in
    `heard`: path, body and headers."""
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, answer):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.heard = answer, []
        self.lock, self.released = threading.Lock(), threading.Event()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"

    def __enter__(self):
        self.thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.released.set()
        self.shutdown()
        self.thread.join()
        self.server_close()

    def handle_error(self, request, client_address):
        pass
