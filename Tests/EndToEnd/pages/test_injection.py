"""The shim in unusual documents, in Chromium: it runs first, and nothing else changes."""

import contextlib
import itertools
import re
import threading

import pytest
import yaml

from engines import CHROMIUM, FIREFOX, only
from footbridge_process import serve
from raw_http import Client
from upstreams import upstream

#: A script that records what the first script of a page finds.
PROBE = "<script>window.found = typeof window.onside;</script>"


def utf16(text, order="le"):
    return {"le": b"\xff\xfe", "be": b"\xfe\xff"}[order] + text.encode(f"utf-16-{order}")


#: Documents by name: the bytes, and the content type if it is not `text/html`.
DOCUMENTS = {
    "ordinary": f"<!doctype html><html lang=en><head><meta charset=utf-8><title>é</title>{PROBE}</head><body>hi</body></html>",
    "no head": f"<!doctype html><html><body>hi{PROBE}</body></html>",
    "no html, head or body": f"<!doctype html><title>a</title><p>hi{PROBE}",
    "no doctype": f"<html><head>{PROBE}</head><body>hi</body></html>",
    "text alone": "Just text, no markup.",
    "empty": "",
    "white space alone": " \n\t ",
    "a fragment": f"<p>one<p>two{PROBE}",
    "comment before the doctype": f"<!-- a <head> --><!doctype html><html><head>{PROBE}</head></html>",
    "comments everywhere": f"<!doctype html><!-- 1 --><html><!-- 2 --><head><!-- 3 -->{PROBE}</head><!-- 4 --><body></body></html><!-- 5 -->",
    "odd comments": f"<!--><!---><!-- a --!><!-- b -- c --><!doctype html><head>{PROBE}</head>",
    "conditional comments": f"<!doctype html><!--[if IE]><html class=ie><![endif]--><!--[if !IE]><!--><html class=new><!--<![endif]--><head>{PROBE}",
    "a comment that never ends": "<!doctype html><!-- never ends <html><head>",
    "BOM": b"\xef\xbb\xbf" + f"<!doctype html><head><title>é</title>{PROBE}".encode(),
    "UTF-16 LE": utf16(f"<!doctype html><html><head><title>é</title>{PROBE}</head><body>ü</body></html>"),
    "UTF-16 BE": utf16(f"<!doctype html><html><head><title>é</title>{PROBE}</head><body>ü</body></html>", "be"),
    "UTF-16 without head": utf16(f"<title>é</title>{PROBE}ü"),
    "UTF-16 by content type": (f"<!doctype html><head><title>é</title>{PROBE}".encode("utf-16-le"), "text/html; charset=utf-16le"),
    "UTF-16 with a content type that lies": (utf16(f"<head><title>é</title>{PROBE}"), "text/html; charset=utf-8"),
    "ISO-8859-1": (f"<!doctype html><head><title>é</title>{PROBE}".encode("latin-1"), "text/html; charset=iso-8859-1"),
    "windows-1252 by meta": f"<!doctype html><head><meta charset=windows-1252><title>é</title>{PROBE}".encode("cp1252"),
    "Shift_JIS": (f"<!doctype html><head><title>日本</title>{PROBE}".encode("shift_jis"), "text/html; charset=Shift_JIS"),
    "EUC-KR by meta": f"<head><meta http-equiv=content-type content='text/html; charset=euc-kr'><title>한국</title>{PROBE}".encode("euc-kr"),
    "ISO-2022-JP": (f"<!doctype html><head><title>日本</title>{PROBE}".encode("iso2022_jp"), "text/html; charset=iso-2022-jp"),
    "a meta that claims UTF-16": f"<!doctype html><head><meta charset=utf-16><title>é</title>{PROBE}",
    "UTF-8 by http-equiv": f"<!doctype html><head><META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=UTF-8'><title>é</title>{PROBE}",
    "UTF-8 after a script": f"<!doctype html><head><script>window.found = typeof onside; '<meta>';</script><meta charset='UTF-8'/><title>é</title>",
    "UTF-8 in a script": f"<!doctype html><head><script>window.found = typeof onside; '<meta charset=utf-8>';</script><title>é</title>",
    "UTF-8 in a comment": f"<!doctype html><head><!-- <meta charset=utf-8> --><meta charset=windows-1252><title>é</title>{PROBE}".encode("cp1252"),
    "UTF-8 in the body": f"<!doctype html><head><title>é</title></head><body><meta charset=utf-8>{PROBE}",
    "UTF-8 in the second meta": f"<!doctype html><head><meta name=a content=b><meta charset=utf-8><title>é</title>{PROBE}",
    "two encodings by meta": f"<!doctype html><head><meta charset=windows-1252><meta charset=utf-8><title>é</title>{PROBE}".encode("cp1252"),
    "UTF-8 behind 1,024 bytes": f"<!doctype html><head><!-- {'x' * 1024} --><meta charset=utf-8><title>é</title>{PROBE}",
    "meta charset late": f"<!doctype html><head>{PROBE}<!-- {'x' * 700} --><meta charset=utf-8><title>é</title>",
    "frameset": f"<!doctype html><html><head><title>f</title>{PROBE}</head><frameset cols='50%,50%'><frame src=about:blank><frame src=about:blank></frameset></html>",
    "frameset without head": "<html><frameset cols='*,*'><frame src=about:blank></frameset></html>",
    "head within a script": f"<script>window.found = typeof onside; var template = '<html><head></head></html>';</script><p>hi",
    "template with a head": f"<template><html><head><title>t</title></head></html></template>{PROBE}",
    "head within an attribute": f"<html data-a=\"<head>\" data-b='<head>'><head data-c=\">\">{PROBE}</head>",
    "attributes of odd shape": f"<html a=b\"c ='d e==\"f / g= 'h>' i><head\n\tclass = x / >{PROBE}",
    "capital letters": f"<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'><HTML><HEAD>{PROBE}</HEAD><BODY>hi</BODY></HTML>",
    "quirks by an old doctype": f"<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 3.2//EN'><head>{PROBE}",
    "header, not head": f"<!doctype html><html><header>hi</header>{PROBE}</html>",
    "two heads": f"<!doctype html><head>{PROBE}</head><head><title>b</title></head>",
    "two html tags": f"<!doctype html><html lang=en><html class=a><head>{PROBE}",
    "end tags first": f"</p></div class=\">\"><!doctype html></><html><head>{PROBE}",
    "end of head first": f"<!doctype html></head><title>a</title>{PROBE}",
    "end of body first": f"<!doctype html></body><p>hi{PROBE}",
    "bogus markup": f"<!bogus><?php echo '<head>' ?><![CDATA[ x ]]><!doctype html><head>{PROBE}",
    "XML declaration in HTML": f"<?xml version='1.0'?><!doctype html><html xmlns='http://www.w3.org/1999/xhtml'><head>{PROBE}</head></html>",
    "a less-than sign": f"< not a tag{PROBE}",
    "a null character": (f"<html>\0<head>{PROBE}".encode(), "text/html; charset=utf-8"),
    "a character reference": f"<html>&nbsp;<head><title>a</title>{PROBE}",
    "import map first": "<!doctype html><head><script type=importmap>{\"imports\": {\"a\": \"data:text/javascript,window.found = typeof onside\"}}</script><script type=module>import 'a';</script>",
    "module first": "<!doctype html><head><script type=module>window.found = typeof onside;</script></head><body>hi",
    "module preload first": "<!doctype html><head><link rel=modulepreload href='data:text/javascript,0'><script type=module>window.found = typeof onside;</script>",
    "base first": f"<!doctype html><head><base href='http://elsewhere.invalid/deep/'>{PROBE}</head>",
    "meta refresh first": f"<!doctype html><meta http-equiv=refresh content='600; url=/'>{PROBE}",
    "style and title first": f"<!doctype html><style>p {{ color: red }}</style><title>&lt;head></title>{PROBE}",
    "noscript first": f"<!doctype html><noscript><p>no</p></noscript>{PROBE}",
    "svg first": f"<!doctype html><svg><title>a</title></svg>{PROBE}",
    "plaintext": "<plaintext><head>never a tag",
    "long white space": f"{' ' * 200_000}<!doctype html><head>{PROBE}",
    "long comment": f"<!doctype html><!-- {'<head>' * 50_000} --><head>{PROBE}",
    "long doctype": f"<!doctype html PUBLIC \"{'x' * 20_000}\" \"\"><head>{PROBE}",
    "long attribute": f"<!doctype html><html data-a='{'>' * 100_000}'><head>{PROBE}",
    "large": f"<!doctype html><head>{PROBE}</head><body>{'<p>paragraph</p>' * 20_000}</body>",
    "XHTML": (f"<?xml version='1.0'?><!DOCTYPE html [ <!ENTITY x '>'> ]><html xmlns='http://www.w3.org/1999/xhtml'><head><title>a</title>{PROBE}</head><body><p/></body></html>", "application/xhtml+xml"),
    "XHTML with prefixes": (f"<h:html xmlns:h='http://www.w3.org/1999/xhtml'><!-- c --><h:head><h:script>window.found = typeof window.onside;</h:script></h:head><h:body/></h:html>", "application/xhtml+xml"),
    "XHTML without head": ("<html xmlns='http://www.w3.org/1999/xhtml'><body><p>hi</p></body></html>", "application/xhtml+xml"),
}

