"""The demo shows all three contracts."""

import re

import pytest
from playwright.sync_api import expect

from footbridge_process import serve


@pytest.fixture(scope="module")
def demo():
    with serve("--ephemeral", "--present", "auto") as server:
        yield server


@pytest.fixture(scope="module")
def asking_demo():
    with serve("--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def trusted_demo():
    with serve("--ephemeral", "--site-origin", "https://today.example") as server:
        yield server


def step(page, title):
    return page.get_by_role("listitem").filter(has=page.get_by_role("heading", name=title))


def test_the_demo_shop_shows_the_messages_of_the_bridge(demo, page):
    page.goto(demo.url)
    page.get_by_role("button", name="Buy 50 credits").click()
    log = page.get_by_role("log", name="Over the bridge")
    for row in (r"page → native\s*purchase", r"native → page\s*purchase", r"native → page\s*onTransactionsUpdated"):
        expect(log.get_by_role("listitem").filter(has_text=re.compile(row)).first).to_be_visible()
    purchase = log.get_by_role("listitem").filter(has_text=re.compile(r"page → native\s*purchase")).first
    purchase.locator("summary").click()
    expect(purchase).to_contain_text('"productIdentifier": "daylight.credits.50"')


def test_the_verification_demo_runs_from_the_capabilities_to_its_result(demo, page):
    page.goto(demo.url + "/verify.html")
    page.get_by_role("button", name="Finish").click()
    expect(step(page, "The result").get_by_role("status")).to_contain_text("Not yet")
    page.get_by_role("button", name="Ask for capabilities").click()
    expect(step(page, "What can this device do?").get_by_role("status")).to_contain_text("camera.document")
    for title, button in (("The front", "Photograph the front"), ("The back", "Photograph the back"), ("A selfie", "Take the selfie")):
        page.get_by_role("button", name=button).click()
        expect(step(page, title).get_by_role("img")).to_be_visible()
        expect(step(page, title).get_by_text("native → page")).to_have_count(1)
    page.get_by_role("button", name="Finish").click()
    expect(step(page, "The result").get_by_role("status")).to_contain_text("Verified")


def test_the_demo_reads_a_chip_if_its_answer_is_configured(tmp_path, page):
    config = tmp_path / "footbridge.yaml"
    config.write_text("gbg: { answers: { nfc.read: { data: { chipRead: true } } } }")
    with serve("--ephemeral", "--config", config) as server:
        page.goto(server.url + "/verify.html")
        page.get_by_role("button", name="Read the chip").click()
        expect(step(page, "The chip").get_by_role("status")).to_have_text("The chip was read.")


def test_an_untrusted_page_of_the_demo_shows_why_it_gets_no_token(demo, page):
    page.goto(demo.url + "/today.html")
    page.get_by_role("button", name="Ask for headers").click()
    expect(step(page, "Headers").get_by_role("status")).to_contain_text("--site-origin")


def test_a_trusted_page_of_the_demo_gets_tokens_and_a_hidden_cookie(trusted_demo, page):
    page.goto(trusted_demo.url + "/today.html")
    for title, button, text in (
        ("Headers", "Ask for headers", "Authorization"),
        ("A fresh token", "Refresh twice", "Both got the same new token."),
        ("A session cookie", "Establish the session", "nothing of it"),
        ("An event", "Track", "journal"),
    ):
        page.get_by_role("button", name=button).click()
        expect(step(page, title).get_by_role("status")).to_contain_text(text)


@pytest.mark.parametrize("path, button", [("/", "Buy 50 credits"), ("/verify.html", "Photograph the front")])
def test_focus_returns_to_the_button_when_a_sheet_is_cancelled(asking_demo, page, path, button):
    page.goto(asking_demo.url + path)
    page.get_by_role("button", name=button).click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name=button)).to_be_focused()


def test_the_demo_shop_shows_what_failed(asking_demo, page):
    page.goto(asking_demo.url)
    page.get_by_role("button", name="Buy 50 credits").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    page.get_by_role("dialog", name="Buy 50 credits?").get_by_role("button", name="Cancel").click()
    expect(page.locator("#status")).to_contain_text("was not bought")
