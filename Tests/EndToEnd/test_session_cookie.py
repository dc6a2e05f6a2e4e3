"""The session's cookie: what a site, a test or another Footbridge does to it."""

import pytest

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
def test_a_site_cannot_put_a_browser_into_another_session(behind, cookie):
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


def test_a_server_behind_another_has_a_cookie_of_its_own_name(behind):
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


def test_of_two_servers_in_a_row_each_keeps_its_session(behind, page, echo_server, tmp_path):
    config = tmp_path / "inner.yaml"
    config.write_text(f"routes: {{ /socket: '{echo_server.url.replace('ws', 'http', 1)}' }}\n")

    def handle(exchange, request):
        exchange.answer("<!doctype html><title>Shop</title>", "Set-Cookie: site=1; Path=/", content_type="text/html")

    with upstream(handle) as site:
        inner = behind(site, "--config", config)
        outer = behind(inner)
        page.goto(outer.url + "/one")
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
