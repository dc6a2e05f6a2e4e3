"""The presets of stores with the vendors' own scripts, unchanged."""

from preset_pages import CORDOVA
from sold_products import COINS, MONTHLY
from vendor_scripts import bundle, script

CORDOVA_PURCHASE = """<!doctype html><title>App</title><h1></h1><output></output><script>%s</script><script src="store.js"></script><script>
document.addEventListener("deviceready", () => {
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
});
// As cordova.js does: after what scripts have put off, such as the making of `store`.
setTimeout(() => document.dispatchEvent(new Event("deviceready")));
</script>""" % (CORDOVA, COINS, MONTHLY)


def press(page, button):
    page.get_by_role("dialog").get_by_role("button", name=button).click()


def test_the_script_of_cordova_plugin_purchase_buys(servers, page):
    server = servers.start(
        CORDOVA_PURCHASE, "bridges: { app: { preset: cordova-purchase } }", sells=True,
        files={"store.js": script("cordova-plugin-purchase/www/store.js")})
    server.api.enter(page.context, server.api.session(account="built-in"))
    page.goto(server.url)
    page.wait_for_function("window.started?.then(() => true)")
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
