"""HTTP/2 on the TLS port: with curl, nghttp2's own clients and Chromium, and with frames that no polite client sends (RFC 9113)."""

import contextlib
import itertools
import json
import signal
import socket
import ssl
import struct
import subprocess
import threading

import h2.connection
import pytest

from browser_profiles import profiles
from footbridge_process import serve
from upstreams import upstream

#: The codes of RFC 9113, section 7.
PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, FRAME_SIZE_ERROR, COMPRESSION_ERROR, ENHANCE_YOUR_CALM = 1, 2, 3, 5, 6, 9, 11
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM, ACK, END_HEADERS, PADDED = 1, 1, 4, 8
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"


def secure_url(server):
    """The address of the TLS port, which stands in the second line."""
    return server.lines.get(timeout=60).split()[-1]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site that streams events, and says what it was sent."""

    def answer(exchange, request):
        if request.target.startswith("/events"):
            exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\n")
            exchange.read(1 << 30)
            return False
        if request.target == "/":
            return exchange.answer("<!doctype html><title>Site</title>", content_type="text/html")
        if request.target == "/trailers":
            return exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 3\r\n\r\n")
        if request.target == "/nothing":
            return exchange.send("HTTP/1.1 204 No Content\r\n\r\n")
        if request.target == "/unchanged":
            return exchange.send("HTTP/1.1 304 Not Modified\r\n\r\n")
        if request.target == "/cut":
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            return False
        body = exchange.body(request)
        fields = {name: request.fields(name) for name in ("host", "cookie", "x-test", "x-forwarded-proto")}
        return exchange.answer(json.dumps({"method": request.method, "length": len(body or b""), **fields}), content_type="application/json")

    with upstream(answer) as site:
        yield site


@pytest.fixture(scope="module")
def secure(site):
    with serve("--proxy", site.url, "--tls-port", 0, "--ephemeral", name=None) as server:
        server.secure = secure_url(server)
        server.tls_port = int(server.secure.rsplit(":", 1)[1])
        yield server


def curl(*arguments, **options):
    return subprocess.run(["curl", "-sSk", "--max-time", "20", *map(str, arguments)], capture_output=True, timeout=30, **options)


class Frames:
    """A raw connection of HTTP/2. Its header fields are those of h2's encoder."""

    def __init__(self, server, *, preface=PREFACE, settings=b"", receives=None):
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        peer = socket.socket()
        peer.settimeout(10)
        if receives:
            # How much the system takes before this client reads it.
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        peer.connect(("127.0.0.1", server.tls_port))
        self.connection = context.wrap_socket(peer, server_hostname="localhost")
        assert self.connection.selected_alpn_protocol() == "h2"
        self.authority = f"localhost:{server.tls_port}"
        self.encoder = h2.connection.H2Connection().encoder
        self.connection.sendall(preface)
        if preface == PREFACE:
            self.send(SETTINGS, 0, 0, settings)

    def send(self, type, flags, stream, payload=b"", length=None):
        length = len(payload) if length is None else length
        with contextlib.suppress(OSError):
            self.connection.sendall(struct.pack(">I", length)[1:] + bytes([type, flags]) + struct.pack(">I", stream) + payload)

    def request(self, stream, *more, method="GET", path="/seen", ends=True, without=(), type=HEADERS, flags=END_HEADERS):
        fields = [(":method", method), (":scheme", "https"), (":authority", self.authority), (":path", path)]
        block = self.encoder.encode([field for field in fields if field[0] not in without] + list(more))
        self.send(type, flags | (END_STREAM if ends else 0), stream, block)

    def read(self, count):
        data = b""
        while len(data) < count:
            try:
                piece = self.connection.recv(count - len(data))
            except (OSError, ssl.SSLError):
                piece = b""
            if not piece:
                return None
            data += piece
        return data

    def frames(self):
        while head := self.read(9):
            length = int.from_bytes(head[:3], "big")
            payload = self.read(length) if length else b""
            if payload is None:
                return
            yield head[3], head[4], int.from_bytes(head[5:], "big") & 0x7FFFFFFF, payload

    def is_closed(self):
        """Reads to the end of the connection. Fails if it does not come."""
        with contextlib.suppress(ConnectionError, ssl.SSLEOFError):
            while self.connection.recv(65536):
                pass
        return True

    def outcome(self, stream=1):
        """What becomes of a stream: the code of its reset or of the connection's end, "answered", or "closed"."""
        for type, flags, which, payload in self.frames():
            if type == GOAWAY and (code := int.from_bytes(payload[4:8], "big")):
                return "connection", code
            if type == RST_STREAM and which == stream:
                return "stream", int.from_bytes(payload[:4], "big")
            if type in (DATA, HEADERS) and which == stream and flags & END_STREAM:
                return ("answered",)
        return ("closed",)


