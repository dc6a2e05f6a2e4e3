"""The dashboard in Chromium: sessions, log, what needs the person, entries, keys, addresses, transcripts."""

import re
import subprocess

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from browser_profiles import profiles
from dashboard_tabs import open_dashboard, serving
from footbridge_process import BUILD, run
from promises import wait_for_promise


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serving("--root", shop_root, "--catalog", catalog, "--ephemeral") as server:
        yield server


@pytest.fixture
def shop(server, new_context):
    """A page of the site in a session of its own, and the dashboard of that session in another tab."""
    context = new_context()
    session = server.api.session(name="coins", account="built-in")
    server.api.enter(context, session)
    page = context.new_page()
    page.goto(server.url)
    page.session = session["id"]
    page.dashboard = open_dashboard(context, server, f"/sessions/{page.session}")
    page.dashboard.locator(".entry").first.wait_for()
    yield page
    server.api("DELETE", f"/sessions/{page.session}")


def buy(page, product="com.product.example.consumable"):
    """Begins a purchase, which waits for its sheet."""
    page.evaluate(
        """async product => {
          await onside.loadProducts({ productIdentifiers: [product] });
          onside.purchase({ productIdentifier: product }).catch(() => {});
        }""",
        product,
    )


def test_sessions_are_listed_searched_and_changed(server, new_context):
    context = new_context()
    one, other = (server.api.session(name=name) for name in ("coins of Eva", "credits"))
    server.api.enter(context, one)
    site = context.new_page()
    site.goto(server.url)
    tab = open_dashboard(context, server)
    # The session in which something has happened last comes first.
    expect(tab.locator(".session").first).to_contain_text("coins of Eva")
    expect(tab.locator(".session").first).to_contain_text(server.url)
    site.evaluate("document.title = 'Coins <img src=x onerror=alert(1)>'")
    expect(tab.locator(".session .address")).to_have_text(f"Coins <img src=x onerror=alert(1)> · {site.url}")
    expect(tab.locator(".session img")).to_have_count(0)
    expect(tab.locator(".session").first).to_contain_text("this browser")
    expect(tab.locator(".session").first).to_contain_text("1 page")
    tab.get_by_label("Search sessions").fill("CREDITS")
    expect(tab.locator(".session")).to_have_count(1)
    expect(tab.locator(".session")).to_contain_text(other["id"])
    tab.get_by_label("Search sessions").fill("")
    tab.get_by_role("button", name="Relaunch coins of Eva").click()
    expect(tab.locator(".session", has_text="coins of Eva")).to_contain_text("0 pages")
    tab.on("dialog", lambda dialog: dialog.accept())
    tab.get_by_role("button", name="Delete credits").click()
    expect(tab.locator(".session", has_text=other["id"])).to_have_count(0)
    assert server.api.request("GET", f"/sessions/{other['id']}").status == 404
    for name in ("old one", "old two"):
        server.api.session(name=name)
    tab.get_by_label("Search sessions").fill("old")
    tab.get_by_role("button", name="Delete all 2 shown").click()
    tab.get_by_label("Search sessions").fill("")
    expect(tab.locator(".session", has_text="old")).to_have_count(0)
    expect(tab.locator(".session", has_text="coins of Eva")).to_be_visible()
    tab.locator(".session", has_text="coins of Eva").get_by_role("link").click()
    expect(tab.locator("session-header .name")).to_have_text("coins of Eva")


def test_a_person_buys_with_the_dashboard_alone(server, shop):
    tab = shop.dashboard
    buy(shop)
    card = tab.locator("needs-view .card")
    expect(card).to_have_count(1)
    card.get_by_role("button", name="Buy").click()
    expect(tab.get_by_text("Nothing waits.")).to_be_visible()
    wait_for_promise(shop, "() => onside.getTransactions().then(queue => queue[0]?.transactionState === 'purchased')")


def test_a_gate_opens_and_an_ask_to_buy_is_approved(server, shop):
    tab = shop.dashboard
    server.api("POST", f"/sessions/{shop.session}/rules", {"on": "onside.getTransactions", "times": "once", "then": {"gate": "door"}})
    server.api("PATCH", f"/sessions/{shop.session}/settings", {"askToBuy": True})
    shop.evaluate("() => { window.answer = onside.getTransactions(); }")
    tab.locator("needs-view .card", has_text="gate door").get_by_role("button", name="Open the gate").click()
    assert shop.evaluate("answer") == []
    buy(shop)
    tab.locator("needs-view .card").get_by_role("button", name="Buy").click()
    tab.locator("needs-view .card", has_text="ask to buy").get_by_role("button", name="Approve").click()
    wait_for_promise(shop, "() => onside.getTransactions().then(queue => queue[0]?.transactionState === 'purchased')")


