"""The control API: a test decides about sessions, sheets and clocks."""

import contextlib
import http.client
import json
import re
import threading
import urllib.parse
import urllib.request

import pytest

from engines import expect
from footbridge_process import FIXTURES, serve
from wire_page import WirePage

CONSUMABLE = "com.product.example.consumable"
NON_CONSUMABLE = "com.product.example.non_consumable"


@pytest.fixture(scope="module")
def server(shop_root, catalog, tmp_path_factory):
    """Runs the shop with accounts, and with sheets that wait for the control API."""
    config = tmp_path_factory.mktemp("control") / "footbridge.yaml"
    config.write_text(
        "onside:\n  accounts:\n"
        "    - { id: eva, name: Eva, email: eva@example.com, country: ES }\n"
        "    - { id: max, name: Max, email: max@example.com, country: DE }\n"
        "    - { id: mia, name: Mia, email: mia@example.com, country: DE }\n"
        f"  products:\n    {NON_CONSUMABLE}: {{ countries: {{ US: {{ available: false }}, DE: {{ price: 7.5 }} }} }}\n"
    )
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "control") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


@pytest.fixture
def open_page(server, control, new_context):
    """Opens the shop in a session, with the session's cookie."""

    def open_page(session):
        context = new_context()
        control.enter(context, session)
        page = context.new_page()
        page.goto(server.url)
        return page

    return open_page


def begin_purchase(page):
    page.evaluate(f"onside.loadProducts({{ productIdentifiers: ['{CONSUMABLE}'] }})")
    page.evaluate(
        f"void (window.bought = onside.purchase({{ productIdentifier: '{CONSUMABLE}' }}).then(() => 'bought', e => Object.keys(e)[0]))"
    )


def wait_for_sheet(control, page, session, kind):
    """Waits for an open sheet of this kind, while the page runs, and returns its id."""
    for _ in range(200):
        for sheet in control("GET", f"/sessions/{session['id']}/sheets")["sheets"]:
            if sheet["kind"] == kind:
                return sheet["id"]
        page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError(f"no {kind} sheet was opened")


def answer(control, page, session, kind, approved=True, **fields):
    sheet = wait_for_sheet(control, page, session, kind)
    control("POST", f"/sessions/{session['id']}/sheets/{sheet}/answer", {"approved": approved, "fields": fields})


# The token.


@pytest.mark.parametrize("token", ["wrong", "", "a b"])
@pytest.mark.parametrize("path", ["/sessions", "/nowhere", "/sessions/0123456789abcdef"])
def test_every_path_of_the_api_without_the_token_is_answered_401(control, token, path):
    answer = control.request("GET", path, headers={"Authorization": f"Bearer {token}"})
    assert answer.status == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert answer.json["status"] == 401
    assert answer.headers["Content-Type"] == "application/problem+json"


def test_the_control_api_sends_no_cors_fields_to_another_origin(control):
    answer = control.request("GET", "/sessions", headers={"Origin": "https://evil.example"})
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]


# Requests that are wrong.


@pytest.mark.parametrize("body, named", [
    ({"nme": "x"}, "nme"),
    ({"name": 5}, "name"),
    ({"name": "x" * 201}, "name"),
    ({"account": "nobody"}, "account"),
    ({"storefront": "Germany"}, "storefront"),
    ({"platform": "android"}, "platform"),
    ({"onsideContract": "2"}, "onsideContract"),
    ({"present": "never"}, "present"),
    ({"today": {"signedIn": "true"}}, "today.signedIn"),
    ({"today": {"signedOut": True}}, "signedOut"),
    ({"clock": {"now": "yesterday"}}, "clock.now"),
    ({"clock": {"now": "2026-02-30T00:00:00Z"}}, "clock.now"),
    ({"clock": {"frozen": 1}}, "clock.frozen"),
    ({"settings": {"askToBuy": "yes"}}, "settings.askToBuy"),
    ({"settings": {"timeRate": 7}}, "settings.timeRate"),
    ({"settings": {"calls": {"purchase": {"error": "unheardOf"}}}}, "settings.calls.purchase"),
    ([], "the body"),
    ("text", "the body"),
])
def test_the_error_about_a_wrong_member_names_it_and_no_session_is_created(control, body, named):
    before = control("GET", "/sessions")
    answer = control.request("POST", "/sessions", body)
    assert answer.status == 422
    assert named in answer.json["detail"]
    assert answer.json["type"] == "about:blank"
    assert control("GET", "/sessions") == before


def test_a_body_that_is_not_json_of_another_type_or_too_large_is_refused(control):
    assert control.request("POST", "/sessions", data=b"{").status == 400
    assert control.request("POST", "/sessions", data=b"[" * 100_000).status == 400
    assert control.request("POST", "/sessions", data=b"{}", content_type="text/plain").status == 415
    assert control.request("POST", "/sessions", data=b"{}", content_type="application/json; charset=utf-8").status == 201
    assert control.request("POST", "/sessions", data=b" " * ((32 << 20) + 1)).status == 413


def test_a_missing_resource_is_404_and_a_wrong_method_405_with_the_allowed_ones(control):
    for path in ("", "/", "/nowhere", "/sessions/", "/sessions/0123456789abcdef", "/sessions/%00", "/sessions/%2e%2e/x"):
        assert control.request("GET", path).status == 404, path
    answer = control.request("PUT", "/sessions")
    assert answer.status == 405
    assert answer.headers["Allow"] == "GET, HEAD, POST"
    session = control.session()
    assert control.request("POST", f"/sessions/{session['id']}/sheets/none/answer", {"approved": True}).status == 404


# Sessions.


def test_creating_a_session_returns_its_location_and_cookie(control, server):
    answer = control.request("POST", "/sessions", {"name": "one", "account": "eva", "platform": "macos"})
    session = answer.json
    assert answer.status == 201
    assert answer.headers["Location"] == f"/__footbridge/api/v1/sessions/{session['id']}"
    cookie = session.pop("cookie")
    assert cookie == {"name": "footbridge_session", "value": cookie["value"], "url": server.url + "/", "httpOnly": True, "sameSite": "Lax"}
    assert session["id"] not in cookie["value"]
    assert {name: session[name] for name in ("name", "account", "storefront", "platform", "present", "pages")} == {
        "name": "one", "account": "eva", "storefront": "ES", "platform": "macos", "present": "control", "pages": []
    }
    assert control("GET", f"/sessions/{session['id']}").keys() == session.keys()
    assert session["id"] in [each["id"] for each in control("GET", "/sessions")["sessions"]]


def test_a_browser_with_the_cookie_joins_the_session(control, open_page):
    session = control.session(account="eva")
    page = open_page(session)
    assert page.evaluate("onside.getCurrentStorefront()")["countryCode"] == "ES"
    pages = control("GET", f"/sessions/{session['id']}")["pages"]
    assert [each["listening"] for each in pages] == [True]
    assert pages[0]["url"] == page.url


