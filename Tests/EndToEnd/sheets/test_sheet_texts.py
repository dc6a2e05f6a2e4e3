"""What a person sees of long texts and of fields in a sheet."""

import pytest

from sheet_gallery import CONTENTS, show
from test_sheet_layout import gallery, site  # noqa: F401

SIZES = [(320, 480), (390, 844), (844, 390), (1280, 400)]

#: Whether the price is in the visible part of the sheet's text: at its beginning, and once the text has been scrolled to the end.
PRICE_IN_SIGHT = """() => {
  const root = document.querySelector("footbridge-sheet").shadowRoot;
  const [content, price] = [".content", ".price"].map(name => root.querySelector(name));
  return [0, 1e6].map(top => {
    content.scrollTop = top;
    const [outer, box] = [content, price].map(part => part.getBoundingClientRect());
    return box.height > 20 && box.top >= outer.top - 1 && box.bottom <= outer.bottom + 1;
  });
}"""

#: The lines of the price's text, and whether the phrases before and after it have lines of their own if they do not fit beside it.
PRICE_LINES = """() => {
  const price = document.querySelector("footbridge-sheet").shadowRoot.querySelector(".price");
  const linesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)));
  };
  const text = [...price.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const boxOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const line = boxOf(text);
  const spans = [...price.querySelectorAll("span")];
  const isWhole = (span) => linesOf(span).size === 1 || boxOf(span).top >= line.bottom - 12 || boxOf(span).bottom <= line.top + 12;
  return { lines: linesOf(text).size, isWhole: spans.length > 0 && spans.every(isWhole) };
}"""

#: The words that a line break divides, though there is room for them on a line.
DIVIDED = """(pattern) => {
  const root = document.querySelector("footbridge-sheet").shadowRoot;
  const divided = [];
  const texts = document.createTreeWalker(root.querySelector(".card"), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(new RegExp(pattern, "gu"))) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = [...range.getClientRects()].filter(({ width }) => width);
      if (new Set(boxes.map(({ top }) => Math.round(top))).size > 1) divided.push(word);
    }
  }
  return divided;
}"""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_long_description_leaves_the_price_in_sight(size, gallery):
    page = gallery(size)
    show(page, "payment of much text")
    assert page.evaluate(PRICE_IN_SIGHT) == [True, True]


@pytest.mark.parametrize("locale", ["en_US", "de_DE", "fr_FR", "fi_FI", "ja_JP", "tr_TR", "ar_EG"])
def test_a_price_and_its_rhythm_break_as_two_lines(locale, gallery):
    for width in (320, 360, 390, 430):
        page = gallery((width, 844))
        for name in ("payment", "payment of much text", "payment to ask for"):
            show(page, name, locale=locale)
            assert page.evaluate(PRICE_LINES) == {"lines": 1, "isWhole": True}, (name, width)


#: How many lines each of the two halves of a change of a price has: a word and its price.
HALVES = """() => {
  const [text] = document.querySelector("footbridge-sheet").shadowRoot.querySelector(".change").childNodes;
  return [...text.data.matchAll(/[^\\s,،](?:[^,،]|[,،](?!\\s))*\\S/gu)].map(({ 0: half, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + half.length);
    return new Set([...range.getClientRects()].filter(({ width }) => width).map(({ top }) => Math.round(top))).size;
  });
}"""


@pytest.mark.parametrize("locale", ["en_US", "de_DE", "fr_FR", "es_ES", "pl_PL", "ar_EG"])
def test_a_changed_price_stands_on_the_line_of_its_word(locale, gallery):
    for width in (320, 360, 390, 430):
        page = gallery((width, 844))
        for name in ("priceChange", "priceIncrease"):
            show(page, name, locale=locale)
            assert page.evaluate(HALVES) == [1, 1], (name, width)


def test_korean_breaks_between_words(gallery):
    for width in (320, 390):
        page = gallery((width, 844))
        for name in CONTENTS:
            show(page, name, locale="ko_KR")
            assert page.evaluate(DIVIDED, "[\\p{Script=Hangul}]+") == [], (name, width)


def test_an_address_breaks_only_before_its_at_sign(gallery):
    for width in (320, 360, 390):
        page = gallery((width, 844))
        for name in ("login", "payment", "priceChange", "priceIncrease", "paymentMethods"):
            show(page, name)
            assert page.evaluate(DIVIDED, "@?[a-z.]{3,}\\.[a-z.]+") == [], (name, width)


def test_an_unset_checkbox_and_choice_have_a_visible_sign(gallery):
    page = gallery((390, 844))
    show(page, "form")
    signs = page.evaluate("""() => [...document.querySelector("footbridge-sheet").shadowRoot.querySelectorAll(".choice")].map((row) => {
      const { borderTopWidth, borderTopColor, backgroundColor } = getComputedStyle(row.querySelector("svg"));
      return [row.querySelector("input").checked, parseFloat(borderTopWidth) >= 1, borderTopColor !== "rgba(0, 0, 0, 0)",
        backgroundColor !== "rgba(0, 0, 0, 0)"];
    })""")
    assert signs == [[checked, True, True, checked] for checked in (False, True, False, False)]


def test_required_fields_are_marked_and_others_are_not(gallery):
    page = gallery((390, 844))
    sheet = show(page, "form")
    assert page.evaluate("""() => [...document.querySelector("footbridge-sheet").shadowRoot.querySelectorAll(".field span, .name, legend")]
      .filter((label) => getComputedStyle(label, "::after").content.includes("*")).map((label) => label.textContent)""") == [
          "PIN", "I accept the terms", "When"]
    # The mark is not read aloud; that the field is required is.
    assert sheet.get_by_label("PIN", exact=True).evaluate("field => field.required")
    sheet.get_by_label("PIN", exact=True).fill("1234")
    sheet.get_by_label("I accept the terms").check()
    sheet.get_by_role("button", name="Pay").click()
    assert sheet.is_visible(), "no choice was made"
    sheet.get_by_label("Tomorrow").check()
    sheet.get_by_role("button", name="Pay").click()
    assert page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize("locale", ["en_US", "ar_EG"])
def test_numbers_stand_where_other_fields_have_their_text(locale, gallery):
    page = gallery((1280, 800))
    show(page, "form", locale=locale)
    fields = page.evaluate("""() => [...document.querySelector("footbridge-sheet").shadowRoot.querySelectorAll(".field input")]
      .map((field) => [field.type, getComputedStyle(field).textAlign, getComputedStyle(field).appearance])""")
    side = "left" if locale == "ar_EG" else "right"
    # A number with its arrows would stand further inside.
    assert fields == [["password", side, "auto"], ["number", side, "textfield"], ["text", side, "auto"]]
