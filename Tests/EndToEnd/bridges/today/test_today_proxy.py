"""Today's cookie at the proxy, with a real site and a real token endpoint: the browser's cookies and the session's act as one store."""

import contextlib
import http.client
import json
import re
import sys
import urllib.parse

import pytest

from footbridge_process import PROJECT, serve
from ports import free_port
from promises import wait_for_promise
from upstream_services import TokenEndpoint
from upstreams import program

HERE = PROJECT / "Tests" / "EndToEnd"
ORIGIN = "https://today.example"


class Site:
    """The site as a process, and the requests to it."""

    def __init__(self, port):
        self.port = port
        self.url = f"http://127.0.0.1:{port}"

    @property
    def requests(self):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("GET", "/__requests")
            return json.loads(connection.getresponse().read())

    def cookies(self, target):
        """Returns the cookies of the last request for a target, by name; as a list if a name occurs twice."""
        request = next(request for request in reversed(self.requests) if request["target"] == target)
        assert len(request["cookies"]) < 2
        pairs = [pair.split("=", 1) for line in request["cookies"] for pair in line.split("; ")]
        names = [name for name, _ in pairs]
        assert len(set(names)) == len(names), names
        return dict(pairs)


@contextlib.contextmanager
def running_site():
    port = free_port()
    with program([sys.executable, HERE / "today_site.py", port], port):
        yield Site(port)


@pytest.fixture
def site():
    with running_site() as site:
        yield site


@pytest.fixture
def before(site, endpoint, tmp_path):
    """Starts Footbridge in front of the site."""
    servers = []

    def start(*arguments, origin=ORIGIN, routes=None, state=None, port=0):
        token = {"url": endpoint.url, "refreshToken": TokenEndpoint.FIRST}
        config = tmp_path / f"footbridge-{len(servers)}.yaml"
        config.write_text(json.dumps({"today": {"token": token}, **({"routes": routes} if routes else {})}))
        where = ("--state", state) if state else ("--ephemeral",)
        origin = ("--site-origin", origin) if origin else ()
        server = serve("--proxy", site.url, "--config", config, "--log-level", "trace", *where, *origin, *arguments, port=port)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def establish(page, refresh=False):
    assert page.evaluate("refresh => call({ type: 'establishSession', refresh })", refresh) == {"ok": True}


def fetch(page, target, **options):
    page.evaluate("([target, options]) => fetch(target, options).then(response => response.text())", [target, options])


def browser_cookies(page):
    # WebDriver tells those that the page's address gets. In WebKit, this is the address from which the document has loaded.
    page.goto(urllib.parse.urljoin(page.url, "/api/page"))
    return {cookie["name"]: cookie["value"] for cookie in page.context.cookies() if cookie["name"] != "footbridge_session"}


# What goes upstream.


def test_the_minted_cookie_is_sent_with_every_request_below_its_path_only(before, site, endpoint, page):
    page.goto(before().url)
    fetch(page, "/api/early")
    assert site.cookies("/api/early") == {}
    establish(page)
    [token] = endpoint.issued
    page.evaluate("""async () => {
      document.cookie = "mine=1";
      await import("/api/bundle.js");
      await fetch("/api/posted", { method: "POST", body: "x" });
      await fetch("/api/deep/er?q=1");
      const image = new Image();
      await new Promise(done => { image.onload = image.onerror = done; image.src = "/api/image"; });
      await new Promise((done, failed) => {
        const socket = new WebSocket(`ws://${location.host}/api/socket`);
        socket.onmessage = done;
        socket.onerror = failed;
      });
      for (const target of ["/", "/api", "/apix", "/embed", "/API/x"]) await fetch(target);
    }""")
    for target in ("/api/bundle.js", "/api/posted", "/api/deep/er?q=1", "/api/image", "/api/socket"):
        assert site.cookies(target) == {"mine": "1", "embed_bearer": token}, target
    for target in ("/", "/api", "/apix", "/embed", "/API/x"):
        assert site.cookies(target) == {"mine": "1"}, target
    assert page.evaluate("document.cookie") == "mine=1"
    assert browser_cookies(page) == {"mine": "1"}


def test_a_refreshed_token_is_in_the_next_request(before, site, endpoint, page):
    page.goto(before().url)
    endpoint.wait_for_launch(page)
    for number in range(2):
        establish(page, refresh=True)
        fetch(page, f"/api/{number}")
        assert site.cookies(f"/api/{number}") == {"embed_bearer": endpoint.issued[-1]}
    assert len(endpoint.issued) == 3


