"""The reverse proxy in front of real servers."""

import contextlib
import http.client
import shutil
import socket
import sys

import pytest

from certificates import Pair
from footbridge_process import PROJECT
from ports import free_port
from promises import wait_for_promise
from raw_http import Client
from upstreams import program

HERE = PROJECT / "Tests" / "EndToEnd"


def executable(name):
    """Returns a program's path; Debian keeps some outside a user's `PATH`."""
    return shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin:/opt/homebrew/bin") or shutil.which(name)


def ask(server, target, method="GET", body=None, **fields):
    """Returns status, fields by lower-case name, and body, from Python's own client."""
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)) as connection:
        connection.request(method, target, body, {name.replace("_", "-"): value for name, value in fields.items()})
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()


def has_shim(page):
    return page.evaluate("window.onside && onside.getTransactions().then(all => all.length)") == 0


# nginx.


NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_rlimit_nofile 1024;
events {{ worker_connections 256; }}
http {{
  access_log off; client_max_body_size 0; types {{ text/html html; text/css css; text/javascript js; video/mp4 mp4; }}
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  gzip on; gzip_proxied any; gzip_min_length 1; gzip_types *; gzip_vary on; absolute_redirect on;
  server {{
    listen 127.0.0.1:{port}; server_name localhost;
    root {folder}/site; etag on;
    location /cached/ {{ expires 1h; }}
    location /moved {{ return 302 http://$http_host/docs/?from=moved#end; }}
    location /login {{ add_header Set-Cookie "nginx=1; Domain=shop.example; Path=/; HttpOnly" always; return 204; }}
    location /dav/ {{ dav_methods PUT DELETE MKCOL COPY MOVE; create_full_put_path on; dav_access user:rw; }}
  }}
}}
"""


NGINX_HTTP2 = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_rlimit_nofile 1024;
events {{ worker_connections 256; }}
http {{
  access_log off; client_max_body_size 0; types {{ text/html html; text/css css; }}
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl http2; server_name localhost; ssl_certificate {certificate}; ssl_certificate_key {key};
    keepalive_requests 3; root {folder}/site; add_header X-Protocol $server_protocol always;
    location /dav/ {{ dav_methods PUT DELETE; create_full_put_path on; dav_access user:rw; }}
  }}
}}
"""


@pytest.fixture
def nginx_with_http2(tmp_path, behind):
    """Runs nginx with HTTP/2, and Footbridge in front of it. nginx ends each connection after three requests."""
    (tmp_path / "site" / "dav").mkdir(parents=True)
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>nginx</title><link rel=stylesheet href=a.css><p>hi")
    (tmp_path / "site" / "a.css").write_text("p { color: rgb(1, 2, 3) }")
    certificate, key = Pair("nginx", names=["127.0.0.1"]).write(tmp_path, "nginx")
    port = free_port()
    (tmp_path / "nginx.conf").write_text(NGINX_HTTP2.format(folder=tmp_path, port=port, certificate=certificate, key=key))
    with program([executable("nginx"), "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", tmp_path / "error.log"], port):
        yield behind(f"https://127.0.0.1:{port}", "--proxy-insecure")


def test_nginx_is_requested_over_http2_and_its_documents_have_the_shim(nginx_with_http2, page):
    response = page.goto(nginx_with_http2.url)
    assert response.all_headers()["x-protocol"] == "HTTP/2.0" and has_shim(page)
    assert page.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(1, 2, 3)"


def test_no_request_is_lost_while_nginx_ends_its_connections_of_http2(nginx_with_http2):
    large = bytes(range(256)) * 4_000
    for number in range(10):
        assert ask(nginx_with_http2, f"/dav/{number}", "PUT", large)[0] == 201
        status, fields, body = ask(nginx_with_http2, f"/dav/{number}")
        assert (status, fields["x-protocol"], body) == (200, "HTTP/2.0", large)
        assert ask(nginx_with_http2, f"/dav/{number}", "DELETE")[0] == 204


@pytest.fixture
def nginx(tmp_path, behind):
    """Runs nginx with `site`, and Footbridge in front of it."""
    site = tmp_path / "site"
    for folder in ("docs", "cached", "dav"):
        (site / folder).mkdir(parents=True)
    (site / "index.html").write_text("<!doctype html><title>nginx</title><link rel=stylesheet href=a.css><p>hi" + "<p>text" * 1000)
    (site / "a.css").write_text("p { color: rgb(1, 2, 3) }")
    (site / "docs" / "index.html").write_text("<!doctype html><title>docs</title>")
    (site / "cached" / "index.html").write_text("<!doctype html><title>cached</title>")
    port = free_port()
    (tmp_path / "nginx.conf").write_text(NGINX.format(folder=tmp_path, port=port))
    with program([executable("nginx"), "-p", tmp_path, "-c", tmp_path / "nginx.conf", "-e", tmp_path / "error.log"], port):
        server = behind(f"http://127.0.0.1:{port}", "--site-origin", "https://shop.example")
        server.site = site
        yield server


def test_compressed_documents_of_nginx_have_the_shim(nginx, page):
    response = page.goto(nginx.url)
    assert has_shim(page)
    assert page.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(1, 2, 3)"
    assert "content-encoding" not in response.all_headers()
    assert ask(nginx, "/a.css", Accept_Encoding="gzip", Accept="text/css")[1]["content-encoding"] == "gzip"


def test_redirects_of_nginx_to_itself_stay_on_footbridge(nginx, page):
    page.goto(nginx.url + "/docs")
    assert (page.url, page.title()) == (nginx.url + "/docs/", "docs")
    page.goto(nginx.url + "/moved")
    assert page.url == nginx.url + "/docs/?from=moved#end"
    page.goto(nginx.url + "/docs/")
    page.evaluate("fetch('/login')")
    assert [cookie["domain"] for cookie in page.context.cookies() if cookie["name"] == "nginx"] == ["127.0.0.1"]


def test_a_page_that_nginx_lets_browsers_cache_has_the_bridge(nginx, page):
    for _ in range(2):
        page.goto(nginx.url + "/cached/")
        assert has_shim(page)
    # The browser caches what a script fetches, which differs from what a navigation gets.
    assert "footbridge" not in page.evaluate("fetch('/cached/').then(response => response.text())")
    page.goto(nginx.url + "/docs/")
    page.goto(nginx.url + "/cached/")
    assert has_shim(page)
    page.goto(nginx.url + "/docs/")
    page.go_back()
    assert has_shim(page)


def test_conditions_and_ranges_of_nginx_work_for_files_without_the_shim(nginx):
    _, fields, body = ask(nginx, "/a.css")
    assert ask(nginx, "/a.css", If_None_Match=fields["etag"])[0] == 304
    status, part, piece = ask(nginx, "/a.css", Range="bytes=2-6")
    assert (status, piece, part["content-range"]) == (206, body[2:7], f"bytes 2-6/{len(body)}")
    # A range of the document would be a range of another one, so Footbridge sends the whole document.
    status, fields, body = ask(nginx, "/", Range="bytes=0-9", Accept="text/html")
    assert (status, "content-range" in fields, b"footbridge/shim.js" in body) == (200, False, True)


def test_ranges_of_a_file_of_five_gigabytes_are_passed_on(nginx):
    size = 5_000_000_000
    with open(nginx.site / "film.mp4", "wb") as film:
        film.truncate(size)
        film.seek(size - 3)
        film.write(b"end")
    status, fields, body = ask(nginx, "/film.mp4", Range="bytes=-3")
    assert (status, body, fields["content-range"]) == (206, b"end", f"bytes {size - 3}-{size - 1}/{size}")
    assert ask(nginx, "/film.mp4", Range="bytes=4294967290-4294967299")[2] == bytes(10)
    assert ask(nginx, "/film.mp4", method="HEAD")[1]["content-length"] == str(size)
    assert ask(nginx, "/film.mp4", Range=f"bytes={size}-")[0] == 416


def test_webdav_of_nginx_works(nginx):
    dav = nginx.site / "dav"
    assert ask(nginx, "/dav/folder/", "MKCOL")[0] == 201
    assert ask(nginx, "/dav/folder/a.txt", "PUT", b"x" * 3_000_000)[0] == 201
    assert (dav / "folder" / "a.txt").stat().st_size == 3_000_000
    here = f"http://127.0.0.1:{nginx.port}/dav/folder"
    assert ask(nginx, "/dav/folder/a.txt", "COPY", Destination=f"{here}/b.txt")[0] == 204
    assert ask(nginx, "/dav/folder/b.txt", "MOVE", Destination=f"{here}/c.txt", Overwrite="F")[0] == 204
    assert ask(nginx, "/dav/folder/a.txt", "MOVE", Destination="/dav/folder/d.txt")[0] == 204
    assert sorted(path.name for path in (dav / "folder").iterdir()) == ["c.txt", "d.txt"]
    assert ask(nginx, "/dav/folder/", "DELETE")[0] == 204
    assert ask(nginx, "/dav/folder/", "PROPFIND")[0] == 405
    assert list(dav.iterdir()) == []


# Python's http.server: HTTP/1.0, with a connection for each answer.


@pytest.fixture
def python_server(tmp_path, behind):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "page.html").write_text("<title>page</title>")
    (tmp_path / "large.bin").write_bytes(bytes(range(256)) * 20_000)
    port = free_port()
    with program([sys.executable, "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", tmp_path], port):
        yield behind(f"http://127.0.0.1:{port}")


def test_pythons_http_server_works(python_server, page):
    page.goto(python_server.url)
    assert has_shim(page)
    page.get_by_role("link", name="docs/").click()
    page.wait_for_url("**/docs/")
    page.get_by_role("link", name="page.html").click()
    page.wait_for_url("**/page.html")
    assert page.title() == "page" and has_shim(page)
    assert page.goto(python_server.url + "/nothing").status == 404
    assert has_shim(page)


def test_responses_of_http_1_0_leave_the_browsers_connection_open(python_server):
    client = Client(python_server)
    for _ in range(3):
        response = client.get("/large.bin")
        assert (response.version, response.status, len(response.body)) == ("HTTP/1.1", 200, 5_120_000)
    assert client.get("/docs").field("location") == "/docs/"
    assert client.get("/", method="POST").status == 501


# Node.


@pytest.fixture(scope="module")
def node_port():
    port = free_port()
    with program([executable("node"), HERE / "node_upstream.js", port], port):
        yield port


@pytest.fixture
def node(node_port, behind):
    return behind(f"http://127.0.0.1:{node_port}", "--proxy-timeout", "5")


def test_a_chunked_page_of_node_has_the_shim(node, page):
    page.goto(node.url)
    assert page.title() == "Node" and has_shim(page)


def test_early_hints_of_node_are_passed_on(node):
    client = Client(node)
    client.send(f"GET /hints HTTP/1.1\r\nHost: {client.host}\r\nAccept: text/html\r\n\r\n")
    assert client.head().status == 102
    hints = client.head()
    assert (hints.status, hints.fields("link")) == (103, ["</a.css>; rel=preload; as=style, </b.js>; rel=preload; as=script"])
    assert b"data-footbridge-ticket" in client.response().body


def test_trailers_from_and_to_node_are_passed_on(node):
    client = Client(node)
    response = client.get("/trailers")
    assert (response.body, response.trailers) == (b"abc", "X-Sum: 3\r\nX-Late: yes\r\n\r\n")
    response = client.get("/echo", "Transfer-Encoding: chunked", "Trailer: X-Mine", "TE: trailers", method="PATCH",
                          body=b"3\r\nabc\r\n0\r\nX-Mine: 1\r\n\r\n")
    assert (response.body, response.field("x-method"), response.field("x-protocol")) == (b"abc", "PATCH", "http")
    assert '{"x-mine":"1"}' in response.trailers


def test_a_body_is_echoed_by_node_while_it_is_sent(node):
    client = Client(node)
    client.send(f"POST /echo HTTP/1.1\r\nHost: {client.host}\r\nTransfer-Encoding: chunked\r\n\r\n")
    for number in range(5):
        client.send(f"2\r\n<{number}\r\n")
        if number == 0:
            assert client.head().status == 200
        assert client.read_until(f"<{number}".encode())
    client.send("0\r\n\r\n")
    assert client.read_until(b"0\r\n")


def test_responses_of_node_without_length_or_body_are_passed_on(node):
    client = Client(node)
    assert client.get("/until-the-end").body == b"no length"
    assert client.get("/empty-204").status == 204
    assert client.get("/trailers").body == b"abc"


@pytest.mark.parametrize("target", ["/cut", "/cut-chunks"])
def test_a_response_that_node_breaks_off_is_cut(node, target):
    client = Client(node)
    client.send(f"GET {target} HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
    assert client.head().status == 200
    assert client.read_until(b"half")
    assert ask(node, "/tell?text=x")[0] == 200
    assert b"0\r\n\r\n" not in client.read(1000)
    assert client.is_closed()


def test_a_connection_that_node_closes_is_a_bad_gateway(node):
    assert ask(node, "/cut-head")[0] == 502
    assert ask(node, "/echo", "POST", b"still there")[2] == b"still there"


def test_a_refused_expectation_does_not_send_the_body(node):
    client = Client(node)
    client.send(f"PUT /echo HTTP/1.1\r\nHost: {client.host}\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
    assert client.head().status == 100
    client.send("hello")
    assert client.response().body == b"hello"
    client = Client(node)
    assert client.get("/echo", "Expect: 100-continue", "X-Size: too much", "Content-Length: 5", method="PUT").status == 413


def test_an_upgrade_to_a_protocol_of_node_is_a_tunnel(node):
    client = Client(node)
    response = client.get("/", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    assert response.status == 101
    client.send(b"\x00any bytes\xff")
    assert client.read(11) == b"\x00any bytes\xff"
    client.connection.shutdown(socket.SHUT_WR)
    assert client.is_closed()


def test_long_polling_works(node, page):
    page.goto(node.url)
    page.evaluate("""() => {
      window.told = [];
      (async () => { while (true) told.push(await (await fetch("/poll")).text()); })();
    }""")
    for text in ("one", "two", "three"):
        # The poll may not have arrived yet. In that case, the next message answers it.
        wait_for_promise(page, f"() => fetch('/tell?text={text}').then(() => told.includes('{text}'))")


def test_a_grpc_web_stream_is_passed_on_message_by_message(node, page):
    page.goto(node.url)
    assert page.evaluate("""async () => {
      const head = (count) => [0, count >> 24, count >> 16, count >> 8, count].map(byte => byte & 255);
      const message = new TextEncoder().encode("hello");
      const response = await fetch("/grpc", { method: "POST", body: new Uint8Array([...head(message.length), ...message]),
        headers: { "Content-Type": "application/grpc-web+proto", "X-Grpc-Web": "1" } });
      const reader = response.body.getReader();
      const seen = [response.headers.get("content-type"), response.headers.get("x-request-type")];
      let bytes = [];
      while (true) {
        const { done, value } = await reader.read();
        if (done) return seen;
        bytes = [...bytes, ...value];
        while (bytes.length >= 5) {
          const count = bytes[3] * 256 + bytes[4];
          if (bytes.length < 5 + count) break;
          seen.push(`${bytes[0]} ${new TextDecoder().decode(new Uint8Array(bytes.slice(5, 5 + count)))}`);
          bytes = bytes.slice(5 + count);
          // The next one is not sent before this one has arrived.
          await fetch("/tell");
        }
      }
    }""") == ["application/grpc-web+proto"] * 2 + ["0 hello 1", "0 hello 2", "0 hello 3", "128 grpc-status: 0\r\n"]


# uvicorn.


@pytest.fixture
def uvicorn(behind):
    port = free_port()
    arguments = ["--port", port, "--app-dir", HERE, "--log-level", "error", "--timeout-graceful-shutdown", 0]
    with program([sys.executable, "-m", "uvicorn", "asgi_upstream:app", *arguments], port):
        yield behind(f"http://127.0.0.1:{port}")


def test_server_sent_events_of_uvicorn_are_passed_on(uvicorn, page):
    page.goto(uvicorn.url)
    assert has_shim(page)
    expected = []
    for number in range(1, 6):
        expected.append(f"{number}: number {number}")
        page.wait_for_function("count => seen.length === count", arg=number)
        page.evaluate("fetch('/go-on')")
    assert page.evaluate("seen")[:5] == expected


def test_a_websocket_of_uvicorn_works(uvicorn, page):
    page.goto(uvicorn.url)
    assert page.evaluate("""() => new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${location.host}/socket`, ["one", "two"]);
      const seen = [];
      socket.binaryType = "arraybuffer";
      socket.onopen = () => { socket.send("text"); socket.send(new Uint8Array(100000)); };
      socket.onmessage = ({ data }) => { seen.push(data.byteLength ?? data); if (seen.length === 2) socket.close(1000); };
      socket.onclose = ({ code }) => resolve([socket.protocol, ...seen, code]);
      socket.onerror = reject;
    })""") == ["two", "text", 100000, 1000]


def test_uvicorn_gets_the_client_address_and_scheme(uvicorn):
    assert ask(uvicorn, "/scope", X_Forwarded_Proto="https")[2] == b"http 127.0.0.1"
