"""Purchases behind HAProxy while servers, their database, and the lines between them fail at random: none is lost, none is made twice, and each call is answered once.

`FOOTBRIDGE_PURCHASES` sets the number; `make soak` makes a thousand. `FOOTBRIDGE_TEST_SEED` repeats a run.
"""

import contextlib
import os
import random
import threading
import time

import pytest

from buyer import PRODUCT, STATES, orders_of
from chaos import Chaos
from network_namespaces import Network
from retrying_buyer import RetryingBuyer
from postgresql import PostgreSQL
from replicas import Replicas
from short_form import SEED

PURCHASES = int(os.environ.get("FOOTBRIDGE_PURCHASES", "60"))
IS_LONG = PURCHASES >= 1000
PAGES = 4
#: The lease of servers on a database, in seconds.
LEASE = 1
pytestmark = pytest.mark.timeout(3600 if IS_LONG else 900)


class Shoppers:
    """Pages that buy at the same time, each in its own session."""

    def __init__(self, port, count, chaos):
        self.pages = [RetryingBuyer(port, count // PAGES, chaos.when_allowed, on_message=chaos.heard) for _ in range(PAGES)]
        self._problems = []
        self._threads = [threading.Thread(target=self._buy, args=[page]) for page in self.pages]
        for thread in self._threads:
            thread.start()

    def _buy(self, page):
        try:
            page.buy()
        except BaseException as problem:
            self._problems.append(problem)

    def wait(self):
        for thread in self._threads:
            thread.join()
        if self._problems:
            raise self._problems[0]

    def check(self):
        for page in self.pages:
            page.check()
            page.close()

    @property
    def refusals(self):
        return sum(page.refusals for page in self.pages)

    @property
    def connections(self):
        return sum(page.connections for page in self.pages)


BUY_IN_CHROMIUM = """async ([product, count]) => {
  window.told = [];
  window.refused = 0;
  const tell = state => transactions => {
    for (const { id, transactionState, payment } of transactions) {
      told.push([id, state ?? transactionState, payment.appAccountToken]);
      if (transactionState === "purchased" && !state) finish(id);
    }
  };
  // Tries until it takes effect. What was refused with an unknown effect may have taken effect.
  const insist = async (call, isDone) => {
    for (;;) {
      try {
        return await call();
      } catch (error) {
        refused += 1;
        if (error.code === "unknownProduct") await insist(() => onside.loadProducts({ productIdentifiers: [product] }));
        else if (isDone && !/had no effect/.test(error.message) && isDone(await insist(() => onside.getTransactions()))) return;
      }
    }
  };
  const finishing = new Set();
  const finish = async id => {
    if (finishing.has(id)) return;
    finishing.add(id);
    await insist(() => onside.finishTransaction(id), queue => !queue.some(each => each.id === id));
  };
  onside.onTransactionsUpdated = tell();
  onside.onTransactionsRemoved = tell("removed");
  await insist(() => onside.loadProducts({ productIdentifiers: [product] }));
  window.bought = (async () => {
    for (let number = 0; number < count; number++) {
      const appAccountToken = String(number);
      await insist(() => onside.purchase({ productIdentifier: product, appAccountToken }),
        queue => queue.some(each => each.payment.appAccountToken === appAccountToken) || told.some(([, , token]) => token === appAccountToken));
    }
  })();
}"""


def check_chromium(page, count):
    """Compares what a page in Chromium was told, and what its session holds, with what it bought."""
    tokens = [str(number) for number in range(count)]
    told = page.evaluate("told")
    assert sorted({token for _, _, token in told}, key=int) == tokens
    for identifier in {identifier for identifier, _, _ in told}:
        states = [state for each, state, _ in told if each == identifier]
        # A new launch reports unfinished transactions again.
        assert list(dict.fromkeys(states)) == STATES and states.count("removed") == 1
    assert page.evaluate("onside.getTransactions()") == []
    orders = orders_of(page.evaluate("onside.getSignedInAppsHistory().then(history => history.string)"))
    assert sorted((order["app_account_token"] for order in orders), key=int) == tokens


@pytest.fixture(params=["a folder", "a database", "three servers on a database", "three servers with networks of their own"])
def servers(request, shop_root, catalog, tmp_path):
    """Running servers behind HAProxy, which keep their state in a folder or in PostgreSQL."""
    arguments = ["--root", shop_root, "--catalog", catalog, "--present", "auto"]
    has_networks = request.param.endswith("of their own")
    if has_networks and not IS_LONG:
        pytest.skip("Networks are cut in the long form: make soak")
    count = 3 if request.param.startswith("three") else 1
    if request.param != "a folder":
        # Shorter than what happens may last: servers lose their leases, and others take over. One that is started again waits for the lease
        # of the one before.
        arguments += ["--replica-lease", LEASE]
    with contextlib.ExitStack() as running:
        network = running.enter_context(Network(count)) if has_networks else None
        database = running.enter_context(PostgreSQL(is_durable=IS_LONG)) if request.param != "a folder" else None
        yield running.enter_context(Replicas(count, *arguments, folder=tmp_path, database=database, network=network))


def test_purchases_are_exactly_once_behind_haproxy_under_random_faults(servers, page, capsys):
    in_chromium = PURCHASES // 10
    start = time.monotonic()
    page.goto(f"http://127.0.0.1:{servers.port}")
    # Longer than the five seconds for which a call waits for the database.
    with Chaos(servers, random.Random(SEED), longest=8 if IS_LONG else 2) as chaos:
        page.evaluate(BUY_IN_CHROMIUM, [PRODUCT, in_chromium])
        shoppers = Shoppers(servers.port, PURCHASES, chaos)
        shoppers.wait()
        page.wait_for_function(
            "count => new Set(told.filter(([, state]) => state === 'removed').map(([id]) => id)).size === count",
            arg=in_chromium, timeout=600_000)
        chaos.calm()
        shoppers.check()
        check_chromium(page, in_chromium)
    with capsys.disabled():
        counted = "".join(f", {name.replace('_', ' ')}: {count}" for name, count in sorted(servers.figures.items()))
        print(f"\n{PURCHASES + in_chromium} purchases, {shoppers.refusals} calls refused and tried again, {shoppers.connections} connections of "
              f"{PAGES} pages, {time.monotonic() - start:.0f} s (seed {SEED}): {chaos}{counted}")
