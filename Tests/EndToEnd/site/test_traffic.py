"""Paths that are left alone, fields that are added, the access log and the HAR file."""

import json
import re
import signal
import socket
import time

import pytest

from footbridge_process import run, serve
from raw_http import Client
from upstreams import upstream

PAGE = "<!doctype html><title>Page</title>"
NAVIGATION = ("Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", "Accept: text/html")


def html(exchange, request):
    exchange.answer(PAGE, "ETag: \"1\"", "Integrity-Policy: blocked-destinations=(script)", content_type="text/html")


def wait_for(read, condition):
    """Reads until a condition holds: files are written soon after an answer."""
    deadline = time.monotonic() + 20
    while not condition(value := read()):
        assert time.monotonic() < deadline, value
        time.sleep(0.02)
    return value


def lines(file, count):
    return wait_for(lambda: file.read_text().splitlines(), lambda lines: len(lines) >= count)


def entries(file, count):
    """Waits for the entries of a HAR file. A file that grows between two reads of its parts is read again."""
    def read():
        try:
            return json.loads(file.read_text())["log"]["entries"]
        except ValueError:
            return None

    return wait_for(read, lambda entries: entries is not None and len(entries) >= count)


# Paths that are left alone.


@pytest.mark.parametrize("path, is_left_alone", [
    ("/admin", True), ("/admin/users", True), ("/administrators", False), ("/a/raw/b", True), ("/a/raw/b/c", True), ("/a/b", False),
    ("/report.pdf.html", True), ("/", False),
])
def test_an_excluded_path_is_passed_on_unchanged(behind, path, is_left_alone):
    with upstream(html) as site:
        client = Client(behind(site, "--exclude", "/admin", "--exclude", "/*/raw/*", "--exclude", "/*.pdf.html"))
        response = client.get(path, *NAVIGATION, "Accept-Encoding: br", 'If-None-Match: "2"')
        assert (response.body.decode() == PAGE) is is_left_alone
        assert (response.field("etag") == '"1"') is is_left_alone
        assert (response.field("integrity-policy") is not None) is is_left_alone
        request = site.requests[-1]
        assert (request.field("accept-encoding"), request.field("if-none-match")) == (("br", '"2"') if is_left_alone else ("identity", None))


def test_an_excluded_file_is_served_unchanged(tmp_path):
    (tmp_path / "plain.html").write_text(PAGE)
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "footbridge.yaml").write_text("exclude: [/plain]\n")
    with serve("--root", tmp_path, "--ephemeral", "--config", tmp_path / "footbridge.yaml") as server:
        client = Client(server)
        assert client.get("/plain", *NAVIGATION).body.decode() == PAGE
        assert b"footbridge-ticket" in client.get("/", *NAVIGATION).body


# Fields that are added.


def test_fields_are_added_replaced_and_removed(behind, tmp_path):
    def handle(exchange, request):
        exchange.answer(PAGE, "X-Powered-By: PHP", "Cache-Control: max-age=60", content_type="text/plain")

    (tmp_path / "footbridge.yaml").write_text(
        "requestHeader:\n- X-Api-Version: 2\n- 'User-Agent:'\nresponseHeader:\n  Cache-Control: no-cache, no-store\n  X-Powered-By: ''\n")
    with upstream(handle) as site:
        client = Client(behind(site, "--config", tmp_path / "footbridge.yaml"))
        response = client.get("/", "User-Agent: Test", "X-Api-Version: 1")
        request = site.requests[-1]
        assert (request.field("x-api-version"), request.field("user-agent")) == ("2", None)
        assert (response.field("cache-control"), response.field("x-powered-by")) == ("no-cache, no-store", None)