#: Documents that say in their head, not in the content type, that they are in UTF-8.
UTF8_BY_THEMSELVES = {"ordinary", "BOM", "meta charset late", "UTF-8 by http-equiv", "UTF-8 after a script", "UTF-8 in the second meta"}

#: Whether a document has loaded the shim by its address.
LOADS_SHIM = "performance.getEntriesByType('resource').some(({ name }) => name.includes('/shim.js'))"
#: Describes a document.
DESCRIPTION = """() => {
  const { compatMode, characterSet, title, doctype, contentType, documentElement } = document;
  return { compatMode, characterSet, title, contentType, doctype: doctype && new XMLSerializer().serializeToString(doctype),
    html: documentElement.outerHTML, baseURI: new URL(document.baseURI).pathname };
}"""


def body_of(document):
    document, content_type = document if isinstance(document, tuple) else (document, "text/html")
    return document if isinstance(document, bytes) else document.encode(), content_type


@pytest.fixture(scope="module")
def site():
    """Runs an upstream with every document: whole at `/whole/N`, byte by byte at `/bytes/N`, and until the connection ends at `/end/N`. With
    the query `charset=C`, the content type names that encoding."""

    def handle(exchange, request):
        if request.target == "/favicon.ico":
            return exchange.answer("", status="404 Not Found")
        path, _, query = request.target.partition("?")
        _, way, number = path.split("/")
        body, content_type = body_of(list(DOCUMENTS.values())[int(number)])
        if query:
            content_type = f"{content_type.split(';')[0]}; {query}"
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nETag: \"x\"\r\n"
        if way == "whole":
            exchange.send(head + f"Content-Length: {len(body)}\r\n\r\n", body)
        elif way == "bytes":
            exchange.send(head + "Transfer-Encoding: chunked\r\n\r\n")
            for index in range(min(len(body), 3000)):
                exchange.send(b"1\r\n" + body[index:index + 1] + b"\r\n")
            for index in range(3000, len(body), 50_000):
                piece = body[index:index + 50_000]
                exchange.send(f"{len(piece):x}\r\n", piece, "\r\n")
            exchange.send("0\r\n\r\n")
        else:
            exchange.send(head + "\r\n", body)
            return False

    with upstream(handle) as site:
        yield site


