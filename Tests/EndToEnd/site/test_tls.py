"""TLS in front: the local authority, `footbridge trust`, and the checks of requests, with Chromium, Python's ssl and raw bytes."""

import asyncio
import base64
import hashlib
import json
import os
import socket
import ssl
import subprocess
import sys
import threading

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import Error
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from certificates import DAY, NOW, Pair
from footbridge_process import Process, run, serve
from ports import free_port
from test_http import REFUSED, Connection, get
from test_today import in_a_loop
from upstreams import Upstream, upstream


def serve_tls(*arguments, **options):
    """Runs `footbridge serve` with both listeners on free ports."""
    server = serve("--tls-port", 0, *arguments, **options)
    server.tls_url = server.lines.get(timeout=20).split()[-1]
    server.tls_port = int(server.tls_url.rsplit(":", 1)[1])
    return server


def client_context(state=None, **options):
    """Returns a context that trusts only the authority of a state directory."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if state:
        context.load_verify_locations(state / "tls-authority.crt")
    else:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    for name, value in options.items():
        setattr(context, name, value)
    return context


class TLSConnection(Connection):
    """A connection for which an unannounced end is an error."""

    def __init__(self, server, context, name="localhost"):
        super().__init__(server, server.tls_port)
        self.socket = context.wrap_socket(self.socket, server_hostname=name, suppress_ragged_eofs=False)


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    root = tmp_path_factory.mktemp("root")
    (root / "index.html").write_text("<!doctype html><title>Index</title>")
    (root / "digits.txt").write_text("0123456789")
    (root / "a b.txt").write_text("space")
    (root / "large.bin").write_bytes(os.urandom(5_000_000))
    return root


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    return tmp_path_factory.mktemp("state")


@pytest.fixture(scope="module")
def server(root, state):
    with serve_tls("--root", root, "--state", state, "--site-origin", "https://Shop.Example") as server:
        yield server


@pytest.fixture
def connection(server, state):
    connection = TLSConnection(server, client_context(state))
    yield connection
    connection.socket.close()


# The handshake.


def test_each_listener_prints_a_ready_line(root):
    with serve_tls("--root", root, "--ephemeral") as server:
        assert server.url.startswith("http://127.0.0.1:")
        assert server.tls_url.startswith("https://127.0.0.1:")
        assert server.tls_port != server.port


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1", "shop.example"])
def test_the_certificate_is_valid_for_every_name_of_the_server(server, state, name):
    assert get(TLSConnection(server, client_context(state), name), "/digits.txt")[2] == b"0123456789"


def test_the_certificate_is_invalid_for_other_names(server, state):
    with pytest.raises(ssl.SSLCertVerificationError, match="not valid for 'www.shop.example'"):
        TLSConnection(server, client_context(state), "www.shop.example")


@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_3"])
def test_tls_1_2_and_1_3_are_accepted(server, state, version):
    version = ssl.TLSVersion[version]
    connection = TLSConnection(server, client_context(state, minimum_version=version, maximum_version=version))
    assert get(connection, "/digits.txt")[2] == b"0123456789"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_older_tls_versions_are_refused(server):
    context = client_context(maximum_version=ssl.TLSVersion.TLSv1_1, minimum_version=ssl.TLSVersion.TLSv1)
    context.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises(ssl.SSLError, match="(?i)protocol.version"):
        TLSConnection(server, context)


@pytest.mark.parametrize("offered, agreed", [(["http/1.1"], "http/1.1"), (["http/1.1", "h2"], "h2"), ([], None)])
def test_http_2_is_chosen_if_the_client_offers_it(server, state, offered, agreed):
    context = client_context(state)
    context.set_alpn_protocols(offered)
    assert TLSConnection(server, context).socket.selected_alpn_protocol() == agreed


def test_a_client_that_offers_only_other_protocols_is_refused(server, state):
    context = client_context(state)
    context.set_alpn_protocols(["spdy/3.1"])
    with pytest.raises(ssl.SSLError, match="(?i)no.application.protocol"):
        TLSConnection(server, context)


# Bytes that are not TLS.


@pytest.mark.parametrize("method", ["GET", "POST", "PROPFIND", "CONNECT"])
def test_plain_http_at_the_tls_port_is_answered_with_a_hint_to_https(server, method):
    connection = Connection(server, server.tls_port)
    connection.send(f"{method} / HTTP/1.1\r\nHost: $HOST\r\n\r\n".encode())
    status, fields, body = connection.answer()
    assert (status, fields["connection"]) == (400, "close")
    assert b"https://" in body
    assert connection.is_closed()


def hello(server):
    """Returns the first flight of a client."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = client_context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        tls.do_handshake()
    return outgoing.read()


