"""The reverse proxy, with raw bytes at both ends."""

import hashlib
import os
import re
import socket
import threading

import pytest

from footbridge_process import serve
from ports import free_port
from raw_http import Client
from upstreams import Upstream, upstream


def echo(exchange, request):
    exchange.answer(exchange.body(request))


# Requests.


def test_every_field_reaches_the_upstream_in_order_with_its_repetition(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        client.get("/a?b=%20|{}", "X-One: 1", "accept-LANGUAGE: de", "X-Two: a,  b", "X-One: 2", "X-Bytes: \xff\xfe",
                   "X-Empty:", "Authorization: Basic eDp5")
        request = site.requests[-1]
        assert (request.method, request.target, request.version) == ("GET", "/a?b=%20|{}", "HTTP/1.1")
        ours = [line for line in request.lines if re.match("x-(one|two|bytes|empty)|accept-l|authorization", line, re.I)]
        assert ours == ["X-One: 1", "accept-LANGUAGE: de", "X-Two: a,  b", "X-One: 2", "X-Bytes: \xff\xfe", "X-Empty: ",
                        "Authorization: Basic eDp5"]


def test_the_upstream_gets_client_host_and_scheme_in_forwarding_fields(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        # A page can set these fields, and many servers believe the first value.
        client.get("/", "X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1;host=bank.example", "forwarded: by=x",
                   "X-Forwarded-Host: bank.example", "X-Forwarded-Proto: https", "X-Forwarded-Port: 443", "x-forwarded-prefix: /a")
        request = site.requests[-1]
        assert request.field("host") == client.host
        assert request.field("x-forwarded-for") == "127.0.0.1"
        assert request.field("x-forwarded-host") == client.host
        assert request.field("x-forwarded-proto") == "http"
        assert request.fields("forwarded") == [f'for=127.0.0.1;proto=http;host="{client.host}"']
        assert request.fields("x-forwarded-port") + request.fields("x-forwarded-prefix") == []
        assert re.fullmatch(r"1\.1 footbridge-\w+", request.field("via"))


def test_connection_fields_are_not_passed_on(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        client.get("/", "Connection: keep-alive, X-Mine", "X-Mine: 1", "Keep-Alive: timeout=5", "Proxy-Connection: keep-alive",
                   "TE: trailers, deflate;q=0.5", "Upgrade: h2c", "X-Ours: 1")
        request = site.requests[-1]
        assert [request.field(name) for name in ("x-mine", "keep-alive", "proxy-connection", "upgrade")] == [None] * 4
        assert (request.field("te"), request.field("connection"), request.field("x-ours")) == ("trailers", "TE", "1")


def test_the_session_cookie_is_not_sent_to_the_upstream(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        session = "0" * 32
        client.get("/", f"Cookie: a=1; footbridge_session={session}; b=\"2 3\"")
        client.get("/", f"Cookie: footbridge_session={session}")
        client.get("/", "Cookie: footbridge_sessions=1;b=2")
        assert [request.fields("cookie") for request in site.requests] == [['a=1; b="2 3"'], [], ["footbridge_sessions=1;b=2"]]


@pytest.mark.parametrize("host", [None, "keep", "upstream", "shop.test:81"])
def test_origin_referer_and_destination_have_the_upstreams_origin(behind, host):
    def handle(exchange, request):
        name = request.field("host")
        exchange.answer("", f"Location: https://{name}/a?b", f"Access-Control-Allow-Origin: http://{name}", status="302 Found")

    with upstream(handle) as site:
        client = Client(behind(site, *(["--proxy-host", host] if host else [])))
        fields = [f"Origin: http://{client.host}", f"Referer: http://{client.host}/a?b", f"Destination: http://{client.host}/dav/b"]
        response = client.get("/", *fields, method="COPY")
        name = {"upstream": f"127.0.0.1:{site.port}", "shop.test:81": "shop.test:81"}.get(host, client.host)
        request = site.requests[-1]
        names = ("host", "origin", "referer", "destination", "x-forwarded-host", "x-forwarded-proto", "forwarded")
        assert [request.field(field) for field in names] == [
            name, f"http://{name}", f"http://{name}/a?b", f"http://{name}/dav/b", name, "http", f'for=127.0.0.1;proto=http;host="{name}"'
        ]
        # If the upstream uses its own name in a redirect, the browser stays here.
        assert response.field("location") == f"http://{client.host}/a?b"
        assert response.field("access-control-allow-origin") == f"http://{client.host}"


def test_foreign_origins_and_urls_in_request_fields_are_not_changed(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        client.get("/", "Origin: https://elsewhere.example", "Referer: https://elsewhere.example/", "Destination: /dav/b")
        request = site.requests[-1]
        assert [request.field(name) for name in ("origin", "referer", "destination")] == [
            "https://elsewhere.example", "https://elsewhere.example/", "/dav/b"
        ]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "MKCOL", "MOVE", "LOCK", "X-ODD"])
def test_every_method_is_passed_on(behind, method):
    with upstream(echo) as site:
        client = Client(behind(site))
        response = client.get("/dav/a", "Content-Length: 3", "Depth: 1", method=method, body=b"abc")
        assert (response.status, response.body) == (200, b"abc")
        assert (site.requests[-1].method, site.requests[-1].field("depth")) == (method, "1")


def test_options_for_the_server_is_passed_on(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        assert client.get("*", method="OPTIONS").status == 200
        assert site.requests[-1].target == "*"


def test_max_forwards_is_decreased_and_answered_at_zero(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        client.get("/", "Max-Forwards: 5", method="OPTIONS")
        assert site.requests[-1].field("max-forwards") == "4"
        answer = client.get("/", "Max-Forwards: 0", "Cookie: secret=1", "X-Odd: 1", method="TRACE")
        assert answer.field("content-type") == "message/http"
        assert b"X-Odd: 1" in answer.body and b"secret" not in answer.body
        assert len(site.requests) == 1


def test_a_chunked_body_is_passed_on_in_chunks_with_its_trailers(behind):
    def handle(exchange, request):
        exchange.answer(exchange.body(request), f"X-Trailers: {request.trailers.strip()}")

    with upstream(handle) as site:
        client = Client(behind(site))
        body = b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nX-Sum: 5\r\n\r\n"
        response = client.get("/", "Transfer-Encoding: chunked", "Trailer: X-Sum", method="POST", body=body)
        assert (response.body, response.field("x-trailers")) == (b"abcde", "X-Sum: 5")
        request = site.requests[-1]
        assert (request.field("transfer-encoding"), request.field("content-length")) == ("chunked", None)


def test_a_client_of_http_1_0_is_answered(behind):
    def handle(exchange, request):
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send(f"GET /a HTTP/1.0\r\nHost: {client.host}\r\n\r\n")
        response = client.response()
        assert (response.body, response.field("transfer-encoding")) == (b"abc", None)
        assert site.requests[-1].field("via").startswith("1.0 ")


def test_an_expectation_is_answered_by_the_upstream(behind):
    asked = threading.Event()

    def handle(exchange, request):
        assert request.field("expect") == "100-continue"
        if request.target == "/no":
            exchange.answer("no", "Connection: close", status="403 Forbidden")
            return False
        assert asked.wait(5)
        exchange.send("HTTP/1.1 100 Continue\r\n\r\n")
        exchange.answer(exchange.body(request))

    with upstream(handle) as site:
        server = behind(site)
        client = Client(server)
        client.send(f"PUT / HTTP/1.1\r\nHost: {client.host}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        asked.set()
        assert client.head().status == 100
        client.send("abc")
        assert client.response().body == b"abc"
        client = Client(server)
        response = client.get("/no", "Expect: 100-continue", "Content-Length: 3", method="PUT")
        assert (response.status, response.body) == (403, b"no")


def test_a_client_that_waits_for_100_gets_its_answer_from_an_upstream_that_ignores_it(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        client.send(f"PUT / HTTP/1.1\r\nHost: {client.host}\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        assert client.head().status == 100
        client.send("abc")
        assert client.response().body == b"abc"


# Responses.


def test_every_field_of_the_response_reaches_the_browser(behind):
    def handle(exchange, request):
        exchange.send("HTTP/1.1 299 Odd Thing\r\nX-B: 1\r\nx-a: \xff\r\nX-B: 2\r\nConnection: X-Hop, keep-alive\r\nX-Hop: 1\r\n"
                      "Keep-Alive: timeout=5\r\nServer: Old/1\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Length: 2\r\n\r\nok")

    with upstream(handle) as site:
        response = Client(behind(site)).get()
        assert (response.status, response.reason, response.body) == (299, "Odd Thing", b"ok")
        assert response.lines == ["X-B: 1", "x-a: \xff", "X-B: 2", "Server: Old/1", "Date: Thu, 01 Jan 1970 00:00:00 GMT",
                                  "Content-Length: 2"]


def test_responses_framed_by_length_chunks_or_end_of_connection_are_passed_on(behind):
    def handle(exchange, request):
        if request.target == "/length":
            exchange.answer("abc")
        elif request.target == "/chunks":
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Late\r\n\r\n"
                          "1\r\na\r\n2\r\nbc\r\n0\r\nX-Late: yes\r\n\r\n")
        elif request.target == "/end":
            exchange.send("HTTP/1.1 200 OK\r\n\r\nabc")
            return False
        elif request.target == "/old":
            exchange.send("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nabc")
            return False

    with upstream(handle) as site:
        client = Client(behind(site))
        responses = [client.get(target) for target in ("/length", "/chunks", "/end", "/old", "/length")]
        assert [response.body for response in responses] == [b"abc"] * 5
        assert [response.field("content-length") for response in responses] == ["3", None, None, None, "3"]
        assert responses[1].trailers == "X-Late: yes\r\n\r\n"


def test_responses_without_a_body_retain_their_fields(behind):
    def handle(exchange, request):
        status = {"/204": "204 No Content", "/304": "304 Not Modified"}.get(request.target, "200 OK")
        length = "" if request.target == "/204" else "Content-Length: 1000\r\n"
        exchange.send(f"HTTP/1.1 {status}\r\n{length}ETag: \"x\"\r\n\r\n")

    with upstream(handle) as site:
        client = Client(behind(site))
        head = client.get("/", method="HEAD")
        assert (head.field("content-length"), head.field("transfer-encoding")) == ("1000", None)
        assert client.get("/204").field("content-length") is None
        assert client.get("/304", 'If-None-Match: "x"').field("etag") == '"x"'


@pytest.mark.parametrize("field", ["Content-Type: text/html\r\n", ""])
def test_a_205_response_gets_no_shim(behind, field):
    with upstream(lambda exchange, request: exchange.send(f"HTTP/1.1 205 Reset Content\r\n{field}Content-Length: 0\r\n\r\n")) as site:
        response = Client(behind(site)).get("/", "Sec-Fetch-Dest: document", method="POST")
        assert (response.status, response.field("content-length"), response.body) == (205, "0", b"")


def test_informational_responses_reach_the_browser(behind):
    def handle(exchange, request):
        exchange.send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX-A: 1\r\n\r\n")
        exchange.send("HTTP/1.1 102 Processing\r\n\r\n")
        exchange.answer("done")

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        hints = client.head()
        assert (hints.status, hints.lines) == (103, ["Link: </a.css>; rel=preload", "X-A: 1"])
        assert client.head().status == 102
        assert client.response().body == b"done"
        client.send(f"GET / HTTP/1.0\r\nHost: {client.host}\r\nConnection: keep-alive\r\n\r\n")
        assert client.response().status == 200


def test_a_streamed_response_is_passed_on_piece_by_piece(behind):
    seen = threading.Event()

    def handle(exchange, request):
        exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
        assert seen.wait(5)
        exchange.send("data: 2\n\n")
        return False

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        client.head()
        assert client.read_until(b"data: 1\n\n")
        seen.set()
        assert client.read_until(b"data: 2\n\n")
        assert client.read_until(b"0\r\n\r\n")


@pytest.mark.parametrize("answer", [
    "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n",
])
def test_a_truncated_response_is_not_completed(behind, answer):
    def handle(exchange, request):
        exchange.send(answer)
        return False

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        head = client.head()
        rest = client.read(1000)
        assert head.status == 200 and b"abc" in rest
        assert not rest.endswith(b"0\r\n\r\n") and len(rest) != int(head.field("content-length") or -1)


@pytest.mark.parametrize("answer", ["", "HTTP/1.1 200", "what?\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"])
def test_a_missing_or_malformed_response_is_a_bad_gateway(behind, answer):
    def handle(exchange, request):
        exchange.send(answer)
        return False

    with upstream(handle) as site:
        client = Client(behind(site))
        response = client.get()
        assert (response.status, response.field("content-type")) == (502, "text/plain; charset=utf-8")
        assert site.url in response.body.decode()
        assert client.get("/__footbridge/health").status == 200


@pytest.mark.parametrize("answer, logged", [
    ("HTTP/1.1 200 OK\nX-A: 1\nContent-Length: 2\n\nok", "LF alone"),
    ("HTTP/1.1 200 OK\r\nX-A : 1\r\nContent-Length\t: 2\r\n\r\nok", "before its colon"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok", "several Content-Length"),
    ("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\nX-A:\r\n 1\r\n\r\nok", "folded over several lines"),
    (f"HTTP/1.1 200 OK\r\nX-Long: {'x' * 200_000}\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok", None),
    ("HTTP/1.1 200 OK\r\n" + "X-Many: 1\r\n" * 1000 + "X-A: 1\r\nContent-Length: 2\r\n\r\nok", None),
])
def test_a_response_with_harmless_defects_is_passed_on_mended(behind, answer, logged):
    with upstream(lambda exchange, request: exchange.send(answer)) as site:
        server = behind(site)
        response = Client(server).get()
        assert (response.status, response.field("x-a"), response.field("content-length"), response.body) == (200, "1", "2", b"ok")
        assert all(re.fullmatch(r"[\w-]+: .*", line) for line in response.lines)
        if logged:
            server.wait_for_log("notice", site.url, logged)


def test_an_early_response_of_the_upstream_is_passed_on(behind):
    def handle(exchange, request):
        exchange.answer("too large", "Connection: close", status="413 Content Too Large")
        exchange.read(100_000)
        return False

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send(f"POST / HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: 50000000\r\n\r\n")
        sender = threading.Thread(target=lambda: pytest.raises(OSError, client.connection.sendall, bytes(50_000_000)), daemon=True)
        sender.start()
        response = client.response()
        assert (response.status, response.body) == (413, b"too large")


def test_a_disconnected_browser_ends_the_upstream_request(behind):
    gone = threading.Event()

    def handle(exchange, request):
        if exchange.connection.recv(1) == b"":
            gone.set()
        return False

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send(f"GET /poll HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        while not site.requests:
            pass
        client.close()
        assert gone.wait(5)


def test_connections_to_the_upstream_are_reused(behind):
    ports = []

    def serve(exchange):
        ports.append(exchange.connection.getpeername())
        while exchange.request():
            exchange.answer("ok")

    with Upstream(serve) as site:
        server = behind(site)
        for _ in range(10):
            assert Client(server).get().body == b"ok"
        assert len(ports) == 1


# Addresses.


def test_redirects_to_the_upstream_become_redirects_to_the_site(behind):
    def handle(exchange, request):
        location = request.field("x-location")
        exchange.answer("", f"Location: {location}", f"Content-Location: {location}", status="302 Found")

    with upstream(handle) as site:
        client = Client(behind(site, "--site-origin", "https://shop.example"))
        here = f"http://{client.host}"

        def location(value):
            response = client.get("/", f"X-Location: {value}")
            assert response.field("location") == response.field("content-location")
            return response.field("location")

        assert location(f"{site.url}/a?b#c") == f"{here}/a?b#c"
        assert location(site.url) == here
        assert location(f"//127.0.0.1:{site.port}/a") == f"{here}/a"
        assert location("https://shop.example/a") == f"{here}/a"
        assert location("http://shop.example/a") == f"{here}/a"
        assert location("/a") == "/a"
        assert location("a/../b?c=http://shop.example/") == "a/../b?c=http://shop.example/"
        assert location("https://elsewhere.example/a") == "https://elsewhere.example/a"
        assert location(f"https://shop.example:444/") == "https://shop.example:444/"
        assert location("https://shop.example.evil.example/") == "https://shop.example.evil.example/"


@pytest.mark.parametrize("field, expected", [
    ("0; url={site}/a?b", "0; url={here}/a?b"), ("5;URL='{site}/a'", "5;URL='{here}/a'"), ('1, "{site}/a" x', '1, "{here}/a" x'),
    ("0; {site}", "0; {here}"), ("3", "3"), ("0; url=/a", "0; url=/a"), ("0; url=https://elsewhere.example/", "0; url=https://elsewhere.example/"),
])
def test_a_refresh_field_to_the_upstream_is_rewritten_to_the_site(behind, field, expected):
    with upstream(lambda exchange, request: exchange.answer("", "Refresh: " + field.format(site=site.url))) as site:
        client = Client(behind(site))
        assert client.get().field("refresh") == expected.format(here=f"http://{client.host}")


def test_cookie_domains_of_the_upstream_become_the_sites(behind):
    cookies = [
        "a=1; Domain=shop.example; Path=/; Secure; HttpOnly", "b=2;domain=.example;SameSite=Lax",
        "c=3; Domain=elsewhere.test; Path=/", "d=\"x; y\xff=1; Max-Age=5", "e", "__Host-f=1; Secure; Path=/",
    ]

    def handle(exchange, request):
        exchange.answer("", *[f"Set-Cookie: {cookie}" for cookie in cookies])

    with upstream(handle) as site:
        client = Client(behind(site, "--site-origin", "https://shop.example"))
        assert client.get("/", "Accept: image/png").fields("set-cookie") == [
            "a=1; Path=/; Secure; HttpOnly", "b=2;SameSite=Lax", *cookies[2:]
        ]


def test_fields_that_bind_a_browser_to_the_upstreams_host_are_removed(behind):
    def handle(exchange, request):
        exchange.answer("", "Strict-Transport-Security: max-age=1", "Alt-Svc: h3=\":443\"", f"Access-Control-Allow-Origin: {site.url}")

    with upstream(handle) as site:
        client = Client(behind(site))
        response = client.get()
        assert (response.field("strict-transport-security"), response.field("alt-svc")) == (None, None)
        assert response.field("access-control-allow-origin") == f"http://{client.host}"


def test_routes_send_paths_to_other_servers(behind, tmp_path):
    def answers(name):
        def handle(exchange, request):
            location = request.field("x-location")
            exchange.answer(f"{name} {request.target}", *([f"Location: {location}"] if location else []),
                            "Set-Cookie: a=1; Path=/v1/users")
        return handle

    with upstream(answers("site")) as site, upstream(answers("api")) as api, upstream(answers("old")) as old:
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"routes:\n  /api: {api.url}\n  /old: {old.url}/v1\n  /old/cut/: {old.url}/\n")
        client = Client(behind(site, "--config", config))
        bodies = {target: client.get(target).body.decode() for target in
                  ("/", "/api", "/api/a?b", "/apis", "/old", "/old/users", "/old/cut/a", "/old/cut")}
        assert bodies == {
            "/": "site /", "/api": "api /api", "/api/a?b": "api /api/a?b", "/apis": "site /apis", "/old": "old /v1",
            "/old/users": "old /v1/users", "/old/cut/a": "old /a", "/old/cut": "old /",
        }
        moved = client.get("/old/a", f"X-Location: {old.url}/v1/b?c")
        assert moved.field("location") == f"http://{client.host}/old/b?c"
        assert client.get("/old/a", "X-Location: /v1/c").field("location") == "/old/c"
        assert client.get("/old/users", "Accept: image/png").field("set-cookie") == "a=1; Path=/old/users"


def test_a_host_prefixed_cookie_behind_a_route_is_not_given_the_path_of_the_route(behind, tmp_path):
    cookies = "__Host-a=1; Secure; Path=/", "__host-b=1; Secure; Path=/", "c=1; Path=/"
    with upstream(lambda exchange, request: exchange.answer("api", *(f"Set-Cookie: {cookie}" for cookie in cookies))) as api:
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"routes: {{ /api: '{api.url}/' }}\n")
        answer = Client(behind(api, "--config", config)).get("/api/a", "Accept: image/png")
        assert answer.fields("set-cookie") == [*cookies[:2], "c=1; Path=/api/"]


def test_routes_work_beside_a_folder(tmp_path):
    (tmp_path / "index.html").write_text("<title>Folder</title>")
    with upstream(echo) as api:
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"root: {tmp_path}\nroutes: {{ /api: '{api.url}' }}\n")
        with serve("--ephemeral", "--config", config) as server:
            client = Client(server)
            assert b"Folder" in client.get("/").body
            assert client.get("/api/x", "Content-Length: 2", method="POST", body=b"hi").body == b"hi"


# Trouble.


def test_an_unreachable_upstream_is_a_bad_gateway_with_a_page_for_browsers(behind):
    url = f"http://127.0.0.1:{free_port()}"
    client = Client(behind(url))
    response = client.get("/", "Accept: application/json")
    assert (response.status, response.field("content-type")) == (502, "text/plain; charset=utf-8")
    assert url in response.body.decode()
    page = client.get("/", "Accept: text/html", "Sec-Fetch-Dest: document")
    assert (page.status, page.field("content-type")) == (502, "text/html; charset=utf-8")
    assert url in page.body.decode()


def test_the_error_page_of_an_unreachable_site_reloads_by_itself(behind, page):
    port = free_port()
    server = behind(f"http://127.0.0.1:{port}")
    assert page.goto(server.url + "/shop?a=1").status == 502
    assert f"http://127.0.0.1:{port}" in page.inner_text("main")

    def handle(exchange, request):
        exchange.answer(f"<title>Here</title>{request.target}", content_type="text/html")

    site = upstream(handle)
    site.listener.close()
    with socket.create_server(("127.0.0.1", port)) as site.listener:
        threading.Thread(target=site._accept, daemon=True).start()
        page.wait_for_function("document.title === 'Here'")
        assert "/shop?a=1" in page.inner_text("body")


def test_a_slow_response_times_out(behind):
    def handle(exchange, request):
        exchange.read(1)

    with upstream(handle) as site:
        client = Client(behind(site, "--proxy-timeout", "0.2"))
        response = client.get()
        assert response.status == 504
        assert site.url in response.body.decode()


def test_a_slow_stream_does_not_time_out(behind):
    waited = threading.Event()

    def handle(exchange, request):
        exchange.send("HTTP/1.1 200 OK\r\n\r\na")
        waited.wait(3)
        exchange.send("b")
        return False

    with upstream(handle) as site:
        assert Client(behind(site, "--proxy-timeout", "2")).get().body == b"ab"


def test_without_timeouts_a_slow_site_and_a_slow_browser_are_served(behind, tmp_path):
    """As without a proxy: a breakpoint in the server behind, and one in the page."""
    (tmp_path / "footbridge.yaml").write_text("limits: { transferTimeout: 1 }")
    size = 64 << 20

    def handle(exchange, request):
        exchange.send(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n")
        for _ in range(size >> 20):
            exchange.send(bytes(1 << 20))

    with upstream(handle) as site:
        client = Client(behind(site, "--proxy-timeout", "0", "--config", tmp_path / "footbridge.yaml"))
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        client.head()
        # The socket's own timeout is the pause: nothing is read for longer than the limit.
        threading.Event().wait(2.5)
        assert len(client.read(size)) == size


def test_a_proxy_loop_is_answered_508(behind):
    port = free_port()
    server = behind(f"http://127.0.0.1:{port}", port=port)
    assert Client(server).get().status == 508


# Large and long.


def test_a_gibibyte_in_each_direction_uses_little_memory(behind):
    size = 1 << 30
    piece = os.urandom(1 << 20)
    digest = hashlib.sha256(piece * 64).hexdigest()

    def handle(exchange, request):
        if request.method == "GET":
            exchange.send(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n")
            for _ in range(size >> 20):
                exchange.connection.sendall(piece)
        else:
            received, first = 0, hashlib.sha256()
            while received < size:
                data = exchange.buffer or exchange.connection.recv(1 << 20)
                exchange.buffer = b""
                if received < 64 << 20:
                    first.update(data[: (64 << 20) - received])
                received += len(data)
            exchange.answer(first.hexdigest())

    with upstream(handle) as site:
        server = behind(site)
        client = Client(server)
        client.get("/__footbridge/health")
        idle = server.memory()
        client.send(f"GET /file HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        head = client.head()
        received, first = len(client.buffer), hashlib.sha256(client.buffer)
        client.buffer = b""
        while received < size:
            data = client.connection.recv(1 << 20)
            assert data
            if received < 64 << 20:
                first.update(data[: (64 << 20) - received])
            received += len(data)
        assert (head.field("content-length"), received, first.hexdigest()) == (str(size), size, digest)
        client.send(f"PUT /file HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: {size}\r\n\r\n")
        for _ in range(size >> 20):
            client.connection.sendall(piece)
        assert client.response().body.decode() == digest
        assert server.memory("VmHWM") - idle < 64


def test_a_browser_that_reads_slowly_does_not_fill_the_memory(behind):
    done = threading.Event()

    def handle(exchange, request):
        exchange.send(f"HTTP/1.1 200 OK\r\nContent-Length: {1 << 30}\r\n\r\n")
        exchange.connection.settimeout(1)
        try:
            while True:
                exchange.connection.sendall(bytes(1 << 20))
        except TimeoutError:
            done.set()
        return False

    with upstream(handle) as site:
        server = behind(site)
        client = Client(server)
        idle = server.memory()
        client.send(f"GET /file HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        assert done.wait(30)
        assert server.memory("VmHWM") - idle < 64


def test_an_upstream_that_reads_slowly_does_not_fill_the_memory(behind):
    go = threading.Event()

    def handle(exchange, request):
        assert go.wait(30)
        received = len(exchange.buffer)
        exchange.buffer = b""
        while received < 1 << 28:
            received += len(exchange.connection.recv(1 << 20))
        exchange.answer(str(received))

    with upstream(handle) as site:
        server = behind(site)
        client = Client(server)
        idle = server.memory()
        client.send(f"PUT /file HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: {1 << 28}\r\n\r\n")
        client.connection.settimeout(1)
        sent = 0
        with pytest.raises(TimeoutError):
            while sent < 1 << 28:
                sent += client.connection.send(bytes(1 << 20))
        assert server.memory("VmHWM") - idle < 64
        go.set()
        client.connection.settimeout(20)
        while sent < 1 << 28:
            sent += client.connection.send(bytes(min(1 << 20, (1 << 28) - sent)))
        assert client.response().body == str(1 << 28).encode()


# Tunnels.


def switch(exchange, request, protocol="vite-hmr"):
    exchange.send(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  f"Sec-WebSocket-Accept: x\r\nSec-WebSocket-Protocol: {protocol}\r\n\r\n")


UPGRADE = ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")


def test_an_upgraded_connection_is_a_tunnel_of_bytes(behind):
    def handle(exchange, request):
        switch(exchange, request)
        exchange.send(b"\x81\x05early")
        while data := exchange.buffer or exchange.connection.recv(65536):
            exchange.buffer = b""
            exchange.send(b"<" + data + b">")
        exchange.send("bye")
        return False

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send("\r\n".join([f"GET /?token=1 HTTP/1.1", f"Host: {client.host}", *UPGRADE,
                                 "Sec-WebSocket-Protocol: vite-hmr, vite-ping"]) + "\r\n\r\nfirst")
        response = client.head()
        assert (response.status, response.field("upgrade"), response.field("connection")) == (101, "websocket", "Upgrade")
        assert response.field("sec-websocket-protocol") == "vite-hmr"
        request = site.requests[-1]
        assert (request.field("upgrade"), request.field("connection")) == ("websocket", "Upgrade")
        assert request.field("sec-websocket-protocol") == "vite-hmr, vite-ping"
        assert client.read_until(b"<first>") == b"\x81\x05early<first>"
        for number in range(100):
            client.send(f"{number}")
            assert client.read_until(b">") == f"<{number}>".encode()
        client.connection.shutdown(socket.SHUT_WR)
        assert client.read(100) == b"bye"


def test_a_refused_upgrade_is_passed_on_as_a_response(behind):
    with upstream(echo) as site:
        client = Client(behind(site))
        assert client.get("/", *UPGRADE).status == 200
        assert client.get("/").status == 200


def test_a_tunnel_pauses_a_sender_that_is_too_fast(behind):
    size = 32 << 20
    go = threading.Event()

    def handle(exchange, request):
        switch(exchange, request)
        assert go.wait(20)
        received = 0
        while received < size:
            received += len(exchange.connection.recv(1 << 20))
        exchange.send(str(received))
        return False

    with upstream(handle) as site:
        server = behind(site)
        client = Client(server)
        client.send("\r\n".join(["GET / HTTP/1.1", f"Host: {client.host}", *UPGRADE]) + "\r\n\r\n")
        client.head()
        idle = server.memory()
        client.connection.settimeout(1)
        sent = 0
        with pytest.raises(TimeoutError):
            while sent < size:
                sent += client.connection.send(bytes(1 << 20))
        assert server.memory("VmHWM") - idle < 16
        go.set()
        client.connection.settimeout(20)
        while sent < size:
            sent += client.connection.send(bytes(min(1 << 20, size - sent)))
        assert client.read(100) == str(size).encode()
