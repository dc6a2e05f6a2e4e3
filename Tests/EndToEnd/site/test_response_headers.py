"""What an upstream says about its documents, and what the page then has: compressed bodies, and fields on which browsers act."""

import base64
import contextlib
import gzip
import json
import zlib

import pytest

from engines import CHROMIUM, FIREFOX, only
from footbridge_process import PLAIN_NAME, serve
from raw_http import Client
from upstreams import upstream

PAGE = '<!doctype html><html lang="en"><head><title>Page</title><script>window.own = typeof onside</script></head><body></body></html>'
NAVIGATION = ("Sec-Fetch-Dest: document", "Sec-Fetch-Mode: navigate", "Accept: text/html")
BARE = zlib.compressobj(wbits=-15)
CODED = {
    "gzip": gzip.compress(PAGE.encode()),
    "x-gzip": gzip.compress(PAGE.encode()),
    "deflate": zlib.compress(PAGE.encode()),
    "DEFLATE": BARE.compress(PAGE.encode()) + BARE.flush(),
    # Brotli with a stored block: 16 bits of window, the length, the bytes, and the end.
    "br": ((len(PAGE) - 1) << 4 | 1 << 20).to_bytes(3, "little") + PAGE.encode() + b"\x03",
    # zstd with one block that is not compressed: a window of 8 MiB, the length, and the bytes.
    "zstd": b"\x28\xb5\x2f\xfd\x00\x68" + (len(PAGE) << 3 | 1).to_bytes(3, "little") + PAGE.encode(),
    "deflate, gzip": gzip.compress(zlib.compress(PAGE.encode())),
}
#: 80 MiB of zeros.
BOMB = base64.b64decode("z///fwAkAOKxQHLv//n//w+ABEAcFoDu/T////8BkACIwwLQvf/n//8/ABIAcVgAuvf/+f//D0ACIA4LQPf+Hw==")


def coded(coding, body):
    def handle(exchange, request):
        exchange.answer(body, f"Content-Encoding: {coding}", 'ETag: "1"', content_type="text/html")

    return handle


@pytest.mark.parametrize("coding", CODED)
def test_a_compressed_document_has_the_shim(behind, coding):
    with upstream(coded(coding, CODED[coding])) as site:
        client = Client(behind(site))
        response = client.get("/", *NAVIGATION)
        assert (site.requests[-1].field("accept-encoding"), response.field("content-encoding")) == ("identity", None)
        assert response.body.decode().startswith("<!doctype html><html lang=\"en\"><head><script src=") and b"own = typeof" in response.body
        # What a script fetches stays as it is.
        response = client.get("/", "Sec-Fetch-Dest: empty", "Accept-Encoding: gzip, br")
        assert (response.body, response.field("content-encoding")) == (CODED[coding], coding)
        assert client.get("/", *NAVIGATION, method="HEAD").field("content-encoding") is None


def test_a_compressed_document_that_arrives_byte_by_byte_runs_in_the_browser(behind, page):
    def handle(exchange, request):
        body = CODED["br"]
        exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n")
        for index in range(len(body)):
            exchange.send(b"1\r\n", body[index:index + 1], b"\r\n")
        exchange.send("0\r\n\r\n")

    with upstream(handle) as site:
        page.goto(behind(site).url)
        assert page.evaluate("[own, typeof onside]") == ["object", "object"]


def test_a_body_that_does_not_match_its_coding_is_an_error(behind):
    with upstream(coded("gzip", PAGE)) as site:
        server = behind(site)
        response = Client(server).get("/", *NAVIGATION)
        assert response.status == 502
        assert b"the body is not valid gzip, although Content-Encoding says so" in response.body
        server.wait_for_log("not valid gzip")


def test_a_small_body_that_expands_hugely_is_cut_at_the_limit(behind):
    with upstream(coded("br", BOMB)) as site:
        server = behind(site)
        client = Client(server)
        client.send("\r\n".join(["GET / HTTP/1.1", f"Host: {client.host}", *NAVIGATION]) + "\r\n\r\n")
        client.head()
        size = 0
        while line := client.read_until(b"\r\n"):
            count = int(line, 16)
            assert count > 0, "the document is complete"
            size += count
            client.read(count + 2)
        assert 60 << 20 < size <= 65 << 20
        server.wait_for_log("the decoded body is larger than 64 MiB")


def test_a_document_in_an_unknown_coding_is_passed_on_with_a_log_line(behind):
    with upstream(coded("dcz", b"^*M\x18")) as site:
        server = behind(site)
        response = Client(server).get("/", *NAVIGATION)
        assert (response.body, response.field("content-encoding")) == (b"^*M\x18", "dcz")
        server.wait_for_log("The shim is missing", "a content coding that Footbridge cannot decode")


