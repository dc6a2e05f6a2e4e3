"""What the journal's entries look like to people."""

from __future__ import annotations

import json
from typing import Any, Sequence

Entry = dict[str, Any]

#: How long a line of a report gets, in characters.
LINE_LIMIT = 200


def line(entry: Entry, start: float | None = None) -> str:
    """An entry on one line. `start` is the time that its own is counted from."""
    time = "" if start is None else f" +{(entry['time'] - start) / 1000:.3f}"
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
