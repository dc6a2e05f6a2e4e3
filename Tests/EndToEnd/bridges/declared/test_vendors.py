"""The presets with the vendors' own scripts, unchanged: `FOOTBRIDGE_VENDORS` names the `node_modules` that has them. Without it, nothing runs."""

import os
import pathlib

import pytest

from footbridge_process import serve
from sold_products import COINS, MONTHLY, write
from test_cordova_purchase import EXEC

VENDORS = os.environ.get("FOOTBRIDGE_VENDORS")

CORDOVA_PURCHASE = """<!doctype html><title>App</title><h1></h1><output></output><script>%s</script><script src="store.js"></script><script>
const { store, ProductType, Platform } = CdvPurchase;
const say = (text) => document.querySelector("output").textContent = text;
store.register([
  { id: "%s", type: ProductType.CONSUMABLE, platform: Platform.APPLE_APPSTORE },
  { id: "%s", type: ProductType.PAID_SUBSCRIPTION, platform: Platform.APPLE_APPSTORE },
]);
store.validator = `${location.origin}/__footbridge/cordova-purchase/validator`;
store.when()
  .verified((receipt) => receipt.finish())
  .unverified(({ payload }) => say(`Unverified ${payload.code}`))
  .productUpdated((product) => document.querySelector("h1").textContent += `${product.id} ${product.pricing.price} `)
  .approved((transaction) => transaction.verify())
  .finished((transaction) => say(`Finished ${transaction.products[0].id}`));
window.buy = (id) => store.get(id, Platform.APPLE_APPSTORE).getOffer().order().then((error) => error && say(`Failed ${error.code}`));
window.started = store.initialize([Platform.APPLE_APPSTORE]);
</script>""" % (EXEC, COINS, MONTHLY)


def script(path):
    """A file of a vendor. The test skips without it."""
    if not VENDORS:
        pytest.skip("FOOTBRIDGE_VENDORS names no folder with the vendors' scripts.")
    file = pathlib.Path(VENDORS) / path
    if not file.is_file():
        pytest.skip(f"FOOTBRIDGE_VENDORS has no {path}.")
    return file.read_bytes()


def test_the_script_of_cordova_plugin_purchase_buys(tmp_path, page):
    (tmp_path / "store.js").write_bytes(script("cordova-plugin-purchase/www/store.js"))
    (tmp_path / "index.html").write_text(CORDOVA_PURCHASE)
    (tmp_path / "footbridge.yaml").write_text("bridges: { app: { preset: cordova-purchase } }")
    with serve("--root", tmp_path, "--config", tmp_path / "footbridge.yaml", "--catalog", write(tmp_path), "--ephemeral") as server:
        control = server.control()
        control.enter(page.context, control.session(account="built-in"))
        page.goto(server.url)
        page.evaluate("started.then(() => {})")
        page.wait_for_function("document.querySelector('h1').textContent.includes('$0.99')")
        for product in (COINS, MONTHLY):
            page.evaluate("product => void buy(product)", product)
            page.get_by_role("dialog").get_by_role("button", name="Buy").click()
            page.wait_for_function("text => document.querySelector('output').textContent === text", arg=f"Finished {product}")
        page.evaluate("product => void buy(product)", COINS)
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        page.wait_for_function("() => document.querySelector('output').textContent === 'Failed 6777006'")
