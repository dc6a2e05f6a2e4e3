"""Browser profiles for tests."""

import contextlib
import os
import shutil

from footbridge_process import LONG

#: The headless shell makes a profile in a third of the time. Tests with a camera need the whole browser.
CHROMIUM = os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")


@contextlib.contextmanager
def profiles(browser, **usual):
    """Makes browser profiles with these default options, and closes them in the end."""
    contexts = []

    def make(**options):
        context = browser.new_context(**{**usual, **options})
        context.set_default_timeout(LONG * 1000)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
