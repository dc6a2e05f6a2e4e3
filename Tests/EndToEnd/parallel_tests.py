"""Fifty tests that share one server: what `test_parallel.py` and `make test-parallel` run in four processes at once.

The server is that of `footbridge exec`. No test may see anything of another: each decides on an outcome of its own and buys.
"""

import os

import pytest

from footbridge_process import Control

PRODUCTS = ["com.product.example.consumable", "com.product.example.non_consumable"]


@pytest.mark.parametrize("number", range(50))
def test_a_session_is_alone(number, new_context):
    url = os.environ["FOOTBRIDGE_URL"]
    control = Control(url + "/__footbridge/api/v1", os.environ["FOOTBRIDGE_CONTROL_TOKEN"])
    country = ["DE", "ES", "FR"][number % 3]
    session = control.session(name=f"test {number}", account=country, rules=[
        {"on": "onside.payment", "times": {"nth": 2}, "then": {"error": "cancelled", "gate": "second"}},
    ])
    path = f"/sessions/{session['id']}"
    context = new_context()
    control.enter(context, session)
    page = context.new_page()
    page.goto(url)
    assert page.evaluate("onside.getCurrentStorefront().then(s => s.countryCode)") == country
    assert page.evaluate("onside.getTransactions()") == []
    page.evaluate("ids => onside.loadProducts({ productIdentifiers: ids })", PRODUCTS)
    product = PRODUCTS[number % 2]
    states = []
    for _ in range(2):
        page.evaluate("id => onside.purchase({ productIdentifier: id, appAccountToken: 'mine' })", product)
        if states:
            control("POST", f"{path}/gates/second/release")
        page.wait_for_function("count => seen.filter(e => e.name === 'onTransactionsUpdated').flatMap(e => e.value)"
                               ".filter(t => t.transactionState !== 'purchasing').length === count", arg=len(states) + 1)
        states = page.evaluate("onside.getTransactions().then(ts => ts.map(t => t.transactionState))")
    assert states == ["purchased", "failed"]
    assert control("GET", path)["unfinishedTransactions"] == 2
    for transaction in page.evaluate("onside.getTransactions()"):
        assert transaction["payment"]["product"]["productIdentifier"] == product
        page.evaluate("id => onside.finishTransaction(id)", transaction["id"])
    page.wait_for_function("seen.filter(e => e.name === 'onTransactionsRemoved').length === 2")
    assert control("GET", path)["unfinishedTransactions"] == 0
    control("DELETE", path)
