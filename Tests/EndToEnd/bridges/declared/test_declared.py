"""Bridges that footbridge.yaml declares, in Chromium: handlers, scripts, calls, events, and what the host adds to a page."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from engines import CHROMIUM, FIREFOX, WEBKIT, expect, only
from footbridge_process import StartFailure, serve

PAGE = """<!doctype html><html lang="en"><head><title>App</title><script>
window.log = [];
window.app = { calls: [], got(...args) { app.calls.push({ self: this === app, args }); } };
window.addEventListener("acme:seen", ({ detail }) => app.calls.push({ detail }));
window.post = (message, name = "acme") => webkit.messageHandlers[name].postMessage(message)
  .then((value) => ({ value }), (error) => ({ error: String(error), isError: error instanceof Error }));
</script></head><body><h1>App</h1></body></html>"""


@pytest.fixture
def start(tmp_path):
    """Starts servers of a page with this text as footbridge.yaml, and with other files beside it."""
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


def test_a_handler_has_the_type_of_webkits_handlers(start, page):
    page.goto(start(declare("answers: { login: { reply: { id: !from /id } } }")).url)
    handler = "webkit.messageHandlers.acme"
    assert page.evaluate(f"[String({handler}), {handler}.constructor.name, Object.keys(webkit.messageHandlers)]") == [
        "[object UserMessageHandler]",
        "UserMessageHandler",
        [],
    ]
    assert page.evaluate("post({ type: 'login', id: 7 })") == {"value": {"id": 7}}


def test_an_error_answer_rejects_with_an_error_of_its_text(start, page):
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


def test_a_reply_can_be_sent_as_json_text(start, page):
    page.goto(start(declare("answers: { login: { reply: { a: 1 } } }", reply="json")).url)
    assert page.evaluate("post({ type: 'login' })") == {"value": '{"a":1}'}


ECHO = "answers: { x: { reply: !from /body } }"

#: What native sees of a value and gives back, in words: WebKit copies messages so.
COPIES = [
    ("null", "null"),
    ("undefined", "undefined"),
    ("NaN", "NaN"),
    ("-Infinity", "-Infinity"),
    ("-0", "-0"),
    ("10n", "undefined"),
    ("new Date(86400000)", "Date 86400000"),
    ("new Date(NaN)", "Date NaN"),
    ("{ kept: 1, dropped: undefined }", "{kept: 1}"),
    ("[undefined, , 1]", "[null, null, 1]"),
    ("new Map([[1, 2]])", "{}"),
    ("new Set([1])", "{}"),
    ("/x/", "{}"),
    ("new ArrayBuffer(2)", "{}"),
    ("new Error('x')", "{}"),
    ("new Uint8Array([1, 2])", "{0: 1, 1: 2}"),
    ("Object.create({ inherited: 1 })", "{}"),
    pytest.param("{ toJSON() { return 1; } }.constructor.prototype", "{}",
                 marks=only(CHROMIUM, FIREFOX, because="its own handlers lose Object.prototype, too: another test")),
    ("((a) => ({ a, b: a }))({ c: 1 })", "{a: {c: 1}, b: {c: 1}}"),
    ("{ $footbridge: 'number', value: '1' }", '{$footbridge: "number", value: "1"}'),
]


@pytest.mark.parametrize(("value", "seen"), COPIES)
def test_a_message_is_copied_as_webkit_copies_it(start, page, value, seen):
    page.goto(start(declare(ECHO)).url)
    assert (
        page.evaluate(
            f"""async () => {{
      const say = (value) => Object.is(value, -0) ? "-0" : value instanceof Date ? `Date ${{value.getTime()}}`
        : Array.isArray(value) ? `[${{value.map(say).join(", ")}}]`
        : typeof value === "object" && value ? `{{${{Object.keys(value).map((key) => `${{key}}: ${{say(value[key])}}`).join(", ")}}}}`
        : typeof value === "string" ? JSON.stringify(value) : String(value);
      return say((await post({{ type: "x", body: {value} }})).value);
    }}"""
        )
        == seen
    )


def test_a_message_with_a_cycle_is_delivered_and_can_be_returned(start, page):
    page.goto(start(declare("answers: { x: { reply: !from '' } }")).url)
    message = "const a = { type: 'x', list: [] }; a.self = a; a.list.push(a.list);"
    seen = "value.self === value && value.list[0] === value.list && value.type"
    assert page.evaluate(f"(async () => {{ {message} const {{ value }} = await post(a); return {seen}; }})()") == "x"


@pytest.mark.parametrize("value", ["() => {}", "Symbol()", "document.body", "window", "{ deep: [() => {}] }"])
def test_a_message_that_cannot_be_copied_is_dropped_with_a_console_warning(start, page, value):
    page.goto(start(declare(ECHO)).url)
    with page.expect_console_message(lambda message: "DataCloneError" in message.text and "is lost" in message.text):
        page.evaluate(f"void (window.lost = post({{ type: 'x', body: {value} }}))")
    # The host has answered a later message, and this one is still pending.
    assert page.evaluate("post({ type: 'x', body: 1 })") == {"value": 1}
    assert page.evaluate("Promise.race([lost, 'pending'])") == "pending"


@only(WEBKIT, because="its structured clone takes Object.prototype")
def test_a_message_with_object_prototype_is_lost_as_in_webkits_own_handlers(start, page):
    page.goto(start(declare(ECHO)).url)
    page.evaluate("void (window.lost = post({ type: 'x', body: Object.prototype }))")
    assert page.evaluate("post({ type: 'x', body: 1 })") == {"value": 1}
    assert page.evaluate("Promise.race([lost, 'pending'])") == "pending"


def test_a_message_is_copied_when_it_is_posted(start, page):
    page.goto(start(declare(ECHO)).url)
    assert page.evaluate("(() => { const body = [1]; const sent = post({ type: 'x', body }); body.push(2); return sent; })()") == {"value": [1]}


def test_an_error_has_the_form_of_webkits_and_may_be_empty(start, page):
    page.goto(start(declare("answers: { x: { error: '' } }")).url)
    assert page.evaluate(
        "webkit.messageHandlers.acme.postMessage({ type: 'x' })"
        ".catch((error) => [error.constructor === Error, error.message, Object.getOwnPropertyNames(error)])"
    ) == [True, "", ["message"]]


def test_a_pending_answer_survives_a_change_of_the_url_but_not_a_navigation(start, page):
    answers = "answers: { x: [{ reply: late, delay: 200 }, { call: app.got, args: [late] }] }"
    page.goto(start(declare(answers)).url)
    sent = page.evaluate_handle("(() => { const sent = { promise: post({ type: 'x' }) }; history.pushState(1, '', '?next'); return sent; })()")
    assert sent.evaluate("({ promise }) => promise") == {"value": "late"}
    page.wait_for_function("app.calls.length === 1")
    page.evaluate("void post({ type: 'x' })")
    page.reload()
    # The answer to the new document comes later than the answer to the old one would.
    assert page.evaluate("post({ type: 'x' })") == {"value": "late"}
    page.wait_for_function("app.calls.length")
    assert len(page.evaluate("app.calls")) == 1


def test_calls_and_replies_come_in_the_order_of_the_answers(start, page):
    answers = "answers: { x: [{ call: app.got, args: [1] }, { reply: 2 }, { call: app.got, args: [3] }] }"
    page.goto(start(declare(answers)).url)
    page.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'x' }).then((value) => app.calls.push({ args: [value] }))")
    page.wait_for_function("app.calls.length === 3")
    assert [call["args"] for call in page.evaluate("app.calls")] == [[1], [2], [3]]


def test_calls_have_their_this_value_and_are_sent_in_order(start, page):
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


def test_scripts_run_in_order_before_the_page_and_independently(start, page):
    scripts = "scripts: [{ file: broken.js }, { file: empty.js }, { file: one.js }, { file: end.js, at: end }, { file: load.js, at: load }]"
    files = {
        "broken.js": "this is no script",
        "empty.js": "",
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
    assert page.evaluate("window.one") == 1


def test_a_bridge_is_present_only_on_its_pages_and_in_main_frames(start, page):
    config = "bridges: { acme: { pages: /app/*, channels: { acme: {} } }, everywhere: { frames: all, channels: { all: {} } } }"
    frame = "<!doctype html><title>App</title><iframe src='/app/inner.html'></iframe>"
    server = start(config, {"site/app/index.html": frame, "site/app/inner.html": "<!doctype html><title>In</title>"})
    names = "['acme', 'all'].filter((name) => webkit.messageHandlers[name])"
    page.goto(server.url)
    assert page.evaluate(names) == ["all"]
    page.goto(server.url + "/app/")
    assert page.evaluate(names) == ["acme", "all"]
    assert page.frames[1].evaluate(names) == ["all"]


def test_native_opens_a_page_whose_address_ends_with_a_slash(start, page):
    config = "bridges: { acme: { pages: '/größe/*', answers: { opened: { call: app.got, args: [1] } } } }"
    server = start(config, {"site/größe/index.html": PAGE})
    page.goto(server.url + "/größe/")
    page.wait_for_function("app.calls.length === 1")


def test_rules_and_the_journal_know_a_message_by_its_name(start, page):
    rules = "scenario: s\nscenarios: { s: [{ on: acme.login, then: { error: 'Ruled out' } }] }\n"
    page.goto(start(rules + declare("secret: [pin], answers: { login: { reply: in } }")).url)
    assert page.evaluate("post({ type: 'login', pin: 4711 })") == {"error": "Error: Ruled out", "isError": True}
    assert page.evaluate("post({ type: 'login' })") == {"value": "in"}


def test_a_call_survives_a_lost_socket(start, page):
    rules = "scenario: s\nscenarios: { s: [{ on: acme.login, then: { cutSocket: true } }] }\n"
    page.goto(start(rules + declare("answers: { login: { reply: in } }")).url)
    assert page.evaluate("post({ type: 'login' })") == {"value": "in"}


def test_the_launch_hash_and_storage_are_set_before_the_page_runs(start, page):
    launch = "launch: { hash: 'tgWebAppData=x&v=7', localStorage: { installed: yes } }, scripts: [one.js]"
    server = start(declare(launch), {"one.js": "window.first = [location.hash, localStorage.installed];"})
    page.goto(server.url)
    assert page.evaluate("first") == ["#tgWebAppData=x&v=7", "yes"]
    page.goto(server.url + "/?again#own")
    assert page.evaluate("first") == ["#own", "yes"]


def test_the_declared_user_agent_is_read_by_the_page_and_sent_to_the_server(start, page):
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


# Names by message handlers.

METHODS = """bridges: { app: { channels: { getUser: { reply: true }, openScan: {} }, %s answers: {
  getUser: { reply: { name: Eva } }, openScan: { call: app.got, args: [abc] }, "getUser.all": { reply: all } } } }"""


@pytest.mark.parametrize("name", ["", "name: channel,", "name: [channel, /method],"])
def test_a_message_is_named_by_its_message_handler(start, page, name):
    server = start(METHODS % name)
    page.goto(server.url)
    assert page.evaluate("post(null, 'getUser')") == {"value": {"name": "Eva"}}
    assert page.evaluate("app.calls") == []
    page.evaluate("void post({}, 'openScan')")
    page.wait_for_function("app.calls.length")
    assert page.evaluate("app.calls") == [{"self": True, "args": ["abc"]}]
    control = server.control()
    session = control("GET", "/sessions")["sessions"][0]["id"]
    entries = control("GET", f"/sessions/{session}/journal")["entries"]
    assert [entry["action"] for entry in entries if entry["kind"] == "request"] == ["app.getUser", "app.openScan"]


def test_a_name_can_have_the_message_handler_as_a_part(start, page):
    page.goto(start(METHODS % "name: [[channel, /method], channel],").url)
    assert page.evaluate("post({ method: 'all' }, 'getUser')") == {"value": "all"}
    assert page.evaluate("post({}, 'getUser')") == {"value": {"name": "Eva"}}


def test_a_name_can_be_the_first_word_of_a_text(start, page):
    page.goto(start('bridges: { app: { channels: { acme: { reply: true } }, name: [{ before: ":" }, message], '
                    'answers: { share: { reply: !from "" }, message: { reply: other } } } }').url)
    assert page.evaluate("post('share:https://a.example')") == {"value": "share:https://a.example"}
    assert page.evaluate("post('share')") == {"value": "other"}


# Answers that depend on the message.


def test_a_message_gets_the_first_reply_whose_condition_it_meets(start, page):
    server = start(declare("""answers: { login: [
      { where: { user: eva }, reply: 1 }, { where: { user: { $matches: "^b" } }, error: No }, { where: { more: true }, event: "acme:seen", detail: 7 },
      { where: { user: { $any: true } }, reply: 3 } ] }"""))
    page.goto(server.url)
    assert page.evaluate("post({ type: 'login', user: 'eva' })") == {"value": 1}
    assert page.evaluate("post({ type: 'login', user: 'bob' })")["error"] == "Error: No"
    assert page.evaluate("post({ type: 'login', user: 'tom', more: true })") == {"value": 3}
    page.wait_for_function("app.calls.length")
    page.evaluate("void post({ type: 'login' })")
    server.wait_for_log("Nothing answers the message login")


# Values of answers.


def test_json_texts_and_undefined_can_be_answers(start, page):
    page.goto(start(declare("""answers: {
      number: { reply: !json 3 }, true: { reply: !json true }, null: { reply: !json null }, text: { reply: !json "3" },
      from: { reply: !json { $from: /p } }, same: { reply: !json { "!from": /p } }, list: { reply: [!json [!from /p], !json { p: !from /p }] },
      nothing: { reply: !undefined }, literal: { reply: !value { "!from": /p } } }""")).url)
    for name, text in {"number": "3", "true": "true", "null": "null", "text": '"3"'}.items():
        assert page.evaluate("(type) => post({ type })", name) == {"value": text}
    assert page.evaluate("post({ type: 'from', p: { a: 1 } })") == {"value": '{"a":1}'}
    assert page.evaluate("post({ type: 'from', p: true })") == {"value": "true"}
    assert page.evaluate("post({ type: 'same', p: 'x' })") == {"value": '"x"'}
    assert page.evaluate("post({ type: 'list', p: 2 })") == {"value": ["[2]", '{"p":2}']}
    assert page.evaluate("webkit.messageHandlers.acme.postMessage({ type: 'nothing' }).then((value) => value === undefined)")
    assert page.evaluate("post({ type: 'literal', p: 2 })") == {"value": {"!from": "/p"}}


# Errors.


def test_an_error_with_more_members_has_only_its_message_on_a_message_handler(start, page):
    server = start(declare("answers: { login: { error: { message: Not today, code: 7 } } }"))
    server.wait_for_log("bridges.acme.answers.login.error in", "has more than a message")
    page.goto(server.url)
    names = "webkit.messageHandlers.acme.postMessage({ type: 'login' }).catch((error) => [error.message, Object.getOwnPropertyNames(error)])"
    assert page.evaluate(names) == ["Not today", ["message"]]


def test_an_adapter_gets_all_members_of_an_error(start, page):
    adapter = """native.object("Shop", {
      get: (name) => native.send(name, {}).catch((error) => [error instanceof Error, `${error}`, error.code, error.more]),
      now: (name) => { try { native.now(name, {}); } catch (error) { return [error instanceof Error, `${error}`, error.code, error.more]; } },
    });"""
    page.goto(start("bridges: { shop: { adapter: shop.js, answers: { a: { error: { message: No, code: 7, more: [1] } } } } }", {"shop.js": adapter}).url)
    assert page.evaluate("Shop.get('a')") == [True, "Error: No", 7, [1]]
    assert page.evaluate("Shop.now('a')") == [True, "Error: No", 7, [1]]


def test_a_rule_and_the_control_api_reject_with_more_members(start, page):
    adapter = "native.object('Shop', { get: (name) => native.send(name, {}).catch(({ message, code }) => [message, code]) });"
    server = start("bridges: { shop: { adapter: shop.js } }", {"shop.js": adapter})
    control = server.control()
    page.goto(server.url)
    session = control("GET", "/sessions")["sessions"][0]["id"]
    control("POST", f"/sessions/{session}/rules", {"on": "shop.a", "then": {"error": {"message": "No", "code": 7}}})
    assert page.evaluate("Shop.get('a')") == ["No", 7]
    page.evaluate("void (window.waiting = Shop.get('b'))")
    until = {"until": {"kind": "request", "action": "shop.b"}, "timeout": 30000}
    entry = control("POST", f"/sessions/{session}/journal/wait", until)["entry"]
    answer = {"error": {"code": "bridge.failed", "message": "No"}, "data": {"error": {"message": "No", "code": 8}}}
    control("POST", f"/sessions/{session}/pages/{entry['page']}/requests/{entry['correlationId']}/respond", answer)
    assert page.evaluate("waiting") == ["No", 8]


@pytest.mark.parametrize(
    ("answers", "place"),
    [
        ("{ a: { error: 404 } }", "answers.a.error"),
        ("{ a: { error: true } }", "answers.a.error"),
        ("{ a: { error: { code: 404 } } }", "answers.a.error"),
        ("{ a: { error: [x] } }", "answers.a.error"),
        ("{ a: { event: 5 } }", "answers.a.event"),
        ("{ a: { call: 5 } }", "answers.a.call"),
        ("{ a: { call: [app, { x: 1 }] } }", "answers.a.call[1]"),
        ("{ a: { call: x, args: 5 } }", "answers.a.args"),
        ("{ a: [] }", "answers.a"),
    ],
)
def test_an_answer_of_a_wrong_type_prevents_the_start(start, answers, place):
    with pytest.raises(StartFailure) as failure:
        start(declare(f"answers: {answers}"))
    assert failure.value.code == 78 and f"bridges.acme.{place} in" in failure.value.log


# Warnings.


def test_the_log_says_the_warnings_of_a_section_when_the_server_starts(start):
    server = start('bridges: { acme: { warnings: ["login: look here\\u2028\\e[31m"] } }')
    assert r"look here\u{2028}\u{1B}[31m" in server.wait_for_log("bridges.acme: login: look here")
