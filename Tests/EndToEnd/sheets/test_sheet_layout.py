"""People can read and answer sheets in every window."""

import os
import shutil

import pytest

from footbridge_process import serve
from sheet_gallery import CONTENTS, SIZES, show

#: Scrolls through the sheet. Returns its problems: texts that are cut off or cannot be reached by scrolling, and hidden buttons.
PROBLEMS = """async () => {
  const root = document.querySelector("footbridge-sheet").shadowRoot;
  const problems = [];
  const inside = (box, outer) => box.left >= outer.left - 1 && box.right <= outer.right + 1
    && box.top >= outer.top - 1 && box.bottom <= outer.bottom + 1;
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const content = root.querySelector(".content");
  const card = root.querySelector(".card").getBoundingClientRect();
  if (!inside(card, screen)) problems.push("the card is not in the window");
  for (const button of root.querySelectorAll("button:not([hidden])")) {
    const box = button.getBoundingClientRect();
    if (!inside(box, screen) || box.height < 30) problems.push(`the button ${button.textContent} is not in view`);
    if (button.scrollWidth > button.clientWidth + 1) problems.push(`the button ${button.textContent} is cut off`);
  }
  if (content.clientHeight < 30) problems.push(`the text has ${content.clientHeight} px`);
  if (content.scrollWidth > content.clientWidth) problems.push("the text must be scrolled sideways");
  for (const part of content.querySelectorAll("h2, p, legend, dt, dd, li, .name, .detail")) {
    const parts = [part, ...(part.closest(".row") ? [part.closest(".row")] : [])];
    for (const each of parts) {
      if (each.clientHeight && each.scrollHeight > each.clientHeight + 3) problems.push(`"${part.textContent}" is cut off`);
    }
    const box = () => part.getBoundingClientRect();
    const outer = content.getBoundingClientRect();
    content.scrollTop += box().top - outer.top;
    if (!inside({ ...outer.toJSON(), top: box().top, bottom: box().top, left: box().left, right: box().right }, outer)) {
      problems.push(`"${part.textContent}" cannot be scrolled to`);
    }
    content.scrollTop += box().bottom - outer.bottom;
    if (box().bottom > outer.bottom + 1) problems.push(`the end of "${part.textContent}" cannot be scrolled to`);
  }
  return problems;
}"""


@pytest.fixture(scope="session")
def site():
    with serve("--ephemeral") as server:
        yield server


@pytest.fixture(scope="session")
def camera_browser(browser):
    """Launches a browser with two cameras."""
    arguments = ["--use-fake-device-for-media-stream=device-count=2"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
    camera_browser = browser.browser_type.launch(
        executable_path=os.environ.get("FOOTBRIDGE_CHROMIUM") or shutil.which("chromium"), args=arguments
    )
    yield camera_browser
    camera_browser.close()


@pytest.fixture
def gallery(site, new_context):
    """Opens a page in a window of a size."""

    def open_page(size, **options):
        page = new_context(viewport={"width": size[0], "height": size[1]}, **options).new_page()
        page.goto(site.url)
        page.get_by_role("button", name="Buy 50 credits").wait_for()
        return page

    return open_page


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_control_of_a_sheet_can_be_reached_in_a_window_of(size, gallery):
    page = gallery(size)
    for name in CONTENTS:
        show(page, name)
        assert page.evaluate(PROBLEMS) == [], name


@pytest.mark.parametrize("locale", ["de_DE", "pl_PL", "ar_EG"])
def test_longer_words_fit_into_the_sheets(locale, gallery):
    for size in [(320, 480), (844, 390), (320, 200)]:
        page = gallery(size)
        for name in CONTENTS:
            show(page, name, locale=locale)
            assert page.evaluate(PROBLEMS) == [], (name, size)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_camera_and_its_photo_fill_the_room_in_a_window_of(size, site, camera_browser):
    width, height = size
    context = camera_browser.new_context(viewport={"width": width, "height": height}, permissions=["camera"])
    page = context.new_page()
    page.goto(site.url)
    for name in ("capture document", "capture selfie"):
        sheet = show(page, name)
        for button, picture in (("Take photo", sheet.get_by_label("Camera")), ("Use photo", sheet.get_by_role("img", name="Your photo"))):
            assert page.evaluate(PROBLEMS) == [], (name, button)
            box = picture.bounding_box()
            # Nothing is cut off, and one side is as long as the text and the buttons allow.
            assert box["x"] >= 0 and box["y"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height
            assert box["width"] >= 0.99 * width or box["height"] >= 0.99 * height or box["width"] >= 0.55 * width, (box, name)
            if button == "Take photo":
                sheet.get_by_role("button", name=button).click()
    context.close()


def test_a_sheet_lies_in_the_visible_part_of_a_page_that_overflows_sideways(site, new_context):
    context = new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = context.new_page()
    page.goto(site.url)
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<div style=\"width: 900px; height: 3000px\"></div>')")
    show(page, "payment")
    seen = page.evaluate("(({ offsetLeft, offsetTop, width, height }) => [offsetLeft, offsetTop, width, height])(visualViewport)")
    left, top, width, height = seen
    for name in ("Buy", "Cancel"):
        box = page.evaluate(
            """name => [...document.querySelector("footbridge-sheet").shadowRoot.querySelectorAll("button")]
              .find(button => button.textContent === name).getBoundingClientRect().toJSON()""", name)
        assert left <= box["left"] and box["right"] <= left + width and top <= box["top"] and box["bottom"] <= top + height
        assert box["width"] > 0.8 * width
    page.get_by_role("dialog").get_by_role("button", name="Cancel").tap()
    assert page.get_by_role("dialog").count() == 0
