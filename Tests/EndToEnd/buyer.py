"""A page that buys by a script, and a model to compare its session with."""

import base64
import collections
import json
import threading

from wire_page import WirePage

PRODUCT = "com.product.example.consumable"
#: The distance between the sequence numbers of one run of the server and those of the next.
RUN = 1 << 32
STATES = ["purchasing", "purchased", "removed"]


def orders_of(history):
    """Returns the orders of a signed history."""
    payload = history.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["transactions"]


class Buyer(WirePage):
    """Buys `count` times, some purchases at once, each with its own token, and finishes all but every tenth.

    A buyer that `watches` only listens while another page buys."""

    def __init__(self, port, count=0, at_once=4, watches=False, **options):
        self.count = count
        self.watches = watches
        self.at_once = at_once
        self.states = collections.defaultdict(list)
        self.token = {}
        self.failures = []
        self._finishing = set()
        self._changed = threading.Condition()
        super().__init__(port, on_event=self._note, **options)

    def _note(self, action, data):
        with self._changed:
            for transaction in data.get("transactions", []):
                identifier = transaction["id"]
                state = "removed" if action == "onside.onTransactionsRemoved" else transaction["transactionState"]
                self.states[identifier].append((self.received // RUN, state))
                self.token[identifier] = transaction["payment"]["appAccountToken"]
                if state == "purchased" and self._must_finish(identifier):
                    self._finishing.add(identifier)
                    self.start("onside.finishTransaction", id=identifier)
            self._changed.notify_all()

    def _must_finish(self, identifier):
        return not self.watches and self._is_finished(identifier) and identifier not in self._finishing

    def _is_finished(self, identifier):
        return int(self.token[identifier]) % 10 != 0

    def _reached(self, state):
        return sum(1 for states in self.states.values() if any(each == state for _, each in states))

    def wait_for(self, state, count, timeout=120):
        """Waits until this many transactions have been in a state."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._reached(state) >= count, timeout), (
                f"{self._reached(state)} of {count} transactions were {state}"
            )

    def buy(self):
        """Runs the whole script."""
        self.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        for number in range(self.count):
            self.wait_for("purchased", number - self.at_once + 1)
            self.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken=str(number))
        self.wait_for("purchased", self.count)
        self.wait_for("removed", self.count - len(range(0, self.count, 10)))

    def check(self):
        """Compares what the page has received, and what the session holds, with the model."""
        # The answer to the last call may come after the callback that it leads to.
        with self._lock:
            last = list(self._unanswered.values())
        for call in last:
            call.result()
        assert self.violations == []
        assert not self._unanswered
        tokens = [str(number) for number in range(self.count)]
        assert sorted(self.token.values(), key=int) == tokens, "each purchase has one transaction"
        for identifier, heard in self.states.items():
            expected = STATES if self._is_finished(identifier) else STATES[:2]
            assert list(dict.fromkeys(state for _, state in heard)) == expected, (identifier, heard)
            assert [run for run, _ in heard] == sorted(run for run, _ in heard)
            assert len(set(heard)) == len(heard), f"a callback came twice in one launch: {heard}"
        # The orders: each purchase was charged exactly once.
        orders = orders_of(self.call("onside.getSignedInAppsHistory")["string"])
        assert sorted((order["app_account_token"] for order in orders), key=int) == tokens
        # The queue: the transactions that the page has not finished, in the order of their purchases.
        queue = self.call("onside.getTransactions")["transactions"]
        expected = [str(number) for number in range(0, self.count, 10)]
        assert [transaction["payment"]["appAccountToken"] for transaction in queue] == expected
        assert {transaction["transactionState"] for transaction in queue} <= {"purchased"}
        charged = {order["app_account_token"]: order["order_id"] for order in orders}
        for transaction in queue:
            assert charged[transaction["payment"]["appAccountToken"]] == transaction["transactionIdentifier"]
