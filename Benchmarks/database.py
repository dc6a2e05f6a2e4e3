"""A PostgreSQL of the benchmark's own, in a temporary folder, and what it uses."""

import os
import pathlib
import sys

import machine
import servers

# The tests start and stop one in the same way.
sys.path.append(str(servers.PROJECT / "Tests" / "EndToEnd"))
from postgresql import PostgreSQL  # noqa: E402


class Database(PostgreSQL):
    """A server whose changes survive a power cut, if the folder for temporary files is on a disk."""

    def __init__(self):
        super().__init__(is_durable=True, shared_buffers="128MB", max_wal_size="1GB", max_connections=100)

    def cpu_seconds(self):
        """Returns the CPU time of all of its processes, with those that have ended."""
        while True:
            try:
                return self._cpu_seconds()
            except FileNotFoundError:
                # A process has just ended. Now its time is among that of the ended ones.
                continue

    def _cpu_seconds(self):
        first = pathlib.Path(f"/proc/{self._process.pid}")
        # The name of the program, in parentheses, may contain anything.
        fields = (first / "stat").read_text().rpartition(")")[2].split()
        ended = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        children = (first / "task" / first.name / "children").read_text().split()
        return ended + sum(machine.cpu_seconds(process) for process in [first.name, *children])

    def number(self, statement):
        """Runs a statement, and returns the one number that it gives."""
        return float(self.query(statement)[0][0])

    def text(self, column, table):
        """Returns a value of the table's newest row."""
        statement = f"SELECT encode({column}, 'hex') FROM footbridge.{table} ORDER BY ctid DESC LIMIT 1"
        return bytes.fromhex(self.query(statement)[0][0]).decode()

    def log_bytes(self):
        """Returns how many bytes it has written to its log, the WAL, so far."""
        return self.number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")

    def table_bytes(self):
        """Returns the bytes of Footbridge's tables, with their indexes."""
        return self.number(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'footbridge'::regnamespace")