# Polite clients


def test_curl_gets_the_page_with_the_shim_and_falls_back_to_http1(secure):
    for arguments, version in ([], "2"), (["--http1.1"], "1.1"):
        answer = curl(*arguments, "-w", "\n%{http_version}", "-H", "Sec-Fetch-Dest: document", secure.secure).stdout.decode()
        assert "data-footbridge-ticket" in answer and answer.endswith(f"\n{version}")


def test_fields_and_bodies_arrive_as_over_http1(secure, tmp_path):
    (tmp_path / "upload").write_bytes(b"x" * 3_000_000)
    for arguments in (["-T", tmp_path / "upload"], ["-X", "PUT", "-T", "-", "-H", "Content-Length:"]):
        answer = curl(*arguments, "-b", "a=1; b=2", "-H", "X-Test: y", f"{secure.secure}/seen", input=b"x" * 3_000_000)
        seen = json.loads(answer.stdout)
        assert (seen["method"], seen["length"], seen["cookie"], seen["x-test"]) == ("PUT", 3_000_000, ["a=1; b=2"], ["y"])
        assert seen["x-forwarded-proto"] == ["https"]


def test_a_large_file_arrives_whole(tmp_path):
    content = bytes(range(256)) * 40_000
    (tmp_path / "large.bin").write_bytes(content)
    with serve("--root", tmp_path, "--tls-port", 0, "--ephemeral", name=None) as server:
        assert curl(f"{secure_url(server)}/large.bin").stdout == content


def test_trailers_arrive_and_a_response_that_is_cut_is_an_error(secure):
    answer = subprocess.run(["nghttp", "-nv", "--no-verify-peer", f"{secure.secure}/trailers"], capture_output=True, text=True, timeout=20).stdout
    assert "x-sum: 3" in answer
    assert curl(f"{secure.secure}/cut").returncode == 92


@pytest.mark.timeout(120)
def test_all_streams_of_many_connections_are_answered(secure):
    report = subprocess.run(["h2load", "-n", "500", "-c", "5", "-m", "20", f"{secure.secure}/seen"], capture_output=True, text=True, timeout=100).stdout
    assert "500 succeeded, 0 failed, 0 errored" in report


def test_eight_event_sources_and_a_fetch_share_one_connection(secure, launch):
    browser = launch("--ignore-certificate-errors")
    with profiles(browser) as make:
        page = make(ignore_https_errors=True).new_page()
        page.goto(secure.secure)
        page.evaluate(
            """() => Promise.all([...Array(8).keys()].map(number => new Promise((done, failed) => {
              const source = new EventSource(`/events/${number}`);
              source.onmessage = done;
              source.onerror = failed;
            })))"""
        )
        assert page.evaluate("fetch('/seen').then(response => response.json()).then(seen => seen.method)") == "GET"
        assert page.evaluate("performance.getEntriesByType('navigation')[0].nextHopProtocol") == "h2"
        # WebSockets stay on HTTP/1.1, the bridge's own among them.
        page.wait_for_function("window.onside !== undefined")
        assert page.evaluate("onside.getCurrentStorefront()") is None
    browser.close()


# Hostile clients: what stands in the sections of RFC 9113. A stream error or an error of the whole connection, with a code.


def send_settings(payload, flags=0, stream=0):
    return lambda frames: frames.send(SETTINGS, flags, stream, payload)


def setting(name, value):
    return struct.pack(">HI", name, value)


def after_request(*frame, **options):
    def act(frames):
        frames.request(1, ends=False, method="POST")
        frames.send(*frame, **options)

    return act


def after_end(*frame):
    def act(frames):
        frames.request(1)
        frames.send(*frame)

    return act


def malformed(*more, **options):
    return lambda frames: frames.request(1, *more, **options)


