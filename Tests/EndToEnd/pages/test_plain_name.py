"""Pages under another name than `localhost`, over http, where browsers send no fetch metadata and have no camera.

`make test-all` also runs all tests of the bridges with pages under this name.
"""

import re

import pytest

from engines import CHROMIUM, FIREFOX, expect, only
from footbridge_process import PLAIN_NAME, serve
from raw_http import Client
from upstreams import upstream

pytestmark = only(CHROMIUM, FIREFOX, because="it has no option for the address of a name")

SITE = "https://today.example"
DOCUMENT = "<!doctype html><title>Today</title><body><a href=/other>Other</a></body>"
SHIM = "/__footbridge/shim.js"
#: The fields with which Chromium opens a document there.
OPENED = ("Upgrade-Insecure-Requests: 1", "Accept: text/html,application/xhtml+xml,*/*;q=0.8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("plain")
    for name in ("index.html", "other.html"):
        (root / name).write_text(DOCUMENT)
    with serve("--root", root, "--site-origin", SITE, "--ephemeral", name=PLAIN_NAME) as server:
        yield server


@pytest.fixture
def cached():
    """Runs a site behind the proxy whose documents browsers may cache for an hour."""

    def answer(exchange, request):
        exchange.answer(DOCUMENT, "Cache-Control: max-age=3600", 'ETag: "1"', content_type="text/html")

    with upstream(answer) as site, serve("--proxy", site.url, "--site-origin", SITE, "--ephemeral", name=PLAIN_NAME) as server:
        server.requests = site.requests
        yield server


def requested(server):
    """Returns what the browser has requested, without the icon, for which Firefox asks."""
    return [request.target for request in server.requests if request.target != "/favicon.ico"]


def is_served(page):
    """Returns whether the page's calls get the answers of a main frame."""
    return page.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' }).then(value => value !== undefined)")


def test_a_page_has_the_bridge_after_links_reloads_history_and_popups(folder, page):
    page.goto(folder.url)
    assert page.evaluate("isSecureContext") is False
    assert is_served(page)
    with page.expect_navigation():
        page.click("a")
    assert is_served(page)
    page.reload()
    assert is_served(page)
    page.go_back()
    assert is_served(page)
    with page.expect_popup() as popup:
        page.evaluate("void open('/other')")
    popup.value.wait_for_url("**/other")
    assert is_served(popup.value)


def test_a_frame_is_not_a_main_frame(folder, page):
    page.goto(folder.url)
    page.evaluate("new Promise(resolve => document.body.append(Object.assign(document.createElement('iframe'), { src: '/other', onload: resolve })))")
    assert is_served(page.frames[1]) is False
    folder.wait_for_log("answered with undefined", "it is in a sub-frame")
    assert is_served(page)


FETCHES = {
    "fetch": "url => fetch(url).then(response => response.text())",
    "fetch of HTML": "url => fetch(url, { headers: { Accept: 'text/html, application/xhtml+xml' } }).then(response => response.text())",
    "XMLHttpRequest": """url => new Promise(resolve => {
      const request = new XMLHttpRequest();
      request.open("GET", url);
      request.onload = () => resolve(request.responseText);
      request.send();
    })""",
    "document by XMLHttpRequest": """url => new Promise(resolve => {
      const request = new XMLHttpRequest();
      request.open("GET", url);
      request.responseType = "document";
      request.onload = () => resolve("<!doctype html>" + request.response.documentElement.innerHTML);
      request.send();
    })""",
}


@pytest.mark.parametrize("way", FETCHES)
@pytest.mark.parametrize("site", ["folder", "cached"])
def test_html_that_scripts_fetch_is_never_changed(request, page, way, site):
    server = request.getfixturevalue(site)
    page.goto(server.url)
    text = page.evaluate(FETCHES[way], "/other")
    assert "Other</a>" in text and SHIM not in text


def test_a_fetched_document_is_requested_again_when_the_browser_opens_it(cached, page):
    page.goto(cached.url)
    for way in ("fetch('/other').then(response => response.text())", "fetch('/other', { cache: 'force-cache' }).then(response => response.text())"):
        assert SHIM not in page.evaluate(way)
    assert requested(cached) == ["/", "/other"]
    with page.expect_navigation():
        page.click("a")
    assert is_served(page)
    assert requested(cached) == ["/", "/other", "/other"]


def test_each_visit_to_a_cached_document_has_the_bridge(cached, page):
    def follow():
        with page.expect_navigation():
            page.click("a")

    for visit in (lambda: page.goto(cached.url), follow, page.reload, page.go_back, lambda: page.goto(cached.url)):
        visit()
        assert is_served(page)


def ask(server, host, *fields):
    client = Client(server)
    client.host = host
    return client.get("/", *fields)


@pytest.mark.parametrize("site", ["folder", "cached"])
def test_a_document_is_not_cached_and_other_html_may_be(request, site):
    server = request.getfixturevalue(site)
    host = f"{PLAIN_NAME}:{server.port}"
    document = ask(server, host, *OPENED)
    assert SHIM.encode() in document.body
    assert (document.field("cache-control"), document.field("etag")) == ("private, no-cache", None)
    assert ask(server, host, *OPENED, 'If-None-Match: "footbridge-1"', 'If-None-Match: "1"').status == 200
    for fields in ([], ["Accept: */*"], ["Accept: text/html"], ["Upgrade-Insecure-Requests: 1", "Accept: */*"], ["Upgrade-Insecure-Requests: 1"]):
        fetched = ask(server, host, *fields)
        assert fetched.body.decode() == DOCUMENT
        assert fetched.field("vary") == "Sec-Fetch-Dest, Sec-Fetch-Mode, Upgrade-Insecure-Requests"
        assert fetched.field("cache-control") != "private, no-cache"
    # Browsers send fetch metadata to an address of this machine, so a request without it does not come from a script.
    assert SHIM.encode() in ask(server, f"127.0.0.1:{server.port}", "Accept: */*").body


def test_secure_cookies_of_the_site_are_stored_on_plain_http(page):
    seen = []

    def answer(exchange, request):
        seen.append(request.field("cookie") or "")
        cookies = ("a=1; Secure; HttpOnly; Path=/", "b=2; SameSite=None; Secure", "c=3; SameSite=Strict;Secure ; Partitioned")
        exchange.answer(DOCUMENT, *(f"Set-Cookie: {cookie}" for cookie in cookies), content_type="text/html")

    with upstream(answer) as site, serve("--proxy", site.url, "--ephemeral", name=PLAIN_NAME) as server:
        page.goto(server.url)
        page.goto(server.url)
        assert sorted(seen[1].split("; ")) == ["a=1", "b=2", "c=3"]
        assert page.evaluate("document.cookie") == "b=2; c=3"


def test_a_sandboxed_frame_has_the_handlers(folder, page):
    page.goto(folder.url)
    page.evaluate("""() => new Promise(onload => {
      const frame = Object.assign(document.createElement("iframe"), { src: "/other", onload });
      frame.sandbox = "allow-scripts";
      document.body.append(frame);
    })""")
    assert page.frames[1].evaluate("[origin, typeof webkit.messageHandlers.gbgBridge.postMessage]") == ["null", "function"]


# The bridges.

PRODUCT = "com.product.example.consumable"


@pytest.fixture(scope="module")
def store(shop_root, catalog):
    """Runs the shop under the name; the person in the page answers sheets."""
    with serve("--root", shop_root, "--catalog", catalog, "--site-origin", SITE, "--ephemeral", name=PLAIN_NAME) as server:
        yield server


@pytest.fixture(scope="module")
def journey(journey_root):
    """Runs the journey under the name."""
    with serve("--root", journey_root, "--ephemeral", name=PLAIN_NAME) as server:
        yield server


def load(page, server):
    page.goto(server.url)
    page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)


