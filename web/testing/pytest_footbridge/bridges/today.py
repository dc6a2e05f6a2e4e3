"""Today's part of a session: its token, and its cookie jar."""

from __future__ import annotations

from typing import Any

from ..connection import SessionServer
from ..session import CoreSession


class TodaySession(CoreSession):
    """Today's part of a session. `token` is the token of the session."""

    def __init__(self, server: SessionServer, created: dict[str, Any]):
        super().__init__(server, created)
        self.token = Token(self)

    def jar(self) -> list[dict[str, Any]]:
        """Returns the cookies in the session's jar, which no script sees: names and attributes, no values."""
        return self.get("/cookies")["cookies"]


class Token:
    """Today's token of one session. Tests can read only its metadata."""

    def __init__(self, session: CoreSession):
        self._session = session

    @property
    def metadata(self) -> dict[str, Any]:
        """`signedIn`, `hasToken`, `expiresAt`, `refreshes`, `revoked` and `failsNext`."""
        return self._session.get("/tokens")

    def expire(self) -> None:
        """Makes the token expire: the next call that needs one refreshes it."""
        self._session.post("/tokens/expire")

    def revoke(self) -> None:
        """Revokes the token: every refresh fails until somebody signs in again."""
        self._session.post("/tokens/revoke")

    def fail_next(self, error: str = "unreachable") -> None:
        """Makes the next refresh fail: with `unreachable`, `invalidResponse` or `invalidGrant`."""
        self._session.post("/tokens/fail-next", {"error": error})
