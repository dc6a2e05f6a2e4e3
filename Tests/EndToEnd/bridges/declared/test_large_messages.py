"""Messages of declared bridges may have 16 MiB in each direction. One that has more rejects, and the error names the limit."""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from websockets.sync.client import connect

from footbridge_process import serve

MEGABYTE = 1 << 20
LIMIT = 16 * MEGABYTE
#: A line has a message of this size, and what is around it.
LINE_LIMIT = LIMIT + (64 << 10)

PAGE = """<!doctype html><title>App</title><script>
window.post = (message) => webkit.messageHandlers.acme.postMessage(message)
  .then((value) => typeof value === "string" ? value.length : value, (error) => String(error));
window.received = [];
</script>"""

HANDLER = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(json.dumps({"message": asked, "reply": {key: message.get(key) for key in ("result", "error")}}), flush=True)
    if "message" not in message:
        continue
    number, body = message["message"], message["body"]
    if body["type"] == "length":
        print(json.dumps({"message": number, "reply": len(body["photo"])}), flush=True)
    elif body["type"] == "first":
        print(json.dumps({"message": number, "reply": "x" * body["size"]}), flush=True)
    elif body["type"] == "last":
        print(json.dumps({"reply": "x" * body["size"], "message": number}), flush=True)
    elif body["type"] == "evaluate":
        asked, place = number, {"session": message["session"], "page": message["page"]}
        print(json.dumps({**place, "evaluate": "'x'.repeat(%d)" % body["size"], "id": 1}), flush=True)
    elif body["type"] == "number":
        print('{"message": %d, "reply": NaN}' % number, flush=True)
