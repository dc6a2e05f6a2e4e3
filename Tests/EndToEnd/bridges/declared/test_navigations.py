"""What native is asked before a page navigates: redirects of the site, frames, windows, and several navigations of one script."""

import json

import pytest

from engines import CHROMIUM, WEBKIT, only
from footbridge_process import serve
from upstreams import upstream
from ways import APP, browser_flags, opened

ADAPTER = """
window.log = [];
native.navigation(/^myapp:/, (navigation) => log.push(navigation));
"""

PAGE = """<!doctype html><title>App</title><body><script>
window.here = true;
window.add = (name, members) => document.body.appendChild(Object.assign(document.createElement(name), members));
</script>"""


def handed(url, *, frame=False, new_window=False, redirect=False):
    return {"url": url, "frame": frame, "newWindow": new_window, "isRedirect": redirect}


def site(exchange, request):
    """A site whose login goes to native."""
    path, _, query = request.target.partition("?")
    if path == "/login":
        exchange.answer("", "Location: myapp://cb?code=1", "Set-Cookie: signed=in", status=f"{query or 302} Found")
    elif path == "/chain":
        exchange.answer("", "Location: /login", status="302 Found")
    elif path == "/other":
        exchange.answer("", "Location: other://cb?code=1", status="302 Found")
    elif path == "/refresh":
        exchange.answer(PAGE, "Refresh: 0; url=myapp://cb?code=2", content_type="text/html")
    elif request.method == "POST":
        exchange.body(request)
        exchange.answer("", "Location: myapp://cb?code=3", status="303 See Other")
    else:
        exchange.answer(PAGE, content_type="text/html")


def write_bridge(folder, section="", adapter=ADAPTER, more=""):
    (folder / "acme.js").write_text(adapter)
    config = folder / "footbridge.yaml"
    config.write_text(f"{more}\nbridges:\n  acme:\n    adapter: acme.js\n{section}")
    return config


@pytest.fixture
def proxied(tmp_path):
    """Starts a server in front of this site."""
    with upstream(site) as behind:
        servers = []

        def start(*arguments, **options):
            servers.append(serve("--proxy", behind.url, "--config", write_bridge(tmp_path, **options), "--ephemeral", *arguments))
            return servers[-1]

        yield start
        for server in servers:
            server.stop()


@pytest.fixture
def start(tmp_path):
    """Starts a server of a folder with a page."""
    servers = []

    def start(section="", files=None, **options):
        root = tmp_path / "site"
        root.mkdir(exist_ok=True)
        for name, text in {"index.html": PAGE, "next.html": PAGE, **(files or {})}.items():
            (root / name).write_text(text)
        servers.append(serve("--root", root, "--config", write_bridge(tmp_path, section, **options), "--ephemeral"))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def open_connected(page, url):
    """Opens a page, and waits until it is connected: in Firefox, a navigation ends the socket of a page that is about to connect."""
    page.goto(url)
    page.evaluate("onside.getTransactions()")


def wait_for_log(page, count=1):
    page.wait_for_function("count => log.length >= count", arg=count)
    return page.evaluate("log")


#: Only Chromium reports these.
UNWATCHED = only(CHROMIUM, because="no script can watch location")

# Redirects.

REDIRECTED = {
    "add('a', { href: '/login' }).click()": False,
    "location.href = '/login'": False,
    "location.href = '/login?301'": False,
    "location.href = '/login?307'": False,
    "location.href = '/chain'": False,
    "add('form', { action: '/login' }).submit()": False,
    "add('iframe', { src: '/login' })": True,
    "add('iframe', { src: '/chain' })": True,
    "add('iframe', { name: 'inner' }), add('a', { href: '/login', target: 'inner' }).click()": True,
}


@pytest.mark.parametrize("way", REDIRECTED)
def test_a_redirect_to_a_scheme_is_handed_to_native_and_the_document_stays(proxied, page, way):
    open_connected(page, proxied().url)
    page.evaluate(f"void ({way})")
    assert wait_for_log(page) == [handed("myapp://cb?code=1", frame=REDIRECTED[way], redirect=True)]
    assert page.evaluate("here && location.pathname") == "/"
    assert page.evaluate("document.cookie") == "signed=in"


@pytest.mark.parametrize("way", ["location.href = '/login'", "add('a', { href: '/login' }).click()"])
def test_a_redirect_of_a_page_that_has_not_connected_yet_is_handed_to_native(proxied, page, way):
    page.goto(proxied().url)
    page.evaluate(f"void ({way})")
    assert wait_for_log(page) == [handed("myapp://cb?code=1", redirect=True)]
    assert page.evaluate("here && location.pathname") == "/"


