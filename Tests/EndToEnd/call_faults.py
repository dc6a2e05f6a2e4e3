"""Faults of calls: the n-th call of a function fails, whatever it is about. The other half is Tests/Faults/calls.c."""

import errno
import mmap
import struct
import tempfile

import faults

#: The functions, in the order of calls.c, with the errors that each can have. Those of SQLite have its own codes.
SQLITE_ERRORS = {"SQLITE_BUSY": 5, "SQLITE_NOMEM": 7, "SQLITE_IOERR": 10, "SQLITE_FULL": 13}
FUNCTIONS = {
    "read": [errno.EIO], "write": [errno.EIO, errno.ENOSPC], "send": [errno.ECONNRESET, errno.ENOBUFS, errno.EINTR],
    "recv": [errno.ECONNRESET, errno.ENOMEM, errno.EINTR], "fsync": [errno.EIO], "open": [errno.EMFILE, errno.ENFILE],
    "rename": [errno.EIO], "mmap": [errno.ENOMEM], "malloc": [errno.ENOMEM], "accept": [errno.EMFILE, errno.ECONNABORTED, errno.EINTR],
    "epoll_wait": [errno.EINTR], "socket": [errno.EMFILE], "sqlite3_prepare": list(SQLITE_ERRORS.values()), "sqlite3_step": list(SQLITE_ERRORS.values()),
}
NAMES = list(FUNCTIONS)
HEAD = 6
IS_ON, FUNCTION, FIRST, COUNT, CODE, FAILED = range(HEAD)
SUBJECT = 8 * (HEAD + len(NAMES))
SIZE = SUBJECT + 200


def name_of(function, code):
    """The name of an error of a function."""
    if function.startswith("sqlite"):
        return next(name for name, value in SQLITE_ERRORS.items() if value == code)
    return errno.errorcode[code]


class CallFaults:
    """The faults of servers that start with `environment`."""

    def __init__(self, library):
        self._file = tempfile.NamedTemporaryFile(prefix="calls-")
        self._file.truncate(SIZE)
        self._memory = mmap.mmap(self._file.fileno(), SIZE)
        self.environment = {"LD_PRELOAD": str(library), "FOOTBRIDGE_CALLS_CONTROL": self._file.name}

    def _get(self, place):
        return struct.unpack_from("=q", self._memory, 8 * place)[0]

    def _set(self, place, value):
        struct.pack_into("=q", self._memory, 8 * place, value)

    def on(self, function=None, code=0, first=1, count=1):
        """Starts to count calls, from 1. With a function, `count` of its calls fail with this code, from the `first` on."""
        self._set(IS_ON, 0)
        values = {FUNCTION: NAMES.index(function) if function else -1, FIRST: first, COUNT: count, CODE: code, FAILED: 0}
        for place, value in values.items():
            self._set(place, value)
        for number in range(len(NAMES)):
            self._set(HEAD + number, 0)
        self._memory[SUBJECT:SIZE] = bytes(SIZE - SUBJECT)
        self._set(IS_ON, 1)

    def off(self):
        """Stops faults and counting. Returns how often each function was called."""
        self._set(IS_ON, 0)
        return {name: self._get(HEAD + number) for number, name in enumerate(NAMES)}

    @property
    def subject(self):
        """What the call that failed was about: a path, or a statement."""
        return bytes(self._memory[SUBJECT:SIZE]).split(b"\0")[0].decode(errors="replace")

    @property
    def failed(self):
        """How many calls have failed since `on`."""
        return self._get(FAILED)


def library(folder):
    """Compiles the library. Skips the test if that is impossible."""
    return faults.library(folder, "calls")