@pytest.mark.parametrize("hostile", [
    lambda server: b"\x00" * 100,
    lambda server: b"\x80\x2e\x01\x00\x02" + b"\x00" * 41,
    lambda server: b"\x16\x03\x01\xff\xff" + b"\x00" * 0xffff,
    lambda server: b"\x16\x03\x01\x00\x04\x01\xff\xff\xff",
    lambda server: b"\x17\x03\x03\x00\x05hello",
    lambda server: hello(server)[:-1] + b"\xff" + os.urandom(300),
    lambda server: hello(server) + b"\x17\x03\x03\x00\x20" + os.urandom(32),
    lambda server: hello(server) + hello(server),
], ids=range(8))
def test_hostile_records_end_the_connection_and_nothing_else(server, state, hostile):
    connection = Connection(server, server.tls_port)
    connection.socket.sendall(hostile(server))
    try:
        while connection.socket.recv(65536):
            pass
    except ConnectionResetError:
        pass
    assert get(TLSConnection(server, client_context(state)), "/digits.txt")[2] == b"0123456789"


def test_a_broken_record_on_an_open_connection_ends_it_without_an_answer(server, state):
    # In TLS 1.3 an alert looks like any other record.
    connection = TLSConnection(server, client_context(state, maximum_version=ssl.TLSVersion.TLSv1_2))
    get(connection, "/digits.txt")
    descriptor = connection.socket.detach()
    plain = socket.socket(fileno=descriptor)
    plain.settimeout(10)
    plain.sendall(b"\x17\x03\x03\x00\x20" + os.urandom(32))
    received = b""
    while data := plain.recv(65536):
        received += data
    assert received[:1] == b"\x15", "an alert"
    plain.close()


# The same checks as without TLS.


