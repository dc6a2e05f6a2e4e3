"""Rules about messages to the page: callbacks of the store and answers of GBGBridge that are held, lost, doubled, reordered or broken; apps
that are killed; a storefront that goes away; and a store that cannot be initialised."""

import json
import re

import pytest

from footbridge_process import serve
from promises import wait_for_promise
from test_merchant_api import history

CONSUMABLE = "com.product.example.consumable"
UPDATED = "onside.onTransactionsUpdated"


@pytest.fixture(scope="module")
def server(shop_root, catalog, tmp_path_factory):
    """Runs the shop with scenarios. A program answers sheets."""
    config = tmp_path_factory.mktemp("rules") / "footbridge.yaml"
    config.write_text("""
scenarios:
  lossy:
    - { on: onside.onTransactionsUpdated, where: { transactions: { $contains: { transactionState: purchased } } }, times: once, then: { drop: true } }
  abroad:
    account: built-in
    storefront: null
    rules:
      - { on: onside.loadProducts, times: [2, 3], then: { error: connectionError } }
""")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "control", "--seed", 7) as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


class Shop:
    """A session of the control API with the shop open in it."""

    def __init__(self, server, control, context, **members):
        self.control, self.server = control, server
        self.description = control.session(**{"account": "built-in", **members})
        self.path = f"/sessions/{self.description['id']}"
        control.enter(context, self.description)
        self.page = context.new_page()
        self.open()

    def __call__(self, method, path, body=None):
        return self.control(method, self.path + path, body)

    def open(self):
        self.page.goto(self.server.url)
        self.page.evaluate("id => onside.loadProducts?.({ productIdentifiers: [id] })", CONSUMABLE)

    def rule(self, on, then, **members):
        return self("POST", "/rules", {"on": on, "then": then, **members})

    def wait(self, **until):
        return self("POST", "/journal/wait", {"until": until, "timeout": 15_000})["entry"]

    def buy(self, approve=True):
        self.page.evaluate("id => onside.purchase({ productIdentifier: id })", CONSUMABLE)
        if approve:
            self.answer("payment")

    def answer(self, kind, approved=True):
        sheet = self.wait(kind="sheetOpened", action=kind)["data"]["id"]
        self("POST", f"/sheets/{sheet}/answer", {"approved": approved})

    def states(self):
        """The states of transactions that the page was told of, in order."""
        return self.page.evaluate(
            "seen.filter(e => e.name === 'onTransactionsUpdated').flatMap(e => e.value.map(t => t.transactionState))")

    def wait_for_states(self, *states):
        self.page.wait_for_function(
            "states => JSON.stringify(seen.filter(e => e.name === 'onTransactionsUpdated')"
            ".flatMap(e => e.value.map(t => t.transactionState))) === states", arg=json.dumps(states, separators=(",", ":")))

    @property
    def orders(self):
        return self("GET", "/purchases")["purchases"]


@pytest.fixture
def shop(server, control, new_context):
    """Makes sessions, each with its own browser profile and the shop open in it."""
    return lambda **members: Shop(server, control, new_context(), **members)


# Callbacks.


def purchased():
    return {"where": {"transactions": {"$contains": {"transactionState": "purchased"}}}}


def test_a_dropped_callback_does_not_reach_the_page_but_the_order_exists(shop):
    shop = shop()
    shop.rule(UPDATED, {"drop": True}, **purchased())
    shop.buy()
    shop.wait(kind="decision", action=UPDATED)
    assert wait_for_promise(shop.page, "async () => (await onside.getTransactions())[0]?.transactionState === 'purchased'")
    assert shop.states() == ["purchasing"] and len(shop.orders) == 1
    assert [e["action"] for e in shop("GET", "/journal?kind=event")["entries"]].count(UPDATED) == 1


def test_a_doubled_callback_is_delivered_twice(shop):
    shop = shop()
    shop.rule(UPDATED, {"double": True}, **purchased())
    shop.buy()
    shop.wait_for_states("purchasing", "purchased", "purchased")
    assert len(shop.orders) == 1


