"""What programs with the control token make a server hold, and the handlers of bridges, is limited for all sessions together."""

import json

import pytest
from websockets.sync.client import connect

from footbridge_process import serve
from full_buffers import CLIENTS, LIMITS, TOTAL, answer, call, check, pages

BRIDGES = "bridges:\n  acme: { frames: all, channels: { acme: {} }, name: /type, handler: connect }\n"
#: How many MiB named snapshots may have, journals of failed tests, a handler's sheets, and answers to requests with an `Idempotency-Key`.
SNAPSHOTS = JOURNALS = SHEETS = 64
ANSWERS = 16
TEXT = "a" * (1 << 20)


@pytest.fixture
def server(tmp_path):
    config = tmp_path / "footbridge.yaml"
    config.write_text(LIMITS + BRIDGES)
    with serve("--root", tmp_path, "--config", config, "--ephemeral", "--control-token", "t", name=None) as server:
        yield server


def sessions(control):
    """As many sessions, which stay."""
    for _ in range(CLIENTS):
        yield f"/sessions/{control('POST', '/sessions', {})['id']}"


#: The first call gets this answer when a test opens the gate.
RULE = {"on": "onside.loadProducts", "then": {"result": {"products": [], "invalidProductIdentifiers": [TEXT]}, "gate": "later"}}


def rules(control, _):
    statuses = [control.request("POST", f"{session}/rules", RULE).status for session in sessions(control)]
    assert set(statuses) == {201, 409}


def rules_whose_calls_wait(control, server):
    """A rule that has decided its call is no longer in the list."""
    known = set()
    for page in pages(server):
        session = next(session["id"] for session in control("GET", "/sessions")["sessions"] if session["id"] not in known)
        known.add(session)
        assert control.request("POST", f"/sessions/{session}/rules", RULE).status in (201, 409)
        for question in range(2):
            page.send(call("onside.loadProducts", 10 + question, {"productIdentifiers": ["a"]}))
        page.send(call("capability.query", 2, {}))
        answer(page, 2)


def bridges(control, _):
    section = {"channels": {"mine": {"reply": True}}, "answers": {"long": {"reply": TEXT}}}
    statuses = [control.request("PUT", f"{session}/bridges/mine", section).status for session in sessions(control)]
    assert set(statuses) == {204, 409}


def snapshots(control, _):
    """Of a session with settings of 1 MiB."""
    session = next(sessions(control))
    control("PATCH", f"{session}/settings", {"refererUrl": f"https://app.example/{TEXT[:1_000_000]}"})
    statuses = [control.request("PUT", f"/snapshots/{number}", {"session": session.rsplit("/", 1)[1]}).status for number in range(CLIENTS)]
    assert set(statuses) == {204, 409}


def journals_of_failed_tests(control, server):
    ids = set()
    for page in pages(server):
        for number in range(1, 6):
            page.send(call("capability.query", number, {"text": "a" * 200_000}))
        answer(page, 5)
    for session in control("GET", "/sessions")["sessions"]:
        ids.add(control.request("DELETE", f"/sessions/{session['id']}?failed=true").status)
    assert ids == {204}


def remembered_answers(control, _):
    """The answer to a new rule has the rule, which is removed then."""
    for number, session in enumerate(sessions(control)):
        control("POST", f"{session}/rules", RULE, headers={"Idempotency-Key": f"key-{number}"})
        control("DELETE", f"{session}/rules")


def sheets_of_a_handler(control, server):
    url = control.url.replace("http", "ws") + "/bridges/acme/handler"
    with connect(url, additional_headers={"Authorization": f"Bearer {control.token}"}, max_size=None, ping_interval=None) as handler:
        for number, page in enumerate(pages(server)):
            page.send(call("acme.hello", 1, {"channel": "acme", "value": {"type": "hello"}}))
            while "hello" not in (line := handler.recv(timeout=60)):
                pass
            fields = [{"name": "long", "value": TEXT}]
            handler.send(json.dumps({"sheet": number, "session": json.loads(line)["session"], "title": "Long", "fields": fields}))


FILLS = {
    rules: 0, rules_whose_calls_wait: 0, bridges: 0, snapshots: SNAPSHOTS, journals_of_failed_tests: JOURNALS + TOTAL,
    remembered_answers: ANSWERS, sheets_of_a_handler: SHEETS + TOTAL,
}


@pytest.mark.parametrize("fill", FILLS, ids=lambda fill: fill.__name__)
def test_programs_fill_no_more_memory_than_the_limit(server, fill):
    control = server.control("t")
    check(server, lambda server, _: fill(control, server), more=FILLS[fill])
