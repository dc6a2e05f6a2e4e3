"""Shows every kind of sheet in a page as the host does, without the flow that leads to it."""

import itertools

from footbridge_process import PROJECT

#: The window sizes in which people can read and answer every sheet. The last is a desktop window at 400 %.
SIZES = [(320, 480), (390, 844), (844, 390), (932, 430), (1280, 400), (1280, 450), (1280, 800), (320, 200)]

MONTH = {"unit": "month", "numberOfUnits": 1}
YEAR = {"unit": "year", "numberOfUnits": 1}
EURO = {"countryCode": "DE"}
CARD = "Visa •••• 4242"
EVA = {"id": "eva", "name": "Eva Lindqvist", "email": "eva.lindqvist@example.com", "countryCode": "SE"}
MAX = {"id": "max", "name": "Max Mustermann", "email": "max@example.com", "countryCode": "DE"}
METHODS = [
    {"id": "apple", "label": "Apple", "kind": "federated"}, {"id": "google", "label": "Google", "kind": "federated"},
    {"id": "sms", "label": "SMS", "kind": "sms"}, {"id": "email", "label": "E-mail", "kind": "email"},
]


def price(value, currency="EUR"):
    return {"value": value, "currencyCode": currency}


def product(title, description, value, **more):
    return {"productIdentifier": "daylight.pro.yearly", "localizedTitle": title, "localizedDescription": description,
            "price": price(value), **more}


PRO = product("Daylight Pro, yearly", "Every preset, and developing without end.", 34.99, subscriptionPeriod=YEAR,
              introductoryPrice={"price": price(19.99), "period": YEAR})
LONG = product(
    "Donaudampfschifffahrtsgesellschaftskapitänsmützen und alles, was sonst noch zu einer langen Reise gehört",
    "A long text, as shops have it. " * 12, 1234.5, subscriptionPeriod={"unit": "month", "numberOfUnits": 3})

#: The content of each sheet, by our own name. The kind is the part before the space.
CONTENTS = {
    "login": {"store": "Onside", "methods": METHODS, "accounts": [EVA, MAX]},
    "login without accounts": {"store": "Onside", "methods": METHODS, "accounts": []},
    "payment": {"product": PRO, "name": PRO["localizedTitle"], "account": EVA, "storefront": {"countryCode": "US"},
                "price": price(19.99), "method": CARD,
                "offer": {"paymentMode": "payUpFront", "period": YEAR, "numberOfPeriods": 1, "duration": YEAR}},
    "payment of much text": {"product": LONG, "name": LONG["localizedTitle"], "storefront": EURO, "price": price(1234.5),
                             "account": {**EVA, "email": "a.very.long.address.of.somebody@mail.example.com"}, "method": CARD},
    "payment to ask for": {"product": PRO, "name": PRO["localizedTitle"], "account": EVA, "storefront": EURO,
                           "price": price(34.99), "method": CARD},
    "priceChange": {"product": product("50 credits", "For fifty photos.", 6.49), "name": "50 credits", "oldPrice": price(5.99),
                    "newPrice": price(6.49), "price": price(6.49), "account": EVA, "method": CARD, "storefront": EURO},
    "priceIncrease": {"product": PRO, "name": PRO["localizedTitle"], "oldPrice": price(34.99), "newPrice": price(39.99),
                      "renewsAt": 1798761600000, "account": EVA, "storefront": EURO},
    "unavailable": {"product": PRO, "name": PRO["localizedTitle"], "storefront": EURO},
    "paymentMethods": {"account": EVA, "methods": [{"id": "visa", "label": CARD}]},
    "capture document": {"capability": "document", "documentType": "passport", "side": "front"},
    "capture selfie": {"capability": "selfie"},
    "form": {"title": "Confirm the transfer", "text": "250 euros to Max Mustermann.", "fields": [
        {"name": "pin", "label": "PIN", "type": "password", "required": True},
        {"name": "copies", "label": "Copies", "type": "number", "value": "12"},
        {"name": "note", "label": "Note", "type": "text", "value": "Rent"},
        {"name": "terms", "label": "I accept the terms", "type": "checkbox", "required": True},
        {"name": "news", "label": "Tell me more", "type": "checkbox", "value": True},
        {"name": "when", "label": "When", "type": "choice", "required": True,
         "options": [{"value": "now", "label": "Now"}, {"value": "later", "label": "Tomorrow"}]},
    ], "buttons": [{"name": "pay", "label": "Pay", "approves": True}, {"name": "no", "label": "Not now", "approves": False}]},
}
#: What the host says beside the content.
MORE = {
    "payment": {"app": {"name": "Daylight"}},
    "payment of much text": {"app": {"name": "Daylight, with a name that is longer than its line is wide on a phone"}},
    "payment to ask for": {"waitsFor": "approval"},
}
KINDS = sorted({name.split()[0] for name in CONTENTS})

