"""A declared bridge answers what its model says (`models/bridge.py`): with rules, gates, answers of the file, and handlers that connect and end.

Hypothesis invents the commands, and shortens a case in which the two differ. `FOOTBRIDGE_MODEL_MINUTES` says for how long; without it, a run has
so many cases as `RUNS` says."""

import collections
import contextlib
import json
import threading
import time

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from footbridge_process import LONG, serve
from model_runs import Wait, run_model, timeout_of_models
from models.bridge import ANSWERS, Bridge, Rule
from session_control import SessionControl
from wire_page import WirePage

RUNS, STEPS = 50, 200
pytestmark = timeout_of_models
NAMES = ["declared", "asked", "other"]
GATES = ["first", "second"]
indices = st.integers(0, 30)
outcomes = st.one_of(
    st.none(), st.tuples(st.just("success"), st.integers(0, 9)), st.tuples(st.just("error"), st.sampled_from(["No", "Later"])))


class RealHandler:
    """A program that has connected to the bridge, and what it hears of one session."""

    def __init__(self, control, session):
        self.session = session
        #: What it has heard: `opened` or `gone`, or the number of a message, with its id.
        self.lines = []
        self.has_ended = threading.Event()
        self._changed = threading.Condition()
        self._connection = contextlib.ExitStack()
        self.websocket = self._connection.enter_context(connect(
            control.url.replace("http", "ws") + "/bridges/acme/handler", additional_headers={"Authorization": f"Bearer {control.token}"}))
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            for text in self.websocket:
                for line in text.splitlines():
                    message = json.loads(line)
                    if message.get("session") != self.session:
                        continue
                    if "message" in message or message.get("state") in ("opened", "gone"):
                        with self._changed:
                            self.lines.append((message["body"]["number"], message["message"]) if "message" in message else (message["state"], None))
                            self._changed.notify_all()
        except WebSocketException:
            pass  # It has ended.
        self.has_ended.set()

    def wait_for(self, count):
        with self._changed:
            Wait.for_(lambda seconds: self._changed.wait_for(lambda: len(self.lines) >= count, seconds))
            return list(self.lines)

    def say(self, **line):
        self.websocket.send(json.dumps(line))

    def end(self):
        self._connection.close()


def answer_of(call):
    """What a call was answered, as the model has it."""
    if not call.answered.is_set():
        return None
    payload = call.payload
    if payload["status"] == "success":
        return "success", payload["data"].get("value")
    return "error", payload["error"]["message"]


class BridgeMachine(RuleBasedStateMachine):
    server = control = None
    figures = collections.Counter()

    def __init__(self):
        super().__init__()
        self.model = Bridge()
        session = self.control.session()
        self.session = session["id"]
        self.about = SessionControl(self.control, self.session)
        self.cookie = session["cookie"]["value"]
        self.handler = None
        self.messages = 0
        self.open()

    def open(self):
        self.page = WirePage(self.server.port, session=self.cookie)
        assert self.page.is_greeted.wait(LONG)
        #: The messages of this page.
        self.calls = []

    def teardown(self):
        if self.handler:
            self.handler.end()
        self.page.close()
        self.about.close()

    @rule(name=st.sampled_from(NAMES))
    def post(self, name):
        self.calls.append(self.page.start(f"acme.{name}", value={"type": name, "number": self.messages}, channel="acme"))
        self.messages += 1
        self.model.post(name)
        # When this is answered, the server has the message before it.
        self.page.call("onside.getCurrentStorefront", timeout=LONG)

    @rule(
        name=st.sampled_from(NAMES), times=st.sampled_from(["once", "always", [1], [2], [1, 3]]), outcome=outcomes,
        gate=st.sampled_from([None, *GATES]))
    def add_rule(self, name, times, outcome, gate):
        if outcome or gate:
            then = {"result" if outcome[0] == "success" else "error": outcome[1]} if outcome else {}
            rule = {"on": f"acme.{name}", "times": times, "then": then | ({"gate": gate} if gate else {})}
            assert self.about.request("POST", "/rules", rule) is not None
            self.model.rules.append(Rule(name, times, outcome, gate))

    @rule()
    def remove_rules(self):
        assert self.about.request("DELETE", "/rules") is not None
        self.model.rules = []

    @rule(gate=st.sampled_from(GATES))
    def release(self, gate):
        Wait.for_(lambda seconds: self.is_held(len(self.model.held), seconds))
        released = self.model.release(gate)
        answer = self.about.request("POST", f"/gates/{gate}/release")
        assert (answer and answer["released"]) == released

    def is_held(self, count, seconds):
        """Waits until so many answers wait at gates."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if len(self.about.request("GET", "/gates")["gates"]) == count:
                return True
        return False

    @rule()
    def connect_handler(self):
        self.model.connect()
        former, self.handler = self.handler, RealHandler(self.control, self.session)
        if former:
            # The server ends it in the turn in which the new one is connected.
            assert former.has_ended.wait(LONG)
        self.post("probe")

    @rule()
    @precondition(lambda self: self.handler)
    def end_handler(self):
        # The rejection of a message says that the server has noticed the end.
        self.post("probe")
        self.handler.wait_for(len(self.model.sent))
        self.model.disconnect()
        self.handler.end()
        self.handler = None

    @rule(index=indices, value=st.integers(0, 9), is_error=st.booleans())
    @precondition(lambda self: self.model.asked)
    def reply(self, index, value, is_error):
        message = self.model.asked[index % len(self.model.asked)]
        identifier = dict(self.handler.lines)[message.number]
        self.model.reply(message, ("error", str(value)) if is_error else ("success", value))
        self.handler.say(message=identifier, **({"error": str(value)} if is_error else {"reply": value}))

    @rule()
    def lose_socket(self):
        self.page.cut()

    @rule()
    def reload(self):
        # A page without a connection cannot say that it ends.
        assert self.page.is_greeted.wait(LONG)
        self.page.close()
        Wait.for_(self.has_gone)
        self.model.reload()
        self.open()

    def has_gone(self, seconds):
        """Waits until the session has no page."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.about.request("GET", "/pages")["pages"]:
                return True
        return False

    @invariant()
    def both_are_the_same(self):
        self.figures["commands"] += 1
        if self.handler:
            assert [number for number, _ in self.handler.wait_for(len(self.model.sent))] == self.model.sent
        for message, call in zip(self.model.messages, self.calls):
            if message.answer:
                Wait.for_(call.answered.wait)
            found = answer_of(call)
            if message.answer == ("error", None):
                assert found and found[0] == "error"
            else:
                assert found == message.answer, (message, found)
        assert self.page.violations == []


@pytest.fixture(scope="module")
def server(shop_root, tmp_path_factory):
    config = tmp_path_factory.mktemp("acme") / "footbridge.yaml"
    answers = {name: {"reply": value} for name, (_, value) in ANSWERS.items()}
    config.write_text(json.dumps({"bridges": {"acme": {
        "channels": {"acme": {"reply": True}}, "name": ["/type"], "frames": "all", "handler": "connect", "answers": answers}}}))
    with serve("--root", shop_root, "--config", config, "--ephemeral", "--log-level", "error") as server:
        yield server


def test_a_declared_bridge_answers_what_its_model_says(server, record_property):
    class Machine(BridgeMachine):
        pass

    Machine.server, Machine.control = server, server.control()
    run_model(Machine, RUNS, STEPS)
    for figure, count in Machine.figures.items():
        record_property(figure, count)
