"""The site and the three bridges work under the name of the service, over http and over https."""

import os

import pytest
from playwright.sync_api import expect


@pytest.fixture(params=["FOOTBRIDGE_URL", "FOOTBRIDGE_TLS_URL"], ids=["http", "https"])
def site(request, page, footbridge):
    """The page of the site, in the session of the test."""
    page.goto(os.environ[request.param])
    return page


def test_paid_coins_are_counted(site, footbridge):
    site.get_by_role("button", name="Buy coins").click()
    footbridge.expect_login().approve(account="built-in")
    footbridge.expect_purchase("com.example.coins").approve()
    expect(site.get_by_text("100 coins")).to_be_visible()


def test_the_feed_gets_its_token_and_a_hidden_cookie(site, footbridge):
    def call(message):
        return site.evaluate("message => webkit.messageHandlers.todayWebViewBridge.postMessage(message)", message)

    assert call({"type": "headers"})["Authorization"].startswith("Bearer ")
    assert call({"type": "refreshToken"})["authorization"].startswith("Bearer ")
    assert footbridge.token.metadata["refreshes"] > 0
    assert call({"type": "establishSession"}) == {"ok": True}
    assert len(footbridge.jar()) == 1
    assert site.evaluate("document.cookie") == ""


def test_a_journey_gets_the_answer_from_the_test(site, footbridge):
    site.evaluate("""() => {
      window.answer = new Promise(resolve => addEventListener("gbgbridge:message", event => resolve(event.detail), { once: true }));
      webkit.messageHandlers.gbgBridge.postMessage({
        version: "1.0", correlationId: "read-1", type: "request", timestamp: Date.now(), payload: { action: "nfc.read", data: { chip: 1 } },
      });
    }""")
    footbridge.wait_for_request("nfc.read", chip=1).respond(name="Eva")
    answer = site.evaluate("window.answer")
    assert answer["correlationId"] == "read-1"
    assert answer["payload"]["data"] == {"name": "Eva"}
