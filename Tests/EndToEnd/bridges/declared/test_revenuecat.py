"""The preset of RevenueCat's SDK: a page written from its quick start for Capacitor, with a stand-in for the scripts of both vendors."""

import json

import pytest

import preset_pages
from footbridge_process import serve
from preset_pages import CAPACITOR
from sold_products import COINS, MONTHLY, STICKER, YEARLY

#: The app.
PAGE = """<!doctype html><title>App</title>
<h1></h1><ul></ul><button id="restore">Restore</button><output></output>
<script>%s</script>
<script>
const Purchases = registerPlugin("Purchases");
const say = (text) => document.querySelector("output").textContent = text;
const show = ({ entitlements }) => document.querySelector("h1").textContent = entitlements.active.pro ? "Pro" : "Free";
window.updates = [];
async function start() {
  await Purchases.configure({ apiKey: "appl_test", appUserID: null });
  Purchases.addCustomerInfoUpdateListener((info) => { updates.push(Object.keys(info.entitlements.active)); show(info); });
  show((await Purchases.getCustomerInfo()).customerInfo);
  const { current } = await Purchases.getOfferings();
  for (const aPackage of current.availablePackages) {
    const item = document.querySelector("ul").appendChild(document.createElement("li"));
    const button = item.appendChild(document.createElement("button"));
    button.textContent = `${aPackage.identifier} ${aPackage.product.priceString}`;
    button.onclick = async () => {
      try {
        const { customerInfo, productIdentifier } = await Purchases.purchasePackage({ aPackage });
        show(customerInfo);
        say(`Bought ${productIdentifier}`);
      } catch (error) {
        say(error.code === "1" ? "Cancelled" : error.code === "20" ? "Pending" : `${error.code} ${error.message}`);
      }
    };
  }
  document.querySelector("#restore").onclick = async () => show((await Purchases.restorePurchases()).customerInfo);
}
window.started = start();
</script>""" % CAPACITOR

SECTION = """
bridges:
  app:
    preset: revenuecat
    options:
      plugins: { Device: [getInfo] }
      offerings:
        default: { description: All that we sell, metadata: { color: red }, packages: [%s, %s, { id: coins, product: %s }, unknown] }
        sale: [%s]
      placements: { home: sale }
      entitlements: { pro: [%s, %s], sticker: %s }
    answers:
      Device.getInfo: { reply: { model: iPhone } }
""" % (MONTHLY, YEARLY, COINS, YEARLY, MONTHLY, YEARLY, STICKER)


class App(preset_pages.App):
    """The app in a session with an account of the store."""

    def call(self, method, options=None, plugin="Purchases"):
        """Calls a method of a plugin, and returns what it resolves with, or its error."""
        return self.plugin(plugin, method, options)

    def info(self):
        return self.call("getCustomerInfo")["customerInfo"]

    def package(self, number=0):
        return self.call("getOfferings")["current"]["availablePackages"][number]


start, shown, approved = preset_pages.shop_fixtures(PAGE, SECTION)


def test_a_page_buys_a_package_of_the_present_offering(shown, page):
    app = App(shown, page)
    app.expect("Free", "h1")
    assert page.locator("li").all_text_contents() == ["$rc_monthly $4.99", "$rc_annual $39.99", "coins $0.99"]
    page.get_by_role("button", name="$rc_annual").click()
    app.sheet("Buy")
    app.expect(f"Bought {YEARLY}")
    app.expect("Pro", "h1")
    # The SDK finishes its transactions, and tells the listener.
    assert app("GET", "/transactions") == {"transactions": []}
    assert page.evaluate("updates.at(-1)") == ["pro"]


def test_a_dismissed_purchase_has_the_code_of_a_cancelled_one(shown, page):
    app = App(shown, page)
    page.get_by_role("button", name="coins").click()
    app.sheet("Cancel")
    app.expect("Cancelled")


