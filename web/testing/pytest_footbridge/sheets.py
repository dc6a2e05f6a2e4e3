"""Native sheets that wait for an answer."""

from __future__ import annotations

from typing import Any

from .connection import SessionConnection
from .control import segment


class Sheet:
    """An open sheet. `kind` is its kind, such as `login`; `content` is what it shows, as docs/sheets.md lists it."""

    def __init__(self, session: SessionConnection, members: dict[str, Any]):
        self.id: str = members["id"]
        self.kind: str = members["kind"]
        self.content: dict[str, Any] = members["content"]
        self._session = session

    def __repr__(self) -> str:
        return f"<Sheet {self.id} {self}>"

    def __str__(self) -> str:
        return self._session.describe_sheet(self.kind, self.content)

    def approve(self, fields: dict[str, Any] | None = None, /, **more: Any) -> None:
        """Approves the sheet with what the person chooses, such as `account` in a login sheet, or with the fields of a dict."""
        self._answer({"approved": True, "fields": {**(fields or {}), **more}})

    def decline(self) -> None:
        """Dismisses the sheet."""
        self._answer({"approved": False})

    def _answer(self, answer: dict[str, Any]) -> None:
        self._session.post(f"/sheets/{segment(self.id)}/answer", answer)


def open_sheets(session: SessionConnection) -> list[Sheet]:
    """Returns the open sheets, oldest first."""
    return [Sheet(session, members) for members in session.get("/sheets")["sheets"]]
