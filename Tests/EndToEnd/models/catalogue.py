"""What the store sells: a part of storehelper-sample.storekit."""

from typing import NamedTuple

GOLD, SILVER, BRONZE = ("com.rarcher.subscription.vip." + level for level in ("gold", "silver", "bronze"))
GREEN = "com.rarcher.green"
FLOWERS = "com.rarcher.nonconsumable.flowers.large"
PLANT = "com.rarcher.consumable.plant.installation"


class Product(NamedTuple):
    price: float
    #: The group of a subscription, and the level in it; 1 is the highest.
    group: str = None
    level: int = None
    #: The price of each period of the introductory offer, and their number.
    introductory_price: float = None
    introductory_periods: int = 0
    #: Whether it is used up.
    is_consumable: bool = False


PRODUCTS = {
    GOLD: Product(19.99, "VIP", 1, introductory_price=1.99, introductory_periods=3),
    SILVER: Product(11.99, "VIP", 2),
    BRONZE: Product(4.99, "VIP", 3),
    GREEN: Product(2.99, "Standard", 1),
    FLOWERS: Product(1.99),
    PLANT: Product(29, is_consumable=True),
}
