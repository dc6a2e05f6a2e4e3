"""Links into the dashboard in Chromium: to a row, to the session of a failed test, to a session that is not there, and a transcript in one file."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from dashboard_tabs import open_dashboard, serving
from footbridge_process import run

EVIL = "</script><img src=x onerror=alert(1)><!--"


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    with serving("--root", shop_root, "--catalog", catalog, "--ephemeral") as server:
        yield server


def call(page, count):
    page.evaluate("async count => { for (let i = 0; i < count; i++) await onside.getCurrentStorefront(); }", count)


@pytest.fixture
def shop(server, new_context):
    """A page of the site in a session of its own, with 100 calls."""
    page = new_context().new_page()
    session = server.api.session(name="coins", account="built-in")
    server.api.enter(page.context, session)
    page.goto(server.url)
    page.session = session["id"]
    call(page, 100)
    return page


def row(tab, cursor):
    return tab.locator(f'.entry[data-cursor="{cursor}"]')


def test_a_link_to_a_row_and_a_reload_show_the_row_while_entries_come(server, shop):
    tab = open_dashboard(shop.context, server, f"/sessions/{shop.session}?row=40")
    expect(row(tab, 40)).to_be_in_viewport()
    live = tab.get_by_role("button", name="live")
    expect(live).to_have_attribute("aria-pressed", "false")
    call(shop, 5)
    expect(tab.locator(".new")).to_be_visible()
    expect(row(tab, 40)).to_be_in_viewport()
    tab.reload()
    expect(tab.locator("detail-view h2")).to_have_text("#40")
    expect(row(tab, 40)).to_be_in_viewport()
    live.click()
    expect(row(tab, 40)).not_to_be_in_viewport()
    # The last row stays in sight, too.
    last = server.api("GET", f"/sessions/{shop.session}")["cursor"]
    other = open_dashboard(shop.context, server, f"/sessions/{shop.session}?row={last}")
    expect(row(other, last)).to_be_in_viewport()
    call(shop, 30)
    expect(other.locator(".new")).to_be_visible()
    expect(row(other, last)).to_be_in_viewport()


def test_the_link_of_a_failed_test_shows_its_journal_after_the_session_has_ended(server, shop):
    server.api("DELETE", f"/sessions/{shop.session}?failed=true")
    tab = open_dashboard(shop.context, server, f"/sessions/{shop.session}?row=40")
    expect(tab.get_by_role("heading", name="Transcript of coins")).to_be_visible()
    expect(row(tab, 40)).to_be_in_viewport()
    assert tab.title() == "Transcript of coins · Footbridge"
    tab.get_by_role("link", name="Footbridge").click()
    failed = tab.locator(".failed .row", has_text=shop.session)
    expect(failed).to_contain_text("coins")
    failed.get_by_role("link").click()
    expect(tab.locator(".entry").first).to_be_visible()


def test_a_link_to_a_session_that_is_not_there_says_what_to_do(server, shop):
    server.api("DELETE", f"/sessions/{shop.session}")
    tab = open_dashboard(shop.context, server, f"/sessions/{shop.session}?row=40")
    expect(tab.get_by_role("heading", name="This session is not here")).to_be_visible()
    expect(tab.locator("main")).to_contain_text("footbridge show FILE")
    assert [rule["id"] for rule in Axe().run(tab).response["violations"]] == []
    tab.get_by_role("link", name="All sessions").click()
    expect(tab.get_by_role("heading", name="Sessions")).to_be_visible()


def test_a_tab_has_the_name_of_its_session_and_how_much_waits(server, shop):
    tab = open_dashboard(shop.context, server, f"/sessions/{shop.session}")
    expect(tab).to_have_title("coins · Footbridge")
    shop.evaluate("""async () => {
      await onside.loadProducts({ productIdentifiers: ["com.product.example.consumable"] });
      onside.purchase({ productIdentifier: "com.product.example.consumable" }).catch(() => {});
    }""")
    expect(tab).to_have_title("(1) coins · Footbridge")


def test_one_html_file_shows_a_transcript_without_a_server(new_context, tmp_path):
    entries = [
        {"action": "opened", "cursor": 1, "kind": "page", "page": "page-1", "time": 1769860800000},
        {"action": "onside.purchase", "correlationId": "p-1", "cursor": 2, "data": {"productIdentifier": EVIL}, "kind": "request", "page": "page-1", "time": 1769860801000},
        {"action": "onside.purchase", "cause": 2, "correlationId": "p-1", "cursor": 3, "error": {"code": "cancelled", "message": EVIL, "recoverable": True},
         "kind": "response", "page": "page-1", "time": 1769860802000},
    ]
    file, out = tmp_path / "failed <b>.jsonl", tmp_path / "failed.html"
    file.write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries))
    result = run("show", file, "--html", out)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    page = new_context(offline=True).new_page()
    problems = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(out.as_uri())
    page.locator(".entry", has_text="cancelled").click()
    expect(page.locator("detail-view pre").first).to_contain_text(EVIL)
    assert page.url.endswith("#/transcript?row=2")
    page.reload()
    expect(page.locator("detail-view h2")).to_have_text("#2")
    page.get_by_role("tab", name="Lint").click()
    expect(page.locator("#pane-lint")).to_contain_text("nothing")
    assert page.locator("img").count() == 0 and problems == []
    assert {url for url in requests if not url.startswith("data:")} == {out.as_uri()}
    assert re.search(r"script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-", out.read_text())


def test_footbridge_dashboard_refuses_the_link_of_another_server(server):
    token = {"FOOTBRIDGE_URL": server.url, "FOOTBRIDGE_CONTROL_TOKEN": server.api.token}
    result = run("dashboard", "http://127.0.0.1:9/#/sessions/0f4c7a9b2d6e8135?row=3", environment=token)
    assert result.returncode == 64 and "a link of another server" in result.stderr and server.dashboard_origin in result.stderr
    # After a restart, a session can be at another port.
    session = server.api.session()["id"]
    result = run("dashboard", f"http://127.0.0.1:9/#/sessions/{session}?row=3", environment=token)
    assert result.stdout.startswith(f"{server.dashboard_origin}/#/sessions/{session}?row=3&code=")
    result = run("dashboard", f"{server.dashboard_origin.replace('127.0.0.1', 'localhost')}/#/sessions/0f?row=3", environment=token)
    assert result.returncode == 0


def test_an_address_that_was_used_and_one_with_nothing_are_pages_that_lead_on(server, new_context):
    page = new_context().new_page()
    address = server.api("POST", "/dashboard/enter")["url"]
    page.goto(address)
    page.get_by_role("heading", name="Sessions").wait_for()
    other = new_context().new_page()
    other.goto(address)
    expect(other.get_by_role("heading", name="This address does not work")).to_be_visible()
    expect(other.get_by_role("alert")).to_contain_text("was used")
    other.get_by_label("Address or code").fill(server.api("POST", "/dashboard/enter")["url"])
    other.get_by_role("button", name="Open", exact=True).click()
    expect(other.get_by_role("heading", name="Sessions")).to_be_visible()
    assert other.goto(server.dashboard_origin + "/sessions/0f").status == 404
    expect(other.get_by_role("heading", name="Nothing is here")).to_be_visible()
    assert [rule["id"] for rule in Axe().run(other).response["violations"]] == []
    other.get_by_role("link", name="To the dashboard").click()
    expect(other.get_by_role("heading", name="Sessions")).to_be_visible()
