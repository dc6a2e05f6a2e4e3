"""What clients make the server hold for what is behind it, or comes from there, is limited for all of them together."""

import base64
import contextlib
import hashlib
import socket
import struct
import threading

import pytest

from footbridge_process import LONG, serve
from full_buffers import CLIENTS, LIMITS, TLS_CLIENTS, answer, call, check, connection, pages, send
from h2_upstream import CONTINUATION, END_HEADERS, FrameServer, certificate
from h2_upstream import HEADERS as UPSTREAM_HEADERS
from test_http2 import DATA, HEADERS, WINDOW_UPDATE, Frames, setting
from upstreams import Upstream

#: How many MiB of lines a handler may have, and of bodies the HAR file.
LINES, ARCHIVE = 64, 32
BRIDGES = """
bridges:
  acme: {{ frames: all, channels: {{ acme: {{}} }}, name: /type, handler: {handler}, resources: {{ /_native_/: {{ handler: true }} }} }}
  late: {{ frames: all, channels: {{ late: {{ reply: true }} }}, name: /type, answers: {{ echo: {{ reply: !from /text, delay: 600000 }} }} }}
"""
NAVIGATION = "Accept: text/html\r\nAccept-Encoding: gzip, deflate, br, zstd\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Mode: navigate\r\n"


class Behind(Upstream):
    """A server that does to each connection what the request's path says, until the test ends."""

    #: How much the system takes before this server reads it.
    receives = 4096

    def __init__(self):
        self.done = threading.Event()
        super().__init__(self.take)
        if self.receives:
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.receives)

    def take(self, exchange):
        if not (request := exchange.request()):
            return
        getattr(self, request.target.strip("/"))(exchange, request)
        self.done.wait(600)

    def head(self, exchange, request):
        """The beginning of a head."""
        exchange.send(b"HTTP/1.1 200 OK\r\n", *(b"X-%d: %s\r\n" % (number, b"a" * 6000) for number in range(10)))

    def large(self, exchange, request):
        """A long body, as far as it is read."""
        exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: %d\r\n\r\n" % (64 << 20))
        for _ in range(64):
            exchange.send(bytes(1 << 20))

    def socket(self, exchange, request):
        """A WebSocket that reads nothing."""
        exchange.send(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept(request)}\r\n\r\n")

    def silent(self, exchange, request):
        """Nothing is read, and nothing sent."""

    def zstd(self, exchange, request):
        """A document of 9 MiB with a window of 8 MiB in few bytes: blocks of one repeated byte (RFC 8878)."""
        start = b"<!doctype html><title>Long</title>"
        blocks = [struct.pack("<I", len(start) << 3)[:3] + start, *[struct.pack("<I", 128 << 10 << 3 | 2)[:3] + b"a"] * 72]
        exchange.send(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: zstd\r\n\r\n", b"\x28\xb5\x2f\xfd\x00\x68", *blocks)

    def stop(self):
        self.done.set()
        self.listener.close()


class Reader(Behind):
    """Reads everything, and sends nothing. `read` counts the bytes."""

    receives = None

    def __init__(self):
        self.changed = threading.Condition()
        self.read = 0
        super().__init__()

    def reader(self, exchange, request):
        piece = exchange.buffer or exchange.connection.recv(65536)
        while piece:
            with self.changed:
                self.read += len(piece)
                self.changed.notify_all()
            piece = exchange.connection.recv(65536)

    def wait_for(self, count):
        with self.changed:
            assert self.changed.wait_for(lambda: self.read >= count, LONG), f"only {self.read} bytes were read"


def accept(request):
    """The field with which a WebSocket is accepted (RFC 6455, section 4.2.2)."""
    key = request.field("sec-websocket-key") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    return base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()


@pytest.fixture
def behind():
    behind = Behind()
    yield behind
    behind.stop()


@pytest.fixture
def start(tmp_path, behind):
    """Starts a server with little memory in front of the one behind."""
    with contextlib.ExitStack() as stack:
        def start(*arguments, handler="connect", limits=LIMITS):
            config = tmp_path / "footbridge.yaml"
            config.write_text(limits + BRIDGES.format(handler=handler))
            server = stack.enter_context(serve(
                *(arguments or ["--proxy", behind.url]), "--config", config, "--tls-port", 0, "--ephemeral", "--control-token", "t", name=None))
            server.tls_port = int(server.lines.get(timeout=60).rsplit(":", 1)[1])
            return server

        yield start


def request(server, stack, path, *fields, method="GET", body=b""):
    peer = stack.enter_context(connection(server))
    head = "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: localhost:{server.port}", *fields])
    send(peer, head.encode() + b"\r\n\r\n", body)
    return peer


def streams(server, stack, path, method="GET", body=b""):
    """Connections with eight requests each, whose answers nobody reads."""
    for _ in range(TLS_CLIENTS):
        frames = Frames(server, settings=setting(4, 2**31 - 1), receives=4096)
        stack.enter_context(contextlib.closing(frames.connection))
        frames.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 1 - 65_535))
        for stream in range(1, 17, 2):
            frames.request(stream, path=path, method=method, ends=not body)
            for start in range(0, len(body), 16_384):
                frames.send(DATA, 0, stream, body[start:start + 16_384])


