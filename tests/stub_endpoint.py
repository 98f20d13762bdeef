"""An OpenAI-compatible endpoint for tests. It answers as a function of the request says, or misbehaves as it says."""
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
    def huge(handler):
        handler.reply(b'{"choices": [{"message": {"content": "' + b"x" * HUGE + b'"}}]}')

    @staticmethod
    def slow(seconds):
        def behave(handler):
            time.sleep(seconds)
            return False
        return behave


# All of which another try may mend.
PASSING = {
    "429": Bad.status(429), "500": Bad.status(500), "502 in HTML": Bad.status(502, said=b"<html>Bad Gateway</html>"), "503 empty": Bad.status(503, said=b""),
    "529": Bad.status(529), "408": Bad.status(408), "garbage": Bad.raw(b"\x00\xff{garbage"), "empty": Bad.raw(b""), "HTML": Bad.raw(b"<html>log in</html>", "text/html"),
    "no choices": Bad.raw(b'{"choices": []}'), "a list": Bad.raw(b"[1]"), "null": Bad.raw(b"null"), "an error with 200": Bad.raw(b'{"error": {"message": "busy"}}'),
    "choice is a number": Bad.raw(b'{"choices": [3]}'), "message is a text": Bad.raw(b'{"choices": [{"message": "hm"}]}'),
    "cut": Bad.raw(b'{"choices": [{"mess', length=500), "cut at its end": Bad.raw(json.dumps(completion("5")).encode(), length=5000), "deep": Bad.raw(b"[" * 100000),
    "hung": Bad.hang, "drip": Bad.drip, "drip of headers": Bad.drip_headers, "reset": Bad.reset,
}


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
