"""The page of docs/onside.md buys, restores, and says what failed."""

import json
import re

import pytest

from engines import expect
from footbridge_process import PROJECT, serve


PRODUCT = "com.example.coins"
RULE = "scenario: offline\nscenarios: { offline: [{ on: onside.loadProducts, times: always, then: { error: connectionError } }] }\n"


@pytest.fixture
def serve_page(tmp_path):
    """Serves the page with this text as footbridge.yaml."""
    [sample] = re.findall(r"```html\n(.*?)```", (PROJECT / "docs" / "onside.md").read_text(), re.DOTALL)
    (tmp_path / "index.html").write_text(sample)
    names = [{"locale": "en_US", "displayName": "Coins", "description": "Coins"}]
    coins = {"productID": PRODUCT, "type": "NonConsumable", "displayPrice": "1.99", "localizations": names}
    catalog = tmp_path / "Products.storekit"
    catalog.write_text(json.dumps({"products": [coins], "version": {"major": 3, "minor": 0}}))
    servers = []

    def start(text=""):
        (tmp_path / "footbridge.yaml").write_text(text)
        servers.append(serve("--root", tmp_path, "--catalog", catalog, "--config", tmp_path / "footbridge.yaml", "--present", "auto", "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def test_the_page_of_the_manual_buys_and_restores(serve_page, page):
    page.goto(serve_page().url)
    page.get_by_role("button", name="Buy coins").click()
    expect(page.locator("#result")).to_have_text(f"{PRODUCT} purchased")
    page.get_by_role("button", name="Restore").click()
    expect(page.locator("#result")).to_have_text("restored")


def test_the_page_of_the_manual_says_which_error_it_got(serve_page, page):
    page.goto(serve_page(RULE).url)
    page.get_by_role("button", name="Buy coins").click()
    expect(page.locator("#result")).to_have_text("failed: connectionError")
