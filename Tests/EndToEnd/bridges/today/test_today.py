"""The Today WebView Bridge in Chromium, against a real token endpoint and a real collector of events."""

import asyncio
import base64
import http.client
import json
import re
import threading
import uuid

import jwt
import pytest
from websockets.asyncio.client import connect

from footbridge_process import serve
from upstream_services import Collector, TokenEndpoint

SITE = "https://today.example"
CALL = "window.call = m => webkit.messageHandlers.todayWebViewBridge.postMessage(m);"


@pytest.fixture(scope="session")
def today_root(tmp_path_factory):
    """Makes a site with a page whose first script records what it finds, and the same page for frames."""
    root = tmp_path_factory.mktemp("today")
    document = f"""<!doctype html><html><head><script>
      window.first = {{ tag: window.__todayWebView, channel: typeof window.webkit?.messageHandlers?.todayWebViewBridge }};
      {CALL}
    </script></head><body></body></html>"""
    for name in ("index.html", "feed.html", "frame.html"):
        (root / name).write_text(document)
    (root / "other").mkdir()
    (root / "other" / "index.html").write_text(document)
    return root


@pytest.fixture
def collector():
    collector = Collector()
    yield collector
    collector.stop()


@pytest.fixture
def today(tmp_path, today_root):
    """Starts servers with this `today` section."""
    servers = []

    def start(section=None, *arguments, site=SITE):
        config = tmp_path / f"footbridge-{len(servers)}.yaml"
        config.write_text(json.dumps({"today": section or {}}))
        origin = ("--site-origin", site) if site else ()
        server = serve("--root", today_root, "--config", config, "--ephemeral", "--log-level", "trace", *origin, *arguments)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def oauth(endpoint, **more):
    return {"token": {"url": endpoint.url, "refreshToken": TokenEndpoint.FIRST, "clientId": "client", "clientSecret": "client&secret"}, **more}


def outcome(page, message):
    """Returns the result of a call: ["value", x], ["undefined"] or ["rejected", message]."""
    return page.evaluate("""m => call(m).then(v => v === undefined ? ["undefined"] : ["value", v],
        e => ["rejected", e instanceof Error && e.name === "Error" ? e.message : "no Error"])""", message)


def in_a_loop(scenario):
    """Runs a coroutine on another thread, because the browser's driver has a loop on this one."""
    failures = []

    def work():
        try:
            asyncio.run(scenario())
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


def all_output(server):
    server.stop()
    lines = []
    while (line := server.lines.get(timeout=10)) is not None:
        lines.append(line)
    return "".join(server.log) + "\n".join(lines)


# What a page sees of window.webkit.