def sign_in_and_begin_to_buy(page):
    """Buys until the payment sheet is open, and returns that."""
    page.evaluate("id => { window.bought = onside.purchase({ productIdentifier: id }); }", PRODUCT)
    page.get_by_role("dialog", name=re.compile("sign in", re.I)).get_by_role("button", name="Sign in").click()
    payment = page.get_by_role("dialog", name=re.compile("Consumable"))
    expect(payment).to_be_visible()
    return payment


def wait_until_purchased(page):
    page.wait_for_function("seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === 'purchased'))")


def test_a_person_signs_in_and_buys(store, page):
    load(page, store)
    sign_in_and_begin_to_buy(page).get_by_role("button", name="Buy").click()
    page.evaluate("bought")
    wait_until_purchased(page)
    [transaction] = page.evaluate("onside.getTransactions()")
    page.evaluate("id => onside.finishTransaction(id)", transaction["id"])
    assert page.evaluate("onside.getTransactions()") == []


def test_escape_dismisses_a_sheet(store, page):
    page.goto(store.url)
    page.evaluate("() => { window.login = onside.requestLogin().catch(error => error); }")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("login") == {"loginDiscarded": {}}


def test_a_payment_sheet_opens_again_after_a_reload(store, page):
    load(page, store)
    sign_in_and_begin_to_buy(page)
    page.reload()
    page.get_by_role("dialog", name=re.compile("Consumable")).get_by_role("button", name="Buy").click()
    wait_until_purchased(page)


