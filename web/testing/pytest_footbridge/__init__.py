"""Decides in test code what the native host of a page does. `pytest_footbridge.plugin` is the plugin; docs/testing.md is the manual."""

from .clock import Clock
from .control import ControlError
from .expectations import ExpectationError, ExpectedSheet
from .server import Server, ServerError
from .session import Session
from .sheets import Sheet

__all__ = ["Clock", "ControlError", "ExpectationError", "ExpectedSheet", "Server", "ServerError", "Session", "Sheet"]
