from playwright.sync_api import expect


def test_coins_are_counted_once_they_are_paid(page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy coins").click()
    footbridge.expect_login().approve(account="built-in")
    footbridge.expect_purchase("com.example.coins").approve()
    expect(page.get_by_text("100 coins")).to_be_visible()


def test_nothing_is_counted_for_a_payment_that_was_declined(page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy coins").click()
    footbridge.expect_login().approve(account="built-in")
    footbridge.expect_purchase("com.example.coins").decline()
    footbridge.wait_for(kind="event", action="onside.onTransactionsUpdated", data={"transactions": [{"transactionState": "failed"}]})
    expect(page.get_by_text("0 coins", exact=True)).to_be_visible()
