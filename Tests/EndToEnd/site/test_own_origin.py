"""A site under its own origin: the browser's proxy is Footbridge, and the page has the address that it has in production."""

import base64
import contextlib
import hashlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading

import pytest

from browser_profiles import profiles
from certificates import Pair
from footbridge_process import BUILD, LONG, Process, run, serve
from promises import wait_for_promise
from raw_http import Client
from upstream_services import TokenEndpoint
from upstreams import Upstream, upstream
from ways import APP, browser_flags, opened

PAGE = """<!doctype html><html lang="en"><head><title>Shop</title><script>
window.inbox = [];
addEventListener("gbgbridge:message", event => inbox.push(event.detail));
</script></head><body><h1>Shop</h1></body></html>"""


def echo(exchange, request):
    """A site that says what it was asked, and sets cookies of all kinds."""
    path = request.target.split("?")[0]
    if path == "/":
        exchange.answer(PAGE, content_type="text/html")
    elif path == "/policy":
        exchange.answer(PAGE, "Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline'", content_type="text/html")
    elif path == "/login":
        cookies = [
            "Set-Cookie: __Host-id=1; Secure; Path=/; SameSite=Strict",
            "Set-Cookie: shared=2; Domain=example.com; Secure; Path=/",
            "Set-Cookie: local=3; Path=/; HttpOnly",
            "Strict-Transport-Security: max-age=60",
        ]
        exchange.answer("", *cookies, f"Location: {request.field('x-forwarded-proto')}://{request.field('host')}/after", status="302 Found")
    elif path == "/internal":
        exchange.answer("", f"Location: http://127.0.0.1:{exchange.connection.getsockname()[1]}/after", status="302 Found")
    elif path == "/socket":
        key = request.field("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        exchange.send(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n")
        text = f"{request.field('origin')} {request.field('host')}".encode()
        exchange.send(bytes([0x81, len(text)]), text)
        exchange.read(1 << 20)
        return False
    else:
        body = request.method != "GET" and exchange.body(request).decode() or ""
        names = ("host", "origin", "referer", "cookie", "x-forwarded-host", "x-forwarded-proto", "proxy-authorization", "via")
        seen = {name: request.fields(name) for name in names}
        exchange.answer(json.dumps({"method": request.method, "target": request.target, "body": body, **seen}), content_type="application/json")


@pytest.fixture(scope="module")
def site():
    with upstream(echo) as site:
        yield site


@pytest.fixture(scope="module")
def own(site):
    """A proxy with a site from a local server, and a plain one."""
    with serve("--ephemeral", "--site", f"{APP}={site.url}", "--site", f"http://plain.example={site.url}", name=None) as server:
        server.flags = browser_flags(server)
        yield server


def curl(server, *arguments, user=None):
    command = ["curl", "--silent", "--show-error", "--max-time", "10", "--insecure", "--proxy", f"http://127.0.0.1:{server.port}"]
    return subprocess.run([*command, *(["--proxy-user", user] if user else []), *arguments], capture_output=True, text=True, timeout=20)


class Proxied(Client):
    """A raw connection to the proxy."""

    def connect(self, target, *fields, more=b""):
        self.send("\r\n".join([f"CONNECT {target} HTTP/1.1", f"Host: {target}", *fields]) + "\r\n\r\n", more)
        return self.head()

    def secure(self, name="app.example.com"):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        self.connection = context.wrap_socket(self.connection, server_hostname=name)
        self.host = name


# curl


def test_the_upstream_sees_the_request_as_in_production(own):
    seen = json.loads(curl(own, f"{APP}/seen?x=1", "-H", f"Origin: {APP}", "-H", f"Referer: {APP}/cart", "-d", "a=b").stdout)
    assert seen["method"] == "POST" and seen["target"] == "/seen?x=1" and seen["body"] == "a=b"
    assert seen["host"] == ["app.example.com"] and seen["origin"] == [APP] and seen["referer"] == [f"{APP}/cart"]
    assert seen["x-forwarded-host"] == ["app.example.com"] and seen["x-forwarded-proto"] == ["https"]


