"""Onside's part of a session: its sheets, the payment queue, the ledger, and the settings of the store."""

from __future__ import annotations

import datetime
from typing import Any, TypedDict

from ..connection import SessionServer
from ..control import segment
from ..expectations import ExpectedSheet
from ..journal import Entry, compact, rfc3339
from ..rules import When
from ..session import CoreSession


#: The values that members of a transaction can have.
TRANSACTION_VALUES: dict[str, tuple[str | None, ...]] = {
    "state": ("purchasing", "purchased", "restored", "failed"),
    "waitingFor": ("approval", "interruption", None),
    "error": ("cancelled", "presentationFailed", None),
}
#: The other members of a transaction.
TRANSACTION_MEMBERS = ("id", "transactionIdentifier", "originalTransactionIdentifier", "storefront")


class OnsideSession(CoreSession):
    """Onside's part of a session. `store` is the store of the session."""

    def __init__(self, server: SessionServer, created: dict[str, Any]):
        super().__init__(server, created)
        self.store = Store(self)

    def expect_purchase(self, product: str) -> ExpectedSheet:
        """Expects the payment sheet of a product: `expect_purchase("coins").approve()`."""
        return ExpectedSheet(self, f"payment sheet for {product}", "payment", {"product": {"productIdentifier": product}})

    def expect_login(self) -> ExpectedSheet:
        """Expects the login sheet: `expect_login().approve(account="eva")`."""
        return self.expect_sheet("login")

    def settings(self) -> Settings:
        """Returns the settings of the store."""
        return self.get("/settings")

    def change_settings(self, **settings: Any) -> None:
        """Changes some settings of the store: `change_settings(askToBuy=True)`."""
        self.patch("/settings", settings)

    def restore_settings(self) -> None:
        """Gives all settings of the store the values of the configuration again."""
        self.delete("/settings")

    def when(self, on: str, *, product: str | None = None, where: dict[str, Any] | None = None, **others: Any) -> When:
        """Decides the outcome of calls. `product` is short for a `where` with this product: `when("onside.purchase", product="coins").fails(…)`."""
        pattern = _product(on, product) if product else {}
        return super().when(on, where={**pattern, **(where or {})}, **others)

    def describe_sheet(self, kind: str, content: dict[str, Any]) -> str:
        product = content.get("product", {}).get("productIdentifier")
        return f"{kind} for {product}" if product else super().describe_sheet(kind, content)


class Settings(TypedDict, total=False):
    """The settings of the store in a session. docs/configuration.md explains each."""

    failTransactions: bool
    askToBuy: bool
    interruptedPurchases: bool
    disableDialogs: bool
    billingGracePeriod: bool
    renewalBillingIssues: bool
    localTesting: bool
    timeRate: int
    gracePeriodSeconds: int | None
    billingRetrySeconds: int | None
    storefront: str
    locale: str
    refererUrl: str | None
    calls: dict[str, Any]


