"""A page that buys while servers and their database come and go: it tries again what was refused, as a person does."""

from buyer import PRODUCT, Buyer
from wire_page import Rejection

#: The errors of a call whose change could not be stored: that of calls whose contract has one for it, and that of the others.
NOT_STORED = {"internalError", "bridge.bridgeDetached"}


class RetryingBuyer(Buyer):
    """Buys `count` times, one purchase after the other, each `when_allowed`, and finishes all but every tenth."""

    def __init__(self, port, count, when_allowed, **options):
        self._wait = when_allowed
        #: How many calls were refused because nothing could be stored.
        self.refusals = 0
        super().__init__(port, count, **options)

    def _must_finish(self, identifier):
        # A refused finish is tried again in the order of the script.
        return False

    def buy(self):
        for number in range(self.count):
            self._wait()
            self.buy_once(str(number))
        self.wait_for("removed", self.count - len(range(0, self.count, 10)))

    def buy_once(self, token):
        self._purchase(token)
        [transaction, *_] = self.wait_for_state("purchased", token=token, timeout=600)
        if self._is_finished(transaction["id"]):
            self._finish(transaction["id"])

    def _purchase(self, token):
        def tokens():
            return {each["payment"]["appAccountToken"] for each in self._queue().values()}

        self._do("onside.purchase", lambda: token in tokens(), productIdentifier=PRODUCT, appAccountToken=token)

    def _finish(self, identifier):
        self._do("onside.finishTransaction", lambda: identifier not in self._queue(), id=identifier)

    def _do(self, action, is_done, **data):
        """Makes a call until it takes effect. `is_done` asks whether it did."""
        while True:
            try:
                return self.call(action, timeout=600, **data)
            except Rejection as rejection:
                if str(rejection) == "unknownProduct":
                    self._ask("onside.loadProducts", productIdentifiers=[PRODUCT])
                    continue
                self._note_refusal(rejection)
                if "had no effect" not in rejection.message and is_done():
                    return None

    def _queue(self):
        """Returns the transactions of the session by their ids."""
        return {each["id"]: each for each in self._ask("onside.getTransactions")["transactions"]}

    def _ask(self, action, **data):
        """Makes a call that changes nothing until it succeeds."""
        while True:
            try:
                return self.call(action, timeout=600, **data)
            except Rejection as rejection:
                self._note_refusal(rejection)

    def _note_refusal(self, rejection):
        self.refusals += 1
        assert str(rejection) in NOT_STORED, f"refused for another reason: {rejection} {rejection.message}"
