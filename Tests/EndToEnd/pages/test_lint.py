"""What the linter finds in pages in Chromium, by its own script, and what it does not."""

import json
import re
import sys

import pytest

from engines import CHROMIUM, DEPARTURE, FIREFOX, expect, only
from footbridge_process import PROJECT, run, serve
from lint_census import EXPECTED, judge, read_expectations

CONSUMABLE = "com.product.example.consumable"

#: The beginning of every page of the site: `load` loads a product, `buy` buys it. Each page breaks a rule, or comes close.
HEAD = f"""
const product = {json.dumps(CONSUMABLE)};
const load = () => onside.loadProducts({{ productIdentifiers: [product] }});
const buy = () => onside.purchase({{ productIdentifier: product }});
const finish = (transactions) => transactions.forEach(({{ id, transactionState }}) => transactionState !== "purchasing" && onside.finishTransaction(id));
"""

ALL_CALLBACKS = """
onside.onTransactionsUpdated = finish;
for (const name of ["onTransactionsRemoved", "onStorefrontChanged", "onRestoreCompletedTransactionsFinished",
  "onRestoreCompletedTransactionsFailedWithError"]) onside[name] = () => {};
"""


@pytest.fixture(scope="module")
def server(catalog, tmp_path_factory):
    """Serves an empty page as the app, under an https origin, and approves all sheets."""
    root = tmp_path_factory.mktemp("lint")
    (root / "index.html").write_text(f"<!doctype html><html><head><title>Lint</title><script>{HEAD}</script></head><body><button>Restore</button></body></html>")
    (root / "api").mkdir()
    (root / "api" / "data.json").write_text("{}")
    (root / "footbridge.yaml").write_text("siteOrigin: https://today.example\ntoday: { trustedOrigins: ['https://today.example'], trustedPaths: ['/'] }\n")
    with serve("--root", root, "--catalog", catalog, "--present", "auto", "--config", root / "footbridge.yaml") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


@pytest.fixture
def app(server, control, new_context):
    """A page of a new session in which somebody is signed in, and the session."""
    session = control.session(account="built-in")
    context = new_context()
    control.enter(context, session)
    page = context.new_page()
    page.goto(server.url)
    return App(control, session, page)


class App:
    def __init__(self, control, session, page):
        self.control = control
        self.session = session
        self.page = page

    def run(self, script):
        self.page.evaluate(f"async () => {{ {script} }}")

    def wait_for(self, rule):
        """Waits for a finding, and returns its entry of the journal."""
        return self.wait(kind="lint", action=rule)

    def wait(self, **until):
        """Waits for an entry of the journal."""
        # The request itself may take 20 seconds.
        return self.control("POST", f"/sessions/{self.session['id']}/journal/wait", {"until": until, "timeout": 15_000})["entry"]

    def wait_until_watched(self):
        """Returns when the server has what the linter has reported so far."""
        # Its script has come with the shim, and the page's messages are in order.
        self.run("await onside.getCurrentStorefront()")

    def found(self):
        """The rules that have found something."""
        return sorted(self.control("POST", f"/sessions/{self.session['id']}/lint/conclude")["counts"])


@pytest.mark.parametrize(("rule", "script"), [
    ("L02", "await load(); await buy();"),
    ("L03", "onside.onTransactionUpdated = finish; await load();"),
    ("L07", "await onside.restoreCompletedTransactions();"),
    ("L09", "await load();"),
    ("L10", "await load(); onside.finishTransaction('nothing');"),
    ("L15", "onside.logout(); onside.onTransactionsUpdated = finish; onside.shouldContinueTransaction = () => {}; await load(); await buy();"),
    ("L16", "await load(); await buy(); setTimeout(() => { onside.onTransactionsUpdated = finish; }, 100);"),
    ("L19", "void webkit.messageHandlers.todayWebviewBridge;"),
])
def test_the_linter_script_reports_what_only_the_page_knows(app, rule, script):
    app.run(script)
    if rule == "L09":
        app.control("PATCH", f"/sessions/{app.session['id']}", {"storefront": "US"})
    assert app.wait_for(rule)["page"] == "page-1"


