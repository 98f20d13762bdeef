"""scripts/selftest, which users run on systems on which we cannot: it passes here, and notices what is wrong.

    python3 tests/selftest_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest

SEEDBED = os.path.abspath(sys.argv[1])
SELFTEST = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "scripts", "selftest")


def selftest(program):
    return subprocess.run([SELFTEST, program], capture_output=True, text=True, timeout=3000)


def write_program(folder, script):
    program = os.path.join(folder, "seedbed")
    with open(program, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\n" + script)
    os.chmod(program, 0o755)
    return program


class SelfTest(unittest.TestCase):
    def test_it_passes_here(self):
        """If an episode or a format changed on purpose: ./scripts/selftest --write."""
        done = selftest(SEEDBED)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^program   seedbed [0-9.]+ ")
        passed = len(re.findall(r"(?m)^ok  ", done.stdout))
        self.assertGreater(passed, 20)
        self.assertEqual(done.stdout.splitlines()[-1], f"{passed} passed, 0 failed")

    def test_a_program_that_writes_something_else_fails(self):
        """This one shows other things and tells of other worlds, and does the rest well."""
        with tempfile.TemporaryDirectory() as folder:
            done = selftest(write_program(folder, f'case $1 in --version) exec {SEEDBED} --version ;; show) {SEEDBED} "$@" | tr "#" "%" ;;\n'
                                                  f'tasks) {SEEDBED} "$@" | tail -n +2 ;; *) exit 1 ;; esac\n'))
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED   0 s  texts: an episode\n           picture: its hash is", done.stdout.replace("FAILED   1 s", "FAILED   0 s"))
        self.assertRegex(done.stdout.splitlines()[-1], "^0 passed, [0-9]{2} failed$")

    def test_a_program_that_writes_too_little_fails(self):
        """This one leaves formats out, and does nothing else. It is named from another folder, as is the script."""
        with tempfile.TemporaryDirectory() as folder:
            write_program(folder, 'case "$*" in --version) echo seedbed ;;\n'
                                  f'build*trajectories*) exec {SEEDBED} $(echo "$*" | sed s/,chat,trajectories//) ;; verify*agentick) exec {SEEDBED} "$@" ;; *) exit 1 ;; esac\n')
            done = subprocess.run([os.path.relpath(SELFTEST, folder), "./seedbed"], cwd=folder, capture_output=True, text=True, timeout=3000)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"(?m)^ok .*  dataset: Agentick$")
        self.assertRegex(done.stdout, r"(?m)^FAILED .*  all that is listed was made\n +agentick/chat-00000-of-00001.jsonl: it was never made$")

    def test_what_cannot_be_run_is_refused(self):
        for arguments in (["/dev/null"], ["/"], ["--unknown"]):
            done = subprocess.run([SELFTEST, *arguments], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith("selftest: "))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