def test_incomplete_heads(start):
    def fill(server, stack):
        for _ in range(CLIENTS):
            request(server, stack, "/head")

    check(start(), fill)


def test_incomplete_heads_for_clients_with_http2(start):
    # Each of these requests has a connection behind the server.
    check(start(), lambda server, stack: streams(server, stack, "/head"), 2 * TLS_CLIENTS)


@pytest.fixture
def frames_behind(tmp_path):
    """A server with HTTP/2 that sends a head, and no body."""

    def answer(frames, stream, path):
        block = frames.encoder.encode([(":status", "200"), *[(f"x-{number}", f"{number:06000}") for number in range(40)]])
        frames.send(UPSTREAM_HEADERS, 0, stream, block[:16_384])
        rest = [block[start:start + 16_384] for start in range(16_384, len(block), 16_384)]
        for piece in rest:
            frames.send(CONTINUATION, END_HEADERS if piece is rest[-1] else 0, stream, piece)

    with FrameServer(answer, certificate(tmp_path)) as behind:
        yield behind


def test_heads_over_http2(start, frames_behind):
    check(start("--proxy", frames_behind.url, "--proxy-insecure"), lambda server, stack: streams(server, stack, "/"), TLS_CLIENTS)


def test_unread_responses(start):
    def fill(server, stack):
        for _ in range(CLIENTS):
            assert request(server, stack, "/large").recv(4) == b"HTTP"

    check(start(), fill)


def test_unread_responses_to_clients_with_http2(start):
    check(start(), lambda server, stack: streams(server, stack, "/large"), TLS_CLIENTS)


def test_uploads_that_nobody_reads(start):
    def fill(server, stack):
        for _ in range(CLIENTS):
            peer = request(server, stack, "/silent", "Content-Length: 67108864", method="POST")
            peer.setblocking(False)
            for _ in range(64):
                send(peer, bytes(1 << 20))

    check(start(), fill)


def test_uploads_over_http2_that_nobody_reads(start):
    check(start(), lambda server, stack: streams(server, stack, "/silent", "POST", bytes(240 << 10)), TLS_CLIENTS)


def test_tunnels_that_nobody_reads(start, behind):
    def fill(server, stack):
        for _ in range(CLIENTS):
            peer = stack.enter_context(connection(server))
            send(peer, f"CONNECT 127.0.0.1:{behind.port} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert peer.recv(12).endswith(b"200")
            peer.setblocking(False)
            send(peer, b"GET /silent HTTP/1.1\r\n\r\n", bytes(1 << 20))

    check(start("--site", f"http://plain.example={behind.url}"), fill)


def test_websockets_of_the_site_that_nobody_reads(start):
    def fill(server, stack):
        for _ in range(CLIENTS):
            peer = request(server, stack, "/socket", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                           "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", f"Origin: {server.url}")
            assert peer.recv(12).endswith(b"101")
            peer.setblocking(False)
            send(peer, b"\x82\xff" + struct.pack(">Q", 1 << 20) + bytes(4) + bytes(1 << 20))

    check(start(), fill)


def test_decoders_of_documents(start):
    """A decoder remembers what it has decoded, as far back as the document chooses."""

    def fill(server, stack):
        for _ in range(CLIENTS):
            peer = request(server, stack, "/zstd", *NAVIGATION.split("\r\n")[:-1])
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
            count = 0
            while count < 8 << 20 and (piece := peer.recv(1 << 20)):
                count += len(piece)

    check(start(), fill)


@pytest.fixture
def reader():
    reader = Reader()
    yield reader
    reader.stop()


def test_bodies_for_the_har_file(start, reader, tmp_path):
    """They wait for the end of their request, and have a limit of their own."""
    size = 640 << 10

    def fill(server, stack):
        for _ in range(CLIENTS):
            request(server, stack, "/reader", f"Content-Length: {size + 1}", method="POST", body=bytes(size))
        reader.wait_for(CLIENTS * size)

    check(start("--proxy", reader.url, "--har", tmp_path / "traffic.har", limits=""), fill, more=ARCHIVE)


def test_delayed_answers(start):
    def fill(server, _):
        for page in pages(server):
            page.send(call("late.echo", 1, {"channel": "late", "value": {"type": "echo", "text": "a" * (1 << 20)}}))
            page.send(call("capability.query", 2, {}))
            answer(page, 2)

    check(start(), fill)


def send_lines(server, _):
    for page in pages(server):
        page.send(call("acme.lines", 1, {"channel": "acme", "value": {"type": "lines", "text": "a" * (1 << 20)}}))
        assert "notMainFrame" not in answer(page, 1)


@pytest.mark.parametrize("handler", ["connect", '{ run: [sleep, "1000"] }', "url"])
def test_lines_for_a_handler_that_reads_nothing(start, behind, handler):
    check(start(handler=f'{{ url: "{behind.url}/silent" }}' if handler == "url" else handler), send_lines, more=LINES)


def test_requests_for_resources_of_a_handler(start):
    def fill(server, stack):
        for number in range(CLIENTS):
            request(server, stack, "/_native_/file", f"Cookie: footbridge_session={number:032x}", f"Origin: {server.url}",
                    f"Content-Length: {1 << 20}", method="POST", body=bytes(1 << 20))

    check(start(), fill, more=LINES)
