"""Whatever the page does, a person can see, read and answer a sheet, and the page gets none of its events."""

import re

import pytest

from engines import expect


def ask(page):
    """Makes the page request a login, and waits for the sheet."""
    page.evaluate("() => { window.login = onside.requestLogin().then(() => 'in', e => e); }")
    sheet = page.get_by_role("dialog", name=re.compile("sign in", re.I))
    expect(sheet).to_be_visible()
    return sheet


def assert_is_in_front(page):
    """Checks that nothing covers the middle of each button."""
    page.wait_for_function(
        """() => {
          const root = document.querySelector("footbridge-sheet")?.shadowRoot;
          const buttons = [...root?.querySelectorAll("button:not([hidden])") ?? []];
          return buttons.length && buttons.every(button => {
            const { left, top, width, height } = button.getBoundingClientRect();
            return root.elementFromPoint(left + width / 2, top + height / 2) === button;
          });
        }""")


@pytest.mark.parametrize("prepare", [
    "document.documentElement.dir = 'rtl'",
    "document.head.insertAdjacentHTML('beforeend', '<style>* { all: unset !important }</style>')",
    "document.head.insertAdjacentHTML('beforeend', '<style>* { visibility: hidden !important; transform: scale(0) !important }</style>')",
    "document.documentElement.inert = document.body.inert = true",
    "document.documentElement.style.cssText = 'transform: rotate(20deg); opacity: 0; filter: blur(9px); zoom: 3'",
], ids=["right to left", "all unset", "hidden", "inert", "turned and transparent"])
@pytest.mark.parametrize("is_before", [True, False], ids=["before", "after"])
def test_a_sheet_can_be_answered_under_styles_of_the_page_that_hide_everything(shop, page, prepare, is_before):
    page.goto(shop.url)
    if is_before:
        page.evaluate(prepare)
    sheet = ask(page)
    if not is_before:
        page.evaluate(prepare)
    assert_is_in_front(page)
    sheet.get_by_role("radio").last.click()
    page.mouse.click(*center(sheet.locator("button", has_text="Sign in")))
    assert page.evaluate("login") == "in"


def center(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


LISTENERS = """for (const target of [window, document]) {
  for (const type of ["keydown", "keyup", "keypress", "click", "pointerdown", "pointerup", "pointermove", "mousedown", "mouseup", "mousemove",
    "focusin", "touchstart", "touchend", "wheel", "input", "change", "submit", "cancel", "close"]) {
    target.addEventListener(type, event => {
      (window.heard ??= []).push(type);
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { capture: true, passive: false });
  }
}"""


def test_the_page_gets_no_events_of_a_sheet_and_cannot_stop_them(shop, new_context):
    page = new_context(has_touch=True).new_page()
    page.add_init_script(f"document.addEventListener('DOMContentLoaded', () => {{ {LISTENERS} }})")
    page.goto(shop.url)
    sheet = ask(page)
    page.mouse.move(5, 5)
    page.evaluate("() => { window.heard = []; }")
    for _ in range(5):
        page.keyboard.press("Tab")
    sheet.get_by_role("radio", name="SMS").check()
    expect(sheet.get_by_role("radio", name="SMS")).to_be_checked()
    page.keyboard.press("ArrowLeft")
    expect(sheet.get_by_role("radio", name="Google")).to_be_checked()
    page.mouse.wheel(0, 300)
    sheet.get_by_role("heading").tap()
    sheet.get_by_role("button", name="Sign in").click()
    assert page.evaluate("login") == "in"
    assert page.evaluate("heard") == []
    ask_again = page.evaluate("() => { onside.logout(); window.login = onside.requestLogin().catch(e => e); }")
    assert ask_again is None
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    assert page.evaluate("login") == {"loginDiscarded": {}}
    # The person releases the key that has closed the sheet over the page.
    assert set(page.evaluate("heard")) <= {"keyup"}


def test_the_page_gets_events_again_after_the_sheet_is_answered(shop, page):
    page.goto(shop.url)
    page.evaluate("() => { window.heard = []; for (const type of ['keydown', 'click']) addEventListener(type, () => heard.push(type)); }")
    ask(page).get_by_role("button", name="Cancel").click()
    page.keyboard.press("a")
    page.get_by_role("button", name="Something to focus").click()
    assert page.evaluate("heard") == ["keydown", "click"]


@pytest.mark.parametrize("key", ["PageDown", "End", " ", "ArrowDown", "wheel", "sideways wheel"])
def test_the_page_behind_a_sheet_does_not_scroll(shop, page, key):
    page.goto(shop.url)
    page.evaluate("Object.assign(document.body.style, { height: '9000px', width: '9000px' })")
    sheet = ask(page)
    if "wheel" in key:
        distance = (500, 0) if key == "sideways wheel" else (0, 500)
        page.mouse.move(*center(sheet.get_by_role("heading")))
        page.mouse.wheel(*distance)
        page.mouse.move(3, 3)
        page.mouse.wheel(*distance)
    else:
        page.keyboard.press(key)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    sheet.get_by_role("button", name="Cancel").click()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("[scrollX, scrollY]") == [0, 0]


@pytest.mark.parametrize("cover", [
    """() => {
      document.body.insertAdjacentHTML("beforeend", "<div popover=manual style='inset: 0; width: 100%; height: 100%'>Cookies?</div>");
      document.querySelector("[popover]").showPopover();
    }""",
    "() => document.body.requestFullscreen()",
    "() => { document.body.insertAdjacentHTML('beforeend', '<dialog>Stay</dialog>'); document.querySelector('dialog').showModal(); }",
], ids=["popover", "full screen", "dialog"])
def test_popovers_and_dialogs_of_the_page_do_not_cover_a_sheet(shop, page, cover):
    page.goto(shop.url)
    page.get_by_role("button", name="Something to focus").click()
    sheet = ask(page)
    sheet.get_by_role("radio", name="SMS").check()
    page.evaluate(cover)
    assert_is_in_front(page)
    # The sheet keeps the person's choice.
    expect(sheet.get_by_role("radio", name="SMS")).to_be_checked()
    sheet.get_by_role("button", name="Sign in").click()
    assert page.evaluate("login") == "in"


def test_an_answered_sheet_is_removed_before_its_promise_resolves(shop, page):
    page.goto(shop.url)
    page.evaluate(
        """() => {
          window.left = onside.requestLogin().then(() => document.documentElement.outerHTML + [...document.querySelectorAll("*")]
            .map(element => element.shadowRoot?.textContent ?? "").join(""));
        }""")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Sign in").click()
    page.evaluate("left")
    left = page.evaluate("left")
    assert "Choose an account" not in left and "footbridge-sheet" not in left
