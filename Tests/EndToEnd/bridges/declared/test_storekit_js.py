"""The sample of the manual that gives a page StoreKit 2's words, with a page that uses them as an app does."""

import re

import pytest

from engines import expect
from footbridge_process import PROJECT, serve
from sold_products import COINS, MONTHLY, STICKER, write

MANUAL = (PROJECT / "docs" / "bridges" / "storekit-js.md").read_text()
[SECTION] = re.findall(r"```yaml\n(.*?)```", MANUAL, re.DOTALL)
[VERIFIED] = re.findall(r"```js\n(.*?)```", MANUAL, re.DOTALL)

#: A shop on StoreKit 2, whose native side is the app's own bridge.
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Shop</title></head>
<body>
  <h1>Shop</h1>
  <ul id="products"></ul>
  <button id="sync">Restore purchases</button>
  <h2>You have</h2>
  <ul id="entitlements"></ul>
  <h2>Transactions</h2>
  <ul id="transactions"></ul>
  <output></output>
  <script>
    %s
    // What the app's own script has for StoreKit.
    const native = (call, members = {}) => webkit.messageHandlers.storekit.postMessage({ call, ...members });
    class Transaction {
      constructor(members) {
        Object.assign(this, members);
      }
      finish() {
        return native("finish", { id: this.id });
      }
      static async list(call) {
        return (await native(call)).map((members) => new Transaction(members));
      }
      static all = () => this.list("transactions");
      static unfinished = () => this.list("unfinished");
      static currentEntitlements = () => this.list("currentEntitlements");
      static updates = (take) => addEventListener("storekit:update", ({ detail }) => take(detail));
    }
    class Product {
      constructor(members) {
        Object.assign(this, members);
      }
      async purchase(options = {}) {
        const { state, transaction } = await native("purchase", { id: this.id, ...options });
        return { state, transaction: transaction && new Transaction(transaction) };
      }
      static async products(ids) {
        return (await native("products", { ids })).map((members) => new Product(members));
      }
    }

    // The shop.
    const say = (text) => document.querySelector("output").textContent = text;
    const fill = (list, texts) => document.getElementById(list).replaceChildren(...texts.map((text) => {
      const item = document.createElement("li");
      item.append(text);
      return item;
    }));

    async function deliver(transaction) {
      const { productId, transactionId, bundleId } = await verified(transaction.jws);
      if (transactionId !== transaction.id || !bundleId) throw new Error("The transaction is another one.");
      await transaction.finish();
      say(`Delivered ${productId}`);
    }

    async function show() {
      const entitlements = await Transaction.currentEntitlements();
      fill("entitlements", await Promise.all(entitlements.map(async ({ jws }) => (await verified(jws)).productId)));
      fill("transactions", (await Transaction.all()).map(({ product, reason, revokedAt }) => `${product} ${revokedAt ? "REFUNDED" : reason}`));
    }

    async function buy(product) {
      try {
        const { state, transaction } = await product.purchase({ appAccountToken: "6f1d0a52-6f44-4d3c-9f3a-0d2a2c1a7b11" });
        if (state === "pending") return say("Waiting for approval");
        await deliver(transaction);
        await show();
      } catch (error) {
        say(error.message);
      }
    }

    async function start() {
      const products = await Product.products(["%s", "%s", "%s"]);
      document.getElementById("products").append(...products.map((product) => {
        const button = document.createElement("button");
        button.textContent = `${product.title} ${product.price.text}`;
        button.onclick = () => buy(product);
        return button;
      }));
      Transaction.updates(async ({ notice, transaction }) => {
        for (const unfinished of await Transaction.unfinished()) await deliver(unfinished);
        await show();
        say(`${notice} ${transaction.product}`);
      });
      document.getElementById("sync").onclick = () => native("sync").then(show);
      for (const unfinished of await Transaction.unfinished()) await deliver(unfinished);
      await show();
    }
    start().catch((error) => say(error.message));
  </script>
