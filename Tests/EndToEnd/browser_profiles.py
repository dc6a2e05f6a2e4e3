"""Browser profiles for tests."""

import contextlib
import os
import shutil

#: Without its windows Chromium makes a profile in a third of the time. What needs a camera takes the whole browser.
CHROMIUM = os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")


@contextlib.contextmanager
def profiles(browser, **usual):
    """Makes browser profiles, with these options unless others are given, that are closed in the end."""
    contexts = []

    def make(**options):
        context = browser.new_context(**{**usual, **options})
        context.set_default_timeout(10_000)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
