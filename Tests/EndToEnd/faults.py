"""Faults of the disk: the n-th system call about a file in a folder fails, or waits. The other half is Tests/Faults/faults.c."""

import mmap
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
import time
from types import SimpleNamespace

import pytest

from footbridge_process import PROJECT

OPERATIONS = ["open", "write", "pwrite", "fsync", "fdatasync", "ftruncate", "rename", "link", "unlink", "mkdir", "read"]
#: The faults, with their numbers in faults.c. HOLD makes a call wait until the test releases it.
EIO, ENOSPC, SHORT, HOLD = range(1, 5)
NAMES = {EIO: "EIO", ENOSPC: "ENOSPC", SHORT: "short write", HOLD: "held"}

HEAD = 10 * 8
TRACED = 64
TRACE_LIMIT = 4096
IS_ON, FAULT, FIRST, COUNT, CALLS, FAULTS, HELD, COUNTS_READS, EVERY = range(9)


def library(folder, name="faults"):
    """Compiles a library of Tests/Faults. Skips the test if that is impossible."""
    if not sys.platform.startswith("linux"):
        pytest.skip("the fault injector is preloaded as Linux does it")
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        pytest.skip("there is no C compiler for the fault injector")
    path = folder / f"{name}.so"
    subprocess.run(
        [compiler, "-D_GNU_SOURCE", "-Wall", "-Wextra", "-O1", "-shared", "-fPIC", "-o", path, PROJECT / "Tests" / "Faults" / f"{name}.c",
         "-ldl", "-pthread"],
        check=True,
    )
    return path


class Faults:
    """The faults of one folder, for servers that start with `environment`."""

    def __init__(self, library, folder):
        self.folder = folder
        self._file = tempfile.NamedTemporaryFile(prefix="faults-")
        self._file.truncate(HEAD + TRACED * TRACE_LIMIT)
        self._memory = mmap.mmap(self._file.fileno(), HEAD + TRACED * TRACE_LIMIT)
        self.environment = {
            "LD_PRELOAD": str(library), "FOOTBRIDGE_FAULTS_FOLDER": str(folder), "FOOTBRIDGE_FAULTS_CONTROL": self._file.name,
        }

    def _get(self, place):
        return struct.unpack_from("=q", self._memory, 8 * place)[0]

    def _set(self, place, value):
        struct.pack_into("=q", self._memory, 8 * place, value)

    def on(self, fault=0, first=1, count=1, *, every=1, reads=False):
        """Starts to count calls, from 1. `count` of them have the fault, from the `first` on; with a count of 0, all until `off`. With `every`, only
        every so manieth of these has it. With `reads`, calls that read count, too.

        Without a fault, it only counts."""
        self._set(IS_ON, 0)
        values = {CALLS: 0, FAULTS: 0, HELD: 0, FAULT: fault, FIRST: first, COUNT: count, EVERY: every, COUNTS_READS: reads}
        for place, value in values.items():
            self._set(place, value)
        self._set(IS_ON, 1)

    def off(self):
        """Stops faults and counting. Calls that wait continue. Returns the counted calls."""
        self._set(IS_ON, 0)
        return self.calls()

    @property
    def injected(self):
        """How many calls have had the fault since `on`."""
        return self._get(FAULTS)

    def calls(self):
        """The calls since `on`, oldest first."""
        calls = []
        for number in range(min(self._get(CALLS), TRACE_LIMIT)):
            operation, is_faulty, name = struct.unpack_from("BB62s", self._memory, HEAD + TRACED * number)
            calls.append(SimpleNamespace(
                operation=OPERATIONS[operation], file=name.split(b"\0")[0].decode(), is_faulty=bool(is_faulty)))
        return calls

    def wait_for_hold(self, is_over, timeout=20):
        """Waits until a call waits, or until no call can."""
        end = time.monotonic() + timeout
        while not self._get(HELD) and not is_over():
            assert time.monotonic() < end, "no call was held"
            threading.Event().wait(0.002)