def test_the_cookie_of_the_jar_overrides_the_browsers_where_it_applies(before, site, endpoint, page):
    page.goto(before().url)
    page.evaluate("document.cookie = 'embed_bearer=script; path=/'; document.cookie = 'a=1'")
    establish(page)
    fetch(page, "/api/x")
    fetch(page, "/embed")
    assert site.cookies("/api/x") == {"embed_bearer": endpoint.issued[-1], "a": "1"}
    assert site.cookies("/embed") == {"embed_bearer": "script", "a": "1"}


def test_requests_without_credentials_have_no_minted_cookie(before, site, page):
    page.goto(before().url)
    establish(page)
    fetch(page, "/api/omitted", credentials="omit")
    assert site.cookies("/api/omitted") == {}


def test_another_browser_and_another_site_do_not_send_the_minted_cookie(before, site, page, new_context):
    server = before()
    page.goto(server.url)
    establish(page)
    other = new_context().new_page()
    other.goto(server.url)
    fetch(other, "/api/other-browser")
    assert site.cookies("/api/other-browser") == {}
    # localhost is another site than 127.0.0.1, but the same server.
    stranger = page.context.new_page()
    stranger.goto(f"http://localhost:{server.port}/")
    stranger.evaluate("url => new Promise(done => { const image = new Image(); image.onload = image.onerror = done; image.src = url; })",
                      server.url + "/api/from-elsewhere")
    assert all(request["cookies"] == [] for request in site.requests if request["target"] == "/api/from-elsewhere")


def test_over_plain_http_no_cookie_is_minted(before, site, page):
    page.goto(before(origin=None).url)
    assert page.evaluate("call({ type: 'establishSession' })") == {"ok": False}
    fetch(page, "/api/x")
    assert site.cookies("/api/x") == {}


def test_routes_send_the_minted_cookie_by_the_path_of_the_site(before, site, endpoint, page):
    with running_site() as backend:
        page.goto(before(routes={"/api/v1": backend.url + "/v1", "/service": backend.url + "/api"}).url)
        establish(page)
        for target in ("/api/v1/x", "/service/x", "/api/here"):
            fetch(page, target)
        assert backend.cookies("/v1/x") == {"embed_bearer": endpoint.issued[-1]}
        assert backend.cookies("/api/x") == {}
        assert site.cookies("/api/here") == {"embed_bearer": endpoint.issued[-1]}


# Signing out.


def test_signing_out_removes_the_minted_cookie_from_requests(before, site, endpoint, page):
    server = before()
    control = server.control()
    page.goto(server.url)
    page.evaluate("document.cookie = 'mine=1'")
    establish(page)
    set_cookies(page, "embed_bearer=renewed; Path=/api/; Secure; HttpOnly; Max-Age=600")
    fetch(page, "/api/before")
    assert site.cookies("/api/before") == {"mine": "1", "embed_bearer": "renewed"}
    [session] = control("GET", "/sessions")["sessions"]
    path = f"/sessions/{session['id']}"
    control("PATCH", path, {"today": {"signedIn": False}})
    fetch(page, "/api/after")
    assert site.cookies("/api/after") == {"mine": "1"}
    assert control("GET", path + "/cookies")["cookies"] == []
    assert page.evaluate("call({ type: 'establishSession' })") == {"ok": False}
    # The owner of the cookie has signed out: a cookie that the upstream sets now belongs to the browser.
    set_cookies(page, "embed_bearer=theirs; Path=/api/theirs")
    fetch(page, "/api/theirs")
    assert site.cookies("/api/theirs") == {"mine": "1", "embed_bearer": "theirs"}
    control("PATCH", path, {"today": {"signedIn": True}})
    fetch(page, "/api/again")
    assert site.cookies("/api/again") == {"mine": "1"}
    establish(page)
    fetch(page, "/api/again")
    assert site.cookies("/api/again") == {"mine": "1", "embed_bearer": endpoint.issued[-1]}


