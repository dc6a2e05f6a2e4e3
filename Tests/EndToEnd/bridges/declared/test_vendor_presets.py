"""The presets for hosts of mini apps and of web pages in desktop apps, in Chromium: pages written from their wires, answered by footbridge.yaml."""

import runpy

from footbridge_process import PROJECT, run


def test_the_vk_preset_answers_a_page(start, page):
    script = """
    window.heard = [];
    window.isInApp = Boolean(webkit.messageHandlers.VKWebAppClose);
    const waiting = {};
    addEventListener("VKWebAppEvent", ({ detail: { type, data: { request_id, ...data } } }) => {
      if (request_id) waiting[request_id]([type, data]);
      else heard.push([type, data]);
    });
    window.send = (method, props) => new Promise((resolve) => {
      const request_id = `${Object.keys(waiting).length}_a`;
      waiting[request_id] = resolve;
      webkit.messageHandlers[method].postMessage({ ...props, request_id });
    });
    """
    answers = """
      VKWebAppInit: [{ reply: { result: true } }, { call: VKWebAppUpdateConfig, args: [{ appearance: dark }] }]
      VKWebAppGetUserInfo: { reply: { id: !from /user_id, first_name: Eva } }
      VKWebAppGetAuthToken: { reply: { access_token: abc } }
      VKWebAppGetEmail: { error: User denied }
      VKWebAppOpenPayForm: { error: { message: No, error_type: api_error, error_data: { error_code: 15 } } }
    """
    page.goto(start("vk", answers, script).url)
    assert page.evaluate("isInApp")
    assert page.evaluate("send('VKWebAppInit')") == ["VKWebAppInitResult", {"result": True}]
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [["VKWebAppUpdateConfig", {"appearance": "dark"}]]
    assert page.evaluate("send('VKWebAppGetUserInfo', { user_id: 7 })") == ["VKWebAppGetUserInfoResult", {"id": 7, "first_name": "Eva"}]
    assert page.evaluate("send('VKWebAppGetAuthToken')") == ["VKWebAppAccessTokenReceived", {"access_token": "abc"}]
    assert page.evaluate("send('VKWebAppGetEmail')") == [
        "VKWebAppGetEmailFailed", {"error_type": "client_error", "error_data": {"error_code": 1, "error_reason": "User denied"}},
    ]
    assert page.evaluate("send('VKWebAppOpenPayForm')") == [
        "VKWebAppOpenPayFormFailed", {"error_type": "api_error", "error_data": {"error_code": 15}},
    ]


def test_the_vk_preset_has_the_methods_of_its_options_only(start, page):
    page.goto(start("vk", "      {}", options="{ methods: [VKWebAppInit] }").url)
    assert page.evaluate("['VKWebAppInit', 'VKWebAppClose', 'VKWebAppGetEmail'].map((name) => typeof webkit.messageHandlers[name])") == [
        "object", "object", "undefined",
    ]


def test_the_minikit_preset_answers_a_page(start, page):
    script = """
    window.app = WorldApp;
    const waiting = {};
    window.MiniKit = { trigger: (event, payload) => waiting[event](payload) };
    window.send = (command, event, payload) => new Promise((resolve) => {
      waiting[event] = resolve;
      webkit.messageHandlers.minikit.postMessage({ command, version: 1, payload });
    });
    """
    answers = """
      wallet-auth: { reply: { address: "0x1", of: !from /payload/siweMessage } }
      pay: { error: { message: insufficient_balance, reference: r1 } }
      verify: { error: verification_rejected }
    """
    page.goto(start("minikit", answers, script, "{ worldApp: { device_os: android } }").url)
    assert page.evaluate("[app.device_os, app.supported_commands.some(({ name }) => name === 'pay')]") == ["android", True]
    assert page.evaluate("send('wallet-auth', 'miniapp-wallet-auth', { siweMessage: 'm' })") == {"status": "success", "address": "0x1", "of": "m"}
    assert page.evaluate("send('pay', 'miniapp-payment', {})") == {"status": "error", "error_code": "insufficient_balance", "reference": "r1"}
    assert page.evaluate("send('verify', 'miniapp-verify-action', {})") == {"status": "error", "error_code": "verification_rejected"}


