"""Events of any kind that native dispatches in a page, and variables that it sets, in Chromium."""

import sys

import pytest

from preset_pages import document

HANDLER = """
import sys
sys.path.insert(0, %r)
from pytest_footbridge.handler import Handler

acme = Handler()


@acme.on("go")
def go(message):
    message.event("ready", on="document", kind="Event")
    message.event("message", on="AcmePort", kind="MessageEvent", init={"data": {"a": 1}, "origin": "https://acme.example"})
    message.set("acme.user", {"name": "Eva"})
    message.event("plain", 7)
    return "done"


acme.run()
"""

SCRIPT = """
window.heard = [];
const note = ({ constructor, type, data, detail, origin, key, currentTarget }) =>
  heard.push([constructor.name, type, data ?? detail ?? key ?? null, origin ?? null,
    currentTarget === document ? "document" : currentTarget === window ? "window" : "other"]);
for (const type of ["ready", "message", "plain", "storage"]) {
  document.addEventListener(type, note);
  addEventListener(type, note);
}
window.go = () => webkit.messageHandlers.acme.postMessage(null);
"""


@pytest.fixture
def start(servers):
    """Starts servers of one document whose bridge `acme` has a message handler, and this section."""
    return lambda section, script=SCRIPT: servers.start(
        document(script), f"bridges:\n  acme:\n    channels: {{ acme: {{ reply: true }} }}\n    name: go\n{section}")


@pytest.mark.parametrize(("answer", "heard"), [
    ("{ event: ready, on: document, kind: Event }", [["Event", "ready", None, None, "document"]]),
    ("{ event: ready, on: document, kind: Event, init: { bubbles: true } }",
     [["Event", "ready", None, None, "document"], ["Event", "ready", None, None, "window"]]),
    ("{ event: ready, on: document, detail: !from /id }", [["CustomEvent", "ready", 7, None, "document"]]),
    ("{ event: message, data: !json { id: !from /id }, origin: 'https://acme.example' }",
     [["MessageEvent", "message", '{"id":7}', "https://acme.example", "window"]]),
    ("{ event: storage, kind: StorageEvent, init: { key: theme, newValue: dark } }", [["StorageEvent", "storage", "theme", None, "window"]]),
    ("{ event: plain, detail: 1 }", [["CustomEvent", "plain", 1, None, "window"]]),
])
def test_an_answer_dispatches_an_event_of_any_kind(start, page, answer, heard):
    page.goto(start(f"    answers: {{ go: [{answer}, {{ reply: done }}] }}").url)
    assert page.evaluate("webkit.messageHandlers.acme.postMessage({ id: 7 })") == "done"
    page.wait_for_function(f"heard.length === {len(heard)}")
    assert page.evaluate("heard") == heard


@pytest.mark.parametrize("port", ["{}", "Object.create({ set onmessage(take) { this.take = take; }, get onmessage() { return this.take; } })"])
def test_an_event_calls_the_function_of_an_object_that_is_no_event_target(start, page, port):
    script = f"{SCRIPT} window.AcmePort = {port}; AcmePort.onmessage = function (event) {{ heard.push([this === AcmePort, event.data]); }};"
    page.goto(start("    answers: { go: { event: message, on: AcmePort, data: hello } }", script).url)
    page.evaluate("go()")
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [[True, "hello"]]


def test_an_event_without_a_target_is_an_error_of_the_page(start, page):
    page.goto(start("    answers: { go: { event: message, on: AcmePort, data: hello } }").url)
    with page.expect_event("pageerror", lambda error: "window.AcmePort is no event target, and has no function onmessage" in str(error)):
        page.evaluate("go()")


def test_an_object_of_native_hears_events_by_listeners_and_by_its_property(start, page):
    section = """
    objects: { AcmePort: { postMessage: { message: true }, onmessage: { event: message } } }
    answers: { go: [{ event: message, on: AcmePort, data: hello }] }
    """
    page.goto(start(section).url)
    assert page.evaluate("AcmePort.onmessage") is None
    page.evaluate("AcmePort.onmessage = ({ data }) => heard.push(data), AcmePort.addEventListener('message', ({ type }) => heard.push(type)), go()")
    page.wait_for_function("heard.length === 2")
    assert page.evaluate("heard") == ["hello", "message"]
    page.evaluate("AcmePort.onmessage = null, go()")
    page.wait_for_function("heard.length === 3")
    assert page.evaluate("heard[2]") == "message"


def test_an_answer_sets_a_variable_of_the_page(start, page):
    answers = "    answers: { opened: { set: acme.version, value: '7.1' }, go: [{ set: [acme, user.name], value: { id: !from /id } }, { set: last, value: .inf }] }"
    page.goto(start(answers).url)
    page.wait_for_function("window.acme?.version")
    page.evaluate("webkit.messageHandlers.acme.postMessage({ id: 7 })")
    page.wait_for_function("window.last")
    assert page.evaluate("[acme, last === Infinity]") == [{"version": "7.1", "user.name": {"id": 7}}, True]


def test_a_handler_dispatches_events_of_any_kind_and_sets_variables(start, page, tmp_path):
    from footbridge_process import PROJECT

    (tmp_path / "acme.py").write_text(HANDLER % str(PROJECT / "web/testing"))
    script = SCRIPT + "window.AcmePort = new EventTarget(); AcmePort.addEventListener('message', note);"
    page.goto(start(f"    handler: {{ run: [{sys.executable}, {tmp_path}/acme.py] }}", script).url)
    assert page.evaluate("go()") == "done"
    page.wait_for_function("heard.length === 3")
    assert page.evaluate("heard") == [
        ["Event", "ready", None, None, "document"], ["MessageEvent", "message", {"a": 1}, "https://acme.example", "other"],
        ["CustomEvent", "plain", 7, None, "window"],
    ]
    assert page.evaluate("acme.user") == {"name": "Eva"}