def test_a_har_file_has_compressed_texts_decoded_and_without_secrets(behind, tmp_path):
    body = gzip.compress(b'{"access_token":"hidden","a":1}')

    def handle(exchange, request):
        exchange.answer(body, "Content-Encoding: gzip", content_type="application/json")

    file = tmp_path / "traffic.har"
    with upstream(handle) as site:
        server = behind(site, "--har", file)
        assert Client(server).get("/").body == body
        server.stop()
        content = json.loads(file.read_text())["log"]["entries"][0]["response"]["content"]
        assert json.loads(content["text"]) == {"access_token": "left-out", "a": 1}
        assert content["size"] - content["compression"] == len(body)


#: Fields of a document on which browsers act.
with_fields = pytest.mark.parametrize("field", [
    "Content-Security-Policy: upgrade-insecure-requests", "Content-Security-Policy: default-src 'none'; upgrade-insecure-requests",
    "Content-Security-Policy: sandbox allow-scripts allow-same-origin", "Permissions-Policy: camera=(), sync-xhr=()",
    "Integrity-Policy: blocked-destinations=(script)", "Document-Policy: document-write=?0", "Cross-Origin-Embedder-Policy: require-corp",
    "Content-Security-Policy: require-sri-for script; require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options: nosniff", "Origin-Agent-Cluster: ?1", "Clear-Site-Data: \"*\"", "Referrer-Policy: no-referrer",
])
on_hosts = pytest.mark.parametrize("host", [
    "127.0.0.1", pytest.param(PLAIN_NAME, marks=only(CHROMIUM, FIREFOX, because="it has no option for the address of a name")),
])


@pytest.fixture
def with_field(behind):
    """Returns the address of a page whose server sends a field, at a host."""
    with contextlib.ExitStack() as stack:

        def start(field, host):
            site = stack.enter_context(upstream(lambda exchange, _: exchange.answer(PAGE, field, content_type="text/html")))
            return f"http://{host}:{behind(site, '--allow-host', host).port}/"

        yield start


@on_hosts
@with_fields
def test_the_page_has_its_host_whatever_fields_its_server_sends(with_field, page, field, host):
    page.goto(with_field(field, host))
    assert page.evaluate("onside.getTransactions()") == []


@only(CHROMIUM, because="no script can ask what a policy allows")
@on_hosts
@with_fields
def test_the_page_may_use_the_camera_and_synchronous_requests_whatever_fields_its_server_sends(with_field, page, field, host):
    page.goto(with_field(field, host))
    policy = "document.featurePolicy.allowsFeature"
    assert page.evaluate(f"[{policy}('camera') || !isSecureContext, {policy}('sync-xhr')]") == [True, True]


def test_a_policy_that_allows_the_production_site_allows_the_pages_own_scripts(behind, page):
    def handle(exchange, request):
        if request.target == "/static/app.js":
            return exchange.answer("window.app = true", content_type="text/javascript")
        exchange.answer('<!doctype html><script src="/static/app.js"></script>',
                        "Content-Security-Policy: script-src https://app.example.com/static/", content_type="text/html")

    with upstream(handle) as site:
        page.goto(behind(site, "--site-origin", "https://app.example.com").url)
        assert page.evaluate("[window.app, typeof onside]") == [True, "object"]


def test_links_to_the_upstream_are_rewritten_if_requested(behind, page):
    def handle(exchange, request):
        own = f"http://127.0.0.1:{site.port}"
        text = f'<!doctype html><title>{request.target}</title><a href="{own}/next?a#b">Next</a><a id=site href=https://app.example.com/c>Site</a>' \
               f'<a id=other href="https://other.example/d">Other</a><script>window.text = "{own}/e"</script>'
        # Each piece ends within a tag.
        exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
        for index in range(0, len(text), 7):
            piece = text[index:index + 7].encode()
            exchange.send(f"{len(piece):x}\r\n", piece, b"\r\n")
        exchange.send("0\r\n\r\n")

    with upstream(handle) as site:
        for arguments, is_rewritten in ((), False), (("--proxy-rewrite-links",), True):
            server = behind(site, "--site-origin", "https://app.example.com", *arguments)
            page.goto(server.url)
            links = page.evaluate("[...document.links].map(link => link.href).concat(text)")
            own = f"http://127.0.0.1:{site.port}"
            assert links == [f"{server.url if is_rewritten else own}/next?a#b",
                             f"{server.url}/c" if is_rewritten else "https://app.example.com/c", "https://other.example/d", f"{own}/e"]
        page.get_by_text("Next").click()
        page.wait_for_url("**/next?a#b")
        assert page.evaluate("typeof onside") == "object"
