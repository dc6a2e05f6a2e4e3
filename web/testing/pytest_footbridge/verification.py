"""Checks of a page's calls: which ones it has made, how often, and in which order."""

from __future__ import annotations

import time
from typing import Any, Sequence

from .connection import SessionConnection
from .journal import Entry, ExpectationError, compact, line


class Occurrences:
    """Checks on the entries of a session's journal: how often, and in which order."""

    #: The verb for error messages.
    VERB = "found"

    def __init__(self, session: SessionConnection, until: dict[str, Any], after: int):
        self.session = session
        self._after = after
        self._until = until

    def exactly(self, count: int, *, timeout: float | None = None) -> list[Entry]:
        """Waits for this many, at most `timeout` milliseconds, and returns their entries. Fails if there are fewer, or more by then."""
        __tracebackhide__ = True
        found, misses = self._find(count, timeout)
        if len(found) != count:
            raise self._failure(f"exactly {_times(count)}", found, misses if len(found) < count else [], timeout)
        return found

    def at_least(self, count: int, *, timeout: float | None = None) -> list[Entry]:
        """Waits for at least this many, at most `timeout` milliseconds, and returns the entries of all that have come."""
        __tracebackhide__ = True
        found, misses = self._find(count, timeout)
        if len(found) < count:
            raise self._failure(f"at least {_times(count)}", found, misses, timeout)
        return found

    def never(self, *, during: float = 0) -> None:
        """Fails if there is one. With `during`, it also watches for this many milliseconds, and fails as soon as one comes."""
        __tracebackhide__ = True
        try:
            entry = self.next(self._after, during)
        except ExpectationError:
            return
        raise ExpectationError(f"{self} was {self.VERB}; it should never be {self.VERB}.\n  {line(entry)}")

    def next(self, after: int, timeout: float) -> Entry:
        """Waits for the first one after the entry with this cursor."""
        __tracebackhide__ = True
        return self.session.wait_for(after=max(after, self._after), timeout=timeout, **self._until)

    def _find(self, count: int, timeout: float | None) -> tuple[list[Entry], list[dict[str, Any]]]:
        """Returns all of them, once there are `count`, and the entries that came closest to one more."""
        __tracebackhide__ = True
        deadline = time.monotonic() + self._milliseconds(timeout) / 1000
        while True:
            answer = self.session.post("/journal/count", {"of": self._until, "after": self._after})
            found, misses = answer["entries"], answer["nearestMisses"]
            left = (deadline - time.monotonic()) * 1000
            if len(found) >= count or left <= 0:
                return found, misses
            try:
                self.next(found[-1]["cursor"] if found else 0, left)
            except ExpectationError as error:
                return found, error.misses

    def _failure(self, wanted: str, found: list[Entry], misses: list[dict[str, Any]], timeout: float | None) -> ExpectationError:
        within = f" within {self._milliseconds(timeout):g} ms" if len(found) == 0 or misses else ""
        happened = f"{self.VERB} {_times(len(found))}" if found else f"never {self.VERB}"
        parts = [f"{self} was {happened}{within}; it should be {self.VERB} {wanted}."]
        parts += [f"  {line(entry)}" for entry in found]
        if misses or not found:
            parts.append(self.session.misses_text(misses, self._after))
        return ExpectationError("\n".join(parts), misses)

    def _milliseconds(self, timeout: float | None) -> float:
        return self.session.timeout if timeout is None else timeout


class Calls(Occurrences):
    """The calls of a session's pages with this action, and with these members of their data."""

    VERB = "called"

    def __init__(self, session: SessionConnection, action: str | dict[str, Any], data: dict[str, Any], after: int):
        super().__init__(session, {"kind": "request", "action": action, **({"data": data} if data else {})}, after)

    def __str__(self) -> str:
        data = self._until.get("data")
        action = self._until["action"]
        return (action if isinstance(action, str) else compact(action)) + (f" with {compact(data)}" if data else "")


class Events(Occurrences):
    """The events with this name that pages have tracked and native has accepted, or not, and with these parameters."""

    VERB = "tracked"

    def __init__(self, session: SessionConnection, name: str | dict[str, Any], parameters: dict[str, Any], accepted: bool, after: int):
        data: dict[str, Any] = {"name": name, "accepted": accepted, **({"parameters": parameters} if parameters else {})}
        super().__init__(session, {"kind": "event", "data": data}, after)

    def __str__(self) -> str:
        data = self._until["data"]
        name = data["name"] if isinstance(data["name"], str) else compact(data["name"])
        with_parameters = f" with {compact(data['parameters'])}" if "parameters" in data else ""
        return f"the event {name}{with_parameters}" + ("" if data["accepted"] else ", dropped by native,")


def in_order(wanted: Sequence[Occurrences], timeout: float) -> list[Entry]:
    """Waits until these calls have come in this order, at most `timeout` milliseconds, and returns their entries."""
    __tracebackhide__ = True
    deadline = time.monotonic() + timeout / 1000
    found: list[Entry] = []
    for call in wanted:
        after = found[-1]["cursor"] if found else 0
        try:
            found.append(call.next(after, max(0.0, deadline - time.monotonic()) * 1000))
        except ExpectationError as error:
            raise ExpectationError(_disorder(call, found, error, timeout), error.misses) from None
    return found


def _disorder(call: Occurrences, found: list[Entry], error: ExpectationError, timeout: float) -> str:
    """Explains why something did not come after those that were found."""
    after = found[-1]["cursor"] if found else 0
    parts = [f"{call} was not {call.VERB} within {timeout:g} ms" + (f" after #{after} {found[-1]['action']}." if found else ".")]
    try:
        parts.append(f"It was {call.VERB} before that:\n  {line(call.next(0, 0))}")
    except ExpectationError:
        pass
    if found:
        parts += ["These calls came in this order:", *(f"  {line(entry)}" for entry in found)]
    return "\n".join([*parts, call.session.misses_text(error.misses, after)])


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
