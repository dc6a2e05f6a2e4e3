"""Today's token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .session import Session


class Token:
    """Today's token of one session. Nobody is told more than its metadata."""

    def __init__(self, session: Session):
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