OBSERVATIONS = [
    ("typeof webkit", "object"),
    ("describe(window, 'webkit')", [True, False, False]),
    ("[webkit, webkit.messageHandlers, channel].map(o => Object.prototype.toString.call(o))",
     ["[object WebKitNamespace]", "[object UserMessageHandlersNamespace]", "[object UserMessageHandler]"]),
    ("['WebKitNamespace', 'UserMessageHandlersNamespace', 'UserMessageHandler'].map(n => typeof window[n])", ["function"] * 3),
    ("describe(Object.getPrototypeOf(webkit), 'messageHandlers')", [True, "accessor", True]),
    ("Object.getOwnPropertyDescriptor(Object.getPrototypeOf(webkit), 'messageHandlers').set === undefined", True),
    ("thrown(() => { webkit.messageHandlers = 1; })", "TypeError"),
    ("thrown(() => { window.webkit = 1; })", "TypeError"),
    ("webkit.messageHandlers === webkit.messageHandlers && channel === webkit.messageHandlers.todayWebViewBridge", True),
    ("webkit.messageHandlers.hasOwnProperty('todayWebViewBridge') && 'todayWebViewBridge' in webkit.messageHandlers", True),
    ("describe(webkit.messageHandlers, 'todayWebViewBridge')", [True, False, True]),
    ("[Object.keys(webkit.messageHandlers), Object.getOwnPropertyNames(webkit.messageHandlers)]", [[], []]),
    ("thrown(() => { webkit.messageHandlers.todayWebViewBridge = 1; })", "TypeError"),
    ("(webkit.messageHandlers.mine = 5, webkit.messageHandlers.mine)", 5),
    ("webkit.messageHandlers.unknown === undefined && !('unknown' in webkit.messageHandlers)", True),
    ("describe(Object.getPrototypeOf(channel), 'postMessage')", [True, True, True]),
    ("[channel.postMessage.length, channel.postMessage.name]", [1, "postMessage"]),
    ("channel.postMessage({}) instanceof Promise && channel.postMessage(1n) instanceof Promise", True),
    # Settling.
    ("settled(channel.postMessage({ type: 'nope' }))", ["undefined"]),
    ("settled(channel.postMessage({ type: 'headers' })).then(r => typeof r[1].Authorization)", "string"),
    ("settled(channel.postMessage({ type: 'establishSession' }))", ["value", {"ok": True}]),
    ("settled(channel.postMessage())", ["rejected", "TypeError", "Not enough arguments"]),
    ("settled(channel.postMessage.call({}, 1)).then(r => r.slice(0, 2))", ["rejected", "TypeError"]),
    ("settled((0, channel.postMessage)(1)).then(r => r.slice(0, 2))", ["rejected", "TypeError"]),
    # Arguments: a message that cannot be sent never settles, but later ones do.
    *[(f"neverSettles({value})", True) for value in (
        "() => 1", "Symbol('s')", "document.body", "window", "{ type: 'headers', f() {} }", "[[() => 1]]")],
    *[(f"settled(channel.postMessage({value}))", ["undefined"]) for value in (
        "null", "true", "42", "NaN", "Infinity", "-0", "'x'", "''", "'\\ud800'", "'x'.repeat(2e5)", "[]", "{}", "undefined", "10n", "new Date()",
        "new Map([[1, 2]])", "new Set([1])", "/x/", "new ArrayBuffer(8)", "new Uint8Array(4)", "new Error('e')", "[undefined, , 1]",
        "{ type: 7 }", "{ type: null }", "['headers']", "nested(2000)", "cyclic()", "new String('headers')")],
    ("settled(channel.postMessage({ type: 'headers', toJSON() { return {}; } }.constructor === Object && "
     "Object.assign(Object.create({ toJSON() { return 1; } }), { type: 'headers' }))).then(r => typeof r[1].Authorization)", "string"),
    ("(() => { const m = { type: 'headers' }; const p = channel.postMessage(m); m.type = 'x'; return settled(p).then(r => typeof r[1]); })()",
     "object"),
    # Order and life.
    ("(async () => { const seen = []; await Promise.all([1, 2, 3].map(n => channel.postMessage({ type: 'nope', n }).then(() => seen.push(n)))); "
     "return seen; })()", [1, 2, 3]),
    ("(async () => { const p = channel.postMessage({ type: 'headers' }); history.pushState({}, '', '/elsewhere'); location.hash = 'x'; "
     "return typeof (await p).Authorization; })()", "string"),
    ("(async () => { let later = false; const p = channel.postMessage({}).then(() => later); later = true; return p; })()", True),
    # The tag.
    ("first", {"tag": {"platform": "ios"}, "channel": "object"}),
    ("typeof todayWebViewBridge", "undefined"),
    # The handler without a reply.
    ("settled(webkit.messageHandlers.gbgBridge.postMessage({ type: 'event' }))", ["undefined"]),
    # Workers have none.
    ("new Promise(told => { new Worker(URL.createObjectURL(new Blob(['postMessage(typeof self.webkit)']))).onmessage = e => told(e.data); })", "undefined"),
]

# The message that the host gets, as in the journal. It marks numbers that JSON lacks, dates and repeated objects.
NATIVE_IS_GIVEN = [
    *[(text, {"value": value}) for text, value in (
        ("null", None), ("true", True), ("0", 0), ("1.5", 1.5), ("'text'", "text"), ("''", ""), ("[1, 'two', [null]]", [1, "two", [None]]), ("{}", {}),
        ("{ a: { b: [{}] } }", {"a": {"b": [{}]}}), ("'\\u{1f600}\\u0000'", "\U0001f600\0"),
        # Members without a value go, places in an array stay.
        # Files and images are null, geometry and DOMException have no value.
        ("[new Blob(['x']), new File([], 'f'), new ImageData(1, 1), Object.assign(document.createElement('input'), { type: 'file' }).files]", [None] * 4),
        ("[new DOMRect(1, 2, 3, 4), new DOMPoint(), new DOMMatrix(), new DOMQuad(), new DOMException('e')]", [None] * 5),
        ("{ blob: new Blob(), rect: new DOMRectReadOnly(), error: new DOMException() }", {"blob": None}),
        ("{ a: undefined, b: null, c: 10n }", {"b": None}), ("[undefined, , 1, 10n]", [None, None, 1, None]),
        # A value that the host has no type for is an object with its members.
        ("[new Map([[1, 2]]), new Set([1]), /x/, new ArrayBuffer(8), new Error('e')]", [{}] * 5), ("new Uint8Array([7, 8])", {"0": 7, "1": 8}),
        ("new class { a = 1; get b() { return 2; } }", {"a": 1}), ("{ get a() { return 1; } }", {"a": 1}), ("{ get a() { throw 1; }, b: 2 }", {"b": 2}),
        ("Object.assign(Object.create({ toJSON: () => 1 }), { a: 1 })", {"a": 1}),
        ("NaN", {"$footbridge": "number", "value": "NaN"}), ("[Infinity, -Infinity]", [{"$footbridge": "number", "value": v} for v in ("Infinity", "-Infinity")]),
        ("new Date(86400000)", {"$footbridge": "date", "value": 86400000}),
        ("(() => { const o = { n: 1 }; o.self = o; return [o, o]; })()",
         [{"n": 1, "self": {"$footbridge": "reference", "value": 1}}, {"n": 1, "self": {"$footbridge": "reference", "value": 2}}]),
    )],
    ("undefined", {}), ("10n", {}),
]