def test_a_page_has_the_title_of_its_document_also_when_it_changes(control, open_page):
    session = control.session()
    page = open_page(session)

    def title_after(change):
        # The call follows what the page has told before.
        page.evaluate("async change => { eval(change); await null; await onside.getCurrentStorefront(); }", change)
        return control("GET", f"/sessions/{session['id']}/pages")["pages"][0]["title"]

    assert title_after("") == page.title()
    assert title_after("document.title = '<b>Coins</b> \u202e'") == "<b>Coins</b> \u202e"
    assert title_after("document.querySelector('title').firstChild.data = 'Coins: ' + '\U0001fa99'.repeat(300)") == "Coins: " + "\U0001fa99" * 96 + "\ufffd"
    # An element of this name hides the property.
    assert title_after("document.body.append(Object.assign(document.createElement('form'), { name: 'title' })); document.querySelector('title').text = 'Shop'") == "Shop"
    assert title_after("document.querySelector('title').remove()") is None


def test_sessions_of_one_server_play_different_platforms_and_contracts(control, open_page):
    docs = open_page(control.session(platform="ios", onsideContract="docs"))
    newest = open_page(control.session(platform="macos", onsideContract="1.3"))
    told = "({ platform: __todayWebView.platform, functionsAreThere: onside.loadProducts !== undefined })"
    assert docs.evaluate(told) == {"platform": "ios", "functionsAreThere": True}
    assert newest.evaluate(told) == {"platform": "macos", "functionsAreThere": False}


def test_a_change_takes_effect_at_once_and_null_signs_out(control, open_page):
    session = control.session(account="eva")
    page = open_page(session)
    path = f"/sessions/{session['id']}"
    assert control("PATCH", path, {"storefront": "FRA", "name": "renamed"})["storefront"] == "FR"
    page.wait_for_function("seen.some(e => e.name === 'onStorefrontChanged' && e.value?.countryCode === 'FR')")
    assert control("PATCH", path, {"account": "max"})["storefront"] == "DE"
    signed_out = control("PATCH", path, {"account": None, "name": None})
    assert (signed_out["account"], signed_out["name"]) == (None, None)
    page.wait_for_function("seen.some(e => e.name === 'onStorefrontChanged' && e.value === null)")


def test_a_change_reaches_a_page_that_connects_after_it(control, server):
    session = control.session(account="eva")
    cookie = f"{session['cookie']['name']}={session['cookie']['value']}"
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/", headers={"Sec-Fetch-Dest": "document", "Cookie": cookie})
    ticket = re.search(r'data-footbridge-ticket="([^"]+)"', connection.getresponse().read().decode())[1]
    connection.close()
    change = threading.Thread(target=control, args=("PATCH", f"/sessions/{session['id']}", {"storefront": "FRA"}))
    change.start()
    # A request that does not wait for the page would be over by then.
    change.join(0.2)
    page = WirePage(server.port, session["cookie"]["value"], ticket=ticket)
    assert page.wait_for_event("onside.onStorefrontChanged")[-1]["storefront"]["countryCode"] == "FR"
    change.join(10)
    page.close()


def test_settings_start_with_those_of_the_file_and_can_be_changed_one_by_one(control):
    session = control.session(settings={"askToBuy": True, "calls": {"purchase": {"error": "loginDiscarded", "once": True}}})
    path = f"/sessions/{session['id']}/settings"
    settings = control("GET", path)
    assert settings["askToBuy"] is True
    assert settings["calls"] == {"purchase": {"delay": 0, "error": "loginDiscarded", "once": True}}
    changed = control("PATCH", path, {"askToBuy": False, "refererUrl": "https://r.example/", "calls": {"purchase": None}})
    assert changed == settings | {"askToBuy": False, "refererUrl": "https://r.example/", "calls": {}}
    assert control("PATCH", path, changed | {"refererUrl": None})["refererUrl"] is None
    assert control.request("PATCH", path, {"askToBuy": True, "timeRate": 7}).status == 422
    assert control("GET", path)["askToBuy"] is False


@pytest.mark.parametrize("method, path", [("DELETE", ""), ("POST", "/reset"), ("POST", "/relaunch")])
def test_a_page_of_an_ended_app_is_dead(control, server, new_context, method, path):
    session = control.session(account="eva")
    context = new_context()
    control.enter(context, session)
    page = context.new_page()
    sockets = []
    page.on("websocket", lambda socket: sockets.append(socket))
    # The browser tells its developer tools of the end before it tells the page.
    page.add_init_script("""WebSocket = class extends WebSocket {
      constructor(...all) {
        super(...all);
        this.addEventListener("close", () => globalThis.isClosed = true);
      }
    }""")
    page.goto(server.url)
    page.evaluate("Promise.resolve(onside.getCurrentStorefront())")
    assert control.request(method, f"/sessions/{session['id']}{path}").status == 204
    page.wait_for_function("globalThis.isClosed === true")
    page.evaluate("dispatchEvent(new Event('online'))")
    page.evaluate("new Promise(resolve => setTimeout(resolve))")
    assert len(sockets) == 1
    if method == "POST":
        after = control("GET", f"/sessions/{session['id']}")
        assert after["pages"] == []
        assert after["account"] == ("eva" if path == "/relaunch" else None)
        page.reload()
        page.evaluate("onside.getCurrentStorefront()")
        assert control("GET", f"/sessions/{session['id']}")["pages"][0]["listening"] is True
    else:
        assert control.request("GET", f"/sessions/{session['id']}").status == 404


def test_a_reset_restores_a_session_except_its_name_platform_and_presentation(control):
    session = control.session(name="n", platform="macos", present="page", settings={"askToBuy": True}, today={"signedIn": False})
    path = f"/sessions/{session['id']}"
    control("PATCH", path + "/clock", {"frozen": True, "now": "2030-01-01T00:00:00Z"})
    control("POST", path + "/reset")
    after = control("GET", path)
    assert (after["name"], after["platform"], after["present"]) == ("n", "macos", "page")
    assert after["today"] == {"signedIn": True} and after["clock"]["frozen"] is False
    assert control("GET", path + "/settings")["askToBuy"] is False


# Sheets.


def test_answered_sheets_decide_a_purchase(control, open_page):
    session = control.session()
    page = open_page(session)
    begin_purchase(page)
    answer(control, page, session, "login", account="max")
    assert page.evaluate("bought") == "bought"
    assert control("GET", f"/sessions/{session['id']}")["unfinishedTransactions"] == 1
    answer(control, page, session, "payment")
    page.wait_for_function("seen.flatMap(e => e.value ?? []).some(t => t.transactionState === 'purchased')")
    begin_purchase(page)
    answer(control, page, session, "payment", approved=False)
    page.wait_for_function("seen.flatMap(e => e.value ?? []).some(t => t.transactionState === 'failed')")


def test_a_dismissed_login_rejects_every_purchase_that_waits_for_it(control, open_page):
    session = control.session()
    page = open_page(session)
    page.evaluate(f"onside.loadProducts({{ productIdentifiers: ['{CONSUMABLE}', '{NON_CONSUMABLE}'] }})")
    page.evaluate("""(products) => void (window.bought = Promise.all(products.map((productIdentifier) =>
      onside.purchase({ productIdentifier }).then(() => "bought", (error) => Object.keys(error)[0]))))""", [CONSUMABLE, NON_CONSUMABLE])
    answer(control, page, session, "login", approved=False)
    assert page.evaluate("bought") == ["loginDiscarded", "loginDiscarded"]
    assert control("GET", f"/sessions/{session['id']}/sheets")["sheets"] == []


