"""The settings of the store, by their names in footbridge.yaml."""

from __future__ import annotations

from typing import Any, TypedDict


class Settings(TypedDict, total=False):
    """The settings of the store in a session. docs/configuration.md says what each does."""

    failTransactions: bool
    askToBuy: bool
    interruptedPurchases: bool
    disableDialogs: bool
    billingGracePeriod: bool
    renewalBillingIssues: bool
    localTesting: bool
    timeRate: int
    storefront: str
    locale: str
    refererUrl: str | None
    calls: dict[str, Any]