def test_the_median_preset_answers_a_page(start, page):
    script = """
    window.callbacks = {};
    window.run = (medianCommand, data) => new Promise((resolve) => {
      window.reply = callbacks.reply = resolve;
      webkit.messageHandlers.JSBridge.postMessage({ medianCommand, data });
    });
    window.seen = new Promise((resolve) => addEventListener("seen", ({ detail }) => resolve(detail)));
    """
    answers = """
      run.median_device_info: { reply: { platform: ios, of: !from /x } }
      share.sharePage: { event: seen, detail: !from "" }
      iap.purchase: { error: { message: Cancelled, code: 2 } }
      nfc.read: { error: No NFC }
    """
    page.goto(start("median", answers, script).url)
    assert page.evaluate("run('median://run/median_device_info', { callback: 'reply', x: 1 })") == {"platform": "ios", "of": 1}
    assert page.evaluate("run('median://run/median_device_info', { callback: 'callbacks.reply' })") == {"platform": "ios"}
    assert page.evaluate("run('median://iap/purchase', { callbackFunction: 'reply' })") == {"error": "Cancelled", "code": 2}
    assert page.evaluate("run('median://nfc/read', { callback: 'reply' })") == {"error": "No NFC"}
    page.evaluate("void webkit.messageHandlers.JSBridge.postMessage('median://share/sharePage?url=https%3A%2F%2Fa.example')")
    assert page.evaluate("seen") == {"url": "https://a.example"}


def test_the_rakuten_preset_answers_a_page(start, page):
    script = """
    const waiting = {};
    window.MiniAppBridge = {
      execSuccessCallback: (id, value) => waiting[id](["success", value]),
      execErrorCallback: (id, error) => waiting[id](["error", error]),
      execCustomEventsCallback: (type, value) => waiting[type]([type, value]),
    };
    window.exec = (action, param, id = action) => new Promise((resolve) => {
      waiting[id] = resolve;
      if (action) webkit.messageHandlers.MiniAppiOS.postMessage(JSON.stringify({ action, param, id }));
    });
    window.paused = exec(null, null, "miniapppause");
    """
    answers = """
      getUniqueId: { reply: u1 }
      getAccessToken: { reply: { token: abc, audience: !from /audience } }
      getContacts: { error: Denied }
      purchase: { error: { message: No, type: ProductNotFound } }
      opened: { call: MiniAppBridge.execCustomEventsCallback, args: [miniapppause, background] }
    """
    page.goto(start("rakuten", answers, script).url)
    assert page.evaluate("paused") == ["miniapppause", "background"]
    assert page.evaluate("exec('getUniqueId', null)") == ["success", "u1"]
    assert page.evaluate("exec('getAccessToken', { audience: 'a' })") == ["success", '{"audience":"a","token":"abc"}']
    assert page.evaluate("exec('getContacts', null)") == ["error", "Denied"]
    assert page.evaluate("exec('purchase', {})") == ["error", '{"message":"No","type":"ProductNotFound"}']


def test_the_teams_preset_answers_a_page(start, page):
    script = """
    const waiting = {};
    window.heard = [];
    window.onNativeMessage = ({ data }) => "id" in data ? waiting[data.id](data) : heard.push(data);
    let id = 0;
    window.ask = (func, args = [], more = {}) => new Promise((resolve) => {
      waiting[id] = resolve;
      nativeInterface.framelessPostMessage(JSON.stringify({ id: id++, func, args, ...more }));
    });
    """
    answers = """
      initialize: { reply: [content, ios, "{}", "2.0.1"] }
      getContext: [{ reply: { user: !from /args/0 } }, { call: themeChange, args: [dark] }]
      authentication.getAuthToken: { error: { errorCode: 500 } }
      openLink: { error: Denied }
    """
    page.goto(start("teams", answers, script).url)
    assert page.evaluate("ask('initialize', ['2.1'])") == {"id": 0, "args": ["content", "ios", "{}", "2.0.1"]}
    assert page.evaluate("ask('getContext', [7], { uuidAsString: 'u' })") == {"id": 1, "uuidAsString": "u", "args": [{"user": 7}]}
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [{"func": "themeChange", "args": ["dark"]}]
    assert page.evaluate("ask('authentication.getAuthToken')") == {"id": 2, "args": [{"errorCode": 500}]}
    assert page.evaluate("ask('openLink')") == {"id": 3, "args": ["Denied"]}


