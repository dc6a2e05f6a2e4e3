"""Attacks from outside: other sites' pages, rebound names, forged requests, paths out of the root.

Development servers had a vulnerability of each kind: CVE-2018-14732, CVE-2025-30359 and CVE-2025-30360 (webpack-dev-server), CVE-2025-24010 (Vite),
CVE-2026-27148 (Storybook), CVE-2026-27977 (Next.js).
"""

import html
import json
import http.server
import re
import threading

import pytest

from footbridge_process import serve
from raw_http import Client

TOKEN = "the-token-of-the-tests"
SECRET = "const secretOfTheSite"

# Every kind of our answers: scripts, the bridge, documents of the API, not found, the site, a folder, not found there.
ROUTES = [
    "/__footbridge/shim.js", "/__footbridge/sheets.js", "/__footbridge/bridge", "/__footbridge/health", "/__footbridge/metrics",
    "/__footbridge/api/v1/sessions", "/__footbridge/dashboard/", "/__footbridge/onside/.well-known/jwks.json",
    "/__footbridge/onside/merchant-api/v1/purchases/in-app/history/1", "/__footbridge/nothing", "/__footbridge",
    "/", "/app.js", "/folder", "/folder/", "/nothing", "*",
]
FOREIGN_ORIGINS = [
    "http://evil.example", "https://evil.example", "http://evil.example:{port}", "http://localhost.evil.example:{port}", "http://localhost",
    "http://localhost:1", "https://localhost:{port}", "http://203.0.113.5:{port}", "http://127.0.0.1.evil.example:{port}",
    "http://localhost:{port}.evil.example", "http://localhost:{port}@evil.example", "http://evil.example/localhost:{port}", "null", "",
    "http://localhost:{port}, http://evil.example", "file://", "chrome-extension://localhost:{port}",
]


class Site:
    """Another site on this machine, which simulates an attacker's page in the same browser."""

    def __init__(self, page=""):
        site = self
        self.pages = {"/": page}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = site.pages.get(self.path, "").encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    outer = tmp_path_factory.mktemp("doors")
    (outer / "outside.txt").write_text(SECRET)
    root = outer / "root"
    (root / "folder").mkdir(parents=True)
    (root / "index.html").write_text(
        "<!doctype html><html lang=en><head><title>Mine</title><script src=app.js></script></head><body></body></html>"
    )
    (root / "app.js").write_text(f"{SECRET} = 1; window.appRan = true;\n")
    (root / "folder" / "inside.txt").write_text(SECRET)
    (root / "link.txt").symlink_to(outer / "outside.txt")
    (root / "relative.txt").symlink_to("../outside.txt")
    (root / "linked").symlink_to(outer)
    (root / "chain.txt").symlink_to(root / "link.txt")
    return root


@pytest.fixture(scope="module")
def server(root, catalog):
    with serve("--root", root, "--catalog", catalog, "--present", "auto", "--ephemeral", "--control-token", TOKEN) as server:
        yield server


@pytest.fixture
def client(server):
    client = Client(server)
    yield client
    client.close()


def ask(client, host_lines, target="/", method="GET", version="HTTP/1.1"):
    """Sends a request with these lines for `Host`."""
    client.send(f"{method} {target} {version}\r\n{host_lines}Connection: close\r\n\r\n")
    return client.response(method)


# Names: DNS rebinding


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("host", [
    "evil.example", "evil.example:{port}", "localhost:1", "localhost", "127.0.0.1", "127.0.0.1:80", "localhost.evil.example:{port}",
    "127.0.0.1.evil.example:{port}", "127.evil.example:{port}", "2130706433:{port}", "0x7f.1:{port}", "0.0.0.0:{port}", "[::]:{port}",
    "169.254.169.254:{port}", "localhost.:{port}", "xn--localhost-abc:{port}",
])
def test_an_unknown_host_name_or_port_is_refused_on_every_route(client, route, host):
    method = "OPTIONS" if route == "*" else "GET"
    response = ask(client, f"Host: {host.format(port=client.port)}\r\n", route, method)
    assert response.status == 421
    assert "set-cookie" not in "".join(response.lines).lower()


