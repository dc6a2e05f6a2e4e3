"""A server that cannot write, and what it finds after a restart."""

import contextlib
import os
import resource
import signal
import sqlite3
import time
import urllib.request

import pytest

from buyer import PRODUCT, Buyer
from footbridge_process import run, serve
from wire_page import Rejection, WirePage


def store_arguments(shop_root, catalog, tmp_path):
    return "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state"


def set_file_size_limit(server, size):
    """Limits the size of each file of the server, which to a program is like a full disk."""
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux can limit another process")
def test_on_a_full_disk_calls_fail_the_queue_is_unchanged_and_the_server_stays_up(shop_root, catalog, tmp_path):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    with serve(*arguments) as server:
        page = WirePage(server.port)
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        page.call("onside.purchase", productIdentifier=PRODUCT)
        [transaction] = page.wait_for_state("purchased")
        told = list(page.events)
        before = page.call("onside.getTransactions")
        set_file_size_limit(server, 0)
        for action, data in [
            ("purchase", {"productIdentifier": PRODUCT}), ("finishTransaction", {"id": transaction["id"]}),
            ("logout", {}), ("purchase", {"productIdentifier": PRODUCT}),
        ]:
            with pytest.raises(Rejection, match="bridge.bridgeDetached"):
                page.call(f"onside.{action}", **data)
        assert page.call("onside.getTransactions") == before
        assert page.call("onside.getCurrentStorefront")["storefront"]["countryCode"] == "NL"
        assert page.events == told
        assert urllib.request.urlopen(server.url + "/__footbridge/health", timeout=5).status == 200
        server.wait_for_log("cannot be written")
        set_file_size_limit(server, resource.RLIM_INFINITY)
        page.call("onside.finishTransaction", id=transaction["id"])
        page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken="after")
        page.wait_for_state("purchased", token="after")
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=server.port):
        [transaction] = page.call("onside.getTransactions")["transactions"]
        assert transaction["payment"]["appAccountToken"] == "after" and transaction["transactionState"] == "purchased"
        assert page.violations == []
        page.close()


def test_a_call_whose_effect_was_stored_is_answered_by_the_next_server_and_not_run_again(shop_root, catalog, tmp_path):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    with serve(*arguments) as server:
        page = WirePage(server.port)
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        bought = page.start("onside.purchase", productIdentifier=PRODUCT)
        bought.result()
        page.wait_for_state("purchased")
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=server.port):
        # As far as the server knows, the page has not received the answer.
        page.ask_again(bought)
        bought.result()
        assert len(page.call("onside.getTransactions")["transactions"]) == 1
        # What the page told the killed launch still counts: it need not load products again.
        page.call("onside.purchase", productIdentifier=PRODUCT)
        page.close()


def test_an_idempotency_key_ends_with_its_server(shop_root, catalog, tmp_path):
    def make(control):
        return control("POST", "/sessions", {"name": "mine"}, headers={"Idempotency-Key": "make"})

    with serve(*store_arguments(shop_root, catalog, tmp_path)) as server:
        control = server.control()
        first = make(control)
        assert make(control) == first
        server.signal(signal.SIGKILL)
    cookie = first["cookie"]["value"].encode()
    assert not [file for file in (tmp_path / "state").rglob("*") if file.is_file() and cookie in file.read_bytes()]
    with serve(*store_arguments(shop_root, catalog, tmp_path)) as server:
        assert make(server.control())["id"] != first["id"]


def test_a_page_that_reconnects_later_than_another_gets_what_it_missed(shop_root, catalog, tmp_path):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    with serve(*arguments) as server:
        buyer = WirePage(server.port)
        watcher = WirePage(server.port, session=buyer.session)
        watcher.call("onside.getTransactions")
        buyer.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        buyer.call("onside.purchase", productIdentifier=PRODUCT)
        [transaction] = buyer.wait_for_state("purchased")
        watcher.wait_for_state("purchased")
        watcher.stay_away()
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=server.port) as server:
        buyer.call("onside.finishTransaction", id=transaction["id"])
        buyer.wait_for_event("onside.onTransactionsRemoved")
        # Callbacks for the page survive another run, too.
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=server.port):
        buyer.call("onside.getTransactions")
        watcher.come_back()
        [removed] = watcher.wait_for_event("onside.onTransactionsRemoved")
        assert [each["id"] for each in removed["transactions"]] == [transaction["id"]]
        assert watcher.violations == buyer.violations == []
        watcher.close()
        buyer.close()


