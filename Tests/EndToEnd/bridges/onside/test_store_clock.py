"""The store follows the clock by itself: a look changes nothing, and nobody pays more than the sheet said."""

import random

import pytest

from footbridge_process import FIXTURES, serve
from wire_page import WirePage

GOLD, SILVER, BRONZE = ("com.rarcher.subscription.vip." + level for level in ("gold", "silver", "bronze"))
OTHER = "com.rarcher.green"
STICKER = "com.rarcher.nonconsumable.flowers.large"
COINS = "com.rarcher.consumable.plant.installation"
NOW = "2026-01-31T12:00:00.000Z"


@pytest.fixture(scope="module")
def server(shop_root):
    with serve("--root", shop_root, "--catalog", FIXTURES / "storehelper-sample.storekit", "--present", "control", "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


class Store:
    """A session whose clock stands still, and a page of it that has loaded all products."""

    def __init__(self, server, control, products=(GOLD, SILVER, BRONZE, OTHER, STICKER, COINS), **members):
        self.control = control
        session = control.session(**{"account": "built-in", "clock": {"frozen": True, "now": NOW}} | members)
        self.id = session["id"]
        self.path = f"/sessions/{self.id}"
        self.page = WirePage(server.port, session=session["cookie"]["value"])
        self.page.call("onside.loadProducts", productIdentifiers=list(products))

    def __call__(self, method, path, body=None):
        return self.control(method, self.path + path, body)

    def status(self, method, path, body=None):
        return self.control.request(method, self.path + path, body).status

    def add(self, product, **members):
        """Adds an order, and returns it."""
        return self("POST", "/purchases", {"product": product, **members})["purchases"][0]

    def buy(self, product):
        self.page.call("onside.purchase", productIdentifier=product)

    def advance(self, duration):
        self("POST", "/clock/advance", {"duration": duration})

    def entry(self, count=1, **until):
        """Waits until the journal has so many entries of a kind, and returns the last of them."""
        after = 0
        for _ in range(count):
            found = self("POST", "/journal/wait", {"until": until, "after": after})
            after = found["next"]
        return found["entry"]

    def sheet(self, kind, count=1):
        """Waits until so many sheets of this kind were opened. Returns the last of them."""
        entry = self.entry(count, kind="sheetOpened", action=kind)
        return next(sheet for sheet in self("GET", "/sheets")["sheets"] if sheet["id"] == entry["data"]["id"])

    def answer(self, sheet, approved=True):
        self("POST", f"/sheets/{sheet['id']}/answer", {"approved": approved})

    @property
    def ledger(self):
        return self("GET", "/purchases")

    @property
    def prices(self):
        return [order["price"]["value"] for order in self.ledger["purchases"]]

    @property
    def transactions(self):
        return self("GET", "/transactions")["transactions"]


@pytest.fixture
def store(server, control):
    pages = []

    def make(**members):
        store = Store(server, control, **members)
        pages.append(store.page)
        return store

    yield make
    for page in pages:
        page.close()


def test_a_price_increase_that_waits_while_the_period_ends_is_not_charged(store):
    shop = store()
    order = shop.add(BRONZE)
    shop("POST", f"/purchases/{order['id']}/price-increase", {"price": 9.99})
    sheet = shop.sheet("priceIncrease")
    shop.advance("P2M")
    # The subscription has ended, and nobody has looked.
    assert shop.status("POST", f"/sheets/{sheet['id']}/answer", {"approved": True}) == 404
    assert shop.prices == [4.99] and shop.ledger["subscriptions"] == []
    shop.entry(kind="sheetAnswered", action="priceIncrease")


def test_a_price_increase_that_waits_is_not_charged_on_a_running_clock_either(store):
    shop = store(settings={"timeRate": 1005})
    order = shop.add(BRONZE)
    shop("POST", f"/purchases/{order['id']}/price-increase", {"price": 9.99})
    shop.sheet("priceIncrease")
    shop("PATCH", "/clock", {"frozen": False})
    shop.entry(kind="sheetAnswered", action="priceIncrease")
    assert shop("GET", "/sheets")["sheets"] == []
    assert shop.prices == [4.99] and shop.ledger["subscriptions"] == []


def test_a_sheet_that_says_another_increase_is_replaced(store):
    shop = store()
    order = shop.add(BRONZE)
    shop("POST", f"/purchases/{order['id']}/price-increase", {"price": 5.99})
    first = shop.sheet("priceIncrease")
    shop("POST", f"/purchases/{order['id']}/price-increase", {"price": 99.99})
    second = shop.sheet("priceIncrease", count=2)
    assert (first["content"]["newPrice"]["value"], second["content"]["newPrice"]["value"]) == (5.99, 99.99)
    assert shop.status("POST", f"/sheets/{first['id']}/answer", {"approved": True}) == 404
    shop.answer(second)
    shop.advance("P1M")
    assert shop.prices == [4.99, 99.99]


def test_an_offer_that_is_used_up_while_the_sheet_is_open_is_asked_for_again(store):
    shop = store()
    shop.buy(GOLD)
    payment = shop.sheet("payment")
    assert payment["content"]["price"]["value"] == 1.99
    # The same person subscribes elsewhere, and it is over.
    other = shop.add(GOLD)
    shop("POST", f"/purchases/{other['id']}/expire")
    shop.answer(payment)
    change = shop.sheet("priceChange")
    assert (change["content"]["oldPrice"]["value"], change["content"]["newPrice"]["value"]) == (1.99, 19.99)
    assert change["content"]["price"]["value"] == 19.99
    shop.answer(change)
    shop.page.wait_for_state("purchased")
    assert shop.prices == [1.99, 19.99]


@pytest.mark.parametrize("setting, waiting", [("askToBuy", "approval"), ("interruptedPurchases", "interruption")])
def test_a_payment_that_waits_is_charged_what_its_sheet_said(store, setting, waiting):
    shop = store(settings={setting: True})
    shop.buy(GOLD)
    shop.answer(shop.sheet("payment"))
    shop.entry(kind="store", action="transaction", data={"waitingFor": waiting})
    other = shop.add(GOLD)
    shop("POST", f"/purchases/{other['id']}/expire")
    shop("PATCH", "/settings", {setting: False})
    [transaction] = shop.transactions
    shop("POST", f"/transactions/{transaction['id']}/approve")
    shop.page.wait_for_state("purchased")
    assert shop.prices == [1.99, 1.99]


def test_who_buys_again_what_has_become_more_expensive_is_told_its_price(store):
    shop = store()
    order = shop.add(BRONZE)
    shop("POST", f"/purchases/{order['id']}/price-increase", {"price": 9.99})
    shop.answer(shop.sheet("priceIncrease"), approved=False)
    shop.entry(action="subscriptions", data={"subscriptions": {"$contains": {"renewsAutomatically": False}}})
    shop.buy(BRONZE)
    change = shop.sheet("priceChange")
    assert (change["content"]["oldPrice"]["value"], change["content"]["newPrice"]["value"]) == (4.99, 9.99)
    shop.answer(change)
    shop.page.wait_for_state("purchased")
    shop.advance("P1M")
    assert shop.prices == [4.99, 9.99]


def test_an_approved_payment_does_not_wait_for_the_sheet_of_a_later_one(store):
    shop = store(settings={"askToBuy": True})
    shop.buy(STICKER)
    shop.answer(shop.sheet("payment"))
    shop.entry(kind="store", action="transaction", data={"waitingFor": "approval"})
    shop.buy(COINS)
    shop.sheet("payment", count=2)
    first, second = shop.transactions
    shop("POST", f"/transactions/{first['id']}/approve")
    [bought] = shop.page.wait_for_state("purchased")
    assert bought["payment"]["product"]["productIdentifier"] == STICKER and shop.prices == [1.99]
    assert [transaction["state"] for transaction in shop.transactions] == ["purchased", "purchasing"]


def restore(store):
    """Restores on a device, and returns the orders that come."""
    store.page.call("onside.restoreCompletedTransactions")
    return [each["transactionIdentifier"] for each in store.page.wait_for_state("restored")]


def test_an_order_that_is_deleted_leaves_no_transaction_on_any_device(store):
    phone = store()
    tablet = store(deviceOf=phone.id)
    order, other = phone.add(STICKER), phone.add(OTHER)
    assert restore(tablet) == [order["id"], other["id"]]
    phone("DELETE", f"/purchases/{order['id']}")
    assert [each["transactionIdentifier"] for each in tablet.transactions] == [other["id"]]
    [removed] = tablet.page.wait_for_event("onside.onTransactionsRemoved")
    assert [each["transactionIdentifier"] for each in removed["transactions"]] == [order["id"]]
    phone("DELETE", "/purchases")
    assert tablet.transactions == []


def test_an_order_that_is_deleted_while_a_device_is_off_leaves_no_transaction_there(shop_root, tmp_path):
    arguments = "--root", shop_root, "--catalog", FIXTURES / "storehelper-sample.storekit", "--state", tmp_path / "state"
    with serve(*arguments) as server:
        control = server.control()
        phone = Store(server, control)
        tablet = Store(server, control, deviceOf=phone.id)
        order, other = phone.add(STICKER), phone.add(OTHER)
        assert restore(tablet) == [order["id"], other["id"]]
        for device in (phone, tablet):
            device.page.close()
    with serve(*arguments) as server:
        control = server.control()
        control("DELETE", f"{phone.path}/purchases/{order['id']}")
        left = control("GET", f"{tablet.path}/transactions")["transactions"]
        assert [each["transactionIdentifier"] for each in left] == [other["id"]]


def test_during_an_offer_the_sheet_says_when_the_new_price_comes(store):
    shop = store()
    order = shop.add(GOLD)
    shop("POST", f"/purchases/{order['id']}/price-increase", {"price": 29.99})
    sheet = shop.sheet("priceIncrease")
    # 30 April: the three periods of the offer are over.
    assert sheet["content"]["renewsAt"] == 1777550400000
    shop.advance("P2M")
    assert shop.prices == [1.99, 1.99, 1.99]
    # It asks on, and says the same.
    assert [each["id"] for each in shop("GET", "/sheets")["sheets"]] == [sheet["id"]]
    shop.answer(sheet)
    shop.entry(action="subscriptions", data={"subscriptions": {"$contains": {"priceIncrease": {"status": "agreed"}}}})
    shop.advance("P2M")
    assert shop.prices == [1.99, 1.99, 1.99, 29.99, 29.99]


class Commands:
    """A random sequence of commands for the store of one session, the same for the same seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def run(self, shop, looks):
        """Runs the commands, with a look at everything between them or without one."""
        numbers = random.Random(self.random.random())
        orders = []
        for _ in range(25):
            if looks:
                for path in ("/purchases", "/transactions", "/sheets", "/accounts", "/settings"):
                    shop("GET", path)
            self.step(shop, numbers, orders)
        return orders

    @staticmethod
    def step(shop, numbers, orders):
        command = numbers.choice(["add", "add", "advance", "advance", "refund", "expire", "renew", "cancel", "resume", "issues", "rate",
                                  "delete", "increase", "consent", "decline"])
        product = numbers.choice([GOLD, SILVER, BRONZE, OTHER, STICKER, COINS])
        account = numbers.choice(["eva", "ana"])
        number = numbers.random()
        if command == "add":
            orders.append(shop.add(product, account=account)["id"])
        elif command == "advance":
            shop.advance(numbers.choice(["PT3S", "P1D", "P20D", "P1M", "P3M", "P1Y"]))
        elif command == "issues":
            shop("PATCH", "/settings", {"renewalBillingIssues": number < 0.4, "billingGracePeriod": number < 0.2})
        elif command == "rate":
            shop("PATCH", "/settings", {"timeRate": numbers.choice([0, 1, 10, 15])})
        elif orders:
            order = f"/purchases/{orders[int(number * len(orders))]}"
            path, body = {
                "increase": (f"{order}/price-increase", {"price": round(100 + number * 100, 2)}), "delete": (order, None),
                "consent": (f"{order}/price-increase/consent", None), "decline": (f"{order}/price-increase/decline", None),
            }.get(command, (f"{order}/{command}", None))
            shop.status("DELETE" if command == "delete" else "POST", path, body)


def told(shop):
    """What a session has to tell: its ledger, its transactions, its sheets, and the changes in its journal."""
    entries = shop("GET", "/journal?limit=1000")["entries"]
    return (
        shop.ledger, shop.transactions, [sheet["content"] for sheet in shop("GET", "/sheets")["sheets"]],
        [(entry["action"], entry["data"]) for entry in entries if entry["kind"] == "store"],
    )


@pytest.fixture(scope="module")
def two_accounts(tmp_path_factory):
    """The options of servers with two accounts, whose ids are the same each time."""
    config = tmp_path_factory.mktemp("accounts") / "footbridge.yaml"
    config.write_text(
        "onside:\n  accounts:\n"
        "    - { id: eva, name: Eva, email: eva@example.com, country: US }\n"
        "    - { id: ana, name: Ana, email: ana@example.com, country: US }\n"
    )
    return "--config", config, "--catalog", FIXTURES / "storehelper-sample.storekit", "--present", "control", "--ephemeral", "--seed", "7"


def test_a_look_changes_nothing(shop_root, two_accounts):
    histories = []
    for looks in (False, True):
        with serve("--root", shop_root, *two_accounts) as server:
            control = server.control()
            history = []
            for seed in range(12):
                shop = Store(server, control, account="eva", name=f"number {seed}")
                shop.page.close()
                Commands(seed).run(shop, looks)
                history.append(told(shop))
            histories.append(history)
    for seed, (without, with_looks) in enumerate(zip(*histories)):
        assert without == with_looks, f"seed {seed}"


def test_the_time_after_a_failed_renewal_is_not_paid_also_if_a_test_ends_the_subscription(store):
    shop = store(settings={"renewalBillingIssues": True})
    order = shop.add(BRONZE)
    shop.advance("P2M")
    assert shop.ledger["subscriptions"][0]["inBillingRetry"]
    shop("POST", f"/purchases/{order['id']}/expire")
    assert shop.ledger["subscriptions"] == []
    assert shop.ledger["purchases"][0]["expiresAt"] == "2026-02-28T12:00:00.000Z"
