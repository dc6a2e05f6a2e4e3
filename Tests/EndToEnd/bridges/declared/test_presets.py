"""The adapters for the wires of other native bridges, in Chromium: pages written from those wires, answered by footbridge.yaml and by a program."""

import json
import sys

import pytest

from footbridge_process import serve

#: The program: the answers are functions of the body. They can call the page before they answer.
HANDLER = """
import json, sys

class Refused(Exception):
    pass

def say(**members):
    print(json.dumps(members), flush=True)

def call(path, *args):
    say(**place, call=path, args=args)

def event(name, detail=None):
    say(**place, event=name, detail=detail)

ANSWERS = {}

def on(name):
    return lambda answer: ANSWERS.update({name: answer})

%s

for line in sys.stdin:
    message = json.loads(line)
    place = {"session": message["session"], "page": message["page"]}
    answer = ANSWERS.get(message.get("name") or message["state"])
    members = {}
    try:
        reply = answer(message.get("body")) if answer else None
        if reply is not None:
            members["reply"] = reply
    except Refused as error:
        members = {"error": error.args[0]}
    if "message" in message:
        say(message=message["message"], **members)
"""


@pytest.fixture(params=["answers", "handler"])
def host(request):
    """Who answers: the file, or a program."""
    return request.param


@pytest.fixture
def start(tmp_path, host):
    """Starts servers of one document whose bridge `acme` has the section. The file has the answers, or the handler's functions stand in a program."""
    servers = []

    def start(section, script, answers, handler, body="", files=None):
        root = tmp_path / "site"
        root.mkdir()
        (root / "index.html").write_text(f"<!doctype html><title>App</title><script>{script}</script>{body}")
        for name, content in {"acme.py": HANDLER % handler, **(files or {})}.items():
            (tmp_path / name).write_text(content)
        by = f"    handler: {{ run: [{sys.executable}, acme.py] }}\n" if host == "handler" else f"    answers:\n{answers}\n"
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"bridges:\n  acme:\n{section}\n{by}")
        servers.append(serve("--root", root, "--config", config, "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


CAPACITOR_PAGE = """
const waiting = {};
window.started = [Object.keys(Capacitor.Plugins), Capacitor.PluginHeaders, typeof WEBVIEW_SERVER_URL];
window.log = [];
Capacitor.fromNative = (result) => waiting[result.callbackId](result);
Capacitor.triggerEvent = (name, target, data) => log.push([name, target, data]);
Capacitor.nativePromise = (pluginId, methodName, options) => call({ type: "message", pluginId, methodName, options }).then(({ data }) => data);
window.count = 0;
window.post = (message, take) => {
  const callbackId = String(++count);
  waiting[callbackId] = take;
  webkit.messageHandlers.bridge.postMessage({ ...message, callbackId });
  return callbackId;
};
window.call = (message) => new Promise((resolve) => post(message, resolve));
window.device = (methodName, options = {}) => call({ type: "message", pluginId: "Device", methodName, options });
"""


@pytest.mark.parametrize("headers", ["options", "answers"])
def test_the_capacitor_preset_answers_a_page(start, page, headers):
    plugins = "{ Device: [getInfo, fails, { name: watch, rtype: callback }], App: { addListener: callback } }"
    options = f"    options: {{ plugins: {plugins} }}" if headers == "options" else ""
    answers = """
      PluginHeaders: { reply: %s }
      Device.getInfo: { reply: { model: "iPhone15,2", of: !from /options/of } }
      Device.fails: { error: No device }
      Device.refuses: { error: { code: NO_DEVICE, message: No device, data: { at: 1 } } }
      Device.watch: [{ reply: 1 }, { call: Capacitor.fromNative, args: [{ callbackId: !from /callbackId, success: true, save: true, data: 2 }] }]
      App.addListener: [{ event: ignored }, { call: App.appStateChange, args: [{ isActive: false }] }]
      App.exit: { call: Capacitor.triggerEvent, args: [pause, document, { at: 1 }] }
      Echo.say: { reply: !from /actionArgs/0 }
      CapacitorCookies.get: { reply: a=b }
      CapacitorHttp: { reply: { on: true } }
      js.error: { event: seen }
    """ % plugins
    handler = """
on("PluginHeaders")(lambda body: {"Device": ["getInfo", "fails", {"name": "watch", "rtype": "callback"}], "App": {"addListener": "callback"}})
on("Device.getInfo")(lambda body: {"model": "iPhone15,2", "of": body["options"]["of"]})
@on("Device.fails")
def fails(body):
    raise Refused("No device")
@on("Device.refuses")
def refuses(body):
    raise Refused({"code": "NO_DEVICE", "message": "No device", "data": {"at": 1}})
@on("Device.watch")
def watch(body):
    call("Capacitor.fromNative", {"callbackId": body["callbackId"], "success": True, "save": True, "data": 1})
    return 2
@on("App.addListener")
def listen(body):
    call("App.appStateChange", {"isActive": False})
on("App.exit")(lambda body: call("Capacitor.triggerEvent", "pause", "document", {"at": 1}))
on("Echo.say")(lambda body: body["actionArgs"][0])
on("CapacitorCookies.get")(lambda body: "a=b")
on("CapacitorHttp")(lambda body: {"on": True})
on("js.error")(lambda body: event("seen"))
"""
    page.goto(start(f"    preset: capacitor\n{options}", CAPACITOR_PAGE, answers, handler).url)
    of_native = [
        {"name": "addListener"}, {"name": "removeListener"},
        *({"name": name, "rtype": "promise"} for name in ("removeAllListeners", "checkPermissions", "requestPermissions")),
    ]
    of_device = [{"name": "getInfo", "rtype": "promise"}, {"name": "fails", "rtype": "promise"}, {"name": "watch", "rtype": "callback"}]
    assert page.evaluate("started") == [
        ["App", "Device"],
        [
            {"name": "App", "methods": [*of_native[1:], {"name": "addListener", "rtype": "callback"}]},
            {"name": "Device", "methods": [*of_native, *of_device]},
        ],
        "string",
    ]
    result = {"callbackId": "1", "pluginId": "Device", "methodName": "getInfo", "success": True, "save": False}
    assert page.evaluate("device('getInfo', { of: 7 })") == {**result, "data": {"model": "iPhone15,2", "of": 7}}
    assert page.evaluate("Capacitor.Plugins.Device.getInfo({ of: 8 })") == {"model": "iPhone15,2", "of": 8}
    text = {"message": "No device", "errorMessage": "No device"}
    failed = {"pluginId": "Device", "success": False}
    assert page.evaluate("device('fails')") == {**failed, "callbackId": "3", "methodName": "fails", "error": text}
    refusal = {**text, "code": "NO_DEVICE", "data": {"at": 1}}
    assert page.evaluate("device('refuses')") == {**failed, "callbackId": "4", "methodName": "refuses", "error": refusal}
    watched = page.evaluate("""new Promise((resolve) => {
      const results = [];
      post({ type: "message", pluginId: "Device", methodName: "watch", options: {} }, (result) => results.push(result) === 2 && resolve(results));
    })""")
    assert sorted(result["data"] for result in watched) == [1, 2]
    assert all(result["save"] for result in watched)
    heard = page.evaluate("call({ type: 'message', pluginId: 'App', methodName: 'addListener', options: { eventName: 'appStateChange' } })")
    assert (heard["data"], heard["save"]) == ({"isActive": False}, True)
    page.evaluate("void device('x', post({ type: 'message', pluginId: 'App', methodName: 'exit' }, () => {}))")
    page.wait_for_function("log.length")
    assert page.evaluate("log") == [["pause", "document", {"at": 1}]]
    assert page.evaluate("call({ type: 'cordova', service: 'Echo', action: 'say', actionArgs: ['hi'] })")["data"] == "hi"
    assert page.evaluate("prompt(JSON.stringify({ type: 'CapacitorCookies.get' }))") == "a=b"
    assert page.evaluate("prompt(JSON.stringify({ type: 'CapacitorHttp' }))") == '{"on":true}'
    page.evaluate("void (window.seen = new Promise((resolve) => addEventListener('seen', () => resolve(true))))")
    page.evaluate("void webkit.messageHandlers.bridge.postMessage({ type: 'js.error', error: { message: 'x' } })")
    assert page.evaluate("seen")


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_capacitor_preset_gives_each_plugin_the_functions_of_native(start, page):
    script = """
    window.log = [];
    for (const name of ["addListener", "nativePromise", "nativeCallback"]) Capacitor[name] = (...list) => log.push([name, ...list]);
    const { App } = Capacitor.Plugins;
    App.addListener("pause", 1);
    App.removeAllListeners();
    App.getInfo({ a: 1 });
    App.exit({ b: 1 }, 2);
    App.watch({ c: 1 }, 3);
    log.push(Object.keys(App));
    """
    section = "    preset: capacitor\n    options: { plugins: { App: [getInfo, { name: exit }, { name: watch, rtype: callback }] } }"
    page.goto(start(section, script, "      {}", "").url)
    assert page.evaluate("log.map((entry) => entry.map((part) => part ?? null))") == [
        ["addListener", "App", "pause", 1], ["nativePromise", "App", "removeAllListeners"], ["nativePromise", "App", "getInfo", {"a": 1}],
        ["nativeCallback", "App", "exit", {"b": 1}, None], ["nativeCallback", "App", "watch", {"c": 1}, 3],
        ["addListener", "removeAllListeners", "getInfo", "exit", "watch"],
    ]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_capacitor_preset_answers_cordova_plugins_by_cordovas_own_script(start, page):
    script = """
    window.log = [];
    window.cordova = { require: (name) => name === "cordova/exec" && { nativeCallback: (...list) => log.push(list) } };
    window.exec = (callbackId, action) => void webkit.messageHandlers.bridge.postMessage(
      { type: "cordova", callbackId, service: "Echo", action, actionArgs: ["hi"] });
    """
    page.goto(start("    preset: capacitor", script, "      Echo.say: { reply: !from /actionArgs/0 }\n      Echo.fail: { error: Broken }", "").url)
    page.evaluate("exec('INVALID', 'say'), exec('E1', 'say')")
    page.wait_for_function("log.length === 1")
    page.evaluate("exec('E2', 'fail')")
    page.wait_for_function("log.length === 2")
    assert page.evaluate("log") == [["E1", 1, "hi", 0, 0], ["E2", 9, "Broken", 0, 0]]


@pytest.mark.parametrize("evaluates", [False, True])
def test_the_cordova_preset_answers_a_page(start, page, evaluates):
    answers = """
      Echo.say: { reply: !from /args/0 }
      Echo.fail: { error: Broken }
      Echo.number: { error: 3 }
      Echo.object: { error: { code: 1 } }
      Battery.start: [{ event: ignored }, { call: nativeCallback, args: [!from /callbackId, 1, { level: 50 }, true, false] }]
    """
    handler = """
on("Echo.say")(lambda body: body["args"][0])
@on("Echo.fail")
def fail(body):
    raise Refused("Broken")
@on("Echo.number")
def number(body):
    raise Refused(3)
@on("Echo.object")
def refuse(body):
    raise Refused({"code": 1})
on("Battery.start")(lambda body: call("nativeCallback", body["callbackId"], 1, {"level": 50}, True, False))
"""
    script = """
    window.results = [];
    window.evaluations = 0;
    const native = { nativeCallback: (...list) => { results.push(list); } };
    if (%s) native.nativeEvalAndFetch = (run) => { evaluations++; run(); };
    window.cordova = { require: (name) => name === "cordova/exec" ? native : undefined };
    window.exec = (message) => webkit.messageHandlers.cordova.postMessage(message);
    """ % str(evaluates).lower()
    page.goto(start("    preset: cordova", script, answers, handler).url)
    page.evaluate("exec(['INVALID', 'Echo', 'say', ['lost']]), exec(['E1', 'Echo', 'say', ['hi']]), exec(['E2', 'Echo', 'fail', []])")
    page.wait_for_function("results.length === 2")
    page.evaluate("exec(['B1', 'Battery', 'start', []])")
    page.wait_for_function("results.length === 3")
    assert page.evaluate("results") == [
        ["E1", 1, "hi", False, False], ["E2", 9, "Broken", False, False], ["B1", 1, {"level": 50}, True, False],
    ]
    assert page.evaluate("evaluations") == (3 if evaluates else 0)
    page.evaluate("exec(['E3', 'Echo', 'number', []]), exec(['E4', 'Echo', 'object', []])")
    page.wait_for_function("results.length === 5")
    assert page.evaluate("results.slice(3)") == [["E3", 9, 3, False, False], ["E4", 9, {"code": 1}, False, False]]


def test_the_react_native_preset_answers_a_page(start, page):
    section = """
    preset: react-native
    name: [/type, text]
    options: { injectedObject: { user: eva } }
    userAgent: "ShopApp/3 ReactNative"
    """
    answers = """
      login: { reply: { token: !from /id } }
      history: { event: history }
      text: { reply: !from "" }
      opened: { call: postMessage, args: [{ type: hello }] }
    """
    handler = """
on("login")(lambda body: {"token": body["id"]})
on("history")(lambda body: event("history"))
on("text")(lambda body: body)
on("opened")(lambda body: call("postMessage", {"type": "hello"}))
"""
    script = """
    window.heard = [];
    addEventListener("message", ({ data }) => heard.push(data));
    addEventListener("history", () => heard.push("history"));
    window.injected = ReactNativeWebView.injectedObjectJson();
    """
    page.goto(start(section, script, answers, handler).url)
    assert page.evaluate("injected") == '{"user":"eva"}'
    page.wait_for_function("heard.length === 1")
    assert page.evaluate("ReactNativeWebView.postMessage(JSON.stringify({ type: 'login', id: 7 })) === undefined")
    page.wait_for_function("heard.length === 2")
    page.evaluate("ReactNativeWebView.postMessage('plain')")
    page.wait_for_function("heard.length === 3")
    page.evaluate("history.pushState(1, '', '/next')")
    page.wait_for_function("heard.length === 4")
    assert page.evaluate("heard") == ['{"type":"hello"}', '{"token":7}', "plain", "history"]
    assert page.evaluate("navigator.userAgent").endswith(" ShopApp/3 ReactNative")
    page.evaluate("ReactNativeWebView.postMessage(Symbol('s'))")
    page.wait_for_function("heard.length === 5")
    assert page.evaluate("heard[4]") == "Symbol(s)"


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_react_native_preset_tells_of_history_as_its_vendor_does(start, page):
    script = """
    window.heard = [];
    addEventListener("history", ({ detail }) => heard.push(detail));
    """
    page.goto(start("    preset: react-native", script, '      history: { event: history, detail: !from "" }', "").url)
    page.evaluate("history.pushState(1, '', '/next'), history.replaceState(2, '', '/last')")
    page.wait_for_function("heard.length === 2")
    page.evaluate("history.back()")
    page.wait_for_function("heard.length === 3")
    assert page.evaluate("heard") == ["other", "other", "backforward"]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_react_native_preset_has_an_injected_object_only_if_the_options_have_one(start, page):
    page.goto(start("    preset: react-native", "", "      {}", "").url)
    assert page.evaluate("Object.keys(ReactNativeWebView)") == ["postMessage"]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
@pytest.mark.parametrize("way", ["sessionStorage.opened = open('/?next')", "document.querySelector('a').click()"])
def test_the_react_native_preset_opens_windows_in_place(start, page, way):
    page.goto(start("    preset: react-native", "", "      {}", "", body='<a href="/?next" target="_blank" rel="noopener">Next</a>').url)
    page.evaluate(f"void ({way})")
    page.wait_for_url("**/?next")
    assert len(page.context.pages) == 1
    assert page.evaluate("sessionStorage.opened") == ("null" if "open(" in way else None)


def test_the_hotwire_preset_answers_a_page(start, page):
    section = """
    preset: hotwire
    userAgent: "Hotwire Native iOS; Turbo Native iOS; bridge-components: [form];"
    options: { components: [form] }
    """
    answers = """
      form.connect: { reply: { title: !from /data/title } }
      turbo.visitProposed: { call: turboNative.visitLocationWithOptionsAndRestorationIdentifier, args: [!from /data/location] }
      form.disconnect: { call: nativeBridge.unregister, args: [form] }
    """
    handler = """
on("form.connect")(lambda body: {"title": body["data"]["title"]})
on("turbo.visitProposed")(lambda body: call("turboNative.visitLocationWithOptionsAndRestorationIdentifier", body["data"]["location"]))
on("form.disconnect")(lambda body: call("nativeBridge.unregister", "form"))
"""
    # On a device the script goes on before native has heard of it.
    script = """
    window.log = [];
    webkit.messageHandlers.bridge.postMessage("ready");
    window.nativeBridge = {
      register: (names) => log.push(names), unregister: (name) => log.push(`-${name}`),
      replyWith: (message) => { if (message.event === "connect") log.push(message); },
    };
    window.turboNative = { visitLocationWithOptionsAndRestorationIdentifier: (url) => log.push(url) };
    window.say = (event, data) => webkit.messageHandlers.bridge.postMessage({ id: "1", component: "form", event, data });
    """
    page.goto(start(section, script, answers, handler).url)
    page.wait_for_function("log.length === 1")
    page.evaluate("say('connect', { title: 'Save', metadata: { url: '/' } })")
    page.wait_for_function("log.length === 2")
    page.evaluate("webkit.messageHandlers.turbo.postMessage({ name: 'visitProposed', data: { location: '/x' } })")
    page.wait_for_function("log.length === 3")
    page.evaluate("say('disconnect', {})")
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == [
        ["form"], {"id": "1", "component": "form", "event": "connect", "data": {"title": "Save"}}, "/x", "-form",
    ]
    assert "bridge-components: [form];" in page.evaluate("navigator.userAgent")


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_hotwire_preset_warns_of_what_native_ignores(start, page):
    script = """
    window.log = [];
    window.nativeBridge = { replyWith: ({ data }) => log.push(data) };
    window.say = (event, url) => webkit.messageHandlers.bridge.postMessage({ id: "1", component: "form", event, data: { metadata: { url } } });
    """
    answers = "      form.connect: { reply: { title: Save } }\n      form.text: { reply: Save }"
    page.goto(start("    preset: hotwire", script, answers, "").url)
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.evaluate("say('connect', location.href)")
    page.wait_for_function("log.length === 1")
    assert warnings == []
    page.evaluate("say('connect', '/')")
    page.wait_for_function("log.length === 2")
    page.evaluate("say('text', location.href)")
    page.wait_for_function("log.length === 3")
    assert page.evaluate("log") == [{"title": "Save"}, {"title": "Save"}, {}]
    assert [warning.split(":")[0] for warning in warnings] == ["form.connect", "form.text"]


TELEGRAM_ANSWERS = """
      web_app_request_theme: { reply: { type: theme_changed, data: { dark: !from /dark } } }
      web_app_ready: [{ event: ignored }, { call: viewport_changed, args: [{ height: 600 }] }]
"""
TELEGRAM_HANDLER = """
on("web_app_request_theme")(lambda body: {"type": "theme_changed", "data": {"dark": body["dark"]}})
on("web_app_ready")(lambda body: call("viewport_changed", {"height": 600}))
"""


def test_the_telegram_preset_answers_a_page(start, page):
    section = "    preset: telegram\n    launch: { hash: tgWebAppVersion=7.0&tgWebAppPlatform=ios }"
    script = """
    window.log = [location.hash];
    window.Telegram = { WebView: { receiveEvent: (type, data) => log.push([type, data]) } };
    log.push(TelegramWebviewProxy.postEvent("web_app_request_theme", JSON.stringify({ dark: true })) === undefined);
    """
    page.goto(start(section, script, TELEGRAM_ANSWERS, TELEGRAM_HANDLER).url)
    page.wait_for_function("log.length === 3")
    page.evaluate("TelegramWebviewProxy.postEvent('web_app_ready')")
    page.wait_for_function("log.length === 4")
    assert page.evaluate("log") == [
        "#tgWebAppVersion=7.0&tgWebAppPlatform=ios", True, ["theme_changed", {"dark": True}], ["viewport_changed", {"height": 600}],
    ]


#: The arguments of `postEvent`, and the data that native gets.
EVENTS = [
    ("'ask', '{\"a\":1}'", {"a": 1}),
    ("'ask', '\"\"'", None),
    ("'ask', '{broken'", None),
    ("'ask', { a: 1 }", None),
    ("'ask'", None),
]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
@pytest.mark.parametrize(("event", "data"), EVENTS)
def test_the_telegram_preset_takes_the_json_of_an_object_as_data(start, page, event, data):
    script = "window.TelegramGameProxy = { receiveEvent: (...list) => { window.heard = list; } };"
    answers = "      ask: { reply: { type: answered, data: !from \"\" } }"
    page.goto(start("    preset: telegram", script, answers, "").url)
    page.evaluate(f"TelegramWebviewProxy.postEvent({event})")
    page.wait_for_function("window.heard")
    assert page.evaluate("heard") == ["answered", data]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_telegram_preset_has_the_message_handler_of_its_vendor(start, page):
    script = "window.TelegramGameProxy = { receiveEvent: (...list) => { window.heard = list; } };"
    page.goto(start("    preset: telegram", script, "      ask: { reply: { type: answered } }", "").url)
    page.evaluate("void webkit.messageHandlers.performAction.postMessage({ eventName: 'ask', eventData: '{}' })")
    page.wait_for_function("window.heard")
    assert page.evaluate("heard") == ["answered", None]


def test_the_telegram_preset_answers_a_page_in_a_frame(start, page):
    frame = """<!doctype html><title>Mini App</title><script>
    window.log = [];
    addEventListener("message", ({ data, source }) => { if (source === parent) log.push(JSON.parse(data)); });
    window.say = (eventType, eventData) => parent.postMessage(JSON.stringify({ eventType, eventData }), "*");
    say("web_app_request_theme", { dark: true });
    </script>"""
    server = start(
        "    preset: telegram", "", TELEGRAM_ANSWERS, TELEGRAM_HANDLER, "<iframe src='/mini.html'></iframe>", {"site/mini.html": frame}
    )
    page.goto(server.url)
    frame = next(frame for frame in page.frames if frame.url.endswith("mini.html"))
    frame.wait_for_function("log.length === 1")
    frame.evaluate("say('web_app_ready', null)")
    frame.wait_for_function("log.length === 2")
    assert frame.evaluate("log") == [
        {"eventType": "theme_changed", "eventData": {"dark": True}}, {"eventType": "viewport_changed", "eventData": {"height": 600}},
    ]


def test_the_flutter_preset_answers_a_page(start, page):
    section = "    preset: flutter\n    options: { channels: [Toaster] }"
    answers = """
      Toaster: { call: toasted, args: [!from ""] }
      sum: { reply: !from /1 }
      broken: { error: Broken }
    """
    handler = """
on("Toaster")(lambda body: call("toasted", body))
on("sum")(lambda body: body[1])
@on("broken")
def broken(body):
    raise Refused("Broken")
"""
    script = """
    window.log = [typeof flutter_inappwebview.callHandler];
    window.toasted = (text) => log.push(text);
    addEventListener("flutterInAppWebViewPlatformReady", async () => {
      log.push(await flutter_inappwebview.callHandler("sum", 1, 2));
      log.push(await flutter_inappwebview.callHandler("broken").catch(String));
      log.push(Toaster.postMessage("hi") === undefined);
    });
    """
    page.goto(start(section, script, answers, handler).url)
    page.wait_for_function("log.length === 5")
    assert page.evaluate("log") == ["function", 2, "Error: Broken", True, "hi"]


#: Arguments of `callHandler`, and what native gets of them.
ARGUMENTS = [
    ("new Proxy({ a: [1] }, {})", {"a": [1]}),
    ("{ a: 1, f() {}, u: undefined }", {"a": 1}),
    ("new URL('https://a.example/b')", "https://a.example/b"),
    ("new Date(86400000)", "1970-01-02T00:00:00.000Z"),
    ("{ toJSON: () => 'own' }", "own"),
    ("undefined", None),
    ("NaN", None),
]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
@pytest.mark.parametrize(("argument", "value"), ARGUMENTS)
def test_the_flutter_preset_sends_arguments_as_json(start, page, argument, value):
    page.goto(start("    preset: flutter", "", '      ask: { reply: !from "" }', "").url)
    assert page.evaluate(f"flutter_inappwebview.callHandler('ask', {argument})") == [value]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_flutter_preset_resolves_with_null_without_a_reply(start, page):
    page.goto(start("    preset: flutter", "", "      tell: { event: told }", "").url)
    assert page.evaluate("flutter_inappwebview.callHandler('tell').then((answer) => answer === null)")


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_flutter_preset_is_ready_after_the_page_has_loaded(start, page):
    script = """
    window.log = [];
    addEventListener("load", () => setTimeout(() => {
      log.push("loaded");
      addEventListener("flutterInAppWebViewPlatformReady", (event) => log.push(event.constructor.name, document.readyState));
    }));
    """
    page.goto(start("    preset: flutter", script, "      {}", "").url)
    page.wait_for_function("log.length === 3")
    assert page.evaluate("log") == ["loaded", "Event", "complete"]


def test_the_duckduckgo_preset_answers_a_page(start, page):
    section = "    preset: duckduckgo\n    options: { context: specialPages }"
    answers = """
      page.setup: { reply: { locale: en } }
      page.fails: { error: No such method }
      page.watch: { call: onChange, args: [page, { count: 1 }] }
    """
    handler = """
on("page.setup")(lambda body: {"locale": "en"})
@on("page.fails")
def fails(body):
    raise Refused("No such method")
on("page.watch")(lambda body: call("onChange", "page", {"count": 1}))
"""
    script = """
    window.log = [];
    Object.defineProperty(navigator.duckduckgo.messageHandlers, "onChange", { value: (message) => log.push(message), configurable: true });
    window.ask = (message) => webkit.messageHandlers.specialPages.postMessage({ context: "specialPages", featureName: "page", ...message });
    """
    page.goto(start(section, script, answers, handler).url)
    place = {"context": "specialPages", "featureName": "page"}
    assert page.evaluate("ask({ method: 'setup', id: '1', params: {} }).then(JSON.parse)") == {**place, "id": "1", "result": {"locale": "en"}}
    assert page.evaluate("ask({ method: 'fails', id: '2' }).then(JSON.parse)") == {**place, "id": "2", "error": {"message": "No such method"}}
    assert page.evaluate("ask({ method: 'watch', params: {} })") == "{}"
    page.wait_for_function("log.length")
    assert page.evaluate("log") == [{**place, "subscriptionName": "onChange", "params": {"count": 1}}]
    assert page.evaluate("Object.keys(navigator)") == []


#: Messages, and what their promises become.
MESSAGES = [
    ("{ method: 'echo', id: '1', params: { a: 1 } }", {"id": "1", "result": {"a": 1}}),
    ("{ method: 'echo', id: '1' }", {"id": "1", "result": {}}),
    ("{ method: 'tell', id: '1' }", {"id": "1", "error": {"message": "There is no result."}}),
    ("{ method: 'echo', id: 1 }", "{}"),
    ("{ method: 'echo', id: '1', context: 1 }", "Error: A message needs context, featureName and method."),
    ("{ id: '1' }", "Error: A message needs context, featureName and method."),
]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
@pytest.mark.parametrize(("message", "outcome"), MESSAGES)
def test_the_duckduckgo_preset_answers_as_its_vendor_does(start, page, message, outcome):
    script = """
    window.ask = (message) => webkit.messageHandlers.specialPages.postMessage({ context: "specialPages", featureName: "page", ...message }).catch(String);
    """
    answers = "      page.echo: { reply: !from /params }\n      page.tell: { event: told }"
    page.goto(start("    preset: duckduckgo", script, answers, "").url)
    answer = page.evaluate(f"ask({message})")
    place = {"context": "specialPages", "featureName": "page"}
    assert (answer if isinstance(outcome, str) else json.loads(answer)) == (outcome if isinstance(outcome, str) else {**place, **outcome})


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_duckduckgo_preset_knows_subscriptions_in_the_window(start, page):
    script = """
    window.log = [];
    Object.defineProperty(window, "onChange", { value: (event) => log.push(event), configurable: true });
    window.onOther = (...list) => log.push(list);
    """
    answers = "      opened: [{ call: onChange, args: [page] }, { call: onOther, args: [1, 2] }]"
    page.goto(start("    preset: duckduckgo", script, answers, "").url)
    page.wait_for_function("log.length === 2")
    event = {"context": "specialPages", "featureName": "page", "subscriptionName": "onChange", "params": {}}
    assert page.evaluate("log") == [event, [1, 2]]


def test_the_dsbridge_preset_calls_the_callback_of_a_call_several_times(start, page):
    answers = """
      download: [{ call: setProgressData, args: [download, 50] }, { call: setProgressData, args: [download, 99] }, { reply: 100 }]
    """
    handler = """
@on("download")
def download(body):
    call("setProgressData", "download", 50)
    call("setProgressData", "download", 99)
    return 100
"""
    script = """
    window.log = [];
    window.dscb1 = (value) => {
      log.push(value);
      Promise.resolve().then(() => log.push(typeof window.dscb1));
    };
    prompt("_dsbridge=download", JSON.stringify({ data: null, _dscbstub: "dscb1" }));
    """
    page.goto(start("    preset: dsbridge", script, answers, handler).url)
    page.wait_for_function("log.includes('undefined')")
    assert page.evaluate("log") == [50, "function", 99, "function", 100, "undefined"]


def test_the_dsbridge_preset_answers_a_page(start, page):
    answers = """
      sync: { reply: { got: !from "" } }
      fails: { error: Broken }
      async: { reply: later }
      progress: [{ call: [!from /callback], args: [50] }, { reply: 100 }]
      opened: { call: addValue, args: [3, 4] }
    """
    handler = """
on("sync")(lambda body: {"got": body})
@on("fails")
def fails(body):
    raise Refused("Broken")
on("async")(lambda body: "later")
@on("progress")
def progress(body):
    call([body["callback"]], 50)
    return 100
on("opened")(lambda body: call("addValue", 3, 4))
"""
    script = """
    window.log = [];
    window.sync = (name, data) => JSON.parse(prompt("_dsbridge=" + name, JSON.stringify({ data }))).data;
    window.async = (name, data) => new Promise((resolve) => {
      let last;
      window.dscb1 = (value) => {
        last = value;
        // The callback is deleted after its last call. Several calls can come in one task.
        setTimeout(() => { log.push(value); if (!window.dscb1) setTimeout(() => resolve(last)); });
      };
      window.empty = prompt("_dsbridge=" + name, JSON.stringify({ data, _dscbstub: "dscb1" }));
    });
    window._handleMessageFromNative = (text) => {
      const { method, data, callbackId } = JSON.parse(text);
      if (method === "addValue") {
        const [one, other] = JSON.parse(data);
        prompt("_dsbridge=_dsb.returnValue", JSON.stringify({ data: { id: callbackId, complete: true, data: one + other } }));
        log.push(one + other);
      }
    };
    """
    page.goto(start("    preset: dsbridge", script, answers, handler).url)
    assert page.evaluate("_dswk")
    page.wait_for_function("log.length === 1")
    assert page.evaluate("sync('sync', 7)") == {"got": 7}
    assert page.evaluate("sync('fails', 7)") is None
    assert page.evaluate("sync('_dsb.hasNativeMethod', { name: 'x' })") is True
    assert page.evaluate("async('async', 7)") == "later"
    assert page.evaluate("empty") == "{}"
    assert page.evaluate("async('progress', { callback: 'dscb1' })") == 100
    assert page.evaluate("log") == [7, "later", 50, 100]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_dsbridge_preset_returns_an_empty_text_without_a_reply(start, page):
    page.goto(start("    preset: dsbridge", "", "      tell: { event: told }\n      fails: { error: Broken }", "").url)
    assert page.evaluate("JSON.parse(prompt('_dsbridge=tell', '{}'))") == {"code": 0, "data": ""}
    assert page.evaluate("JSON.parse(prompt('_dsbridge=fails', '{}'))") == {"code": -1}


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_calls_wait_until_the_page_has_started_dsbridge(start, page):
    server = start("    preset: dsbridge", "", "      opened: [{ call: add, args: [3] }, { call: add, args: [4] }]", "")
    with page.expect_console_message(lambda message: "add: this call of native waits until" in message.text):
        page.goto(server.url)
    page.evaluate("""() => {
      window.log = [];
      window._handleMessageFromNative = ({ method, data }) => log.push([method, data]);
      prompt("_dsbridge=_dsb.dsinit", "{}");
      log.push("started");
    }""")
    page.wait_for_function("log.length === 3")
    assert page.evaluate("log") == ["started", ["add", "[3]"], ["add", "[4]"]]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_a_call_fails_if_a_thousand_wait_for_the_page_to_start_dsbridge(start, page):
    waiting = ", ".join(["{ call: add, args: [1] }"] * 1000)
    server = start("    preset: dsbridge", "", f"      opened: [{waiting}]", "")
    control = server.control()
    session = control.session()
    control.enter(page.context, session)
    page.goto(server.url)
    control("POST", f"/sessions/{session['id']}/journal/wait", {"until": {"kind": "page", "action": "listening"}})
    refused = control("POST", f"/sessions/{session['id']}/bridges/acme/calls", {"call": "add", "args": [2]})
    assert "1000 calls of native wait until the page has called _dsb.dsinit" in refused["error"]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_a_call_fails_if_a_thousand_wait_for_the_page_to_load_its_bridge(start, page):
    waiting = ", ".join(["{ call: add, args: [1] }"] * 1000)
    server = start("    preset: wvjb", "", f"      opened: [{waiting}]", "")
    control = server.control()
    session = control.session()
    control.enter(page.context, session)
    page.goto(server.url)
    control("POST", f"/sessions/{session['id']}/journal/wait", {"until": {"kind": "page", "action": "listening"}})
    refused = control("POST", f"/sessions/{session['id']}/bridges/acme/calls", {"call": "add", "args": [2]})
    assert "1000 calls of native wait until the page has WebViewJavascriptBridge" in refused["error"]


WVJB_ANSWERS = """
      opened: { call: greet, args: [{ name: eva }] }
      echo: { reply: !from /text }
      message: { reply: !from /nameless }
"""
WVJB_HANDLER = """
on("opened")(lambda body: call("greet", {"name": "eva"}))
on("echo")(lambda body: body["text"])
on("message")(lambda body: body["nameless"])
"""
WVJB_USE = """
  bridge.registerHandler("greet", (data, respond) => { log.push(data); respond("hello"); });
  bridge.callHandler("echo", { text: "one" }, (answer) => log.push(answer));
  bridge.callHandler("echo", { text: "two" }, (answer) => log.push(answer));
"""
WVJB_PAGES = {
    "ios": """
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
    """,
    "lision": """
    function setup(callback) {
      if (window.WKWebViewJavascriptBridge) return callback(WKWebViewJavascriptBridge);
      if (window.WKWVJBCallbacks) return window.WKWVJBCallbacks.push(callback);
      window.WKWVJBCallbacks = [callback];
      webkit.messageHandlers.iOS_Native_InjectJavascript.postMessage(null);
    }
    """,
    "android": """
    const setup = (callback) => document.addEventListener("WebViewJavascriptBridgeReady", ({ bridge }) => {
      bridge.init((data, respond) => respond(data));
      bridge.send({ nameless: "three" }, (answer) => log.push(answer));
      callback(bridge);
    });
    """,
}


@pytest.mark.parametrize("variant", WVJB_PAGES)
def test_the_wvjb_preset_answers_a_page(start, page, variant):
    script = f"window.log = []; {WVJB_PAGES[variant]} setup((bridge) => {{ {WVJB_USE} }});"
    page.goto(start(f"    preset: wvjb\n    options: {{ variant: {variant} }}", script, WVJB_ANSWERS, WVJB_HANDLER).url)
    texts = ["three", "one", "two"] if variant == "android" else ["one", "two"]
    page.wait_for_function(f"log.length === {len(texts) + 1}")
    log = page.evaluate("log")
    assert {"name": "eva"} in log
    assert [entry for entry in log if isinstance(entry, str)] == texts


def test_the_wvjb_preset_for_android_reads_its_queue_from_a_url(start, page):
    script = """
    window.log = [];
    const queue = [], frame = document.createElement("iframe");
    window.WebViewJavascriptBridge = {
      _fetchQueue() { frame.src = "yy://return/_fetchQueue/" + encodeURIComponent(JSON.stringify(queue.splice(0))); },
      _handleMessageFromNative: (text) => log.push(JSON.parse(text)),
    };
    window.send = (message) => { queue.push(message); frame.src = "yy://__QUEUE_MESSAGE__/"; };
    document.documentElement.append(frame);
    """
    handler = WVJB_HANDLER.replace('on("opened")', 'on("never")')
    answers = WVJB_ANSWERS.replace("opened:", "never:")
    page.goto(start("    preset: wvjb\n    options: { variant: android }", script, answers, handler).url)
    page.evaluate("send({ handlerName: 'echo', data: { text: 'ä/%' }, callbackId: 'c1' })")
    page.wait_for_function("log.length")
    assert page.evaluate("log") == [{"responseId": "c1", "responseData": "ä/%"}]


#: Scripts that put a variant's bridge into a page, as `bridge`.
LOADED = {
    variant: f"{setup} setup((bridge) => {{ window.bridge = bridge; start(); }});" for variant, setup in WVJB_PAGES.items()
} | {"android": """document.addEventListener("WebViewJavascriptBridgeReady", ({ bridge }) => {
      log.push(document.readyState);
      window.bridge = bridge;
      start();
    });"""}
#: What a bridge has, besides the functions that native calls.
FUNCTIONS = {
    "ios": ["callHandler", "disableJavscriptAlertBoxSafetyTimeout", "registerHandler"],
    "lision": ["callHandler", "registerHandler"],
    "android": ["callHandler", "init", "registerHandler", "send"],
}


@pytest.mark.parametrize("host", ["answers"], indirect=True)
@pytest.mark.parametrize("variant", LOADED)
def test_the_wvjb_preset_gives_a_page_the_bridge_of_its_vendor(start, page, variant):
    script = f"""
    window.log = [];
    const start = () => {{
      bridge.registerHandler("opened", () => {{}});
      bridge.callHandler("ask", (answer) => log.push(answer));
      bridge.callHandler("object", {{ a: 1 }}, (answer) => log.push(answer));
    }};
    {LOADED[variant]}
    """
    answers = '      ask: { reply: !json { $from: "" } }\n      object: { reply: !from "" }'
    page.goto(start(f"    preset: wvjb\n    options: {{ variant: {variant} }}", script, answers, "").url)
    page.wait_for_function("log.filter((entry) => entry !== 'complete').length === 2")
    started = ["complete"] if variant == "android" else []
    assert page.evaluate("log") == [*started, "null", '{"a":1}' if variant == "android" else {"a": 1}]
    assert page.evaluate("Object.keys(bridge).filter((name) => name[0] !== '_').sort()") == FUNCTIONS[variant]


@pytest.mark.parametrize("host", ["answers"], indirect=True)
@pytest.mark.parametrize("variant", LOADED)
def test_the_wvjb_preset_takes_messages_as_its_vendor_does(start, page, variant):
    """Each in a task of its own, or in lision's at once. What a handler throws reaches the console only."""
    script = f"window.log = []; const start = () => log.push('ready'); {LOADED[variant]}"
    page.goto(start(f"    preset: wvjb\n    options: {{ variant: {variant} }}", script, "      {}", "").url)
    page.wait_for_function("log.includes('ready')")
    receive = page.evaluate("Object.keys(bridge).find((name) => name.startsWith('_handle'))")
    page.evaluate("(receive) => { window.say = (message) => bridge[receive](JSON.stringify(message)); log.length = 0; }", receive)
    page.evaluate("""() => {
      bridge.registerHandler("note", (data, respond) => log.push([data, typeof respond]));
      say({ handlerName: "note", data: 1 });
      log.push("said");
    }""")
    page.wait_for_function("log.length === 2")
    assert page.evaluate("log") == ([[1, "undefined"], "said"] if variant == "lision" else ["said", [1, "undefined"]])
    with page.expect_console_message(lambda message: "there is no handler" in message.text):
        page.evaluate("say({ handlerName: 'missing' })")
    page.evaluate("bridge.registerHandler('throws', () => { throw new Error('Broken'); })")
    if variant == "lision":
        assert "Broken" in page.evaluate("(() => { try { say({ handlerName: 'throws' }); } catch (error) { return `${error}`; } })()")
    else:
        with page.expect_console_message(lambda message: "has thrown" in message.text and "Broken" in message.text):
            page.evaluate("say({ handlerName: 'throws' })")


@pytest.mark.parametrize("host", ["answers"], indirect=True)
def test_the_wvjb_preset_knows_the_scheme_of_older_pages(start, page):
    script = """
    window.WVJBCallbacks = [(bridge) => bridge.callHandler("echo", "one", (answer) => { window.answer = answer; })];
    document.documentElement.append(Object.assign(document.createElement("iframe"), { src: "wvjbscheme://__BRIDGE_LOADED__" }));
    """
    page.goto(start("    preset: wvjb", script, '      echo: { reply: !from "" }', "").url)
    page.wait_for_function("window.answer")
    assert page.evaluate("answer") == "one"


def test_an_unknown_option_of_a_preset_is_a_console_error(start, page):
    server = start("    preset: wvjb\n    options: { variant: windows }", "window.errors = []", "      x: { reply: 1 }", "")
    with page.expect_event("pageerror") as error:
        page.goto(server.url)
    assert "options.variant must be one of: ios, lision, android" in str(error.value)