def test_signing_out_ends_the_open_refresh_and_discards_its_result(before, site, endpoint, page):
    server = before()
    control = server.control()
    page.goto(server.url)
    endpoint.wait_for_launch(page)
    endpoint.gate.clear()
    asked, issued = len(endpoint.posts), len(endpoint.issued)
    page.evaluate("window.held = Promise.allSettled([call({ type: 'establishSession', refresh: true }), call({ type: 'refreshToken' })]); 0")
    endpoint.wait_for(lambda: len(endpoint.posts) > asked)
    [session] = control("GET", "/sessions")["sessions"]
    path = f"/sessions/{session['id']}"
    control("PATCH", path, {"today": {"signedIn": False}})
    [established, refreshed] = page.evaluate("held.then(all => all.map(o => o.value ?? o.reason.message))")
    assert established == {"ok": False} and "signed out" in refreshed
    endpoint.gate.set()
    endpoint.wait_for(lambda: len(endpoint.issued) > issued)
    control("PATCH", path, {"today": {"signedIn": True}})
    fetch(page, "/api/x")
    assert site.cookies("/api/x") == {}
    establish(page)
    fetch(page, "/api/y")
    # The late refresh token is still the one to use next. The refresh that a sign-in begins may have been before it.
    assert site.cookies("/api/y") == {"embed_bearer": endpoint.issued[-1]} and len(endpoint.issued) in (2, 3)


# What upstream sets.


def set_cookies(page, *cookies):
    fetch(page, "/api/set?" + "&".join("set=" + page.evaluate("encodeURIComponent", cookie) for cookie in cookies))


@pytest.mark.parametrize("cookie", [
    "embed_bearer=renewed; Path=/api/; Secure; HttpOnly",
    "embed_bearer=renewed; Path=/api/; Secure; HttpOnly; SameSite=Strict; Max-Age=600",
])
def test_a_minted_cookie_set_by_the_upstream_is_stored_in_the_jar_and_not_in_the_browser(before, site, page, cookie):
    page.goto(before().url)
    establish(page)
    set_cookies(page, cookie, "other=1; Path=/", "third=2; Domain=today.example; HttpOnly")
    fetch(page, "/api/x")
    assert site.cookies("/api/x") == {"embed_bearer": "renewed", "other": "1", "third": "2"}
    assert browser_cookies(page) == {"other": "1", "third": "2"}


def test_the_upstream_can_remove_the_minted_cookie(before, site, page):
    page.goto(before().url)
    establish(page)
    set_cookies(page, "embed_bearer=; Path=/api/; Max-Age=0")
    fetch(page, "/api/x")
    assert site.cookies("/api/x") == {}
    establish(page)
    fetch(page, "/api/y")
    assert list(site.cookies("/api/y")) == ["embed_bearer"]


def test_a_minted_cookie_expires_by_the_sessions_clock(before, site, page):
    server = before()
    control = server.control()
    page.goto(server.url)
    [session] = control("GET", "/sessions")["sessions"]
    path = f"/sessions/{session['id']}"
    control("PATCH", path + "/clock", {"frozen": True, "now": "2031-05-01T12:00:00Z"})
    establish(page)
    set_cookies(page, "embed_bearer=lasting; Path=/api/; Secure; HttpOnly; Max-Age=600")
    [cookie] = control("GET", path + "/cookies")["cookies"]
    assert (cookie["createdAt"], cookie["expires"]) == ("2031-05-01T12:00:00Z", "2031-05-01T12:10:00Z")
    control("POST", path + "/clock/advance", {"milliseconds": 599_000})
    fetch(page, "/api/before")
    assert site.cookies("/api/before") == {"embed_bearer": "lasting"}
    control("POST", path + "/clock/advance", {"milliseconds": 1000})
    fetch(page, "/api/after")
    assert site.cookies("/api/after") == {}
    assert control("GET", path + "/cookies")["cookies"] == []


def test_a_cookie_of_that_name_that_was_not_minted_goes_to_the_browser(before, site, page):
    page.goto(before().url)
    set_cookies(page, "embed_bearer=theirs; Path=/api/")
    fetch(page, "/api/x")
    assert site.cookies("/api/x") == {"embed_bearer": "theirs"}
    assert browser_cookies(page) == {"embed_bearer": "theirs"}


def test_a_document_and_a_websocket_response_can_renew_the_minted_cookie(before, site, page):
    server = before()
    page.goto(server.url)
    establish(page)
    page.goto(server.url + "/page?set=embed_bearer%3Dby-document%3B%20Path%3D%2Fapi%2F")
    fetch(page, "/api/x")
    assert site.cookies("/api/x") == {"embed_bearer": "by-document"}
    page.evaluate("""() => new Promise((done, failed) => {
      const socket = new WebSocket(`ws://${location.host}/api/socket`);
      socket.onmessage = done;
      socket.onerror = failed;
    })""")
    fetch(page, "/api/y")
    assert site.cookies("/api/y") == {"embed_bearer": "by-socket"}
    assert browser_cookies(page) == {}