@pytest.fixture(scope="module")
def server(site):
    with serve("--proxy", site.url, "--ephemeral") as server:
        yield server


@pytest.fixture(scope="module")
def tab(browser):
    """One page for the whole table."""
    with contextlib.closing(browser.new_context()) as context:
        yield context.new_page()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_shim_is_the_first_script_and_nothing_else_changes(site, server, tab, name):
    number = list(DOCUMENTS).index(name)
    tab.goto(f"{site.url}/whole/{number}")
    without = tab.evaluate(DESCRIPTION)
    # The first document of a session contains the shim if its content type names its encoding, or if it says itself that it is in UTF-8.
    # Others, and XHTML, have its address.
    names_encoding = "charset" in body_of(DOCUMENTS[name])[1] or name in UTF8_BY_THEMSELVES
    queries = [("", not without["contentType"].endswith("xml") and names_encoding),
               (f"?charset={without['characterSet']}", not without["contentType"].endswith("xml"))]
    for way, (query, contains_shim) in itertools.product(("whole", "bytes", "end"), queries):
        tab.context.clear_cookies()
        tab.goto(f"{server.url}/{way}/{number}{query}")
        if name != "plaintext":
            # The proxy does not wait for more than the first bytes, in which such a document may not have said it yet.
            if not (way == "bytes" and not query and name in UTF8_BY_THEMSELVES):
                assert tab.evaluate(LOADS_SHIM) != contains_shim
            assert tab.evaluate("typeof window.onside") == "object"
        assert tab.evaluate("window.found") in (None, "object")
        expected = {**without, "baseURI": without["baseURI"].replace("whole", way)}
        if name == "a comment that never ends":
            # After such a comment there is no place for the shim, which goes into the head.
            expected["html"] = "<html><head><!-- never ends <html><head>--></head><body></body></html>"
        assert tab.evaluate(DESCRIPTION) == expected


