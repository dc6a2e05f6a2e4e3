"""The store of a session, as declared bridges use it: answers of the file, and handlers in Python and JavaScript."""

import base64
import json
import pathlib
import re
import sys

import playwright
import pytest

from footbridge_process import PROJECT, serve
from sold_products import COINS, MONTHLY, STICKER, YEARLY, write

NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"
KITS = PROJECT / "web" / "testing"

PYTHON = """
from pytest_footbridge.handler import Handler, StoreError

acme = Handler()


@acme.on("products")
def products(message):
    return message.store.products(*message.body["ids"])


@acme.on("buy")
def buy(message):
    return message.store.purchase(message.body["id"], offer=message.body.get("offer"), app_account_token=message.body.get("token"))


@acme.on("code")
def code(message):
    try:
        message.store.purchase(message.body["id"])
    except StoreError as error:
        return error.code


acme.on("finish")(lambda message: message.store.finish(message.body["id"]))
acme.on("restore")(lambda message: message.store.restore())
acme.on("history")(lambda message: message.store.history())
acme.on("has")(lambda message: [message.store.unfinished(), message.store.entitlements(), message.store.transactions(), message.store.storefront()])


@acme.when("store")
def store(notice):
    notice.event("acme:store", [notice.members["notice"], notice.members.get("product")])


acme.run()
"""

JAVASCRIPT = """
import { run } from "%s/handler.mjs";

run({
  products: ({ store, body }) => store.products(...body.ids),
  buy: ({ store, body }) => store.purchase(body.id, { offer: body.offer, appAccountToken: body.token }),
  code: ({ store, body }) => store.purchase(body.id).catch((error) => error.code),
  finish: ({ store, body }) => store.finish(body.id),
  restore: ({ store }) => store.restore(),
  history: ({ store }) => store.history(),
  has: ({ store }) => Promise.all([store.unfinished(), store.entitlements(), store.transactions(), store.storefront()]),
}, {
  store: (notice) => notice.event("acme:store", [notice.members.notice, notice.members.product ?? null]),
});
""" % KITS.as_uri()

ADAPTER = """
const { store } = native;
const answers = {
  products: ({ ids }) => store.products(...ids),
  buy: ({ id, offer, token }) => store.purchase(id, { offer, appAccountToken: token }),
  code: ({ id }) => store.purchase(id).catch((error) => error.code),
  finish: ({ id }) => store.finish(id),
  restore: () => store.restore(),
  history: () => store.history(),
  has: () => Promise.all([store.unfinished(), store.entitlements(), store.transactions(), store.storefront()]),
  many: ({ count }) => Promise.all(Array.from({ length: count }, () => store.products("%s", "%s").then((list) => list.length, (error) => {
    native.event("acme:after", error.code);
    return error.code;
  }))),
  wrong: () => Promise.all([store.finish(7), store.purchase(), store.products("x".repeat(1001))].map((asked) => asked.catch((error) => error.code))),
};
native.channel("acme", { reply: true }, (message) => answers[message.type](message));
store.listen((notice) => native.event("acme:store", [notice.notice, notice.product ?? null])).catch(() => {});
""" % (COINS, STICKER)

ANSWERS = """
    answers:
      products: { store: products, products: !from /ids }
      buy: [{ store: purchase, product: !from /id, offer: !from /offer, appAccountToken: !from /token }, { event: "acme:after", detail: !from /id }]
      bought: { store: purchase, product: !from /id, reply: { order: !from /transaction/id } }
      finish: { store: finish, transaction: !from /id }
      restore: { store: restore }
      history: { store: history }
      unfinished: { store: unfinished }
      entitlements: { store: entitlements }
      transactions: { store: transactions }
      storefront: { store: storefront }
    notices:
      refunded: { event: "acme:store", detail: [!from /notice, !from /product] }
      renewed: { event: "acme:store", detail: [!from /notice, !from /product] }
      purchased: { event: "acme:store", detail: [!from /notice, !from /product] }
      declined: { event: "acme:store", detail: [!from /notice, !from /product] }
"""

PAGE = """<!doctype html><title>App</title><script>
window.log = [];
for (const name of ["acme:store", "acme:after"]) addEventListener(name, ({ detail }) => log.push(detail));
window.post = (message) => webkit.messageHandlers.acme.postMessage(message)
  .then((value) => ({ value }), (error) => ({ error: String(error) }));
</script>"""


