"""The session's cookie, and what a site, a test or another Footbridge does to it."""

import pytest

from engines import CHROMIUM, FIREFOX, only
from footbridge_process import serve
from raw_http import Client
from upstreams import upstream

OURS = "0123456789abcdef" * 2


def session_cookies(context):
    return {cookie["name"]: cookie["value"] for cookie in context.cookies() if cookie["name"].startswith("footbridge_session")}


@pytest.mark.parametrize("cookie", [
    f"footbridge_session={OURS}; Path=/", f"footbridge_session={OURS}; Path=/shop; Max-Age=9", f" \tfootbridge_session = {OURS}",
    "footbridge_session=", f"=footbridge_session={OURS}", f" = footbridge_session={OURS}", f"footbridge_session=x{OURS}",
])
def test_a_site_cannot_set_the_session_cookie(behind, cookie):
    def handle(exchange, request):
        fields = ["Set-Cookie: before=1", f"Set-Cookie: {cookie}", "Set-Cookie: footbridge_sessions=1"]
        exchange.send("HTTP/1.1 103 Early Hints\r\n" + "".join(f"{field}\r\n" for field in fields) + "\r\n")
        exchange.answer("<p>Hello", *fields, content_type="text/html")

    with upstream(handle) as site:
        client = Client(behind(site))
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\nSec-Fetch-Dest: document\r\nAccept: text/html\r\n\r\n")
        assert client.head().fields("set-cookie") == ["before=1", "footbridge_sessions=1"]
        before, others, own = client.response().fields("set-cookie")
        assert (before, others) == ("before=1", "footbridge_sessions=1")
        assert own.startswith("footbridge_session=") and OURS not in own


def test_a_server_behind_another_one_uses_another_cookie_name(behind):
    with upstream(lambda exchange, request: exchange.answer("<p>Hello", content_type="text/html")) as site:
        client = Client(behind(site))

        def ask(*via, cookie=None):
            fields = [f"Via: {hop}" for hop in via] + ([f"Cookie: {cookie}"] if cookie else [])
            given = client.get("/", "Sec-Fetch-Dest: document", *fields).fields("set-cookie")
            return [line.split("=")[0] for line in given], site.requests[-1].fields("cookie")

        assert ask() == (["footbridge_session"], [])
        assert ask("1.1 nginx") == (["footbridge_session"], [])
        assert ask("1.1 footbridge-1") == (["footbridge_session_2"], [])
        assert ask("1.1 footbridge-1, 1.1 nginx", "1.0 footbridge-2") == (["footbridge_session_3"], [])
        both = f"a=1; footbridge_session={OURS}; footbridge_session_2={OURS}"
        assert ask("1.1 footbridge-1", cookie=f"footbridge_session_2={OURS}; a=1") == ([], ["a=1"])
        assert ask(cookie=both) == ([], [f"a=1; footbridge_session_2={OURS}"])


def test_a_server_behind_another_one_accepts_the_host_of_the_front_one(behind):
    with upstream(lambda exchange, request: exchange.answer("ok")) as site:
        client = Client(behind(site))

        def ask(host, *fields):
            client.send("\r\n".join(["GET / HTTP/1.1", f"Host: {host}", *fields]) + "\r\n\r\n")
            answer = client.response()
            return answer.status, answer.body

        for host in ("localhost:1", "127.0.0.1:1", "[::1]:1", "localhost"):
            assert ask(host, "Via: 1.1 footbridge-1") == (200, b"ok")
            assert ask(host)[0] == ask(host, "Via: 1.1 nginx")[0] == 421
        status, said = ask("dev.example:1", "Via: 1.1 footbridge-1")
        assert status == 421 and b"--proxy-host upstream" in said and b"--allow-host" in said


@pytest.mark.parametrize("options", [[], ["--proxy-host", "upstream"]])
def test_two_servers_in_a_row_have_separate_sessions(behind, page, echo_server, tmp_path, options):
    config = tmp_path / "inner.yaml"
    config.write_text(f"routes: {{ /socket: '{echo_server.url.replace('ws', 'http', 1)}' }}\n")

    def handle(exchange, request):
        exchange.answer("<!doctype html><title>Shop</title>", "Set-Cookie: site=1; Path=/", content_type="text/html")

    with upstream(handle) as site:
        inner = behind(site, "--config", config)
        outer = behind(inner, *options)
        page.goto(outer.url + "/one")
        # A page that leaves before it has connected is known for a while.
        page.evaluate("onside.getTransactions()")
        first = session_cookies(page.context)
        assert set(first) == {"footbridge_session", "footbridge_session_2"}
        assert len(set(first.values())) == 2
        for path in ("/two", "/three"):
            response = page.goto(outer.url + path)
            assert response.header_values("set-cookie") == ["site=1; Path=/"]
            assert page.evaluate("onside.getTransactions().then(() => 'host')") == "host"
            assert page.evaluate("""() => new Promise((resolve, reject) => {
              const socket = new WebSocket(`ws://${location.host}/socket`);
              socket.onopen = () => socket.send("hello");
              socket.onmessage = ({ data }) => resolve(data);
              socket.onerror = reject;
            })""") == "hello"
            page.evaluate("fetch('/data').then(response => response.text())")
        assert session_cookies(page.context) == first
        [session] = outer.control()("GET", "/sessions")["sessions"]
        assert len(session["pages"]) == 1
        assert all("footbridge" not in line for request in site.requests for line in request.fields("cookie"))


# What a site clears.


