"""The presets of mini apps with the vendors' own scripts, unchanged, in pages as their quick starts have them."""

import base64
import json
import re

import pytest

from vendor_scripts import bundle, open_wire, script

#: What the user agent of a web view on an iPhone begins with.
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"


def test_the_script_of_zoom_calls_and_hears(servers, page):
    files = {"sdk.js": script("@zoom/appssdk/dist/sdk.es.js")}
    open_wire(servers, page, "zoom", """<script type="module">
      import zoomSdk from "./sdk.js";
      window.zoom = zoomSdk;
      window.heard = [];
    </script>""", """
      config: { reply: { clientVersion: "6.0.0", unsupportedApis: [], media: {} } }
      getRunningContext: [{ reply: inMeeting }, { call: onRunningContextChange, args: [{ runningContext: inMainClient }] }]
      openUrl: { error: { message: Not allowed, code: 10027 } }
""", files)
    page.wait_for_function("window.heard")
    assert page.evaluate("zoom.config({ capabilities: ['getRunningContext', 'onRunningContextChange', 'openUrl'], version: '0.16' })")["clientVersion"] == "6.0.0"
    page.evaluate("zoom.onRunningContextChange((event) => void heard.push(event.runningContext))")
    assert page.evaluate("zoom.getRunningContext()") == {"context": "inMeeting"}
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == ["inMainClient"]


def test_the_script_of_comlink_calls_farcaster(servers, page):
    files = {"comlink.js": script("comlink/dist/umd/comlink.js")}
    open_wire(servers, page, "farcaster", """<script src="comlink.js"></script><script>
      window.host = Comlink.wrap({
        postMessage: (data) => ReactNativeWebView.postMessage(JSON.stringify(data)),
        addEventListener: (_, take) => document.addEventListener("FarcasterFrameCallback", take),
        removeEventListener: (_, take) => document.removeEventListener("FarcasterFrameCallback", take),
      });
    </script>""", """
      context: { reply: { user: { fid: 7 } } }
      signIn: { error: rejected_by_user }
      composeCast: { reply: { cast: !from /text } }
      viewProfile: { error: There is no profile }
""", files)
    assert page.evaluate("host.context.then((context) => context)") == {"user": {"fid": 7}}
    assert page.evaluate("host.signIn({ nonce: 'n' })") == {"error": {"type": "rejected_by_user"}}
    assert page.evaluate("host.composeCast({ text: 'hello' })") == {"cast": "hello"}
    assert page.evaluate("host.viewProfile({ fid: 1 }).catch((error) => [error instanceof Error, error.message])") == [True, "There is no profile"]


def test_the_script_of_wechat_is_ready_and_calls(servers, page):
    files = {"jweixin.js": script("jweixin/jweixin-1.6.0.js")}
    open_wire(servers, page, "wechat", """<script src="jweixin.js"></script><script>
      wx.config({ debug: false, appId: "wx1", timestamp: 1, nonceStr: "n", signature: "s", jsApiList: ["getNetworkType"] });
      wx.ready(() => window.isReady = true);
      window.network = () => new Promise((resolve) => wx.getNetworkType({ success: ({ networkType }) => resolve(networkType), fail: ({ errMsg }) => resolve(errMsg) }));
      window.scan = () => new Promise((resolve) => wx.scanQRCode({ success: resolve, cancel: ({ errMsg }) => resolve(errMsg) }));
    </script>""", """
      preVerifyJSAPI: { reply: {} }
      getNetworkType: { reply: { network_type: wifi, err_msg: "network_type:wifi" } }
      scanQRCode: { error: cancel }
""", files, user_agent=f'"{IPHONE} MicroMessenger/8.0.44"')
    page.wait_for_function("window.isReady")
    assert page.evaluate("network()") == "wifi"
    assert page.evaluate("scan()") == "scanQRCode:cancel"


def test_the_script_of_farcaster_is_in_its_app(servers, page):
    files = {"sdk.js": script("@farcaster/miniapp-sdk/dist/index.min.js")}
    open_wire(servers, page, "farcaster", """<script src="sdk.js"></script><script>
      const { sdk } = miniapp;
      window.heard = [];
      sdk.on("miniAppAdded", ({ notificationDetails }) => heard.push(notificationDetails.token));
    </script>""", """
      context: { reply: { user: { fid: 7 }, client: { clientFid: 1, added: false } } }
      ready: [{ reply: null }, { call: miniapp_added, args: [{ notificationDetails: { url: "https://app.example", token: t } }] }]
      signIn: { error: rejected_by_user }
      composeCast: { reply: { cast: !from /text } }
      getCapabilities: { reply: [wallet.getEthereumProvider] }
      ethProviderRequestV2: { reply: { jsonrpc: "2.0", id: !from /id, result: ["0x1"] } }
""", files)
    assert page.evaluate("sdk.isInMiniApp()") is True
    assert page.evaluate("sdk.context.then(({ user }) => user)") == {"fid": 7}
    page.evaluate("sdk.actions.ready()")
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == ["t"]
    assert page.evaluate("sdk.actions.signIn({ nonce: 'n' }).catch(({ name, constructor }) => name)") == "SignIn.RejectedByUser"
    assert page.evaluate("sdk.actions.composeCast({ text: 'hello' })") == {"cast": "hello"}
    assert page.evaluate("sdk.wallet.getEthereumProvider().then((provider) => provider.request({ method: 'eth_accounts' }))") == ["0x1"]


