"""The panes of the dashboard in Chromium: what a person does in each, and what the page of the site hears of it."""

import base64
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser_profiles import profiles
from dashboard_tabs import open_dashboard, serving
from footbridge_process import FIXTURES
from promises import wait_for_promise

CATALOG = FIXTURES / "storehelper-sample.storekit"
FLOWERS = "com.rarcher.nonconsumable.flowers.large"
PLANT = "com.rarcher.consumable.plant.installation"
GOLD = "com.rarcher.subscription.vip.gold"

CONFIGURATION = """
onside:
  accounts:
    - { id: eva, name: Eva, email: eva@example.com, country: ES }
    - { id: max, name: Max, email: max@example.com, country: DE }
  products:
    %s: { countries: { US: { available: false } } }
bridges:
  acme:
    channels: { acme: { reply: true } }
    name: /type
    answers: { login: { reply: { token: abc } } }
    handler: { run: [python3, handler.py] }
scenarios:
  offline: [{ on: onside.loadProducts, times: always, then: { error: connectionError } }]
""" % PLANT

#: Answers the message `pay` with what the person has said to its screen.
HANDLER = """
import json, sys

def say(**members):
    print(json.dumps(members), flush=True)

asked = None
for line in sys.stdin:
    message = json.loads(line)
    if message.get("name") == "pay":
        asked = message["message"]
        say(sheet=1, session=message["session"], title="Confirm", text="Pay 5 EUR?", buttons=["Pay", {"name": "no", "label": "Not now", "cancel": True}], fields=[
            {"name": "pin", "label": "PIN", "type": "password", "required": True}, {"name": "keep", "type": "checkbox"},
            {"name": "card", "type": "choice", "options": ["visa", {"value": "mc", "label": "Mastercard"}]}])
    elif "sheet" in message:
        say(message=asked, reply={name: message[name] for name in ("approved", "fields") if name in message})
"""

