"""Runs a program that nobody has read: without a network, without other processes in sight, with its own folder as the only place to write, and with
limits on time, memory, files and processes. It uses Linux namespaces (the programs unshare, mount and pivot_root) and limits of the system; where those
are missing it refuses.

    python3 sandbox.py [--folder DIR] [--show PATH] [--hide NAME] [--memory MIB] [--seconds N] [--no-sandbox] COMMAND ...

The program sees what Python and the system need (/usr, /lib, /etc/ld.so.cache ...), the folder as its working directory, and every PATH of --show; all
but the folder is read-only, and nothing else of this machine's files is there. Programs, libraries and Python packages of a NAME of --hide are empty,
wherever they are installed: who is to find out something does not find who knows it. Standard input, output and error are passed through. The exit code is
that of the program, and 120 to 124 for what the sandbox did:

    120  there are no namespaces here, or they cannot be used: nothing was run
    121  the command cannot be started
    122  the program used up its seconds, of processor time or on the clock
    123  it was killed by another signal
    124  its folder has become larger than --disk allows

Memory that it does not get is for the program to notice: Python raises a MemoryError.
"""
import argparse
import ctypes
import glob
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

LIBC = ctypes.CDLL(None, use_errno=True)
NO_SANDBOX, NO_START, OUT_OF_TIME, KILLED, OUT_OF_DISK = 120, 121, 122, 123, 124
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives", "/etc/localtime")
DEVICES = ("null", "zero", "urandom", "random")
KEPT = ("PATH", "LANG", "LC_ALL", "PYTHONPATH", "PYTHONHASHSEED")  # of the environment: no key gets in
NOBODY, NOBODIES = 640000, 10000  # users whose programs root's programs run as
MIB = 1 << 20


class NoSandbox(Exception):
    """The sandbox cannot be made here."""


def parser():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = options.add_argument
    add("--folder", default=None, help="where the program may write; root gives it to the program's user (default: an empty folder that is removed afterwards)")
    add("--show", action="append", default=[], metavar="PATH", help="a file or folder that the program may read; may be repeated")
    add("--hide", action="append", default=[], metavar="NAME", help="what is installed under this name is not to be read; may be repeated")
    add("--memory", type=int, default=1024, metavar="MIB", help="of address space for each of its processes (default: 1024)")
    add("--seconds", type=int, default=600, help="of processor time, and of time on the clock (default: 600)")
    add("--processes", type=int, default=16, help="and threads at a time (default: 16)")
    add("--disk", type=int, default=64, metavar="MIB", help="for a file, and for the folder as a whole (default: 64)")
    add("--no-sandbox", action="store_true", help="only set limits: the program may then read, write and connect to whatever you may")
    add("command", nargs=argparse.REMAINDER, help="the program and its arguments")
    return options


# ---- The outer half: starts, waits, and says how it ended ------------------------------------------------------------

def wrapped(command, folder, show=(), memory=1024, seconds=600, processes=32, disk=64, sandbox=True):
    """The command line that runs `command` (a list) in the sandbox."""
    line = [sys.executable, os.path.abspath(__file__), "--folder", folder, "--memory", str(memory), "--seconds", str(seconds), "--processes", str(processes),
            "--disk", str(disk)]
    for path in show:
        line += ["--show", path]
    return [*line, *([] if sandbox else ["--no-sandbox"]), "--", *command]


def check_here():
    """Raises NoSandbox if there are no namespaces."""
    if not sys.platform.startswith("linux") or not shutil.which("unshare"):
        raise NoSandbox("this needs Linux and unshare (util-linux)")
    done = subprocess.run(["unshare", *flags(), "true"], capture_output=True, text=True)
    if done.returncode:
        raise NoSandbox(done.stderr.strip() or "unshare failed")


