"""Purchases with a server that is killed and with lines that break: each takes effect exactly once and is reported exactly once.

`FOOTBRIDGE_PURCHASES` sets the number; `make soak` makes a thousand of each.
"""

import contextlib
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
from short_form import SEED
from wire_page import Rejection, WirePage

PURCHASES = int(os.environ.get("FOOTBRIDGE_PURCHASES", "60"))
#: A timeout that is enough for a thousand purchases on a busy machine. The waits themselves report what hangs.
pytestmark = pytest.mark.timeout(600)


class KilledServer:
    """A server that a thread kills at random messages to a page, and starts again at the same port. After so many kills it lives on: each launch
    tells a page again of what is not finished, so chance could kill it for ever before a page gets further."""

    MOST_KILLS = 200

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
        """Notes that a page has received a message."""
        self._left -= 1
        if self._left == 0:
            self._is_due.set()

    def _run(self):
        while self._is_due.wait():
            # Cleared before the messages are counted: a later message shows in the next turn.
            self._is_due.clear()
            if self._is_over:
                return
            # Kills right after a message are one part of the cases, kills between messages the other.
            time.sleep(self.chance.choice([0, 0, self.chance.uniform(0, 0.01)]))
            self.server.signal(signal.SIGKILL)
            self.kills += 1
            self.server = serve(*self.arguments, port=self.port)
            if self.kills == self.MOST_KILLS:
                return
            self._left = self.chance.randint(1, self.longest)

    def __enter__(self):
        self._thread.start()
        return self

    def calm(self):
        """Stops the kills."""
        self._is_over = True
        self._is_due.set()
        self._thread.join()

    def __exit__(self, *_):
        self.calm()
        self.server.stop()


def arguments(shop_root, catalog, tmp_path):
    return "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state", "--log-level", "warning"


def test_purchases_are_exactly_once_over_a_server_that_is_killed_at_random(shop_root, catalog, tmp_path, capsys):
    chance = random.Random(SEED)
    with KilledServer(arguments(shop_root, catalog, tmp_path), chance) as server:
        buyer = Buyer(server.port, PURCHASES, on_message=server.heard)
        buyer.buy()
        server.calm()
        buyer.check()
        buyer.close()
    with capsys.disabled():
        print(f"\nkills survived: {server.kills}, with {PURCHASES} purchases (seed {SEED})")


def test_purchases_are_exactly_once_over_a_connection_that_is_cut_slow_and_half_closed(shop_root, catalog, tmp_path, capsys):
    with serve(*arguments(shop_root, catalog, tmp_path)) as server:
        with BrokenLine(server.port, random.Random(SEED)) as line:
            buyer = Buyer(server.port, PURCHASES, line=line.port)
            buyer.buy()
            line.calm()
            buyer.check()
            buyer.close()
    with capsys.disabled():
        print(f"\ncuts survived: {line.cuts}, with {PURCHASES} purchases (seed {SEED})")


def test_several_pages_of_one_session_each_get_everything_once(shop_root, catalog, tmp_path):
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


def test_purchases_in_chromium_are_exactly_once_over_a_server_that_is_killed(shop_root, catalog, tmp_path, page, capsys):
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
            # A new launch reports unfinished transactions again. Within a launch, each state comes exactly once, and a removal is the last.
            assert list(dict.fromkeys(states)) == STATES and states.count("removed") == 1
        assert page.evaluate("onside.getTransactions()") == []
        assert sorted(int(order["app_account_token"]) for order in orders_of(page.evaluate("onside.getSignedInAppsHistory().then(h => h.string)"))) == list(range(count))
    with capsys.disabled():
        print(f"\nkills survived in Chromium: {server.kills}, with {count} purchases (seed {SEED})")


def tokens_of(page):
    """Returns the tokens of the orders of a page's session."""
    return [order["app_account_token"] for order in orders_of(page.call("onside.getSignedInAppsHistory")["string"])]


class Household:
    """Two sessions and a tab that moves from one to the other, as when a test changes the browser's cookie."""

    def __init__(self, port):
        self.port = port
        self.first = WirePage(port)
        self.second = WirePage(port)
        self.bought = {self.first: [], self.second: []}

    def buy(self, page, member):
        token = f"token-{sum(map(len, self.bought.values()))}"
        while True:
            page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
            try:
                page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken=token)
            except Rejection as refused:
                # The store has no record of a page before something changes in its session. If the server is killed then, the page
                # comes back as a new one, which has loaded nothing (docs/state.md).
                assert str(refused) == "unknownProduct"
            else:
                break
        self.bought[member].append(token)

    def live(self):
        """Buys in a tab of the first session, moves it to the second one, and buys there. The first session sees it end."""
        tab = WirePage(self.port, session=self.first.session)
        self.buy(tab, self.first)
        tab.move(self.second.session)
        self.buy(tab, self.second)
        # Otherwise the page would end in its first session only after the time that it has to come back.
        former = WirePage(self.port, session=self.first.session, page_id=tab.page_id)
        assert former.is_greeted.wait(60)
        former.close()
        self.buy(self.first, self.first)
        self.buy(tab, self.second)
        assert tab.violations == []
        tab.close()

    def check(self):
        for member, tokens in self.bought.items():
            assert tokens_of(member) == tokens
            assert member.violations == []
            member.close()


