"""Clients that fill what a server holds for them: 200 at once, whichever buffer it is."""

import contextlib
import json
import socket

from websockets.sync.client import connect

from raw_http import Client

#: How many clients fill a buffer each, without and with TLS, which takes longer.
CLIENTS, TLS_CLIENTS = 200, 50
#: How many MiB all may hold together.
TOTAL = 8
#: How many MiB each connection itself may take, with what is read before the limit is noticed.
CONNECTION = 0.3
#: The limits of a server that holds no more.
LIMITS = f"limits: {{ totalBytes: {TOTAL << 20}, journalBytes: {TOTAL << 20} }}\n"


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


def websocket(server, stack):
    peer = stack.enter_context(connection(server))
    handshake = (
        f"GET /__footbridge/bridge HTTP/1.1\r\nHost: localhost:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: footbridge.v1\r\n\r\n"
    )
    send(peer, handshake.encode())
    assert peer.recv(12).endswith(b"101")
    return peer


def call(action, number, data):
    payload = {"action": action, "data": data}
    return json.dumps({"version": "1.0", "correlationId": f"footbridge-{number}", "type": "request", "timestamp": 1, "payload": payload})


def pages(server, hello=None):
    """Pages of as many sessions. Each may come back for half a minute."""
    hello = {"url": server.url, "referrer": "", "received": 0, "topFrame": True, **(hello or {})}
    for number in range(CLIENTS):
        id = f"{number:032x}"
        with connect(
            f"ws://127.0.0.1:{server.port}/__footbridge/bridge?page={id}", subprotocols=["footbridge.v1"], origin=server.url, compression=None,
            additional_headers={"Cookie": f"footbridge_session={id}"}, max_size=None, ping_interval=None,
        ) as page:
            page.send(call("footbridge.hello", 0, hello))
            page.recv(timeout=60)
            yield page
            page.socket.shutdown(socket.SHUT_RDWR)


def answer(page, number):
    """Reads the answer to a call, and what comes before."""
    while True:
        message = page.recv(timeout=60)
        if json.loads(message)["correlationId"] == f"footbridge-{number}":
            return message


def check(server, fill, count=CLIENTS, more=0):
    """Fills a buffer from so many clients. All hold no more than the limit, and `more` MiB that have a limit of their own."""
    before = server.memory("VmHWM") + more
    with contextlib.ExitStack() as stack:
        fill(server, stack)
        # Others are served meanwhile.
        assert Client(server).get("/__footbridge/health").status == 200
    # Once it has answered, the server has noticed that the clients have closed their connections.
    assert Client(server).get("/__footbridge/health").status == 200
    taken, allowed = server.memory("VmHWM") - before, TOTAL + CONNECTION * count
    assert taken < allowed, f"{taken:.0f} MiB instead of {allowed:.0f}"
