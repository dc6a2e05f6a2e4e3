"""A server that stops finishes what is in progress, reports that it stops, and ends in time."""

import json
import signal
import threading
import urllib.request

import pytest

from footbridge_process import serve
from raw_http import Client
from upstream_services import TokenEndpoint
from upstreams import upstream
from wire_page import WirePage

#: Longer than any test waits, so that the timeout does not end the server.
FOREVER = ("--drain-timeout", 3600)


@pytest.fixture
def slow():
    """Runs an upstream that begins its answer at once, and ends it when a test says so."""

    def answer(exchange, request):
        exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\n", "begun-")
        site.has_begun.set()
        assert site.may_end.wait(20)
        exchange.send("done")

    with upstream(answer) as site:
        site.has_begun, site.may_end = threading.Event(), threading.Event()
        yield site
        site.may_end.set()


def stop(server):
    """Tells a server to stop, and waits until it has got the signal."""
    server.process.send_signal(signal.SIGTERM)
    while Client(server).get("/__footbridge/health").status == 200:
        pass


def health(server, path=""):
    response = Client(server).get("/__footbridge/health" + path)
    return response.status, json.loads(response.body)["status"]


def test_a_running_server_is_live_and_ready(shop):
    for path in ("", "/live", "/ready"):
        assert health(shop, path) == (200, "ok")
    response = Client(shop).get("/__footbridge/health/ready", method="HEAD")
    assert (response.status, response.body) == (200, b"")
    assert Client(shop).get("/__footbridge/health", method="POST").status == 405
    assert Client(shop).get("/__footbridge/health/other").status == 404


def test_an_open_response_is_finished_while_the_server_reports_not_ready(slow):
    with serve("--proxy", slow.url, "--ephemeral", "--open-metrics", *FOREVER) as server:
        open_client = Client(server)
        assert open_client.get("/__footbridge/health").status == 200
        client = Client(server)
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        assert slow.has_begun.wait(20)
        stop(server)
        assert health(server) == health(server, "/ready") == (503, "draining")
        assert health(server, "/live") == (200, "draining")
        assert b"\nfootbridge_ready 0\n" in Client(server).get("/__footbridge/metrics").body
        # The server answers the next request, and then closes that connection.
        assert open_client.get("/__footbridge/shim.js").field("connection") == "close"
        assert open_client.is_closed()
        assert Client(server).get("/__footbridge/bridge").status == 503
        slow.may_end.set()
        assert client.response().body == b"begun-done"
        assert client.is_closed()
        assert server.process.wait(timeout=60) == 0


def test_an_open_upload_is_finished():
    def answer(exchange, request):
        exchange.answer(exchange.body(request))

    with upstream(answer) as site, serve("--proxy", site.url, "--ephemeral", *FOREVER) as server:
        client = Client(server)
        client.send(f"POST / HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: 4\r\n\r\n12")
        # The server accepts connections in the order in which they came.
        assert Client(server).get("/__footbridge/health").status == 200
        stop(server)
        client.send("34")
        assert client.response().body == b"1234"
        assert server.process.wait(timeout=60) == 0


def test_a_slow_reader_gets_the_whole_file(tmp_path):
    (tmp_path / "large.bin").write_bytes(b"x" * (32 << 20))
    with serve("--root", tmp_path, "--ephemeral", *FOREVER) as server:
        client = Client(server)
        client.send(f"GET /large.bin HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        head = client.head()
        stop(server)
        count = len(client.buffer)
        while data := client.connection.recv(1 << 20):
            count += len(data)
        assert count == int(head.field("content-length")) == 32 << 20
        assert server.process.wait(timeout=60) == 0


def test_a_response_is_cut_at_the_drain_timeout(slow):
    with serve("--proxy", slow.url, "--ephemeral", "--drain-timeout", 0.2) as server:
        client = Client(server)
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        assert slow.has_begun.wait(20)
        assert server.signal(signal.SIGTERM) == 0
        assert client.head().status == 200
        assert client.read(10) == b"begun-"
        server.wait_for_log("Some requests or calls were not answered", "0.2 seconds")


def test_streams_and_waits_do_not_delay_the_stop(slow, shop_root):
    def answer(exchange, request):
        exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n")
        slow.has_begun.set()
        exchange.read(1)

    with upstream(answer) as site, serve("--proxy", site.url, "--ephemeral", *FOREVER) as server:
        stream = Client(server)
        stream.send(f"GET / HTTP/1.1\r\nHost: {stream.host}\r\n\r\n")
        assert slow.has_begun.wait(20) and stream.head().status == 200
        control = server.control()
        session = control.session()["id"]
        failures = []

        def wait():
            try:
                control("POST", f"/sessions/{session}/journal/wait", {"until": {"kind": "event"}, "timeout": 60_000})
            except Exception as error:
                failures.append(error)

        with control.events(session) as events:
            waiting = threading.Thread(target=wait)
            waiting.start()
            # The journal has every request.
            control("PATCH", f"/sessions/{session}", {"name": "other"})
            next(events)
            assert server.signal(signal.SIGTERM) == 0
        waiting.join(timeout=60)
        assert failures


def test_an_open_call_is_answered_before_the_stop(shop_root, tmp_path):
    endpoint = TokenEndpoint()
    (tmp_path / "footbridge.yaml").write_text(json.dumps({"today": {"token": {
        "url": endpoint.url, "refreshToken": TokenEndpoint.FIRST, "clientId": "client", "clientSecret": "secret"}}}))
    endpoint.gate.clear()
    arguments = ("--root", shop_root, "--config", tmp_path / "footbridge.yaml", "--site-origin", "https://today.example", "--ephemeral", *FOREVER)
    try:
        with serve(*arguments) as server:
            request = urllib.request.Request(server.url, headers={"Sec-Fetch-Dest": "document"})
            with urllib.request.urlopen(request) as response:
                ticket = response.read().decode().split('data-footbridge-ticket="')[1].split('"')[0]
                session = response.headers["set-cookie"].split("=")[1].split(";")[0]
            page = WirePage(server.port, session, ticket=ticket)
            assert page.is_greeted.wait(20)
            call = page.start("today.message", value={"type": "refreshToken"})
            # The server has read the call once it answers the next one. The request may be that of the launch.
            page.call("onside.getTransactions")
            endpoint.wait_for(lambda: endpoint.posts)
            stop(server)
            page.stay_away()
            endpoint.gate.set()
            assert call.result(10)["value"]
            assert server.process.wait(timeout=60) == 0
            page.close()
    finally:
        endpoint.gate.set()
        endpoint.stop()


def test_calls_that_wait_for_a_person_or_have_no_handler_do_not_delay_the_stop(shop_root, catalog):
    with serve("--root", shop_root, "--catalog", catalog, *FOREVER) as server:
        person, nobody = WirePage(server.port), WirePage(server.port)
        login = person.start("onside.requestLogin")
        person.call("onside.getTransactions")
        unanswered = nobody.start("camera.unknown")
        nobody.call("onside.getTransactions")
        assert server.signal(signal.SIGTERM) == 0
        assert not login.answered.is_set() and not unanswered.answered.is_set()
        for page in (person, nobody):
            page.close()
