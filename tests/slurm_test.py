"""Under a real slurmctld and slurmd, the job array of examples/slurm builds the same dataset as one machine. Skipped if Slurm
is not installed; `scripts/nightly slurm` installs it.

    python3 tests/slurm_test.py BUILD/seedbed BUILD/tests/seedbed-toy

Label: outside
"""
import os
import pwd
import shutil
import socket
import subprocess
import sys
import time
import unittest

from dataset_support import SEEDBED, InFolder, contents, read, write

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue")
SUBMIT = os.path.abspath("examples/slurm/submit")

os.environ["PATH"] += ":/usr/sbin"
missing = [program for program in PROGRAMS if not shutil.which(program)]

CONFIGURATION = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=100000,bf_interval=1
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@unittest.skipIf(missing, f"Slurm is not installed: {', '.join(missing)}")
class Slurm(InFolder):
    def setUp(self):
        super().setUp()
        self.daemons = []
        self.addCleanup(self.stop)
        host, user = socket.gethostname().split(".")[0], pwd.getpwuid(os.geteuid()).pw_name
        for name in ("state", "spool"):
            os.mkdir(self.path(name))
        write(self.path("munge.key"), os.urandom(64))
        os.chmod(self.path("munge.key"), 0o400)
        os.chmod(self.folder, 0o755)
        configuration = write(self.path("slurm.conf"), CONFIGURATION.format(host=host, user=user, folder=self.folder, ports=free_ports(2)))
        self.environment = {**os.environ, "SLURM_CONF": configuration, "SEEDBED": SEEDBED}
        self.start("munged", "--foreground", "--force", f"--socket={self.path('munge.socket')}", f"--key-file={self.path('munge.key')}",
                   f"--pid-file={self.path('munge.pid')}", f"--log-file={self.path('munge.log')}", f"--seed-file={self.path('munge.seed')}")
        self.wait_for(lambda: os.path.exists(self.path("munge.socket")), "munged")
        self.start("slurmctld", "-D", "-i")
        self.start("slurmd", "-D", "-N", host)
        self.wait_for(lambda: self.say("sinfo", "--noheader", "--format=%T").strip() == "idle", "an idle node")

    def start(self, program, *arguments):
        with open(self.path(program + ".out"), "wb") as out:
            self.daemons.append(subprocess.Popen([program, *arguments], stdout=out, stderr=out, env=self.environment))

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=300)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def say(self, *command):
        return subprocess.run(command, capture_output=True, text=True, env=self.environment, cwd=self.folder, timeout=900).stdout

    def wait_for(self, condition, what, seconds=90):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                logs = "".join(f"\n{name}: {read(self.path(name)).decode()[-1500:]}" for name in sorted(os.listdir(self.folder)) if name.endswith(".out"))
                self.fail(f"no {what} in {seconds} s{logs}")
            time.sleep(0.2)

    def test_job_array_and_merge_give_the_bytes_of_a_single_build(self):
        recipe = write(self.path("recipe.json"), '{"tasks": "PreciseNavigation,KeyDoorPuzzle", "difficulty": "easy", "count": 24, "split": "train",'
                                                 ' "epsilon": 0.1, "formats": ["steps", "chat"], "shard_episodes": 16}')
        wanted = contents(self.build("whole", "--recipe", recipe))
        job = self.say(SUBMIT, recipe, self.path("d"), "3", "--cpus-per-task=1").strip()
        self.assertRegex(job, r"\A\d+\Z")
        self.wait_for(lambda: not self.say("squeue", "--noheader", "--all").strip(), "empty queue", 120)
        logs = {name: read(self.path(name)) for name in os.listdir(self.folder) if name.startswith("slurm-")}
        self.assertEqual(len(logs), 4, "three tasks and the merge")
        self.assertIn(b"every hash right", logs[f"slurm-{job}.out"], logs)
        self.assertEqual(contents(self.path("d")), wanted)
        self.assertFalse(os.path.exists(self.path("d.parts")))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
