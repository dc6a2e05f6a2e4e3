"""Native code acts on a page in a task of its own, as in WebKit: the parser, the page's microtasks and its timers run in between."""

import json
import sys

import pytest

from footbridge_process import serve

#: Notes what native does, and the microtask that the page then queues.
NOTE = """
  window.log = [];
  window.note = (what) => {
    log.push(what);
    Promise.resolve().then(() => {}).then(() => log.push(`microtask of ${what}`));
  };
  /** The page signals native. It notes what comes first. */
  window.signal = (run) => {
    run();
    Promise.resolve().then(() => {}).then(() => log.push("microtask"));
    setTimeout(() => log.push("timer"));
  };
  window.isParsed = () => document.getElementById("later") !== null;
"""

#: Pages that signal in an inline script and hear native: the preset's section and the script.
SIGNALS = {
    "wvjb ios": ("preset: wvjb", """
      WVJBCallbacks = [() => note(isParsed())];
      const frame = document.createElement("iframe");
      frame.src = "https://__bridge_loaded__";
      signal(() => document.documentElement.appendChild(frame));
    """),
    "wvjb lision": ("preset: wvjb, options: { variant: lision }", """
      WKWVJBCallbacks = [() => note(isParsed())];
      signal(() => webkit.messageHandlers.iOS_Native_InjectJavascript.postMessage(null));
    """),
    "wvjb android": ("preset: wvjb, options: { variant: android }", """
      document.addEventListener("WebViewJavascriptBridgeReady", () => note(isParsed()));
      document.addEventListener("DOMContentLoaded", () => signal(() => {}));
    """),
    "hotwire": ("preset: hotwire, options: { components: [form] }", """
      nativeBridge = { register: () => note(isParsed()) };
      signal(() => webkit.messageHandlers.bridge.postMessage("ready"));
    """),
    "flutter": ("preset: flutter", """
      addEventListener("flutterInAppWebViewPlatformReady", () => note(isParsed()));
      document.addEventListener("DOMContentLoaded", () => signal(() => {}));
    """),
}

#: Pages that hear two messages of native in turn: the preset's section, the script, and the calls.
PAIRS = {
    "call": ("channels: { acme: {} }", "", [{"call": "note", "args": ["1"]}, {"call": "note", "args": ["2"]}]),
    "event": (
        "channels: { acme: {} }", "addEventListener('said', ({ detail }) => note(detail));",
        [{"event": "said", "detail": "1"}, {"event": "said", "detail": "2"}],
    ),
    "evaluate": (f"channels: {{ acme: {{}} }}, handler: {{ run: [{sys.executable}, acme.py] }}", "", ()),
    "capacitor": (
        "preset: capacitor, options: { plugins: { App: [addListener] } }",
        """
          Capacitor.fromNative = ({ callbackId }) => note(callbackId);
          for (const callbackId of ["1", "2"]) webkit.messageHandlers.bridge.postMessage(
            { callbackId, pluginId: "App", methodName: "addListener", options: { eventName: "pause" } });
        """,
        [{"call": "App.pause", "args": [{}]}],
    ),
    "cordova": (
        "preset: cordova",
        "window.cordova = { require: () => ({ nativeCallback: (id) => note(id) }) };",
        [{"call": "nativeCallback", "args": [id, 1, "", False, True]} for id in ("1", "2")],
    ),
    "react-native": (
        "preset: react-native", "addEventListener('message', ({ data }) => note(data));",
        [{"call": "postMessage", "args": ["1"]}, {"call": "postMessage", "args": ["2"]}],
    ),
    "hotwire": (
        "preset: hotwire", "window.nativeBridge = { replyWith: ({ id }) => note(id) };",
        [{"call": "nativeBridge.replyWith", "args": [{"id": id}]} for id in ("1", "2")],
    ),
    "wvjb": (
        "preset: wvjb",
        """
          WVJBCallbacks = [(bridge) => bridge.registerHandler("say", note)];
          document.documentElement.append(Object.assign(document.createElement("iframe"), { src: "https://__bridge_loaded__" }));
        """,
        [{"call": "say", "args": ["1"]}, {"call": "say", "args": ["2"]}],
    ),
    "dsbridge": (
        "preset: dsbridge", "window._handleMessageFromNative = ({ data }) => note(JSON.parse(data)[0]);",
        [{"call": "say", "args": ["1"]}, {"call": "say", "args": ["2"]}],
    ),
    "telegram": (
        "preset: telegram", "window.Telegram = { WebView: { receiveEvent: (name) => note(name) } };",
        [{"call": "1", "args": [{}]}, {"call": "2", "args": [{}]}],
    ),
    "flutter": (
        "preset: flutter", "addEventListener('said', ({ detail }) => note(detail));",
        [{"event": "said", "detail": "1"}, {"event": "said", "detail": "2"}],
    ),
    "duckduckgo": (
        "preset: duckduckgo",
        "Object.defineProperty(navigator.duckduckgo.messageHandlers, 'say', { value: ({ params }) => note(params) });",
        [{"call": "say", "args": ["page", "1"]}, {"call": "say", "args": ["page", "2"]}],
    ),
}

