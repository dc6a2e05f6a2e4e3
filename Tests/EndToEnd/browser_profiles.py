"""Browser profiles for tests."""

import contextlib


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
