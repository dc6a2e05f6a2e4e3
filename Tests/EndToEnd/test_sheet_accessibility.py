"""axe finds no problem in pages with an open sheet."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from sheet_gallery import CONTENTS, KINDS, SIZES, show
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


#: The name of each kind in docs/testing.md, and its buttons in the order of Tab.
NAMES = {
    "login": ("Sign in to Onside", ["Sign in", "Cancel"]),
    "payment": ("Buy Daylight Pro, yearly?", ["Buy", "Cancel"]),
    "priceChange": ("New price for Daylight Pro, yearly", ["Continue at €6.49", "Cancel"]),
    "unavailable": ("Daylight Pro, yearly is not available", ["OK"]),
    "paymentMethods": ("Payment methods", ["Done"]),
    "capture document": ("Photograph the front of the passport", ["Choose a photo", "Cancel"]),
    "capture selfie": ("Take a selfie", ["Choose a photo", "Cancel"]),
}


def test_every_kind_has_a_name_that_tests_can_rely_on():
    assert {name.split()[0] for name in NAMES} == set(KINDS)


@pytest.mark.parametrize("name", NAMES)
def test_a_sheet_is_a_dialog_with_the_name_and_the_buttons_of_the_manual(name, gallery):
    page = gallery((1280, 800))
    CONTENTS["priceChange"]["product"]["localizedTitle"] = "Daylight Pro, yearly"
    show(page, name, locale="en_US")
    title, buttons = NAMES[name]
    sheet = page.get_by_role("dialog", name=title, exact=True)
    assert [button.text_content() for button in sheet.get_by_role("button").all()] == buttons
    assert page.locator("footbridge-sheet").get_attribute("data-kind") == name.split()[0]
