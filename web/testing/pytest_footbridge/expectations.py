"""Sheets that a test expects to open."""

from __future__ import annotations

import time
from typing import Any, Callable, TypeVar

from .connection import SessionConnection
from .control import ControlError
from .journal import ExpectationError
from .sheets import Sheet, open_sheets

Found = TypeVar("Found")


class ExpectedSheet:
    """A sheet that is open or will open. Each method waits until it is open."""

    def __init__(self, session: SessionConnection, description: str, kind: str, content: dict[str, Any]):
        self._session = session
        self._description = description
        self._opening = {"kind": "sheetOpened", "action": kind, **({"data": {"content": content}} if content else {})}

    def wait(self, timeout: float | None = None) -> Sheet:
        """Waits until the sheet is open, at most `timeout` milliseconds, and returns it."""
        __tracebackhide__ = True

        def find(opened: Sheet) -> Sheet | None:
            return next((sheet for sheet in open_sheets(self._session) if sheet.id == opened.id), None)

        return self._until(find, timeout)

    def approve(self, fields: dict[str, Any] | None = None, /, *, timeout: float | None = None, **more: Any) -> None:
        """Waits for the sheet and approves it with what the person chooses, such as `account` in a login sheet, or with the fields of a dict."""
        __tracebackhide__ = True
        self._until(_answer(lambda sheet: sheet.approve(fields, **more)), timeout)

    def decline(self, *, timeout: float | None = None) -> None:
        """Waits for the sheet and dismisses it."""
        __tracebackhide__ = True
        self._until(_answer(lambda sheet: sheet.decline()), timeout)

    def _until(self, find: Callable[[Sheet], Found | None], timeout: float | None) -> Found:
        """Waits for an opened sheet for which `find` returns a value, and returns that value."""
        __tracebackhide__ = True
        timeout = self._session.timeout if timeout is None else timeout
        deadline = time.monotonic() + timeout / 1000
        after = 0
        answered: list[str] = []
        while True:
            left = max(0.0, deadline - time.monotonic()) * 1000
            try:
                entry = self._session.wait_for(after=after, timeout=left, **self._opening)
            except ExpectationError as error:
                raise ExpectationError(self._failure(timeout, answered, error), error.misses) from None
            found = find(Sheet(self._session, {**entry["data"], "kind": entry["action"]}))
            if found is not None:
                return found
            answered.append(f"#{entry['cursor']}")
            after = entry["cursor"]

    def _failure(self, timeout: float, answered: list[str], error: ExpectationError) -> str:
        parts = [f"No {self._description} was open within {timeout:g} ms."]
        if answered:
            parts.append(f"It was opened before and is answered: {', '.join(answered)}.")
        sheets = open_sheets(self._session)
        if sheets:
            parts.append(f"Open sheets: {', '.join(map(str, sheets))}.")
        return "\n".join([*parts, *str(error).splitlines()[1:]])


def _answer(answer: Callable[[Sheet], None]) -> Callable[[Sheet], bool | None]:
    def find(sheet: Sheet) -> bool | None:
        try:
            answer(sheet)
        except ControlError as error:
            if error.status != 404:
                raise
            # The sheet is already answered.
            return None
        return True

    return find