def test_a_sheet_has_the_choices_of_the_page(server, shop):
    tab = shop.dashboard
    server.api("PATCH", f"/sessions/{shop.session}", {"account": None})
    shop.evaluate("() => { window.asked = onside.requestLogin().then(() => 'in'); }")
    card = tab.locator("needs-view .card", has_text="Sign in")
    expect(card.get_by_label("account")).to_have_value("built-in")
    card.get_by_role("button", name="Sign in").click()
    assert shop.evaluate("asked") == "in"
    expect(tab.locator("session-header .who")).to_contain_text("built-in")


def test_the_log_is_filtered_and_the_url_has_the_filter(server, shop, new_context):
    tab = shop.dashboard
    shop.evaluate("onside.getCurrentStorefront()")
    shop.evaluate("onside.purchase({ productIdentifier: 'unknown' }).catch(() => {})")
    tab.get_by_label("Filter the log").fill("kind:response status:error")
    expect(tab.locator(".entry")).to_have_count(1)
    expect(tab.locator(".entry")).to_contain_text("onside.purchase")
    tab.locator(".entry").click()
    expect(tab.locator("detail-view")).to_contain_text("unknownProduct")
    # What led to it.
    tab.locator("detail-view .chain").get_by_role("button").first.click()
    expect(tab.locator("detail-view .title")).to_have_text("→ onside.purchase")
    expect(tab.locator("detail-view pre").first).to_contain_text('"productIdentifier": "unknown"')
    tab.get_by_role("tab", name="Lint").click()
    address = tab.url
    again = open_dashboard(shop.context, server, address.split("#")[1])
    again.wait_for_url(address)
    expect(again.locator("detail-view .title")).to_have_text("→ onside.purchase")
    expect(again.get_by_label("Filter the log")).to_have_value("kind:response status:error")
    expect(again.get_by_role("tab", name="Lint")).to_have_attribute("aria-selected", "true")


def test_the_log_grows_without_jumping_and_has_few_rows_in_the_document(server, shop):
    tab = shop.dashboard
    shop.evaluate("async () => { for (let i = 0; i < 100; i++) await onside.getCurrentStorefront(); }")
    expect(tab.locator(".entry .cursor").last).to_be_visible()
    # The policy of the page lets no function be waited for.
    expect(tab.locator("log-view .count")).to_have_text(re.compile(r"^(20[1-9]|2[1-9]\d|[3-9]\d\d|\d,\d{3})\b"))
    assert tab.locator(".entry").count() <= 60
    tab.evaluate("document.querySelector('.list').scrollTop = 480")
    expect(tab.get_by_role("button", name="▶ live")).to_have_attribute("aria-pressed", "false")
    before = tab.locator(".entry .cursor").first.text_content()
    shop.evaluate("onside.getCurrentStorefront()")
    expect(tab.locator(".new")).to_have_text("1 new ↓")
    assert tab.evaluate("document.querySelector('.list').scrollTop") == 480
    assert tab.locator(".entry .cursor").first.text_content() == before
    tab.locator(".new").click()
    expect(tab.locator(".new")).to_be_hidden()
    expect(tab.get_by_role("button", name="▶ live")).to_have_attribute("aria-pressed", "true")


def test_12_000_entries_are_taken_in_slices_between_which_the_tab_does_other_things(server, page):
    page.goto(server.api("POST", "/dashboard/enter")["url"])
    page.get_by_role("heading", name="Sessions").wait_for()
    sizes, turns = page.evaluate("""async () => {
      const { Feed } = await import("/dashboard/feed.js");
      const feed = new Feed();
      const sizes = [];
      const turns = [];
      let turn = 0;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { turn++; port2.postMessage(null); };
      port2.postMessage(null);
      feed.addEventListener("change", ({ detail }) => { sizes.push(detail.added.length); turns.push(turn); });
      const line = (cursor) => JSON.stringify({ action: "onside.getCurrentStorefront", cursor, kind: "request", page: "page-1", time: cursor });
      const count = await feed.readTranscript(Array.from({ length: 12_000 }, (_, index) => line(index + 1)).join("\\n"));
      port1.close();
      return count === 12_000 && [sizes, turns];
    }""")
    assert sum(sizes) == 12_000 and max(sizes) <= 250
    # In each pause, something else had its turn.
    assert all(before < after for before, after in zip(turns, turns[1:]))


