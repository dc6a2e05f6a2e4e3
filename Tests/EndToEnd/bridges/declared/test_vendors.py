"""The presets with the vendors' own scripts, unchanged: `FOOTBRIDGE_VENDORS` names the `node_modules` that has them. Without it, nothing runs.

Modules that apps bundle need `esbuild`, in `PATH` or in `.bin` of that folder."""

import os
import pathlib
import shutil
import subprocess

import pytest

from preset_pages import CORDOVA, Servers
from sold_products import COINS, MONTHLY

VENDORS = os.environ.get("FOOTBRIDGE_VENDORS")

CORDOVA_PURCHASE = """<!doctype html><title>App</title><h1></h1><output></output><script>%s</script><script src="store.js"></script><script>
const { store, ProductType, Platform } = CdvPurchase;
const say = (text) => document.querySelector("output").textContent = text;
store.register([
  { id: "%s", type: ProductType.CONSUMABLE, platform: Platform.APPLE_APPSTORE },
  { id: "%s", type: ProductType.PAID_SUBSCRIPTION, platform: Platform.APPLE_APPSTORE },
]);
store.validator = `${location.origin}/__footbridge/cordova-purchase/validator`;
store.when()
  .verified((receipt) => receipt.finish())
  .unverified(({ payload }) => say(`Unverified ${payload.code}`))
  .productUpdated((product) => document.querySelector("h1").textContent += `${product.id} ${product.pricing.price} `)
  .approved((transaction) => transaction.verify())
  .finished((transaction) => say(`Finished ${transaction.products[0].id}`));
window.buy = (id) => store.get(id, Platform.APPLE_APPSTORE).getOffer().order().then((error) => error && say(`Failed ${error.code}`));
window.started = store.initialize([Platform.APPLE_APPSTORE]);
</script>""" % (CORDOVA, COINS, MONTHLY)


def script(path):
    """A file of a vendor. The test skips without it."""
    if not VENDORS:
        pytest.skip("The vendors' scripts are not here: make test-vendors names their folder.")
    file = pathlib.Path(VENDORS) / path
    if not file.is_file():
        pytest.skip(f"FOOTBRIDGE_VENDORS has no {path}.")
    return file.read_bytes()


def bundle(path):
    """What a bundler makes of a module of a vendor, as the variable `vendor`. The test skips without the module, or without `esbuild`."""
    script(path)
    program = shutil.which("esbuild", path=os.pathsep.join([os.environ["PATH"], f"{VENDORS}/.bin"]))
    if not program:
        pytest.skip("There is no esbuild.")
    command = [program, path, "--bundle", "--format=iife", "--global-name=vendor", "--log-level=error"]
    return subprocess.run(command, cwd=VENDORS, capture_output=True, check=True, timeout=60).stdout


@pytest.fixture
def servers(tmp_path_factory):
    with Servers(tmp_path_factory) as servers:
        yield servers


def press(page, button):
    page.get_by_role("dialog").get_by_role("button", name=button).click()


def test_the_script_of_cordova_plugin_purchase_buys(servers, page):
    server = servers.start(
        CORDOVA_PURCHASE, "bridges: { app: { preset: cordova-purchase } }", sells=True,
        files={"store.js": script("cordova-plugin-purchase/www/store.js")})
    server.api.enter(page.context, server.api.session(account="built-in"))
    page.goto(server.url)
    page.evaluate("started.then(() => {})")
    page.wait_for_function("document.querySelector('h1').textContent.includes('$0.99')")
    for product in (COINS, MONTHLY):
        page.evaluate("product => void buy(product)", product)
        press(page, "Buy")
        page.wait_for_function("text => document.querySelector('output').textContent === text", arg=f"Finished {product}")
    page.evaluate("product => void buy(product)", COINS)
    press(page, "Cancel")
    page.wait_for_function("() => document.querySelector('output').textContent === 'Failed 6777006'")


NATIVE_BRIDGE, CAPACITOR = "@capacitor/ios/Capacitor/Capacitor/assets/native-bridge.js", "@capacitor/core/dist/capacitor.js"


