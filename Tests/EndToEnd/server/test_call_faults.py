"""Whatever call to the system or to SQLite fails, at whatever moment: the server continues, tells no lie, and loses nothing that it has confirmed.

The server runs a script again and again: it serves files, keeps a page's socket, sells, and answers the control API, over http and https. Each time,
another call fails. A run tries a random choice of the cases; `FOOTBRIDGE_FAULTS=all`, as in `make test-all` and `make soak`, tries all."""

import contextlib
import errno
import http.client
import itertools
import os
import random
import signal
import socket
import ssl

import pytest

import call_faults
from buyer import PRODUCT, orders_of
from call_faults import FUNCTIONS, CallFaults, name_of
from footbridge_process import LONG, StartFailure, serve
from postgresql import state_key
from short_form import SEED
from wire_page import Rejection, WirePage

IS_WHOLE = os.environ.get("FOOTBRIDGE_FAULTS") == "all"
#: How many cases a run tries otherwise: of a server on SQLite, of one on PostgreSQL, and of starts.
SAMPLE = 40
DATABASE_SAMPLE = 10
STARTS = 10
#: After so many cases, the server is killed, and started again.
CASES_OF_A_SERVER = 12
#: At most so many calls of one function fail in turn: those of the script are alike.
LARGEST_NUMBER = 150
#: The functions whose calls fail. Memory is that of the C libraries.
TRIED = list(FUNCTIONS)
pytestmark = pytest.mark.timeout(7200 if IS_WHOLE else 300)
CONTENT = bytes(range(256)) * 4096


@pytest.fixture(scope="module")
def calls(tmp_path_factory):
    return CallFaults(call_faults.library(tmp_path_factory.mktemp("faults")))


class Shop:
    """A server whose calls fail, a page that buys, and what both have confirmed."""

    def __init__(self, calls, folder, catalog, *state, environment=None):
        self.calls = calls
        self.environment = {**calls.environment, **(environment or {})}
        (folder / "site").mkdir()
        (folder / "site" / "index.html").write_text("<!doctype html><title>Shop</title>")
        (folder / "site" / "photo.bin").write_bytes(CONTENT)
        self.arguments = [
            "--root", folder / "site", "--catalog", catalog, "--present", "auto", "--tls-port", "0", "--log-level", "error",
            "--state", *(state or [folder / "state"])]
        self.server = self.page = None
        self.session = None
        self.bought = []
        #: How many of them have been purchased.
        self.checked = 0
        #: Purchases whose effect is unknown, according to the server.
        self.undecided = set()
        self.tokens = itertools.count()

    def start(self):
        """Starts the server, with the page that it had."""
        port = self.server.port if self.server else 0
        self.server = serve(*self.arguments, port=port, environment=self.environment)
        self.secure_port = int(self.server.lines.get(timeout=LONG).rsplit(":", 1)[1])
        self.control = self.server.control()
        if not self.page:
            session = self.control.session()
            self.session = session["id"]
            self.page = WirePage(port or self.server.port, session=session["cookie"]["value"])
            self.page.call("onside.loadProducts", productIdentifiers=[PRODUCT])

    def kill(self):
        self.server.signal(signal.SIGKILL)

    # The script. Each step may fail, but not claim something that is not so.

    def run(self):
        for step in (self.buy, self.fetch, self.fetch_securely, self.control_clock, self.open_page):
            step()

    def buy(self):
        token = f"token-{next(self.tokens)}"
        try:
            self.page.call("onside.purchase", timeout=LONG, productIdentifier=PRODUCT, appAccountToken=token)
        except Rejection as rejection:
            assert str(rejection) == "bridge.bridgeDetached", rejection.message
            if "had no effect" not in rejection.message:
                self.undecided.add(token)
        else:
            self.bought.append(token)

    def fetch(self, connection=None):
        """Gets a file, as a browser does that tries once more."""
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=LONG)
        with contextlib.closing(connection), contextlib.suppress(http.client.HTTPException, ConnectionError, ssl.SSLError):
            connection.request("GET", "/photo.bin")
            response = connection.getresponse()
            content = response.read()
            assert response.status in (200, 500, 503), response.status
            assert response.status != 200 or content == CONTENT
            assert response.status != 503 or response.headers["Retry-After"]

    def fetch_securely(self):
        context = ssl._create_unverified_context()
        self.fetch(http.client.HTTPSConnection("127.0.0.1", self.secure_port, timeout=LONG, context=context))

    def control_clock(self):
        with contextlib.suppress(http.client.HTTPException, ConnectionError, OSError):
            answer = self.control.request("POST", f"/sessions/{self.session}/clock/advance", {"duration": "PT1S"})
            assert answer.status in (200, 503, 507), (answer.status, answer.text)

    def open_page(self):
        page = WirePage(self.server.port, session=self.page.session)
        try:
            page.call("onside.getTransactions", timeout=LONG)
        except Rejection as rejection:
            assert str(rejection).startswith("bridge."), rejection.message
        page.close()

    # What must hold

    def check(self):
        """The server runs, and has what it has confirmed."""
        assert self.server.process.poll() is None, f"the server has ended: {self.server.process.returncode} {''.join(self.server.log[-20:])}"
        answer = self.control.request("GET", f"/sessions/{self.session}")
        assert answer.status == 200, "".join(self.server.log[-5:])
        self.check_orders()

    def check_orders(self):
        # A purchase that has begun waits for its sheet, and continues when what has failed works again.
        for token in self.bought[self.checked:]:
            self.page.wait_for_state("purchased", token=token, timeout=LONG)
        orders = [each["app_account_token"] for each in orders_of(self.page.call("onside.getSignedInAppsHistory", timeout=LONG)["string"])]
        self.bought += [each for each in orders if each in self.undecided]
        self.undecided = set()
        self.checked = len(self.bought)
        assert sorted(orders) == sorted(self.bought)
        assert self.page.violations == []

    def close(self):
        self.calls.off()
        if self.page:
            self.page.vanish()
        if self.server and self.server.process.poll() is None:
            self.server.process.kill()
            self.server.process.wait()


