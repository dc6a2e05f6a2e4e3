"""The preset of cordova-plugin-purchase: a page with a stand-in for the plugin's script, and for Cordova's exec."""

import base64

import pytest

import preset_pages
from preset_pages import CORDOVA
from sold_products import COINS, MONTHLY, STICKER

#: What the plugin's script has for native: it notes what native says.
PAGE = """<!doctype html><title>App</title><script>%s
window.log = [];
window.storekit = {
  transactionUpdated: (state, code, text, id, product, receipt, original, date, discount, quantity) =>
    void log.push({ state: state.replace("PaymentTransactionState", ""), code, id, product, original, discount }),
  lastTransactionUpdated: () => void log.push("last"),
  restoreCompletedTransactionsFinished: () => void log.push("restored"),
  restoreCompletedTransactionsFailed: (code) => void log.push(code),
};
window.validate = async (change = {}) => {
  const [appStoreReceipt, id] = (await plugin("appStoreReceipt")).value;
  const body = { id, type: "application", transaction: { type: "ios-appstore", id: "appstore.application", appStoreReceipt }, ...change };
  const headers = { "Content-Type": "application/json;charset=UTF-8" };
  return (await fetch("/__footbridge/cordova-purchase/validator", { method: "POST", headers, body: JSON.stringify(body) })).json();
};
window.plugin = (action, ...args) => new Promise((resolve, reject) => exec(resolve, reject, "InAppPurchase", action, args))
  .then((value) => ({ value }), (error) => ({ error }));
</script>""" % CORDOVA


SECTION = "bridges: { app: { preset: cordova-purchase, answers: { Echo.say: { reply: hello } } } }"


class App(preset_pages.App):
    """A page of a session with an account, on the plugin that is set up."""

    started = "plugin('setup').then(({ error }) => { if (error) throw Error(error); })"

    def plugin(self, action, *args):
        return self.page.evaluate("([action, args]) => plugin(action, ...args)", [action, list(args)])

    def heard(self, count):
        """Waits until native has said so much, and returns the last of it."""
        self.page.wait_for_function("count => log.length >= count", arg=count)
        return self.page.evaluate("log.at(-1)")


start, shown, approved = preset_pages.shop_fixtures(PAGE, SECTION)


def test_the_plugin_loads_products_and_names_the_invalid_ones(shown, page):
    app = App(shown, page)
    [products, invalid] = app.plugin("load", [MONTHLY, "unknown", COINS])["value"]
    assert (invalid, [product["id"] for product in products]) == (["unknown"], [MONTHLY, COINS])
    monthly = products[0]
    assert {name: monthly[name] for name in ("price", "priceMicros", "billingPeriod", "billingPeriodUnit", "introPricePaymentMode", "group", "countryCode")} == {
        "price": "$4.99", "priceMicros": 4990000, "billingPeriod": 1, "billingPeriodUnit": "Month", "introPricePaymentMode": "FreeTrial", "group": "pro",
        "countryCode": "USA",
    }
    assert [offer["id"] for offer in monthly["discounts"]] == ["half"]
    assert app.plugin("getStorefront") == {"value": "USA"}
    assert "value" in app.plugin("canMakePayments")


def test_a_purchase_is_told_step_by_step_and_finished_by_the_app(shown, page):
    app = App(shown, page)
    assert "not loaded" in app.plugin("purchase", COINS, 1, None, {})["error"]
    app.plugin("load", [COINS])
    assert "value" in app.plugin("purchase", COINS, 1, "eva", {})
    assert app.heard(1)["state"] == "Purchasing"
    app.sheet("Buy")
    bought = app.heard(2)
    assert (bought["state"], bought["product"], bought["code"]) == ("Purchased", COINS, 0)
    assert app("GET", "/purchases")["purchases"][0]["appAccountToken"] == "eva"
    assert "value" in app.plugin("finishTransaction", bought["id"])
    assert app.heard(3)["state"] == "Finished"
    assert app("GET", "/transactions") == {"transactions": []}
    assert "error" in app.plugin("finishTransaction", bought["id"])


