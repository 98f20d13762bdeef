"""Runs one script of tests, as ctest does:

    python3 tests/runner.py SCRIPT SEEDBED SEEDBED-TOY

Tests that take more than LONG seconds are listed, the longest first. The last line says how many passed, failed and were skipped. The
exit code is 0, 1, or SKIPPED if every test was skipped, which ctest then shows (SKIP_RETURN_CODE in tests/CMakeLists.txt). With
SEEDBED_REQUIRE=1 in the environment a skipped test counts as failed: this is for machines that have everything that the tests need.
"""
import importlib
import os
import signal
import sys
import time
import unittest

SKIPPED = 77
LONG = 2


class Result(unittest.TextTestResult):
    """Counts the tests that passed, and times each test, which unittest itself does not."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.passed = 0
        self.seconds = {}

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()

    def stopTest(self, test):
        super().stopTest(test)
        self.seconds[test.id()] = time.monotonic() - self.began

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def exit_code(passed, failed, skipped):
    if failed or skipped and os.environ.get("SEEDBED_REQUIRE"):
        return 1
    if passed:
        return 0
    return SKIPPED if skipped else 1  # a script without tests is an error


def heed_signals():
    """Undoes what nohup and shells do to programs in the background: those that tests start would ignore the signals, too."""
    for number, action in (signal.SIGHUP, signal.SIG_DFL), (signal.SIGINT, signal.default_int_handler), (signal.SIGQUIT, signal.SIG_DFL):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, action)


def main():
    heed_signals()
    script = sys.argv[1]
    sys.argv = sys.argv[1:]  # as if the script had been started directly
    sys.dont_write_bytecode = True
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    tests = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(os.path.basename(script).removesuffix(".py")))
    result = unittest.TextTestRunner(resultclass=Result, stream=sys.stdout).run(tests)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    for test, seconds in sorted(result.seconds.items(), key=lambda item: -item[1]):
        if seconds > LONG:
            print(f"long: {seconds:.1f} s {test}")
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}")
    print(f"{result.passed} passed, {failed} failed, {len(result.skipped)} skipped", flush=True)
    sys.exit(exit_code(result.passed, failed, len(result.skipped)))


if __name__ == "__main__":
    main()
