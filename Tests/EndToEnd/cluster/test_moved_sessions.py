"""What goes with a session to another server on the same PostgreSQL, besides what it has bought."""

import contextlib
import json
import os
import signal
import subprocess

import pytest
from playwright.sync_api import expect

from buyer import PRODUCT
from dashboard_tabs import open_dashboard
from footbridge_process import BUILD, PROJECT, serve
from ports import free_port
from postgresql import state_key
from test_playwright_kit import NODE
from wire_page import WirePage

TOKEN = "t" * 32
ACME = {
    "channels": {"acme": {"reply": True}}, "name": ["/type"], "frames": "all",
    "answers": {"login": {"reply": {"id": {"!from": "/id"}}}},
    "scripts": [{"text": "window.native = 'of the session';"}],
}
#: How a server ends: it hands its sessions over, or they are taken from it.
ENDS = pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL], ids=["hand-over", "take-over"])


@pytest.fixture
def pair(shop_root, catalog, tmp_path, database):
    """Two servers on one database, with their control APIs."""
    key = state_key(tmp_path)
    database.clear()
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
def test_a_declared_bridge_of_a_session_moves_with_it(pair, end):
    one, other = pair
    session = one.api.session()
    path = f"/sessions/{session['id']}"
    one.api("PUT", f"{path}/bridges/acme", ACME)
    one.api("POST", f"{path}/rules", {"on": "acme.logout", "then": {"result": "by rule"}})
    one.signal(end)
    page = page_of(other, session)
    assert ask(page, type="login", id=7) == {"id": 7}
    assert ask(page, type="logout") == "by rule"
    assert "acme" in [bridge["name"] for bridge in other.api("GET", f"{path}/bridges")["bridges"]]
    page.close()


def test_every_server_has_a_named_snapshot_after_its_server_is_killed(pair):
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


#: Requests that the next server of a session gets, as its journal has them.
LATER = ["POST /rules", "POST /relaunch", "POST /reset"]


def make_later_requests(server, path):
    """Makes the requests of `LATER`."""
    server.api("POST", f"{path}/rules", {"on": "onside.purchase", "then": {"error": "unknownProduct"}})
    for event in ("relaunch", "reset"):
        server.api("POST", f"{path}/{event}")


@pytest.fixture(params=[signal.SIGTERM, signal.SIGKILL], ids=["hand-over", "take-over"])
def moved(pair, request):
    """A session of a server that has ended, which goes on at the other one: that one, the session, and the last cursor of the former's journal."""
    one, other = pair
    session = one.api.session()
    path = f"/sessions/{session['id']}"
    for number in range(30):
        one.api("PATCH", path, {"name": f"test {number}"})
    old = one.api("GET", f"{path}/journal")["next"]
    assert old >= 30
    one.signal(request.param)
    make_later_requests(other, path)
    return other, session, old


def test_an_old_cursor_returns_each_entry_of_the_next_server_once(moved):
    server, session, old = moved
    path = f"/sessions/{session['id']}"
    page = server.api("GET", f"{path}/journal?after={old}")
    assert [entry["action"] for entry in page["entries"] if entry["kind"] == "control"] == LATER
    cursors = [entry["cursor"] for entry in page["entries"]]
    assert cursors == sorted(cursors) and cursors[0] > old and page["dropped"] == 0
    assert server.api("GET", f"{path}/journal?after={page['next']}")["entries"] == []
    assert server.api("GET", path)["cursor"] == page["next"]
    with server.api.events(session["id"], {"Last-Event-ID": str(old)}) as events:
        assert [int(next(events).id) for _ in cursors] == cursors


def test_the_kit_with_an_old_cursor_gets_each_entry_of_the_next_server_once(moved, monkeypatch):
    monkeypatch.syspath_prepend(PROJECT / "web" / "testing")
    from pytest_footbridge.journal import ExpectationError
    from pytest_footbridge.server import Server

    server, session, old = moved
    kit = Server(server.url, TOKEN)
    mine = kit.session_type(kit, session)
    after = old
    for action in LATER:
        entry = mine.wait_for(after=after, kind="control", timeout=20_000)
        assert entry["action"] == action
        after = entry["cursor"]
    with pytest.raises(ExpectationError):
        mine.wait_for(after=after, kind="control", timeout=0)
    script = """
      import { Server, Session } from "./web/testing/footbridge.mjs";
      const [url, token, created, old] = process.argv.slice(1);
      const session = new Session(new Server(url, token), JSON.parse(created));
      const seen = [];
      for (let after = Number(old); seen.length < 3;) {
        const entry = await session.waitFor({ kind: "control" }, { after, timeout: 20_000 });
        seen.push(entry.action);
        after = entry.cursor;
      }
      console.log(JSON.stringify([seen, (await session.journal({ after: Number(old) })).filter(({ kind }) => kind === "control").length]));
    """
    result = subprocess.run(
        [NODE, "--input-type=module", "--eval", script, server.url, TOKEN, json.dumps(session), str(old)],
        cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == [LATER, 3]


def test_ctl_follows_the_journal_from_an_old_cursor(moved):
    server, session, old = moved
    process = subprocess.Popen(
        [BUILD / "footbridge", "ctl", "--json", "journal", "--follow", "--session", session["id"], f"after={old}"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "FOOTBRIDGE_URL": server.url, "FOOTBRIDGE_CONTROL_TOKEN": TOKEN})
    try:
        server.api("PATCH", f"/sessions/{session['id']}", {"name": "the last one"})
        seen = []
        while "PATCH /" not in seen:
            entry = json.loads(process.stdout.readline())
            if entry["kind"] == "control":
                seen.append(entry["action"])
        assert seen == [*LATER, "PATCH /"]
    finally:
        process.terminate()
        process.communicate(timeout=20)


@ENDS
def test_a_dashboard_continues_with_the_entries_of_the_next_server(pair, new_context, end):
    one, other = pair
    session = one.api.session()
    path = f"/sessions/{session['id']}"
    for number in range(10):
        one.api("PATCH", path, {"name": f"test {number}"})
    tab = open_dashboard(new_context(), other, path)
    entries = tab.locator(".entry")
    expect(entries.filter(has_text="PATCH /")).to_have_count(10)
    one.signal(end)
    make_later_requests(other, path)
    for action in LATER:
        expect(entries.filter(has_text=action)).to_have_count(1, timeout=30_000)
    expect(entries.filter(has_text="PATCH /")).to_have_count(10)