def test_a_callback_that_waits_at_a_gate_is_overtaken_by_later_ones(shop):
    shop = shop()
    shop.rule(UPDATED, {"gate": "held"})
    shop.buy()
    shop.wait_for_states("purchased")
    [hold] = shop("GET", "/gates")["gates"]
    assert hold["action"] == UPDATED and hold["page"]
    shop("POST", "/gates/held/release")
    shop.wait_for_states("purchased", "purchasing")


def test_a_callback_is_delayed_on_the_sessions_clock(shop):
    shop = shop(clock={"frozen": True})
    shop.rule(UPDATED, {"delay": 1000}, **purchased())
    shop.buy()
    shop.wait(kind="decision", action=UPDATED)
    assert shop.states() == ["purchasing"]
    shop("POST", "/clock/advance", {"milliseconds": 1000})
    shop.wait_for_states("purchasing", "purchased")


def test_a_reordered_callback_is_delivered_after_the_next_one(shop):
    shop = shop()
    shop.rule(UPDATED, {"reorder": True})
    shop.buy()
    shop.wait_for_states("purchased", "purchasing")


def test_a_reordered_callback_is_dropped_when_its_page_ends(shop):
    shop = shop()
    shop.rule(UPDATED, {"reorder": True})
    shop.buy(approve=False)
    shop.wait(kind="decision", action=UPDATED)
    shop.open()
    shop.answer("payment")
    shop.wait_for_states("purchased")


@pytest.mark.parametrize("result", [True, False])
def test_a_rule_answers_a_question_of_the_host_in_the_pages_place(shop, result):
    shop = shop()
    shop.page.evaluate("() => { window.asked = 0; onside.shouldContinueTransaction = () => { asked++; return true } }")
    shop.rule("onside.shouldContinueTransaction", {"result": result}, where={"transaction": {"payment": {"product": {"productIdentifier": CONSUMABLE}}}})
    shop.buy(approve=result)
    shop.wait_for_states("purchasing", "purchased" if result else "failed")
    assert shop.page.evaluate("asked") == 0


def test_a_dropped_question_leaves_the_transaction_waiting_until_the_page_closes(shop):
    shop = shop()
    shop.page.evaluate("() => { window.asked = 0; onside.shouldContinueTransaction = () => { asked++; return true } }")
    shop.rule("onside.shouldContinueTransaction", {"drop": True})
    shop.buy(approve=False)
    shop.wait(kind="decision", action="onside.shouldContinueTransaction")
    shop.wait_for_states("purchasing")
    assert shop.page.evaluate("asked") == 0 and shop("GET", "/sheets")["sheets"] == []
    shop.open()
    shop.answer("payment")
    shop.wait_for_states("purchased")


def test_a_doubled_question_is_asked_twice_and_its_first_answer_is_used(shop):
    shop = shop()
    shop.page.evaluate("() => { window.asked = 0; onside.shouldContinueTransaction = () => ++asked === 1 }")
    shop.rule("onside.shouldContinueTransaction", {"double": True})
    shop.buy()
    shop.wait_for_states("purchasing", "purchased")
    assert shop.page.evaluate("asked") == 2


def test_scenarios_can_have_rules_about_callbacks(shop):
    shop = shop(scenario="lossy")
    shop.buy()
    shop.wait(kind="decision", action=UPDATED)
    assert wait_for_promise(shop.page, "async () => (await onside.getTransactions())[0]?.transactionState === 'purchased'")
    assert shop.states() == ["purchasing"]


# How often, and chance.


def test_a_rule_with_a_list_of_numbers_decides_these_calls(shop):
    shop = shop(account=None, scenario="abroad")     # Its first call was that of opening the shop.
    call = "() => onside.loadProducts({ productIdentifiers: [] }).then(() => 'loaded', Object.keys)"
    assert [shop.page.evaluate(call) for _ in range(3)] == [["connectionError"], ["connectionError"], "loaded"]


