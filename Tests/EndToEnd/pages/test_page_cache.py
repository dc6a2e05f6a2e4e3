"""Pages that the browser puts into its page cache and restores, as people's browsers do: their sheets and their calls. Playwright switches
the cache off by default."""

import contextlib
import re
import sys

import pytest
from playwright.sync_api import Error

from engines import expect
from footbridge_process import PROJECT, serve

PRODUCT = "com.product.example.consumable"
OTHER_PRODUCT = "com.product.example.non_consumable"

HANDLER = f"""
import sys
sys.path.insert(0, {str(PROJECT / "web" / "testing")!r})
from pytest_footbridge.handler import Handler

acme = Handler()


@acme.on("pay")
def pay(message):
    return "paid" if message.sheet("Pay?", buttons=["Pay", {{"name": "No", "cancel": True}}]).approved else "not paid"


@acme.on("ping")
def ping(message):
    return "pong"


acme.run()
"""

DOCUMENT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<a href="?next">On</a><button id="own">Something to focus</button>
<script>
  window.states = [];
  window.restored = 0;
  addEventListener("pageshow", ({ persisted }) => { restored += persisted; });
  onside.onTransactionsUpdated = (transactions) => states.push(...transactions.map(({ transactionState }) => transactionState));
  /** What has become of the call. */
  window.outcome = "";
  const note = (promise) => void promise.then((value) => outcome = JSON.stringify(value ?? null), (error) => outcome = `rejected: ${error?.message ?? JSON.stringify(error)}`);
  window.say = (text) => { heard = text; };
  const { gbgBridge, todayWebViewBridge, acme } = webkit.messageHandlers;
  const ask = (action) => new Promise((resolve) => {
    const correlationId = `ask-${Math.random()}`;
    addEventListener("gbgbridge:message", ({ detail }) => detail.correlationId === correlationId && resolve(detail.payload.status));
    gbgBridge.postMessage({ version: "1.0", correlationId, type: "request", timestamp: Date.now(), payload: { action } });
  });
</script></html>"""

#: Notes why the server has closed the sockets of a page.
NOTE_CLOSES = """
  window.closes = [];
  window.WebSocket = class extends WebSocket {
    constructor(...list) {
      super(...list);
      this.addEventListener("close", ({ code }) => closes.push(code));
    }
  };
"""

#: Calls of the three hosts and of a declared bridge, and what they come to.
CALLS = [
    ("onside.getTransactions", "onside.getTransactions()", "[]"),
    ("today.headers", "todayWebViewBridge.postMessage({ type: 'headers' }).then(() => 'headers')", '"headers"'),
    ("capability.query", "ask('capability.query')", '"success"'),
    ("acme.ping", "acme.postMessage({ type: 'ping' })", '"pong"'),
]

#: Calls that open a sheet: the account that is signed in, the sheet's name, the button that answers it, and what the call comes to.
SHEETS = [
    ("onside.requestLogin()", None, "^Sign in", "Sign in", "null"),
    ("onside.requestLogin()", None, "^Sign in", "Cancel", 'rejected: {"loginDiscarded":{}}'),
    ("onside.presentPaymentMethodsManager()", "built-in", "^Payment methods", "Done", "null"),
    ("ask('camera.document.capture')", None, "^Photograph", "Cancel", '"cancelled"'),
    ("acme.postMessage({ type: 'pay' })", None, "^Pay", "Pay", '"paid"'),
    ("acme.postMessage({ type: 'pay' })", None, "^Pay", "No", '"not paid"'),
]
IDS = [f"{call.split('(')[0]} {button}" for call, _, _, button, _ in SHEETS]


@pytest.fixture(scope="module")
def server(tmp_path_factory, catalog):
    folder = tmp_path_factory.mktemp("cached")
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(DOCUMENT)
    (folder / "acme.py").write_text(HANDLER)
    config = folder / "footbridge.yaml"
    config.write_text(f"""
gbg: {{ pending: [journey.custom] }}
bridges:
  acme:
    channels: {{ acme: {{ reply: true }} }}
    name: /type
    handler: {{ run: [{sys.executable}, acme.py] }}