@pytest.mark.parametrize("present", ["control", "page"])
def test_signing_in_by_the_control_api_answers_the_login_sheet(control, open_page, present):
    session = control.session(present=present)
    path = f"/sessions/{session['id']}"
    page = open_page(session)
    begin_purchase(page)
    login = wait_for_sheet(control, page, session, "login")
    if present == "page":
        expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
    assert control("PATCH", path, {"account": "eva"})["account"] == "eva"
    assert page.evaluate("bought") == "bought"
    wait_for_sheet(control, page, session, "payment")
    assert [sheet["kind"] for sheet in control("GET", path + "/sheets")["sheets"]] == ["payment"]
    expect(page.get_by_role("dialog", name="Sign in")).to_have_count(0)
    answered = [entry["data"] for entry in control("GET", path + "/journal?kind=sheetAnswered")["entries"]]
    assert answered == [{"id": login, "approved": True, "fields": {"account": "eva"}}]
    assert control.request("POST", f"{path}/sheets/{login}/answer", {"approved": False}).status == 404


def test_1_3_asks_the_page_about_each_purchase_that_waited_for_the_login(control, open_page):
    session = control.session(onsideContract="1.3")
    page = open_page(session)
    page.evaluate(f"onside.initializeOnside('v1').then(() => onside.loadProducts({{ productIdentifiers: ['{CONSUMABLE}', '{NON_CONSUMABLE}'] }}))")
    page.evaluate("""(products) => {
      window.asked = [];
      onside.shouldContinueTransactionAfterLogin = ({ transaction }) => (asked.push(transaction.payment.product.productIdentifier), false);
      window.bought = Promise.all(products.map((productIdentifier) =>
        onside.purchase({ productIdentifier }).then(() => "bought", (error) => Object.keys(error)[0])));
    }""", [CONSUMABLE, NON_CONSUMABLE])
    answer(control, page, session, "login", account="eva")
    assert page.evaluate("bought") == ["rejectedAfterLogin", "rejectedAfterLogin"]
    assert page.evaluate("asked") == [CONSUMABLE, NON_CONSUMABLE]


def test_1_3_signing_out_while_the_page_is_asked_rejects_with_login_discarded(control, open_page):
    session = control.session(onsideContract="1.3")
    page = open_page(session)
    page.evaluate(f"onside.initializeOnside('v1').then(() => onside.loadProducts({{ productIdentifiers: ['{CONSUMABLE}'] }}))")
    page.evaluate("""(productIdentifier) => {
      onside.shouldContinueTransactionAfterLogin = () => new Promise((resolve) => { window.goOn = resolve; });
      window.bought = onside.purchase({ productIdentifier }).then(() => "bought", (error) => Object.keys(error)[0]);
    }""", CONSUMABLE)
    answer(control, page, session, "login", account="eva")
    page.wait_for_function("typeof window.goOn === 'function'")
    page.evaluate("onside.logout()")
    page.evaluate("goOn(true)")
    assert page.evaluate("bought") == "loginDiscarded"


def test_a_payment_is_cancelled_when_another_account_signs_in(control, open_page):
    session = control.session(account="max")
    page = open_page(session)
    begin_purchase(page)
    wait_for_sheet(control, page, session, "payment")
    control("PATCH", f"/sessions/{session['id']}", {"account": "mia"})
    page.wait_for_function("seen.flatMap(e => e.value ?? []).some(t => t.transactionState === 'failed' && t.error.cancelled)")
    assert control("GET", f"/sessions/{session['id']}/sheets")["sheets"] == []


def test_1_3_a_payment_that_was_sent_has_both_identifiers(control, open_page):
    session = control.session(account="eva", onsideContract="1.3", transactions=[{"product": CONSUMABLE, "waitingFor": "interruption"}])
    page = open_page(session)
    [transaction] = page.evaluate("onside.initializeOnside('v1').then(() => onside.getTransactions())")
    assert transaction["transactionState"] == "purchasing"
    assert transaction["originalTransactionIdentifier"] == transaction["transactionIdentifier"] is not None


def test_a_sheet_can_be_answered_once(control, open_page):
    session = control.session()
    page = open_page(session)
    begin_purchase(page)
    sheet = wait_for_sheet(control, page, session, "login")
    path = f"/sessions/{session['id']}/sheets/{sheet}/answer"
    assert control.request("POST", path, {"fields": {}}).status == 422
    assert control.request("POST", path, {"approved": False}).status == 204
    assert control.request("POST", path, {"approved": True}).status == 404
    assert page.evaluate("bought") == "loginDiscarded"


@pytest.mark.parametrize("body, parts", [
    ({"approved": True, "fields": {"account": "nobody"}}, ["fields.account in the body", "one of: eva, max"]),
    ({"approved": True, "fields": {"account": None}}, ["fields.account in the body"]),
    ({"approved": True, "fields": {"method": "telepathy"}}, ["fields.method in the body"]),
    ({"approved": True, "fields": {"acount": "eva"}}, ["acount", "account, method"]),
    ({"approved": False, "fields": {"acount": "eva"}}, ["acount"]),
    ({"approved": True, "fields": ["eva"]}, ["fields in the body"]),
])
def test_a_login_that_the_sheet_does_not_offer_is_refused_and_the_sheet_stays_open(control, open_page, body, parts):
    session = control.session()
    page = open_page(session)
    begin_purchase(page)
    sheet = wait_for_sheet(control, page, session, "login")
    path = f"/sessions/{session['id']}/sheets/{sheet}/answer"
    refused = control.request("POST", path, body)
    assert refused.status == 422
    assert [part for part in parts if part not in refused.json["detail"]] == []
    control("POST", path, {"approved": True, "fields": {"account": "max", "method": "email"}})
    assert page.evaluate("bought") == "bought"


def test_a_field_is_refused_in_a_sheet_that_has_nothing_to_choose(control, open_page):
    session = control.session(account="eva")
    page = open_page(session)
    begin_purchase(page)
    sheet = wait_for_sheet(control, page, session, "payment")
    path = f"/sessions/{session['id']}/sheets/{sheet}/answer"
    refused = control.request("POST", path, {"approved": True, "fields": {"account": "eva"}})
    assert refused.status == 422
    assert "fields.account in the body" in refused.json["detail"]
    control("POST", path, {"approved": True})


def test_the_presentation_mode_can_change_while_a_sheet_is_open(control, open_page):
    session = control.session()
    page = open_page(session)
    begin_purchase(page)
    wait_for_sheet(control, page, session, "login")
    expect(page.get_by_role("dialog")).to_have_count(0)
    control("PATCH", f"/sessions/{session['id']}", {"present": "page"})
    expect(page.get_by_role("dialog")).to_be_visible()
    control("PATCH", f"/sessions/{session['id']}", {"present": "auto"})
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("bought") == "bought"


# Clocks.


def test_each_session_has_a_clock_of_its_own(control):
    frozen = control.session(clock={"frozen": True, "now": "2030-01-01T01:00:00+01:00"})
    running = control.session()
    path = f"/sessions/{frozen['id']}/clock"
    assert frozen["clock"] == {"frozen": True, "now": "2030-01-01T00:00:00.000Z"}
    assert control("POST", path + "/advance", {"milliseconds": 90_000})["now"] == "2030-01-01T00:01:30.000Z"
    assert control("GET", path)["now"] == "2030-01-01T00:01:30.000Z"
    assert running["clock"]["frozen"] is False
    assert not control("GET", f"/sessions/{running['id']}/clock")["now"].startswith("2030")
    assert control("PATCH", path, {"frozen": False})["now"] >= "2030-01-01T00:01:30.000Z"
    for body in ({}, {"milliseconds": -1}, {"milliseconds": 0.5}, {"milliseconds": "1"}, {"milliseconds": 1e300}):
        assert control.request("POST", path + "/advance", body).status == 422