def test_the_script_of_vk_sends_methods_and_hears_events(servers, page):
    files = {"bridge.js": script("@vkontakte/vk-bridge/dist/browser.min.js")}
    open_wire(servers, page, "vk", """<script src="bridge.js"></script><script>
      window.heard = [];
      vkBridge.subscribe(({ detail: { type, data } }) => type === "VKWebAppUpdateConfig" && heard.push(data.appearance));
      window.started = vkBridge.send("VKWebAppInit");
    </script>""", """
      VKWebAppInit: [{ reply: { result: true } }, { call: VKWebAppUpdateConfig, args: [{ appearance: dark }] }]
      VKWebAppGetUserInfo: { reply: { id: !from /user_id, first_name: Eva } }
      VKWebAppGetAuthToken: { reply: { access_token: abc, scope: !from /scope } }
      VKWebAppGetEmail: { error: User denied }
      VKWebAppStorageGet: { reply: { keys: [{ key: a, value: "1" }] } }
""", files)
    assert page.evaluate("started") == {"result": True}
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == ["dark"]
    assert page.evaluate("[vkBridge.isWebView(), vkBridge.isEmbedded(), vkBridge.supports('VKWebAppGetUserInfo')]") == [True, True, True]
    assert page.evaluate("Promise.all(['VKWebAppShare', 'VKWebAppNothing'].map(vkBridge.supportsAsync))") == [True, False]
    assert page.evaluate("vkBridge.send('VKWebAppGetUserInfo', { user_id: 7 })") == {"id": 7, "first_name": "Eva"}
    assert page.evaluate("vkBridge.send('VKWebAppGetAuthToken', { app_id: 1, scope: 'email' })") == {"access_token": "abc", "scope": "email"}
    assert page.evaluate("vkBridge.send('VKWebAppStorageGet', { keys: ['a'] }).then(({ keys }) => keys)") == [{"key": "a", "value": "1"}]
    assert page.evaluate("vkBridge.send('VKWebAppGetEmail').catch(({ error_type, error_data }) => [error_type, error_data.error_reason])") == [
        "client_error", "User denied",
    ]


@pytest.mark.parametrize("name", ["MicrosoftTeams.min.js", "MicrosoftTeams.js"])
def test_the_script_of_teams_starts_and_asks(servers, page, name):
    files = {"teams.js": script(f"@microsoft/teams-js/dist/umd/{name}")}
    open_wire(servers, page, "teams", """<script src="teams.js"></script><script>
      const { app, authentication, clipboard, pages } = microsoftTeams;
      window.heard = [];
      window.started = app.initialize().then(async () => {
        app.registerOnThemeChangeHandler((theme) => heard.push(theme));
        app.notifyAppLoaded();
        await app.notifySuccess();
        return (await app.getContext()).user.userPrincipalName;
      });
      window.ask = (ask) => ask().then((value) => value ?? null, (error) => [error.message ?? error]);
    </script>""", """
      initialize: { reply: [content, ios, !json { apiVersion: 4, supports: { pages: {} } }, "2.0.1"] }
      getContext: [{ reply: { userPrincipalName: eva@acme.example, theme: default, locale: en } }, { call: themeChange, args: [dark] }]
      authentication.getAuthToken: { reply: [true, token] }
      executeDeepLink: { reply: [false, Not allowed] }
      registerHandler: { event: seen }
      appInitialization.appLoaded: { event: loaded }
      appInitialization.success: { event: ready }
""", files)
    assert page.evaluate("started") == "eva@acme.example"
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == ["dark"]
    assert page.evaluate("ask(() => authentication.getAuthToken())") == "token"
    assert page.evaluate("ask(() => app.openLink('https://teams.microsoft.com/l/chat/0/0'))") == ["Not allowed"]


