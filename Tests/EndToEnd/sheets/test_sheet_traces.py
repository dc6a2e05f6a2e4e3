"""A page notices nothing of a native sheet."""

import re

import pytest

from engines import expect
from footbridge_process import serve

#: A page that writes down all that it can notice.
WATCHER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<style>body { height: 3000px }</style>
<button id="open" popovertarget="cart">Cart</button>
<form><input id="name" value="Eva Lindqvist"><div popover id="cart"><button type="button" id="buy">Buy</button></div></form>
<script>
  const noticed = [];
  const types = `beforetoggle toggle close cancel focus blur focusin focusout visibilitychange selectionchange scroll scrollend resize popstate
    hashchange pagehide pageshow freeze resume keydown keypress keyup beforeinput input change click auxclick contextmenu mousedown mousemove mouseup
    mouseover mouseout pointerdown pointermove pointerup pointerover pointerout wheel touchstart touchend submit transitionend`.split(/\\s+/);
  for (const type of types) addEventListener(type, event => noticed.push(`${type} ${event.target.id ?? event.target.nodeName ?? "window"}`), true);
  for (const element of document.querySelectorAll("*")) new ResizeObserver(() => noticed.push(`resized ${element.id}`)).observe(element);
  setInterval(() => {
    const state = JSON.stringify([document.hasFocus(), document.activeElement?.id, !!document.querySelector("form:focus-within"),
      !!document.querySelector(":modal"), [...document.querySelectorAll(":popover-open")].map(({ id }) => id), history.length, location.hash, scrollY,
      String(getSelection()), document.querySelector("#name").selectionStart]);
    if (window.state && window.state !== state) noticed.push(state);
    window.state = state;
  });
  /** Runs once all of that has happened so far. */
  const settle = () => new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)))));
</script></html>"""


@pytest.fixture
def watched(tmp_path, catalog, new_context):
    (tmp_path / "index.html").write_text(WATCHER)
    with serve("--root", tmp_path, "--catalog", catalog, "--ephemeral") as server:
        page = new_context(viewport={"width": 800, "height": 700}).new_page()
        page.goto(server.url)
        yield page


def begin_in_popover(page):
    page.get_by_role("button", name="Cart").click()
    page.get_by_role("button", name="Buy").click()


def begin_in_field(page):
    page.locator("#name").focus()
    page.locator("#name").evaluate("field => field.setSelectionRange(2, 5)")


@pytest.mark.parametrize("begin", [begin_in_popover, begin_in_field, lambda page: None], ids=["popover", "text field", "nowhere"])
@pytest.mark.parametrize("answer", ["click", "Escape", "wheel and click"])
def test_a_page_notices_nothing_of_a_sheet(watched, begin, answer):
    page = watched
    begin(page)
    page.mouse.move(790, 690)
    page.evaluate("settle()")
    page.evaluate("() => { noticed.length = 0; window.login = onside.requestLogin().then(() => 'in', () => 'out'); }")
    sheet = page.get_by_role("dialog", name=re.compile("^Sign in"))
    expect(sheet).to_be_visible()
    page.evaluate("settle()")
    if answer == "Escape":
        page.keyboard.press("x")
        page.keyboard.press(" ")
        page.keyboard.press("Enter")
        page.keyboard.press("PageDown")
        page.keyboard.press("Escape")
    else:
        if answer == "wheel and click":
            box = sheet.get_by_role("heading").bounding_box()
            page.mouse.move(box["x"] + 5, box["y"] + 5)
            page.mouse.wheel(0, 400)
            page.mouse.move(3, 3)
            page.mouse.wheel(0, 400)
            page.mouse.click(3, 3)
            sheet.get_by_role("radio", name="SMS").check()
        sheet.get_by_role("button", name="Sign in" if answer == "click" else "Cancel").click()
    page.wait_for_function("window.login")
    assert page.evaluate("login") == ("in" if answer == "click" else "out")
    page.evaluate("settle()")
    # When the sheet has gone, the pointer or the released key is over the page again.
    noticed = [each for each in page.evaluate("noticed") if not re.match("(key|mouse|pointer)(up|move|over|out) ", each)]
    assert noticed == [], noticed[:20]


def test_a_page_hears_nothing_of_the_focus_that_tab_brings_into_a_sheet(watched):
    page = watched
    begin_in_popover(page)
    page.evaluate("settle()")
    page.evaluate("() => { noticed.length = 0; window.login = onside.requestLogin().catch(() => 'out'); }")
    expect(page.get_by_role("dialog")).to_be_visible()
    for _ in range(5):
        page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    assert page.evaluate("login") == "out"
    page.evaluate("settle()")
    assert [each for each in page.evaluate("noticed") if not re.match(r"\[|keyup |(mouse|pointer)(over|out) ", each)] == []
    assert page.evaluate("[document.activeElement.id, document.querySelector('#cart').matches(':popover-open')]") == ["buy", True]