TOOLS = """() => {
  "use strict";
  window.channel = webkit.messageHandlers.todayWebViewBridge;
  window.describe = (o, name) => { const d = Object.getOwnPropertyDescriptor(o, name);
    return [d.enumerable, "value" in d ? d.writable : "accessor", d.configurable]; };
  window.settled = p => p.then(v => v === undefined ? ["undefined"] : ["value", v], e => ["rejected", e.name, e.message]);
  window.neverSettles = async value => {
    let isSettled = false;
    channel.postMessage(value).then(() => { isSettled = true; }, () => { isSettled = true; });
    await channel.postMessage({});
    await channel.postMessage({});
    return !isSettled;
  };
  window.nested = n => { let v = {}; for (let i = 0; i < n; i++) v = i % 2 ? [v] : { v }; return v; };
  window.cyclic = () => { const o = { list: [] }; o.self = o; o.list.push(o, o.list); return o; };
}"""


def test_a_page_sees_the_channel_as_in_webkit(today, page):
    page.goto(today().url)
    page.evaluate(TOOLS)
    page.evaluate("window.thrown = new Function('f', '\"use strict\"; try { f(); } catch (e) { return e.name; }')")
    differences = []
    for expression, expected in OBSERVATIONS:
        if expression.startswith("thrown("):
            # An evaluated expression runs in sloppy mode, but its assignments must behave as in strict code.
            code = expression.removeprefix("thrown(").removesuffix(")")
            expression = f"thrown(new Function('return (() => {{ \"use strict\"; return {code}; }})()')())"
        seen = page.evaluate(f"async () => await Promise.race([{expression}, new Promise(end => setTimeout(end, 8000, 'pending'))])")
        if seen != expected:
            differences.append((expression, seen, expected))
    assert differences == []


@pytest.mark.parametrize("seal", ["freeze", "seal", "preventExtensions"])
def test_a_page_can_freeze_the_handlers_and_use_them(today, page, seal):
    page.goto(today().url)
    seen = page.evaluate(
        """async seal => {
          const handlers = webkit.messageHandlers;
          handlers.mine = 5;
          const returned = Object[seal](handlers) === handlers;
          const add = new Function("handlers", "'use strict'; handlers.other = 1;");
          let refusal;
          try { add(handlers); } catch (error) { refusal = error.name; }
          Object.keys(handlers);
          delete handlers.todayWebViewBridge;
          const answer = await webkit.messageHandlers.todayWebViewBridge.postMessage({ type: "headers" });
          return [returned, Object.isExtensible(handlers), refusal, handlers.mine, typeof answer.Authorization,
            Object.hasOwn(handlers, "todayWebViewBridge") && "gbgBridge" in handlers, Object.isSealed(handlers), Object.isFrozen(handlers)];
        }""",
        seal,
    )
    assert seen == [True, False, "TypeError", 5, "string", True, seal != "preventExtensions", seal == "freeze"]


def test_the_host_gets_a_copy_of_the_message_as_it_was_at_the_call(today, page):
    server = today()
    page.goto(server.url)
    expressions = [expression for expression, _ in NATIVE_IS_GIVEN]
    makers = ", ".join(f"() => ({expression})" for expression in expressions)
    page.evaluate(f"""() => Promise.all([{makers}].map(make => {{
      const message = make();
      const answer = call(message);
      if (typeof message === "object" && message) message.added = "too late";
      return answer;
    }}))""")
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    entries = control("GET", f"/sessions/{session['id']}/journal")["entries"]
    # The mark of a message that the page has posted before the answer to an earlier one is not the page's.
    given = [{name: value for name, value in entry["data"].items() if name != "again"}
             for entry in entries if entry["kind"] == "request" and entry["action"] == "today.message"]
    differences = [row for row in zip(expressions, given, (expected for _, expected in NATIVE_IS_GIVEN)) if row[1] != row[2]]
    assert differences == [] and len(given) == len(expressions)