def test_the_script_of_minikit_installs_and_runs_commands(servers, page):
    files = {"minikit.js": bundle("@worldcoin/minikit-js/build/index.js")}
    open_wire(servers, page, "minikit", """<script src="minikit.js"></script><script>
      const { MiniKit } = vendor;
      window.installed = MiniKit.install("app_1");
      window.ask = (ask) => ask().then(({ executedWith, data }) => [executedWith, data], ({ name, code, message }) => [name, code ?? message]);
      window.payment = { reference: "r1", to: "0x0000000000000000000000000000000000000001", tokens: [{ symbol: "WLD", token_amount: "1000000000000000000" }], description: "Tea" };
    </script>""", """
      init: { event: started }
      wallet-auth: { reply: { address: "0x1", message: !from /payload/siweMessage, signature: "0x2", version: 2 } }
      pay: { reply: { transaction_id: t1, reference: !from /payload/reference, from: "0x1", chain: worldchain, timestamp: now } }
      sign-message: { error: user_rejected }
      send-haptic-feedback: { reply: { version: 1 } }
      close-miniapp: { event: closed }
""", files)
    assert page.evaluate("installed") == {"success": True}
    assert page.evaluate("[MiniKit.isInstalled(), MiniKit.isInWorldApp(), MiniKit.deviceProperties.deviceOS]") == [True, True, "ios"]
    by, answer = page.evaluate("ask(() => MiniKit.walletAuth({ nonce: 'abcdefgh1' }))")
    assert (by, answer["address"], "Nonce: abcdefgh1" in answer["message"]) == ("minikit", "0x1", True)
    assert page.evaluate("ask(() => MiniKit.pay(payment))") == [
        "minikit", {"transactionId": "t1", "reference": "r1", "from": "0x1", "chain": "worldchain", "timestamp": "now"},
    ]
    assert page.evaluate("ask(() => MiniKit.signMessage({ message: 'hello' }))") == [
        "SignMessageError", "Sign message failed: user_rejected",
    ]
    assert page.evaluate("ask(() => MiniKit.sendHapticFeedback({ hapticsType: 'impact', style: 'light' }))")[0] == "minikit"
    assert page.evaluate("ask(() => MiniKit.closeMiniApp())") == ["minikit", {"status": "success", "version": 1}]


def test_the_script_of_grab_asks_its_modules(servers, page):
    files = {"sdk.js": script("@grabjs/superapp-sdk/dist/index.js")}
    open_wire(servers, page, "grab", """<script src="sdk.js"></script><script>
      const { ContainerModule, LocaleModule, LocationModule, ProfileModule, SplashScreenModule, StorageModule, UserAttributesModule } = SuperAppSDK;
      window.heard = [];
      window.follow = () => new Promise((resolve) => new LocationModule().observeLocationChange().subscribe({
        next: ({ result }) => heard.push(result.latitude), complete: () => resolve("over"),
      }));
    </script>""", """
      ContainerModule.isConnected: { reply: { connected: true } }
      ContainerModule.setTitle: { reply: true }
      LocaleModule.getLanguageLocaleIdentifier: { reply: en-SG }
      ProfileModule.fetchEmail: { error: { message: Denied, status_code: 403 } }
      StorageModule.getString: { reply: !from /parameters/key }
      SplashScreenModule.dismiss: { reply: true }
      LocationModule.observeLocationChange:
        - { call: [!from /callback], args: [{ status_code: 200, result: { latitude: 1, longitude: 2, lastUpdated: 3, accuracy: 4 } }] }
        - { call: [!from /callback], args: [{ result: { event: STREAM_TERMINATED } }] }
""", files, user_agent='"Grab/5.400.0 (iPhone; iOS 17.0)"')
    assert page.evaluate("new ContainerModule().isConnected()") == {"status_code": 200, "result": {"connected": True}}
    assert page.evaluate("new ContainerModule().setTitle('Home').then(({ status_code }) => status_code)") == 204
    assert page.evaluate("new LocaleModule().getLanguageLocaleIdentifier().then(({ result }) => result)") == "en-SG"
    assert page.evaluate("new ProfileModule().fetchEmail().then(({ status_code, error }) => [status_code, error])") == [403, "Denied"]
    assert page.evaluate("new StorageModule().getString('name').then(({ result }) => result)") == "name"
    assert page.evaluate("[new SplashScreenModule(), new UserAttributesModule()].length") == 2
    assert page.evaluate("new SplashScreenModule().dismiss().then(({ status_code }) => status_code)") == 200
    assert page.evaluate("follow()") == "over"
    assert page.evaluate("heard") == [1]


