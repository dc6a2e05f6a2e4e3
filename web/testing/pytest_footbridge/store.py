"""The store behind a session: the payment queue and the ledger."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from .control import segment
from .journal import Entry, rfc3339

if TYPE_CHECKING:
    from .session import Session


class Store:
    """The store behind one session, and what a test decides in it."""

    def __init__(self, session: Session):
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

    def __init__(self, session: Session, members: dict[str, Any]):
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

    def __init__(self, session: Session, members: dict[str, Any]):
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
