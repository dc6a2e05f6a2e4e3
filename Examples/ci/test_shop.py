from playwright.sync_api import expect


def test_paid_coins_are_counted(page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy coins").click()
    footbridge.expect_login().approve(account="built-in")
    footbridge.expect_purchase("com.example.coins").approve()
    expect(page.get_by_text("100 coins")).to_be_visible()


def test_a_declined_payment_counts_no_coins(page, footbridge):
    page.goto(footbridge.url)
    page.get_by_role("button", name="Buy coins").click()
    footbridge.expect_login().approve(account="built-in")
    footbridge.expect_purchase("com.example.coins").decline()
    footbridge.wait_for(kind="event", action="onside.onTransactionsUpdated", data={"transactions": [{"transactionState": "failed"}]})
    expect(page.get_by_text("0 coins", exact=True)).to_be_visible()
