"""Native screens that wait for an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .control import segment

if TYPE_CHECKING:
    from .session import CoreSession


class Sheet:
    """An open sheet. `kind` is which one, such as `login`; `content` what it shows."""

    def __init__(self, session: CoreSession, members: dict[str, Any]):
        self.id: str = members["id"]
        self.kind: str = members["kind"]
        self.content: dict[str, Any] = members["content"]
        self._session = session

    def __repr__(self) -> str:
        return f"<Sheet {self.id} {self}>"

    def __str__(self) -> str:
        return self._session.describe_sheet(self.kind, self.content)

    def approve(self, **fields: Any) -> None:
        """The person goes on. `fields` is what they choose, such as `account` in a login sheet."""
        self._answer({"approved": True, "fields": fields})

    def decline(self) -> None:
        """The person dismisses the sheet."""
        self._answer({"approved": False})

    def _answer(self, answer: dict[str, Any]) -> None:
        self._session.post(f"/sheets/{segment(self.id)}/answer", answer)
