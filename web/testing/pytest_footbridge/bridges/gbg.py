"""GBGBridge's part of a session and of its pages: requests that a test answers in place of the host."""

from __future__ import annotations

from typing import Any

from ..control import segment
from ..journal import Entry, compact
from ..pages import CorePage
from ..session import CoreSession


class GBGSession(CoreSession):
    """GBGBridge's part of a session."""

    def wait_for_request(
        self, action: str, data: dict[str, Any] | None = None, /, *, timeout: float | None = None, **members: Any
    ) -> Request:
        """Waits for a request of GBGBridge that nobody has answered, and returns it.

        Name members that its data must have: `wait_for_request("nfc.read", chip=1)`, or as a dict. Others do not matter.
        """
        __tracebackhide__ = True
        wanted = {**(data or {}), **members}

        def find(entry: Entry) -> Request | None:
            found = self.waiting_request(entry)
            return Request(self, *found) if found else None

        until = {"kind": "request", "action": action, **({"data": wanted} if wanted else {})}
        expected = f"request {action}{f' with {compact(wanted)}' if wanted else ''} was waiting for its answer"
        return self.wait_until_found(expected, find, self.what_became_of, timeout=timeout, **until)


class GBGPage(CorePage):
    """A page whose requests a test answers."""

    def requests(self) -> list[Request]:
        """Returns the requests of GBGBridge that wait for a manual answer, oldest first."""
        return [Request(self._session, self._path, members) for members in self._session.get(f"{self._path}/requests")["requests"]]


class Request:
    """A request of GBGBridge that nobody has answered."""

    def __init__(self, session: CoreSession, page_path: str, members: dict[str, Any]):
        self.action: str = members["action"]
        self.data: dict[str, Any] = members.get("data", {})
        self.correlation_id: str = members["correlationId"]
        self._session = session
        self._path = f"{page_path}/requests/{segment(self.correlation_id)}/respond"

    def __repr__(self) -> str:
        return f"<Request {self.action} {self.correlation_id}>"

    def respond(self, status: str | dict[str, Any] = "success", **data: Any) -> None:
        """Answers the request: with `success` and data, or with `cancelled`, `unsupported` or `acknowledged`.

        A dict in place of the status is the data of a success, with members of any name: `respond({"status": "read"})`.
        """
        answer = {"status": "success", "data": {**status, **data}} if isinstance(status, dict) else {"status": status, "data": data}
        self._session.post(self._path, answer)

    def fail(self, code: str, **error: Any) -> None:
        """Answers the request with an error; `message` and `recoverable` are optional."""
        self._session.post(self._path, {"error": {"code": code, **error}})
