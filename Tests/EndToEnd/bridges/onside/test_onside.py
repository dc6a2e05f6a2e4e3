"""Every function, callback and error of `window.onside`, in Chromium."""

import json
import re

import pytest

from engines import CHROMIUM, FIREFOX, expect, only
from footbridge_process import serve
from promises import wait_for_promise
from test_control import wait_for_transaction

CONSUMABLE = "com.product.example.consumable"
NON_CONSUMABLE = "com.product.example.non_consumable"

FUNCTIONS = [
    "initializeOnside", "setAppearance", "setShouldForceLocalLoginMethods", "setDefaultCountryCodeAssumption", "trackEvent", "requestLogin",
    "logout", "presentPaymentMethodsManager", "getCurrentStorefront", "loadProducts", "purchase", "restoreCompletedTransactions",
    "getTransactions", "finishTransaction", "getAttributionMetadata", "getSignedInAppsHistory",
]
SYNCHRONOUS = ["setAppearance", "setShouldForceLocalLoginMethods", "setDefaultCountryCodeAssumption", "trackEvent", "logout"]


@pytest.fixture
def configured(tmp_path, shop_root, catalog):
    """Starts servers with this text as footbridge.yaml."""
    servers = []

    def start(text="", *arguments, present="auto"):
        config = tmp_path / f"footbridge-{len(servers)}.yaml"
        config.write_text(text)
        server = serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", present, "--ephemeral", *arguments)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def names(page):
    return page.evaluate("seen.map(event => event.name)")


def wait_for(page, name, count=1):
    page.wait_for_function("([name, count]) => seen.filter(e => e.name === name).length >= count", arg=[name, count])


def wait_for_state(page, state, count=1):
    page.wait_for_function(
        "([state, count]) => seen.filter(e => e.name === 'onTransactionsUpdated').flatMap(e => e.value)"
        ".filter(t => t.transactionState === state).length >= count",
        arg=[state, count],
    )


def open_shop(page, server, *products):
    page.goto(server.url)
    if page.evaluate("onside.loadProducts === undefined"):
        page.evaluate("onside.initializeOnside('v1')")
    page.evaluate("ids => onside.loadProducts({ productIdentifiers: ids })", list(products) or [CONSUMABLE, NON_CONSUMABLE])


def buy(page, product=CONSUMABLE, **more):
    page.evaluate("input => onside.purchase(input)", {"productIdentifier": product, **more})


# The contract `docs`.


