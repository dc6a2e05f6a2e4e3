"""Fixtures in place of pytest-playwright. With pytest-playwright and an installed kit, you need nothing of this file."""

import os
import shutil

import pytest
from playwright.sync_api import sync_playwright

pytest_plugins = ["pytest_footbridge.plugin"]


@pytest.fixture(scope="session")
def browser():
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium"), args=arguments
        )
        yield browser
        browser.close()


@pytest.fixture
def context(browser):
    context = browser.new_context(locale="en-US")
    yield context
    context.close()


@pytest.fixture
def page(context):
    return context.new_page()