def test_a_purchase_that_waits_for_approval_is_pending_and_the_listener_hears_the_decision(approved, page):
    app = App(approved, page, settings={"askToBuy": True})
    page.get_by_role("button", name="$rc_monthly").click()
    app.expect("Pending")
    [waiting] = app("GET", "/transactions")["transactions"]
    app("POST", f"/transactions/{waiting['id']}/approve")
    app.expect("Pro", "h1")
    assert app("GET", "/transactions") == {"transactions": []}


def test_a_renewal_and_a_refund_reach_the_listener_while_the_page_is_open(approved, page):
    app = App(approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"})
    page.get_by_role("button", name="$rc_monthly").click()
    app.expect("Pro", "h1")
    entitlement = app.info()["entitlements"]["active"]["pro"]
    assert {name: entitlement[name] for name in ("periodType", "willRenew", "expirationDate", "store", "productIdentifier")} == {
        "periodType": "TRIAL", "willRenew": True, "expirationDate": "2030-01-08T00:00:00Z", "store": "APP_STORE", "productIdentifier": MONTHLY,
    }
    heard = page.evaluate("updates.length")
    app("POST", "/clock/advance", {"duration": "P7D"})
    page.wait_for_function("count => updates.length > count", arg=heard)
    info = app.info()
    assert info["entitlements"]["active"]["pro"]["periodType"] == "NORMAL"
    assert (info["activeSubscriptions"], info["latestExpirationDate"], info["firstSeen"]) == ([MONTHLY], "2030-02-08T00:00:00Z", "2030-01-01T00:00:00Z")
    renewed = info["subscriptionsByProductIdentifier"][MONTHLY]
    assert (renewed["isActive"], renewed["price"]) == (True, {"currency": "USD", "amount": 4.99})
    app("POST", f"/subscriptions/{MONTHLY}/cancel")
    page.wait_for_function("() => updates.length > 2")
    assert app.info()["entitlements"]["active"]["pro"]["willRenew"] is False
    app("POST", f"/purchases/{renewed['storeTransactionId']}/refund")
    app.expect("Free", "h1")
    ended = app.info()["entitlements"]
    assert (ended["active"], ended["all"]["pro"]["isActive"]) == ({}, False)


def test_a_failed_renewal_stays_active_in_its_grace_period(approved, page):
    app = App(
        approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"},
        settings={"billingGracePeriod": True, "gracePeriodSeconds": 86400, "renewalBillingIssues": True})
    page.get_by_role("button", name="$rc_annual").click()
    app.expect("Pro", "h1")
    app("POST", "/clock/advance", {"duration": "P365D"})
    app.page.wait_for_function("() => updates.length > 2")
    entitlement = app.info()["entitlements"]["active"]["pro"]
    assert (entitlement["willRenew"], entitlement["billingIssueDetectedAt"]) == (False, "2031-01-01T00:00:00Z")
    app("POST", "/clock/advance", {"duration": "PT25H"})
    assert app.info()["entitlements"]["active"] == {}


def test_earlier_purchases_belong_to_nobody_until_they_are_restored(approved, page):
    app = App(approved, page, purchases=[{"product": STICKER, "finished": True}])
    assert app.info()["allPurchasedProductIdentifiers"] == []
    page.get_by_role("button", name="Restore").click()
    page.wait_for_function("() => updates.some((update) => update.includes('sticker'))")
    info = app.info()
    assert info["allPurchasedProductIdentifiers"] == [STICKER]
    assert [bought["productIdentifier"] for bought in info["nonSubscriptionTransactions"]] == [STICKER]


def test_an_unfinished_purchase_is_delivered_when_the_sdk_is_configured(approved, page):
    app = App(approved, page, purchases=[{"product": STICKER, "finished": False}])
    assert list(app.info()["entitlements"]["active"]) == ["sticker"]
    assert app("GET", "/transactions") == {"transactions": []}


def test_a_user_logs_in_and_out_and_has_what_the_anonymous_one_has_bought(approved, page):
    app = App(approved, page)
    anonymous = app.call("getAppUserID")["appUserID"]
    assert anonymous.startswith("$RCAnonymousID:") and app.call("isAnonymous") == {"isAnonymous": True}
    assert app.call("logOut")["error"][0] == "22"
    page.get_by_role("button", name="$rc_annual").click()
    app.expect("Pro", "h1")
    logged = app.call("logIn", {"appUserID": "eva"})
    assert (logged["created"], list(logged["customerInfo"]["entitlements"]["active"]), logged["customerInfo"]["originalAppUserId"]) == (True, ["pro"], anonymous)
    assert app.call("logIn", {"appUserID": "adam"})["customerInfo"]["entitlements"]["active"] == {}
    back = app.call("logIn", {"appUserID": "eva"})
    assert (back["created"], list(back["customerInfo"]["entitlements"]["active"])) == (False, ["pro"])
    assert app.call("logOut")["customerInfo"]["entitlements"]["active"] == {}
    assert app.call("getAppUserID")["appUserID"] != anonymous
    assert app.call("logIn", {"appUserID": " "})["error"][0] == "14"
    # Users outlive the page and the app.
    page.reload()
    page.evaluate("started")
    assert list(app.call("logIn", {"appUserID": "eva"})["customerInfo"]["entitlements"]["active"]) == ["pro"]


def test_products_have_the_members_of_the_sdk(approved, page):
    app = App(approved, page)
    [monthly, coins] = app.call("getProducts", {"productIdentifiers": [MONTHLY, "unknown", COINS]})["products"]
    assert {name: monthly[name] for name in ("priceString", "subscriptionPeriod", "productType", "pricePerYear", "pricePerMonthString")} == {
        "priceString": "$4.99", "subscriptionPeriod": "P1M", "productType": "AUTO_RENEWABLE_SUBSCRIPTION", "pricePerYear": 59.88, "pricePerMonthString": "$4.99",
    }
    assert monthly["introPrice"] == {
        "price": 0, "priceString": "$0.00", "period": "P1W", "periodUnit": "WEEK", "periodNumberOfUnits": 1, "cycles": 1,
    }
    assert [offer["identifier"] for offer in monthly["discounts"]] == ["half"]
    assert (coins["productCategory"], coins["introPrice"], coins["pricePerMonth"]) == ("NON_SUBSCRIPTION", None, None)
    offerings = app.call("getOfferings")
    assert offerings["current"]["monthly"]["packageType"] == "MONTHLY"
    assert (offerings["current"]["metadata"], list(offerings["all"])) == ({"color": "red"}, ["default", "sale"])
    home = app.call("getCurrentOfferingForPlacement", {"placementIdentifier": "home"})
    assert (home["identifier"], home["annual"]["presentedOfferingContext"]["placementIdentifier"]) == ("sale", "home")
    eligibility = app.call("checkTrialOrIntroductoryPriceEligibility", {"productIdentifiers": [MONTHLY, YEARLY, "unknown"]})
    assert [eligibility[product]["status"] for product in (MONTHLY, YEARLY, "unknown")] == [2, 3, 0]


def test_a_former_subscriber_buys_with_a_promotional_and_a_win_back_offer(approved, page):
    app = App(approved, page)
    package = app.package()
    half = {"product": package["product"], "discount": package["product"]["discounts"][0]}
    assert app.call("getPromotionalOffer", half)["error"][0] == "18"
    assert app.call("purchasePackage", {"aPackage": package})["productIdentifier"] == MONTHLY
    signed = app.call("getPromotionalOffer", half)
    assert (signed["identifier"], app.call("getEligibleWinBackOffersForPackage", {"aPackage": package})) == ("half", {"eligibleWinBackOffers": []})
    app("POST", f"/subscriptions/{MONTHLY}/expire")
    bought = app.call("purchaseDiscountedPackage", {"aPackage": package, "discount": signed})
    assert bought["customerInfo"]["subscriptionsByProductIdentifier"][MONTHLY]["price"]["amount"] == 2.49
    app("POST", f"/subscriptions/{MONTHLY}/expire")
    [back] = app.call("getEligibleWinBackOffersForPackage", {"aPackage": package})["eligibleWinBackOffers"]
    bought = app.call("purchaseProductWithWinBackOffer", {"product": package["product"], "winBackOffer": back})
    assert bought["customerInfo"]["subscriptionsByProductIdentifier"][MONTHLY]["price"]["amount"] == 1.49
    assert app.call("purchaseDiscountedProduct", {"product": package["product"], "discount": {"timestamp": 7}})["error"][0] == "5"


def test_errors_have_the_codes_of_the_sdk(approved, page):
    app = App(approved, page)
    unknown = {"product": {"identifier": "unknown"}}
    assert app.call("purchaseStoreProduct", unknown)["error"][0] == "5"
    package = app.package()
    assert app.call("purchasePackage", {"aPackage": {**package, "identifier": "none"}})["error"][0] == "5"
    assert app.call("purchasePackage", {})["error"] == [None, "The parameter aPackage.identifier is missing."]
    assert app.call("purchaseSubscriptionOption", {})["error"][0] is None
    app("PATCH", "/settings", {"calls": {"loadProducts": {"error": "connectionError"}}})
    assert app.call("getOfferings")["error"][0] == "10"
    app("DELETE", "/settings")
    app("POST", "/rules", {"on": "onside.payment", "then": {"error": "cancelled"}})
    assert app.call("purchasePackage", {"aPackage": package})["error"][0] == "1"


def test_calls_before_configure_and_those_without_an_effect_answer_as_in_the_sdk(approved, page):
    app = App(approved, page)
    for method, options in [("setAttributes", {"team": "red"}), ("setEmail", {"email": "eva@example.com"}), ("invalidateCustomerInfoCache", None)]:
        assert app.call(method, options) == {}
    assert app.call("getStorefront")["countryCode"] == "USA"
    assert app.call("getVirtualCurrencies") == {"virtualCurrencies": {"all": {}}}
    assert app.call("presentPaywall", {}, "RevenueCatUI") == {"result": "ERROR"}
    page.get_by_role("button", name="$rc_annual").click()
    app.expect("Pro", "h1")
    assert app.call("presentPaywallIfNeeded", {"requiredEntitlementIdentifier": "pro"}, "RevenueCatUI") == {"result": "NOT_PRESENTED"}
    # The other plugins of the app are answered as usual.
    assert app.call("getInfo", {}, "Device") == {"model": "iPhone"}
    app("POST", "/relaunch")
    page.goto("about:blank")
    page.add_init_script("addEventListener('DOMContentLoaded', () => {})")
    page.goto(approved.url + "?bare")
    assert app.call("isConfigured") == {"isConfigured": True}


def test_a_catalogue_is_one_offering_unless_the_file_says_otherwise(start, page):
    app = App(start("--present", "auto", section="bridges: { app: { preset: revenuecat } }"), page)
    names = [json.loads(text) for text in page.evaluate("Capacitor.PluginHeaders.map(({ name }) => JSON.stringify(name))")]
    assert names == ["Purchases", "RevenueCatUI"]
    packages = app.call("getOfferings")["current"]["availablePackages"]
    assert [package["identifier"] for package in packages] == [COINS, "$rc_lifetime", "$rc_monthly", "$rc_annual"]


def test_options_of_another_form_prevent_the_start(tmp_path):
    from footbridge_process import StartFailure

    for options, problem in [
        ("{ current: none, offerings: { a: [b] } }", "an offering: a"), ("{ offerings: { a: {} } }", "packages"),
        ("{ offerings: { a: [{ id: b }] } }", "product"), ("{ entitlements: { pro: { a: b } } }", "entitlements.pro"),
    ]:
        (tmp_path / "footbridge.yaml").write_text(f"bridges: {{ app: {{ preset: revenuecat, options: {options} }} }}")
        with pytest.raises(StartFailure) as failure:
            serve("--config", tmp_path / "footbridge.yaml", "--root", tmp_path, "--ephemeral")
        assert problem in failure.value.log