class Store:
    """The store of one session."""

    def __init__(self, session: CoreSession):
        self._session = session

    def transactions(self) -> list[Transaction]:
        """Returns the transactions in the payment queue, oldest first."""
        return [Transaction(self._session, members) for members in self._session.get("/transactions")["transactions"]]

    def wait_for_transaction(self, product: str, *, timeout: float | None = None, **members: Any) -> Transaction:
        """Waits for a transaction of this product with these members, such as `waitingFor="approval"` or `state="purchased"`."""
        __tracebackhide__ = True
        _check_transaction(members)
        wanted = {"productIdentifier": product, **members}

        def find(entry: Entry) -> Transaction | None:
            transactions = [each for each in self.transactions() if each.id == entry["data"]["id"]]
            return next((each for each in transactions if wanted.items() <= each.members.items()), None)

        def lost(entry: Entry) -> str:
            return f"#{entry['cursor']} was one. It has changed or left the queue since."

        expected = f"transaction had {compact(wanted)}"
        return self._session.wait_until_found(expected, find, lost, timeout=timeout, kind="store", action="transaction", data=wanted)

    def add_transaction(self, product: str, **members: Any) -> Transaction:
        """Adds a transaction as if an earlier launch had left it, with `waitingFor="approval"`, `waitingFor="interruption"` or an `error`.

        `account` is the buyer.
        """
        return Transaction(self._session, self._session.post("/transactions", {"product": product, **members}))

    def purchases(self) -> list[Purchase]:
        """Returns the orders in the ledger, in the order in which they were added."""
        return [Purchase(self._session, members) for members in self._session.get("/purchases")["purchases"]]

    def subscriptions(self) -> list[dict[str, Any]]:
        """Returns the subscriptions that are active or in billing retry, as in the control API."""
        return self._session.get("/purchases")["subscriptions"]

    def add_purchase(self, product: str, *, purchased_at: datetime.datetime | str | None = None, **members: Any) -> Purchase:
        """Adds an order as if it had been made before.

        `account` is the buyer, by default who is signed in, or else the first account. `appAccountToken` is what the app passed with the
        product, `offer` the id of a promotional or win-back offer. With `finished=False`, the page gets it. `purchased_at` is by default
        the time on the session's clock; a `datetime` without a time zone is in the machine's.
        """
        if purchased_at is not None:
            members["purchasedAt"] = rfc3339(purchased_at)
        return Purchase(self._session, self._session.post("/purchases", {"product": product, **members})["purchases"][0])

    def clear(self) -> None:
        """Deletes all orders, subscriptions and transactions. The account, the settings and the app stay."""
        self._session.delete("/purchases")

    def expire(self, product: str, *, account: str | None = None) -> None:
        """Ends the subscription of a product now. `account` is the subscriber; by default, the account that is signed in."""
        self._decide(product, "expire", account)

    def renew(self, product: str, *, account: str | None = None) -> None:
        """Ends the current period of the subscription of a product now, and begins the next."""
        self._decide(product, "renew", account)

    def cancel(self, product: str, *, account: str | None = None) -> None:
        """Turns off the renewal of the subscription of a product."""
        self._decide(product, "cancel", account)

    def resume(self, product: str, *, account: str | None = None) -> None:
        """Turns the renewal of the subscription of a product on again."""
        self._decide(product, "resume", account)

    def signing_keys(self) -> list[dict[str, Any]]:
        """Returns the published keys of the server's store, the current one first."""
        return self._session.server.control.get("/signing-keys")["keys"]

    def rotate_signing_key(self, *, publish_former_for: int | None = None) -> list[dict[str, Any]]:
        """Lets the server's store sign with a new key, for all sessions. Returns the published keys.

        The former key stays published for this many seconds: an hour if you do not say.
        """
        body = {} if publish_former_for is None else {"publishFormerFor": publish_former_for}
        return self._session.server.control.post("/signing-keys", body)["keys"]

    def _decide(self, product: str, what: str, account: str | None) -> None:
        self._session.post(f"/subscriptions/{segment(product)}/{what}", {} if account is None else {"account": account})

    def notifications(self) -> list[Notification]:
        """Returns the notifications for the backend: those delivered since the app was launched, then those that wait, oldest first."""
        return [Notification(self._session, members) for members in self._session.get("/notifications")["notifications"]]

    def send_test_notification(self) -> Notification:
        """Sends the backend a notification of the type `TEST`."""
        return Notification(self._session, self._session.post("/notifications/test"))


class Notification:
    """A notification for the publisher's backend. `members` are its members in the control API."""

    def __init__(self, session: CoreSession, members: dict[str, Any]):
        self.id: str = members["id"]
        self.type: str = members["type"]
        self.state: str = members["state"]
        self.members = members
        self._session = session

    def __repr__(self) -> str:
        return f"<Notification {self.id} {self.state} {self.type}>"

    def resend(self) -> None:
        """Sends it again: one that waits without a pause, one that was delivered after those that wait."""
        self._session.post(f"/notifications/{segment(self.id)}/resend")


