"""A Footbridge server: one that runs already, or one of our own."""

from __future__ import annotations

import os
import secrets
import subprocess
import tempfile
import threading
from typing import Any, Sequence

from .bridges import Session
from .control import ControlAPI
from .program import find_program


class ServerError(Exception):
    """The server could not be found or started."""


class Server:
    """A Footbridge server and its control API.

    `url` is where its site is, such as `http://127.0.0.1:8080`; `timeout` how many milliseconds its sessions wait for what they expect;
    `strict` whether a rule that never decides fails its test; `session_type` is what a session is to its tests.
    """

    #: How long a server may take to start, in seconds.
    START_TIME = 30
    #: How much of a server's log is told, in characters.
    LOG_LIMIT = 4000

    def __init__(self, url: str, token: str, *, timeout: float = 5000):
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.strict = False
        self.session_type = Session
        self.control = ControlAPI(self.url, token)
        self._process: subprocess.Popen[str] | None = None
        self._log: Any = None

    @classmethod
    def running(cls) -> Server | None:
        """The server that `FOOTBRIDGE_URL` and `FOOTBRIDGE_CONTROL_TOKEN` name, as `footbridge exec` sets them; None without them."""
        url, token = os.environ.get("FOOTBRIDGE_URL"), os.environ.get("FOOTBRIDGE_CONTROL_TOKEN")
        if not url:
            return None
        if not token:
            raise ServerError("FOOTBRIDGE_URL is set, and FOOTBRIDGE_CONTROL_TOKEN is not: the token of that server is needed, too.")
        return cls(url, token)

    @classmethod
    def start(cls, options: Sequence[str] = (), *, directory: str | os.PathLike[str] | None = None) -> Server:
        """Starts `footbridge serve` with these options in `directory`.

        It listens on a free port and keeps nothing, unless the options say otherwise. The program is what `FOOTBRIDGE` names, what
        came with this package, or `footbridge` on the search path.
        """
        token = os.environ.get("FOOTBRIDGE_CONTROL_TOKEN") or secrets.token_hex(16)
        log = tempfile.TemporaryFile("w+", errors="replace")
        program = _program()
        try:
            process = subprocess.Popen(
                [program, "serve", *_defaults(options), *options],
                cwd=directory,
                env={**os.environ, "FOOTBRIDGE_CONTROL_TOKEN": token, "FOOTBRIDGE_CONTROL_TOKEN_FILE": ""},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        except OSError as error:
            raise ServerError(f"{program} cannot be run: {error.strerror}. FOOTBRIDGE can say where the program is.") from error
        alarm = threading.Timer(cls.START_TIME, process.kill)
        alarm.start()
        line = process.stdout.readline() if process.stdout else ""
        alarm.cancel()
        server = cls(line.split()[-1] if line else "", token)
        server._process, server._log = process, log
        if not line.startswith("footbridge: ready http"):
            server.stop()
            raise ServerError(f"footbridge serve did not start.\n{server.log()}".rstrip())
        return server

    def new_session(self, **options: Any) -> Session:
        """A new session: an app that was just installed.

        The options are the members of `POST /sessions`, such as `scenario="declined"`, `present="auto"`,
        `clock={"frozen": True, "now": "2026-01-31T12:00:00Z"}`.
        """
        return self.session_type(self, self.control.post("/sessions", options))

    def log(self) -> str:
        """The end of what the server has logged; empty when somebody else has started it."""
        if not self._log:
            return ""
        self._log.seek(0)
        return self._log.read()[-self.LOG_LIMIT :]

    def stop(self) -> None:
        """Stops the server, when it is ours."""
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
        raise ServerError("There is no footbridge on the search path. FOOTBRIDGE can say where the program is.")
    return program


def _defaults(options: Sequence[str]) -> list[str]:
    names = {option.split("=")[0] for option in options}
    defaults = [] if "--port" in names else ["--port", "0"]
    return defaults if "--state" in names else [*defaults, "--ephemeral"]
