"""A server with pages that open, buy, reload and disappear for a while: at the end it uses no more than after the first part.

`FOOTBRIDGE_SOAK_MINUTES` sets the time, as does `make soak MINUTES=5`.
"""

import hashlib
import os
import pathlib
import random
import secrets
import threading
import time
import urllib.request

import pytest

from browser_profiles import profiles
from buyer import PRODUCT, Buyer
from footbridge_process import serve
from heavy_traffic import Traffic
from wire_page import WirePage

SECONDS = float(os.environ.get("FOOTBRIDGE_SOAK_MINUTES", "0.25")) * 60
TOKEN = "soak-token"
VISITORS = 6
pytestmark = [
    pytest.mark.timeout(SECONDS + 240),
    pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="counts what Linux tells of a process"),
]


class Footprint:
    """The resources of a process."""

    def __init__(self, server):
        process = pathlib.Path("/proc") / str(server.process.pid)
        self.bytes = int((process / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        self.descriptors = len(list((process / "fd").iterdir()))


class Visitors:
    """Threads that visit the server with one page after another, until the test pauses or ends them."""

    def __init__(self, server):
        self.server = server
        self.visits = 0
        self.problems = []
        self._pause = threading.Event()
        self._leave = threading.Event()
        self._gate = threading.Barrier(VISITORS + 1)
        self._threads = [threading.Thread(target=self._run, args=(number,)) for number in range(VISITORS)]
        for thread in self._threads:
            thread.start()

    def measure(self):
        """Makes all visitors leave, measures, and lets them come back."""
        self._pause.set()
        self._gate.wait(60)
        footprint = Footprint(self.server)
        self._pause.clear()
        self._gate.wait(60)
        return footprint

    def leave(self):
        self._leave.set()
        for thread in self._threads:
            thread.join(60)

    def _run(self, number):
        chance = random.Random(number)
        while not self._leave.is_set():
            try:
                chance.choice([self._browse, self._buy, self._reload, self._vanish, self._pass_by])()
                self.visits += 1
            except Exception as problem:  # Every failure of a visit fails the test.
                self.problems.append(repr(problem))
                self._leave.set()
                self._gate.abort()
            if self._pause.is_set():
                self._gate.wait(60)
                self._gate.wait(60)

    # Visits

    def _browse(self):
        """Loads a document whose page never connects."""
        urllib.request.urlopen(self.server.url, timeout=10).read()

    def _pass_by(self):
        """Sends a request without a session."""
        page = WirePage(self.server.port, session=None, has_session=False)
        page.call("capability.query")
        page.close()

    def _buy(self):
        with self._session() as session:
            buyer = Buyer(self.server.port, 3, session=session)
            buyer.buy()
            buyer.close()

    def _reload(self):
        with self._session() as session:
            for _ in range(3):
                page = WirePage(self.server.port, session=session)
                page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
                page.start("onside.purchase", productIdentifier=PRODUCT)
                page.close()

    def _vanish(self):
        with self._session() as session:
            page = WirePage(self.server.port, session=session)
            page.call("onside.loadProducts", productIdentifiers=[PRODUCT])
            page.vanish()

    def _session(self):
        return Session(self.server)


class Session:
    """Makes a session, and deletes it at the end with the control API."""

    def __init__(self, server):
        self.server = server
        self.cookie = secrets.token_hex(16)

    def __enter__(self):
        return self.cookie

    def __exit__(self, *_):
        delete(self.server, self.cookie)


def delete(server, cookie):
    """Deletes the session with this cookie."""
    identifier = hashlib.sha256(f"footbridge session {cookie}".encode()).hexdigest()[:16]
    request = urllib.request.Request(
        f"{server.url}/__footbridge/api/v1/sessions/{identifier}", method="DELETE", headers={"Authorization": f"Bearer {TOKEN}"},
    )
    assert urllib.request.urlopen(request, timeout=10).status == 204


class Chromium:
    """Visits with real pages, one after another; makes no visits without a browser."""

    BUY = """product => new Promise(async (resolve, reject) => {
      onside.onTransactionsUpdated = (transactions) => {
        for (const { id, transactionState } of transactions) {
          if (transactionState === "purchased") onside.finishTransaction(id).catch(reject);
        }
      };
      onside.onTransactionsRemoved = () => resolve();
      await onside.loadProducts({ productIdentifiers: [product] });
      await onside.purchase({ productIdentifier: product });
    })"""

    def __init__(self, browser, server):
        self.browser = browser
        self.server = server
        self.visits = 0

    def visit_for(self, seconds):
        end = time.monotonic() + seconds
        while self.browser and time.monotonic() < end:
            self._visit()
            self.visits += 1
        time.sleep(max(end - time.monotonic(), 0))

    def _visit(self):
        with profiles(self.browser) as make:
            context = make()
            page = context.new_page()
            page.goto(self.server.url)
            cookie = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "footbridge_session")
            page.evaluate(self.BUY, PRODUCT)
            page.reload()
            assert page.evaluate("onside.getTransactions()") == []
        delete(self.server, cookie)


def test_memory_and_descriptors_do_not_grow_after_the_first_part(shop_root, catalog, tmp_path, capsys, request):
    arguments = (
        "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state",
        "--control-token", TOKEN, "--log-level", "warning",
    )
    # A minute of five; a larger part of a short run, because a server that has just started still grows.
    first_part = max(SECONDS / 5, min(SECONDS / 2, 60))
    with serve(*arguments) as server:
        chromium = Chromium(request.getfixturevalue("browser") if SECONDS >= 60 else None, server)
        visitors = Visitors(server)
        try:
            chromium.visit_for(first_part)
            first = visitors.measure()
            chromium.visit_for(SECONDS - first_part)
            last = visitors.measure()
        finally:
            visitors.leave()
        assert visitors.problems == []
        with capsys.disabled():
            print(
                f"\nsoak: {visitors.visits} visits, {chromium.visits} in Chromium, in {SECONDS:.0f} s; memory {first.bytes >> 20} MB, then {last.bytes >> 20} MB; "
                f"descriptors {first.descriptors}, then {last.descriptors}"
            )
        assert last.bytes < first.bytes * 1.25 + (8 << 20)
        assert last.descriptors <= first.descriptors + 4


def test_messages_of_many_megabytes_break_no_connection(shop_root, catalog, capsys):
    """`FOOTBRIDGE_BUILD` can name a build with a sanitizer."""
    with serve("--root", shop_root, "--catalog", catalog, "--present", "auto", "--ephemeral") as server:
        traffic = Traffic(server)
        traffic.broken.wait(SECONDS)
        traffic.stop()
        with capsys.disabled():
            print(f"\nsoak: {traffic} in {SECONDS:.0f} s")
        assert server.process.poll() is None
        assert traffic.problems == []
        assert traffic.messages > 0 and traffic.calls > 0
    assert not [line for line in server.log if "ended without a close frame while its peer was there" in line]
