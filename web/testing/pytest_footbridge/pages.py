"""The pages of a session, from the host's side."""

from __future__ import annotations

from typing import Any

from .connection import SessionConnection
from .control import segment


class CorePage:
    """A document that is open in the session. `listening` says whether its socket is open, so that the host can reach it."""

    def __init__(self, session: SessionConnection, members: dict[str, Any]):
        self.id: str = members["id"]
        self.url: str | None = members["url"]
        self.title: str | None = members["title"]
        self.listening: bool = members["listening"]
        self._session = session
        self._path = f"/pages/{segment(self.id)}"

    def __repr__(self) -> str:
        return f"<Page {self.id} {self.url}>"

    def send(self, action: str, data: dict[str, Any] | None = None, /, **members: Any) -> None:
        """Sends the page an event from the host: `send("journey.cancel", reason="user")`, or with the members as a dict."""
        self._session.post(f"{self._path}/events", {"action": action, "data": {**(data or {}), **members}})

    def disconnect(self) -> None:
        """Cuts the page's socket. The page reconnects by itself."""
        self._session.post(f"{self._path}/disconnect")
