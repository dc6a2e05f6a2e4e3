"""A page that goes to the server behind Footbridge by that server's own address is told of, before it has no host."""

import pytest

from engines import WEBKIT
from footbridge_process import serve
from upstreams import upstream

PAGE = '<!doctype html><html lang="en"><head><title>Site</title></head><body><a id="link">On</a></body></html>'
#: Ways to go there, each with the address as `address`.
WAYS = {
    "link": "link.href = address; link.click()",
    "link to another window": "link.href = address; link.target = '_blank'; link.click()",
    "script": "setTimeout(() => location.assign(address))",
    "window": "window.open(address)",
    "frame": "document.body.append(Object.assign(document.createElement('iframe'), { src: address }))",
    "form": "document.body.append(Object.assign(document.createElement('form'), { action: address })); document.forms[0].requestSubmit()",
}


def answer(exchange, request):
    exchange.answer(PAGE, content_type="text/html")
    return False


@pytest.fixture(scope="module")
def sites():
    with upstream(answer) as site, serve("--proxy", site.url, "--ephemeral") as server:
        server.api = server.control()
        server.upstream = site
        yield server


@pytest.fixture
def session(sites, page):
    session = sites.api.session()
    sites.api.enter(page.context, session)
    return f"/sessions/{session['id']}"


def journal(sites, session):
    return [entry["data"]["url"] for entry in sites.api("GET", session + "/journal")["entries"] if entry.get("action") == "passing"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_link_that_bypasses_footbridge_is_reported_in_console_log_and_journal(sites, session, page, way, host):
    name = f"{way.replace(' ', '-')}-{host}"
    target = f"http://{host}:{sites.upstream.port}/{name}"
    page.goto(sites.url)
    with page.expect_console_message(lambda message: target in message.text) as told:
        page.evaluate(f"address => {{ {WAYS[way]} }}", target + "?token=hidden")
    assert told.value.type == "warning" and "has no native host" in told.value.text and "hidden" not in told.value.text
    until = {"kind": "page", "action": "passing", "data": {"url": target}}
    sites.api("POST", session + "/journal/wait", {"until": until, "timeout": 20_000})
    line = sites.wait_for_log("goes past Footbridge", target)
    assert "hidden" not in line and "--proxy-rewrite-links" in line


def test_links_through_footbridge_or_to_other_sites_are_not_reported(sites, session, page):
    page.goto(sites.url)
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.evaluate("link.href = '/other'; link.target = 'other'; void window.open('/window')")
    with page.expect_navigation(url="**/other"):
        page.evaluate("link.target = ''; link.click()")
    page.evaluate("history.pushState({}, '', '/pushed')")
    with upstream(answer) as elsewhere, page.expect_navigation(url=f"{elsewhere.url}/"):
        page.evaluate("address => setTimeout(() => location.href = address)", f"{elsewhere.url}/")
    page.goto(sites.url)
    assert warnings == [] and journal(sites, session) == []


#: Tells of addresses, and goes nowhere: the browser itself follows only clicks of a person. To open one window again and again crashes Chromium.
CLICKS = """addresses => {
  for (const address of addresses) {
    link.href = address;
    link.dispatchEvent(new MouseEvent("auxclick", { bubbles: true, composed: true, button: 1 }));
  }
}"""


def test_a_bypassing_link_is_reported_once_for_each_page(engine, sites, session, page):
    page.goto(sites.url)
    urls = [f"{sites.upstream.url}/often", f"{sites.upstream.url}/oftensecond"]
    page.evaluate(CLICKS, [urls[0]] * 5 + [urls[1]])
    sites.api("POST", session + "/journal/wait", {"until": {"action": "passing", "data": {"url": urls[1]}}, "timeout": 20_000})
    assert journal(sites, session) == urls
    # WebKit follows a link at the event of a script, too.
    if engine != WEBKIT:
        assert page.url == sites.url + "/" and len(page.context.pages) == 1