def test_redirects_and_cookies_are_those_of_the_origin(own):
    answer = curl(own, "-i", f"{APP}/login").stdout
    for line in [
        "location: https://app.example.com/after",
        "set-cookie: __Host-id=1; Secure; Path=/; SameSite=Strict",
        "set-cookie: shared=2; Domain=example.com; Secure; Path=/",
        "set-cookie: local=3; Path=/; HttpOnly",
        "strict-transport-security: max-age=60",
    ]:
        assert line in answer.splitlines()
    assert f"location: {APP}/after" in curl(own, "-i", f"{APP}/internal").stdout


def test_a_plain_site_is_reached_by_its_whole_address_or_through_a_tunnel(own):
    for more in ([], ["--proxytunnel"]):
        seen = json.loads(curl(own, "http://plain.example/seen", *more).stdout)
        assert seen["host"] == ["plain.example"] and seen["x-forwarded-proto"] == ["http"] and seen["proxy-authorization"] == []


def test_a_listed_https_site_is_not_reached_without_https(own):
    answer = curl(own, "-i", "http://app.example.com/x?y=1").stdout
    assert "307" in answer.splitlines()[0] and "Location: https://app.example.com/x?y=1" in answer


def test_requests_to_other_servers_are_passed_on_unchanged(own, site):
    before = len(site.requests)
    address = f"http://localhost:{site.port}/other"
    seen = json.loads(curl(own, address, "-H", "Cookie: a=1", "-d", "body").stdout)
    assert seen["cookie"] == ["a=1"] and seen["body"] == "body" and seen["host"] == [f"localhost:{site.port}"]
    assert seen["x-forwarded-host"] == [] and len(seen["via"]) == 1
    tunnelled = json.loads(curl(own, address, "--proxytunnel").stdout)
    assert tunnelled["via"] == [] and len(site.requests) == before + 2
    assert "footbridge" not in curl(own, f"http://localhost:{site.port}/").stdout


def test_another_https_server_is_reached_with_its_own_certificate(own, tmp_path):
    pair = Pair("localhost", names=["localhost"])
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    (tmp_path / "pair.pem").write_text(pair.certificate_pem() + pair.key_pem())
    tls.load_cert_chain(tmp_path / "pair.pem")
    with upstream(lambda exchange, request: exchange.answer("its own"), tls) as other:
        answer = curl(own, "--cacert", str(tmp_path / "pair.pem"), f"https://localhost:{other.port}/")
    assert answer.stdout == "its own", answer.stderr


def test_only_listed_sites_are_reached_with_only_sites(site):
    with serve("--ephemeral", "--site", f"{APP}={site.url}", "--only-sites", name=None) as server:
        assert json.loads(curl(server, f"{APP}/seen").stdout)["host"] == ["app.example.com"]
        assert "403" in curl(server, "-i", f"http://localhost:{site.port}/").stdout.splitlines()[0]
        assert "response 403" in curl(server, f"https://localhost:{site.port}/").stderr


def test_the_authority_is_constrained_to_the_listed_sites(site, tmp_path):
    with serve("--state", tmp_path / "state", "--site", f"{APP}={site.url}", name=None) as server:
        authority = tmp_path / "state" / "tls-authority.crt"
        answer = subprocess.run(
            ["curl", "-sS", "--cacert", authority, "-x", f"http://127.0.0.1:{server.port}", f"{APP}/seen"], capture_output=True, text=True, timeout=20
        )
        assert json.loads(answer.stdout)["host"] == ["app.example.com"], answer.stderr
    text = subprocess.run(["openssl", "x509", "-in", authority, "-noout", "-ext", "nameConstraints"], capture_output=True, text=True).stdout
    assert "DNS:app.example.com" in text and "DNS:localhost" in text and text.count("DNS:") == 2