def test_tabs_of_one_profile_share_a_session_and_other_profiles_do_not(store, new_context):
    profile = new_context()
    first, second, other = profile.new_page(), profile.new_page(), new_context().new_page()
    for page in (first, second, other):
        load(page, store)
    sign_in_and_begin_to_buy(first).get_by_role("button", name="Buy").click()
    wait_until_purchased(second)
    assert len(second.evaluate("onside.getTransactions()")) == 1
    assert other.evaluate("onside.getTransactions()") == []


def test_an_open_page_connects_again_after_the_server_was_restarted(shop_root, catalog, page):
    arguments = ("--root", shop_root, "--catalog", catalog, "--ephemeral")
    with serve(*arguments, name=PLAIN_NAME) as server:
        load(page, server)
    with serve(*arguments, name=PLAIN_NAME, port=server.port):
        answer = page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", PRODUCT)
        assert [product["productIdentifier"] for product in answer["products"]] == [PRODUCT]


def test_the_host_of_gbgbridge_answers_a_query(journey, page):
    page.goto(journey.url)
    answer = page.evaluate("ask('capability.query')")
    assert answer["status"] == "success"
    assert {"camera.document", "camera.selfie"} <= answer["data"]["capabilities"].keys()


def test_a_document_is_captured_from_a_file(journey, page, tmp_path):
    page.goto(journey.url)
    page.screenshot(path=tmp_path / "document.png")
    page.evaluate("() => { window.capture = ask('camera.document.capture', {}); }")
    sheet = page.get_by_role("dialog")
    with page.expect_file_chooser() as chooser:
        sheet.get_by_role("button", name="Choose a photo").click()
    chooser.value.set_files(tmp_path / "document.png")
    sheet.get_by_role("button", name="Use photo").click()
    answer = page.evaluate("capture")
    assert answer["status"] == "success" and answer["data"]["imageBase64"]


def test_a_token_goes_to_the_page_and_to_no_cookie_of_the_page(store, page):
    page.goto(store.url)
    call = "message => webkit.messageHandlers.todayWebViewBridge.postMessage(message)"
    assert page.evaluate(call, {"type": "headers"})["Authorization"].startswith("Bearer ")
    assert page.evaluate(call, {"type": "establishSession"}) == {"ok": True}
    assert page.evaluate("document.cookie") == ""


def test_an_unknown_message_is_answered_with_undefined(store, page):
    page.goto(store.url)
    assert page.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'nope' }).then(value => value === undefined)")


def test_a_page_that_freezes_its_handlers_is_answered(store, page):
    page.goto(store.url)
    page.evaluate("() => { Object.freeze(webkit.messageHandlers); Object.freeze(window.webkit); }")
    assert page.evaluate("onside.getTransactions()") == []
    assert is_served(page)