@pytest.mark.parametrize("host_lines, version", [
    ("", "HTTP/1.1"), ("", "HTTP/1.0"), ("Host:\r\n", "HTTP/1.1"), ("Host: localhost:$\r\nHost: localhost:$\r\n", "HTTP/1.1"),
    ("Host: localhost:$\r\nHost: evil.example\r\n", "HTTP/1.0"), ("Host: localhost:$, evil.example\r\n", "HTTP/1.1"),
    ("Host: evil@localhost:$\r\n", "HTTP/1.1"), ("Host: localhost:$/\r\n", "HTTP/1.1"), ("Host: http://localhost:$\r\n", "HTTP/1.1"),
    ("Host: localhost:99999\r\n", "HTTP/1.1"), ("Host: localhost:-1\r\n", "HTTP/1.1"), ("Host: localhost: $\r\n", "HTTP/1.1"),
    ("Host : localhost:$\r\n", "HTTP/1.1"), ("Host: localhost:$\r\n evil.example\r\n", "HTTP/1.1"),
])
def test_a_request_with_a_missing_repeated_or_malformed_host_is_refused(client, host_lines, version):
    assert ask(client, host_lines.replace("$", str(client.port)), version=version).status == 400


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "127.0.0.1", "127.0.0.53", "[::1]"])
def test_the_names_of_this_machine_are_accepted_at_the_right_port(client, host):
    assert ask(client, f"Host: {host}:{client.port}\r\n").status == 200


def test_the_authority_of_the_target_overrides_the_host_field(client):
    lines = f"Host: localhost:{client.port}\r\n"
    assert ask(client, lines, "http://evil.example/").status == 421


def test_a_page_of_a_rebound_name_reaches_no_route_in_a_browser(launch, server):
    browser = launch("--host-resolver-rules=MAP rebound.example 127.0.0.1")
    try:
        page = browser.new_page()
        assert page.goto(f"http://rebound.example:{server.port}/").status == 421
        for route in ("/app.js", "/__footbridge/shim.js", "/__footbridge/health"):
            assert page.evaluate("async (route) => { const r = await fetch(route); return [r.status, await r.text()] }", route)[0] == 421
        assert page.evaluate(OPEN_SOCKET, f"ws://rebound.example:{server.port}/__footbridge/bridge") == "refused"
        assert page.context.cookies() == []
    finally:
        browser.close()


# Pages of other origins: hijacking, theft, forgery

OPEN_SOCKET = """(address) => new Promise((resolve) => {
  const socket = new WebSocket(address, "footbridge.v1");
  socket.onopen = () => resolve("open");
  socket.onerror = () => resolve("refused");
})"""

LOAD = """(address) => new Promise((resolve) => {
  const script = document.createElement("script");
  script.src = address;
  script.onload = () => resolve("loaded");
  script.onerror = () => resolve("refused");
  document.head.append(script);
})"""

READ = """async ([address, options]) => {
  try { return await (await fetch(address, options)).text() } catch (error) { return error.name }
}"""


@pytest.fixture(scope="module")
def evil():
    """A page on an origin that differs from the server's only by its port, which is as close as an attacker can get."""
    with Site("<!doctype html><title>Evil</title>") as site:
        yield site


@pytest.fixture
def evil_page(page, server, evil):
    """The attacker's page in a browser that has visited the developer's site before and has its session."""
    page.goto(server.url)
    assert page.context.cookies()
    page.goto(evil.url)
    return page


def bridge_status(server, origin):
    """Returns the status of a handshake for the bridge."""
    client = Client(server)
    try:
        return client.get(
            "/__footbridge/bridge", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol: footbridge.v1",
            f"Origin: {origin.format(port=server.port)}",
        ).status
    finally:
        client.close()


def test_the_attacks_of_these_tests_succeed_against_a_careless_server(page, server, evil):
    with Site() as careless:
        careless.pages["/app.js"] = "window.appRan = true"
        page.goto(evil.url)
        assert page.evaluate(LOAD, careless.url + "/app.js") == "loaded"
    page.goto(server.url)
    assert page.evaluate(LOAD, server.url + "/app.js") == "loaded"
    assert page.evaluate(OPEN_SOCKET, f"ws://127.0.0.1:{server.port}/__footbridge/bridge") == "open"
    assert page.evaluate(READ, [server.url + "/__footbridge/health", {}]).startswith("{")


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
def test_a_foreign_origin_cannot_open_the_bridge(server, origin):
    assert bridge_status(server, origin) == 403


@pytest.mark.parametrize("origin", ["http://localhost:{port}", "http://127.0.0.1:{port}", "http://[::1]:{port}", "HTTP://LOCALHOST:{port}"])
def test_the_servers_own_pages_open_the_bridge(server, origin):
    assert bridge_status(server, origin) == 101


