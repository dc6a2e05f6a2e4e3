"""Sheets of a page in a frame of another origin's page, which could trick a person into clicking on them."""

import pytest

from footbridge_process import serve
from promises import wait_for_promise
from upstreams import upstream


@pytest.fixture
def around():
    """Runs a page of another origin, on another port, with a frame."""
    address = {}

    def handle(exchange, request):
        frame = f'<iframe src="{address["frame"]}" width=700 height=600></iframe>'
        exchange.answer(f"<!doctype html><title>Around</title>{frame}", content_type="text/html")

    with upstream(handle) as site:
        site.address = address
        yield site


@pytest.fixture
def middle(shop, shop_root):
    """Returns the address of a page of the shop with the shop in a frame."""
    (shop_root / "middle.html").write_text("<!doctype html><title>Middle</title><iframe src='/' width=500 height=400></iframe>")
    return shop.url + "/middle"


@pytest.fixture
def console(page):
    lines = []
    page.on("console", lambda message: lines.append(message.text))
    return lines


def start_login(frame):
    frame.evaluate("void onside.requestLogin()")


def withheld(lines):
    return any("A login sheet waits" in line for line in lines)


def test_a_sheet_is_withheld_in_a_frame_of_a_page_of_another_origin(shop, page, around, console):
    around.address["frame"] = shop.url
    page.goto(around.url)
    frame = page.frames[1]
    with page.expect_console_message(lambda message: withheld([message.text])):
        start_login(frame)
    assert "--allow-origin" in shop.wait_for_log("login sheet waits")
    assert frame.get_by_role("dialog").count() == 0
    # The person sees the sheet in another tab.
    tab = page.context.new_page()
    tab.goto(shop.url)
    tab.get_by_role("dialog").wait_for()
    assert frame.get_by_role("dialog").count() == 0


def test_a_sheet_is_withheld_if_any_outer_page_has_another_origin(shop, page, around, console, middle):
    around.address["frame"] = middle
    page.goto(around.url)
    with page.expect_console_message(lambda message: withheld([message.text])):
        start_login(page.frames[2])
    assert all(frame.get_by_role("dialog").count() == 0 for frame in page.frames)


def test_the_sheet_of_a_frame_covers_the_whole_page(shop, page, console, middle):
    page.goto(middle)
    page.frames[1].evaluate("() => { window.login = onside.requestLogin().then(() => 'in', e => e); }")
    sheet = page.get_by_role("dialog")
    sheet.wait_for()
    assert page.frames[1].get_by_role("dialog").count() == 0
    assert sheet.bounding_box()["width"] == page.viewport_size["width"]
    sheet.get_by_role("radio", name="SMS").check()
    page.keyboard.press("Tab")
    sheet.get_by_role("button", name="Sign in").click()
    assert page.frames[1].evaluate("login") == "in"
    assert sheet.count() == 0
    assert not withheld(console)


def test_the_sheet_of_a_removed_frame_moves_to_the_page(shop, page, middle):
    page.goto(middle)
    start_login(page.frames[1])
    page.get_by_role("dialog").wait_for()
    page.evaluate("document.querySelector('iframe').remove()")
    # The sheet belongs to the session, and the remaining page shows it.
    page.get_by_role("dialog").get_by_role("button", name="Sign in").click()
    wait_for_promise(page, "() => onside.getCurrentStorefront()")


def test_a_sheet_is_shown_in_a_frame_of_a_page_of_an_allowed_origin(shop_root, catalog, page, around, console):
    with serve("--root", shop_root, "--catalog", catalog, "--allow-origin", around.url) as server:
        around.address["frame"] = server.url
        page.goto(around.url)
        start_login(page.frames[1])
        page.frames[1].get_by_role("dialog").wait_for()
        assert not withheld(console)