def test_setters_return_undefined_and_never_throw_for_any_value(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("""names => {
      const cyclic = {}; cyclic.self = cyclic;
      const odd = [undefined, null, 1, 1n, NaN, "", "dark", {}, [], () => {}, Symbol("s"), cyclic, document.body, new Date(NaN),
        { get name() { throw new Error("no"); } }, new Proxy({}, { ownKeys() { throw new Error("no"); } }), { name: 1n, parameters: cyclic }];
      return names.flatMap(name => odd.map(value => onside[name](value)).concat([onside[name]()])).every(value => value === undefined);
    }""", SYNCHRONOUS)
    assert page.evaluate("onside.getTransactions()") == []


def test_all_other_functions_return_promises_and_never_throw_synchronously(auto_shop, page):
    page.goto(auto_shop.url)
    asynchronous = [name for name in FUNCTIONS if name not in SYNCHRONOUS]
    assert page.evaluate("""names => {
      const cyclic = {}; cyclic.self = cyclic;
      const results = names.flatMap(name => [undefined, 1n, cyclic, Symbol("s")].map(value => onside[name](value)));
      for (const result of results) result.catch(() => {});
      return results.every(result => result instanceof Promise);
    }""", asynchronous)


def test_functions_are_own_fixed_properties_and_callbacks_can_be_assigned(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("""names => names.every(name => {
      const d = Object.getOwnPropertyDescriptor(onside, name);
      return d.enumerable && !d.writable && !d.configurable && typeof d.value === "function";
    }) && Object.isExtensible(onside)""", FUNCTIONS)


@pytest.mark.parametrize("call", [
    "onside.loadProducts()", "onside.loadProducts({})", "onside.loadProducts({ productIdentifiers: 'a' })",
    "onside.loadProducts({ productIdentifiers: [1] })", "onside.purchase('a')", "onside.purchase({})", "onside.finishTransaction(1)",
])
def test_arguments_of_the_wrong_kind_reject_with_a_bridge_error(auto_shop, page, call):
    page.goto(auto_shop.url)
    assert page.evaluate(call + ".then(() => 'resolved', e => [e instanceof Error, e.name, e.code])") == [
        True, "PontoonBridgeError", "invalidArguments",
    ]


def test_login_and_logout_change_the_storefront(auto_shop, page):
    page.goto(auto_shop.url)
    page.evaluate("onside.requestLogin()")
    wait_for(page, "onStorefrontChanged")
    page.evaluate("onside.logout()")
    wait_for(page, "onStorefrontChanged", 2)
    values = page.evaluate("seen.filter(e => e.name === 'onStorefrontChanged').map(e => e.value)")
    assert values[0]["countryCode"] == "NL" and values[0]["id"]
    assert values[1] is None
    assert page.evaluate("onside.getCurrentStorefront()") is None


def test_the_app_account_token_is_in_the_transaction(auto_shop, page):
    open_shop(page, auto_shop)
    buy(page, appAccountToken="token-1")
    wait_for_state(page, "purchased")
    [transaction] = page.evaluate("onside.getTransactions()")
    assert transaction["payment"]["appAccountToken"] == "token-1"
    assert "error" not in transaction


def test_a_dismissed_payment_fails_as_cancelled_and_its_transaction_can_be_finished(shop, page):
    open_shop(page, shop)
    page.evaluate("onside.requestLogin(), undefined")
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    wait_for(page, "onStorefrontChanged")
    buy(page)
    page.get_by_role("dialog", name=re.compile("Consumable")).get_by_role("button", name="Cancel").click()
    wait_for_state(page, "failed")
    [transaction] = page.evaluate("onside.getTransactions()")
    assert transaction["error"] == {"cancelled": {}}
    page.evaluate("id => onside.finishTransaction(id)", transaction["id"])
    wait_for(page, "onTransactionsRemoved")


def test_a_transaction_has_no_identifier_of_the_store_while_the_payment_is_not_sent(shop, page):
    open_shop(page, shop)
    page.evaluate("onside.requestLogin(), undefined")
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    wait_for(page, "onStorefrontChanged")
    buy(page)
    expect(page.get_by_role("dialog")).to_be_visible()
    [transaction] = page.evaluate("onside.getTransactions()")
    assert transaction["transactionState"] == "purchasing" and "transactionIdentifier" not in transaction
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()


def test_several_purchases_are_made_in_order(auto_shop, page):
    open_shop(page, auto_shop)
    page.evaluate("ids => Promise.all(ids.map(productIdentifier => onside.purchase({ productIdentifier })))", [CONSUMABLE, NON_CONSUMABLE, CONSUMABLE])
    wait_for_state(page, "purchased", 3)
    bought = page.evaluate("""seen.filter(e => e.name === 'onTransactionsUpdated').flatMap(e => e.value)
      .filter(t => t.transactionState === 'purchased').map(t => t.payment.product.productIdentifier)""")
    assert bought == [CONSUMABLE, NON_CONSUMABLE, CONSUMABLE]


def test_a_restore_delivers_lasting_purchases_and_then_finishes(auto_shop, page):
    open_shop(page, auto_shop)
    buy(page, CONSUMABLE)
    buy(page, NON_CONSUMABLE)
    wait_for_state(page, "purchased", 2)
    for transaction in page.evaluate("onside.getTransactions()"):
        page.evaluate("id => onside.finishTransaction(id)", transaction["id"])
    wait_for(page, "onTransactionsRemoved", 2)
    page.evaluate("seen.length = 0")
    assert page.evaluate("onside.restoreCompletedTransactions().then(v => v === undefined)")
    wait_for(page, "onRestoreCompletedTransactionsFinished")
    assert names(page) == ["onTransactionsUpdated", "onRestoreCompletedTransactionsFinished"]
    restored = page.evaluate("seen[0].value")
    assert [(t["transactionState"], t["payment"]["product"]["productIdentifier"]) for t in restored] == [("restored", NON_CONSUMABLE)]


def test_should_continue_transaction_can_cancel_and_agrees_by_default(auto_shop, page):
    open_shop(page, auto_shop)
    page.evaluate("""() => { window.asked = []; onside.shouldContinueTransaction = async function (input) {
      asked.push([this === onside, Object.keys(input).sort(), input.storefront.countryCode]); return false; }; }""")
    buy(page)
    wait_for_state(page, "failed")
    assert page.evaluate("asked") == [[True, ["storefront", "transaction"], "NL"]]
    for handler in ("() => 'no boolean'", "() => { throw new Error('in the handler'); }", "() => Promise.reject(new Error('later'))", "undefined"):
        page.evaluate(f"() => {{ seen.length = 0; onside.shouldContinueTransaction = {handler}; }}")
        buy(page)
        wait_for_state(page, "purchased")
    page.evaluate("""() => { seen.length = 0;
      Object.defineProperty(onside, "shouldContinueTransaction", { get() { throw new Error("in the accessor"); }, configurable: true }); }""")
    buy(page)
    wait_for_state(page, "purchased")


def test_a_page_that_closes_while_it_is_asked_agrees(auto_shop, page):
    open_shop(page, auto_shop)
    page.evaluate("() => { onside.shouldContinueTransaction = () => { window.asked = true; return new Promise(() => {}); }; }")
    buy(page)
    page.wait_for_function("window.asked")
    page.reload()
    wait_for_promise(page, """() => onside.getTransactions()
      .then(list => list.length === 1 && list[0].transactionState === 'purchased')""")


def test_the_payment_methods_sheet_opens_and_closes(shop, page):
    page.goto(shop.url)
    page.evaluate("() => { window.managed = onside.presentPaymentMethodsManager().then(v => v === undefined, e => e); }")
    page.get_by_role("dialog", name=re.compile("sign in", re.I)).get_by_role("button", name="Sign in").click()
    sheet = page.get_by_role("dialog", name=re.compile("payment", re.I))
    expect(sheet).to_contain_text("Visa")
    sheet.get_by_role("button").last.click()
    assert page.evaluate("managed") is True


@pytest.mark.parametrize("call", ["requestLogin()", "presentPaymentMethodsManager()", "restoreCompletedTransactions()",
                                  f"purchase({{ productIdentifier: '{CONSUMABLE}' }})"])
def test_a_dismissed_login_rejects_the_call_that_needed_it(shop, page, call):
    open_shop(page, shop)
    page.evaluate(f"() => {{ window.result = onside.{call}.then(() => 'resolved', e => e); }}")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert page.evaluate("result") == {"loginDiscarded": {}}


def test_local_login_methods_hide_the_federated_ones(shop, page):
    page.goto(shop.url)
    page.evaluate("() => { onside.setShouldForceLocalLoginMethods(true); onside.requestLogin().catch(() => {}); }")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("SMS")
    expect(dialog).not_to_contain_text("Google")


@pytest.mark.parametrize("theme, browser_scheme, dark", [("dark", "light", True), ("light", "dark", False), ("system", "dark", True), ("system", "light", False)])
def test_sheets_follow_the_appearance(shop, new_context, theme, browser_scheme, dark):
    page = new_context(color_scheme=browser_scheme).new_page()
    page.goto(shop.url)
    page.evaluate("theme => { onside.setAppearance(theme); onside.requestLogin().catch(() => {}); }", theme)
    heading = page.get_by_role("dialog").get_by_role("heading").first
    expect(heading).to_be_visible()
    red, green, blue = map(int, re.findall(r"\d+", heading.evaluate("e => getComputedStyle(e).color"))[:3])
    assert (red + green + blue > 382) is dark


def test_sheets_work_under_a_strict_content_security_policy(shop_root, catalog, page):
    (shop_root / "strict.html").write_text(
        "<!doctype html><meta http-equiv='Content-Security-Policy' content=\"default-src 'none'; script-src 'self'; connect-src 'self'\"><title>Strict</title>"
    )
    with serve("--root", shop_root, "--catalog", catalog) as server:
        page.goto(server.url + "/strict.html")
        page.evaluate("() => { window.login = onside.requestLogin().catch(e => e); }")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        assert dialog.evaluate("e => getComputedStyle(e).borderRadius !== '0px' || getComputedStyle(e.firstElementChild).borderRadius !== '0px'")
        page.keyboard.press("Escape")
        assert page.evaluate("login") == {"loginDiscarded": {}}


def test_focus_stays_in_the_sheet_and_returns_to_where_it_was(shop, page):
    page.goto(shop.url)
    page.get_by_role("button", name="Something to focus").focus()
    page.evaluate("() => { onside.requestLogin().catch(() => {}); }")
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(12):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.tagName") != "BUTTON"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.textContent") == "Something to focus"


def _assert_signs_in_after(shop, page, code):
    """Checks that a person can still use an open login sheet after the page has run this script."""
    page.goto(shop.url)
    page.evaluate("() => { window.login = onside.requestLogin().then(() => 'in', e => e); }")
    sheet = page.get_by_role("dialog", name=re.compile("sign in", re.I))
    expect(sheet).to_be_visible()
    page.evaluate(code)
    sheet.get_by_role("button", name="Sign in").click()
    assert page.evaluate("login") == "in"


@pytest.mark.parametrize("code", [
    "() => { document.body.innerHTML = '<dialog>Please wait <button>Stop</button></dialog>'; document.querySelector('dialog').showModal(); }",
    pytest.param("""() => {
      const root = document.body.appendChild(document.createElement("div")).attachShadow({ mode: "closed" });
      root.innerHTML = "<dialog>Please wait</dialog>";
      root.firstElementChild.showModal();
    }""", marks=only(CHROMIUM, FIREFOX, because="a modal dialog in a closed shadow tree stays above the sheet")),
], ids=["in the document", "in a shadow tree"])
def test_a_sheet_stays_in_front_of_a_modal_dialog_that_the_page_opens(shop, page, code):
    _assert_signs_in_after(shop, page, code)


@pytest.mark.parametrize("code", [
    "() => document.documentElement.replaceChildren(document.createElement('body'))",
    "() => document.documentElement.replaceWith(document.createElement('html'))",
    "() => { document.open(); document.write('<h1>New</h1>'); document.close(); }",
])
def test_a_sheet_stays_when_the_page_replaces_its_document(shop, page, code):
    _assert_signs_in_after(shop, page, code)


def test_attribution_has_the_campaign_of_the_first_visit(auto_shop, new_context):
    page = new_context().new_page()
    page.goto(auto_shop.url + "/?utm_source=letter&utm_campaign=spring")
    assert page.evaluate("onside.getAttributionMetadata()")["refererUrl"].endswith("/?utm_source=letter&utm_campaign=spring")
    page.goto(auto_shop.url + "/?utm_source=other")
    assert "letter" in page.evaluate("onside.getAttributionMetadata()")["refererUrl"]
    organic = new_context().new_page()
    organic.goto(auto_shop.url)
    assert organic.evaluate("onside.getAttributionMetadata()") == {}


def test_attribution_has_the_url_of_the_page_at_its_site(configured, new_context):
    server = configured("siteOrigin: https://shop.example/")
    page = new_context().new_page()
    page.goto(server.url + "/?utm_source=letter#top")
    assert page.evaluate("onside.getAttributionMetadata()") == {"refererUrl": "https://shop.example/?utm_source=letter#top"}
    # A page of the site itself is no referrer.
    organic = new_context().new_page()
    organic.route(server.url + "/before", lambda route: route.fulfill(content_type="text/html", body="<a href='/'>Shop</a>"))
    organic.goto(server.url + "/before")
    organic.get_by_role("link").click()
    organic.wait_for_url(server.url + "/")
    assert organic.evaluate("document.referrer") == server.url + "/before"
    assert organic.evaluate("onside.getAttributionMetadata()") == {}


def test_the_signed_history_requires_a_signed_in_account(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("onside.getSignedInAppsHistory().catch(e => e)") == {"notLoggedIn": {}}


# The settings of footbridge.yaml.

ACCOUNTS = """
onside:
  systemRegion: DE
  accounts:
    - { id: eva, name: Eva, email: eva@example.com, country: ES }
  products:
    com.product.example.consumable:
      countries:
        DE: { price: "9.99" }
        ES: { price: "10.99" }
    com.product.example.non_consumable:
      countries:
        ES: { available: false }
"""


def test_the_region_is_the_accounts_else_the_assumption_else_the_systems(configured, page):
    server = configured(ACCOUNTS)
    page.goto(server.url)

    def price():
        response = page.evaluate("ids => onside.loadProducts({ productIdentifiers: ids })", [CONSUMABLE, NON_CONSUMABLE])
        return response["products"][0]["price"], response["invalidProductIdentifiers"]

    assert price() == ({"value": 9.99, "currencyCode": "EUR"}, [])
    page.evaluate("onside.setDefaultCountryCodeAssumption('US')")
    assert price() == ({"value": 0.99, "currencyCode": "USD"}, [])
    page.evaluate("onside.setDefaultCountryCodeAssumption('')")
    assert price()[0]["value"] == 9.99
    page.evaluate("onside.requestLogin()")
    assert price() == ({"value": 10.99, "currencyCode": "EUR"}, [NON_CONSUMABLE])


def test_a_price_that_changed_at_login_is_charged_only_after_a_sheet_that_says_so(configured, page):
    server = configured(ACCOUNTS, present="page")
    open_shop(page, server)
    page.evaluate("id => { onside.purchase({ productIdentifier: id }); }", CONSUMABLE)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    sheet = page.get_by_role("dialog", name=re.compile("price", re.I))
    expect(sheet).to_contain_text("9.99")
    expect(sheet).to_contain_text("10.99")
    sheet.get_by_role("button", name="Cancel").click()
    wait_for_state(page, "failed")
    buy(page)
    # One sheet asks for the new price and for the payment.
    page.get_by_role("dialog", name=re.compile("price", re.I)).get_by_role("button", name="Continue at €10.99").click()
    wait_for_state(page, "purchased")


def test_a_product_not_sold_in_the_accounts_country_shows_the_unavailable_sheet(configured, page):
    server = configured(ACCOUNTS, present="page")
    open_shop(page, server)
    page.evaluate("id => { onside.purchase({ productIdentifier: id }); }", NON_CONSUMABLE)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    sheet = page.get_by_role("dialog", name=re.compile("not available|unavailable", re.I))
    sheet.get_by_role("button").last.click()
    wait_for_state(page, "failed")


def test_ask_to_buy_stays_purchasing(configured, page):
    server = configured("onside: { settings: { askToBuy: true } }")
    open_shop(page, server)
    buy(page)
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    wait_for_transaction(control, page, session, "approval")
    [transaction] = page.evaluate("onside.getTransactions()")
    assert transaction["transactionState"] == "purchasing"
    page.evaluate("id => onside.finishTransaction(id)", transaction["id"])
    assert len(page.evaluate("onside.getTransactions()")) == 1


def test_an_error_that_is_set_once_is_returned_once(configured, page):
    server = configured("onside: { calls: { loadProducts: { error: connectionError, once: true, delay: 20 } } }")
    page.goto(server.url)
    load = "onside.loadProducts({ productIdentifiers: [] }).then(r => Object.keys(r).length, e => e)"
    assert page.evaluate(load) == {"connectionError": {}}
    assert page.evaluate(load) == 2


CALLS = {
    "requestLogin": ("onside.requestLogin()", ["loginDiscarded"]),
    "loadProducts": ("onside.loadProducts({ productIdentifiers: [] })",
                     ["cancelled", "connectionError", "appNotRegistered", "invalidProductIdentifier", "serviceUnavailable", "internalError"]),
    "getSignedInAppsHistory": ("onside.getSignedInAppsHistory()",
                               ["notLoggedIn", "notSupportedInLocalTesting", "cancelled", "connectionError", "appNotRegistered",
                                "serviceUnavailable", "internalError"]),
    "presentPaymentMethodsManager": ("onside.presentPaymentMethodsManager()", ["loginDiscarded", "notSupportedInLocalTesting"]),
    "restoreCompletedTransactions": ("onside.restoreCompletedTransactions()", ["loginDiscarded"]),
    "getAttributionMetadata": ("onside.getAttributionMetadata()", ["connectionError", "appNotRegistered", "serviceUnavailable", "internalError"]),
    "purchase": (f"onside.purchase({{ productIdentifier: '{CONSUMABLE}' }})", ["unknownProduct", "loginDiscarded"]),
    "finishTransaction": ("onside.finishTransaction('x')", ["unknownTransaction"]),
}


@pytest.mark.parametrize("call, error", [(call, error) for call, (_, errors) in CALLS.items() for error in errors])
def test_every_error_of_every_call_can_be_produced(configured, page, call, error):
    server = configured(json.dumps({"onside": {"calls": {call: {"error": error}}}}))
    page.goto(server.url)
    assert page.evaluate(CALLS[call][0] + ".then(() => 'resolved', e => e)") == {error: {}}


@pytest.mark.parametrize("error", ["cancelled", "connectionError", "appNotRegistered", "serviceUnavailable", "internalError"])
def test_every_error_of_a_restore_can_be_produced(configured, page, error):
    server = configured(json.dumps({"onside": {"calls": {"restore": {"error": error}}}}))
    page.goto(server.url)
    assert page.evaluate("onside.restoreCompletedTransactions().then(v => v === undefined)")
    wait_for(page, "onRestoreCompletedTransactionsFailedWithError")
    assert page.evaluate("seen.at(-1).value") == {error: {}}
    assert "onRestoreCompletedTransactionsFinished" not in names(page)


def test_a_failed_payment_carries_its_error(configured, page):
    server = configured("onside: { settings: { failTransactions: true } }")
    open_shop(page, server)
    buy(page)
    wait_for_state(page, "failed")
    assert page.evaluate("onside.getTransactions()")[0]["error"] == {"cancelled": {}}


def test_local_testing_refuses_what_the_contract_names(configured, page):
    server = configured("onside: { settings: { localTesting: true } }")
    page.goto(server.url)
    page.evaluate("onside.requestLogin()")
    assert page.evaluate("onside.presentPaymentMethodsManager().catch(e => e)") == {"notSupportedInLocalTesting": {}}
    assert page.evaluate("onside.getSignedInAppsHistory().catch(e => e)") == {"notSupportedInLocalTesting": {}}


def test_truncated_and_dropped_parts_of_an_event_are_logged(configured, page):
    server = configured()
    page.goto(server.url)
    page.evaluate("onside.trackEvent({ name: 'onside_own', parameters: {} })")
    server.wait_for_log("warning", "onside_own", "reserved")
    page.evaluate("onside.trackEvent({ name: 'seen', parameters: { 'not a key': 1, long: 'x'.repeat(101) } })")
    server.wait_for_log("warning", "seen", "not a key", "malformed")
    server.wait_for_log("warning", "seen", "long", "tooLong")


# Contract 1.3.


@pytest.fixture
def newest(configured):
    return configured("onsideContract: '1.3'")


def test_1_3_functions_are_undefined_until_initialised_and_then_return_promises(newest, page):
    page.goto(newest.url)
    assert page.evaluate("names => names.filter(name => onside[name] !== undefined)", FUNCTIONS) == ["initializeOnside"]
    assert page.evaluate("onside.initializeOnside('v2').catch(e => [e.name, e.code])") == ["PontoonBridgeError", "invalidArguments"]
    page.evaluate("onside.initializeOnside('v1').then(() => onside.initializeOnside('v1'))")
    assert page.evaluate("names => names.every(name => typeof onside[name] === 'function')", FUNCTIONS)
    assert page.evaluate("""names => names.every(name => {
      const result = onside[name](); result.catch?.(() => {}); return result instanceof Promise; })""", SYNCHRONOUS)


def test_1_3_buys_without_asking_should_continue_transaction_in_the_same_storefront(newest, page):
    open_shop(page, newest)
    page.evaluate("onside.requestLogin()")
    page.evaluate("() => { window.asked = 0; onside.shouldContinueTransaction = () => { asked += 1; return false; }; }")
    buy(page)
    wait_for_state(page, "purchased")
    assert page.evaluate("asked") == 0


@pytest.mark.parametrize("answer, outcome", [("false", {"rejectedAfterLogin": {}}), ("true", "resolved"), ("'no boolean'", "resolved")])
def test_1_3_asks_after_the_login_that_a_purchase_needed(newest, page, answer, outcome):
    open_shop(page, newest)
    page.evaluate(f"""() => {{ onside.shouldContinueTransactionAfterLogin = input => {{ window.asked = Object.keys(input); return {answer}; }}; }}""")
    assert page.evaluate(f"onside.purchase({{ productIdentifier: '{CONSUMABLE}' }}).then(() => 'resolved', e => e)") == outcome
    assert page.evaluate("asked") == ["transaction"]
    if outcome == "resolved":
        wait_for_state(page, "purchased")
    else:
        assert page.evaluate("onside.getTransactions()") == []


@pytest.mark.parametrize("call, error", [("purchase", "rejectedAfterLogin"), ("presentPaymentMethodsManager", "presentationFailed")])
def test_1_3_errors_can_be_produced(configured, page, call, error):
    server = configured(json.dumps({"onsideContract": "1.3", "onside": {"calls": {call: {"error": error}}}}))
    open_shop(page, server)
    assert page.evaluate(CALLS[call][0] + ".then(() => 'resolved', e => e)") == {error: {}}


def test_1_3_a_payment_sheet_that_cannot_be_shown_fails_the_transaction(configured, page):
    server = configured(json.dumps({"onsideContract": "1.3", "onside": {"calls": {"payment": {"error": "presentationFailed"}}}}))
    open_shop(page, server)
    buy(page)
    wait_for_state(page, "failed")
    assert page.evaluate("onside.getTransactions()")[0]["error"] == {"presentationFailed": {}}


@pytest.mark.parametrize("code", ["bridgeDetached", "brokenRequest", "disallowedFrame", "functionNotDefined", "invalidArguments",
                                  "parametersNotRepresentable", "cannotSerializeResponse"])
def test_1_3_every_bridge_error_can_be_produced(configured, page, code):
    server = configured(json.dumps({"onsideContract": "1.3", "onside": {"calls": {"getTransactions": {"error": "bridge." + code}}}}))
    page.goto(server.url)
    page.evaluate("onside.initializeOnside('v1')")
    assert page.evaluate("onside.getTransactions().catch(e => [e instanceof Error, e.name, e.code])") == [True, "PontoonBridgeError", code]


def test_a_failed_initialisation_rejects_with_its_reason(configured, page):
    server = configured(json.dumps({"onsideContract": "1.3", "onside": {"calls": {"initializeOnside": {"error": "reason"}}}}))
    page.goto(server.url)
    assert list(page.evaluate("onside.initializeOnside('v1').catch(e => e)")) == ["reason"]