def test_a_posted_form_that_is_redirected_to_a_scheme_is_handed_to_native(proxied, page):
    open_connected(page, proxied().url)
    page.evaluate("add('form', { action: '/session', method: 'post' }).submit()")
    assert wait_for_log(page) == [handed("myapp://cb?code=3", redirect=True)]


@UNWATCHED
def test_a_refresh_to_a_scheme_is_asked_of_native_and_its_document_stays(proxied, page):
    page.goto(proxied().url + "/refresh")
    assert wait_for_log(page) == [handed("myapp://cb?code=2")]
    assert page.evaluate("here && location.pathname") == "/refresh"


@UNWATCHED
def test_a_refresh_element_to_a_scheme_is_asked_of_native(start, page):
    refresh = '<!doctype html><meta http-equiv="refresh" content="0; url=myapp://cb?code=4"><title>Back</title>'
    page.goto(start(files={"back.html": refresh}).url + "/back.html")
    assert wait_for_log(page) == [handed("myapp://cb?code=4")]
    assert page.title() == "Back"


def test_a_fetch_that_is_redirected_to_a_scheme_fails(proxied, page):
    page.goto(proxied().url)
    assert page.evaluate("fetch('/login').then(() => '', error => error.name)") == "TypeError"
    assert page.evaluate("log") == []


def test_a_redirect_that_no_adapter_takes_is_told_in_the_console(proxied, page):
    open_connected(page, proxied().url)
    with page.expect_console_message(lambda message: "redirects" in message.text) as told:
        page.evaluate("location.href = '/other'")
    assert told.value.text == "Footbridge: the site redirects to other://cb, and no adapter takes this address. The document stays."
    assert page.evaluate("here && location.pathname") == "/"


def test_a_redirect_goes_to_the_tab_that_navigates(proxied, new_context):
    server = proxied()
    context = new_context()
    one, two = context.new_page(), context.new_page()
    for page in (one, two):
        open_connected(page, server.url)
    one.evaluate("location.href = '/login'")
    assert wait_for_log(one) == [handed("myapp://cb?code=1", redirect=True)]
    two.evaluate("location.href = '/login'")
    assert len(wait_for_log(two)) == len(one.evaluate("log")) == 1


def test_the_journal_has_a_redirect_without_its_query(proxied, page):
    server = proxied()
    open_connected(page, server.url)
    page.evaluate("location.href = '/login'")
    wait_for_log(page)
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    entries = control("GET", f"/sessions/{session['id']}/journal")["entries"]
    assert [entry["data"] for entry in entries if entry.get("action") == "redirected"] == [{"url": "myapp://cb"}]


def test_redirects_reach_a_site_under_its_own_origin(tmp_path, launch):
    config = write_bridge(tmp_path)
    with upstream(site) as behind, serve("--ephemeral", "--site", f"{APP}={behind.url}", "--config", config, name=None) as server:
        server.flags = browser_flags(server)
        with opened(launch, server) as context:
            page = context.new_page()
            page.goto(APP)
            page.evaluate("add('a', { href: '/login' }).click()")
            assert wait_for_log(page) == [handed("myapp://cb?code=1", redirect=True)]
            page.evaluate("void add('iframe', { src: '/login' })")
            assert wait_for_log(page, 2)[1] == handed("myapp://cb?code=1", frame=True, redirect=True)
            assert page.evaluate("here && location.pathname") == "/"


RULE = {"on": "footbridge.request", "where": {"path": "/login"}, "times": "always", "then": {"result": {"location": "myapp://cb?code=1"}}}


@pytest.mark.parametrize("frame", [False, True])
def test_a_rule_redirects_requests_for_a_folder(start, page, frame):
    open_connected(page, start(more=f"scenario: s\nscenarios: {{ s: [{json.dumps(RULE)}] }}").url)
    page.evaluate("void add('iframe', { src: '/login' })" if frame else "location.href = '/login'")
    assert wait_for_log(page) == [handed("myapp://cb?code=1", frame=frame, redirect=True)]


def test_a_rule_redirects_to_another_page_of_the_folder(start, page):
    server = start()
    page.goto(server.url)
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    rule = {"on": "footbridge.request", "where": {"path": "/login", "method": "GET"}, "then": {"result": {"location": "/next.html", "status": 307}}}
    control("POST", f"/sessions/{session['id']}/rules", rule)
    page.goto(server.url + "/login")
    assert page.evaluate("location.pathname") == "/next.html"


# Navigations.

