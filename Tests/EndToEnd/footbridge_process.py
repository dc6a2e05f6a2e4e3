"""The programs under test, as processes."""

import os
import pathlib
import queue
import signal
import subprocess
import threading

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("FOOTBRIDGE_BUILD", PROJECT / ".build" / "release"))
FIXTURES = PROJECT / "Tests" / "OnsideTests" / "Fixtures"


class Process:
    """A server that has said that it is ready."""

    def __init__(self, program, *arguments, environment=None):
        self.process = subprocess.Popen(
            [str(BUILD / program), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(environment or {})},
        )
        self.lines = queue.Queue()
        self.log = []
        self.logged = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()
        self.log_reader = threading.Thread(target=self._read_log, daemon=True)
        self.log_reader.start()
        line = self.lines.get(timeout=20)
        if line is None:
            raise RuntimeError(f"{program} did not start: {''.join(self.log)}")
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def _read_log(self):
        for line in self.process.stderr:
            with self.logged:
                self.log.append(line)
                self.logged.notify_all()

    def wait_for_log(self, *parts):
        """Waits for a line on standard error that has all these parts, and returns it."""

        def find():
            return next((line for line in self.log if all(part in line for part in parts)), None)

        with self.logged:
            assert self.logged.wait_for(find, timeout=10), f"not logged: {parts}"
            return find()

    def signal(self, number):
        """Sends a signal and returns the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=10)
        self.log_reader.join(timeout=10)
        return code

    def stop(self):
        """Stops the server as a user would and returns the exit code."""
        if self.process.poll() is None:
            return self.signal(signal.SIGTERM)
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def serve(*arguments, port=0, **options):
    """`footbridge serve` on a free port."""
    return Process("footbridge", "serve", "--port", port, *arguments, **options)


def run(*arguments, environment=None, timeout=10):
    """Runs the command to its end."""
    return subprocess.run(
        [str(BUILD / "footbridge"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **(environment or {})},
    )
