"""A test of a shop with Selenium. The shop is Footbridge's demo."""

from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

CREDITS = "daylight.credits.10"


def test_paid_credits_are_counted(driver, footbridge):
    driver.get(footbridge.enter_url("/"))
    wait = WebDriverWait(driver, 10)
    wait.until(lambda driver: driver.find_elements(By.XPATH, "//button[contains(., 'Buy 10 credits')]"))[0].click()
    footbridge.expect_login().approve(account="eva")
    footbridge.expect_sheet("priceChange").approve()  # instead of the payment sheet: in Spain, the price is in euros
    wait.until(lambda driver: "10 left" in driver.find_element(By.TAG_NAME, "main").text)
    footbridge.calls("onside.purchase", productIdentifier=CREDITS).exactly(1)
