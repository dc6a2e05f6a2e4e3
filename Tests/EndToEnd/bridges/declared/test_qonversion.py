"""The preset of Qonversion's SDK: a page written from its quick start for Capacitor, with a stand-in for the scripts of both vendors."""

import preset_pages
from preset_pages import CAPACITOR
from sold_products import COINS, MONTHLY, STICKER, YEARLY

#: The app. The stand-in for the vendor's script calls the plugin as that does.
PAGE = """<!doctype html><title>App</title>
<h1></h1><ul></ul><button id="restore">Restore</button><output></output>
<script>%s</script>
<script>
const qonversion = registerPlugin("Qonversion");
const say = (text) => document.querySelector("output").textContent = text;
const show = (entitlements) => document.querySelector("h1").textContent = entitlements.premium?.active ? "Premium" : "Free";
window.updates = [];
window.deferred = [];
async function start() {
  qonversion.storeSdkInfo({ source: "capacitor", version: "1.8.0" });
  await qonversion.initialize({ projectKey: "key", launchMode: "SubscriptionManagement", environment: "Sandbox", entitlementsCacheLifetime: "Month" });
  qonversion.addListener("entitlementsUpdatedEvent", (entitlements) => { updates.push(entitlements); show(entitlements); });
  qonversion.addListener("deferredPurchaseCompletedEvent", (result) => void deferred.push(result));
  show(await qonversion.checkEntitlements());
  const { main } = await qonversion.offerings();
  for (const product of main.products) {
    const item = document.querySelector("ul").appendChild(document.createElement("li"));
    const button = item.appendChild(document.createElement("button"));
    button.textContent = `${product.id} ${product.prettyPrice}`;
    button.onclick = async () => {
      try {
        const { status, entitlements, error } = await qonversion.purchase({ productId: product.id, quantity: 1, contextKeys: [], promoOffer: {} });
        if (entitlements) show(entitlements);
        say(error ? `${status} ${error.code}` : status);
      } catch (error) {
        say(`${error.code} ${error.message}`);
      }
    };
  }
  document.querySelector("#restore").onclick = async () => show(await qonversion.restore());
}
window.started = start();
</script>""" % CAPACITOR

SECTION = """
bridges:
  app:
    preset: qonversion
    options:
      products: { month: %s, year: %s, coins: %s, sticker: %s, gone: unknown }
      offerings: { all: [month, year, coins, gone], sale: [month] }
      entitlements: { premium: [month, year], sticker: sticker }
      remoteConfig: { color: red }
      remoteConfigs: { paywall: { title: Hello } }
""" % (MONTHLY, YEARLY, COINS, STICKER)


class App(preset_pages.App):
    update = "entitlements"

    def call(self, method, options=None):
        return self.plugin("Qonversion", method, options)

    def buy(self, product, offer=None):
        return self.call("purchase", {"productId": product, "quantity": 1, "contextKeys": [], "promoOffer": offer or {}})


start, shown, approved = preset_pages.shop_fixtures(PAGE, SECTION)


def test_a_page_buys_a_product_of_the_main_offering(shown, page):
    app = App(shown, page)
    app.expect("Free", "h1")
    assert page.locator("li").all_text_contents() == ["month $4.99", "year $39.99", "coins $0.99"]
    page.get_by_role("button", name="year").click()
    app.sheet("Buy")
    app.expect("Success")
    app.expect("Premium", "h1")
    assert app("GET", "/transactions") == {"transactions": []}


def test_a_dismissed_purchase_is_cancelled_by_the_user(shown, page):
    app = App(shown, page)
    page.get_by_role("button", name="coins").click()
    app.sheet("Cancel")
    app.expect("UserCanceled PurchaseCanceled")