def chances(shop_root, catalog, new_context, seed):
    """What a rule with a probability and another with random delays decide, and the transcript."""
    with serve("--root", shop_root, "--catalog", catalog, "--ephemeral", "--seed", seed) as server:
        shop = Shop(server, server.control(), new_context(), name="chance", clock={"frozen": True, "now": "2026-01-31T12:00:00Z"})
        shop.rule("onside.loadProducts", {"error": "connectionError"}, times={"probability": 0.5})
        shop.rule("onside.getTransactions", {"delay": {"from": 100, "to": 900}}, times={"first": 5})
        failed = shop.page.evaluate("""async () => {
          const failed = [];
          for (let i = 0; i < 20; i++) failed.push(await onside.loadProducts({ productIdentifiers: [] }).then(() => 0, () => 1));
          return failed;
        }""")
        shop.page.evaluate("() => { for (let i = 0; i < 5; i++) onside.getTransactions(); return onside.getCurrentStorefront() }")
        entries = shop("GET", "/journal?kind=decision")["entries"]
        text = json.dumps([{k: v for k, v in e.items() if k != "page"} for e in entries], sort_keys=True)
        return failed, [e["data"]["delay"] for e in entries if "delay" in e["data"]], text


def test_probabilities_and_random_delays_depend_on_the_seed(shop_root, catalog, new_context):
    first, second, other = (chances(shop_root, catalog, new_context, seed) for seed in (7, 7, 8))
    failed, delays, _ = first
    assert first == second
    assert 0 < sum(failed) < 20 and len(set(delays)) > 1 and all(100 <= delay <= 900 for delay in delays)
    assert other[0] != failed and other[1] != delays


# The app is killed.


def test_an_app_that_is_killed_before_its_payment_is_sent_has_no_order_and_starts_again(shop):
    shop = shop()
    shop.rule("onside.payment", {"kill": True})
    shop.buy()
    shop.wait(kind="page", action="ended")
    assert shop.orders == []
    shop.open()
    shop.wait_for_states("purchasing")
    sheets = wait_for_sheet(shop)
    assert shop.orders == []
    shop("POST", f"/sheets/{sheets[0]['id']}/answer", {"approved": True})
    shop.wait_for_states("purchasing", "purchased")
    assert len(shop.orders) == 1


def wait_for_sheet(shop):
    while not (sheets := shop("GET", "/sheets")["sheets"]):
        shop.page.evaluate("new Promise(requestAnimationFrame)")
    return sheets


def test_an_app_that_is_killed_while_its_payment_is_held_has_no_order_until_it_is_released(shop):
    shop = shop()
    shop.rule("onside.payment", {"gate": "in-flight"})
    shop.buy()
    shop.wait(kind="decision", action="onside.payment", data={"gate": "in-flight", "open": False})
    shop("POST", "/relaunch")
    assert shop.orders == []
    [transaction] = shop("GET", "/transactions")["transactions"]
    assert transaction["state"] == "purchasing"
    shop.open()
    sheets = wait_for_sheet(shop)
    assert shop.orders == [] and shop.page.evaluate("onside.getTransactions().then(([t]) => 'transactionIdentifier' in t)") is False
    shop("POST", f"/sheets/{sheets[0]['id']}/answer", {"approved": False})
    shop.wait_for_states("purchasing", "failed")
    assert shop.orders == []


@pytest.mark.parametrize("on, call", [
    ("onside.purchase", f"onside.purchase({{ productIdentifier: '{CONSUMABLE}' }})"),
    ("footbridge.sheet.payment", f"onside.purchase({{ productIdentifier: '{CONSUMABLE}' }})"),
    ("onside.onTransactionsUpdated", f"onside.purchase({{ productIdentifier: '{CONSUMABLE}' }})"),
    ("onside.restore", "onside.restoreCompletedTransactions()"),
])
def test_an_app_can_be_killed_at_any_point_and_continues_when_it_is_opened_again(shop, on, call):
    shop = shop()
    shop.rule(on, {"kill": True})
    shop.page.evaluate(f"void {call}")
    shop.wait(kind="page", action="ended")
    assert shop.orders == []
    shop.open()
    assert shop.page.evaluate("onside.getTransactions().then(t => t.length)") == (0 if on in ("onside.purchase", "onside.restore") else 1)