class App:
    """A page of a session with an account, and the control API of both."""

    def __init__(self, server, page, **members):
        self.control = server.control()
        self.session = self.control.session(account="built-in", **members)
        self.path = f"/sessions/{self.session['id']}"
        self.page = page
        self.control.enter(page.context, self.session)
        page.goto(server.url)

    def post(self, **message):
        return self.page.evaluate("message => post(message)", message)

    def begin(self, **message):
        """Posts a message whose answer takes time: `answer` gives it."""
        self.page.evaluate("message => void (window.answer = post(message))", message)

    def answer(self):
        return self.page.evaluate("answer")

    def buy(self, product, **more):
        """Buys in the payment sheet of the page, and returns the transaction."""
        self.begin(type="buy", id=product, **more)
        self.page.get_by_role("dialog").get_by_role("button", name="Buy").click()
        value = self.answer()["value"]
        assert value["state"] == "purchased"
        return value["transaction"]

    def __call__(self, method, path, body=None):
        return self.control(method, self.path + path, body)

    def heard(self, *notice):
        """Waits until the page has heard a notice of the store: the `detail` of an event, or the elements of one."""
        notice = notice[0] if len(notice) == 1 else notice
        self.page.wait_for_function("notice => log.some((entry) => JSON.stringify(entry) === notice)", arg=json.dumps(notice, separators=(",", ":")))


@pytest.fixture(params=["python", "javascript", "adapter", "answers"])
def by(request):
    return request.param


@pytest.fixture
def start(tmp_path, page, by):
    servers = []

    def start(*options, **members):
        (tmp_path / "index.html").write_text(PAGE)
        (tmp_path / "acme.py").write_text(PYTHON)
        (tmp_path / "acme.mjs").write_text(JAVASCRIPT)
        run = {"python": [sys.executable, "acme.py"], "javascript": [str(NODE), "acme.mjs"]}
        (tmp_path / "acme-native.js").write_text(ADAPTER)
        channels = "    channels: { acme: { reply: true } }\n    name: /type\n"
        ways = {"answers": channels + ANSWERS, "adapter": "    adapter: acme-native.js\n"}
        config = tmp_path / "footbridge.yaml"
        config.write_text("bridges:\n  acme:\n" + (ways.get(by) or f"{channels}    handler: {{ run: {run[by]} }}\n"))
        servers.append(serve(
            "--root", tmp_path, "--config", config, "--catalog", write(tmp_path), "--ephemeral", *options, environment={"PYTHONPATH": str(KITS)}))
        return App(servers[-1], page, **members)

    yield start
    for server in servers:
        server.stop()


def payload(jws):
    part = jws.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def of(app, by):
    """The unfinished transactions, the entitlements, all transactions, and the country."""
    if by != "answers":
        return app.post(type="has")["value"]
    return [app.post(type=name)["value"] for name in ("unfinished", "entitlements", "transactions", "storefront")]


def test_a_bridge_lists_the_products_of_the_catalogue(start):
    app = start()
    products = app.post(type="products", ids=[MONTHLY, "unknown", COINS])["value"]
    assert [product["id"] for product in products] == [MONTHLY, COINS]
    assert products[1]["price"] == {"value": 0.99, "currencyCode": "USD", "text": "$0.99"}
    subscription = products[0]["subscription"]
    assert (subscription["period"], subscription["eligibleForIntroductoryOffer"]) == ("P1M", True)
    assert [subscription["introductoryOffer"][name] for name in ("id", "mode", "period")] == [None, "free", "P1W"]
    assert [offer["id"] for offer in subscription["promotionalOffers"] + subscription["winBackOffers"]] == ["half", "back"]


def test_a_bridge_buys_with_the_payment_sheet_and_finishes_the_transaction(start, by):
    app = start()
    bought = app.buy(COINS, token="eva")
    assert (bought["product"], bought["appAccountToken"], bought["finished"]) == (COINS, "eva", False)
    assert payload(bought["jws"])["transactionId"] == bought["id"]
    unfinished, entitlements, transactions, storefront = of(app, by)
    assert [entry["id"] for entry in unfinished] == [bought["id"]] == [entry["id"] for entry in transactions]
    assert (entitlements, storefront) == ([], {"countryCode": "US"})
    assert app.post(type="finish", id=bought["id"]).get("value") is None
    assert of(app, by)[0] == []
    assert "unfinished" in app.post(type="finish", id=bought["id"])["error"]


