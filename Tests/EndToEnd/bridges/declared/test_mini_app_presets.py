"""The presets for Farcaster, WeChat, Zoom, LIFF and Airship: pages written from their wires, answered by footbridge.yaml."""

from urllib.parse import quote

from preset_pages import follow

#: What comlink does in the vendor's script.
COMLINK = """
window.heard = [];
const waiting = {};
document.addEventListener("FarcasterFrameCallback", ({ data: { id, type, value } }) => waiting[id]([type, value]));
document.addEventListener("FarcasterFrameEvent", ({ data }) => void heard.push(data));
document.addEventListener("FarcasterFrameEthProviderEvent", ({ data }) => void heard.push(data));
window.post = (message) => new Promise((resolve) => {
  const id = String(Object.keys(waiting).length);
  waiting[id] = resolve;
  ReactNativeWebView.postMessage(JSON.stringify({ id, ...message }));
});
window.host = (name, ...values) => post({ type: "APPLY", path: [name], argumentList: values.map((value) => ({ type: "RAW", value })) });
"""


def test_the_farcaster_preset_answers_calls_by_comlink_and_sends_events(start, page):
    answers = """
      context: { reply: { user: { fid: 7 } } }
      ready: [{ reply: null }, { call: primary_button_clicked }, { call: ethProvider.accountsChanged, args: [["0x1"]] }]
      signIn:
        - { where: { nonce: good }, reply: { message: hello, signature: "0x" } }
        - { error: rejected_by_user }
      signManifest: { error: { type: generic_error, message: No key } }
      viewProfile: { error: There is no profile }
    """
    page.goto(start("farcaster", answers, COMLINK).url)
    assert page.evaluate("post({ type: 'GET', path: ['context'] })") == ["RAW", {"user": {"fid": 7}}]
    assert page.evaluate("host('ready', {})") == ["RAW", None]
    page.wait_for_function("heard.length === 2")
    assert page.evaluate("heard") == [{"event": "primary_button_clicked"}, {"event": "accountsChanged", "params": [["0x1"]]}]
    assert page.evaluate("host('signIn', { nonce: 'good' })") == ["RAW", {"result": {"message": "hello", "signature": "0x"}}]
    assert page.evaluate("host('signIn', { nonce: 'bad' })") == ["RAW", {"error": {"type": "rejected_by_user"}}]
    assert page.evaluate("host('signManifest', {})") == ["RAW", {"error": {"type": "generic_error", "message": "No key"}}]
    [kind, thrown] = page.evaluate("host('viewProfile', { fid: 1 })")
    assert (kind, thrown["value"]["message"]) == ("HANDLER", "There is no profile")
    [kind, thrown] = page.evaluate("post({ type: 'SET', path: ['context'] })")
    assert (kind, thrown["value"]["message"]) == ("HANDLER", "Unsupported SET for context")


def test_the_farcaster_preset_has_the_context_of_its_options(start, page):
    page.goto(start("farcaster", "      {}", COMLINK, options="{ context: { client: { clientFid: 9152 } } }").url)
    assert page.evaluate("post({ type: 'GET', path: ['context'] })") == ["RAW", {"client": {"clientFid": 9152}}]


def test_the_zoom_preset_answers_calls_and_sends_events(start, page):
    script = """
    window.heard = [];
    const waiting = {};
    window.zoomSdk = { native2js: ({ data: { type, name, data } }) =>
      type === "apiResponse" ? waiting[data.jsCallId]([data.result ?? null, data.errorCode ?? null, data.errorMessage ?? null]) : void heard.push([name, data]) };
    window.api = (apiName, data) => new Promise((resolve) => {
      const jsCallId = String(Object.keys(waiting).length);
      waiting[jsCallId] = resolve;
      webkit.messageHandlers.jsOCHelper.postMessage(JSON.stringify({ jsCallId, apiName, data }));
    });
    """
    answers = """
      config: [{ reply: { clientVersion: "6.0.0", unsupportedApis: [] } }, { call: onRunningContextChange, args: [{ runningContext: inMeeting }] }]
      getRunningContext: { reply: inMainClient }
      openUrl: { error: { message: Not allowed, code: 10027 } }
      getUserContext: { error: No user }
    """
    page.goto(start("zoom", answers, script).url)
    assert page.evaluate("api('config', { js_api_lists: [] })") == [{"clientVersion": "6.0.0", "unsupportedApis": []}, None, None]
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [["onRunningContextChange", {"runningContext": "inMeeting"}]]
    assert page.evaluate("api('getRunningContext')") == ["inMainClient", None, None]
    assert page.evaluate("api('openUrl', { url: 'https://example.com' })") == [None, "10027", "Not allowed"]
    assert page.evaluate("api('getUserContext')") == [None, "10000", "No user"]