</body>
</html>
""" % (VERIFIED, COINS, STICKER, MONTHLY)


@pytest.fixture
def shop(tmp_path, page):
    """Starts the shop in a session with these members, and returns what its session answers."""
    servers = []

    def shop(*options, **members):
        (tmp_path / "index.html").write_text(PAGE)
        (tmp_path / "footbridge.yaml").write_text(SECTION)
        options = ["--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--catalog", write(tmp_path), "--ephemeral", *options]
        servers.append(serve(*options))
        control = servers[-1].control()
        session = control.session(account="built-in", **members)
        control.enter(page.context, session)
        page.goto(servers[-1].url)
        return lambda method, path, body=None: control(method, f"/sessions/{session['id']}{path}", body)

    yield shop
    for server in servers:
        server.stop()


def test_a_page_buys_with_the_words_of_storekit_2_and_verifies_the_transaction(shop, page):
    session = shop()
    page.get_by_role("button", name="Coins $0.99").click()
    page.get_by_role("dialog").get_by_role("button", name="Buy").click()
    expect(page.get_by_role("status")).to_have_text(f"Delivered {COINS}")
    assert session("GET", "/transactions") == {"transactions": []}
    assert session("GET", "/purchases")["purchases"][0]["appAccountToken"] == "6f1d0a52-6f44-4d3c-9f3a-0d2a2c1a7b11"
    expect(page.locator("#transactions li")).to_have_text([f"{COINS} PURCHASE"])
    expect(page.locator("#entitlements li")).to_have_count(0)
    page.get_by_role("button", name="Sticker $2.99").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("status")).to_have_text("The purchase was cancelled.")


def test_the_page_hears_a_renewal_and_a_refund_as_updates(shop, page):
    session = shop("--present", "auto", clock={"frozen": True, "now": "2030-01-01T00:00:00Z"})
    page.get_by_role("button", name="Pro Monthly $4.99").click()
    expect(page.locator("#entitlements li")).to_have_text([MONTHLY])
    session("POST", "/clock/advance", {"duration": "P7D"})
    expect(page.get_by_role("status")).to_have_text(f"renewed {MONTHLY}")
    expect(page.locator("#transactions li")).to_have_text([f"{MONTHLY} PURCHASE", f"{MONTHLY} RENEWAL"])
    session("POST", f"/purchases/{session('GET', '/purchases')['purchases'][-1]['id']}/refund")
    expect(page.get_by_role("status")).to_have_text(f"refunded {MONTHLY}")
    expect(page.locator("#entitlements li")).to_have_count(0)
    expect(page.locator("#transactions li")).to_have_text([f"{MONTHLY} PURCHASE", f"{MONTHLY} REFUNDED"])


def test_unfinished_and_approved_transactions_are_delivered(shop, page):
    session = shop("--present", "auto", settings={"askToBuy": True}, purchases=[{"product": STICKER, "finished": False}])
    expect(page.get_by_role("status")).to_have_text(f"Delivered {STICKER}")
    expect(page.locator("#entitlements li")).to_have_text([STICKER])
    page.get_by_role("button", name="Coins $0.99").click()
    expect(page.get_by_role("status")).to_have_text("Waiting for approval")
    [waiting] = session("GET", "/transactions")["transactions"]
    session("POST", f"/transactions/{waiting['id']}/approve")
    expect(page.get_by_role("status")).to_have_text(f"purchased {COINS}")
    assert session("GET", "/transactions") == {"transactions": []}
    page.get_by_role("button", name="Restore purchases").click()
    expect(page.locator("#entitlements li")).to_have_text([STICKER])


def test_a_transaction_with_another_signature_is_not_delivered(shop, page):
    shop("--present", "auto", purchases=[{"product": STICKER, "finished": True}])
    expect(page.locator("#entitlements li")).to_have_text([STICKER])
    forged = "([jws]) => { const [a, , c] = jws.split('.'); return verified(`${a}.${btoa('{}').replaceAll('=', '')}.${c}`).catch(String); }"
    jws = page.evaluate("Transaction.currentEntitlements().then(([{ jws }]) => jws)")
    assert page.evaluate("jws => verified(jws)", jws)["productId"] == STICKER
    assert page.evaluate(forged, [jws]) == "Error: The transaction has another signature."