def test_the_table_of_documents_has_every_unusual_form():
    assert len(DOCUMENTS) >= 40
    named = {"no head", "comment before the doctype", "BOM", "UTF-16 LE", "UTF-16 BE", "frameset", "head within a script", "template with a head"}
    assert named <= set(DOCUMENTS)


def test_the_lines_of_a_document_with_the_shim_have_their_own_numbers(page):
    content = "<!doctype html><head>\n<title>a</title>\n<script>\nwindow.onerror = (message, source, line) => { window.line = line; };\nnowhere();\n</script>"
    with behind(page_at(content)) as server:
        page.goto(server.url)
        assert page.evaluate("[typeof onside, line]") == ["object", 5]


@pytest.mark.parametrize("client, host, contains_shim", [
    (None, "127.0.0.1", True), (None, "localhost", True), (None, "shop.example", True), ("::1", "shop.example", True),
    ("203.0.113.9", "shop.example", False), ("10.0.0.4", "shop.example", False),
])
def test_a_document_contains_the_shim_for_a_browser_on_this_machine(client, host, contains_shim):
    fields = ["Accept: text/html", "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate"]
    forwarded = [f"X-Forwarded-For: {client}"] if client else []
    with behind(page_at("<!doctype html><title>a</title>"), "--allow-host", "shop.example", "--trusted-proxy", "127.0.0.1") as server:
        connection = Client(server)
        connection.host = host if host == "shop.example" else f"{host}:{server.port}"
        body = connection.get("/", *fields, *forwarded).body
    assert (b'src="/__footbridge/shim.js?v=' not in body) == contains_shim


def test_the_first_document_of_a_session_contains_the_shim_and_in_firefox_each(page, engine):
    later = engine != FIREFOX
    with behind(page_at("<!doctype html><title>a</title><iframe src='/'></iframe>", "X-Frame-Options: deny")) as server:
        for expected in (False, later, later):
            page.goto(server.url)
            assert page.evaluate(f"[typeof onside, {LOADS_SHIM}]") == ["object", expected]
            # The session runs.
            assert page.evaluate("onside.getTransactions()") == []
        page.context.clear_cookies()
        page.goto(server.url)
        assert page.evaluate(LOADS_SHIM) is False


@pytest.mark.parametrize("browser_name, client, contains_shim", [
    ("Gecko/20100101 Firefox/128.0", "127.0.0.1", True), ("Gecko/20100101 Firefox/128.0", "203.0.113.9", False),
    ("AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36", "127.0.0.1", False),
    ("AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15", "127.0.0.1", False),
    (None, "127.0.0.1", False),
])
@pytest.mark.parametrize("content, content_type", [
    ("<!doctype html><title>a</title>", "text/html; charset=utf-8"), ("<!doctype html><meta charset=utf-8>", "text/html"),
])
def test_a_later_document_contains_the_shim_for_firefox_on_this_machine(content, content_type, browser_name, client, contains_shim):
    fields = ["Accept: text/html", "Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", f"X-Forwarded-For: {client}"]
    if browser_name:
        fields.append(f"User-Agent: Mozilla/5.0 {browser_name}")
    with behind(page_at(content, content_type=content_type), "--allow-host", "shop.example", "--trusted-proxy", "127.0.0.1") as server:
        connection = Client(server)
        connection.host = "shop.example"
        cookie = "Cookie: " + connection.get("/", *fields).field("set-cookie").partition(";")[0]
        # The session runs once it has the shim.
        assert connection.get("/__footbridge/shim.js", cookie).status == 200
        later = connection.get("/", *fields, cookie)
    assert (b'src="/__footbridge/shim.js?v=' not in later.body) == contains_shim
    assert later.field("content-type") == ("text/html; charset=utf-8" if contains_shim else content_type)


@pytest.mark.parametrize("bridge, is_in_element", [
    ("channels: { acme: {} }", True),
    ("channels: { '</SCRIPT><!--<script>': {} }", True),
    ("channels: { 'überweisung': {} }", False),
    ("channels: { acme: {} }, adapter: { text: 'window.own = 1 // a comment' }", True),
])
def test_a_shim_that_no_element_can_contain_is_loaded(page, tmp_path, bridge, is_in_element):
    (tmp_path / "footbridge.yaml").write_text(f"bridges: {{ acme: {{ {bridge} }} }}")
    with behind(page_at(f"<!doctype html><title>a</title>{PROBE}<p>after"), "--config", tmp_path / "footbridge.yaml") as server:
        page.goto(server.url)
        name = yaml.safe_load(f"{{ {bridge} }}")["channels"]
        assert page.evaluate("name => typeof webkit.messageHandlers[name]", [*name][0]) == "object"
        assert page.evaluate("[found, document.title, document.body.innerText]") == ["object", "a", "after"]
        assert page.evaluate(LOADS_SHIM) != is_in_element


