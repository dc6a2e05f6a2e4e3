"""At each limit there is a clear status, code or error, few lines in the log, and flat memory, and nobody else is affected."""

import collections
import concurrent.futures
import contextlib
import json
import os
import resource
import select
import socket
import time
import ssl
import struct

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from buyer import PRODUCT
from footbridge_process import serve
from raw_http import Client
from wire_page import Rejection, WirePage

SMALL = """limits:
  connections: 60
  headBytes: 4096
  urlBytes: 1024
  messageBytes: 65536
  messagesPerSecond: 1000
  queueBytes: 1048576
  totalBytes: 4194304
  pagesPerSession: 3
  openCalls: 20
  openCallBytes: 262144
"""


@pytest.fixture
def small(tmp_path, shop_root, catalog):
    """Runs a server with small limits."""
    config = tmp_path / "footbridge.yaml"
    config.write_text(SMALL)
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "auto", "--ephemeral") as server:
        yield server


@pytest.fixture
def hasty(tmp_path):
    """Runs a server with TLS and short timeouts. The token of its control API is `t`."""
    config = tmp_path / "footbridge.yaml"
    config.write_text("limits: { headTimeout: 5, transferTimeout: 2, keepAliveTimeout: 5 }\n")
    root = tmp_path / "site"
    root.mkdir()
    with open(root / "large", "wb") as file:
        file.truncate(64 << 20)
    with serve("--root", root, "--config", config, "--tls-port", 0, "--ephemeral", "--control-token", "t") as server:
        server.tls_port = int(server.lines.get(timeout=20).rsplit(":", 1)[1])
        yield server


def connection(server, secure):
    """Opens a connection to either listener, and returns it with the host name for its requests."""
    port = server.tls_port if secure else server.port
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    if secure:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = context.wrap_socket(connection)
    return connection, f"localhost:{port}"


def trickle(connection, first, more=b"a"):
    """Sends `first` and then a byte from time to time, until the peer closes. Returns what the peer has sent."""
    received = b""
    connection.sendall(first)
    while True:
        readable, _, _ = select.select([connection], [], [], 0.05)
        try:
            if not readable:
                connection.sendall(more)
            elif piece := connection.recv(65536):
                received += piece
            else:
                return received
        except (ConnectionError, ssl.SSLError):
            return received


def read_all(connection):
    """Returns what the peer sends until it closes."""
    received = bytearray()
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while piece := connection.recv(1 << 20):
            received += piece
    return bytes(received)


def bridge(server, page=None, session=None, **options):
    query = f"?page={page * 32}" if page else ""
    headers = {"Cookie": f"footbridge_session={session * 32}"} if session else {}
    address = f"ws://127.0.0.1:{server.port}/__footbridge/bridge{query}"
    return connect(address, subprotocols=["footbridge.v1"], origin=server.url, additional_headers=headers, compression=None,
                   max_size=None, ping_interval=None, **options)


def request(action, correlation_id, data=None):
    return json.dumps({"version": "1.0", "correlationId": correlation_id, "type": "request", "timestamp": 1,
                       "payload": {"action": action, "data": data or {}}})


def answer(websocket, correlation_id):
    while True:
        message = json.loads(websocket.recv(timeout=10))
        if message["correlationId"] == correlation_id:
            return message["payload"]


def others_are_served(server):
    """Checks that a page of another session, and a plain request, get their answers."""
    with bridge(server, "e", "f") as websocket:
        websocket.send(request("capability.query", "q"))
        assert answer(websocket, "q")["status"] == "success"
    client = Client(server)
    assert client.get("/__footbridge/health").status == 200
    client.close()


def lines_of(server, part):
    """Returns the lines of the log with this text, once the server has ended."""
    server.stop()
    return [line for line in server.log if part in line]


def test_idle_connections_are_closed_for_new_ones_with_at_most_two_log_lines(small, record_property):
    flood = [socket.create_connection(("127.0.0.1", small.port), timeout=10) for _ in range(500)]
    others_are_served(small)
    for connection in flood:
        connection.close()
    others_are_served(small)
    lines = lines_of(small, "limit of connections is reached")
    assert 1 <= len(lines) <= 2
    record_property("limits hit", 500 - 60)


