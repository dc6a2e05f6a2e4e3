"""Counts the instructions that a server runs in user space, with callgrind. A busy machine does not change the count."""

import pathlib
import re
import statistics
import subprocess
import time

import servers


class ControlError(Exception):
    """The system does not let callgrind_control reach the program."""


def options(output):
    """Returns options of `servers.running` for a server under callgrind, which writes its counts beside `output`."""
    wrapper = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={output}"]
    # The seed of Swift's hash tables is random otherwise.
    environment = {"LD_PRELOAD": str(servers.BUILD / "sigsuspend.so"), "SWIFT_DETERMINISTIC_HASHING": "1"}
    return {"wrapper": wrapper, "timeout": 120, "environment": environment}


def start(server):
    """Begins to count. Until then, the server is quicker."""
    _control(server, "--instr=on")


def per_message(server, output, run, messages):
    """Counts the instructions for one message. `run` sends a given number of them. It does so twice, once with twice as many, and the
    difference leaves out what it does once, such as opening a connection."""
    counts = [_count(server, output, run, count) for count in (messages, 2 * messages)]
    return (counts[1] - counts[0]) / messages


def median_per_message(server, output, send, messages, batches=11):
    """Counts the instructions for one message several times, and returns the median: timers of the server fire in some batches only."""
    return statistics.median(_count(server, output, send, messages) for _ in range(batches)) / messages


def _count(server, output, run, messages):
    _control(server, "--zero")
    run(messages)
    _control(server, "--dump")
    dumps = sorted(output.parent.glob(f"{output.name}.*"), key=lambda path: int(path.suffix[1:]))
    return int(re.search(r"^summary: (\d+)", dumps[-1].read_text(), re.MULTILINE).group(1))


def wait_until_asleep(server):
    """Waits until every thread of the server waits for something. How often its loop turns for a message then depends on nothing else."""
    asleep = 0
    while asleep < 2:
        try:
            states = [(thread / "stat").read_text().rpartition(")")[2].split()[0] for thread in pathlib.Path(f"/proc/{server.pid}/task").iterdir()]
        except (FileNotFoundError, ProcessLookupError):
            # A thread has just ended.
            continue
        asleep = asleep + 1 if set(states) == {"S"} else 0
        if not asleep:
            time.sleep(0.0002)


def _control(server, option):
    # It needs ptrace to reach a program that waits, which a container may forbid.
    control = subprocess.run(["callgrind_control", option, str(server.pid)], capture_output=True, text=True)
    if control.returncode != 0:
        raise ControlError(f"callgrind_control cannot reach the program: {control.stderr.strip()}")