def test_the_page_gets_the_hosts_answer_unchanged(today, page):
    server = today()
    page.goto(server.url)
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    for answer in ("text", "", 0, 1.5, True, False, [], [1, None, {"a": []}], {}, {"a": {"b": None}}):
        control("POST", f"/sessions/{session['id']}/rules", {"on": "today.message", "then": {"result": answer}})
        assert outcome(page, {"type": "nope"}) == ["value", answer]
    control("POST", f"/sessions/{session['id']}/rules", {"on": "today.message", "then": {"error": {"message": ""}}})
    assert outcome(page, {"type": "nope"}) == ["rejected", ""]


def test_answers_settle_in_the_order_of_the_host(today, endpoint, page):
    page.goto(today(oauth(endpoint)).url)
    endpoint.gate.clear()
    page.evaluate("""() => {
      window.order = [];
      window.held = call({ type: "refreshToken" }).then(() => order.push("refreshToken"));
      return Promise.all(["nope", "track"].map(type => call({ type }).then(() => order.push(type))));
    }""")
    endpoint.gate.set()
    assert page.evaluate("held.then(() => order)") == ["nope", "track", "refreshToken"]


def test_calls_of_all_handlers_reach_the_host_in_order(today, page):
    server = today()
    page.goto(server.url)
    page.evaluate("""() => {
      const { gbgBridge, todayWebViewBridge } = webkit.messageHandlers;
      for (let i = 0; i < 20; i += 2) {
        todayWebViewBridge.postMessage({ i });
        gbgBridge.postMessage({ version: "1.0", correlationId: `${i + 1}`, type: "request", timestamp: 0, payload: { action: "any", data: { i: i + 1 } } });
      }
      return todayWebViewBridge.postMessage({});
    }""")
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    entries = control("GET", f"/sessions/{session['id']}/journal")["entries"]
    data = [entry["data"] for entry in entries if entry["kind"] == "request" and entry["action"] in ("any", "today.message")]
    assert [item["value"].get("i") if "value" in item else item["i"] for item in data] == [*range(20), None]


@pytest.mark.parametrize("end", ["frame.remove()", "frame.contentWindow.location.reload()", "frame.src = '/other/'"])
def test_an_answer_to_a_former_document_does_not_settle(today, page, end):
    server = today()
    page.goto(server.url)
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    path = f"/sessions/{session['id']}"
    control("POST", path + "/rules", {"on": "today.message", "then": {"gate": "held"}})
    page.evaluate("""() => new Promise(loaded => {
      window.frame = Object.assign(document.createElement("iframe"), { src: "/frame.html", onload: loaded });
      document.body.append(frame);
    })""")
    page.evaluate("window.settled = false; frame.contentWindow.call({}).finally(() => { settled = true; }); 0")
    control("POST", path + "/journal/wait", {"until": {"kind": "request", "action": "today.message"}, "timeout": 10_000})
    page.evaluate(f"""() => new Promise(over => {{
      frame.onload = over;
      {end};
      if (!frame.isConnected) over();
    }})""")
    # The gate ends with the document, if the host knows that already.
    assert control.request("POST", path + "/gates/held/release").status in (200, 204, 404)
    assert outcome(page, {}) == ["undefined"]
    assert page.evaluate("settled") is False


def test_the_tag_has_the_platform_of_the_command_line(today, page):
    page.goto(today(None, "--platform", "macos").url)
    assert page.evaluate("first") == {"tag": {"platform": "macos"}, "channel": "object"}


def test_an_unhandled_rejection_is_reported_and_its_error_has_only_a_message(today, page):
    page.goto(today({"signedIn": False}).url)
    assert page.evaluate("""async () => {
      const reported = new Promise(resolve => addEventListener("unhandledrejection", e => { e.preventDefault(); resolve(e.reason); }));
      call({ type: "refreshToken" });
      const error = await reported;
      return [error instanceof Error, error.name, Object.getOwnPropertyNames(error), error.message.length > 0];
    }""") == [True, "Error", ["message"], True]


# Capabilities.


def test_headers_has_the_bearer_and_the_extra_headers(today, page):
    page.goto(today({"feedExtraHeaders": {"X-Feed": "1"}, "token": {"lifetime": 600, "claims": {"sub": "eva", "admin": True, "level": 3}}}).url)
    headers = page.evaluate("call({ type: 'headers' })")
    assert headers["X-Feed"] == "1"
    claims = jwt.decode(headers["Authorization"].removeprefix("Bearer "), options={"verify_signature": False})
    assert (claims["sub"], claims["admin"], claims["level"]) == ("eva", True, 3)
    assert claims["exp"] - claims["iat"] == 600