def test_a_purchase_that_waits_for_approval_is_pending_and_completes_later(approved, page):
    app = App(approved, page, settings={"askToBuy": True})
    page.get_by_role("button", name="month").click()
    app.expect("Pending")
    [waiting] = app("GET", "/transactions")["transactions"]
    app("POST", f"/transactions/{waiting['id']}/approve")
    app.expect("Premium", "h1")
    page.wait_for_function("deferred.length")
    [result] = page.evaluate("deferred")
    assert (result["status"], result["storeTransaction"]["productId"], result["entitlements"]["premium"]["active"]) == ("Success", MONTHLY, True)


def test_a_renewal_and_a_refund_reach_the_listener_while_the_page_is_open(approved, page):
    app = App(approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"})
    page.get_by_role("button", name="month").click()
    app.expect("Premium", "h1")
    entitlement = app.call("checkEntitlements")["premium"]
    wanted = {
        "id": "premium", "productId": "month", "renewState": "will_renew", "renewsCount": 0, "source": "AppStore", "grantType": "Purchase",
        "trialStartTimestamp": 1893456000000, "expirationTimestamp": 1894060800000,
    }
    assert {name: entitlement[name] for name in wanted} == wanted
    assert [order["type"] for order in entitlement["transactions"]] == ["TrialStarted"]
    app("POST", "/clock/advance", {"duration": "P7D"})
    renewed = app.hears("entitlements.premium.renewsCount === 1")["premium"]
    assert [order["type"] for order in renewed["transactions"]][-1] == "SubscriptionRenewed"
    app("POST", f"/subscriptions/{MONTHLY}/cancel")
    assert app.hears("entitlements.premium.renewState === 'canceled'")["premium"]["active"] is True
    app("POST", f"/purchases/{renewed['transactions'][-1]['transactionId']}/refund")
    app.hears("!entitlements.premium.active")
    app.expect("Free", "h1")


def test_a_failed_renewal_stays_active_in_its_grace_period(approved, page):
    app = App(
        approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"},
        settings={"billingGracePeriod": True, "gracePeriodSeconds": 86400, "renewalBillingIssues": True})
    page.get_by_role("button", name="year").click()
    app.expect("Premium", "h1")
    app("POST", "/clock/advance", {"duration": "P365D"})
    assert app.hears("entitlements.premium.renewState === 'billing_issue'")["premium"]["active"] is True
    app("POST", "/clock/advance", {"duration": "PT25H"})
    assert app.call("checkEntitlements")["premium"]["active"] is False


def test_earlier_purchases_belong_to_nobody_until_they_are_restored(approved, page):
    app = App(approved, page, purchases=[{"product": STICKER, "finished": True}])
    assert app.call("checkEntitlements") == {}
    assert app.call("restore")["sticker"]["renewState"] == "non_renewable"


def test_a_user_is_identified_and_has_properties(approved, page):
    app = App(approved, page)
    first = app.call("userInfo")
    assert first["qonversionId"].startswith("QON_") and "identityId" not in first
    page.get_by_role("button", name="year").click()
    app.expect("Premium", "h1")
    eva = app.call("identify", {"userId": "eva"})
    assert eva == {"qonversionId": first["qonversionId"], "identityId": "eva"}
    assert app.call("checkEntitlements")["premium"]["active"] is True
    app.call("setDefinedUserProperty", {"property": "Email", "value": "eva@example.com"})
    app.call("setCustomUserProperty", {"property": "team", "value": "red"})
    assert app.call("userProperties") == {"properties": [{"key": "_q_email", "value": "eva@example.com"}, {"key": "team", "value": "red"}]}
    assert app.call("identify", {"userId": "adam"})["qonversionId"] != eva["qonversionId"]
    assert app.call("checkEntitlements") == {} and app.call("userProperties") == {"properties": []}
    app.call("logout")
    assert "identityId" not in app.call("userInfo")
    assert app.call("identify", {"userId": "eva"}) == eva
    assert app.call("identify", {"userId": ""})["error"][0] == "InvalidClientUid"


def test_products_offerings_and_configurations_have_the_members_of_the_sdk(approved, page):
    app = App(approved, page)
    products = app.call("products")
    assert sorted(products) == ["coins", "month", "sticker", "year"]
    month = products["month"]
    assert (month["storeId"], month["type"], month["subscriptionPeriod"], month["trialPeriod"]["iso"]) == (
        MONTHLY, "Trial", {"unit": "Month", "unitCount": 1, "iso": "P1M"}, "P1W")
    assert (month["skProduct"]["price"], month["skProduct"]["introductoryPrice"]["paymentMode"]) == ("4.99", 2)
    assert [offer["identifier"] for offer in month["skProduct"]["discounts"]] == ["half"]
    assert (products["coins"]["type"], products["year"]["type"]) == ("InApp", "Subscription")
    offerings = app.call("offerings")
    assert [(offering["id"], offering["tag"]) for offering in offerings["availableOfferings"]] == [("all", 1), ("sale", 0)]
    assert offerings["main"]["products"][0]["offeringId"] == "all"
    eligible = app.call("checkTrialIntroEligibility", {"ids": ["month", "year", "none"]})
    assert [eligible[product]["status"] for product in ("month", "year", "none")] == [
        "intro_or_trial_eligible", "non_intro_or_trial_product", "unknown",
    ]
    assert app.call("remoteConfig", {})["payload"] == {"color": "red"}
    assert app.call("remoteConfig", {"contextKey": "paywall"})["source"]["contextKey"] == "paywall"
    assert len(app.call("remoteConfigList")["remoteConfigs"]) == 2
    wanted = {"contextKeys": ["paywall"], "includeEmptyContextKey": False}
    assert [config["payload"] for config in app.call("remoteConfigList", wanted)["remoteConfigs"]] == [{"title": "Hello"}]


def test_a_former_subscriber_buys_with_a_promotional_offer(approved, page):
    app = App(approved, page)
    app.buy("month")
    app("POST", f"/subscriptions/{MONTHLY}/expire")
    signed = app.call("getPromotionalOffer", {"productId": "month", "discountId": "half"})["paymentDiscount"]
    bought = app.buy("month", {**signed, "productDiscountId": signed["identifier"]})
    assert (bought["status"], bought["storeTransaction"]["promoOfferId"]) == ("Success", "half")
    assert app.call("getPromotionalOffer", {"productId": "month", "discountId": "none"})["error"][0] == "ProductNotFound"


def test_errors_have_the_codes_of_the_sdk(approved, page):
    app = App(approved, page)
    assert app.buy("none")["error"] == ["ProductNotFound", "There is no such product. Qonversion Error Code: ProductNotFound"]
    assert app.call("purchase", {})["error"][0] == "NoNecessaryDataError"
    assert app.call("promoPurchase", {"productId": "month"})["error"][0] == "ProductNotFound"
    assert app.call("remoteConfig", {"contextKey": "none"})["error"][0] == "RemoteConfigurationNotAvailable"
    app("PATCH", "/settings", {"calls": {"loadProducts": {"error": "connectionError"}}})
    assert app.call("products")["error"][0] == "NetworkConnectionFailed"


def test_calls_without_an_effect_answer_as_in_the_sdk(approved, page):
    app = App(approved, page)
    for method, options in [("collectAdvertisingId", None), ("forceSendProperties", None), ("addAttributionData", {"data": {}, "provider": "Adjust"})]:
        assert app.call(method, options) == {}
    assert app.call("isFallbackFileAccessible") == {"success": False}
    assert app.call("attachUserToExperiment", {"experimentId": "a", "groupId": "b"}) == {"success": True}


def test_products_have_their_own_ids_unless_the_file_says_otherwise(start, page):
    app = App(start("--present", "auto", section="bridges: { app: { preset: qonversion } }"), page)
    assert sorted(app.call("products")) == sorted([COINS, STICKER, MONTHLY, YEARLY])
    assert app.call("offerings")["main"]["id"] == "main"
    assert app.call("remoteConfig", {})["error"][0] == "RemoteConfigurationNotAvailable"