# A storefront that goes away.


def test_a_storefront_can_be_removed_and_restored(shop):
    shop = shop()
    home = shop.page.evaluate("onside.getCurrentStorefront()")
    assert shop("PATCH", "", {"storefront": None})["storefront"] is None
    shop.page.wait_for_function("seen.some(e => e.name === 'onStorefrontChanged' && e.value === null)")
    assert shop.page.evaluate("onside.getCurrentStorefront()") is None
    assert shop("GET", "")["account"] == "built-in"
    call = f"onside.purchase({{ productIdentifier: '{CONSUMABLE}' }}).catch(Object.keys)"
    assert shop.page.evaluate(call) == ["loginDiscarded"]
    shop("PATCH", "", {"storefront": "ES"})
    shop.page.wait_for_function("seen.at(-1).name === 'onStorefrontChanged' && seen.at(-1).value?.countryCode === 'ES'")
    assert shop.page.evaluate("onside.getCurrentStorefront()")["countryCode"] == "ES" != home["countryCode"]
    shop.page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", CONSUMABLE)
    shop.buy()
    shop.wait_for_states("purchasing", "purchased")


def test_a_payment_whose_storefront_is_removed_before_it_is_sent_fails(shop):
    shop = shop()
    shop.buy(approve=False)
    sheet = shop.wait(kind="sheetOpened", action="payment")["data"]["id"]
    shop("PATCH", "", {"storefront": None})
    shop("POST", f"/sheets/{sheet}/answer", {"approved": True})
    shop.wait_for_states("purchasing", "failed")
    assert shop.orders == []


def test_a_removed_storefront_stays_removed_until_another_sign_in(shop):
    shop = shop(storefront=None)
    assert shop.page.evaluate("onside.getCurrentStorefront()") is None
    shop("POST", "/relaunch")
    shop.open()
    assert shop.page.evaluate("onside.getCurrentStorefront()") is None
    shop("PATCH", "", {"account": None})
    shop("PATCH", "", {"account": "built-in"})
    assert shop.page.evaluate("onside.getCurrentStorefront()")["countryCode"] == "NL"


def test_removing_the_storefront_while_signed_out_has_no_effect(shop):
    shop = shop(account=None, storefront=None)
    assert shop("GET", "")["storefront"] == "NL"
    shop("PATCH", "", {"account": "built-in"})
    assert shop.page.evaluate("onside.getCurrentStorefront()")["countryCode"] == "NL"


# The Merchant API.


def test_a_rule_decides_the_statuses_of_the_merchant_api(shop, server):
    shop = shop()
    shop.buy()
    shop.wait_for_states("purchasing", "purchased")
    order = shop.orders[0]["id"]
    shop.rule("onside.merchantAPI", {"error": {"status": 429, "retryAfter": 7}}, where={"orderId": order})
    shop.rule("onside.merchantAPI", {"error": 500})
    shop.rule("onside.merchantAPI", {"error": 503}, where={"orderId": "another"})
    status, fields, _ = history(server, order)
    assert (status, fields["retry-after"]) == (429, "7")
    assert history(server, order)[0] == 500
    assert history(server, order)[0] == 200
    actions = [e["action"] for e in shop("GET", "/journal?kind=decision")["entries"]]
    assert actions == ["onside.merchantAPI"] * 2


def test_a_rule_delays_a_merchant_request_and_cuts_its_connection(shop, server):
    import http.client
    import threading

    shop = shop(clock={"frozen": True})
    shop.buy()
    shop.wait_for_states("purchasing", "purchased")
    order = shop.orders[0]["id"]
    shop.rule("onside.merchantAPI", {"delay": 30_000})
    answers = []
    backend = threading.Thread(target=lambda: answers.append(history(server, order)[0]))
    backend.start()
    shop.wait(kind="decision", action="onside.merchantAPI")
    assert answers == []
    shop("POST", "/clock/advance", {"milliseconds": 30_000})
    backend.join(timeout=15)
    assert answers == [200]
    shop.rule("onside.merchantAPI", {"cutSocket": True})
    with pytest.raises((http.client.RemoteDisconnected, ConnectionResetError)):
        history(server, order)


