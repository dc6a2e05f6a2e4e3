"""The checks of requests, and the files behind them, with raw bytes, because browsers do not send wrong requests."""

import gzip
import os
import re
import socket
import subprocess

import pytest

from footbridge_process import serve


class Connection:
    """A socket that reads until the server closes it or an answer is complete."""

    def __init__(self, server, port=None, receives=None):
        port = port or server.port
        self.socket = socket.socket()
        self.socket.settimeout(10)
        if receives:
            # How much the system takes before this client reads it.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        self.socket.connect(("127.0.0.1", port))
        self.host = f"127.0.0.1:{port}".encode()
        self.buffer = b""

    def send(self, data):
        self.socket.sendall(data.replace(b"$HOST", self.host))

    def read_until(self, mark):
        while mark not in self.buffer:
            data = self.socket.recv(65536)
            assert data, f"closed after {self.buffer!r}"
            self.buffer += data
        taken, _, self.buffer = self.buffer.partition(mark)
        return taken

    def answer(self, method="GET"):
        """Returns status, fields by lower-case name, and body."""
        head = self.read_until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        fields = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in head[1:])}
        length = 0 if method == "HEAD" or status in (100, 204, 304) else int(fields["content-length"])
        while len(self.buffer) < length:
            data = self.socket.recv(65536)
            assert data
            self.buffer += data
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        return status, fields, body

    def is_closed(self):
        return self.buffer == b"" and self.socket.recv(1) == b""


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outer")
    (folder / "secret.txt").write_text("secret")
    root = folder / "root"
    (root / "sub").mkdir(parents=True)
    (root / "empty").mkdir()
    (root / "index.html").write_text("<!doctype html><title>Index</title>")
    (root / "sub" / "index.html").write_text("<!doctype html><title>Sub</title>")
    (root / "a b.txt").write_text("space")
    (root / "digits.txt").write_text("0123456789")
    (root / "script.mjs").write_text("export {}")
    (root / "noextension").write_text("?")
    (root / ".env").write_text("secret")
    (root / "out.txt").symlink_to(folder / "secret.txt")
    (root / "out").symlink_to(folder)
    (root / "in.txt").symlink_to(root / "digits.txt")
    (root / "long.html").write_text("<!doctype html>" + "a" * 3_000_000 + "the end")
    (root / "large.bin").write_bytes(os.urandom(5_000_000))
    return root


@pytest.fixture(scope="module")
def server(root):
    with serve("--root", root) as server:
        yield server


@pytest.fixture
def connection(server):
    connection = Connection(server)
    yield connection
    connection.socket.close()


def get(connection, path, method="GET", **fields):
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
    connection.send(f"{method} {path} HTTP/1.1\r\nHost: $HOST\r\n{lines}\r\n".encode("latin-1"))
    return connection.answer(method)