@pytest.mark.parametrize("by", ["answers"], indirect=True)
def test_purchases_of_all_bridges_wait_for_one_login(start):
    app = start("--present", "auto")
    app.page.evaluate(
        """async ([first, second, third]) => {
          onside.onTransactionsUpdated = () => {};
          await onside.loadProducts({ productIdentifiers: [first, third] });
          await onside.logout();
          await Promise.all([
            onside.purchase({ productIdentifier: first }), post({ type: "buy", id: second }), onside.purchase({ productIdentifier: third }),
          ]);
        }""", [COINS, STICKER, MONTHLY])
    app.page.wait_for_function("""() => onside.getTransactions().then((transactions) => {
      window.queue = transactions;
      return transactions.length === 3 && transactions.every(({ transactionState }) => transactionState === "purchased");
    })""")
    assert sorted(app.page.evaluate("queue.map(({ payment }) => payment.product.productIdentifier)")) == sorted([COINS, STICKER, MONTHLY])


@pytest.mark.parametrize("by", ["adapter"], indirect=True)
def test_errors_set_for_purchases_apply_to_all_bridges(start):
    app = start()
    for error, code in [("unknownProduct", "unknownProduct"), ("loginDiscarded", "cancelled")]:
        app("PATCH", "/settings", {"calls": {"purchase": {"error": error, "once": True}}})
        assert app.post(type="code", id=COINS) == {"value": code}


def test_a_purchase_that_the_person_dismisses_is_an_error(start, by):
    app = start()
    app.begin(type="buy", id=COINS)
    app.page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert app.answer() == {"error": "Error: The purchase was cancelled."}
    # The queue has nothing left of it.
    assert app("GET", "/transactions") == {"transactions": []}
    assert "unknown" in app.post(type="buy", id="unknown")["error"]
    if by != "answers":
        assert app.post(type="code", id="unknown") == {"value": "unknownProduct"}
        assert app.page.evaluate("log") == []


def test_restoring_returns_what_the_account_has_and_leaves_nothing_in_the_queue(start):
    app = start(purchases=[{"product": STICKER, "finished": True}, {"product": COINS, "finished": True}])
    restored = app.post(type="restore")["value"]
    assert [entry["product"] for entry in restored] == [STICKER]
    assert app("GET", "/transactions") == {"transactions": []}


def test_a_subscription_renews_and_is_refunded_and_the_page_hears_of_both(start, by):
    app = start("--present", "auto", clock={"frozen": True, "now": "2030-01-01T00:00:00Z"})
    bought = app.post(type="buy", id=MONTHLY)["value"]["transaction"]
    assert bought["subscription"]["offer"] == {"id": None, "mode": "free"}
    assert bought["expiresAt"] == "2030-01-08T00:00:00.000Z"
    app("POST", "/clock/advance", {"duration": "P7D"})
    app.heard("renewed", MONTHLY)
    [renewed] = of(app, by)[1]
    assert (renewed["reason"], renewed["originalId"], renewed["subscription"]["offer"]) == ("RENEWAL", bought["id"], None)
    app("POST", f"/purchases/{renewed['id']}/refund")
    app.heard("refunded", MONTHLY)
    assert of(app, by)[1] == []


def test_a_purchase_that_waits_for_approval_is_pending_and_the_page_hears_the_decision(start):
    app = start("--present", "auto", settings={"askToBuy": True})
    for decision, notice in [("approve", "purchased"), ("decline", "declined")]:
        assert app.post(type="buy", id=COINS)["value"] == {"state": "pending"}
        [waiting] = [entry for entry in app("GET", "/transactions")["transactions"] if entry["waitingFor"] == "approval"]
        app("POST", f"/transactions/{waiting['id']}/{decision}")
        app.heard(notice, COINS)


def test_a_former_subscriber_buys_with_an_offer(start):
    app = start("--present", "auto")
    assert "half is for present and former subscribers" in app.post(type="buy", id=MONTHLY, offer="half")["error"]
    assert "has no offer none" in app.post(type="buy", id=MONTHLY, offer="none")["error"]
    first = app.post(type="buy", id=MONTHLY)["value"]["transaction"]
    assert "would change nothing" in app.post(type="buy", id=MONTHLY, offer="half")["error"]
    app("POST", f"/purchases/{first['id']}/expire")
    bought = app.post(type="buy", id=MONTHLY, offer="back")["value"]["transaction"]
    assert bought["price"]["text"] == "$1.49"
    assert bought["subscription"]["offer"] == {"id": "back", "mode": "payUpFront"}


def test_the_history_is_signed_with_the_key_of_the_store(start):
    app = start(purchases=[{"product": STICKER}])
    history = payload(app.post(type="history")["value"])
    assert [entry["product_id"] for entry in history["transactions"]] == [STICKER]