#: The languages of the sheets; `words` has a file for each.
LANGUAGES = sorted(path.stem for path in (PROJECT / "web" / "sheets" / "words").glob("*.js"))

_numbers = itertools.count()


def load_sheets(page):
    """Makes the page load the script of the sheets."""
    if page.evaluate("!document[Symbol.for('footbridge')].present"):
        # The host's greeting dismisses all sheets, and comes before the answer to a call.
        page.evaluate("window.onside?.getCurrentStorefront()")
        page.add_script_tag(url="/__footbridge/sheets.js")


def show(page, name, theme="system", locale=None, content=None):
    """Shows a sheet, and waits until its animations have ended and its camera, if any, shows a picture."""
    load_sheets(page)
    sheet = {"id": f"gallery-{next(_numbers)}", "kind": name.split()[0], "content": {**CONTENTS[name], "theme": theme, **(content or {})},
             **MORE.get(name, {})}
    if locale:
        sheet["locale"] = locale
    page.evaluate(
        """sheet => {
          const host = document[Symbol.for("footbridge")];
          host.dismiss({});
          host.present(sheet);
        }""",
        sheet,
    )
    # It shows once its words have loaded.
    page.locator("footbridge-sheet").wait_for(state="attached")
    page.evaluate(
        """async () => {
          const screen = document.querySelector("footbridge-sheet").shadowRoot.querySelector(".screen");
          await Promise.allSettled(screen.getAnimations({ subtree: true }).map(({ finished }) => finished));
        }""")
    if name.startswith("capture"):
        page.wait_for_function(
            """() => [...document.querySelector("footbridge-sheet").shadowRoot.querySelectorAll("button.primary")]
              .some(button => !button.hidden)""")
    return page.get_by_role("dialog")


def main(folder, names, sizes, theme="light", locale=None):
    """Takes pictures of sheets; for those who change them."""
    import os
    import tempfile

    from playwright.sync_api import sync_playwright

    from footbridge_process import serve

    os.environ.setdefault("XDG_STATE_HOME", tempfile.mkdtemp())
    os.makedirs(folder, exist_ok=True)
    with serve("--ephemeral") as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=[
            "--no-sandbox", "--use-fake-device-for-media-stream=device-count=2", "--use-fake-ui-for-media-stream"])
        for width, height in sizes:
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, permissions=["camera"])
            page = context.new_page()
            page.goto(server.url)
            page.get_by_role("button", name="Buy 50 credits").wait_for()
            for name in names:
                show(page, name, locale=locale)
                page.screenshot(path=f"{folder}/{name.replace(' ', '-')}-{width}x{height}-{theme}-{locale or 'en'}.png")
                if name == "capture document":
                    page.get_by_role("button", name="Take photo").click() if not locale else None
                    page.screenshot(path=f"{folder}/review-{width}x{height}-{theme}.png")
            context.close()


if __name__ == "__main__":
    import sys

    _, folder, names, sizes, *rest = sys.argv
    main(folder, list(CONTENTS) if names == "all" else names.split(","),
         SIZES if sizes == "all" else [tuple(map(int, size.split("x"))) for size in sizes.split(",")], *rest)