def test_the_wechat_preset_answers_calls_and_sends_events(start, page):
    script = """
    window.heard = [];
    document.addEventListener("WeixinJSBridgeReady", () => {
      WeixinJSBridge.on("menu:share:timeline", (argument) => void heard.push(argument));
      window.ready = true;
    });
    window.invoke = (name, params) => new Promise((resolve) => WeixinJSBridge.invoke(name, params, resolve));
    """
    answers = """
      getNetworkType: { reply: { networkType: wifi } }
      getBrandWCPayRequest: { error: cancel }
      imagePreview: { error: { message: no image, code: 3 } }
      closeWindow: [{ reply: {} }, { call: "menu:share:timeline", args: [{ scene: 1 }] }]
      miniProgram.navigateTo: { reply: { at: !from /url } }
    """
    page.goto(start("wechat", answers, script, options="{ miniProgram: true, env: { version: '8.0' } }").url)
    page.wait_for_function("window.ready")
    assert page.evaluate("invoke('getNetworkType', {})") == {"err_msg": "getNetworkType:ok", "networkType": "wifi"}
    assert page.evaluate("invoke('getBrandWCPayRequest', {})") == {"err_msg": "getBrandWCPayRequest:cancel"}
    assert page.evaluate("invoke('imagePreview', {})") == {"err_msg": "imagePreview:fail no image", "code": 3}
    assert page.evaluate("invoke('invokeMiniProgramAPI', { name: 'navigateTo', arg: { url: '/a' } })") == {
        "err_msg": "invokeMiniProgramAPI:ok", "at": "/a",
    }
    assert page.evaluate("invoke('closeWindow')") == {"err_msg": "closeWindow:ok"}
    page.wait_for_function("heard.length")
    assert page.evaluate("[heard, WeixinJSBridge.env('version'), __wxjs_environment]") == [[{"scene": 1}], "8.0", "miniprogram"]


def test_the_liff_preset_answers_messages_by_events(start, page):
    script = """
    window.heard = [];
    const waiting = {};
    addEventListener("liffEvent", ({ detail }) => waiting[detail.callbackId]?.(detail) ?? void heard.push(detail));
    window.client = (type, params) => new Promise((resolve) => {
      const callbackId = String(Object.keys(waiting).length);
      waiting[callbackId] = (detail) => { resolve(detail); return true; };
      _liff.postMessage(type, "token", callbackId, JSON.stringify(params));
    });
    """
    answers = """
      scanCode: { reply: { value: !from /params/kind } }
      sendMessages: { error: { code: FORBIDDEN, message: No permission } }
      getProfile: { error: No profile }
      close: { set: wasClosed, value: true }
      subscribe: { call: activityChanged, args: [{ data: { on: true } }] }
    """
    page.goto(start("liff", answers, script).url)
    assert page.evaluate("client('scanCode', { kind: 'qr' })") == {"type": "scanCode", "callbackId": "0", "data": {"value": "qr"}}
    assert page.evaluate("client('sendMessages', {})")["error"] == {"code": "FORBIDDEN", "message": "No permission"}
    assert page.evaluate("client('getProfile', {})")["error"] == {"code": "UNKNOWN", "message": "No profile"}
    page.evaluate("void _liff.postMessage('subscribe', 'token')")
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == [{"type": "activityChanged", "data": {"on": True}}]
    follow(page, "liff://close")
    page.wait_for_function("window.wasClosed")


def test_the_airship_preset_runs_actions_of_scripts_and_links(start, page):
    script = """
    document.addEventListener("ualibraryready", () => window.ready = UAirship.isReady);
    window.run = (name, value) => new Promise((resolve) =>
      UAirship.runAction(name, value, (error, result) => resolve(error ? [error.message] : [null, result])));
    """
    answers = """
      add_tags_action: { reply: { tags: !from "" } }
      share_action: { error: No action found }
      tag_action: { set: tagged, value: !from "" }
      name_action: { set: named, value: !from "" }
      close: { set: closedPage, value: true }
      dismiss: { set: dismissed, value: !from "" }
    """
    page.goto(start("airship", answers, script, options="{ getters: { getNamedUser: eva } }").url)
    page.wait_for_function("window.ready")
    assert page.evaluate("[UAirship.getDeviceModel(), UAirship.getNamedUser(), UAirship.getChannelId()]") == ["iPhone", "eva", None]
    assert page.evaluate("run('add_tags_action', ['a', 'b'])") == [None, {"tags": ["a", "b"]}]
    assert page.evaluate("run('share_action', 'text')") == ["No action found"]
    follow(page, "uairship://run-actions?tag_action=%5B%22a%22%5D")
    page.wait_for_function("window.tagged")
    follow(page, "uairship://run-basic-actions?name_action=eva")
    page.wait_for_function("window.named")
    assert page.evaluate("[tagged, named]") == [["a"], "eva"]
    page.evaluate("UAirship.close(), UAirship.dismiss({ type: 'user_dismissed' })")
    page.wait_for_function("window.closedPage && window.dismissed")
    assert page.evaluate("dismissed") == {"type": "user_dismissed"}


def test_the_airship_preset_obeys_several_commands_and_edits_tags(start, page):
    answers = """
      add_tags_action: { set: added, value: !from "" }
      remove_tags_action: { set: removed, value: !from "" }
      close: { set: closedPage, value: true }
    """
    page.goto(start("airship", answers, "document.addEventListener('ualibraryready', () => window.ready = true);").url)
    page.wait_for_function("window.ready")
    page.evaluate("UAirship.editTags().addTag('tea').removeTag('coffee').apply()")
    page.wait_for_function("window.added && window.removed")
    assert page.evaluate("[added, removed]") == ["tea", "coffee"]
    commands = ["uairship://run-basic-actions?add_tags_action=milk", "uairship://close"]
    follow(page, "uairship://multi?" + "&".join(quote(command, safe="") for command in commands))
    page.wait_for_function("window.closedPage && added === 'milk'")
