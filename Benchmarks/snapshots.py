"""Measures how long a session takes to begin, in a test that makes one with the control API."""

import http.client
import json
import pathlib
import statistics
import tempfile
import time

import catalogue
import servers
from result import Result

BASE = "/__footbridge/api/v1"
TOKEN = "a-token-of-the-benchmark"
ORDERS = 100


def measure(is_quick):
    """Returns the median of many sessions, each ended before the next: new ones, those from a snapshot, and those from an export."""
    rounds = 20 if is_quick else 1000
    with tempfile.TemporaryDirectory() as folder:
        storekit = catalogue.write(pathlib.Path(folder))
        with servers.footbridge("--catalog", storekit, environment={"FOOTBRIDGE_CONTROL_TOKEN": TOKEN}) as server:
            api = _API(server.port)
            purchases = [{"product": catalogue.PRODUCTS[0], "quantity": ORDERS}]
            prepared = {"account": "built-in", "purchases": purchases}
            full = api.post("/sessions", prepared)
            api.request("PUT", "/snapshots/full", {"session": full["id"]})
            exported = api.request("GET", f"/sessions/{full['id']}/export")
            ways = {"new": {}, "from a snapshot": {"from": "full"}, "from an export": {"from": exported}, "prepared each time": prepared}
            times = {way: [api.begin(body) for _ in range(rounds)] for way, body in ways.items()}
    return [
        Result("sessions", way + ("" if way == "new" else f", {ORDERS} orders"), statistics.median(times[way]), "ms",
               at_most=1 if way == "from a snapshot" else None)
        for way in ways
    ]


class _API:
    """The control API over one connection, as the test kits use it."""

    def __init__(self, port):
        self._connection = http.client.HTTPConnection("127.0.0.1", port)

    def request(self, method, path, body=None):
        data = None if body is None else json.dumps(body)
        return self._send(method, path, data)

    def _send(self, method, path, data):
        self._connection.request(method, BASE + path, data, {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"})
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:500]!r}")
        return json.loads(text) if text else None

    def post(self, path, body):
        return self.request("POST", path, body)

    def begin(self, body):
        """Returns how long a session takes to begin, in milliseconds."""
        data = json.dumps(body)
        start = time.perf_counter()
        session = self._send("POST", "/sessions", data)
        duration = (time.perf_counter() - start) * 1000
        self.request("DELETE", f"/sessions/{session['id']}")
        return duration
