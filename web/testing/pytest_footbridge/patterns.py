"""Patterns for members whose whole value a test does not know or does not check."""

from __future__ import annotations

from typing import Any

#: The member is there, with any value.
anything: dict[str, Any] = {"$any": True}

#: There is no such member.
absent: dict[str, Any] = {"$absent": True}


def contains(part: Any) -> dict[str, Any]:
    """A text that contains `part`, or a list with an element that matches it."""
    return {"$contains": part}


def matches(expression: str) -> dict[str, Any]:
    """A text that matches this POSIX regular expression."""
    return {"$matches": expression}
