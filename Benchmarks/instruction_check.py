"""Checks that Footbridge runs no more instructions for a message than recorded: `make instructions`. Records them: `make record-instructions`."""

import asyncio
import contextlib
import functools
import http.client
import http.server
import itertools
import json
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading

from websockets.sync.client import connect

import callgrind
import catalogue
import control
import load
import proxy
import servers
from instruction_record import InstructionRecord
from page import Page

RECORD = servers.BENCHMARKS / "instructions.json"
#: Every libwebsockets has this loop.
LOOP = ["--event-loop", "poll"]


def main():
    """Counts, and compares with the record or replaces it. Without valgrind, says so and passes."""
    if not shutil.which("valgrind"):
        print("Not counted: valgrind is not installed.")
        return 0
    servers.build()
    try:
        current = InstructionRecord(_versions(), _counts())
    except callgrind.ControlError as error:
        print(f"Not counted: {error}")
        return 0
    if "--record" in sys.argv[1:]:
        current.write(RECORD)
    record = InstructionRecord.read(RECORD)
    lines, is_good = record.compared(current)
    if not is_good:
        # Ids are random, and so are their places in tables: now and then a count is a tenth above the others.
        current = current.lowest(_counts())
        lines, is_good = record.compared(current)
    print(*lines, sep="\n")
    return 0 if is_good else 1


def _counts():
    # On the disk of the build, because a temporary folder may be in memory.
    with tempfile.TemporaryDirectory(dir=servers.BUILD) as folder:
        folder = pathlib.Path(folder)
        counts = {**_queries(folder / "queries"), **_purchases(folder), **_documents(folder / "documents"), **_sessions(folder / "sessions")}
    return {name: round(count) for name, count in counts.items()}


def _queries(output):
    with servers.footbridge(*LOOP, **callgrind.options(output)) as server:
        # A page that has been there for a while: it has as many answers as are kept.
        load.run(server, load.QUERY, 2000, are_pages=True)
        load.run(server, load.QUERY, 100)
        callgrind.start(server)

        page = {"Cookie": f"footbridge_session={1:032x}"}
        return {
            "query": _count_queries(server, output, server.path, {}),
            "query of a page": _count_queries(server, output, f"{server.path}?page={1:032x}", page),
        }


def _count_queries(server, output, path, headers):
    numbers = itertools.count()
    url = f"ws://127.0.0.1:{server.port}{path}"
    with connect(url, subprotocols=[server.subprotocol], additional_headers=headers, compression=None, ping_interval=None) as socket:

        def ask(count):
            for _ in range(count):
                request = {**load.QUERY, "correlationId": f"00000000-0000-4000-8000-{next(numbers):012x}"}
                socket.send(json.dumps(request, separators=(",", ":")))
                while json.loads(socket.recv(timeout=60))["correlationId"] != request["correlationId"]:
                    continue
                callgrind.wait_until_asleep(server)

        return callgrind.median_per_message(server, output, ask, 20)


def _purchases(folder):
    output = folder / "purchases"
    arguments = ["--catalog", catalogue.write(folder), "--present", "auto", "--state", folder / "state"]
    with servers.footbridge(*LOOP, *arguments, **callgrind.options(output)) as server, asyncio.Runner() as runner:
        page = runner.run(_shopper(server))
        runner.run(_buy(server, page, 1))
        callgrind.start(server)
        return {"purchase": callgrind.median_per_message(server, output, lambda count: runner.run(_buy(server, page, count)), 3)}


async def _shopper(server):
    page = await Page.open(server, number=1)
    await page.call("onside.requestLogin", {})
    await page.call("onside.loadProducts", {"productIdentifiers": catalogue.PRODUCTS[:1]})
    return page


async def _buy(server, page, count):
    """Buys as a page does: one purchase after another, each finished once it is paid."""
    for _ in range(count):
        await page.call("onside.purchase", {"productIdentifier": catalogue.PRODUCTS[0]})
        transaction = await page.updated("purchased")
        callgrind.wait_until_asleep(server)
        await page.call("onside.finishTransaction", {"id": transaction["id"]})
        callgrind.wait_until_asleep(server)


def _documents(output):
    with _site() as port, servers.footbridge(*LOOP, "--proxy", f"http://127.0.0.1:{port}", **callgrind.options(output)) as server:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:
            _navigate(server, connection, 1)
            cookie = _running_session(server, connection)
            callgrind.start(server)
            counts = {}
            for name, headers in {"proxied document": {}, "proxied document of a session": cookie}.items():
                navigate = functools.partial(_navigate, server, connection, headers=headers)
                counts[name] = callgrind.median_per_message(server, output, navigate, 10)
            return counts


def _running_session(server, connection):
    """Makes a session that runs as a browser does: by its first document and the shim. Returns the fields of its requests."""
    cookie = {"Cookie": _get_document(connection)[0]["Set-Cookie"].partition(";")[0]}
    _, document = _get_document(connection, cookie)
    shim = re.search(rb'<script src="([^"]+)"', document)[1].decode().replace("&amp;", "&")
    connection.request("GET", shim, headers=cookie)
    connection.getresponse().read()
    callgrind.wait_until_asleep(server)
    return cookie


def _sessions(output):
    options = callgrind.options(output)
    options["environment"] |= control.ENVIRONMENT
    with servers.footbridge(*LOOP, **options) as server:
        api = control.ControlAPI(server.port)
        _open_sessions(server, api, 1)
        callgrind.start(server)
        return {"session and its first document": callgrind.median_per_message(server, output, functools.partial(_open_sessions, server, api), 5)}


def _open_sessions(server, api, count):
    """Makes sessions as the kits do, and loads a document in each."""
    for _ in range(count):
        cookie = api.post("/sessions", {})["cookie"]
        callgrind.wait_until_asleep(server)
        _get_document(api.connection, {"Cookie": f"{cookie['name']}={cookie['value']}"})
        callgrind.wait_until_asleep(server)


@contextlib.contextmanager
def _site():
    """Runs a site with one document, which it always sends in one piece. Returns its port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(proxy.DOCUMENT)))
            self.end_headers()
            self.wfile.write(proxy.DOCUMENT.encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield site.server_address[1]
        site.shutdown()


def _navigate(server, connection, count, headers=None):
    for _ in range(count):
        _get_document(connection, headers)
        callgrind.wait_until_asleep(server)


def _get_document(connection, headers=None):
    connection.request("GET", "/", headers={**proxy.NAVIGATION, **(headers or {})})
    response = connection.getresponse()
    body = response.read()
    if response.status != 200 or b"data-footbridge-ticket" not in body:
        raise RuntimeError(f"{response.status}: {body!r}")
    return response.headers, body


def _versions():
    def printed(*command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    # Functions for strings and hashes choose their instructions by the processor.
    has_avx2 = " avx2 " in pathlib.Path("/proc/cpuinfo").read_text()
    return {
        "Swift": printed("swift", "--version").splitlines()[0].removeprefix("Swift version "),
        "libwebsockets": printed("pkg-config", "--modversion", "libwebsockets"),
        "SQLite": printed("pkg-config", "--modversion", "sqlite3"),
        "C library": " ".join(platform.libc_ver()),
        "processor": platform.machine() + (" with AVX2" if has_avx2 else ""),
        "valgrind": printed("valgrind", "--version"),
    }


if __name__ == "__main__":
    sys.exit(main())
