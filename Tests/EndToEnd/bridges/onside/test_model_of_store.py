"""The store of a session does what its model does (`models/app.py`), whatever pages, people and tests do with it, in whatever order.

Hypothesis invents the commands, and shortens a case in which the two differ. `FOOTBRIDGE_MODEL_MINUTES` says for how long; without it, a run has
so many cases as `RUNS` says.
"""

import collections
import sys
import threading
import time
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from footbridge_process import FIXTURES, LONG, serve
from model_runs import Wait, run_model, timeout_of_models
from models.app import App
from models.catalogue import PRODUCTS
from session_control import SessionControl
from wire_page import Rejection, WirePage

RUNS, STEPS = 50, 200
#: How many commands there are between two that cost much: a look at everything, and a launch.
REST = 10
pytestmark = timeout_of_models
ACCOUNTS = ["eva", "ana"]
START = datetime(2026, 1, 31, 12, tzinfo=timezone.utc)


def text(time):
    """A time as the control API writes it."""
    return time and time.strftime("%Y-%m-%dT%H:%M:%S.000Z")


class RealApp:
    """An app on the real server, with one page."""

    def __init__(self, server, control):
        self.port = server.port
        session = control.session(account=ACCOUNTS[0], clock={"frozen": True, "now": text(START)})
        self.control = SessionControl(control, session["id"])
        self.request = self.control.request
        self.cookie = session["cookie"]["value"]
        #: What the page was told. Transactions have numbers, in the order in which they came.
        self.told = []
        self.numbers = {}
        self._changed = threading.Condition()
        self.page = None
        self.open()

    def open(self):
        self.page = WirePage(self.port, session=self.cookie, on_event=self._note)
        self.page.call("onside.loadProducts", productIdentifiers=list(PRODUCTS))

    def _note(self, action, data):
        with self._changed:
            transactions = [
                (self.numbers.setdefault(each["id"], len(self.numbers)), each["transactionState"]) for each in data.get("transactions", [])
            ]
            self.told.append((action.removeprefix("onside."), transactions))
            self._changed.notify_all()

    def wait_for(self, count):
        """Waits until the page was told so many things."""
        with self._changed:
            Wait.for_(lambda seconds: self._changed.wait_for(lambda: len(self.told) >= count, seconds))
            return list(self.told)

    def get(self, what):
        return self.request("GET", f"/{what}")

    def close(self):
        self.page.close()
        self.control.close()


def described(sheet):
    """A sheet of the server, as the model has it."""
    content = sheet["content"]
    product = content.get("product", {}).get("productIdentifier")
    return sheet["kind"], product, content["newPrice" if sheet["kind"] == "priceIncrease" else "price"]["value"] if product else None


indices = st.integers(0, 30)


