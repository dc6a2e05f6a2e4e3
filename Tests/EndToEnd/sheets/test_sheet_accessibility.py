"""axe finds no problem in pages with an open sheet."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from sheet_gallery import CONTENTS, KINDS, SIZES, show
from test_gbg import camera_browser, camera_context  # noqa: F401
from test_sheet_layout import gallery, site  # noqa: F401


def violations(page):
    found = Axe().run(page).response["violations"]
    return [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in found]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_axe_finds_nothing_in_a_page_with_a_sheet_in_a_window_of(size, theme, gallery):
    page = gallery(size, color_scheme=theme)
    for name in CONTENTS:
        show(page, name)
        assert violations(page) == [], name


@pytest.mark.parametrize("locale", ["de_DE", "ja_JP", "ar_EG", "he_IL"])
def test_axe_finds_nothing_in_a_sheet_in_another_language(locale, gallery):
    page = gallery((390, 844))
    for name in CONTENTS:
        show(page, name, locale=locale)
        assert violations(page) == [], name


@pytest.mark.parametrize("size", [(320, 480), (844, 390), (1280, 800)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["capture document", "capture selfie"])
def test_axe_finds_nothing_in_the_camera_sheet_and_its_photo(size, name, site, camera_context):
    page = camera_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.goto(site.url)
    sheet = show(page, name)
    sheet.get_by_role("button", name="Take photo").wait_for()
    assert violations(page) == []
    sheet.get_by_role("button", name="Take photo").click()
    sheet.get_by_role("button", name="Use photo").wait_for()
    assert violations(page) == []


#: The name of each kind in docs/sheets.md, or that its content gives, and its buttons in the order of Tab.
NAMES = {
    "login": ("Sign in to Onside", ["Sign in", "Cancel"]),
    "payment": ("Buy Daylight Pro, yearly?", ["Buy", "Cancel"]),
    "payment to ask for": ("Ask permission to buy Daylight Pro, yearly?", ["Ask", "Cancel"]),
    "priceChange": ("New price for 50 credits", ["Continue at €6.49", "Cancel"]),
    "priceIncrease": ("New price for Daylight Pro, yearly", ["Continue at €39.99", "Decline"]),
    "unavailable": ("Daylight Pro, yearly is not available", ["OK"]),
    "paymentMethods": ("Payment methods", ["Done"]),
    "capture document": ("Photograph the front of the passport", ["Choose a photo", "Cancel"]),
    "capture selfie": ("Take a selfie", ["Choose a photo", "Cancel"]),
    "form": ("Confirm the transfer", ["Pay", "Not now"]),
}


def test_every_kind_of_sheet_has_its_documented_name():
    assert {name.split()[0] for name in NAMES} == set(KINDS)


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_is_a_dialog_with_the_name_and_the_buttons_of_the_manual(name, gallery):
    page = gallery((1280, 800))
    show(page, name, locale="en_US")
    title, buttons = NAMES[name]
    sheet = page.get_by_role("dialog", name=title, exact=True)
    assert [button.text_content() for button in sheet.get_by_role("button").all()] == buttons
    assert page.locator("footbridge-sheet").get_attribute("data-kind") == name.split()[0]
