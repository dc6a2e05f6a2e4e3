"""The demo shows all three contracts."""

import re

import pytest

from engines import expect
from footbridge_process import PROJECT, serve


@pytest.fixture(scope="module")
def demo():
    with serve("--ephemeral", "--present", "auto") as server:
        yield server


@pytest.fixture(scope="module")
def asking_demo():
    with serve("--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def whole_demo():
    """What `make run` serves."""
    with serve("--ephemeral", "--config", PROJECT / "Examples" / "demo" / "footbridge.yaml") as server:
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
    page.get_by_role("button", name="Look at my device").click()
    expect(step(page, "Your device").get_by_role("status")).to_contain_text("photograph your passport")
    for title, button in (("The front", "Photograph the front"), ("The back", "Photograph the back"), ("Your face", "Take the selfie")):
        page.get_by_role("button", name=button).click()
        expect(step(page, title).get_by_role("img")).to_be_visible()
        expect(step(page, title).get_by_text("native → page")).to_have_count(1)
    page.get_by_role("button", name="Finish").click()
    expect(step(page, "The result").get_by_role("status")).to_contain_text("You are verified")


def test_the_demo_reads_a_chip_as_configured(whole_demo, page):
    page.goto(whole_demo.url + "/verify.html")
    page.get_by_role("button", name="Read the chip").click()
    expect(step(page, "The chip").get_by_role("status")).to_have_text("We have read the chip.")


def test_the_demo_gives_up_a_chip_that_nobody_reads(asking_demo, page):
    page.clock.install()
    page.goto(asking_demo.url + "/verify.html")
    page.get_by_role("button", name="Read the chip").click()
    expect(step(page, "The chip").get_by_text("page → native")).to_be_visible()
    page.clock.fast_forward(20_000)
    expect(step(page, "The chip").get_by_role("status")).to_contain_text("You can go on without it.")


def test_the_sheets_of_the_demo_show_its_app(whole_demo, page):
    page.goto(whole_demo.url)
    page.get_by_role("button", name="Buy 50 credits").click()
    app = page.get_by_role("dialog").locator(".app")
    expect(app).to_have_text("Daylight")
    assert app.locator("img").evaluate("icon => icon.decode().then(() => icon.naturalWidth > 0)")


def test_the_demo_shop_says_how_many_credits_there_are(demo, page):
    page.goto(demo.url)
    page.get_by_role("button", name="Buy 50 credits").click()
    expect(page.locator("#status")).to_have_text("You have 50 credits.")
    page.get_by_role("button", name="Buy 10 credits").click()
    expect(page.locator("#status")).to_have_text("You have 60 credits.")


def test_an_untrusted_page_of_the_demo_shows_why_it_gets_no_token(demo, page):
    page.goto(demo.url + "/today.html")
    page.get_by_role("button", name="Ask for headers").click()
    expect(step(page, "Headers").get_by_role("status")).to_contain_text("--site-origin")


def test_a_trusted_page_of_the_demo_gets_tokens_and_a_hidden_cookie(whole_demo, page):
    page.goto(whole_demo.url + "/today.html")
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