# Credentials


def basic(user, password):
    return "Proxy-Authorization: Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def test_credentials_name_one_session_for_all_sites(own):
    for url in [f"{APP}/", "http://plain.example/"]:
        answer = curl(own, "-i", url, "-H", "Sec-Fetch-Dest: document", user="alice:x").stdout
        assert "data-footbridge-ticket" in answer and "footbridge_session" not in answer
    answer = curl(own, "-i", f"{APP}/", "-H", "Sec-Fetch-Dest: document").stdout
    assert "set-cookie: __Host-footbridge_session=" in answer


def test_a_proxy_with_a_token_requires_it_as_password(site):
    with serve("--ephemeral", "--site", f"{APP}={site.url}", "--site-token", "secret", name=None) as server:
        client = Proxied(server)
        refused = client.connect("app.example.com:443")
        assert refused.status == 407 and refused.field("proxy-authenticate").startswith("Basic ")
        assert "response 407" in curl(server, f"{APP}/seen", user="alice:wrong").stderr
        assert "407" in curl(server, "-i", "http://localhost:1/", user="alice:wrong").stdout.splitlines()[0]
        seen = json.loads(curl(server, f"{APP}/seen", user="alice:secret").stdout)
        assert seen["host"] == ["app.example.com"] and seen["cookie"] == []
        assert "secret" not in "".join(server.log)


# Hostile


def test_the_proxy_does_not_connect_to_itself(own):
    for target in (f"127.0.0.1:{own.port}", f"localhost:{own.port}", f"127.9.9.9:{own.port}", f"0.0.0.0:{own.port}", f"[::1]:{own.port}", f"[::ffff:127.0.0.1]:{own.port}"):
        assert Proxied(own).connect(target).status in (403, 502), target
    addresses = subprocess.run(["hostname", "-I"], capture_output=True, text=True).stdout.split()
    with serve("--ephemeral", "--host", "0.0.0.0", "--control-token", "t", "--site", APP, name=None) as everywhere:
        for address in addresses:
            target = f"[{address}]:{everywhere.port}" if ":" in address else f"{address}:{everywhere.port}"
            assert Proxied(everywhere).connect(target).status in (403, 502), target


@pytest.mark.parametrize("target", ["169.254.169.254:80", "[fe80::1]:80", "[fd00:ec2::254]:80", "[::ffff:169.254.169.254]:80", "100.100.100.200:80"])
def test_metadata_services_and_link_local_addresses_are_refused(own, target):
    client = Proxied(own)
    assert client.connect(target).status == 403
    assert client.is_closed() or client.read(1 << 20)
    assert "403" in curl(own, "-i", f"http://{target}/latest/meta-data/").stdout.splitlines()[0]


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="Only root gives a program a hosts file of its own.")
def test_names_of_metadata_services_and_of_private_addresses_are_refused(site, tmp_path):
    hosts = tmp_path / "hosts"
    names = {"metadata.test": "169.254.169.254", "alibaba.test": "100.100.100.200", "local.test": "fe80::1", "mapped.test": "::ffff:169.254.169.254"}
    nearby = {"machine.test": "127.0.0.1", "network.test": "10.1.2.3"}
    hosts.write_text("127.0.0.1 localhost listed.test\n" + "".join(f"{address} {name}\n" for name, address in {**names, **nearby}.items()))
    # The server's own view of the files, in which its resolver reads other names.
    script = 'mount --bind "$0" /etc/hosts && exec "$@"'
    arguments = ("serve", "--port", 0, "--ephemeral", "--site", f"{APP}={site.url}", "--site", f"http://listed.test:{site.port}")
    with Process("/usr/bin/unshare", "--mount", "sh", "-c", script, hosts, BUILD / "footbridge", *arguments) as server:
        assert Proxied(server).connect(f"localhost:{site.port}").status == 200
        assert "200" in curl(server, "-i", f"http://listed.test:{site.port}/").stdout.splitlines()[0]
        for name in nearby:
            assert Proxied(server).connect(f"{name}:{site.port}").status == 403, name
            answer = curl(server, "-i", f"http://{name}:{site.port}/seen").stdout
            assert "403" in answer.splitlines()[0] and "List its origin with --site" in answer, name
        for name in names:
            assert Proxied(server).connect(f"{name}:80").status == 403, name
            answer = curl(server, "-i", f"http://{name}/latest/meta-data/").stdout
            assert "403" in answer.splitlines()[0] and "metadata" in answer, name


