"""The orders and subscriptions of a store. A subscription renews by itself when its period ends, until it is cancelled."""

from dataclasses import dataclass
from datetime import datetime

from models.calendar import BILLING_RETRY, GRACE_PERIOD, month_after
from models.catalogue import PRODUCTS

#: How many renewals of one subscription the store remembers.
RENEWALS = 100


@dataclass(eq=False)
class Order:
    account: str
    product: str
    price: float
    made: datetime
    #: The first order of the subscription; None for this one.
    first: "Order" = None
    is_renewal: bool = False
    expires: datetime = None
    refunded: datetime = None

    @property
    def chain(self):
        return self.first or self


@dataclass(eq=False)
class Subscription:
    #: The order of the current period.
    order: Order
    #: A day of the month on which it renews.
    anchor: datetime
    #: How many more periods have the introductory price.
    reduced: int = 0
    renews: bool = True
    #: The product from the next renewal on, if another one.
    next_product: str = None
    #: The new price that needs consent, and `pending`, `agreed` or `declined`.
    increase: float = None
    consent: str = None
    #: The price of an earlier increase with consent.
    former_increase: float = None
    #: Whether the renewal has failed, and the store tries again.
    in_retry: bool = False

    @property
    def account(self):
        return self.order.account

    @property
    def product(self):
        return self.order.product

    @property
    def group(self):
        return PRODUCTS[self.product].group

    @property
    def costs_new_price(self):
        """Whether the next renewal costs the price of the increase, if there is one."""
        return not self.next_product and not self.reduced

    @property
    def can_renew(self):
        # A renewal that has failed was due before the increase.
        lacks_consent = self.consent == "declined" or (self.consent == "pending" and not self.in_retry)
        return self.renews and not (self.costs_new_price and lacks_consent)

    @property
    def price(self):
        """What a period costs now, offers aside."""
        return self.present_increase or PRODUCTS[self.product].price

    @property
    def present_increase(self):
        """The price of an increase that applies now."""
        return self.increase if self.consent == "agreed" else self.former_increase

    def end_increase(self):
        self.increase = self.consent = self.former_increase = None