# What never happens.


def test_no_output_contains_the_minted_cookie(before, site, endpoint, page):
    server = before()
    seen = []
    page.on("console", lambda message: seen.append(message.text))
    page.on("websocket", lambda socket: [socket.on(kind, lambda payload: seen.append(str(payload))) for kind in ("framesent", "framereceived")])
    page.on("response", lambda response: seen.extend([response.url, json.dumps(response.headers_array())]))
    page.goto(server.url)
    for refresh in (False, True):
        establish(page, refresh)
    set_cookies(page, "embed_bearer=from-upstream-secret; Path=/api/; HttpOnly", "embed_bearer=also-secret-without-attributes; Path=/api/")
    for target in ("/api/x", "/embed", "/page"):
        seen.append(page.evaluate("target => fetch(target).then(async r => JSON.stringify([...r.headers]) + await r.text())", target))
    establish(page, True)
    assert list(site.cookies("/api/x").values()) == ["also-secret-without-attributes"]
    seen.append(page.evaluate("""() => JSON.stringify([document.documentElement.outerHTML, document.cookie, { ...localStorage }, { ...sessionStorage },
      performance.getEntries(), Object.keys(window)])"""))
    seen.append(json.dumps(page.context.storage_state()))
    for path in ("health", "metrics", "api/v1/sessions", "dashboard/", "shim.js", "sheets.js"):
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
            connection.request("GET", f"/__footbridge/{path}")
            seen.append(connection.getresponse().read().decode())
    # An answer that the page cannot read shows nothing of the request.
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
        [session] = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "footbridge_session"]
        connection.request("TRACE", "/api/x", headers={"Cookie": f"footbridge_session={session}", "Max-Forwards": "0"})
        seen.append(connection.getresponse().read().decode())
    server.stop()
    output = "\n".join(seen) + "".join(server.log)
    while (line := server.lines.get(timeout=10)) is not None:
        output += line
    assert len(endpoint.issued) == 3
    secrets = [*endpoint.secrets, "from-upstream-secret", "also-secret-without-attributes"]
    allowed = re.sub(r"/api/set\?\S+", "", output)
    assert [secret for secret in secrets if secret in allowed] == []


def test_the_error_about_an_unreachable_site_hides_the_minted_cookie(endpoint, before, site, page, new_context):
    server = before()
    page.goto(server.url)
    establish(page)
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)) as connection:
        [session] = [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "footbridge_session"]
        connection.request("GET", "/api/x y".replace(" ", "%20"), headers={"Cookie": f"footbridge_session={session}", "Expect": "miracles"})
        response = connection.getresponse()
        text = response.read().decode() + str(response.getheaders())
    server.stop()
    assert not any(secret in text + "".join(server.log) for secret in endpoint.secrets)


# Frames.


@pytest.mark.parametrize("name, document", [
    ("sandboxed", "frame.sandbox = 'allow-scripts'; frame.src = '/frame'"),
    ("sandboxed with its origin", "frame.sandbox = 'allow-scripts allow-same-origin'; frame.src = '/frame'"),
    ("blob", "frame.src = URL.createObjectURL(new Blob([text], { type: 'text/html' }))"),
    ("srcdoc", "frame.srcdoc = text"),
    ("a frame with the ticket of the page", "frame.srcdoc = text.replace('<script src', `<script data-footbridge-ticket=\"${ticket}\" src`)"),
])
def test_frames_of_every_kind_are_answered_with_undefined(before, endpoint, page, name, document):
    server = before()
    response = page.goto(server.url)
    ticket = re.search(r'data-footbridge-ticket="([^"]+)"', response.text())[1] if "ticket" in name else None
    # The page's own ticket is used by then.
    endpoint.wait_for_launch(page)
    assert "Authorization" in page.evaluate("call({ type: 'headers' })")
    issued = len(endpoint.posts)
    answers = page.evaluate("""async ([document_, script, ticket]) => {
      const probe = `Promise.all(["headers", "refreshToken", "establishSession", "track"].map(type =>
        webkit.messageHandlers.todayWebViewBridge.postMessage({ type, ename: "e" }).then(v => v === undefined ? "undefined" : JSON.stringify(v), String)))
        .then(all => parent.postMessage(all, "*"))`;
      const text = `<!doctype html><script src="${script}"></` + `script><script>${probe}</` + `script>`;
      const frame = document.createElement("iframe");
      new Function("frame", "text", "ticket", document_)(frame, text, ticket);
      const told = new Promise(resolve => addEventListener("message", ({ data }) => resolve(data), { once: true }));
      if (frame.src.endsWith("/frame")) {
        frame.src = "/frame?probe";
        frame.onload = () => frame.contentWindow.postMessage("go", "*");
      }
      document.body.append(frame);
      return await told;
    }""", [document, server.url + "/__footbridge/shim.js", ticket])
    assert answers == ["undefined"] * 4, name
    assert len(endpoint.posts) == issued