def test_a_page_of_another_origin_cannot_open_the_bridge(evil_page, server):
    """CVE-2018-14732, CVE-2026-27148."""
    for host in ("127.0.0.1", "localhost"):
        assert evil_page.evaluate(OPEN_SOCKET, f"ws://{host}:{server.port}/__footbridge/bridge") == "refused"


def test_a_page_on_an_ip_address_cannot_open_the_bridge(launch, server):
    """CVE-2025-30360: a server accepted origins whose host is an address."""
    with Site("<!doctype html><title>Evil</title>") as site:
        browser = launch("--host-resolver-rules=MAP evil.example 127.0.0.1")
        try:
            page = browser.new_page()
            for host in ("127.0.0.1", "evil.example"):
                page.goto(f"http://{host}:{site.port}/")
                assert page.evaluate(OPEN_SOCKET, f"ws://127.0.0.1:{server.port}/__footbridge/bridge") == "refused"
        finally:
            browser.close()


def test_a_sandboxed_page_cannot_open_the_bridge(page, server, evil):
    """CVE-2026-27977: a server accepted the origin `null`."""
    evil.pages["/sandbox"] = f"""<!doctype html><title>Outer</title><iframe sandbox="allow-scripts" srcdoc="<script>
      const socket = new WebSocket('ws://127.0.0.1:{server.port}/__footbridge/bridge', 'footbridge.v1');
      socket.onopen = () => parent.postMessage('open', '*');
      socket.onerror = () => parent.postMessage(origin + ' refused', '*');
    </script>"></iframe><script>onmessage = ({{ data }}) => document.title = data</script>"""
    page.goto(evil.url + "/sandbox")
    page.wait_for_function("document.title != 'Outer'")
    assert page.title() == "null refused"


@pytest.mark.parametrize("route", ["/app.js", "/index.html", "/__footbridge/shim.js", "/__footbridge/health",
                                   "/__footbridge/onside/.well-known/jwks.json", "/__footbridge/api/v1/sessions"])
@pytest.mark.parametrize("credentials", ["omit", "include"])
def test_a_page_of_another_origin_cannot_read_responses(evil_page, server, route, credentials):
    """CVE-2025-24010: a server allowed every origin to read."""
    assert evil_page.evaluate(READ, [server.url + route, {"credentials": credentials}]) == "TypeError"


@pytest.mark.parametrize("route", ["/app.js", "/__footbridge/shim.js", "/__footbridge/sheets.js"])
def test_a_page_of_another_origin_cannot_run_footbridges_scripts(evil_page, server, route):
    """CVE-2025-30359: a script that runs in another page reveals its text."""
    assert evil_page.evaluate(LOAD, server.url + route) == "refused"
    assert evil_page.evaluate("window.appRan === undefined && window.onside === undefined")