#: A program that has each page that opens run two scripts.
HANDLER = """
import json, sys

for line in sys.stdin:
    message = json.loads(line)
    if message.get("state") == "opened":
        for number in (1, 2):
            print(json.dumps({"session": message["session"], "page": message["page"], "evaluate": f"note('{number}')"}), flush=True)
"""

IN_TURN = ["1", "microtask of 1", "2", "microtask of 2"]


@pytest.fixture
def start(tmp_path, catalog):
    """Starts servers of one document whose bridge `acme` has the section."""
    servers = []

    def start(section, script, opened=(), more=""):
        root = tmp_path / "site"
        root.mkdir()
        (root / "index.html").write_text(
            f"<!doctype html><title>App</title><body><script>{NOTE}\n{script}</script><div id=later></div>{more}")
        (tmp_path / "acme.py").write_text(HANDLER)
        config = tmp_path / "footbridge.yaml"
        answers = f", answers: {{ opened: {json.dumps(opened)} }}" if opened else ""
        config.write_text(f"bridges: {{ acme: {{ {section}{answers} }} }}\n")
        servers.append(serve("--root", root, "--config", config, "--catalog", catalog, "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.mark.parametrize("name", SIGNALS)
def test_native_acts_after_the_parser_the_microtasks_and_the_timers_of_the_page(start, page, name):
    page.goto(start(*SIGNALS[name]).url)
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == ["microtask", "timer", True, "microtask of true"]


@pytest.mark.parametrize("name", PAIRS)
def test_the_microtasks_of_a_page_run_between_two_messages_of_native(start, page, name):
    page.goto(start(*PAIRS[name]).url)
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == IN_TURN


@pytest.mark.parametrize(("host", "script"), [
    ("onside", "onside.onStorefrontChanged = (value) => note(value ? '1' : '2');"),
    ("gbg", "addEventListener('gbgbridge:message', ({ detail }) => note(detail.payload.action));"),
], ids=["onside", "gbg"])
def test_the_microtasks_of_a_page_run_between_two_callbacks_that_waited_for_it(start, page, host, script):
    """The page listens late: it is complete when its image has loaded."""
    late = "" if host == "gbg" else script
    server = start("channels: { acme: {} }", "" if late else script, more=f'<img src="/late.png"><script>addEventListener("load", () => {{ {late} }})</script>')
    images = []
    page.route("**/late.png", lambda route: images.append(route))
    page.goto(server.url, wait_until="commit")
    page.wait_for_function("document.readyState === 'interactive'")
    page.evaluate("onside.getTransactions()")
    api = server.control()
    [session] = api("GET", "/sessions")["sessions"]
    path = f"/sessions/{session['id']}"
    if host == "onside":
        for account in ("built-in", None):
            api("PATCH", path, {"account": account})
    else:
        [shown] = api("GET", path + "/pages")["pages"]
        for action in ("1", "2"):
            api("POST", f"{path}/pages/{shown['id']}/events", {"action": action})
    page.evaluate("onside.getTransactions()")
    assert page.evaluate("log") == []
    images[0].fulfill(status=404)
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == IN_TURN


def test_an_answer_overtakes_no_event_that_waits_for_the_page(start, page):
    script = "addEventListener('gbgbridge:message', ({ detail }) => note(detail.payload.action));"
    server = start("channels: { acme: {} }", script, more='<img src="/late.png">')
    page.route("**/late.png", lambda route: None)
    page.goto(server.url, wait_until="commit")
    page.wait_for_function("document.readyState === 'interactive'")
    page.evaluate("onside.getTransactions()")
    api = server.control()
    [session] = api("GET", "/sessions")["sessions"]
    path = f"/sessions/{session['id']}/pages"
    [shown] = api("GET", path)["pages"]
    api("POST", f"{path}/{shown['id']}/events", {"action": "told.first"})
    page.evaluate("onside.getTransactions()")
    assert page.evaluate("log") == []
    page.evaluate("""webkit.messageHandlers.gbgBridge.postMessage({
      version: "1.0", correlationId: "1", type: "request", timestamp: Date.now(), payload: { action: "capability.query" } })""")
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == [
        "told.first", "microtask of told.first", "capability.query", "microtask of capability.query"]