# A store that cannot be initialised.


@pytest.mark.parametrize("error", ["reason", "bridge.bridgeDetached"])
def test_a_failed_initialisation_does_not_change_a_page_that_was_initialised(shop, error):
    shop = shop(onsideContract="1.3")
    shop.page.evaluate("onside.initializeOnside('v1')")
    shop.page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", CONSUMABLE)
    shop.rule("onside.initializeOnside", {"error": error})
    assert shop.page.evaluate("onside.initializeOnside('v1').then(() => 'initialized', () => 'failed')") == "failed"
    shop.buy()
    shop.wait_for_states("purchasing", "purchased")


def test_a_failed_initialisation_leaves_a_new_page_of_contract_1_3_without_functions_until_one_succeeds(shop):
    shop = shop(onsideContract="1.3", purchases=[{"product": CONSUMABLE, "finished": False}])
    shop.rule("onside.initializeOnside", {"error": "reason"})
    assert shop.page.evaluate("onside.initializeOnside('v1').then(() => 'initialized', () => 'failed')") == "failed"
    assert shop.page.evaluate("[typeof onside.purchase, seen.length]") == ["undefined", 0]
    shop.page.evaluate("onside.initializeOnside('v1')")
    shop.wait_for_states("purchased")


# Answers of GBGBridge.

SELFIE = "camera.selfie.capture"


@pytest.fixture(scope="module")
def journey(journey_root):
    with serve("--root", journey_root, "--present", "auto") as server:
        yield server


@pytest.fixture(scope="module")
def journey_control(journey):
    return journey.control()


@pytest.fixture
def ask(journey, journey_control, new_context):
    """Opens the journey with a rule about its selfies and asks for one. Returns its session."""

    def ask(then):
        session = journey_control.session(clock={"frozen": True})
        context = new_context()
        journey_control.enter(context, session)
        page = context.new_page()
        page.goto(journey.url)
        journey_control("POST", f"/sessions/{session['id']}/rules", {"on": SELFIE, "then": then})
        page.evaluate("action => void ask(action, undefined, 'the-id')", SELFIE)
        return f"/sessions/{session['id']}", page

    return ask


def answers(page):
    return page.evaluate("inbox.map(message => message?.correlationId === undefined ? message : [message.correlationId, message.payload.status])")


def settle(page):
    """Waits until everything that the host has sent is there."""
    page.evaluate("ask('capability.query', undefined, 'last')")


def test_a_native_answer_can_be_delayed(ask, journey_control):
    path, page = ask({"delay": 90_000})
    settle(page)
    assert answers(page) == [["last", "success"]]
    journey_control("POST", f"{path}/clock/advance", {"milliseconds": 90_000})
    page.wait_for_function("inbox.length === 2")
    assert answers(page)[1] == ["the-id", "success"]


def test_a_native_answer_can_be_doubled(ask):
    _, page = ask({"double": True, "error": "BUSY"})
    page.wait_for_function("inbox.length === 2")
    assert answers(page) == [["the-id", "error"]] * 2


def test_a_native_answer_can_have_an_unknown_id(ask):
    _, page = ask({"unknownId": True})
    page.wait_for_function("inbox.length === 1")
    [[identifier, status]] = answers(page)
    assert re.match("unknown-", identifier) and status == "success"


@pytest.mark.parametrize("value", ["{", {"payload": 1}, None, 7])
def test_a_native_answer_can_be_malformed(ask, value):
    _, page = ask({"raw": value})
    page.wait_for_function("inbox.length === 1")
    assert page.evaluate("inbox[0]") == value


def test_a_native_answer_can_be_dropped(ask):
    _, page = ask({"drop": True})
    settle(page)
    assert answers(page) == [["last", "success"]]