""")
    with serve("--root", folder / "site", "--catalog", catalog, "--config", config, "--site-origin", "https://today.example", "--ephemeral") as server:
        server.api = server.control()
        yield server


class Visit:
    """A browser profile in a session of its own, with the page open in a tab."""

    def __init__(self, server, context, **members):
        self.server, self.context = server, context
        session = server.api.session(**members)
        self.path = f"/sessions/{session['id']}"
        server.api.enter(context, session)
        context.add_init_script(NOTE_CLOSES)
        self.page = context.new_page()
        self.page.goto(server.url)
        self.page.evaluate("onside.getTransactions()")

    def api(self, method, path, body=None):
        return self.server.api(method, self.path + path, body)

    def call(self, call):
        """Makes a call, and waits until the host has received it: it answers in order."""
        self.page.evaluate(f"() => {{ outcome = 'pending'; note({call}); }}")
        self.page.evaluate("onside.getCurrentStorefront().catch(() => {})")

    def buy(self, product=PRODUCT):
        self.page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", product)
        self.page.evaluate("id => { outcome = 'pending'; note(onside.purchase({ productIdentifier: id })); }", product)

    def sheet(self, name):
        return self.page.get_by_role("dialog", name=re.compile(name))

    def follow_link(self):
        """Goes to another page by a link, which a sheet may cover."""
        self.page.evaluate("document.querySelector('a').click()")
        self.page.wait_for_url("**/?next")
        self.page.evaluate("onside.getTransactions()")

    def back(self):
        """Goes back to the first page, which the browser restores."""
        self.page.go_back(wait_until="commit")
        self.page.wait_for_function("restored")
        self.page.evaluate("onside.getTransactions()")

    def wait_for_outcome(self, outcome):
        self.page.wait_for_function("outcome => window.outcome !== 'pending'")
        assert self.page.evaluate("outcome") == outcome

    @property
    def sheets(self):
        return self.api("GET", "/sheets")["sheets"]


@pytest.fixture
def visit(server, caching_browser):
    with contextlib.ExitStack() as stack:
        yield lambda **members: Visit(server, stack.enter_context(contextlib.closing(caching_browser.new_context())), **members)


def test_a_payment_sheet_that_was_answered_on_the_next_page_is_gone_after_going_back(visit):
    shop = visit(account="built-in")
    shop.buy()
    expect(shop.sheet("^Buy")).to_be_visible()
    shop.follow_link()
    shop.sheet("^Buy").get_by_role("button", name="Buy", exact=True).click()
    shop.page.wait_for_function("states.includes('purchased')")
    shop.back()
    shop.page.wait_for_function("states.includes('purchased')")
    assert shop.sheets == []
    expect(shop.page.get_by_role("dialog")).to_have_count(0)
    shop.wait_for_outcome("null")
    assert [order["product"] for order in shop.api("GET", "/purchases")["purchases"]] == [PRODUCT]


@pytest.mark.parametrize("call, account, name, button, outcome", SHEETS, ids=IDS)
def test_a_sheet_answered_on_the_next_page_answers_the_call_of_the_restored_page(visit, call, account, name, button, outcome):
    shop = visit(account=account)
    shop.call(call)
    expect(shop.sheet(name)).to_be_visible()
    shop.follow_link()
    shop.sheet(name).get_by_role("button", name=button, exact=True).click()
    expect(shop.page.get_by_role("dialog")).to_have_count(0)
    shop.back()
    shop.wait_for_outcome(outcome)
    expect(shop.page.get_by_role("dialog")).to_have_count(0)
    assert shop.sheets == []


@pytest.mark.parametrize("call, account, name, button, outcome", SHEETS, ids=IDS)
def test_a_sheet_that_is_still_open_is_shown_once_by_the_restored_page_and_answers_its_call(visit, call, account, name, button, outcome):
    shop = visit(account=account)
    shop.call(call)
    expect(shop.sheet(name)).to_be_visible()
    shop.follow_link()
    expect(shop.sheet(name)).to_be_visible()
    shop.back()
    expect(shop.sheet(name)).to_be_visible()
    expect(shop.page.locator("footbridge-sheet")).to_have_count(1)
    shop.sheet(name).get_by_role("button", name=button, exact=True).click()
    shop.wait_for_outcome(outcome)
    expect(shop.page.get_by_role("dialog")).to_have_count(0)
    shop.page.go_forward(wait_until="commit")
    shop.page.wait_for_function("restored")
    shop.page.evaluate("onside.getTransactions()")
    expect(shop.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("action, call, outcome", CALLS, ids=[action for action, _, _ in CALLS])
@pytest.mark.parametrize("is_answered_meanwhile", [True, False], ids=["meanwhile", "later"])
def test_a_call_that_waits_is_answered_in_the_restored_page(visit, action, call, outcome, is_answered_meanwhile):
    shop = visit()
    shop.api("POST", "/rules", {"on": action, "times": "once", "then": {"gate": "held"}})
    shop.call(call)
    shop.follow_link()
    if is_answered_meanwhile:
        shop.api("POST", "/gates/held/release")
    shop.back()
    if not is_answered_meanwhile:
        assert shop.page.evaluate("outcome") == "pending"
        shop.api("POST", "/gates/held/release")
    shop.wait_for_outcome(outcome)


def test_a_request_that_a_test_answers_while_the_page_is_cached_is_answered_in_it(visit):
    shop = visit()
    shop.call("ask('journey.custom')")
    [page] = shop.api("GET", "/pages")["pages"]
    shop.follow_link()
    requests = f"/pages/{page['id']}/requests"
    [request] = shop.api("GET", requests)["requests"]
    shop.api("POST", f"{requests}/{request['correlationId']}/respond", {"status": "success", "data": {}})
    shop.back()
    shop.wait_for_outcome('"success"')


def test_a_call_that_is_never_answered_stays_pending_in_the_restored_page(visit):
    shop = visit()
    shop.api("POST", "/rules", {"on": "acme.ping", "then": {"gate": "held"}})
    shop.call("acme.postMessage({ type: 'ping' })")
    for _ in range(2):
        shop.follow_link()
        shop.back()
        assert shop.page.evaluate("outcome") == "pending"


def test_the_open_page_is_asked_in_place_of_the_cached_one(visit):
    shop = visit(account="built-in")
    shop.buy()
    expect(shop.sheet("^Buy")).to_be_visible()
    shop.buy(OTHER_PRODUCT)
    shop.page.evaluate("() => { onside.shouldContinueTransaction = () => false; }")
    shop.follow_link()
    shop.page.evaluate("() => { window.asked = 0; onside.shouldContinueTransaction = () => ++asked > 0; }")
    for _ in range(2):
        shop.sheet("^Buy").get_by_role("button", name="Buy", exact=True).click()
        expect(shop.page.get_by_role("dialog")).to_have_count(0)
    shop.page.wait_for_function("states.filter((state) => state === 'purchased').length === 2")
    assert shop.page.evaluate("asked") == 1


def test_a_page_that_goes_into_the_cache_while_it_is_asked_does_not_stop_the_payment(visit):
    shop = visit(account="built-in")
    shop.page.evaluate("() => { onside.shouldContinueTransaction = () => new Promise(() => {}); }")
    shop.buy()
    shop.follow_link()
    shop.sheet("^Buy").get_by_role("button", name="Buy", exact=True).click()
    shop.page.wait_for_function("states.includes('purchased')")


def test_the_focus_of_the_page_is_back_when_its_sheet_was_answered_elsewhere(visit):
    shop = visit()
    shop.page.locator("#own").focus()
    shop.call("onside.requestLogin()")
    expect(shop.sheet("^Sign in")).to_be_visible()
    shop.follow_link()
    shop.sheet("^Sign in").get_by_role("button", name="Cancel").click()
    shop.back()
    expect(shop.page.locator("#own")).to_be_focused()


def test_a_cached_page_stays_dead_after_its_app_was_launched_again(visit):
    shop = visit()
    shop.call("onside.requestLogin()")
    expect(shop.sheet("^Sign in")).to_be_visible()
    shop.follow_link()
    shop.api("POST", "/relaunch")
    shop.page.goto(shop.server.url + "/?third")
    shop.page.evaluate("onside.getTransactions()")
    shop.page.evaluate("history.go(-2)")
    shop.page.wait_for_function("window.restored && closes.includes(4001)")
    expect(shop.page.get_by_role("dialog")).to_have_count(0)
    assert shop.sheets == [] and shop.page.evaluate("outcome") == "pending"


def test_a_sheet_answered_while_its_page_is_frozen_is_gone_when_it_runs_again(visit):
    shop = visit()
    shop.call("onside.requestLogin()")
    expect(shop.sheet("^Sign in")).to_be_visible()
    devtools = shop.context.new_cdp_session(shop.page)
    devtools.send("Page.setWebLifecycleState", {"state": "frozen"})
    shop.api("POST", f"/sheets/{shop.sheets[0]['id']}/answer", {"approved": False})
    devtools.send("Page.setWebLifecycleState", {"state": "active"})
    expect(shop.page.get_by_role("dialog")).to_have_count(0)
    shop.wait_for_outcome('rejected: {"loginDiscarded":{}}')


def test_a_sheet_answered_while_its_page_has_no_socket_is_gone_when_it_is_back(visit):
    shop = visit()
    shop.call("onside.requestLogin()")
    expect(shop.sheet("^Sign in")).to_be_visible()
    [page] = shop.api("GET", "/pages")["pages"]
    shop.context.set_offline(True)
    shop.api("POST", f"/pages/{page['id']}/disconnect")
    shop.api("POST", f"/sheets/{shop.sheets[0]['id']}/answer", {"approved": False})
    shop.context.set_offline(False)
    expect(shop.page.get_by_role("dialog")).to_have_count(0)
    shop.wait_for_outcome('rejected: {"loginDiscarded":{}}')


def test_the_sheet_of_a_discarded_tab_is_shown_by_another(visit):
    shop = visit()
    other = shop.context.new_page()
    other.goto(shop.server.url)
    other.evaluate("onside.getTransactions()")
    shop.call("onside.requestLogin()")
    expect(shop.sheet("^Sign in")).to_be_visible()
    with contextlib.suppress(Error):
        shop.page.goto("chrome://crash")
    expect(other.get_by_role("dialog", name=re.compile("^Sign in"))).to_be_visible()


def test_an_event_without_a_page_goes_to_the_open_page(visit):
    shop = visit()
    shop.follow_link()
    shop.back()
    shop.api("POST", "/bridges/acme/calls", {"call": "say", "args": ["hello"]})
    shop.page.wait_for_function("window.heard === 'hello'")
