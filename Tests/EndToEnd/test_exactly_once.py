"""Purchases over a server that is killed and over lines that break: every one has its effect once and is told of once.

`FOOTBRIDGE_PURCHASES` sets how many; `make soak` does a thousand of each.
"""

import os
import random
import secrets
import signal
import threading
import time

import pytest

from broken_line import BrokenLine
from buyer import PRODUCT, STATES, Buyer, orders_of
from footbridge_process import serve

PURCHASES = int(os.environ.get("FOOTBRIDGE_PURCHASES", "60"))
#: A timeout that a thousand purchases on a busy machine keep to; what hangs is told by the waits themselves.
pytestmark = pytest.mark.timeout(600)
SEED = int(os.environ.get("FOOTBRIDGE_SEED", secrets.randbelow(1 << 32)))


class KilledServer:
    """A server that is killed at random points of what it says to a page, and started again at the same port."""

    def __init__(self, arguments, chance, longest=30):
        self.arguments = arguments
        self.chance = chance
        self.longest = longest
        self.kills = 0
        self.server = serve(*arguments)
        self.port = self.server.port
        self._left = chance.randint(1, longest)
        self._is_due = threading.Event()
        self._is_over = False
        self._thread = threading.Thread(target=self._run)

    def heard(self):
        """A page has received a message."""
        self._left -= 1
        if self._left == 0:
            self._is_due.set()

    def _run(self):
        while self._is_due.wait():
            # Cleared before the look at what has been said: a call that comes later is seen in the next turn.
            self._is_due.clear()
            if self._is_over:
                return
            # Messages are a part of the points at which it matters; what happens between them is another.
            time.sleep(self.chance.choice([0, 0, self.chance.uniform(0, 0.01)]))
            self.server.signal(signal.SIGKILL)
            self.kills += 1
            self.server = serve(*self.arguments, port=self.port)
            self._left = self.chance.randint(1, self.longest)

    def __enter__(self):
        self._thread.start()
        return self

    def calm(self):
        """From now on the server lives."""
        self._is_over = True
        self._is_due.set()
        self._thread.join()

    def __exit__(self, *_):
        self.calm()
        self.server.stop()


def arguments(shop_root, catalog, tmp_path):
    return "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state", "--log-level", "warning"


def test_purchases_are_exact_over_a_server_that_is_killed_at_random_moments(shop_root, catalog, tmp_path, capsys):
    chance = random.Random(SEED)
    with KilledServer(arguments(shop_root, catalog, tmp_path), chance) as server:
        buyer = Buyer(server.port, PURCHASES, on_message=server.heard)
        buyer.buy()
        server.calm()
        buyer.check()
        buyer.close()
    with capsys.disabled():
        print(f"\nkills survived: {server.kills}, with {PURCHASES} purchases (seed {SEED})")


def test_purchases_are_exact_over_a_line_that_is_cut_slow_and_halved(shop_root, catalog, tmp_path, capsys):
    with serve(*arguments(shop_root, catalog, tmp_path)) as server:
        with BrokenLine(server.port, random.Random(SEED)) as line:
            buyer = Buyer(server.port, PURCHASES, line=line.port)
            buyer.buy()
            line.calm()
            buyer.check()
            buyer.close()
    with capsys.disabled():
        print(f"\ncuts survived: {line.cuts}, with {PURCHASES} purchases (seed {SEED})")


def test_several_pages_of_one_session_are_each_told_everything_once(shop_root, catalog, tmp_path):
    chance = random.Random(SEED)
    count = PURCHASES // 10
    with KilledServer(arguments(shop_root, catalog, tmp_path), chance) as server:
        session = secrets.token_hex(16)
        buyer = Buyer(server.port, count, session=session, on_message=server.heard)
        watcher = Buyer(server.port, watches=True, session=session)
        buyer.buy()
        server.calm()
        buyer.check()
        watcher.wait_for("removed", buyer._reached("removed"))
        assert watcher.violations == []
        buyer.close()
        watcher.close()


def test_purchases_in_chromium_are_exact_over_a_server_that_is_killed(shop_root, catalog, tmp_path, page, capsys):
    chance = random.Random(SEED)
    count = PURCHASES // 5
    with KilledServer(arguments(shop_root, catalog, tmp_path), chance, longest=12) as server:
        page.goto(f"http://127.0.0.1:{server.port}")
        page.expose_function("heard", server.heard)
        page.evaluate(
            """async ([product, count]) => {
              window.told = [];
              window.problems = [];
              const tell = (state) => (transactions) => {
                for (const { id, transactionState, payment } of transactions) {
                  told.push([id, state ?? transactionState, payment.appAccountToken]);
                  heard();
                  if (transactionState === "purchased" && !state && !finishing.has(id)) {
                    finishing.add(id);
                    onside.finishTransaction(id).catch((error) => problems.push(["finish", error]));
                  }
                }
              };
              const finishing = new Set();
              onside.onTransactionsUpdated = tell();
              onside.onTransactionsRemoved = tell("removed");
              await onside.loadProducts({ productIdentifiers: [product] });
              window.bought = (async () => {
                for (let number = 0; number < count; number++) {
                  await onside.purchase({ productIdentifier: product, appAccountToken: String(number) })
                    .catch((error) => problems.push(["purchase", error]));
                }
              })();
            }""",
            [PRODUCT, count],
        )
        page.wait_for_function(
            "count => new Set(told.filter(([, state]) => state === 'removed').map(([id]) => id)).size === count",
            arg=count, timeout=120_000,
        )
        server.calm()
        assert page.evaluate("problems") == []
        told = page.evaluate("told")
        assert sorted({token for _, _, token in told}, key=int) == [str(number) for number in range(count)]
        for identifier in {identifier for identifier, _, _ in told}:
            states = [state for each, state, _ in told if each == identifier]
            # A launch tells what is unfinished again; within one, each state comes once, and a removal ends everything.
            assert list(dict.fromkeys(states)) == STATES and states.count("removed") == 1
        assert page.evaluate("onside.getTransactions()") == []
        assert sorted(int(order["app_account_token"]) for order in orders_of(page.evaluate("onside.getSignedInAppsHistory().then(h => h.string)"))) == list(range(count))
    with capsys.disabled():
        print(f"\nkills survived in Chromium: {server.kills}, with {count} purchases (seed {SEED})")