def test_bytes_after_a_refused_connect_are_not_read_as_a_request(own):
    client = Proxied(own)
    smuggled = f"GET /__footbridge/health HTTP/1.1\r\nHost: 127.0.0.1:{own.port}\r\n\r\n".encode()
    answer = client.connect("169.254.169.254:80", more=smuggled)
    assert answer.status == 403 and answer.field("connection") == "close"
    rest = client.read(1 << 20)
    assert b"HTTP/1.1" not in rest


@pytest.mark.parametrize("fields", [["Content-Length: 5"], ["Transfer-Encoding: chunked"]])
def test_a_connect_with_a_body_is_refused(own, fields):
    client = Proxied(own)
    assert client.connect("app.example.com:443", *fields, more=b"hello").status == 400
    assert b"HTTP/1.1" not in client.read(1 << 20)


def test_a_tunnel_to_a_site_serves_no_other_host(own, site):
    for host in (f"127.0.0.1:{own.port}", "other.example", f"localhost:{site.port}"):
        client = Proxied(own)
        assert client.connect("app.example.com:443").status == 200
        client.secure()
        client.send(f"GET /__footbridge/health HTTP/1.1\r\nHost: {host}\r\n\r\n")
        assert client.response().status == 421
    client = Proxied(own)
    client.connect("app.example.com:443")
    client.secure()
    assert client.get("/__footbridge/health").status == 200
    assert client.get(f"http://127.0.0.1:{own.port}/__footbridge/health").status == 421


def test_plain_http_in_a_tunnel_for_https_is_answered_400(own):
    client = Proxied(own)
    assert client.connect("app.example.com:443").status == 200
    client.host = "app.example.com"
    assert client.get("/").status == 400


def test_bytes_sent_before_the_answer_belong_to_the_tunnel(own, site):
    client = Proxied(own)
    request = f"GET /early HTTP/1.1\r\nHost: localhost:{site.port}\r\n\r\n".encode()
    assert client.connect(f"localhost:{site.port}", more=request).status == 200
    assert json.loads(client.response().body)["target"] == "/early"


@pytest.mark.parametrize("head", [b"X: " + b"a" * 100_000, b"\r\n".join(b"X-%d: y" % i for i in range(1000))])
def test_a_huge_head_is_refused_outside_and_inside_of_a_tunnel(own, head):
    client = Proxied(own)
    client.send(b"CONNECT app.example.com:443 HTTP/1.1\r\nHost: app.example.com:443\r\n", head, b"\r\n\r\n")
    assert client.head().status == 431
    client = Proxied(own)
    client.connect("app.example.com:443")
    client.secure()
    client.send(b"GET / HTTP/1.1\r\nHost: app.example.com\r\n", head, b"\r\n\r\n")
    assert client.head().status == 431


def test_a_half_closed_tunnel_carries_the_answer(own):
    def serve_all(exchange):
        received = b""
        while data := exchange.connection.recv(65536):
            received += data
        exchange.send(b"%d bytes" % len(received))

    with Upstream(serve_all) as other:
        client = Proxied(own)
        assert client.connect(f"127.0.0.1:{other.port}").status == 200
        client.send(b"x" * 300_000)
        client.connection.shutdown(socket.SHUT_WR)
        assert client.read(1 << 20) == b"300000 bytes"
        # The end may also come before the tunnel is there.
        client = Proxied(own)
        client.send(f"CONNECT 127.0.0.1:{other.port} HTTP/1.1\r\nHost: x\r\n\r\nabc".encode())
        client.connection.shutdown(socket.SHUT_WR)
        assert client.head().status == 200 and client.read(1 << 20) == b"3 bytes"


