"""What browser engines do differently, and what a page needs in each of them."""

import re

import pytest

from engines import CHROMIUM, expect, feature
from footbridge_process import serve
from sheet_gallery import CONTENTS, EVA, MAX, PRO, show
from test_tls import serve_tls
from upstreams import upstream
from ways import APP

SIGNED_IN = "onside.getCurrentStorefront().then(storefront => storefront?.countryCode ?? null)"


def sign_in(page):
    page.evaluate("onside.requestLogin()")
    page.wait_for_function(SIGNED_IN)


@feature("http and https on one host: sessions and reloads")
def test_a_page_under_http_has_its_session_after_a_visit_under_https(shop_root, catalog, auto_shop, new_context):
    page = new_context(ignore_https_errors=True).new_page()
    with serve_tls("--root", shop_root, "--catalog", catalog, "--present", "auto", "--ephemeral") as secure:
        page.goto(secure.tls_url)
        sign_in(page)
        for server in (auto_shop, secure):
            page.goto(server.url)
            sign_in(page)
            page.reload()
            assert page.evaluate(SIGNED_IN) == "NL"
            assert page.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' }).then(v => v !== undefined)")
        page.goto(secure.tls_url)
        assert page.evaluate(SIGNED_IN) == "NL"
        assert {cookie["name"] for cookie in page.context.cookies()} >= {"__Host-footbridge_session"}


@feature("https and HTTP/2")
def test_a_page_over_http2_buys(shop_root, catalog, new_context):
    page = new_context(ignore_https_errors=True).new_page()
    with serve_tls("--root", shop_root, "--catalog", catalog, "--present", "auto", "--ephemeral") as server:
        page.goto(server.tls_url)
        assert page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
        sign_in(page)


#: Sheets with more than a window shows.
LONG = {
    "login": {"accounts": [EVA, MAX] * 20},
    "payment": {"product": {**PRO, "localizedDescription": "A long text. " * 400}},
    "paymentMethods": {"methods": [{"id": f"{number}", "label": f"Card {number}"} for number in range(40)]},
    "form": {"text": "A long text. " * 400},
}


@feature("a page under its own origin")
def test_a_page_has_its_production_address_and_its_host(new_context):
    def handle(exchange, request):
        exchange.answer("<!doctype html><html lang='en'><head><title>Shop</title></head><body></body></html>", content_type="text/html")
        return False

    with upstream(handle) as site, serve("--ephemeral", "--site", f"{APP}={site.url}", "--present", "auto", name=None) as server:
        page = new_context(ignore_https_errors=True, proxy={"server": f"http://127.0.0.1:{server.port}"}).new_page()
        page.goto(f"{APP}/cart")
        sign_in(page)
        page.reload()
        assert page.evaluate("location.href") == f"{APP}/cart"
        assert page.evaluate(SIGNED_IN) and page.evaluate("isSecureContext")


@feature("sheets: the page hears nothing of them")
@pytest.mark.parametrize("kind", LONG)
def test_a_sheet_that_overflows_is_no_error_of_the_page(shop, page, kind):
    page.goto(shop.url)
    page.evaluate("window.errors = []; window.onerror = message => { errors.push(message); }; 0")
    show(page, kind, content=LONG[kind])
    page.wait_for_function("""document.querySelector("footbridge-sheet").shadowRoot.querySelector(".content[tabindex]")""")
    # The browser reports it after it has laid out the next frame.
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")
    assert page.evaluate("errors") == []


@feature("sheets: the same layout")
@pytest.mark.parametrize("kind", ["login", "login without accounts", "form", "paymentMethods"])
def test_a_group_of_a_sheet_is_as_high_as_its_rows(shop, page, kind):
    page.goto(shop.url)
    show(page, kind)
    differences = page.evaluate("""[...document.querySelector("footbridge-sheet").shadowRoot.querySelectorAll("fieldset")].map(group =>
      Math.round(group.getBoundingClientRect().height - [...group.children].reduce((sum, { offsetHeight }) => sum + offsetHeight, 0)))""")
    assert set(differences) <= {0}