#: The page of the site, which tells what it hears.
PAGE = """<!doctype html><html lang="en"><head><title>Shop</title><script>
window.seen = [];
window.inbox = [];
window.app = { double: (number) => 2 * number };
onside.onTransactionsUpdated = (transactions) => { seen.push(...transactions.map(({ transactionState }) => transactionState)); };
addEventListener("gbgbridge:message", (event) => inbox.push(event.detail.payload));
const post = (type, action, data, correlationId) => webkit.messageHandlers.gbgBridge.postMessage(
  { version: "1.0", correlationId, type, timestamp: Date.now(), payload: { action, data } });
</script></head><body><h1>Shop</h1></body></html>"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("panes")
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(PAGE)
    (folder / "footbridge.yaml").write_text(CONFIGURATION)
    (folder / "handler.py").write_text(HANDLER)
    with serving("--root", folder / "site", "--catalog", CATALOG, "--config", folder / "footbridge.yaml", "--site-origin", "https://today.example", "--ephemeral") as server:
        yield server


def visit(server, context, pane):
    """A page of the site in a session of its own, whose dashboard is open at a pane."""
    session = server.api.session(name="coins", account="eva")
    server.api.enter(context, session)
    page = context.new_page()
    page.goto(server.url)
    page.path = f"/sessions/{session['id']}"
    page.tab = open_dashboard(context, server, f"{page.path}/{pane}")
    page.pane = page.tab.locator(f"#pane-{pane}")
    page.pane.locator(".part").first.wait_for()
    return page


@pytest.fixture
def open_pane(server, new_context):
    return lambda pane: visit(server, new_context(permissions=["clipboard-read", "clipboard-write"]), pane)


def part(page, name):
    return page.pane.get_by_role("region", name=name, exact=True)


def field(page, key):
    return page.pane.locator(f'[data-key="{key}"]')


# Store


def test_the_store_pane_shows_products_of_a_country_and_refunds_an_order(server, open_pane):
    page = open_pane("store")
    products = page.pane.locator(".part", has_text="Products in")
    expect(products).to_contain_text("Products in ES")
    expect(products.locator(".row", has_text=FLOWERS)).to_contain_text("EUR")
    page.pane.get_by_label("Country").fill("us")
    page.pane.get_by_role("button", name="Show").click()
    expect(products).to_contain_text("Products in US")
    expect(products.locator(".row", has_text=PLANT)).to_contain_text("not sold here")
    expect(products.locator(".row", has_text=FLOWERS)).to_contain_text("USD")
    page.pane.get_by_label("Country").fill("QX")
    page.pane.get_by_role("button", name="Show").click()
    expect(page.tab.locator(".said")).to_contain_text("country must be an ISO 3166 country code")
    field(page, "product").select_option(FLOWERS)
    page.pane.get_by_role("button", name="Add", exact=True).click()
    order = part(page, "Orders").locator(".row", has_text=FLOWERS)
    expect(order).to_have_count(1)
    restore = """() => new Promise((resolve) => {
      onside.onRestoreCompletedTransactionsFinished = resolve;
      onside.restoreCompletedTransactions();
    })"""
    page.evaluate(restore)
    assert page.evaluate("seen") == ["restored"]
    page.evaluate("async () => { for (const { id } of await onside.getTransactions()) await onside.finishTransaction(id); seen.length = 0; }")
    order.get_by_role("button", name="Refund").click()
    expect(order).to_contain_text("refunded")
    page.evaluate(restore)
    assert page.evaluate("seen") == []


def test_a_button_works_although_the_pane_is_updated_while_it_is_pressed(server, open_pane):
    page = open_pane("store")
    page.pane.get_by_label("Country").fill("us")
    page.pane.get_by_role("button", name="Show").hover()
    page.tab.mouse.down()
    server.api("POST", f"{page.path}/purchases", {"product": FLOWERS})
    expect(page.tab.get_by_role("tree", name="Journal")).to_contain_text(FLOWERS)
    page.tab.mouse.up()
    expect(page.pane.locator(".part", has_text="Products in")).to_contain_text("Products in US")
    expect(part(page, "Orders")).to_contain_text(FLOWERS)


def test_typed_text_is_retained_when_a_pane_is_loaded_again(server, open_pane):
    page = open_pane("rules")
    action = field(page, "rule on")
    expect(action).to_be_visible()
    waiting = []
    page.tab.route("**/rules", lambda route: waiting.append(route))
    with page.tab.expect_request("**/rules"):
        server.api("POST", f"{page.path}/rules", {"on": "onside.logout", "then": {"gate": "door"}})
    action.press_sequentially("onside.")
    with page.tab.expect_response("**/rules"):
        waiting.pop().continue_()
    # What is loaded together has come, too, once an answer to another request has.
    page.tab.evaluate("fetch('/').then((answer) => answer.text())")
    expect(action).to_be_focused()
    page.tab.keyboard.type("purchase")
    expect(action).to_have_value("onside.purchase")


def test_a_pane_that_could_not_be_loaded_is_loaded_again_although_no_entry_comes(server, open_pane):
    page = open_pane("store")
    is_away = [True]
    page.tab.route("**/purchases", lambda route: (
        route.fulfill(status=503, content_type="application/problem+json", body='{"detail": "Not now."}') if is_away else route.continue_()
    ))
    server.api("POST", f"{page.path}/purchases", {"product": FLOWERS})
    expect(page.pane.get_by_role("alert")).to_contain_text("Not now.")
    is_away.clear()
    expect(part(page, "Orders")).to_contain_text(FLOWERS)


def test_a_subscription_renews_lapses_and_is_cancelled_in_the_store(server, open_pane):
    page = open_pane("store")
    field(page, "product").select_option(GOLD)
    page.pane.get_by_role("button", name="Add", exact=True).click()
    orders = part(page, "Orders").locator(".row")
    expect(orders).to_have_count(1)
    expect(orders.first).to_contain_text("renews")
    orders.first.get_by_role("button", name="Renew").click()
    expect(orders).to_have_count(2)
    expect(orders.first).to_contain_text("renewal")
    expect(orders.first.get_by_role("button", name="Renew")).to_be_focused()
    orders.first.get_by_role("button", name="Cancel").click()
    expect(orders.first).to_contain_text("ends with its period")
    orders.first.get_by_role("button", name="Resume").click()
    expect(orders.first).not_to_contain_text("ends with its period")
    field(page, "price").fill("29.5")
    page.pane.get_by_role("button", name="Ask for consent").click()
    expect(orders.first).to_contain_text("renews at 29.5 EUR with consent")
    orders.first.get_by_role("button", name="Consent").click()
    expect(orders.first.get_by_role("button", name="Consent")).to_have_count(0)
    expect(orders.first).to_contain_text("renews at 29.5 EUR")
    orders.first.get_by_role("button", name="Expire").click()
    expect(orders.first.get_by_role("button", name="Expire")).to_have_count(0)
    expect(orders.first).to_contain_text("expired")
    expect(orders.last).not_to_contain_text("expired")
    assert server.api("GET", page.path + "/purchases")["subscriptions"] == []


def test_orders_are_deleted_one_by_one_and_all_at_once(server, open_pane):
    page = open_pane("store")
    field(page, "product").select_option(FLOWERS)
    orders = part(page, "Orders").locator(".row")
    for count in (1, 2, 3):
        page.pane.get_by_role("button", name="Add", exact=True).click()
        expect(orders).to_have_count(count)
    orders.first.get_by_role("button", name="Delete").click()
    expect(orders).to_have_count(2)
    page.pane.get_by_role("button", name="Delete all orders").click()
    expect(orders).to_have_count(0)
    assert server.api("GET", page.path + "/purchases")["purchases"] == []


def test_the_settings_are_again_those_of_the_configuration(server, open_pane):
    page = open_pane("settings")
    usual = server.api("GET", page.path + "/settings")
    page.pane.get_by_label("askToBuyEnabled").check()
    expect(page.pane.get_by_label("askToBuyEnabled")).to_be_checked()
    page.pane.get_by_role("button", name="As in the configuration").click()
    expect(page.pane.get_by_label("askToBuyEnabled")).not_to_be_checked()
    assert server.api("GET", page.path + "/settings") == usual


def test_every_setting_of_the_store_has_a_control(server, open_pane):
    page = open_pane("settings")
    settings = server.api("GET", page.path + "/settings")
    controls = {"device": "storefront", "restore": None}
    keys = {element.get_attribute("data-key") for element in page.pane.locator("[data-key]").all()}
    shown = {controls.get(key, key) for key in keys}
    assert [name for name in settings if name not in shown and name != "calls"] == []
    assert {f"{call} delay" for call in settings["calls"]} <= keys


def test_a_field_that_is_changed_twice_has_the_last_value(server, open_pane):
    page = open_pane("settings")
    held = []

    def hold_first(route):
        if route.request.method == "PATCH" and not held:
            held.append(route)
        else:
            route.continue_()

    page.tab.route("**/settings", hold_first)
    field(page, "gracePeriodSeconds").fill("90")
    field(page, "gracePeriodSeconds").press("Enter")
    wait_until(page, lambda: held)
    field(page, "gracePeriodSeconds").fill("80")
    field(page, "gracePeriodSeconds").press("Enter")
    held[0].continue_()
    wait_until(page, lambda: server.api("GET", page.path + "/settings")["gracePeriodSeconds"] == 80)


def test_lengths_of_the_grace_period_and_of_billing_retry_are_set_and_cleared(server, open_pane):
    page = open_pane("settings")
    for name in ("gracePeriodSeconds", "billingRetrySeconds"):
        for given, stored in [("90", 90), ("", None)]:
            field(page, name).fill(given)
            field(page, name).press("Enter")
            wait_until(page, lambda: server.api("GET", page.path + "/settings")[name] == stored)
    field(page, "gracePeriodSeconds").fill("soon")
    field(page, "gracePeriodSeconds").press("Enter")
    expect(page.tab.locator(".said")).to_contain_text("give a whole number")


def test_a_price_increase_is_answered_by_the_buttons_of_its_sheet(server, open_pane):
    page = open_pane("store")
    server.api("POST", page.path + "/purchases", {"product": GOLD})
    [order] = server.api("GET", page.path + "/purchases")["purchases"]
    server.api("POST", f"{page.path}/purchases/{order['id']}/price-increase", {"price": 29.99})
    card = page.tab.get_by_role("region", name="Needs you").locator(".card")
    expect(card).to_contain_text("19.99 EUR")
    expect(card.get_by_role("button", name="Decline")).to_be_visible()
    card.get_by_role("button", name="Continue at 29.99 EUR").click()
    expect(card).to_have_count(0)
    [subscription] = server.api("GET", page.path + "/purchases")["subscriptions"]
    assert subscription["priceIncrease"]["status"] == "agreed"


def test_an_unfinished_transaction_is_added_approved_and_deleted(server, open_pane):
    page = open_pane("store")
    field(page, "what").select_option("approval")
    field(page, "product").select_option(PLANT)
    page.pane.get_by_role("button", name="Add", exact=True).click()
    transaction = part(page, "Unfinished transactions").locator(".row")
    expect(transaction).to_contain_text("waits for approval")
    transaction.get_by_role("button", name="Approve").click()
    expect(transaction).to_contain_text("purchased")
    page.wait_for_function("seen.at(-1) === 'purchased'")
    transaction.get_by_role("button", name="Delete").click()
    expect(transaction).to_have_count(0)


# Settings


def test_with_ask_to_buy_switched_on_the_next_purchase_asks(server, open_pane):
    page = open_pane("settings")
    page.pane.get_by_label("disableDialogs").check()
    page.pane.get_by_label("askToBuyEnabled").check()
    wait_for_settings(server, page, askToBuy=True, disableDialogs=True)
    page.evaluate("product => onside.loadProducts({ productIdentifiers: [product] }).then(() => onside.purchase({ productIdentifier: product }))", PLANT)
    card = page.tab.locator("needs-view .card", has_text="ask to buy")
    card.get_by_role("button", name="Approve").click()
    page.wait_for_function("seen.includes('purchased')")


def test_a_call_fails_with_the_error_that_was_set_and_then_as_usual(server, open_pane):
    page = open_pane("settings")
    page.pane.get_by_label("Error of loadProducts").select_option("connectionError")
    page.pane.get_by_role("button", name="loadProducts as usual").wait_for(state="attached")
    load = "() => onside.loadProducts({ productIdentifiers: [] }).then(() => 'loaded', Object.keys)"
    assert wait_for_promise(page, load) == ["connectionError"]
    page.pane.get_by_role("button", name="loadProducts as usual").click()
    expect(page.pane.get_by_label("Error of loadProducts")).to_have_value("")
    assert wait_for_promise(page, load) == "loaded"
    field(page, "account").select_option("max")
    field(page, "present").select_option("auto")
    expect(page.tab.locator("session-header .who")).to_have_text("max · DE")
    field(page, "timeRate").select_option("oneSecondIsOneDay")
    wait_for_settings(server, page, timeRate=6)
    assert server.api("GET", page.path)["present"] == "auto"


def test_payments_fail_with_the_error_that_was_chosen(server, open_pane):
    page = open_pane("settings")
    failure = page.pane.get_by_label("failureError")
    expect(failure).to_be_disabled()
    # The contract of the session has one error only.
    expect(failure.locator("option")).to_have_text(["cancelled"])
    server.api("PATCH", page.path, {"onsideContract": "1.3"})
    page.pane.get_by_label("failTransactionsEnabled").check()
    expect(failure.locator("option")).to_have_text(["cancelled", "presentationFailed"])
    failure.select_option("presentationFailed")
    wait_for_settings(server, page, failTransactions=True, calls=behaving("payment", error="presentationFailed"))
    page.pane.get_by_label("failTransactionsEnabled").uncheck()
    expect(failure).to_be_disabled()
    expect(failure).to_have_value("cancelled")
    wait_for_settings(server, page, failTransactions=False, calls={})


def test_settings_are_sent_in_order_although_an_earlier_one_is_slow(server, open_pane):
    page = open_pane("settings")
    server.api("PATCH", page.path, {"onsideContract": "1.3"})
    page.pane.get_by_label("failTransactionsEnabled").check()
    expect(page.pane.get_by_label("failureError")).to_be_enabled()
    held = []
    page.tab.route("**/settings", lambda route: held.append(route) if route.request.method == "PATCH" and not held else route.continue_())
    page.pane.get_by_label("failureError").select_option("presentationFailed")
    wait_until(page, lambda: held)
    page.pane.get_by_label("failTransactionsEnabled").uncheck()
    held[0].continue_()
    wait_for_settings(server, page, failTransactions=False, calls={})
    expect(page.pane.get_by_label("failureError")).to_be_disabled()
    expect(page.pane.get_by_label("failureError")).to_have_value("cancelled")


def test_a_call_retains_its_delay_when_its_error_is_chosen_at_once(server, open_pane):
    page = open_pane("settings")
    # From field to field, so the pane is not loaded again in between.
    page.pane.get_by_label("Delay of loadProducts in milliseconds").fill("500")
    page.tab.keyboard.press("Tab")
    expect(page.pane.get_by_label("Error of loadProducts")).to_be_focused()
    page.pane.get_by_label("Error of loadProducts").select_option("connectionError")
    wait_for_settings(server, page, calls=behaving("loadProducts", delay=500, error="connectionError"))


def behaving(call, **behaviour):
    return {call: {"delay": 0, "error": None, "once": False, **behaviour}}


def wait_for_settings(server, page, **wanted):
    """Waits until the session has these settings."""

    def settings():
        known = server.api("GET", page.path + "/settings")
        return {name: known[name] for name in wanted}

    wait_until(page, lambda: settings() == wanted, settings)


def wait_until(page, condition, explain=lambda: ""):
    """Waits until a condition of the server holds, while Playwright handles what the page does."""
    for _ in range(3000):
        if condition():
            return
        page.tab.evaluate("new Promise(requestAnimationFrame)")
    raise AssertionError(explain())


# Rules


def test_a_rule_made_from_a_row_decides_the_next_call_and_is_copied(server, open_pane):
    page = open_pane("rules")
    load = "product => onside.loadProducts({ productIdentifiers: [product] }).then(() => 'loaded', Object.keys)"
    assert wait_for_promise(page, load, FLOWERS) == "loaded"
    page.tab.locator(".entry", has_text="onside.loadProducts").first.click()
    page.tab.get_by_role("button", name="Make rule…").click()
    expect(page.pane.get_by_label("On", exact=True)).to_have_value("onside.loadProducts")
    value = page.pane.get_by_label("Value of the outcome")
    expect(value).to_be_focused()
    # It is what has come of the call.
    expect(value).to_have_value(re.compile(FLOWERS))
    field(page, "rule end").select_option("error")
    value.focus()
    value.fill("connectionError")
    page.tab.keyboard.press("Enter")
    rule = part(page, "Rules").locator(".row")
    expect(rule).to_contain_text(FLOWERS)
    assert wait_for_promise(page, load, GOLD) == "loaded"
    assert wait_for_promise(page, load, FLOWERS) == ["connectionError"]
    expect(rule).to_have_count(0)
    part(page, "Make a rule").get_by_role("button", name="Copy pytest").click()
    copied = f'footbridge.when("onside.loadProducts", where={{"productIdentifiers": ["{FLOWERS}"]}}).fails("connectionError")\n'
    expect(page.tab.locator(".said")).to_contain_text("Copied.")
    assert page.tab.evaluate("navigator.clipboard.readText()") == copied


@pytest.mark.parametrize("row, made", [
    ("▤ payment", {"on": "footbridge.sheet.payment", "then": {"result": {"approved": False}}}),
    ("onside.onTransactionsUpdated", {
        "on": "onside.onTransactionsUpdated", "then": {"drop": True},
        "where": {"transactions": {"$contains": {"transactionState": "purchasing", "payment": {"product": {"productIdentifier": FLOWERS}}}}},
    }),
    ("◆ transaction", {"on": "onside.purchase", "where": {"productIdentifier": FLOWERS}, "then": {"error": "loginDiscarded"}}),
])
def test_every_row_offers_a_rule_about_its_call(server, open_pane, row, made):
    page = open_pane("rules")
    page.evaluate("product => onside.loadProducts({ productIdentifiers: [product] }).then(() => onside.purchase({ productIdentifier: product }))", FLOWERS)
    name, kind = row.split()[-1], {"▤": "sheetOpened", "◆": "store"}.get(row[0], "event")
    page.tab.get_by_label("Filter the log").fill(f"kind:{kind} action:{name}")
    page.tab.locator(".entry", has_text=name).first.click()
    page.tab.get_by_role("button", name="Make rule…").click()
    expect(page.pane.get_by_label("On", exact=True)).to_have_value(made["on"])
    if "error" in made["then"]:
        page.pane.get_by_label("Value of the outcome").fill(made["then"]["error"])
    page.pane.get_by_role("button", name="Make it").click()
    expect(part(page, "Rules").locator(".row")).to_have_count(1)
    [rule] = server.api("GET", page.path + "/rules")["rules"]
    assert {name: rule[name] for name in made} == made


def make_gate(page, action):
    """Makes a rule that holds the next call at the gate `door`, by the form."""
    page.pane.get_by_label("On", exact=True).fill(action)
    field(page, "rule end").select_option("gate")
    page.pane.get_by_label("Value of the outcome").fill("door")
    page.pane.get_by_role("button", name="Make it").click()
    expect(part(page, "Gates")).to_contain_text("nothing waits")


def test_the_form_suggests_the_actions_of_the_session_and_the_errors_of_the_chosen_one(server, open_pane):
    page = open_pane("rules")
    form = page.pane.get_by_role("form", name="Make a rule")
    suggested = form.locator("datalist#rule-actions option")
    for action in ("onside.purchase", "today.headers", "footbridge.sheet.capture", "footbridge.sheet.acme"):
        expect(suggested.locator(f'xpath=self::*[@value="{action}"]')).to_have_count(1)
    errors = form.locator("datalist#rule-errors option")
    expect(errors).to_have_count(0)
    field(page, "rule on").fill("onside.purchase")
    assert errors.evaluate_all("(all) => all.map(({ value }) => value)") == ["unknownProduct", "loginDiscarded"]
    field(page, "rule end").select_option("gate")
    expect(errors).to_have_count(0)


def test_gates_are_opened_and_scenarios_started(server, open_pane):
    page = open_pane("rules")
    make_gate(page, "onside.getTransactions")
    page.evaluate("() => { window.answer = onside.getTransactions(); }")
    expect(part(page, "Gates")).to_contain_text("onside.getTransactions on page-1")
    page.pane.get_by_role("button", name="Open the gate door").click()
    assert page.evaluate("answer") == []
    page.pane.get_by_role("button", name="Begin").click()
    expect(part(page, "Scenario")).to_contain_text("It runs offline.")
    assert wait_for_promise(page, "() => onside.loadProducts({ productIdentifiers: [] }).then(() => 0, Object.keys)") == ["connectionError"]
    part(page, "Rules").get_by_role("button", name="Remove all").click()
    expect(part(page, "Rules")).to_contain_text("No rule decides anything.")


# Today


def test_the_token_of_today_expires_and_fails_and_its_value_is_not_shown(server, open_pane):
    page = open_pane("today")
    token = part(page, "Token")
    refresh = """() => webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'refreshToken' })
      .then(({ authorization }) => authorization, (error) => error.message)"""
    token.get_by_role("button", name="Expire the token").click()
    expect(token.locator("dl")).to_contain_text("tokennone")
    assert wait_for_promise(page, refresh).startswith("Bearer ")
    expect(token.locator("dl")).to_contain_text("tokenthere is one")
    field(page, "failure").select_option("invalidGrant")
    token.get_by_role("button", name="Fail next").click()
    expect(token).to_contain_text("the next refresh fails")
    assert not wait_for_promise(page, refresh).startswith("Bearer ")
    bearer = wait_for_promise(page, refresh).removeprefix("Bearer ")
    token.get_by_role("button", name="Revoke the token").click()
    expect(token).to_contain_text("revoked")
    token.get_by_label("signed in to Today").uncheck()
    expect(token).to_contain_text("tokennone")
    expect(part(page, "Cookies in the jar")).to_be_visible()
    assert bearer not in page.tab.content()


# GBGBridge


def test_a_request_of_gbg_is_answered_by_hand_and_events_are_sent(server, open_pane):
    page = open_pane("gbg")
    page.evaluate("post('request', 'nfc.read', { n: 1 }, 'r-1')")
    card = page.pane.locator(".card", has_text="nfc.read")
    expect(card).to_contain_text('"n": 1')
    field(page, "page-1 r-1 status").select_option("acknowledged")
    card.get_by_role("button", name="Answer").click()
    page.wait_for_function("inbox.at(-1)?.status === 'acknowledged'")
    expect(card).to_contain_text("(acknowledged)")
    expect(card.get_by_label("Data of the answer to nfc.read, JSON")).to_have_value("")
    card.get_by_label("Data of the answer to nfc.read, JSON").fill("{ read: true }")
    card.get_by_role("button", name="Answer").click()
    expect(page.tab.locator(".said")).to_contain_text("The data is not valid JSON")
    card.get_by_label("Data of the answer to nfc.read, JSON").fill('{ "read": true }')
    card.get_by_role("button", name="Answer").click()
    page.wait_for_function("inbox.at(-1).data?.read === true")
    expect(card).to_have_count(0)
    page.pane.get_by_label("Event", exact=True).fill("journey.cancel")
    page.pane.get_by_label("Data of the event, JSON").fill('{ "reason": "user" }')
    page.pane.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_function("inbox.at(-1).action === 'journey.cancel' && inbox.at(-1).data.reason === 'user'")
    expect(page.tab.locator(".said")).to_contain_text("The event is sent.")
    page.evaluate("post('request', 'camera.document.capture', {}, 'c-1')")
    expect(part(page, "Captures").locator(".row", has_text="camera.document")).to_contain_text("a capture is open")


def test_an_event_of_gbg_is_sent_to_the_chosen_page_only(server, open_pane):
    page = open_pane("gbg")
    other = page.context.new_page()
    other.goto(server.url)
    field(page, "event page").select_option("page-2")
    page.pane.get_by_label("Event", exact=True).fill("journey.cancel")
    page.pane.get_by_role("button", name="Send", exact=True).click()
    other.wait_for_function("inbox.at(-1)?.action === 'journey.cancel'")
    field(page, "event page").select_option("")
    page.pane.get_by_label("Event", exact=True).fill("journey.resume")
    page.pane.get_by_role("button", name="Send", exact=True).click()
    page.wait_for_function("inbox.length")
    assert page.evaluate("inbox.map(({ action }) => action)") == ["journey.resume"]


PHOTO = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


@pytest.mark.parametrize("action", ["camera.document.capture", "camera.selfie.capture"])
def test_a_capture_that_waits_gets_a_photo_fails_and_is_cancelled(open_pane, action):
    page = open_pane("gbg")
    card = page.tab.get_by_role("region", name="Needs you").locator(".card")

    def capture(answer):
        """Requests a capture, and returns what the page gets once it is answered."""
        page.evaluate("action => { inbox.length = 0; post('request', action, {}, crypto.randomUUID()); }", action)
        expect(card).to_have_count(1)
        answer()
        page.wait_for_function("inbox.length")
        expect(card).to_have_count(0)
        return page.evaluate("inbox[0]")

    def choose():
        card.get_by_label("Photo").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": PHOTO})
        card.get_by_role("button", name="Use it").click()

    photo = capture(choose)
    assert (photo["action"], photo["status"]) == (action, "success")
    assert base64.b64decode(photo["data"]["imageBase64"]) == PHOTO
    sample = capture(lambda: card.get_by_role("button", name="Use it").click())
    assert sample["status"] == "success" and sample["data"]["imageWidth"] > 1
    assert capture(lambda: card.get_by_role("button", name="Fail").click())["error"]["code"] == "CAPTURE_FAILED"
    assert capture(lambda: card.get_by_role("button", name="Cancel").click())["status"] == "cancelled"


# Bridges


def test_a_declared_bridge_shows_its_messages_and_calls_its_page(server, open_pane):
    page = open_pane("bridges")
    assert page.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'login', user: '<b>eva</b>' })") == {"token": "abc"}
    acme = part(page, "acme")
    expect(acme.locator(".row", has_text="→ acme.login")).to_contain_text("<b>eva</b>")
    acme.get_by_label("Function, event or script").fill("app.double")
    acme.get_by_label("Arguments or detail, JSON").fill("[21]")
    acme.get_by_role("button", name="Do it").click()
    expect(acme.locator("output")).to_have_text('{"result":42}')
    page.evaluate("void addEventListener('native:ready', ({ detail }) => { window.ready = detail; })")
    field(page, "acme deed").select_option("event")
    acme.get_by_label("Function, event or script").fill("native:ready")
    acme.get_by_label("Arguments or detail, JSON").fill('{ "percent": 50 }')
    acme.get_by_role("button", name="Do it").click()
    page.wait_for_function("window.ready?.percent === 50")


def test_a_screen_of_a_handler_is_answered_with_its_fields(server, open_pane):
    page = open_pane("bridges")
    card = page.tab.get_by_role("region", name="Needs you").locator(".card")
    pay = "void (window.answer = webkit.messageHandlers.acme.postMessage({ type: 'pay' }))"
    page.evaluate(pay)
    expect(card.get_by_role("heading")).to_have_text("Confirm")
    expect(card).to_contain_text("Pay 5 EUR?")
    card.get_by_role("button", name="Pay").click()
    # A field that is required is filled first.
    expect(card.get_by_label("PIN")).to_be_focused()
    page.tab.keyboard.type("4711")
    card.get_by_label("keep").check()
    card.get_by_label("card").select_option(label="Mastercard")
    card.get_by_role("button", name="Pay").click()
    assert wait_for_promise(page, "() => answer") == {"approved": True, "fields": {"pin": "4711", "keep": True, "card": "mc"}}
    [answered] = server.api("GET", page.path + "/journal?kind=sheetAnswered")["entries"]
    assert answered["data"]["fields"]["pin"] == "‹secret›"
    expect(card).to_have_count(0)
    page.evaluate(pay)
    card.get_by_role("button", name="Not now").click()
    assert wait_for_promise(page, "() => answer") == {"approved": False}


def test_a_call_of_a_declared_bridge_that_waits_at_a_gate_is_released(open_pane):
    page = open_pane("rules")
    make_gate(page, "acme.login")
    page.evaluate("void (window.answer = webkit.messageHandlers.acme.postMessage({ type: 'login' }))")
    card = page.tab.get_by_role("region", name="Needs you").locator(".card")
    expect(card).to_contain_text("acme.login waits on page-1")
    card.get_by_role("button", name="Open the gate").click()
    assert wait_for_promise(page, "() => answer") == {"token": "abc"}


# What needs you


def test_a_request_that_waits_stands_in_needs_you_and_on_its_pane_and_is_answered_there(server, open_pane):
    page = open_pane("rules")
    page.evaluate("post('request', 'nfc.read', { n: 1 }, 'r-1')")
    card = page.tab.locator("needs-view .card", has_text="nfc.read waits")
    expect(card).to_contain_text('{"n":1}')
    expect(page.tab.locator("#tab-gbg")).to_have_text("GBG1")
    expect(page.tab).to_have_title("(1) coins · Footbridge")
    card.get_by_role("button", name="Success").click()
    page.wait_for_function("inbox.some(({ status }) => status === 'success')")
    expect(page.tab.get_by_text("Nothing waits.")).to_be_visible()
    expect(page.tab.locator("#tab-gbg")).to_have_text("GBG")


def test_a_message_that_nothing_answers_stands_in_needs_you_and_is_answered_there(server, open_pane):
    page = open_pane("rules")
    server.api("PUT", page.path + "/bridges/door", {"channels": {"door": {"reply": True}}, "name": "/type"})
    page.reload()
    page.evaluate("() => { window.answer = webkit.messageHandlers.door.postMessage({ type: 'scan' }).then(() => 'answered'); }")
    card = page.tab.locator("needs-view .card", has_text="door.scan waits")
    card.get_by_role("button", name="Success").click()
    assert wait_for_promise(page, "() => answer") == "answered"
    expect(card).to_have_count(0)
    page.evaluate("() => { webkit.messageHandlers.door.postMessage({ type: 'scan' }); }")
    expect(card).to_have_count(1)
    page.reload()
    expect(card).to_have_count(0)


# Entries


def test_an_event_of_a_bridge_is_sent_again_from_its_row(server, open_pane):
    page = open_pane("rules")
    page.evaluate("() => { webkit.messageHandlers.acme.postMessage({ type: 'login' }); addEventListener('ready', ({ detail }) => inbox.push(detail)); }")
    [shown] = server.api("GET", page.path + "/pages")["pages"]
    server.api("POST", f"{page.path}/pages/{shown['id']}/events", {"action": "journey.cancel", "data": {"reason": "user"}})
    server.api("POST", f"{page.path}/bridges/acme/calls", {"event": "ready", "detail": {"reason": "first"}})
    for action, reason in (("journey.cancel", "user"), ("acme.event", "first")):
        # It is folded under the request of the API that has sent it.
        page.tab.get_by_label("Filter the log").fill(f"kind:event action:{action}")
        page.tab.locator(".entry", has_text=action).first.click()
        page.tab.get_by_role("button", name="Repeat this event").click()
        page.wait_for_function("reason => inbox.filter((got) => JSON.stringify(got).includes(reason)).length === 2", arg=reason)
    # The store sends its own.
    server.api("POST", page.path + "/transactions", {"product": PLANT, "waitingFor": "approval"})
    page.tab.get_by_label("Filter the log").fill("kind:event action:onTransactionsUpdated")
    page.tab.locator(".entry", has_text="onside.onTransactionsUpdated").last.click()
    page.tab.get_by_role("button", name="Make rule…").wait_for()
    expect(page.tab.get_by_role("button", name="Repeat this event")).to_have_count(0)


# Device


def test_the_stage_opens_the_site_as_a_main_frame_in_a_window_of_a_phones_size(server, new_context):
    # Without a viewport of Playwright's, windows have their own sizes. The screen has 800 x 600 pixels.
    page = visit(server, new_context(no_viewport=True), "device")
    page.pane.get_by_label("Model").select_option("iPhone SE")
    page.pane.get_by_role("button", name="Rotate").click()
    expect(page.pane.get_by_role("region", name="Stage")).to_contain_text("667 × 375 px")
    with page.context.expect_page() as opened:
        page.pane.get_by_role("button", name="Open another window").click()
    site = opened.value
    site.wait_for_load_state()
    assert site.evaluate("[innerWidth, innerHeight, opener, top === window]") == [667, 375, None, True]
    # Each host takes it for a page of the app, as in no frame.
    assert site.evaluate("onside.getCurrentStorefront()")["countryCode"] == "ES"
    assert site.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'login' })") == {"token": "abc"}
    assert site.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'refreshToken' })")["authorization"].startswith("Bearer ")
    site.evaluate("post('request', 'capability.query', {}, 'q-1')")
    site.wait_for_function("inbox.some(({ action }) => action === 'capability.query')")
    page.pane.get_by_label("Model").select_option("Galaxy S25")
    site.wait_for_function("innerWidth === 780 && innerHeight === 360")
    page.pane.get_by_role("button", name="Rotate").click()
    site.wait_for_function("innerWidth === 360")


def show_beside_the_log(page):
    """Opens the phone beside the log, and returns the frame of the site in it."""
    page.pane.get_by_role("button", name="Show beside the log").click()
    phone = page.tab.get_by_role("region", name="The site in a phone")
    frame = phone.locator("iframe").element_handle().content_frame()
    frame.wait_for_url(lambda url: url.startswith("http") and "/enter/" not in url)
    return phone, frame


def test_the_stage_shows_the_site_as_a_main_frame_in_a_phone_beside_the_log(server, open_pane):
    page = open_pane("device")
    page.pane.get_by_label("Model").select_option("iPhone SE")
    expect(page.pane.get_by_role("region", name="Stage")).to_contain_text("375 × 667 px")
    phone, site = show_beside_the_log(page)
    expect(phone).to_contain_text("375 × 667")
    assert Axe().run(page.tab, context="stage-view").response["violations"] == []
    assert site.evaluate("[innerWidth, innerHeight, screen.width, top === window]") == [375, 667, 375, False]
    # Each host takes it for a page of the app, as in no frame.
    assert site.evaluate("onside.getCurrentStorefront()")["countryCode"] == "ES"
    assert site.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'login' })") == {"token": "abc"}
    assert site.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'refreshToken' })")["authorization"].startswith("Bearer ")
    # A frame in it is one of the app's, as anywhere.
    site.evaluate("""() => new Promise((resolve) => {
      const inner = document.createElement("iframe");
      inner.src = "/index.html";
      inner.onload = resolve;
      document.body.append(inner);
    })""")
    asked = "webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'refreshToken' }).then((answer) => answer === undefined)"
    [inner] = site.child_frames
    assert inner.evaluate(asked) is True
    # Sheets of both are drawn in the phone.
    server.api("PATCH", page.path, {"account": None})
    for asking in (inner, site):
        asking.evaluate("() => { window.login = onside.requestLogin().then(() => 'in', () => 'out'); }")
        site.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        assert asking.evaluate("login") == "out"
    page.pane.get_by_role("button", name="Rotate").click()
    site.wait_for_function("innerWidth === 667 && innerHeight === 375")
    page.pane.get_by_role("button", name="Close the phone").click()
    expect(phone).to_have_count(0)
    expect(page.pane.get_by_role("button", name="Show beside the log")).to_be_visible()


def test_a_site_that_forbids_frames_is_shown_in_the_phone(new_context, shop_root):
    forbidden = ("--response-header", "X-Frame-Options: DENY", "--response-header", "Content-Security-Policy: frame-ancestors 'none'")
    with serving("--root", shop_root, "--ephemeral", *forbidden) as server:
        context = new_context()
        session = server.api.session()
        server.api.enter(context, session)
        page = context.new_page()
        answer = page.goto(server.url)
        assert answer.headers["x-frame-options"] == "DENY"
        page.tab = open_dashboard(context, server, f"/sessions/{session['id']}/device")
        page.pane = page.tab.locator("#pane-device")
        _, site = show_beside_the_log(page)
        assert site.evaluate("typeof onside.requestLogin") == "function"


def test_a_frame_of_a_page_that_is_not_the_dashboard_is_no_main_frame(server, open_pane):
    page = open_pane("device")
    show_beside_the_log(page)
    page.evaluate("""() => new Promise((resolve) => {
      const inner = document.createElement("iframe");
      inner.src = "/index.html";
      inner.onload = resolve;
      document.body.append(inner);
    })""")
    [inner] = page.main_frame.child_frames
    assert inner.evaluate("webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'refreshToken' }).then((answer) => answer === undefined)") is True


def test_a_site_under_an_origin_of_its_own_is_not_shown_beside_the_log(new_context, shop_root):
    with serving("--site", "https://shop.example=http://127.0.0.1:9", "--ephemeral") as server:
        session = server.api.session()
        tab = open_dashboard(new_context(), server, f"/sessions/{session['id']}/device")
        tab.get_by_role("button", name="Open a window").wait_for()
        assert tab.get_by_role("button", name="Show beside the log").count() == 0


def test_a_scenario_of_the_stage_begins_and_the_site_reloads(open_pane):
    page = open_pane("device")
    page.evaluate("window.isOld = true")
    with page.expect_event("load"):
        page.pane.get_by_role("button", name="offline").click()
    assert wait_for_promise(page, "() => onside.loadProducts({ productIdentifiers: [] }).then(() => 0, Object.keys)") == ["connectionError"]
    expect(page.pane.get_by_role("button", name="offline")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.isOld") is None


def test_the_app_goes_to_the_background_and_comes_back(server, open_pane):
    page = open_pane("device")
    field(page, "state").select_option("background")
    page.wait_for_function("document.hidden")
    field(page, "state").select_option("active")
    page.wait_for_function("!document.hidden")
    assert server.api("GET", page.path + "/device")["state"] == "active"
    # A change by others is shown, too.
    server.api("PATCH", page.path + "/device", {"state": "inactive"})
    expect(field(page, "state")).to_have_value("inactive")


def test_the_phone_changes_and_the_site_notices_it(server, open_pane):
    page = open_pane("device")
    field(page, "colorScheme").select_option("dark")
    page.wait_for_function("matchMedia('(prefers-color-scheme: dark)').matches")
    field(page, "languages").fill("de-AT, en")
    field(page, "set languages").click()
    page.wait_for_function("navigator.languages.join() === 'de-AT,en'")
    field(page, "network").select_option("offline")
    page.wait_for_function("!navigator.onLine")
    field(page, "network").select_option("online")
    page.wait_for_function("navigator.onLine")
    field(page, "textSize").select_option("135")
    page.wait_for_function("parseFloat(getComputedStyle(document.documentElement).fontSize) > 20")
    page.pane.get_by_role("button", name="Rotate").click()
    until = {"kind": "store", "action": "device", "data": {"orientation": "landscape"}}
    server.api("POST", page.path + "/journal/wait", {"until": until, "timeout": 10_000})
    page.wait_for_function("screen.orientation.type.startsWith('landscape')")
    device = server.api("GET", page.path + "/device")
    told = {name: device[name] for name in ("colorScheme", "languages", "network", "textSize", "size", "orientation")}
    assert told == {
        "colorScheme": "dark", "languages": ["de-AT", "en"], "network": None, "textSize": 135, "size": {"width": 402, "height": 874}, "orientation": "landscape"}
    # The browser's own again.
    field(page, "colorScheme").select_option("")
    page.wait_for_function("!matchMedia('(prefers-color-scheme: dark)').matches")
    with page.expect_event("load"):
        page.pane.get_by_role("button", name="Memory warning").click()
    field(page, "link").fill("https://shop.example/index.html?from=mail")
    with page.expect_event("load"):
        page.pane.get_by_role("button", name="Open it").click()
    assert page.url == f"{server.url}/index.html?from=mail"


# All of them


@pytest.fixture(scope="module")
def filled(server, browser):
    """Opens the dashboard of a session in which every pane has something to show."""
    with profiles(browser) as make:

        def fill(theme, width):
            page = visit(server, make(color_scheme=theme, viewport={"width": width, "height": 900}), "store")
            for product in (FLOWERS, GOLD):
                server.api("POST", page.path + "/purchases", {"product": product})
            server.api("POST", page.path + "/transactions", {"product": PLANT, "waitingFor": "approval"})
            server.api("POST", page.path + "/rules", {"on": "onside.getTransactions", "then": {"gate": "door"}})
            page.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'login' })")
            page.evaluate("post('request', 'nfc.read', { n: 1 }, 'r-1')")
            return page.tab

        yield fill


@pytest.mark.parametrize("theme, width", [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_in_the_panes_and_everything_fits(filled, theme, width):
    tab = filled(theme, width)
    for name in ["store", "device", "settings", "rules", "today", "gbg", "bridges"]:
        tab.locator(f"#tab-{name}").click()
        tab.locator(f"#pane-{name} {({'today': 'dl', 'device': 'select'}).get(name, '.row')}").first.wait_for()
        if name == "rules":
            tab.get_by_label("On", exact=True).fill("onside.purchase")
            tab.get_by_label("Value of the outcome").fill("loginDiscarded")
            tab.get_by_text("Copy rule-").first.click()
        found = Axe().run(tab, context=f"#pane-{name}").response["violations"]
        assert [(rule["id"], [node["html"][:160] for node in rule["nodes"]]) for rule in found] == [], name
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
        assert tab.locator(f"#pane-{name} :is(button, input, select, textarea, summary):not([data-key])").evaluate_all(
            "controls => controls.map((control) => control.outerHTML)") == [], name
