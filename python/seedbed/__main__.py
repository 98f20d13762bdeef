"""The command `seedbed`, as `python -m seedbed` and as a script."""
import signal
import sys

from .data import main


def command() -> int:
    """The program: what the user asks for by a signal is done as in the command itself, which Python would prevent."""
    for number in (signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    status = main(sys.argv[1:])
    if status > 128:
        signal.signal(status - 128, signal.SIG_DFL)
        signal.raise_signal(signal.Signals(status - 128))
    return status


if __name__ == "__main__":
    sys.exit(command())