@UNWATCHED
def test_of_two_navigations_of_one_script_the_last_reaches_native(start, page):
    page.goto(start().url)
    page.evaluate("location.href = 'myapp:1'; location.href = 'myapp:2'; setTimeout(() => location.href = 'myapp:3')")
    assert [seen["url"] for seen in wait_for_log(page, 2)] == ["myapp:2", "myapp:3"]


def test_a_navigation_to_a_page_takes_the_place_of_one_to_native(start, page):
    page.goto(start().url)
    page.evaluate("""
      sessionStorage.seen = "";
      const { push } = log;
      log.push = ({ url }) => sessionStorage.seen += url;
      location.href = 'myapp:1';
      location.href = '/next.html';
    """)
    page.wait_for_url("**/next.html")
    assert page.evaluate("sessionStorage.seen") == ""


def test_each_of_two_clicked_links_reaches_native(start, page):
    page.goto(start().url)
    page.evaluate("add('a', { href: 'myapp:1' }).click(), add('a', { href: 'myapp:2' }).click()")
    assert [seen["url"] for seen in wait_for_log(page, 2)] == ["myapp:1", "myapp:2"]


IN_FRAMES = [
    "add('iframe', {}).contentWindow.location = 'myapp:x'",
    "add('iframe', {}).contentWindow.location.href = 'myapp:x'",
    "add('iframe', {}).contentWindow.location.replace('myapp:x')",
    "add('iframe', { src: 'about:blank' }).contentWindow.location.assign('myapp:x')",
    "add('iframe', { name: 'inner' }), add('form', { action: 'myapp:x', method: 'post', target: 'inner' }).submit()",
    "add('iframe', { name: 'inner' }), add('form', { action: 'myapp:x', method: 'post', target: 'inner' }).requestSubmit()",
    "add('iframe', { name: 'inner' }), add('a', { href: 'myapp:x', target: 'inner' }).click()",
    "add('iframe', { name: 'inner' }), window.open('myapp:x', 'inner')",
    "add('object', { data: 'myapp:x' })",
    "add('object', {}).data = 'myapp:x'",
    "add('object', {}).setAttribute('data', 'myapp:x')",
    "document.body.innerHTML = '<object data=\"myapp:x\"></object>'",
    "add('embed', { src: 'myapp:x' })",
    "document.body.innerHTML = '<embed src=\"myapp:x\">'",
]


@pytest.mark.parametrize("way", IN_FRAMES)
def test_a_navigation_of_a_frame_reaches_native(start, page, way):
    page.goto(start().url)
    page.evaluate(f"void ({way})")
    assert wait_for_log(page) == [handed("myapp:x", frame=True)]


@UNWATCHED
@pytest.mark.parametrize("way", ["contentWindow.location = 'myapp:x'", "contentWindow.eval('location.href = \"myapp:x\"')"])
def test_a_navigation_of_a_frame_with_a_document_reaches_native(start, page, way):
    page.goto(start().url)
    page.evaluate("new Promise(onload => add('iframe', { src: '/next.html', onload }))")
    page.evaluate(f"void (document.querySelector('iframe').{way})")
    assert wait_for_log(page) == [handed("myapp:x", frame=True)]


@UNWATCHED
def test_a_frame_asks_native_while_its_document_loads(start, page):
    frame = "<!doctype html><script>location.href = 'myapp:x';</script>"
    page.goto(start(files={"frame.html": frame}).url)
    page.evaluate("void add('iframe', { src: '/frame.html' })")
    assert wait_for_log(page) == [handed("myapp:x", frame=True)]


def test_of_two_navigations_of_an_empty_frame_the_last_reaches_native(start, page):
    page.goto(start().url)
    page.evaluate("(({ location }) => { location.href = 'myapp:1'; location.href = 'myapp:2'; })(add('iframe', {}).contentWindow)")
    page.evaluate("void (document.querySelector('iframe').contentWindow.location = 'myapp:4')")
    assert [seen["url"] for seen in wait_for_log(page, 2)] == ["myapp:2", "myapp:4"]


def test_the_window_of_an_empty_frame_stays_usable(start, page):
    page.goto(start().url)
    assert page.evaluate("""async () => {
      const frame = add("iframe", {});
      const inner = frame.contentWindow;
      const heard = new Promise(done => inner.addEventListener("message", ({ data }) => done(data)));
      inner.postMessage("hello", "*");
      inner.mine = 1;
      const empty = [String(inner.location), inner.location instanceof inner.Location, inner === frame.contentWindow, inner.eval("mine"),
        new inner.Array(2).length, inner.parent === window, inner.document.body.outerHTML, await heard];
      await new Promise(done => { frame.onload = done; inner.location = "/next.html"; });
      return [empty, frame.contentWindow === frames[0], inner.here, inner.location.pathname];
    }""") == [["about:blank", True, True, 1, 2, True, "<body></body>", "hello"], True, True, "/next.html"]