def test_an_added_policy_is_changed_to_allow_the_shim(page, tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html><title>Page</title><script>window.inline = true</script>")
    arguments = ("--response-header", "Content-Security-Policy: script-src 'none'", "--response-header", "X-A: b, c")
    with serve("--root", tmp_path, "--ephemeral", *arguments) as server:
        response = page.goto(server.url)
        assert response.headers["x-a"] == "b, c"
        assert page.evaluate("[typeof onside, typeof inline]") == ["object", "undefined"]


# The access log.


def test_each_request_has_a_line_in_the_access_log_without_secrets(behind, tmp_path):
    log = tmp_path / "access.log"
    with upstream(lambda exchange, request: exchange.answer("12345")) as site:
        client = Client(behind(site, "--access-log", log))
        client.get("/a?id=7&access_token=hidden", 'User-Agent: "\xe9', "Referer: http://a.example/?code=hidden&b=1", "Cookie: a=hidden")
        client.get("/__footbridge/bridge?page=1&ticket=hidden")
        client.get("/", method="HEAD")
        first, second, third = lines(log, 3)
        pattern = r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] '
        assert re.fullmatch(
            pattern + re.escape(
                r'"GET /a?id=7&access_token=left-out HTTP/1.1" 200 5 "http://a.example/?code=left-out&b=1" "\"\xef\xbf\xbd"'), first)
        assert re.match(pattern + r'"GET /__footbridge/bridge\?page=1&ticket=left-out HTTP/1\.1" 400 \d+ ', second)
        assert re.match(pattern + r'"HEAD / HTTP/1\.1" 200 - ', third)
        assert "hidden" not in log.read_text()


def test_the_access_log_can_be_the_standard_error_and_has_websockets(shop_root, page):
    with serve("--root", shop_root, "--ephemeral", "--access-log", "-") as server:
        page.goto(server.url)
        server.wait_for_log('"GET / HTTP/1.1" 200')
        server.wait_for_log('"GET /__footbridge/bridge?', '" 101 -')


