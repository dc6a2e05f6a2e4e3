"""A small catalogue: coins that are used up, a sticker, and a subscription with a trial, a promotional and a win-back offer."""

import json

COINS, STICKER, MONTHLY, YEARLY = "acme.coins", "acme.sticker", "acme.pro.monthly", "acme.pro.yearly"


def _texts(name):
    return [{"locale": "en_US", "displayName": name, "description": f"{name} of Acme"}]


def _offer(offer, price, mode="payUpFront", period="P1M"):
    return {"offerID": offer, "internalID": offer, "displayPrice": price, "numberOfPeriods": 1, "paymentMode": mode, "subscriptionPeriod": period}


def _product(product, kind, name, price):
    return {"productID": product, "type": kind, "referenceName": name, "internalID": product, "displayPrice": price, "localizations": _texts(name)}


def _subscription(product, name, price, period, level, **offers):
    return {
        **_product(product, "RecurringSubscription", name, price), "subscriptionGroupID": "pro", "groupNumber": level,
        "recurringSubscriptionPeriod": period, "adHocOffers": [], "winbackOffers": [], **offers,
    }


CATALOGUE = {
    "identifier": "acme", "version": {"major": 4, "minor": 0},
    "products": [_product(COINS, "Consumable", "Coins", "0.99"), _product(STICKER, "NonConsumable", "Sticker", "2.99")],
    "subscriptionGroups": [{
        "id": "pro", "name": "Pro",
        "subscriptions": [
            _subscription(
                MONTHLY, "Pro Monthly", "4.99", "P1M", 2,
                introductoryOffer={"internalID": "trial", "paymentMode": "free", "subscriptionPeriod": "P1W"},
                adHocOffers=[_offer("half", "2.49")], winbackOffers=[_offer("back", "1.49")],
            ),
            _subscription(YEARLY, "Pro Yearly", "39.99", "P1Y", 1),
        ],
    }],
}


def write(folder):
    """Writes the catalogue into a folder, and returns the file."""
    file = folder / "Products.storekit"
    file.write_text(json.dumps(CATALOGUE))
    return file
