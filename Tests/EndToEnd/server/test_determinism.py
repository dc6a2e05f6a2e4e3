"""`--seed` and a clock that stands still: a test that runs twice leaves the same transcript."""

import json
import re
import socket

import pytest

from engines import expect
from footbridge_process import serve
from upstream_services import Collector

NOW = "2026-01-31T12:00:00.000Z"
PORT = {}


@pytest.fixture
def buy_in_the_demo(new_context, tmp_path):
    """Signs in, buys and finishes in the demo. Returns the journal as JSON Lines."""
    # Round trips take real time, and the page may call in the middle of one.
    config = tmp_path / "footbridge.yaml"
    config.write_text("onside: { roundTrip: 0 }\n")
    return lambda seed: buy(new_context, "--config", config, "--seed", seed)


def buy(new_context, *arguments):
    # The journal contains the port, so it is the same each time.
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = PORT.setdefault("", free.getsockname()[1])
    with serve("--ephemeral", *arguments, port=port) as server:
        control = server.control()
        session = control.session(name="demo", clock={"frozen": True, "now": NOW})
        context = new_context()
        control.enter(context, session)
        page = context.new_page()
        page.goto(server.url)
        page.get_by_role("button", name=re.compile("^Buy 10 ")).click()
        path = f"/sessions/{session['id']}"
        # The shop loads its products at the start, and again for the account's country: buy after it.
        loaded = {"until": {"kind": "response", "action": "onside.loadProducts"}, "timeout": 60_000}
        start = control("POST", path + "/journal/wait", loaded)["next"]
        page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
        control("POST", path + "/journal/wait", {**loaded, "after": start})
        page.get_by_role("dialog", name=re.compile("^Buy")).get_by_role("button", name="Buy").click()
        page.get_by_role("button", name=re.compile("^Finish ")).click()
        expect(page.get_by_text("onTransactionsRemoved")).to_be_visible()
        return control.request("GET", path + "/journal", headers={"Accept": "application/jsonl"}).text.decode()


def test_two_seeded_runs_of_the_demo_purchase_leave_the_same_transcript(buy_in_the_demo):
    first = buy_in_the_demo(7)
    second = buy_in_the_demo(7)
    assert first == second
    entries = [json.loads(line) for line in first.splitlines()]
    assert {"login", "onside.purchase"} <= {entry.get("action") for entry in entries}
    assert "purchased" in first
    assert {entry["time"] for entry in entries} == {1769860800000}


def test_another_seed_gives_other_ids(buy_in_the_demo):
    assert buy_in_the_demo(7) != buy_in_the_demo(8)


def track(new_context, tmp_path, *arguments):
    """Returns the identities of two events that the page tracks in two launches of one session."""
    collector = Collector()
    try:
        config = tmp_path / "footbridge.yaml"
        config.write_text(json.dumps({"siteOrigin": "https://today.example", "today": {"track": {"url": collector.url}}}))
        with serve("--ephemeral", "--config", config, *arguments) as server:
            control = server.control()
            session = control.session(name="phone")
            context = new_context()
            control.enter(context, session)
            page = context.new_page()
            page.goto(server.url)
            for name in ("first", "second"):
                page.evaluate("m => webkit.messageHandlers.todayWebViewBridge.postMessage(m)", {"type": "track", "ename": name})
                control("POST", f"/sessions/{session['id']}/relaunch")
                page.reload()
        # A server sends waiting events before it stops.
        return [{member: collector.event(name)["properties"][member] for member in ("did", "sid", "eid")} for name in ("first", "second")]
    finally:
        collector.stop()


def test_device_and_launch_ids_of_tracked_events_depend_on_the_seed(new_context, tmp_path):
    first = track(new_context, tmp_path, "--seed", 7)
    assert first == track(new_context, tmp_path, "--seed", 7)
    assert first[0]["did"] == first[1]["did"] and first[0]["sid"] != first[1]["sid"]
    assert first[0]["did"] != track(new_context, tmp_path, "--seed", 8)[0]["did"]
