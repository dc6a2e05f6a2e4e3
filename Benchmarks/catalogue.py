"""A catalogue of fifty products."""

import json

PRODUCTS = [f"com.example.benchmark.product{number:02}" for number in range(50)]


def write(folder):
    """Writes the catalogue as a StoreKit configuration file and returns its path."""
    products = [
        {
            "displayPrice": f"{number}.99",
            "familyShareable": False,
            "internalID": f"B0{number:06}",
            "localizations": [
                {"description": f"The description of product {number}, one sentence long.", "displayName": f"Product {number}", "locale": "en_US"}
            ],
            "productID": identifier,
            "referenceName": f"Product {number}",
            "type": "Consumable",
        }
        for number, identifier in enumerate(PRODUCTS, start=1)
    ]
    configuration = {
        "identifier": "B0000000", "nonRenewingSubscriptions": [], "products": products, "settings": {}, "subscriptionGroups": [],
        "version": {"major": 4, "minor": 0},
    }
    path = folder / "Benchmark.storekit"
    path.write_text(json.dumps(configuration, indent=2))
    return path