def test_a_clock_advances_by_months_of_the_calendar(control):
    path = f"/sessions/{control.session(clock={'frozen': True, 'now': '2030-01-31T00:00:00Z'})['id']}/clock/advance"
    assert control("POST", path, {"duration": "P1M"})["now"] == "2030-02-28T00:00:00.000Z"
    assert control("POST", path, {"duration": "P1Y2W1DT1H2M3.5S"})["now"] == "2031-03-15T01:02:03.500Z"
    for body in ({"duration": "P"}, {"duration": "PT"}, {"duration": "1M"}, {"duration": 5}, {"duration": "P1D", "milliseconds": 1}):
        assert control.request("POST", path, body).status == 422, body
    assert "9999" in control.request("POST", path, {"duration": "P9000Y"}).json["detail"]


def test_a_clock_does_not_advance_beyond_the_year_9999(control):
    session = control.session(clock={"frozen": True, "now": "9999-12-31T23:59:59Z"})
    path = f"/sessions/{session['id']}/clock"
    refused = control.request("POST", path + "/advance", {"milliseconds": 1000})
    assert refused.status == 422
    assert "9999" in refused.json["detail"]
    assert control("POST", path + "/advance", {"milliseconds": 999})["now"] == "9999-12-31T23:59:59.999Z"


def test_a_delayed_call_on_a_frozen_clock_is_answered_when_the_clock_is_advanced(control, open_page):
    session = control.session(clock={"frozen": True}, settings={"calls": {"loadProducts": {"delay": 60_000}}})
    page = open_page(session)
    page.evaluate(f"void onside.loadProducts({{ productIdentifiers: ['{CONSUMABLE}'] }}).then(() => window.loaded = true)")
    path = f"/sessions/{session['id']}/clock/advance"
    page.evaluate("onside.getCurrentStorefront()")
    control("POST", path, {"milliseconds": 59_999})
    page.evaluate("onside.getCurrentStorefront()")
    assert page.evaluate("window.loaded") is None
    control("POST", path, {"milliseconds": 1})
    page.wait_for_function("window.loaded")


# What stays.


def test_a_session_of_the_control_api_survives_a_restart(shop_root, catalog, tmp_path):
    arguments = ("--root", shop_root, "--catalog", catalog, "--state", tmp_path / "state", "--control-token", "t")
    with serve(*arguments) as server:
        control = server.control("t")
        session = control.session(
            name="stored", platform="macos", present="control", storefront="DE", today={"signedIn": False},
            settings={"askToBuy": True}, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"},
        )
        deleted = control.session(name="deleted")
        control("DELETE", f"/sessions/{deleted['id']}")
        cookie = session.pop("cookie")
        server.signal(9)
    with serve(*arguments) as server:
        control = server.control("t")
        # The journal, and when something happened last, are in memory.
        in_memory = {name: session[name] for name in ("entries", "cursor", "lastActivity", "lintErrors")}
        assert {**control("GET", f"/sessions/{session['id']}"), **in_memory} == session
        assert control("GET", f"/sessions/{session['id']}/settings")["askToBuy"] is True
        assert control.request("GET", f"/sessions/{deleted['id']}").status == 404
    assert not any(cookie["value"].encode() in file.read_bytes() for file in (tmp_path / "state").iterdir())


# The journal.


def journal(control, session, query=""):
    return control("GET", f"/sessions/{session['id']}/journal{query}")


def test_the_journal_lists_a_purchase_with_the_cause_of_each_step(control, open_page):
    session = control.session()
    page = open_page(session)
    begin_purchase(page)
    answer(control, page, session, "login", account="max")
    answer(control, page, session, "payment")
    page.wait_for_function("seen.flatMap(e => e.value ?? []).some(t => t.transactionState === 'purchased')")
    entries = journal(control, session)["entries"]
    assert [entry["cursor"] for entry in entries] == list(range(1, len(entries) + 1))
    told = [(entry["kind"], entry.get("action")) for entry in entries]
    wanted = [
        ("page", "opened"), ("page", "listening"), ("request", "onside.loadProducts"), ("response", "onside.loadProducts"),
        ("request", "onside.purchase"), ("sheetOpened", "login"), ("control", "POST /sheets/{sheet}/answer"), ("sheetAnswered", "login"),
        ("store", "account"), ("event", "onside.onStorefrontChanged"), ("response", "onside.purchase"), ("store", "transaction"),
        ("sheetOpened", "payment"), ("sheetAnswered", "payment"), ("store", "purchase"), ("event", "onside.onTransactionsUpdated"),
    ]
    rest = iter(told)
    assert all(step in rest for step in wanted), told
    purchase = next(entry for entry in entries if (entry["kind"], entry["action"]) == ("request", "onside.purchase"))
    by_cursor = {entry["cursor"]: entry for entry in entries}

    def first_cause(entry):
        while "cause" in entry:
            entry = by_cursor[entry["cause"]]
        return entry

    sheet = next(entry for entry in entries if entry["kind"] == "sheetOpened" and entry["action"] == "payment")
    bought = next(entry for entry in entries if (entry["kind"], entry["action"]) == ("store", "purchase"))
    assert first_cause(sheet) == purchase and first_cause(bought) == purchase
    assert {entry["page"] for entry in entries if entry["kind"] == "request"} == {session_page(control, session)}


def session_page(control, session):
    return control("GET", f"/sessions/{session['id']}")["pages"][0]["id"]


def test_the_journal_is_read_in_pages_by_kind_and_as_json_lines(control, open_page):
    session = control.session()
    page = open_page(session)
    page.evaluate("onside.getCurrentStorefront()")
    whole = journal(control, session)
    assert whole["dropped"] == 0 and whole["next"] == len(whole["entries"])
    first = journal(control, session, "?limit=1")
    second = journal(control, session, f"?limit=1&after={first['next']}")
    assert first["entries"] + second["entries"] == whole["entries"][:2]
    assert {entry["kind"] for entry in journal(control, session, "?kind=request")["entries"]} == {"request"}
    path = f"/sessions/{session['id']}/journal"
    for lines in (control.request("GET", path + "?format=jsonl"), control.request("GET", path, headers={"Accept": "application/jsonl"})):
        assert lines.headers["Content-Type"] == "application/jsonl"
        assert [json.loads(line) for line in lines.text.splitlines()] == whole["entries"]
    for query in ("?after=x", "?after=-1", "?limit=0", "?limit=1e9", "?kind=nothing", "?format=xml"):
        assert control.request("GET", path + query).status == 400


def test_head_of_a_stream_is_a_complete_response(control):
    session = control.session()
    url = urllib.parse.urlsplit(control.url)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    fields = {"Authorization": f"Bearer {control.token}"}
    with contextlib.closing(connection):
        for method, path in (("HEAD", f"/events?session={session['id']}"), ("GET", f"/sessions/{session['id']}")):
            connection.request(method, url.path + path, headers=fields)
            response = connection.getresponse()
            response.read()
            assert response.status == 200