def open_capacitor(servers, page, plugin, app, section, **options):
    """Opens an app of Capacitor, with the text of the vendor's plugin and this script, in a session with an account."""
    scripts = {"native-bridge.js": script(NATIVE_BRIDGE), "capacitor.js": script(CAPACITOR), "plugin.js": plugin}
    document = """<!doctype html><title>App</title><h1></h1><output></output>
      <script src="capacitor.js"></script><script src="plugin.js"></script><script>%s</script>""" % app
    server = servers.start(document, "bridges:\n  app:\n    scripts: [site/native-bridge.js]\n" + section, sells=True, files=scripts)
    session = server.api.session(account="built-in", **options)
    server.api.enter(page.context, session)
    page.goto(server.url)
    return lambda method, path, body=None: server.api(method, f"/sessions/{session['id']}{path}", body)


REVENUECAT = """
const { Purchases, PURCHASES_ERROR_CODE } = vendor;
window.updates = [];
window.start = async () => {
  await Purchases.configure({ apiKey: "appl_test", appUserID: null });
  await Purchases.addCustomerInfoUpdateListener(({ entitlements }) => updates.push(Object.keys(entitlements.active)));
  const { current } = await Purchases.getOfferings();
  window.packages = current.availablePackages;
  return packages.map(({ identifier, product }) => [identifier, product.priceString, product.introPrice?.price ?? null]);
};
window.buy = (number) => Purchases.purchasePackage({ aPackage: packages[number] }).then(
  ({ customerInfo, productIdentifier }) => [productIdentifier, Object.keys(customerInfo.entitlements.active)],
  ({ code }) => code === PURCHASES_ERROR_CODE.PURCHASE_CANCELLED_ERROR ? "cancelled" : code);
window.logIn = async () => {
  const { created } = await Purchases.logIn({ appUserID: "eva" });
  await Purchases.setEmail({ email: "eva@shop.example" });
  return [created, (await Purchases.getAppUserID()).appUserID];
};
"""


def test_the_module_of_revenuecat_buys_and_hears_of_a_refund(servers, page):
    call = open_capacitor(servers, page, bundle("@revenuecat/purchases-capacitor/dist/esm/index.js"), REVENUECAT, f"""
    preset: revenuecat
    options: {{ offerings: {{ default: [{MONTHLY}, {{ id: coins, product: {COINS} }}] }}, entitlements: {{ pro: {MONTHLY} }} }}
""")
    assert page.evaluate("start()") == [["$rc_monthly", "$4.99", 0], ["coins", "$0.99", None]]
    for number, button, result in [(1, "Cancel", "cancelled"), (1, "Buy", [COINS, []]), (0, "Buy", [MONTHLY, ["pro"]])]:
        page.evaluate("number => void (window.bought = buy(number))", number)
        press(page, button)
        assert page.evaluate("bought") == result
    assert page.evaluate("Purchases.restorePurchases().then(({ customerInfo }) => customerInfo.activeSubscriptions)") == [MONTHLY]
    [order] = [order for order in call("GET", "/purchases")["purchases"] if order["product"] == MONTHLY]
    call("POST", f"/purchases/{order['id']}/refund")
    page.wait_for_function("updates.length && !updates.at(-1).length")
    assert page.evaluate("logIn()") == [True, "eva"]


ADAPTY = """
const { adapty } = capacitorAdaptyCapacitorPlugin;
window.levels = [];
window.start = async () => {
  await adapty.activate({ apiKey: "public_live_test", params: { customerUserId: "eva" } });
  await adapty.addListener("onLatestProfileLoad", ({ profile }) => levels.push(profile.accessLevels?.premium?.isActive ?? false));
  const paywall = await adapty.getPaywall({ placementId: "home" });
  window.products = await adapty.getPaywallProducts({ paywall });
  return products.map(({ localizedTitle, price, subscription }) => [localizedTitle, price.localizedString, subscription?.offer?.identifier.type ?? null]);
};
window.buy = async (number) => {
  const result = await adapty.makePurchase({ product: products[number] });
  return [result.type, result.profile?.accessLevels?.premium?.isActive ?? null];
};
"""


