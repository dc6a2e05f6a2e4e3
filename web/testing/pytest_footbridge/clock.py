"""A session's clock."""

from __future__ import annotations

import datetime
import inspect
from typing import TYPE_CHECKING, Any

from .journal import rfc3339

if TYPE_CHECKING:
    from .session import CoreSession


class Clock:
    """The clock of one session. It runs with the server's until it is stopped or put to another time."""

    def __init__(self, session: CoreSession):
        self._session = session
        self._pages: list[Any] = []

    def install(self, page: Any) -> None:
        """Gives the session's time to a page of Playwright's, or to a browser context with all its pages. Do it before the page is opened.

        Then what changes this clock changes the page's `Date`, and `advance` also fires the page's timers that end by then, each once.
        Timers go on while the clock stands still, as they do everywhere else: the host's messages reach the page by them.
        """
        if inspect.iscoroutinefunction(page.clock.install):
            raise TypeError("clock.install() takes a page or context of Playwright's synchronous API.")
        members = self._session.get("/clock")
        page.clock.install(time=_time(members))
        self._pages.append(page)
        self._show(members)

    @property
    def now(self) -> datetime.datetime:
        """What the clock shows."""
        return _time(self._session.get("/clock"))

    @property
    def frozen(self) -> bool:
        """Whether it stands still."""
        return self._session.get("/clock")["frozen"]

    def freeze(self, now: datetime.datetime | str | None = None) -> None:
        """Stops the clock, at `now` or where it is."""
        self._change(now, frozen=True)

    def run(self) -> None:
        """Has the clock go on from where it stands."""
        self._change(None, frozen=False)

    def set(self, now: datetime.datetime | str) -> None:
        """Puts the clock to a time. Whether it runs stays."""
        self._change(now)

    def advance(self, *, milliseconds: float = 0, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0) -> None:
        """Puts the clock forward, and wakes all that slept until then: first in the host, then in pages that have this time."""
        time = datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, milliseconds=milliseconds)
        passed = time // datetime.timedelta(milliseconds=1)
        members = self._session.post("/clock/advance", {"milliseconds": passed})
        for page in self._pages:
            if members["frozen"]:
                page.clock.set_fixed_time(_time(members))
            page.clock.fast_forward(passed)

    def _change(self, now: datetime.datetime | str | None, **members: Any) -> None:
        if now is not None:
            members["now"] = rfc3339(now)
        self._show(self._session.patch("/clock", members))

    def _show(self, members: dict[str, Any]) -> None:
        for page in self._pages:
            (page.clock.set_fixed_time if members["frozen"] else page.clock.set_system_time)(_time(members))


def _time(members: dict[str, Any]) -> datetime.datetime:
    """What a clock shows, by what the control API tells of it."""
    return datetime.datetime.fromisoformat(members["now"].replace("Z", "+00:00"))