# Windows.

OPENED = {
    "window.open('/next.html')": "open",
    "window.open('/next.html', '')": "open",
    "add('a', { href: '/next.html', target: '_blank' }).click()": "link",
    "add('form', { action: '/next.html', target: 'other' }).requestSubmit()": "form",
    "add('form', { action: '/next.html', target: 'other' }).submit()": "form",
}


@pytest.mark.parametrize("section", ["", "    windows: none\n"])
@pytest.mark.parametrize("way", OPENED)
def test_a_web_view_opens_no_window_by_default(start, page, way, section):
    page.goto(start(section).url)
    with page.expect_console_message(lambda message: "no window opens" in message.text):
        value = page.evaluate(f"[{way}, 1][0]")
    assert value is None
    page.evaluate("new Promise(done => setTimeout(() => setTimeout(done)))")
    assert [page] == page.context.pages
    assert page.evaluate("here && location.pathname") == "/"


@pytest.mark.parametrize("way", OPENED)
def test_an_app_loads_what_is_for_a_window_into_the_same_web_view(start, page, way):
    page.goto(start("    windows: same\n").url)
    page.evaluate(f"void ({way})")
    page.wait_for_url("**/next.html*")
    assert [page] == page.context.pages


@pytest.mark.parametrize("way", OPENED)
def test_an_app_opens_what_is_for_a_window_outside(start, page, way):
    server = start("    windows: outside\n")
    page.goto(server.url)
    page.evaluate(f"void ({way.replace('html', 'html?secret')})")
    control = server.control()
    [session] = control("GET", "/sessions")["sessions"]
    until = {"until": {"kind": "page", "action": "openedOutside"}, "timeout": 20_000}
    entry = control("POST", f"/sessions/{session['id']}/journal/wait", until)["entry"]
    assert entry["data"] == {"url": f"{server.url.rstrip('/')}/next.html"}
    assert [page] == page.context.pages
    assert page.evaluate("here && location.pathname") == "/"


@pytest.mark.parametrize("way", OPENED)
def test_an_app_with_tabs_opens_windows(start, page, way):
    page.goto(start("    windows: tab\n").url)
    with page.expect_popup() as opened:
        page.evaluate(f"void ({way})")
    opened.value.wait_for_url("**/next.html*")


@pytest.mark.parametrize("windows", ["none", "same", "outside", "tab"])
@pytest.mark.parametrize("way", OPENED)
def test_native_is_asked_about_a_new_window(start, page, way, windows):
    page.goto(start(f"    windows: {windows}\n").url)
    page.evaluate(f"void ({way.replace('/next.html', 'myapp:x')})")
    [seen] = wait_for_log(page)
    assert {**seen, "url": seen["url"].rstrip("?")} == handed("myapp:x", new_window=True)
    assert [page] == page.context.pages


@pytest.mark.parametrize("way", [
    "window.open('/next.html', '_self')",
    "(window.name = 'mine', window.open('/next.html', 'mine'))",
    "add('a', { href: '/next.html', target: '_top' }).click()",
])
def test_a_window_that_is_there_navigates_whatever_the_app_does_with_new_ones(start, page, way):
    page.goto(start("    windows: none\n").url)
    page.evaluate(f"void ({way})")
    page.wait_for_url("**/next.html")


@pytest.mark.parametrize(("preset", "windows"), [("react-native", "same"), ("cordova", "same"), ("flutter", "same"), ("hotwire", "none")])
def test_a_preset_opens_windows_as_its_native_side_does(tmp_path, page, preset, windows):
    root = tmp_path / "site"
    root.mkdir()
    (root / "index.html").write_text(PAGE)
    (root / "next.html").write_text(PAGE)
    config = tmp_path / "footbridge.yaml"
    config.write_text(f"bridges: {{ app: {{ preset: {preset} }} }}")
    with serve("--root", root, "--config", config, "--ephemeral") as server:
        page.goto(server.url)
        if windows == "same":
            page.evaluate("void window.open('/next.html')")
            page.wait_for_url("**/next.html")
        else:
            with page.expect_console_message(lambda message: "no window opens" in message.text):
                assert page.evaluate("window.open('/next.html')") is None
        assert [page] == page.context.pages