def test_a_dismissed_purchase_fails_with_the_code_of_the_plugin(shown, page):
    app = App(shown, page)
    app.plugin("load", [COINS])
    app.plugin("purchase", COINS, 1, None, {})
    app.sheet("Cancel")
    failed = app.heard(2)
    assert (failed["state"], failed["code"]) == ("Failed", 6777006)


def test_unfinished_purchases_are_delivered_and_renewals_follow(approved, page):
    app = App(approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"}, purchases=[{"product": STICKER, "finished": False}])
    assert "value" in app.plugin("processPendingTransactions")
    assert [entry if isinstance(entry, str) else entry["product"] for entry in page.evaluate("log")] == [STICKER, "last"]
    app.plugin("load", [MONTHLY])
    app.plugin("purchase", MONTHLY, 1, None, {})
    first = app.heard(4)
    app("POST", "/clock/advance", {"duration": "P7D"})
    renewed = app.heard(5)
    assert (renewed["state"], renewed["original"]) == ("Purchased", first["id"])
    assert "value" in app.plugin("finishTransaction", renewed["id"])


def test_a_purchase_that_waits_for_approval_is_deferred(approved, page):
    app = App(approved, page, settings={"askToBuy": True})
    app.plugin("load", [COINS])
    app.plugin("purchase", COINS, 1, None, {})
    assert app.heard(2)["state"] == "Deferred"
    [waiting] = app("GET", "/transactions")["transactions"]
    app("POST", f"/transactions/{waiting['id']}/decline")
    assert app.heard(3)["state"] == "Failed"


def test_restoring_delivers_what_the_account_has_and_then_says_so(approved, page):
    app = App(approved, page, purchases=[{"product": STICKER, "finished": True}])
    page.evaluate("exec(null, null, 'InAppPurchase', 'restoreCompletedTransactions', [])")
    assert app.heard(2) == "restored"
    assert page.evaluate("log[0].state") == "Restored"
    [receipt, bundle, *_] = app.plugin("appStoreReceipt")["value"]
    # The receipt is the signed history: a JWS of three parts.
    assert len(base64.b64decode(receipt).decode().split(".")) == 3 and bundle


def test_an_app_with_auto_finish_has_nothing_to_finish(approved, page):
    app = App(approved, page)
    page.evaluate("exec(null, null, 'InAppPurchase', 'autoFinish', [])")
    app.plugin("load", [COINS])
    app.plugin("purchase", COINS, 1, None, {})
    assert app.heard(3)["state"] == "Finished"
    assert app("GET", "/transactions") == {"transactions": []}


def validate(page, **change):
    return page.evaluate("change => validate(change)", change)


def collection(page):
    """What the validator says the account has, by product."""
    answer = validate(page)
    assert answer["ok"] is True and answer["data"]["latest_receipt"] is True
    return {purchase["id"]: purchase for purchase in answer["data"]["collection"]}


def test_the_validator_answers_with_what_the_account_has(approved, page):
    bought = [{"product": STICKER, "finished": True}, {"product": COINS, "finished": True}, {"product": COINS, "finished": False}]
    app = App(approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"}, purchases=bought)
    app.plugin("load", [MONTHLY])
    app.plugin("purchase", MONTHLY, 1, None, {})
    app.heard(2)
    answer = validate(page)
    assert (answer["ok"], answer["data"]["id"]) == (True, app.plugin("appStoreReceipt")["value"][1])
    assert answer["data"]["transaction"]["type"] == "ios-appstore"
    purchases = collection(page)
    # Of the two coins, the receipt has those that are not finished.
    assert len(answer["data"]["collection"]) == 3 and set(purchases) == {STICKER, COINS, MONTHLY}
    monthly = purchases[MONTHLY]
    assert {name: monthly[name] for name in ("platform", "expiryDate", "isExpired", "renewalIntent", "isTrialPeriod", "isIntroPeriod")} == {
        "platform": "ios-appstore", "expiryDate": 1894060800000, "isExpired": False, "renewalIntent": "Renew", "isTrialPeriod": True,
        "isIntroPeriod": False,
    }
    assert "isExpired" not in purchases[STICKER]


def test_the_validator_knows_renewals_expired_subscriptions_and_refunds(approved, page):
    app = App(approved, page, clock={"frozen": True, "now": "2030-01-01T00:00:00Z"}, purchases=[{"product": STICKER, "finished": True}])
    app.plugin("load", [MONTHLY])
    app.plugin("purchase", MONTHLY, 1, None, {})
    first = app.heard(2)["id"]
    app("POST", "/clock/advance", {"duration": "P7D"})
    renewed = collection(page)[MONTHLY]
    assert renewed["purchaseId"] == first != renewed["transactionId"] and renewed["lastRenewalDate"] > renewed["purchaseDate"]
    assert validate(page, id=MONTHLY, type="paid subscription")["data"]["id"] == MONTHLY
    app("POST", f"/purchases/{first}/cancel")
    assert collection(page)[MONTHLY]["renewalIntent"] == "Lapse"
    app("POST", "/clock/advance", {"duration": "P1M"})
    assert collection(page)[MONTHLY]["isExpired"] is True
    refusal = validate(page, id=MONTHLY, type="paid subscription")
    assert (refusal["ok"], refusal["code"]) == (False, 6778003)
    [sticker] = [order for order in app("GET", "/purchases")["purchases"] if order["product"] == STICKER]
    app("POST", f"/purchases/{sticker['id']}/refund")
    assert (collection(page)[STICKER]["isExpired"], collection(page)[STICKER]["cancelationReason"]) == (True, "Customer")


@pytest.mark.parametrize(("change", "words"), [
    ({"transaction": {"type": "android-playstore"}}, "no transaction of the type ios-appstore"),
    ({"transaction": {"type": "ios-appstore", "appStoreReceipt": 7}}, "no transaction of the type ios-appstore"),
    ({"transaction": {"type": "ios-appstore", "appStoreReceipt": "AAAA"}}, "none that this app has got"),
])
def test_the_validator_refuses_what_is_no_receipt(approved, page, change, words):
    App(approved, page)
    refusal = validate(page, **change)
    assert (refusal["ok"], refusal["code"]) == (False, 6778001)
    assert words in refusal["message"]


def test_the_validator_refuses_the_receipt_of_another_session(approved, page, new_context):
    other = App(approved, new_context().new_page(), purchases=[{"product": STICKER, "finished": True}])
    [receipt, *_] = other.plugin("appStoreReceipt")["value"]
    App(approved, page)
    refusal = validate(page, transaction={"type": "ios-appstore", "appStoreReceipt": receipt})
    assert (refusal["code"], refusal["message"]) == (6778001, "The receipt has orders that the account does not have.")


def test_the_validator_fails_as_a_test_has_set(approved, page):
    app = App(approved, page, purchases=[{"product": STICKER, "finished": True}])
    [receipt, *_] = app.plugin("appStoreReceipt")["value"]
    app("PATCH", "/settings", {"calls": {"getSignedInAppsHistory": {"error": "connectionError"}}})
    refusal = validate(page, transaction={"type": "ios-appstore", "appStoreReceipt": receipt})
    assert (refusal["ok"], refusal["code"]) == (False, 6778002)


def test_the_validator_answers_only_pages_of_a_session(approved):
    control = approved.control()
    control.url = approved.url + "/__footbridge/cordova-purchase"
    assert control.request("POST", "/validator", {}).status == 404
    assert control.request("GET", "/validator").status == 405
    assert control.request("POST", "/validatorx", {}).status == 404
