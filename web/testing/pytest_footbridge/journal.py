"""Entries of the journal as text for people, and the error of a wait that has timed out."""

from __future__ import annotations

import datetime
import json
from typing import Any, Sequence

Entry = dict[str, Any]

#: The maximum length of a line of a report, in characters.
LINE_LIMIT = 200


class ExpectationError(AssertionError):
    """A wait has timed out. `misses` are the entries of the journal that came closest, as in the control API."""

    def __init__(self, text: str, misses: Sequence[dict[str, Any]] = ()):
        self.misses = list(misses)
        super().__init__(text)


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
    words = [f"#{entry['cursor']}{time}", entry["kind"], entry.get("action"), compact(rest) if rest else None]
    text = " ".join(word for word in words if word)
    return text if len(text) <= LINE_LIMIT else text[: LINE_LIMIT - 1] + "…"


def lines(entries: Sequence[Entry]) -> list[str]:
    """Formats each entry on one line, with the time since the first."""
    return [line(entry, entries[0]["time"]) for entry in entries]


def finding_text(finding: dict[str, Any]) -> str:
    """Formats a finding of the linter on one line, with the rule of the contract."""
    call = f" (#{finding['call']})" if "call" in finding else ""
    contract = f"{finding['contract']} ({finding['section']})"
    return f"{finding['rule']} {finding['severity']}: {finding['about']}{call} {contract} {finding['advice']}"


def compact(value: Any) -> str:
    """Formats a value as JSON, on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def misses_text(misses: Sequence[dict[str, Any]], after: int) -> str:
    """Lists the entries after a cursor that came closest, and how they differ."""
    if not misses and after:
        return f"The journal has no entry after #{after}."
    if not misses:
        return "The journal of the session is empty: is the browser in the session, and has it opened the page?"
    parts = ["Nearest misses:"]
    for miss in misses:
        parts.append(f"  {line(miss['entry'])}")
        parts += [f"    {difference}" for difference in miss["differences"]]
    return "\n".join(parts)