def test_a_page_id_in_two_sessions_loses_no_purchase_over_a_server_that_is_killed(shop_root, catalog, tmp_path, capsys):
    chance = random.Random(SEED)
    problems = []

    def buy(buyer):
        try:
            buyer.buy()
        except AssertionError as problem:
            problems.append(problem)

    with KilledServer(arguments(shop_root, catalog, tmp_path), chance) as server:
        # Some of the kills follow messages to another household.
        others = [Buyer(server.port, PURCHASES // 3, on_message=server.heard if number == 0 else None) for number in range(3)]
        threads = [threading.Thread(target=buy, args=[other]) for other in others]
        for thread in threads:
            thread.start()
        household = Household(server.port)
        household.live()
        while any(thread.is_alive() for thread in threads):
            household.live()
        server.calm()
        household.check()
        for thread, other in zip(threads, others):
            thread.join()
            other.check()
            other.close()
        assert problems == []
    purchases = sum(map(len, household.bought.values())) + PURCHASES // 3 * 3
    with capsys.disabled():
        print(f"\nkills survived with a page in two sessions: {server.kills}, with {purchases} purchases (seed {SEED})")


#: More answers than the server keeps for a page.
MANY = 1100


@pytest.mark.parametrize("is_killed", [False, True], ids=["a lost socket", "a killed server"])
def test_a_purchase_is_made_once_when_more_later_answers_are_lost_than_are_stored(
    is_killed, shop_root, catalog, tmp_path, capsys
):
    options = arguments(shop_root, catalog, tmp_path)
    purchases = max(PURCHASES // 50, 1)
    with contextlib.ExitStack() as servers:
        server = servers.enter_context(serve(*options))
        page = WirePage(server.port)
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        for number in range(purchases):
            page.loses_answers = True
            before = page.lost_answers
            first = page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken=f"first-{number}")
            page.wait_for_lost_answers(before + 1)
            cheap = [page.start("onside.getCurrentStorefront") for _ in range(MANY)]
            last = page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken=f"last-{number}")
            page.wait_for_lost_answers(before + MANY + 2)
            page.stay_away()
            page.cut()
            if is_killed:
                server.signal(signal.SIGKILL)
                server = servers.enter_context(serve(*options, port=server.port))
            page.loses_answers = False
            page.come_back()
            with pytest.raises(Rejection) as refused:
                first.result()
            assert "not run again" in refused.value.message
            last.result()
            # The server also refuses cheap calls if it knows only that they were run.
            for call in cheap:
                with contextlib.suppress(Rejection):
                    call.result()
            page.call("onside.getCurrentStorefront")
        assert tokens_of(page) == [f"{which}-{number}" for number in range(purchases) for which in ("first", "last")]
        assert page.violations == []
        page.close()
    with capsys.disabled():
        print(f"\npurchases with {MANY} lost answers after them: {purchases} (seed {SEED})")


def disconnect(control, session):
    """Cuts the socket of a session's only page."""
    [page] = control("GET", f"/sessions/{session['id']}/pages")["pages"]
    control("POST", f"/sessions/{session['id']}/pages/{page['id']}/disconnect")


def purchase_in(page, token):
    page.evaluate(
        """async ([product, token]) => {
          await onside.loadProducts({ productIdentifiers: [product] });
          await onside.purchase({ productIdentifier: product, appAccountToken: token });
        }""",
        [PRODUCT, token],
    )


@pytest.mark.parametrize(
    "is_waited_for",
    [
        pytest.param(False, id="the app is launched anew"),
        pytest.param(
            True, id="half a minute has passed",
            marks=pytest.mark.skipif(PURCHASES < 1000, reason="takes the 30 seconds that a page may be away; make soak waits for them")),
    ],
)
def test_a_tab_in_chromium_that_gets_the_cookie_of_another_session_loses_no_purchase(
    is_waited_for, shop_root, catalog, tmp_path, new_context
):
    options = arguments(shop_root, catalog, tmp_path)
    with serve(*options) as server:
        control = server.control()
        first, second = control.session(), control.session()
        other = WirePage(server.port)
        context = new_context()
        control.enter(context, first)
        page = context.new_page()
        page.goto(server.url)
        purchase_in(page, "first")
        control.enter(context, second)
        with control.events(first["id"]) as events:
            disconnect(control, first)
            purchase_in(page, "second")
            if is_waited_for:
                assert next(event for event in events if event.data.get("action") == "ended")
            else:
                control("POST", f"/sessions/{first['id']}/relaunch")
        control("PATCH", f"/sessions/{first['id']}", {"name": "of the first tab"})
        other.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        other.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="other")
        purchase_in(page, "third")
        server.signal(signal.SIGKILL)
    with serve(*options, port=server.port) as server:
        control = server.control()
        bought = "() => onside.getTransactions().then(all => all.map(each => each.payment.appAccountToken))"
        assert page.evaluate(bought) == ["second", "third"]
        assert tokens_of(other) == ["other"]
        control.enter(context, first)
        page.goto(server.url)
        assert page.evaluate(bought) == ["first"]
        other.close()
