"""Devices of one person: what belongs to the account is there on all of them."""

import contextlib
import signal

import pytest

from footbridge_process import serve
from test_purchase import wait_for_state

STICKER = "com.product.example.non_consumable"
OTHER = "com.product.example.consumable"


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, "--present", "auto", "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def control(server):
    return server.control()


@pytest.fixture
def devices(control):
    """Makes sessions that end with the test."""
    with contextlib.ExitStack() as made:

        def make(**members):
            session = control("POST", "/sessions", members)
            made.callback(control.request, "DELETE", f"/sessions/{session['id']}")
            return session

        yield make


def open_shop(context, session, url):
    """Opens the shop in a browser profile that is in a session."""
    context.add_cookies([session["cookie"]])
    page = context.new_page()
    page.goto(url)
    return page


def buy(page, product):
    """Buys a product, finishes the transaction, and returns its order."""
    page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", product)
    page.evaluate("id => onside.purchase({ productIdentifier: id })", product)
    wait_for_state(page, "purchased")
    [transaction] = page.evaluate("onside.getTransactions()")
    page.evaluate("id => onside.finishTransaction(id)", transaction["id"])
    page.wait_for_function("seen.some(e => e.name === 'onTransactionsRemoved')")
    return transaction["transactionIdentifier"]


def restore(page):
    """Restores, and returns the orders that came."""
    count = "seen.filter(e => e.name === 'onRestoreCompletedTransactionsFinished').length"
    before = page.evaluate(count)
    page.evaluate("onside.restoreCompletedTransactions()")
    page.wait_for_function(f"before => {count} > before", arg=before)
    return [
        each["transactionIdentifier"] for each in page.evaluate("onside.getTransactions()") if each["transactionState"] == "restored"
    ]


def test_a_second_device_restores_purchases_of_the_first_and_both_get_a_refund(server, control, devices, new_context):
    phone = devices(account="built-in")
    tablet = devices(deviceOf=phone["id"])
    assert tablet["world"] == control("GET", f"/sessions/{phone['id']}")["world"] == phone["id"]
    assert tablet["account"] is None
    first = open_shop(new_context(), phone, server.url)
    second = open_shop(new_context(), tablet, server.url)
    order = buy(first, STICKER)
    assert restore(second) == [order]
    [purchase] = control("GET", f"/sessions/{tablet['id']}/purchases")["purchases"]
    assert purchase["id"] == order
    journal = control("GET", f"/sessions/{tablet['id']}/journal")["entries"]
    assert [e["data"]["device"] for e in journal if e["action"] == "purchase"] == [phone["id"]]
    # What the account owns costs nothing on the other device.
    assert first.evaluate("onside.getSignedInAppsHistory().then(h => h.string.length > 0)")
    control("POST", f"/sessions/{tablet['id']}/purchases/{order}/refund")
    assert restore(first) == []


def test_a_reinstalled_app_restores_its_purchases(server, control, devices, new_context):
    session = devices(account="built-in", settings={"askToBuy": False, "timeRate": 15})
    context = new_context()
    page = open_shop(context, session, server.url)
    order = buy(page, STICKER)
    control("POST", f"/sessions/{session['id']}/reinstall")
    page.reload()
    # The app knows nobody and nothing.
    assert page.evaluate("onside.getCurrentStorefront()") is None
    assert page.evaluate("onside.getTransactions()") == []
    assert page.evaluate("id => onside.purchase({ productIdentifier: id }).catch(e => e)", STICKER) == {"unknownProduct": {}}
    assert restore(page) == [order]
    # What a test has set is no part of the app.
    assert control("GET", f"/sessions/{session['id']}/settings")["timeRate"] == 15


def test_a_world_is_shared_by_its_devices_only_and_survives_the_reset_of_one(control, devices):
    phone, tablet = devices(world="home", account="built-in"), devices(world="home", account="built-in")
    stranger = devices(account="built-in")

    def purchases(session):
        return control("GET", f"/sessions/{session['id']}/purchases")["purchases"]

    control("POST", f"/sessions/{phone['id']}/purchases", {"product": STICKER})
    assert len(purchases(tablet)) == 1 and purchases(stranger) == [] and stranger["world"] is None
    control("POST", f"/sessions/{phone['id']}/reset")
    assert purchases(phone) == purchases(tablet) != []
    exported = control("GET", f"/sessions/{tablet['id']}/export")
    copy = devices(**{"from": exported})
    assert copy["world"] is None and len(purchases(copy)) == 1 and purchases(copy)[0]["id"] != purchases(phone)[0]["id"]
    control("POST", f"/sessions/{stranger['id']}/purchases", {"product": STICKER})
    control("POST", f"/sessions/{stranger['id']}/reset")
    assert purchases(stranger) == []


@pytest.mark.parametrize("members, problem", [
    ({"world": "home", "deviceOf": "x"}, "world and deviceOf in the body are mutually exclusive"),
    ({"deviceOf": "nobody"}, "deviceOf in the body is nobody, and there is no such session"),
    ({"world": ""}, "world in the body must be null, or a name of 1 to 200 bytes"),
])
def test_a_contradictory_world_is_refused_with_the_reason(control, members, problem):
    answer = control.request("POST", "/sessions", members)
    assert answer.status == 422 and problem in answer.json["detail"]


def test_a_purchase_on_one_device_is_on_the_other_after_a_kill_of_the_server(shop_root, catalog, tmp_path, new_context):
    arguments = "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state"
    with serve(*arguments) as server:
        control = server.control()
        phone = control("POST", "/sessions", {"account": "built-in"})
        tablet = control("POST", "/sessions", {"deviceOf": phone["id"]})
        page = open_shop(new_context(), phone, server.url)
        page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", STICKER)
        page.evaluate("id => onside.purchase({ productIdentifier: id })", STICKER)
        wait_for_state(page, "purchased")
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=server.port) as server:
        control = server.control()
        second = open_shop(new_context(), tablet, server.url)
        [order] = restore(second)
        for session in phone, tablet:
            assert [each["id"] for each in control("GET", f"/sessions/{session['id']}/purchases")["purchases"]] == [order]


def test_a_whole_server_can_be_one_world(shop_root, catalog, tmp_path):
    configuration = tmp_path / "footbridge.yaml"
    configuration.write_text(
        "onside:\n  world: demo\nscenarios:\n  paid:\n    account: built-in\n    purchases:\n      - product: " + STICKER + "\n"
    )
    arguments = "--config", configuration, "--root", shop_root, "--catalog", catalog, "--state", tmp_path / "state", "--scenario", "paid"
    with serve(*arguments) as server:
        control = server.control()
        first = control("POST", "/sessions", {})
        second = control("POST", "/sessions", {})
        control("POST", f"/sessions/{second['id']}/purchases", {"product": OTHER})
        own = control("POST", "/sessions", {"world": None})
        assert first["world"] == "demo" and own["world"] is None
        # A scenario's purchases come once.
        assert [len(control("GET", f"/sessions/{each['id']}/purchases")["purchases"]) for each in (first, second, own)] == [2, 2, 1]
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=server.port) as server:
        control = server.control()
        third = control("POST", "/sessions", {})
        assert len(control("GET", f"/sessions/{third['id']}/purchases")["purchases"]) == 2
