"""Which page of a session shows a sheet, and which app the sheet is of."""

import json
import re
import struct
import zlib

import pytest

from engines import expect
from footbridge_process import serve
from promises import wait_for_promise
from test_gbg import DOCUMENT, SELFIE
from test_sheet_outcomes import NOTICES, OPEN_ROOTS, PRODUCT


def capture(page, action):
    """Asks for a capture, and does not wait for its answer."""
    page.evaluate("action => { window.answer = ask(action); }", action)


@pytest.fixture(scope="module")
def journey(journey_root):
    with serve("--root", journey_root, "--ephemeral") as server:
        yield server


def opened(context, server):
    page = context.new_page()
    page.goto(server.url)
    return page


def test_each_tab_shows_its_own_sheet(journey, new_context):
    context = new_context()
    forgotten, used = opened(context, journey), opened(context, journey)
    capture(forgotten, DOCUMENT)
    expect(forgotten.get_by_role("dialog", name="Photograph the document")).to_be_visible()
    capture(used, SELFIE)
    sheet = used.get_by_role("dialog", name="Take a selfie")
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Cancel").click()
    assert used.evaluate("answer").get("status") == "cancelled"
    expect(used.get_by_role("dialog")).to_have_count(0)
    expect(forgotten.get_by_role("dialog", name="Photograph the document")).to_be_visible()


def test_a_sheet_is_shown_on_the_page_that_asked_for_it(shop, new_context):
    context = new_context()
    asker, other = opened(context, shop), opened(context, shop)
    asker.evaluate("() => { onside.requestLogin().catch(() => {}); }")
    other.evaluate("onside.getTransactions()")
    asker.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    asker.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)
    asker.evaluate("id => { onside.purchase({ productIdentifier: id }); }", PRODUCT)
    other.evaluate("onside.getTransactions()")
    expect(asker.get_by_role("dialog", name=re.compile("^Buy"))).to_be_visible()
    expect(other.get_by_role("dialog")).to_have_count(0)


def test_the_sheet_of_a_closed_page_moves_to_another_one(shop, new_context):
    context = new_context()
    asker, other = opened(context, shop), opened(context, shop)
    asker.evaluate("() => { onside.requestLogin().catch(() => {}); }")
    expect(asker.get_by_role("dialog")).to_be_visible()
    asker.close()
    other.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    wait_for_promise(other, "() => onside.getCurrentStorefront()")


@pytest.mark.parametrize("call", [
    "onside.requestLogin()", "onside.restoreCompletedTransactions()", "onside.presentPaymentMethodsManager()",
    f"onside.loadProducts({{ productIdentifiers: ['{PRODUCT}'] }}).then(() => onside.purchase({{ productIdentifier: '{PRODUCT}' }}))",
])
def test_a_page_that_waits_for_a_sheet_of_another_page_gets_its_place(shop, new_context, call):
    context = new_context()
    asker = opened(context, shop)
    asker.evaluate("() => { onside.requestLogin().catch(() => {}); }")
    expect(asker.get_by_role("dialog")).to_be_visible()
    waiting = context.new_page()
    waiting.add_init_script(OPEN_ROOTS)
    waiting.goto(shop.url + "/?waiting")
    with waiting.expect_console_message(lambda message: "a login sheet is open on another page" in message.text) as told:
        waiting.evaluate(f"() => {{ {call}.catch(() => {{}}); }}")
    assert re.search(r"page-\d+, http://\S+/\)", told.value.text)
    waiting.wait_for_function(f"() => ({NOTICES})().includes('Continue on the other page')")
    shop.wait_for_log("a login sheet is open on another page")
    expect(waiting.get_by_role("dialog")).to_have_count(0)
    asker.get_by_role("dialog").get_by_role("button", name="Cancel").click()


def test_a_purchase_that_waits_for_a_payment_on_another_page_gets_a_console_message(shop, new_context):
    context = new_context()
    asker, waiting = opened(context, shop), opened(context, shop)
    for page in (asker, waiting):
        page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)
    asker.evaluate("id => { onside.purchase({ productIdentifier: id }); }", PRODUCT)
    asker.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    expect(asker.get_by_role("dialog", name=re.compile("^Buy"))).to_be_visible()
    with waiting.expect_console_message(lambda message: "a payment sheet is open on another page" in message.text):
        waiting.evaluate("id => { onside.purchase({ productIdentifier: id }); }", PRODUCT)
    asker.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(waiting.get_by_role("dialog", name=re.compile("^Buy"))).to_be_visible()
    expect(asker.get_by_role("dialog")).to_have_count(0)


# The app.


def png():
    """An image of one pixel."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(b"\0\x20\x80\xff")) + chunk(b"IEND", b""))


def test_sheets_show_the_name_and_the_icon_of_the_app(tmp_path, shop_root, catalog, page):
    (tmp_path / "icon.png").write_bytes(png())
    (tmp_path / "app.yaml").write_text("app: { name: Daylight, icon: icon.png }")
    with serve("--root", shop_root, "--catalog", catalog, "--config", tmp_path / "app.yaml", "--ephemeral") as server:
        page.goto(server.url)
        page.evaluate("() => { onside.requestLogin().catch(() => {}); }")
        sheet = page.get_by_role("dialog")
        expect(sheet).to_contain_text("Daylight")
        page.wait_for_function("""() => {
          const icon = document.querySelector("footbridge-sheet")?.shadowRoot.querySelector(".app img");
          return icon?.complete && icon.naturalWidth === 1;
        }""")


def test_a_product_without_a_name_is_shown_with_its_reference_name(tmp_path, shop_root, page):
    catalog = tmp_path / "nameless.storekit"
    catalog.write_text(json.dumps({
        "identifier": "1", "version": {"major": 4, "minor": 0}, "settings": {}, "subscriptionGroups": [], "nonRenewingSubscriptions": [],
        "products": [{
            "displayPrice": "0.99", "familyShareable": False, "internalID": "2", "productID": "com.example.coins",
            "referenceName": "A bag of coins", "type": "Consumable",
            "localizations": [{"description": "", "displayName": "", "locale": "en_US"}],
        }],
    }))
    with serve("--root", shop_root, "--catalog", catalog, "--ephemeral") as server:
        page.goto(server.url)
        page.evaluate("onside.loadProducts({ productIdentifiers: ['com.example.coins'] })")
        page.evaluate("() => { onside.purchase({ productIdentifier: 'com.example.coins' }); }")
        page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("dialog", name="Buy A bag of coins?")).to_be_visible()