def flags():
    """A network, mounts and processes of its own, all of which die with the sandbox. Who is not root becomes the root of a user namespace for it."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return [*user, "--net", "--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child", "--propagation", "private"]


def run(options):
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command:
        print("sandbox: a command is missing", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="sandbox-") as room:
        folder = os.path.realpath(options.folder or os.path.join(room, "folder"))
        root = os.path.join(room, "root")
        os.makedirs(folder, exist_ok=True)
        os.makedirs(root)
        owner = NOBODY + os.getpid() % NOBODIES if os.geteuid() == 0 and not options.no_sandbox else 0
        if owner:
            give(folder, owner)
        line = [sys.executable, os.path.abspath(__file__), "--inside", root, folder, *map(str, (options.memory, options.seconds, options.processes, options.disk)),
                str(int(options.no_sandbox)), str(owner), ",".join(options.hide), *(os.path.abspath(path) for path in options.show), "--", *command]
        if not options.no_sandbox:
            try:
                check_here()
            except NoSandbox as why:
                print(f"sandbox: there are no namespaces here ({why}); --no-sandbox runs the program without them, with all your rights", file=sys.stderr)
                return NO_SANDBOX
            line = ["unshare", *flags(), *line]
        return watched(line, folder, options)


def watched(line, folder, options):
    """Runs the inner half, ends it when its time is over or its folder too large. If we are killed, the inner half is, too."""
    process = subprocess.Popen(line, env={key: os.environ[key] for key in KEPT if key in os.environ}, preexec_fn=die_with_parent)
    ends = time.monotonic() + options.seconds
    while True:
        try:
            code = process.wait(0.25)
            return KILLED if code < 0 else code
        except subprocess.TimeoutExpired:
            pass
        late = time.monotonic() > ends
        if late or size_of(folder) > options.disk * MIB:
            end(process)
            return OUT_OF_TIME if late else OUT_OF_DISK


def end(process):
    """Ends everything inside. The first process of a namespace dies with `unshare`, and is dead only when all others are: then nobody writes any more."""
    try:
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            first = file.read().split()
    except OSError:
        first = []
    process.kill()
    process.wait()
    until = time.monotonic() + 5
    while any(map(is_alive, first)) and time.monotonic() < until:
        time.sleep(0.01)


def is_alive(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def die_with_parent():
    LIBC.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG


def give(folder, owner):
    """Root's programs run as a user who is nobody else, and to whom the folder belongs."""
    os.chown(folder, owner, owner)
    for where, folders, names in os.walk(folder):
        for name in folders + names:
            os.lchown(os.path.join(where, name), owner, owner)


def size_of(folder):
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(where, name)).st_size
            except OSError:
                pass
    return total


# ---- The inner half: in the new namespaces ---------------------------------------------------------------------------

def inside(arguments):
    """Makes the view, sets the limits, and runs the program. This process is the first of its namespace: when it ends, all end."""
    root, folder, memory, seconds, processes, disk, is_open, owner, hidden = arguments[:9]
    cut = arguments.index("--")
    show, command = arguments[9:cut], arguments[cut + 1:]
    try:
        if is_open == "0":
            if owner == "0":
                forbid_namespaces()
            make_view(root, folder, [sys.prefix, sys.base_prefix, *show], [name for name in hidden.split(",") if name])
        os.chdir(folder)
    except OSError as error:
        print(f"sandbox: the view cannot be made: {error}", file=sys.stderr)
        return NO_SANDBOX
    child = os.fork()
    if child == 0:
        try:
            die_with_parent()
            limit(int(memory), int(seconds), int(processes) if is_open == "0" else None, int(disk))
            if is_open == "0":
                drop_rights(int(owner))
            os.environ["HOME"] = os.environ["TMPDIR"] = folder
            os.execvp(command[0], command)
        except OSError as error:
            print(f"sandbox: {error}", file=sys.stderr)
        finally:
            os._exit(NO_START)
    return code_of(wait_for(child))


def wait_for(child):
    """Waits for the program, and takes note of orphans' ends meanwhile."""
    while True:
        ended, status = os.wait()
        if ended == child:
            return status


def code_of(status):
    if os.WIFEXITED(status):
        return os.WEXITSTATUS(status)
    return {signal.SIGXCPU: OUT_OF_TIME, signal.SIGXFSZ: OUT_OF_DISK}.get(os.WTERMSIG(status), KILLED)


def forbid_namespaces():
    """No program below gets namespaces of its own, in which it would have rights again."""
    with open("/proc/sys/user/max_user_namespaces", "w", encoding="ascii") as file:
        file.write("0")