def test_a_row_in_sight_has_the_same_element_while_the_log_scrolls(server, shop):
    shop.evaluate("async () => { for (let i = 0; i < 200; i++) await onside.getCurrentStorefront(); }")
    tab = shop.dashboard
    rows = tab.locator(".entry")
    # The last call and its answer.
    expect(rows.last).to_have_attribute("data-cursor", str(server.api("GET", f"/sessions/{shop.session}")["cursor"] - 1))
    made = """() => { const rows = [...document.querySelectorAll(".entry")]; window.made = new Map(rows.map((row) => [row, row.id])); return rows.length; }"""
    same = """() => [...document.querySelectorAll(".entry")].filter((row) => made.get(row) === row.id).length"""
    ordered = """() => [...document.querySelectorAll(".entry")].map((row) => Number(row.getAttribute("aria-posinset"))).every((place, index, all) => index === 0 || place === all[index - 1] + 1)"""
    for step in (-5, -5, 3, -20):
        count = tab.evaluate(made)
        tab.evaluate("""async (step) => { document.querySelector("log-view .list").scrollTop += 24 * step;
          for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame); }""", step)
        assert tab.evaluate(same) >= count - abs(step) - 2
        tab.wait_for_function(ordered)


def test_dragging_over_the_timeline_narrows_it_and_the_log(server, shop):
    tab = shop.dashboard
    shop.evaluate("async () => { for (let i = 0; i < 20; i++) await onside.getCurrentStorefront(); }")
    expect(tab.locator("log-view .count")).to_have_text(re.compile(r"^([4-9]\d|\d{3}|\d,\d{3})\b"))
    box = tab.locator("timeline-view canvas").bounding_box()
    tab.mouse.move(box["x"] + 100, box["y"] + 20)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 200, box["y"] + 20, steps=3)
    tab.mouse.up()
    expect(tab.get_by_label("Filter the log")).to_have_value(re.compile(r"^row:\d+-\d+$"))
    first, last = tab.get_by_label("Filter the log").input_value().removeprefix("row:").split("-")
    # Each entry is 16 pixels wide.
    assert int(last) - int(first) in (6, 7)
    count = int(last) - int(first) + 1
    expect(tab.locator("log-view .count")).to_have_text(re.compile(rf"^{count} of "))
    # The timeline shows these entries alone: its right end is the last of them.
    tab.mouse.click(box["x"] + box["width"] - 2, box["y"] + 60)
    expect(tab.locator("detail-view h2")).to_have_text(f"#{last}")
    tab.get_by_role("button", name="Whole time").click()
    expect(tab.get_by_label("Filter the log")).to_have_value("")


def test_text_of_pages_is_never_html(server, shop):
    tab = shop.dashboard
    evil = "<img src=x onerror=alert(1)>"
    shop.evaluate("evil => onside.purchase({ productIdentifier: evil }).catch(() => {})", evil)
    tab.get_by_label("Filter the log").fill("onerror kind:request")
    tab.locator(".entry").first.click()
    expect(tab.locator("detail-view pre").first).to_contain_text(evil)
    assert tab.locator("img, script:not([src])").count() == 0


def test_keyboard_shortcuts_work_as_the_help_says_and_not_in_text_fields(server, shop):
    tab = shop.dashboard
    tab.keyboard.press("?")
    expect(tab.get_by_role("dialog", name="Keys")).to_be_visible()
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("dialog")).to_have_count(0)
    tab.keyboard.press("j")
    first = tab.locator("detail-view h2")
    expect(first).to_have_text("#1")
    tab.keyboard.press("j")
    expect(first).to_have_text("#2")
    tab.keyboard.press("k")
    expect(first).to_have_text("#1")
    tab.keyboard.press("Enter")
    expect(tab.locator("detail-view pre").first).to_be_focused()
    tab.keyboard.press("Escape")
    expect(tab.locator("detail-view")).to_be_hidden()
    # Together, since `g` does not wait for long.
    tab.evaluate("for (const key of ['g', 'l']) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))")
    expect(tab.get_by_role("tab", name="Lint")).to_be_focused()
    tab.keyboard.press(".")
    expect(tab.get_by_role("button", name="Run", exact=True)).to_be_visible()
    buy(shop)
    expect(tab.locator("needs-view .card")).to_have_count(1)
    tab.keyboard.press("/")
    expect(tab.get_by_label("Filter the log")).to_be_focused()
    tab.keyboard.type("jkad.g")
    expect(tab.get_by_label("Filter the log")).to_have_value("jkad.g")
    expect(tab.locator("needs-view .card")).to_have_count(1)
    tab.get_by_label("Filter the log").fill("")
    tab.locator(".list").focus()
    tab.keyboard.press("d")
    expect(tab.get_by_text("Nothing waits.")).to_be_visible()
    buy(shop)
    expect(tab.locator("needs-view .card")).to_have_count(1)
    tab.keyboard.press("a")
    expect(tab.get_by_text("Nothing waits.")).to_be_visible()