def test_the_bridge_answers_a_page_behind_a_proxy(server, tab):
    tab.goto(f"{server.url}/whole/0")
    assert tab.evaluate("onside.getTransactions()") == []


def page_at(content, *fields, content_type="text/html; charset=utf-8"):
    """Runs an upstream with one page at `/`, and plain text at every other path."""

    def handle(exchange, request):
        if request.target == "/":
            exchange.answer(content, *fields, content_type=content_type)
        else:
            exchange.answer(PROBE, content_type="text/html")

    return upstream(handle)


@contextlib.contextmanager
def behind(site, *arguments):
    with site, serve("--proxy", site.url, "--ephemeral", *arguments) as server:
        yield server


def test_fetched_documents_are_not_changed(page):
    with behind(page_at("<!doctype html><title>a</title>")) as server:
        page.goto(server.url)
        assert page.evaluate("fetch('/fragment').then((response) => response.text())") == PROBE
        assert page.evaluate("""new Promise((resolve) => {
          const request = new XMLHttpRequest();
          request.responseType = "document";
          request.onload = () => resolve(request.response.documentElement.outerHTML);
          request.open("GET", "/fragment");
          request.send();
        })""") == f"<html><head>{PROBE}</head><body></body></html>"


#: Requests of scripts for HTML by name: their fields, with fetch metadata where browsers send it.
FRAGMENTS = {
    "fetch": ["Accept: */*"],
    "HTMX": ["Accept: */*", "HX-Request: true", "HX-Boosted: true"],
    "Turbo": ["Accept: text/html, application/xhtml+xml", "Turbo-Frame: a"],
    "Turbo streams": ["Accept: text/vnd.turbo-stream.html, text/html, application/xhtml+xml"],
    "Unpoly": ["Accept: text/html", "X-Up-Target: main"],
    "jQuery": ["Accept: text/html, */*; q=0.01", "X-Requested-With: XMLHttpRequest"],
}


@pytest.mark.parametrize("metadata", [["Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: cors"], ["Sec-Fetch-Dest: empty", "Sec-Fetch-Mode: same-origin"], []])
@pytest.mark.parametrize("name", FRAGMENTS)
def test_html_fetched_by_libraries_has_no_shim(name, metadata):
    with page_at("<!doctype html>") as site, serve("--proxy", site.url, "--ephemeral", "--allow-host", "plain.test") as server:
        client = Client(server)
        if not metadata:
            # Browsers send none over http to another name than this machine's.
            client.host = "plain.test"
        assert client.get("/a", *FRAGMENTS[name], *metadata).body == PROBE.encode()
        assert b"footbridge" in client.get("/a", "Accept: text/html", "Upgrade-Insecure-Requests: 1").body


def test_a_document_that_is_fetched_before_it_is_opened_has_the_shim(page):
    """Speculation rules: the browser fetches the next document as one, and it becomes the page."""
    rules = '<script type=speculationrules>{"prefetch": [{"source": "list", "urls": ["/next"], "eagerness": "immediate"}]}</script>'
    with behind(page_at(f"<!doctype html>{rules}<a href=/next>next</a>")) as server:
        page.goto(server.url)
        page.click("a")
        page.wait_for_url("**/next")
        assert page.evaluate("[found, typeof onside]") == ["object", "object"]
        assert page.evaluate("onside.getTransactions()") == []


def test_a_service_worker_that_passes_navigations_on_does_not_remove_the_shim(page):
    worker = "addEventListener('install', () => skipWaiting()); addEventListener('activate', event => event.waitUntil(clients.claim()));" \
             "addEventListener('fetch', event => event.respondWith(fetch(event.request)));"

    def handle(exchange, request):
        if request.target == "/worker.js":
            exchange.answer(worker, content_type="text/javascript")
        else:
            exchange.answer(f"<!doctype html>{PROBE}", content_type="text/html")

    with behind(upstream(handle)) as server:
        page.goto(server.url)
        page.evaluate("navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)")
        page.wait_for_function("navigator.serviceWorker.controller")
        for step in (page.reload, lambda: page.goto(server.url + "/b")):
            step()
            assert page.evaluate("[!!navigator.serviceWorker.controller, found]") == [True, "object"]
            assert page.evaluate("onside.getTransactions()") == []
        assert "footbridge" not in page.evaluate("fetch('/fragment').then(response => response.text())")