def test_built_in_tokens_verify_with_the_published_key(today, page):
    server = today()
    page.goto(server.url)
    token = page.evaluate("call({ type: 'refreshToken' })")["authorization"].removeprefix("Bearer ")
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/__footbridge/today/.well-known/jwks.json")
    keys = jwt.PyJWKSet.from_json(connection.getresponse().read())
    connection.close()
    assert jwt.decode(token, keys[jwt.get_unverified_header(token)["kid"]].key, algorithms=["ES256"])["jti"]


def test_each_refresh_gives_a_new_token_and_headers_has_the_latest(today, endpoint, page):
    page.goto(today(oauth(endpoint)).url)
    endpoint.wait_for_launch(page)
    first, second = (page.evaluate("call({ type: 'refreshToken' })")["authorization"] for _ in range(2))
    assert [first, second] == ["Bearer " + token for token in endpoint.issued[1:]]
    assert page.evaluate("call({ type: 'headers' })") == {"Authorization": second}
    assert endpoint.forms == [
        {"grant_type": "refresh_token", "refresh_token": refresh_token, "client_id": "client", "client_secret": "client&secret"}
        for refresh_token in (TokenEndpoint.FIRST, "refresh-token-after-1", "refresh-token-after-2")
    ]
    assert endpoint.posts[0]["type"] == "application/x-www-form-urlencoded"


def test_sessions_share_the_rotating_refresh_token(today, endpoint, new_context):
    server = today(oauth(endpoint))
    for expected in range(1, 4):
        page = new_context().new_page()
        page.goto(server.url)
        endpoint.wait_for_launch(page)
        assert page.evaluate("call({ type: 'refreshToken' })") == {"authorization": "Bearer " + endpoint.issued[-1]}
        assert len(endpoint.issued) == 2 * expected


def test_a_rotated_refresh_token_is_used_after_a_restart(today_root, endpoint, new_context, tmp_path):
    arguments = ["--root", today_root, "--state", tmp_path / "state", "--config", tmp_path / "again.yaml", "--site-origin", SITE]
    (tmp_path / "again.yaml").write_text(json.dumps({"today": oauth(endpoint)}))
    for expected in range(1, 4):
        with serve(*arguments) as server:
            page = new_context().new_page()
            page.goto(server.url)
            endpoint.wait_for_launch(page)
            assert len(endpoint.issued) == expected
    assert (tmp_path / "state" / "today-refresh-token.json").stat().st_mode & 0o777 == 0o600


def test_establish_session_sets_a_cookie_hidden_from_scripts(today, endpoint, page):
    server = today(oauth(endpoint))
    page.goto(server.url)
    endpoint.wait_for_launch(page)
    assert outcome(page, {"type": "establishSession"}) == ["value", {"ok": True}]
    assert outcome(page, {"type": "establishSession", "refresh": True}) == ["value", {"ok": True}]
    assert len(endpoint.posts) == 2
    assert page.evaluate("document.cookie") == ""
    assert [cookie["name"] for cookie in page.context.cookies()] == ["footbridge_session"]


def test_a_failed_refresh_rejects_with_the_hosts_text_and_changes_nothing(today, endpoint, page):
    page.goto(today(oauth(endpoint)).url)
    endpoint.wait_for_launch(page)
    endpoint.failures = [(400, {"error": "invalid_grant", "error_description": "secret of the endpoint"}), (503, {}), (200, {"no": "token"})]
    for part in ("invalid_grant", "could not be reached", "no usable token"):
        kind, text = outcome(page, {"type": "refreshToken"})
        assert kind == "rejected" and part in text and "secret" not in text
    assert outcome(page, {"type": "refreshToken"}) == ["value", {"authorization": "Bearer " + endpoint.issued[-1]}]
    endpoint.failures = [(400, {"error": "invalid_grant"})]
    assert outcome(page, {"type": "establishSession", "refresh": True}) == ["value", {"ok": False}]


def test_an_endless_token_response_is_refused(today, endpoint, page):
    page.goto(today(oauth(endpoint)).url)
    endpoint.wait_for_launch(page)
    endpoint.failures = [(200, {"access_token": "a", "token_type": "Bearer", "padding": "x" * (2 << 20)})]
    assert outcome(page, {"type": "refreshToken"})[0] == "rejected"
    assert outcome(page, {"type": "refreshToken"})[0] == "value"