def test_a_stream_sends_each_entry_at_once_and_resumes_after_last_event_id(control, open_page):
    session = control.session()
    with control.events(session["id"]) as events:
        control("POST", f"/sessions/{session['id']}/clock/advance", {"milliseconds": 1})
        first = next(events)
        assert (first.name, first.data["kind"], first.id) == ("journal", "control", str(first.data["cursor"]))
    with control.events(session["id"], headers={"Last-Event-ID": str(2**63 - 1)}) as events:
        # No journal of the session has given this cursor, so all entries come.
        control("POST", f"/sessions/{session['id']}/clock/advance", {"milliseconds": 1})
        assert [next(events).data["cursor"] for _ in range(2)] == [first.data["cursor"], first.data["cursor"] + 1]
    control("POST", f"/sessions/{session['id']}/reset")
    with control.events(session["id"], headers={"Last-Event-ID": str(first.data["cursor"] + 1)}) as events:
        assert next(events).data["action"] == "POST /reset"
        control("DELETE", f"/sessions/{session['id']}")
        assert [event.data["action"] for event in events] == ["DELETE /"]
    assert control.request("GET", "/events").status == 400
    assert control.request("GET", f"/events?session={session['id']}").status == 404


# Transactions and purchases.


def transactions(control, session):
    return control("GET", f"/sessions/{session['id']}/transactions")["transactions"]


def wait_for_transaction(control, page, session, waiting_for):
    """Waits for a transaction that waits for this, while the page runs, and returns its id."""
    for _ in range(200):
        for transaction in transactions(control, session):
            if transaction["waitingFor"] == waiting_for:
                return transaction["id"]
        page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError(f"nothing waits for {waiting_for}")


@pytest.mark.parametrize("setting, waiting_for", [("askToBuy", "approval"), ("interruptedPurchases", "interruption")])
@pytest.mark.parametrize("decision, state", [("approve", "purchased"), ("decline", "failed"), ("fail", "failed")])
def test_a_waiting_payment_continues_as_decided(control, open_page, setting, waiting_for, decision, state):
    session = control.session(account="eva", present="auto", settings={setting: True})
    page = open_page(session)
    begin_purchase(page)
    transaction = wait_for_transaction(control, page, session, waiting_for)
    path = f"/sessions/{session['id']}/transactions/{transaction}"
    control("POST", f"{path}/{decision}")
    page.wait_for_function("state => seen.flatMap(e => e.value ?? []).some(t => t.transactionState === state)", arg=state)
    [after] = transactions(control, session)
    assert (after["waitingFor"], after["error"]) == (None, None if decision == "approve" else "cancelled")
    for late in ("approve", "decline", "fail"):
        assert control.request("POST", f"{path}/{late}").status == 409
    assert control.request("POST", f"/sessions/{session['id']}/transactions/none/{decision}").status == 404


def test_errors_that_only_contract_1_3_has_are_refused_in_a_session_of_docs(control):
    newest = [
        ("POST", "/rules", {"on": "onside.payment", "then": {"error": "presentationFailed"}}, 422),
        ("POST", "/rules", {"on": "onside.purchase", "then": {"error": "rejectedAfterLogin"}}, 422),
        ("POST", "/rules", {"on": "onside.initializeOnside", "then": {"error": "reason"}}, 422),
        ("POST", "/rules", {"on": "onside.logout", "then": {"error": "bridge.brokenRequest"}}, 422),
        ("PATCH", "/settings", {"calls": {"presentPaymentMethodsManager": {"error": "presentationFailed"}}}, 409),
        ("PATCH", "/settings", {"calls": {"getTransactions": {"error": "bridge.bridgeDetached"}}}, 409),
        ("POST", "/transactions", {"product": CONSUMABLE, "error": "presentationFailed"}, 409),
        ("POST", "/transactions/{waiting}/fail", {"error": "presentationFailed"}, 409),
    ]
    for contract in ("docs", "1.3"):
        session = control.session(account="eva", onsideContract=contract)
        path = f"/sessions/{session['id']}"
        waiting = control("POST", f"{path}/transactions", {"product": CONSUMABLE, "waitingFor": "approval"})["id"]
        for method, route, body, status in newest:
            answer = control.request(method, path + route.format(waiting=waiting), body)
            if contract == "1.3":
                assert answer.status in (200, 201), (route, body, answer)
            else:
                assert answer.status == status and "docs" in answer.json["detail"] and "1.3" in answer.json["detail"], answer
    calls = {"calls": {"purchase": {"error": "rejectedAfterLogin"}}}
    assert control.request("POST", "/sessions", {"onsideContract": "docs", "settings": calls}).status == 422
    newer = control.session(onsideContract="1.3", settings=calls)
    # The contract cannot be left while such an error is set.
    assert control.request("PATCH", f"/sessions/{newer['id']}", {"onsideContract": "docs"}).status == 422
    control("PATCH", f"/sessions/{newer['id']}/settings", {"calls": {"purchase": None}})
    assert control("PATCH", f"/sessions/{newer['id']}", {"onsideContract": "docs"})["onsideContract"] == "docs"


def test_failing_a_transaction_dismisses_its_sheet(control, open_page):
    session = control.session(account="eva")
    page = open_page(session)
    begin_purchase(page)
    wait_for_sheet(control, page, session, "payment")
    control("POST", f"/sessions/{session['id']}/transactions/{transactions(control, session)[0]['id']}/fail")
    page.wait_for_function("seen.flatMap(e => e.value ?? []).some(t => t.transactionState === 'failed')")
    for _ in range(200):
        if not control("GET", f"/sessions/{session['id']}/sheets")["sheets"]:
            break
        page.evaluate("new Promise(requestAnimationFrame)")
    assert control("GET", f"/sessions/{session['id']}/sheets")["sheets"] == []


def test_products_of_a_country_and_accounts_are_listed(control):
    session = control.session(account="eva")
    path = f"/sessions/{session['id']}"
    here = control("GET", path + "/products")
    assert here["countryCode"] == "ES" and here["unavailable"] == []
    assert {each["productIdentifier"]: each["type"] for each in here["products"]}[CONSUMABLE] == "Consumable"
    there = control("GET", path + "/products?country=DEU")
    prices = {each["productIdentifier"]: each["price"] for each in there["products"]}
    assert there["countryCode"] == "DE" and prices[NON_CONSUMABLE] == {"value": 7.5, "currencyCode": "EUR"}
    away = control("GET", path + "/products?country=us")
    assert away["unavailable"] == [NON_CONSUMABLE] and len(away["products"]) == len(here["products"]) - 1
    assert control.request("GET", path + "/products?country=").status == 400
    refused = control.request("GET", path + "/products?country=QX")
    assert refused.status == 400 and "QX" in refused.json["detail"]
    accounts = control("GET", path + "/accounts")["accounts"]
    assert [(each["id"], each["countryCode"]) for each in accounts] == [("eva", "ES"), ("max", "DE"), ("mia", "DE")]


