"""Chromium without a window, driven as a person does: sizes, colour schemes, real keys, and pictures of what is shown.

It is spoken to in its DevTools protocol over two pipes, so that nothing but the Python library is needed.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
import unittest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe"]
# What the protocol has to be told of a key: its code in Windows, and the text that it types.
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Escape": (27, ""), "End": (35, ""), "Home": (36, ""), "ArrowLeft": (37, ""), "ArrowUp": (38, ""),
        "ArrowRight": (39, ""), "ArrowDown": (40, ""), " ": (32, " "), ".": (190, ".")}
# Collects what goes wrong in a page's scripts.
ERRORS = """window.errors = [];
addEventListener("error", event => errors.push(event.message));
addEventListener("unhandledrejection", event => errors.push(String(event.reason)));"""
PATIENCE = 60  # seconds


def _high(descriptor):
    """Moves a descriptor out of the way of 3 and 4, at which Chromium expects its pipes."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10)
    os.close(descriptor)
    return moved


class Page:
    """A page in a browser of its own; a context manager."""

    def __enter__(self):
        if not CHROMIUM:
            raise unittest.SkipTest("Chromium is not installed, so the page was not opened")
        read, self._to = map(_high, os.pipe())
        self._from, write = map(_high, os.pipe())

        def place():
            os.dup2(read, 3)
            os.dup2(write, 4)
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._browser = subprocess.Popen([CHROMIUM, *FLAGS, f"--user-data-dir={self._profile.name}"], pass_fds=(3, 4), preexec_fn=place,
                                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self._number, self._rest, self._session = 0, b"", {}
        self.events = []  # what the browser told without being asked
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        self.call("Page.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=ERRORS)
        return self

    def __exit__(self, *_):
        self._browser.kill()
        self._browser.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def _message(self):
        end = time.monotonic() + PATIENCE
        while b"\0" not in self._rest:
            if not select.select([self._from], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self._from, 1 << 20)
            if not got:
                raise EOFError("the browser ended")
            self._rest += got
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self._number += 1
        data = json.dumps({"id": self._number, "method": method, "params": parameters, **self._session}).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data):]
        while (message := self._message()).get("id") != self._number:
            self.events.append(message)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']['message']}")
        return message["result"]

    def open(self, path, width=1200, height=900, scheme="light"):
        """Opens a file, or an address of http, and waits until it is read. The page's variable `errors` has the messages of what went wrong in it."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=path if path.startswith("http:") else "file://" + path)
        self.wait("document.readyState !== 'loading'")

    def value(self, script):
        """Returns the value of an expression, also of a promise."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def wait(self, script):
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.value(script):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.05)

    def press(self, *keys):
        for key in keys:
            code, text = KEYS.get(key, (ord(key[0].upper()), key))
            own = {"key": key, "code": key, "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **own)
            self.call("Input.dispatchKeyEvent", type="keyUp", **own)

    def click(self, x, y):
        """Clicks at a place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def give(self, selector, path):
        """Chooses a file in an input."""
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        node = self.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.call("DOM.setFileInputFiles", nodeId=node, files=[path])

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self):
        """Returns a PNG file of what is in the window."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