@pytest.fixture
def shop(calls, tmp_path, catalog):
    shop = Shop(calls, tmp_path, catalog)
    yield shop
    shop.close()


def cases(counted):
    """Each call of the script with each of its errors."""
    return [
        (function, number, code) for function, count in counted.items()
        for number in range(1, min(count, LARGEST_NUMBER) + 1) for code in FUNCTIONS[function]
    ]


def chosen(all_cases, size):
    """The cases of this run: all, or a random choice with every function and error."""
    if IS_WHOLE:
        return all_cases
    shuffled = random.Random(SEED).sample(all_cases, len(all_cases))
    ranks = {}
    for case in shuffled:
        kind = case[0], case[2]
        ranks[case] = ranks.get(("last", kind), 0)
        ranks["last", kind] = ranks[case] + 1
    return sorted(shuffled, key=ranks.get)[:size]


def test_a_server_loses_nothing_when_a_call_fails(shop, record_property):
    try_calls(shop, TRIED, SAMPLE, record_property)


@pytest.fixture
def shop_on_postgresql(calls, tmp_path, catalog, database):
    database.clear()
    shop = Shop(calls, tmp_path, catalog, database.url, "--state-key", state_key(tmp_path), environment=database.environment)
    yield shop
    shop.close()


def test_a_server_on_postgresql_loses_nothing_when_a_call_fails(shop_on_postgresql, record_property):
    """libpq's calls are those of the system that it makes."""
    try_calls(shop_on_postgresql, ["send", "recv", "socket", "open", "malloc"], DATABASE_SAMPLE, record_property)


def test_a_key_that_cannot_be_read_again_stays_as_it_was(shop_on_postgresql):
    """Servers that share a database read their keys again, since another one may have changed them."""
    shop = shop_on_postgresql
    shop.start()
    keys = shop.control("GET", "/signing-keys")
    shop.calls.on()
    shop.control("GET", "/signing-keys")
    for number in range(1, shop.calls.off()["malloc"] + 1):
        shop.calls.on("malloc", errno.ENOMEM, number)
        with contextlib.suppress(http.client.HTTPException, ConnectionError):
            shop.control.request("GET", "/signing-keys")
        shop.calls.off()
        assert shop.server.process.poll() is None, shop.calls.subject
        assert shop.control("GET", "/signing-keys") == keys


def try_calls(shop, functions, size, record_property):
    """Runs the script, and lets another call of these functions fail each time."""
    shop.start()
    shop.run()
    shop.calls.on()
    shop.run()
    counted = shop.calls.off()
    problems = []
    tried = chosen(cases({name: counted[name] for name in functions}), size)
    for index, (function, number, code) in enumerate(tried):
        name = f"{function} {number} of {counted[function]}: {name_of(function, code)}"
        try:
            shop.calls.on(function, code, number)
            shop.run()
            shop.calls.off()
            shop.check()
            if index % CASES_OF_A_SERVER == CASES_OF_A_SERVER - 1:
                shop.kill()
                shop.start()
                shop.check()
        except (AssertionError, OSError, StartFailure) as problem:
            shop.calls.off()
            problems.append(f"{name} {shop.calls.subject!r}: {problem}")
            if shop.server.process.poll() is not None:
                shop.start()
    record_property("cases", len(tried))
    assert not problems, "\n".join(problems)


def test_a_page_connects_again_after_a_refusal_that_comes_before_its_request(monkeypatch):
    """This page without a browser does what a browser's does."""
    connect = socket.create_connection

    def connect_and_await_the_answer(*arguments, **options):
        connection = connect(*arguments, **options)
        connection.recv(1, socket.MSG_PEEK)
        return connection

    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(LONG)
        monkeypatch.setattr(socket, "create_connection", connect_and_await_the_answer)
        page = WirePage(listener.getsockname()[1])
        for _ in range(30):
            with listener.accept()[0] as connection:
                connection.sendall(b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        page.vanish()


def test_a_server_starts_or_says_why_not_when_a_call_fails(shop, record_property):
    shop.start()
    shop.buy()
    shop.server.stop()
    shop.calls.on()
    shop.start()
    counted = shop.calls.off()
    problems = []
    tried = chosen(cases({name: counted[name] for name in TRIED}), STARTS)
    for function, number, code in tried:
        name = f"{function} {number} of {counted[function]}: {name_of(function, code)}"
        shop.server.stop()
        shop.calls.on(function, code, number)
        try:
            shop.start()
        except StartFailure as failure:
            shop.calls.off()
            if not 64 <= failure.code <= 78 or not failure.log.strip():
                problems.append(f"{name} {shop.calls.subject!r}: exit code {failure.code}, {failure.log!r}")
            shop.start()
        shop.calls.off()
        try:
            shop.check()
        except AssertionError as problem:
            problems.append(f"{name} {shop.calls.subject!r}: {problem}")
    record_property("cases", len(tried))
    assert not problems, "\n".join(problems)
