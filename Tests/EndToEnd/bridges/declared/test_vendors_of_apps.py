"""The presets of apps with the vendors' own scripts, unchanged, in pages as their quick starts have them."""

import json

from vendor_scripts import bundle, open_wire, script


def test_the_script_of_airship_runs_actions(servers, page):
    files = {"bridge.js": script("airship/UANativeBridge")}
    open_wire(servers, page, "airship", """<script>
      document.addEventListener("ualibraryready", () => window.isReady = true);
      window.run = (name, value) => new Promise((resolve) => UAirship.runAction(name, value, (error, result) => resolve(error ? [error.message] : [null, result])));
      addEventListener("DOMContentLoaded", () => document.body.append(Object.assign(document.createElement("script"), { src: "bridge.js" })));
    </script>""", """
      share_action: { reply: { shared: !from "" } }
      wallet_action: { error: No action found }
      add_tags_action: { set: added, value: !from "" }
      dismiss: { set: dismissed, value: !from "" }
""", files)
    page.wait_for_function("window.isReady && UAirship.isReady")
    assert page.evaluate("UAirship.editTags.toString().includes('TagEditor')") is True
    assert page.evaluate("run('share_action', 'text')") == [None, {"shared": "text"}]
    assert page.evaluate("run('wallet_action', null)") == ["No action found"]
    page.evaluate("UAirship.editTags().addTag('tea').apply()")
    page.wait_for_function("window.added === 'tea'")
    page.evaluate("UAirship.dismiss({ type: 'user_dismissed' })")
    page.wait_for_function("window.dismissed")


def test_the_script_of_median_asks_and_hears(servers, page):
    files = {"median.js": script("median-js-bridge/dist/median.min.js")}
    open_wire(servers, page, "median", """<script src="median.js"></script><script>
      window.median = Median.default ?? Median;
      window.heard = [];
      median.onReady(() => heard.push("ready"));
      median.deviceShake.addListener(() => heard.push("shaken"));
    </script>""", """
      run.median_device_info: { reply: { platform: ios, appVersion: "1.0" } }
      clipboard.get: { reply: { success: true, data: text } }
      clipboard.set: { set: copied, value: !from /data }
      share.sharePage: { set: shared, value: !from /url }
      nfc.read: { error: No NFC }
      events.subscribe: { call: [!from /eventName] }
""", files)
    page.wait_for_function("heard.length === 2")
    assert sorted(page.evaluate("heard")) == ["ready", "shaken"]
    assert page.evaluate("[median.isNativeApp()]") == [True]
    assert page.evaluate("median.getPlatform()") == "ios"
    assert page.evaluate("median.deviceInfo().then(({ appVersion }) => appVersion)") == "1.0"
    assert page.evaluate("median.clipboard.get()") == {"success": True, "data": "text"}
    page.evaluate("median.clipboard.set({ data: 'a' }), median.share.sharePage({ url: 'https://a.example' })")
    page.wait_for_function("window.copied === 'a' && window.shared === 'https://a.example'")


def test_the_script_of_despia_gives_commands(servers, page):
    files = {"despia.js": script("despia-native/index.js")}
    open_wire(servers, page, "despia", """<script src="despia.js"></script>""", """
      get-uuid: { reply: { uuid: u1 } }
      readvault: { reply: { sessionToken: abc123 } }
      setvault: { set: stored, value: !from /value }
      revenuecat.launchPaywall: { set: shown, value: !from /offering }
      get-app-version: { reply: { versionNumber: "1.0", bundleNumber: "7" } }
""", files)
    assert page.evaluate("despia('get-uuid://', ['uuid'])") == {"uuid": "u1"}
    page.evaluate("despia('setvault://?key=sessionToken&value=abc123&locked=true'), despia('revenuecat://launchPaywall?external_id=1&offering=default')")
    page.wait_for_function("window.stored === 'abc123' && window.shown === 'default'")
    assert page.evaluate("despia('readvault://?key=sessionToken', ['sessionToken'])") == {"sessionToken": "abc123"}
    assert page.evaluate("despia('get-app-version://', ['versionNumber', 'bundleNumber'])") == {"versionNumber": "1.0", "bundleNumber": "7"}


def test_the_script_of_tauri_invokes_commands(servers, page):
    files = {"tauri.js": bundle("@tauri-apps/api/index.js")}
    open_wire(servers, page, "tauri", """<script src="tauri.js"></script><script>
      const { core: { Channel, convertFileSrc, invoke, isTauri }, app, event, window: { getCurrentWindow } } = vendor;
      window.heard = [];
      window.start = async () => {
        window.stop = await event.listen("progress", ({ event, payload }) => heard.push([event, payload]));
        await event.once("opened", ({ payload }) => heard.push(payload));
        const channel = new Channel();
        channel.onmessage = (message) => heard.push(message);
        return invoke("download", { channel });
      };
    </script>""", """
      greet: { reply: !from /name }
      fails: { error: { kind: NotFound } }
      read: { reply: [1, 2, 3] }
      download:
        - { reply: done }
        - { call: [!from /channel], args: [half] }
        - { call: progress, args: [50] }
      plugin:app|version: { reply: "1.2.3" }
      plugin:window|title: { reply: !from /label }
      plugin:window|set_title: { reply: null }
""", files)
    assert page.evaluate("[isTauri(), convertFileSrc('/a b.png')]") == [True, "asset://localhost/%2Fa%20b.png"]
    assert page.evaluate("invoke('greet', { name: 'Eva' })") == "Eva"
    assert page.evaluate("invoke('fails').catch((error) => error)") == {"kind": "NotFound"}
    assert page.evaluate("start()") == "done"
    page.wait_for_function("heard.length === 2")
    assert page.evaluate("heard") == ["half", ["progress", 50]]
    assert page.evaluate("event.emit('opened', 'once').then(() => event.emit('opened', 'twice'))") is None
    page.wait_for_function("heard.length === 3")
    page.evaluate("stop()")
    page.evaluate("event.emit('progress', 60)")
    assert page.evaluate("heard.slice(2)") == ["once"]
    assert page.evaluate("app.getVersion()") == "1.2.3"
    assert page.evaluate("getCurrentWindow().title()") == "main"
    assert page.evaluate("getCurrentWindow().setTitle('Home')") is None


