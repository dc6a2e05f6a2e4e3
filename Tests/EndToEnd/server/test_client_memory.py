"""What clients make the server hold is limited for all of them together, whichever buffer they fill."""

import contextlib
import re
import socket
import struct

import pytest

from footbridge_process import serve
from full_buffers import CLIENTS, LIMITS, TLS_CLIENTS, TOTAL, answer, call, check, connection, pages, send, websocket
from raw_http import Client
from test_http2 import DATA, HEADERS, WINDOW_UPDATE, Frames, setting


@pytest.fixture
def server(tmp_path):
    with open(tmp_path / "large", "wb") as file:
        file.truncate(64 << 20)
    (tmp_path / "index.html").write_text("<!doctype html><title>Page</title>")
    config = tmp_path / "footbridge.yaml"
    config.write_text(LIMITS)
    with serve("--root", tmp_path, "--config", config, "--tls-port", 0, "--ephemeral", "--control-token", "t", name=None) as server:
        server.tls_port = int(server.lines.get(timeout=60).rsplit(":", 1)[1])
        yield server


def unread_responses(server, stack):
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        send(peer, f"GET /large HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n".encode())
        assert peer.recv(4) == b"HTTP"


def unread_responses_over_http2(server, stack):
    for _ in range(TLS_CLIENTS):
        frames = Frames(server, settings=setting(4, 2**31 - 1), receives=4096)
        stack.enter_context(contextlib.closing(frames.connection))
        frames.send(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 1 - 65_535))
        for number in range(8):
            frames.request(1 + 2 * number, path="/large")
        assert any(type == HEADERS for type, *_ in frames.frames())


def incomplete_bodies(server, stack):
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        head = (
            f"POST /__footbridge/api/v1/sessions HTTP/1.1\r\nHost: localhost:{server.port}\r\nAuthorization: Bearer t\r\n"
            "Content-Type: application/json\r\nContent-Length: 1048577\r\n\r\n"
        )
        send(peer, head.encode(), bytes(1 << 20))


def incomplete_bodies_over_http2(server, stack):
    for _ in range(TLS_CLIENTS):
        frames = Frames(server)
        stack.enter_context(contextlib.closing(frames.connection))
        for number in range(8):
            stream = 1 + 2 * number
            frames.request(stream, ("authorization", "Bearer t"), ("content-type", "application/json"), method="POST",
                           path="/__footbridge/api/v1/sessions", ends=False)
            for _ in range(15):
                frames.send(DATA, 0, stream, bytes(16_384))


def incomplete_messages(server, stack):
    for _ in range(CLIENTS):
        send(websocket(server, stack), b"\x01\xff" + struct.pack(">Q", 1 << 20) + bytes(4) + bytes(1 << 20))


def incomplete_urgent_calls(server, stack):
    """Of a page whose document the server has served: it reads those of no other."""
    session = "5" * 32
    document = Client(server).get("/", f"Cookie: footbridge_session={session}").body.decode()
    ticket = re.search(r'data-footbridge-ticket="([^"]+)"', document)[1]
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        head = (
            f"POST /__footbridge/now?page={'5' * 32}&call=footbridge-1&ticket={ticket} HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
            f"Origin: http://localhost:{server.port}\r\nCookie: footbridge_session={session}\r\nContent-Length: 1048577\r\n"
            "Expect: 100-continue\r\n\r\n"
        )
        send(peer, head.encode())
        # Once many bytes are held, the largest of them are refused.
        assert peer.recv(12) in (b"HTTP/1.1 100", b"HTTP/1.1 503")
        send(peer, bytes(1 << 20))


def incomplete_heads(server, stack):
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        send(peer, f"GET / HTTP/1.1\r\nHost: localhost:{server.port}\r\n".encode(), b"".join(b"X-%d: " % n + b"a" * 600 + b"\r\n" for n in range(100)))


def incomplete_handshakes(server, stack):
    for _ in range(TLS_CLIENTS):
        peer = stack.enter_context(contextlib.closing(socket.create_connection(("127.0.0.1", server.tls_port), timeout=60)))
        # A TLS record that is never complete.
        send(peer, b"\x16\x03\x01\x40\x00\x01\x00\x3f\xfc" + bytes(16_000))