# After a restart.


def restarted(before, server, **options):
    port = server.port
    server.stop()
    return before(port=port, **options)


def test_minted_cookies_with_an_expiry_survive_a_restart_and_session_cookies_do_not(before, site, page, tmp_path):
    state = tmp_path / "state"
    server = before(state=state)
    page.goto(server.url)
    establish(page)
    server = restarted(before, server, state=state)
    fetch(page, "/api/session-cookie")
    assert site.cookies("/api/session-cookie") == {}
    page.goto(server.url)
    establish(page)
    set_cookies(page, "embed_bearer=lasting; Path=/api/; Secure; HttpOnly; Max-Age=600")
    server = restarted(before, server, state=state)
    # No page has connected yet: the browser's cookie shows the session of the request.
    fetch(page, "/api/lasting")
    assert site.cookies("/api/lasting") == {"embed_bearer": "lasting"}
    set_cookies(page, "embed_bearer=; Path=/api/; Max-Age=0")
    server = restarted(before, server, state=state)
    fetch(page, "/api/gone")
    assert site.cookies("/api/gone") == {}


def test_a_browser_in_an_imported_session_sends_its_cookies_if_they_were_exported(before, site, page, new_context):
    server = before()
    control = server.control()
    page.goto(server.url)
    establish(page)
    set_cookies(page, "embed_bearer=lasting; Path=/api/; Secure; HttpOnly; Max-Age=600")
    [session] = control("GET", "/sessions")["sessions"]
    exports = [control("GET", f"/sessions/{session['id']}/export?secrets={secrets}") for secrets in ("true", "false")]
    assert ["lasting" in json.dumps(each) for each in exports] == [True, False]
    other = before()
    control = other.control()
    for number, cookies in enumerate(({"embed_bearer": "lasting"}, {})):
        imported = control.session(**{"from": exports[number]})
        assert [each["name"] for each in control("GET", f"/sessions/{imported['id']}/cookies")["cookies"]] == list(cookies)
        context = new_context()
        control.enter(context, imported)
        visitor = context.new_page()
        visitor.goto(other.url)
        fetch(visitor, f"/api/imported-{number}")
        assert site.cookies(f"/api/imported-{number}") == cookies
        # A script sees neither.
        assert "embed_bearer" not in visitor.evaluate("document.cookie")


def test_a_page_retains_its_trust_over_a_restart(before, endpoint, page, tmp_path):
    state = tmp_path / "state"
    server = before(state=state)
    page.goto(server.url)
    page.evaluate("window.old = true")
    endpoint.wait_for_launch(page)
    restarted(before, server, state=state)
    endpoint.wait_for_launch(page)
    assert page.evaluate("call({ type: 'refreshToken' })") == {"authorization": "Bearer " + endpoint.issued[-1]}
    assert page.evaluate("window.old") is True
    # The page's call may join the exchange of the launch.
    assert len(endpoint.issued) in (2, 3)


def test_an_untrusted_page_stays_untrusted_over_a_restart(before, page, tmp_path):
    state = tmp_path / "state"
    server = before(state=state)
    page.goto(server.url)
    page.evaluate("""() => new Promise(done => {
      const frame = Object.assign(document.createElement("iframe"), { src: "/frame", onload: done });
      document.body.append(frame);
    })""")
    frame = page.frames[1]
    assert frame.evaluate("call({ type: 'headers' }).then(String)") == "undefined"
    restarted(before, server, state=state)
    assert frame.evaluate("call({ type: 'headers' }).then(String)") == "undefined"
    wait_for_promise(page, "() => call({ type: 'headers' }).then(({ Authorization }) => Authorization)")
