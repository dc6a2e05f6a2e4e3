"""Handlers of declared bridges: programs that answer messages of pages over pipes."""

import sys

import pytest

from footbridge_process import StartFailure, serve

HANDLER = """
import json, os, sys

def say(**members):
    print(json.dumps(members), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    place = {"session": message["session"], "page": message["page"]}
    name = message.get("name", message.get("state"))
    if name == "login":
        say(**place, call="app.got", args=["before"])
        say(message=message["message"], reply={"id": message["body"]["id"], "main": message["mainFrame"]})
        say(**place, event="acme:seen", detail=1)
    elif name == "fail":
        say(message=message["message"], error="Not today")
    elif name == "nothing":
        say(message=message["message"])
    elif name == "opened":
        say(**place, call="app.got", args=["opened"])
    elif name == "told":
        say(**place, event="acme:seen", detail="message" in message)
    elif name == "nonsense":
        print("this is no JSON", flush=True)
        say(message=message["message"], reply="still there")
    elif name == "end":
        print("I am leaving", file=sys.stderr, flush=True)
        os._exit(3)
"""

PAGE = """<!doctype html><title>App</title><script>
window.log = [];
window.app = { got: (text) => log.push(text) };
addEventListener("acme:seen", ({ detail }) => log.push(detail));
window.post = (message, name = "acme") => webkit.messageHandlers[name].postMessage(message)
  .then((value) => { log.push("reply"); return { value }; }, (error) => ({ error: String(error) }));
</script>"""

FILE = """
bridges:
  acme:
    channels: { acme: { reply: true }, quiet: {} }
    name: [/type]
    handler: { run: [%s, acme.py] }
    answers: { declared: { reply: from the file } }
"""


@pytest.fixture
def site(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    (tmp_path / "acme.py").write_text(HANDLER)
    (tmp_path / "footbridge.yaml").write_text(FILE % sys.executable)
    return tmp_path


@pytest.fixture
def server(site):
    with serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral") as server:
        yield server


def test_a_handler_replies_calls_and_dispatches_in_order(server, page):
    page.goto(server.url)
    page.wait_for_function("log.length === 1")
    assert page.evaluate("post({ type: 'login', id: 7 })") == {"value": {"id": 7, "main": True}}
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == ["opened", "before", "reply", 1]


def test_an_error_of_the_handler_rejects(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'fail' })") == {"error": "Error: Not today"}
    assert page.evaluate("post({ type: 'nothing' }).then(({ value }) => value === undefined)")


def test_answers_of_the_file_come_first(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'declared' })") == {"value": "from the file"}


def test_a_message_for_which_nobody_waits_has_no_number(server, page):
    page.goto(server.url)
    page.evaluate("post({ type: 'told' }, 'quiet')")
    page.wait_for_function("log.includes(false)")


def test_nonsense_does_not_end_it(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'nonsense' })") == {"value": "still there"}
    server.wait_for_log("has written a line that is no JSON object")


def test_one_that_has_ended_starts_again_and_messages_wait_for_it(server, page):
    page.goto(server.url)
    assert page.evaluate("post({ type: 'end' })") == {"error": "Error: The handler has ended before it answered."}
    assert page.evaluate("post({ type: 'login', id: 8 })")["value"]["id"] == 8
    server.wait_for_log("I am leaving")


def test_one_that_cannot_start_is_an_error(site):
    (site / "footbridge.yaml").write_text("bridges: { acme: { handler: { run: [no-such-program] } } }")
    with pytest.raises(StartFailure) as failure:
        serve("--root", site / "site", "--config", site / "footbridge.yaml", "--ephemeral")
    assert "bridges.acme.handler.run in" in failure.value.log
