"""One app of the store: who is signed in, the open sheets, the payment queue, and what the page is told.

The queue works on one payment at a time, in the order in which they were asked for. A payment that waits for approval, or was interrupted,
does not block those after it."""

import itertools
from dataclasses import dataclass
from typing import NamedTuple

from models.catalogue import PRODUCTS
from models.ledger import Ledger, Order


class Sheet(NamedTuple):
    """A sheet that is open: `login`, `payment`, `priceChange` or `priceIncrease`, for a product and with the price that it names."""
    kind: str
    product: str = None
    price: float = None


@dataclass(eq=False)
class Transaction:
    number: int
    account: str
    product: str
    #: `queued`, `processing`, `approval`, `interruption` (what it waits for), `purchased`, `restored` or `failed`.
    stage: str = "queued"
    #: What the person has agreed to pay.
    charge: tuple = None
    order: Order = None

    @property
    def state(self):
        """The state that the page sees."""
        return self.stage if self.has_ended else "purchasing"

    @property
    def has_ended(self):
        return self.stage in ("purchased", "restored", "failed")

    @property
    def is_sent(self):
        return self.has_ended or self.stage == "interruption"


class App:
    def __init__(self, accounts, now):
        self.accounts = accounts
        self.now = now
        self.account = accounts[0]
        self.ledger = Ledger()
        self.queue = []
        #: What the page is told: the name of each callback, and its transactions with their states.
        self.told = []
        #: What waits for the login sheet, in its order. None if the sheet is not open.
        self.waiting = None
        self.asks_to_buy = self.interrupts = self.fails = False
        self._numbers = itertools.count()
        #: What the payment sheet asks about: a transaction, and the price that it says.
        self._asked = None

    # What shows

    @property
    def sheets(self):
        sheets = [] if self.waiting is None else [Sheet("login")]
        if self._asked:
            transaction, kind, (price, _) = self._asked
            sheets.append(Sheet(kind, transaction.product, price))
        for each in self.ledger.subscriptions:
            if each.account == self.account and each.consent == "pending":
                sheets.append(Sheet("priceIncrease", each.product, each.increase))
        return sheets

    @property
    def asks_about(self):
        """The transaction that the payment sheet is about."""
        return self._asked and self._asked[0]

    # What the page asks for

    def purchase(self, product):
        return self._after_login(lambda: self._enter(product))

    def restore(self):
        return self._after_login(self._restore)

    def finish(self, transaction):
        if transaction.has_ended or transaction.stage in ("queued", "processing"):
            self._remove(transaction)
            self._work()

    def _after_login(self, action):
        """Does it, or opens the login sheet first. Returns whether it is done."""
        if self.account:
            action()
            return True
        self.waiting = [*(self.waiting or []), action]
        return False

    def _enter(self, product):
        self._add(Transaction(next(self._numbers), self.account, product))
        self._work()

    def _add(self, *transactions):
        self.queue += transactions
        self._tell("onTransactionsUpdated", *transactions)

    def _restore(self):
        for order in self.ledger.restorable(self.account, self.now):
            known = next((each for each in self.queue if each.stage == "restored" and each.order is order), None)
            if known:
                self._tell("onTransactionsUpdated", known)
            else:
                self._add(Transaction(next(self._numbers), self.account, order.product, "restored", order=order))
        self._tell("onRestoreCompletedTransactionsFinished")

    # What the person and tests do

    def answer(self, sheet, approved, account=None):
        if sheet.kind == "login":
            self._end_login(account if approved else None)
        elif sheet.kind == "priceIncrease":
            asked = next(each for each in self.ledger.subscriptions if each.account == self.account and each.increase == sheet.price)
            self.ledger.answer_increase(asked.order, approved)
        else:
            self._answer_payment(approved)

    def sign_in(self, account):
        if self.waiting is not None:
            self._end_login(account)
        else:
            self._set_account(account)

    def sign_out(self):
        self._set_account(None)

    def approve(self, transaction):
        """Ends a wait for approval, or an interruption. Returns whether there was one."""
        if transaction.stage == "approval":
            self._pay(transaction)
        elif transaction.stage == "interruption":
            self._complete(transaction)
        else:
            return False
        return True

    def decline(self, transaction):
        if transaction.stage not in ("approval", "interruption"):
            return False
        self._end(transaction, "failed")
        return True

    def fail(self, transaction):
        if transaction.has_ended:
            return False
        self._end(transaction, "failed")
        self._work()
        return True

    def discard(self, transaction):
        self._remove(transaction)
        self._work()

    def add_order(self, account, product, is_finished):
        """Adds an order as if it had been made before."""
        is_introductory = self.ledger.gets_introductory_price(account, product)
        price = PRODUCTS[product].introductory_price if is_introductory else PRODUCTS[product].price
        order = self.ledger.add(account, product, price, is_introductory, self.now)
        if not is_finished:
            self._add(Transaction(next(self._numbers), account, product, "purchased", order=order))

    def delete_order(self, order):
        self.ledger.delete(order)
        for transaction in [each for each in self.queue if each.order is order]:
            self._remove(transaction)
        self._work()

    def delete_all_orders(self):
        for transaction in list(self.queue):
            self._remove(transaction)
        self.ledger.orders, self.ledger.subscriptions = [], []

    def relaunch(self):
        """The app ends and begins anew: the queue is as it was, calls that wait and sheets are gone."""
        self.waiting = self._asked = None
        for transaction in self.queue:
            if transaction.stage == "processing":
                transaction.stage = "queued"
        if self.queue:
            self._tell("onTransactionsUpdated", *self.queue)
        self._work()

    def advance(self, duration):
        self.now += duration
        self.ledger.advance(self.now)

    # Accounts

    def _end_login(self, account):
        waiting, self.waiting = self.waiting, None
        if account:
            self._set_account(account)
            for action in waiting:
                action()

    def _set_account(self, account):
        if account == self.account:
            return
        if (account is None) != (self.account is None):
            self._tell("onStorefrontChanged")
        self.account = account
        for transaction in [each for each in self.queue if not each.is_sent and each.account != account]:
            self._end(transaction, "failed")
        self._work()

    # The queue

    def _tell(self, callback, *transactions):
        self.told.append((callback, [(each.number, each.state) for each in transactions]))

    def _work(self):
        """Begins with the next payment, unless one is in progress."""
        while not any(each.stage == "processing" for each in self.queue):
            transaction = next((each for each in self.queue if each.stage == "queued"), None)
            if not transaction:
                return
            transaction.stage = "processing"
            self._ask(transaction)

    def _ask(self, transaction):
        charge = self.ledger.charge(transaction.account, transaction.product, self.now)
        price, is_introductory = charge
        is_usual = is_introductory or price == PRODUCTS[transaction.product].price
        self._asked = (transaction, "payment" if is_usual else "priceChange", charge)

    def _answer_payment(self, approved):
        transaction, _, charge = self._asked
        self._asked = None
        present = self.ledger.charge(transaction.account, transaction.product, self.now)
        if not approved:
            self._end(transaction, "failed")
        elif present != charge:
            # It costs something else by now, and the person is asked again.
            self._asked = (transaction, "priceChange", present)
        else:
            transaction.charge = charge
            if self.asks_to_buy:
                transaction.stage = "approval"
            else:
                self._pay(transaction)
        self._work()

    def _pay(self, transaction):
        if self.interrupts:
            transaction.order = self.ledger.covering(transaction.account, transaction.product, self.now)
            transaction.stage = "interruption"
        else:
            self._complete(transaction)

    def _complete(self, transaction):
        if self.fails:
            self._end(transaction, "failed")
        else:
            transaction.order = self.ledger.buy(transaction.account, transaction.product, transaction.charge, self.now)
            self._end(transaction, "purchased")

    def _end(self, transaction, stage):
        self._close_sheet(transaction)
        transaction.stage = stage
        if stage == "failed":
            transaction.order = None
        self._tell("onTransactionsUpdated", transaction)

    def _remove(self, transaction):
        self._close_sheet(transaction)
        self.queue.remove(transaction)
        self._tell("onTransactionsRemoved", transaction)

    def _close_sheet(self, transaction):
        if self._asked and self._asked[0] is transaction:
            self._asked = None
