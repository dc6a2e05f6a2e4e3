"""The words of the sheets, in all their languages."""

import re

import pytest

from engines import CHROMIUM, FIREFOX, expect, only
from footbridge_process import PROJECT, serve
from sheet_gallery import CONTENTS, LANGUAGES, load_sheets, show
from test_sheet_layout import gallery, site  # noqa: F401

#: Every offer in every language, to be read by people. After a change of words: FOOTBRIDGE_RECORD=1 pytest test_sheet_words.py
OFFERS = PROJECT / "Tests" / "EndToEnd" / "sheet_offers.txt"

#: Loads the words of all languages as modules. Returns a function for each language.
WORDS = """async (languages) => {
  const words = {};
  document[Symbol.for("footbridge")].addWords = (language, added) => words[language] = added;
  words.en = (await import("/sheets/words/en.js")).enWords;
  for (const language of languages) await import(`/sheets/words/${language}.js`);
  return words;
}"""

#: The sentences of every offer, period and number in a language.
SENTENCES = """async (languages) => {
  const { sheetWords } = await import("/sheets/words.js");
  const { languageOf } = await import("/sheets/language.js");
  const { offerSentence, priceSentence } = await import("/bridges/onside/sheets/product.js");
  document[Symbol.for("footbridge")].addWords = (language, words) => sheetWords[language] = words;
  for (const language of languages) await import(`/sheets/words/${language}.js`);
  const lines = [];
  for (const name of languages) {
    const language = languageOf(name);
    const say = (sentence, price = "€9") => sentence.replace("{price}", price);
    lines.push(name);
    for (const unit of ["day", "week", "month", "year"]) {
      for (const number of [1, 2, 3, 5, 11, 21, 100]) {
        const duration = { unit, numberOfUnits: number };
        const offer = { period: { unit, numberOfUnits: 1 }, numberOfPeriods: number, duration };
        lines.push(["", say(priceSentence(language, duration)), say(offerSentence(language, { ...offer, paymentMode: "free" }), language.words.free),
          say(offerSentence(language, { ...offer, paymentMode: "payUpFront" })),
          ...(number > 1 ? [say(offerSentence(language, { ...offer, paymentMode: "payAsYouGo" }))] : [])].join(" | ").trim());
      }
    }
    lines.push("| " + say(offerSentence(language, { paymentMode: "payAsYouGo", period: { unit: "month", numberOfUnits: 3 }, numberOfPeriods: 2,
      duration: { unit: "month", numberOfUnits: 6 } })), "");
  }
  return lines.join("\\n");
}"""


@pytest.fixture(scope="module")
def web():
    """Serves the modules themselves."""
    with serve("--root", str(PROJECT / "web"), "--ephemeral") as server:
        yield server


@pytest.fixture
def modules(web, page):
    page.goto(f"{web.url}/demo/index.html")
    return page


@pytest.fixture
def words(modules):
    return modules.evaluate(WORDS, LANGUAGES)


def texts(words, path=""):
    """Returns all texts of a language, by their places."""
    for key, value in words.items():
        if isinstance(value, dict):
            yield from texts(value, f"{path}{key}.")
        else:
            yield path + key, value


def slots(text):
    return sorted(re.findall(r"\{(\w+)\}", text))


@only(CHROMIUM, FIREFOX, because="it has Arabic digits for the numbers of Arabic")
def test_every_offer_of_every_language_is_written_as_recorded(modules, request):
    import os

    sentences = modules.evaluate(SENTENCES, LANGUAGES)
    if os.environ.get("FOOTBRIDGE_RECORD"):
        OFFERS.write_text(sentences, encoding="utf-8")
    assert sentences == OFFERS.read_text(encoding="utf-8")
    assert "undefined" not in sentences and "{" not in sentences


def test_every_language_has_the_words_of_english_with_the_same_slots(words):
    assert sorted(words) == LANGUAGES
    forms = ("every.", "first.")
    english = dict(texts(words["en"]))
    for language in LANGUAGES:
        own = dict(texts(words[language]))
        assert {key for key in own if not key.startswith(forms)} == {key for key in english if not key.startswith(forms)}, language
        for key, text in own.items():
            assert text == text.strip() and text, (language, key)
            if not key.startswith(forms):
                assert slots(text) == slots(english[key]), (language, key)


