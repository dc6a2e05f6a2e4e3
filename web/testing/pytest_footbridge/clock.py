"""A session's clock."""

from __future__ import annotations

import datetime
import inspect
from typing import Any

from .connection import SessionConnection
from .journal import rfc3339


class Clock:
    """The clock of one session. It shows the server's time until a test stops or sets it."""

    def __init__(self, session: SessionConnection):
        self._session = session
        self._pages: list[Any] = []

    def install(self, page: Any) -> None:
        """Gives the session's time to a Playwright page, or to a browser context with all its pages. Call it before you open the page.

        From then on, a change of this clock changes the page's `Date`, and `advance` also fires the page's timers that are due by then,
        each once. Timers keep running while the clock stands still, because the host's messages need them to reach the page.
        """
        if inspect.iscoroutinefunction(page.clock.install):
            raise TypeError("clock.install() takes a page or context of Playwright's synchronous API.")
        members = self._session.get("/clock")
        page.clock.install(time=_time(members))
        self._pages.append(page)
        self._show(members)

    @property
    def now(self) -> datetime.datetime:
        """The time that the clock shows."""
        return _time(self._session.get("/clock"))

    @property
    def frozen(self) -> bool:
        """Whether the clock stands still."""
        return self._session.get("/clock")["frozen"]

    def freeze(self, now: datetime.datetime | str | None = None) -> None:
        """Stops the clock, at `now` or at its current time."""
        self._change(now, frozen=True)

    def run(self) -> None:
        """Lets the clock run on from its current time."""
        self._change(None, frozen=False)

    def set(self, now: datetime.datetime | str) -> None:
        """Sets the clock to a time. It keeps running or standing still."""
        self._change(now)

    def advance(
        self, *, milliseconds: float = 0, seconds: float = 0, minutes: float = 0, hours: float = 0, days: float = 0,
        months: int = 0, years: int = 0,
    ) -> None:
        """Advances the clock, and wakes everything that waits until then: first in the host, then in pages with this clock.

        Months and years are those of the calendar, as subscriptions count them: a month after 31 January is the last day of February.
        """
        time = datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, milliseconds=milliseconds)
        passed = time // datetime.timedelta(milliseconds=1)
        if months or years:
            before = self.now
            duration = f"P{years}Y{months}MT{passed // 1000}.{passed % 1000:03}S"
            members = self._session.post("/clock/advance", {"duration": duration})
            passed = (_time(members) - before) // datetime.timedelta(milliseconds=1)
        else:
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
    """Returns the time in the control API's answer about a clock."""
    return datetime.datetime.fromisoformat(members["now"].replace("Z", "+00:00"))
