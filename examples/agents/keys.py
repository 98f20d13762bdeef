"""The key of an endpoint: checked when it is read, and taken out of every text before that is shown, kept or cut."""
import base64
import os
import re
import sys

HIDDEN = "[key]"
PART = 8  # so many characters of a key in a row are hidden, too
LEVELS = 4  # as in an error's JSON, in which there is a page of HTML, in which there is a URL
ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|%([0-9a-fA-F]{2})|&#[xX]([0-9a-fA-F]{1,6});|&#([0-9]{1,7});|&(amp);|\\(.)", re.DOTALL)


class Key:
    """`hide` takes the key out of a text: whole or a part of it, plain or in base64, also where URLs, JSON, Python and HTML escape it."""

    def __init__(self, text="", name="the key"):
        text = text.strip()
        bad = next((i for i, c in enumerate(text, 1) if not "!" <= c <= "~"), 0)
        if bad:
            raise SystemExit(f"{name} holds a character that no key has (character {bad} of {len(text)}: a space, a control character, or none of ASCII)")
        self.text = text
        forms = [text] + (base64_cores(text.encode()) if len(text) >= PART else [])
        self._parts = {form[i:i + PART] for form in forms for i in range(max(1, len(form) - PART + 1))}

    def __bool__(self):
        return bool(self.text)

    def __repr__(self):
        return HIDDEN

    def hide(self, text):
        """Of what a server or a broken connection left of the key, as many characters in a row are hidden as are any part of it."""
        if not self.text:
            return text
        pieces, at = [], 0
        for begin, end in sorted(span for plain, places in unescaped(text) for span in self._spans(plain, places)):
            if begin >= at:
                pieces += [text[at:begin], HIDDEN]
            at = max(at, end)
        return "".join(pieces) + text[at:]

    def is_in(self, text):
        return self.hide(text) != text

    def _spans(self, plain, places):
        return ((places[begin], places[end]) for part in self._parts if part in plain for begin, end in spans_of(part, plain))


def unescaped(text):
    """The text, then without its escapes, then without those of that, and so on; each with the places of its characters, and of its end, in `text`."""
    places = range(len(text) + 1)
    yield text, places
    for _ in range(LEVELS):
        pieces, kept, at = [], [], 0
        for escape in ESCAPE.finditer(text):
            pieces += [text[at:escape.start()], meaning(escape)]
            kept += places[at:escape.start() + 1]
            at = escape.end()
        if not pieces:
            return
        text, places = "".join(pieces) + text[at:], kept + list(places[at:])
        yield text, places


def meaning(escape):
    """The one character that an escape stands for."""
    unicode, python, percent, hexadecimal, decimal, ampersand, other = escape.groups()
    if ampersand or other:
        return other or "&"
    code = int(decimal) if decimal else int(unicode or python or percent or hexadecimal, 16)
    return chr(code) if code <= sys.maxunicode else "?"


def base64_cores(data):
    """What of `data` in base64 does not depend on what stands around it: one text for each place in a group of three bytes, in both alphabets."""
    found = []
    for before in range(3):
        text = base64.b64encode(b"\0" * before + data + b"\0\0").decode()
        core = text[-(-before * 8 // 6):(before + len(data)) * 8 // 6]
        found += [core, core.replace("+", "-").replace("/", "_")]
    return list(dict.fromkeys(found))


def spans_of(part, text):
    at = text.find(part)
    while at >= 0:
        yield at, at + len(part)
        at = text.find(part, at + 1)


def named(arguments):
    """The environment variable that a command line names, before anything else of it is read or shown."""
    for i, argument in enumerate(arguments):
        if argument.startswith("--key-env"):
            return argument.partition("=")[2] if "=" in argument else "".join(arguments[i + 1:i + 2])
    return "OPENAI_API_KEY"


def read(name):
    """The key in an environment variable. A name that cannot be one is not repeated: it may be the key itself."""
    if not re.fullmatch(r"[A-Za-z_]\w*", name):
        raise SystemExit("--key-env takes the name of an environment variable, not the key itself")
    return Key(os.environ.get(name, ""), f"${name}")


class Guarded:
    """A stream whose lines never hold the key, whatever an exception says."""

    def __init__(self, stream, key):
        self._stream, self._key = stream, key

    def write(self, text):
        return self._stream.write(self._key.hide(text))

    def __getattr__(self, name):
        return getattr(self._stream, name)


def ready(name, arguments):
    """Reads the key, keeps it out of standard error from now on, and refuses a command line that holds it. Returns it."""
    key = read(name)
    if key:
        sys.stderr = Guarded(sys.stderr, key)
    if any(key.is_in(argument) for argument in arguments):
        raise SystemExit(f"the key is in the command line, which others can read and results keep: leave it in ${name}")
    return key