def open_calls(server, _):
    for page in pages(server):
        page.send(call("nobody.answers", 1, {"text": "a" * (1 << 20)}))
        page.send(call("capability.query", 2, {}))
        answer(page, 2)


def messages_for_absent_pages(server, _):
    """The answers to these calls name the products that are not sold."""
    products = [f"{number}{'a' * 2000}" for number in range(100)]
    for page in pages(server):
        for number in range(1, 6):
            page.send(call("onside.loadProducts", number, {"productIdentifiers": products}))
        assert len(answer(page, 5)) > 200_000


def unread_answers(server, stack):
    """Pages ask for much, and read nothing."""
    question = call("onside.loadProducts", 1, {"productIdentifiers": [f"{number}{'a' * 2000}" for number in range(100)]}).encode()
    frame = b"\x81\xff" + struct.pack(">Q", len(question)) + bytes(4) + question
    for _ in range(CLIENTS):
        send(websocket(server, stack), *[frame] * 5)


def addresses_of_pages(server, _):
    for page in pages(server, {name: server.url + "/" + "a" * 120_000 for name in ("url", "referrer")}):
        page.send(call("capability.query", 1, {}))
        answer(page, 1)


def journals(server, _):
    for page in pages(server):
        for number in range(1, 6):
            page.send(call("capability.query", number, {"text": "a" * 200_000}))
        answer(page, 5)


def waiting_requests(server, stack):
    """The first one has no end yet."""
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        host = f"Host: localhost:{server.port}"
        head = (f"POST /__footbridge/api/v1/sessions HTTP/1.1\r\n{host}\r\nAuthorization: Bearer t\r\nContent-Type: application/json\r\n"
                "Content-Length: 2\r\n\r\n{}")
        next_head = f"GET /large HTTP/1.1\r\n{host}\r\nX-A: {'a' * 8000}\r\n\r\n"
        peer.setblocking(False)
        send(peer, (head + next_head * 128).encode())


def incomplete_trailers(server, stack):
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        head = (
            f"POST /__footbridge/api/v1/sessions HTTP/1.1\r\nHost: localhost:{server.port}\r\nAuthorization: Bearer t\r\n"
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
        )
        send(peer, head.encode(), b"".join(b"X-%d: " % n + b"a" * 600 + b"\r\n" for n in range(100)))


def incomplete_heads_over_http2(server, stack):
    for _ in range(TLS_CLIENTS):
        frames = Frames(server)
        stack.enter_context(contextlib.closing(frames.connection))
        frames.request(1, *[(f"x-{number}", "a" * 600) for number in range(25)], flags=0)


PLAIN = [
    unread_responses, incomplete_bodies, incomplete_urgent_calls, incomplete_messages, incomplete_heads, incomplete_trailers, waiting_requests,
    open_calls, messages_for_absent_pages, unread_answers, addresses_of_pages, journals,
]
#: What these take besides, in MiB: the journals, which have a limit of their own; a question of each page, of 200 kB; what is read at once.
MORE = {journals: TOTAL, unread_answers: TOTAL + 0.2 * CLIENTS, waiting_requests: CLIENTS / 16}
SECURE = [unread_responses_over_http2, incomplete_bodies_over_http2, incomplete_heads_over_http2, incomplete_handshakes]


@pytest.mark.parametrize("fill", PLAIN + SECURE, ids=lambda fill: fill.__name__)
def test_all_clients_together_fill_no_more_memory_than_the_limit(server, fill):
    check(server, fill, CLIENTS if fill in PLAIN else TLS_CLIENTS, more=MORE.get(fill, 0))


def test_a_request_whose_body_the_server_cannot_hold_is_answered_503(server):
    client = Client(server)
    client.send(f"POST /__footbridge/api/v1/sessions HTTP/1.1\r\nHost: {client.host}\r\nAuthorization: Bearer t\r\n"
                f"Content-Type: application/json\r\nContent-Length: {TOTAL << 21}\r\n\r\n", bytes((TOTAL << 20) + 1))
    response = client.response()
    assert (response.status, response.field("retry-after"), response.field("connection")) == (503, "1", "close")
    server.wait_for_log("hold more bytes than the limit")