def test_every_phrase_has_a_form_for_each_plural_category_of_its_language(modules, words):
    """One category may do without: `other` stands for it."""
    categories = modules.evaluate("""languages => Object.fromEntries(languages.map((language) => {
      const rules = new Intl.PluralRules(language);
      return [language, [rules.resolvedOptions().pluralCategories, [...new Set(Array.from({ length: 199 }, (_, n) => rules.select(n + 2)))]]];
    }))""", LANGUAGES)
    for language, (known, needed) in categories.items():
        for phrase in ("every", "first"):
            for unit, forms in words[language][phrase].items():
                place = (language, phrase, unit)
                assert {"1", "other"} <= set(forms) <= {"1", *known}, place
                assert len(set(needed) - {"other"} - set(forms)) <= (0 if "other" in needed else 1), place
                for key, form in forms.items():
                    # "Two months" is one word in some languages.
                    assert slots(form) == ([] if key == "1" or (key, language) in {("two", "ar"), ("two", "he")} else ["number"]), (*place, key)


def test_french_has_a_no_break_space_before_its_signs(words):
    found = [text for _, text in texts(words["fr"]) if re.search(r"[:;?!»]", text)]
    assert len(found) > 10
    assert [text for text in found if re.search(r"(?<!\u00a0)[:;?!»]|«(?!\u00a0)", text)] == []


def test_a_page_loads_only_the_words_of_its_language(gallery):
    page = gallery((390, 844))
    loaded = []
    page.on("request", lambda request: loaded.extend(re.findall("/__footbridge/words/(.+)$", request.url)))
    show(page, "payment", locale="en_US")
    assert loaded == []
    for _ in range(2):
        expect(show(page, "payment", locale="fr_FR").get_by_role("button", name="Acheter")).to_be_visible()
    expect(show(page, "payment", locale="zh_TW").get_by_role("button", name="購買")).to_be_visible()
    assert loaded == ["fr.js", "zh-Hant.js"]


def test_a_sheet_whose_words_cannot_be_loaded_is_in_english(gallery):
    page = gallery((390, 844))
    page.route("**/__footbridge/words/*", lambda route: route.abort())
    sheet = show(page, "payment", locale="fr_FR")
    assert sheet.get_attribute("lang") == "en"
    expect(sheet.get_by_role("button", name="Buy")).to_be_visible()
    page.unroute("**/__footbridge/words/*")
    assert show(page, "payment", locale="fr_FR").get_attribute("lang") == "fr-FR"


def test_a_sheet_that_is_dismissed_while_its_words_load_leaves_its_place_to_the_next(gallery):
    page = gallery((390, 844))
    load_sheets(page)
    page.evaluate("""content => {
      const host = document[Symbol.for("footbridge")];
      host.present({ id: "first", kind: "payment", locale: "fr_FR", content });
      host.present({ id: "second", kind: "payment", locale: "de_DE", content });
      host.dismiss({ id: "first" });
    }""", CONTENTS["payment"])
    sheet = page.get_by_role("dialog")
    expect(sheet).to_have_attribute("lang", "de-DE")
    expect(sheet).to_have_count(1)


#: The texts with "50 credits", each with whether 50 is left of the credits.
ORDER = """() => {
  const root = document.querySelector("footbridge-sheet").shadowRoot;
  const walker = document.createTreeWalker(root.querySelector(".card"), NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const at = node.data.indexOf("50 credits");
    if (at < 0) continue;
    const left = (from, to) => {
      const range = document.createRange();
      range.setStart(node, at + from);
      range.setEnd(node, at + to);
      return range.getBoundingClientRect().left;
    };
    found.push([node.parentElement.localName, left(0, 2) < left(3, 10)]);
  }
  return found;
}"""


