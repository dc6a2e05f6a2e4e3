"""Documents that the page writes anew with `document.open()`, which removes all listeners from the window and the document."""

import pytest

from footbridge_process import serve

WRITE = """(html) => {
  document.open();
  document.write(html);
  document.close();
}"""
EMPTY = "<!doctype html><title>New</title><a href=/other target=_blank>On</a>"


@pytest.fixture
def start(tmp_path, catalog):
    servers = []

    def start(config=""):
        root = tmp_path / "site"
        root.mkdir()
        (root / "index.html").write_text("<!doctype html><title>Old</title>")
        (tmp_path / "footbridge.yaml").write_text(config)
        servers.append(serve("--root", root, "--catalog", catalog, "--config", tmp_path / "footbridge.yaml", "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def requests_of(server, action):
    api = server.control()
    [session] = api("GET", "/sessions")["sessions"]
    entries = api("GET", f"/sessions/{session['id']}/journal?kind=request")["entries"]
    return [entry for entry in entries if entry["action"] == action]


def test_a_rewritten_document_sends_what_it_posts_as_it_leaves(start, page):
    server = start()
    page.goto(server.url)
    page.evaluate("onside.getTransactions()")
    page.evaluate(WRITE, EMPTY)
    page.evaluate("addEventListener('pagehide', () => onside.trackEvent({ name: 'left' }))")
    page.goto(server.url)
    page.evaluate("onside.getTransactions()")
    assert len(requests_of(server, "onside.trackEvent")) == 1


def test_a_rewritten_document_hides_the_events_of_its_next_sheet(start, page):
    server = start()
    page.goto(server.url)
    page.evaluate(WRITE, EMPTY)
    page.evaluate("""() => {
      window.seen = [];
      for (const type of ["click", "keydown", "pointerdown"]) addEventListener(type, () => seen.push(type), true);
      window.login = onside.requestLogin().catch(() => "cancelled");
    }""")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert page.evaluate("login") == "cancelled"
    assert page.evaluate("seen") == []


def test_a_rewritten_document_connects_when_the_browser_is_online_again(start, page):
    server = start()
    page.goto(server.url)
    page.evaluate(WRITE, EMPTY)
    assert page.evaluate("onside.getTransactions()") == []
    page.context.set_offline(True)
    api = server.control()
    [session] = api("GET", "/sessions")["sessions"]
    [shown] = api("GET", f"/sessions/{session['id']}/pages")["pages"]
    api("POST", f"/sessions/{session['id']}/pages/{shown['id']}/disconnect")
    page.context.set_offline(False)
    assert page.evaluate("onside.getTransactions()") == []


def test_links_of_a_rewritten_document_are_still_messages(start, page):
    server = start("bridges: { acme: { preset: wvjb } }")
    page.goto(server.url)
    page.evaluate(WRITE, "<!doctype html><title>New</title><a href=https://__bridge_loaded__ target=_blank>Load</a>")
    page.evaluate("() => { WVJBCallbacks = [() => document.title = 'Loaded']; }")
    page.get_by_role("link").click()
    page.wait_for_function("document.title === 'Loaded'")
    assert len(page.context.pages) == 1


def test_react_native_hears_of_going_back_in_a_rewritten_document(start, page):
    server = start("bridges: { acme: { preset: react-native } }")
    page.goto(server.url)
    page.evaluate(WRITE, EMPTY)
    page.evaluate("history.pushState(null, '', '?next')")
    page.evaluate("() => new Promise((resolve) => { addEventListener('popstate', () => setTimeout(resolve)); history.back(); })")
    page.evaluate("onside.getTransactions()")
    assert len(requests_of(server, "acme.history")) == 2
