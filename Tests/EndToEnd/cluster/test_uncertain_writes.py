"""Changes whose end the server does not learn from the database: each is made once."""

import concurrent.futures
import contextlib
import signal

import pytest

from buyer import PRODUCT
from footbridge_process import serve
from ports import free_port
from postgresql import state_key
from relay import Relay
from test_merchant_api import HISTORY, request, token
from test_take_over import until
from wire_page import WirePage

#: Longer than a test may take: nobody takes over a session whose lease still runs.
LEASE = 3600
ROUNDS = 5


@pytest.fixture
def start(shop_root, catalog, tmp_path, database):
    """Starts servers on one database, each with a line of its own to it."""
    key = state_key(tmp_path)
    database.clear()
    with contextlib.ExitStack() as running:

        def start():
            line = running.enter_context(Relay(database.socket))
            server = running.enter_context(serve(
                "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", database.url_at(line.port), "--state-key", key,
                "--replica-lease", LEASE, port=free_port(), environment=database.environment))
            server.line = line
            return server

        yield start


def bought(page, name):
    page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken=name)
    return page.wait_for_state("purchased", name)[-1]["transactionIdentifier"]


def test_two_changes_run_once_each_when_the_answer_to_a_commit_is_lost(start, database):
    server = start()
    page = WirePage(server.port)
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    order = bought(page, "first")

    def purchase(name):
        return database.query(f"SELECT id, xmin FROM footbridge.queuedTransaction WHERE content LIKE '%\"{name}\"%'")

    def tokens():
        return database.query("SELECT id, xmin FROM footbridge.usedToken")

    for number in range(ROUNDS):
        name, before, bearer = f"round {number}", tokens(), {"Authorization": f"Bearer {token()}"}
        server.line.hold_answers()
        call = page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken=name)
        with concurrent.futures.ThreadPoolExecutor() as merchant:
            # A token that is used up is a change of its own. Made twice, it is refused as used.
            asked = merchant.submit(request, server, HISTORY + order, fields=bearer)
            # One of the two is committed, and the server does not know.
            committed = until(lambda: (purchase(name), [each for each in tokens() if each not in before]), any)
            server.line.cut()
            server.line.mend()
            assert asked.result()[0] == 200
        call.result()
        page.wait_for_state("purchased", name)
        assert request(server, HISTORY + order, fields=bearer)[0] == 401
        assert len(purchase(name)) == 1 and len(tokens()) == len(before) + 1
        # What was committed has not been written again. The payment changes the row of a purchase later.
        if committed[1]:
            assert committed[1][0] in tokens()
    server.wait_for_log("was lost during a commit")
    queue = page.call("onside.getTransactions")["transactions"]
    assert [each["payment"]["appAccountToken"] for each in queue] == ["first", *(f"round {number}" for number in range(ROUNDS))]
    assert page.violations == []
    page.close()


def test_a_server_that_stops_during_a_database_outage_releases_its_sessions(start):
    owner, other = start(), start()
    page = WirePage(owner.port)
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    bought(page, "before")
    owner.line.cut()
    call = page.start("onside.purchase", productIdentifier=PRODUCT, appAccountToken="meanwhile")
    owner.line.wait_for_refusal()
    page.port = page.line = other.port
    owner.process.send_signal(signal.SIGTERM)
    owner.line.wait_for_refusal()
    owner.line.mend()
    assert owner.process.wait(timeout=60) == 0
    # Nobody waits for its lease to end.
    call.result()
    page.wait_for_state("purchased", "meanwhile")
    queue = page.call("onside.getTransactions")["transactions"]
    assert [each["payment"]["appAccountToken"] for each in queue] == ["before", "meanwhile"]
    assert page.violations == []
    page.close()