def test_the_tauri_preset_answers_commands(start, page):
    answers = """
      greet: { reply: !from /name }
      nothing: { event: seen, detail: !from "" }
      fails: { error: Broken }
      refuses: { error: { kind: NotFound, id: 7 } }
    """
    script = "window.seen = new Promise((resolve) => addEventListener('seen', ({ detail }) => resolve(detail)));"
    page.goto(start("tauri", answers, script, "{ label: settings }").url)
    page.evaluate("void (window.invoke = __TAURI_INTERNALS__.invoke)")
    assert page.evaluate("invoke('greet', { name: 'Eva' })") == "Eva"
    assert page.evaluate("invoke('fails').catch((error) => error)") == "Broken"
    assert page.evaluate("invoke('refuses').catch((error) => error)") == {"kind": "NotFound", "id": 7}
    sent = "invoke('nothing', { map: new Map([['a', 1]]), bytes: new Uint8Array([1, 2]), channel: { __TAURI_TO_IPC_KEY__: () => '__CHANNEL__:3' } })"
    assert page.evaluate(sent) is None
    assert page.evaluate("seen") == {"map": {"a": 1}, "bytes": [1, 2], "channel": "__CHANNEL__:3"}
    assert page.evaluate("[isTauri, __TAURI_INTERNALS__.metadata.currentWebview, __TAURI_INTERNALS__.convertFileSrc('/a b')]") == [
        True, {"windowLabel": "settings", "label": "settings"}, "asset://localhost/%2Fa%20b",
    ]


def test_the_tauri_preset_sends_commands_by_requests_and_by_messages_where_these_fail(start, page):
    script = """
    window.asked = [];
    const { fetch } = window;
    window.fetch = (...list) => {
      asked.push([list[0], list[1].headers["Content-Type"], list[1].headers["X-Mine"] ?? null]);
      return window.isBlocked ? Promise.reject(new TypeError("blocked")) : fetch(...list);
    };
    """
    answers = """
      greet: { reply: !from /name }
      count: { reply: !from "" }
      fails: { error: Broken }
    """
    page.goto(start("tauri", answers, script).url)
    page.evaluate("void (window.invoke = __TAURI_INTERNALS__.invoke)")
    assert page.evaluate("invoke('greet', { name: 'Eva' }, { headers: { 'X-Mine': '1' } })") == "Eva"
    assert page.evaluate("invoke('count', new Uint8Array([1, 2]))") == [1, 2]
    assert page.evaluate("asked") == [
        ["ipc://localhost/greet", "application/json", "1"], ["ipc://localhost/count", "application/octet-stream", None],
    ]
    # Only the app's own script knows the key.
    assert page.evaluate("fetch('ipc://localhost/greet', { method: 'POST', headers: {} }).then(async (answer) => [answer.status, await answer.text()])") == [
        500, "missing Tauri-Invoke-Key header",
    ]
    assert page.evaluate("fetch('ipc://localhost/greet', { headers: {} }).then(({ status }) => status)") == 405
    page.evaluate("void (isBlocked = true)")
    assert page.evaluate("invoke('greet', { name: 'Ada' })") == "Ada"
    assert page.evaluate("invoke('fails').catch((error) => error)") == "Broken"
    # After the first failure, no command is sent by a request.
    assert page.evaluate("asked.length") == 3