def test_an_integrity_policy_does_not_block_the_shim(page):
    with behind(page_at("<!doctype html><title>a</title>", "Integrity-Policy: blocked-destinations=(script)")) as server:
        page.goto(server.url)
        assert page.evaluate("onside.getTransactions()") == []
        server.wait_for_log("notice", "Integrity-Policy")


def test_frames_have_the_shim(page):
    with behind(page_at("<!doctype html><iframe src=/frame></iframe>")) as server:
        page.goto(server.url)
        assert page.frames[1].evaluate("window.found") in ("object", "undefined")
        assert page.frames[1].evaluate("onside.getTransactions()") == []


def test_downloads_are_not_changed(page):
    with behind(page_at("<!doctype html><title>a</title>", "Content-Disposition: attachment; filename=a.html")) as server:
        with page.expect_download() as download:
            page.evaluate("url => { location.href = url; }", server.url)
        with open(download.value.path()) as file:
            assert file.read() == "<!doctype html><title>a</title>"


def test_documents_are_known_after_going_back_and_reloading(page):
    with behind(page_at("<!doctype html><title>a</title>", "Cache-Control: max-age=3600", 'ETag: "x"')) as server:
        tickets = []
        for step in (lambda: page.goto(server.url), page.reload, lambda: page.goto(server.url + "/b"), page.go_back):
            tickets.append(re.search(r'data-footbridge-ticket="([^"]+)"', step().text())[1])
            assert page.evaluate("onside.getTransactions()") == []
        # The browser goes back to the document that it has.
        assert len(set(tickets[:3])) == 3


def test_back_and_forward_use_the_browsers_page_cache(caching_browser):
    content = "<!doctype html><title>a</title><script>addEventListener('pageshow', event => { window.persisted = event.persisted; });</script>"
    with behind(page_at(content)) as server, contextlib.closing(caching_browser.new_context()) as context:
        page = context.new_page()
        page.goto(server.url)
        page.evaluate("onside.getTransactions().then(() => { window.mark = 1; })")
        page.goto(server.url + "/other")
        page.go_back(wait_until="commit")
        page.wait_for_function("window.persisted")
        assert page.evaluate("mark") == 1
        assert page.evaluate("onside.getTransactions()") == []


def test_going_back_to_the_result_of_a_form_shows_it(caching_browser):
    site = page_at("<!doctype html><title>a</title><form method=post action=/><button>Send</button></form>")
    with behind(site) as server, contextlib.closing(caching_browser.new_context()) as context:
        page = context.new_page()
        page.goto(server.url)
        page.click("button")
        page.wait_for_load_state()
        assert page.evaluate("onside.getTransactions()") == []
        page.goto(server.url + "/other")
        page.go_back()
        assert page.title() == "a" and page.evaluate("onside.getTransactions()") == []
        assert [request.method for request in site.requests if request.target == "/"] == ["GET", "POST"]


def test_a_navigation_does_not_get_a_document_cached_by_fetch(page):
    with behind(page_at("<!doctype html><title>a</title>", "Cache-Control: max-age=3600")) as server:
        page.goto(server.url + "/other")
        assert "footbridge" not in page.evaluate("fetch('/').then(response => response.text())")
        page.goto(server.url)
        assert page.evaluate("onside.getTransactions()") == []


def test_the_response_fields_of_an_injected_document_are_adjusted(page):
    fields = ['ETag: "x"', "Last-Modified: Thu, 01 Jan 1970 00:00:00 GMT", "Accept-Ranges: bytes", "Cache-Control: max-age=60",
              "X-Mine: 1", "Digest: sha-256=x", "Content-MD5: x", "Repr-Digest: x"]
    with behind(page_at("<!doctype html><title>a</title>", *fields)) as server:
        response = page.goto(server.url)
        headers = response.all_headers()
        assert {"etag", "last-modified", "content-length", "accept-ranges", "content-md5", "digest", "repr-digest"}.isdisjoint(headers)
        assert (headers["cache-control"], headers["x-mine"]) == ("private, no-cache", "1")


# Policies. Each runs or blocks the page's own scripts, and must do the same with and without the proxy.