@pytest.mark.parametrize("status, request_bytes", REFUSED, ids=lambda value: repr(value)[:60])
def test_bytes_over_tls_that_are_not_a_request_get_one_answer_that_says_why(connection, status, request_bytes):
    connection.send(request_bytes)
    answer, fields, body = connection.answer()
    assert answer == status
    assert body.strip()
    if status != 405:
        assert fields["connection"] == "close"
        assert connection.is_closed(), "with a close_notify"


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "169.254.169.254"])
def test_a_name_that_this_server_does_not_have_is_refused(connection, host):
    connection.send(f"GET / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert connection.answer()[0] == 421


def test_pipelined_requests_are_answered_in_order(connection):
    paths = ["/digits.txt", "/large.bin", "/nothing", "/a%20b.txt", "/digits.txt"]
    connection.send(b"".join(b"GET %s HTTP/1.1\r\nHost: $HOST\r\n\r\n" % path.encode() for path in paths))
    answers = [connection.answer() for _ in paths]
    assert [status for status, _, _ in answers] == [200, 200, 404, 200, 200]


def test_a_request_in_records_of_one_byte_is_answered(connection):
    for byte in b"GET /digits.txt HTTP/1.1\r\nHost: " + connection.host + b"\r\n\r\n":
        connection.socket.sendall(bytes([byte]))
    assert connection.answer()[2] == b"0123456789"


def test_records_in_segments_of_one_byte_are_read(server, state):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = client_context(state).wrap_bio(incoming, outgoing, server_hostname="localhost")
    plain = socket.create_connection(("127.0.0.1", server.tls_port), timeout=10)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def step(action):
        while True:
            try:
                result, waits = action(), False
            except ssl.SSLWantReadError:
                waits = True
            for byte in outgoing.read():
                plain.sendall(bytes([byte]))
            if not waits:
                return result
            incoming.write(plain.recv(1))

    step(tls.do_handshake)
    step(lambda: tls.write(f"GET /digits.txt HTTP/1.1\r\nHost: 127.0.0.1:{server.tls_port}\r\n\r\n".encode()))
    assert b" 200 " in step(lambda: tls.read(65536))
    plain.close()


def test_a_large_file_arrives_whole(connection, root):
    assert get(connection, "/large.bin")[2] == (root / "large.bin").read_bytes()


def test_a_client_that_has_ended_sending_gets_its_response(server, state):
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = client_context(state).wrap_bio(incoming, outgoing, server_hostname="localhost")
    plain = socket.create_connection(("127.0.0.1", server.tls_port), timeout=10)
    while True:
        try:
            tls.do_handshake()
            break
        except ssl.SSLWantReadError:
            plain.sendall(outgoing.read())
            incoming.write(plain.recv(65536))
    tls.write(f"GET /large.bin HTTP/1.1\r\nHost: 127.0.0.1:{server.tls_port}\r\n\r\n".encode())
    with pytest.raises(ssl.SSLWantReadError):
        tls.unwrap()
    plain.sendall(outgoing.read())
    plain.shutdown(socket.SHUT_WR)
    count = 0
    while data := plain.recv(65536):
        count += len(data)
    assert count > 5_000_000
    plain.close()


def test_slow_readers_over_tls_do_not_delay_others(server, state, connection):
    slow = TLSConnection(server, client_context(state))
    slow.send(b"GET /large.bin HTTP/1.1\r\nHost: $HOST\r\n\r\n" * 3)
    assert get(connection, "/digits.txt")[2] == b"0123456789"
    slow.socket.close()
    assert get(connection, "/digits.txt")[2] == b"0123456789"


def test_the_session_cookie_over_tls_is_secure(server, connection):
    assert get(connection, "/")[1]["set-cookie"].endswith("; Secure")
    assert "Secure" not in get(Connection(server), "/")[1]["set-cookie"]


# WebSockets.


@pytest.fixture(scope="module")
def echo_server(tmp_path_factory):
    certificate, key = Pair("echo", names=["localhost"]).write(tmp_path_factory.mktemp("echo"), "echo")
    with Process("EchoServer", 0, certificate, key) as server:
        assert server.url.startswith("wss://")
        yield server


# In a loop: the client with a thread of its own for reading has two threads in one connection of OpenSSL's when the session tickets come, and
# now and then loses what it sends.
def echo(server):
    return connect(server.url, ssl=client_context(), max_size=None, compression=None)


@pytest.mark.parametrize("size", [0, 125, 126, 65535, 65536, 1_000_000, 16 << 20])
def test_websocket_messages_of_every_size_are_echoed_over_tls(echo_server, size):
    async def scenario():
        async with echo(echo_server) as websocket:
            data = os.urandom(size)
            await websocket.send(data)
            assert await websocket.recv() == data

    in_a_loop(scenario)


def test_many_websocket_messages_come_back_in_order_over_tls(echo_server):
    async def scenario():
        async with echo(echo_server) as websocket:
            async def send():
                for number in range(2000):
                    await websocket.send(f"{number} " + "x" * 1000)

            sending = asyncio.create_task(send())
            assert [int((await websocket.recv()).split()[0]) for _ in range(2000)] == list(range(2000))
            await sending

    in_a_loop(scenario)


def test_a_websocket_over_tls_closes_with_its_code(echo_server):
    async def scenario():
        async with echo(echo_server) as websocket:
            await websocket.close(1001, "done")
            assert websocket.protocol.close_rcvd.code == 1001

    in_a_loop(scenario)


def test_a_slow_websocket_reader_over_tls_pauses_the_server(echo_server):
    async def scenario():
        count, message = 60, os.urandom(1 << 20)
        async with connect(echo_server.url, ssl=client_context(), max_size=None, max_queue=1, compression=None) as websocket:
            before = echo_server.memory()

            async def send():
                for _ in range(count):
                    await websocket.send(message)

            # Nobody reads, so at some point the server accepts no more bytes either.
            sending = asyncio.create_task(send())
            await asyncio.wait([sending], timeout=2)
            assert not sending.done()
            assert echo_server.memory() - before < 40
            for _ in range(count):
                assert await websocket.recv() == message
            await sending

    in_a_loop(scenario)


@pytest.mark.parametrize("scheme, status", [("https", 101), ("http", 403)])
def test_the_bridge_opens_to_pages_of_the_same_scheme(server, state, scheme, status):
    port = server.tls_port
    address = f"wss://localhost:{port}/__footbridge/bridge"
    options = {"ssl": client_context(state), "subprotocols": ["footbridge.v1"], "origin": f"{scheme}://localhost:{port}"}
    async def scenario():
        if status == 101:
            async with connect(address, **options) as websocket:
                assert websocket.subprotocol == "footbridge.v1"
        else:
            with pytest.raises(InvalidStatus) as refused:
                await connect(address, **options)
            assert refused.value.response.status_code == status

    in_a_loop(scenario)


def test_a_stop_closes_sockets_with_1001(root, tmp_path):
    with serve_tls("--root", root, "--state", tmp_path) as server:
        async def scenario():
            address = f"wss://localhost:{server.tls_port}/__footbridge/bridge"
            async with connect(address, ssl=client_context(tmp_path), subprotocols=["footbridge.v1"]) as websocket:
                stopping = asyncio.create_task(asyncio.to_thread(server.stop))
                with pytest.raises(ConnectionClosed, match="1001"):
                    await websocket.recv()
                await stopping

        in_a_loop(scenario)


# Certificates.


def certificate_of(server):
    return x509.load_der_x509_certificate(ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", server.tls_port))))


def test_keys_are_readable_by_this_user_only(server, state):
    modes = {path.name: path.stat().st_mode & 0o777 for path in state.glob("tls-*")}
    assert modes == {"tls-authority.pem": 0o600, "tls-authority.crt": 0o600, "tls-certificate.pem": 0o600}
    assert "PRIVATE KEY" not in (state / "tls-authority.crt").read_text()


def test_authority_and_certificate_survive_a_restart(root, tmp_path):
    seen = []
    for _ in range(2):
        with serve_tls("--root", root, "--state", tmp_path) as server:
            seen.append((certificate_of(server), (tmp_path / "tls-authority.crt").read_text()))
    assert seen[0] == seen[1]


def test_a_new_allowed_name_gets_a_new_certificate_of_the_same_authority(root, tmp_path):
    with serve_tls("--root", root, "--state", tmp_path, "--site-origin", "https://shop.example") as server:
        first = certificate_of(server)
    authority = client_context(tmp_path)
    with serve_tls("--root", root, "--state", tmp_path, "--allow-host", "www.shop.example") as server:
        assert certificate_of(server) != first
        TLSConnection(server, authority, "www.shop.example")


def test_a_name_outside_of_the_constraints_gets_a_new_authority(root, tmp_path):
    with serve_tls("--root", root, "--state", tmp_path):
        authority = client_context(tmp_path)
    with serve_tls("--root", root, "--state", tmp_path, "--site-origin", "https://shop.example") as server:
        with pytest.raises(ssl.SSLCertVerificationError):
            TLSConnection(server, authority, "shop.example")
        TLSConnection(server, client_context(tmp_path), "shop.example")


def test_without_a_state_directory_each_server_has_an_authority_of_its_own(root, tmp_path):
    home = {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    issuers = []
    for _ in range(2):
        with serve_tls("--root", root, "--ephemeral", environment=home) as server:
            issuers.append(certificate_of(server).issuer)
    assert issuers[0] != issuers[1]
    assert list(tmp_path.rglob("*tls*")) == []
    answer = run("trust", "--ephemeral", environment=home)
    assert answer.returncode == 64 and "--ephemeral" in answer.stderr


def test_a_configured_certificate_is_served(root, tmp_path):
    authority = Pair("authority", is_authority=True)
    pair = Pair("own", authority, names=["localhost"])
    certificate, key = pair.write(tmp_path, "own")
    certificate.write_text(pair.certificate_pem() + authority.certificate_pem())
    with serve_tls("--root", root, "--tls-cert", certificate, "--tls-key", key, "--ephemeral") as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(cadata=authority.certificate_pem())
        assert get(TLSConnection(server, context), "/digits.txt")[2] == b"0123456789"
    public_key = pair.certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    expected = base64.b64encode(hashlib.sha256(public_key).digest()).decode()
    assert run("trust", "--spki", "--tls-port", 0, "--tls-cert", certificate, "--tls-key", key).stdout == expected + "\n"


def test_an_expired_configured_certificate_is_served_with_a_warning(root, tmp_path):
    certificate, key = Pair("old", names=["localhost"], start=NOW - 3 * DAY, end=NOW - DAY).write(tmp_path, "old")
    with serve_tls("--root", root, "--tls-cert", certificate, "--tls-key", key, "--ephemeral") as server:
        server.wait_for_log("warning", "has expired")


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    folder = tmp_path_factory.mktemp("broken")
    one, other = Pair("one"), Pair("other")
    one.write(folder, "one")
    other.write(folder, "other")
    (folder / "nothing.pem").write_text("nothing\n")
    (folder / "cut.pem").write_text(one.certificate_pem()[:-100] + "-----END CERTIFICATE-----\n")
    (folder / "half-a-chain.pem").write_text(one.certificate_pem() + other.certificate_pem()[:-100] + "-----END CERTIFICATE-----\n")
    (folder / "secret-key.pem").write_text(one.key_pem(b"passphrase"))
    return folder


@pytest.mark.parametrize("certificate, key, code, said", [
    ("missing.pem", "one-key.pem", 66, "missing.pem cannot be read: No such file"),
    ("one.pem", "missing.pem", 66, "missing.pem cannot be read"),
    ("", "one-key.pem", 66, "cannot be read"),
    ("nothing.pem", "one-key.pem", 65, "nothing.pem: There is no usable certificate"),
    ("cut.pem", "one-key.pem", 65, "cut.pem: There is no usable certificate"),
    ("half-a-chain.pem", "one-key.pem", 65, "half-a-chain.pem: There is no usable certificate"),
    ("one-key.pem", "one.pem", 65, "one-key.pem: There is no usable certificate"),
    ("one.pem", "nothing.pem", 65, "nothing.pem: There is no usable private key"),
    ("one.pem", "other-key.pem", 65, "other-key.pem and"),
    ("one.pem", "secret-key.pem", 65, "passphrase"),
    ("one.pem", None, 64, "--tls-cert needs --tls-key"),
    (None, "one-key.pem", 64, "--tls-key needs --tls-cert"),
])
def test_the_error_about_an_unusable_certificate_names_it(broken, certificate, key, code, said):
    arguments = ["--tls-cert", broken / certificate] if certificate is not None else []
    arguments += ["--tls-key", broken / key] if key else []
    answer = run("serve", "--port", 0, "--tls-port", 0, "--ephemeral", *arguments)
    assert answer.returncode == code
    assert said in answer.stderr and len(answer.stderr.strip().splitlines()) == 1


def test_the_tls_port_is_read_from_the_file(root, tmp_path):
    port = free_port()
    config = tmp_path / "footbridge.yaml"
    config.write_text(f"tlsPort: {port}\nport: 0\nephemeral: true\n")
    with Process("footbridge", "serve", "--root", root, "--config", config) as server:
        assert server.lines.get(timeout=20) == f"footbridge: ready https://127.0.0.1:{port}"


def test_the_error_about_a_used_tls_port_names_it(root):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        answer = run("serve", "--root", root, "--port", 0, "--tls-port", port, "--ephemeral")
    assert answer.returncode == 69 and f"Port {port}" in answer.stderr and "--tls-port" in answer.stderr


def test_an_authority_that_cannot_be_read_is_not_replaced(root, tmp_path):
    (tmp_path / "tls-authority.pem").write_text("damaged")
    answer = run("serve", "--root", root, "--port", 0, "--tls-port", 0, "--state", tmp_path)
    assert answer.returncode == 73 and "tls-authority.pem" in answer.stderr
    assert (tmp_path / "tls-authority.pem").read_text() == "damaged"


# Chromium.


@pytest.fixture
def open_page(launch):
    """Opens a page in a Chromium with its own arguments or environment."""
    browsers = []

    def start(*arguments, **options):
        browsers.append(launch(*arguments, **options))
        page = browsers[-1].new_page()
        page.set_default_timeout(10_000)
        return page

    yield start
    for browser in browsers:
        browser.close()


@pytest.fixture(scope="module")
def shop_state(tmp_path_factory):
    return tmp_path_factory.mktemp("shop-state")


@pytest.fixture(scope="module")
def shop(shop_root, catalog, shop_state):
    with serve_tls("--root", shop_root, "--catalog", catalog, "--state", shop_state, "--present", "auto") as server:
        yield server


def test_a_browser_without_the_authority_refuses_the_certificate(shop, open_page):
    with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
        open_page().goto(shop.tls_url)


def test_onside_works_over_tls_with_the_hash_that_trust_prints(shop, open_page, shop_state):
    answer = run("trust", "--state", shop_state, "--spki")
    assert answer.returncode == 0
    page = open_page(f"--ignore-certificate-errors-spki-list={answer.stdout.strip()}")
    sockets = []
    page.on("websocket", lambda websocket: sockets.append(websocket.url))
    for host in ("localhost", "127.0.0.1"):
        page.goto(f"https://{host}:{shop.tls_port}/")
        assert page.evaluate("isSecureContext")
        answer = page.evaluate("onside.loadProducts({ productIdentifiers: ['nothing'] }).then(() => 'answered', e => Object.keys(e))")
        assert answer == "answered"
    assert len(sockets) == 2 and all(url.startswith("wss://") for url in sockets)


def test_a_profile_is_one_session_on_both_listeners(shop, open_page, shop_state):
    page = open_page(f"--ignore-certificate-errors-spki-list={run('trust', '--state', shop_state, '--spki').stdout.strip()}")
    sessions = set()
    for url in (shop.tls_url, shop.url, shop.tls_url):
        page.goto(url)
        sessions.add(tuple(c["value"] for c in page.context.cookies() if c["name"].endswith("footbridge_session")))
    assert len(sessions) == 1 and len(sessions.pop()) == 1


def test_the_printed_commands_have_chromium_trust_the_authority(shop, open_page, shop_state, tmp_path):
    home = {**os.environ, "HOME": str(tmp_path)}
    text = run("trust", "--state", shop_state).stdout
    section = text.split("Chromium and Chrome on Linux")[1].split("Debian and Ubuntu")[0]
    commands = "\n".join(line for line in section.splitlines()[1:] if line.startswith("    "))
    subprocess.run(["sh", "-ec", commands], env=home, check=True)
    page = open_page(env=home)
    page.goto(shop.tls_url)
    assert page.title() == "Shop"


def test_exec_gives_its_command_the_tls_url_and_the_hash(tmp_path):
    script = "import os; print(os.environ['FOOTBRIDGE_TLS_URL'], os.environ['FOOTBRIDGE_TLS_SPKI'])"
    answer = run("exec", "--tls-port", 0, "--", sys.executable, "-c", script, timeout=20)
    url, key_hash = answer.stdout.split()
    assert url.startswith("https://127.0.0.1:") and len(base64.b64decode(key_hash)) == 32


# Behind it: another server.


def answer_with_head(exchange, request):
    exchange.answer("\n".join(request.lines), "Location: http://localhost/x" if request.target == "/go" else "X-No: 1")


@pytest.fixture
def behind(tmp_path):
    """Starts Footbridge with TLS in front of an upstream."""
    servers = []

    def start(site, *arguments, **options):
        state = tmp_path / f"state-{len(servers)}"
        server = serve_tls("--proxy", site if isinstance(site, str) else site.url, "--state", state, *arguments, **options)
        server.state = state
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.stop()


def test_the_upstream_gets_the_https_scheme_of_the_browser(behind):
    with upstream(answer_with_head) as site:
        server = behind(site)
        connection = TLSConnection(server, client_context(server.state))
        lines = get(connection, "/", Origin=f"https://{connection.host.decode()}")[2].decode().splitlines()
        assert "X-Forwarded-Proto: https" in lines
        assert f'Forwarded: for=127.0.0.1;proto=https;host="{connection.host.decode()}"' in lines
        assert f"Origin: https://{connection.host.decode()}" in lines


def test_the_origin_field_is_removed_for_django_over_https(behind):
    with upstream(answer_with_head) as site:
        server = behind(site)
        connection = TLSConnection(server, client_context(server.state))
        here = f"https://{connection.host.decode()}"
        lines = get(connection, "/", Origin=here, Cookie="a=1; csrftoken=x")[2].decode()
        assert "Origin" not in lines and "csrftoken=x" in lines
        assert "Origin: https://a.example" in get(connection, "/", Origin="https://a.example", Cookie="csrftoken=x")[2].decode()


def test_redirects_of_the_upstream_become_https_urls(behind):
    def handle(exchange, request):
        exchange.answer("", f"Location: {site.url}/there", status="302 Found")

    with upstream(handle) as site:
        server = behind(site)
        connection = TLSConnection(server, client_context(server.state))
        assert get(connection, "/")[1]["location"] == f"https://{connection.host.decode()}/there"


UPGRADE = (b"GET /hot HTTP/1.1\r\nHost: $HOST\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
           b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")


def switch_and_echo(exchange, request):
    exchange.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nfirst")
    while data := exchange.connection.recv(65536):
        exchange.send(data)
    return False


def test_an_upgraded_connection_works_over_tls(behind):
    with upstream(switch_and_echo) as site:
        server = behind(site)
        connection = TLSConnection(server, client_context(server.state))
        connection.send(UPGRADE)
        assert b" 101 " in connection.read_until(b"\r\n\r\n")
        connection.read_until(b"first")
        data = os.urandom(3_000_000)
        sender = threading.Thread(target=lambda: connection.socket.sendall(b"x" + data[:20_000] + b"!end!"))
        sender.start()
        sender.join()
        assert connection.read_until(b"!end!") == b"x" + data[:20_000]


# An upstream with https.


@pytest.fixture(scope="module")
def authority():
    return Pair("authority", is_authority=True)


@pytest.fixture(scope="module")
def upstream_files(authority, tmp_path_factory):
    """Returns the files of an upstream with a certificate, and an environment that trusts its authority."""
    folder = tmp_path_factory.mktemp("upstream")
    (folder / "authority.pem").write_text(authority.certificate_pem())

    def make(name, issuer=authority, **options):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*Pair(name, issuer, **options).write(folder, name))
        return context

    make.environment = {"SSL_CERT_FILE": str(folder / "authority.pem"), "SSL_CERT_DIR": str(folder)}
    return make


def fetch(server, path="/"):
    return get(Connection(server), path)


def test_an_https_upstream_gets_its_server_name_and_protocol_and_is_verified(upstream_files, behind):
    context = upstream_files("good", names=["localhost", "127.0.0.1"])
    context.set_alpn_protocols(["http/1.1"])
    asked = []
    context.sni_callback = lambda socket, name, context: asked.append(name)
    agreed = []

    def handle(exchange, request):
        agreed.append(exchange.connection.selected_alpn_protocol())
        exchange.answer(request.field("host"))

    with upstream(handle, context) as site:
        server = behind(f"https://localhost:{site.port}", environment=upstream_files.environment)
        for _ in range(3):
            assert fetch(server)[2] == f"127.0.0.1:{server.port}".encode()
        assert asked == ["localhost"], "one connection is used again"
        assert agreed == ["http/1.1"] * 3
        server = behind(site, environment=upstream_files.environment)
        assert fetch(server)[0] == 200
        assert asked[1:] == [None], "an address is no name to ask for"


@pytest.mark.parametrize("name, options, said", [
    ("self-signed", {"issuer": None, "names": ["127.0.0.1"]}, "its certificate is self-signed"),
    ("stranger", {"issuer": Pair("elsewhere", is_authority=True), "names": ["127.0.0.1"]},
     "its certificate is from an authority that this machine does not trust"),
    ("other-name", {"names": ["localhost", "127.0.0.2"]}, "its certificate is not for 127.0.0.1"),
    ("expired", {"names": ["127.0.0.1"], "start": NOW - 3 * DAY, "end": NOW - DAY}, "its certificate has expired"),
    ("early", {"names": ["127.0.0.1"], "start": NOW + DAY, "end": NOW + 3 * DAY}, "its certificate is not valid yet"),
])
def test_an_untrusted_upstream_certificate_is_reported_and_accepted_with_proxy_insecure(upstream_files, behind, name, options, said):
    with upstream(lambda exchange, request: exchange.answer("secret"), upstream_files(name, **options)) as site:
        server = behind(site, environment=upstream_files.environment)
        status, _, body = fetch(server)
        assert status == 502
        assert f"No secure connection to {site.url}: {said}" in body.decode() and b"--proxy-insecure" in body
        assert site.requests == []
        server.wait_for_log("warning", said)
        assert fetch(behind(site, "--proxy-insecure"))[2] == b"secret"


def test_the_error_about_an_upstream_without_tls_says_so(behind):
    def refuse(exchange):
        exchange.connection.recv(65536)
        exchange.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")

    with Upstream(refuse) as site:
        status, _, body = fetch(behind(site.url.replace("http:", "https:")))
        assert status == 502 and b"does not speak TLS" in body


def test_a_silent_https_upstream_times_out(behind):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        server = behind(f"https://127.0.0.1:{silent.getsockname()[1]}", "--proxy-timeout", "0.3")
        assert fetch(server)[0] == 504


def test_the_error_about_an_upstream_that_closes_during_the_handshake_says_so(behind):
    with Upstream(lambda exchange: exchange.connection.recv(1)) as site:
        status, _, body = fetch(behind(site.url.replace("http:", "https:")))
        assert status == 502 and b"No secure connection" in body


def test_the_error_page_about_an_untrusted_certificate_says_what_to_do(upstream_files, behind, page):
    with upstream(lambda exchange, request: exchange.answer("secret"), upstream_files("page", issuer=None, names=["127.0.0.1"])) as site:
        page.goto(behind(site).url)
        assert "No secure connection" in page.inner_text("body") and "--proxy-insecure" in page.inner_text("body")


def test_routes_can_use_https(upstream_files, behind, tmp_path):
    context = upstream_files("route", names=["127.0.0.1"])
    with upstream(lambda exchange, request: exchange.answer("api"), context) as api, \
            upstream(lambda exchange, request: exchange.answer("site")) as site:
        config = tmp_path / "footbridge.yaml"
        config.write_text(f"routes:\n  /api: {api.url}\n")
        server = behind(site, "--config", config, environment=upstream_files.environment)
        assert (fetch(server)[2], fetch(server, "/api/x")[2]) == (b"site", b"api")


def test_large_bodies_are_passed_in_both_directions_over_tls(upstream_files, behind):
    with upstream(lambda exchange, request: exchange.answer(exchange.body(request)),
                  upstream_files("large", names=["127.0.0.1"])) as site:
        server = behind(site, environment=upstream_files.environment)
        connection = TLSConnection(server, client_context(server.state))
        data = os.urandom(5_000_000)
        connection.send(f"POST / HTTP/1.1\r\nHost: $HOST\r\nContent-Length: {len(data)}\r\n\r\n".encode())
        connection.socket.sendall(data)
        assert connection.answer()[2] == data


@pytest.mark.parametrize("announced", [True, False])
def test_a_response_framed_by_the_end_of_tls_is_complete_only_with_a_close_alert(upstream_files, behind, announced):
    def handle(exchange, request):
        exchange.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nabc")
        if announced:
            exchange.connection.unwrap()
        return False

    with upstream(handle, upstream_files(f"end-{announced}", names=["127.0.0.1"])) as site:
        connection = Connection(behind(site, environment=upstream_files.environment))
        connection.send(b"GET / HTTP/1.1\r\nHost: $HOST\r\n\r\n")
        received = b""
        while not received.endswith(b"0\r\n\r\n") and (data := connection.socket.recv(65536)):
            received += data
        assert b"3\r\nabc\r\n" in received
        assert received.endswith(b"0\r\n\r\n") == announced


def test_a_websocket_of_an_https_upstream_works(upstream_files, behind):
    with upstream(switch_and_echo, upstream_files("socket", names=["127.0.0.1"])) as site:
        connection = Connection(behind(site, environment=upstream_files.environment))
        connection.send(UPGRADE)
        assert b" 101 " in connection.read_until(b"\r\n\r\n")
        connection.send(b"hello!")
        assert connection.read_until(b"!") == b"firsthello"


# The certificates that Today trusts.


@pytest.mark.parametrize("listed", [True, False])
def test_today_trusts_pages_of_the_tls_listener_only_if_their_origin_is_listed(open_page, tmp_path, listed):
    port = free_port()
    state = tmp_path / "state"
    root = tmp_path / "root"
    root.mkdir()
    (root / "index.html").write_text("<!doctype html><title>Today</title>")
    config = tmp_path / "footbridge.yaml"
    origins = [f"https://localhost:{port}"] if listed else ["https://today.example"]
    config.write_text(json.dumps({"today": {"trustedOrigins": origins}}))
    headers = "webkit.messageHandlers.todayWebViewBridge.postMessage({ type: 'headers' })"
    with serve("--root", root, "--state", state, "--config", config, "--tls-port", port) as server:
        key_hash = run("trust", "--state", state, "--spki").stdout.strip()
        page = open_page(f"--ignore-certificate-errors-spki-list={key_hash}")
        page.goto(f"https://localhost:{port}/")
        assert bool(page.evaluate(headers)) == listed
        if listed:
            assert page.evaluate(headers)["Authorization"].startswith("Bearer ")
        page.goto(f"http://localhost:{server.port}/")
        assert "Authorization" not in (page.evaluate(headers) or {})
