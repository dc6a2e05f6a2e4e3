"""The preset of Adapty's SDK: a page written from its quick start for Capacitor, with a stand-in for the scripts of both vendors."""

import preset_pages
from preset_pages import CAPACITOR
from sold_products import COINS, MONTHLY, STICKER, YEARLY

#: What Adapty's script does with its plugin: one method, whose arguments and answers are JSON text.
STAND_IN = CAPACITOR + """
const native = registerPlugin("AdaptyCapacitorPlugin");
const request = async (method, members) => {
  const { crossPlatformJson } = await native.handleMethodCall({ methodName: method, args: JSON.stringify({ method, ...members }) });
  const { success, error } = JSON.parse(crossPlatformJson);
  if (error) throw Object.assign(new Error(error.message), { adaptyCode: error.adapty_code });
  return success;
};
const adapty = {
  activate: (api_key) => request("activate", { configuration: { api_key, cross_platform_sdk_name: "capacitor", cross_platform_sdk_version: "3.17.1" } }),
  getPaywall: (placement_id) => request("get_paywall", { placement_id, load_timeout: 5, fetch_policy: { type: "reload_revalidating_cache_data" } }),
  getPaywallProducts: (paywall) => request("get_paywall_products", { paywall }),
  makePurchase: ({ subscription, ...product }) =>
    request("make_purchase", { product: { ...product, subscription_offer_identifier: subscription?.offer?.offer_identifier } }),
  getProfile: () => request("get_profile"),
  restorePurchases: () => request("restore_purchases"),
  onLatestProfileLoad: (hear) => native.addListener("did_load_latest_profile", ({ data }) => hear(JSON.parse(data).profile)),
};
"""

#: The app.
PAGE = """<!doctype html><title>App</title>
<h1></h1><ul></ul><button id="restore">Restore</button><output></output>
<script>%s</script>
<script>
const say = (text) => document.querySelector("output").textContent = text;
const show = ({ paid_access_levels }) => document.querySelector("h1").textContent = paid_access_levels.premium?.is_active ? "Premium" : "Free";
window.updates = [];
async function start() {
  await adapty.activate("public_live_test");
  adapty.onLatestProfileLoad((profile) => { updates.push(profile); show(profile); });
  show(await adapty.getProfile());
  const paywall = await adapty.getPaywall("home");
  for (const product of await adapty.getPaywallProducts(paywall)) {
    const item = document.querySelector("ul").appendChild(document.createElement("li"));
    const button = item.appendChild(document.createElement("button"));
    button.textContent = `${product.localized_title} ${product.price.localized_string}`;
    button.onclick = async () => {
      try {
        const result = await adapty.makePurchase(product);
        if (result.type === "success") show(result.profile);
        say(result.type);
      } catch (error) {
        say(`${error.adaptyCode} ${error.message}`);
      }
    };
  }
  document.querySelector("#restore").onclick = async () => show(await adapty.restorePurchases());
}
window.started = start();
</script>""" % STAND_IN

SECTION = """
bridges:
  app:
    preset: adapty
    options:
      placements:
        home: [%s, %s, %s, unknown]
        sale: { name: Summer, remoteConfig: { color: red }, products: [{ product: %s, promotionalOffer: half, winBackOffer: back }] }
        empty: [unknown]
      accessLevels: { premium: [%s, %s], sticker: %s }
""" % (MONTHLY, YEARLY, COINS, MONTHLY, MONTHLY, YEARLY, STICKER)


class App(preset_pages.App):
    update = "{ paid_access_levels: levels }"

    def request(self, method, **members):
        """Sends a request to native, and returns its answer, or the code of its error."""
        return self.page.evaluate(
            "([method, members]) => request(method, members).catch((error) => error.adaptyCode ?? String(error))", [method, members])

    def products(self, placement="sale"):
        return self.request("get_paywall_products", paywall=self.request("get_paywall", placement_id=placement))

    def buy(self, product):
        offer = product.get("subscription", {}).get("offer", {}).get("offer_identifier")
        return self.request("make_purchase", product={**product, "subscription_offer_identifier": offer})


start, shown, approved = preset_pages.shop_fixtures(PAGE, SECTION)


def test_a_page_buys_a_product_of_a_paywall(shown, page):
    app = App(shown, page)
    app.expect("Free", "h1")
    assert page.locator("li").all_text_contents() == ["Pro Monthly $4.99", "Pro Yearly $39.99", "Coins $0.99"]
    page.get_by_role("button", name="Pro Yearly").click()
    app.sheet("Buy")
    app.expect("success")
    app.expect("Premium", "h1")
    # The SDK finishes its transactions.
    assert app("GET", "/transactions") == {"transactions": []}


def test_a_dismissed_purchase_is_cancelled_by_the_user(shown, page):
    app = App(shown, page)
    page.get_by_role("button", name="Coins").click()
    app.sheet("Cancel")
    app.expect("user_cancelled")


