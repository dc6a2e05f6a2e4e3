"""A session's clock."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from .journal import rfc3339

if TYPE_CHECKING:
    from .session import CoreSession


class Clock:
    """The clock of one session. It runs with the server's until it is stopped or put to another time."""

    def __init__(self, session: CoreSession[Any]):
        self._session = session

    @property
    def now(self) -> datetime.datetime:
        """What the clock shows."""
        return datetime.datetime.fromisoformat(self._session.get("/clock")["now"].replace("Z", "+00:00"))

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
        """Puts the clock forward, and wakes all that slept until then."""
        time = datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds, milliseconds=milliseconds)
        self._session.post("/clock/advance", {"milliseconds": time // datetime.timedelta(milliseconds=1)})

    def _change(self, now: datetime.datetime | str | None, **members: Any) -> None:
        if now is not None:
            members["now"] = rfc3339(now)
        self._session.patch("/clock", members)
