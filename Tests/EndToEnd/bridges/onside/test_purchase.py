"""The whole path: from a page in Chromium over the shim and the socket to the Swift host, and back."""

import re
import signal

import pytest

from engines import expect
from footbridge_process import FIXTURES, serve

PRODUCT = "com.product.example.consumable"


def states(page):
    """Returns the states that `onTransactionsUpdated` has reported, in order."""
    return page.evaluate(
        "seen.filter(e => e.name === 'onTransactionsUpdated').flatMap(e => e.value.map(t => t.transactionState))"
    )


def wait_for_state(page, state):
    page.wait_for_function(
        "state => seen.some(e => e.name === 'onTransactionsUpdated' && e.value.some(t => t.transactionState === state))",
        arg=state,
    )


def load(page):
    return page.evaluate("id => onside.loadProducts({ productIdentifiers: [id, 'unknown'] })", PRODUCT)


def test_a_new_browser_buys_and_finishes(auto_shop, page):
    page.goto(auto_shop.url)
    response = load(page)
    assert [product["productIdentifier"] for product in response["products"]] == [PRODUCT]
    assert response["products"][0]["price"] == {"value": 0.99, "currencyCode": "EUR"}
    assert response["invalidProductIdentifiers"] == ["unknown"]
    assert page.evaluate("onside.getCurrentStorefront()") is None
    assert page.evaluate("onside.requestLogin().then(value => value === undefined)")
    assert page.evaluate("onside.getCurrentStorefront().then(s => s.countryCode)") == "NL"
    assert page.evaluate("id => onside.purchase({ productIdentifier: id }).then(v => v === undefined)", PRODUCT)
    wait_for_state(page, "purchased")
    assert states(page) == ["purchasing", "purchased"]
    [transaction] = page.evaluate("onside.getTransactions()")
    assert transaction["transactionIdentifier"] and transaction["payment"]["product"]["productIdentifier"] == PRODUCT
    assert page.evaluate("id => onside.finishTransaction(id).then(v => v === undefined)", transaction["id"])
    page.wait_for_function("seen.some(e => e.name === 'onTransactionsRemoved')")
    removed = page.evaluate("seen.find(e => e.name === 'onTransactionsRemoved').value")
    assert [each["id"] for each in removed] == [transaction["id"]]
    assert page.evaluate("onside.getTransactions()") == []
    assert page.evaluate("seen.filter(e => e.name === 'onStorefrontChanged').map(e => e.value.countryCode)") == ["NL"]


def test_an_unknown_product_is_named_in_console_and_log(auto_shop, page):
    page.goto(auto_shop.url)
    misspelled = PRODUCT.replace("consumable", "consumabel")
    with page.expect_console_message(lambda message: misspelled in message.text) as said:
        page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", misspelled)
    sentence = f"loadProducts: The catalogue has no product {misspelled}; did you mean {PRODUCT}?"
    assert sentence in said.value.text
    auto_shop.wait_for_log(sentence)


def test_a_store_without_a_catalogue_says_how_to_give_it_one(shop_root, page):
    with serve("--root", shop_root, "--ephemeral") as server:
        page.goto(server.url)
        with page.expect_console_message(lambda message: "The store sells nothing" in message.text):
            page.evaluate("id => onside.loadProducts({ productIdentifiers: [id, 'other'] })", PRODUCT)
        server.wait_for_log("loadProducts: The store sells nothing. Start the server with --catalog")


