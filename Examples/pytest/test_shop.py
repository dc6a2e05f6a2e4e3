"""Tests of a shop, written as by its developers. The shop is Footbridge's demo."""

import pytest
from playwright.sync_api import expect

CREDITS = "daylight.credits.10"


@pytest.fixture
def shop(page, footbridge):
    page.goto(footbridge.url)
    return page


def queue(page):
    return page.get_by_role("list", name="Payment queue")


def test_a_signed_out_buyer_is_asked_to_log_in_before_paying(shop, footbridge):
    shop.get_by_role("button", name="Buy 10 credits").click()
    footbridge.expect_login().approve(account="eva")
    footbridge.expect_sheet("priceChange").approve()  # instead of the payment sheet: in Spain, the price is in euros
    expect(shop.get_by_text("10 left")).to_be_visible()


@pytest.mark.footbridge(account="eva")
def test_a_declined_payment_credits_nothing(shop, footbridge):
    shop.get_by_role("button", name="Buy 10 credits").click()
    footbridge.expect_purchase(CREDITS).decline()
    expect(queue(shop)).to_contain_text("failed")
    expect(shop.get_by_text("0 left", exact=True)).to_be_visible()


@pytest.mark.footbridge(account="eva")
def test_a_payment_in_progress_credits_nothing(shop, footbridge):
    gate = footbridge.when("onside.payment", product=CREDITS).gate()
    shop.get_by_role("button", name="Buy 10 credits").click()
    footbridge.expect_purchase(CREDITS).approve()
    expect(queue(shop)).to_contain_text("purchasing")
    expect(shop.get_by_text("0 left", exact=True)).to_be_visible()
    gate.release()
    expect(shop.get_by_text("10 left")).to_be_visible()


@pytest.mark.footbridge(account="eva")
def test_credits_are_counted_once_when_the_next_launch_delivers_them_again(shop, footbridge):
    shop.get_by_role("button", name="Buy 10 credits").click()
    footbridge.expect_purchase(CREDITS).approve()
    expect(shop.get_by_text("10 left")).to_be_visible()
    footbridge.relaunch()
    shop.reload()
    expect(queue(shop)).to_contain_text("purchased")
    expect(shop.get_by_text("10 left")).to_be_visible()


@pytest.mark.footbridge(scenario="offline")
def test_the_shop_shows_a_connection_error(shop):
    expect(shop.get_by_role("status")).to_have_text("There is no connection to the store.")


@pytest.mark.footbridge(clock={"frozen": True})
def test_the_shop_waits_for_a_slow_store(page, footbridge):
    footbridge.when("onside.loadProducts").delay(60_000)
    page.goto(footbridge.url)
    product = page.get_by_role("heading", name="Nordic Light")
    expect(page.locator(".waiting")).to_have_count(6)
    expect(product).to_be_hidden()
    footbridge.clock.advance(minutes=1)
    expect(product).to_be_visible()


def test_two_phones_do_not_share_purchases(shop, footbridge, new_footbridge_session, browser):
    with browser.new_context() as context:
        other = new_footbridge_session(account="eva")
        other.enter(context)
        page = context.new_page()
        page.goto(other.url)
        page.get_by_role("button", name="Buy 10 credits").click()
        other.expect_purchase(CREDITS).approve()
        expect(page.get_by_text("10 left")).to_be_visible()
    expect(shop.get_by_role("button", name="Sign in")).to_be_visible()