def test_nobody_who_is_not_signed_in_buys_without_a_login(start):
    app = start()
    app("PATCH", "", {"account": None})
    app.begin(type="buy", id=COINS)
    app.page.get_by_role("dialog").get_by_role("button", name="Cancel").first.click()
    assert app.answer() == {"error": "Error: The person has dismissed the login."}


def test_a_session_without_a_store_says_so(start, tmp_path, page):
    start()
    (tmp_path / "off.yaml").write_text(
        "onside: { enabled: false }\nbridges: { acme: { channels: { acme: { reply: true } }, answers: { message: { store: entitlements } } } }")
    with serve("--root", tmp_path, "--config", tmp_path / "off.yaml", "--ephemeral") as server:
        page.context.clear_cookies()
        page.goto(server.url)
        assert "This session has no store" in page.evaluate("post({})")["error"]


def test_answers_after_a_purchase_wait_for_it(start, by, page):
    if by != "answers":
        pytest.skip("Only a file has answers.")
    app = start()
    app.begin(type="bought", id=YEARLY)
    dialog = app.page.get_by_role("dialog")
    dialog.get_by_role("button", name="Buy").click()
    assert set(app.answer()["value"]) == {"order"}
    app.begin(type="buy", id=COINS)
    dialog.get_by_role("button", name="Cancel").click()
    assert "cancelled" in app.answer()["error"]
    app.buy(COINS)
    # Only the purchase that was made is followed by an event.
    assert app.page.evaluate("log") == [COINS]


def test_an_adapter_hears_the_store_again_after_its_page_has_lost_the_connection(start, by):
    if by != "adapter":
        pytest.skip("Only an adapter listens itself.")
    app = start("--present", "auto", clock={"frozen": True, "now": "2030-01-01T00:00:00Z"})
    app.post(type="buy", id=MONTHLY)
    [page] = app("GET", "/pages")["pages"]
    app("POST", f"/pages/{page['id']}/disconnect")
    app("POST", "/clock/advance", {"duration": "P7D"})
    app.heard("renewed", MONTHLY)


def test_the_requests_of_an_adapter_are_limited_and_checked(start, by):
    if by != "adapter":
        pytest.skip("Only an adapter asks without a handler.")
    app = start(clock={"frozen": True}, settings={"calls": {"loadProducts": {"delay": 60_000}}})
    assert app.post(type="wrong") == {"value": ["badRequest"] * 3}
    app.begin(type="many", count=101)
    app.page.wait_for_function("log.length === 1")
    # All others wait.
    assert app.page.evaluate("log") == ["limit"]
    app("POST", "/clock/advance", {"duration": "PT60S"})
    assert app.answer()["value"] == [2] * 100 + ["limit"]


def samples(language):
    return re.findall(rf"```{language}\n(.*?)```", (PROJECT / "docs" / "store.md").read_text(), re.DOTALL)


def test_the_adapter_of_the_manual_sells(tmp_path, page):
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "acme-native.js").write_text(samples("js")[1])
    (tmp_path / "footbridge.yaml").write_text("bridges: { acme: { adapter: acme-native.js } }")
    options = ["--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--catalog", write(tmp_path), "--ephemeral", "--present", "auto"]
    with serve(*options) as server:
        app = App(server, page)
        assert app.post(product=COINS) == {"value": "purchased"}
        [order] = app("GET", "/purchases")["purchases"]
        app("POST", f"/purchases/{order['id']}/refund")
        app.heard({"notice": "refunded", "product": COINS})
        assert app("GET", "/transactions") == {"transactions": []}


@pytest.mark.parametrize("language", ["python", "js"])
def test_the_handlers_of_the_manual_sell(tmp_path, page, language):
    sample = samples(language)[0]
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "footbridge").symlink_to(KITS)
    program, file = (sys.executable, "acme.py") if language == "python" else (str(NODE), "acme.mjs")
    (tmp_path / file).write_text(sample)
    (tmp_path / "footbridge.yaml").write_text(
        f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: true }} }}, name: /type, handler: {{ run: [{program}, {file}] }} }} }}")
    options = ["--config", tmp_path / "footbridge.yaml", "--catalog", write(tmp_path), "--ephemeral", "--present", "auto"]
    with serve("--root", tmp_path, *options, environment={"PYTHONPATH": str(KITS)}) as server:
        app = App(server, page)
        assert app.post(type="buy", product=COINS)["value"] == {"bought": True}
        assert app("GET", "/transactions") == {"transactions": []}
        [order] = app("GET", "/purchases")["purchases"]
        app("POST", f"/purchases/{order['id']}/refund")
        page.wait_for_function("() => log.includes('refunded')")