def test_the_shim_is_served_across_origins_only_with_the_key_of_a_frame(client):
    response = client.get("/", "Sec-Fetch-Dest: iframe")
    source = html.unescape(re.search(r'src="([^"]+)"', response.body.decode())[1])
    assert client.get(source, "Sec-Fetch-Site: cross-site").field("cross-origin-resource-policy") == "cross-origin"
    for query in ("", "?frame=", "?frame=" + "0" * 32):
        response = client.get("/__footbridge/shim.js" + query, "Sec-Fetch-Site: cross-site")
        assert response.field("cross-origin-resource-policy") == "same-origin"


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("route", [route for route in ROUTES if route.startswith("/__footbridge/")])
@pytest.mark.parametrize("field", ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site"])
def test_a_changing_request_of_a_foreign_page_is_refused(client, route, method, field):
    response = client.get(route, field, "Content-Length: 0", "Connection: close", method=method)
    assert response.status == 403
    assert not response.fields("access-control-allow-origin")


@pytest.mark.parametrize("fields", [[], ["Origin: http://127.0.0.1:{port}"], ["Sec-Fetch-Site: same-origin"]])
def test_programs_and_own_pages_are_not_refused_as_foreign(client, fields):
    fields = [field.format(port=client.port) for field in fields]
    response = client.get("/__footbridge/health", *fields, "Content-Length: 0", method="POST")
    assert response.status == 405


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
@pytest.mark.parametrize("route", ROUTES[:-1])
def test_a_foreign_origin_gets_no_cors_permission(client, route, method):
    response = client.get(route, "Origin: http://evil.example", "Access-Control-Request-Method: POST",
                          "Access-Control-Request-Headers: authorization", "Connection: close", method=method)
    assert not [line for line in response.lines if line.lower().startswith("access-control-")]


@pytest.mark.parametrize("field", ["Origin: http://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site"])
def test_a_foreign_page_with_the_token_cannot_change_anything(client, field):
    def sessions():
        answer = json.loads(client.get("/__footbridge/api/v1/sessions", f"Authorization: Bearer {TOKEN}").body)
        return sorted(session["id"] for session in answer["sessions"])

    before = sessions()
    response = client.get("/__footbridge/api/v1/sessions", field, f"Authorization: Bearer {TOKEN}", "Content-Length: 0", method="POST")
    assert response.status == 403
    assert response.field("content-type") == "application/problem+json"
    assert json.loads(response.body)["status"] == 403
    assert sessions() == before


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
@pytest.mark.parametrize("path", ["reset", "relaunch", "sheets/1/answer"])
def test_get_requests_change_nothing(client, method, path):
    response = client.get(f"/__footbridge/api/v1/sessions/{'0' * 16}/{path}", f"Authorization: Bearer {TOKEN}", method=method)
    assert response.status == 405


@pytest.mark.parametrize("fields", [[], ["Authorization: Bearer wrong"], [f"Authorization: Bearer {TOKEN}x"], [f"Authorization: Basic {TOKEN}"],
                                    [f"Authorization: Bearer {TOKEN}"] * 2, [f"Cookie: token={TOKEN}"]])
@pytest.mark.parametrize("route", [f"/__footbridge/api/v1/sessions?token={TOKEN}", "/__footbridge/api/v1/nothing", "/__footbridge/api/v1"])
def test_the_control_api_always_requires_its_token(client, fields, route):
    response = client.get(route, *fields)
    assert response.status == 401 and response.field("www-authenticate").startswith("Bearer")
    assert TOKEN.encode() not in response.body


def test_a_form_on_another_site_changes_nothing(evil_page, server):
    evil_page.set_content(f'<form method=post action="{server.url}/__footbridge/api/v1/sessions"><button>Win</button></form>')
    with evil_page.expect_navigation() as navigation:
        evil_page.get_by_role("button").click()
    assert navigation.value.status == 403


# The fields of our answers


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
def test_every_response_has_the_security_fields_and_nosniff(client, route, method):
    if route == "*":
        method = "OPTIONS"
    response = client.get(route, "Content-Length: 0", "Connection: close", method=method)
    assert response.field("cross-origin-resource-policy") == "same-origin"
    assert response.field("x-content-type-options") == "nosniff"


def test_refusals_have_the_security_fields_too(client):
    client.send("nonsense\r\n\r\n")
    response = client.response()
    assert response.status == 400
    assert response.field("cross-origin-resource-policy") == "same-origin" and response.field("x-content-type-options") == "nosniff"


# The session's cookie


def test_the_session_cookie_is_hidden_from_scripts_and_other_sites(page, server, evil):
    page.goto(server.url)
    cookie, = page.context.cookies()
    assert cookie["name"] == "footbridge_session" and re.fullmatch("[0-9a-f]{32}", cookie["value"])
    assert cookie["httpOnly"] and cookie["sameSite"] == "Lax" and cookie["path"] == "/" and cookie["domain"] == "127.0.0.1"
    assert page.evaluate("document.cookie") == ""


@pytest.mark.parametrize("value", ["", "x", "A" * 32, "0" * 31, "0" * 33, "../../etc/passwd", "%30" * 32, '"' + "0" * 32 + '"'])
def test_a_session_cookie_of_another_form_is_replaced(client, value):
    assert client.get("/", f"Cookie: footbridge_session={value}").fields("set-cookie")


def test_two_browsers_get_unrelated_random_sessions(server):
    ids = set()
    for _ in range(200):
        client = Client(server)
        ids.add(re.search("footbridge_session=([0-9a-f]{32});", client.get("/", "Connection: close").field("set-cookie"))[1])
        client.close()
    assert len(ids) == 200
    assert len({value[:8] for value in ids}) > 195


# The root


@pytest.mark.parametrize("path", ["/folder/", "/folder", "/linked/", "/linked/outside.txt", "/link.txt", "/relative.txt", "/chain.txt",
                                  "/linked/root/../outside.txt", "/folder/..%2f..%2foutside.txt", "/%2e%2e/outside.txt"])
def test_folders_are_not_listed_and_links_do_not_lead_out_of_the_root(client, path):
    response = client.get(path, "Connection: close")
    if response.status == 308:
        client.close()
        return
    assert response.status == 404
    assert SECRET.encode() not in response.body and b"inside.txt" not in response.body


# Beyond this machine


@pytest.mark.parametrize("arguments, environment, text", [
    (["--control-token", "chosen"], {}, ""), ([], {"FOOTBRIDGE_CONTROL_TOKEN": "chosen"}, ""), ([], {}, "controlToken: chosen\n"),
])
def test_a_server_on_all_addresses_is_reached_by_address_and_not_by_a_foreign_name(root, tmp_path, arguments, environment, text):
    config = tmp_path / "footbridge.yaml"
    config.write_text(text)
    with serve("--root", root, "--config", config, "--ephemeral", "--host", "0.0.0.0", *arguments, environment=environment) as server:
        for host, status in [(f"127.0.0.1:{server.port}", 200), (f"192.168.7.7:{server.port}", 200), ("192.168.7.7", 421),
                             (f"evil.example:{server.port}", 421), (f"[fe80::1]:{server.port}", 200)]:
            client = Client(server)
            assert ask(client, f"Host: {host}\r\n").status == status, host
            client.close()
        # CVE-2025-30360: a page on an address is still not our page.
        assert bridge_status(server, "http://192.168.7.7:{port}") == 403
        assert "chosen" not in "".join(server.log)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "localhost"])
