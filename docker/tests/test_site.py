"""The site works under the name of the service, over http and over https."""

import os

import pytest
from playwright.sync_api import expect


@pytest.mark.parametrize("variable", ["FOOTBRIDGE_URL", "FOOTBRIDGE_TLS_URL"], ids=["http", "https"])
def test_coins_are_counted_once_they_are_paid(page, footbridge, variable):
    page.goto(os.environ[variable])
    page.get_by_role("button", name="Buy coins").click()
    footbridge.expect_login().approve(account="built-in")
    footbridge.expect_purchase("com.example.coins").approve()
    expect(page.get_by_text("100 coins")).to_be_visible()
