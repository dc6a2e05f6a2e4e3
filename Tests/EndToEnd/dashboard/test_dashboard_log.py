"""The log of the dashboard in Chromium: one row for a call, with its words and its time, which unfolds."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from dashboard_tabs import open_dashboard, serving
from promises import wait_for_promise

PRODUCT = "com.product.example.consumable"


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serving("--root", shop_root, "--catalog", catalog, "--ephemeral") as server:
        yield server


@pytest.fixture
def shop(server, new_context):
    """A page of the site, which has bought something and waits for a sheet of another purchase, and its dashboard."""
    page = new_context(viewport={"width": 1280, "height": 900}).new_page()
    session = server.api.session(name="coins", account="built-in", clock={"frozen": True, "now": "2026-01-31T12:00:00Z"})
    server.api.enter(page.context, session)
    page.goto(server.url)
    page.path = f"/sessions/{session['id']}"
    page.evaluate("product => onside.loadProducts({ productIdentifiers: [product] })", PRODUCT)
    buy(page)
    sheet = wait_for_sheet(server, page)
    server.api("POST", f"{page.path}/clock/advance", {"milliseconds": 1200})
    server.api("POST", f"{page.path}/sheets/{sheet}/answer", {"approved": True})
    wait_for_promise(page, "() => onside.getTransactions().then(queue => queue[0]?.transactionState === 'purchased')")
    page.evaluate("onside.purchase({ productIdentifier: 'unknown' }).catch(() => {})")
    buy(page)
    wait_for_sheet(server, page)
    page.tab = open_dashboard(page.context, server, page.path)
    page.tab.locator(".entry").first.wait_for()
    return page


def buy(page):
    page.evaluate("product => { onside.purchase({ productIdentifier: product }).catch(() => {}); }", PRODUCT)


def wait_for_sheet(server, page):
    server.api("POST", f"{page.path}/journal/wait", {"until": {"kind": "sheetOpened"}, "after": getattr(page, "cursor", 0), "timeout": 10_000})
    [sheet] = server.api("GET", f"{page.path}/sheets")["sheets"]
    page.cursor = server.api("GET", page.path)["cursor"]
    return sheet["id"]


def story(page, text):
    return page.tab.locator('.entry[aria-level="1"]', has_text=text)


def test_a_call_is_one_row_with_its_words_and_how_long_it_took(shop):
    bought, failed, waiting = (story(shop, "purchase").nth(index) for index in range(3))
    expect(bought.locator(".words")).to_have_text("purchase Consumable→ paid")
    expect(bought.locator(".took")).to_have_text("1.2 s")
    expect(failed.locator(".words")).to_have_text("purchase unknown→ unknownProduct")
    expect(failed).to_have_class(re.compile("bad"))
    expect(waiting.locator(".words")).to_have_text("purchase Consumable→ waits for you")
    expect(waiting.locator(".took")).to_have_text("…")
    expect(story(shop, "load 1 product").locator(".outcome")).to_have_text("→ 1 found")
    # The row follows what becomes of the call.
    shop.tab.keyboard.press("d")
    expect(waiting.locator(".words")).to_have_text(re.compile("→ failed: "))


def test_a_story_unfolds_and_folds_by_keys_and_by_a_click(shop):
    tab = shop.tab
    bought = story(shop, "purchase").first
    expect(bought).to_have_attribute("aria-expanded", "false")
    bought.click()
    tab.locator(".list").focus()
    tab.keyboard.press("ArrowRight")
    expect(bought).to_have_attribute("aria-expanded", "true")
    members = tab.locator('.entry[aria-level="2"]')
    expect(members.filter(has_text="sheetOpened")).to_contain_text("+0 ms")
    expect(members.filter(has_text="sheetAnswered")).to_contain_text("+1.2 s")
    expect(members.filter(has_text="event").first).to_be_visible()
    tab.keyboard.press("ArrowDown")
    expect(members.first).to_have_attribute("aria-selected", "true")
    tab.keyboard.press("ArrowLeft")
    expect(members).to_have_count(0)
    expect(bought).to_have_attribute("aria-selected", "true")
    bought.locator(".fold").click()
    expect(members.first).to_be_visible()
    assert [rule["id"] for rule in Axe().run(tab).response["violations"]] == []


def test_a_link_to_an_entry_of_a_story_unfolds_it(server, shop):
    answered = next(entry for entry in server.api("GET", f"{shop.path}/journal")["entries"] if entry["kind"] == "sheetAnswered")
    tab = open_dashboard(shop.context, server, f"{shop.path}?row={answered['cursor']}")
    row = tab.locator(f'.entry[data-cursor="{answered["cursor"]}"]')
    expect(row).to_be_in_viewport()
    expect(row).to_have_attribute("aria-level", "2")


def test_the_columns_have_heads_and_the_id_comes_last(shop):
    heads = [text for text in shop.tab.locator(".heads > span").all_text_contents() if text]
    assert heads == ["time", "took", "what", "action", "page", "id"]
    assert shop.tab.locator(".entry").first.locator("> span").last.text_content() == "#1"


def test_the_timeline_has_a_legend_and_a_bar_tells_its_start_end_and_length(shop):
    tab = shop.tab
    assert tab.locator(".legend li").all_text_contents() == ["page calls", "native asks", "event", "sheet, waits", "paid", "failed", "clock"]
    box = tab.locator("timeline-view canvas").bounding_box()
    opened = int(story(shop, "purchase").first.get_attribute("data-cursor"))
    # Each entry is 16 pixels wide, after 52 for the names of the lanes.
    x = box["x"] + 52 + (opened - 0.5) * 16
    tab.mouse.move(x, box["y"] + 9)
    expect(tab.locator(".tip")).to_have_text(re.compile(r"^onside\.purchase · 12:00:00\.000 – 12:00:00\.\d{3} · \d+ ms$"))
    tab.mouse.dblclick(x, box["y"] + 9)
    expect(tab.get_by_label("Filter the log")).to_have_value(re.compile(rf"^row:{opened}-\d+$"))
    tab.locator("timeline-view canvas").focus()
    tab.keyboard.press("Escape")
    expect(tab.get_by_label("Filter the log")).to_have_value("")
    tab.keyboard.press("Enter")
    expect(tab.get_by_label("Filter the log")).to_have_value(re.compile(rf"^row:{opened}-\d+$"))


def test_chips_narrow_the_log_and_clear_from_here_leaves_what_is_new(shop):
    tab = shop.tab
    field = tab.get_by_label("Filter the log")
    tab.get_by_role("button", name="errors", exact=True).click()
    expect(field).to_have_value("is:error")
    expect(tab.get_by_role("button", name="errors", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(story(shop, "unknownProduct").first).to_be_visible()
    expect(story(shop, "load 1 product")).to_have_count(0)
    tab.get_by_role("button", name="errors", exact=True).click()
    expect(field).to_have_value("")
    tab.get_by_role("button", name="clear from here").click()
    expect(tab.locator(".entry")).to_have_count(0)
    shop.evaluate("onside.getCurrentStorefront()")
    expect(tab.locator(".entry")).to_have_count(1)
    expect(tab.locator(".entry")).to_contain_text("get current storefront")


def test_enter_and_the_arrow_lead_from_the_filter_to_the_rows_and_escape_leaves_it(server, shop):
    tab = shop.tab
    field, journal = tab.get_by_label("Filter the log"), tab.get_by_role("tree", name="Journal")
    for key in ("Enter", "ArrowDown"):
        tab.keyboard.press("/")
        expect(field).to_be_focused()
        field.fill("kind:request")
        tab.keyboard.press(key)
        expect(journal).to_be_focused()
        expect(tab.locator('.entry[aria-selected="true"]')).to_contain_text("load 1 product")
    tab.keyboard.press("/")
    tab.keyboard.press("Escape")
    expect(journal).to_be_focused()
    expect(field).to_have_value("kind:request")
    # Another tab offers the filter again.
    other = open_dashboard(shop.context, server, shop.path)
    other.get_by_label("Earlier filters").select_option("kind:request")
    expect(other.get_by_label("Filter the log")).to_have_value("kind:request")


NOTICES = """
window.notices = [];
window.Notification = class { static permission = "granted"; constructor(title, { body }) { notices.push(`${title}: ${body}`); } };
Object.defineProperty(document, "hidden", { get: () => true });
"""


def test_a_notification_tells_what_waits_if_the_person_looks_at_something_else(server, shop):
    tab = shop.context.new_page()
    tab.add_init_script(NOTICES)
    tab.goto(server.api("POST", "/dashboard/enter", {"to": shop.path})["url"])
    expect(tab.locator("needs-view .card")).to_have_count(1)
    assert tab.evaluate("notices") == ["(1) coins · Footbridge: Buy Consumable?"]


def test_an_entry_tells_its_effect_on_the_store_before_and_after(shop):
    story(shop, "purchase").first.click()
    effects = shop.tab.locator(".effects tbody tr")
    expect(effects.first).to_have_text(re.compile(rf"^transaction {PRODUCT}nothingpurchasing$"))
    paid = effects.filter(has_text="purchasingpurchased")
    expect(paid).to_have_text(f"transaction {PRODUCT}purchasingpurchased")
    paid.get_by_role("button").click()
    expect(shop.tab.locator("detail-view .title")).to_have_text("◆ transaction")


def test_a_rule_made_from_a_request_has_its_outcome(shop):
    story(shop, "unknownProduct").first.click()
    expect(shop.tab.locator("detail-view .title")).to_have_text("→ onside.purchase")
    shop.tab.get_by_role("button", name="Make rule…").click()
    expect(shop.tab.get_by_label("Value of the outcome")).to_have_value("unknownProduct")


def test_forced_colours_mark_the_chosen_row_and_live(shop):
    tab = shop.tab
    tab.emulate_media(forced_colors="active")
    colour = "element => getComputedStyle(element).backgroundColor"
    live = tab.get_by_role("button", name="live")
    assert live.evaluate(colour) != tab.get_by_role("button", name="jsonl").evaluate(colour)
    row = story(shop, "purchase").first
    row.click()
    expect(row).to_have_attribute("aria-selected", "true")
    tab.mouse.move(0, 0)
    assert row.evaluate(colour) != story(shop, "load 1 product").evaluate(colour)
