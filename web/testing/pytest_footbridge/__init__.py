"""Decides in test code what the native host of a page does. `pytest_footbridge.plugin` is the plugin; docs/testing.md is the manual."""

from .clock import Clock
from .control import ControlError
from .expectations import ExpectedSheet
from .journal import ExpectationError
from .pages import Page, Request
from .rules import Gate, Rule, When
from .server import Server, ServerError
from .session import Session
from .settings import Settings
from .sheets import Sheet
from .store import Purchase, Store, Transaction
from .token import Token

__all__ = [
    "Clock", "ControlError", "ExpectationError", "ExpectedSheet", "Gate", "Page", "Purchase", "Request", "Rule", "Server", "ServerError",
    "Session", "Settings", "Sheet", "Store", "Token", "Transaction", "When",
]
