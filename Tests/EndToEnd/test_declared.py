"""Bridges that footbridge.yaml declares, in Chromium: handlers, scripts, calls, events, and what native leaves in a page."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from footbridge_process import serve

PAGE = """<!doctype html><html lang="en"><head><title>App</title><script>
window.log = [];
window.app = { calls: [], got(...args) { app.calls.push({ self: this === app, args }); } };
window.addEventListener("acme:seen", ({ detail }) => app.calls.push({ detail }));
window.post = (message, name = "acme") => webkit.messageHandlers[name].postMessage(message)
  .then((value) => ({ value }), (error) => ({ error: String(error), isError: error instanceof Error }));
</script></head><body><h1>App</h1></body></html>"""


@pytest.fixture
def start(tmp_path):
    """Starts servers of a page whose footbridge.yaml has the given text; other files stand beside it."""
    servers = []

    def start(text, files=None, *arguments):
        root = tmp_path / "site"
        root.mkdir(exist_ok=True)
        (root / "index.html").write_text(PAGE)
        for name, content in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        config = tmp_path / "footbridge.yaml"
        config.write_text(text)
        site = [] if "--proxy" in arguments else ["--root", root]
        server = serve(*site, "--config", config, "--ephemeral", *arguments)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def declare(more, reply="true"):
    return f"bridges: {{ acme: {{ channels: {{ acme: {{ reply: {reply} }} }}, name: [/type, message], {more} }} }}"


def test_a_handler_is_one_of_webkit(start, page):
    page.goto(start(declare("answers: { login: { reply: { id: !from /id } } }")).url)
    handler = "webkit.messageHandlers.acme"
    assert page.evaluate(f"[String({handler}), {handler}.constructor.name, Object.keys(webkit.messageHandlers)]") == [
        "[object UserMessageHandler]",
        "UserMessageHandler",
        [],
    ]
    assert page.evaluate("post({ type: 'login', id: 7 })") == {"value": {"id": 7}}


def test_an_error_is_an_error_of_its_text(start, page):
    page.goto(start(declare("answers: { login: { error: Not today } }")).url)
    assert page.evaluate("post({ type: 'login' })") == {"error": "Error: Not today", "isError": True}


def test_a_message_without_an_answer_stays_pending(start, page):
    server = start(declare("answers: {}"))
    page.goto(server.url)
    assert page.evaluate("Promise.race([post({ type: 'x' }), new Promise((done) => setTimeout(done, 300, 'pending'))])") == "pending"


def test_a_handler_without_replies_resolves_with_undefined(start, page):
    page.goto(start(declare("answers: { login: { event: 'acme:seen', detail: !from /id } }", reply="false")).url)
    assert page.evaluate("post({ type: 'login', id: 7 }).then(({ value }) => value === undefined)")
    page.wait_for_function("app.calls.length")
    assert page.evaluate("app.calls") == [{"detail": 7}]


def test_a_reply_can_be_json_text(start, page):
    page.goto(start(declare("answers: { login: { reply: { a: 1 } } }", reply="json")).url)
    assert page.evaluate("post({ type: 'login' })") == {"value": '{"a":1}'}


def test_calls_keep_this_and_go_out_in_order(start, page):
    answers = "answers: { opened: { call: app.got, args: [opened] }, info: [{ call: app.got, args: [!json { id: !from /id }] }, { call: [app, !from /back], args: [2] }] }"
    page.goto(start(declare(answers)).url)
    page.wait_for_function("app.calls.length")
    page.evaluate("post({ type: 'info', id: 7, back: 'got' })")
    page.wait_for_function("app.calls.length === 3")
    assert page.evaluate("app.calls") == [
        {"self": True, "args": ["opened"]},
        {"self": True, "args": ['{"id":7}']},
        {"self": True, "args": [2]},
    ]


def test_scripts_run_in_order_before_the_page_and_each_by_itself(start, page):
    scripts = "scripts: [{ file: broken.js }, { file: one.js }, { file: end.js, at: end }, { file: load.js, at: load }]"
    files = {
        "broken.js": "this is no script",
        "one.js": "var one = 'global'; var order = ['start']; order.push(typeof app, typeof webkit.messageHandlers.acme);",
        "end.js": "order.push('end', document.readyState);",
        "load.js": "order.push('load', document.readyState);",
    }
    page.goto(start(declare(scripts), files).url)
    page.wait_for_function("order.includes('load')")
    assert page.evaluate("order") == ["start", "undefined", "object", "end", "interactive", "load", "complete"]
    assert page.evaluate("one") == "global"


@pytest.mark.parametrize("policy", ["script-src 'self'", "script-src 'nonce-abc'; require-trusted-types-for 'script'"])
def test_scripts_run_under_a_policy(start, page, policy):
    scripts = declare("scripts: [one.js], answers: { login: { reply: in } }")
    document = f"<!doctype html><meta http-equiv=Content-Security-Policy content=\"{policy}\"><title>App</title>"
    server = start(scripts, {"one.js": "window.one = 1;", "site/strict.html": document})
    page.goto(server.url + "/strict.html")
    assert page.evaluate("one") == 1


def test_a_bridge_is_on_its_pages_and_in_main_frames_only(start, page):
    config = "bridges: { acme: { pages: /app/*, channels: { acme: {} } }, everywhere: { frames: all, channels: { all: {} } } }"
    frame = "<!doctype html><title>App</title><iframe src='/app/inner.html'></iframe>"
    server = start(config, {"site/app/index.html": frame, "site/app/inner.html": "<!doctype html><title>In</title>"})
    names = "['acme', 'all'].filter((name) => webkit.messageHandlers[name])"
    page.goto(server.url)
    assert page.evaluate(names) == ["all"]
    page.goto(server.url + "/app/")
    assert page.evaluate(names) == ["acme", "all"]
    assert page.frames[1].evaluate(names) == ["all"]


def test_rules_and_the_journal_speak_of_a_message_by_its_name(start, page):
    rules = "scenario: s\nscenarios: { s: [{ on: acme.login, then: { error: 'Ruled out' } }] }\n"
    page.goto(start(rules + declare("secret: [pin], answers: { login: { reply: in } }")).url)
    assert page.evaluate("post({ type: 'login', pin: 4711 })") == {"error": "Error: Ruled out", "isError": True}
    assert page.evaluate("post({ type: 'login' })") == {"value": "in"}


def test_a_call_outlives_a_lost_socket(start, page):
    rules = "scenario: s\nscenarios: { s: [{ on: acme.login, then: { cutSocket: true } }] }\n"
    page.goto(start(rules + declare("answers: { login: { reply: in } }")).url)
    assert page.evaluate("post({ type: 'login' })") == {"value": "in"}


def test_what_native_puts_into_the_first_address_is_there_before_the_page(start, page):
    launch = "launch: { hash: 'tgWebAppData=x&v=7', localStorage: { installed: yes } }, scripts: [one.js]"
    server = start(declare(launch), {"one.js": "window.first = [location.hash, localStorage.installed];"})
    page.goto(server.url)
    assert page.evaluate("first") == ["#tgWebAppData=x&v=7", "yes"]
    page.goto(server.url + "/?again#own")
    assert page.evaluate("first") == ["#own", "yes"]


def test_the_user_agent_is_what_the_page_reads_and_the_server_gets(start, page):
    agents = []

    class Upstream(BaseHTTPRequestHandler):
        def do_GET(self):
            agents.append(self.headers["User-Agent"])
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>App</title>")

        def log_message(self, *arguments):
            pass

    upstream = ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    try:
        server = start(declare("userAgent: 'AcmeApp/7.1 (bridge; form menu)'"), None, "--proxy", f"http://127.0.0.1:{upstream.server_port}")
        page.goto(server.url)
        agent = page.evaluate("navigator.userAgent")
        assert agent.endswith(" AcmeApp/7.1 (bridge; form menu)")
        assert agents[0] == agent
    finally:
        upstream.shutdown()
        upstream.server_close()
