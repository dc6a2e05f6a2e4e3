"""A browser for each test, which begins without a session."""

import os
import shutil

import pytest
from selenium import webdriver

pytest_plugins = ["pytest_footbridge.plugin"]


@pytest.fixture
def driver():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium")
    options.add_argument("--headless=new")
    options.add_argument("--lang=en-US")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()