def test_the_script_of_adapty_buys_and_hears_of_a_refund(servers, page):
    call = open_capacitor(servers, page, script("@adapty/capacitor/dist/plugin.js"), ADAPTY, f"""
    preset: adapty
    options: {{ placements: {{ home: [{MONTHLY}, {COINS}] }}, accessLevels: {{ premium: {MONTHLY} }} }}
""")
    assert page.evaluate("start()") == [["Pro Monthly", "$4.99", "introductory"], ["Coins", "$0.99", None]]
    for number, button, result in [(1, "Cancel", ["user_cancelled", None]), (0, "Buy", ["success", True])]:
        page.evaluate("number => void (window.bought = buy(number))", number)
        press(page, button)
        assert page.evaluate("bought") == result
    page.wait_for_function("levels.at(-1) === true")
    [order] = [order for order in call("GET", "/purchases")["purchases"] if order["product"] == MONTHLY]
    call("POST", f"/purchases/{order['id']}/refund")
    page.wait_for_function("levels.at(-1) === false")
    assert page.evaluate("adapty.getProfile().then(({ customerUserId, accessLevels }) => [customerUserId, accessLevels.premium.isRefund])") == ["eva", True]
    assert page.evaluate("adapty.getPaywall({ placementId: 'none' }).catch(({ adaptyCode }) => adaptyCode)") == 2003


QONVERSION = """
const { Qonversion, QonversionConfigBuilder, LaunchMode } = capacitorQonversion;
window.updates = [];
window.start = async () => {
  Qonversion.initialize(new QonversionConfigBuilder("key", LaunchMode.SUBSCRIPTION_MANAGEMENT)
    .setEntitlementsUpdateListener({ onEntitlementsUpdated: (entitlements) => updates.push(entitlements.get("premium")?.isActive ?? false) }).build());
  window.qonversion = Qonversion.getSharedInstance();
  const offerings = await qonversion.offerings();
  window.products = offerings.main.products;
  return products.map(({ qonversionId, prettyPrice, type }) => [qonversionId, prettyPrice, type]);
};
window.buy = async (number) => {
  const result = await qonversion.purchase(products[number]);
  return [result.status, result.entitlements?.get("premium")?.isActive ?? null];
};
"""


def test_the_script_of_qonversion_buys_and_hears_of_a_refund(servers, page):
    call = open_capacitor(servers, page, script("@qonversion/capacitor-plugin/dist/plugin.js"), QONVERSION, f"""
    preset: qonversion
    options: {{ products: {{ month: {MONTHLY}, coins: {COINS} }}, offerings: {{ main: [month, coins] }}, entitlements: {{ premium: month }} }}
""")
    assert page.evaluate("start()") == [["month", "$4.99", "Trial"], ["coins", "$0.99", "InApp"]]
    for number, button, result in [(1, "Cancel", ["UserCanceled", None]), (0, "Buy", ["Success", True])]:
        page.evaluate("number => void (window.bought = buy(number))", number)
        press(page, button)
        assert page.evaluate("bought") == result
    [order] = [order for order in call("GET", "/purchases")["purchases"] if order["product"] == MONTHLY]
    call("POST", f"/purchases/{order['id']}/refund")
    page.wait_for_function("updates.at(-1) === false")
    assert page.evaluate("qonversion.identify('eva').then(({ identityId }) => identityId)") == "eva"
    assert page.evaluate("qonversion.remoteConfig().catch(({ code }) => code)") == "RemoteConfigurationNotAvailable"


def open_wire(servers, page, preset, document, answers, files, options="{}", user_agent=None):
    """Opens a page with a vendor's scripts on a preset that is only a wire."""
    agent = f"    userAgent: {user_agent}\n" if user_agent else ""
    section = f"bridges:\n  app:\n    preset: {preset}\n    options: {options}\n{agent}    answers:\n{answers}"
    page.goto(servers.start(f"<!doctype html><title>App</title>{document}", section, files=files).url)


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
""", files, user_agent='"Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.44"')
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
