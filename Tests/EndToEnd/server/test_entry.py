"""One-time addresses that put a browser into a session, for runners that cannot set its cookies beforehand."""

import urllib.parse

import pytest

from footbridge_process import serve
from raw_http import Client
from upstreams import upstream
from ways import APP, browser_flags, opened


@pytest.fixture(scope="module")
def server(shop_root, catalog):
    (shop_root / "cart.html").write_text("<!doctype html><title>Cart</title>")
    with serve("--root", shop_root, "--catalog", catalog, "--ephemeral", name=None) as server:
        server.api = server.control()
        yield server


def enter(server, session, **body):
    return server.api("POST", f"/sessions/{session['id']}/enter", body)


def get(server, url, *fields, method="GET"):
    parts = urllib.parse.urlsplit(url)
    return Client(server).get(parts.path + (f"?{parts.query}" if parts.query else ""), *fields, method=method)


def test_a_one_time_address_puts_a_browser_into_the_session_and_redirects_to_the_page(server, page):
    session = server.api.session(name="phone")
    page.goto(enter(server, session, to="/cart?from=mail#end")["url"])
    assert page.url == server.url + "/cart?from=mail#end" and page.title() == "Cart"
    page.wait_for_function("typeof onside === 'object'")
    [cookie] = page.context.cookies()
    assert cookie["value"] == session["cookie"]["value"] and cookie["httpOnly"] and cookie["sameSite"] == "Lax"
    [told] = server.api("GET", f"/sessions/{session['id']}/pages")["pages"]
    assert told["url"] == server.url + "/cart"


def test_a_one_time_address_works_once(server):
    url = enter(server, server.api.session())["url"]
    first = get(server, url)
    assert (first.status, first.field("location"), first.field("cache-control")) == (303, "/", "no-store")
    assert first.field("referrer-policy") == "no-referrer"
    second = get(server, url)
    assert second.status == 410 and second.field("set-cookie") is None


def test_only_a_visit_uses_up_a_one_time_address(server):
    url = enter(server, server.api.session())["url"]
    assert get(server, url, method="HEAD").status == 405
    assert get(server, url, method="POST").status == 405
    assert get(server, url, "Sec-Purpose: prefetch;prerender").status == 503
    assert get(server, url + "?to=//evil.example").status == 400
    assert get(server, url).status == 303


@pytest.mark.parametrize("target", [
    "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example", "evil.example", "", "/a\\b", "/\t/evil.example", "/\n/evil.example",
    "/ /evil.example", "javascript:alert(1)", "/\u0000", "/x" * 2000,
])
def test_a_one_time_address_does_not_redirect_to_another_site(server, target):
    session = server.api.session()
    refused = server.api.request("POST", f"/sessions/{session['id']}/enter", {"to": target})
    assert refused.status == 422 and "to" in refused.json["detail"]
    url = enter(server, session)["url"]
    for escaped in {urllib.parse.quote(target, safe=""), "".join(f"%{byte:02x}" for byte in target.encode())}:
        answer = get(server, f"{url}?to={escaped}")
        assert answer.status in ((303,) if not target else (400, 414, 431))


@pytest.mark.parametrize(("target", "location"), [
    ("/a?b=//c&d=%2F%2Fe#f", "/a?b=//c&d=%2F%2Fe#f"), ("/ä ö".replace(" ", ""), "/%C3%A4%C3%B6"), ("/%2Fevil.example", "/%2Fevil.example"),
])
def test_the_path_of_a_one_time_address_is_not_changed(server, target, location):
    assert get(server, enter(server, server.api.session(), to=target)["url"]).field("location") == location


def test_a_one_time_code_expires_and_ends_with_its_session(server):
    session = server.api.session()
    lasting = enter(server, session, lifetime=60_000)
    assert lasting["expires"].endswith("Z")
    brief = enter(server, session, lifetime=1)
    until = {"until": {"kind": "store", "action": "never"}, "timeout": 50}
    assert server.api.request("POST", f"/sessions/{session['id']}/journal/wait", until).status == 408
    assert get(server, brief["url"]).status == 410
    server.api("DELETE", f"/sessions/{session['id']}")
    assert get(server, lasting["url"]).status == 410
    assert get(server, f"{server.url}/__footbridge/enter/{'0' * 32}").status == 410


def test_after_a_restart_a_one_time_address_requires_the_cookie(shop_root, tmp_path):
    options = ["--root", shop_root, "--state", tmp_path / "state", "--control-token", "t"]
    with serve(*options, name=None) as server:
        session = server.control("t").session()
    with serve(*options, name=None) as server:
        server.api = server.control("t")
        path = f"/sessions/{session['id']}/enter"
        assert server.api.request("POST", path, {}).status == 409
        assert server.api.request("POST", path, {"cookie": "0" * 32}).status == 422
        url = enter(server, session, cookie=session["cookie"]["value"])["url"]
        assert session["cookie"]["value"] in get(server, url).field("set-cookie")


def test_the_log_hides_the_code_of_a_one_time_address(shop_root):
    with serve("--root", shop_root, "--ephemeral", "--log-level", "debug", name=None) as server:
        server.api = server.control()
        entry = enter(server, server.api.session())
        assert get(server, entry["url"]).status == 303
        assert "left-out" in server.wait_for_log("request", "/__footbridge/enter/")
        assert entry["code"] not in "".join(server.log)


def test_the_one_time_address_of_a_listed_site_has_the_origin_of_the_site(launch):
    with upstream(lambda exchange, request: exchange.answer("<title>Shop</title>", content_type="text/html")) as site:
        with serve("--ephemeral", "--site", f"{APP}={site.url}", name=None) as server:
            server.flags = browser_flags(server)
            server.api = server.control()
            session = server.api.session()
            url = enter(server, session, to="/cart")["url"]
            assert url.startswith(f"{APP}/__footbridge/enter/")
            with opened(launch, server) as context:
                page = context.new_page()
                page.goto(url)
                page.wait_for_function("typeof onside === 'object'")
                assert page.url == f"{APP}/cart" and context.cookies()[0]["secure"]
                [told] = server.api("GET", f"/sessions/{session['id']}/pages")["pages"]
                assert told["url"] == f"{APP}/cart"
