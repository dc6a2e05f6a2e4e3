"""WebSockets according to RFC 6455, with a public client and with raw frames."""

import json
import os
import pytest
import re
import socket
import struct
import urllib.request
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from footbridge_process import serve
from raw_http import Client


def frame(opcode, payload=b"", final=True, mask=b"\x01\x02\x03\x04"):
    """Returns a client's frame."""
    head = bytes([(0x80 if final else 0) | opcode])
    if len(payload) < 126:
        head += bytes([0x80 | len(payload)])
    elif len(payload) < 65536:
        head += b"\xfe" + struct.pack(">H", len(payload))
    else:
        head += b"\xff" + struct.pack(">Q", len(payload))
    return head + mask + bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))


class RawSocket:
    """A WebSocket with hand-written frames."""

    def __init__(self, port, extra=b""):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.sendall(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n" + extra
        )
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        self.head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")

    def take(self, count):
        while len(self.buffer) < count:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError
            self.buffer += data
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def frame(self):
        """Returns the next frame's opcode and payload."""
        first, second = self.take(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack(">H", self.take(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.take(8))[0]
        return first & 0x0F, self.take(length)


@pytest.fixture
def raw(echo_server):
    websocket = RawSocket(echo_server.port)
    yield websocket
    websocket.socket.close()


def test_the_handshake_is_answered_as_in_rfc_6455(raw):
    assert raw.head.startswith(b"HTTP/1.1 101 ")
    assert b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in raw.head
    assert b"sec-websocket-protocol" not in raw.head.lower()


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 4096, 65535, 65536, 1_000_000, 16 << 20])
def test_messages_of_every_size_are_echoed_back(echo_server, size):
    with connect(f"ws://127.0.0.1:{echo_server.port}", max_size=None, compression=None) as websocket:
        data = os.urandom(size)
        websocket.send(data)
        assert websocket.recv(timeout=30) == data
        text = "é" * (size // 2)
        websocket.send(text)
        assert websocket.recv(timeout=30) == text


def test_a_message_above_the_limit_is_refused_with_1009(echo_server):
    with connect(f"ws://127.0.0.1:{echo_server.port}", max_size=None, compression=None) as websocket:
        with pytest.raises(ConnectionClosed):
            websocket.send(b"a" * ((16 << 20) + 1))
            websocket.recv(timeout=30)
        assert websocket.close_code == 1009


def test_fragments_are_put_together_with_a_ping_between_them(raw):
    raw.socket.sendall(frame(1, b"hel", final=False) + frame(9, b"now") + frame(0, b"lo ", final=False) + frame(0, b"you"))
    assert raw.frame() == (10, b"now")
    assert raw.frame() == (1, b"hello you")


def test_frames_that_come_with_the_handshake_are_not_lost(echo_server):
    raw = RawSocket(echo_server.port, extra=frame(1, b"early") + frame(1, b"bird"))
    assert raw.frame() == (1, b"early")
    assert raw.frame() == (1, b"bird")


def test_frames_sent_byte_by_byte_are_the_same_message(raw):
    for byte in frame(2, b"\x00\x01\x02" * 50):
        raw.socket.sendall(bytes([byte]))
    assert raw.frame() == (2, b"\x00\x01\x02" * 50)


def test_many_messages_at_once_are_answered_in_order(raw):
    raw.socket.sendall(b"".join(frame(1, b"%d" % number) for number in range(2000)))
    assert [int(raw.frame()[1]) for _ in range(2000)] == list(range(2000))


@pytest.mark.parametrize("frames, code", [
    (frame(1, b"\xff\xfe"), 1007),
    (frame(1, b"\xce", final=False) + frame(0, b"\x41"), 1007),
    (frame(3, b""), 1002),
    (frame(11, b""), 1002),
    (frame(0, b"alone"), 1002),
    (frame(1, b"a", final=False) + frame(1, b"b"), 1002),
    (bytes([0xC1]) + frame(1, b"a")[1:], 1002),
    (frame(9, b"a" * 126), 1002),
    (frame(9, b"a", final=False), 1002),
    (frame(8, b"\x03\xe7"), 1002),
    (frame(8, b"\x03"), 1002),
])
def test_a_protocol_violation_fails_the_connection(raw, frames, code):
    raw.socket.sendall(frames)
    try:
        opcode, payload = raw.frame()
        assert opcode == 8
        assert payload == b"" or struct.unpack(">H", payload[:2])[0] == code
        raw.socket.sendall(frame(8, payload))
    except EOFError:
        return
    with pytest.raises(EOFError):
        raw.frame()


@pytest.mark.parametrize("bad", [frame(3), frame(0, b"alone", final=False), bytes([0xA1]) + frame(1, b"a")[1:]])
def test_complete_messages_before_a_violation_are_answered(raw, bad):
    raw.socket.sendall(frame(1, b"one", final=False) + frame(0, b" two") + bad + frame(1, b"three"))
    assert raw.frame() == (1, b"one two")
    assert raw.frame()[0] == 8
    raw.socket.sendall(frame(8, struct.pack(">H", 1002)))
    with pytest.raises(EOFError):
        raw.frame()


def test_a_close_is_answered_with_the_same_code(raw):
    raw.socket.sendall(frame(8, struct.pack(">H", 1000) + b"done"))
    opcode, payload = raw.frame()
    assert opcode == 8 and payload[:2] == struct.pack(">H", 1000)


def test_frames_after_a_close_are_discarded(raw):
    raw.socket.sendall(frame(1, b"one") + frame(8, struct.pack(">H", 1000)) + frame(1, b"two") + frame(9, b"ping"))
    assert raw.frame() == (1, b"one")
    assert raw.frame()[0] == 8
    with pytest.raises(EOFError):
        raw.frame()


def test_a_client_that_does_not_read_is_paused(echo_server):
    slow = RawSocket(echo_server.port)
    slow.socket.settimeout(3)
    message = frame(2, b"a" * 1_000_000)
    sent = 0
    try:
        for _ in range(400):
            slow.socket.sendall(message)
            sent += 1
    except TimeoutError:
        pass
    assert sent < 400, "the server has taken 400 MB without anyone reading an answer"
    with connect(f"ws://127.0.0.1:{echo_server.port}") as other:
        other.send("still there")
        assert other.recv(timeout=60) == "still there"
    slow.socket.close()


def test_plain_http_at_the_bridge_route_is_answered_426(echo_server):
    with socket.create_connection(("127.0.0.1", echo_server.port), timeout=60) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        head = plain.recv(4096)
        assert head.startswith(b"HTTP/1.1 426 ")
        assert b"websocket" in head.lower()


def bridge(server, **options):
    options = {"subprotocols": ["footbridge.v1"], "origin": server.url, **options}
    return connect(f"ws://127.0.0.1:{server.port}/__footbridge/bridge", **options)


def call(websocket, action, correlation_id="c", **data):
    websocket.send(json.dumps({
        "version": "1.0", "correlationId": correlation_id, "type": "request", "timestamp": 1, "payload": {"action": action, "data": data},
    }))
    while True:
        message = json.loads(websocket.recv(timeout=10))
        if message["correlationId"] == correlation_id:
            return message


def test_the_bridge_answers_without_a_hello(auto_shop):
    with bridge(auto_shop) as websocket:
        assert websocket.subprotocol == "footbridge.v1"
        answer = call(websocket, "capability.query")
        assert answer["type"] == "response" and answer["payload"]["status"] == "success"
        assert answer["payload"]["data"]["environment"] == "ios"


@pytest.mark.parametrize("options, status", [
    ({"origin": "http://evil.example"}, 403), ({"origin": "null"}, 403), ({"subprotocols": None}, 400),
    ({"subprotocols": ["other"]}, 400), ({"additional_headers": {"Host": "evil.example"}}, None),
])
def test_the_bridge_accepts_only_pages_of_this_server(auto_shop, options, status):
    with pytest.raises((InvalidStatus, ConnectionError, OSError, Exception)) as failure:
        bridge(auto_shop, **options).close()
    if status:
        assert failure.value.response.status_code == status


def test_text_that_is_not_an_envelope_is_answered_with_the_reason(auto_shop):
    with bridge(auto_shop) as websocket:
        for text in ("nonsense", "{}", "[" * 100_000, '{"version":1}'):
            websocket.send(text)
            message = json.loads(websocket.recv(timeout=60))
            assert message["payload"]["action"] == "footbridge.error"
        assert call(websocket, "capability.query")["payload"]["status"] == "success"


def test_different_cookies_are_different_sessions(auto_shop):
    cookies = [{"Cookie": "footbridge_session=" + digit * 32} for digit in "ab"]
    with bridge(auto_shop, additional_headers=cookies[0]) as first, bridge(auto_shop, additional_headers=cookies[1]) as second:
        call(first, "onside.requestLogin")
        assert call(first, "onside.getCurrentStorefront")["payload"]["data"]["storefront"]["countryCode"] == "NL"
        assert call(second, "onside.getCurrentStorefront")["payload"]["data"] == {"storefront": None}


def test_a_request_that_is_sent_again_has_its_effect_once(auto_shop):
    page = {"additional_headers": {"Cookie": "footbridge_session=" + "c" * 32}}
    address = f"ws://127.0.0.1:{auto_shop.port}/__footbridge/bridge?page=" + "d" * 32
    options = {"subprotocols": ["footbridge.v1"], "origin": auto_shop.url, **page}

    def hello(websocket, received):
        return call(websocket, "footbridge.hello", f"hello-{received}", url="http://x/", referrer="", received=received, topFrame=True)

    with connect(address, **options) as websocket:
        assert hello(websocket, 0)["payload"]["data"]["resumed"] is False
        call(websocket, "onside.loadProducts", "load", productIdentifiers=["com.product.example.consumable"])
        call(websocket, "onside.purchase", "buy", productIdentifier="com.product.example.consumable")
        websocket.socket.close()
    with connect(address, **options) as websocket:
        hello(websocket, 1)
        again = call(websocket, "onside.purchase", "buy", productIdentifier="com.product.example.consumable")
        assert again["payload"]["status"] == "success"
        assert len(call(websocket, "onside.getTransactions", "count")["payload"]["data"]["transactions"]) == 1


def test_missed_messages_are_sent_again_in_order(auto_shop):
    headers = {"Cookie": "footbridge_session=" + "e" * 32}
    options = {"subprotocols": ["footbridge.v1"], "origin": auto_shop.url, "additional_headers": headers}
    address = f"ws://127.0.0.1:{auto_shop.port}/__footbridge/bridge?page="
    with connect(address + "1" * 32, **options) as first:
        call(first, "footbridge.hello", "h", received=0)
        first.socket.close()
    with connect(address + "2" * 32, **options) as second:
        call(second, "footbridge.hello", "h", received=0)
        call(second, "onside.requestLogin", "in")
        call(second, "onside.logout", "out")
    with connect(address + "1" * 32, **options) as first:
        first.send(json.dumps({"version": "1.0", "correlationId": "again", "type": "request", "timestamp": 1,
                               "payload": {"action": "footbridge.hello", "data": {"received": 0}}}))
        messages = [json.loads(first.recv(timeout=60)) for _ in range(3)]
        assert [message["payload"]["action"] for message in messages] == ["footbridge.hello"] + ["onside.onStorefrontChanged"] * 2
        assert [message["sequence"] for message in messages[1:]] == [1, 2]


def test_answers_given_during_a_disconnection_are_sent_in_order_after_the_hello(auto_shop):
    headers = {"Cookie": "footbridge_session=" + "3" * 32, "Origin": auto_shop.url}
    with urllib.request.urlopen(urllib.request.Request(auto_shop.url, headers={"Cookie": headers["Cookie"]}), timeout=60) as document:
        ticket = re.search(r'data-footbridge-ticket="([^"]+)"', document.read().decode())[1]
    page = f"page={'4' * 32}&ticket={ticket}"

    def text(correlation_id, action="onside.getCurrentStorefront", **data):
        payload = {"action": action, "data": data}
        return json.dumps({"version": "1.0", "correlationId": correlation_id, "type": "request", "timestamp": 1, "payload": payload})

    def ask(*ids):
        """Asks for the answer to the last call, as a script does that waits for it."""
        url = f"{auto_shop.url}/__footbridge/now?{page}&call={ids[-1]}"
        request = urllib.request.Request(url, "".join("\x1E" + text(each) for each in ids).encode(), headers)
        with urllib.request.urlopen(request, timeout=60) as response:
            assert json.load(response)["correlationId"] == ids[-1]

    ask("footbridge-1", "footbridge-2")
    address = f"ws://127.0.0.1:{auto_shop.port}/__footbridge/bridge?{page}"
    with connect(address, subprotocols=["footbridge.v1"], origin=auto_shop.url, additional_headers={"Cookie": headers["Cookie"]}) as websocket:
        # The browser has the socket, and the page does not know it yet: its script waits for the next answer.
        ask("footbridge-3", "footbridge-4")
        for message in (text("hello", "footbridge.hello", received=0), text("footbridge-1"), text("footbridge-3")):
            websocket.send(message)
        answers = [json.loads(websocket.recv(timeout=60))["correlationId"] for _ in range(3)]
        assert answers == ["hello", "footbridge-1", "footbridge-3"]


def test_only_a_known_page_makes_the_server_read_an_urgent_call(auto_shop):
    def begin(length, *ways):
        """Begins a request without its body, and returns the answer that comes nevertheless; None if the server waits for the body."""
        client = Client(auto_shop)
        query = "&".join(["page=" + "5" * 32, "call=footbridge-1", *ways])
        client.send(f"POST /__footbridge/now?{query} HTTP/1.1\r\nHost: {client.host}\r\nOrigin: http://{client.host}\r\n"
                    f"Cookie: footbridge_session={'5' * 32}\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n")
        return client.head().status

    document = Client(auto_shop).get("/", "Cookie: footbridge_session=" + "5" * 32).body.decode()
    ticket = "ticket=" + re.search(r'data-footbridge-ticket="([^"]+)"', document)[1]
    assert begin(1000) == 403
    assert begin(1000, "ticket=" + "a" * 80) == 403
    assert begin(1000, ticket) == 100
    assert begin(16 << 20, ticket) == 100
    assert begin((16 << 20) + 1, ticket) == 413