def test_seeded_purchases_are_restored_or_delivered(control, open_page):
    session = control.session(account="eva", purchases=[
        {"product": NON_CONSUMABLE, "purchasedAt": "2020-02-02T02:02:02Z"}, {"product": CONSUMABLE, "quantity": 2, "finished": False},
    ])
    ledger = control("GET", f"/sessions/{session['id']}/purchases")["purchases"]
    assert [(each["product"], each["account"]) for each in ledger] == [(NON_CONSUMABLE, "eva"), (CONSUMABLE, "eva"), (CONSUMABLE, "eva")]
    assert ledger[0]["purchasedAt"] == "2020-02-02T02:02:02.000Z"
    page = open_page(session)
    page.wait_for_function("seen.flatMap(e => e.value ?? []).filter(t => t.transactionState === 'purchased').length === 2")
    page.evaluate("onside.restoreCompletedTransactions()")
    page.wait_for_function("seen.some(e => e.name === 'onRestoreCompletedTransactionsFinished')")
    restored = page.evaluate("seen.flatMap(e => e.value ?? []).filter(t => t.transactionState === 'restored')")
    assert [each["transactionIdentifier"] for each in restored] == [ledger[0]["id"]]
    path = f"/sessions/{session['id']}/purchases"
    refunded = control("POST", f"{path}/{ledger[0]['id']}/refund")["purchases"][0]
    assert refunded["revokedAt"] is not None
    assert control.request("POST", f"{path}/{ledger[0]['id']}/refund").status == 409
    assert control.request("POST", f"{path}/{ledger[0]['id']}/renew").status == 409
    assert control.request("POST", f"{path}/none/refund").status == 404
    for body in ({}, {"product": "unheard.of"}, {"product": CONSUMABLE, "quantity": 0}, {"product": CONSUMABLE, "account": "nobody"}):
        assert control.request("POST", path, body).status == 422


def test_deleting_purchases_is_reported_to_the_page_and_leaves_the_account(control, open_page):
    session = control.session(account="eva", purchases=[{"product": CONSUMABLE, "quantity": 3, "finished": False}])
    path = f"/sessions/{session['id']}"
    page = open_page(session)
    page.wait_for_function("seen.flatMap(e => e.value ?? []).filter(t => t.transactionState === 'purchased').length === 3")
    removed = "count => seen.filter(e => e.name === 'onTransactionsRemoved').flatMap(e => e.value).length === count"
    [first, *_] = control("GET", f"{path}/purchases")["purchases"]
    assert control.request("DELETE", f"{path}/purchases/{first['id']}").status == 204
    page.wait_for_function(removed, arg=1)
    assert control.request("DELETE", f"{path}/purchases/{first['id']}").status == 404
    transaction = transactions(control, session)[0]["id"]
    assert control.request("DELETE", f"{path}/transactions/{transaction}").status == 204
    page.wait_for_function(removed, arg=2)
    assert control.request("DELETE", f"{path}/transactions/{transaction}").status == 404
    assert len(control("GET", f"{path}/purchases")["purchases"]) == 2
    assert control.request("DELETE", f"{path}/purchases").status == 204
    page.wait_for_function(removed, arg=3)
    assert control("GET", f"{path}/purchases") == {"purchases": [], "subscriptions": []}
    assert control("GET", path)["account"] == "eva"


def test_changing_a_subscription_that_does_not_exist_is_404(control):
    path = f"/sessions/{control.session(account='eva')['id']}/subscriptions/{CONSUMABLE}"
    for what in ("expire", "renew", "cancel", "resume"):
        assert control.request("POST", f"{path}/{what}").status == 404
        assert control.request("POST", f"{path}/{what}", {"account": "nobody"}).status == 422
        assert control.request("POST", f"{path}/{what}", {"name": "eva"}).status == 422


def test_deleting_the_settings_restores_those_of_the_configuration(control):
    path = f"/sessions/{control.session(onsideContract='1.3')['id']}"
    usual = control("GET", f"{path}/settings")
    control("PATCH", f"{path}/settings", {"askToBuy": True, "timeRate": 6, "calls": {"purchase": {"error": "rejectedAfterLogin"}}})
    assert control("DELETE", f"{path}/settings") == usual == control("GET", f"{path}/settings")
    assert control("GET", path)["onsideContract"] == "1.3"


@pytest.mark.parametrize("seed, state", [
    ({"waitingFor": "approval"}, "purchasing"), ({"waitingFor": "interruption"}, "purchasing"), ({"error": "cancelled"}, "failed"),
])
def test_a_seeded_transaction_of_an_earlier_launch_is_reported_and_continues(control, open_page, seed, state):
    session = control.session(account="eva", transactions=[{"product": CONSUMABLE, **seed}])
    path = f"/sessions/{session['id']}/transactions"
    [transaction] = transactions(control, session)
    assert (transaction["state"], transaction["waitingFor"], transaction["error"]) == (state, seed.get("waitingFor"), seed.get("error"))
    page = open_page(session)
    told = "state => seen.flatMap(e => e.value ?? []).some(t => t.transactionState === state)"
    page.wait_for_function(told, arg=state)
    if state == "purchasing":
        control("POST", f"{path}/{transaction['id']}/approve")
        page.wait_for_function(told, arg="purchased")
        [bought] = control("GET", f"/sessions/{session['id']}/purchases")["purchases"]
        assert (bought["product"], bought["account"]) == (CONSUMABLE, "eva")
    assert control("POST", path, {"product": CONSUMABLE, **seed})["state"] == state
    assert len(transactions(control, session)) == 2
    for body in ({"product": CONSUMABLE}, {"product": CONSUMABLE, "waitingFor": "approval", "error": "cancelled"},
                 {"product": "unheard.of", **seed}, {"product": CONSUMABLE, "account": "nobody", **seed}):
        assert control.request("POST", path, body).status == 422


def test_a_test_renews_ends_and_cancels_a_subscription(shop_root):
    catalog = FIXTURES / "storehelper-sample.storekit"
    product = json.loads(catalog.read_text())["subscriptionGroups"][0]["subscriptions"][0]["productID"]
    with serve("--root", shop_root, "--catalog", catalog, "--ephemeral") as server:
        decide_a_subscription(server.control(), product)


def decide_a_subscription(control, product):
    session = control.session(clock={"frozen": True})
    path = f"/sessions/{session['id']}/purchases"
    [bought] = control("POST", path, {"product": product})["purchases"]
    after = control("POST", f"{path}/{bought['id']}/renew")
    assert [each["reason"] for each in after["purchases"]] == ["PURCHASE", "RENEWAL"]
    assert after["subscriptions"][0]["purchase"] == after["purchases"][1]["id"]
    cancelled = control("POST", f"{path}/{bought['id']}/cancel")["subscriptions"]
    assert [each["renewsAutomatically"] for each in cancelled] == [False]
    assert control.request("POST", f"{path}/{bought['id']}/renew").status == 409
    assert control("POST", f"{path}/{bought['id']}/expire")["subscriptions"] == []
    assert control.request("POST", f"{path}/{bought['id']}/cancel").status == 409


# GBGBridge: hosts without Swift.


