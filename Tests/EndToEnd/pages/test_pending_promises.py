"""A promise that stays pending is not silent: the console, the log and the journal say why."""

import concurrent.futures
import contextlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from footbridge_process import serve
from relay import Relay

PAGE = """<!doctype html><title>App</title><script>
window.post = (message, name = "acme") => webkit.messageHandlers[name].postMessage(message)
  .then((value) => value, (error) => String(error));
</script>"""


class Open:
    """A server with an open page, and what its console has said."""

    def __init__(self, server, page, url):
        self.server, self.page, self.console = server, page, []
        page.on("console", lambda message: self.console.append(message.text))
        page.goto(url)
        self.control = server.control()
        self.session = self.control("GET", "/sessions")["sessions"][0]["id"]

    def wait_for_console(self, part):
        while not any(part in text for text in self.console):
            self.page.wait_for_event("console", timeout=60_000)
        return [text for text in self.console if part in text]

    def wait_for_page(self, action):
        until = {"until": {"kind": "page", "action": action}, "timeout": 60_000}
        self.control("POST", f"/sessions/{self.session}/journal/wait", until)

    def notes(self):
        path = f"/sessions/{self.session}/journal?kind=decision"
        return [entry.get("note", "") for entry in self.control("GET", path)["entries"]]

    def is_told_everywhere(self, part):
        """Whether the console says it once, and the log and the journal say it."""
        assert len(self.wait_for_console(part)) == 1
        self.server.wait_for_log(part)
        assert [note for note in self.notes() if part in note]


@pytest.fixture
def start(tmp_path, page):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(PAGE)
    servers = []

    def start(bridge="", *arguments, address=lambda server: server.url):
        (tmp_path / "footbridge.yaml").write_text(f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: true }} }}, name: /type, {bridge} }} }}")
        servers.append(serve("--root", tmp_path / "site", "--config", tmp_path / "footbridge.yaml", "--ephemeral", *arguments))
        return Open(servers[-1], page, address(servers[-1]))

    yield start
    for server in servers:
        server.stop()


def test_a_message_that_nothing_answers_is_told_once_for_each_page(start, page):
    opened = start()
    page.evaluate("void (post({ type: 'login' }), post({ type: 'login' }))")
    opened.is_told_everywhere("Nothing answers the message login: its promise stays pending.")
    page.reload()
    page.evaluate("void post({ type: 'login' })")
    while len([text for text in opened.console if "Nothing answers" in text]) < 2:
        page.wait_for_event("console")


def test_a_request_to_gbgbridge_that_nothing_handles_is_told(start, page):
    opened = start()
    envelope = {"version": "1.0", "correlationId": "c1", "type": "request", "timestamp": 1, "payload": {"action": "nfc.read"}}
    page.evaluate("(envelope) => void post(envelope, 'gbgBridge')", envelope)
    opened.is_told_everywhere("Nothing handles nfc.read. It waits for an answer from a test.")


def test_a_message_that_cannot_be_copied_is_told(start, page):
    opened = start()
    page.evaluate("void post({ type: 'x', run() {} })")
    opened.wait_for_console("webkit.messageHandlers.acme: this message is lost:")
    opened.server.wait_for_log("A message to webkit.messageHandlers.acme cannot be copied. As in WebKit, its promise stays pending.")
    assert [note for note in opened.notes() if "cannot be copied" in note]


def test_a_message_that_is_nested_too_deeply_is_told(start, page):
    opened = start()
    page.evaluate("""() => {
      let value = 1;
      for (let depth = 0; depth < 2500; depth++) value = [value];
      void post({ type: "x", value });
    }""")
    opened.wait_for_console("This message is not an envelope")
    opened.server.wait_for_log("A message is not an envelope")
    assert [note for note in opened.notes() if "A message is not an envelope" in note]


def test_messages_that_wait_for_a_handler_are_told(start, page):
    opened = start("handler: connect")
    page.evaluate("void post({ type: 'login' })")
    opened.wait_for_console("The handler of the bridge acme is away. Messages wait for it.")
    opened.server.wait_for_log("The handler of the bridge acme is away. Messages wait for it.")
    assert [note for note in opened.notes() if "is away. Messages wait for it." in note]