def test_the_shim_runs_before_the_first_script_and_leaves_no_element(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("document.querySelector('script[src*=__footbridge]')") is None
    assert page.evaluate("typeof onside.loadProducts") == "function"


def test_a_script_tag_written_by_hand_works_beside_the_injected_one(shop_root, auto_shop, page):
    (shop_root / "by-hand.html").write_text(
        "<!doctype html><title>By hand</title><script src='/__footbridge/shim.js'></script><script>var first = onside</script>"
        "<script src='/__footbridge/shim.js'></script>"
    )
    page.goto(auto_shop.url + "/by-hand.html")
    assert page.evaluate("first === onside")
    assert load(page)["products"]


def test_initialize_accepts_v1_any_number_of_times_and_nothing_else(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("onside.initializeOnside('v1').then(() => onside.initializeOnside('v1')).then(v => v === undefined)")
    assert page.evaluate("onside.initializeOnside('v2').catch(e => [e instanceof Error, e.name, e.code])") == [
        True, "PontoonBridgeError", "invalidArguments",
    ]


def test_a_product_that_was_not_loaded_cannot_be_bought(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("onside.purchase({ productIdentifier: 'unknown' }).catch(e => e)") == {"unknownProduct": {}}


def test_an_unknown_transaction_cannot_be_finished(auto_shop, page):
    page.goto(auto_shop.url)
    assert page.evaluate("onside.finishTransaction('nothing').catch(e => e)") == {"unknownTransaction": {}}


def test_the_user_of_the_page_answers_the_sheets(shop, page):
    page.goto(shop.url)
    load(page)
    page.evaluate("id => { window.bought = onside.purchase({ productIdentifier: id }); }", PRODUCT)
    login = page.get_by_role("dialog", name=re.compile("sign in", re.I))
    login.get_by_role("button", name=re.compile("apple|continue|sign in", re.I)).first.click()
    payment = page.get_by_role("dialog", name=re.compile("Consumable"))
    expect(payment).to_contain_text("0.99")
    payment.get_by_role("button", name=re.compile("^(buy|pay|confirm)", re.I)).click()
    page.evaluate("bought")
    wait_for_state(page, "purchased")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_sheets_are_shown_one_after_another_while_the_pages_timers_are_paused(shop, page):
    page.clock.install(time=0)
    page.goto(shop.url)
    page.clock.pause_at(60_000)
    load(page)
    page.evaluate("id => { onside.purchase({ productIdentifier: id }); }", PRODUCT)
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    page.get_by_role("dialog", name=re.compile("Buy")).get_by_role("button", name="Buy").click()
    wait_for_state(page, "purchased")


def test_escape_dismisses_the_login_sheet_and_rejects_the_call(shop, page):
    page.goto(shop.url)
    page.evaluate("() => { window.login = onside.requestLogin().catch(e => e); }")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("login") == {"loginDiscarded": {}}
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_two_browser_profiles_have_separate_sessions(auto_shop, new_context):
    first, second = new_context().new_page(), new_context().new_page()
    for page in (first, second):
        page.goto(auto_shop.url)
        load(page)
    first.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
    wait_for_state(first, "purchased")
    assert len(first.evaluate("onside.getTransactions()")) == 1
    assert second.evaluate("onside.getTransactions()") == []
    assert second.evaluate("onside.getCurrentStorefront()") is None
    assert second.evaluate("seen") == []


def test_two_tabs_of_one_profile_share_the_session(auto_shop, new_context):
    context = new_context()
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.goto(auto_shop.url)
        load(page)
    first.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
    wait_for_state(second, "purchased")
    assert len(second.evaluate("onside.getTransactions()")) == 1


def test_a_reload_during_a_purchase_loses_nothing(shop, page):
    page.goto(shop.url)
    load(page)
    page.evaluate("() => { onside.requestLogin(); }")
    page.get_by_role("dialog").get_by_role("button").first.wait_for()
    page.get_by_role("dialog").get_by_role("button", name=re.compile("apple|continue|sign in", re.I)).first.click()
    page.wait_for_function("seen.some(e => e.name === 'onStorefrontChanged')")
    page.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.reload()
    sheet = page.get_by_role("dialog", name=re.compile("Consumable"))
    expect(sheet).to_be_visible()
    [transaction] = page.evaluate("onside.getTransactions()")
    assert transaction["transactionState"] == "purchasing"
    sheet.get_by_role("button", name=re.compile("^(buy|pay|confirm)", re.I)).click()
    wait_for_state(page, "purchased")
    [transaction] = page.evaluate("onside.getTransactions()")
    assert transaction["transactionState"] == "purchased"


def test_an_unfinished_transaction_is_not_delivered_again_at_a_reload(auto_shop, page):
    page.goto(auto_shop.url)
    load(page)
    page.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
    wait_for_state(page, "purchased")
    page.reload()
    assert len(page.evaluate("onside.getTransactions()")) == 1
    assert states(page) == []


def test_the_next_call_of_an_open_page_works_after_the_server_was_restarted(shop_root, catalog, page):
    arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto")
    with serve(*arguments) as server:
        page.goto(server.url)
        assert load(page)["products"]
        port = server.port
    with serve(*arguments, port=port):
        assert load(page)["products"]
        page.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
        wait_for_state(page, "purchased")


def test_an_unfinished_transaction_is_delivered_again_at_the_next_launch(shop_root, catalog, page, tmp_path):
    arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path)
    with serve(*arguments) as server:
        page.goto(server.url)
        load(page)
        page.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
        wait_for_state(page, "purchased")
        [transaction] = page.evaluate("onside.getTransactions()")
        port = server.port
    page.evaluate("seen.length = 0")
    with serve(*arguments, port=port):
        wait_for_state(page, "purchased")
        assert page.evaluate("seen.flatMap(e => e.value).filter(t => t.id).map(t => t.id)") == [transaction["id"]]
        page.evaluate("id => onside.finishTransaction(id)", transaction["id"])
        page.wait_for_function("seen.some(e => e.name === 'onTransactionsRemoved')")
    page.evaluate("seen.length = 0")
    with serve(*arguments, port=port):
        assert page.evaluate("onside.getTransactions()") == []
        assert states(page) == []


def test_purchases_survive_a_server_that_is_killed(shop_root, catalog, page, tmp_path):
    arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path)
    with serve(*arguments) as server:
        page.goto(server.url)
        load(page)
        page.evaluate("id => onside.purchase({ productIdentifier: id })", PRODUCT)
        wait_for_state(page, "purchased")
        port = server.port
        server.signal(signal.SIGKILL)
    with serve(*arguments, port=port):
        [transaction] = page.evaluate("onside.getTransactions()")
        assert transaction["transactionState"] == "purchased"


def test_an_ephemeral_server_stores_nothing(shop_root, catalog, page, tmp_path):
    arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto", "--ephemeral")
    with serve(*arguments) as server:
        page.goto(server.url)
        page.evaluate("onside.requestLogin()")
        port = server.port
    with serve(*arguments, port=port):
        assert page.evaluate("onside.getCurrentStorefront()") is None


def test_a_call_during_an_outage_of_the_server_waits_for_it(shop_root, catalog, page):
    arguments = ("--root", shop_root, "--catalog", catalog, "--present", "auto")
    with serve(*arguments) as server:
        page.goto(server.url)
        load(page)
        port = server.port
    page.evaluate("id => { window.waiting = onside.loadProducts({ productIdentifiers: [id] }); }", PRODUCT)
    with serve(*arguments, port=port):
        assert page.evaluate("waiting")["products"]


@pytest.mark.parametrize("name", ["onsidekit-example", "storehelper-sample"])
def test_all_products_of_real_catalogues_are_loaded(name, shop_root, page):
    path = FIXTURES / f"{name}.storekit"
    with serve("--root", shop_root, "--catalog", path) as server:
        page.goto(server.url)
        identifiers = re.findall(r'"productID" : "([^"]+)"', path.read_text())
        response = page.evaluate("ids => onside.loadProducts({ productIdentifiers: ids })", identifiers)
        assert sorted(p["productIdentifier"] for p in response["products"]) == sorted(identifiers)
        assert response["invalidProductIdentifiers"] == []
