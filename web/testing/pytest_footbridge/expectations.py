"""Sheets that a test expects to open."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from .sheets import Sheet

if TYPE_CHECKING:
    from .session import Session


class ExpectationError(AssertionError):
    """What a test waited for did not come in time."""


class ExpectedSheet:
    """A sheet that is open, or will be. What asks for the sheet waits until it is open."""

    #: How long to wait before looking again, in seconds.
    PAUSE = 0.02

    def __init__(self, session: Session, description: str, kind: str, content: dict[str, Any]):
        self._session = session
        self._description = description
        self._kind = kind
        self._content = content

    def wait(self, timeout: float | None = None) -> Sheet:
        """Waits until the sheet is open, at most `timeout` milliseconds, and returns it."""
        __tracebackhide__ = True
        timeout = self._session.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout / 1000
        while True:
            sheets = self._session.sheets()
            for sheet in sheets:
                if sheet.kind == self._kind and _matches(self._content, sheet.content):
                    return sheet
            if time.monotonic() >= deadline:
                open_sheets = ", ".join(map(str, sheets)) or "no sheet"
                raise ExpectationError(f"No {self._description} was open within {timeout:g} ms.\nOpen is: {open_sheets}.")
            time.sleep(self.PAUSE)
            self._session.give_playwright_a_turn()

    def approve(self, *, timeout: float | None = None, **fields: Any) -> None:
        """Waits for the sheet; the person goes on. `fields` is what they choose, such as `account` in a login sheet."""
        __tracebackhide__ = True
        self.wait(timeout).approve(**fields)

    def decline(self, *, timeout: float | None = None) -> None:
        """Waits for the sheet; the person dismisses it."""
        __tracebackhide__ = True
        self.wait(timeout).decline()


def _matches(pattern: Any, value: Any) -> bool:
    if isinstance(pattern, dict) and isinstance(value, dict):
        return all(name in value and _matches(member, value[name]) for name, member in pattern.items())
    return bool(pattern == value)