def test_a_web_server_that_answers_nothing_to_a_message_is_told(start, page):
    class Silent(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    opened = start(f'handler: {{ url: "http://127.0.0.1:{server.server_port}/" }}')
    page.evaluate("void post({ type: 'login' })")
    opened.is_told_everywhere("The handler has taken a message and answered nothing: the promise stays pending until it does.")
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("time", ["before", "after"])
def test_a_call_of_a_page_whose_app_has_ended_is_told(start, page, time):
    opened = start()
    why = "The app of this page has ended: calls get no answer until it is loaded again."
    if time == "before":
        page.evaluate("void post({ type: 'login' })")
        opened.wait_for_console("Nothing answers the message login")
    opened.wait_for_page("listening")
    opened.control("POST", f"/sessions/{opened.session}/relaunch")
    if time == "after":
        opened.wait_for_page("ended")
        page.evaluate("void post({ type: 'login' })")
    assert opened.wait_for_console(why) == [f"Footbridge: {why}"]


def test_an_answer_for_which_there_is_no_room_rejects(start, page):
    start("answers: { late: { reply: 1, delay: 3600000 } }")
    page.evaluate("for (let count = 0; count < 1000; count++) void post({ type: 'late' })")
    assert page.evaluate("post({ type: 'late' })") == "Error: More than 1000 answers wait."


@contextlib.contextmanager
def relayed(start):
    """An open page whose line to the server a test cuts."""
    with contextlib.closing(Relay(None)) as relay:

        def address(server):
            relay.target = server.port
            return f"http://127.0.0.1:{relay.port}/"

        yield start("", "--allow-host", f"127.0.0.1:{relay.port}", address=address), relay


def test_messages_of_native_that_a_page_has_lost_are_told(start):
    with relayed(start) as (opened, relay):
        calls = f"/sessions/{opened.session}/bridges/acme/calls"
        opened.wait_for_page("listening")
        relay.cut()
        opened.wait_for_page("disconnected")
        with concurrent.futures.ThreadPoolExecutor() as pool:
            question = pool.submit(opened.control, "POST", calls, {"evaluate": "1 + 1"})
            relay.wait_for_refusal()
            for _ in range(1100):
                opened.control("POST", calls, {"event": "acme:x"})
            relay.mend()
            # The question is one of them.
            told = "77 messages of native have not reached this page: it was away, and more than 1024 messages or 8388608 bytes waited for it."
            assert question.result() == {"error": told}
        opened.is_told_everywhere(told)


def test_a_page_that_comes_back_answers_all_questions_of_native(start, page):
    with relayed(start) as (opened, relay), concurrent.futures.ThreadPoolExecutor(40) as pool:
        calls = f"/sessions/{opened.session}/bridges/acme/calls"
        opened.wait_for_page("listening")
        page.evaluate("window.waiting = []")
        question = {"evaluate": "new Promise((resolve) => waiting.push(resolve))"}
        questions = [pool.submit(opened.control, "POST", calls, question) for _ in range(40)]
        page.wait_for_function("waiting.length === 40")
        relay.cut()
        relay.wait_for_refusal()
        page.evaluate("waiting.forEach((resolve, index) => resolve(index))")
        page.evaluate("new Promise((done) => setTimeout(done))")
        relay.mend()
        assert sorted(question.result()["result"] for question in questions) == list(range(40))


@pytest.mark.parametrize("text", ['[{"message": %d, "reply": NaN}]', '[{"message": "%d", "reply": 1}]', '{"reply": NaN, "message": %d, "x": 1}'])
def test_an_answer_of_a_web_server_that_cannot_be_read_rejects(start, page, text):
    class Broken(BaseHTTPRequestHandler):
        def do_POST(self):
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = (text % message["message"]).encode() if "message" in message else b""
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Broken)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    opened = start(f'handler: {{ url: "http://127.0.0.1:{server.server_port}/" }}')
    answer = page.evaluate("post({ type: 'login' })")
    assert answer.startswith("Error: The handler has written a")
    opened.server.wait_for_log(answer.removeprefix("Error: The handler "))
    server.shutdown()
    server.server_close()
