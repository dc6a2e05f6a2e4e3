"""The adapters for the wires of other native bridges, in Chromium, with pages written from those wires."""

import pytest

from footbridge_process import serve


@pytest.fixture
def start(tmp_path):
    """Starts servers of one document whose bridge `acme` has the given section; other files stand beside footbridge.yaml."""
    servers = []

    def start(section, script, files=None, body=""):
        root = tmp_path / "site"
        root.mkdir()
        (root / "index.html").write_text(f"<!doctype html><title>App</title><script>{script}</script>{body}")
        for name, content in (files or {}).items():
            (tmp_path / name).write_text(content)
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"bridges:\n  acme:\n{section}")
        server = serve("--root", root, "--config", config, "--ephemeral")
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def test_capacitor(start, page):
    section = """
    preset: capacitor
    options: { plugins: { Device: [getInfo, { name: watch, rtype: callback }] } }
    answers:
      Device.getInfo: { reply: { model: "iPhone15,2", of: !from /options/of } }
      Device.fails: { error: No device }
      Device.watch: [{ reply: 1 }, { call: Capacitor.fromNative, args: [{ callbackId: !from /callbackId, success: true, save: true, data: 2 }] }]
      Echo.say: { reply: !from /actionArgs/0 }
      CapacitorCookies.get: { reply: a=b }
      CapacitorHttp: { reply: { on: true } }
    """
    script = """
    const waiting = {};
    window.started = [Capacitor.Plugins, Capacitor.PluginHeaders, typeof WEBVIEW_SERVER_URL];
    Capacitor.fromNative = (result) => waiting[result.callbackId].push(result);
    window.call = (message, count = 1) => new Promise((resolve) => {
      const callbackId = String(Object.keys(waiting).length + 1);
      const results = waiting[callbackId] = [];
      results.push = (result) => { if (Array.prototype.push.call(results, result) === count) resolve([...results]); };
      webkit.messageHandlers.bridge.postMessage({ ...message, callbackId });
    });
    """
    page.goto(start(section, script).url)
    assert page.evaluate("started") == [
        {"Device": {}},
        [{"name": "Device", "methods": [{"name": "getInfo", "rtype": "promise"}, {"name": "watch", "rtype": "callback"}]}],
        "string",
    ]
    call = "call({ type: 'message', pluginId: 'Device', methodName: '%s', options: { of: 7 } }, %d)"
    result = {"callbackId": "1", "pluginId": "Device", "methodName": "getInfo", "save": False}
    assert page.evaluate(call % ("getInfo", 1)) == [{**result, "success": True, "data": {"model": "iPhone15,2", "of": 7}}]
    failure = page.evaluate(call % ("fails", 1))[0]
    assert (failure["success"], failure["error"]["message"]) == (False, "No device")
    watched = page.evaluate(call % ("watch", 2))
    assert sorted(result["data"] for result in watched) == [1, 2]
    assert all(result["save"] for result in watched)
    cordova = "call({ type: 'cordova', service: 'Echo', action: 'say', actionArgs: ['hi'] })"
    assert page.evaluate(cordova)[0]["data"] == "hi"
    assert page.evaluate("prompt(JSON.stringify({ type: 'CapacitorCookies.get' }))") == "a=b"
    assert page.evaluate("prompt(JSON.stringify({ type: 'CapacitorHttp' }))") == '{"on":true}'


def test_cordova(start, page):
    section = "    preset: cordova\n    answers: { Echo.say: { reply: !from /args/0 }, Echo.fail: { error: Broken } }\n"
    script = """
    window.results = [];
    window.cordova = { require: () => ({ nativeCallback: (...list) => results.push(list) }) };
    window.exec = (message) => webkit.messageHandlers.cordova.postMessage(message);
    """
    page.goto(start(section, script).url)
    page.evaluate("exec(['INVALID', 'Echo', 'say', ['lost']]), exec(['E1', 'Echo', 'say', ['hi']]), exec(['E2', 'Echo', 'fail', []])")
    page.wait_for_function("results.length === 2")
    assert page.evaluate("results") == [["E1", 1, "hi", False, False], ["E2", 9, "Broken", False, False]]