def test_the_tauri_preset_has_events_and_channels(start, page):
    answers = """
      start: [{ call: progress, args: [50] }, { call: [!from /channel], args: [hi] }, { call: [!from /channel], args: [ho] }]
    """
    script = """
    window.heard = [];
    const { invoke, transformCallback } = __TAURI_INTERNALS__;
    window.listen = (event) => invoke("plugin:event|listen", { event, target: { kind: "Any" }, handler: transformCallback((data) => heard.push(data)) });
    window.start = () => {
      const id = transformCallback(({ id, index, message }) => heard.push([id, index, message]));
      return invoke("start", { channel: { __TAURI_TO_IPC_KEY__: () => `__CHANNEL__:${id}` } });
    };
    window.emit = (event, payload) => invoke("plugin:event|emit", { event, payload });
    window.stop = (event, eventId) => {
      __TAURI_EVENT_PLUGIN_INTERNALS__.unregisterListener(event, eventId);
      return invoke("plugin:event|unlisten", { event, eventId });
    };
    """
    page.goto(start("tauri", answers, script).url)
    assert page.evaluate("listen('progress')") == 1
    page.evaluate("start()")
    page.wait_for_function("heard.length === 3")
    assert page.evaluate("heard") == [{"event": "progress", "id": 1, "payload": 50}, [0, 0, "hi"], [1, 1, "ho"]]
    page.evaluate("emit('progress', { a: 1 })")
    assert page.evaluate("heard[3]") == {"event": "progress", "id": 1, "payload": {"a": 1}}
    page.evaluate("stop('progress', 1)")
    page.evaluate("emit('progress', 2)")
    assert page.evaluate("heard.length") == 4


def test_the_pywebview_preset_answers_a_page(start, page):
    script = """
    window.early = typeof pywebview;
    window.ready = new Promise((resolve) => addEventListener("pywebviewready", () => resolve(typeof pywebview.api.greet)));
    """
    answers = """
      greet: { reply: !from "" }
      files.read: { event: x }
      fails: { error: { message: No such file, name: FileNotFoundError, stack: Traceback } }
    """
    page.goto(start("pywebview", answers, script, "{ api: [greet, files.read, fails] }").url)
    assert page.evaluate("early") == "undefined"
    assert page.evaluate("ready") == "function"
    assert page.evaluate("pywebview.api.greet('Eva', { a: 1 })") == ["Eva", {"a": 1}]
    assert page.evaluate("pywebview.api.files.read()") is None
    assert page.evaluate("pywebview.api.fails().catch(({ name, message, stack }) => [name, message, stack])") == [
        "FileNotFoundError", "No such file", "Traceback",
    ]


def test_the_wails_preset_answers_a_page(start, page):
    script = """
    window.heard = [];
    window.bindings = wailsbindings;
    const waiting = {};
    window.wails = {
      Callback: (text) => { const { callbackid, ...result } = JSON.parse(text); waiting[callbackid](result); },
      EventsNotify: (text) => heard.push(JSON.parse(text)),
    };
    window.invoke = (message) => void webkit.messageHandlers.external.postMessage(message);
    window.call = (name, ...args) => new Promise((resolve) => {
      waiting[name] = resolve;
      invoke(`C${JSON.stringify({ name, args, callbackID: name })}`);
    });
    addEventListener("seen", ({ detail }) => heard.push(detail));
    """
    answers = """
      main.App.Greet: { reply: !from /args/0 }
      main.App.Fails: { error: Broken }
      "runtime:ready": { event: never }
      runtime: { call: "app:started", args: [1, two] }
      emit: { event: seen, detail: !from /data }
      window: { event: seen, detail: !from "" }
      browser: { event: seen, detail: !from "" }
      off: { event: seen, detail: !from "" }
    """
    page.goto(start("wails", answers, script, "{ bindings: { main: { App: [Greet, Fails] } } }").url)
    assert page.evaluate("JSON.parse(bindings)") == {"main": {"App": {"Greet": {}, "Fails": {}}}}
    assert page.evaluate("call('main.App.Greet', 'Eva')") == {"result": "Eva", "error": None}
    assert page.evaluate("call('main.App.Fails')") == {"result": None, "error": "Broken"}
    page.evaluate("invoke('runtime:ready'), invoke('EE{\"name\":\"a\",\"data\":[1]}'), invoke('WM'), invoke('BO:https://a.example'), invoke('EXa')")
    page.wait_for_function("heard.length === 5")
    assert page.evaluate("heard") == [{"name": "app:started", "data": [1, "two"]}, [1], "WM", "BO:https://a.example", "a"]