@pytest.fixture(scope="module")
def journey(journey_root):
    """Runs the journey of the GBGBridge tests, with sheets that wait for the control API."""
    with serve("--root", journey_root, "--present", "control", "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def host(journey):
    return journey.control()


@pytest.fixture
def open_journey(journey, host, new_context):
    """Opens the journey in a new session. Returns the page, the path of the session and that of the page."""

    def open_journey():
        session = host.session()
        context = new_context()
        host.enter(context, session)
        page = context.new_page()
        page.goto(journey.url)
        page.evaluate("ask('capability.query', {})")
        path = f"/sessions/{session['id']}"
        [told] = host("GET", path + "/pages")["pages"]
        return page, session, f"{path}/pages/{told['id']}"

    return open_journey


def wait_for_request(host, page, page_path, action):
    """Waits for a request that waits for a manual answer, while the page runs, and returns it."""
    for _ in range(200):
        for request in host("GET", page_path + "/requests")["requests"]:
            if request["action"] == action:
                return request
        page.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError(f"no {action} waits")


@pytest.mark.parametrize("correlation_id", ["plain", "web/0.5?x=1&ü", "%2F.."])
@pytest.mark.parametrize("answer, told", [
    ({"status": "success", "data": {"read": True}}, {"status": "success", "data": {"read": True}}),
    ({"status": "cancelled"}, {"status": "cancelled"}),
    ({"error": {"code": "NFC_OFF", "message": "No.", "recoverable": True}},
     {"status": "error", "error": {"code": "NFC_OFF", "message": "No.", "recoverable": True}}),
])
def test_an_unhandled_request_is_answered_by_the_control_api(host, open_journey, correlation_id, answer, told):
    page, session, path = open_journey()
    page.evaluate("id => void (window.read = ask('nfc.read', { n: 1 }, id))", correlation_id)
    request = wait_for_request(host, page, path, "nfc.read")
    assert (request["correlationId"], request["data"]) == (correlation_id, {"n": 1})
    respond = f"{path}/requests/{urllib.parse.quote(correlation_id, safe='')}/respond"
    assert host.request("POST", respond, {"status": "error"}).status == 422
    assert host.request("POST", respond, {"status": "fine"}).status == 422
    assert host.request("POST", respond, answer).status == 204
    assert page.evaluate("read") == {"action": "nfc.read"} | told
    assert host.request("POST", respond, answer).status == 404
    assert host("GET", path + "/requests")["requests"] == []


def test_the_control_api_sends_an_event_of_the_host(host, open_journey):
    page, session, path = open_journey()
    assert host.request("POST", path + "/events", {"action": "journey.cancel", "data": {"reason": "user"}}).status == 204
    page.wait_for_function("inbox.some(message => message.type === 'event' && message.payload.action === 'journey.cancel')")
    assert page.evaluate("inbox.find(m => m.payload.action === 'journey.cancel').payload.data") == {"reason": "user"}
    assert host.request("POST", path + "/events", {"data": {}}).status == 422
    assert host.request("POST", f"/sessions/{session['id']}/pages/none/events", {"action": "a"}).status == 404


def test_the_slots_of_a_page_show_their_open_request(host, open_journey):
    page, session, path = open_journey()
    document, selfie = host("GET", path + "/slots")["slots"]
    assert (document["id"], document["action"], selfie["id"]) == ("camera.document", "camera.document.capture", "camera.selfie")
    assert document["supported"] and document["request"] is None and selfie["request"] is None
    page.evaluate("void ask('camera.document.capture', {}, 'c-1')")
    wait_for_sheet(host, page, session, "capture")
    assert [each["request"] for each in host("GET", path + "/slots")["slots"]] == ["c-1", None]


ONE_PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


@pytest.mark.parametrize("action", ["camera.document.capture", "camera.selfie.capture"])
@pytest.mark.parametrize("answer, status", [
    ({"approved": True, "fields": {"imageBase64": ONE_PIXEL}}, "success"),
    ({"approved": True}, "success"),
    ({"approved": False}, "cancelled"),
    ({"approved": True, "fields": {"error": {"code": "CAMERA_DENIED", "message": "No.", "recoverable": False}}}, "error"),
])
def test_a_capture_is_answered_by_the_control_api(host, open_journey, action, answer, status):
    page, session, _ = open_journey()
    page.evaluate("action => void (window.capture = ask(action, {}))", action)
    sheet = wait_for_sheet(host, page, session, "capture")
    assert host.request("POST", f"/sessions/{session['id']}/sheets/{sheet}/answer", answer).status == 204
    told = page.evaluate("capture")
    assert told["status"] == status
    if "imageBase64" in answer.get("fields", {}):
        assert (told["data"]["imageBase64"], told["data"]["imageWidth"], told["data"]["mimeType"]) == (ONE_PIXEL, 1, "image/png")
    if status == "error":
        assert told["error"]["code"] == "CAMERA_DENIED"
    if status == "success":
        text = json.dumps(journal(host, session), ensure_ascii=False)
        assert ONE_PIXEL not in text and "‹image/" in text and len(text) < 20_000


@pytest.mark.parametrize("fields, part", [
    ({"imageBase64": "!!!"}, "not the base64 of an image"),
    ({"imageBase64": "aGVsbG8="}, "imageWidth"),
    ({"imageWidth": 4}, "imageBase64"),
    ({"error": {"message": "No."}}, "fields.error"),
    ({"error": {"code": "CAMERA_DENIED"}, "imageBase64": ONE_PIXEL}, "not both"),
])
def test_an_answer_without_a_valid_image_is_refused_and_the_capture_stays_open(host, open_journey, fields, part):
    page, session, _ = open_journey()
    page.evaluate("() => void (window.capture = ask('camera.selfie.capture', {}))")
    path = f"/sessions/{session['id']}/sheets/{wait_for_sheet(host, page, session, 'capture')}/answer"
    refused = host.request("POST", path, {"approved": True, "fields": fields})
    assert refused.status == 422
    assert part in refused.json["detail"]
    # For an error, the code is enough, as everywhere.
    assert host.request("POST", path, {"approved": True, "fields": {"error": {"code": "BUSY"}}}).status == 204
    assert page.evaluate("capture")["error"] == {"code": "BUSY", "message": "BUSY", "recoverable": True}


# Today.


@pytest.fixture(scope="module")
def embed(tmp_path_factory):
    """Returns a page of Today that the host trusts as in production."""
    root = tmp_path_factory.mktemp("embed")
    (root / "index.html").write_text("<!doctype html><title>Feed</title><h1>Feed</h1>")
    with serve("--root", root, "--site-origin", "https://today.example", "--ephemeral") as server:
        yield server


def test_a_test_expires_revokes_and_fails_tokens_and_never_gets_their_values(embed, new_context):
    control = embed.control()
    session = control.session()
    path = f"/sessions/{session['id']}"
    context = new_context()
    control.enter(context, session)
    page = context.new_page()
    page.goto(embed.url)
    post = "message => webkit.messageHandlers.todayWebViewBridge.postMessage(message).catch(error => 'rejected: ' + error.message)"

    def refresh():
        return page.evaluate(post, {"type": "refreshToken"})

    first = refresh()["authorization"]
    tokens = control("GET", path + "/tokens")
    assert tokens == {"signedIn": True, "hasToken": True, "expiresAt": tokens["expiresAt"], "refreshes": 1, "revoked": False, "failsNext": False}
    assert control("POST", path + "/tokens/expire")["hasToken"] is False
    assert control("POST", path + "/tokens/fail-next", {"error": "unreachable"})["failsNext"] is True
    assert "could not be reached" in refresh()
    second = refresh()["authorization"]
    assert control("POST", path + "/tokens/revoke")["revoked"] is True
    assert "invalid_grant" in refresh() and "invalid_grant" in refresh()
    assert control("PATCH", path, {"today": {"signedIn": False}})["today"] == {"signedIn": False}
    assert "signed out" in refresh()
    assert control("PATCH", path, {"today": {"signedIn": True}})["today"] == {"signedIn": True}
    third = refresh()["authorization"]
    assert control("POST", path + "/tokens/revoke")["revoked"] is True
    control.request("POST", path + "/relaunch")
    page.reload()
    assert control("GET", path + "/tokens")["revoked"] is True and "invalid_grant" in refresh()
    control("PATCH", path, {"today": {"signedIn": True}})
    assert control("GET", path + "/tokens")["revoked"] is False and refresh()["authorization"] != third
    assert control.request("POST", path + "/tokens/fail-next", {"error": "bad luck"}).status == 422
    told = json.dumps([journal(control, session), control("GET", path), control("GET", path + "/tokens")])
    for authorization in (first, second, third):
        assert authorization not in told and authorization.removeprefix("Bearer ") not in told
    page.evaluate(post, {"type": "establishSession"})
    for cookie in control("GET", path + "/cookies")["cookies"]:
        assert "value" not in cookie and cookie["httpOnly"] is True


# Mistakes and repetitions.


@pytest.mark.parametrize("path, part", [
    ("/sessions?limit=1", "no parameter limit. It has none."),
    ("/sessions/{session}/journal?limits=1", "no parameter limits. Did you mean limit? Known are: after, limit, kind, format."),
    ("/sessions/{session}/journal?watch", "no parameter watch."),
    ("/sessions/{session}/journal?limit=0", "limit must be a whole number from 1 to 10000. It is 0."),
    ("/sessions/{session}/journal?kind=all", "It is all."),
    ("/sessions/{session}/journal?after=", "after has no value."),
    ("/sessions/{session}/export?transcript", "transcript has no value."),
])
def test_a_query_that_a_resource_does_not_have_is_refused(control, path, part):
    answer = control.request("GET", path.format(session=control.session()["id"]))
    assert answer.status == 400 and part in answer.json["detail"]


def test_an_error_repeats_the_given_value(control):
    answer = control.request("POST", "/sessions", {"storefront": "Atlantis", "account": None})
    assert answer.json["detail"] == 'storefront in the body must be an ISO 3166 country code, such as ES. It is "Atlantis".'


@pytest.mark.parametrize("body, detail", [
    ({"account": "evaa"}, 'account in the body must be null or one of: eva, max, mia. It is "evaa". Did you mean eva?'),
    ({"acount": None}, "the body has an unknown key, acount. Did you mean account? Known are: account, "),
    ({"platform": "iso"}, 'platform in the body must be one of: ios, macos. It is "iso". Did you mean ios?'),
])
def test_an_error_names_what_was_probably_meant(control, body, detail):
    answer = control.request("POST", "/sessions", body)
    assert answer.status == 422 and answer.json["detail"].startswith(detail)


def test_a_change_whose_body_arrives_late_applies_to_the_current_launch(control):
    path = f"/sessions/{control('POST', '/sessions', {})['id']}"
    body = json.dumps({"id": "late", "on": "onside.logout", "then": {"delay": 1}}).encode()
    address = urllib.parse.urlsplit(control.url + path + "/rules")
    connection = http.client.HTTPConnection(address.hostname, address.port, timeout=60)
    connection.putrequest("POST", address.path)
    for name, value in {"Authorization": f"Bearer {control.token}", "Content-Type": "application/json", "Content-Length": str(len(body))}.items():
        connection.putheader(name, value)
    connection.endheaders(body[:1])
    assert control.request("POST", path + "/reset").status == 204
    connection.send(body[1:])
    assert connection.getresponse().status == 201
    assert [rule["id"] for rule in control("GET", path + "/rules")["rules"]] == ["late"]


def test_a_new_session_with_a_duplicate_rule_is_refused(tmp_path):
    config = tmp_path / "footbridge.yaml"
    rule = {"id": "slow", "on": "onside.logout", "then": {"delay": 1}}
    config.write_text(json.dumps({"scenarios": {"slow": [rule]}}))
    with serve("--ephemeral", "--config", config, "--scenario", "slow") as server:
        control = server.control()
        answer = control.request("POST", "/sessions", {"rules": [rule]})
        assert answer.status == 422 and "slow already exists" in answer.json["detail"]
        assert control("GET", "/sessions")["sessions"] == []
        assert control.request("POST", "/sessions", {"rules": [{**rule, "id": "mine"}]}).status == 201


def test_a_request_with_an_idempotency_key_has_its_effect_once(control):
    def create(name, key):
        return control.request("POST", "/sessions", {"name": name}, headers={"Idempotency-Key": key})

    first, again = create("mine", "key-1"), create("mine", "key-1")
    assert first.status == again.status == 201 and first.json == again.json
    assert first.headers["Location"] == again.headers["Location"]
    assert create("another", "key-1").status == 422
    assert create("another", "key-2").json["id"] != first.json["id"]
    assert create("mine", "k" * 256).status == 400
    path = f"/sessions/{first.json['id']}"
    rule = {"id": "r", "on": "onside.logout", "then": {"delay": 1}}
    statuses = [control.request("POST", path + "/rules", rule, headers={"Idempotency-Key": "a"}).status for _ in range(2)]
    assert statuses == [201, 201]
    assert control.request("GET", path, headers={"Idempotency-Key": "a"}).status == 200
    entries = control("GET", path + "/journal?kind=control")["entries"]
    assert [entry["action"] for entry in entries] == ["POST /rules"]


def test_a_conflict_is_looked_at_again_when_its_request_is_repeated(control):
    path = f"/sessions/{control.session()['id']}"
    rule = {"id": "r", "on": "onside.logout", "then": {"delay": 1}}

    def make():
        return control.request("POST", path + "/rules", rule, headers={"Idempotency-Key": "b"})

    control("POST", path + "/rules", rule)
    assert make().status == 409
    control("DELETE", path + "/rules/r")
    made = make()
    assert made.status == 201 and make().json == made.json


def test_the_first_page_of_a_session_is_logged(shop_root, page):
    with serve("--root", shop_root, "--ephemeral") as server:
        page.goto(server.url + "/?secret=1")
        server.wait_for_log("info", "The first page of session")
        page.wait_for_function("webkit.messageHandlers")
        page.reload()
        page.evaluate("onside.getTransactions()")
        lines = [line for line in server.log if "The first page of session" in line]
        assert len(lines) == 1 and "secret" not in lines[0]


def test_the_footbridge_folder_shows_an_explanation(shop, page):
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(shop.url + "/__footbridge/")
        assert page.title() == "Footbridge" and page.get_by_role("heading", name="The manual").is_visible()
        links = page.evaluate("[...document.links].map(link => link.href)")
        assert len(links) > 3 and all(page.request.get(link).ok for link in links)


def test_the_footbridge_folder_lists_the_routes_of_enabled_bridges(tmp_path):
    config = tmp_path / "footbridge.yaml"
    config.write_text("today: { enabled: false }\n")

    def listed(*options):
        with serve("--ephemeral", *options) as server, urllib.request.urlopen(server.url + "/__footbridge/") as answer:
            text = answer.read().decode()
        assert "{{" not in text
        return set(re.findall(r"(?:onside|today)/[^<\"]+", text))

    onside = {"onside/.well-known/jwks.json", "onside/merchant-api/v1/purchases/in-app/history/"}
    assert listed() == {*onside, "today/.well-known/jwks.json"}
    assert listed("--config", config) == onside