def test_a_rejection_that_the_page_catches_a_moment_later_is_not_reported(app):
    app.run("""
      onside.onTransactionsUpdated = finish;
      const next = (type) => new Promise((resolve) => addEventListener(type, resolve, { once: true }));
      const reported = next("unhandledrejection");
      const rejected = onside.finishTransaction("nothing");
      await reported;
      // In the task of the event itself, a handler would still be in time, and there would be no second event.
      await new Promise((resolve) => setTimeout(resolve));
      const handled = next("rejectionhandled");
      rejected.catch(() => {});
      await handled;
    """)
    app.wait_until_watched()
    assert app.found() == []


def test_a_rejection_whose_event_the_page_cancels_is_not_reported(app):
    app.run("""
      onside.onTransactionsUpdated = finish;
      const cancelled = new Promise((resolve) => addEventListener("unhandledrejection", (event) => {
        event.preventDefault();
        resolve();
      }));
      onside.finishTransaction("nothing");
      await cancelled;
      await new Promise((resolve) => setTimeout(resolve));
    """)
    app.wait_until_watched()
    assert app.found() == []


def test_a_restore_by_the_page_itself_is_reported_and_one_by_the_user_is_not(app, server):
    restore = "() => onside.restoreCompletedTransactions()"
    # A script of Playwright counts as the user's.
    app.page.add_init_script(f"addEventListener('load', () => {{ {ALL_CALLBACKS} if (location.hash) ({restore})(); }});")
    app.page.goto(server.url)
    app.page.eval_on_selector("button", f"button => button.addEventListener('click', {restore})")
    app.page.get_by_role("button").click()
    app.wait_until_watched()
    assert app.found() == []
    app.page.goto(f"{server.url}?again#restore")
    assert app.wait_for("L17")["data"]["severity"] == "information"


def test_a_page_that_does_everything_right_has_no_findings(app):
    app.run(ALL_CALLBACKS + """
      onside.shouldContinueTransaction = async () => true;
      void [webkit.messageHandlers.todayWebViewBridge, webkit.messageHandlers.gbgBridge, webkit.messageHandlers.ReactNativeWebView];
      await load();
      await buy();
      await onside.finishTransaction("nothing").catch(() => {});
      Promise.reject(new Error("the page's own"));
      Promise.reject({ unknownTransaction: 1, of: "the page's own" });
      Promise.reject("text");
    """)
    app.wait(kind="event", action="onside.onTransactionsRemoved")
    app.wait_until_watched()
    assert app.found() == []


#: What a page does with its token, where it is seen, and the rules that this breaks.
TOKEN_USES = {
    "await fetch('/api/data.json', { headers: { authorization } })": [],
    "await fetch(new Request('/api/data.json', { headers: { authorization } }))": [],
    "await fetch('/api/data.json?token=' + encodeURIComponent(token))": ["L22"],
    "await fetch('/api/data.json', { method: 'POST', body: JSON.stringify({ token }) })": ["L22"],
    "await fetch('http://localhost:1/x', { headers: { authorization } }).catch(() => {})": ["L22"],
    "await fetch('https://today.example/x', { headers: { authorization } }).catch(() => {})": [],
    "const x = new XMLHttpRequest(); x.open('POST', '/api/data.json'); x.setRequestHeader('Authorization', authorization); x.send(token)": ["L22"],
    "navigator.sendBeacon('/api/data.json', new URLSearchParams({ token }))": ["L22"],
    "new Image().src = '/api/data.json?' + token": ["L22"],
    "await fetch(new Request('/api/data.json', { method: 'POST', body: token }))": ["L22"],
    "await fetch(new Request(new Request('/api/data.json', { method: 'POST', body: token }), { headers: { 'x-a': 'b' } }))": ["L22"],
    "await fetch(new Request('/api/data.json', { method: 'POST', body: 'other', headers: { authorization } }))": [],
    "const form = new FormData(); form.set('token', token); await fetch('/api/data.json', { method: 'POST', body: form })": ["L22"],
    "const form = new FormData(); form.set('file', new Blob(['{', token])); await fetch('/api/data.json', { method: 'POST', body: form })": ["L22"],
    "const form = new FormData(); form.set('token', 'other'); await fetch('/api/data.json', { method: 'POST', body: form })": [],
    "await fetch('/api/data.json', { method: 'POST', body: new TextEncoder().encode(token) })": ["L22"],
    "navigator.sendBeacon('/api/data.json', new Blob([token]))": ["L22"],
    "navigator.sendBeacon('/api/data.json', new Blob(['other']))": [],
    "new WebSocket(`ws://${location.host}/api/socket?token=${token}`)": ["L22"],
    "new WebSocket(`ws://${location.host}/api/socket`)": [],
    "new EventSource('/api/data.json?token=' + token).close()": ["L22"],
    "open('/api/data.json?token=' + token).close()": ["L22"],
    "history.pushState({}, '', '/#' + token); history.back()": [],
}

