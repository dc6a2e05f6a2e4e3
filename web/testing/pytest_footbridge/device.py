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
        """Changes the device: `set(colorScheme="dark", safeArea={"top": 59})`. The members are those of `PATCH …/device`; None gives a value back.

        Members that are left out do not change; without any, pages notice the device from now on. With Playwright's synchronous API, the open
        pages of the session also get its size and its color scheme from the browser.
        """
        device: dict[str, Any] = self._session.patch("/device", members)
        for context in self._session._contexts:
            for page in context.pages:
                if device["size"] and ("size" in members or "orientation" in members):
                    sides = device["size"]["width"], device["size"]["height"]
                    width, height = reversed(sides) if device["orientation"] == "landscape" else sides
                    page.set_viewport_size({"width": width, "height": height})
                if "colorScheme" in members:
                    page.emulate_media(color_scheme=device["colorScheme"] or "null")

    def background(self, *, suspended: bool = True) -> None:
        """Puts the app into the background: its page is hidden, and stops.

        With `suspended=False` it goes on running, as in the first seconds on a device.
        """
        self.set(state="suspended" if suspended else "background")

    def foreground(self) -> None:
        """Brings the app back: its page is visible, learns of its lost connections, and runs what was due meanwhile."""
        self.set(state="active")

    def memory_warning(self) -> None:
        """Has the system end the processes of the pages. The app loads them again; they hear nothing of it."""
        self._session.post("/device/memory-warning")

    def open(self, *, link: str | None = None, push: dict[str, Any] | None = None, shortcut: str | None = None, cold: bool = True) -> str:
        """Opens the app by a link, a push notification or a shortcut, and returns the address that a launched app loads.

        The latest page goes there by itself; without an open page, open the address. `cold=False` is about an app that runs already.
        """
        given = {"link": link, "push": push, "shortcut": shortcut}
        url: str = self._session.post("/device/open", {**{name: value for name, value in given.items() if value is not None}, "cold": cold})["url"]
        return url
