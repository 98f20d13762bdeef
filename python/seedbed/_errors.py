"""The exceptions of the package. Each error of the library is one of them, and its text is the library's one line."""


class Error(Exception):
    """An error of the library; base of all others. `code` is the library's sb_code (seedbed.h), 0 if there is none."""

    code: int = 0

    __str__ = Exception.__str__  # KeyError, which ActionError also is, would print the text's repr


class InvalidError(Error, ValueError):
    """An argument, a file or a document says something that cannot be."""


class ActionError(InvalidError, KeyError):
    """There is no such action here. Nothing was changed."""


class UnknownError(Error, ValueError, LookupError):
    """There is nothing of that name. The text suggests what may have been meant."""


class FinishedError(Error, RuntimeError):
    """The episode is over, has not begun, or the environment is closed. Nothing was changed."""


class MismatchError(Error, ValueError):
    """A check failed: content, replay or hash."""


class VersionError(Error, ValueError):
    """Made under other rules, or in another format."""