#: How a page with a token leaves for another, and the rules that this breaks.
LEAVING = {
    "location = '/?other=1#' + token": [],
    "const link = document.createElement('a'); link.href = '/?' + token; document.body.append(link); link.click()": ["L22"],
    "leaveBy('get')": ["L22"],
    "leaveBy('post')": ["L22"],
    "window.token = 'other'; leaveBy('post')": [],
}


@pytest.mark.parametrize("use", TOKEN_USES)
def test_a_token_that_is_sent_elsewhere_is_reported(app, use):
    get_token(app)
    app.run(use)
    if TOKEN_USES[use]:
        entry = app.wait_for("L22")
        assert app.page.evaluate("token") not in json.dumps(entry)
    app.run("await call({ type: 'headers' })")
    assert app.found() == TOKEN_USES[use]


def test_the_linter_does_not_consume_headers_that_can_be_read_once(app):
    get_token(app)
    assert app.page.evaluate("new Request('/api/data.json', { headers: new Map([['x-a', 'b']]).entries() }).headers.get('x-a')") == "b"


@pytest.mark.parametrize("way", LEAVING)
def test_a_token_that_a_page_takes_along_in_a_navigation_is_reported(app, engine, way):
    check_leaving(app, engine, way, LEAVING[way])


@only(CHROMIUM, FIREFOX, because="no script can watch location")
def test_a_token_that_a_page_takes_along_in_its_location_is_reported(app, engine):
    check_leaving(app, engine, "location = '/?token=' + token", ["L22"])


def check_leaving(app, engine, way, rules):
    """Has a page with a token leave, and checks what the linter finds."""
    get_token(app)
    token = app.page.evaluate("token")
    with app.page.expect_navigation():
        app.page.evaluate("""way => {
          window.leaveBy = (method) => {
            const form = Object.assign(document.createElement("form"), { method, action: "/" });
            const field = Object.assign(document.createElement("input"), { name: "token", value: window.token });
            form.append(field);
            document.body.append(form);
            form.submit();
          };
          setTimeout(way);
        }""", way)
    if rules:
        assert token not in json.dumps(app.wait_for("L22"))
    app.wait(kind="page", action=DEPARTURE[engine], page="page-1")
    assert app.found() == rules


def get_token(app):
    """Has the page get a token, and waits until the linter watches where it goes."""
    app.run("""
      window.call = (message) => webkit.messageHandlers.todayWebViewBridge.postMessage(message);
      window.authorization = (await call({ type: "refreshToken" })).authorization;
      window.token = authorization.slice(7);
    """)
    app.wait_until_watched()
    # The script has run, too, once it has wrapped what it watches.
    app.page.wait_for_function("fetch.toString() !== 'function fetch() { [native code] }'")


def test_the_linter_script_comes_with_the_first_call_and_changes_nothing_that_the_page_can_see(server, new_context):
    look = """() => JSON.stringify([window.onside, window.webkit, webkit.messageHandlers, window].map((object) => [
      Object.getOwnPropertyNames(object).sort(), Object.getOwnPropertySymbols(object).map(String),
      object === window ? [] : Object.entries(Object.getOwnPropertyDescriptors(object)).map(([name, { writable, enumerable, configurable }]) =>
        [name, writable, enumerable, configurable])])
      .concat([fetch, open, Request, WebSocket, EventSource, XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send, navigator.sendBeacon]
        .map(({ name, length }) => [name, length]),
        [Request, WebSocket, EventSource].map((type) => [type.prototype.constructor === type, Object.getOwnPropertyNames(type), class extends type {}.name,
          Object.entries(Object.getOwnPropertyDescriptor(window, type.name)).filter(([name]) => name !== "value")]),
        [new Request("/a") instanceof Request, new (class Mine extends Request { own() { return 7; } })("/b").own(), WebSocket.OPEN],
        ["fetch", "open"].map((name) => { const { get, value, ...flags } =
          Object.getOwnPropertyDescriptor(name === "open" ? XMLHttpRequest.prototype : window, name); return flags; })))"""
    # A browser's own session: those that a program has made have the script from the start.
    page = new_context().new_page()
    page.goto(server.url)
    before = page.evaluate(look)
    page.evaluate("async () => { await load(); await webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'refreshToken' }); }")
    page.wait_for_function("performance.getEntriesByName(new URL('/__footbridge/lint.js', location).href).length")
    page.wait_for_function("fetch.toString() !== 'function fetch() { [native code] }'")
    assert page.evaluate(look) == before


