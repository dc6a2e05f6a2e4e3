"""A server does the same with each of its event loops."""

import contextlib
import json
import os
import random
import socket

import pytest
from websockets.sync.client import connect

from broken_line import BrokenLine
from buyer import Buyer
from footbridge_process import run, serve
from raw_http import Client
from upstreams import upstream


@pytest.fixture(params=["poll", "libev"])
def kind(request):
    """Names an event loop."""
    return request.param


@pytest.fixture
def server(kind, shop_root, catalog, tmp_path):
    """Runs a server with this event loop, which stores purchases."""
    with serve("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state",
               environment={"FOOTBRIDGE_EVENT_LOOP": kind}) as server:
        yield server


@pytest.fixture
def without_libev(tmp_path):
    """Returns the environment of a machine whose libev cannot be loaded."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    for name in ("libev.so.4", "libev.4.dylib"):
        (folder / name).write_bytes(b"")
    return {"LD_LIBRARY_PATH": str(folder), "DYLD_LIBRARY_PATH": str(folder)}


def test_a_server_without_libev_falls_back_to_poll(shop_root, without_libev):
    with serve("--root", shop_root, "--ephemeral", environment=without_libev) as server:
        assert server.stop() == os.EX_OK


def test_a_server_that_must_use_libev_names_the_missing_package(shop_root, without_libev):
    ended = run("serve", "--root", shop_root, "--ephemeral", "--port", "0", "--event-loop", "libev", environment=without_libev)
    assert ended.returncode == os.EX_UNAVAILABLE
    assert "Install libwebsockets-evlib-ev" in ended.stderr


def test_purchases_are_exactly_once_over_a_cut_connection(server):
    with BrokenLine(server.port, random.Random(7)) as line:
        buyer = Buyer(server.port, 20, line=line.port)
        buyer.buy()
        line.calm()
        buyer.check()
        buyer.close()


def test_a_page_is_answered_among_hundreds_of_silent_ones(server):
    def page():
        return connect(f"ws://127.0.0.1:{server.port}/__footbridge/bridge", subprotocols=["footbridge.v1"], compression=None,
                       origin=server.url, ping_interval=None)

    with contextlib.ExitStack() as open_pages:
        active, *_ = [open_pages.enter_context(page()) for _ in range(300)]
        for number in range(20):
            active.send(json.dumps({"version": "1.0", "correlationId": f"{number}", "type": "request", "timestamp": 1,
                                    "payload": {"action": "capability.query"}}))
            assert json.loads(active.recv(timeout=10))["correlationId"] == f"{number}"


def test_a_silent_upstream_is_answered_504_at_the_timeout(behind, kind):
    def say_nothing(exchange, request):
        exchange.read(1)

    with upstream(say_nothing) as site:
        client = Client(behind(site, "--proxy-timeout", "0.2", environment={"FOOTBRIDGE_EVENT_LOOP": kind}))
        assert client.get().status == 504
        client.close()


def test_timeouts_of_libwebsockets_fire_on_libev(behind):
    def say_nothing(exchange, request):
        exchange.read(1)

    # Five seconds after its close frame, the server no longer waits for the client's. Its own timer, of eight seconds, comes later.
    with upstream(say_nothing) as site:
        server = behind(site, "--proxy-timeout", "8", environment={"FOOTBRIDGE_EVENT_LOOP": "libev"})
        client = Client(server)
        with socket.create_connection(("127.0.0.1", server.port)) as silent:
            silent.sendall(HANDSHAKE % server.port)
            assert silent.recv(4096).startswith(b"HTTP/1.1 101 ")
            silent.sendall(BINARY_FRAME)
            assert client.get().status == 504
            silent.setblocking(False)
            assert bytes_until_the_end(silent).endswith(b"Messages are text.")
        client.close()


HANDSHAKE = (b"GET /__footbridge/bridge HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
             b"Sec-WebSocket-Protocol: footbridge.v1\r\n\r\n")
#: The server closes a connection on which it comes.
BINARY_FRAME = b"\x82\x81\0\0\0\0\1"


def bytes_until_the_end(connection):
    """Returns what the peer has sent before it closed the connection. Fails if it has not closed it yet."""
    return b"".join(iter(lambda: connection.recv(4096), b""))


def test_the_proxy_passes_large_bodies_both_ways(behind, kind):
    body = os.urandom(4 << 20)
    with upstream(lambda exchange, request: exchange.answer(exchange.body(request))) as site:
        client = Client(behind(site, environment={"FOOTBRIDGE_EVENT_LOOP": kind}))
        assert client.get("/", f"Content-Length: {len(body)}", method="POST", body=body).body == body
        client.close()


def test_the_server_ends_when_it_is_asked_to(server):
    assert server.stop() == os.EX_OK