def test_a_client_that_disconnects_before_its_response_has_a_log_line(behind, tmp_path):
    log = tmp_path / "access.log"
    with upstream(lambda exchange, request: exchange.request()) as site:
        server = behind(site, "--access-log", log)
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(f"GET /slow HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            wait_for(lambda: site.requests, bool)
        assert '"GET /slow HTTP/1.1" 499 -' in lines(log, 1)[0]


def test_a_moved_access_log_is_opened_again(behind, tmp_path):
    log = tmp_path / "access.log"
    log.write_text("before\n")
    with upstream(lambda exchange, request: exchange.answer("")) as site:
        client = Client(behind(site, "--access-log", log))
        client.get("/one")
        assert "/one" in lines(log, 2)[1]
        log.rename(tmp_path / "access.log.1")
        client.get("/two")
        wait_for(log.exists, bool)
        assert "/two" in lines(log, 1)[0]


# The HAR file.


def test_a_har_file_has_the_requests_without_secrets(behind, tmp_path):
    def handle(exchange, request):
        exchange.body(request)
        if request.target.startswith("/login"):
            exchange.answer('{"access_token":"hidden","user":{"name":"eva","password":"hidden"}}', "Set-Cookie: sid=hidden",
                            content_type="application/json")
        elif request.target == "/image":
            exchange.answer(b"\x89PNG", content_type="image/png")
        elif request.target == "/prefixed":
            exchange.answer(")]}',\n" + '{"access_token":"hidden"}', content_type="application/json")
        elif request.target == "/large":
            exchange.answer("x" * (1 << 20) + "x")
        else:
            exchange.answer(PAGE, "Location: /next?code=hidden#id_token=hidden", status="302 Found", content_type="text/html")

    file = tmp_path / "traffic.har"
    # It may exist, and anybody may be able to read it.
    file.write_text("before" * 10_000)
    file.chmod(0o666)
    with upstream(handle) as site:
        server = behind(site, "--har", file)
        client = Client(server)
        client.get("/", *NAVIGATION, "Authorization: Basic hidden", "Cookie: a=hidden", "X-Api-Key: hidden", "X-Plain: seen")
        form = "name=eva&password=hidden&account_key=hidden"
        client.get("/login?a=b%20c&token=hidden&next=%2Fb%3Ftoken%3Dhidden", "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(form)}",
                   method="POST", body=form)
        client.get("/image")
        client.get("/large")
        client.get("/prefixed")
        document, login, image, large, prefixed = entries(file, 5)
        assert "hidden" not in file.read_text() and "footbridge_session=" not in file.read_text()
        assert file.stat().st_mode & 0o777 == 0o600
        assert "cannot be read as JSON" in prefixed["response"]["content"]["text"]
        log = json.loads(file.read_text())["log"]
        assert (log["version"], log["creator"]["name"]) == ("1.2", "Footbridge")
        fields = {field["name"]: field["value"] for field in document["request"]["headers"]}
        assert (fields["Authorization"], fields["Cookie"], fields["X-Plain"]) == ("left out", "left out", "seen")
        assert document["response"]["redirectURL"] == "/next?code=left-out#id_token=left-out"
        assert 'data-footbridge-ticket="left-out"' in document["response"]["content"]["text"]
        assert login["request"]["url"] == server.url + "/login?a=b%20c&token=left-out&next=/b%3Ftoken%3Dleft-out"
        assert login["request"]["queryString"] == [{"name": "a", "value": "b c"}, {"name": "token", "value": "left-out"}, {"name": "next", "value": "/b?token=left-out"}]
        assert login["request"]["postData"]["text"] == "name=eva&password=left-out&account_key=left-out"
        assert json.loads(login["response"]["content"]["text"]) == {
            "access_token": "left-out", "user": {"name": "eva", "password": "left-out"}}
        assert image["response"]["content"]["encoding"] == "base64" and image["response"]["content"]["text"] == "iVBORw=="
        assert "text" not in large["response"]["content"] and large["response"]["content"]["size"] == (1 << 20) + 1
        assert all(set(entry["timings"]) == {"send", "wait", "receive"} and entry["time"] >= 0 for entry in log["entries"])


def test_a_killed_server_leaves_a_readable_har_file(behind, tmp_path):
    file = tmp_path / "traffic.har"
    with upstream(lambda exchange, request: exchange.answer("a")) as site:
        server = behind(site, "--har", file)
        assert entries(file, 0) == []
        client = Client(server)
        for number in range(20):
            client.get(f"/{number}")
        entries(file, 20)
        server.process.send_signal(signal.SIGKILL)
        server.process.wait(timeout=10)
        assert [entry["request"]["url"].rsplit("/", 1)[1] for entry in entries(file, 20)] == [str(number) for number in range(20)]


def test_a_har_file_has_listed_sites_and_not_the_routes_of_footbridge(tmp_path):
    file, log = tmp_path / "traffic.har", tmp_path / "access.log"
    with upstream(html) as site, serve(
            "--site", f"http://app.example.com={site.url}", "--ephemeral", "--har", file, "--access-log", log) as server:
        client = Client(server)
        for path in ("/a", "/__footbridge/health"):
            client.send(f"GET http://app.example.com{path} HTTP/1.1\r\nHost: app.example.com\r\n\r\n")
            assert client.response().status == 200
        assert [entry["request"]["url"] for entry in entries(file, 1)] == ["http://app.example.com/a"]
        assert '"GET http://app.example.com/a HTTP/1.1" 200' in lines(log, 2)[0]


@pytest.mark.parametrize("option", ["--har", "--access-log"])
def test_a_log_file_that_cannot_be_written_stops_the_start(option, tmp_path):
    result = run("serve", "--ephemeral", "--port", 0, option, tmp_path / "missing" / "file")
    assert (result.returncode, result.stdout) == (73, "")
    assert "cannot be written: No such file or directory" in result.stderr and option in result.stderr


@pytest.mark.parametrize("option", ["--har", "--access-log"])
def test_a_log_file_inside_of_the_root_is_refused(option, tmp_path):
    result = run("serve", "--ephemeral", "--port", 0, "--root", tmp_path, option, tmp_path / "file")
    assert (result.returncode, result.stdout) == (64, "")
    assert f"is inside {tmp_path}" in result.stderr
    assert not (tmp_path / "file").exists()
