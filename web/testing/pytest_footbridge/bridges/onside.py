"""Onside's part of a session: its sheets, the payment queue, the ledger, and the settings of the store."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any, TypedDict

from ..control import segment
from ..expectations import ExpectedSheet
from ..journal import Entry, rfc3339
from ..rules import When
from ..session import CoreSession

if TYPE_CHECKING:
    from ..server import Server


class OnsideSession(CoreSession):
    """What a test decides at Onside. `store` is the store behind the session."""

    def __init__(self, server: Server, created: dict[str, Any]):
        super().__init__(server, created)
        self.store = Store(self)

    def expect_purchase(self, product: str) -> ExpectedSheet:
        """The payment sheet of a product: `expect_purchase("coins").approve()`."""
        return ExpectedSheet(self, f"payment sheet for {product}", "payment", {"product": {"productIdentifier": product}})

    def expect_login(self) -> ExpectedSheet:
        """The login sheet: `expect_login().approve(account="eva")`."""
        return self.expect_sheet("login")

    def settings(self) -> Settings:
        """The settings of the store."""
        return self.get("/settings")

    def change_settings(self, **settings: Any) -> None:
        """Changes some of them: `change_settings(askToBuy=True)`."""
        self.patch("/settings", settings)

    def when(self, on: str, *, product: str | None = None, where: dict[str, Any] | None = None, **others: Any) -> When:
        """As for every bridge; `product` is short for a `where` with this product: `when("onside.purchase", product="coins").fails(…)`."""
        pattern = _product(on, product) if product else {}
        return super().when(on, where={**pattern, **(where or {})}, **others)

    def describe_sheet(self, kind: str, content: dict[str, Any]) -> str:
        product = content.get("product", {}).get("productIdentifier")
        return f"{kind} for {product}" if product else super().describe_sheet(kind, content)


class Settings(TypedDict, total=False):
    """The settings of the store in a session. docs/configuration.md says what each does."""

    failTransactions: bool
    askToBuy: bool
    interruptedPurchases: bool
    disableDialogs: bool
    billingGracePeriod: bool
    renewalBillingIssues: bool
    localTesting: bool
    timeRate: int
    storefront: str
    locale: str
    refererUrl: str | None
    calls: dict[str, Any]


class Store:
    """The store behind one session, and what a test decides in it."""

    def __init__(self, session: CoreSession):
        self._session = session

    def transactions(self) -> list[Transaction]:
        """What is in the payment queue, oldest first."""
        return [Transaction(self._session, members) for members in self._session.get("/transactions")["transactions"]]

    def wait_for_transaction(self, product: str, *, timeout: float | None = None, **members: Any) -> Transaction:
        """Waits until there is a transaction of this product, as `members` say: `waitingFor="approval"`, `state="purchased"`."""
        __tracebackhide__ = True
        wanted = {"productIdentifier": product, **members}

        def find(entry: Entry) -> Transaction | None:
            transactions = [each for each in self.transactions() if each.id == entry["data"]["id"]]
            return next((each for each in transactions if wanted.items() <= each.members.items()), None)

        return self._session.wait_until_found(find, timeout=timeout, kind="store", action="transaction", data=wanted)

    def add_transaction(self, product: str, **members: Any) -> Transaction:
        """Leaves a transaction in the queue as if of an earlier launch: `waitingFor="approval"` or `"interruption"`, or an `error`; and who
        buys, as `account`."""
        return Transaction(self._session, self._session.post("/transactions", {"product": product, **members}))

    def purchases(self) -> list[Purchase]:
        """The orders in the ledger, oldest first."""
        return [Purchase(self._session, members) for members in self._session.get("/purchases")["purchases"]]

    def subscriptions(self) -> list[dict[str, Any]]:
        """The subscriptions that last, as the control API tells them."""
        return self._session.get("/purchases")["subscriptions"]

    def add_purchase(self, product: str, *, purchased_at: datetime.datetime | str | None = None, **members: Any) -> Purchase:
        """Makes an order as if it had been made before. `account` is who has bought it; with `finished=False` it is delivered to the page."""
        if purchased_at is not None:
            members["purchasedAt"] = rfc3339(purchased_at)
        return Purchase(self._session, self._session.post("/purchases", {"product": product, **members})["purchases"][0])


class Transaction:
    """A transaction in the payment queue. `members` is what the control API tells of it."""

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
        """Someone else agrees to pay, or the interruption is resolved."""
        self._session.post(f"/transactions/{segment(self.id)}/approve")

    def decline(self) -> None:
        """Someone else refuses to pay, or the interruption is not resolved."""
        self._session.post(f"/transactions/{segment(self.id)}/decline")

    def fail(self, error: str = "cancelled") -> None:
        """It fails, whatever is being done for it."""
        self._session.post(f"/transactions/{segment(self.id)}/fail", {"error": error})


class Purchase:
    """An order. `members` is what the control API tells of it."""

    def __init__(self, session: CoreSession, members: dict[str, Any]):
        self.id: str = members["id"]
        self.product: str = members["product"]
        self.account: str = members["account"]
        self.members = members
        self._session = session

    def __repr__(self) -> str:
        return f"<Purchase {self.id} {self.product}>"

    def refund(self) -> None:
        """The store gives the money back."""
        self._decide("refund")

    def expire(self) -> None:
        """The subscription lapses now."""
        self._decide("expire")

    def renew(self) -> None:
        """The subscription's period ends now, and the next one begins."""
        self._decide("renew")

    def cancel(self) -> None:
        """The subscription does not renew any more."""
        self._decide("cancel")

    def _decide(self, what: str) -> None:
        self._session.post(f"/purchases/{segment(self.id)}/{what}")


def _product(on: str, product: str) -> dict[str, Any]:
    name = {"productIdentifier": product}
    return {"product": name} if on.startswith("footbridge.sheet.") else name
