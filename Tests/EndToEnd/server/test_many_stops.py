"""A server that is stopped again and again amid reads and writes: each stop is orderly, and loses nothing that was confirmed."""

import http.client
import random
import threading
import time

import pytest

from footbridge_process import LONG, serve
from retrying_buyer import RetryingBuyer
from short_form import IS_SHORT, SEED

STOPS = 5 if IS_SHORT else 50
BUYERS, CLIENTS = 3, 3
#: New requests come until the end, so each stop takes this long, and then cuts off what is in progress.
DRAIN_TIMEOUT = 1
TOKEN = "a-token-of-these-tests"
pytestmark = pytest.mark.timeout(1800)


class Traffic:
    """Pages that buy, and clients of the control API that write and read sessions, until they are told to end."""

    def __init__(self, server, chance):
        self.port = server.port
        self.control = server.control(TOKEN)
        self.chance = chance
        self.is_over = threading.Event()
        #: Whether there is a server, or one that is about to end.
        self.is_served = threading.Event()
        self.is_served.set()
        #: How much was confirmed.
        self.confirmed = 0
        self._progress = threading.Condition()
        #: The names of sessions, as far as they were confirmed.
        self.names = {}
        self.problems = []
        self.buyers = [RetryingBuyer(self.port, 0, lambda: None) for _ in range(BUYERS)]
        work = [*(lambda buyer=buyer: self.buy(buyer) for buyer in self.buyers), *[self.name_sessions] * CLIENTS, *[self.read_sessions] * CLIENTS]
        self._threads = [threading.Thread(target=self._run, args=[each], daemon=True) for each in work]
        for thread in self._threads:
            thread.start()

    def _run(self, work):
        try:
            while not self.is_over.is_set():
                work()
        except Exception as problem:
            self.problems.append(problem)
            raise

    def _note(self):
        with self._progress:
            self.confirmed += 1
            self._progress.notify_all()

    def wait_for(self, count):
        """Waits until so much more was confirmed."""
        with self._progress:
            goal = self.confirmed + count
            assert self._progress.wait_for(lambda: self.confirmed >= goal or self.problems, LONG), "nothing more was confirmed"
        assert self.problems == []

    def end(self):
        self.is_over.set()
        for thread in self._threads:
            thread.join(LONG)
        assert self.problems == [] and not any(thread.is_alive() for thread in self._threads)

    def buy(self, buyer):
        buyer.buy_once(str(buyer.count))
        buyer.count += 1
        self._note()

    def _request(self, *arguments):
        """Sends a request. Returns None if it was refused, or if the server has ended."""
        try:
            answer = self.control.request(*arguments)
        except (http.client.HTTPException, OSError):
            self.is_served.wait(LONG)
            return None
        assert answer.status < 300 or answer.status in (503, 507), (arguments, answer.status, answer.text)
        if answer.status >= 300:
            self.is_served.wait(LONG)
            return None
        self._note()
        return answer.json

    def name_sessions(self):
        name = f"session {self.chance.random()}"
        if session := self._request("POST", "/sessions", {"name": name}):
            self.names[session["id"]] = name
            if self._request("PATCH", f"/sessions/{session['id']}", {"name": f"new {name}"}):
                self.names[session["id"]] = f"new {name}"
            else:
                # The change may have been made.
                del self.names[session["id"]]

    def read_sessions(self):
        for session in self.chance.sample(names := list(self.names), min(4, len(names))):
            self._request("GET", f"/sessions/{session}")
        self._request("GET", "/sessions")


def test_stops_amid_reads_and_writes_are_orderly_and_lose_nothing(shop_root, catalog, tmp_path, record_property):
    arguments = (
        "--root", shop_root, "--catalog", catalog, "--present", "auto", "--state", tmp_path / "state", "--log-level", "notice",
        "--control-token", TOKEN, "--drain-timeout", DRAIN_TIMEOUT)
    chance = random.Random(SEED)
    server = serve(*arguments, name=None)
    traffic = Traffic(server, chance)
    longest = 0
    try:
        for _ in range(STOPS):
            traffic.wait_for(chance.randint(1, 30))
            start = time.monotonic()
            assert server.stop() == 0
            longest = max(longest, time.monotonic() - start)
            traffic.is_served.clear()
            assert [line for line in server.log if "SQLite" in line or " error " in line] == []
            server = serve(*arguments, port=server.port, name=None)
            traffic.is_served.set()
        traffic.end()
        for buyer in traffic.buyers:
            buyer.check()
            buyer.close()
        listed = {id: traffic.control("GET", f"/sessions/{id}")["name"] for id in traffic.names}
        assert listed == traffic.names
    finally:
        traffic.is_over.set()
        assert server.stop() == 0
    record_property("stops", STOPS)
    record_property("seconds of the longest stop", round(longest, 1))
    record_property("purchases", sum(buyer.count for buyer in traffic.buyers))
    record_property("sessions named", len(traffic.names))