def test_the_grab_preset_answers_a_page(start, page):
    script = """
    let calls = 0;
    window.heard = [];
    window.invoke = (module, method, parameters) => new Promise((resolve) => {
      const callback = `${module}_${method}Callback_${calls++}`;
      window[callback] = (data) => { delete window[callback]; resolve(data); };
      webkit.messageHandlers[module].postMessage({ callback, method, parameters });
    });
    """
    answers = """
      LocaleModule.getLanguageLocaleIdentifier: { reply: en-SG }
      ProfileModule.fetchEmail: { error: { message: Denied, status_code: 403 } }
      ProfileModule.verifyEmail: { error: Broken }
      LocationModule.observeLocationChange: { call: [!from /callback], args: [{ status_code: 200, result: { lat: 1 } }] }
    """
    page.goto(start("grab", answers, script).url)
    assert page.evaluate("invoke('LocaleModule', 'getLanguageLocaleIdentifier', {})") == {"result": "en-SG", "error": None, "status_code": 200}
    assert page.evaluate("invoke('ProfileModule', 'fetchEmail', {})") == {"result": None, "error": "Denied", "status_code": 403}
    assert page.evaluate("invoke('ProfileModule', 'verifyEmail', {})") == {"result": None, "error": "Broken", "status_code": 500}
    assert page.evaluate("invoke('LocationModule', 'observeLocationChange', {})") == {"status_code": 200, "result": {"lat": 1}}


def test_the_despia_preset_answers_a_page(start, page):
    answers = """
      get-uuid: { reply: { uuid: u1 } }
      revenuecat.purchase: { reply: { bought: !from /product } }
      successhaptic: { event: seen, detail: !from /command }
    """
    script = "window.seen = new Promise((resolve) => addEventListener('seen', ({ detail }) => resolve(detail)));"
    page.goto(start("despia", answers, script).url)
    page.evaluate("window.despia = 'get-uuid://', window.despia = 'revenuecat://purchase?external_id=1&product=p%201', window.despia = 'successhaptic://'")
    page.wait_for_function("window.uuid && window.bought")
    assert page.evaluate("[uuid, bought]") == ["u1", "p 1"]
    assert page.evaluate("seen") == "successhaptic://"


def test_the_command_bridges_lists_all_presets_and_prints_what_one_knows():
    names = sorted(path.stem for path in (PROJECT / "web/bridges/declared/presets").glob("*.js"))
    lines = run("bridges").stdout.splitlines()
    assert [line.split()[0] for line in lines[:1] + lines[1::2]] == ["PRESET", *names]
    assert all(line.startswith(" ") and "Not played: " in line for line in lines[2::2])
    assert "Compared with: VKCOM/vk-bridge" in run("bridges", "vk").stdout
    for name in names:
        text = run("bridges", name).stdout
        for part in (f"{name}: ", "\nAs the vendor's: ", "\nNot played: ", "\nCompared with: ", f"preset: {name}"):
            assert part in text


def test_the_command_bridges_suggests_the_nearest_preset():
    result = run("bridges", "capacitr")
    assert (result.returncode, result.stdout) == (64, "")
    assert "There is no preset capacitr. Did you mean capacitor? footbridge bridges lists all." in result.stderr


def test_the_table_of_presets_is_as_their_files_say():
    made = runpy.run_path(str(PROJECT / "scripts" / "make-bridge-table"))["table"]()
    assert (PROJECT / "docs/bridges/README.md").read_text() == made, "make bridge-table writes the page again"


def test_the_manual_names_each_preset():
    manual = (PROJECT / "docs/wires.md").read_text()
    for path in (PROJECT / "web/bridges/declared/presets").glob("*.js"):
        assert manual.count(f"\n- [`{path.stem}`](") == 1, path.stem