CONNECTION_ERRORS = {
    "4.2 a frame larger than the limit": (after_request(DATA, 0, 1, b"x" * 16_385), FRAME_SIZE_ERROR),
    "4.3 a field block that is none": (lambda frames: frames.send(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff\xff\xff\xff\xff\xff"), COMPRESSION_ERROR),
    "5.1 data on an idle stream": (lambda frames: frames.send(DATA, 0, 1, b"x"), PROTOCOL_ERROR),
    "5.1 a reset of an idle stream": (lambda frames: frames.send(RST_STREAM, 0, 1, bytes(4)), PROTOCOL_ERROR),
    "5.1.1 an even stream": (lambda frames: frames.request(2), PROTOCOL_ERROR),
    "6.1 data without a stream": (lambda frames: frames.send(DATA, 0, 0, b"x"), PROTOCOL_ERROR),
    "6.1 padding longer than the frame": (after_request(DATA, PADDED, 1, b"\x05abc"), PROTOCOL_ERROR),
    "6.2 fields without a stream": (lambda frames: frames.send(HEADERS, END_HEADERS, 0, b""), PROTOCOL_ERROR),
    "6.4 a reset without a stream": (lambda frames: frames.send(RST_STREAM, 0, 0, bytes(4)), PROTOCOL_ERROR),
    "6.4 a reset of the wrong size": (after_request(RST_STREAM, 0, 1, bytes(3)), FRAME_SIZE_ERROR),
    "6.5 an acknowledgement with content": (send_settings(setting(1, 1), ACK), FRAME_SIZE_ERROR),
    "6.5 settings of a stream": (send_settings(b"", stream=1), PROTOCOL_ERROR),
    "6.5 settings of the wrong size": (send_settings(bytes(5)), FRAME_SIZE_ERROR),
    "6.5.2 a push setting that is none": (send_settings(setting(2, 2)), PROTOCOL_ERROR),
    "6.5.2 a window that is too large": (send_settings(setting(4, 1 << 31)), FLOW_CONTROL_ERROR),
    "6.5.2 a frame size that is too small": (send_settings(setting(5, 16_383)), PROTOCOL_ERROR),
    "6.6 a push by a client": (lambda frames: frames.send(PUSH_PROMISE, END_HEADERS, 1, bytes(4)), PROTOCOL_ERROR),
    "6.7 a ping of a stream": (lambda frames: frames.send(PING, 0, 1, bytes(8)), PROTOCOL_ERROR),
    "6.7 a ping of the wrong size": (lambda frames: frames.send(PING, 0, 0, bytes(7)), FRAME_SIZE_ERROR),
    "6.8 an end of a stream only": (lambda frames: frames.send(GOAWAY, 0, 1, bytes(8)), PROTOCOL_ERROR),
    "6.9 a window that does not grow": (lambda frames: frames.send(WINDOW_UPDATE, 0, 0, bytes(4)), PROTOCOL_ERROR),
    "6.9 a window update of the wrong size": (lambda frames: frames.send(WINDOW_UPDATE, 0, 0, bytes(3)), FRAME_SIZE_ERROR),
    "6.9.1 a window that overflows": (lambda frames: frames.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", 0x7FFFFFFF)), FLOW_CONTROL_ERROR),
    "6.10 a continuation of nothing": (after_request(CONTINUATION, END_HEADERS, 1, b""), PROTOCOL_ERROR),
    "6.10 another frame within a field block": (
        lambda frames: (frames.request(1, flags=0), frames.send(PING, 0, 0, bytes(8))), PROTOCOL_ERROR,
    ),
}

STREAM_ERRORS = {
    "8.1.1 an upper-case name": malformed(("X-Test", "y")),
    "8.2.2 a field of the connection": malformed(("connection", "close")),
    "8.2.2 an upgrade": malformed(("upgrade", "websocket")),
    "8.2.2 chunks": malformed(("transfer-encoding", "chunked"), method="POST", ends=False),
    "8.2.2 TE other than trailers": malformed(("te", "gzip")),
    "8.3 a pseudo-header after a field": malformed(("x-test", "y"), (":path", "/x"), without=(":path",)),
    "8.3 an unknown pseudo-header": malformed((":test", "y")),
    "8.3 a pseudo-header of responses": malformed((":status", "200")),
    "8.3.1 no method": malformed(without=(":method",)),
    "8.3.1 no path": malformed(without=(":path",)),
    "8.3.1 an empty path": malformed(path=""),
    "8.3.1 a repeated path": malformed((":path", "/other")),
    "8.3.1 another host than the authority": malformed(("host", "other.example")),
    "8.5 a tunnel": malformed(method="CONNECT", without=(":scheme", ":path")),
    "8.1.1 a length that is wrong": malformed(("content-length", "5")),
    "8.2.1 a line end in a value": malformed(("x-test", "a\r\nX-Smuggled: b")),
}


@pytest.mark.parametrize("case", CONNECTION_ERRORS)
def test_an_error_of_the_connection_ends_it(secure, case):
    act, code = CONNECTION_ERRORS[case]
    frames = Frames(secure)
    act(frames)
    result = frames.outcome()
    # RFC 9113 lets the server choose between some codes, and close at once.
    assert result in (("connection", code), ("connection", PROTOCOL_ERROR), ("closed",)), result


def test_an_error_of_the_connection_closes_it_though_a_request_is_open(secure):
    frames = Frames(secure)
    frames.request(1, path="/events")
    assert HEADERS in (type for type, _, stream, _ in frames.frames() if stream == 1)
    frames.send(DATA, 0, 0, b"x")
    assert frames.is_closed()


@pytest.mark.parametrize("case", STREAM_ERRORS)
def test_a_malformed_request_is_refused_and_the_connection_stays_open(secure, case):
    frames = Frames(secure)
    frames.encoder.header_table_size = 0
    STREAM_ERRORS[case](frames)
    assert frames.outcome() == ("stream", PROTOCOL_ERROR)
    frames.request(3)
    assert frames.outcome(3) == ("answered",)


def test_unknown_settings_and_frames_are_ignored(secure):
    frames = Frames(secure, settings=setting(0xFFFF, 1))
    frames.send(0xEE, 0xFF, 0, b"anything")
    frames.send(PRIORITY, 0, 9, bytes(5))
    frames.request(1)
    assert frames.outcome() == ("answered",)


def test_data_after_the_end_of_a_request_is_an_error(secure):
    frames = Frames(secure)
    frames.request(1, path="/events")
    frames.send(DATA, 0, 1, b"more")
    assert frames.outcome() in (("stream", STREAM_CLOSED), ("connection", STREAM_CLOSED))


def test_a_client_without_the_preface_is_disconnected(secure):
    assert Frames(secure, preface=b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").outcome() in (("connection", PROTOCOL_ERROR), ("closed",))


def test_streams_beyond_the_limit_are_refused(secure):
    frames = Frames(secure)
    # With the acknowledgement, the limit counts.
    frames.send(SETTINGS, ACK, 0)
    for number in range(101):
        frames.request(1 + 2 * number, path="/events")
    assert frames.outcome(201)[0] in ("stream", "connection")


def test_a_rapid_reset_ends_the_connection(secure):
    frames = Frames(secure)
    for number in range(2_000):
        frames.request(1 + 2 * number, path="/events")
        frames.send(RST_STREAM, 0, 1 + 2 * number, struct.pack(">I", 8))
    assert frames.outcome(1 << 30)[0] in ("connection", "closed")
    assert b'"GET"' in curl(f"{secure.secure}/seen").stdout


def test_requests_that_make_the_server_reset_them_end_the_connection(tmp_path):
    count = itertools.count()
    ended = threading.Semaphore(0)

    def answer(exchange, request):
        next(count)
        exchange.read(1 << 30)
        ended.release()
        return False

    with upstream(answer) as site, serve("--proxy", site.url, "--tls-port", 0, "--ephemeral", name=None) as server:
        server.secure = secure_url(server)
        server.tls_port = int(server.secure.rsplit(":", 1)[1])
        before = server.memory()
        for _ in range(5):
            frames = Frames(server)
            with contextlib.suppress(OSError):
                for number in range(5_000):
                    frames.request(1 + 2 * number)
                    # The window of the response overflows, for which the server resets the stream (CVE-2025-8671).
                    frames.send(WINDOW_UPDATE, 0, 1 + 2 * number, struct.pack(">I", 2**31 - 1))
            assert frames.outcome(1 << 30) in (("connection", ENHANCE_YOUR_CALM), ("closed",))
        total = next(count)
        assert total < 5 * 500
        # Each request to the upstream ends with its stream, also if that was reset before the request was sent.
        for _ in range(total):
            assert ended.acquire(timeout=60)
        assert server.memory() < before + 40
        assert b'"ok"' in curl(f"{server.secure}/__footbridge/health").stdout


def test_a_flood_of_continuations_ends_the_connection(secure):
    frames = Frames(secure)
    frames.request(1, flags=0)
    for _ in range(2_000):
        frames.send(CONTINUATION, 0, 1, frames.encoder.encode([("x-test", "y" * 1000)]))
    assert frames.outcome()[0] in ("connection", "closed")
    assert b'"GET"' in curl(f"{secure.secure}/seen").stdout


@pytest.mark.parametrize("frame", [(PING, 0, 0, bytes(8)), (SETTINGS, 0, 0, b"")])
def test_a_flood_whose_answers_are_not_read_ends_the_connection(secure, frame):
    frames = Frames(secure)
    frames.connection.settimeout(5)
    for _ in range(100):
        with contextlib.suppress(OSError):
            frames.connection.sendall((struct.pack(">I", len(frame[3]))[1:] + bytes(frame[:2]) + struct.pack(">I", 0) + frame[3]) * 500)
    assert b'"GET"' in curl(f"{secure.secure}/seen").stdout


@pytest.mark.parametrize("more", [[("x-test", "y" * 60_000), ("x-more", "z" * 60_000)], [(f"x-{number}", "y") for number in range(300)]])
def test_too_many_fields_are_refused(secure, more):
    frames = Frames(secure)
    block = frames.encoder.encode(
        [(":method", "GET"), (":scheme", "https"), (":authority", frames.authority), (":path", "/seen"), *more]
    )
    pieces = [block[start:start + 16_000] for start in range(0, len(block), 16_000)]
    frames.send(HEADERS, END_STREAM | (END_HEADERS if len(pieces) == 1 else 0), 1, pieces[0])
    for index, piece in enumerate(pieces[1:], 2):
        frames.send(CONTINUATION, END_HEADERS if index == len(pieces) else 0, 1, piece)
    assert frames.outcome() in (("stream", ENHANCE_YOUR_CALM), ("connection", ENHANCE_YOUR_CALM), ("closed",))
    assert b'"GET"' in curl(f"{secure.secure}/seen").stdout


def test_a_client_that_reads_nothing_does_not_delay_others(secure):
    frames = Frames(secure, settings=setting(4, 0))
    frames.request(1)
    assert b'"GET"' in curl(f"{secure.secure}/seen").stdout
    frames.send(WINDOW_UPDATE, 0, 1, struct.pack(">I", 65_535))
    assert frames.outcome() == ("answered",)


@pytest.mark.parametrize("method, path", [("HEAD", "/seen"), ("GET", "/nothing"), ("GET", "/unchanged")])
def test_a_response_without_a_body_does_not_wait_for_the_window_of_its_client(secure, method, path):
    frames = Frames(secure, settings=setting(4, 0))
    frames.request(1, method=method, path=path)
    assert frames.outcome() == ("answered",)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory):
    """A server whose clients may take a second to read."""
    root = tmp_path_factory.mktemp("root")
    (root / "page.txt").write_text("a" * 10_000)
    config = root / "footbridge.yaml"
    config.write_text("limits: { transferTimeout: 1 }\n")
    with serve("--root", root, "--config", config, "--tls-port", 0, "--ephemeral", name=None) as server:
        server.tls_port = int(secure_url(server).rsplit(":", 1)[1])
        yield server


def test_a_response_that_its_client_does_not_read_is_reset(hasty):
    frames = Frames(hasty, settings=setting(4, 100))
    frames.request(1, path="/page.txt")
    assert frames.outcome() == ("stream", INTERNAL_ERROR)


def test_a_refused_request_whose_client_does_not_read_is_reset(hasty):
    frames = Frames(hasty, settings=setting(4, 0))
    frames.request(1, path="/" + "a" * 20_000)
    assert frames.outcome() == ("stream", INTERNAL_ERROR)


def test_a_server_that_stops_sends_the_last_response_to_a_client_that_reads_slowly(tmp_path):
    (tmp_path / "large.bin").write_bytes(bytes(16 << 20))
    with serve("--root", tmp_path, "--tls-port", 0, "--ephemeral", "--drain-timeout", 3600, name=None) as server:
        server.tls_port = int(secure_url(server).rsplit(":", 1)[1])
        frames = Frames(server, settings=setting(4, 2**31 - 1))
        frames.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 1 - 65_535))
        frames.request(1, path="/large.bin")
        count = 0
        for type, flags, stream, payload in frames.frames():
            if type == DATA and stream == 1:
                if count == 0:
                    server.process.send_signal(signal.SIGTERM)
                count += len(payload)
                # What a client says while it reads must not end the connection.
                frames.send(PING, 0, 0, bytes(8))
                if flags & END_STREAM:
                    break
        assert count == 16 << 20
        frames.connection.close()
        assert server.process.wait(timeout=60) == 0


def test_a_stopping_server_sends_goaway_and_finishes_open_requests(tmp_path):
    (tmp_path / "index.html").write_text("<!doctype html>")
    with serve("--root", tmp_path, "--tls-port", 0, "--ephemeral", name=None) as server:
        server.tls_port = int(secure_url(server).rsplit(":", 1)[1])
        frames = Frames(server)
        frames.request(1, path="/")
        assert frames.outcome() == ("answered",)
        assert server.stop() == 0
        assert any(type == GOAWAY for type, *_ in frames.frames())
