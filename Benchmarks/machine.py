"""The machine: its cores, and what a process uses."""

import contextlib
import os
import pathlib
import platform
import time

CORES = sorted(os.sched_getaffinity(0))
# One core is for the server, the other for its clients.
SERVER_CORE, CLIENT_CORE = CORES[0], CORES[-1]


def pinned(core, *command):
    """Returns the command line that runs a command on one core."""
    return ["taskset", "-c", str(core), *map(str, command)]


@contextlib.contextmanager
def on_client_core():
    """Keeps this process, and the processes that it starts meanwhile, on the client's core."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {CLIENT_CORE})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def cpu_seconds(pid):
    """Returns the CPU time of a process, in user space and in the kernel, with that of its threads that have ended."""
    # The clock of a process, as clock_getcpuclockid(3) gives it.
    try:
        return time.clock_gettime(~int(pid) << 3 | 2)
    except OSError as error:
        raise FileNotFoundError(f"there is no process {pid}") from error


def resident_kilobytes(pid):
    """Returns the resident memory of a process."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise RuntimeError(f"process {pid} has no memory")


def description():
    """Returns what a reader must know about the machine to judge the numbers."""
    information = pathlib.Path("/proc/cpuinfo").read_text()
    model = next((line.split(": ")[1] for line in information.splitlines() if line.startswith("model name")), "unknown")
    # Without the distribution's suffix of the kernel's version.
    kernel = platform.release().split("-")[0]
    system = f"{platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {kernel}"
    return {"processor": model, "cores": len(CORES), "system": system, "load": os.getloadavg()[0]}