@pytest.mark.parametrize("locale", ["ar_EG", "he_IL"])
def test_names_of_others_stay_in_their_order_among_words_from_right_to_left(locale, gallery):
    page = gallery((390, 844))
    account = {**CONTENTS["login"]["accounts"][0], "name": "50 credits"}
    method = {"id": "m", "label": "50 credits", "kind": "sms"}
    form = {"title": "50 credits", "text": "50 credits", "fields": [
        {"name": "a", "label": "50 credits", "type": "text"}, {"name": "b", "label": "50 credits", "type": "checkbox"},
        {"name": "c", "label": "50 credits", "type": "choice", "options": [{"value": "d", "label": "50 credits"}]},
    ], "buttons": [{"name": "e", "label": "50 credits", "approves": True}, {"name": "f", "label": "50 credits", "approves": False}]}
    product = {**CONTENTS["payment"]["product"], "localizedDescription": "50 credits"}
    for name, content, tags in [
        ("login", {"store": "50 credits", "accounts": [account], "methods": [method, {**method, "id": "n"}]}, ["h2", "span", "span", "span"]),
        ("payment", {"product": product, "name": "50 credits", "method": "50 credits"}, ["h2", "p", "dd"]),
        ("priceChange", {"name": "50 credits"}, ["h2"]), ("unavailable", {"name": "50 credits"}, ["h2"]),
        ("paymentMethods", {"methods": [{"id": "m", "label": "50 credits"}]}, ["li"]),
        ("capture document", {"documentType": "50 credits"}, ["h2"]),
        ("form", form, ["h2", "p", "span", "span", "legend", "span", "button", "button"]),
    ]:
        show(page, name, locale=locale, content=content)
        assert page.evaluate(ORDER) == [[tag, True] for tag in tags], name


@pytest.mark.parametrize("locale", ["en_US", "ar_EG"])
def test_texts_of_others_stand_at_the_side_of_the_sheets_language(locale, gallery):
    page = gallery((390, 844))
    for text in ("50 credits", "خمسون رصيدا"):
        show(page, "form", locale=locale, content={"text": text, "fields": [{"name": "b", "label": text, "type": "checkbox"}]})
        sides = page.evaluate("""() => ["#description", ".name"].map((place) => {
          const part = document.querySelector("footbridge-sheet").shadowRoot.querySelector(place);
          const range = document.createRange();
          range.selectNodeContents(part);
          const [text, box] = [range.getBoundingClientRect(), part.getBoundingClientRect()];
          return Math.abs(text.left - box.left) < Math.abs(text.right - box.right) ? "left" : "right";
        })""")
        # A description that is as wide as its text has no side.
        assert sides[1] == ("left" if locale == "en_US" else "right"), text


def test_a_name_cannot_reverse_the_words_behind_it(gallery):
    page = gallery((390, 844))
    title = show(page, "payment", locale="en_US", content={"name": "Coins\u202e \u2066and more"}).locator("h2").text_content()
    assert title == "Buy Coins and more?"
    title = show(page, "payment", locale="en_US", content={"name": "חמישים 50"}).locator("h2").text_content()
    assert title == "Buy \u2068חמישים 50\u2069?"


@pytest.mark.parametrize("name, title", [
    ("passport", "Fotografiere die Vorderseite: Reisepass"), ("driving_licence", "Fotografiere die Vorderseite: Führerschein"),
    ("driversLicense", "Fotografiere die Vorderseite: Führerschein"), ("ID card", "Fotografiere die Vorderseite: Personalausweis"),
    ("nationalIdentityCard", "Fotografiere die Vorderseite: Personalausweis"), ("residence-permit", "Fotografiere die Vorderseite: Aufenthaltstitel"),
    ("voterCard", "Fotografiere die Vorderseite: voter card"), ("", "Fotografiere die Vorderseite: Dokument"),
])
def test_known_documents_have_their_names_in_the_sheets_language(name, title, gallery):
    page = gallery((390, 844))
    expect(show(page, "capture document", locale="de_DE", content={"documentType": name})).to_have_accessible_name(title)


def test_an_offer_is_a_sentence_around_its_price(gallery):
    page = gallery((390, 844))
    month = {"unit": "month", "numberOfUnits": 1}
    offer = {"paymentMode": "payAsYouGo", "period": month, "numberOfPeriods": 3, "duration": {"unit": "month", "numberOfUnits": 3}}
    for locale, sentence in [
        ("en_US", "€19.99 per month for the first 3 months"), ("de_DE", "19,99\u00a0€ pro Monat in den ersten 3 Monaten"),
        ("fr_FR", "19,99\u00a0€ par mois pendant les 3 premiers mois"), ("tr_TR", "İlk 3 ay boyunca aylık €19,99"),
        ("ja_JP", "最初の3か月間は€19.99/月"),
    ]:
        show(page, "payment", locale=locale, content={"offer": offer})
        price = page.locator("footbridge-sheet .price")
        assert price.text_content() == sentence
        # The price is in larger type.
        assert price.locator("span").first.evaluate("span => parseFloat(getComputedStyle(span).fontSize)") == 17