def test_a_purchase_that_waits_for_approval_is_pending_and_the_listener_hears_the_decision(approved, page):
    app = App(approved, page, settings={"askToBuy": True})
    page.get_by_role("button", name="Pro Monthly").click()
    app.expect("pending")
    [waiting] = app("GET", "/transactions")["transactions"]
    app("POST", f"/transactions/{waiting['id']}/approve")
    app.expect("Premium", "h1")
    assert app("GET", "/transactions") == {"transactions": []}


def test_a_renewal_and_a_refund_reach_the_listener_while_the_page_is_open(approved, page):
    app = App(approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"})
    page.get_by_role("button", name="Pro Monthly").click()
    app.expect("Premium", "h1")
    level = app.request("get_profile")["paid_access_levels"]["premium"]
    assert level == {
        "id": "premium", "is_active": True, "vendor_product_id": MONTHLY, "store": "app_store", "activated_at": "2030-01-01T00:00:00.000+0000",
        "renewed_at": "2030-01-01T00:00:00.000+0000", "starts_at": "2030-01-01T00:00:00.000+0000", "expires_at": "2030-01-08T00:00:00.000+0000",
        "is_lifetime": False, "will_renew": True, "is_in_grace_period": False, "is_refund": False, "active_introductory_offer_type": "free_trial",
    }
    app("POST", "/clock/advance", {"duration": "P7D"})
    renewed = app.hears("levels.premium.renewed_at.startsWith('2030-01-08')")
    assert renewed["paid_access_levels"]["premium"]["expires_at"] == "2030-02-08T00:00:00.000+0000"
    app("POST", f"/subscriptions/{MONTHLY}/cancel")
    cancelled = app.hears("!levels.premium.will_renew")["paid_access_levels"]["premium"]
    assert (cancelled["is_active"], cancelled["cancellation_reason"]) == (True, "voluntarily_cancelled")
    app("POST", f"/purchases/{renewed['subscriptions'][MONTHLY]['vendor_transaction_id']}/refund")
    ended = app.hears("!levels.premium.is_active")["paid_access_levels"]["premium"]
    assert (ended["is_refund"], ended["cancellation_reason"]) == (True, "refund")
    app.expect("Free", "h1")


def test_a_failed_renewal_stays_active_in_its_grace_period(approved, page):
    app = App(
        approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"},
        settings={"billingGracePeriod": True, "gracePeriodSeconds": 86400, "renewalBillingIssues": True})
    page.get_by_role("button", name="Pro Yearly").click()
    app.expect("Premium", "h1")
    app("POST", "/clock/advance", {"duration": "P365D"})
    level = app.hears("levels.premium.is_in_grace_period")["paid_access_levels"]["premium"]
    assert (level["is_active"], level["will_renew"], level["billing_issue_detected_at"]) == (True, False, "2031-01-01T00:00:00.000+0000")
    assert level["cancellation_reason"] == "billing_error"
    app("POST", "/clock/advance", {"duration": "PT25H"})
    assert app.request("get_profile")["paid_access_levels"]["premium"]["is_active"] is False


def test_a_profile_has_what_the_account_has_bought_and_restoring_returns_it(approved, page):
    app = App(approved, page, purchases=[{"product": STICKER, "finished": False}, {"product": COINS, "finished": True}])
    profile = app.request("restore_purchases")
    assert profile["paid_access_levels"]["sticker"]["is_lifetime"] is True
    bought = profile["non_subscriptions"]
    assert (bought[STICKER][0]["is_consumable"], bought[COINS][0]["is_consumable"], profile["subscriptions"]) == (False, True, {})
    assert app("GET", "/transactions") == {"transactions": []}


def test_events_wait_for_the_first_listener(approved, page):
    app = App(approved, page)
    # The page has added its listener after activate, which has loaded a profile.
    assert app.hears("true")["paid_access_levels"] == {}


def test_a_user_is_identified_and_logs_out(approved, page):
    app = App(approved, page)
    first = app.request("get_profile")
    assert "customer_user_id" not in first
    assert app.request("identify", customer_user_id="eva") is True
    eva = app.request("get_profile")
    assert (eva["customer_user_id"], eva["profile_id"]) == ("eva", first["profile_id"])
    assert app.request("update_profile", params={"first_name": "Eva", "custom_attributes": {"team": "red", "level": 5}}) is True
    assert app.request("update_profile", params={"custom_attributes": {"level": None}}) is True
    assert app.request("get_profile")["custom_attributes"] == {"team": "red"}
    assert app.request("update_profile", params={"custom_attributes": {"a b": 1}}) == 3001
    assert app.request("identify", customer_user_id="adam") is True
    adam = app.request("get_profile")
    assert (adam["customer_user_id"], adam["custom_attributes"]) == ("adam", {}) and adam["profile_id"] != eva["profile_id"]
    assert app.request("logout") is True
    assert "customer_user_id" not in app.request("get_profile")
    app.request("identify", customer_user_id="eva")
    assert app.request("get_profile")["profile_id"] == eva["profile_id"]
    assert app.request("identify", customer_user_id="") == 3001


def test_a_paywall_and_its_products_have_the_members_of_the_sdk(approved, page):
    app = App(approved, page)
    paywall = app.request("get_paywall", placement_id="sale", locale="de")
    assert (paywall["paywall_name"], paywall["placement"]["developer_id"], paywall["request_locale"]) == ("Summer", "sale", "de")
    assert paywall["remote_config"] == {"lang": "de", "data": '{"color":"red"}'}
    assert paywall["products"] == [{
        "vendor_product_id": MONTHLY, "adapty_product_id": MONTHLY, "access_level_id": "premium", "product_type": "monthly",
        "promotional_offer_id": "half", "win_back_offer_id": "back",
    }]
    [monthly, yearly, coins] = app.products("home")
    assert monthly["subscription"] == {
        "group_identifier": "pro", "period": {"unit": "month", "number_of_units": 1},
        "offer": {"offer_identifier": {"type": "introductory"}, "phases": [{
            "price": {"amount": 0, "currency_code": "USD", "currency_symbol": "$", "localized_string": "$0.00"},
            "subscription_period": {"unit": "week", "number_of_units": 1}, "number_of_periods": 1, "payment_mode": "free_trial",
        }]},
    }
    assert ("offer" in yearly["subscription"], yearly["product_type"], coins["product_type"]) == (False, "annual", "consumable")
    assert (coins["paywall_product_index"], coins["region_code"], coins["price"]["amount"]) == (2, "US", 0.99)


def test_a_former_subscriber_buys_with_a_promotional_and_a_win_back_offer(approved, page):
    app = App(approved, page)
    [monthly] = app.products()
    assert monthly["subscription"]["offer"]["offer_identifier"] == {"type": "promotional", "id": "half"}
    # The store has the last word: a promotional offer is for present and former subscribers.
    assert app.buy(monthly) == 11
    [monthly, *_] = app.products("home")
    bought = app.buy(monthly)
    assert bought["type"] == "success" and len(bought["apple_jws_transaction"].split(".")) == 3
    app("POST", f"/subscriptions/{MONTHLY}/expire")
    [monthly] = app.products()
    assert monthly["subscription"]["offer"]["offer_identifier"] == {"type": "win_back", "id": "back"}
    level = app.buy(monthly)["profile"]["paid_access_levels"]["premium"]
    assert (level["active_promotional_offer_id"], level["active_promotional_offer_type"]) == ("back", "pay_up_front")


def test_errors_have_the_codes_of_the_sdk(approved, page):
    app = App(approved, page)
    assert app.request("activate", configuration={"api_key": "x"}) == 3005
    assert app.request("get_paywall", placement_id="none") == 2003
    assert app.request("get_paywall") == 2006
    assert app.request("get_paywall_products", paywall=app.request("get_paywall", placement_id="empty")) == 1000
    assert app.buy({"vendor_product_id": "unknown"}) == 1000
    assert app.request("report_transaction", transaction_id="none") == 1030
    assert app.request("adapty_ui_create_paywall_view", paywall={}) == 3001
    assert app.request("get_onboarding", placement_id="home") == 2003
    assert app.request("no_such_method") == 2006
    assert app.plugin("AdaptyCapacitorPlugin", "handleMethodCall", {})["error"] == [None, "methodName is required"]
    app("PATCH", "/settings", {"calls": {"loadProducts": {"error": "connectionError"}}})
    assert app.products("home") == 1002
    app("DELETE", "/settings")
    app("POST", "/relaunch")
    page.goto("about:blank")
    page.goto(approved.url)
    # Another launch: the page activates the SDK again.
    page.evaluate("started")
    assert app.request("is_activated") is True


def test_requests_without_an_effect_are_accepted(approved, page):
    app = App(approved, page)
    assert app.request("update_attribution_data", attribution="{}", source="adjust") is True
    assert app.request("set_integration_identifiers", key_values={"a": "b"}) is True
    assert app.request("log_show_paywall", paywall={}) is True
    assert app.request("set_log_level", value="verbose") is True and app.request("get_log_level") == "verbose"
    assert app.request("get_current_installation_status") == {"status": "not_available"}


def test_each_placement_has_all_products_unless_the_file_says_otherwise(start, page):
    app = App(start("--present", "auto", section="bridges: { app: { preset: adapty } }"), page)
    assert [product["vendor_product_id"] for product in app.products("any")] == [COINS, STICKER, MONTHLY, YEARLY]
    page.get_by_role("button", name="Sticker").click()
    app.expect("Premium", "h1")