def drop_rights(owner):
    """Whoever runs this is root, at least in its namespace, which ends here: no capability, now or after another program was started."""
    for capability in range(64):
        LIBC.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; numbers that the kernel does not know fail
    if owner:
        os.setgroups([])
        os.setresgid(owner, owner, owner)
        os.setresuid(owner, owner, owner)
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    if LIBC.prctl(38, 1, 0, 0, 0) or LIBC.capset(header, nothing):  # PR_SET_NO_NEW_PRIVS
        raise OSError("rights cannot be dropped")


def mount(*arguments):
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if done.returncode:
        raise OSError(done.stderr.strip())


def make_view(root, folder, show, hide):
    """Puts what the program may see below `root`, read-only but for its folder, without what is hidden, and makes that the root."""
    mount("-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", root)
    folder = os.path.realpath(folder)
    seen = set()
    for path in [*SYSTEM, *show]:
        for one in (path, os.path.realpath(path)):
            if one not in seen and os.path.lexists(one) and not one.startswith(folder + "/") and one != "/":
                seen.add(one)
                put(root, one)
    for name in hide:
        for path in installed(name):
            cover(root + path)
    os.makedirs(root + "/dev", exist_ok=True)
    for name in DEVICES:
        bind(root, "/dev/" + name, "bind")
    os.makedirs(root + folder, exist_ok=True)
    mount("--bind", folder, root + folder)
    os.makedirs(root + "/proc", exist_ok=True)
    mount("-t", "proc", "proc", root + "/proc")
    os.makedirs(root + "/.old")
    mount("-o", "remount,bind,ro", root)
    os.chdir(root)
    done = subprocess.run(["pivot_root", ".", ".old"], capture_output=True, text=True)
    if done.returncode or LIBC.umount2(b"/.old", 2):  # MNT_DETACH: of the old root nothing is left
        raise OSError(done.stderr.strip() or "the old root cannot be left")


def put(root, path):
    """Shows a path of this machine at the same place: links as links, the rest read-only."""
    if any(os.path.islink(parent) for parent in parents(path)):
        return
    if os.path.islink(path):
        os.makedirs(root + os.path.dirname(path), exist_ok=True)
        if not os.path.lexists(root + path):
            os.symlink(os.readlink(path), root + path)
    elif not os.path.lexists(root + path):
        bind(root, path, "ro,bind")


def installed(name):
    """Where programs, libraries and Python packages of this name stand, links followed."""
    name, found = glob.escape(name), []
    for prefix in {sys.prefix, sys.base_prefix, "/usr", "/usr/local"}:
        found += [path for where in (f"bin/{name}*", f"lib*/lib{name}*", f"lib*/*/lib{name}*", f"lib*/python3*/*-packages/{name}*") for path in glob.glob(f"{glob.escape(prefix)}/{where}")]
    found += [path for folder in os.get_exec_path() for path in glob.glob(f"{glob.escape(os.path.abspath(folder))}/{name}*")]
    return sorted({os.path.realpath(path) for path in found})


def cover(path):
    """Nothing is read from a file or folder that is in the view."""
    if os.path.isdir(path):
        mount("-t", "tmpfs", "-o", "ro,size=4k,mode=755", "tmpfs", path)
    elif os.path.exists(path):
        mount("--bind", "/dev/null", path)


def parents(path):
    while path != "/":
        path = os.path.dirname(path)
        yield path


def bind(root, path, how):
    target = root + path
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        open(target, "w").close()
    mount("--rbind" if os.path.isdir(path) else "--bind", path, target)
    if how.startswith("ro"):
        mount("-o", "remount,ro,bind", target)


def limit(memory, seconds, processes, disk):
    for what, most in ((resource.RLIMIT_AS, memory * MIB), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, disk * MIB), (resource.RLIMIT_NOFILE, 64),
                       (resource.RLIMIT_CORE, 0), (resource.RLIMIT_NPROC, processes)):
        if most is not None:
            resource.setrlimit(what, (most, most + 1 if what == resource.RLIMIT_CPU else most))


if __name__ == "__main__":
    sys.exit(inside(sys.argv[2:]) if sys.argv[1:2] == ["--inside"] else run(parser().parse_args()))