@contextlib.contextmanager
def with_limits(site, folder, limits):
    """A server with these limits, and the port of a server that accepts connections and sends nothing."""
    (folder / "footbridge.yaml").write_text(f"limits: {{ {limits} }}\n")
    quiet = threading.Event()
    with Upstream(lambda exchange: quiet.wait(LONG)) as other, serve(
        "--ephemeral", "--config", folder / "footbridge.yaml", "--site", f"{APP}={site.url}", name=None
    ) as server:
        try:
            yield server, other.port
        finally:
            quiet.set()


def test_tunnels_are_limited_in_number(site, tmp_path):
    with with_limits(site, tmp_path, "tunnels: 2") as (server, port):
        tunnels = [Proxied(server), Proxied(server)]
        for client in tunnels:
            assert client.connect(f"127.0.0.1:{port}").status == 200
        assert Proxied(server).connect(f"127.0.0.1:{port}").status == 503
        # A site is no tunnel.
        assert json.loads(curl(server, f"{APP}/seen").stdout)["target"] == "/seen"


def test_a_tunnel_without_bytes_ends_and_leaves_room_for_another_one(site, tmp_path):
    with with_limits(site, tmp_path, "tunnels: 1, tunnelIdleTimeout: 1") as (server, port):
        first = Proxied(server)
        assert first.connect(f"127.0.0.1:{port}").status == 200
        assert first.is_closed()
        assert Proxied(server).connect(f"127.0.0.1:{port}").status == 200


def test_a_name_that_leads_to_a_forbidden_address_is_refused(own):
    # localhost resolves to loopback addresses, one of which is this server.
    assert Proxied(own).connect(f"localhost:{own.port}").status in (403, 502)
    assert Proxied(own).connect("nowhere.invalid:443").status == 502


# Chromium


@pytest.fixture
def endpoint():
    endpoint = TokenEndpoint()
    yield endpoint
    endpoint.stop()


def test_the_page_has_its_production_origin_and_all_bridges(launch, site, catalog, endpoint, tmp_path):
    config = tmp_path / "footbridge.yaml"
    token = {"url": endpoint.url, "refreshToken": TokenEndpoint.FIRST}
    config.write_text(json.dumps({"today": {"token": token, "feedExtraHeaders": {"X-Feed": "1"}}, "site": [f"{APP}={site.url}"]}))
    with serve("--ephemeral", "--config", config, "--catalog", catalog, "--present", "auto", name=None) as server:
        server.flags = browser_flags(server)
        with opened(launch, server) as context:
            page = context.new_page()
            page.goto(f"{APP}/")
            assert page.evaluate("[location.origin, isSecureContext]") == [APP, True]

            product = "com.product.example.consumable"
            page.evaluate("id => onside.loadProducts({ productIdentifiers: [id] })", product)
            page.evaluate("onside.requestLogin()")
            page.evaluate("id => onside.purchase({ productIdentifier: id })", product)
            wait_for_promise(page, "() => onside.getTransactions().then(all => all.some(t => t.transactionState === 'purchased'))")

            page.evaluate("window.call = m => webkit.messageHandlers.todayWebViewBridge.postMessage(m)")
            refreshed = page.evaluate("call({ type: 'refreshToken' })")
            assert refreshed == {"authorization": "Bearer " + endpoint.issued[-1]}
            assert page.evaluate("call({ type: 'headers' })") == {"X-Feed": "1", "Authorization": refreshed["authorization"]}
            assert page.evaluate("call({ type: 'establishSession' })") == {"ok": True}
            seen = page.evaluate("fetch('/api/seen').then(response => response.json())")
            assert seen["cookie"] == [f"embed_bearer={endpoint.issued[-1]}"] and seen["host"] == ["app.example.com"]

            answer = page.evaluate(
                """() => new Promise(resolve => {
                  addEventListener("gbgbridge:message", ({ detail }) => { if (detail.correlationId === "1") resolve(detail); });
                  webkit.messageHandlers.gbgBridge.postMessage({ version: "1.0", correlationId: "1", type: "request",
                    timestamp: Date.now(), payload: { action: "capability.query", data: {} } });
                })"""
            )
            assert answer["payload"]["status"] == "success"


