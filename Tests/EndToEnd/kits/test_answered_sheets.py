"""What a sheet shows is gone when it is answered: a test that looks for a text of the page does not find the sheet's as well.

`FOOTBRIDGE_SHEETS` sets the number of purchases; `make soak` makes 200, and the short form a few.
"""

import json
import os

import pytest
from playwright.sync_api import expect

from footbridge_process import serve
from short_form import IS_SHORT

PURCHASES = int(os.environ.get("FOOTBRIDGE_SHEETS", "3" if IS_SHORT else "24"))
#: How many pages buy at once.
PAGES = 3
PRODUCT = "com.example.coins"
# It says what the page writes when it is paid.
DESCRIPTION = "A pouch of 100 coins"
SHOP = """<!doctype html><html lang="en"><title>Shop</title><button>Buy coins</button><p>0 coins</p><script>
window.sheetsAtPayment = [];
onside.onTransactionsUpdated = transactions => {
  for (const each of transactions.filter(each => each.transactionState === "purchased")) {
    document.querySelector("p").textContent = "100 coins";
    sheetsAtPayment.push(document.querySelectorAll("footbridge-sheet").length);
    onside.finishTransaction(each.id);
  }
};
document.querySelector("button").onclick = async () => {
  document.querySelector("p").textContent = "0 coins";
  await onside.loadProducts({ productIdentifiers: ["com.example.coins"] });
  await onside.purchase({ productIdentifier: "com.example.coins" });
};
</script></html>"""
pytestmark = pytest.mark.timeout(60 + PURCHASES)


@pytest.fixture(scope="module")
def coins(tmp_path_factory):
    """Runs a shop that writes the same words as the product's description."""
    folder = tmp_path_factory.mktemp("coins")
    (folder / "index.html").write_text(SHOP)
    words = [{"locale": "en_US", "displayName": "Coins", "description": DESCRIPTION}]
    product = {"productID": PRODUCT, "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins", "localizations": words}
    catalog = folder / "Products.storekit"
    catalog.write_text(json.dumps({"products": [product]}))
    with serve("--root", folder, "--catalog", catalog, "--ephemeral") as server:
        yield server


@pytest.fixture
def buyers(coins, new_context):
    """Opens pages of people who are signed in."""
    control = coins.control()

    def open_one():
        session = control("POST", "/sessions", {"account": "built-in"})
        context = new_context()
        control.enter(context, session)
        page = context.new_page()
        page.goto(coins.url)
        return page, session["id"]

    return control, [open_one() for _ in range(PAGES)]


def approve_by_control(control, page, session):
    sheet = page.locator("footbridge-sheet")
    sheet.wait_for(state="attached")
    (waiting,) = control("GET", f"/sessions/{session}/sheets")["sheets"]
    control("POST", f"/sessions/{session}/sheets/{waiting['id']}/answer", {"approved": True})


def approve_in_page(control, page, session):
    page.get_by_role("dialog").get_by_role("button", name="Buy").click()


def test_an_answered_sheet_leaves_no_text_beside_the_pages_own(buyers):
    control, pages = buyers
    bought = 0
    while bought < PURCHASES:
        for page, _ in pages:
            page.get_by_role("button", name="Buy coins").click()
        for page, session in pages:
            approve = approve_in_page if bought % 2 else approve_by_control
            approve(control, page, session)
            expect(page.get_by_text("100 coins")).to_be_visible(timeout=20_000)
            bought += 1
    for page, _ in pages:
        # The words were the page's own.
        expect(page.get_by_text("100 coins", exact=True)).to_be_visible(timeout=20_000)
        assert set(page.evaluate("sheetsAtPayment")) == {0}
