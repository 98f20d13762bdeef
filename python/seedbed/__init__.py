"""Seedbed: hashed seeds become episodes of small worlds."""
from ._errors import ActionError, Error, FinishedError, InvalidError, MismatchError, UnknownError, VersionError
from ._seedbed import EnvCore, __version__