@pytest.fixture
def visit(new_context):
    """Returns a page of a new session on a server, and the session."""

    def visit(server):
        control = server.control()
        session = control.session()
        context = new_context()
        control.enter(context, session)
        page = context.new_page()
        return App(control, session, page)

    return visit


def test_the_demo_breaks_no_rule(visit):
    with serve("--ephemeral", "--present", "auto", "--site-origin", "https://today.example") as server:
        app = visit(server)
        page = app.page
        page.goto(server.url)
        page.get_by_role("switch", name="Finish automatically").check()
        page.get_by_role("button", name="Buy 50 credits").click()
        removed = app.wait(kind="event", action="onside.onTransactionsRemoved")
        page.get_by_role("button", name="Restore purchases").click()
        expect(page.locator("#status")).to_contain_text("restored")
        page.goto(server.url + "/verify.html")
        page.get_by_role("button", name="Take the selfie").click()
        app.wait(kind="response", action="camera.selfie.capture")
        page.goto(server.url + "/today.html")
        for button in ("Ask for headers", "Refresh twice", "Establish the session", "Track"):
            page.get_by_role("button", name=button).click()
        app.wait(kind="event", action="today.message")
        assert removed["kind"] == "event" and app.found() == []


def test_the_example_breaks_no_rule(visit):
    example = PROJECT / "Examples" / "ci"
    with serve("--root", example / "site", "--catalog", example / "Products.storekit", "--ephemeral", "--present", "auto") as server:
        app = visit(server)
        app.page.goto(server.url)
        app.page.get_by_role("button", name="Buy coins").click()
        app.wait(kind="event", action="onside.onTransactionsRemoved")
        app.page.reload()
        app.page.get_by_role("button", name="Buy coins").click()
        expect(app.page.get_by_text("200 coins")).to_be_visible()
        assert app.found() == []


SCRIPT = """
import json, os, urllib.request
def call(method, path, body=None):
    request = urllib.request.Request(os.environ["FOOTBRIDGE_URL"] + "/__footbridge/api/v1" + path, method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + os.environ["FOOTBRIDGE_CONTROL_TOKEN"], "Content-Type": "application/json"})
    return json.loads(urllib.request.urlopen(request).read() or b"null")
from websockets.sync.client import connect
session = call("POST", "/sessions", {})
cookie = session["cookie"]
with connect(os.environ["FOOTBRIDGE_URL"].replace("http", "ws") + "/__footbridge/bridge?page=" + "a" * 32, subprotocols=["footbridge.v1"],
             additional_headers={"Cookie": cookie["name"] + "=" + cookie["value"]}) as socket:
    for number, (action, data) in enumerate([("footbridge.hello", {"url": "", "referrer": "", "received": 0, "topFrame": True}),
                                             ("onside.purchase", {"productIdentifier": "gone"})]):
        socket.send(json.dumps({"version": "1.0", "correlationId": f"footbridge-{number}", "type": "request", "timestamp": 1,
                                "payload": {"action": action, "data": data}}))
        while json.loads(socket.recv())["correlationId"] != f"footbridge-{number}": pass
%s
raise SystemExit(%d)
"""

EXPECT = 'call("POST", f"/sessions/{session[\'id\']}/lint/expected", {"rules": ["L04"]})'


@pytest.mark.parametrize(("options", "more", "code", "expected"), [
    ([], "", 0, 0), (["--strict"], "", 0, 1), (["--strict"], "", 3, 3), (["--strict"], EXPECT, 0, 0),
])
def test_exec_fails_for_errors_only_if_it_is_strict_and_no_test_expects_them(options, more, code, expected):
    result = run("exec", *options, "--", sys.executable, "-c", SCRIPT % (more, code), timeout=60)
    assert result.returncode == expected, result.stderr
    assert ("The linter has found 1 error in pages." in result.stderr) == (options != [] and not more)
    found = (r"footbridge: L04 error: purchase of gone, which .*\. \(#\d+ onside\.purchase, page-1\) purchase takes only products .* "
             r"\(JS bridge, purchase\) Call loadProducts first, .*\.\n")
    assert bool(re.search(found, result.stderr)) == (options != [] and not more), result.stderr