def test_the_clock_is_advanced_by_an_hour_and_a_page_is_reloaded(server, shop):
    tab = shop.dashboard
    clock = {"frozen": True, "now": "2026-01-31T12:00:00Z"}
    server.api("PATCH", f"/sessions/{shop.session}/clock", clock)
    expect(tab.locator("session-header time")).to_have_text("2026-01-31 12:00:00")
    tab.get_by_role("button", name="+1h").click()
    tab.get_by_role("button", name="+1d").click()
    expect(tab.locator("session-header time")).to_have_text("2026-02-01 13:00:00")
    shop.evaluate("window.stays = true")
    tab.get_by_role("tab", name="Pages").click()
    with shop.expect_navigation():
        tab.get_by_role("button", name="Reload").click()
    expect(tab.locator("pages-pane")).to_contain_text("page-2")


TRANSCRIPT = """{"action":"opened","cursor":1,"kind":"page","page":"page-1","time":1769860800000}
{"action":"onside.purchase","correlationId":"p-1","cursor":2,"data":{"productIdentifier":"coins"},"kind":"request","page":"page-1","time":1769860801000}
{"action":"onside.purchase","cause":2,"correlationId":"p-1","cursor":3,"error":{"code":"cancelled","message":"No","recoverable":true},"kind":"response","page":"page-1","time":1769860802000}
"""


LINTED = TRANSCRIPT + """{"action":"L04","cause":2,"cursor":4,"data":{"severity":"error","title":"A product that was not loaded","about":"coins","advice":"Load it."},"kind":"lint","page":"page-1","time":1769860803000}
"""


def drop(page, text, name):
    page.evaluate(
        """([text, name]) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([text], name));
          window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }""",
        [text, name],
    )


def test_a_dropped_transcript_is_opened(server, page):
    page.goto(server.dashboard_origin)
    page.get_by_role("button", name="Open a transcript").click()
    drop(page, TRANSCRIPT, "failed.jsonl")
    expect(page.locator(".entry")).to_have_count(2)
    page.locator(".entry", has_text="cancelled").locator(".fold").click()
    page.locator('.entry[aria-level="2"]').click()
    expect(page.locator("detail-view .chain")).to_contain_text("#2 → onside.purchase")
    assert page.url.endswith("#/transcript?row=3")


def test_a_transcript_shows_what_the_linter_found_and_makes_rules_to_copy(server, new_context):
    page = new_context(permissions=["clipboard-read", "clipboard-write"]).new_page()
    page.goto(server.dashboard_origin)
    page.get_by_role("button", name="Open a transcript").click()
    drop(page, LINTED, "failed.jsonl")
    page.get_by_role("button", name="1 error of the linter").click()
    expect(page.locator("#pane-lint")).to_contain_text("A product that was not loaded")
    page.locator("#pane-lint").get_by_role("button", name="Its call #2").click()
    page.get_by_role("button", name="Make rule…").click()
    pane = page.locator("#pane-rules")
    expect(pane.get_by_label("On", exact=True)).to_have_value("onside.purchase")
    expect(pane.get_by_role("button", name="Make it")).to_be_hidden()
    pane.get_by_label("Value of the outcome").fill("connectionError")
    pane.get_by_role("button", name="Copy pytest").click()
    expect(page.locator(".said")).to_contain_text("Copied.")
    copied = 'footbridge.when("onside.purchase", where={"productIdentifier": "coins"}).fails("connectionError")\n'
    assert page.evaluate("navigator.clipboard.readText()") == copied
    assert [tab.inner_text() for tab in page.get_by_role("tab").all()] == ["Rules", "Lint"]