class Ledger:
    def __init__(self):
        self.orders = []
        self.subscriptions = []
        self.has_billing_issues = False
        self.has_grace_period = False

    # What is there

    def subscription_of(self, account, group):
        return next((each for each in self.subscriptions if group and (each.account, each.group) == (account, group)), None)

    def subscription_with(self, order):
        """The subscription to which an order belongs, if it is still there."""
        return next((each for each in self.subscriptions if each.order.chain is order.chain), None)

    def owned(self, account, product):
        """The latest order of a product that is bought once."""
        is_bought_once = not PRODUCTS[product].group and not PRODUCTS[product].is_consumable
        orders = [each for each in self.orders if (each.account, each.product, each.refunded) == (account, product, None)]
        return orders[-1] if is_bought_once and orders else None

    def is_active(self, subscription, now):
        end = subscription.order.expires
        grace = subscription.in_retry and self.has_grace_period
        return now < (end + GRACE_PERIOD if grace else end)

    def has_lapsed(self, subscription, now):
        return subscription.in_retry and not self.is_active(subscription, now)

    def restorable(self, account, now):
        """What a restore returns: what is bought once, and the current orders of active subscriptions."""
        active = [each.order for each in self.subscriptions if self.is_active(each, now)]
        return [
            each for each in self.orders
            if each.account == account and not each.refunded
            and (each in active or not (PRODUCTS[each.product].group or PRODUCTS[each.product].is_consumable))
        ]

    def change(self, account, product, now):
        """What buying a subscription does: `start` one, `resume` the present one, change it `later`, or `replace` it."""
        present = self.subscription_of(account, PRODUCTS[product].group)
        if not present:
            return "start"
        if self.has_lapsed(present, now):
            return "replace"
        if present.product == product:
            return "resume"
        return "later" if PRODUCTS[product].level > PRODUCTS[present.product].level else "replace"

    def covering(self, account, product, now):
        """The order that makes a purchase free, if there is one."""
        if owned := self.owned(account, product):
            return owned
        if PRODUCTS[product].group and self.change(account, product, now) in ("resume", "later"):
            return self.subscription_of(account, PRODUCTS[product].group).order
        return None

    def gets_introductory_price(self, account, product):
        """Whoever has never had a subscription of the group gets it."""
        group = PRODUCTS[product].group
        return bool(PRODUCTS[product].introductory_price) and not any(
            each.account == account and PRODUCTS[each.product].group == group for each in self.orders)

    def charge(self, account, product, now):
        """What a person agrees to pay, and whether that is the introductory price."""
        if PRODUCTS[product].group and self.change(account, product, now) == "resume":
            present = self.subscription_of(account, PRODUCTS[product].group)
            if present.increase:
                return present.increase, False
        if self.gets_introductory_price(account, product):
            return PRODUCTS[product].introductory_price, True
        return PRODUCTS[product].price, False

    # What a person does

    def buy(self, account, product, charge, now):
        """Records a payment, and returns its order."""
        price, is_introductory = charge
        order = self.covering(account, product, now)
        if not order:
            return self.add(account, product, price, is_introductory, now)
        if PRODUCTS[product].group:
            present = self.subscription_of(account, PRODUCTS[product].group)
            present.renews = True
            if self.change(account, product, now) == "resume":
                present.next_product = None
                if present.increase == price:
                    present.consent = "agreed"
                elif present.consent == "declined":
                    present.consent = "pending"
            else:
                present.next_product = product
                present.end_increase()
        return order

    def add(self, account, product, price, is_introductory, now):
        """Adds an order, whatever the account has."""
        known = PRODUCTS[product]
        order = Order(account, product, price, now)
        if known.group:
            present = self.subscription_of(account, known.group)
            if present:
                if self.change(account, product, now) == "replace":
                    order.first = present.order.chain
                present.order.expires = min(present.order.expires, now)
                self.subscriptions.remove(present)
            order.expires = month_after(now, now)
            self.subscriptions.append(Subscription(order, now, known.introductory_periods - 1 if is_introductory else 0))
        self.orders.append(order)
        return order

    # What the store does

    def refund(self, order, now):
        if order.refunded:
            return False
        order.refunded = now
        self.subscriptions = [each for each in self.subscriptions if each.order is not order]
        return True

    def delete(self, order):
        self.orders.remove(order)
        self.subscriptions = [each for each in self.subscriptions if each.order is not order]

    def expire(self, order, now):
        subscription = self.subscription_with(order)
        if not subscription:
            return False
        # A period whose renewal has failed has ended before.
        subscription.order.expires = min(subscription.order.expires, now)
        self.subscriptions.remove(subscription)
        return True

    def cancel(self, order):
        subscription = self.subscription_with(order)
        if subscription:
            subscription.renews = False
        return bool(subscription)

    def resume(self, order):
        """Turns the renewal on. Who had it off consents to an increase."""
        subscription = self.subscription_with(order)
        if subscription and not subscription.renews:
            subscription.renews = True
            subscription.consent = subscription.consent and "agreed"
        return bool(subscription)

    def renew(self, order, now):
        """Ends the period now, and begins the next one."""
        subscription = self.subscription_with(order)
        if not subscription or not subscription.can_renew or self.has_billing_issues:
            return False
        subscription.order.expires = min(subscription.order.expires, now)
        subscription.anchor = now
        self._renew(subscription, now)
        return True

    def request_increase(self, order, price):
        subscription = self.subscription_with(order)
        if not subscription or not subscription.renews or subscription.next_product:
            return False
        subscription.former_increase = subscription.present_increase
        subscription.increase, subscription.consent = price, "pending"
        return True

    def answer_increase(self, order, consents):
        subscription = self.subscription_with(order)
        if not subscription or subscription.consent != "pending":
            return False
        subscription.consent = "agreed" if consents else "declined"
        subscription.renews = subscription.renews and consents
        return True

    # What time does

    def advance(self, now):
        """Takes the steps that are due, in the order of their times."""
        while due := [each for each in self.subscriptions if self._due(each) <= now]:
            self._step(min(due, key=self._due), now)

    def _due(self, subscription):
        waits = subscription.in_retry and self.has_billing_issues and subscription.can_renew
        return subscription.order.expires + BILLING_RETRY if waits else subscription.order.expires

    def _step(self, subscription, now):
        if not subscription.can_renew or (self.has_billing_issues and subscription.in_retry):
            self.subscriptions.remove(subscription)
        elif self.has_billing_issues:
            subscription.in_retry = True
        else:
            self._renew(subscription, now)

    def _renew(self, subscription, now):
        former = subscription.order
        start = now if subscription.in_retry else former.expires
        anchor = start if subscription.in_retry else subscription.anchor
        product = subscription.next_product or former.product
        if subscription.reduced and not subscription.next_product:
            price = PRODUCTS[product].introductory_price
            subscription.reduced -= 1
        else:
            price = PRODUCTS[product].price if subscription.next_product else subscription.price
        order = Order(former.account, product, price, start, former.chain, is_renewal=True, expires=month_after(start, anchor))
        self.orders.append(order)
        if subscription.next_product:
            subscription.next_product, subscription.reduced = None, 0
            subscription.end_increase()
        subscription.order, subscription.anchor, subscription.in_retry = order, anchor, False
        renewals = [each for each in self.orders if each.is_renewal and each.chain is order.chain]
        for old in renewals[:-RENEWALS]:
            self.orders.remove(old)