def test_while_signed_out_headers_has_no_bearer(today, endpoint, page):
    page.goto(today(oauth(endpoint, signedIn=False, feedExtraHeaders={"X-Feed": "1"})).url)
    assert outcome(page, {"type": "headers"}) == ["value", {"X-Feed": "1"}]
    assert outcome(page, {"type": "refreshToken"})[0] == "rejected"
    assert outcome(page, {"type": "establishSession"}) == ["value", {"ok": False}]
    assert endpoint.posts == []


def test_headers_has_the_current_token_and_does_not_refresh(today, endpoint, page):
    server = today(oauth(endpoint))
    endpoint.gate.clear()
    page.goto(server.url)
    # The app asks for its token as it is launched. The page does not wait for it.
    endpoint.wait_for(lambda: len(endpoint.posts) == 1)
    assert outcome(page, {"type": "headers"}) == ["value", {}]
    endpoint.gate.set()
    assert outcome(page, {"type": "refreshToken"})[0] == "value"
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    control("POST", f"/sessions/{session['id']}/tokens/expire")
    held = {"Authorization": "Bearer " + endpoint.issued[-1]}
    count = len(endpoint.posts)
    assert [outcome(page, {"type": "headers"}) for _ in range(5)] == [["value", held]] * 5
    assert len(endpoint.posts) == count
    # The next sign-in asks for one.
    for signed_in in (False, True):
        control("PATCH", f"/sessions/{session['id']}", {"today": {"signedIn": signed_in}})
    endpoint.wait_for(lambda: len(endpoint.posts) == count + 1)


def test_an_invalid_refresh_token_is_tried_once_and_logged_without_secrets(today, endpoint, page):
    server = today(oauth(endpoint))
    endpoint.failures = [(400, {"error": "invalid_grant", "error_description": "secret of the endpoint"})] * 30
    page.goto(server.url)
    server.wait_for_log("warning", "token endpoint", "invalid_grant")
    assert [outcome(page, {"type": "headers"}) for _ in range(30)] == [["value", {}]] * 30
    assert len(endpoint.posts) == 1
    output = all_output(server)
    assert "secret of the endpoint" not in output and TokenEndpoint.FIRST not in output


def test_headers_refreshes_the_token_with_headers_renew_token(today, endpoint, page):
    page.goto(today(oauth(endpoint, headersRenewToken=True)).url)
    assert outcome(page, {"type": "headers"}) == ["value", {"Authorization": "Bearer " + endpoint.issued[-1]}]


def test_a_client_can_authenticate_by_http_basic_with_a_scope_and_an_audience(today, endpoint, page):
    section = oauth(endpoint)
    section["token"].update(clientAuthentication="client_secret_basic", scope="feed embed", audience="https://api.example")
    page.goto(today(section).url)
    assert outcome(page, {"type": "refreshToken"})[0] == "value"
    assert endpoint.forms[0] == {
        "grant_type": "refresh_token", "refresh_token": TokenEndpoint.FIRST, "scope": "feed embed", "audience": "https://api.example"
    }
    assert endpoint.posts[0]["authorization"] == "Basic " + base64.b64encode(b"client:client%26secret").decode()


# Trust.


@pytest.mark.parametrize(("section", "site", "path", "headers"), [
    ({"trustedOrigins": ["https://else.example"]}, SITE, "/", {}),
    ({"trustedPaths": ["/feed.html"]}, SITE, "/other/", {}),
    ({"trustedPaths": ["/feed.html"]}, SITE, "/feed.htmlx/../other/", {}),
    ({"trustedOrigins": ["http://127.0.0.1"]}, None, "/", {}),
    ({"trustedOrigins": [SITE]}, "http://today.example", "/", {"X-Feed": "1"}),
])
def test_an_untrusted_or_cleartext_page_gets_no_bearer(today, page, section, site, path, headers):
    server = today({**section, "feedExtraHeaders": {"X-Feed": "1"}}, site=site)
    page.goto(server.url + path)
    assert outcome(page, {"type": "headers"}) == ["value", headers]
    assert outcome(page, {"type": "refreshToken"}) == ["undefined"]
    assert outcome(page, {"type": "establishSession"}) == ["value", {"ok": False}]