class Transaction:
    """A transaction in the payment queue. `members` are its members in the control API."""

    def __init__(self, session: CoreSession, members: dict[str, Any]):
        self.id: str = members["id"]
        self.product: str = members["productIdentifier"]
        self.state: str = members["state"]
        self.error: str | None = members["error"]
        self.members = members
        self._session = session

    def __repr__(self) -> str:
        return f"<Transaction {self.id} {self.state} {self.product}>"

    def approve(self) -> None:
        """Approves the payment that waits for approval, or resolves the interruption."""
        self._session.post(f"/transactions/{segment(self.id)}/approve")

    def decline(self) -> None:
        """Declines the payment that waits for approval, or makes the interrupted payment fail."""
        self._session.post(f"/transactions/{segment(self.id)}/decline")

    def fail(self, error: str = "cancelled") -> None:
        """Makes the transaction fail, in any state."""
        self._session.post(f"/transactions/{segment(self.id)}/fail", {"error": error})

    def delete(self) -> None:
        """Removes the transaction from the queue, whatever its state. An order that it has completed stays."""
        self._session.delete(f"/transactions/{segment(self.id)}")


class Purchase:
    """An order. `members` are its members in the control API."""

    def __init__(self, session: CoreSession, members: dict[str, Any]):
        self.id: str = members["id"]
        self.product: str = members["product"]
        self.account: str = members["account"]
        self.members = members
        self._session = session

    def __repr__(self) -> str:
        return f"<Purchase {self.id} {self.product}>"

    def refund(self) -> None:
        """Refunds the order."""
        self._decide("refund")

    def expire(self) -> None:
        """Ends the subscription now."""
        self._decide("expire")

    def renew(self) -> None:
        """Ends the current period of the subscription now, and begins the next."""
        self._decide("renew")

    def cancel(self) -> None:
        """Turns off the renewal of the subscription."""
        self._decide("cancel")

    def resume(self) -> None:
        """Turns the renewal of the subscription on again."""
        self._decide("resume")

    def delete(self) -> None:
        """Deletes the order, as if it had never been made."""
        self._session.delete(f"/purchases/{segment(self.id)}")

    def request_price_increase(self, price: float | str) -> None:
        """Makes the subscription more expensive from its next renewal on, if the person consents: `expect_sheet("priceIncrease")`."""
        self._decide("price-increase", {"price": price})

    def consent_to_price_increase(self) -> None:
        """Consents to the price increase. The sheet closes."""
        self._decide("price-increase/consent")

    def decline_price_increase(self) -> None:
        """Declines the price increase: the subscription no longer renews. The sheet closes."""
        self._decide("price-increase/decline")

    def _decide(self, what: str, body: dict[str, Any] | None = None) -> None:
        self._session.post(f"/purchases/{segment(self.id)}/{what}", body)


def _check_transaction(members: dict[str, Any]) -> None:
    """Refuses members that no transaction ever has: a wait for them would only end by its timeout."""
    __tracebackhide__ = True
    for name, value in members.items():
        values = TRANSACTION_VALUES.get(name)
        if values is None and name not in TRANSACTION_MEMBERS:
            raise ValueError(f"A transaction has no member {name}. It has: {', '.join([*TRANSACTION_VALUES, *TRANSACTION_MEMBERS])}.")
        if values is not None and value not in values:
            raise ValueError(f"The {name} of a transaction is never {value!r}. It is one of: {', '.join(map(repr, values))}.")


def _product(on: str, product: str) -> dict[str, Any]:
    name = {"productIdentifier": product}
    if on == "onside.loadProducts":
        return {"productIdentifiers": {"$contains": product}}
    transaction = {"payment": {"product": name}}
    if on.startswith("onside.onTransactions"):
        return {"transactions": {"$contains": transaction}}
    if on.startswith("onside.shouldContinue"):
        return {"transaction": transaction}
    return {"product": name} if on.startswith("footbridge.sheet.") else name