def test_a_bug_report_is_saved_and_opened_again(server, new_context, tmp_path):
    context = new_context()
    session = server.api.session(name="coins", account="built-in")
    tab = open_dashboard(context, server, f"/sessions/{session['id']}")
    with tab.expect_download() as saved:
        tab.get_by_role("button", name="Bug report").click()
    report = tmp_path / saved.value.suggested_filename
    saved.value.save_as(report)
    assert report.name == "coins.json"
    tab.goto(server.dashboard_origin + "/#/")
    with tab.expect_file_chooser() as chooser:
        tab.get_by_role("button", name="Open a transcript").click()
    chooser.value.set_files(report)
    expect(tab.get_by_role("heading", name="Transcript")).to_be_visible()
    expect(tab.locator(".entry").first).to_be_visible()


@pytest.fixture(scope="module")
def described(server, browser):
    """Makes the dashboard of a session with a sheet, in a window of a size and in a theme."""
    with profiles(browser) as make:

        def show(size, theme):
            context = make(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
            session = server.api.session(name="coins", account="built-in")
            server.api.enter(context, session)
            site = context.new_page()
            site.goto(server.url)
            buy(site)
            tab = open_dashboard(context, server, f"/sessions/{session['id']}/pages?row=2")
            tab.locator("needs-view .card").wait_for()
            tab.locator("detail-view pre").first.wait_for()
            return tab

        yield show


def violations(tab):
    found = Axe().run(tab).response["violations"]
    return [(rule["id"], [node["html"][:160] for node in rule["nodes"]]) for rule in found]


def fits(tab):
    """Whether the page is no wider than its window."""
    return tab.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("size, theme", [((1280, 800), "light"), ((1280, 800), "dark"), ((390, 844), "light")], ids=str)
def test_axe_finds_nothing_and_everything_fits_in_a_window_of(size, theme, described):
    tab = described(size, theme)
    assert violations(tab) == []
    assert fits(tab)
    # In a narrow window it lies above the panes.
    tab.keyboard.press("Escape")
    expect(tab.locator("detail-view")).to_be_hidden()
    for name in tab.get_by_role("tab").all_text_contents():
        tab.get_by_role("tab", name=name, exact=True).click()
        expect(tab.locator(".pane:not([hidden]) > *").first).to_be_attached()
        assert fits(tab), name
        # What axe looks for in a pane does not depend on the width.
        if size[0] > 1000:
            assert violations(tab) == [], name
    tab.keyboard.press("?")
    tab.get_by_role("dialog").wait_for()
    assert violations(tab) == []
    tab.keyboard.press("Escape")
    tab.goto(tab.url.split("#")[0] + "#/")
    tab.locator(".session").first.wait_for()
    assert violations(tab) == []
    assert fits(tab)


def test_log_and_panes_have_their_minimum_height_in_a_low_window(described):
    tab = described((1000, 420), "light")
    assert fits(tab)
    assert tab.locator(".list").evaluate("list => list.clientHeight") >= 96
    assert tab.locator(".panel").evaluate("panel => panel.clientHeight") >= 96


def test_every_control_is_reached_by_the_tab_key(described):
    tab = described((1280, 800), "light")
    reached = set()
    for _ in range(60):
        tab.keyboard.press("Tab")
        reached.add(tab.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent.trim()"))
    for name in ["Footbridge", "Pause", "+1 period", "Help", "Timeline", "Buy", "Filter the log", "Journal", "Pages", "Reload", "Copy JSON", "Data"]:
        assert name in reached, (name, reached)


def test_footbridge_show_opens_a_transcript(page, tmp_path):
    file = tmp_path / "failed.jsonl"
    file.write_text(TRANSCRIPT)
    with subprocess.Popen([str(BUILD / "footbridge"), "show", str(file)], stdout=subprocess.PIPE, text=True) as process:
        page.goto(process.stdout.readline().removeprefix("footbridge: dashboard ").strip())
        expect(page.locator(".entry")).to_have_count(2)
        expect(page.locator(".entry").last).to_contain_text("cancelled")
        process.terminate()
        assert process.wait(timeout=20) == 0


@pytest.mark.parametrize("text", [
    "no entries", "", '{"name": "shop", "version": 1}', '{\n  "name": "shop",\n  "scripts": {}\n}', '{"entries": []}', '[{"cursor": 1}]',
    '{"page": "https://app.example/"}\n{"message": 1, "channel": "acme", "body": {"cursor": 1, "kind": "request"}}\n',
])
def test_footbridge_show_refuses_a_file_that_is_not_a_transcript(tmp_path, text):
    file = tmp_path / "notes.txt"
    file.write_text(text)
    result = run("show", file)
    assert result.returncode == 65 and "has no entries of a journal" in result.stderr
