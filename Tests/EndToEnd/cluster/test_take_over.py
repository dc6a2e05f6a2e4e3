"""What a page in Chromium finds when the server of its session is killed: everything, after one reconnect."""

import contextlib
import json
import signal
import time

import pytest

from buyer import PRODUCT
from footbridge_process import serve
from ports import free_port
from postgresql import PostgreSQL, state_key
from test_today_proxy import ORIGIN, establish, fetch, running_site
from upstream_services import TokenEndpoint

TOKEN = "t" * 32
BUY = """([product, token]) => onside.loadProducts({ productIdentifiers: [product] })
  .then(() => onside.purchase({ productIdentifier: product, appAccountToken: token }))"""
QUEUE = "onside.getTransactions().then(all => all.map(each => [each.payment.appAccountToken, each.transactionState]))"
PURCHASED = "token => seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.payment.appAccountToken === token && t.transactionState === 'purchased'))"


@pytest.fixture
def two(catalog, tmp_path):
    """Two servers on one database, in front of one site."""
    key = state_key(tmp_path)
    config = tmp_path / "footbridge.yaml"
    with contextlib.ExitStack() as running:
        endpoint = TokenEndpoint()
        running.callback(endpoint.stop)
        config.write_text(json.dumps({"today": {"token": {"url": endpoint.url, "refreshToken": TokenEndpoint.FIRST}}}))
        database = running.enter_context(PostgreSQL())
        site = running.enter_context(running_site())

        def start():
            return running.enter_context(serve(
                "--proxy", site.url, "--config", config, "--catalog", catalog, "--site-origin", ORIGIN, "--state", database.url, "--state-key", key,
                "--replica-lease", 2, "--control-token", TOKEN, "--log-level", "warning", port=free_port(), environment=database.environment))

        yield site, start(), start()


def until(ask, is_wanted):
    """Asks until the answer is as wanted, and returns it."""
    deadline = time.monotonic() + 60
    while not is_wanted(answer := ask()):
        assert time.monotonic() < deadline, answer
        time.sleep(0.05)
    return answer


def test_a_page_has_its_whole_state_at_the_next_server_after_one_reconnect(two, new_context):
    site, owner, other = two
    first, second = owner.control(TOKEN), other.control(TOKEN)
    session = first.session(present="control", account="built-in", clock={"frozen": True, "now": "2031-05-01T12:00:00Z"})
    path = f"/sessions/{session['id']}"
    context = new_context()
    second.enter(context, session)
    page = context.new_page()
    # A socket that the server speaks on is a connection.
    connections = set()
    page.on("websocket", lambda socket: socket.on("framereceived", lambda _: connections.add(socket)))
    page.goto(other.url)
    page.evaluate("""() => { window.seen = []; onside.onTransactionsUpdated = value => { seen.push({ name: "onTransactionsUpdated", value }); }; }""")
    # A cookie that lasts.
    establish(page)
    fetch(page, "/api/set?set=embed_bearer%3Dlasting%3B%20Path%3D%2Fapi%2F%3B%20Secure%3B%20HttpOnly%3B%20Max-Age%3D600")

    def sheet():
        [sheet] = until(lambda: second("GET", path + "/sheets")["sheets"], lambda sheets: len(sheets) == 1)
        return sheet

    def approve(sheet):
        second("POST", f"{path}/sheets/{sheet['id']}/answer", {"approved": True})

    # A transaction that is not finished, then one whose sheet is open.
    page.evaluate(BUY, [PRODUCT, "paid"])
    approve(sheet())
    page.wait_for_function(PURCHASED, arg="paid")
    page.evaluate(BUY, [PRODUCT, "open"])
    assert sheet()["kind"] == "payment"
    # A call at a gate, and a gate that is opened before anything comes. One rule has decided and is over, the other has not.
    second("POST", path + "/rules", {"on": "onside.getSignedInAppsHistory", "then": {"gate": "held"}})
    page.evaluate("void onside.getSignedInAppsHistory().then(history => { window.history1 = history.string; })")
    second("POST", path + "/rules", {"on": "onside.loadProducts", "then": {"gate": "early"}})
    assert second("POST", path + "/gates/early/release") == {"released": 0}

    def gates():
        return [(gate["name"], gate["action"]) for gate in second("GET", path + "/gates")["gates"]]

    until(gates, lambda held: held == [("held", "onside.getSignedInAppsHistory")])

    def lasting():
        return [second("GET", path + part) for part in ("/clock", "/cookies", "/rules", "/purchases")]

    before = lasting()
    assert [cookie["name"] for cookie in before[1]["cookies"]] == ["embed_bearer"] and len(before[2]["rules"]) == 1
    assert len(connections) == 1

    owner.signal(signal.SIGKILL)

    assert page.evaluate(QUEUE) == [["paid", "purchased"], ["open", "purchasing"]]
    assert lasting() == before
    fetch(page, "/api/after")
    assert site.cookies("/api/after") == {"embed_bearer": "lasting"}
    # The page still waits at the gate.
    assert until(gates, len) == [("held", "onside.getSignedInAppsHistory")] and page.evaluate("window.history1") is None
    assert second("POST", path + "/gates/held/release") == {"released": 1}
    page.wait_for_function("window.history1")
    # The gate that was opened lets one call through.
    page.evaluate("product => onside.loadProducts({ productIdentifiers: [product] })", PRODUCT)
    approve(sheet())
    page.wait_for_function(PURCHASED, arg="open")
    assert page.evaluate(QUEUE) == [["paid", "purchased"], ["open", "purchased"]]
    assert len(connections) == 2
