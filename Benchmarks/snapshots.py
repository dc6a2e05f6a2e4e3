"""Measures how long a session takes to begin, in a test that makes one with the control API."""

import pathlib
import statistics
import tempfile

import catalogue
import control
import servers
from result import Result

ORDERS = 100


def measure(is_quick):
    """Returns the median of many sessions, each ended before the next: new ones, those from a snapshot, and those from an export."""
    rounds = 20 if is_quick else 1000
    with tempfile.TemporaryDirectory() as folder:
        storekit = catalogue.write(pathlib.Path(folder))
        with servers.footbridge("--catalog", storekit, environment=control.ENVIRONMENT) as server:
            api = control.ControlAPI(server.port)
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
