"""Handlers of declared bridges that are reached by HTTP, or that connect to the control API by WebSocket."""

import contextlib
import json
import queue
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from footbridge_process import serve

PAGE = """<!doctype html><title>App</title><script>
window.log = [];
window.app = { got: (...list) => { log.push(...list); return log.length; } };
window.post = (message) => webkit.messageHandlers.acme.postMessage(message)
  .then((value) => ({ value }), (error) => ({ error: String(error) }));
</script>"""


@pytest.fixture
def start(tmp_path):
    """Starts servers whose bridge `acme` has the given further members."""
    servers = []

    def start(members, **options):
        (tmp_path / "index.html").write_text(PAGE)
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: true }} }}, name: /type, {members} }} }}")
        servers.append(serve("--root", tmp_path, "--config", config, "--ephemeral", **options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


class WebHandler:
    """A web server that answers each line with what `answer(line)` returns: a status and a text. Its port is known before it listens."""

    def __init__(self, answer):
        self.lines = queue.Queue()
        self.listening = socket.socket()
        self.listening.bind(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        handler = self

        class Request(BaseHTTPRequestHandler):
            def do_POST(self):
                line = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                handler.lines.put((line, dict(self.headers)))
                status, text = answer(line)
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Request, bind_and_activate=False)
        self.server.socket.close()
        self.server.socket = self.listening

    def listen(self):
        self.server.server_address = self.listening.getsockname()
        self.server.server_activate()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self


@pytest.fixture
def web_handler():
    handlers = []

    def make(answer):
        handlers.append(WebHandler(answer))
        return handlers[-1]

    yield make
    for handler in handlers:
        handler.server.shutdown()
        handler.server.server_close()


def said(*lines):
    return 200, "".join(json.dumps(line) + "\n" for line in lines)


def place(line):
    return {"session": line["session"], "page": line["page"]}


def url(handler, more=""):
    return f"handler: {{ url: 'http://127.0.0.1:{handler.port}/acme'{more} }}"


# HTTP


def test_a_web_server_answers_each_message_with_lines_or_an_array(start, web_handler, page):
    def answer(line):
        if line.get("state") == "opened":
            return said({**place(line), "call": "app.got", "args": ["opened"]})
        if line.get("name") == "login":
            return 200, json.dumps([{**place(line), "call": "app.got", "args": ["before"]}, {"message": line["message"], "reply": line["body"]["id"]}])
        if line.get("name") == "fail":
            return said({"message": line["message"], "error": "Not today"})
        return 204, ""

    handler = web_handler(answer).listen()
    server = start(url(handler))
    page.goto(server.url)
    page.wait_for_function("log.length === 1")
    assert page.evaluate("post({ type: 'login', id: 7 })") == {"value": 7}
    assert page.evaluate("log") == ["opened", "before"]
    assert page.evaluate("post({ type: 'fail' })") == {"error": "Error: Not today"}
    line, headers = handler.lines.get(timeout=60)
    assert line["state"] == "opened" and headers["Content-Type"] == "application/json"
    assert "Authorization" not in headers and "Cookie" not in headers


def test_a_web_server_gets_the_token_of_the_file_which_nobody_else_sees(start, web_handler, page):
    handler = web_handler(lambda line: (200, "")).listen()
    server = start(f'handler: {{ url: "http://127.0.0.1:{handler.port}/", token: s3cret-of-the-handler }}')
    page.goto(server.url)
    _, headers = handler.lines.get(timeout=60)
    assert headers["Authorization"] == "Bearer s3cret-of-the-handler"
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    for path in (f"/sessions/{session['id']}/journal", f"/sessions/{session['id']}/bridges", "/bridges"):
        assert "s3cret" not in json.dumps(control("GET", path))
    declaration = {"channels": {"other": {}}, "handler": {"url": f"http://127.0.0.1:{handler.port}/", "token": "t"}}
    refused = control.request("PUT", f"/sessions/{session['id']}/bridges/other", declaration)
    assert refused.status == 422 and "handler.token in the body must be left out" in refused.json["detail"]
    server.stop()
    assert "s3cret" not in "".join(server.log)


def test_messages_wait_for_a_web_server_that_does_not_answer_yet(start, web_handler, page):
    handler = web_handler(lambda line: said({"message": line["message"], "reply": "late"}) if "message" in line else (204, ""))
    server = start(url(handler))
    page.goto(server.url)
    page.evaluate("void (window.answer = post({ type: 'login' }))")
    server.wait_for_log("The handler of the bridge acme is away. Messages wait for it.", "bridges.acme.handler in ", "cannot be reached")
    handler.listen()
    assert page.evaluate("answer") == {"value": "late"}


@pytest.mark.parametrize(
    ("more", "status", "reason"),
    [
        ("", 500, "The handler has answered 500."),
        ("", 302, "The handler has answered 302."),
        (", timeout: 300", None, "The handler has not answered in time."),
    ],
)
def test_the_error_about_a_failing_web_server_names_the_place(start, web_handler, page, more, status, reason):
    never = threading.Event()

    def answer(line):
        if "message" in line and status is None:
            never.wait(10)
        return status or 200, ""

    handler = web_handler(answer).listen()
    server = start(url(handler, more))
    page.goto(server.url)
    assert page.evaluate("post({ type: 'login' })") == {"error": f"Error: {reason}"}
    server.wait_for_log(f"The handler of the bridge acme {reason.removeprefix('The handler ').removesuffix('.')} (bridges.acme.handler in ")
    never.set()


# WebSocket


class Connected:
    """A handler that has connected to the control API."""

    def __init__(self, socket):
        self.socket = socket

    def next(self):
        return json.loads(self.socket.recv(timeout=10))

    def say(self, **members):
        self.socket.send(json.dumps(members))

    def close(self):
        self.socket.close()


@pytest.fixture
def connected():
    """Connects handlers to the control API."""
    with contextlib.ExitStack() as sockets:

        def connected(control, path, token=None):
            headers = {"Authorization": f"Bearer {token or control.token}"}
            return Connected(sockets.enter_context(connect(control.url.replace("http", "ws") + path, additional_headers=headers)))

        yield connected


def test_a_handler_that_connects_gets_the_waiting_messages(start, connected, page):
    server = start("handler: connect")
    page.goto(server.url)
    page.evaluate("void (window.answer = post({ type: 'login', id: 7 }))")
    server.wait_for_log("The handler of the bridge acme is away. Messages wait for it.")
    handler = connected(server.control(), "/bridges/acme/handler")
    assert handler.next()["state"] == "opened"
    message = handler.next()
    assert (message["name"], message["body"], message["origin"]) == ("login", {"type": "login", "id": 7}, server.url)
    handler.say(message=message["message"], reply="by socket")
    assert page.evaluate("answer") == {"value": "by socket"}
    page.evaluate("void (window.answer = post({ type: 'login' }))")
    handler.next()
    handler.close()
    assert page.evaluate("answer") == {"error": "Error: The handler has ended before it answered."}


def test_a_handler_that_connects_later_gets_the_open_pages(start, connected, page):
    server = start("answers: {}")
    page.goto(server.url)
    control = server.control()
    handler = connected(control, "/bridges/acme/handler")
    line = handler.next()
    assert line["state"] == "opened"
    handler.say(**place(line), call="app.got", args=["hello"], id=1)
    assert handler.next() == {"bridge": "acme", "id": 1, "result": 1, **place(line)}


def test_a_handler_of_one_session_overrides_the_one_for_all(start, connected, new_context):
    server = start("handler: connect")
    control = server.control()
    own, other = (control("POST", "/sessions", {}) for _ in range(2))
    everyone = connected(control, "/bridges/acme/handler")
    mine = connected(control, f"/sessions/{own['id']}/bridges/acme/handler")
    pages = []
    for session in (own, other):
        context = new_context()
        context.add_cookies([session["cookie"]])
        pages.append(context.new_page())
        pages[-1].goto(server.url)
        pages[-1].evaluate("void (window.answer = post({ type: 'login' }))")
    for handler, session, text in ((mine, own, "mine"), (everyone, other, "everyone's")):
        opened, message = handler.next(), handler.next()
        assert {opened["session"], message["session"]} == {session["id"]}
        handler.say(message=message["message"], reply=text)
    assert [page.evaluate("answer") for page in pages] == [{"value": "mine"}, {"value": "everyone's"}]
    control("DELETE", f"/sessions/{own['id']}")
    assert [mine.next()["state"] for _ in range(2)] == ["gone", "ended"]


def test_the_latest_handler_of_a_session_replaces_the_former(start, connected):
    server = start("answers: {}")
    control = server.control()
    path = f"/sessions/{control('POST', '/sessions', {})['id']}/bridges/acme/handler"
    first = connected(control, path)
    connected(control, path)
    with pytest.raises(Exception, match="another handler has connected"):
        first.next()


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [("/bridges/acme/handler", "wrong", 401), ("/bridges/other/handler", None, 404), ("/sessions/x/bridges/acme/handler", None, 404)],
)
def test_connecting_a_handler_requires_the_token_and_an_existing_bridge(start, connected, path, token, status):
    server = start("answers: {}")
    with pytest.raises(InvalidStatus) as refusal:
        connected(server.control(), path, token)
    assert refusal.value.response.status_code == status


def test_a_handler_for_all_is_refused_where_the_server_starts_one(start, connected):
    server = start("handler: { run: [cat] }")
    with pytest.raises(InvalidStatus) as refusal:
        connected(server.control(), "/bridges/acme/handler")
    assert refusal.value.response.status_code == 409


def test_the_handler_route_requires_a_websocket(start):
    answer = start("answers: {}").control().request("GET", "/bridges/acme/handler")
    assert (answer.status, answer.headers["Upgrade"]) == (426, "websocket")


def test_a_test_has_a_page_call_dispatch_and_evaluate(start, page):
    server = start("answers: {}")
    page.goto(server.url)
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    control("POST", f"/sessions/{session}/journal/wait", {"until": {"kind": "page", "action": "listening"}})
    path = f"/sessions/{session}/bridges/acme/calls"
    assert control("POST", path, {"call": "app.got", "args": ["a", "b"]}) == {"result": 2}
    assert control("POST", path, {"evaluate": "log", "page": "page-1"}) == {"result": ["a", "b"]}
    assert control("POST", path, {"call": "app.none"}) == {"error": "TypeError: window.app.none is no function"}
    page.evaluate("void addEventListener('acme:x', ({ detail }) => log.push(detail))")
    assert control("POST", path, {"event": "acme:x", "detail": "c"}) == {}
    page.wait_for_function("log.includes('c')")
    page.evaluate("void document.addEventListener('acme:y', ({ constructor, data, key }) => log.push([constructor.name, data ?? key]))")
    assert control("POST", path, {"event": "acme:y", "on": "document", "data": 1}) == {}
    assert control("POST", path, {"event": "acme:y", "on": "document", "kind": "StorageEvent", "init": {"key": "k"}}) == {}
    assert control("POST", path, {"set": "app.user.name", "value": "Eva"}) == {}
    assert page.evaluate("[...log.slice(-2), app.user.name]") == [["MessageEvent", 1], ["StorageEvent", "k"], "Eva"]
    assert control("POST", path, {"event": "x", "on": "app.none"})["error"].startswith("TypeError: window.app.none is no event target")
    for wrong in ({"event": "x", "kind": "Error"}, {"event": "x", "detail": 1, "data": 2}, {"set": []}, {"set": "a", "args": []}, {"evaluate": "1", "on": "a"}):
        assert control.request("POST", path, wrong).status == 422, wrong
    assert control.request("POST", path, {"call": "app.got", "page": "page-9"}).status == 409
    answer = control.request("POST", path, {"call": "a", "event": "b"})
    assert (answer.status, answer.json["detail"]) == (422, "the body must be given exactly one of: call, event, set, evaluate.")