def test_react_native(start, page):
    section = """
    preset: react-native
    name: [/type, text]
    options: { injectedObject: { user: eva } }
    answers: { login: { reply: { token: !from /id } }, history: { event: history }, text: { reply: !from "" } }
    """
    script = """
    window.heard = [];
    addEventListener("message", ({ data }) => heard.push(data));
    addEventListener("history", () => heard.push("history"));
    window.injected = ReactNativeWebView.injectedObjectJson();
    """
    page.goto(start(section, script).url)
    assert page.evaluate("injected") == '{"user":"eva"}'
    assert page.evaluate("ReactNativeWebView.postMessage(JSON.stringify({ type: 'login', id: 7 })) === undefined")
    page.wait_for_function("heard.length === 1")
    page.evaluate("ReactNativeWebView.postMessage('plain')")
    page.wait_for_function("heard.length === 2")
    page.evaluate("history.pushState(1, '', '/next')")
    page.wait_for_function("heard.length === 3")
    assert page.evaluate("heard") == ['{"token":7}', "plain", "history"]


def test_hotwire(start, page):
    section = """
    preset: hotwire
    userAgent: "Hotwire Native iOS; Turbo Native iOS; bridge-components: [form];"
    options: { components: [form] }
    answers: { form.connect: { reply: { title: !from /data/title } }, turbo.visitProposed: { call: turboNative.visit, args: [!from /data/location] } }
    """
    script = """
    window.log = [];
    window.nativeBridge = { register: (names) => log.push(names), replyWith: (message) => log.push(message) };
    window.turboNative = { visit: (url) => log.push(url) };
    webkit.messageHandlers.bridge.postMessage("ready");
    """
    page.goto(start(section, script).url)
    page.wait_for_function("log.length === 1")
    page.evaluate("webkit.messageHandlers.bridge.postMessage({ id: '1', component: 'form', event: 'connect', data: { title: 'Save' } })")
    page.wait_for_function("log.length === 2")
    page.evaluate("webkit.messageHandlers.turbo.postMessage({ name: 'visitProposed', data: { location: '/x' } })")
    page.wait_for_function("log.length === 3")
    assert page.evaluate("log") == [
        ["form"],
        {"id": "1", "component": "form", "event": "connect", "data": {"title": "Save"}},
        "/x",
    ]
    assert "bridge-components: [form];" in page.evaluate("navigator.userAgent")


def test_telegram(start, page):
    section = """
    preset: telegram
    launch: { hash: "tgWebAppVersion=7.0" }
    answers: { web_app_request_theme: { reply: { type: theme_changed, data: { dark: !from /dark } } } }
    """
    script = """
    window.log = [location.hash];
    window.Telegram = { WebView: { receiveEvent: (type, data) => log.push([type, data]) } };
    log.push(TelegramWebviewProxy.postEvent("web_app_request_theme", JSON.stringify({ dark: true })) === undefined);
    """
    page.goto(start(section, script).url)
    page.wait_for_function("log.length === 3")
    assert page.evaluate("log") == ["#tgWebAppVersion=7.0", True, ["theme_changed", {"dark": True}]]


def test_flutter(start, page):
    section = """
    preset: flutter
    options: { channels: [Toaster] }
    answers: { Toaster: { call: toasted, args: [!from ""] }, sum: { reply: !from /1 }, broken: { error: Broken } }
    """
    script = """
    window.log = [];
    window.toasted = (text) => log.push(text);
    addEventListener("flutterInAppWebViewPlatformReady", async () => {
      log.push(await flutter_inappwebview.callHandler("sum", 1, 2));
      log.push(await flutter_inappwebview.callHandler("broken").catch(String));
      Toaster.postMessage("hi");
    });
    """
    page.goto(start(section, script).url)
    page.wait_for_function("log.length === 3")
    assert page.evaluate("log") == [2, "Error: Broken", "hi"]


def test_duckduckgo(start, page):
    section = """
    preset: duckduckgo
    options: { context: specialPages }
    answers: { page.setup: { reply: { locale: en } }, page.fails: { error: No such method } }
    """
    script = """
    window.ask = (message) => webkit.messageHandlers.specialPages.postMessage({ context: "specialPages", featureName: "page", ...message });
    """
    page.goto(start(section, script).url)
    assert page.evaluate("ask({ method: 'setup', id: '1', params: {} }).then(JSON.parse)") == {
        "context": "specialPages",
        "featureName": "page",
        "id": "1",
        "result": {"locale": "en"},
    }
    assert page.evaluate("ask({ method: 'fails', id: '2' }).then(JSON.parse)")["error"] == {"message": "No such method"}
    assert page.evaluate("Object.keys(navigator)") == []


