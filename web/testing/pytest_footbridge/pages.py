"""The pages of a session, from the host's side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .control import segment

if TYPE_CHECKING:
    from .session import Session


class Page:
    """A document that is open in the session. `listening` says whether its socket is open, so that it hears of what happens."""

    def __init__(self, session: Session, members: dict[str, Any]):
        self.id: str = members["id"]
        self.url: str | None = members["url"]
        self.listening: bool = members["listening"]
        self._session = session
        self._path = f"/pages/{segment(self.id)}"

    def __repr__(self) -> str:
        return f"<Page {self.id} {self.url}>"

    def send(self, action: str, **data: Any) -> None:
        """Sends the page an event of the host's."""
        self._session.post(f"{self._path}/events", {"action": action, "data": data})

    def requests(self) -> list[Request]:
        """The requests of GBGBridge that wait to be answered by hand, oldest first."""
        return [Request(self._session, self._path, members) for members in self._session.get(f"{self._path}/requests")["requests"]]

    def disconnect(self) -> None:
        """Cuts the page's socket. The page connects anew by itself."""
        self._session.post(f"{self._path}/disconnect")


class Request:
    """A request of GBGBridge that nobody has answered."""

    def __init__(self, session: Session, page_path: str, members: dict[str, Any]):
        self.action: str = members["action"]
        self.data: dict[str, Any] = members.get("data", {})
        self.correlation_id: str = members["correlationId"]
        self._session = session
        self._path = f"{page_path}/requests/{segment(self.correlation_id)}/respond"

    def __repr__(self) -> str:
        return f"<Request {self.action} {self.correlation_id}>"

    def respond(self, status: str = "success", **data: Any) -> None:
        """Answers it: with `success` and data, or with `cancelled`, `unsupported` or `acknowledged`."""
        self._session.post(self._path, {"status": status, "data": data})

    def fail(self, code: str, **error: Any) -> None:
        """Answers it with an error; `message` and `recoverable` may be left out."""
        self._session.post(self._path, {"error": {"code": code, **error}})
