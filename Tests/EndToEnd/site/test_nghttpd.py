"""nghttp2's own server as the upstream: it speaks HTTP/2 and nothing else."""

import shutil

import pytest

from certificates import Pair
from footbridge_process import serve
from ports import free_port
from raw_http import Client
from upstreams import program

#: Debian has it where only root's programs are.
NGHTTPD = shutil.which("nghttpd") or shutil.which("nghttpd", path="/usr/sbin")
LARGE = bytes(range(256)) * 8192
SCRIPTS = 20
PAGE = '<!doctype html><html lang="en"><head><title>Site</title></head><body>' + "".join(
    f'<script src="/{number}.js"></script>' for number in range(SCRIPTS)) + "</body></html>"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Footbridge in front of a server that takes three requests at a time, pads its frames, and compresses its errors."""
    if not NGHTTPD:
        pytest.skip("nghttpd is not installed: make setup-test")
    folder = tmp_path_factory.mktemp("nghttpd")
    root = folder / "root"
    root.mkdir()
    (root / "index.html").write_text(PAGE)
    (root / "large.bin").write_bytes(LARGE)
    for number in range(SCRIPTS):
        (root / f"{number}.js").write_text("window.scripts = (window.scripts ?? 0) + 1")
    certificate, key = Pair("upstream", names=["127.0.0.1"]).write(folder, "upstream")
    port = free_port()
    command = [NGHTTPD, "--address", "127.0.0.1", "--htdocs", root, "--max-concurrent-streams=3", "--padding=100", "--echo-upload",
               "--error-gzip", port, key, certificate]
    with program(command, port), serve("--proxy", f"https://127.0.0.1:{port}", "--proxy-insecure", "--ephemeral") as server:
        yield server


def test_a_page_and_its_scripts_are_passed_on(server, page):
    page.goto(server.url)
    assert page.evaluate("[scripts, typeof onside, document.title]") == [SCRIPTS, "object", "Site"]


def test_a_large_file_is_passed_on_whole(server):
    answer = Client(server).get("/large.bin")
    assert (answer.status, answer.body == LARGE) == (200, True)


def test_more_requests_than_its_limit_of_streams_are_all_answered(server):
    clients = [Client(server) for _ in range(12)]
    for client in clients:
        client.send(f"GET /large.bin HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
    assert all(client.response().body == LARGE for client in clients)


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_an_upload_is_echoed_whole(server, method):
    client = Client(server)
    for body in (b"", b"form=1", LARGE):
        answer = client.get("/", f"Content-Length: {len(body)}", method=method, body=body)
        assert (answer.status, answer.body == body) == (200, True)


def test_an_error_page_that_is_compressed_unasked_has_the_shim(server, page):
    answer = page.goto(f"{server.url}/missing.html")
    assert (answer.status, answer.headers.get("content-encoding")) == (404, None)
    assert "nghttpd" in page.inner_text("body") and page.evaluate("typeof onside") == "object"
