"""A session's device: the phone around the app."""

from __future__ import annotations

from typing import Any

from .connection import SessionConnection


class Device:
    """The phone around one app. Pages notice it once a test has said something about it: before they load, so that they notice everything."""

    def __init__(self, session: SessionConnection):
        self._session = session

    @property
    def members(self) -> dict[str, Any]:
        """What the device is now, as in the control API."""
        members: dict[str, Any] = self._session.get("/device")
        return members

    def set(self, **members: Any) -> None:
        """Changes the device: `set(state="inactive")`. Members that are left out do not change; without any, pages notice it from now on."""
        self._session.patch("/device", members)

    def background(self, *, suspended: bool = True) -> None:
        """Puts the app into the background: its page is hidden, and stops.

        With `suspended=False` it goes on running, as in the first seconds on a device.
        """
        self.set(state="suspended" if suspended else "background")

    def foreground(self) -> None:
        """Brings the app back: its page is visible, learns of its lost connections, and runs what was due meanwhile."""
        self.set(state="active")