@feature("sheets by mouse and keyboard")
@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_purchase_goes_through_its_sheets(shop, page, by):
    page.goto(shop.url)
    page.evaluate("onside.loadProducts({ productIdentifiers: ['com.product.example.consumable'] })")
    page.evaluate("onside.purchase({ productIdentifier: 'com.product.example.consumable' }), undefined")
    for name, button in (("sign in", "Sign in"), ("Consumable", "^Buy")):
        target = page.get_by_role("dialog", name=re.compile(name, re.I)).get_by_role("button", name=re.compile(button))
        expect(target).to_be_visible()
        if by == "mouse":
            target.click()
            continue
        for _ in range(20):
            if target.evaluate("element => element.getRootNode().activeElement === element"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    page.wait_for_function("seen.some(event => event.name === 'onTransactionsUpdated' && event.value.some(t => t.transactionState === 'purchased'))")
    assert page.evaluate("seen.filter(event => event.name.includes('Error')).length") == 0


@feature("sheets by mouse and keyboard")
@pytest.mark.parametrize("kind", sorted(kind for kind in CONTENTS if not kind.startswith("capture")))
def test_escape_declines_each_sheet(shop, page, kind):
    page.goto(shop.url)
    show(page, kind)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


@feature("reload, back and forward, two tabs")
def test_back_and_forward_bring_pages_with_their_session(auto_shop, page):
    page.goto(auto_shop.url)
    sign_in(page)
    page.goto(auto_shop.url + "/?second")
    assert page.evaluate(SIGNED_IN) == "NL"
    page.go_back()
    assert page.evaluate("location.search") == "" and page.evaluate(SIGNED_IN) == "NL"
    page.go_forward()
    assert page.evaluate("location.search") == "?second" and page.evaluate(SIGNED_IN) == "NL"


@feature("messages that are navigations")
@pytest.mark.parametrize("vendor", [None, "Google Inc.", "Apple Computer, Inc."])
def test_the_console_says_where_location_cannot_be_watched(engine, page, tmp_path, vendor):
    site = tmp_path / "site"
    site.mkdir()
    (site / "index.html").write_text("<!doctype html><html lang='en'><head><title>Acme</title></head></html>")
    (tmp_path / "acme.js").write_text("native.navigation(/^acme:/, () => {});")
    (tmp_path / "footbridge.yaml").write_text("bridges: { acme: { adapter: acme.js } }")
    if vendor:
        page.add_init_script(f"Object.defineProperty(navigator, 'vendor', {{ value: '{vendor}' }})")
    told = []
    page.on("console", lambda message: told.append(message.text))
    with serve("--root", site, "--config", tmp_path / "footbridge.yaml", "--ephemeral") as server:
        page.goto(server.url)
        page.evaluate("0")
    assert ["sets location" in text for text in told] == ([True] if vendor == "Apple Computer, Inc." or not vendor and engine != CHROMIUM else [])


#: Ways to an address of the server behind Footbridge, which is `address`.
WAYS_PAST = {
    "link": "document.body.append(Object.assign(document.createElement('a'), { href: address })); document.links[0].click()",
    "form": "document.body.append(Object.assign(document.createElement('form'), { action: address })); document.forms[0].requestSubmit()",
    "script": "document.body.append(Object.assign(document.createElement('form'), { action: address })); document.forms[0].submit()",
}


@feature("warnings about addresses past Footbridge")
@pytest.mark.parametrize("way", WAYS_PAST)
def test_a_link_or_form_that_bypasses_footbridge_is_reported(page, way):
    def handle(exchange, request):
        exchange.answer("<!doctype html><html lang='en'><head><title>Site</title></head><body></body></html>", content_type="text/html")
        return False

    with upstream(handle) as site, serve("--proxy", site.url, "--ephemeral") as server:
        page.goto(server.url)
        address = f"http://localhost:{site.port}/past"
        page.evaluate(f"address => {{ {WAYS_PAST[way]} }}", address)
        server.wait_for_log("goes past Footbridge", address)


@feature("the demo")
def test_the_demo_sells(page):
    with serve("--ephemeral") as server:
        page.goto(server.url)
        expect(page.get_by_role("button", name="Buy 50 credits")).to_be_visible()


@feature("the demo")
def test_the_demo_sells_without_a_language(engine, new_context):
    # Chromium's own languages are language tags.
    page = new_context(locale=None if engine == CHROMIUM else "C").new_page()
    if engine == CHROMIUM:
        page.add_init_script("Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' })")
    with serve("--ephemeral") as server:
        page.goto(server.url)
        assert page.evaluate("navigator.language") == "C"
        expect(page.get_by_role("button", name="Buy 50 credits")).to_be_visible()
