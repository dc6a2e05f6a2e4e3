"""Playwright's expectations of locators, for pages that WebDriver drives."""

from playwright.sync_api import TimeoutError

from webdriver_page import pattern


class LocatorExpectations:
    """Waits until a locator's element is as expected."""

    def __init__(self, locator):
        self.locator = locator

    def _wait(self, what, wanted=None, is_so=True):
        try:
            self.locator.frame.wait("fits", self.locator.steps, what, wanted, is_so)
        except TimeoutError:
            raise AssertionError(f"expected {'' if is_so else 'not '}{what} {wanted or ''}: {self.locator.steps}") from None

    def to_have_count(self, count):
        self._wait("count", count)

    def to_be_visible(self):
        self._wait("visible")

    def to_be_hidden(self):
        self._wait("visible", is_so=False)

    def to_have_text(self, text):
        self._wait("texts" if isinstance(text, list) else "text", text)

    def to_contain_text(self, text):
        self._wait("part of text", pattern(text))

    def not_to_contain_text(self, text):
        self._wait("part of text", pattern(text), is_so=False)

    def to_have_value(self, value):
        self._wait("value", value)

    def to_be_checked(self):
        self._wait("checked")

    def to_be_focused(self):
        self._wait("focused")

    def to_have_accessible_name(self, name):
        self._wait("name", pattern(name))