def test_a_connection_above_the_limit_is_answered_503_if_none_is_idle(small):
    with contextlib.ExitStack() as stack:
        for _ in range(60):
            stack.enter_context(bridge(small))
        client = Client(small)
        response = client.get("/__footbridge/health")
        assert response.status == 503 and response.field("connection") == "close"
        client.close()
    others_are_served(small)


@contextlib.contextmanager
def no_descriptor_left(server):
    """Allows the server no more descriptors than it has now."""
    if not hasattr(resource, "prlimit"):
        pytest.skip("needs prlimit")
    process = server.process.pid
    former = resource.prlimit(process, resource.RLIMIT_NOFILE)
    opened = max(int(name) for name in os.listdir(f"/proc/{process}/fd"))
    holes = opened + 1 - len(os.listdir(f"/proc/{process}/fd"))
    resource.prlimit(process, resource.RLIMIT_NOFILE, (opened + 1, former[1]))
    try:
        yield holes
    finally:
        resource.prlimit(process, resource.RLIMIT_NOFILE, former)


def test_a_connection_without_a_descriptor_is_answered_503(small):
    with no_descriptor_left(small) as holes, contextlib.ExitStack() as stack:
        for _ in range(holes):
            stack.enter_context(contextlib.closing(socket.create_connection(("127.0.0.1", small.port), timeout=10)))
        for _ in range(50):
            client = Client(small)
            response = client.get("/__footbridge/health")
            assert response.status == 503 and response.field("connection") == "close" and b"descriptors" in response.body
            assert client.is_closed()
            client.close()
        # Connections that stay open do not delay the next one.
        silent = [stack.enter_context(contextlib.closing(Client(small))) for _ in range(20)]
        for client in silent:
            assert client.response().status == 503
    others_are_served(small)
    assert 1 <= len(lines_of(small, "no file descriptors left")) <= 2


def test_a_tls_connection_without_a_descriptor_is_closed(hasty):
    with no_descriptor_left(hasty) as holes, contextlib.ExitStack() as stack:
        for _ in range(holes):
            stack.enter_context(contextlib.closing(socket.create_connection(("127.0.0.1", hasty.port), timeout=10)))
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", hasty.tls_port), timeout=10) as peer:
                assert peer.recv(1) == b""
    others_are_served(hasty)


