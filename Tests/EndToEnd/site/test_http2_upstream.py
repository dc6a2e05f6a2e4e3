"""HTTP/2 towards https upstreams: one connection for all requests, and nothing that a hostile server can do to it (RFC 9113)."""

import contextlib
import json
import queue
import struct
import threading

import pytest
from h2.settings import SettingCodes

from footbridge_process import serve
from h2_upstream import (
    ACK, CANCEL, COMPRESSION_ERROR, CONTINUATION, DATA, END_HEADERS, END_STREAM, ENHANCE_YOUR_CALM, FLOW_CONTROL_ERROR, FRAME_SIZE_ERROR, GOAWAY,
    HEADERS, HTTP_1_1_REQUIRED, INTERNAL_ERROR, NO_ERROR, PADDED, PING, PROTOCOL_ERROR, PUSH_PROMISE, REFUSED_STREAM, RST_STREAM, SETTINGS,
    STREAM_CLOSED, WINDOW_UPDATE, FrameServer, PoliteServer, certificate,
)
from raw_http import Client
from upstreams import Exchange, upstream

OK = (":status", "200")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("upstream")


@pytest.fixture(scope="module")
def tls(folder):
    return certificate(folder)


@pytest.fixture
def before(behind):
    """Starts Footbridge in front of an https upstream with a certificate of its own."""
    return lambda site, *arguments: behind(site, "--proxy-insecure", *arguments)


def seen(stream):
    """What a server sees of a request."""
    body = stream.body()
    stream.answer(json.dumps({"fields": stream.fields, "length": len(body), "trailers": stream.trailers, "connection": stream.connection.number}))


# Requests and responses.


def test_a_request_has_the_fields_of_http2(before, tls):
    with PoliteServer(seen, tls) as site:
        client = Client(before(site, "--proxy-host", "keep"))
        answer = client.get("/a?b=c", "X-Test: one", "X-Test: two", "X-Bytes: \xff", "Cookie: a=1", "Cookie: b=2", "TE: trailers, deflate",
                            "Connection: TE, X-Hop", "X-Hop: y", "Keep-Alive: 5", "Proxy-Connection: close")
        fields = json.loads(answer.body)["fields"]
        assert fields[:4] == [[":method", "GET"], [":scheme", "https"], [":authority", client.host], [":path", "/a?b=c"]]
        names = [name for name, _ in fields]
        assert not set(names) & {"host", "connection", "keep-alive", "proxy-connection", "x-hop", "transfer-encoding", "upgrade"}
        assert [value for name, value in fields if name == "x-test"] == ["one", "two"]
        assert [value for name, value in fields if name == "te"] == ["trailers"]
        assert [value for name, value in fields if name == "cookie"] == ["a=1; b=2"]


def test_bodies_are_passed_on_in_both_directions_with_and_without_a_length(before, tls):
    with PoliteServer(lambda stream: stream.answer(stream.body()), tls) as site:
        client = Client(before(site))
        body = b"0123456789" * 50_000
        assert client.get("/", f"Content-Length: {len(body)}", method="POST", body=body).body == body
        assert client.get("/", "Content-Length: 0", method="POST").body == b""
        chunks = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        answer = client.get("/", "Transfer-Encoding: chunked", method="PUT", body=chunks)
        assert answer.body == body
        assert [stream["content-length"] for stream in site.requests] == [str(len(body)), "0", None]
        assert site.connections == 1


def test_trailers_are_passed_on_in_both_directions(before, tls):
    def handle(stream):
        stream.body()
        stream.headers(OK, ("trailer", "x-sum"))
        stream.data(b"abc")
        stream.headers(("x-sum", json.dumps(stream.trailers)), ends=True)

    with PoliteServer(handle, tls) as site:
        answer = Client(before(site)).get("/", "Transfer-Encoding: chunked", method="POST", body=b"1\r\na\r\n0\r\nX-Late: yes\r\n\r\n")
        assert answer.body == b"abc"
        assert answer.trailers.strip() == 'x-sum: [["x-late", "yes"]]'


def test_informational_responses_are_passed_on(before, tls):
    def handle(stream):
        stream.headers((":status", "103"), ("link", "</a.css>; rel=preload"))
        stream.answer("ok")

    with PoliteServer(handle, tls) as site:
        client = Client(before(site))
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        early = client.head()
        assert (early.status, early.field("link")) == (103, "</a.css>; rel=preload")
        assert client.response().body == b"ok"