def test_the_global_script_of_tauri_invokes_commands(servers, page):
    files = {"global.js": script("tauri/scripts/bundle.global.js")}
    open_wire(servers, page, "tauri", """<script src="global.js"></script><script>
      const { core, event } = __TAURI__;
      window.heard = [];
      window.listening = event.listen("progress", ({ payload }) => heard.push(payload));
    </script>""", """
      greet: [{ reply: !from /name }, { call: progress, args: [50] }]
""", files)
    page.evaluate("listening.then(() => {})")
    assert page.evaluate("core.invoke('greet', { name: 'Eva' })") == "Eva"
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [50]


def test_the_scripts_of_wails_call_go(servers, page):
    files = {"ipc.js": script("wails/v2/ipc.js"), "runtime.js": script("wails/v2/runtime_prod_desktop.js")}
    open_wire(servers, page, "wails", """<script>
      window.heard = [];
      runtime.EventsOn("app:started", (...data) => heard.push(data));
    </script>""", """
      main.App.Greet: { reply: !from /args/0 }
      main.App.Fails: { error: Broken }
      "runtime:ready": { set: ready, value: true }
      runtime: [{ set: ready, value: true }, { call: "app:started", args: [1, two] }]
      ":wails:Environment": { reply: { buildType: production, platform: darwin, arch: arm64 } }
      ":wails:ClipboardGetText": { reply: text }
      emit: { set: emitted, value: !from /name }
      window: { set: title, value: !from "" }
      browser: { set: browsed, value: !from "" }
      log: { set: logged, value: !from "" }
      quit: { set: isQuitting, value: true }
""", files, "{ bindings: { main: { App: [Greet, Fails] } } }", scripts="[site/ipc.js, site/runtime.js]")
    page.wait_for_function("window.ready && heard.length")
    assert page.evaluate("heard") == [[1, "two"]]
    assert page.evaluate("go.main.App.Greet('Eva')") == "Eva"
    assert page.evaluate("go.main.App.Fails().catch(({ message }) => message)") == "Broken"
    assert page.evaluate("runtime.Environment().then(({ platform }) => platform)") == "darwin"
    assert page.evaluate("runtime.ClipboardGetText()") == "text"
    page.evaluate("runtime.EventsEmit('saved', 1), runtime.WindowSetTitle('Home'), runtime.BrowserOpenURL('https://a.example'), runtime.LogInfo('hi'), runtime.Quit()")
    page.wait_for_function("window.isQuitting")
    assert page.evaluate("[emitted, title, browsed, logged]") == ["saved", "WTHome", "BO:https://a.example", "LIhi"]


def test_the_script_of_pywebview_calls_python(servers, page):
    """pywebview fills in its script, and runs its end when the page has loaded."""
    functions = [{"func": name, "params": ["value"]} for name in ("greet", "files.read", "fails")]
    parts = [script(f"pywebview/js/{name}.js").decode() for name in ("api", "lib/dom_json", "state", "finish")]
    filled = [part % {"token": "t", "platform": "cocoa", "state": '{"name": "Eva"}', "functions": json.dumps(functions)} for part in parts]
    native = "\n".join([*filled[:3], "addEventListener('load', () => {", filled[3], "});"])
    open_wire(servers, page, "pywebview", """<script>
      window.heard = [];
      window.ready = new Promise((resolve) => addEventListener("pywebviewready", () => resolve(typeof pywebview.api.greet)));
    </script>""", """
      greet: { reply: !from /0 }
      files.read: { reply: null }
      fails: { error: { message: No such file, name: FileNotFoundError, stack: Traceback } }
      pywebviewStateUpdate: { set: updated, value: !from "" }
""", {"native.js": native.encode()}, scripts="[site/native.js]")
    assert page.evaluate("ready") == "function"
    assert page.evaluate("pywebview.api.greet({ name: 'Eva', list: [1] })") == {"name": "Eva", "list": [1]}
    assert page.evaluate("pywebview.api.files.read()") is None
    assert page.evaluate("pywebview.api.fails().catch(({ name, message, stack }) => [name, message, stack])") == [
        "FileNotFoundError", "No such file", "Traceback",
    ]
    assert page.evaluate("pywebview.state.name") == "Eva"
    page.evaluate("pywebview.state.name = 'Ada'")
    page.wait_for_function("window.updated")
    assert page.evaluate("updated") == {"key": "name", "value": "Ada"}