#: Opens the page, and ends as soon as the page has done what it does.
BRIEF_VISIT = """
import os
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
    page = browser.new_page()
    page.goto(os.environ["FOOTBRIDGE_URL"])
    page.wait_for_function("document.title === 'done'")
    browser.close()
"""


#: What a page does to break each rule whose findings are errors. Then its title is `done`.
BRIEF = {
    "L01": "onside.onTransactionsUpdated = ([{ transactionState }]) => { if (transactionState === 'purchased') done(); }; load().then(buy);",
    "L02": "load().then(buy).then(done);",
    "L03": "onside.onTransactionUpdated = () => {}; load().then(done);",
    "L04": "buy().catch(done);",
    "L06": "onside.onTransactionsUpdated = () => {}; load().then(buy).then(() => onside.finishTransaction(product)).catch(done);",
    "L10": "addEventListener('unhandledrejection', done); buy();",
    "L11": "onside.trackEvent({ name: 'onside_mine' }); load().then(done);",
    "L14": "onside.trackEvent({ name: 'mine', parameters: null }); load().then(done);",
    "L15": "onside.onTransactionsUpdated = finish; onside.shouldContinueTransaction = () => {}; onside.shouldContinueTransactionAfterLogin = () => {};"
           "load().then(buy).then(done);",
    "L18": "onside.onTransactionsUpdated = finish; load().then(() => onside.requestLogin()).then(buy).then(done);",
    "L19": "void webkit.messageHandlers.todayWebviewBridge; load().then(done);",
    "L22": "webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'refreshToken' }).then(({ authorization }) =>"
           "fetch('/?token=' + authorization.split(' ')[1])).then(load).then(done);",
    "L24": "webkit.messageHandlers.gbgBridge.postMessage({ version: '1.0', correlationId: 'a', type: 'request', timestamp: 1760000000,"
           "payload: { action: 'capability.query', data: {} } }); load().then(done);",
    "L27": "webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'track', event: 'mine' }).then(load).then(done);",
    "L26": "addEventListener('error', () => load().then(done)); navigator.vibrate(5);",
    "L28": "fetch('ipc://localhost/a').catch(load).then(done);",
}


def test_each_rule_about_errors_has_a_page_that_breaks_it(control):
    assert set(BRIEF) == {rule["id"] for rule in control("GET", "/lint")["rules"] if rule["severity"] == "error"}


@pytest.mark.parametrize("rule", BRIEF)
def test_a_strict_run_that_ends_at_once_fails_for_what_its_page_did(catalog, tmp_path, rule):
    script = f"{HEAD}const done = () => {{ document.title = 'done'; }}; {BRIEF[rule]}"
    (tmp_path / "index.html").write_text(f"<!doctype html><title>…</title><script>{script}</script>")
    (tmp_path / "footbridge.yaml").write_text("""
siteOrigin: https://today.example
onside: { accounts: [{ id: eva, email: eva@shop.example, country: DE }] }
like: ios-26
bridges: { app: { channels: { app: {} } } }
""")
    options = ["--strict", "--present", "auto", "--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--catalog", catalog, "--ephemeral"]
    result = run("exec", *options, "--", sys.executable, "-c", BRIEF_VISIT, timeout=120)
    assert result.returncode == 1, result.stderr
    assert f"footbridge: {rule} error:" in result.stderr


def test_unlisted_findings_are_named_once_and_unused_lines_are_found():
    expectations = read_expectations("# About the shop.\n\nL01  test_shop.py::*  it only records\nL04  test_shop.py::test_a[x*]  says its name\n")
    findings = [{"rule": rule, "test": test} for rule, test in [
        ("L01", "test_shop.py::test_b"), ("L04", "test_shop.py::test_b"), ("L04", "test_shop.py::test_b"), ("L01", "test_other.py::test_c"), ("L04", "test_shop.py::test_a")]]
    assert [(each["rule"], each["test"]) for each in judge(findings, expectations)] == [
        ("L01", "test_other.py::test_c"), ("L04", "test_shop.py::test_a"), ("L04", "test_shop.py::test_b")]
    assert [each.occurred for each in expectations] == [True, False]


def test_each_line_of_expected_findings_names_an_existing_test():
    for each in read_expectations(EXPECTED.read_text()):
        file, _, name = each.tests.partition("::")
        [path] = EXPECTED.parent.rglob(file)
        assert f"def {name.partition('*')[0].partition('[')[0]}" in path.read_text(), each
