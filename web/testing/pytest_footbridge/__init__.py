"""Decides in test code what the native host of a page does. `pytest_footbridge.plugin` is the plugin; docs/testing.md is the manual."""

from .clock import Clock
from .control import ControlError
from .expectations import ExpectedSheet
from .journal import ExpectationError
from .rules import Gate, Rule, When
from .server import Server, ServerError
from .session import Session
from .sheets import Sheet

__all__ = [
    "Clock", "ControlError", "ExpectationError", "ExpectedSheet", "Gate", "Rule", "Server", "ServerError", "Session", "Sheet", "When",
]