def test_cookies_redirects_and_sockets_in_the_browser_are_those_of_the_origin(launch, own):
    with opened(launch, own) as context:
        page = context.new_page()
        page.goto(f"{APP}/login")
        assert page.url == f"{APP}/after"
        seen = json.loads(page.evaluate("document.body.textContent"))
        assert set(seen["cookie"][0].split("; ")) == {"__Host-id=1", "shared=2", "local=3"}
        names = {cookie["name"]: cookie for cookie in context.cookies()}
        assert names["shared"]["domain"] == ".example.com"
        page.goto(f"{APP}/")
        assert {cookie["name"]: cookie for cookie in context.cookies()}["__Host-footbridge_session"]["secure"]
        said = page.evaluate(
            """() => new Promise((done, failed) => {
              const socket = new WebSocket("wss://app.example.com/socket");
              socket.onmessage = ({ data }) => done(data);
              socket.onerror = failed;
            })"""
        )
        assert said == f"{APP} app.example.com"


def test_a_page_with_a_strict_policy_works(launch, own):
    with opened(launch, own) as context:
        page = context.new_page()
        page.goto(f"{APP}/policy")
        page.wait_for_function("window.onside !== undefined")
        assert page.evaluate("onside.getCurrentStorefront()") is None


def test_the_script_for_browsers_leads_the_sites_through_the_proxy(launch, own):
    flags = [flag for flag in own.flags if "spki" in flag]
    # Without its windows Chromium runs no such scripts.
    url = f"http://127.0.0.1:{own.port}/__footbridge/proxy.pac"
    browser = launch(f"--proxy-pac-url={url}", *flags, executable_path=shutil.which("chromium"))
    with profiles(browser) as make:
        page = make().new_page()
        page.goto(f"{APP}/")
        assert page.evaluate("typeof window.onside") == "object"
        page.goto("http://plain.example/")
        assert page.title() == "Shop"
    browser.close()


def test_contexts_with_their_own_credentials_have_separate_sessions_for_all_sites(launch, site):
    options = ["--ephemeral", "--site", f"{APP}={site.url}", "--site", f"https://pay.example={site.url}", "--site-token", "secret"]
    with serve(*options, name=None) as server:
        server.flags = [flag for flag in browser_flags(server) if "spki" in flag]
        control = server.control()
        browser = launch(*server.flags)
        with profiles(browser) as make:
            ids = []
            for name in ("one", "two"):
                session = control.session(name=name)
                ids.append(session["id"])
                proxy = {"server": f"http://127.0.0.1:{server.port}", "username": session["cookie"]["value"], "password": "secret"}
                context = make(proxy=proxy)
                for origin in (APP, "https://pay.example"):
                    page = context.new_page()
                    page.goto(origin)
                    page.wait_for_function("window.onside !== undefined")
                assert context.cookies() == []
            for session in ids:
                pages = control("GET", f"/sessions/{session}/pages")["pages"]
                assert sorted(page["url"] for page in pages) == [f"{APP}/", "https://pay.example/"]
        browser.close()