def test_the_script_of_rakuten_asks_and_hears(servers, page):
    files = {"bridge.js": script("js-miniapp-bridge/build/src/ios/bridge.js"), "sdk.js": script("js-miniapp-sdk/build/miniapp.bundle.js")}
    open_wire(servers, page, "rakuten", """<script src="sdk.js"></script><script>
      const sdk = MiniApp.default;
      window.heard = [];
      addEventListener("miniapppause", ({ detail }) => heard.push(detail.message));
    </script>""", """
      opened: { call: MiniAppBridge.execCustomEventsCallback, args: [miniapppause, background] }
      getMessagingUniqueId: { reply: u1 }
      getHostEnvironmentInfo: { reply: { platformVersion: "17.0", hostVersion: "1", sdkVersion: "5", hostLocale: en, platform: iOS } }
      getUserName: { reply: RXZh }
      getAccessToken: { error: { type: AuthorizationFailureError, message: Denied } }
      setScreenOrientation: { reply: success }
      requestCustomPermissions: { reply: { permissions: [{ name: rakuten.miniapp.user.USER_NAME, status: ALLOWED }] } }
""", files, scripts="[site/bridge.js]")
    page.wait_for_function("heard.length")
    assert page.evaluate("heard") == ["background"]
    assert page.evaluate("sdk.getMessagingUniqueId()") == "u1"
    assert page.evaluate("sdk.getHostEnvironmentInfo().then(({ hostLocale }) => hostLocale)") == "en"
    assert page.evaluate("sdk.user.getUserName()") == "Eva"
    permissions = "[{ name: 'rakuten.miniapp.user.USER_NAME', description: 'name' }]"
    assert page.evaluate(f"sdk.requestCustomPermissions({permissions})") == [{"name": "rakuten.miniapp.user.USER_NAME", "status": "ALLOWED"}]
    assert page.evaluate("sdk.user.getAccessToken('a', { scopes: ['s'] }).catch(({ name, message }) => [name, message])") == [
        "AuthorizationFailureError", "Denied",
    ]
    assert page.evaluate("sdk.setScreenOrientation('rakuten.miniapp.screen.LOCK_PORTRAIT')") == "success"


CONTEXT = {
    "type": "utou", "viewType": "full", "userId": "U1", "endpointUrl": "https://app.example/", "permanentLinkPattern": "concat", "scope": ["profile"],
    "availability": {name: {"permission": True, "minVer": "7.14.0"} for name in ("scanCode", "getAdvertisingId")},
}


def play_line(page):
    """Answers what LIFF asks LINE's servers: the script of client features, which no package has, and the access token with its user."""
    answers = {
        "https://static.line-scdn.net/liff/edge/2/ios-extensions.js": {"content_type": "text/javascript", "body": "window.liffClientExtension = { install() {} };"},
        "https://api.line.me/oauth2/v2.1/verify": {"json": {"client_id": "1234", "expires_in": 3600, "scope": "profile"}},
        "https://api.line.me/v2/profile": {"json": {"userId": "U1", "displayName": "Eva"}},
    }
    headers = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}
    page.route(re.compile(r"^https://"), lambda route: route.fulfill(headers=headers, **answers[route.request.url.split("?")[0]]))


def test_the_script_of_liff_starts_and_calls_the_client(servers, page):
    files = {"liff.js": bundle("@line/liff/dist/lib/index.js")}
    play_line(page)
    payload = base64.urlsafe_b64encode(json.dumps(CONTEXT).encode()).decode().rstrip("=")
    tokens = f"access_token=a&feature_token=f&client_id=1234&context_token=e30.{payload}.s"
    open_wire(servers, page, "liff", """<body><script src="liff.js"></script><script>
      const liff = vendor;
      window.started = liff.init({ liffId: "1234-abcd" }).then(() => liff.ready).then(() => "ready", ({ code, message }) => [code, message]);
    </script>""", """
      scanCode: { reply: { value: "4012345678901" } }
      getAdvertisingId: { error: { code: FORBIDDEN, message: No permission } }
      close: { set: isClosed, value: true }
""", files, launch=f'{{ hash: "{tokens}" }}', user_agent=f'"{IPHONE} Safari/604.1 Line/13.5.0 LIFF"')
    assert page.evaluate("started") == "ready"
    assert page.evaluate("[liff.isInClient(), liff.isLoggedIn(), liff.getOS(), liff.getLineVersion(), liff.getContext().userId]") == [
        True, True, "ios", "13.5.0", "U1",
    ]
    assert page.evaluate("liff.getProfile().then(({ displayName }) => displayName)") == "Eva"
    assert page.evaluate("liff._call('scanCode')") == {"value": "4012345678901"}
    assert page.evaluate("liff._call('getAdvertisingId').catch(({ code }) => code)") == "FORBIDDEN"
    page.evaluate("liff.closeWindow()")
    page.wait_for_function("window.isClosed")
