"""What goes with a session to another server on the same PostgreSQL, besides what it has bought."""

import contextlib
import os
import signal

import pytest

from buyer import PRODUCT
from footbridge_process import serve
from postgresql import PostgreSQL, free_port
from wire_page import WirePage

TOKEN = "t" * 32
ACME = {
    "channels": {"acme": {"reply": True}}, "name": ["/type"], "frames": "all",
    "answers": {"login": {"reply": {"id": {"!from": "/id"}}}},
    "scripts": [{"text": "window.native = 'of the session';"}],
}
#: How a server ends: it hands its sessions over, or they are taken from it.
ENDS = pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=["hand-over", "take-over"])


@pytest.fixture(scope="module")
def database():
    with PostgreSQL() as database:
        yield database


@pytest.fixture
def pair(shop_root, catalog, tmp_path, database):
    """Two servers on one database, with their control APIs."""
    key = tmp_path / "state.key"
    key.write_bytes(os.urandom(32))
    key.chmod(0o600)
    database.query("DROP SCHEMA IF EXISTS footbridge CASCADE")
    with contextlib.ExitStack() as running:

        def start():
            server = running.enter_context(serve(
                "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", database.url, "--state-key", key,
                "--replica-lease", 2, "--control-token", TOKEN, port=free_port(), environment=database.environment))
            server.api = server.control(TOKEN)
            return server

        yield [start(), start()]


def page_of(server, session):
    return WirePage(server.port, session=session["cookie"]["value"])


def ask(page, **message):
    """Returns the answer to a message to the bridge acme, as its page gets it."""
    return page.call(f"acme.{message['type']}", value=message, channel="acme")["value"]


@ENDS
def test_a_bridge_of_a_session_goes_with_it(pair, end):
    one, other = pair
    session = one.api.session()
    path = f"/sessions/{session['id']}"
    one.api("PUT", f"{path}/bridges/acme", ACME)
    one.api("POST", f"{path}/rules", {"on": "acme.logout", "then": {"result": "by rule"}})
    one.signal(end)
    page = page_of(other, session)
    assert ask(page, type="login", id=7) == {"id": 7}
    assert ask(page, type="logout") == "by rule"
    assert {"name": "acme", "declared": True} in other.api("GET", f"{path}/bridges")["bridges"]
    page.close()


def test_every_server_has_a_named_snapshot_also_when_that_which_has_taken_it_is_killed(pair):
    one, other = pair
    prepared = one.api.session(name="prepared", account="built-in", purchases=[{"product": PRODUCT, "account": "built-in"}])
    one.api("PUT", "/snapshots/paid", {"session": prepared["id"]})
    assert other.api("GET", "/snapshots")["snapshots"] == [{"name": "paid"}]
    assert other.api("POST", "/sessions", {"from": "paid"})["account"] == "built-in"
    one.signal(signal.SIGKILL)
    session = other.api.session(**{"from": "paid"})
    orders = [other.api("GET", f"/sessions/{each['id']}/purchases")["purchases"] for each in (prepared, session)]
    assert [[each["product"] for each in purchases] for purchases in orders] == [[PRODUCT]] * 2
    assert orders[0][0]["id"] != orders[1][0]["id"]
    other.api("DELETE", "/snapshots/paid")
    assert other.api("GET", "/snapshots")["snapshots"] == []
