"""What the journal's entries look like to people, and what a test is told when nothing came that it waited for."""

from __future__ import annotations

import datetime
import json
from typing import Any, Sequence

Entry = dict[str, Any]

#: How long a line of a report gets, in characters.
LINE_LIMIT = 200


class ExpectationError(AssertionError):
    """What a test waited for did not come in time. `misses` are the journal's entries that came nearest, as the control API tells them."""

    def __init__(self, text: str, misses: Sequence[dict[str, Any]] = ()):
        self.misses = list(misses)
        super().__init__(text)


def rfc3339(time: datetime.datetime | str) -> str:
    """A time as the control API reads it; text is as it is."""
    if isinstance(time, str):
        return time
    return time.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line(entry: Entry, start: float | None = None) -> str:
    """An entry on one line. `start` is the time that its own is counted from."""
    time = "" if start is None else f" {(entry['time'] - start) / 1000:+.3f}"
    shown = ["cursor", "time", "kind", "action", "page", "correlationId"]
    rest = {name: value for name, value in entry.items() if name not in shown}
    words = [f"#{entry['cursor']}{time}", entry["kind"], entry.get("action"), compact(rest) if rest else None]
    text = " ".join(word for word in words if word)
    return text if len(text) <= LINE_LIMIT else text[: LINE_LIMIT - 1] + "…"


def lines(entries: Sequence[Entry]) -> list[str]:
    """Entries, a line each, with the time since the first."""
    return [line(entry, entries[0]["time"]) for entry in entries]


def compact(value: Any) -> str:
    """A value as JSON, on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def misses_text(misses: Sequence[dict[str, Any]], after: int) -> str:
    """The entries after a cursor that came nearest, with what is different about them."""
    if not misses and after:
        return f"The journal has no entry after #{after}."
    if not misses:
        return "The journal of the session is empty: is the browser in the session, and has it opened the page?"
    parts = ["Nearest misses:"]
    for miss in misses:
        parts.append(f"  {line(miss['entry'])}")
        parts += [f"    {difference}" for difference in miss["differences"]]
    return "\n".join(parts)