def test_a_server_for_this_machine_needs_no_explicit_token(host):
    with serve("--ephemeral", "--host", host) as server:
        assert server.port


# What the developer allows


@pytest.mark.parametrize("arguments, environment, text", [
    (["--allow-host", "dev.example", "--allow-host", "shop.example:444"], {}, ""),
    ([], {"FOOTBRIDGE_ALLOW_HOST": "dev.example, shop.example:444"}, ""),
    ([], {}, "allowHost: [dev.example, 'shop.example:444']\n"),
])
def test_host_names_are_allowed_by_flags_variable_and_file(root, tmp_path, arguments, environment, text):
    config = tmp_path / "footbridge.yaml"
    config.write_text(text)
    with serve("--root", root, "--config", config, "--ephemeral", *arguments, environment=environment) as server:
        for host, status in [(f"dev.example:{server.port}", 200), ("dev.example", 200), ("dev.example:81", 421), ("shop.example:444", 200),
                             ("shop.example", 421), (f"shop.example:{server.port}", 421), (f"other.example:{server.port}", 421)]:
            client = Client(server)
            assert ask(client, f"Host: {host}\r\n").status == status, host
            client.close()


@pytest.mark.parametrize("arguments, environment, text", [
    (["--allow-origin", "http://a.example", "--allow-origin", "http://b.example:1"], {}, ""),
    ([], {"FOOTBRIDGE_ALLOW_ORIGIN": "http://a.example,http://b.example:1"}, ""),
    ([], {}, "allowOrigin:\n  - http://a.example\n  - http://b.example:1\n"),
])
def test_origins_are_allowed_by_flags_variable_and_file(root, tmp_path, arguments, environment, text):
    config = tmp_path / "footbridge.yaml"
    config.write_text(text)
    with serve("--root", root, "--config", config, "--ephemeral", *arguments, environment=environment) as server:
        for origin in ("http://a.example", "http://b.example:1"):
            assert bridge_status(server, origin) == 101
        for origin in ("https://a.example", "http://b.example", "http://c.example", "null"):
            assert bridge_status(server, origin) == 403


def test_a_page_of_an_allowed_origin_loads_the_shim_by_hand_and_has_a_session(root, catalog, page, evil):
    with serve("--root", root, "--catalog", catalog, "--ephemeral", "--allow-origin", evil.url) as server:
        address = f"{server.url}/__footbridge/shim.js"
        evil.pages["/by-hand"] = f"""<!doctype html><title>By hand</title>
          <script src="{address}" crossorigin="use-credentials"></script>"""
        evil.pages["/no-cors"] = f'<!doctype html><title>By hand</title><script src="{address}"></script>'
        page.goto(evil.url + "/by-hand")
        assert page.evaluate("onside.loadProducts({ productIdentifiers: ['com.product.example.consumable'] }).then(() => true)")
        # The script of the sheets comes from the same server.
        page.evaluate("void onside.requestLogin()")
        page.get_by_role("dialog").wait_for()
        page.goto(evil.url + "/no-cors")
        assert page.evaluate("typeof window.onside") == "undefined"
