"""The programs under test, as processes."""

import contextlib
import json
import os
import pathlib
import queue
import signal
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request
from types import SimpleNamespace

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("FOOTBRIDGE_BUILD", PROJECT / ".build" / "debug"))
#: How long a server may take until it is ready, in seconds.
START_TIMEOUT = float(os.environ.get("FOOTBRIDGE_START_TIMEOUT", "20"))
#: How long a test waits for what certainly comes, in seconds: much longer than on a busy machine.
LONG = 60
#: The host name of the tests' servers for pages, instead of an address of this machine, if any.
NAME = os.environ.get("FOOTBRIDGE_NAME")
#: A name that the browser of the tests resolves to this machine, but does not treat as secure.
PLAIN_NAME = "footbridge"
FIXTURES = PROJECT / "Tests" / "Bridges" / "Onside" / "OnsideKitTests" / "Fixtures"


class StartFailure(RuntimeError):
    """A program ended before it was ready."""

    def __init__(self, program, code, log):
        super().__init__(f"{program} did not start: {log}")
        self.code = code
        self.log = log


class Process:
    """A server that has printed that it is ready."""

    #: Where servers tell what the linter finds; usually nowhere.
    census = None

    def __init__(self, program, *arguments, environment=None):
        # Servers of the same folder would share the default state directory.
        self.state_home = tempfile.TemporaryDirectory(dir=os.environ.get("XDG_STATE_HOME"))
        self.process = subprocess.Popen(
            [str(BUILD / program), *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": self.state_home.name, "XDG_RUNTIME_DIR": self.state_home.name, **(environment or {})},
        )
        self.lines = queue.Queue()
        self.log = []
        self.logged = threading.Condition()
        self.control_line = None
        self.has_read_control = False
        threading.Thread(target=self._read, daemon=True).start()
        self.log_reader = threading.Thread(target=self._read_log, daemon=True)
        self.log_reader.start()
        line = self.lines.get(timeout=START_TIMEOUT)
        if line is None:
            code = self.process.wait(timeout=LONG)
            self.log_reader.join(timeout=LONG)
            raise StartFailure(program, code, "".join(self.log))
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def control(self, token=None):
        """The control API, from the line that the server has printed. The first use takes this line and those before it from `lines`."""
        while not self.has_read_control:
            line = self.lines.get(timeout=LONG)
            if line is None:
                raise RuntimeError("the server has printed nothing about its control API")
            self.has_read_control = line.startswith("footbridge: control ")
        url, *rest = self.control_line.removeprefix("footbridge: control ").split()
        return Control(url, token or rest[0].removeprefix("token="))

    def _read(self):
        for line in self.process.stdout:
            if line.startswith("footbridge: control "):
                self.control_line = line.rstrip("\n")
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def _read_log(self):
        for line in self.process.stderr:
            if self.census:
                self.census.take(line)
            with self.logged:
                self.log.append(line)
                self.logged.notify_all()

    def wait_for_log(self, *parts, timeout=LONG):
        """Waits for a line on standard error that has all these parts, and returns it."""

        def find():
            return next((line for line in self.log if all(part in line for part in parts)), None)

        with self.logged:
            assert self.logged.wait_for(find, timeout=timeout), f"not logged: {parts}"
            return find()

    def memory(self, field="VmRSS"):
        """Returns the resident memory in MiB, or with `VmHWM` the most that there was."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status")
        if not status.exists():
            pytest.skip("needs /proc")
        return int(next(line for line in status.read_text().splitlines() if line.startswith(field)).split()[1]) / 1024

    def signal(self, number):
        """Sends a signal and returns the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=LONG)
        self.log_reader.join(timeout=LONG)
        return code

    def stop(self):
        """Stops the server as a user does, and returns the exit code."""
        if self.process.poll() is None:
            if self.census and self.control_line:
                self.census.conclude(self.control_line)
            return self.signal(signal.SIGTERM)
        return self.process.returncode

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Control:
    """A plain client of the control API."""

    def __init__(self, url, token):
        self.url = url
        self.token = token

    def request(self, method, path, body=None, *, token=None, content_type="application/json", data=None, headers=None):
        """Sends a request: `body` as JSON, or `data` unchanged. Returns status, headers and the parsed body."""
        if body is not None:
            data = json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token or self.token}", **(headers or {})}
        if data is not None and content_type:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            response = urllib.request.urlopen(request, timeout=LONG)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            text = response.read()
            is_json = response.headers.get("Content-Type", "").endswith("json")
            return SimpleNamespace(
                status=response.status, headers=response.headers, text=text, json=json.loads(text) if is_json else None
            )

    def __call__(self, method, path, body=None, **options):
        """Sends a request that must succeed, and returns the parsed body."""
        answer = self.request(method, path, body, **options)
        assert answer.status < 300, (method, path, answer.status, answer.text)
        return answer.json

    @contextlib.contextmanager
    def events(self, session, headers=None):
        """Opens the stream of a session's journal, and returns an iterator of its named events."""
        request = urllib.request.Request(
            f"{self.url}/events?session={session}", headers={"Authorization": f"Bearer {self.token}", **(headers or {})}
        )
        with urllib.request.urlopen(request, timeout=LONG) as response:
            # The first line comes when the stream has begun: it has everything that happens from now on.
            response.readline()
            yield self._read_events(response)

    @staticmethod
    def _read_events(response):
        fields = {}
        for line in response:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name:
                fields[name] = value
            elif "event" in fields:
                yield SimpleNamespace(name=fields["event"], id=fields["id"], data=json.loads(fields["data"]))
                fields = {}

    def session(self, **members):
        """Makes a session."""
        return self("POST", "/sessions", members)

    def enter(self, context, session):
        """Puts a browser profile into a new session."""
        context.add_cookies([session["cookie"]])


def serve(*arguments, port=0, name=NAME, **options):
    """Runs `footbridge serve` on a free port. With a name, its address has that name."""
    if name:
        arguments = (*arguments, "--allow-host", name)
    server = Process("footbridge", "serve", "--port", port, *arguments, **options)
    if name:
        server.url = f"http://{name}:{server.port}"
    return server


def run(*arguments, environment=None, timeout=LONG):
    """Runs the command until it ends."""
    return subprocess.run(
        [str(BUILD / "footbridge"), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=timeout,
        env={**os.environ, **(environment or {})},
    )