def test_a_state_directory_belongs_to_one_server_until_that_has_ended(shop_root, catalog, tmp_path):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    with serve(*arguments) as server:
        page = Buyer(server.port, 2)
        page.buy()
        refused = run("serve", "--port", 0, *arguments)
        assert refused.returncode == 75
        assert refused.stderr.count("\n") == 1 and "is in use by another server" in refused.stderr and "--state" in refused.stderr
        assert run("trust", "--state", tmp_path / "state").returncode == 0
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=server.port) as server:
        page.check()
        page.close()
        assert server.stop() == 0
    assert run("exec", *arguments, "--", "true").returncode == 0


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("UPDATE schemaVersion SET version = version + 1, usableBy = version + 1", "A newer version of Footbridge has written it."),
        ("DROP TABLE schemaVersion", "was written by a version of Footbridge before 0.1.0"),
    ],
)
def test_a_store_of_another_version_is_refused_with_a_remedy(shop_root, catalog, tmp_path, change, reason):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    serve(*arguments).stop()
    with sqlite3.connect(tmp_path / "state" / "footbridge.sqlite") as database:
        database.execute(change)
    result = run("serve", "--port", 0, *arguments)
    assert result.returncode == os.EX_CANTCREAT
    assert reason in result.stderr and "footbridge.sqlite" in result.stderr and "--state" in result.stderr


def test_a_damaged_store_is_set_aside_and_a_new_one_is_used(shop_root, catalog, tmp_path):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "footbridge.sqlite").write_bytes(b"not a database at all, but somebody's bytes")
    with serve(*arguments) as server:
        server.wait_for_log("is damaged", "set aside")
        page = Buyer(server.port, 1)
        page.buy()
        page.close()
    [aside] = (tmp_path / "state").glob("footbridge.sqlite.damaged-*")
    assert aside.read_bytes() == b"not a database at all, but somebody's bytes"


def test_a_store_found_damaged_while_running_is_set_aside_and_running_sessions_are_stored_again(shop_root, catalog, tmp_path):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    state = tmp_path / "state"
    with serve(*arguments) as server:
        page = Buyer(server.port, 3)
        page.buy()
        page.close()
        # The write-ahead log of the killed server is part of the database.
        server.signal(signal.SIGKILL)
    with sqlite3.connect(state / "footbridge.sqlite") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    content = bytearray((state / "footbridge.sqlite").read_bytes())
    half = len(content) // 2
    content[half:] = b"\xaa" * (len(content) - half)
    (state / "footbridge.sqlite").write_bytes(content)
    # The state that a killed server leaves.
    (state / "footbridge.sqlite-wal").write_bytes(b"-")
    with serve(*arguments) as server:
        server.wait_for_log("is damaged", "set aside")
        page = Buyer(server.port, 3)
        page.buy()
        page.check()
        page.close()
    assert len(list(state.glob("footbridge.sqlite.damaged-*"))) >= 1


def test_a_session_unused_for_long_is_forgotten_with_its_orders_and_others_are_not(shop_root, catalog, tmp_path):
    arguments = store_arguments(shop_root, catalog, tmp_path)
    pages = []
    with serve(*arguments) as server:
        for _ in range(2):
            pages.append(WirePage(server.port))
            pages[-1].call("onside.loadProducts", productIdentifiers=[PRODUCT])
            pages[-1].call("onside.purchase", productIdentifier=PRODUCT)
            pages[-1].wait_for_state("purchased")
            pages[-1].close()
    file = tmp_path / "state" / "footbridge.sqlite"
    assert file.with_name("footbridge.sqlite-wal").stat().st_size == 0, "the server has not closed its store"
    with sqlite3.connect(file) as database:
        keys = [key for (key,) in database.execute("SELECT key FROM session")]
        database.execute("UPDATE session SET usedAt = '2020-01-01 00:00:00.000' WHERE key = ?", (keys[0],))
    database.close()
    with serve(*arguments):
        with contextlib.closing(sqlite3.connect(file)) as database:
            wait_until(lambda: [key for (key,) in database.execute("SELECT key FROM session")] == [keys[1]])
            assert database.execute("SELECT COUNT(*) FROM purchase").fetchone() == (1,)


def wait_until(condition, seconds=20):
    """Waits for something that only the disk shows."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not happen"
        time.sleep(0.02)
