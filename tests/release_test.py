"""scripts/release: what it refuses, that it builds what is committed and nothing else, and that its lists are checked. The builds are stubs.

    python3 tests/release_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import base64
import contextlib
import hashlib
import importlib.machinery
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CALL = 2
DEBIANS_PYTHON = "/usr/bin/python3"  # releases are made on a clean Debian, whose Python is older than others in PATH may be
PYTHON = DEBIANS_PYTHON if os.path.exists(DEBIANS_PYTHON) else sys.executable

# Packs the header of the source that it stands in, and what the file `more` says, if there is one.
CMAKE = """#!/bin/sh
set -e
mkdir -p made/DEBIAN made/usr/include made/usr/share/many build/package
(cd made/usr/share/many && touch $(seq -f page-%g.md 40))
cp include/seedbed.h made/usr/include
test ! -e "$MORE" || cp "$MORE" made/usr/include
printf 'Package: seedbed\\nVersion: 1.2.3\\nArchitecture: all\\nMaintainer: a <a@localhost>\\nDescription: some\\n' >made/DEBIAN/control
dpkg-deb -b made build/package/seedbed_1.2.3-1_all.deb
"""


def scripts_release():
    loader = importlib.machinery.SourceFileLoader("release", os.path.join(ROOT, "scripts", "release"))
    release = importlib.util.module_from_spec(importlib.util.spec_from_loader("release", loader))
    loader.exec_module(release)
    return release


class OtherWheels(unittest.TestCase):
    """The wheel for another platform: the same files but the module, the tag, and the list of sums."""

    def test_the_module_is_replaced_and_everything_is_listed(self):
        release = scripts_release()
        files = {"seedbed/_seedbed.abi3.so": b"ours", "seedbed/__init__.py": b"same", "seedbed-1.2.3.dist-info/WHEEL": b"Root: no\nTag: cp311-abi3-linux_x86_64\n"}
        with tempfile.TemporaryDirectory(prefix="seedbed-release-test-") as folder:
            wheel, module = os.path.join(folder, "seedbed-1.2.3-cp311-abi3-linux_x86_64.whl"), os.path.join(folder, "module")
            with zipfile.ZipFile(wheel, "w") as zip_file:
                for name, data in files.items():
                    zip_file.writestr(name, data)
                zip_file.writestr("seedbed-1.2.3.dist-info/RECORD", "".join(line_of(*file) for file in files.items()) + "seedbed-1.2.3.dist-info/RECORD,,\n")
            with open(module, "wb") as file:
                file.write(b"theirs\n")
            release.put_wheel(wheel, module, "macosx_11_0_arm64", folder)
            files["seedbed/_seedbed.abi3.so"], files["seedbed-1.2.3.dist-info/WHEEL"] = b"theirs\n", b"Root: no\nTag: cp311-abi3-macosx_11_0_arm64\n"
            with zipfile.ZipFile(os.path.join(folder, "done", "seedbed-1.2.3-cp311-abi3-macosx_11_0_arm64.whl")) as zip_file:
                made = {name: zip_file.read(name) for name in zip_file.namelist()}
        self.assertEqual(made.pop("seedbed-1.2.3.dist-info/RECORD").decode(), "".join(line_of(*file) for file in files.items()) + "seedbed-1.2.3.dist-info/RECORD,,\n")
        self.assertEqual(made, files)


def line_of(name, data):
    """A line of RECORD."""
    return f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}\n"


@unittest.skipUnless(shutil.which("git") and shutil.which("dpkg-deb"), "there is no git or no dpkg-deb")
class Release(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="seedbed-release-test-")
        self.addCleanup(folder.cleanup)
        self.root, self.bin, self.out, self.more = (os.path.join(folder.name, name) for name in ("root", "bin", "out", "more"))
        self.write("include/seedbed.h", '#define SB_VERSION "1.2.3"\n')
        self.write("docs/measured/release-contents.md", "# What a release holds\n")
        for name in ("install-dependencies", "wasm"):
            self.write(f"scripts/{name}", "#!/bin/sh\n")
        self.write("scripts/release", read(os.path.join(ROOT, "scripts", "release")))
        self.write("../bin/cmake", CMAKE)
        self.commit()

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)

    def commit(self):
        for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@localhost", "commit", "-qm", "some"]):
            subprocess.run(["git", *command], cwd=self.root, check=True)

    def release(self, *arguments, code=0):
        environment = dict(os.environ, PATH=self.bin + os.pathsep + os.environ["PATH"], MORE=self.more)
        command = [PYTHON, os.path.join(self.root, "scripts", "release"), self.out, "--only", "packages", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_sums_and_contents_are_those_of_the_files(self):
        self.release()
        names = ["seedbed-1.2.3-source.tar.gz", "seedbed_1.2.3-1_all.deb"]
        self.assertEqual(sorted(os.listdir(self.out)), ["CONTENTS.md", "SHA256SUMS", "lists.md", *names])
        sums = dict(reversed(line.split("  ")) for line in read(os.path.join(self.out, "SHA256SUMS")).splitlines())
        contents = read(os.path.join(self.out, "CONTENTS.md"))
        self.assertEqual(sorted(sums), names)
        for name in names:
            with open(os.path.join(self.out, name), "rb") as file:
                data = file.read()
            self.assertEqual(sums[name], hashlib.sha256(data).hexdigest())
            self.assertIn(f"| {name} | {len(data)} | `{sums[name]}` |", contents)
        self.assertIn("- `usr/include/`: seedbed.h\n", contents)
        self.assertLessEqual(max(map(len, read(os.path.join(self.out, "lists.md")).splitlines())), 160)

    def test_the_committed_files_are_built_and_changes_are_refused_unless_left_out(self):
        self.write("include/new.h", "\n")
        self.assertIn("include/new.h", self.release(code=CALL))
        self.assertFalse(os.path.exists(self.out))
        self.write("include/seedbed.h", '#define SB_VERSION "9.9.9"\n')
        self.release("--committed")
        with tarfile.open(os.path.join(self.out, "seedbed-1.2.3-source.tar.gz")) as tar:
            self.assertIn("seedbed-1.2.3/include/seedbed.h", tar.getnames())
            self.assertNotIn("seedbed-1.2.3/include/new.h", tar.getnames())
            self.assertIn(b"1.2.3", tar.extractfile("seedbed-1.2.3/include/seedbed.h").read())

    def test_a_folder_with_files_is_left_alone(self):
        os.mkdir(self.out)
        with open(os.path.join(self.out, "mine"), "w", encoding="utf-8"):
            pass
        self.assertIn("is there already", self.release(code=CALL))
        self.assertEqual(os.listdir(self.out), ["mine"])

    def test_a_second_build_is_compared(self):
        self.assertIn("the same bytes", self.release("--twice"))
        shutil.rmtree(self.out)
        self.write("../bin/cmake", CMAKE + 'echo changed >"$MORE"\n')
        self.assertIn("differs when it is built again: seedbed_1.2.3-1_all.deb\n", self.release("--twice", code=1))

    def test_the_page_is_compared_and_can_be_copied(self):
        said = self.release("--check", code=1)
        self.assertIn("out of date for seedbed_1.2.3-1_all.deb", said)
        shutil.copy(os.path.join(self.out, "lists.md"), os.path.join(self.root, "docs", "measured", "release-contents.md"))
        self.commit()
        shutil.rmtree(self.out)
        with open(self.more, "w", encoding="utf-8"):
            pass
        said = self.release("--check", code=1)
        self.assertIn("out of date for seedbed_1.2.3-1_all.deb: new ['more']", said)
        os.remove(self.more)
        shutil.rmtree(self.out)
        self.assertIn("is true", self.release("--check"))

    def test_lists_of_other_parts_stay_and_what_this_part_no_longer_makes_goes(self):
        kept = "\n## playground.html\n\n## seedbed-1.2.3-macos-arm64.tar.gz\n\n- `.`/: seedbed\n"
        gone = "".join(f"\n## {name}\n\n- `.`/: seedbed\n" for name in ("libseedbed9_1.2.3-1_all.deb", "seedbed-1.2.2-macos-arm64.tar.gz", "seedbed-1.2.2-source.tar.gz"))
        page = os.path.join(self.root, "docs", "measured", "release-contents.md")
        self.write("docs/measured/release-contents.md", f"# What a release holds\n{gone}{kept}")
        self.commit()
        said = self.release("--check", code=1)
        self.assertIn("out of date for libseedbed9_1.2.3-1_all.deb", said)
        self.assertNotIn("playground", said)
        lists = read(os.path.join(self.out, "lists.md"))
        self.assertIn(kept, lists)
        self.assertEqual([line[3:] for line in lists.splitlines() if line.startswith("## ")],
                         ["playground.html", "seedbed-1.2.3-macos-arm64.tar.gz", "seedbed-1.2.3-source.tar.gz", "seedbed_1.2.3-1_all.deb"])
        shutil.copy(os.path.join(self.out, "lists.md"), page)
        self.commit()
        shutil.rmtree(self.out)
        self.assertIn("is true", self.release("--check"))

    def test_a_file_that_holds_no_others_is_on_the_page_too(self):
        release = scripts_release()
        release.PAGE = os.path.join(self.root, "docs", "measured", "release-contents.md")
        for web in ("playground.html", "seedbed-1.2.3-atlas-training.jsonl.gz"):
            self.write(f"../out/{web}", "")
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertFalse(release.is_page_true(self.out, release.PARTS))
            release.write_contents(self.out, release.PARTS)
            shutil.copy(os.path.join(self.out, "lists.md"), release.PAGE)
            self.assertTrue(release.is_page_true(self.out, release.PARTS))

    def test_a_build_that_fails_says_why(self):
        self.write("../bin/cmake", "#!/bin/sh\necho 'no compiler'\nexit 3\n")
        said = self.release(code=1)
        self.assertIn("no compiler", said)
        self.assertIn("`cmake --workflow --preset package` failed", said)
        self.assertEqual(os.listdir(self.out), [])


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