def shop_with_sign_out(clear, *more):
    """Runs a site that sets cookies on several paths, with a route that makes the browser clear something."""

    def handle(exchange, request):
        path = request.target.split("?")[0]
        fields = {
            "/": ["Set-Cookie: sid=1; Path=/; HttpOnly", "Set-Cookie: __Host-id=2; Path=/; Secure; HttpOnly"],
            "/app/basket": ["Set-Cookie: basket=3; HttpOnly", "Set-Cookie: old=4; Path=/app/; Secure", "Set-Cookie: far=5; Path=/far/away"],
            "/auth/out": [f"Clear-Site-Data: {clear}", *more],
        }.get(path, [])
        exchange.answer("<!doctype html><title>Shop</title>", *fields, content_type="text/html")

    return upstream(handle)


@only(CHROMIUM, FIREFOX, because="WebDriver tells the cookies for one address only")
@pytest.mark.parametrize("clear, clears_storage", [('"cookies"', False), ('"*"', True), ('"storage", "cookies"', True)])
def test_clear_site_data_clears_the_sites_cookies_and_not_the_session(behind, page, clear, clears_storage):
    with shop_with_sign_out(clear, "Set-Cookie: after=1; Path=/") as site:
        server = behind(site)
        page.goto(server.url + "/")
        page.goto(server.url + "/app/basket")
        page.evaluate("""() => {
          document.cookie = "script=1; path=/";
          document.cookie = "deep=1; path=/auth";
          localStorage.setItem("kept", "yes");
        }""")
        assert {cookie["name"] for cookie in page.context.cookies()} == {
            "sid", "__Host-id", "basket", "old", "far", "script", "deep", "footbridge_session"}
        before = session_cookies(page.context)
        page.goto(server.url + "/auth/out")
        assert {cookie["name"] for cookie in page.context.cookies()} == {"footbridge_session"}
        assert session_cookies(page.context) == before
        assert (page.evaluate("localStorage.getItem('kept')") is None) == clears_storage
        page.goto(server.url + "/")
        assert page.evaluate("onside.getTransactions().then(() => 'host')") == "host"
        [session] = server.control()("GET", "/sessions")["sessions"]
        assert session["id"]


def test_clear_site_data_in_a_fetched_response_works(behind, page):
    with shop_with_sign_out('"cookies"') as site:
        server = behind(site)
        page.goto(server.url + "/")
        before = session_cookies(page.context)
        page.evaluate("fetch('/auth/out').then(response => response.text())")
        assert page.context.cookies() and session_cookies(page.context) == before
        assert {cookie["name"] for cookie in page.context.cookies()} == {"footbridge_session"}


def test_clear_site_data_expires_cookies_of_its_own_session_only(behind):
    with shop_with_sign_out('"cookies"') as site:
        client = Client(behind(site))
        client.get("/app/basket", f"Cookie: footbridge_session={OURS}")
        expired = client.get("/auth/out", "Sec-Fetch-Dest: empty", f"Cookie: footbridge_session={'1' * 32}").fields("set-cookie")
        assert expired == []
        expired = client.get("/auth/out", "Sec-Fetch-Dest: empty", f"Cookie: footbridge_session={OURS}").fields("set-cookie")
        assert expired == ["basket=; Path=/app; Max-Age=0", "old=; Path=/app/; Max-Age=0; Secure", "far=; Path=/far/away; Max-Age=0"]


@pytest.mark.parametrize("host, clear, passed_on", [
    (None, '"cache"', ['"cache"']), (None, '"cookies"', []), (None, '"cookies", "cache"', ['"cache"']),
    # Browsers ignore the header if others on the network could have sent it.
    ("dev.example", '"cookies"', ['"cookies"']),
])
def test_other_kinds_of_clear_site_data_are_passed_on(behind, host, clear, passed_on):
    with shop_with_sign_out(clear) as site:
        client = Client(behind(site, "--allow-host", "dev.example"))
        client.host = host or client.host
        response = client.get("/auth/out", "Sec-Fetch-Dest: empty", f"Cookie: footbridge_session={OURS}; a=1")
        assert response.fields("clear-site-data") == passed_on
        assert all("footbridge" not in line for line in response.fields("set-cookie"))


def test_clear_site_data_for_very_many_cookies_stays_below_the_browsers_limit(behind):
    def handle(exchange, request):
        if request.target == "/auth/out":
            return exchange.answer("", 'Clear-Site-Data: "cookies"')
        exchange.answer("", *[f"Set-Cookie: {request.target[1:]}{number}=1" for number in range(100)])

    with upstream(handle) as site:
        client = Client(behind(site))
        for turn in range(5):
            client.get(f"/c{turn}-", "Sec-Fetch-Dest: empty", f"Cookie: footbridge_session={OURS}")
        many = "; ".join(f"s{number}=1" for number in range(500))
        response = client.get("/auth/out", "Sec-Fetch-Dest: empty", f"Cookie: footbridge_session={OURS}; {many}")
        assert len(response.fields("set-cookie")) == 100
        assert response.fields("set-cookie")[49].startswith("c4-99=;")


def test_clearing_all_cookies_gives_a_new_session(shop, page):
    page.goto(shop.url)
    before = session_cookies(page.context)
    page.context.add_cookies([{"name": "site", "value": "1", "url": shop.url}])
    page.context.clear_cookies(name="site")
    assert session_cookies(page.context) == before
    page.context.clear_cookies()
    page.reload()
    assert session_cookies(page.context) not in ({}, before)