def test_trust_is_that_of_the_served_document(today, page):
    server = today({"trustedPaths": ["/feed.html"]})
    page.goto(server.url + "/other/")
    page.evaluate("history.pushState({}, '', '/feed.html')")
    assert outcome(page, {"type": "refreshToken"}) == ["undefined"]
    page.goto(server.url + "/feed.html?x=1")
    page.evaluate("history.pushState({}, '', '/other/')")
    assert outcome(page, {"type": "refreshToken"})[0] == "value"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_frames_of_this_and_another_origin_are_answered_with_undefined(today, collector, page, host):
    server = today({"track": {"url": collector.url}})
    page.goto(server.url)
    page.evaluate("""url => new Promise(loaded => {
      const frame = document.createElement("iframe"); frame.src = url; frame.onload = loaded; document.body.append(frame);
    })""", f"http://{host}:{server.port}/frame.html")
    frame = page.frames[1]
    assert frame.evaluate("first.channel") == "object"
    assert frame.evaluate("first.tag") is None
    for message in ({"type": "headers"}, {"type": "refreshToken"}, {"type": "establishSession"}, {"type": "track", "ename": "framed"}):
        assert outcome(frame, message) == ["undefined"]
    assert outcome(page, {"type": "track", "ename": "main"}) == ["undefined"]
    collector.event("main")
    assert [event["event"] for event in collector.events] == ["main"]


def test_a_page_without_a_valid_ticket_is_not_trusted(today, endpoint):
    server = today(oauth(endpoint))
    cookie = "footbridge_session=" + uuid.uuid4().hex
    issued = RawPage(server, cookie)

    async def ask(page):
        await page.open()
        await page.today("1", {"type": "refreshToken"})
        data = (await page.answer("1"))["data"]
        await page.socket.close()
        return data

    def page(ticket, cookie=cookie):
        page = RawPage(server, cookie)
        page.url = page.url.partition("&ticket=")[0] + ticket
        return page

    async def scenario():
        assert await ask(page("")) == {}
        assert await ask(page("&ticket=" + "0" * 32)) == {}
        assert await ask(page("&ticket=" + issued.ticket, "footbridge_session=" + uuid.uuid4().hex)) == {}
        assert "value" in await ask(page("&ticket=" + issued.ticket))
        # A ticket is valid for one page.
        assert await ask(page("&ticket=" + issued.ticket)) == {}

    in_a_loop(scenario)


# track.


def test_events_are_sent_to_the_collector_with_scalars_and_the_hosts_fields(today, collector, page):
    page.goto(today({
        "track": {"url": collector.url, "key": "project-key"},
        "identity": {"uid": "u-1", "did": "d-1", "sid": "s-1", "tz": "Europe/Berlin", "ctx": {"build": 7}},
    }).url)
    assert page.evaluate("""call({ type: "track", ename: "opened", parameters: {
      a: 1, b: "s", c: true, d: null, e: [1], f: {}, g: undefined, h: new Date(), i: NaN, j: -0, k: { $footbridge: "number", value: "1" },
      uid: "mine", eid: "mine", ctx: "mine" } })""") is None
    event = collector.event("opened")
    properties = event["properties"]
    assert uuid.UUID(properties.pop("eid")) == uuid.UUID(event["uuid"])
    assert properties.pop("ts") > 1e12
    assert properties == {
        "a": 1, "b": "s", "c": True, "i": "NaN", "j": 0, "uid": "u-1", "did": "d-1", "sid": "s-1", "tz": "Europe/Berlin",
        "client_plat": "ios", "ctx": {"build": 7}, "distinct_id": "u-1",
    }
    assert json.loads(collector.posts[0]["body"])["api_key"] == "project-key"
    assert collector.posts[0]["type"] == "application/json"


def test_track_never_rejects_for_any_value(today, page):
    page.goto(today({"track": {"url": "http://127.0.0.1:9/"}}).url)
    for message in ({}, {"ename": ""}, {"ename": 1}, {"ename": "a", "parameters": [1]}, {"ename": "a", "parameters": {"x": "y" * 100_000}}):
        assert outcome(page, {"type": "track", **message}) == ["undefined"]


# Many at once.


class RawPage:
    """A page without a browser: it fetches the document for its ticket, and speaks the shim's protocol."""

    def __init__(self, server, cookie):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/", headers={"Sec-Fetch-Dest": "document", "Cookie": cookie})
        self.ticket = re.search(r'data-footbridge-ticket="([^"]+)"', connection.getresponse().read().decode())[1]
        connection.close()
        self.url = f"ws://127.0.0.1:{server.port}/__footbridge/bridge?page={uuid.uuid4().hex}&ticket={self.ticket}"
        self.cookie = cookie
        self.answers = {}

    async def open(self):
        self.socket = await connect(self.url, subprotocols=["footbridge.v1"], additional_headers={"Cookie": self.cookie}, proxy=None)
        await self.ask("hello", "footbridge.hello", {"url": "http://x/", "referrer": "", "received": 0, "topFrame": True})
        await self.answer("hello")

    async def ask(self, name, action, data):
        await self.socket.send(json.dumps({
            "version": "1.0", "correlationId": name, "type": "request", "timestamp": 0, "payload": {"action": action, "data": data}}))

    async def today(self, name, message):
        await self.ask(name, "today.message", {"value": message})

    async def answer(self, name):
        while name not in self.answers:
            message = json.loads(await asyncio.wait_for(self.socket.recv(), 20))
            if message["type"] == "response":
                self.answers[message["correlationId"]] = message["payload"]
        return self.answers.pop(name)


