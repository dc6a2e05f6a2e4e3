"""Sheets by keyboard, by touch and under the pointer."""

import pytest

from engines import WEBKIT, expect
from sheet_gallery import CONTENTS, show
from test_gbg import camera_browser, camera_context  # noqa: F401
from test_sheet_layout import gallery, site  # noqa: F401

#: The focused control of the sheet: its type and its text or value. Null if the page has the focus.
FOCUSED = """() => {
  const focused = document.querySelector("footbridge-sheet")?.shadowRoot.activeElement;
  return focused && `${focused.localName} ${focused.value || focused.textContent.slice(0, 40)}`;
}"""

#: Where Tab must stop: what a person sees and can use, in the order of the document. Of a choice, that is what is chosen, or its first row; or its
#: last row, if asked for.
STOPS = """(isLast) => {
  const root = document.querySelector("footbridge-sheet").shadowRoot;
  const choices = new Set();
  const controls = [...root.querySelectorAll("button, input, [tabindex='0']")];
  const stops = (isLast ? controls.reverse() : controls).filter(control => {
    if (!control.checkVisibility({ visibilityProperty: true })) return false;
    if (control.type !== "radio") return true;
    if (choices.has(control.name) || !control.checked && root.querySelector(`[name="${control.name}"]:checked`)) return false;
    choices.add(control.name);
    return true;
  });
  return (isLast ? stops.reverse() : stops).map(control => `${control.localName} ${control.value || control.textContent.slice(0, 40)}`);
}"""


def assert_tab_stays(page, engine):
    """Presses Tab through the sheet twice, and back again."""
    stops = page.evaluate(STOPS, False)
    assert stops
    # On the way back, WebKit reaches a choice at its last row.
    back = page.evaluate(STOPS, engine == WEBKIT)[::-1]
    for key, expected in (("Tab", stops * 2), ("Shift+Tab", back[1:] + back)):
        seen = []
        for _ in expected:
            page.keyboard.press(key)
            seen.append(page.evaluate(FOCUSED))
        assert seen == expected, key


@pytest.mark.parametrize("size", [(1280, 800), (844, 390), (320, 200)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", CONTENTS)
def test_tab_stops_at_each_visible_control_and_stays_in_the_sheet(engine, name, size, gallery):
    page = gallery(size)
    show(page, name)
    assert_tab_stays(page, engine)


@pytest.mark.parametrize("name", ["capture document", "capture selfie"])
def test_tab_stays_in_the_camera_in_each_of_its_states(engine, name, site, camera_context):
    page = camera_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(site.url)
    sheet = show(page, name)
    sheet.get_by_role("button", name="Take photo").wait_for()
    assert_tab_stays(page, engine)
    sheet.get_by_role("button", name="Take photo").click()
    sheet.get_by_role("button", name="Use photo").wait_for()
    assert_tab_stays(page, engine)
    sheet.get_by_role("button", name="Retake").press("Enter")
    sheet.get_by_role("button", name="Take photo").wait_for()
    assert_tab_stays(page, engine)


def test_a_finger_pulls_a_sheet_down_by_its_bar(site, new_context):
    context = new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(site.url)
    page.get_by_role("button", name="Buy 50 credits").wait_for()
    show(page, "payment")
    touch = context.new_cdp_session(page)
    card = page.locator("footbridge-sheet .card").bounding_box()
    # 24 px can be touched.
    for offset, distance, is_open in ((12, 40, True), (23, 160, False)):
        x, y = card["x"] + card["width"] / 2, card["y"] + offset
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for way in range(10, distance + 1, 10):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + way}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(page.get_by_role("dialog")).to_have_count(1 if is_open else 0)


#: The contrast of the text of a button with its background, with the filter of the button (WCAG 2, "contrast ratio").
CONTRAST = """button => {
  const { backgroundColor, color, filter } = getComputedStyle(button);
  const brightness = Number(/brightness\\((.*)\\)/.exec(filter)?.[1] ?? 1);
  const luminance = text => {
    const [red, green, blue] = text.match(/[\\d.]+/g).map(value => {
      const part = Math.min(1, value / 255 * brightness);
      return part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
    });
    return .2126 * red + .7152 * green + .0722 * blue;
  };
  const [light, dark] = [luminance(color), luminance(backgroundColor)].sort((one, other) => other - one);
  return (light + .05) / (dark + .05);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("state", ["rest", "hover", "press"])
def test_the_text_of_the_primary_button_has_enough_contrast(theme, state, gallery):
    page = gallery((1280, 800), color_scheme=theme, reduced_motion="reduce")
    button = show(page, "payment").get_by_role("button", name="Buy")
    if state != "rest":
        button.hover()
    if state == "press":
        page.mouse.down()
    assert button.evaluate(CONTRAST) >= 4.5
