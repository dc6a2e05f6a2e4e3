"""Every rule of RFC 9112 about syntax and framing, broken, as raw bytes: by clients on both listeners, and by the upstream.

A good request for `/canary` follows each broken one: a server that takes it as a separate request would answer it.
"""

import re
import socket
import ssl

import pytest

from footbridge_process import serve
from upstreams import Upstream

CANARY = b"GET /canary HTTP/1.1\r\nHost: $HOST\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: $HOST\r\nTransfer-Encoding: chunked\r\n\r\n"


def line(text):
    return text + b"\r\nHost: $HOST\r\n\r\n"


def fields(text):
    return b"GET / HTTP/1.1\r\nHost: $HOST\r\n" + text + b"\r\n\r\n"


def body(text):
    return b"POST / HTTP/1.1\r\nHost: $HOST\r\n" + text + b"\r\n\r\nhello"


REFUSED = [
    # Section 3: the request line
    (400, line(b"GET  / HTTP/1.1")), (400, line(b" GET / HTTP/1.1")), (400, line(b"GET / HTTP/1.1 ")), (400, line(b"GET\t/\tHTTP/1.1")),
    (400, line(b"GET /")), (400, line(b"GET / a HTTP/1.1")), (400, line(b"GE(T / HTTP/1.1")), (400, line(b"G\x80T / HTTP/1.1")),
    (400, line(b"GET / http/1.1")), (400, line(b"GET / HTTP/1.1x")), (400, line(b"GET / HTTP/11")), (400, line(b"GET / HTTP/01.1")),
    (400, line(b"GET / HTTP 1.1")), (400, line(b"GET / ICY/1.1")), (505, line(b"GET / HTTP/2.0")), (505, line(b"GET / HTTP/9.9")),
    (505, line(b"GET / HTTP/0.9")), (505, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    # Section 3.2: targets
    (400, line(b"GET /#a HTTP/1.1")), (400, line(b"GET /\"a HTTP/1.1")), (400, line(b"GET /<a> HTTP/1.1")), (400, line(b"GET /a\\b HTTP/1.1")),
    (400, line(b"GET /\xc3\xa9 HTTP/1.1")), (400, line(b"GET /\x00 HTTP/1.1")), (400, line(b"GET /\x7f HTTP/1.1")), (400, line(b"GET a HTTP/1.1")),
    (400, line(b"GET * HTTP/1.1")), (400, line(b"GET $HOST HTTP/1.1")), (400, line(b"GET ftp://$HOST/ HTTP/1.1")), (400, line(b"GET http:///a HTTP/1.1")),
    (400, line(b"GET http://a@$HOST/ HTTP/1.1")), (400, line(b"CONNECT / HTTP/1.1")), (400, line(b"CONNECT localhost HTTP/1.1")),
    (400, line(b"CONNECT http://$HOST/ HTTP/1.1")), (414, line(b"GET /" + b"a" * 9000 + b" HTTP/1.1")),
    # Section 3.2: Host
    (400, b"GET / HTTP/1.1\r\n\r\n"), (400, fields(b"Host: $HOST")), (400, fields(b"host: evil.example")), (400, b"GET / HTTP/1.1\r\nHost:\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: $HOST, $HOST\r\n\r\n"), (400, b"GET / HTTP/1.1\r\nHost: $HOST/a\r\n\r\n"), (400, b"GET / HTTP/1.1\r\nHost: a@$HOST\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: localhost:port\r\n\r\n"), (400, b"GET / HTTP/1.1\r\nHost: localhost:99999\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"), (400, b"GET / HTTP/1.1\r\nHost: [1:2]\r\n\r\n"), (400, b"GET / HTTP/1.1\r\nHost: \x80\r\n\r\n"),
    # Section 2.2: line ends
    (400, b"GET / HTTP/1.1\nHost: $HOST\n\n"), (400, b"GET / HTTP/1.1\r\nHost: $HOST\n\r\n"), (400, b"GET / HTTP/1.1\rHost: $HOST\r\r"),
    (400, fields(b"A: b\rc")), (400, fields(b"A: b\nc: d")), (400, b"\r\n" * 20 + fields(b"A: b")), (400, b"GET / HTTP/1.1\r\n Host: $HOST\r\n\r\n"),
    # Section 5: fields
    (400, fields(b"A : b")), (400, fields(b"A\t: b")), (400, fields(b"A b: c")), (400, fields(b": b")), (400, fields(b"A")), (400, fields(b"A(: b")),
    (400, fields(b"\x80: b")), (400, fields(b"A: \x00")), (400, fields(b"A: \x01")), (400, fields(b"A: \x0b")), (400, fields(b"A: \x7f")),
    (400, fields(b"A: b\r\n c")), (400, fields(b"A: b\r\n\tc: d")), (400, fields(b"A:\r\n b")), (431, fields(b"A: " + b"b" * 70_000)),
    (431, fields(b"A: b\r\n" * 300 + b"C: d")), (431, fields(b"A" * 70_000)),
    # Section 6.3: lengths
    (400, body(b"Content-Length: +5")), (400, body(b"Content-Length: -5")), (400, body(b"Content-Length: 5x")), (400, body(b"Content-Length: 0x5")),
    (400, body(b"Content-Length: 5, 5")), (400, body(b"Content-Length: 5 5")), (400, body(b"Content-Length: 5.0")), (400, body(b"Content-Length:")),
    (400, body(b"Content-Length: 5\r\nContent-Length: 6")), (400, body(b"Content-Length: 6\r\nContent-Length: 5")), (400, body(b"Content-Length: \xd9\xa5")),
    (413, body(b"Content-Length: 99999999999999999999")), (413, body(b"Content-Length: 18446744073709551621")),
    # Section 6.1: codings
    (400, body(b"Content-Length: 5\r\nTransfer-Encoding: chunked")), (400, body(b"Transfer-Encoding: chunked\r\nContent-Length: 5")),
    (400, body(b"Transfer-Encoding: chunked, chunked")), (400, body(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked")),
    (None, body(b"Transfer-Encoding: chunked, gzip")), (None, body(b"Transfer-Encoding: identity")), (501, body(b"Transfer-Encoding: gzip, chunked")),
    (None, body(b"Transfer-Encoding: xchunked")), (None, body(b"Transfer-Encoding: \"chunked\"")), (400, body(b"Transfer-Encoding: \x0bchunked")),
    (None, body(b"Transfer-Encoding: chunked;a=b")), (None, body(b"Transfer-Encoding:")), (None, body(b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity")),
    (400, b"POST / HTTP/1.0\r\nHost: $HOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), (400, body(b"Transfer-Encoding : chunked")),
    # RFC 9110, section 10.1.1
    (417, body(b"Expect: miracles\r\nContent-Length: 5")),
]

# Section 7.1: chunks. The server may find an error in them after it has answered.
CHUNKS = [
    b"5\nhello\n0\n\n", b"5 \r\nhello\r\n0\r\n\r\n", b" 5\r\nhello\r\n0\r\n\r\n", b"+5\r\nhello\r\n0\r\n\r\n", b"-5\r\nhello\r\n0\r\n\r\n", b"0x5\r\nhello\r\n0\r\n\r\n",
    b"G\r\nhello\r\n0\r\n\r\n", b"\r\nhello\r\n0\r\n\r\n", b"FFFFFFFFFFFFFFFFF\r\nhello", b"8000000000000000\r\nhello", b"5\r\nhelloX\r\n0\r\n\r\n",
    b"5\r\nhello\n0\r\n\r\n", b"5\r\nhello0\r\n\r\n", b"5;a\x00\r\nhello\r\n0\r\n\r\n", b"5;a=\"b\r\nhello\r\n0\r\n\r\n", b"5;\nX: y\r\nhello\r\n0\r\n\r\n",
    b"5;" + b"a" * 5000 + b"\r\nhello\r\n0\r\n\r\n", b"0\r\nX : y\r\n\r\n", b"0\r\nX: y\r\n z\r\n\r\n", b"0\r\nX\r\n\r\n", b"0\r\nX: \x00\r\n\r\n", b"0\n\r\n",
    b"0\r\nX: " + b"y" * 20_000 + b"\r\n\r\n",
]

ACCEPTED = [
    fields(b"A: \xc3\xa9"), fields(b"A:"), fields(b"A:\t b \t"), fields(b"a-B_c!#$%&'*+.^`|~: b"), b"\r\n" + fields(b"A: b"), fields(b"A: " + b"b" * 50_000),
    b"GET http://$HOST/ HTTP/1.1\r\nHost: $HOST\r\n\r\n", line(b"GET /?a=|{}[]^` HTTP/1.1"), fields(b"Connection: upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: A"),
    fields(b"Content-Length: 0"), line(b"GET /%zz HTTP/1.1"),
]


def exchange(server, port, secure, data):
    """Returns everything that the server answers until it closes."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    if secure:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        connection = context.wrap_socket(connection)
    with connection:
        received = b""
        try:
            connection.sendall(data.replace(b"$HOST", f"localhost:{port}".encode()))
            while piece := connection.recv(65536):
                received += piece
        except (ConnectionError, ssl.SSLError):
            pass
        return received


def statuses(received):
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", received)]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    root = tmp_path_factory.mktemp("hostile")
    (root / "index.html").write_text("<!doctype html><title>Index</title>")
    (root / "canary").write_text("the canary sings")
    with serve("--root", root, "--tls-port", 0, "--state", tmp_path_factory.mktemp("state")) as server:
        server.tls_port = int(server.lines.get(timeout=20).split()[-1].rsplit(":", 1)[1])
        yield server


@pytest.fixture(params=["plain", "tls"])
def listener(server, request):
    return (server.port, False) if request.param == "plain" else (server.tls_port, True)


@pytest.mark.parametrize("status, data", REFUSED, ids=lambda value: repr(value)[:50])
def test_a_request_that_breaks_a_rule_is_refused_once_and_closes_the_connection(server, listener, status, data, record_property):
    record_property("inputs tried", 1)
    received = exchange(server, *listener, data + CANARY)
    assert statuses(received) in ([status], [400], [501]) if status is None else statuses(received) == [status]
    assert b"the canary sings" not in received
    assert b"connection: close" in received.lower()


@pytest.mark.parametrize("chunks", CHUNKS, ids=lambda value: repr(value)[:50])
def test_chunks_that_break_a_rule_end_the_connection(server, listener, chunks, record_property):
    record_property("inputs tried", 1)
    received = exchange(server, *listener, CHUNKED + chunks + CANARY)
    assert len(statuses(received)) == 1 and statuses(received)[0] in (400, 405, 413, 431)
    assert b"the canary sings" not in received


@pytest.mark.parametrize("data", ACCEPTED, ids=lambda value: repr(value)[:50])
def test_a_request_that_follows_the_rules_is_answered_and_so_is_the_next_one(server, listener, data, record_property):
    record_property("inputs tried", 1)
    received = exchange(server, *listener, data + CANARY.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    first, second = statuses(received)
    assert first in (200, 404) and second == 200
    assert received.endswith(b"the canary sings")


# Broken answers of an upstream. The browser gets a 502, or a response that it recognises as incomplete.

OK = b"HTTP/1.1 200 OK\r\n"
BAD_GATEWAY = [
    b"nonsense\r\n\r\n", b"HTTP/1.1\r\n\r\n", b"HTTP/1.1 20 OK\r\n\r\n", b"HTTP/1.1 2000 OK\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n", b"HTTP/1.1  200 OK\r\n\r\n",
    b"HTTP/1.1 099 OK\r\n\r\n", b"HTTP/2.0 200 OK\r\n\r\n", b"http/1.1 200 OK\r\n\r\n", b"ICY 200 OK\r\n\r\n", b"HTTP/1.1 200 O\x00K\r\n\r\n",
    OK + b"A b: c\r\n\r\n", OK + b": b\r\n\r\n", OK + b"A\r\n\r\n", OK + b"A: \x00\r\n\r\n",
    OK + b" A: b\r\n\r\n", OK + b"A: b\rC: d\r\n\r\n", OK + b"A: " + b"b" * 270_000 + b"\r\n\r\n", OK + b"A: b\r\n" * 5_100 + b"\r\n",
    OK + b"Content-Length: +5\r\n\r\nhello", OK + b"Content-Length: 5x\r\n\r\nhello", OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    OK + b"Content-Length: -1\r\n\r\n", OK + b"Content-Length: 99999999999999999999\r\n\r\n", OK + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello",
    OK + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", b"HTTP/1.1 101 Switching Protocols\r\n\r\n", b"HTTP/1.1 103 A\r\n\r\n" * 100, b"", b"HTTP/1.1 200",
    OK + b"Content-Length: 5\r\n",
]
CUT = [
    OK + b"Content-Length: 50\r\n\r\nhello", OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nG\r\n",
    OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n", OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nFFFFFFFFFFFFFFFFF\r\n",
    OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n5 \r\nworld\r\n0\r\n\r\n",
]


#: What RFC 9112 lets a recipient mend: browsers get it in order.
MENDED = [
    b"HTTP/1.1 200 OK\nA: b\nContent-Length: 5\n\nhello", OK + b"A : b\r\nContent-Length: 5\r\n\r\nhello",
    OK + b"A:\r\n b\r\nContent-Length: 5, 5\r\n\r\nhello", OK + b"A: b\r\nTransfer-Encoding: chunked\r\n\r\n5\nhello\n0\nX : y\n\n",
]


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """Runs Footbridge in front of an upstream that answers what a test says, and then sends more than was requested."""
    answer = {}

    def answer_raw(connection):
        if connection.request():
            connection.send(answer["bytes"])

    with Upstream(answer_raw) as upstream, serve("--proxy", upstream.url, "--ephemeral") as server:
        server.answer = answer
        yield server


def through(server, data):
    server.answer["bytes"] = data
    return exchange(server, server.port, False, b"GET /file HTTP/1.1\r\nHost: $HOST\r\nConnection: close\r\n\r\n")


@pytest.mark.parametrize("data", BAD_GATEWAY, ids=lambda value: repr(value)[:50])
def test_a_response_that_breaks_a_rule_is_a_bad_gateway(behind, data, record_property):
    record_property("inputs tried", 1)
    received = through(behind, data)
    final = [status for status in statuses(received) if status >= 200]
    assert final == [502], received[:300]


@pytest.mark.parametrize("data", MENDED, ids=lambda value: repr(value)[:50])
def test_a_response_with_harmless_defects_is_mended(behind, data, record_property):
    record_property("inputs tried", 1)
    head, _, body = through(behind, data).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 ") and b"\r\nA: b\r\n" in head and b"\n" not in head.replace(b"\r\n", b"")
    assert b"hello" in body and b"X : y" not in body


@pytest.mark.parametrize("data", CUT, ids=lambda value: repr(value)[:50])
def test_a_response_body_that_breaks_a_rule_is_not_completed(behind, data, record_property):
    record_property("inputs tried", 1)
    received = through(behind, data)
    assert statuses(received) == [200]
    head, _, body = received.partition(b"\r\n\r\n")
    if b"content-length" in head.lower():
        assert len(body) < 50
    else:
        assert not body.endswith(b"0\r\n\r\n")


@pytest.mark.parametrize("data", [
    OK + b"Content-Length: 5\r\n\r\nhello" + OK + b"Content-Length: 9\r\n\r\nSMUGGLED!", OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\nSMUGGLED!",
    b"HTTP/1.1 204 No Content\r\n\r\nSMUGGLED!", b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\nSMUGGLED!",
], ids=lambda value: repr(value)[:50])
def test_bytes_beyond_an_upstream_response_reach_no_client(behind, data, record_property):
    record_property("inputs tried", 1)
    assert b"SMUGGLED!" not in through(behind, data)
    assert b"SMUGGLED!" not in through(behind, OK + b"Content-Length: 2\r\n\r\nok")
