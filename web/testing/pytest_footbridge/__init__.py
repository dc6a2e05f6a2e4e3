"""The kit with which a test controls the native host of a page. `pytest_footbridge.plugin` is the plugin; docs/testing.md is the manual."""

from .bridges import ExpectedMessage, Message, Page, Purchase, Request, Session, Settings, Store, Token, Transaction
from .clock import Clock
from .control import ControlError
from .device import Device
from .expectations import ExpectedSheet
from .journal import ExpectationError
from .pages import CorePage
from .patterns import absent, anything, contains, matches
from .rules import Gate, Rule, When
from .server import Server, ServerError
from .session import CoreSession
from .sheets import Sheet
from .verification import Calls, Events

__all__ = [
    "Calls", "Clock", "ControlError", "CorePage", "CoreSession", "Device", "Events", "ExpectationError", "ExpectedMessage", "ExpectedSheet", "Gate", "Message",
    "Page", "Purchase", "Request", "Rule", "Server", "ServerError", "Session", "Settings", "Sheet", "Store", "Token", "Transaction", "When",
    "absent", "anything", "contains", "matches",
]