def test_a_service_worker_of_the_site_is_registered_and_serves_the_page(launch, tmp_path):
    worker = "self.addEventListener('fetch', event => { if (event.request.url.endsWith('/from-worker')) event.respondWith(new Response('worker')); });"

    def answer(exchange, request):
        if request.target == "/worker.js":
            exchange.answer(worker, content_type="text/javascript")
        else:
            exchange.answer(PAGE, content_type="text/html")

    with upstream(answer) as site, serve("--ephemeral", "--site", f"{APP}={site.url}", name=None) as server:
        server.flags = browser_flags(server)
        with opened(launch, server) as context:
            page = context.new_page()
            page.goto(APP)
            page.evaluate("navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => true)")
            page.reload()
            page.wait_for_function("navigator.serviceWorker.controller !== null")
            assert page.evaluate("fetch('/from-worker').then(response => response.text())") == "worker"
            assert page.evaluate("typeof window.onside") == "object"


def test_a_document_cached_by_the_sites_worker_before_is_reported(launch, tmp_path):
    """The browser has been at the site before Footbridge put the shim into its documents."""
    worker = """addEventListener('install', event => event.waitUntil(caches.open('kept').then(cache => cache.add('/')).then(() => skipWaiting())));
      addEventListener('activate', event => event.waitUntil(clients.claim()));
      addEventListener('fetch', event => event.respondWith(caches.match(event.request).then(kept => kept || fetch(event.request))));"""

    def answer(exchange, request):
        is_worker = request.target == "/worker.js"
        exchange.answer(worker if is_worker else PAGE, content_type="text/javascript" if is_worker else "text/html")

    with upstream(answer) as site:
        arguments = ("--state", tmp_path / "state", "--site", f"{APP}={site.url}")
        with serve(*arguments, "--exclude", "/*", name=None) as server:
            server.flags = browser_flags(server)
            with opened(launch, server) as context:
                page = context.new_page()
                page.goto(APP)
                page.evaluate("""navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => true)""")
                page.wait_for_function("navigator.serviceWorker.controller !== null")
                server.stop()
                with serve(*arguments, port=server.port, name=None) as server:
                    page.goto(APP)
                    assert page.evaluate("typeof window.onside") == "undefined"
                    server.wait_for_log("a document without the shim", "app.example.com", timeout=60)


def test_a_link_that_bypasses_footbridge_is_reported(own, site, launch):
    with opened(launch, own) as context:
        page = context.new_page()
        page.goto(APP)
        with page.expect_console_message(lambda message: f"{site.url}/past" in message.text):
            page.evaluate("address => { window.open(address) }", f"{site.url}/past")


def test_the_real_server_of_a_site_gets_the_browsers_fields(tmp_path):
    certificate, key = Pair("localhost", names=["localhost"]).write(tmp_path, "real")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    with upstream(echo, tls) as real:
        origin = f"https://localhost:{real.port}"
        with serve("--ephemeral", "--site", origin, environment={"SSL_CERT_FILE": str(certificate)}, name=None) as server:
            assert "'--proxy-bypass-list=<-loopback>'" in browser_flags(server)
            seen = json.loads(curl(server, f"{origin}/seen", "-H", f"Origin: {origin}").stdout)
            assert seen["host"] == [f"localhost:{real.port}"] and seen["origin"] == [origin]
            assert seen["x-forwarded-host"] == [] and seen["x-forwarded-proto"] == []
            assert "data-footbridge-ticket" in curl(server, f"{origin}/", "-H", "Sec-Fetch-Dest: document").stdout
            # The certificate is ours and not that of the server.
            assert "SSL certificate problem" in subprocess.run(
                ["curl", "-sS", "--cacert", certificate, "-x", f"http://127.0.0.1:{server.port}", origin], capture_output=True, text=True
            ).stderr


def test_trust_lists_the_listed_sites(tmp_path):
    result = run("trust", "--state", tmp_path / "state", "--site", f"{APP}=http://localhost:1")
    assert result.returncode == 0 and "app.example.com" in result.stdout