POLICIES = {
    "self": "default-src 'self'",
    "none": "default-src 'none'",
    "none but a nonce": "default-src 'none'; script-src 'nonce-page'",
    "nonce and strict-dynamic": "script-src 'nonce-page' 'strict-dynamic'; object-src 'none'; base-uri 'none'",
    "inline allowed": "script-src 'unsafe-inline'",
    "inline and self": "default-src 'self' 'unsafe-inline'",
    "inline ignored for a nonce": "script-src 'unsafe-inline' 'nonce-page'",
    "another host": "script-src https://cdn.example; connect-src https://api.example",
    "elements apart": "script-src 'none'; script-src-elem 'nonce-page'",
    "attributes apart": "script-src 'self'; script-src-attr 'unsafe-inline'",
    "connections only": "connect-src 'none'",
    "trusted types": "require-trusted-types-for 'script'; trusted-types 'none'; script-src 'nonce-page'",
    "trusted types of the page": "require-trusted-types-for 'script'; trusted-types mine",
    "two in one field": "default-src 'self', script-src 'nonce-page'",
    "upgraded": "upgrade-insecure-requests; default-src 'self'",
    "everything": "default-src * 'unsafe-inline' 'unsafe-eval' data: blob:",
    "frames": "frame-ancestors 'none'; form-action 'self'",
}

POLICY_PAGE = """<!doctype html><html><head><title>a</title>
<script>window.inline = true;</script>
<script nonce=page>window.nonced = true;</script>
</head><body><p onclick="window.attribute = true">hi</p><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="></body></html>"""

FATE = """async () => {
  document.querySelector("p").click();
  let evaluated = false;
  try { evaluated = (0, eval)("true"); } catch {}
  const connected = await fetch("/other").then(() => true, () => false);
  const image = document.querySelector("img");
  await image.decode().catch(() => {});
  return { inline: window.inline, nonced: window.nonced, attribute: window.attribute, evaluated, connected,
    image: image.naturalWidth, scripts: [...document.scripts].map(({ outerHTML }) => outerHTML),
    first: document.head.firstElementChild.localName };
}"""


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_is_changed_to_allow_the_shim_and_nothing_else(new_context, name):
    field = f"Content-Security-Policy: {POLICIES[name]}"
    with behind(page_at(POLICY_PAGE, field)) as server:
        page = new_context().new_page()
        messages = []
        page.on("console", lambda message: messages.append(message.text))
        page.goto(server.url)
        assert page.evaluate("typeof window.onside") == "object"
        assert page.evaluate("window.onside.getTransactions()") == []
        fate = page.evaluate(FATE)
        assert not [text for text in messages if "__footbridge" in text.split("violates")[0]]
    site = page_at(POLICY_PAGE, field)
    with site:
        direct = new_context().new_page()
        direct.goto(site.url)
        assert fate == direct.evaluate(FATE)


@only(CHROMIUM, because="WebDriver does not tell what a policy reports")
def test_a_report_only_policy_has_nothing_to_report_about_the_shim(page):
    with behind(page_at(POLICY_PAGE, "Content-Security-Policy-Report-Only: default-src 'none'")) as server:
        messages = []
        page.on("console", lambda message: messages.append(message.text))
        page.goto(server.url)
        assert page.evaluate("window.onside.getTransactions()") == []
        assert messages and not [text for text in messages if "__footbridge" in text.split("violates")[0]]


def with_policy_in_head(policy):
    """Returns the page with its policy in its head, before its own scripts."""
    value = policy.replace('"', "&quot;")
    return POLICY_PAGE.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{value}">')


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "two in one field"])
def test_a_policy_in_the_document_head_is_changed_to_allow_the_shim_and_nothing_else(new_context, name):
    content = with_policy_in_head(POLICIES[name])
    with behind(page_at(content)) as server:
        page = new_context().new_page()
        messages = []
        page.on("console", lambda message: messages.append(message.text))
        page.goto(server.url)
        assert page.evaluate("window.onside.getTransactions()") == []
        fate = page.evaluate(FATE)
        assert not [text for text in messages if "__footbridge" in text.split("violates")[0]]
    with page_at(content) as site:
        direct = new_context().new_page()
        direct.goto(site.url)
        assert fate == direct.evaluate(FATE)


