"""Several servers on one PostgreSQL: a session is at one of them, and every one of them answers."""

import contextlib
import http.client
import os
import signal

import pytest

from buyer import PRODUCT
from footbridge_process import StartFailure, serve
from ports import free_port
from postgresql import state_key
from wire_page import WirePage

TOKEN = "t" * 32


@pytest.fixture
def start(shop_root, catalog, tmp_path, database):
    """Starts servers on one database."""
    key = state_key(tmp_path)
    database.clear()
    with contextlib.ExitStack() as running:

        def start():
            server = serve(
                "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", database.url, "--state-key", key,
                "--replica-lease", 2, "--control-token", TOKEN, port=free_port(), environment=database.environment)
            running.callback(end, server)
            return server

        yield start


@pytest.fixture
def two(start):
    """Two servers on one database."""
    return [start(), start()]


def end(server):
    if server.process.poll() is None:
        server.process.send_signal(signal.SIGCONT)
        server.stop()


def pause(server):
    """Stops a server, and waits until each of its threads has stopped."""
    server.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, server.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def buy(page, token):
    """Buys, and waits until it is paid."""
    page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
    page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken=token)
    page.wait_for_state("purchased", token)


def queue(page):
    """Returns the ids and states of the transactions that the page has not finished."""
    return [(each["id"], each["transactionState"]) for each in page.call("onside.getTransactions")["transactions"]]


def test_a_killed_server_loses_nothing_and_a_resumed_one_writes_nothing(two):
    one, other = two
    first = WirePage(one.port)
    buy(first, "1")
    second = WirePage(other.port, session=first.session)
    bought = queue(first)
    assert queue(second) == bought
    pause(one)
    # Its lease ends, and the page behind it comes back here.
    buy(second, "2")
    taken_over = queue(second)
    assert len(taken_over) == 2
    one.process.send_signal(signal.SIGCONT)
    # It passes on what is no longer its own.
    third = WirePage(one.port, session=first.session)
    assert queue(third) == taken_over
    other.signal(signal.SIGKILL)
    assert queue(third) == taken_over
    for page in (first, second, third):
        page.close()


def test_a_request_is_answered_while_the_database_is_silent(two, database):
    """It does not wait until the database is back."""
    one, other = two
    page = WirePage(one.port)
    buy(page, "1")
    # The other one has its connections to the database, too.
    elsewhere = WirePage(other.port)
    buy(elsewhere, "2")
    database.pause()
    try:
        # Much longer than a statement may take, and shorter than the wait for a change whose end is not known.
        connection = http.client.HTTPConnection("127.0.0.1", other.port, timeout=40)
        connection.request("GET", "/", headers={"Cookie": f"footbridge_session={page.session}"})
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Retry-After")) == (503, "1"), answer.read()
        connection.close()
    finally:
        database.proceed()
    for each in (page, elsewhere):
        assert [state for _, state in queue(each)] == ["purchased"]
        each.close()


def test_servers_work_with_the_schema_and_the_sessions_of_the_next_version(two, start, database):
    """What docs/replicas.md promises to those who replace one server after the other."""
    one, other = two
    control = one.control(TOKEN)
    session = control.session(account="built-in")
    path = f"/sessions/{session['id']}"
    row = f"footbridge.session WHERE key LIKE '{session['id']}%'"
    page = WirePage(other.port, session=session["cookie"]["value"])
    buy(page, "before")
    # The first server of the next version starts beside them. It adds a column that it needs, and a table.
    database.query("""
        ALTER TABLE footbridge.session ADD COLUMN later text NOT NULL DEFAULT 'usual';
        CREATE TABLE footbridge.laterRow (sessionKey text NOT NULL REFERENCES footbridge.session ON DELETE CASCADE ON UPDATE CASCADE);
        UPDATE footbridge.schemaVersion SET version = version + 1""")
    buy(page, "meanwhile")
    # Another one of this version starts, too, and takes the place of the first.
    third = start()
    page.stay_away()
    assert one.stop() == 0
    # The session is the next version's for a while, which keeps something of its own in it.
    database.query(f"""
        UPDATE {row.replace(" WHERE", " SET later = 'set', profile = jsonb_set(profile::jsonb, '{laterMember}', '[1]') WHERE")};
        INSERT INTO footbridge.laterRow SELECT key FROM {row}""")
    page.come_back()
    newcomer = third.control(TOKEN)
    newcomer("PATCH", path, {"name": "changed by the former version"})
    buy(page, "after")
    assert [state for _, state in queue(page)] == ["purchased"] * 3 and page.violations == []
    row_now = database.query(f"SELECT later, profile::jsonb ->> 'laterMember', profile::jsonb ->> 'name' FROM {row}")
    assert row_now == [["set", "[1]", "changed by the former version"]]
    assert database.query("SELECT count(*) FROM footbridge.laterRow") == [["1"]]
    # A version that cannot leave the former one running: those that run go on, and none of the former starts.
    database.query("UPDATE footbridge.schemaVersion SET usableBy = version")
    with pytest.raises(StartFailure) as failure:
        start()
    assert failure.value.code == os.EX_CANTCREAT and "A newer version of Footbridge has written it" in failure.value.log
    buy(page, "last")
    page.close()