REFUSED = [
    (400, b"GET / HTTP/1.1\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: $HOST\r\nHost: $HOST\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost : $HOST\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: $HOST\r\nA: b\x01c\r\n\r\n"),
    (400, b"GET / HTTP/1.1\r\nHost: $HOST\r\nA: b\r\n folded\r\n\r\n"),
    (400, b"GET /#a HTTP/1.1\r\nHost: $HOST\r\n\r\n"),
    (400, b"GET  / HTTP/1.1\r\nHost: $HOST\r\n\r\n"),
    (400, b"GET / HTTP/1.1\nHost: $HOST\n\n"),
    (400, b"nonsense\r\n\r\n"),
    (400, b"POST / HTTP/1.1\r\nHost: $HOST\r\nContent-Length: +5\r\n\r\nabcde"),
    (400, b"POST / HTTP/1.1\r\nHost: $HOST\r\nContent-Length: 5x\r\n\r\nabcde"),
    (400, b"POST / HTTP/1.1\r\nHost: $HOST\r\nContent-Length: 5, 5\r\n\r\nabcde"),
    (400, b"POST / HTTP/1.1\r\nHost: $HOST\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef"),
    (400, b"POST / HTTP/1.1\r\nHost: $HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (400, b"POST / HTTP/1.0\r\nHost: $HOST\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    (405, b"DELETE /digits.txt HTTP/1.1\r\nHost: $HOST\r\n\r\n"),
    (414, b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: $HOST\r\n\r\n"),
    (417, b"POST / HTTP/1.1\r\nHost: $HOST\r\nExpect: miracles\r\nContent-Length: 1\r\n\r\na"),
    (431, b"GET / HTTP/1.1\r\nHost: $HOST\r\n" + b"A: " + b"b" * 70_000 + b"\r\n\r\n"),
    (431, b"GET / HTTP/1.1\r\nHost: $HOST\r\n" + b"A: b\r\n" * 300 + b"\r\n"),
    (501, b"POST / HTTP/1.1\r\nHost: $HOST\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
    (505, b"GET / HTTP/2.0\r\nHost: $HOST\r\n\r\n"),
    (505, b"GET / HTTP/9.9\r\nHost: $HOST\r\n\r\n"),
]


@pytest.mark.parametrize("status, request_bytes", REFUSED, ids=lambda value: repr(value)[:60])
def test_bytes_that_are_not_a_request_get_one_answer_that_says_why(connection, status, request_bytes):
    connection.send(request_bytes)
    answer, fields, body = connection.answer()
    assert answer == status
    assert body.strip()
    if status != 405:
        assert fields["connection"] == "close"
        assert connection.is_closed()


def test_a_request_that_is_cut_short_is_answered(connection):
    connection.send(b"GET / HTTP/1.1\r\nHost: $H")
    connection.socket.shutdown(socket.SHUT_WR)
    assert connection.answer()[0] == 400
    assert connection.is_closed()


def test_the_error_about_a_wrong_port_names_the_right_one(connection):
    connection.send(b"GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n")
    status, _, body = connection.answer()
    assert status == 421
    port = connection.socket.getpeername()[1]
    assert b"not localhost:1." in body and f"Use localhost:{port}, ".encode() in body


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "169.254.169.254"])
def test_a_name_that_this_server_does_not_have_is_refused(connection, host):
    connection.send(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    status, _, body = connection.answer()
    assert status == 421
    assert b"--site-origin" in body


def test_pipelined_requests_are_answered_in_order(connection):
    paths = ["/digits.txt", "/large.bin", "/nothing", "/a%20b.txt", "/digits.txt"]
    connection.send(b"".join(b"GET %s HTTP/1.1\r\nHost: $HOST\r\n\r\n" % path.encode() for path in paths))
    answers = [connection.answer() for _ in paths]
    assert [status for status, _, _ in answers] == [200, 200, 404, 200, 200]
    assert [len(body) for _, _, body in answers if len(body) < 20] == [10, 5, 10]


def test_a_request_byte_by_byte_is_the_same_request(connection):
    for byte in b"GET /digits.txt HTTP/1.1\r\nHost: " + connection.host + b"\r\n\r\n":
        connection.socket.sendall(bytes([byte]))
    assert connection.answer()[2] == b"0123456789"


def test_a_chunked_body_is_read_to_its_end_and_the_next_request_is_found(connection):
    connection.send(b"POST /digits.txt HTTP/1.1\r\nHost: $HOST\r\nTransfer-Encoding: chunked\r\n\r\n"
                    b"5;a=b\r\nhello\r\n0\r\nX-Checksum: 1\r\n\r\nGET /digits.txt HTTP/1.1\r\nHost: $HOST\r\n\r\n")
    assert connection.answer()[0] == 405
    assert connection.answer()[2] == b"0123456789"


def test_an_early_response_to_a_long_chunked_request_arrives_whole(server):
    for _ in range(20):
        connection = Connection(server)
        connection.send(b"POST /digits.txt HTTP/1.1\r\nHost: $HOST\r\nTransfer-Encoding: chunked\r\n\r\n")
        # A client that sends its whole request before it reads.
        for _ in range(100):
            connection.send(b"10000\r\n" + bytes(0x10000) + b"\r\n")
        connection.send(b"0\r\n\r\n")
        assert connection.answer()[0] == 405
        assert connection.is_closed()


def test_a_client_that_has_ended_its_side_and_reads_slowly_gets_the_whole_response(server):
    connection = Connection(server, receives=4096)
    connection.send(b"GET /long.html HTTP/1.1\r\nHost: $HOST\r\n\r\n")
    # The head has said that the connection stays open, and the whole document waits to be sent.
    assert connection.socket.recv(4, socket.MSG_PEEK) == b"HTTP"
    connection.socket.shutdown(socket.SHUT_WR)
    assert connection.answer()[2].endswith(b"the end")
    assert connection.is_closed()


UPLOADS = """
async function* body() { for (let n = 0; n < 64; n++) yield new Uint8Array(65536); }
for (let n = 0; n < 60; n++) {
  const response = await fetch(process.argv[1], { method: "POST", body: body(), duplex: "half" });
  if (response.status !== 405 || !(await response.text())) throw new Error(`${n}: ${response.status}`);
}
"""


def test_a_fetch_of_node_has_the_early_response_to_each_of_its_uploads(server):
    run = subprocess.run(
        ["node", "--input-type=module", "--eval", UPLOADS, f"{server.url}/digits.txt"], capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr


def test_an_early_response_to_chunks_says_that_the_connection_closes(connection):
    connection.send(b"POST /digits.txt HTTP/1.1\r\nHost: $HOST\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")
    status, fields, _ = connection.answer()
    assert (status, fields["connection"]) == (405, "close")


def test_an_expectation_of_100_continue_is_answered(connection):
    connection.send(b"POST /digits.txt HTTP/1.1\r\nHost: $HOST\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    status, fields, _ = connection.answer()
    assert status in (100, 405)
    if status == 405:
        assert fields["connection"] == "close"
        assert connection.is_closed()


def test_http_1_0_is_answered_and_the_connection_closed(connection):
    connection.send(b"GET /digits.txt HTTP/1.0\r\nHost: $HOST\r\n\r\n")
    status, fields, body = connection.answer()
    assert (status, body) == (200, b"0123456789")
    assert fields["connection"] == "close"
    assert connection.is_closed()


def test_http_1_0_can_use_keep_alive(connection):
    for _ in range(2):
        connection.send(b"GET /digits.txt HTTP/1.0\r\nHost: $HOST\r\nConnection: keep-alive\r\n\r\n")
        assert connection.answer()[1]["connection"] == "keep-alive"


def test_a_client_that_asks_for_it_has_the_connection_closed(connection):
    assert get(connection, "/digits.txt", Connection="close")[1]["connection"] == "close"
    assert connection.is_closed()


@pytest.mark.parametrize("path", [
    "/../secret.txt", "/sub/../../secret.txt", "/%2e%2e/secret.txt", "/%2e%2e%2fsecret.txt", "/..%2fsecret.txt", "/sub/..%5c..%5csecret.txt",
    "/out.txt", "/out/secret.txt", "/digits.txt%00.html", "/%00", "/.env", "//etc/passwd", "/....//secret.txt", "/%c0%ae%c0%ae/secret.txt", "/%",
])
def test_nothing_outside_the_root_is_served(connection, path):
    status, _, body = get(connection, path)
    assert status == 404
    assert b"root:" not in body and body.strip() != b"secret"


def test_a_link_within_the_root_is_served(connection):
    assert get(connection, "/in.txt")[2] == b"0123456789"


def test_the_error_about_a_missing_file_names_it(connection):
    status, _, body = get(connection, "/nothing/here.js")
    assert status == 404
    assert b"/nothing/here.js" in body


def test_folders_serve_their_index_and_redirect_without_the_slash(connection):
    assert b"<title>Sub</title>" in get(connection, "/sub/")[2]
    status, fields, _ = get(connection, "/sub?a=b")
    assert (status, fields["location"]) == (308, "/sub/?a=b")
    status, _, body = get(connection, "/empty/")
    assert status == 404 and b"/empty/index.html" in body


@pytest.mark.parametrize("path, media_type", [
    ("/digits.txt", "text/plain; charset=utf-8"), ("/script.mjs", "text/javascript; charset=utf-8"),
    ("/noextension", "application/octet-stream"), ("/", "text/html; charset=utf-8"),
])
def test_files_have_their_media_types(connection, path, media_type):
    assert get(connection, path)[1]["content-type"] == media_type


def test_head_gives_the_same_head_and_no_body(connection):
    _, expected, _ = get(connection, "/digits.txt")
    status, fields, body = get(connection, "/digits.txt", method="HEAD")
    assert status == 200 and body == b""
    assert fields["content-length"] == "10" and fields["etag"] == expected["etag"]


def test_a_file_that_the_client_has_cached_is_not_sent_again(connection):
    _, fields, _ = get(connection, "/digits.txt")
    assert get(connection, "/digits.txt", If_None_Match=fields["etag"])[0] == 304
    assert get(connection, "/digits.txt", If_None_Match='"other", W/' + fields["etag"])[0] == 304
    assert get(connection, "/digits.txt", If_None_Match='"other"')[0] == 200
    assert get(connection, "/digits.txt", If_Modified_Since=fields["last-modified"])[0] == 304


def test_an_edited_file_has_another_entity_tag(connection, root):
    (root / "edited.txt").write_text("before")
    _, fields, _ = get(connection, "/edited.txt")
    (root / "edited.txt").write_text("after!")
    status, after, body = get(connection, "/edited.txt", If_None_Match=fields["etag"])
    assert (status, body) == (200, b"after!")
    assert after["etag"] != fields["etag"]


@pytest.mark.parametrize("value, status, content_range, body", [
    ("bytes=0-3", 206, "bytes 0-3/10", b"0123"), ("bytes=4-", 206, "bytes 4-9/10", b"456789"),
    ("bytes=-3", 206, "bytes 7-9/10", b"789"), ("bytes=8-100", 206, "bytes 8-9/10", b"89"),
    ("bytes=10-", 416, "bytes */10", b""), ("bytes=5-2", 200, None, b"0123456789"), ("lines=1-2", 200, None, b"0123456789"),
])
def test_a_range_request_returns_just_those_bytes(connection, value, status, content_range, body):
    answer, fields, received = get(connection, "/digits.txt", Range=value)
    assert (answer, fields.get("content-range")) == (status, content_range)
    if status != 416:
        assert received == body


def test_a_range_of_a_changed_file_is_the_whole_file(connection):
    assert get(connection, "/digits.txt", Range="bytes=0-3", If_Range='"old"')[0] == 200


def test_a_large_file_arrives_whole(connection, root):
    assert get(connection, "/large.bin")[2] == (root / "large.bin").read_bytes()


def test_documents_have_the_shim_and_fetched_ones_do_not(connection):
    body = get(connection, "/")[2].decode()
    assert re.match(r'<!doctype html><script src="/__footbridge/shim.js\?v=\w+" data-footbridge-ticket="[-.\w]+" data-footbridge-frame="\w+" nonce="\w+"></script><title>', body)
    assert get(connection, "/", Sec_Fetch_Dest="empty")[2] == b"<!doctype html><title>Index</title>"


def test_the_shim_is_immutable_only_under_its_address_in_a_document(connection):
    address = re.search(r'src="([^"]+)"', get(connection, "/")[2].decode())[1]
    for path, caching in ((address, "private, max-age=31536000, immutable"), (address + "x", "no-cache"), ("/__footbridge/shim.js", "no-cache")):
        status, fields, _ = get(connection, path)
        assert (status, fields["cache-control"]) == (200, caching)


@pytest.mark.parametrize("script", ["shim.js", "sheets.js"])
def test_scripts_are_compressed_for_clients_that_accept_it(connection, script):
    plain = get(connection, f"/__footbridge/{script}")
    status, fields, body = get(connection, f"/__footbridge/{script}", Accept_Encoding="gzip, deflate, br")
    assert (status, fields["content-encoding"]) == (200, "gzip") and "Accept-Encoding" in fields["vary"]
    assert gzip.decompress(body) == plain[2] and fields["etag"] != plain[1]["etag"]
    assert get(connection, f"/__footbridge/{script}", Accept_Encoding="gzip", If_None_Match=fields["etag"])[0] == 304


def test_a_document_sets_the_session_cookie_once(connection):
    cookie = get(connection, "/")[1]["set-cookie"]
    assert re.fullmatch(r"footbridge_session=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Lax", cookie)
    assert "set-cookie" not in get(connection, "/", Cookie=cookie.split(";")[0])[1]


def test_the_health_route_returns_the_version(connection):
    status, fields, body = get(connection, "/__footbridge/health")
    assert status == 200 and fields["content-type"] == "application/json" and b'"status":"ok"' in body


def test_slow_readers_do_not_delay_others(server, connection):
    slow = Connection(server)
    slow.send(b"GET /large.bin HTTP/1.1\r\nHost: $HOST\r\n\r\n" * 3)
    assert get(connection, "/digits.txt")[2] == b"0123456789"
    slow.socket.close()
    assert get(connection, "/digits.txt")[2] == b"0123456789"
