"""Today's part of a session: its token, and the jar of cookies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..session import CoreSession

if TYPE_CHECKING:
    from ..server import Server


class TodaySession(CoreSession):
    """What a test decides at Today. `token` is the token of the session."""

    def __init__(self, server: Server, created: dict[str, Any]):
        super().__init__(server, created)
        self.token = Token(self)

    def jar(self) -> list[dict[str, Any]]:
        """The cookies of the session's own jar, which no script sees: names and attributes, no values."""
        return self.get("/cookies")["cookies"]


class Token:
    """Today's token of one session. Nobody is told more than its metadata."""

    def __init__(self, session: CoreSession):
        self._session = session

    @property
    def metadata(self) -> dict[str, Any]:
        """`signedIn`, `hasToken`, `expiresAt`, `refreshes`, `revoked` and `failsNext`."""
        return self._session.get("/tokens")

    def expire(self) -> None:
        """The token is stale: whoever needs one has it refreshed."""
        self._session.post("/tokens/expire")

    def revoke(self) -> None:
        """The issuer takes it back: no refresh succeeds until someone signs in anew."""
        self._session.post("/tokens/revoke")

    def fail_next(self, error: str = "unreachable") -> None:
        """The next refresh fails: `unreachable`, `invalidResponse` or `invalidGrant`."""
        self._session.post("/tokens/fail-next", {"error": error})
