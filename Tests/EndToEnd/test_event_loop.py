"""A server with the event loop of libev does everything that one with poll does."""

import contextlib
import json
import os
import random

import pytest
from websockets.sync.client import connect

from broken_line import BrokenLine
from buyer import Buyer
from footbridge_process import serve
from raw_http import Client
from upstreams import upstream



@pytest.fixture
def libev(shop_root, catalog, tmp_path):
    """Runs a server with libev, which stores purchases."""
    with serve("--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state",
               environment={"FOOTBRIDGE_EVENT_LOOP": "libev"}) as server:
        yield server


def test_purchases_are_exact_over_a_line_that_is_cut(libev):
    with BrokenLine(libev.port, random.Random(7)) as line:
        buyer = Buyer(libev.port, 20, line=line.port)
        buyer.buy()
        line.calm()
        buyer.check()
        buyer.close()


def test_a_page_among_hundreds_that_are_silent_is_answered(libev):
    def page():
        return connect(f"ws://127.0.0.1:{libev.port}/__footbridge/bridge", subprotocols=["footbridge.v1"], compression=None,
                       origin=libev.url, ping_interval=None)

    with contextlib.ExitStack() as open_pages:
        active, *_ = [open_pages.enter_context(page()) for _ in range(300)]
        for number in range(20):
            active.send(json.dumps({"version": "1.0", "correlationId": f"{number}", "type": "request", "timestamp": 1,
                                    "payload": {"action": "capability.query"}}))
            assert json.loads(active.recv(timeout=10))["correlationId"] == f"{number}"


def test_the_proxy_passes_large_bodies_both_ways(behind):
    body = os.urandom(4 << 20)
    with upstream(lambda exchange, request: exchange.answer(exchange.body(request))) as site:
        client = Client(behind(site, environment={"FOOTBRIDGE_EVENT_LOOP": "libev"}))
        assert client.get("/", f"Content-Length: {len(body)}", method="POST", body=body).body == body
        client.close()


def test_the_server_ends_when_it_is_told_to(libev):
    assert libev.stop() == os.EX_OK
