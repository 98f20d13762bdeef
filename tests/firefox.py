"""Firefox without a window, driven by its own protocol, Marionette, so that nothing but the Python library is needed."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 60  # seconds


class Firefox:
    """A window in a browser of its own; a context manager."""

    def __enter__(self):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        with open(os.path.join(self._profile.name, "user.js"), "w", encoding="utf-8") as file:
            file.write('user_pref("marionette.port", 0);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
        self._log = open(os.path.join(self._profile.name, "log"), "w+", encoding="utf-8", errors="replace")
        self._browser = subprocess.Popen([FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", self._profile.name], stdout=self._log,
                                         stderr=subprocess.STDOUT, env={**os.environ, "HOME": self._profile.name})
        self._socket = socket.create_connection(("127.0.0.1", self._port()), PATIENCE)
        self._rest, self._number = b"", 0
        self._read()
        self.call("WebDriver:NewSession", capabilities={})
        return self

    def __exit__(self, *_):
        self._socket.close()
        self._browser.terminate()
        self._browser.wait()
        self._log.close()
        self._profile.cleanup()

    def _port(self):
        """The port that it has chosen, which it tells in a file of its profile."""
        end, path = time.monotonic() + PATIENCE, os.path.join(self._profile.name, "MarionetteActivePort")
        while time.monotonic() < end:
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    if text := file.read().strip():
                        return int(text)
            time.sleep(0.05)
        raise TimeoutError("Firefox does not begin")

    def _read(self):
        while b":" not in self._rest or len(self._rest) < int(self._rest.split(b":")[0]) + len(self._rest.split(b":")[0]) + 1:
            got = self._socket.recv(1 << 16)
            if not got:
                raise EOFError("Firefox ended")
            self._rest += got
        size, _, rest = self._rest.partition(b":")
        self._rest = rest[int(size):]
        return json.loads(rest[:int(size)])

    def call(self, method, **parameters):
        self._number += 1
        message = json.dumps([0, self._number, method, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{method}: {error['message']}")
        return result

    def open(self, address):
        self.call("WebDriver:Navigate", url=address)

    def value(self, script):
        """Returns what a script returns, also of a promise; `page` is the window as the page's own scripts see it."""
        asked = f"const page = window.wrappedJSObject ?? window; {script}"
        return self.call("WebDriver:ExecuteScript", script=asked, args=[], sandbox=None)["value"]

    def wait(self, condition):
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.value(f"return Boolean({condition})"):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.05)