def test_dsbridge(start, page):
    section = """
    preset: dsbridge
    answers: { sync: { reply: { got: !from "" } }, async: { reply: later } }
    """
    script = """
    window.sync = (name, data) => JSON.parse(prompt("_dsbridge=" + name, JSON.stringify({ data }))).data;
    window.async = (name, data) => new Promise((resolve) => {
      window.dscb1 = (value) => setTimeout(() => resolve([value, typeof window.dscb1]));
      window.empty = prompt("_dsbridge=" + name, JSON.stringify({ data, _dscbstub: "dscb1" }));
    });
    """
    page.goto(start(section, script).url)
    assert page.evaluate("_dswk")
    assert page.evaluate("sync('sync', 7)") == {"got": 7}
    assert page.evaluate("async('async', 7)") == ["later", "undefined"]
    assert page.evaluate("empty") == "{}"


def test_wvjb(start, page):
    section = """
    preset: wvjb
    answers: { opened: { call: greet, args: [{ name: eva }] }, echo: { reply: !from /text } }
    """
    script = """
    window.log = [];
    function setup(callback) {
      if (window.WebViewJavascriptBridge) return callback(WebViewJavascriptBridge);
      if (window.WVJBCallbacks) return window.WVJBCallbacks.push(callback);
      window.WVJBCallbacks = [callback];
      const frame = document.createElement("iframe");
      frame.style.display = "none";
      frame.src = "https://__bridge_loaded__";
      document.documentElement.appendChild(frame);
      setTimeout(() => document.documentElement.removeChild(frame), 0);
    }
    setup((bridge) => {
      bridge.registerHandler("greet", (data, respond) => { log.push(data); respond("hello"); });
      bridge.callHandler("echo", { text: "one" }, (answer) => log.push(answer));
      bridge.callHandler("echo", { text: "two" }, (answer) => log.push(answer));
    });
    """
    page.goto(start(section, script).url)
    page.wait_for_function("log.length === 3")
    log = page.evaluate("log")
    assert {"name": "eva"} in log
    assert [entry for entry in log if isinstance(entry, str)] == ["one", "two"]


def test_an_adapter_of_ones_own(start, page):
    section = """
    adapter: acme.js
    answers: { login: { reply: { id: !from /id } }, theme: { reply: dark }, pay: { reply: paid } }
    """
    adapter = """
    native.object("AcmeHost", {
      theme: (scheme) => native.now("theme", { scheme }),
      login: (id) => native.send("login", { id }),
    });
    native.confirm((text) => text.startsWith("acme:"), (text) => text === "acme:yes");
    native.navigation(/^acme:/, ({ url, frame }) => native.send("pay", { url }).then((value) => log.push([url, frame, value])));
    """
    script = "window.log = []; window.theme = AcmeHost.theme('x');"
    page.goto(start(section, script, {"acme.js": adapter}).url)
    assert page.evaluate("theme") == "dark"
    assert page.evaluate("AcmeHost.login(7)") == {"id": 7}
    assert page.evaluate("[confirm('acme:yes'), confirm('acme:no')]") == [True, False]
    page.evaluate("location.href = 'acme:main'")
    page.wait_for_function("log.length === 1")
    page.evaluate("window.open('acme:open')")
    page.wait_for_function("log.length === 2")
    page.evaluate(
        """() => {
      const frame = document.createElement("iframe");
      document.body.append(frame);
      frame.src = "acme:frame";
      frame.src = "acme:frame";
    }"""
    )
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == [
        ["acme:main", False, "paid"],
        ["acme:open", False, "paid"],
        ["acme:frame", True, "paid"],
        ["acme:frame", True, "paid"],
    ]
    assert page.evaluate("typeof document[Symbol.for('footbridge')].adapters.acme") == "undefined"


def test_an_adapters_mistake_takes_no_other_bridge_along(start, page):
    section = """
    adapter: acme.js
    channels: { acme: { reply: true } }
    answers: { message: { reply: in } }
"""
    server = start(section + "  other: { channels: { other: { reply: true } }, answers: { message: { reply: out } } }\n", "", {"acme.js": "this is none"})
    page.goto(server.url)
    assert page.evaluate("webkit.messageHandlers.other.postMessage(1)") == "out"
    assert page.evaluate("webkit.messageHandlers.acme.postMessage(1)") == "in"