"""

BRIDGE = "bridges: { acme: { channels: { acme: { reply: true } }, name: /type, %s answers: { echo: { reply: !from /photo } } } }"


@pytest.fixture
def start(tmp_path, page):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    (tmp_path / "acme.py").write_text(HANDLER)
    servers = []

    def start(handler):
        (tmp_path / "footbridge.yaml").write_text(BRIDGE % (handler and f"handler: {handler},"))
        server = serve("--root", tmp_path / "site", "--config", tmp_path / "footbridge.yaml", "--ephemeral")
        servers.append(server)
        page.goto(server.url)
        return server

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def program(start):
    return start(f"{{ run: [{sys.executable}, acme.py] }}")


@pytest.fixture
def web_server(start):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = b""
            if "message" in message:
                body = message["body"]
                reply = len(body["photo"]) if "photo" in body else "x" * body["size"]
                text = json.dumps({"message": message["message"], "reply": reply}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            try:
                self.wfile.write(text)
            except OSError:
                pass  # Footbridge has stopped to read.

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield start(f'{{ url: "http://127.0.0.1:{server.server_port}/" }}')
    server.shutdown()
    server.server_close()


def answer(page, kind, size):
    return page.evaluate("(body) => post(body)", {"type": kind, "size": size})


def photo(page, kind, size):
    return page.evaluate("([type, size]) => post({ type, photo: 'x'.repeat(size) })", [kind, size])


@pytest.mark.parametrize("kind", ["program", "web_server"])
def test_a_photo_goes_to_a_handler_and_back(request, page, kind):
    request.getfixturevalue(kind)
    assert photo(page, "length", 12 * MEGABYTE) == 12 * MEGABYTE
    assert answer(page, "first", 12 * MEGABYTE) == 12 * MEGABYTE


def test_a_photo_in_the_message_is_in_the_declared_answer(program, page):
    assert photo(page, "echo", 12 * MEGABYTE) == 12 * MEGABYTE


def test_a_message_over_the_limit_rejects_and_the_page_continues(program, page):
    assert photo(page, "echo", LIMIT) == f"Error: A message may have {LIMIT} bytes, and this one has more."
    assert photo(page, "echo", 3) == 3


@pytest.mark.parametrize("kind", ["first", "last"])
def test_a_line_of_a_program_over_the_limit_rejects_its_message(program, page, kind):
    problem = f"has written a line that is too long: it may have {LINE_LIMIT} bytes."
    assert answer(page, kind, LINE_LIMIT) == f"Error: The handler {problem}"
    program.wait_for_log(problem)
    assert answer(page, kind, 3) == 3


def test_a_line_of_a_program_that_is_not_json_rejects_its_message(program, page):
    assert "The handler has written a line that is not JSON" in page.evaluate("post({ type: 'number' })")


def test_an_answer_of_a_web_server_over_the_limit_rejects_its_message(web_server, page):
    problem = f"has answered with more than {LINE_LIMIT} bytes"
    assert answer(page, "first", LINE_LIMIT) == f"Error: The handler {problem}."
    web_server.wait_for_log(problem)
    assert answer(page, "first", 3) == 3


def test_the_control_api_calls_a_function_with_a_photo_and_gets_one(program, page):
    assert answer(page, "first", 3) == 3
    control = program.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    calls = f"/sessions/{session}/bridges/acme/calls"
    control("POST", calls, {"call": "received.push", "args": ["x" * (12 * MEGABYTE)]})
    assert page.evaluate("received[0].length") == 12 * MEGABYTE
    assert len(control("POST", calls, {"evaluate": "received[0]"})["result"]) == 12 * MEGABYTE
    refused = control.request("POST", calls, {"call": "received.push", "args": ["x" * LINE_LIMIT]})
    assert refused.status == 413 and str(LINE_LIMIT) in refused.json["detail"]


def test_a_result_over_the_limit_is_an_error_and_the_page_continues(program, page):
    assert answer(page, "first", 3) == 3
    control = program.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    calls = f"/sessions/{session}/bridges/acme/calls"
    assert control("POST", calls, {"evaluate": f"'x'.repeat({LIMIT})"}) == {
        "error": f"A message may have {LIMIT - 1024} bytes, and this one has more."}
    # The page was not disconnected.
    assert control("POST", calls, {"evaluate": "1 + 1"}) == {"result": 2}
    entries = control("GET", f"/sessions/{session}/journal?kind=page")["entries"]
    assert "disconnected" not in [entry["action"] for entry in entries]


def test_a_result_over_the_limit_is_an_error_for_the_handler_that_asked(program, page):
    assert answer(page, "evaluate", LIMIT) == {"result": None, "error": f"A message may have {LIMIT - 1024} bytes, and this one has more."}
    assert answer(page, "evaluate", 3) == {"result": "xxx", "error": None}


def test_the_answer_of_a_test_may_have_a_photo(start, page):
    server = start("")
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    page.evaluate("void (window.answer = post({ type: 'ask' }))")
    control("POST", f"/sessions/{session}/journal/wait", {"until": {"kind": "request", "action": "acme.ask"}, "timeout": 60})
    pages = f"/sessions/{session}/pages"
    path = f"{pages}/{control('GET', pages)['pages'][0]['id']}/requests"
    waiting = control("GET", path)["requests"][0]["correlationId"]
    control("POST", f"{path}/{waiting}/respond", {"status": "success", "data": {"value": "x" * (12 * MEGABYTE)}})
    assert page.evaluate("answer") == 12 * MEGABYTE


def test_a_message_over_the_limit_on_the_socket_of_a_handler_rejects_and_is_told(start, page):
    server = start("connect")
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    address = control.url.replace("http", "ws") + "/bridges/acme/handler"
    problem = f"has sent a message that is too long, and was disconnected. A message may have {LIMIT} bytes."
    with connect(address, additional_headers={"Authorization": f"Bearer {control.token}"}, max_size=None) as handler:
        page.evaluate("void (window.answer = post({ type: 'ask' }))")
        while "message" not in (line := json.loads(handler.recv())):
            pass
        handler.send(json.dumps({"message": line["message"], "reply": "x" * LIMIT}))
        assert page.evaluate("answer") == f"Error: The handler {problem}"
    server.wait_for_log(problem)
    entries = control("GET", f"/sessions/{session}/journal?kind=decision")["entries"]
    assert f"The handler {problem}" in [entry.get("note") for entry in entries]


def test_the_result_of_a_rule_may_have_a_photo(start, page):
    server = start("")
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    rules = f"/sessions/{session}/rules"
    control("POST", rules, {"on": "acme.ask", "then": {"result": "x" * (12 * MEGABYTE)}})
    assert page.evaluate("post({ type: 'ask' })") == 12 * MEGABYTE
    refused = control.request("POST", rules, {"on": "acme.ask", "then": {"result": "x" * LINE_LIMIT}})
    assert refused.status == 413 and str(LINE_LIMIT) in refused.json["detail"]


def test_the_rules_of_a_session_have_a_limit_together(start, page):
    control = start("").control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    rule = {"on": "acme.ask", "then": {"result": "x" * (15 * MEGABYTE)}}
    for _ in range(4):
        control("POST", f"/sessions/{session}/rules", rule)
    refused = control.request("POST", f"/sessions/{session}/rules", rule)
    assert refused.status == 409 and str(64 * MEGABYTE) in refused.json["detail"]
