"""What clients make the server hold is limited for all of them together, whichever buffer they fill."""

import contextlib
import socket
import struct

import pytest

from footbridge_process import serve
from raw_http import Client
from test_http2 import DATA, HEADERS, WINDOW_UPDATE, Frames, setting

#: How many clients fill a buffer each, without and with TLS, which takes longer.
CLIENTS, TLS_CLIENTS = 200, 50
#: How many MiB all may hold together.
TOTAL = 8
#: How many MiB each connection itself may take, with what is read before the limit is noticed.
CONNECTION = 0.3


@pytest.fixture
def server(tmp_path):
    with open(tmp_path / "large", "wb") as file:
        file.truncate(64 << 20)
    config = tmp_path / "footbridge.yaml"
    config.write_text(f"limits: {{ totalBytes: {TOTAL << 20} }}\n")
    with serve("--root", tmp_path, "--config", config, "--tls-port", 0, "--ephemeral", "--control-token", "t", name=None) as server:
        server.tls_port = int(server.lines.get(timeout=60).rsplit(":", 1)[1])
        yield server


@contextlib.contextmanager
def connection(server):
    """A connection whose system takes little of a response."""
    with socket.socket() as peer:
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.settimeout(60)
        peer.connect(("127.0.0.1", server.port))
        yield peer


def send(peer, *parts):
    # The server may close the connection meanwhile.
    with contextlib.suppress(OSError):
        for part in parts:
            peer.sendall(part)


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


def websocket(server, stack):
    peer = stack.enter_context(connection(server))
    handshake = (
        f"GET /__footbridge/bridge HTTP/1.1\r\nHost: localhost:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: footbridge.v1\r\n\r\n"
    )
    send(peer, handshake.encode())
    assert peer.recv(12).endswith(b"101")
    return peer


def incomplete_messages(server, stack):
    for _ in range(CLIENTS):
        send(websocket(server, stack), b"\x01\xff" + struct.pack(">Q", 1 << 20) + bytes(4) + bytes(1 << 20))


def incomplete_urgent_calls(server, stack):
    """What pages send as they leave."""
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        head = (
            f"POST /__footbridge/now HTTP/1.1\r\nHost: localhost:{server.port}\r\nOrigin: http://localhost:{server.port}\r\n"
            "Content-Type: application/json\r\nContent-Length: 1048577\r\n\r\n"
        )
        send(peer, head.encode(), bytes(1 << 20))


def incomplete_heads(server, stack):
    for _ in range(CLIENTS):
        peer = stack.enter_context(connection(server))
        send(peer, f"GET / HTTP/1.1\r\nHost: localhost:{server.port}\r\n".encode(), b"".join(b"X-%d: " % n + b"a" * 600 + b"\r\n" for n in range(100)))


def incomplete_handshakes(server, stack):
    for _ in range(TLS_CLIENTS):
        peer = stack.enter_context(contextlib.closing(socket.create_connection(("127.0.0.1", server.tls_port), timeout=60)))
        # A TLS record that is never complete.
        send(peer, b"\x16\x03\x01\x40\x00\x01\x00\x3f\xfc" + bytes(16_000))


PLAIN = [unread_responses, incomplete_bodies, incomplete_urgent_calls, incomplete_messages, incomplete_heads]
SECURE = [unread_responses_over_http2, incomplete_bodies_over_http2, incomplete_handshakes]


@pytest.mark.parametrize("fill", PLAIN + SECURE, ids=lambda fill: fill.__name__)
def test_all_clients_together_fill_no_more_memory_than_the_limit(server, fill):
    before = server.memory("VmHWM")
    with contextlib.ExitStack() as stack:
        fill(server, stack)
        # Others are served meanwhile.
        assert Client(server).get("/__footbridge/health").status == 200
    # Once it has answered, the server has noticed that the clients have closed their connections.
    assert Client(server).get("/__footbridge/health").status == 200
    assert server.memory("VmHWM") < before + TOTAL + CONNECTION * (CLIENTS if fill in PLAIN else TLS_CLIENTS)


def test_a_request_whose_body_the_server_cannot_hold_is_answered_503(server):
    client = Client(server)
    client.send(f"POST /__footbridge/api/v1/sessions HTTP/1.1\r\nHost: {client.host}\r\nAuthorization: Bearer t\r\n"
                f"Content-Type: application/json\r\nContent-Length: {TOTAL << 21}\r\n\r\n", bytes((TOTAL << 20) + 1))
    response = client.response()
    assert (response.status, response.field("retry-after"), response.field("connection")) == (503, "1", "close")
    server.wait_for_log("hold more bytes than the limit")