def test_an_expectation_is_met_by_the_upstream(before, tls):
    def handle(stream):
        stream.headers((":status", "100"))
        stream.answer(stream.body())

    with PoliteServer(handle, tls) as site:
        client = Client(before(site))
        client.send(f"POST / HTTP/1.1\r\nHost: {client.host}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert client.head().status == 100
        client.send("hi")
        assert client.response().body == b"hi"


@pytest.mark.parametrize("method, status, fields", [
    ("HEAD", 200, [("content-length", "5")]), ("GET", 204, []), ("GET", 304, [("content-length", "5")]), ("GET", 200, [("content-length", "0")]),
    ("GET", 404, []),
])
def test_responses_without_a_body_are_passed_on(before, tls, method, status, fields):
    with PoliteServer(lambda stream: stream.answer(b"", *fields, status=status), tls) as site:
        client = Client(before(site))
        for _ in range(2):
            answer = client.get("/", method=method)
            assert (answer.status, answer.body) == (status, b"")
            if fields:
                assert answer.field("content-length") == fields[0][1]


def test_documents_from_an_http2_upstream_have_the_shim(before, tls):
    def handle(stream):
        stream.answer("<!doctype html><title>Site</title>", ("content-type", "text/html"), ("content-length", "34"))

    with PoliteServer(handle, tls) as site:
        answer = Client(before(site)).get("/", "Sec-Fetch-Dest: document")
        assert b"data-footbridge-ticket" in answer.body and site.requests[0]["accept-encoding"] == "identity"


def test_white_space_around_a_value_is_removed_as_browsers_do(before, tls):
    with PoliteServer(lambda stream: stream.answer("ok", ("x-test", " padded\t")), tls) as site:
        assert Client(before(site)).get("/").field("x-test") == "padded"


# Connections.


def test_many_requests_at_a_time_share_one_connection(before, tls):
    everybody = threading.Barrier(9)

    def handle(stream):
        everybody.wait(timeout=20)
        stream.answer(stream[":path"])

    with PoliteServer(handle, tls) as site:
        server = before(site)
        clients = [Client(server) for _ in range(9)]
        for number, client in enumerate(clients):
            client.send(f"{'POST' if number % 2 else 'GET'} /{number} HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        assert [client.response().body.decode() for client in clients] == [f"/{number}" for number in range(9)]
        assert site.connections == 1


def test_a_server_with_few_concurrent_streams_gets_several_connections(before, tls):
    everybody = threading.Barrier(5)

    def handle(stream):
        everybody.wait(timeout=20)
        stream.answer("ok")

    with PoliteServer(handle, tls, settings={SettingCodes.MAX_CONCURRENT_STREAMS: 2}) as site:
        server = before(site)
        clients = [Client(server) for _ in range(5)]
        for client in clients:
            client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        assert [client.response().body for client in clients] == [b"ok"] * 5
        assert site.connections == 3
        for connection in {stream.connection for stream in site.requests}:
            assert len(connection.streams) <= 2


def test_a_server_that_chooses_http1_gets_it(before, folder, tls):
    agreed = []

    def handle(exchange, request):
        agreed.append(exchange.connection.selected_alpn_protocol())
        exchange.answer(exchange.body(request))

    for protocols in (["http/1.1"], ["http/1.1", "h2"]):
        with upstream(handle, certificate(folder, *protocols)) as site:
            client = Client(before(site))
            assert [client.get("/", "Content-Length: 2", method="POST", body=b"hi").body for _ in range(3)] == [b"hi"] * 3
    assert agreed == ["http/1.1"] * 6


def test_http2_is_not_offered_if_the_developer_says_so(before, tls):
    agreed = []

    def handle(exchange, request):
        agreed.append(exchange.connection.selected_alpn_protocol())
        exchange.answer("ok")

    with upstream(handle, tls) as site:
        assert Client(before(site, "--proxy-http1")).get("/").body == b"ok"
        assert agreed == ["http/1.1"]


def test_a_websocket_is_opened_over_http1_beside_the_connection_of_http2(before, tls):
    """The server takes both versions, as nginx does."""
    agreed = []

    class Both(PoliteServer):
        def serve(self, connection, number):
            agreed.append(connection.selected_alpn_protocol())
            if agreed[-1] == "h2":
                return super().serve(connection, number)
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += connection.recv(65536)
            assert b"\r\nUpgrade: websocket\r\n" in head
            connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n")
            connection.sendall(connection.recv(4))

    with Both(lambda stream: stream.answer("ok"), tls) as site:
        server = before(site)
        assert Client(server).get("/").body == b"ok"
        client = Client(server)
        client.send(f"GET /socket HTTP/1.1\r\nHost: {client.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        assert client.head().status == 101
        client.send("ping")
        assert client.read(4) == b"ping"
        assert Client(server).get("/").body == b"ok"
        assert agreed == ["h2", "http/1.1"]


def test_requests_after_goaway_are_sent_on_a_new_connection(before, tls):
    go = threading.Event()

    def handle(stream):
        if stream[":path"] == "/slow":
            with stream.connection.changed:
                stream.connection.state.close_connection()
                # h2 itself takes no more frames on a connection that is to be closed; a server does.
                stream.connection.state.state_machine.state = h2_open
                stream.connection.flush()
            go.wait(timeout=20)
        stream.answer(str(stream.connection.number))

    from h2.connection import ConnectionState
    h2_open = ConnectionState.CLIENT_OPEN
    with PoliteServer(handle, tls) as site:
        server = before(site)
        slow = Client(server)
        slow.send(f"GET /slow HTTP/1.1\r\nHost: {slow.host}\r\n\r\n")
        client = Client(server)
        while client.get("/").body != b"2":
            pass
        go.set()
        assert slow.response().body == b"1"


@pytest.mark.parametrize("how", ["stream", "connection"])
@pytest.mark.parametrize("method, body", [("GET", b""), ("POST", b""), ("POST", b"form=1")])
def test_a_refused_stream_is_sent_again_with_its_body(before, tls, how, method, body):
    def handle(frames, stream, path):
        refused.append(stream)
        if len(refused) > 1:
            frames.headers(stream, OK)
            return frames.send(DATA, END_STREAM, stream, b"ok")
        if how == "stream":
            frames.send(RST_STREAM, 0, stream, struct.pack(">I", REFUSED_STREAM))
        else:
            frames.send(GOAWAY, 0, 0, struct.pack(">II", 0, NO_ERROR))

    refused = []
    with FrameServer(handle, tls) as site:
        client = Client(before(site))
        answer = client.get("/", f"Content-Length: {len(body)}", method=method, body=body)
        assert (answer.status, answer.body, len(refused)) == (200, b"ok", 2)
        assert site.connections == (1 if how == "stream" else 2)


def test_a_server_that_refuses_every_stream_is_answered_502(before, tls):
    refused = []

    def handle(frames, stream, path):
        refused.append(stream)
        frames.send(RST_STREAM, 0, stream, struct.pack(">I", REFUSED_STREAM))

    with FrameServer(handle, tls) as site:
        answer = Client(before(site)).get("/")
        assert answer.status == 502 and b"REFUSED_STREAM" in answer.body
        assert len(refused) == 4


@pytest.mark.parametrize("how", ["stream", "connection"])
def test_a_request_that_requires_http1_is_sent_again_over_it(before, tls, how):
    """The server takes both versions, and refuses one of them."""
    agreed = []

    class Both(FrameServer):
        def serve(self, connection, number):
            agreed.append(connection.selected_alpn_protocol())
            if agreed[-1] == "h2":
                return super().serve(connection, number)
            exchange = Exchange(connection)
            while request := exchange.request():
                exchange.answer("ok" if exchange.body(request) == b"form=1" else "no")

    def handle(frames, stream, path):
        if how == "stream":
            frames.send(RST_STREAM, 0, stream, struct.pack(">I", HTTP_1_1_REQUIRED))
        else:
            frames.send(GOAWAY, 0, 0, struct.pack(">II", 0, HTTP_1_1_REQUIRED))

    with Both(handle, tls) as site:
        client = Client(before(site))
        for _ in range(2):
            assert client.get("/", "Content-Length: 6", method="POST", body=b"form=1").body == b"ok"
    # A request that is not to be repeated gets a connection of HTTP/1.1 of its own.
    assert agreed == ["h2", "http/1.1", "http/1.1"]


# Back pressure.


def test_a_slow_browser_does_not_delay_others_or_fill_the_memory(before, tls):
    blocked = threading.Event()

    def handle(stream):
        if stream[":path"] != "/large":
            return stream.answer("small")
        stream.headers(OK)
        while stream.connection.state.local_flow_control_window(stream.id) > 0:
            stream.data(bytes(min(16_384, stream.connection.state.local_flow_control_window(stream.id))))
        blocked.set()
        stream.data(bytes(4 << 20), ends=True)

    with PoliteServer(handle, tls) as site:
        server = before(site)
        slow, quick = Client(server), Client(server)
        slow.send(f"GET /large HTTP/1.1\r\nHost: {slow.host}\r\n\r\n")
        assert blocked.wait(20)
        for _ in range(20):
            assert quick.get("/").body == b"small"
        assert slow.response().body.count(b"\0") > 4 << 20
        assert site.connections == 1


def test_an_upload_that_the_server_does_not_read_does_not_delay_others(before, tls):
    def handle(stream):
        stream.answer("ok")

    with PoliteServer(handle, tls, takes_data=False, settings={SettingCodes.INITIAL_WINDOW_SIZE: 10}) as site:
        server = before(site)
        upload, quick = Client(server), Client(server)
        # After the first answer, the server's settings are known.
        assert quick.get("/").body == b"ok"
        upload.send(f"POST / HTTP/1.1\r\nHost: {upload.host}\r\nContent-Length: 1000\r\n\r\n", b"x" * 1000)
        assert upload.response().body == b"ok"
        assert quick.get("/").body == b"ok"
        # The answer is complete, so the rest of the body is not needed.
        assert site.requests[1].wait_for_reset() == CANCEL
        assert site.connections == 1


def test_a_window_changed_by_the_settings_is_used(before, tls):
    def handle(stream):
        if stream[":method"] == "GET":
            return stream.answer("ok")
        with stream.connection.changed:
            stream.connection.changed.wait_for(lambda: len(b"".join(stream.pieces)) >= 10)
            stream.connection.state.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: 1 << 20})
            stream.connection.flush()
        stream.answer(str(len(stream.body())))

    with PoliteServer(handle, tls, settings={SettingCodes.INITIAL_WINDOW_SIZE: 10}) as site:
        client, body = Client(before(site)), b"x" * 50_000
        # After the first answer, the server's settings are known.
        assert client.get("/").body == b"ok"
        assert client.get("/", f"Content-Length: {len(body)}", method="POST", body=body).body == b"50000"


def test_a_browser_that_disconnects_ends_only_its_own_request(before, tls):
    def handle(stream):
        stream.headers(OK, ("content-type", "text/event-stream"))
        stream.data(b"data: one\n\n")
        codes.put(stream.wait_for_reset())

    codes = queue.Queue()
    with PoliteServer(handle, tls) as site:
        server = before(site)
        leaving, staying = Client(server), Client(server)
        for client in (leaving, staying):
            client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
            client.read_until(b"data: one\n\n")
        leaving.close()
        assert codes.get(timeout=20) == CANCEL
        assert site.connections == 1 and codes.empty()


# What goes wrong.


def setting(number, value):
    return struct.pack(">HI", number, value)


def block(frames, *fields):
    return frames.encoder.encode(list(fields))


def literal(name, value):
    """A field that no encoder writes (RFC 7541, section 6.2.2)."""
    return b"\x00" + bytes([len(name)]) + name + bytes([len(value)]) + value


def half(frames, stream):
    frames.headers(stream, OK, ("content-length", "10"))
    frames.send(DATA, 0, stream, b"half")


#: What a server sends instead of an answer: the end that the client makes of it, and what the browser reads of it.
ANSWERS = {
    # Section 4.1 and 4.2: frames.
    "frame-too-large": (lambda f, s: f.send(DATA, 0, s, bytes(16_385)), ("connection", FRAME_SIZE_ERROR)),
    # Section 4.3: field blocks.
    "block-damaged": (lambda f, s: f.send(HEADERS, END_HEADERS, s, b"\xff\xff\xff\xff\xff"), ("connection", COMPRESSION_ERROR)),
    "block-interrupted": (
        lambda f, s: (f.send(HEADERS, 0, s, block(f, OK)), f.send(PING, 0, 0, bytes(8))), ("connection", PROTOCOL_ERROR)),
    # Section 5.1: streams that are idle, or have ended.
    "headers-idle": (lambda f, s: f.headers(s + 2, OK), ("connection", PROTOCOL_ERROR)),
    "data-idle": (lambda f, s: f.send(DATA, 0, s + 2, b"x"), ("connection", PROTOCOL_ERROR)),
    "reset-idle": (lambda f, s: f.send(RST_STREAM, 0, s + 2, bytes(4)), ("connection", PROTOCOL_ERROR)),
    "window-idle": (lambda f, s: f.send(WINDOW_UPDATE, 0, s + 2, struct.pack(">I", 1)), ("connection", PROTOCOL_ERROR)),
    "headers-of-the-servers-own": (lambda f, s: f.headers(2, OK), ("connection", PROTOCOL_ERROR)),
    # Section 6.1: DATA.
    "data-on-0": (lambda f, s: f.send(DATA, 0, 0, b"x"), ("connection", PROTOCOL_ERROR)),
    "data-padding": (lambda f, s: (f.headers(s, OK), f.send(DATA, PADDED, s, b"\x05abc")), ("connection", PROTOCOL_ERROR)),
    # Section 6.2: HEADERS.
    "headers-on-0": (lambda f, s: f.headers(0, OK), ("connection", PROTOCOL_ERROR)),
    "headers-padding": (lambda f, s: f.send(HEADERS, PADDED | END_HEADERS, s, b"\xff" + block(f, OK)), ("connection", PROTOCOL_ERROR)),
    # Section 6.3: PRIORITY.
    "priority-size": (lambda f, s: f.send(2, 0, s, bytes(4)), ("connection", FRAME_SIZE_ERROR)),
    # Section 6.4: RST_STREAM.
    "reset-on-0": (lambda f, s: f.send(RST_STREAM, 0, 0, bytes(4)), ("connection", PROTOCOL_ERROR)),
    "reset-size": (lambda f, s: f.send(RST_STREAM, 0, s, bytes(3)), ("connection", FRAME_SIZE_ERROR)),
    # Section 6.5: SETTINGS.
    "settings-stream": (lambda f, s: f.send(SETTINGS, 0, s), ("connection", PROTOCOL_ERROR)),
    "settings-size": (lambda f, s: f.send(SETTINGS, 0, 0, bytes(5)), ("connection", FRAME_SIZE_ERROR)),
    "settings-ack-size": (lambda f, s: f.send(SETTINGS, ACK, 0, setting(1, 1)), ("connection", FRAME_SIZE_ERROR)),
    "settings-push": (lambda f, s: f.send(SETTINGS, 0, 0, setting(2, 1)), ("connection", PROTOCOL_ERROR)),
    "settings-window": (lambda f, s: f.send(SETTINGS, 0, 0, setting(4, 1 << 31)), ("connection", FLOW_CONTROL_ERROR)),
    "settings-frame-size": (lambda f, s: f.send(SETTINGS, 0, 0, setting(5, 16_383)), ("connection", PROTOCOL_ERROR)),
    # Section 6.6: pushes, which are switched off (section 8.4).
    "push": (lambda f, s: f.send(PUSH_PROMISE, END_HEADERS, s, struct.pack(">I", 2) + block(f, (":method", "GET"))), ("connection", PROTOCOL_ERROR)),
    # Section 6.7: PING.
    "ping-stream": (lambda f, s: f.send(PING, 0, s, bytes(8)), ("connection", PROTOCOL_ERROR)),
    "ping-size": (lambda f, s: f.send(PING, 0, 0, bytes(7)), ("connection", FRAME_SIZE_ERROR)),
    # Section 6.8: GOAWAY.
    "goaway-stream": (lambda f, s: f.send(GOAWAY, 0, s, bytes(8)), ("connection", PROTOCOL_ERROR)),
    # Section 6.9: WINDOW_UPDATE.
    "window-0": (lambda f, s: f.send(WINDOW_UPDATE, 0, 0, bytes(4)), ("connection", PROTOCOL_ERROR)),
    "window-0-of-a-stream": (lambda f, s: f.send(WINDOW_UPDATE, 0, s, bytes(4)), ("connection", PROTOCOL_ERROR)),
    "window-size": (lambda f, s: f.send(WINDOW_UPDATE, 0, 0, bytes(3)), ("connection", FRAME_SIZE_ERROR)),
    "window-overflow": (lambda f, s: f.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", (1 << 31) - 1)), ("connection", FLOW_CONTROL_ERROR)),
    "window-overflow-of-a-stream": (
        lambda f, s: f.send(WINDOW_UPDATE, 0, s, struct.pack(">I", (1 << 31) - 1)), ("stream", FLOW_CONTROL_ERROR)),
    # Section 6.10: CONTINUATION.
    "continuation-alone": (lambda f, s: f.send(CONTINUATION, END_HEADERS, s, block(f, OK)), ("connection", PROTOCOL_ERROR)),
    # Section 8.1.1: malformed messages.
    "length-short": (
        lambda f, s: (f.headers(s, OK, ("content-length", "10")), f.send(DATA, END_STREAM, s, b"half")), ("stream", PROTOCOL_ERROR)),
    "length-none": (lambda f, s: f.headers(s, OK, ("content-length", "10"), ends=True), ("stream", PROTOCOL_ERROR)),
    "length-twice": (lambda f, s: f.headers(s, OK, ("content-length", "1"), ("content-length", "2")), ("stream", PROTOCOL_ERROR)),
    "length-no-number": (lambda f, s: f.headers(s, OK, ("content-length", "-1")), ("stream", PROTOCOL_ERROR)),
    "body-of-204": (lambda f, s: (f.headers(s, (":status", "204")), f.send(DATA, END_STREAM, s, b"x")), ("stream", PROTOCOL_ERROR)),
    "end-after-informational": (lambda f, s: f.headers(s, (":status", "103"), ends=True), ("stream", PROTOCOL_ERROR)),
    "data-before-headers": (lambda f, s: f.send(DATA, END_STREAM, s, b"x"), ("connection", PROTOCOL_ERROR)),
    "trailers-without-end": (lambda f, s: (f.headers(s, OK), f.headers(s, ("x-late", "y"))), ("stream", PROTOCOL_ERROR)),
    # Section 8.2: fields.
    "name-upper-case": (lambda f, s: f.send(HEADERS, END_HEADERS, s, block(f, OK) + literal(b"X-Test", b"y")), ("stream", PROTOCOL_ERROR)),
    "name-with-a-space": (lambda f, s: f.send(HEADERS, END_HEADERS, s, block(f, OK) + literal(b"x test", b"y")), ("stream", PROTOCOL_ERROR)),
    "value-with-a-line-end": (lambda f, s: f.send(HEADERS, END_HEADERS, s, block(f, OK) + literal(b"x-test", b"a\r\nb: c")), ("stream", PROTOCOL_ERROR)),
    "value-with-a-nul": (lambda f, s: f.send(HEADERS, END_HEADERS, s, block(f, OK) + literal(b"x-test", b"a\0b")), ("stream", PROTOCOL_ERROR)),
    "connection": (lambda f, s: f.headers(s, OK, ("connection", "close")), ("stream", PROTOCOL_ERROR)),
    "keep-alive": (lambda f, s: f.headers(s, OK, ("keep-alive", "timeout=5")), ("stream", PROTOCOL_ERROR)),
    "transfer-encoding": (lambda f, s: f.headers(s, OK, ("transfer-encoding", "chunked")), ("stream", PROTOCOL_ERROR)),
    "upgrade": (lambda f, s: f.headers(s, OK, ("upgrade", "websocket")), ("stream", PROTOCOL_ERROR)),
    # Section 8.3: pseudo-header fields.
    "status-missing": (lambda f, s: f.headers(s, ("x-test", "y")), ("stream", PROTOCOL_ERROR)),
    "status-twice": (lambda f, s: f.headers(s, OK, (":status", "404")), ("stream", PROTOCOL_ERROR)),
    "status-late": (lambda f, s: f.headers(s, ("x-test", "y"), OK), ("stream", PROTOCOL_ERROR)),
    "status-no-number": (lambda f, s: f.headers(s, (":status", "abc")), ("stream", PROTOCOL_ERROR)),
    "status-empty": (lambda f, s: f.headers(s, (":status", "")), ("stream", PROTOCOL_ERROR)),
    "status-of-four-digits": (lambda f, s: f.headers(s, (":status", "2000")), ("stream", PROTOCOL_ERROR)),
    "status-99": (lambda f, s: f.headers(s, (":status", "099")), ("stream", PROTOCOL_ERROR)),
    "status-700": (lambda f, s: f.headers(s, (":status", "700")), ("stream", PROTOCOL_ERROR)),
    "status-in-trailers": (lambda f, s: (f.headers(s, OK), f.headers(s, OK, ends=True)), ("stream", PROTOCOL_ERROR)),
    "pseudo-of-requests": (lambda f, s: f.headers(s, OK, (":path", "/")), ("stream", PROTOCOL_ERROR)),
    "pseudo-unknown": (lambda f, s: f.headers(s, OK, (":other", "x")), ("stream", PROTOCOL_ERROR)),
    # Section 8.6: no upgrade.
    "switch": (lambda f, s: f.headers(s, (":status", "101")), ("stream", PROTOCOL_ERROR)),
    # Section 10.5: what costs too much.
    "informational-without-end": (lambda f, s: [f.headers(s, (":status", "103")) for _ in range(100)], ("stream", PROTOCOL_ERROR)),
    "fields-too-large": (lambda f, s: f.headers(s, OK, *[(f"x-{n}", "y" * 10) for n in range(6_000)]), None),
    "continuations-without-end": (
        lambda f, s: (f.send(HEADERS, 0, s, block(f, OK)), [f.send(CONTINUATION, 0, s, block(f, ("x", "y" * 1000))) for _ in range(1000)]), None),
}


@pytest.fixture(scope="module")
def hostile(tls):
    """A server that answers each path with the frames of its case, and anything else with "ok"."""

    def handle(frames, stream, path):
        if path[1:] in ANSWERS:
            return ANSWERS[path[1:]][0](frames, stream)
        if path == "/half":
            return half(frames, stream)
        frames.headers(stream, OK)
        return frames.send(DATA, END_STREAM, stream, b"ok")

    with FrameServer(handle, tls) as site, serve("--proxy", site.url, "--proxy-insecure", "--ephemeral") as server:
        server.ends = site.ends
        yield server


@pytest.mark.parametrize("case", ANSWERS)
def test_a_response_that_breaks_a_rule_is_refused_and_the_next_one_is_passed_on(hostile, case):
    while not hostile.ends.empty():
        hostile.ends.get()
    answer, expected = b"", ANSWERS[case][1]
    client = Client(hostile)
    client.send(f"GET /{case} HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
    head = client.head()
    if head.status in (200, 204):
        # Its head was good. The body is cut, so that nobody takes it for the whole.
        client.connection.settimeout(20)
        with contextlib.suppress(ConnectionError):
            answer = client.read(1 << 30)
        assert not answer.endswith(b"0\r\n\r\n"), "half an answer is no whole one"
    else:
        while head.status == 103:
            head = client.head()
        body = client.read(int(head.field("content-length")))
        assert head.status == 502 and (b"HTTP/2" in body or b"closed the connection" in body), body
    if expected:
        kind, code = hostile.ends.get(timeout=20)
        assert kind == expected[0] and code == expected[1], (kind, code)
    assert Client(hostile).get("/").body == b"ok"


@pytest.mark.parametrize("code, name", [
    (PROTOCOL_ERROR, b"PROTOCOL_ERROR"), (INTERNAL_ERROR, b"INTERNAL_ERROR"), (CANCEL, b"CANCEL"), (ENHANCE_YOUR_CALM, b"ENHANCE_YOUR_CALM"),
    (NO_ERROR, b"NO_ERROR"), (999, b"0x3e7"),
])
def test_a_request_that_the_server_resets_is_answered_with_its_error_code(before, tls, code, name):
    with FrameServer(lambda frames, stream, path: frames.send(RST_STREAM, 0, stream, struct.pack(">I", code)), tls) as site:
        answer = Client(before(site)).get("/")
        assert answer.status == 502 and name in answer.body
        assert site.connections == 1


def test_a_response_that_the_server_resets_midway_is_cut(before, tls):
    def handle(frames, stream, path):
        half(frames, stream)
        frames.send(RST_STREAM, 0, stream, struct.pack(">I", REFUSED_STREAM))

    with FrameServer(handle, tls) as site:
        client = Client(before(site))
        client.send(f"GET / HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        assert client.head().field("content-length") == "10"
        assert client.read(100) == b"half"


def test_a_complete_response_before_the_end_of_the_request_is_passed_on_whole(before, tls):
    def handle(frames, stream, path):
        frames.headers(stream, (":status", "413"))
        frames.send(DATA, END_STREAM, stream, b"too large")
        frames.send(RST_STREAM, 0, stream, struct.pack(">I", NO_ERROR))

    with FrameServer(handle, tls) as site:
        client = Client(before(site))
        client.send(f"POST / HTTP/1.1\r\nHost: {client.host}\r\nContent-Length: 100000\r\n\r\n")
        answer = client.response()
        assert (answer.status, answer.body) == (413, b"too large")


def test_a_broken_connection_cuts_open_responses_and_is_replaced(before, tls):
    def handle(frames, stream, path):
        if path == "/half":
            half(frames, stream)
            frames.connection.shutdown(2)
        elif path == "/post" and frames.number == 2:
            frames.connection.shutdown(2)
        else:
            frames.headers(stream, OK)
            frames.send(DATA, END_STREAM, stream, b"ok")

    with FrameServer(handle, tls) as site:
        server = before(site)
        client = Client(server)
        client.send(f"GET /half HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        client.head()
        assert client.read(100) == b"half"
        answer = Client(server).get("/post", method="POST")
        assert answer.status == 502, "it may have been acted upon"
        assert Client(server).get("/").body == b"ok"
        assert site.connections == 3


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_dead_connection_is_noticed_before_the_next_request(before, tls, tmp_path, method):
    """The server neither reads nor closes, as after a lost network. A request that is not to be repeated is not lost with it."""
    (tmp_path / "footbridge.yaml").write_text("limits: { upstreamSilence: 0, upstreamPingTimeout: 1 }")
    is_over = threading.Event()

    def handle(frames, stream, path):
        if frames.number > 1:
            return answer(frames, stream)
        answer(frames, stream)
        is_over.wait(60)

    def answer(frames, stream):
        frames.headers(stream, OK)
        frames.send(DATA, END_STREAM, stream, str(frames.number).encode())

    with FrameServer(handle, tls) as site:
        client = Client(before(site, "--config", tmp_path / "footbridge.yaml"))
        assert client.get("/").body == b"1"
        assert client.get("/", method=method).body == b"2"
        is_over.set()


def test_a_connection_that_answers_the_ping_is_used_again(before, tls, tmp_path):
    (tmp_path / "footbridge.yaml").write_text("limits: { upstreamSilence: 0, upstreamPingTimeout: 60 }")
    with PoliteServer(lambda stream: stream.answer("ok"), tls) as site:
        client = Client(before(site, "--config", tmp_path / "footbridge.yaml"))
        assert [client.get("/").body for _ in range(5)] == [b"ok"] * 5
        assert site.connections == 1


def test_a_server_that_offers_h2_without_speaking_it_is_answered_502(before, tls):
    with upstream(lambda exchange, request: exchange.answer("ok"), tls) as site:
        answer = Client(before(site)).get("/")
        assert answer.status == 502 and b"--proxy-http1" in answer.body
        assert Client(before(site, "--proxy-http1")).get("/").body == b"ok"


def test_a_slow_response_times_out_and_its_connection_stays_open(before, tls):
    def handle(stream):
        if stream[":path"] == "/slow":
            codes.put(stream.wait_for_reset())
        else:
            stream.answer("ok")

    codes = queue.Queue()
    with PoliteServer(handle, tls) as site:
        server = before(site, "--proxy-timeout", "0.3")
        assert Client(server).get("/slow").status == 504
        assert codes.get(timeout=20) == CANCEL
        assert Client(server).get("/").body == b"ok"
        assert site.connections == 1


@pytest.mark.parametrize("frame, is_answered", [
    ((DATA, 0, 1, b""), False), ((WINDOW_UPDATE, 0, 0, struct.pack(">I", 1)), False), ((PING, 0, 0, bytes(8)), True), ((SETTINGS, 0, 0, b""), True),
])
def test_a_flood_of_small_frames_ends_only_its_own_connection(before, tls, frame, is_answered):
    """Those that need an answer may end the connection: the answers to more than a thousand at once are not kept."""

    def handle(frames, stream, path):
        frames.headers(stream, OK)
        if path == "/flood":
            for _ in range(20):
                frames.connection.sendall((struct.pack(">I", len(frame[3]))[1:] + bytes(frame[:2]) + struct.pack(">I", frame[2]) + frame[3]) * 500)
        frames.send(DATA, END_STREAM, stream, b"ok")

    with FrameServer(handle, tls) as site:
        server = before(site)
        client = Client(server)
        client.send(f"GET /flood HTTP/1.1\r\nHost: {client.host}\r\nConnection: close\r\n\r\n")
        assert b"\r\nok\r\n" in client.read(1 << 20) or is_answered
        assert Client(server).get("/").body == b"ok"


def test_a_server_that_sends_more_than_its_window_allows_has_its_request_reset(before, tls):
    """The browser does not read, so that the window is not opened again."""

    def handle(frames, stream, path):
        frames.headers(stream, OK)
        if path == "/flood":
            for _ in range(4_000):
                frames.send(DATA, 0, stream, bytes(16_384))
        else:
            frames.send(DATA, END_STREAM, stream, b"ok")

    with FrameServer(handle, tls) as site:
        server = before(site)
        client = Client(server)
        client.send(f"GET /flood HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
        assert site.ends.get(timeout=20) == ("stream", FLOW_CONTROL_ERROR)
        assert Client(server).get("/").body == b"ok"