def test_downloads_that_nobody_reads_leave_descriptors_for_the_server(tmp_path):
    """Each takes a descriptor for its connection and one for its file."""
    if not hasattr(resource, "prlimit"):
        pytest.skip("needs prlimit")
    with open(tmp_path / "large", "wb") as file:
        file.truncate(64 << 20)
    with serve("--root", tmp_path, "--ephemeral") as server:
        process = server.process.pid
        resource.prlimit(process, resource.RLIMIT_NOFILE, (512, resource.prlimit(process, resource.RLIMIT_NOFILE)[1]))
        with contextlib.ExitStack() as stack:
            for count in range(400):
                client = stack.enter_context(contextlib.closing(Client(server)))
                client.send(f"GET /large HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
                response = client.head()
                if response.status != 200:
                    break
            assert (response.status, response.field("retry-after")) == (503, "1")
            assert count > 200
            # The server can still open its own files.
            assert len(os.listdir(f"/proc/{process}/fd")) < 512
        # A WebSocket gets a 503 until the server has seen that the clients are gone.
        while len(os.listdir(f"/proc/{process}/fd")) > 256:
            time.sleep(0.01)
        others_are_served(server)


#: How many downloads nobody reads in the test below. Each night 10,000, at a limit of 20,000 descriptors.
UNREAD = 10_000 if os.environ.get("FOOTBRIDGE_FAULTS") == "all" else 1_000


@contextlib.contextmanager
def descriptors(count):
    """Allows this process, and the servers that it starts, so many descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        pytest.skip(f"needs {count} descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.timeout(600)
def test_downloads_that_use_up_all_descriptors_are_answered_or_refused_and_end_nothing_else(tmp_path):
    """A server without a descriptor has ended before, and has said that files are not there."""
    with open(tmp_path / "large", "wb") as file:
        file.truncate(64 << 20)
    with contextlib.ExitStack() as servers:
        with descriptors(2 * UNREAD):
            server = servers.enter_context(serve("--root", tmp_path, "--ephemeral", "--log-level", "error"))
        with contextlib.ExitStack() as clients:
            clients.enter_context(descriptors(UNREAD + 1_000))
            statuses = collections.Counter()
            for _ in range(UNREAD):
                client = clients.enter_context(contextlib.closing(Client(server)))
                client.send(f"GET /large HTTP/1.1\r\nHost: {client.host}\r\n\r\n")
                response = client.head()
                assert response.status == 200 or (response.status, response.field("retry-after")) == (503, "1")
                statuses[response.status] += 1
            assert statuses[200] > UNREAD // 2, statuses
            # What all responses hold has a limit (totalBytes).
            assert server.memory() < 1_500
        # The server may need a moment to see that the clients are gone.
        while Client(server).get("/__footbridge/health").status == 503:
            time.sleep(0.01)
        others_are_served(server)
        assert server.stop() == 0


@pytest.mark.parametrize("target, field, status", [("/" + "a" * 1024, "", 414), ("/", "A: " + "b" * 4096, 431), ("/" + "a" * 900, "A: b", 404)])
def test_targets_and_heads_are_accepted_up_to_their_limits(small, target, field, status):
    client = Client(small)
    assert client.get(target, *[field] if field else []).status == status
    client.close()


def test_a_message_above_the_limit_closes_only_its_own_connection(small):
    with bridge(small) as websocket, bridge(small) as other:
        with pytest.raises(ConnectionClosed):
            websocket.send("a" * 65_537)
            websocket.recv(timeout=10)
        assert websocket.close_code == 1009
        other.send(request("capability.query", "q"))
        assert answer(other, "q")["status"] == "success"
    assert len(lines_of(small, "message is larger than the limit")) == 1


def test_a_broken_socket_is_logged_with_its_reason(small):
    with bridge(small) as websocket:
        websocket.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        websocket.socket.shutdown(socket.SHUT_RDWR)
        small.wait_for_log("without a close frame", "its peer has gone")
    with bridge(small) as websocket:
        # A text that ends in the middle of another one (RFC 6455, section 5.4).
        websocket.socket.sendall(bytes([0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0]))
        small.wait_for_log("broke the protocol")
    with bridge(small) as websocket:
        websocket.close(1011)
    small.wait_for_log("closed its WebSocket with the code 1011")
    with bridge(small) as websocket:
        websocket.close(1001)
    others_are_served(small)
    assert not lines_of(small, "1001")


def test_a_flood_of_messages_is_read_slowly_and_loses_no_message(small):
    with bridge(small) as websocket:
        for number in range(2500):
            websocket.send(request("capability.query", f"q{number}"))
        others_are_served(small)
        for number in range(2500):
            assert json.loads(websocket.recv(timeout=10))["correlationId"] == f"q{number}"
    assert 1 <= len(lines_of(small, "read more slowly")) <= 2


@pytest.fixture
def brief(tmp_path, shop_root, catalog):
    """Runs a server with small limits for messages."""
    config = tmp_path / "footbridge.yaml"
    config.write_text("gbg: {}\nlimits: { callBytes: 16384, messageValues: 200 }\n")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "auto", "--ephemeral") as server:
        yield server


MEMBERS = {f"name{number}": number for number in range(200)}
LISTS = [[number] for number in range(100)]


@pytest.mark.parametrize("action, data, code", [
    ("onside.trackEvent", {"name": "a", "parameters": MEMBERS}, "bridge.parametersNotRepresentable"),
    ("onside.trackEvent", {"name": "a", "parameters": {"a": "b" * 16_384}}, "bridge.parametersNotRepresentable"),
    ("onside.loadProducts", {"productIdentifiers": list(MEMBERS)}, "bridge.parametersNotRepresentable"),
    ("today.message", {"value": {"type": "track", "ename": "a", "parameters": MEMBERS}}, "bridge.parametersNotRepresentable"),
    ("today.message", {"value": {"type": "track", "ename": "a" * 16_384}}, "bridge.parametersNotRepresentable"),
    ("footbridge.hello", {"url": "a" * 16_384}, "bridge.parametersNotRepresentable"),
    ("footbridge.sheet.answer", {"id": "a", "approved": True, "fields": MEMBERS}, "bridge.parametersNotRepresentable"),
    ("capability.query", {"x": LISTS}, "MESSAGE_TOO_LARGE"),
    ("capability.query", MEMBERS, "MESSAGE_TOO_LARGE"),
    ("nobody.answers", {"x": LISTS * 20_000}, "MESSAGE_TOO_LARGE"),
], ids=lambda value: str(value)[:30])
def test_a_call_with_too_many_values_is_answered_with_an_error(brief, action, data, code):
    with bridge(brief, "1", "a") as websocket:
        for text in (json.dumps(json.loads(request(action, "q", data)), separators=(",", ":")), request(action, "r", data)):
            websocket.send(text)
        for call in "qr":
            answered = answer(websocket, call)
            assert answered["status"] == "error" and answered["error"]["code"] == code
        websocket.send(request("capability.query", "after"))
        assert answer(websocket, "after")["status"] == "success"
    others_are_served(brief)
    assert len(lines_of(brief, "messages that are too large")) == 1


def test_a_message_with_too_many_values_that_is_not_a_call_is_dropped(brief):
    with bridge(brief) as websocket:
        for kind in ("event", "response"):
            for action, data in (("nobody.asks", {"x": LISTS}), ("onside.x", {"x": "y" * 16_384})):
                websocket.send(json.dumps({**json.loads(request(action, "q", data)), "type": kind}))
        for text in (
            '{"payload":{"data":{"x":[%s]},"action":"a"},"version":"1.0","correlationId":"q","type":"request","timestamp":1}' % ("1," * 200 + "1"),
            request("capability.query", "q" * 9000), request("a" * 9000, "q"), "{" + '"a":1,' * 500_000 + '"b":1}',
        ):
            websocket.send(text)
            message = json.loads(websocket.recv(timeout=10))["payload"]
            assert message["action"] == "footbridge.error"
            assert "too many values" in message["data"]["message"] or "too long" in message["data"]["message"]
        websocket.send(request("capability.query", "after"))
        assert answer(websocket, "after")["status"] == "success"


def test_an_image_may_be_as_long_as_a_message(brief):
    with bridge(brief, "1", "a") as websocket:
        websocket.send(request("capability.query", "q", {"image": "A" * 8_000_000}))
        assert answer(websocket, "q")["status"] == "success"
        websocket.send(request("footbridge.sheet.answer", "s", {"id": "gone", "approved": True, "fields": {"imageBase64": "A" * 8_000_000}}))
        assert answer(websocket, "s")["data"] == {"answered": False}


def test_the_page_gets_an_error_for_a_call_with_too_many_values_and_may_post_an_image(brief, page):
    warnings = []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.goto(brief.url)
    for identifiers in ("['a'.repeat(16384)]", "Array.from({ length: 300 }, (_, index) => `${index}`)"):
        error = page.evaluate(f"onside.loadProducts({{ productIdentifiers: {identifiers} }}).catch(e => [e.name, e.code])")
        assert error == ["PontoonBridgeError", "parametersNotRepresentable"]
    assert "16384 bytes" in page.evaluate(
        "webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'track', ename: 'a'.repeat(17000) }).catch(e => e.message)")
    page.evaluate("onside.trackEvent({ name: 'a', parameters: { a: 'b'.repeat(17000) } })")
    answers = page.evaluate("""() => new Promise(resolve => {
      const answers = {};
      addEventListener("gbgbridge:message", ({ detail: { correlationId, payload } }) => {
        answers[correlationId] = payload.error?.code ?? payload.status;
        if (Object.keys(answers).length === 2) resolve(answers);
      });
      const post = (correlationId, data) => webkit.messageHandlers.gbgBridge.postMessage({ version: "1.0", correlationId, type: "request",
        timestamp: 1, payload: { action: "capability.query", data } });
      post("image", { image: "A".repeat(100000) });
      post("nested", { list: Array.from({ length: 300 }, () => []) });
    })""")
    assert answers == {"image": "success", "nested": "MESSAGE_TOO_LARGE"}
    assert sum("16384 bytes" in warning for warning in warnings) == 4
    assert page.evaluate("onside.getTransactions()") == []


def test_calls_without_an_answer_are_limited_in_number(small):
    with bridge(small, "1", "a") as websocket:
        for number in range(20):
            websocket.send(request("nobody.answers", f"w{number}"))
        websocket.send(request("nobody.answers", "one too many"))
        assert answer(websocket, "one too many")["error"]["code"] == "BUSY"
        websocket.send(request("onside.getTransactions", "own"))
        assert answer(websocket, "own")["error"]["code"] == "bridge.brokenRequest"
        others_are_served(small)
    assert len(lines_of(small, "limit of calls without an answer")) == 1


def test_calls_without_an_answer_are_limited_in_bytes(small):
    with bridge(small, "1", "a") as websocket:
        for number in range(6):
            websocket.send(request("nobody.answers", f"w{number}", {"x": "y" * 60_000}))
        assert answer(websocket, "w4")["error"]["code"] == "BUSY"
        assert answer(websocket, "w5")["error"]["code"] == "BUSY"


def test_events_and_answers_of_a_page_do_not_count_as_calls(small):
    with bridge(small, "1", "a") as websocket:
        for number in range(50):
            for kind in ("event", "response"):
                message = json.loads(request("nobody.asks", f"{kind}{number}"))
                websocket.send(json.dumps({**message, "type": kind}))
        websocket.send(request("capability.query", "q"))
        assert answer(websocket, "q")["status"] == "success"


def test_the_pages_of_a_session_are_limited_and_may_reconnect(small):
    with contextlib.ExitStack() as stack:
        for page in "123":
            stack.enter_context(bridge(small, page, "a"))
        with pytest.raises(InvalidStatus) as refused, bridge(small, "4", "a"):
            pass
        assert refused.value.response.status_code == 429
        stack.enter_context(bridge(small, "3", "a"))
        others_are_served(small)


def test_unfinished_transactions_of_a_page_are_limited(tmp_path, shop_root, catalog, record_property):
    config = tmp_path / "footbridge.yaml"
    config.write_text("limits: { transactions: 5, orders: 8 }\n")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "auto", "--ephemeral") as server:
        page = WirePage(server.port)

        def buy(token):
            try:
                page.call("onside.purchase", productIdentifier=PRODUCT, appAccountToken=token)
            except Rejection as rejection:
                return str(rejection)
            page.wait_for_state("purchased", token)
            return "bought"

        page.call("onside.requestLogin")
        page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
        assert [buy(f"first-{number}") for number in range(8)] == ["bought"] * 5 + ["bridge.brokenRequest"] * 3
        for transaction in page.call("onside.getTransactions")["transactions"]:
            page.call("onside.finishTransaction", id=transaction["id"])
        assert [buy(f"second-{number}") for number in range(5)] == ["bought"] * 3 + ["bridge.brokenRequest"] * 2
        page.close()
        lines = lines_of(server, "Further purchases are refused")
        assert len(lines) == 2 and "5 unfinished transactions" in lines[0] and "8 orders" in lines[1]
        record_property("limits hit", 5)


def test_pages_cannot_fill_the_log_or_write_lines_of_their_own(small):
    with bridge(small, "1", "a") as websocket:
        for number in range(3000):
            websocket.send(request("onside.trackEvent", f"t{number}", {"name": f"{number}\nfootbridge: ready", "parameters": {}}))
        websocket.send(request("capability.query", "q"))
        assert answer(websocket, "q")["status"] == "success"
    small.stop()
    assert 1 <= sum("onside.trackEvent" in line for line in small.log) <= 60
    assert not [line for line in small.log if line.startswith("footbridge: ready")]


def slow_head(server, secure):
    """Sends a head that never ends."""
    peer, host = connection(server, secure)
    with peer:
        return trickle(peer, f"GET / HTTP/1.1\r\nHost: {host}\r\nA: ".encode())


def slow_body(server, secure):
    """Sends a body that stops."""
    peer, host = connection(server, secure)
    with peer:
        peer.sendall(f"POST /__footbridge/api/v1/sessions HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer t\r\n"
                     "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{".encode())
        return read_all(peer)


def idle(server, secure):
    """Opens a connection that then stays silent."""
    peer, host = connection(server, secure)
    with peer:
        peer.sendall(f"HEAD /large HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        return read_all(peer)


def slow_handshake(server):
    """Sends the first bytes of a TLS record with a ClientHello, and the others one by one."""
    with socket.create_connection(("127.0.0.1", server.tls_port), timeout=60) as peer:
        return trickle(peer, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")


def test_slow_peers_are_answered_408_and_closed_on_both_listeners(hasty, record_property):
    peers = [(peer, secure) for peer in (slow_head, slow_body, idle) for secure in (False, True)]
    with concurrent.futures.ThreadPoolExecutor(len(peers) + 1) as pool:
        handshake = pool.submit(slow_handshake, hasty)
        received = list(pool.map(lambda peer: (peer[0], peer[0](hasty, peer[1])), peers))
        assert b"HTTP" not in handshake.result()
    for peer, answer in received:
        status = 200 if peer is idle else 408
        assert answer.startswith(f"HTTP/1.1 {status} ".encode()) and answer.count(b"HTTP/1.1 ") == 1
        assert (b"Connection: close" in answer) == (status == 408)
    others_are_served(hasty)
    record_property("limits hit", len(peers) + 1)


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "tls"])
def test_a_response_that_is_not_read_is_cut(hasty, secure):
    peer, host = connection(hasty, secure)
    with peer:
        peer.sendall(f"GET /large HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        hasty.wait_for_log("neither sent nor read")
        assert len(read_all(peer)) < 64 << 20
    others_are_served(hasty)


def test_the_journals_of_all_sessions_stay_below_their_common_limit(tmp_path, shop_root, catalog):
    config = tmp_path / "footbridge.yaml"
    config.write_text("limits: { journalBytes: 4194304 }\n")
    messages, sessions = 500, 30
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--ephemeral", "--control-token", "t") as server:
        control = server.control("t")
        made = [control.session() for _ in range(sessions)]
        others_are_served(server)
        before = server.memory()
        for session in made:
            value = session["cookie"]["value"]
            with connect(f"ws://127.0.0.1:{server.port}/__footbridge/bridge?page={'1' * 32}", subprotocols=["footbridge.v1"],
                         origin=server.url, compression=None, additional_headers={"Cookie": f"footbridge_session={value}"}) as websocket:
                for number in range(messages):
                    websocket.send(request("onside.getTransactions", f"q{number}", {"x": "y" * 3600}))
                answer(websocket, f"q{messages - 1}")
        journals = [control("GET", f"/sessions/{session['id']}/journal?limit=1000&kind=request") for session in made]
        counts = [len(journal["entries"]) for journal in journals]
        # Nearly two megabytes each: the last two sessions keep all entries, and those that were idle for longest keep none.
        assert counts[-1] == messages and counts[0] == 0 and journals[0]["dropped"] > messages
        assert 3600 * sum(counts) <= 4 << 20
        assert server.memory() - before < 40
        assert 1 <= len(lines_of(server, "journals have reached their memory limit")) <= 5


@pytest.mark.parametrize("limits", ["idleSessions: 2", "sessionIdleTimeout: 1"])
def test_sessions_without_a_page_end_and_are_restored_unchanged(tmp_path, shop_root, catalog, limits):
    config = tmp_path / "footbridge.yaml"
    config.write_text(f"limits: {{ {limits} }}\n")
    with serve("--root", shop_root, "--catalog", catalog, "--config", config, "--present", "auto", "--state", tmp_path / "state",
               "--control-token", "t") as server:
        with bridge(server, session="a") as websocket:
            websocket.send(request("onside.requestLogin", "login"))
            assert answer(websocket, "login")["status"] == "success"
        for session in "bcd":
            with bridge(server, session=session) as websocket:
                websocket.send(request("capability.query", "q"))
                answer(websocket, "q")
        server.wait_for_log("without a page")
        with bridge(server, session="a") as websocket:
            websocket.send(request("onside.getCurrentStorefront", "s"))
            assert answer(websocket, "s")["data"]["storefront"]["countryCode"] == "NL"


def test_the_page_gets_an_error_for_a_message_that_is_too_long_and_stays_connected(small, page):
    warnings, sockets = [], []
    page.on("console", lambda message: warnings.append(message.text) if message.type == "warning" else None)
    page.on("websocket", lambda websocket: sockets.append(websocket.url))
    page.goto(small.url)
    for size in (65_536, 40_000_000 if os.environ.get("FOOTBRIDGE_LONG") else 400_000):
        for text in ("'a'.repeat(size)", "'é'.repeat(size / 2)", "'\\ud800'.repeat(size / 3)"):
            error = page.evaluate(f"size => onside.loadProducts({{ productIdentifiers: [{text}] }}).catch(e => [e.name, e.code, e.message])", size)
            assert error[:2] == ["PontoonBridgeError", "parametersNotRepresentable"] and "65536 bytes" in error[2]
    assert "65536 bytes" in page.evaluate(
        "webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'track', ename: 'a'.repeat(70000) }).catch(e => e.message)")
    code = page.evaluate("""() => new Promise(resolve => {
      addEventListener("gbgbridge:message", ({ detail }) => resolve(detail.payload.error.code));
      webkit.messageHandlers.gbgBridge.postMessage({ version: "1.0", correlationId: "long", type: "request", timestamp: 1,
        payload: { action: "x", data: { a: "b".repeat(70000) } } });
    })""")
    assert code == "MESSAGE_TOO_LARGE"
    page.evaluate("onside.trackEvent({ name: 'a', parameters: { a: 'b'.repeat(70000) } })")
    assert page.evaluate("onside.getTransactions()") == []
    assert len(sockets) == 1
    assert sum("65536 bytes" in warning for warning in warnings) >= 8


def test_a_page_that_floods_does_not_affect_other_pages(shop_root, catalog, record_property):
    """Uses the default limits: large messages that nobody answers, endless calls, endless connections, half messages."""
    with serve("--root", shop_root, "--catalog", catalog, "--present", "auto", "--ephemeral") as server:
        others_are_served(server)
        with bridge(server, "1", "a") as websocket:
            large = request("nobody.answers", "$", {"x": "y" * (8 << 20)})
            refused = 0
            for number in range(12):
                websocket.send(large.replace("$", str(number)))
            websocket.send(request("capability.query", "end"))
            while (message := json.loads(websocket.recv(timeout=30)))["correlationId"] != "end":
                refused += message["payload"]["error"]["code"] == "BUSY"
            for number in range(20_000):
                websocket.send(request("nobody.answers", f"w{number}"))
            websocket.send(request("capability.query", "end of calls"))
            while (message := json.loads(websocket.recv(timeout=30)))["correlationId"] != "end of calls":
                refused += message["payload"].get("error", {}).get("code") == "BUSY"
            others_are_served(server)
        assert refused > 9_000
        assert server.memory() < 400
        record_property("limits hit", refused)
