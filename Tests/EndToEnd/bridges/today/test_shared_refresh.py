"""Calls at the same time share one refresh, as on a device: two calls of one turn, of a frame, of a second tab. The short form makes a tenth of
the calls."""

import pytest

from engines import CHROMIUM
from footbridge_process import serve
from short_form import IS_SHORT
from test_tls import serve_tls
from upstreams import upstream

SITE = "https://today.example"
#: How many groups of calls each of ten pages makes.
GROUPS = 10 if IS_SHORT else 100

#: How many different tokens groups of simultaneous calls got: `{"1": 100}` if each group shared one refresh.
PAGE = """<!doctype html><meta charset="utf-8"><title>Today</title><script>
const bridge = webkit.messageHandlers.todayWebViewBridge;
const kinds = {
  refreshToken: () => ({ type: "refreshToken" }),
  establishSession: () => ({ type: "establishSession", refresh: true }),
  mix: (number) => kinds[number % 2 ? "establishSession" : "refreshToken"](),
};
async function groups(count, kind) {
  const counts = {};
  for (let i = 0; i < count; i++) {
    const answers = await Promise.all(Array.from({ length: i % 2 ? 5 : 2 }, (_, number) => bridge.postMessage(kinds[kind](number))));
    const different = new Set(answers.map((answer) => answer.authorization ?? String(answer.ok)));
    if (kind === "mix") different.delete("true");
    counts[different.size] = (counts[different.size] ?? 0) + 1;
  }
  return counts;
}
const tabs = new BroadcastChannel("refresh");
const both = () => bridge.postMessage({ type: "refreshToken" }).then(({ authorization }) => authorization);
tabs.onmessage = async ({ data }) => { if (data === "now") tabs.postMessage(await both()); };
async function withOtherTab() {
  const other = new Promise((resolve) => tabs.addEventListener("message", ({ data }) => resolve(data), { once: true }));
  tabs.postMessage("now");
  return await both() === await other;
}
</script>"""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("today")
    (root / "index.html").write_text(PAGE)
    return root


@pytest.fixture(scope="module")
def server(root):
    with serve("--root", root, "--site-origin", SITE, "--ephemeral") as server:
        server.api = server.control()
        yield server


def visit(server, new_context, url=None, **members):
    """A page in a session of its own."""
    session = server.api.session(**members)
    context = new_context(ignore_https_errors=True)
    server.api.enter(context, session)
    page = context.new_page()
    page.goto(url or server.url)
    page.session = session["id"]
    return page


def refreshes(server, page):
    return server.api("GET", f"/sessions/{page.session}/tokens")["refreshes"]


def count_tokens(server, pages, groups, kind):
    """Makes groups of calls in all pages at once. Returns how many groups got how many different tokens, and checks that no refresh was
    made in addition."""
    before = [refreshes(server, page) for page in pages]
    for page in pages:
        page.evaluate("([count, kind]) => { window.counting = groups(count, kind); }", [groups, kind])
    total = {}
    for page, count in zip(pages, before):
        for number, times in page.evaluate("counting").items():
            total[number] = total.get(number, 0) + times
        assert refreshes(server, page) - count == groups
    return total


@pytest.mark.parametrize("kind", ["refreshToken", "establishSession", "mix"])
def test_calls_of_one_turn_share_one_refresh_a_thousand_times(server, engine, new_context, kind):
    # Each profile of the other engines is a browser of its own.
    profiles = 10 if engine == CHROMIUM else 2
    pages = [visit(server, new_context, clock={"frozen": number % 2 == 0}) for number in range(profiles)]
    assert count_tokens(server, pages, GROUPS, kind) == {"1": profiles * GROUPS}


def test_two_tabs_share_one_refresh(root, tmp_path, new_context):
    # On a busy machine, one process of the browser may begin a while after the other.
    config = tmp_path / "footbridge.yaml"
    config.write_text("today: { refreshDelay: 250 }")
    with serve("--root", root, "--site-origin", SITE, "--ephemeral", "--config", config) as server:
        server.api = server.control()
        page = visit(server, new_context)
        other = page.context.new_page()
        other.goto(server.url)
        before = refreshes(server, page)
        assert [page.evaluate("withOtherTab()") for _ in range(GROUPS // 5)] == [True] * (GROUPS // 5)
        assert refreshes(server, page) - before == GROUPS // 5


def test_a_frame_and_its_page_share_one_refresh(server, new_context):
    page = visit(server, new_context)
    # A frame gets nothing, and costs nothing.
    result = page.evaluate("""async () => {
      const frame = document.createElement("iframe");
      frame.src = "/";
      document.body.append(frame);
      await new Promise((resolve) => { frame.onload = resolve; });
      const ask = (window) => window.webkit.messageHandlers.todayWebViewBridge.postMessage({ type: "refreshToken" });
      const [inner, ...outer] = await Promise.all([ask(frame.contentWindow), ask(window), ask(window)]);
      return [typeof inner, new Set(outer.map(({ authorization }) => authorization)).size];
    }""")
    assert result == ["undefined", 1] and refreshes(server, page) == 1


def test_calls_of_one_turn_share_one_refresh_of_a_page_over_http2(root, new_context):
    with serve_tls("--root", root, "--site-origin", SITE, "--ephemeral", name=None) as server:
        server.api = server.control()
        pages = [visit(server, new_context, server.tls_url) for _ in range(5)]
        assert pages[0].evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
        assert count_tokens(server, pages, 20, "mix") == {"1": 100}


def test_calls_of_one_turn_share_one_refresh_behind_a_proxy(new_context):
    with upstream(lambda exchange, _: exchange.answer(PAGE, content_type="text/html")) as site:
        with serve("--proxy", site.url, "--site-origin", SITE, "--ephemeral") as server:
            server.api = server.control()
            assert count_tokens(server, [visit(server, new_context) for _ in range(5)], 20, "mix") == {"1": 100}


def test_the_next_refresh_begins_when_the_last_one_has_ended(server, new_context):
    page = visit(server, new_context)
    tokens = page.evaluate("""async () => {
      const ask = async () => (await bridge.postMessage({ type: "refreshToken" })).authorization;
      return [await ask(), await ask(), await ask()];
    }""")
    assert len(set(tokens)) == 3 and refreshes(server, page) == 3


def test_the_delay_of_a_refresh_is_set_in_the_file(root, tmp_path, new_context):
    config = tmp_path / "footbridge.yaml"
    config.write_text("today: { refreshDelay: 3000 }")
    with serve("--root", root, "--site-origin", SITE, "--ephemeral", "--config", config) as server:
        server.api = server.control()
        page = visit(server, new_context)
        page.evaluate("() => { window.first = both(); }")
        server.api("POST", f"/sessions/{page.session}/journal/wait", {"until": {"kind": "request", "action": "today.message"}})
        # Long after the first call, and before its answer.
        assert page.evaluate("Promise.all([first, both()]).then(([one, other]) => one === other)")
        assert refreshes(server, page) == 1
