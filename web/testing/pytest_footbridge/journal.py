"""Entries of the journal as text for people, and the error of a wait that has timed out."""

from __future__ import annotations

import datetime
import json
from typing import Any, Collection, Sequence

Entry = dict[str, Any]

#: The maximum length of a line of a report, in characters.
LINE_LIMIT = 200

#: The members that say most about an entry. They stand first, because long lines are cut.
LEADING = ["productIdentifier", "state", "transactionState", "waitingFor", "error"]

#: What a person should check if no page has opened.
NO_PAGE = "is the browser in the session, and has it opened the page?"


class ExpectationError(AssertionError):
    """A wait has timed out. `misses` are the entries of the journal that came closest, as in the control API."""

    def __init__(self, text: str, misses: Sequence[dict[str, Any]] = ()):
        self.misses = list(misses)
        super().__init__(text)


# In the summary of pytest, which has one line for a test, the text is worth more than the name of the module. pytest's own errors do the same.
ExpectationError.__module__ = "builtins"


def rfc3339(time: datetime.datetime | str) -> str:
    """Formats a time for the control API; returns text unchanged."""
    if isinstance(time, str):
        return time
    return time.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line(entry: Entry, start: float | None = None) -> str:
    """Formats an entry on one line, with its time since `start`."""
    time = "" if start is None else f" {(entry['time'] - start) / 1000:+.3f}"
    shown = ["cursor", "time", "kind", "action", "page", "correlationId"]
    rest = {name: value for name, value in entry.items() if name not in shown}
    words = [f"#{entry['cursor']}{time}", entry["kind"], entry.get("action"), compact(leading_first(rest)) if rest else None]
    text = " ".join(word for word in words if word)
    return text if len(text) <= LINE_LIMIT else text[: LINE_LIMIT - 1] + "…"


def leading_first(value: Any) -> Any:
    """Orders members: those that say most, others with a short value, those without a value, and then those that have members of their own."""
    if isinstance(value, list):
        return [leading_first(each) for each in value]
    if not isinstance(value, dict):
        return value

    def place(item: tuple[str, Any]) -> tuple[bool, bool, int]:
        name, member = item
        return isinstance(member, (dict, list)), member is None, LEADING.index(name) if name in LEADING else len(LEADING)

    return {name: leading_first(member) for name, member in sorted(value.items(), key=place)}


def lines(entries: Sequence[Entry], besides: Collection[int] = ()) -> list[str]:
    """Formats each entry on one line, with the time since the first. Those with the cursors of `besides` are left out."""
    return [line(entry, entries[0]["time"]) for entry in entries if entry["cursor"] not in besides]


def finding_text(finding: dict[str, Any]) -> str:
    """Formats a finding of the linter on one line, with the rule of the contract."""
    call = f" (#{finding['call']})" if "call" in finding else ""
    contract = f"{finding['contract']} ({finding['section']})"
    return f"{finding['rule']} {finding['severity']}: {finding['about']}{call} {contract} {finding['advice']}"


def compact(value: Any) -> str:
    """Formats a value as JSON, on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def misses_text(misses: Sequence[dict[str, Any]], after: int, has_page: bool) -> str:
    """Lists the entries after a cursor that came closest, and how they differ. `has_page` says whether a page has ever opened."""
    if not misses and after:
        parts = [f"The journal has no entry after #{after}."]
    elif not misses:
        return f"The journal of the session is empty: {NO_PAGE}"
    else:
        parts = ["Nearest misses:"]
    for miss in misses:
        parts.append(f"  {line(miss['entry'])}")
        parts += [f"    {difference}" for difference in miss["differences"]]
    if not has_page:
        parts.append(f"No page has opened: {NO_PAGE}")
    return "\n".join(parts)