async def concurrent_refreshes(endpoint, pages, calls, round):
    """Calls from all pages while the endpoint's answer waits, and returns the result of each call. `round` makes their ids unique."""
    endpoint.gate.clear()
    for page in pages:
        for number in range(calls):
            await page.today(f"{round}-{number}", {"type": "refreshToken"})
        await page.today(f"{round}-s", {"type": "establishSession", "refresh": True})
        await page.today(f"{round}-barrier", {"type": "nope"})
    for page in pages:
        assert (await page.answer(f"{round}-barrier")) == {"action": "today.message", "status": "success", "data": {}}
    await asyncio.to_thread(endpoint.wait_for, lambda: endpoint.posts)
    endpoint.gate.set()
    refreshes = [await page.answer(f"{round}-{number}") for page in pages for number in range(calls)]
    return refreshes, [await page.answer(f"{round}-s") for page in pages]


def test_500_concurrent_refreshes_of_many_pages_are_one(today, endpoint, page):
    server = today(oauth(endpoint))
    page.goto(server.url)
    endpoint.wait_for_launch(page)
    endpoint.posts.clear()
    second = page.context.new_page()
    second.goto(server.url)
    [cookie] = page.context.cookies()
    raw = [RawPage(server, f"{cookie['name']}={cookie['value']}") for _ in range(50)]

    async def scenario():
        await asyncio.gather(*(page.open() for page in raw))
        endpoint.failures = [(400, {"error": "invalid_grant"})]
        refreshes, sessions = await concurrent_refreshes(endpoint, raw, 10, "first")
        assert len(endpoint.posts) == 1
        assert all(r["status"] == "error" and "invalid_grant" in r["error"]["message"] for r in refreshes) and len(refreshes) == 500
        assert all(s["data"] == {"value": {"ok": False}} for s in sessions)
        endpoint.posts.clear()
        refreshes, sessions = await concurrent_refreshes(endpoint, raw, 10, "second")
        assert len(endpoint.posts) == 1
        assert {json.dumps(r["data"]) for r in refreshes} == {json.dumps({"value": {"authorization": "Bearer " + endpoint.issued[-1]}})}
        assert all(s["data"] == {"value": {"ok": True}} for s in sessions)
        for raw_page in raw:
            await raw_page.socket.close()

    in_a_loop(scenario)
    endpoint.posts.clear()
    endpoint.gate.clear()
    for tab in (page, second):
        tab.evaluate("window.results = Promise.all(Array.from({ length: 250 }, () => call({ type: 'refreshToken' }))); call({})")
    # The first tab that leaves does not cancel calls of the others.
    page.goto("about:blank")
    endpoint.gate.set()
    assert second.evaluate("results.then(all => new Set(all.map(r => r.authorization)).size)") == 1
    assert len(endpoint.posts) == 1


# What never happens.


def test_tokens_are_visible_only_in_a_trusted_page(today, endpoint, collector, page):
    server = today(oauth(endpoint, track={"url": collector.url, "key": "secret-project-key"}))
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(server.url)
    outcomes = [outcome(page, message) for message in (
        {"type": "establishSession", "refresh": True}, {"type": "track", "ename": "e"}, {"type": "nope"}, None)]
    assert outcome(page, {"type": "headers"})[0] == "value"
    assert outcome(page, {"type": "refreshToken"})[0] == "value"
    endpoint.failures = [(400, {"error": TokenEndpoint.FIRST, "error_description": TokenEndpoint.FIRST})]
    outcomes.append(outcome(page, {"type": "refreshToken"}))
    collector.event("e")
    control = server.control()
    told = [control("GET", f"/sessions/{session['id']}/{part}") for session in control("GET", "/sessions")["sessions"]
            for part in ("journal", "tokens", "cookies", "sheets", "settings")]
    assert "today.message" in json.dumps(told)
    output = all_output(server) + json.dumps(told, ensure_ascii=False) + json.dumps(outcomes, ensure_ascii=False) + json.dumps(collector.events) + "\n".join(said)
    for secret in [*endpoint.secrets, "client&secret"]:
        assert secret not in output
    assert "secret-project-key" not in "".join(server.log)
