"""A session as all its parts use it: its part of the control API, and what waits for its journal."""

from __future__ import annotations

import itertools
import time
from typing import Any, Protocol, Sequence

from .control import ControlAPI, ControlError, segment
from .journal import Entry, ExpectationError, compact, misses_text


class SessionServer(Protocol):
    """What a session needs of its server."""

    url: str
    timeout: float
    strict: bool
    control: ControlAPI

    def new_session(self, **options: Any) -> Any:
        """Makes a session."""

    def log(self) -> str:
        """Returns the end of the server's log."""


class SessionConnection:
    """The control API of one session."""

    #: How often Playwright's handlers get a turn while the test waits here, in milliseconds.
    TURN = 200
    #: How long one request waits at most, in milliseconds. The server allows two minutes.
    LONGEST_TURN = 60_000

    def __init__(self, server: SessionServer, id: str):
        self.server = server
        self.id = id
        self.timeout = server.timeout
        self.numbers = itertools.count(1)
        self._contexts: list[Any] = []

    def describe_sheet(self, kind: str, content: dict[str, Any]) -> str:
        """Describes a sheet for people. Bridges add details of their sheets."""
        return kind

    def wait_for(self, *, after: int = 0, timeout: float | None = None, **until: Any) -> Entry:
        """Waits for an entry of the journal with the members of `until` (`kind`, `action`, `data` and others), and returns it.

        Members that `data` leaves out do not matter. `after` is a cursor: entries up to it do not count. Without it, entries since the
        start of the session count.
        """
        __tracebackhide__ = True
        timeout = self.timeout if timeout is None else timeout
        return self._wait_until(time.monotonic() + timeout / 1000, timeout, after, until)

    def _wait_until(self, deadline: float, timeout: float, after: int, until: dict[str, Any]) -> Entry:
        """Waits for an entry until a deadline. `timeout` is the whole time, for the error."""
        __tracebackhide__ = True
        while True:
            left = max(0.0, deadline - time.monotonic()) * 1000
            turn = min(left, self.TURN if self._contexts else self.LONGEST_TURN)
            body = {"after": after, "until": until, "timeout": round(turn)}
            try:
                return self.post("/journal/wait", body)["entry"]
            except ControlError as error:
                if error.status != 408:
                    raise
                if turn >= left:
                    misses = error.problem.get("nearestMisses", [])
                    text = f"No entry of the journal matched {compact(until)} within {timeout:g} ms.\n{self.misses_text(misses, after)}"
                    raise ExpectationError(text, misses) from None
            self._give_playwright_a_turn()

    def misses_text(self, misses: Sequence[dict[str, Any]], after: int) -> str:
        """Lists the entries after a cursor that came closest, and says whether a page has ever opened."""
        opened = self.post("/journal/count", {"of": {"kind": "page", "action": "opened"}})["count"]
        return misses_text(misses, after, opened > 0 or bool(self.get("/pages")["pages"]))

    def _give_playwright_a_turn(self) -> None:
        # Playwright's synchronous API runs the test's handlers, such as routes, only inside its own calls. Without a turn, a page that waits
        # for such a handler would never do what the test waits for here.
        for context in list(self._contexts):
            try:
                context.cookies([])
            except Exception:
                self._contexts.remove(context)

    # The control API, for everything without its own method; paths are relative to the session's

    def get(self, path: str, **query: Any) -> Any:
        """`GET` of the control API."""
        return self.server.control.get(self._path(path), **query)

    def post(self, path: str, body: Any = None) -> Any:
        """`POST` of the control API."""
        __tracebackhide__ = True
        return self.server.control.post(self._path(path), body)

    def patch(self, path: str, body: Any) -> Any:
        """`PATCH` of the control API."""
        return self.server.control.patch(self._path(path), body)

    def put(self, path: str, body: Any) -> Any:
        """`PUT` of the control API."""
        return self.server.control.put(self._path(path), body)

    def delete(self, path: str) -> Any:
        """`DELETE` of the control API."""
        return self.server.control.delete(self._path(path))

    def _path(self, path: str) -> str:
        return f"/sessions/{segment(self.id)}{path}"
