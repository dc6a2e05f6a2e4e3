"""The bridges that the kit knows: one file for each. The base classes of `Page` and `Session` register them."""

from __future__ import annotations

from ..pages import CorePage
from ..session import CoreSession
from .declared import DeclaredSession, ExpectedMessage, Message
from .gbg import GBGPage, GBGSession, Request
from .onside import OnsideSession, Purchase, Settings, Store, Transaction
from .today import TodaySession, Token

__all__ = ["ExpectedMessage", "Message", "Page", "Purchase", "Request", "Session", "Settings", "Store", "Token", "Transaction"]


class Page(GBGPage, CorePage):
    """A document that is open in the session. `listening` says whether its socket is open, so that the host can reach it."""


class Session(OnsideSession, TodaySession, GBGSession, DeclaredSession, CoreSession):
    """A session of a server. `id` is its name in the log, `url` the address of the site, `timeout` how many milliseconds it waits."""

    page_type = Page

    def pages(self) -> list[Page]:
        """The pages that are open, oldest first."""
        return super().pages()
