"""A page without a browser: it speaks the shim's protocol and keeps its calls across lost sockets and killed servers, as the shim does."""

import collections
import json
import secrets
import socket
import threading
import time

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect


class Rejection(Exception):
    """The host has answered a call with an error: its code and its message."""

    def __init__(self, error):
        super().__init__(error["code"])
        self.message = error["message"]


class Call:
    """A call and, once there is one, its answer."""

    def __init__(self, action, text):
        self.action = action
        self.text = text
        self.payload = None
        self.answered = threading.Event()

    def result(self, timeout=60):
        """Waits for the answer, and returns its data."""
        assert self.answered.wait(timeout), f"{self.action} was not answered"
        if self.payload["status"] != "success":
            raise Rejection(self.payload["error"])
        return self.payload.get("data") or {}


class WirePage:
    """A page of the session with the cookie `session`, on the server at this port. `line` is the port of a proxy in front of it, if any;
    `ticket` is the ticket of its document; `page_id` is the id of another page to take over."""

    def __init__(self, port, session=None, line=None, has_session=True, on_event=None, on_message=None, ticket="", page_id=None):
        self.port = port
        self.line = line or port
        self.session = (session or secrets.token_hex(16)) if has_session else None
        self.page_id = page_id or secrets.token_hex(16)
        self.ticket = ticket
        self.on_event = on_event or (lambda action, data: None)
        self.on_message = on_message or (lambda: None)
        #: Every event of a bridge, with its sequence number.
        self.events = []
        #: Violations of the protocol: answers and events that came twice.
        self.violations = []
        self.connections = 0
        self.received = 0
        self._calls = 0
        self._unanswered = collections.OrderedDict()
        #: The answers to the host's questions. The page sends them again on each connection, in case they were lost.
        self._answers = collections.deque(maxlen=32)
        self._lock = threading.RLock()
        self._happened = threading.Condition()
        self._websocket = None
        self._is_closed = False
        self._has_moved = False
        self._may_connect = threading.Event()
        self._may_connect.set()
        #: Whether the server has answered the greeting on the current connection.
        self.is_greeted = threading.Event()
        #: Whether the page loses answers, and how many it has lost.
        self.loses_answers = False
        self.lost_answers = 0
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    # The page's side

    def start(self, action, **data):
        """Makes a call: sends it now, or as soon as there is a connection."""
        with self._lock:
            self._calls += 1
            correlation_id = f"footbridge-{self._calls}"
            call = Call(action, self._text(correlation_id, "request", {"action": action, "data": data}))
            self._unanswered[correlation_id] = call
            self._send(call.text)
        return call

    def call(self, action, timeout=60, **data):
        """Makes a call and waits for its answer."""
        return self.start(action, **data).result(timeout)

    def ask_again(self, call):
        """Repeats a call, as a page does that has lost the answer with its socket."""
        call.answered.clear()
        with self._lock:
            self._unanswered[json.loads(call.text)["correlationId"]] = call
            self._send(call.text)

    def wait_for_state(self, state, token=None, timeout=20):
        """Waits for a callback with transactions in this state, and returns them."""

        def find():
            transactions = [each for _, _, data in self.events for each in data.get("transactions", [])]
            return [
                each for each in transactions
                if each["transactionState"] == state and (token is None or each["payment"].get("appAccountToken") == token)
            ]

        with self._happened:
            assert self._happened.wait_for(find, timeout), f"no transaction is {state}"
            return find()

    def stay_away(self):
        """Does not reconnect after its connection is lost, until `come_back` is called."""
        self._may_connect.clear()

    def come_back(self):
        """Connects again, now and after each lost connection."""
        self._may_connect.set()

    def wait_for_event(self, action, timeout=20):
        """Waits for a callback, and returns the data of all callbacks of this name."""

        def find():
            return [data for _, each, data in self.events if each == action]

        with self._happened:
            assert self._happened.wait_for(find, timeout), f"no {action} has come"
            return find()

    def wait_for_lost_answers(self, count, timeout=60):
        """Waits until this many answers were lost."""
        with self._happened:
            assert self._happened.wait_for(lambda: self.lost_answers >= count, timeout), f"{self.lost_answers} of {count} answers came"

    def cut(self):
        """Cuts its connection without a close frame."""
        with self._lock:
            self.is_greeted.clear()
            if self._websocket:
                try:
                    self._websocket.socket.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # It is lost already.

    def enter_page_cache(self):
        """Closes its connection as a page that the browser puts into its page cache, until `come_back` is called."""
        self.stay_away()
        with self._lock:
            self.is_greeted.clear()
            websocket, self._websocket = self._websocket, None
        if websocket:
            try:
                websocket.close(4002)
            except (OSError, WebSocketException):
                pass  # It is lost already.

    def move(self, session):
        """Cuts its connection, and reconnects with the cookie of another session, for which it is a new page."""
        self.stay_away()
        self.cut()
        self.session = session
        self._has_moved = True
        self.come_back()
        assert self.is_greeted.wait(60), "the page was not greeted"

    def vanish(self):
        """Disappears without a close frame, as a browser that crashes."""
        self._is_closed = True
        self.cut()
        self._thread.join(timeout=10)

    def close(self):
        """Ends the page with a goodbye, as a document that the browser leaves."""
        self._is_closed = True
        with self._lock:
            if self._websocket:
                try:
                    self._websocket.close(1001)
                except (OSError, WebSocketException):
                    pass
        self._thread.join(timeout=10)

    # The wire

    @staticmethod
    def _text(correlation_id, kind, payload):
        return json.dumps(
            {"version": "1.0", "correlationId": correlation_id, "type": kind, "timestamp": time.time() * 1000, "payload": payload}
        )

    def _send(self, text):
        if not self._websocket:
            return
        try:
            self._websocket.send(text)
        except (OSError, WebSocketException):
            pass  # The reader notices, and the page sends unanswered calls again.

    def _run(self):
        while not self._is_closed:
            if not self._may_connect.wait(timeout=0.1):
                continue
            try:
                with self._connect() as websocket:
                    self.connections += 1
                    if not self._greet(websocket):
                        break
                    for text in websocket:
                        self._receive(json.loads(text))
                        self.on_message()
            except (OSError, WebSocketException, EOFError):
                pass
            with self._lock:
                self._websocket = None
            if not self._is_closed:
                time.sleep(0.01)

    def _connect(self):
        try:
            return connect(
                f"ws://127.0.0.1:{self.port}/__footbridge/bridge?page={self.page_id}&ticket={self.ticket}",
                sock=socket.create_connection(("127.0.0.1", self.line), timeout=5),
                subprotocols=["footbridge.v1"],
                origin=f"http://127.0.0.1:{self.port}",
                additional_headers={"Cookie": f"footbridge_session={self.session}"} if self.session else None,
                open_timeout=5, close_timeout=1, max_size=None,
            )
        except AssertionError as problem:
            # The library asserts that no answer comes before its request. A server without descriptors refuses a connection at once.
            raise ConnectionError("The server has refused the connection before the request was sent.") from problem

    def _greet(self, websocket):
        """Says hello, and repeats what may be lost. Returns False if the page has ended in the meantime."""
        with self._lock:
            if self._is_closed:
                return False
            hello = self._text(
                f"footbridge-shim-{self.connections}", "request",
                {"action": "footbridge.hello", "data": {"url": "http://shop.example/", "referrer": "", "received": self.received, "topFrame": True}},
            )
            self._websocket = websocket
            self._send(hello)
            for text in [*self._answers, *(call.text for call in self._unanswered.values())]:
                self._send(text)
        return True

    def _receive(self, message):
        kind, payload, correlation_id = message["type"], message["payload"], message["correlationId"]
        if kind == "response":
            return self._answer(correlation_id, payload)
        if message["sequence"] <= self.received:
            self.violations.append(f"{payload['action']} came twice, as {message['sequence']}")
            return
        self.received = message["sequence"]
        if kind == "request":
            answer = {"action": payload["action"], "status": "success", "data": {"result": True}}
            with self._lock:
                self._answers.append(self._text(correlation_id, "response", answer))
                self._send(self._answers[-1])
        elif not payload["action"].startswith("footbridge."):
            with self._happened:
                self.events.append((message["sequence"], payload["action"], payload.get("data") or {}))
                self._happened.notify_all()
            self.on_event(payload["action"], payload.get("data") or {})

    def _answer(self, correlation_id, payload):
        if payload["action"] == "footbridge.hello":
            self.is_greeted.set()
            if not payload["data"]["resumed"]:
                if self.events and not self._has_moved:
                    self.violations.append("the server has forgotten the page")
                self.received = 0
                self.events = []
                self._has_moved = False
            return
        if self.loses_answers:
            with self._happened:
                self.lost_answers += 1
                self._happened.notify_all()
            return
        with self._lock:
            call = self._unanswered.pop(correlation_id, None)
        if call is None:
            self.violations.append(f"{payload['action']} was answered twice")
            return
        call.payload = payload
        call.answered.set()
