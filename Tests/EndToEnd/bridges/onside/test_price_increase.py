"""A subscription becomes more expensive, if the person consents."""

import pytest

from engines import expect
from footbridge_process import FIXTURES, serve

PRODUCT = "com.rarcher.green"


@pytest.fixture(scope="module")
def server(shop_root):
    with serve("--root", shop_root, "--catalog", FIXTURES / "storehelper-sample.storekit", "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


@pytest.mark.parametrize("button, status, renews", [("Continue at", "agreed", True), ("Decline", "declined", False)])
def test_the_user_answers_the_price_increase_sheet(server, control, new_context, button, status, renews):
    session = control("POST", "/sessions", {"account": "built-in", "purchases": [{"product": PRODUCT}]})
    path = f"/sessions/{session['id']}"
    context = new_context()
    context.add_cookies([session["cookie"]])
    page = context.new_page()
    page.goto(server.url)
    [order] = control("GET", path + "/purchases")["purchases"]
    price = round(order["price"]["value"] + 1, 2)
    [pending] = control("POST", f"{path}/purchases/{order['id']}/price-increase", {"price": price})["subscriptions"]
    assert pending["priceIncrease"] == {"price": {"value": price, "currencyCode": order["price"]["currencyCode"]}, "status": "pending"}
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Without your consent it ends on that day")
    dialog.get_by_role("button", name=button).click()
    expect(dialog).to_have_count(0)
    entry = control("POST", path + "/journal/wait", {"until": {"action": "subscriptions", "data": {
        "subscriptions": {"$contains": {"priceIncrease": {"status": status}}}}}})["entry"]
    assert entry["data"]["subscriptions"][0]["renewsAutomatically"] == renews
    ledger = control("POST", f"{path}/clock/advance", {"duration": "P2M"}) and control("GET", path + "/purchases")
    later = [each["price"]["value"] for each in ledger["purchases"][1:]]
    assert all(each == price for each in later) and bool(later) == renews == bool(ledger["subscriptions"])


def test_a_price_increase_to_a_lower_price_is_refused(control):
    session = control("POST", "/sessions", {"account": "built-in", "purchases": [{"product": PRODUCT}]})
    path = f"/sessions/{session['id']}/purchases"
    [order] = control("GET", path)["purchases"]
    for body, problem in [({}, "must have the member price"), ({"price": 0.01}, "price in the body must be a price above")]:
        answer = control.request("POST", f"{path}/{order['id']}/price-increase", body)
        assert answer.status == 422 and problem in answer.json["detail"]
    assert control.request("POST", f"{path}/{order['id']}/price-increase/decline").status == 409
