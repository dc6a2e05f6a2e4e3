"""Pages learn of everything once and in order, as the model says (`models/delivery.py`): over lost sockets, reloads, the page cache, several
tabs, and servers that stop or are killed while calls are on their way.

Hypothesis invents the commands, and shortens a case in which the two differ. `FOOTBRIDGE_MODEL_MINUTES` says for how long; without it, a run has
so many cases as `RUNS` says."""

import collections
import secrets
import signal

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule

from buyer import PRODUCT, STATES, Buyer
from footbridge_process import LONG, serve
from model_runs import Wait, run_model, timeout_of_models
from models.delivery import Delivery

RUNS, STEPS = 5, 40
pytestmark = timeout_of_models
indices = st.integers(0, 30)


class RealTab(Buyer):
    """A page of the session, and its calls that were not answered yet: `(purchase, what, call)`."""

    def __init__(self, port, session):
        super().__init__(port, watches=True, session=session)
        self.calls = []
        self.is_cached = False

    def identifier(self, purchase):
        """The id of a purchase's transaction, once the page has it."""
        return next((each for each, token in list(self.token.items()) if token == purchase), None)

    def unanswered(self):
        return [(purchase, what) for purchase, what, call in self.calls if not call.answered.is_set()]

    def learned(self):
        """The last state that the page has heard of each purchase."""
        return {self.token[identifier]: heard[-1][1] for identifier, heard in list(self.states.items())}


class DeliveryMachine(RuleBasedStateMachine):
    arguments = ()
    figures = collections.Counter()

    def __init__(self):
        super().__init__()
        self.server = serve(*self.arguments)
        self.control = self.server.control()
        session = self.control.session()
        self.session, self.path = session["cookie"]["value"], f"/sessions/{session['id']}"
        self.model = Delivery()
        self.real = {}
        self.purchases = 0
        self.open()

    def teardown(self):
        try:
            self.settle()
        finally:
            for tab in self.real.values():
                tab.vanish()
            self.server.stop()

    def tab(self, index):
        tabs = [each for each in self.model.tabs if not self.real[each].is_cached]
        return tabs[index % len(tabs)]

    # Pages

    @rule()
    @precondition(lambda self: len(self.model.tabs) < 4)
    def open(self):
        tab = RealTab(self.server.port, self.session)
        tab.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        # The store knows a page only after a change.
        self.control("PATCH", self.path, {"name": secrets.token_hex(4)})
        self.real[self.model.open()] = tab

    def end(self, tab, how):
        real = self.real.pop(tab)
        getattr(real, how)()
        self.model.end(tab, real.unanswered())

    @rule(index=indices, how=st.sampled_from(["close", "vanish"]))
    def reload(self, index, how):
        self.end(self.tab(index), how)
        self.open()

    @rule(index=indices)
    def cut(self, index):
        self.real[self.tab(index)].cut()

    @rule(index=indices)
    def stay_away(self, index):
        tab = self.real[self.tab(index)]
        tab.stay_away()
        tab.cut()

    @rule(index=indices)
    def come_back(self, index):
        self.real[self.tab(index)].come_back()

    @rule(index=indices)
    @precondition(lambda self: sum(not each.is_cached for each in self.real.values()) > 1)
    def enter_page_cache(self, index):
        tab = self.real[self.tab(index)]
        tab.is_cached = True
        tab.enter_page_cache()

    @rule()
    def leave_page_cache(self):
        for tab in self.real.values():
            if tab.is_cached:
                tab.is_cached = False
                tab.come_back()

    # Calls. Nobody waits for their answers.

    @rule(index=indices)
    def buy(self, index):
        tab = self.tab(index)
        self.purchases += 1
        purchase = str(self.purchases)
        self.model.buy(purchase)
        self.real[tab].calls.append((purchase, "buy", self.real[tab].start("onside.purchase", productIdentifier=PRODUCT, appAccountToken=purchase)))

    @rule(index=indices, which=indices)
    def finish(self, index, which):
        tab = self.tab(index)
        undecided = {purchase for purchase, _ in self.model.undecided}
        real = self.real[tab]
        ready = [each for each in self.model.queue if each not in undecided and real.learned().get(each) == "purchased"]
        if ready:
            purchase = ready[which % len(ready)]
            call = real.start("onside.finishTransaction", id=real.identifier(purchase))
            self.model.finish(purchase)
            real.calls.append((purchase, "finish", call))

    # The server

    def restart(self):
        # The app is launched again, and its cached pages are dead.
        for tab in [each for each in self.model.tabs if self.real[each].is_cached]:
            self.end(tab, "vanish")
        self.server = serve(*self.arguments, port=self.server.port)
        self.control = self.server.control()

    @rule()
    def kill(self):
        self.figures["kills"] += 1
        self.server.signal(signal.SIGKILL)
        self.restart()

    @rule()
    def stop(self):
        assert self.server.stop() == 0
        self.restart()

    # What is compared

    @rule()
    def settle(self):
        self.figures["checks"] += 1
        self.leave_page_cache()
        for tab in self.real.values():
            tab.come_back()
        for tab in self.real.values():
            tab.call("onside.getTransactions")
            for _, _, call in tab.calls:
                call.result(LONG)
            tab.calls = []
        self.compare_pages()
        queue = [each["payment"]["appAccountToken"] for each in self.paid(next(iter(self.real.values())))]
        orders = [each["appAccountToken"] for each in self.control("GET", f"{self.path}/purchases")["purchases"]]
        self.model.decide(orders, queue)
        assert sorted(orders) == sorted(self.model.bought)
        assert sorted(queue) == sorted(self.model.queue)

    def paid(self, real):
        """The queue, once each payment has ended: its call was answered before that, or the page that made it is gone."""
        transactions = real.call("onside.getTransactions")["transactions"]
        for each in transactions:
            if each["transactionState"] == "purchasing":
                self.hear(real, each["payment"]["appAccountToken"], "purchased")
        return transactions

    def hear(self, real, purchase, state):
        """Waits until the page has heard that a purchase has come to this state."""
        with real._changed:
            Wait.for_(lambda seconds: real._changed.wait_for(lambda: real.learned().get(purchase) == state, seconds))
        assert real.learned().get(purchase) == state

    def compare_pages(self):
        for tab in self.model.tabs:
            real = self.real[tab]
            for purchase, state in tab.known.items():
                self.hear(real, purchase, state)
            assert real.violations == []
            for heard in list(real.states.values()):
                assert len(set(heard)) == len(heard), f"a page was told twice: {heard}"
                assert [run for run, _ in heard] == sorted(run for run, _ in heard)
                order = [STATES.index(state) for _, state in heard]
                assert order == sorted(order), f"a page was told in another order: {heard}"


def test_pages_learn_what_the_model_says(shop_root, catalog, tmp_path_factory, record_property):
    class Machine(DeliveryMachine):
        @property
        def arguments(self):
            # Each case has a state of its own.
            if not hasattr(self, "folder"):
                self.folder = tmp_path_factory.mktemp("delivery")
            return "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", self.folder / "state", "--log-level", "warning"

    run_model(Machine, RUNS, STEPS)
    for figure, count in Machine.figures.items():
        record_property(figure, count)