class StoreMachine(RuleBasedStateMachine):
    """Gives the same commands to the model and to the server, and compares them after each."""

    server = control = None
    figures = collections.Counter()

    def __init__(self):
        super().__init__()
        self.real = RealApp(self.server, self.control)
        self.model = App(ACCOUNTS, START)
        #: The price of the last increase. No two are the same, so that their sheets differ.
        self.price = 100
        #: Calls of the page that wait for the login.
        self.waiting = []
        #: The ids of the model's orders.
        self.ids = {}
        #: The sheets that were open after the last command, and what they were about.
        self.shown = None
        self.commands = self.launched = 0

    def teardown(self):
        try:
            # Not after a difference, or it would be reported in place of that one.
            if sys.exc_info()[0] is None:
                self.compare_all()
        finally:
            self.real.close()

    # The page

    def ask(self, action, is_done, **data):
        call = self.real.page.start(action, **data)
        if is_done:
            call.result(LONG)
        else:
            self.waiting.append(call)

    @rule(product=st.sampled_from(list(PRODUCTS)))
    def purchase(self, product):
        self.ask("onside.purchase", self.model.purchase(product), productIdentifier=product)

    @rule()
    def restore(self):
        self.ask("onside.restoreCompletedTransactions", self.model.restore())

    @rule(index=indices)
    @precondition(lambda self: self.model.queue)
    def finish(self, index):
        transaction = self.transaction(index)
        identifier = self.id_of(transaction)
        self.model.finish(transaction)
        self.real.page.call("onside.finishTransaction", id=identifier)

    @rule()
    @precondition(lambda self: self.commands >= self.launched + REST)
    def relaunch(self):
        self.model.relaunch()
        self.launched = self.commands
        self.waiting, self.shown = [], None
        self.real.request("POST", "/relaunch")
        self.real.page.vanish()
        self.real.open()

    # The person

    @rule(index=indices, approved=st.booleans(), account=st.sampled_from(ACCOUNTS))
    @precondition(lambda self: self.model.sheets)
    def answer(self, index, approved, account):
        sheet = self.pick(self.model.sheets, index)
        [identifier] = [each["id"] for each in self.compare_sheets() if described(each) == tuple(sheet)]
        self.model.answer(sheet, approved, account)
        fields = {"fields": {"account": account}} if sheet.kind == "login" else {}
        assert self.real.request("POST", f"/sheets/{identifier}/answer", {"approved": approved, **fields}) is not None
        self.end_waiting(approved)

    @rule(account=st.sampled_from(ACCOUNTS))
    def sign_in(self, account):
        self.model.sign_in(account)
        self.real.request("PATCH", "", {"account": account})
        self.end_waiting(True)

    @rule()
    def sign_out(self):
        self.model.sign_out()
        self.real.request("PATCH", "", {"account": None})

    def end_waiting(self, is_signed_in):
        """The calls that have waited for a login are answered when it ends."""
        if self.model.waiting is not None:
            return
        for call in self.waiting:
            if is_signed_in:
                call.result(LONG)
            else:
                with pytest.raises(Rejection, match="loginDiscarded"):
                    call.result(LONG)
        self.waiting = []

    # Tests: transactions

    @rule(index=indices, what=st.sampled_from(["approve", "decline", "fail"]))
    @precondition(lambda self: self.model.queue)
    def decide(self, index, what):
        transaction = self.transaction(index)
        identifier = self.id_of(transaction)
        is_possible = getattr(self.model, what)(transaction)
        assert (self.real.request("POST", f"/transactions/{identifier}/{what}") is not None) == is_possible

    @rule(index=indices)
    @precondition(lambda self: self.model.queue)
    def discard(self, index):
        transaction = self.transaction(index)
        identifier = self.id_of(transaction)
        self.model.discard(transaction)
        assert self.real.request("DELETE", f"/transactions/{identifier}") is not None

    # Tests: orders

    @rule(account=st.sampled_from(ACCOUNTS), product=st.sampled_from(list(PRODUCTS)), is_finished=st.booleans())
    def add_order(self, account, product, is_finished):
        self.model.add_order(account, product, is_finished)
        self.real.request("POST", "/purchases", {"product": product, "account": account, "finished": is_finished})

    def change(self, order, path, is_possible, body=None):
        assert (self.real.request("POST", f"/purchases/{self.ids[order]}/{path}", body) is not None) == is_possible

    @rule(index=indices)
    @precondition(lambda self: self.model.ledger.orders)
    def refund(self, index):
        order = self.order(index)
        self.change(order, "refund", self.model.ledger.refund(order, self.model.now))

    @rule(index=indices)
    @precondition(lambda self: self.model.ledger.orders)
    def expire(self, index):
        order = self.order(index)
        self.change(order, "expire", self.model.ledger.expire(order, self.model.now))

    @rule(index=indices)
    @precondition(lambda self: self.model.ledger.orders)
    def renew(self, index):
        order = self.order(index)
        self.change(order, "renew", self.model.ledger.renew(order, self.model.now))

    @rule(index=indices)
    @precondition(lambda self: self.model.ledger.orders)
    def cancel(self, index):
        order = self.order(index)
        self.change(order, "cancel", self.model.ledger.cancel(order))

    @rule(index=indices)
    @precondition(lambda self: self.model.ledger.orders)
    def resume(self, index):
        order = self.order(index)
        self.change(order, "resume", self.model.ledger.resume(order))

    @rule(index=indices)
    @precondition(lambda self: self.model.ledger.orders)
    def increase_price(self, index):
        order = self.order(index)
        self.price += 1
        self.change(order, "price-increase", self.model.ledger.request_increase(order, self.price), {"price": self.price})

    @rule(index=indices, consents=st.booleans())
    @precondition(lambda self: self.model.ledger.orders)
    def answer_increase(self, index, consents):
        order = self.order(index)
        self.change(order, f"price-increase/{'consent' if consents else 'decline'}", self.model.ledger.answer_increase(order, consents))

    @rule(index=indices)
    @precondition(lambda self: self.model.ledger.orders)
    def delete_order(self, index):
        order = self.order(index)
        self.model.delete_order(order)
        self.real.request("DELETE", f"/purchases/{self.ids[order]}")

    @rule()
    @precondition(lambda self: len(self.model.ledger.orders) > 10)
    def delete_all_orders(self):
        self.model.delete_all_orders()
        self.real.request("DELETE", "/purchases")

    # Tests: time and settings

    @rule(days=st.sampled_from([1, 15, 17, 28, 31, 61, 120]))
    def advance(self, days):
        self.model.advance(timedelta(days=days))
        self.real.request("POST", "/clock/advance", {"duration": f"P{days}D"})

    @rule(asks_to_buy=st.booleans(), interrupts=st.booleans(), fails=st.sampled_from([False, False, True]))
    def set_payments(self, asks_to_buy, interrupts, fails):
        self.model.asks_to_buy, self.model.interrupts, self.model.fails = asks_to_buy, interrupts, fails
        self.real.request("PATCH", "/settings", {"askToBuy": asks_to_buy, "interruptedPurchases": interrupts, "failTransactions": fails})

    @rule(issues=st.booleans(), grace=st.booleans())
    def set_renewals(self, issues, grace):
        self.model.ledger.has_billing_issues, self.model.ledger.has_grace_period = issues, grace
        self.real.request("PATCH", "/settings", {"renewalBillingIssues": issues, "billingGracePeriod": grace})

    # What is compared

    @invariant()
    def both_are_the_same(self):
        self.figures["commands"] += 1
        self.commands += 1
        # A change may make a step of the ledger due.
        self.model.advance(timedelta())
        self.compare_what_the_page_was_told()
        shown = (self.model.sheets, self.model.asks_about)
        if shown != self.shown:
            self.shown = shown
            self.compare_sheets()
        if self.commands % REST == 0:
            self.compare_all()

    def compare_all(self):
        self.compare_sheets()
        self.compare_ledger()
        self.compare_queue()

    def compare_what_the_page_was_told(self):
        told = self.real.wait_for(len(self.model.told))
        assert told == self.model.told

    def compare_sheets(self):
        """Returns the sheets of the server."""
        expected = collections.Counter(tuple(each) for each in self.model.sheets)
        sheets = []

        def are_the_same(seconds):
            nonlocal sheets
            end = time.monotonic() + seconds
            while True:
                sheets = self.real.get("sheets")["sheets"]
                if collections.Counter(map(described, sheets)) == expected:
                    return True
                if time.monotonic() >= end:
                    return False

        Wait.for_(are_the_same)
        assert collections.Counter(map(described, sheets)) == expected
        return sheets

    def compare_ledger(self):
        found = self.real.get("purchases")
        orders, subscriptions = self.model.ledger.orders, self.model.ledger.subscriptions
        assert len(found["purchases"]) == len(orders)
        for order, each in zip(orders, found["purchases"]):
            self.ids.setdefault(order, each["id"])
            assert each | {"appAccountToken": None, "countryCode": None, "type": None} == {
                "id": self.ids[order], "originalId": self.ids[order.chain], "account": order.account, "product": order.product,
                "price": {"currencyCode": "USD", "value": order.price}, "purchasedAt": text(order.made), "expiresAt": text(order.expires),
                "revokedAt": text(order.refunded), "revocationReason": order.refunded and "REFUNDED",
                "reason": "RENEWAL" if order.is_renewal else "PURCHASE", "appAccountToken": None, "countryCode": None, "type": None,
            }
        assert [each | {"group": None, "offer": None} for each in found["subscriptions"]] == [
            {
                "account": each.account, "product": each.product, "purchase": self.ids[each.order], "inBillingRetry": each.in_retry,
                "nextProduct": each.next_product, "renewsAutomatically": each.renews, "group": None, "offer": None,
                "priceIncrease": each.increase and {"price": {"currencyCode": "USD", "value": each.increase}, "status": each.consent},
            }
            for each in subscriptions
        ]

    def compare_queue(self):
        found = self.real.get("transactions")["transactions"]
        waits = {"approval", "interruption"}
        assert [(self.real.numbers[each["id"]], each["productIdentifier"], each["state"], each["waitingFor"]) for each in found] == [
            (each.number, each.product, each.state, each.stage if each.stage in waits else None) for each in self.model.queue
        ]
        for transaction, each in zip(self.model.queue, found):
            if transaction.order:
                assert each["transactionIdentifier"] == self.ids[transaction.order]

    # Which one

    @staticmethod
    def pick(values, index):
        return values[index % len(values)]

    def transaction(self, index):
        return self.pick(self.model.queue, index)

    def order(self, index):
        order = self.pick(self.model.ledger.orders, index)
        if order not in self.ids:
            self.compare_ledger()
        return order

    def id_of(self, transaction):
        return next(each for each, number in self.real.numbers.items() if number == transaction.number)


@pytest.fixture(scope="module")
def store(shop_root, tmp_path_factory):
    """A server with two accounts, without the time that a way to the store takes."""
    config = tmp_path_factory.mktemp("accounts") / "footbridge.yaml"
    config.write_text(
        "onside:\n  roundTrip: 0\n  accounts:\n" + "".join(f"    - {{ id: {each}, name: {each}, email: {each}@example.com, country: US }}\n" for each in ACCOUNTS)
    )
    catalog = FIXTURES / "storehelper-sample.storekit"
    with serve("--root", shop_root, "--config", config, "--catalog", catalog, "--present", "control", "--ephemeral") as server:
        yield server


def test_the_store_does_what_its_model_does(store, record_property):
    class Machine(StoreMachine):
        server = store
        control = store.control()

    run_model(Machine, RUNS, STEPS)
    for figure, count in Machine.figures.items():
        record_property(figure, count)
