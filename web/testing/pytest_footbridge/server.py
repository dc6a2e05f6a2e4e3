"""A Footbridge server: one that runs already, or one that the kit starts."""

from __future__ import annotations

import contextlib
import os
import secrets
import shlex
import subprocess
import tempfile
import threading
from typing import Any, Callable, Iterator, Sequence

from .bridges import Session
from .control import ControlAPI
from .program import find_program


class ServerError(Exception):
    """The server could not be found or started."""


class Server:
    """A Footbridge server and its control API.

    `url` is the address of its site, such as `http://127.0.0.1:8080`. `timeout` is how long its sessions wait for an expected event, in
    milliseconds. `strict` says whether a rule that never decided a call fails its test. `session_type` is the class of its sessions.
    `browser_flags` are Chromium's flags for sites under their own origins (`--site`); empty if the server is no proxy.
    """

    #: How long a server may take to start, in seconds.
    START_TIME = 30
    #: How much of the end of a server's log an error shows, in characters.
    LOG_LIMIT = 4000

    def __init__(self, url: str, token: str, *, timeout: float = 5000):
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.strict = False
        self.session_type = Session
        self.browser_flags: list[str] = []
        self.control = ControlAPI(self.url, token)
        self._process: subprocess.Popen[str] | None = None
        self._log: Any = None

    @classmethod
    def running(cls) -> Server | None:
        """Returns the server that `FOOTBRIDGE_URL` and `FOOTBRIDGE_CONTROL_TOKEN` name (`footbridge exec` sets them); None without them."""
        url, token = os.environ.get("FOOTBRIDGE_URL"), os.environ.get("FOOTBRIDGE_CONTROL_TOKEN")
        if not url:
            return None
        if not token:
            raise ServerError("FOOTBRIDGE_URL is set, but FOOTBRIDGE_CONTROL_TOKEN is not. Set it to the control token of that server.")
        server = cls(url, token)
        server.browser_flags = os.environ.get("FOOTBRIDGE_BROWSER_FLAGS", "").split()
        return server

    @classmethod
    def start(cls, options: Sequence[str] = (), *, directory: str | os.PathLike[str] | None = None) -> Server:
        """Starts `footbridge serve` with these options in `directory`.

        By default, it listens on a free port and keeps nothing on disk. The program is the one that `FOOTBRIDGE` names, the one in this
        package, or `footbridge` on the `PATH`.
        """
        token = os.environ.get("FOOTBRIDGE_CONTROL_TOKEN") or secrets.token_hex(16)
        log = tempfile.TemporaryFile("w+", errors="replace")
        program = _program()
        try:
            process = subprocess.Popen(
                [program, "serve", *_defaults(options), *options],
                cwd=directory,
                env={
                    # With a password, the proxy asks browsers for their credentials, which name the session.
                    "FOOTBRIDGE_SITE_TOKEN": secrets.token_hex(16),
                    **os.environ,
                    "FOOTBRIDGE_CONTROL_TOKEN": token,
                    "FOOTBRIDGE_CONTROL_TOKEN_FILE": "",
                },
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        except OSError as error:
            raise ServerError(f"{program} cannot be run: {error.strerror}. Set FOOTBRIDGE to the path of the program.") from error
        alarm = threading.Timer(cls.START_TIME, process.kill)
        alarm.start()
        line = process.stdout.readline() if process.stdout else ""
        flags: list[str] = []
        announced = line
        while process.stdout and announced and not announced.startswith("footbridge: control "):
            announced = process.stdout.readline()
            if announced.startswith("footbridge: browser "):
                flags = shlex.split(announced.removeprefix("footbridge: browser "))
        alarm.cancel()
        server = cls(line.split()[-1] if line else "", token)
        server._process, server._log = process, log
        server.browser_flags = flags
        if not line.startswith("footbridge: ready http"):
            server.stop()
            raise ServerError(f"footbridge serve did not start.\n{server.log()}".rstrip())
        return server

    @property
    def ends_with_run(self) -> bool:
        """Whether the server is gone after the run: the kit has started it, or `footbridge exec`."""
        return self._process is not None or "FOOTBRIDGE_EXEC" in os.environ

    @property
    def launch_arguments(self) -> list[str]:
        """The arguments that make Chromium accept the certificates of sites under their own origins. Contexts set the proxy themselves."""
        return [flag for flag in self.browser_flags if not flag.startswith("--proxy-server=")]

    def new_session(self, **options: Any) -> Session:
        """Makes a session: an app that was just installed.

        The options are the members of `POST /sessions`, such as `scenario="declined"`, `present="auto"`,
        `clock={"frozen": True, "now": "2026-01-31T12:00:00Z"}`. `from_` is the name of a snapshot, or what `Session.export` has returned.
        `device_of` is another session, of which this one is a further device; sessions with the same `world` are devices of one person, too.
        """
        return self._begin_session(options)()

    def _begin_session(self, options: dict[str, Any]) -> Callable[[], Session]:
        """Asks for a session. The result waits for it, and returns it; call it once."""
        options = dict(options)
        if "from_" in options:
            options["from"] = options.pop("from_")
        if "device_of" in options:
            device = options.pop("device_of")
            options["deviceOf"] = getattr(device, "id", device)
        answer = self.control.begin_post("/sessions", options)
        return lambda: self.session_type(self, answer())

    @contextlib.contextmanager
    def snapshot(self, name: str, **options: Any) -> Iterator[Any]:
        """Makes a session, lets the body prepare it, and keeps it under `name`: `new_session(from_=name)` begins with it."""
        session = self.new_session(**{"name": name, **options})
        try:
            yield session
            session.snapshot(name)
        finally:
            session.end()

    def log(self) -> str:
        """Returns the end of the server's log; empty if the kit has not started the server."""
        if not self._log:
            return ""
        self._log.seek(0)
        return self._log.read()[-self.LOG_LIMIT :]

    def stop(self) -> None:
        """Waits until the sessions that have ended are deleted, and stops the server if the kit has started it."""
        self.control.close()
        if not self._process:
            return
        self._process.terminate()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()


def _program() -> str:
    program = find_program()
    if not program:
        raise ServerError("footbridge is not on the PATH. Set FOOTBRIDGE to the path of the program.")
    return program


def _defaults(options: Sequence[str]) -> list[str]:
    names = {option.split("=")[0] for option in options}
    defaults = [] if "--port" in names else ["--port", "0"]
    return defaults if "--state" in names else [*defaults, "--ephemeral"]
