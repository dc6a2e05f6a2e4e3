"""The shop of the kits' manuals: a site that sells coins."""

import json

SHOP = """<!doctype html><html lang="en"><title>Shop</title><button>Buy coins</button><p>0 coins</p><script>
onside.onTransactionsUpdated = transactions => {
  for (const each of transactions.filter(each => each.transactionState === "purchased")) {
    document.querySelector("p").textContent = "100 coins";
    onside.finishTransaction(each.id);
  }
};
document.querySelector("button").onclick = async () => {
  await onside.loadProducts({ productIdentifiers: ["com.example.coins"] });
  await onside.purchase({ productIdentifier: "com.example.coins" });
};
</script></html>"""
PRODUCT = {"productID": "com.example.coins", "type": "Consumable", "displayPrice": "0.99", "referenceName": "Coins"}

CLUB = {
    "id": "21000001", "name": "Club", "localizations": [], "subscriptions": [{
        "productID": "com.example.club.monthly", "type": "RecurringSubscription", "displayPrice": "9.99", "referenceName": "Club",
        "recurringSubscriptionPeriod": "P1M", "groupNumber": 1, "subscriptionGroupID": "21000001",
    }],
}


def write_shop(folder):
    """Writes the page and the catalogue of the shop."""
    (folder / "site").mkdir()
    (folder / "site" / "index.html").write_text(SHOP)
    (folder / "Products.storekit").write_text(json.dumps({"products": [PRODUCT], "subscriptionGroups": [CLUB]}))