@pytest.mark.parametrize("by_proxy", [True, False])
def test_sheets_are_shown_under_a_strict_policy_in_the_document_head(page, tmp_path, by_proxy):
    content = with_policy_in_head("default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
    (tmp_path / "index.html").write_text(content)
    with page_at(content) as site:
        source = ("--proxy", site.url) if by_proxy else ("--root", tmp_path)
        with serve(*source, "--ephemeral") as server:
            page.goto(server.url)
            page.evaluate("void window.onside.requestLogin().catch(() => {})")
            page.get_by_role("dialog").wait_for()
            if by_proxy:
                server.wait_for_log("notice", "Content-Security-Policy")


def test_sheets_are_shown_under_a_strict_policy(page):
    policy = "default-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    with behind(page_at("<!doctype html><body>hi", f"Content-Security-Policy: {policy}")) as server:
        page.goto(server.url)
        page.evaluate("void window.onside.requestLogin().catch(() => {})")
        page.get_by_role("dialog").wait_for()


def test_a_changed_policy_is_logged_once(page):
    with behind(page_at("<title>a</title>", "Content-Security-Policy: default-src 'self'")) as server:
        for _ in range(3):
            page.goto(server.url)
        server.stop()
        assert len([line for line in server.log if "Content-Security-Policy" in line]) == 1


# Documents whose response has no content type.


UNTYPED = {
    "ordinary": f"<!doctype html><html><head><title>a</title>{PROBE}</head></html>",
    "white space first": f" \r\n\t<html>{PROBE}",
    "a comment": f"<!-- a -->{PROBE}",
    "a fragment": f"<p>a{PROBE}",
    "a script": PROBE,
    "an unusual tag": f"<abbr>a</abbr>{PROBE}",
    "a tag that is not looked for": f"<main>a</main>{PROBE}",
    "text": f"a {PROBE}",
    "XML": "<?xml version='1.0'?><a/>",
    "a mark": f"\ufeff<!doctype html>{PROBE}",
    "much white space": " " * 600 + f"<html>{PROBE}",
    "empty": "",
}


@pytest.mark.parametrize("fields", ["", "Content-Type:\r\n", "Content-Type: */*\r\n", "Content-Type: unknown/unknown\r\n",
                                    "X-Content-Type-Options: nosniff\r\n"], ids=repr)
def test_a_document_without_a_type_has_the_shim_if_it_is_shown_as_html(browser, fields):
    def handle(exchange, request):
        body = UNTYPED.get(request.target[1:].replace("%20", " "), "").encode()
        exchange.send(f"HTTP/1.1 200 OK\r\n{fields}Content-Length: {len(body)}\r\n\r\n")
        for start in range(0, len(body), 7):
            exchange.send(body[start:start + 7])

    with behind(upstream(handle)) as server:
        page = browser.new_page()
        try:
            for name in UNTYPED:
                page.goto(f"{server.url}/{name.replace(' ', '%20')}")
                is_html = page.evaluate("document.contentType") == "text/html" and name != "empty"
                assert (page.evaluate("typeof window.onside") == "object") == is_html, name
                if is_html:
                    assert page.evaluate("window.found") == "object", name
                elif name != "XML":
                    assert page.evaluate("document.body.innerText").strip() == UNTYPED[name].strip("\ufeff \r\n\t"), name
        finally:
            page.close()


# Hot reload.


def test_hot_reload_works_over_the_socket_of_the_site(page):
    """As in Vite: the subprotocol `vite-hmr`, and pings on another socket with `vite-ping`."""
    websockets = pytest.importorskip("websockets.sync.server")
    versions = [1]
    sockets = []
    connected = threading.Event()

    def process(connection, request):
        if request.headers.get("Upgrade"):
            return None
        response = connection.respond(200, f"""<!doctype html><script>
          const socket = new WebSocket(`ws://${{location.host}}/?token=abc`, "vite-hmr");
          socket.onmessage = ({{ data }}) => {{ if (JSON.parse(data).type === "full-reload") location.reload(); }};
          window.ping = new Promise((resolve) => {{
            const ping = new WebSocket(`ws://${{location.host}}/`, "vite-ping");
            ping.onopen = () => {{ resolve(ping.protocol); ping.close(); }};
          }});
        </script><title>{versions[-1]}</title>""")
        response.headers["Content-Type"] = "text/html"
        return response

    def handle(connection):
        if connection.subprotocol == "vite-hmr":
            sockets.append((connection, connection.request.path, connection.request.headers["Host"]))
            connected.set()
        for _ in connection:
            pass

    with websockets.serve(handle, "127.0.0.1", 0, process_request=process, subprotocols=["vite-hmr", "vite-ping"]) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        port = site.socket.getsockname()[1]
        with serve("--proxy", f"http://127.0.0.1:{port}", "--ephemeral") as server:
            page.goto(server.url)
            assert page.title() == "1"
            assert page.evaluate("window.ping") == "vite-ping"
            assert connected.wait(5)
            connection, path, host = sockets[-1]
            assert (path, host) == ("/?token=abc", f"127.0.0.1:{server.port}")
            versions.append(2)
            connection.send('{"type": "full-reload"}')
            page.wait_for_function("document.title === '2'")
            assert page.evaluate("window.onside.getTransactions()") == []
